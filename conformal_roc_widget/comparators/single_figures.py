"""Single figures of a score with limits for this classifier's in the population.

Brier score, log loss and accuracy are means of what single rows lose, and the average precision has
the influence of each row on it (`conformal_roc_widget.evaluation.figures`).
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
    rows = Rows.given(y, score, pos_label)
    return average_precision(rows).interval(
        alpha,
        method=KORN_GRAUBARD,
        target=target_of("average precision"),
        notes=few_positives(int(rows.positive.sum())),
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


def _risks_of(*given: Any) -> Rows:
    """Rows whose scores are probabilities."""
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
    """Brier score and a large-sample interval for the population's.

    The score is the mean of ``(score - y)^2``, as in `sklearn.metrics.brier_score_loss`. The limits
    are ``logit B -+ z sd / (B (1 - B))``, back from the logit, and so stay within 0 and 1.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes; the second in sorted order is positive.
    score : array_like of shape (n,)
        Probabilities of the positive class, in [0, 1].
    alpha : float
        Significance level in (0, 1).
    sample_weight : array_like of shape (n,), optional
        How many rows of the population each row stands for, up to a factor: the share that the rows
        take, and not how often a row was seen.
    groups : array_like of shape (n,), optional
        Whom each row belongs to: people are independent, their rows need not be.
    pos_label : label, optional
        The positive label; by default the second of two in sorted order.

    Returns
    -------
    SamplingInterval
        Unpacks into the score and its limits in [0, 1]. Where few rows make most of it, the limits
        hold less often, and `notes` say so; where all rows lose alike there is no limit.

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
    """Log loss and a large-sample interval for the population's.

    The loss is the mean of ``-log score`` over the positives and ``-log (1 - score)`` over the
    negatives, as in `sklearn.metrics.log_loss`, where no score is cut: one of 0 or 1 with the other
    label has an infinite loss, and so has the population. The limits are ``L exp(-+ z sd / L)``.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes; the second in sorted order is positive.
    score : array_like of shape (n,)
        Probabilities of the positive class, in [0, 1].
    alpha : float
        Significance level in (0, 1).
    sample_weight : array_like of shape (n,), optional
        How many rows of the population each row stands for, up to a factor: the share that the rows
        take, and not how often a row was seen.
    groups : array_like of shape (n,), optional
        Whom each row belongs to: people are independent, their rows need not be.
    pos_label : label, optional
        The positive label; by default the second of two in sorted order.

    Returns
    -------
    SamplingInterval
        Unpacks into the loss and its limits, which are at least 0. Where few rows make most of it,
        the limits hold less often, and `notes` say so; where all rows lose alike there is no limit.

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
    """Share of right calls at one threshold fixed in advance, with limits for the population's.

    They are Clopper and Pearson's (1934), for every sample size. With weights or groups they are
    those of a share of as many rows as vary alike (Korn and Graubard 1998), for large samples.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes; the second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class; they need not be probabilities.
    threshold : float
        Scores of at least this are called positive. One chosen by looking at these scores voids
        the guarantee.
    alpha : float
        Significance level in (0, 1).
    sample_weight : array_like of shape (n,), optional
        How many rows of the population each row stands for, up to a factor: the share that the rows
        take, and not how often a row was seen.
    groups : array_like of shape (n,), optional
        Whom each row belongs to: people are independent, their rows need not be.
    pos_label : label, optional
        The positive label; by default the second of two in sorted order.

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
