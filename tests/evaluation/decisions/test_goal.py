"""What is known of a goal, against a loop over rows and SciPy's tests, and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.evaluation.decisions.goal import goal_verdict
from conformal_roc_widget.evaluation.decisions.population_threshold import RULES


def by_loops(y, s, rate, threshold):
    """Successes and trials of a rate, row by row."""
    right = of = 0
    for label, score in zip(y, s, strict=True):
        called = score >= threshold
        counts = {
            "sensitivity": label == 1,
            "specificity": label == 0,
            "precision": called,
            "npv": not called,
            "accuracy": True,
        }[rate]
        of += counts
        right += counts and called == (label == 1)
    return right, of


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(1, 19)), min_size=6, max_size=60),
    st.sampled_from(sorted(RULES)),
    st.sampled_from([0.2, 0.6, 0.9]),
    st.integers(0, 20),
    st.sampled_from([0.05, 0.3]),
)
def test_the_numbers_are_those_of_loops(rows, rate, least, twentieths, alpha):
    y, s = [0, 1, *(k for k, _ in rows)], [0.05, 0.95, *(place / 20 for _, place in rows)]
    threshold = twentieths / 20
    evaluation = RocEvaluation.from_predictions(y, s)
    found = goal_verdict(evaluation, {rate: least}, threshold, alpha)
    kept = evaluation.threshold_for(**{rate: least}, confidence=1 - alpha)
    k, n = by_loops(y, s, rate, threshold)
    assert (found.here.k, found.here.n) == (k, n)
    assert (found.found and found.found.threshold) == kept.threshold
    assert found.is_on == (kept.threshold == threshold)
    limits = (0, 1) if not n else stats.binomtest(k, n).proportion_ci(1 - alpha)
    if found.limits:
        assert found.limits == pytest.approx(tuple(limits), abs=1e-9)
    keeps = threshold in thresholds_that_keep(evaluation, s, rate, least, alpha)
    wanted = "kept" if keeps else "missed" if n and limits[1] < least else "open"
    assert found.verdict == wanted
    own = not n or found.is_on or (keeps and limits[0] < least)
    assert (found.limits is None) == own
    if found.found:
        assert (found.found.k, found.found.n) == by_loops(y, s, rate, kept.threshold)
        if found.price:
            what, there, here = found.price
            of = {"fp": (0, True), "fn": (1, False)}[what]
            for at, number in ((kept.threshold, there), (threshold, here)):
                wrong = [label for label, x in zip(y, s, strict=True) if (label, x >= at) == of]
                assert number == len(wrong)


def thresholds_that_keep(evaluation, s, rate, least, alpha):
    """Twentieths that keep the goal: between two scores counts are those at the upper one."""
    grid = [i / 20 for i in range(21)]
    kept = evaluation.threshold_for(**{rate: least}, confidence=1 - alpha)
    if kept.threshold is None:
        return []
    upper = {at: min((x for x in s if x >= at), default=np.inf) for at in grid}
    if rate == "sensitivity":
        return [at for at in grid if upper[at] <= kept.threshold]
    if rate == "specificity":
        return [at for at in grid if upper[at] >= kept.threshold]
    return [at for at in grid if upper[at] < np.inf and kept.keeps_at(upper[at])]


def test_the_drawn_example():
    """62 of 73 found: exact limits by SciPy's own test, and what 73 rows can promise at most."""
    s = np.concatenate(
        [np.linspace(0.6, 0.9, 62), np.linspace(0.1, 0.4, 11), [0.7] * 7, [0.05] * 120]
    )
    y = np.repeat([1, 0], [73, 127])
    found = goal_verdict(RocEvaluation.from_predictions(y, s), {"sensitivity": 0.9}, 0.5, 0.05)
    assert (found.verdict, found.here.k, found.here.n) == ("open", 62, 73)
    assert found.limits == pytest.approx(tuple(stats.binomtest(62, 73).proportion_ci()), abs=1e-9)
    # P(Bin(73, .9) >= 70) is .058 and >= 71 is .020: 71 have to be found, by the third lowest score.
    assert found.found.k == 71
    assert found.found.threshold == pytest.approx(0.16)
    assert found.price == ("fp", 7, 7)
    assert (found.most, found.rows, found.n) == (pytest.approx(0.05 ** (1 / 73)), "positives", 73)


def test_rows_that_do_not_count_alike_have_no_verdict():
    y, s = np.tile([0, 1], 20), np.linspace(0.1, 0.9, 40)
    evaluation = RocEvaluation.from_predictions(y, s, sample_weight_test=1 + np.arange(40) % 3)
    assert goal_verdict(evaluation, {"sensitivity": 0.9}, 0.5, 0.05) is None
