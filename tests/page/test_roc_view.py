"""Marks of the ROC curve: bands, arms, arc and equal-cost line, by hand."""

import numpy as np
import pytest
from data import evaluation_from_scores
from oracles import expected_cost
from pictures import marks

from conformal_roc_widget import RocEvaluation, ROCWidget
from conformal_roc_widget.page.apart import box_of
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.scene import SIDE, Axis, Dot, Panel
from conformal_roc_widget.shown.controls import PAGE, Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.shown.theme import DASHES, EDGE_DASHES
from conformal_roc_widget.words import words


@pytest.fixture(scope="module")
def evaluation():
    return evaluation_from_scores(1, n_calibration=400)


def shown(evaluation, *values, **controls):
    return marks(scene_of(Group.of(evaluation), Controls(*values, **controls)))


def ends(mark):
    return [*mark.points.x.tolist(), *mark.points.y.tolist()]


def test_the_lines_are_the_bands(evaluation):
    found, band = shown(evaluation, 0.2, band="both"), evaluation.band(0.2)
    curve, upright, level = found["curve"], found["band-sensitivity"], found["band-specificity"]
    for points, x, y in (
        (curve.points, band.fpr, band.tpr),
        (upright.upper, band.fpr, band.tpr_upper),
        (upright.lower, band.fpr, band.tpr_lower),
        (level.upper, band.fpr_upper, band.tpr),
        (level.lower, band.fpr_lower, band.tpr),
    ):
        np.testing.assert_array_equal(points.x, x)
        np.testing.assert_array_equal(points.y, y)
    assert [curve.points.step, upright.upper.step, level.lower.step] == ["", "across", "across"]
    assert (upright.pen.colour, level.pen.colour) == ("label1", "label0")
    assert (upright.fill, level.fill) == ("label1", "label0")


def test_an_arm_runs_between_the_two_limits_with_a_cap_at_each(evaluation):
    found, at = shown(evaluation, 0.1, 0.4, band="both"), evaluation.operating_point(0.4, 0.1)
    assert "arm-0" not in shown(evaluation, 0.1, 0.4, band="sensitivity"), "its band is not there"
    assert ends(found["arm-0"]) == [at.fpr_lower, at.fpr_upper, at.tpr, at.tpr]
    assert ends(found["arm-1"]) == [at.fpr, at.fpr, at.tpr_lower, at.tpr_upper]
    assert found["arm-1"].pen == ("label1", 2, EDGE_DASHES[1])
    caps = [found[f"arm-1-{side}"] for side in ("lower", "upper")]
    assert [(cap.x, cap.y, cap.shape) for cap in caps] == [
        (at.fpr, at.tpr_lower, "level"),
        (at.fpr, at.tpr_upper, "level"),
    ]
    assert found["arm-0-lower"].shape == "upright"
    assert found["point-text"].text == "threshold 0.40"


def test_the_text_of_the_point_stays_inside_the_plot(evaluation):
    for threshold in np.linspace(0, 1, 41):
        found = shown(evaluation, 0.1, threshold)
        point, text = found["point"], found["point-text"]
        assert (text.x, text.y) == (point.x, point.y)
        box = box_of(text, Panel(Axis(""), Axis(""), ()))
        assert min(box) >= 0
        assert max(box) <= SIDE


def recalibrated(rng, falls=False, guarantee="simultaneous", rows=(700, 200)):
    def drawn(n):
        p = rng.random(n)
        return (rng.random(n) < (1 - p if falls else p)).astype(int), p

    return RocEvaluation.from_predictions(*drawn(rows[0]), *drawn(rows[1]), guarantee=guarantee)


def test_the_arc_is_the_curve_between_the_limits_of_the_threshold(rng):
    evaluation = recalibrated(rng)
    found = shown(evaluation, 0.1, 0.4)
    at, band = evaluation.operating_point(0.4, 0.1), evaluation.band(0.1)
    arc = found["arc"].points
    assert (arc.x[0], arc.y[0]) == (at.fpr_lower, at.tpr_lower)
    assert (arc.x[-1], arc.y[-1]) == (at.fpr_upper, at.tpr_upper)
    between = [
        (x, y)
        for x, y in zip(band.fpr.tolist(), band.tpr.tolist(), strict=True)
        if at.fpr_lower <= x <= at.fpr_upper and at.tpr_lower <= y <= at.tpr_upper
    ]
    places = list(zip(arc.x.tolist(), arc.y.tolist(), strict=True))
    assert places == list(dict.fromkeys(places)), "no place twice"
    assert set(places[1:-1]) <= set(between) <= set(places)
    assert (np.diff(arc.x) >= 0).all()
    assert not [name for name in found if name.startswith(("band", "arm"))]
    assert found["arc"].pen.dashes == ()
    assert found["arc"].key == "recalibrated"
    rings = [(found[f"arc-{end}"].x, found[f"arc-{end}"].y) for end in ("lower", "upper")]
    assert rings == [(arc.x[0], arc.y[0]), (arc.x[-1], arc.y[-1])]
    assert ends(found["arc-1-upper"]) == [0, at.fpr_upper, at.tpr_upper, at.tpr_upper]
    assert ends(found["arc-0-upper"]) == [at.fpr_upper, at.fpr_upper, 0, at.tpr_upper]
    # If the reader prefers the band to the arc.
    band_alone = shown(evaluation, 0.1, 0.4, page=PAGE | {"arc": False})
    assert "band-sensitivity" in band_alone
    assert "arc" not in band_alone


def test_an_arc_that_the_labels_refute_is_dotted(rng):
    evaluation = recalibrated(rng, falls=True)
    assert evaluation.at(0.1).notes
    assert shown(evaluation, 0.1, 0.4)["arc"].pen.dashes == DASHES["refuted"]


def test_an_arm_that_leaves_the_axis_has_no_cap_there(evaluation):
    """The goal's own limit is one-sided: it has no upper limit."""
    kept = evaluation.threshold_for(sensitivity=0.8, confidence=0.9)
    found = shown(evaluation, 0.1, float(kept), "sampling", goal={"sensitivity": 0.8})
    assert found["arm-1"].points.y.tolist() == [0.8, 1]
    assert (found["arm-1-lower"].y, found["arm-1-lower"].shape) == (0.8, "level")
    assert "arm-1-upper" not in found


@pytest.mark.parametrize(("share", "cost"), [(0.12, 8.0), (None, 1.0), (0.01, 0.2), (0.99, 100.0)])
def test_the_cost_is_the_same_along_the_line_which_ends_at_the_plot(evaluation, share, cost):
    found = shown(evaluation, 0.1, 0.4, prevalence=share, cost_ratio=cost)
    at, line = evaluation.operating_point(0.4, 0.1), found["same-cost"].points
    share = share or evaluation.own_prevalence
    costs = expected_cost(line.x, line.y, share, cost)
    np.testing.assert_allclose(costs, expected_cost(at.fpr, at.tpr, share, cost), rtol=1e-9)
    for fpr, tpr in zip(line.x, line.y, strict=True):
        assert min(fpr, tpr, 1 - fpr, 1 - tpr) == pytest.approx(0, abs=1e-12)
    assert line.x[0] <= at.fpr <= line.x[1]
    least = found["least-cost"]
    assert isinstance(least, Dot)
    band = evaluation.band(0.1)
    lowest = expected_cost(band.fpr, band.tpr, share, cost).min()
    assert expected_cost(least.x, least.y, share, cost) == pytest.approx(lowest, abs=1e-12)


def test_without_a_cost_there_is_no_such_line(evaluation, tmp_path):
    def picture(widget):
        return widget.to_svg(tmp_path / "chart.svg").read_text("utf-8")

    assert "same cost" not in picture(ROCWidget(evaluation, alpha=0.1))
    with_cost = picture(ROCWidget({"one": evaluation, "other": evaluation}, cost_ratio=8))
    assert "same cost" in with_cost
    assert "A miss counts as 8 false alarms" in with_cost.replace("\N{NO-BREAK SPACE}", " ")


def test_of_a_curve_to_guess_from_the_picture_says_the_rates_alone(evaluation):
    point = evaluation.operating_point(0.4, 0.1)
    (lead,) = scene_of(Group.of(evaluation), Controls(0.1, 0.4, "none")).lead
    assert lead.startswith(words("answer.at_threshold", threshold=0.4).rstrip(", "))
    for rate in (point.tpr, 1 - point.fpr):
        assert f"{100 * rate:.0f} %" in lead
    assert "between" not in lead
    assert "sure" not in lead
