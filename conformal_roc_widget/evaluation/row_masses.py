"""Test rows of different weights, as whole units: curves, areas and limits count these exactly."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints

#: Units that weights become together, unless they are whole: sums are exact up to there.
UNITS = 2.0**52
#: Two numbers of units have a product that 64 bits hold up to this.
PRODUCTS = 2**31


class RowMasses(NamedTuple):
    """Units of each row (n,), and the weight of a unit.

    Whole weights are units themselves: such a row counts as if it were there so often. Others are
    rounded to `UNITS` in all, and none to nothing.
    """

    units: Ints
    unit: float

    @classmethod
    def of(cls, weights: Floats) -> RowMasses | None:
        """Units of weights above 0; None where all are equal, so that each row counts once."""
        if (weights == weights[0]).all():
            return None
        if (weights == np.rint(weights)).all() and weights.sum() < UNITS:
            return cls(weights.astype(np.intp), 1.0)
        unit = float(weights.sum()) / UNITS
        return cls(np.maximum(np.rint(weights / unit), 1).astype(np.intp), unit)
