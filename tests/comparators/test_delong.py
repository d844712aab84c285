"""DeLong's interval and test against sums over pairs and pROC."""

import math
import warnings

import numpy as np
import pytest
from comparator_cases import BANDS, DEGENERATE, NAN, PROC, SCORE, Y, every_case, split, spoiled
from data import labelled_scores
from hypothesis import given
from hypothesis import strategies as st
from public_data import CASES
from scipy import stats
from sklearn.metrics import roc_auc_score

from conformal_roc_widget import comparators
from conformal_roc_widget.comparators import delong_interval, delong_test


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
        found = delong_interval(y, a, float(round(1 - float(level), 6)))
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
    np.testing.assert_allclose(delong_interval(y, score, alpha), expected, atol=1e-7)
    assert delong_interval(y, score, alpha)[0] == pytest.approx(roc_auc_score(y, score))


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


def test_delongs_numbers_can_be_had_without_a_warning():
    y, score = DEGENERATE["AUC 1"]
    assert comparators.area_variance(y, score) == (1.0, 0.0)
    difference, z, p = comparators.areas_difference(y, score, -score)
    assert difference == 1.0
    assert math.isnan(z)
    assert math.isnan(p)
    y, a, b = CASES["tumours: texture, symmetry"]
    assert comparators.areas_difference(y, a, b)[1:] == delong_test(y, a, b)


@pytest.mark.parametrize("name", ["AUC 1", "AUC 0", "all equal"])
def test_delong_without_variance_warns(name):
    y, score = DEGENERATE[name]
    with pytest.warns(UserWarning, match="no width"):
        auc, lower, upper = delong_interval(y, score)
    assert lower == auc == upper


def test_a_difference_without_variance_is_no_proof():
    y, score = DEGENERATE["AUC 1"]
    with pytest.warns(UserWarning, match="no test is possible"):
        z, p = delong_test(y, score, -score)
    assert math.isnan(z)
    assert math.isnan(p)


def test_delong_stays_within_zero_and_one():
    y, score = DEGENERATE["5 positives"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for alpha in (1e-9, 0.05, 0.5):
            auc, lower, upper = delong_interval(y, score, alpha)
            assert 0 <= lower < auc < upper <= 1


def test_the_paired_test_names_the_score_that_is_wrong():
    with pytest.raises(ValueError, match="score_a"):
        delong_test(Y, spoiled(NAN), SCORE)
    with pytest.raises(ValueError, match="score_b"):
        delong_test(Y, SCORE, SCORE[:-1])


def test_delong_needs_two_points_of_each_label():
    for call in (delong_interval, lambda y, s: delong_test(y, s, s)):
        with pytest.raises(ValueError, match="twice"):
            call([0, 0, 1], [0.1, 0.2, 0.3])
