"""Methods without a theory for weights or people refuse them, and one row a person can be drawn."""

import numpy as np
import pytest
from data import scored

from conformal_roc_widget import comparators

CALLS = {
    "ks_band": comparators.ks_band,
    "simultaneous_band": comparators.simultaneous_band,
    "working_hotelling_band": comparators.working_hotelling_band,
    "clopper_pearson_box": lambda y, s, **o: comparators.clopper_pearson_box(y, s, 0.5, **o),
}


@pytest.mark.parametrize("name", CALLS)
def test_methods_that_count_rows_refuse_weights_and_groups_by_name(name, rng):
    y, score = scored(rng, 30)
    with pytest.raises(ValueError, match=f"groups: found groups of rows, expected None: {name}"):
        CALLS[name](y, score, groups=np.arange(30))
    with pytest.raises(ValueError, match=f"sample_weight: found weights, expected None: {name}"):
        CALLS[name](y, score, sample_weight=np.ones(30))


def test_one_row_of_each_person_is_drawn_alike():
    groups = np.array(["b", "a", "b", "c", "b"])
    seen = [comparators.one_row_per_group(groups, random_state=i) for i in range(600)]
    assert all(sorted(groups[rows]) == ["a", "b", "c"] for rows in seen)
    shares = np.bincount(np.concatenate(seen), minlength=5) / 600
    np.testing.assert_allclose(shares, [1 / 3, 1, 1 / 3, 1, 1 / 3], atol=0.07)
