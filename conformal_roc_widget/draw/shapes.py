"""Lays out a scene as a sheet of shapes. Positions are in points from the upper left corner.

Other modules write the sheet as SVG, PNG or PDF.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.scene import (
    Area,
    Axis,
    Dot,
    Line,
    Mark,
    Panel,
    Pen,
    Points,
    Scene,
    Text,
    ems,
)
from conformal_roc_widget.shown.theme import Theme

LEFT, BOTTOM, PADDING, GAP = 44, 44, 16, 24
#: The width of the narrowest picture in points.
NARROWEST = 520
#: A grid of square cells lies over each line. The side of a cell is this many points (an inch has
#: 72). Of consecutive corners of the line in one cell, only the first and the last are drawn.
CELL = 0.25


class Stroke(NamedTuple):
    """Lines with the same look. Each is an array (n, 2) of its corners."""

    lines: Sequence[Floats]
    colour: str
    width: float = 1
    dashes: tuple[float, ...] = ()


class Fill(NamedTuple):
    """The inside of the closed line through `corners`: tinted or, if `hatched`, with a hatch."""

    corners: Floats
    colour: str
    opacity: float = 1
    hatched: bool = False


class Disc(NamedTuple):
    """A filled circle with an edge."""

    x: float
    y: float
    radius: float
    fill: str
    edge: str
    width: float


class Letters(NamedTuple):
    """A text on one line. If `halo` is a colour, the letters have an outline in it."""

    text: str
    x: float
    y: float
    colour: str
    size: float = 12
    bold: bool = False
    anchor: Literal["start", "middle", "end"] = "start"
    halo: str = ""
    #: Whether the text is turned by 90 degrees, so that it reads upwards.
    turned: bool = False


Shape = Stroke | Fill | Disc | Letters
Place = TypeVar("Place", float, Floats)


class Sheet(NamedTuple):
    """A picture as shapes. Later shapes cover earlier ones."""

    shapes: Sequence[Shape]
    width: int
    height: int
    background: str
    title: str
    description: str


def laid_out(scene: Scene, theme: Theme) -> Sheet:
    """Returns the sheet of a scene: title and first sentence, the plots, the legend, the notes."""
    size, columns = scene.side, scene.columns
    wide, high = LEFT + size + GAP, size + BOTTOM + GAP
    width = max(2 * PADDING + columns * wide, NARROWEST)
    room = width - 2 * PADDING
    heading, top = _lines([scene.title], room, 24, PADDING, theme.ink, size=16, bold=True)
    lead, top = _lines(scene.lead, room, 16, top, theme.muted)
    top += 12
    shapes: list[Shape] = [*heading, *lead]
    for i, panel in enumerate(scene.panels):
        row, column = divmod(i, columns)
        x, y = PADDING + LEFT + column * wide, top + 20 + row * high
        shapes += Plot(panel, size, (x, y), theme).shapes()
    top += 20 + -(-len(scene.panels) // columns) * high
    legend, top = _legend(scene.legend, top, width, theme)
    notes, top = _lines(scene.notes, room, 16, top, theme.muted)
    shapes += [*legend, *notes]
    return Sheet(shapes, width, top + PADDING, theme.background, scene.title, scene.description)


def coarser(sheet: Sheet, most: float) -> Sheet:
    """Returns the sheet with fewer corners, rounded to 0.1 points. Lines move by at most `most`."""
    shapes: list[Shape] = []
    for shape in sheet.shapes:
        match shape:
            case Stroke():
                shapes.append(
                    shape._replace(lines=[fewer(line, most).round(1) for line in shape.lines])
                )
            case Fill():
                shapes.append(shape._replace(corners=fewer(shape.corners, most).round(1)))
            case _:
                shapes.append(shape)
    return sheet._replace(shapes=shapes)


def fewer(corners: Floats, most: float) -> Floats:
    """Returns some corners (n, 2) of a line. The others are at most `most` from the new line.

    This is the algorithm of Douglas and Peucker.
    """
    kept = np.zeros(len(corners), dtype=bool)
    kept[[0, -1]] = True
    waiting = [(0, len(corners) - 1)]
    while waiting:
        first, last = waiting.pop()
        if last - first < 2:
            continue
        away = _distances(corners[first + 1 : last], corners[first], corners[last])
        far = first + 1 + int(away.argmax())
        if away[far - first - 1] > most:
            kept[far] = True
            waiting += [(first, far), (far, last)]
    return corners[kept]


def _distances(points: Floats, start: Floats, end: Floats) -> Floats:
    """Distances of `points` (n, 2) from the segment between `start` and `end`."""
    way = end - start
    length = float(way @ way)
    share = np.clip((points - start) @ way / length, 0, 1) if length else np.zeros(len(points))
    return np.asarray(np.hypot(*(points - start - share[:, None] * way).T))


class Plot:
    """Lays out one panel as a square plot at a position on a sheet."""

    def __init__(self, panel: Panel, size: int, origin: tuple[float, float], theme: Theme) -> None:
        self.panel, self.size, self.theme = panel, size, theme
        self.left, self.top = origin

    def shapes(self) -> list[Shape]:
        """The shapes of the plot: axes, heading, marks."""
        name = Letters(
            self.panel.name,
            self.left,
            self.top - 8,
            self.theme.ink,
            13,
            bold=True,
            halo=self.theme.background,
        )
        marks = (shape for mark in self.panel.marks for shape in self._mark(mark))
        return [*self._axes(), *([name] if name.text else []), *marks]

    def places(self, points: Points) -> Floats:
        """Returns the corners of a line on the sheet.

        Of consecutive points in one cell of the grid, only the first and the last are kept. See
        `CELL`.
        """
        across = self.left + self.size * _share(points.x, self.panel.across)
        up = self.top + self.size * (1 - _share(points.y, self.panel.up))
        found = np.column_stack([across, up])
        if len(found) > 2:
            found = found[moved(found, CELL)]
        x, y = np.round(found, 2).T
        return np.column_stack(Points(x, y, points.step).corners)

    def lines(self, points: Points) -> list[Floats]:
        """Returns the pieces of a line inside the plot, as corners on the sheet."""
        pieces = [points]
        for axis, is_up in ((self.panel.up, True), (self.panel.across, False)):
            pieces = [inside for piece in pieces for inside in _cut(piece, axis.ends, is_up)]
        return [self.places(piece) for piece in pieces]

    def _edge(self, points: Points) -> Points:
        """Returns the edge of a fill. Outside the plot, it follows the plot's border instead."""
        ends = self.panel.across.ends, self.panel.up.ends
        if not any(_leaves(of, *end) for of, end in zip((points.x, points.y), ends, strict=True)):
            return points
        x, y = points.corners
        for end in ends[1]:
            x, y = _with_crossings(x, y, end)
        for end in ends[0]:
            y, x = _with_crossings(y, x, end)
        return Points(np.clip(x, *ends[0]), np.clip(y, *ends[1]))

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Returns the position on the sheet of the point (x, y) of the plot."""
        ((across, up),) = self.places(Points.of([x], [y])).tolist()
        return across, up

    def _mark(self, mark: Mark) -> Iterator[Shape]:
        theme = self.theme
        match mark:
            case Area():
                if mark.fill:
                    there, back = (self.places(self._edge(e)) for e in (mark.upper, mark.lower))
                    yield _filled(mark, np.concatenate([there, back[::-1]]), theme)
                lines = [line for edge in mark.edges for line in self.lines(edge)]
                yield _stroke(lines, mark.pen, theme)
            case Line():
                lines = self.lines(mark.points)
                if mark.halo:
                    yield Stroke(lines, theme.background, mark.pen.width + 4)
                yield _stroke(lines, mark.pen, theme)
            case Dot():
                yield from self._dot(mark)
            case Text():
                x, y = self.place(mark.x, mark.y)
                yield Letters(
                    mark.text,
                    x + mark.dx,
                    y + mark.dy,
                    theme.colour(mark.colour),
                    13 if mark.bold else 12,
                    mark.bold,
                    mark.anchor,
                    theme.background,
                )

    def _dot(self, dot: Dot) -> Iterator[Shape]:
        x, y = self.place(dot.x, dot.y)
        fill = self.theme.colour(dot.fill) if dot.fill else ""
        if dot.shape == "circle":
            edge = self.theme.colour(dot.pen.colour)
            yield Disc(x, y, dot.size, fill, edge, dot.pen.width)
            return
        ways = {
            "level": [(-1, 0), (1, 0)],
            "upright": [(0, -1), (0, 1)],
            "diamond": [(0, -1), (1, 0), (0, 1), (-1, 0), (0, -1)],
        }
        corners = (x, y) + dot.size * np.array(ways[dot.shape])
        if fill:
            yield Fill(corners, fill)
        yield _stroke([corners], dot.pen, self.theme)

    def _axes(self) -> list[Shape]:
        """Returns the shapes of the grid, and of both axes with ticks and titles."""
        (across, up), theme, size = (self.panel.across, self.panel.up), self.theme, self.size
        left, top, bottom = self.left, self.top, self.top + size
        xs = [(left + size * _share(tick, across), across.written(tick)) for tick in across.ticks]
        ys = [(bottom - size * _share(tick, up), up.written(tick)) for tick in up.ticks]
        grid = [np.array([(x, top), (x, bottom)]) for x, _ in xs]
        grid += [np.array([(left, y), (left + size, y)]) for y, _ in ys]
        frame = np.array([(left, top), (left, bottom), (left + size, bottom)])
        # `beside` is the x of the vertical title. If a tick has a text of four or more letters, the
        # title moves farther to the left.
        beside = left - (32 if all(len(text) < 4 for _, text in ys) else 40)
        muted, middle = theme.muted, left + size / 2
        titles = [
            Letters(across.title, middle, bottom + 36, muted, anchor="middle"),
            Letters(up.title, beside, top + size / 2, muted, anchor="middle", turned=True),
        ]
        return [
            Stroke(grid, theme.grid),
            Stroke([frame], theme.axis),
            *(Letters(text, x, bottom + 18, muted, 11, anchor="middle") for x, text in xs),
            *(Letters(text, left - 8, y + 4, muted, 11, anchor="end") for y, text in ys),
            *(title for title in titles if title.text),
        ]


def _leaves(values: Floats, low: float, high: float) -> bool:
    return bool(values.min() < low or values.max() > high)


def _cut(line: Points, ends: tuple[float, float], is_up: bool) -> list[Points]:
    """Returns the pieces of a line between the `ends` of an axis, the vertical one if `is_up`."""
    if not _leaves(line.y if is_up else line.x, *ends):
        return [line]
    if is_up:
        return within(line, *ends)
    x, y = line.corners
    return [Points(y=piece.x, x=piece.y) for piece in within(Points(y, x), *ends)]


def _with_crossings(x: Floats, y: Floats, level: float) -> tuple[Floats, Floats]:
    """Returns the corners of a line, with new ones where y crosses `level`."""
    order = np.union1d(np.arange(x.size, dtype=float), _crossings(y, level))
    at = np.arange(x.size)
    return np.interp(order, at, x), np.interp(order, at, y)


def within(line: Points, low: float, high: float) -> list[Points]:
    """Returns the pieces of a line with y between `low` and `high`."""
    x, y = line.corners
    crossings = np.concatenate([_crossings(y, level) for level in (low, high)])
    order = np.unique(np.concatenate([np.arange(x.size, dtype=float), crossings]))
    x, y = (np.interp(order, np.arange(x.size), values) for values in (x, y))
    middle = (y[1:] + y[:-1]) / 2
    inside = (middle >= low) & (middle <= high)
    starts = np.flatnonzero(inside & ~np.append(False, inside[:-1]))
    ends = np.flatnonzero(inside & ~np.append(inside[1:], False)) + 2
    return [Points(x[i:j], y[i:j]) for i, j in zip(starts, ends, strict=True)]


def _crossings(y: Floats, level: float) -> Floats:
    """Returns where a line crosses `level`, as fractional indices of its points."""
    above = y > level
    before = np.flatnonzero(above[1:] != above[:-1])
    return np.asarray(before + (level - y[before]) / (y[before + 1] - y[before]))


def moved(places: Floats, cell: float) -> NDArray[np.bool_]:
    """Whether each point of a line is in another cell than the point before or after it.

    Cells are squares with side `cell`.
    """
    moves = (np.diff(np.floor(places / cell), axis=0) != 0).any(axis=1)
    return np.asarray(np.append(True, moves) | np.append(moves, True))


def _share(value: Place, axis: Axis) -> Place:
    """Returns the position of `value` on an axis: 0 at its lower end, 1 at its upper end."""
    low, high = axis.ends
    return (value - low) / (high - low)


def _stroke(lines: Sequence[Floats], pen: Pen, theme: Theme) -> Stroke:
    return Stroke(lines, theme.colour(pen.colour), pen.width, pen.dashes)


def _filled(area: Area, corners: Floats, theme: Theme) -> Fill:
    """Returns the fill of a band. If one of its edges is not a limit, it is hatched."""
    colour = theme.colour(area.fill)
    return Fill(corners, colour, theme.fill * area.strength, hatched=not all(area.sides))


def _legend(
    legend: dict[str, Area | Line], top: int, width: int, theme: Theme
) -> tuple[list[Shape], int]:
    """Returns the shapes of the legend, in as many rows as needed, and the y of the next text."""
    shapes: list[Shape] = []
    x = PADDING
    for text, mark in legend.items():
        wide = 46 + round(6.5 * len(text))
        if x > PADDING and x + wide > width:
            x, top = PADDING, top + 18
        shapes += _sample(mark, x, top, theme)
        shapes.append(Letters(text, x + 30, top + 8, theme.muted))
        x += wide
    return shapes, top + 20


def _sample(mark: Area | Line, x: float, top: float, theme: Theme) -> Iterator[Shape]:
    """Yields the shapes of a mark's sample in the legend: a piece of the line or of the band."""
    if isinstance(mark, Line):
        yield _stroke([np.array([(x, top + 4), (x + 24, top + 4)])], mark.pen, theme)
        return
    rows = [top - 2, top + 10]
    corners = np.array([(x, rows[0]), (x + 24, rows[0]), (x + 24, rows[1]), (x, rows[1])])
    if mark.fill:
        yield _filled(mark, corners, theme)
    low, high = mark.sides
    edges = rows[:1] * high + rows[1:] * low
    yield _stroke([np.array([(x, y), (x + 24, y)]) for y in edges], mark.pen, theme)


def _lines(
    texts: Iterable[str],
    room: int,
    step: int,
    top: int,
    colour: str,
    *,
    size: int = 12,
    bold: bool = False,
) -> tuple[list[Letters], int]:
    """Breaks texts into lines of about the width `room`. Returns them, and the next text's y."""
    letters = int(room / (size * (0.66 if bold else 0.53)))
    wide = 1.12 * size if bold else size
    lines = [line for text in texts for line in _broken(text, letters, (room + PADDING) / wide)]
    rows = [
        Letters(line, PADDING, top + step * (i + 1) - step // 4, colour, size, bold)
        for i, line in enumerate(lines)
    ]
    return rows, top + step * len(lines)


def _broken(text: str, letters: int, most: float) -> list[str]:
    """Breaks a text into lines of at most `letters` letters, or of fewer if letters are wide.

    A line is at most `most` times as wide as the font is high.
    """
    lines = textwrap.wrap(text.replace(" %", "\u00a0%"), letters)
    if letters > 8 and any(sum(map(ems, line)) > most for line in lines):
        return _broken(text, letters - max(1, letters // 10), most)
    return lines
