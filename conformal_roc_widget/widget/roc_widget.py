"""Declares `ROCWidget`, with its class methods that train, evaluate and show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, Unpack

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.calibration.classifiers import kind_of
from conformal_roc_widget.calibration.parameters import GUARANTEES
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import one_of
from conformal_roc_widget.choices import KindName, ScoreReferenceName, WeightsName
from conformal_roc_widget.estimator import ConformalROC
from conformal_roc_widget.evaluation.from_classifier import own_evaluations
from conformal_roc_widget.evaluation.from_own_rows import check_own_guarantee, own_rows
from conformal_roc_widget.evaluation.horizons import Horizons
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.names import lists
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import HORIZONS, Group
from conformal_roc_widget.shown.opening import opened, opening_band, opening_guarantee
from conformal_roc_widget.tables.event_times import refuse_with_time

from .options import FIRST, FromEstimator, FromPredictions, OfModel, OfScores, Shown, part
from .synced import refuse_together
from .written import WrittenWidget


class ROCWidget(WrittenWidget):
    """A ROC curve with its conformal band and two sliders, for alpha and the threshold.

    Parameters
    ----------
    evaluation : RocEvaluation or mapping of label to RocEvaluation
        What to show. A mapping is one of five kinds: the classes of one test set, from
        `ConformalROC.evaluate_all`; populations, from `ConformalROC.evaluate_by`; folds; horizons,
        from `evaluate_all` if `y` has times; or several classifiers, with the same labels of rows.
    *more
        Not accepted. `from_predictions` and `from_estimator` take labels, scores and classifiers.
    kind : {"classifiers", "classes", "populations", "samples"}, optional
        What the evaluations of a mapping are, if its type does not tell. Samples have different
        rows, such as training and test rows, those of two years, or those of several draws of a
        simulation.
    name : str, optional
        Name of a single evaluation.
    alpha : float
        Significance level, from 0.001 to 0.5.
    threshold : float, optional
        Threshold of the operating point, from 0 to 1. By default 0.5. If scores are not
        probabilities, it is in their unit, and by default their median.
    band : {"sensitivity", "specificity", "both", "ideal", "sampling", "none"}
        Vertical band, horizontal band, or both. For one evaluation also ``"ideal"``, the credible
        band of the ideal model's own curve (`RocEvaluation.ideal_curve`), or ``"sampling"``, the
        band of the first of `comparators` (by default the bootstrap) for this classifier in the
        population. The default is ``"sampling"`` in three cases: for several classifiers, classes,
        populations or folds; if the test rows themselves make the limits; or if the conformal
        limits are 0 and 1 at half of the thresholds or more. Otherwise, and if `truth` is given, it
        is ``"sensitivity"``.
    label : str, int, float or bool, optional
        Key of the evaluation that is shown. By default all are shown together.
    weights : {"size", "uniform"}
        Weighting of the classes in their average. See `average_bands`.
    view : {"roc", "precision_recall", "reliability", "net_benefit"}
        View of one evaluation. If several are shown together, only ``"roc"`` is possible.
    prevalence : float, optional
        Share of positives where the classifier is used, between 0 and 1. By default that of the
        test set.
    cost_ratio : float, optional
        Cost of a miss divided by that of a false positive, above 0.
    guarantee : {"individual", "everywhere", "credible"}, optional
        What the limits are guaranteed for: a threshold drawn at random; every threshold at once, so
        that it may be picked by looking; or one threshold on average, if the true probability can
        be learned. By default it is the guarantee of the evaluation. If the user did not choose the
        evaluation's guarantee, it is ``"everywhere"``, provided that this is possible, and that
        `alpha` is at most 0.1 or a label lacks a limit. If the evaluation can have several
        guarantees, the page offers them. See `RocEvaluation.with_guarantee`.
    comparators : iterable of {"bootstrap", "simultaneous", "working_hotelling", "ks"}
        Bands of other methods, which are drawn over one evaluation. See
        `conformal_roc_widget.comparators`. ``"simultaneous"`` and ``"working_hotelling"`` need
        rocci. All are computed in the background, once for each evaluation, with 2000 replicates
        and a fixed seed. A new alpha needs no resampling. The Working-Hotelling band is computed
        from the logits of the scores.
    truth : array_like of shape (n_test,), optional
        True probability of the positive label at each test point, if it is known, as in simulated
        data. The ideal model's own sensitivity at each threshold is then drawn too, which shows
        whether the band contains it.
    page : dict, optional
        Settings that only the page has, as "Copy as Python" writes them. With ``{"reveal":
        False}``, for one evaluation, readers are to guess the limits from the curve first: pages,
        files and pictures contain neither truth nor limits until ``widget.page = {"reveal":
        True}``.
    zoom : bool
        Whether ROC curves show only their upper left corner, five times as large.
    horizon : float, optional
        Only if outcomes are times of events: the time by which an event must happen to count as
        label 1. It is one of the horizons that `ConformalROC.evaluate_all` has evaluated, by
        default the middle one.
    goal : mapping of one str to float, optional
        Goal for the population: the name of a rate of `RocEvaluation.threshold_for`, and its
        smallest accepted value. By default ``{"sensitivity": 0.9}``. None means no goal.
    noun : str
        Name of the rows in sentences, in the plural, such as ``"patients"``.
    looks : {"once", "any"}
        Whether this classifier's limits in the population hold at one look, or together at every
        look as rows arrive. With ``"any"``, the area and the curve have the limits of
        `delong_interval` and `ks_band` with ``looks="any"``, and both rates have such limits too.
        They need at least 20 rows of each label. ``"any"`` is possible for one evaluation whose
        rows are independent and have equal weight. Other figures then have no limits, or those of
        one look.

    Attributes
    ----------
    alpha, threshold, band, label, weights, view, prevalence, cost_ratio, guarantee, page, horizon,
    zoom, goal, noun, looks
        Synced traits, which can be set, observed with ``observe``, and linked with ``jslink``.
    selected : tuple of int
        Positions in the test set of the rows in the cell of the confusion matrix that a reader has
        pressed. It is a trait of the kernel alone: no page, file or saved notebook contains it.

    Raises
    ------
    TypeError, ValueError
        If `evaluation` is of another type, or if a keyword or a comparator is unknown.
    ImportError
        If a comparator needs rocci, which is not installed.
    traitlets.TraitError
        If a trait is set to an invalid value. The widget does not change.
    """

    @lists(Shown, **FIRST)
    def __init__(
        self,
        evaluation: RocEvaluation | Mapping[Any, RocEvaluation],
        *more: Any,
        kind: KindName | None = None,
        label: Any = None,
        weights: WeightsName = "size",
        horizon: float | None = None,
        **shown: Unpack[Shown],
    ) -> None:
        if more:
            raise TypeError(
                f"ROCWidget: found {1 + len(more)} values, expected one evaluation: labels and "
                "scores are shown by ROCWidget.from_predictions(y, score), a classifier by "
                "ROCWidget.from_estimator(classifier, X_test, y_test)"
            )
        alpha, band = shown.get("alpha", FIRST["alpha"]), shown.get("band")
        guarantee = shown.get("guarantee")
        group = opened(Group.of(evaluation, kind, shown.get("name")), guarantee, alpha)
        self._evaluation = evaluation
        threshold = shown.get("threshold")
        if threshold is None:
            threshold = next(iter(group.entries.values())).threshold_of()
        if guarantee is None:
            guarantee = opening_guarantee(group, alpha)
        controls = Controls(label=label, weights=weights, horizon=horizon)._replace(
            **part(shown, Controls) | {"threshold": threshold, "guarantee": guarantee}
        )
        if controls.prevalence is None and isinstance(evaluation, RocEvaluation):
            (told,) = evaluation.told_share or (None,)
            controls = controls._replace(prevalence=told)
        if band is None:
            has_truth = shown.get("truth") is not None
            controls = controls._replace(band=opening_band(group, controls, has_truth=has_truth))
        refuse_together(group, label, view=controls.view, band=controls.band)
        super().__init__(group, controls, shown.get("comparators", ()), shown.get("truth"))

    @classmethod
    @lists(FromEstimator, ConformalROC, **FIRST)
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        y: ArrayLike | None = None,
        X_test: Any = None,
        y_test: ArrayLike | None = None,
        *,
        label: Any = None,
        sample_weight: ArrayLike | None = None,
        horizon: float | None = None,
        **given: Unpack[FromEstimator],
    ) -> Self:
        """Trains, calibrates, evaluates and shows a classifier, or shows a fitted one on test rows.

        Parameters
        ----------
        estimator : object
            scikit-learn classifier. See `ConformalROC`. If two data sets are given, a fitted
            classifier is trained again on a part of `X`, and a note says so.
            ``FrozenEstimator(classifier)`` is not trained again. `X` must then contain rows that it
            has not seen.
        X, y : array_like
            Data to train and calibrate on. If `X_test` and `y_test` are not given, they are the
            test set of a fitted classifier, whose scores are shown as by `from_predictions` with
            two arrays.
        X_test, y_test : array_like, optional
            Test set.
        label : object, optional
            The class that counts as positive. By default each of more than two classes is shown
            against the rest.
        pos_label : label, optional
            The same under scikit-learn's name.
        guarantee : {"individual", "curve", "simultaneous", "everywhere", "credible"}, optional
            See `ConformalROC.evaluate`. By default it is ``"everywhere"`` if that is possible and
            `alpha` is at most 0.1 or a label lacks a limit. Otherwise it is ``"individual"``. The
            choice depends on numbers of rows, and not on results.
        name : str, optional
            Name of the classifier. By default the name of the class of its last step.
        reference, encoder, bandwidth, calibration_size, calibration, neighbors, distance, center
            See `ConformalROC`.
        recenter, resplits, quantile_rule, random_state, n_jobs, progress
            See `ConformalROC`.
        horizons, censoring, time_unit
            See `ConformalROC`. If there are several horizons, one at a time is shown.
        alpha, threshold, view, prevalence, cost_ratio, comparators, truth, horizon, zoom,
        goal, noun, looks
            See `ROCWidget`.
        band : str, optional
            See `ROCWidget`. If only the test set is given, the default is ``"sampling"``.

        Returns
        -------
        ROCWidget
            The widget.
        """
        shown = part(given, Shown) | {"name": given.get("name") or kind_of(estimator).__name__}
        model = ConformalROC(estimator, **part(given, OfModel))
        guarantee, pos_label = given.get("guarantee"), given.get("pos_label")
        if (own := own_rows("from_estimator", X, y, X_test, y_test)) is not None:
            check_own_guarantee(guarantee, "paper", **_unlike_default(model))
            made = own_evaluations(estimator, *own, pos_label, sample_weight, label=label)
            return cls(made, horizon=horizon, **_named(made, shown))
        if sample_weight is not None:
            raise ValueError(
                "sample_weight: found it with rows to train on, expected None: weights go to "
                "ConformalROC.fit and evaluate"
            )
        _check_before_the_fit(given.get("alpha", FIRST["alpha"]), guarantee, X, y, X_test)
        model.fit(X, y)
        test = X_test, y_test
        evaluation: RocEvaluation | Mapping[Any, RocEvaluation]
        classes = label is None and pos_label is None and len(model.classes_) > 2
        horizons = getattr(model, "horizons_", ())
        if len(horizons):
            refuse_with_time({"label": label, "pos_label": pos_label})
        if classes or len(horizons) > 1:
            evaluation = model.evaluate_all(*test, guarantee=guarantee)
        else:
            evaluation = model.evaluate(*test, label, pos_label=pos_label, guarantee=guarantee)
        return cls(evaluation, horizon=horizon, **_named(evaluation, shown))

    @classmethod
    @lists(FromPredictions, RocEvaluation.from_predictions, **FIRST)
    def from_predictions(
        cls,
        y_calibration: ArrayLike | None = None,
        score_calibration: ArrayLike | None = None,
        y_test: ArrayLike | None = None,
        score_test: ArrayLike | None = None,
        **given: Unpack[FromPredictions],
    ) -> Self:
        """Shows ``from_predictions(y, score)`` from scores alone, or with calibration rows.

        If only two arrays are given, the page first shows this classifier's limits in the
        population (`band` is ``"sampling"``).

        Parameters
        ----------
        y_calibration, score_calibration, y_test, score_test : array_like
            See `RocEvaluation.from_predictions`.
        guarantee : {"individual", "simultaneous"}, optional
            See `RocEvaluation.from_predictions`. With calibration rows, the default is
            ``"individual"`` if both labels have both limits at `alpha`. Otherwise it is
            ``"simultaneous"``. The choice depends on numbers of rows, and not on results.
        reference : {"kernel", "sharp"}, optional
            See `RocEvaluation.from_predictions`. By default ``"sharp"`` or, if calibration rows
            have weights or belong to people, ``"kernel"``.
        pos_label : label, optional
            The positive class. Scores are its probabilities.
        sample_weight_calibration, sample_weight_test, groups_calibration, groups_test : optional
            See `RocEvaluation.from_predictions`.
        horizon, time_unit
            See `RocEvaluation.from_predictions`. Both `y` must have times.
        name, alpha, threshold, view, prevalence, cost_ratio, comparators, truth, page, zoom,
        goal, noun, looks
            See `ROCWidget`.
        band : str, optional
            See `ROCWidget`. If only two arrays are given, the default is ``"sampling"``.

        Returns
        -------
        ROCWidget
            The widget.
        """
        evaluation = RocEvaluation.from_predictions(
            *(y_calibration, score_calibration, y_test, score_test),
            guarantee=given.get("guarantee"),
            **part(given, OfScores),
        )
        return cls(evaluation, **part(given, Shown))

    @classmethod
    @lists(Shown, **FIRST)
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        pos_label: Any = None,
        reference: ScoreReferenceName | None = None,
        label: Any = None,
        **shown: Unpack[Shown],
    ) -> Self:
        """Shows the folds of a cross-validation.

        Parameters
        ----------
        cv_results, X, y, sample_weight, groups, pos_label, guarantee, reference
            See `RocEvaluation.from_cv_results`.
        label, alpha, threshold, band, view, prevalence, cost_ratio, comparators, page, zoom, goal,
        noun
            See `ROCWidget`.

        Returns
        -------
        ROCWidget
            The widget. It shows the curve of each fold, the pooled curve, and the band of one fold
            at a time.
        """
        folds = RocEvaluation.from_cv_results(
            *(cv_results, X, y),
            sample_weight=sample_weight,
            groups=groups,
            pos_label=pos_label,
            guarantee=shown.pop("guarantee", None) or "individual",
            reference=reference,
        )
        return cls(folds, label=label, **shown)

    def __repr__(self) -> str:
        """Returns a short text that does not change between runs."""
        several = self._group.kind not in ("single", HORIZONS)
        return (
            f"ROCWidget({self._evaluation!r}, alpha={self.alpha:g}, "
            f"threshold={self.threshold:g}, band={self.band!r}"
            + (f", label={self.label!r}, weights={self.weights!r}" if several else "")
            + ("" if self.horizon is None else f", horizon={self.horizon:g}")
            + ")"
        )


def _named(made: RocEvaluation | Mapping[Any, RocEvaluation], shown: dict[str, Any]) -> Any:
    """Returns the keywords of `ROCWidget` for the evaluations `made` of a classifier.

    A single evaluation and horizons keep the keyword `name`. Others are of the kind "classes".
    """
    if isinstance(made, RocEvaluation | Horizons):
        return shown
    rest = {name: value for name, value in shown.items() if name != "name"}
    return rest | {"kind": "classes"}


def _unlike_default(model: ConformalROC) -> dict[str, Any]:
    """Returns the parameters of `model` that differ from their defaults, except `pos_label`.

    If only test rows are given, such parameters are refused, because nothing is trained.
    """
    usual = ConformalROC(model.estimator).get_params(deep=False)
    given = model.get_params(deep=False)
    same = {
        name
        for name, value in given.items()
        # A number is unchanged if it equals the default. An array or an estimator is unchanged only
        # if it is the same object.
        if value is usual[name] or (isinstance(value, float) and value == usual[name])
    }
    return {name: value for name, value in given.items() if name not in {*same, "pos_label"}}


def _check_before_the_fit(alpha: Any, guarantee: Any, X: Any, y: Any, X_test: Any) -> None:
    """Raises an error for wrong arguments before the fit, which may take minutes."""
    exact_alpha(alpha)
    if guarantee is not None:
        one_of(guarantee, "guarantee", GUARANTEES)
    try:
        features, labels, test = (np.shape(each) for each in (X, y, X_test))
    except ValueError:  # rows have different lengths: the fit raises, and names the argument
        return
    # `y` may be a table of one column that has as many rows as X. If it is any other table, `y` and
    # `X_test` are swapped.
    swapped = len(labels) == 2 and len(test) == 1 and (labels[1] > 1 or labels[:1] != features[:1])
    if swapped:
        raise ValueError(
            f"y, X_test: found a table of shape {labels} for y and {test[0]} values for X_test, "
            "expected from_estimator(estimator, X, y, X_test, y_test); train_test_split returns "
            "X, X_test, y, y_test in this order"
        )
