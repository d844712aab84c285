"""Computes figures of a classifier with limits for their values in the population."""

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

#: If an area has no limits, `NO_LIMIT` stands in place of the name of their method. `AREA` is what
#: sentences call an area.
NO_LIMIT = "none: the rows tell no limit"
AREA = "area under the ROC curve"


class Sampled:
    """Base of `ObservedCurve` with the figures of the classifier and their limits.

    The attributes below belong to `ObservedCurve`.
    """

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
        """The labelled rows. None if only counts of a table are known."""
        if self.summary is not None:
            return None
        return Rows(self.labels == 1, self.scores, self.weights, self.people)

    @cached_property
    def area(self) -> Estimate | None:
        """The area under the curve, with the numbers from which its limits are computed.

        None if only counts of a table are known, or if a label has a single row or person.
        """
        if (rows := self.sample) is None or rows.fewest < 2:
            return None
        if rows.plain:
            _, fp, tp = self.steps
            return figures.area_of_counts(fp, tp, self.auc)
        return figures.area(rows.in_order, self.auc)

    def sampled_auc(self, alpha: float, looks: LooksName = "once") -> SamplingInterval:
        """The area with limits at `alpha`. If the rows give no limits, they are 0 and 1."""
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
        """Average precision with the numbers for its limits. None if only a table is known."""
        if (rows := self.sample) is None:
            return None
        if rows.plain:
            _, fp, tp = self.steps
            return figures.average_precision_of_counts(fp, tp)
        return figures.average_precision(rows)

    @cached_property
    def losses(self) -> dict[str, Estimate] | None:
        """Brier score and log loss by name. None if `no_losses` says why there are none."""
        rows = self.sample
        if rows is None or self.no_losses:
            return None
        return {
            figures.BRIER_SCORE: figures.brier_score(rows),
            figures.LOG_LOSS: figures.log_loss(rows),
        }

    @property
    def no_looks(self) -> str:
        """Why limits at every look as rows arrive are impossible here. Empty if possible."""
        if self.follow_up is not None:
            return "outcomes with a time"
        return str(self.dependence) or ("" if self.summary is None else "a table's summary")

    @property
    def no_losses(self) -> str:
        """Why the mean losses of these rows cannot be computed. Empty if they can."""
        if self.any_size:
            return "scores that are no risks"
        if self.summary is not None:
            return "a table's summary"
        return str(self.dependence) if self.follow_up is not None else ""

    def settled_at(self, threshold: float) -> Settled | None:
        """Returns the numbers for limits of rates, precision and net benefit at a threshold.

        If rows have weights or people, effective sample sizes are interpolated between vertices.
        Returns None if only counts of a table of weighted rows are known.
        """
        at = self.at_one(threshold)
        if not self.dependence:
            return settled_counts(at.fp, at.tp, self.sizes)
        if (known := self.settled) is None:
            return None
        thresholds = self.screen_vertices.thresholds
        # The last vertex whose threshold is not below the given one predicts the same rows positive
        # as the given one.
        vertex = max(int((thresholds >= at.thresholds[0]).sum()) - 1, 0)
        n0, n1 = self.sizes
        found = known.between(vertex, places_of(thresholds.size))
        return found._replace(fpr=at.fp / n0, tpr=at.tp / n1)

    @cached_property
    def settled(self) -> Settled | None:
        """The result of `settled_at` at the drawn vertices that have limits (`places_of`)."""
        thresholds = self.screen_vertices.thresholds
        return self.settled_over(thresholds[places_of(thresholds.size)])

    def settled_over(self, thresholds: Floats) -> Settled | None:
        """Like `settled_at`, at each of descending thresholds."""
        at, (n0, n1) = self.at(thresholds), self.sizes
        if not self.dependence:
            return settled_counts(at.fp, at.tp, (n0, n1))
        if (rows := self.sample) is None:
            return None
        made = settled_rows(rows, thresholds)
        return made._replace(fpr=at.fp / n0, tpr=at.tp / n1, own=n1 / (n0 + n1))
