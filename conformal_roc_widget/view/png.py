"""Turns an SVG image into a small PNG image, without a browser."""

from __future__ import annotations

import io
from typing import cast

from conformal_roc_widget.view.svg import Drawing

#: Colours of an image.
COLOURS = 32
#: Red, green and blue, from 0 to 255.
Colour = tuple[int, int, int]


def png(drawing: Drawing, most: int | None = None) -> bytes:
    """PNG image with two pixels a point; with fewer where it would exceed `most` bytes."""
    import vl_convert

    image = _packed(vl_convert.svg_to_png(drawing.svg, scale=2))
    for scale in (1.5, 1):
        if most is not None and len(image) > most:
            image = _packed(vl_convert.svg_to_png(drawing.svg, scale=scale))
    return image


def _packed(image: bytes) -> bytes:
    """The same picture in `COLOURS` colours, enough for a few inks and their edges."""
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
