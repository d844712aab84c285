"""Draws bootstrap replicates of the ROC curve in two ways, and reports the progress.

A replicate draws from the negatives and from the positives, each with replacement. Its curve at m
false positive rates depends on m order statistics of the drawn negatives, and on the numbers of
drawn points between them. `GridResampling` draws these directly from their exact distribution:
order statistics of uniforms are partial sums of gamma variables (Devroye 1986, Non-Uniform Random
Variate Generation, V.3), and the numbers between them are binomial. So a replicate costs m
variables, whatever the number of test points.

If rows have weights, or belong to people who are drawn with all their rows, `RowResampling` draws
how often each row occurs, and sums weights along the sorted scores. Within a label, rows are drawn
with equal probability, and keep their weights. There are three kinds of people: those with negative
rows only, with positive rows only, and with both. People are drawn within their kind, so that no
replicate lacks a label.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.evaluation.sorted_sample import sorted_places

from .two_samples import Places, TwoSamples

#: If a user asks for fewer bootstrap replicates than this, they are refused, because too few of
#: them would lie beyond the limits.
FEWEST_RESAMPLES = 100

#: At most this many rows are counted at once: the rows of a replicate times the replicates of a
#: block. So many fit into a core's cache.
BLOCK = 1 << 16

#: If True, progress is shown by tqdm's bar, and if False not at all. A callable gets the number of
#: finished replicates and the total.
Progress = bool | Callable[[int, int], object]


@contextmanager
def reporting(progress: Progress, total: int, title: str) -> Iterator[Callable[[int], object]]:
    """Yields a function that reports progress. It is called with the number of finished replicates.

    If `progress` is a callable, it gets this number and `total`. If it is True, a progress bar
    shows the number.
    """
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
    """Draws replicates of points that have equal weight.

    Negatives are numbered from the largest score down. A level consists of all negatives with the
    same score.
    """

    #: The true positive rates of the data at the false positive rates of the grid.
    observed: Floats
    n0: int
    n1: int
    places: Places
    #: For a rate of the grid, a replicate needs only one of its drawn negatives: the one at a
    #: certain rank by descending score, from 1. These are the ranks for all rates, ascending and
    #: without repeats.
    ranks: Ints
    #: The index in `ranks` that each rate of the grid uses.
    column: Ints
    #: Whether a positive ties with a negative. If none does, `start`, `stop` and `at` are empty.
    tied: bool
    #: For each negative, the index of the first negative with the same score. `stop` is the index
    #: after the last one.
    start: Ints
    stop: Ints
    #: For each negative, the number of positives with a larger score. `at` is the number with the
    #: same score.
    above: Ints
    at: Ints

    @classmethod
    def of(cls, samples: TwoSamples, fpr: Floats) -> GridResampling:
        """Counts the positives above each negative, once for all replicates. `fpr` is the grid."""
        negatives, positives = samples
        places = Places.of(fpr, negatives.size)
        needed, column = np.unique(places.above, return_inverse=True)
        # The negatives' scores are looked up in ascending order, and the result is reversed. This
        # takes half the time of a lookup in descending order.
        below = sorted_places(positives.values, negatives.values, "left")
        tied = bool((positives.values.take(below, mode="clip") == negatives.values).any())
        if tied:
            start, equal = (each[::-1] for each in negatives.above_and_at(negatives.values))
            above, at = (each[::-1] for each in positives.above_and_at(negatives.values))
        else:
            above = np.subtract(positives.size, below, out=below)[::-1]
            start = equal = at = np.empty(0, dtype=np.intp)
        return cls(
            observed=samples.tpr_at(fpr),
            n0=negatives.size,
            n1=positives.size,
            places=places,
            ranks=needed + 1,
            column=column,
            tied=tied,
            start=start,
            stop=start + equal,
            above=above,
            at=at,
        )

    def draw(self, size: int, rng: np.random.Generator) -> Floats:
        """Draws `size` replicates. Returns their true positive rates (size, m) at the grid."""
        gaps = np.diff(self.ranks, prepend=0, append=self.n0 + 1)
        sums = rng.standard_gamma(gaps, size=(size, gaps.size)).cumsum(axis=1)
        uniforms = sums[:, :-1] / sums[:, -1:]
        # `drawn[i, j]` is the index of the negative that replicate i draws for the rank `ranks[j]`.
        drawn = np.minimum((uniforms * self.n0).astype(np.intp), self.n0 - 1)
        if not self.tied:
            tp = _counts_up_to(self.above[drawn], self.n1, rng)
            curve = tp[:, self.column] / self.n1
        else:
            curve = self._tied(drawn, uniforms, rng)
        curve[:, self.places.end] = 1.0
        return curve

    def _tied(self, drawn: Ints, uniforms: Floats, rng: np.random.Generator) -> Floats:
        """Returns true positive rates if positives and negatives may have equal scores.

        A curve then has slanted edges. `drawn` has the index of the negative that is drawn for each
        rank, and `uniforms` the random number in [0, 1) that it was computed from.
        """
        size, j = drawn.shape
        start, above, at = self.start[drawn], self.above[drawn], self.at[drawn]
        fresh = np.ones((size, j), dtype=bool)
        fresh[:, 1:] = start[:, 1:] != start[:, :-1]
        first = _latest(fresh)
        # A level is all negatives with the same score. `ends` has, for each rank, the number of
        # positives above its level, and the number above or in it. Ranks in the same level use the
        # numbers of the first of them.
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
        """Returns for each rank the number of drawn negatives above its level, and in its level.

        Between two ranks, the other drawn negatives are uniform. A binomial number of them is in
        the level of the first rank. Of the rest, a binomial number is in the level of the second
        rank.
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
    """Returns for each row the index of the last True column so far, at each column.

    The first column must be True.
    """
    columns = np.where(marks, np.arange(marks.shape[1]), 0)
    return np.maximum.accumulate(columns, axis=1)


def _share(part: Floats, whole: Floats) -> Floats:
    """``part / whole``, clipped to [0, 1]. If `whole` is 0, it is 0."""
    ratio = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
    return np.clip(ratio, 0.0, 1.0)


def _counts_up_to(ends: Ints, n: int, rng: np.random.Generator) -> Ints:
    """Draws n times from n points, and returns how many draws are among the first ``ends`` points.

    Each row of `ends` belongs to one replicate, and ascends.
    """
    counts = np.empty(ends.shape, dtype=np.int64)
    before, seen = np.zeros(len(ends), dtype=np.intp), np.zeros(len(ends), dtype=np.int64)
    for column in range(ends.shape[1]):
        upto = ends[:, column]
        # If no points are left, no draws are left either, so dividing by 1 changes nothing.
        seen = seen + rng.binomial(n - seen, (upto - before) / np.maximum(n - before, 1))
        counts[:, column], before = seen, upto
    return counts


def _sums(values: Any) -> Any:
    """For each row, the sums of its first 0, 1, 2, ... values."""
    sums = np.zeros((len(values), values.shape[1] + 1), dtype=values.dtype)
    np.cumsum(values, axis=1, dtype=values.dtype, out=sums[:, 1:])
    return sums


class RowResampling(NamedTuple):
    """Draws replicates of rows that have weights, or belong to people.

    The rows of each label are sorted by descending score. A level consists of all rows with the
    same score.
    """

    #: The owners (people or groups) of the rows of label 0 and of label 1. Without groups, each row
    #: is an owner.
    owners: tuple[Ints, Ints]
    #: The weights of the rows of label 0 and of label 1. None if all are 1, so that sums are
    #: integers.
    weights: tuple[Floats, Floats] | None
    #: A level consists of all rows with the same score. For each level, from the highest score
    #: down: the number of rows of each label above it. The last entry counts all rows.
    above: tuple[Ints, Ints]
    #: The level of each row of label 0. The last entry is the number of levels.
    level: Ints
    #: The codes of the owners of each kind: only negative rows, only positive rows, or both. Kinds
    #: without owners are left out.
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
        """Sorts the rows. `fpr` is the grid, and `groups` has the code of each row's person."""
        order = np.argsort(-score, kind="stable")
        label, ordered = positive[order], score[order]
        owners = np.arange(score.size) if groups is None else groups[order]
        n_owners = int(owners.max()) + 1
        of_zero, of_one = (np.flatnonzero(label == k) for k in (False, True))
        # The kinds of owners: 1 has only negative rows, 2 only positive rows, 3 both.
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
        """True positive rates of the data at the false positive rates of the grid."""
        return self.curve(np.ones(sum(kind.size for kind in self.kinds)))

    def draw(self, size: int, rng: np.random.Generator) -> Floats:
        """True positive rates (size, m) of `size` replicates at the grid."""
        step = max(1, BLOCK // sum(owners.size for owners in self.owners))
        blocks = (range(done, min(done + step, size)) for done in range(0, size, step))
        return np.concatenate(
            [self.curves(np.stack([self._times(rng) for _ in b])) for b in blocks]
        )

    def _times(self, rng: np.random.Generator) -> Ints:
        """Draws how often one replicate contains each owner."""
        times = np.zeros(sum(kind.size for kind in self.kinds), dtype=np.int64)
        for kind in self.kinds:
            drawn = rng.integers(kind.size, size=kind.size)
            times[kind] = np.bincount(drawn, minlength=kind.size)
        # Integers of 32 bits need half of the memory. They are used if no sum can overflow.
        most = int(times.max()) * sum(owners.size for owners in self.owners)
        return times.astype(np.int32) if most < np.iinfo(np.int32).max else times

    def curve(self, times: Floats | Ints) -> Floats:
        """Returns the true positive rates at the grid if each owner occurs `times` times."""
        curve: Floats = self.curves(times[None])[0]
        return curve

    def curves(self, times: Floats | Ints) -> Floats:
        """`curve` for each row of `times` (replicates, owners)."""
        rows = [times.take(owners, axis=1) for owners in self.owners]
        if self.weights is not None:
            rows = [mass * counts for mass, counts in zip(self.weights, rows, strict=True)]
        return self.rates(rows)

    def rates(self, rows: Sequence[Floats | Ints]) -> Floats:
        """Returns the true positive rates at the grid, for each replicate.

        `rows` has for label 0 and for label 1 the weights (replicates, rows) of the rows. The rates
        are heights of the polygon through the curve's vertices. If the polygon is vertical at a
        rate, the upper end is returned.
        """
        fp, tp = map(_sums, rows)
        # If a rate of the grid and that of a vertex differ only by rounding, they count as equal.
        wanted = self.fpr * fp[:, -1:]
        reached = (wanted + 1e-12 * fp[:, -1:]).astype(fp.dtype)
        passed = np.empty(reached.shape, dtype=np.intp)
        for each, sums, keys in zip(passed, fp, reached, strict=True):
            each[:] = sums.searchsorted(keys, "right") - 1
        # `at` is the level that contains the first negative beyond the wanted rate. The curve is a
        # straight line across this level, on which the true positive rate is read.
        at = self.level[passed]
        after = np.minimum(at + 1, self.level[-1])
        left, right = (np.take_along_axis(fp, self.above[0][each], 1) for each in (at, after))
        low, high = (np.take_along_axis(tp, self.above[1][each], 1) for each in (at, after))
        width = right - left
        share = np.divide(wanted - left, width, out=np.zeros_like(wanted), where=width > 0)
        rates = (low + np.clip(share, 0.0, 1.0) * (high - low)) / tp[:, -1:]
        return np.where(self.fpr >= 1, 1.0, rates)
