"""`ROCWidget`: evaluations on the screen. It computes nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.calibration.parameters import GUARANTEES
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import one_of
from conformal_roc_widget.comparators import ComparatorBand
from conformal_roc_widget.estimator import ConformalROC
from conformal_roc_widget.evaluation.average import average_bands
from conformal_roc_widget.evaluation.band import ConformalBand, OperatingPoint
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.view.controls import Controls, Label
from conformal_roc_widget.view.evaluation_group import Group
from conformal_roc_widget.widget.exports import ExportingWidget

if TYPE_CHECKING:
    import pandas as pd
    from sklearn.model_selection import FixedThresholdClassifier

Answer = TypeVar("Answer")
#: Arguments of the class that `ROCWidget.from_estimator` passes on.
SHOWN = ("alpha", "threshold", "band", "view", "prevalence", "cost_ratio", "comparators", "truth")
STATIC = Path(__file__).parents[1] / "static"


class ROCWidget(ExportingWidget):
    """ROC curve with its conformal band and two sliders, alpha and the threshold.

    Parameters
    ----------
    evaluation : RocEvaluation or mapping of label to RocEvaluation
        What to show. A mapping holds the classes of one test set, as `ConformalROC.evaluate_all`
        returns it; or, where all have the same true labels, several classifiers; or populations, as
        `ConformalROC.evaluate_by` returns them.
    kind : {"classifiers", "classes", "populations"}, optional
        What the evaluations of a mapping are to each other, where that cannot be seen from them.
    alpha : float
        Significance level, from 0.001 to 0.5.
    threshold : float
        Threshold of the operating point, from 0 to 1.
    band : {"sensitivity", "specificity", "both", "ideal", "sampling"}
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

    Attributes
    ----------
    alpha, threshold, band, label, weights, view, prevalence, cost_ratio, guarantee, page
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

    _esm = STATIC / "widget.js"

    def __init__(
        self,
        evaluation: RocEvaluation | Mapping[Any, RocEvaluation],
        *,
        kind: str | None = None,
        alpha: float = 0.05,
        threshold: float = 0.5,
        band: str = "sensitivity",
        label: Any = None,
        weights: str = "size",
        view: str = "roc",
        prevalence: float | None = None,
        cost_ratio: float | None = None,
        guarantee: str | None = None,
        comparators: Iterable[str] = (),
        truth: ArrayLike | None = None,
        page: dict[str, Any] | None = None,
    ) -> None:
        group = Group.of(evaluation, kind)
        self._evaluation = evaluation
        shown = group.guarantee if guarantee is None else guarantee
        use = prevalence, cost_ratio
        controls = Controls(alpha, threshold, band, label, weights, view, *use, shown, page)
        super().__init__(group, controls, comparators, truth)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        X_test: Any,
        y_test: ArrayLike,
        *,
        label: Any = None,
        pos_label: Any = None,
        guarantee: str = "individual",
        **parameters: Any,
    ) -> Self:
        """Train, calibrate, evaluate and show.

        Parameters
        ----------
        estimator : object
            scikit-learn classifier; see `ConformalROC`. One that was fitted already is trained
            again on a part of `X`, and a note says so; ``FrozenEstimator(classifier)`` is kept as
            it is, and `X` must then hold rows that it has not seen.
        X, y : array_like
            Data to train and calibrate on.
        X_test, y_test : array_like
            Test set.
        label : object, optional
            The class that counts as positive. By default, of more than two classes each is shown
            against the rest.
        pos_label : label, optional
            The same under scikit-learn's name.
        guarantee : {"individual", "curve", "simultaneous", "everywhere"}
            As for `ConformalROC.evaluate`.
        **parameters
            Parameters of `ConformalROC`; and as for the class alpha, threshold, band, view,
            prevalence, cost_ratio, comparators, truth.

        Returns
        -------
        ROCWidget
            The widget.
        """
        shown = {name: parameters.pop(name) for name in SHOWN if name in parameters}
        _check_before_the_fit(shown.get("alpha", 0.05), guarantee, X, y, X_test)
        model = ConformalROC(estimator, **parameters).fit(X, y)
        evaluation: RocEvaluation | Mapping[Any, RocEvaluation]
        kind = None
        if label is None and pos_label is None and len(model.classes_) > 2:
            evaluation = model.evaluate_all(X_test, y_test, guarantee=guarantee)
            kind = "classes"
        else:
            evaluation = model.evaluate(
                X_test, y_test, label, pos_label=pos_label, guarantee=guarantee
            )
        return cls(evaluation, kind=kind, **shown)

    @classmethod
    def from_predictions(
        cls,
        y_calibration: ArrayLike,
        score_calibration: ArrayLike,
        y_test: ArrayLike,
        score_test: ArrayLike,
        *,
        guarantee: str = "individual",
        reference: str = "kernel",
        pos_label: Any = None,
        **controls: Any,
    ) -> Self:
        """Show an evaluation made from scores alone.

        Parameters
        ----------
        y_calibration, score_calibration, y_test, score_test : array_like
            As in `RocEvaluation.from_predictions`.
        guarantee : {"individual", "simultaneous"}
            As there.
        reference : {"kernel", "sharp"}
            As there.
        pos_label : label, optional
            The positive class, whose probabilities the scores are.
        **controls
            As for the class: alpha, threshold, band, view, ...

        Returns
        -------
        ROCWidget
            The widget.
        """
        evaluation = RocEvaluation.from_predictions(
            *(y_calibration, score_calibration, y_test, score_test),
            guarantee=guarantee,
            reference=reference,
            pos_label=pos_label,
        )
        return cls(evaluation, **controls)

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
        guarantee: str = "individual",
        reference: str = "kernel",
        **controls: Any,
    ) -> Self:
        """Show the folds of a cross-validation.

        Parameters
        ----------
        cv_results, X, y, sample_weight, groups, pos_label, guarantee, reference
            As in `RocEvaluation.from_cv_results`.
        **controls
            As for the class: alpha, threshold, band, label, ...

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
        return cls(folds, **controls)

    @property
    def evaluation(self) -> RocEvaluation | Mapping[Any, RocEvaluation]:
        """The evaluation that is looked at, or the mapping where it is all of them together."""
        looked_at = self._group.looked_at(self.label)
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
        if self._group.kind == "classes" and self._group.looked_at(self.label) is None:
            return average_bands(self._group.entries, self.alpha, self.weights)
        return self._asked(lambda evaluation: evaluation.band(self.alpha))

    @property
    def operating_point(self) -> OperatingPoint | dict[Label, OperatingPoint]:
        """The operating point on the screen; of several evaluations a dict of their points."""
        return self._asked(lambda each: each.operating_point(self.threshold, self.alpha))

    def _asked(self, ask: Callable[[RocEvaluation], Answer]) -> Answer | dict[Label, Answer]:
        """The answer of the evaluation that is looked at; of several a dict of their answers."""
        looked_at = self._group.looked_at(self.label)
        if looked_at is not None:
            return ask(looked_at)
        return {label: ask(each) for label, each in self._group.entries.items()}

    @property
    def comparators(self) -> Mapping[str, ComparatorBand]:
        """Key -> comparator's band of the evaluation that is looked at, at this alpha.

        Waits until all are made. Empty where several evaluations are looked at together. Raises
        RuntimeError if one failed, or the widget is closed.
        """
        return MappingProxyType(self._worker.bands(self.label, self.alpha))

    def to_classifier(self) -> FixedThresholdClassifier:
        """The fitted classifier with the threshold on the screen.

        Returns
        -------
        sklearn.model_selection.FixedThresholdClassifier
            See `RocEvaluation.to_classifier`.

        Raises
        ------
        ValueError
            If several evaluations are looked at together, or no single classifier of two classes
            gave the scores, as from scores alone.
        """
        evaluation = self._group.looked_at(self.label)
        if evaluation is None:
            raise ValueError(
                "to_classifier: found several evaluations looked at together, expected one: set "
                "label"
            )
        return evaluation.to_classifier(self.threshold)

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
        self._worker.wait(self.label, timeout)
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

    def __repr__(self) -> str:
        """Short text that does not change between runs."""
        several = self._group.kind != "single"
        return (
            f"ROCWidget({self._evaluation!r}, alpha={self.alpha:g}, "
            f"threshold={self.threshold:g}, band={self.band!r}"
            + (f", label={self.label!r}, weights={self.weights!r})" if several else ")")
        )


def _check_before_the_fit(alpha: Any, guarantee: Any, X: Any, y: Any, X_test: Any) -> None:
    """Refuses what a fit of minutes would find out too late."""
    exact_alpha(alpha)
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
