"""Fills the templates of words.json, which has what pictures, texts and the page say alike.

A template holds ``{name}`` for a text, ``{name:format}`` for a number in one of `FORMATS`, and
``{name:one|several}`` for the word that fits it. Between stars stands what the page has in bold,
between angles what it has in bold and in the colour of the limits. The page's filler is
js/src/base/words.ts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from string import Formatter
from typing import Any

from .text import number_text, percent, rate_at_least, rate_at_most, threshold_text

TEMPLATES: Mapping[str, str] = json.loads(Path(__file__).with_name("words.json").read_text("utf-8"))

NUMBERS = TEMPLATES["number.words"].split()


def about(threshold: float) -> str:
    """A threshold with two decimals, more next to 0 and 1."""
    near = min(threshold, 1 - threshold) < 0.05
    return threshold_text(threshold) if near else number_text(threshold)


#: Formats of numbers, by the names that templates have for them.
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
        """The value in a format, or the word for one or for several."""
        one, is_plural, several = format_spec.partition("|")
        if is_plural:
            return one if value == 1 else several
        return FORMATS[format_spec](value)


def words(key: str, **values: Any) -> str:
    """The template of this name with its values."""
    return _Filler().format(TEMPLATES[key].translate(_WITHOUT_STYLE), **values)
