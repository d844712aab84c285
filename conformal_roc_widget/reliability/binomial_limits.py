"""Exact binomial limits after Clopper and Pearson (1934)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv

from conformal_roc_widget.arrays import Floats


def exact_limits(successes: float, trials: float, alpha: float) -> tuple[float, float]:
    """Both limits of one probability; from 0 to 1 if there are no trials."""
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


def upper_limit(successes: ArrayLike, trials: ArrayLike, level: Floats | float) -> Floats:
    """The probability of success at which this many successes or fewer have chance `level`."""
    return 1 - lower_limit(np.asarray(trials) - np.asarray(successes), trials, level)
