"""How likely a row was still followed: ``G(u-)``, the probability of no censoring before u.

Events come first among ties: a row with an event at u could not be censored at u, so that it is not
at risk there. Then the rows that the Kaplan-Meier curve was made from have weights whose sum is
their number, at every horizon (`conformal_roc_widget.calibration.followed.known`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from conformal_roc_widget.arrays import Floats, deviation, numbers_of
from conformal_roc_widget.checks import one_of
from conformal_roc_widget.tables.event_times import EventTimes
from conformal_roc_widget.tables.points import Points

NAMED = ("marginal", "features")
#: Prior precision of the coefficients of standardized features: very weak, but enough for a maximum
#: to exist.
RIDGE = 1.0
#: Newton's steps at most, and the decrement at which they end.
STEPS, DECREMENT = 50, 1e-10
#: Features that are further from the mean than this many deviations count as that far.
FARTHEST = 5.0


class Censoring(Protocol):
    """Probability of being followed up to a time."""

    #: The information that the model uses, in words.
    sees: str

    def before(self, times: Floats, points: Any = None) -> Floats:
        """``P(C >= time | x)`` (n,) of each row at its own time."""
        ...


def check_censoring(censoring: Any) -> None:
    """Refuses what is neither a name nor a callable."""
    if not callable(censoring) or isinstance(censoring, type):
        one_of(censoring, "censoring", NAMED, other="a callable (X, times) -> P(C >= time | x)")


def censoring_of(censoring: Any, training: EventTimes, points: Points) -> Censoring:
    """The censoring model, fitted to the training part, whose features are numbers."""
    if callable(censoring):
        return GivenCensoring(censoring)
    if censoring == "features":
        return CoxCensoring.of(training, points.array)
    return MarginalCensoring.of(training)


@dataclass(frozen=True, eq=False)
class MarginalCensoring:
    """Kaplan-Meier curve of the censoring times.

    Parameters
    ----------
    at : ndarray of shape (k,)
        Censoring times, ascending, each once.
    after : ndarray of shape (k + 1,)
        Probability of no censoring before the first of them, and up to each.
    """

    at: Floats
    after: Floats
    sees = "nothing of the row"

    @classmethod
    def of(cls, rows: EventTimes) -> MarginalCensoring:
        """The curve of some rows."""
        at, censored, at_risk = _at_risk(rows)
        return cls(at, np.concatenate([[1.0], np.cumprod(1 - censored / at_risk)]))

    def before(self, times: Floats, points: Any = None) -> Floats:
        """See `Censoring.before`."""
        return self.after[np.searchsorted(self.at, times, side="left")]


def _at_risk(rows: EventTimes) -> tuple[Floats, Floats, Floats]:
    """Censoring times, how many rows are censored there, and how many could have been."""
    at, censored = np.unique(rows.times[~rows.events], return_counts=True)
    later = rows.times.size - np.searchsorted(np.sort(rows.times), at, side="right")
    return at, censored.astype(np.float64), (later + censored).astype(np.float64)


@dataclass(frozen=True, eq=False)
class CoxCensoring:
    """Cox model of the censoring times (Breslow's estimate for ties and for the baseline).

    Parameters
    ----------
    centre, spread : ndarray of shape (d,)
        Mean and deviation of the training features.
    coefficients : ndarray of shape (d,)
        Log hazard ratios of the standardized features.
    at : ndarray of shape (k,)
        Censoring times, ascending.
    hazard : ndarray of shape (k + 1,)
        Cumulative baseline hazard before the first of them, and up to each.
    """

    centre: Floats
    spread: Floats
    coefficients: Floats
    at: Floats
    hazard: Floats
    sees = "the features of the row"

    @classmethod
    def of(cls, rows: EventTimes, X: Floats) -> CoxCensoring:
        """The model of some rows (n, d)."""
        spread = deviation(X)
        centre, spread = X.mean(axis=0), np.where(spread > 0, spread, 1.0)
        risks = _RiskSets.of(rows, _standardized(X, centre, spread))
        coefficients = risks.maximum()
        steps = risks.deaths / risks.sums(coefficients)[0] if risks.at.size else risks.at
        return cls(centre, spread, coefficients, risks.at, np.concatenate([[0], np.cumsum(steps)]))

    def before(self, times: Floats, points: Any = None) -> Floats:
        """See `Censoring.before`."""
        linear = _standardized(points.array, self.centre, self.spread) @ self.coefficients
        hazard = self.hazard[np.searchsorted(self.at, times, side="left")]
        return np.asarray(np.exp(-hazard * np.exp(linear)))


def _standardized(X: Floats, centre: Floats, spread: Floats) -> Floats:
    return np.clip((X - centre) / spread, -FARTHEST, FARTHEST)


@dataclass(frozen=True, eq=False)
class _RiskSets:
    """Rows by descending time, and for each censoring time how many of them are at risk."""

    at: Floats
    deaths: Floats
    #: Features, descending by time, censored rows before events of the same time.
    ordered: Floats
    size: Any
    total: Floats

    @classmethod
    def of(cls, rows: EventTimes, features: Floats) -> _RiskSets:
        at, deaths, at_risk = _at_risk(rows)
        # At risk at c are later rows and those censored at c, so events at c are sorted behind
        # them.
        order = np.lexsort((rows.events, -rows.times))
        size = np.rint(at_risk).astype(np.intp)
        return cls(at, deaths, features[order], size, features[~rows.events].sum(axis=0))

    def sums(self, coefficients: Floats) -> tuple[Floats, Floats]:
        """Sums of the relative risks over the risk sets; and relative risks by row."""
        risk = np.exp(self.ordered @ coefficients)
        return np.cumsum(risk)[self.size - 1], risk

    def maximum(self) -> Floats:
        """Coefficients of the largest partial likelihood, with a weak prior."""
        coefficients = np.zeros(self.ordered.shape[1])
        if not self.at.size or not coefficients.size:
            return coefficients
        value = self._loss(coefficients)
        for _ in range(STEPS):
            gradient, curvature = self._derivatives(coefficients)
            step = cho_solve(cho_factor(curvature), gradient)
            decrement = float(gradient @ step)
            before, value = value, self._loss(coefficients + step)
            while not value <= before + 1e-9 * (1 + abs(before)):
                step /= 2
                value = self._loss(coefficients + step)
            coefficients = coefficients + step
            if decrement < DECREMENT:
                break
        return coefficients

    def _loss(self, coefficients: Floats) -> float:
        sums, _ = self.sums(coefficients)
        prior = RIDGE / 2 * coefficients @ coefficients
        return float(self.deaths @ np.log(sums) - self.total @ coefficients + prior)

    def _derivatives(self, coefficients: Floats) -> tuple[Floats, Floats]:
        sums, risk = self.sums(coefficients)
        X, last = self.ordered, self.size - 1
        means = np.cumsum(risk[:, None] * X, axis=0)[last] / sums[:, None]
        gradient = self.total - self.deaths @ means - RIDGE * coefficients
        # A row is in the risk sets of all censoring times up to its own; its shares in them are
        # added up.
        shares = np.zeros(len(X) + 1)
        np.add.at(shares, self.size, self.deaths / sums)
        in_sets = np.cumsum(shares[::-1])[::-1][1:] * risk
        curvature = (X * in_sets[:, None]).T @ X - (means * self.deaths[:, None]).T @ means
        curvature[np.diag_indices_from(curvature)] += RIDGE
        return gradient, curvature


@dataclass(frozen=True)
class GivenCensoring:
    """A function ``(X, times) -> P(C >= time | x)`` of the user's."""

    function: Callable[[Any, Floats], Any]
    sees = "what the given function sees"

    def before(self, times: Floats, points: Any = None) -> Floats:
        """See `Censoring.before`."""
        found = numbers_of(self.function(points.raw, times), "censoring(X, times)", ndim=1)
        if found.shape != times.shape:
            raise ValueError(
                f"censoring(X, times): found shape {found.shape}, expected {times.shape}"
            )
        if found.min() <= 0 or found.max() > 1:
            raise ValueError(
                f"censoring(X, times): found values from {found.min():g} to {found.max():g}, "
                "expected probabilities above 0 and up to 1"
            )
        return found
