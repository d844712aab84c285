"""Rows of a chart of a figure: the numbers of its panel."""

import math

import numpy as np
import pytest
from data import evaluation_from_scores

from conformal_roc_widget.charts.figure_rows import (
    COMPARATOR_POINTS,
    DIGITS,
    arc_rows,
    band_rows,
    bar_rows,
    cap_rows,
    edge_rows,
    hatch_rows,
    mark_rows,
    missing_rows,
)
from conformal_roc_widget.view import figure
from conformal_roc_widget.view.arc import Arc
from conformal_roc_widget.view.controls import Controls
from conformal_roc_widget.view.evaluation_group import Group
from conformal_roc_widget.view.theme import Pen

SIZE = 400


@pytest.fixture
def evaluation():
    return evaluation_from_scores(1, n_calibration=400, decimals=1)


@pytest.fixture
def panel(evaluation):
    controls = Controls(alpha=0.1, threshold=0.4, band="both")
    return figure.of(Group.of(evaluation), controls).panels[0]


def test_rows_of_a_band_are_its_vertices_with_the_limits_that_are_drawn(panel):
    rows = band_rows(panel, SIZE)
    assert set(rows[0]) == {
        *("fpr", "tpr", "fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"),
    }
    for name in rows[0]:
        assert [row[name] for row in rows] == getattr(panel.band, name).tolist()
    one = panel._replace(limits=panel.limits[:1])
    label = one.limits[0].label
    assert set(band_rows(one, SIZE)[0]) == {"fpr", "tpr"} | {
        f"{('fpr', 'tpr')[label]}_{end}" for end in ("lower", "upper")
    }


def test_rows_for_a_slider_are_rounded_and_carry_their_alpha(panel):
    rows = band_rows(panel, SIZE, 0.1)
    assert {row["a"] for row in rows} == {0.1}
    for row in rows:
        assert all(value == round(value, DIGITS) for value in row.values())


def test_the_hatch_crosses_the_plot_every_eight_pixels():
    rows = hatch_rows(SIZE)
    for row in rows:
        assert row["x"] + row["y"] == pytest.approx(row["x2"] + row["y2"], abs=1e-12)
        assert {0.0, 1.0} & {row["x"], row["y"]}
        assert min(row.values()) >= 0
        assert max(row.values()) <= 1
    apart = np.diff([row["x"] + row["y"] for row in rows]) * SIZE / math.sqrt(2)
    np.testing.assert_allclose(apart, 8)


@pytest.mark.parametrize("label", [0, 1])
def test_a_band_without_an_upper_limit_is_hatched_inside_its_limits_alone(panel, label):
    assert missing_rows(panel, label, SIZE) == [], "both limits"
    half = tuple(limits._replace(sides=(True, False)) for limits in panel.limits)
    rows = missing_rows(panel._replace(limits=half), label, SIZE)
    assert rows
    band = panel.band
    over, low, high = (
        (band.fpr, band.tpr_lower, band.tpr_upper)
        if label
        else (band.tpr, band.fpr_lower, band.fpr_upper)
    )
    for row in rows:
        for x, y in ((row["x"], row["y"]), (row["x2"], row["y2"])):
            along, rate = (x, y) if label else (y, x)
            at = max(i for i in range(over.size) if over[i] <= along + 1e-4)
            before = max(i for i in range(over.size) if over[i] <= max(along - 1e-4, 0))
            assert min(low[before], low[at]) - 1e-4 <= rate <= max(high[before], high[at]) + 1e-4


def test_bars_and_caps_are_those_of_the_mark(panel):
    for arm in panel.mark.arms:
        (bar,) = arm.bars
        (row,) = bar_rows(panel, arm.label, bar.pen)
        assert (row["lower"], row["upper"]) == (bar.lower, bar.upper)
        assert bar_rows(panel, arm.label, Pen("#000000", (9, 9))) == []
        assert [row["end"] for row in cap_rows(panel, arm.label)] == list(arm.caps)


def test_the_row_of_the_mark_has_the_threshold_as_it_is_read(panel, evaluation):
    (row,) = mark_rows(panel)
    point = evaluation.operating_point(0.4, 0.1)
    assert row.pop("threshold") == "0.40"
    assert row == {name: getattr(point, name) for name in row}
    assert len(row) == 6


def test_without_a_mark_there_are_no_rows(panel):
    bare = panel._replace(mark=None)
    assert mark_rows(bare) == cap_rows(bare, 0) == bar_rows(bare, 0, Pen("")) == []


@pytest.mark.parametrize("n", [3, 51, 52, 400])
def test_limits_of_a_comparator_are_thinned_and_keep_both_ends(panel, n):
    fpr = np.linspace(0, 1, n)
    key = figure.Key("one", Pen("#123456"))
    others = figure.Key("other", Pen("#123456"))
    edges = (
        figure.Edges(key, fpr, fpr**2, np.sqrt(fpr)),
        figure.Edges(others, fpr, fpr, fpr),
    )
    rows = edge_rows(panel._replace(comparators=edges), "one")
    assert len(rows) <= COMPARATOR_POINTS + 1
    assert (rows[0]["x"], rows[-1]["x"]) == (0.0, 1.0)
    for row in rows:
        at = np.abs(fpr - row["x"]).argmin()
        wanted = [round(float(each), DIGITS) for each in (fpr[at], fpr[at] ** 2, fpr[at] ** 0.5)]
        assert [row["x"], row["lower"], row["upper"]] == wanted


def test_an_arc_has_the_corners_of_the_curve():
    arc = Arc("arc", Pen("#123456"), np.array([0.1, 0.1, 0.4]), np.array([0.2, 0.7, 0.7]))
    assert arc_rows(arc) == [{"x": 0.1, "y": 0.2}, {"x": 0.1, "y": 0.7}, {"x": 0.4, "y": 0.7}]
