"""Turns a drawing into a small PNG image, without a browser."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, cast

from conformal_roc_widget.view.raster import raster
from conformal_roc_widget.view.svg import Drawing

if TYPE_CHECKING:
    from PIL.Image import Image

#: Colours of an image: with 16 a pixel takes four bits.
COLOURS = 16
#: Red, green and blue, from 0 to 255.
Colour = tuple[int, int, int]


def png(drawing: Drawing, most: int | None = None) -> bytes:
    """PNG image with two pixels a point; with fewer where it would exceed `most` bytes."""
    image = _packed(raster(drawing.svg, 2))
    for scale in (1.5, 1):
        if most is not None and len(image) > most:
            image = _packed(raster(drawing.svg, scale))
    return image


def _packed(pixels: Image) -> bytes:
    """The same picture in `COLOURS` colours, enough for a few inks and their edges."""
    from PIL import Image

    # Every second pixel tells which colours there are.
    few = pixels.resize((pixels.width // 2, pixels.height // 2), Image.Resampling.NEAREST)
    counted = cast("list[tuple[int, Colour]]", few.getcolors(few.width * few.height))
    # The inks as they are: of colours that are nearly the same the one that is there most.
    inks: dict[Colour, Colour] = {}
    for _, (red, green, blue) in sorted(counted, reverse=True):
        inks.setdefault((red >> 4, green >> 4, blue >> 4), (red, green, blue))
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in list(inks.values())[:COLOURS] for part in colour])
    packed = io.BytesIO()
    pixels.quantize(palette=palette, dither=Image.Dither.NONE).save(
        packed, "PNG", bits=4, compress_level=5
    )
    return packed.getvalue()
