"""Exact binomial limits against binomial tails, and by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformal_roc_widget.reliability.binomial_limits import lower_limit, upper_limit


def tail(k, n, p):
    return sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))


@given(n=st.integers(1, 40), data=st.data(), level=st.sampled_from([1e-6, 0.001, 0.025, 0.3]))
def test_limits_invert_the_tails(n, data, level):
    k = data.draw(st.integers(0, n))
    low, up = float(lower_limit(k, n, level)), float(upper_limit(k, n, level))
    assert 0 <= low <= k / n <= up <= 1
    assert tail(k, n, low) == pytest.approx(level, rel=1e-7) if k else low == 0
    assert 1 - tail(k + 1, n, up) == pytest.approx(level, rel=1e-6) if k < n else up == 1


def test_by_hand():
    assert lower_limit(1, 1, 0.025) == pytest.approx(0.025, rel=1e-14)
    assert lower_limit(3, 3, 0.001) == pytest.approx(0.1, rel=1e-14)
    assert upper_limit(0, 2, 0.04) == pytest.approx(0.8, rel=1e-14)
    # One or two successes of two: 1 - (1 - p)^2 = 0.19.
    assert lower_limit(1, 2, 0.19) == pytest.approx(0.1, rel=1e-13)


def test_a_level_of_almost_nothing_gives_no_limit_rather_than_a_wrong_one():
    low, up = lower_limit(5, 9, 1e-300), upper_limit(5, 9, 1e-300)
    assert 0 <= low < 1e-20
    assert up == pytest.approx(1)


def test_exchanging_the_labels_mirrors_the_limits():
    k = np.arange(31)
    mirrored = 1 - lower_limit(30 - k, 30, 0.01)
    np.testing.assert_array_equal(upper_limit(k, 30, 0.01), mirrored)
