"""Individual intervals ``L + q`` of Algorithms 1 and 2, and how many lie above a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, Ints

#: Sorted numbers that share a guide; their places fit into 16 bits.
BLOCK = 1 << 15
#: Cells of a guide for each of its numbers.
CELLS = 4


class Guide(NamedTuple):
    """Where to look first for a number among sorted ones: how many lie before its cell.

    Parameters
    ----------
    origin : float
        Where the first cell begins.
    scale : float
        Cells a unit; 0 where the numbers do not allow cells.
    before : ndarray of uint16
        How many of the numbers lie in the cells before each, and at last in all.
    """

    origin: float
    scale: float
    before: NDArray[np.uint16]

    @classmethod
    def of(cls, block: Floats) -> Guide:
        """Part the stretch that numbers take into cells of one width.

        Parameters
        ----------
        block : ndarray of shape (n,)
            Ascending, not empty, at most `BLOCK`.

        Returns
        -------
        Guide
            To these numbers.
        """
        origin = block[0]
        with np.errstate(all="ignore"):
            scale = CELLS * block.size / (block[-1] - origin)
        if not 0 < scale < np.inf:
            return cls(origin, 0.0, np.zeros(1, dtype=np.uint16))
        counts = np.bincount(((block - origin) * scale).astype(np.intp))
        return cls(origin, scale, np.concatenate([[0], np.cumsum(counts)]).astype(np.uint16))

    def places(self, keys: Floats, shift: float) -> Ints:
        """Guess where keys stand among the numbers when those are shifted.

        Parameters
        ----------
        keys : ndarray of shape (m,)
            What is looked up.
        shift : float
            What is added to the numbers.

        Returns
        -------
        ndarray of shape (m,)
            From 0 to n. Right for most keys where the numbers are spread evenly, and never to
            be trusted without a look at the numbers there.
        """
        with np.errstate(all="ignore"):
            cells = ((keys - (self.origin + shift)) * self.scale).astype(np.intp)
        return self.before.take(cells, mode="clip").astype(np.intp)


@dataclass(frozen=True, eq=False)
class Ordered:
    """Numbers in ascending order, each of them once or as often as it is counted.

    Parameters
    ----------
    values : ndarray of shape (m,)
        Ascending.
    before : ndarray of shape (m + 1,) or None
        How many numbers stand before each value, and at last how many there are; None where each
        value stands for one number.
    """

    values: Floats
    before: Ints | None = None

    @classmethod
    def of(cls, values: Floats, counts: Ints | None = None) -> Ordered:
        """Sort values, each together with its count.

        Parameters
        ----------
        values : ndarray of shape (m,)
            In any order.
        counts : ndarray of shape (m,), optional
            How often each is there; by default once.

        Returns
        -------
        Ordered
            Of the same array, where that is ascending already.
        """
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
    def guides(self) -> list[Guide]:
        """A guide to each `BLOCK` of the values."""
        starts = range(0, self.values.size, BLOCK)
        return [Guide.of(self.values[start : start + BLOCK]) for start in starts]

    def up_to(self, places: Ints) -> Ints:
        """How many numbers stand before places among the values.

        Parameters
        ----------
        places : ndarray
            From 0 to m.

        Returns
        -------
        ndarray
            Same shape.
        """
        return places if self.before is None else self.before[places]

    def at_least(self, keys: Floats) -> Ints:
        """How many numbers are as large as each key, or larger.

        Parameters
        ----------
        keys : ndarray
            In any order.

        Returns
        -------
        ndarray
            Same shape.
        """
        return self.size - self.up_to(np.searchsorted(self.values, keys, side="left"))

    def above(self, keys: Floats) -> Ints:
        """How many numbers are larger than each key.

        Parameters
        ----------
        keys : ndarray
            In any order.

        Returns
        -------
        ndarray
            Same shape.
        """
        return self.size - self.up_to(np.searchsorted(self.values, keys, side="right"))

    def spread(self, most: int) -> Floats:
        """Numbers at evenly spaced ranks.

        Parameters
        ----------
        most : int
            How many.

        Returns
        -------
        ndarray of shape (most,)
            Ascending; all numbers where there are no more.
        """
        if self.size <= most:
            return self.values if self.before is None else self.every()
        ranks = ((np.arange(most) + 0.5) * self.size / most).astype(np.intp)
        if self.before is not None:
            ranks = np.searchsorted(self.before, ranks, side="right") - 1
        return self.values[ranks]

    def every(self) -> Floats:
        """All numbers one by one.

        Returns
        -------
        ndarray of shape (n,)
            Ascending.
        """
        return self.values if self.before is None else self.values.repeat(np.diff(self.before))


@dataclass(frozen=True, eq=False)
class Limits:
    """One end of the intervals of all test points of a label, on the logit scale.

    The limits are ``centres + shift``, kept apart so that a new alpha costs a look-up and no pass
    over the points.

    Parameters
    ----------
    centres : Ordered
        What the shift is added to.
    shift : float
        May be infinite.
    """

    centres: Ordered
    shift: float = 0.0

    def count_above(self, logit_thresholds: Floats) -> Ints:
        """How many limits lie strictly above each threshold.

        Parameters
        ----------
        logit_thresholds : ndarray of shape (m,)
            Logits of the thresholds, in any order; may be infinite.

        Returns
        -------
        ndarray of shape (m,)
            Counts of ``centre + shift > threshold``, decided on the rounded sum.
        """
        n, values = self.centres.size, self.centres.values
        if np.isinf(self.shift) or n == 0:
            return np.where(self.shift > logit_thresholds, n, 0)
        if self.shift == 0:
            return self.centres.above(logit_thresholds)
        first = np.searchsorted(values, logit_thresholds - self.shift, side="right")
        # The key above is rounded differently from values + shift, so the search may stop beside a
        # tie. Step over whole groups of equal values until the sum itself agrees.
        while True:
            last = values.take(first - 1, mode="clip") + self.shift
            beyond = (last > logit_thresholds) & (first > 0)
            following = values.take(first, mode="clip") + self.shift
            short = (following <= logit_thresholds) & (first < values.size)
            if not (beyond.any() or short.any()):
                return n - self.centres.up_to(first)
            first[beyond] = np.searchsorted(values, values[first[beyond] - 1], "left")
            first[short] = np.searchsorted(values, values[first[short]], "right")

    def shifted(self) -> Ordered:
        """All limits.

        Returns
        -------
        Ordered
            ``centres + shift``.
        """
        return Ordered(self.centres.values + self.shift, self.centres.before)

    def thinned(self, most: int) -> Limits:
        """Limits at evenly spaced ranks.

        Parameters
        ----------
        most : int
            How many to keep at most.

        Returns
        -------
        Limits
            These limits themselves where they are few enough.
        """
        if self.centres.size <= most:
            return self
        return Limits(Ordered(self.centres.spread(most)), self.shift)


def share_ranked_above(upper: Limits, lower: Limits) -> float:
    """Mann-Whitney share of pairs with the first above the second, ties half.

    Parameters
    ----------
    upper, lower : Limits
        Numbers to compare.

    Returns
    -------
    float
        ``P(upper > lower) + P(upper = lower) / 2`` over all pairs.
    """
    pairs = 2 * upper.centres.size * lower.centres.size
    if upper.centres.before is None and lower.centres.before is None:
        # The fewer look their places up among the more.
        if upper.centres.size <= lower.centres.size:
            return _twice_above(upper, lower) / pairs
        return (pairs - _twice_above(lower, upper)) / pairs
    high, low = upper.shifted(), lower.shifted()
    below, up_to = (
        low.up_to(np.searchsorted(low.values, high.values, side)) for side in ("left", "right")
    )
    weights = [1] * below.size if high.before is None else np.diff(high.before).tolist()
    # Whole numbers of any size: a product of two counts may not fit into 64 bits.
    return sum(map(int.__mul__, weights, (below + up_to).tolist())) / pairs


def _twice_above(keys: Limits, table: Limits) -> int:
    """Twice the pairs with a key above an entry of the table, ties once.

    Block by block of the table, so that both stay in a core's cache. The block's guide says where
    each key may stand, before an entry or right behind it. The few keys that the entries on either
    side do not confirm are searched for, so no count rests on a guess.
    """
    values, guides = table.centres.values, table.centres.guides
    # Where keys change blocks decides how good a guess is, and not what is counted.
    with np.errstate(invalid="ignore"):
        edges = values[BLOCK::BLOCK] + table.shift - keys.shift
    cuts = np.sort(keys.centres.values.searchsorted(edges))
    size = keys.centres.size
    starts = np.union1d(cuts[cuts < size], np.arange(0, size, BLOCK))
    stops = np.append(starts[1:], size)
    blocks = cuts.searchsorted(starts, side="right")
    lowest = keys.centres.values[starts] + keys.shift
    highest = keys.centres.values[stops - 1] + keys.shift
    with np.errstate(over="ignore"):
        below = values.size - table.count_above(np.nextafter(lowest, -np.inf))
    below[lowest == -np.inf] = 0
    firsts = np.minimum(below, blocks * BLOCK)
    lasts = np.maximum(values.size - table.count_above(highest), blocks * BLOCK + 1)

    twice = 0
    for block, start, stop, first, last in np.column_stack(
        [blocks, starts, stops, firsts, lasts]
    ).tolist():
        key = keys.centres.values[start:stop] + keys.shift
        padded = np.empty(last - first + 2)
        padded[0], padded[-1] = -np.inf, np.inf
        part = np.add(values[first:last], table.shift, out=padded[1:-1])
        place = guides[block].places(key, table.shift)
        from_block = padded[block * BLOCK - first :]
        before, entry, after = (from_block[i:].take(place, mode="clip") for i in range(3))
        less, up_to = entry < key, entry <= key
        doubt = np.flatnonzero((before >= key) | (after <= key))
        place[doubt], less[doubt], up_to[doubt] = 0, False, False
        twice += int(2 * place.sum() + np.count_nonzero(less) + np.count_nonzero(up_to))
        twice += 2 * block * BLOCK * (key.size - doubt.size)
        sought = key[doubt]
        left = right = part.searchsorted(sought, side="left")
        if (part.take(left, mode="clip") == sought).any():
            right = part.searchsorted(sought, side="right")
        twice += 2 * first * doubt.size + int(left.sum() + right.sum())
    return twice
