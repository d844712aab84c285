"""Threshold of least expected cost where the classifier is used; its twin is use_metrics.ts."""

from __future__ import annotations

import numpy as np

from conformal_roc_widget.evaluation.band import ConformalBand


def least_cost(band: ConformalBand, share: float, cost: float) -> int:
    """Vertex of least cost; of equals that of the highest threshold, which is at most 1."""
    first = int(band.thresholds.size > 1 and band.thresholds[1] >= 1)
    costs = cost * share * (1 - band.tpr[first:]) + (1 - share) * band.fpr[first:]
    return first + int(np.argmin(costs))
