"""What the widget shows, as an Altair chart with a slider of its own."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import altair as alt
import numpy as np

from conformal_roc_widget.charts.roc import (
    CHANCE,
    CURVE,
    RATES,
    TICKS,
    roc,
    roc_grid,
)
from conformal_roc_widget.charts.style import Row, drawn, layered, lettering, styled, title_of
from conformal_roc_widget.evaluation.band import screen_vertices
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.text import chart_text, number_text, percent, range_text, threshold_text
from conformal_roc_widget.view.comparator_state import Overlaid, Overlay
from conformal_roc_widget.view.evaluation_group import Group, Setting
from conformal_roc_widget.view.sentences import NOUNS, comparisons
from conformal_roc_widget.view.theme import (
    COMPARATOR_DASHES,
    EDGE_DASHES,
    THEMES,
    Theme,
    band_labels,
)

#: Side of the plot in pixels.
SIZE = 408
#: Bytes of data up to which a chart gets a slider.
MOST = 300_000
#: Name of the slider, and its value within the chart's filters.
SLIDER = "alpha"
#: Rates are drawn to a tenth of a pixel on 1000 pixels.
DIGITS = 4


#: Points of a comparator's limits.
POINTS = 51


def screen(
    group: Group, setting: Setting, lay_over: Callable[[list[float]], Overlaid]
) -> alt.TopLevelMixin:
    """What the widget shows.

    Parameters
    ----------
    group : Group
        What is shown.
    setting : Setting
        Where the controls stand.
    lay_over : callable
        Gives the comparators at some alphas.

    Returns
    -------
    altair chart
        Of one evaluation with the comparators and a slider for alpha over about 20 values, as long
        as its band stays below `MOST` bytes; larger ones, averages and several classifiers without.
    """
    evaluation = group.looked_at(setting.label)
    if evaluation is not None:
        name = None if group.kind == "single" else chart_text(group.name(setting.label), 40)
        stops = _stops(setting.alpha)
        rows = _bands(evaluation, stops, band_labels(setting.band))
        if len(json.dumps(rows)) <= MOST:
            return _with_slider(evaluation, setting, stops, rows, name, lay_over(stops))
        return roc(
            evaluation,
            setting.alpha,
            band=setting.band,
            threshold=setting.threshold,
            title=name,
            size=SIZE,
        )
    bands = {name: band for name, (_, band) in group.bands(setting).items()}
    if group.kind == "classes":
        return roc(bands["average"], band="sensitivity", size=SIZE)
    return roc_grid(
        {
            (chart_text(group.name(label), 40), "observed"): each
            for label, each in group.entries.items()
        },
        setting.alpha,
        band=setting.band,
    )


def _stops(alpha: float) -> list[float]:
    """About 20 values that lie evenly, this one among them."""
    step = 0.01 if alpha <= 0.2 else 0.025
    first = alpha - step * math.floor(alpha / step)
    first = round(first, 10)
    if first < 0.001:
        first = step if math.isclose(first, 0, abs_tol=1e-9) else round(first + step, 10)
    return [value for i in range(20) if (value := round(first + i * step, 10)) <= 0.5]


def _bands(evaluation: RocEvaluation, stops: list[float], labels: tuple[int, ...]) -> list[Row]:
    """Limits at every stop; ``x`` is the rate that they stand over."""
    vertices = evaluation.display_vertices
    fpr, tpr = (
        counts / n
        for counts, n in zip((vertices.fp, vertices.tp), evaluation.n_test.values(), strict=True)
    )
    kept = screen_vertices(fpr, tpr, 0.5 / SIZE)
    rows = []
    for alpha in stops:
        band = evaluation.band(alpha, vertices.thresholds[kept])
        for k in labels:
            over, low, high = (
                values.round(DIGITS).tolist()
                for values in (
                    getattr(band, RATES[1 - k]),
                    getattr(band, f"{RATES[k]}_lower"),
                    getattr(band, f"{RATES[k]}_upper"),
                )
            )
            rows += [
                {"a": alpha, "k": k, "x": x, "l": lower, "u": upper}
                for x, lower, upper in zip(over, low, high, strict=True)
            ]
    return rows


def _limits(item: Overlay) -> list[Row]:
    """A comparator's limits at every stop."""
    rows = []
    for band in item.stops or ():
        step = -(-band.fpr.size // POINTS)
        kept = np.unique([*range(0, band.fpr.size, step), band.fpr.size - 1])
        columns = (
            values[kept].round(DIGITS).tolist()
            for values in (band.fpr, band.tpr_lower, band.tpr_upper)
        )
        rows += [
            {"a": band.alpha, "x": x, "l": lower, "u": upper}
            for x, lower, upper in zip(*columns, strict=True)
        ]
    return rows


def _with_slider(
    evaluation: RocEvaluation,
    setting: Setting,
    stops: list[float],
    rows: list[Row],
    name: str | None,
    overlaid: Overlaid,
) -> alt.LayerChart:
    colours, labels = THEMES["light"], band_labels(setting.band)
    slider = alt.param(
        name=SLIDER,
        value=setting.alpha,
        bind=alt.binding_range(
            min=stops[0], max=stops[-1], step=round(stops[1] - stops[0], 10), name="α "
        ),
    )
    chosen = f"abs(datum.a - {SLIDER}) < 1e-6"
    scale = alt.Scale(domain=[0, 1], nice=False)
    classes = [chart_text(each, 24) for each in evaluation.classes]
    told = set(classes) != {"0", "1"}
    titles = [
        words + (f", class {each}" if told else "")
        for words, each in zip(
            ("False positive rate (1 − specificity)", "True positive rate (sensitivity)"),
            classes,
            strict=True,
        )
    ]

    def x(field: str) -> alt.X:
        axis = alt.Axis(title=titles[0], values=TICKS, format=".1~f")
        return alt.X(f"{field}:Q", scale=scale, axis=axis)

    def y(field: str) -> alt.Y:
        axis = alt.Axis(title=titles[1], values=TICKS, format=".1~f")
        return alt.Y(f"{field}:Q", scale=scale, axis=axis)

    layers: list[Any] = []
    for k in labels:
        band = drawn([row for row in rows if row["k"] == k]).transform_filter(chosen)
        # In the order of the vertices: Vega would sort a horizontal area from the top down.
        area = band.mark_area(
            interpolate="step-after",
            order=False,
            orient="vertical" if k else "horizontal",
            color=colours.labels[k],
            fillOpacity=colours.fill,
        )
        edge = band.mark_line(
            interpolate="step-after",
            strokeWidth=1,
            strokeDash=EDGE_DASHES[k],
            color=colours.labels[k],
        )
        if k:
            layers.append(area.encode(x=x("x"), y=y("l"), y2="u:Q"))
            layers += [edge.encode(x=x("x"), y=y(end)) for end in ("l", "u")]
        else:
            layers.append(area.encode(x=x("l"), x2="u:Q", y=y("x")))
            layers += [edge.encode(x=x(end), y=y("x")) for end in ("l", "u")]
    others = [item for item in overlaid.items if item.stops is not None]
    for item in others:
        line = (
            drawn(_limits(item))
            .transform_filter(chosen)
            .mark_line(
                strokeWidth=1.5,
                strokeDash=COMPARATOR_DASHES[item.look],
                color=colours.comparators[item.look],
            )
        )
        layers += [line.encode(x=x("x"), y=y(end)) for end in ("l", "u")]
    chance = drawn([{"x": 0, "y": 0}, {"x": 1, "y": 1}])
    layers.append(
        chance.mark_line(strokeWidth=1, strokeDash=[2, 4], color=colours.axis).encode(
            x=x("x"), y=y("y")
        )
    )
    vertices, n = evaluation.display_vertices, evaluation.n_test
    curve = drawn(
        [
            {"fpr": fp, "tpr": tp}
            for fp, tp in zip(
                (vertices.fp / n[0]).tolist(), (vertices.tp / n[1]).tolist(), strict=True
            )
        ]
    )
    layers.append(
        curve.mark_line(strokeWidth=2, strokeJoin="round", color=colours.ink).encode(
            x=x("fpr"), y=y("tpr")
        )
    )
    layers += _told(evaluation, setting, stops, chosen, colours, x, y)
    key_lines = [
        (CURVE, colours.ink, [1, 0]),
        *((f"band, {NOUNS[k]}", colours.labels[k], EDGE_DASHES[k]) for k in labels),
        *(
            (
                f"{item.name}, population",
                colours.comparators[item.look],
                COMPARATOR_DASHES[item.look],
            )
            for item in others
        ),
        (CHANCE, colours.axis, [2, 4]),
    ]
    layers += [_legend(key_lines)]
    heading = "ROC curve with conformal band" + "s" * (len(labels) > 1) + " for "
    heading += " and ".join(NOUNS[k] for k in labels)
    promise = evaluation.promise
    lines = [
        f"Target: {promise['target']}",
        f"Scope: {promise['scope']}",
        f"Guarantee: {promise['guarantee'].format(confidence='1 − α')}",
        *comparisons(overlaid),
    ]
    chart: alt.LayerChart = layered(layers, SIZE, SIZE).add_params(slider)
    return styled(
        chart, colours, title_of(heading if name is None else f"{name}: {heading}", lines, SIZE)
    )


def _told(
    evaluation: RocEvaluation,
    setting: Setting,
    stops: list[float],
    chosen: str,
    colours: Theme,
    x: Any,
    y: Any,
) -> list[Any]:
    """Operating point with its arms, and the words that change with alpha."""
    points: list[Row] = []
    for alpha in stops:
        point = evaluation.operating_point(setting.threshold, alpha)
        band = evaluation.band(alpha, thresholds=[])
        free = band.without_limits(0) or band.without_limits(1)
        _, lower, upper = evaluation.display_auc(alpha)
        points.append(
            {
                "a": alpha,
                "fpr": point.fpr,
                "tpr": point.tpr,
                "fpr_lower": point.fpr_lower,
                "fpr_upper": point.fpr_upper,
                "tpr_lower": point.tpr_lower,
                "tpr_upper": point.tpr_upper,
                "level": f"{percent(1 - alpha)} band",
                "range": "ideal model: " + ("no limits" if free else range_text(lower, upper)),
            }
        )
    base = drawn(points).transform_filter(chosen)
    arms: list[Any] = [
        base.mark_rule(strokeWidth=2, color=colours.labels[0], strokeDash=EDGE_DASHES[0]).encode(
            x=x("fpr_lower"), x2="fpr_upper:Q", y=y("tpr")
        ),
        base.mark_rule(strokeWidth=2, color=colours.labels[1]).encode(
            x=x("fpr"), y=y("tpr_lower"), y2="tpr_upper:Q"
        ),
        base.mark_point(
            size=180, filled=True, fill=colours.ink, stroke=colours.background, opacity=1
        ).encode(x=x("fpr"), y=y("tpr")),
    ]
    words: list[Any] = [
        base.mark_text(align="right", baseline="middle", fontSize=12, color=colours.muted).encode(
            x=alt.value(SIZE - 8), y=alt.value(place), text=f"{field}:N"
        )
        for field, place in (("range", SIZE - 10), ("level", SIZE - 44))
    ]
    area = f"AUC {number_text(evaluation.observed_auc)}, λ {threshold_text(setting.threshold)}"
    return [
        *arms,
        *words,
        *lettering(area, SIZE - 8, SIZE - 27, colours, colours.ink, bold=True),
    ]


def _legend(lines: list[tuple[str, str, list[int]]]) -> alt.Chart:
    """Key to the lines (name, colour, dashes), drawn with lines that have no length."""
    names, ink, dashes = (list(column) for column in zip(*lines, strict=True))
    rows: list[Row] = [{"line": name, "x": 0} for name in names]
    legend = alt.Legend(
        title=None,
        orient="bottom",
        direction="horizontal",
        symbolType="stroke",
        symbolSize=500,
        symbolStrokeWidth=1.5,
    )
    key: alt.Chart = (
        drawn(rows)
        .mark_line()
        .encode(
            x=alt.X("x:Q", scale=alt.Scale(domain=[0, 1], nice=False)),
            y=alt.Y("x:Q", scale=alt.Scale(domain=[0, 1], nice=False)),
            color=alt.Color("line:N", scale=alt.Scale(domain=names, range=ink), legend=legend),
            strokeDash=alt.StrokeDash(
                "line:N", scale=alt.Scale(domain=names, range=dashes), legend=legend
            ),
        )
    )
    return key
