"""Sorted numbers, each counted once or more often: how many lie above others, also over pairs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.logits import TIE

#: The product of two counts fits into 64 bits if both are below this.
PRODUCTS = 2**31
#: Ascending numbers that are looked up together.
BLOCK = 2**14


def even_ranks(size: int, most: int) -> Ints:
    """At most this many evenly spaced ranks, from 0, among `size` numbers."""
    return ((np.arange(most) + 0.5) * size / most).astype(np.intp)


@dataclass(frozen=True, eq=False)
class SortedSample:
    """Numbers in ascending order, each of them once or as often as it is counted.

    `before` has how many numbers stand before each value, and at last how many there are; it is
    None if each value stands for one number.
    """

    values: Floats
    before: Ints | None = None

    @classmethod
    def of(cls, values: Floats, counts: Ints | None = None) -> SortedSample:
        """Sorts values, each with its count; an array that is ascending already is not copied."""
        if not (values[1:] < values[:-1]).any():
            order: Ints | slice = slice(None)
        elif counts is None:
            return cls(np.sort(values))
        else:
            order = np.argsort(values, kind="stable")
        return cls.in_order(values[order], None if counts is None else counts[order])

    @classmethod
    def in_order(cls, values: Floats, counts: Ints | None) -> SortedSample:
        """Values in the order that they have, each with its count."""
        return cls(values, None if counts is None else np.concatenate([[0], np.cumsum(counts)]))

    @property
    def counts(self) -> Ints | None:
        """How often each value is counted; None if each stands for one number."""
        return None if self.before is None else np.diff(self.before)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return self.values.size if self.before is None else int(self.before[-1])

    def up_to(self, places: Ints) -> Ints:
        """How many numbers stand before each place among the values."""
        return places if self.before is None else self.before[places]

    def at_least(self, keys: Floats) -> Ints:
        """How many numbers are at least as large as each key."""
        return self.size - self.up_to(np.searchsorted(self.values, keys, side="left"))

    def above(self, keys: Floats) -> Ints:
        """How many numbers are larger than each key."""
        return self.size - self.up_to(np.searchsorted(self.values, keys, side="right"))

    def above_and_at(self, keys: Floats) -> tuple[Ints, Ints]:
        """How many numbers are larger than each key, and how many equal it."""
        above = self.above(keys)
        return above, self.at_least(keys) - above

    def at_most(self, whole: int, ranks: int) -> Floats:
        """All numbers one by one; if there are more than `whole`, those at so many even ranks."""
        return self.expanded() if self.size <= whole else self.at_even_ranks(ranks)

    def at_even_ranks(self, most: int) -> Floats:
        """Numbers at `most` evenly spaced ranks; all, if there are no more."""
        if self.size <= most:
            return self.values if self.before is None else self.expanded()
        ranks = even_ranks(self.size, most)
        if self.before is not None:
            ranks = np.searchsorted(self.before, ranks, side="right") - 1
        return self.values[ranks]

    def thinned(self, most: int) -> SortedSample:
        """A sample of at most this many values.

        If there are more, of numbers at evenly spaced ranks.
        """
        if self.values.size <= most:
            return self
        if most not in self._thinned:
            self._thinned[most] = SortedSample(self.at_even_ranks(most))
        return self._thinned[most]

    @cached_property
    def _thinned(self) -> dict[int, SortedSample]:
        return {}

    def expanded(self) -> Floats:
        """Every number, as often as it is counted."""
        return self.values if self.before is None else self.values.repeat(np.diff(self.before))


@dataclass(frozen=True, eq=False)
class Limits:
    """One end of the intervals of all test points of a label, on the logit scale.

    The limits are ``centres + shift``, kept apart so that a new alpha costs a look-up and no pass
    over the points.
    """

    centres: SortedSample
    shift: float = 0.0

    def count_above(self, logit_thresholds: Floats) -> Ints:
        """How many limits lie above each logit of a threshold, by more than `TIE`."""
        if np.isinf(self.shift):
            return np.where(self.shift > logit_thresholds, self.centres.size, 0)
        return self.centres.above(logit_thresholds + (TIE - self.shift))

    def shifted(self) -> SortedSample:
        """All limits, shifted; if the shift is infinite, one value that counts as all."""
        if np.isinf(self.shift):
            return SortedSample(np.array([self.shift]), np.array([0, self.centres.size]))
        return SortedSample(self.centres.values + self.shift, self.centres.before)


def thinned(limits: Iterable[Limits], most: int) -> list[Limits]:
    """Each of the limits thinned to at most this many, at evenly spaced ranks."""
    return [Limits(each.centres.thinned(most), each.shift) for each in limits]


def counts_above(
    limits: Iterable[tuple[Limits, int]], thresholds: Floats, logits: Floats
) -> list[Ints]:
    """How many of each limits lie above thresholds, whose logits are given too.

    Limits at ranks count for as many as they stand for, which the number beside them tells; below
    a probability of 0 lies none of them, not even an infinite one.
    """
    found, below = [], (thresholds < 0) & np.isneginf(logits)
    for each, n in limits:
        size = each.centres.size
        counts = np.where(below, size, each.count_above(logits))
        found.append(counts if size == n else np.rint(counts * (n / size)).astype(np.intp))
    return found


def share_ranked_above(upper: Limits, lower: Limits, tie: float = 0.0) -> float:
    """Mann-Whitney share of the pairs with the first above the second; ties count half.

    Numbers closer than `tie` are equal: 0 for scores, which count as given, `TIE` for logits.
    """
    high, low = upper.shifted(), lower.shifted()
    above, below = ranked_pairs(high, low, tie)
    pairs = high.size * low.size
    return (pairs + above - below) / (2 * pairs)


def ranked_pairs(high: SortedSample, low: SortedSample, tie: float = 0.0) -> tuple[int, int]:
    """Pairs with the first number above the second, and below it; closer than `tie` is neither."""
    # The values of the shorter list are looked up in the longer one.
    if high.values.size > low.values.size:
        below, above = ranked_pairs(low, high, tie)
        return above, below
    left = sorted_places(low.values, high.values - tie, "left")
    # The two counts differ only at ties.
    right, upper = left.copy(), high.values + tie
    tied = np.flatnonzero(low.values.take(left, mode="clip") <= upper)
    right[tied] = sorted_places(low.values, upper[tied], "right")
    return _pairs(high, low, left), high.size * low.size - _pairs(high, low, right)


def shares_above(samples: Iterable[tuple[SortedSample, SortedSample]], tie: float) -> list[float]:
    """Of each two samples, the share of pairs with the first number above the second, by `tie`."""
    return [
        _pairs(high, low, sorted_places(low.values, high.values - tie, "left"))
        / (high.size * low.size)
        for high, low in samples
    ]


def _pairs(high: SortedSample, low: SortedSample, places: Ints) -> int:
    """Pairs of each first number with all second numbers before its place."""
    below = low.up_to(places)
    if high.before is None:
        return int(below.sum())
    each = np.diff(high.before)
    if high.size * low.size < 2**63:
        return int(each @ below)
    # Whole numbers of any size: a product of two counts may not fit into 64 bits.
    return sum(map(int.__mul__, each.tolist(), below.tolist()))


def sorted_places(table: Floats, keys: Floats, side: Literal["left", "right"]) -> Ints:
    """`searchsorted` of ascending keys, block by block: where these may be fits into a cache."""
    places = np.empty(keys.size, dtype=np.intp)
    for start in range(0, keys.size, BLOCK):
        block = keys[start : start + BLOCK]
        first, last = table.searchsorted(block[[0, -1]], side=side)
        places[start : start + BLOCK] = first + table[first:last].searchsorted(block, side=side)
    return places
