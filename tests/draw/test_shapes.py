"""A layout of a scene: positions by hand, clipped lines, and samples in the legend."""

import numpy as np
import pytest
from data import evaluation_from_scores
from hypothesis import given
from hypothesis import strategies as st

from conformal_roc_widget.draw.shapes import Disc, Fill, Letters, Plot, Stroke, laid_out, within
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.scene import Area, Axis, Dot, Line, Panel, Pen, Points, Scene, Text
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.shown.theme import THEMES

LIGHT = THEMES["light"]
EDGE = Pen("label1", 1, (5, 3))


def plotted(*marks, size=100):
    """Shapes of marks on a plot at the origin, without its axes."""
    bare = Plot(Panel(Axis(""), Axis(""), ()), size, (0, 0), LIGHT)
    drawn = Plot(Panel(Axis(""), Axis(""), marks), size, (0, 0), LIGHT)
    return drawn.shapes()[len(bare.shapes()) :]


def area(sides=(True, True), fill="label1", step="across"):
    upper, lower = (Points.of([0, 0.5, 1], y, step) for y in ([0.6, 0.8, 1], [0.1, 0.2, 0.4]))
    return Area("band", "the band", upper, lower, EDGE, fill, sides=sides)


def test_a_step_goes_first_across_or_first_up():
    for step, corner in (("across", [50.0, 100.0]), ("up", [0.0, 50.0])):
        ((line,),) = (
            shape.lines
            for shape in plotted(Line("l", "", Points.of([0, 0.5], [0, 0.5], step), Pen("ink")))
        )
        assert line.tolist() == [[0, 100], corner, [50, 50]]


def test_a_band_is_its_fill_between_both_edges():
    fill, edges = plotted(area())
    assert isinstance(fill, Fill)
    assert (fill.colour, fill.opacity, fill.hatched) == (LIGHT.labels[1], LIGHT.fill, False)
    upper, lower = (line.tolist() for line in edges.lines)
    assert fill.corners.tolist() == [*upper, *reversed(lower)]
    assert upper == [[0, 40], [50, 40], [50, 20], [100, 20], [100, 0]]
    assert (edges.colour, edges.dashes) == (LIGHT.labels[1], (5, 3))


def test_a_side_that_is_no_limit_is_not_drawn_and_the_band_is_hatched():
    fill, edges = plotted(area(sides=(True, False)))
    assert fill.hatched
    assert [line[0].tolist() for line in edges.lines] == [[0, 90]]
    fill, edges = plotted(area(sides=(False, False)))
    assert fill.hatched
    assert edges.lines == []


def test_a_comparator_has_edges_alone():
    (edges,) = plotted(area(fill=""))
    assert len(edges.lines) == 2


def test_points_of_one_cell_are_drawn_as_one_but_for_both_ends():
    x = np.linspace(0, 1, 100_001)
    (stroke,) = plotted(Line("l", "", Points(x, x), Pen("ink")))
    (line,) = stroke.lines
    assert 400 <= len(line) <= 1010  # the line still has its first and last vertices
    np.testing.assert_allclose(line[:, 0] + line[:, 1], 100)
    assert line[[0, -1]].tolist() == [[0, 100], [100, 0]]


def test_a_line_has_its_halo_below_it():
    halo, line = plotted(Line("l", "", Points.of([0, 1], [0, 1]), Pen("ink", 6), halo=True))
    assert (halo.colour, halo.width, line.colour, line.width) == ("#ffffff", 10, LIGHT.ink, 6)


def test_dots_have_their_shapes():
    circle, level, upright, body, edge = plotted(
        *(
            Dot(shape, "", 0.5, 0.5, 5, Pen("ink", 2), fill, shape)
            for shape, fill in (
                ("circle", "paper"),
                ("level", ""),
                ("upright", ""),
                ("diamond", "paper"),
            )
        )
    )
    assert circle == Disc(50, 50, 5, "#ffffff", LIGHT.ink, 2)
    assert level.lines[0].tolist() == [[45, 50], [55, 50]]
    assert upright.lines[0].tolist() == [[50, 45], [50, 55]]
    assert body.corners.tolist() == [[50, 45], [55, 50], [50, 55], [45, 50], [50, 45]]
    assert edge.lines[0].tolist() == body.corners.tolist()


def test_a_text_stands_beside_its_place():
    (letters,) = plotted(Text("t", "here", 0.5, 0.25, -8, 20, "end", bold=True))
    assert (letters.x, letters.y, letters.anchor, letters.bold) == (42, 95, "end", True)
    assert letters.halo == LIGHT.background


def test_the_curve_comes_first_in_the_legend_and_chance_last():
    points = Points.of([0, 1], [0, 1])
    marks = (
        Line("baseline", "chance", points, Pen("axis")),
        area(),
        Line("hairline", "", points, Pen("ink")),
        Line("curve", "this classifier", points, Pen("ink", 2)),
        area()._replace(id="other"),
    )
    scene = Scene("Title", (Panel(Axis("x"), Axis("y"), marks),) * 2, columns=2)
    assert list(scene.legend) == ["this classifier", "the band", "chance"]
    shapes = laid_out(scene, LIGHT).shapes
    assert [each.text for each in shapes if isinstance(each, Letters)][-3:] == list(scene.legend)


def test_a_sheet_holds_all_of_its_shapes():
    groups = [
        Group.of(evaluation_from_scores(1)),
        Group.of({name: evaluation_from_scores(1) for name in "abcde"}),
    ]
    for group in groups:
        sheet = laid_out(scene_of(group, Controls(band="both")), LIGHT)
        for shape in sheet.shapes:
            places = [(shape.x, shape.y)] if hasattr(shape, "x") else []
            for corners in shape.lines if isinstance(shape, Stroke) else ():
                places += corners.tolist()
            for x, y in places:
                assert 0 <= x <= sheet.width
                assert 0 <= y <= sheet.height


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ((0, 1), [0, 0.2, 0.4, 0.6, 0.8, 1]),
        ((-3.2, 4.1), [-2, 0, 2, 4]),
        ((100.3, 100.9), [100.3, 100.4, 100.5, 100.6, 100.7, 100.8, 100.9]),
        ((-20000.0, 120000.0), [0, 20000, 40000, 60000, 80000, 100000, 120000]),
    ],
)
def test_ticks_are_multiples_of_1_2_or_5(ends, expected):
    assert Axis("", ends).ticks == pytest.approx(expected, abs=1e-12)


def test_a_line_is_cut_where_it_leaves_the_axis():
    line = Points.of([0, 1, 2, 3], [0, 2, -2, 0.5])
    first, second, third = within(line, -1, 1)
    assert [*zip(*first[:2], strict=True)] == [(0, 0), (0.5, 1)]
    assert [*zip(*second[:2], strict=True)] == [(1.25, 1), (1.75, -1)]
    assert [*zip(*third[:2], strict=True)] == [(pytest.approx(2.4), pytest.approx(-1)), (3, 0.5)]
    assert within(line, 5, 6) == []


@given(st.lists(st.floats(-3, 3), min_size=2, max_size=12))
def test_pieces_hold_what_is_inside_and_nothing_else(heights):
    line = Points.of(np.arange(len(heights)), heights)
    pieces = within(line, -1, 1)
    for piece in pieces:
        assert piece.y.min() >= -1 - 1e-9
        assert piece.y.max() <= 1 + 1e-9
        np.testing.assert_allclose(np.interp(piece.x, *line[:2]), piece.y, atol=1e-9)
    dense = np.linspace(0, len(heights) - 1, 997)
    at = np.interp(dense, *line[:2])
    drawn = np.zeros(dense.size, dtype=bool)
    for piece in pieces:
        drawn |= (dense >= piece.x[0] - 1e-9) & (dense <= piece.x[-1] + 1e-9)
    assert drawn[np.abs(at) < 1 - 1e-6].all()
    assert not drawn[np.abs(at) > 1 + 1e-6].any()
