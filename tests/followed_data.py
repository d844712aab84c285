"""Outcomes with a time for tests: a distribution with known risks, and small models of it."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator


def outcome(times, events, names=("event", "time")):
    """A structured array, as scikit-survival's `Surv` makes it."""
    y = np.empty(len(times), dtype=[(names[0], "?"), (names[1], "<f8")])
    y[names[0]], y[names[1]] = events, times
    return y


def risk(X, t):
    """``P(T <= t | x)`` for a constant hazard."""
    return -np.expm1(-t * np.exp(0.9 * np.asarray(X)[:, 0]))


def drawn(n, seed=0, lost=1.5):
    """Rows of the distribution. Some are lost before the horizon, or none if ``lost=None``."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    times = rng.exponential(np.exp(-0.9 * X[:, 0]))
    until = np.full(n, np.inf) if lost is None else rng.exponential(lost, n)
    return X, outcome(np.minimum(times, until), times <= until)


def naive_known(y, train, t, number=float):
    """Label (or None) and weight of each row by loops, from the censoring of other rows.

    Weights are computed as floats, or exactly with ``number=Fraction``.
    """
    times, events = train["time"], train["event"]

    def before(u):
        kept = number(1)
        for c in np.unique(times[~events & (times < u)]):
            lost = number(int((~events & (times == c)).sum()))
            kept *= 1 - lost / (int((times > c).sum()) + lost)
        return kept

    found = []
    for event, u in y.tolist():
        if event and u <= t:
            found.append((1, 1 / before(u)))
        elif u > t or (u == t and not event):
            found.append((0, 1 / before(t)))
        else:
            found.append((None, number(0)))
    return found


class Exponential(BaseEstimator):
    """A model with survival functions. The first feature shifts its log hazard."""

    def __init__(self, slope=0.6):
        self.slope = slope

    def fit(self, X, y):
        names = y.dtype.names
        self.rate_ = y[names[0]].sum() / y[names[1]].sum()
        return self

    def hazard(self, X):
        return self.rate_ * np.exp(self.slope * np.asarray(X)[:, 0])

    def predict(self, X):
        return self.hazard(X)

    def predict_survival_function(self, X):
        return [lambda t, h=h: np.exp(-t * h) for h in self.hazard(X)]


class Frames:
    """A model like `Exponential` in lifelines' form: times are an argument, there are no
    parameters, and it is already fitted.
    """

    def __init__(self, rate):
        self.rate = rate

    def predict_survival_function(self, X, times=None):
        hazards = self.rate * np.exp(0.6 * np.asarray(X)[:, 0])
        return pd.DataFrame({i: np.exp(-np.asarray(times) * h) for i, h in enumerate(hazards)})


class RiskScore(BaseEstimator):
    """A model that ranks rows but gives no probabilities."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.asarray(X)[:, 0]
