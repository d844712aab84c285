"""The upper left corner of a ROC curve, five times as large: its axes, and what lies elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from conformal_roc_widget.scene import Area, Axis, Dot, Line, Mark, Panel, Pen, Points, Text
from conformal_roc_widget.words import words

#: Ends of the corner's axes: always the same, so that two pictures can be compared.
ACROSS, UP = (0.0, 0.2), (0.8, 1.0)
#: The small square that stands for the whole: its left, its foot and its side, as shares of the
#: plot's side.
LEFT, FOOT, SIDE = 0.87, 0.155, 0.1
FRAME = Pen("axis")


def cornered(panel: Panel) -> Panel:
    """The panel with the corner in the place of the whole square; drawers cut what leaves it."""
    across, up = panel.across.title, panel.up.title
    return panel._replace(
        across=Axis(across and words("axis.corner_across", title=across), ACROSS),
        up=Axis(up and words("axis.corner_up", title=up), UP),
        marks=(*_kept(panel.marks), *_square(), _break()),
    )


def _kept(marks: Iterable[Mark]) -> Iterator[Mark]:
    """Marks that reach into the corner; the point stands on its edge where it lies outside."""
    for mark in marks:
        match mark:
            case Dot() if mark.id == "point" and not _is_inside(mark.x, mark.y):
                x, y = _moved(mark.x, mark.y)
                yield mark._replace(x=x, y=y, pen=Pen("ink", 2), fill="paper")
            case Dot() if not _is_inside(mark.x, mark.y):
                pass
            case Line() if not _reaches(mark.points):
                pass
            case Text() if mark.id.startswith("corner"):
                yield mark._replace(x=ACROSS[1], y=UP[0])
            case Text():
                x, y = _moved(mark.x, mark.y)
                is_left, is_above = x > _place(0.8, 0)[0], y <= _place(0, 0.1)[1]
                yield mark._replace(
                    x=x,
                    y=y,
                    dx=-12 if is_left else 12,
                    dy=-12 if is_above else 20,
                    anchor="end" if is_left else "start",
                )
            case _:
                yield mark


def _is_inside(x: float, y: float) -> bool:
    return x <= ACROSS[1] and y >= UP[0]


def _moved(x: float, y: float) -> tuple[float, float]:
    """The nearest place of the corner."""
    return min(x, ACROSS[1]), max(y, UP[0])


def _reaches(points: Points) -> bool:
    """Whether a line that rises, or runs along an axis, comes into the corner."""
    x, y = points.corners
    return bool(((x <= ACROSS[1]) & (y >= UP[0])).any())


def _place(across: float, up: float) -> tuple[float, float]:
    """A place on the axes, from shares of the plot's side."""
    return ACROSS[0] + across * (ACROSS[1] - ACROSS[0]), UP[0] + up * (UP[1] - UP[0])


def _square() -> tuple[Mark, ...]:
    """The whole square, small, with the corner in it."""
    (left, foot), (right, top) = _place(LEFT, FOOT), _place(LEFT + SIDE, FOOT + SIDE)
    part = left + (right - left) * ACROSS[1], foot + (top - foot) * UP[0]
    outline = Points.of([left, right, right, left, left], [foot, foot, top, top, foot])
    above, below = Points.of([left, part[0]], [top, top]), Points.of([left, part[0]], [part[1]] * 2)
    return (
        Area("corner-part", "", above, below, FRAME, "ink", 2.0),
        Line("corner-whole", "", outline, FRAME),
    )


def _break() -> Text:
    """The sign that the axis does not begin at 0."""
    return Text("corner-break", "//", ACROSS[0], UP[0], 0, -3, "middle", colour="muted")
