"""DeLong's interval and test against sums over pairs and pROC."""

import itertools
import math
import warnings

import numpy as np
import pytest
from comparator_cases import BANDS, DEGENERATE, PROC, every_case, split
from data import labelled_scores, scored
from hypothesis import given
from hypothesis import strategies as st
from public_data import CASES
from scipy import special, stats
from sklearn.metrics import roc_auc_score

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.comparators import (
    delong_difference,
    delong_differences,
    delong_interval,
    delong_test,
)
from conformal_roc_widget.comparators.delong import holm
from conformal_roc_widget.evaluation.estimate import Rows, placements
from conformal_roc_widget.evaluation.figures import area


def psi(a, b):
    return (a > b) + (a == b) / 2


def components(negatives, positives):
    """DeLong, DeLong and Clarke-Pearson (1988), eq. 4 and 5 as sums over pairs."""
    v10 = [sum(psi(a, b) for b in negatives) / len(negatives) for a in positives]
    v01 = [sum(psi(a, b) for a in positives) / len(positives) for b in negatives]
    return v01, v10


def covariance(u, v):
    a, b = sum(u) / len(u), sum(v) / len(v)
    return sum((x - a) * (z - b) for x, z in zip(u, v, strict=True)) / (len(u) - 1)


@every_case
def test_delong_agrees_with_proc(case):
    y, a, b = CASES[case]
    said = PROC[case]
    for level, (lower, auc, upper) in said["delong"].items():
        found = delong_interval(y, a, float(round(1 - float(level), 6)), method="delong")
        np.testing.assert_allclose(found, [auc, lower, upper], rtol=0, atol=1e-12)
    np.testing.assert_allclose(delong_test(y, a, b), said["test"], rtol=1e-9, atol=0)


@pytest.mark.filterwarnings("ignore:DeLong's variance")
@given(data=labelled_scores(min_size=6), alpha=st.sampled_from([0.01, 0.05, 0.4]))
def test_delong_is_that_of_the_sums_over_pairs(data, alpha):
    y, score = data
    y = y.copy()
    y[:4] = 0, 1, 0, 1
    v01, v10 = components(*split(y, score))
    auc = sum(v10) / len(v10)
    variance = covariance(v10, v10) / len(v10) + covariance(v01, v01) / len(v01)
    half = stats.norm.isf(alpha / 2) * math.sqrt(max(variance, 0))
    expected = auc, max(auc - half, 0), min(auc + half, 1)
    found = delong_interval(y, score, alpha, method="delong")
    np.testing.assert_allclose(found, expected, atol=1e-7)
    assert delong_interval(y, score, alpha)[0] == pytest.approx(roc_auc_score(y, score))


@pytest.mark.parametrize("weighted", [False, True])
def test_placements_count_ties_half_by_weight(weighted):
    zeros, ones = (np.random.default_rng(k).integers(0, 5, 12 + k) / 4 for k in (0, 1))
    masses = [1.0 + np.arange(each.size) % 3 * weighted for each in (zeros, ones)]
    found = placements(zeros, ones, masses if weighted else None)
    pairs = np.array([[psi(a, b) for b in zeros] for a in ones])
    wanted = masses[1] @ pairs / masses[1].sum(), pairs @ masses[0] / masses[0].sum()
    for each, expected in zip(found, wanted, strict=True):
        np.testing.assert_allclose(each, expected, atol=1e-12)


@pytest.mark.filterwarnings("ignore:DeLong's variance")
@given(data=labelled_scores(min_size=6), seed=st.integers(0, 50))
def test_the_paired_test_is_that_of_the_sums_over_pairs(data, seed):
    y, a = data
    y = y.copy()
    y[:4] = 0, 1, 0, 1
    b = np.random.default_rng(seed).permutation(a)
    (a01, a10), (b01, b10) = (components(*split(y, s)) for s in (a, b))
    variance = sum(
        (covariance(u, u) + covariance(v, v) - 2 * covariance(u, v)) / len(u)
        for u, v in ((a01, b01), (a10, b10))
    )
    difference = sum(a10) / len(a10) - sum(b10) / len(b10)
    z, p = delong_test(y, a, b)
    if variance > 1e-12:
        assert z == pytest.approx(difference / math.sqrt(variance), rel=1e-6, abs=1e-9)
        assert p == pytest.approx(2 * stats.norm.sf(abs(z)))
        assert delong_test(y, b, a) == pytest.approx((-z, p))


def test_an_increasing_transformation_changes_nothing():
    y, a, b = CASES["tumours: texture, symmetry"]
    assert delong_interval(y, np.log(a)) == delong_interval(y, a)
    assert delong_test(y, np.log(a), b) == delong_test(y, a, b)
    assert delong_test(y, np.log(a), a) == (0.0, 1.0)
    for name in ("bootstrap", "simultaneous", "ks"):
        one, other = BANDS[name](y, np.log(a)), BANDS[name](y, a)
        np.testing.assert_array_equal(one.tpr_lower, other.tpr_lower)
        np.testing.assert_array_equal(one.tpr_upper, other.tpr_upper)


def test_delong_takes_a_hundred_thousand_points_by_sorting(rng):
    y = np.resize([0, 1], 100_000)
    a = rng.normal(size=y.size) + y
    lower, upper = delong_interval(y, a)[1:]
    assert 0.005 < upper - lower < 0.007
    assert abs(delong_test(y, a, a + rng.normal(size=y.size))[0]) > 10


def test_delongs_variance_can_be_had_without_a_warning():
    y, score = map(np.asarray, DEGENERATE["AUC 1"])
    assert area(Rows(y == 1, score), 1.0)[:2] == (1.0, 0.0)


WHY = {
    "AUC 1": "because the scores separate the labels: ",
    "AUC 0": "because the scores separate the labels: ",
    "all equal": "because all scores are equal: ",
}


@pytest.mark.parametrize("name", WHY)
def test_delong_without_variance_warns(name):
    y, score = DEGENERATE[name]
    with pytest.warns(UserWarning, match=f"{WHY[name]}.*no width"):
        auc, lower, upper = delong_interval(y, score, method="delong")
    assert lower == auc == upper


@pytest.mark.parametrize("name", WHY)
@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_limits_without_variance_have_the_width_that_pairs_give(name, alpha):
    """From k pairs without a common row: Clopper and Pearson's limits for k of k, else Hoeffding's."""
    y, score = DEGENERATE[name]
    k = int(np.bincount(y).min())
    least = stats.binomtest(k, k).proportion_ci(1 - alpha, "exact").low
    far = math.sqrt(math.log(2 / alpha) / (2 * k))
    expected = {
        "AUC 1": (1, least, 1),
        "AUC 0": (0, 0, 1 - least),
        "all equal": (0.5, max(0.5 - far, 0), min(0.5 + far, 1)),
    }
    with pytest.warns(UserWarning, match=f"{WHY[name]}.*independent pairs.*{k}"):
        found = delong_interval(y, score, alpha)
    np.testing.assert_allclose(found, expected[name], atol=1e-12)
    # Twenty rows of one person give no more pairs than one row.
    rows = np.repeat(np.arange(y.size), 20)
    with pytest.warns(UserWarning, match="independent pairs"):
        again = delong_interval(y[rows], score[rows], alpha, groups=rows)
    np.testing.assert_allclose(again, found, atol=1e-12)


def test_a_part_of_the_best_area_misses_no_more_than_the_whole():
    y, score = DEGENERATE["AUC 1"]
    k = int(np.bincount(y).min())
    with pytest.warns(UserWarning, match="separate the labels"):
        found = delong_interval(y, score, max_fpr=0.4)
    missing = min((1 - 0.025 ** (1 / k)) / 0.4, 1)
    assert found.upper == found.estimate == 1
    # Share of the largest possible area, standardized: 0 becomes (0 - 0.2) / (1 - 0.2) on either
    # side of one half.
    assert found.lower == pytest.approx(0.5 + 0.5 * (1 - missing - 0.2) / 0.8)
    with pytest.warns(UserWarning, match="there is no limit"):
        found = delong_interval(y, -score, max_fpr=0.4)
    assert tuple(found) == pytest.approx((0.375, 0.375, 1))


def test_people_whose_rows_cancel_out_have_no_limit():
    """By hand: in each person one row is as much too high as the other is too low."""
    y, score = np.tile([0, 0, 1, 1], 5), np.tile([0.1, 0.3, 0.2, 0.4], 5)
    who = np.tile([0, 1, 0, 1], 5) + np.arange(20) // 4 * 2
    with pytest.warns(UserWarning, match="though the scores neither separate .* no limit"):
        assert delong_interval(y, score, groups=who) == (0.75, 0, 1)


def test_a_partial_area_of_none_that_varies_has_no_limit():
    """The curve rises exactly at the end of the part, so the area is 0 but its variance is not."""
    y = np.repeat([0, 1], 20)
    score = np.r_[[9.0, 8, 7, 6], np.linspace(0, 1, 16), [5.0, 4], np.linspace(0, 1, 18) + 0.01]
    found = delong_interval(y, score, max_fpr=0.2)
    least = 0.5 - 0.5 * 0.1 / 0.9
    assert tuple(found) == pytest.approx((least, least, 1))


@pytest.mark.parametrize("max_fpr", [None, 0.3])
def test_limits_are_the_plain_ones_on_the_logit_scale(rng, max_fpr):
    y, score = scored(rng, 60)
    area, lower, _ = delong_interval(y, score, 0.1, max_fpr=max_fpr, method="delong")
    found = delong_interval(y, score, 0.1, max_fpr=max_fpr)
    # As a share of the largest possible area, of which 0.15 is due to chance up to FPR 0.3.
    least, slope = (0, 1) if max_fpr is None else (0.5 - 0.5 * 0.15 / 0.85, 0.5 / 0.85)
    share, low, up = ((end - least) / slope for end in found)
    half = (area - lower) / slope / (share * (1 - share))
    assert found.estimate == pytest.approx(area)
    assert special.logit([low, up]) == pytest.approx(special.logit(share) + np.array([-half, half]))
    assert "logit" in found.method
    with pytest.raises(ValueError, match="method: found 'plain'"):
        delong_interval(y, score, method="plain")


def test_two_scores_that_separate_the_labels_are_not_told_apart():
    y, a, b, k = [0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7], [2, 1, 3, 4, 5, 7, 6], 3
    far = 1 - 0.05 ** (1 / k)
    with pytest.warns(UserWarning, match=f"do not rank all of them alike.*{k}"):
        found = delong_difference(y, a, b)
    np.testing.assert_allclose(found, (0, -far, far), atol=1e-12)
    assert (found.z, found.p_value) == (0, 1)
    with pytest.warns(UserWarning, match="no limit"):
        assert tuple(delong_difference(y, a, b, max_fpr=0.5)) == (0, -1, 1)
    # The limits miss only if at least one pair in k is out of order.
    with pytest.warns(UserWarning, match="alike"):
        several = delong_differences(y, {"a": a, "b": b, "c": a}, 0.15)
    np.testing.assert_allclose(several["a", "b"], (0, -far, far), atol=1e-12)
    assert tuple(several["a", "c"]) == (0, 0, 0)


def test_a_difference_without_variance_is_no_proof():
    y, score = DEGENERATE["AUC 1"]
    with pytest.warns(UserWarning, match="no test is possible"):
        z, p = delong_test(y, score, -score)
    assert math.isnan(z)
    assert math.isnan(p)


def test_delong_needs_two_points_of_each_label():
    for call in (delong_interval, lambda y, s: delong_test(y, s, s)):
        with pytest.raises(ValueError, match="twice"):
            call([0, 0, 1], [0.1, 0.2, 0.3])


# Differences with limits, partial areas, people


@every_case
def test_the_limits_of_a_difference_are_those_of_procs_test(case):
    y, a, b = CASES[case]
    z, p = PROC[case]["test"]
    value = roc_auc_score(y, a) - roc_auc_score(y, b)
    found = delong_difference(y, a, b, 0.05)
    half = stats.norm.isf(0.025) * value / z
    expected = value, max(value - half, -1), min(value + half, 1)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
    assert (found.z, found.p_value) == pytest.approx((z, p), rel=1e-9)


def partial_by_steps(y, score, max_fpr, weight=None):
    """Area of the polygon up to a rate, edge by edge, standardized as McClish does."""
    weight = np.ones(len(y)) if weight is None else weight
    totals = [weight[y == k].sum() for k in (0, 1)]
    vertices = [(0.0, 0.0)]
    for level in sorted(set(score), reverse=True):
        reached = score >= level
        vertices.append(tuple(weight[reached & (y == k)].sum() / totals[k] for k in (0, 1)))
    area = 0.0
    for (f0, t0), (f1, t1) in itertools.pairwise(vertices):
        if f0 >= max_fpr or f1 == f0:
            continue
        end = min(f1, max_fpr)
        t_end = t0 + (end - f0) / (f1 - f0) * (t1 - t0)
        area += (end - f0) * (t0 + t_end) / 2
    low = max_fpr**2 / 2
    return (1 + (area - low) / (max_fpr - low)) / 2


@given(data=labelled_scores(min_size=6), max_fpr=st.sampled_from([0.1, 0.25, 0.5, 0.9, 1.0]))
def test_a_partial_area_is_scikit_learns(data, max_fpr):
    y, score = data
    y = y.copy()
    y[:4] = 0, 1, 0, 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = delong_interval(y, score, max_fpr=max_fpr)[0]
    assert found == pytest.approx(roc_auc_score(y, score, max_fpr=max_fpr), abs=1e-9)
    assert found == pytest.approx(partial_by_steps(y, score, max_fpr), abs=1e-9)


def test_the_variance_of_a_partial_area_is_that_of_derivatives_by_small_weights(rng):
    y, score = scored(rng, 200)
    max_fpr = 0.305  # not a rate of the data, so that the derivative is unique
    n = [int((y == k).sum()) for k in (0, 1)]
    variance = 0.0
    for k in (0, 1):
        influences = []
        for row in np.flatnonzero(y == k):
            moved = []
            for step in (1e-7, -1e-7):
                weight = np.full(y.size, 1.0)
                weight[y == k] *= 1 - step
                weight[row] += step * n[k]
                moved.append(partial_by_steps(y, score, max_fpr, weight))
            influences.append((moved[0] - moved[1]) / 2e-7)
        variance += np.var(influences, ddof=1) / n[k]
    _, lower, upper = delong_interval(y, score, 0.05, max_fpr=max_fpr, method="delong")
    sd = (upper - lower) / 2 / stats.norm.isf(0.025)
    assert sd == pytest.approx(math.sqrt(variance), rel=0.03)


def test_a_whole_area_is_the_partial_one_up_to_one(rng):
    y, score = scored(rng, 50)
    assert delong_interval(y, score, max_fpr=1) == delong_interval(y, score)
    near = delong_interval(y, score, max_fpr=1 - 1e-9)
    np.testing.assert_allclose(near, delong_interval(y, score), atol=1e-6)
    assert "up to FPR 0.3" in delong_interval(y, score, max_fpr=0.3).target


def obuchowski(y, score, groups):
    """Obuchowski (1997), eq. for one area, person by person with sums over pairs."""
    v01, v10 = components(*split(y, score))
    area = sum(v10) / len(v10)
    people = sorted(set(groups))
    s = {p: [0.0, 0.0] for p in people}
    for p, v in zip(groups[y == 0], v01, strict=True):
        s[p][0] += v - area
    for p, v in zip(groups[y == 1], v10, strict=True):
        s[p][1] += v - area
    n = [len(v01), len(v10)]
    variance = 0.0
    for k in (0, 1):
        there = len(set(groups[y == k]))
        variance += there / (there - 1) * sum(v[k] ** 2 for v in s.values()) / n[k] ** 2
    both = sum(v[0] * v[1] for v in s.values()) / (n[0] * n[1])
    return area, variance + 2 * len(people) / (len(people) - 1) * both


def test_rows_of_people_have_obuchowskis_variance(rng):
    y, score = scored(rng, 60)
    score = score.round(1)
    groups = np.array([f"p{i}" for i in rng.integers(0, 14, 60)])
    area, variance = obuchowski(y, score, groups)
    half = stats.norm.isf(0.05) * math.sqrt(variance)
    found = delong_interval(y, score, 0.1, groups=groups, method="delong")
    np.testing.assert_allclose(found, [area, area - half, min(area + half, 1)], atol=1e-12)
    assert found.method == "Obuchowski"


def test_two_people_of_each_label_are_enough():
    """By hand: placements are 1/2 and 1 for positives and for negatives, each 1/4 away from 3/4."""
    y, score = np.array([0, 0, 1, 1]), np.array([0.1, 0.3, 0.2, 0.4])
    found = delong_interval(y, score, 0.5, groups=["a", "b", "c", "d"], method="delong")
    half = stats.norm.isf(0.25) * math.sqrt(2 * 2 * 2 * (0.25 / 2) ** 2)
    np.testing.assert_allclose(found, [0.75, 0.75 - half, min(0.75 + half, 1)], atol=1e-12)


def test_what_a_person_adds_to_both_labels_adds_up():
    """By hand: ten people have either the better positive and negative, or the worse ones."""
    y, score = np.tile([0, 0, 1, 1], 5), np.tile([0.1, 0.3, 0.2, 0.4], 5)
    who = np.tile([0, 1, 1, 0], 5) + np.arange(20) // 4 * 2
    found = delong_interval(y, score, 0.5, groups=who, method="delong")
    half = stats.norm.isf(0.25) * math.sqrt(10 / 9 * 10 * (2 * 0.25 / 10) ** 2)
    np.testing.assert_allclose(found, [0.75, 0.75 - half, min(0.75 + half, 1)], atol=1e-12)


def test_people_of_one_row_are_delongs(rng):
    y, score = scored(rng, 60)
    alone = delong_interval(y, score, groups=np.arange(60))
    np.testing.assert_allclose(alone, delong_interval(y, score), rtol=1e-12)


def test_a_label_in_one_group_is_refused(rng):
    y, score = scored(rng, 60)
    with pytest.raises(ValueError, match="groups: found a label in one group only"):
        delong_interval(y, score, groups=np.where(y == 1, 0, np.arange(60)))
    with pytest.raises(ValueError, match="groups: found 59 rows"):
        delong_difference(y, score, -score, groups=np.arange(59))


@pytest.mark.parametrize("max_fpr", [0, 1.5, -1, float("nan")])
def test_a_rate_outside_zero_and_one_is_refused(max_fpr, rng):
    y, score = scored(rng, 30)
    with pytest.raises(ValueError, match="max_fpr"):
        delong_interval(y, score, max_fpr=max_fpr)


def test_two_scores_are_enough_for_differences_and_their_level_is_the_usual_one(rng):
    y, score = scored(rng, 80)
    scores = {"a": score, "b": rng.normal(size=80)}
    (found,) = delong_differences(y, scores).values()
    assert found == delong_difference(y, scores["a"], scores["b"], 0.05)


@pytest.mark.parametrize(
    ("raw", "adjusted"),
    [
        ([0.4], [0.4]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.6, 0.5], [1.0, 1.0]),
        ([0.02, math.nan, 0.9], [0.06, math.nan, 1.0]),
        ([math.nan, math.nan], [math.nan, math.nan]),
    ],
)
def test_p_values_are_adjusted_by_holm_and_never_above_one(raw, adjusted):
    """By hand: the smallest p-value times their number, and so on, none smaller than the one before
    it.
    """
    assert holm(raw) == pytest.approx(adjusted, nan_ok=True)


def test_several_differences_share_one_error(rng):
    y, score = scored(rng, 80)
    scores = {"a": score, "b": score + rng.normal(size=80), "c": rng.normal(size=80)}
    found = delong_differences(y, scores, 0.06)
    alone = {pair: delong_difference(y, scores[pair[0]], scores[pair[1]], 0.02) for pair in found}
    assert list(found) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert {each.scope for each in alone.values()} == {"one number"}
    for pair, each in found.items():
        np.testing.assert_allclose(each, alone[pair], rtol=1e-12)
        assert "all 3 differences at once" in each.scope
    # Holm by hand: the smallest p-value times 3, the next times 2, and none smaller than the one
    # before it.
    raw = sorted((alone[pair].p_value, pair) for pair in found)
    first = min(3 * raw[0][0], 1)
    second = max(min(2 * raw[1][0], 1), first)
    assert found[raw[0][1]].p_value == pytest.approx(first)
    assert found[raw[1][1]].p_value == pytest.approx(second)
    assert found[raw[2][1]].p_value == pytest.approx(max(raw[2][0], second))
    with pytest.raises(ValueError, match="scores: found 1"):
        delong_differences(y, {"a": score})


def test_a_difference_without_variance_has_no_limit():
    y, score = DEGENERATE["AUC 1"]
    with pytest.warns(UserWarning, match="no limit"):
        assert delong_difference(y, score, -score) == (1.0, -1.0, 1.0)
    assert delong_difference(y, score, 2 * score) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("people", [None, 3])
@pytest.mark.parametrize("decimals", [1, 6])
def test_an_evaluation_has_the_area_that_the_interval_is_made_of(people, decimals):
    place = np.arange(60)
    y = (place * 0.7548777 % 1 < 0.4).astype(int)
    score = (0.05 + 0.6 * (place * 0.381966 % 1) + 0.3 * y).round(decimals)
    groups = None if people is None else place // people
    shown = RocEvaluation.from_predictions(y, score, groups_test=groups)
    found = shown.sampled.area
    for alpha in (0.001, 0.05, 0.5):
        known = delong_interval(y, score, alpha, groups=groups)
        assert found.limits(alpha) == pytest.approx((known.lower, known.upper), rel=1e-9)


def test_an_area_has_no_limits_where_a_label_has_one_row_or_one_person():
    calibration = [0, 1] * 20, np.linspace(0.1, 0.9, 40)
    one = RocEvaluation.from_predictions(*calibration, [0, 0, 1], [0.1, 0.2, 0.7])
    who = np.append(np.arange(12), [12, 12])
    y, score = np.repeat([0, 1], [12, 2]), np.linspace(0.1, 0.9, 14)
    people = RocEvaluation.from_predictions(*calibration, y, score, groups_test=who)
    for evaluation in (one, people):
        assert evaluation.sampled.area is None
        found = evaluation.auc()
        assert found == (evaluation.observed_auc, 0, 1)
        assert "no limits" in found.notes[0]
