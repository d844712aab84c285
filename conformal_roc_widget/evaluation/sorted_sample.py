"""Counts sorted numbers above thresholds, and ranks pairs of numbers.

A number may have a count, as if it occurred several times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.logits import TIE

#: If two counts are below this, their product fits into 64 bits.
PRODUCTS = 2**31
#: Ascending numbers are looked up in blocks of this many, because blocks fit into a core's cache.
BLOCK = 2**14


def even_ranks(size: int, most: int) -> Ints:
    """Returns `most` evenly spaced ranks, from 0, among `size` numbers."""
    return ((np.arange(most) + 0.5) * size / most).astype(np.intp)


@dataclass(frozen=True, eq=False)
class SortedSample:
    """Ascending numbers, each with a count.

    `before` has for each value the sum of the counts of all values before it, and at last the
    total. If each value counts once, `before` is None.
    """

    values: Floats
    before: Ints | None = None

    @classmethod
    def of(cls, values: Floats, counts: Ints | None = None) -> SortedSample:
        """Sorts values with their counts. Values that are sorted already are not copied."""
        if not (values[1:] < values[:-1]).any():
            order: Ints | slice = slice(None)
        elif counts is None:
            return cls(np.sort(values))
        else:
            order = np.argsort(values, kind="stable")
        return cls.in_order(values[order], None if counts is None else counts[order])

    @classmethod
    def in_order(cls, values: Floats, counts: Ints | None) -> SortedSample:
        """Makes a sample of `values` without sorting them. `counts` has the count of each."""
        return cls(values, None if counts is None else np.concatenate([[0], np.cumsum(counts)]))

    @property
    def counts(self) -> Ints | None:
        """The count of each value. None if each counts once."""
        return None if self.before is None else np.diff(self.before)

    @property
    def size(self) -> int:
        """The sum of the counts."""
        return self.values.size if self.before is None else int(self.before[-1])

    def up_to(self, places: Ints) -> Ints:
        """Returns the total count of the values before each index."""
        return places if self.before is None else self.before[places]

    def at_least(self, keys: Floats) -> Ints:
        """Returns how many numbers are at least as large as each key."""
        return self.size - self.up_to(np.searchsorted(self.values, keys, side="left"))

    def above(self, keys: Floats) -> Ints:
        """Returns how many numbers are larger than each key."""
        return self.size - self.up_to(np.searchsorted(self.values, keys, side="right"))

    def above_and_at(self, keys: Floats) -> tuple[Ints, Ints]:
        """Returns how many numbers are larger than each key, and how many equal it."""
        left = np.searchsorted(self.values, keys)
        # If no value equals the key, the left and the right insertion index of the key are the
        # same.
        right, tied = left.copy(), np.flatnonzero(self.values.take(left, mode="clip") == keys)
        right[tied] = np.searchsorted(self.values, keys[tied], side="right")
        first, last = self.up_to(left), self.up_to(right)
        return self.size - last, last - first

    def at_most(self, whole: int, ranks: int) -> Floats:
        """Returns all numbers, repeated by their counts, if there are at most `whole`.

        Otherwise returns only the numbers at `ranks` evenly spaced ranks.
        """
        return self.expanded() if self.size <= whole else self.at_even_ranks(ranks)

    def at_even_ranks(self, most: int) -> Floats:
        """Returns the numbers at `most` evenly spaced ranks, or all numbers if there are fewer."""
        if self.size <= most:
            return self.values if self.before is None else self.expanded()
        ranks = even_ranks(self.size, most)
        if self.before is not None:
            ranks = np.searchsorted(self.before, ranks, side="right") - 1
        return self.values[ranks]

    def thinned(self, most: int) -> SortedSample:
        """The sample or, if it has more than `most` values, those at evenly spaced ranks."""
        if self.values.size <= most:
            return self
        if most not in self._thinned:
            self._thinned[most] = SortedSample(self.at_even_ranks(most))
        return self._thinned[most]

    @cached_property
    def _thinned(self) -> dict[int, SortedSample]:
        return {}

    def expanded(self) -> Floats:
        """Returns all values, each repeated by its count."""
        return self.values if self.before is None else self.values.repeat(np.diff(self.before))


@dataclass(frozen=True, eq=False)
class Limits:
    """The lower (or the upper) ends of the intervals of a label's test points, as logits.

    The ends are ``centres + shift``. The two are kept apart, so that counting the ends at a new
    alpha needs no pass over the points.
    """

    centres: SortedSample
    shift: float = 0.0

    def count_above(self, logit_thresholds: Floats) -> Ints:
        """Returns how many ends exceed each logit of a threshold by more than `TIE`."""
        if np.isinf(self.shift):
            return np.where(self.shift > logit_thresholds, self.centres.size, 0)
        return self.centres.above(logit_thresholds + (TIE - self.shift))

    def shifted(self) -> SortedSample:
        """Returns the ends ``centres + shift``. If the shift is infinite, there is one value."""
        if np.isinf(self.shift):
            return SortedSample(np.array([self.shift]), np.array([0, self.centres.size]))
        return SortedSample(self.centres.values + self.shift, self.centres.before)


def thinned(limits: Iterable[Limits], most: int) -> list[Limits]:
    """Reduces each of `limits` to at most `most` values at evenly spaced ranks."""
    return [Limits(each.centres.thinned(most), each.shift) for each in limits]


def counts_above(
    limits: Iterable[tuple[Limits, int]], thresholds: Floats, logits: Floats
) -> list[Ints]:
    """Returns how many of each set of limits are above each threshold.

    `logits` are those of the `thresholds`. With each set comes its number of limits before it was
    reduced to some ranks. If it was reduced, counts are scaled up. If a threshold is below 0, all
    limits are above it, even infinite ones.
    """
    found, below = [], (thresholds < 0) & np.isneginf(logits)
    for each, n in limits:
        size = each.centres.size
        counts = np.where(below, size, each.count_above(logits))
        found.append(counts if size == n else np.rint(counts * (n / size)).astype(np.intp))
    return found


def share_ranked_above(upper: Limits, lower: Limits, tie: float = 0.0) -> float:
    """Returns the share of pairs (one of `upper`, one of `lower`) whose first number is larger.

    This is the Mann-Whitney statistic. Numbers closer than `tie` are equal and count half. `tie` is
    0 for scores and `TIE` for logits.
    """
    high, low = upper.shifted(), lower.shifted()
    above, below = ranked_pairs(high, low, tie)
    pairs = high.size * low.size
    return (pairs + above - below) / (2 * pairs)


def ranked_pairs(high: SortedSample, low: SortedSample, tie: float = 0.0) -> tuple[int, int]:
    """Counts the pairs whose first number is larger by more than `tie`, and those whose second is.

    The first number is one of `high`, the second one of `low`.
    """
    # `below` would look up each value of `high` in `low`. It is faster to look up the shorter list
    # in the longer one.
    if high.values.size > low.values.size:
        below, above = ranked_pairs(low, high, tie)
        return above, below
    left = sorted_places(low.values, high.values - tie, "left")
    # If no value of `low` is within `tie` of a value of `high`, the two insertion indices are the
    # same.
    right, upper = left.copy(), high.values + tie
    tied = np.flatnonzero(low.values.take(left, mode="clip") <= upper)
    right[tied] = sorted_places(low.values, upper[tied], "right")
    return _pairs(high, low, left), high.size * low.size - _pairs(high, low, right)


def shares_above(samples: Iterable[tuple[SortedSample, SortedSample]], tie: float) -> list[float]:
    """Returns, for each two samples, the share of pairs whose first number is larger."""
    return [
        _pairs(high, low, sorted_places(low.values, high.values - tie, "left"))
        / (high.size * low.size)
        for high, low in samples
    ]


def _pairs(high: SortedSample, low: SortedSample, places: Ints) -> int:
    """Counts the pairs of a value of `high` with a value of `low` before an index.

    `places` has this index for each value of `high`.
    """
    below = low.up_to(places)
    if high.before is None:
        return int(below.sum())
    each = np.diff(high.before)
    if high.size * low.size < 2**63:
        return int(each @ below)
    # The product of two counts may not fit into 64 bits, so they become Python integers.
    return sum(map(int.__mul__, each.tolist(), below.tolist()))


def places_after(
    table: Floats, keys: Floats, rising: Callable[[Floats], Floats], side: Literal["left", "right"]
) -> Ints:
    """``rising(table).searchsorted(keys, side)``, where `rising` is applied to few values only."""
    low, high = np.zeros(keys.size, dtype=np.intp), np.full(keys.size, table.size, dtype=np.intp)
    is_before = np.less if side == "left" else np.less_equal
    for _ in range(table.size.bit_length()):
        middle = (low + high) // 2
        before = is_before(rising(table.take(middle, mode="clip")), keys) & (low < high)
        low, high = np.where(before, middle + 1, low), np.where(before, high, middle)
    return low


def sorted_places(table: Floats, keys: Floats, side: Literal["left", "right"]) -> Ints:
    """Like ``table.searchsorted(keys, side)`` for ascending keys, in blocks that fit a cache."""
    places = np.empty(keys.size, dtype=np.intp)
    for start in range(0, keys.size, BLOCK):
        block = keys[start : start + BLOCK]
        first, last = table.searchsorted(block[[0, -1]], side=side)
        places[start : start + BLOCK] = first + table[first:last].searchsorted(block, side=side)
    return places
