"""ROC curves with their conformal bands."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt
import numpy as np

from conformal_roc_widget.arrays import Ints, shortened
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.charts.style import (
    Layer,
    Row,
    drawn,
    halo_of,
    layered,
    lettering,
    styled,
    title_of,
    tooltips,
)
from conformal_roc_widget.evaluation.band import (
    ConformalBand,
    OperatingPoint,
    screen_vertices,
)
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.text import (
    chart_text,
    chart_texts,
    number_text,
    percent,
    range_text,
    threshold_text,
)
from conformal_roc_widget.view.sentences import NOUNS, promises
from conformal_roc_widget.view.theme import EDGE_DASHES, Theme, band_labels, check_size, theme_of

#: Points of a curve that answer to the pointer.
HOVERED = 128

CURVE, CHANCE = "this classifier", "chance"

RATES = ("fpr", "tpr")

TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1]


def roc(
    evaluation: RocEvaluation | ConformalBand,
    alpha: float | None = None,
    *,
    band: str = "sensitivity",
    threshold: float | None = None,
    title: str | None = None,
    size: int = 408,
    theme: str = "light",
) -> alt.LayerChart:
    """ROC curve with its conformal band.

    Parameters
    ----------
    evaluation : RocEvaluation or ConformalBand
        What to show; a band may be an average of `average_bands`.
    alpha : float, optional
        Significance level in (0, 1); by default 0.05, for a ConformalBand its own.
    band : {"sensitivity", "specificity", "both"}
        Vertical band, horizontal band, or both.
    threshold : float, optional
        Threshold of an operating point to mark; only for a RocEvaluation.
    title : str, optional
        Instead of the title that names the level and the rate.
    size : int
        Side of the square plot in pixels, at least 100.
    theme : {"light", "dark"}
        Colours.

    Returns
    -------
    altair.LayerChart
        Observed curve as a polyline, edges as step lines; points closer than half a pixel on
        1000 pixels are left out. Target, scope and guarantee stand in the subtitle.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    colours = theme_of(theme)
    labels = band_labels(band)
    check_size(size)
    shown = _Shown.of(evaluation, alpha, band, "evaluation")
    lines = promises([("", shown.band)])
    point = None
    if threshold is not None:
        if not isinstance(evaluation, RocEvaluation):
            raise ValueError(
                "threshold: an operating point takes the test points; found a ConformalBand as "
                "evaluation, expected a RocEvaluation"
            )
        point = evaluation.operating_point(threshold, shown.band.alpha)
        lines.append(_sentence(point, shown.band))
    lines += [reason for k in labels if (reason := shown.band.vacuous[k]) is not None]
    lines += shown.band.notes
    plural = "s" if len(labels) > 1 else ""
    heading = (
        f"ROC curve with {percent(1 - shown.band.alpha)} conformal band{plural} for "
        + " and ".join(NOUNS[k] for k in labels)
        if title is None
        else chart_text(title, 120)
    )
    chart = _roc_layers(
        shown,
        labels,
        _key([shown], labels, colours, 3 if len(labels) == 1 else 2),
        colours,
        size,
        point,
    )
    return styled(chart, colours, title_of(heading, lines, size + 48))


def roc_grid(
    evaluations: Mapping[tuple[str, str], RocEvaluation | ConformalBand],
    alpha: float | None = None,
    *,
    band: str = "sensitivity",
    title: str | None = None,
    size: int = 240,
    theme: str = "light",
) -> alt.ConcatChart:
    """ROC curves with their bands side by side, as the paper shows its studies.

    Parameters
    ----------
    evaluations : mapping of (str, str) to RocEvaluation or ConformalBand
        (Column, row) -> what to show, as `simulation.evaluations` returns it: models are columns,
        the iid and the shifted test set are rows. Every row has all columns.
    alpha : float, optional
        Significance level in (0, 1); by default 0.05, for a ConformalBand its own.
    band : {"sensitivity", "specificity", "both"}
        Vertical band, horizontal band, or both.
    title : str, optional
        Instead of the title that names the level and the rate.
    size : int
        Side of each square plot in pixels, at least 100.
    theme : {"light", "dark"}
        Colours.

    Returns
    -------
    altair.ConcatChart
        One plot a cell, with one legend. What holds for all is said once in the subtitle.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    colours = theme_of(theme)
    labels = band_labels(band)
    check_size(size)
    _check_cells(evaluations)
    columns = chart_texts(column for column, _ in evaluations)
    rows = chart_texts(row for _, row in evaluations)
    shown = {
        cell: _Shown.of(evaluations[cell], alpha, band, f"evaluations[{cell!r:.60}]")
        for cell in ((column, row) for row in rows for column in columns)
    }
    levels = {each.band.alpha for each in shown.values()}
    if len(levels) > 1:
        raise ValueError(
            f"evaluations: found bands of several alpha, {shortened(sorted(levels))}, expected one"
        )
    key = _key(list(shown.values()), labels, colours, 4 if len(columns) > 1 else 2)
    panels = []
    for number, ((column, row), each) in enumerate(shown.items()):
        outer = (number >= len(shown) - len(columns), number % len(columns) == 0)
        chart = _roc_layers(each, labels, key, colours, size, axis_titles=outer)
        name = f"{columns[column]}, {rows[row]}"
        panels.append(chart.properties(title=title_of(name, [], size, small=True)))
    lines = promises([(rows[row], each.band) for (_, row), each in shown.items()])
    vacuous: dict[str, list[str]] = {}
    for (column, row), each in shown.items():
        for k in labels:
            if (reason := each.band.vacuous[k]) is not None:
                vacuous.setdefault(reason, []).append(f"{columns[column]}, {rows[row]}")
    lines += [f"{'; '.join(names)}: {reason}" for reason, names in vacuous.items()]
    heading = (
        f"ROC curves with {percent(1 - levels.pop())} conformal bands for "
        + " and ".join(NOUNS[k] for k in labels)
        if title is None
        else chart_text(title, 120)
    )
    figure = alt.concat(*panels, columns=len(columns), spacing=24)
    return styled(figure, colours, title_of(heading, lines, len(columns) * (size + 40)))


class _Shown(NamedTuple):
    """A band at the points to draw, with what only an evaluation knows."""

    band: ConformalBand
    classes: tuple[str, str] | None
    areas: tuple[str, str] | None

    @classmethod
    def of(cls, item: Any, alpha: float | None, which: str, name: str) -> _Shown:
        if isinstance(item, RocEvaluation):
            level = 0.05 if alpha is None else alpha
            band = item.band(level, item.display_vertices.thresholds)
            names = tuple(chart_text(each, 24) for each in item.classes)
            auc, lower, upper = item.display_auc(level)
            ideal = (
                "ideal model: no limits"
                if any(band.without_limits(k) for k in (0, 1))
                else f"ideal model {range_text(lower, upper)}"
            )
            return cls(
                band,
                None if set(names) == {"0", "1"} else (names[0], names[1]),
                (f"AUC {number_text(auc)}", ideal),
            )
        if not isinstance(item, ConformalBand):
            raise TypeError(
                f"{name}: found {type(item).__name__}, expected a RocEvaluation or a ConformalBand"
            )
        if alpha is not None and exact_alpha(alpha) != exact_alpha(item.alpha):
            raise ValueError(
                f"alpha: found {alpha!r}, but {name} is a band made for alpha = {item.alpha:g}"
            )
        if which != "sensitivity" and item.thresholds.size and np.isnan(item.thresholds).all():
            raise ValueError(
                f"band: found {which!r}, but {name} is an average at fixed FPR, which has a band "
                "for 'sensitivity' alone"
            )
        return cls(item, None, None)

    def kept(self) -> Ints:
        """Vertices to draw: all of an evaluation's display, of a long band those that show."""
        fpr, tpr = self.band.fpr, self.band.tpr
        if self.areas is not None or not fpr.size:
            return np.arange(fpr.size)
        return screen_vertices(fpr, tpr)


def _roc_layers(
    shown: _Shown,
    labels: tuple[int, ...],
    key: dict[str, Any],
    colours: Theme,
    size: int,
    point: OperatingPoint | None = None,
    axis_titles: tuple[bool, bool] = (True, True),
) -> alt.LayerChart:
    """One square plot, without title and configuration."""
    band = shown.band
    kept = shown.kept()
    names = ["fpr", "tpr"]
    names += [name for k in labels for name in (f"{RATES[k]}_lower", f"{RATES[k]}_upper")]
    values = {name: getattr(band, name)[kept].tolist() for name in names}
    # Lines and areas are sorted by a rate, with ties left as they are. No rate ever falls along the
    # vertices, so this keeps their order.
    curve = drawn([{name: values[name][i] for name in names} for i in range(kept.size)])
    across, up = (
        title + ("" if shown.classes is None else f", class {name}")
        for title, name in zip(
            ("False positive rate (1 − specificity)", "True positive rate (sensitivity)"),
            shown.classes or ("", ""),
            strict=True,
        )
    )
    x_axis = alt.Axis(title=across if axis_titles[0] else None, values=TICKS, format=".1~f")
    y_axis = alt.Axis(title=up if axis_titles[1] else None, values=TICKS, format=".1~f")

    def x(name: str) -> alt.X:
        return alt.X(f"{name}:Q", scale=alt.Scale(domain=[0, 1], nice=False), axis=x_axis)

    def y(name: str) -> alt.Y:
        return alt.Y(f"{name}:Q", scale=alt.Scale(domain=[0, 1], nice=False), axis=y_axis)

    def drawn_as(chart: alt.Chart, name: str) -> alt.Chart:
        named: alt.Chart = chart.transform_calculate(line=json.dumps(name)).encode(**key)
        return named

    layers: list[Layer] = []
    without = [k for k in labels if band.without_limits(k)]
    with_limits = [k for k in labels if k not in without]
    if without:
        hatch = drawn(_hatch(size)).mark_rule(color=colours.hairline)
        layers.append(hatch.encode(x=x("x"), y=y("y"), x2="x2:Q", y2="y2:Q"))
    for k in with_limits:
        low, high = f"{RATES[k]}_lower", f"{RATES[k]}_upper"
        # In the order of the vertices: Vega would sort a horizontal area from the top down.
        area = curve.mark_area(
            interpolate="step-after",
            order=False,
            orient="vertical" if k else "horizontal",
            color=colours.labels[k],
            fillOpacity=colours.fill,
        )
        layers.append(
            area.encode(x=x("fpr"), y=y(low), y2=f"{high}:Q")
            if k
            else area.encode(x=x(low), x2=f"{high}:Q", y=y("tpr"))
        )
    chance = drawn([{"x": 0, "y": 0}, {"x": 1, "y": 1}]).mark_line(strokeWidth=1)
    layers.append(drawn_as(chance.encode(x=x("x"), y=y("y")), CHANCE))
    for k in with_limits:
        step = curve.mark_line(strokeWidth=1, interpolate="step-after")
        layers += [
            drawn_as(
                step.encode(x=x("fpr" if k else edge), y=y(edge if k else "tpr")),
                _band_name(band, k),
            )
            for edge in (f"{RATES[k]}_lower", f"{RATES[k]}_upper")
        ]
    observed = curve.mark_line(strokeWidth=2, strokeJoin="round")
    layers.append(drawn_as(observed.encode(x=x("fpr"), y=y("tpr")), CURVE))
    if shown.areas is not None:
        layers += lettering(shown.areas[0], size - 8, size - 26, colours, colours.ink, bold=True)
        layers += lettering(shown.areas[1], size - 8, size - 10, colours, colours.muted)
    for line, k in enumerate(without):
        text = f"{NOUNS[k]}: no limits, hatched, 0 to 1 everywhere"
        layers += lettering(text, size - 8, size - 48 - 18 * line, colours, colours.ink)
    if point is not None:
        layers += _point_layers(point, band, x, y, colours)
    layers.append(_hover(band, kept, labels, x, y))
    return layered(layers, size, size)


def _band_name(band: ConformalBand, label: int) -> str:
    return f"{percent(1 - band.alpha)} band, {NOUNS[label]}"


def _key(
    shown: Sequence[_Shown], labels: tuple[int, ...], colours: Theme, columns: int
) -> dict[str, Any]:
    """Scales and legend that all layers and panels of a figure share."""
    drawn = [k for k in labels if not all(each.band.without_limits(k) for each in shown)]
    names = [CURVE, *(_band_name(shown[0].band, k) for k in drawn), CHANCE]
    legend = alt.Legend(
        title=None,
        orient="bottom",
        direction="horizontal",
        columns=columns,
        symbolType="stroke",
        symbolSize=500,
        symbolStrokeWidth=1.5,
    )
    ink = [colours.ink, *(colours.labels[k] for k in drawn), colours.axis]
    dashes = [[1, 0], *(EDGE_DASHES[k] for k in drawn), [2, 4]]
    return {
        "color": alt.Color("line:N", scale=alt.Scale(domain=names, range=ink), legend=legend),
        "strokeDash": alt.StrokeDash(
            "line:N", scale=alt.Scale(domain=names, range=dashes), legend=legend
        ),
    }


def _hatch(size: int) -> list[Row]:
    """Segments against the chance line, eight pixels apart."""
    step = 8 * math.sqrt(2) / size
    sums = np.arange(step, 2, step).tolist()
    return [
        {"x": max(0.0, c - 1), "y": min(1.0, c), "x2": min(1.0, c), "y2": max(0.0, c - 1)}
        for c in sums
    ]


def _point_layers(
    point: OperatingPoint, band: ConformalBand, x: Any, y: Any, colours: Theme
) -> list[Layer]:
    """Operating point with an arm for each rate; an arm without limits is dotted and has no end."""
    row = {
        "threshold": threshold_text(point.threshold),
        **{name: getattr(point, name) for name in ("tpr", "tpr_lower", "tpr_upper")},
        **{name: getattr(point, name) for name in ("fpr", "fpr_lower", "fpr_upper")},
    }
    base = drawn([row])
    layers: list[Layer] = []
    for k in (0, 1):
        low, high = f"{RATES[k]}_lower", f"{RATES[k]}_upper"
        free = band.without_limits(k)
        arm = base.mark_rule(
            strokeWidth=2,
            color=colours.ink if free else colours.labels[k],
            strokeDash=[2, 3] if free else EDGE_DASHES[k],
        )
        if k:
            layers.append(arm.encode(x=x("fpr"), y=y(low), y2=f"{high}:Q"))
        else:
            layers.append(arm.encode(x=x(low), x2=f"{high}:Q", y=y("tpr")))
        cap = base.mark_point(
            shape="stroke",
            size=100,
            strokeWidth=2,
            angle=0 if k else 90,
            color=colours.labels[k],
            opacity=1,
        )
        if not free:
            layers += [
                cap.encode(x=x("fpr" if k else end), y=y(end if k else "tpr"))
                for end in (low, high)
            ]
    layers.append(
        base.mark_point(
            size=180, filled=True, fill=colours.ink, stroke=colours.background, opacity=1
        ).encode(
            x=x("fpr"),
            y=y("tpr"),
            tooltip=tooltips({"threshold:N": "Threshold λ", **_RATE_TITLES[1], **_RATE_TITLES[0]}),
        )
    )
    left = point.fpr > 0.8
    for halo in (True, False):
        layers.append(
            base.mark_text(
                align="right" if left else "left",
                dx=-12 if left else 12,
                dy=16 if point.tpr > 0.1 else -16,
                fontWeight=600,
                fontSize=13,
                **halo_of(halo, colours, colours.ink),
            ).encode(x=x("fpr"), y=y("tpr"), text=alt.value(f"λ {threshold_text(point.threshold)}"))
        )
    return layers


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


def _hover(band: ConformalBand, kept: Ints, labels: tuple[int, ...], x: Any, y: Any) -> Layer:
    """Invisible points on the curve that tell their numbers."""
    some = kept[np.unique(np.linspace(0, kept.size - 1, min(HOVERED, kept.size)).astype(int))]
    titles = {"fpr:Q": "False positive rate", "tpr:Q": "True positive rate"}
    titles |= {key: value for k in labels for key, value in _RATE_TITLES[k].items()}
    names = [name.partition(":")[0] for name in titles]
    rows: list[Row] = [{name: float(getattr(band, name)[i]) for name in names} for i in some]
    if not np.isnan(band.thresholds).any():
        titles = {"threshold:N": "Threshold λ"} | titles
        for row, i in zip(rows, some, strict=True):
            row["threshold"] = threshold_text(band.thresholds[i])
    circles = drawn(rows).mark_circle(size=120, opacity=0)
    told: alt.Chart = circles.encode(x=x("fpr"), y=y("tpr"), tooltip=tooltips(titles))
    return told


def _sentence(point: OperatingPoint, band: ConformalBand) -> str:
    rates = (
        (point.tpr, point.tpr_lower, point.tpr_upper),
        (1 - point.fpr, 1 - point.fpr_upper, 1 - point.fpr_lower),
    )
    said = [
        f"{NOUNS[k]} is {number_text(rate)} ("
        + (
            "ideal model: no limits)"
            if band.without_limits(k)
            else f"ideal model {range_text(low, up)})"
        )
        for k, (rate, low, up) in zip((1, 0), rates, strict=True)
    ]
    return f"At threshold {threshold_text(point.threshold)}, {said[0]}; {said[1]}."


def _check_cells(evaluations: Any) -> None:
    if not isinstance(evaluations, Mapping) or not all(
        isinstance(cell, tuple) and len(cell) == 2 for cell in evaluations
    ):
        raise TypeError(
            "evaluations: expected a mapping of (column, row) to a RocEvaluation or a ConformalBand"
        )
    if not evaluations:
        raise ValueError("evaluations: found none, expected at least one")
    columns, rows = ({cell[i]: None for cell in evaluations} for i in (0, 1))
    absent = [(c, r) for c in columns for r in rows if (c, r) not in evaluations]
    if absent:
        raise ValueError(f"evaluations: lacks {shortened(absent)}, expected every row in full")
