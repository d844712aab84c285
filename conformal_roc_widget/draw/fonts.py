"""Fonts of PNG images: the package's own, and for other scripts those of the machine."""

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
#: Characters of the package's fonts; others are looked for in the fonts of the machine.
COVERED = re.compile(r"[ -~\xa0-\xac\xae-ňŊ-ſΑ-ΡΣ-ωЁА-яё‐-―‘-„†-•…‰′″€←-↓−√∞≈≠≤≥]*")
#: The character that puts a tilde over the letter before it, as in π̃.
TILDE = "\N{COMBINING TILDE}"
#: File names of fonts with many scripts, as systems have them.
WIDE = (
    "NotoSansCJK-Regular.ttc",
    "msyh.ttc",
    "PingFang.ttc",
    "Arial Unicode.ttf",
    "DejaVuSans.ttf",
)


def font_for(text: str, size: float, *, bold: bool) -> FreeTypeFont:
    """A font of the package, or of this machine, that has the characters of a text."""
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
    """Font of that file; None if the machine has no such file."""
    from PIL import ImageFont

    is_bundled = name.startswith(str(FONTS))
    layout = ImageFont.Layout.BASIC if is_bundled else None
    try:
        return ImageFont.truetype(name, size, layout_engine=layout)
    except OSError:
        return None


def has(font: FreeTypeFont, text: str) -> bool:
    """Whether a font has every letter of a text."""
    absent = bytes(font.getmask("\uffff"))
    return all(
        bytes(font.getmask(letter)) != absent for letter in set(text) if not letter.isspace()
    )


@lru_cache(maxsize=64)
def line_of(text: str, font: FreeTypeFont) -> tuple[Image, int]:
    """Mask of a line of text, and how far its baseline lies below the top."""
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
    """Mask of a line of text, widened by `wide` pixels on every side of its letters."""
    from PIL import Image, ImageFilter

    mask, _ = line_of(text, font)
    around = Image.new("L", (mask.width + 2 * wide, mask.height + 2 * wide))
    around.paste(mask, (wide, wide))
    return around.filter(ImageFilter.MaxFilter(2 * wide + 1))


@lru_cache(maxsize=2000)
def _glyph(font: FreeTypeFont, letter: str) -> NDArray[np.uint8]:
    """Mask of a letter of one of the package's fonts, as wide as in a line.

    The fonts have no kerning, and no tilde to stand over a letter: it is the one beside letters,
    raised.
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
