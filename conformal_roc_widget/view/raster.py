"""Draws the SVG images of `svg` as pixels: paths, boxes, circles and texts, and nothing else.

Lines along the axes, of which step curves consist, are set on whole pixels; slanted ones are
smoothed by drawing them larger. A piece of SVG that is not known here is an error, so that no
picture silently lacks something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree.ElementTree import Element, fromstring

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont

FONTS = Path(__file__).parent / "fonts"
#: Characters of those fonts; the others are looked for in the fonts of the machine.
COVERED = re.compile(r"[ -~\xa0-\xac\xae-ňŊ-ſΑ-ΡΣ-ωЁА-яё‐-―‘-„†-•…‰′″€←-↓−√∞≈≠≤≥]*")
#: File names of fonts with many scripts, as systems have them.
WIDE = (
    "NotoSansCJK-Regular.ttc",
    "msyh.ttc",
    "PingFang.ttc",
    "Arial Unicode.ttf",
    "DejaVuSans.ttf",
)
#: Slanted lines are drawn so many times larger.
SMOOTH = 4
#: Dashes of a slanted line that are drawn in one mask.
DASHES = 8
NAMESPACE = "{http://www.w3.org/2000/svg}"
STEP = re.compile(r"([MLHVZhv])([^MLHVZhv]*)")
NUMBER = re.compile(r"-?[\d.]+(?:e-?\d+)?")


class Place(NamedTuple):
    """Origin in pixels, pixels a point, and whether texts are turned by a quarter."""

    x: float
    y: float
    scale: float
    turned: bool = False


def raster(svg: str, scale: float) -> Image:
    """Image of an SVG text with so many pixels a point."""
    from PIL import Image

    root = fromstring(svg)
    size = [round(float(root.attrib[side]) * scale) for side in ("width", "height")]
    image = Image.new("RGB", (size[0], size[1]))
    patterns = {each.attrib["id"]: each for each in root.iter(f"{NAMESPACE}pattern")}
    _Canvas(image, patterns).group(root, {}, Place(0, 0, scale))
    return image


class _Canvas:
    """Draws elements, each with the attributes that it inherits."""

    def __init__(self, image: Image, patterns: Mapping[str, Element]) -> None:
        from PIL import ImageDraw

        self.image, self.patterns = image, patterns
        self.pencil: Any = ImageDraw.Draw(image)

    def group(self, element: Element, inherited: Mapping[str, str], place: Place) -> None:
        style = {**inherited, **element.attrib}
        place = _moved(place, element.get("transform"))
        for child in element:
            name = child.tag.removeprefix(NAMESPACE)
            if name in ("title", "desc", "defs"):
                continue
            if name == "g":
                self.group(child, style, place)
                continue
            draw = getattr(self, f"_{name}", None)
            if draw is None:
                raise ValueError(f"SVG element: found {name}, expected a shape or a text")
            draw({**style, **child.attrib}, _moved(place, child.get("transform")), child)

    def _rect(self, style: Mapping[str, str], place: Place, _: Element) -> None:
        wide, high = (float(style[side]) * place.scale for side in ("width", "height"))
        x = place.x + float(style.get("x", 0)) * place.scale
        y = place.y + float(style.get("y", 0)) * place.scale
        box = (round(x), round(y), round(x + wide), round(y + high))
        fill = style["fill"]
        if not fill.startswith("url"):
            self.pencil.rectangle((*box[:2], box[2] - 1, box[3] - 1), fill)
            return
        pattern, opacity = self.patterns[fill[5:-1]], float(style.get("opacity", 1))
        size = (box[2] - box[0], box[3] - box[1])
        for ink, mask in _tiles(pattern, size, place.scale, opacity):
            self.image.paste(ink, box[:2], mask)

    def _circle(self, style: Mapping[str, str], place: Place, _: Element) -> None:
        from PIL import Image, ImageDraw

        x, y, radius = (float(style[name]) * place.scale for name in ("cx", "cy", "r"))
        edge = float(style.get("stroke-width", 1)) * place.scale / 2 if "stroke" in style else 0
        rings = [(radius - edge, style["fill"])]
        if "stroke" in style:
            rings.insert(0, (radius + edge, style["stroke"]))
        for size, ink in rings:
            side = 2 * round(size + 1)
            left, top = round(place.x + x) - side // 2, round(place.y + y) - side // 2
            mask = Image.new("L", (SMOOTH * side, SMOOTH * side))
            centre = (SMOOTH * (place.x + x - left), SMOOTH * (place.y + y - top))
            ImageDraw.Draw(mask).circle(centre, SMOOTH * size, 255)
            self.image.paste(ink, (left, top), mask.reduce(SMOOTH))

    def _path(self, style: Mapping[str, str], place: Place, _: Element) -> None:
        origin = np.array([place.x, place.y])
        lines = [line * place.scale + origin for line in _lines_of(style["d"])]
        fill = style.get("fill", "none")
        if fill != "none" and "stroke" not in style:
            for line in lines:
                if fill.startswith("url"):
                    self._hatched_area(line, self.patterns[fill[5:-1]], place)
                else:
                    self._area(line, fill, float(style.get("fill-opacity", 1)))
        if "stroke" not in style:
            return
        width = float(style.get("stroke-width", 1)) * place.scale
        dashes = [float(dash) * place.scale for dash in style.get("stroke-dasharray", "").split()]
        for line in lines:
            pieces = list(_dashed(line, dashes)) if dashes else [line]
            if (np.diff(line, axis=0) == 0).any(axis=1).all():
                self._straight(pieces, style["stroke"], width)
            else:
                self._slanted(pieces, style["stroke"], width)

    def _area(self, line: Floats, ink: str, opacity: float) -> None:
        from PIL import Image, ImageColor, ImageDraw

        left, top = (int(low) for low in np.floor(line.min(axis=0)))
        wide, high = (int(size) + 1 for size in np.ceil(line.max(axis=0)) - (left, top))
        mask = Image.new("1", (wide, high))
        corners = np.round(line - (left, top)).ravel().tolist()
        ImageDraw.Draw(mask).polygon(corners, fill=1)
        # Opacity in 255 steps, as renderers have it.
        part = round(255 * opacity) / 255
        colour = ImageColor.getrgb(ink)
        tints = [round(part * channel + (1 - part) * v) for channel in colour for v in range(256)]
        below = self.image.crop((left, top, left + wide, top + high))
        self.image.paste(below.point(tints), (left, top), mask)

    def _hatched_area(self, line: Floats, pattern: Element, place: Place) -> None:
        """Area in a pattern, whose tiles begin where the group does."""
        from PIL import Image, ImageChops, ImageDraw

        low, high = np.floor(line.min(axis=0)), np.ceil(line.max(axis=0))
        left, top = (int(number) for number in low)
        box = (round(place.x), round(place.y), int(high[0]) + 1, int(high[1]) + 1)
        size = (box[2] - left, box[3] - top)
        inside = Image.new("L", size)
        ImageDraw.Draw(inside).polygon(np.round(line - (left, top)).ravel().tolist(), fill=255)
        at = (left - box[0], top - box[1])
        for ink, mask in _tiles(pattern, (box[2] - box[0], box[3] - box[1]), place.scale):
            lines = mask.crop((*at, at[0] + size[0], at[1] + size[1]))
            self.image.paste(ink, (left, top), ImageChops.multiply(inside, lines))

    def _straight(self, pieces: list[Floats], ink: str, width: float) -> None:
        """Lines along the axes; copies one pixel thick, moved along the diagonal, fill corners."""
        thick = max(round(width), 1)
        for piece in pieces:
            if len(piece) == 2:
                lengthwise = np.ptp(piece, axis=0) != 0
                first = np.round(piece.min(axis=0) - ~lengthwise * thick / 2)
                last = np.where(lengthwise, np.round(piece.max(axis=0)), first + thick) - 1
                self.pencil.rectangle((*first.tolist(), *np.maximum(first, last).tolist()), ink)
                continue
            corners = np.round(piece - thick / 2)
            for shift in range(thick):
                self.pencil.line((corners + shift).ravel().tolist(), ink)

    def _slanted(self, pieces: list[Floats], ink: str, width: float) -> None:
        """Other lines, bit by bit: a mask as large as the plot takes longer than all of them."""
        from PIL import Image, ImageDraw

        bits = [piece[i : i + 17] for piece in pieces for i in range(0, len(piece) - 1, 16)]
        # A few dashes share a mask; those of a plot's diagonal would need a hundred and fifty.
        several = 1 if len(pieces) == 1 else DASHES
        for at in range(0, len(bits), several):
            group = bits[at : at + several]
            points = np.concatenate(group)
            left, top = (int(low) for low in np.floor(points.min(axis=0) - width))
            wide, high = (
                int(size) + 1 for size in np.ceil(points.max(axis=0) + width) - (left, top)
            )
            mask = Image.new("L", (SMOOTH * wide, SMOOTH * high))
            pencil = ImageDraw.Draw(mask)
            for bit in group:
                corners = (SMOOTH * (bit - (left, top))).ravel().tolist()
                pencil.line(corners, 255, width=max(round(SMOOTH * width), 1))
            self.image.paste(ink, (left, top), mask.reduce(SMOOTH))

    def _text(self, style: Mapping[str, str], place: Place, element: Element) -> None:
        text = element.text or ""
        size = float(style["font-size"]) * place.scale
        font = _font(text, size, bold=style.get("font-weight", "400") != "400")
        anchor = {"start": "ls", "middle": "ms", "end": "rs"}[style.get("text-anchor", "start")]
        x = place.x + float(style.get("x", 0)) * place.scale
        y = place.y + float(style.get("y", 0)) * place.scale
        if place.turned:
            self._turned_text(text, font, style["fill"], (x, y))
            return
        if "stroke" in style:
            thick = round(float(style["stroke-width"]) * place.scale / 2)
            halo = {"stroke_width": thick, "stroke_fill": style["stroke"]}
            self.pencil.text((x, y), text, style["fill"], font, anchor, **halo)
            return
        mask, ascent = _line_of(text, font)
        start = {"l": 0.0, "m": mask.width / 2, "r": mask.width}[anchor[0]]
        self.image.paste(style["fill"], (round(x - start), round(y) - ascent), mask)

    def _turned_text(
        self, text: str, font: FreeTypeFont, ink: str, middle: tuple[float, float]
    ) -> None:
        from PIL import Image

        mask, ascent = _line_of(text, font)
        corner = (round(middle[0]) - ascent, round(middle[1] - mask.width / 2))
        self.image.paste(ink, corner, mask.transpose(Image.Transpose.ROTATE_90))


def _tiles(
    pattern: Element, size: tuple[int, int], scale: float, opacity: float = 1.0
) -> Iterator[tuple[str, Image]]:
    """Ink and mask of each line of a pattern, laid over a box of that size."""
    from PIL import Image, ImageDraw

    wide, high = (round(float(pattern.attrib[side]) * scale) for side in ("width", "height"))
    for shape in pattern:
        tile = Image.new("L", (SMOOTH * wide, SMOOTH * high))
        pencil = ImageDraw.Draw(tile)
        for line in _lines_of(shape.attrib["d"]):
            width = SMOOTH * scale * float(shape.get("stroke-width", 1))
            pencil.line((SMOOTH * scale * line).ravel().tolist(), 255, width=round(width))
        strength = opacity * float(shape.get("stroke-opacity", 1))
        cell = (np.asarray(tile.reduce(SMOOTH)) * strength).astype(np.uint8)
        whole = np.tile(cell, (-(-size[1] // high), -(-size[0] // wide)))
        mask = Image.fromarray(np.ascontiguousarray(whole[: size[1], : size[0]]))
        yield shape.attrib["stroke"], mask


def _line_of(text: str, font: FreeTypeFont) -> tuple[Image, int]:
    """Mask of a line of text, and how far its baseline lies below the top."""
    from PIL import Image, ImageDraw

    ascent, descent = font.getmetrics()
    if text and COVERED.fullmatch(text):
        return Image.fromarray(np.hstack([_glyph(font, letter) for letter in text])), ascent
    mask = Image.new("L", (round(font.getlength(text)) + 2, ascent + descent))
    ImageDraw.Draw(mask).text((0, ascent), text, 255, font, "ls")
    return mask, ascent


@lru_cache(maxsize=2000)
def _glyph(font: FreeTypeFont, letter: str) -> NDArray[np.uint8]:
    """Letter of one of the package's fonts, which have no kerning, as wide as it is in the line."""
    from PIL import Image, ImageDraw

    ascent, descent = font.getmetrics()
    mask = Image.new("L", (round(font.getlength(letter)), ascent + descent))
    ImageDraw.Draw(mask).text((0, ascent), letter, 255, font, "ls")
    return np.asarray(mask)


def _moved(place: Place, transform: str | None) -> Place:
    if transform is None:
        return place
    turned = transform.endswith("rotate(-90)")
    shift = transform.removesuffix("rotate(-90)").strip()
    if not shift.startswith("translate("):
        raise ValueError(f"transform: found {transform!r}, expected translate, rotate(-90)")
    x, y = (float(number) for number in NUMBER.findall(shift))
    return Place(place.x + x * place.scale, place.y + y * place.scale, place.scale, turned)


def _lines_of(path: str) -> list[Floats]:
    """Points of each line of a path; a closed one ends where it began."""
    lines: list[list[tuple[float, float]]] = []
    x = y = 0.0
    for command, text in STEP.findall(path):
        # Most of a picture's path commands are steps of its curves.
        if command == "H":
            x = float(text)
        elif command == "V":
            y = float(text)
        elif command in "ML":
            x, y = map(float, text.split())
        elif command == "h":
            x += float(text)
        elif command == "v":
            y += float(text)
        else:
            x, y = lines[-1][0]
        if command == "M":
            lines.append([])
        lines[-1].append((x, y))
    return [np.array(line) for line in lines]


def _dashed(line: Floats, dashes: list[float]) -> Iterator[Floats]:
    """Pieces of a line that its dashes leave."""
    steps = np.abs(np.diff(line, axis=0))
    along = np.append(0, np.cumsum(np.hypot(*steps.T)))
    ends = np.append(
        0, np.cumsum(np.resize(dashes, int(along[-1] / sum(dashes) + 1) * len(dashes)))
    )
    ends = np.minimum(ends, along[-1])
    at = np.column_stack([np.interp(ends, along, line[:, axis]) for axis in (0, 1)])
    after, before = (np.searchsorted(along, ends, side) for side in ("right", "left"))
    for number, (begin, end) in enumerate(pairwise(range(len(ends)))):
        if number % 2 == 0 and ends[begin] < along[-1]:
            yield np.vstack([at[begin], line[after[begin] : before[end]], at[end]])


def _font(text: str, size: float, *, bold: bool) -> FreeTypeFont:
    """Font that has the characters, as far as one of this machine has them."""
    if not COVERED.fullmatch(text):
        for name in WIDE:
            font = _font_of(name, round(size))
            if font is not None and _has(font, text):
                return font
    font = _font_of(str(FONTS / f"Inter-{'SemiBold' if bold else 'Regular'}.ttf"), round(size))
    if font is None:
        raise FileNotFoundError(f"the package's font is missing: {FONTS}")
    return font


@lru_cache(maxsize=32)
def _font_of(name: str, size: int) -> FreeTypeFont | None:
    """Font of that file; None where the machine has no such file."""
    from PIL import ImageFont

    is_bundled = name.startswith(str(FONTS))
    layout = ImageFont.Layout.BASIC if is_bundled else None
    try:
        return ImageFont.truetype(name, size, layout_engine=layout)
    except OSError:
        return None


def _has(font: FreeTypeFont, text: str) -> bool:
    absent = bytes(font.getmask("\uffff"))
    return all(
        bytes(font.getmask(letter)) != absent for letter in set(text) if not letter.isspace()
    )
