"""Moves texts of a panel so that they cover neither each other, nor the curve and the goal.

Two texts can move: that of the operating point, and the word on the line of chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.scene import SIDE, Axis, Line, Panel, Text, ems

#: Shifts (dx, dy) in points to try for the text of the operating point, the nearest first.
BESIDE = [(dx, dy) for dy in (20, -12, 36, -28, 52, -44, 68, -60, 84, 100) for dx in (12, -12)]
#: The word on the line of chance is tried at these false positive rates, in this order.
ALONG = (0.7, 0.6, 0.8, 0.5, 0.4, 0.86, 0.3, 0.2, 0.1)
#: The height of letters above and below the baseline, as a share of the font size.
ABOVE, BELOW = 0.8, 0.22
#: The width of bold letters, as a multiple of that of normal ones.
BOLD = 1.06
#: The ids of the texts that can move to a free place. They are placed in this order.
MOVABLE = ("point-text", "chance")
#: A moved text covers the lines with these ids as little as possible. `HALF` is half of the width
#: of a line.
FREE, HALF = ("curve", "goal"), 1

Value = TypeVar("Value", float, Floats)


class Box(NamedTuple):
    """The rectangle that a text covers, in points from the upper left corner of the plot."""

    left: float
    top: float
    right: float
    bottom: float


def apart(panel: Panel) -> Panel:
    """Moves the texts of a panel to the positions at which they overlap the least."""
    texts = [mark for mark in panel.marks if isinstance(mark, Text)]
    boxes = [box_of(text, panel) for text in texts if text.id not in MOVABLE]
    pieces = _pieces(panel)
    movable, moved = [text for text in texts if text.id in MOVABLE], {}
    for text in sorted(movable, key=lambda text: MOVABLE.index(text.id)):
        tried = [(each, box_of(each, panel)) for each in _tried(text)]
        moved[text.id], box = min(tried, key=lambda each: _covered(each[1], boxes, pieces))
        boxes.append(box)
    return panel._replace(marks=tuple(moved.get(mark.id, mark) for mark in panel.marks))


def box_of(text: Text, panel: Panel) -> Box:
    """Returns the rectangle that a text covers in a wide font, which a viewer may have."""
    size = 13 if text.bold else 12
    wide = size * sum(map(ems, text.text)) * (BOLD if text.bold else 1)
    x = SIDE * _share(text.x, panel.across) + text.dx
    y = SIDE * (1 - _share(text.y, panel.up)) + text.dy
    left = x - wide * {"start": 0, "middle": 0.5, "end": 1}[text.anchor]
    return Box(left, y - ABOVE * size, left + wide, y + BELOW * size)


def _tried(text: Text) -> Iterator[Text]:
    """Yields the text at each position to try, the best first."""
    yield text
    if text.id == "chance":
        yield from (text._replace(x=each, y=each) for each in ALONG)
        return
    for dx, dy in BESIDE:
        yield text._replace(dx=dx, dy=dy, anchor="start" if dx > 0 else "end")


def _pieces(panel: Panel) -> Floats:
    """The boxes around the pieces of the lines in `FREE`.

    Row i of the result has the i-th field of each `Box`.
    """
    boxes = [np.empty((4, 0))]
    for mark in panel.marks:
        if isinstance(mark, Line) and mark.id in FREE:
            across, up = mark.points.corners
            x, y = SIDE * _share(across, panel.across), SIDE * (1 - _share(up, panel.up))
            ends = np.stack([x[:-1], y[:-1]]), np.stack([x[1:], y[1:]])
            boxes.append(np.concatenate([np.minimum(*ends) - HALF, np.maximum(*ends) + HALF]))
    return np.concatenate(boxes, axis=1)


def _covered(box: Box, boxes: Sequence[Box], pieces: Floats) -> float:
    """The area of `box` that overlaps `boxes` or `pieces`, or lies outside the plot."""
    inside = Box(0, 0, SIDE, SIDE)
    outside = (box.right - box.left) * (box.bottom - box.top) - overlap(box, inside)
    wide = np.minimum(box.right, pieces[2]) - np.maximum(box.left, pieces[0])
    high = np.minimum(box.bottom, pieces[3]) - np.maximum(box.top, pieces[1])
    lines = float((np.maximum(wide, 0) * np.maximum(high, 0)).sum())
    return round(outside + lines + sum(overlap(box, other) for other in boxes), 6)


def overlap(one: Box, other: Box) -> float:
    """Returns the area of the overlap of two rectangles."""
    wide = min(one.right, other.right) - max(one.left, other.left)
    high = min(one.bottom, other.bottom) - max(one.top, other.top)
    return max(wide, 0) * max(high, 0)


def _share(value: Value, axis: Axis) -> Value:
    low, high = axis.ends
    return (value - low) / (high - low)
