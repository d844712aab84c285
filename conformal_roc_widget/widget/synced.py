"""Keeps the traits of the widget and its pages in step: sends messages and answers requests.

A page is a view of the widget in a browser. Requests from a page may arrive on two threads, and a
third one reports the comparators. One lock guards the synced traits.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
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
from .of_thread import OfThread
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

#: A trait is declared with the type of the value that is read, for type checkers. A user may set
#: values of any type, because they are checked at run time.
Trait = traitlets.TraitType
#: If there are more test points than this, computing the simultaneous limits at all alphas of the
#: slider takes more than about 0.1 s.
SIMULTANEOUS_AT_ONCE = 2_000
#: If there are more test points than this, computing the bounds of the reliability view takes more
#: than about 0.1 s.
RELIABILITY_AT_ONCE = 20_000
#: If the simultaneous limits or the bounds take longer than about 0.1 s, the widget is shown first.
#: They are computed this many seconds later.
STOPS_AFTER = 1.0


class LeadsFromWidget(LeadsFromClass, traitlets.MetaHasTraits):
    """The metaclass `LeadsFromClass` for widgets, joined with the metaclass of traits."""


class SyncedWidget(Leads, anywidget.AnyWidget, metaclass=LeadsFromWidget):
    """The traits of `ROCWidget`, and its messages between kernel and pages."""

    # If `_esm` is a path, anywidget watches the file, and never frees the widget. So it is a path
    # only for development, and otherwise the script as a text.
    _esm = SCRIPT if os.environ.get("ANYWIDGET_HMR") == "1" else SCRIPT.read_text("utf-8")

    alpha: Trait[float, Any] = alpha_trait().tag(sync=True)
    threshold: Trait[float, Any] = Checked(
        lambda widget, value: widget._given.threshold_of(value), 0.5
    ).tag(sync=True, from_json=lambda value, _: wire.as_float(value))
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
    #: The settings that only the page has (see `Controls.page`), as a trait, so that a saved
    #: notebook keeps them.
    page = Checked(page_choices, allow_none=True).tag(sync=True)
    #: The indices of the test rows that a reader has selected. They are not synced, because no page
    #: or saved notebook may contain them.
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

    #: The value of `_setting` when the message `_frame` was last made.
    _shown: tuple[Any, ...] = ()
    #: While a request of a page is handled: the names of traits whose new values are already in the
    #: answer, but whose observers have not been notified yet.
    _answered = OfThread(())
    #: The number of calls of `notify_change` that have not returned. There may be several, because
    #: an observer may set another trait.
    _depth = OfThread(0)
    #: While several changes are handled together, errors of observers are collected here. Otherwise
    #: None.
    _failures = OfThread(None)
    #: traitlets sets `_cross_validation_lock` and `_hold` while it holds changes back. Each thread
    #: has its own values of them. Otherwise the change of another thread might be held back after
    #: the last notification, and be lost.
    _cross_validation_lock = OfThread(first=False)
    _hold = OfThread(None)

    def __init__(
        self, group: Group, controls: Controls, comparators: Iterable[ComparatorName], truth: Any
    ) -> None:
        self._given = group
        self._worker = ComparatorWorker(group, comparators, self._send_comparators, truth)
        self._making_ideal = BackgroundTask(self._send_ideal, "ideal-curve")
        self._making_stops = BackgroundTask(self._send_stops_later, "stops")
        self._request = wire.FROM_PYTHON
        # While the kernel is busy, JupyterLab sends some messages to a second thread. So two
        # messages may be handled at the same time, or in the wrong order. The lock, and the numbers
        # in `_newest`, prevent both.
        self._lock = threading.RLock()
        #: A thread holds this lock while it reads values of traits and sends them.
        self._sending = threading.RLock()
        #: `_repr_mimebundle_` holds this lock while it draws the picture for viewers without
        #: scripts. Until it is free, the message ``_stops`` is not sent.
        self._drawing = threading.Lock()
        self._newest: dict[str, int] = {}
        self._known_changes: dict[str, dict[str, tuple[int, Any]]] = {}
        # If `_esm` is a path (for development), the widget reloads the script when the file
        # changes. Then it needs no model with the script.
        holder = script_holder() if isinstance(self._esm, str) else None
        if holder is not None:
            self._esm = LOADER
        # The label is set first, because the available bands depend on it.
        super().__init__(_script=holder, **{"label": controls.label} | _moved(controls))
        # The page reads the message `_frame` together with the newest `_data`. So `_data` is set
        # first.
        if not self._concealed:
            self._data = wire.data_message(group, self._budget)
        self._answer()
        self.on_msg(self._receive)
        self._want_overlays()
        self._request_stops()

    @cached_property
    def _budget(self) -> Budget:
        """The budget of messages: how many numbers they may contain."""
        return live_budget(self._given)

    def _request_stops(self) -> None:
        """Lets the message ``_stops`` be sent: at once or, if it takes long, a moment later."""
        every = self._given.entries.values()
        simultaneous = _points(each for each in every if each.is_simultaneous)
        if simultaneous > SIMULTANEOUS_AT_ONCE or _points(every) > RELIABILITY_AT_ONCE:
            self._making_stops.request()
        else:
            self._send_stops()

    def close(self) -> None:
        """Closes the widget, and stops its comparators. Methods that write pictures still work."""
        if hasattr(self, "_worker"):  # it is missing if `__init__` raised an error
            self._worker.close()
            for task in (self._making_ideal, self._making_stops):
                task.end()
            self.on_msg(self._receive, remove=True)
        super().close()

    def __setattr__(self, name: str, value: Any) -> None:
        """Sets an attribute. If the widget has none of this name, see `check_attribute`."""
        # A user's subclass may have any attributes, so only the package's own class checks names.
        # It is recognised by its module, because traitlets adds a trait by making a subclass in the
        # same module.
        own = type(self).__module__.startswith(f"{__package__}.")
        if own and not name.startswith("_") and not hasattr(type(self), name):
            check_attribute(self, name)
        member = getattr(type(self), name, None)
        if isinstance(member, property) and member.fset is None:
            raise AttributeError(
                f"{name}: found a value to set, expected none: it is computed from the data, "
                "`alpha`, `threshold`, `band`; for others make a new widget"
            )
        if name in ("view", "band"):  # values from pages are set in another way
            refuse_together(self._given, self.label, **{name: value})
        super().__setattr__(name, value)

    def __reduce_ex__(self, _: Any) -> Any:
        """Raises an error, because a widget cannot be pickled. Its evaluation can be."""
        raise TypeError(
            f"{type(self).__name__}: found a widget, expected data: a widget cannot be pickled or "
            "copied. Pickle `widget.evaluation`, or write a page with `save(path)`"
        )

    if not TYPE_CHECKING:  # a type checker that sees `__getattr__` would accept every name

        def __getattr__(self, name):
            # traitlets and ipywidgets look for optional methods with these endings for each trait.
            # There are none, so the usual error is enough.
            if name.endswith(("_validate", "_changed", "_metadata")):
                raise AttributeError(name)
            return super().__getattr__(name)

    # ---- messages to pages

    @property
    def _key(self) -> Label:
        """The key of the selected evaluation.

        If there is only one, or if all are shown together, it is None.
        """
        return self._given.key_of(self)

    @property
    def _group(self) -> Group:
        """The evaluations under the current guarantee."""
        return self._given.with_guarantee(self.guarantee)

    def _send_comparators(self) -> None:
        """Sends the state of the comparators, on their thread or on the user's."""
        with self._lock:
            label, alpha = self._key, self.alpha
        overlaid = self._worker.overlaid(label, alpha)
        if not self._concealed:
            self._send_message("_comparators", wire.comparators_message(overlaid))

    def _send_ideal(self) -> None:
        """Sends the ideal model's own curve of the selected evaluation.

        It runs on a thread of its own.
        """
        with self._lock:
            controls = self._controls()
        self._send_message("_ideal", ideal_message(self._given, controls))

    def _send_stops_later(self) -> None:
        """Sends the message ``_stops`` after `STOPS_AFTER` seconds, on a thread of its own.

        The message takes long to compute. The first display does not wait for it.
        """
        while not self._worker.closed.wait(STOPS_AFTER):
            # If a picture is being drawn, the loop waits once more before it sends the message.
            if not self._drawing.locked():
                self._send_stops()
                return

    def _send_stops(self) -> None:
        """Sends the message ``_stops``, unless it was sent before, or limits are hidden.

        The message has what takes long to compute, such as the bounds of the reliability view. A
        saved notebook keeps it, and needs no kernel to use it.
        """
        if not (self._stops or self._concealed):
            self._send_message("_stops", wire.stops_message(self._given, self._budget))

    def _send_message(self, name: str, message: dict[str, Any]) -> None:
        """Sends a message by setting the trait `name`, if it is new and the widget is open."""
        with self._lock:
            if not self._worker.closed.is_set() and message != getattr(self, name):
                setattr(self, name, message)

    def _controls(self) -> Controls:
        return Controls(*(getattr(self, name) for name in Controls._fields))

    @property
    def _seen(self) -> Controls:
        """The controls as pictures use them. See `Controls.seen`."""
        return self._controls().seen

    # ---- checks of the values of traits

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

    # ---- answers to requests of pages, and to changes of traits

    @property
    def _setting(self) -> tuple[Any, ...]:
        """The values of the traits on which the message ``_frame`` depends."""
        share = self.prevalence if self._given.awaits_labels else None
        return self.alpha, self.threshold, self.guarantee, self.view == "reliability", share

    @traitlets.observe("alpha", "threshold", "guarantee", "view", "prevalence")
    def _follow(self, _change: dict[str, Any]) -> None:
        # If several traits change together, this method is called for each of them. Only the first
        # call makes a message, because `_shown` is then up to date.
        with self._lock:
            if self._frame and self._shown != self._setting:
                self._answer()

    # Observers run in the order of their declaration. `_want_overlays` is declared after `_follow`,
    # so that the message `_frame` is sent before comparators are computed.
    @traitlets.observe("alpha", "label", "band", "horizon")
    def _want_overlays(self, _change: dict[str, Any] | None = None) -> None:
        if not self._frame or self._worker.closed.is_set() or self._concealed:
            return
        self._worker.want(self._key, sampling=self.band in WITH_OWN_LIMITS)
        # Sampling the ideal model's curve takes about a second, so a background thread does it.
        if wanted(self._given, self._controls()) is not None:
            self._making_ideal.request()

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Accepts values of traits that a page has set. See `ipywidgets.Widget`.

        A page cannot set private traits, which only the kernel sets. If a value is refused, all
        traits keep their old values.
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
                # ipywidgets has already sent the refused values to all pages. So the old values are
                # sent again.
                self.send_state(list(before))
                raise
            # A check may change a value that a page has sent. Then the page is sent the value that
            # is kept.
            kept = {name: getattr(self, name) for name in Controls._fields if name in before}
            changed = [name for name, value in kept.items() if repr(value) != repr(public[name])]
            if changed:
                self.send_state(changed)

    def _answer(self) -> None:
        # The setting is read before the message `_frame` is made. If another thread sets a trait in
        # between, its observer finds an older setting in `_shown`, and makes a new message.
        setting = self._setting
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
        self._shown = setting

    @property
    def _concealed(self) -> bool:
        """Whether limits are hidden, so that no message contains them. See `Controls.conceals`."""
        return self._controls().conceals

    @traitlets.observe("page")
    def _reveal(self, change: dict[str, Any]) -> None:
        """Sends the limits when the page's setting ``reveal`` becomes true.

        When it becomes false, they are removed from the messages.
        """
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

    # ---- observers of traits

    def unobserve_all(self, name: Any = traitlets.All) -> None:
        """Removes the user's observers of a trait, or of all traits. The widget's own ones stay."""
        super().unobserve_all(name)
        for own in (SyncedWidget._follow, SyncedWidget._want_overlays, SyncedWidget._reveal):
            self.observe(own, own.trait_names, own.type)

    @contextmanager
    def hold_trait_notifications(self) -> Iterator[None]:
        """Notifies observers only after all changes in the block. See `traitlets.HasTraits`.

        Every observer is called, even if another one fails.
        """
        with self._failures_last(), super().hold_trait_notifications():
            yield

    @property
    def notify_change(self) -> Callable[[Any], None]:
        """The function that notifies pages and observers of a change, or holds it back."""
        return self._hold or self._notify

    @notify_change.setter
    def notify_change(self, hold: Callable[[Any], None]) -> None:
        self._hold = hold

    @notify_change.deleter
    def notify_change(self) -> None:
        self._hold = None

    def send_state(self, key: Any = None) -> None:
        """Sends values of traits to pages. See `ipywidgets.Widget`."""
        # While one thread holds `_sending`, no other thread sends. So the message that is sent last
        # has the newest value. `_lock` could not be used for this: it is held while observers run,
        # and an observer may wait for a thread that sends.
        with self._sending:
            super().send_state(key)

    def _notify(self, change: Any) -> None:
        """Notifies pages and observers of a change."""
        # If the answer to a request already contains the value, the value is not sent again. But if
        # an observer sets the value, `_depth` is positive, and the value is sent as usual.
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
        """Collects the errors of observers in the block, and raises them at its end.

        So all observers are called. If `to_reader` is set, pages get a message about the errors.
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
        # If an observer fails, its error is raised at the end of this block, and ipywidgets prints
        # the traceback.
        with self._lock, self._failures_last(to_reader=True):
            self._apply(*request)

    def _select(self, cell: CellName, threshold: float) -> None:
        """Sets `selected` to the test rows in a cell of the confusion matrix at a threshold."""
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
        except Exception as error:  # the page shows every failure
            self.send(wire.error_message(client, seq, error))
        finally:
            self._request = wire.FROM_PYTHON

    def _news(self, client: str, seq: int, since: int, state: dict[str, Any]) -> dict[str, Any]:
        """Returns those values of a request that are new.

        `since` is the last answer that the page has. A request repeats all values that the page has
        changed since then. Repeated values are left out, because Python may have set these traits
        later.
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
        """Sets the traits in `news`, answers in one message, and then notifies observers.

        If a value is refused, no trait is set. `asked` are all names in the request.
        """
        try:
            with self.hold_trait_notifications():
                for name, value in news.items():
                    self.set_trait(name, value)
                try:
                    self._answer()
                except Exception as error:
                    # traitlets undoes the changes only if the error is a TraitError, so any other
                    # error is turned into one.
                    raise traitlets.TraitError(str(error) or type(error).__name__) from error
                names = ("_frame", *asked)
                self.send_state(names)
                self._answered = names
        finally:
            self._answered = ()


def _moved(controls: Controls) -> dict[str, Any]:
    """Returns the controls whose values differ from the defaults."""
    first = Controls._field_defaults
    return {
        name: value
        for name, value in controls._asdict().items()
        if type(value) is not type(first[name]) or value != first[name]
    }


def refuse_together(group: Group, label: Any, **controls: Any) -> None:
    """Raises an error for a `view` or `band` that needs one curve, if several are shown."""
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
    """Returns the number of test points of several evaluations together."""
    return sum(sum(each.sampled.rows) for each in evaluations)
