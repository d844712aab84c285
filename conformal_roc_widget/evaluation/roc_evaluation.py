"""A test set with its calibration residuals: the public face of Algorithms 1 to 3."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.quantiles import first_alpha, smallest_alpha
from conformal_roc_widget.calibration.references import FROM_FEATURES
from conformal_roc_widget.calibration.residual_groups import GroupedResiduals
from conformal_roc_widget.evaluation.at_alpha import AtAlpha
from conformal_roc_widget.evaluation.band import (
    SCOPE,
    TARGET,
    AucRange,
    ConformalBand,
    OperatingPoint,
    PointIntervals,
)
from conformal_roc_widget.evaluation.calibrated_curve import CalibratedCurve
from conformal_roc_widget.evaluation.decisions import Decisions
from conformal_roc_widget.evaluation.from_scores import ScoreCalibration, table_fields
from conformal_roc_widget.evaluation.ideal_curve import FROM_SCORES_ALONE, LabelledDraws
from conformal_roc_widget.evaluation.notes import (
    CALIBRATION_POINTS,
    NEIGHBOURS,
    few_residuals,
    poor_support,
    summarized_table,
)
from conformal_roc_widget.evaluation.observed_curve import ObservedCurve, Vertices
from conformal_roc_widget.evaluation.sorted_sample import SortedSample
from conformal_roc_widget.evaluation.support import (
    POINTS_TO_NOTE,
    Support,
    SupportPart,
    support_of,
)
from conformal_roc_widget.evaluation.table_summary import TableSummary, summary_of
from conformal_roc_widget.evaluation.youden import YoudenRange

#: Data and metadata by mime type.
MimeBundle = tuple[dict[str, Any], dict[str, Any]]


@dataclass(frozen=True, eq=False)
class RocEvaluation(Decisions):
    """Scores of a classifier on a test set, with the residuals of a calibration set.

    It knows no alpha: everything is sorted on first use, after which a new alpha costs look-ups and
    a shift; `at` gives everything at one alpha. Made by `ConformalROC.evaluate`,
    `RocEvaluation.from_predictions` or, for test sets beyond memory, `RocEvaluation.from_table`.

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
    _promise: str = FROM_FEATURES
    _individual_promise: str | None = None
    _neighbour_noun: str = CALIBRATION_POINTS
    _remarks: tuple[str, ...] = ()
    _support_parts: tuple[SupportPart, ...] = ()
    _summary: TableSummary | None = None
    _ideal: Callable[[], LabelledDraws] | str = FROM_SCORES_ALONE
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
        calibration = ScoreCalibration.of(
            y_calibration, score_calibration, bandwidth, quantile_rule
        )
        return cls(**calibration.fields_in_memory(y_test, score_test))

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
        calibration = ScoreCalibration.of(
            y_calibration, score_calibration, bandwidth, quantile_rule
        )
        zero, one = calibration.classes.tolist()
        summary = summary_of(source, score, label, (zero, one))
        return cls(**calibration.fields_of_table(summary))

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
        fields = table_fields(self._summary.merged(theirs), self._support_parts[0])
        return replace(self, **fields)

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
        if self._neighbour_noun == NEIGHBOURS:
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
        return int(self._curve.curve.steps[0].size)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Plain sentences that a user should read."""
        few = few_residuals(
            self.n_calibration, self._groups, self._neighbour_noun, self.quantile_rule
        )
        return (*few, *self.lasting_notes)

    @property
    def lasting_notes(self) -> tuple[str, ...]:
        """Those of the `notes` that hold at every alpha; a band says itself where it is vacuous."""
        summary = self._summary
        table = () if summary is None else (summarized_table(sum(summary.n), summary.error),)
        return (*self._remarks, *table, *poor_support(*self.display_support))

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

    def at(self, alpha: float) -> AtAlpha:
        """Everything at one significance level: limits, areas and intervals that share their parts.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        AtAlpha
            The same object as before where alpha is that of the last call.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1).
        """
        latest: AtAlpha | None = self.__dict__.get("_latest")
        if latest is None or not latest.is_at(alpha):
            latest = self.__dict__["_latest"] = AtAlpha.of(self._curve, alpha)
        return latest

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
        return self.at(alpha).band(thresholds)

    def intervals(self, alpha: float = 0.05) -> PointIntervals:
        """Interval of every test point for its true probability, given its label.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        lower, upper : ndarray of shape (n_test,)
            Probabilities ``b_lo`` and ``b_up``; see `AtAlpha.intervals`.
        """
        return self.at(alpha).intervals()

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
        return self.at(alpha).operating_point(threshold)

    def auc(self, alpha: float = 0.05) -> AucRange:
        """Area under the observed curve, and the range that the intervals allow.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        auc, lower, upper : float
            Observed area, and the range, which is no confidence interval; see `AtAlpha.auc`.
        """
        return self.at(alpha).auc()

    def youden(self, alpha: float = 0.05) -> YoudenRange:
        """Youden's index of the observed curve, and the range that the intervals allow.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        youden, lower, upper, threshold : float
            Observed index, the range, and the largest threshold that has the index; see
            `AtAlpha.youden`.
        """
        return self.at(alpha).youden()

    @property
    def observed_auc(self) -> float:
        """Area under the observed curve, ties half."""
        return self._curve.curve.auc

    @property
    def display_vertices(self) -> Vertices:
        """Those vertices of the observed curve that a screen can show."""
        return self._curve.curve.screen_vertices

    @property
    def promise(self) -> dict[str, str]:
        """What a band covers, where, and what is promised, with a place for ``{confidence}``."""
        return {"target": TARGET, "scope": SCOPE, "guarantee": self._promise}

    @property
    def first_alpha(self) -> dict[int, str]:
        """Label -> two digits of the alpha from which its residuals allow a limit."""
        return {k: first_alpha(n, self.quantile_rule) for k, n in self.n_calibration.items()}

    @property
    def pooled(self) -> bool:
        """Whether one pair of order statistics serves all test points of a label."""
        return self._curve.pooled

    @property
    def sorted_scores(self) -> tuple[SortedSample, SortedSample]:
        """Scores by label, ascending."""
        return self._curve.curve.sorted_scores

    @property
    def sorted_centres(self) -> tuple[SortedSample, SortedSample] | None:
        """Centres of the intervals by label, ascending; None where each has quantiles of its own.

        Where the evaluation is `pooled`, an interval's ends are its centre plus the quantiles.
        """
        return self._curve.sorted_centres if self.pooled else None

    @property
    def _centre_logits(self) -> Floats:
        """Centres of the intervals in the order of the test set."""
        return self._curve.centre_logits

    @cached_property
    def _curve(self) -> CalibratedCurve:
        """The test set and its residuals, sorted once."""
        curve = ObservedCurve(
            self.scores, self.labels, self._sizes, self.counts, self._score_logits
        )
        return CalibratedCurve(
            curve=curve,
            groups=self._groups,
            individual=self._groups if self._individual is None else self._individual,
            n_calibration=self.n_calibration,
            rule=self.quantile_rule,
            promise=self._promise,
            individual_promise=self._individual_promise or self._promise,
            neighbour_noun=self._neighbour_noun,
            centres=self._centres,
        )

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
