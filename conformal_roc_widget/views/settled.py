"""Precision and net benefit of this classifier: where they would settle with more test data.

Its twin is js/src/views/settled.ts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.comparators.redrawn_figures import NET_BENEFIT, PRECISION
from conformal_roc_widget.evaluation.decisions.net_benefit import odds_below_one, risk_of
from conformal_roc_widget.evaluation.decisions.settled import (
    moved,
    places_of,
    settled_benefit,
    settled_precision,
)
from conformal_roc_widget.promise import for_figure_with_more_data
from conformal_roc_widget.scene import Area, Axis, Mark, Points, Step
from conformal_roc_widget.text import number_text, percent
from conformal_roc_widget.views import net_benefit, parts, precision_recall
from conformal_roc_widget.views.precision_recall import average_corner
from conformal_roc_widget.views.sampling import ARMS, EDGES, MORE_DATA, pins
from conformal_roc_widget.views.view import Moment, View, Words
from conformal_roc_widget.words import words

#: Names of marks that are limits of an ideal model begin so.
IDEAL_MARKS = ("range", "arm", "missing")


class SettledView(ABC):
    """A view of a figure of both labels, with limits of this classifier with more test data."""

    #: The view with an ideal model's limits; its figure's name among redraws, noun, and decimals.
    ideal: View
    name: str
    noun: str
    digits: int

    def axes(self, moment: Moment) -> tuple[Axis, Axis]:
        """The axes of the view's first question."""
        return self.ideal.axes(moment)

    def marks(self, moment: Moment) -> list[Mark]:
        """Marks of the view, with the band and the arm of this classifier."""
        marks = [m for m in self.ideal.marks(moment) if not m.id.startswith(IDEAL_MARKS)]
        at, (x, step) = self.places(moment), self.across(moment)
        below: list[Mark] = []
        if (band := self._band(moment, at)) is not None:
            lower, upper = (Points(x, each, step) for each in band)
            below = [Area("band-sampling", MORE_DATA, upper, lower, EDGES, EDGES.colour)]
        arm: list[Mark] = []
        if (limits := self.limits(moment)) is not None:
            ends = self.axes(moment)[1].ends
            arm = parts.arm("arm-1", limits, self.here(moment)[0], ARMS, ends)
        return [*below, *marks[:-2], *arm, *marks[-2:]]

    def words(self, moment: Moment) -> Words:
        """The figure, and where it would settle."""
        limits = self.limits(moment)
        answer = f"{self.lead(moment, limits)} {self.meaning(moment)}"
        title = f"{self.ideal.words(moment).title}: {words('question.more_data')}"
        if limits is None:
            return Words(title, answer, {})
        promise = for_figure_with_more_data(
            self.noun,
            exact=self.is_exact(moment),
            followed=moment.evaluation.follow_up is not None,
        )
        return Words(title, answer, promise.at(moment.controls.alpha).words)

    def lead(self, moment: Moment, limits: tuple[float, float] | None) -> str:
        """The figure at the threshold, and its limits."""
        observed = number_text(self.here(moment)[1], self.digits)
        given = {**moment.given, "rate": self.noun, "observed": observed}
        if limits is None:
            return words("answer.settles_unseen", **given)
        lower, upper = (number_text(limit, self.digits) for limit in limits)
        return words("answer.settles", **given, lower=lower, upper=upper)

    def limits(self, moment: Moment) -> tuple[float, float] | None:
        """Limits of the figure at the threshold; None where nobody knows them."""
        here, threshold = moment.point, moment.controls.threshold
        if not moment.evaluation.dependence:
            low, high = self.limits_of((here.fp, here.tp), threshold, moment)
            return float(low), float(high)
        vertices, at = moment.evaluation.display_vertices.thresholds, self.places(moment)
        if (band := self._band(moment, at)) is None:
            return None
        # The last vertex that is not below the threshold calls what the threshold calls.
        vertex = max(int((vertices >= threshold).sum()) - 1, 0)
        return float(np.interp(vertex, at, band[0])), float(np.interp(vertex, at, band[1]))

    def _band(self, moment: Moment, at: Ints) -> tuple[Floats, Floats] | None:
        """Limits at vertices."""
        vertices = moment.evaluation.display_vertices
        if not moment.evaluation.dependence:
            calls = vertices.fp[at], vertices.tp[at]
            return self.limits_of(calls, vertices.thresholds[at], moment)
        redraws = None if moment.comparators is None else moment.comparators.redraws
        if redraws is None or redraws.figures is None:
            return None
        limits = redraws.figures.limits(self.name, moment.controls.alpha)
        low, high = (
            self.moved(each[np.isin(redraws.figures.places, at)], moment) for each in limits
        )
        return low, high

    def places(self, moment: Moment) -> Ints:
        """The vertices that have limits."""
        return places_of(moment.evaluation.display_vertices.thresholds.size)

    @abstractmethod
    def across(self, moment: Moment) -> tuple[Floats, Step]:
        """Places of these vertices on the axis across, and how the limits go on between them."""

    @abstractmethod
    def here(self, moment: Moment) -> tuple[float, ...]:
        """Place of the point: the axis across, and the figure."""

    @abstractmethod
    def meaning(self, moment: Moment) -> str:
        """The rest of the answer."""

    @abstractmethod
    def is_exact(self, moment: Moment) -> bool:
        """Whether the limits hold for every sample size."""

    @abstractmethod
    def limits_of(
        self, calls: tuple[ArrayLike, ArrayLike], thresholds: ArrayLike, moment: Moment
    ) -> tuple[Floats, Floats]:
        """Limits from the numbers of each label that are called, if rows count alike."""

    @abstractmethod
    def moved(self, limits: Floats, moment: Moment) -> Floats:
        """Limits at the rows' own share of positives, moved to another share."""


class SettledPrecision(SettledView):
    """Precision and recall with more test data."""

    ideal = precision_recall.PrecisionRecallView()
    name, noun, digits = PRECISION, words("figure.precision"), 2

    def marks(self, moment: Moment) -> list[Mark]:
        """The same, with limits of the average below it, or why it has none."""
        below = average_settles(moment) or no_average_limits(moment)
        corner = average_corner(moment, below)
        marks = [m for m in super().marks(moment) if not m.id.startswith("corner")]
        return [*marks[:-2], *corner, *marks[-2:]]

    def words(self, moment: Moment) -> Words:
        """The same, with the promise of the average."""
        told = super().words(moment)
        if not told.promise or average_settles(moment) is None:
            return told
        confidence = percent(1 - moment.controls.alpha)
        of_average = words("promise.average_precision", confidence=confidence)
        return told._replace(
            promise={**told.promise, "guarantee": told.promise["guarantee"] + of_average}
        )

    def across(self, moment: Moment) -> tuple[Floats, Step]:
        """The recall, in the steps of the curve."""
        return moment.band.tpr[self.places(moment)], "up"

    def here(self, moment: Moment) -> tuple[float, ...]:
        """Recall and precision."""
        return precision_recall.here(moment)[:2]

    def lead(self, moment: Moment, limits: tuple[float, float] | None) -> str:
        """The precision and its limits, if anybody is called."""
        if moment.point.tp + moment.point.fp == 0:
            return words("answer.settles_uncalled", **moment.given, name=moment.positive)
        return super().lead(moment, limits)

    def meaning(self, moment: Moment) -> str:
        """How many are called, and what the limits are about."""
        return f"{precision_recall.called(moment)} {pins(moment, has_room=False)}"

    def is_exact(self, moment: Moment) -> bool:
        """Whether limits are exact.

        The binomial ones are, at the share of positives that the points were drawn with.
        """
        return moment.controls.prevalence is None and not moment.evaluation.dependence

    def limits_of(
        self, calls: tuple[ArrayLike, ArrayLike], thresholds: ArrayLike, moment: Moment
    ) -> tuple[Floats, Floats]:
        """Exact limits of the share of right calls."""
        own = moment.evaluation.own_prevalence
        return settled_precision(*calls, moment.controls.alpha, own, moment.share)

    def moved(self, limits: Floats, moment: Moment) -> Floats:
        """The limits at another share of positives, at equal rates."""
        return moved(limits, moment.evaluation.own_prevalence, moment.share)


def average_settles(moment: Moment) -> str | None:
    """Limits of the average precision with more test data; None where nobody knows them."""
    found = moment.evaluation.sampled_precision
    if found is None or moment.controls.prevalence is not None:
        return None
    lower, upper = map(number_text, found.limits(moment.controls.alpha))
    return words("corner.auc_limits", lower=lower, upper=upper)


def no_average_limits(moment: Moment) -> str:
    """Why the average precision has no limits."""
    if moment.evaluation.follow_up is not None:
        return words("corner.no_limits_time")
    rows = moment.evaluation.sampled_precision is None
    return words("corner.no_limits_table" if rows else "corner.no_limits_share")


class SettledBenefit(SettledView):
    """Net benefit with more test data."""

    ideal = net_benefit.NetBenefitView()
    name, noun, digits = NET_BENEFIT, words("promise.net_benefit"), 3

    def places(self, moment: Moment) -> Ints:
        """The vertices below 1, where a false alarm has a weight."""
        thresholds = moment.evaluation.display_vertices.thresholds
        at = super().places(moment)
        return at[thresholds[at] < 1]

    def across(self, moment: Moment) -> tuple[Floats, Step]:
        """The risk, on straight lines."""
        thresholds = moment.evaluation.display_vertices.thresholds[self.places(moment)]
        own = moment.evaluation.own_prevalence
        return risk_of(np.maximum(thresholds, 0.0), own, moment.share), ""

    def here(self, moment: Moment) -> tuple[float, ...]:
        """Risk and net benefit."""
        return net_benefit.here(moment)[:2]

    def words(self, moment: Moment) -> Words:
        """The net benefit, and where it would settle; at 1 there is nothing to settle."""
        found = super().words(moment)
        is_at_one = moment.controls.threshold >= 1
        return found._replace(lead=net_benefit.at_one(moment)) if is_at_one else found

    def meaning(self, moment: Moment) -> str:
        """What calling all has, and what the limits are about."""
        return f"{net_benefit.beside(moment)} {pins(moment, has_room=False)}{moment.no_risks}"

    def is_exact(self, moment: Moment) -> bool:
        """False: the limits add up independent errors of both rates, which is not exact."""
        return False

    def limits_of(
        self, calls: tuple[ArrayLike, ArrayLike], thresholds: ArrayLike, moment: Moment
    ) -> tuple[Floats, Floats]:
        """Limits from the exact ones of both rates; at 1 nothing is gained or lost."""
        cuts = np.asarray(thresholds, dtype=float)
        n, own = moment.evaluation.n_test, moment.evaluation.own_prevalence
        odds = odds_below_one(cuts, own, moment.share)
        low, high = settled_benefit(calls, (n[0], n[1]), moment.controls.alpha, odds, moment.share)
        return np.where(cuts < 1, low, 0.0), np.where(cuts < 1, high, 0.0)

    def moved(self, limits: Floats, moment: Moment) -> Floats:
        """A false alarm's odds at a cut of the score have the prevalence in them as a hit has."""
        return limits * (moment.share / moment.evaluation.own_prevalence)
