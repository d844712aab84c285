"""Limits of precision and net benefit with more test data, at a threshold fixed beforehand.

For rows that count alike. Its twin is js/src/evaluation/settled.ts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.reliability.binomial_limits import lower_limit, upper_limit

#: At most this many vertices of a curve have limits of their own: no screen parts more.
MOST_PLACES = 101


def places_of(n: int) -> Ints:
    """Which of n vertices have limits.

    All, or `MOST_PLACES` at even steps, with the first and the last.
    """
    many = min(n, MOST_PLACES)
    return np.arange(many) * (n - 1) // max(many - 1, 1)


def moved(precision: ArrayLike, own: float, share: float) -> Floats:
    """The precision at the same rates, if `share` is positive in place of the rows' `own` share."""
    rightly = np.asarray(precision, dtype=float) * (share / own)
    wrongly = (1 - np.asarray(precision)) * ((1 - share) / (1 - own))
    return np.asarray(rightly / (rightly + wrongly))


def settled_precision(
    fp: ArrayLike, tp: ArrayLike, alpha: float, own: float, share: float
) -> tuple[Floats, Floats]:
    """Exact limits of the share of right calls (Clopper and Pearson), at a share of positives.

    Of those called each is rightly so with one probability, whatever their number is. Where the
    share of positives is given, that of the rows is taken for exact, which widens the limits.
    """
    right, called = np.asarray(tp), np.asarray(tp) + np.asarray(fp)
    limits = lower_limit(right, called, alpha / 2), upper_limit(right, called, alpha / 2)
    return moved(limits[0], own, share), moved(limits[1], own, share)


def settled_benefit(
    calls: tuple[ArrayLike, ArrayLike],
    n: tuple[int, int],
    alpha: float,
    odds: ArrayLike,
    share: float,
) -> tuple[Floats, Floats]:
    """Limits of the net benefit of calling so many of each label (Zou and Donner 2008).

    They recover from the exact limits of both rates how far each may be off, and add these up as
    independent errors do. `odds` are those of the risk at which one is called.
    """
    cost = (1 - share) * np.asarray(odds, dtype=float)
    (fpr, fpr_low, fpr_high), (tpr, tpr_low, tpr_high) = (
        (
            np.asarray(called, dtype=float) / rows,
            lower_limit(called, rows, alpha / 2),
            upper_limit(called, rows, alpha / 2),
        )
        for called, rows in zip(calls, n, strict=True)
    )
    value = share * tpr - cost * fpr
    # A false alarm costs, so that the upper limit of its rate makes the lower one here.
    below = np.hypot(share * (tpr - tpr_low), cost * (fpr_high - fpr))
    above = np.hypot(share * (tpr_high - tpr), cost * (fpr - fpr_low))
    return value - below, value + above
