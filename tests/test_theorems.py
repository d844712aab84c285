"""Coverage as the theorems state it, by simulation."""

import numpy as np
import oracles
import pytest
from data import (
    EXACT,
    KnownClassifier,
    limits_of,
    logistic_sample,
    triangular_cdf,
    triangular_sample,
)
from scipy.special import expit, logit
from sklearn.compose import ColumnTransformer
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from conformal_roc_widget import ConformalROC, guaranteed_coverage


def oracle_model(rng, n, rule="paper"):
    """n calibration points per label, the true pi as reference (Proposition 2.1); every residual is x itself."""
    y = np.repeat([0, 1], n)
    X = np.concatenate([triangular_sample(rng, k, n) for k in (0, 1)])[:, None]
    model = ConformalROC(
        FrozenEstimator(KnownClassifier().fit(X, y)),
        reference=lambda x: expit(2 * x[:, 0]),
        quantile_rule=rule,
    )
    return model.fit(X[[0, -1]], y[[0, -1]], X_calibration=X, y_calibration=y)


def test_the_oracles_residuals_are_the_points_themselves(rng):
    model = oracle_model(rng, 30)
    for k in (0, 1):
        assert model.n_calibration_[k] == 30
        q = oracles.conformal_quantiles(model.residuals_[k].tolist(), 0.2)
        np.testing.assert_allclose(
            np.ravel(model.predict_interval([[0.0]], k, 0.2)), oracles.interval(0.0, q), **EXACT
        )
    x = np.linspace(-1, 1, 9)
    np.testing.assert_allclose(triangular_cdf(x, 1) + triangular_cdf(-x, 0), 1, atol=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["paper", "split"])
@pytest.mark.parametrize("n", [5, 19, 40, 79, 200, 1000])
def test_oracle_intervals_cover_at_finite_n_as_guaranteed_and_a_rank_amiss_would_show(n, rule):
    # given the calibration set, coverage is F(q_up) - F(q_lo), which has a closed form; only
    # calibration sets vary
    alphas = (0.01, 0.05, 0.1, 0.2, 0.5)
    rng = np.random.default_rng([n, rule == "split"])
    replicates = int(np.clip(16 * (n + 1), 400, 9000))
    coverage = np.empty((replicates, len(alphas), 2))
    for row in coverage:
        model = oracle_model(rng, n, rule)
        for i, alpha in enumerate(alphas):
            for k in (0, 1):
                lower, upper = logit(np.ravel(model.predict_interval(np.zeros((1, 1)), k, alpha)))
                row[i, k] = triangular_cdf(upper, k) - triangular_cdf(lower, k)
    # both labels estimate the same coverage
    mean = coverage.mean(axis=(0, 2))
    error = coverage.mean(axis=2).std(axis=0, ddof=1) / np.sqrt(replicates)
    expected = np.array([guaranteed_coverage(n, alpha, rule) for alpha in alphas])
    assert (expected >= 1 - np.array(alphas)).all()
    assert (np.abs(mean - expected) <= 3.9 * error + 1e-12).all(), (mean, expected, error)
    assert (error * 7.8 <= 1 / (n + 1)).all(), "a mistake of one rank would not be seen"


@pytest.mark.slow
def test_the_true_probability_of_new_points_lies_in_their_intervals_as_often_as_promised():
    rng = np.random.default_rng(11)
    inside = {0: [], 1: []}
    for _ in range(1500):
        model = oracle_model(rng, 79)
        for k in (0, 1):
            X = triangular_sample(rng, k, 100)[:, None]
            lower, upper = model.predict_interval(X, k, 0.05)
            truth = expit(2 * X[:, 0])
            inside[k].append(np.mean((lower <= truth) & (truth <= upper)))
    for k in (0, 1):
        error = np.std(inside[k], ddof=1) / np.sqrt(1500)
        assert abs(np.mean(inside[k]) - 77 / 80) <= 4 * error
        assert error < 1 / 80 / 10


def oracle_curve(truth, y, k, thresholds):
    """TPR^(o) (k = 1) or FPR^(o) (k = 0) of section 2.1, from the true pi of the test points."""
    return np.array([np.mean(truth[y == k] >= t) for t in thresholds])


def band_and_truth(rng, n, n_test, reference="oracle", alpha=0.05):
    """One replicate of theorem 3.2: a classifier that lacks a feature, and the band at every
    pi(x_s) of its test set.
    """
    beta = (1.0, 1.0, 1.0)
    X, y, _ = logistic_sample(rng, n, beta)
    X_test, y_test, truth = logistic_sample(rng, n_test, beta)
    seen = make_pipeline(ColumnTransformer([("two", "passthrough", [0, 1])]), LogisticRegression())
    pi = (lambda x: expit(0.3 + x @ np.array(beta))) if reference == "oracle" else reference
    model = ConformalROC(seen, reference=pi, random_state=int(rng.integers(2**31))).fit(X, y)
    pi_test = expit(truth)
    band = model.evaluate(X_test, y_test).band(alpha, thresholds=np.sort(pi_test)[::-1])
    at = np.searchsorted(-band.thresholds, -pi_test)
    return band, pi_test, y_test, at


@pytest.mark.slow
@pytest.mark.parametrize(("n", "alpha"), [(200, 0.05), (400, 0.1), (1000, 0.05), (1000, 0.2)])
def test_theorem_3_2_at_a_random_jump_the_band_covers_the_oracle_curve(n, alpha):
    rng = np.random.default_rng(n)
    covered = {0: [], 1: []}
    for _ in range(150):
        band, pi, y, at = band_and_truth(rng, n, 120, alpha=alpha)
        for k, lower, upper in limits_of(band):
            truth = oracle_curve(pi, y, k, band.thresholds)
            inside = (lower <= truth) & (truth <= upper)
            covered[k].append(inside[at[y == k]].mean())
    for k in (0, 1):
        error = np.std(covered[k], ddof=1) / np.sqrt(len(covered[k]))
        assert np.mean(covered[k]) - 3 * error >= 1 - alpha
        assert np.mean(covered[k]) > 0.97


@pytest.mark.slow
def test_simultaneous_coverage_of_the_whole_oracle_curve_is_not_promised_and_not_kept():
    rng = np.random.default_rng(5)
    whole = []
    for _ in range(150):
        band, pi, y, _ = band_and_truth(rng, 400, 120, alpha=0.2)
        truth = oracle_curve(pi, y, 1, band.thresholds)
        whole.append(((band.tpr_lower <= truth) & (truth <= band.tpr_upper)).all())
    assert np.mean(whole) < 0.8 - 3 * 0.4 / np.sqrt(150)


@pytest.mark.slow
def test_with_the_kernel_reference_and_a_well_specified_classifier_the_curve_itself_lies_inside_its_band():
    rng = np.random.default_rng(6)
    inside = []
    for _ in range(60):
        band, _, _, _ = band_and_truth(rng, 1000, 200, reference="kernel")
        inside.append(np.mean((band.tpr_lower <= band.tpr) & (band.tpr <= band.tpr_upper)))
    assert np.mean(inside) > 0.99
