"""Precision over recall, with the range of the other model's precision."""

from __future__ import annotations

import numpy as np

from conformal_roc_widget.evaluation.precision_recall import (
    PrecisionRecall,
    precision_at,
    precision_recall_of,
)
from conformal_roc_widget.scene import Axis, Mark, Points, Text
from conformal_roc_widget.text import number_text, threshold_text
from conformal_roc_widget.views import parts
from conformal_roc_widget.views.view import Moment, Words

#: The text stands in the upper right corner, which begins at these shares of the plot.
UPPER_RIGHT = (0.6, 0.93)


class PrecisionRecallView:
    """How often a call is right, over the share of positives that are called."""

    def axes(self, moment: Moment) -> tuple[Axis, Axis]:
        """Recall and precision."""
        return Axis("Recall (sensitivity)"), Axis("Precision (positive predictive value)")

    def marks(self, moment: Moment) -> list[Mark]:
        """Curve, range, base rate, average, point."""
        share = moment.share
        curve, here = precision_recall_of(moment.band, share), precision_here(moment)
        name = f"range of {moment.model}’s precision"
        # As scikit-learn draws it: at each point first up or down, then along x to the next.
        line, upper, lower = (
            Points(curve.recall, each, "up")
            for each in (curve.precision, curve.precision_upper, curve.precision_lower)
        )
        base = f"base rate {number_text(share)}"
        level: list[Mark] = []
        if moment.controls.band != "specificity":
            recall = (float(here.recall_lower[0]), float(here.recall_upper[0]))
            at = float(here.precision[0])
            level = parts.arm("arm-recall", recall, at, parts.ARMS[1], level=True)
        x, y = float(here.recall[0]), float(here.precision[0])
        upright = (float(here.precision_lower[0]), float(here.precision_upper[0]))
        return [
            parts.range_of(name, upper, lower),
            parts.baseline(Points.of([0, 1], [share, share]), base),
            parts.curve(line),
            *level,
            *parts.arm("arm", upright, x, parts.RANGE_ARM),
            self._average(moment, line),
            *parts.point(x, y, moment.controls.threshold),
        ]

    def words(self, moment: Moment) -> Words:
        """How many are called, and how often the call is right."""
        promise = precision_here(moment).promise
        return Words("Precision and recall", _sentence(moment), promise.words)

    def _average(self, moment: Moment, line: Points) -> Text:
        """Average precision at the upper right; at the lower left where the curve is in its way."""
        text = f"Average precision {number_text(average_precision(moment))}"
        left, bottom = UPPER_RIGHT
        right_of, above = (
            values > end for values, end in zip(line.corners, (left, bottom), strict=True)
        )
        # A step runs along the sides of the box around its two ends.
        if np.any((right_of[1:] | right_of[:-1]) & (above[1:] | above[:-1])):
            return Text("corner", text, 0, 0, 8, -10, bold=True)
        return parts.corner(text)._replace(y=1, dy=18)


def average_precision(moment: Moment) -> float:
    """Average precision over all vertices of the curve, not only those that a screen shows."""
    samples = moment.evaluation.sorted_scores
    scores = samples[1].values  # sorted
    cuts = scores[np.append(np.diff(scores) > 0, True)]
    fpr, tpr = (sample.at_least(cuts) / sample.size for sample in samples)
    gained = -np.diff(tpr, append=0.0)
    return float((gained * precision_at(tpr, fpr, moment.share, 1.0)).sum())


def precision_here(moment: Moment) -> PrecisionRecall:
    """Precision and recall at the threshold."""
    return precision_recall_of(moment.at.band([moment.controls.threshold]), moment.share)


def use_words(moment: Moment) -> str:
    """How often a call is right where another share is positive than on the test points."""
    if moment.controls.prevalence is None:
        return ""
    where = f" Where {moment.positives}, "
    if moment.point.tp + moment.point.fp == 0:
        return f"{where}nobody is called."
    right, low, high = (number_text(100 * each, 0) for each in _range(moment))
    return f"{where}a call is right in {right} % of cases (range {low} to {high} %)."


def _range(moment: Moment) -> tuple[float, float, float]:
    """Precision at the threshold, and its range."""
    here = precision_here(moment)
    return (
        float(here.precision[0]),
        float(here.precision_lower[0]),
        float(here.precision_upper[0]),
    )


def _sentence(moment: Moment) -> str:
    called, name = moment.point.tp + moment.point.fp, moment.positive
    start = f"At threshold {threshold_text(moment.controls.threshold)}, this classifier calls "
    if called == 0:
        return f"{start}none of these {moment.total} {name}, and has no precision."
    is_own = moment.controls.prevalence is None
    where = "" if is_own else f" where {moment.positives}"
    precision, lower, upper = map(number_text, _range(moment))
    return (
        f"{start}{called:,} of these {moment.total} {name}, and {moment.point.tp:,} of "
        f"them are: a precision of {precision}{where}. A{moment.model[1:]}, cut at the "
        "same threshold on the same points, could have a precision from "
        f"{lower} to {upper}{moment.as_allowed}"
    )
