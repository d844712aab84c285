"""Logits: finite where probabilities are 0 or 1, one-vs-rest for any number of classes."""

import math

import numpy as np
import oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformal_roc_widget.logits import (
    SMALLEST_PROBABILITY,
    finite_one_vs_rest,
    is_clipped,
    logit_of,
    one_vs_rest,
)

LIMIT = math.log1p(-SMALLEST_PROBABILITY) - math.log(SMALLEST_PROBABILITY)


def test_logits_by_hand():
    found = logit_of(np.array([0.0, 0.5, 0.75, 1.0]))
    np.testing.assert_allclose(found, [-LIMIT, 0.0, math.log(3), LIMIT], rtol=1e-15)
    assert found[0] == -found[3]
    assert is_clipped(found).tolist() == [True, False, False, True]


@given(st.lists(st.floats(0, 1), min_size=1))
def test_a_logit_is_that_of_the_clipped_probability(probabilities):
    found = logit_of(np.array(probabilities))
    np.testing.assert_allclose(
        found, [oracles.clipped_logit(p) for p in probabilities], rtol=1e-9, atol=1e-9
    )
    assert np.isfinite(found).all()
    assert is_clipped(found[np.isin(probabilities, [0.0, 1.0])]).all()


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
