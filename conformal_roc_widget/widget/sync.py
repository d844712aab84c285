"""Traits shared with the pages of a widget, and the answers to their requests.

Requests of a page may come on two threads, and a third one reports the comparators: synced traits
change under one lock.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable
from typing import Any

import anywidget
import numpy as np
import traitlets
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import shortened
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.view.controls import BAND_KINDS, SAMPLING, VIEWS, Controls, Label
from conformal_roc_widget.view.evaluation_group import Group
from conformal_roc_widget.views import ideal
from conformal_roc_widget.widget.background_task import BackgroundTask
from conformal_roc_widget.widget.comparator_worker import ComparatorWorker
from conformal_roc_widget.wire import messages as wire
from conformal_roc_widget.wire.ideal import ideal_message

#: Above so many test points the simultaneous limits at other alphas take more than about 0.1 s,
SIMULTANEOUS_AT_ONCE = 2_000
#: and above so many the bounds of the reliability.
RELIABILITY_AT_ONCE = 20_000
#: Seconds from a widget to these limits, where they do not come at once.
STOPS_AFTER = 1.0

#: Controls of the use: a number above 0 and below this, and how it is asked for.
USES = {
    "prevalence": (1.0, "a number between 0 and 1"),
    "cost_ratio": (math.inf, "a number above 0"),
}


def _points(evaluations: Iterable[RocEvaluation]) -> int:
    """Test points of several evaluations."""
    return sum(sum(each.n_test.values()) for each in evaluations)


class SyncedWidget(anywidget.AnyWidget):
    """The controls as traits, and a frame for each position of them."""

    alpha = traitlets.Float(0.05, min=0.001, max=0.5).tag(sync=True, echo_update=False)
    threshold = traitlets.Float(0.5, min=0.0, max=1.0).tag(sync=True, echo_update=False)
    band = traitlets.Enum(BAND_KINDS, "sensitivity").tag(sync=True)
    label = traitlets.Any(None).tag(sync=True)
    weights = traitlets.Enum(("size", "uniform"), "size").tag(sync=True)
    view = traitlets.Enum(VIEWS, "roc").tag(sync=True)
    prevalence = traitlets.Float(None, allow_none=True).tag(sync=True)
    cost_ratio = traitlets.Float(None, allow_none=True).tag(sync=True)
    guarantee = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    #: The page's own choices, which a saved notebook keeps.
    page = traitlets.Dict(None, allow_none=True).tag(sync=True)
    #: Rows of the user's data: not synced, so that neither a page nor a saved notebook holds them.
    selected = traitlets.Tuple()
    _data = traitlets.Dict().tag(sync=True)
    _stops = traitlets.Dict().tag(sync=True)
    _frame = traitlets.Dict().tag(sync=True)
    _comparators = traitlets.Dict().tag(sync=True)
    _ideal = traitlets.Dict().tag(sync=True)

    #: The `_setting` of the last frame.
    _shown: tuple[Any, ...]

    def __init__(
        self,
        group: Group,
        controls: Controls,
        comparators: Iterable[str],
        truth: ArrayLike | None = None,
    ) -> None:
        self._given = group
        self._worker = ComparatorWorker(group, comparators, self._send_comparators, truth)
        self._making_ideal = BackgroundTask(self._send_ideal, "ideal-curve")
        self._making_stops = BackgroundTask(self._send_stops_later, "stops")
        self._request = wire.FROM_PYTHON
        # While the kernel is busy JupyterLab sends some messages to a second thread of it, so two
        # may be handled at once, and the later one first.
        self._lock = threading.RLock()
        self._newest: dict[str, int] = {}
        super().__init__(**controls._asdict())
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

    def close(self) -> None:
        """Close the widget; what its comparators still do ends."""
        if hasattr(self, "_worker"):  # not where a comparator was refused
            self._worker.close()
        super().close()

    @property
    def _group(self) -> Group:
        """The evaluations under the guarantee that is set."""
        return self._given.under(self.guarantee)

    def _send_comparators(self) -> None:
        """Sync the state of the comparators; runs on a thread of theirs, or on the user's."""
        with self._lock:
            label, alpha = self.label, self.alpha
        self._send_message(
            "_comparators", wire.comparators_message(self._worker.overlaid(label, alpha))
        )

    def _send_ideal(self) -> None:
        """Send the ideal model's own curve of the entry on the screen; runs on its own thread."""
        with self._lock:
            controls = self._controls()
        self._send_message("_ideal", ideal_message(self._given, controls))

    def _send_stops_later(self) -> None:
        """On a thread of its own, once the cell is done: the first display does not wait for it."""
        if not self._worker.closed.wait(STOPS_AFTER):
            self._send_stops()

    def _send_stops(self) -> None:
        """Sync the limits at some alphas, from which a saved notebook moves without a kernel."""
        if not self._stops:
            self._send_message("_stops", wire.stops_message(self._given))

    def _send_message(self, name: str, message: dict[str, Any]) -> None:
        """Sync a message that took its time, if it is news and the widget is still open."""
        with self._lock:
            if not self._worker.closed.is_set() and message != getattr(self, name):
                setattr(self, name, message)

    def _controls(self) -> Controls:
        return Controls(*(getattr(self, name) for name in Controls._fields))

    @traitlets.validate("alpha", "threshold")
    def _decimal(self, proposal: dict[str, Any]) -> float:
        value = float(proposal["value"])
        if math.isnan(value):
            raise traitlets.TraitError(f"{proposal['trait'].name}: found NaN, expected a number")
        # A slider that counts in floats gives 0.051000000000000004; order statistics are exact for
        # the decimal, and meant is 0.051. A threshold may be a score and keeps every digit.
        return round(value, 10) if proposal["trait"].name == "alpha" else value

    @traitlets.validate("prevalence", "cost_ratio")
    def _of_use(self, proposal: dict[str, Any]) -> float | None:
        name, value = proposal["trait"].name, proposal["value"]
        most, expected = USES[name]
        if value is None or 0 < value < most:
            return None if value is None else float(value)
        raise traitlets.TraitError(f"{name}: found {value!r}, expected {expected}, or None")

    @traitlets.validate("view")
    def _of_rows(self, proposal: dict[str, Any]) -> str:
        value: str = proposal["value"]
        weighted = any(each.sample_weight is not None for each in self._given.entries.values())
        if value == "reliability" and weighted:
            raise traitlets.TraitError(
                "view: found 'reliability' and test rows with weights, expected another view: the "
                "bounds of the reliability count independent rows"
            )
        return value

    @traitlets.validate("guarantee", "label")
    def _of_group(self, proposal: dict[str, Any]) -> Label:
        value = proposal["value"]
        try:
            if proposal["trait"].name == "label":
                return self._given.find(value)
            return self._given.under(value).guarantee
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from None

    @traitlets.validate("selected")
    def _positions(self, proposal: dict[str, Any]) -> tuple[int, ...]:
        n = next(iter(self._given.entries.values())).labels.size
        rows = proposal["value"]
        if not all(isinstance(row, int | np.integer) and 0 <= row < n for row in rows):
            raise traitlets.TraitError(
                f"selected: found {shortened(list(rows))}, expected positions in the test set, "
                f"from 0 to {n - 1}"
            )
        return tuple(map(int, rows))

    @property
    def _setting(self) -> tuple[Any, ...]:
        """What a frame depends on."""
        return self.alpha, self.threshold, self.guarantee, self.view == "reliability"

    @traitlets.observe("alpha", "threshold", "guarantee", "view")
    def _follow(self, _change: dict[str, Any]) -> None:
        # Traits that change together are several notifications but one frame.
        with self._lock:
            if self._frame and self._shown != self._setting:
                self._answer()

    # Declared below `_follow`: the frame comes first.
    @traitlets.observe("alpha", "label", "band")
    def _want_overlays(self, _change: dict[str, Any] | None = None) -> None:
        if not self._frame or self._worker.closed.is_set():
            return
        self._worker.want(self.label, sampling=self.band == SAMPLING)
        # Sampling takes about a second: the page shows the curve once it is there.
        if ideal.wanted(self._given, self._controls()) is not None:
            self._making_ideal.request()

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take over what a page has set; see `ipywidgets.Widget`.

        Private traits are the kernel's: a page cannot set them.
        """
        public = {name: value for name, value in sync_data.items() if not name.startswith("_")}
        # It holds notifications back and takes traits back on an error: nobody else may set any.
        with self._lock:
            super().set_state(public)

    def _answer(self) -> None:
        client, seq = self._request
        self._shown = self._setting
        self._frame = wire.frame_message(
            self._group, self.alpha, self.threshold, client, seq, self.view
        )

    def _receive(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if (cell := wire.selection_request(content)) is not None:
            self._select(*cell)
            return
        request = wire.state_request(content)
        if request is None:
            return
        with self._lock:
            self._apply(*request)

    def _select(self, cell: str, threshold: float) -> None:
        """Takes the rows of a cell of the confusion table that a reader has pressed."""
        evaluation = self._given.looked_at(self.label)
        if evaluation is not None and evaluation.counts is None:
            self.selected = tuple(evaluation.rows_of(cell, threshold).tolist())

    def _apply(self, client: str, seq: int, state: dict[str, Any]) -> None:
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
