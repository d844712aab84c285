"""The operating point of a picture: arms between the limits, dots where one is missing."""

from dataclasses import replace

import numpy as np
import pytest
from data import evaluation_from_scores

from conformal_roc_widget.evaluation.ideal_curve import IdealCurve
from conformal_roc_widget.view.mark import Bar, mark_of
from conformal_roc_widget.view.theme import THEMES

COLOURS = THEMES["light"]
NO_IDEAL = ""


@pytest.fixture
def evaluation():
    return evaluation_from_scores(1, n_calibration=400)


def mark_at(evaluation, threshold, alpha=0.1, open_share=None):
    band = evaluation.band(alpha)
    if open_share is not None:
        band = replace(band, open_share={0: open_share, 1: open_share})
    return mark_of(evaluation.operating_point(threshold, alpha), band, NO_IDEAL, COLOURS)


def test_an_arm_is_a_bar_between_the_two_limits_with_a_cap_at_each(evaluation):
    mark = mark_at(evaluation, 0.4)
    point = evaluation.operating_point(0.4, 0.1)
    for arm, (lower, upper) in zip(
        mark.arms,
        [(point.fpr_lower, point.fpr_upper), (point.tpr_lower, point.tpr_upper)],
        strict=True,
    ):
        assert arm.bars == (Bar(lower, upper, COLOURS.limits(arm.label, width=2)),)
        assert arm.caps == (arm.lower, arm.upper) == (lower, upper)
    assert [arm.label for arm in mark.arms] == [0, 1]
    assert mark.text == "λ 0.40"


def test_dots_run_to_the_axis_on_the_side_without_a_limit(evaluation):
    point = evaluation.operating_point(0.4, 0.1)
    dots, line = COLOURS.missing(1), COLOURS.limits(1, width=2)
    no_lower = mark_at(evaluation, 0.4, open_share=(1.0, 0.0)).arms[1]
    assert no_lower.bars == (Bar(point.tpr, point.tpr_upper, line), Bar(0.0, point.tpr, dots))
    assert no_lower.caps == (point.tpr_upper,)
    no_upper = mark_at(evaluation, 0.4, open_share=(0.0, 1.0)).arms[1]
    assert no_upper.bars == (Bar(point.tpr_lower, point.tpr, line), Bar(point.tpr, 1.0, dots))
    assert no_upper.caps == (point.tpr_lower,)
    neither = mark_at(evaluation, 0.4, open_share=(1.0, 1.0)).arms[1]
    plain = COLOURS.unlimited
    assert neither.bars == (Bar(0.0, point.tpr, plain), Bar(point.tpr, 1.0, plain))
    assert neither.caps == ()


def test_a_label_of_which_some_points_have_limits_has_a_bar(evaluation):
    assert len(mark_at(evaluation, 0.4, open_share=(0.9, 0.9)).arms[1].bars) == 1


@pytest.mark.parametrize(
    ("fpr", "tpr", "left", "above"),
    [(0.8, 0.9, False, False), (0.81, 0.9, True, False), (0.0, 0.1, False, True)],
)
def test_the_text_stays_inside_the_plot(evaluation, fpr, tpr, left, above):
    point = replace(evaluation.operating_point(0.4, 0.1), fpr=fpr, tpr=tpr)
    mark = mark_of(point, evaluation.band(0.1), NO_IDEAL, COLOURS)
    assert (mark.left, mark.above) == (left, above)


def test_without_arms_the_limits_are_kept_as_numbers(evaluation):
    point = evaluation.operating_point(0.4, 0.1)
    mark = mark_of(point, evaluation.band(0.1), NO_IDEAL, COLOURS, has_arms=False)
    assert [(arm.bars, arm.caps) for arm in mark.arms] == [((), ())] * 2
    assert (mark.arms[1].lower, mark.arms[1].upper) == (point.tpr_lower, point.tpr_upper)


def test_an_ideal_models_curve_has_an_upright_arm_at_the_rate_of_the_point(evaluation):
    point = replace(evaluation.operating_point(0.4, 0.1), fpr=0.3)
    limits = {"fpr": np.array([0.0, 0.3, 1.0]), "tpr_lower": np.array([0.1, 0.5, 1.0])}
    curve = object.__new__(IdealCurve)
    for name, values in (limits | {"tpr_upper": np.array([0.4, 0.8, 1.0])}).items():
        object.__setattr__(curve, name, values)
    across, up = mark_of(point, evaluation.band(0.1), curve, COLOURS).arms
    assert (across.bars, across.caps, across.lower, across.upper) == ((), (), 0.3, 0.3)
    assert up.bars == (Bar(0.5, 0.8, COLOURS.limits(1, width=2)),)
    assert up.caps == (0.5, 0.8)


def test_without_a_curve_of_an_ideal_model_the_arm_has_no_length(evaluation):
    point = evaluation.operating_point(0.4, 0.1)
    arms = mark_of(point, evaluation.band(0.1), "no draws", COLOURS).arms
    assert [(arm.bars, arm.upper - arm.lower) for arm in arms] == [((), 0.0)] * 2
