"""The operating point in a picture, with an error bar for each rate."""

from __future__ import annotations

from typing import NamedTuple

from conformal_roc_widget.evaluation.band import ConformalBand, OperatingPoint
from conformal_roc_widget.evaluation.ideal_curve import IdealCurve
from conformal_roc_widget.text import threshold_text
from conformal_roc_widget.view import ideal
from conformal_roc_widget.view.theme import Pen, Theme


class Bar(NamedTuple):
    """Straight piece of an error bar, from one rate to another."""

    lower: float
    upper: float
    pen: Pen


class Arm(NamedTuple):
    """Error bar of a rate at the operating point: dots to the axis where a limit is missing."""

    label: int
    bars: tuple[Bar, ...]
    #: Limits, which have caps, and their line.
    caps: tuple[float, ...]
    pen: Pen
    #: What it reaches from and to, where it has a length.
    lower: float
    upper: float


class Mark(NamedTuple):
    """Operating point with its threshold written beside it."""

    point: OperatingPoint
    arms: tuple[Arm, Arm]
    text: str
    #: Whether the text stands to the left, and whether above.
    left: bool
    above: bool


def mark_of(
    point: OperatingPoint,
    band: ConformalBand,
    ideal_curve: IdealCurve | str,
    colours: Theme,
    *,
    has_arms: bool = True,
) -> Mark:
    """Mark with the limits of the band, or with those of an ideal model's own curve."""
    if not has_arms:
        arms = (
            Arm(0, (), (), colours.limits(0, width=2), point.fpr_lower, point.fpr_upper),
            Arm(1, (), (), colours.limits(1, width=2), point.tpr_lower, point.tpr_upper),
        )
    elif ideal_curve:
        level = Arm(0, (), (), colours.limits(0, width=2), point.fpr, point.fpr)
        arms = level, _ideal_arm(point, ideal_curve, colours.limits(1, width=2))
    else:
        arms = (
            _arm(0, band, (point.fpr, point.fpr_lower, point.fpr_upper), colours),
            _arm(1, band, (point.tpr, point.tpr_lower, point.tpr_upper), colours),
        )
    return Mark(
        point,
        arms,
        f"λ {threshold_text(point.threshold)}",
        left=point.fpr > 0.8,
        above=point.tpr <= 0.1,
    )


def _ideal_arm(point: OperatingPoint, ideal_curve: IdealCurve | str, pen: Pen) -> Arm:
    """Upright arm of an ideal model's own curve; without length where there is none."""
    if isinstance(ideal_curve, str):
        return Arm(1, (), (), pen, point.tpr, point.tpr)
    ends = ideal.limits_at(ideal_curve, point.fpr)
    return Arm(1, (Bar(*ends, pen),), ends, pen, *ends)


def _arm(label: int, band: ConformalBand, rates: tuple[float, float, float], colours: Theme) -> Arm:
    """Arm of the observed rate with its lower and its upper limit."""
    rate, lower, upper = rates
    low, high = band.has_limits(label)
    pen = colours.limits(label, width=2)
    dots = colours.missing(label) if low or high else colours.unlimited
    bars = [Bar(lower if low else rate, upper if high else rate, pen)] if low or high else []
    bars += [Bar(0.0, rate, dots)] * (not low) + [Bar(rate, 1.0, dots)] * (not high)
    return Arm(label, tuple(bars), (lower,) * low + (upper,) * high, pen, lower, upper)
