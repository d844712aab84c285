"""Declares those methods of `ROCWidget` that return what its screen shows as Python values.

The trait `band` decides which limits the screen shows: conformal limits for the ideal model
("sensitivity", "specificity", "both"), limits for this classifier in the population ("sampling"),
the ideal model's own curve ("ideal"), or none ("none").
"""

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
#: If `band` has one of these values, the screen shows no conformal limits.
OTHER_LIMITS = (SAMPLING, IDEAL, NO_BAND)


class AskedWidget(SyncedWidget):
    """The methods of `ROCWidget` that return the figures on its screen."""

    _evaluation: RocEvaluation | Mapping[Any, RocEvaluation]

    @property
    def evaluation(self) -> RocEvaluation | Mapping[Any, RocEvaluation]:
        """The evaluation on the screen. If several are shown together, a mapping of them."""
        looked_at = self._group.looked_at(self._key)
        if looked_at is not None:
            return looked_at
        assert isinstance(self._evaluation, Mapping)
        every = dict(zip(self._evaluation, self._group.entries.values(), strict=True))
        same = all(each is self._evaluation[name] for name, each in every.items())
        return self._evaluation if same else every

    @property
    def current_band(self) -> Band | dict[Label, Band] | None:
        """The band on the screen at the widget's alpha. None if there is none.

        It is a `ConformalBand`. If `band` is ``"sampling"``, it is a `ComparatorBand`, and the
        property waits until this is computed. If `band` is ``"ideal"``, it is an `IdealCurve`, or
        None if the evaluation has no ideal curve, as with scores alone. If classes are shown
        together, it is the average of their bands or, with ``"sampling"``, a dict. If other
        evaluations are shown together, it is a dict. ``evaluation.band(alpha)``,
        ``evaluation.ideal_curve(alpha)`` and `comparators` return other bands.
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
        """Returns the sampling band of the evaluation `label`. None if it has none yet."""
        if self.looks == "any":
            evaluation = self._group.entries[label]
            return ks_band(evaluation.labels, evaluation.scores, self.alpha, looks="any")
        self._worker.want(label, sampling=True)
        bands = self._worker.bands(label, self.alpha, every=True).values()
        return next((band for band in bands if band.promise.kind == "sampling"), None)

    @property
    def operating_point(self) -> OperatingPoint | dict[Label, OperatingPoint]:
        """The operating point on the screen, with the limits that `band` selects.

        If `band` is ``"sampling"`` and test rows are independent and have equal weight, limits are
        exact. Otherwise they use the effective sample size. A limit that the screen does not show
        is NaN. If several evaluations are shown together, the result is a dict.
        ``evaluation.operating_point(threshold, alpha)`` always has the conformal limits.
        """
        return self._of_each(self._point_of)

    def _point_of(self, evaluation: RocEvaluation) -> OperatingPoint:
        """Returns the operating point of one evaluation, with the limits that `band` selects."""
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
        """Whether `band` is "ideal" although the evaluation has no ideal curve."""
        return self.band == IDEAL and bool(evaluation.no_ideal_curve)

    @property
    def _has_other_limits(self) -> bool:
        """Whether the screen shows other limits than the conformal ones, or none.

        If several evaluations are shown together, "ideal" shows the conformal limits.
        """
        alone = self._group.looked_at(self._key) is not None
        return self.band in OTHER_LIMITS and (alone or self.band != IDEAL)

    @property
    def auc(self) -> SamplingInterval | AucRange | dict[Label, Any]:
        """Returns the area under the curve, with the limits that `band` selects.

        If `band` is ``"sampling"`` or ``"none"``, the limits are those of `RocEvaluation.auc` (at
        every look if `looks` is ``"any"``). If it is ``"ideal"``, they are those of the ideal
        model's own curve. Otherwise they are those of `RocEvaluation.ideal_auc_range`. If several
        evaluations are shown together, the result is a dict.
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
        """Returns a threshold with the wanted rates, for the evaluation on the screen.

        See `RocEvaluation.threshold_for`.

        If several evaluations are shown, the result is a dict. The `threshold` of the widget does
        not change. To change it, set it to the result.
        """
        asked = wishes if confidence is None else wishes | {"confidence": confidence}
        return self._of_each(lambda each: each.threshold_for(**asked))

    def _of_each(self, ask: Callable[[RocEvaluation], Answer]) -> Answer | dict[Label, Answer]:
        """Calls `ask` with the selected evaluation. If several are shown, returns a dict."""
        looked_at = self._group.looked_at(self._key)
        if looked_at is not None:
            return ask(looked_at)
        return {label: ask(each) for label, each in self._group.entries.items()}

    @property
    def comparators(self) -> Mapping[str, ComparatorBand]:
        """The bands of comparators for the selected evaluation at this alpha, by their keys.

        These are the comparators that the user chose, and the one whose band is on the screen. The
        property waits until all of them are computed. If several evaluations are shown together,
        the mapping is empty. If a comparator failed or the widget is closed, a RuntimeError is
        raised.
        """
        shown = self.band == SAMPLING
        return MappingProxyType(self._worker.bands(self._key, self.alpha, every=shown))

    def to_classifier(self) -> FixedThresholdClassifier:
        """Returns the fitted classifier with the threshold on the screen.

        Returns
        -------
        sklearn.model_selection.FixedThresholdClassifier
            The classifier. See `RocEvaluation.to_classifier`. If the threshold keeps the goal in
            the population, the text of the classifier says so.

        Raises
        ------
        ValueError
            If several evaluations are shown together, or if the scores do not come from a single
            classifier of two classes, as with scores alone.
        """
        evaluation = self._group.looked_at(self._key)
        if evaluation is None:
            raise ValueError(
                "to_classifier: found several evaluations shown together, expected one: set label"
            )
        return evaluation.to_classifier(self._kept_threshold(evaluation) or self.threshold)

    def _kept_threshold(self, evaluation: RocEvaluation) -> PopulationThreshold | None:
        """Returns the threshold on the screen with its guarantee, if it keeps the goal.

        Otherwise returns None. The goal must be kept in the population.
        """
        # If limits hold at every look, no threshold can be guaranteed to keep a goal.
        if not self.goal or evaluation.dependence or evaluation.error or self.looks == "any":
            return None
        confidence = float(1 - exact_alpha(self.alpha))
        found = evaluation.threshold_for(**self.goal, confidence=confidence)
        assert isinstance(found, PopulationThreshold)
        return found.moved_to(self.threshold)

    def wait(self, timeout: float | None = None) -> None:
        """Waits until comparators and simultaneous limits are computed, and sends them to the page.

        If a notebook runs without a browser, only what is sent while a cell runs is saved. If a
        cell calls this method, the comparators are saved with the widget.

        Parameters
        ----------
        timeout : float, optional
            The longest time to wait, in seconds.

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
        """Returns the curve on the screen with its band, as a table.

        Returns
        -------
        pandas.DataFrame
            A row for each threshold: `threshold`, `fpr`, `tpr`, and the limits of the band, as in
            `ConformalBand.to_frame`. If `band` is ``"sampling"``, the limits are those of
            `operating_point` at each threshold. If it is ``"ideal"``, the table is that of
            `IdealCurve.to_frame`. If several evaluations are shown together, the first column is
            ``label``. For classes with conformal limits, the table is the average of their bands.
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
        """Returns the curve of one evaluation as a table, with the limits that `band` selects."""
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
