"""Weights of test and calibration rows, and people, in evaluations from scores alone."""

import math
from dataclasses import replace

import numpy as np
import oracles
import pytest
from data import assert_same_curves, by_kernel, scored
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from conformal_roc_widget import conformal_quantiles
from conformal_roc_widget.arrays import RowMasses

from_predictions = by_kernel


def sets(seed, n_ca=80, n_test=60, digits=None):
    rng = np.random.default_rng(seed)
    y_ca, s_ca = scored(rng, n_ca)
    y, s = scored(rng, n_test)
    return rng, (y_ca, s_ca), (y, s if digits is None else s.round(digits))


def same_curve(one, other, alpha=0.2):
    assert_same_curves(one.band(alpha), other.band(alpha))
    assert one.ideal_auc_range(alpha) == other.ideal_auc_range(alpha)
    assert one.youden(alpha) == other.youden(alpha)
    assert one.own_prevalence == other.own_prevalence


# Test rows


@given(st.integers(0, 40), st.sampled_from([None, 1]))
def test_a_whole_weight_is_the_test_row_repeated_to_the_bit(seed, digits):
    rng, calibration, (y, s) = sets(seed, digits=digits)
    weight = rng.integers(1, 5, y.size)
    rows = np.repeat(np.arange(y.size), weight)
    weighted = from_predictions(*calibration, y, s, sample_weight_test=weight)
    repeated = from_predictions(*calibration, y[rows], s[rows])
    same_curve(weighted, repeated)
    for threshold in (0.2, 0.5):
        one, other = (e.operating_point(threshold, 0.2) for e in (weighted, repeated))
        # The weights of the calibration rows are unknown.
        assert one.promise.kind == "none"
        assert replace(one, promise=other.promise) == other
    a, b = weighted.precision_recall(0.2), repeated.precision_recall(0.2)
    np.testing.assert_array_equal(a.precision_lower, b.precision_lower)
    np.testing.assert_array_equal(
        weighted.net_benefit(0.2).net_benefit, repeated.net_benefit(0.2).net_benefit
    )


def test_several_test_rows_of_one_person_have_no_bounds_that_count_independent_rows():
    _, calibration, (y, s) = sets(4)
    plain = from_predictions(*calibration, y, s)
    people = np.arange(y.size) // 2 + 10  # two digits, so that names sort like numbers
    grouped = from_predictions(*calibration, y, s, groups_test=[f"p{each}" for each in people])
    same_curve(grouped, plain)
    np.testing.assert_array_equal(grouped.groups, people - 10)
    with pytest.raises(ValueError, match=r"^reliability: found several test rows of one person"):
        grouped.reliability()
    one_each = from_predictions(*calibration, y, s, groups_test=np.arange(y.size)[::-1])
    assert one_each.groups is None
    assert one_each.notes == plain.notes
    np.testing.assert_array_equal(one_each.reliability(0.1).lower, plain.reliability(0.1).lower)


def test_a_person_whose_other_rows_weigh_nothing_has_one_row():
    _, calibration, (y, s) = sets(4)
    people, weight = np.arange(y.size) // 4, np.zeros(y.size)
    weight[np.arange(0, y.size, 4) + people[::4] % 2] = 1
    alone = from_predictions(*calibration, y, s, groups_test=people, sample_weight_test=weight)
    assert alone.groups is None
    alone.reliability()


def test_a_test_row_of_no_weight_is_absent_to_the_bit():
    rng, calibration, (y, s) = sets(1)
    weight = rng.random(y.size)
    weight[::4] = 0
    there = weight > 0
    weighted = from_predictions(*calibration, y, s, sample_weight_test=weight)
    same_curve(
        weighted,
        from_predictions(*calibration, y[there], s[there], sample_weight_test=weight[there]),
    )
    np.testing.assert_array_equal(weighted.sample_weight, weight[there])
    assert sum(weighted.n_test.values()) == there.sum()


def test_equal_test_weights_change_nothing_to_the_bit():
    _, calibration, (y, s) = sets(2)
    plain = from_predictions(*calibration, y, s)
    for weight in (0.1, 3.0):
        weighted = from_predictions(*calibration, y, s, sample_weight_test=np.full(y.size, weight))
        same_curve(weighted, plain)
        assert weighted.counts is None
        assert weighted.promise == plain.promise


@given(st.integers(0, 40), st.sampled_from([None, 1]))
def test_weighted_rates_and_areas_are_scikit_learns(seed, digits):
    rng, calibration, (y, s) = sets(seed, digits=digits)
    weight = rng.gamma(0.5, size=y.size) + 1e-6
    e = from_predictions(*calibration, y, s, sample_weight_test=weight)
    fpr, tpr, _ = roc_curve(y, s, sample_weight=weight, drop_intermediate=False)
    band = e.band(0.2)
    np.testing.assert_allclose(band.fpr, fpr, atol=1e-12)
    np.testing.assert_allclose(band.tpr, tpr, atol=1e-12)
    assert e.ideal_auc_range(0.2).auc == pytest.approx(
        roc_auc_score(y, s, sample_weight=weight), abs=1e-12
    )
    assert e.youden().youden == pytest.approx(max((tpr - fpr).max(), 0), abs=1e-12)
    curve = e.precision_recall(0.2)
    expected = average_precision_score(y, s, sample_weight=weight)
    assert curve.average_precision == pytest.approx(expected, abs=1e-9)
    point = e.operating_point(0.4, 0.2)
    called = s >= 0.4
    assert point.tp == pytest.approx(weight[called & (y == 1)].sum())
    assert point.tn == pytest.approx(weight[~called & (y == 0)].sum())
    assert point.precision == pytest.approx(weight[called & (y == 1)].sum() / weight[called].sum())


def test_units_of_weights_by_hand():
    assert RowMasses.of(np.array([2.0, 2.0])) is None
    whole = RowMasses.of(np.array([1.0, 3.0]))
    assert (whole.units.tolist(), whole.unit) == ([1, 3], 1.0)
    parts = RowMasses.of(np.array([0.5, 1.0]))
    assert parts.units.sum() == pytest.approx(2**52, abs=1)
    assert parts.unit * parts.units[0] == pytest.approx(0.5)


def test_simultaneous_limits_refuse_calibration_rows_that_do_not_count_alike():
    _, calibration, (y, s) = sets(4)
    for extra in (
        {"sample_weight_calibration": np.ones(80)},
        {"groups_calibration": np.arange(80)},
    ):
        with pytest.raises(ValueError, match="guarantee: found 'simultaneous' with weights"):
            from_predictions(*calibration, y, s, guarantee="simultaneous", **extra)


# Calibration rows


def residuals(calibration):
    y, s = calibration
    return oracles.residuals_from_scores(y.tolist(), s.tolist())


def test_an_array_of_weights_gives_each_label_the_weighted_pair():
    rng, (y_ca, s_ca), test = sets(5)
    weight = rng.random(80)
    weight[:10] = 0
    e = from_predictions(y_ca, s_ca, *test, sample_weight_calibration=weight)
    plain = from_predictions(y_ca, s_ca, *test)
    for k in (0, 1):
        of = y_ca == k
        order = np.argsort(_raw(y_ca, s_ca)[of])
        expected = conformal_quantiles(plain.residuals[k], 0.4, sample_weight=weight[of][order])
        assert e.at(0.4).quantiles[k] == pytest.approx(expected)
        w = weight[of]
        assert e.n_calibration[k] == int(w.sum() ** 2 / (w**2).sum())
    assert "weights are right" in e.band(0.4).guarantee
    assert any("heaviest row of its label" in note for note in e.notes)


def _raw(y, s):
    """Residuals in the order of the data."""
    logits = [oracles.clipped_logit(p) for p in s]
    reference = oracles.leave_one_out_logit(
        [[v] for v in logits], y.tolist(), [0], oracles.score_bandwidth(s.tolist())
    )
    return np.array(reference) - np.array(logits)


def test_equal_calibration_weights_change_nothing_to_the_bit():
    _, calibration, test = sets(6)
    plain = from_predictions(*calibration, *test)
    for weight in (np.full(80, 0.1), lambda s: np.full(s.size, 2.0)):
        e = from_predictions(*calibration, *test, sample_weight_calibration=weight)
        same_curve(e, plain)
        assert e.n_calibration == plain.n_calibration
        assert not e.calibrated_curve.weighted


def test_a_function_of_the_score_weighs_each_test_point():
    _, (y_ca, s_ca), (y, s) = sets(7, n_test=12)

    def ratio(score):
        return 0.2 + score

    e = from_predictions(y_ca, s_ca, y, s, sample_weight_calibration=ratio)
    lower, upper = e.intervals(0.4)
    raw = _raw(y_ca, s_ca)
    # With up to 16 different weights, each point has its own limits, in units of the lightest.
    for i, (label, score) in enumerate(zip(y, s, strict=True)):
        of = y_ca == label
        low, high = by_definition(raw[of], ratio(s_ca[of]), ratio(score), 0.4)
        centre = oracles.logit(score)
        assert lower[i] == pytest.approx(oracles.expit(centre + low), abs=1e-9)
        assert upper[i] == pytest.approx(oracles.expit(centre + high), abs=1e-9)


def by_definition(residuals, weights, own, alpha):
    """The weighted pair of quantiles for one test point, residual by residual."""
    rows = sorted(zip(residuals, weights, strict=True))
    total = sum(weights) + own
    unit = min(*weights, own)
    lower, upper, below = -math.inf, math.inf, 0.0
    for r, w in rows:
        if below + own + unit <= alpha / 2 * total:
            lower = r
        below += w
        if upper == math.inf and below > (1 - alpha / 2) * total - unit:
            upper = r if below >= (1 - alpha) * total else math.inf
    return lower, upper


def test_many_test_weights_are_served_in_sixteen_levels_that_only_widen():
    _, (y_ca, s_ca), (y, s) = sets(8, n_test=400)

    def ratio(score):
        return np.exp(2 * score)

    e = from_predictions(y_ca, s_ca, y, s, sample_weight_calibration=ratio)
    raw = _raw(y_ca, s_ca)
    lower, upper = e.intervals(0.4)
    pairs = set()
    for i, (label, score) in enumerate(zip(y, s, strict=True)):
        of = y_ca == label
        low, high = by_definition(raw[of], ratio(s_ca[of]), ratio(score), 0.4)
        centre = oracles.logit(score)
        assert lower[i] <= oracles.expit(centre + low) + 1e-9
        assert upper[i] >= oracles.expit(centre + high) - 1e-9
        pairs.add((label, round(oracles.logit(upper[i]) - centre, 6) if upper[i] < 1 else 1))
    assert len(pairs) <= 32


def test_a_test_point_that_is_too_heavy_has_no_limits_and_is_counted():
    _, (y_ca, s_ca), (y, s) = sets(9)

    def ratio(score):
        return np.where(score > 0.8, 1000.0, 1.0)

    light = (y_ca[s_ca <= 0.8], s_ca[s_ca <= 0.8])
    e = from_predictions(*light, y, s, sample_weight_calibration=ratio)
    heavy = {k: int(((s > 0.8) & (y == k)).sum()) for k in (0, 1)}
    lower, upper = e.intervals(0.2)
    np.testing.assert_array_equal((lower == 0) & (upper == 1), s > 0.8)
    for k in (0, 1):
        if heavy[k]:
            assert f"{heavy[k]} of the {(y == k).sum()} test points" in e.band(0.2).vacuous[k]


def test_a_label_whose_largest_weight_is_too_large_a_share_has_no_limits_and_says_so():
    _, (y_ca, s_ca), test = sets(10)
    weight = np.ones(80)
    weight[np.flatnonzero(y_ca == 1)[0]] = 30
    band = from_predictions(y_ca, s_ca, *test, sample_weight_calibration=weight).band(0.2)
    assert band.quantiles[1] == (-math.inf, math.inf)
    assert "a test point weighs 30" in band.vacuous[1]
    assert band.vacuous[0] is None


@pytest.mark.parametrize(
    ("weights", "rule", "below"),
    [
        # The heaviest weight counts as the test point's own: 3 of 11, which is more than 2 (3 - 2)
        # of 11.
        ((2, 3, 3), "paper", 3 / 11),
        # The lightest weight moves from the lower to the upper side: 2 (4 - 1) of 13, more than 4.
        ((1, 4, 4), "paper", 6 / 13),
        ((2, 3, 3), "split", 6 / 11),
    ],
)
def test_below_this_alpha_weighted_residuals_have_no_limit(weights, rule, below):
    e = from_predictions(
        [0, 0, 1, 1, 1],
        [0.1, 0.6, 0.3, 0.5, 0.8],
        [0, 1],
        [0.2, 0.7],
        sample_weight_calibration=[1, 1, *weights],
        quantile_rule=rule,
    )
    assert e.vacuous_below[1] == pytest.approx(below, rel=1e-12)
    assert e.at(0.999 * below).quantiles[1] == (-math.inf, math.inf)
    assert e.at(1.001 * below).quantiles[1] != (-math.inf, math.inf)


# People


def test_people_weigh_alike_however_many_rows_they_have():
    rng, (y_ca, s_ca), test = sets(11, n_ca=200)
    people = rng.integers(0, 40, 200)
    e = from_predictions(y_ca, s_ca, *test, groups_calibration=people)
    logits = [oracles.clipped_logit(p) for p in s_ca]
    h = oracles.score_bandwidth(s_ca.tolist())
    for k in (0, 1):
        rows = []
        for i in np.flatnonzero(y_ca == k):
            others = [j for j in range(200) if people[j] != people[i]]
            reference = oracles.kernel_logit_at(
                [[logits[j]] for j in others], [y_ca[j] for j in others], [logits[i]], [0], h
            )
            mine = int(((people == people[i]) & (y_ca == k)).sum())
            rows.append((reference - logits[i], 1 / mine))
        n = len({*people[y_ca == k]})
        lower, upper, below = -math.inf, math.inf, 0.0
        for r, w in sorted(rows):
            if (below + 1) / (n + 1) <= 0.2 / 2 + 1e-12:
                lower = r
            below += w
            if upper == math.inf and below / (n + 1) >= 1 - 0.2 / 2 - 1e-12:
                upper = r
        assert e.at(0.2).quantiles[k] == pytest.approx((lower, upper), abs=1e-9)
        assert e.n_calibration[k] == n
    assert "a row of a new person" in e.band(0.2).guarantee
    assert any("n counts people" in note for note in e.notes)


def test_first_limits_of_people_appear_from_two_parts_of_them():
    _, (y_ca, s_ca), test = sets(12, n_ca=120)
    people = np.arange(120) % 12
    e = from_predictions(y_ca, s_ca, *test, groups_calibration=people)
    n = {k: len({*people[y_ca == k]}) for k in (0, 1)}
    for k in (0, 1):
        first = 2 / (n[k] + 1)
        assert e.vacuous_below[k] == pytest.approx(first)
        low, high = e.at(first + 1e-9).quantiles[k]
        assert math.isfinite(low)
        assert math.isfinite(high)
        assert e.at(first - 1e-6).quantiles[k] == (-math.inf, math.inf)
        assert f"rows of {n[k]} people" in e.band(first / 2).vacuous[k]
