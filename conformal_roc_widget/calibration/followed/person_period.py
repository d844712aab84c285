"""Computes a posterior of the risk of an event by any time, from hazards in periods.

Each row of the table becomes one row for every period through which it was followed. The label of
such a row is "event in this period", and the period is an additional feature. The posterior of the
logit of these labels (`conformal_roc_widget.calibration.references.posterior`) is a posterior of
the discrete hazard. So a draw gives ``log S(t) = sum of log(1 - hazard)`` at the end of every
period, and ``logit P(T <= t | x) = log(1 - S) - log S`` at all horizons. No weights are needed,
because a lost row has no further periods. If a row is lost within a period, the period counts if
the row was followed past its middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.references.posterior import DRAWS, LogitPosterior, fit_sharp
from conformal_roc_widget.tables.event_times import EventTimes

#: Time is divided into about this many periods. Each horizon ends a period, so there are at least
#: as many periods as horizons.
PERIODS = 6


@dataclass(frozen=True, eq=False)
class Periods:
    """The periods into which time is divided, by their ascending edges. The first edge is 0.

    Parameters
    ----------
    edges : ndarray of shape (k + 1,)
        Period j lasts from ``edges[j]``, exclusive, to ``edges[j + 1]``, inclusive. The first
        period includes 0.
    place : ndarray of shape (k,)
        The number that stands for each period as a feature.
    """

    edges: Floats
    place: Floats

    @classmethod
    def of(cls, outcome: EventTimes, horizons: tuple[float, ...]) -> Periods:
        """Makes periods that end at all horizons and at quantiles of the event times between."""
        edges = np.concatenate([[0.0], period_ends(outcome, horizons)])
        return cls(edges, np.arange(edges.size - 1, dtype=np.float64))

    @property
    def number(self) -> int:
        """Number of periods."""
        return self.edges.size - 1

    def rows(self, outcome: EventTimes) -> tuple[Ints, Ints, Ints]:
        """Returns the person-period rows: index of the outcome, period, and label of each row.

        The label is 1 if the event came in this period, and otherwise 0.
        """
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
    """Returns the ends of the periods: all horizons, and quantiles of event times between them."""
    events = np.sort(outcome.times[outcome.events & (outcome.times <= horizons[-1])])
    shares = np.searchsorted(events, horizons, side="right") / events.size
    ends = dict(zip(shares.tolist(), horizons, strict=True))
    for share in np.arange(1, PERIODS) / PERIODS:
        if np.abs(shares - share).min() > 0.5 / PERIODS:
            ends[float(share)] = float(np.quantile(events, share, method="inverted_cdf"))
    # Many events may be at time 0, but a period that ends at 0 would have no length.
    return np.unique([end for end in (*horizons, *ends.values()) if end > 0])


@dataclass(frozen=True, eq=False)
class PersonPeriod:
    """The posterior of the hazard in each period, given the features.

    Parameters
    ----------
    periods : Periods
        The periods.
    posterior : LogitPosterior
        Posterior of the hazard's logit, as a function of features and period.
    """

    periods: Periods
    posterior: LogitPosterior

    @classmethod
    def of(cls, X: Floats, outcome: EventTimes, horizons: tuple[float, ...]) -> PersonPeriod:
        """Learns from the features `X` (n, d) and outcomes of all training and calibration rows."""
        periods = Periods.of(outcome, horizons)
        owner, period, label = periods.rows(outcome)
        table = np.column_stack([X[owner], periods.place[period]])
        return cls(periods, fit_sharp(table, label))

    def risk_logits(self, X: Floats, horizons: tuple[float, ...]) -> dict[float, Floats]:
        """Draws ``logit P(T <= t | x)`` (n, n_draws) at the rows of `X`, for each horizon t.

        Each column is one draw of the function.
        """
        found, hazard = {}, np.zeros((len(X), DRAWS))
        for _, end, step in self._steps(X):
            hazard += step
            if end in horizons:
                found[end] = logit_of_hazard(hazard)
        return found

    def risks_after(
        self, X: Floats, free_at: Floats, horizons: tuple[float, ...]
    ) -> dict[float, Floats]:
        """Returns ``P(T <= t | T > u, x)`` (n,) at each horizon t.

        `free_at` has the time u of each row, up to which it had no event. Within a period the
        hazard is constant.
        """
        found, since = {}, np.zeros((len(X), DRAWS))
        for start, end, step in self._steps(X):
            left = np.clip((end - free_at) / (end - start), 0, 1)
            since += left[:, None] * step
            if end in horizons:
                found[end] = -np.expm1(-since).mean(axis=1)
        return found

    def _steps(self, X: Floats) -> Iterator[tuple[float, float, Floats]]:
        """Yields start and end of each period, and draws (n, n_draws) of its hazard."""
        edges = self.periods.edges.tolist()
        for (start, end), place in zip(pairwise(edges), self.periods.place, strict=True):
            table = np.column_stack([X, np.full(len(X), place)])
            yield start, end, np.logaddexp(0, self.posterior.draws(table))


def logit_of_hazard(hazard: Floats) -> Floats:
    """``log(1 - S) - log S`` for a cumulative hazard ``-log S``. It is accurate at extremes too."""
    return np.asarray(hazard + np.log(-np.expm1(-hazard)))
