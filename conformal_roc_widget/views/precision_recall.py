"""Precision over recall, with the range of the other model's precision."""

from __future__ import annotations

import numpy as np

from conformal_roc_widget.evaluation.decisions.precision_recall import (
    precision_at,
    precision_recall_of,
)
from conformal_roc_widget.scene import Axis, Mark, Points, Text
from conformal_roc_widget.shown.sentences import joint_sides, missing_text
from conformal_roc_widget.text import number_text
from conformal_roc_widget.views import parts
from conformal_roc_widget.views.view import Moment, Words
from conformal_roc_widget.words import words

#: If the base rate is below this, its line runs through the lower left.
LOW = 0.12


class PrecisionRecallView:
    """How often a call is right, over the share of positives that are called."""

    def axes(self, moment: Moment) -> tuple[Axis, Axis]:
        """Recall and precision."""
        return Axis(words("axis.recall")), Axis(words("axis.precision"))

    def marks(self, moment: Moment) -> list[Mark]:
        """Curve, range, base rate, average, point."""
        share = moment.share
        curve = precision_recall_of(moment.band, share)
        # The curve as scikit-learn draws it: at each point first up or down, then along x to the
        # next.
        line, upper, lower = (
            Points(curve.recall, each, "up")
            for each in (curve.precision, curve.precision_upper, curve.precision_lower)
        )
        base = words("key.base_rate", share=share)
        x, y, low, high = here(moment)
        sides = joint_sides(moment.band)
        return [
            parts.range_of(words("key.ideal_precision") + missing_text(sides), upper, lower, sides),
            parts.baseline(Points.of([0, 1], [share, share]), base),
            parts.curve(line),
            *parts.limit_arms("arm", y, (low, high), x, sides, parts.RANGE_ARMS),
            *average_corner(moment),
            *parts.point(x, y, moment.controls.threshold),
        ]

    def words(self, moment: Moment) -> Words:
        """How many are called, and how often the call is right."""
        promise = precision_recall_of(moment.band, moment.share).promise
        return Words(words("view.precision_recall"), _answer(moment), promise.words)


def average_corner(moment: Moment, below: str | None = None) -> list[Text]:
    """Average at the lower left, or at the upper right where the base rate runs low."""
    average = words("corner.average_precision", value=average_precision(moment))
    texts = parts.corner(average, below)
    if moment.share < LOW:
        return [text._replace(y=1, dy=text.dy - texts[0].dy + 18) for text in texts]
    return [text._replace(x=0, dx=8, anchor="start") for text in texts]


def average_precision(moment: Moment) -> float:
    """Average precision over all vertices of the curve, not only those that a screen shows."""
    samples = moment.evaluation.sorted_scores
    scores = samples[1].values  # sorted
    cuts = scores[np.append(np.diff(scores) > 0, True)]
    fpr, tpr = (sample.at_least(cuts) / sample.size for sample in samples)
    gained = -np.diff(tpr, append=0.0)
    return float((gained * precision_at(tpr, fpr, moment.share, 1.0)).sum())


def use_answer(moment: Moment) -> str:
    """How often a call is right, if another share is positive than on the test points."""
    where = {"share": float(number_text(moment.share, 3)), "name": moment.positive}
    if moment.point.tp + moment.point.fp == 0:
        return words("answer.use_calls_none", **where)
    right, lower, upper = (100 * each for each in here(moment)[1:])
    return words("answer.use", **where, right=right, lower=lower, upper=upper)


def here(moment: Moment) -> tuple[float, ...]:
    """Recall and precision at the threshold, and the precision's range."""
    at = precision_recall_of(moment.at.band([moment.controls.threshold]), moment.share)
    return parts.firsts(at.recall, at.precision, at.precision_lower, at.precision_upper)


def _answer(moment: Moment) -> str:
    (fp, tp), (_, precision, lower, upper) = moment.called, here(moment)
    found = words(
        "answer.precision" if tp + fp else "answer.no_precision",
        **moment.given,
        precision=precision,
    )
    return f"{found}{moment.could_lie(lower, upper)} {called(moment)} {moment.holds}"


def called(moment: Moment) -> str:
    """How many are called, and how many of them rightly."""
    fp, tp = moment.called
    return words("answer.called", called=tp + fp, right=tp, name=moment.positive)
