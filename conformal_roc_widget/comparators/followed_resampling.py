"""Resamples rows whose outcomes have a time, and estimates the censoring anew each time.

A replicate draws rows of the whole table with replacement, including those that were lost to
follow-up. It estimates the Kaplan-Meier curve of the censoring times. This curve gives the weights
of the rows whose outcome by the horizon is known.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.followed.known import Known
from conformal_roc_widget.tables.event_times import EventTimes

from .resampling import BLOCK, RowResampling


class FollowedResampling(NamedTuple):
    """The rows whose outcome is known, by descending score, and the follow-up of all rows."""

    known: RowResampling
    #: The labels of the known rows, in the order of `known`.
    labels: NDArray[np.int8]
    #: The indices of the known rows among all rows.
    rows: Ints
    #: The weights of the known rows in the data, in the order of `known`.
    weights: Floats
    #: Number of all rows.
    n: int
    #: `ascending` are the indices of rows by ascending time. It ends at the last time whose
    #: censoring affects the weight of a known row. `first` are the places in `ascending` at which a
    #: new time begins.
    ascending: Ints
    first: Ints
    #: Whether each row of `ascending` has an event, so that it is not censored.
    events: NDArray[np.bool_]
    #: For each known row, the number of distinct times before its event, or before the horizon if
    #: it has no event by then.
    before: Ints
    horizon: float

    @classmethod
    def of(
        cls, outcome: EventTimes, known: Known, score: Floats, fpr: Floats
    ) -> FollowedResampling:
        """Sorts the known rows by score. `fpr` are the false positive rates to read curves at."""
        of_known = score[known.rows]
        order = np.argsort(-of_known, kind="stable")
        labels, rows, weights = known.labels[order], known.rows[order], known.weights[order]
        ascending = np.argsort(outcome.times, kind="stable")
        times, first = np.unique(outcome.times[ascending], return_index=True)
        until = np.where(labels == 1, outcome.times[rows], known.horizon)
        before = np.searchsorted(times, until)
        ascending = ascending[: np.append(first, ascending.size)[before.max()]]
        return cls(
            known=RowResampling.of(known.labels == 1, of_known, fpr),
            labels=labels,
            rows=rows,
            weights=weights,
            n=outcome.times.size,
            ascending=ascending,
            first=first[: before.max()],
            events=outcome.events[ascending],
            before=before,
            horizon=known.horizon,
        )

    @property
    def observed(self) -> Floats:
        """True positive rates of the data at the false positive rates `fpr`."""
        return self.known.curve(self.weights)

    def draw(self, size: int, rng: np.random.Generator) -> Floats:
        """Draws `size` replicates. Returns their true positive rates (size, m) at `fpr`."""
        curves, missing = list[Floats](), size
        while missing:
            many = min(missing, max(1, BLOCK // self.n))
            drawn = rng.integers(self.n, size=(many, self.n))
            drawn += self.n * np.arange(many)[:, None]
            times = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)
            known = times.take(self.rows, axis=1)
            # If a replicate has no known row of a label, it has no curve, and is drawn again.
            kept = known[:, self.labels == 1].any(axis=1) & known[:, self.labels == 0].any(axis=1)
            if not kept.all():
                times, known = times[kept], known[kept]
            curves.append(self.known.curves(self._weights(times, known)))
            missing -= len(known)
        return np.concatenate(curves)

    def _weights(self, times: Ints, known: Ints) -> Floats:
        """The weights of the known rows in each replicate. A row that was not drawn has weight 0.

        `times` says how often each replicate drew each row, and `known` is the same for the known
        rows.
        """
        followed = self._followed(times).take(self.before, axis=1)
        weights: Floats = known / np.where(known > 0, followed, 1.0)
        return weights

    def _followed(self, times: Ints) -> Floats:
        """For each replicate, the probability of being followed past each distinct time.

        The first column, before all times, is 1. The times are those of `ascending`. The
        probabilities are the Kaplan-Meier curve of `MarginalCensoring`, in which each row counts as
        often as it was drawn (`times`).
        """
        every = times.take(self.ascending, axis=1)
        lost = every * ~self.events
        if self.first.size < self.ascending.size:
            every, lost = (np.add.reduceat(each, self.first, axis=1) for each in (every, lost))
        at_risk = self.n - np.cumsum(every, axis=1) + lost
        followed = np.ones((len(times), self.first.size + 1))
        # If no row is at risk at a time, none is lost either, and the factor is 1 - 0 / 1.
        np.cumprod(1 - lost / np.maximum(at_risk, 1), axis=1, out=followed[:, 1:])
        return followed
