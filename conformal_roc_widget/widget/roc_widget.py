"""`ROCWidget`: evaluations on the screen. It computes nothing itself.

Requests of a page may come on two threads, and a third one reports the comparators: synced traits
change under one lock.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import anywidget
import numpy as np
import traitlets
from ipywidgets import widget_serialization
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import shortened
from conformal_roc_widget.calibration.classifiers import kind_of
from conformal_roc_widget.calibration.parameters import GUARANTEES
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import instance_of, number, one_of, whole_number, yes_or_no
from conformal_roc_widget.choices import (
    BandName,
    BandwidthName,
    CalibrationName,
    CensoringName,
    CenterName,
    ComparatorName,
    DataName,
    FormName,
    GuaranteeName,
    KindName,
    ReferenceName,
    ResplitsName,
    RuleName,
    ScoreReferenceName,
    ThemeName,
    ViewName,
    WeightsName,
)
from conformal_roc_widget.comparators import ComparatorBand
from conformal_roc_widget.draw.pixels import png
from conformal_roc_widget.draw.shapes import Sheet, laid_out
from conformal_roc_widget.draw.svg import svg
from conformal_roc_widget.estimator import ConformalROC
from conformal_roc_widget.evaluation.average import average_bands
from conformal_roc_widget.evaluation.band import ConformalBand, OperatingPoint
from conformal_roc_widget.evaluation.decisions.population_threshold import PopulationThreshold
from conformal_roc_widget.evaluation.from_classifier import own_evaluations
from conformal_roc_widget.evaluation.from_own_rows import check_own_guarantee
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.files import check_place
from conformal_roc_widget.scene import Scene
from conformal_roc_widget.shown.controls import (
    BAND_KINDS,
    FIRST_GOAL,
    ROWS,
    SAMPLING,
    VIEWS,
    Controls,
    Label,
)
from conformal_roc_widget.shown.evaluation_group import HORIZONS, Group
from conformal_roc_widget.shown.opening import lacks_a_limit, opened
from conformal_roc_widget.shown.theme import THEMES, theme_of
from conformal_roc_widget.tables.calibration_rows import Ratio
from conformal_roc_widget.views import ideal
from conformal_roc_widget.views.scenes import scene_of
from conformal_roc_widget.widget import html as export
from conformal_roc_widget.widget.background_task import BackgroundTask
from conformal_roc_widget.widget.comparator_worker import ComparatorWorker
from conformal_roc_widget.widget.frame import FramedPage, check_height
from conformal_roc_widget.widget.script_holder import (
    LOADER,
    SCRIPT,
    WANTED,
    ScriptHolder,
    script_holder,
)
from conformal_roc_widget.widget.still import still
from conformal_roc_widget.widget.traits import (
    Checked,
    Choice,
    alpha_trait,
    check_attribute,
    cost_trait,
    goal_of,
    noun_of,
    page_choices,
    prevalence_trait,
    threshold_trait,
)
from conformal_roc_widget.wire import messages as wire
from conformal_roc_widget.wire.budget import stops_with
from conformal_roc_widget.wire.ideal import ideal_message

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd
    from sklearn.model_selection import FixedThresholdClassifier

    from conformal_roc_widget.draw.matplotlib import Plotted

Answer = TypeVar("Answer")
#: Bounds on the width of a picture in pixels, and on its dots per inch.
WIDTHS, DPI = (100, 20_000), (10, 2_400)
#: With more test points than this, simultaneous limits at other alphas take more than about 0.1 s.
SIMULTANEOUS_AT_ONCE = 2_000
#: With more test points than this, the bounds of the reliability do.
RELIABILITY_AT_ONCE = 20_000
#: Seconds after which a widget is sent these limits, if not at once.
STOPS_AFTER = 1.0


class ROCWidget(anywidget.AnyWidget):
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
    threshold : float
        Threshold of the operating point, from 0 to 1.
    band : {"sensitivity", "specificity", "both", "ideal", "sampling", "none"}
        Vertical band, horizontal band, or both; or, for one evaluation, the credible band of an
        ideal model's own curve, see `RocEvaluation.ideal_curve`, or the band of the first of
        `comparators`, by default the bootstrap, for this classifier with more test data.
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
    guarantee : {"individual", "everywhere"}, optional
        What the limits are promised for: a threshold drawn at random, or every threshold at once,
        also one that is picked. By default that of the evaluation; where it can have both, the page
        offers them. See `RocEvaluation.with_guarantee`.
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

    Attributes
    ----------
    alpha, threshold, band, label, weights, view, prevalence, cost_ratio, guarantee, page, horizon,
    zoom, goal, noun
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

    # The script is given as text: a path would be watched, which keeps every widget alive.
    _esm = SCRIPT if os.environ.get("ANYWIDGET_HMR") == "1" else SCRIPT.read_text("utf-8")

    alpha = alpha_trait().tag(sync=True)
    threshold = threshold_trait().tag(sync=True)
    band = Choice(BAND_KINDS, "sensitivity").tag(sync=True)
    label = Checked(lambda widget, value: widget._given.find(value)).tag(sync=True)
    weights = Choice(("size", "uniform"), "size").tag(sync=True)
    view = Checked(lambda widget, value: widget._view_of(value), "roc").tag(sync=True)
    prevalence = prevalence_trait().tag(sync=True)
    cost_ratio = cost_trait().tag(sync=True)
    guarantee = Checked(lambda widget, value: widget._guarantee_of(value)).tag(sync=True)
    horizon = Checked(lambda widget, value: widget._given.horizon_of(value)).tag(sync=True)
    zoom = Checked(lambda _, value: yes_or_no(value, "zoom"), default=False).tag(sync=True)
    goal = Checked(goal_of, dict(FIRST_GOAL), allow_none=True).tag(sync=True)
    noun = Checked(noun_of, ROWS).tag(sync=True)
    #: The page's own choices, which a saved notebook keeps.
    page = Checked(page_choices, allow_none=True).tag(sync=True)
    #: Rows of the user's data: not synced, so that neither a page nor a saved notebook holds them.
    selected = Checked(lambda widget, rows: widget._positions(rows), ())
    _script = traitlets.Instance(ScriptHolder, allow_none=True).tag(
        sync=True, **widget_serialization
    )
    _data = traitlets.Dict().tag(sync=True)
    _stops = traitlets.Dict().tag(sync=True)
    _frame = traitlets.Dict().tag(sync=True)
    _comparators = traitlets.Dict().tag(sync=True)
    _ideal = traitlets.Dict().tag(sync=True)

    #: The `_setting` of the last frame.
    _shown: tuple[Any, ...] = ()
    #: Traits that pages know from the answer to a request, and observers not yet.
    _answered: tuple[str, ...] = ()
    #: How many observers run inside each other.
    _depth = 0
    #: What observers raise while changes are bundled.
    _failures: list[Exception] | None = None

    def __init__(
        self,
        evaluation: RocEvaluation | Mapping[Any, RocEvaluation],
        *more: Any,
        kind: KindName | None = None,
        name: str | None = None,
        alpha: float = 0.05,
        threshold: float = 0.5,
        band: BandName = "sensitivity",
        label: Any = None,
        weights: WeightsName = "size",
        view: ViewName = "roc",
        prevalence: float | None = None,
        cost_ratio: float | None = None,
        guarantee: GuaranteeName | None = None,
        comparators: Iterable[ComparatorName] = (),
        truth: ArrayLike | None = None,
        page: dict[str, Any] | None = None,
        horizon: float | None = None,
        zoom: bool = False,
        goal: Mapping[str, float] | None = FIRST_GOAL,
        noun: str = ROWS,
    ) -> None:
        if more:
            raise TypeError(
                f"ROCWidget: found {1 + len(more)} values, expected one evaluation: labels and "
                "scores are shown by ROCWidget.from_predictions(y, score), a classifier by "
                "ROCWidget.from_estimator(classifier, X_test, y_test)"
            )
        group = Group.of(evaluation, kind, name)
        self._evaluation = evaluation
        shown = group.guarantee if guarantee is None else guarantee
        use = prevalence, cost_ratio
        controls = Controls(
            *(alpha, threshold, band, label, weights, view, *use, shown, page, horizon, zoom),
            *(goal, noun),
        )
        self._given = group
        self._worker = ComparatorWorker(group, comparators, self._send_comparators, truth)
        self._making_ideal = BackgroundTask(self._send_ideal, "ideal-curve")
        self._making_stops = BackgroundTask(self._send_stops_later, "stops")
        self._request = wire.FROM_PYTHON
        # While the kernel is busy JupyterLab sends some messages to a second thread of it, so two
        # may be handled at once, and the later one first.
        self._lock = threading.RLock()
        self._newest: dict[str, int] = {}
        self._known_changes: dict[str, dict[str, tuple[int, Any]]] = {}
        # If the script is being developed, each widget follows its file.
        holder = script_holder() if isinstance(self._esm, str) else None
        if holder is not None:
            self._esm = LOADER
        super().__init__(_script=holder, **controls._asdict())
        self._data = wire.data_message(group)
        self._answer()
        self.on_msg(self._receive)
        self._want_overlays()
        every = group.entries.values()
        simultaneous = _points(each for each in every if each.display.simultaneous)
        if simultaneous > SIMULTANEOUS_AT_ONCE or _points(every) > RELIABILITY_AT_ONCE:
            self._making_stops.request()
        else:
            self._send_stops()

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        X_test: Any = None,
        y_test: ArrayLike | None = None,
        *,
        label: Any = None,
        pos_label: Any = None,
        guarantee: GuaranteeName | None = None,
        name: str | None = None,
        reference: ReferenceName | Any = "auto",
        encoder: Any = "auto",
        bandwidth: BandwidthName | Any = "silverman",
        calibration_size: float = 0.5,
        calibration: CalibrationName = "split",
        neighbors: int | None = None,
        distance: Any = "standardized",
        center: CenterName | Any = "classifier",
        recenter: bool = False,
        resplits: int | ResplitsName = 1,
        quantile_rule: RuleName = "paper",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool = True,
        horizons: Any = None,
        censoring: CensoringName | Any = "marginal",
        time_unit: str = "",
        alpha: float = 0.05,
        threshold: float = 0.5,
        band: BandName | None = None,
        view: ViewName = "roc",
        prevalence: float | None = None,
        cost_ratio: float | None = None,
        comparators: Iterable[ComparatorName] = (),
        truth: ArrayLike | None = None,
        horizon: float | None = None,
        zoom: bool = False,
        goal: Mapping[str, float] | None = FIRST_GOAL,
        noun: str = ROWS,
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
        guarantee : {"individual", "curve", "simultaneous", "everywhere"}, optional
            As for `ConformalROC.evaluate`. By default ``"individual"`` where both labels have both
            limits at `alpha`, and else ``"everywhere"`` where that can be had: numbers of rows
            decide, and no result.
        name : str, optional
            What the classifier is called; by default as the class of its last step.
        reference, encoder, bandwidth, calibration_size, calibration, neighbors, distance, center
            As for `ConformalROC`.
        recenter, resplits, quantile_rule, random_state, n_jobs, progress
            As there.
        horizons, censoring, time_unit
            As there. With several horizons each is shown, one at a time.
        alpha, threshold, view, prevalence, cost_ratio, comparators, truth, horizon, zoom,
        goal, noun
            As for the class.
        band : str, optional
            As there; by default ``"sensitivity"``, and of the test set alone ``"sampling"``.

        Returns
        -------
        ROCWidget
            The widget.
        """
        shown: dict[str, Any] = {
            "alpha": alpha,
            "threshold": threshold,
            "view": view,
            "prevalence": prevalence,
            "cost_ratio": cost_ratio,
            "comparators": comparators,
            "truth": truth,
            "horizon": horizon,
            "zoom": zoom,
            "goal": goal,
            "noun": noun,
        } | ({} if band is None else {"band": band})
        named = kind_of(estimator).__name__ if name is None else name
        model = ConformalROC(
            estimator,
            reference=reference,
            encoder=encoder,
            bandwidth=bandwidth,
            calibration_size=calibration_size,
            calibration=calibration,
            neighbors=neighbors,
            distance=distance,
            center=center,
            recenter=recenter,
            resplits=resplits,
            quantile_rule=quantile_rule,
            random_state=random_state,
            n_jobs=n_jobs,
            progress=progress,
            horizons=horizons,
            censoring=censoring,
            time_unit=time_unit,
        )
        if X_test is None and y_test is None:
            check_own_guarantee(guarantee, "paper", **_unlike_default(model))
            own = own_evaluations(estimator, X, y, label if pos_label is None else pos_label)
            return cls(own, **_of_own_rows(own, named) | shown)
        if X_test is None or y_test is None:
            raise ValueError(
                f"{'X_test' if X_test is None else 'y_test'}: found None, expected both of X_test "
                "and y_test, or neither: from_estimator(classifier, X_test, y_test)"
            )
        _check_before_the_fit(alpha, guarantee, X, y, X_test)
        model.fit(X, y)
        asked = "individual" if guarantee is None else guarantee
        evaluation: RocEvaluation | Mapping[Any, RocEvaluation]
        how: dict[str, Any] = {"name": named}
        if len(getattr(model, "horizons_", ())) > 1:
            evaluation, how = model.evaluate_all(X_test, y_test, guarantee=asked), {}
        elif label is None and pos_label is None and len(model.classes_) > 2:
            evaluation = model.evaluate_all(X_test, y_test, guarantee=asked)
            how = {"kind": "classes"}
        else:
            evaluation = model.evaluate(X_test, y_test, label, pos_label=pos_label, guarantee=asked)
        return cls(opened(evaluation, alpha) if guarantee is None else evaluation, **how, **shown)

    @classmethod
    def from_predictions(
        cls,
        y_calibration: ArrayLike,
        score_calibration: ArrayLike,
        y_test: ArrayLike | None = None,
        score_test: ArrayLike | None = None,
        *,
        guarantee: GuaranteeName | None = None,
        reference: ScoreReferenceName | None = None,
        pos_label: Any = None,
        sample_weight_calibration: ArrayLike | Ratio | None = None,
        sample_weight_test: ArrayLike | None = None,
        groups_calibration: ArrayLike | None = None,
        groups_test: ArrayLike | None = None,
        horizon: float | None = None,
        time_unit: str = "",
        name: str | None = None,
        alpha: float = 0.05,
        threshold: float = 0.5,
        band: BandName | None = None,
        view: ViewName = "roc",
        prevalence: float | None = None,
        cost_ratio: float | None = None,
        comparators: Iterable[ComparatorName] = (),
        truth: ArrayLike | None = None,
        page: dict[str, Any] | None = None,
        zoom: bool = False,
        goal: Mapping[str, float] | None = FIRST_GOAL,
        noun: str = ROWS,
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
        goal, noun
            As for the class.
        band : str, optional
            As there; by default ``"sensitivity"``, and of two arrays ``"sampling"``.

        Returns
        -------
        ROCWidget
            The widget.
        """
        show = partial(
            cls,
            name=name,
            alpha=alpha,
            threshold=threshold,
            view=view,
            prevalence=prevalence,
            cost_ratio=cost_ratio,
            comparators=comparators,
            truth=truth,
            page=page,
            zoom=zoom,
            goal=goal,
            noun=noun,
        )
        plain = sample_weight_calibration is None and groups_calibration is None
        plain = plain and horizon is None
        make = partial(
            RocEvaluation.from_predictions,
            *(y_calibration, score_calibration, y_test, score_test),
            reference=reference or ("sharp" if plain else "kernel"),
            pos_label=pos_label,
            sample_weight_calibration=sample_weight_calibration,
            sample_weight_test=sample_weight_test,
            groups_calibration=groups_calibration,
            groups_test=groups_test,
            horizon=horizon,
            time_unit=time_unit,
        )
        evaluation = make(guarantee=guarantee)
        if y_test is None:
            return show(evaluation, band=band or SAMPLING)
        if guarantee is None and plain and lacks_a_limit(evaluation, alpha):
            evaluation = make(guarantee="simultaneous")
        return show(evaluation, band=band or "sensitivity")

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        pos_label: Any = None,
        guarantee: GuaranteeName = "individual",
        reference: ScoreReferenceName = "kernel",
        label: Any = None,
        alpha: float = 0.05,
        threshold: float = 0.5,
        band: BandName = "sensitivity",
        view: ViewName = "roc",
        prevalence: float | None = None,
        cost_ratio: float | None = None,
        comparators: Iterable[ComparatorName] = (),
        page: dict[str, Any] | None = None,
        zoom: bool = False,
        goal: Mapping[str, float] | None = FIRST_GOAL,
        noun: str = ROWS,
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
            guarantee=guarantee,
            reference=reference,
        )
        return cls(
            folds,
            label=label,
            alpha=alpha,
            threshold=threshold,
            band=band,
            view=view,
            prevalence=prevalence,
            cost_ratio=cost_ratio,
            comparators=comparators,
            page=page,
            zoom=zoom,
            goal=goal,
            noun=noun,
        )

    # What is on the screen

    @property
    def evaluation(self) -> RocEvaluation | Mapping[Any, RocEvaluation]:
        """The evaluation that is looked at, or the mapping where it is all of them together."""
        looked_at = self._group.looked_at(self._key)
        if looked_at is not None:
            return looked_at
        if self._group is self._given:
            return self._evaluation
        assert isinstance(self._evaluation, Mapping)
        return dict(zip(self._evaluation, self._group.entries.values(), strict=True))

    @property
    def current_band(self) -> ConformalBand | dict[Label, ConformalBand]:
        """The band on the screen, exact, at all thresholds.

        Of classes together it is their average, of classifiers together a dict of their bands.
        """
        if self._group.kind == "classes" and self._group.looked_at(self._key) is None:
            return average_bands(self._group.entries, self.alpha, self.weights)
        return self._of_each(lambda evaluation: evaluation.band(self.alpha))

    @property
    def operating_point(self) -> OperatingPoint | dict[Label, OperatingPoint]:
        """The operating point on the screen.

        If several evaluations are shown, a dict of their points.
        """
        return self._of_each(lambda each: each.operating_point(self.threshold, self.alpha))

    def _of_each(self, ask: Callable[[RocEvaluation], Answer]) -> Answer | dict[Label, Answer]:
        """The answer of the evaluation that is looked at.

        If several are, a dict of their answers.
        """
        looked_at = self._group.looked_at(self._key)
        if looked_at is not None:
            return ask(looked_at)
        return {label: ask(each) for label, each in self._group.entries.items()}

    @property
    def comparators(self) -> Mapping[str, ComparatorBand]:
        """Key -> comparator's band of the evaluation that is looked at, at this alpha.

        Waits until all are made. Empty where several evaluations are looked at together. Raises
        RuntimeError if one failed, or the widget is closed.
        """
        return MappingProxyType(self._worker.bands(self._key, self.alpha))

    def to_classifier(self) -> FixedThresholdClassifier:
        """The fitted classifier with the threshold on the screen.

        Returns
        -------
        sklearn.model_selection.FixedThresholdClassifier
            See `RocEvaluation.to_classifier`. Where a wish was made under "Jump to" and the
            threshold keeps it in the population, its text says so.

        Raises
        ------
        ValueError
            If several evaluations are looked at together, or no single classifier of two classes
            gave the scores, as from scores alone.
        """
        evaluation = self._group.looked_at(self._key)
        if evaluation is None:
            raise ValueError(
                "to_classifier: found several evaluations looked at together, expected one: set "
                "label"
            )
        return evaluation.to_classifier(self._kept_threshold(evaluation) or self.threshold)

    def _kept_threshold(self, evaluation: RocEvaluation) -> PopulationThreshold | None:
        """The threshold on the screen with the wish that it keeps in the population, if any."""
        wish, least = ((self.page or {}).get(name) for name in ("wish", "least"))
        if not wish or evaluation.dependence or evaluation.error:
            return None
        confidence = float(1 - exact_alpha(self.alpha))
        found = evaluation.threshold_for(**{wish: least}, confidence=confidence)
        assert isinstance(found, PopulationThreshold)
        return found.moved_to(self.threshold)

    def wait(self, timeout: float | None = None) -> None:
        """Wait until comparators and simultaneous limits are made, and send them to the page.

        What runs a notebook without a reader keeps only what is sent while a cell runs: call this
        in a cell, and the comparators are saved with the widget.

        Parameters
        ----------
        timeout : float, optional
            Seconds.

        Raises
        ------
        TimeoutError
            If it takes longer.
        RuntimeError
            If the widget is closed.
        """
        self._worker.wait(self._key, timeout)
        self._send_comparators()
        self._send_stops()
        with self._lock:
            self.send_state("_comparators")

    def to_frame(self) -> pd.DataFrame:
        """Return the band on the screen as a table; see `ConformalBand.to_frame`.

        Returns
        -------
        pandas.DataFrame
            One row a threshold; of several classifiers with a first column ``label``.
        """
        band = self.current_band
        if isinstance(band, ConformalBand):
            return band.to_frame()
        import pandas as pd

        tables = {label: each.to_frame() for label, each in band.items()}
        frame = pd.concat([t.assign(label=label) for label, t in tables.items()], ignore_index=True)
        frame.insert(0, "label", frame.pop("label"))
        frame.attrs["alpha"] = self.alpha
        return frame

    # Files and pictures, which wait until the comparators are made

    def to_html(
        self, path: str | os.PathLike[str], *, data: DataName = "arrays", title: str | None = None
    ) -> Path:
        """Write a page that goes on working without a kernel and without a network.

        Waits for the comparators, which the page holds at some alphas.

        Parameters
        ----------
        path : path-like
            The file; an old one is replaced once the new one is whole.
        data : {"arrays", "curves"}
            ``"arrays"`` puts sorted scores, logits and residuals into the page, from which it
            computes the band at any alpha (localized and simultaneous limits stand at some alphas
            instead, where the slider stops); ``"curves"`` puts only curves into it, made for those
            alphas. Neither holds features, identifiers or the order of rows.
        title : str, optional
            Of the page.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        TypeError, ValueError
            If the place is no file in a folder that exists, or `data` is something else.
        """
        place = check_place(path)
        return export.write(place, export.html(self._page(data, title)).encode())

    def as_html(
        self, height: int | None = None, *, data: DataName = "arrays", title: str | None = None
    ) -> FramedPage:
        """The standalone page as an ordinary HTML output of a notebook.

        It moves in every viewer that shows HTML outputs and runs their scripts, also where the
        widget's state is dropped: after re-opening and saving, in Colab, on nbviewer, in what
        nbconvert or Quarto write. Waits for the comparators, as `to_html` does.

        Parameters
        ----------
        height : int, optional
            Pixels. Where the host lets it, the height follows the content.
        data, title
            As in `to_html`.

        Returns
        -------
        FramedPage
            Its ``_repr_html_`` is a sandboxed ``iframe`` whose scripts reach nothing outside it,
            over a picture and its text, which are seen where a program takes frames out. What
            shows no HTML, as LaTeX, gets them as an image and as text.

        Raises
        ------
        TypeError, ValueError
            If `height` is no whole number of at least 1, or `data` is something else.
        """
        pixels, page = check_height(height), self._page(data, title)
        bundle = still(page.group, page.controls, page.overlaid)
        return FramedPage(export.html(page), pixels, export.still_of(page).html, bundle)

    def embed(
        self,
        folder: str | os.PathLike[str],
        *,
        url: str = "",
        form: FormName = "html",
        data: DataName = "arrays",
        title: str | None = None,
    ) -> str:
        """Put the chart into a web page: write script and style once, return the text for it.

        Parameters
        ----------
        folder : path-like
            Where the script and the style are to be.
        url : str
            Address of that folder as the page sees it, such as ``"assets"``; by default the page
            lies in the folder.
        form : {"html", "myst"}
            HTML for any page, or MyST's directive ``{anywidget}`` for Jupyter Book 2.
        data : {"arrays", "curves"}
            As for `to_html`.
        title : str, optional
            For the payload.

        Returns
        -------
        str
            A ``<link>``, the payload, and a ``<script type="module">``; or the directive, with the
            payload as its model.

        Raises
        ------
        TypeError, ValueError
            If the folder does not exist, or `form` or `data` is something else.
        """
        export.check_embedding(folder, url, form)
        return export.embed(self._page(data, title), folder, url, form)

    def to_svg(
        self, path: str | os.PathLike[str], *, title: str | None = None, theme: ThemeName = "light"
    ) -> Path:
        """Write the chart on the screen as an SVG image.

        Parameters
        ----------
        path : path-like
            The file.
        title : str, optional
            Instead of the title that names the level and the rate.
        theme : {"light", "dark"}
            Colours.

        Returns
        -------
        Path
            The file.
        """
        return export.write(check_place(path), svg(self._sheet(title, theme)).encode())

    def to_png(
        self,
        path: str | os.PathLike[str],
        *,
        title: str | None = None,
        theme: ThemeName = "light",
        width: int | None = None,
        dpi: float | None = None,
        caption: bool = True,
    ) -> Path:
        """Write the chart on the screen as a PNG image, by default two pixels a point.

        Parameters
        ----------
        path : path-like
            The file.
        title : str, optional
            Instead of the title that names the level and the rate.
        theme : {"light", "dark"}
            Colours.
        width : int, optional
            Pixels, from 100 to 20,000; the height follows.
        dpi : float, optional
            Dots an inch, from 10 to 2,400, as the file says them. Without a `width` the picture has
            its size in points, 72 to an inch.
        caption : bool
            Whether the sentences stand around the plots.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        TypeError, ValueError
            If an argument is not of the form above.
        """
        if width is not None:
            width = whole_number(width, "width", WIDTHS[0], other="None")
            if width > WIDTHS[1]:
                raise ValueError(f"width: found {width}, expected at most {WIDTHS[1]}")
        if dpi is not None:
            low, high = DPI
            expected = f"a number from {low} to {high}, or None"
            dpi = number(dpi, "dpi", expected, lambda each: low <= each <= high)
        place, sheet = check_place(path), self._sheet(title, theme, caption=caption)
        scale = None if dpi is None else dpi / 72
        scale = scale if width is None else width / sheet.width
        return export.write(place, png(sheet, scale=scale, dpi=dpi))

    def to_pdf(
        self,
        path: str | os.PathLike[str],
        *,
        title: str | None = None,
        theme: ThemeName = "light",
        caption: bool = True,
    ) -> Path:
        """Write the chart on the screen as a PDF file; needs Matplotlib.

        Parameters
        ----------
        path : path-like
            The file.
        title : str, optional
            Instead of the title that names the level and the rate.
        theme : {"light", "dark"}
            Colours.
        caption : bool
            Whether the sentences stand around the plots.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ImportError
            If Matplotlib is not installed.
        """
        from conformal_roc_widget.draw.matplotlib import pdf

        sheet = self._sheet(title, theme, caption=caption)
        return export.write(check_place(path), pdf(sheet))

    def plot(self, ax: Any = None) -> Plotted:
        """Draw what is on the screen on Matplotlib axes; needs Matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default on a new figure. Several plots side by side take no `ax`.

        Returns
        -------
        object
            With `ax_`, `figure_`, `axes_` and `caption_`, as scikit-learn's displays have them.

        Raises
        ------
        TypeError, ValueError
            If `ax` is no axes, or there are several plots for it.
        ImportError
            If Matplotlib is not installed.
        """
        from conformal_roc_widget.draw.matplotlib import plotted

        return plotted(self._scene(), THEMES["light"], ax)

    def chart(self) -> alt.TopLevelMixin:
        """Return the chart on the screen as an Altair chart.

        Returns
        -------
        altair chart
            The view that is chosen, at the alpha on the screen.
        """
        from conformal_roc_widget.draw.altair import chart_of

        chart: alt.TopLevelMixin = chart_of(self._scene(), THEMES["light"])
        return chart

    def close(self) -> None:
        """Close the widget; what its comparators still do ends. Its pictures can still be had."""
        if hasattr(self, "_worker"):  # not where a comparator was refused
            self._worker.close()
            for task in (self._making_ideal, self._making_stops):
                task.end()
            self.on_msg(self._receive, remove=True)
        super().close()

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

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The widget, with a picture and a sentence for viewers that run nothing.

        It waits for nothing: the picture holds those comparators that are there, and the conformal
        band while the ideal model's curve is being sampled.
        """
        shown = super()._repr_mimebundle_()
        if shown is None:
            return None
        data, metadata = shown
        overlaid = self._worker.overlaid(self._key, self.alpha)
        controls = self._controls()
        own = ideal.wanted(self._group, controls)
        if own is not None and not own.no_ideal_curve and not own.has_ideal_candidates:
            controls = controls._replace(band="sensitivity")
        picture, size = still(self._group, controls, overlaid)
        return {**data, **picture}, {**metadata, **size}

    def _page(self, data: DataName, title: str | None = None) -> export.Page:
        """Content of a page: comparators of its first entry too, one of them for more test data."""
        one_of(data, "data", export.DATA)
        export.check_title(title)
        label = self._group.opens_with(self._key)
        self._worker.want(label, sampling=True)
        self._worker.finish(label)
        overlaid = self._worker.overlaid(label, self.alpha, stops_with(self.alpha))
        return export.Page(self._group, self._controls(), data, title, overlaid)

    def _sheet(self, title: str | None, theme: ThemeName, *, caption: bool = True) -> Sheet:
        export.check_title(title)
        colours, scene = theme_of(theme), self._scene(title)
        if not yes_or_no(caption, "caption"):
            scene = scene._replace(lead=(), notes=())
        return laid_out(scene, colours)

    def _scene(self, title: str | None = None) -> Scene:
        """The scene on the screen, with the comparators once they are made."""
        self._worker.finish(self._key)
        overlaid = self._worker.overlaid(self._key, self.alpha)
        return scene_of(self._group, self._controls(), overlaid, heading=title)

    # What the page is sent

    @property
    def _key(self) -> Label:
        """Key of the entry that is looked at; None for a single one, or for all together."""
        return self._given.key_of(self)

    @property
    def _group(self) -> Group:
        """The evaluations under the guarantee that is set."""
        return self._given.with_guarantee(self.guarantee)

    def _send_comparators(self) -> None:
        """Sync the state of the comparators; runs on a thread of theirs, or on the user's."""
        with self._lock:
            label, alpha = self._key, self.alpha
        self._send_message(
            "_comparators", wire.comparators_message(self._worker.overlaid(label, alpha))
        )

    def _send_ideal(self) -> None:
        """Send the ideal model's own curve of the entry on the screen; runs on its own thread."""
        with self._lock:
            controls = self._controls()
        self._send_message("_ideal", ideal_message(self._given, controls))

    def _send_stops_later(self) -> None:
        """Sends the limits on a thread, once the cell is done.

        The first display does not wait for it.
        """
        if not self._worker.closed.wait(STOPS_AFTER):
            self._send_stops()

    def _send_stops(self) -> None:
        """Sync the limits at some alphas, from which a saved notebook moves without a kernel."""
        if not self._stops:
            self._send_message("_stops", wire.stops_message(self._given))

    def _send_message(self, name: str, message: dict[str, Any]) -> None:
        """Sync a message that took time to make, if it is new and the widget is still open."""
        with self._lock:
            if not self._worker.closed.is_set() and message != getattr(self, name):
                setattr(self, name, message)

    def _controls(self) -> Controls:
        return Controls(*(getattr(self, name) for name in Controls._fields))

    # What traits may be

    def __setattr__(self, name: str, value: Any) -> None:
        """Sets a trait; see `check_attribute` for a name that the widget does not have."""
        # A subclass in another module has what attributes it wants; traitlets adds traits by a
        # subclass of the same module.
        own = type(self).__module__ == __name__
        if own and not name.startswith("_") and not hasattr(type(self), name):
            check_attribute(self, name)
        super().__setattr__(name, value)

    def _guarantee_of(self, value: Any) -> str | None:
        if value is not None:
            instance_of(value, "guarantee", str, "a name, or None")
        return self._given.with_guarantee(value).guarantee

    def _view_of(self, value: Any) -> str:
        view = one_of(value, "view", VIEWS)
        if view != "reliability":
            return view
        found = next((e.dependence for e in self._given.entries.values() if e.dependence), "")
        if found:
            raise ValueError(
                f"view: found 'reliability' and {found}, expected another view: the "
                "bounds of the reliability count independent rows"
            )
        return view

    def _positions(self, rows: Any) -> tuple[int, ...]:
        first = next(iter(self._given.entries.values()))
        n = first.labels.size if first.follow_up is None else first.unknown.size
        instance_of(rows, "selected", tuple | list | np.ndarray, "positions in the test set")
        if not all(isinstance(row, int | np.integer) and 0 <= row < n for row in rows):
            raise ValueError(
                f"selected: found {shortened(list(rows))}, expected positions in the test set, "
                f"from 0 to {n - 1}"
            )
        return tuple(map(int, rows))

    # What the page asks for

    @property
    def _setting(self) -> tuple[Any, ...]:
        """The values on which a frame depends."""
        return self.alpha, self.threshold, self.guarantee, self.view == "reliability"

    @traitlets.observe("alpha", "threshold", "guarantee", "view")
    def _follow(self, _change: dict[str, Any]) -> None:
        # Traits that change together are several notifications but one frame.
        with self._lock:
            if self._frame and self._shown != self._setting:
                self._answer()

    # This is declared below `_follow`, so that the frame comes first.
    @traitlets.observe("alpha", "label", "band", "horizon")
    def _want_overlays(self, _change: dict[str, Any] | None = None) -> None:
        if not self._frame or self._worker.closed.is_set():
            return
        self._worker.want(self._key, sampling=self.band == SAMPLING)
        # Sampling takes about a second: the page shows the curve once it is there.
        if ideal.wanted(self._given, self._controls()) is not None:
            self._making_ideal.request()

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take over what a page has set; see `ipywidgets.Widget`.

        Private traits are the kernel's: a page cannot set them. If an error occurs, all stay as
        before.
        """
        public = {name: value for name, value in sync_data.items() if not name.startswith("_")}
        with self._lock, self._failures_last(to_reader=True):
            before = {name: getattr(self, name) for name in public if name in self.keys}
            try:
                super().set_state(public)
            except Exception:
                with self.hold_trait_notifications():
                    for name, value in before.items():
                        self.set_trait(name, value)
                # Pages already have the refused values from ipywidgets, and are sent the old ones.
                self.send_state(list(before))
                raise

    def _answer(self) -> None:
        client, seq = self._request
        self._frame = wire.frame_message(
            self._group, self.alpha, self.threshold, client, seq, self.view
        )
        self._shown = self._setting

    # Who observes

    def unobserve_all(self, name: Any = traitlets.All) -> None:
        """Remove the observers of a trait, or of all; the widget itself goes on following them."""
        super().unobserve_all(name)
        for own in (ROCWidget._follow, ROCWidget._want_overlays):
            self.observe(own, own.trait_names, own.type)

    @contextmanager
    def hold_trait_notifications(self) -> Iterator[None]:
        """Bundle changes; see `traitlets.HasTraits`. Each observer hears, whichever other fails."""
        with self._failures_last(), super().hold_trait_notifications():
            yield

    def notify_change(self, change: Any) -> None:
        """Tell pages and observers of a change; see `ipywidgets.Widget`."""
        # Pages know the values of an answer; changes by observers are sent as usual.
        known = change["name"] in self._answered and self._depth == 0
        notify = traitlets.HasTraits.notify_change if known else anywidget.AnyWidget.notify_change
        self._depth += 1
        try:
            notify(self, change)
        except Exception as error:
            if self._failures is None:
                raise
            self._failures.append(error)
        finally:
            self._depth -= 1

    @contextmanager
    def _failures_last(self, *, to_reader: bool = False) -> Iterator[None]:
        """Raises what observers raised, after all have been called.

        With `to_reader` pages learn of it.
        """
        if self._failures is not None:
            yield
            return
        failures: list[Exception] = []
        self._failures = failures
        try:
            yield
        finally:
            self._failures = None
        if failures and to_reader:
            self.send(wire.observer_message(failures))
        if len(failures) == 1:
            raise failures[0]
        if failures:
            raise ExceptionGroup("observers of the widget failed", failures)

    def _receive(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if content == WANTED:
            self.send({"script": SCRIPT.read_text("utf-8")})
            return
        if (cell := wire.selection_request(content)) is not None:
            self._select(*cell)
            return
        request = wire.state_request(content)
        if request is None:
            return
        # ipywidgets prints the traceback of an observer that has failed.
        with self._lock, self._failures_last(to_reader=True):
            self._apply(*request)

    def _select(self, cell: str, threshold: float) -> None:
        """Selects the rows of a cell of the confusion table that a reader has pressed."""
        evaluation = self._given.looked_at(self._key)
        if evaluation is not None and evaluation.has_single_points:
            self.selected = tuple(evaluation.rows_of(cell, threshold).tolist())

    def _apply(self, client: str, seq: int, since: int, state: dict[str, Any]) -> None:
        if seq < self._newest.get(client, 0):
            return
        self._newest[client] = seq
        self._request = (client, seq)
        try:
            self._take(state, self._news(client, seq, since, state))
        except Exception as error:  # whatever went wrong, the page must hear of it
            self.send(wire.error_message(client, seq, error))
        finally:
            self._request = wire.FROM_PYTHON

    def _news(self, client: str, seq: int, since: int, state: dict[str, Any]) -> dict[str, Any]:
        """What a request says first: a page repeats what it knows no answer to later than `since`.

        Python may have set these traits meanwhile, and spoke last.
        """
        known = self._known_changes.setdefault(client, {})
        news = {
            name: value
            for name, value in state.items()
            if name not in known or known[name][0] <= since or known[name][1] != value
        }
        known.update((name, (seq, value)) for name, value in news.items())
        return news

    def _take(self, asked: Iterable[str], news: dict[str, Any]) -> None:
        """Sets several traits and answers in one message, then observers hear of them; or none."""
        try:
            with self.hold_trait_notifications():
                for name, value in news.items():
                    self.set_trait(name, value)
                try:
                    self._answer()
                except Exception as error:  # traitlets takes all back for this error alone
                    raise traitlets.TraitError(str(error) or type(error).__name__) from error
                names = ("_frame", *asked)
                self.send_state(names)
                self._answered = names
        finally:
            self._answered = ()


def _points(evaluations: Iterable[RocEvaluation]) -> int:
    """Number of test points of several evaluations."""
    return sum(sum(each.n_test.values()) for each in evaluations)


def _of_own_rows(own: RocEvaluation | Mapping[Any, RocEvaluation], name: str) -> dict[str, Any]:
    """First controls of a widget that shows evaluations of test rows alone."""
    several = isinstance(own, Mapping)
    return {"band": SAMPLING} | ({"kind": "classes"} if several else {"name": name})


def _unlike_default(model: ConformalROC) -> dict[str, Any]:
    """Parameters that differ from a model's defaults."""
    usual = ConformalROC(model.estimator).get_params(deep=False)
    given = model.get_params(deep=False)
    same = {
        name
        for name, value in given.items()
        # Arrays and estimators are compared by identity, and numbers by their value.
        if value is usual[name] or (isinstance(value, float) and value == usual[name])
    }
    return {name: value for name, value in given.items() if name not in same}


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
