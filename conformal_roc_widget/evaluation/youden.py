"""Youden's index: the largest ``TPR - FPR`` over all thresholds, and the range of it."""

from __future__ import annotations

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.logits import TIE
from conformal_roc_widget.evaluation.sorted_sample import SortedSample


def largest_gap(ones: SortedSample | Floats, zeros: SortedSample | Floats) -> float:
    """Largest share of `ones` above a threshold less the share of `zeros` above it.

    Both shares change at the values only, so that the maximum over all real thresholds is one over
    the values: sorting takes ``O(n log n)``. Above is what is larger by more than `TIE`, so that no
    threshold parts values that are equal.

    Parameters
    ----------
    ones, zeros : ndarray or SortedSample
        Logits of the two labels, in any order, infinite ones too; each at least one.

    Returns
    -------
    float
        ``max_t #{ones > t} / n_1 - #{zeros > t} / n_0``, exact up to one rounding. At least 0, the
        gap at a threshold above all values.
    """
    one, zero = (v if isinstance(v, SortedSample) else SortedSample.of(v) for v in (ones, zeros))
    at = np.concatenate([one.values, zero.values, [-np.inf]])
    above_ones, above_zeros = one.above(at + TIE), zero.above(at + TIE)
    gap = int((above_ones * zero.size - above_zeros * one.size).max())
    return max(gap, 0) / (one.size * zero.size)


def youden_range(
    lower: tuple[SortedSample | Floats, SortedSample | Floats],
    upper: tuple[SortedSample | Floats, SortedSample | Floats],
) -> tuple[float, float]:
    """Range of Youden's index that the individual intervals allow.

    Parameters
    ----------
    lower, upper : tuple of two ndarray or SortedSample
        Ends of the intervals by label (0, then 1), on the logit scale.

    Returns
    -------
    lower, upper : float
        ``max (tpr_lower - fpr_upper)`` and ``max (tpr_upper - fpr_lower)`` over all real
        thresholds. Whatever lies within the intervals has an index within the range.
    """
    return largest_gap(lower[1], upper[0]), largest_gap(upper[1], lower[0])


def observed_youden(fp: Ints, tp: Ints, thresholds: Floats) -> tuple[float, float]:
    """Youden's index of the observed curve.

    Parameters
    ----------
    fp, tp : ndarray of shape (m,)
        Counts at the vertices of the curve, the last of which holds all points.
    thresholds : ndarray of shape (m,)
        Their thresholds, descending.

    Returns
    -------
    index, threshold : float
        The largest ``TPR - FPR``, and the largest threshold that has it.
    """
    n0, n1 = int(fp[-1]), int(tp[-1])
    gap = tp.astype(np.int64) * n0 - fp.astype(np.int64) * n1
    best = int(gap.argmax())
    return int(gap[best]) / (n0 * n1), float(thresholds[best])
