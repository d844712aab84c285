"""Net benefit over the risk at which one is called, with the range of an ideal model's."""

from __future__ import annotations

import numpy as np

from conformal_roc_widget.evaluation.decisions.net_benefit import treat_all
from conformal_roc_widget.scene import Axis, Line, Mark, Pen, Points
from conformal_roc_widget.shown.sentences import joint_sides, missing_text
from conformal_roc_widget.views import parts
from conformal_roc_widget.views.view import Moment, Words
from conformal_roc_widget.words import words


class NetBenefitView:
    """The view of what calling by this classifier gains over calling nobody."""

    def axes(self, moment: Moment) -> tuple[Axis, Axis]:
        """Risk and net benefit, up to the most there is: calling exactly the positives."""
        share = moment.share
        return Axis(words("axis.risk")), Axis(words("axis.net_benefit"), (-share / 6, share))

    def marks(self, moment: Moment) -> list[Mark]:
        """Curve and range of the classifier, lines of calling all and nobody, operating point."""
        vertices = moment.evaluation.display_vertices.thresholds
        cuts = np.maximum(vertices[vertices < 1], 0.0)
        curve = moment.evaluation.net_benefit(
            moment.controls.alpha, moment.share, cuts if cuts.size else np.zeros(1)
        )
        line, upper, lower = (
            Points(curve.risk, each)
            for each in (curve.net_benefit, curve.net_benefit_upper, curve.net_benefit_lower)
        )
        risks = np.arange(101) / 101
        every = Points(risks, treat_all(risks / (1 - risks), moment.share))
        risk, benefit, low, high, _ = here(moment)
        sides = joint_sides(moment.band)
        ends = self.axes(moment)[1].ends
        return [
            parts.range_of(
                words("key.ideal_net_benefit") + missing_text(sides), upper, lower, sides
            ),
            parts.baseline(every, words("key.call_all")),
            Line("none", words("key.call_none"), Points.of([0, 1], [0, 0]), Pen("axis")),
            parts.curve(line),
            *parts.limit_arms("arm", benefit, (low, high), risk, sides, parts.RANGE_ARMS, ends),
            *parts.point(risk, benefit, moment.controls.threshold, ends),
        ]

    def words(self, moment: Moment) -> Words:
        """What the classifier gains at the threshold."""
        record = moment.evaluation.net_benefit(
            moment.controls.alpha, moment.controls.prevalence, [0.5]
        )
        return Words(words("view.net_benefit"), _answer(moment), record.promise.words)


def here(moment: Moment) -> tuple[float, ...]:
    """Risk and net benefit at the threshold, with its range; and that of calling all."""
    threshold = moment.controls.threshold
    if threshold >= 1:
        return 1.0, 0.0, 0.0, 0.0, 0.0
    at = moment.evaluation.net_benefit(moment.controls.alpha, moment.share, [max(threshold, 0.0)])
    limits = at.net_benefit_lower, at.net_benefit_upper
    return parts.firsts(at.risk, at.net_benefit, *limits, at.treat_all)


def _answer(moment: Moment) -> str:
    if moment.controls.threshold >= 1:
        return at_one(moment)
    _, benefit, lower, upper, _ = here(moment)
    found = words("answer.net_benefit", **moment.given, benefit=benefit)
    could = moment.could_lie(lower, upper, digits=3)
    return f"{found}{could} {beside(moment)} {moment.holds}{moment.no_risks}"


def at_one(moment: Moment) -> str:
    """The answer at a threshold of 1, in every question.

    No model gains there, so that there is nothing to bound.
    """
    lead = words("answer.benefit_at_one", **moment.given)
    return f"{lead} {words('answer.at_one')}{moment.no_risks}"


def beside(moment: Moment) -> str:
    """The net benefits of calling everybody and nobody, as a sentence."""
    return words("answer.call_all", all=here(moment)[4])
