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

    Joiners stay: scripts and emoji need them. Where a text would end or comment out a script
    element a joiner is put in: Altair's pages hold a chart's texts within one, as they are.
    """
    line = " ".join(str(text).split())
    kept = "".join(c for c in line if c.isprintable() or c in "\N{ZERO WIDTH JOINER}\u200c")
    cut = kept if len(kept) <= most else kept[: most - 1] + "…"
    return re.sub("<(?=[/!])", "<\N{WORD JOINER}", cut)


def plain_texts(names: Iterable[Any]) -> dict[Any, str]:
    """Name -> its text, in order of first appearance; different names stay different."""
    texts: dict[Any, str] = {}
    for name in names:
        if name not in texts:
            text, number = plain_text(name, 40), 1
            while text in texts.values():
                number += 1
                text = f"{plain_text(name, 40)} ({number})"
            texts[name] = text
    return texts
