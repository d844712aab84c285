"""`ConformalROC`: fit, intervals, evaluation, each a call to a stage."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, ClassVar, Self, overload

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.frozen import FrozenEstimator
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import UNUSED, MetadataRouter, MethodMapping
from sklearn.utils.validation import check_is_fitted

from conformal_roc_widget.calibration.classifiers import has_tags
from conformal_roc_widget.calibration.fit import Calibration, RowFacts, calibrated
from conformal_roc_widget.calibration.followed.fit import TimedCalibration, timed_calibration
from conformal_roc_widget.calibration.parameters import Parameters, check_unused
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.evaluation.from_features import evaluations_of, refuse_one_side
from conformal_roc_widget.evaluation.horizons import Horizons, evaluation_at, timed_intervals
from conformal_roc_widget.evaluation.notes import absent_classes
from conformal_roc_widget.evaluation.populations import Populations, by_population
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.tables.calibration_rows import Ratio
from conformal_roc_widget.tables.event_times import refuse_with_time
from conformal_roc_widget.tables.points import Points, crossed_names

from .arrays import Floats, has_time, shortened
from .checks import yes_or_no
from .choices import GuaranteeName
from .names import Leads, LeadsFromClass, passed_on


class ConformalROC(Leads, Parameters, BaseEstimator, metaclass=LeadsFromClass):  # type: ignore[misc]
    """ROC evaluation of a classifier with conformal confidence bands.

    Parameters
    ----------
    estimator : object
        scikit-learn classifier ``p_n``. It is cloned and trained; wrap a classifier that is trained
        already in `sklearn.frozen.FrozenEstimator` (it must not have seen the calibration part).
    reference : {"auto", "kernel", "score", "sharp", "learned"}, classifier or callable
        Estimate ``pi~`` of the true probability: ``"kernel"`` is eq. (tilde_pi) on the training
        part; ``"score"`` is the kernel on ``L_p`` alone, leave-one-out over the calibration part;
        ``"sharp"`` is a posterior of ``logit pi`` from the features of both parts
        (`conformal_roc_widget.calibration.references.posterior`), where ``logit pi`` is smooth;
        ``"learned"`` is one that learns from any table
        (`conformal_roc_widget.calibration.references.learned`); a scikit-learn classifier is
        trained on the training part; a callable ``X -> P(y = 1 | x)`` is the oracle of Proposition
        2.1 (of more than two classes one column each). ``"auto"`` is ``"sharp"`` for up to five
        numeric features without missing values, or there the kernel where neighbours ask for it;
        of other tables, and where rows have weights or groups, ``"learned"``. It is the kernel
        where ``center="kernel"``, a bandwidth or ``resplits="per-instance"`` asks for it, and in
        the place of ``"learned"`` where a label has fewer than 20 points or people: the data's
        shape decides, not results.
    encoder : {"auto"}, transformer or None
        How references and distances get numbers from features; the classifier sees `X` as it is.
        ``"auto"`` takes complete numbers as they are, and encodes every other table
        (`conformal_roc_widget.tables.encoder`); a scikit-learn transformer is fitted to the
        training part, without labels; None refuses what is not numbers. References that look at no
        features (a score, a classifier, a callable) ask for none.
    bandwidth : {"silverman", "scott", "cv"}, float or array_like
        Of the kernel; see `kernel_logit`. ``"sharp"`` has none.
    calibration_size : float or int
        Share (or number) of the points given to ``fit`` that calibrate.
    calibration : {"split", "cross"}
        With ``"cross"`` all points train and calibrate
        (`conformal_roc_widget.calibration.cross_conformal`).
    neighbors : int or None
        Number N of neighbours of Algorithm 2, both labels counted; None is Algorithm 1.
    distance : str, callable or array_like of shape (d,) or (d, k)
        What near means for Algorithm 2: ``"standardized"`` is Euclidean on features over the
        training part's standard deviation, ``"score"`` is ``|L_p(x_i) - L_p(x_j)|``, an array is
        Euclidean between ``X @ distance``; otherwise a metric as scikit-learn's
        ``NearestNeighbors`` takes it.
    center : {"classifier", "kernel", "learned"} or classifier
        Centre of the intervals: ``L_p``; ``L_pi~`` as Algorithm 2 is printed, which does not cover;
        or the logit of a second model that the training part teaches (`"learned"`: three learners,
        stacked), which gives shorter intervals where the columns tell ``pi``
        (`conformal_roc_widget.calibration.centres`).
    recenter : bool
        Move the classifier's logit by the median residual over both labels (of the neighbourhood,
        where there is one): the paper's fix for shifted data. Intervals stay as they are.
    resplits : int or "per-instance"
        Number of random splits among which the test points are dealt, or one split a test point
        (the variant of Algorithm 1 in the paper).
    quantile_rule : {"paper", "split"}
        Which pair of order statistics; see `conformal_quantiles`.
    random_state : int, RandomState or None
        Of the splits, and of estimators whose own ``random_state`` is None.
    n_jobs : int or None
        Of joblib, for repeated splits and the models of the reference ``"learned"``.
    progress : bool
        Whether repeated splits, and ``"learned"`` on a large table, show a progress bar.
    horizons : float or sequence of float, optional
        Where `y` has a time: by when an event counts, above 0 in the unit of the times. The
        estimator then has ``predict_survival_function(X)`` (functions of time, or with ``times=`` a
        frame; one without ``get_params`` comes fitted), is a classifier, trained once a horizon on
        the rows that are known, with their weights, or a callable ``(X, t) -> P(T <= t | x)``,
        which counts as fitted. ``"auto"`` is then a person-period posterior
        (`conformal_roc_widget.calibration.followed.learned_risk`), and a callable `reference`
        ``(X, t)`` the truth.
    censoring : {"marginal", "features"} or callable
        How likely a row was still followed, of which a known row counts the inverse: Kaplan-Meier
        of the training part, a Cox model of the censoring times there, or a function
        ``(X, times) -> P(C >= time | x)``.
    time_unit : str
        What words call the unit of the times, such as ``"days"``.
    pos_label : label, optional
        The positive class of `evaluate`, where that is not told another one.

    Attributes
    ----------
    estimator_ : object
        Trained classifier; a list of them for repeated splits.
    classes_ : ndarray of shape (k,)
        Sorted classes; of two, the second is the positive one.
    reference_ : str
        The reference that was used: its name, or the text of the object given.
    residuals_ : dict
        Class -> ascending calibration residuals ``logit pi~ - logit p``. For more than two classes
        the pair (residuals of the rest, residuals of the class) for ``pi_l``. For repeated splits
        a list of such dicts; empty for ``"per-instance"``, which splits once test points are known.
    n_calibration_ : dict
        The same for numbers of residuals.
    """

    #: Names of data, which no meta-estimator is to split along with X.
    __metadata_request__fit: ClassVar = dict.fromkeys(("X_calibration", "y_calibration"), UNUSED)

    __init__ = Parameters.__init__  # called directly, so that its errors name this class

    def __sklearn_tags__(self) -> Any:
        """X may be whatever the estimator takes."""
        tags = super().__sklearn_tags__()
        if self.encoder is not None and has_tags(self.estimator):
            tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        *,
        X_calibration: Any = None,
        y_calibration: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        sample_weight_calibration: ArrayLike | Ratio | None = None,
        groups: ArrayLike | None = None,
        groups_calibration: ArrayLike | None = None,
        sensitive_features: Any = None,
        sensitive_features_calibration: Any = None,
        **fit_params: Any,
    ) -> Self:
        """Train on one part and take residuals on the other (Algorithm 1, lines 1 and 3).

        Parameters
        ----------
        X : array_like, data frame or sparse matrix of shape (n, d), or n texts
            Features: any table that the estimator takes. With ``encoder=None`` finite numbers of
            at most 1e100 in size.
        y : array_like of shape (n,)
            Labels of two classes or more.
        X_calibration, y_calibration : array_like, optional
            The calibration part. By default a random part of `X`, as in the paper; otherwise all of
            `X` trains.
        sample_weight : array_like of shape (n,), optional
            Passed to the estimator's ``fit``; with scikit-learn's metadata routing to whatever asks
            for it there.
        sample_weight_calibration : array_like of shape (n,) or callable, optional
            Likelihood ratios of the test points' law over that of the calibration points, one a row
            of `X_calibration` (of `X`, where that is split); or a function of such tables that
            gives them, asked for test points too. Residuals then have a weighted pair of order
            statistics; a label whose heaviest row is too large a share has no limits. They weigh
            residuals and not the reference: right for covariate shift, wrong where weights depend
            on the label.
        groups, groups_calibration : array_like of shape (n,), optional
            Whom each row of `X` and of `X_calibration` belongs to. Every split keeps people whole,
            and limits hold for a row of a new person.
        sensitive_features, sensitive_features_calibration : array_like or frame, optional
            Populations of the rows, for `evaluate_by`; several columns are crossed.
        **fit_params
            More for the estimator's ``fit``, such as ``step__sample_weight`` of a Pipeline. Where
            they have a row for each of `X`, those of the training part. With metadata routing these
            and `groups` go to whatever asks for them.

        Returns
        -------
        ConformalROC
            Itself.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is not of the form above; the message names it, and what
            was fitted before stays.
        """
        facts = RowFacts(
            weight=sample_weight,
            weight_calibration=sample_weight_calibration,
            groups=groups,
            groups_calibration=groups_calibration,
            sensitive=sensitive_features,
            sensitive_calibration=sensitive_features_calibration,
            fit_params=fit_params,
        )
        given = X_calibration, y_calibration
        fitted = copy.copy(self)
        with passed_on(type(self).fit, fit_params):
            if fit_params and isinstance(self.estimator, FrozenEstimator):
                # It would take any name and do nothing: a misspelt one would not be seen.
                name = next(iter(fit_params))
                raise TypeError(
                    f"fit: found the argument {name!r} with a FrozenEstimator, which "
                    "is fitted already, expected none"
                )
            if has_time(y):
                fitted._take_timed(timed_calibration(self._parameters(), (X, y), given, facts))
                self.__dict__ = fitted.__dict__
                return self
            made = calibrated(self._parameters(), (X, y), given, facts, self)
        fitted._calibration, fitted.splits_ = made, made.splits.fitted
        fitted.classes_, fitted.n_features_in_ = made.classes, made.method.columns.number
        fitted.reference_ = made.method.reference.text.strip("'")
        estimators = [split.estimator for split in made.splits.fitted]
        residuals = [split.residuals_by_class() for split in made.splits.fitted]
        counts = [
            {k: tuple(map(len, of)) if isinstance(of, tuple) else len(of) for k, of in each.items()}
            for each in residuals
        ]
        # If there is a single split, its attributes are no lists.
        fitted.estimator_, fitted.residuals_, fitted.n_calibration_ = (
            (of[0] if self.resplits == 1 else of) for of in (estimators, residuals, counts)
        )
        self.__dict__ = fitted.__dict__
        return self

    def _take_timed(self, made: TimedCalibration) -> None:
        """Sets the attributes of a fit to outcomes with a time.

        If there are several horizons, mappings.
        """
        self._calibration: Calibration | TimedCalibration = made
        self.splits_: list[Any] = []
        self.classes_, self.n_features_in_ = np.array([0, 1]), made.columns.number
        self.reference_, self.estimator_ = made.reference_text, made.risks.estimator
        residuals = {t: dict(enumerate(at.residuals)) for t, at in made.horizons.items()}
        counts = {t: {k: len(of) for k, of in each.items()} for t, each in residuals.items()}
        self.horizons_ = tuple(residuals)
        several = len(residuals) > 1
        (self.residuals_, self.n_calibration_) = (
            of if several else next(iter(of.values())) for of in (residuals, counts)
        )

    def get_metadata_routing(self) -> MetadataRouter:
        """Which arguments `fit` takes beside X and y, and who gets them.

        See scikit-learn's user guide.

        Returns
        -------
        sklearn.utils.metadata_routing.MetadataRouter
            This estimator asks for groups, weights and populations; the classifier for its own.
        """
        mapping = MethodMapping().add(caller="fit", callee="fit")
        router = MetadataRouter(owner=type(self).__name__).add_self_request(self)
        return router.add(estimator=self.estimator, method_mapping=mapping)

    def predict_interval(
        self,
        X: Any,
        label: Any,
        alpha: float = 0.05,
        *,
        given: bool = True,
        horizon: float | None = None,
    ) -> tuple[Floats, Floats]:
        """Interval ``CI(x, alpha; y = label)`` for the true probability (Theorem 3.1).

        Parameters
        ----------
        X : array_like, data frame or sparse matrix of shape (n, d), or n texts
            Points.
        label : object
            One of `classes_`: the label that the interval is conditional on.
        alpha : float
            Significance level in (0, 1).
        given : bool
            For more than two classes the interval is for ``pi_label``, given ``y = label``, or with
            False given ``y != label``.
        horizon : float, optional
            Where `y` has a time: one of `horizons`; None is the only one. Label 1 is "an event by
            then", and the interval one of ``P(T <= horizon | x)``.

        Returns
        -------
        lower, upper : ndarray of shape (n,)
            Probabilities of the positive class (of `label`, for more than two classes).

        Raises
        ------
        NotFittedError
            Before ``fit``.
        TypeError, ValueError
            If an argument is not of the form above, or a class is missing in a part of a new split.
        """
        made = self._calibrated(timed=True)
        exact_alpha(alpha)
        given = yes_or_no(given, "given")
        if isinstance(made, TimedCalibration):
            at = self._class_index(label)
            if not given:
                raise ValueError("given: found False for outcomes with a time, expected True")
            points = made.points(X, "X")
            return timed_intervals(made, points, at, made.chosen(horizon), alpha)
        _refuse_horizon(horizon)
        points = Points.of(X, "X", made.method.columns, made.method.encode_test)
        at = self._class_index(label)
        binary = self.classes_.size == 2
        column, code = (1, at) if binary else (at, int(given))
        if binary and not given:
            raise ValueError("given: found False for two classes, expected the other label instead")
        labels = np.full(len(points.array), code, dtype=np.int8)
        (evaluation,) = evaluations_of(made, points, {column: labels})
        return evaluation.intervals(alpha)

    def evaluate(
        self,
        X_test: Any,
        y_test: ArrayLike,
        label: Any = None,
        *,
        pos_label: Any = None,
        guarantee: GuaranteeName | None = None,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        horizon: float | None = None,
    ) -> RocEvaluation:
        """ROC evaluation on a test set (Algorithms 1 to 3).

        Parameters
        ----------
        X_test : array_like, data frame or sparse matrix of shape (n_test, d), or n_test texts
            Test features, with the columns of the fit.
        y_test : array_like of shape (n_test,)
            Test labels.
        label : object, optional
            For more than two classes, the class that is to count as positive. In this place the
            horizon may stand too, where `y` has a time.
        pos_label : label, optional
            The same under scikit-learn's name; by default the second of two classes in sorted
            order. Scores are the probabilities of that class.
        guarantee : {"individual", "curve", "simultaneous", "everywhere", "credible"}, optional
            What the band's limits are calibrated for. ``"individual"``, the default, is the
            paper's: each point's probability, which covers the curve more often than asked.
            ``"curve"`` is the curve at a random threshold and little more, for narrower bands
            (`conformal_roc_widget.calibration.curve_residuals`). It assumes that ``logit pi``
            is smooth, whichever of ``"kernel"`` and ``"sharp"`` is the reference, that ``pi`` can
            be learned with ``"learned"``, or that a callable is the truth. ``"simultaneous"``, with
            the reference ``"score"``, is an ideal recalibration of the score at every threshold at
            once, for every sample size, if a higher score never means a lower probability
            (`calibration_band`). ``"everywhere"`` is the ideal model at every threshold at once,
            from .005 to .995, also one that was picked
            (`conformal_roc_widget.calibration.rank_envelope`). ``"credible"`` is the ideal model at
            one threshold, on average, if ``pi`` can be learned from the features: candidates from
            posterior draws, far narrower, and not conformal
            (`conformal_roc_widget.evaluation.credible`).
        sample_weight : array_like of shape (n_test,), optional
            Weights of the test rows: curves, rates and areas count these. Rows of weight 0 are left
            out, equal weights change nothing, and a whole weight is the row repeated.
        groups : array_like of shape (n_test,), optional
            Whom each test row belongs to; refused where somebody was in the fit, and with another
            guarantee than ``"individual"`` where somebody has several rows.
        horizon : float, optional
            Where `y` has a time: one of `horizons`; None is the only one. Test rows count by the
            censoring of the training part.

        Returns
        -------
        RocEvaluation
            Scores, labels and residuals; ask it for a band at any alpha.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        TypeError, ValueError
            If an argument is not of the form above, the test set has no row of the class or none of
            the others or, with
            ``resplits="per-instance"``, in a part of a new split, or the model cannot give the
            guarantee.
        """
        made = self._calibrated(timed=True)
        if isinstance(made, TimedCalibration):
            given = {"pos_label": pos_label, "sample_weight": sample_weight, "groups": groups}
            if self.pos_label is not None:
                given["pos_label"] = self.pos_label
            if horizon is not None:
                given["label"] = label
            refuse_with_time(given)
            at_time = made.chosen(label if horizon is None else horizon)
            return evaluation_at(made, made.test_rows(X_test, y_test), at_time, guarantee)
        _refuse_horizon(horizon)
        made.method.check_guarantee(guarantee)
        if pos_label is None and label is None:
            pos_label = self.pos_label
        if pos_label is not None:
            if label is not None and label != pos_label:
                raise ValueError(
                    f"pos_label: found {pos_label!r:.40}, expected label's, {label!r:.40}"
                )
            label = self.classes_[self._class_index(pos_label, "pos_label")]
        if label is None and self.classes_.size > 2:
            raise ValueError(
                f"label: found None for {self.classes_.size} classes, "
                f"expected one of {shortened(self.classes_.tolist())}"
            )
        at = self.classes_.size - 1 if label is None else self._class_index(label)
        test, weights = made.test_table(X_test, y_test, sample_weight, groups=groups)
        refuse_one_side(test.codes == at, self.classes_.tolist()[at])
        labels = {at: (test.codes == at).astype(np.int8)}
        return evaluations_of(
            *(made, test.points, labels, guarantee), sample_weight=weights, people=test.people
        )[0]

    def evaluate_all(
        self, X_test: Any, y_test: ArrayLike, *, guarantee: GuaranteeName | None = None
    ) -> Mapping[Any, RocEvaluation]:
        """One evaluation a class, that class against the rest (Algorithm 3), or one a horizon.

        Parameters
        ----------
        X_test, y_test : array_like
            As in `evaluate`.
        guarantee : {"individual", "curve", "simultaneous", "everywhere", "credible"}, optional
            As in `evaluate`.

        Returns
        -------
        dict or Horizons
            Class -> RocEvaluation; where `y` has a time, horizon -> RocEvaluation. A class that the
            test set lacks is left out, and the `notes` of the others say so.
        """
        made = self._calibrated(timed=True)
        if isinstance(made, TimedCalibration):
            rows = made.test_rows(X_test, y_test)
            return Horizons({t: evaluation_at(made, rows, t, guarantee) for t in made.horizons})
        made.method.check_guarantee(guarantee)
        test, _ = made.test_table(X_test, y_test)
        present, remark = np.unique(test.codes).tolist(), None
        names = self.classes_.tolist()
        if len(present) < len(names):
            remark = absent_classes([name for l, name in enumerate(names) if l not in present])
        labels = {l: (test.codes == l).astype(np.int8) for l in present}
        evaluations = evaluations_of(made, test.points, labels, guarantee, remark=remark)
        return dict(zip([names[l] for l in present], evaluations, strict=True))

    def evaluate_by(
        self,
        X_test: Any,
        y_test: ArrayLike,
        sensitive_features: Any,
        label: Any = None,
        *,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Populations:
        """One evaluation a population, each with residuals of its own (Mondrian).

        Parameters
        ----------
        X_test, y_test : array_like
            As in `evaluate`.
        sensitive_features : array_like or frame of shape (n_test,) or (n_test, c)
            Populations of the test rows, as those given to ``fit``; several columns are crossed.
        label, pos_label, sample_weight, groups
            As in `evaluate`.

        Returns
        -------
        Populations
            Name -> RocEvaluation, with `overall` and `gap`. A population with too few calibration
            points has no limits.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        TypeError, ValueError
            As in `evaluate`; if the fit was told of no populations, or one has a single label.
        """
        made = self._calibrated()
        overall = self.evaluate(
            X_test, y_test, label, pos_label=pos_label, sample_weight=sample_weight, groups=groups
        )
        made.check_populations()
        test, weights = made.test_table(X_test, y_test, sample_weight, sensitive_features, groups)
        names, _ = crossed_names(sensitive_features, "sensitive_features")
        return by_population(made, test, names, weights, overall)

    def _parameters(self) -> Parameters:
        given = Parameters(**self.get_params(deep=False))
        check_unused(given)
        return given

    @overload
    def _calibrated(self) -> Calibration: ...

    @overload
    def _calibrated(self, *, timed: bool) -> Calibration | TimedCalibration: ...

    def _calibrated(self, *, timed: bool = False) -> Calibration | TimedCalibration:
        """The fitted calibration, with the parameters as they are now.

        `set_params` may have changed some after the fit.
        """
        check_is_fitted(self, "splits_")
        made = self._calibration
        if isinstance(made, TimedCalibration) and not timed:
            raise ValueError(
                "y: found a time in the fit, expected labels: populations have no theory for rows "
                "that stand for lost ones"
            )
        return made.with_parameters(self._parameters())

    def _class_index(self, label: Any, name: str = "label") -> int:
        known: list[Any] = self.classes_.tolist()
        if label not in known:
            raise ValueError(f"{name}: found {label!r}, expected one of {shortened(known)}")
        return known.index(label)


def _refuse_horizon(horizon: Any) -> None:
    if horizon is not None:
        raise ValueError(
            f"horizon: found {horizon!r:.40} after a fit to labels without a time, expected None"
        )
