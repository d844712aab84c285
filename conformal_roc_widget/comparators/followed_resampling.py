"""Bootstrap of people whose outcomes have a time: who is followed for how long is drawn with them.

A replicate draws rows of the whole table with replacement, the lost ones among them, makes the
Kaplan-Meier curve of censoring anew, and weighs the rows that are known by the horizon with it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.followed.censoring import MarginalCensoring
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
    outcome: EventTimes
    horizon: float

    @classmethod
    def of(
        cls, outcome: EventTimes, known: Known, score: Floats, fpr: Floats
    ) -> FollowedResampling:
        """Sorts the known rows by their scores."""
        of_known = score[known.rows]
        order = np.argsort(-of_known, kind="stable")
        law = RowResampling.of(known.labels == 1, of_known, fpr)
        labels, rows, weights = known.labels[order], known.rows[order], known.weights[order]
        return cls(law, labels.astype(np.intp), rows, weights, outcome, known.horizon)

    @property
    def observed(self) -> Floats:
        """True positive rates of the data at the false positive rates."""
        return self.known.curve(self.weights)

    def draw(self, size: int, rng: np.random.Generator) -> Floats:
        """True positive rates of `size` replicates, a row each."""
        return np.stack([self.known.curve(self._weights(rng)) for _ in range(size)])

    def redrawn(self, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Weights of label 0 and of label 1 down to each score, in one replicate."""
        return self.known.weights_down(self._weights(rng))

    def _weights(self, rng: np.random.Generator) -> Floats:
        """Weights of the known rows in a replicate."""
        n = self.outcome.times.size
        there = np.zeros(2, dtype=np.intp)
        # A replicate without a known row of either label has no curve, and is drawn again.
        while not there.all():
            drawn = rng.integers(n, size=n)
            times = np.bincount(drawn, minlength=n)[self.rows]
            there = np.bincount(self.labels[times > 0], minlength=2)
        censoring = MarginalCensoring.of(self.outcome.rows(drawn))
        at = np.where(self.labels == 1, self.outcome.times[self.rows], self.horizon)
        weights = np.zeros(times.size)
        weights[times > 0] = times[times > 0] / censoring.before(at[times > 0])
        return weights
