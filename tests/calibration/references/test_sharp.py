"""The reference ``"sharp"``, and its draws for the ideal model's own curve."""

import numpy as np
import pytest
from data import logistic_sample, three_classes
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC
from conformal_roc_widget.calibration.references import learned
from conformal_roc_widget.calibration.references.learned import learned_draws


def sharp(X, y):
    return ConformalROC(LogisticRegression(), reference="sharp", random_state=0).fit(X, y)


def test_its_draws_and_the_learned_ones_are_pooled_in_equal_shares(rng):
    X, y, _ = logistic_sample(rng, 200)
    model = sharp(X, y)
    reference = model.splits_[0].reference
    draws, calibrating = reference.ideal_draws(1)
    points = np.concatenate([reference.calibration.points.array, reference.trained[0]])
    codes = np.concatenate([reference.calibration.codes, reference.trained[1]])
    found = learned_draws(points, codes, reference.seed)
    own = reference.posteriors.draws(points, 1, 300)
    sets = np.concatenate([found.smooth, found.uncertain, own], axis=1)
    assert draws.shape == (200, 900)
    # Both have the same columns in different orders, which mix the three sets.
    np.testing.assert_array_equal(np.sort(draws[0]), np.sort(sets[0]))
    places = {value: i // 300 for i, value in enumerate(sets[0])}
    first = np.bincount([places[value] for value in draws[0, :300]], minlength=3)
    assert first.min() > 70
    np.testing.assert_array_equal(calibrating, np.arange(100))
    np.testing.assert_array_equal(reference.ideal_draws(0)[0], -draws)


def test_of_very_many_points_some_are_enough(rng, monkeypatch):
    monkeypatch.setattr(learned, "MOST_POINTS", 60)
    X, y, _ = logistic_sample(rng, 300)
    model = sharp(X, y)
    reference = model.splits_[0].reference
    draws, calibrating = reference.ideal_draws(1)
    assert draws.shape == (120, 900)
    assert calibrating.size == 60
    assert (np.diff(calibrating) > 0).all()
    assert calibrating.max() < 150
    curve = model.evaluate(X, y).ideal_curve()
    assert "can be learned from the features" in curve.guarantee


def test_the_means_of_all_classes_are_computed_once(rng, monkeypatch):
    X, y = three_classes(rng, 90)
    reference = sharp(X, y).splits_[0].reference
    expected = reference.logits(reference.calibration.points, reference.class_logits)
    calls = []
    monkeypatch.setattr(type(reference), "logits", lambda *given: calls.append(given) or expected)
    for l in range(3):
        np.testing.assert_array_equal(reference.slope_logits(l), expected[:, l])
    assert len(calls) == 1


def test_of_a_label_with_too_few_points_there_is_nothing_to_learn(rng):
    X = rng.normal(size=(60, 2))
    y = np.zeros(60, dtype=int)
    y[[0, 40, 50]] = 1
    model = ConformalROC(LogisticRegression(), reference="sharp", random_state=0)
    model.fit(X[:30], y[:30], X_calibration=X[30:], y_calibration=y[30:])
    evaluation = model.evaluate(X, y)
    assert evaluation.no_ideal_curve == "a label has 3 points, too few to learn from"
    with pytest.raises(ValueError, match=r"^ideal_curve: a label has 3 points"):
        evaluation.ideal_curve()
