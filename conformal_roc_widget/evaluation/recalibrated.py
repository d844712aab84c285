"""``guarantee="simultaneous"``: limits of an ideal recalibration of the score, for any sample size.

Where ``lower(s) <= pi_s <= upper(s)`` holds at every score s, an ideal recalibration puts as many
test points of a label above a threshold as lie between ``#{lower(s) > lambda}`` and
``#{upper(s) > lambda}``, at all thresholds and for both labels at once. It ranks the points as the
score does. Its curve is therefore the observed one but for ties that it makes, and only the place
of a threshold on that curve is uncertain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, SupportsFloat

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from conformal_roc_widget.arrays import Floats, Ints, by_label
from conformal_roc_widget.calibration.residuals import GroupedResiduals
from conformal_roc_widget.evaluation.decisions.youden import YoudenRange
from conformal_roc_widget.logits import TIE, clipped
from conformal_roc_widget.promise import Promise
from conformal_roc_widget.reliability.calibration_band import refuted_order
from conformal_roc_widget.reliability.score_runs import ScoreRuns
from conformal_roc_widget.text import LABEL, AboutLabels, Note, counted

from .at_alpha import AtAlpha, CalibratedCurve, Ends, Stop
from .band import AucRange
from .notes import USUAL_ALPHA
from .observed_curve import ObservedCurve
from .sorted_sample import Limits, SortedSample, shares_above

AREA = (
    "the area under the curve of an ideal recalibration, which ranks as the score does: the "
    "observed area but for ties that it makes"
)
INDEX = (
    "Youden's index of an ideal recalibration, which ranks as the score does: the observed index, "
    "or less where it ties scores"
)


def runs_of_logits(
    logits: Floats, positive: NDArray[np.bool_], *, any_size: bool = False
) -> ScoreRuns:
    """Runs of calibration points, in which logits nearer than `TIE` are equal.

    Scores of any size stand for themselves, and are equal where they are equal.
    """
    if any_size:
        return ScoreRuns.of(logits, positive).few()
    return ScoreRuns.of(clipped(logits), positive, TIE).few()


def recalibrated(
    observed: ObservedCurve, runs: ScoreRuns, promises: tuple[Promise, Promise], **more: Any
) -> RecalibratedCurve:
    """A curve with runs of points and no residuals: bounds of the probability make the limits."""
    none = GroupedResiduals.pooled(np.empty(0))
    return RecalibratedCurve(observed, (none, none), "paper", *promises, runs=runs, **more)


class Steps(NamedTuple):
    """A bound that rises with the place: its distinct logits, and the first place of each."""

    logits: Floats
    first: Ints

    @classmethod
    def of(cls, bound: Floats) -> Steps:
        """Steps of a probability by place."""
        first = np.flatnonzero(np.append(True, bound[1:] != bound[:-1]))
        return cls(logit(bound[first]), first)

    def at(self, places: Ints) -> Floats:
        """The logit at each place."""
        return self.logits[np.searchsorted(self.first, places, side="right") - 1]


class Bounds(NamedTuple):
    """Bounds by place at one alpha, and a sentence if the labels refute a rising probability.

    Below all scores there is no lower bound, above all no upper one. Bounds that cross are put in
    order, so that they can be drawn: they promise nothing, as the sentence says.
    """

    lower: Steps
    upper: Steps
    notes: tuple[str, ...]

    @classmethod
    def of(cls, scores: Floats, lower: Floats, upper: Floats, alpha: float) -> Bounds:
        """Bounds at groups of calibration points, which begin at these scores."""
        low, up = np.minimum(lower, upper), np.maximum(lower, upper)
        # The sentence names the first and the last score at which they cross.
        crossed = np.flatnonzero(lower > upper)
        crossed = crossed[[0, -1]] if crossed.size else crossed
        notes = refuted_order(scores[crossed], lower[crossed], upper[crossed], float(alpha))
        return cls(Steps.of(np.append(0.0, low)), Steps.of(np.append(up, 1.0)), tuple(notes))


@dataclass(frozen=True, eq=False, kw_only=True)
class RecalibratedCurve(CalibratedCurve):
    """An observed curve with the calibration points that bound an ideal recalibration.

    `remark` is a sentence on these points; `own` tells that they are the test points. Where rows of
    label 1 weigh `odds` times as much as those of label 0, the odds of a probability are so many
    times as large among what rows stand for, and so are those of its bounds.
    """

    runs: ScoreRuns
    remark: Note | None = None
    own: bool = False
    odds: float = 1.0

    def at(self, alpha: float) -> SimultaneousAtAlpha:
        """Everything at one alpha."""
        (found,) = self._at_each([alpha])
        return found

    def stops(self, alphas: Iterable[float], *, shifts: bool) -> list[Stop]:
        """Limits at several alphas, from one look at the runs."""
        return [at.stop(shifts=shifts) for at in self._at_each(list(alphas))]

    def _at_each(self, alphas: list[float]) -> list[SimultaneousAtAlpha]:
        """Everything at several alphas."""
        scores = self.runs.scores if self.observed.any_size else expit(self.runs.scores)
        limits = zip(alphas, *self.runs.limits_at(alphas), strict=True)
        bounds = [
            Bounds.of(scores, self._weighed(low), self._weighed(up), alpha)
            for alpha, low, up in limits
        ]
        ends = [(self.ends_of(each.lower, 0), self.ends_of(each.upper, 1)) for each in bounds]
        every = zip(alphas, bounds, ends, self._areas(ends), strict=True)
        return [
            SimultaneousAtAlpha(float(alpha), self, alpha, bound, both, area)
            for alpha, bound, both, area in every
        ]

    def _weighed(self, bound: Floats) -> Floats:
        return bound if self.odds == 1 else self.odds * bound / (self.odds * bound + 1 - bound)

    def ends_of(self, steps: Steps, side: int) -> Ends:
        """Lower (0) or upper (1) ends: few values, for many places share one."""
        places, before = np.append(steps.first, -1), self.points_before
        return by_label(lambda k: Limits(SortedSample(steps.logits, before[k][side][places])))

    def _areas(self, ends: Sequence[tuple[Ends, Ends]]) -> list[tuple[float, float, float]]:
        """Area under the observed curve, and the ranges of that of an ideal recalibration.

        It ranks as the score does, so that its area is the observed one but for ties that it makes:
        a pair that the score ranks counts half where both may have the same probability.
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
        """A sentence if the labels refute a rising probability at the usual alpha."""
        return tuple(map(Note, self.at(USUAL_ALPHA).notes))

    @property
    def n_calibration(self) -> dict[int, int]:
        """Label -> number of calibration points."""
        positives = int(self.runs.positives.sum())
        return {0: int(self.runs.points.sum()) - positives, 1: positives}

    @property
    def pooled(self) -> bool:
        """False: limits are not made of a centre and a quantile."""
        return False

    @cached_property
    def places(self) -> tuple[Ints, Ints]:
        """For each test point, the calibration groups up to its score, and those below it."""
        values = self.observed.on_axis(self.observed.centre_logits)
        order = np.argsort(values)
        low, up = np.empty((2, values.size), dtype=np.intp)
        low[order], up[order] = self.runs.places(values[order])
        return low, up

    @cached_property
    def points_before(self) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
        """By label, how many test points lie before each group, by either of their `places`."""
        return by_label(self._points_before)

    def _points_before(self, label: int) -> tuple[Ints, Ints]:
        centres, (ends, begins) = self.sorted_centres[label], self.runs.edges
        values = self.observed.on_axis(centres.values)

        def before(places: Ints) -> Ints:
            return np.concatenate([[0], centres.up_to(places), [centres.size]])

        return before(values.searchsorted(ends)), before(values.searchsorted(begins, "right"))


@dataclass(frozen=True, eq=False)
class SimultaneousAtAlpha(AtAlpha):
    """A test set and the bounds of an ideal recalibration at one significance level."""

    _curve: RecalibratedCurve
    _bounds: Bounds
    _both: tuple[Ends, Ends]
    _area: tuple[float, float, float]

    # The limits, with target, scope and guarantee

    @property
    def guaranteed(self) -> dict[int, float]:
        """Label -> confidence that all limits hold together, guaranteed or only nominal."""
        return dict.fromkeys((0, 1), 1 - self.alpha)

    @property
    def vacuous_share(self) -> dict[int, float]:
        """Label -> share of its test points whose interval is everything from 0 to 1."""
        return {k: self._open(k)[2] / n for k, n in enumerate(self._curve.observed.sizes)}

    @property
    def open_share(self) -> dict[int, list[float]]:
        """Label -> shares of its test points whose interval has no lower, no upper end."""
        sizes = self._curve.observed.sizes
        return {k: [some / n for some in self._open(k)[:2]] for k, n in enumerate(sizes)}

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence if the labels refute that the probability rises with the score."""
        return self._bounds.notes

    # The results

    def youden(self) -> YoudenRange:
        """Youden's index of the observed curve, and the range of that of an ideal recalibration.

        The curve of an ideal recalibration has vertices of the observed curve alone, so that its
        index is at most the observed one. It is at least the largest ``tpr_lower - fpr_upper``.

        Returns
        -------
        YoudenRange
            Unpacks into the observed index, the two ends of the range, and the largest threshold
            that has the index: infinite if no threshold is better than chance.
        """
        index, lower, _, threshold = super().youden()
        youden = YoudenRange(index, min(lower, index), index, threshold)
        return youden.with_promise(self.promise.replaced(target=INDEX))

    # The arrays from which the figures above are made

    @property
    def lower(self) -> Ends:
        """Lower ends of all intervals."""
        return self._both[0]

    @property
    def upper(self) -> Ends:
        """Upper ends of all intervals."""
        return self._both[1]

    def stop(self, *, shifts: bool) -> Stop:
        """See `AtAlpha.stop`; no limits are shifts."""
        return Stop(self.alpha, self.findings, self._area[1:], self._ends_at(None), None)

    def undecided(self, threshold: SupportsFloat) -> NDArray[np.bool_]:
        """See `AtAlpha.undecided`; by their order alone where scores are no probabilities."""
        if self._by_rank is None:
            return super().undecided(threshold)
        at, (low, up) = self._curve.observed.at_one(threshold).logits[0], self._curve.places
        lower, upper = self._by_rank[0].at(low), self._by_rank[1].at(up)
        return np.asarray((upper > at) & ~(lower > at))

    def _ends_at(self, ranks: int | None) -> tuple[Ends, Ends]:
        """All ends, as thresholds are counted: distinct limits are few and need no thinning."""
        if self._by_rank is None:
            return self._both
        lower, upper = self._by_rank
        return self._curve.ends_of(lower, 0), self._curve.ends_of(upper, 1)

    @cached_property
    def _by_rank(self) -> tuple[Steps, Steps] | None:
        """Both ends as ranks among the scores, if only the order of scores counts; else None.

        Compare a point with the lowest score that is called. If the point's lower bound is above
        that score's upper bound, an ideal recalibration surely calls the point. If the point's
        upper bound reaches that score's lower bound, it may call the point. The limits hold
        whether the recalibration ties scores or not.
        """
        observed, runs = self._curve.observed, self._curve.runs
        if not observed.any_size:
            return None
        (lower, upper, _), (low, up) = self._bounds, runs.places(observed.distinct)
        surely: Floats = np.searchsorted(upper.at(up), lower.logits - TIE).astype(float)
        maybe: Floats = np.searchsorted(lower.at(low), upper.logits + TIE, "right").astype(float)
        return Steps(surely - 0.5, lower.first), Steps(maybe - 0.5, upper.first)

    def _auc(self, lower: Ends, upper: Ends) -> AucRange:
        """Area under the observed curve, and the range of that of an ideal recalibration."""
        return AucRange(*self._area).with_promise(self.promise.replaced(target=AREA))

    @property
    def _ends(self) -> tuple[Floats, Floats]:
        """Both ends for each test point as logits, in the order of the test set."""
        low, up = self._curve.places
        return self._bounds.lower.at(low), self._bounds.upper.at(up)

    def _open(self, label: int) -> tuple[int, int, int]:
        """How many of a label's points have no lower bound, no upper one, and neither.

        Bounds do not fall as the score rises: the lowest points lack the one, the highest the
        other.
        """
        lower, upper = (ends[label].centres for ends in self._both)
        assert lower.before is not None
        assert upper.before is not None
        n = int(lower.before[-1])
        no_lower = int(lower.before[np.searchsorted(lower.values, -np.inf, side="right")])
        no_upper = n - int(upper.before[np.searchsorted(upper.values, np.inf)])
        return no_lower, no_upper, max(no_lower + no_upper - n, 0)

    def _vacuous(self, label: int) -> str | None:
        empty = self._open(label)[2]
        if not empty:
            return None
        points, n = sum(self._curve.n_calibration.values()), self._curve.observed.sizes[label]
        return AboutLabels(
            f"{empty:,} of the {counted(n, 'test point')} of {LABEL[label]} "
            f"{'has a score' if empty == 1 else 'have scores'} that "
            f"{counted(points, 'calibration point')} cannot bound at α = {self.alpha:g}: "
            f"{'it has' if empty == 1 else 'they have'} no limits."
        )
