"""Placements: the share of the other label below a positive, or above a negative, ties half."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtri

from conformal_roc_widget.arrays import Floats


def placements(negatives: Floats, positives: Floats) -> tuple[Floats, Floats]:
    """Share of positives above each negative, and of negatives below each positive."""
    above = positives.size - _ranked(np.sort(positives), negatives)
    return above / positives.size, _ranked(np.sort(negatives), positives) / negatives.size


def _ranked(ordered: Floats, values: Floats) -> Floats:
    """Number of the ordered ones below each value, ties half."""
    smaller = np.searchsorted(ordered, values, side="left")
    return (smaller + np.searchsorted(ordered, values, side="right")) / 2


def area_limits(auc: float, variance: float, alpha: float) -> tuple[float, float]:
    """Large-sample limits of an area, cut at 0 and 1; without variance they have no width."""
    half = float(-ndtri(alpha / 2)) * math.sqrt(variance) if variance else 0.0
    return max(auc - half, 0.0), min(auc + half, 1.0)
