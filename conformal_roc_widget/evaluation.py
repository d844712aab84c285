"""A test set with its calibration residuals: sorted once, then asked at any alpha."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit

from conformal_roc_widget.band import (
    ConformalBand,
    OperatingPoint,
    locked,
    percent,
    screen_vertices,
)
from conformal_roc_widget.intervals import GroupedResiduals, Limits, Quantiles, share_ranked_above
from conformal_roc_widget.quantiles import (
    check_rule,
    exact_alpha,
    first_alpha,
    residuals_needed,
    smallest_alpha,
)
from conformal_roc_widget.reference import score_kernel
from conformal_roc_widget.residuals import logit_of
from conformal_roc_widget.support import (
    POINTS_TO_NOTE,
    Support,
    SupportPart,
    support_notes,
    support_of,
)
from conformal_roc_widget.validation import (
    Floats,
    Ints,
    codes_of,
    labels_of,
    same_length,
    scores_of,
    two_classes_of,
)

#: Ranks at which a display reads the AUC range; the error is at most half of one over this.
AUC_RANKS = 4096


#: What is promised, with a place for the confidence.
FROM_FEATURES = "at least {confidence} in large samples, if the reference π̃ is close to π"
FROM_SCORES = (
    "at least {confidence} in large samples, if the reference π̃, made from the score alone, is "
    "close to π"
)
#: What the residuals behind a test point are called.
CALIBRATION_POINTS, NEIGHBOURS = "calibration points", "neighbours"


class Vertices(NamedTuple):
    """Thresholds in descending order, their logits, and how many scores reach them."""

    thresholds: Floats
    logits: Floats
    fp: Ints
    tp: Ints


class _Intervals(NamedTuple):
    """All intervals at one alpha: quantiles, lower ends and upper ends, each by label."""

    quantiles: tuple[Quantiles, Quantiles]
    lower: tuple[Limits, Limits]
    upper: tuple[Limits, Limits]


@dataclass(frozen=True, eq=False)
class RocEvaluation:
    """Scores of a classifier on a test set, with the residuals of a calibration set.

    It knows no alpha: everything is sorted on first use, after which a new alpha costs look-ups and
    a shift. Made by `ConformalROC.evaluate` or `RocEvaluation.from_predictions`.

    Attributes
    ----------
    scores : ndarray of shape (n_test,)
        Scores in the order of the test set, probabilities of the positive class.
    labels : ndarray of shape (n_test,)
        1 for the positive class, 0 for the other.
    classes : tuple of two
        What labels 0 and 1 are called in the data.
    residuals : dict of int to ndarray
        Label -> calibration residuals ``logit pi~ - logit p``, ascending.
    quantile_rule : str
        Which pair of order statistics; see `conformal_quantiles`.
    """

    scores: Floats
    labels: NDArray[np.int8]
    classes: tuple[Any, Any]
    residuals: Mapping[int, Floats]
    quantile_rule: str
    _groups: tuple[GroupedResiduals, GroupedResiduals]
    _score_logits: Floats | None = None
    _centres: Floats | None = None
    _guarantee: str = FROM_FEATURES
    _helpers: str = CALIBRATION_POINTS
    _remarks: tuple[str, ...] = ()
    _support_parts: tuple[SupportPart, ...] = ()

    def __post_init__(self) -> None:
        """Lock the arrays: what is shared must not change under anyone's feet."""
        arrays: list[NDArray[Any]] = [self.scores, self.labels, *self.residuals.values()]
        for array in arrays:
            array.flags.writeable = False

    @classmethod
    def from_predictions(
        cls,
        y_calibration: ArrayLike,
        score_calibration: ArrayLike,
        y_test: ArrayLike,
        score_test: ArrayLike,
        *,
        quantile_rule: str = "paper",
        bandwidth: str | float | ArrayLike = "silverman",
    ) -> RocEvaluation:
        """Evaluation from scores alone.

        The reference ``pi~`` is the kernel estimate (eq. tilde_pi) on the score's logit, each
        calibration point left out of its own estimate.

        Parameters
        ----------
        y_calibration : array_like of shape (n_ca,)
            Labels of the calibration set, two classes; the second in sorted order is positive.
        score_calibration : array_like of shape (n_ca,)
            Scores of the calibration set, probabilities of the positive class in [0, 1]. The
            classifier must not have been trained on these points.
        y_test, score_test : array_like of shape (n_test,)
            The same for the test set.
        quantile_rule : {"paper", "split"}
            Which pair of order statistics.
        bandwidth : str, float or array_like of shape (1,)
            Of the kernel on the logit scale; see `kernel_logit`.

        Returns
        -------
        RocEvaluation
            The evaluation.

        Raises
        ------
        TypeError, ValueError
            If scores are not probabilities, labels are not two classes that all occur in both
            sets, lengths differ, or the calibration scores other than 0 and 1 have fewer than two
            distinct values (these are labels and not scores).
        """
        check_rule(quantile_rule, "quantile_rule")
        labels = labels_of(y_calibration, "y_calibration")
        scores = scores_of(score_calibration, "score_calibration")
        same_length(y_calibration=labels, score_calibration=scores)
        test_labels = labels_of(y_test, "y_test")
        test_scores = scores_of(score_test, "score_test")
        same_length(y_test=test_labels, score_test=test_scores)
        classes = two_classes_of(labels, "y_calibration")
        codes = codes_of(labels, classes, "y_calibration")
        test_codes = codes_of(test_labels, classes, "y_test").astype(np.int8)
        logits = logit_of(scores)
        usable = (scores > 0) & (scores < 1)
        kernel = score_kernel(logits, codes, usable, bandwidth)
        reference_logits = kernel.logits()[:, 1]
        residuals = reference_logits - logits
        zeros, ones = (GroupedResiduals.pooled(residuals[codes == k]) for k in (0, 1))
        return cls(
            scores=test_scores.copy(),
            labels=test_codes,
            classes=tuple(classes.tolist()),
            residuals={0: zeros.residuals, 1: ones.residuals},
            quantile_rule=quantile_rule,
            _groups=(zeros, ones),
            _support_parts=(
                SupportPart(
                    kernel=kernel,
                    calibration=None,
                    test=logit_of(test_scores)[:, None],
                    rows=np.arange(test_scores.size),
                    # A clipped score has no logit of its own, and would outweigh all others.
                    reference_logits=np.where(usable, reference_logits, np.nan),
                    labels=codes,
                ),
            ),
            _guarantee=FROM_SCORES,
            _remarks=tuple(clipped_scores_remark(int((~usable).sum()), scores.size)),
        )

    @property
    def n_calibration(self) -> dict[int, int]:
        """Label -> number of calibration residuals; of several splits the smallest number."""
        if self._helpers == NEIGHBOURS:
            return {k: int(values.size) for k, values in self.residuals.items()}
        # Of several splits each test point has one: their residuals must not be added up.
        return {k: groups.smallest for k, groups in enumerate(self._groups)}

    @property
    def n_test(self) -> dict[int, int]:
        """Label -> number of test points."""
        return {k: int(self._sorted_scores[k].size) for k in (0, 1)}

    @property
    def vacuous_below(self) -> dict[int, float]:
        """Label -> alpha below which none of its test points has a limit."""
        return {
            k: smallest_alpha(groups.largest, self.quantile_rule)
            for k, groups in enumerate(self._groups)
        }

    @property
    def n_thresholds(self) -> int:
        """Number of vertices of the observed curve."""
        return int(self._vertices.thresholds.size)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Plain sentences that a user should read."""
        need = residuals_needed(0.05, self.quantile_rule)[0]
        small = [
            f"Label {k} has only {n} calibration point{'s' * (n != 1)}: at alpha = 0.05 its band "
            "is vacuous (no limits); from alpha = "
            f"{first_alpha(n, self.quantile_rule)} on it has some."
            for k, n in self.n_calibration.items()
            if n < need
        ]
        local = [
            f"{few} of the {group.sizes.size} test points of label {k} have fewer than {need} "
            f"{self._helpers} of their label: at alpha = 0.05 their intervals say nothing."
            for k, group in enumerate(self._groups)
            if group.points is not None and (few := int((group.sizes < need).sum()))
        ]
        return (*small, *local, *self.lasting_notes)

    @property
    def lasting_notes(self) -> tuple[str, ...]:
        """Those of the `notes` that hold at every alpha; a band says itself where it is vacuous."""
        return (*self._remarks, *self._support_notes)

    @property
    def _support_notes(self) -> tuple[str, ...]:
        """Exact for small test sets; for large ones from some of their points."""
        if self.scores.size <= POINTS_TO_NOTE:
            return support_notes(self.support)
        most = POINTS_TO_NOTE // len(self._support_parts) + 1
        parts = [part.thinned(most) for part in self._support_parts]
        shift = np.cumsum([0, *(len(part.test) for part in parts)])
        numbered = [
            replace(part, rows=part.rows + s) for part, s in zip(parts, shift, strict=False)
        ]
        return support_notes(support_of(numbered, int(shift[-1])), about=True)

    @cached_property
    def support(self) -> Support:
        """Diagnostics of assumptions (A3) and (A4), computed on first use."""
        return support_of(self._support_parts, self.scores.size)

    def band(self, alpha: float = 0.05, thresholds: ArrayLike | None = None) -> ConformalBand:
        """ROC curve with conformal limits (Algorithm 1 or 2, last step).

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).
        thresholds : array_like of shape (m,), optional
            Where to evaluate; sorted descending, duplicates kept. By default the thresholds of
            ``sklearn.metrics.roc_curve(drop_intermediate=False)``.

        Returns
        -------
        ConformalBand
            One entry a threshold.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1), or a threshold is NaN or not a number.
        """
        exact_alpha(alpha)
        at = self._vertices if thresholds is None else self._vertices_at(thresholds)
        low, high = self._limit_counts(alpha, at)
        n0, n1 = self._sorted_scores[0].size, self._sorted_scores[1].size
        pooled = all(groups.points is None for groups in self._groups)
        pairs = self._intervals(alpha).quantiles
        return ConformalBand(
            alpha=float(alpha),
            thresholds=locked(at.thresholds),
            fpr=locked(at.fp / n0),
            tpr=locked(at.tp / n1),
            fpr_lower=locked(low[0] / n0),
            fpr_upper=locked(high[0] / n0),
            tpr_lower=locked(low[1] / n1),
            tpr_upper=locked(high[1] / n1),
            quantiles=(
                {k: (float(pairs[k].lower[0]), float(pairs[k].upper[0])) for k in (0, 1)}
                if pooled
                else None
            ),
            n_calibration={k: self._groups[k].smallest for k in (0, 1)},
            guaranteed={k: pairs[k].guaranteed for k in (0, 1)},
            vacuous={k: self._vacuous(k, alpha) for k in (0, 1)},
            guarantee=self._guarantee.format(confidence=percent(1 - float(alpha))),
        )

    def intervals(self, alpha: float = 0.05) -> tuple[Floats, Floats]:
        """Interval of every test point for its true probability, given its label.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        lower, upper : ndarray of shape (n_test,)
            Probabilities ``b_lo`` and ``b_up`` in the order of the test set, each with the
            quantiles of its own label.
        """
        pairs = self._intervals(alpha).quantiles
        lower, upper = np.empty(self.scores.size), np.empty(self.scores.size)
        for k in (0, 1):
            own = np.flatnonzero(self.labels == k)
            if self._groups[k].points is not None:
                own = own[self._groups[k].points]
            lower[own] = expit(self._centre_logits[own] + pairs[k].lower)
            upper[own] = expit(self._centre_logits[own] + pairs[k].upper)
        return lower, upper

    def operating_point(self, threshold: float, alpha: float = 0.05) -> OperatingPoint:
        """Counts, rates and their limits at one threshold.

        Parameters
        ----------
        threshold : float
            Scores of at least this are called positive.
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        OperatingPoint
            The point.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1), or the threshold is NaN or not a number.
        """
        exact_alpha(alpha)
        at = self._vertices_at([threshold], name="threshold")
        low, high = self._limit_counts(alpha, at)
        n0, n1 = self.n_test[0], self.n_test[1]
        tp, fp = int(at.tp[0]), int(at.fp[0])
        return OperatingPoint(
            threshold=float(threshold),
            alpha=float(alpha),
            tp=tp,
            fp=fp,
            tn=n0 - fp,
            fn=n1 - tp,
            tpr=tp / n1,
            tpr_lower=int(low[1][0]) / n1,
            tpr_upper=int(high[1][0]) / n1,
            fpr=fp / n0,
            fpr_lower=int(low[0][0]) / n0,
            fpr_upper=int(high[0][0]) / n0,
            precision=tp / (tp + fp) if tp + fp else math.nan,
            youden=tp / n1 - fp / n0,
        )

    def auc(self, alpha: float = 0.05) -> tuple[float, float, float]:
        """Area under the observed curve, and the range that the intervals allow.

        The lower end ranks the positives at ``b_lo`` against the negatives at ``b_up``, the upper
        end the reverse; ties count half. No theorem covers this range: it is not a confidence
        interval.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        auc, lower, upper : float
            Observed area, and the range.
        """
        made = self._intervals(alpha)
        return (self.observed_auc, *_auc_range(made.lower, made.upper))

    def display_counts(self, alpha: float) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
        """Counts of limits above the thresholds of `display_vertices`.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        lower, upper : tuple of two ndarray of shape (m,)
            Each for label 0 and label 1.
        """
        return self._limit_counts(alpha, self.display_vertices)

    def display_auc(self, alpha: float) -> tuple[float, float, float]:
        """`auc` as a screen can show it.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        auc, lower, upper : float
            Exact up to `AUC_RANKS` test points of a label; above that the range is read at as many
            ranks, with an error of at most ``1 / AUC_RANKS``.
        """
        made = self._intervals(alpha)
        low, high = (
            (end[0].thinned(AUC_RANKS), end[1].thinned(AUC_RANKS))
            for end in (made.lower, made.upper)
        )
        return (self.observed_auc, *_auc_range(low, high))

    def __repr__(self) -> str:
        """Short text that does not change between runs."""
        sizes = ", ".join(
            f"{name!s}: {self.n_calibration[k]} calibration and {self.n_test[k]} test points"
            for k, name in enumerate(self.classes)
        )
        return f"RocEvaluation({sizes})"

    # What follows is sorted or merged once and then kept.

    @cached_property
    def _sorted_scores(self) -> tuple[Floats, Floats]:
        return np.sort(self.scores[self.labels == 0]), np.sort(self.scores[self.labels == 1])

    @cached_property
    def _logits_by_score(self) -> tuple[Floats, Floats]:
        """Logits of `_sorted_scores`; of equal scores the smallest logit comes first."""
        if self._score_logits is None:
            return logit_of(self._sorted_scores[0]), logit_of(self._sorted_scores[1])
        zeros, ones = (
            self._score_logits[own][np.lexsort((self._score_logits[own], self.scores[own]))]
            for own in (self.labels == 0, self.labels == 1)
        )
        return zeros, ones

    @property
    def _centre_logits(self) -> Floats:
        """Centres of the intervals in the order of the test set."""
        if self._centres is not None:
            return self._centres
        return logit_of(self.scores) if self._score_logits is None else self._score_logits

    @cached_property
    def _centres_in_order(self) -> tuple[Floats, Floats]:
        """Centres by label: ascending, or in the order of the residual groups that serve them."""
        ordered = []
        for k, groups in enumerate(self._groups):
            if groups.points is not None:
                ordered.append(self._centre_logits[self.labels == k][groups.points])
            elif self._centres is None:
                ordered.append(np.sort(self._logits_by_score[k]))
            else:
                ordered.append(np.sort(self._centres[self.labels == k]))
        return ordered[0], ordered[1]

    @cached_property
    def observed_auc(self) -> float:
        """Area under the observed curve, ties half."""
        zeros, ones = self._sorted_scores
        return share_ranked_above(ones, zeros)

    @cached_property
    def _vertices(self) -> Vertices:
        """Every threshold at which the observed curve has a vertex."""
        scores = np.sort(np.concatenate(self._sorted_scores), kind="stable")
        distinct = scores[np.append(scores[1:] != scores[:-1], True)]
        logits = self._carried_logits(distinct)
        # No interval's end lies above 1, and every finite one lies above 0: there the logit that a
        # clipped score carries would be wrong.
        logits[distinct <= 0], logits[distinct >= 1] = -np.inf, np.inf
        # The curve starts above every score, as in scikit-learn's roc_curve.
        thresholds = np.append(distinct, np.inf)[::-1]
        return self._counted(thresholds, np.append(logits, np.inf)[::-1])

    @cached_property
    def display_vertices(self) -> Vertices:
        """Those vertices of the curve that a screen can show; see `screen_vertices`."""
        every = self._vertices
        kept = screen_vertices(every.fp / self.n_test[0], every.tp / self.n_test[1])
        return Vertices(every.thresholds[kept], every.logits[kept], every.fp[kept], every.tp[kept])

    def _vertices_at(self, thresholds: ArrayLike, name: str = "thresholds") -> Vertices:
        """Given thresholds, sorted; where one is a score, it carries that score's logit."""
        given = _numbers_with_infinity(thresholds, name)
        given = np.sort(given)[::-1]
        inside = (given > 0) & (given < 1)
        logits = np.where(given >= 1, np.inf, -np.inf)
        logits[inside] = logit(given[inside])
        if self._score_logits is not None:
            carried = self._carried_logits(given)
            known = inside & np.isfinite(carried)
            logits[known] = carried[known]
        return self._counted(given, logits)

    def _carried_logits(self, thresholds: Floats) -> Floats:
        """Logits of the thresholds that are scores (the smallest, if several share one), else inf.

        The logit of a score is known better than from the score: near 1 that has few digits left.
        """
        logits = np.full(thresholds.size, np.inf)
        for scores, score_logits in zip(self._sorted_scores, self._logits_by_score, strict=True):
            first = np.searchsorted(scores, thresholds)
            first[first == scores.size] = 0
            known = scores[first] == thresholds
            logits[known] = np.minimum(logits[known], score_logits[first[known]])
        return logits

    def _counted(self, thresholds: Floats, logits: Floats) -> Vertices:
        fp, tp = (
            scores.size - np.searchsorted(scores, thresholds, side="left")
            for scores in self._sorted_scores
        )
        return Vertices(thresholds, logits, fp, tp)

    @cached_property
    def _latest(self) -> dict[float, _Intervals]:
        """What was made for the alpha asked for last: a band, a point and an area share it."""
        return {}

    def _intervals(self, alpha: float) -> _Intervals:
        """Quantiles and limits at one alpha."""
        exact_alpha(alpha)
        if (latest := self._latest.get(alpha)) is not None:
            return latest
        zeros, ones = (groups.quantiles(alpha, self.quantile_rule) for groups in self._groups)
        made = _Intervals(
            (zeros, ones),
            (self._limits_of(0, zeros.lower), self._limits_of(1, ones.lower)),
            (self._limits_of(0, zeros.upper), self._limits_of(1, ones.upper)),
        )
        self._latest.clear()
        self._latest[alpha] = made
        return made

    def _limits_of(self, label: int, quantiles: Floats) -> Limits:
        """One end of the intervals of a label: a shift where it has one quantile, else a sort."""
        if self._groups[label].points is None:
            return Limits(self._centres_in_order[label], float(quantiles[0]))
        limits = self._centres_in_order[label] + quantiles
        limits.sort()
        return Limits(limits)

    def _limit_counts(
        self, alpha: float, at: Vertices
    ) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
        """Counts of lower and of upper limits above the thresholds, each by label."""
        made = self._intervals(alpha)
        below_zero = at.thresholds < 0

        def count(limits: Limits) -> Ints:
            return np.where(below_zero, limits.values.size, limits.count_above(at.logits))

        return (
            (count(made.lower[0]), count(made.lower[1])),
            (count(made.upper[0]), count(made.upper[1])),
        )

    def _vacuous(self, label: int, alpha: float) -> str | None:
        """Why the limits of a label say nothing, or None where they do say something."""
        lower, upper, _ = self._intervals(alpha).quantiles[label]
        if lower.min() > -np.inf or upper.max() < np.inf:
            return None
        empty = np.isneginf(lower) & np.isposinf(upper)
        if not empty.any():
            return None
        confidence = percent(1 - float(alpha))
        one, both = residuals_needed(alpha, self.quantile_rule)
        if self._groups[label].points is not None:
            return (
                f"{empty.sum()} of the {empty.size} test points of label {label} have fewer than "
                f"{one} {self._helpers} of their label, too few for {confidence}: their intervals "
                "are everything from 0 to 1."
            )
        n = self.n_calibration[label]
        return (
            f"Label {label} has too few calibration points for {confidence}. Its {n} points can "
            f"promise at most {n}/{n + 1} = {percent(round(n / (n + 1), 3))}, so its interval is "
            f"everything from 0 to 1. One limit appears from "
            f"α = {first_alpha(n, self.quantile_rule)}, or with {one} points; two limits at "
            f"α = {float(alpha):g} take {both} points."
        )


def clipped_scores_remark(clipped: int, n: int) -> list[str]:
    """Sentence on calibration scores of exactly 0 or 1.

    Parameters
    ----------
    clipped, n : int
        How many such scores, of how many.

    Returns
    -------
    list of str
        One sentence, or none.
    """
    remark = (
        f"{clipped} of the {n} calibration scores are exactly 0 or 1. Their logits are taken at "
        "2^-53, so their residuals are extreme, and so may the limits be."
    )
    return [remark] if clipped else []


def _auc_range(low: tuple[Limits, Limits], high: tuple[Limits, Limits]) -> tuple[float, float]:
    """Positives at their lower against negatives at their upper limits, and the reverse."""
    return (
        share_ranked_above(low[1].ascending(), high[0].ascending()),
        share_ranked_above(high[1].ascending(), low[0].ascending()),
    )


def _numbers_with_infinity(values: ArrayLike, name: str) -> Floats:
    """Thresholds: numbers of any size, infinite ones included, NaN not."""
    array = np.asarray(values)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name}: found values of type {array.dtype}, expected numbers")
    if array.ndim != 1:
        raise ValueError(f"{name}: found shape {array.shape}, expected shape (m,)")
    if np.isnan(array).any():
        raise ValueError(f"{name}: found {np.isnan(array).sum()} NaN, expected none")
    return array.astype(np.float64)
