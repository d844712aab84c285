"""Algorithm 2, recentring, and variants of Algorithm 1's split."""

import math

import numpy as np
import oracles
import pytest
from data import (
    EXACT,
    KnownClassifier,
    assert_same_curves,
    fit_explicit,
    logistic_sample,
)
from distances import BETA, DISTANCES, truth
from scipy.special import expit, logit
from sklearn.frozen import FrozenEstimator

from conformal_roc_widget import guaranteed_coverage

INF = math.inf


def expected_quantiles(model, parts, reference, distance, size, alpha):
    """Algorithm 2, lines 2 to 4, for every test point.

    Returns the quantiles {0: (lo, hi), 1: (lo, hi)} of each point, and its numbers of neighbours by
    label.
    """
    (X, _), (X_calibration, y_calibration), (X_test, _) = parts

    def classifier_logit(x):
        return float(model.estimator_.decision_function(np.asarray(x)[None])[0])

    measure = DISTANCES[distance][1](X.tolist(), classifier_logit)
    residuals = [r - classifier_logit(x) for r, x in zip(reference, X_calibration, strict=True)]
    quantiles, sizes = [], []
    for x in X_test:
        members = oracles.neighbourhood([measure(x, z) for z in X_calibration], size)
        quantiles.append(
            {
                k: oracles.localized_quantiles(residuals, y_calibration, members, k, alpha)
                for k in (0, 1)
            }
        )
        sizes.append([sum(y_calibration[i] == k for i in members) for k in (0, 1)])
    return quantiles, np.array(sizes)


def expected_intervals(centres, quantiles, k):
    return [oracles.interval(c, q[k]) for c, q in zip(centres, quantiles, strict=True)]


@pytest.fixture
def parts(rng):
    return [logistic_sample(rng, n, BETA)[:2] for n in (60, 110, 25)]


@pytest.fixture
def grid_parts(rng):
    """Features on a coarse grid, so that most N-th distances are tied."""
    made = []
    for n in (60, 110, 25):
        X = rng.integers(-2, 3, size=(n, 3)).astype(float)
        y = (rng.random(n) < truth(X)).astype(int)
        y[:2] = 0, 1
        made.append((X, y))
    return made


def check_against_loops(parts, distance, size, alpha, **options):
    model = fit_explicit(
        parts, neighbors=size, distance=DISTANCES[distance][0], reference=truth, **options
    )
    X_test, y_test = parts[2]
    quantiles, sizes = expected_quantiles(
        model, parts, logit(truth(parts[1][0])), distance, size, alpha
    )
    if options.get("center") == "kernel":
        centres = logit(truth(X_test))
    else:
        centres = model.estimator_.decision_function(X_test)
    for k in (0, 1):
        found = np.column_stack(model.predict_interval(X_test, k, alpha))
        np.testing.assert_allclose(found, expected_intervals(centres, quantiles, k), **EXACT)
    evaluation = model.evaluate(X_test, y_test)
    own = [oracles.interval(c, q[k]) for c, q, k in zip(centres, quantiles, y_test, strict=True)]
    np.testing.assert_allclose(np.column_stack(evaluation.intervals(alpha)), own, **EXACT)
    # What follows from these intervals is in tests/evaluation/test_limits_by_group.py.
    band = evaluation.band(alpha)
    for k in (0, 1):
        mine = sizes[y_test == k, k]
        assert band.n_calibration[k] == mine.min()
        assert band.guaranteed[k] == min(guaranteed_coverage(int(n), alpha) for n in mine)
    assert band.quantiles is None
    return sizes


# Neighbourhoods


@pytest.mark.parametrize("center", ["classifier", "kernel"])
@pytest.mark.parametrize("distance", list(DISTANCES))
def test_intervals_and_limits_follow_algorithm_2(parts, distance, center):
    check_against_loops(parts, distance, 40, 0.1, center=center)


@pytest.mark.parametrize("size", [1, 7, 30, 64])
@pytest.mark.parametrize("distance", ["standardized", "metric", "callable", "vector", "matrix"])
def test_ties_at_the_nth_distance_are_all_taken(grid_parts, distance, size):
    sizes = check_against_loops(grid_parts, distance, size, 0.3)
    assert (sizes.sum(axis=1) >= size).all()
    assert (sizes.sum(axis=1) > size).any()


@pytest.mark.parametrize("distance", ["standardized", "score", "vector", "metric"])
@pytest.mark.parametrize("size", [110, 111, 5000])
def test_a_neighbourhood_of_everyone_is_algorithm_1(parts, distance, size):
    everyone = fit_explicit(parts, neighbors=size, distance=DISTANCES[distance][0])
    pooled = fit_explicit(parts)
    for k in (0, 1):
        np.testing.assert_array_equal(everyone.residuals_[k], pooled.residuals_[k])
        np.testing.assert_allclose(
            everyone.predict_interval(parts[2][0], k, 0.1),
            pooled.predict_interval(parts[2][0], k, 0.1),
            rtol=1e-12,
        )
    assert_same_curves(everyone.evaluate(*parts[2]).band(0.1), pooled.evaluate(*parts[2]).band(0.1))
    assert everyone.evaluate(*parts[2]).band(0.1).n_calibration == pooled.n_calibration_


def line(size, **options):
    """Ten calibration points on a line.

    Labels alternate, L_p = x, L_pi = x + x^2 / 100, so R = x^2 / 100.
    """
    x = np.arange(10.0)[:, None]
    y = np.resize([0, 1], 10)
    frozen = FrozenEstimator(KnownClassifier((1.0,)).fit(x, y))
    options = {
        "distance": [1.0],
        "reference": lambda X: expit(X[:, 0] + X[:, 0] ** 2 / 100),
    } | options
    return fit_explicit([(x, y), (x, y)], frozen, neighbors=size, **options)


def test_a_neighbourhood_by_hand():
    # around 4.2 the five nearest points are 2 to 6: label 0 has 2, 4, 6 and label 1 has 3, 5; alpha
    # (n + 1) is 2 and 3/2
    lower, upper = line(5).predict_interval([[4.2]], 0, 0.5)
    np.testing.assert_allclose(logit([lower[0], upper[0]]), [-INF, 4.2 + 0.36], rtol=1e-9)
    lower, upper = line(5).predict_interval([[4.2]], 1, 0.5)
    np.testing.assert_allclose(logit([lower[0], upper[0]]), [-INF, 4.2 + 0.25], rtol=1e-9)
    # around 4 the five nearest points are 2 to 6; for N = 4, the tied points 2 and 6 are both
    # included
    np.testing.assert_array_equal(
        line(4).predict_interval([[4.0]], 0, 0.5), line(5).predict_interval([[4.0]], 0, 0.5)
    )


@pytest.mark.parametrize("distance", ["standardized", [1.0], "manhattan", "score"])
def test_points_equally_far_to_both_sides_are_a_tie_whatever_the_rounding(distance):
    # points at tenths: 0.3 - 0.2 and 0.4 - 0.3 differ in floating point, and so do the scaled
    # differences
    for scale in (0.1, 1.0):
        x = scale * np.arange(10.0)[:, None]
        y = np.resize([0, 1], 10)
        parts = [(x, y), (x, y)]
        frozen = FrozenEstimator(KnownClassifier((0.7,)).fit(x, y))
        model = fit_explicit(
            parts, frozen, neighbors=2, distance=distance, reference=lambda X: expit(2 * X[:, 0])
        )
        # a point between two points of the other label has both as neighbours
        assert model.evaluate(x[1:9], 1 - y[1:9]).band(0.5).n_calibration == {0: 2, 1: 2}


def test_the_printed_centre_by_hand():
    lower, upper = line(5, center="kernel").predict_interval([[4.2]], 0, 0.5)
    np.testing.assert_allclose(
        logit([lower[0], upper[0]]), [-INF, 4.2 + 4.2**2 / 100 + 0.36], rtol=1e-9
    )


def test_the_symmetric_pair_reaches_the_neighbourhoods():
    # label 0 among 2 to 6 is 2, 4, 6; at alpha 1/2 the limits are order statistics 1 and 3
    lower, upper = line(5, quantile_rule="split").predict_interval([[4.2]], 0, 0.5)
    np.testing.assert_allclose(logit([lower[0], upper[0]]), [4.2 + 0.04, 4.2 + 0.36], rtol=1e-9)


def test_a_label_absent_from_a_neighbourhood_is_vacuous_for_that_point_counted_and_said():
    x = np.concatenate([np.linspace(0, 1, 40), np.linspace(10, 11, 40)])[:, None]
    y = np.repeat([0, 1], 40)
    model = fit_explicit([(x, y), (x, y)], neighbors=40, distance=[1.0])
    X_test = np.array([[0.2], [0.4], [0.6], [10.5], [0.5], [10.2]])
    y_test = np.array([1, 1, 0, 1, 0, 0])
    lower, upper = model.predict_interval(X_test, 1, 0.1)
    np.testing.assert_array_equal(lower[[0, 1, 2, 4]], 0)
    np.testing.assert_array_equal(upper[[0, 1, 2, 4]], 1)
    assert (upper[[3, 5]] < 1).all()
    band = model.evaluate(X_test, y_test).band(0.1)
    assert band.n_calibration == {0: 0, 1: 0}
    assert band.guaranteed == {
        0: min(1.0, guaranteed_coverage(40, 0.1)),
        1: guaranteed_coverage(40, 0.1),
    }
    assert "2" in band.vacuous[1]
    assert "1" in band.vacuous[0]
    assert any("neighbo" in note for note in model.evaluate(X_test, y_test).notes)


def test_a_feature_that_never_varies_has_no_part_in_the_standardized_distance(parts):
    wide = [(np.insert(X, 1, 3.5, axis=1), y) for X, y in parts]
    one = fit_explicit(parts, KnownClassifier(BETA), neighbors=30)
    other = fit_explicit(wide, KnownClassifier(np.insert(BETA, 1, 0)), neighbors=30)
    moved = np.insert(parts[2][0], 1, np.linspace(-50, 50, 25), axis=1)
    expected = one.predict_interval(parts[2][0], 1, 0.2)
    np.testing.assert_allclose(other.predict_interval(moved, 1, 0.2), expected, rtol=1e-9)
