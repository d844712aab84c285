"""The corner of a ROC curve, magnified five times: what is clipped, in every kind of picture."""

import numpy as np
import pytest
from data import evaluation_from_scores

from conformal_roc_widget.draw.altair import chart_of
from conformal_roc_widget.draw.shapes import Fill, Letters, Plot, Stroke, laid_out
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.scene import Area, Axis, Panel, Pen, Points
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.shown.theme import THEMES

CORNER = Axis("", (0.0, 0.2)), Axis("", (0.8, 1.0))


def scene(band="both", **controls):
    group = Group.of(evaluation_from_scores(2, n_test=300), None, None)
    return scene_of(group, Controls(band=band, zoom=True, **controls))


@pytest.mark.parametrize("band", ["sensitivity", "specificity", "both"])
def test_nothing_of_a_curve_or_band_leaves_the_plot(band):
    panel = scene(band).panels[0]
    assert [axis.ends for axis in panel[:2]] == [(0.0, 0.2), (0.8, 1.0)]
    for shape in Plot(panel, 400, (100, 50), THEMES["light"]).shapes():
        match shape:
            case Stroke() if shape.lines and len(shape.lines[0]) > 5:
                places = np.concatenate(shape.lines)
            case Fill():
                places = shape.corners
            case _:
                continue
        assert (places >= (99.99, 49.99)).all()
        assert (places <= (500.01, 450.01)).all()


def test_an_edge_is_cut_where_it_crosses_the_end_of_an_axis():
    over = Points.of([0, 0.1, 0.3], [0.6, 1.0, 1.0])
    under = Points.of([0, 0.1, 0.3], [0.6, 0.6, 1.0])
    panel = Panel(*CORNER, (Area("band", "", over, under, Pen("ink"), "ink"),))
    plot = Plot(panel, 100, (0, 0), THEMES["light"])
    fill, edges = plot._mark(panel.marks[0])
    # From 0.6 on, the upper edge reaches 0.8 at FPR 0.05, and the lower edge at 0.2, where the plot
    # ends.
    assert [25.0, 100.0] in fill.corners.round(6).tolist()
    assert [25.0, 100.0] in edges.lines[0].round(6).tolist()
    assert edges.lines[0].round(6).tolist()[-1] == [100.0, 0.0]


def test_the_picture_says_what_part_it_shows():
    titles = {
        shape.text
        for shape in laid_out(scene(), THEMES["light"]).shapes
        if isinstance(shape, Letters)
    }
    assert {
        "1 − specificity (false alarms), 0 to 20 %",
        "Sensitivity, 80 to 100 %",
    } <= titles


def test_a_chart_clips_what_leaves_the_corner():
    text = chart_of(scene(), THEMES["light"]).to_json()
    assert '"clip": true' in text


@pytest.mark.parametrize("view", ["precision_recall", "reliability", "net_benefit"])
def test_other_views_have_no_corner(view):
    group = Group.of(evaluation_from_scores(2, n_test=300), None, None)
    made, whole = scene(view=view), scene_of(group, Controls(band="both", view=view))
    assert made.panels[0][:2] == whole.panels[0][:2]
    assert repr(made.panels[0].marks) == repr(whole.panels[0].marks)
