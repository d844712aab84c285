"""Draws a `view.figure.Figure` with Altair; several of them, one an alpha, with a slider."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import altair as alt
import numpy as np

from conformal_roc_widget.charts.curve_chart import curve_chart
from conformal_roc_widget.charts.figure_rows import (
    ENDS,
    RATES,
    arc_rows,
    band_rows,
    bar_rows,
    cap_rows,
    edge_rows,
    hatch_rows,
    line_rows,
    mark_rows,
    missing_rows,
)
from conformal_roc_widget.charts.figure_words import legend_key, with_words
from conformal_roc_widget.charts.style import (
    Layer,
    Row,
    dashes_of,
    drawn,
    halo_of,
    layered,
    safe_text,
    title_of,
    tooltips,
)
from conformal_roc_widget.evaluation.observed_curve import screen_vertices
from conformal_roc_widget.text import threshold_text
from conformal_roc_widget.view.figure import CHANCE, TICKS, Figure, Limits, Panel

#: Points of a curve that answer to the pointer.
HOVERED = 128
#: Name of the slider, and of its value within the chart's filters.
SLIDER = "alpha"

_RATE_TITLES = (
    {
        "fpr:Q": "False positive rate",
        "fpr_lower:Q": "its lower limit",
        "fpr_upper:Q": "its upper limit",
    },
    {
        "tpr:Q": "True positive rate",
        "tpr_lower:Q": "its lower limit ",  # a tooltip's titles are the keys of an object
        "tpr_upper:Q": "its upper limit ",
    },
)


def chart_of(figure: Figure) -> Any:
    """Chart of a figure: one plot, or several side by side under one legend."""
    if figure.curve is not None:
        return with_words(curve_chart(figure.curve, figure), figure, figure.side + 48)
    plots = [_Plot([panel], None, figure).chart() for panel in figure.panels]
    wide = figure.columns * (figure.side + 48)
    if not any(panel.name for panel in figure.panels):
        return with_words(plots[0], figure, wide)
    titled = [
        plot.properties(title=title_of(safe_text(panel.name), [], figure.side, small=True))
        for plot, panel in zip(plots, figure.panels, strict=True)
    ]
    return with_words(alt.concat(*titled, columns=figure.columns, spacing=24), figure, wide)


def moving_chart_of(figures: Mapping[float, Figure], alpha: float) -> Any:
    """Chart of one plot at evenly spaced alphas, with a slider that starts at one of them."""
    stops, first = list(figures), figures[alpha]
    slider = alt.param(
        name=SLIDER,
        value=alpha,
        bind=alt.binding_range(
            min=stops[0], max=stops[-1], step=round(stops[1] - stops[0], 10), name="α "
        ),
    )
    legend = tuple(dict.fromkeys(key for each in figures.values() for key in each.legend))
    figure = replace(first, legend=tuple(sorted(legend, key=lambda key: key.text == CHANCE)))
    plot = _Plot([each.panels[0] for each in figures.values()], stops, figure)
    return with_words(plot.chart().add_params(slider), figure, figure.side + 48)


class _Plot:
    """One square plot: of one panel, or of one panel at each of several alphas.

    With several, each row of the data carries its alpha, and a filter shows those of the slider.
    """

    def __init__(
        self, panels: Sequence[Panel], stops: Sequence[float] | None, figure: Figure
    ) -> None:
        self.panels, self.stops = panels, stops
        self.colours, self.size = figure.theme, figure.side
        self._bands: dict[tuple[int, tuple[int, ...]], alt.Chart] = {}
        self.key = legend_key(figure.legend, figure.columns * (figure.side + 48))

    def chart(self) -> alt.LayerChart:
        """All layers, the lowest first."""
        layers = [
            *self._hatch(),
            *self._areas(),
            self._chance(),
            *self._edges(),
            *self._comparators(),
            *self._same_cost(),
            self._curve(),
            *self._least_cost(),
            *self._arc(),
            *self._corner(),
            *self._mark(),
        ]
        if self.stops is None:
            layers.append(self._hover())
        return layered(layers, self.size, self.size)

    def _moments(self, rows_of: Callable[[Panel], list[Row]]) -> alt.Chart:
        """Chart of the rows of each panel."""
        if self.stops is None:
            return drawn(rows_of(self.panels[0]))
        rows = [
            row | {"a": alpha}
            for panel, alpha in zip(self.panels, self.stops, strict=True)
            for row in rows_of(panel)
        ]
        chart: alt.Chart = drawn(rows).transform_filter(f"abs(datum.a - {SLIDER}) < 1e-6")
        return chart

    def _band(self, label: int, ends: tuple[int, ...]) -> alt.Chart:
        """Rows of panels with these limits of a label, 0 lower and 1 upper; layers share them."""
        shown = [panel for panel in self.panels if _is_limited(panel, label, ends)]
        if all(_is_limited(panel, label, (0, 1)) for panel in shown):
            ends = (0, 1)
        if (label, ends) in self._bands:
            return self._bands[label, ends]

        def rows(panel: Panel) -> list[Row]:
            if not _is_limited(panel, label, ends):
                return []
            alpha = None if self.stops is None else panel.band.alpha
            return band_rows(panel, self.size, alpha)

        return self._bands.setdefault((label, ends), self._moments(rows))

    def _has(self, label: int, ends: Sequence[int]) -> bool:
        """Whether a label has these limits in some panel."""
        return any(_is_limited(panel, label, ends) for panel in self.panels)

    def _labels(self) -> dict[int, Limits]:
        """Labels that have limits in some panel."""
        return {each.label: each for panel in self.panels for each in panel.limits}

    def _x(self, field: str) -> alt.X:
        title = self.panels[0].across
        return alt.X(f"{field}:Q", scale=_unit(), axis=_axis(title))

    def _y(self, field: str) -> alt.Y:
        title = self.panels[0].up
        return alt.Y(f"{field}:Q", scale=_unit(), axis=_axis(title))

    def _keyed(self, chart: alt.Chart, name: str) -> alt.Chart:
        """Line with the colour and the dashes of its entry in the legend."""
        keyed: alt.Chart = chart.transform_calculate(line=json.dumps(name)).encode(**self.key)
        return keyed

    def _hatch(self) -> list[Layer]:
        """Hatch of the whole square where there are no limits, and of bands that lack one."""
        rules = []
        if any(panel.hatched for panel in self.panels):
            hatch = self._moments(lambda panel: hatch_rows(self.size) if panel.hatched else [])
            rules.append(hatch.mark_rule(color=self.colours.hairline))
        for k, limits in self._labels().items():
            if all(all(each.sides) for p in self.panels for each in p.limits if each.label == k):
                continue
            hatch = self._moments(
                lambda panel, k=k: missing_rows(panel, k, self.size)  # type: ignore[misc]
            )
            rules.append(hatch.mark_rule(color=limits.fill, opacity=0.38))
        return [rule.encode(x=self._x("x"), y=self._y("y"), x2="x2:Q", y2="y2:Q") for rule in rules]

    def _areas(self) -> list[Layer]:
        layers: list[Layer] = []
        for k, limits in self._labels().items():
            if not self._has(k, (0, 1)):
                continue
            low, high = (f"{RATES[k]}_{end}" for end in ENDS)
            # In the order of the vertices: Vega would sort a horizontal area from the top down.
            area = self._band(k, (0, 1)).mark_area(
                interpolate="step-after",
                order=False,
                orient="vertical" if k else "horizontal",
                color=limits.fill,
                fillOpacity=self.colours.fill,
            )
            layers.append(
                area.encode(x=self._x("fpr"), y=self._y(low), y2=f"{high}:Q")
                if k
                else area.encode(x=self._x(low), x2=f"{high}:Q", y=self._y("tpr"))
            )
        return layers

    def _chance(self) -> Layer:
        line = drawn([{"x": 0, "y": 0}, {"x": 1, "y": 1}]).mark_line(strokeWidth=1)
        return self._keyed(line.encode(x=self._x("x"), y=self._y("y")), CHANCE)

    def _edges(self) -> list[Layer]:
        layers: list[Layer] = []
        for k, limits in self._labels().items():
            for end, edge in enumerate(f"{RATES[k]}_{name}" for name in ENDS):
                if not self._has(k, (end,)):
                    continue
                step = self._band(k, (end,)).mark_line(
                    strokeWidth=limits.key.pen.width, interpolate="step-after"
                )
                line = step.encode(x=self._x("fpr" if k else edge), y=self._y(edge if k else "tpr"))
                layers.append(self._keyed(line, limits.key.text))
        return layers

    def _comparators(self) -> list[Layer]:
        layers: list[Layer] = []
        fills = {e.key: e.fill for p in self.panels for e in p.comparators}
        for (text, pen), fill in fills.items():
            if fill:
                area = self._moments(
                    lambda panel, text=text: edge_rows(panel, text)  # type: ignore[misc]
                ).mark_area(color=fill, opacity=self.colours.fill, line=False)
                layers.append(area.encode(x=self._x("x"), y=self._y("lower"), y2=alt.Y2("upper:Q")))
            line = self._moments(
                lambda panel, text=text: edge_rows(panel, text)  # type: ignore[misc]
            ).mark_line(strokeWidth=pen.width)
            layers += [
                self._keyed(line.encode(x=self._x("x"), y=self._y(end)), text) for end in ENDS
            ]
        return layers

    def _curve(self) -> Layer:
        """Observed curve, which is the same at every alpha."""
        panel = self.panels[0]
        rows = band_rows(panel if self.stops is None else panel._replace(limits=()), self.size)
        line = drawn(rows).mark_line(strokeWidth=panel.curve.pen.width, strokeJoin="round")
        return self._keyed(line.encode(x=self._x("fpr"), y=self._y("tpr")), panel.curve.text)

    def _same_cost(self) -> list[Layer]:
        """Line on which the expected cost is that of the operating point, at every alpha."""
        if (same := self.panels[0].same_cost) is None:
            return []
        line = drawn(line_rows(same.fpr, same.tpr)).encode(x=self._x("x"), y=self._y("y"))
        return [self._keyed(line.mark_line(strokeWidth=same.key.pen.width), same.key.text)]

    def _least_cost(self) -> list[Layer]:
        if (same := self.panels[0].same_cost) is None:
            return []
        point, fill = drawn([dict(zip("xy", same.least, strict=True))]), self.colours.background
        ink = self.colours.ink
        diamond = point.mark_point(shape="diamond", size=120, fill=fill, stroke=ink, opacity=1)
        return [diamond.encode(x=self._x("x"), y=self._y("y"))]

    def _corner(self) -> list[Layer]:
        """Texts at the lower right; a text may differ from alpha to alpha."""
        layers: list[Layer] = []
        notes = [note for panel in self.panels for note in panel.corner]
        for place in dict.fromkeys(note._replace(text="") for note in notes):
            words = self._moments(
                lambda panel, place=place: [  # type: ignore[misc]
                    {"text": safe_text(note.text)}
                    for note in panel.corner
                    if note._replace(text="") == place
                ]
            )
            colour = self.colours.ink
            layers += [
                words.mark_text(
                    align="right",
                    baseline="middle",
                    fontSize=13 if place.bold else 12,
                    fontWeight=600 if place.bold else "normal",
                    **halo_of(halo, self.colours, colour),
                ).encode(
                    x=alt.value(self.size - 8),
                    y=alt.value(self.size - place.rise),
                    text="text:N",
                )
                for halo in (True, False)
            ]
        return layers

    def _arc(self) -> list[Layer]:
        """Where an ideal recalibration stands on the curve, with a ring at either end."""
        if (arc := self.panels[0].arc) is None:
            return []
        rows = arc_rows(arc)
        x, y = self._x("x"), self._y("y")
        line = drawn(rows).mark_line(strokeWidth=arc.pen.width, strokeJoin="round", order=False)
        rings = drawn([rows[0], rows[-1]]).mark_point(
            fill=self.colours.background, stroke=arc.pen.colour, strokeWidth=2, size=60, opacity=1
        )
        return [self._keyed(line.encode(x=x, y=y), arc.text), rings.encode(x=x, y=y)]

    def _mark(self) -> list[Layer]:
        mark = self.panels[0].mark
        if mark is None:
            return []
        layers = [layer for k in (0, 1) for layer in self._arm(k)]
        base = self._moments(mark_rows)
        titles = {"threshold:N": "Threshold λ", **_RATE_TITLES[1], **_RATE_TITLES[0]}
        layers.append(
            base.mark_point(
                size=180,
                filled=True,
                fill=self.colours.ink,
                stroke=self.colours.background,
                opacity=1,
            ).encode(x=self._x("fpr"), y=self._y("tpr"), tooltip=tooltips(titles))
        )
        layers += [
            base.mark_text(
                align="right" if mark.left else "left",
                dx=-12 if mark.left else 12,
                dy=-16 if mark.above else 16,
                fontWeight=600,
                fontSize=13,
                **halo_of(halo, self.colours, self.colours.ink),
            ).encode(x=self._x("fpr"), y=self._y("tpr"), text=alt.value(mark.text))
            for halo in (True, False)
        ]
        return layers

    def _arm(self, label: int) -> list[Layer]:
        """Error bar of a rate, with a cap at each of its limits."""
        arms = [panel.mark.arms[label] for panel in self.panels if panel.mark is not None]
        layers: list[Layer] = []
        for pen in dict.fromkeys(bar.pen for arm in arms for bar in arm.bars):
            bars = self._moments(
                lambda panel, pen=pen: bar_rows(panel, label, pen)  # type: ignore[misc]
            ).mark_rule(strokeWidth=pen.width, color=pen.colour, strokeDash=dashes_of(pen))
            layers.append(
                bars.encode(x=self._x("fpr"), y=self._y("lower"), y2="upper:Q")
                if label
                else bars.encode(x=self._x("lower"), x2="upper:Q", y=self._y("tpr"))
            )
        if not any(arm.caps for arm in arms):
            return layers
        pen = arms[0].pen
        caps = self._moments(lambda panel: cap_rows(panel, label)).mark_point(
            shape="stroke",
            size=100,
            strokeWidth=pen.width,
            angle=0 if label else 90,
            color=pen.colour,
            opacity=1,
        )
        layers.append(
            caps.encode(x=self._x("fpr" if label else "end"), y=self._y("end" if label else "tpr"))
        )
        return layers

    def _hover(self) -> Layer:
        """Invisible points on the curve whose tooltips tell their numbers."""
        panel = self.panels[0]
        rows = band_rows(panel, self.size)
        some = np.unique(np.linspace(0, len(rows) - 1, min(HOVERED, len(rows))).astype(int))
        titles = {"fpr:Q": "False positive rate", "tpr:Q": "True positive rate"}
        for limits in panel.limits:
            titles |= _RATE_TITLES[limits.label]
        rows = [rows[i] for i in some]
        band = panel.band
        if not np.isnan(band.thresholds).any():
            titles = {"threshold:N": "Threshold λ"} | titles
            thresholds = band.thresholds[screen_vertices(band.fpr, band.tpr)][some]
            rows = [
                {"threshold": threshold_text(threshold)} | row
                for threshold, row in zip(thresholds, rows, strict=True)
            ]
        circles = drawn(rows).mark_circle(size=120, opacity=0)
        hover: alt.Chart = circles.encode(
            x=self._x("fpr"), y=self._y("tpr"), tooltip=tooltips(titles)
        )
        return hover


def _is_limited(panel: Panel, label: int, ends: Sequence[int]) -> bool:
    sides = [each.sides for each in panel.limits if each.label == label]
    return bool(sides) and all(sides[0][end] for end in ends)


def _unit() -> alt.Scale:
    return alt.Scale(domain=[0, 1], nice=False)


def _axis(title: str) -> alt.Axis:
    return alt.Axis(title=safe_text(title) if title else None, values=list(TICKS), format=".1~f")
