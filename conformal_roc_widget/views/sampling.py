"""The ROC curve with a comparator's band: where it would settle with more test data."""

from __future__ import annotations

import numpy as np

from conformal_roc_widget.scene import Area, Axis, Mark, Pen, Points
from conformal_roc_widget.text import number_text, percent, threshold_text
from conformal_roc_widget.view.comparator_state import Overlay
from conformal_roc_widget.views import parts
from conformal_roc_widget.views.roc import (
    Shown,
    axes_of,
    cost_line,
    least_cost_point,
    marks_of,
)
from conformal_roc_widget.views.view import Moment, Words

MORE_DATA = "this classifier, more test data"


class SamplingView:
    """The observed curve with the band of the first comparator that speaks of it."""

    def axes(self, moment: Moment) -> tuple[Axis, Axis]:
        """Both rates."""
        return axes_of(moment.evaluation)

    def marks(self, moment: Moment) -> list[Mark]:
        """Marks of the ROC curve without its limits, and the comparator's band."""
        below, above = cost_line(moment), least_cost_point(moment)
        if (item := sampled(moment)) is not None:
            assert item.band is not None
            upper, lower = (
                Points(item.band.fpr, tpr) for tpr in (item.band.tpr_upper, item.band.tpr_lower)
            )
            pen = Pen(f"comparator-{item.look}")
            below = [Area("band-sampling", MORE_DATA, upper, lower, pen, pen.colour), *below]
            at = moment.point.fpr
            above = [*above, *parts.arm("arm-1", _limits(item, at), at, pen._replace(width=2))]
        return marks_of(Shown.of(moment), (), below, above=above)

    def words(self, moment: Moment) -> Words:
        """The sensitivity, and where it would settle."""
        item, here = sampled(moment), moment.point
        lead = (
            f"At threshold {threshold_text(here.threshold)}, sensitivity is "
            f"{number_text(here.tpr)}; "
        )
        title = "ROC curve with a band for this classifier"
        if item is None:
            return Words(title, f"{lead}its band with more test data is not made yet.", {})
        assert item.band is not None
        lower, upper = map(number_text, _limits(item, here.fpr))
        level = percent(1 - item.band.alpha)
        lead += f"with much more test data it would settle between {lower} and {upper} ({level})."
        return Words(f"{title}, {level} ({item.name})", lead, item.band.promise.words)


def sampled(moment: Moment) -> Overlay | None:
    """The first band that is made already and bounds this classifier with more test data."""
    items = () if moment.comparators is None else moment.comparators.items
    return next((i for i in items if i.promise.kind == "sampling" and i.band is not None), None)


def _limits(item: Overlay, fpr: float) -> tuple[float, float]:
    """Limits at a false positive rate, on straight lines between the points of the band."""
    band = item.band
    assert band is not None
    lower, upper = (np.interp(fpr, band.fpr, tpr) for tpr in (band.tpr_lower, band.tpr_upper))
    return float(lower), float(upper)
