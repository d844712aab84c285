"""Computes limits at all thresholds at once, for ``guarantee="everywhere"``.

The paper's band is for one threshold drawn at random, and not for one that somebody picks. Here
`conformal_roc_widget.calibration.rank_envelope` bounds the i-th smallest ``logit pi`` of a label's
test points, for all i at once. At a threshold, the limits of a rate count these bounds above it. So
they hold at every threshold at once, and so do limits of figures that are computed from both rates.

No reference (estimate of ``pi``) shows how small the smallest ``pi`` are: in our studies, most
limits that missed the truth did so below .005 or above .995. Outside these thresholds, limits are
only what follows from those inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, SupportsFloat

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from conformal_roc_widget.arrays import Floats, Ints, by_label
from conformal_roc_widget.calibration.followed.residuals import weighted_quantiles
from conformal_roc_widget.calibration.rank_envelope import (
    critical_value,
    envelope_ranks,
    most_below,
    ordered_limits,
)
from conformal_roc_widget.logits import TIE
from conformal_roc_widget.promise import (
    EVERYWHERE,
    FIRST_THRESHOLD,
    LAST_THRESHOLD,
    for_horizon_everywhere,
    for_rates,
)
from conformal_roc_widget.text import LABEL_AT_START, AboutLabels, Note, counted, percent

from .at_alpha import AtAlpha, CalibratedCurve, Ends, OpenShares
from .notes import USUAL_ALPHA
from .sorted_sample import Limits, SortedSample, even_ranks

#: If a label has more test points than this, limits for a screen are computed at only this many
#: evenly spaced ranks.
DISPLAY_RANKS = 16_384
#: The logits of the lowest and the highest threshold at which limits are guaranteed.
FIRST, LAST = logit((FIRST_THRESHOLD, LAST_THRESHOLD))


class Everywhere(NamedTuple):
    """What `EverywhereCurve` needs to compute limits at every threshold at once.

    `residuals` returns the ascending residuals of label 0 and of label 1, which are those of the
    individual intervals. If a reference has several sets of posterior draws, the smallest of the
    sets' residuals is used at each rank of the lower half, and the largest in the upper half.
    `remark` is a note on the residuals, or None.
    """

    residuals: Callable[[], tuple[Floats, Floats]]
    remark: Note | None = None

    def curve(self, of: CalibratedCurve) -> EverywhereCurve:
        """Returns the curve `of` under ``guarantee="everywhere"``."""
        by_time = of.observed.follow_up is not None
        promise = for_horizon_everywhere(of.promise) if by_time else EVERYWHERE
        return EverywhereCurve(
            *(of.observed, of.groups, of.rule, promise, of.point_promise),
            everywhere=self,
            made_from=of,
        )


class Part(NamedTuple):
    """A label's envelope, as a page gets it. `EverywhereCurve` explains the numbers."""

    at_ranks: Floats
    #: Whether the intervals of single points are made from the same residuals as this envelope.
    of_intervals: bool
    critical: Floats
    points: int
    more: int


@dataclass(frozen=True, eq=False, kw_only=True)
class EverywhereCurve(CalibratedCurve):
    """An observed curve whose limits hold at every threshold at once.

    If it was `made_from` a curve under another guarantee, it reuses the sorted centres of that
    curve. If rows have weights (at a horizon), the logits of a label are replaced by evenly spaced
    weighted quantiles. Their number is the effective sample size of the label. Each limit of a
    count is widened by one.
    """

    everywhere: Everywhere
    made_from: CalibratedCurve | None = None

    def at(self, alpha: float) -> EverywhereAtAlpha:
        """Computes all results at the significance level `alpha`."""
        return EverywhereAtAlpha.of(self, alpha)

    def individually(self) -> CalibratedCurve:
        """See `CalibratedCurve.individually`."""
        if self.made_from is not None:
            return self.made_from
        rates = for_rates("individual", self.point_promise.surety)
        return CalibratedCurve(self.observed, self.groups, self.rule, rates, self.point_promise)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes on labels without limits at `USUAL_ALPHA`."""
        return tuple(Note(reason) for reason in self.at(USUAL_ALPHA).vacuous.values() if reason)

    @property
    def remark(self) -> Note | None:
        """A note on the residuals that does not depend on alpha, or None."""
        return self.everywhere.remark

    @cached_property
    def sorted_centres(self) -> tuple[SortedSample, SortedSample]:
        """See `CalibratedCurve.sorted_centres`."""
        origin = self.made_from
        return by_label(self._sorted_centres_of) if origin is None else origin.sorted_centres

    @cached_property
    def enclosing(self) -> tuple[Floats, Floats]:
        """The ascending residuals of label 0 and of label 1 that make the envelope."""
        return self.everywhere.residuals()

    @cached_property
    def at_envelope_ranks(self) -> tuple[Floats, Floats]:
        """The residuals of label 0 and of label 1 at the ranks of the envelope."""
        return by_label(lambda k: self.enclosing[k][envelope_ranks(self.enclosing[k].size) - 1])

    @cached_property
    def ascending_centres(self) -> tuple[Floats, Floats]:
        """The ascending centres of label 0 and of label 1, each repeated by its count.

        If rows have weights, they are as many quantiles as the effective sample size.
        """
        observed = self.observed
        if (weights := observed.weights) is None:
            return by_label(lambda k: self.sorted_centres[k].expanded())
        rows = by_label(lambda k: observed.labels == k)
        centres = observed.centre_logits[:, None]
        return by_label(lambda k: weighted_quantiles(centres[rows[k]], weights[rows[k]]))

    def most_below(self, label: int, alpha: float) -> Ints:
        """Returns how many test residuals may be below each rank of a label's envelope."""
        n, m = self._sizes_of(label)
        return np.minimum(most_below(n, m, critical_value(n, m, alpha)) + self.more[label], m)

    def critical_values(self, label: int, alphas: Iterable[float]) -> Floats:
        """Returns the half-width of a label's envelope at each alpha, in standard deviations."""
        sizes = self._sizes_of(label)
        return np.array([critical_value(*sizes, alpha) for alpha in alphas])

    def parts(self, alphas: Sequence[float], own: Sequence[Floats]) -> tuple[Part, Part]:
        """Returns for both labels the numbers from which a page computes limits at the `alphas`.

        `own` are the residuals of the individual intervals of both labels.
        """
        at_ranks, enclosing = self.at_envelope_ranks, self.enclosing
        return by_label(
            lambda k: Part(
                at_ranks[k],
                np.array_equal(enclosing[k], own[k]),
                self.critical_values(k, alphas),
                self.points_of(k),
                self.more[k],
            )
        )

    def points_of(self, label: int) -> int:
        """Returns the number of a label's test points that the envelope is made for."""
        return self.ascending_centres[label].size

    @property
    def more(self) -> tuple[int, int]:
        """For label 0 and label 1, by how many points each limit of a count is widened."""
        return (0, 0) if self.observed.weights is None else (1, 1)

    def _sizes_of(self, label: int) -> tuple[int, int]:
        return self.enclosing[label].size, self.points_of(label)


@dataclass(frozen=True, eq=False)
class OrderedAtAlpha(AtAlpha):
    """Results from limits of the i-th smallest ``logit pi`` of a label's test points, for all i.

    The limits of rates do not come from intervals of single points.
    """

    # `quantiles` and `ranks` describe limits that are a centre plus one order statistic. These
    # limits are not, so both are None.
    quantiles = None
    ranks = None

    def undecided(self, threshold: SupportsFloat) -> NDArray[np.bool_]:
        """Whether each test point (n_test,) could be predicted either way at a threshold.

        For each label these are the points whose rank by score lies between the two limits of the
        count above the threshold. So their share is the width of the band. If rows have weights,
        the weights are counted instead of the points.
        """
        observed = self._curve.observed
        low, high = self._counts(observed.at_one(threshold))
        counts = np.ones_like(observed.labels) if observed.counts is None else observed.counts
        open_ = np.zeros(observed.labels.size, dtype=bool)
        for k in (0, 1):
            rows = np.flatnonzero(observed.labels == k)
            highest = rows[np.argsort(-observed.centre_logits[rows], kind="stable")]
            upto = np.cumsum(counts[highest], dtype=np.intp)
            open_[highest] = (upto > low[k][0]) & (upto - counts[highest] < high[k][0])
        return open_


@dataclass(frozen=True, eq=False)
class EverywhereAtAlpha(OrderedAtAlpha):
    """The results at one significance level under ``guarantee="everywhere"``."""

    _curve: EverywhereCurve

    # ---- the arrays that the results are computed from

    @property
    def lower(self) -> Ends:
        """For each label and all i, the lower limit of its i-th smallest ``logit pi``."""
        return self._both[0]

    @property
    def upper(self) -> Ends:
        """For each label and all i, the upper limit of its i-th smallest ``logit pi``."""
        return self._both[1]

    @cached_property
    def _both(self) -> tuple[Ends, Ends]:
        return self._limits(None)

    @cached_property
    def _display_ends(self) -> tuple[Ends, Ends]:
        return self._limits(DISPLAY_RANKS)

    def _ends_at(self, ranks: int | None) -> tuple[Ends, Ends]:
        few = ranks is None or max(self._curve.observed.sizes) <= DISPLAY_RANKS
        return self._both if few else self._display_ends

    def _limits(self, most_ranks: int | None) -> tuple[Ends, Ends]:
        """Computes the lower and the upper limits of both labels.

        If a label has more than `most_ranks` points, only this many evenly spaced ranks are
        computed.
        """
        (low0, high0), (low1, high1) = by_label(lambda k: self._limits_of_label(k, most_ranks))
        return (low0, low1), (high0, high1)

    def _limits_of_label(self, label: int, most_ranks: int | None) -> tuple[Limits, Limits]:
        """Computes the lower and the upper limits of one label. See `_limits`.

        Outside the guaranteed thresholds, limits follow from those inside, because rates are
        monotone.
        """
        centres = self._curve.ascending_centres[label]
        places = None
        if most_ranks is not None and centres.size > most_ranks:
            places = even_ranks(centres.size, most_ranks)
        low, high = ordered_limits(
            centres,
            self._curve.at_envelope_ranks[label],
            self._curve.most_below(label, self._alpha_as_given),
            places,
        )
        # The guaranteed thresholds are those from `FIRST` to `LAST`. If a lower limit is above
        # `LAST`, it becomes a number just above `LAST`. If an upper limit is below `FIRST`, it
        # becomes a number just below `FIRST`. So the counts at guaranteed thresholds stay the same.
        low = np.where(low <= FIRST, -np.inf, np.minimum(low, LAST + 2 * TIE))
        high = np.where(high > LAST - TIE, np.inf, np.maximum(high, FIRST - 2 * TIE))
        # If a lower limit equals a threshold, it does not count as above the threshold. If an upper
        # limit equals a threshold, it counts as above, because of its shift of 2 * TIE.
        return Limits(SortedSample(low)), Limits(SortedSample(high), 2 * TIE)

    @cached_property
    def _ends_missing(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """For each label (2, m): which points lack a lower limit, and which lack an upper limit."""
        lower, upper = self._ends_at(DISPLAY_RANKS)
        return by_label(
            lambda k: np.array(
                [np.isneginf(lower[k].centres.values), np.isposinf(upper[k].centres.values)]
            )
        )

    @cached_property
    def _open_shares(self) -> tuple[OpenShares, OpenShares]:
        """The shares of `OpenShares`, for label 0 and for label 1.

        The last share is 1 if the label has no limit at any threshold, and otherwise 0.
        """
        zeros, ones = ((*m.mean(axis=1), m.all()) for m in self._ends_missing)
        return zeros, ones

    def _vacuous(self, label: int) -> str:
        n = self.n_calibration[label]
        return AboutLabels(
            f"{LABEL_AT_START[label]} has too few calibration points for limits at every threshold "
            f"with {percent(1 - self.alpha)}: its {counted(n, 'point')} "
            f"{'allows' if n == 1 else 'allow'} none."
        )
