"""Counts calibration or test rows that also trained the classifier, although they should be new."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats

#: A row of other data is seen if it equals a training row. Chance does not explain seen rows if
#: there are at least `FEWEST`, and if their share clearly exceeds the share expected by chance plus
#: `SHARE`.
FEWEST, SHARE = 5, 0.02


class SeenRows(NamedTuple):
    """The training rows as hashes, and the share of them that equal another training row.

    If features have few values, new rows equal training rows by chance. New rows do so about as
    often as training rows equal each other.
    """

    keys: NDArray[np.uint64]
    by_chance: float

    @classmethod
    def of(cls, X: Floats) -> SeenRows | None:
        """Makes the hashes of the training rows from their features as numbers (n, d).

        Returns None if there are no numbers.
        """
        if not X.shape[1] or not len(X):
            return None
        keys, counts = np.unique(_keys(X), return_counts=True)
        return cls(keys, float(counts[counts > 1].sum()) / len(X))

    def among(self, *tables: Floats) -> list[int]:
        """Returns for each table of features how many of its rows were seen in training.

        If chance or a few duplicates explain them, the result is 0.
        """
        return [self._among(X) for X in tables]

    def _among(self, X: Floats) -> int:
        if not len(X):
            return 0
        found = int(np.isin(_keys(X), self.keys).sum())
        n = len(X)
        spread = math.sqrt(self.by_chance * (1 - self.by_chance) / n)
        expected = self.by_chance + SHARE + 3 * spread
        return found if found >= min(FEWEST, n) and found > expected * n else 0


def _keys(X: Floats) -> NDArray[np.uint64]:
    """Returns a hash of each row. Equal rows have equal hashes, and -0 equals 0."""
    bits = np.ascontiguousarray(X + 0.0, dtype=np.float64).view(np.uint64)
    odd = np.random.default_rng(0).integers(0, 1 << 63, bits.shape[1], dtype=np.uint64)
    keys: NDArray[np.uint64] = bits @ (odd * np.uint64(2) + np.uint64(1))
    return keys
