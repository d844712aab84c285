"""Sorts calibration residuals in one or several groups, and finds their order statistics.

A calibration residual is ``logit pi~ - centre`` at a calibration point. ``pi~`` is the reference,
the estimate of the true probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, Ints, by_label
from conformal_roc_widget.tables.calibration_rows import (
    CalibrationRows,
    effective_n,
    refuse_weightless_label,
)

from .quantiles import Masses, between_infinities, exact_alpha, ranks_of, smallest_alpha


class Ragged(NamedTuple):
    """Groups of residuals of different sizes, one after the other in one array.

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
        """Makes a single group of all `residuals` (n,), which may be in any order."""
        return cls(np.sort(residuals), np.array([0, residuals.size]))

    @classmethod
    def joined(cls, parts: Sequence[Ragged]) -> Ragged:
        """Joins the groups of several objects: those of the first, then of the next, and so on."""
        sizes = np.concatenate([np.diff(part.starts) for part in parts])
        values = np.concatenate([part.values for part in parts])
        return cls(values, np.concatenate([[0], np.cumsum(sizes)]))

    def quantiles(self, alpha: float, rule: str) -> tuple[Floats, Floats]:
        """Returns the lower and the upper order statistic of each group.

        For many alphas, `GroupedResiduals` is faster.
        """
        sizes, first = np.diff(self.starts), self.starts[:-1]
        low, high = ranks_of(sizes, alpha, rule)
        # `values[first + r - 1]` is the residual of rank r in its group. Rank 0 stands for -inf,
        # and rank n + 1 for +inf.
        values = np.append(self.values, np.inf)
        return (
            np.where(low > 0, values[first + low - 1], -np.inf),
            np.where(high <= sizes, values[first + high - 1], np.inf),
        )


class Quantiles(NamedTuple):
    """The two residual quantiles of each test point of a label, or one pair for all of them.

    Parameters
    ----------
    lower, upper : ndarray of shape (n,) or (1,)
        Infinite if there are too few residuals for a limit.
    guaranteed : float
        Coverage of the pairs if residuals are exchangeable. If it differs between pairs, the
        smallest.
    """

    lower: Floats
    upper: Floats
    guaranteed: float

    def repeated(self, repeats: Ints | None) -> Quantiles:
        """Turns a pair for each group into a pair for each test point.

        `repeats` has the number of test points of each group. If it is None, nothing changes.
        """
        if repeats is None:
            return self
        return self._replace(
            lower=np.repeat(self.lower, repeats), upper=np.repeat(self.upper, repeats)
        )

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Whether each pair lacks its lower limit, and whether it lacks its upper limit (2, n)."""
        return np.array([np.isneginf(self.lower), np.isposinf(self.upper)])


@dataclass(frozen=True)
class GroupedResiduals:
    """Sorted calibration residuals of one label, in one group or in several.

    In Algorithm 1 all test points have the same group. In Algorithm 2 each test point has its own
    group, the neighbourhood. With repeated splits there is a group for each split. Groups of equal
    size are stored side by side in columns, so that an order statistic of all of them is one row.

    Parameters
    ----------
    blocks : tuple of ndarray of shape (size + 2, groups)
        Each column ascends from ``-inf`` to ``+inf``. Row r has the r-th smallest residuals.
    points : ndarray of shape (n,) or None
        Test points of the label in the order of their groups. None if there is one group for all.
    repeats : ndarray of shape (g,) or None
        Number of test points with each group. None if each group belongs to one test point.
    """

    blocks: tuple[Floats, ...]
    points: Ints | None = None
    repeats: Ints | None = None

    @classmethod
    def pooled(cls, residuals: Floats) -> GroupedResiduals:
        """Makes a single group for all test points, with all `residuals` (n,) in any order."""
        padded = np.concatenate([[-np.inf], np.sort(residuals), [np.inf]])
        return cls((padded[:, None],))

    @classmethod
    def of(cls, groups: Ragged, group: Ints) -> GroupedResiduals:
        """Makes several groups. The i-th test point of the label has group ``group[i]``."""
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
        """Residuals of all groups in ascending order."""
        if self.points is None:
            return self.blocks[0][1:-1, 0]
        return np.sort(np.concatenate([block[1:-1].ravel() for block in self.blocks]))

    @property
    def smallest(self) -> int:
        """Number of residuals in the smallest group."""
        return int(self._block_sizes[0])

    @property
    def largest(self) -> int:
        """Number of residuals in the largest group."""
        return int(self._block_sizes[-1])

    def vacuous_below(self, rule: str) -> float:
        """Significance level below which no test point has a finite limit."""
        return smallest_alpha(self.largest, rule)

    @cached_property
    def _block_sizes(self) -> Ints:
        return np.array([len(block) - 2 for block in self.blocks])

    @property
    def sizes(self) -> Ints:
        """Number of residuals of each test point, or one number if all have the same group."""
        sizes = np.repeat(self._block_sizes, [block.shape[1] for block in self.blocks])
        return sizes if self.repeats is None else np.repeat(sizes, self.repeats)

    def quantiles(self, alpha: float, rule: str) -> Quantiles:
        """The quantiles of each test point in the order of `points`, or one pair for all."""
        return self.of_groups(alpha, rule).repeated(self.repeats)

    def of_groups(self, alpha: float, rule: str) -> Quantiles:
        """Returns the quantiles of each group."""
        low, high = ranks_of(self._block_sizes, alpha, rule)
        guaranteed = float(((high - low) / (self._block_sizes + 1)).min())
        lower, upper = (
            np.concatenate([block[at] for block, at in zip(self.blocks, rank, strict=True)])
            for rank in (low.tolist(), high.tolist())
        )
        return Quantiles(lower, upper, guaranteed)


#: Test weights are rounded up to at most this many different levels. Each level has its own
#: quantiles.
LEVELS = 16


@dataclass(frozen=True)
class WeightedResiduals:
    """Residuals of one label with weights, in place of `GroupedResiduals`.

    If a person has m rows of the label, each weighs ``1 / m``, and the test point weighs 1. So each
    of K people and the new person counts once, whatever their number of rows (Dunn, Wasserman and
    Ramdas 2022; Lee, Barber and Willett 2024). The interval then holds for a random row of a new
    person.

    Parameters
    ----------
    residuals, weights : ndarray of shape (n,)
        Ascending residuals, and their positive weights.
    levels : ndarray of shape (g,)
        Ascending distinct weights of test points, rounded up so that there are at most `LEVELS`.
    points : ndarray of shape (n_test,) or None
        Test points of the label in the order of their levels. None if there is one level.
    repeats : ndarray of shape (g,) or None
        Number of test points at each level. None if there is one level.
    people : int or None
        Number of people of the rows. None if each row stands for itself.
    """

    residuals: Floats
    weights: Floats
    levels: Floats
    points: Ints | None = None
    repeats: Ints | None = None
    people: int | None = None

    @classmethod
    def of(
        cls,
        residuals: Floats,
        weights: Floats,
        test_weights: Floats | None = None,
        people: int | None = None,
    ) -> WeightedResiduals:
        """Sorts the residuals of positive weight.

        Without `test_weights`, a test point weighs as much as the heaviest residual or, if
        residuals belong to people, 1.
        """
        there = np.flatnonzero(weights > 0)
        order = there[np.argsort(residuals[there], kind="stable")]
        ordered, sorted_weights = residuals[order], weights[order]
        if test_weights is None or not test_weights.size:
            level = 1.0 if people is not None else sorted_weights.max(initial=0.0)
            return cls(ordered, sorted_weights, np.array([level]), people=people)
        levels, place = weight_levels(test_weights)
        if levels.size == 1:
            return cls(ordered, sorted_weights, levels, people=people)
        by_level = np.argsort(place, kind="stable")
        return cls(ordered, sorted_weights, levels, by_level, np.bincount(place), people)

    @property
    def smallest(self) -> int:
        """The sample size: people or, without people, the effective number of rows, rounded down.

        `GroupedResiduals` has this number for its smallest group. Here all rows are one group.
        """
        if self.people is not None:
            return self.people
        return int(effective_n(self.weights)) if self.weights.size else 0

    @property
    def own_share(self) -> float:
        """Weight of the lightest test point, as a share of all weights including its own."""
        own = float(self.levels[0])
        return own / (float(self.weights.sum()) + own)

    def vacuous_below(self, rule: str) -> float:
        """Significance level below which no test point has a finite limit."""
        own = float(self.levels[0])
        total = float(self.weights.sum()) + own
        moved = self._masses.moved(own) * self._masses.scale if rule == "paper" else 0.0
        return max(own, 2 * (own - moved)) / total

    def quantiles(self, alpha: float, rule: str) -> Quantiles:
        """The quantiles of each test point in the order of `points`, or one pair for all."""
        return self.of_groups(alpha, rule).repeated(self.repeats)

    def of_groups(self, alpha: float, rule: str) -> Quantiles:
        """Returns the quantiles at each level of test weights."""
        padded = between_infinities(self.residuals)
        ranks = [self._masses.ranks(float(level), alpha, rule) for level in self.levels]
        lower, upper = padded[np.array(ranks).T]
        vacuous = bool((np.isneginf(lower) & np.isposinf(upper)).all())
        guaranteed = 1.0 if vacuous else float(1 - exact_alpha(alpha))
        return Quantiles(lower, upper, guaranteed)

    @cached_property
    def _masses(self) -> Masses:
        # If `moves` is true, the rule "paper" takes a rank up to one row lower than the rule
        # "split". If rows belong to people, both rules take the same rank, because a new person may
        # have any number of rows.
        return Masses.of(self.weights, self.levels, moves=self.people is None)


#: The residuals of a label, with or without weights.
Residuals = GroupedResiduals | WeightedResiduals


def weight_levels(weights: Floats) -> tuple[Floats, Ints]:
    """Returns at most `LEVELS` distinct weights (levels), and the index of each weight's level.

    The level of a weight is the smallest level not below it. Levels have about equally many points.
    A weight of 0 gets the smallest level above 0.
    """
    values, place = np.unique(weights, return_inverse=True)
    if values[0] == 0 and values.size > 1:
        values, place = values[1:], np.maximum(place - 1, 0)
    if values.size <= LEVELS:
        return values, place
    ranks = np.ceil(np.arange(1, LEVELS + 1) * weights.size / LEVELS).astype(np.intp) - 1
    levels = np.unique(np.maximum(np.sort(weights)[ranks], values[0]))
    return levels, np.searchsorted(levels, weights)


def residuals_by_label(
    rows: CalibrationRows,
    residuals: Floats,
    positive: NDArray[np.bool_],
    test_weights: tuple[Floats, Floats] | None = None,
) -> tuple[Residuals, Residuals]:
    """Makes the residuals of the negative and of the positive label.

    `positive` tells the label of each residual. `test_weights` has the weights of the negative and
    of the positive test points, or None if they have no weights.
    """
    own = (None, None) if test_weights is None else test_weights
    return by_label(lambda k: _of_label(rows, residuals, positive == k, own[k]))


def _of_label(
    rows: CalibrationRows,
    residuals: Floats,
    of_label: NDArray[np.bool_],
    test_weights: Floats | None,
) -> Residuals:
    """Makes the residuals of the rows in `of_label`, for test points with the given weights."""
    if rows.within is not None:
        of_label = of_label & rows.within
    wanted = residuals[of_label]
    if not wanted.size:
        return GroupedResiduals.pooled(wanted)
    if rows.people is not None:
        codes = np.unique(rows.people[of_label], return_inverse=True)[1]
        sizes = np.bincount(codes)
        return WeightedResiduals.of(wanted, 1 / sizes[codes], people=int(sizes.size))
    if rows.weights is None:
        return GroupedResiduals.pooled(wanted)
    weights = rows.weights[of_label]
    refuse_weightless_label(weights)
    alone = test_weights is None or bool((test_weights == test_weights[:1]).all())
    own = weights.max() if test_weights is None or not test_weights.size else test_weights[0]
    if alone and bool((weights[weights > 0] == own).all()):
        # If all weights are equal, residuals without weights give the same limits, and texts that
        # do not speak of weights.
        return GroupedResiduals.pooled(wanted[weights > 0])
    return WeightedResiduals.of(wanted, weights, test_weights)
