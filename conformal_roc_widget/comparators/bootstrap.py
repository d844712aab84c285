"""Makes a pointwise band by the stratified bootstrap at given false positive rates."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import (
    Floats,
    Ints,
    WeighedRows,
    any_scores_of,
    read_only,
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

#: The largest number of rates in memory at once: replicates of a block times false positive rates.
BLOCK = 1 << 17
#: If fewer replicates than this are beyond a limit, a note calls the limit rough.
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
    replicate is the polygon through the vertices of ``sklearn.metrics.roc_curve``. If the curve is
    vertical at a false positive rate, the upper end is used. Between vertices the polygon is
    straight. The polygon differs from a step curve only if a positive and a negative have equal
    scores. pROC's ``ci.se`` reads curves in the same way.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes. The second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class. They need not be probabilities.
    alpha : float
        Significance level in (0, 1).
    fpr : array_like of shape (m,), optional
        False positive rates. By default ``linspace(0, 1, 101)``.
    resamples : int
        Number of replicates, at least 100.
    random_state : int, numpy.random.Generator or None
        Source of randomness.
    progress : bool or callable
        True shows a progress bar. A callable gets the replicates done and their total.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows. Rows are drawn with equal probability, and keep their weights. A row of
        weight 0 counts as absent. Equal weights change nothing.
    groups : array_like of shape (n,), optional
        The person of each row. People are drawn, each with all their rows.
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.
    horizon : float, optional
        The time by which an event must happen to count as positive. `y` must then have times (a
        structured array or a frame, as `ConformalROC` takes it). Rows are drawn from the whole
        table, including those that were lost to follow-up, and the probability of being followed is
        estimated anew in each replicate. Cannot be combined with `sample_weight`, `groups` and
        `pos_label`.

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

    Limits at another alpha need no new replicates.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes. The second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class. They need not be probabilities.
    fpr : array_like of shape (m,), optional
        False positive rates. By default ``linspace(0, 1, 101)``.
    resamples : int
        Number of replicates, at least 100.
    random_state : int, numpy.random.Generator or None
        Source of randomness.
    progress : bool or callable
        True shows a progress bar. A callable gets the replicates done and their total.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows. Rows are drawn with equal probability, and keep their weights. A row of
        weight 0 counts as absent. Equal weights change nothing.
    groups : array_like of shape (n,), optional
        The person of each row. People are drawn, each with all their rows.
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.
    horizon : float, optional
        The time by which an event must happen to count as positive. `y` must then have times (a
        structured array or a frame, as `ConformalROC` takes it). Rows are drawn from the whole
        table, including those that were lost to follow-up, and the probability of being followed is
        estimated anew in each replicate. Cannot be combined with `sample_weight`, `groups` and
        `pos_label`.

    Attributes
    ----------
    fpr : ndarray of shape (m,)
        False positive rates, ascending.
    tpr : ndarray of shape (m,)
        Observed true positive rates at `fpr`.
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
        law: GridResampling | RowResampling | FollowedResampling
        if horizon is not None:
            refuse_with_time(
                {"sample_weight": sample_weight, "groups": groups, "pos_label": pos_label}
            )
            law, samples = law_of_people(y, score, horizon, grid)
            self.method = "bootstrap of people, percentiles"
            self.promise = sampling_by(f"{law.horizon:g}")
        else:
            _, codes, score, weights, owners = WeighedRows.of(
                ("y", "score"), y, score, sample_weight, groups, pos_label=pos_label
            )
            positive = codes == 1
            samples = TwoSamples.of(score[~positive], score[positive])
            if weights is not None and (weights == weights[0]).all():
                weights = None
            if owners is not None:
                owners = np.unique(owners, return_inverse=True)[1]
            if weights is None and owners is None:
                law = GridResampling.of(samples, grid)
            else:
                law = RowResampling.of(positive, score, grid, weights, owners)
        self._draw(law, samples, owners, grid, (resamples, random_state, progress))

    def _draw(
        self,
        law: GridResampling | RowResampling | FollowedResampling,
        samples: TwoSamples,
        owners: Ints | None,
        grid: Floats,
        how: tuple[int, int | np.random.Generator | None, Progress],
    ) -> None:
        """Draws replicates of the rows by the method ``draw`` of `law`.

        `law` depends on whether rows have weights, people or a time. `how` has the number of
        replicates, the source of randomness, and how progress is shown.
        """
        resamples, random_state, progress = how
        total = whole_number(resamples, "resamples", FEWEST_RESAMPLES)
        self.ordered = read_only(_sorted_curves(law, grid.size, total, random_state, progress))
        tied = not isinstance(law, GridResampling) or law.tied
        slanted = "between two such scores the curve is a straight line."
        notes = (
            *small_labels(samples),
            *few_groups(owners),
            *separated_labels(samples),
            *(ties(samples, slanted) if tied else ()),
        )
        super().__init__(grid, law.observed, notes)

    def limits(self, level: float) -> tuple[Floats, Floats, list[str]]:
        """Returns the quantiles ``level / 2`` and ``1 - level / 2`` of the replicates, and notes.

        `level` is alpha.

        The quantiles are interpolated linearly between order statistics (type 7 of Hyndman and Fan
        1996, the default of R and numpy).
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
        """If all replicates agree at a false positive rate below 1, returns a note on that."""
        flat = (upper == lower) & (self.fpr < 1)
        if not flat.any():
            return []
        sentence = (
            f"The band has no width at false positive rates {stretches(self.fpr, flat)}: there the "
            "replicates agree, because these points cannot show what another sample would. That "
            "is no certainty."
        )
        return [sentence]


class SortedReplicates(BootstrapReplicates):
    """`BootstrapReplicates` of scores that are sorted by label already."""

    def __init__(
        self,
        samples: TwoSamples,
        *,
        resamples: int,
        random_state: int | np.random.Generator | None,
        progress: Progress,
    ) -> None:
        grid = grid_of(None)
        law = GridResampling.of(samples, grid)
        self._draw(law, samples, None, grid, (resamples, random_state, progress))


def law_of_people(
    y: Any, score: ArrayLike, horizon: float, grid: Floats
) -> tuple[FollowedResampling, TwoSamples]:
    """Returns how rows with a follow-up are resampled, and the scores of the known rows by label.

    A row is known if its outcome by `horizon` is known. `grid` are the false positive rates.
    """
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
    """Returns true positive rates (rates, total) of `total` replicates, each row sorted.

    `law` draws the replicates in blocks. `rates` is the number of false positive rates.
    """
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
