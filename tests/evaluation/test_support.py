"""Distance of test points from the data, and quality of the reference, against loops."""

import numpy as np
import oracles
import pytest
from data import by_kernel, fit_explicit, logistic_sample, scored, study
from scipy.special import logit
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from conformal_roc_widget import ConformalROC
from conformal_roc_widget.calibration.references.kernel import fit_kernel
from conformal_roc_widget.evaluation.support import logistic_slope

EXACT = {"rtol": 1e-8, "atol": 1e-12}


@pytest.fixture
def parts(rng):
    return [logistic_sample(rng, n)[:2] for n in (80, 150, 40)]


def figures(X_train, X, bandwidth="silverman"):
    kept, h = oracles.bandwidths(X_train.tolist(), bandwidth)
    return np.array([oracles.effective_n(X_train.tolist(), x, kept, h) for x in X.tolist()])


def columns(*kept):
    return make_pipeline(
        ColumnTransformer([("kept", "passthrough", list(kept))]), LogisticRegression(C=np.inf)
    )


def diagnosed(setting, value, shifted, replicates=10):
    """Means of the two diagnostics, and how often each causes a note, over replicates of Study 2
    with n = 500.
    """
    shares, slopes, spoken = [], [], []
    for seed in range(replicates):
        rng = np.random.default_rng(seed)
        X, y, _ = study(rng, 500, setting, value)
        X_test, y_test, _ = study(rng, 500, setting, value, shifted)
        if len(set(y_test)) < 2:
            continue
        evaluation = (
            ConformalROC(columns(0, 1), random_state=seed).fit(X, y).evaluate(X_test, y_test)
        )
        shares.append(evaluation.support.share)
        slopes.append(evaluation.support.reference_slope[0])
        spoken.append(len(evaluation.notes))
    return np.mean(shares), np.mean(slopes), np.mean(spoken)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"bandwidth": 0.5},
        {"reference": "score"},
        {"reference": GaussianNB()},
        {"neighbors": 50},
    ],
)
def test_the_effective_sample_size_is_that_of_the_feature_kernel_whatever_the_reference(
    parts, options
):
    (X, _), (X_calibration, _), (X_test, y_test) = parts
    X_test = X_test * np.linspace(1, 4, len(X_test))[:, None]
    support = fit_explicit(parts, **options).evaluate(X_test, y_test).support
    bandwidth = options.get("bandwidth", "silverman")
    expected = figures(X, X_test, bandwidth)
    np.testing.assert_allclose(support.effective_n, expected, **EXACT)
    lowest = np.percentile(figures(X, X_calibration, bandwidth), 1)
    assert np.abs(expected - lowest).min() > 1e-6
    np.testing.assert_array_equal(support.extrapolating, expected < lowest)
    assert support.extrapolating.dtype == bool
    assert support.share == np.mean(expected < lowest)
    assert 0 < support.share < 1


def test_two_training_points_have_an_effective_size_in_closed_form():
    # K = exp(-x^2 / 2 h^2) with h = 1: at a training point the weights are 1 and exp(-1/2), half
    # way they are equal
    X, y = np.array([[0.0], [1.0]]), np.array([0, 1])
    parts = [(X, y), (np.linspace(-1, 2, 40)[:, None], np.resize([0, 1], 40))]
    support = (
        fit_explicit(parts, bandwidth=[1.0]).evaluate([[0.0], [0.5], [50.0]], [0, 1, 1]).support
    )
    w = np.exp(-0.5)
    expected = [(1 + w) ** 2 / (1 + w * w), 2.0, (1 + np.exp(-49.5)) ** 2]
    np.testing.assert_allclose(support.effective_n, expected, rtol=1e-9)


def test_far_from_the_data_one_training_point_is_all_there_is(parts):
    support = fit_explicit(parts).evaluate(parts[2][0] * 1000, parts[2][1]).support
    np.testing.assert_allclose(support.effective_n, 1, rtol=1e-3)
    assert support.extrapolating.all()
    assert support.share == 1


def test_the_reference_slope_is_the_logistic_slope_of_the_labels_on_the_references_logit(parts):
    (X, y), (X_calibration, y_calibration), test = parts
    reference = oracles.kernel_logit(X.tolist(), y.tolist(), X_calibration.tolist())
    expected = oracles.logistic_slope(reference, y_calibration.tolist())
    np.testing.assert_allclose(
        fit_explicit(parts).evaluate(*test).support.reference_slope, expected, rtol=1e-5
    )


def test_the_slope_of_the_true_probability_is_that_of_its_logit(parts):
    def truth(X):
        return 1 / (1 + np.exp(-0.3 - X @ np.array([1.0, -0.8, 0.5])))

    _, (X_calibration, y_calibration), test = parts
    expected = oracles.logistic_slope(logit(truth(X_calibration)).tolist(), y_calibration.tolist())
    support = fit_explicit(parts, reference=truth).evaluate(*test).support
    np.testing.assert_allclose(support.reference_slope, expected, rtol=1e-5)


def test_a_predictor_that_separates_the_labels_has_an_infinite_slope_and_a_constant_none():
    y = np.array([0, 0, 1, 1])
    assert logistic_slope(np.array([0.0, 1.0, 1.0, 2.0]), y) == (np.inf, np.inf)
    assert logistic_slope(np.array([2.0, 1.0, 1.0, 0.0]), y) == (-np.inf, np.inf)
    assert np.isnan(logistic_slope(np.ones(4), y)).all()


def test_from_scores_alone_the_kernel_is_that_of_the_scores(rng):
    y, score = scored(rng, 80)
    y_test, score_test = scored(rng, 20)
    support = by_kernel(y, score, y_test, score_test).support
    logits = np.array([[oracles.logit(p)] for p in score])
    expected = figures(logits, np.array([[oracles.logit(p)] for p in score_test]))
    np.testing.assert_allclose(support.effective_n, expected, **EXACT)
    reference = oracles.leave_one_out_logit(
        logits.tolist(), y.tolist(), [0], oracles.score_bandwidth(score.tolist())
    )
    slope = oracles.logistic_slope(reference, y.tolist())
    np.testing.assert_allclose(support.reference_slope, slope, rtol=1e-5)


@pytest.mark.slow
def test_on_the_shifted_data_of_study_2_2_most_points_are_beyond_the_data_and_it_is_said():
    share, _, spoken = diagnosed("missing_interaction", 5.5, shifted=True)
    assert 0.8 < share < 1
    assert spoken >= 1


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["missing_predictor", "missing_interaction"])
def test_the_slope_of_the_kernel_grows_along_the_grid_of_study_2(setting):
    slopes = [diagnosed(setting, value, shifted=False)[1] for value in (0.5, 2.5, 5.5)]
    assert slopes[0] < slopes[1] < slopes[2]
    assert 1.3 < slopes[2] < 1.7


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["missing_predictor", "missing_interaction"])
@pytest.mark.parametrize("value", [0.5, 1.5, 2.5])
def test_both_figures_are_silent_on_data_like_those_of_the_fit(setting, value):
    share, _, spoken = diagnosed(setting, value, shifted=False, replicates=20)
    assert share < 0.05
    assert spoken <= 0.1


def test_a_large_test_set_is_summed_up_from_some_of_its_points(rng):
    X, y, _ = logistic_sample(rng, 400)
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X, y)
    X_test, y_test, _ = logistic_sample(rng, 9_000)
    X_test[::3] += 9
    evaluation = model.evaluate(X_test, y_test)
    (note,) = [note for note in evaluation.notes if "far from the calibration data" in note]
    assert note.startswith("About ")
    said = int(note.split()[1]) / 100
    standard_error = 0.5 / np.sqrt(2_000)
    assert abs(said - evaluation.support.share) <= 3 * standard_error + 0.005


def test_the_residuals_of_several_splits_are_not_added_up(rng):
    X, y, _ = logistic_sample(rng, 200)
    model = ConformalROC(LogisticRegression(), resplits=3, random_state=0, progress=False)
    evaluation = model.fit(X, y).evaluate(X, y)
    for k in (0, 1):
        counts = [split[k] for split in model.n_calibration_]
        assert evaluation.n_calibration[k] == min(counts)


@pytest.mark.parametrize("far", [0.0, 25.0, 300.0])
def test_both_powers_of_the_kernel_from_one_exp_are_those_from_two(rng, far):
    X, y = logistic_sample(rng, 60)[:2]
    kernel = fit_kernel(X, y)
    asked = np.concatenate([X[:5], X[:5] + far])
    for given, points in ((asked, asked), (None, X)):
        together = kernel._log_sums(given, powers=(1, 2))
        away = (points[:, None] - X) / kernel.bandwidth
        logs = -0.5 * np.square(away).sum(axis=2)
        if given is None:
            np.fill_diagonal(logs, -np.inf)
        for power, found in zip((1, 2), together, strict=True):
            naive = [np.logaddexp.reduce(power * logs[:, y == k], axis=1) for k in (0, 1)]
            np.testing.assert_allclose(found, np.column_stack(naive), rtol=1e-11, atol=1e-11)
