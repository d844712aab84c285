"""A test set with its calibration residuals: sorted once, then asked at any alpha."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit

from conformal_roc_widget.arrays import (
    Floats,
    Ints,
    array_of,
    binary_codes_of,
    codes_of,
    kept_scores_of,
    labels_of,
    same_length,
    scores_of,
    two_classes_of,
)
from conformal_roc_widget.calibration.kernel import KernelReference, score_kernel
from conformal_roc_widget.calibration.logits import TIE, logit_of
from conformal_roc_widget.calibration.quantiles import (
    check_rule,
    exact_alpha,
    first_alpha,
    residuals_needed,
    smallest_alpha,
)
from conformal_roc_widget.calibration.references import FROM_FEATURES, FROM_SCORES
from conformal_roc_widget.calibration.residual_groups import GroupedResiduals, Quantiles
from conformal_roc_widget.evaluation.band import (
    SCOPE,
    TARGET,
    ConformalBand,
    OperatingPoint,
    locked,
    screen_vertices,
)
from conformal_roc_widget.evaluation.sorted_sample import Limits, SortedSample, share_ranked_above
from conformal_roc_widget.evaluation.support import (
    POINTS_TO_NOTE,
    Support,
    SupportPart,
    support_notes,
    support_of,
)
from conformal_roc_widget.evaluation.table_summary import TableSummary, summary_of
from conformal_roc_widget.evaluation.youden import observed_youden, youden_range
from conformal_roc_widget.text import percent

#: Ranks at which a display reads the AUC range; the error is at most half of one over this.
AUC_RANKS = 4096
#: Ranks at which a display reads the limits of more test points than these: what a core keeps
#: close. The error of a rate is at most half of one over this, far below what can be seen.
LIMIT_RANKS = 65_536


#: Data and metadata by mime type.
MimeBundle = tuple[dict[str, Any], dict[str, Any]]

#: What the residuals behind a test point are called.
CALIBRATION_POINTS, NEIGHBOURS = "calibration points", "neighbours"


class Vertices(NamedTuple):
    """Thresholds in descending order, their logits, and how many scores reach them."""

    thresholds: Floats
    logits: Floats
    fp: Ints
    tp: Ints


class _Calibration(NamedTuple):
    """What calibration scores and their labels give, without features."""

    classes: NDArray[Any]
    groups: tuple[GroupedResiduals, GroupedResiduals]
    kernel: KernelReference
    reference_logits: Floats
    codes: Ints
    remarks: tuple[str, ...]

    @classmethod
    def of(
        cls,
        y_calibration: ArrayLike,
        score_calibration: ArrayLike,
        bandwidth: str | float | ArrayLike,
    ) -> _Calibration:
        labels = labels_of(y_calibration, "y_calibration")
        scores = scores_of(score_calibration, "score_calibration")
        same_length(y_calibration=labels, score_calibration=scores)
        classes = two_classes_of(labels, "y_calibration")
        codes = codes_of(labels, classes, "y_calibration")
        logits = logit_of(scores)
        usable = (scores > 0) & (scores < 1)
        kernel = score_kernel(logits, codes, usable, bandwidth)
        reference_logits = kernel.logits()[:, 1]
        residuals = reference_logits - logits
        zeros, ones = (GroupedResiduals.pooled(residuals[codes == k]) for k in (0, 1))
        return cls(
            classes=classes,
            groups=(zeros, ones),
            kernel=kernel,
            # A clipped score has no logit of its own, and would outweigh all others.
            reference_logits=np.where(usable, reference_logits, np.nan),
            codes=codes,
            remarks=tuple(clipped_scores_remark(int((~usable).sum()), scores.size)),
        )

    def support_part(self, test_scores: Floats) -> SupportPart:
        """What the diagnostics need."""
        return SupportPart(
            kernel=self.kernel,
            calibration=None,
            test=test_scores,
            rows=slice(None),
            reference_logits=self.reference_logits,
            labels=self.codes,
        )


class _Intervals(NamedTuple):
    """All intervals at one alpha: quantiles, lower ends and upper ends, each by label."""

    quantiles: tuple[Quantiles, Quantiles]
    lower: tuple[Limits, Limits]
    upper: tuple[Limits, Limits]


@dataclass(frozen=True, eq=False)
class RocEvaluation:
    """Scores of a classifier on a test set, with the residuals of a calibration set.

    It knows no alpha: everything is sorted on first use, after which a new alpha costs look-ups and
    a shift. Made by `ConformalROC.evaluate`, `RocEvaluation.from_predictions` or, for test sets
    beyond memory, `RocEvaluation.from_table`.

    Attributes
    ----------
    scores : ndarray of shape (n_test,)
        Scores in the order of the test set, probabilities of the positive class.
    labels : ndarray of shape (n_test,)
        1 for the positive class, 0 for the other.
    classes : tuple of two
        What labels 0 and 1 are called in the data.
    residuals : dict of int to ndarray
        Label -> calibration residuals behind the band, ascending: ``logit pi~ - logit p``, or for
        ``guarantee="curve"`` differences between the two sorted lists of logits.
    quantile_rule : str
        Which pair of order statistics; see `conformal_quantiles`.
    guarantee : {"individual", "curve"}
        What the limits of `band`, `operating_point`, `auc` and `youden` are calibrated for: the
        probability of each point, or the curve at a random threshold. `intervals` are always for
        each point.
    counts : ndarray of shape (n_test,) or None
        How many test points each score stands for, where the test set is a summary made by
        `from_table`; None where each stands for itself.
    """

    scores: Floats
    labels: NDArray[np.int8]
    classes: tuple[Any, Any]
    residuals: Mapping[int, Floats]
    quantile_rule: str
    _groups: tuple[GroupedResiduals, GroupedResiduals]
    guarantee: str = "individual"
    counts: Ints | None = None
    _individual: tuple[GroupedResiduals, GroupedResiduals] | None = None
    _score_logits: Floats | None = None
    _centres: Floats | None = None
    _guarantee: str = FROM_FEATURES
    _helpers: str = CALIBRATION_POINTS
    _remarks: tuple[str, ...] = ()
    _support_parts: tuple[SupportPart, ...] = ()
    _summary: TableSummary | None = None
    #: How a notebook shows an evaluation: set by the package, since widgets lie above this folder.
    mimebundle: ClassVar[Callable[[RocEvaluation], MimeBundle | None] | None] = None

    def __post_init__(self) -> None:
        """Lock the arrays: what is shared must not change under anyone's feet."""
        arrays: list[NDArray[Any]] = [self.scores, self.labels, *self.residuals.values()]
        if self.counts is not None:
            arrays.append(self.counts)
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
        calibration = _Calibration.of(y_calibration, score_calibration, bandwidth)
        labels = labels_of(y_test, "y_test")
        scores = kept_scores_of(score_test, "score_test")
        same_length(y_test=labels, score_test=scores)
        return cls(
            scores=scores,
            labels=binary_codes_of(labels, calibration.classes, "y_test"),
            classes=tuple(calibration.classes.tolist()),
            residuals={k: groups.residuals for k, groups in enumerate(calibration.groups)},
            quantile_rule=quantile_rule,
            _groups=calibration.groups,
            _support_parts=(calibration.support_part(scores),),
            _guarantee=FROM_SCORES,
            _remarks=calibration.remarks,
        )

    @classmethod
    def from_table(
        cls,
        source: Any,
        *,
        score: str,
        label: str,
        y_calibration: ArrayLike,
        score_calibration: ArrayLike,
        quantile_rule: str = "paper",
        bandwidth: str | float | ArrayLike = "silverman",
    ) -> RocEvaluation:
        """Evaluation from scores alone, of a test set that need not fit into memory.

        The table is read once, on its own engine, and reduced to counts in narrow bins of the
        score. Of each bin the number of points and the smallest and the largest score are kept, so
        scores that are alone in their bin, or all equal there, stay exact, and so do scores of
        exactly 0 and 1. How far rates and limits may be off is the evaluation's `error`.

        Parameters
        ----------
        source : path-like or data frame
            A Parquet file (also a pattern such as ``"scores/*.parquet"``), or a frame that narwhals
            knows: pandas, polars (eager or lazy), pyarrow, a DuckDB relation, PySpark. Or a Dask
            frame, whose partitions are counted where they lie: its workers need this package too.
        score, label : str
            Names of its columns: probabilities of the positive class in [0, 1], and labels of the
            two classes of `y_calibration`.
        y_calibration, score_calibration, quantile_rule, bandwidth
            As in `from_predictions`.

        Returns
        -------
        RocEvaluation
            The evaluation. Its `scores` and `labels` are those of the summary, ascending within
            each label, and `counts` says how many test points each stands for. Evaluations of
            parts of a test set become one with `merged`.

        Raises
        ------
        TypeError, ValueError
            As `from_predictions`; if `source` is no such thing or has no such column; if a score is
            missing or no probability, a label is missing or not one of the two classes, or a class
            has no row.
        ImportError
            If a Parquet file is to be read and neither polars, DuckDB nor pyarrow is installed.
        """
        check_rule(quantile_rule, "quantile_rule")
        calibration = _Calibration.of(y_calibration, score_calibration, bandwidth)
        zero, one = calibration.classes.tolist()
        summary = summary_of(source, score, label, (zero, one))
        bare = cls(
            scores=np.empty(0),
            labels=np.empty(0, dtype=np.int8),
            classes=(zero, one),
            residuals={k: groups.residuals for k, groups in enumerate(calibration.groups)},
            quantile_rule=quantile_rule,
            _groups=calibration.groups,
            _support_parts=(calibration.support_part(np.empty(0)),),
            _guarantee=FROM_SCORES,
            _remarks=calibration.remarks,
        )
        return bare._summarized(summary)

    def merged(self, other: RocEvaluation) -> RocEvaluation:
        """Evaluation of two test sets together, each summarized by `from_table`.

        Nothing is lost: it is as if both tables had been one.

        Parameters
        ----------
        other : RocEvaluation
            Made with the same calibration set.

        Returns
        -------
        RocEvaluation
            The evaluation.

        Raises
        ------
        TypeError
            If one of the two was not made by `from_table`.
        ValueError
            If the calibration sets or quantile rules differ.
        """
        theirs = getattr(other, "_summary", None)
        if self._summary is None or theirs is None:
            raise TypeError("other: expected two evaluations that from_table made")
        same = (self.classes, self.quantile_rule) == (other.classes, other.quantile_rule)
        if not same or any(
            not np.array_equal(self.residuals[k], other.residuals[k]) for k in (0, 1)
        ):
            raise ValueError("other: found another calibration set or rule, expected the same")
        return self._summarized(self._summary.merged(theirs))

    def _summarized(self, summary: TableSummary) -> RocEvaluation:
        """The same calibration with another summary of a test set."""
        scores, labels, counts = summary.rows()
        every = SortedSample.of(scores, counts)
        return replace(
            self,
            scores=scores,
            labels=labels,
            counts=counts,
            _support_parts=(
                replace(self._support_parts[0], test=every.at_even_ranks(POINTS_TO_NOTE)),
            ),
            _summary=summary,
        )

    @property
    def error(self) -> float:
        """How far a rate or limit may be from that of every test point by itself.

        0 where every test point is known. After `from_table`, the largest share of a label's points
        that may lie on the wrong side of a threshold; of an area, at most twice that.
        """
        return 0.0 if self._summary is None else self._summary.error

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
        return {0: self._sizes[0], 1: self._sizes[1]}

    @cached_property
    def _sizes(self) -> tuple[int, int]:
        if self._summary is not None:
            return self._summary.n
        ones = int(np.count_nonzero(self.labels))
        return self.labels.size - ones, ones

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
        return int(self._steps[0].size)

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
        summarized = () if self._summary is None else (self._summary.note,)
        return (*self._remarks, *summarized, *self._support_notes)

    @property
    def _support_notes(self) -> tuple[str, ...]:
        support, about = self.display_support
        return support_notes(support, about)

    @cached_property
    def display_support(self) -> tuple[Support, bool]:
        """`support`, and whether it is read from some of the test points, as for large sets."""
        if self._summary is not None or self.scores.size <= POINTS_TO_NOTE:
            return self.support, self._summary is not None
        most = POINTS_TO_NOTE // len(self._support_parts) + 1
        parts = [part.thinned(most) for part in self._support_parts]
        shift = np.cumsum([0, *(len(part.test) for part in parts)]).tolist()
        numbered = [
            replace(part, rows=slice(start, stop))
            for part, (start, stop) in zip(parts, itertools.pairwise(shift), strict=True)
        ]
        return support_of(numbered, shift[-1]), True

    @cached_property
    def support(self) -> Support:
        """Diagnostics of assumptions (A3) and (A4), computed on first use.

        After `from_table`, over test scores at evenly spaced ranks instead of all.
        """
        return support_of(self._support_parts, sum(len(part.test) for part in self._support_parts))

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
        n0, n1 = self.n_test[0], self.n_test[1]
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
                if self.pooled
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
            quantiles of its own label. They are for each point whatever the `guarantee`.
        """
        if self.guarantee == "individual" or self._individual is None:
            pairs = self._intervals(alpha).quantiles
        else:
            exact_alpha(alpha)
            zeros, ones = (group.quantiles(alpha, self.quantile_rule) for group in self._individual)
            pairs = zeros, ones
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
        interval. With ``guarantee="curve"`` the limits are those of the curve.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        auc, lower, upper : float
            Observed area, and the range.
        """
        return (self.observed_auc, *_auc_range(*self._limits(alpha)))

    def youden(self, alpha: float = 0.05) -> tuple[float, float, float, float]:
        """Youden's index of the observed curve, and the range that the intervals allow.

        The index is the largest ``TPR - FPR`` over all thresholds; the ends of the range are the
        largest ``tpr_lower - fpr_upper`` and the largest ``tpr_upper - fpr_lower``. Whatever lies
        within all intervals has an index within the range. With ``guarantee="curve"`` the limits
        are those of the curve, and the range is shorter and promises less: the curve is held at
        a random threshold and not at all of them.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        youden, lower, upper, threshold : float
            Observed index, the range, and the largest threshold that has the index: infinite where
            no threshold is better than chance.
        """
        (low0, low1), (high0, high1) = (
            [limits.shifted() for limits in ends] for ends in self._intervals(alpha)[1:]
        )
        thresholds, fp, tp = self._steps
        index, threshold = observed_youden(fp, tp, thresholds)
        return (index, *youden_range((low0, low1), (high0, high1)), threshold)

    def display_counts(self, alpha: float) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
        """Counts of limits above the thresholds of `display_vertices`.

        Exact up to `LIMIT_RANKS` test points of a label; above that read at as many ranks, so that
        a frame of ten million points takes no longer than one of a hundred thousand.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        lower, upper : tuple of two ndarray of shape (m,)
            Each for label 0 and label 1.
        """
        return self._limit_counts(alpha, self.display_vertices, LIMIT_RANKS)

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
        return (self.observed_auc, *_auc_range(*self._limits(alpha, AUC_RANKS)))

    @property
    def promise(self) -> dict[str, str]:
        """What a band covers, where, and what is promised, with a place for ``{confidence}``."""
        return {"target": TARGET, "scope": SCOPE, "guarantee": self._guarantee}

    @property
    def first_alpha(self) -> dict[int, str]:
        """Label -> two digits of the alpha from which its residuals allow a limit."""
        return {k: first_alpha(n, self.quantile_rule) for k, n in self.n_calibration.items()}

    @property
    def pooled(self) -> bool:
        """Whether one pair of order statistics serves all test points of a label."""
        return all(groups.points is None for groups in self._groups)

    @property
    def sorted_scores(self) -> tuple[SortedSample, SortedSample]:
        """Scores by label, ascending."""
        return self._sorted_scores

    @property
    def sorted_centres(self) -> tuple[SortedSample, SortedSample] | None:
        """Centres of the intervals by label, ascending; None where each has quantiles of its own.

        Where the evaluation is `pooled`, an interval's ends are its centre plus the quantiles.
        """
        return self._centres_in_order if self.pooled else None

    def sorted_limits(self, alpha: float) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Ends of all intervals on the logit scale.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        lower, upper : tuple of two ndarray
            Ends of label 0 and of label 1, each ascending; infinite where there is no limit.
        """
        (low0, low1), (high0, high1) = (
            [limits.shifted().expanded() for limits in ends] for ends in self._intervals(alpha)[1:]
        )
        return (low0, low1), (high0, high1)

    def vacuous_share(self, alpha: float) -> tuple[float, float]:
        """Share of each label's test points whose interval is everything from 0 to 1.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        tuple of two floats
            For label 0 and for label 1.
        """
        zeros, ones = (
            float((np.isneginf(pair.lower) & np.isposinf(pair.upper)).mean())
            for pair in self._intervals(alpha).quantiles
        )
        return zeros, ones

    def __repr__(self) -> str:
        """Short text that does not change between runs."""
        sizes = ", ".join(
            f"{name!s}: {self.n_calibration[k]} calibration and {self.n_test[k]} test points"
            for k, name in enumerate(self.classes)
        )
        return f"RocEvaluation({sizes})"

    def _repr_mimebundle_(self, **_: Any) -> MimeBundle | None:
        """The widget, a picture and a text, at the end of a notebook's cell."""
        show = type(self).mimebundle
        return None if show is None else show(self)

    # What follows is sorted or merged once and then kept.

    @cached_property
    def _sorted_scores(self) -> tuple[SortedSample, SortedSample]:
        if self.counts is not None:
            zeros, ones = (
                SortedSample.of(self.scores[own], self.counts[own])
                for own in (self.labels == 0, self.labels == 1)
            )
            return zeros, ones
        # With label 0 below zero, one sort parts the labels: faster than to pick each one's scores.
        signed = np.copysign(self.scores, 2 * self.labels - 1)
        signed.sort()
        np.abs(signed, out=signed)
        n0 = self.n_test[0]
        signed[:n0] = signed[:n0][::-1].copy()
        return SortedSample(locked(signed[:n0])), SortedSample(locked(signed[n0:]))

    @cached_property
    def _logits_by_score(self) -> tuple[Floats, Floats]:
        """Logits of `_sorted_scores`; of equal scores the smallest logit comes first."""
        if self._score_logits is None:
            return logit_of(self._sorted_scores[0].values), logit_of(self._sorted_scores[1].values)
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
    def _centres_in_order(self) -> tuple[SortedSample, SortedSample]:
        """Centres by label: ascending, or in the order of the residual groups that serve them."""
        ordered = []
        for k, groups in enumerate(self._groups):
            if groups.points is not None:
                ordered.append(SortedSample(self._centre_logits[self.labels == k][groups.points]))
            elif self._centres is None:
                # Logits hardly ever fall as scores rise, but a clipped one may.
                counts = self._sorted_scores[k].before
                ordered.append(
                    SortedSample.of(
                        self._logits_by_score[k], None if counts is None else np.diff(counts)
                    )
                )
            else:
                ordered.append(SortedSample.of(self._centres[self.labels == k]))
        return ordered[0], ordered[1]

    @cached_property
    def observed_auc(self) -> float:
        """Area under the observed curve, ties half."""
        zeros, ones = self._sorted_scores
        return share_ranked_above(Limits(ones), Limits(zeros))

    @cached_property
    def _steps(self) -> tuple[Floats, Ints, Ints]:
        """Every threshold at which the observed curve has a vertex, and the counts there."""
        zeros, ones = self._sorted_scores
        scores = np.concatenate([zeros.values, ones.values])
        scores.sort(kind="stable")  # which merges what is sorted
        last = np.append(scores[1:] != scores[:-1], True)
        distinct = scores[last]
        # The curve starts above every score, as in scikit-learn's roc_curve.
        thresholds = np.append(distinct, np.inf)[::-1]
        if zeros.before is not None or ones.before is not None:
            return thresholds, zeros.at_least(thresholds), ones.at_least(thresholds)
        # Counts of one label from its places, those of the other from what is left.
        fewer = zeros if zeros.size < ones.size else ones
        places = np.searchsorted(distinct, fewer.values)
        own, every = np.zeros((2, thresholds.size), dtype=np.intp)
        np.cumsum(np.bincount(places, minlength=distinct.size)[::-1], out=own[1:])
        every[1:-1] = scores.size - 1 - np.flatnonzero(last)[-2::-1]
        every[-1] = scores.size
        rest = every - own
        return (thresholds, own, rest) if fewer is zeros else (thresholds, rest, own)

    @cached_property
    def _vertices(self) -> Vertices:
        """Every vertex of the observed curve."""
        return self._with_logits(*self._steps)

    def _with_logits(self, thresholds: Floats, fp: Ints, tp: Ints) -> Vertices:
        """Vertices at thresholds that are scores, the first one above them all."""
        logits = self._carried_logits(thresholds)
        # No interval's end lies above 1, and every finite one lies above 0: there the logit that a
        # clipped score carries would be wrong.
        logits[thresholds <= 0], logits[thresholds >= 1] = -np.inf, np.inf
        return Vertices(thresholds, logits, fp, tp)

    @cached_property
    def display_vertices(self) -> Vertices:
        """Those vertices of the curve that a screen can show; see `screen_vertices`."""
        thresholds, fp, tp = self._steps
        kept = screen_vertices(fp / self.n_test[0], tp / self.n_test[1])
        return self._with_logits(thresholds[kept], fp[kept], tp[kept])

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
        if self._score_logits is None:
            inside = (thresholds >= 0) & (thresholds <= 1)
            return np.where(inside, logit_of(np.where(inside, thresholds, 0.5)), np.inf)
        logits = np.full(thresholds.size, np.inf)
        for scores, score_logits in zip(self._sorted_scores, self._logits_by_score, strict=True):
            first = np.searchsorted(scores.values, thresholds)
            first[first == scores.values.size] = 0
            known = scores.values[first] == thresholds
            logits[known] = np.minimum(logits[known], score_logits[first[known]])
        return logits

    def _counted(self, thresholds: Floats, logits: Floats) -> Vertices:
        fp, tp = (scores.at_least(thresholds) for scores in self._sorted_scores)
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
        limits = self._centres_in_order[label].values + quantiles
        limits.sort()
        return Limits(SortedSample(limits))

    def _limit_counts(
        self, alpha: float, at: Vertices, ranks: int | None = None
    ) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
        """Counts of lower and of upper limits above the thresholds, each by label.

        With `ranks` from as many limits of a larger label.
        """
        below_zero = at.thresholds < 0

        def count(k: int, limits: Limits) -> Ints:
            n, size = self.n_test[k], limits.centres.size
            some = np.where(below_zero, size, limits.count_above(at.logits))
            return some if size == n else np.rint(some * (n / size)).astype(np.intp)

        low, high = self._limits(alpha, ranks)
        return (
            (count(0, low[0]), count(1, low[1])),
            (count(0, high[0]), count(1, high[1])),
        )

    def _limits(
        self, alpha: float, ranks: int | None = None
    ) -> tuple[tuple[Limits, Limits], tuple[Limits, Limits]]:
        """Lower and upper ends of all intervals by label; with `ranks` as many of a larger one."""
        made = self._intervals(alpha)
        if ranks is None:
            return made.lower, made.upper
        if not self.pooled:
            (low0, low1), (high0, high1) = (
                [limits.thinned(ranks) for limits in ends] for ends in made[1:]
            )
            return (low0, low1), (high0, high1)
        if (some := self._some_centres.get(ranks)) is None:
            zeros, ones = (
                SortedSample(each.at_even_ranks(ranks)) for each in self._centres_in_order
            )
            some = self._some_centres[ranks] = zeros, ones
        (low0, low1), (high0, high1) = (
            [Limits(centres, limits.shift) for centres, limits in zip(some, ends, strict=True)]
            for ends in made[1:]
        )
        return (low0, low1), (high0, high1)

    @cached_property
    def _some_centres(self) -> dict[int, tuple[SortedSample, SortedSample]]:
        """Centres at evenly spaced ranks, by the number of ranks."""
        return {}

    def _vacuous(self, label: int, alpha: float) -> str | None:
        """Why the limits of a label say nothing, or None where they do say something."""
        lower, upper, _ = self._intervals(alpha).quantiles[label]
        if lower.min() > -np.inf or upper.max() < np.inf:
            return None
        empty = (lower == -np.inf) & (upper == np.inf)
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
        share_ranked_above(low[1], high[0], TIE),
        share_ranked_above(high[1], low[0], TIE),
    )


def _numbers_with_infinity(values: ArrayLike, name: str) -> Floats:
    """Thresholds: numbers of any size, infinite ones included, NaN not."""
    array = array_of(values, name)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name}: found values of type {array.dtype}, expected numbers")
    if array.ndim != 1:
        raise ValueError(f"{name}: found shape {array.shape}, expected shape (m,)")
    if np.isnan(array).any():
        raise ValueError(f"{name}: found {np.isnan(array).sum()} NaN, expected none")
    return array.astype(np.float64)
