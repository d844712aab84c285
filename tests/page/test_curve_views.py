"""The curve of each view: scikit-learn's steps, the calibration band, net benefit."""

import numpy as np
import pytest
from data import evaluation_from_scores
from pictures import marks
from said import is_said
from sklearn.metrics import average_precision_score, precision_recall_curve

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group


@pytest.fixture(scope="module")
def evaluation():
    return evaluation_from_scores(n_calibration=300, n_test=120, decimals=2)


def shown(evaluation, *values, **controls):
    return marks(scene_of(Group.of(evaluation), Controls(*values, **controls)))


def point_and_arm(found):
    """Position of the operating point, and the ends of its arm."""
    point = found["point"]
    return [point.x, point.y, *found["arm"].points.y]


def test_precision_and_recall_are_scikit_learns_steps(evaluation):
    found = shown(evaluation, 0.1, 0.5, view="precision_recall")
    line = found["curve"].points
    precision, recall, _ = precision_recall_curve(evaluation.labels, evaluation.scores)
    # The net benefit curves of Python fall, and end at the threshold above which nobody is called.
    np.testing.assert_allclose(line.x, recall[::-1], rtol=1e-12)
    np.testing.assert_allclose(line.y, precision[::-1], rtol=1e-12)
    assert line.step == "up", "along x at the height of the next"
    average = average_precision_score(evaluation.labels, evaluation.scores)
    assert found["corner"].text == f"Average precision {average:.2f}"
    share = evaluation.own_prevalence
    assert found["baseline"].points.y.tolist() == [share, share]


@pytest.mark.parametrize(("share", "place"), [(0.12, (0, 0)), (0.11, (1, 1))])
def test_the_average_precision_stands_clear_of_the_base_rate(evaluation, share, place):
    text = shown(evaluation, view="precision_recall", prevalence=share)["corner"]
    assert (text.x, text.y) == place


def test_the_point_of_precision_and_recall_counts_by_hand(evaluation):
    found = shown(evaluation, 0.1, 0.5, view="precision_recall", prevalence=0.2)
    point = evaluation.operating_point(0.5, 0.1)

    def precision(tpr, fpr):
        return 0.2 * tpr / (0.2 * tpr + 0.8 * fpr)

    expected = (
        point.tpr,
        precision(point.tpr, point.fpr),
        precision(point.tpr_lower, point.fpr_upper),
        precision(point.tpr_upper, point.fpr_lower),
    )
    np.testing.assert_allclose(point_and_arm(found), expected, rtol=1e-12)


def test_reliability_is_the_calibration_band(evaluation):
    band = evaluation.reliability(0.1)
    between = (band.score[:-1] + band.score[1:]) / 2
    found = shown(evaluation, 0.1, float(between[3]), view="reliability")
    area, line = found["range"], found["curve"].points
    assert {area.upper.step, area.lower.step, line.step} == {"across"}
    lower, upper = band.at(between)
    place = np.searchsorted(area.lower.x, between, side="right") - 1
    # Bounds are sent as float32.
    np.testing.assert_allclose(area.lower.y[place], lower, atol=6e-8)
    np.testing.assert_allclose(area.upper.y[place], upper, atol=6e-8)
    place = np.searchsorted(line.x, band.score, side="right") - 1
    np.testing.assert_array_equal(line.y[place], band.isotonic)
    expected = [between[3], band.isotonic[3], lower[3], upper[3]]
    np.testing.assert_allclose(point_and_arm(found), expected, atol=6e-8)
    assert found["cut"].points.x.tolist() == [between[3]] * 2


def test_counts_along_the_score_are_counted_by_hand():
    scores = [0.1, 0.1, 0.3, 0.5, 0.7, 0.3, 0.5, 0.9, 1.0, 0.99]
    labels = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    calibration = [0, 0, 1, 1], [0.2, 0.4, 0.6, 0.8]
    evaluation = RocEvaluation.from_predictions(*calibration, labels, scores)
    outline = shown(evaluation, view="reliability")["counts"].points
    bins = np.zeros(40)
    # bins have the width 1/40; the last one contains 1
    bins[[4, 12, 20, 28, 36, 39]] = [2, 2, 2, 1, 1, 2]
    x, y = outline.corners
    edges = np.repeat(np.arange(41) / 40, 2)
    assert x[: edges.size].tolist() == edges.tolist()
    assert y[0] == y[-1] == 0
    np.testing.assert_allclose(y[1:81], np.repeat(bins, 2) * 0.06 / 2, rtol=0, atol=1e-15)


@pytest.mark.parametrize("prevalence", [None, 0.07])
def test_net_benefit_is_by_hand(evaluation, prevalence):
    group, controls = Group.of(evaluation), Controls(0.1, 0.3, view="net_benefit")
    scene = scene_of(group, controls._replace(prevalence=prevalence))
    own = evaluation.own_prevalence
    share = own if prevalence is None else prevalence
    odds = 0.3 / 0.7 * share / (1 - share) * (1 - own) / own
    point = evaluation.operating_point(0.3, 0.1)

    def benefit(tpr, fpr):
        return tpr * share - fpr * (1 - share) * odds

    expected = (
        odds / (1 + odds),
        benefit(point.tpr, point.fpr),
        benefit(point.tpr_lower, point.fpr_upper),
        benefit(point.tpr_upper, point.fpr_lower),
    )
    np.testing.assert_allclose(point_and_arm(marks(scene)), expected, rtol=1e-12)
    assert scene.panels[0].up.ends == (-share / 6, share)
    every = marks(scene)["baseline"].points
    np.testing.assert_allclose(every.y, share - (1 - share) * every.x / (1 - every.x), atol=1e-12)
    end = scene_of(group, controls._replace(prevalence=prevalence, threshold=1.0))
    assert point_and_arm(marks(end)) == [1, 0, 0, 0]
    for band in ("both", "sampling"):
        controls = controls._replace(threshold=1.0, band=band)
        assert is_said("say.benefit_at_one", scene_of(group, controls).lead[0])


@pytest.mark.parametrize("view", ["precision_recall", "net_benefit"])
def test_where_nothing_bounds_a_figure_of_both_labels_the_sentence_says_so(view):
    few = evaluation_from_scores(n_calibration=30, n_test=120)
    alpha = 0.001
    assert not any(few.band(alpha).has_limits(1))
    lead = scene_of(Group.of(few), Controls(alpha, 0.3, view=view)).lead[0]
    assert "; nothing bounds" in lead
    assert "sure" not in lead
