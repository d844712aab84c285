"""Declares `RocEvaluation`: a test set with calibration residuals.

A residual is ``logit pi~ - logit p``. The reference ``pi~`` is the estimate of the true probability
of a calibration point, and p is the classifier's score.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import WholeScores
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
    """The scores of a classifier on a test set, with the residuals of a calibration set.

    An evaluation does not depend on alpha. Scores and residuals are sorted on first use, so that
    results at another alpha are quick. `at` returns all results at one alpha.
    `ConformalROC.evaluate` and `RocEvaluation.from_predictions` make evaluations. If a test set
    does not fit into memory, `RocEvaluation.from_table` does.

    Attributes
    ----------
    scores : ndarray of shape (n_test,)
        Scores in the order of the test set. They are probabilities of the positive class.
    labels : ndarray of shape (n_test,)
        1 for the positive class, 0 for the other.
    classes : tuple of two
        The names of label 0 and of label 1 in the data.
    residuals : dict of int to ndarray
        Label -> ascending calibration residuals, which make the band. They are ``logit pi~ - logit
        p``. For ``guarantee="curve"`` they are differences between the two sorted lists of logits.
    quantile_rule : str
        The rule by which two order statistics of the residuals are taken. See
        `conformal_quantiles`.
    guarantee : {"individual", "curve", "simultaneous", "everywhere", "credible"}
        What the limits of `band`, `operating_point`, `auc` and `youden` are calibrated for: the
        probability of each point, the curve at a random threshold or, at every threshold at once,
        an ideal recalibration of the score or the ideal model. `intervals` are for each point and,
        with ``"simultaneous"``, for all points together. See `with_guarantee`.
    promise : Promise
        What the limits of `band` and `operating_point` cover. Its guarantee contains
        ``{confidence}`` in place of the number.
    counts : ndarray of shape (n_test,) or None
        After `from_table`, the number of test points with each score. None if each score is one
        test point.
    """

    def __new__(cls, *given: Any, **_fields: Any) -> Self:
        """Makes an evaluation from its fields, for this package.

        If a user calls the class itself, the error names the class methods to call.
        """
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
        """Evaluates ``from_predictions(y, score)`` from scores alone, or with calibration rows.

        Two arrays are the labels and scores of rows that the classifier has not seen. By keyword
        they are ``from_predictions(y_test=y, score_test=score)``. The rows are the test set, and
        the limits are computed from them too. They are those of `calibration_band` at the same
        scores, and hold at every threshold at once.

        Four arrays are the labels and scores of calibration rows, then those of test rows. From
        scores alone, the true probability of a point cannot be estimated, but ``P(y = 1 | score)``
        can. So the limits are for an ideal recalibration of the score. The reference ``pi~`` is a
        posterior of a smooth function of the score's logit. In our study its limits cover .90 or
        more at a nominal .95. With ``reference="kernel"`` it is the paper's (eq. tilde_pi), in
        which each calibration point is left out of its own estimate. Its limits cover .53 to .97.
        Both references need logits, so scores must be probabilities. See `notes` and the guide to
        comparing bands. With ``guarantee="simultaneous"`` no reference is needed. The limits are
        those of `calibration_band` at the test scores.

        Parameters
        ----------
        y_calibration : array_like of shape (n_ca,)
            Labels of the calibration set, of two classes. If only two arrays are given, labels of
            the test set.
        score_calibration : array_like of shape (n_ca,)
            Scores of the same rows, higher for the positive class. The classifier must not have
            been trained on these rows. If some are outside [0, 1], they are not probabilities
            (`score_kind` is ``"score"``). Thresholds are then in their unit, methods that need
            risks raise an error, and the guarantee is ``"simultaneous"``, which uses only their
            order. A limit is then for an ideal recalibration, whose threshold is the recalibrated
            value of the lowest score predicted positive. The limit holds whether or not the scores
            that get the same recalibrated value are predicted positive.
        y_test, score_test : array_like of shape (n_test,), optional
            Labels and scores of the test set. With ``"individual"`` they must be other rows than
            the calibration rows. If they are given alone, this is the form with two arrays.
        quantile_rule : {"paper", "split"}
            The rule by which two order statistics of the residuals are taken.
        bandwidth : str, float or array_like of shape (1,)
            Bandwidth of the kernel on the logit scale. See `kernel_logit`.
        guarantee : {"individual", "simultaneous"}, optional
            ``"individual"``, the default with calibration rows, is the paper's. It holds in large
            samples if the reference is close to the truth. ``"simultaneous"``, the only one with
            two arrays, is for an ideal recalibration of this score at every threshold at once. It
            holds for every sample size if a higher score never means a lower probability.
        reference : {"kernel", "sharp"}, optional
            Reference of the individual guarantee. By default ``"sharp"`` or, if calibration rows
            have weights or belong to people, or if a bandwidth is given, ``"kernel"``.
        pos_label : label, optional
            The positive class. Scores are its probabilities. By default the second in sorted order.
        sample_weight : array_like of shape (n,), optional
            The same as `sample_weight_test`, if only two arrays are given.
        sample_weight_calibration : array_like of shape (n_ca,) or callable, optional
            Likelihood ratios of the test points' distribution to the calibration points', or a
            function of scores that returns them, which is also called for the test scores. If they
            are an array, the weight of a test point is unknown, and the largest one of its label is
            used. If a label has no limits, a note says so. If all rows of a label have the same
            weight, limits are adjusted to the distribution of the weighted rows. Otherwise weights
            must not depend on the label: they weight the residuals and not the reference, which is
            right for covariate shift. If the ratio depends on more than the score, the reference is
            not that of the test points.
        sample_weight_test : array_like of shape (n_test,), optional
            Weights of the test rows in curves, rates and areas. Rows of weight 0 are left out.
            Equal weights change nothing. A whole number as weight counts as that many rows.
        groups_calibration : array_like of shape (n_ca,), optional
            The person that each calibration row belongs to. Limits hold for a row of a new person.
        groups_test : array_like of shape (n_test,), optional
            The person that each test row belongs to. None of these people may have calibration
            rows. If somebody has several rows, there is no `reliability`, whose bounds count
            independent rows. If only two arrays are given, the limits come from one row of each
            person, drawn without using labels.
        horizon : float, optional
            Only if both `y` hold times with events (structured arrays or frames, as in
            `ConformalROC`): the time by which an event must happen to count as label 1. Scores are
            ``P(T <= horizon | x)``. The probability that a row is still followed is the
            Kaplan-Meier estimate of the calibration set. The reference is then a person-period
            posterior of the score's logit, whatever `reference` and `bandwidth` are. The guarantee
            is ``"individual"``. Weights, groups and `pos_label` are not accepted.
        time_unit : str
            Name of the unit of the times in sentences, such as ``"days"``.

        Returns
        -------
        RocEvaluation
            The evaluation.

        Raises
        ------
        TypeError, ValueError
            If scores are not finite numbers, or are not probabilities although the guarantee uses
            their logits; if labels are not two classes that both occur in each set; if lengths
            differ; if the calibration scores other than 0 and 1 have fewer than two distinct values
            (they are then probably labels); if the guarantee is not one of these; if, for
            ``"individual"``, the test rows are the calibration rows; or if `pos_label` is not one
            of the labels.
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
        whole = WholeScores.of(given[1], given[3])
        # Integers that are too large for floats are replaced by floats. Those of both sets are
        # replaced together, so that their common order is kept.
        if whole is not None:
            given = given[0], whole.placed(given[1]), given[2], whole.placed(given[3])
        calibration = ScoreCalibration.of(
            *(*given[:2], bandwidth, quantile_rule, asked, pos_label, reference),
            *(sample_weight_calibration, groups_calibration),
            any_size=any_size,
        )
        refuse_shared_groups(groups_calibration, groups_test, y_test=y_test)
        observed = calibration.test_points(*given[2:], sample_weight_test, groups_test, whole)
        if asked == "individual":
            refuse_own_rows(*given)
        return cls(
            *calibration.evaluated(observed, groups_test),
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
        """Evaluates scores of a test set that need not fit into memory.

        The table is read once, by its own engine, into counts in narrow bins of the score. For each
        bin, the number of points and the smallest and largest score are kept. So a score stays
        exact if all scores in its bin are equal, and so do scores of exactly 0 and 1. The
        evaluation's `error` is the largest error of a rate or limit.

        Parameters
        ----------
        source : path-like or data frame
            A Parquet file, or a pattern such as ``"scores/*.parquet"``. Or a frame that narwhals
            knows: pandas, polars (eager or lazy), pyarrow, a DuckDB relation, PySpark. Or a Dask
            frame, whose partitions are counted where they are: its workers need this package too.
        score, label : str
            Names of its columns: probabilities of the positive class in [0, 1], and labels of the
            two classes of `y_calibration`.
        y_calibration, score_calibration, quantile_rule, bandwidth, guarantee, reference, pos_label
            See `from_predictions`.
        weight : str, optional
            Name of a column of weights of the rows, each at least 0. Rows of weight 0 count as
            absent. If weights are unequal, limits for an ideal model guarantee nothing, because the
            weights of calibration rows are unknown.

        Returns
        -------
        RocEvaluation
            The evaluation. Its `scores` and `labels` are those of the bins, ascending within each
            label, and `counts` are their numbers of test points. `merged` joins the evaluations of
            parts of a test set.

        Raises
        ------
        TypeError, ValueError
            As in `from_predictions`, and if `source` is of another type or lacks a column, if a
            score is missing or not a probability, if a label is missing or not one of the two
            classes, or if a class has no row.
        ImportError
            If a Parquet file is to be read, and neither polars, DuckDB nor pyarrow is installed.
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
        """Evaluates new rows without labels, with limits of the rates that their labels may show.

        The assumption is that a score means the same risk in the new rows as in this evaluation's
        rows. A posterior of the risk at each score gives each new row its expected share of both
        labels, and so the expected curve. The limits are for the rates that the labels of the new
        rows will show, for both rates at every threshold at once. They include what the labelled
        rows leave open about the risks, and the randomness of the labels.

        Parameters
        ----------
        X_or_scores : array_like, data frame or path
            Features of the new rows, which the classifier scores, if this evaluation was made from
            features. Otherwise their scores. With `score`, a table as in `from_table`.
        y : array_like of shape (n_new,), optional
            Labels that are already known. All other rows have NaN, None or a masked value. `notes`
            say whether the known labels agree with the expected ones.
        prevalence : float, optional
            Share of positives where the new rows come from, which scores cannot show. By default
            that of the labelled rows. If it differs, ``logit(prevalence) - logit(share of the
            labelled rows)`` is added to the log-odds of each risk.
        score : str, optional
            Name of the column of scores, if the new rows are a table that does not fit into memory.

        Returns
        -------
        RocEvaluation
            The evaluation of the new rows. It has `band`, `operating_point`, `auc`,
            `ideal_auc_range`, `youden`, pictures and pages. Unknown `labels` are -1. Methods that
            need labels raise a ValueError. `with_prevalence` changes the share of positives.

        Raises
        ------
        TypeError, ValueError
            If there are fewer than 20 new rows, if all their scores are outside those of the
            labelled rows, or if only rows of one label are expected; if `prevalence` is not a
            number in (0, 1); if `y` has other labels, another length or no missing label; or if
            this evaluation has no single classifier, or has rows with weights, people or times, or
            without labels.
        """
        known = partial(getattr, self, "_learned")
        parts = unlabelled(self, known, X_or_scores, y, prevalence, score)
        return type(self)(self.classes, *parts)

    @property
    def told_share(self) -> tuple[float | None] | None:
        """The share of positives that the user gave for rows without labels, in a tuple.

        If the user gave none, the share in the tuple is None. If rows have labels, None replaces
        the tuple.
        """
        curve = self._curve
        return (curve.prevalence,) if isinstance(curve, UnlabelledCurve) else None

    @cached_property
    def _learned(self) -> Learned:
        """The posterior of ``P(y = 1 | score)`` given these labelled rows, cached."""
        return Learned.of(self._observed)

    def with_prevalence(self, prevalence: float | None) -> Self:
        """Returns the evaluation of the same rows without labels at another share of positives.

        Parameters
        ----------
        prevalence : float, optional
            See `unlabelled`.

        Returns
        -------
        RocEvaluation
            The evaluation. If this is its share of positives already, it is the same object.

        Raises
        ------
        TypeError, ValueError
            If `prevalence` is not a number in (0, 1), or if the rows have labels.
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
        """Evaluates known calibration residuals, such as those in a page.

        In a page without a kernel, "Copy as Python" writes a call of this method.

        Parameters
        ----------
        residuals : mapping of two labels to array_like
            Label -> residuals ``logit pi~ - logit p`` of its calibration points. The second label
            is the positive one.
        y_test, score_test : array_like of shape (n_test,)
            Labels of the test set, and probabilities of the positive one.
        quantile_rule : {"paper", "split"}
            The rule by which two order statistics of the residuals are taken.

        Returns
        -------
        RocEvaluation
            The evaluation. Only the residuals of the reference are known, so it has no
            `ideal_curve` and no `support`.

        Raises
        ------
        TypeError, ValueError
            If `residuals` are not those of two labels or contain NaN, if other labels occur, if
            scores are not probabilities, if lengths differ, or if the rule is unknown.
        """
        known = evaluated_residuals(residuals, y_test, score_test, quantile_rule)
        return cls(*known, Sources(remade=True))

    def merged(self, other: RocEvaluation) -> Self:
        """Joins the evaluations of two test sets that were both made by `from_table`.

        The result is the same as if both tables had been one table.

        Parameters
        ----------
        other : RocEvaluation
            Evaluation of the other test set, made with the same calibration set.

        Returns
        -------
        RocEvaluation
            The evaluation.

        Raises
        ------
        TypeError
            If one of the two evaluations was not made by `from_table`.
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
        """Evaluates a cross-validation, one evaluation for each fold.

        The band of a fold is that of `from_predictions`, calibrated by the out-of-fold scores of
        all other folds.

        Parameters
        ----------
        cv_results : dict
            Result of `sklearn.model_selection.cross_validate` with ``return_estimator=True`` and
            ``return_indices=True``.
        X, y : array_like of shape (n, d) and (n,)
            The data of the cross-validation.
        sample_weight : array_like of shape (n,), optional
            Weights of the rows, as test rows and as calibration rows.
        groups : array_like of shape (n,), optional
            The person that each row belongs to. Nobody may have training and test rows in the same
            fold.
        pos_label : label, optional
            The positive class. By default the second in sorted order.
        guarantee, reference
            See `from_predictions`.

        Returns
        -------
        Folds
            Fold -> RocEvaluation, with the pooled curve and the mean area.

        Raises
        ------
        TypeError, ValueError
            If `cv_results` lacks classifiers or indices, if a row is in two test folds, if a fold
            has only one class, or if somebody has training and test rows in the same fold.
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
