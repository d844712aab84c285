"""``guarantee="everywhere"``: the recipe by counting, coverage of a known pi, words, refusals."""

import gc
import math
import weakref

import numpy as np
import pandas as pd
import pytest
from data import KnownClassifier, fit_explicit, limits_of, logistic_sample
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from conformal_roc_widget import ConformalROC, simulation
from conformal_roc_widget.calibration.rank_envelope import (
    critical_value,
    envelope_ranks,
    most_below,
)
from conformal_roc_widget.evaluation import everywhere

ALPHA = 0.1
TRUTH = (1.0, -0.8, 0.5)
WRONG = (0.4, 0.3, 0.9)


def truth(X):
    return expit(0.3 + np.asarray(X) @ TRUTH)


def tied(X):
    """True probabilities with few distinct values."""
    return np.round(truth(X), 1) * 0.9 + 0.05


def tails(X):
    """True probabilities that are often nearer to 0 and 1 than any limit."""
    return expit(4 * (np.asarray(X) @ TRUTH))


def made(rng, sizes=(120, 90, 110), reference=truth, estimator=None, decimals=None):
    parts = [logistic_sample(rng, n)[:2] for n in sizes]
    if decimals is not None:
        parts = [(X.round(decimals), y) for X, y in parts]
    parts = [(X, (rng.random(len(X)) < reference(X)).astype(int)) for X, _ in parts]
    model = fit_explicit(parts, estimator or KnownClassifier(WRONG), reference=reference)
    return model, parts, model.evaluate(*parts[2], guarantee="everywhere")


@pytest.fixture
def known(rng):
    return made(rng)


def counted(rates, size):
    return np.rint(np.asarray(rates) * size).astype(int).tolist()


@pytest.mark.parametrize("estimator", [None, DecisionTreeClassifier(max_leaf_nodes=5)])
def test_limits_are_the_counts_of_the_recipe(rng, estimator):
    model, parts, found = made(rng, estimator=estimator)
    X_calibration, y_calibration = parts[1]
    X_test, y_test = parts[2]
    p = [
        np.clip(model.estimator_.predict_proba(X)[:, 1], 2.0**-53, 1 - 2.0**-53)
        for X in (X_calibration, X_test)
    ]
    residuals = logit(truth(X_calibration)) - logit(p[0])
    band = found.band(ALPHA, thresholds=[0.0005, 0.11, 0.2, 0.5, 0.503, 0.77, 0.98])
    for k, low, high in limits_of(band):
        own, centres = np.sort(residuals[y_calibration == k]), logit(p[1])[y_test == k]
        n, m = own.size, centres.size
        most = most_below(n, m, critical_value(n, m, ALPHA)).tolist()
        at = own[envelope_ranks(n) - 1].tolist()
        for j, threshold in enumerate(logit(band.thresholds)):
            below = [sum(c + r > threshold for c in centres) for r in at]
            above = [sum(c + r >= threshold for c in centres) for r in at]
            lower = max(0, *(b - most[i] for i, b in enumerate(below)))
            upper = min(m, *(a + most[-1 - i] for i, a in enumerate(above)))
            assert counted([low[j], high[j]], m) == [lower, upper]


def test_beyond_its_thresholds_limits_are_none_or_follow_from_those_within(rng):
    _, _, found = made(rng, estimator=KnownClassifier((4.0, -3.2, 2.0)), reference=tails)
    first, last = 0.005, 0.995
    band = found.band(0.5, [0.0, 1e-6, 0.004, first, 0.5, last, 0.9951, 1 - 1e-6, 1.0])
    for _, low, high in limits_of(band):  # thresholds are in descending order
        assert (low[:3] == 0).all()
        assert (high[1:4] == high[3]).all()
        assert (low[5:] == low[5]).all()
        assert (high[6:] == 1).all()
        assert 0 < high[3] < 1
        assert 0 < low[5] < 1
    assert "every threshold from 0.005 to 0.995 at once" in band.scope


def held(found, pi, y):
    """Whether both rates of the ideal model are within the limits at every threshold."""
    scores = found.scores
    thresholds = np.unique(np.concatenate([pi, scores, [0.0005, 0.9995]]))
    band = found.band(0.05, thresholds=thresholds)
    inside = True
    for k, low, high in limits_of(band):
        own = pi[y == k]
        # Values of pi next to a threshold in floating point count on either side, like ties.
        most = np.array([(own >= t - 1e-9).mean() for t in band.thresholds])
        least = np.array([(own > t + 1e-9).mean() for t in band.thresholds])
        inside &= bool((low <= most + 1e-12).all() and (least <= high + 1e-12).all())
    return inside


@pytest.mark.parametrize(("reference", "decimals"), [(truth, None), (truth, 0), (tied, 1)])
def test_a_known_truth_is_held_at_every_threshold(rng, reference, decimals):
    kept = []
    for _ in range(40):
        _, parts, found = made(rng, (40, 60, 50), reference, decimals=decimals)
        kept.append(held(found, reference(parts[2][0]), parts[2][1]))
    # The nominal level is .95. Coverage is higher, because ranks are discrete.
    assert np.mean(kept) >= 0.95


def test_the_range_of_the_area_is_the_sum_over_the_worst_curves(known):
    _, parts, found = known
    auc = found.ideal_auc_range(ALPHA)
    X, y = parts[2]
    at = found.at(ALPHA)
    sums = []
    for ones, zeros in [(at.lower[1], at.upper[0]), (at.upper[1], at.lower[0])]:
        pairs = np.subtract.outer(ones.shifted().values, zeros.shifted().values)
        with np.errstate(invalid="ignore"):
            sums.append(float(np.mean(np.where(pairs > 0, 1.0, 0.0))))
    assert auc[1:] == pytest.approx(sums, abs=0.01)
    pi = truth(X)
    ideal = np.mean(np.greater.outer(pi[y == 1], pi[y == 0]))
    assert auc.lower <= ideal <= auc.upper
    assert "at least 90 %" in auc.guarantee
    assert "wide" in auc.scope


def test_the_range_of_youdens_index_is_that_of_the_limits(known):
    _, _, found = known
    youden = found.youden(ALPHA)
    thresholds = np.linspace(0.0005, 0.9995, 4000)
    band = found.band(ALPHA, thresholds=thresholds)
    assert youden.lower == pytest.approx(max(0, (band.tpr_lower - band.fpr_upper).max()), abs=0.02)
    assert youden.upper == pytest.approx((band.tpr_upper - band.fpr_lower).max(), abs=0.02)
    assert "at least 90 %" in youden.guarantee
    assert youden.scope == found.band().scope


def test_everything_computed_from_the_band_has_its_promise(known):
    _, _, found = known
    band, point = found.band(), found.operating_point(0.4)
    for result in (point, found.precision_recall(), found.net_benefit()):
        assert result.guarantee == band.guarantee
        assert result.scope == band.scope
    assert band.promise.kind == "everywhere"
    assert band.guarantee.startswith("at least 95 % over calibration points and test set")
    assert "{" not in band.guarantee
    assert found.promise.at(0.05) == band.promise
    assert band.quantiles is None
    assert band.guaranteed == {0: 0.95, 1: 0.95}


@pytest.mark.parametrize("threshold", [-1.0, 0.0, 0.3, 0.5, 0.91, 1.0])
def test_as_many_points_are_undecided_as_the_band_is_wide(known, threshold):
    _, parts, found = known
    point, y = found.operating_point(threshold), parts[2][1]
    undecided = found.undecided(threshold)
    for k, low, high in [
        (0, point.fpr_lower, point.fpr_upper),
        (1, point.tpr_lower, point.tpr_upper),
    ]:
        n = (y == k).sum()
        assert undecided[y == k].sum() == round((high - low) * n)
        scores = found.scores[y == k]
        inside, outside = scores[undecided[y == k]], scores[~undecided[y == k]]
        if inside.size:
            assert not ((outside > inside.min()) & (outside < inside.max())).any()
            # The lower limit is a lower bound of the number called.
            surely = round(low * n)
            assert (outside > inside.max()).sum() <= surely <= (scores >= inside.max()).sum()


def test_intervals_stay_those_of_single_points(known):
    model, parts, found = known
    individual = model.evaluate(*parts[2])
    for own, other in zip(found.intervals(), individual.intervals(), strict=True):
        assert (own == other).all()
    assert found.intervals().guarantee == individual.intervals().guarantee


def test_nothing_is_fitted_anew_for_another_guarantee(known):
    model, parts, found = known
    individual = model.evaluate(*parts[2], guarantee="individual")
    again = individual.with_guarantee("everywhere")
    pd.testing.assert_frame_equal(again.band().to_frame(), found.band().to_frame())
    back = again.with_guarantee("individual")
    assert back.band().guarantee == individual.band().guarantee
    assert back.promise == individual.promise
    assert back is individual
    assert again.with_guarantee("everywhere") is again


def test_no_collector_is_needed_to_free_an_evaluation_and_the_ones_made_from_it(known):
    model, parts, _ = known
    gc.collect()
    gc.disable()
    try:
        first = model.evaluate(*parts[2])
        other = first.with_guarantee("everywhere")
        alive = [weakref.ref(each) for each in (first, other)]
        del first
        assert other.with_guarantee("individual").promise.kind == "individual"
        assert alive[0]() is None, "the one that it was made from"
        del other
        assert [each() for each in alive] == [None, None]
    finally:
        gc.enable()


@pytest.mark.parametrize("wanted", ["curve", "simultaneous", "somewhere", 3])
def test_another_guarantee_is_one_of_two(known, wanted):
    with pytest.raises((TypeError, ValueError), match="guarantee: found"):
        known[2].with_guarantee(wanted)


def test_limits_for_the_curve_do_not_change_their_guarantee(known):
    model, parts, _ = known
    curve = model.evaluate(*parts[2], guarantee="curve")
    with pytest.raises(
        ValueError, match="made for 'curve', expected the same: pass another one to ConformalROC"
    ):
        curve.with_guarantee("everywhere")


def test_many_draws_are_enclosed(rng, one_learner):
    parts = [logistic_sample(rng, n)[:2] for n in (90, 100, 80)]
    for reference in ("sharp", "learned"):
        model = fit_explicit(parts, LogisticRegression(), reference=reference)
        found = model.evaluate(*parts[2], guarantee="everywhere")
        split, y = model.splits_[0], parts[1][1]
        own = model.estimator_.decision_function(parts[1][0])
        for k in (0, 1):
            rows, n = y == k, int((y == k).sum())
            lists = []
            for draws in split.reference.curve_draws(1):
                pooled = np.sort((draws[rows] - own[rows, None]).ravel())
                lists.append([pooled[int((i + 0.5) * pooled.size / n)] for i in range(n)])
            outer = [
                min(r) if i < n / 2 else max(r) for i, r in enumerate(zip(*lists, strict=True))
            ]
            np.testing.assert_allclose(found._curve.enclosing[k], outer, atol=1e-9)
        assert len(lists) == (1 if reference == "sharp" else 2)


@pytest.mark.parametrize(
    ("options", "found", "way_out"),
    [
        ({"reference": "score"}, "reference='score'", "'simultaneous'"),
        ({"neighbors": 20}, "neighbors=20", "expected 'individual'"),
        ({"resplits": 2}, "resplits=2", "expected 'individual'"),
        ({"calibration": "cross"}, "calibration='cross'", "calibration='split'"),
        ({"center": "kernel"}, "center='kernel'", "expected 'individual'"),
    ],
)
def test_what_cannot_be_had_is_refused_with_its_way_out(rng, options, found, way_out):
    X, y, _ = logistic_sample(rng, 160)
    model = ConformalROC(LogisticRegression(), random_state=0, **options).fit(X, y)
    individual = model.evaluate(X, y)
    for call in (
        lambda: model.evaluate(X, y, guarantee="everywhere"),
        lambda: model.evaluate_all(X, y, guarantee="everywhere"),
        lambda: individual.with_guarantee("everywhere"),
    ):
        with pytest.raises(
            ValueError, match=f"^guarantee: found 'everywhere' with {found}.*"
        ) as at:
            call()
        assert way_out in str(at.value)
    assert individual.no_everywhere == str(at.value)


@pytest.mark.parametrize("columns", [6, "mixed"])
def test_a_kernel_on_many_features_is_refused_and_learned_named(rng, columns):
    X, y, _ = logistic_sample(rng, 200)
    if columns == 6:
        X = np.hstack([X, X])
    else:
        X = pd.DataFrame(X, columns=list("abc")).assign(d=np.where(X[:, 0] > 0, 1.0, np.nan))
    model = ConformalROC(
        DecisionTreeClassifier(max_leaf_nodes=4), reference="kernel", random_state=0
    ).fit(X, y)
    with pytest.raises(ValueError, match="reference='learned'"):
        model.evaluate(X, y, guarantee="everywhere")


def test_a_kernel_on_five_features_is_not(rng):
    X, y, _ = logistic_sample(rng, 200, beta=(1.0, -0.8, 0.5, 0.2, 0.1))
    model = ConformalROC(LogisticRegression(), reference="kernel", random_state=0).fit(X, y)
    assert model.evaluate(X, y, guarantee="everywhere").guarantee == "everywhere"


def test_structural_cautions_are_said(rng, one_learner):
    X, y, _ = simulation.draw("sample_size", 300, rng)
    kernel = ConformalROC(LogisticRegression(), reference="kernel", random_state=0).fit(X, y)
    found = kernel.evaluate(X, y, guarantee="everywhere")
    assert any("interaction" in note for note in found.notes)
    assert not any("interaction" in note for note in kernel.evaluate(X, y).notes)
    learned = ConformalROC(LogisticRegression(), reference="learned", random_state=0).fit(X, y)
    found = learned.evaluate(X, y, guarantee="everywhere")
    assert any("fewer than 150" in note for note in found.notes)


def test_no_limit_at_all_is_said_and_not_drawn(rng):
    _, _, found = made(rng, (60, 9, 40))
    band = found.band(0.0001)
    for k in (0, 1):
        assert "too few calibration points for limits at every threshold" in band.vacuous[k]
        assert band.without_limits(k)
        assert band.has_limits(k) == (False, False)
    assert (band.tpr_upper[1:] == 1).all()
    assert (band.tpr_lower == 0).all()


def test_a_limit_on_one_side_of_each_point_is_a_limit(rng):
    """Low points have no lower limit, high points no upper one, and no point lacks both."""
    _, _, found = made(rng, (60, 40, 40))
    at, band = found.at(0.01), found.band(0.01)
    for k in (0, 1):
        assert all(0 < share < 1 for share in at.open_share[k])
        assert at.vacuous_share[k] == 0
        assert band.vacuous[k] is None
        assert band.has_limits(k) == (True, True)
    assert "with 99.99 %: its" in found.band(0.0001).vacuous[1]


def test_a_display_reads_fewer_ranks_of_many_points(rng, monkeypatch):
    _, _, found = made(rng, (60, 150, 900))
    exact = found.at(ALPHA).display_counts()
    monkeypatch.setattr(everywhere, "DISPLAY_RANKS", 64)
    at = found.with_guarantee("individual").with_guarantee("everywhere").at(ALPHA)
    about = at.display_counts()
    for one, other, size in [
        (exact[side][k], about[side][k], found.n_test[k]) for side in (0, 1) for k in (0, 1)
    ]:
        # A count differs by at most half a rank, plus the vertices that share a rank.
        assert np.abs(one - other).max() <= size / 64 + 1
    assert at.display_auc()[1:] == pytest.approx(at.ideal_auc_range()[1:], abs=0.05)
    # Only displays leave out points. Other results use every point, also for a small label beside a
    # large one.
    exact_band, band = found.band(ALPHA), at.band()
    for rate in ("fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"):
        np.testing.assert_array_equal(getattr(band, rate), getattr(exact_band, rate))


def test_an_infinite_confidence_is_never_promised(known):
    assert math.isinf(critical_value(200, 100, 0.0001))
    assert "99.99 %" in known[2].band(0.0001).guarantee
