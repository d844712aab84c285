"""Average precision with an interval from the influence of each point on it."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, ndtri

from conformal_roc_widget.arrays import Floats, labelled_scores
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.evaluation.sampling_interval import POPULATION, SamplingInterval

#: With this many positives or fewer, a note says that the average precision is biased.
FEW_POSITIVES = 50


def average_precision_interval(
    y: ArrayLike, score: ArrayLike, alpha: float = 0.05, *, pos_label: Any = None
) -> SamplingInterval:
    """Average precision and a large-sample interval for the population's.

    The average precision is the mean over the positives of the precision at their own score, as in
    `sklearn.metrics.average_precision_score`. Its variance is the mean square of the points'
    influences over n; rows are a sample of the population, so that the prevalence varies too. The
    limits are ``logit AP -+ z sd / (AP (1 - AP))``, back from the logit (Boyd, Eng and Page 2013
    recommend that scale), and so stay within 0 and 1.

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

    Warns
    -----
    UserWarning
        If the scores separate the labels: the estimated variance is 0, the interval has no width
        and means nothing.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    level = float(exact_alpha(alpha))
    positive, scores = labelled_scores(y, score, pos_label=pos_label)
    value, influences = average_precision_influences(positive, scores)
    lower = upper = value
    if 0 < value < 1:
        sd = math.sqrt(float(influences @ influences)) / influences.size
        half = float(-ndtri(level / 2)) * sd / (value * (1 - value))
        lower, upper = (float(expit(logit(value) + way * half)) for way in (-1, 1))
        lower, upper = min(lower, value), max(upper, value)
    else:
        warnings.warn(
            f"The average precision is {value:g}: the scores separate the labels, its estimated "
            "variance is 0, and the interval has no width. It is no statement of certainty.",
            UserWarning,
            stacklevel=2,
        )
    return SamplingInterval.of(
        (value, lower, upper),
        alpha=alpha,
        method="influences on the logit scale",
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


def average_precision_influences(
    positive: NDArray[np.bool_], scores: Floats
) -> tuple[float, Floats]:
    """Average precision, and the influence of each point (n,), which sum to 0.

    With ``Q(s)`` the share of points that score at least s and ``P(s)`` the precision there, a
    point of label y and score s adds ``y (P(s) - AP) / prevalence``, for its own place, and the
    mean over the positives with ``s' <= s`` of ``(y - P(s')) / Q(s')``, for all that it lies above.
    """
    levels, place = np.unique(scores, return_inverse=True)
    n = scores.size
    of_level = np.bincount(place, positive, minlength=levels.size)
    reached = np.bincount(place, minlength=levels.size)[::-1].cumsum()[::-1] / n
    hits = of_level[::-1].cumsum()[::-1] / n
    precision = hits / reached
    n_positive = positive.sum()
    value = float(of_level @ precision) / n_positive
    # Sums over the positives with this score or a lower one.
    share = of_level / n_positive
    plain = (share / reached).cumsum()[place]
    weighted = (share * precision / reached).cumsum()[place]
    own = positive * (precision[place] - value) * (n / n_positive)
    return value, own + positive * plain - weighted
