"""Recentred scores, and coverage on shifted data."""

import numpy as np
import oracles
import pytest
from data import KnownClassifier, fit_explicit, logistic_sample, study
from distances import BETA, DISTANCES, truth
from scipy.special import expit, logit
from sklearn.compose import ColumnTransformer
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline

from conformal_roc_widget import ConformalROC


@pytest.fixture
def parts(rng):
    return [logistic_sample(rng, n, BETA)[:2] for n in (60, 110, 25)]


@pytest.mark.parametrize(
    "options", [{}, {"neighbors": 40}, {"neighbors": 40, "distance": "score"}, {"neighbors": 9999}]
)
def test_recentring_moves_the_scores_and_leaves_the_intervals_to_the_bit(parts, options):
    plain = fit_explicit(parts, **options)
    moved = fit_explicit(parts, recenter=True, **options)
    X_test, y_test = parts[2]
    one, other = plain.evaluate(X_test, y_test), moved.evaluate(X_test, y_test)
    for k in (0, 1):
        np.testing.assert_array_equal(
            plain.predict_interval(X_test, k, 0.1), moved.predict_interval(X_test, k, 0.1)
        )
    np.testing.assert_array_equal(one.intervals(0.1), other.intervals(0.1))
    assert one.ideal_auc_range(0.1)[1:] == other.ideal_auc_range(0.1)[1:]
    thresholds = np.linspace(0.01, 0.99, 57)
    a, b = one.band(0.1, thresholds), other.band(0.1, thresholds)
    for name in ("fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    assert not np.array_equal(one.scores, other.scores)
    np.testing.assert_array_equal(
        other.band(0.1).thresholds, [np.inf, *np.unique(other.scores)[::-1]]
    )
    lower, upper = other.intervals(0.1)
    for k, low, up in ((0, "fpr_lower", "fpr_upper"), (1, "tpr_lower", "tpr_upper")):
        at_default = other.band(0.1)
        for bound, name in ((lower, low), (upper, up)):
            expected = [np.mean(bound[y_test == k] > t) for t in at_default.thresholds]
            np.testing.assert_array_equal(getattr(at_default, name), expected)
    assert other.ideal_auc_range(0.1)[0] == pytest.approx(
        roc_auc_score(y_test, other.scores), abs=1e-12
    )
    point = other.operating_point(0.5, 0.1)
    assert (point.tp, point.fp) == tuple(
        ((other.scores >= 0.5) & (y_test == k)).sum() for k in (1, 0)
    )


def test_the_score_moves_by_the_median_residual_over_both_labels(parts):
    model = fit_explicit(parts, recenter=True)
    shift = oracles.median([*model.residuals_[0], *model.residuals_[1]])
    expected = expit(model.estimator_.decision_function(parts[2][0]) + shift)
    np.testing.assert_allclose(model.evaluate(*parts[2]).scores, expected, rtol=1e-9)


@pytest.mark.parametrize("size", [39, 40])
@pytest.mark.parametrize("distance", list(DISTANCES))
def test_with_neighbourhoods_each_score_moves_by_its_own_median_residual(parts, distance, size):
    (X, _), (X_calibration, _), (X_test, y_test) = parts
    model = fit_explicit(
        parts, neighbors=size, distance=DISTANCES[distance][0], recenter=True, reference=truth
    )
    logits = model.estimator_.decision_function

    measure = DISTANCES[distance][1](X.tolist(), lambda x: float(logits(np.asarray(x)[None])[0]))
    residuals = logit(truth(X_calibration)) - logits(X_calibration)
    expected = [
        oracles.expit(
            value
            + oracles.median(
                residuals[oracles.neighbourhood([measure(x, z) for z in X_calibration], size)]
            )
        )
        for x, value in zip(X_test, logits(X_test), strict=True)
    ]
    np.testing.assert_allclose(model.evaluate(X_test, y_test).scores, expected, rtol=1e-9)


def columns(*kept):
    """An unpenalized logistic regression on some of the columns, like R's glm."""
    return make_pipeline(
        ColumnTransformer([("kept", "passthrough", list(kept))]), LogisticRegression(C=np.inf)
    )


def shifted_study_1(rng, recenter, **options):
    """Study 1 on shifted data, n = 2000, with the classifier M3, which uses only the third feature."""
    X, y, _ = study(rng, 2000, "sample_size")
    model = ConformalROC(
        columns(2),
        neighbors=100,
        distance=[1.0, 1.0, 1.0],
        recenter=recenter,
        random_state=0,
        **options,
    )
    X_test, y_test, test_truth = study(rng, 500, "sample_size", shifted=True)
    return model.fit(X, y).evaluate(X_test, y_test), y_test, expit(test_truth)


@pytest.mark.slow
def test_recentring_brings_the_classifiers_scores_into_their_intervals_on_shifted_data():
    inside = {False: [], True: []}
    for seed in range(10):
        for recenter in (False, True):
            evaluation, _, _ = shifted_study_1(np.random.default_rng(seed), recenter)
            lower, upper = evaluation.intervals(0.05)
            inside[recenter].append(
                np.mean((lower <= evaluation.scores) & (evaluation.scores <= upper))
            )
    assert np.mean(inside[False]) < 0.9
    assert np.mean(inside[True]) > 0.99


@pytest.mark.slow
def test_the_printed_centre_of_algorithm_2_does_not_cover_and_the_classifiers_does():
    covered = {"classifier": [], "kernel": []}
    for seed in range(20):
        for center, shares in covered.items():
            evaluation, y, pi = shifted_study_1(
                np.random.default_rng(seed), recenter=False, center=center
            )
            lower, upper = evaluation.intervals(0.05)
            shares.append(np.mean(((lower <= pi) & (pi <= upper))[y == 1]))
    assert np.mean(covered["classifier"]) >= 0.95
    assert 0.35 < np.mean(covered["kernel"]) < 0.8


@pytest.mark.slow
def test_neighbourhoods_cover_on_shifted_data_where_one_pool_for_all_does_not():
    # the shift moves only z, and the classifier's errors vary more with larger z: (A4) holds near
    # each z
    def drawn(n, centre, spread):
        z = rng.normal(centre, spread, size=n)
        X = np.column_stack([z, np.exp(z / 2) * rng.normal(size=n)])
        return X, (rng.random(n) < expit(X.sum(axis=1))).astype(int)

    rng = np.random.default_rng(4)
    frozen = FrozenEstimator(KnownClassifier((1.0, 0.0)).fit(np.eye(2), [0, 1]))
    covered = {None: [], 100: []}
    for _ in range(40):
        parts = [drawn(n, 0.0, 1.0) for n in (50, 3000)]
        X_test, y_test = drawn(300, 1.5, 0.4)
        for size, shares in covered.items():
            model = fit_explicit(
                parts,
                frozen,
                neighbors=size,
                distance=[1.0, 0.0],
                reference=lambda x: expit(x.sum(axis=1)),
            )
            lower, upper = model.predict_interval(X_test[y_test == 1], 1, 0.1)
            pi = expit(X_test[y_test == 1].sum(axis=1))
            shares.append(np.mean((lower <= pi) & (pi <= upper)))
    error = np.std(covered[100], ddof=1) / np.sqrt(40)
    assert abs(np.mean(covered[100]) - 0.91) <= 0.01 + 3 * error
    assert np.mean(covered[None]) < 0.75
