import math

import numpy as np
import pytest
from data import logistic_sample, three_classes
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.special import expit

from conformal_roc_widget.calibration.quantiles import conformal_quantiles
from conformal_roc_widget.calibration.references import posterior as sharp
from conformal_roc_widget.calibration.references.additive_posterior import (
    LANDMARKS,
    Smooth,
    laplace,
    low_order_columns,
)
from conformal_roc_widget.calibration.references.posterior import (
    ClassPosteriors,
    fit_sharp,
    sharp_residuals,
)


def log_joint(design, y, precision, w):
    """Log likelihood and log prior, term by term."""
    total = 0.0
    for row, label in zip(design, y, strict=True):
        p = 1 / (1 + math.exp(-sum(a * b for a, b in zip(row, w, strict=True))))
        total += math.log(p if label else 1 - p)
    for tau, b in zip(precision, w, strict=True):
        total += 0.5 * math.log(tau / (2 * math.pi)) - 0.5 * tau * b * b
    return total


def test_the_mode_and_the_curvature_agree_with_a_general_optimizer(rng):
    design, y = rng.normal(size=(60, 3)), rng.integers(0, 2, 60)
    precision = np.array([0.01, 1.0, 4.0])
    mode, root, *_ = laplace(design, y, precision, np.zeros(3))
    found = minimize(lambda w: -log_joint(design, y, precision, w), np.zeros(3), tol=1e-10)
    # Newton's method stops early. The decrement bounds its error in standard deviations.
    away = root.T @ (mode - found.x)
    assert np.abs(away).max() < 0.1
    p = expit(design @ mode)
    curvature = (design.T * (p * (1 - p))) @ design + np.diag(precision)
    np.testing.assert_allclose(root @ root.T, curvature, rtol=0.1)


def test_squares_and_products_by_hand():
    linear, products = low_order_columns(np.array([[1.0, 2.0], [-1.0, 0.0]]))
    assert linear.tolist() == [[1, 1, 2], [1, -1, 0]]
    root = math.sqrt(2)
    np.testing.assert_allclose(products, [[0, 2, 3 / root], [0, 0, -1 / root]])


def test_the_evidence_agrees_with_an_integral(rng):
    design, y = rng.normal(size=(80, 1)), rng.integers(0, 2, 80)
    for tau in (0.5, 10.0, 400.0):
        _, _, evidence, _ = laplace(design, y, np.array([tau]), np.zeros(1))
        integral, _ = quad(
            lambda w, tau=tau: math.exp(log_joint(design, y, [tau], [w]) + 50), -4, 4, limit=200
        )
        assert evidence == pytest.approx(math.log(integral) - 50, abs=0.02)


def test_newtons_method_ends_also_where_the_labels_are_separated():
    design = np.column_stack([np.ones(20), np.linspace(-1, 1, 20)])
    mode, root, evidence, _ = laplace(
        design, (design[:, 1] > 0).astype(int), np.full(2, 0.01), np.zeros(2)
    )
    assert np.isfinite([*mode, *root.ravel(), evidence]).all()
    assert mode[1] > 5


def test_classes_that_share_their_designs_have_the_posteriors_of_each_alone(rng):
    X, codes = three_classes(rng, 150)
    together = ClassPosteriors.of(X, codes, 3)
    for l in range(3):
        alone = fit_sharp(X, (codes == l).astype(int))
        np.testing.assert_array_equal(together.means(X)[:, l], alone.logits(X))
        np.testing.assert_array_equal(together.draws(X, l), alone.draws(X))


def test_the_posterior_mean_is_near_a_truth_that_is_linear_and_the_spread_tells_how_near(rng):
    X, y, truth = logistic_sample(rng, 1500)
    posterior = fit_sharp(X, y)
    away = posterior.logits(X) - truth
    spread = posterior.draws(X).std(axis=1)
    assert np.sqrt(np.mean(away**2)) < 0.25
    assert 0.3 < np.sqrt(np.mean(away**2) / np.mean(spread**2)) < 2


@pytest.mark.parametrize(
    "function",
    [
        lambda X: 2 * np.sin(2 * X[:, 0]) + X[:, 1],
        lambda X: 2 * X[:, 0] * X[:, 1],
        lambda X: 3 * np.tanh(2 * X[:, 0] * X[:, 1]),
    ],
    ids=["a sum of smooth functions", "a product", "a function of two features"],
)
def test_the_posterior_follows_truths_that_are_not_linear(rng, function):
    X = rng.normal(size=(2000, 3))
    truth = function(X)
    y = (rng.random(2000) < expit(truth)).astype(int)
    found = fit_sharp(X, y).logits(X)
    assert np.mean((found - truth) ** 2) < 0.4 * truth.var()


def test_draws_are_functions_and_the_same_each_time(rng):
    X, y, _ = logistic_sample(rng, 300)
    posterior = fit_sharp(X, y)
    draws = posterior.draws(X, 20)
    assert draws.shape == (300, 20)
    np.testing.assert_allclose(posterior.draws(X[::-1], 20)[::-1], draws, atol=1e-9)
    np.testing.assert_allclose(posterior.draws(X[:5], 20), draws[:5], atol=1e-9)
    np.testing.assert_array_equal(fit_sharp(X, y).draws(X, 20), draws)
    assert (posterior.draws(X, 20, seed=1) != draws).any()
    assert sharp.probabilities(posterior.components).sum() == pytest.approx(1)


def test_draws_are_those_of_all_designs_though_only_designs_with_draws_are_made(rng, monkeypatch):
    X, y, _ = logistic_sample(rng, 300)
    posterior = fit_sharp(X, y)
    made = []
    columns = Smooth.columns
    monkeypatch.setattr(
        Smooth, "columns", lambda smooth, points: made.append(smooth) or columns(smooth, points)
    )
    few = posterior.draws(X, 3)
    assert 1 <= len(made) <= 3 < len(posterior.smooths)
    designs = list(posterior._designs(X, posterior.smooths))
    drawn = list(sharp.coefficients(posterior.components, 3, np.random.default_rng([0, 1])))
    drawn.sort(key=lambda pair: pair[0].at.candidate)
    naive = [designs[one.at.candidate] @ values for one, values in drawn]
    np.testing.assert_allclose(few, np.concatenate(naive, axis=1), rtol=1e-12, atol=1e-12)


def test_the_draws_scatter_around_the_mean(rng):
    X, y, _ = logistic_sample(rng, 400)
    posterior = fit_sharp(X, y)
    draws = posterior.draws(X, 2000)
    away = (draws.mean(axis=1) - posterior.logits(X)) / draws.std(axis=1)
    assert np.abs(away).max() < 0.25


def test_units_of_the_features_and_constant_features_do_not_matter(rng):
    X, y, _ = logistic_sample(rng, 300)
    moved = np.column_stack([X * [1e3, 1e-3, 1.0] + [5.0, 0.0, -100.0], np.full(300, 7.0)])
    np.testing.assert_allclose(
        fit_sharp(moved, y).logits(moved), fit_sharp(X, y).logits(X), atol=1e-5
    )


def test_one_feature_few_distinct_points_and_features_that_never_vary_are_no_trouble(rng):
    y = np.resize([0, 1, 1], 90)
    for X in (rng.normal(size=(90, 1)), rng.integers(0, 2, (90, 2)) * 1.0, np.ones((90, 2))):
        posterior = fit_sharp(X, y)
        assert np.isfinite(posterior.draws(X, 5)).all()
    np.testing.assert_allclose(expit(posterior.logits(X)), np.full(90, 2 / 3), atol=0.02)


def test_many_features_have_no_products_but_an_answer(rng):
    X, y, truth = logistic_sample(rng, 600, beta=np.linspace(1, 0, 20))
    posterior = fit_sharp(X, y)
    assert posterior.components[0].mode.size == 21 + LANDMARKS
    assert np.corrcoef(posterior.logits(X), truth)[0, 1] > 0.9


def test_of_very_many_points_some_are_enough(rng, monkeypatch):
    monkeypatch.setattr(sharp, "MOST_POINTS", 200)
    X, y, truth = logistic_sample(rng, 1000)
    assert np.corrcoef(fit_sharp(X, y).logits(X), truth)[0, 1] > 0.9


def test_residuals_are_the_pooled_quantiles_each_at_the_rank_of_a_draw(rng):
    draws, logits = rng.normal(size=(7, 11)), rng.normal(size=7)
    found = sharp_residuals(draws, logits)
    pooled = sorted(d - l for row, l in zip(draws, logits, strict=True) for d in row)
    # of every eleven draws, the middle one
    np.testing.assert_array_equal(np.sort(found), pooled[5::11])
    np.testing.assert_array_equal(np.argsort(found), np.argsort(draws[:, 0] - logits))


def test_noise_of_the_draws_neither_stretches_nor_shrinks_the_residuals(rng):
    # y is theta plus noise. Draws from the posterior should have the spread of theta. The spread of
    # y is larger, and that of the posterior mean smaller.
    theta = rng.normal(size=4000)
    seen = theta + rng.normal(size=4000)
    draws = seen[:, None] / 2 + math.sqrt(0.5) * rng.normal(size=(4000, 50))
    residuals = sharp_residuals(draws, np.zeros(4000))
    assert residuals.std() == pytest.approx(theta.std(), rel=0.05)
    assert seen.std() > 1.3 * theta.std()
    assert draws.mean(axis=1).std() < 0.75 * theta.std()


@pytest.mark.parametrize("columns", [[0, 1, 2], [0], []], ids=["right", "half right", "wrong"])
def test_intervals_cover_pi_whatever_the_classifier_knows(rng, columns):
    covered, lengths = [], []
    for _ in range(6):
        X, y, truth = logistic_sample(rng, 1200)
        logits = 0.3 + X[:, columns] @ np.array([1.0, -0.8, 0.5])[columns]
        observed, new = slice(0, 800), slice(800, None)
        draws = fit_sharp(X[observed], y[observed]).draws(X[observed])
        one = np.flatnonzero(y[observed] == 1)
        low, up = conformal_quantiles(sharp_residuals(draws[one], logits[one]), 0.1)
        own = (truth - logits)[new][y[new] == 1]
        covered.append(np.mean((low <= own) & (own <= up)))
        lengths.append(up - low)
    assert np.mean(covered) > 0.88
    if columns == [0, 1, 2]:
        assert np.mean(lengths) < 1.2
