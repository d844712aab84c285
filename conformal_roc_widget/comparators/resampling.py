"""Two laws by which the bootstrap draws its replicates, their number and their progress.

A replicate resamples the negatives and the positives, each with replacement. Its curve at m false
positive rates depends on m order statistics of the resampled negatives and on how many
resampled points fall between them. `GridResampling` draws those directly, from their exact law:
order statistics of uniforms are partial sums of gamma variables (Devroye 1986, Non-Uniform Random
Variate Generation, V.3), counts between them are binomial. The cost of a replicate is thus that of
m variables, however many test points there are.

Where rows have weights, or belong to people who are drawn whole, each replicate of `RowResampling`
is a sum of weights down the sorted scores. Rows are drawn alike within their label and carry their
weights. People are drawn within their kind (negative rows alone, positive rows alone, both), so
that no replicate lacks a label.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, Ints

from .two_samples import Places, TwoSamples

#: Fewer bootstrap replicates are refused: their tails would be too thin.
FEWEST_RESAMPLES = 100

#: How progress is shown: True is a tqdm bar, False nothing; a callable gets the replicates done and
#: their total.
Progress = bool | Callable[[int, int], object]


@contextmanager
def reporting(progress: Progress, total: int, title: str) -> Iterator[Callable[[int], object]]:
    """Yields a function that reports the replicates done, to a bar or the user's callable."""
    if callable(progress):
        report = progress
        yield lambda done: report(done, total)
        return
    if not isinstance(progress, bool):
        raise TypeError(
            f"progress: found {progress!r}, expected True, False or a callable of the replicates "
            "done and their total"
        )
    from tqdm.auto import tqdm

    with tqdm(total=total, desc=title, unit="replicate", disable=not progress) as bar:
        yield lambda done: bar.update(done - bar.n)


class GridResampling(NamedTuple):
    """Points of equal weight, negatives numbered from the largest score down.

    A level is all negatives with one score.
    """

    #: True positive rates of the data at the grid.
    observed: Floats
    n0: int
    n1: int
    places: Places
    #: Ranks (from 1, ascending) of the resampled negatives at which the grid needs the curve.
    ranks: Ints
    #: Index in `ranks`, for each rate of the grid, of the rank that it needs.
    column: Ints
    #: First negative of each negative's level; `stop` is the first beyond it.
    start: Ints
    stop: Ints
    #: How many positives have a greater score than each negative; `at` counts those with the same.
    above: Ints
    at: Ints
    #: Whether any positive has the score of a negative.
    tied: bool

    @classmethod
    def of(cls, samples: TwoSamples, fpr: Floats) -> GridResampling:
        """Counts the positives above each negative once, for all replicates."""
        negatives, positives = samples
        places = Places.of(fpr, negatives.size)
        needed, column = np.unique(places.above, return_inverse=True)
        descending = negatives.values[::-1]
        start, equal = negatives.above_and_at(descending)
        above, at = positives.above_and_at(descending)
        return cls(
            observed=samples.tpr_at(fpr),
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
        # Index among all negatives of the one that a replicate drew at each rank.
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
        # Counts of resampled positives above each level, and above or in it. If several ranks
        # are in one level, all take the counts of the first rank.
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
    """Index, row by row, of the last True column up to each column; the first column is True."""
    columns = np.where(marks, np.arange(marks.shape[1]), 0)
    return np.maximum.accumulate(columns, axis=1)


def _share(part: Floats, whole: Floats) -> Floats:
    """The ratio, cut to [0, 1]; 0 if the whole is 0."""
    ratio = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
    return np.clip(ratio, 0.0, 1.0)


def _counts_up_to(ends: Ints, n: int, rng: np.random.Generator) -> Ints:
    """How many of n draws with replacement from n points are among the first ``ends``."""
    counts = np.empty(ends.shape, dtype=np.int64)
    before, seen = np.zeros(len(ends), dtype=np.intp), np.zeros(len(ends), dtype=np.int64)
    for column in range(ends.shape[1]):
        upto = ends[:, column]
        # If no points are left, no draws are left either.
        seen = seen + rng.binomial(n - seen, (upto - before) / np.maximum(n - before, 1))
        counts[:, column], before = seen, upto
    return counts


def _sums(values: Any) -> Any:
    """Sum of the first values, of none to all."""
    sums = np.zeros(values.size + 1, dtype=values.dtype)
    np.cumsum(values, out=sums[1:])
    return sums


class RowResampling(NamedTuple):
    """Rows of each label in descending order of their scores, and how they are drawn.

    A level is all rows with one score.
    """

    #: Owners of the rows of label 0 and of label 1; the rows themselves, if no groups are given.
    owners: tuple[Ints, Ints]
    #: Weights of these rows; None if all are 1, so that sums are whole numbers.
    weights: tuple[Floats, Floats] | None
    #: How many of these rows are above each level, and above the end of the last one.
    above: tuple[Ints, Ints]
    #: Level of each row of label 0, and for the end their number.
    level: Ints
    #: Owners of each kind: with negative rows only, with positive rows only, with both.
    kinds: tuple[Ints, ...]
    fpr: Floats

    @classmethod
    def of(
        cls,
        positive: NDArray[np.bool_],
        score: Floats,
        fpr: Floats,
        weights: Floats | None = None,
        groups: Ints | None = None,
    ) -> RowResampling:
        """Sorts the rows; groups are codes."""
        order = np.argsort(-score, kind="stable")
        label, ordered = positive[order], score[order]
        owners = np.arange(score.size) if groups is None else groups[order]
        n_owners = int(owners.max()) + 1
        of_zero, of_one = (np.flatnonzero(label == k) for k in (False, True))
        # Kinds of owners: 1 has only negative rows, 2 only positive rows, 3 both.
        has_zero, has_one = (
            np.bincount(owners[rows], minlength=n_owners) > 0 for rows in (of_zero, of_one)
        )
        kind = has_zero + 2 * has_one
        first = np.append(True, ordered[1:] != ordered[:-1])
        starts, level = np.flatnonzero(np.append(first, True)), np.cumsum(first) - 1
        return cls(
            owners=(owners[of_zero], owners[of_one]),
            weights=None if weights is None else (weights[order][of_zero], weights[order][of_one]),
            above=(np.searchsorted(of_zero, starts), np.searchsorted(of_one, starts)),
            level=np.append(level[of_zero], level[-1] + 1),
            kinds=tuple(np.flatnonzero(kind == each) for each in (1, 2, 3) if (kind == each).any()),
            fpr=fpr,
        )

    @property
    def observed(self) -> Floats:
        """True positive rates of the data at the false positive rates."""
        return self.curve(np.ones(sum(kind.size for kind in self.kinds)))

    def draw(self, size: int, rng: np.random.Generator) -> Floats:
        """True positive rates of `size` replicates, a row each."""
        return np.stack([self.curve(self._times(rng)) for _ in range(size)])

    def _times(self, rng: np.random.Generator) -> Ints:
        """How often a replicate has drawn each owner."""
        times = np.zeros(sum(kind.size for kind in self.kinds), dtype=np.int64)
        for kind in self.kinds:
            drawn = rng.integers(kind.size, size=kind.size)
            times[kind] = np.bincount(drawn, minlength=kind.size)
        return times

    def curve(self, times: Floats | Ints) -> Floats:
        """Height of the polygon if each owner counts `times` times; at a vertical edge its top."""
        rows = [times[owners] for owners in self.owners]
        if self.weights is not None:
            rows = [mass * counts for mass, counts in zip(self.weights, rows, strict=True)]
        fp, tp = map(_sums, rows)
        # A rate that differs from a vertex by rounding is taken for the vertex.
        wanted = self.fpr * fp[-1]
        reached = (wanted + 1e-12 * fp[-1]).astype(fp.dtype)
        passed = np.searchsorted(fp, reached, side="right") - 1
        # The first row beyond the rate is in the level whose edge is read.
        at = self.level[passed]
        after = np.minimum(at + 1, self.level[-1])
        left, right = (fp[self.above[0][each]] for each in (at, after))
        low, high = (tp[self.above[1][each]] for each in (at, after))
        width = right - left
        share = np.divide(wanted - left, width, out=np.zeros_like(wanted), where=width > 0)
        rates = (low + np.clip(share, 0.0, 1.0) * (high - low)) / tp[-1]
        return np.where(self.fpr >= 1, 1.0, rates)
