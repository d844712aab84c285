"""Numbers and names as text that steers nothing."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any


def number_text(value: float, digits: int = 2, *, sign: bool = False) -> str:
    """Number with a fixed count of decimals and a true minus sign."""
    return f"{value:{'+' if sign else ''}.{digits}f}".replace("-", "−")


def range_text(lower: float, upper: float) -> str:
    """Interval in words."""
    return f"{number_text(lower)} to {number_text(upper)}"


def threshold_text(value: float) -> str:
    """Threshold with the digits that tell it from others."""
    return "above every score" if value == math.inf else f"{float(value):.4g}".replace("-", "−")


def ordinal(rank: int) -> str:
    """Rank in words: 1st, 2nd."""
    teens = rank % 100 in (11, 12, 13)
    return f"{rank}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(rank % 10, 'th')}"


def plain_text(text: Any, most: int) -> str:
    """Text of the user's on one line, without what steers a terminal or turns the writing around.

    Joiners stay: scripts and emoji need them.
    """
    line = " ".join(str(text).split())
    kept = "".join(c for c in line if c.isprintable() or c in "\N{ZERO WIDTH JOINER}\u200c")
    return kept if len(kept) <= most else kept[: most - 1] + "…"


def chart_text(text: Any, most: int) -> str:
    """Plain text for an Altair chart.

    Altair's pages hold a chart's texts within a script element, as they are. Where one would end
    that element or open a comment, a joiner that nobody sees keeps it from doing so.
    """
    return re.sub("<(?=[/!])", "<\N{WORD JOINER}", plain_text(text, most))


def chart_texts(names: Iterable[Any]) -> dict[Any, str]:
    """Name -> its text in an Altair chart, in order of first appearance.

    Different names stay different.
    """
    texts: dict[Any, str] = {}
    for name in names:
        if name not in texts:
            text, number = chart_text(name, 40), 1
            while text in texts.values():
                number += 1
                text = f"{chart_text(name, 40)} ({number})"
            texts[name] = text
    return texts
