"""The arc on which an ideal recalibration stands, whose curve is the observed one.

Only the place of a threshold on that curve is uncertain: it lies between the point of the lower
counts and that of the upper ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.evaluation.band import ConformalBand, OperatingPoint
from conformal_roc_widget.text import percent, threshold_text
from conformal_roc_widget.view.theme import Pen, Theme

WIDTH = 6
#: Of an arc whose labels refute that a higher score never means a lower probability.
REFUTED = (2, 3)


class Arc(NamedTuple):
    """Stretch of the observed curve, with its name in the legend."""

    text: str
    pen: Pen
    fpr: Floats
    tpr: Floats


def arc_of(band: ConformalBand, point: OperatingPoint | None, colours: Theme) -> Arc | None:
    """Arc of a threshold on the curve of a recalibration; None for other limits."""
    if point is None or band.promise.kind != "simultaneous":
        return None
    inside = (
        (band.fpr >= point.fpr_lower)
        & (band.tpr >= point.tpr_lower)
        & (band.fpr <= point.fpr_upper)
        & (band.tpr <= point.tpr_upper)
    )
    fpr, tpr = (
        np.concatenate([[low], rates[inside], [high]])
        for low, rates, high in (
            (point.fpr_lower, band.fpr, point.fpr_upper),
            (point.tpr_lower, band.tpr, point.tpr_upper),
        )
    )
    text = (
        f"ideal recalibration cut at {threshold_text(point.threshold)}, {percent(1 - band.alpha)}"
    )
    return Arc(text, Pen(colours.ink, REFUTED if band.notes else (), WIDTH), fpr, tpr)
