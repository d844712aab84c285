"""Writes a sheet as an SVG image, which fetches and runs nothing.

An Altair chart takes seconds to load and to draw; a widget must be there in a blink, with its
picture.
"""

from __future__ import annotations

import math
from html import escape

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.shown.theme import FONTS

from .shapes import Disc, Fill, Letters, Shape, Sheet, Stroke

#: Side of a hatch's tile, and the opacity of its ink.
TILE, HATCH = 11, 0.38


def svg(sheet: Sheet, *, described: bool = True) -> str:
    """Image of a sheet; without its description where that stands beside it."""
    width, height = sheet.width, sheet.height
    hatched = {s.colour for s in sheet.shapes if isinstance(s, Fill) and s.hatched}
    patterns = "".join(map(_hatch, sorted(hatched)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{FONTS}" font-size="12" '
        'stroke-linejoin="round">'
        f"<title>{escape(sheet.title)}</title>"
        f"{f'<desc>{escape(sheet.description)}</desc>' * described}"
        f"{patterns and f'<defs>{patterns}</defs>'}"
        f'<rect width="{width}" height="{height}" fill="{sheet.background}"/>'
        f"{''.join(map(_element, sheet.shapes))}</svg>"
    )


def _hatch(colour: str) -> str:
    """Pattern of a hatch across the chance line."""
    return (
        f'<pattern id="{_pattern(colour)}" width="{TILE}" height="{TILE}" '
        f'patternUnits="userSpaceOnUse"><path d="M-1 -1L12 12M-1 10L1 12M10 -1L12 1" '
        f'stroke="{colour}" stroke-opacity="{HATCH}"/></pattern>'
    )


def _pattern(colour: str) -> str:
    return f"crw-hatch-{colour.removeprefix('#')}"


def _element(shape: Shape) -> str:
    match shape:
        case Stroke():
            dashes = " ".join(f"{dash:g}" for dash in shape.dashes)
            return (
                f'<path d="{"".join(map(path, shape.lines))}" fill="none" '
                f'stroke="{shape.colour}" stroke-width="{shape.width:g}"'
                + (f' stroke-dasharray="{dashes}"/>' if dashes else "/>")
            )
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
            return _text(shape)


def _text(letters: Letters) -> str:
    place = f'x="{letters.x:g}" y="{letters.y:g}"'
    if letters.turned:
        place = f'transform="translate({letters.x:g},{letters.y:g}) rotate(-90)"'
    look = f' text-anchor="{letters.anchor}"' if letters.anchor != "start" else ""
    look += f' font-size="{letters.size:g}"' if letters.size != 12 else ""
    look += ' font-weight="600"' if letters.bold else ""
    if letters.halo:
        look += f' stroke="{letters.halo}" stroke-width="4" paint-order="stroke"'
    return f'<text {place} fill="{letters.colour}"{look}>{escape(letters.text)}</text>'


def path(corners: Floats) -> str:
    """Path through corners.

    Where several lie straight on along an axis, the last alone is written.
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
