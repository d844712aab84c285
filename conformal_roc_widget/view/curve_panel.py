"""Plot of one curve with its range, as data: precision and recall, reliability, net benefit."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.text import threshold_text
from conformal_roc_widget.view import view_words
from conformal_roc_widget.view.controls import Controls
from conformal_roc_widget.view.theme import Pen, Theme
from conformal_roc_widget.view.view_curves import Line, ViewCurve, view_curve

#: Share of its colour in a range that joins both labels.
FILL = 0.075
#: Most steps from 0 to the upper end of the upright axis.
STEPS = 6
#: Left and lower end of the upper right, as shares of the plot: room for its text.
UPPER_RIGHT = (0.6, 0.93)
CALL_NONE = "call none"
TEST_POINTS = "number of test points"
#: The threshold, where it is a place on the axis.
CUT_DASHES = (1, 3)


class Key(NamedTuple):
    """Entry of the legend."""

    text: str
    pen: Pen


class Arm(NamedTuple):
    """Straight line through the operating point, with caps at the ends that the plot shows."""

    pen: Pen
    ends: tuple[float, float]
    caps: tuple[float, ...]


class CurvePanel(NamedTuple):
    """One square plot; x runs from 0 to 1."""

    #: Titles of the axes.
    across: str
    up: str
    #: Ends of the upright axis, and its ticks with their texts.
    ends: tuple[float, float]
    ticks: tuple[tuple[float, str], ...]
    curve: Key
    range: Key
    baseline: Key
    #: Lines in pieces, cut at the ends of the upright axis.
    lines: tuple[tuple[Key, tuple[Line, ...]], ...]
    #: Outline of the range.
    area: Line
    fill: str
    legend: tuple[Key, ...]
    #: Text at the upper right; at the lower left where the curve passes there.
    corner: str
    corner_is_low: bool
    point: tuple[float, float]
    upright: Arm
    level: Arm | None
    text: str


def curve_panel(evaluation: RocEvaluation, controls: Controls, colours: Theme) -> CurvePanel:
    """Plot of the view that is chosen."""
    shown: ViewCurve = view_curve(evaluation, controls)
    low, high = shown.up
    reliability = controls.view == "reliability"
    curve = Key("isotonic regression" if reliability else "this classifier", colours.curve)
    limits = Key(view_words.range_name(evaluation, controls), colours.both_labels)
    baseline = Key(view_words.baseline_name(evaluation, controls), colours.chance)
    drawn = [(limits, shown.lower), (limits, shown.upper), (baseline, shown.baseline)]
    legend = [curve, limits, baseline]
    if low < 0:
        none = Key(CALL_NONE, Pen(colours.axis))
        drawn.append((none, Line.of([0, 1], [0, 0])))
        legend.append(none)
    if shown.counts is not None:
        counts = Key(TEST_POINTS, Pen(colours.axis, width=2))
        cut = Key("threshold", Pen(colours.ink, CUT_DASHES))
        drawn = [(counts, shown.counts), *drawn, (cut, Line.of([shown.point.x] * 2, [0, 1]))]
        legend += [counts, cut]
    drawn.append((curve, shown.line))
    across, up = view_words.AXES[controls.view]
    point, recall = shown.point, shown.point.across
    return CurvePanel(
        across=across,
        up=up,
        ends=shown.up,
        ticks=tuple((tick, f"{tick:g}") for tick in _ticks(high)),
        curve=curve,
        range=limits,
        baseline=baseline,
        lines=tuple((key, tuple(line.within(low, high))) for key, line in drawn),
        area=Line(*_outline(shown)),
        fill=colours.ink,
        legend=tuple(legend),
        corner=view_words.corner(evaluation, controls),
        corner_is_low=any(_enters_upper_right(of, shown.up) for of in shown.line.within(low, high)),
        point=(point.x, min(max(point.y, low), high)),
        upright=_arm(colours.both_arm, (point.lower, point.upper), shown.up),
        level=None if recall is None else _arm(colours.limits(1, width=2), recall, (0.0, 1.0)),
        text=f"λ {threshold_text(controls.threshold)}",
    )


def _outline(shown: ViewCurve) -> tuple[Floats, Floats]:
    """Both edges of the range, there and back, no further than the axis."""
    x = np.concatenate([shown.upper.x, shown.lower.x[::-1]])
    y = np.concatenate([shown.upper.y, shown.lower.y[::-1]])
    return x, np.clip(y, *shown.up)


def _enters_upper_right(line: Line, ends: tuple[float, float]) -> bool:
    """Whether a line comes to where the text of the corner stands."""
    left, bottom = UPPER_RIGHT
    low, high = ends
    right_of, above = line.x > left, (line.y - low) / (high - low) > bottom
    # A step goes through every corner of the box around it.
    return bool(np.any((right_of[1:] | right_of[:-1]) & (above[1:] | above[:-1])))


def _arm(pen: Pen, ends: tuple[float, float], axis: tuple[float, float]) -> Arm:
    """Arm no further than the axis; an end beyond it has no cap."""
    low, high = axis
    inside = tuple(end for end in ends if low <= end <= high)
    first, last = (min(max(end, low), high) for end in ends)
    return Arm(pen, (first, last), inside)


def _ticks(high: float) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten, from 0 to the upper end."""
    power = math.floor(math.log10(high / STEPS))
    exact = Decimal(repr(high))
    steps = [Decimal(digit).scaleb(power) for digit in (1, 2, 5, 10)]
    step = next(each for each in steps if exact / each <= STEPS)
    return [float(step * i) for i in range(int(exact / step) + 1)]
