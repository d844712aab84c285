"""View, figures of use, selected rows, and the classifier that a widget returns."""

import numpy as np
import pytest
import traitlets
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from conformal_roc_widget import ConformalROC, RocEvaluation, ROCWidget
from conformal_roc_widget.wire.messages import selection_request


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(300, 2))
    ill = rng.random(300) < 1 / (1 + np.exp(-1.5 * X[:, 0]))
    return X, np.where(ill, "ill", "well")


def widget_of(data, **options):
    X, y = data
    return ROCWidget.from_estimator(
        LogisticRegression(), X[:200], y[:200], X[200:], y[200:], random_state=0, **options
    )


def test_view_and_use_are_synced_traits(data):
    widget = widget_of(data, view="net_benefit", prevalence=0.1, cost_ratio=8)
    assert (widget.view, widget.prevalence, widget.cost_ratio) == ("net_benefit", 0.1, 8.0)
    assert {"view", "prevalence", "cost_ratio"} <= set(widget.get_state())
    widget.prevalence = widget.cost_ratio = None
    assert (widget.prevalence, widget.cost_ratio) == (None, None)


@pytest.mark.parametrize("cell", ["tp", "fp", "tn", "fn"])
def test_a_pressed_cell_selects_its_rows_in_the_kernel_alone(data, cell):
    y = data[1]
    widget = widget_of(data, pos_label="ill")
    seen = []
    widget.observe(lambda change: seen.append(change["new"]), "selected")
    widget._receive(widget, {"type": "select", "cell": cell, "threshold": 0.45}, [])
    scores, ill = widget.evaluation.scores, y[200:] == "ill"
    rows = [
        i
        for i, (score, positive) in enumerate(zip(scores, ill, strict=True))
        if ("t" if (score >= 0.45) == positive else "f") + ("p" if score >= 0.45 else "n") == cell
    ]
    assert seen == [tuple(rows)]
    assert len(rows) == getattr(widget.evaluation.operating_point(0.45), cell)
    assert "selected" not in widget.get_state()


@pytest.mark.parametrize(
    "message",
    [
        {"type": "select", "cell": "xx", "threshold": 0.5},
        {"type": "select", "cell": "tp", "threshold": "high"},
        {"type": "select", "cell": "tp", "threshold": float("nan")},
        {"type": "select", "cell": ["tp"], "threshold": 0.5},
        "select",
    ],
)
def test_a_message_that_is_no_selection_selects_nothing(message):
    assert selection_request(message) is None


def test_positions_lie_in_the_test_set(data):
    widget = widget_of(data)
    widget.selected = (0, np.int64(99))
    assert widget.selected == (0, 99)
    for wrong in [(100,), (-1,), (0.5,)]:
        with pytest.raises(traitlets.TraitError, match=r"found (100|-1|0\.5), .* from 0 to 99"):
            widget.selected = wrong


@pytest.mark.parametrize("pos_label", ["ill", "well"])
def test_the_classifier_calls_as_the_screen_does(data, pos_label):
    X, y = data
    widget = widget_of(data, pos_label=pos_label, threshold=0.37)
    classifier = widget.to_classifier()
    called = classifier.predict(X[200:]) == pos_label
    np.testing.assert_array_equal(called, widget.evaluation.scores >= 0.37)
    point = widget.operating_point
    assert called.sum() == point.tp + point.fp
    # The refit must not change the evaluated classifier.
    np.testing.assert_array_equal(
        classifier.fit(X[:9], y[:9]).predict(X[200:]) == pos_label, called
    )


@pytest.mark.parametrize(("rate", "way"), [("sensitivity", -1), ("specificity", 1)])
def test_the_classifier_says_that_it_keeps_the_goal(data, rate, way):
    widget = widget_of(data)
    widget.alpha, widget.goal = 0.2, {rate: 0.6}
    kept = widget.evaluation.threshold_for(**widget.goal, confidence=0.8)
    for away, is_said in ((0.0, True), (0.01 * way, True), (-0.01 * way, False)):
        widget.threshold = float(kept) + away
        made = widget.to_classifier()
        assert made.threshold == widget.threshold
        assert (f"{rate} at least 0.6 in the population, 80 % sure" in repr(made)) == is_said
    for goal in ({rate: 1}, None):
        widget.goal = goal
        assert "population" not in repr(widget.to_classifier())


def test_a_goal_is_kept_by_no_rows_with_weights(data):
    X, y = data
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X[:200], y[:200])
    weights = 1.0 + np.arange(y.size - 200) % 3
    evaluation = model.evaluate(X[200:], y[200:], pos_label="ill", sample_weight=weights)
    widget = ROCWidget(evaluation, alpha=0.2, goal={"sensitivity": 0.6})
    assert "population" not in repr(widget.to_classifier())


def test_a_classifier_without_probabilities_is_cut_at_its_decision(data):
    X, y = data
    model = ConformalROC(SVC(), random_state=0).fit(X[:200], y[:200])
    evaluation = model.evaluate(X[200:], y[200:], pos_label="ill")
    called = evaluation.to_classifier(0.37).predict(X[200:]) == "ill"
    np.testing.assert_array_equal(called, evaluation.scores >= 0.37)


def test_without_a_single_classifier_the_error_says_why(data):
    X, y = data
    p, codes = np.random.default_rng(0).random(60), np.arange(60) % 2
    alone = ROCWidget(RocEvaluation.from_predictions(codes, p))
    with pytest.raises(ValueError, match="from scores alone"):
        alone.to_classifier()
    for options, reason in [({"resplits": 3}, "3 splits"), ({"recenter": True}, "moved")]:
        with pytest.raises(ValueError, match=reason):
            widget_of(data, **options).to_classifier()
    X, y = load_iris(return_X_y=True)
    model = ConformalROC(LogisticRegression(max_iter=500), random_state=0).fit(X[::2], y[::2])
    classes = ROCWidget(model.evaluate_all(X[1::2], y[1::2]))
    with pytest.raises(ValueError, match="several evaluations"):
        classes.to_classifier()
    classes.label = 1
    with pytest.raises(ValueError, match="3 classes"):
        classes.to_classifier()
