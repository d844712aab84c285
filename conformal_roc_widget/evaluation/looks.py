"""Limits that hold together at every look as rows arrive.

The twin is js/src/evaluation/looks.ts.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, xlog1py, xlogy

from conformal_roc_widget.arrays import Floats

#: Limits at every look begin at this many rows of each label, and those of an area come closest to
#: those for one look at this many.
FIRST_LOOK, NARROWEST = 20, 200
#: After this many halvings a share has all its digits.
HALVINGS = 50


def far_at_any_look(alpha: float, rows: float) -> float:
    """How many standard errors limits are apart that hold at every look as rows arrive.

    In the place of a normal quantile it is the boundary that a normal mixture gives (Robbins 1970),
    with estimated errors an asymptotic confidence sequence (Waudby-Smith, Arbour, Sinha, Kennedy
    and Ramdas 2024). `rows` are those of the rarer label.
    """
    spread = rows * (math.log1p(-2 * math.log(alpha)) - 2 * math.log(alpha)) / NARROWEST
    return math.sqrt(2 * (spread + 1) / spread * (math.log1p(spread) / 2 - math.log(alpha)))


def distance_at_any_look(n: int, log: float) -> float:
    """How far an observed distribution of n rows may be from the population's; 1 is no limit.

    `log` is that of 1 over the level (Howard and Ramdas 2022, theorem 2).
    """
    if n < FIRST_LOOK:
        return 1.0
    iterated = math.log(1 + math.log(n / FIRST_LOOK))
    return 0.85 * math.sqrt((iterated + 0.8 * (math.log(1612) + log)) / n)


def share_at_any_look(share: ArrayLike, rows: ArrayLike, alpha: float) -> tuple[Floats, Floats]:
    """Limits of shares of so many rows that hold at every look, for every number of rows.

    They are the probabilities whose likelihood is above `alpha` times its mean by Jeffreys' prior:
    that ratio is a martingale (Robbins 1970).
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
    """At most one sentence: a label has too few rows for the first look of several."""
    if looks == "once" or rows >= FIRST_LOOK:
        return ()
    found = f"here a label has {rows:.0f}"
    return (f"Limits at every look begin at {FIRST_LOOK} rows of each label: {found}.",)
