"""``guarantee="everywhere"``: limits of the ideal model's rates at all thresholds at once.

The paper's band is for one threshold drawn at random: who picks one has left its promise. Here the
limits come from `conformal_roc_widget.calibration.rank_envelope`: of the i-th smallest ``logit pi``
of a label's test points, for all i at once. Counting them above a threshold gives limits of a rate
that hold at every threshold, and so does all that is computed from rates of both labels.

No reference tells how small the smallest ``pi`` are: of the limits that missed the truth in our
studies most did so below .005 or above .995. Beyond these thresholds there are limits only as far
as those within them leave no choice.
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
    WIDE_AREA,
    Promise,
    for_range_everywhere,
    for_rates,
)
from conformal_roc_widget.text import LABEL_AT_START, AboutLabels, Note, counted, percent

from .at_alpha import AREA, AtAlpha, CalibratedCurve, Ends
from .notes import USUAL_ALPHA
from .sorted_sample import Limits, SortedSample, even_ranks

#: A display reads the limits of a label with more test points at this many ranks.
DISPLAY_RANKS = 16_384
#: The first and the last threshold that the promise covers, as logits.
FIRST, LAST = logit((FIRST_THRESHOLD, LAST_THRESHOLD))


class Everywhere(NamedTuple):
    """The numbers behind limits at every threshold at once.

    `residuals` gives ascending residuals by label: those of the individual intervals or, if a
    reference has several sets of draws, the outermost of all sets at each rank. `remark` is a note
    on them.
    """

    residuals: Callable[[], tuple[Floats, Floats]]
    remark: Note | None = None

    def curve(self, of: CalibratedCurve) -> EverywhereCurve:
        """A curve under this guarantee, with the points and residuals that it has."""
        return EverywhereCurve(
            *(of.observed, of.groups, of.rule, EVERYWHERE, of.point_promise),
            everywhere=self,
            made_from=of,
        )


class Part(NamedTuple):
    """A label's envelope, for a page; see `EverywhereCurve`."""

    at_ranks: Floats
    #: Whether all residuals are those of the intervals.
    of_intervals: bool
    critical: Floats
    points: int
    more: int


@dataclass(frozen=True, eq=False, kw_only=True)
class EverywhereCurve(CalibratedCurve):
    """An observed curve with the residuals that bound an ideal model's curve as a whole.

    If it was `made_from` another one, the centres that that one has sorted are its own.
    """

    everywhere: Everywhere
    made_from: CalibratedCurve | None = None

    def at(self, alpha: float) -> EverywhereAtAlpha:
        """Everything at one alpha."""
        return EverywhereAtAlpha.of(self, alpha)

    def individually(self) -> CalibratedCurve:
        """See `CalibratedCurve.individually`."""
        rates = for_rates("individual", self.point_promise.surety)
        return CalibratedCurve(self.observed, self.groups, self.rule, rates, self.point_promise)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Sentences on labels without limits at the usual alpha."""
        return tuple(Note(reason) for reason in self.at(USUAL_ALPHA).vacuous.values() if reason)

    @property
    def remark(self) -> Note | None:
        """A sentence on the residuals at any alpha."""
        return self.everywhere.remark

    @cached_property
    def sorted_centres(self) -> tuple[SortedSample, SortedSample]:
        """See `CalibratedCurve.sorted_centres`."""
        origin = self.made_from
        return by_label(self._sorted_centres_of) if origin is None else origin.sorted_centres

    @cached_property
    def enclosing(self) -> tuple[Floats, Floats]:
        """Ascending residuals by label."""
        return self.everywhere.residuals()

    @cached_property
    def at_envelope_ranks(self) -> tuple[Floats, Floats]:
        """The residuals at the ranks that the envelope bounds, by label."""
        return by_label(lambda k: self.enclosing[k][envelope_ranks(self.enclosing[k].size) - 1])

    @cached_property
    def ascending_centres(self) -> tuple[Floats, Floats]:
        """Centres of the intervals by label, each as often as it is counted."""
        return by_label(lambda k: self.sorted_centres[k].expanded())

    def most_below(self, label: int, alpha: float) -> Ints:
        """The most test residuals that may lie below each of the ranks of a label's envelope."""
        n, m = self._sizes_of(label)
        return np.minimum(most_below(n, m, critical_value(n, m, alpha)) + self.more[label], m)

    def critical_values(self, label: int, alphas: Iterable[float]) -> Floats:
        """How many standard deviations a label's envelope is wide, at some alphas."""
        sizes = self._sizes_of(label)
        return np.array([critical_value(*sizes, alpha) for alpha in alphas])

    def parts(self, alphas: Sequence[float]) -> tuple[Part, Part]:
        """By label the numbers for a page, from which it makes the limits at some alphas."""
        at_ranks, enclosing, own = self.at_envelope_ranks, self.enclosing, self.residuals
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
        """Number of test points that a label counts for."""
        return self.observed.sizes[label]

    @property
    def more(self) -> tuple[int, int]:
        """The number of points that each label's limits of counts are widened by."""
        return 0, 0

    def _sizes_of(self, label: int) -> tuple[int, int]:
        return self.enclosing[label].size, self.points_of(label)


@dataclass(frozen=True, eq=False)
class OrderedAtAlpha(AtAlpha):
    """Limits of the ordered ``logit pi`` of a label's test points, whichever point that is."""

    @property
    def quantiles(self) -> None:
        """None: limits are no shifts by an order statistic."""
        return

    @property
    def ranks(self) -> None:
        """None: limits are no shifts by an order statistic."""
        return

    def undecided(self, threshold: SupportsFloat) -> NDArray[np.bool_]:
        """Which test points could be called either way at a threshold (n_test,).

        These are, for each label, the points whose rank by score lies between the two limits: their
        share is the width of the band.
        """
        at = self._curve.observed.at_one(threshold)
        (low, high), labels = self._counts(at), self._curve.observed.labels
        open_ = np.zeros(labels.size, dtype=bool)
        for k in (0, 1):
            rows = np.flatnonzero(labels == k)
            highest = rows[np.argsort(-self._curve.observed.centre_logits[rows], kind="stable")]
            open_[highest[int(low[k][0]) : int(high[k][0])]] = True
        return open_


@dataclass(frozen=True, eq=False)
class EverywhereAtAlpha(OrderedAtAlpha):
    """A test set and the envelope of its residuals at one significance level."""

    _curve: EverywhereCurve

    # The limits, with target, scope and guarantee

    @property
    def vacuous_share(self) -> dict[int, float]:
        """Label -> 1 if it has no limit at any threshold, else 0."""
        return {k: float(missing.all()) for k, missing in enumerate(self._ends_missing)}

    def _range_promise(self, noun: str) -> Promise:
        """The limits' own promise: rates only fall, so limits hold between thresholds too."""
        scope = WIDE_AREA if noun == AREA else self.promise.place
        return for_range_everywhere(self.promise, noun, scope)

    # The arrays from which the figures above are made

    @property
    def lower(self) -> Ends:
        """Lower limits of the ordered ``logit pi``."""
        return self._both[0]

    @property
    def upper(self) -> Ends:
        """Upper limits of the ordered ``logit pi``."""
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
        """Limits of all points, or of a larger label at evenly spaced ranks."""
        (low0, high0), (low1, high1) = by_label(lambda k: self._limits_of_label(k, most_ranks))
        return (low0, low1), (high0, high1)

    def _limits_of_label(self, label: int, most_ranks: int | None) -> tuple[Limits, Limits]:
        """Limits within the promise's thresholds.

        Elsewhere those that follow, since rates only fall.
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
        # A limit that is moved to an end still counts at the threshold there.
        low = np.where(low <= FIRST, -np.inf, np.minimum(low, LAST + 2 * TIE))
        high = np.where(high > LAST - TIE, np.inf, np.maximum(high, FIRST - 2 * TIE))
        # A threshold that equals a limit may lie above a lower one, and below an upper one.
        return Limits(SortedSample(low)), Limits(SortedSample(high), 2 * TIE)

    @cached_property
    def _ends_missing(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """By label, which of its points have no lower, and no upper limit."""
        lower, upper = self._ends_at(DISPLAY_RANKS)
        return by_label(
            lambda k: np.array(
                [np.isneginf(lower[k].centres.values), np.isposinf(upper[k].centres.values)]
            )
        )

    def _missing(self, label: int) -> NDArray[np.bool_]:
        return self._ends_missing[label]

    def _vacuous(self, label: int) -> str | None:
        if not self._ends_missing[label].all():
            return None
        n = self.n_calibration[label]
        return AboutLabels(
            f"{LABEL_AT_START[label]} has too few calibration points for limits at every threshold "
            f"with {percent(1 - self.alpha)}: its {counted(n, 'point')} "
            f"{'allows' if n == 1 else 'allow'} none."
        )
