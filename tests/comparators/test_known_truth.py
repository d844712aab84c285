"""The ideal model's sensitivity at the classifier's thresholds: by hand, naively, and on the wire."""

import re

import numpy as np
import pytest
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, ROCWidget, simulation
from conformal_roc_widget.comparators.known_truth import IdealSensitivity, known_truth


def test_four_points_by_hand():
    labels, scores = [0, 1, 0, 1], [0.2, 0.6, 0.6, 0.9]
    line = IdealSensitivity(labels, scores, np.array([0.1, 0.7, 0.3, 0.6]))
    # The thresholds are: above all scores, 0.9, 0.6, 0.2. The true probabilities of label 1 are 0.7
    # and 0.6.
    assert line.fpr.tolist() == [0, 0, 0.5, 1]
    assert line.tpr.tolist() == [0, 0.5, 1, 1]
    assert line.ideal.tolist() == [0, 0, 1, 1]


def test_the_line_is_a_count_at_each_threshold(rng):
    labels, scores, truth = rng.integers(0, 2, 60), rng.random(60).round(1), rng.random(60)
    line = IdealSensitivity(labels, scores, truth)
    for threshold in [np.inf, *np.unique(scores)]:
        fpr = np.mean(scores[labels == 0] >= threshold)
        ideal = np.mean(truth[labels == 1] >= threshold)
        assert (fpr, ideal) in list(zip(line.fpr, line.ideal, strict=True))
    band, other = line.band(0.05), line.band(0.2)
    assert band.tpr_lower.tolist() == band.tpr_upper.tolist() == other.tpr_lower.tolist()


def test_the_truth_of_a_right_classifier_is_its_own_curve(rng):
    labels, scores = rng.integers(0, 2, 200), rng.random(200)
    line = IdealSensitivity(labels, scores, scores)
    np.testing.assert_array_equal(line.tpr, line.ideal)


@pytest.mark.parametrize(
    ("truth", "message"),
    [
        ([0.5, 1.2], "truth: found values from 0.5 to 1.2, expected the true probability"),
        ([0.5], "truth and the test set: truth has 1"),
        ([0.5, np.nan], "truth: found 1 NaN"),
    ],
)
def test_a_truth_that_does_not_fit_the_test_points_is_refused(truth, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        known_truth(truth, [0, 1])


@pytest.fixture(scope="module")
def simulated():
    X, y, logit_pi = simulation.draw("missing_interaction", 600, np.random.default_rng(0), value=1)
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X[:400], y[:400])
    return model.evaluate(X[400:], y[400:]), expit(logit_pi[400:])


def test_a_widget_draws_it_at_every_alpha_without_another_question(simulated):
    evaluation, truth = simulated
    widget = ROCWidget(evaluation, truth=truth)
    widget.wait(10)
    item, own = widget._comparators["items"]
    assert (item["key"], item["status"]) == ("truth", "done")
    assert not own["laid"], "the classifier's own limits are the question's, and nobody's wish"
    assert "same threshold" in item["words"]["target"]
    line = widget.comparators["truth"].tpr_lower
    widget.alpha = 0.3
    np.testing.assert_array_equal(widget.comparators["truth"].tpr_lower, line)
    text = widget._repr_mimebundle_()[0]["text/plain"]
    assert "The ideal model itself" in text
    question = "Another question: Where would this classifier’s curve lie in the population?"
    assert "population" not in text.replace(question, "")
    widget.close()


def test_the_truth_of_one_class_says_nothing_of_several(simulated):
    _, truth = simulated
    other = ConformalROC(LogisticRegression(), random_state=0)
    X, y, _ = simulation.draw("sample_size", 600, np.random.default_rng(1))
    classes = other.fit(X[:400], y[:400] + (X[:400, 0] > 1)).evaluate_all(
        X[400:], y[400:] + (X[400:, 0] > 1)
    )
    with pytest.raises(ValueError, match="truth: found the probabilities of one class"):
        ROCWidget(classes, truth=truth)
