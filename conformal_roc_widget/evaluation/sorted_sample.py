"""Individual intervals ``L + q`` of Algorithms 1 and 2, and how many lie above a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.ties import TIE
from conformal_roc_widget.evaluation.rank_pairs import BucketIndex, bucket_indexes, twice_above


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
        """Sorts values, each with its count; ascending ones stay the same array."""
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
        return bucket_indexes(self.values)

    def up_to(self, places: Ints) -> Ints:
        """How many numbers stand before places, from 0 to the number of values."""
        return places if self.before is None else self.before[places]

    def at_least(self, keys: Floats) -> Ints:
        """How many numbers are as large as each key, or larger."""
        return self.size - self.up_to(np.searchsorted(self.values, keys, side="left"))

    def above(self, keys: Floats) -> Ints:
        """How many numbers are larger than each key."""
        return self.size - self.up_to(np.searchsorted(self.values, keys, side="right"))

    def at_even_ranks(self, most: int) -> Floats:
        """Numbers at so many evenly spaced ranks; all of them where there are no more."""
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


def share_ranked_above(upper: Limits, lower: Limits, tie: float = 0.0) -> float:
    """Mann-Whitney share of the pairs with the first above the second; half where they tie.

    Numbers closer than `tie` are equal: 0 for scores, which count as given, `TIE` for logits.
    """
    pairs = 2 * upper.centres.size * lower.centres.size
    both = (upper, lower)
    if all(each.centres.before is None and np.isfinite(each.shift) for each in both):
        # The fewer look their places up among the more.
        if upper.centres.size <= lower.centres.size:
            return _twice_above(upper, lower, tie) / pairs
        return (pairs - _twice_above(lower, upper, tie)) / pairs
    high, low = upper.shifted(), lower.shifted()
    below = low.up_to(np.searchsorted(low.values, high.values - tie, side="left"))
    up_to = low.up_to(np.searchsorted(low.values, high.values + tie, side="right"))
    weights = [1] * below.size if high.before is None else np.diff(high.before).tolist()
    # Whole numbers of any size: a product of two counts may not fit into 64 bits.
    return sum(map(int.__mul__, weights, (below + up_to).tolist())) / pairs


def _twice_above(keys: Limits, table: Limits, tie: float) -> int:
    """Looks every key up in the table; see `twice_above`."""
    entries = table.centres
    return twice_above(
        keys.centres.values, keys.shift, entries.values, table.shift, entries.indexes, tie
    )
