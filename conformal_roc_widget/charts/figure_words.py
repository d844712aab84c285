"""Words and legend around the chart of a figure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import altair as alt

from conformal_roc_widget.charts.style import dashes_of, safe_text, styled, title_of
from conformal_roc_widget.view.curve_panel import Key
from conformal_roc_widget.view.figure import Figure

#: Pixels at which a line of words ends, also above several panels: longer ones are hard to read.
TEXT_WIDTH = 640


def with_words(chart: Any, figure: Figure, wide: int) -> Any:
    """Chart of a figure under its title and its sentences."""
    lines = [safe_text(line) for line in (*figure.lead, *figure.notes)]
    title = title_of(safe_text(figure.title), lines, min(wide, TEXT_WIDTH))
    return styled(chart, figure.theme, title)


def legend_key(legend: Iterable[Key], wide: int) -> dict[str, Any]:
    """Scales and legend that all lines of a figure share."""
    pens = dict(legend)
    widths = [50 + 6 * len(text) for text in pens]
    columns = next(
        n
        for n in range(len(widths), 0, -1)
        if n == 1 or all(sum(widths[i : i + n]) <= wide for i in range(0, len(widths), n))
    )
    looks = alt.Legend(
        title=None,
        orient="bottom",
        direction="horizontal",
        columns=columns,
        symbolType="stroke",
        symbolSize=500,
        symbolStrokeWidth=1.5,
    )

    def scale(values: list[Any]) -> alt.Scale:
        return alt.Scale(domain=list(pens), range=values)

    colours = scale([pen.colour for pen in pens.values()])
    dashes = scale([dashes_of(pen) for pen in pens.values()])
    return {
        "color": alt.Color("line:N", scale=colours, legend=looks),
        "strokeDash": alt.StrokeDash("line:N", scale=dashes, legend=looks),
    }
