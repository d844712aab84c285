"""The chart as SVG and PNG, drawn at once: for viewers that run nothing, and for files.

An Altair chart takes seconds to load and to draw; a widget must be there in a blink, with its
picture.
"""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple, cast

import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.evaluation.band import ConformalBand, OperatingPoint, screen_vertices
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.text import number_text, plain_text, range_text, threshold_text
from conformal_roc_widget.view.comparator_state import Overlaid
from conformal_roc_widget.view.evaluation_group import Group, Setting
from conformal_roc_widget.view.sentences import (
    NOUNS,
    comparisons,
    labels_of,
    promises,
    sentences,
    summary,
    title,
)
from conformal_roc_widget.view.theme import COMPARATOR_DASHES, EDGE_DASHES, FONTS, Theme, theme_of

#: Side of the plot of one curve, and of each of several.
SIDE, SMALL = 408, 240
LEFT, BOTTOM, PADDING, GAP = 44, 44, 16, 24
#: Curves that are drawn side by side; more would not be read.
MOST = 12
TICKS = (0, 0.2, 0.4, 0.6, 0.8, 1)
#: Colours of a PNG image.
COLOURS = 32
#: Red, green and blue, from 0 to 255.
Colour = tuple[int, int, int]


class _Panel(NamedTuple):
    """One square plot."""

    name: str
    evaluation: RocEvaluation | None
    band: ConformalBand
    point: OperatingPoint | None
    size: int


class Drawing(NamedTuple):
    """An SVG image that fetches and runs nothing, and its size in points."""

    svg: str
    width: int
    height: int


def draw(
    group: Group,
    setting: Setting,
    *,
    heading: str | None = None,
    theme: str = "light",
    overlaid: Overlaid | None = None,
) -> Drawing:
    """Draw what is on the screen.

    Parameters
    ----------
    group : Group
        What is shown.
    setting : Setting
        Where the controls stand.
    heading : str, optional
        Instead of the title that names the level and the rate.
    theme : {"light", "dark"}
        Colours.
    overlaid : Overlaid, optional
        The comparators, of which those that are done are drawn.

    Returns
    -------
    Drawing
        The picture.
    """
    colours = theme_of(theme)
    labels = labels_of(group, setting)
    panels = _panels(group, setting)
    over = Overlaid(None, setting.alpha) if overlaid is None else overlaid
    columns = min(len(panels), 3)
    size = panels[0].size
    cell = (LEFT + size + GAP, size + BOTTOM + GAP)
    width = max(2 * PADDING + columns * cell[0], 520)
    room = width - 2 * PADDING
    text = title(group, setting) if heading is None else plain_text(heading, 120)
    written, below = _lines([text], room, 24, PADDING, colours.ink, size=16, weight=600)
    parts = [written]
    if len(panels) == 1:
        written, below = _lines(sentences(group, setting), room, 16, below, colours.muted)
        parts.append(written)
    below += 12
    for i, panel in enumerate(panels):
        at = (PADDING + LEFT + i % columns * cell[0], below + 20 + i // columns * cell[1])
        parts.append(
            f'<g transform="translate({at[0]},{at[1]})">{_plot(panel, labels, colours, over)}</g>'
        )
    below += 20 + -(-len(panels) // columns) * cell[1]
    notes = promises((panel.name, panel.band) for panel in panels)
    notes += [reason for p in panels for k in labels if (reason := p.band.vacuous[k])]
    left_out = len(group.entries) - len(panels) if len(panels) > 1 else 0
    if left_out:
        notes.append(f"{left_out} more {group.kind} are not drawn.")
    notes += comparisons(over._replace(items=tuple(i for i in over.items if i.band is not None)))
    key, below = _legend(group, labels, panels, below, width, colours, over)
    written, below = _lines(dict.fromkeys(notes), room, 16, below, colours.muted)
    parts += [key, written]
    height = below + PADDING
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{FONTS}" font-size="12">'
        f"<title>{escape(text)}</title><desc>{escape(summary(group, setting, over))}</desc>"
        f'<defs><pattern id="crw-hatch" width="12" height="12" patternUnits="userSpaceOnUse">'
        f'<path d="M-1 -1L13 13M-1 11L1 13M11 -1L13 1" stroke="{colours.axis}"/></pattern></defs>'
        f'<rect width="{width}" height="{height}" fill="{colours.background}"/>'
        f"{''.join(parts)}</svg>"
    )
    return Drawing(svg, width, height)


def png(drawing: Drawing, most: int | None = None) -> bytes:
    """Turn a drawing into pixels, without a browser.

    Parameters
    ----------
    drawing : Drawing
        As `draw` makes it.
    most : int, optional
        Bytes from which the picture is made coarser.

    Returns
    -------
    bytes
        A PNG image, two pixels a point (fewer, where it would be too large).
    """
    import vl_convert

    image = _packed(vl_convert.svg_to_png(drawing.svg, scale=2))
    for scale in (1.5, 1):
        if most is not None and len(image) > most:
            image = _packed(vl_convert.svg_to_png(drawing.svg, scale=scale))
    return image


def _panels(group: Group, setting: Setting) -> list[_Panel]:
    bands = list(group.bands(setting).items())[:MOST]
    return [
        _Panel(
            name if len(bands) > 1 else "",
            evaluation,
            band,
            None
            if evaluation is None
            else evaluation.operating_point(setting.threshold, setting.alpha),
            SIDE if len(bands) == 1 else SMALL,
        )
        for name, (evaluation, band) in bands
    ]


def _plot(panel: _Panel, labels: Sequence[int], colours: Theme, over: Overlaid) -> str:
    band, size = panel.band, panel.size
    kept = screen_vertices(band.fpr, band.tpr, 0.25 / size)
    fpr, tpr = band.fpr[kept], band.tpr[kept]
    parts = [_axes(panel, colours)]
    if any(band.without_limits(k) for k in labels):
        parts.append(f'<rect width="{size}" height="{size}" fill="url(#crw-hatch)" opacity=".5"/>')
    for k in (k for k in labels if not band.without_limits(k)):
        low, high = (
            getattr(band, f"{'tpr' if k else 'fpr'}_{end}")[kept] for end in ("lower", "upper")
        )
        edges = [_steps(fpr, end, size) if k else _steps(end, tpr, size) for end in (high, low)]
        area = np.concatenate([edges[0], edges[1][::-1]])
        parts.append(
            f'<path d="{_path(area)}Z" fill="{colours.labels[k]}" fill-opacity="{colours.fill}"/>'
        )
        parts += [
            f'<path d="{_path(edge)}" fill="none" stroke="{colours.labels[k]}"{_dash(k)}/>'
            for edge in edges
        ]
    for item in over.items:
        if item.band is not None:
            stroke = _comparator_stroke(item.look, colours)
            parts += [
                f'<path d="{_path(_pixels(item.band.fpr, limit, size))}" fill="none" {stroke}/>'
                for limit in (item.band.tpr_lower, item.band.tpr_upper)
            ]
    curve = _path(_pixels(fpr, tpr, size))
    parts.append(
        f'<path d="M0 {size}L{size} 0" stroke="{colours.axis}" stroke-dasharray="2 4"/>'
        f'<path d="{curve}" fill="none" stroke="{colours.ink}" stroke-width="2" '
        'stroke-linejoin="round"/>'
    )
    if panel.evaluation is not None:
        parts.append(_area(panel.evaluation, band, size, colours))
    for line, k in enumerate(k for k in labels if band.without_limits(k)):
        text = f"{NOUNS[k]}: no limits"
        parts.append(_text(text, size - 8, size - 48 - 18 * line, colours, colours.ink, "end"))
    if panel.point is not None:
        parts.append(_point(panel.point, band, size, colours))
    return "".join(parts)


def _axes(panel: _Panel, colours: Theme) -> str:
    size = panel.size
    at = [(tick, tick * size) for tick in TICKS]
    names = (
        None
        if panel.evaluation is None
        else [plain_text(name, 24) for name in panel.evaluation.classes]
    )
    across, up = "False positive rate", "True positive rate"
    if names is not None and set(names) != {"0", "1"} and size == SIDE:
        across, up = f"{across}, class {names[0]}", f"{up}, class {names[1]}"
    grid = "".join(f"M{p:g} 0V{size}M0 {p:g}H{size}" for _, p in at)
    ticks = "".join(
        f'<text x="{p:g}" y="{size + 18}" text-anchor="middle">{tick:g}</text>'
        f'<text x="-8" y="{size - p + 4:g}" text-anchor="end">{tick:g}</text>'
        for tick, p in at
    )
    return (
        f'<path d="{grid}" stroke="{colours.grid}"/>'
        f'<path d="M0 0V{size}H{size}" fill="none" stroke="{colours.axis}"/>'
        f'<g fill="{colours.muted}" font-size="11">{ticks}</g>'
        f'<g fill="{colours.muted}"><text x="{size / 2:g}" y="{size + 36}" text-anchor="middle">'
        f"{escape(across)}</text>"
        f'<text transform="translate(-32,{size / 2:g}) rotate(-90)" text-anchor="middle">'
        f"{escape(up)}</text></g>"
        + _text(panel.name, 0, -8, colours, colours.ink, "start", bold=True)
    )


def _area(evaluation: RocEvaluation, band: ConformalBand, size: int, colours: Theme) -> str:
    auc, lower, upper = evaluation.display_auc(band.alpha)
    free = band.without_limits(0) or band.without_limits(1)
    ideal = "no limits" if free else range_text(lower, upper)
    return _text(
        f"AUC {number_text(auc)}", size - 8, size - 26, colours, colours.ink, "end", bold=True
    ) + _text(f"ideal model: {ideal}", size - 8, size - 10, colours, colours.muted, "end")


def _point(point: OperatingPoint, band: ConformalBand, size: int, colours: Theme) -> str:
    """Operating point with an arm for each rate; an arm without limits is dotted."""
    x, y = point.fpr * size, (1 - point.tpr) * size
    left, right = point.fpr_lower * size, point.fpr_upper * size
    bottom, top = (1 - point.tpr_lower) * size, (1 - point.tpr_upper) * size
    arms = (
        (
            f"M{left:.2f} {y:.2f}H{right:.2f}",
            f"M{left:.2f} {y - 5:.2f}v10M{right:.2f} {y - 5:.2f}v10",
        ),
        (
            f"M{x:.2f} {bottom:.2f}V{top:.2f}",
            f"M{x - 5:.2f} {bottom:.2f}h10M{x - 5:.2f} {top:.2f}h10",
        ),
    )
    parts = []
    for k, (arm, caps) in enumerate(arms):
        if band.without_limits(k):
            parts.append(
                f'<path d="{arm}" stroke="{colours.ink}" stroke-width="2" stroke-dasharray="2 3"/>'
            )
        else:
            parts.append(
                f'<g stroke="{colours.labels[k]}" stroke-width="2"><path d="{arm}"{_dash(k)}/>'
                f'<path d="{caps}"/></g>'
            )
    beside = (-12, "end") if point.fpr > 0.8 else (12, "start")
    parts.append(
        f'<circle cx="{x:.2f}" cy="{y:.2f}" r="7" fill="{colours.ink}" '
        f'stroke="{colours.background}" stroke-width="2"/>'
        + _text(
            f"λ {threshold_text(point.threshold)}",
            x + beside[0],
            y + (20 if point.tpr > 0.1 else -12),
            colours,
            colours.ink,
            beside[1],
            bold=True,
        )
    )
    return "".join(parts)


def _comparator_stroke(look: str, colours: Theme) -> str:
    dash = " ".join(map(str, COMPARATOR_DASHES[look]))
    return f'stroke="{colours.comparators[look]}" stroke-width="1.5" stroke-dasharray="{dash}"'


def _legend(
    group: Group,
    labels: Sequence[int],
    panels: Sequence[_Panel],
    top: int,
    width: int,
    colours: Theme,
    over: Overlaid,
) -> tuple[str, int]:
    if panels[0].evaluation is None:
        what = "average of the classes"
    else:
        several = len(panels) > 1 and group.kind == "classifiers"
        what = "each classifier" if several else "this classifier"
    rows = [(what, f'stroke="{colours.ink}" stroke-width="2"')]
    rows += [
        (f"conformal band, {NOUNS[k]}", f'stroke="{colours.labels[k]}"{_dash(k)}')
        for k in labels
        if not all(panel.band.without_limits(k) for panel in panels)
    ]
    rows += [
        (f"{item.name}, population", _comparator_stroke(item.look, colours))
        for item in over.items
        if item.band is not None
    ]
    rows.append(("chance", f'stroke="{colours.axis}" stroke-dasharray="2 4"'))
    parts, x = [], PADDING
    for text, stroke in rows:
        wide = 46 + round(6.5 * len(text))
        if x > PADDING and x + wide > width:
            x, top = PADDING, top + 18
        parts.append(
            f'<path d="M{x} {top + 4}h24" {stroke}/>'
            f'<text x="{x + 30}" y="{top + 8}" fill="{colours.muted}">{text}</text>'
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
    written = "".join(
        f'<text x="{PADDING}" y="{top + step * (i + 1) - step // 4}">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    group = f'<g fill="{fill}" font-size="{size}" font-weight="{weight}">{written}</g>'
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


def _dash(label: int) -> str:
    on, off = EDGE_DASHES[label]
    return f' stroke-dasharray="{on} {off}"' if off else ""


def _pixels(x: Floats, y: Floats, size: int) -> Floats:
    return np.round(np.column_stack([x, 1 - y]) * size, 2)


def _steps(x: Floats, y: Floats, size: int) -> Floats:
    """Corners of a line that goes from each vertex first along x, then along y."""
    return _pixels(np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1], size)


def _path(points: Floats) -> str:
    """Path through the points that says nothing twice."""
    moved = np.append(True, (np.diff(points, axis=0) != 0).any(axis=1))
    x, y = math.nan, math.nan
    said = []
    for here_x, here_y in points[moved].tolist():
        if here_y == y:
            said.append(f"H{here_x:g}")
        elif here_x == x:
            said.append(f"V{here_y:g}")
        else:
            said.append(f"{'L' if said else 'M'}{here_x:g} {here_y:g}")
        x, y = here_x, here_y
    return "".join(said)


def _packed(image: bytes) -> bytes:
    """The same picture in `COLOURS` colours, which is all that a few inks and their edges need."""
    from PIL import Image

    with Image.open(io.BytesIO(image)) as opened:
        pixels = opened.convert("RGB")
    counted = cast("list[tuple[int, Colour]]", pixels.getcolors(pixels.width * pixels.height))
    # The inks as they are: of colours that are nearly the same the one that is there most.
    inks: dict[Colour, Colour] = {}
    for _, (red, green, blue) in sorted(counted, reverse=True):
        inks.setdefault((red >> 4, green >> 4, blue >> 4), (red, green, blue))
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in list(inks.values())[:COLOURS] for part in colour])
    packed = io.BytesIO()
    # The last of nine levels saves another 2 % and takes three times as long.
    few = pixels.quantize(palette=palette, dither=Image.Dither.NONE)
    few.save(packed, "PNG", compress_level=8)
    return packed.getvalue()
