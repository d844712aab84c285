import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformal_roc_widget.evaluation.decisions.youden import (
    largest_gap,
    observed_youden,
    youden_range,
)

INF = math.inf
# Few distinct values give ties, between labels and within them.
VALUES = st.lists(
    st.one_of(st.integers(-3, 3).map(float), st.sampled_from([-INF, INF])), min_size=1, max_size=12
)


def gap_by_loops(ones, zeros):
    """Youden's index at every threshold where a rate can change, and between any two of them."""
    finite = sorted({v for v in [*ones, *zeros] if math.isfinite(v)})
    between = [(a + b) / 2 for a, b in pairwise(finite)]
    ends = [finite[0] - 1, finite[-1] + 1] if finite else [0.0]
    return max(
        sum(v > t for v in ones) / len(ones) - sum(v > t for v in zeros) / len(zeros)
        for t in [-INF, *finite, *between, *ends, INF]
    )


@given(ones=VALUES, zeros=VALUES)
def test_the_largest_gap_agrees_with_loops_over_all_thresholds(ones, zeros):
    found = largest_gap(np.array(ones), np.array(zeros))
    assert found == pytest.approx(gap_by_loops(ones, zeros), abs=1e-12)
    assert 0 <= found <= 1


def test_separated_labels_have_the_index_one_and_reversed_ones_none():
    assert largest_gap(np.array([3.0, 4.0]), np.array([1.0, 2.0])) == 1
    assert largest_gap(np.array([1.0, 2.0]), np.array([3.0, 4.0])) == 0


def test_limits_that_say_nothing_allow_every_index():
    never, always = np.full(3, -INF), np.full(3, INF)
    assert youden_range((never, never), (always, always)) == (0.0, 1.0)


@given(
    points=st.lists(
        st.tuples(st.integers(-4, 4), st.integers(0, 3), st.integers(0, 3), st.booleans()),
        min_size=2,
        max_size=14,
    )
)
def test_a_curve_within_the_intervals_has_an_index_within_the_range(points):
    centre, below, above, one = (np.array(values) for values in zip(*points, strict=True))
    one[:2] = True, False
    lower, upper = (centre - below).astype(float), (centre + above).astype(float)
    low, high = youden_range((lower[~one], lower[one]), (upper[~one], upper[one]))
    rng = np.random.default_rng(int(below.sum()))
    for _ in range(5):
        inside = lower + rng.random(len(points)) * (upper - lower)
        assert low <= largest_gap(inside[one], inside[~one]) <= high


def test_the_range_closes_where_the_intervals_do(rng):
    ones, zeros = rng.normal(1, 1, 30), rng.normal(0, 1, 40)
    index = largest_gap(ones, zeros)
    assert youden_range((zeros, ones), (zeros, ones)) == (index, index)


def test_the_observed_index_is_that_of_the_vertices_with_the_largest_threshold_first():
    # scores 0.9 and 0.7 are positive, 0.8 and 0.1 negative: TPR - FPR is 0, .5, 0, .5, 0
    thresholds = np.array([INF, 0.9, 0.8, 0.7, 0.1])
    fp, tp = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 1, 2, 2])
    assert observed_youden(fp, tp, thresholds) == (0.5, 0.9)


@given(seed=st.integers(0, 10**6), n=st.integers(2, 40))
def test_the_observed_index_agrees_with_the_largest_gap_of_the_scores(seed, n):
    rng = np.random.default_rng(seed)
    scores, labels = rng.integers(0, 8, n) / 8, np.resize([0, 1], n)
    thresholds = np.append(np.unique(scores), INF)[::-1]
    fp, tp = (np.array([(scores[labels == k] >= t).sum() for t in thresholds]) for k in (0, 1))
    index, threshold = observed_youden(fp, tp, thresholds)
    # "at least" one score is "above" the next lower threshold
    assert index == pytest.approx(largest_gap(scores[labels == 1], scores[labels == 0]), abs=1e-12)
    at = thresholds.tolist().index(threshold)
    assert index == pytest.approx(tp[at] / tp[-1] - fp[at] / fp[-1], abs=1e-12)
