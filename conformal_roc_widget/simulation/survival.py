"""Simulated times of an event, with the true risk by any time and rows lost from sight."""

from __future__ import annotations

import numpy as np
from scipy.special import logit

from conformal_roc_widget.arrays import Floats

from .designs import Sample

#: Scale of the log-logistic times, and how far the covariates of shifted points lie.
SCALE, SHIFT = 0.6, (0.8, 0.5, -0.3)
#: Rows are followed for an exponential time with this mean: about a third are lost.
FOLLOWED = 3.0


def moves(X: Floats) -> Floats:
    """Linear predictor of the log of the time (n,): the higher, the earlier the event."""
    return np.asarray(np.sin(X[:, 0]) + 0.3 * X[:, 1] + 0.5 * X[:, 1] * np.tanh(X[:, 2]))


def draw_survival(
    n: int, rng: np.random.Generator, *, shifted: bool = False, horizon: float = 1.0
) -> Sample:
    """Points whose `y` has a time, and ``logit P(T <= horizon | x)``.

    Parameters
    ----------
    n : int
        How many.
    rng : numpy.random.Generator
        Source of randomness.
    shifted : bool
        Whether the covariates lie elsewhere.
    horizon : float
        By when an event counts.

    Returns
    -------
    Sample
        `y` is a structured array with the fields ``event`` and ``time``.
    """
    X = rng.standard_normal((n, 3)) + (np.array(SHIFT) if shifted else 0.0)
    times = np.exp(SCALE * logit(rng.random(n)) - moves(X))
    until = rng.exponential(FOLLOWED, n)
    y = np.empty(n, dtype=[("event", "?"), ("time", "<f8")])
    y["event"], y["time"] = times <= until, np.minimum(times, until)
    return Sample(X, y, (np.log(horizon) + moves(X)) / SCALE)
