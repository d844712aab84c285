"""Exact counts over all pairs of two sorted samples, without a search for every number.

A plain `searchsorted` for each number takes twice the time of sorting all of them, since samples of
millions do not fit into a core's cache; this takes less than sorting (`benchmarks/exact_band.py`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, Ints

#: Sorted numbers that share an index; their places fit into 16 bits.
BLOCK = 1 << 15
#: Cells of an index for each of its numbers.
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


def bucket_indexes(values: Floats) -> list[BucketIndex]:
    """Indexes ascending values, block by block."""
    return [BucketIndex.of(values[start : start + BLOCK]) for start in range(0, values.size, BLOCK)]


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
    # Where keys change blocks decides how good a guess is, and not what is counted.
    with np.errstate(over="ignore"):
        edges = table[BLOCK::BLOCK] + table_shift - key_shift
        cuts = np.sort(keys.searchsorted(edges))
        starts = np.union1d(cuts[cuts < keys.size], np.arange(0, keys.size, BLOCK))
        stops = np.append(starts[1:], keys.size)
        lowest = keys[starts] + (key_shift - tie) - table_shift
        highest = keys[stops - 1] + (key_shift + tie) - table_shift
        lowest -= _rounding(lowest, table_shift)
        highest += _rounding(highest, table_shift)
    # Entries outside of the window are below, or above, every key of the stretch.
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
