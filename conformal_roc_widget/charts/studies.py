"""Draws the coverage and length of intervals in a simulation study, from `simulation.run`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt
import numpy as np
import pandas as pd

from conformal_roc_widget.arrays import shortened
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import check_text
from conformal_roc_widget.choices import CoverageName, LengthName, ThemeName
from conformal_roc_widget.draw.style import Row, drawn, heading_of, layered, styled, title_of
from conformal_roc_widget.shown.theme import Theme, theme_of
from conformal_roc_widget.text import chart_text, chart_texts

# The shapes of the models' points. A model also has dashes and one of six colours. The first thirty
# models differ in at least one of the three.
SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right"]

DASHES = [[1, 0], [6, 3], [2, 2], [9, 3, 2, 3], [12, 3]]

#: Width and height of a panel in pixels.
PANEL = (155, 140)


class _Measure(NamedTuple):
    """A measure of a simulation table: its column, its name, and the title of its axis.

    If `nominal` is set, the measure should be ``1 - alpha``.
    """

    column: str
    name: str
    axis: str
    nominal: bool


COVERAGES = {
    "pi": _Measure("coverage_pi", "coverage of π", "Coverage of π (share)", True),
    "p": _Measure("coverage_p", "coverage of pₙ", "Coverage of pₙ (share)", True),
    "band": _Measure(
        "coverage_band",
        "coverage of the band at a random threshold",
        "Band’s coverage (share)",
        True,
    ),
}

LENGTHS = {
    "interval": _Measure(
        "length", "mean length of the intervals", "Mean length (probability)", False
    ),
    "band": _Measure("width_band", "mean width of the band", "Mean width (rate)", False),
}


def coverage(
    table: pd.DataFrame,
    alpha: float | None = None,
    *,
    of: Sequence[CoverageName] = ("pi", "p"),
    value_title: str | None = None,
    title: str | None = None,
    theme: ThemeName = "light",
) -> alt.ConcatChart:
    """Draws the coverage by model over the varying value of a simulation study.

    Parameters
    ----------
    table : pandas.DataFrame
        Result of `simulation.run`, with one row for each ``model``, ``value``, ``test`` and
        ``label``.
    alpha : float, optional
        Significance level in (0, 1). A line is drawn at the nominal coverage ``1 - alpha``. By
        default it is ``table.attrs["alpha"]``. If that is missing too, there is no line.
    of : sequence of {"pi", "p", "band"}
        The rows of panels. They show the columns ``coverage_pi``, ``coverage_p`` and
        ``coverage_band``, each with its column ``*_se``.
    value_title : str, optional
        Name of the value that varies, with its unit. By default ``table.attrs["value"]``.
    title : str, optional
        Title of the chart. By default it names what is shown.
    theme : {"light", "dark"}
        Colours.

    Returns
    -------
    altair.ConcatChart
        One column of panels for each test set and label. Error bars are two standard errors long on
        each side.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above, or the table lacks a column, has no row, or has two
        rows for the same model, value, test set and label.
    """
    measures = _chosen(of, COVERAGES)
    return _panels(table, alpha, measures, value_title, title, theme)


def length(
    table: pd.DataFrame,
    *,
    of: Sequence[LengthName] = ("interval",),
    value_title: str | None = None,
    title: str | None = None,
    theme: ThemeName = "light",
) -> alt.ConcatChart:
    """Draws the mean length of intervals by model over the varying value of a simulation study.

    Parameters
    ----------
    table : pandas.DataFrame
        As for `coverage`.
    of : sequence of {"interval", "band"}
        The rows of panels. They show the columns ``length`` and ``width_band``, each with its
        column ``*_se``.
    value_title, title, theme
        As for `coverage`.

    Returns
    -------
    altair.ConcatChart
        One column of panels for each test set and label. Error bars are two standard errors long on
        each side.

    Raises
    ------
    TypeError, ValueError
        As `coverage`.
    """
    measures = _chosen(of, LENGTHS)
    return _panels(table, None, measures, value_title, title, theme)


def study(
    table: pd.DataFrame,
    alpha: float | None = None,
    *,
    value_title: str | None = None,
    title: str | None = None,
    theme: ThemeName = "light",
) -> alt.ConcatChart:
    """Draws coverage of pi, coverage of p_n and mean length, as the paper shows a study.

    Parameters
    ----------
    table, alpha, value_title, title, theme
        As for `coverage`.

    Returns
    -------
    altair.ConcatChart
        Panels, with a row for each of the three measures, and a column for each test set and label.

    Raises
    ------
    TypeError, ValueError
        As `coverage`.
    """
    measures = [COVERAGES["pi"], COVERAGES["p"], LENGTHS["interval"]]
    title = "Coverage and length of the intervals" if title is None else title
    return _panels(table, alpha, measures, value_title, title, theme)


def _panels(
    table: pd.DataFrame,
    alpha: float | None,
    measures: Sequence[_Measure],
    value_title: str | None,
    title: str | None,
    theme: ThemeName,
) -> alt.ConcatChart:
    """Returns the chart: a row for each measure, and a column for each test set and label."""
    colours = theme_of(theme)
    _check_table(table, measures)
    level = table.attrs.get("alpha") if alpha is None else alpha
    nominal = None if level is None else float(1 - exact_alpha(level))
    if value_title is not None:
        check_text(value_title, "value_title")
    varied = chart_text(
        table.attrs.get("value", "value") if value_title is None else value_title, 60
    )
    models = chart_texts(table["model"])
    tests = chart_texts(sorted(table["test"].unique(), key=lambda test: test != "iid"))
    columns = [
        (test, label)
        for test in tests
        for label in sorted(
            table.loc[table["test"] == test, "label"].unique(), key=str, reverse=True
        )
    ]
    key = _model_key(list(models.values()), colours)
    panels = []
    for number, measure in enumerate(measures):
        for column, (test, label) in enumerate(columns):
            of_test = table[table["test"] == test]
            rule = nominal if measure.nominal else None
            is_first = column == 0 or columns[column - 1][0] != test
            y = _up(_domain(of_test, measure, rule), None if column else measure.axis, is_first)
            x = _across(varied if number == len(measures) - 1 else None)
            rows = _estimates(of_test[of_test["label"] == label], measure, models)
            panel = _panel(rows, rule, x, y, key, colours)
            if number == 0:
                name = f"{tests[test]}, label {chart_text(label, 12)}"
                panel = panel.properties(title=title_of(name, [], PANEL[0], small=True))
            panels.append(panel)
    named = " and ".join(measure.name for measure in measures)
    heading = heading_of(title, named[0].upper() + named[1:])
    lines = [f"Bars: ± 2 Monte-Carlo standard errors{_replicates(table)}, within 0 and 1."]
    if nominal is not None and any(measure.nominal for measure in measures):
        lines.append(f"Dotted rule: the nominal level 1 − α = {nominal:g}.")
    if len(tests) > 1:
        lines.append("Vertical axes differ by test set.")
    figure = alt.concat(*panels, columns=len(columns), spacing=16)
    return styled(figure, colours, title_of(heading, [" ".join(lines)], 160 + 200 * len(columns)))


def _across(title: str | None) -> alt.X:
    """Returns the horizontal axis, for the value that varies in the study."""
    axis = alt.Axis(title=title, tickCount=4, grid=False)
    return alt.X("value:Q", scale=alt.Scale(zero=False, nice=True, padding=6), axis=axis)


def _up(domain: Any, title: str | None, has_labels: bool) -> alt.Y:
    """Returns the vertical axis, for the estimates of a measure."""
    axis = alt.Axis(title=title, labels=has_labels, tickCount=5)
    return alt.Y("estimate:Q", scale=alt.Scale(domain=domain, nice=False), axis=axis)


def _panel(
    rows: list[Row],
    nominal: float | None,
    x: alt.X,
    y: alt.Y,
    key: Mapping[str, Any],
    colours: Theme,
) -> alt.LayerChart:
    """Returns a panel: a line with error bars for each model, over a line at the nominal level."""
    base = drawn(rows).encode(x=x, y=y, color=key["color"])
    layers = [
        base.mark_line(strokeWidth=1.5).encode(strokeDash=key["dash"]),
        base.mark_rule(strokeWidth=1.5).encode(y=alt.Y("lower:Q"), y2="upper:Q"),
        base.mark_point(size=45, filled=True, opacity=1).encode(
            shape=key["shape"],
            tooltip=[
                alt.Tooltip("model:N", title="Model"),
                # Vega evaluates the title of a tooltip as an expression. So titles are constants
                # and never contain a user's text.
                alt.Tooltip("value:Q", title="Value"),
                alt.Tooltip("estimate:Q", title="Estimate", format=".4f"),
                alt.Tooltip("se:Q", title="Standard error", format=".4f"),
                alt.Tooltip("replicates:Q", title="Replicates"),
            ],
        ),
    ]
    if nominal is not None:
        rule = drawn([{"estimate": nominal}])
        layers.insert(0, rule.mark_rule(color=colours.axis, strokeDash=[2, 3]).encode(y=y))
    return layered(layers, *PANEL)


def _estimates(rows: pd.DataFrame, measure: _Measure, models: Mapping[Any, str]) -> list[Row]:
    """Returns a record for each row of the table that has an estimate of the measure."""
    found = rows[rows[measure.column].notna()].sort_values("value")
    columns = [found[name].tolist() for name in ("model", "value", measure.column)]
    # With a single replicate the standard error is NaN. None in its place means that no error bar
    # is drawn.
    errors = [None if math.isnan(se) else se for se in found[f"{measure.column}_se"].tolist()]
    counts = found["replicates"].tolist() if "replicates" in found else [None] * len(found)
    return [
        {
            "model": models[model],
            "value": value,
            "estimate": estimate,
            "se": error,
            "lower": None if error is None else max(0.0, estimate - 2 * error),
            "upper": None if error is None else min(1.0, estimate + 2 * error),
            "replicates": count,
        }
        for model, value, estimate, error, count in zip(*columns, errors, counts, strict=True)
    ]


def _domain(rows: pd.DataFrame, measure: _Measure, nominal: float | None) -> list[float]:
    """Returns the ends of the vertical axis for the rows of a test set.

    The axis contains all error bars with some room. If the measure has a nominal value, the axis
    also contains this value and 1.
    """
    values = rows[measure.column]
    errors = 2 * rows[f"{measure.column}_se"].fillna(0)
    low, high = float((values - errors).min()), float((values + errors).max())
    if math.isnan(low):
        return [0, 1]
    if measure.nominal:
        low, high = min(low, 1 if nominal is None else nominal), 1
    low, high = max(0.0, low), min(1.0, high)
    room = 0.07 * max(high - low, 0.02)
    return [low - room, high + room]


def _model_key(names: list[str], colours: Theme) -> dict[str, Any]:
    """The scales of colour, shape and dashes by model, with a legend of colour and shape."""

    def scale(of: Sequence[Any]) -> alt.Scale:
        return alt.Scale(domain=names, range=[of[i % len(of)] for i in range(len(names))])

    legend = alt.Legend(
        title="Model",
        titleOrient="left",
        orient="bottom",
        direction="horizontal",
        symbolSize=60,
        symbolStrokeWidth=0,
        symbolOpacity=1,
        rowPadding=8,
    )
    return {
        "color": alt.Color("model:N", scale=scale(colours.models), legend=legend),
        "shape": alt.Shape("model:N", scale=scale(SHAPES), legend=legend),
        "dash": alt.StrokeDash("model:N", scale=scale(DASHES), legend=None),
    }


def _replicates(table: pd.DataFrame) -> str:
    if "replicates" not in table:
        return ""
    least, most = int(table["replicates"].min()), int(table["replicates"].max())
    if most == 1:
        return " (none: there is one replicate)"
    return f" over {least} replicates" if least == most else f" over {least} to {most} replicates"


def _chosen(of: Any, known: Mapping[str, _Measure]) -> list[_Measure]:
    wanted = [of] if isinstance(of, str) else list(of)
    unknown = [each for each in wanted if each not in known]
    if unknown or not wanted:
        raise ValueError(
            f"of: found {shortened(unknown) or 'none'}, expected some of "
            + ", ".join(map(repr, known))
        )
    return [known[each] for each in wanted]


def _check_table(table: Any, measures: Sequence[_Measure]) -> None:
    if not isinstance(table, pd.DataFrame):
        raise TypeError(
            f"table: found {type(table).__name__}, expected a pandas DataFrame, as simulation.run "
            "returns it"
        )
    keys = ["model", "value", "test", "label"]
    numeric = ["value", *(c for m in measures for c in (m.column, f"{m.column}_se"))]
    missing = [name for name in dict.fromkeys([*keys, *numeric]) if name not in table]
    if missing:
        raise ValueError(f"table: lacks {shortened(missing)}, expected what simulation.run returns")
    if table.empty:
        raise ValueError("table: found no row, expected at least one")
    words = [name for name in numeric if not pd.api.types.is_numeric_dtype(table[name])]
    if words:
        raise ValueError(f"table: found values that are not numbers in {shortened(words)}")
    infinite = [n for n in numeric if np.isinf(table[n].to_numpy(np.float64, na_value=0)).any()]
    unknown = [name for name in keys if table[name].isna().any()]
    if infinite or unknown:
        raise ValueError(
            f"table: found infinite or missing values in {shortened(infinite + unknown)}"
        )
    # `table.duplicated` of pandas before 3 reads a name only up to its first NUL character. So rows
    # are compared as tuples.
    repeated = len(table) - len(set(table[keys].itertuples(index=False, name=None)))
    if repeated:
        raise ValueError(
            f"table: found {repeated} rows with the same model, value, test and label as another, "
            "expected one each"
        )
