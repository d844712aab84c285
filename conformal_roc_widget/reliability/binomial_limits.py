"""Exact binomial limits after Clopper and Pearson (1934)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtri

from conformal_roc_widget.arrays import Floats, Ints


def exact_limits(successes: float, trials: float, alpha: float) -> tuple[float, float]:
    """Both limits of one probability; of no trials, from 0 to 1."""
    each = alpha / 2
    return float(lower_limit(successes, trials, each)), float(upper_limit(successes, trials, each))


def lower_limit(successes: ArrayLike, trials: ArrayLike, level: Floats | float) -> Floats:
    """The probability of success at which this many successes or more have chance `level`.

    Numbers need not be whole: the quantile of the beta distribution goes on between them.
    """
    k, n = np.asarray(successes), np.asarray(trials)
    limit = betaincinv(np.where(k == 0, 1, k), n - k + 1, level)
    # For a level below about 1e-100 SciPy finds no limit; 0 is safe, and right for k = 0.
    return np.asarray(np.where((k == 0) | np.isnan(limit), 0.0, limit))


def at_most(successes: Ints, trials: Ints, level: Floats) -> Floats:
    """A number that is not below the lower limit, at a fraction of its cost.

    With z the normal quantile of `level`, ``n KL(k / n, p) = z^2 / 2`` has a root above the limit
    (Zubkov and Serov 2012), and Wilson's formula with ``z^2 / 2`` one above that root, since the
    divergence is at most chi-square's.
    """
    share, half = successes / trials, ndtri(level) ** 2 / 2 / trials
    spread = np.sqrt(half * (share * (1 - share) + half / 4))
    return np.asarray((share + half / 2 - spread) / (1 + half) * (1 + 1e-12))


def upper_limit(successes: ArrayLike, trials: ArrayLike, level: Floats | float) -> Floats:
    """The probability of success at which this many successes or fewer have chance `level`."""
    return 1 - lower_limit(np.asarray(trials) - np.asarray(successes), trials, level)
