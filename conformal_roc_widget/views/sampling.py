"""The ROC curve with a comparator's band: where it would settle with more test data."""

from __future__ import annotations

import numpy as np

from conformal_roc_widget.reliability.binomial_limits import exact_limits
from conformal_roc_widget.scene import Area, Axis, Mark, Pen, Points
from conformal_roc_widget.shown.comparator_state import Overlay
from conformal_roc_widget.shown.sentences import NOUNS
from conformal_roc_widget.text import number_text, percent
from conformal_roc_widget.views import parts
from conformal_roc_widget.views.roc import (
    Shown,
    axes_of,
    cost_line,
    least_cost_point,
    marks_of,
)
from conformal_roc_widget.views.view import Moment, Words
from conformal_roc_widget.words import words

MORE_DATA, RATES_HERE = words("key.more_data"), words("key.rates_here")
EDGES, ARMS = parts.SAMPLING, Pen(parts.SAMPLING.colour, 2)
#: What limits of the answer promise, which are those of the cross too.
EXACT_HERE = (
    "At this threshold, if it was chosen beforehand: exact limits of sensitivity and specificity "
    "(Clopper-Pearson)"
)
#: The same in a picture with a band.
EXACT = f"{EXACT_HERE}; the band is for {words('promise.one_point')}."


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
            below = [Area("band-sampling", MORE_DATA, upper, lower, EDGES, EDGES.colour), *below]
        above = [*above, *_cross(moment, item)]
        return marks_of(Shown.of(moment), (), below, above=above, more="corner.auc_limits")

    def words(self, moment: Moment) -> Words:
        """The sensitivity, and where it would settle."""
        item, here, exact = sampled(moment), moment.point, exact_rates(moment)
        title = f"{words('view.roc')}: {words('question.more_data')}"
        given = {**moment.given, "rate": NOUNS[1], "observed": number_text(here.tpr)}
        if item is None and exact is None:
            return Words(title, f"{words('answer.settles_unseen', **given)} {pins(moment)}", {})
        if exact is None:
            assert item is not None
            limits = _limits(item, here.fpr)
        else:
            limits = exact[1]
        lower, upper = map(number_text, limits)
        lead = f"{words('answer.settles', **given, lower=lower, upper=upper)} {pins(moment)}"
        if item is None:
            return Words(title, lead, {}, details=_exact_words(exact))
        assert item.band is not None
        title = f"{title}, {percent(1 - item.band.alpha)} ({item.comparator.name})"
        return Words(title, lead, item.band.promise.words, _exact_words(exact), _exact_words(exact))


def pins(moment: Moment, *, has_room: bool = True) -> str:
    """What the limits are about; with `has_room` where Youden's threshold would mostly fall."""
    n, rest = sum(moment.evaluation.n_test.values()), ""
    if has_room:
        rest = f"; {_rest(moment)}"
    return words("answer.pins", n=n, rest=rest)


def _rest(moment: Moment) -> str:
    redraws = None if moment.comparators is None else moment.comparators.redraws
    if redraws is None:
        return words("answer.no_ideal_model")
    lower, upper = redraws.mostly_rounded
    which = words("answer.youdens_threshold")
    return words("answer.mostly", which=which, lower=lower, upper=upper)


def exact_rates(moment: Moment) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """Exact limits of the false positive and of the true positive rate here, by label.

    None if rows have weights or several belong to one person: the limits count independent rows.
    """
    if moment.evaluation.dependence:
        return None
    here, alpha = moment.point, moment.controls.alpha
    return (
        exact_limits(here.fp, here.fp + here.tn, alpha),
        exact_limits(here.tp, here.tp + here.fn, alpha),
    )


def _exact_words(exact: object | None) -> tuple[str, ...]:
    """The sentence on the limits at the threshold, if these are not the band's."""
    return () if exact is None else (EXACT,)


def _cross(moment: Moment, item: Overlay | None) -> list[Mark]:
    """Arms of both rates' limits at the point: exact, or the band's if rows are not independent."""
    here, exact = moment.point, exact_rates(moment)
    if exact is None:
        return [] if item is None else parts.arm("arm-1", _limits(item, here.fpr), here.fpr, ARMS)
    level = parts.arm("arm-0", exact[0], here.tpr, ARMS, level=True, key=RATES_HERE)
    return [*level, *parts.arm("arm-1", exact[1], here.fpr, ARMS)]


def sampled(moment: Moment) -> Overlay | None:
    """The first band that is made already and bounds this classifier with more test data."""
    items = () if moment.comparators is None else moment.comparators.items
    there = (item for item in items if item.band is not None)
    return next((item for item in there if item.comparator.promise.kind == "sampling"), None)


def _limits(item: Overlay, fpr: float) -> tuple[float, float]:
    """Limits at a false positive rate, on straight lines between the points of the band."""
    band = item.band
    assert band is not None
    lower, upper = (np.interp(fpr, band.fpr, tpr) for tpr in (band.tpr_lower, band.tpr_upper))
    return float(lower), float(upper)
