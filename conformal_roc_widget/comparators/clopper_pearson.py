"""Computes exact binomial limits of both rates at a threshold fixed in advance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import as_given, cut_of
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import yes_or_no
from conformal_roc_widget.evaluation.band import OperatingPoint
from conformal_roc_widget.promise import (
    FIXED_THRESHOLD,
    FOR_BOTH_RATES,
    FOR_EACH_RATE,
    SAME_SOURCE,
    Guarantee,
    sampling,
)
from conformal_roc_widget.reliability.binomial_limits import exact_limits

from .rows import refuse_rows
from .two_samples import two_samples


def clopper_pearson_box(
    y: ArrayLike,
    score: ArrayLike,
    threshold: float,
    alpha: float = 0.05,
    *,
    joint: bool = False,
    sample_weight: None = None,
    groups: None = None,
    pos_label: Any = None,
) -> OperatingPoint:
    """Computes exact binomial intervals of both rates at one threshold fixed in advance.

    The limits of k successes in n are the quantiles ``alpha / 2`` of Beta(k, n - k + 1) and ``1 -
    alpha / 2`` of Beta(k + 1, n - k) (Clopper and Pearson 1934). The limits are for this
    classifier's rates in the population, and not for the rates of the true probabilities.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes. The second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class. They need not be probabilities.
    threshold : float
        Rows that score at least this are predicted positive. If it was chosen by looking at these
        scores, the guarantee is void.
    alpha : float
        Significance level in (0, 1), of each of the two intervals.
    joint : bool
        Whether `alpha` is for both intervals together. Each interval then uses ``1 - sqrt(1 -
        alpha)``, and the box of both contains the point with probability at least ``1 - alpha``.
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.
    sample_weight, groups : None
        Refused, because the method counts independent rows. `one_row_per_group` selects such rows.

    Returns
    -------
    OperatingPoint
        Counts, rates and limits.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    refuse_rows("clopper_pearson_box", sample_weight=sample_weight, groups=groups)
    level = float(exact_alpha(alpha))
    samples = two_samples(y, score, pos_label)
    cut = cut_of(threshold, score)
    yes_or_no(joint, "joint")
    each = -math.expm1(math.log1p(-level) / 2) if joint else level
    sizes = samples.negatives.size, samples.positives.size
    zeros, ones = (int(scores.at_least(np.array([cut]))[0]) for scores in samples)
    limits = exact_limits(zeros, sizes[0], each), exact_limits(ones, sizes[1], each)
    guarantee = Guarantee(FOR_BOTH_RATES if joint else FOR_EACH_RATE, (SAME_SOURCE,))
    promise = sampling(FIXED_THRESHOLD, guarantee).at(level)
    return OperatingPoint.of(
        (as_given(threshold), float(alpha)), (zeros, ones), sizes, limits, promise
    )
