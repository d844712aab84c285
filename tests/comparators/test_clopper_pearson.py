"""Exact binomial limits against R and by hand. The limits invert the tails in `reliability`."""

import math

import numpy as np
import pytest
from comparator_cases import PROC, every_case
from public_data import CASES

from conformal_roc_widget.comparators import clopper_pearson_box


@every_case
def test_clopper_pearson_agrees_with_r(case):
    y, a, _ = CASES[case]
    said = PROC[case]
    for level in ("0.95", "0.8"):
        point = clopper_pearson_box(y, a, said["threshold"], round(1 - float(level), 6))
        fp, n0, fpr_lower, fpr_upper = said["negatives"][level]
        tp, n1, tpr_lower, tpr_upper = said["positives"][level]
        assert (point.fp, point.tp, point.tn, point.fn) == (fp, tp, n0 - fp, n1 - tp)
        np.testing.assert_allclose(
            [point.fpr_lower, point.fpr_upper, point.tpr_lower, point.tpr_upper],
            [fpr_lower, fpr_upper, tpr_lower, tpr_upper],
            rtol=0,
            atol=1e-9,
        )


def test_a_box_counts_its_threshold_as_positive_and_knows_where_nothing_is_called():
    y, score = [0, 0, 1, 1, 1], [1.0, 2.0, 2.0, 3.0, 4.0]
    point = clopper_pearson_box(y, score, 2.0)
    assert (point.tp, point.fp, point.tn, point.fn) == (3, 1, 1, 0)
    assert (point.tpr, point.fpr, point.precision, point.youden) == (1.0, 0.5, 0.75, 0.5)
    assert point.tpr_upper == 1.0
    assert point.tpr_lower == pytest.approx(0.025 ** (1 / 3))
    above = clopper_pearson_box(y, score, math.inf)
    assert math.isnan(above.precision)
    assert (above.tpr_lower, above.fpr_lower) == (0.0, 0.0)
    assert above.tpr_upper == pytest.approx(1 - 0.025 ** (1 / 3))


def test_a_joint_box_holds_the_point_and_not_each_rate():
    y, score = CASES["tumours: texture, symmetry"][:2]
    joint = clopper_pearson_box(y, score, 20.0, 0.05, joint=True)
    each = clopper_pearson_box(y, score, 20.0, 1 - math.sqrt(0.95))
    assert joint.alpha == 0.05
    assert joint.tpr_lower == pytest.approx(each.tpr_lower, rel=1e-12)
    assert joint.fpr_upper == pytest.approx(each.fpr_upper, rel=1e-12)
