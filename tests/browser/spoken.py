"""Numbers and limits in the words of the page."""

import math
from collections.abc import Sequence
from fractions import Fraction


def rate(value: float) -> str:
    """As the page writes it."""
    return fixed(value, 2)


def fixed(value: float, digits: int) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    # JavaScript rounds the exact binary value, halves away from zero; Python's format halves to even.
    exact, unit = Fraction(abs(value)), 10**digits
    text = f"{math.floor(exact * unit + Fraction(1, 2)) / unit:.{digits}f}"
    return f"−{text}" if value < 0 and float(text) != 0 else text


def signed(value: float) -> str:
    return f"+{rate(value)}" if value > 0 else rate(value)


def between(low: float, high: float) -> str:
    return f"{rate(low)} to {rate(high)}"


def percent(share: float) -> str:
    return fixed(100 * share, 1).removesuffix(".0") + " %"


def threshold_text(threshold: float) -> str:
    """Two decimals, three where two do not name it, and more next to 0 and 1."""
    tail = min(threshold, 1 - threshold)
    if 0 < tail < 0.0005:
        return fixed(threshold, min(-math.floor(math.log10(tail)), 12))
    three = fixed(threshold, 3)
    return three[:-1] if three.endswith("0") else three


def significance(alpha: float) -> str:
    three = f"{alpha:.3f}"
    return three[:-1] if alpha >= 0.02 and three.endswith("0") else three


def joint_sides(limits: Sequence[Sequence[bool]]) -> tuple[bool, bool]:
    """Which ends are limits of something that grows with both rates, as both labels have them."""
    (low0, high0), (low1, high1) = limits
    return low1 and high0, high1 and low0


def telling(ends: Sequence[float], sides: tuple[bool, bool], least: float = 0) -> tuple[bool, bool]:
    """A single limit at the end of what is possible says nothing."""
    empty = sides[0] != sides[1] and (ends[0] == least if sides[0] else ends[1] == 1)
    return (False, False) if empty else sides


def limit_text(low: float, high: float, sides: tuple[bool, bool], least: float = 0) -> str:
    """The limits that there are, as every place says them."""
    has_low, has_high = telling((low, high), sides, least)
    if has_low and has_high:
        return between(low, high)
    if has_high:
        return f"at most {rate(high)}"
    return f"at least {rate(low)}" if has_low else "no limits"


def ordinal(n: int) -> str:
    suffix = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{suffix}"
