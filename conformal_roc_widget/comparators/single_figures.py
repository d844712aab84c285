"""Computes single figures of a score, with limits for the same figure in the population.

Brier score, log loss and accuracy are means of the losses of rows. The variance of the average
precision comes from the influence of each row (`conformal_roc_widget.evaluation.figures`).
"""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import cut_of, in_unit_range
from conformal_roc_widget.evaluation.estimate import Rows, SamplingInterval, target_of
from conformal_roc_widget.evaluation.figures import (
    BRIER_SCORE,
    KORN_GRAUBARD,
    LOG_LOSS,
    accuracy_interval_of,
    average_precision,
    brier_score,
    log_loss,
    loss_interval_of,
)
from conformal_roc_widget.text import counted

#: If there are at most this many positives, a note warns that the average precision is biased.
FEW_POSITIVES = 50


def average_precision_interval(
    y: ArrayLike, score: ArrayLike, alpha: float = 0.05, *, pos_label: Any = None
) -> SamplingInterval:
    """Computes the average precision, and a large-sample interval for the population's.

    The average precision is the mean, over the positives, of the precision at their own score, as
    in `sklearn.metrics.average_precision_score`. Its variance V is the mean square of the points'
    influences, divided by n. The rows are a sample of the population, so the prevalence varies too.
    A binomial share AP of ``AP (1 - AP) / V`` rows would have the variance V. This number of rows
    is the effective sample size, and the limits are the exact binomial ones for it (Korn and
    Graubard 1998). The effective sample size is at most n, and smaller if positives are few. If the
    scores separate the labels, it is the number of positives.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes. The second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class. They need not be probabilities.
    alpha : float
        Significance level in (0, 1).
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.

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
    rows = Rows.given(y, score, pos_label)
    return average_precision(rows).interval(
        alpha,
        method=KORN_GRAUBARD,
        target=target_of("average precision"),
        notes=few_positives(int(rows.positive.sum())),
    )


def few_positives(n: int) -> tuple[str, ...]:
    """If the average precision comes from few positives, returns a note on that."""
    if n > FEW_POSITIVES:
        return ()
    sentence = (
        f"Only {counted(n, 'positive')}: with {FEW_POSITIVES} or fewer the average precision is on "
        "average above the population's, and the limits may hold less often than they say."
    )
    return (sentence,)


def _risks_of(*given: Any) -> Rows:
    """Returns the `Rows` of the arguments of `Rows.given`. Scores must be probabilities."""
    rows = Rows.given(*given)
    expected = "probabilities in [0, 1]: margins are no risks"
    return rows._replace(scores=in_unit_range(rows.scores, "score", expected))


def brier_score_interval(
    y: ArrayLike,
    score: ArrayLike,
    alpha: float = 0.05,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    pos_label: Any = None,
) -> SamplingInterval:
    """Computes the Brier score, and a large-sample interval for the population's.

    The score is the mean of ``(score - y)^2``, as in `sklearn.metrics.brier_score_loss`. The limits
    are ``logit B -+ z sd / (B (1 - B))``, transformed back from the logit, so that they are between
    0 and 1. A good classifier has few large losses, and a sample may lack them. So the upper limit
    is at least that of a sample with one more row, whose score is on the wrong side (Gaffke 2005).

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes. The second in sorted order is positive.
    score : array_like of shape (n,)
        Probabilities of the positive class, in [0, 1].
    alpha : float
        Significance level in (0, 1).
    sample_weight : array_like of shape (n,), optional
        The number of rows of the population that each row stands for, up to a factor. It is a share
        of the population, and not how often a row was observed.
    groups : array_like of shape (n,), optional
        The person of each row. People must be independent, but the rows of a person need not be.
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.

    Returns
    -------
    SamplingInterval
        Unpacks into the score and its limits in [0, 1]. If few rows make most of the score, the
        limits hold less often, and `notes` say so. If all rows have the same loss, there are no
        limits.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    rows = _risks_of(y, score, pos_label, sample_weight, groups)
    return loss_interval_of(BRIER_SCORE, brier_score(rows), alpha)


def log_loss_interval(
    y: ArrayLike,
    score: ArrayLike,
    alpha: float = 0.05,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    pos_label: Any = None,
) -> SamplingInterval:
    """Computes the log loss, and a large-sample interval for the population's.

    The loss is the mean of ``-log score`` over the positives and of ``-log (1 - score)`` over the
    negatives, as in `sklearn.metrics.log_loss`, but scores are not clipped. If a score is 0 or 1
    and its label is the opposite, the loss is infinite, and so is the population's. The limits are
    ``L exp(-+ z sd / L)``. The upper limit is at least that of a sample with one more row, as for
    the Brier score.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes. The second in sorted order is positive.
    score : array_like of shape (n,)
        Probabilities of the positive class, in [0, 1].
    alpha : float
        Significance level in (0, 1).
    sample_weight : array_like of shape (n,), optional
        The number of rows of the population that each row stands for, up to a factor. It is a share
        of the population, and not how often a row was observed.
    groups : array_like of shape (n,), optional
        The person of each row. People must be independent, but the rows of a person need not be.
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.

    Returns
    -------
    SamplingInterval
        Unpacks into the loss and its limits, which are at least 0. If few rows make most of the
        loss, the limits hold less often, and `notes` say so. If all rows have the same loss, there
        are no limits.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    rows = _risks_of(y, score, pos_label, sample_weight, groups)
    return loss_interval_of(LOG_LOSS, log_loss(rows), alpha)


def accuracy_interval(
    y: ArrayLike,
    score: ArrayLike,
    threshold: float,
    alpha: float = 0.05,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    pos_label: Any = None,
) -> SamplingInterval:
    """Computes the share of right predictions at one threshold fixed in advance, with limits.

    The limits are for the share in the population. They are Clopper and Pearson's (1934), for every
    sample size. With weights or groups they use the effective sample size (Korn and Graubard 1998),
    and need large samples.

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
        Significance level in (0, 1).
    sample_weight : array_like of shape (n,), optional
        The number of rows of the population that each row stands for, up to a factor. It is a share
        of the population, and not how often a row was observed.
    groups : array_like of shape (n,), optional
        The person of each row. People must be independent, but the rows of a person need not be.
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.

    Returns
    -------
    SamplingInterval
        Unpacks into the accuracy and its limits in [0, 1].

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    rows = Rows.given(y, score, pos_label, sample_weight, groups)
    return accuracy_interval_of(rows, cut_of(threshold, score), alpha)
