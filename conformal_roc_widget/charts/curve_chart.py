"""Draws a `view.curve_panel.CurvePanel` with Altair: one curve with its range."""

from __future__ import annotations

from collections.abc import Iterable

import altair as alt
import numpy as np

from conformal_roc_widget.charts.figure_rows import DIGITS
from conformal_roc_widget.charts.figure_words import legend_key
from conformal_roc_widget.charts.style import Align, Layer, Row, drawn, halo_of, layered, lettering
from conformal_roc_widget.view.curve_panel import FILL, Arm, CurvePanel
from conformal_roc_widget.view.figure import TICKS, Figure
from conformal_roc_widget.view.view_curves import Line

#: Points of a line; a longer one is thinned.
MOST_POINTS = 2000


def curve_chart(panel: CurvePanel, figure: Figure) -> alt.LayerChart:
    """All layers, the lowest first."""
    colours, size = figure.theme, figure.side
    looks = legend_key(panel.legend, size + 48)
    # In the order of the points: the outline goes there and back.
    area = drawn(_rows([panel.area])).mark_line(
        fill=panel.fill, fillOpacity=FILL, strokeWidth=0, order=False
    )
    layers: list[Layer] = [_at(area, panel)]
    for key, pieces in panel.lines:
        rows = [row | {"line": key.text} for row in _rows(pieces)]
        line = drawn(rows).mark_line(strokeWidth=key.pen.width, strokeJoin="round", order=False)
        layers.append(_at(line, panel).encode(detail="piece:N", **looks))
    x, y = panel.point
    here: Row = {"x": x, "y": y}
    if panel.level is not None:
        layers += _arm(panel.level, here, panel, upright=False)
    layers += _arm(panel.upright, here, panel, upright=True)
    dot = drawn([here]).mark_point(
        size=180, filled=True, fill=colours.ink, stroke=colours.background, opacity=1
    )
    layers.append(_at(dot, panel))
    low, high = panel.ends
    for halo in (True, False):
        name = drawn([here]).mark_text(
            align="right" if x > 0.8 else "left",
            dx=-12 if x > 0.8 else 12,
            dy=-16 if (y - low) / (high - low) < 0.1 else 16,
            fontWeight=600,
            fontSize=13,
            **halo_of(halo, colours, colours.ink),
        )
        layers.append(_at(name, panel).encode(text=alt.value(panel.text)))
    if panel.corner:
        across, up = (8, size - 14) if panel.corner_is_low else (size - 8, 14)
        align: Align = "left" if panel.corner_is_low else "right"
        layers += lettering(panel.corner, across, up, colours, colours.ink, bold=True, align=align)
    return layered(layers, size, size)


def _at(chart: alt.Chart, panel: CurvePanel, x: str = "x", y: str = "y") -> alt.Chart:
    """Chart with both axes of the plot."""
    heights = [value for value, _ in panel.ticks]
    up = alt.Axis(title=panel.up, values=heights, format=".3~f")
    across = alt.Axis(title=panel.across, values=list(TICKS), format=".1~f")
    placed: alt.Chart = chart.encode(
        x=alt.X(f"{x}:Q", scale=alt.Scale(domain=[0, 1], nice=False), axis=across),
        y=alt.Y(f"{y}:Q", scale=alt.Scale(domain=list(panel.ends), nice=False), axis=up),
    )
    return placed


def _arm(arm: Arm, here: Row, panel: CurvePanel, *, upright: bool) -> list[Layer]:
    """Straight line through the point, with its caps."""
    first, last = arm.ends
    bar = drawn([here | {"first": first, "last": last}])
    bar = bar.mark_rule(strokeWidth=arm.pen.width, color=arm.pen.colour)
    layers: list[Layer] = [
        _at(bar, panel, y="first").encode(y2="last:Q")
        if upright
        else _at(bar, panel, x="first").encode(x2="last:Q")
    ]
    if arm.caps:
        caps = drawn([here | {"y" if upright else "x": end} for end in arm.caps]).mark_point(
            shape="stroke",
            size=100,
            strokeWidth=arm.pen.width,
            angle=0 if upright else 90,
            color=arm.pen.colour,
            opacity=1,
        )
        layers.append(_at(caps, panel))
    return layers


def _rows(pieces: Iterable[Line]) -> list[Row]:
    """Points of a line in their order, piece by piece, to what a screen can show."""
    rows: list[Row] = []
    for piece, (x, y) in enumerate(pieces):
        at = np.unique(np.linspace(0, x.size - 1, min(x.size, MOST_POINTS)).astype(int))
        columns = (values[at].round(DIGITS + 1).tolist() for values in (x, y))
        rows += [{"x": a, "y": b, "piece": piece} for a, b in zip(*columns, strict=True)]
    return rows
