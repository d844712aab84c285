"""Estimates ``G(u-)``, the probability that a row is not censored before time u.

If an event and a censoring have the same time u, the event counts as first: its row cannot be
censored at u, so it is not at risk of censoring there. With this rule, the weights ``1 / G``
(`conformal_roc_widget.calibration.followed.known`) of the rows that gave the Kaplan-Meier curve sum
to the number of these rows, at every horizon.
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
#: The coefficients of standardized features have a normal prior with this precision. Without a
#: prior, the likelihood may have no maximum.
RIDGE = 1.0
#: Newton's method takes at most `STEPS` steps. It stops if Newton's decrement, the gradient times
#: the step, is below `DECREMENT`.
STEPS, DECREMENT = 50, 1e-10
#: Features are clipped at this many standard deviations from the mean.
FARTHEST = 5.0


class Censoring(Protocol):
    """A model of the probability that a row is still followed (not censored) at a time."""

    #: A phrase for messages: which facts about a row the model uses, e.g. "the features of the
    #: row".
    sees: str

    def before(self, times: Floats, points: Any = None) -> Floats:
        """Returns ``P(C >= time | x)`` for each of n rows at its own time (n,).

        C is the censoring time of a row.
        """
        ...


def check_censoring(censoring: Any) -> None:
    """Refuses a censoring model that is neither a known name nor a callable."""
    if not callable(censoring) or isinstance(censoring, type):
        one_of(censoring, "censoring", NAMED, other="a callable (X, times) -> P(C >= time | x)")


def censoring_of(censoring: Any, training: EventTimes, points: Points) -> Censoring:
    """Fits the model that the argument `censoring` asks for to the training outcomes.

    `points` are the training points, with features as numbers.
    """
    if callable(censoring):
        return GivenCensoring(censoring)
    if censoring == "features":
        return CoxCensoring.of(training, points.array)
    return MarginalCensoring.of(training)


@dataclass(frozen=True, eq=False)
class MarginalCensoring:
    """The Kaplan-Meier curve of the censoring times.

    Parameters
    ----------
    at : ndarray of shape (k,)
        Censoring times, ascending, each once.
    after : ndarray of shape (k + 1,)
        Probability that a row has not been censored yet. The first entry is for the time before
        ``at[0]``, and is 1. Entry ``i + 1`` is for the time just after ``at[i]``.
    """

    at: Floats
    after: Floats
    sees = "nothing of the row"

    @classmethod
    def of(cls, rows: EventTimes) -> MarginalCensoring:
        """Estimates the curve from the outcomes `rows`."""
        at, censored, at_risk = _at_risk(rows)
        return cls(at, np.concatenate([[1.0], np.cumprod(1 - censored / at_risk)]))

    def before(self, times: Floats, points: Any = None) -> Floats:
        """See `Censoring.before`."""
        return self.after[np.searchsorted(self.at, times, side="left")]


def _at_risk(rows: EventTimes) -> tuple[Floats, Floats, Floats]:
    """The distinct censoring times, and the numbers of rows censored and at risk at each."""
    at, censored = np.unique(rows.times[~rows.events], return_counts=True)
    later = rows.times.size - np.searchsorted(np.sort(rows.times), at, side="right")
    return at, censored.astype(np.float64), (later + censored).astype(np.float64)


@dataclass(frozen=True, eq=False)
class CoxCensoring:
    """A Cox model of the censoring times, with Breslow's method for ties and for the baseline.

    Parameters
    ----------
    centre, spread : ndarray of shape (d,)
        Mean and deviation of the training features.
    coefficients : ndarray of shape (d,)
        Log hazard ratios of the standardized features.
    at : ndarray of shape (k,)
        Censoring times, ascending.
    hazard : ndarray of shape (k + 1,)
        The cumulative baseline hazard before all of these times, which is 0, and then up to each of
        them, inclusive.
    """

    centre: Floats
    spread: Floats
    coefficients: Floats
    at: Floats
    hazard: Floats
    sees = "the features of the row"

    @classmethod
    def of(cls, rows: EventTimes, X: Floats) -> CoxCensoring:
        """Fits the model to the outcomes `rows` and their features `X` (n, d)."""
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
    """The sums over rows at risk from which the Cox model of censoring times is fitted.

    In this model the event is the censoring of a row, so `deaths` counts censored rows. `at` are
    the censoring times, `deaths` the number of rows censored at each of them, and `size` the number
    of rows at risk. `total` is the sum of the features of all censored rows.
    """

    at: Floats
    deaths: Floats
    #: The features, sorted by descending time. If times are equal, censored rows come first.
    ordered: Floats
    size: Any
    total: Floats

    @classmethod
    def of(cls, rows: EventTimes, features: Floats) -> _RiskSets:
        at, deaths, at_risk = _at_risk(rows)
        # `order` sorts rows by descending time, so that the rows at risk at a censoring time c come
        # first. These have a later time, or are censored at c. A row with an event at c is no
        # longer at risk, so it is sorted after those that are censored at c.
        order = np.lexsort((rows.events, -rows.times))
        size = np.rint(at_risk).astype(np.intp)
        return cls(at, deaths, features[order], size, features[~rows.events].sum(axis=0))

    def sums(self, coefficients: Floats) -> tuple[Floats, Floats]:
        """The sum of the relative risks at each censoring time, and the risk of each row."""
        risk = np.exp(self.ordered @ coefficients)
        return np.cumsum(risk)[self.size - 1], risk

    def maximum(self) -> Floats:
        """Returns the coefficients that maximize the partial likelihood, with a weak prior."""
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
        # A row is at risk at every censoring time up to its own. `in_sets` sums over these times
        # the censorings (`deaths`) that the model expects of the row.
        shares = np.zeros(len(X) + 1)
        np.add.at(shares, self.size, self.deaths / sums)
        in_sets = np.cumsum(shares[::-1])[::-1][1:] * risk
        curvature = (X * in_sets[:, None]).T @ X - (means * self.deaths[:, None]).T @ means
        curvature[np.diag_indices_from(curvature)] += RIDGE
        return gradient, curvature


@dataclass(frozen=True)
class GivenCensoring:
    """The user's function ``(X, times) -> P(C >= time | x)``."""

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
