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
from typing import NamedTuple

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


class RowResampling(NamedTuple):
    """Rows in descending order of their scores, and how they are drawn."""

    #: Weights of label 0 and of label 1, each 0 at the rows of the other.
    masses: tuple[Floats, Floats]
    #: Index of the last row of each score.
    ends: Ints
    #: Code of each row's owner; the rows themselves, if no groups are given.
    owners: Ints
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
        label, ordered = positive[order].astype(int), score[order]
        weights = np.ones(score.size) if weights is None else weights[order]
        owners = np.arange(score.size) if groups is None else groups[order]
        n_owners = int(owners.max()) + 1
        # Kinds of owners: 1 has negative rows alone, 2 positive rows alone, 3 both.
        negative, positive = (
            np.bincount(owners[label == k], minlength=n_owners) > 0 for k in (0, 1)
        )
        kind = negative + 2 * positive
        return cls(
            masses=(np.where(label == 0, weights, 0.0), np.where(label == 1, weights, 0.0)),
            ends=np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)),
            owners=owners,
            kinds=tuple(np.flatnonzero(kind == each) for each in (1, 2, 3) if (kind == each).any()),
            fpr=fpr,
        )

    @property
    def observed(self) -> Floats:
        """True positive rates of the data at the false positive rates."""
        return self.curve(np.ones(self.owners.size))

    def draw(self, size: int, rng: np.random.Generator) -> Floats:
        """True positive rates of `size` replicates, a row each."""
        return np.stack([self.curve(self._times(rng)) for _ in range(size)])

    def redrawn(self, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Weights of label 0 and of label 1 down to each score, in one replicate."""
        return self.weights_down(self._times(rng))

    def _times(self, rng: np.random.Generator) -> Floats:
        """How often a replicate has drawn each row."""
        times = np.zeros(sum(kind.size for kind in self.kinds))
        for kind in self.kinds:
            drawn = rng.integers(kind.size, size=kind.size)
            times[kind] = np.bincount(drawn, minlength=kind.size)
        return times[self.owners]

    def weights_down(self, times: Floats) -> tuple[Floats, Floats]:
        """Weights of label 0 and of label 1 down to each score, starting at 0."""
        fp, tp = (
            np.concatenate([[0.0], np.cumsum(mass * times)[self.ends]]) for mass in self.masses
        )
        return fp, tp

    def curve(self, times: Floats) -> Floats:
        """Height of the polygon with each row counted `times` times; at a vertical edge its top."""
        fp, tp = self.weights_down(times)
        # A rate that differs from a vertex by rounding is taken for the vertex.
        wanted = self.fpr * fp[-1]
        at = np.searchsorted(fp, wanted + 1e-12 * fp[-1], side="right") - 1
        after = np.minimum(at + 1, fp.size - 1)
        width = fp[after] - fp[at]
        share = np.divide(wanted - fp[at], width, out=np.zeros_like(wanted), where=width > 0)
        rates = (tp[at] + np.clip(share, 0.0, 1.0) * (tp[after] - tp[at])) / tp[-1]
        return np.where(self.fpr >= 1, 1.0, rates)
