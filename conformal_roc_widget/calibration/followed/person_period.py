"""A posterior of the risk of an event by any time, from hazards in periods.

A row of the table becomes one row a period that it was followed through, with the label "event in
this period", and the period is one more feature. The posterior of such labels' logit
(`conformal_roc_widget.calibration.references.posterior`) is one of the discrete hazard, so that a
draw gives ``log S(t) = sum of log(1 - hazard)`` at the end of every period, and with it
``logit P(T <= t | x) = log(1 - S) - log S`` at all horizons at once. No weights are needed: who is
lost from sight simply has no further periods.

A row that is lost within a period has that period too if it was followed past its middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.references.posterior import DRAWS, LogitPosterior, fit_sharp
from conformal_roc_widget.tables.event_times import EventTimes

#: About this many periods are made; more if there are more horizons.
PERIODS = 6


@dataclass(frozen=True, eq=False)
class Periods:
    """Periods between ascending edges, the first of which is 0.

    Parameters
    ----------
    edges : ndarray of shape (k + 1,)
        Period j lasts from ``edges[j]``, exclusive, to ``edges[j + 1]``, inclusive; the first one
        starts at 0, inclusive.
    place : ndarray of shape (k,)
        The feature that stands for a period: its number.
    """

    edges: Floats
    place: Floats

    @classmethod
    def of(cls, outcome: EventTimes, horizons: tuple[float, ...]) -> Periods:
        """Edges at all horizons and at quantiles of the event times between them."""
        edges = np.concatenate([[0.0], period_ends(outcome, horizons)])
        return cls(edges, np.arange(edges.size - 1, dtype=np.float64))

    @property
    def number(self) -> int:
        """Number of periods."""
        return self.edges.size - 1

    def rows(self, outcome: EventTimes) -> tuple[Ints, Ints, Ints]:
        """Rows of a table, their periods, and whether the event was in the period."""
        lasts = np.searchsorted(self.edges[1:], outcome.times, side="left")
        middles = (self.edges[1:] + self.edges[:-1]) / 2
        owner, period, label = [], [], []
        for j in range(self.number):
            through = lasts > j
            ends = lasts == j
            event = ends & outcome.events
            late = ends & ~outcome.events & (outcome.times > middles[j])
            kept = np.flatnonzero(through | event | late)
            owner.append(kept)
            period.append(np.full(kept.size, j))
            label.append(event[kept].astype(np.intp))
        return tuple(map(np.concatenate, (owner, period, label)))  # type: ignore[return-value]


def period_ends(outcome: EventTimes, horizons: tuple[float, ...]) -> Floats:
    """Ends of the periods: every horizon, and quantiles of the event times not too near to one."""
    events = np.sort(outcome.times[outcome.events & (outcome.times <= horizons[-1])])
    shares = np.searchsorted(events, horizons, side="right") / events.size
    ends = dict(zip(shares.tolist(), horizons, strict=True))
    for share in np.arange(1, PERIODS) / PERIODS:
        if np.abs(shares - share).min() > 0.5 / PERIODS:
            ends[float(share)] = float(np.quantile(events, share, method="inverted_cdf"))
    # An end at 0 would make a period without length: events at time 0 may be many.
    return np.unique([end for end in (*horizons, *ends.values()) if end > 0])


@dataclass(frozen=True, eq=False)
class PersonPeriod:
    """Posterior of the hazard in each period, given the features.

    Parameters
    ----------
    periods : Periods
        The periods.
    posterior : LogitPosterior
        Of the logit of the hazard, of features and period.
    """

    periods: Periods
    posterior: LogitPosterior

    @classmethod
    def of(cls, X: Floats, outcome: EventTimes, horizons: tuple[float, ...]) -> PersonPeriod:
        """Learns from all rows (n, d), those that train and those that calibrate."""
        periods = Periods.of(outcome, horizons)
        owner, period, label = periods.rows(outcome)
        table = np.column_stack([X[owner], periods.place[period]])
        return cls(periods, fit_sharp(table, label))

    def risk_logits(self, X: Floats, horizons: tuple[float, ...]) -> dict[float, Floats]:
        """Draws (n, n_draws) of ``logit P(T <= t | x)`` at each horizon, one function a column."""
        found, hazard = {}, np.zeros((len(X), DRAWS))
        for _, end, step in self._steps(X):
            hazard += step
            if end in horizons:
                found[end] = logit_of_hazard(hazard)
        return found

    def risks_after(
        self, X: Floats, free_at: Floats, horizons: tuple[float, ...]
    ) -> dict[float, Floats]:
        """``P(T <= t | T > u, x)`` (n,) at each horizon, of rows that are free of it at their u.

        Within a period the hazard is constant.
        """
        found, since = {}, np.zeros((len(X), DRAWS))
        for start, end, step in self._steps(X):
            left = np.clip((end - free_at) / (end - start), 0, 1)
            since += left[:, None] * step
            if end in horizons:
                found[end] = -np.expm1(-since).mean(axis=1)
        return found

    def _steps(self, X: Floats) -> Iterator[tuple[float, float, Floats]]:
        """Start and end of each period, and draws (n, n_draws) of the hazard within it."""
        edges = self.periods.edges.tolist()
        for (start, end), place in zip(pairwise(edges), self.periods.place, strict=True):
            table = np.column_stack([X, np.full(len(X), place)])
            yield start, end, np.logaddexp(0, self.posterior.draws(table))


def logit_of_hazard(hazard: Floats) -> Floats:
    """``log(1 - S) - log S`` of a cumulative hazard ``-log S``, also where it is large or small."""
    return np.asarray(hazard + np.log(-np.expm1(-hazard)))
