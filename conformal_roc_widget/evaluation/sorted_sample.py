"""Sorted numbers, each counted once or more often: how many lie above others, over all pairs too.

For each of millions of numbers a plain `searchsorted` takes twice the time of sorting all of them,
since they do not fit into a core's cache; the index here takes less (`benchmarks/exact_band.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.logits import TIE

#: Sorted numbers that share an index; their places fit into 16 bits.
BLOCK = 1 << 15
#: An index has this many cells for each number that it covers.
CELLS = 4
#: Bound on the relative rounding of a shifted number, with room to spare.
ROUNDING = 2.0**-50


class BucketIndex(NamedTuple):
    """Cells of one width over a block of sorted numbers, and how many numbers precede each.

    `origin` is where the first cell begins, `scale` the cells a unit (0 where the numbers allow no
    cells), and `before` counts the numbers in the cells before each, and at last in all.
    """

    origin: float
    scale: float
    before: NDArray[np.uint16]

    @classmethod
    def of(cls, block: Floats) -> BucketIndex:
        """Indexes 1 to `BLOCK` ascending numbers."""
        origin = block[0]
        with np.errstate(all="ignore"):
            scale = CELLS * block.size / (block[-1] - origin)
        if not 0 < scale < np.inf:
            return cls(origin, 0.0, np.zeros(1, dtype=np.uint16))
        counts = np.bincount(((block - origin) * scale).astype(np.intp))
        return cls(origin, scale, np.concatenate([[0], np.cumsum(counts)]).astype(np.uint16))

    def places(self, keys: Floats, shift: float) -> Ints:
        """Guesses how many of the numbers plus `shift` precede each key; the caller must check."""
        with np.errstate(all="ignore"):
            cells = ((keys - (self.origin + shift)) * self.scale).astype(np.intp)
        return self.before.take(cells, mode="clip").astype(np.intp)


def twice_above(
    keys: Floats,
    key_shift: float,
    table: Floats,
    table_shift: float,
    indexes: list[BucketIndex],
    tie: float,
) -> int:
    """Twice the pairs with a shifted key above a shifted entry, ties (closer than `tie`) once.

    Block by block of the ascending table, so that both stay in a core's cache. The block's index
    says where each key may stand, before an entry or right behind it. The few keys that the entries
    on either side do not confirm are searched for, so no count rests on a guess.
    """
    # These sums are rounded. That makes some guesses worse, and changes no count.
    with np.errstate(over="ignore"):
        edges = table[BLOCK::BLOCK] + table_shift - key_shift
        cuts = np.sort(keys.searchsorted(edges))
        starts = np.union1d(cuts[cuts < keys.size], np.arange(0, keys.size, BLOCK))
        stops = np.append(starts[1:], keys.size)
        lowest = keys[starts] + (key_shift - tie) - table_shift
        highest = keys[stops - 1] + (key_shift + tie) - table_shift
        lowest -= _rounding(lowest, table_shift)
        highest += _rounding(highest, table_shift)
    # Entries before `firsts` are below every key of the stretch, those from `lasts` on above.
    blocks = cuts.searchsorted(starts, side="right")
    firsts = np.minimum(table.searchsorted(lowest, side="left"), blocks * BLOCK)
    lasts = np.maximum(table.searchsorted(highest, side="right"), blocks * BLOCK + 1)

    twice = 0
    for block, start, stop, first, last in np.column_stack(
        [blocks, starts, stops, firsts, lasts]
    ).tolist():
        low, high = (keys[start:stop] + shift for shift in (key_shift - tie, key_shift + tie))
        padded = np.empty(last - first + 2)
        padded[0], padded[-1] = -np.inf, np.inf
        window = np.add(table[first:last], table_shift, out=padded[1:-1])
        place = indexes[block].places(low, table_shift)
        from_block = padded[block * BLOCK - first :]
        before, entry, after = (from_block[i:].take(place, mode="clip") for i in range(3))
        less, up_to = entry < low, entry <= high
        doubt = np.flatnonzero((before >= low) | (after <= high))
        place[doubt], less[doubt], up_to[doubt] = 0, False, False
        twice += int(2 * place.sum() + np.count_nonzero(less) + np.count_nonzero(up_to))
        twice += 2 * block * BLOCK * (low.size - doubt.size)
        low, high = low[doubt], high[doubt]
        left = window.searchsorted(low, side="left")
        tied = np.flatnonzero(window.take(left, mode="clip") <= high)
        ties = window.searchsorted(high[tied], side="right") - left[tied]
        twice += 2 * (first * doubt.size + int(left.sum())) + int(ties.sum())
    return twice


def _rounding(differences: Floats, shift: float) -> Floats:
    """Bounds the rounding of ``key - shift`` and of ``entry + shift`` together."""
    finite = np.where(np.isfinite(differences), differences, 0.0)
    return np.asarray(ROUNDING * (np.abs(finite) + abs(shift)))


#: The product of two counts fits into 64 bits if both are below this.
PRODUCTS = 2**31


@dataclass(frozen=True, eq=False)
class SortedSample:
    """Numbers in ascending order, each of them once or as often as it is counted.

    `before` has how many numbers stand before each value, and at last how many there are; it is
    None where each value stands for one number.
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
        before = None if counts is None else np.concatenate([[0], np.cumsum(counts[order])])
        return cls(values[order], before)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return self.values.size if self.before is None else int(self.before[-1])

    @cached_property
    def indexes(self) -> list[BucketIndex]:
        """Index of each block of the values."""
        starts = range(0, self.values.size, BLOCK)
        return [BucketIndex.of(self.values[start : start + BLOCK]) for start in starts]

    def up_to(self, places: Ints) -> Ints:
        """How many numbers stand before each place among the values."""
        return places if self.before is None else self.before[places]

    def at_least(self, keys: Floats) -> Ints:
        """How many numbers are as large as each key, or larger."""
        return self.size - self.up_to(np.searchsorted(self.values, keys, side="left"))

    def above(self, keys: Floats) -> Ints:
        """How many numbers are larger than each key."""
        return self.size - self.up_to(np.searchsorted(self.values, keys, side="right"))

    def above_and_at(self, keys: Floats) -> tuple[Ints, Ints]:
        """How many numbers are larger than each key, and how many equal it."""
        above = self.above(keys)
        return above, self.at_least(keys) - above

    def at_even_ranks(self, most: int) -> Floats:
        """Numbers at `most` evenly spaced ranks; all of them where there are no more than that."""
        if self.size <= most:
            return self.values if self.before is None else self.expanded()
        ranks = ((np.arange(most) + 0.5) * self.size / most).astype(np.intp)
        if self.before is not None:
            ranks = np.searchsorted(self.before, ranks, side="right") - 1
        return self.values[ranks]

    def expanded(self) -> Floats:
        """All numbers one by one."""
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
        """All limits; an infinite shift makes one value of them, counted as often."""
        if np.isinf(self.shift):
            return SortedSample(np.array([self.shift]), np.array([0, self.centres.size]))
        return SortedSample(self.centres.values + self.shift, self.centres.before)

    def thinned(self, most: int) -> Limits:
        """At most so many limits, at evenly spaced ranks."""
        if self.centres.size <= most:
            return self
        return Limits(SortedSample(self.centres.at_even_ranks(most)), self.shift)


def counts_above(
    limits: Iterable[tuple[Limits, int]], thresholds: Floats, logits: Floats
) -> list[Ints]:
    """How many of each limits lie above thresholds, whose logits are given too.

    Limits at ranks count for as many as they stand for, which the number beside them tells; below
    0 lies none of them, not even an infinite one.
    """
    found = []
    for each, n in limits:
        size = each.centres.size
        counts = np.where(thresholds < 0, size, each.count_above(logits))
        found.append(counts if size == n else np.rint(counts * (n / size)).astype(np.intp))
    return found


def share_ranked_above(upper: Limits, lower: Limits, tie: float = 0.0) -> float:
    """Mann-Whitney share of the pairs with the first above the second; half where they tie.

    Numbers closer than `tie` are equal: 0 for scores, which count as given, `TIE` for logits.
    """
    pairs = 2 * upper.centres.size * lower.centres.size
    both = (upper, lower)
    if all(each.centres.before is None and np.isfinite(each.shift) for each in both):
        # The shorter list is looked up in the longer one.
        if upper.centres.size <= lower.centres.size:
            return _twice_above(upper, lower, tie) / pairs
        return (pairs - _twice_above(lower, upper, tie)) / pairs
    high, low = upper.shifted(), lower.shifted()
    return sum(pairs_above(high, low, *edge) for edge in ((-tie, "left"), (tie, "right"))) / pairs


def pairs_above(
    high: SortedSample, low: SortedSample, shift: float, side: Literal["left", "right"]
) -> int:
    """Pairs whose first number, shifted, is above the second; with "right" also if it equals it."""
    below = low.up_to(np.searchsorted(low.values, high.values + shift, side=side))
    weights = [1] * below.size if high.before is None else np.diff(high.before).tolist()
    # Whole numbers of any size: a product of two counts may not fit into 64 bits.
    return sum(map(int.__mul__, weights, below.tolist()))


def _twice_above(keys: Limits, table: Limits, tie: float) -> int:
    """`twice_above` of two sets of limits: those of `keys` are looked up among those of `table`."""
    entries = table.centres
    return twice_above(
        keys.centres.values, keys.shift, entries.values, table.shift, entries.indexes, tie
    )
