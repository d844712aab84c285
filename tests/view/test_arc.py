"""The arc of an ideal recalibration in pictures and charts."""

from xml.etree import ElementTree

import numpy as np

from conformal_roc_widget import RocEvaluation, ROCWidget
from conformal_roc_widget.view import figure, svg
from conformal_roc_widget.view.controls import Controls
from conformal_roc_widget.view.evaluation_group import Group


def evaluated(rng, falls=False, guarantee="simultaneous"):
    def drawn(n):
        p = rng.random(n)
        return (rng.random(n) < (1 - p if falls else p)).astype(int), p

    return RocEvaluation.from_predictions(*drawn(700), *drawn(200), guarantee=guarantee)


def panel_of(evaluation, **controls):
    made = figure.of(
        Group.of(evaluation), Controls(**({"alpha": 0.1, "threshold": 0.4} | controls))
    )
    return made, made.panels[0]


def test_the_arc_is_the_curve_between_the_limits_of_the_threshold(rng):
    evaluation = evaluated(rng)
    made, panel = panel_of(evaluation)
    point, band = evaluation.operating_point(0.4, 0.1), evaluation.band(0.1)
    assert (panel.arc.fpr[0], panel.arc.tpr[0]) == (point.fpr_lower, point.tpr_lower)
    assert (panel.arc.fpr[-1], panel.arc.tpr[-1]) == (point.fpr_upper, point.tpr_upper)
    curve = set(zip(band.fpr.tolist(), band.tpr.tolist(), strict=True))
    assert set(zip(panel.arc.fpr.tolist(), panel.arc.tpr.tolist(), strict=True)) <= curve
    wanted = [
        (x, y)
        for x, y in zip(band.fpr, band.tpr, strict=True)
        if point.fpr_lower <= x <= point.fpr_upper and point.tpr_lower <= y <= point.tpr_upper
    ]
    assert panel.arc.fpr.size == len(wanted) + 2
    assert (np.diff(panel.arc.fpr) >= 0).all()
    assert panel.limits == ()
    assert panel.arc.pen.dashes == ()
    assert "ideal recalibration cut at 0.40, 90 %" in [key.text for key in made.legend]


def test_an_arc_that_the_labels_refute_is_dashed(rng):
    assert panel_of(evaluated(rng, falls=True))[1].arc.pen.dashes


def test_other_guarantees_have_their_band(rng):
    panel = panel_of(evaluated(rng, guarantee="individual"))[1]
    assert panel.arc is None
    assert panel.limits


def test_svg_and_chart_draw_it(rng):
    evaluation = evaluated(rng)
    made, panel = panel_of(evaluation)
    drawing = svg.draw(made).svg
    ElementTree.fromstring(drawing)
    assert drawing.count('stroke-width="6"') == 2, "the arc and its entry in the legend"
    assert drawing.count('r="4.5"') == 2
    widget = ROCWidget(evaluation, alpha=0.1, threshold=0.4)
    text = widget.chart().to_json()
    assert "ideal recalibration cut at 0.40, 90 %" in text
    ends = [panel.arc.fpr[0], panel.arc.tpr[-1]]
    assert all(f"{end:.15g}"[:12] in text for end in ends)
    assert widget.to_svg is not None


def test_at_a_threshold_of_1_it_is_a_point(rng):
    arc = panel_of(evaluated(rng), threshold=1.0)[1].arc
    assert {*arc.fpr, *arc.tpr} == {0}
