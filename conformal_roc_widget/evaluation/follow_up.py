"""A curve at a horizon: outcomes by then, and limits whose rows stand for lost ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import SupportsFloat

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, by_label
from conformal_roc_widget.calibration.followed.known import FollowUp, Known
from conformal_roc_widget.calibration.followed.residuals import (
    weighted_quantiles,
    whole_effective_n,
)
from conformal_roc_widget.promise import (
    BLIND_THRESHOLD,
    WHERE_ALL_HOLD,
    WIDE_AREA,
    Promise,
    for_horizon_everywhere,
    for_range_at_horizon,
)
from conformal_roc_widget.tables.event_times import EventTimes

from .at_alpha import AREA, AtAlpha, CalibratedCurve
from .everywhere import Everywhere, EverywhereAtAlpha, EverywhereCurve
from .observed_curve import ObservedCurve

#: Labels of an evaluation at a horizon.
CLASSES = ("no event", "event")


def observed_at(
    known: Known, unit: str, outcome: EventTimes, scores: Floats, logits: Floats
) -> ObservedCurve:
    """The known rows as an observed curve."""
    follow_up = FollowUp(known.horizon, unit, known.unknown, outcome, scores)
    rows = known.rows
    given = scores[rows], known.labels, known.weights, logits[rows]
    return ObservedCurve.of(*given, follow_up=follow_up)


@dataclass(frozen=True, eq=False)
class TimedCurve(CalibratedCurve):
    """An observed curve at a horizon, with the residuals of both labels."""

    def at(self, alpha: float) -> TimedAtAlpha:
        """Everything at one alpha."""
        return TimedAtAlpha.of(self, alpha)


def _time_of(curve: CalibratedCurve) -> str:
    """The time by which an event counts, in words."""
    assert curve.observed.follow_up is not None
    return curve.observed.follow_up.by


@dataclass(frozen=True, eq=False)
class TimedAtAlpha(AtAlpha):
    """Test rows at a horizon, at one significance level."""

    def _range_promise(self, noun: str) -> Promise:
        """Promise of a range: none, since both limits would have to hold at every threshold."""
        return for_range_at_horizon(self.promise, _time_of(self._curve), noun, WHERE_ALL_HOLD)


class TimedEverywhere(Everywhere):
    """The numbers behind limits at every threshold at once, at a horizon."""

    def curve(self, of: CalibratedCurve) -> TimedEverywhereCurve:
        """See `Everywhere.curve`."""
        return TimedEverywhereCurve(
            *(
                of.observed,
                of.groups,
                of.rule,
                for_horizon_everywhere(of.promise),
                of.point_promise,
            ),
            everywhere=self,
            made_from=of,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class TimedEverywhereCurve(EverywhereCurve):
    """A curve at a horizon with residuals that bound an ideal model's curve as a whole.

    If rows have weights, a label counts as evenly spaced weighted quantiles of its logits, as many
    as its effective number of rows, and limits of counts are widened by one of these.
    """

    def at(self, alpha: float) -> TimedEverywhereAtAlpha:
        """Everything at one alpha."""
        return TimedEverywhereAtAlpha.of(self, alpha)

    def individually(self) -> CalibratedCurve:
        """See `EverywhereCurve.individually`."""
        promise = self.promise.replaced(kind="individual", scope=BLIND_THRESHOLD)
        return TimedCurve(self.observed, self.groups, self.rule, promise, self.point_promise)

    @cached_property
    def ascending_centres(self) -> tuple[Floats, Floats]:
        """Centres of the intervals by label, as many as the effective number of rows."""
        if self.observed.weights is None:
            return by_label(lambda k: self.sorted_centres[k].expanded())
        return by_label(self._quantiles_of_label)

    def _quantiles_of_label(self, k: int) -> Floats:
        of_label, weights = self.observed.labels == k, self.observed.weights
        assert weights is not None
        centres = self.observed.centre_logits[of_label]
        return weighted_quantiles(centres[:, None], weights[of_label])

    def points_of(self, label: int) -> int:
        """See `EverywhereCurve.points_of`."""
        weights = self.observed.weights
        if weights is None:
            return self.observed.sizes[label]
        return whole_effective_n(weights[self.observed.labels == label])

    @property
    def more(self) -> tuple[int, int]:
        """See `EverywhereCurve.more`."""
        return (0, 0) if self.observed.weights is None else (1, 1)


@dataclass(frozen=True, eq=False)
class TimedEverywhereAtAlpha(EverywhereAtAlpha):
    """Test rows at a horizon and the envelope of their residuals at one significance level."""

    _curve: TimedEverywhereCurve

    def _range_promise(self, noun: str) -> Promise:
        """See `EverywhereAtAlpha`."""
        scope = WIDE_AREA if noun == AREA else self.promise.place
        return for_range_at_horizon(self.promise, _time_of(self._curve), noun, scope)

    def undecided(self, threshold: SupportsFloat) -> NDArray[np.bool_]:
        """See `EverywhereAtAlpha.undecided`; rows count by their weights."""
        observed = self._curve.observed
        if observed.counts is None:
            return super().undecided(threshold)
        low, high = self._counts(observed.at_one(threshold))
        open_ = np.zeros(observed.labels.size, dtype=bool)
        for k in (0, 1):
            rows = np.flatnonzero(observed.labels == k)
            highest = rows[np.argsort(-observed.centre_logits[rows], kind="stable")]
            upto = np.cumsum(observed.counts[highest])
            open_[highest] = (upto > low[k][0]) & (upto - observed.counts[highest] < high[k][0])
        return open_
