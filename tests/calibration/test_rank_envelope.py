"""The envelope of ranks: its distribution by enumeration, its limits by counting, and its level."""

import itertools
import math
import time

import numpy as np
import pytest

from conformal_roc_widget.calibration.rank_envelope import (
    DRAWS,
    critical_rank,
    critical_value,
    envelope_ranks,
    largest_deviations,
    most_below,
    ordered_limits,
    share_below,
)


def counts_below(calibration, test, ranks):
    """``N_r`` by counting."""
    ordered = sorted(calibration)
    return [sum(one < ordered[r - 1] for one in test) for r in ranks]


def every_order(n, m):
    """``N_r`` at all ranks for each of the equally likely orders of n + m residuals."""
    for places in itertools.combinations(range(n + m), n):
        yield [place - i for i, place in enumerate(places)]


def naive_counts(centres, residuals, most, m, thresholds):
    """Counts above each threshold by the printed recipe, at the best rank."""
    lower, upper = [], []
    for t in thresholds:
        low = [sum(c + r > t for c in centres) - b for r, b in zip(residuals, most, strict=True)]
        high = [
            sum(c + r >= t for c in centres) + b
            for r, b in zip(residuals, reversed(most), strict=True)
        ]
        lower.append(max(0, *low))
        upper.append(min(m, *high))
    return lower, upper


def test_up_to_64_residuals_every_rank_is_bounded():
    assert envelope_ranks(1).tolist() == [1]
    assert envelope_ranks(64).tolist() == list(range(1, 65))


@pytest.mark.parametrize("n", [65, 66, 127, 128, 1000, 999_999, 1_000_000])
def test_of_more_residuals_64_ranks_stand_evenly_with_their_mirrors(n):
    ranks = envelope_ranks(n)
    assert ranks.size == 64
    assert ranks[0] >= 1
    assert (np.diff(ranks) > 0).all()
    assert (ranks + ranks[::-1] == n + 1).all()
    assert np.abs(np.diff(ranks) - (n + 1) / 64).max() <= 1
    assert ranks.tolist()[:32] == [math.floor((2 * i + 1) * (n + 1) / 128 + 0.5) for i in range(32)]


@pytest.mark.parametrize(("n", "m"), [(1, 1), (2, 3), (3, 4), (5, 3), (4, 6)])
def test_mean_and_deviation_are_those_of_all_orders(n, m):
    counts = np.array(list(every_order(n, m))) / m
    mean, deviation = share_below(n, m)
    assert counts.mean(axis=0) == pytest.approx(mean, abs=1e-12)
    assert counts.std(axis=0) == pytest.approx(deviation, abs=1e-12)


@pytest.mark.parametrize(("n", "m"), [(1, 1), (2, 3), (3, 4), (6, 3), (5, 6)])
def test_the_draws_have_the_law_of_all_orders(n, m):
    mean, deviation = share_below(n, m)
    orders = [
        np.abs((np.array(counts) / m - mean) / deviation).max() for counts in every_order(n, m)
    ]
    drawn = largest_deviations(n, m)
    assert drawn.size == DRAWS
    for value in {round(one, 9) for one in orders}:
        share = np.mean(np.array(orders) <= value + 1e-8)
        error = math.sqrt(share * (1 - share) / DRAWS)
        assert np.mean(drawn <= value + 1e-8) == pytest.approx(share, abs=4 * error + 1e-9)


def test_one_residual_and_one_point_know_nothing():
    # N is 0 or 1, each with probability one half: one standard deviation (1/2) from its mean.
    assert largest_deviations(1, 1).tolist() == [1.0] * DRAWS
    assert critical_value(1, 1, 0.05) == 1.0
    assert most_below(1, 1, 1.0).tolist() == [1]


def test_limits_by_hand():
    # One test point may lie below either rank, but none below the first rank of the mirrored side.
    lower, upper = ordered_limits(
        np.array([0.0, 1.0, 5.0]), np.array([-1.0, 2.0]), np.array([1, 2])
    )
    # R = -1 with B = 1: (-inf, -1, 0); R = 2 with B = 2: (-inf, -inf, 2).
    assert lower.tolist() == [-math.inf, -1.0, 2.0]
    # R = -1 with B = 2: (4, inf, inf); R = 2 with B = 1: (3, 7, inf).
    assert upper.tolist() == [3.0, 7.0, math.inf]


def test_a_count_that_equals_its_limit_is_within_it():
    for n, m in [(19, 19), (65, 200), (5000, 1_000_000)]:
        mean, deviation = share_below(n, m)
        for count in (0, 1, m // 3, m - 1):
            critical = (count / m - mean) / deviation
            held = [most_below(n, m, c)[j] for j, c in enumerate(critical)]
            assert held == [count] * len(held)


def test_an_infinite_value_bounds_nothing():
    assert most_below(19, 7, math.inf).tolist() == [7] * 19
    lower, upper = ordered_limits(np.zeros(7), np.zeros(19), most_below(19, 7, math.inf))
    assert np.isneginf(lower).all()
    assert np.isposinf(upper).all()


def naive_critical_rank(alpha):
    q = math.sqrt(1 - alpha)
    average = math.ceil(q * (DRAWS + 1) - 1e-9)
    # The level of draw number k of a continuous statistic is Beta(k, DRAWS + 1 - k).
    sure = next(
        (
            k
            for k in range(average, DRAWS + 1)
            if sum(
                math.exp(
                    math.lgamma(DRAWS + 1)
                    - math.lgamma(i + 1)
                    - math.lgamma(DRAWS - i + 1)
                    + i * math.log(q)
                    + (DRAWS - i) * math.log1p(-q)
                )
                for i in range(k)
            )
            >= 0.975
        ),
        DRAWS,
    )
    return max(average, sure)


@pytest.mark.parametrize("alpha", [0.0004, 0.001, 0.01, 0.05, 0.1, 0.2])
def test_the_order_statistic_is_that_of_two_labels_and_of_these_draws(alpha):
    assert critical_rank(alpha) == naive_critical_rank(alpha)


def test_without_a_draw_that_far_out_there_is_no_limit():
    assert critical_value(200, 200, 0.0001) == math.inf
    assert critical_value(200, 200, 0.001) == largest_deviations(200, 200)[-1]


@pytest.mark.parametrize("rounded", [False, True])
@pytest.mark.parametrize(("n", "m"), [(5, 9), (64, 30), (80, 17)])
def test_ordered_limits_are_the_counts_of_the_recipe(n, m, rounded):
    rng = np.random.default_rng([n, m])
    centres = np.sort(rng.normal(size=m).round(1) if rounded else rng.normal(size=m))
    residuals = np.sort(rng.normal(size=n).round(1) if rounded else rng.normal(size=n))
    residuals = residuals[envelope_ranks(n) - 1]
    most = most_below(n, m, 1.5)
    sums = rng.choice((centres[:, None] + residuals).ravel(), 40)
    thresholds = np.concatenate([sums, sums + 0.01, [-9.0, 9.0]])
    lower, upper = ordered_limits(centres, residuals, most)
    assert (lower[1:] >= lower[:-1]).all()
    assert (upper[1:] >= upper[:-1]).all()
    expected = naive_counts(centres, residuals, most.tolist(), m, thresholds)
    assert [(lower > t).sum() for t in thresholds] == expected[0]
    assert [(upper >= t).sum() for t in thresholds] == expected[1]


@pytest.mark.parametrize("ties", [False, True])
def test_whenever_the_counts_keep_their_limits_so_do_all_thresholds(ties):
    """The key step of the proof holds in every draw."""
    rng = np.random.default_rng(8)
    held = 0
    for _ in range(300):
        n, m = rng.integers(1, 12, size=2)
        draw = (lambda size: rng.integers(-2, 3, size=size) / 2) if ties else rng.standard_normal
        calibration, test, centres = draw(n), draw(m), draw(m)
        ranks, most = envelope_ranks(n), most_below(n, m, 1.2)
        below = counts_below(calibration, test, ranks)
        above = counts_below(-calibration, -test, ranks)
        if (np.array(below) > most).any() or (np.array(above) > most).any():
            continue
        held += 1
        order = np.argsort(centres)
        lower, upper = ordered_limits(centres[order], np.sort(calibration)[ranks - 1], most)
        truth = np.sort(centres + test)
        assert (lower <= truth + 1e-12).all()
        assert (truth <= upper + 1e-12).all()
    assert held > 100


def holds(n, m, alpha, rng, levels):
    """Whether the counts of both labels are within the limits in a new data set.

    If `levels` is not 0, values are rounded to this many levels, which makes ties.
    """
    most = most_below(n, m, critical_value(n, m, alpha))
    ranks = envelope_ranks(n) - 1
    for _ in range(2):
        calibration, test = rng.random(n), rng.random(m)
        if levels:
            calibration, test = np.floor(levels * calibration), np.floor(levels * test)
        ordered, test = np.sort(calibration)[ranks], np.sort(test)
        below = np.searchsorted(test, ordered, side="left")
        above = m - np.searchsorted(test, ordered, side="right")
        if (below > most).any() or (above > most[::-1]).any():
            return False
    return True


@pytest.mark.parametrize(("n", "m"), [(19, 19), (64, 200), (200, 64), (500, 500)])
def test_the_envelope_has_its_level(n, m):
    rng = np.random.default_rng([n, m, 1])
    kept = np.mean([holds(n, m, 0.1, rng, 0) for _ in range(1000)])
    # Two standard errors. The upper bound also allows for discrete counts and for the conservative
    # choice among the draws.
    assert 0.9 - 0.019 <= kept <= 0.945


@pytest.mark.parametrize("levels", [2, 7])
def test_ties_only_widen_it(levels):
    rng = np.random.default_rng(2)
    assert np.mean([holds(65, 40, 0.1, rng, levels) for _ in range(300)]) >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("m", [19, 64, 200, 1000, 5000])
@pytest.mark.parametrize("n", [19, 64, 65, 200, 1000, 5000])
def test_the_envelope_has_its_level_at_every_size(n, m):
    rng = np.random.default_rng([n, m, 2])
    kept = np.mean([holds(n, m, 0.05, rng, 0) for _ in range(4000)])
    assert kept >= 0.945
    # With few points (of 19), counts are so coarse that the level may jump over the nominal one.
    assert kept <= (0.97 if m >= 64 else 0.995)
    assert np.mean([holds(n, m, 0.05, rng, 5) for _ in range(200)]) >= 0.945


def test_preparation_takes_no_time_at_any_size():
    def seconds(n, m):
        start = time.perf_counter()
        largest_deviations.__wrapped__(n, m)
        return time.perf_counter() - start

    # The limit is 0.2 s for both labels, times five because the machine may be busy.
    assert min(2 * seconds(1_000_000, 1_000_000) for _ in range(3)) < 1.0
