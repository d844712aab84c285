"""Configuration, lettering and titles of all Altair charts."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeVar

import altair as alt
from altair.utils.schemapi import debug_mode

from conformal_roc_widget.checks import check_text
from conformal_roc_widget.shown.theme import FONTS, Theme
from conformal_roc_widget.text import chart_text

Row = dict[str, Any]

Layer = alt.Chart | alt.LayerChart

Align = Literal["left", "center", "right"]

Configured = TypeVar("Configured", bound=alt.TopLevelMixin)


def styled(chart: Configured, colours: Theme, title: alt.Title) -> Configured:
    """Chart with its title, colours and type."""
    text = {"labelColor": colours.muted, "titleColor": colours.muted}
    words = " ".join([*title.text, *(() if title.subtitle is alt.Undefined else title.subtitle)])
    styled: Configured = chart.properties(title=title, description=words).configure(
        background=colours.background,
        padding=16,
        font=FONTS,
        view={"stroke": None},
        mark={"aria": False},
        axis={
            **text,
            "labelFontSize": 11,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "titlePadding": 8,
            "domainColor": colours.axis,
            "tickColor": colours.axis,
            "tickSize": 4,
            "gridColor": colours.grid,
        },
        legend={**text, "labelFontSize": 12, "titleFontSize": 12, "labelLimit": 300},
        title={"color": colours.ink, "subtitleColor": colours.muted},
    )
    return styled


def drawn(rows: list[Row]) -> alt.Chart:
    """Chart that carries its data."""
    # Altair copies every list, row by row, each time that charts are put together, and a tuple
    # not; and it checks rows against the schema once for each layer, as if they could be wrong.
    with debug_mode(False):
        data = alt.InlineData(values=tuple(rows))
    return alt.Chart(data)


def layered(layers: Sequence[Layer], width: int, height: int) -> alt.LayerChart:
    """Layers on one plot."""
    chart = alt.LayerChart(layer=list(layers))
    sized: alt.LayerChart = chart.properties(width=width, height=height)
    return sized


def heading_of(title: Any, usual: str) -> str:
    """The title of a chart that a user gave, or the usual one."""
    if title is None:
        return usual
    check_text(title, "title")
    return chart_text(title, 120)


def title_of(
    heading: str, lines: Iterable[str], width: int, *, small: bool = False, color: Any = None
) -> alt.Title:
    """Title and subtitle at the left, the subtitle broken at about the width of the plot."""
    wrapped = [piece for line in lines for piece in textwrap.wrap(_unbroken(line), int(width / 6))]
    return alt.Title(
        textwrap.wrap(_unbroken(heading), int(width / (7.5 if small else 9))) or [""],
        anchor="start",
        fontSize=13 if small else 16,
        fontWeight=600,
        offset=8 if small else 16,
        subtitle=wrapped or alt.Undefined,
        subtitleFontSize=12,
        subtitleLineHeight=16,
        subtitlePadding=4,
        color=alt.Undefined if color is None else color,
        frame="group" if small else "bounds",
    )


def halo_of(halo: bool, colours: Theme, colour: str) -> dict[str, Any]:
    """Colours of a text on the plot: first a halo of the background, then the letters."""
    if halo:
        background = colours.background
        return {"color": background, "stroke": background, "strokeWidth": 4, "strokeJoin": "round"}
    return {"color": colour}


def lettering(
    text: str,
    x: float,
    y: float,
    colours: Theme,
    colour: str,
    *,
    bold: bool = False,
    align: Align = "right",
) -> list[Layer]:
    """Text at a place in pixels."""
    return [
        drawn([{}])
        .mark_text(
            align=align,
            baseline="middle",
            fontSize=13 if bold else 12,
            fontWeight=600 if bold else "normal",
            **halo_of(halo, colours, colour),
        )
        .encode(x=alt.value(x), y=alt.value(y), text=alt.value(text))
        for halo in (True, False)
    ]


def _unbroken(line: str) -> str:
    """Text whose percentages and equations stay on one line."""
    return line.replace(" %", "\N{NO-BREAK SPACE}%").replace(
        " = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"
    )


def dashes_of(dashes: Sequence[float]) -> list[float]:
    """Dashes of a line; a solid line has one without gaps, as Vega's scales need one for each."""
    return list(dashes) or [1, 0]


def safe_text(text: str) -> str:
    """Text of a figure that ends no element of the page which holds the chart."""
    return chart_text(text, len(text) + 1)


def check_size(size: Any, name: str = "size") -> None:
    """Refuse a size that is not a reasonable number of pixels."""
    if isinstance(size, bool) or not isinstance(size, (int, float)):
        raise TypeError(f"{name}: found {size!r}, expected a number of pixels")
    if not 100 <= size <= 10_000:
        raise ValueError(f"{name}: found {size!r}, expected from 100 to 10000 pixels")
