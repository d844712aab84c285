import numpy as np
import pytest
from data import scored

from conformal_roc_widget import comparators

QUICK = {"resamples": 100, "random_state": 0}
CALLS = {
    "bootstrap": lambda y, s, **o: comparators.bootstrap_band(y, s, **QUICK, **o).tpr_lower,
    "simultaneous": lambda y, s, **o: comparators.simultaneous_band(y, s, **QUICK, **o).tpr_upper,
    "ks": lambda y, s, **o: comparators.ks_band(y, s, **o).tpr_lower,
    "binormal": lambda y, s, **o: comparators.working_hotelling_band(y, s, **o).tpr_upper,
    "box": lambda y, s, **o: comparators.clopper_pearson_box(y, s, 0.4, **o).tpr_upper,
    "delong": comparators.delong_interval,
    "test": lambda y, s, **o: comparators.delong_test(y, s, s**2 + 0.1 * np.sin(50 * s), **o),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_the_positive_label_is_the_callers(call, rng):
    y, score = scored(rng, 60)
    names = np.where(y == 1, "benign", "malignant")  # the positive one is not the last one sorted
    np.testing.assert_array_equal(call(names, score, pos_label="benign"), call(y, score))
    np.testing.assert_array_equal(call(y, score, pos_label=1), call(y, score))


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_label_that_does_not_occur_is_refused_with_those_that_do(call, rng):
    y, score = scored(rng, 60)
    with pytest.raises(ValueError, match="pos_label: found 'ill', expected one of 0, 1"):
        call(y, score, pos_label="ill")
