"""Logits of probabilities: the only file that clips them, and that decides which are equal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from .arrays import Floats

#: On an axis a logit is cut at the logits of this probability and of 1 minus it.
SMALLEST_PROBABILITY = 2.0**-53
#: Logit of a probability of exactly 1, and minus that of exactly 0: beyond those of all other
#: floats, of which 5e-324 has -744.44. Calibration and test points share it, so that 0 is a score
#: like any other, the lowest.
BEYOND = 745.0


def logit_of(probabilities: Floats) -> Floats:
    """Logit; finite at exactly 0 and 1, and there beyond those of all other probabilities."""
    logits: Floats = np.asarray(logit(probabilities), dtype=np.float64)
    return _finite(logits) if np.isinf(logits).any() else logits


def _finite(logits: Floats) -> Floats:
    """The logits, with infinite ones moved beyond all finite ones.

    Classifiers may give infinite ones for a float of 0 or 1.
    """
    most = np.abs(logits[np.isfinite(logits)]).max(initial=0.0)
    limit = BEYOND if most < BEYOND else 2 * float(most)
    return np.nan_to_num(logits, nan=np.nan, posinf=limit, neginf=-limit)


def clipped(logits: Floats) -> Floats:
    """Logits cut at those of `SMALLEST_PROBABILITY` and of 1 minus it, to be places on an axis."""
    limit = logit(SMALLEST_PROBABILITY)
    return np.clip(logits, limit, -limit)


def just_beyond(logits: Floats) -> Floats:
    """Logits to which a law is fitted.

    Those of exactly 0 and 1 lie where `clipped` puts them or, if another logit is as extreme, 1
    beyond it.
    """
    limit = -float(logit(SMALLEST_PROBABILITY))
    others = np.abs(logits[~is_clipped(logits)]).max(initial=0.0)
    limit = limit if others < limit else float(others) + 1
    return np.where(is_clipped(logits), np.copysign(limit, logits), logits)


def is_clipped(logits: Floats) -> NDArray[np.bool_]:
    """Whether logits are those of a probability of exactly 0 or 1."""
    clipped: NDArray[np.bool_] = np.abs(logits) >= BEYOND
    return clipped


def one_vs_rest(logs: Floats) -> Floats:
    """Logit (n, k) of each class against the others, from logs of unnormalised weights."""
    if logs.shape[1] == 2:
        odds = logs[:, 1] - logs[:, 0]
        return np.column_stack([-odds, odds])
    rest = [np.logaddexp.reduce(np.delete(logs, l, axis=1), axis=1) for l in range(logs.shape[1])]
    return np.asarray(logs - np.column_stack(rest))


def finite_one_vs_rest(logs: Floats) -> Floats:
    """`one_vs_rest`, finite as `logit_of` is."""
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(_finite(one_vs_rest(logs)), nan=0.0)


#: Logits closer than this are equal; no other place says so. Libraries and processors compute equal
#: logits with different last digits: they differ by about 1e-16 where scores are moderate, and by
#: up to 2^-53 / 1e-6 = 1.1e-10 where `class_scores` makes a logit from a score next to 1. A tie is
#: twice that. Logits that really differ are hardly ever as close.
TIE = 2.0**-32
