"""Writes a sheet of shapes as an SVG image, which needs no other file and no script.

A widget must show its picture at once. An Altair chart would take seconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.shown.theme import FONTS

from .shapes import Disc, Fill, Letters, Shape, Sheet, Stroke

#: The side of a square tile of the hatch pattern, and the opacity of the pattern's lines.
TILE, HATCH = 11, 0.38


def svg(sheet: Sheet, *, described: bool = True) -> str:
    """Writes a sheet as an SVG image, with title and description if `described` is set."""
    width, height = sheet.width, sheet.height
    hatched = {s.colour for s in sheet.shapes if isinstance(s, Fill) and s.hatched}
    patterns = "".join(map(_hatch, sorted(hatched)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{FONTS}" font-size="12" '
        'stroke-linejoin="round" fill="none">'
        f"{_described(sheet) if described else ''}"
        f"{patterns and f'<defs>{patterns}</defs>'}"
        f'<rect width="{width}" height="{height}" fill="{sheet.background}"/>'
        f"{''.join(_elements(sheet.shapes))}</svg>"
    )


def _described(sheet: Sheet) -> str:
    return f"<title>{escape(sheet.title)}</title><desc>{escape(sheet.description)}</desc>"


def _hatch(colour: str) -> str:
    """Returns the SVG pattern of a hatch in a colour, at right angles to the diagonal."""
    return (
        f'<pattern id="{_pattern(colour)}" width="{TILE}" height="{TILE}" '
        f'patternUnits="userSpaceOnUse"><path d="M-1 -1L12 12M-1 10L1 12M10 -1L12 1" '
        f'stroke="{colour}" stroke-opacity="{HATCH}"/></pattern>'
    )


def _pattern(colour: str) -> str:
    return f"crw-hatch-{colour.removeprefix('#')}"


def _elements(shapes: Sequence[Shape]) -> Iterator[str]:
    """Yields the SVG elements of shapes in their order.

    If consecutive shapes have the same attributes, these are written once, in a group.
    """
    for halo, haloed in groupby(shapes, _halo):
        drawn = "".join(_alike(list(haloed)))
        yield f"<g{halo}>{drawn}</g>" if halo else drawn


def _halo(shape: Shape) -> str:
    """Returns the SVG attributes of a text's halo. Empty for other shapes."""
    halo = shape.halo if isinstance(shape, Letters) else ""
    return halo and f' stroke="{halo}" stroke-width="4" paint-order="stroke"'


def _alike(shapes: Sequence[Shape]) -> Iterator[str]:
    """Yields the SVG elements of shapes with the same halo, grouped by look."""
    for look, alike in groupby(shapes, _look):
        some = list(alike)
        if strokes := [each for each in some if isinstance(each, Stroke)]:
            lines = "".join(path(line) for each in strokes for line in each.lines)
            yield f'<path d="{lines}"{look}/>'
        elif look and len(some) > 1:
            yield f"<g{look}>{''.join(_element(each, '') for each in some)}</g>"
        else:
            yield from (_element(each, look) for each in some)


def _look(shape: Shape) -> str:
    """Returns the SVG attributes that neighbouring shapes can share, except those of a halo."""
    match shape:
        case Stroke():
            dashes = " ".join(f"{dash:g}" for dash in shape.dashes)
            more = f' stroke-dasharray="{dashes}"' if dashes else ""
            width = f' stroke-width="{shape.width:g}"' if shape.width != 1 else ""
            return f' stroke="{shape.colour}"{width}{more}'
        case Letters():
            look = f' fill="{shape.colour}"'
            look += f' text-anchor="{shape.anchor}"' if shape.anchor != "start" else ""
            look += f' font-size="{shape.size:g}"' if shape.size != 12 else ""
            return look + (' font-weight="600"' if shape.bold else "")
    return ""


def _element(shape: Shape, look: str) -> str:
    match shape:
        case Fill():
            look = f"url(#{_pattern(shape.colour)})" if shape.hatched else shape.colour
            clear = shape.hatched or shape.opacity == 1
            part = "" if clear else f' fill-opacity="{shape.opacity:g}"'
            return f'<path d="{path(shape.corners)}Z" fill="{look}"{part}/>'
        case Disc():
            return (
                f'<circle cx="{shape.x:g}" cy="{shape.y:g}" r="{shape.radius:g}" '
                f'fill="{shape.fill}" stroke="{shape.edge}" stroke-width="{shape.width:g}"/>'
            )
        case Letters():
            place = f'x="{shape.x:g}" y="{shape.y:g}"'
            if shape.turned:
                place = f'transform="translate({shape.x:g},{shape.y:g}) rotate(-90)"'
            return f"<text {place}{look}>{escape(shape.text)}</text>"
    raise TypeError(shape)


def path(corners: Floats) -> str:
    """Returns the SVG path data of a line through corners (n, 2).

    If consecutive corners are on a straight line along an axis, only the last is written.
    """
    x, y = math.nan, math.nan
    commands: list[str] = []
    before = ("", 0.0)
    for here_x, here_y in corners.tolist():
        if here_x == x and here_y == y:
            continue
        if here_y == y:
            command, way = f"H{here_x:g}", ("H", math.copysign(1, here_x - x))
        elif here_x == x:
            command, way = f"V{here_y:g}", ("V", math.copysign(1, here_y - y))
        else:
            command, way = f"{'L' if commands else 'M'}{here_x:g} {here_y:g}", ("", 0.0)
        if way[0] and way == before:
            commands.pop()
        commands.append(command)
        x, y, before = here_x, here_y, way
    return "".join(commands)
