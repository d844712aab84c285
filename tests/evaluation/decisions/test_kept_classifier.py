"""A threshold for the population, handed to scikit-learn: it calls as it should, and says so."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC


@pytest.fixture(scope="module")
def evaluation():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 2))
    y = (X[:, 0] + 0.5 * rng.normal(size=600) > 0).astype(int)
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X[:200], y[:200])
    return model.evaluate(X[200:], y[200:]), X[200:], y[200:]


def test_it_calls_at_the_threshold_and_says_what_it_keeps(evaluation):
    shown, X, y = evaluation
    kept = shown.threshold_for(sensitivity=0.9, confidence=0.95)
    classifier = shown.to_classifier(kept)
    assert classifier.threshold == kept.threshold
    assert classifier.kept is kept
    called = classifier.predict(X)
    assert (called == shown.to_classifier(kept.threshold).predict(X)).all()
    assert (called[y == 1] == 1).mean() >= 0.9
    for each in (classifier, clone(classifier), pickle.loads(pickle.dumps(classifier))):
        assert repr(each).startswith("KeptThresholdClassifier(")
        assert "sensitivity at least 0.9 in the population, 95 % sure" in repr(each)


def test_it_promises_nothing_of_another_threshold_class_or_classifier(evaluation):
    shown, X, y = evaluation
    classifier = shown.to_classifier(shown.threshold_for(sensitivity=0.9, confidence=0.95))
    for changed in (
        {"threshold": 0.9},
        {"pos_label": 0},
        {"estimator": LogisticRegression().fit(X, y)},
        {"response_method": "decision_function"},
    ):
        other = clone(classifier).set_params(**changed)
        assert other.kept is None, changed
        assert "#" not in repr(other)
    back = clone(classifier).set_params(threshold=0.9).set_params(threshold=classifier.threshold)
    assert back.kept is classifier.kept


def test_what_no_threshold_keeps_is_refused_with_the_reason(evaluation):
    shown, _, _ = evaluation
    none = shown.threshold_for(sensitivity=0.9999, confidence=0.95)
    with pytest.raises(ValueError, match="positives the most that a threshold can promise is"):
        shown.to_classifier(none)
