"""Area under the curve after DeLong, DeLong and Clarke-Pearson (1988), by sorting."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from conformal_roc_widget.arrays import (
    Floats,
    codes_of,
    labels_of,
    numbers_of,
    two_classes_of,
    with_positive,
)
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.comparators.two_samples import TwoSamples, two_samples


def delong_interval(
    y: ArrayLike, score: ArrayLike, alpha: float = 0.05, *, pos_label: Any = None
) -> tuple[float, float, float]:
    """Area under the ROC curve and a large-sample interval for the population's.

    The placement of a positive is the share of negatives below it, ties half, and that of a
    negative the share of positives above it. The area is their mean and its variance is
    ``var(placements of positives) / n_1 + var(placements of negatives) / n_0``, which two sorts
    give (Sun and Xu 2014 say it with midranks). The limits are ``area -+ z sd``, cut at 0 and 1, as
    in pROC's ``ci.auc``.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes, each at least twice; the second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class; they need not be probabilities.
    alpha : float
        Significance level in (0, 1).
    pos_label : label, optional
        The positive label; by default the second of two in sorted order.

    Returns
    -------
    auc, lower, upper : float
        The area and its limits in [0, 1].

    Warns
    -----
    UserWarning
        If the estimated variance is 0, as it is for an area of 0 or 1 and for equal scores: the
        interval has then no width, and means nothing.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above, or a label occurs once only.
    """
    y = with_positive(y, "y", pos_label)
    level = float(exact_alpha(alpha))
    auc, variance = area_variance(y, score)
    if variance == 0:
        warnings.warn(
            f"DeLong's variance of the AUC ({auc:g}) is 0 on these points, because "
            + ("all scores are equal" if 0 < auc < 1 else "the scores separate the labels")
            + ": the interval has no width and is no statement of certainty. ks_band holds for "
            "such data too.",
            UserWarning,
            stacklevel=2,
        )
    return auc, *area_limits(auc, variance, level)


def area_limits(auc: float, variance: float, alpha: float) -> tuple[float, float]:
    """Limits of the area, cut at 0 and 1; without variance they have no width."""
    half = float(-ndtri(alpha / 2)) * math.sqrt(variance) if variance else 0.0
    return max(auc - half, 0.0), min(auc + half, 1.0)


def delong_test(
    y: ArrayLike, score_a: ArrayLike, score_b: ArrayLike, *, pos_label: Any = None
) -> tuple[float, float]:
    """Two-sided test that two scores of the same points have the same area in the population.

    ``z = (auc_a - auc_b) / sd``, where the variance is that of `delong_interval` for the
    differences of the placements: the scores are paired, so their covariance counts.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes, each at least twice; the second in sorted order is positive.
    score_a, score_b : array_like of shape (n,)
        Finite numbers, higher for the positive class, in the same order as `y`.
    pos_label : label, optional
        The positive label; by default the second of two in sorted order.

    Returns
    -------
    z, p_value : float
        Positive z: a has the greater area. ``(0, 1)`` if both rank all points alike.

    Warns
    -----
    UserWarning
        If the estimated variance is 0 and the areas differ: no test is possible, and both values
        are NaN.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above, or a label occurs once only.
    """
    y = with_positive(y, "y", pos_label)
    difference, z, p_value = areas_difference(y, score_a, score_b)
    if math.isnan(z):
        warnings.warn(
            f"DeLong's variance of the difference in AUC ({difference:g}) is 0 on these points: no "
            "test is possible, and z and p-value are NaN.",
            UserWarning,
            stacklevel=2,
        )
    return z, p_value


def area_variance(y: ArrayLike, score: ArrayLike) -> tuple[float, float]:
    """Area and variance, from which `delong_interval` has its limits, without its warning.

    Parameters
    ----------
    y, score : array_like of shape (n,)
        Labels and scores, as there.

    Returns
    -------
    auc, variance : float
        The area, and DeLong's estimate of its variance.

    Raises
    ------
    TypeError, ValueError
        As there.
    """
    samples = two_samples(y, score)
    _two_of_each(samples)
    return samples.auc, _variance(*_placements(samples.negatives, samples.positives))


def areas_difference(
    y: ArrayLike, score_a: ArrayLike, score_b: ArrayLike
) -> tuple[float, float, float]:
    """Difference of two areas with its test, as `delong_test`, without its warning.

    Parameters
    ----------
    y, score_a, score_b : array_like of shape (n,)
        Labels and scores, as there.

    Returns
    -------
    difference, z, p_value : float
        ``auc_a - auc_b``, and the test, which is NaN where it is not possible.

    Raises
    ------
    TypeError, ValueError
        As there.
    """
    samples = [two_samples(y, score_a, "score_a"), two_samples(y, score_b, "score_b")]
    _two_of_each(samples[0])
    labels = labels_of(y, "y")
    positive = codes_of(labels, two_classes_of(labels, "y"), "y").astype(bool)
    # Placements in the order of the data, so that both belong to the same point.
    a, b = (
        _placements(scores[~positive], scores[positive])
        for scores in (numbers_of(score_a, "score_a", 1), numbers_of(score_b, "score_b", 1))
    )
    difference = samples[0].auc - samples[1].auc
    variance = _variance(a[0] - b[0], a[1] - b[1])
    if variance > 0:
        z = difference / math.sqrt(variance)
        return difference, z, float(2 * ndtr(-abs(z)))
    return (difference, 0.0, 1.0) if difference == 0 else (difference, math.nan, math.nan)


def _placements(negatives: Floats, positives: Floats) -> tuple[Floats, Floats]:
    """Share of positives above each negative, and of negatives below each positive, ties half."""
    above = positives.size - _ranked(np.sort(positives), negatives)
    return above / positives.size, _ranked(np.sort(negatives), positives) / negatives.size


def _ranked(ordered: Floats, values: Floats) -> Floats:
    """Number of the ordered ones below each value, ties half."""
    smaller = np.searchsorted(ordered, values, side="left")
    return (smaller + np.searchsorted(ordered, values, side="right")) / 2


def _variance(of_negatives: Floats, of_positives: Floats) -> float:
    """DeLong's variance from the placements of both labels."""
    return float(
        of_negatives.var(ddof=1) / of_negatives.size + of_positives.var(ddof=1) / of_positives.size
    )


def _two_of_each(samples: TwoSamples) -> None:
    """Refuses a label that has no variance."""
    fewest = min(scores.size for scores in samples)
    if fewest < 2:
        raise ValueError("y: found a label that occurs once, expected each at least twice")
