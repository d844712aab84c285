"""Logits: finite for probabilities 0 and 1, one-vs-rest for any number of classes, and ties."""

import math
from pathlib import Path

import numpy as np
import oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logit

from conformal_roc_widget.evaluation.sorted_sample import Limits, SortedSample
from conformal_roc_widget.logits import (
    BEYOND,
    TIE,
    clipped,
    finite_one_vs_rest,
    is_clipped,
    just_beyond,
    logit_of,
    one_vs_rest,
)

LIMIT = BEYOND


def test_logits_by_hand():
    found = logit_of(np.array([0.0, 0.5, 0.75, 1.0]))
    np.testing.assert_allclose(found, [-LIMIT, 0.0, math.log(3), LIMIT], rtol=1e-15)
    assert found[0] == -found[3]
    assert is_clipped(found).tolist() == [True, False, False, True]


@given(st.lists(st.floats(0, 1), min_size=1))
def test_a_logit_is_that_of_the_probability_or_beyond_all(probabilities):
    found = logit_of(np.array(probabilities))
    np.testing.assert_allclose(
        found, [oracles.clipped_logit(p) for p in probabilities], rtol=1e-9, atol=1e-9
    )
    assert np.isfinite(found).all()
    assert is_clipped(found[np.isin(probabilities, [0.0, 1.0])]).all()


@given(st.lists(st.sampled_from([0.0, 5e-324, 1e-310, 1e-28, 2.0**-53, 0.3, 1 - 2.0**-53, 1.0])))
def test_logits_keep_the_order_of_probabilities(probabilities):
    """The order is strict for differences above the tie tolerance."""
    ordered = np.unique(np.array(probabilities))
    assert (np.diff(logit_of(ordered)) > TIE).all()
    assert (np.diff(just_beyond(logit_of(ordered))) > TIE).all()


def test_infinite_logs_lie_beyond_finite_ones_of_any_size():
    logs = np.array([[0.0, -3000.0], [0.0, -np.inf], [-np.inf, 0.0]])
    found = finite_one_vs_rest(logs)[:, 1]
    assert found[1] < found[0] == -3000 < found[2]


def test_a_fitted_law_has_zero_and_one_no_farther_than_need_be():
    most = math.log(2.0**53 - 1)
    found = just_beyond(logit_of(np.array([0.0, 0.2, 1.0])))
    np.testing.assert_allclose(found, [-most, math.log(0.25), most])
    found = just_beyond(logit_of(np.array([0.0, 1e-28, 1.0])))
    np.testing.assert_allclose(found, [math.log(1e-28) - 1, math.log(1e-28), 1 - math.log(1e-28)])
    np.testing.assert_allclose(clipped(logit_of(np.array([0.0, 1e-28, 1.0]))), [-most, -most, most])


def test_a_probability_next_to_zero_is_not_clipped():
    assert not is_clipped(logit_of(np.array([5e-324, 1e-300, 2.0**-54]))).any()


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_one_against_the_rest_agrees_with_sums_of_weights(rng, classes):
    logs = rng.normal(size=(20, classes))
    weights = [[math.exp(value) for value in row] for row in logs]
    expected = [[math.log(w / (sum(row) - w)) for w in row] for row in weights]
    np.testing.assert_allclose(one_vs_rest(logs), expected, rtol=1e-9)
    np.testing.assert_array_equal(finite_one_vs_rest(logs), one_vs_rest(logs))


def test_a_class_without_weight_is_infinitely_unlikely_and_clipped_where_that_is_asked():
    logs = np.array([[-np.inf, 0.0], [0.0, -np.inf], [-np.inf, -np.inf]])
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(one_vs_rest(logs)[:2, 1], [np.inf, -np.inf])
    np.testing.assert_array_equal(finite_one_vs_rest(logs)[:, 1], [LIMIT, -LIMIT, 0.0])
    assert is_clipped(finite_one_vs_rest(logs))[:2].all()


PAGE = Path(__file__).parents[1] / "js/src/base/ties.ts"


def test_a_tie_is_above_rounding_and_below_the_eighth_decimal_of_a_score():
    for score in (0.5, 0.999, 1 - 1e-6):
        assert 0 < logit(math.nextafter(score, 2)) - logit(score) < TIE
    scores = np.array([0.1, 0.5, 0.9])
    assert (logit(scores + 1e-8) - logit(scores) > TIE).all()


def test_logits_farther_apart_than_a_tie_are_told_apart():
    limits = Limits(SortedSample(np.array([0.0, 1.0])))
    assert limits.count_above(np.array([0.0, -TIE / 2, -2 * TIE])).tolist() == [1, 1, 2]


def test_the_page_has_the_same_tie():
    assert f"TIE = 2 ** {int(math.log2(TIE))};" in PAGE.read_text()
