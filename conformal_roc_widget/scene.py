"""A picture as data: panels with marks in the units of their axes, and the words around them.

A view makes a scene, and what draws one knows no view. The page has the same names. Colours are
names in a theme; sizes and shifts are in points.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Floats
from .text import threshold_text

#: Side of a plot that is alone.
SIDE = 408
#: At most this many steps between ticks along an axis.
STEPS = 7


class Pen(NamedTuple):
    """Colour, width and dashes of a line; no dashes is a solid line."""

    colour: str
    width: float = 1
    dashes: tuple[float, ...] = ()


#: How a line goes on to its next point: straight, or in a step first along one axis.
Step = Literal["", "across", "up"]


class Points(NamedTuple):
    """Points of a line, straight or in steps: first ``across``, or first ``up``, to the next."""

    x: Floats
    y: Floats
    step: Step = ""

    @classmethod
    def of(cls, x: ArrayLike, y: ArrayLike, step: Step = "") -> Points:
        """Points from any numbers."""
        return cls(np.asarray(x, dtype=float), np.asarray(y, dtype=float), step)

    @property
    def corners(self) -> tuple[Floats, Floats]:
        """The same line without steps."""
        if not self.step:
            return self.x, self.y
        x, y = np.repeat(self.x, 2), np.repeat(self.y, 2)
        return (x[1:], y[:-1]) if self.step == "across" else (x[:-1], y[1:])


class Reading(NamedTuple):
    """The reading of a line under the pointer: a number or text for each of its points."""

    title: str
    values: Floats
    #: Writes a value as text; None for three decimals.
    text: Callable[[float], str] | None = None

    @classmethod
    def of(cls, title: str, values: ArrayLike) -> Reading:
        """Numbers under the name that they have in a frame."""
        text = threshold_text if title == "threshold" else None
        return cls(title, np.asarray(values, dtype=float), text)


class Area(NamedTuple):
    """A band: its fill and both its edges, which run over the same places on one of the axes.

    A comparator's has no fill.
    """

    #: Unique within the panel.
    id: str
    #: Its name in the legend; empty if it has no entry there.
    key: str
    upper: Points
    lower: Points
    #: Pen of the edges.
    pen: Pen
    fill: str = ""
    #: Opacity of the fill, times the theme's.
    strength: float = 1
    #: Whether the lower and the upper edge are limits. An edge that is no limit is not
    #: drawn, and the area is then hatched.
    sides: tuple[bool, bool] = (True, True)

    @property
    def edges(self) -> tuple[Points, ...]:
        """The edges that are limits."""
        low, high = self.sides
        return (self.upper,) * high + (self.lower,) * low


class Line(NamedTuple):
    """A line, with a halo where it lies on another."""

    id: str
    key: str
    points: Points
    pen: Pen
    halo: bool = False
    readings: tuple[Reading, ...] = ()


class Dot(NamedTuple):
    """A point, or with the shape of a bar the cap of an arm."""

    id: str
    key: str
    x: float
    y: float
    #: Distance from the centre to the edge.
    size: float
    pen: Pen
    fill: str = ""
    shape: Literal["circle", "diamond", "level", "upright"] = "circle"


class Text(NamedTuple):
    """Text beside a place."""

    id: str
    text: str
    x: float
    y: float
    dx: float = 0
    dy: float = 0
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False
    colour: str = "ink"


Mark = Area | Line | Dot | Text


class Axis(NamedTuple):
    """An axis: its title, empty if a neighbour has it, and its ends."""

    title: str
    ends: tuple[float, float] = (0.0, 1.0)
    #: Whether the numbers are shares, which a picture writes in percent; data stay fractions.
    is_percent: bool = False

    def written(self, tick: float) -> str:
        """The text of a tick in a picture."""
        return f"{100 * tick:g} %" if self.is_percent and tick else f"{tick:g}"

    @property
    def ticks(self) -> list[float]:
        """Multiples of 1, 2 or 5 times a power of ten, ends included but a lower one below 0."""
        low, high = self.ends
        power = math.floor(math.log10((high - low) / STEPS)) - 1
        least = Decimal(repr(high - low)) / STEPS * (1 - Decimal("1e-9"))
        steps = (Decimal(digit).scaleb(power) for digit in (1, 2, 5, 10, 20, 50, 100))
        step = next(each for each in steps if each >= least)
        start = Decimal(repr(low)) / step
        first = math.floor(start) + 1 if low < 0 else math.ceil(start)
        return [float(step * i) for i in range(first, math.floor(Decimal(repr(high)) / step) + 1)]


class Panel(NamedTuple):
    """One square plot; what is marked first lies lowest."""

    across: Axis
    up: Axis
    marks: tuple[Mark, ...]
    #: Heading; empty if there is one panel.
    name: str = ""


class Scene(NamedTuple):
    """Everything that is drawn."""

    title: str
    panels: tuple[Panel, ...]
    #: Sentences above the plots, and below them.
    lead: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    #: The whole picture in words.
    description: str = ""
    #: Side of each plot.
    side: int = SIDE
    #: How many panels stand in a row.
    columns: int = 1

    @property
    def legend(self) -> dict[str, Area | Line]:
        """Name -> mark with its look; the curve comes first, lines without a classifier last."""
        marks = [
            mark
            for panel in self.panels
            for mark in panel.marks
            if isinstance(mark, Area | Line) and mark.key
        ]
        order = {"curve": -1, "baseline": 1}
        named: dict[str, Area | Line] = {}
        for mark in sorted(marks, key=lambda mark: order.get(mark.id, 0)):
            named.setdefault(mark.key, mark)
        return named
