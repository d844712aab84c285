"""A test set with its calibration residuals as data, and how it is made from scores alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.quantiles import first_alpha, written_up
from conformal_roc_widget.calibration.weighted_residuals import (
    Ratio,
    Residuals,
    WeightedResiduals,
    refuse_shared_groups,
)
from conformal_roc_widget.evaluation.from_scores import (
    NO_EVERYWHERE,
    ScoreCalibration,
    table_fields,
)
from conformal_roc_widget.evaluation.ideal_curve import FROM_SCORES_ALONE, LabelledDraws
from conformal_roc_widget.evaluation.notes import CALIBRATION_POINTS, NEIGHBOURS
from conformal_roc_widget.evaluation.score_runs import ScoreRuns
from conformal_roc_widget.evaluation.support import SupportPart
from conformal_roc_widget.evaluation.table_summary import TableSummary, summary_of
from conformal_roc_widget.promise import Promise


@dataclass(frozen=True, eq=False)
class CalibratedTestSet:
    """The fields of `RocEvaluation`, which documents them, and its sizes."""

    scores: Floats
    labels: NDArray[np.int8]
    classes: tuple[Any, Any]
    residuals: Mapping[int, Floats]
    quantile_rule: str
    promise: Promise
    #: Of the intervals of single points, with a place for the confidence as the `promise` has.
    _point_promise: Promise
    _groups: tuple[Residuals, Residuals]
    guarantee: str = "individual"
    counts: Ints | None = None
    _individual: tuple[Residuals, Residuals] | None = None
    _score_logits: Floats | None = None
    _centres: Floats | None = None
    _neighbour_noun: str = CALIBRATION_POINTS
    _remarks: tuple[str, ...] = ()
    _support_parts: tuple[SupportPart, ...] = ()
    _summary: TableSummary | None = None
    _ideal: Callable[[], LabelledDraws] | str = FROM_SCORES_ALONE
    _runs: ScoreRuns | None = None
    #: Residuals by label for limits at every threshold at once; or why there are none.
    _enclosing: Callable[[], tuple[Floats, Floats]] | str = NO_EVERYWHERE
    #: A sentence for that guarantee, or empty.
    _everywhere_remark: str = ""
    #: Sentences on the reference, after all others.
    _reference_remarks: tuple[str, ...] = ()
    #: What to do where the reference is noise.
    _noise_advice: str = ""
    #: Weights of the test points, and of one of the `counts`.
    _weights: Floats | None = None
    _unit: float = 1.0
    #: Fitted classifier whose probabilities the scores are; or why there is none.
    _classifier: Any = "it was made from scores alone"

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
        guarantee: str = "individual",
        reference: str = "kernel",
        pos_label: Any = None,
        sample_weight_calibration: ArrayLike | Ratio | None = None,
        sample_weight_test: ArrayLike | None = None,
        groups_calibration: ArrayLike | None = None,
        groups_test: ArrayLike | None = None,
    ) -> Self:
        """Evaluation from scores alone.

        Scores alone do not tell a point's true probability, but ``P(y = 1 | score)``: the limits
        are for an ideal recalibration of this score. The reference ``pi~`` is the kernel estimate
        (eq. tilde_pi) on the score's logit, each calibration point left out of its own estimate.
        In our study it covers .53 to .97 at a nominal .95, and ``"sharp"`` .90 or more; see `notes`
        and the guide to comparing bands. With ``guarantee="simultaneous"`` the limits need no
        reference: they are those of `calibration_band` at the test scores.

        Parameters
        ----------
        y_calibration : array_like of shape (n_ca,)
            Labels of the calibration set, two classes.
        score_calibration : array_like of shape (n_ca,)
            Scores of the calibration set, probabilities of the positive class in [0, 1]. The
            classifier must not have been trained on these points.
        y_test, score_test : array_like of shape (n_test,)
            The same for the test set.
        quantile_rule : {"paper", "split"}
            Which pair of order statistics.
        bandwidth : str, float or array_like of shape (1,)
            Of the kernel on the logit scale; see `kernel_logit`.
        guarantee : {"individual", "simultaneous"}
            ``"individual"`` is the paper's, in large samples and if the reference is close to the
            truth. ``"simultaneous"`` is for an ideal recalibration of this score, at every
            threshold at once and for every sample size, if a higher score never means a lower
            probability.
        reference : {"kernel", "sharp"}
            Of the individual guarantee. ``"kernel"`` is the paper's; ``"sharp"`` are posteriors of
            a smooth function of the score's logit.
        pos_label : label, optional
            The positive class, whose probabilities the scores are; by default the second in sorted
            order.
        sample_weight_calibration : array_like of shape (n_ca,) or callable, optional
            Likelihood ratios of the test points' law over the calibration points', or a function
            of scores that gives them, asked for the test scores too. An array leaves the weight of
            a test point unknown: the largest of its label stands for it. A label without limits
            says so. If the ratio depends on more than the score, the reference is not that of the
            test points.
        sample_weight_test : array_like of shape (n_test,), optional
            Weights of the test rows: curves, rates and areas count these. Rows of weight 0 are left
            out, equal weights change nothing, and a whole weight is the row repeated.
        groups_calibration : array_like of shape (n_ca,), optional
            Whom each calibration row belongs to: limits hold for a row of a new person.
        groups_test : array_like of shape (n_test,), optional
            Whom each test row belongs to; refused where someone calibrates too.

        Returns
        -------
        RocEvaluation
            The evaluation.

        Raises
        ------
        TypeError, ValueError
            If scores are not probabilities, labels are not two classes that all occur in both
            sets, lengths differ, the calibration scores other than 0 and 1 have fewer than two
            distinct values (these are labels and not scores), the guarantee is neither, or
            `pos_label` is none of the labels.
        """
        calibration = ScoreCalibration.of(
            *(y_calibration, score_calibration, bandwidth, quantile_rule),
            *(guarantee, pos_label, reference),
            *(sample_weight_calibration, groups_calibration),
        )
        refuse_shared_groups(groups_calibration, groups_test)
        return cls(**calibration.fields_in_memory(y_test, score_test, sample_weight_test))

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
        guarantee: str = "individual",
        reference: str = "kernel",
        pos_label: Any = None,
    ) -> Self:
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
        y_calibration, score_calibration, quantile_rule, bandwidth, guarantee, reference, pos_label
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
            *(y_calibration, score_calibration, bandwidth, quantile_rule),
            *(guarantee, pos_label, reference),
        )
        zero, one = calibration.classes.tolist()
        summary = summary_of(source, score, label, (zero, one))
        return cls(**calibration.fields_of_table(summary))

    def merged(self, other: CalibratedTestSet) -> Self:
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
            If the calibration sets, quantile rules or guarantees differ.
        """
        theirs = getattr(other, "_summary", None)
        if self._summary is None or theirs is None:
            raise TypeError("other: expected two evaluations that from_table made")
        mine, others = (
            (each.classes, each.quantile_rule, each.guarantee) for each in (self, other)
        )
        if mine != others or any(
            not np.array_equal(self.residuals[k], other.residuals[k]) for k in (0, 1)
        ):
            raise ValueError(
                "other: found another calibration set, rule or guarantee, expected the same"
            )
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
        """Label -> number of test points; rows, whatever they weigh."""
        if self._weights is not None:
            return {k: int(np.count_nonzero(self.labels == k)) for k in (0, 1)}
        return self.masses

    @property
    def masses(self) -> dict[int, int]:
        """Label -> what rates are shares of: test points, or units of their weights."""
        return {0: self._sizes[0], 1: self._sizes[1]}

    @property
    def sample_weight(self) -> Floats | None:
        """Weights of the test points (n_test,); None where they are alike."""
        return self._weights

    @cached_property
    def _sizes(self) -> tuple[int, int]:
        if self._summary is not None:
            return self._summary.n
        if self.counts is not None:
            ones = int(self.counts[self.labels == 1].sum())
            return int(self.counts.sum()) - ones, ones
        ones = int(np.count_nonzero(self.labels))
        return self.labels.size - ones, ones

    @property
    def vacuous_below(self) -> dict[int, float]:
        """Label -> alpha below which none of its test points has a limit."""
        if self._runs is not None or self.guarantee == "everywhere":
            return {0: 0.0, 1: 0.0}
        return {
            k: groups.vacuous_below(self.quantile_rule) for k, groups in enumerate(self._groups)
        }

    @property
    def first_alpha(self) -> dict[int, str]:
        """Label -> two digits of the alpha from which its residuals allow a limit."""
        if any(isinstance(groups, WeightedResiduals) for groups in self._groups):
            return {k: written_up(level) for k, level in self.vacuous_below.items()}
        return {k: first_alpha(n, self.quantile_rule) for k, n in self.n_calibration.items()}
