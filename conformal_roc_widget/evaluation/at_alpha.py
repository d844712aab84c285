"""A curve with its residuals, and its results at one alpha. Alpha enters nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Self, SupportsFloat

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints, by_label, read_only
from conformal_roc_widget.calibration.quantiles import exact_alpha, ranks
from conformal_roc_widget.calibration.residuals import Quantiles, Residuals, WeightedResiduals
from conformal_roc_widget.evaluation.decisions.youden import (
    YoudenRange,
    observed_youden,
    youden_range,
)
from conformal_roc_widget.logits import TIE
from conformal_roc_widget.promise import LEVELS, Guarantee, Phrase, Promise, Promised, for_range
from conformal_roc_widget.text import Note

from .band import AucRange, ConformalBand, OperatingPoint, PointIntervals
from .estimate import SamplingInterval
from .notes import (
    CALIBRATION_POINTS,
    NEIGHBOURS,
    few_residuals,
    vacuous_reason,
    weighted_vacuous_reason,
)
from .observed_curve import ObservedCurve, Vertices
from .sorted_sample import Limits, SortedSample, counts_above, share_ranked_above, thinned


@dataclass(frozen=True, eq=False)
class CalibratedCurve:
    """An observed curve with the residuals of both labels, and what its limits promise.

    `groups` serve the band, and the intervals of single points unless there are `individual` ones
    for them. With neighbourhoods, `neighbourhoods_of` are the ascending residuals that they are
    taken from. `promise` and `point_promise` have a place for the ``{confidence}``.
    """

    observed: ObservedCurve
    groups: tuple[Residuals, Residuals]
    rule: str
    promise: Promise
    point_promise: Promise
    individual: tuple[Residuals, Residuals] | None = None
    neighbourhoods_of: tuple[Floats, Floats] | None = None

    def at(self, alpha: float) -> AtAlpha:
        """Everything at one alpha."""
        return AtAlpha.of(self, alpha)

    def stops(self, alphas: Iterable[float], *, shifts: bool) -> Iterable[Stop]:
        """Limits at several alphas; see `Stop`."""
        return (self.at(alpha).stop(shifts=shifts) for alpha in alphas)

    def individually(self) -> CalibratedCurve:
        """The same curve with limits for a threshold that is drawn at random."""
        return self

    def without_promise(self, level: str) -> Self:
        """The same curve without a promise; `level` says so."""
        none = {"kind": "none", "guarantee": Guarantee(LEVELS[level])}
        return replace(
            self,
            promise=self.promise.replaced(**none),
            point_promise=self.point_promise.replaced(**none),
        )

    def assuming(self, condition: Phrase) -> CalibratedCurve:
        """The same curve, with one more condition on its promises."""
        return replace(
            self,
            promise=self.promise.assuming(condition),
            point_promise=self.point_promise.assuming(condition),
        )

    @property
    def residuals(self) -> dict[int, Floats]:
        """Label -> all its residuals, ascending and read-only."""
        every = self.neighbourhoods_of or by_label(lambda k: self.groups[k].residuals)
        return {k: read_only(values) for k, values in enumerate(every)}

    @property
    def n_calibration(self) -> dict[int, int]:
        """Label -> number of its residuals; if there are several splits, the smallest number."""
        if self.neighbourhoods_of is not None:
            return {k: values.size for k, values in enumerate(self.neighbourhoods_of)}
        # Each test point belongs to one split: sizes of several splits are not added up.
        return {k: groups.smallest for k, groups in enumerate(self.groups)}

    @property
    def neighbour_noun(self) -> str:
        """The noun for the rows that make the limits of a test point.

        Calibration points, or its neighbours.
        """
        return CALIBRATION_POINTS if self.neighbourhoods_of is None else NEIGHBOURS

    @property
    def vacuous_below(self) -> dict[int, float]:
        """Label -> alpha below which none of its test points has a limit; 0 if not known."""
        if self.promise.every_threshold:
            return {0: 0.0, 1: 0.0}
        return {k: groups.vacuous_below(self.rule) for k, groups in enumerate(self.groups)}

    @property
    def notes(self) -> tuple[Note, ...]:
        """Sentences on missing limits at the usual alpha."""
        return few_residuals(self.n_calibration, self.groups, self.neighbour_noun, self.rule)

    @property
    def remark(self) -> Note | None:
        """A sentence on the residuals at any alpha."""
        return None

    @property
    def pooled(self) -> bool:
        """Whether all test points of a label share one pair of order statistics."""
        return all(groups.points is None for groups in self.groups)

    @property
    def group_sizes(self) -> tuple[Ints, Ints] | None:
        """By label, how many test points share each group of residuals; None if each has its own.

        Test points are in the order of `sorted_centres`. None too if limits are not made of a
        centre and a quantile.
        """
        if not self.pooled and all(each.points is None for each in self.groups):
            return None
        sizes = [
            np.array([self.sorted_centres[k].values.size]) if each.points is None else each.repeats
            for k, each in enumerate(self.groups)
        ]
        zeros, ones = sizes
        return None if zeros is None or ones is None else (zeros, ones)

    @property
    def weighted(self) -> bool:
        """Whether residuals have weights, so that ranks do not follow from their number."""
        return any(isinstance(groups, WeightedResiduals) for groups in self.groups)

    @property
    def counts_people(self) -> bool:
        """Whether `n_calibration` are numbers of people."""
        return any(getattr(groups, "people", None) is not None for groups in self.groups)

    @cached_property
    def sorted_centres(self) -> tuple[SortedSample, SortedSample]:
        """Centres by label: ascending, or in the order of their groups of residuals."""
        return by_label(self._sorted_centres_of)

    def _sorted_centres_of(self, label: int) -> SortedSample:
        observed, points = self.observed, self.groups[label].points
        if points is None and observed.centres is None and observed.score_logits is None:
            # Logits hardly ever fall as scores rise, but a clipped one may.
            before = observed.sorted_scores[label].before
            counts = None if before is None else np.diff(before)
            return SortedSample.of(observed.sorted_logits[label], counts)
        if points is None and observed.centres is None and observed.counts is None:
            return SortedSample.of(observed.sorted_logits[label])
        centres, counts = observed.centres_of(label)
        if points is None:
            return SortedSample.of(centres, counts)
        return SortedSample.in_order(centres[points], None if counts is None else counts[points])


#: A display reads the AUC range at this many ranks, with an error of at most half of one over it.
AUC_RANKS = 4096
#: A display reads the limits of a label with more test points at this many ranks, which fit into a
#: core's cache: a frame of ten million points takes no longer, and a rate is off by half of one
#: over this at most.
LIMIT_RANKS = 65_536

AREA = "the area under the curve"
#: Lower or upper ends of all intervals, by label.
Ends = tuple[Limits, Limits]


class Findings(NamedTuple):
    """The findings on the limits of an evaluation at one alpha; see `AtAlpha`."""

    quantiles: Mapping[int, tuple[float, float]] | None
    ranks: Mapping[int, tuple[int, int]] | None
    guaranteed: Mapping[int, float]
    vacuous: Mapping[int, str | None]
    vacuous_share: Mapping[int, float]
    open_share: Mapping[int, Sequence[float]]
    promise: Promise
    notes: tuple[str, ...]


class Stop(NamedTuple):
    """Limits at one alpha, for a page that cannot compute them.

    Both ends of all intervals, or where `shifts` are asked for what moves each group of centres.
    """

    alpha: float
    findings: Findings
    auc: tuple[float, float]
    ends: tuple[Ends, Ends] | None
    shifts: tuple[Quantiles, Quantiles] | None


class LimitsOnScreen(NamedTuple):
    """Findings, range of the area, and by label the counts of limits at the vertices shown."""

    findings: Findings
    auc: tuple[float, float]
    lower: tuple[Ints, Ints]
    upper: tuple[Ints, Ints]


@dataclass(frozen=True, eq=False)
class AtAlpha(Promised):
    """A test set with its calibration residuals at one significance level.

    Made by `RocEvaluation.at`; its answers share the order statistics and the limits.

    Attributes
    ----------
    alpha : float
        Significance level in (0, 1).
    """

    alpha: float
    _curve: CalibratedCurve
    _alpha_as_given: float

    @classmethod
    def of(cls, curve: CalibratedCurve, alpha: float) -> Self:
        """The results at an alpha. Alpha is kept as written, for exact ranks."""
        exact_alpha(alpha)
        return cls(float(alpha), curve, alpha)

    def is_at(self, alpha: float) -> bool:
        """Whether alpha equals this one in type and value, and so has the same ranks."""
        return type(alpha) is type(self._alpha_as_given) and alpha == self._alpha_as_given

    # The limits, with target, scope and guarantee

    @property
    def quantiles(self) -> dict[int, tuple[float, float]] | None:
        """Label -> the two order statistics of its residuals; None if each point has its own."""
        if not self._curve.pooled:
            return None
        return {
            k: (float(pair.lower[0]), float(pair.upper[0])) for k, pair in enumerate(self._pairs)
        }

    @property
    def ranks(self) -> dict[int, tuple[int, int]] | None:
        """Label -> ranks of its `quantiles`, from 0 to n + 1; also None with weights."""
        if not self._curve.pooled or self._curve.weighted:
            return None
        rule = self._curve.rule
        sizes = self._curve.n_calibration
        return {k: ranks(n, self._alpha_as_given, rule) for k, n in sizes.items()}

    @property
    def group_quantiles(self) -> tuple[Quantiles, Quantiles]:
        """By label, the order statistics of each group of residuals."""
        level = self._alpha_as_given, self._curve.rule
        return by_label(lambda k: self._curve.groups[k].of_groups(*level))

    @property
    def n_calibration(self) -> dict[int, int]:
        """Label -> number of residuals behind an interval; the smallest if they differ."""
        return {k: groups.smallest for k, groups in enumerate(self._curve.groups)}

    @property
    def guaranteed(self) -> dict[int, float]:
        """Label -> least coverage of the intervals for exchangeable residuals.

        If all limits hold together, the probability that they do.
        """
        if self.promise.every_threshold:
            return dict.fromkeys((0, 1), 1 - self.alpha)
        return {k: pair.guaranteed for k, pair in enumerate(self._pairs)}

    @property
    def vacuous(self) -> dict[int, str | None]:
        """Label -> why its limits, or those of some points, say nothing; None if all do."""
        return {k: self._vacuous(k) for k in (0, 1)}

    @property
    def vacuous_share(self) -> dict[int, float]:
        """Label -> share of its test points whose interval is everything from 0 to 1."""
        return {k: float(self._missing(k).all(axis=0).mean()) for k in (0, 1)}

    @property
    def open_share(self) -> dict[int, list[float]]:
        """Label -> shares of its test points whose interval has no lower, no upper end."""
        return {k: self._missing(k).mean(axis=1).tolist() for k in (0, 1)}

    @cached_property
    def promise(self) -> Promise:  # type: ignore[override]  # read-only here
        """Target, scope and guarantee of the limits."""
        return self._curve.promise.at(self.alpha)

    def _range_promise(self, noun: str) -> Promise:
        """Promise of the range that the limits allow for an index or area."""
        return for_range(noun, self.promise.model)

    @property
    def notes(self) -> tuple[str, ...]:
        """Plain sentences on the limits at this alpha."""
        return ()

    # The results

    def band(self, thresholds: ArrayLike | None = None) -> ConformalBand:
        """ROC curve with conformal limits (Algorithm 1 or 2, last step).

        Parameters
        ----------
        thresholds : array_like of shape (m,), optional
            Thresholds lambda on the score; sorted descending, duplicates kept. By default those of
            ``sklearn.metrics.roc_curve(drop_intermediate=False)``.

        Returns
        -------
        ConformalBand
            One entry a threshold.

        Raises
        ------
        TypeError, ValueError
            If a threshold is NaN or not a number.
        """
        curve = self._curve.observed
        at = curve.vertices if thresholds is None else curve.at(thresholds)
        low, high = self._counts(at)
        n0, n1 = curve.sizes
        return ConformalBand(
            alpha=self.alpha,
            thresholds=at.thresholds,
            fpr=at.fp / n0,
            tpr=at.tp / n1,
            fpr_lower=low[0] / n0,
            fpr_upper=high[0] / n0,
            tpr_lower=low[1] / n1,
            tpr_upper=high[1] / n1,
            n_calibration=self.n_calibration,
            **{name: getattr(self, name) for name in Findings._fields if name != "ranks"},
        )

    def operating_point(self, threshold: SupportsFloat) -> OperatingPoint:
        """Counts, rates and their limits at one threshold.

        Parameters
        ----------
        threshold : float
            Scores of at least this are called positive.

        Returns
        -------
        OperatingPoint
            The point.

        Raises
        ------
        TypeError, ValueError
            If the threshold is NaN or not a number.
        """
        curve = self._curve.observed
        at = curve.at_one(threshold)
        ends = zip(*self._counts(at), curve.sizes, strict=True)
        zeros, ones = ((int(low[0]) / n, int(high[0]) / n) for low, high, n in ends)
        return OperatingPoint.of(
            (float(threshold), self.alpha),
            (int(at.fp[0]), int(at.tp[0])),
            curve.sizes,
            (zeros, ones),
            self.promise,
            curve.unit,
        )

    def auc(self) -> SamplingInterval:
        """Area under the curve, with limits for this classifier's in the population.

        They are DeLong's, on the logit scale; of rows with weights, of people, or with a time, made
        of the influences of the rows. A label with one row, or one person, and a table that was
        summarized tell no limit: it is then from 0 to 1, as `notes` say.

        Returns
        -------
        SamplingInterval
            Unpacks into the observed area and its limits; `method` names how they are made.
        """
        return self._curve.observed.sampled_auc(self._alpha_as_given)

    def ideal_auc_range(self) -> AucRange:
        """Area under the observed curve, and the range that the intervals allow an ideal model's.

        The lower end ranks the positives at ``b_lo`` against the negatives at ``b_up``, the upper
        end the reverse; ties count half. No theorem covers this range: it is not a confidence
        interval. With ``guarantee="curve"`` the limits are those of the curve; with
        ``"simultaneous"`` the range is that of an ideal recalibration, which ties scores at most.

        Returns
        -------
        AucRange
            Unpacks into the observed area and the two ends of the range.
        """
        return self._auc(self.lower, self.upper)

    def youden(self) -> YoudenRange:
        """Youden's index of the observed curve, and the range that the intervals allow.

        The index is the largest ``TPR - FPR`` over all thresholds; the ends of the range are the
        largest ``tpr_lower - fpr_upper`` and the largest ``tpr_upper - fpr_lower``. A curve
        within all intervals has an index within the range. With ``guarantee="curve"`` the limits
        are those of the curve, and the range is shorter and promises less: the curve is held at
        a random threshold and not at all of them.

        Returns
        -------
        YoudenRange
            Unpacks into the observed index, the two ends of the range, and the largest threshold
            that has the index: infinite if no threshold is better than chance.
        """
        (low0, low1), (high0, high1) = (
            [limits.shifted() for limits in ends] for ends in (self.lower, self.upper)
        )
        thresholds, fp, tp = self._curve.observed.steps
        index, threshold = observed_youden(fp, tp, thresholds)
        ends = youden_range((low0, low1), (high0, high1))
        return YoudenRange(index, *ends, threshold).with_promise(
            self._range_promise("Youden's index")
        )

    def intervals(self) -> PointIntervals:
        """Interval of every test point for its true probability, given its label.

        Returns
        -------
        PointIntervals
            Unpacks into probabilities ``b_lo`` and ``b_up`` of shape (n_test,), in the order of the
            test set, each with the quantiles of its label. They are for each point whatever the
            evaluation's `guarantee`.
        """
        lower, upper = self._ends
        promise = self._curve.point_promise.at(self.alpha)
        return PointIntervals(expit(lower), expit(upper)).with_promise(promise)

    def undecided(self, threshold: SupportsFloat) -> NDArray[np.bool_]:
        """Test points whose interval holds the threshold: their call could be either.

        Of each label the share of such points is the width of the band at the threshold, where the
        guarantee is that for each point.

        Parameters
        ----------
        threshold : float
            On the score.

        Returns
        -------
        ndarray of bool of shape (n_test,)
            In the order of the test set: the upper end lies above the threshold and the lower one
            does not, counted as the band counts them.

        Raises
        ------
        TypeError, ValueError
            If the threshold is NaN or not a number.
        """
        at = self._curve.observed.at_one(threshold)
        if at.thresholds[0] < 0:
            return np.zeros(self._curve.observed.labels.size, dtype=bool)
        lower, upper = self._ends
        return np.asarray((upper > at.logits[0] + TIE) & ~(lower > at.logits[0] + TIE))

    @property
    def _ends(self) -> tuple[Floats, Floats]:
        """Both ends of the interval of each test point as logits, in the order of the test set."""
        labels, centres = self._curve.observed.labels, self._curve.observed.centre_logits
        lower, upper = np.empty(labels.size), np.empty(labels.size)
        for k, groups in enumerate(self._curve.individual or self._curve.groups):
            pair = self._pairs[k] if self._curve.individual is None else self._quantiles_of(groups)
            rows = np.flatnonzero(labels == k)
            if groups.points is not None:
                rows = rows[groups.points]
            lower[rows] = centres[rows] + pair.lower
            upper[rows] = centres[rows] + pair.upper
        return lower, upper

    # For a display

    @property
    def findings(self) -> Findings:
        """All findings on the limits, in one record."""
        return Findings(*(getattr(self, name) for name in Findings._fields))

    @cached_property
    def display(self) -> LimitsOnScreen:
        """The limits at this alpha as a screen shows them; none of it depends on a threshold."""
        _, lower, upper = self.display_auc()
        return LimitsOnScreen(self.findings, (lower, upper), *self.display_counts())

    def stop(self, *, shifts: bool) -> Stop:
        """The limits at this alpha, for a page that cannot compute them."""
        _, lower, upper = self.display_auc()
        ends, moved = (None, self.group_quantiles) if shifts else ((self.lower, self.upper), None)
        return Stop(self.alpha, self.findings, (lower, upper), ends, moved)

    def counts_at(self, thresholds: ArrayLike) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
        """Counts of lower and upper limits above the thresholds, descending, by label."""
        return self._counts(self._curve.observed.at(thresholds))

    def display_counts(self) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
        """Counts of lower and upper limits above the thresholds that a screen shows, by label.

        Exact up to `LIMIT_RANKS` test points of a label; of more, read at as many ranks.
        """
        return self._counts(self._curve.observed.screen_vertices, LIMIT_RANKS)

    def display_auc(self) -> AucRange:
        """`ideal_auc_range` as on a screen: off by at most ``1 / AUC_RANKS`` for larger labels."""
        return self._auc(*self._ends_at(AUC_RANKS))

    # The arrays from which the figures above are made

    @cached_property
    def lower(self) -> Ends:
        """Lower ends of all intervals."""
        return by_label(lambda k: self._limits_of(k, self._pairs[k].lower))

    @cached_property
    def upper(self) -> Ends:
        """Upper ends of all intervals."""
        return by_label(lambda k: self._limits_of(k, self._pairs[k].upper))

    @cached_property
    def _pairs(self) -> tuple[Quantiles, Quantiles]:
        return by_label(lambda k: self._quantiles_of(self._curve.groups[k]))

    def _quantiles_of(self, groups: Residuals) -> Quantiles:
        return groups.quantiles(self._alpha_as_given, self._curve.rule)

    def _limits_of(self, label: int, quantiles: Floats) -> Limits:
        """One end of a label's intervals: centres with one shift, or each with its own quantile."""
        centres = self._curve.sorted_centres[label]
        if self._curve.groups[label].points is None:
            return Limits(centres, float(quantiles[0]))
        return Limits(SortedSample.of(centres.values + quantiles, centres.counts))

    def _counts(
        self, at: Vertices, ranks: int | None = None
    ) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
        """Counts of lower and of upper limits above the thresholds, each by label."""
        sides = self._ends_at(ranks)
        limits = [
            each for ends in sides for each in zip(ends, self._curve.observed.sizes, strict=True)
        ]
        low0, low1, high0, high1 = counts_above(limits, at.thresholds, at.logits)
        return (low0, low1), (high0, high1)

    def _ends_at(self, ranks: int | None) -> tuple[Ends, Ends]:
        """Lower and upper ends.

        If a label has more than `ranks`, those at that many ranks alone.
        """
        if ranks is None:
            return self.lower, self.upper
        low0, low1, high0, high1 = thinned([*self.lower, *self.upper], ranks)
        return (low0, low1), (high0, high1)

    def _auc(self, lower: Ends, upper: Ends) -> AucRange:
        """Areas of positives at lower against negatives at upper limits, and the reverse."""
        return AucRange(
            self._curve.observed.auc,
            share_ranked_above(lower[1], upper[0], TIE),
            share_ranked_above(upper[1], lower[0], TIE),
        ).with_promise(self._range_promise(AREA))

    def _missing(self, label: int) -> NDArray[np.bool_]:
        return self._pairs[label].missing

    def _vacuous(self, label: int) -> str | None:
        if not (empty := self._missing(label).all(axis=0)).any():
            return None
        groups, level = self._curve.groups[label], (self._alpha_as_given, self._curve.rule)
        few = None if groups.points is None else (int(empty.sum()), empty.size)
        if isinstance(groups, WeightedResiduals):
            return weighted_vacuous_reason(label, *level, groups=groups, few=few)
        n, noun = self._curve.n_calibration[label], self._curve.neighbour_noun
        return vacuous_reason(label, *level, n=n, noun=noun, few=few)
