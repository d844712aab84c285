"""Computes limits that hold together at every look, if limits are computed anew as rows arrive.

On the page: js/src/evaluation/looks.ts.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, xlog1py, xlogy

from conformal_roc_widget.arrays import Floats

#: Limits for every look begin at `FIRST_LOOK` rows of each label. Limits of an area for every look
#: are wider than those for one look. The difference is smallest at `NARROWEST` rows.
FIRST_LOOK, NARROWEST = 20, 200
#: The number of bisection steps. After them, a share has all digits of a float.
HALVINGS = 50


def far_at_any_look(alpha: float, rows: float) -> float:
    """Half-width, in standard errors, of limits that hold at every look as rows arrive.

    The boundary of a normal mixture (Robbins 1970) replaces the normal quantile. With estimated
    standard errors, the limits are an asymptotic confidence sequence (Waudby-Smith, Arbour, Sinha,
    Kennedy and Ramdas 2024). `rows` counts the rarer label.
    """
    spread = rows * (math.log1p(-2 * math.log(alpha)) - 2 * math.log(alpha)) / NARROWEST
    return math.sqrt(2 * (spread + 1) / spread * (math.log1p(spread) / 2 - math.log(alpha)))


def distance_at_any_look(n: int, log: float) -> float:
    """Bounds the distance of the distribution function of n rows from the population's.

    The bound holds at every look (Howard and Ramdas 2022, theorem 2). `log` is ``log(1 / level)``.
    If n is below `FIRST_LOOK`, it is 1 and bounds nothing.
    """
    if n < FIRST_LOOK:
        return 1.0
    iterated = math.log(1 + math.log(n / FIRST_LOOK))
    return 0.85 * math.sqrt((iterated + 0.8 * (math.log(1612) + log)) / n)


def share_at_any_look(share: ArrayLike, rows: ArrayLike, alpha: float) -> tuple[Floats, Floats]:
    """Returns limits, for every look, of the probabilities behind the shares `share`.

    Each is a share of `rows` independent rows. The limits contain the probabilities whose
    likelihood is at least `alpha` times the mean likelihood under Jeffreys' prior. The ratio of the
    two is a martingale (Robbins 1970).
    """
    share, rows = np.broadcast_arrays(np.asarray(share, float), np.asarray(rows, float))
    found = share * rows
    least = betaln(found + 0.5, rows - found + 0.5) - betaln(0.5, 0.5) + math.log(alpha)

    def end(outer: Floats) -> Floats:
        inner = share
        for _ in range(HALVINGS):
            middle = (inner + outer) / 2
            is_in = xlogy(found, middle) + xlog1py(rows - found, -middle) >= least
            inner, outer = np.where(is_in, middle, inner), np.where(is_in, outer, middle)
        return outer

    return end(np.zeros_like(share)), end(np.ones_like(share))


def no_look_yet(rows: float, looks: str) -> tuple[str, ...]:
    """If `rows` of the rarer label are too few for limits at every look, returns a note on that."""
    if looks == "once" or rows >= FIRST_LOOK:
        return ()
    found = f"here a label has {rows:.0f}"
    return (f"Limits at every look begin at {FIRST_LOOK} rows of each label: {found}.",)
