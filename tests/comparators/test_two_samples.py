"""The observed curve, and the arguments that all comparators share."""

from fractions import Fraction

import numpy as np
from comparator_cases import polygon, split
from data import labelled_scores, scored
from hypothesis import given
from sklearn.metrics import roc_curve

from conformal_roc_widget.comparators import bootstrap_band
from conformal_roc_widget.comparators.two_samples import two_samples


@given(data=labelled_scores())
def test_the_observed_curve_is_the_polygon_through_the_vertices(data):
    y, score = data
    grid = [Fraction(i, 12) for i in range(13)]
    found = two_samples(y, score).tpr_at(np.array([float(g) for g in grid]))
    expected = [float(polygon(*split(y, score), g)) for g in grid]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_a_rate_that_misses_a_vertex_by_rounding_alone_is_read_at_the_vertex():
    y = np.repeat([0, 1], 100)
    score = np.r_[np.arange(100), np.arange(100) + 0.5]
    # 0.29 * 100 is 28.999999999999996 in floats
    assert two_samples(y, score).tpr_at(np.array([0.29]))[0] == 0.30


def test_without_ties_the_curve_is_that_of_scikit_learn_read_as_a_step(rng):
    y, score = scored(rng, 81)
    fpr, tpr, _ = roc_curve(y, score, drop_intermediate=False)
    grid = np.linspace(0, 1, 101)
    expected = tpr[np.searchsorted(fpr, grid + 1e-12, side="right") - 1]
    np.testing.assert_allclose(bootstrap_band(y, score, resamples=100).tpr, expected)
