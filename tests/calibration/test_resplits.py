"""Random splits: their parts, their seeds, and their test points."""

import numpy as np
import oracles
import pytest
from data import KnownClassifier, Recorder, assert_same_curves, check_residuals, logistic_sample
from distances import BETA, truth
from scipy.special import logit
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC


def test_without_a_calibration_set_the_rows_are_split_in_two_and_each_row_is_used_once(rng):
    X, y, _ = logistic_sample(rng, 200)
    model = ConformalROC(Recorder(), reference="kernel", random_state=3).fit(X, y)
    seen = {tuple(row) for row in model.estimator_.seen_X_}
    in_training = np.array([tuple(row) in seen for row in X])
    assert in_training.sum() == 100 == len(model.estimator_.seen_X_)
    X_train, y_train, X_rest, y_rest = (
        X[in_training],
        y[in_training],
        X[~in_training],
        y[~in_training],
    )
    reference = oracles.kernel_logit(X_train.tolist(), y_train.tolist(), X_rest.tolist())
    check_residuals(model, reference, model.estimator_.decision_function(X_rest), y_rest)


@pytest.mark.parametrize(("size", "n_calibration"), [(0.25, 50), (0.5, 100), (0.75, 150)])
def test_calibration_size_is_the_share_set_aside(rng, size, n_calibration):
    X, y, _ = logistic_sample(rng, 200)
    model = ConformalROC(Recorder(), calibration_size=size, random_state=0).fit(X, y)
    assert sum(model.n_calibration_.values()) == n_calibration
    assert len(model.estimator_.seen_X_) == 200 - n_calibration


def test_the_same_random_state_gives_the_same_bits_and_another_gives_another_split(rng):
    X, y, _ = logistic_sample(rng, 200)
    one, again, other = (
        ConformalROC(LogisticRegression(), random_state=s).fit(X, y) for s in (7, 7, 8)
    )
    for k in (0, 1):
        np.testing.assert_array_equal(one.residuals_[k], again.residuals_[k])
    np.testing.assert_array_equal(one.predict_interval(X, 1), again.predict_interval(X, 1))
    assert not np.array_equal(one.predict_interval(X, 1), other.predict_interval(X, 1))


def test_sample_weights_are_split_with_their_rows(rng):
    X, y, _ = logistic_sample(rng, 100)
    model = ConformalROC(Recorder(), random_state=0).fit(X, y, sample_weight=1 + X[:, 0] ** 2)
    np.testing.assert_array_equal(
        model.estimator_.seen_weight_, 1 + model.estimator_.seen_X_[:, 0] ** 2
    )


def known(rng, n=120):
    """A frozen classifier and a callable reference, so that each row has a known residual in every
    split.
    """
    X, y, _ = logistic_sample(rng, n, BETA)
    frozen = FrozenEstimator(KnownClassifier((0.5, 0.2, -0.3)).fit(X, y))
    return X, y, frozen, logit(truth(X)) - X @ [0.5, 0.2, -0.3]


def test_with_b_splits_there_are_b_sets_of_residuals_and_each_test_point_is_dealt_one_of_them(rng):
    X, y, frozen, residuals = known(rng)
    X_test, y_test, _ = logistic_sample(rng, 60, BETA)
    model = ConformalROC(frozen, reference=truth, resplits=4, random_state=2).fit(X, y)
    assert len(model.residuals_) == 4
    quantiles = []
    for part in model.residuals_:
        assert sum(len(part[k]) for k in (0, 1)) == 60
        for k in (0, 1):
            # each residual of a split is that of some row with its label
            nearest = np.abs(np.sort(residuals[y == k])[:, None] - part[k]).min(axis=0)
            np.testing.assert_allclose(nearest, 0, atol=1e-9)
        quantiles.append({k: oracles.conformal_quantiles(part[k].tolist(), 0.3) for k in (0, 1)})
    evaluation = model.evaluate(X_test, y_test)
    lower, upper = evaluation.intervals(0.3)
    centres = X_test @ [0.5, 0.2, -0.3]
    dealt = []
    for j, k in enumerate(y_test):
        matches = [
            b
            for b, q in enumerate(quantiles)
            if np.allclose((lower[j], upper[j]), oracles.interval(centres[j], q[k]), rtol=1e-9)
        ]
        assert matches
        dealt.extend(matches if len(matches) == 1 else [])
    assert set(dealt) == {0, 1, 2, 3}
    assert evaluation.band(0.3).quantiles is None


def test_splits_are_all_different_and_repeatable(rng):
    X, y, frozen, _ = known(rng)
    X_test, y_test, _ = logistic_sample(rng, 60, BETA)
    one, again = (
        ConformalROC(frozen, reference=truth, resplits=3, random_state=2).fit(X, y)
        for _ in range(2)
    )
    for a, b in zip(one.residuals_, again.residuals_, strict=True):
        np.testing.assert_array_equal(a[1], b[1])
    assert len({part[0].tobytes() for part in one.residuals_}) == 3
    assert_same_curves(
        one.evaluate(X_test, y_test).band(0.3), again.evaluate(X_test, y_test).band(0.3)
    )
    assert_same_curves(
        one.evaluate(X_test, y_test).band(0.3), one.evaluate(X_test, y_test).band(0.3)
    )


def test_per_instance_splits_give_each_test_point_quantiles_of_its_own(rng):
    X, y, frozen, residuals = known(rng, 80)
    X_test, y_test, _ = logistic_sample(rng, 20, BETA)
    model = ConformalROC(frozen, reference=truth, resplits="per-instance", random_state=2).fit(X, y)
    evaluation = model.evaluate(X_test, y_test)
    upper = logit(evaluation.intervals(0.3)[1]) - X_test @ [0.5, 0.2, -0.3]
    for k in (0, 1):
        mine = upper[y_test == k]
        np.testing.assert_allclose(
            np.abs(residuals[y == k][:, None] - mine).min(axis=0), 0, atol=1e-8
        )
    assert len(np.unique(upper.round(9))) > 4
    assert evaluation.band(0.3).quantiles is None
    again = ConformalROC(frozen, reference=truth, resplits="per-instance", random_state=2).fit(X, y)
    np.testing.assert_array_equal(
        again.evaluate(X_test, y_test).intervals(0.3), evaluation.intervals(0.3)
    )


def test_splits_too_small_for_a_limit_are_not_called_neighbourhoods(rng):
    X, y, frozen, _ = known(rng, 40)
    X_test, y_test, _ = logistic_sample(rng, 30, BETA)
    model = ConformalROC(frozen, reference=truth, resplits=3, random_state=2, progress=False).fit(
        X, y
    )
    evaluation = model.evaluate(X_test, y_test)
    reasons = [r for r in evaluation.band(0.05).vacuous.values() if r]
    assert reasons
    assert not any("neighbo" in text for text in (*reasons, *evaluation.notes))


@pytest.mark.parametrize(("own", "asked"), [(None, None), (None, 0), (7, 0)])
def test_an_estimator_is_seeded_only_where_it_has_no_seed_and_one_is_asked_for(rng, own, asked):
    X, y, _ = logistic_sample(rng, 80)
    model = ConformalROC(LogisticRegression(random_state=own), random_state=asked).fit(X, y)
    assert (model.estimator_.random_state is None) == (own is asked is None)
    assert own in (None, model.estimator_.random_state)
    assert model.estimator.random_state == own
