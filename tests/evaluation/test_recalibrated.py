"""``guarantee="simultaneous"`` against loops over the calibration band; its words and its coverage."""

import math

import numpy as np
import pytest
from data import labelled_scores, limits_of
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from summaries import frame, summarized

from conformal_roc_widget import ConformalROC, RocEvaluation, calibration_band
from conformal_roc_widget.logits import clipped


def drawn(rng, n, spread=1.0, decimals=None):
    """Labels, and scores whose square is the true probability."""
    z = rng.normal(size=n)
    p = expit(spread * z) if decimals is None else expit(spread * z).round(decimals)
    return (rng.random(n) < p**2).astype(int), p


def simultaneous(calibration, test):
    return RocEvaluation.from_predictions(*calibration, *test, guarantee="simultaneous")


@pytest.fixture
def sets(rng):
    return drawn(rng, 700), drawn(rng, 300)


@pytest.mark.parametrize("decimals", [None, 2, 1])
@pytest.mark.parametrize("alpha", [0.01, 0.1])
def test_the_band_counts_the_bounds_of_the_calibration_band(rng, decimals, alpha):
    calibration, (y, p) = drawn(rng, 500, decimals=decimals), drawn(rng, 200, decimals=decimals)
    evaluation = simultaneous(calibration, (y, p))
    lower, upper = calibration_band(*calibration, alpha).at(p)
    intervals = evaluation.intervals(alpha)
    np.testing.assert_allclose(intervals[0], lower, atol=1e-12)
    np.testing.assert_allclose(intervals[1], upper, atol=1e-12)
    thresholds = [1.0, 0.93, 0.5, 0.201, 0.0301, 0.0, -0.5]
    band = evaluation.band(alpha, thresholds)
    for i, threshold in enumerate(band.thresholds):
        for k, low, up in limits_of(band):
            of_label = y == k
            assert low[i] == np.mean([b > threshold for b in lower[of_label]])
            assert up[i] == np.mean([b > threshold for b in upper[of_label]])
        point = evaluation.operating_point(threshold, alpha)
        assert (point.tpr_lower, point.fpr_upper) == (band.tpr_lower[i], band.fpr_upper[i])


def test_every_result_names_target_scope_and_guarantee(sets):
    evaluation = simultaneous(*sets)
    assert evaluation.guarantee == "simultaneous"
    promise = (
        "at least 98.75 % for every sample size, if a higher score never means a lower probability"
    )
    at = evaluation.at(0.0125)
    for result in (at, at.band(), at.operating_point(0.5)):
        assert result.target == "an ideal recalibration of this score"
        assert result.scope == "every threshold at once"
        assert result.guarantee == promise
    for result in (at.ideal_auc_range(), at.youden()):
        assert "ranks as the score does" in result.target
        assert result.guarantee == promise
    assert at.intervals().scope == "all test points at once"
    assert at.intervals().guarantee == promise
    target = evaluation.precision_recall(0.0125).target
    assert target.startswith("precision and recall of an ideal recalibration of this score, cut")
    assert evaluation.precision_recall(0.0125).guarantee == promise
    assert evaluation.net_benefit(0.0125).scope == "every threshold at once"
    assert evaluation.promise.at(0.0125).guarantee == promise
    band = at.band()
    assert band.quantiles is None
    assert band.guaranteed == {0: 0.9875, 1: 0.9875}
    assert band.n_calibration == {k: int((sets[0][0] == k).sum()) for k in (0, 1)}
    assert (evaluation.notes, band.notes) == ((), ())


@pytest.mark.parametrize("decimals", [None, 2])
@pytest.mark.parametrize("alpha", [0.001, 0.3])
def test_ends_kept_once_a_step_are_those_that_each_point_looks_up(rng, decimals, alpha):
    """With few calibration points, some test points have no lower end, and others no upper end."""
    y, score = drawn(rng, 60, decimals=decimals)
    test = drawn(rng, 500, spread=2, decimals=decimals)
    for evaluation in (
        simultaneous((y, score), test),
        RocEvaluation.from_predictions(*test),
        RocEvaluation.from_predictions(*test, sample_weight_test=rng.integers(1, 4, 500)),
    ):
        curve, at = evaluation._curve, evaluation.at(alpha)
        runs, logits = curve.runs, clipped(curve.observed.centre_logits)
        bounds = runs.limits(alpha)
        lower, upper = np.minimum(*bounds), np.maximum(*bounds)
        low = [(runs.scores <= each + runs.tie).sum() for each in logits]
        up = [(runs.ends < each - runs.tie).sum() for each in logits]
        ends = logit(np.append(0, lower)[low]), logit(np.append(upper, 1)[up])
        np.testing.assert_array_equal(at._ends, ends)
        counts = curve.observed.counts
        for k, (below, above) in at.open_share.items():
            mine = curve.observed.labels == k
            each = np.ones(mine.sum()) if counts is None else counts[mine]
            shares = [np.average(np.isinf(end[mine]), weights=each) for end in ends]
            np.testing.assert_allclose((below, above), shares, rtol=1e-12)
            for kept, end in zip((at.lower[k], at.upper[k]), ends, strict=True):
                each = end[mine] if counts is None else end[mine].repeat(counts[mine])
                np.testing.assert_array_equal(kept.centres.expanded(), np.sort(each))


def areas_by_loops(y, p, lower, upper):
    """Observed area, and its range if pairs that may be tied count half."""
    areas = []
    for a in p[y == 1]:
        for b in p[y == 0]:
            areas.append((a > b) + (a == b) / 2)
    low, up = [], []
    for i in np.flatnonzero(y == 1):
        for j in np.flatnonzero(y == 0):
            ranked = (p[i] > p[j]) + (p[i] == p[j]) / 2
            surely = lower[i] > upper[j] or lower[j] > upper[i]
            low.append(ranked if surely else min(ranked, 0.5))
            up.append(ranked if surely else max(ranked, 0.5))
    return np.mean(areas), np.mean(low), np.mean(up)


@given(
    data=labelled_scores(max_size=14), seed=st.integers(0, 99), alpha=st.sampled_from([0.1, 0.7])
)
def test_the_area_differs_by_ties_that_a_recalibration_makes(data, seed, alpha):
    rng = np.random.default_rng(seed)
    y, score = data
    p = (score - score.min() + 1) / (np.ptp(score) + 2)
    calibration = drawn(rng, 400, spread=3)
    evaluation = simultaneous(calibration, (y, p))
    lower, upper = evaluation.intervals(alpha)
    expected = areas_by_loops(y, p, lower, upper)
    np.testing.assert_allclose(evaluation.ideal_auc_range(alpha), expected, atol=1e-12)


def test_the_index_of_an_ideal_recalibration_is_at_most_the_observed_one(sets, rng):
    evaluation = simultaneous(*sets)
    youden, lower, upper, threshold = evaluation.youden(0.2)
    y, p = sets[1]
    assert upper == youden
    assert youden == max((p[y == 1] >= t).mean() - (p[y == 0] >= t).mean() for t in [*p, 2])
    assert (p[y == 1] >= threshold).mean() - (p[y == 0] >= threshold).mean() == youden
    band = evaluation.band(0.2, np.unique(np.concatenate(evaluation.intervals(0.2))) - 1e-9)
    assert lower == pytest.approx(max(0, (band.tpr_lower - band.fpr_upper).max()))


def test_a_table_gives_the_band_of_its_rows(sets):
    calibration, test = sets
    evaluation = summarized(frame(*test), calibration, guarantee="simultaneous")
    expected = simultaneous(*sets).band(0.1, [0.9, 0.4, 0.1])
    found = evaluation.band(0.1, [0.9, 0.4, 0.1])
    assert evaluation.error == 0
    np.testing.assert_array_equal(found.tpr_upper, expected.tpr_upper)
    np.testing.assert_array_equal(found.fpr_lower, expected.fpr_lower)
    both = evaluation.merged(evaluation).band(0.1, [0.9, 0.4, 0.1])
    np.testing.assert_array_equal(both.tpr_upper, expected.tpr_upper)
    assert evaluation.ideal_auc_range(0.1) == pytest.approx(
        simultaneous(*sets).ideal_auc_range(0.1), abs=1e-12
    )
    with pytest.raises(ValueError, match="rule or guarantee"):
        evaluation.merged(summarized(frame(*test), calibration))


@pytest.mark.parametrize("recenter", [False, True])
def test_a_classifier_with_the_score_as_reference_gives_the_same(rng, recenter):
    X = rng.normal(size=(900, 3))
    y = (rng.random(900) < expit(X @ [1.0, -1.0, 0.5])).astype(int)
    classifier = FrozenEstimator(LogisticRegression().fit(X[:200], y[:200]))
    model = ConformalROC(classifier, reference="score", recenter=recenter)
    model.fit(X[:200], y[:200], X_calibration=X[200:600], y_calibration=y[200:600])
    evaluation = model.evaluate(X[600:], y[600:], guarantee="simultaneous")
    p = classifier.predict_proba(X)[:, 1]
    expected = simultaneous((y[200:600], p[200:600]), (y[600:], p[600:]))
    for found, wanted in zip(evaluation.intervals(0.1), expected.intervals(0.1), strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-9)
    np.testing.assert_array_equal(
        evaluation.band(0.1, [0.7, 0.2]).tpr_lower, expected.band(0.1, [0.7, 0.2]).tpr_lower
    )


def test_each_class_against_the_rest_has_its_own_bounds(rng):
    X = rng.normal(size=(600, 2))
    y = np.array(["a", "b", "c"])[(X[:, 0] + rng.normal(size=600) > 0).astype(int) + (X[:, 1] > 1)]
    model = ConformalROC(LogisticRegression(), reference="score", random_state=0).fit(X, y)
    for name, evaluation in model.evaluate_all(X, y, guarantee="simultaneous").items():
        assert evaluation.classes[1] == name
        band = evaluation.band(0.1)
        assert (band.tpr_lower <= band.tpr_upper).all()


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"reference": "kernel"}, "reference='kernel'"),
        ({}, "reference='sharp'"),
        ({"reference": "score", "neighbors": 20}, "neighbors=20"),
        ({"reference": "score", "resplits": 2}, "resplits=2"),
        ({"reference": "score", "center": "kernel"}, "center='kernel'"),
    ],
)
def test_a_model_that_cannot_promise_it_says_why(rng, options, found):
    X = rng.normal(size=(200, 2))
    y = (rng.random(200) < 0.5).astype(int)
    model = ConformalROC(LogisticRegression(), random_state=0, **options).fit(X, y)
    with pytest.raises(ValueError, match=rf"guarantee: found 'simultaneous' with {found}"):
        model.evaluate(X, y, guarantee="simultaneous")


@pytest.mark.parametrize(
    ("guarantee", "kind", "expected"),
    [
        ("curve", ValueError, "one of 'individual', 'simultaneous'"),
        ("everywhere", ValueError, "'simultaneous': without features"),
    ],
)
def test_scores_alone_give_two_guarantees(sets, guarantee, kind, expected):
    with pytest.raises(kind, match=rf"guarantee: found .* expected {expected}"):
        RocEvaluation.from_predictions(*sets[0], *sets[1], guarantee=guarantee)


def test_scores_of_exactly_0_and_1_and_beyond_the_calibration_have_bounds(rng):
    y = np.repeat([0, 1], 100)
    p = np.concatenate([np.zeros(90), np.full(20, 0.5), np.ones(90)])
    test = np.array([0, 1, 0, 1, 0, 1]), np.array([0.0, 1.0, 0.5, 0.75, 1e-300, 1 - 1e-16])
    evaluation = simultaneous((y, np.append(p[:-1], 0.6)), test)
    lower, upper = evaluation.intervals(0.1)
    assert lower[0] == 0
    assert upper[0] < 0.15
    assert lower[1] > 0.85
    assert upper[1] == 1
    assert (lower[4], upper[4]) == (lower[0], upper[0]), "as near to 0 as a float can tell"
    assert (lower <= upper).all()


def test_few_calibration_points_say_nothing_of_scores_below_them_all():
    y, p = np.array([1, 1, 0]), np.array([0.5, 0.7, 0.6])
    evaluation = simultaneous((y, p), (np.array([0, 1]), np.array([0.1, 0.9])))
    band = evaluation.band(0.01)
    assert band.vacuous[0] is None
    assert evaluation.intervals(0.01)[1][0] < 1
    y, p = np.array([1] * 5 + [0]), np.array([0.5, 0.6, 0.7, 0.8, 0.9, 0.4])
    all_ones = simultaneous((y, p), (np.array([0, 1]), np.array([0.95, 0.97])))
    assert all_ones.at(0.05).vacuous_share == {0: 0.0, 1: 0.0}
    inside = simultaneous((y, p), (np.array([0, 1]), np.array([0.55, 0.65])))
    assert inside.at(0.05).vacuous_share == {0: 1.0, 1: 1.0}
    assert "6 calibration points cannot bound" in inside.band(0.05).vacuous[1]
    assert inside.band(0.05).without_limits(1)


def test_a_score_that_ranks_the_wrong_way_round_is_refuted_in_words(rng):
    p = rng.random(3000)
    y = (rng.random(3000) > p).astype(int)
    evaluation = simultaneous((y, p), (y[:300], p[:300]))
    assert "refute" in evaluation.notes[0]
    band = evaluation.band(0.05)
    assert "refute" in band.notes[0]
    assert (band.tpr_lower <= band.tpr_upper).all()


def test_the_last_digit_of_a_score_decides_nothing(rng):
    y, p = drawn(rng, 400, decimals=2)
    p = np.clip(p, 0.01, 0.99)
    noise = lambda: expit(logit(p) + rng.uniform(-1, 1, p.size) * 1e-13)  # noqa: E731
    one, other = (simultaneous((y, noise()), (y, noise())) for _ in range(2))
    for threshold in (0.1, 0.437, 0.8):
        points = [each.operating_point(threshold) for each in (one, other)]
        assert points[0].tpr_lower == points[1].tpr_lower
        assert points[0].fpr_upper == points[1].fpr_upper


@pytest.mark.parametrize("n", [30, 500])
def test_the_band_holds_the_ideal_rates_at_every_threshold_at_once(n):
    rng, held = np.random.default_rng(3), []
    while len(held) < 150:
        calibration, (y, p) = drawn(rng, n, 1.5), drawn(rng, 100, 1.5)
        if not 0 < calibration[0].sum() < n or not 0 < y.sum() < 100:
            continue
        ideal, good = p**2, True
        band = simultaneous(calibration, (y, p)).band(0.1, ideal)
        for k, low, up in limits_of(band):
            truth = np.array([(ideal[y == k] >= t).mean() for t in band.thresholds])
            good &= ((low <= truth + 1e-12) & (truth <= up + 1e-12)).all()
        held.append(good)
    assert np.mean(held) > 0.9 - 2 * math.sqrt(0.09 / 150)
