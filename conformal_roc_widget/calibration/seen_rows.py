"""Whether rows that should be new are those that trained the classifier."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats

#: If more rows than this, or a larger share, were seen in training, it is no accident.
FEWEST, SHARE = 5, 0.02


class SeenRows(NamedTuple):
    """Training rows, each hashed to one number, and the share of them that occur twice or more.

    Where features have few values new rows are equal to old ones by chance, about as often as
    training rows are equal to each other.
    """

    keys: NDArray[np.uint64]
    by_chance: float

    @classmethod
    def of(cls, X: Floats) -> SeenRows | None:
        """The training rows, from features as numbers (n, d); None if there are no numbers."""
        if not X.shape[1] or not len(X):
            return None
        keys, counts = np.unique(_keys(X), return_counts=True)
        return cls(keys, float(counts[counts > 1].sum()) / len(X))

    def among(self, *tables: Floats) -> list[int]:
        """How many rows of each table were seen; 0 if chance or a few duplicates explain it."""
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
    """One number a row, the same for equal rows; -0 is 0."""
    bits = np.ascontiguousarray(X + 0.0, dtype=np.float64).view(np.uint64)
    odd = np.random.default_rng(0).integers(0, 1 << 63, bits.shape[1], dtype=np.uint64)
    keys: NDArray[np.uint64] = bits @ (odd * np.uint64(2) + np.uint64(1))
    return keys
