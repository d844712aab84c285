"""Resamples rows whose outcomes have a time, and estimates the censoring anew each time.

A replicate draws rows of the whole table with replacement, including those that were lost to
follow-up. It estimates the Kaplan-Meier curve of the censoring times. This curve gives the weights
of the rows whose outcome by the horizon is known.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.followed.known import Known
from conformal_roc_widget.tables.event_times import EventTimes

from .resampling import BLOCK, RowResampling


class FollowedResampling(NamedTuple):
    """The rows whose outcome is known, by descending score, and the follow-up of all rows."""

    known: RowResampling
    #: The indices of the known rows of label 0 and of label 1 among all rows, by descending score.
    rows: tuple[Ints, Ints]
    #: The weights of these rows in the data.
    weights: tuple[Floats, Floats]
    #: Number of all rows.
    n: int
    #: The indices of rows by ascending time, up to the last loss before the horizon.
    ascending: Ints
    #: The places in `ascending` of the rows that are lost before the horizon. `first` are places in
    #: `lost` at which a new time begins. `ends` are the places in `ascending` of the last row of
    #: each of these times.
    lost: Ints
    first: Ints
    ends: Ints
    #: For each row of label 1 in `rows`, the number of distinct times of losses before its event.
    #: For a row of label 0 this would be the number of all these times.
    before: Ints
    horizon: float

    @classmethod
    def of(
        cls, outcome: EventTimes, known: Known, score: Floats, fpr: Floats
    ) -> FollowedResampling:
        """Sorts the known rows by score. `fpr` are the false positive rates to read curves at."""
        of_known = score[known.rows]
        order = np.argsort(-of_known, kind="stable")
        each = tuple(order[known.labels[order] == k] for k in (0, 1))
        rows = known.rows[each[0]], known.rows[each[1]]
        ascending = np.argsort(outcome.times, kind="stable")
        times = outcome.times[ascending]
        lost = np.flatnonzero(~outcome.events[ascending] & (times < known.horizon))
        losses, first = np.unique(times[lost], return_index=True)
        ends = np.searchsorted(times, losses, "right") - 1
        return cls(
            known=RowResampling.of(known.labels == 1, of_known, fpr),
            rows=rows,
            weights=(known.weights[each[0]], known.weights[each[1]]),
            n=outcome.times.size,
            ascending=ascending[: ends.max(initial=-1) + 1],
            lost=lost,
            first=first,
            ends=ends,
            before=np.searchsorted(losses, outcome.times[rows[1]]),
            horizon=known.horizon,
        )

    @property
    def observed(self) -> Floats:
        """True positive rates of the data at the false positive rates `fpr`."""
        curve: Floats = self.known.rates([weights[None] for weights in self.weights])[0]
        return curve

    def draw(self, size: int, rng: np.random.Generator) -> Floats:
        """Draws `size` replicates. Returns their true positive rates (size, m) at `fpr`."""
        curves, missing = list[Floats](), size
        while missing:
            many = min(missing, max(1, BLOCK // self.n))
            drawn = rng.integers(self.n, size=(many, self.n))
            drawn += self.n * np.arange(many)[:, None]
            times = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)
            known = [times.take(rows, axis=1) for rows in self.rows]
            # If a replicate has no known row of a label, it has no curve, and is drawn again.
            kept = np.all([each.max(axis=1) > 0 for each in known], axis=0)
            if not kept.all():
                times, *known = (each[kept] for each in (times, *known))
            curves.append(self.known.rates(self._weights(times, known)))
            missing -= len(times)
        return np.concatenate(curves)

    def _weights(self, times: Ints, known: list[Ints]) -> list[Floats]:
        """Weights of the known rows of both labels in each replicate, 0 for those not drawn.

        `times` says for each replicate how often it drew each row, and `known` each row of `rows`.
        """
        # The probability is 0 only for rows that are not drawn. Their weight is 0, not 0 / 0.
        followed = np.maximum(self._followed(times), np.finfo(float).tiny)
        return [known[0] / followed[:, -1:], known[1] / followed.take(self.before, axis=1)]

    def _followed(self, times: Ints) -> Floats:
        """For each replicate, the probability of being followed past each time of a loss.

        The first column, before all times, is 1. The probabilities are the Kaplan-Meier curve of
        `MarginalCensoring`, in which each row counts as often as it was drawn (`times`).
        """
        every = times.take(self.ascending, axis=1)
        lost = every.take(self.lost, axis=1)
        if self.first.size < self.lost.size:
            lost = np.add.reduceat(lost, self.first, axis=1)
        at_risk = self.n - np.cumsum(every, axis=1).take(self.ends, axis=1) + lost
        followed = np.ones((len(times), self.first.size + 1))
        # If no row is at risk at a time, none is lost either, and the factor is 1 - 0 / 1.
        np.cumprod(1 - lost / np.maximum(at_risk, 1), axis=1, out=followed[:, 1:])
        return followed
