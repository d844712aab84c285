"""Sorted numbers: counts of pairs by search against the double loop."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from conformal_roc_widget.evaluation import sorted_sample
from conformal_roc_widget.evaluation.sorted_sample import (
    Limits,
    SortedSample,
    counts_above,
    ranked_pairs,
    share_ranked_above,
)
from conformal_roc_widget.logits import TIE

INF = math.inf
FEW = st.sampled_from([-INF, -1.5, -0.0, 0.0, 0.1, 0.2, 0.3, 1e-300, 2.0, INF])
VALUES = hnp.arrays(float, st.integers(1, 40), elements=FEW | st.floats(-3, 3))
EIGHTHS = hnp.arrays(float, st.integers(1, 40), elements=st.integers(-8, 8).map(lambda i: i / 8))
SHIFTS = st.sampled_from([0.0, 0.1, -0.3, 1e-17, INF, -INF])


def by_loops(upper, lower, tie=0.0):
    twice = sum((a - tie > b) + (a + tie >= b) for a in upper.tolist() for b in lower.tolist())
    return twice / (2 * upper.size * lower.size)


def assert_share_is_by_loops(samples, shifts, tie):
    limits = (Limits(SortedSample.of(v), s) for v, s in zip(samples, shifts, strict=True))
    found = share_ranked_above(*limits, tie)
    assert found == by_loops(*(v + s for v, s in zip(samples, shifts, strict=True)), tie)


@given(
    upper=VALUES,
    lower=VALUES,
    shifts=st.tuples(SHIFTS, SHIFTS),
    tie=st.sampled_from([0.0, TIE]),
)
def test_the_share_ranked_above_is_the_double_loop_over_the_rounded_sums(upper, lower, shifts, tie):
    upper, lower = (
        v[np.isfinite(v)] if math.isinf(s) else v
        for v, s in zip((upper, lower), shifts, strict=True)
    )
    if not (upper.size and lower.size):
        return
    assert_share_is_by_loops((upper, lower), shifts, tie)


@given(
    high=EIGHTHS,
    low=EIGHTHS,
    tie=st.sampled_from([0.0, 0.125]),
    times=st.sampled_from([1, 3, 2**40]),
)
def test_ranked_pairs_are_those_of_the_double_loop_whatever_a_number_counts(high, low, tie, times):
    """2^40 times 2^40 pairs of equal values do not fit into 64 bits."""

    def counted(values):
        distinct, counts = np.unique(values, return_counts=True)
        return SortedSample.of(distinct, counts * times)

    pairs = [(a - b) for a in high.tolist() for b in low.tolist()]
    expected = sum(d > tie for d in pairs), sum(d < -tie for d in pairs)
    assert ranked_pairs(counted(high), counted(low), tie) == tuple(times**2 * n for n in expected)
    if times == 1:
        assert ranked_pairs(SortedSample.of(high), SortedSample.of(low), tie) == expected


@given(keys=VALUES, table=VALUES, side=st.sampled_from(["left", "right"]))
def test_places_found_block_by_block_are_those_of_one_search(keys, table, side):
    keys, table = np.sort(keys), np.sort(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorted_sample, "BLOCK", 3)
        found = sorted_sample.sorted_places(table, keys, side)
    np.testing.assert_array_equal(found, table.searchsorted(keys, side=side))


@given(
    upper=EIGHTHS,
    lower=EIGHTHS,
    shifts=st.tuples(*[st.sampled_from([0.0, 0.25, -0.625])] * 2),
    tie=st.sampled_from([0.125, 0.25]),
)
def test_numbers_closer_than_a_tie_count_half(upper, lower, shifts, tie):
    """Sums of eighths are exact, so numbers at exactly the tie distance are decided alike."""
    assert_share_is_by_loops((upper, lower), shifts, tie)


@given(upper=VALUES, lower=VALUES, shift=st.sampled_from([0.0, 0.1, -0.3]), key=FEW)
def test_counted_numbers_are_the_same_numbers_one_by_one(upper, lower, shift, key):
    def counted(values):
        return SortedSample.of(*np.unique(values, return_counts=True))

    one, other = counted(upper), counted(lower)
    np.testing.assert_array_equal(one.expanded(), np.sort(upper))
    assert one.size == upper.size
    keys = np.array([key])
    assert one.at_least(keys)[0] == (upper >= key).sum()
    assert one.above(keys)[0] == (upper > key).sum()
    assert Limits(one, shift).count_above(keys)[0] == (upper + shift > key + TIE).sum()
    np.testing.assert_array_equal(one.at_even_ranks(5), SortedSample.of(upper).at_even_ranks(5))
    pairs = [(one, other), (one, SortedSample.of(lower)), (SortedSample.of(upper), other)]
    for a, b in pairs:
        assert share_ranked_above(Limits(a, shift), Limits(b)) == by_loops(upper + shift, lower)


@given(values=VALUES, more=st.integers(0, 2))
def test_no_more_numbers_than_there_are_ranks_come_whole(values, more):
    most, ordered = values.size + more, np.sort(values)
    for sample in (
        SortedSample.of(values),
        SortedSample.of(*np.unique(values, return_counts=True)),
    ):
        np.testing.assert_array_equal(sample.at_even_ranks(most), ordered)
        assert sample.thinned(most) is sample


def test_even_ranks_by_hand():
    """Of 6 numbers, the middles of three equal parts, and of two. Repeated values count repeatedly."""
    sample = SortedSample.of(np.array([10.0, 20.0, 30.0]), np.array([1, 3, 2]))
    np.testing.assert_array_equal(sample.at_even_ranks(3), [20, 20, 30])
    np.testing.assert_array_equal(sample.at_even_ranks(2), [20, 30])
    np.testing.assert_array_equal(sample.thinned(2).values, [20, 30])
    six = SortedSample.of(np.arange(6.0))
    np.testing.assert_array_equal(six.at_even_ranks(5), [0, 1, 3, 4, 5])


def test_counts_of_billions_are_not_too_large():
    many = SortedSample.of(np.array([0.0, 1.0]), np.array([3_000_000_000, 4_000_000_000]))
    assert share_ranked_above(Limits(many), Limits(many)) == 0.5
    assert many.size == 7_000_000_000


def test_counts_go_with_their_values_when_these_are_sorted():
    found = SortedSample.of(np.array([0.3, 0.1, 0.2]), np.array([4, 1, 2]))
    assert found.values.tolist() == [0.1, 0.2, 0.3]
    assert (found.size, found.counts.tolist()) == (7, [1, 2, 4])
    assert SortedSample.of(np.array([0.3, 0.1])).counts is None
    above, at = found.above_and_at(np.array([0.0, 0.1, 0.25, 0.3, 1.0]))
    assert (above.tolist(), at.tolist()) == ([7, 6, 4, 0, 0], [0, 1, 0, 4, 0])


def test_an_infinite_limit_lies_above_every_threshold_but_its_equal():
    logits = np.array([-INF, 0.0, 700.0, INF])
    sample = SortedSample.of(np.array([0.1, 0.2]))
    assert Limits(sample, INF).count_above(logits).tolist() == [2, 2, 2, 0]
    assert Limits(sample, -INF).count_above(logits).tolist() == [0, 0, 0, 0]


def test_limits_at_ranks_count_for_all_that_they_stand_for_and_none_below_zero():
    """Two of five thresholds are at or below 0, where no limit lies, not even ``-inf``."""
    thresholds = np.array([-0.1, 0.0, 0.4, 0.6, 1.0])
    logits = np.array([-INF, -INF, -0.4, 0.4, INF])
    whole = Limits(SortedSample.of(np.array([-0.5, 0.0, 0.1, 0.5])))
    asked = [(whole, 4), (whole, 10), (Limits(whole.centres, -INF), 4)]
    found = [each.tolist() for each in counts_above(asked, thresholds, logits)]
    # Four numbers stand for ten: 3 becomes 7.5, which is rounded to the even 8, and 1 becomes 2.5.
    assert found == [[4, 4, 3, 1, 0], [10, 10, 8, 2, 0], [4, 0, 0, 0, 0]]


@pytest.mark.parametrize("n", [1, 2, 7, 1023, 1024, 1025])
def test_few_keys_are_found_where_all_values_would_be_moved(rng, n):
    table, keys = np.sort(rng.integers(0, 50, n).astype(float)), rng.integers(-2, 53, 99) ** 3.0
    asked = []

    def cubes(some):
        asked.append(some.size)
        return some**3

    for side in ("left", "right"):
        found = sorted_sample.places_after(table, keys, cubes, side)
        np.testing.assert_array_equal(found, (table**3).searchsorted(keys, side))
    assert asked == [99] * (2 * n.bit_length())
