"""An estimate with limits for the population, and the placements that such limits need."""

from __future__ import annotations

import math
from typing import NamedTuple, Self

import numpy as np
from scipy.special import ndtri

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.promise import (
    LARGE_SAMPLES,
    ONE_NUMBER,
    Guarantee,
    Phrase,
    PromisedNumbers,
    sampling,
)

#: Completes a target: limits are for the population, not only for the points at hand.
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
    """

    alpha: float
    method: str

    @classmethod
    def of(
        cls,
        values: tuple[float, float, float],
        *,
        alpha: float,
        method: str,
        target: str,
        scope: Phrase | str = ONE_NUMBER,
        guarantee: Guarantee = LARGE_SAMPLES,
    ) -> Self:
        """Estimate and limits with their promise; its guarantee has a place for the confidence."""
        interval = cls(*map(float, values))
        interval.alpha, interval.method = float(alpha), method
        return interval.under(sampling(scope, guarantee, target).at(alpha))


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


def area_limits(auc: float, variance: float, alpha: float) -> tuple[float, float]:
    """Large-sample limits of an area, cut at 0 and 1; without variance they have no width."""
    half = float(-ndtri(alpha / 2)) * math.sqrt(variance) if variance else 0.0
    return max(auc - half, 0.0), min(auc + half, 1.0)
