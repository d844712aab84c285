"""The rectangles against loops over ties and bounds, and by hand."""

import math
from fractions import Fraction

import numpy as np
from comparator_cases import split
from data import labelled_scores
from hypothesis import given
from hypothesis import strategies as st

from conformal_roc_widget.comparators import ks_band


def rectangles(negatives, positives, g, alpha):
    """DKW: the lowest and the highest point over all orders of ties that the two bounds allow."""
    each = 1 - math.sqrt(1 - alpha)
    d0, d1 = (math.sqrt(math.log(2 / each) / (2 * len(v))) for v in (negatives, positives))
    f, t = Fraction(0), Fraction(0)
    lowest, highest = [(f, t)], [(f, t)]
    for level in sorted({*negatives, *positives}, reverse=True):
        more_f = Fraction(negatives.count(level), len(negatives))
        more_t = Fraction(positives.count(level), len(positives))
        lowest += [(f + more_f, t), (f + more_f, t + more_t)]
        highest += [(f, t + more_t), (f + more_f, t + more_t)]
        f, t = f + more_f, t + more_t
    low = min(y for x, y in lowest if x >= g - d0 - 1e-12)
    high = max(y for x, y in highest if x <= g + d0 + 1e-12)
    return max(low - d1, 0), min(high + d1, 1)


@given(data=labelled_scores(), alpha=st.sampled_from([0.01, 0.05, 0.3, 0.9]))
def test_rectangles_are_those_of_the_two_bounds(data, alpha):
    y, score = data
    grid = np.linspace(0, 0.95, 20)
    band = ks_band(y, score, alpha, fpr=grid)
    expected = [rectangles(*split(y, score), g, alpha) for g in grid]
    np.testing.assert_allclose(band.tpr_lower, [e[0] for e in expected], atol=1e-12)
    np.testing.assert_allclose(band.tpr_upper, [e[1] for e in expected], atol=1e-12)


def test_rectangles_by_hand():
    # 1 - sqrt(1 - 0.19) = 0.1, so both bounds are sqrt(log(2 / 0.1) / (2 * 50)) = 0.17308.
    y = np.repeat([0, 1], 50)
    score = np.r_[np.arange(50), np.arange(50) + 25.5]
    band = ks_band(y, score, 0.19, fpr=[0.0, 0.3, 1.0])
    d = math.sqrt(math.log(20) / 100)
    # At FPR 0 the upper limit is read where FPR is at most 0.173, which is 8/50. Above score 41
    # there are 34 positives.
    np.testing.assert_allclose(band.tpr_upper, [34 / 50 + d, 1, 1])
    # At FPR 0.3 the lower limit is read where FPR reaches 0.127, which is 7/50. Above score 43
    # there are 32 positives.
    np.testing.assert_allclose(band.tpr_lower, [0, 32 / 50 - d, 1])


def test_a_rate_that_misses_a_vertex_by_rounding_alone_narrows_no_rectangle():
    y, score = np.repeat([0, 1], 50), np.r_[np.arange(50), np.arange(50) + 0.5]
    d = math.sqrt(math.log(20) / 100)  # the bound of the test above
    rates = [k / 50 for k in range(1, 50)]
    # One positive comes before each negative, so at k negatives the curve rises from k to k + 1.
    reached = [rate for rate in rates if rate + d < 1]
    band = ks_band(y, score, 0.19, fpr=[rate + d for rate in reached])
    np.testing.assert_allclose(band.tpr_lower, np.maximum(np.array(reached) - d, 0), atol=1e-12)
    left = [rate for rate in rates if rate - d > 0]
    band = ks_band(y, score, 0.19, fpr=[rate - d for rate in left])
    np.testing.assert_allclose(band.tpr_upper, np.minimum(np.array(left) + 0.02 + d, 1), atol=1e-12)


def test_rectangles_hold_the_straight_line_of_equal_scores():
    band = ks_band(np.resize([0, 1], 1000), np.zeros(1000))
    assert (band.tpr_lower[:-1] == 0).all()
    assert (band.tpr_upper == 1).all()
