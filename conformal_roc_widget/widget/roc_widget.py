"""`ROCWidget`: evaluations on the screen. It computes nothing itself.

Messages of a page may come on two threads, and a third tells of the comparators: what is synced
changes under one lock.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import anywidget
import traitlets
from numpy.typing import ArrayLike

from conformal_roc_widget.comparators import ComparatorBand
from conformal_roc_widget.estimator import ConformalROC
from conformal_roc_widget.evaluation.average import average_bands
from conformal_roc_widget.evaluation.band import ConformalBand, OperatingPoint
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.files import check_place
from conformal_roc_widget.view import figure
from conformal_roc_widget.view.comparator_state import Overlaid
from conformal_roc_widget.view.controls import Controls, Label
from conformal_roc_widget.view.evaluation_group import Group
from conformal_roc_widget.view.png import png
from conformal_roc_widget.view.svg import Drawing, draw
from conformal_roc_widget.widget import html as export
from conformal_roc_widget.widget.comparator_worker import ComparatorWorker
from conformal_roc_widget.widget.frame import FramedPage, framed
from conformal_roc_widget.wire import messages as wire
from conformal_roc_widget.wire.budget import stops_with

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

STATIC = Path(__file__).parents[1] / "static"


class ROCWidget(anywidget.AnyWidget):
    """ROC curve with its conformal band and two sliders, alpha and the threshold.

    Parameters
    ----------
    evaluation : RocEvaluation or mapping of label to RocEvaluation
        What to show. A mapping holds the classes of one test set, as `ConformalROC.evaluate_all`
        returns it, or, where all have the same true labels, several classifiers.
    alpha : float
        Significance level, from 0.001 to 0.5.
    threshold : float
        Threshold of the operating point, from 0 to 1.
    band : {"sensitivity", "specificity", "both"}
        Vertical band, horizontal band, or both.
    label : str, int, float or bool, optional
        Key of the evaluation to look at; by default all of them together.
    weights : {"size", "uniform"}
        What weighs a class in the average; see `average_bands`.
    comparators : iterable of {"bootstrap", "simultaneous", "working_hotelling", "ks"}
        Other people's bands to lay over the one evaluation that is looked at; see
        `conformal_roc_widget.comparators`. The second and the third need rocci. They are made in
        the background, with 2000 replicates and always the same seed, once for each evaluation:
        a new alpha samples nothing anew. The Working-Hotelling band is made from the logits of the
        scores.

    Attributes
    ----------
    alpha, threshold, band, label, weights
        Synced traits: set them, ``observe`` them, ``jslink`` them.

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
    _css = STATIC / "widget.css"

    alpha = traitlets.Float(0.05, min=0.001, max=0.5).tag(sync=True, echo_update=False)
    threshold = traitlets.Float(0.5, min=0.0, max=1.0).tag(sync=True, echo_update=False)
    band = traitlets.Enum(("sensitivity", "specificity", "both"), "sensitivity").tag(sync=True)
    label = traitlets.Any(None).tag(sync=True)
    weights = traitlets.Enum(("size", "uniform"), "size").tag(sync=True)
    _data = traitlets.Dict().tag(sync=True)
    _frame = traitlets.Dict().tag(sync=True)
    _comparators = traitlets.Dict().tag(sync=True)

    #: None until an argument is known to be right.
    _overlays: ComparatorWorker | None = None

    def __init__(
        self,
        evaluation: RocEvaluation | Mapping[Any, RocEvaluation],
        *,
        alpha: float = 0.05,
        threshold: float = 0.5,
        band: str = "sensitivity",
        label: Any = None,
        weights: str = "size",
        comparators: Iterable[str] = (),
    ) -> None:
        self._group = Group.of(evaluation)
        overlays = ComparatorWorker(self._group, comparators, self._tell_of_comparators)
        self._evaluation = evaluation
        self._request = wire.FROM_PYTHON
        # While the kernel is busy JupyterLab sends some messages to a second thread of it, so two
        # may be handled at once, and the later one first.
        self._lock = threading.RLock()
        self._newest: dict[str, int] = {}
        super().__init__(alpha=alpha, threshold=threshold, band=band, label=label, weights=weights)
        self._data = wire.data_message(self._group)
        self._answer()
        self.on_msg(self._receive)
        self._overlays = overlays
        overlays.want(self.label)

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
        comparators: Iterable[str] = (),
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
            The class that counts as positive. By default, of more than two classes each is shown
            against the rest.
        alpha, threshold, band, comparators
            As for the class.
        **parameters
            Parameters of `ConformalROC`.

        Returns
        -------
        ROCWidget
            The widget.
        """
        model = ConformalROC(estimator, **parameters).fit(X, y)
        evaluation: RocEvaluation | Mapping[Any, RocEvaluation]
        if label is None and len(model.classes_) > 2:
            evaluation = model.evaluate_all(X_test, y_test)
        else:
            evaluation = model.evaluate(X_test, y_test, label)
        return cls(evaluation, alpha=alpha, threshold=threshold, band=band, comparators=comparators)

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
        comparators: Iterable[str] = (),
    ) -> Self:
        """Show an evaluation made from scores alone.

        Parameters
        ----------
        y_calibration, score_calibration, y_test, score_test : array_like
            As in `RocEvaluation.from_predictions`.
        alpha, threshold, band, comparators
            As for the class.

        Returns
        -------
        ROCWidget
            The widget.
        """
        evaluation = RocEvaluation.from_predictions(
            y_calibration, score_calibration, y_test, score_test
        )
        return cls(evaluation, alpha=alpha, threshold=threshold, band=band, comparators=comparators)

    @property
    def evaluation(self) -> RocEvaluation | Mapping[Any, RocEvaluation]:
        """What is looked at: one evaluation, or the mapping where it is all of them together."""
        looked_at = self._group.looked_at(self.label)
        return self._evaluation if looked_at is None else looked_at

    @property
    def current_band(self) -> ConformalBand | dict[Label, ConformalBand]:
        """The band on the screen, exact, at all thresholds.

        Of classes together it is their average, of classifiers together a dict of their bands.
        """
        looked_at = self._group.looked_at(self.label)
        if looked_at is not None:
            return looked_at.band(self.alpha)
        if self._group.kind == "classes":
            return average_bands(self._group.entries, self.alpha, self.weights)
        return {label: each.band(self.alpha) for label, each in self._group.entries.items()}

    @property
    def operating_point(self) -> OperatingPoint | dict[Label, OperatingPoint]:
        """The operating point on the screen; of several evaluations a dict of their points."""
        looked_at = self._group.looked_at(self.label)
        if looked_at is not None:
            return looked_at.operating_point(self.threshold, self.alpha)
        return {
            label: each.operating_point(self.threshold, self.alpha)
            for label, each in self._group.entries.items()
        }

    @property
    def comparators(self) -> Mapping[str, ComparatorBand]:
        """Key -> comparator's band of the evaluation that is looked at, at this alpha.

        Waits until all are made. Empty where several evaluations are looked at together. Raises
        RuntimeError if one failed, or the widget is closed.
        """
        return MappingProxyType(self._laid_over().bands(self.label, self.alpha))

    def wait(self, timeout: float | None = None) -> None:
        """Wait until the comparators are made, and send them to the page.

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
        self._laid_over().wait(self.label, timeout)
        self._tell_of_comparators()
        with self._lock:
            self.send_state("_comparators")

    def close(self) -> None:
        """Close the widget; what its comparators still do ends."""
        if self._overlays is not None:
            self._overlays.close()
        super().close()

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

    def to_html(
        self, path: str | os.PathLike[str], *, data: str = "arrays", title: str | None = None
    ) -> Path:
        """Write a page that goes on working without a kernel and without a network.

        Waits for the comparators, which the page holds at some alphas.

        Parameters
        ----------
        path : path-like
            The file; an old one is replaced once the new one is whole.
        data : {"arrays", "curves"}
            ``"arrays"`` puts sorted scores, logits and residuals into the page, from which it
            computes the band at any alpha; ``"curves"`` puts only curves into it, made for some
            alphas ahead. Neither holds features, identifiers or the order of rows.
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
        overlaid = self._overlaid(stops_with(self.alpha))
        return export.write_html(
            path, self._group, self._controls(), data=data, title=title, overlaid=overlaid
        )

    def as_html(self, height: int | None = None, *, data: str = "arrays") -> FramedPage:
        """The standalone page as an ordinary HTML output of a notebook.

        It moves in every viewer that shows HTML outputs and runs their scripts, also where the
        widget's state is dropped: after re-opening and saving, in Colab, on nbviewer, in what
        nbconvert or Quarto write. Waits for the comparators, as `to_html` does.

        Parameters
        ----------
        height : int, optional
            Pixels. Where the host lets it, the height follows the content.
        data : {"arrays", "curves"}
            As in `to_html`.

        Returns
        -------
        FramedPage
            Its ``_repr_html_`` is a sandboxed ``iframe`` whose scripts reach nothing outside it.

        Raises
        ------
        TypeError, ValueError
            If `height` is no whole number of at least 1, or `data` is something else.
        """
        overlaid = self._overlaid(stops_with(self.alpha))
        page = export.html(self._group, self._setting(), data=data, overlaid=overlaid)
        return framed(page, height)

    def embed(
        self,
        folder: str | os.PathLike[str],
        *,
        url: str = "",
        data: str = "arrays",
        title: str | None = None,
    ) -> str:
        """Put the chart into a web page: write script and style once, return the HTML for it.

        Parameters
        ----------
        folder : path-like
            Where the script and the style are to be.
        url : str
            Address of that folder as the page sees it, such as ``"assets"``; by default the page
            lies in the folder.
        data : {"arrays", "curves"}
            As for `to_html`.
        title : str, optional
            For the payload.

        Returns
        -------
        str
            A ``<link>``, the payload, and a ``<script type="module">``.

        Raises
        ------
        TypeError, ValueError
            If the folder does not exist, or `data` is something else.
        """
        overlaid = self._overlaid(stops_with(self.alpha))
        return export.embed(
            folder,
            self._group,
            self._controls(),
            url=url,
            data=data,
            title=title,
            overlaid=overlaid,
        )

    def to_svg(
        self, path: str | os.PathLike[str], *, title: str | None = None, theme: str = "light"
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
        return export.write(check_place(path), self._drawing(title, theme).svg.encode())

    def to_png(
        self, path: str | os.PathLike[str], *, title: str | None = None, theme: str = "light"
    ) -> Path:
        """Write the chart on the screen as a PNG image, two pixels a point.

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
        return export.write(check_place(path), png(self._drawing(title, theme)))

    def chart(self) -> alt.TopLevelMixin:
        """Return the chart on the screen as an Altair chart.

        Returns
        -------
        altair chart
            Of one evaluation with the comparators and a slider for alpha over about 20 values, as
            long as its band stays below 300 kB; larger ones, averages and several classifiers
            without.
        """
        from conformal_roc_widget.charts.roc import screen

        return screen(self._group, self._controls(), self._overlaid)

    def __repr__(self) -> str:
        """Short text that does not change between runs."""
        several = self._group.kind != "single"
        return (
            f"ROCWidget({self._evaluation!r}, alpha={self.alpha:g}, "
            f"threshold={self.threshold:g}, band={self.band!r}"
            + (f", label={self.label!r}, weights={self.weights!r})" if several else ")")
        )

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The widget, and for viewers that run nothing a picture and a sentence of this moment.

        It waits for nothing: the picture holds those comparators that are there.
        """
        shown = super()._repr_mimebundle_()
        if shown is None:
            return None
        data, metadata = shown
        overlaid = self._laid_over().overlaid(self.label, self.alpha)
        still, size = export.still(self._group, self._controls(), overlaid)
        return {**data, **still}, {**metadata, **size}

    def _laid_over(self) -> ComparatorWorker:
        """The comparators of a widget whose arguments were right."""
        assert self._overlays is not None
        return self._overlays

    def _overlaid(self, stops: Iterable[float] = ()) -> Overlaid:
        """The comparators, waited for, for what is written into a file."""
        self._laid_over().wait(self.label)
        return self._laid_over().overlaid(self.label, self.alpha, stops)

    def _drawing(self, title: str | None, theme: str) -> Drawing:
        export.check_title(title)
        shown = figure.of(
            self._group, self._controls(), self._overlaid(), heading=title, theme=theme
        )
        return draw(shown)

    def _tell_of_comparators(self) -> None:
        """Sync what there is by now; on a thread of the comparators', or the user's."""
        with self._lock:
            label, alpha = self.label, self.alpha
        message = wire.comparators_message(self._laid_over().overlaid(label, alpha))
        with self._lock:
            if not self._laid_over().closed:
                self._comparators = message

    def _controls(self) -> Controls:
        return Controls(self.alpha, self.threshold, self.band, self.label, self.weights)

    @traitlets.validate("alpha", "threshold")
    def _decimal(self, proposal: dict[str, Any]) -> float:
        value = float(proposal["value"])
        if math.isnan(value):
            raise traitlets.TraitError(f"{proposal['trait'].name}: found NaN, expected a number")
        # A slider that counts in floats gives 0.051000000000000004; order statistics are exact for
        # the decimal, and meant is 0.051. A threshold may be a score and keeps every digit.
        return round(value, 10) if proposal["trait"].name == "alpha" else value

    @traitlets.validate("label")
    def _known(self, proposal: dict[str, Any]) -> Label:
        try:
            return self._group.find(proposal["value"])
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from None

    @traitlets.observe("alpha", "threshold")
    def _follow(self, _change: dict[str, Any]) -> None:
        # Two traits that change together are two notifications but one frame.
        with self._lock:
            if self._frame and self._shown() != (self.alpha, self.threshold):
                self._answer()

    # Declared below `_follow`: the frame comes first.
    @traitlets.observe("alpha", "label")
    def _lay_over(self, _change: dict[str, Any]) -> None:
        if self._overlays is not None:
            self._overlays.want(self.label)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take over what a page has set; see `ipywidgets.Widget`.

        What the kernel tells a page is not a page's to set.
        """
        public = {name: value for name, value in sync_data.items() if not name.startswith("_")}
        # It holds notifications back and takes traits back on an error: nobody else may set any.
        with self._lock:
            super().set_state(public)

    def _shown(self) -> tuple[float, float]:
        return self._frame["alpha"], self._frame["threshold"]

    def _answer(self) -> None:
        client, seq = self._request
        self._frame = wire.frame_message(self._group, self.alpha, self.threshold, client, seq)

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
