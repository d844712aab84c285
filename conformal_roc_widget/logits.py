"""Logits of probabilities: the only file that clips them, and that decides which are equal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from conformal_roc_widget.arrays import Floats

#: Stands for a probability of exactly 0 in its logit, and 1 minus this for one of exactly 1.
SMALLEST_PROBABILITY = 2.0**-53


def logit_of(probabilities: Floats) -> Floats:
    """Logit, finite at exactly 0 and 1: these count as ``2**-53`` and ``1 - 2**-53``."""
    logits: Floats = np.asarray(logit(probabilities), dtype=np.float64)
    if np.isinf(logits).any():
        limit = logit(SMALLEST_PROBABILITY)
        logits[np.isneginf(logits)] = limit
        logits[np.isposinf(logits)] = -limit
    return logits


def clipped(logits: Floats) -> Floats:
    """Logits cut at those that stand for a probability of exactly 0 and of exactly 1."""
    limit = logit(SMALLEST_PROBABILITY)
    return np.clip(logits, limit, -limit)


def is_clipped(logits: Floats) -> NDArray[np.bool_]:
    """Whether logits are those of a probability of exactly 0 or 1."""
    clipped: NDArray[np.bool_] = np.abs(logits) == -logit(SMALLEST_PROBABILITY)
    return clipped


def one_vs_rest(logs: Floats) -> Floats:
    """Logit (n, k) of each class against the others, from logs of unnormalised weights."""
    if logs.shape[1] == 2:
        odds = logs[:, 1] - logs[:, 0]
        return np.column_stack([-odds, odds])
    rest = [np.logaddexp.reduce(np.delete(logs, l, axis=1), axis=1) for l in range(logs.shape[1])]
    return np.asarray(logs - np.column_stack(rest))


def finite_one_vs_rest(logs: Floats) -> Floats:
    """`one_vs_rest`, clipped where it is infinite."""
    limit = -logit(SMALLEST_PROBABILITY)
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(one_vs_rest(logs), nan=0.0, posinf=limit, neginf=-limit)


#: Logits closer than this are equal; no other place says so. Libraries and processors compute equal
#: logits with different last digits: they differ by about 1e-16 where scores are moderate, and by
#: up to 2^-53 / 1e-6 = 1.1e-10 where `class_scores` makes a logit from a score next to 1. A tie is
#: twice that. Logits that really differ are hardly ever as close.
TIE = 2.0**-32
