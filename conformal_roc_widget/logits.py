"""Computes logits of probabilities.

Only this file clips logits, and decides when two logits count as equal.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from .arrays import Floats

#: The axis of logits ends at the logit of this probability on the left, and at that of 1 minus it
#: on the right.
SMALLEST_PROBABILITY = 2.0**-53
#: A probability of exactly 1 gets this logit, and a probability of exactly 0 gets minus this
#: number. The logits of all other floats are between the two: that of the smallest, 5e-324, is
#: -744.44. Calibration and test points use the same value, so a score of 0 is simply the lowest
#: score.
BEYOND = 745.0


def logit_of(probabilities: Floats) -> Floats:
    """Returns finite logits of probabilities. The logits of 0 and 1 are the extremes."""
    logits: Floats = np.asarray(logit(probabilities), dtype=np.float64)
    return _finite(logits) if np.isinf(logits).any() else logits


def open_logit_of(thresholds: Floats) -> Floats:
    """Returns logits of thresholds as the page has them: infinite at 0 or less, and 1 or more."""
    with np.errstate(divide="ignore"):
        return np.asarray(logit(np.clip(thresholds, 0, 1)))


def _finite(logits: Floats) -> Floats:
    """Replaces infinite logits by finite ones beyond all others.

    An infinite logit belongs to a probability of exactly 0 or 1.
    """
    most = np.abs(logits[np.isfinite(logits)]).max(initial=0.0)
    limit = BEYOND if most < BEYOND else 2 * float(most)
    return np.nan_to_num(logits, nan=np.nan, posinf=limit, neginf=-limit)


def clipped(logits: Floats) -> Floats:
    """Clips logits to the range of an axis, which `SMALLEST_PROBABILITY` gives."""
    limit = logit(SMALLEST_PROBABILITY)
    return np.clip(logits, limit, -limit)


def just_beyond(logits: Floats) -> Floats:
    """Makes the logits of the probabilities 0 and 1 less extreme, for fitting a distribution.

    They become the values of `clipped`. If another logit is as extreme, they are 1 beyond it.
    """
    limit = -float(logit(SMALLEST_PROBABILITY))
    others = np.abs(logits[~is_clipped(logits)]).max(initial=0.0)
    limit = limit if others < limit else float(others) + 1
    return np.where(is_clipped(logits), np.copysign(limit, logits), logits)


def is_clipped(logits: Floats) -> NDArray[np.bool_]:
    """Whether each logit belongs to a probability of exactly 0 or 1."""
    clipped: NDArray[np.bool_] = np.abs(logits) >= BEYOND
    return clipped


def one_vs_rest(logs: Floats) -> Floats:
    """Returns the logit (n, k) of each class against all others.

    `logs` (n, k) has the logarithms of the class probabilities, up to a constant in each row.
    """
    if logs.shape[1] == 2:
        odds = logs[:, 1] - logs[:, 0]
        return np.column_stack([-odds, odds])
    rest = [np.logaddexp.reduce(np.delete(logs, l, axis=1), axis=1) for l in range(logs.shape[1])]
    return np.asarray(logs - np.column_stack(rest))


def finite_one_vs_rest(logs: Floats) -> Floats:
    """Like `one_vs_rest`, but infinite logits are finite as in `logit_of`, and NaN becomes 0."""
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(_finite(one_vs_rest(logs)), nan=0.0)


#: Two logits count as equal if they differ by less than this. Libraries and processors round the
#: same logit differently. For moderate scores the difference is about 1e-16. If `class_scores`
#: computes a logit from a score next to 1, the difference is up to 2^-53 / 1e-6 = 1.1e-10, half of
#: this tolerance. Truly different logits are hardly ever as close.
TIE = 2.0**-32
