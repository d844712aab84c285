"""Mean of several areas under curves that share rows, with what its limits are made of.

An area is a mean over the rows of each label, so that it moves with each row by the row's
influence. Those that a row has on all areas are added up before they are squared: so areas that
share rows have their covariance (DeLong, DeLong and Clarke-Pearson 1988), and so have rows of one
person (Obuchowski 1997).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.evaluation.sampling_interval import ROUNDED, Area, pairs_apart


class Rows(NamedTuple):
    """Rows of one curve that have a weight."""

    positive: NDArray[np.bool_]
    scores: Floats
    weights: Floats
    #: Whom they belong to; rows themselves where nobody has two.
    owners: Ints

    @classmethod
    def of(cls, evaluation: Any) -> Rows:
        """The test rows of an evaluation."""
        n, weights, owners = evaluation.labels.size, evaluation.sample_weight, evaluation.groups
        weights = np.ones(n) if weights is None else np.asarray(weights, dtype=float)
        owners = np.arange(n) if owners is None else owners
        return cls(evaluation.labels == 1, evaluation.scores, weights, owners)

    @property
    def in_order(self) -> Rows:
        """The rows by score, label and weight, so that no sum hangs on the order of a table."""
        plain = np.array_equal(self.owners, np.arange(self.owners.size))
        if plain and (self.weights == self.weights[0]).all():  # sums of equal numbers do not
            return self
        order = np.lexsort((self.weights, self.positive, self.scores))
        positive, scores, weights, owners = self
        return Rows(positive[order], scores[order], weights[order], owners[order])

    @property
    def placed(self) -> Floats:
        """Weight of the other label's rows on the right side of each row, as a share; ties half."""
        found = np.empty(self.scores.size)
        for mine in (self.positive, ~self.positive):
            below = _share_below(self.scores[~mine], self.weights[~mine], self.scores[mine])
            found[mine] = below if mine is self.positive else 1 - below
        return found

    def influences(self, placed: Floats, area: float) -> Floats:
        """How far the area moves with each row: around `area`, as shares of its label's weight."""
        ones, zeros = self.weights[self.positive].sum(), self.weights[~self.positive].sum()
        total = np.where(self.positive, ones, zeros)
        found: Floats = self.weights * (placed - area) / total
        return found

    def owners_of(self, label: int) -> int:
        """How many people, or rows, a label has."""
        return int(np.unique(self.owners[(self.positive == label) & (self.weights > 0)]).size)

    @property
    def pairs(self) -> int:
        """Pairs of a negative and a positive of which no two share a person."""
        there = self.weights > 0
        zeros, ones = (self.owners[there & (self.positive == k)] for k in (0, 1))
        if np.unique(self.owners).size == self.owners.size:
            return min(int(zeros.size), int(ones.size))
        return pairs_apart((zeros, ones))


def _share_below(values: Floats, weights: Floats, at: Floats) -> Floats:
    """Share of the weight of `values` that lies below each place; equal ones count half."""
    order = np.argsort(values, kind="stable")
    ordered, sums = values[order], np.concatenate([[0.0], np.cumsum(weights[order])])
    low, high = (sums[np.searchsorted(ordered, at, side=side)] for side in ("left", "right"))
    shares: Floats = (low + high) / (2 * sums[-1])
    return shares


def mean_area_of_classes(
    evaluations: Mapping[Any, Any], shares: Mapping[Any, float]
) -> Area | None:
    """Mean area of classes of which each row has one, weighed by shares that are given.

    None where the evaluations do not know the rows that they share, or a label has one person.
    """
    each = list(evaluations.values())
    if not are_of_the_same_rows(each):
        return None
    rows = [Rows.of(evaluation) for evaluation in each]
    if min(one.owners_of(label) for one in rows for label in (0, 1)) < 2:
        return None
    value, influences = 0.0, np.zeros(rows[0].scores.size)
    for (label, evaluation), one in zip(evaluations.items(), rows, strict=True):
        area, share = evaluation.observed_auc, shares[label]
        value += share * area
        influences += share * _unbiased(one, one.influences(one.placed, area))
    alike = value in (0.0, 1.0)
    # Areas that are all 0 or all 1 have no variance: limits come from pairs, the fewest of a class.
    pairs = min(one.pairs for one in rows) if alike else 0
    return Area(value, _sum_of_squares(influences, rows[0].owners), pairs)


def mean_area_of_folds(folds: Sequence[Any], people: Sequence[Ints] | None) -> Area:
    """Mean area of folds whose rows have weights; influences are around the mean of all folds."""
    rows = [Rows.of(fold) for fold in folds]
    placed, mean = [one.placed for one in rows], float(np.mean([f.observed_auc for f in folds]))
    sizes = [one.scores.size for one in rows]
    owners = np.arange(sum(sizes)) if people is None else np.concatenate(people)
    parts = np.concatenate(
        [one.influences(where, mean) for one, where in zip(rows, placed, strict=True)]
    ) / len(rows)
    positive, weights = (
        np.concatenate(of) for of in zip(*((r.positive, r.weights) for r in rows), strict=True)
    )
    every = Rows(positive, np.concatenate(placed), weights, owners)
    alike = np.unique(every.scores[weights > 0]).size == 1
    pairs = len(rows) * min(one.pairs for one in rows) if alike else 0
    if min(every.owners_of(label) for label in (0, 1)) < 2:
        return Area(mean, 0.0, pairs)
    return Area(mean, _sum_of_squares(_unbiased(every, parts), owners), pairs)


def _unbiased(rows: Rows, influences: Floats) -> Floats:
    """Influences whose squares add up to the variance of a sample's mean, label by label."""
    n = [rows.owners_of(label) for label in (0, 1)]
    far = [math.sqrt(each / (each - 1)) for each in n]
    return np.where(rows.positive, far[1], far[0]) * influences


def _sum_of_squares(influences: Floats, owners: Ints) -> float:
    """Squares of what each person, or row, adds up to; in their order by size."""
    sums = np.bincount(owners, influences)
    variance = float((np.sort(np.abs(sums)) ** 2).sum())
    return variance if variance > ROUNDED else 0.0


def are_of_the_same_rows(evaluations: Sequence[Any]) -> bool:
    """Whether each row, known by itself, is positive for one of them, with one weight and owner."""
    first = evaluations[0]
    if any(not e.has_single_points or e.follow_up is not None for e in evaluations):
        return False
    if len({e.labels.size for e in evaluations}) > 1:
        return False
    if any((np.sum([e.labels for e in evaluations], axis=0) != 1).tolist()):
        return False
    return all(
        _same(e.sample_weight, first.sample_weight) and _same(e.groups, first.groups)
        for e in evaluations
    )


def _same(one: Any, other: Any) -> bool:
    return (one is None) == (other is None) and (one is None or np.array_equal(one, other))
