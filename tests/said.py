"""Numbers and limits in words, as pages and pictures must write them."""

import math
import re
from string import Formatter

from conformal_roc_widget.text import number_text
from conformal_roc_widget.words import TEMPLATES


def limits_text(lower, upper, sides):
    """The limits as text. If only one exists and is at the end of the range, it is left out."""
    low, high = sides
    if low != high:
        low, high = low and lower > 0, high and upper < 1
    lower, upper = number_text(lower), number_text(upper)
    if low and high:
        return f"{lower} to {upper}"
    return f"at least {lower}" if low else f"at most {upper}" if high else "no limits"


def area_digits(areas):
    """The number of decimals for areas that are compared. Near 1, two decimals would not
    distinguish them.
    """
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
    """The existing limits in percent. See `limits_text`."""
    low, high = sides
    if low != high:
        low, high = low and lower > 0, high and upper < 1
    if low and high:
        return share_range(lower, upper)
    if low:
        return f"at least {share_text(lower)}"
    return f"at most {share_text(upper)}" if high else "no limits"


def is_said(key, text, **values):
    """Whether a text contains a template with these values, and any text for the other values."""
    # A number with its noun, "{n:count {rows}}", is replaced by a number and a noun.
    template = re.sub(r"{(\w+):count (\S.*?}?)}", r"{\1} \2", TEMPLATES[key])
    pieces = Formatter().parse(re.sub("[*<>]", "", template))
    pattern = ""
    for literal, name, _, _ in pieces:
        value = "" if name is None else re.escape(values[name]) if name in values else ".+?"
        pattern += re.escape(literal) + value
    return re.search(pattern, text.replace("\N{NO-BREAK SPACE}", " ")) is not None
