"""Bounds how many test residuals are below each calibration residual, at all ranks at once.

Consider one label, and let n calibration residuals and m test residuals come from one distribution.
Let ``N_r`` be the number of test residuals below the r-th smallest calibration residual. Only the
order of the n + m residuals matters. So the joint distribution of all ``N_r`` is that of a Polya
urn, whatever the distribution of the residuals, and simultaneous limits hold for every distribution
and every sample size. Ties only lower ``N_r``, which counts strictly smaller ones, so an upper
limit still holds.

The distribution is simulated. Uniform residuals have gaps that are gamma variables, divided by
their sum. The numbers of test residuals in the gaps are binomials. The draws depend only on n and
m.

See Marques (2023), arXiv:2303.02770, and Gazin, Blanchard and Roquain (AISTATS 2024), who bound
``N_r`` at all ranks for conformal p-values.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from scipy.stats import binom

from conformal_roc_widget.arrays import Floats, Ints, read_only

from .quantiles import exact_alpha

#: At most this many ranks of the calibration residuals get a bound. If a label has more residuals,
#: the ranks are evenly spaced.
RANKS = 64
#: The number of simulated draws of the statistic in `largest_deviations`.
DRAWS = 4_000
#: The critical value is estimated from random draws. With this probability, the estimate is not too
#: small.
SURE = 0.975
#: This is added to a limit on a count before the limit is rounded down. Without it, a rounding
#: error could lower the limit by one.
ROUNDING = 1e-6


def envelope_ranks(n: int) -> Ints:
    """Returns the ranks of n calibration residuals that get a bound, ascending and symmetric.

    If there are more than `RANKS` residuals, these are divided into `RANKS` equal parts, and the
    middle rank of each part gets a bound. Ranks 1 and n get none: they would say little, and their
    heavy tails would widen all other limits.
    """
    if n <= RANKS:
        return np.arange(1, n + 1)
    odd = 2 * np.arange(RANKS // 2, dtype=np.int64) + 1
    low = (odd * (n + 1) + RANKS) // (2 * RANKS)
    return np.concatenate([low, (n + 1 - low)[::-1]])


def share_below(n: int, m: int) -> tuple[Floats, Floats]:
    """Returns the mean and the standard deviation of ``N_r / m`` at the `envelope_ranks` r.

    ``N_r`` is the number of m test residuals below the r-th smallest of n calibration residuals.
    """
    mean = envelope_ranks(n) / (n + 1)
    return mean, np.sqrt(mean * (1 - mean) * (n + m + 1) / (m * (n + 2)))


@lru_cache(maxsize=256)
def largest_deviations(n: int, m: int) -> Floats:
    """Simulates the largest ``|N_r / m - mean| / deviation`` over `envelope_ranks`, ascending.

    ``N_r`` is the number of m test residuals below the r-th smallest of n calibration residuals.
    """
    rng = np.random.default_rng([n, m])
    ranks = envelope_ranks(n)
    spacings = rng.standard_gamma(np.diff(ranks, prepend=0, append=n + 1), (DRAWS, ranks.size + 1))
    # The bounded ranks leave gaps between them. `chances[:, j]` is the probability that a test
    # residual that is beyond the first j gaps lies in the next gap.
    beyond = np.cumsum(spacings[:, ::-1], axis=1)[:, ::-1]
    chances = np.minimum(spacings / beyond, 1.0)
    below, largest = np.zeros(DRAWS, dtype=np.int64), np.zeros(DRAWS)
    for j, (mean, deviation) in enumerate(zip(*share_below(n, m), strict=True)):
        below += rng.binomial(m - below, chances[:, j])
        np.maximum(largest, np.abs(below / m - mean) / deviation, out=largest)
    return read_only(np.sort(largest))


def critical_rank(alpha: float) -> int:
    """Returns the rank, from 1, of the draw that bounds both labels with confidence 1 - alpha.

    Labels are independent, so each must hold with confidence ``q = sqrt(1 - alpha)``. The statistic
    of the data has the same distribution as the draws. So, on average over seeds, it is below draw
    number ``ceil(q (DRAWS + 1))`` with probability q. If there is no such draw, the result is
    ``DRAWS + 1``. But the seed is fixed, and for a single seed the probability may be below q. So
    the rank is raised, but not beyond `DRAWS`, until the probability is at least q for a share
    `SURE` of all seeds.
    """
    return _critical_rank(exact_alpha(alpha))


# The result is cached, because a page asks for it at every alpha of its slider and for both labels.
@lru_cache(maxsize=1024)
def _critical_rank(level: Fraction) -> int:
    a, b = level.numerator, level.denominator
    # `average` is the smallest k with k^2 >= (1 - alpha) (DRAWS + 1)^2. Floats might be off by one.
    square = -((a - b) * (DRAWS + 1) ** 2 // b)  # rounded up
    average = math.isqrt(square - 1) + 1
    sure = int(binom.ppf(SURE, DRAWS, math.sqrt((b - a) / b))) + 1
    return max(average, min(sure, DRAWS))


def critical_value(n: int, m: int, alpha: float) -> float:
    """Returns how many standard deviations ``N_r`` may be from its mean, at all ranks.

    It is infinite for a tiny alpha.

    Parameters
    ----------
    n, m : int
        Numbers of calibration and of test residuals of one label, at least 1.
    alpha : float
        Significance level in (0, 1), for both labels together.

    Returns
    -------
    float
        An order statistic of `largest_deviations`, which are drawn once for each n and m.

    Raises
    ------
    TypeError, ValueError
        If `alpha` is not a number in (0, 1).
    """
    rank = critical_rank(alpha)
    return math.inf if rank > DRAWS else float(largest_deviations(n, m)[rank - 1])


def most_below(n: int, m: int, critical: float) -> Ints:
    """Returns simultaneous upper limits ``B_r`` on ``N_r`` at the `envelope_ranks`.

    Parameters
    ----------
    n, m : int
        Numbers of calibration and of test residuals of one label.
    critical : float
        The result of `critical_value`.

    Returns
    -------
    ndarray of int of shape (min(n, 64),)
        ``min(m, floor(m (mean + critical deviation)))``.
    """
    mean, deviation = share_below(n, m)
    most = np.minimum(m * (mean + critical * deviation) + ROUNDING, m)
    return np.floor(most).astype(np.intp)


def ordered_limits(
    centres: Floats, residuals: Floats, most: Ints, places: Ints | None = None
) -> tuple[Floats, Floats]:
    """Returns simultaneous limits of the sorted ``logit pi`` of a label's test points.

    If the residual of a test point exceeds ``R_(r)``, its ``logit pi`` exceeds ``L + R_(r)``. At
    most ``N_r <= B_r`` points have a smaller residual. So for every r, the i-th smallest ``logit
    pi`` is at least the (i - B_r)-th smallest ``L + R_(r)``. The upper limits follow by symmetry.

    Parameters
    ----------
    centres : ndarray of shape (m,)
        Logits L of the label's test points, ascending.
    residuals : ndarray of shape (k,)
        Calibration residuals at the `envelope_ranks`.
    most : ndarray of int of shape (k,)
        The result of `most_below`.
    places : ndarray of int of shape (p,), optional
        Indices of the sorted points whose limits are returned, ascending. By default all.

    Returns
    -------
    lower, upper : ndarray of shape (m,) or (p,)
        Ascending. Infinite where there is no limit.
    """
    m = centres.size
    at = np.arange(m) if places is None else places
    lower, upper = np.full(at.size, -np.inf), np.full(at.size, np.inf)
    starts, stops = np.searchsorted(at, most), np.searchsorted(at, m - most[::-1])
    for residual, below, above, i, j in zip(
        residuals, most, most[::-1], starts, stops, strict=True
    ):
        np.maximum(lower[i:], centres[at[i:] - below] + residual, out=lower[i:])
        np.minimum(upper[:j], centres[at[:j] + above] + residual, out=upper[:j])
    return lower, upper
