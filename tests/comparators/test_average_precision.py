"""Average precision and its limits against scikit-learn and derivatives by small weights."""

import math

import numpy as np
import pytest
from data import labelled_scores
from hypothesis import given
from scipy import stats
from sklearn.metrics import average_precision_score

from conformal_roc_widget.comparators import average_precision_interval
from conformal_roc_widget.comparators.average_precision import average_precision_influences


def weighted_precision(y, score, weight):
    """Average precision where rows have weights, threshold by threshold."""
    total, value = sum(w for w, t in zip(weight, y, strict=True) if t), 0.0
    for s in sorted(set(score)):
        reached = [(w, t) for w, t, v in zip(weight, y, score, strict=True) if v >= s]
        here = sum(w for w, t, v in zip(weight, y, score, strict=True) if t and v == s)
        hits = sum(w for w, t in reached if t)
        value += here / total * hits / sum(w for w, _ in reached)
    return value


def influence(y, score, row, step=1e-6):
    """Derivative of the average precision as the law moves a little towards one row."""
    n = len(y)
    moved = [
        weighted_precision(
            y, score, [(1 - way * step) / n + way * step * (i == row) for i in range(n)]
        )
        for way in (1, -1)
    ]
    return (moved[0] - moved[1]) / (2 * step)


@given(data=labelled_scores(min_size=4, max_size=12))
def test_the_influences_are_the_derivatives_of_the_average_precision(data):
    y, score = data
    value, influences = average_precision_influences(y == 1, score)
    assert value == pytest.approx(average_precision_score(y, score), abs=1e-12)
    expected = [influence(y.tolist(), score.tolist(), row) for row in range(y.size)]
    np.testing.assert_allclose(influences, expected, atol=2e-6)
    assert abs(influences.sum()) < 1e-9 * y.size


def test_average_precision_of_four_rows_by_hand():
    # Down the scores: 1, 0, 1, 0. Precisions at the positives are 1 and 2/3.
    ap, lower, upper = found = average_precision_interval([0, 1, 0, 1], [1, 2, 3, 4], 0.05)
    assert ap == pytest.approx(5 / 6)
    _, influences = average_precision_influences(
        np.array([0, 1, 0, 1]) == 1, np.array([1.0, 2, 3, 4])
    )
    # E_1 over s' <= s of (y - P(s')) / Q(s'), Q = 3/4 and 1/4 at the positives.
    np.testing.assert_allclose(influences, [0, -1 / 3 + 2 / 9, -4 / 9, 1 / 3 + 2 / 9], atol=1e-12)
    sd = math.sqrt((1 / 81 + 16 / 81 + 25 / 81) / 16)
    half = stats.norm.isf(0.025) * sd / (5 / 36)
    assert math.log(upper / (1 - upper)) == pytest.approx(math.log(5) + half)
    assert math.log(lower / (1 - lower)) == pytest.approx(math.log(5) - half)
    assert "average precision" in found.target
    assert "large samples" in found.guarantee


def test_separated_labels_have_no_width_and_say_so():
    with pytest.warns(UserWarning, match="no statement of certainty"):
        assert average_precision_interval([0, 0, 1, 1], [1, 2, 3, 4]) == (1.0, 1.0, 1.0)
