"""`ROCWidget`: evaluations on the screen, and the ways to make one."""

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

from .options import FIRST, FromEstimator, FromPredictions, OfModel, OfScores, Shown, part
from .synced import refuse_together
from .written import WrittenWidget


class ROCWidget(WrittenWidget):
    """ROC curve with its conformal band and two sliders, alpha and the threshold.

    Parameters
    ----------
    evaluation : RocEvaluation or mapping of label to RocEvaluation
        What to show. A mapping holds the classes of one test set, as `ConformalROC.evaluate_all`
        returns it; populations, as `ConformalROC.evaluate_by` returns them; folds;
        horizons, as `evaluate_all` returns them where `y` has a time; or several classifiers, which
        share the labels of their rows.
    *more
        Nothing: `from_predictions` and `from_estimator` take labels, scores and classifiers.
    kind : {"classifiers", "classes", "populations", "samples"}, optional
        What the evaluations of another mapping are to each other. Samples are other rows each time,
        as of train and test, of two years, or of the draws of a simulation.
    name : str, optional
        What one evaluation is called.
    alpha : float
        Significance level, from 0.001 to 0.5.
    threshold : float, optional
        Threshold of the operating point, from 0 to 1 and by default 0.5; of scores that are no
        probabilities in their own unit, by default the middle score.
    band : {"sensitivity", "specificity", "both", "ideal", "sampling", "none"}
        Vertical band, horizontal band, or both; or, for one evaluation, the credible band of an
        ideal model's own curve, see `RocEvaluation.ideal_curve`, or the band of the first of
        `comparators`, by default the bootstrap, for this classifier with more test data. By default
        the last one for several classifiers, classes, populations and folds, where test rows made
        the limits, and where the conformal limits are 0 and 1 at half of the thresholds or more;
        else, and with a `truth`, ``"sensitivity"``.
    label : str, int, float or bool, optional
        Key of the evaluation to look at; by default all of them together.
    weights : {"size", "uniform"}
        What weighs a class in the average; see `average_bands`.
    view : {"roc", "precision_recall", "reliability", "net_benefit"}
        View of the one evaluation that is looked at; several together are shown as ROC curves.
    prevalence : float, optional
        Share of the positive class where the classifier is used, between 0 and 1; by default the
        test set's.
    cost_ratio : float, optional
        Cost of a miss in false alarms, above 0.
    guarantee : {"individual", "everywhere", "credible"}, optional
        What the limits are promised for: a threshold drawn at random; every threshold at once, also
        one that is picked; or one threshold on average, if the truth can be learned. By default
        that of the evaluation, or where nobody chose it every threshold: at an `alpha` of at most
        0.1, and where a label lacks a limit. Where it can have several, the page offers them. See
        `RocEvaluation.with_guarantee`.
    comparators : iterable of {"bootstrap", "simultaneous", "working_hotelling", "ks"}
        Other people's bands to lay over the one evaluation that is looked at; see
        `conformal_roc_widget.comparators`. The second and the third need rocci. They are made in
        the background, with 2000 replicates and always the same seed, once for each evaluation:
        a new alpha samples nothing anew. The Working-Hotelling band is made from the logits of the
        scores.
    truth : array_like of shape (n_test,), optional
        True probability of the positive label at each test point, where it is known, as in
        simulated data: the ideal model's own sensitivity at each threshold is drawn too, and the
        band is seen to hold it or not.
    page : dict, optional
        What a reader has chosen of the page alone, as "Copy as Python" writes it.
        ``{"reveal": False}`` is a curve to guess from, of one evaluation: its pages, files and
        pictures hold neither truth nor limits until ``widget.page = {"reveal": True}``.
    zoom : bool
        Whether ROC curves show their upper left corner five times as large.
    horizon : float, optional
        Where outcomes have a time: by when an event counts, one of the horizons that
        `ConformalROC.evaluate_all` has evaluated; by default the one in their middle.
    goal : mapping of one str to float, optional
        What is enough: a rate of `RocEvaluation.threshold_for` and the least of it that is wanted
        in the population, by default ``{"sensitivity": 0.9}``. None is no goal.
    noun : str
        What the rows are called, in the plural, as in ``"patients"``.
    looks : {"once", "any"}
        Whether limits of this classifier hold at one look, or together at every look as rows
        arrive, from 20 rows of each label on: of the area and the curve as by `delong_interval` and
        `ks_band` with ``looks="any"``, and of both rates. Of one evaluation whose rows are
        independent and count alike; what else has limits has none then, or those of one look.

    Attributes
    ----------
    alpha, threshold, band, label, weights, view, prevalence, cost_ratio, guarantee, page, horizon,
    zoom, goal, noun, looks
        Synced traits: set them, ``observe`` them, ``jslink`` them.
    selected : tuple of int
        Positions in the test set of the cell of the confusion table that a reader has pressed. A
        trait of the kernel alone: no page, file or saved notebook holds it.

    Raises
    ------
    TypeError, ValueError
        If `evaluation` is no such thing, a keyword is unknown, or a comparator.
    ImportError
        If a comparator needs rocci, which is not installed.
    traitlets.TraitError
        If a trait is set to a value it cannot have; the widget stays as it was.
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
        """Train, calibrate, evaluate and show; or show a fitted classifier on a test set.

        Parameters
        ----------
        estimator : object
            scikit-learn classifier; see `ConformalROC`. With two data sets, one that was fitted
            already is trained again on a part of `X`, and a note says so;
            ``FrozenEstimator(classifier)`` is kept as it is, and `X` must then hold rows that it
            has not seen.
        X, y : array_like
            Data to train and calibrate on; or, of a fitted classifier, the test set alone. Its
            scores are then shown as by `from_predictions` with two arrays.
        X_test, y_test : array_like, optional
            Test set.
        label : object, optional
            The class that counts as positive. By default, of more than two classes each is shown
            against the rest.
        pos_label : label, optional
            The same under scikit-learn's name.
        guarantee : {"individual", "curve", "simultaneous", "everywhere", "credible"}, optional
            As for `ConformalROC.evaluate`. By default ``"everywhere"`` where that can be had, if
            `alpha` is at most 0.1 or a label lacks a limit, and else ``"individual"``: numbers of
            rows decide, and no result.
        name : str, optional
            What the classifier is called; by default as the class of its last step.
        reference, encoder, bandwidth, calibration_size, calibration, neighbors, distance, center
            As for `ConformalROC`.
        recenter, resplits, quantile_rule, random_state, n_jobs, progress
            As there.
        horizons, censoring, time_unit
            As there. With several horizons each is shown, one at a time.
        alpha, threshold, view, prevalence, cost_ratio, comparators, truth, horizon, zoom,
        goal, noun, looks
            As for the class.
        band : str, optional
            As there; by default as the class chooses, so that of the test set alone it is
            ``"sampling"``.

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
            positive = label if pos_label is None else pos_label
            made = own_evaluations(estimator, *own, positive, sample_weight)
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
        if classes or len(getattr(model, "horizons_", ())) > 1:
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
        """Show scores alone: ``from_predictions(y, score)``, or with calibration rows.

        Of two arrays the page opens on this classifier with more test data (`band` is
        ``"sampling"``).

        Parameters
        ----------
        y_calibration, score_calibration, y_test, score_test : array_like
            As in `RocEvaluation.from_predictions`.
        guarantee : {"individual", "simultaneous"}, optional
            As there; of four arrays by default ``"individual"`` where both labels have both limits
            at `alpha`, and else ``"simultaneous"``: numbers of rows decide, and no result.
        reference : {"kernel", "sharp"}, optional
            As there; by default ``"sharp"``, or ``"kernel"`` where calibration rows have weights or
            belong to people.
        pos_label : label, optional
            The positive class, whose probabilities the scores are.
        sample_weight_calibration, sample_weight_test, groups_calibration, groups_test : optional
            As there.
        horizon, time_unit
            As there, where both `y` have a time.
        name, alpha, threshold, view, prevalence, cost_ratio, comparators, truth, page, zoom,
        goal, noun, looks
            As for the class.
        band : str, optional
            As there; by default as the class chooses, so that of two arrays it is ``"sampling"``.

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
        """Show the folds of a cross-validation.

        Parameters
        ----------
        cv_results, X, y, sample_weight, groups, pos_label, guarantee, reference
            As in `RocEvaluation.from_cv_results`.
        label, alpha, threshold, band, view, prevalence, cost_ratio, comparators, page, zoom, goal,
        noun
            As for the class.

        Returns
        -------
        ROCWidget
            The widget: each fold's curve, the pooled one, and one fold's band at a time.
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
        """Short text that does not change between runs."""
        several = self._group.kind not in ("single", HORIZONS)
        return (
            f"ROCWidget({self._evaluation!r}, alpha={self.alpha:g}, "
            f"threshold={self.threshold:g}, band={self.band!r}"
            + (f", label={self.label!r}, weights={self.weights!r}" if several else "")
            + ("" if self.horizon is None else f", horizon={self.horizon:g}")
            + ")"
        )


def _named(made: RocEvaluation | Mapping[Any, RocEvaluation], shown: dict[str, Any]) -> Any:
    """Controls for a classifier's result: one evaluation gets its name, several are its classes."""
    if isinstance(made, RocEvaluation):
        return shown
    rest = {name: value for name, value in shown.items() if name != "name"}
    return rest if isinstance(made, Horizons) else rest | {"kind": "classes"}


def _unlike_default(model: ConformalROC) -> dict[str, Any]:
    """Parameters that differ from a model's defaults, and are not for test rows too."""
    usual = ConformalROC(model.estimator).get_params(deep=False)
    given = model.get_params(deep=False)
    same = {
        name
        for name, value in given.items()
        # Arrays and estimators are compared by identity, and numbers by their value.
        if value is usual[name] or (isinstance(value, float) and value == usual[name])
    }
    return {name: value for name, value in given.items() if name not in {*same, "pos_label"}}


def _check_before_the_fit(alpha: Any, guarantee: Any, X: Any, y: Any, X_test: Any) -> None:
    """Refuses wrong arguments before a fit, which may take minutes."""
    exact_alpha(alpha)
    if guarantee is not None:
        one_of(guarantee, "guarantee", GUARANTEES)
    try:
        features, labels, test = (np.shape(each) for each in (X, y, X_test))
    except ValueError:  # rows of several lengths: the fit names the argument
        return
    # Labels may be a table of one column by mistake, but then there are as many as rows of X.
    swapped = len(labels) == 2 and len(test) == 1 and (labels[1] > 1 or labels[:1] != features[:1])
    if swapped:
        raise ValueError(
            f"y, X_test: found a table of shape {labels} for y and {test[0]} values for X_test, "
            "expected from_estimator(estimator, X, y, X_test, y_test); train_test_split returns "
            "X, X_test, y, y_test in this order"
        )
