"""Bootstrap of people whose outcomes have a time: who is followed for how long is drawn with them.

A replicate draws rows of the whole table with replacement, the lost ones among them, makes the
Kaplan-Meier curve of censoring anew, and weighs the rows that are known by the horizon with it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.followed.known import Known
from conformal_roc_widget.tables.event_times import EventTimes

from .resampling import RowResampling


class FollowedResampling(NamedTuple):
    """Known rows in descending order of their scores, and the follow-up of all rows."""

    known: RowResampling
    #: Labels of the known rows in that order.
    labels: Ints
    #: Indices of the known rows among all rows.
    rows: Ints
    #: Weights of the data in that order.
    weights: Floats
    #: Number of different times of all rows, and the place of each row's time among them;
    times: int
    time: Ints
    #: that place again, but behind all others if the row had its event then.
    lost: Ints
    #: How many of the times are before the one up to which a known row was followed.
    before: Ints
    horizon: float

    @classmethod
    def of(
        cls, outcome: EventTimes, known: Known, score: Floats, fpr: Floats
    ) -> FollowedResampling:
        """Sorts the known rows by their scores."""
        of_known = score[known.rows]
        order = np.argsort(-of_known, kind="stable")
        labels, rows, weights = known.labels[order], known.rows[order], known.weights[order]
        times, time = np.unique(outcome.times, return_inverse=True)
        return cls(
            known=RowResampling.of(known.labels == 1, of_known, fpr),
            labels=labels.astype(np.intp),
            rows=rows,
            weights=weights,
            times=times.size,
            time=time,
            lost=np.where(outcome.events, times.size, time),
            before=np.where(labels == 1, time[rows], np.searchsorted(times, known.horizon)),
            horizon=known.horizon,
        )

    @property
    def observed(self) -> Floats:
        """True positive rates of the data at the false positive rates."""
        return self.known.curve(self.weights)

    def draw(self, size: int, rng: np.random.Generator) -> Floats:
        """True positive rates of `size` replicates, a row each."""
        return np.stack([self.known.curve(self._weights(rng)) for _ in range(size)])

    def _weights(self, rng: np.random.Generator) -> Floats:
        """Weights of the known rows in a replicate."""
        n = self.time.size
        there = np.zeros(2, dtype=np.intp)
        # A replicate without a known row of either label has no curve, and is drawn again.
        while not there.all():
            drawn = rng.integers(n, size=n)
            times = np.bincount(drawn, minlength=n)[self.rows]
            there = np.bincount(self.labels[times > 0], minlength=2)
        followed = self._followed(drawn)[self.before]
        return np.divide(times, followed, out=np.zeros(times.size), where=times > 0)

    def _followed(self, drawn: Ints) -> Floats:
        """`MarginalCensoring` of the rows drawn: its curve before each time, and after the last."""
        every, lost = (
            np.bincount(each[drawn], minlength=self.times + 1)[:-1]
            for each in (self.time, self.lost)
        )
        at_risk = drawn.size - np.cumsum(every) + lost
        leaves = np.divide(lost, at_risk, out=np.zeros(self.times), where=lost > 0)
        return np.concatenate([[1.0], np.cumprod(1 - leaves)])
