"""Finds fonts for PNG images: those of the package or, for other scripts, of the machine."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont

FONTS = Path(__file__).parents[1] / "shown/fonts"
#: The characters that the package's fonts have. A text with others needs a font of the machine.
COVERED = re.compile(r"[ -~\xa0-\xac\xae-ňŊ-ſΑ-ΡΣ-ωЁА-яё‐-―‘-„†-•…‰′″€←-↓−√∞≈≠≤≥]*")
#: This character puts a tilde over the letter before it, as in π̃.
TILDE = "\N{COMBINING TILDE}"
#: The file names of fonts with many scripts on common systems.
WIDE = (
    "NotoSansCJK-Regular.ttc",
    "msyh.ttc",
    "PingFang.ttc",
    "Arial Unicode.ttf",
    "DejaVuSans.ttf",
)


def font_for(text: str, size: float, *, bold: bool) -> FreeTypeFont:
    """Returns a font of the package or of this machine that has all characters of `text`.

    If there is none, returns the font of the package.
    """
    if not COVERED.fullmatch(text.replace(TILDE, "")):
        for name in WIDE:
            font = font_of(name, round(size))
            if font is not None and has(font, text):
                return font
    font = font_of(str(FONTS / f"Inter-{'SemiBold' if bold else 'Regular'}.ttf"), round(size))
    if font is None:
        raise FileNotFoundError(f"the package's font is missing: {FONTS}")
    return font


@lru_cache(maxsize=32)
def font_of(name: str, size: int) -> FreeTypeFont | None:
    """Returns the font in the file `name`. None if the machine has no such file."""
    from PIL import ImageFont

    is_bundled = name.startswith(str(FONTS))
    layout = ImageFont.Layout.BASIC if is_bundled else None
    try:
        return ImageFont.truetype(name, size, layout_engine=layout)
    except OSError:
        return None


def has(font: FreeTypeFont, text: str) -> bool:
    """Whether a font has a glyph for every letter of `text`."""
    absent = bytes(font.getmask("\uffff"))
    return all(
        bytes(font.getmask(letter)) != absent for letter in set(text) if not letter.isspace()
    )


@lru_cache(maxsize=64)
def line_of(text: str, font: FreeTypeFont) -> tuple[Image, int]:
    """Draws a line of text as a mask. Returns it, and how far the baseline is below its top."""
    from PIL import Image, ImageDraw

    ascent, descent = font.getmetrics()
    if text and COVERED.fullmatch(text.replace(TILDE, "")):
        glyphs = [_glyph(font, letter) for letter in re.findall(f".{TILDE}?", text)]
        return Image.fromarray(np.hstack(glyphs)), ascent
    mask = Image.new("L", (round(font.getlength(text)) + 2, ascent + descent))
    ImageDraw.Draw(mask).text((0, ascent), text, 255, font, "ls")
    return mask, ascent


@lru_cache(maxsize=200)
def halo_of(text: str, font: FreeTypeFont, wide: int) -> Image:
    """Draws a line of text as a mask, with letters that are `wide` pixels thicker on every side."""
    from PIL import Image, ImageFilter

    mask, _ = line_of(text, font)
    around = Image.new("L", (mask.width + 2 * wide, mask.height + 2 * wide))
    around.paste(mask, (wide, wide))
    return around.filter(ImageFilter.MaxFilter(2 * wide + 1))


@lru_cache(maxsize=2000)
def _glyph(font: FreeTypeFont, letter: str) -> NDArray[np.uint8]:
    """Returns the mask of a letter in a font of the package, as wide as the letter's advance.

    The fonts have no kerning. They lack the combining tilde, so a normal tilde is drawn higher up.
    """
    from PIL import Image, ImageDraw

    ascent, descent = font.getmetrics()
    wide = round(font.getlength(letter[0]))
    mask = Image.new("L", (wide, ascent + descent))
    pencil = ImageDraw.Draw(mask)
    pencil.text((0, ascent), letter[0], 255, font, "ls")
    if letter[1:]:
        foot = ascent + font.getbbox("~", anchor="ls")[3]
        raised = ascent + font.getbbox(letter[0], anchor="ls")[1] - foot
        pencil.text((wide / 2, ascent + raised), "~", 255, font, "ms")
    return np.asarray(mask)
