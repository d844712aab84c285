"""The observed curve against scikit-learn and loops: thresholds, rates, labels, vertices."""

import numpy as np
import oracles
from data import calibration_scores, labelled_scores, scored
from hypothesis import given
from sklearn.metrics import roc_curve

from conformal_roc_widget import RocEvaluation


@given(calibration=calibration_scores(), test=labelled_scores())
def test_thresholds_and_rates_are_those_of_scikit_learn_without_dropping_any(calibration, test):
    band = RocEvaluation.from_predictions(*calibration, *test).band()
    fpr, tpr, thresholds = roc_curve(*test, drop_intermediate=False)
    np.testing.assert_array_equal(band.thresholds, thresholds)
    np.testing.assert_allclose(band.fpr, fpr, rtol=1e-15)
    np.testing.assert_allclose(band.tpr, tpr, rtol=1e-15)


@given(calibration=calibration_scores(), test=labelled_scores())
def test_rates_count_scores_at_or_above_the_threshold(calibration, test):
    evaluation = RocEvaluation.from_predictions(*calibration, *test)
    y, scores = (a.tolist() for a in test)
    thresholds = [0.0, 0.0625, 0.25, 0.5, 0.51, 1.0]
    band = evaluation.band(thresholds=thresholds)
    for k, curve in ((0, band.fpr), (1, band.tpr)):
        assert curve.tolist() == [
            oracles.rate(scores, y, k, t) for t in sorted(thresholds, reverse=True)
        ]


def test_zeros_of_both_labels_keep_their_labels():
    y = np.array([0, 1, 1, 0, 1, 0])
    made = RocEvaluation.from_predictions(
        *scored(np.random.default_rng(0), 40), y, [0, -0.0, 0, 1, 1, 0]
    )
    assert [each.values.tolist() for each in made.sorted_scores] == [[0, 0, 1], [0, 0, 1]]
    band = made.band(thresholds=[1, 0.5, 0])
    assert (band.fpr.tolist(), band.tpr.tolist()) == ([1 / 3, 1 / 3, 1], [1 / 3, 1 / 3, 1])
