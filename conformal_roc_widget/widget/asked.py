"""What the screen shows, as Python values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, Unpack, overload

import numpy as np

from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.comparators import ComparatorBand, ks_band
from conformal_roc_widget.evaluation.average import average_bands
from conformal_roc_widget.evaluation.band import AucRange, ConformalBand, OperatingPoint
from conformal_roc_widget.evaluation.decided import Wishes
from conformal_roc_widget.evaluation.decisions.population_threshold import PopulationThreshold
from conformal_roc_widget.evaluation.estimate import SamplingInterval
from conformal_roc_widget.evaluation.ideal_curve import IdealCurve
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.names import lists
from conformal_roc_widget.shown.controls import IDEAL, NO_BAND, SAMPLING, Label

from .synced import SyncedWidget

if TYPE_CHECKING:
    import pandas as pd
    from sklearn.model_selection import FixedThresholdClassifier


Answer = TypeVar("Answer")
Band: TypeAlias = ConformalBand | ComparatorBand | IdealCurve
#: Bands whose limits are not those of the conformal band.
OTHER_LIMITS = (SAMPLING, IDEAL, NO_BAND)


class AskedWidget(SyncedWidget):
    """Methods of a widget for the figures on its screen."""

    _evaluation: RocEvaluation | Mapping[Any, RocEvaluation]

    @property
    def evaluation(self) -> RocEvaluation | Mapping[Any, RocEvaluation]:
        """The evaluation on the screen; the mapping if all are shown together."""
        looked_at = self._group.looked_at(self._key)
        if looked_at is not None:
            return looked_at
        assert isinstance(self._evaluation, Mapping)
        every = dict(zip(self._evaluation, self._group.entries.values(), strict=True))
        same = all(each is self._evaluation[name] for name, each in every.items())
        return self._evaluation if same else every

    @property
    def current_band(self) -> Band | dict[Label, Band] | None:
        """The band of the question on the screen, at this alpha; None if none is shown.

        It is also None if an ideal model has no curve of its own, as with scores alone.

        A `ConformalBand`; for this classifier with more test data a `ComparatorBand`, waited for;
        or an `IdealCurve`. Of classes together it is their average, of classifiers together a dict
        of their bands; with more test data each has its own. The others are
        ``evaluation.band(alpha)``, ``evaluation.ideal_curve(alpha)`` and `comparators`.
        """
        looked_at = self._group.looked_at(self._key)
        alone = looked_at is not None
        if self.band == NO_BAND or (looked_at is not None and self._lacks_ideal(looked_at)):
            return None
        if self.band == SAMPLING:
            if alone:
                return self._sampled(self._key)
            every = {label: self._sampled(label) for label in self._group.entries}
            self._worker.want(self._key, sampling=True)
            return {label: band for label, band in every.items() if band is not None}
        if self._group.kind == "classes" and not alone:
            return average_bands(self._group.entries, self.alpha, self.weights)
        is_own = alone and self.band == IDEAL
        return self._of_each(
            lambda each: each.ideal_curve(self.alpha) if is_own else each.band(self.alpha)
        )

    def _sampled(self, label: Label) -> ComparatorBand | None:
        """The first question's band of an entry, as the page draws it; None if it has none."""
        if self.looks == "any":
            evaluation = self._group.entries[label]
            return ks_band(evaluation.labels, evaluation.scores, self.alpha, looks="any")
        self._worker.want(label, sampling=True)
        bands = self._worker.bands(label, self.alpha, every=True).values()
        return next((band for band in bands if band.promise.kind == "sampling"), None)

    @property
    def operating_point(self) -> OperatingPoint | dict[Label, OperatingPoint]:
        """The operating point on the screen, with the limits of the question in front.

        With more test data these are exact where test rows count alike, and else as the exact ones
        of as many rows as vary alike. A limit that the screen has not is NaN. If several
        evaluations are shown, a dict of their points; of one
        ``evaluation.operating_point(threshold, alpha)`` has an ideal model's limits.
        """
        return self._of_each(self._point_of)

    def _point_of(self, evaluation: RocEvaluation) -> OperatingPoint:
        """The point of one evaluation."""
        point = evaluation.operating_point(self.threshold, self.alpha)
        if not self._has_other_limits:
            return point
        if self.band == SAMPLING:
            sampled = evaluation.sampled_point(self.threshold, self.alpha, self.looks)
            if sampled is not None:
                return sampled
        none = (math.nan, math.nan)
        if self.band != IDEAL or self._lacks_ideal(evaluation):
            return point.with_limits((none, none), point.promise.replaced(kind="none"))
        band = evaluation.ideal_curve(self.alpha)
        limits = (np.interp(point.fpr, band.fpr, end) for end in (band.tpr_lower, band.tpr_upper))
        low, high = (float(limit) for limit in limits)
        return point.with_limits((none, (low, high)), band.promise)

    def _lacks_ideal(self, evaluation: RocEvaluation) -> bool:
        """Whether an ideal model's curve is asked for, and the screen tells why there is none."""
        return self.band == IDEAL and bool(evaluation.no_ideal_curve)

    @property
    def _has_other_limits(self) -> bool:
        """Whether limits are not those of the conformal band; several have no ideal curve."""
        alone = self._group.looked_at(self._key) is not None
        return self.band in OTHER_LIMITS and (alone or self.band != IDEAL)

    @property
    def auc(self) -> SamplingInterval | AucRange | dict[Label, Any]:
        """The area under the curve with the limits of the question in front.

        With more test data, or where no band is shown or can be, those of `RocEvaluation.auc`, at
        every look if `looks` is ``"any"``; of an ideal model those of
        `RocEvaluation.ideal_auc_range`, or of its own curve. If several evaluations are shown, a
        dict.
        """
        return self._of_each(self._area_of)

    def _area_of(self, evaluation: RocEvaluation) -> Any:
        alone = self._group.looked_at(self._key) is not None
        if self.band == IDEAL and alone and not self._lacks_ideal(evaluation):
            return evaluation.ideal_curve(self.alpha).auc
        if self.band in OTHER_LIMITS:
            return evaluation.sampled.sampled_auc(self.alpha, self.looks)
        return evaluation.ideal_auc_range(self.alpha)

    @overload
    def threshold_for(self, **wishes: Unpack[Wishes]) -> float | Any: ...

    @overload
    def threshold_for(
        self, *, confidence: float, **wishes: Unpack[Wishes]
    ) -> PopulationThreshold | Any: ...

    @lists(Wishes, RocEvaluation.threshold_for)
    def threshold_for(self, *, confidence: float | None = None, **wishes: Any) -> Any:
        """A threshold that a rule chooses; see `RocEvaluation.threshold_for`.

        If several evaluations are shown, a dict of their thresholds. The widget's own `threshold`
        stays: set it to what comes out.
        """
        asked = wishes if confidence is None else wishes | {"confidence": confidence}
        return self._of_each(lambda each: each.threshold_for(**asked))

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

        Those that were asked for, and the one that the screen shows. Waits until all are made.
        Empty where several evaluations are looked at together. Raises RuntimeError if one failed,
        or the widget is closed.
        """
        shown = self.band == SAMPLING
        return MappingProxyType(self._worker.bands(self._key, self.alpha, every=shown))

    def to_classifier(self) -> FixedThresholdClassifier:
        """The fitted classifier with the threshold on the screen.

        Returns
        -------
        sklearn.model_selection.FixedThresholdClassifier
            See `RocEvaluation.to_classifier`. Where the threshold keeps the goal in the
            population, its text says so.

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
        """The threshold on the screen with the goal that it keeps in the population, if it does."""
        # At every look nothing keeps a goal.
        if not self.goal or evaluation.dependence or evaluation.error or self.looks == "any":
            return None
        confidence = float(1 - exact_alpha(self.alpha))
        found = evaluation.threshold_for(**self.goal, confidence=confidence)
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
        """Return the curve on the screen, with its band, as a table.

        Returns
        -------
        pandas.DataFrame
            One row a threshold: `threshold`, `fpr`, `tpr`, and the limits that the band has; see
            `ConformalBand.to_frame`; with more test data those of `operating_point` at each
            threshold; or an ideal model's own curve, see `IdealCurve.to_frame`. Of several
            evaluations a first column ``label``; of classes with conformal limits their average.
        """
        together = self._group.looked_at(self._key) is None
        if together and self._group.kind == "classes" and self.band not in (SAMPLING, NO_BAND):
            return average_bands(self._group.entries, self.alpha, self.weights).to_frame()
        tables = self._of_each(self._frame_of)
        if not isinstance(tables, dict):
            return tables
        import pandas as pd

        frame = pd.concat([t.assign(label=label) for label, t in tables.items()], ignore_index=True)
        frame.insert(0, "label", frame.pop("label"))
        frame.attrs["alpha"] = self.alpha
        return frame

    def _frame_of(self, evaluation: RocEvaluation) -> pd.DataFrame:
        """The curve of one evaluation with the limits of the question in front."""
        frame = evaluation.band(self.alpha).to_frame()
        if not self._has_other_limits:
            return frame
        lacks = self._lacks_ideal(evaluation)
        if self.band == IDEAL and not lacks:
            return evaluation.ideal_curve(self.alpha).to_frame()
        frame = frame[["threshold", "fpr", "tpr"]].copy()
        if self.band == NO_BAND or lacks:
            return frame
        settled = evaluation.sampled.settled_over(frame["threshold"].to_numpy())
        if settled is not None:
            rates = settled.rates(self.alpha, self.looks)
            for rate, (low, high) in zip(("fpr", "tpr"), rates, strict=True):
                frame[f"{rate}_lower"], frame[f"{rate}_upper"] = low, high
        return frame
