import itertools
import math

import numpy as np
import pytest
from scipy.special import expit

from conformal_roc_widget.calibration.references import additive_posterior as deviations
from conformal_roc_widget.calibration.references.additive_posterior import (
    SHRINKING,
    WEAK,
    AdditiveModel,
    SmoothColumns,
    additive_draws,
    designs_of,
    laplace,
    low_order_columns,
    smooth_candidates,
)


def integral(X, y):
    """Mean and variance of ``b0 + X b`` with an unknown deviation of b, by numerical integration."""
    sign = np.where(y == 1, 1, -1)
    weight, first, second = 0.0, np.zeros(y.size), np.zeros(y.size)
    for s in SHRINKING.slopes:
        b0, b = np.linspace(-1.5, 1.5, 31), np.linspace(-min(5 * s, 2.5), min(5 * s, 2.5), 41)
        cell = (b0[1] - b0[0]) * (b[1] - b[0]) ** 2
        for one, two in itertools.product(b, b):
            logits = b0[:, None] + X @ [one, two]
            log = -np.logaddexp(0, -sign * logits).sum(axis=1) - (b0 / WEAK) ** 2 / 2
            log -= (one**2 + two**2) / (2 * s**2) + 2 * math.log(s)
            mass = np.exp(log + 60) * cell
            weight += mass.sum()
            first += mass @ logits
            second += mass @ logits**2
    mean = first / weight
    return mean, second / weight - mean**2


def test_draws_with_one_unknown_deviation_agree_with_an_integral(rng, monkeypatch):
    monkeypatch.setattr(deviations, "NEAR", 50.0)  # with this value all deviations are visited
    X = rng.normal(size=(240, 2))
    y = (rng.random(240) < expit(0.3 + 0.7 * X[:, 0])).astype(int)
    design = np.column_stack([np.ones(240), X])
    model = AdditiveModel(SHRINKING, np.array([0, 1, 1]), [design], y)
    model.search()
    assert len(model.visited) == len(SHRINKING.slopes)
    draws = model.draws([design], 20_000, rng)
    mean, variance = integral(X, y)
    # With 240 labels, the error of Laplace's approximation is below a tenth of a standard
    # deviation.
    assert np.abs((draws.mean(axis=1) - mean) / np.sqrt(variance)).max() < 0.1
    np.testing.assert_allclose(draws.var(axis=1), variance, rtol=0.1)


def standardized(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


def test_dozens_of_slopes_are_shrunk_together(rng):
    X = standardized(rng.normal(size=(400, 40)))
    none, y = np.empty((400, 0)), rng.integers(0, 2, 400)
    together = additive_draws(none, X, SmoothColumns.at(X, 0), y, 100)
    apart = additive_draws(X, none, SmoothColumns.at(X[:, :2], 0), y, 100)
    assert together.std() < 0.6 * apart.std()


def test_strong_slopes_are_found(rng):
    X = standardized(rng.normal(size=(600, 20)))
    truth = 2 * X[:, 0] - X[:, 1]
    y = (rng.random(600) < expit(truth)).astype(int)
    draws = additive_draws(np.empty((600, 0)), X, SmoothColumns.at(X, 0), y, 100)
    assert np.corrcoef(draws.mean(axis=1), truth)[0, 1] > 0.93
    away = (draws.mean(axis=1) - truth) / draws.std(axis=1)
    assert 0.5 < np.sqrt(np.mean(away**2)) < 1.6


def test_products_and_smooth_functions_come_in_where_the_data_speak_for_them(rng):
    X = standardized(rng.normal(size=(1500, 3)))
    truth = 2 * X[:, 0] * X[:, 1] + 2 * np.sin(2 * X[:, 2])
    y = (rng.random(1500) < expit(truth)).astype(int)
    draws = additive_draws(np.empty((1500, 0)), X, SmoothColumns.at(X, 0), y, 100)
    assert np.mean((draws.mean(axis=1) - truth) ** 2) < 0.2 * truth.var()


def test_weak_columns_are_hardly_shrunk(rng):
    score = standardized(rng.normal(size=(2000, 1)))
    y = (rng.random(2000) < expit(4 * score[:, 0])).astype(int)
    draws = additive_draws(score, np.empty((2000, 0)), SmoothColumns.at(score, 0), y, 50)
    slope = np.polyfit(score[:, 0], draws.mean(axis=1), 1)[0]
    assert slope == pytest.approx(4, rel=0.15)


def test_draws_are_the_same_each_time_and_another_seed_gives_others(rng):
    X, y = standardized(rng.normal(size=(100, 3))), np.resize([0, 1], 100)
    none = np.empty((100, 0))
    first = additive_draws(none, X, SmoothColumns.at(X, 1), y, 7)
    assert first.shape == (100, 7)
    np.testing.assert_array_equal(additive_draws(none, X, SmoothColumns.at(X, 1), y, 7), first)
    assert (additive_draws(none, X, SmoothColumns.at(X, 2), y, 7) != first).any()


def test_of_very_many_points_some_are_enough_for_draws_at_all(rng, monkeypatch):
    monkeypatch.setattr(deviations, "MOST_POINTS", 200)
    X = standardized(rng.normal(size=(1000, 2)))
    y = (rng.random(1000) < expit(2 * X[:, 0])).astype(int)
    draws = additive_draws(np.empty((1000, 0)), X, SmoothColumns.at(X, 0), y, 50)
    assert draws.shape == (1000, 50)
    assert np.corrcoef(draws.mean(axis=1), X[:, 0])[0, 1] > 0.9


def test_a_search_finds_the_posterior_that_each_combination_has_from_scratch(rng):
    """The search reuses curvatures from one combination to the next; the naive version computes
    each from scratch.
    """
    X = standardized(rng.normal(size=(300, 3)))
    y = (rng.random(300) < expit(1.5 * X[:, 0] + X[:, 1] * X[:, 2])).astype(int)
    linear, products = low_order_columns(X)
    smooths = smooth_candidates(X, rng)
    designs = list(designs_of(np.concatenate([linear, products], axis=1), smooths, X))
    part = np.repeat([0, 1, 2, 3], [1, 3, 6, designs[0].shape[1] - 10])
    model = AdditiveModel(SHRINKING, part, designs, y)
    model.search()
    assert len(model.visited) > 20
    for at, found in model.visited.items():
        grids = (SHRINKING.slopes, SHRINKING.products, SHRINKING.smooths)
        every = [WEAK, *(grid[place] for grid, place in zip(grids, at[:3], strict=True))]
        deviation = np.array(every)[part]
        design = designs[at.candidate][:, deviation > 0]
        precision = deviation[deviation > 0] ** -2.0
        mode, root, evidence, _ = laplace(design, y, precision, np.zeros(precision.size))
        evidence += math.log(3) * ((at.product == 0) + (at.smooth == 0))
        # Newton's method stops when a step changes the log posterior by less than a hundredth.
        assert found.evidence == pytest.approx(evidence, abs=0.05)
        away = root.T @ (found.mode - mode)
        assert np.linalg.norm(away) < 0.15
        np.testing.assert_allclose(np.diag(found.root), np.diag(root), rtol=0.05)


@pytest.mark.parametrize("scale", [0.5, 1.3])
def test_the_covariance_of_a_sum_of_functions_is_a_mean_over_features(rng, scale):
    points, landmarks = rng.normal(size=(9, 4)), rng.normal(size=(5, 4))
    points[:, 1] = rng.integers(0, 2, 9)
    naive = [
        [
            sum(math.exp(-0.5 * ((a - b) / scale) ** 2) for a, b in zip(x, z, strict=True)) / 4
            for z in landmarks
        ]
        for x in points
    ]
    found = deviations._covariance(points, landmarks, scale, True)
    np.testing.assert_allclose(found, naive, rtol=1e-12)
