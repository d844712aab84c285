"""The guarantee as a trait: both guarantees of an evaluation, set in Python and from a page."""

import json

import numpy as np
import pytest
import traitlets
from data import evaluation_from_scores
from sklearn.linear_model import LogisticRegression
from widget_state import payload_of

from conformal_roc_widget import ConformalROC, ROCWidget


def sample(n, classes=2):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, 2))
    return X, np.clip(
        (X[:, 0] + rng.normal(size=n) > 0).astype(int) + (X[:, 1] > 0), 0, classes - 1
    )


@pytest.fixture(scope="module")
def fitted():
    X, y = sample(500)
    return (
        ConformalROC(LogisticRegression(), random_state=0).fit(X[:300], y[:300]),
        X[300:],
        y[300:],
    )


@pytest.fixture
def evaluation(fitted):
    model, X, y = fitted
    return model.evaluate(X, y, guarantee="individual")


def kinds(widget):
    return [entry["kind"] for entry in widget._frame["entries"]]


def test_the_trait_switches_everything_that_states_limits(fitted, evaluation):
    model, X, y = fitted
    widget = ROCWidget(evaluation, alpha=0.1, threshold=0.3)
    assert (widget.guarantee, kinds(widget)) == ("individual", ["individual"])
    widget.guarantee = "everywhere"
    every = model.evaluate(X, y, guarantee="everywhere")
    assert kinds(widget) == ["everywhere"]
    assert widget.operating_point == every.operating_point(0.3, 0.1)
    assert widget.current_band.promise == every.band(0.1).promise
    np.testing.assert_array_equal(widget.to_frame().tpr_lower, every.band(0.1).tpr_lower)
    assert widget.evaluation.guarantee == "everywhere"
    for name in ("individual", None):
        widget.guarantee = "everywhere"
        widget.guarantee = name
        assert widget.evaluation is evaluation
    assert widget.operating_point == evaluation.operating_point(0.3, 0.1)


def test_the_data_are_sent_once_for_both(evaluation):
    widget = ROCWidget(evaluation)
    changes = []
    widget.observe(lambda change: changes.append(change["name"]), ["_data", "_frame"])
    widget.guarantee = "everywhere"
    assert changes == ["_frame"]


def test_files_and_pictures_follow(evaluation, tmp_path):
    widget = ROCWidget(evaluation, guarantee="everywhere")
    page = widget.to_html(tmp_path / "page.html").read_text()
    payload = payload_of(page)
    assert payload["state"]["guarantee"] == "everywhere"
    assert payload["data"]["entries"][0]["others"][0]["words"]["kind"] == "individual"
    picture = widget.to_svg(tmp_path / "chart.svg").read_text()
    assert "every threshold at once" in picture
    assert "picked blindly" not in picture
    assert "every threshold at once" in json.dumps(widget.chart().to_dict())


def test_what_cannot_be_had_is_a_trait_error_and_changes_nothing(evaluation):
    widget = ROCWidget(evaluation)
    for wrong in ("curve", "simultaneous", "all"):
        with pytest.raises(traitlets.TraitError, match=f"guarantee: found '{wrong}', expected"):
            widget.guarantee = wrong
    assert (widget.guarantee, kinds(widget)) == ("individual", ["individual"])
    scores = ROCWidget(evaluation_from_scores(0))
    with pytest.raises(traitlets.TraitError, match="scores alone, expected 'simultaneous'"):
        scores.guarantee = "everywhere"
    with pytest.raises(traitlets.TraitError, match="scores alone"):
        ROCWidget(evaluation_from_scores(0), guarantee="everywhere")


def test_bands_under_both_side_by_side_stay_as_they_are(evaluation):
    both = {name: evaluation.with_guarantee(name) for name in ("individual", "everywhere")}
    widget = ROCWidget(both)
    assert widget.guarantee is None
    with pytest.raises(traitlets.TraitError, match="different guarantees"):
        widget.guarantee = "everywhere"
    assert kinds(widget) == ["individual", "everywhere"]


def test_classes_switch_together_and_keep_their_keys():
    X, y = sample(700, classes=3)
    widget = ROCWidget.from_estimator(
        *(LogisticRegression(), X[:500], y[:500], X[500:], y[500:]),
        random_state=0,
        guarantee="everywhere",
    )
    assert widget.guarantee == "everywhere"
    assert set(kinds(widget)) == {"everywhere"}
    widget.guarantee = "individual"
    assert list(widget.evaluation) == [0, 1, 2]
    assert {each.guarantee for each in widget.evaluation.values()} == {"individual"}


def test_from_estimator_refuses_an_unknown_one_before_it_fits():
    X, y = sample(60)
    with pytest.raises(ValueError, match="guarantee: found 'always', expected one of"):
        ROCWidget.from_estimator("no estimator", X, y, X, y, guarantee="always")


def test_weighted_test_points_have_none(fitted):
    model, X, y = fitted
    evaluation = model.evaluate(X, y, sample_weight=np.arange(y.size) % 3 + 1.0)
    with pytest.raises(ValueError, match="sample_weight: found it with guarantee='everywhere'"):
        evaluation.with_guarantee("everywhere")
