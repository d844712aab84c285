"""Draws a scene as an Altair chart with one plot, or with several and a common legend."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterable
from typing import Any

import altair as alt
import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.scene import (
    Area,
    Axis,
    Dot,
    Line,
    Mark,
    Panel,
    Pen,
    Points,
    Reading,
    Scene,
    Text,
)
from conformal_roc_widget.shown.theme import Theme

from .shapes import moved
from .style import Layer, Row, dashes_of, drawn, halo_of, layered, safe_text, styled, title_of
from .svg import HATCH

#: If a line has more than `MOST` points, it is thinned: of consecutive points in the same square
#: cell, only the first and the last are kept. `CELL` is the side of a cell, as a share of the range
#: of the values.
MOST, CELL = 5000, 0.001
#: The number of significant digits in a chart's data.
DIGITS = 5
#: The largest number of points of a curve that have a tooltip with their values.
HOVERED = 128
#: The largest width of a line of text in pixels, even above several panels.
TEXT_WIDTH = 640
STEPS: dict[str, Any] = {"across": "step-after", "up": "step-before", "": "linear"}
ALIGN: dict[str, Any] = {"start": "left", "middle": "center", "end": "right"}


def chart_of(scene: Scene, theme: Theme) -> Any:
    """Returns the Altair chart of a scene: title and sentences, and the panels below them."""
    wide = scene.columns * (scene.side + 48)
    key = _legend(scene.legend, wide, theme)
    plots = [_Plot(panel, scene.side, theme, key).chart() for panel in scene.panels]
    chart: Any = plots[0]
    if any(panel.name for panel in scene.panels):
        titled = [
            plot.properties(title=title_of(safe_text(panel.name), [], scene.side, small=True))
            for plot, panel in zip(plots, scene.panels, strict=True)
        ]
        chart = alt.concat(*titled, columns=scene.columns, spacing=24)
    lines = [safe_text(line) for line in (*scene.lead, *scene.notes)]
    return styled(chart, theme, title_of(safe_text(scene.title), lines, min(wide, TEXT_WIDTH)))


class _Plot:
    """Draws one panel as a square plot with Altair."""

    def __init__(self, panel: Panel, size: int, theme: Theme, key: dict[str, Any]) -> None:
        self.panel, self.size, self.theme, self.key = panel, size, theme, key

    def chart(self) -> alt.LayerChart:
        """Returns the plot: all marks in their order, then invisible points with tooltips."""
        draw: dict[type, Any] = {
            Area: self._area,
            Line: self._line,
            Dot: self._dot,
            Text: self._text,
        }
        layers: list[Layer] = []
        for pen, marks in itertools.groupby(self.panel.marks, _bar_pen):
            if pen is not None:
                layers.append(self._bars(pen, marks))
            else:
                layers += [layer for mark in marks for layer in draw[type(mark)](mark)]
        layers += [
            self._hover(mark)
            for mark in self.panel.marks
            if isinstance(mark, Line) and mark.readings
        ]
        return layered(layers, self.size, self.size)

    def _at(self, chart: alt.Chart, x: str = "x", y: str = "y", **ends: Any) -> alt.Chart:
        """Puts the columns `x` and `y` of a chart on the axes of the plot."""
        placed: alt.Chart = chart.encode(
            x=alt.X(f"{x}:Q", scale=_scale(self.panel.across), axis=_axis(self.panel.across)),
            y=alt.Y(f"{y}:Q", scale=_scale(self.panel.up), axis=_axis(self.panel.up)),
            **ends,
        )
        return placed

    def _stroke(self, chart: alt.Chart, pen: Pen, name: str, points: Points) -> alt.Chart:
        """Draws the rows of a chart as a line in the look of `pen`.

        If the line has a `name`, the scales of the legend give it its look.
        """
        line: dict[str, Any] = {
            "strokeWidth": pen.width,
            "strokeJoin": "round",
            "order": False,
            "interpolate": STEPS[points.step],
            "clip": self._leaves(points),
        }
        if name:
            keyed: alt.Chart = chart.mark_line(**line).transform_calculate(
                line=json.dumps(safe_text(name))
            )
            return keyed.encode(**self.key)
        colour = self.theme.colour(pen.colour)
        plain: alt.Chart = chart.mark_line(color=colour, strokeDash=dashes_of(pen.dashes), **line)
        return plain

    def _leaves(self, *lines: Points) -> bool:
        """Whether some of the lines leave the plot, and so must be clipped."""
        axes = self.panel.across.ends, self.panel.up.ends
        return any(
            values.min() < low or values.max() > high
            for line in lines
            for values, (low, high) in zip(line[:2], axes, strict=True)
        )

    def _area(self, area: Area) -> list[Layer]:
        """Returns the layers of a band: its fill or hatch, and its edges. All use the same rows."""
        upper, lower = area.upper, area.lower
        is_upright = np.array_equal(upper.x, lower.x)
        over, other = "xy" if is_upright else "yx"
        columns = {
            over: getattr(upper, over),
            "lower": getattr(lower, other),
            "upper": getattr(upper, other),
        }
        rows = drawn(_rows(columns, exact=bool(upper.step)))
        layers: list[Layer] = []
        if area.fill and all(area.sides):
            fill = rows.mark_area(
                # If `order` is False, Vega joins points in the order of the rows. By default it
                # would sort the points of a horizontal area.
                order=False,
                orient="vertical" if is_upright else "horizontal",
                interpolate=STEPS[upper.step],
                color=self.theme.colour(area.fill),
                fillOpacity=self.theme.fill * area.strength,
                clip=self._leaves(upper, lower),
            )
            layers.append(self._at(fill, **{other: "lower", f"{other}2": "upper"}))
        elif area.fill:
            hatch = drawn(hatch_rows(columns, over, self.size))
            leaves = self._leaves(upper, lower)
            rule = hatch.mark_rule(color=self.theme.colour(area.fill), opacity=HATCH, clip=leaves)
            layers.append(self._at(rule, x2="x2", y2="y2"))
        edges = [name for name, there in zip(("lower", "upper"), area.sides, strict=True) if there]
        for edge in edges:
            points = upper if edge == "upper" else lower
            line = self._stroke(rows, area.pen, area.key, points)
            layers.append(self._at(line, **{other: edge}))
        return layers

    def _line(self, line: Line) -> list[Layer]:
        """Returns the layers of a line: its halo, if it has one, and the line itself."""
        points = line.points
        exact = bool(points.step or line.readings)
        rows = drawn(_rows({"x": points.x, "y": points.y}, exact=exact))
        pens = [(line.pen, line.key)]
        if line.halo:
            pens.insert(0, (Pen("paper", line.pen.width + 4), ""))
        return [self._at(self._stroke(rows, pen, key, points)) for pen, key in pens]

    def _bars(self, pen: Pen, bars: Iterable[Mark]) -> Layer:
        """Returns a layer of straight lines, each between two points, in the look of one pen."""
        lines = [bar.points for bar in bars if isinstance(bar, Line)]
        names = ("x", "x2", "y", "y2")
        rows = drawn([dict(zip(names, [*x, *y], strict=True)) for x, y, _ in lines])
        rule = rows.mark_rule(
            color=self.theme.colour(pen.colour),
            strokeWidth=pen.width,
            strokeDash=dashes_of(pen.dashes),
            clip=self._leaves(*lines),
        )
        return self._at(rule, x2="x2", y2="y2")

    def _dot(self, dot: Dot) -> list[Layer]:
        """Returns the layer of a point, or of the end of an error bar."""
        shape = {"level": "stroke", "upright": "stroke"}.get(dot.shape, dot.shape)
        edge = self.theme.colour(dot.pen.colour)
        point = drawn([{"x": dot.x, "y": dot.y}]).mark_point(
            shape=shape,
            size=(2 * dot.size) ** 2,
            angle=90 if dot.shape == "upright" else 0,
            fill=self.theme.colour(dot.fill) if dot.fill else None,
            stroke=edge,
            strokeWidth=dot.pen.width,
            opacity=1,
        )
        return [self._at(point)]

    def _text(self, text: Text) -> list[Layer]:
        """Returns the layers of a text: a halo in the colour of the background, and the letters."""
        rows = drawn([{"x": text.x, "y": text.y, "text": safe_text(text.text)}])
        return [
            self._at(
                rows.mark_text(
                    align=ALIGN[text.anchor],
                    baseline="alphabetic",
                    dx=text.dx,
                    dy=text.dy,
                    fontSize=13 if text.bold else 12,
                    fontWeight=600 if text.bold else "normal",
                    **halo_of(halo, self.theme, self.theme.colour(text.colour)),
                )
            ).encode(text="text:N")
            for halo in (True, False)
        ]

    def _hover(self, line: Line) -> Layer:
        """Returns a layer of invisible points on a line, with the line's readings as tooltips."""
        size = line.readings[0].values.size
        some = np.unique(np.linspace(0, size - 1, min(HOVERED, size)).astype(int)).tolist()
        places = zip(line.points.x[some].tolist(), line.points.y[some].tolist(), strict=True)
        rows = [
            {"x": x, "y": y} | _read(line.readings, i)
            for i, (x, y) in zip(some, places, strict=True)
        ]
        points = drawn(rows).mark_circle(size=120, opacity=0, clip=self._leaves(line.points))
        return _with_tooltips(self._at(points), line.readings)


def _bar_pen(mark: Mark) -> Pen | None:
    """Returns the pen of a mark that is a plain line between two points. Otherwise None."""
    if isinstance(mark, Line) and mark.points.x.size == 2 and not (mark.key or mark.halo):
        return mark.pen
    return None


def hatch_rows(columns: dict[str, Floats], over: str, size: int) -> list[Row]:
    """Returns a row for each line of the hatch within a band.

    The lines are at right angles to the diagonal and eight pixels apart. `over` is the axis, "x" or
    "y", on which both edges of the band have the same values.
    """
    step = 8 * math.sqrt(2) / size
    rows: list[Row] = []
    for total in np.arange(step, 2, step).tolist():
        x = np.linspace(max(0.0, total - 1), min(1.0, total), 4 * size)
        place = {"x": x, "y": total - x}
        along, across = place[over], place["y" if over == "x" else "x"]
        last = np.searchsorted(columns[over], along, side="right") - 1
        inside = (across >= columns["lower"][last]) & (across <= columns["upper"][last])
        if inside.any():
            (x, x2), (y, y2) = (each[inside][[0, -1]].round(DIGITS) for each in place.values())
            rows.append({"x": float(x), "y": float(y), "x2": float(x2), "y2": float(y2)})
    return rows


def _rows(columns: dict[str, Floats], *, exact: bool) -> list[Row]:
    """Returns a row for each point of a line. Values are rounded unless `exact` is set.

    If the line has more than `MOST` points, some are left out. See `CELL`.
    """
    values = np.column_stack(list(columns.values()))
    if len(values) > MOST:
        values = values[moved(values / np.maximum(np.ptp(values, axis=0), 1e-9), CELL)]
    if not exact:
        values = values.round(DIGITS)
    return [dict(zip(columns, row, strict=True)) for row in values.tolist()]


def _read(readings: Iterable[Reading], place: int) -> Row:
    """Returns the values of the readings at the point with index `place`, by their titles."""
    return {
        title: float(values[place]) if text is None else text(float(values[place]))
        for title, values, text in readings
    }


def _with_tooltips(chart: alt.Chart, readings: Iterable[Reading]) -> alt.Chart:
    """Makes the points of a chart show the readings as tooltips."""
    tooltips = [
        alt.Tooltip(f"{title}:Q", title=title, format=".3f")
        if text is None
        else alt.Tooltip(f"{title}:N", title=title)
        for title, _, text in readings
    ]
    shown: alt.Chart = chart.encode(tooltip=tooltips) if tooltips else chart
    return shown


def _scale(axis: Axis) -> alt.Scale:
    return alt.Scale(domain=list(axis.ends), nice=False)


def _axis(axis: Axis) -> alt.Axis:
    title = safe_text(axis.title) if axis.title else None
    return alt.Axis(title=title, values=axis.ticks, format=".3~f")


def _legend(legend: dict[str, Area | Line], wide: int, theme: Theme) -> dict[str, Any]:
    """Returns the scales of colours and dashes for the named lines, with their legend."""
    pens = {name: mark.pen for name, mark in legend.items()}
    widths = [50 + 6 * len(name) for name in pens]
    rows = range(len(widths), 0, -1)
    fitting = (
        n for n in rows if all(sum(widths[i : i + n]) <= wide for i in range(0, len(widths), n))
    )
    looks = alt.Legend(
        title=None,
        orient="bottom",
        direction="horizontal",
        columns=next(fitting, 1),
        labelLimit=0,  # 0 means that names may have any width
        symbolType="stroke",
        symbolSize=500,
        symbolStrokeWidth=1.5,
    )

    def scale(values: list[Any]) -> alt.Scale:
        return alt.Scale(domain=[safe_text(name) for name in pens], range=values)

    colours = scale([theme.colour(pen.colour) for pen in pens.values()])
    dashes = scale([dashes_of(pen.dashes) for pen in pens.values()])
    return {
        "color": alt.Color("line:N", scale=colours, legend=looks),
        "strokeDash": alt.StrokeDash("line:N", scale=dashes, legend=looks),
    }
