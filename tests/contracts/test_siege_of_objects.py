"""Random tests of all entries: objects that are no data raise errors by name.

Also cases that such tests have found.
"""

import math

import numpy as np
import pytest
from data import Logit
from hypothesis import given
from hypothesis import strategies as st
from strategies import FINITE, PROBABILITIES

from conformal_roc_widget import ConformalROC, RocEvaluation, comparators, kernel_logit
from conformal_roc_widget.evaluation.sorted_sample import Limits, SortedSample, share_ranked_above
from conformal_roc_widget.evaluation.support import logistic_slope
from conformal_roc_widget.reliability.binomial_limits import exact_limits

JUNK = st.one_of(
    st.none(),
    st.booleans(),
    FINITE,
    st.text(max_size=3),
    st.sampled_from(
        [math.nan, math.inf, 10**400, 1j, b"\xff", object(), np.datetime64("NaT", "s")]
    ),
)
THINGS = st.one_of(
    JUNK,
    st.lists(JUNK, max_size=5),
    st.lists(st.lists(JUNK, max_size=3), max_size=3),
    st.dictionaries(st.text(max_size=2), JUNK, max_size=2),
    st.lists(PROBABILITIES, max_size=5),
    st.lists(st.integers(0, 2), max_size=5),
)
Y, SCORE = np.array([0, 1, 0, 1, 1]), np.array([0.1, 0.9, 0.2, 0.6, 0.4])
ENTRIES = {
    "from_predictions": (
        RocEvaluation.from_predictions,
        {"y_calibration": Y, "score_calibration": SCORE, "y_test": Y, "score_test": SCORE},
    ),
    "kernel_logit": (kernel_logit, {"X_train": SCORE[:, None], "y_train": Y, "X": SCORE[:, None]}),
    "ks_band": (comparators.ks_band, {"y": Y, "score": SCORE}),
    "delong_test": (comparators.delong_test, {"y": Y, "score_a": SCORE, "score_b": SCORE}),
    "fit": (ConformalROC(Logit()).fit, {"X": SCORE[:, None], "y": Y}),
}


@pytest.mark.filterwarnings("ignore:DeLong's variance:UserWarning")
@given(entry=st.sampled_from(sorted(ENTRIES)), thing=THINGS, data=st.data())
def test_objects_of_any_kind_are_taken_as_data_or_refused_by_name(entry, thing, data):
    function, good = ENTRIES[entry]
    name = data.draw(st.sampled_from(sorted(good)))
    try:
        function(**good | {name: thing})
    except (TypeError, ValueError) as error:
        if not any(argument in str(error) for argument in good):
            raise


def test_a_feature_whose_numbers_have_lost_their_digits_is_left_out_like_one_that_does_not_vary():
    X, y = np.array([[0.0], [5e-324], [5e-324]]), np.array([0, 1, 1])
    np.testing.assert_allclose(kernel_logit(X, y, [[0.0], [5.0]]), math.log(2))


def test_a_feature_whose_squares_underflow_counts_in_its_own_unit():
    X, y, at = np.array([[0.0], [1.0], [1.0]]), np.array([0, 1, 1]), np.array([[0.0], [5.0]])
    found = kernel_logit(1e-200 * X, y, 1e-200 * at)
    np.testing.assert_allclose(found, kernel_logit(X, y, at), rtol=1e-12)


def test_a_bandwidth_that_leaves_the_exponents_no_digit_is_refused():
    with pytest.raises(ValueError, match=r"bandwidth: found points .* bandwidths from their mean"):
        kernel_logit([[0.0], [1.0]], [0, 1], [[0.0]], bandwidth=1e-9)
    score = [0.0, 1.0, 0.5, np.nextafter(0.5, 1)]
    with pytest.raises(ValueError, match=r"bandwidth: found points .* bandwidths from their mean"):
        RocEvaluation.from_predictions([0, 1, 0, 1], score, [0, 1], [0.2, 0.8])


def test_a_point_at_the_end_of_the_numbers_has_a_logit():
    found = kernel_logit([[0.0], [1.0], [3.0]], [0, 1, 1], [[1e100], [-1e100]], bandwidth=[1e-5])
    assert np.isfinite(found).all()


def test_an_alpha_too_small_for_its_own_half_still_gives_limits():
    y, score = [0, 0, 1, 1, 1], [0.1, 0.6, 0.4, 0.7, 0.9]
    band = comparators.ks_band(y, score, 5e-324)
    assert (band.tpr_lower[:-1] == 0).all()
    assert (band.tpr_upper == 1).all()
    assert exact_limits(3, 5, 1e-182) == (0, 1)
    assert comparators.delong_interval(y, score, 5e-324)[1:] == (0, 1)


def test_the_largest_numbers_there_are_can_be_ranked():
    most = np.finfo(float).max
    positives, negatives = (
        SortedSample(np.array([0.0, 2.0, most])),
        SortedSample(np.array([-most, 0.0, 1.0])),
    )
    assert share_ranked_above(Limits(positives), Limits(negatives)) == 7.5 / 9
    assert share_ranked_above(Limits(negatives), Limits(positives)) == 1.5 / 9


def test_a_reference_of_which_one_point_outweighs_all_has_a_slope_without_digits():
    slope, error = logistic_slope(np.array([-0.001, 2e9, 0.001, -1.0]), np.array([0, 0, 1, 1]))
    assert math.isfinite(slope)
    assert error == math.inf
