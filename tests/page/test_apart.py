"""No text of a picture lies on another one, wherever the threshold is."""

from itertools import combinations

import pytest
from cases import CASES, QUICK, group_of
from parts import with_quick

from conformal_roc_widget.page.apart import apart, box_of, overlap
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.scene import SIDE, Axis, Line, Panel, Pen, Points, Text, ems
from conformal_roc_widget.shown.controls import Controls


def texts_of(panel):
    return [mark for mark in panel.marks if isinstance(mark, Text)]


@pytest.mark.parametrize("name", with_quick(CASES, QUICK))
def test_no_text_of_a_case_lies_on_another(name):
    group = group_of(name)
    label = None if group.kind == "single" else next(iter(group.entries))
    for band in ("sensitivity", "both", "sampling"):
        for threshold in (0.02, 0.5, 0.9):
            (panel,) = scene_of(group, Controls(0.1, threshold, band, label=label)).panels
            for one, other in combinations(texts_of(panel), 2):
                both = box_of(one, panel), box_of(other, panel)
                assert overlap(*both) == 0, (band, threshold, one.text, other.text)


def test_the_point_and_the_chance_line_give_way_to_a_name():
    name = Text("band-name", "the curve of all rows like these", 0.1, 0.8, 4, 12)
    point = Text("point-text", "threshold 0.50", 0.1, 0.8, 12, 20, bold=True)
    chance = Text("chance", "chance", 0.12, 0.8)
    panel = Panel(Axis(""), Axis(""), (name, point, chance))
    kept, moved, along = apart(panel).marks
    assert kept is name
    assert (moved.x, moved.y) == (point.x, point.y)
    assert along.x == along.y
    for one, other in combinations((kept, moved, along), 2):
        assert overlap(box_of(one, panel), box_of(other, panel)) == 0


def test_a_text_that_is_clear_stays_and_a_taken_place_is_left():
    point = Text("point-text", "threshold 0.50", 0.4, 0.5, 12, 20, bold=True)
    panel = Panel(Axis(""), Axis(""), (point,))
    assert apart(panel) == panel
    there = Text("band-name", "a name", 0.45, 0.46)
    moved = apart(panel._replace(marks=(point, there))).marks[0]
    assert overlap(box_of(point, panel), box_of(there, panel)) > 0
    assert overlap(box_of(moved, panel), box_of(there, panel)) == 0


@pytest.mark.parametrize("name", ["curve", "goal", "band"])
def test_the_point_gives_way_to_the_curve_and_the_goal(name):
    point = Text("point-text", "threshold 0.50", 0.4, 0.5, 12, 20, bold=True)
    panel = Panel(Axis(""), Axis(""), (point,))
    box = box_of(point, panel)
    height = 1 - (box.top + box.bottom) / 2 / SIDE
    line = Line(name, "", Points.of([0, 1], [height, height]), Pen("ink"))
    moved = apart(panel._replace(marks=(point, line))).marks[0]
    assert (moved == point) == (name == "band")
    found = box_of(moved, panel)
    assert name == "band" or not found.top < SIDE * (1 - height) < found.bottom


def test_a_box_is_as_wide_as_its_letters():
    text = Text("a", "threshold", 0.5, 0.5, anchor="middle")
    left, top, right, bottom = box_of(text, Panel(Axis(""), Axis(""), ()))
    assert right - left == pytest.approx(12 * sum(map(ems, text.text)))
    assert (left + right) / 2 == pytest.approx(SIDE / 2)
    assert top < SIDE / 2 < bottom
