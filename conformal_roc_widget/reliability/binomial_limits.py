"""Computes exact binomial limits (Clopper and Pearson 1934)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv

from conformal_roc_widget.arrays import Floats


def exact_limits(successes: float, trials: float, alpha: float) -> tuple[float, float]:
    """Returns the lower and the upper limit of a probability from `successes` in `trials`.

    If there are no trials, they are 0 and 1.
    """
    each = alpha / 2
    return float(lower_limit(successes, trials, each)), float(upper_limit(successes, trials, each))


def lower_limit(successes: ArrayLike, trials: ArrayLike, level: Floats | float) -> Floats:
    """Returns the success probability at which `successes` or more have probability `level`.

    `successes` and `trials` need not be integers, because the limit is a quantile of a beta
    distribution, whose parameters need not be integers.
    """
    k, n = np.asarray(successes), np.asarray(trials)
    limit = betaincinv(np.where(k == 0, 1, k), n - k + 1, level)
    # At levels below about 1e-100 SciPy returns NaN. The limit 0, which is always valid, replaces
    # it. If there are no successes, the limit is exactly 0.
    return np.asarray(np.where((k == 0) | np.isnan(limit), 0.0, limit))


def upper_limit(successes: ArrayLike, trials: ArrayLike, level: Floats | float) -> Floats:
    """Returns the success probability at which at most `successes` have probability `level`."""
    return 1 - lower_limit(np.asarray(trials) - np.asarray(successes), trials, level)
