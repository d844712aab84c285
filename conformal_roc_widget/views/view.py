"""What every view is made of: a moment, its marks and its words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from conformal_roc_widget.evaluation.at_alpha import AtAlpha
from conformal_roc_widget.evaluation.band import ConformalBand, OperatingPoint
from conformal_roc_widget.evaluation.ideal_curve import IdealCurve
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.promise import Model
from conformal_roc_widget.reliability.calibration_band import CalibrationBand
from conformal_roc_widget.scene import Axis, Mark
from conformal_roc_widget.shown.comparator_state import Overlaid
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.sentences import joint_sides
from conformal_roc_widget.text import class_in_line, number_text
from conformal_roc_widget.words import words


@dataclass(frozen=True, eq=False)
class Moment:
    """One evaluation at one moment of the controls."""

    evaluation: RocEvaluation
    controls: Controls
    comparators: Overlaid | None = None
    #: Whether readers have no data to fit anew, as those of a page.
    is_page: bool = False

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
        return self.evaluation.display_reliability(self.controls.alpha)

    @property
    def sampled_area(self) -> tuple[float, float] | None:
        """Limits of the area with more test data; those of the redraws, if no others are known."""
        area, overlaid = self.evaluation.sampled_area, self.comparators
        if area is not None:
            return area.limits(self.controls.alpha)
        is_known = overlaid is not None and overlaid.alpha == self.controls.alpha
        return overlaid.delong if overlaid is not None and is_known else None

    @property
    def share(self) -> float:
        """Share of the positive class where the classifier is used."""
        share = self.controls.prevalence
        return self.evaluation.own_prevalence if share is None else float(share)

    @property
    def positive(self) -> str:
        """The positive class in words."""
        return class_in_line(self.evaluation.classes[1])

    @property
    def model(self) -> Model:
        """The model whose curve the limits bound."""
        return self.evaluation.promise.whose

    @property
    def holds(self) -> str:
        """The sentence on how surely a range holds that both labels' limits allow."""
        is_joint = self.evaluation.promise.every_threshold
        return words("answer.holds_everywhere" if is_joint else "answer.no_guarantee")

    def could_lie(self, lower: float, upper: float, digits: int = 2) -> str:
        """Where another model's figure of both labels could lie, if anything bounds it."""
        ends = {"lower": number_text(lower, digits), "upper": number_text(upper, digits)}
        is_bounded = any(joint_sides(self.band))
        key = "answer.could" if is_bounded else "answer.could_without"
        return words(key, **self.given, **ends)

    @property
    def no_risks(self) -> str:
        """A space and the sentence on margins, if the scores are margins; else empty."""
        return f" {words('answer.margins')}" if self.evaluation.display.margins else ""

    @property
    def start(self) -> str:
        """Start of a sentence: "At threshold 0.40, ", with the time by which an event counts."""
        threshold, followed = self.controls.threshold, self.evaluation.follow_up
        if followed is None:
            return words("answer.at_threshold", threshold=threshold)
        return words("answer.by_at_threshold", time=followed.by, threshold=threshold)

    @property
    def given(self) -> dict[str, Any]:
        """Values for every answer's template: place, whose limits, at which level."""
        level = 1 - self.controls.alpha
        return {"start": self.start, "model": self.model.name, "level": level}

    @property
    def called(self) -> tuple[float, float]:
        """How many test points of label 0 and of label 1 are called.

        Rows, if outcomes have a time.
        """
        if self.evaluation.follow_up is None:
            return self.point.fp, self.point.tp
        over = self.evaluation.scores >= self.controls.threshold
        ones = int(over[self.evaluation.labels == 1].sum())
        return int(over.sum()) - ones, ones


class Words(NamedTuple):
    """The words on a moment."""

    #: Title, without the name of the evaluation.
    title: str
    #: The sentence above the plot.
    lead: str
    #: Target, scope and guarantee by name; empty where nothing is promised.
    promise: Mapping[str, str]
    #: Sentences below the plot, after the promise.
    notes: tuple[str, ...] = ()
    #: For text without a plot: sentences before the promise; `comparators` those after it, in place
    #: of the notes.
    details: tuple[str, ...] = ()
    comparators: tuple[str, ...] = ()


class View(Protocol):
    """A way to look at an evaluation."""

    def axes(self, moment: Moment) -> tuple[Axis, Axis]:
        """The axis across and the one up."""

    def marks(self, moment: Moment) -> list[Mark]:
        """Everything on the plot, the lowest first."""

    def words(self, moment: Moment) -> Words:
        """The words around the plot."""
