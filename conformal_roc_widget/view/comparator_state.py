"""Other people's bands over the evaluation that is looked at, made on threads of their own.

Each comparator is made once for each evaluation, from a fixed seed. What it keeps gives the band at
any alpha, so that a new alpha samples nothing anew.
"""

from __future__ import annotations

import itertools
import math
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from scipy.special import ndtri

from conformal_roc_widget import comparators
from conformal_roc_widget.calibration.logits import logit_of
from conformal_roc_widget.comparators.comparator_band import (
    POINTWISE,
    SIMULTANEOUS,
    TARGET,
    ComparatorBand,
)
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.view.evaluation_group import Group, Label

#: What every one of these bands answers; the conformal band answers another question.
QUESTION = "Where would this classifier’s curve lie in the population?"
#: Replicates of what resamples, and the seed of all that is random.
RESAMPLES, SEED = 2000, 0
#: Classifiers beyond which no pairs are compared.
MOST_COMPARED = 10


class Kept(Protocol):
    """What a comparator keeps."""

    def band(self, alpha: float) -> ComparatorBand:
        """Band at one alpha, without sampling."""


#: Told of the steps done and of their total.
Progress = Callable[[int, int], None]


def _ks(evaluation: RocEvaluation, _progress: Progress) -> Kept:
    return comparators.ks_samples(evaluation.labels, evaluation.scores)


def _binormal(evaluation: RocEvaluation, _progress: Progress) -> Kept:
    """From the scores' logits, which are likelier to be normal and have the same curve."""
    return comparators.binormal_samples(evaluation.labels, logit_of(evaluation.scores))


def _bootstrap(evaluation: RocEvaluation, progress: Progress) -> Kept:
    return comparators.bootstrap_replicates(
        evaluation.labels,
        evaluation.scores,
        resamples=RESAMPLES,
        random_state=SEED,
        progress=progress,
    )


def _simultaneous(evaluation: RocEvaluation, progress: Progress) -> Kept:
    return comparators.envelope_replicates(
        evaluation.labels,
        evaluation.scores,
        resamples=RESAMPLES,
        random_state=SEED,
        progress=progress,
        # One core stays free for the sliders.
        n_threads=max(1, (os.cpu_count() or 1) - 1),
    )


class Kind(NamedTuple):
    """One of the comparators that a widget can lay over its band."""

    name: str
    scope: str
    total: int
    make: Callable[[RocEvaluation, Progress], Kept]
    by_rocci: bool


#: Those that are made sooner come first when several are asked for.
KINDS = {
    "ks": Kind("DKW rectangles", SIMULTANEOUS, 1, _ks, False),
    "working_hotelling": Kind("Working-Hotelling", SIMULTANEOUS, 1, _binormal, True),
    "bootstrap": Kind("Bootstrap", POINTWISE, RESAMPLES, _bootstrap, False),
    "simultaneous": Kind("Simultaneous envelope", SIMULTANEOUS, RESAMPLES, _simultaneous, True),
}
#: As users are told of them.
KEYS = ("bootstrap", "simultaneous", "working_hotelling", "ks")


class Overlay(NamedTuple):
    """One comparator, as far as it is.

    Parameters
    ----------
    key, name, target, scope : str
        Which, and what it speaks of.
    status : {"working", "done", "failed"}
        How far it is.
    done, total : int
        Steps.
    band : ComparatorBand or None
        At the wanted alpha, once it is done.
    message : str or None
        Why it failed.
    stops : tuple of ComparatorBand, or None
        The same at other alphas, where they were asked for.
    """

    key: str
    name: str
    target: str
    scope: str
    status: str
    done: int
    total: int
    band: ComparatorBand | None = None
    message: str | None = None
    stops: tuple[ComparatorBand, ...] | None = None


class Pair(NamedTuple):
    """Paired DeLong test of two classifiers: difference in AUC, z and p, NaN where impossible."""

    a: Label
    b: Label
    difference: float
    z: float
    p: float


class Overlaid(NamedTuple):
    """All that is laid over the entry `label` at one alpha."""

    label: Label
    alpha: float
    items: tuple[Overlay, ...] = ()
    delong: tuple[float, float] | None = None
    pairs: tuple[Pair, ...] | None = None

    @property
    def bands(self) -> dict[str, ComparatorBand]:
        """Key -> band of those that are done."""
        return {item.key: item.band for item in self.items if item.band is not None}


class _Closed(Exception):
    """Nobody waits any longer."""


@dataclass
class _Work:
    """How far one comparator of one entry is."""

    done: int = 0
    kept: Kept | None = None
    error: Exception | None = None
    latest: ComparatorBand | None = None

    @property
    def over(self) -> bool:
        return self.kept is not None or self.error is not None


class _Errand:
    """A task that runs on a thread, and once more if it was asked for meanwhile.

    The thread ends when nothing is asked for.
    """

    def __init__(self, task: Callable[[], None], name: str) -> None:
        self._task, self._name = task, name
        self._lock = threading.Lock()
        self._asked = False
        self._thread: threading.Thread | None = None

    def ask(self) -> None:
        with self._lock:
            self._asked = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._asked:
                    self._thread = None
                    return
                self._asked = False
            try:
                self._task()
            except BaseException:
                with self._lock:
                    self._thread = None
                raise


class Overlays:
    """The comparators of a widget.

    One thread makes them, another tells of them, so that a band that is there follows alpha while
    the next one is being sampled.

    Parameters
    ----------
    group : Group
        What is shown.
    keys : iterable of str
        Which comparators.
    tell : callable
        Called on a thread whenever there is something new to ask for.

    Raises
    ------
    TypeError, ValueError
        If a key is none of `KEYS`, or an evaluation has no test points of its own.
    ImportError
        If one needs rocci, which is not installed.
    """

    def __init__(self, group: Group, keys: Iterable[str], tell: Callable[[], None]) -> None:
        self.keys = checked(keys)
        # A summary has lost which points there were, and which of them are the same in two.
        summarized = any(each.counts is not None for each in group.entries.values())
        if self.keys and summarized:
            raise ValueError(
                "comparators: found an evaluation made by from_table, which keeps a summary of its "
                "test set; expected one that holds the test points"
            )
        self._group = group
        self._changed = threading.Condition()
        self._work: dict[tuple[Label, str], _Work] = {}
        self._areas: dict[Label, tuple[float, float]] = {}
        self._pairs: list[Pair] = []
        few = group.kind == "classifiers" and len(group.entries) <= MOST_COMPARED
        comparable = few and not summarized
        self._to_compare = list(itertools.combinations(group.entries, 2)) if comparable else []
        self._label: Label = None
        self._closed = False
        self._making = _Errand(self._make_all, "comparators")
        self._telling = _Errand(tell, "comparators-tell")

    @property
    def closed(self) -> bool:
        """Whether nothing more will be told."""
        return self._closed

    def want(self, label: Label) -> None:
        """Make what is to be laid over an entry, and tell of it.

        Parameters
        ----------
        label : str, int, float, bool or None
            The entry that is looked at.
        """
        if self._closed or not (self.keys or self._to_compare):
            return
        with self._changed:
            self._label = label
        self._telling.ask()
        if self._next() is not None:
            self._making.ask()

    def close(self) -> None:
        """End: what is being made stops at its next step."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def wait(self, label: Label, timeout: float | None = None) -> None:
        """Wait until all that is to be laid over an entry is there, or has failed.

        Parameters
        ----------
        label : str, int, float, bool or None
            The entry.
        timeout : float, optional
            Seconds.

        Raises
        ------
        TimeoutError
            If it takes longer.
        RuntimeError
            If the widget is closed.
        """
        self.want(label)
        with self._changed:
            there = self._changed.wait_for(lambda: self._closed or self._over(label), timeout)
            if self._closed:
                raise RuntimeError("the widget is closed, and makes no comparators any more")
        if not there:
            raise TimeoutError(f"the comparators are not there after {timeout:g} s")

    def overlaid(self, label: Label, alpha: float, stops: Iterable[float] = ()) -> Overlaid:
        """All that there is by now.

        Parameters
        ----------
        label : str, int, float, bool or None
            The entry that is looked at.
        alpha : float
            Significance level.
        stops : iterable of float
            Further ones at which bands are wanted.

        Returns
        -------
        Overlaid
            Nothing for several entries together, but the pairs of classifiers.
        """
        evaluation = self._group.looked_at(label)
        with self._changed:
            complete = bool(self._to_compare) and len(self._pairs) == len(self._to_compare)
            pairs = tuple(self._pairs) if complete else None
            area = self._areas.get(label)
        if evaluation is None or not self.keys:
            return Overlaid(label, alpha, pairs=pairs)
        stops = tuple(stops)
        items = tuple(self._overlay(label, key, alpha, stops) for key in self.keys)
        return Overlaid(label, alpha, items, area and _delong(*area, alpha), pairs)

    def bands(self, label: Label, alpha: float) -> dict[str, ComparatorBand]:
        """Bands over an entry, waited for.

        Parameters
        ----------
        label : str, int, float, bool or None
            The entry.
        alpha : float
            Significance level.

        Returns
        -------
        dict
            Key -> band, in the order asked for; empty for several entries together.

        Raises
        ------
        RuntimeError
            If one failed, or the widget is closed.
        """
        self.wait(label)
        overlaid = self.overlaid(label, alpha)
        for item in overlaid.items:
            if item.status == "failed":
                raise RuntimeError(f"the comparator {item.key!r} failed: {item.message}")
        return overlaid.bands

    def _overlay(self, label: Label, key: str, alpha: float, stops: tuple[float, ...]) -> Overlay:
        kind = KINDS[key]
        with self._changed:
            work = self._work.get((label, key), _Work())
            kept, error, done = work.kept, work.error, work.done
        told = Overlay(key, kind.name, TARGET, kind.scope, "working", done, kind.total)
        if kept is not None:
            try:
                made = work.latest
                if made is None or made.alpha != alpha:
                    made = work.latest = kept.band(alpha)
                others = tuple(kept.band(stop) for stop in stops) if stops else None
                return told._replace(status="done", band=made, stops=others)
            except Exception as failure:
                error = failure
        return told if error is None else told._replace(status="failed", message=_text(error))

    def _over(self, label: Label) -> bool:
        """Whether nothing is left to make for an entry; the caller holds the lock."""
        some = self._group.looked_at(label) is not None
        return len(self._pairs) == len(self._to_compare) and not (
            some
            and self.keys
            and (
                label not in self._areas
                or any(not self._work.get((label, key), _Work()).over for key in self.keys)
            )
        )

    def _next(self) -> Callable[[], None] | None:
        """What is to be made next: bands before pairs."""
        with self._changed:
            if self._closed:
                return None
            label, pairs = self._label, len(self._pairs)
            evaluation = self._group.looked_at(label)
            if evaluation is not None and self.keys:
                if label not in self._areas:
                    return lambda: self._measure(label, evaluation)
                for key in (key for key in KINDS if key in self.keys):
                    work = self._work.setdefault((label, key), _Work())
                    if not work.over:
                        return lambda: self._make(evaluation, key, work)
            if pairs < len(self._to_compare):
                return lambda: self._compare(*self._to_compare[pairs])
            return None

    def _make_all(self) -> None:
        while (task := self._next()) is not None:
            task()
            with self._changed:
                self._changed.notify_all()
            if not self._closed:
                self._telling.ask()

    def _measure(self, label: Label, evaluation: RocEvaluation) -> None:
        try:
            area = comparators.area_variance(evaluation.labels, evaluation.scores)
        except ValueError:  # a label that occurs once has no variance
            area = (math.nan, 0.0)
        with self._changed:
            self._areas[label] = area

    def _make(self, evaluation: RocEvaluation, key: str, work: _Work) -> None:
        kind = KINDS[key]

        def progress(done: int, total: int) -> None:
            if self._closed:
                raise _Closed
            work.done = min(done * kind.total // total, kind.total)
            self._telling.ask()

        try:
            kept = kind.make(evaluation, progress)
            with self._changed:
                work.done, work.kept = kind.total, kept
        except _Closed:
            pass
        except Exception as error:  # whatever went wrong, the page must hear of it
            with self._changed:
                work.error = error

    def _compare(self, a: Label, b: Label) -> None:
        one, other = self._group.entries[a], self._group.entries[b]
        try:
            found = comparators.areas_difference(one.labels, one.scores, other.scores)
        except ValueError:  # a label that occurs once has no variance
            found = (one.observed_auc - other.observed_auc, math.nan, math.nan)
        with self._changed:
            self._pairs.append(Pair(a, b, *found))


def checked(keys: Iterable[str]) -> tuple[str, ...]:
    """Read which comparators a user wants.

    Parameters
    ----------
    keys : iterable of str
        Some of `KEYS`.

    Returns
    -------
    tuple of str
        Each once.

    Raises
    ------
    TypeError, ValueError
        If one is none of them.
    ImportError
        If one needs rocci, which is not installed.
    """
    allowed = ", ".join(map(repr, KEYS))
    if isinstance(keys, str | Mapping) or not isinstance(keys, Iterable):
        raise TypeError(
            f"comparators: found {type(keys).__name__}, expected a tuple of some of {allowed}"
        )
    wanted: tuple[Any, ...] = tuple(keys)
    for key in wanted:
        if not isinstance(key, str) or key not in KEYS:
            raise ValueError(f"comparators: found {key!r:.60}, expected some of {allowed}")
    wanted = tuple(dict.fromkeys(wanted))
    if any(KINDS[key].by_rocci for key in wanted):
        try:
            import rocci  # noqa: F401
        except ImportError as error:
            raise ImportError(
                "comparators: 'simultaneous' and 'working_hotelling' are made by rocci 0.3, which "
                f"is not installed: pip install 'rocci>=0.3.1,<0.4' ({error})",
                name="rocci",
            ) from error
    return wanted


def _delong(auc: float, variance: float, alpha: float) -> tuple[float, float] | None:
    """Interval for the area; None where it would have no width and mean nothing."""
    if variance == 0:
        return None
    half = float(-ndtri(alpha / 2)) * math.sqrt(variance)
    return max(auc - half, 0.0), min(auc + half, 1.0)


def _text(error: Exception) -> str:
    return str(error) or type(error).__name__
