"""Fills in the templates of words.json, which pictures, texts and the page share.

A template holds ``{name}`` for a text, ``{name:format}`` for a number in one of `FORMATS`,
``{name:one|several}`` for a word that depends on the number, and ``{name:count rows}`` or
``{name:count {noun}}`` for the number with its noun. The page shows text between stars in bold, and
text between angles in bold and in the colour of the limits. The page's filler is
js/src/base/words.ts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from string import Formatter
from typing import Any

from .text import counted, number_text, percent, rate_at_least, rate_at_most, threshold_text

TEMPLATES: Mapping[str, str] = json.loads(Path(__file__).with_name("words.json").read_text("utf-8"))

NUMBERS = TEMPLATES["number.words"].split()


def about(threshold: float) -> str:
    """Writes a threshold with two decimals, or with more within .05 of 0 and 1."""
    near = min(threshold, 1 - threshold) < 0.05
    return threshold_text(threshold) if near else number_text(threshold)


#: How a template may write a number: the name of the format, and its function.
FORMATS: Mapping[str, Callable[[Any], str]] = {
    "": str,
    "rate": number_text,
    "least": rate_at_least,
    "most": rate_at_most,
    "three": partial(number_text, digits=3),
    "whole": partial(number_text, digits=0),
    "threshold": threshold_text,
    "about": about,
    "percent": percent,
    "count": "{:,.0f}".format,
    "words": lambda n: NUMBERS[n] if n < len(NUMBERS) else f"{n:,}",
}

_WITHOUT_STYLE = str.maketrans("", "", "*<>")


class _Filler(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        """The text of `value`: in a format of `FORMATS`, with a noun, or one of two words.

        In a template, the three forms are written as ``{n:percent}``, ``{n:count rows}`` and
        ``{n:is|are}``.
        """
        if format_spec.startswith("count "):
            return counted(value, format_spec.removeprefix("count ").removesuffix("s"))
        one, is_plural, several = format_spec.partition("|")
        if is_plural:
            return one if value == 1 else several
        return FORMATS[format_spec](value)


def words(key: str, **values: Any) -> str:
    """Returns the sentence of the template `key` with `values` filled in, without marks of bold."""
    return _Filler().format(TEMPLATES[key].translate(_WITHOUT_STYLE), **values)
