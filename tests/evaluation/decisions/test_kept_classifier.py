"""A threshold for the population in scikit-learn's classifier: its predictions and its text."""

import copy
import io
import pickle

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

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


def through_joblib(classifier):
    file = io.BytesIO()
    joblib.dump(classifier, file)
    file.seek(0)
    return joblib.load(file)


COPIES = {
    "itself": lambda made: made,
    "clone": clone,
    "fitted": lambda made: clone(made).fit([[0.0, 0.0], [1.0, 1.0]], [0, 1]),
    "pickle": lambda made: pickle.loads(pickle.dumps(made)),
    "joblib": through_joblib,
    "deepcopy": copy.deepcopy,
}


def refitted_part(made, X, y):
    made.estimator.estimator[-1].fit(X, 1 - y)


def other_inside(made, X, y):
    made.set_params(estimator__estimator=LogisticRegression().fit(X, 1 - y))


def fitted_with_another(made, X, y):
    frozen = made.estimator
    other = FrozenEstimator(LogisticRegression().fit(X, 1 - y))
    made.set_params(estimator=other).fit(X, y).set_params(estimator=frozen)


CHANGES = {
    "another estimator inside the frozen one": other_inside,
    "a model fitted anew": lambda made, X, y: made.estimator.estimator.fit(X, 1 - y),
    "a part of it fitted anew": refitted_part,
    "a parameter of a part": lambda made, X, y: made.estimator.estimator.set_params(
        logisticregression__C=2.0
    ),
    "a fit of another one, whose parameter is set back": fitted_with_another,
    "another threshold": lambda made, X, y: made.set_params(threshold=0.9),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("copied", COPIES)
def test_no_promise_outlives_the_model_that_it_is_for(evaluation, copied, change):
    _, X, y = evaluation
    trained = make_pipeline(StandardScaler(), LogisticRegression()).fit(X[:200], y[:200])
    model = ConformalROC(FrozenEstimator(trained), random_state=0).fit(X[200:300], y[200:300])
    shown = model.evaluate(X[300:], y[300:])
    made = shown.to_classifier(shown.threshold_for(sensitivity=0.8, confidence=0.9))
    # The wanted rate is written before the confidence.
    promise = "  # sensitivity at least 0.8 in the population, 90 % sure"
    other = COPIES[copied](made)
    other.predict(X)
    assert repr(other).endswith(promise)
    CHANGES[change](other, X, y)
    assert other.kept is None
    assert "#" not in repr(other)
    for each in (clone(other), pickle.loads(pickle.dumps(other))):
        assert each.kept is None or change.startswith("a fit of another")


def test_what_no_threshold_keeps_is_refused_with_the_reason(evaluation):
    shown, _, _ = evaluation
    none = shown.threshold_for(sensitivity=0.9999, confidence=0.95)
    with pytest.raises(ValueError, match="positives the most that a threshold can promise is"):
        shown.to_classifier(none)
