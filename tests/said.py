"""Numbers and limits in words, as pages and pictures are to say them."""

from conformal_roc_widget.text import number_text


def limits_text(lower, upper, sides):
    """The limits that exist; a single one at an end of what is possible says nothing."""
    low, high = sides
    if low != high:
        low, high = low and lower > 0, high and upper < 1
    lower, upper = number_text(lower), number_text(upper)
    if low and high:
        return f"{lower} to {upper}"
    return f"at least {lower}" if low else f"at most {upper}" if high else "no limits"
