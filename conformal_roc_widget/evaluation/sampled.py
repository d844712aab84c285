"""Figures of this classifier in all rows like these, from the rows of a curve."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.choices import LooksName
from conformal_roc_widget.evaluation.decisions.settled import (
    Settled,
    places_of,
    settled_counts,
    settled_rows,
)

from . import figures
from .estimate import Estimate, Rows, SamplingInterval, target_of

#: Names of an area without limits.
NO_LIMIT = "none: the rows tell no limit"
AREA = "area under the ROC curve"


class Sampled:
    """Figures of an observed curve with the numbers behind their limits; a part of that curve."""

    scores: Floats
    labels: NDArray[Any]
    weights: Floats | None
    people: Ints | None
    summary: Any
    follow_up: Any
    sizes: Any
    auc: Any
    dependence: Any
    any_size: Any
    steps: Any
    screen_vertices: Any
    counts: Any
    sorted_rows: Any
    at: Any
    at_one: Any

    @property
    def sample(self) -> Rows | None:
        """The rows; None if a table of them was summarized."""
        if self.summary is not None:
            return None
        return Rows(self.labels == 1, self.scores, self.weights, self.people)

    @cached_property
    def area(self) -> Estimate | None:
        """Area under the curve; None if rows are in a table, or a label has one row, or person."""
        if (rows := self.sample) is None or rows.fewest < 2:
            return None
        if rows.plain:
            _, fp, tp = self.steps
            return figures.area_of_counts(fp, tp, self.auc)
        return figures.area(rows.in_order, self.auc)

    def sampled_auc(self, alpha: float, looks: LooksName = "once") -> SamplingInterval:
        """The area with its limits; from 0 to 1 if the rows tell none."""
        rows, area = self.sample, self.area
        return (area or Estimate(self.auc)).interval(
            alpha,
            looks,
            method=NO_LIMIT if rows is None or area is None else figures.area_method(rows),
            target=target_of(AREA),
            notes=() if area is not None else (figures.NO_AREA,),
        )

    @cached_property
    def average_precision(self) -> Estimate | None:
        """Average precision; None if rows are in a table."""
        if (rows := self.sample) is None:
            return None
        if rows.plain:
            _, fp, tp = self.steps
            return figures.average_precision_of_counts(fp, tp)
        return figures.average_precision(rows)

    @cached_property
    def losses(self) -> dict[str, Estimate] | None:
        """Brier score and log loss by name; None if `no_losses` says why."""
        rows = self.sample
        if rows is None or self.no_losses:
            return None
        return {
            figures.BRIER_SCORE: figures.brier_score(rows),
            figures.LOG_LOSS: figures.log_loss(rows),
        }

    @property
    def no_looks(self) -> str:
        """Why no limits hold at every look as rows like these arrive, or empty."""
        if self.follow_up is not None:
            return "outcomes with a time"
        return str(self.dependence) or ("" if self.summary is None else "a table's summary")

    @property
    def no_losses(self) -> str:
        """Why losses of these rows cannot be averaged, or empty."""
        if self.any_size:
            return "scores that are no risks"
        if self.summary is not None:
            return "a table's summary"
        return str(self.dependence) if self.follow_up is not None else ""

    def settled_at(self, threshold: float) -> Settled | None:
        """Rates, precision and net benefit at a threshold; between two `places`, from both."""
        at = self.at_one(threshold)
        if not self.dependence:
            return settled_counts(at.fp, at.tp, self.sizes)
        if (known := self.settled) is None:
            return None
        thresholds = self.screen_vertices.thresholds
        # The threshold calls the same rows as the last vertex that is not below it.
        vertex = max(int((thresholds >= threshold).sum()) - 1, 0)
        n0, n1 = self.sizes
        found = known.between(vertex, places_of(thresholds.size))
        return found._replace(fpr=at.fp / n0, tpr=at.tp / n1)

    @cached_property
    def settled(self) -> Settled | None:
        """The same at the vertices of a screen that have limits; None of weighted table rows."""
        thresholds = self.screen_vertices.thresholds
        return self.settled_over(thresholds[places_of(thresholds.size)])

    def settled_over(self, thresholds: Floats) -> Settled | None:
        """The same at descending thresholds."""
        at, (n0, n1) = self.at(thresholds), self.sizes
        if not self.dependence:
            return settled_counts(at.fp, at.tp, (n0, n1))
        if (rows := self.sample) is None:
            return None
        made = settled_rows(rows, thresholds)
        return made._replace(fpr=at.fp / n0, tpr=at.tp / n1, own=n1 / (n0 + n1))
