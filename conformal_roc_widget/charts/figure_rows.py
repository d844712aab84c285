"""Rows of data that a chart of a figure carries, thinned to what a plot can show."""

from __future__ import annotations

import math

import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.charts.style import Row
from conformal_roc_widget.evaluation.observed_curve import screen_vertices
from conformal_roc_widget.text import threshold_text
from conformal_roc_widget.view.arc import Arc
from conformal_roc_widget.view.figure import Panel
from conformal_roc_widget.view.theme import Pen

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


def missing_rows(panel: Panel, label: int, size: int) -> list[Row]:
    """Hatch of the bands of a label that lack one limit, from the other to the end of the axis."""
    rows: list[Row] = []
    for limits in panel.limits:
        if limits.label != label or all(limits.sides):
            continue
        band, names = panel.band, [f"{RATES[label]}_{end}" for end in ENDS]
        low, high = (getattr(band, name) for name in names)
        for row in hatch_rows(size):
            share = np.linspace(0, 1, 4 * size)
            x = row["x"] + share * (row["x2"] - row["x"])
            y = row["y"] + share * (row["y2"] - row["y"])
            over, rate = (x, y) if label else (y, x)
            last = np.searchsorted(band.fpr if label else band.tpr, over, side="right") - 1
            inside = np.flatnonzero((rate >= low[last]) & (rate <= high[last]))
            if inside.size:
                first, end = inside[[0, -1]]
                ends = {"x": x[first], "y": y[first], "x2": x[end], "y2": y[end]}
                rows.append({name: round(float(each), DIGITS) for name, each in ends.items()})
    return rows


def bar_rows(panel: Panel, label: int, pen: Pen) -> list[Row]:
    """Pieces of an error bar that are drawn with one pen."""
    if panel.mark is None:
        return []
    point = panel.mark.point
    return [
        {"fpr": point.fpr, "tpr": point.tpr, "lower": bar.lower, "upper": bar.upper}
        for bar in panel.mark.arms[label].bars
        if bar.pen == pen
    ]


def cap_rows(panel: Panel, label: int) -> list[Row]:
    """Limits of an error bar."""
    if panel.mark is None:
        return []
    point = panel.mark.point
    return [{"fpr": point.fpr, "tpr": point.tpr, "end": end} for end in panel.mark.arms[label].caps]


def edge_rows(panel: Panel, text: str) -> list[Row]:
    """Limits of one comparator at a few points."""
    rows: list[Row] = []
    for _, fpr, lower, upper, _ in (each for each in panel.comparators if each.key.text == text):
        step = -(-fpr.size // COMPARATOR_POINTS)
        at = np.unique([*range(0, fpr.size, step), fpr.size - 1])
        columns = (values[at].round(DIGITS).tolist() for values in (fpr, lower, upper))
        rows += [{"x": x, "lower": y, "upper": z} for x, y, z in zip(*columns, strict=True)]
    return rows


def line_rows(x: Floats, y: Floats) -> list[Row]:
    """Points of a line."""
    return [{"x": across, "y": up} for across, up in zip(x.tolist(), y.tolist(), strict=True)]


def arc_rows(arc: Arc) -> list[Row]:
    """The arc along the curve, thinned to what a screen can show."""
    at = screen_vertices(arc.fpr, arc.tpr)
    return line_rows(arc.fpr[at], arc.tpr[at])


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
