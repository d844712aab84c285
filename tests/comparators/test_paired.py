"""Paired differences at one threshold against searches over all differences."""

import math

import numpy as np
import pytest
from data import scored
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from conformal_roc_widget.comparators import net_benefit_difference, sensitivity_difference
from conformal_roc_widget.comparators.paired import paired_limits


def profile(b, c, n, difference):
    """Largest likelihood of the margins for one difference, by a search over the second cell."""
    low, high = max(0.0, -difference), (1 - difference) / 2

    def likelihood(q):
        cells = (q + difference, b), (q, c), (1 - 2 * q - difference, n - b - c)
        return sum(k * math.log(p) if p > 0 else -math.inf for p, k in cells if k)

    for _ in range(200):
        a, d = low + (high - low) / 3, high - (high - low) / 3
        low, high = (a, high) if likelihood(a) < likelihood(d) else (low, d)
    return (low + high) / 2


def score_statistic(b, c, n, difference):
    q = profile(b, c, n, difference)
    spread = n * (2 * q + difference - difference**2)
    return (b - c - n * difference) / math.sqrt(spread)


@pytest.mark.parametrize(
    ("b", "c", "n"), [(5, 2, 20), (12, 2, 50), (0, 1, 44), (3, 3, 9), (0, 7, 30), (29, 0, 30)]
)
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_the_limits_are_where_the_score_test_begins_to_refuse(b, c, n, alpha):
    lower, upper = paired_limits(b, c, n, alpha)
    z = stats.norm.isf(alpha / 2)
    assert score_statistic(b, c, n, lower) == pytest.approx(z, abs=1e-4)
    assert score_statistic(b, c, n, upper) == pytest.approx(-z, abs=1e-4)
    assert -1 < lower < (b - c) / n < upper < 1


@given(st.integers(0, 15), st.integers(0, 15), st.integers(1, 20), st.sampled_from([0.05, 0.1]))
def test_the_limits_leave_out_zero_exactly_where_mcnemar_does(b, c, more, alpha):
    n = b + c + more
    lower, upper = paired_limits(b, c, n, alpha)
    z = abs(b - c) / math.sqrt(b + c) if b + c else 0
    assert (not lower <= 0 <= upper) == (z > stats.norm.isf(alpha / 2))
    np.testing.assert_allclose(paired_limits(c, b, n, alpha), (-upper, -lower), atol=1e-9)


def test_pairs_that_all_agree_still_have_width():
    # Wilson's upper limit for 0 of 20.
    z2 = stats.norm.isf(0.025) ** 2
    assert paired_limits(0, 0, 20, 0.05) == pytest.approx((-z2 / (20 + z2), z2 / (20 + z2)))


def test_all_pairs_disagreeing_one_way_reach_the_end():
    assert paired_limits(6, 0, 6, 0.05)[1] == 1.0
    assert paired_limits(0, 6, 6, 0.05)[0] == -1.0


@pytest.mark.parametrize("n", [1, 6, 40])
def test_all_pairs_disagreeing_one_way_are_no_certainty(n):
    """The other limit is the difference at which the score test starts to refuse.

    This is Wilson's limit for n of n.
    """
    lower = paired_limits(n, 0, n, 0.05)[0]
    z = stats.norm.isf(0.025)
    assert lower == pytest.approx(stats.binomtest(n, n).proportion_ci(0.95, "wilson").low)
    assert (n - n * lower) / math.sqrt(n * lower * (1 - lower)) == pytest.approx(z)
    assert paired_limits(0, n, n, 0.05)[1] == -lower


def test_a_difference_of_sensitivities_by_hand():
    y = [1, 1, 1, 1, 1, 0, 0]
    a = [0.9, 0.8, 0.7, 0.2, 0.1, 0.9, 0.1]
    b = [0.9, 0.1, 0.2, 0.8, 0.1, 0.1, 0.9]
    found = sensitivity_difference(y, a, b, 0.5)
    assert found.difference == pytest.approx(3 / 5 - 2 / 5)
    assert found.z == pytest.approx(1 / math.sqrt(3))
    assert (found.lower, found.upper) == paired_limits(2, 1, 5, 0.05)
    assert "threshold" in found.scope
    other = sensitivity_difference(y, a, b, 0.5, pos_label=0)
    assert other == (0, *paired_limits(1, 1, 2, 0.05))


def test_a_difference_of_net_benefits_by_hand():
    y = np.array([1, 1, 0, 0, 0])
    a, b = np.array([0.9, 0.9, 0.9, 0.1, 0.1]), np.array([0.9, 0.1, 0.1, 0.1, 0.9])
    found = net_benefit_difference(y, a, b, 0.2, 0.1)

    def net_benefit(score):
        return sum((1 if t else -0.25) for t, s in zip(y, score, strict=True) if s >= 0.2) / len(y)

    gains = [0, 1, -0.25, 0, 0.25]
    mean = sum(gains) / 5
    sd = math.sqrt(sum((g - mean) ** 2 for g in gains) / 4 / 5)
    assert found.difference == pytest.approx(net_benefit(a) - net_benefit(b))
    half = stats.norm.isf(0.05) * sd
    assert tuple(found) == pytest.approx((mean, mean - half, mean + half))
    assert found.p_value == pytest.approx(2 * stats.norm.sf(mean / sd))


@pytest.mark.parametrize("call", [sensitivity_difference, net_benefit_difference])
def test_equal_scores_differ_in_nothing(call):
    y, score = scored(np.random.default_rng(0), 40)
    found = call(y, score, score, 0.4)
    assert found.difference == 0
    assert found.p_value == 1


def test_decisions_that_agree_on_all_points_may_differ_on_others():
    """By hand: at most a share 1 - .05 ** (1 / 4) of the population differs in one direction or the
    other.
    """
    y, a, b = [0, 1, 0, 1], np.array([0.1, 0.9, 0.2, 0.8]), np.array([0.2, 0.8, 0.1, 0.9])
    far = 1 - 0.05 ** (1 / 4)
    assert tuple(net_benefit_difference(y, a, b, 0.5)) == pytest.approx((0, -far, far))
    found = net_benefit_difference(y, a, b, 0.75)
    assert tuple(found) == pytest.approx((0, -3 * far, 3 * far))
    found = net_benefit_difference(y, [0, 1, 0, 1], [1, 0, 1, 0], 0.5)
    assert tuple(found) == pytest.approx((1, 1 - 2 * far, 1))
    assert tuple(net_benefit_difference(y, a, a, 0.5)) == (0, 0, 0)


def test_a_risk_of_one_has_no_net_benefit():
    y, score = scored(np.random.default_rng(0), 40)
    with pytest.raises(ValueError, match=r"threshold: found 1, expected a risk in \(0, 1\)"):
        net_benefit_difference(y, score, score, 1)
