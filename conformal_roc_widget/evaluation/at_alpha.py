"""Computes all results of a test set with calibration residuals at one alpha.

A residual is ``logit pi~ - logit p`` of a calibration point. The reference ``pi~`` is the estimate
of its true probability, and p is the classifier's score. The interval of a test point is its centre
(usually the logit of its score) plus two order statistics of the residuals of its label. At a
threshold, the limits of a rate are the shares of lower and of upper ends of these intervals above
the threshold.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Self, SupportsFloat

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints, as_given, by_label, read_only
from conformal_roc_widget.calibration.quantiles import exact_alpha, ranks
from conformal_roc_widget.calibration.residuals import Quantiles, Residuals, WeightedResiduals
from conformal_roc_widget.evaluation.decisions.youden import (
    YoudenRange,
    observed_youden,
    youden_range,
)
from conformal_roc_widget.logits import TIE
from conformal_roc_widget.promise import (
    LEVELS,
    WIDE_AREA,
    Guarantee,
    Phrase,
    Promise,
    Promised,
    for_range,
)
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
    """An observed ROC curve with calibration residuals, and the guarantee of its limits."""

    observed: ObservedCurve
    #: The residuals of label 0 and of label 1 that make the band. All test points of a label may
    #: use the same residuals. Otherwise each test point, or each split, has a group of residuals.
    groups: tuple[Residuals, Residuals]
    rule: str
    #: The guarantee of the rates. Its words contain the placeholder ``{confidence}``.
    promise: Promise
    #: The guarantee of the intervals of single points, with the placeholder ``{confidence}`` too.
    point_promise: Promise
    #: The residuals that make the intervals of single points. If None, they are `groups`.
    individual: tuple[Residuals, Residuals] | None = None
    #: If the group of a test point is its neighbourhood (Algorithm 2), these are the ascending
    #: residuals of all calibration points, by label. Otherwise None.
    neighbourhoods_of: tuple[Floats, Floats] | None = None
    #: Whether each limit is a test point's centre plus an order statistic of residuals.
    is_shifted: ClassVar[bool] = True

    def at(self, alpha: float) -> AtAlpha:
        """Computes all results at the significance level `alpha`."""
        return AtAlpha.of(self, alpha)

    def at_each(self, alphas: Iterable[float]) -> Iterable[AtAlpha]:
        """All results at each of several `alphas`."""
        return map(self.at, alphas)

    def individually(self) -> CalibratedCurve:
        """Returns the same curve with the limits of ``guarantee="individual"``."""
        return self

    def without_promise(self, level: str) -> Self:
        """Returns the same curve with words that say that nothing is guaranteed.

        `level` is the key of these words in promises.json.
        """
        none = {"kind": "none", "guarantee": Guarantee(LEVELS[level])}
        return replace(
            self,
            promise=self.promise.replaced(**none),
            point_promise=self.point_promise.replaced(**none),
        )

    def assuming(self, condition: Phrase) -> CalibratedCurve:
        """Returns the same curve with one more condition in its guarantee."""
        return replace(
            self,
            promise=self.promise.assuming(condition),
            point_promise=self.point_promise.assuming(condition),
        )

    @cached_property
    def residuals(self) -> dict[int, Floats]:
        """For each label, all its calibration residuals, ascending and read-only."""
        every = self.neighbourhoods_of or by_label(lambda k: self.groups[k].residuals)
        return {k: read_only(values) for k, values in enumerate(every)}

    @property
    def n_calibration(self) -> dict[int, int]:
        """For each label, its number of residuals. With several splits, the smallest number."""
        if self.neighbourhoods_of is not None:
            return {k: values.size for k, values in enumerate(self.neighbourhoods_of)}
        # A test point uses the residuals of its own split only, so the numbers of several splits
        # are not added up.
        return {k: groups.smallest for k, groups in enumerate(self.groups)}

    @property
    def neighbour_noun(self) -> str:
        """What notes call the rows whose residuals make the limits of a test point."""
        return CALIBRATION_POINTS if self.neighbourhoods_of is None else NEIGHBOURS

    @property
    def vacuous_below(self) -> dict[int, float]:
        """For each label, the alpha below which none of its test points has a limit.

        If limits hold at every threshold at once, this alpha is 0.
        """
        if self.promise.every_threshold:
            return {0: 0.0, 1: 0.0}
        return {k: groups.vacuous_below(self.rule) for k, groups in enumerate(self.groups)}

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes on labels and points that have no limits at `USUAL_ALPHA`."""
        return few_residuals(self.n_calibration, self.groups, self.neighbour_noun, self.rule)

    @property
    def remark(self) -> Note | None:
        """A note on the residuals that does not depend on alpha, or None."""
        return None

    @cached_property
    def pooled(self) -> bool:
        """Whether all test points of a label use the same group of residuals."""
        return self.is_shifted and all(groups.points is None for groups in self.groups)

    @cached_property
    def group_sizes(self) -> tuple[Ints, Ints] | None:
        """For each label, how many consecutive `sorted_centres` use each group of residuals.

        None if each test point has its own group, or if limits are not centres plus order
        statistics.
        """
        if not self.is_shifted:
            return None
        sizes = [
            np.array([self.sorted_centres[k].values.size]) if each.points is None else each.repeats
            for k, each in enumerate(self.groups)
        ]
        zeros, ones = sizes
        return None if zeros is None or ones is None else (zeros, ones)

    @cached_property
    def weighted(self) -> bool:
        """Whether residuals have weights. If so, ranks depend on more than their number."""
        return any(isinstance(groups, WeightedResiduals) for groups in self.groups)

    @property
    def counts_people(self) -> bool:
        """Whether `n_calibration` counts people instead of rows."""
        return any(getattr(groups, "people", None) is not None for groups in self.groups)

    @cached_property
    def sorted_centres(self) -> tuple[SortedSample, SortedSample]:
        """For each label, the centres of the test points' intervals.

        If there is one group of residuals, the centres ascend. If there are several, the centres
        are sorted by group.
        """
        return by_label(self._sorted_centres_of)

    def _sorted_centres_of(self, label: int) -> SortedSample:
        observed, points = self.observed, self.groups[label].points
        if points is None and observed.centres is None and observed.score_logits is None:
            # Scores ascend within a label, so their logits ascend too. If clipping has changed this
            # order, `SortedSample.of` sorts them.
            before = observed.sorted_scores[label].before
            counts = None if before is None else np.diff(before)
            return SortedSample.of(observed.sorted_logits[label], counts)
        if points is None and observed.centres is None and observed.counts is None:
            return SortedSample.of(observed.sorted_logits[label])
        centres, counts = observed.centres_of(label)
        if points is None:
            return SortedSample.of(centres, counts)
        return SortedSample.in_order(centres[points], None if counts is None else counts[points])


#: For a screen, the range of the AUC is computed from the limits at this many evenly spaced ranks.
#: For each label, this adds an error of at most 0.5 / AUC_RANKS.
AUC_RANKS = 4096
#: If a label has more test points than this, limits for a screen are computed at only this many
#: evenly spaced ranks, which fit into a core's cache. This adds an error of at most 0.5 /
#: LIMIT_RANKS to a rate.
LIMIT_RANKS = 65_536

AREA = "the area under the curve"
#: The lower (or the upper) ends of the intervals of all test points, for label 0 and for label 1.
Ends = tuple[Limits, Limits]
#: The shares of a label's test points whose interval lacks its lower end, its upper end, and both
#: ends.
OpenShares = tuple[float, float, float]


#: For label 0 and label 1, the counts of test points at the vertices of a curve.
Counts = tuple[Ints, Ints]
#: The properties that describe the limits, which `AtAlpha` and its `ConformalBand` share.
DESCRIBED = (
    *("quantiles", "guaranteed", "vacuous", "vacuous_share", "open_share"),
    *("promise", "notes"),
)


@dataclass(frozen=True, eq=False)
class AtAlpha(Promised):
    """The results of a test set with calibration residuals at one significance level.

    `RocEvaluation.at` makes it. Its results share the order statistics and the limits.

    Attributes
    ----------
    alpha : float
        Significance level in (0, 1).
    notes : tuple of str
        Sentences on the limits at this alpha for users.
    """

    alpha: float
    _curve: CalibratedCurve
    _alpha_as_given: float
    notes: tuple[str, ...] = field(default=(), kw_only=True)

    @classmethod
    def of(cls, curve: CalibratedCurve, alpha: float) -> Self:
        """Computes the results of `curve` at `alpha`.

        Ranks are computed from `alpha` as the user gave it, because a float may differ from a
        Fraction.
        """
        exact_alpha(alpha)
        return cls(float(alpha), curve, alpha)

    # ---- descriptions of the limits at this alpha

    @property
    def quantiles(self) -> dict[int, tuple[float, float]] | None:
        """For each label, the two order statistics of its residuals that make the limits.

        None if the test points of a label do not all use the same two.
        """
        if not self._curve.pooled:
            return None
        return {
            k: (float(pair.lower[0]), float(pair.upper[0])) for k, pair in enumerate(self._pairs)
        }

    @property
    def ranks(self) -> dict[int, tuple[int, int]] | None:
        """For each label, the ranks of its `quantiles` among n residuals, from 0 to n + 1.

        None if there are no `quantiles`, or if residuals have weights.
        """
        if not self._curve.pooled or self._curve.weighted:
            return None
        rule = self._curve.rule
        sizes = self._curve.n_calibration
        return {k: ranks(n, self._alpha_as_given, rule) for k, n in sizes.items()}

    @property
    def group_quantiles(self) -> tuple[Quantiles, Quantiles]:
        """The two order statistics of each group of residuals, for label 0 and for label 1."""
        level = self._alpha_as_given, self._curve.rule
        return by_label(lambda k: self._curve.groups[k].of_groups(*level))

    @property
    def n_calibration(self) -> dict[int, int]:
        """For each label, the number of residuals that make an interval.

        If it differs between test points, it is the smallest.
        """
        return {k: groups.smallest for k, groups in enumerate(self._curve.groups)}

    @property
    def guaranteed(self) -> dict[int, float]:
        """For each label, the lowest coverage of its intervals if residuals are exchangeable.

        If limits hold at all thresholds at once, or do not come from residuals, it is ``1 -
        alpha``.
        """
        if self.promise.every_threshold or not self._curve.is_shifted:
            return dict.fromkeys((0, 1), 1 - self.alpha)
        return {k: pair.guaranteed for k, pair in enumerate(self._pairs)}

    @property
    def vacuous(self) -> dict[int, str | None]:
        """For each label, why some of its intervals go from 0 to 1. None if no interval does."""
        each = enumerate(self._open_shares)
        return {k: self._vacuous(k) if shares[2] else None for k, shares in each}

    @property
    def vacuous_share(self) -> dict[int, float]:
        """For each label, the share of its test points whose interval goes from 0 to 1."""
        return {k: float(shares[2]) for k, shares in enumerate(self._open_shares)}

    @property
    def open_share(self) -> dict[int, list[float]]:
        """For each label, its shares of test points without a lower, and without an upper end."""
        return {k: [*map(float, shares[:2])] for k, shares in enumerate(self._open_shares)}

    @cached_property
    def promise(self) -> Promise:  # type: ignore[override]  # not settable as in the base class
        """The `Promise` of the band at this alpha: its target, scope and guarantee in words."""
        return self._curve.promise.at(self.alpha)

    def _range_promise(self, noun: str) -> Promise:
        """Returns the guarantee of the range of the index or area `noun`."""
        followed = self._curve.observed.follow_up
        by = "" if followed is None else followed.by
        scope = WIDE_AREA if noun == AREA else self.promise.place
        return for_range(self.promise, noun, scope, by)

    # ---- results that users read

    def band(self, thresholds: ArrayLike | None = None) -> ConformalBand:
        """Returns the ROC curve with conformal limits (last step of Algorithms 1 and 2).

        Parameters
        ----------
        thresholds : array_like of shape (m,), optional
            Thresholds lambda on the score. They are sorted in descending order, and duplicates are
            kept. By default they are those of
            ``sklearn.metrics.roc_curve(drop_intermediate=False)``.

        Returns
        -------
        ConformalBand
            Each array has one value for each threshold.

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
            **{name: getattr(self, name) for name in DESCRIBED},
        )

    def operating_point(self, threshold: SupportsFloat) -> OperatingPoint:
        """Returns counts, rates and their limits at one threshold.

        Parameters
        ----------
        threshold : float
            Rows that score at least this are predicted positive.

        Returns
        -------
        OperatingPoint
            Counts and rates at the threshold, with their limits.

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
            (as_given(threshold), self.alpha),
            (int(at.fp[0]), int(at.tp[0])),
            curve.sizes,
            (zeros, ones),
            self.promise,
            curve.unit,
        )

    def auc(self) -> SamplingInterval:
        """Returns the area under the curve, with limits for this classifier's in the population.

        The limits are DeLong's, on the logit scale. If rows have weights, people or a time, they
        come from the influences of the rows. If a label has a single row or person, or if scores
        are known only as counts of a table, the limits are 0 and 1, and `notes` say why.

        Returns
        -------
        SamplingInterval
            Unpacks into the observed area and its limits. `method` names the method of the limits.
        """
        return self._curve.observed.sampled_auc(self._alpha_as_given)

    def ideal_auc_range(self) -> AucRange:
        """Returns the area under the observed curve, and a range for the ideal model's area.

        At the lower end of the range, the scores of positives are the lower ends of their
        intervals, and those of negatives the upper ends. At the upper end of the range it is the
        reverse. Ties count half. No theorem covers this range, so it is not a confidence interval.
        With ``guarantee="curve"`` the limits of the curve are used. With ``"simultaneous"`` the
        range is that of an ideal recalibration, which can tie scores but not reorder them.

        Returns
        -------
        AucRange
            Unpacks into the observed area and the two ends of the range.
        """
        return self._auc(self.lower, self.upper)

    def youden(self) -> YoudenRange:
        """Returns Youden's index of the observed curve, and its range within both rates' limits.

        The index is the largest ``TPR - FPR`` over all thresholds. The range goes from the largest
        ``tpr_lower - fpr_upper`` to the largest ``tpr_upper - fpr_lower``. If a curve is within all
        limits, its index is within the range. With ``guarantee="curve"`` the limits of the curve
        are used. The range is then shorter and guarantees less, because the curve is covered at a
        random threshold, and not at all of them.

        Returns
        -------
        YoudenRange
            Unpacks into the observed index, the two ends of the range, and the largest threshold at
            which the index is reached. If no threshold is better than chance, this threshold is
            infinite.
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
        """Returns the interval of every test point for its true probability, given its label.

        Returns
        -------
        PointIntervals
            Unpacks into probabilities ``b_lo`` and ``b_up`` of shape (n_test,), in the order of the
            test set. Each point has the quantiles of its label. The intervals are for single
            points, whatever the evaluation's `guarantee`.
        """
        lower, upper = self._ends
        promise = self._curve.point_promise.at(self.alpha)
        return PointIntervals(expit(lower), expit(upper)).with_promise(promise)

    def undecided(self, threshold: SupportsFloat) -> NDArray[np.bool_]:
        """Finds the test points whose interval contains the threshold. They could be either class.

        If the guarantee is for single points, the share of these points in a label is the width of
        the band at the threshold.

        Parameters
        ----------
        threshold : float
            Threshold on the score.

        Returns
        -------
        ndarray of bool of shape (n_test,)
            True for each test point whose upper end is above the threshold and whose lower end is
            not. Ends are compared as for the band. The order is that of the test set.

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
        """Lower and upper ends (n_test,) of the intervals as logits, in the test set's order."""
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

    # ---- results for a screen or a page

    @cached_property
    def display(self) -> tuple[Counts, Counts]:
        """The result of `display_counts`, kept for the next message to the page."""
        return self.display_counts()

    @property
    def ends(self) -> tuple[Ends, Ends]:
        """The lower and the upper ends of all intervals, comparable with thresholds' logits."""
        return self._ends_at(None)

    def counts_at(self, thresholds: ArrayLike) -> tuple[Counts, Counts]:
        """Counts the lower and the upper ends above each of descending thresholds.

        Each result is a pair for label 0 and label 1.
        """
        return self._counts(self._curve.observed.at(thresholds))

    def display_counts(self) -> tuple[Counts, Counts]:
        """`counts_at` at the vertices that a screen shows.

        If a label has more than `LIMIT_RANKS` test points, its counts are approximate.
        """
        return self._counts(self._curve.observed.screen_vertices, LIMIT_RANKS)

    def display_auc(self) -> AucRange:
        """`ideal_auc_range` for a screen.

        If a label has more than `AUC_RANKS` test points, the error is at most ``1 / AUC_RANKS``.
        """
        return self._auc(*self._ends_at(AUC_RANKS))

    # ---- the arrays that the results above are computed from

    @cached_property
    def lower(self) -> Ends:
        """The lower ends of all intervals on the logit scale, for label 0 and for label 1."""
        return by_label(lambda k: self._limits_of(k, self._pairs[k].lower))

    @cached_property
    def upper(self) -> Ends:
        """The upper ends of all intervals on the logit scale, for label 0 and for label 1."""
        return by_label(lambda k: self._limits_of(k, self._pairs[k].upper))

    @cached_property
    def _pairs(self) -> tuple[Quantiles, Quantiles]:
        return by_label(lambda k: self._quantiles_of(self._curve.groups[k]))

    def _quantiles_of(self, groups: Residuals) -> Quantiles:
        return groups.quantiles(self._alpha_as_given, self._curve.rule)

    def _limits_of(self, label: int, quantiles: Floats) -> Limits:
        """Returns the lower or upper ends of a label's intervals: centres plus order statistics.

        `quantiles` is one number for all centres, or one for each centre.
        """
        centres = self._curve.sorted_centres[label]
        if self._curve.groups[label].points is None:
            return Limits(centres, float(quantiles[0]))
        return Limits(SortedSample.of(centres.values + quantiles, centres.counts))

    def _counts(self, at: Vertices, ranks: int | None = None) -> tuple[Counts, Counts]:
        """Counts as `counts_at` does. For `ranks`, see `_ends_at`."""
        sides = self._ends_at(ranks)
        limits = [
            each for ends in sides for each in zip(ends, self._curve.observed.sizes, strict=True)
        ]
        low0, low1, high0, high1 = counts_above(limits, at.thresholds, at.logits)
        return (low0, low1), (high0, high1)

    def _ends_at(self, ranks: int | None) -> tuple[Ends, Ends]:
        """Returns the lower and the upper ends of all intervals, for both labels.

        If a label has more than `ranks` test points, only the ends at this many evenly spaced ranks
        are returned.
        """
        if ranks is None:
            return self.lower, self.upper
        low0, low1, high0, high1 = thinned([*self.lower, *self.upper], ranks)
        return (low0, low1), (high0, high1)

    def _auc(self, lower: Ends, upper: Ends) -> AucRange:
        """Returns the observed area and its range.

        The lower end ranks the lower ends of positives against the upper ends of negatives. The
        upper end does the reverse.
        """
        return AucRange(
            self._curve.observed.auc,
            share_ranked_above(lower[1], upper[0], TIE),
            share_ranked_above(upper[1], lower[0], TIE),
        ).with_promise(self._range_promise(AREA))

    @cached_property
    def _open_shares(self) -> tuple[OpenShares, OpenShares]:
        """For label 0 and label 1, the three shares that `OpenShares` describes."""
        zeros, ones = ((*m.mean(axis=1), m.all(axis=0).mean()) for m in map(self._missing, (0, 1)))
        return zeros, ones

    def _missing(self, label: int) -> NDArray[np.bool_]:
        return self._pairs[label].missing

    def _vacuous(self, label: int) -> str:
        empty = self._missing(label).all(axis=0)
        groups, level = self._curve.groups[label], (self._alpha_as_given, self._curve.rule)
        few = None if groups.points is None else (int(empty.sum()), empty.size)
        if isinstance(groups, WeightedResiduals):
            return weighted_vacuous_reason(label, *level, groups=groups, few=few)
        n, noun = self._curve.n_calibration[label], self._curve.neighbour_noun
        return vacuous_reason(label, *level, n=n, noun=noun, few=few)
