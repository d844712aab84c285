"""What the screen shows, as Python values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.comparators import ComparatorBand
from conformal_roc_widget.evaluation.average import average_bands
from conformal_roc_widget.evaluation.band import ConformalBand, OperatingPoint
from conformal_roc_widget.evaluation.decisions.population_threshold import PopulationThreshold
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.shown.controls import Label
from conformal_roc_widget.widget.synced import SyncedWidget

if TYPE_CHECKING:
    import pandas as pd
    from sklearn.model_selection import FixedThresholdClassifier


Answer = TypeVar("Answer")


class AskedWidget(SyncedWidget):
    """What is asked of a widget: its figures are those of the screen."""

    _evaluation: RocEvaluation | Mapping[Any, RocEvaluation]

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
        if not self.goal or evaluation.dependence or evaluation.error:
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
