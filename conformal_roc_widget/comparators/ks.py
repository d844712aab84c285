"""Makes a simultaneous band from two distribution functions, whatever the scores' distribution.

It holds for every sample size.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.choices import LooksName
from conformal_roc_widget.evaluation.looks import distance_at_any_look, no_look_yet
from conformal_roc_widget.promise import EVERY_LAW, SCOPES, WHOLE_CURVE, sampling

from .cautions import check_looks, separated_labels, ties
from .comparator_band import BandFamily, ComparatorBand
from .rows import refuse_rows
from .two_samples import grid_of, two_samples


def ks_band(
    y: ArrayLike,
    score: ArrayLike,
    alpha: float = 0.05,
    *,
    fpr: ArrayLike | None = None,
    looks: LooksName = "once",
    sample_weight: None = None,
    groups: None = None,
    pos_label: Any = None,
) -> ComparatorBand:
    """Computes a simultaneous band from both distribution functions, for every sample size.

    With probability at least ``1 - alpha``, both observed rates are within ``d_k = sqrt(log(2 / (1
    - sqrt(1 - alpha))) / (2 n_k))`` of the population's at all thresholds (Dvoretzky, Kiefer and
    Wolfowitz 1956 with the constant of Massart 1990; the two samples are independent). The
    population's curve is then within the rectangles around the observed points (Campbell 1994). At
    the false positive rate g it is between ``TPR - d_1`` where the observed FPR reaches ``g -
    d_0``, and ``TPR + d_1`` where the observed FPR exceeds ``g + d_0``. If a positive and a
    negative have the same score, the lower limit takes the negative first, and the upper limit the
    positive. So the band holds however ties are broken, also for the straight lines of a curve of
    discrete scores.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes. The second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class. They need not be probabilities.
    alpha : float
        Significance level in (0, 1).
    fpr : array_like of shape (m,), optional
        False positive rates. By default ``linspace(0, 1, 101)``.
    looks : {"once", "any"}
        Whether the band holds at one look, or together at every look as rows arrive, from 20 rows
        of each label on. For ``"any"``, ``d_k = 0.85 sqrt((log log(e n_k / 20) + 0.8 log(1612 / a))
        / n_k)`` with ``a = 1 - sqrt(1 - alpha)`` (Howard and Ramdas 2022).
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.
    sample_weight, groups : None
        Refused, because the method counts independent rows. `one_row_per_group` selects such rows.

    Returns
    -------
    ComparatorBand
        Limits at each false positive rate. Between two rates of the grid, the lower limit of the
        first and the upper limit of the second hold.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    refuse_rows("ks_band", sample_weight=sample_weight, groups=groups)
    check_looks(looks)
    return KsSamples(y, score, fpr=fpr, looks=looks, pos_label=pos_label).band(alpha)


class KsSamples(BandFamily):
    """Both observed distribution functions, sorted once, so that a new alpha costs little.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes. The second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class. They need not be probabilities.
    fpr : array_like of shape (m,), optional
        False positive rates. By default ``linspace(0, 1, 101)``.
    looks : {"once", "any"}
        See `ks_band`.
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.

    Attributes
    ----------
    fpr : ndarray of shape (m,)
        False positive rates, ascending.
    tpr : ndarray of shape (m,)
        Observed true positive rates at `fpr`.
    notes : tuple of str
        Reasons to trust the method less, at any alpha.
    sizes : tuple of two int
        Numbers of negatives and positives.
    vertices : tuple of two ndarray of shape (v,)
        False and true positive rates at every threshold, from a threshold above all scores down.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """

    method = "Dvoretzky-Kiefer-Wolfowitz rectangles"
    promise = sampling(WHOLE_CURVE, EVERY_LAW)

    def __init__(
        self,
        y: ArrayLike,
        score: ArrayLike,
        *,
        fpr: ArrayLike | None = None,
        looks: LooksName = "once",
        pos_label: Any = None,
    ) -> None:
        self.looks = looks
        if looks == "any":
            self.promise = sampling(SCOPES["whole_curve_any_look"], EVERY_LAW)
        samples = two_samples(y, score, pos_label)
        grid = grid_of(fpr)
        caution = ties(samples, "the band is wide enough for every way to break them.")
        super().__init__(grid, samples.tpr_at(grid), [*separated_labels(samples), *caution])
        # Thresholds descend. The first is above all scores, and the others are the distinct scores.
        thresholds = np.append(np.inf, np.unique(np.concatenate(samples.arrays))[::-1])
        negatives, positives = samples
        self.sizes = negatives.size, positives.size
        self.vertices = (
            negatives.at_least(thresholds) / negatives.size,
            positives.at_least(thresholds) / positives.size,
        )

    def limits(self, level: float) -> tuple[Floats, Floats, list[str]]:
        """Returns the limits of `ks_band` at each false positive rate for alpha = `level`."""
        d0, d1 = (_farthest(n, level, self.looks) for n in self.sizes)
        fp, tp = self.vertices
        # Rates are multiples of 1/n, but differ from these by rounding. `slack` makes sure that
        # rounding never makes the band narrower.
        slack = 1e-9 / max(self.sizes)
        reaches = np.searchsorted(fp, self.fpr - d0 - slack, side="left")
        leaves = np.searchsorted(fp, self.fpr + d0 + slack, side="right")
        lower = np.clip(tp[np.maximum(reaches - 1, 0)] - d1, 0, 1)
        upper = np.clip(tp[np.minimum(leaves, tp.size - 1)] + d1, 0, 1)
        lower[self.fpr == 1] = upper[self.fpr == 1] = 1.0
        notes = _note_without_limits(self.fpr, lower, upper)
        return lower, upper, [*no_look_yet(min(self.sizes), self.looks), *notes]


def _farthest(n: int, level: float, looks: str) -> float:
    """Bounds the distance of an observed distribution function from the population's.

    The bound holds for n rows with probability ``sqrt(1 - level)``, at one look or at every look.
    If it is 1 or more, it bounds nothing.
    """
    # `log` is log(1 / (1 - sqrt(1 - alpha))). Written like this, it keeps its digits if alpha is
    # small.
    log = math.log(1 + math.sqrt(1 - level)) - math.log(level)
    if looks == "once":
        return math.sqrt((math.log(2) + log) / (2 * n))
    return distance_at_any_look(n, log)


def _note_without_limits(fpr: Floats, lower: Floats, upper: Floats) -> list[str]:
    """If the band goes from 0 to 1 at all false positive rates, returns a note on that."""
    inside = fpr < 1
    if inside.any() and (lower[inside] == 0).all() and (upper[inside] == 1).all():
        return ["Too few points for this alpha: the band is everything from 0 to 1."]
    return []
