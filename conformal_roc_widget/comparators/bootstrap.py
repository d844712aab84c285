"""Stratified bootstrap of the ROC curve, drawn at the grid alone.

A replicate resamples the negatives and the positives, each with replacement. Its curve at m false
positive rates depends on m order statistics of the resampled negatives and on how many
resampled points fall between them. Those are drawn directly, from their exact law: order statistics
of uniforms are partial sums of gamma variables (Devroye 1986, Non-Uniform Random Variate
Generation, V.3), counts between them are binomial. The cost of a replicate is thus that of m
variables, however many test points there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from conformal_roc_widget.arrays import (
    Floats,
    Ints,
    codes_of,
    groups_of,
    labels_of,
    numbers_of,
    row_weights_of,
    same_length,
    two_classes_of,
)
from conformal_roc_widget.checks import generator, whole_number
from conformal_roc_widget.comparators.cautions import (
    few_groups,
    separated_labels,
    small_labels,
    stretches,
    ties,
)
from conformal_roc_widget.comparators.comparator_band import (
    POINTWISE,
    BandFamily,
    ComparatorBand,
    band_of,
    sampling,
)
from conformal_roc_widget.comparators.resampling import (
    FEWEST_RESAMPLES,
    Progress,
    RowResampling,
    reporting,
)
from conformal_roc_widget.comparators.two_samples import (
    Places,
    TwoSamples,
    grid_of,
    two_samples,
)

#: Rates that are held at a time: replicates in a block times false positive rates.
BLOCK = 1 << 17
#: If fewer replicates than this lie beyond a limit, a note calls it rough.
TAIL = 10


@dataclass(frozen=True, eq=False)
class BootstrapReplicates(BandFamily):
    """Bootstrap replicates of a ROC curve, sorted at each false positive rate.

    A new alpha costs a look-up. `bootstrap_replicates` returns it.

    Attributes
    ----------
    fpr : ndarray of shape (m,)
        False positive rates, ascending.
    tpr : ndarray of shape (m,)
        Observed true positive rates.
    ordered : ndarray of shape (m, resamples)
        True positive rates of the replicates, ascending at each false positive rate.
    notes : tuple of str
        Reasons to trust the method less, at any alpha.
    """

    fpr: Floats
    tpr: Floats
    ordered: Floats
    notes: tuple[str, ...] = ()

    method = "stratified bootstrap, percentiles"
    promise = sampling(POINTWISE, "{confidence} in large samples; none for a finite one")

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
        """Rates where all replicates agree; at 1 every curve does."""
        flat = (upper == lower) & (self.fpr < 1)
        if not flat.any():
            return []
        sentence = (
            f"The band has no width at false positive rates {stretches(self.fpr, flat)}: there the "
            "replicates agree, because these points cannot show what another sample would. That "
            "is no certainty."
        )
        return [sentence]


def bootstrap_replicates(
    y: ArrayLike,
    score: ArrayLike,
    *,
    fpr: ArrayLike | None = None,
    resamples: int = 2000,
    random_state: int | np.random.Generator | None = None,
    progress: Progress = False,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> BootstrapReplicates:
    """Resample each label with replacement and average vertically.

    The curve of a replicate is the polygon through its vertices, as drawn through those of
    ``sklearn.metrics.roc_curve``. At a false positive rate that a vertical edge has, the top of the
    edge counts; between vertices the polygon is linear, which differs from a step only where a
    positive and a negative have the same score. That is how pROC reads ``ci.se``.

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

    Returns
    -------
    BootstrapReplicates
        The replicates.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    y, score, weights, owners = _rows(y, score, sample_weight, groups)
    samples = two_samples(y, score)
    grid = grid_of(fpr)
    total = whole_number(resamples, "resamples", FEWEST_RESAMPLES)
    rng = generator(random_state)
    law: _Resampling | RowResampling
    if weights is None and owners is None:
        law, observed = _Resampling.of(samples, grid), samples.tpr_at(grid)
    else:
        positive = codes_of(y, two_classes_of(y, "y"), "y")
        law = RowResampling.of(positive, score, grid, weights, owners)
        observed = law.observed
    replicates = np.empty((grid.size, total))
    size = max(1, BLOCK // grid.size)
    done = 0
    with reporting(progress, total, "bootstrap") as report:
        while done < total:
            upto = min(done + size, total)
            replicates[:, done:upto] = law.draw(upto - done, rng).T
            done = upto
            report(done)
    replicates.sort(axis=1)
    notes = (
        *small_labels(samples),
        *few_groups(owners),
        *separated_labels(samples),
        *ties(samples, "between two such scores the curve is a straight line."),
    )
    return BootstrapReplicates(grid, observed, replicates, notes)


def _rows(
    y: ArrayLike, score: ArrayLike, sample_weight: ArrayLike | None, groups: ArrayLike | None
) -> tuple[NDArray[Any], Floats, Floats | None, Ints | None]:
    """Labels and scores of rows of positive weight, their weights if these differ, their groups."""
    labels, scores = labels_of(y, "y"), numbers_of(score, "score", ndim=1)
    same_length(y=labels, score=scores)
    owners = None if groups is None else groups_of(groups, "groups", labels.size)
    if sample_weight is None:
        return labels, scores, None, owners
    weights = row_weights_of(sample_weight, "sample_weight", labels.size)
    classes = two_classes_of(labels, "y")
    there = weights > 0
    codes_of(labels[there], classes, "y where sample_weight is above 0")
    labels, scores, weights = labels[there], scores[there], weights[there]
    if owners is not None:
        owners = np.unique(owners[there], return_inverse=True)[1]
    equal = bool((weights == weights[0]).all())
    return labels, scores, None if equal else weights, owners


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
) -> ComparatorBand:
    """Pointwise band for the population ROC curve from the stratified percentile bootstrap.

    Parameters
    ----------
    y, score : array_like of shape (n,)
        Labels and scores; see `bootstrap_replicates`, which also states how a curve is read.
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
    sample_weight, groups : array_like of shape (n,), optional
        Weights of the rows, and whom they belong to; see `bootstrap_replicates`.
    pos_label : label, optional
        The positive label; by default the second of two in sorted order.

    Returns
    -------
    ComparatorBand
        Limits at each false positive rate.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    return band_of(
        *(bootstrap_replicates, y, score, alpha, pos_label),
        fpr=fpr,
        resamples=resamples,
        random_state=random_state,
        progress=progress,
        sample_weight=sample_weight,
        groups=groups,
    )


@dataclass(frozen=True)
class _Resampling:
    """Law of the replicates' true positive rates at a grid.

    Negatives are numbered from the largest score down. A level is all negatives with one score.
    """

    n0: int
    n1: int
    places: Places
    #: Ranks (from 1, ascending) of the negatives that the grid needs; for each rate which of these.
    ranks: Ints
    column: Ints
    #: By negative: the first negative of its level, and the first beyond it.
    start: Ints
    stop: Ints
    #: By negative: positives with a greater score, and with the same score.
    above: Ints
    at: Ints
    #: Whether any positive has the score of a negative.
    tied: bool

    @classmethod
    def of(cls, samples: TwoSamples, fpr: Floats) -> _Resampling:
        """Counts the positives above each negative once, for all replicates."""
        negatives, positives = samples
        places = Places.of(fpr, negatives.size)
        needed, column = np.unique(places.above, return_inverse=True)
        descending = negatives.values[::-1]
        start, equal = negatives.above_and_at(descending)
        above, at = positives.above_and_at(descending)
        return cls(
            n0=negatives.size,
            n1=positives.size,
            places=places,
            ranks=needed + 1,
            column=column,
            start=start,
            stop=start + equal,
            above=above,
            at=at,
            tied=bool(at.any()),
        )

    def draw(self, size: int, rng: np.random.Generator) -> Floats:
        """True positive rates of `size` replicates, a row each."""
        gaps = np.diff(self.ranks, prepend=0, append=self.n0 + 1)
        sums = rng.standard_gamma(gaps, size=(size, gaps.size)).cumsum(axis=1)
        uniforms = sums[:, :-1] / sums[:, -1:]
        # At each rank, the place among all negatives of the one that a replicate drew.
        drawn = np.minimum((uniforms * self.n0).astype(np.intp), self.n0 - 1)
        if not self.tied:
            tp = _counts_up_to(self.above[drawn], self.n1, rng)
            curve = tp[:, self.column] / self.n1
        else:
            curve = self._tied(drawn, uniforms, rng)
        curve[:, self.places.end] = 1.0
        return curve

    def _tied(self, drawn: Ints, uniforms: Floats, rng: np.random.Generator) -> Floats:
        """True positive rates where a level may hold positives: slanted edges of the polygon."""
        size, j = drawn.shape
        start, above, at = self.start[drawn], self.above[drawn], self.at[drawn]
        fresh = np.ones((size, j), dtype=bool)
        fresh[:, 1:] = start[:, 1:] != start[:, :-1]
        first = _latest(fresh)
        # Counts of resampled positives above each level, and down to its end. Ranks in one level
        # take the counts of the first of them.
        ends = np.stack([above, above + at], axis=2).reshape(size, 2 * j)
        np.maximum.accumulate(ends, axis=1, out=ends)
        counts = _counts_up_to(ends, self.n1, rng).reshape(size, j, 2)
        tp = np.take_along_axis(counts[:, :, 0], first, axis=1)
        tp_level = np.take_along_axis(counts[:, :, 1], first, axis=1) - tp
        fp, fp_level = self._negatives(drawn, uniforms, fresh, first, rng)
        share = (self.places.exact - fp[:, self.column]) / fp_level[:, self.column]
        return (tp[:, self.column] + share * tp_level[:, self.column]) / self.n1

    def _negatives(
        self,
        drawn: Ints,
        uniforms: Floats,
        fresh: NDArray[np.bool_],
        first: Ints,
        rng: np.random.Generator,
    ) -> tuple[Ints, Ints]:
        """Resampled negatives above the level of each rank, and in it.

        Between two drawn ranks the other resampled negatives are uniform. A binomial number of them
        is in the level of the first rank, and of the rest another one in that of the second.
        """
        size, j = drawn.shape
        begin, end = self.start[drawn] / self.n0, self.stop[drawn] / self.n0
        unseen = np.diff(self.ranks, prepend=0, append=self.n0 + 1) - 1
        left = np.concatenate([np.zeros((size, 1)), uniforms], axis=1)
        right = np.concatenate([uniforms, np.ones((size, 1))], axis=1)
        reached = np.concatenate([begin, np.ones((size, 1))], axis=1)
        leaves = np.concatenate([np.zeros((size, 1)), end], axis=1)
        passes = np.concatenate([fresh, np.ones((size, 1), dtype=bool)], axis=1)
        still = np.where(passes, rng.binomial(unseen, _share(leaves - left, right - left)), 0)
        rest = np.where(passes, unseen - still, 0)
        already = rng.binomial(rest, _share(right - reached, right - leaves))
        fp = np.take_along_axis(self.ranks - 1 - already[:, :-1], first, axis=1)
        last = j - 1 - _latest(passes[:, 1:][:, ::-1])[:, ::-1]
        return fp, np.take_along_axis(self.ranks + still[:, 1:], last, axis=1) - fp


def _latest(marks: NDArray[np.bool_]) -> Ints:
    """In each row, for each column the last marked one up to it; the first column is marked."""
    columns = np.where(marks, np.arange(marks.shape[1]), 0)
    return np.maximum.accumulate(columns, axis=1)


def _share(part: Floats, whole: Floats) -> Floats:
    """Ratio within [0, 1]; 0 where the whole is 0."""
    ratio = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
    return np.clip(ratio, 0.0, 1.0)


def _counts_up_to(ends: Ints, n: int, rng: np.random.Generator) -> Ints:
    """Of n draws with replacement from n points, the number among the first ``ends``."""
    counts = np.empty(ends.shape, dtype=np.int64)
    before, seen = np.zeros(len(ends), dtype=np.intp), np.zeros(len(ends), dtype=np.int64)
    for column in range(ends.shape[1]):
        upto = ends[:, column]
        # No points are left only where no draws are left either.
        seen = seen + rng.binomial(n - seen, (upto - before) / np.maximum(n - before, 1))
        counts[:, column], before = seen, upto
    return counts
