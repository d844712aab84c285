"""Average precision with an interval from the influence of each point on it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import labelled_scores
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.evaluation.average_precision import AveragePrecision
from conformal_roc_widget.evaluation.mean_area import Rows
from conformal_roc_widget.evaluation.sampling_interval import POPULATION, SamplingInterval

#: With this many positives or fewer, a note says that the average precision is biased.
FEW_POSITIVES = 50


def average_precision_interval(
    y: ArrayLike, score: ArrayLike, alpha: float = 0.05, *, pos_label: Any = None
) -> SamplingInterval:
    """Average precision and a large-sample interval for the population's.

    The average precision is the mean over the positives of the precision at their own score, as in
    `sklearn.metrics.average_precision_score`. Its variance V is the mean square of the points'
    influences over n; rows are a sample of the population, so that the prevalence varies too. A
    share of ``AP (1 - AP) / V`` rows would vary as much, and the limits are that share's exact ones
    (Korn and Graubard 1998). These are at most n rows, fewer where positives are few, and as many
    as the positives where the scores separate the labels.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes; the second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class; they need not be probabilities.
    alpha : float
        Significance level in (0, 1).
    pos_label : label, optional
        The positive label; by default the second of two in sorted order.

    Returns
    -------
    SamplingInterval
        Unpacks into the average precision and its limits in [0, 1]. With 50 positives or fewer it
        is biased upwards, and `notes` say so.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    level = float(exact_alpha(alpha))
    positive, scores = labelled_scores(y, score, pos_label=pos_label)
    n = scores.size
    found = AveragePrecision.of(Rows(positive, scores, np.ones(n), np.arange(n)))
    return SamplingInterval.of(
        (found.value, *found.limits(level)),
        alpha=alpha,
        method="exact limits of a share of as many rows as vary alike (Korn-Graubard)",
        target=f"average precision of this classifier {POPULATION}",
        notes=few_positives(int(positive.sum())),
    )


def few_positives(n: int) -> tuple[str, ...]:
    """At most one sentence: the average precision is that of few positives."""
    if n > FEW_POSITIVES:
        return ()
    found = "1 positive" if n == 1 else f"{n} positives"
    sentence = (
        f"Only {found}: with {FEW_POSITIVES} or fewer the average precision is on average above "
        "the population's, and the limits may hold less often than they say."
    )
    return (sentence,)
