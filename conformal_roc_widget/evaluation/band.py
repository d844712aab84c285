"""What comes out: the frozen band and the frozen operating point."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints

if TYPE_CHECKING:
    import pandas as pd

#: Half a pixel of a plot that is 1000 pixels wide.
HALF_A_PIXEL = 0.0005

TARGET = "the curve of the true probabilities π(x) on this test set"
SCOPE = "pointwise: one threshold drawn at random, not the whole curve"


@dataclass(frozen=True, eq=False)
class ConformalBand:
    """ROC curve with conformal limits at a list of thresholds (Algorithms 1 and 2).

    Arrays have one entry a threshold, in the order of `thresholds` (descending), and are read-only.

    Attributes
    ----------
    alpha : float
        Significance level.
    thresholds : ndarray of shape (m,)
        Thresholds lambda on the score; the first default one is ``inf``.
    fpr, tpr : ndarray of shape (m,)
        Observed rates, counting scores ``>= lambda``.
    tpr_lower, tpr_upper : ndarray of shape (m,)
        ``CI_sen``: share of positives whose interval's end lies ``> lambda``.
    fpr_lower, fpr_upper : ndarray of shape (m,)
        ``CI_spe``: the same for negatives.
    quantiles : dict of int to (float, float), or None
        Label -> the two order statistics of its residuals, on the logit scale; None where every
        test point has a pair of its own.
    n_calibration : dict of int to int
        Label -> number of calibration residuals (the smallest, where they differ by point).
    guaranteed : dict of int to float
        Label -> coverage of the individual intervals for exchangeable residuals, "at least".
    vacuous : dict of int to (str or None)
        Label -> why its limits say nothing, or None.
    target, scope, guarantee : str
        What the band covers, where, and what is promised.
    notes : tuple of str
        Plain sentences on this band.
    """

    alpha: float
    thresholds: Floats
    fpr: Floats
    tpr: Floats
    fpr_lower: Floats
    fpr_upper: Floats
    tpr_lower: Floats
    tpr_upper: Floats
    quantiles: Mapping[int, tuple[float, float]] | None
    n_calibration: Mapping[int, int]
    guaranteed: Mapping[int, float]
    vacuous: Mapping[int, str | None]
    guarantee: str
    target: str = TARGET
    scope: str = SCOPE
    notes: tuple[str, ...] = ()

    def to_frame(self) -> pd.DataFrame:
        """Band as a table, one row a threshold.

        Returns
        -------
        pandas.DataFrame
            Columns ``threshold``, ``fpr``, ``tpr``, ``fpr_lower``, ``fpr_upper``, ``tpr_lower``,
            ``tpr_upper``; ``attrs["alpha"]`` holds the level.
        """
        import pandas as pd

        frame = pd.DataFrame(
            {
                "threshold": self.thresholds,
                "fpr": self.fpr,
                "tpr": self.tpr,
                "fpr_lower": self.fpr_lower,
                "fpr_upper": self.fpr_upper,
                "tpr_lower": self.tpr_lower,
                "tpr_upper": self.tpr_upper,
            }
        )
        frame.attrs["alpha"] = self.alpha
        return frame

    def without_limits(self, label: int) -> bool:
        """Whether the limits of a label are 0 and 1 everywhere.

        Parameters
        ----------
        label : int
            0 or 1.

        Returns
        -------
        bool
            False also where only some of the test points have no limits.
        """
        return self.quantiles is not None and self.quantiles[label] == (-math.inf, math.inf)

    def __repr__(self) -> str:
        """Short text: the arrays' length rather than their values."""
        return f"ConformalBand(alpha={self.alpha:g}, {self.thresholds.size} thresholds)"


@dataclass(frozen=True)
class OperatingPoint:
    """Counts and rates at one threshold, with the conformal limits of the rates.

    Attributes
    ----------
    threshold, alpha : float
        Where, and at which significance level.
    tp, fp, tn, fn : int
        Test points by label and decision, counting scores ``>= threshold`` as positive.
    tpr, tpr_lower, tpr_upper : float
        Sensitivity and its limits.
    fpr, fpr_lower, fpr_upper : float
        One minus specificity and its limits.
    precision : float
        ``tp / (tp + fp)``; NaN where nothing is called positive.
    youden : float
        ``tpr - fpr``.
    """

    threshold: float
    alpha: float
    tp: int
    fp: int
    tn: int
    fn: int
    tpr: float
    tpr_lower: float
    tpr_upper: float
    fpr: float
    fpr_lower: float
    fpr_upper: float
    precision: float
    youden: float


def screen_vertices(fpr: Floats, tpr: Floats, near: float = HALF_A_PIXEL) -> Ints:
    """Those vertices of a curve that a screen can show.

    From each vertex kept, the next is the farthest to which neither rate moves by `near`, or the
    very next one. Every edge of a band is a step line over one of the two rates, so each stays
    within `near`, however far it moves in between.

    Parameters
    ----------
    fpr, tpr : ndarray of shape (m,)
        Rates that do not fall, with at least one entry.
    near : float
        What cannot be seen; by default half a pixel on 1000 pixels.

    Returns
    -------
    ndarray
        Positions, the first and the last included.
    """
    kept = [0]
    while kept[-1] < fpr.size - 1:
        here = kept[-1]
        last = min(int(np.searchsorted(rate, rate[here] + near)) - 1 for rate in (fpr, tpr))
        kept.append(max(last, here + 1))
    return np.array(kept)


def locked(array: Floats) -> Floats:
    """Read-only view of an array: what a frozen record holds must not change.

    Parameters
    ----------
    array : ndarray
        Any.

    Returns
    -------
    ndarray
        The same values.
    """
    view = array.view()
    view.flags.writeable = False
    return view
