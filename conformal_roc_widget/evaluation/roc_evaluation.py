"""A test set with its calibration residuals: the public face of Algorithms 1 to 3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.choices import GuaranteeName, RuleName, ScoreReferenceName
from conformal_roc_widget.promise import FOLDS_ALIKE
from conformal_roc_widget.tables.calibration_rows import Ratio, refuse_shared_groups
from conformal_roc_widget.tables.event_times import refuse_with_time
from conformal_roc_widget.tables.summary import summary_of

from .displayed import Displayed
from .evaluated import Sources
from .folds import LOSS, Folds, folds_of
from .followed_scores import NO_EVERYWHERE_AT_A_HORIZON, evaluated_scores_at
from .from_own_rows import (
    check_own_guarantee,
    one_weight,
    own_curve,
    own_rows,
    refuse_one_weight,
    refuse_own_rows,
)
from .from_scores import ScoreCalibration, asked_of, check_options, evaluated_residuals
from .notes import margins
from .observed_curve import ObservedCurve
from .support import Diagnostics
from .unlabelled import Learned, UnlabelledCurve, unlabelled


@dataclass(frozen=True, eq=False, repr=False)
class RocEvaluation(Displayed):
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
    guarantee : {"individual", "curve", "simultaneous", "everywhere", "credible"}
        What the limits of `band`, `operating_point`, `auc` and `youden` are calibrated for: the
        probability of each point, the curve at a random threshold, or, at every threshold at once,
        an ideal recalibration of the score or the ideal model. `intervals` are for each point, and
        with ``"simultaneous"`` for all of them together. See `with_guarantee`.
    promise : Promise
        Of `band` and `operating_point` at any alpha: its guarantee has ``{confidence}`` in the
        place of the number.
    counts : ndarray of shape (n_test,) or None
        How many test points each score stands for, where the test set is a summary made by
        `from_table`; None if each stands for itself.
    """

    def __new__(cls, *given: Any, **_fields: Any) -> Self:
        """Make an evaluation from the parts that its class methods hand in."""
        if given and len(given) + len(_fields) != len(fields(cls)):
            raise TypeError(
                f"RocEvaluation: found {len(given)} values, expected one of its class methods: "
                "labels and scores are taken by RocEvaluation.from_predictions(y, score)"
            )
        return super().__new__(cls)

    @classmethod
    def from_predictions(
        cls,
        y_calibration: ArrayLike | None = None,
        score_calibration: ArrayLike | None = None,
        y_test: ArrayLike | None = None,
        score_test: ArrayLike | None = None,
        *,
        quantile_rule: RuleName = "paper",
        bandwidth: str | float | ArrayLike = "silverman",
        guarantee: GuaranteeName | None = None,
        reference: ScoreReferenceName | None = None,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        sample_weight_calibration: ArrayLike | Ratio | None = None,
        sample_weight_test: ArrayLike | None = None,
        groups_calibration: ArrayLike | None = None,
        groups_test: ArrayLike | None = None,
        horizon: float | None = None,
        time_unit: str = "",
    ) -> Self:
        """Evaluation from scores alone: ``from_predictions(y, score)``, or with calibration rows.

        Two arrays are labels and scores of rows that the classifier has not seen; by keyword,
        ``from_predictions(y_test=y, score_test=score)``. All of them are the test set, and make the
        limits too: those of `calibration_band` at their own scores, which hold at every threshold
        at once.

        With four arrays the first two calibrate. Scores alone do not tell a point's true
        probability, but ``P(y = 1 | score)``: the limits are for an ideal recalibration of this
        score. The reference ``pi~`` is a posterior of a smooth function of the score's logit, which
        in our study covers .90 or more at a nominal .95; with ``reference="kernel"`` it is the
        paper's (eq. tilde_pi), each calibration point left out of its own estimate, which covers
        .53 to .97. Both take logits, so that scores must be probabilities; see `notes` and the
        guide to comparing bands. With ``guarantee="simultaneous"`` the limits need no reference:
        they are those of `calibration_band` at the test scores.

        Parameters
        ----------
        y_calibration : array_like of shape (n_ca,)
            Labels of the calibration set, two classes; of two arrays, of the test set.
        score_calibration : array_like of shape (n_ca,)
            Scores of the same rows, higher for the positive class. The classifier must not have
            been trained on these points. If some lie outside [0, 1], they are no probabilities
            (`score_kind` is ``"score"``): thresholds are in their unit, the guarantee is
            ``"simultaneous"``, which takes their order alone, and what reads them as risks is
            refused. A limit then is for an ideal recalibration that is cut at the lowest score
            called, with and without the scores that it ties with that one.
        y_test, score_test : array_like of shape (n_test,), optional
            The same for the test set; with ``"individual"`` other rows than those that calibrate.
            Alone, they are the form of two arrays.
        quantile_rule : {"paper", "split"}
            Which pair of order statistics.
        bandwidth : str, float or array_like of shape (1,)
            Of the kernel on the logit scale; see `kernel_logit`.
        guarantee : {"individual", "simultaneous"}, optional
            ``"individual"``, the default with four arrays, is the paper's, in large samples and if
            the reference is close to the truth. ``"simultaneous"``, all that two arrays can give,
            is for an ideal recalibration of this score, at every threshold at once and for every
            sample size, if a higher score never means a lower probability.
        reference : {"kernel", "sharp"}, optional
            Of the individual guarantee: by default ``"sharp"``, or ``"kernel"`` where calibration
            rows have weights or belong to people, or a bandwidth asks for it.
        pos_label : label, optional
            The positive class, whose probabilities the scores are; by default the second in sorted
            order.
        sample_weight : array_like of shape (n,), optional
            Of two arrays, the same as `sample_weight_test`.
        sample_weight_calibration : array_like of shape (n_ca,) or callable, optional
            Likelihood ratios of the test points' law over the calibration points', or a function
            of scores that gives them, asked for the test scores too. An array leaves the weight of
            a test point unknown: the largest of its label stands for it. A label without limits
            says so. If all rows of a label weigh alike, limits are moved to the law of the weighted
            rows. Else weights must not depend on the label: they weigh residuals and not the
            reference, which is right for covariate shift. If the ratio depends on more than the
            score, the reference is not that of the test points.
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
            If scores are no finite numbers, or no probabilities where the guarantee takes their
            logits; labels are not two classes that all occur in both sets, lengths differ, the
            calibration scores other than 0 and 1 have fewer than two distinct values (these are
            labels and not scores), the guarantee is neither, the test rows of an individual
            guarantee are the calibration rows, or `pos_label` is none of the labels.
        """
        check_options(quantile_rule, bandwidth, reference, time_unit)
        given: tuple[Any, Any, Any, Any] = (y_calibration, score_calibration, y_test, score_test)
        if (own := own_rows("from_predictions", *given)) is not None:
            weight = one_weight(sample_weight, sample_weight_test)
            check_own_guarantee(
                guarantee,
                quantile_rule,
                sample_weight_calibration=sample_weight_calibration,
                groups_calibration=groups_calibration,
                horizon=horizon,
            )
            return cls(*own_curve(*own, pos_label, weight, groups_test), Diagnostics(), Sources())
        refuse_one_weight(sample_weight)
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
                given[:2],
                given[2:],
                horizon,
                quantile_rule,
                "individual" if guarantee is None else guarantee,
                time_unit,
            )
            return cls(*known, Sources(everywhere=NO_EVERYWHERE_AT_A_HORIZON))
        asked, any_size = asked_of(guarantee, given[1], given[3])
        calibration = ScoreCalibration.of(
            *(*given[:2], bandwidth, quantile_rule, asked, pos_label, reference),
            *(sample_weight_calibration, groups_calibration),
            any_size=any_size,
        )
        refuse_shared_groups(groups_calibration, groups_test, y_test=y_test)
        observed = calibration.test_points(*given[2:], sample_weight_test, groups_test)
        if asked == "individual":
            refuse_own_rows(*given)
        return cls(
            *calibration.evaluated(observed),
            Sources(
                is_chosen=guarantee is not None,
                recalibrated=calibration.recalibrated(observed),
            ),
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
        quantile_rule: RuleName = "paper",
        bandwidth: str | float | ArrayLike = "silverman",
        guarantee: GuaranteeName = "individual",
        reference: ScoreReferenceName | None = None,
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
            count as absent. With unequal ones limits for an ideal model promise nothing: nothing
            says what calibration rows weigh.

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
        sources = Sources(recalibrated=calibration.recalibrated(observed))
        return cls(*calibration.evaluated(observed), sources)

    def unlabelled(
        self,
        X_or_scores: Any,
        y: ArrayLike | None = None,
        *,
        prevalence: float | None = None,
        score: str | None = None,
    ) -> Self:
        """Evaluation of new rows whose labels have not come: what these may show.

        The curve is the expected one, if a score means the same risk in the new rows as in the rows
        of this evaluation: a posterior of their risk at each score gives each new row its share of
        either label. Limits are for the rates that the labels of the new rows will show, both
        rates at every threshold at once; they hold what the labelled rows leave open and what
        chance does to the labels.

        Parameters
        ----------
        X_or_scores : array_like, data frame or path
            Features of the new rows, which the classifier scores, if this evaluation was made from
            features; else their scores. With `score`, a table as `from_table` takes it.
        y : array_like of shape (n_new,), optional
            Labels that have come; NaN, None or a masked value where none has. They count as they
            are, and `notes` say whether they agree with what was expected.
        prevalence : float, optional
            Share of positives where the new rows come from, which no score tells; by default the
            same as of the labelled rows. With another one the log-odds of each risk move by
            ``logit(prevalence) - logit(share of the labelled rows)``.
        score : str, optional
            Name of the column of scores, if the new rows are a table beyond memory.

        Returns
        -------
        RocEvaluation
            The evaluation of the new rows: `band`, `operating_point`, `auc`, `ideal_auc_range`,
            `youden`, pictures and pages; `labels` are -1 where none has come. What is computed from
            labels is a ValueError. `with_prevalence` gives it with another share.

        Raises
        ------
        TypeError, ValueError
            If there are fewer than 20 new rows, all their scores lie outside those of the labelled
            rows, or rows of one label alone are expected; `prevalence` is not a number in (0, 1);
            `y` has other labels, another length or no gap; this evaluation has rows with weights,
            of people, with a time or without labels, or no single classifier.
        """
        known = partial(getattr, self, "_learned")
        parts = unlabelled(self, known, X_or_scores, y, prevalence, score)
        return type(self)(self.classes, *parts)

    @property
    def told_share(self) -> tuple[float | None] | None:
        """The share of positives that was told of rows without labels; None if rows have some."""
        curve = self._curve
        return (curve.prevalence,) if isinstance(curve, UnlabelledCurve) else None

    @cached_property
    def _learned(self) -> Learned:
        """The posterior of the risk at a score from these rows, made once."""
        return Learned.of(self._observed)

    def with_prevalence(self, prevalence: float | None) -> Self:
        """Evaluation of the same rows without labels with another share of positives.

        Parameters
        ----------
        prevalence : float, optional
            As in `unlabelled`.

        Returns
        -------
        RocEvaluation
            Itself where that is its share.

        Raises
        ------
        TypeError, ValueError
            If `prevalence` is not a number in (0, 1), or the rows have labels.
        """
        if not isinstance(self._curve, UnlabelledCurve):
            raise ValueError(
                "with_prevalence: found rows with labels, whose share of positives is known, "
                "expected rows without, as unlabelled gives them"
            )
        curve = self._curve.with_prevalence(prevalence)
        return self if curve is self._curve else replace(self, _curve=curve)

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
        other_limits = self._sources.recalibrated
        if other_limits is not None:
            other_limits = replace(other_limits, observed=observed)
        return replace(
            self,
            _curve=replace(self._curve, observed=observed),
            _sources=self._sources._replace(recalibrated=other_limits),
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
        reference: ScoreReferenceName | None = None,
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
                _sources=made._sources._replace(margins=bool(always), recalibrated=None),
            )

        return folds_of(make, cv_results, X, y, sample_weight, groups, pos_label)
