"""Sets what all Altair charts have in common: colours, fonts, titles and data."""

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
    """Gives a chart a title, and the colours and fonts of a theme."""
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
    """Makes an Altair chart with `rows` as its data."""
    # If charts are combined, Altair copies a list row by row, but not a tuple. `debug_mode(False)`
    # switches off Altair's check of all rows against the schema for each layer.
    with debug_mode(False):
        data = alt.InlineData(values=tuple(rows))
    return alt.Chart(data)


def layered(layers: Sequence[Layer], width: int, height: int) -> alt.LayerChart:
    """Puts layers on one plot of the given size in pixels."""
    chart = alt.LayerChart(layer=list(layers))
    sized: alt.LayerChart = chart.properties(width=width, height=height)
    return sized


def heading_of(title: Any, usual: str) -> str:
    """Returns the title of a chart: `title` if the user gave one, otherwise `usual`."""
    if title is None:
        return usual
    check_text(title, "title")
    return chart_text(title, 120)


def title_of(
    heading: str, lines: Iterable[str], width: int, *, small: bool = False, color: Any = None
) -> alt.Title:
    """Returns the title `heading` with the subtitle `lines`, broken at about `width` pixels."""
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
    """The colours of a text mark: those of the halo, or those of the letters over it."""
    if halo:
        background = colours.background
        return {"color": background, "stroke": background, "strokeWidth": 4, "strokeJoin": "round"}
    return {"color": colour}


def lettering(
    text: str, x: float, y: float, colours: Theme, colour: str, *, align: Align = "right"
) -> list[Layer]:
    """Returns the layers of a text at the position (x, y) in pixels: its halo and its letters."""
    return [
        drawn([{}])
        .mark_text(
            align=align,
            baseline="middle",
            fontSize=12,
            fontWeight="normal",
            **halo_of(halo, colours, colour),
        )
        .encode(x=alt.value(x), y=alt.value(y), text=alt.value(text))
        for halo in (True, False)
    ]


def _unbroken(line: str) -> str:
    """Puts no-break spaces into the percentages and equations of a line."""
    return line.replace(" %", "\N{NO-BREAK SPACE}%").replace(
        " = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"
    )


def dashes_of(dashes: Sequence[float]) -> list[float]:
    """Returns the dashes of a line. For a solid line, Vega's scales need a dash without a gap."""
    return list(dashes) or [1, 0]


def safe_text(text: str) -> str:
    """Changes a text so that it cannot end the script element of a page that contains the chart."""
    return chart_text(text, len(text) + 1)


def check_size(size: Any, name: str = "size") -> None:
    """Raises unless `size` is a number of pixels from 100 to 10,000."""
    if isinstance(size, bool) or not isinstance(size, (int, float)):
        raise TypeError(f"{name}: found {size!r}, expected a number of pixels")
    if not 100 <= size <= 10_000:
        raise ValueError(f"{name}: found {size!r}, expected from 100 to 10000 pixels")
