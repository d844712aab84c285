"""Youden's index: the largest ``TPR - FPR`` over all thresholds, and the range of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.evaluation.sorted_sample import PRODUCTS, SortedSample
from conformal_roc_widget.logits import TIE
from conformal_roc_widget.promise import PromisedNumbers


class _Index(NamedTuple):
    youden: float
    lower: float
    upper: float
    threshold: float


class YoudenRange(PromisedNumbers, _Index):
    """Youden's index of the observed curve, a range for another model's, and its threshold."""


def largest_gap(ones: SortedSample | Floats, zeros: SortedSample | Floats) -> float:
    """Largest share of `ones` above a threshold less the share of `zeros` above it, at least 0.

    Both hold logits, in any order. The shares change at the values only, so that the maximum over
    all real thresholds is one over the values: sorting takes ``O(n log n)``. Above is what is
    larger by more than `TIE`, so that no threshold parts values that are equal.
    """
    one, zero = (v if isinstance(v, SortedSample) else SortedSample.of(v) for v in (ones, zeros))
    at = np.concatenate([one.values, zero.values, [-np.inf]])
    above_ones, above_zeros = one.above(at + TIE), zero.above(at + TIE)
    return max(_largest(above_zeros, zero.size, above_ones, one.size)[0], 0.0)


def youden_range(
    lower: tuple[SortedSample | Floats, SortedSample | Floats],
    upper: tuple[SortedSample | Floats, SortedSample | Floats],
) -> tuple[float, float]:
    """Range of Youden's index that intervals allow, from their ends by label (0, then 1).

    ``max (tpr_lower - fpr_upper)`` and ``max (tpr_upper - fpr_lower)`` over all real thresholds:
    whatever lies within the intervals has an index within the range.
    """
    return largest_gap(lower[1], upper[0]), largest_gap(upper[1], lower[0])


def observed_youden(fp: Ints, tp: Ints, thresholds: Floats) -> tuple[float, float]:
    """Largest ``TPR - FPR`` at the vertices of a curve, and the largest threshold that has it."""
    n0, n1 = int(fp[-1]), int(tp[-1])
    index, best = _largest(fp, n0, tp, n1)
    return index, float(thresholds[best])


def _largest(zeros: Ints, n0: int, ones: Ints, n1: int) -> tuple[float, int]:
    """Largest ``ones / n1 - zeros / n0``, and its place; exact where 64 bits hold the products."""
    if max(n0, n1) >= PRODUCTS:
        rates = ones / n1 - zeros / n0
        return float(rates.max()), int(rates.argmax())
    gap = ones.astype(np.int64) * n0 - zeros.astype(np.int64) * n1
    best = int(gap.argmax())
    return int(gap[best]) / (n0 * n1), best
