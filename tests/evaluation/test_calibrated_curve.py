"""Centres in the order that residuals are served in, and at ranks."""

import numpy as np
import pytest
from data import evaluation_from_scores, logistic_sample
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC
from conformal_roc_widget.calibration.residuals import GroupedResiduals, Ragged
from conformal_roc_widget.evaluation.at_alpha import CalibratedCurve
from conformal_roc_widget.evaluation.observed_curve import ObservedCurve
from conformal_roc_widget.promise import Promise

SCORES = np.array([0.5, 0.2, 0.9, 0.1])
LABELS = np.array([1, 0, 1, 0], dtype=np.int8)
PROMISE = Promise("individual", "", "", "")
ONE = GroupedResiduals.pooled(np.array([0.0]))


def calibrated(groups, centres=None):
    return CalibratedCurve(
        curve=ObservedCurve(SCORES, LABELS, (2, 2)),
        groups=groups,
        individual=groups,
        n_calibration={0: 1, 1: 1},
        rule="paper",
        promise=PROMISE,
        point_promise=PROMISE,
        neighbour_noun="",
        centres=centres,
    )


def test_pooled_centres_are_the_sorted_logits_of_the_scores():
    curve = calibrated((ONE, ONE))
    assert curve.pooled
    zeros, ones = curve.sorted_centres
    np.testing.assert_allclose(zeros.values, np.log([0.1 / 0.9, 0.2 / 0.8]))
    np.testing.assert_allclose(ones.values, np.log([1.0, 9.0]), atol=1e-15)


def test_given_centres_take_the_place_of_the_logits():
    curve = calibrated((ONE, ONE), centres=np.array([4.0, 3.0, 2.0, 1.0]))
    assert [sample.values.tolist() for sample in curve.sorted_centres] == [[1, 3], [2, 4]]


def test_centres_with_residuals_of_their_own_stand_in_the_order_of_the_groups():
    # The first point of label 1 has three residuals, the second has one.
    ragged = Ragged(np.array([-1.0, 0.0, 1.0, 5.0]), np.array([0, 3, 4]))
    groups = GroupedResiduals.of(ragged, np.array([0, 1]))
    curve = calibrated((ONE, groups), centres=np.array([4.0, 3.0, 2.0, 1.0]))
    assert not curve.pooled
    assert curve.sorted_centres[1].values.tolist() == [2, 4]
    assert groups.points.tolist() == [1, 0]


def test_centres_at_ranks_are_sorted_once():
    curve = calibrated((ONE, ONE), centres=np.array([4.0, 3.0, 2.0, 1.0]))
    some = curve.centres_at_ranks(1)
    assert [sample.values.tolist() for sample in some] == [[3], [4]]
    assert curve.centres_at_ranks(1) is some


@pytest.mark.parametrize("options", [{}, {"neighbors": 30}, {"recenter": True}], ids=str)
def test_the_centres_of_an_evaluation_are_the_logits_of_the_classifier(options):
    X, y, _ = logistic_sample(np.random.default_rng(0), 200)
    fitted = ConformalROC(LogisticRegression(), random_state=0, **options).fit(X, y)
    evaluation = fitted.evaluate(X, y)
    expected = fitted.estimator_.decision_function(X)
    np.testing.assert_allclose(evaluation._curve.centre_logits, expected, rtol=1e-12)
    assert evaluation_from_scores()._curve.centres is None
