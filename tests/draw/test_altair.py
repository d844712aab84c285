"""A scene as an Altair chart: the numbers of its marks, its legend, and its tooltips."""

import math

import numpy as np
import pytest
from chart_cases import records
from data import evaluation_from_scores
from pictures import marks

from conformal_roc_widget.draw.altair import DIGITS, HOVERED, MOST, TEXT_WIDTH, chart_of, hatch_rows
from conformal_roc_widget.draw.style import dashes_of
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.scene import Area, Axis, Dot, Line, Panel, Pen, Points, Scene
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.shown.theme import THEMES

LIGHT = THEMES["light"]
SIZE = 400


@pytest.fixture
def scene():
    evaluation = evaluation_from_scores(1, n_calibration=400, decimals=1)
    return scene_of(Group.of(evaluation), Controls(0.1, 0.4, "both"))


def chart_with(*marks, side=SIZE, up=(0.0, 1.0), **words):
    return chart_of(
        Scene("T", (Panel(Axis("x"), Axis("y", up), marks),), side=side, **words), LIGHT
    )


def test_rows_are_the_points_of_the_marks(scene):
    held, found = records(chart_of(scene, LIGHT)), marks(scene)
    upright, level, curve = found["band-sensitivity"], found["band-specificity"], found["curve"]
    for wanted in (
        {"x": upright.upper.x, "lower": upright.lower.y, "upper": upright.upper.y},
        {"y": level.upper.y, "lower": level.lower.x, "upper": level.upper.x},
        {"x": curve.points.x, "y": curve.points.y},
    ):
        columns = [values.tolist() for values in wanted.values()]
        rows = [dict(zip(wanted, row, strict=True)) for row in zip(*columns, strict=True)]
        assert rows in held


def test_a_line_that_no_one_reads_is_rounded_and_a_long_one_thinned():
    x = np.linspace(0, 1, 3)
    (rows,) = records(chart_with(Line("l", "l", Points(x, x / 3), Pen("ink"))))
    assert [row["y"] for row in rows] == [0, round(1 / 6, DIGITS), round(1 / 3, DIGITS)]
    x = np.linspace(0, 1, 10 * MOST)
    (rows,) = records(chart_with(Line("l", "l", Points(x, x), Pen("ink"))))
    assert len(rows) < MOST
    assert (rows[0]["x"], rows[-1]["x"]) == (0, 1)


def test_a_line_that_leaves_the_axis_is_clipped():
    leaving, staying = (
        chart_with(Line("l", "l", Points.of([0, 1], [0, y]), Pen("ink"))).to_dict()["layer"][0]
        for y in (2, 1)
    )
    assert (leaving["mark"]["clip"], staying["mark"]["clip"]) == (True, False)


@pytest.mark.parametrize("size", [100, 408])
def test_the_hatch_crosses_a_whole_plot_every_eight_pixels(size):
    whole = {"x": np.array([0.0, 1]), "lower": np.zeros(2), "upper": np.ones(2)}
    rows = hatch_rows(whole, "x", size)
    for row in rows:
        assert row["x"] + row["y"] == pytest.approx(row["x2"] + row["y2"], abs=2e-5)
        assert {0.0, 1.0} & {row["x"], row["y"]}
        assert min(row.values()) >= 0
        assert max(row.values()) <= 1
    apart = np.diff([row["x"] + row["y"] for row in rows]) * size / math.sqrt(2)
    np.testing.assert_allclose(apart, 8, atol=0.01)


@pytest.mark.parametrize("name", ["band-sensitivity", "band-specificity"])
def test_a_band_without_an_upper_limit_is_hatched_inside_its_limits_alone(scene, name):
    band = marks(scene)[name]._replace(sides=(True, False))
    over, other = "xy" if name == "band-sensitivity" else "yx"
    along = getattr(band.upper, over)
    low, high = getattr(band.lower, other), getattr(band.upper, other)
    (rows,) = [rows for rows in records(chart_with(band)) if "x2" in rows[0]]
    for row in rows:
        for end in ("", "2"):
            place, rate = row[f"{over}{end}"], row[f"{other}{end}"]
            at = max(i for i in range(along.size) if along[i] <= place + 1e-4)
            before = max(i for i in range(along.size) if along[i] <= max(place - 1e-4, 0))
            assert min(low[before], low[at]) - 1e-4 <= rate <= max(high[before], high[at]) + 1e-4
    spec = chart_with(band).to_dict()
    assert "area" not in {layer["mark"]["type"] for layer in spec["layer"]}
    assert sum(layer["mark"]["type"] == "line" for layer in spec["layer"]) == 1


def test_a_band_lets_the_lines_below_it_through_the_weaker_the_more():
    edge = Points.of([0, 1], [0, 1])
    for strength in (1.0, 0.5):
        band = Area("b", "b", edge, edge, Pen("axis"), fill="axis", strength=strength)
        fill = chart_with(band).to_dict()["layer"][0]["mark"]
        assert fill["fillOpacity"] == LIGHT.fill * strength


def test_the_caps_of_an_arm_are_strokes_across_it():
    for shape, angle in (("level", 0), ("upright", 90)):
        cap = Dot("c", "c", 0.5, 0.5, 4.0, Pen("ink"), shape=shape)
        drawn = chart_with(cap).to_dict()["layer"][0]["mark"]
        assert (drawn["shape"], drawn["angle"]) == ("stroke", angle)


def test_bars_of_one_pen_are_one_layer(scene):
    bars = [Line(f"b{i}", "", Points.of([i, i], [0, 1]), Pen("ink")) for i in range(3)]
    (layer,) = chart_with(*bars).to_dict()["layer"]
    assert layer["mark"]["type"] == "rule"
    (rows,) = records(chart_with(*bars))
    assert rows == [{"x": i, "x2": i, "y": 0, "y2": 1} for i in range(3)]


def test_a_curve_tells_its_numbers_at_some_points(scene):
    spec = chart_of(scene, LIGHT).to_dict()
    hover = spec["layer"][-1]
    rows, curve = spec["datasets"][hover["data"]["name"]], marks(scene)["curve"]
    assert len(rows) <= HOVERED
    titles = [reading.title for reading in curve.readings]
    assert [each["title"] for each in hover["encoding"]["tooltip"]] == titles
    assert titles == [
        *("threshold", "fpr", "tpr"),
        *("fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"),
    ]
    for row in rows:
        assert row["x"] == row["fpr"]
        at = np.flatnonzero((curve.points.x == row["x"]) & (curve.points.y == row["y"]))
        upper = marks(scene)["band-sensitivity"].upper.y[at]
        assert row["tpr_upper"] in upper


def test_title_and_sentences_are_the_scenes_at_a_width_that_can_be_read(scene):
    wide = scene._replace(side=2000)
    title = chart_of(wide, LIGHT).to_dict()["title"]
    words = " ".join(title["subtitle"]).replace("\N{NO-BREAK SPACE}", " ")
    assert " ".join(title["text"]).replace("\N{NO-BREAK SPACE}", " ") == scene.title
    assert words == " ".join([*scene.lead, *scene.notes])
    assert max(map(len, title["subtitle"])) <= TEXT_WIDTH / 6


def legend_of(*marks, side=SIZE):
    spec = chart_with(*marks, side=side).to_dict()
    return next(layer["encoding"] for layer in spec["layer"] if "legend" in str(layer))


def columns_by_hand(widths, wide):
    """The largest number of columns whose rows all fit."""
    fitting = [
        n
        for n in range(1, len(widths) + 1)
        if all(sum(widths[i : i + n]) <= wide for i in range(0, len(widths), n))
    ]
    return max([1, *fitting])


@pytest.mark.parametrize("side", [102, 252, 408, 1_000])
def test_the_legend_has_as_many_columns_as_fit(side):
    names = ("this classifier", "95 % band", "chance", "KS")
    points = Points.of([0, 1], [0, 1])
    legend = legend_of(*(Line(name, name, points, Pen("ink")) for name in names), side=side)
    widths = [50 + 6 * len(name) for name in names]
    assert legend["color"]["legend"]["columns"] == columns_by_hand(widths, side + 48)


def test_every_line_has_its_colour_and_its_dashes():
    points = Points.of([0, 1], [0, 1])
    band = Area("two", "two", points, points, Pen("label0", 1, (5, 3)))
    legend = legend_of(Line("one", "one", points, Pen("ink")), band)
    assert legend["color"]["scale"] == {
        "domain": ["one", "two"],
        "range": [LIGHT.ink, LIGHT.labels[0]],
    }
    assert legend["strokeDash"]["scale"]["range"] == [dashes_of(()), [5, 3]]
