"""Algorithm 2, recentring and the variants of Algorithm 1's split."""

import math

import numpy as np
import oracles
import pytest
from data import (
    KnownClassifier,
    assert_same_curves,
    fit_explicit,
    logistic_sample,
    study,
)
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from sklearn.compose import ColumnTransformer
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline

from conformal_roc_widget import ConformalROC, guaranteed_coverage

INF = math.inf
EXACT = {"rtol": 1e-9, "atol": 1e-9}
BETA = (1.0, -0.8, 0.5)


def truth(X):
    return expit(0.3 + np.asarray(X, dtype=float) @ np.array(BETA))


def manhattan(a, b):
    return float(sum(abs(u - v) for u, v in zip(a, b, strict=True)))


def tilted(a, b):
    return float(abs(a[0] - b[0]) + 2 * abs(a[2] - b[2]))


#: The distances of the interface, each with the loop that defines it (given the training rows and the classifier's logit).
DISTANCES = {
    "standardized": ("standardized", lambda X, L: oracles.standardized_distance(X)),
    "score": ("score", lambda X, L: lambda a, b: abs(L(a) - L(b))),
    "metric": ("manhattan", lambda X, L: manhattan),
    "callable": (tilted, lambda X, L: tilted),
    "vector": (np.array(BETA), lambda X, L: oracles.projected_distance(BETA)),
    "list": (list(BETA), lambda X, L: oracles.projected_distance(BETA)),
    "matrix": (
        np.array([[1.0, 0.0], [0.0, 2.0], [0.5, 0.5]]),
        lambda X, L: oracles.projected_distance([[1.0, 0.0], [0.0, 2.0], [0.5, 0.5]]),
    ),
}


def expected_quantiles(model, parts, reference, distance, size, alpha):
    """Algorithm 2, lines 2 to 4, for every test point: {0: (lo, hi), 1: (lo, hi)} and the sizes per label."""
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
    """Features on a coarse grid, where ties at the N-th distance are the rule."""
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
    band = evaluation.band(alpha, thresholds=np.linspace(0.01, 0.99, 57))
    for k, low, up in ((0, band.fpr_lower, band.fpr_upper), (1, band.tpr_lower, band.tpr_upper)):
        for side, limits in ((0, low), (1, up)):
            shifted = [
                c + q[k][side] for c, q, y in zip(centres, quantiles, y_test, strict=True) if y == k
            ]
            counts = [oracles.limit_count(shifted, t) for t in band.thresholds]
            least, most = np.transpose(counts)
            np.testing.assert_array_equal(least, most)
            np.testing.assert_array_equal(limits, least / len(shifted))
        mine = sizes[y_test == k, k]
        assert band.n_calibration[k] == mine.min()
        assert band.guaranteed[k] == min(guaranteed_coverage(int(n), alpha) for n in mine)
    assert band.quantiles is None
    pairs = 2 * (y_test == 1).sum() * (y_test == 0).sum()
    auc, lower, upper = evaluation.auc(alpha)
    for value, sides in ((lower, (0, 1)), (upper, (1, 0))):
        ends = [
            [
                c + q[k][sides[1 - k]]
                for c, q, y in zip(centres, quantiles, y_test, strict=True)
                if y == k
            ]
            for k in (0, 1)
        ]
        least, most = oracles.auc_range(ends[1], ends[0])
        assert least <= round(value * pairs) <= most
    assert auc == pytest.approx(roc_auc_score(y_test, evaluation.scores), abs=1e-12)
    return evaluation, band, sizes


# Neighbourhoods


@pytest.mark.parametrize("center", ["classifier", "kernel"])
@pytest.mark.parametrize("distance", list(DISTANCES))
def test_intervals_and_limits_follow_algorithm_2(parts, distance, center):
    check_against_loops(parts, distance, 40, 0.1, center=center)


@pytest.mark.parametrize("size", [1, 7, 30, 64])
@pytest.mark.parametrize("distance", ["standardized", "metric", "callable", "vector", "matrix"])
def test_ties_at_the_nth_distance_are_all_taken(grid_parts, distance, size):
    _, _, sizes = check_against_loops(grid_parts, distance, size, 0.3)
    assert (sizes.sum(axis=1) >= size).all()
    assert (sizes.sum(axis=1) > size).any()


@given(
    seed=st.integers(0, 10**6),
    size=st.integers(1, 45),
    distance=st.sampled_from(["standardized", "score", "vector"]),
)
def test_any_neighbourhood_on_a_grid_agrees_with_loops(seed, size, distance):
    rng = np.random.default_rng(seed)
    made = []
    for n in (30, 40, 8):
        X = rng.integers(-1, 2, size=(n, 3)).astype(float)
        X[:2] = [[1, -1, 0], [-1, 1, 1]]
        y = (rng.random(n) < 0.5).astype(int)
        y[:2] = 0, 1
        made.append((X, y))
    if distance == "score":
        model = KnownClassifier((1.0, 2.0, -1.0))
    else:
        model = None
    evaluation = fit_explicit(
        made, model, neighbors=size, distance=DISTANCES[distance][0], reference=truth
    )
    quantiles, _ = expected_quantiles(
        evaluation, made, logit(truth(made[1][0])), distance, size, 0.4
    )
    centres = evaluation.estimator_.decision_function(made[2][0])
    for k in (0, 1):
        found = np.column_stack(evaluation.predict_interval(made[2][0], k, 0.4))
        np.testing.assert_allclose(found, expected_intervals(centres, quantiles, k), **EXACT)


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
    """Ten calibration points on a line: labels alternate, L_p = x, L_pi = x + x^2 / 100, so that R = x^2 / 100."""
    x = np.arange(10.0)[:, None]
    y = np.resize([0, 1], 10)
    frozen = FrozenEstimator(KnownClassifier((1.0,)).fit(x, y))
    options = {
        "distance": [1.0],
        "reference": lambda X: expit(X[:, 0] + X[:, 0] ** 2 / 100),
    } | options
    return fit_explicit([(x, y), (x, y)], frozen, neighbors=size, **options)


def test_a_neighbourhood_by_hand():
    # around 4.2 the five nearest are 2 to 6: label 0 has 2, 4, 6 and label 1 has 3, 5; alpha (n + 1) is 2 and 3/2
    lower, upper = line(5).predict_interval([[4.2]], 0, 0.5)
    np.testing.assert_allclose(logit([lower[0], upper[0]]), [-INF, 4.2 + 0.36], rtol=1e-9)
    lower, upper = line(5).predict_interval([[4.2]], 1, 0.5)
    np.testing.assert_allclose(logit([lower[0], upper[0]]), [-INF, 4.2 + 0.25], rtol=1e-9)
    # around 4 the five nearest are 2 to 6 and nothing else; of N = 4, the tie of 2 and 6 comes in whole
    np.testing.assert_array_equal(
        line(4).predict_interval([[4.0]], 0, 0.5), line(5).predict_interval([[4.0]], 0, 0.5)
    )


@pytest.mark.parametrize("distance", ["standardized", [1.0], "manhattan", "score"])
def test_points_equally_far_to_both_sides_are_a_tie_whatever_the_rounding(distance):
    # tenths: 0.3 - 0.2 and 0.4 - 0.3 differ in floating point, and so do 3/s - 2/s and 4/s - 3/s
    for scale in (0.1, 1.0):
        x = scale * np.arange(10.0)[:, None]
        y = np.resize([0, 1], 10)
        parts = [(x, y), (x, y)]
        frozen = FrozenEstimator(KnownClassifier((0.7,)).fit(x, y))
        model = fit_explicit(
            parts, frozen, neighbors=2, distance=distance, reference=lambda X: expit(2 * X[:, 0])
        )
        # a point between two of the other label, asked about that label, has both of them
        assert model.evaluate(x[1:9], 1 - y[1:9]).band(0.5).n_calibration == {0: 2, 1: 2}


def test_the_printed_centre_by_hand():
    lower, upper = line(5, center="kernel").predict_interval([[4.2]], 0, 0.5)
    np.testing.assert_allclose(
        logit([lower[0], upper[0]]), [-INF, 4.2 + 4.2**2 / 100 + 0.36], rtol=1e-9
    )


def test_the_symmetric_pair_reaches_the_neighbourhoods():
    # label 0 among 2 to 6 is 2, 4, 6: at alpha 1/2 the pair is numbers 1 and 3
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


def test_neighbourhoods_bring_nested_rising_bands(parts):
    evaluation = fit_explicit(parts, neighbors=50).evaluate(*parts[2])
    outer, inner = evaluation.band(0.05), evaluation.band(0.2)
    for band in (outer, inner):
        for name in ("fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"):
            assert (np.diff(getattr(band, name)) >= 0).all()
    assert (outer.tpr_lower <= inner.tpr_lower).all()
    assert (inner.tpr_lower <= inner.tpr_upper).all()
    assert (inner.tpr_upper <= outer.tpr_upper).all()


def test_the_order_of_the_rows_does_not_matter_to_neighbourhoods(grid_parts, rng):
    train, (X_calibration, y_calibration), (X_test, y_test) = grid_parts
    order, test_order = rng.permutation(len(y_calibration)), rng.permutation(len(y_test))
    one = fit_explicit(grid_parts, neighbors=30)
    other = fit_explicit([train, (X_calibration[order], y_calibration[order])], neighbors=30)
    assert_same_curves(
        one.evaluate(X_test, y_test).band(0.2),
        other.evaluate(X_test[test_order], y_test[test_order]).band(0.2),
    )


def test_a_feature_that_never_varies_has_no_part_in_the_standardized_distance(parts):
    wide = [(np.insert(X, 1, 3.5, axis=1), y) for X, y in parts]
    one = fit_explicit(parts, KnownClassifier(BETA), neighbors=30)
    other = fit_explicit(wide, KnownClassifier(np.insert(BETA, 1, 0)), neighbors=30)
    moved = np.insert(parts[2][0], 1, np.linspace(-50, 50, 25), axis=1)
    expected = one.predict_interval(parts[2][0], 1, 0.2)
    np.testing.assert_allclose(other.predict_interval(moved, 1, 0.2), expected, rtol=1e-9)


# Recentring


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
    assert one.auc(0.1)[1:] == other.auc(0.1)[1:]
    thresholds = np.linspace(0.01, 0.99, 57)
    a, b = one.band(0.1, thresholds), other.band(0.1, thresholds)
    for name in ("fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    assert not np.array_equal(one.scores, other.scores)
    np.testing.assert_array_equal(other.band(0.1).thresholds, [INF, *np.unique(other.scores)[::-1]])
    lower, upper = other.intervals(0.1)
    for k, low, up in ((0, "fpr_lower", "fpr_upper"), (1, "tpr_lower", "tpr_upper")):
        at_default = other.band(0.1)
        for bound, name in ((lower, low), (upper, up)):
            expected = [np.mean(bound[y_test == k] > t) for t in at_default.thresholds]
            np.testing.assert_array_equal(getattr(at_default, name), expected)
    assert other.auc(0.1)[0] == pytest.approx(roc_auc_score(y_test, other.scores), abs=1e-12)
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
    """A logistic regression, unpenalised as R's glm, on some of the columns."""
    return make_pipeline(
        ColumnTransformer([("kept", "passthrough", list(kept))]), LogisticRegression(C=np.inf)
    )


def shifted_study_1(rng, recenter, **options):
    """Study 1 on shifted data, n = 2000, the classifier M3 that sees only the third feature."""
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
    # the shift moves z alone, and the spread of what the classifier misses grows with z: (A4) holds near each z
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


# Several splits


def known(rng, n=120):
    """A frozen classifier and a callable reference: every row's residual is known whatever the split."""
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
            # every residual of a split is that of some row with its label
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


@pytest.mark.slow
def test_splits_made_by_several_processes_are_the_same_to_the_bit(rng):
    X, y, _ = logistic_sample(rng, 120, BETA)
    one, two = (
        ConformalROC(
            LogisticRegression(), resplits=4, random_state=2, n_jobs=n, progress=False
        ).fit(X, y)
        for n in (1, 2)
    )
    for a, b in zip(one.residuals_, two.residuals_, strict=True):
        for k in (0, 1):
            np.testing.assert_array_equal(a[k], b[k])


def test_a_single_split_is_algorithm_1(rng):
    X, y, _ = logistic_sample(rng, 120, BETA)
    model = ConformalROC(LogisticRegression(), resplits=1, random_state=2).fit(X, y)
    assert set(model.residuals_) == {0, 1}
    assert model.evaluate(X, y).band(0.3).quantiles is not None


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


def test_splits_and_neighbourhoods_go_together(rng):
    X, y, _ = logistic_sample(rng, 200, BETA)
    X_test, y_test, _ = logistic_sample(rng, 30, BETA)
    model = ConformalROC(LogisticRegression(), resplits=3, neighbors=9999, random_state=1).fit(X, y)
    pooled = ConformalROC(LogisticRegression(), resplits=3, random_state=1).fit(X, y)
    assert_same_curves(
        model.evaluate(X_test, y_test).band(0.2), pooled.evaluate(X_test, y_test).band(0.2)
    )
