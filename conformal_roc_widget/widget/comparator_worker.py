"""Makes the comparators of a widget on background threads.

Each comparator resamples once for each evaluation, from a fixed seed. Its family of bands then
gives the band at any alpha, so that a new alpha costs no resampling.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from numpy.typing import ArrayLike

from conformal_roc_widget.comparators.comparator_band import BandFamily, ComparatorBand
from conformal_roc_widget.comparators.delong import area_variance
from conformal_roc_widget.comparators.known_truth import KEY as TRUTH
from conformal_roc_widget.comparators.known_truth import known_truth
from conformal_roc_widget.comparators.registry import (
    COMPARATORS,
    Comparator,
    Resampling,
    chosen_comparators,
)
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.evaluation.sampling_interval import area_limits
from conformal_roc_widget.view.comparator_state import Overlaid, Overlay, Pair
from conformal_roc_widget.view.controls import Label
from conformal_roc_widget.view.evaluation_group import Group
from conformal_roc_widget.widget.background_task import BackgroundTask

#: The comparator that the band "sampling" shows if the user asked for none.
SPARE = "bootstrap"


class _Closed(Exception):
    """Ends the work of a comparator whose widget is closed."""


@dataclass
class _Work:
    """Progress of one comparator of one entry, and its outcome."""

    done: int = 0
    family: BandFamily | None = None
    error: Exception | None = None
    latest: ComparatorBand | None = None

    @property
    def over(self) -> bool:
        return self.family is not None or self.error is not None


class ComparatorWorker:
    """The comparators of a widget.

    One thread makes them, another calls `notify` whenever there is news, so that a band that is
    there follows alpha while the next one is being resampled.
    """

    def __init__(
        self,
        group: Group,
        keys: Iterable[str],
        notify: Callable[[], None],
        truth: ArrayLike | None = None,
    ) -> None:
        self._comparators = {key: COMPARATORS[key] for key in chosen_comparators(keys)}
        if truth is not None:
            self._comparators[TRUTH] = _truth_of(group, truth)
        self.keys = tuple(self._comparators)
        #: The comparator for the band "sampling", where the user asked for none that could serve.
        self._spare = () if set(self.keys) - {TRUTH} else (SPARE,)
        self._sampling = False
        self._work: dict[tuple[Label, str], _Work] = {}
        if truth is not None:
            # This comparator only counts: it is made at once, so that the first picture has it.
            for label, each in group.entries.items():
                line = self._comparators[TRUTH].of_probabilities(
                    each.labels, each.scores, Resampling()
                )
                self._work[label, TRUTH] = _Work(done=1, family=line)
        # Two summaries do not tell which points they share.
        summarized = any(each.counts is not None for each in group.entries.values())
        if summarized:
            self._spare = ()
        if self.keys and summarized:
            raise ValueError(
                "comparators: found an evaluation made by from_table, which keeps a summary of its "
                "test set; expected one that holds the test points"
            )
        self._group = group
        self._changed = threading.Condition()
        self._areas: dict[Label, tuple[float, float]] = {}
        self._pairs: tuple[Pair, ...] | None = None
        self._is_compared = group.comparable
        self._label: Label = None
        self._closed = False
        self._making = BackgroundTask(self._make_all, "comparators")
        self._notifying = BackgroundTask(notify, "comparators-notify")

    @property
    def closed(self) -> bool:
        """Whether the widget is closed, so that nothing is made any more."""
        return self._closed

    def want(self, label: Label, *, sampling: bool = False) -> None:
        """Make the comparators of the entry on the screen; with `sampling` at least one of them."""
        if sampling and self._spare:
            with self._changed:
                self._comparators[SPARE] = COMPARATORS[SPARE]
                self._sampling = True
        if self._closed or not (self._made or self._is_compared):
            return
        with self._changed:
            self._label = label
        self._notifying.request()
        if self._next() is not None:
            self._making.request()

    @property
    def _made(self) -> tuple[str, ...]:
        """Keys of the comparators to make: those asked for, and the spare one if it is needed."""
        return self.keys + self._spare if self._sampling else self.keys

    def close(self) -> None:
        """Stop the threads; a comparator that is half made ends at its next step."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def wait(self, label: Label, timeout: float | None = None) -> None:
        """Wait until every comparator of an entry is there, or has failed; `timeout` in seconds."""
        self.want(label)
        with self._changed:
            there = self._changed.wait_for(lambda: self._closed or self._over(label), timeout)
            if self._closed:
                raise RuntimeError("the widget is closed, and makes no comparators any more")
        if not there:
            raise TimeoutError(f"the comparators are not there after {timeout:g} s")

    def overlaid(self, label: Label, alpha: float, stops: Iterable[float] = ()) -> Overlaid:
        """State at this moment, with bands at the further alphas `stops` too."""
        evaluation = self._group.looked_at(label)
        with self._changed:
            pairs = self._pairs
            area = self._areas.get(label)
        if evaluation is None or not self._made:
            return Overlaid(label, alpha, pairs=pairs)
        stops = tuple(stops)
        items = tuple(self._overlay(label, key, alpha, stops) for key in self._made)
        sampled = self.keys != (TRUTH,) and area is not None and area[1] != 0
        limits = area_limits(*area, alpha) if sampled and area is not None else None
        return Overlaid(label, alpha, items, limits, pairs)

    def bands(self, label: Label, alpha: float) -> dict[str, ComparatorBand]:
        """Bands over an entry, waited for, in the order asked for; a RuntimeError if one failed."""
        self.wait(label)
        overlaid = self.overlaid(label, alpha)
        for item in overlaid.items:
            if item.status == "failed":
                raise RuntimeError(f"the comparator {item.key!r} failed: {item.message}")
        return overlaid.laid.bands

    def _overlay(self, label: Label, key: str, alpha: float, stops: tuple[float, ...]) -> Overlay:
        with self._changed:
            work = self._work.get((label, key), _Work())
            family, error, done = work.family, work.error, work.done
        overlay = Overlay.working(self._comparators[key], done)._replace(laid=key in self.keys)
        if family is not None:
            try:
                band = work.latest
                if band is None or band.alpha != alpha:
                    band = work.latest = family.band(alpha)
                others = (
                    tuple(family.band(stop) for stop in stops) if stops and key != TRUTH else None
                )
                return overlay._replace(status="done", band=band, stops=others)
            except Exception as failure:
                error = failure
        if error is None:
            return overlay
        message = str(error) or type(error).__name__
        return overlay._replace(status="failed", message=message)

    def _over(self, label: Label) -> bool:
        """Whether nothing is left to make for an entry; the caller holds the lock."""
        if self._is_compared and self._pairs is None:
            return False
        if self._group.looked_at(label) is None or not self._made:
            return True
        works = (self._work.get((label, key), _Work()) for key in self._made)
        return label in self._areas and all(work.over for work in works)

    def _next(self) -> Callable[[], None] | None:
        """The next piece of work: bands before pairs, and bands of few steps first."""
        with self._changed:
            if self._closed:
                return None
            label, pairs = self._label, self._pairs
            evaluation = self._group.looked_at(label)
            if evaluation is not None and self._made:
                if label not in self._areas:
                    return lambda: self._measure(label, evaluation)
                for key in sorted(self._made, key=self._steps_and_place):
                    work = self._work.setdefault((label, key), _Work())
                    if not work.over:
                        return lambda: self._make(evaluation, key, work)
            if self._is_compared and pairs is None:
                return self._compare
            return None

    def _make_all(self) -> None:
        while (task := self._next()) is not None:
            task()
            with self._changed:
                self._changed.notify_all()
            if not self._closed:
                self._notifying.request()

    def _measure(self, label: Label, evaluation: RocEvaluation) -> None:
        try:
            area = area_variance(evaluation.labels, evaluation.scores)
        except ValueError:  # a label that occurs once has no variance
            area = (math.nan, 0.0)
        with self._changed:
            self._areas[label] = area

    def _make(self, evaluation: RocEvaluation, key: str, work: _Work) -> None:
        comparator = self._comparators[key]

        def progress(done: int, total: int) -> None:
            if self._closed:
                raise _Closed
            work.done = min(done * comparator.steps // total, comparator.steps)
            self._notifying.request()

        # One core stays free for the sliders.
        threads = max(1, (os.cpu_count() or 1) - 1)
        resampling = Resampling(progress=progress, n_threads=threads)
        try:
            family = comparator.of_probabilities(evaluation.labels, evaluation.scores, resampling)
            with self._changed:
                work.done, work.family = comparator.steps, family
        except _Closed:
            pass
        except Exception as error:  # the page must hear of any failure
            with self._changed:
                work.error = error

    def _compare(self) -> None:
        pairs = self._group.pairs
        with self._changed:
            self._pairs = pairs

    def _steps_and_place(self, key: str) -> tuple[int, int]:
        """Order of the work: fewer steps first, then the order of the registry."""
        order = [*COMPARATORS, TRUTH]
        return self._comparators[key].steps, order.index(key)


def _truth_of(group: Group, truth: ArrayLike) -> Comparator:
    """The ideal model itself, over the curves of a group that share their test points."""
    evaluation = next(iter(group.entries.values()))
    if group.kind == "classes":
        raise ValueError(
            "truth: found the probabilities of one class for several, expected one evaluation"
        )
    if evaluation.counts is not None:
        raise ValueError(
            "truth: found an evaluation made by from_table, which keeps a summary of its test set; "
            "expected one that holds the test points"
        )
    return known_truth(truth, evaluation.labels)
