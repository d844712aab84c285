"""A figure of this classifier with limits for its population: one form for all figures.

A figure moves with each row by the row's influence. Influences of one person's rows are added up
before they are squared, as those of one row on several figures are: so weights, people, folds and
classes that share rows enter here, and nowhere else. Limits are made on a scale that has no end
where the figure has one. The twin is js/src/evaluation/estimate.ts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, ndtri, stdtrit

from conformal_roc_widget.arrays import Floats, Ints, labelled_scores, people_of, row_weights_of
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.choices import LooksName
from conformal_roc_widget.promise import (
    LARGE_SAMPLES,
    ONE_NUMBER,
    SCOPES,
    Guarantee,
    PromisedNumbers,
    Scope,
    sampling,
)
from conformal_roc_widget.reliability.binomial_limits import exact_limits
from conformal_roc_widget.tables.calibration_rows import effective_n

from .looks import FIRST_LOOK, far_at_any_look, no_look_yet

#: If one row, or person, makes a larger share of the variance than this, the losses have a heavy
#: tail. At .95 and 150 rows such limits held .885 of the time if the variance was infinite, and .94
#: if not.
LARGEST_SHARE = 0.3
#: End of a target: limits are for the population, not only for the points at hand.
POPULATION = "in the population that the points were drawn from"
#: A variance below this, in squares of the largest that a row can tell, is one of rounding: that of
#: areas of a million points a label is larger.
ROUNDED = 1e-26
#: So is one below this share of its parts, which cancel out.
CANCELLED = 1e-12


def target_of(figure: str) -> str:
    """The target of a figure's limits."""
    return f"{figure} of this classifier {POPULATION}"


class _Triple(NamedTuple):
    estimate: float
    lower: float
    upper: float


class SamplingInterval(PromisedNumbers, _Triple):
    """Estimate with two limits for the population's value; unpacks into these three floats.

    Attributes
    ----------
    estimate, lower, upper : float
        The value on the points at hand, and its limits.
    alpha : float
        Significance level.
    method : str
        Name of the method.
    promise : Promise
        What the limits are for, how much of it at once, and how surely; `target`, `scope` and
        `guarantee` are its words.
    notes : tuple of str
        Sentences on data that make the limits less trustworthy than they look.
    """

    alpha: float
    method: str
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        values: tuple[float, float, float],
        *,
        alpha: float,
        method: str,
        target: str,
        scope: Scope | str = ONE_NUMBER,
        guarantee: Guarantee = LARGE_SAMPLES,
        notes: tuple[str, ...] = (),
    ) -> Self:
        """Estimate and limits with their promise; its guarantee has a place for the confidence."""
        interval = cls(*map(float, values))
        interval.alpha, interval.method, interval.notes = float(alpha), method, notes
        return interval.with_promise(sampling(scope, guarantee, target).at(alpha))


class Difference(SamplingInterval):
    """Difference of two scores on the same points, with its test.

    Attributes
    ----------
    z, p_value : float
        Two-sided test that the population's difference is 0; NaN if none is possible.
    """

    z: float
    p_value: float

    @property
    def difference(self) -> float:
        """The value of the first score less that of the second."""
        return self.estimate


class Estimate(NamedTuple):
    """A figure, and what its limits at any alpha are made of.

    The variance is 0 where the rows do not tell it. Limits on the scale "share" are the exact ones
    of a share of as many `rows` as vary alike (Korn and Graubard 1998). On the scale "logit", of
    figures from 0 to 1, and "log", of figures without an upper end, they have the width of a normal
    law; without a variance, the first come from so many `rows` (pairs of rows, of an area) that
    have none in common. "delong" are around the value, cut at 0 and 1; "line" are not cut.
    """

    value: float
    variance: float = 0.0
    rows: float = 0.0
    scale: str = "logit"
    #: Degrees of freedom that the variance has.
    df: float = math.inf
    #: The part of the false positive rates over which an area is taken; 1 for all.
    part: float = 1.0
    #: Whether one row makes a large share of the variance.
    is_heavy: bool = False

    def limits(self, alpha: float, looks: LooksName = "once") -> tuple[float, float]:
        """Limits, between which the value itself is.

        At "any" of the looks they hold together, of an area, whose `rows` are those of the rarer
        label: there are none before `FIRST_LOOK`.
        """
        low, high = self._limits(alpha, is_any=looks == "any")
        # Rounding, to a scale and back, may put a limit beyond the value.
        return min(low, self.value), max(high, self.value)

    def _limits(self, alpha: float, *, is_any: bool) -> tuple[float, float]:
        value = self.value
        if is_any and self.rows < FIRST_LOOK:
            return 0.0, 1.0
        if self.scale == "share":
            return exact_limits(value * self.rows, self.rows, alpha)
        if self.scale == "log" and not self.variance:
            # An infinite loss is certain to be infinite in the population.
            return (value if math.isinf(value) else 0.0), math.inf
        # A partial area of 0 may have a variance, but it has no logit.
        if self.scale == "logit" and not (self.variance and 0 < value < 1):
            # The looks share alpha: the sum of 1 / k^2 is pi^2 / 6.
            share = 6 / (math.pi * (self.rows - FIRST_LOOK + 1)) ** 2 if is_any else 1.0
            return self._by_rows(alpha * share)
        if is_any:
            far = far_at_any_look(alpha, self.rows)
        else:
            far = float(-ndtri(alpha / 2) if math.isinf(self.df) else -stdtrit(self.df, alpha / 2))
        half = far * math.sqrt(self.variance)
        if self.scale == "log":
            return value * math.exp(-half / value), value * math.exp(half / value)
        if self.scale == "delong":
            return max(value - half, 0.0), min(value + half, 1.0)
        if self.scale == "line":
            return value - half, value + half
        centre, half = logit(value), half / (value * (1 - value))
        return float(expit(centre - half)), float(expit(centre + half))

    def _by_rows(self, alpha: float) -> tuple[float, float]:
        """Limits for every sample size, for figures whose variance cannot be estimated.

        If each of k pairs without a row in common is in order, the chance that a pair is so is at
        least ``(alpha / 2) ** (1 / k)`` (Clopper and Pearson), and what is missing of the area is
        missing of no part by more than that. Else ``value -+ t`` with ``2 exp(-2 k t^2) = alpha``
        holds (Hoeffding 1963, section 5), for the whole area alone.
        """
        if not self.rows or not alpha / 2:
            return 0.0, 1.0
        each = math.log(alpha / 2) / self.rows
        if self.value == 1:
            return max(1 + math.expm1(each) / self.part, 0.0), 1.0
        if self.value == 0:
            return 0.0, -math.expm1(each)
        half = math.sqrt(-each / 2)
        return max(self.value - half, 0.0), min(self.value + half, 1.0)

    def interval(self, alpha: float, looks: LooksName = "once", **about: Any) -> SamplingInterval:
        """The value with its limits and their promise; `about` as in `SamplingInterval.of`."""
        limits = self.limits(float(exact_alpha(alpha)), looks)
        if looks == "any":
            notes = *about.get("notes", ()), *no_look_yet(self.rows, looks)
            about |= {"scope": SCOPES["one_number_any_look"], "notes": notes}
        return SamplingInterval.of((self.value, *limits), alpha=alpha, **about)


class Rows(NamedTuple):
    """Labels and scores of rows, with their weights and the codes of their people, or None."""

    positive: NDArray[np.bool_]
    scores: Floats
    weights: Floats | None = None
    owners: Ints | None = None

    @classmethod
    def of(
        cls,
        positive: NDArray[np.bool_],
        scores: Floats,
        weights: Floats | None = None,
        owners: Ints | None = None,
    ) -> Rows:
        """The rows of positive weight; equal weights, and people with one row each, are None."""
        if weights is not None and not weights.all():
            there = weights > 0
            positive, scores, weights = positive[there], scores[there], weights[there]
            owners = None if owners is None else owners[there]
        if weights is not None and (weights == weights[0]).all():
            weights = None
        if owners is not None:
            owners = np.unique(owners, return_inverse=True)[1]
            owners = None if owners.max() + 1 == owners.size else owners
        return cls(positive, scores, weights, owners)

    @classmethod
    def given(
        cls,
        y: ArrayLike,
        score: ArrayLike,
        pos_label: Any,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Rows:
        """Rows as a user gives them."""
        positive, scores = labelled_scores(y, score, pos_label=pos_label)
        owners = None if groups is None else people_of(groups, "groups", positive.size)
        weights = sample_weight
        if weights is not None:
            weights = row_weights_of(weights, "sample_weight", positive.size)
        return cls.of(positive, scores, weights, owners)

    @property
    def plain(self) -> bool:
        """Whether rows are independent and count alike."""
        return self.weights is None and self.owners is None

    @property
    def in_order(self) -> Rows:
        """The rows by score, label and weight, so that no sum hangs on the order of a table."""
        if self.plain:  # sums of equal numbers do not
            return self
        order = np.lexsort((self.masses, self.positive, self.scores))
        return self.at(order)

    @property
    def masses(self) -> Floats:
        """Weights of the rows."""
        return np.ones(self.scores.size) if self.weights is None else self.weights

    def of_label(self, label: int) -> Rows:
        """The rows of one label."""
        return self.at(self.positive == label)

    def at(self, where: Any) -> Rows:
        """The selected rows, in the order of the selection."""
        weights = None if self.weights is None else self.weights[where]
        owners = None if self.owners is None else self.owners[where]
        return Rows(self.positive[where], self.scores[where], weights, owners)

    def by_person(self, values: Floats) -> Floats:
        """The sum of each person's rows; the values themselves if each person has one row."""
        if self.owners is None:
            return values
        return np.bincount(self.owners, values).astype(float)

    @property
    def alike(self) -> float:
        """Effective number of people, or of rows (Kish 1965)."""
        if self.weights is None and self.owners is None:
            return float(self.scores.size)
        # Sorted: no sum may depend on the order in which people come.
        return effective_n(np.sort(self.by_person(self.masses)))

    @property
    def people(self) -> int:
        """How many people, or rows, there are."""
        return self.scores.size if self.owners is None else int(np.unique(self.owners).size)

    @property
    def placed(self) -> tuple[Floats, Floats]:
        """By label, the share of the other label's weight on the right side of each row."""
        zeros, ones = self.of_label(0), self.of_label(1)
        weights = None if self.weights is None else (zeros.masses, ones.masses)
        return placements(zeros.scores, ones.scores, weights)

    @property
    def fewest(self) -> int:
        """How many people, or rows, the rarer label has."""
        if self.owners is None:
            ones = int(np.count_nonzero(self.positive))
            return min(ones, self.positive.size - ones)
        return min(int(np.unique(self.owners[self.positive == k]).size) for k in (0, 1))

    def mean(self, values: Floats, scale: str = "logit") -> Estimate:
        """Weighted mean of the rows' values."""
        rows = self
        if self.plain:
            values = np.sort(values)
        else:  # sorted, so that the last digit does not depend on the order of rows
            order = np.lexsort((self.masses, values))
            values, rows = values[order], self.at(order)
        total = float(rows.masses.sum())
        with np.errstate(under="ignore"):
            value = float(rows.masses @ values / total)
        if math.isinf(value):
            return Estimate(value, scale=scale)
        sums = rows.by_person(rows.masses * (values - value) / total)
        if scale == "share":
            most, people = effective_n(rows.masses), self.alike
            many = rows_of_share(value, squares(sums), most, people)
            return Estimate(value, rows=many, scale="share")
        n = self.people
        variance = squares(sums) * n / (n - 1) if n > 1 else 0.0
        found = Estimate(value, told(variance, float(np.abs(values).max())), scale=scale)
        is_heavy = float(np.square(sums).max()) > LARGEST_SHARE * squares(sums)
        return found._replace(is_heavy=is_heavy) if found.variance else found


def squares(sums: Floats) -> float:
    """Sum of squares of sorted numbers: no digit may depend on the order of rows."""
    return float((np.sort(np.abs(sums)) ** 2).sum())


def told(variance: float, largest: float = 1.0) -> float:
    """The variance, or 0 if it is only rounding."""
    return variance if variance > ROUNDED * largest**2 else 0.0


def rows_of_share(value: float, variance: float, most: float, people: float) -> float:
    """The number of independent rows with which a share would have this variance.

    It is at most `most`. If nothing varies, it is the number of people.
    """
    return min(value * (1 - value) / variance, most) if told(variance) else people


class Parts(NamedTuple):
    """A figure of both labels, and how far each row of label 0 and of label 1 moves it."""

    value: float
    zeros: Floats
    ones: Floats

    @classmethod
    def around(cls, value: float, placed: tuple[Floats, Floats], rows: Rows) -> Parts:
        """Influences of rows from what each contributes to a mean over its label."""
        both = []
        for label, contributed in enumerate(placed):
            mine = rows.of_label(label).masses
            total = float(np.sort(mine).sum())
            mean = float(np.sort(mine * contributed).sum()) / total
            both.append(mine * (contributed - mean) / total)
        return cls(value, *both)

    def __sub__(self, other: Parts) -> Parts:
        return Parts(self.value - other.value, self.zeros - other.zeros, self.ones - other.ones)

    def scaled(self, by: float) -> Parts:
        """The figure times a number."""
        return Parts(by * self.value, by * self.zeros, by * self.ones)

    def spread(self, rows: Rows) -> tuple[float, float]:
        """Variance of the figure, and its degrees of freedom (Satterthwaite 1946).

        Rows of one person are added up before they are squared (Obuchowski 1997).
        """
        n = [rows.of_label(k).people for k in (0, 1)]
        if rows.owners is None:
            sums, both = [self.zeros, self.ones], 0.0
        else:
            most = int(rows.owners.max()) + 1
            sums = [
                np.bincount(rows.owners[rows.positive == k], part, minlength=most).astype(float)
                for k, part in enumerate((self.zeros, self.ones))
            ]
            both = 2 * float(sums[0] @ sums[1]) * unbiased(rows.people)
        shares = [unbiased(many) * squares(part) for many, part in zip(n, sums, strict=True)]
        apart = shares[0] + shares[1]
        # If one person's rows cancel each other, only rounding may remain.
        variance = told(apart + both) if apart + both > CANCELLED * apart else 0.0
        below = sum(share**2 / (many - 1) for share, many in zip(shares, n, strict=True))
        return variance, sum(shares) ** 2 / below if below else math.inf


def unbiased(n: float) -> float:
    """By what squares of a sample's own deviations are too small."""
    return 1 + 1 / (n - 1)


def pairs_apart(groups: tuple[Ints, Ints]) -> int:
    """The largest number of pairs of a negative and a positive that are all of different people.

    `groups` are codes of the people of negatives and of positives.
    """
    zeros, ones = (set(codes.tolist()) for codes in groups)
    return min(len(zeros), len(ones), len(zeros | ones) // 2)


def pairs_of(rows: Rows) -> float:
    """Pairs of a negative and a positive without a row, or person, in common, that count alike."""
    of = rows.of_label(0), rows.of_label(1)
    if of[0].owners is None or of[1].owners is None:
        return min(each.alike for each in of)
    alike = min(each.alike / each.people for each in of)
    return pairs_apart((of[0].owners, of[1].owners)) * min(alike, 1.0)


def placements(
    negatives: Floats, positives: Floats, weights: Sequence[Floats] | None = None
) -> tuple[Floats, Floats]:
    """Share of positives above each negative, and of negatives below each positive, ties half.

    With the weights of both, shares of these.
    """
    zeros, ones = (None, None) if weights is None else weights
    return 1 - _share_below(positives, ones, negatives), _share_below(negatives, zeros, positives)


def _share_below(values: Floats, weights: Floats | None, at: Floats) -> Floats:
    """Share of the weight of `values` that lies below each place; equal ones count half."""
    if weights is None:
        ordered = np.sort(values)
        smaller = np.searchsorted(ordered, at, side="left")
        found: Floats = (smaller + np.searchsorted(ordered, at, side="right")) / (2 * values.size)
        return found
    order = np.argsort(values, kind="stable")
    ordered, sums = values[order], np.concatenate([[0.0], np.cumsum(weights[order])])
    low, high = (sums[np.searchsorted(ordered, at, side=side)] for side in ("left", "right"))
    return np.asarray((low + high) / (2 * sums[-1]))
