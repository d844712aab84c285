"""Simulates times of events with the true risk by any time, and with censored rows."""

from __future__ import annotations

import numpy as np
from scipy.special import logit

from conformal_roc_widget.arrays import Floats

from .designs import Sample

#: The logarithm of the time is logistic with the scale `SCALE`. `SHIFT` is added to the covariates
#: of shifted points.
SCALE, SHIFT = 0.6, (0.8, 0.5, -0.3)
#: The follow-up of a row is exponential with this mean, so about a third of the rows are censored.
FOLLOWED = 3.0


def moves(X: Floats) -> Floats:
    """Returns the linear predictor of the time's log (n,). Higher values mean earlier events."""
    return np.asarray(np.sin(X[:, 0]) + 0.3 * X[:, 1] + 0.5 * X[:, 1] * np.tanh(X[:, 2]))


def draw_survival(
    n: int, rng: np.random.Generator, *, shifted: bool = False, horizon: float = 1.0
) -> Sample:
    """Draws points whose `y` has a time, with ``logit P(T <= horizon | x)``.

    Parameters
    ----------
    n : int
        Number of points.
    rng : numpy.random.Generator
        Source of randomness.
    shifted : bool
        Whether `SHIFT` is added to the covariates.
    horizon : float
        The time by which an event must happen to count.

    Returns
    -------
    Sample
        The points. `y` is a structured array with the fields ``event`` and ``time``.
    """
    X = rng.standard_normal((n, 3)) + (np.array(SHIFT) if shifted else 0.0)
    times = np.exp(SCALE * logit(rng.random(n)) - moves(X))
    until = rng.exponential(FOLLOWED, n)
    y = np.empty(n, dtype=[("event", "?"), ("time", "<f8")])
    y["event"], y["time"] = times <= until, np.minimum(times, until)
    return Sample(X, y, (np.log(horizon) + moves(X)) / SCALE)
