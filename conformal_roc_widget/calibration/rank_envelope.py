"""How many test residuals lie below calibration residuals: one envelope for all ranks at once.

Of one label, let n calibration and m test residuals be drawn alike, and let ``N_r`` be the number
of test residuals below the r-th smallest calibration residual. Whatever the law, the vector of all
``N_r`` has one distribution (that of a Polya urn: only the order of the n + m residuals matters).
So limits on all of them at once hold for every law and every sample size. Ties only lower ``N_r``,
which counts strictly, and a limit from above still holds.

The distribution is drawn: uniform residuals have gamma spacings, and the test residuals fall into
the gaps between calibration residuals as binomials. The draws depend on n and m alone.

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

#: At most this many ranks are bounded, evenly spaced if a label has more calibration residuals.
RANKS = 64
#: Draws of the statistic.
DRAWS = 4_000
#: The critical value from the draws is large enough with this probability.
SURE = 0.975
#: Added to a limit, so that rounding does not cut a count that equals it; less than one point.
ROUNDING = 1e-6


def envelope_ranks(n: int) -> Ints:
    """Ranks of n calibration residuals that are bounded, ascending and symmetric.

    Above `RANKS` residuals they are the middles of as many equal parts: ranks 1 and n say little
    then, and their heavy tails would widen the limits of all others.
    """
    if n <= RANKS:
        return np.arange(1, n + 1)
    odd = 2 * np.arange(RANKS // 2, dtype=np.int64) + 1
    low = (odd * (n + 1) + RANKS) // (2 * RANKS)
    return np.concatenate([low, (n + 1 - low)[::-1]])


def share_below(n: int, m: int) -> tuple[Floats, Floats]:
    """Mean and standard deviation of ``N_r / m`` at the `envelope_ranks`."""
    mean = envelope_ranks(n) / (n + 1)
    return mean, np.sqrt(mean * (1 - mean) * (n + m + 1) / (m * (n + 2)))


@lru_cache(maxsize=256)
def largest_deviations(n: int, m: int) -> Floats:
    """Ascending draws of the largest ``|N_r / m - mean| / deviation`` over the `envelope_ranks`."""
    rng = np.random.default_rng([n, m])
    ranks = envelope_ranks(n)
    spacings = rng.standard_gamma(np.diff(ranks, prepend=0, append=n + 1), (DRAWS, ranks.size + 1))
    # The chance that a test residual above all gaps so far lies in the next one.
    beyond = np.cumsum(spacings[:, ::-1], axis=1)[:, ::-1]
    chances = np.minimum(spacings / beyond, 1.0)
    below, largest = np.zeros(DRAWS, dtype=np.int64), np.zeros(DRAWS)
    for j, (mean, deviation) in enumerate(zip(*share_below(n, m), strict=True)):
        below += rng.binomial(m - below, chances[:, j])
        np.maximum(largest, np.abs(below / m - mean) / deviation, out=largest)
    return read_only(np.sort(largest))


def critical_rank(alpha: float) -> int:
    """Rank, from 1, of the ascending draw that bounds two labels with confidence 1 - alpha.

    Labels are independent, so that each is to hold with confidence ``q = sqrt(1 - alpha)``. The
    data's own statistic is one more draw: number ``ceil(q (DRAWS + 1))`` bounds it on average over
    seeds (where there is none, the answer is ``DRAWS + 1``). For the seed that there is, the number
    is raised until its level is at least q with confidence `SURE`, as far as there are draws.
    """
    return _critical_rank(exact_alpha(alpha))


# Critical values are kept, since a page asks for each stop of its slider, for either label.
@lru_cache(maxsize=1024)
def _critical_rank(level: Fraction) -> int:
    a, b = level.numerator, level.denominator
    # The smallest k with k^2 >= (1 - alpha) (DRAWS + 1)^2. Whole numbers, because a float may miss
    # it by one.
    square = -((a - b) * (DRAWS + 1) ** 2 // b)  # rounded up
    average = math.isqrt(square - 1) + 1
    sure = int(binom.ppf(SURE, DRAWS, math.sqrt((b - a) / b))) + 1
    return max(average, min(sure, DRAWS))


def critical_value(n: int, m: int, alpha: float) -> float:
    """How many standard deviations ``N_r`` may be from its mean; infinite for a tiny alpha.

    Parameters
    ----------
    n, m : int
        Numbers of calibration and of test residuals of one label, at least 1.
    alpha : float
        Significance level in (0, 1), of both labels together.

    Returns
    -------
    float
        One order statistic of `largest_deviations`, which are drawn once for each n and m.

    Raises
    ------
    TypeError, ValueError
        If `alpha` is not a number in (0, 1).
    """
    rank = critical_rank(alpha)
    return math.inf if rank > DRAWS else float(largest_deviations(n, m)[rank - 1])


def most_below(n: int, m: int, critical: float) -> Ints:
    """Limits ``B_r`` on ``N_r`` at the `envelope_ranks`, all at once.

    Read from the end they are limits on the numbers of test residuals above the same ranks.

    Parameters
    ----------
    n, m : int
        Numbers of calibration and of test residuals of one label.
    critical : float
        From `critical_value`.

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
    """Limits of the ordered ``logit pi`` of a label's test points, all at once.

    A test point with residual above ``R_(r)`` lies above ``L + R_(r)``. All but ``N_r <= B_r``
    points do, so that the i-th smallest ``logit pi`` is at least the (i - B_r)-th smallest
    ``L + R_(r)``, for every r; and mirrored.

    Parameters
    ----------
    centres : ndarray of shape (m,)
        Logits L of the label's test points, ascending.
    residuals : ndarray of shape (k,)
        Calibration residuals at the `envelope_ranks`.
    most : ndarray of int of shape (k,)
        From `most_below`.
    places : ndarray of int of shape (p,), optional
        Which of the ordered points, ascending from 0; all by default.

    Returns
    -------
    lower, upper : ndarray of shape (m,) or (p,)
        Ascending; infinite if there is no limit.
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
