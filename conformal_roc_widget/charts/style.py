"""What all charts share: themes, lettering, and text that runs nothing."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

import altair as alt

#: Which labels a band is for, in the order in which they are named.
BANDS = {"sensitivity": (1,), "specificity": (0,), "both": (1, 0)}

Row = dict[str, Any]

Layer = alt.Chart | alt.LayerChart

Align = Literal["left", "center", "right"]

Configured = TypeVar("Configured", bound=alt.TopLevelMixin)


class Theme(NamedTuple):
    """Colours; what comes by label starts with label 0."""

    background: str
    ink: str
    muted: str
    axis: str
    hairline: str
    grid: str
    labels: tuple[str, str]
    label_texts: tuple[str, str]
    models: tuple[str, ...]
    fill: float
    faint: float


THEMES = {
    "light": Theme(
        background="#ffffff",
        ink="#1a1a1a",
        muted="#5c5c5c",
        axis="#767676",
        hairline="#dcdcdc",
        grid="#ececec",
        labels=("#D55E00", "#0072B2"),
        label_texts=("#A84400", "#0068A3"),
        models=("#1a1a1a", "#00785A", "#A8497F", "#0072B2", "#D55E00", "#767676"),
        fill=0.15,
        faint=0.42,
    ),
    "dark": Theme(
        background="#111111",
        ink="#ededed",
        muted="#b3b3b3",
        axis="#8a8a8a",
        hairline="#3a3a3a",
        grid="#262626",
        labels=("#E69F00", "#56B4E9"),
        label_texts=("#E69F00", "#56B4E9"),
        models=("#ededed", "#2FBF96", "#CC79A7", "#56B4E9", "#E69F00", "#8a8a8a"),
        fill=0.22,
        faint=0.5,
    ),
}

FONTS = "Inter, system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"

EDGE_DASHES = ([5, 3], [1, 0])


def theme_of(name: Any) -> Theme:
    """Theme of that name, or a ValueError."""
    if not isinstance(name, str) or name not in THEMES:
        raise ValueError(f"theme: found {name!r}, expected one of {', '.join(map(repr, THEMES))}")
    return THEMES[name]


def band_labels(band: Any) -> tuple[int, ...]:
    """Labels that a band is for, or a ValueError."""
    if not isinstance(band, str) or band not in BANDS:
        raise ValueError(f"band: found {band!r}, expected one of {', '.join(map(repr, BANDS))}")
    return BANDS[band]


def check_size(size: Any, name: str = "size") -> None:
    """Refuse a size that is not a reasonable number of pixels."""
    if isinstance(size, bool) or not isinstance(size, (int, float)):
        raise TypeError(f"{name}: found {size!r}, expected a number of pixels")
    if not 100 <= size <= 10_000:
        raise ValueError(f"{name}: found {size!r}, expected from 100 to 10000 pixels")


def styled(chart: Configured, colours: Theme, title: alt.Title) -> Configured:
    """Chart with its title, colours and type."""
    text = {"labelColor": colours.muted, "titleColor": colours.muted}
    told = " ".join([*title.text, *(() if title.subtitle is alt.Undefined else title.subtitle)])
    styled: Configured = chart.properties(title=title, description=told).configure(
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
    return alt.Chart(alt.InlineData(values=rows))


def layered(layers: Sequence[Layer], width: int, height: int) -> alt.LayerChart:
    """Layers on one plot."""
    chart = alt.LayerChart(layer=list(layers))
    sized: alt.LayerChart = chart.properties(width=width, height=height)
    return sized


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


def tooltips(titles: Mapping[str, str]) -> list[alt.Tooltip]:
    """Tooltips for some fields; only our own words may be titles (see `plain_text`)."""
    return [
        alt.Tooltip(field, title=title, format=".3f" if field.endswith(":Q") else alt.Undefined)
        for field, title in titles.items()
    ]


def number_text(value: float, digits: int = 2, *, sign: bool = False) -> str:
    """Layers on one plot."""
    return f"{value:{'+' if sign else ''}.{digits}f}".replace("-", "−")


def range_text(lower: float, upper: float) -> str:
    """Refuse a size that is not a reasonable number of pixels."""
    return f"{number_text(lower)} to {number_text(upper)}"


def threshold_text(value: float) -> str:
    """Labels that a band is for, or a ValueError."""
    return "above every score" if value == math.inf else f"{float(value):.4g}".replace("-", "−")


def ordinal(rank: int) -> str:
    """Theme of that name, or a ValueError."""
    teens = rank % 100 in (11, 12, 13)
    return f"{rank}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(rank % 10, 'th')}"


def plain_text(text: Any, most: int) -> str:
    """Text of the user's on one line, without what steers a terminal or turns the writing around.

    Joiners stay: scripts and emoji need them.
    """
    line = " ".join(str(text).split())
    kept = "".join(c for c in line if c.isprintable() or c in "\N{ZERO WIDTH JOINER}\u200c")
    return kept if len(kept) <= most else kept[: most - 1] + "…"


def plain_texts(names: Iterable[Any]) -> dict[Any, str]:
    """Name -> its text, in order of first appearance; different names stay different."""
    texts: dict[Any, str] = {}
    for name in names:
        if name not in texts:
            text, number = plain_text(name, 40), 1
            while text in texts.values():
                number += 1
                text = f"{plain_text(name, 40)} ({number})"
            texts[name] = text
    return texts
