"""Computes the comparators of a widget on background threads.

Each comparator resamples once for each evaluation, with a fixed seed. The bands at all alphas come
from the same samples, so a new alpha needs no new samples.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from numpy.typing import ArrayLike

from conformal_roc_widget.comparators.comparator_band import BandFamily, ComparatorBand
from conformal_roc_widget.comparators.known_truth import KEY as TRUTH
from conformal_roc_widget.comparators.known_truth import known_truth
from conformal_roc_widget.comparators.registry import (
    COMPARATORS,
    SPARE,
    Comparator,
    Resampling,
    chosen_comparators,
)
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.promise import Promise
from conformal_roc_widget.shown.comparator_state import Overlaid, Overlay, Pair
from conformal_roc_widget.shown.controls import WITH_OWN_LIMITS, Controls, Label
from conformal_roc_widget.shown.evaluation_group import Group

from .background_task import BackgroundTask

#: A picture waits at most this many seconds for its comparator. Resampling a million rows takes
#: about this long.
PATIENCE = 5.0


class _Closed(Exception):
    """The error that ends a comparator's computation after its widget was closed."""


@dataclass
class _Work:
    """The progress of one comparator for one evaluation, and later its result or its error.

    `band` is a function that returns the band at any alpha.
    """

    done: int = 0
    band: Callable[[float], ComparatorBand] | None = None
    promise: Promise | None = None
    error: Exception | None = None


class ComparatorWorker:
    """Computes the comparators of a widget, and the tests of pairs of classifiers.

    One thread computes them. Another calls `notify` if something has changed, so that finished
    bands can follow alpha while another comparator is computed. Only the first thread writes
    results, each once, so that other threads may read them at any time.
    """

    def __init__(
        self,
        group: Group,
        keys: Iterable[str],
        notify: Callable[[], None],
        truth: ArrayLike | None = None,
    ) -> None:
        self._comparators = {key: COMPARATORS[key] for key in chosen_comparators(keys)}
        # Comparators need single test points, which a table of counts does not have.
        summarized = any(not each.has_single_points for each in group.entries.values())
        if summarized and (self._comparators or truth is not None):
            raise ValueError(
                f"{'comparators' if truth is None else 'truth'}: found an evaluation made by "
                "from_table, which keeps a summary of its test set; expected one that holds the "
                "test points"
            )
        for key, comparator in self._comparators.items():
            refusals = (comparator.refusal(each) for each in group.entries.values())
            if refusal := next(filter(None, refusals), ""):
                raise ValueError(f"comparators: found {key!r}, expected 'bootstrap': {refusal}")
        needs_spare = not (self._comparators or summarized)
        self._work: dict[tuple[Label, str], _Work] = {}
        if truth is not None:
            # The ideal model's sensitivities from true probabilities need no resampling. They are
            # computed at once, so that the first picture shows them.
            comparator = self._comparators[TRUTH] = _truth_of(group, truth)
            for label, each in group.entries.items():
                line = comparator.of_probabilities(each.labels, each.scores, Resampling())
                self._work[label, TRUTH] = _Work(comparator.steps, _kept(line))
        #: The keys of the comparators that the user chose.
        self.keys = tuple(self._comparators)
        #: The keys of the comparators to compute. If the user chose none, this is empty until the
        #: band "sampling" needs one. Then `SPARE` is added.
        self._wanted = self.keys
        if needs_spare:
            self._comparators[SPARE] = COMPARATORS[SPARE]
        self._group = group
        self._changed = threading.Condition()
        self._pairs: tuple[Pair, ...] | None = None
        #: The error of DeLong's tests of pairs. If a comparator fails, its error is in its `_Work`.
        self._failure: Exception | None = None
        self._label: Label = None
        self._making = BackgroundTask(self._make_all, "comparators")
        #: This event is set when the widget is closed or the script ends. It stops all work.
        self.closed = self._making.ended
        self._notifying = BackgroundTask(notify, "comparators-notify")

    def want(self, label: Label, *, sampling: bool = False) -> None:
        """Computes the comparators of the evaluation `label` on the background thread.

        If `sampling` is set, at least one is computed, even if the user chose none.
        """
        if sampling:
            self._wanted = tuple(self._comparators)
        if self.closed.is_set() or not (self._wanted or self._group.comparable):
            return
        self._label = label
        self._notifying.request()
        if self._left(label):
            self._failure = None
            self._making.request()

    def close(self) -> None:
        """Stops the threads. A running comparator stops at its next step."""
        # `end` drops a task's reference to the widget. Then the widget is freed without garbage
        # collection.
        for task in (self._making, self._notifying):
            task.end()
        with self._changed:
            self._changed.notify_all()

    def finish(self, label: Label) -> None:
        """Returns when all comparators of the evaluation `label` are computed.

        If the widget is closed, they are computed on the calling thread.
        """
        if not self.closed.is_set():
            self.wait(label)
            return
        while tasks := self._left(label):
            tasks[0]()

    def wait(self, label: Label, timeout: float | None = None) -> None:
        """Waits until all comparators of the evaluation `label` are done or have failed.

        It waits at most `timeout` seconds.
        """
        self.want(label)
        with self._changed:
            there = self._changed.wait_for(
                lambda: self.closed.is_set() or self._failure or not self._left(label), timeout
            )
        if self._failure is not None:
            raise RuntimeError("the comparators failed") from self._failure
        if self.closed.is_set():
            raise RuntimeError("the widget is closed, so it computes no comparators")
        if not there:
            raise TimeoutError(f"the comparators are not ready after {timeout:g} s")

    def wait_for_picture(self, label: Label, *, sampling: bool) -> None:
        """Waits at most `PATIENCE` seconds for what a picture of the evaluation `label` needs.

        A picture needs the tests of pairs and, if `sampling` is set, the first finished comparator.
        Errors are not reported here.
        """
        self.want(label, sampling=sampling)
        keys = self._wanted if sampling and self._group.looked_at(label) is not None else ()

        def is_there() -> bool:
            works = [self._work.get((label, key), _Work()) for key in keys]
            has_band = not works or any(each.band or each.error for each in works)
            has_pairs = not self._group.comparable or self._pairs is not None
            return self.closed.is_set() or self._failure is not None or (has_band and has_pairs)

        with self._changed:
            self._changed.wait_for(is_there, PATIENCE)

    def overlaid(self, label: Label, alpha: float, stops: Sequence[float] = ()) -> Overlaid:
        """Returns the present state of the comparators of the evaluation `label`.

        A finished comparator has a band at `alpha`, and at each of the further alphas `stops`.
        """
        if self._group.looked_at(label) is None:
            return Overlaid(label, alpha, pairs=self._pairs)
        items = tuple(self._overlay(label, key, alpha, stops) for key in self._wanted)
        return Overlaid(label, alpha, items, self._pairs)

    def bands(
        self, label: Label, alpha: float, *, every: bool = False
    ) -> dict[str, ComparatorBand]:
        """Waits for the comparators of the evaluation `label`. Returns their bands by their keys.

        If one failed, a RuntimeError is raised. If `every` is set, comparators that the user did
        not choose are included.
        """
        self.wait(label)
        overlaid = self.overlaid(label, alpha)
        for item in overlaid.items:
            if item.status == "failed":
                raise RuntimeError(f"the comparator {item.comparator.key!r} failed: {item.message}")
        return overlaid.bands if every else overlaid.laid.bands

    def _overlay(self, label: Label, key: str, alpha: float, stops: Sequence[float]) -> Overlay:
        work = self._work.get((label, key), _Work())
        overlay = Overlay(
            self._comparators[key], done=work.done, promise=work.promise, laid=key in self.keys
        )
        error = work.error
        if work.band is not None:
            try:
                others = tuple(map(work.band, stops)) if stops and key != TRUTH else None
                return overlay._replace(status="done", band=work.band(alpha), stops=others)
            except Exception as failure:
                error = failure
        if error is None:
            return overlay
        return overlay._replace(status="failed", message=str(error) or type(error).__name__)

    def _left(self, label: Label) -> list[Callable[[], None]]:
        """Returns the remaining tasks for the evaluation `label`: comparators with few steps first.

        The tests of pairs come last.
        """
        tasks: list[Callable[[], None]] = []
        evaluation = self._group.looked_at(label)
        if evaluation is not None and self._wanted:
            for key in sorted(self._wanted, key=lambda key: self._comparators[key].steps):
                work = self._work.setdefault((label, key), _Work())
                if work.band is None and work.error is None:
                    tasks.append(partial(self._make, evaluation, self._comparators[key], work))
        if self._group.comparable and self._pairs is None:
            tasks.append(self._compare)
        return tasks

    def _make_all(self) -> None:
        while not self.closed.is_set() and (tasks := self._left(self._label)):
            try:
                tasks[0]()
            except Exception as error:
                with self._changed:
                    self._failure = error
                    self._changed.notify_all()
                raise
            with self._changed:
                self._changed.notify_all()
            if not self.closed.is_set():
                self._notifying.request()

    def _make(self, evaluation: RocEvaluation, comparator: Comparator, work: _Work) -> None:
        is_late = self.closed.is_set()

        def progress(done: int, total: int) -> None:
            if self.closed.is_set() and not is_late:
                raise _Closed
            work.done = done * comparator.steps // total
            self._notifying.request()

        # One core is left free, so that sliders react quickly while the comparator resamples.
        threads = max(1, (os.cpu_count() or 1) - 1)
        resampling = Resampling(progress=progress, n_threads=threads)
        try:
            family = comparator.of_evaluation(evaluation, resampling)
            work.done, work.promise, work.band = comparator.steps, family.promise, _kept(family)
        except _Closed:
            pass
        except Exception as error:  # the page shows every failure
            work.error = error

    def _compare(self) -> None:
        self._pairs = self._group.pairs


def overlaid_now(group: Group, controls: Controls) -> Overlaid:
    """Computes the comparators for a picture without a widget, on the calling thread.

    They are those that a widget with these controls would show.
    """
    worker, label = ComparatorWorker(group, (), lambda: None), group.opens_with(None)
    worker.close()
    worker.want(label, sampling=controls.band in WITH_OWN_LIMITS)
    worker.finish(label)
    return worker.overlaid(label, controls.alpha)


def _kept(family: BandFamily) -> Callable[[float], ComparatorBand]:
    """Returns a function from alpha to the band of a family, which caches the last band."""
    return lru_cache(maxsize=1)(family.band)


def _truth_of(group: Group, truth: ArrayLike) -> Comparator:
    """Makes the comparator that draws the ideal model's sensitivities from true probabilities."""
    if group.kind == "classes":
        raise ValueError(
            "truth: found the probabilities of one class for several, expected one evaluation"
        )
    return known_truth(truth, next(iter(group.entries.values())).labels)
