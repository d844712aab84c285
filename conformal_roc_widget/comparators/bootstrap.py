"""Stratified bootstrap of the ROC curve, drawn only at the grid."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from conformal_roc_widget.arrays import (
    Floats,
    Ints,
    any_scores_of,
    codes_of,
    labelled_scores,
    labels_of,
    people_of,
    read_only,
    row_weights_of,
    same_length,
)
from conformal_roc_widget.calibration.followed.censoring import MarginalCensoring
from conformal_roc_widget.calibration.followed.known import Known, check_known, horizon_of
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import generator, whole_number
from conformal_roc_widget.promise import LARGE_SAMPLES, ONE_RATE, sampling, sampling_by
from conformal_roc_widget.tables.event_times import EventTimes, refuse_with_time

from .cautions import few_groups, separated_labels, small_labels, stretches, ties
from .comparator_band import BandFamily, ComparatorBand
from .followed_resampling import FollowedResampling
from .resampling import FEWEST_RESAMPLES, GridResampling, Progress, RowResampling, reporting
from .two_samples import TwoSamples, grid_of

#: At most this many rates are held at a time: replicates in a block times false positive rates.
BLOCK = 1 << 17
#: If fewer replicates than this lie beyond a limit, a note calls it rough.
TAIL = 10


def bootstrap_band(
    y: ArrayLike,
    score: ArrayLike,
    alpha: float = 0.05,
    *,
    fpr: ArrayLike | None = None,
    resamples: int = 2000,
    random_state: int | np.random.Generator | None = None,
    progress: Progress = False,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    pos_label: Any = None,
    horizon: float | None = None,
) -> ComparatorBand:
    """Pointwise band for the population ROC curve from the stratified percentile bootstrap.

    Each label is resampled with replacement, and the curves are averaged vertically. The curve of a
    replicate is the polygon through its vertices, as drawn through those of
    ``sklearn.metrics.roc_curve``. At a false positive rate that a vertical edge has, the top of the
    edge counts; between vertices the polygon is linear, which differs from a step only where a
    positive and a negative have the same score. That is how pROC reads ``ci.se``.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes; the second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class; they need not be probabilities.
    alpha : float
        Significance level in (0, 1).
    fpr : array_like of shape (m,), optional
        False positive rates; by default ``linspace(0, 1, 101)``.
    resamples : int
        Number of replicates, at least 100.
    random_state : int, numpy.random.Generator or None
        Source of randomness.
    progress : bool or callable
        True shows a progress bar; a callable gets the replicates done and their total.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows; rows are drawn alike and carry theirs. A row of weight 0 is absent, and
        equal weights change nothing.
    groups : array_like of shape (n,), optional
        Whom each row belongs to: people are drawn, each with all rows.
    pos_label : label, optional
        The positive label; by default the second of two in sorted order.
    horizon : float, optional
        Where `y` has a time (a structured array or a frame, as `ConformalROC` takes it): by when an
        event counts as positive. Rows are then drawn from the whole table, those that were lost
        from sight among them, and how likely a row was still followed is estimated anew in each
        replicate. Without `sample_weight`, `groups` and `pos_label`.

    Returns
    -------
    ComparatorBand
        Limits at each false positive rate.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    exact_alpha(alpha)
    replicates = BootstrapReplicates(
        *(y, score),
        fpr=fpr,
        resamples=resamples,
        random_state=random_state,
        progress=progress,
        sample_weight=sample_weight,
        groups=groups,
        pos_label=pos_label,
        horizon=horizon,
    )
    return replicates.band(alpha)


class BootstrapReplicates(BandFamily):
    """Bootstrap replicates of a ROC curve, sorted at each false positive rate.

    A new alpha costs a look-up.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes; the second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class; they need not be probabilities.
    fpr : array_like of shape (m,), optional
        False positive rates; by default ``linspace(0, 1, 101)``.
    resamples : int
        Number of replicates, at least 100.
    random_state : int, numpy.random.Generator or None
        Source of randomness.
    progress : bool or callable
        True shows a progress bar; a callable gets the replicates done and their total.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows; rows are drawn alike and carry theirs. A row of weight 0 is absent, and
        equal weights change nothing.
    groups : array_like of shape (n,), optional
        Whom each row belongs to: people are drawn, each with all rows.
    pos_label : label, optional
        The positive label; by default the second of two in sorted order.
    horizon : float, optional
        Where `y` has a time (a structured array or a frame, as `ConformalROC` takes it): by when an
        event counts as positive. Rows are then drawn from the whole table, those that were lost
        from sight among them, and how likely a row was still followed is estimated anew in each
        replicate. Without `sample_weight`, `groups` and `pos_label`.

    Attributes
    ----------
    fpr : ndarray of shape (m,)
        False positive rates, ascending.
    tpr : ndarray of shape (m,)
        Observed true positive rates there.
    ordered : ndarray of shape (m, resamples)
        True positive rates of the replicates, ascending at each false positive rate.
    notes : tuple of str
        Reasons to trust the method less, at any alpha.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """

    method = "stratified bootstrap, percentiles"
    promise = sampling(ONE_RATE, LARGE_SAMPLES)

    def __init__(
        self,
        y: ArrayLike,
        score: ArrayLike,
        *,
        fpr: ArrayLike | None = None,
        resamples: int = 2000,
        random_state: int | np.random.Generator | None = None,
        progress: Progress = False,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        pos_label: Any = None,
        horizon: float | None = None,
    ) -> None:
        grid, owners = grid_of(fpr), None
        total = whole_number(resamples, "resamples", FEWEST_RESAMPLES)
        law: GridResampling | RowResampling | FollowedResampling
        if horizon is not None:
            refuse_with_time(
                {"sample_weight": sample_weight, "groups": groups, "pos_label": pos_label}
            )
            law, samples = law_of_people(y, score, horizon, grid)
            self.method = "bootstrap of people, percentiles"
            self.promise = sampling_by(f"{law.horizon:g}")
        else:
            positive, score, weights, owners = _rows(y, score, sample_weight, groups, pos_label)
            samples = TwoSamples.of(score[~positive], score[positive])
            if weights is None and owners is None:
                law = GridResampling.of(samples, grid)
            else:
                law = RowResampling.of(positive, score, grid, weights, owners)
        self.ordered = read_only(_sorted_curves(law, grid.size, total, random_state, progress))
        notes = (
            *small_labels(samples),
            *few_groups(owners),
            *separated_labels(samples),
            *ties(samples, "between two such scores the curve is a straight line."),
        )
        super().__init__(grid, law.observed, notes)

    def limits(self, level: float) -> tuple[Floats, Floats, list[str]]:
        """Quantiles ``alpha / 2`` and ``1 - alpha / 2`` of the replicates.

        They are linear between order statistics (type 7 of Hyndman and Fan 1996, as R and numpy
        have them).
        """
        lower, upper = (self._quantile(share) for share in (level / 2, 1 - level / 2))
        return lower, upper, [*self._rough(level), *self._without_width(lower, upper)]

    def _quantile(self, share: float) -> Floats:
        place = share * (self.ordered.shape[1] - 1)
        below = int(place)
        first = self.ordered[:, below]
        second = self.ordered[:, min(below + 1, self.ordered.shape[1] - 1)]
        limit: Floats = first + (place - below) * (second - first)
        return limit

    def _rough(self, alpha: float) -> list[str]:
        resamples = self.ordered.shape[1]
        if alpha / 2 * resamples >= TAIL:
            return []
        sentence = (
            f"With {resamples} replicates only about {alpha / 2 * resamples:.3g} lie beyond each "
            "limit: another seed moves it. Take more resamples, or a larger alpha."
        )
        return [sentence]

    def _without_width(self, lower: Floats, upper: Floats) -> list[str]:
        """At most one sentence on rates below 1 at which all replicates agree."""
        flat = (upper == lower) & (self.fpr < 1)
        if not flat.any():
            return []
        sentence = (
            f"The band has no width at false positive rates {stretches(self.fpr, flat)}: there the "
            "replicates agree, because these points cannot show what another sample would. That "
            "is no certainty."
        )
        return [sentence]


def law_of_people(
    y: Any, score: ArrayLike, horizon: float, grid: Floats
) -> tuple[FollowedResampling, TwoSamples]:
    """The law of people who are followed for a while, and scores of the known rows by label."""
    outcome, t = EventTimes.of(y, "y"), horizon_of(horizon)
    scores = any_scores_of(score, "score")
    same_length(y=outcome.times, score=scores)
    check_known(outcome, t, "y", fewest=1)
    known = Known.of(outcome, t, MarginalCensoring.of(outcome))
    of_known, positive = scores[known.rows], known.labels == 1
    samples = TwoSamples.of(of_known[~positive], of_known[positive])
    return FollowedResampling.of(outcome, known, scores, grid), samples


def _sorted_curves(
    law: GridResampling | RowResampling | FollowedResampling,
    rates: int,
    total: int,
    random_state: int | np.random.Generator | None,
    progress: Progress,
) -> Floats:
    """True positive rates of all replicates, drawn in blocks, ascending at each of the rates."""
    rng = generator(random_state)
    curves = np.empty((rates, total))
    size = max(1, BLOCK // rates)
    with reporting(progress, total, "bootstrap") as report:
        for done in range(0, total, size):
            upto = min(done + size, total)
            curves[:, done:upto] = law.draw(upto - done, rng).T
            report(upto)
    curves.sort(axis=1)
    return curves


def _rows(
    y: ArrayLike,
    score: ArrayLike,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
    pos_label: Any,
) -> tuple[NDArray[np.bool_], Floats, Floats | None, Ints | None]:
    """Rows of positive weight: labels, scores, weights if these differ, and groups."""
    labels = labels_of(y, "y")
    positive, scores = labelled_scores(labels, score, pos_label=pos_label)
    owners = None if groups is None else people_of(groups, "groups", positive.size)
    if sample_weight is None:
        return positive, scores, None, owners
    weights = row_weights_of(sample_weight, "sample_weight", positive.size)
    there = weights > 0
    codes_of(labels[there], np.unique(labels), "y where sample_weight is above 0")
    if owners is not None:
        owners = np.unique(owners[there], return_inverse=True)[1]
    positive, scores, weights = positive[there], scores[there], weights[there]
    equal = bool((weights == weights[0]).all())
    return positive, scores, None if equal else weights, owners
