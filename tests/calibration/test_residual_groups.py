"""Residuals in groups: each test point uses the order statistics of its own group."""

import numpy as np
import oracles
from hypothesis import given
from hypothesis import strategies as st

from conformal_roc_widget import guaranteed_coverage
from conformal_roc_widget.calibration.residuals import GroupedResiduals, Ragged

GROUPS = st.lists(st.lists(st.integers(-3, 3).map(float), max_size=25), min_size=1, max_size=6)


def ragged(groups):
    return Ragged.joined([Ragged.single(np.array(group, dtype=float)) for group in groups])


@given(groups=GROUPS, alpha=st.sampled_from([0.1, 0.2, 0.5]), data=st.data())
def test_each_test_point_has_the_order_statistics_of_its_own_group(groups, alpha, data):
    group = data.draw(st.lists(st.integers(0, len(groups) - 1), min_size=1, max_size=9))
    rule = data.draw(st.sampled_from(["paper", "split"]))
    served = GroupedResiduals.of(ragged(groups), np.array(group))
    found = served.quantiles(alpha, rule)
    expected = [oracles.conformal_quantiles(groups[g], alpha, rule) for g in group]
    np.testing.assert_array_equal(
        np.column_stack([found.lower, found.upper]), [expected[j] for j in served.points]
    )
    assert served.sizes.tolist() == [len(groups[group[j]]) for j in served.points]
    sizes = [len(residuals) for residuals in groups]
    assert (served.smallest, served.largest) == (min(sizes), max(sizes))
    assert found.guaranteed == min(guaranteed_coverage(n, alpha, rule) for n in sizes)


def test_groups_by_hand():
    # groups of 1, 3 and 1 residuals; test points 0 to 3 use groups 1, 0, 2, 1
    served = GroupedResiduals.of(ragged([[5.0], [2.0, 1.0, 3.0], [7.0]]), np.array([1, 0, 2, 1]))
    assert served.points.tolist() == [1, 2, 0, 3]
    assert served.sizes.tolist() == [1, 1, 3, 3]
    found = served.quantiles(0.5, "paper")
    assert found.lower.tolist() == [-np.inf] * 4
    assert found.upper.tolist() == [5.0, 7.0, 3.0, 3.0]


def test_a_label_without_test_points_is_served_by_nothing():
    nothing = GroupedResiduals.of(Ragged.single(np.array([1.0, 2.0])), np.empty(0, dtype=int))
    assert nothing.quantiles(0.5, "paper").lower.size == 0
