"""Declares `ConformalROC`, a scikit-learn estimator that fits, predicts intervals and evaluates.

Its methods check arguments. The packages `calibration` and `evaluation` do the computing. The
reference is the estimate ``pi~`` of the true probability ``pi = P(y = 1 | x)``.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import fields
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

from .arrays import Floats, has_time, place_of, positive_place, shortened
from .checks import yes_or_no
from .choices import GuaranteeName
from .names import Leads, LeadsFromClass, passed_on


class ConformalROC(Leads, Parameters, BaseEstimator, metaclass=LeadsFromClass):  # type: ignore[misc]
    """ROC evaluation of a classifier with conformal confidence bands.

    Parameters
    ----------
    estimator : object
        scikit-learn classifier ``p_n``. It is cloned and trained. If it is trained already, wrap it
        in `sklearn.frozen.FrozenEstimator`. Such a classifier must not have seen the calibration
        part.
    reference : {"auto", "kernel", "score", "sharp", "learned"}, classifier or callable
        Estimate ``pi~`` of the true probability. ``"kernel"`` is eq. (tilde_pi) on the training
        part. ``"score"`` is the kernel on ``L_p`` alone, leave-one-out over the calibration part.
        ``"sharp"`` is a posterior of ``logit pi`` from the features of both parts, for a smooth
        ``logit pi`` (`conformal_roc_widget.calibration.references.posterior`). ``"learned"`` is a
        posterior for any table (`conformal_roc_widget.calibration.references.learned`). A
        scikit-learn classifier is trained on the training part. A callable ``X -> P(y = 1 | x)`` is
        the oracle of Proposition 2.1. If there are more than two classes, it returns a column for
        each. ``"auto"`` chooses by the shape of the data, and not by results. For up to five
        numeric features without missing values it is ``"sharp"`` or, with `neighbors`, the kernel.
        For other tables, and if rows have weights or groups, it is ``"learned"``. If a label has
        fewer than 20 points or people, the kernel replaces ``"learned"``. If ``center="kernel"``, a
        bandwidth or ``resplits="per-instance"`` needs a kernel, it is the kernel.
    encoder : {"auto"}, transformer or None
        How references and distances get numbers from features. The classifier gets `X` as it is.
        With ``"auto"``, a table of numbers without missing values is used as it is, and any other
        table is encoded (`conformal_roc_widget.tables.encoder`). A scikit-learn transformer is
        fitted to the training part, without labels. With None, features that are not numbers raise
        an error. References that use no features (a score, a classifier, a callable) need no
        numbers.
    bandwidth : {"silverman", "scott", "cv"}, float or array_like
        Bandwidth of the kernel. See `kernel_logit`. ``"sharp"`` has none.
    calibration_size : float or int
        Share (or number) of the points given to ``fit`` that become the calibration part.
    calibration : {"split", "cross"}
        With ``"cross"`` all points train and calibrate
        (`conformal_roc_widget.calibration.cross_conformal`).
    neighbors : int or None
        Number N of neighbours of Algorithm 2, counting both labels. None is Algorithm 1.
    distance : str, callable or array_like of shape (d,) or (d, k)
        The distance of Algorithm 2. ``"standardized"`` is the Euclidean distance of features
        divided by their standard deviations in the training part. ``"score"`` is
        ``|L_p(x_i) - L_p(x_j)|``. With an array it is the Euclidean distance of ``X @ distance``.
        Otherwise it is a metric of scikit-learn's ``NearestNeighbors``.
    center : {"classifier", "kernel", "learned"} or classifier
        Centre of the intervals. ``"classifier"`` is ``L_p``. ``"kernel"`` is ``L_pi~``, as
        Algorithm 2 is printed, which does not cover. Otherwise it is the logit of a second model,
        trained on the training part. ``"learned"`` is a stack of three learners. If ``pi`` can be
        learned from the features, a second model gives shorter intervals
        (`conformal_roc_widget.calibration.centres`).
    recenter : bool
        Whether to add the median residual of both labels to the classifier's logit. With
        `neighbors`, it is the median in the neighbourhood. This is the paper's method for shifted
        data. Intervals do not change.
    resplits : int or "per-instance"
        Number of random splits. Each test point belongs to one of them. With ``"per-instance"``
        each test point has its own split, a variant of Algorithm 1 in the paper.
    quantile_rule : {"paper", "split"}
        The rule that picks the two order statistics of the residuals. See `conformal_quantiles`.
    random_state : int, RandomState or None
        Seed of the splits, and of estimators whose own ``random_state`` is None.
    n_jobs : int or None
        joblib's ``n_jobs``, for repeated splits and the models of the reference ``"learned"``.
    progress : bool
        Whether repeated splits, and ``"learned"`` on a large table, show a progress bar.
    horizons : float or sequence of float, optional
        Only if `y` holds times with events: the times by which an event must happen to count as
        label 1, above 0 and in the unit of the times. The estimator is then one of three. It has
        ``predict_survival_function(X)``, which returns functions of time or, with ``times=``, a
        frame (an estimator without ``get_params`` must be fitted). Or it is a classifier, which is
        trained for each horizon on the rows whose outcome is known, with their weights. Or it is a
        callable ``(X, t) -> P(T <= t | x)``, which counts as fitted. The reference ``"auto"`` is
        then a person-period posterior (`conformal_roc_widget.calibration.followed.learned_risk`). A
        callable `reference` ``(X, t)`` is the truth.
    censoring : {"marginal", "features"} or callable
        Estimate of the probability that a row is still followed at a time. Rows with a known
        outcome are weighted by its inverse. ``"marginal"`` is Kaplan-Meier on the training part,
        ``"features"`` a Cox model of the censoring times there, and a callable is ``(X, times) ->
        P(C >= time | x)``.
    time_unit : str
        Name of the unit of the times in sentences, such as ``"days"``.
    pos_label : label, optional
        The positive class of `evaluate`, unless that call names another one.

    Attributes
    ----------
    estimator_ : object
        Trained classifier. With repeated splits, a list of them.
    classes_ : ndarray of shape (k,)
        Sorted classes. If there are two, the second is the positive one.
    reference_ : str
        The reference that was used: its name, or the text of the object given.
    residuals_ : dict
        Class -> ascending calibration residuals ``logit pi~ - logit p``. If there are more than two
        classes, class -> a pair for ``pi_l``: residuals of the rest, residuals of the class. With
        repeated splits it is a list of such dicts. With ``"per-instance"`` it is empty, because
        splits are made only for test points.
    n_calibration_ : dict
        The numbers of residuals in `residuals_`, in the same form.
    """

    #: Arguments of `fit` whose rows are not those of X. A meta-estimator, such as a
    #: cross-validation, must not split or pass them on.
    __metadata_request__fit: ClassVar = dict.fromkeys(("X_calibration", "y_calibration"), UNUSED)

    __init__ = Parameters.__init__  # if a method called it, errors would not name this class

    def __sklearn_tags__(self) -> Any:
        """Returns the tags of the wrapped estimator, because X may be anything that it accepts."""
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
        """Trains on one part, and takes residuals on the other (Algorithm 1, lines 1 and 3).

        Parameters
        ----------
        X : array_like, data frame or sparse matrix of shape (n, d), or n texts
            Features: any table that the estimator accepts. With ``encoder=None``, finite numbers of
            at most 1e100 in absolute value.
        y : array_like of shape (n,)
            Labels of two classes or more.
        X_calibration, y_calibration : array_like, optional
            The calibration part. If it is given, all of `X` is the training part. By default it is
            a random part of `X`, as in the paper.
        sample_weight : array_like of shape (n,), optional
            Passed to the estimator's ``fit``. With scikit-learn's metadata routing it is passed to
            the estimators that request it.
        sample_weight_calibration : array_like of shape (n,) or callable, optional
            Likelihood ratios of the test points' distribution to that of the calibration points.
            They are an array with a ratio for each row of `X_calibration` (of `X` if it is split),
            or a function that returns the ratios of the rows of a table. The function is also
            called with the test points. The order statistics of the residuals are then weighted. If
            a single row of a label has too large a share of the weight, the label has no limits.
            The weights are not used for the reference. They correct for covariate shift. If they
            depend on the label, they are wrong.
        groups, groups_calibration : array_like of shape (n,), optional
            The person that each row of `X` and of `X_calibration` belongs to. A split never divides
            the rows of a person, and limits hold for a row of a new person.
        sensitive_features, sensitive_features_calibration : array_like or frame, optional
            Populations of the rows, for `evaluate_by`. Several columns are crossed.
        **fit_params
            Further arguments of the estimator's ``fit``, such as ``step__sample_weight`` of a
            Pipeline. If one has a value for each row of `X`, the values of the training part are
            passed. With metadata routing, these arguments and `groups` go to the estimators that
            request them.

        Returns
        -------
        ConformalROC
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is not of the form above. The message names it. The
            results of an earlier fit are kept.
        """
        facts = RowFacts(
            *(sample_weight, sample_weight_calibration, groups, groups_calibration),
            *(sensitive_features, sensitive_features_calibration),
            fit_params=fit_params,
        )
        given = X_calibration, y_calibration
        fitted = copy.copy(self)
        with passed_on(type(self).fit, fit_params):
            if fit_params and isinstance(self.estimator, FrozenEstimator):
                # A frozen estimator would silently ignore any argument, even a misspelt one.
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
        # With several splits, each attribute is a list with an item for each split.
        fitted.estimator_, fitted.residuals_, fitted.n_calibration_ = (
            (of[0] if self.resplits == 1 else of) for of in (estimators, residuals, counts)
        )
        self.__dict__ = fitted.__dict__
        return self

    def _take_timed(self, made: TimedCalibration) -> None:
        """Sets the fitted attributes if `y` holds times with events.

        If there are several horizons, `residuals_` and `n_calibration_` are keyed by horizon.
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
        """Tells which arguments `fit` takes besides X and y, and which estimators get them.

        See scikit-learn's user guide.

        Returns
        -------
        sklearn.utils.metadata_routing.MetadataRouter
            The router. This estimator requests groups, weights and populations. The classifier has
            its own requests.
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
        """Computes the interval ``CI(x, alpha; y = label)`` for the true probability (Theorem 3.1).

        Parameters
        ----------
        X : array_like, data frame or sparse matrix of shape (n, d), or n texts
            Features of the points.
        label : object
            One of `classes_`: the label that the interval is conditional on.
        alpha : float
            Significance level in (0, 1).
        given : bool
            Only for more than two classes: whether the interval for ``pi_label`` is given ``y =
            label`` or, if False, given ``y != label``.
        horizon : float, optional
            Only if `y` has times: one of `horizons`. None stands for the only one. Label 1 is an
            event by the horizon, and the interval is for ``P(T <= horizon | x)``.

        Returns
        -------
        lower, upper : ndarray of shape (n,)
            Probabilities of the positive class or, for more than two classes, of `label`.

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
        """Evaluates the ROC curve on a test set (Algorithms 1 to 3).

        Parameters
        ----------
        X_test : array_like, data frame or sparse matrix of shape (n_test, d), or n_test texts
            Test features, with the columns of the fit.
        y_test : array_like of shape (n_test,)
            Test labels.
        label : object, optional
            Only for more than two classes: the class that counts as positive. If `y` has times, it
            may be the horizon.
        pos_label : label, optional
            The same as `label`, under scikit-learn's name. By default the second of two classes in
            sorted order is positive. Scores are the probabilities of the positive class.
        guarantee : {"individual", "curve", "simultaneous", "everywhere", "credible"}, optional
            What the limits of the band are calibrated for. ``"individual"``, the default, is the
            paper's: the probability of each point. Such a band covers the curve more often than the
            level says. ``"curve"`` is the curve at a random threshold, with a narrower band
            (`conformal_roc_widget.calibration.curve_residuals`). With the references ``"kernel"``
            and ``"sharp"`` it assumes that ``logit pi`` is smooth, with ``"learned"`` that ``pi``
            can be learned, and with a callable that this is the truth. ``"simultaneous"``, with the
            reference ``"score"``, is an ideal recalibration of the score at every threshold at
            once. It holds for every sample size if a higher score never means a lower probability
            (`calibration_band`). ``"everywhere"`` is the ideal model at every threshold from .005
            to .995 at once, so the threshold may be picked by looking
            (`conformal_roc_widget.calibration.rank_envelope`). ``"credible"`` is the ideal model at
            one threshold, on average, if ``pi`` can be learned from the features. Its limits come
            from posterior draws. They are far narrower, and not conformal
            (`conformal_roc_widget.evaluation.credible`).
        sample_weight : array_like of shape (n_test,), optional
            Weights of the test rows in curves, rates and areas. Rows of weight 0 are left out.
            Equal weights change nothing. A whole number as weight counts as that many rows.
        groups : array_like of shape (n_test,), optional
            The person that each test row belongs to. Nobody of the fit may be among them. If
            somebody has several rows, only the guarantee ``"individual"`` is possible.
        horizon : float, optional
            Only if `y` has times: one of `horizons`. None stands for the only one. Test rows are
            weighted by the censoring that was estimated from the training part.

        Returns
        -------
        RocEvaluation
            The evaluation. Its methods return bands and figures at any alpha.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        TypeError, ValueError
            If an argument is not of the form above, if the test set lacks rows of the class or of
            the other classes, if a part of a new split lacks a class (``resplits="per-instance"``),
            or if the guarantee is impossible here.
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
        at = positive_place(label, pos_label, self.classes_.tolist())
        if at is None and self.classes_.size > 2:
            raise ValueError(
                f"label: found None for {self.classes_.size} classes, "
                f"expected one of {shortened(self.classes_.tolist())}"
            )
        at = self.classes_.size - 1 if at is None else at
        test, weights = made.test_table(X_test, y_test, sample_weight, groups=groups)
        refuse_one_side(test.codes == at, self.classes_.tolist()[at])
        labels = {at: (test.codes == at).astype(np.int8)}
        return evaluations_of(
            *(made, test.points, labels, guarantee), sample_weight=weights, people=test.people
        )[0]

    def evaluate_all(
        self, X_test: Any, y_test: ArrayLike, *, guarantee: GuaranteeName | None = None
    ) -> Mapping[Any, RocEvaluation]:
        """Evaluates each class against the rest (Algorithm 3), or each horizon.

        Parameters
        ----------
        X_test, y_test : array_like
            See `evaluate`.
        guarantee : {"individual", "curve", "simultaneous", "everywhere", "credible"}, optional
            See `evaluate`.

        Returns
        -------
        dict or Horizons
            Class -> RocEvaluation. If `y` has times, horizon -> RocEvaluation. A class without rows
            in the test set is left out, and the `notes` of the others say so.
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
        """Evaluates each population, with its own residuals (Mondrian).

        Parameters
        ----------
        X_test, y_test : array_like
            See `evaluate`.
        sensitive_features : array_like or frame of shape (n_test,) or (n_test, c)
            Populations of the test rows, named as in ``fit``. Several columns are crossed.
        label, pos_label, sample_weight, groups
            See `evaluate`.

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
            As in `evaluate`, and if `fit` was called without populations, or if a population has
            only one label.
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
        # A subclass may have other parameters, so only those of `Parameters` are read.
        given = Parameters(**{each.name: getattr(self, each.name) for each in fields(Parameters)})
        check_unused(given)
        return given

    @overload
    def _calibrated(self) -> Calibration: ...

    @overload
    def _calibrated(self, *, timed: bool) -> Calibration | TimedCalibration: ...

    def _calibrated(self, *, timed: bool = False) -> Calibration | TimedCalibration:
        """Returns the fitted calibration with the current parameters, which may have changed.

        If `y` had times and `timed` is not set, raises.
        """
        check_is_fitted(self, "splits_")
        made = self._calibration
        if isinstance(made, TimedCalibration) and not timed:
            raise ValueError(
                "y: found a time in the fit, expected labels: populations have no theory for rows "
                "that represent lost rows"
            )
        return made.with_parameters(self._parameters())

    def _class_index(self, label: Any) -> int:
        return place_of(label, "label", self.classes_.tolist())


def _refuse_horizon(horizon: Any) -> None:
    if horizon is not None:
        raise ValueError(
            f"horizon: found {horizon!r:.40} after a fit to labels without a time, expected None"
        )
