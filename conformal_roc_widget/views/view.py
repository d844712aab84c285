"""What every view is made of: a moment, words, and the marks that several views have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

from conformal_roc_widget.evaluation.at_alpha import AtAlpha
from conformal_roc_widget.evaluation.band import ConformalBand, OperatingPoint
from conformal_roc_widget.evaluation.ideal_curve import IdealCurve
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.reliability.calibration_band import CalibrationBand
from conformal_roc_widget.scene import Axis, Dot, Line, Mark, Pen, Points, Reading, Text
from conformal_roc_widget.text import number_text, percent, threshold_text
from conformal_roc_widget.view.comparator_state import Overlaid
from conformal_roc_widget.view.controls import Controls
from conformal_roc_widget.view.theme import EDGE_DASHES

CURVE, BASELINE = Pen("ink", 2), Pen("axis", 1, (2, 4))
#: Edges of the bands by label, and arms; on the side without a limit, dots.
LIMITS = Pen("label0", 1, EDGE_DASHES[0]), Pen("label1", 1, EDGE_DASHES[1])
ARMS = LIMITS[0]._replace(width=2), LIMITS[1]._replace(width=2)
MISSING = Pen("label0", 2, (2, 4)), Pen("label1", 2, (2, 4))
UNLIMITED = Pen("ink", 2, (2, 3))
#: Of a range that joins both labels, and so has the colour of neither.
RANGE, RANGE_ARM = Pen("axis"), Pen("muted", 2)
#: Part of the theme's strength in the fill of such a range.
RANGE_STRENGTH = 0.5
#: Half the length of a cap.
CAP = 5
#: The observed curve in the legend.
CLASSIFIER = "this classifier"


@dataclass(frozen=True, eq=False)
class Moment:
    """One evaluation at one moment of the controls."""

    evaluation: RocEvaluation
    controls: Controls
    comparators: Overlaid | None = None

    @cached_property
    def at(self) -> AtAlpha:
        """Everything at the alpha."""
        return self.evaluation.at(self.controls.alpha)

    @cached_property
    def band(self) -> ConformalBand:
        """The band at the vertices that a screen can show."""
        return self.at.band(self.evaluation.display_vertices.thresholds)

    @cached_property
    def point(self) -> OperatingPoint:
        """The operating point."""
        return self.at.operating_point(self.controls.threshold)

    @cached_property
    def ideal(self) -> IdealCurve | str:
        """The ideal model's own curve, or why there is none."""
        return self.evaluation.no_ideal_curve or self.evaluation.ideal_curve(self.controls.alpha)

    @cached_property
    def calibration(self) -> CalibrationBand:
        """The calibration band of the test points."""
        return self.evaluation.reliability(self.controls.alpha)

    @property
    def share(self) -> float:
        """Share of the positive class where the classifier is used."""
        share = self.controls.prevalence
        return self.evaluation.own_prevalence if share is None else float(share)

    @property
    def level(self) -> str:
        """Confidence in words."""
        return percent(1 - self.controls.alpha)

    @property
    def model(self) -> str:
        """Whose curve the limits are for."""
        return self.evaluation.promise.model

    @property
    def as_allowed(self) -> str:
        """How surely a range from both limits holds, as the end of a sentence."""
        if self.evaluation.promise.every_threshold:
            return f" ({self.level}, at every threshold at once)."
        return f", as far as both {self.level} intervals allow."

    @property
    def total(self) -> str:
        """How many test points there are, in words."""
        return f"{self.evaluation.n_test[0] + self.evaluation.n_test[1]:,} test points"


class Words(NamedTuple):
    """What is said of a moment."""

    #: Without the name of the evaluation.
    title: str
    #: The sentence above the plot.
    lead: str
    #: Target, scope and guarantee by name; empty where nothing is promised.
    promise: Mapping[str, str]
    #: Below the plot, after the promise.
    notes: tuple[str, ...] = ()
    #: Where no plot is seen: before the promise, and after it in place of the notes.
    details: tuple[str, ...] = ()
    comparators: tuple[str, ...] = ()


class View(Protocol):
    """A way to look at an evaluation."""

    def axes(self, moment: Moment) -> tuple[Axis, Axis]:
        """The axis across and the one up."""

    def marks(self, moment: Moment) -> list[Mark]:
        """Everything on the plot, the lowest first."""

    def words(self, moment: Moment) -> Words:
        """Everything around it."""


def share_text(share: float) -> str:
    """Share of positives as a percentage with one decimal at most."""
    return percent(float(number_text(share, 3)))


def corner(text: str) -> Text:
    """Text at the lower right."""
    return Text("corner", text, 1, 0, -8, -10, "end", bold=True)


def arm(
    name: str,
    ends: tuple[float, float],
    at: float,
    pen: Pen,
    axis: tuple[float, float] = (0.0, 1.0),
    *,
    level: bool = False,
) -> list[Mark]:
    """Straight line through a point, no further than the axis; an end beyond it has no cap."""
    low, high = axis
    along, beside = [min(max(end, low), high) for end in ends], [at, at]
    points = Points.of(along, beside) if level else Points.of(beside, along)
    caps: list[Mark] = [
        Dot(
            f"{name}-{side}",
            "",
            end if level else at,
            at if level else end,
            CAP,
            pen._replace(dashes=()),
            shape="upright" if level else "level",
        )
        for side, end in zip(("lower", "upper"), ends, strict=True)
        if low <= end <= high
    ]
    return [Line(name, "", points, pen), *caps]


def point(
    x: float,
    y: float,
    threshold: float,
    axis: tuple[float, float] = (0.0, 1.0),
    readings: tuple[Reading, ...] = (),
) -> list[Mark]:
    """The operating point, no further than the axis, with its threshold beside it."""
    low, high = axis
    y = min(max(y, low), high)
    is_left, is_above = x > 0.8, y - low <= 0.1 * (high - low)
    return [
        Dot("point", "", x, y, 7, Pen("paper", 2), "ink", readings=readings),
        Text(
            "point-text",
            f"λ {threshold_text(threshold)}",
            x,
            y,
            -12 if is_left else 12,
            -12 if is_above else 20,
            "end" if is_left else "start",
            bold=True,
        ),
    ]
