"""A test set with its calibration residuals: the public face of Algorithms 1 to 3."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, cast
from weakref import WeakKeyDictionary, ref

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logit

from conformal_roc_widget.arrays import Floats, Ints, in_unit_range, numbers_of
from conformal_roc_widget.calibration.followed.known import FollowUp
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import number, one_of
from conformal_roc_widget.choices import BandName, GuaranteeName, RuleName, ScoreReferenceName
from conformal_roc_widget.evaluation import mean_area
from conformal_roc_widget.evaluation.at_alpha import AtAlpha, CalibratedCurve
from conformal_roc_widget.evaluation.average_precision import AveragePrecision
from conformal_roc_widget.evaluation.band import (
    AucRange,
    ConformalBand,
    OperatingPoint,
    PointIntervals,
)
from conformal_roc_widget.evaluation.decisions.metrics import (
    Metrics,
    ObservedRates,
    at_least,
    least_cost,
)
from conformal_roc_widget.evaluation.decisions.net_benefit import (
    DEFAULT_THRESHOLDS,
    NetBenefit,
    net_benefit_of,
)
from conformal_roc_widget.evaluation.decisions.population_threshold import (
    RULES,
    PopulationThreshold,
    population_threshold,
)
from conformal_roc_widget.evaluation.decisions.precision_recall import (
    PrecisionRecall,
    precision_recall_of,
)
from conformal_roc_widget.evaluation.decisions.youden import YoudenRange, observed_youden
from conformal_roc_widget.evaluation.everywhere import Everywhere, EverywhereCurve
from conformal_roc_widget.evaluation.folds import LOSS, Folds, folds_of
from conformal_roc_widget.evaluation.followed_scores import (
    NO_EVERYWHERE_AT_A_HORIZON,
    evaluated_scores_at,
)
from conformal_roc_widget.evaluation.from_own_rows import (
    check_own_guarantee,
    own_curve,
    refuse_own_rows,
)
from conformal_roc_widget.evaluation.from_scores import (
    NO_EVERYWHERE,
    ScoreCalibration,
    check_options,
    evaluated_residuals,
)
from conformal_roc_widget.evaluation.ideal_curve import (
    DEFAULT_FPR,
    FROM_SCORES_ALONE,
    Candidates,
    IdealCurve,
    LabelledDraws,
)
from conformal_roc_widget.evaluation.losses import MeanLoss, Rows, brier_of, log_loss_of, losses_at
from conformal_roc_widget.evaluation.notes import (
    NO_RISKS,
    below_chance,
    margins,
    poor_support,
    rows_of_people,
    summarized_table,
)
from conformal_roc_widget.evaluation.observed_curve import ObservedCurve, Vertices
from conformal_roc_widget.evaluation.recalibrated import RecalibratedCurve
from conformal_roc_widget.evaluation.sampling_interval import Area, SamplingInterval, area_of_rows
from conformal_roc_widget.evaluation.sorted_sample import SortedSample
from conformal_roc_widget.evaluation.support import Diagnostics, Support
from conformal_roc_widget.promise import FOLDS_ALIKE, Promise
from conformal_roc_widget.reliability.calibration_band import CalibrationBand, band_of_runs
from conformal_roc_widget.reliability.score_runs import ScoreRuns
from conformal_roc_widget.tables.calibration_rows import Ratio, refuse_shared_groups
from conformal_roc_widget.tables.event_times import refuse_with_time
from conformal_roc_widget.tables.summary import summary_of
from conformal_roc_widget.text import Note

if TYPE_CHECKING:
    from sklearn.model_selection import FixedThresholdClassifier

#: Evaluations under another guarantee -> the evaluation that they were made from. References are
#: weak, since the two would keep each other alive, with all their points.
_ORIGINS: WeakKeyDictionary[RocEvaluation, ref[RocEvaluation]] = WeakKeyDictionary()
#: Data and metadata by mime type.
MimeBundle = tuple[dict[str, Any], dict[str, Any]]


class Sources(NamedTuple):
    """Sources of what is computed only when it is asked for; or texts on why there is none.

    `ideal` gives posterior draws, `everywhere` residuals for limits at every threshold at once;
    `classifier` is the fitted one whose probabilities the scores are. `crossable` tells that
    ``calibration="cross"`` would give twice the residuals. `remedy` is what to choose for limits
    at every threshold at once, as Python writes it, or empty.
    """

    ideal: Callable[[], LabelledDraws] | str = FROM_SCORES_ALONE
    everywhere: Everywhere | str = NO_EVERYWHERE
    classifier: Any = "it was made from scores alone"
    crossable: bool = False
    remedy: str = ""
    #: Whether `RocEvaluation.from_residuals` makes it again from what a page holds.
    remade: bool = False
    #: Whether the scores are squeezed margins and no probabilities.
    margins: bool = False


class Display(NamedTuple):
    """What a screen needs of an evaluation at every alpha beside its public numbers, by label.

    Each of the `masses` weighs `unit`. `extrapolating` is the share of test points far from the
    data (`about` where it is read from some of them). `residuals` are empty where a recalibration
    bounds the limits without any (`simultaneous`). `centres` of the intervals are None where their
    ends are no shifts of them; in the order of the centres, each group of residuals serves so many
    test points as `group_sizes` say: one group all of them (`pooled`), or, where the sizes are
    None, each point has a group of its own. Where calibration rows do not count alike, quantiles
    are not `ranked`: no rank tells them. ``calibration="cross"`` may give twice as many residuals
    (`crossable`); `remedy` is what to choose for limits at every threshold at once, or empty.
    """

    unit: float
    counts_people: bool
    crossable: bool
    remedy: str
    remade: bool
    margins: bool
    simultaneous: bool
    extrapolating: float
    about: bool
    simplified: bool
    centres: tuple[SortedSample, SortedSample] | None
    group_sizes: tuple[Ints, Ints] | None
    ranked: bool
    residuals: tuple[Floats, Floats]

    @property
    def pooled(self) -> bool:
        """Whether all test points of a label share one pair of quantiles."""
        return self.group_sizes is not None and all(sizes.size == 1 for sizes in self.group_sizes)


#: Cells of the confusion table.
CELLS = ("tp", "fp", "tn", "fn")


@dataclass(frozen=True, eq=False)
class RocEvaluation:
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
    guarantee : {"individual", "curve", "simultaneous", "everywhere"}
        What the limits of `band`, `operating_point`, `auc` and `youden` are calibrated for: the
        probability of each point, the curve at a random threshold, or, at every threshold at once,
        an ideal recalibration of the score or the ideal model. `intervals` are for each point, and
        with ``"simultaneous"`` for all of them together. See `with_guarantee`.
    promise : Promise
        Of `band` and `operating_point` at any alpha: its guarantee has ``{confidence}`` in the
        place of the number.
    counts : ndarray of shape (n_test,) or None
        How many test points each score stands for, where the test set is a summary made by
        `from_table`; None where each stands for itself.
    """

    classes: tuple[Any, Any]
    #: Test points, residuals and promises, in the class of curve that its guarantee takes.
    _curve: CalibratedCurve
    _diagnostics: Diagnostics
    _sources: Sources

    def __new__(cls, *given: Any, **_fields: Any) -> Self:
        """Make an evaluation from the parts that its class methods hand in."""
        if given and len(given) + len(_fields) != len(fields(cls)):
            raise TypeError(
                f"RocEvaluation: found {len(given)} values, expected one of its class methods: "
                "labels and scores are taken by RocEvaluation.from_predictions(y, score)"
            )
        return super().__new__(cls)

    #: Shows an evaluation in a notebook; the package sets it, since widgets lie above this folder.
    mimebundle: ClassVar[Callable[[RocEvaluation], MimeBundle | None] | None] = None
    #: Draws for `plot`; the package sets it as well.
    plotter: ClassVar[Callable[..., Any] | None] = None

    @classmethod
    def from_predictions(
        cls,
        y_calibration: ArrayLike,
        score_calibration: ArrayLike,
        y_test: ArrayLike | None = None,
        score_test: ArrayLike | None = None,
        *,
        quantile_rule: RuleName = "paper",
        bandwidth: str | float | ArrayLike = "silverman",
        guarantee: GuaranteeName | None = None,
        reference: ScoreReferenceName = "kernel",
        pos_label: Any = None,
        sample_weight_calibration: ArrayLike | Ratio | None = None,
        sample_weight_test: ArrayLike | None = None,
        groups_calibration: ArrayLike | None = None,
        groups_test: ArrayLike | None = None,
        horizon: float | None = None,
        time_unit: str = "",
    ) -> Self:
        """Evaluation from scores alone: ``from_predictions(y, score)``, or with calibration rows.

        Two arrays are labels and scores of rows that the classifier has not seen. All of them are
        the test set, and they make the limits too: those of `calibration_band` at their own scores,
        which hold at every threshold at once.

        With four arrays the first two calibrate. Scores alone do not tell a point's true
        probability, but ``P(y = 1 | score)``: the limits are for an ideal recalibration of this
        score. The reference ``pi~`` is the kernel estimate (eq. tilde_pi) on the score's logit,
        each calibration point left out of its own estimate. In our study it covers .53 to .97 at a
        nominal .95, and ``"sharp"`` .90 or more; see `notes` and the guide to comparing bands. With
        ``guarantee="simultaneous"`` the limits need no reference: they are those of
        `calibration_band` at the test scores.

        Parameters
        ----------
        y_calibration : array_like of shape (n_ca,)
            Labels of the calibration set, two classes; of two arrays, of the test set.
        score_calibration : array_like of shape (n_ca,)
            Scores of the same rows, probabilities of the positive class in [0, 1]. The classifier
            must not have been trained on these points.
        y_test, score_test : array_like of shape (n_test,), optional
            The same for the test set; with ``"individual"`` other rows than those that calibrate.
        quantile_rule : {"paper", "split"}
            Which pair of order statistics.
        bandwidth : str, float or array_like of shape (1,)
            Of the kernel on the logit scale; see `kernel_logit`.
        guarantee : {"individual", "simultaneous"}, optional
            ``"individual"``, the default with four arrays, is the paper's, in large samples and if
            the reference is close to the truth. ``"simultaneous"``, all that two arrays can give,
            is for an ideal recalibration of this score, at every threshold at once and for every
            sample size, if a higher score never means a lower probability.
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
            says so. They weigh residuals and not the reference: right for covariate shift, wrong
            where weights depend on the label. If the ratio depends on more than the score, the
            reference is not that of the test points.
        sample_weight_test : array_like of shape (n_test,), optional
            Weights of the test rows: curves, rates and areas count these. Rows of weight 0 are left
            out, equal weights change nothing, and a whole weight is the row repeated.
        groups_calibration : array_like of shape (n_ca,), optional
            Whom each calibration row belongs to: limits hold for a row of a new person.
        groups_test : array_like of shape (n_test,), optional
            Whom each test row belongs to; refused where someone calibrates too. With several rows
            of one person there is no `reliability`, whose bounds count independent rows. Of two
            arrays one row of each person, drawn without a look at labels, makes the limits.
        horizon : float, optional
            Where both `y` have a time (structured arrays or frames, as `ConformalROC` takes them):
            by when an event counts. Scores are ``P(T <= horizon | x)``, and how likely a row was
            still followed is the Kaplan-Meier curve of the calibration set. The reference is then a
            person-period posterior of the score's logit, whatever `reference` and `bandwidth` say,
            and the guarantee ``"individual"``; weights, groups and `pos_label` are refused.
        time_unit : str
            What words call the unit of the times, such as ``"days"``.

        Returns
        -------
        RocEvaluation
            The evaluation.

        Raises
        ------
        TypeError, ValueError
            If scores are not probabilities, labels are not two classes that all occur in both
            sets, lengths differ, the calibration scores other than 0 and 1 have fewer than two
            distinct values (these are labels and not scores), the guarantee is neither, the test
            rows of an individual guarantee are the calibration rows, or `pos_label` is none of the
            labels.
        """
        check_options(quantile_rule, bandwidth, reference, time_unit)
        if y_test is None and score_test is None:
            check_own_guarantee(
                guarantee,
                quantile_rule,
                sample_weight_calibration=sample_weight_calibration,
                groups_calibration=groups_calibration,
                horizon=horizon,
            )
            rows = y_calibration, score_calibration, pos_label, sample_weight_test, groups_test
            return cls(*own_curve(*rows), Diagnostics(), Sources())
        if y_test is None or score_test is None:
            raise ValueError(
                f"{'y_test' if y_test is None else 'score_test'}: found None, expected both of "
                "y_test and score_test, or neither: from_predictions(y, score)"
            )
        asked = "individual" if guarantee is None else guarantee
        if horizon is not None:
            refuse_with_time(
                {
                    "pos_label": pos_label,
                    "sample_weight_calibration": sample_weight_calibration,
                    "sample_weight_test": sample_weight_test,
                    "groups_calibration": groups_calibration,
                    "groups_test": groups_test,
                }
            )
            known = evaluated_scores_at(
                (y_calibration, score_calibration),
                (y_test, score_test),
                horizon,
                quantile_rule,
                asked,
                time_unit,
            )
            return cls(*known, Sources(everywhere=NO_EVERYWHERE_AT_A_HORIZON))
        calibration = ScoreCalibration.of(
            *(y_calibration, score_calibration, bandwidth, quantile_rule),
            *(asked, pos_label, reference),
            *(sample_weight_calibration, groups_calibration),
        )
        refuse_shared_groups(groups_calibration, groups_test, y_test=y_test)
        observed = calibration.test_points(y_test, score_test, sample_weight_test, groups_test)
        if asked == "individual":
            refuse_own_rows(y_calibration, score_calibration, y_test, score_test)
        return cls(*calibration.evaluated(observed), Sources(remedy=calibration.remedy))

    @classmethod
    def from_table(
        cls,
        source: Any,
        *,
        score: str,
        label: str,
        y_calibration: ArrayLike,
        score_calibration: ArrayLike,
        quantile_rule: RuleName = "paper",
        bandwidth: str | float | ArrayLike = "silverman",
        guarantee: GuaranteeName = "individual",
        reference: ScoreReferenceName = "kernel",
        pos_label: Any = None,
        weight: str | None = None,
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
        weight : str, optional
            Name of a column of weights, each at least 0: what a row counts for. Rows of weight 0
            count as absent.

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
        summary = summary_of(source, score, label, (zero, one), weight)
        observed = ObservedCurve.of_table(summary)
        return cls(*calibration.evaluated(observed), Sources(remedy=calibration.remedy))

    @classmethod
    def from_residuals(
        cls,
        residuals: Mapping[Any, ArrayLike],
        y_test: ArrayLike,
        score_test: ArrayLike,
        *,
        quantile_rule: RuleName = "paper",
    ) -> Self:
        """Evaluation from calibration residuals that are known, as a page that was sent has them.

        "Copy as Python" in a page without a kernel writes it, where the page was made from one.

        Parameters
        ----------
        residuals : mapping of two labels to array_like
            Label -> residuals ``logit pi~ - logit p`` of its calibration points; the positive
            label is the second.
        y_test, score_test : array_like of shape (n_test,)
            Labels of the test set, and probabilities of the positive one.
        quantile_rule : {"paper", "split"}
            Which pair of order statistics.

        Returns
        -------
        RocEvaluation
            The evaluation. Nothing is known of the reference but its residuals, so there is no
            `ideal_curve` and no `support`.

        Raises
        ------
        TypeError, ValueError
            If `residuals` are not those of two labels or hold NaN, the labels are others, scores
            are not probabilities, lengths differ, or the rule is unknown.
        """
        known = evaluated_residuals(residuals, y_test, score_test, quantile_rule)
        return cls(*known, Sources(remade=True))

    def merged(self, other: RocEvaluation) -> Self:
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
        mine = self._observed.summary
        known = isinstance(other, RocEvaluation)
        theirs = other._observed.summary if known else None
        if mine is None or theirs is None:
            raise TypeError("other: expected two evaluations that from_table made")
        asked, others = (
            (each.classes, each.quantile_rule, each.guarantee) for each in (self, other)
        )
        alike = [np.array_equal(self.residuals[k], other.residuals[k]) for k in (0, 1)]
        if asked != others or not all(alike):
            raise ValueError(
                "other: found another calibration set, rule or guarantee, expected the same"
            )
        observed = ObservedCurve.of_table(mine.merged(theirs))
        return replace(
            self,
            _curve=replace(self._curve, observed=observed),
            _diagnostics=self._diagnostics.at_scores(observed),
        )

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        pos_label: Any = None,
        guarantee: GuaranteeName = "individual",
        reference: ScoreReferenceName = "kernel",
    ) -> Folds:
        """One evaluation a fold of a cross-validation.

        The band of a fold is that of `from_predictions`, calibrated by the out-of-fold scores of
        all other folds.

        Parameters
        ----------
        cv_results : dict
            What `sklearn.model_selection.cross_validate` gives with ``return_estimator=True`` and
            ``return_indices=True``.
        X, y : array_like of shape (n, d) and (n,)
            Data that it was given.
        sample_weight : array_like of shape (n,), optional
            Weights of the rows, as test rows and as calibration rows.
        groups : array_like of shape (n,), optional
            Whom each row belongs to; nobody may train and test in one fold.
        pos_label : label, optional
            The positive class; by default the second in sorted order.
        guarantee, reference
            As in `from_predictions`.

        Returns
        -------
        Folds
            Fold -> RocEvaluation, with the pooled curve and the mean area.

        Raises
        ------
        TypeError, ValueError
            If `cv_results` lacks classifiers or indices, a row is in two test folds, a fold has one
            class only, or somebody is on both sides of a fold.
        """

        def make(classifier: Any, *given: Any, **options: Any) -> RocEvaluation:
            made = cls.from_predictions(*given, guarantee=guarantee, reference=reference, **options)
            always = tuple(margins(classifier))
            return replace(
                made,
                _curve=made._curve.assuming(FOLDS_ALIKE),
                _diagnostics=replace(made._diagnostics.with_remark(LOSS), always=always),
                _sources=made._sources._replace(margins=bool(always)),
            )

        return folds_of(make, cv_results, X, y, sample_weight, groups, pos_label)

    # What it is

    @property
    def _observed(self) -> ObservedCurve:
        return self._curve.observed

    @property
    def scores(self) -> Floats:
        """Scores in the order of the test set."""
        return self._observed.scores

    @property
    def labels(self) -> NDArray[np.int8]:
        """1 for the positive class, 0 for the other."""
        return self._observed.labels

    @property
    def counts(self) -> Ints | None:
        """How many test points, or units of their weights, each score stands for; or None."""
        return self._observed.counts

    @property
    def sample_weight(self) -> Floats | None:
        """Weights of the test points (n_test,); None if all are equal."""
        return self._observed.weights

    @property
    def groups(self) -> Ints | None:
        """Codes of the people of the test points (n_test,); None if nobody has two."""
        return self._observed.people

    @property
    def has_single_points(self) -> bool:
        """Whether test points are known one by one; those of a table are not."""
        return self._observed.summary is None

    @property
    def horizon(self) -> float | None:
        """Time by which an event counts; None where outcomes have no time."""
        return None if self.follow_up is None else self.follow_up.horizon

    @property
    def follow_up(self) -> FollowUp | None:
        """Outcomes of all test rows and their horizon; None where outcomes have no time."""
        return self._observed.follow_up

    @property
    def unknown(self) -> NDArray[np.bool_]:
        """Rows (n_test,) of the test set that were lost from sight before the horizon.

        `scores`, `labels` and `sample_weight` have the others alone.
        """
        follow_up = self._observed.follow_up
        if follow_up is None:
            return np.zeros(self.labels.size, dtype=bool)
        return follow_up.unknown

    @property
    def dependence(self) -> str:
        """What makes test rows count unlike independent ones, for errors; else empty."""
        return self._observed.dependence

    @property
    def residuals(self) -> Mapping[int, Floats]:
        """Label -> calibration residuals behind the band, ascending."""
        return self._curve.residuals

    @property
    def quantile_rule(self) -> str:
        """The rule that picks the pair of order statistics."""
        return self._curve.rule

    @property
    def promise(self) -> Promise:
        """Promise of the band at any alpha."""
        return self._curve.promise

    @property
    def guarantee(self) -> GuaranteeName:
        """What the limits are calibrated for."""
        # Limits that are centred on the reference promise nothing, whatever was asked for.
        kind = self.promise.kind
        return "individual" if kind == "none" else cast("GuaranteeName", kind)

    @property
    def error(self) -> float:
        """How far a rate or limit may be from that of every test point by itself.

        0 where every test point is known. After `from_table`, the largest share of a label's points
        that may lie on the wrong side of a threshold; of an area, at most twice that.
        """
        summary = self._observed.summary
        return 0.0 if summary is None else summary.error

    @property
    def n_calibration(self) -> dict[int, int]:
        """Label -> number of calibration residuals.

        If there are several splits, the smallest number.
        """
        return self._curve.n_calibration

    @property
    def makes_its_limits(self) -> bool:
        """Whether the test rows make the limits, without calibration rows of their own."""
        return isinstance(self._curve, RecalibratedCurve) and self._curve.own

    @property
    def n_test(self) -> dict[int, int]:
        """Label -> number of test points, whatever they weigh."""
        return dict(enumerate(self._observed.rows))

    @property
    def masses(self) -> dict[int, int]:
        """Label -> what rates are shares of: test points, or units of their weights."""
        return dict(enumerate(self._observed.sizes))

    @property
    def vacuous_below(self) -> dict[int, float]:
        """Label -> alpha below which none of its test points has a limit."""
        return self._curve.vacuous_below

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Plain sentences to read: strings, each with its `fact`, `reason` and `remedy`."""
        notes = (*self._curve.notes, *self.lasting_notes)
        if self.classes == (0, 1):
            return notes
        return tuple(note.of_classes(self.classes) for note in notes)

    @property
    def lasting_notes(self) -> tuple[Note, ...]:
        """The `notes` that hold at every alpha, about labels 0 and 1.

        A band itself says where it is vacuous.
        """
        summary, diagnostics = self._observed.summary, self._diagnostics
        table = () if summary is None else (summarized_table(sum(summary.n), summary.error),)
        against_rest = self.classes[0] == f"not {self.classes[1]}"
        if self.groups is not None:
            table = (rows_of_people(self.groups.size, np.unique(self.groups).size),)
        table = (*below_chance(self.observed_auc, against_rest), *table)
        remark = self._curve.remark
        own = (remark,) if remark else ()
        if isinstance(self._curve, RecalibratedCurve):  # no reference is involved
            return (*own, *diagnostics.always, *table)
        support = poor_support(*diagnostics.display_support, diagnostics.noise_advice)
        return (
            *own,
            *diagnostics.always,
            *diagnostics.remarks,
            *table,
            *support,
            *diagnostics.last_remarks,
        )

    @property
    def no_everywhere(self) -> str:
        """Why there is no ``guarantee="everywhere"``, as an error says it; empty where there is."""
        everywhere = self._sources.everywhere
        return everywhere if isinstance(everywhere, str) else ""

    def with_guarantee(self, guarantee: GuaranteeName) -> RocEvaluation:
        """The same evaluation under another guarantee, for which nothing is fitted anew.

        Parameters
        ----------
        guarantee : {"individual", "everywhere"}
            For one threshold drawn at random, or for every threshold at once.

        Returns
        -------
        RocEvaluation
            Itself where it has that guarantee already.

        Raises
        ------
        TypeError, ValueError
            If it is neither, or the evaluation cannot give it.
        """
        if guarantee == self.guarantee:
            return self
        one_of(guarantee, "guarantee", ("individual", "everywhere"))
        if guarantee in self._others:
            return self._others[guarantee]
        origin = _ORIGINS[self]() if self in _ORIGINS else None
        if origin is not None and origin.guarantee == guarantee:
            return origin
        everywhere = self._sources.everywhere
        if isinstance(everywhere, str):
            raise ValueError(everywhere)
        if self.guarantee not in ("individual", "everywhere"):
            raise ValueError(
                f"guarantee: found {guarantee!r} for limits made for {self.guarantee!r}, expected "
                "to be asked of ConformalROC.evaluate"
            )
        own = self._curve
        curve = own.individually() if isinstance(own, EverywhereCurve) else everywhere.curve(own)
        other = replace(self, _curve=curve)
        self._others[guarantee] = other
        _ORIGINS[other] = ref(self)
        return other

    @cached_property
    def _others(self) -> dict[str, RocEvaluation]:
        """Guarantee -> the same evaluation under it, for those that were made from this one."""
        return {}

    @property
    def other_promise(self) -> RocEvaluation | None:
        """The evaluation under the other promise that a page offers.

        None if it cannot have both.
        """
        if self.no_everywhere or self.guarantee not in ("individual", "everywhere"):
            return None
        return self.with_guarantee("everywhere" if self.guarantee == "individual" else "individual")

    @property
    def envelope(self) -> EverywhereCurve | None:
        """Parts of the limits at every threshold at once; None where there are none."""
        if self.other_promise is None:
            return None
        curve = self.with_guarantee("everywhere")._curve
        assert isinstance(curve, EverywhereCurve)
        return curve

    @property
    def support(self) -> Support:
        """Diagnostics of assumptions (A3) and (A4), computed on first use.

        After `from_table`, over test scores at evenly spaced ranks instead of all.
        """
        return self._diagnostics.support

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
        # The latest result is kept here and not by the curve, which would then be part of a
        # reference cycle.
        latest: AtAlpha | None = self.__dict__.get("_latest")
        if latest is None or not latest.is_at(alpha):
            latest = self.__dict__["_latest"] = self._curve.at(alpha)
        return latest

    def band(self, alpha: float = 0.05, thresholds: ArrayLike | None = None) -> ConformalBand:
        """ROC curve with conformal limits: `AtAlpha.band` at `alpha`."""
        return self.at(alpha).band(thresholds)

    def intervals(self, alpha: float = 0.05) -> PointIntervals:
        """Interval of every test point: `AtAlpha.intervals` at `alpha`."""
        return self.at(alpha).intervals()

    def operating_point(self, threshold: float, alpha: float = 0.05) -> OperatingPoint:
        """Counts, rates and limits at a threshold: `AtAlpha.operating_point` at `alpha`."""
        return self.at(alpha).operating_point(threshold)

    def auc(self, alpha: float = 0.05) -> AucRange:
        """Area under the observed curve, and its range: `AtAlpha.auc` at `alpha`."""
        return self.at(alpha).auc()

    def youden(self, alpha: float = 0.05) -> YoudenRange:
        """Youden's index of the observed curve, and its range: `AtAlpha.youden` at `alpha`."""
        return self.at(alpha).youden()

    # Questions of a decision

    @property
    def own_prevalence(self) -> float:
        """Share of the positive class in the test set."""
        return self.masses[1] / (self.masses[0] + self.masses[1])

    def precision_recall(
        self, alpha: float = 0.05, *, prevalence: float | None = None
    ) -> PrecisionRecall:
        """Precision and recall at every threshold, with the ranges that the intervals allow.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).
        prevalence : float, optional
            Share of the positive class where the classifier is used; by default the test set's.

        Returns
        -------
        PrecisionRecall
            One entry a threshold of the default band, descending.

        Raises
        ------
        TypeError, ValueError
            If `alpha` or `prevalence` is not a number in (0, 1).
        """
        return precision_recall_of(self.at(alpha).band(), self._prevalence(prevalence))

    def net_benefit(
        self,
        alpha: float = 0.05,
        prevalence: float | None = None,
        thresholds: ArrayLike | None = None,
    ) -> NetBenefit:
        """Net benefit of acting on the classifier (Vickers and Elkin 2006).

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).
        prevalence : float, optional
            Share of the positive class where the classifier is used; by default the test set's.
            With another one the score counts as calibrated at the test set's own, so that a cut at
            ``s`` is a cut of the risk at ``expit(logit s + logit prevalence - logit own)``.
        thresholds : array_like of shape (m,), optional
            Cuts of the score in [0, 1), kept in their order; by default every hundredth.

        Returns
        -------
        NetBenefit
            One entry a threshold.

        Raises
        ------
        TypeError, ValueError
            If `alpha` or `prevalence` is not a number in (0, 1), or a threshold not one in [0, 1).
        """
        cuts = DEFAULT_THRESHOLDS if thresholds is None else _cuts_of(thresholds)
        share = self._prevalence(prevalence)
        # Index of each cut among the band's thresholds, which descend.
        places = np.argsort(np.argsort(-cuts, kind="stable"))
        found = net_benefit_of(self.at(alpha).band(cuts), places, self.own_prevalence, share)
        return replace(found, notes=(NO_RISKS,)) if self._sources.margins else found

    def metrics(
        self, threshold: float, alpha: float = 0.05, *, prevalence: float | None = None
    ) -> Metrics:
        """Predictive values, accuracy, F1, MCC and the like at a threshold, with their ranges.

        Parameters
        ----------
        threshold : float
            Scores of at least this are called positive.
        alpha : float
            Significance level in (0, 1).
        prevalence : float, optional
            Share of the positive class where the classifier is used; by default the test set's.

        Returns
        -------
        Metrics
            Name -> value, lower, upper: the ends that both labels' intervals allow.

        Raises
        ------
        TypeError, ValueError
            If `alpha` or `prevalence` is not a number in (0, 1), or the threshold is NaN or not a
            number.
        """
        return Metrics.of(self.operating_point(threshold, alpha), self._prevalence(prevalence))

    def losses(self, threshold: float = 0.5, alpha: float = 0.05) -> Mapping[str, SamplingInterval]:
        """Accuracy, Brier score and log loss, with limits for this classifier's in the population.

        They are those of `comparators.accuracy_interval`, `brier_score_interval` and
        `log_loss_interval`, with the test set's weights and people.

        Parameters
        ----------
        threshold : float
            Scores of at least this are called positive; one fixed in advance.
        alpha : float
            Significance level in (0, 1), of each of the three.

        Returns
        -------
        dict of str to SamplingInterval
            ``"accuracy"``, ``"brier_score"``, ``"log_loss"``. Of margins the last two have a note:
            they are no risks.

        Raises
        ------
        TypeError, ValueError
            If an argument is not of the form above, a table was summarized, or rows that are known
            stand for others that were lost from sight.
        """
        exact_alpha(alpha)
        rows = self._loss_rows
        if isinstance(rows, str):
            raise ValueError(f"losses: found {rows}, expected every test row with its label")
        notes = (NO_RISKS,) if self._sources.margins else ()
        return losses_at(rows, number(threshold, "threshold"), alpha, notes)

    @property
    def _loss_rows(self) -> Rows | str:
        """Rows whose losses can be averaged, or the reason why there are none."""
        observed = self._observed
        if observed.summary is not None:
            return "a table's summary"
        if observed.follow_up is not None and observed.dependence:
            return observed.dependence
        return Rows(observed.labels == 1, observed.scores, observed.weights, observed.people)

    @cached_property
    def sampled_losses(self) -> tuple[MeanLoss, MeanLoss] | None:
        """Brier score and log loss, with what their limits are made of; None where unknown."""
        rows = self._loss_rows
        return None if isinstance(rows, str) else (brier_of(rows), log_loss_of(rows))

    def threshold_for(
        self,
        *,
        sensitivity: float | None = None,
        specificity: float | None = None,
        precision: float | None = None,
        npv: float | None = None,
        accuracy: float | None = None,
        cost_ratio: float | None = None,
        prevalence: float | None = None,
        confidence: float | None = None,
    ) -> float | PopulationThreshold:
        """Threshold that a rule chooses on these test points, or one that holds in the population.

        Without `confidence` the rule is kept on these rows; report on others. With it, all wishes
        hold in the population with that confidence, for every sample size: thresholds are tested in
        an order that no label decides, each by an exact binomial tail, until one fails. Nothing is
        assumed of scores or labels but that more data come from the same source.

        Parameters
        ----------
        sensitivity, npv : float, optional
            Wanted, in [0, 1]: the highest threshold that has at least this. (`npv`: share of
            negatives among those who are not called positive.)
        specificity, precision : float, optional
            Wanted, in [0, 1]: the lowest threshold that has at least this.
        accuracy : float, optional
            Wanted, in [0, 1]: the most accurate threshold, if it has at least this.
        cost_ratio : float, optional
            False alarms that one miss costs, above 0: the threshold of least expected cost.
        prevalence : float, optional
            Share of the positive class where costs arise; by default the test set's.
        confidence : float, optional
            In (0, 1): probability that every wish holds in the population. Several wishes are then
            allowed, if all are rates; of the thresholds that keep them all, the one with the
            largest Youden's index here is taken.

        Returns
        -------
        float or PopulationThreshold
            Without `confidence` a score, or infinity where nobody is to be called positive; without
            a wish the highest threshold with the largest Youden's index. With `confidence` the
            threshold, which is None if none can promise it, and the most that can be promised.

        Raises
        ------
        TypeError, ValueError
            If an argument is not of the form above, there are two wishes without `confidence`, no
            threshold has the accuracy, or with `confidence` test rows have weights, several belong
            to one person, or a summary of a table is not exact.
        """
        given = {
            "sensitivity": sensitivity,
            "specificity": specificity,
            "precision": precision,
            "npv": npv,
            "accuracy": accuracy,
        }
        expected, in_unit = "a number from 0 to 1, 0.9 for 90 %", lambda rate: 0 <= rate <= 1
        rates = {
            name: number(rate, name, expected, in_unit)
            for name, rate in given.items()
            if rate is not None
        }
        others = {"cost_ratio": cost_ratio, "prevalence": prevalence}
        if confidence is not None:
            return self._population_threshold(rates, others, confidence)
        wishes = [*rates, *(["cost_ratio"] if cost_ratio is not None else [])]
        if len(wishes) > 1:
            raise ValueError(
                f"{', '.join(wishes)}: found {len(wishes)} rules, expected one, or rates with a "
                "confidence"
            )
        share, curve = self._prevalence(prevalence), ObservedRates(*self._observed.steps)
        for name, rate in rates.items():
            return at_least(curve, name, rate)
        if cost_ratio is not None:
            cost = number(
                cost_ratio, "cost_ratio", "a finite number above 0", lambda c: 0 < c < math.inf
            )
            return float(curve.thresholds[least_cost(curve, share, cost)])
        return observed_youden(curve.fp, curve.tp, curve.thresholds)[1]

    def _population_threshold(
        self, rates: Mapping[str, float], others: Mapping[str, Any], confidence: Any
    ) -> PopulationThreshold:
        """The threshold that keeps rates in the population, if these rows can tell."""
        expected = "a number between 0 and 1, 0.95 for 95 %"
        sure = number(confidence, "confidence", expected, lambda c: 0 < c < 1)
        for name, value in others.items():
            if value is not None:
                raise ValueError(
                    f"{name}: found {value!r:.80} with a confidence, expected None: what is "
                    "promised are rates where rows like these come from"
                )
        if not rates:
            raise ValueError(
                f"confidence: found {sure:g} without a wish, expected at least one of "
                f"{', '.join(RULES)}"
            )
        uncounted = self.dependence or (self.error and "rows of a table joined in bins")
        if uncounted:
            raise ValueError(
                f"confidence: found {uncounted}, expected rows that each count once and are "
                "independent: the tests are binomial"
            )
        return population_threshold(self._observed.score_groups, rates, sure)

    def reliability(self, alpha: float = 0.05) -> CalibrationBand:
        """Bounds of ``P(y = 1 | score)`` from the test points, at every score at once.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1), of all bounds together.

        Returns
        -------
        CalibrationBand
            One entry a distinct score; see `calibration_band`. After `from_table`, scores that
            share a bin are one entry, from `score` to `ends`: bins do not look at labels.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1), or test rows have weights or several belong to one
            person.
        """
        exact_alpha(alpha)
        if self.dependence:
            raise ValueError(
                f"reliability: found {self.dependence}, expected none: the bounds count "
                "independent rows"
            )
        found = band_of_runs(self._observed.score_groups, alpha)
        return replace(found, notes=(*found.notes, NO_RISKS)) if self._sources.margins else found

    def display_reliability(self, alpha: float) -> CalibrationBand:
        """`reliability` as a screen shows it; if the table is long, from few groups of scores."""
        return band_of_runs(self.display_score_groups, alpha)

    @property
    def display_score_groups(self) -> ScoreRuns:
        """Groups of scores for a screen.

        Few, if the curve has more vertices than a screen shows.
        """
        return self._observed.screen_score_groups

    def plot(
        self,
        ax: Any = None,
        alpha: float = 0.05,
        band: BandName | None = None,
        name: str | None = None,
        *,
        threshold: float = 0.5,
    ) -> Any:
        """ROC curve with its band on Matplotlib axes, as the widget's pictures draw it.

        Needs Matplotlib: ``pip install 'conformal_roc_widget[plot]'``.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default on a new figure, which has a title.
        alpha : float
            Significance level in (0, 1).
        band : {"sensitivity", "specificity", "both", "ideal", "sampling", "none"}, optional
            As the widget's; by default ``"sensitivity"``, or ``"sampling"``, the bootstrap's, where
            the test rows make the limits themselves.
        name : str, optional
            What the evaluation is called.
        threshold : float
            Of the operating point, from 0 to 1.

        Returns
        -------
        object
            With `ax_`, `figure_` and `caption_`: the numbers, target, scope and guarantee in words.

        Raises
        ------
        TypeError, ValueError
            If an argument is not of the form above.
        ImportError
            If Matplotlib is not installed.
        """
        exact_alpha(alpha)
        cut = number(threshold, "threshold", "a number from 0 to 1", lambda each: 0 <= each <= 1)
        draw = type(self).plotter
        assert draw is not None
        return draw(self, ax, alpha, band, cut, name)

    def undecided(self, threshold: float, alpha: float = 0.05) -> NDArray[np.bool_]:
        """Which test points could be called either way: `AtAlpha.undecided` at `alpha`."""
        return self.at(alpha).undecided(threshold)

    def to_classifier(
        self, threshold: float | PopulationThreshold = 0.5
    ) -> FixedThresholdClassifier:
        """The fitted classifier behind the scores, which calls at a threshold.

        Parameters
        ----------
        threshold : float or PopulationThreshold
            On the score: probabilities of at least this are called positive. One that keeps a wish
            in the population, as `threshold_for` gives it, is said by the classifier's text too.

        Returns
        -------
        sklearn.model_selection.FixedThresholdClassifier
            Its `predict` gives the labels of the data without another fit. A fit trains nothing: it
            holds the classifier as it was evaluated.

        Raises
        ------
        TypeError
            If the threshold is not a number.
        ValueError
            If the threshold is not finite, or no single classifier of two classes gave the scores:
            they came without one, from several splits, or were moved.
        """
        fitted = self._sources.classifier
        if isinstance(fitted, str):
            raise ValueError(f"to_classifier: the evaluation has no classifier: {fitted}")
        from sklearn.frozen import FrozenEstimator
        from sklearn.model_selection import FixedThresholdClassifier

        kept = threshold if isinstance(threshold, PopulationThreshold) else None
        cut = number(
            threshold if kept is None else float(kept),
            "threshold",
            "a finite number",
            math.isfinite,
        )
        by_probability = hasattr(fitted, "predict_proba")
        classifier = FixedThresholdClassifier(
            fitted if isinstance(fitted, FrozenEstimator) else FrozenEstimator(fitted),
            threshold=cut if by_probability else float(logit(cut)),
            pos_label=self.classes[1],
            response_method="predict_proba" if by_probability else "decision_function",
        )
        if kept is None:
            return classifier
        from conformal_roc_widget.evaluation.decisions.kept_classifier import (
            KeptThresholdClassifier,
        )

        return KeptThresholdClassifier.of(kept, classifier)

    def rows_of(self, cell: str, threshold: float) -> Ints:
        """Positions of the test points in a cell of the confusion table: "tp", "fp", "tn", "fn"."""
        one_of(cell, "cell", CELLS)
        number(threshold, "threshold")
        called = self.scores >= threshold
        is_called = called if cell[1] == "p" else ~called
        is_right = called == (self.labels == 1)
        rows = np.flatnonzero(is_called & (is_right if cell[0] == "t" else ~is_right))
        follow_up = self._observed.follow_up
        return rows if follow_up is None else follow_up.known_rows[rows]

    def ideal_curve(self, alpha: float = 0.05, fpr: ArrayLike | None = None) -> IdealCurve:
        """Credible band of the ideal model's own ROC curve, its area, and the gain that is left.

        Answers how much better any model could be on a test set like this one, from posterior draws
        of ``logit pi``. Candidates are sampled on the first call; a new `alpha` costs look-ups.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).
        fpr : array_like of shape (m,), optional
            False positive rates in [0, 1]; by default every hundredth.

        Returns
        -------
        IdealCurve
            Median and limits at each false positive rate, of the area and of the gain.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1), a rate is not one in [0, 1], or the evaluation's
            reference has no posterior draws.
        """
        exact_alpha(alpha)
        if fpr is None:
            return self.ideal_candidates.at(alpha)
        rates = numbers_of(fpr, "fpr", ndim=1)
        return self._candidates_at(in_unit_range(rates, "fpr", "rates in [0, 1]")).at(alpha)

    @property
    def no_ideal_curve(self) -> str:
        """Why there is no band for the ideal model's curve; empty where there is one."""
        if isinstance(self._sources.ideal, str):
            return self._sources.ideal
        if dependence := self._observed.dependence:
            return f"found {dependence}, expected none: its draws count independent rows"
        return ""

    @cached_property
    def ideal_candidates(self) -> Candidates:
        """Candidates for the ideal model's curve at `DEFAULT_FPR`, sampled once."""
        return self._candidates_at(DEFAULT_FPR)

    @property
    def has_ideal_candidates(self) -> bool:
        """Whether `ideal_candidates` are sampled already."""
        return "ideal_candidates" in self.__dict__

    def _candidates_at(self, fpr: Floats) -> Candidates:
        """Candidates for the ideal model's curve, the same at any rates."""
        if isinstance(self._sources.ideal, str) or self.no_ideal_curve:
            raise ValueError(f"ideal_curve: {self.no_ideal_curve}")
        return Candidates.of(self._sources.ideal(), self._observed.rows, fpr)

    def _prevalence(self, prevalence: Any) -> float:
        """A share of positives, by default the test set's."""
        if prevalence is None:
            return self.own_prevalence
        expected = "a number between 0 and 1, or None for the test set's own"
        return number(prevalence, "prevalence", expected, lambda share: 0 < share < 1)

    # For a display

    @cached_property
    def display(self) -> Display:
        """What a screen needs at every alpha."""
        support, about = self._diagnostics.display_support
        curve, observed = self._curve, self._observed
        simultaneous = isinstance(curve, RecalibratedCurve)
        residuals, group_sizes = (np.empty(0), np.empty(0)), None
        if not simultaneous:
            zeros, ones = curve.residuals.values()
            residuals, group_sizes = (zeros, ones), curve.group_sizes
        return Display(
            unit=observed.unit,
            counts_people=curve.counts_people,
            crossable=self._sources.crossable,
            remedy=self._sources.remedy,
            remade=self._sources.remade,
            margins=self._sources.margins,
            simultaneous=simultaneous,
            extrapolating=support.share,
            about=about,
            simplified=observed.simplified,
            centres=None if group_sizes is None else curve.sorted_centres,
            group_sizes=group_sizes,
            ranked=not curve.weighted,
            residuals=residuals,
        )

    @property
    def observed_auc(self) -> float:
        """Area under the observed curve, ties half."""
        return self._observed.auc

    @cached_property
    def sampled_area(self) -> Area | None:
        """Area under the curve, with what DeLong's limits for more test data are made of.

        None if test rows do not count alike or are in a table, or a label has one row or one
        person.
        """
        if self.counts is not None or self.follow_up is not None:
            return None
        area = area_of_rows(self.labels == 1, self.scores, self.groups)
        return None if area is None else area._replace(value=self.observed_auc)

    @cached_property
    def sampled_precision(self) -> AveragePrecision | None:
        """Average precision, with what its limits for more test data are made of.

        None if the outcome has a time, or rows are in a table.
        """
        if self.counts is not None or self.follow_up is not None:
            return None
        return AveragePrecision.of(mean_area.Rows.of(self))

    @property
    def display_vertices(self) -> Vertices:
        """The vertices of the observed curve that a screen can show."""
        return self._observed.screen_vertices

    @property
    def sorted_scores(self) -> tuple[SortedSample, SortedSample]:
        """Scores by label, ascending."""
        return self._observed.sorted_scores

    def __repr__(self) -> str:
        """Short text that does not change between runs."""
        sizes = ", ".join(
            f"{name!s}: {self.n_test[k]} point{'s' * (self.n_test[k] != 1)}"
            if self.makes_its_limits
            else f"{name!s}: {self.n_calibration[k]} calibration and {self.n_test[k]} test points"
            for k, name in enumerate(self.classes)
        )
        return f"RocEvaluation({sizes})"

    def _repr_mimebundle_(self, **_: Any) -> MimeBundle | None:
        """The widget, a picture and a text, at the end of a notebook's cell."""
        show = type(self).mimebundle
        return None if show is None else show(self)


def _cuts_of(thresholds: ArrayLike) -> Floats:
    """Cuts in [0, 1), where a false alarm has a finite weight."""
    cuts = numbers_of(thresholds, "thresholds", ndim=1)
    if cuts.min() < 0 or cuts.max() >= 1:
        found = f"values from {cuts.min():g} to {cuts.max():g}"
        raise ValueError(f"thresholds: found {found}, expected cuts of the score in [0, 1)")
    return cuts
