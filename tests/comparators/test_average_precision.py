"""Average precision and its limits against scikit-learn and derivatives by small weights."""

import numpy as np
import pytest
from data import labelled_scores
from hypothesis import given
from scipy.stats import beta
from sklearn.metrics import average_precision_score

from conformal_roc_widget.comparators import average_precision_interval
from conformal_roc_widget.evaluation.figures import average_precision_influences


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
    value, influences = average_precision_influences(y == 1, score, np.full(y.size, 2.0))
    assert value == pytest.approx(average_precision_score(y, score), abs=1e-12)
    expected = [influence(y.tolist(), score.tolist(), row) for row in range(y.size)]
    np.testing.assert_allclose(y.size * influences, expected, atol=2e-6)
    assert abs(influences.sum()) < 1e-9


def test_average_precision_of_four_rows_by_hand():
    # Down the scores: 1, 0, 1, 0. Precisions at the positives are 1 and 2/3.
    ap, lower, upper = found = average_precision_interval([0, 1, 0, 1], [1, 2, 3, 4], 0.05)
    assert ap == pytest.approx(5 / 6)
    _, influences = average_precision_influences(
        np.array([0, 1, 0, 1]) == 1, np.array([1.0, 2, 3, 4]), np.ones(4)
    )
    # E_1 over s' <= s of (y - P(s')) / Q(s'), Q = 3/4 and 1/4 at the positives.
    expected = np.array([0, -1 / 3 + 2 / 9, -4 / 9, 1 / 3 + 2 / 9]) / 4
    np.testing.assert_allclose(influences, expected, atol=1e-12)
    # 5/36 over a variance of 42/81/16 would be more rows than the four that there are. Two
    # positives leave one degree of freedom: a third of these, and 5/3 as one of four is all of it.
    rows = 4 * 1 / 3 * 5 / 3
    k = rows * 5 / 6
    assert lower == pytest.approx(beta.ppf(0.025, k, rows - k + 1))
    assert upper == pytest.approx(beta.ppf(0.975, k + 1, rows - k))
    assert "average precision" in found.target
    assert "large samples" in found.guarantee


def test_separated_labels_have_the_limits_of_the_positives():
    # A share of all of two rows, of which one degree of freedom leaves 10/9.
    assert average_precision_interval([0, 0, 1, 1], [1, 2, 3, 4]) == (
        1.0,
        pytest.approx(0.025 ** (9 / 10)),
        1.0,
    )
    # One positive tells nothing.
    assert average_precision_interval([0, 0, 0, 1], [1, 2, 3, 4]) == (1.0, 0.0, 1.0)
