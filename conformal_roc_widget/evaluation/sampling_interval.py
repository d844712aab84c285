"""An estimate with limits for the population, and areas with what their limits are made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, ndtri, stdtrit

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.choices import LooksName
from conformal_roc_widget.promise import (
    LARGE_SAMPLES,
    ONE_NUMBER,
    Guarantee,
    PromisedNumbers,
    Scope,
    sampling,
)

#: Whoever looks again as rows arrive has limits from so many rows of either label on; they are the
#: narrowest, beside those for one look, at so many.
FIRST_LOOK, NARROWEST = 20, 200
#: End of a target: limits are for the population, not only for the points at hand.
POPULATION = "in the population that the points were drawn from"


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
        Two-sided test that the population's difference is 0; NaN where none is possible.
    """

    z: float
    p_value: float

    @property
    def difference(self) -> float:
        """The value of the first score less that of the second."""
        return self.estimate


def placements(negatives: Floats, positives: Floats) -> tuple[Floats, Floats]:
    """Share of positives above each negative, and of negatives below each positive."""
    above = positives.size - _ranked(np.sort(positives), negatives)
    return above / positives.size, _ranked(np.sort(negatives), positives) / negatives.size


def _ranked(ordered: Floats, values: Floats) -> Floats:
    """How many of the `ordered` numbers lie below each value; equal ones count half."""
    smaller = np.searchsorted(ordered, values, side="left")
    return (smaller + np.searchsorted(ordered, values, side="right")) / 2


def logit_limits(value: float, half: float) -> tuple[float, float]:
    """Limits `half` around a value between 0 and 1, stretched to the scale of the logit."""
    centre, half = logit(value), half / (value * (1 - value))
    # Rounding on the way to the logit and back may pass the value.
    return min(float(expit(centre - half)), value), max(float(expit(centre + half)), value)


def far_at_any_look(alpha: float, rows: int) -> float:
    """How many standard errors limits are apart that hold at every look as rows arrive.

    In the place of a normal quantile it is the boundary that a normal mixture gives (Robbins 1970),
    with estimated errors an asymptotic confidence sequence (Waudby-Smith, Arbour, Sinha, Kennedy
    and Ramdas 2024). `rows` are those of the rarer label.
    """
    spread = rows * (math.log1p(-2 * math.log(alpha)) - 2 * math.log(alpha)) / NARROWEST
    return math.sqrt(2 * (spread + 1) / spread * (math.log1p(spread) / 2 - math.log(alpha)))


class Area(NamedTuple):
    """Area under a curve, or a part of it as a share of its most, and what limits are made of.

    `pairs` is a number of pairs of a positive and a negative of which no two share a person (0 if
    they tell nothing), and `df` that of the degrees of freedom that `variance` has.
    """

    value: float
    variance: float
    pairs: int
    df: float = math.inf
    #: The part of the rates over which the area is taken; 1 for all.
    part: float = 1.0
    #: Scale of its limits: "logit" or "delong".
    method: str = "logit"

    def limits(
        self, alpha: float, method: str | None = None, looks: LooksName = "once"
    ) -> tuple[float, float]:
        """Limits in [0, 1]: on the logit scale, or with "delong" around the area, cut at the ends.

        Without variance the first come from `pairs` alone, and the others have no width. At "any"
        of the looks they hold together, and there are none before `FIRST_LOOK` pairs.
        """
        method, is_any = method or self.method, looks == "any"
        if is_any and self.pairs < FIRST_LOOK:
            return 0.0, 1.0
        if not self.variance:
            # The looks share alpha: the sum of 1 / k^2 is pi^2 / 6.
            share = 6 / (math.pi * (self.pairs - FIRST_LOOK + 1)) ** 2 if is_any else 1.0
            return (self.value, self.value) if method == "delong" else self._by_pairs(alpha * share)
        if is_any:
            far = far_at_any_look(alpha, self.pairs)
        else:
            far = float(-ndtri(alpha / 2) if math.isinf(self.df) else -stdtrit(self.df, alpha / 2))
        half = far * math.sqrt(self.variance)
        if method == "delong":
            return max(self.value - half, 0.0), min(self.value + half, 1.0)
        return logit_limits(self.value, half)

    def _by_pairs(self, alpha: float) -> tuple[float, float]:
        """Limits for every sample size, where no variance can be estimated.

        Pairs without a person in common are independent. If each of k is in order, the chance that
        a pair is so is at least ``(alpha / 2) ** (1 / k)`` (Clopper and Pearson), and what is
        missing of the area is missing of no part by more than that. Else ``value -+ t`` with
        ``2 exp(-2 k t^2) = alpha`` holds (Hoeffding 1963, section 5), for the whole area alone.
        """
        if not self.pairs or not alpha / 2:
            return 0.0, 1.0
        each = math.log(alpha / 2) / self.pairs
        if self.value == 1:
            return max(1 + math.expm1(each) / self.part, 0.0), 1.0
        if self.value == 0:
            return 0.0, -math.expm1(each)
        half = math.sqrt(-each / 2)
        return max(self.value - half, 0.0), min(self.value + half, 1.0)


def area_of_rows(
    positive: NDArray[np.bool_], scores: Floats, groups: Ints | None = None
) -> Area | None:
    """Area under the curve of rows that count alike, with what DeLong's limits are made of.

    `groups` are codes of the rows' people. None if a label has one row, or one person.
    """
    negatives, positives = scores[~positive], scores[positive]
    owners = None if groups is None else (groups[~positive], groups[positive])
    counted = owners or (negatives, positives)
    if min(each.size if owners is None else np.unique(each).size for each in counted) < 2:
        return None
    if owners is None:  # searched in order they are found in a tenth of the time
        negatives, positives = np.sort(negatives), np.sort(positives)
    parts = placements(negatives, positives)
    value = float(parts[1].mean())
    # If people have several rows, pairs are used only if all scores are in one order, or equal.
    alike = value in (0.0, 1.0) or scores.min() == scores.max()
    pairs = min(negatives.size, positives.size) if owners is None else pairs_apart(owners)
    variance = Spread.of(parts, owners).variance
    return Area(value, variance, pairs if alike or owners is None else 0)


def pairs_apart(groups: tuple[Ints, Ints]) -> int:
    """The largest number of pairs of a negative and a positive that are all of different people.

    `groups` are codes of the people of negatives and of positives.
    """
    zeros, ones = (set(codes.tolist()) for codes in groups)
    return min(len(zeros), len(ones), len(zeros | ones) // 2)


#: A variance below this is one of rounding: that of areas of a million points a label is larger.
ROUNDED = 1e-26


class Spread(NamedTuple):
    """Variance of a sum over two labels, with its degrees of freedom."""

    variance: float
    df: float

    @classmethod
    def of(cls, parts: Sequence[Floats], groups: tuple[Ints, Ints] | None) -> Spread:
        """Variance of an area from what each label's rows contribute, as means over the label.

        Rows of one person are added up before they are squared (Obuchowski 1997). The degrees of
        freedom are Satterthwaite's (1946).
        """
        if groups is None:
            # Values are sorted, so that no digit reveals the order of the rows.
            shares = [float(np.sort(values).var(ddof=1)) / values.size for values in parts]
            there = [values.size for values in parts]
            variance = shares[0] + shares[1]
        else:
            people = 1 + max(int(codes.max()) for codes in groups)
            there = [np.unique(codes).size for codes in groups]
            sums = [
                np.bincount(codes, values - values.mean(), minlength=people) / values.size
                for values, codes in zip(parts, groups, strict=True)
            ]
            shares = [n / (n - 1) * float(of @ of) for of, n in zip(sums, there, strict=True)]
            both = people / (people - 1) * float(sums[0] @ sums[1])
            variance = shares[0] + shares[1] + 2 * both
        variance = variance if variance > ROUNDED else 0.0
        squares = sum(share**2 / (n - 1) for share, n in zip(shares, there, strict=True))
        return cls(variance, sum(shares) ** 2 / squares if squares else math.inf)
