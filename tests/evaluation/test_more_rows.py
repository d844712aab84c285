"""Limits with more rows: against SciPy and repeated rows, by hand, and against larger samples from
known distributions.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.comparators import delong_interval
from conformal_roc_widget.evaluation.decisions.population_threshold import RULES

NAMES = sorted(RULES)


def drawn(n, rng, apart=1.5):
    y = (rng.random(n) < 0.4).astype(int)
    return y, expit(rng.normal(size=n) + apart * (y - 0.5))


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(1, 19)), min_size=4, max_size=50),
    st.sampled_from(NAMES),
    st.integers(1, 5),
    st.sampled_from([0.05, 0.3]),
)
def test_as_many_times_the_rows_are_the_rows_repeated(rows, rate, times, alpha):
    """Naively: all rows are repeated several times."""
    y = np.array([0, 1, *(k for k, _ in rows)])
    s = np.array([0.3, 0.7, *(place / 20 for _, place in rows)])
    evaluation, more = (
        RocEvaluation.from_predictions(np.tile(y, t), np.tile(s, t)) for t in (1, times)
    )
    found = evaluation.more_rows(y.size * times, goal={rate: 0.5}, alpha=alpha)
    k, n = RULES[rate].of(more.operating_point(0.5))
    assert np.isnan(found.value) if n == 0 else found.value == k / n
    ends = (0, 1) if n == 0 else stats.binomtest(k, n).proportion_ci(1 - alpha)
    assert [found.lower[0], found.upper[0]] == pytest.approx(list(ends), abs=1e-9)
    one = stats.beta.ppf(alpha, k, n - k + 1) if k else 0
    assert found.least[0] == pytest.approx(one, abs=1e-9)
    # Copies are not independent rows: the variance is that of the rows, divided by the number of
    # copies, except for n - 1.
    area = evaluation.sampled.area
    assert math.isnan(found.auc_lower[0]) == (area is None)
    if area is not None and area.variance:
        wanted = area._replace(variance=area.variance / times).limits(alpha)
        assert (found.auc_lower[0], found.auc_upper[0]) == pytest.approx(wanted)


@given(st.integers(1, 60), st.integers(1, 60), st.sampled_from([0.1, 0.5, 0.8, 0.95]))
def test_enough_are_the_fewest_rows_whose_tail_keeps_the_goal(found, more, goal):
    n = found + more
    y = np.repeat([1, 0], [n, 20])
    s = np.concatenate([np.repeat([0.9, 0.1], [found, more]), np.full(20, 0.05)])
    enough = RocEvaluation.from_predictions(y, s).more_rows(goal={"sensitivity": goal}).enough
    if found / n <= goal:
        assert enough is None
        return

    def tail(rows):
        """P(Bin >= k), interpolated between integers by the beta distribution."""
        share = rows / (n + 20)
        return stats.beta.cdf(goal, found * share, more * share + 1)

    assert enough is not None
    assert tail(enough) <= 0.05 < tail(enough - 1)


def test_the_drawn_example():
    """62 of 73 are found.

    With four times the rows limits are 80 to 89 %, and no number of rows reaches 90 %.
    """
    s = np.concatenate([np.full(62, 0.9), np.full(11, 0.1), np.full(7, 0.7), np.full(120, 0.05)])
    y = np.repeat([1, 0], [73, 127])
    evaluation = RocEvaluation.from_predictions(y, s)
    found = evaluation.more_rows(800, goal={"sensitivity": 0.9})
    assert (found.lower[0].round(2), found.upper[0].round(2)) == (0.80, 0.89)
    assert (found.enough, found.rate, found.promise.kind) == (None, "sensitivity", "none")
    # If all positives are found, the goal needs n positives with 0.9 ** n <= 0.05: 29.
    sure = RocEvaluation.from_predictions(np.repeat([1, 0], 10), np.repeat([0.9, 0.1], 10))
    assert sure.more_rows(goal={"sensitivity": 0.9}).enough == 57  # 28.4 positives
    assert sure.more_rows([58], goal={"sensitivity": 0.9}).least[0] > 0.9


def test_the_frame_has_the_numbers_and_the_defaults_double():
    y, s = drawn(90, np.random.default_rng(0))
    found = RocEvaluation.from_predictions(y, s).more_rows()
    assert found.rows.tolist() == [90, 180, 360, 720, 1440]
    frame = found.to_frame()
    assert frame.attrs["rate"] == "sensitivity"
    assert frame["upper"].to_numpy() - frame["lower"].to_numpy() == pytest.approx(
        found.upper - found.lower
    )
    assert (np.diff(found.upper - found.lower) < 0).all()


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"rows": 0}, "rows: found 0, expected numbers above 0"),
        ({"rows": [100, -1]}, "rows: found -1, expected numbers above 0"),
        ({"rows": "many"}, "rows: "),
        ({"goal": {"recall": 1}}, r"goal: found \{'recall': 1\}, expected a mapping of one of"),
        ({"alpha": 2}, "alpha: "),
        ({"threshold": math.nan}, "threshold"),
    ],
)
def test_what_is_no_question_is_refused(given, found):
    y, s = drawn(60, np.random.default_rng(0))
    with pytest.raises((TypeError, ValueError), match=f"^{found}"):
        RocEvaluation.from_predictions(y, s).more_rows(**given)


def test_rows_that_do_not_count_alike_are_refused():
    y, s = drawn(60, np.random.default_rng(0))
    evaluation = RocEvaluation.from_predictions(y, s, groups_test=np.arange(60) // 2)
    with pytest.raises(ValueError, match="more_rows: found several test rows of one person"):
        evaluation.more_rows()


@pytest.mark.parametrize("apart", [0.8, 2.5])
def test_real_larger_samples_have_such_limits(apart):
    """On average, samples of 150 rows predict the width of limits from 600 other rows."""
    rng = np.random.default_rng(int(10 * apart))
    said, real = [], []
    for _ in range(60):
        small = RocEvaluation.from_predictions(*drawn(150, rng, apart)).more_rows(600)
        said.append([small.upper[0] - small.lower[0], small.auc_upper[0] - small.auc_lower[0]])
        y, s = drawn(600, rng, apart)
        point = RocEvaluation.from_predictions(y, s).operating_point(0.5)
        ends = stats.binomtest(int(point.tp), int(point.tp + point.fn)).proportion_ci()
        _, low, high = delong_interval(y, s)
        real.append([ends.high - ends.low, high - low])
    ratio = np.mean(said, axis=0) / np.mean(real, axis=0)
    assert ratio == pytest.approx([1, 1], abs=0.05)


def test_with_the_rows_that_would_do_about_one_sample_of_two_keeps_the_goal():
    """The rate on new rows is as often below the population's as above it."""
    rng = np.random.default_rng(5)
    evaluation = RocEvaluation.from_predictions(*drawn(400_000, rng, 2.5))
    assert evaluation.operating_point(0.5).tpr == pytest.approx(stats.norm.cdf(1.25), abs=2e-3)
    goal = stats.norm.cdf(1.25) - 0.04
    enough = evaluation.more_rows(goal={"sensitivity": goal}).enough
    kept = 0
    for _ in range(400):
        point = RocEvaluation.from_predictions(*drawn(enough, rng, 2.5)).operating_point(0.5)
        k, n = int(point.tp), int(point.tp + point.fn)
        kept += stats.binom.sf(k - 1, n, goal) <= 0.05
    assert kept / 400 == pytest.approx(0.5, abs=0.08)
