"""Computes Youden's index, the largest ``TPR - FPR`` over all thresholds, and its range."""

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
    """Youden's index of the observed curve, its range within the limits, and its threshold.

    It unpacks into index, lower end, upper end and threshold.
    """


def largest_gap(ones: SortedSample | Floats, zeros: SortedSample | Floats) -> float:
    """The largest difference between the shares of `ones` and of `zeros` above a threshold.

    The result is at least 0. `ones` and `zeros` contain logits in any order. Shares change only at
    these values, so only they are tried as thresholds. A value counts as above a threshold if their
    difference exceeds `TIE`. So no threshold separates values that count as equal.
    """
    one, zero = (v if isinstance(v, SortedSample) else SortedSample.of(v) for v in (ones, zeros))
    at = np.concatenate([one.values, zero.values, [-np.inf]])
    above_ones, above_zeros = one.above(at + TIE), zero.above(at + TIE)
    return max(_largest(above_zeros, zero.size, above_ones, one.size)[0], 0.0)


def youden_range(
    lower: tuple[SortedSample | Floats, SortedSample | Floats],
    upper: tuple[SortedSample | Floats, SortedSample | Floats],
) -> tuple[float, float]:
    """Returns the range of Youden's index, from both ends of the intervals by label.

    It goes from the maximum of ``tpr_lower - fpr_upper`` to that of ``tpr_upper - fpr_lower``, over
    all real thresholds. If a curve is within the limits, its index is within this range.
    """
    return largest_gap(lower[1], upper[0]), largest_gap(upper[1], lower[0])


def observed_youden(fp: Ints, tp: Ints, thresholds: Floats) -> tuple[float, float]:
    """Returns the largest ``TPR - FPR`` at the vertices, and the largest threshold that has it.

    `fp` and `tp` count the rows predicted positive at each of the descending `thresholds`.
    """
    n0, n1 = int(fp[-1]), int(tp[-1])
    index, best = _largest(fp, n0, tp, n1)
    return index, float(thresholds[best])


def _largest(zeros: Ints, n0: int, ones: Ints, n1: int) -> tuple[float, int]:
    """Returns the largest ``ones / n1 - zeros / n0``, and its first index.

    The comparison is exact, unless products of counts do not fit into 64 bits.
    """
    if max(n0, n1) >= PRODUCTS:
        rates = ones / n1 - zeros / n0
        return float(rates.max()), int(rates.argmax())
    gap = ones.astype(np.int64) * n0 - zeros.astype(np.int64) * n1
    best = int(gap.argmax())
    return int(gap[best]) / (n0 * n1), best
