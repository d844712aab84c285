"""Numbers and limits in words, as pages and pictures are to say them."""

import math
import re
from string import Formatter

from conformal_roc_widget.text import number_text
from conformal_roc_widget.words import TEMPLATES


def limits_text(lower, upper, sides):
    """The limits that exist; a single one at an end of what is possible says nothing."""
    low, high = sides
    if low != high:
        low, high = low and lower > 0, high and upper < 1
    lower, upper = number_text(lower), number_text(upper)
    if low and high:
        return f"{lower} to {upper}"
    return f"at least {lower}" if low else f"at most {upper}" if high else "no limits"


def range_text(lower, upper):
    """Both limits of a rate."""
    return f"{number_text(lower)} to {number_text(upper)}"


def area_digits(areas):
    """Decimals of areas that stand together: near 1 two would not part them."""
    return 3 if any(area > 0.98 for area in areas) else 2


def share_text(share: float) -> str:
    """A rate in percent as the page writes it: whole, with decimals next to 0 and 100."""
    tail = min(abs(share), abs(1 - share))
    digits = 0 if tail == 0 or tail >= 0.01 else 1
    if 0 < tail < 0.0005:
        digits = min(-math.floor(math.log10(100 * tail)), 12)
    return f"{number_text(100 * share, digits)}\N{NO-BREAK SPACE}%"


def share_range(lower: float, upper: float) -> str:
    return f"{share_text(lower)[:-2]} to {share_text(upper)}"


def share_limits(lower, upper, sides):
    """The limits that exist, in percent; see `limits_text`."""
    low, high = sides
    if low != high:
        low, high = low and lower > 0, high and upper < 1
    if low and high:
        return share_range(lower, upper)
    if low:
        return f"at least {share_text(lower)}"
    return f"at most {share_text(upper)}" if high else "no limits"


def is_said(key, text, **values):
    """Whether a template stands in a text, with these values as texts and anything for the others."""
    pieces = Formatter().parse(re.sub("[*<>]", "", TEMPLATES[key]))
    pattern = ""
    for literal, name, _, _ in pieces:
        value = "" if name is None else re.escape(values[name]) if name in values else ".+?"
        pattern += re.escape(literal) + value
    return re.search(pattern, text.replace("\N{NO-BREAK SPACE}", " ")) is not None
