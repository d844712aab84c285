"""Rows of data that a chart of a figure carries, thinned to what a plot can show."""

from __future__ import annotations

import math

import numpy as np

from conformal_roc_widget.charts.style import Row
from conformal_roc_widget.evaluation.observed_curve import screen_vertices
from conformal_roc_widget.text import threshold_text
from conformal_roc_widget.view.figure import Panel

RATES = ("fpr", "tpr")
ENDS = ("lower", "upper")
#: In a chart with a slider rates are drawn to a tenth of a pixel on 1000 pixels.
DIGITS = 4
#: A comparator's limits have at most so many points.
COMPARATOR_POINTS = 51


def band_rows(panel: Panel, size: int, alpha: float | None = None) -> list[Row]:
    """Rows of a band at the vertices that a screen can show.

    With an alpha, which then stands in each row, to what a plot of that size can show.
    """
    band, names = panel.band, list(RATES)
    names += [f"{RATES[each.label]}_{end}" for each in panel.limits for end in ENDS]
    at = screen_vertices(band.fpr, band.tpr, *(() if alpha is None else (0.5 / size,)))
    values = (getattr(band, name)[at] for name in names)
    columns = [each.tolist() if alpha is None else each.round(DIGITS).tolist() for each in values]
    tag = {} if alpha is None else {"a": alpha}
    return [tag | dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def hatch_rows(size: int) -> list[Row]:
    """Segments against the chance line, eight pixels apart."""
    step = 8 * math.sqrt(2) / size
    sums = np.arange(step, 2, step).tolist()
    return [
        {"x": max(0.0, c - 1), "y": min(1.0, c), "x2": min(1.0, c), "y2": max(0.0, c - 1)}
        for c in sums
    ]


def edge_rows(panel: Panel, text: str) -> list[Row]:
    """Limits of one comparator at a few points."""
    rows: list[Row] = []
    for _, fpr, lower, upper, _ in (each for each in panel.comparators if each.key.text == text):
        step = -(-fpr.size // COMPARATOR_POINTS)
        at = np.unique([*range(0, fpr.size, step), fpr.size - 1])
        columns = (values[at].round(DIGITS).tolist() for values in (fpr, lower, upper))
        rows += [{"x": x, "lower": y, "upper": z} for x, y, z in zip(*columns, strict=True)]
    return rows


def mark_rows(panel: Panel) -> list[Row]:
    """The operating point with its limits."""
    if panel.mark is None:
        return []
    point = panel.mark.point
    arms = {RATES[arm.label]: arm for arm in panel.mark.arms}
    return [
        {"threshold": threshold_text(point.threshold)}
        | {rate: getattr(point, rate) for rate in RATES}
        | {f"{rate}_{end}": getattr(arm, end) for rate, arm in arms.items() for end in ENDS}
    ]
