"""Brier score, log loss and accuracy with limits for this classifier's in the population.

Each is a mean of what single rows lose. The variance of a mean of rows with weights is that of its
linear part, ``sum (w (loss - mean))^2 / (sum w)^2``, and rows of one person are added up before
they are squared. Limits are made on a scale that has no end where the figure has one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from conformal_roc_widget.arrays import (
    Floats,
    Ints,
    groups_of,
    in_unit_range,
    labelled_scores,
    row_weights_of,
)
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import number
from conformal_roc_widget.evaluation.sampling_interval import (
    POPULATION,
    SamplingInterval,
    logit_limits,
)
from conformal_roc_widget.promise import (
    EVERY_SAMPLE_SIZE,
    FIXED_THRESHOLD,
    LARGE_SAMPLES,
    ONE_NUMBER,
)
from conformal_roc_widget.reliability.binomial_limits import exact_limits
from conformal_roc_widget.words import words

#: If the relative standard error of a mean is larger than this, which it is with fewer than 20 rows
#: of equal loss among many without one, a few rows make most of it, and large samples are far.
LARGEST_ERROR = 20**-0.5
#: If one row, or person, makes a larger share of the variance, the losses have a heavy tail. At .95
#: and 150 rows such limits held .885 of the time where the variance was infinite, and .94 else.
LARGEST_SHARE = 0.3
#: A standard error below this share of the largest loss is one of rounding.
ROUNDED = 1e-13
ACCURACY, BRIER_SCORE, LOG_LOSS = "accuracy", words("loss.brier_score"), words("loss.log_loss")


class Rows(NamedTuple):
    """Labels and scores of rows, with their weights and the codes of their people, or None."""

    positive: NDArray[np.bool_]
    scores: Floats
    weights: Floats | None = None
    owners: Ints | None = None

    @classmethod
    def of(
        cls, y: ArrayLike, score: ArrayLike, sample_weight: Any, groups: Any, pos_label: Any
    ) -> Rows:
        """Rows as a user gives them; those of weight 0 are left out."""
        positive, scores = labelled_scores(y, score, pos_label=pos_label)
        owners = None if groups is None else groups_of(groups, "groups", positive.size)
        if sample_weight is None:
            return cls(positive, scores, None, owners)
        weights = row_weights_of(sample_weight, "sample_weight", positive.size)
        there = weights > 0
        owners = None if owners is None else owners[there]
        weights = weights[there]
        equal = bool((weights == weights[0]).all())
        return cls(positive[there], scores[there], None if equal else weights, owners)

    @property
    def alike(self) -> bool:
        """Whether rows are independent and count alike."""
        single = self.owners is None or np.unique(self.owners).size == self.owners.size
        return self.weights is None and single

    def mean(self, name: str, losses: Floats) -> MeanLoss:
        """Mean of what rows lose, with its variance."""
        weights = np.ones(losses.size) if self.weights is None else self.weights
        # Rows are sorted, so that the last digit does not depend on their order, which a page must
        # not reveal.
        if self.weights is None and self.owners is None:
            losses = np.sort(losses)
        else:
            order = np.lexsort((weights, losses))
            losses, weights = losses[order], weights[order]
        value = float(weights @ losses / weights.sum())
        if math.isinf(value):
            return MeanLoss(name, value, 0.0)
        parts = weights * (losses - value) / weights.sum()
        if self.owners is not None:
            parts = np.bincount(np.unique(self.owners[order], return_inverse=True)[1], parts)
        n = parts.size
        variance = float(parts @ parts) * n / (n - 1) if n > 1 else 0.0
        rounded = math.sqrt(variance) <= ROUNDED * float(losses.max())
        if rounded:
            return MeanLoss(name, value, 0.0)
        is_heavy = float(np.square(parts).max()) > LARGEST_SHARE * float(parts @ parts)
        return MeanLoss(name, value, variance, is_heavy)


class MeanLoss(NamedTuple):
    """A mean of what rows lose, and what its limits at any alpha are made of.

    The variance is 0 where the rows do not tell it. One row makes much of it if it `is_heavy`.
    """

    name: str
    value: float
    variance: float
    is_heavy: bool = False

    @property
    def most(self) -> float:
        """The largest that it can be."""
        return math.inf if self.name == LOG_LOSS else 1.0

    def limits(self, alpha: float) -> tuple[float, float]:
        """Limits on the logarithm of a figure without an upper end, and on the logit of others.

        An infinite loss is certain to be infinite in the population; without a variance there is no
        limit.
        """
        if math.isinf(self.value):
            return math.inf, math.inf
        if not self.variance:
            return 0.0, self.most
        half = float(-ndtri(alpha / 2)) * math.sqrt(self.variance)
        if math.isinf(self.most):
            half /= self.value
            return self.value * math.exp(-half), self.value * math.exp(half)
        return logit_limits(self.value, half)

    @property
    def notes(self) -> tuple[str, ...]:
        """At most one sentence on limits that are none, or that few rows or a heavy tail make."""
        if math.isinf(self.value):
            return (words("loss.infinite", name=self.name),)
        if not self.variance:
            return (words("loss.no_variance", name=self.name),)
        error = math.sqrt(self.variance) / self.value
        if error > LARGEST_ERROR:
            return (words("loss.few", name=self.name, error=error),)
        return (words("loss.heavy", name=self.name, share=LARGEST_SHARE),) if self.is_heavy else ()

    def interval(self, alpha: float, notes: tuple[str, ...] = ()) -> SamplingInterval:
        """The mean with its limits and their promise."""
        return SamplingInterval.of(
            (self.value, *self.limits(float(exact_alpha(alpha)))),
            alpha=alpha,
            method=f"large samples on the {'log' if math.isinf(self.most) else 'logit'} scale",
            target=f"{self.name} of this classifier {POPULATION}",
            scope=FIXED_THRESHOLD if self.name == ACCURACY else ONE_NUMBER,
            guarantee=LARGE_SAMPLES,
            notes=(*self.notes, *notes),
        )


def brier_of(rows: Rows) -> MeanLoss:
    """Brier score: the mean square of score less label."""
    return rows.mean(BRIER_SCORE, (rows.scores - rows.positive) ** 2)


def log_loss_of(rows: Rows) -> MeanLoss:
    """Log loss: the mean of ``-log`` of the probability that the score gives the row's label."""
    with np.errstate(divide="ignore"):
        lost = np.where(rows.positive, -np.log(rows.scores), -np.log1p(-rows.scores))
    return rows.mean(LOG_LOSS, lost)


def accuracy_at(rows: Rows, threshold: float, alpha: float) -> SamplingInterval:
    """Share of right calls, with exact binomial limits where rows count alike."""
    right = (rows.scores >= threshold) == rows.positive
    if not rows.alike:
        return rows.mean(ACCURACY, right.astype(float)).interval(alpha)
    k, n = int(right.sum()), right.size
    return SamplingInterval.of(
        (k / n, *exact_limits(k, n, float(exact_alpha(alpha)))),
        alpha=alpha,
        method="Clopper-Pearson",
        target=f"{ACCURACY} of this classifier {POPULATION}",
        scope=FIXED_THRESHOLD,
        guarantee=EVERY_SAMPLE_SIZE,
    )


def losses_at(
    rows: Rows, threshold: float, alpha: float, notes: tuple[str, ...]
) -> Mapping[str, SamplingInterval]:
    """Accuracy, Brier score and log loss; `notes` are those on scores that are no risks."""
    return {
        "accuracy": accuracy_at(rows, threshold, alpha),
        "brier_score": brier_of(rows).interval(alpha, notes),
        "log_loss": log_loss_of(rows).interval(alpha, notes),
    }


def _risks_of(*given: Any) -> Rows:
    """Rows whose scores are probabilities."""
    rows = Rows.of(*given)
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
    rows = _risks_of(y, score, sample_weight, groups, pos_label)
    return brier_of(rows).interval(alpha)


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
    rows = _risks_of(y, score, sample_weight, groups, pos_label)
    return log_loss_of(rows).interval(alpha)


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
    for large samples, on the logit scale, as those of `brier_score_interval`.

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
    rows = Rows.of(y, score, sample_weight, groups, pos_label)
    return accuracy_at(rows, number(threshold, "threshold"), alpha)
