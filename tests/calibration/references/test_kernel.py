import math
import tracemalloc

import numpy as np
import oracles
import pandas as pd
import pytest
from data import logistic_sample
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from conformal_roc_widget import kernel_logit

EXACT = {"rtol": 1e-9, "atol": 1e-9}


def small(rng, n=40, points=12, d=3):
    X, y, _ = logistic_sample(rng, n, beta=np.linspace(1, -1, d))
    return X * np.arange(1, d + 1), y, rng.normal(size=(points, d)) * np.arange(1, d + 1)


@pytest.mark.parametrize("bandwidth", ["silverman", "scott", 0.3, 2.0, [0.5, 1.0, 2.5]])
def test_the_kernel_logit_agrees_with_loops_over_the_training_rows(rng, bandwidth):
    X, y, points = small(rng)
    expected = oracles.kernel_logit(X.tolist(), y.tolist(), points.tolist(), bandwidth)
    np.testing.assert_allclose(kernel_logit(X, y, points, bandwidth=bandwidth), expected, **EXACT)


@given(seed=st.integers(0, 10**6), n=st.integers(2, 30), d=st.integers(1, 5))
def test_the_kernel_logit_agrees_with_loops_for_any_size_and_dimension(seed, n, d):
    X, y, points = small(np.random.default_rng(seed), n, 5, d)
    expected = oracles.kernel_logit(X.tolist(), y.tolist(), points.tolist())
    np.testing.assert_allclose(kernel_logit(X, y, points), expected, **EXACT)


def test_two_training_points_have_a_logit_in_closed_form():
    # ((x + 1)^2 - (x - 1)^2) / (2 h^2) = 2x / h^2
    x = np.array([[0.0], [0.25], [-3.0], [1000.0]])
    np.testing.assert_allclose(
        kernel_logit([[-1.0], [1.0]], [0, 1], x, bandwidth=[0.5]), 8 * x[:, 0], rtol=1e-12
    )


def test_the_bandwidth_rules_by_hand():
    # Here s = sqrt(2), n = 2 and d = 1. Silverman's factor is (2 * 3 / 4)^(-1/5), Scott's is
    # 2^(-1/5).
    x, X, y = np.array([[0.25]]), [[-1.0], [1.0]], [0, 1]
    silverman = math.sqrt(2) * 1.5**-0.2
    scott = math.sqrt(2) * 2**-0.2
    np.testing.assert_allclose(kernel_logit(X, y, x), [0.5 / silverman**2], rtol=1e-12)
    np.testing.assert_allclose(
        kernel_logit(X, y, x, bandwidth="silverman"), [0.5 / silverman**2], rtol=1e-12
    )
    np.testing.assert_allclose(
        kernel_logit(X, y, x, bandwidth="scott"), [0.5 / scott**2], rtol=1e-12
    )
    np.testing.assert_allclose(kernel_logit(X, y, x, bandwidth=3.0), [0.5 / 18], rtol=1e-12)
    np.testing.assert_allclose(kernel_logit(X, y, x, bandwidth=3), [0.5 / 18], rtol=1e-12)


def test_points_twenty_standard_deviations_out_are_finite_and_correctly_ordered(rng):
    X, y, _ = small(rng, n=60, d=1)
    X[np.argmax(X), 0], y[np.argmax(X)] = X.max() + 0.5, 1
    far = np.linspace(10, 40, 31)[:, None] * X.std()
    logits = kernel_logit(X, y, far)
    assert np.isfinite(logits).all()
    assert (np.diff(logits) > 0).all()
    np.testing.assert_allclose(
        logits, oracles.kernel_logit(X.tolist(), y.tolist(), far.tolist()), **EXACT
    )


def test_features_shifted_by_a_hundred_thousand_cost_no_digits(rng):
    X, y, points = small(rng, n=200, points=100)
    X, points = np.round(X * 2**20) / 2**20, np.round(points * 2**20) / 2**20
    np.testing.assert_allclose(
        kernel_logit(X + 1e5, y, points + 1e5), kernel_logit(X, y, points), **EXACT
    )


def test_features_on_wildly_different_scales_agree_with_features_on_one_scale(rng):
    X, y, points = small(rng)
    scale = np.array([2.0**40, 1.0, 2.0**-40])
    np.testing.assert_allclose(
        kernel_logit(X * scale, y, points * scale), kernel_logit(X, y, points), **EXACT
    )


@pytest.mark.parametrize("bandwidth", ["silverman", "scott", 0.7])
def test_a_feature_that_never_varies_in_training_is_dropped_and_not_counted(rng, bandwidth):
    X, y, points = small(rng)
    wide = np.insert(X, 1, 7.3, axis=1)
    wide_points = np.insert(points, 1, rng.normal(size=len(points)), axis=1)
    np.testing.assert_allclose(
        kernel_logit(wide, y, wide_points, bandwidth=bandwidth),
        kernel_logit(X, y, points, bandwidth=bandwidth),
        **EXACT,
    )


def test_cross_validation_leaves_no_better_multiple_on_a_fine_grid(rng):
    X, y, points = small(rng, n=50, d=2)
    chosen = kernel_logit(X, y, points, bandwidth="cv")

    def distance(log_c):
        return np.abs(kernel_logit(X, y, points, bandwidth=float(np.exp(log_c))) - chosen).max()

    grid = np.linspace(np.log(0.05), np.log(5), 200)
    start = grid[np.argmin([distance(v) for v in grid])]
    found = minimize_scalar(
        distance, bounds=(start - 0.05, start + 0.05), method="bounded", options={"xatol": 1e-10}
    )
    assert found.fun < 1e-6, "no multiple c reproduces the answer"
    best = oracles.leave_one_out_log_likelihood(X.tolist(), y.tolist(), np.exp(found.x))
    others = [oracles.leave_one_out_log_likelihood(X.tolist(), y.tolist(), np.exp(v)) for v in grid]
    assert np.argmax(others) not in (0, len(grid) - 1)
    assert best >= max(others) - 1e-6


def test_memory_stays_bounded(rng):
    X, y, points = rng.normal(size=(5000, 3)), np.resize([0, 1], 5000), rng.normal(size=(20_000, 3))
    tracemalloc.start()
    kernel_logit(X, y, points)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6, "a full matrix of kernels would take 800 MB"


def test_columns_in_another_order_are_refused_rather_than_read_in_theirs():
    X = pd.DataFrame({"age": [40.0, 50, 60, 70], "dose": [1.0, 3, 2, 5]})
    y = [0, 1, 0, 1]
    asked = (
        "X: found columns 'dose', 'age', expected those of the fit in their order: 'age', 'dose'"
    )
    with pytest.raises(ValueError, match=f"^{asked}$"):
        kernel_logit(X, y, X[["dose", "age"]])
    np.testing.assert_array_equal(kernel_logit(X, y, X), kernel_logit(X.to_numpy(), y, X))
