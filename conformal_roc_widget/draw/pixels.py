"""Draws a sheet of shapes as a small PNG image with Pillow.

The lines of step curves are parallel to the axes, and are drawn on whole pixels. Slanted lines are
drawn several times as large and then shrunk, which smooths their edges.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints

from .fonts import font_for, halo_of, line_of
from .shapes import Disc, Fill, Letters, Sheet, Stroke
from .svg import HATCH, TILE

if TYPE_CHECKING:
    from PIL.Image import Image

#: Slanted lines are drawn larger by this factor and then shrunk, which smooths their edges.
SMOOTH = 4
#: This many dashes of a slanted line are drawn in one mask.
DASHES = 8
#: The number of colours of an image. With 16 colours, a pixel takes four bits.
COLOURS = 16
#: `png` tries large sizes first, to find one with at most `most` bytes. A size with more than this
#: many pixels per allowed byte is not tried, because its file would hardly ever be small enough.
PIXELS = 32
#: Red, green and blue, each from 0 to 255.
Colour = tuple[int, int, int]


def png(
    sheet: Sheet,
    most: int | None = None,
    *,
    see_through: bool = False,
    scale: float | None = None,
    dpi: float | None = None,
) -> bytes:
    """Writes a sheet as a PNG image with two pixels per point, or fewer to stay below `most` bytes.

    `scale` sets the pixels per point, and `dpi` is the resolution that the file states. If
    `see_through` is set, the image has no background, and its colours have opacities.
    """
    used = {s.edge if isinstance(s, Disc) else s.colour for s in sheet.shapes}
    inks = sorted(used - {sheet.background})
    area = sheet.width * sheet.height
    scales = [2, 1.5, 1] if scale is None else [scale]
    if most is not None:
        scales = [scale for scale in scales[:2] if area * scale**2 < PIXELS * most] + [1]
    image = b""
    for each in scales:
        image = packed(raster(sheet, each), inks, dpi, see_through=see_through)
        if most is None or len(image) <= most:
            break
    return image


def packed(
    pixels: Image,
    inks: Sequence[str] = (),
    dpi: float | None = None,
    *,
    see_through: bool = False,
) -> bytes:
    """Writes an image as a PNG file with at most `COLOURS` colours.

    `inks` are the main colours. If `see_through` is set, each colour of the image is replaced by an
    ink with an opacity that looks the same on white.
    """
    from PIL import Image, ImageColor

    # Every second pixel of every second row is enough to find the colours.
    few = pixels.resize((pixels.width // 2, pixels.height // 2), Image.Resampling.NEAREST)
    counted = cast("list[tuple[int, Colour]]", few.getcolors(few.width * few.height))
    # Among nearly equal colours, only the most frequent one is kept.
    found = [colour for _, colour in sorted(counted, reverse=True)]
    # The main colours (`inks`) are always kept, even if only a few pixels have them. They take up
    # at most half of the palette.
    first = [cast("Colour", ImageColor.getrgb(ink)) for ink in inks[: COLOURS // 2]]
    frequent: dict[Colour, Colour] = {}
    for red, green, blue in (found[0], *first, *found):
        frequent.setdefault((red >> 4, green >> 4, blue >> 4), (red, green, blue))
    kept = np.array(list(frequent.values())[:COLOURS])
    palette = Image.new("P", (1, 1))
    palette.putpalette(kept.ravel().tolist())
    shown = pixels.quantize(palette=palette, dither=Image.Dither.NONE)
    more: dict[str, Any] = {} if dpi is None else {"dpi": (dpi, dpi)}
    if see_through:
        kept, shares = _unmixed(kept, inks)
        shown.putpalette(kept.ravel().tolist())
        more["transparency"] = bytes(shares.tolist())
    made = io.BytesIO()
    # Level 7 would take half the time. But files would be 4 % larger, and five charts of a notebook
    # would exceed 600 kB.
    shown.save(made, "PNG", bits=4, compress_level=8, **more)
    return made.getvalue()


def _unmixed(colours: Ints, inks: Sequence[str]) -> tuple[Ints, Ints]:
    """Returns for each colour the ink and opacity (0 to 255) that on white come nearest to it."""
    from PIL import ImageColor

    pure = np.array([ImageColor.getrgb(ink) for ink in inks])
    lacking, most = 255 - colours, 255 - pure
    shares = np.clip(lacking @ most.T / (most**2).sum(axis=1), 0, 1)
    missed = ((lacking[:, None] - shares[..., None] * most) ** 2).sum(axis=2)
    nearest = missed.argmin(axis=1)
    return pure[nearest], np.round(255 * shares[np.arange(len(colours)), nearest]).astype(int)


def raster(sheet: Sheet, scale: float) -> Image:
    """Draws a sheet as an image with `scale` pixels per point."""
    from PIL import Image

    size = (round(sheet.width * scale), round(sheet.height * scale))
    canvas = _Canvas(Image.new("RGB", size, sheet.background), scale)
    for shape in sheet.shapes:
        match shape:
            case Stroke():
                canvas.stroke(shape)
            case Fill():
                canvas.fill(shape)
            case Disc():
                canvas.disc(shape)
            case Letters():
                canvas.letters(shape)
    return canvas.image


class _Canvas:
    """Draws the shapes of a sheet on a Pillow image."""

    def __init__(self, image: Image, scale: float) -> None:
        from PIL import ImageDraw

        self.image, self.scale = image, scale
        self.pencil: Any = ImageDraw.Draw(image)

    def disc(self, disc: Disc) -> None:
        from PIL import Image, ImageDraw

        x, y, radius, width = (
            each * self.scale for each in (disc.x, disc.y, disc.radius, disc.width)
        )
        for size, ink in ((radius + width / 2, disc.edge), (radius - width / 2, disc.fill)):
            side = 2 * round(size + 1)
            left, top = round(x) - side // 2, round(y) - side // 2
            mask = Image.new("L", (SMOOTH * side, SMOOTH * side))
            centre = (SMOOTH * (x - left), SMOOTH * (y - top))
            ImageDraw.Draw(mask).circle(centre, SMOOTH * size, 255)
            self.image.paste(ink, (left, top), mask.reduce(SMOOTH))

    def stroke(self, stroke: Stroke) -> None:
        width = stroke.width * self.scale
        dashes = [dash * self.scale for dash in stroke.dashes]
        for line in (corners * self.scale for corners in stroke.lines):
            pieces = dashed(line, dashes) if dashes else [line]
            if (np.diff(line, axis=0) == 0).any(axis=1).all():
                self._straight(pieces, stroke.colour, width)
            else:
                self._slanted(pieces, stroke.colour, width)

    def fill(self, fill: Fill) -> None:
        from PIL import Image, ImageChops, ImageColor, ImageDraw

        line = fill.corners * self.scale
        left, top = (int(low) for low in np.floor(line.min(axis=0)))
        wide, high = (int(size) + 1 for size in np.ceil(line.max(axis=0)) - (left, top))
        box = (left, top, left + wide, top + high)
        mask = Image.new("L" if fill.hatched else "1", (wide, high))
        corners = np.round(line - (left, top)).ravel().tolist()
        ImageDraw.Draw(mask).polygon(corners, fill=255 if fill.hatched else 1)
        if fill.hatched:
            lines = _hatch(self.image.size, self.scale).crop(box)
            self.image.paste(fill.colour, (left, top), ImageChops.multiply(mask, lines))
            return
        # The opacity is rounded to a multiple of 1/255, as in renderers of SVG.
        part = round(255 * fill.opacity) / 255
        ink = part * np.array(ImageColor.getrgb(fill.colour))[:, None]
        tints = np.round(ink + (1 - part) * np.arange(256)).astype(int).ravel().tolist()
        self.image.paste(self.image.crop(box).point(tints), (left, top), mask)

    def letters(self, letters: Letters) -> None:
        from PIL import Image

        text, ink = letters.text, letters.colour
        font = font_for(text, letters.size * self.scale, bold=letters.bold)
        x, y = letters.x * self.scale, letters.y * self.scale
        mask, ascent = line_of(text, font)
        before = mask.width * {"start": 0, "middle": 0.5, "end": 1}[letters.anchor]
        if letters.turned:
            corner = (round(x) - ascent, round(y - before))
            self.image.paste(ink, corner, mask.transpose(Image.Transpose.ROTATE_90))
            return
        corner = (round(x - before), round(y) - ascent)
        if letters.halo:
            wide = round(2 * self.scale)
            behind = halo_of(text, font, wide)
            self.image.paste(letters.halo, (corner[0] - wide, corner[1] - wide), behind)
        self.image.paste(ink, corner, mask)

    def _straight(self, pieces: Sequence[Floats], ink: str, width: float) -> None:
        """Draws lines that are parallel to the axes, on whole pixels.

        A line with corners is drawn as several one-pixel lines, each a pixel farther along the
        diagonal.
        """
        thick = max(round(width), 1)
        bars = np.array([piece for piece in pieces if len(piece) == 2]).reshape(-1, 2, 2)
        first, last = bars.min(axis=1), bars.max(axis=1)
        across = first == last
        first = np.round(first - across * thick / 2)
        last = np.maximum(first, np.where(across, first + thick, np.round(last)) - 1)
        for box in np.hstack([first, last]).tolist():
            self.pencil.rectangle(box, ink)
        for piece in pieces:
            corners = np.round(piece - thick / 2)
            for shift in range(thick if len(piece) > 2 else 0):
                self.pencil.line((corners + shift).ravel().tolist(), ink)

    def _slanted(self, pieces: Sequence[Floats], ink: str, width: float) -> None:
        """Draws slanted lines in small masks. One mask for the whole plot would be slower."""
        from PIL import Image, ImageDraw

        bits = [piece[i : i + 65] for piece in pieces for i in range(0, len(piece) - 1, 64)]
        # The diagonal of the plot has 150 dashes. A mask for each would be slow, so several dashes
        # share a mask.
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


def _hatch(size: tuple[int, int], scale: float) -> Image:
    """Returns the mask of a hatch at right angles to the diagonal, as large as the image."""
    from PIL import Image, ImageDraw

    side = round(TILE * scale)
    tile = Image.new("L", (SMOOTH * side, SMOOTH * side))
    pencil = ImageDraw.Draw(tile)
    for line in ((-1, -1, 12, 12), (-1, 10, 1, 12), (10, -1, 12, 1)):
        pencil.line([SMOOTH * scale * end for end in line], 255, width=round(SMOOTH * scale))
    cell = (np.asarray(tile.reduce(SMOOTH)) * HATCH).astype(np.uint8)
    whole = np.tile(cell, (-(-size[1] // side), -(-size[0] // side)))
    return Image.fromarray(np.ascontiguousarray(whole[: size[1], : size[0]]))


def dashed(line: Floats, dashes: Sequence[float]) -> list[Floats]:
    """Returns the pieces of a line (n, 2) that are drawn if it has these dashes."""
    steps = np.abs(np.diff(line, axis=0))
    along = np.append(0, np.cumsum(np.hypot(*steps.T)))
    length, rounds = along[-1], int(along[-1] / sum(dashes) + 1)
    ends = np.append(0, np.cumsum(np.resize(dashes, rounds * len(dashes))))
    ends = np.append(ends[ends < length], length)
    corners = ~np.isin(along, ends)
    at = np.column_stack([np.interp(ends, along, line[:, axis]) for axis in (0, 1)])
    order = np.argsort(np.append(ends, along[corners]), kind="stable")
    points = np.concatenate([at, line[corners]])[order]
    places = np.flatnonzero(order < ends.size).tolist()
    return [points[i : j + 1] for i, j in zip(places[::2], places[1::2], strict=False)]
