"""`ROCWidget`: an evaluation on the screen. It computes nothing itself."""

from __future__ import annotations

import math
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import anywidget
import traitlets
from numpy.typing import ArrayLike

from conformal_roc_widget import wire
from conformal_roc_widget.band import ConformalBand, OperatingPoint
from conformal_roc_widget.evaluation import RocEvaluation
from conformal_roc_widget.model import ConformalROC

if TYPE_CHECKING:
    import pandas as pd

STATIC = Path(__file__).parent / "static"


class ROCWidget(anywidget.AnyWidget):
    """ROC curve with its conformal band and two sliders, alpha and the threshold.

    Parameters
    ----------
    evaluation : RocEvaluation
        What to show.
    alpha : float
        Significance level, from 0.001 to 0.5.
    threshold : float
        Threshold of the operating point, from 0 to 1.
    band : {"sensitivity", "specificity", "both"}
        Vertical band, horizontal band, or both.

    Attributes
    ----------
    alpha, threshold, band
        Synced traits: set them, ``observe`` them, ``jslink`` them.

    Raises
    ------
    TypeError
        If `evaluation` is not a RocEvaluation, or a keyword is unknown.
    traitlets.TraitError
        If a trait is set to a value it cannot have; the widget stays as it was.
    """

    _esm = STATIC / "widget.js"
    _css = STATIC / "widget.css"

    alpha = traitlets.Float(0.05, min=0.001, max=0.5).tag(sync=True, echo_update=False)
    threshold = traitlets.Float(0.5, min=0.0, max=1.0).tag(sync=True, echo_update=False)
    band = traitlets.Enum(("sensitivity", "specificity", "both"), "sensitivity").tag(sync=True)
    _data = traitlets.Dict().tag(sync=True)
    _frame = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        evaluation: RocEvaluation,
        *,
        alpha: float = 0.05,
        threshold: float = 0.5,
        band: str = "sensitivity",
    ) -> None:
        if not isinstance(evaluation, RocEvaluation):
            raise TypeError(
                f"evaluation: found {type(evaluation).__name__}, expected a RocEvaluation, as "
                "ConformalROC.evaluate or RocEvaluation.from_predictions return it"
            )
        self._evaluation = evaluation
        self._request = wire.FROM_PYTHON
        # While the kernel is busy JupyterLab sends some messages to a second thread of it, so two
        # may be handled at once, and the later one first.
        self._lock = threading.RLock()
        self._newest: dict[str, int] = {}
        super().__init__(alpha=alpha, threshold=threshold, band=band)
        self._data = wire.data_message(evaluation)
        self._answer()
        self.on_msg(self._receive)

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
        alpha: float = 0.05,
        threshold: float = 0.5,
        band: str = "sensitivity",
        **parameters: Any,
    ) -> Self:
        """Train, calibrate, evaluate and show.

        Parameters
        ----------
        estimator : object
            scikit-learn classifier; see `ConformalROC`.
        X, y : array_like
            Data to train and calibrate on.
        X_test, y_test : array_like
            Test set.
        label : object, optional
            The class that counts as positive; needed for more than two classes.
        alpha, threshold, band
            As for the class.
        **parameters
            Parameters of `ConformalROC`.

        Returns
        -------
        ROCWidget
            The widget.
        """
        model = ConformalROC(estimator, **parameters).fit(X, y)
        evaluation = model.evaluate(X_test, y_test, label)
        return cls(evaluation, alpha=alpha, threshold=threshold, band=band)

    @classmethod
    def from_predictions(
        cls,
        y_calibration: ArrayLike,
        score_calibration: ArrayLike,
        y_test: ArrayLike,
        score_test: ArrayLike,
        *,
        alpha: float = 0.05,
        threshold: float = 0.5,
        band: str = "sensitivity",
    ) -> Self:
        """Show an evaluation made from scores alone.

        Parameters
        ----------
        y_calibration, score_calibration, y_test, score_test : array_like
            As in `RocEvaluation.from_predictions`.
        alpha, threshold, band
            As for the class.

        Returns
        -------
        ROCWidget
            The widget.
        """
        evaluation = RocEvaluation.from_predictions(
            y_calibration, score_calibration, y_test, score_test
        )
        return cls(evaluation, alpha=alpha, threshold=threshold, band=band)

    @property
    def evaluation(self) -> RocEvaluation:
        """What is shown."""
        return self._evaluation

    @property
    def current_band(self) -> ConformalBand:
        """The band on the screen, exact, at all thresholds."""
        return self._evaluation.band(self.alpha)

    @property
    def operating_point(self) -> OperatingPoint:
        """The operating point on the screen."""
        return self._evaluation.operating_point(self.threshold, self.alpha)

    def to_frame(self) -> pd.DataFrame:
        """Return the band on the screen as a table; see `ConformalBand.to_frame`.

        Returns
        -------
        pandas.DataFrame
            One row a threshold.
        """
        return self.current_band.to_frame()

    def __repr__(self) -> str:
        """Short text that does not change between runs."""
        return (
            f"ROCWidget({self._evaluation!r}, alpha={self.alpha:g}, "
            f"threshold={self.threshold:g}, band={self.band!r})"
        )

    @traitlets.validate("alpha", "threshold")
    def _decimal(self, proposal: dict[str, Any]) -> float:
        value = float(proposal["value"])
        if math.isnan(value):
            raise traitlets.TraitError(f"{proposal['trait'].name}: found NaN, expected a number")
        # A slider that counts in floats gives 0.051000000000000004; order statistics are exact for
        # the decimal, and meant is 0.051. A threshold may be a score and keeps every digit.
        return round(value, 10) if proposal["trait"].name == "alpha" else value

    @traitlets.observe("alpha", "threshold")
    def _follow(self, _change: dict[str, Any]) -> None:
        # Two traits that change together are two notifications but one frame.
        with self._lock:
            if self._frame and self._shown() != (self.alpha, self.threshold):
                self._answer()

    def _shown(self) -> tuple[float, float]:
        return self._frame["alpha"], self._frame["threshold"]

    def _answer(self) -> None:
        client, seq = self._request
        self._frame = wire.frame_message(self._evaluation, self.alpha, self.threshold, client, seq)

    def _receive(self, _widget: Any, content: Any, _buffers: Any) -> None:
        request = wire.state_request(content)
        if request is None:
            return
        with self._lock:
            self._meet(*request)

    def _meet(self, client: str, seq: int, state: dict[str, Any]) -> None:
        if seq < self._newest.get(client, 0):
            return
        self._newest[client] = seq
        self._request = (client, seq)
        try:
            self.set_state(state)
            if (self._frame["client"], self._frame["seq"]) != self._request:
                self._answer()
        except Exception as error:  # whatever went wrong, the page must hear of it
            self.send(wire.error_message(client, seq, error))
        finally:
            self._request = wire.FROM_PYTHON
