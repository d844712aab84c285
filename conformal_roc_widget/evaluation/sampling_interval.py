"""The record of an estimate with limits for the population: one number, or one difference."""

from __future__ import annotations

from typing import NamedTuple, Self

#: Which points the limits speak of beyond those at hand.
POPULATION = "in the population that the points were drawn from"
LARGE_SAMPLES = "{confidence} in large samples; none for a finite one"


class _Triple(NamedTuple):
    estimate: float
    lower: float
    upper: float


class SamplingInterval(_Triple):
    """Estimate with two limits for the population's value; unpacks into these three floats.

    Attributes
    ----------
    estimate, lower, upper : float
        The value on the points at hand, and its limits.
    alpha : float
        Significance level.
    method : str
        Name of the method.
    target, scope, guarantee : str
        What the limits are for, how much of it at once, and how surely.
    """

    alpha: float
    method: str
    target: str
    scope: str
    guarantee: str

    @classmethod
    def of(
        cls,
        values: tuple[float, float, float],
        *,
        alpha: float,
        method: str,
        target: str,
        scope: str,
        guarantee: str,
    ) -> Self:
        """Estimate and limits with their promise; the guarantee is a sentence in full."""
        interval = cls(*map(float, values))
        interval.alpha, interval.method = alpha, method
        interval.target, interval.scope, interval.guarantee = target, scope, guarantee
        return interval


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
