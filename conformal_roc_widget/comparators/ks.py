"""Simultaneous band for every law and sample size: rectangles from two distribution functions."""

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
    """Simultaneous band that holds for every sample size, from the two distribution functions.

    With probability at least ``1 - alpha`` both observed rates lie within
    ``d_k = sqrt(log(2 / (1 - sqrt(1 - alpha))) / (2 n_k))`` of the population's at all thresholds
    (Dvoretzky, Kiefer and Wolfowitz 1956 with the constant of Massart 1990; the samples are
    independent). The curve then stays within the rectangles about the observed one (Campbell 1994):
    at false positive rate g between ``TPR - d_1`` where the observed FPR reaches ``g - d_0``, and
    ``TPR + d_1`` where it leaves ``g + d_0``. Where a positive and a negative have the same score,
    the lower limit takes the negative first and the upper limit the positive: the band then holds
    however ties are broken, and so for the straight lines of a curve of discrete scores too.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes; the second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class; they need not be probabilities.
    alpha : float
        Significance level in (0, 1).
    fpr : array_like of shape (m,), optional
        False positive rates; by default ``linspace(0, 1, 101)``.
    looks : {"once", "any"}
        Whether the band holds at one look, or together at every look as rows arrive, from 20 rows
        of each label on, with ``d_k = 0.85 sqrt((log log(e n_k / 20) + 0.8 log(1612 / a)) / n_k)``
        for ``a = 1 - sqrt(1 - alpha)`` (Howard and Ramdas 2022).
    pos_label : label, optional
        The positive label; by default the second of two in sorted order.
    sample_weight, groups : None
        Refused: the method counts independent rows (`one_row_per_group` chooses such).

    Returns
    -------
    ComparatorBand
        Limits at each false positive rate. Between two rates of the grid the lower limit of the
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
    """Both observed distribution functions, sorted once; a new alpha costs look-ups.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes; the second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class; they need not be probabilities.
    fpr : array_like of shape (m,), optional
        False positive rates; by default ``linspace(0, 1, 101)``.
    looks : {"once", "any"}
        As in `ks_band`.
    pos_label : label, optional
        The positive label; by default the second of two in sorted order.

    Attributes
    ----------
    fpr : ndarray of shape (m,)
        False positive rates, ascending.
    tpr : ndarray of shape (m,)
        Observed true positive rates there.
    notes : tuple of str
        Reasons to trust the method less, at any alpha.
    sizes : tuple of two int
        Numbers of negatives and positives.
    vertices : tuple of two ndarray of shape (v,)
        False and true positive rates at every threshold, from above all scores downwards.

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
        # Thresholds in descending order: above all scores, then each score.
        thresholds = np.append(np.inf, np.unique(np.concatenate(samples.arrays))[::-1])
        negatives, positives = samples
        self.sizes = negatives.size, positives.size
        self.vertices = (
            negatives.at_least(thresholds) / negatives.size,
            positives.at_least(thresholds) / positives.size,
        )

    def limits(self, level: float) -> tuple[Floats, Floats, list[str]]:
        """The rectangles of `ks_band`."""
        d0, d1 = (_farthest(n, level, self.looks) for n in self.sizes)
        fp, tp = self.vertices
        # Rounding must not narrow the band: rates are whole multiples of 1/n.
        slack = 1e-9 / max(self.sizes)
        reaches = np.searchsorted(fp, self.fpr - d0 - slack, side="left")
        leaves = np.searchsorted(fp, self.fpr + d0 + slack, side="right")
        lower = np.clip(tp[np.maximum(reaches - 1, 0)] - d1, 0, 1)
        upper = np.clip(tp[np.minimum(leaves, tp.size - 1)] + d1, 0, 1)
        lower[self.fpr == 1] = upper[self.fpr == 1] = 1.0
        notes = _note_without_limits(self.fpr, lower, upper)
        return lower, upper, [*no_look_yet(min(self.sizes), self.looks), *notes]


def _farthest(n: int, level: float, looks: str) -> float:
    """How far an observed distribution of n rows may be from the population's; 1 is no limit."""
    # The logarithm of 1 / (1 - sqrt(1 - alpha)), so that no digits are lost for a small alpha.
    log = math.log(1 + math.sqrt(1 - level)) - math.log(level)
    if looks == "once":
        return math.sqrt((math.log(2) + log) / (2 * n))
    return distance_at_any_look(n, log)


def _note_without_limits(fpr: Floats, lower: Floats, upper: Floats) -> list[str]:
    """At most one sentence: the band is everything from 0 to 1."""
    inside = fpr < 1
    if inside.any() and (lower[inside] == 0).all() and (upper[inside] == 1).all():
        return ["Too few points for this alpha: the band is everything from 0 to 1."]
    return []
