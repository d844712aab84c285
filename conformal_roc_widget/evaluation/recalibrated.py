"""Computes limits for an ideal recalibration at any sample size: ``guarantee="simultaneous"``.

Suppose that ``lower(s) <= pi_s <= upper(s)`` holds at every score s. Then, at all thresholds lambda
and for both labels at once, the number of a label's test points that an ideal recalibration puts
above lambda is between ``#{lower(s) > lambda}`` and ``#{upper(s) > lambda}``. The recalibration
ranks points as the score does. So its curve is the observed one, except for ties that it makes, and
only the position of a threshold on that curve is uncertain.

The bounds come from calibration points in groups of equal scores (`ScoreRuns`). The place of a test
point is the number of groups up to its score.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, SupportsFloat

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from conformal_roc_widget.arrays import Floats, Ints, by_label
from conformal_roc_widget.calibration.residuals import GroupedResiduals
from conformal_roc_widget.evaluation.decisions.youden import YoudenRange
from conformal_roc_widget.logits import TIE, clipped, logit_of
from conformal_roc_widget.promise import Promise
from conformal_roc_widget.reliability.calibration_band import refuted_order
from conformal_roc_widget.reliability.score_runs import ScoreRuns
from conformal_roc_widget.text import LABEL, AboutLabels, Note, counted

from .at_alpha import AtAlpha, CalibratedCurve, Ends, OpenShares
from .band import AucRange
from .notes import USUAL_ALPHA
from .observed_curve import ObservedCurve
from .sorted_sample import Limits, SortedSample, places_after, shares_above

AREA = (
    "the area under the curve of an ideal recalibration, which ranks as the score does: the "
    "observed area but for ties that it makes"
)
INDEX = (
    "Youden's index of an ideal recalibration, which ranks as the score does: the observed index, "
    "or less where it ties scores"
)

#: `_ends` needs the places of scores where groups of calibration points begin and end. If a label
#: has at least this many scores per group, they are searched without computing the logit of every
#: score.
MANY = 256


def _place(scores: Floats) -> Floats:
    """The positions of scores on the axis of logits. Logits beyond its ends are clipped."""
    return clipped(logit_of(scores))


def runs_of_logits(
    logits: Floats, positive: NDArray[np.bool_], *, any_size: bool = False
) -> ScoreRuns:
    """Groups calibration points by equal logits. Logits closer than `TIE` count as equal.

    If `any_size` is set, `logits` are scores that are not probabilities, and are not clipped.
    """
    if any_size:
        return ScoreRuns.of(logits, positive).few()
    return ScoreRuns.of(clipped(logits), positive, TIE).few()


def recalibrated(
    observed: ObservedCurve, runs: ScoreRuns, promises: tuple[Promise, Promise], **more: Any
) -> RecalibratedCurve:
    """Makes a curve whose limits come from bounds of the probability instead of residuals."""
    none = GroupedResiduals.pooled(np.empty(0))
    return RecalibratedCurve(observed, (none, none), "paper", *promises, runs=runs, **more)


class Steps(NamedTuple):
    """A bound of the probability by place, as a step function that never falls.

    The place of a score is a number of groups of calibration points: those up to the score, or
    those below it. `logits` are the distinct values of the bound, and `first` is the first place of
    each.
    """

    logits: Floats
    first: Ints

    @classmethod
    def of(cls, bound: Floats) -> Steps:
        """Makes the step function of a bound that is given as a probability at each place."""
        first = np.flatnonzero(np.append(True, bound[1:] != bound[:-1]))
        return cls(logit(bound[first]), first)

    def at(self, places: Ints) -> Floats:
        """Returns the bound, as a logit, at each of the `places`."""
        return self.logits[np.searchsorted(self.first, places, side="right") - 1]


class Bounds(NamedTuple):
    """Lower and upper bounds of the probability by place, at one alpha.

    Below all scores there is no lower bound, and above all scores no upper bound. If the bounds
    cross, the labels contradict the assumption that a higher score never means a lower probability.
    The bounds are then swapped where they cross, so that they can be drawn. They guarantee nothing,
    and `notes` say so.
    """

    lower: Steps
    upper: Steps
    notes: tuple[str, ...]

    @classmethod
    def of(cls, scores: Floats, lower: Floats, upper: Floats, alpha: float) -> Bounds:
        """Makes the bounds from those at each group of calibration points.

        `scores` has the first score of each group.
        """
        low, up = np.minimum(lower, upper), np.maximum(lower, upper)
        # A note names the first and the last score at which the lower bound exceeds the upper one.
        crossed = np.flatnonzero(lower > upper)
        crossed = crossed[[0, -1]] if crossed.size else crossed
        notes = refuted_order(scores[crossed], lower[crossed], upper[crossed], float(alpha))
        return cls(Steps.of(np.append(0.0, low)), Steps.of(np.append(up, 1.0)), tuple(notes))


@dataclass(frozen=True, eq=False, kw_only=True)
class RecalibratedCurve(CalibratedCurve):
    """An observed curve whose limits are for an ideal recalibration of the score."""

    #: The calibration points, in groups of equal scores.
    runs: ScoreRuns
    #: A note on the calibration points, or None.
    remark: Note | None = None
    #: Whether the calibration points are the test points themselves.
    own: bool = False
    #: The weight of a row of label 1 divided by that of a row of label 0. If it is w, a bound on
    #: the odds of label 1 among the rows becomes w times as large in the population.
    odds: float = 1.0
    is_shifted: ClassVar[bool] = False

    def at(self, alpha: float) -> SimultaneousAtAlpha:
        """Computes all results at the significance level `alpha`."""
        (found,) = self.at_each([alpha])
        return found

    def at_each(self, alphas: Iterable[float]) -> list[SimultaneousAtAlpha]:
        """See `CalibratedCurve.at_each`. All are computed in one pass over the groups."""
        alphas = list(alphas)
        scores = self.runs.scores if self.observed.any_size else expit(self.runs.scores)
        limits = zip(alphas, *self.runs.limits_at(alphas), strict=True)
        bounds = [
            Bounds.of(scores, self._weighed(low), self._weighed(up), alpha)
            for alpha, low, up in limits
        ]
        ends = [(self.ends_of(each.lower, 0), self.ends_of(each.upper, 1)) for each in bounds]
        every = zip(alphas, bounds, ends, self._areas(ends), strict=True)
        return [
            SimultaneousAtAlpha(float(alpha), self, alpha, bound, both, area, notes=bound.notes)
            for alpha, bound, both, area in every
        ]

    def _weighed(self, bound: Floats) -> Floats:
        return bound if self.odds == 1 else self.odds * bound / (self.odds * bound + 1 - bound)

    def ends_of(self, steps: Steps, side: int) -> Ends:
        """Returns the lower (`side` 0) or upper (1) ends of the intervals of both labels' points.

        Many test points have the same end, so each distinct end is stored once, with a count.
        """
        places, before = np.append(steps.first, -1), self.points_before
        return by_label(lambda k: Limits(SortedSample(steps.logits, before[k][side][places])))

    def _areas(self, ends: Sequence[tuple[Ends, Ends]]) -> list[tuple[float, float, float]]:
        """Returns for each of `ends` the observed area, and the range of a recalibration's area.

        An ideal recalibration ranks as the score does, but it may make ties. If the intervals of
        two points overlap, the points may have the same probability. At an end of the range, such a
        pair counts half, even though the score ranks it.
        """
        observed, (zeros, ones) = self.observed.auc, self.observed.sizes
        right, wrong = (some / (zeros * ones) for some in self.observed.ranked)
        pairs = [pair for low, up in ends for pair in ((low[1], up[0]), (low[0], up[1]))]
        sure = shares_above(((high.centres, low.centres) for high, low in pairs), TIE)
        return [
            (observed, observed - max(right - up, 0.0) / 2, observed + max(wrong - down, 0.0) / 2)
            for up, down in zip(sure[::2], sure[1::2], strict=True)
        ]

    @property
    def notes(self) -> tuple[Note, ...]:
        """At most one note: the bounds cross at `USUAL_ALPHA`. See `Bounds`."""
        return tuple(map(Note, self.at(USUAL_ALPHA).notes))

    @property
    def n_calibration(self) -> dict[int, int]:
        """For each label, its number of calibration points."""
        positives = int(self.runs.positives.sum())
        return {0: int(self.runs.points.sum()) - positives, 1: positives}

    @cached_property
    def places(self) -> tuple[Ints, Ints]:
        """For each test point, the number of groups up to its score, and below its score."""
        values = self.observed.on_axis(self.observed.centre_logits)
        order = np.argsort(values)
        low, up = np.empty((2, values.size), dtype=np.intp)
        low[order], up[order] = self.runs.places(values[order])
        return low, up

    @cached_property
    def points_before(self) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
        """For each label and each of the two `places`: numbers of test points before each group."""
        return by_label(self._points_before)

    def _points_before(self, label: int) -> tuple[Ints, Ints]:
        observed, (ends, begins) = self.observed, self.runs.edges
        scores = observed.sorted_scores[label]
        own = observed.any_size or observed.centres is not None or observed.score_logits is not None
        if own or scores.values.size < MANY * ends.size:
            centres = self.sorted_centres[label]
            values = observed.on_axis(centres.values)
            below, up_to = values.searchsorted(ends), values.searchsorted(begins, "right")
        else:
            # There are far more scores than groups. `places_after` finds the places by a binary
            # search, which computes the logits of only few scores.
            centres = scores
            below = places_after(scores.values, ends, _place, "left")
            up_to = places_after(scores.values, begins, _place, "right")

        def before(places: Ints) -> Ints:
            return np.concatenate([[0], centres.up_to(places), [centres.size]])

        return before(below), before(up_to)


@dataclass(frozen=True, eq=False)
class SimultaneousAtAlpha(AtAlpha):
    """The results at one significance level under ``guarantee="simultaneous"``."""

    _curve: RecalibratedCurve
    _bounds: Bounds
    _both: tuple[Ends, Ends]
    _area: tuple[float, float, float]

    # ---- a result for users

    def youden(self) -> YoudenRange:
        """Returns Youden's index of the observed curve, and its range for an ideal recalibration.

        The vertices of the recalibration's curve are vertices of the observed curve too. So its
        index is at most the observed one. It is at least the largest ``tpr_lower - fpr_upper``.

        Returns
        -------
        YoudenRange
            Unpacks into the observed index, the two ends of the range, and the largest threshold at
            which the index is reached. If no threshold is better than chance, this threshold is
            infinite.
        """
        index, lower, _, threshold = super().youden()
        youden = YoudenRange(index, min(lower, index), index, threshold)
        return youden.with_promise(self.promise.replaced(target=INDEX))

    # ---- the arrays that the results are computed from

    @property
    def lower(self) -> Ends:
        """The lower ends of all intervals on the logit scale, for label 0 and for label 1."""
        return self._both[0]

    @property
    def upper(self) -> Ends:
        """The upper ends of all intervals on the logit scale, for label 0 and for label 1."""
        return self._both[1]

    def undecided(self, threshold: SupportsFloat) -> NDArray[np.bool_]:
        """See `AtAlpha.undecided`. If scores are not probabilities, bounds are ranks."""
        if self._by_rank is None:
            return super().undecided(threshold)
        at, (low, up) = self._curve.observed.at_one(threshold).logits[0], self._curve.places
        lower, upper = self._by_rank[0].at(low), self._by_rank[1].at(up)
        return np.asarray((upper > at) & ~(lower > at))

    def _ends_at(self, ranks: int | None) -> tuple[Ends, Ends]:
        """Returns both ends of all intervals, comparable with the logits or ranks of thresholds.

        There are few distinct ends, so `ranks` is ignored.
        """
        if self._by_rank is None:
            return self._both
        lower, upper = self._by_rank
        return self._curve.ends_of(lower, 0), self._curve.ends_of(upper, 1)

    @cached_property
    def _by_rank(self) -> tuple[Steps, Steps] | None:
        """Lower and upper bounds as ranks among the scores. None if scores are probabilities.

        A threshold is given by the lowest score that it predicts positive. If the lower bound of a
        point exceeds the upper bound at that score, an ideal recalibration surely predicts the
        point positive. If the upper bound of the point reaches the lower bound at that score, the
        recalibration may predict the point positive. The limits hold whether the recalibration ties
        scores or not.
        """
        observed, runs = self._curve.observed, self._curve.runs
        if not observed.any_size:
            return None
        (lower, upper, _), (low, up) = self._bounds, runs.places(observed.distinct)
        surely: Floats = np.searchsorted(upper.at(up), lower.logits - TIE).astype(float)
        maybe: Floats = np.searchsorted(lower.at(low), upper.logits + TIE, "right").astype(float)
        return Steps(surely - 0.5, lower.first), Steps(maybe - 0.5, upper.first)

    def _auc(self, lower: Ends, upper: Ends) -> AucRange:
        """Returns the observed area, and its range for an ideal recalibration."""
        return AucRange(*self._area).with_promise(self.promise.replaced(target=AREA))

    @property
    def _ends(self) -> tuple[Floats, Floats]:
        """Lower and upper ends (n_test,) of the intervals as logits, in the test set's order."""
        low, up = self._curve.places
        return self._bounds.lower.at(low), self._bounds.upper.at(up)

    @cached_property
    def _open_shares(self) -> tuple[OpenShares, OpenShares]:
        zeros, ones = map(self._open, (0, 1))
        return zeros, ones

    def _open(self, label: int) -> OpenShares:
        """Returns the `OpenShares` of one label.

        Bounds are monotone in the score. So the points without a lower end have the lowest scores,
        and those without an upper end the highest scores.
        """
        lower, upper = (ends[label].centres for ends in self._both)
        assert lower.before is not None
        assert upper.before is not None
        n = int(lower.before[-1])
        no_lower = int(lower.before[np.searchsorted(lower.values, -np.inf, side="right")])
        no_upper = n - int(upper.before[np.searchsorted(upper.values, np.inf)])
        return no_lower / n, no_upper / n, max(no_lower + no_upper - n, 0) / n

    def _vacuous(self, label: int) -> str:
        points, n = sum(self._curve.n_calibration.values()), self._curve.observed.sizes[label]
        empty = round(self._open_shares[label][2] * n)
        return AboutLabels(
            f"{empty:,} of the {counted(n, 'test point')} of {LABEL[label]} "
            f"{'has a score' if empty == 1 else 'have scores'} that "
            f"{counted(points, 'calibration point')} cannot bound at α = {self.alpha:g}: "
            f"{'it has' if empty == 1 else 'they have'} no limits."
        )
