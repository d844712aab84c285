"""The system of runs and its limits, against loops over the definition."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.reliability import score_runs
from conformal_roc_widget.reliability.binomial_limits import lower_limit, upper_limit
from conformal_roc_widget.reliability.score_runs import ScoreRuns


def runs_of(scores):
    """By first and last distinct score of each run, its share of alpha on one side."""
    n, distinct = len(scores), sorted(set(scores))
    lengths, length = {n}, Fraction(16)
    while length < n:
        lengths.add(round(length))
        length *= Fraction(3, 2)
    h = n ** (2 / 3)
    weights = {size: min(size, h) / max(size, h) for size in lengths}
    shares = {}
    for size in lengths:
        starts = sorted({*range(0, n - size, max(1, size // 4)), n - size})
        for start in starts:
            points = sorted(scores)[start : start + size]
            run = distinct.index(points[0]), distinct.index(points[-1])
            share = weights[size] / sum(weights.values()) / len(starts) / 2
            shares[run] = shares.get(run, 0) + share
    return distinct, shares


def probability(k, n, level, hold):
    """The p at which k or more of n have probability `level`, by bisection."""
    low, up = 0.0, 1.0
    for _ in range(200):
        p = (low + up) / 2
        tail = sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))
        low, up = (p, up) if tail < level else (low, p)
    return hold(low)


def limits_by_loops(scores, labels, alpha):
    distinct, shares = runs_of(scores)
    lower, upper = [0.0] * len(distinct), [1.0] * len(distinct)
    for (first, last), share in shares.items():
        run = [
            y for s, y in zip(scores, labels, strict=True) if distinct[first] <= s <= distinct[last]
        ]
        n, k = len(run), sum(run)
        low = probability(k, n, alpha * share, float) if k else 0.0
        up = probability(n - k, n, alpha * share, lambda p: 1 - p) if k < n else 1.0
        for j in range(len(distinct)):
            if j >= last:
                lower[j] = max(lower[j], low)
            if j <= first:
                upper[j] = min(upper[j], up)
    return lower, upper


@given(
    n=st.integers(1, 60),
    values=st.sampled_from([2, 3, 7, 1000]),
    seed=st.integers(0, 999),
    alpha=st.sampled_from([0.01, 0.05, 0.4]),
)
def test_limits_are_those_of_loops_over_runs(n, values, seed, alpha):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, values, n) / values
    labels = (rng.random(n) < scores).astype(int)
    lower, upper = ScoreRuns.of(scores, labels == 1).limits(alpha)
    expected = limits_by_loops(scores.tolist(), labels.tolist(), alpha)
    np.testing.assert_allclose(lower, expected[0], atol=1e-9)
    np.testing.assert_allclose(upper, expected[1], atol=1e-9)


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.5])
@pytest.mark.parametrize("shift", [-3.0, 0.0, 3.0])
def test_limits_that_are_passed_over_bound_nothing(rng, alpha, shift):
    logits = rng.normal(size=4_000)
    runs = ScoreRuns.of(logits, rng.random(4_000) < expit(logits + shift)).joined(300)
    every = runs._runs
    level = alpha * every.share
    low = lower_limit(every.positives, every.points, level)[every.problem]
    high = upper_limit(every.positives, every.points, level)[every.problem]
    places = range(runs.scores.size)
    expected = (
        [max(low[every.last <= place], default=0) for place in places],
        [min(high[every.first >= place], default=1) for place in places],
    )
    np.testing.assert_allclose(runs.limits(alpha), expected, rtol=1e-12, atol=0)


@pytest.mark.parametrize("n", [1, 15, 16, 17, 100, 5000])
@pytest.mark.parametrize("values", [1, 3, 50, 10**9])
def test_levels_of_all_runs_and_both_sides_sum_to_alpha(n, values, rng):
    scores = rng.integers(0, values, n).astype(float)
    runs = ScoreRuns.of(scores, rng.random(n) < 0.5)._runs
    assert 2 * runs.share[runs.problem].sum() == pytest.approx(1, rel=1e-12)


def test_the_runs_know_nothing_of_the_labels(rng):
    scores = rng.integers(0, 40, 300) / 40
    one, other = (ScoreRuns.of(scores, rng.random(300) < share)._runs for share in (0.2, 0.9))
    np.testing.assert_array_equal(one.first, other.first)
    np.testing.assert_array_equal(one.last, other.last)
    np.testing.assert_allclose(one.share[one.problem], other.share[other.problem], rtol=1e-15)


@pytest.mark.parametrize(("n", "values", "most"), [(1, 5, 3), (300, 10**9, 64), (300, 40, 7)])
def test_joined_groups_hold_as_many_points_and_know_no_label(n, values, most, rng):
    scores = rng.integers(0, values, n).astype(float)
    positive = rng.random(n) < 0.4
    joined = ScoreRuns.of(scores, positive).joined(most)
    other = ScoreRuns.of(scores, rng.permutation(positive)).joined(most)
    assert joined.scores.size <= most
    for name in ("scores", "ends", "points"):
        np.testing.assert_array_equal(getattr(joined, name), getattr(other, name))
    for first, last, points, positives in zip(
        joined.scores, joined.ends, joined.points, joined.positives, strict=True
    ):
        inside = (scores >= first) & (scores <= last)
        assert (points, positives) == (inside.sum(), positive[inside].sum())
    assert joined.points.sum() == n
    heaviest = np.unique(scores, return_counts=True)[1].max()
    assert joined.points.max() <= -(-n // most) + heaviest


def test_bounds_of_joined_groups_hold_from_their_ends_on_and_up_to_their_beginnings(rng):
    scores, positive = rng.normal(size=400), rng.random(400) < 0.4
    joined = ScoreRuns.of(scores, positive).joined(20)
    values = np.sort(np.concatenate([scores, joined.scores, joined.ends]))
    low, up = joined.places(values)
    assert low.tolist() == [(joined.ends <= each).sum() for each in values]
    assert up.tolist() == [(joined.scores < each).sum() for each in values]


def test_moved_groups_share_limits_and_nobody_can_change_them(rng):
    scores = np.sort(rng.random(60))
    positive = rng.random(60) < scores
    one = ScoreRuns.of(scores, positive)
    two = one.moved(logit(scores), logit(scores), 1e-9)
    found = one.limits(0.05)
    wanted = [side.copy() for side in found]
    for side in found:
        side[:] = 0
    for side, other in zip(two.limits(0.05), wanted, strict=True):
        np.testing.assert_array_equal(side, other)
    assert set(one._known.limits) == set(two._known.limits) == {0.05}
    assert not ScoreRuns.of(scores, ~positive)._known.limits
    assert not pickle.loads(pickle.dumps(one))._known.limits


def test_limits_are_kept_at_some_alphas_and_of_few_groups(rng, monkeypatch):
    monkeypatch.setattr(score_runs, "KEPT", 2)
    runs = ScoreRuns.of(rng.random(40), rng.random(40) < 0.5)
    runs.limits_at([0.01, 0.02, 0.03])
    assert set(runs._known.limits) == {0.03}
    monkeypatch.setattr(score_runs, "MOST_DISTINCT", 39)
    runs = ScoreRuns.of(rng.random(40), rng.random(40) < 0.5)
    runs.limits(0.01)
    assert not runs._known.limits


def test_a_widget_of_two_arrays_asks_for_the_limits_of_its_groups_once(rng):
    scores = rng.random(80)
    curve = RocEvaluation.from_predictions(rng.random(80) < scores, scores)._observed
    curve.score_groups.limits(0.05)
    assert set(curve.runs_of_places()._known.limits) == {0.05}
