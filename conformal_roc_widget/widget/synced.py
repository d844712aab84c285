"""Traits in step with pages; it computes nothing.

Requests of a page may come on two threads, and a third one reports the comparators: synced traits
change under one lock.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import anywidget
import numpy as np
import traitlets
from ipywidgets import widget_serialization

from conformal_roc_widget.arrays import shortened
from conformal_roc_widget.checks import instance_of, one_of, yes_or_no
from conformal_roc_widget.choices import (
    BandName,
    CellName,
    ComparatorName,
    GuaranteeName,
    LooksName,
    ViewName,
    WeightsName,
)
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.names import Leads, LeadsFromClass
from conformal_roc_widget.shown.controls import (
    BAND_KINDS,
    FIRST_GOAL,
    IDEAL,
    ROWS,
    VIEWS,
    WITH_OWN_LIMITS,
    Controls,
    Label,
)
from conformal_roc_widget.shown.evaluation_group import HORIZONS, Group
from conformal_roc_widget.wire import messages as wire
from conformal_roc_widget.wire.budget import Budget, live_budget
from conformal_roc_widget.wire.concealed import concealed_messages
from conformal_roc_widget.wire.ideal import ideal_message, wanted

from .background_task import BackgroundTask
from .comparator_worker import ComparatorWorker
from .script_holder import LOADER, SCRIPT, WANTED, ScriptHolder, script_holder
from .traits import (
    Checked,
    Choice,
    alpha_trait,
    check_attribute,
    cost_trait,
    goal_trait,
    noun_of,
    page_choices,
    prevalence_trait,
)

#: For a type checker a trait has the type that is read. What is set is checked at run time, and may
#: have other types.
Trait = traitlets.TraitType
#: With more test points than this, simultaneous limits at other alphas take more than about 0.1 s.
SIMULTANEOUS_AT_ONCE = 2_000
#: With more test points than this, the reliability's bounds take longer than that.
RELIABILITY_AT_ONCE = 20_000
#: Seconds after which a widget is sent these limits, if not at once.
STOPS_AFTER = 1.0


class LeadsFromWidget(LeadsFromClass, traitlets.MetaHasTraits):
    """`LeadsFromClass` for a widget, whose traits have a class of classes too."""


class SyncedWidget(Leads, anywidget.AnyWidget, metaclass=LeadsFromWidget):
    """The traits of a widget, and the messages between kernel and pages about them."""

    # The script is given as text: a path would be watched, which keeps every widget alive.
    _esm = SCRIPT if os.environ.get("ANYWIDGET_HMR") == "1" else SCRIPT.read_text("utf-8")

    alpha: Trait[float, Any] = alpha_trait().tag(sync=True)
    threshold: Trait[float, Any] = Checked(
        lambda widget, value: widget._given.threshold_of(value), 0.5
    ).tag(sync=True)
    band: Trait[BandName, Any] = Choice(BAND_KINDS, "sensitivity").tag(sync=True)
    label = Checked(lambda widget, value: widget._given.find(value)).tag(sync=True)
    weights: Trait[WeightsName, Any] = Choice(("size", "uniform"), "size").tag(sync=True)
    view: Trait[ViewName, Any] = Checked(lambda widget, value: widget._view_of(value), "roc").tag(
        sync=True
    )
    prevalence: Trait[float | None, Any] = prevalence_trait().tag(sync=True)
    cost_ratio: Trait[float | None, Any] = cost_trait().tag(sync=True)
    guarantee: Trait[GuaranteeName | None, Any] = Checked(
        lambda widget, value: widget._guarantee_of(value)
    ).tag(sync=True)
    horizon: Trait[float | None, Any] = Checked(
        lambda widget, value: widget._given.horizon_of(value)
    ).tag(sync=True)
    zoom: Trait[bool, Any] = Checked(lambda _, value: yes_or_no(value, "zoom"), default=False).tag(
        sync=True
    )
    goal = goal_trait(dict(FIRST_GOAL)).tag(sync=True)
    noun: Trait[str, Any] = Checked(noun_of, ROWS).tag(sync=True)
    looks: Trait[LooksName, Any] = Checked(
        lambda widget, value: widget._given.looks_of(value), "once"
    ).tag(sync=True)
    #: The page's own choices, which a saved notebook keeps.
    page = Checked(page_choices, allow_none=True).tag(sync=True)
    #: Rows of the user's data. Not synced: neither a page nor a saved notebook may hold them.
    selected: Trait[tuple[int, ...], Any] = Checked(
        lambda widget, rows: widget._positions(rows), ()
    )
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
    #: Errors that observers raise while changes are bundled.
    _failures: list[Exception] | None = None

    def __init__(
        self, group: Group, controls: Controls, comparators: Iterable[ComparatorName], truth: Any
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
        self._known_changes: dict[str, dict[str, tuple[int, Any]]] = {}
        # If the script is being developed, each widget follows its file.
        holder = script_holder() if isinstance(self._esm, str) else None
        if holder is not None:
            self._esm = LOADER
        # The label goes first: which bands there are depends on it.
        super().__init__(_script=holder, **{"label": controls.label} | _moved(controls))
        # The page reads each frame with the data it already has. So data are set before the frame.
        if not self._concealed:
            self._data = wire.data_message(group, self._budget)
        self._answer()
        self.on_msg(self._receive)
        self._want_overlays()
        self._request_stops()

    @cached_property
    def _budget(self) -> Budget:
        """How much the messages may carry."""
        return live_budget(self._given)

    def _request_stops(self) -> None:
        """Sends the limits at some alphas at once, or where they take long, in a moment."""
        every = self._given.entries.values()
        simultaneous = _points(each for each in every if each.display.simultaneous)
        if simultaneous > SIMULTANEOUS_AT_ONCE or _points(every) > RELIABILITY_AT_ONCE:
            self._making_stops.request()
        else:
            self._send_stops()

    def close(self) -> None:
        """Close the widget; what its comparators still do ends. Its pictures can still be had."""
        if hasattr(self, "_worker"):  # no bar if a comparator was refused
            self._worker.close()
            for task in (self._making_ideal, self._making_stops):
                task.end()
            self.on_msg(self._receive, remove=True)
        super().close()

    def __setattr__(self, name: str, value: Any) -> None:
        """Sets a trait; see `check_attribute` for a name that the widget does not have."""
        # A subclass in another folder has what attributes it wants; traitlets adds traits by a
        # subclass of the same module.
        own = type(self).__module__.startswith(f"{__package__}.")
        if own and not name.startswith("_") and not hasattr(type(self), name):
            check_attribute(self, name)
        member = getattr(type(self), name, None)
        if isinstance(member, property) and member.fset is None:
            raise AttributeError(
                f"{name}: found a value to set, expected none: it is made of the data and of "
                "`alpha`, `threshold`, `band`; for others make a new widget"
            )
        if name in ("view", "band"):  # pages set traits in a way of their own
            refuse_together(self._given, self.label, **{name: value})
        super().__setattr__(name, value)

    def __reduce_ex__(self, _: Any) -> Any:
        """A widget lives in its kernel and cannot be pickled; what it shows can be."""
        raise TypeError(
            f"{type(self).__name__}: found a widget to pickle or copy, which lives in its kernel. "
            "Expected its data: pickle `widget.evaluation`, or write a page with `save(path)`"
        )

    if not TYPE_CHECKING:  # a type checker keeps to the names that are there

        def __getattr__(self, name):
            # traitlets and ipywidgets ask for hooks of each trait, which none of ours has.
            if name.endswith(("_validate", "_changed", "_metadata")):
                raise AttributeError(name)
            return super().__getattr__(name)

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
        overlaid = self._worker.overlaid(label, alpha)
        if not self._concealed:
            self._send_message("_comparators", wire.comparators_message(overlaid))

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
        if not (self._stops or self._concealed):
            self._send_message("_stops", wire.stops_message(self._given, self._budget))

    def _send_message(self, name: str, message: dict[str, Any]) -> None:
        """Sync a message that took time to make, if it is new and the widget is still open."""
        with self._lock:
            if not self._worker.closed.is_set() and message != getattr(self, name):
                setattr(self, name, message)

    def _controls(self) -> Controls:
        return Controls(*(getattr(self, name) for name in Controls._fields))

    @property
    def _seen(self) -> Controls:
        """The controls as a reader sees them."""
        return self._controls().seen

    # What traits may be

    def _guarantee_of(self, value: Any) -> str | None:
        if value is not None:
            instance_of(value, "guarantee", str, "a name, or None")
        return self._given.with_guarantee(value).guarantee

    def _view_of(self, value: Any) -> str:
        view = one_of(value, "view", VIEWS)
        if found := self._given.no_view(view):
            raise ValueError(f"view: found {view!r} and {found}, expected another view")
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
        share = self.prevalence if self._awaits_labels else None
        return self.alpha, self.threshold, self.guarantee, self.view == "reliability", share

    @property
    def _awaits_labels(self) -> bool:
        """Whether rows have no labels, so that a share of positives makes other limits."""
        return any(each.told_share is not None for each in self._given.entries.values())

    @traitlets.observe("alpha", "threshold", "guarantee", "view", "prevalence")
    def _follow(self, _change: dict[str, Any]) -> None:
        # Traits that change together are several notifications but one frame.
        with self._lock:
            if self._frame and self._shown != self._setting:
                self._answer()

    # Declared below `_follow`: observers run in that order, and the frame comes first.
    @traitlets.observe("alpha", "label", "band", "horizon")
    def _want_overlays(self, _change: dict[str, Any] | None = None) -> None:
        if not self._frame or self._worker.closed.is_set() or self._concealed:
            return
        self._worker.want(self._key, sampling=self.band in WITH_OWN_LIMITS)
        # Sampling takes about a second: the page shows the curve once it is there.
        if wanted(self._given, self._controls()) is not None:
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
        if (told := self._given.with_share(self.prevalence)) is not self._given:
            self._given, self._stops = told, {}
            self._data = wire.data_message(told)
            if not self._concealed:
                self._stops = wire.stops_message(told)
        here = (self._group, self.alpha, self.threshold, *self._request)
        if self._concealed:
            self._data, self._frame = concealed_messages(*here)
        else:
            self._frame = wire.frame_message(*here, self.view)
        self._shown = self._setting

    @property
    def _concealed(self) -> bool:
        """Whether the pages are curves to guess from, which are sent no limits."""
        return self._controls().conceals

    @traitlets.observe("page")
    def _reveal(self, change: dict[str, Any]) -> None:
        """Sends the limits once they are revealed, and takes them back."""
        before, now = (
            Controls(page=each).conceals for each in (change["old"] or None, change["new"])
        )
        if before == now or not self._frame:
            return
        with self._lock:
            if now:
                self._comparators, self._ideal, self._stops = {}, {}, {}
            else:
                self._data = wire.data_message(self._given, self._budget)
            self._answer()
        if not now:
            self._request_stops()
            self._want_overlays()

    # Who observes

    def unobserve_all(self, name: Any = traitlets.All) -> None:
        """Remove the observers of a trait, or of all; the widget itself goes on following them."""
        super().unobserve_all(name)
        for own in (SyncedWidget._follow, SyncedWidget._want_overlays, SyncedWidget._reveal):
            self.observe(own, own.trait_names, own.type)

    @contextmanager
    def hold_trait_notifications(self) -> Iterator[None]:
        """Bundle changes; see `traitlets.HasTraits`. Each observer hears, whichever other fails."""
        with self._failures_last(), super().hold_trait_notifications():
            yield

    def notify_change(self, change: Any) -> None:
        """Tell pages and observers of a change; see `ipywidgets.Widget`."""
        # Pages already have the values of the answer. Changes by observers are sent as usual.
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

    def _select(self, cell: CellName, threshold: float) -> None:
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
        """The new values of a request: a page repeats those without an answer later than `since`.

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
        """Sets several traits, answers in one message, then tells observers; all or nothing."""
        try:
            with self.hold_trait_notifications():
                for name, value in news.items():
                    self.set_trait(name, value)
                try:
                    self._answer()
                except Exception as error:  # only this error makes traitlets undo the changes
                    raise traitlets.TraitError(str(error) or type(error).__name__) from error
                names = ("_frame", *asked)
                self.send_state(names)
                self._answered = names
        finally:
            self._answered = ()


def _moved(controls: Controls) -> dict[str, Any]:
    """Controls that are not where a widget has them anyway."""
    first = Controls._field_defaults
    return {
        name: value
        for name, value in controls._asdict().items()
        if type(value) is not type(first[name]) or value != first[name]
    }


def refuse_together(group: Group, label: Any, **controls: Any) -> None:
    """Refuses a view or a band that several curves together have not, and one alone may have."""
    controls = {name: value for name, value in controls.items() if isinstance(value, str)}
    if label is not None or group.kind in ("single", HORIZONS):
        return
    for name, value in controls.items():
        if value == IDEAL or (name == "view" and value in VIEWS[1:]):
            raise traitlets.TraitError(
                f"{name}: found {value!r} for {group.kind} together, expected another one, or a "
                f"label: one of {shortened(list(group.entries))}"
            )


def _points(evaluations: Iterable[RocEvaluation]) -> int:
    """Number of test points of several evaluations."""
    return sum(sum(each.display.rows) for each in evaluations)
