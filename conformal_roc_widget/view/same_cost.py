"""Line in a picture on which the cost is that of the operating point, and where it is least."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.evaluation.band import ConformalBand, OperatingPoint
from conformal_roc_widget.evaluation.net_benefit import least_cost
from conformal_roc_widget.text import percent, threshold_text
from conformal_roc_widget.view.curve_panel import Key
from conformal_roc_widget.view.theme import Pen, Theme

DASHES = (8, 4)
#: Half a diagonal of the diamond, in points.
HALF = 6


class SameCost(NamedTuple):
    """Line of the same cost, no further than the plot, and the point of least cost."""

    key: Key
    fpr: Floats
    tpr: Floats
    #: False and true positive rate.
    least: tuple[float, float]
    note: str


def same_cost(
    band: ConformalBand, point: OperatingPoint, share: float, cost: float, colours: Theme
) -> SameCost:
    """Where that share is positive and a miss costs so many false alarms."""
    slope = (1 - share) / (share * cost)
    ends = np.array([max(0.0, point.fpr - point.tpr / slope), point.fpr])
    ends[1] = min(1.0, point.fpr + (1 - point.tpr) / slope)
    at = least_cost(band, share, cost)
    threshold = threshold_text(min(1.0, max(0.0, float(band.thresholds[at]))))
    shown = percent(round(share, 3) or share)
    return SameCost(
        Key(f"same cost; diamond: least cost, λ {threshold}", Pen(colours.ink, DASHES, 1.25)),
        ends,
        np.clip(point.tpr + slope * (ends - point.fpr), 0, 1),
        (float(band.fpr[at]), float(band.tpr[at])),
        f"Cost: a miss counts as {cost:g} false alarms, where {shown} are positive.",
    )
