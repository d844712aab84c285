import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformal_roc_widget.calibration.curve_residuals import (
    curve_residuals,
    individual_level,
    outer_residuals,
)
from conformal_roc_widget.calibration.quantiles import conformal_quantiles
from conformal_roc_widget.calibration.references.posterior import evenly_spaced


def covered_by_loops(logits, truth, low, up):
    """Theorem 3.2 at each threshold pi(x_s), by counting points as in Algorithm 1."""
    covered = []
    for t in truth:
        oracle = sum(p >= t for p in truth)
        below = sum(l + low > t for l in logits)
        above = sum(l + up > t for l in logits)
        covered.append(below <= oracle <= above)
    return covered


@given(
    seed=st.integers(0, 10**6), n=st.integers(1, 12), low=st.floats(-2, 0), width=st.floats(0, 3)
)
def test_the_band_covers_where_the_curve_residuals_lie_between_its_limits(seed, n, low, width):
    rng = np.random.default_rng(seed)
    logits, truth = rng.normal(size=n), rng.normal(size=n)
    up = low + width
    L, P = [-math.inf, *sorted(logits)], sorted(truth)
    covered = dict(zip(truth.tolist(), covered_by_loops(logits, truth, low, up), strict=True))
    for s in range(1, n + 1):
        # the two conditions in the module's docstring, with indices from 1
        assert covered[P[s - 1]] == (L[s - 1] + low <= P[s - 1] < L[s] + up)
        if low <= P[s - 1] - L[s] < up:
            assert covered[P[s - 1]]


@given(seed=st.integers(0, 10**6), n=st.integers(1, 60))
def test_curve_residuals_are_never_more_spread_out_than_individual_ones(seed, n):
    rng = np.random.default_rng(seed)
    logits, truth = rng.normal(size=n), rng.normal(size=n)
    own, curve = truth - logits, np.sort(truth) - np.sort(logits)
    assert curve.mean() == pytest.approx(own.mean(), abs=1e-9)
    for centre in (-1.0, 0.0, 0.7):  # convex order: every convex loss is smaller
        assert np.abs(curve - centre).sum() <= np.abs(own - centre).sum() + 1e-9
        assert np.maximum(curve - centre, 0).sum() <= np.maximum(own - centre, 0).sum() + 1e-9


def test_a_shift_of_all_logits_is_a_shift_of_all_curve_residuals(rng):
    draws, logits = rng.normal(size=(30, 5)), rng.normal(size=30)
    moved = curve_residuals(draws + 0.75, logits, 50)
    np.testing.assert_allclose(moved, curve_residuals(draws, logits, 50) + 0.75, atol=1e-12)


def test_a_classifier_that_is_a_monotone_function_of_pi_has_known_curve_residuals():
    truth = np.linspace(-2, 2, 41)
    found = curve_residuals(truth[:, None], truth - 1.5, 1000)
    np.testing.assert_allclose(found, np.full(41, 1.5), atol=1e-12)


def test_the_same_data_give_the_same_residuals_and_another_seed_others(rng):
    draws, logits = rng.normal(size=(20, 3)), rng.normal(size=20)
    one = curve_residuals(draws, logits, 40)
    np.testing.assert_array_equal(one, curve_residuals(draws, logits, 40))
    assert (one != curve_residuals(draws, logits, 40, seed=1)).any()
    assert one.shape == (20,)
    assert (np.diff(one) >= 0).all()


def test_a_known_reference_covers_its_own_curve_at_a_random_threshold(rng):
    covered, widths = [], []
    for _ in range(60):
        truth = rng.normal(size=800)
        logits = 0.5 * truth + rng.normal(size=800)
        low, up = conformal_quantiles(curve_residuals(truth[:400, None], logits[:400], 400), 0.1)
        own = conformal_quantiles(truth[:400] - logits[:400], 0.1)
        P, L = np.sort(truth[400:]), np.sort(logits[400:])
        covered.append(np.mean((low <= P - L) & (up >= P - L)))
        widths.append((up - low) / (own[1] - own[0]))
    assert np.mean(covered) > 0.87
    assert np.mean(widths) < 0.7


def test_the_individual_level_is_the_share_outside_of_the_limits():
    residuals = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    assert individual_level(residuals, -1.0, 1.0) == pytest.approx(0.4)
    assert individual_level(residuals, -math.inf, math.inf) == 0


def test_evenly_spaced_quantiles_of_as_many_values_are_the_values():
    np.testing.assert_array_equal(evenly_spaced(np.array([3.0, 1.0, 2.0]), 3), [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(evenly_spaced(np.arange(9.0), 3), [1.0, 4.0, 7.0])


def test_the_outer_list_takes_at_each_rank_what_is_farther_out():
    first, second = np.array([3.0, -5.0, 0.0, 9.0, 1.0]), np.array([-4.0, -6.0, 0.5, 2.0, 20.0])
    # sorted residuals: -5 0 1 3 9 and -6 -4 0.5 2 20
    np.testing.assert_array_equal(outer_residuals(first, second), [-6, -4, 0.5, 3, 20])
    np.testing.assert_array_equal(outer_residuals(first, first), np.sort(first))
