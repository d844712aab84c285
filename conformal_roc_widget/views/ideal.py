"""The ideal model's own curve over the ROC curve: its band, its numbers, its words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from conformal_roc_widget.evaluation.ideal_curve import IdealCurve
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.promise import IDEAL_RATE
from conformal_roc_widget.scene import Area, Axis, Line, Mark, Pen, Points
from conformal_roc_widget.shown.controls import IDEAL, Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.shown.theme import DASHES
from conformal_roc_widget.text import counted, number_text, percent, range_text
from conformal_roc_widget.views import parts
from conformal_roc_widget.views.roc import (
    Shown,
    axes_of,
    comparator_marks,
    comparison_notes,
    cost_line,
    least_cost_point,
    marks_of,
)
from conformal_roc_widget.views.view import Moment, Words
from conformal_roc_widget.words import words

BAND, MEDIAN = Pen("label1"), Pen("label1", 1.5, DASHES["ideal_median"])


class IdealView:
    """The observed curve, and where an ideal model's own curve lies."""

    def axes(self, moment: Moment) -> tuple[Axis, Axis]:
        """Both rates."""
        return axes_of(moment.evaluation)

    def marks(self, moment: Moment) -> list[Mark]:
        """Marks of the ROC curve without its limits, and the ideal model's band."""
        curve, shown = moment.ideal, Shown.of(moment)
        below = [*comparator_marks(moment.comparators), *cost_line(moment)]
        above = least_cost_point(moment)
        if isinstance(curve, str):
            return marks_of(shown, (), below, above=above)
        return marks_over(shown, curve, below, above)

    def words(self, moment: Moment) -> Words:
        """Area of the ideal model's curve, and how much of it the classifier lacks."""
        curve = moment.ideal
        notes = comparison_notes(moment)
        title = ideal_title(moment.controls.alpha)
        if isinstance(curve, str):
            return Words(title, _answer(moment), {}, notes)
        details = (_details(moment, curve),)
        return Words(title, _answer(moment), statement(curve), (*notes, *details), details)


def wanted(group: Group, controls: Controls) -> RocEvaluation | None:
    """The evaluation whose ideal curve the controls ask for; None where they ask for none."""
    return group.looked_at(group.key_of(controls)) if controls.band == IDEAL else None


def ideal_title(alpha: float) -> str:
    """Heading of a picture with the band."""
    return f"{words('view.roc')}: {words('question.own_curve')}, {percent(1 - alpha)}"


def statement(curve: IdealCurve) -> Mapping[str, str]:
    """Target, scope and guarantee of the pointwise limits: a picture shows no others."""
    return curve.promise.replaced(scope=IDEAL_RATE).words


def marks_over(
    shown: Shown, curve: IdealCurve, below: Sequence[Mark] = (), above: Sequence[Mark] = ()
) -> list[Mark]:
    """Band and median of the curve, and its limits at the point."""
    upper, lower, median = (
        Points(curve.fpr, tpr) for tpr in (curve.tpr_upper, curve.tpr_lower, curve.tpr_median)
    )
    area = Area("band-ideal", words("key.ideal_curve"), upper, lower, BAND, "label1")
    if shown.point is not None:
        at = shown.point.fpr
        above = [*above, *parts.arm("arm-1", limits_at(curve, at), at, parts.ARMS[1])]
    below = [area, Line("ideal-median", words("key.ideal_median"), median, MEDIAN), *below]
    return marks_of(shown, (), below, above=above)


def limits_at(curve: IdealCurve, fpr: float) -> tuple[float, float]:
    """Limits at a false positive rate: at the largest rate of the grid that is not above it."""
    place = int(np.searchsorted(curve.fpr, fpr + 1e-9, side="right")) - 1
    return float(curve.tpr_lower[place]), float(curve.tpr_upper[place])


def _answer(moment: Moment) -> str:
    curve, here = moment.ideal, moment.point
    rates = {"fpr": here.fpr, "tpr": here.tpr}
    if isinstance(curve, str):
        return f"{words('answer.no_own_curve', **rates)} {curve[:1].upper()}{curve[1:]}."
    lower, upper = limits_at(curve, here.fpr)
    level = 1 - curve.alpha
    found = words("answer.own_curve", **rates, lower=lower, upper=upper, level=level)
    gain = curve.gain.upper
    return f"{found} {words('answer.gain' if gain > 0 else 'answer.no_gain', gain=gain)}"


def _details(moment: Moment, curve: IdealCurve) -> str:
    """Area of the ideal model's curve, and how much of it the classifier lacks."""
    evaluation = moment.evaluation
    rows = counted(evaluation.n_test[0] + evaluation.n_test[1], "test point")
    return (
        f"This classifier’s AUC on these {rows} is "
        f"{number_text(evaluation.observed_auc)}. A model "
        "that knows the true probabilities would have an AUC from "
        f"{range_text(curve.auc.lower, curve.auc.upper)} on a test set like this one: a gain of "
        f"{range_text(curve.gain.lower, curve.gain.upper)} is left "
        f"({percent(1 - curve.alpha)}, credible)."
    )
