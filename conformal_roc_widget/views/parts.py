"""Pens, and marks that several views have."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.comparators.registry import SPARE
from conformal_roc_widget.scene import Area, Dot, Line, Mark, Pen, Points, Reading, Text
from conformal_roc_widget.shown.theme import COMPARATOR_DASHES, DASHES, EDGE_DASHES
from conformal_roc_widget.words import words

CURVE, BASELINE = Pen("ink", 2), Pen("axis", 1, DASHES["baseline"])
#: Pens by label: edges of the bands; then error bars, and the dotted line for a missing limit.
LIMITS = Pen("label0", 1, EDGE_DASHES[0]), Pen("label1", 1, EDGE_DASHES[1])
ARMS = LIMITS[0]._replace(width=2), LIMITS[1]._replace(width=2)
MISSING = Pen("label0", 2, DASHES["missing"]), Pen("label1", 2, DASHES["missing"])
UNLIMITED = Pen("ink", 2, DASHES["unlimited"])
#: Pen of the hatch where there is no limit.
NO_LIMITS = Pen("axis")
#: Pens of a range that depends on both labels, which has the colour of neither.
RANGE, RANGE_ARM = Pen("axis"), Pen("muted", 2)
RANGE_ARMS = RANGE_ARM, Pen("muted", 2, DASHES["missing"])
#: Pen of the band for more test data, whichever method makes it: the bootstrap's, which nobody else
#: has.
SAMPLING = Pen(f"comparator-{SPARE}", 1, COMPARATOR_DASHES[SPARE])
#: Pen of the line at a place on the axis across.
CUT = Pen("ink", 1, DASHES["cut"])
#: A range has the fill of a band, with the theme's opacity times this.
RANGE_STRENGTH = 0.5
#: Half the length of a cap.
CAP = 5
#: The observed curve in the legend.
CLASSIFIER = words("key.classifier")
#: Whether there is a lower limit, and an upper one.
Sides = tuple[bool, bool]


def firsts(*arrays: Floats) -> tuple[float, ...]:
    """The single numbers of arrays that hold one each."""
    return tuple(float(each[0]) for each in arrays)


def curve(points: Points, name: str = CLASSIFIER, readings: tuple[Reading, ...] = ()) -> Line:
    """The observed curve."""
    return Line("curve", name, points, CURVE, readings=readings)


def baseline(points: Points, name: str) -> Line:
    """A line for comparison: what can be had without a classifier."""
    return Line("baseline", name, points, BASELINE)


def range_of(name: str, upper: Points, lower: Points, sides: Sides = (True, True)) -> Area:
    """A range that depends on the limits of both labels, and which of its edges are limits."""
    fill = "ink" if all(sides) else NO_LIMITS.colour
    return Area("range", name, upper, lower, RANGE, fill, RANGE_STRENGTH, sides)


def cut(at: float) -> Line:
    """The line where something is read on the axis across."""
    return Line("cut", "", Points.of([at, at], [0, 1]), CUT)


def corner(text: str, limits: str | None = None) -> list[Text]:
    """Text at the lower right; below it the limits that a number has with more test data."""
    if limits is None:
        return [Text("corner", text, 1, 0, -8, -10, "end", bold=True)]
    colour = SAMPLING.colour
    return [
        Text("corner", text, 1, 0, -8, -27, "end", bold=True),
        Text("corner-limits", limits, 1, 0, -8, -10, "end", colour=colour),
    ]


def arm(
    name: str,
    ends: Sequence[float],
    at: float,
    pen: Pen,
    axis: tuple[float, float] = (0.0, 1.0),
    *,
    level: bool = False,
    key: str = "",
) -> list[Mark]:
    """Error bar at a point, cut at the ends of the axis; an end that is cut has no cap."""
    low, high = axis
    along, beside = [min(max(end, low), high) for end in ends], [at, at]
    points = Points.of(along, beside) if level else Points.of(beside, along)
    caps: list[Mark] = [
        Dot(
            f"{name}-{side}",
            "",
            end if level else at,
            at if level else end,
            CAP,
            pen._replace(dashes=()),
            shape="upright" if level else "level",
        )
        for side, end in zip(("lower", "upper"), ends, strict=True)
        if low <= end <= high
    ]
    return [Line(name, key, points, pen), *caps]


def limit_arms(
    name: str,
    value: float,
    ends: tuple[float, float],
    at: float,
    sides: Sides,
    pens: tuple[Pen, Pen],
    axis: tuple[float, float] = (0.0, 1.0),
    *,
    level: bool = False,
) -> list[Mark]:
    """Error bar from limit to limit.

    If a limit is missing, dots from the value to the end of the axis. `pens` are those of the bar
    and of the dots.
    """
    bar = partial(arm, at=at, axis=axis, level=level)
    low, high = (end if there else value for end, there in zip(ends, sides, strict=True))
    line, *caps = bar(name, (low, high), pen=pens[0])
    marks = [line] * any(sides)
    caps_by_side = {mark.id.removeprefix(f"{name}-"): mark for mark in caps}
    missing = name.replace("arm", "missing")
    dots = pens[1] if any(sides) else UNLIMITED
    for side, edge, there in zip(("lower", "upper"), axis, sides, strict=True):
        if not there:
            marks.append(bar(f"{missing}-{side}", (edge, value), pen=dots)[0])
        elif side in caps_by_side:  # not where the axis cuts it off
            marks.append(caps_by_side[side])
    return marks


def point(
    x: float,
    y: float,
    threshold: float,
    axis: tuple[float, float] = (0.0, 1.0),
    readings: tuple[Reading, ...] = (),
) -> list[Mark]:
    """The operating point, moved onto the axis where it lies beyond, with its threshold."""
    low, high = axis
    y = min(max(y, low), high)
    is_left, is_above = x > 0.8, y - low <= 0.1 * (high - low)
    return [
        Dot("point", "", x, y, 7, Pen("paper", 2), "ink", readings=readings),
        Text(
            "point-text",
            words("corner.threshold", threshold=threshold),
            x,
            y,
            -12 if is_left else 12,
            -12 if is_above else 20,
            "end" if is_left else "start",
            bold=True,
        ),
    ]
