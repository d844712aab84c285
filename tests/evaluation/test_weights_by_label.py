"""Test weights that depend on the label: limits for the weighted population, or none."""

import numpy as np
import pandas as pd
import pytest
from cases import scored, weights
from said import is_said
from scipy.special import expit

from conformal_roc_widget import ConformalROC, RocEvaluation
from conformal_roc_widget.arrays import odds_of_weights
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.words import words


def thinned(rng, n):
    """Calibrated scores. A tenth of the negatives is kept, with weight ten."""
    score = expit(rng.normal(size=n) - 2)
    y = rng.random(n) < score
    kept = y | (rng.random(n) < 0.1)
    y, score = y[kept], score[kept]
    return y.astype(int), score, np.where(y, 1.0, 10.0)


def ideal_rates(threshold):
    """Rates of a model that knows the true probabilities, from four million draws."""
    score = expit(np.random.default_rng(0).normal(size=4_000_000) - 2)
    over = score >= threshold
    return [(of * over).sum() / of.sum() for of in (1 - score, score)]


@pytest.mark.parametrize("threshold", [0.1, 0.2])
def test_two_arrays_bound_the_law_that_the_weights_stand_for(threshold):
    """The score is calibrated in the weighted population, so an ideal recalibration changes no
    call.
    """
    fpr, tpr = ideal_rates(threshold)
    held = 0
    for seed in range(10):
        y, score, weight = thinned(np.random.default_rng(seed), 4000)
        found = RocEvaluation.from_predictions(y, score, sample_weight_test=weight)
        assert found.promise.kind == "simultaneous"
        point = found.operating_point(threshold, 0.05)
        # Rates of these rows depend on random labels, so they are only near those of the
        # distribution.
        near = 0.05
        held += point.tpr_lower - near <= tpr <= point.tpr_upper + near
        held += point.fpr_lower - near <= fpr <= point.fpr_upper + near
        plain = RocEvaluation.from_predictions(y, score).operating_point(threshold, 0.05)
        assert plain.tpr_lower > point.tpr_lower, "of thinned rows more are positive"
    assert held == 20


def test_the_bounds_are_those_of_the_rows_with_their_odds_moved():
    y, score, weight = thinned(np.random.default_rng(1), 3000)
    found = RocEvaluation.from_predictions(y, score, sample_weight_test=weight).intervals(0.1)
    plain = RocEvaluation.from_predictions(y, score).intervals(0.1)
    for mine, other in zip(found, plain, strict=True):
        np.testing.assert_allclose(mine, other / (other + 10 * (1 - other)), atol=1e-12)


def test_weights_that_differ_within_a_label_promise_nothing():
    y, score = scored(90, 90)
    found = RocEvaluation.from_predictions(y, score, sample_weight_test=weights(180))
    assert found.promise.kind == "none"
    assert found.promise.guarantee.startswith("none: ")
    assert any("weigh unlike each other" in note for note in found.notes)
    (lead,) = scene_of(Group.of(found), Controls(0.1, 0.42)).lead
    assert is_said("say.true_finds", lead, sure=words("say.no_level"))
    assert "sure" not in lead


TEST_ALONE = {
    "individual": {"guarantee": "individual"},
    "sharp": {"reference": "sharp"},
    "simultaneous": {"guarantee": "simultaneous"},
}


@pytest.mark.parametrize("given", TEST_ALONE.values(), ids=TEST_ALONE)
def test_four_arrays_with_test_weights_alone_promise_nothing_and_say_what_to_give(given):
    test, known = thinned(np.random.default_rng(2), 2000), thinned(np.random.default_rng(3), 2000)
    found = RocEvaluation.from_predictions(
        *known[:2], *test[:2], sample_weight_test=test[2], **given
    )
    for promise in (found.promise, found.band().promise, found.operating_point(0.2).promise):
        assert promise.kind == "none"
    assert found.intervals().promise.kind == "none"
    assert any("sample_weight_calibration" in note for note in found.notes)


def test_limits_that_promise_nothing_are_not_said_to_hold_for_sure():
    test, known = thinned(np.random.default_rng(2), 2000), thinned(np.random.default_rng(3), 2000)
    found = RocEvaluation.from_predictions(
        *known[:2], *test[:2], sample_weight_test=test[2], guarantee="simultaneous"
    )
    assert found.band(0.1).guaranteed == {0: 0.9, 1: 0.9}


def test_who_says_what_calibration_rows_weigh_has_the_promise():
    test, n = thinned(np.random.default_rng(2), 2000), 80
    found = RocEvaluation.from_predictions(
        *scored(40, 40),
        *test[:2],
        sample_weight_test=test[2],
        sample_weight_calibration=np.ones(n),
    )
    assert found.promise.kind == "individual"


@pytest.mark.parametrize("reference", ["sharp", "kernel"])
def test_calibration_weights_by_the_label_move_limits_to_the_law_of_the_weighted_rows(reference):
    """Thinned calibration and test rows: limits are those without thinning, with ten times the odds
    of label 0.
    """
    test, known = thinned(np.random.default_rng(2), 4000), thinned(np.random.default_rng(3), 4000)
    moved, plain = (
        RocEvaluation.from_predictions(*known[:2], *test[:2], reference=reference, **weights)
        for weights in (
            {"sample_weight_calibration": known[2], "sample_weight_test": test[2]},
            {"sample_weight_calibration": np.ones(known[2].size)},
        )
    )
    for mine, other in zip(moved.intervals(0.1), plain.intervals(0.1), strict=True):
        np.testing.assert_allclose(mine, other / (other + 10 * (1 - other)), atol=1e-9)
    assert moved.promise.guarantee.endswith("the weights are right")
    assert not any("depend on the label" in note for note in moved.notes)
    for threshold in (0.1, 0.2):
        fpr, tpr = ideal_rates(threshold)
        point = moved.operating_point(threshold, 0.05)
        assert point.tpr_lower - 0.05 <= tpr <= point.tpr_upper + 0.05
        assert point.fpr_lower - 0.05 <= fpr <= point.fpr_upper + 0.05
        assert plain.operating_point(threshold, 0.05).tpr_lower > tpr


def test_calibration_weights_within_a_label_must_not_depend_on_it():
    found = RocEvaluation.from_predictions(
        *scored(90, 110), *scored(40, 40), sample_weight_calibration=weights(200)
    )
    assert "the weights are right and do not depend on the label" in found.promise.guarantee


def test_a_table_with_weights_promises_nothing_as_rows_in_memory_do():
    y, score, weight = thinned(np.random.default_rng(2), 2000)
    frame = pd.DataFrame({"y": y, "p": score, "w": weight, "one": 3.0})
    known = dict(zip(("y_calibration", "score_calibration"), scored(90, 110), strict=True))
    told = {"score": "p", "label": "y", **known}
    for guarantee in ("individual", "simultaneous"):
        found = RocEvaluation.from_table(frame, weight="w", guarantee=guarantee, **told)
        assert found.promise.kind == "none"
        assert any("nothing says what calibration rows weigh" in note for note in found.notes)
    assert RocEvaluation.from_table(frame, weight="one", **told).promise.kind == "individual"


def test_features_with_test_weights_alone_promise_nothing():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(400, 1))
    y = (rng.random(400) < expit(X[:, 0])).astype(int)
    from sklearn.linear_model import LogisticRegression

    model = ConformalROC(LogisticRegression(), random_state=0, progress=False).fit(X[:300], y[:300])
    by_label = np.where(y[300:], 1.0, 10.0)
    found = model.evaluate(X[300:], y[300:], sample_weight=by_label)
    assert found.promise.kind == "none"
    for given in (by_label, by_label + np.arange(100) % 3):
        refused = "^guarantee: found 'credible'.*test rows with weights"
        with pytest.raises(ValueError, match=refused):
            model.evaluate(X[300:], y[300:], sample_weight=given, guarantee="credible")
        with pytest.raises(ValueError, match=refused):
            model.evaluate(X[300:], y[300:], sample_weight=given).with_guarantee("credible")
        assert model.evaluate(X[300:], y[300:], sample_weight=given).no_ideal_curve
    model.fit(
        *(X[:200], y[:200]),
        X_calibration=X[200:300],
        y_calibration=y[200:300],
        sample_weight_calibration=np.where(y[200:300], 1.0, 10.0),
    )
    found = model.evaluate(X[300:], y[300:], sample_weight=by_label)
    assert found.promise.kind == "none"
    assert any("weigh by their label" in note for note in found.notes)


@pytest.mark.parametrize("shift", [0, 1e-12])
def test_weights_of_a_label_that_differ_by_rounding_are_the_same(shift):
    y, score, weight = thinned(np.random.default_rng(2), 2000)
    rounded = weight * (1 + shift * np.random.default_rng(3).random(y.size))
    found = RocEvaluation.from_predictions(y, score, sample_weight_test=rounded)
    assert found.band(0.1).guarantee.startswith("at least 90 %")
    assert odds_of_weights(rounded, y) == pytest.approx(0.1, rel=1e-9)
    assert odds_of_weights(1 / rounded * weight, y) == 1, "all weigh the same"
    assert odds_of_weights(weight + y * np.arange(y.size) * 1e-3, y) is None
