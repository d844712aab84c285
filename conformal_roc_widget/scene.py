"""Describes a picture as data: panels with marks in units of their axes, and texts around them.

A view, such as the ROC curve, makes a `Scene`. The code in `draw` draws any scene, whatever the
view. The page has the same types. A colour is a name of the theme. Sizes and shifts are in points.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Literal, NamedTuple
from unicodedata import east_asian_width

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Floats
from .text import threshold_text

#: The side of the plot in points, if a picture has only one plot.
SIDE = 408
#: An axis has at most this many intervals between its ticks.
STEPS = 7
#: A text's width is estimated from its letters. These are much narrower than most, and much wider.
NARROW, WIDE = frozenset(" !'(),-./:;I[]fijlrt|\u00a0"), frozenset("%&+<=>@MWmw~")


class Pen(NamedTuple):
    """Colour, width and dash lengths of a line. If `dashes` is empty, the line is solid."""

    colour: str
    width: float = 1
    dashes: tuple[float, ...] = ()


#: How a line goes from one point to the next: straight (empty), or as a step that first goes
#: "across" (along x) or "up" (along y).
Step = Literal["", "across", "up"]


class Points(NamedTuple):
    """The points of a line, and how it goes from one to the next (`Step`)."""

    x: Floats
    y: Floats
    step: Step = ""

    @classmethod
    def of(cls, x: ArrayLike, y: ArrayLike, step: Step = "") -> Points:
        """Makes points from array-likes of numbers."""
        return cls(np.asarray(x, dtype=float), np.asarray(y, dtype=float), step)

    @property
    def corners(self) -> tuple[Floats, Floats]:
        """The x and y of the drawn line, in which the corners of a step line are points too."""
        if not self.step:
            return self.x, self.y
        x, y = np.repeat(self.x, 2), np.repeat(self.y, 2)
        return (x[1:], y[:-1]) if self.step == "across" else (x[:-1], y[1:])


class Reading(NamedTuple):
    """What a tooltip shows on a line: a title, and a value for each point."""

    title: str
    values: Floats
    #: The function that writes a value as text. If None, a value is written with three decimals.
    text: Callable[[float], str] | None = None

    @classmethod
    def of(cls, title: str, values: ArrayLike) -> Reading:
        """Makes a reading of numbers. If the title is "threshold", they are written as such."""
        text = threshold_text if title == "threshold" else None
        return cls(title, np.asarray(values, dtype=float), text)


class Area(NamedTuple):
    """A band between two edges, which have equal x at each index, or equal y.

    A comparator's band has no fill.
    """

    #: The id of the mark. No other mark of the panel has it.
    id: str
    #: The name in the legend. Empty if the legend does not show the mark.
    key: str
    upper: Points
    lower: Points
    #: How the edges are drawn.
    pen: Pen
    fill: str = ""
    #: The opacity of the fill, as a multiple of the theme's.
    strength: float = 1
    #: Whether the lower edge and the upper edge are limits. If an edge is not, it is not drawn, and
    #: the area is hatched.
    sides: tuple[bool, bool] = (True, True)

    @property
    def edges(self) -> tuple[Points, ...]:
        """Returns the edges that are limits."""
        low, high = self.sides
        return (self.upper,) * high + (self.lower,) * low


class Line(NamedTuple):
    """A line. If `halo` is set, it has a light outline, because it is drawn over another line."""

    id: str
    key: str
    points: Points
    pen: Pen
    halo: bool = False
    readings: tuple[Reading, ...] = ()


class Dot(NamedTuple):
    """A point. The shapes "level" and "upright" are short bars, such as ends of an error bar."""

    id: str
    key: str
    x: float
    y: float
    #: The distance from the centre to the edge.
    size: float
    pen: Pen
    fill: str = ""
    shape: Literal["circle", "diamond", "level", "upright"] = "circle"


class Text(NamedTuple):
    """A text at the position (x, y), shifted by dx and dy points (an inch has 72)."""

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
    """An axis: its title and its ends. If a neighbouring panel shows the title, it is empty."""

    title: str
    ends: tuple[float, float] = (0.0, 1.0)
    #: Whether ticks are written in percent. The coordinates of marks are fractions in either case.
    is_percent: bool = False

    def written(self, tick: float) -> str:
        """Writes the value of a tick."""
        return f"{100 * tick:g} %" if self.is_percent and tick else f"{tick:g}"

    @property
    def ticks(self) -> list[float]:
        """The values with a tick: multiples of 1, 2 or 5 times a power of ten, within the ends.

        If the lower end is below 0, there is no tick at it.
        """
        low, high = self.ends
        power = math.floor(math.log10((high - low) / STEPS)) - 1
        least = Decimal(repr(high - low)) / STEPS * (1 - Decimal("1e-9"))
        steps = (Decimal(digit).scaleb(power) for digit in (1, 2, 5, 10, 20, 50, 100))
        step = next(each for each in steps if each >= least)
        start = Decimal(repr(low)) / step
        first = math.floor(start) + 1 if low < 0 else math.ceil(start)
        return [float(step * i) for i in range(first, math.floor(Decimal(repr(high)) / step) + 1)]


class Panel(NamedTuple):
    """A square plot. Marks are drawn in their order, so that later ones cover earlier ones."""

    across: Axis
    up: Axis
    marks: tuple[Mark, ...]
    #: The heading. Empty if there is only one panel.
    name: str = ""


class Scene(NamedTuple):
    """A picture: its title, its panels, and the texts around them."""

    title: str
    panels: tuple[Panel, ...]
    #: Sentences above the plots. `notes` are sentences below them.
    lead: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    #: A description of the whole picture, for readers who cannot see it.
    description: str = ""
    #: The side of each plot in points.
    side: int = SIDE
    #: The number of panels in a row.
    columns: int = 1

    @property
    def legend(self) -> dict[str, Area | Line]:
        """The first mark of each name in the legend.

        The curve comes first and the line of chance last.
        """
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


def ems(letter: str) -> float:
    """Returns about the width of a letter in a wide font, as a multiple of the font size."""
    if east_asian_width(letter) in "WF":
        return 1
    return 0.36 if letter in NARROW else 0.9 if letter in WIDE else 0.61
