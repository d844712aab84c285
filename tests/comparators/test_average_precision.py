"""Average precision and its limits against scikit-learn and numerical derivatives."""

import numpy as np
import pytest
from data import labelled_scores
from hypothesis import given
from scipy.stats import beta
from sklearn.metrics import average_precision_score

from conformal_roc_widget.comparators import average_precision_interval
from conformal_roc_widget.evaluation.estimate import Rows
from conformal_roc_widget.evaluation.figures import (
    average_precision,
    average_precision_influences,
    average_precision_of_counts,
    trusted,
)


def weighted_precision(y, score, weight):
    """Average precision with weights, threshold by threshold."""
    total, value = sum(w for w, t in zip(weight, y, strict=True) if t), 0.0
    for s in sorted(set(score)):
        reached = [(w, t) for w, t, v in zip(weight, y, score, strict=True) if v >= s]
        here = sum(w for w, t, v in zip(weight, y, score, strict=True) if t and v == s)
        hits = sum(w for w, t in reached if t)
        value += here / total * hits / sum(w for w, _ in reached)
    return value


def influence(y, score, row, step=1e-6):
    """Derivative of the average precision when the weight of one row increases."""
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


def naive_estimate(y, score):
    """Average precision and its effective number of rows, row by row."""
    rows, n, ones = list(zip(y, score, strict=True)), len(y), sum(y)

    def reached(s):
        return [t for t, v in rows if v >= s]

    def precision(s):
        return sum(reached(s)) / len(reached(s))

    value = sum(precision(s) for t, s in rows if t) / ones
    variance = 0.0
    for t, s in rows:
        below = sum((t - precision(v)) * n / len(reached(v)) for u, v in rows if u and v <= s)
        variance += ((t * (precision(s) - value) * n + below) / ones) ** 2 / n**2
    alike = min(value * (1 - value) / variance, n) if variance > 1e-12 else ones
    return value, alike * (ones - 1) / (ones + 1) * (n + 1) / (n - 1)


@given(data=labelled_scores(min_size=4, max_size=20))
def test_counts_and_rows_give_the_estimate_of_a_loop_over_the_rows(data):
    y, score = data
    thresholds = [np.inf, *sorted(set(score.tolist()), reverse=True)]
    fp, tp = (
        np.array([(score[y == k] >= threshold).sum() for threshold in thresholds]) for k in (0, 1)
    )
    expected = naive_estimate(y.tolist(), score.tolist())
    for found in (
        average_precision_of_counts(fp, tp),
        average_precision(Rows.of(y == 1, score, np.ones(y.size), np.arange(y.size))),
    ):
        assert (found.value, found.rows) == pytest.approx(expected, rel=1e-9)
        assert found.scale == "share"


def test_average_precision_of_four_rows_by_hand():
    # Labels by descending score: 1, 0, 1, 0. Precisions at the positives are 1 and 2/3.
    ap, lower, upper = found = average_precision_interval([0, 1, 0, 1], [1, 2, 3, 4], 0.05)
    assert ap == pytest.approx(5 / 6)
    _, influences = average_precision_influences(
        np.array([0, 1, 0, 1]) == 1, np.array([1.0, 2, 3, 4]), np.ones(4)
    )
    # Mean over the positives with s' <= s of (y - P(s')) / Q(s'), where Q is 3/4 and 1/4 at the
    # positives.
    expected = np.array([0, -1 / 3 + 2 / 9, -4 / 9, 1 / 3 + 2 / 9]) / 4
    np.testing.assert_allclose(influences, expected, atol=1e-12)
    # 5/36 divided by the variance 42/81/16 would be more than the four rows. Two positives leave
    # one degree of freedom, so a third of 4 remains; then 5/3 successes of four.
    rows = 4 * 1 / 3 * 5 / 3
    k = rows * 5 / 6
    assert lower == pytest.approx(beta.ppf(0.025, k, rows - k + 1))
    assert upper == pytest.approx(beta.ppf(0.975, k + 1, rows - k))
    assert "average precision" in found.target
    assert "large samples" in found.guarantee


def test_separated_labels_have_the_limits_of_the_positives():
    # The share is 1 of two rows. With one degree of freedom, 10/9 rows remain.
    assert average_precision_interval([0, 0, 1, 1], [1, 2, 3, 4]) == (
        1.0,
        pytest.approx(0.025 ** (9 / 10)),
        1.0,
    )
    # With one positive there are no limits.
    assert average_precision_interval([0, 0, 0, 1], [1, 2, 3, 4]) == (1.0, 0.0, 1.0)


def test_a_share_of_equal_rows_keeps_their_number_and_one_row_tells_nothing():
    assert [trusted(n, n - 1, n) for n in (2, 3, 50)] == pytest.approx([2, 3, 50])
    assert trusted(1.0, 0.5, 1.0) == 0


@pytest.mark.parametrize(
    ("positives", "found"), [(1, "1 positive:"), (2, "2 positives:"), (50, "50 positives:")]
)
def test_few_positives_are_said_to_bias_the_average_precision(positives, found):
    y = np.arange(120) < positives
    (note,) = average_precision_interval(y, np.arange(120.0)).notes
    assert note.startswith(f"Only {found} with 50 or fewer")


def test_more_than_fifty_positives_are_not_few():
    assert average_precision_interval(np.arange(120) < 51, np.arange(120.0)).notes == ()
