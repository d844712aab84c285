"""Sorted calibration residuals, in one group or in several, and their order statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.quantiles import between_infinities, ranks_of, smallest_alpha


class Ragged(NamedTuple):
    """Groups of different sizes, one after the other.

    Parameters
    ----------
    values : ndarray of shape (total,)
        Residuals, ascending within each group.
    starts : ndarray of shape (g + 1,)
        Group i is ``values[starts[i] : starts[i + 1]]``.
    """

    values: Floats
    starts: Ints

    @classmethod
    def single(cls, residuals: Floats) -> Ragged:
        """All residuals (n,), in any order, in one group."""
        return cls(np.sort(residuals), np.array([0, residuals.size]))

    @classmethod
    def joined(cls, parts: Sequence[Ragged]) -> Ragged:
        """The groups of several parts, one part after the other."""
        sizes = np.concatenate([np.diff(part.starts) for part in parts])
        values = np.concatenate([part.values for part in parts])
        return cls(values, np.concatenate([[0], np.cumsum(sizes)]))

    def quantiles(self, alpha: float, rule: str) -> tuple[Floats, Floats]:
        """Both order statistics of each group, for one alpha; `GroupedResiduals` is for several."""
        sizes, first = np.diff(self.starts), self.starts[:-1]
        low, high = ranks_of(sizes, alpha, rule)
        # Rank r stands r - 1 places behind the first residual; ranks 0 and n + 1 are none of them.
        values = np.append(self.values, np.inf)
        return (
            np.where(low > 0, values[first + low - 1], -np.inf),
            np.where(high <= sizes, values[first + high - 1], np.inf),
        )


class Quantiles(NamedTuple):
    """Order statistics of the residuals behind the test points of a label.

    Parameters
    ----------
    lower, upper : ndarray of shape (n,) or (1,)
        Infinite where the residuals are too few for a limit.
    guaranteed : float
        Coverage that the worst of the pairs has for exchangeable residuals.
    """

    lower: Floats
    upper: Floats
    guaranteed: float

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which pairs have no lower, and which no upper limit (2, n)."""
        return np.array([np.isneginf(self.lower), np.isposinf(self.upper)])


@dataclass(frozen=True)
class GroupedResiduals:
    """Sorted calibration residuals of one label, in one group or in several.

    Algorithm 1 has one group that serves every test point. Algorithm 2 has one a test point (its
    neighbourhood), repeated splits have one a split. Groups of one size stand side by side, rank by
    rank, so that an order statistic of all of them is one row.

    Parameters
    ----------
    blocks : tuple of ndarray of shape (size + 2, groups)
        Ascending down each column, from ``-inf`` to ``+inf``: row r holds the r-th residual.
    points : ndarray of shape (n,) or None
        Test points of the label in the order of their groups; None where one group serves all.
    repeats : ndarray of shape (g,) or None
        How many test points each group serves; None where each serves one.
    """

    blocks: tuple[Floats, ...]
    points: Ints | None = None
    repeats: Ints | None = None

    @classmethod
    def pooled(cls, residuals: Floats) -> GroupedResiduals:
        """All residuals (n,), in any order, in one group that serves every test point."""
        return cls((between_infinities(np.sort(residuals)[:, None]),))

    @classmethod
    def of(cls, groups: Ragged, group: Ints) -> GroupedResiduals:
        """Groups of which number ``group[i]`` serves the i-th test point of the label."""
        sizes = np.diff(groups.starts)
        order = np.argsort(sizes, kind="stable")
        blocks = []
        for size in np.unique(sizes):
            first = groups.starts[:-1][sizes == size]
            blocks.append(between_infinities(groups.values[first + np.arange(size)[:, None]]))
        place = np.empty_like(order)
        place[order] = np.arange(order.size)
        repeats = np.bincount(place[group], minlength=sizes.size)
        return cls(
            tuple(blocks) or (np.empty((2, 0)),),
            np.argsort(place[group], kind="stable"),
            None if (repeats == 1).all() else repeats,
        )

    @property
    def residuals(self) -> Floats:
        """Residuals of the first group, ascending."""
        return self.blocks[0][1:-1, 0]

    @property
    def smallest(self) -> int:
        """Size of the smallest group."""
        return int(self._block_sizes[0])

    @property
    def largest(self) -> int:
        """Size of the largest group."""
        return int(self._block_sizes[-1])

    def vacuous_below(self, rule: str) -> float:
        """Significance level below which no test point has a limit."""
        return smallest_alpha(self.largest, rule)

    @cached_property
    def _block_sizes(self) -> Ints:
        return np.array([len(block) - 2 for block in self.blocks])

    @property
    def sizes(self) -> Ints:
        """Number of residuals behind each test point, or the one number behind all of them."""
        sizes = np.repeat(self._block_sizes, [block.shape[1] for block in self.blocks])
        return sizes if self.repeats is None else np.repeat(sizes, self.repeats)

    def quantiles(self, alpha: float, rule: str) -> Quantiles:
        """Both order statistics of every test point in the order of `points`, or of all at once."""
        low, high = ranks_of(self._block_sizes, alpha, rule)
        guaranteed = float(((high - low) / (self._block_sizes + 1)).min())
        lower, upper = (
            np.concatenate([block[at] for block, at in zip(self.blocks, rank, strict=True)])
            for rank in (low.tolist(), high.tolist())
        )
        if self.repeats is None:
            return Quantiles(lower, upper, guaranteed)
        return Quantiles(np.repeat(lower, self.repeats), np.repeat(upper, self.repeats), guaranteed)
