"""``guarantee="simultaneous"``: limits of an ideal recalibration of the score, for any sample size.

Where ``lower(s) <= pi_s <= upper(s)`` holds at every score s, an ideal recalibration puts as many
test points of a label above a threshold as lie between ``#{lower(s) > lambda}`` and
``#{upper(s) > lambda}``, at all thresholds and for both labels at once. It ranks the points as the
score does. Its curve is therefore the observed one but for ties that it makes, and only the place
of a threshold on that curve is uncertain.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from conformal_roc_widget.arrays import Floats, Ints, by_label
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.evaluation.at_alpha import AtAlpha, CalibratedCurve, Ends
from conformal_roc_widget.evaluation.band import AucRange
from conformal_roc_widget.evaluation.decisions.youden import YoudenRange
from conformal_roc_widget.evaluation.notes import USUAL_ALPHA
from conformal_roc_widget.evaluation.sorted_sample import Limits, SortedSample, pairs_above
from conformal_roc_widget.logits import TIE, clipped
from conformal_roc_widget.reliability.calibration_band import refuted_order
from conformal_roc_widget.reliability.score_runs import ScoreRuns
from conformal_roc_widget.text import LABEL, AboutLabels, Note, counted

AREA = (
    "the area under the curve of an ideal recalibration, which ranks as the score does: the "
    "observed area but for ties that it makes"
)
INDEX = (
    "Youden's index of an ideal recalibration, which ranks as the score does: the observed index, "
    "or less where it ties scores"
)


def runs_of_logits(logits: Floats, positive: NDArray[np.bool_]) -> ScoreRuns:
    """Runs of calibration points, in which logits nearer than `TIE` are equal."""
    return ScoreRuns.of(clipped(logits), positive, TIE)


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
    """Bounds by place at one alpha, and a sentence where the labels refute a rising probability.

    Below all scores there is no lower bound, above all no upper one. Bounds that cross are put in
    order, so that they can be drawn: they promise nothing, as the sentence says.
    """

    lower: Steps
    upper: Steps
    notes: tuple[str, ...]

    @classmethod
    def of(cls, runs: ScoreRuns, alpha: float) -> Bounds:
        """Bounds that runs of calibration points have."""
        lower, upper = runs.limits(alpha)
        low, up = np.minimum(lower, upper), np.maximum(lower, upper)
        # The sentence names the first and the last score at which they cross.
        crossed = np.flatnonzero(lower > upper)
        crossed = crossed[[0, -1]] if crossed.size else crossed
        scores = expit(runs.scores[crossed])
        notes = refuted_order(scores, lower[crossed], upper[crossed], float(alpha))
        return cls(Steps.of(np.append(0.0, low)), Steps.of(np.append(up, 1.0)), tuple(notes))


@dataclass(frozen=True, eq=False, kw_only=True)
class RecalibratedCurve(CalibratedCurve):
    """An observed curve with the calibration points that bound an ideal recalibration.

    `remark` is a sentence on these points; `own` tells that they are the test points.
    """

    runs: ScoreRuns
    remark: Note | None = None
    own: bool = False

    def at(self, alpha: float) -> SimultaneousAtAlpha:
        """Everything at one alpha."""
        return SimultaneousAtAlpha.of(self, alpha)

    @property
    def notes(self) -> tuple[Note, ...]:
        """A sentence where the labels refute a rising probability at the usual alpha."""
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
        values = clipped(self.observed.centre_logits)
        order = np.argsort(values)
        low, up = np.empty((2, values.size), dtype=np.intp)
        low[order], up[order] = self.runs.places(values[order])
        return low, up

    @cached_property
    def points_before(self) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
        """By label, how many test points lie before each group, by either of their `places`."""
        return by_label(self._points_before)

    def _points_before(self, label: int) -> tuple[Ints, Ints]:
        centres = self.sorted_centres[label]
        low, up = self.runs.places(clipped(centres.values))
        return self._before(low, centres.counts), self._before(up, centres.counts)

    def _before(self, places: Ints, counts: Ints | None) -> Ints:
        by_place = np.bincount(places, counts, self.runs.scores.size + 1)
        return np.concatenate([[0], np.cumsum(by_place.astype(np.intp))])

    def bounds_at(self, alpha: float) -> Bounds:
        """The bounds at one alpha, made once: a widget and its page ask for the same ones."""
        level = exact_alpha(alpha)
        if level not in self._bounds:
            self._bounds[level] = Bounds.of(self.runs, alpha)
        return self._bounds[level]

    @cached_property
    def _bounds(self) -> dict[Fraction, Bounds]:
        return {}


@dataclass(frozen=True, eq=False)
class SimultaneousAtAlpha(AtAlpha):
    """A test set and the bounds of an ideal recalibration at one significance level."""

    _curve: RecalibratedCurve

    # The limits, and what they promise

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
        """A sentence where the labels refute that the probability rises with the score."""
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
            that has the index: infinite where no threshold is better than chance.
        """
        index, lower, _, threshold = super().youden()
        youden = YoudenRange(index, min(lower, index), index, threshold)
        return youden.with_promise(self.promise.replaced(target=INDEX))

    # What the figures above are made of

    @cached_property
    def lower(self) -> Ends:
        """Lower ends of all intervals."""
        return self._limits(self._bounds.lower, 0)

    @cached_property
    def upper(self) -> Ends:
        """Upper ends of all intervals."""
        return self._limits(self._bounds.upper, 1)

    def _ends_at(self, ranks: int | None) -> tuple[Ends, Ends]:
        """All ends, since distinct limits are few and need no thinning."""
        return self.lower, self.upper

    def _auc(self, lower: Ends, upper: Ends) -> AucRange:
        """Area under the observed curve, and the range of that of an ideal recalibration.

        It ranks as the score does, so that its area is the observed one but for ties that it makes:
        a pair that the score ranks counts half where both may have the same probability.
        """
        observed = self._curve.observed.auc
        zeros, ones = self._curve.observed.sizes
        right, wrong = (some / (zeros * ones) for some in self._curve.observed.ranked)
        surely_right = _share_above(lower[1].centres, upper[0].centres, TIE)
        surely_wrong = _share_above(lower[0].centres, upper[1].centres, TIE)
        return AucRange(
            observed,
            observed - max(right - surely_right, 0.0) / 2,
            observed + max(wrong - surely_wrong, 0.0) / 2,
        ).with_promise(self.promise.replaced(target=AREA))

    def _limits(self, steps: Steps, side: int) -> Ends:
        before = self._curve.points_before
        # Few values, for many places share one.
        places = np.append(steps.first, -1)
        return by_label(lambda k: Limits(SortedSample(steps.logits, before[k][side][places])))

    @property
    def _ends(self) -> tuple[Floats, Floats]:
        """Both ends for each test point as logits, in the order of the test set."""
        low, up = self._curve.places
        return self._bounds.lower.at(low), self._bounds.upper.at(up)

    @property
    def _bounds(self) -> Bounds:
        return self._curve.bounds_at(self._alpha_as_given)

    def _open(self, label: int) -> tuple[int, int, int]:
        """How many of a label's points have no lower bound, no upper one, and neither.

        Bounds do not fall as the score rises: the lowest points lack the one, the highest the
        other.
        """
        lower, upper = (ends[label].centres for ends in (self.lower, self.upper))
        n = lower.size
        no_lower = n - int(lower.above(np.array([-np.inf]))[0])
        no_upper = int(upper.at_least(np.array([np.inf]))[0])
        return no_lower, no_upper, max(no_lower + no_upper - n, 0)

    def _vacuous(self, label: int) -> str | None:
        empty = self._open(label)[2]
        if not empty:
            return None
        points, n = sum(self.n_calibration.values()), self._curve.observed.sizes[label]
        return AboutLabels(
            f"{empty:,} of the {counted(n, 'test point')} of {LABEL[label]} "
            f"{'has a score' if empty == 1 else 'have scores'} that "
            f"{counted(points, 'calibration point')} cannot bound at α = {self.alpha:g}: "
            f"{'it has' if empty == 1 else 'they have'} no limits."
        )


def _share_above(high: SortedSample, low: SortedSample, tie: float = 0.0) -> float:
    """Share of the pairs with the first above the second, by more than `tie`."""
    return pairs_above(high, low, -tie, "left") / (high.size * low.size)
