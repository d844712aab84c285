"""Draws a figure as an SVG image, at once: for viewers that run nothing, and for files.

An Altair chart takes seconds to load and to draw; a widget must be there in a blink, with its
picture.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable
from html import escape
from typing import NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.evaluation.observed_curve import screen_vertices
from conformal_roc_widget.view.arc import Arc
from conformal_roc_widget.view.curve_panel import FILL, CurvePanel, Key
from conformal_roc_widget.view.figure import TICKS, Figure, Panel
from conformal_roc_widget.view.mark import Mark
from conformal_roc_widget.view.same_cost import HALF
from conformal_roc_widget.view.theme import FONTS, Pen, Theme
from conformal_roc_widget.view.view_curves import Line

LEFT, BOTTOM, PADDING, GAP = 44, 44, 16, 24
#: Narrowest picture.
NARROWEST = 520


class Drawing(NamedTuple):
    """An SVG image that fetches and runs nothing, and its size in points."""

    svg: str
    width: int
    height: int


def draw(figure: Figure) -> Drawing:
    """Image of a figure: title and lead, the plots, the legend, the notes."""
    colours, size = figure.theme, figure.side
    cell = (LEFT + size + GAP, size + BOTTOM + GAP)
    width = max(2 * PADDING + figure.columns * cell[0], NARROWEST)
    room = width - 2 * PADDING
    heading, below = _lines([figure.title], room, 24, PADDING, colours.ink, size=16, weight=600)
    lead, below = _lines(figure.lead, room, 16, below, colours.muted)
    below += 12
    drawn = [_plot(panel, size, colours) for panel in figure.panels]
    if figure.curve is not None:
        drawn.append(_curve_plot(figure.curve, size, colours))
    plots = []
    for i, plot in enumerate(drawn):
        row, column = divmod(i, figure.columns)
        x, y = PADDING + LEFT + column * cell[0], below + 20 + row * cell[1]
        plots.append(f'<g transform="translate({x},{y})">{plot}</g>')
    below += 20 + -(-len(drawn) // figure.columns) * cell[1]
    legend, below = _legend(figure.legend, below, width, colours)
    notes, below = _lines(figure.notes, room, 16, below, colours.muted)
    height = below + PADDING
    bands = [limits for panel in figure.panels for limits in panel.limits]
    lacking = sorted({limits.label for limits in bands if not all(limits.sides)})
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{FONTS}" font-size="12">'
        f"<title>{escape(figure.title)}</title><desc>{escape(figure.description)}</desc>"
        f'<defs><pattern id="crw-hatch" width="12" height="12" patternUnits="userSpaceOnUse">'
        f'<path d="M-1 -1L13 13M-1 11L1 13M11 -1L13 1" stroke="{colours.axis}"/></pattern>'
        f"{''.join(_label_hatch(k, colours) for k in lacking)}</defs>"
        f'<rect width="{width}" height="{height}" fill="{colours.background}"/>'
        f"{heading}{lead}{''.join(plots)}{legend}{notes}</svg>"
    )
    return Drawing(svg, width, height)


def _label_hatch(label: int, colours: Theme) -> str:
    """Lines against the chance line, for a band that lacks a limit."""
    return (
        f'<pattern id="crw-hatch-{label}" width="11" height="11" patternUnits="userSpaceOnUse">'
        f'<path d="M-1 -1L12 12M-1 10L1 12M10 -1L12 1" stroke="{colours.labels[label]}" '
        'stroke-opacity=".38"/></pattern>'
    )


def _plot(panel: Panel, size: int, colours: Theme) -> str:
    band = panel.band
    vertices = screen_vertices(band.fpr, band.tpr, 0.25 / size)
    fpr, tpr = band.fpr[vertices], band.tpr[vertices]
    rates = [(tick, f"{tick:g}") for tick in TICKS]
    parts = [
        _axes((panel.across, panel.up), size, colours, rates),
        _text(panel.name, 0, -8, colours, colours.ink, "start", bold=True),
    ]
    if panel.hatched:
        parts.append(f'<rect width="{size}" height="{size}" fill="url(#crw-hatch)" opacity=".5"/>')
    for limits in panel.limits:
        k = limits.label
        low, high = (
            getattr(band, f"{'tpr' if k else 'fpr'}_{end}")[vertices] for end in ("lower", "upper")
        )
        edges = [_steps(fpr, end, size) if k else _steps(end, tpr, size) for end in (high, low)]
        area = np.concatenate([edges[0], edges[1][::-1]])
        whole = all(limits.sides)
        look = f'{limits.fill}" fill-opacity="{colours.fill}' if whole else f"url(#crw-hatch-{k})"
        parts.append(f'<path d="{_path(area)}Z" fill="{look}"/>')
        parts += [
            _stroke(_path(edge), limits.key.pen)
            for edge, there in zip(edges, reversed(limits.sides), strict=True)
            if there
        ]
    for other in panel.comparators:
        if other.fill:
            area = np.concatenate([other.upper, other.lower[::-1]])
            outline = _pixels(np.concatenate([other.fpr, other.fpr[::-1]]), area, size)
            parts.append(
                f'<path d="{_path(outline)}Z" fill="{other.fill}" fill-opacity="{colours.fill}"/>'
            )
        parts += [
            _stroke(_path(_pixels(other.fpr, limit, size)), other.key.pen)
            for limit in (other.lower, other.upper)
        ]
    parts.append(_stroke(f"M0 {size}L{size} 0", colours.chance))
    if panel.same_cost is not None:
        line = _pixels(panel.same_cost.fpr, panel.same_cost.tpr, size)
        parts.append(_stroke(_path(line), panel.same_cost.key.pen))
    parts.append(_stroke(_path(_pixels(fpr, tpr, size)), panel.curve.pen))
    if panel.same_cost is not None:
        parts.append(_diamond(*panel.same_cost.least, size, colours))
    if panel.arc is not None:
        parts += _arc(panel.arc, size, colours)
    parts += [
        _text(
            note.text,
            size - 8,
            size - note.rise,
            colours,
            colours.ink,
            "end",
            bold=note.bold,
        )
        for note in panel.corner
    ]
    if panel.mark is not None:
        parts.append(_mark(panel.mark, size, colours))
    return "".join(parts)


def _arc(arc: Arc, size: int, colours: Theme) -> list[str]:
    """Stretch of the curve under a halo, its ends as rings, and hairlines to both axes."""
    points = _pixels(arc.fpr, arc.tpr, size)
    path, ends = _path(points), points[[0, -1]].tolist()
    halo = Pen(colours.background, (), arc.pen.width + 4)
    return [
        *(_stroke(f"M0 {y:g}H{x:g}", colours.limits(1)) for x, y in ends),
        *(_stroke(f"M{x:g} {size}V{y:g}", colours.limits(0)) for x, y in ends),
        *(_stroke(path, pen) for pen in (halo, arc.pen)),
        *(
            f'<circle cx="{x:g}" cy="{y:g}" r="4.5" fill="{colours.background}" '
            f'stroke="{arc.pen.colour}" stroke-width="2"/>'
            for x, y in ends
        ),
    ]


def _curve_plot(panel: CurvePanel, size: int, colours: Theme) -> str:
    """One curve with its range, and the operating point on it."""
    low, high = panel.ends

    def place(line: Line) -> Floats:
        return _pixels(line.x, (line.y - low) / (high - low), size)

    def up(value: float) -> float:
        return size * (1 - (value - low) / (high - low))

    ups = [((value - low) / (high - low), text) for value, text in panel.ticks]
    x, y = panel.point[0] * size, up(panel.point[1])
    first, last = map(up, panel.upright.ends)
    caps = "".join(f"M{x - 5:.2f} {up(end):.2f}h10" for end in panel.upright.caps)
    corner, anchor = ((8, size - 10), "start") if panel.corner_is_low else ((size - 8, 18), "end")
    parts = [
        _axes((panel.across, panel.up), size, colours, ups),
        f'<path d="{_path(place(panel.area))}Z" fill="{panel.fill}" fill-opacity="{FILL}"/>',
        *(_stroke(_path(place(piece)), key.pen) for key, pieces in panel.lines for piece in pieces),
    ]
    if panel.level is not None:
        start, stop = (end * size for end in panel.level.ends)
        ends = "".join(f"M{end * size:.2f} {y - 5:.2f}v10" for end in panel.level.caps)
        parts.append(_stroke(f"M{start:.2f} {y:.2f}H{stop:.2f}{ends}", panel.level.pen))
    parts += [
        _stroke(f"M{x:.2f} {first:.2f}V{last:.2f}{caps}", panel.upright.pen),
        _text(panel.corner, *corner, colours, colours.ink, anchor, bold=True),
        _point(x, y, colours),
        _text(
            panel.text,
            x - 12 if x > 0.8 * size else x + 12,
            y - 12 if y > 0.9 * size else y + 20,
            colours,
            colours.ink,
            "end" if x > 0.8 * size else "start",
            bold=True,
        ),
    ]
    return "".join(parts)


def _axes(
    titles: tuple[str, str], size: int, colours: Theme, ups: Iterable[tuple[float, str]]
) -> str:
    """Axes with their titles; the upright one has ticks at shares of its length."""
    across, up = titles
    heights = [(share * size, text) for share, text in ups]
    at = [(tick, tick * size) for tick in TICKS]
    # Longer numbers push the title to the left.
    left = -32 if all(len(text) < 4 for _, text in heights) else -40
    grid = "".join(f"M{p:g} 0V{size}" for _, p in at)
    grid += "".join(f"M0 {size - p:g}H{size}" for p, _ in heights)
    ticks = "".join(
        f'<text x="{p:g}" y="{size + 18}" text-anchor="middle">{tick:g}</text>' for tick, p in at
    )
    ticks += "".join(
        f'<text x="-8" y="{size - p + 4:g}" text-anchor="end">{escape(text)}</text>'
        for p, text in heights
    )
    return (
        f'<path d="{grid}" stroke="{colours.grid}"/>'
        f'<path d="M0 0V{size}H{size}" fill="none" stroke="{colours.axis}"/>'
        f'<g fill="{colours.muted}" font-size="11">{ticks}</g>'
        f'<g fill="{colours.muted}"><text x="{size / 2:g}" y="{size + 36}" text-anchor="middle">'
        f"{escape(across)}</text>"
        f'<text transform="translate({left},{size / 2:g}) rotate(-90)" text-anchor="middle">'
        f"{escape(up)}</text></g>"
    )


def _mark(mark: Mark, size: int, colours: Theme) -> str:
    """Operating point with an arm for each rate."""
    x, y = mark.point.fpr * size, (1 - mark.point.tpr) * size
    parts = []
    for arm in mark.arms:
        for bar in arm.bars:
            low, high = bar.lower * size, bar.upper * size
            upright = f"M{x:.2f} {size - low:.2f}V{size - high:.2f}"
            path = upright if arm.label else f"M{low:.2f} {y:.2f}H{high:.2f}"
            parts.append(_stroke(path, bar.pen))
        caps = "".join(
            f"M{x - 5:.2f} {(1 - end) * size:.2f}h10"
            if arm.label
            else f"M{end * size:.2f} {y - 5:.2f}v10"
            for end in arm.caps
        )
        if caps:
            parts.append(_stroke(caps, arm.pen._replace(dashes=())))
    parts.append(
        _point(x, y, colours)
        + _text(
            mark.text,
            x - 12 if mark.left else x + 12,
            y - 12 if mark.above else y + 20,
            colours,
            colours.ink,
            "end" if mark.left else "start",
            bold=True,
        )
    )
    return "".join(parts)


def _diamond(fpr: float, tpr: float, size: int, colours: Theme) -> str:
    x, y = fpr * size, (1 - tpr) * size
    corners = [(x, y - HALF), (x + HALF, y), (x, y + HALF), (x - HALF, y)]
    path = f"{_path(np.round(corners, 2))}Z"
    return f'<path d="{path}" fill="{colours.background}"/>' + _stroke(path, Pen(colours.ink))


def _point(x: float, y: float, colours: Theme) -> str:
    return (
        f'<circle cx="{x:.2f}" cy="{y:.2f}" r="7" fill="{colours.ink}" '
        f'stroke="{colours.background}" stroke-width="2"/>'
    )


def _legend(keys: Iterable[Key], top: int, width: int, colours: Theme) -> tuple[str, int]:
    """Legend in as many rows as it takes, and where the next text may start."""
    parts, x = [], PADDING
    for text, pen in keys:
        wide = 46 + round(6.5 * len(text))
        if x > PADDING and x + wide > width:
            x, top = PADDING, top + 18
        parts.append(
            _stroke(f"M{x} {top + 4}h24", pen)
            + f'<text x="{x + 30}" y="{top + 8}" fill="{colours.muted}">{escape(text)}</text>'
        )
        x += wide
    return "".join(parts), top + 20


def _lines(
    texts: Iterable[str],
    room: int,
    step: int,
    top: int,
    fill: str,
    *,
    size: int = 12,
    weight: int = 400,
) -> tuple[str, int]:
    """Texts broken at about the width of the picture, and where the next may start."""
    letters = int(room / (size * (0.53 if weight == 400 else 0.66)))
    lines = [
        line for text in texts for line in textwrap.wrap(text.replace(" %", "\u00a0%"), letters)
    ]
    rows = "".join(
        f'<text x="{PADDING}" y="{top + step * (i + 1) - step // 4}">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    group = f'<g fill="{fill}" font-size="{size}" font-weight="{weight}">{rows}</g>'
    return group, top + step * len(lines)


def _text(
    text: str,
    x: float,
    y: float,
    colours: Theme,
    fill: str,
    anchor: str,
    *,
    bold: bool = False,
) -> str:
    """Text on the plot, with a halo of the background."""
    weight = ' font-weight="600" font-size="13"' if bold else ""
    return (
        f'<text x="{x:.4g}" y="{y:.4g}" text-anchor="{anchor}" fill="{fill}"{weight} '
        f'stroke="{colours.background}" stroke-width="4" stroke-linejoin="round" '
        f'paint-order="stroke">{escape(text)}</text>'
    )


def _stroke(path: str, pen: Pen) -> str:
    dashes = f' stroke-dasharray="{" ".join(map(str, pen.dashes))}"' if pen.dashes else ""
    return (
        f'<path d="{path}" fill="none" stroke="{pen.colour}" stroke-width="{pen.width:g}" '
        f'stroke-linejoin="round"{dashes}/>'
    )


def _pixels(x: Floats, y: Floats, size: int) -> Floats:
    return np.round(np.column_stack([x, 1 - y]) * size, 2)


def _steps(x: Floats, y: Floats, size: int) -> Floats:
    """Corners of a line that goes from each vertex first along x, then along y."""
    return _pixels(np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1], size)


def _path(points: Floats) -> str:
    """Path through the points without a repeated point or coordinate."""
    moved = np.append(True, (np.diff(points, axis=0) != 0).any(axis=1))
    x, y = math.nan, math.nan
    commands = []
    for here_x, here_y in points[moved].tolist():
        if here_y == y:
            commands.append(f"H{here_x:g}")
        elif here_x == x:
            commands.append(f"V{here_y:g}")
        else:
            commands.append(f"{'L' if commands else 'M'}{here_x:g} {here_y:g}")
        x, y = here_x, here_y
    return "".join(commands)
