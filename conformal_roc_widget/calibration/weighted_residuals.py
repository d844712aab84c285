"""Calibration residuals whose rows stand for more or less than one: weights, and people's rows.

A row of a person with m rows of the label weighs ``1 / m`` and the test point 1, so that each
person has one part of K + 1, whoever has more rows (Dunn, Wasserman and Ramdas 2022; Lee, Barber
and Willett 2024): the interval holds a random row of a new person.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import (
    Floats,
    Ints,
    groups_of,
    labels_of,
    row_weights_of,
    shortened,
)
from conformal_roc_widget.calibration.quantiles import Masses, effective_n, exact_alpha
from conformal_roc_widget.calibration.residual_groups import GroupedResiduals, Quantiles

#: Test weights are served in at most so many levels, each by its largest weight.
LEVELS = 16
#: From points to their weights: a likelihood ratio.
CALIBRATION = ("_calibration", "_calibration")
GROUPS = ("groups_calibration", "groups_test")
Ratio = Callable[[Any], Any]


@dataclass(frozen=True)
class WeightedResiduals:
    """Residuals of one label with weights; offers what `GroupedResiduals` does.

    Parameters
    ----------
    residuals, weights : ndarray of shape (n,)
        Residuals, ascending, and their weights, above 0.
    levels : ndarray of shape (g,)
        Weights by which the test points of the label are served, ascending.
    points : ndarray of shape (n_test,) or None
        Test points of the label in the order of their levels; None where one level serves all.
    repeats : ndarray of shape (g,) or None
        How many test points each level serves; None with one level.
    people : int or None
        How many people the rows belong to; None where each row stands for itself.
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
        """Sorts residuals of positive weight; test points weigh as the heaviest if not told."""
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
        """Number that stands where n does: of people, or of equal weights that vary as little."""
        if self.people is not None:
            return self.people
        return int(effective_n(self.weights)) if self.weights.size else 0

    @property
    def largest(self) -> int:
        """As `smallest`."""
        return self.smallest

    @property
    def own_share(self) -> float:
        """Share of the lightest test point in its sum of weights."""
        own = float(self.levels[0])
        return own / (float(self.weights.sum()) + own)

    def vacuous_below(self, rule: str) -> float:
        """Significance level below which no test point has a limit."""
        own = float(self.levels[0])
        total = float(self.weights.sum()) + own
        moved = self._masses.unit * self._masses.scale if rule == "paper" else 0.0
        return max(own, 2 * (own - moved)) / total

    def without_limits(self, alpha: float, rule: str) -> int:
        """How many levels have no limit at all."""
        pair = self._at_levels(alpha, rule)
        return int((np.isneginf(pair[0]) & np.isposinf(pair[1])).sum())

    def quantiles(self, alpha: float, rule: str) -> Quantiles:
        """Both order statistics of every test point in the order of `points`, or of all at once."""
        lower, upper = self._at_levels(alpha, rule)
        vacuous = bool((np.isneginf(lower) & np.isposinf(upper)).all())
        guaranteed = 1.0 if vacuous else float(1 - exact_alpha(alpha))
        if self.repeats is None:
            return Quantiles(lower, upper, guaranteed)
        return Quantiles(np.repeat(lower, self.repeats), np.repeat(upper, self.repeats), guaranteed)

    def _at_levels(self, alpha: float, rule: str) -> tuple[Floats, Floats]:
        padded = np.concatenate([[-np.inf], self.residuals, [np.inf]])
        ranks = [self._masses.ranks(float(level), alpha, rule) for level in self.levels]
        low, high = np.array(ranks).T
        return padded[low], padded[high]

    @cached_property
    def _masses(self) -> Masses:
        # Which person is the new one must not matter, and nobody knows how many rows that one has:
        # no unit is moved from one side to the other.
        return Masses.of(self.weights, self.levels, moves=self.people is None)


def refuse_shared_groups(calibration: Any, test: Any, names: tuple[str, str] = GROUPS) -> None:
    """Refuses test points of people who calibrate."""
    if calibration is None or test is None:
        return
    known = labels_of(calibration, names[0])
    shared = np.intersect1d(known, labels_of(test, names[1])).tolist()
    if shared:
        raise ValueError(
            f"{names[1]}: found {shortened(shared)} in {names[0]} too, expected people who do not "
            "calibrate"
        )


#: Residuals of a label, however its rows count.
Residuals = GroupedResiduals | WeightedResiduals


def weight_levels(weights: Floats) -> tuple[Floats, Ints]:
    """At most `LEVELS` weights, and for each given one the place of the least that bears it.

    Levels hold equally many points; a weight of 0 is served by the smallest above it.
    """
    values, place = np.unique(weights, return_inverse=True)
    if values[0] == 0 and values.size > 1:
        values, place = values[1:], np.maximum(place - 1, 0)
    if values.size <= LEVELS:
        return values, place
    ranks = np.ceil(np.arange(1, LEVELS + 1) * weights.size / LEVELS).astype(np.intp) - 1
    levels = np.unique(np.maximum(np.sort(weights)[ranks], values[0]))
    return levels, np.searchsorted(levels, weights)


class CalibrationRows(NamedTuple):
    """Whom the calibration rows stand for: themselves, weighted laws, or people."""

    #: Weights (n,), and the function that gave them and gives those of test points.
    weights: Floats | None = None
    ratio: Ratio | None = None
    #: Codes of the people (n,).
    people: Ints | None = None
    #: Rows that calibrate (n,); None where all do.
    within: NDArray[np.bool_] | None = None

    @classmethod
    def of(
        cls,
        points: Any,
        n: int,
        sample_weight: Any,
        groups: Any,
        suffixes: tuple[str, str] = CALIBRATION,
    ) -> CalibrationRows:
        """Checks weights, or asks a function of the points for them, and groups."""
        weight_name, group_name = f"sample_weight{suffixes[0]}", f"groups{suffixes[1]}"
        if sample_weight is not None and groups is not None:
            raise ValueError(
                f"{weight_name}, {group_name}: found both, expected one: there is no guarantee for "
                "people's rows of different weights"
            )
        if groups is not None:
            return cls(people=groups_of(groups, group_name, n))
        if sample_weight is None:
            return cls()
        ratio = sample_weight if callable(sample_weight) else None
        weights = sample_weight if ratio is None else ratio(points)
        return cls(row_weights_of(weights, weight_name, n).copy(), ratio)

    def rows(self, rows: Ints) -> CalibrationRows:
        """Those of some rows, in that order."""

        def some(values: Any) -> Any:
            return None if values is None else values[rows]

        return CalibrationRows(some(self.weights), self.ratio, some(self.people), some(self.within))

    @property
    def plain(self) -> bool:
        """Whether every row stands for itself, alike."""
        return self.weights is None and self.people is None

    def test_weights(self, points: Any, n: int) -> Floats | None:
        """Weights of test points, where there is a function for them."""
        if self.ratio is None:
            return None
        return row_weights_of(self.ratio(points), "sample_weight_calibration at test points", n)

    def residuals(
        self, residuals: Floats, of_label: NDArray[np.bool_], test_weights: Floats | None = None
    ) -> Residuals:
        """Residuals of one label, to serve test points of the given weights."""
        if self.within is not None:
            of_label = of_label & self.within
        wanted = residuals[of_label]
        if not wanted.size:
            return GroupedResiduals.pooled(wanted)
        if self.people is not None:
            codes = np.unique(self.people[of_label], return_inverse=True)[1]
            sizes = np.bincount(codes)
            return WeightedResiduals.of(wanted, 1 / sizes[codes], people=int(sizes.size))
        if self.weights is None:
            return GroupedResiduals.pooled(wanted)
        weights = self.weights[of_label]
        if not weights.any():
            raise ValueError(
                "sample_weight_calibration: found 0 for every row of a label, expected some weight"
            )
        alone = test_weights is None or bool((test_weights == test_weights[:1]).all())
        own = weights.max() if test_weights is None or not test_weights.size else test_weights[0]
        if alone and bool((weights[weights > 0] == own).all()):
            # All alike: the ranks are those without weights, and so is all that is said of them.
            return GroupedResiduals.pooled(wanted[weights > 0])
        return WeightedResiduals.of(wanted, weights, test_weights)

    def remarks(self, codes: Ints) -> tuple[str, ...]:
        """Sentences on whom the rows of both labels stand for."""
        if self.plain:
            return ()
        there = np.ones(codes.size, dtype=bool) if self.within is None else self.within
        said = " and ".join(self._label_in_words(there & (codes == k), k) for k in (0, 1))
        if self.people is not None:
            sentence = (
                f"The calibration rows belong to {said}: limits hold for a row of a new person, "
                "and n counts people, not rows."
            )
            return (sentence,)
        own = (
            "each test point weighs what the given function says, in levels"
            if self.ratio is not None
            else "a test point weighs as much as the heaviest row of its label"
        )
        return (f"The calibration rows have weights, and n is {said}; {own}.",)

    def _label_in_words(self, of_label: NDArray[np.bool_], k: int) -> str:
        rows = int(of_label.sum())
        if self.people is not None:
            return f"{np.unique(self.people[of_label]).size} people ({rows} rows) of label {k}"
        assert self.weights is not None
        alike = effective_n(self.weights[of_label]) if rows else 0
        return f"{alike:.0f} (of {rows} rows) of label {k}"

    def qualified(self, promise: str) -> str:
        """A promise, with what it takes beside the rest."""
        if self.people is not None:
            return f"{promise}, for a row of a new person"
        return promise if self.weights is None else f"{promise} and the weights are right"
