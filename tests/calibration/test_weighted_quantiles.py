"""Weighted order statistics against sums in fractions, repeated rows and unweighted ones."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformal_roc_widget import conformal_quantiles
from conformal_roc_widget.tables.calibration_rows import effective_n

INF = math.inf
RULES = st.sampled_from(["paper", "split"])
ALPHAS = st.sampled_from([0.001, 0.01, 0.05, 0.1, 0.145, 0.2, 0.288, 0.3, 0.5, 0.9, 0.999])


def by_fractions(residuals, alpha, rule, weights, test_weight):
    """From the definition: sums over all candidates, in fractions."""
    a, own = Fraction(str(alpha)), Fraction(test_weight)
    rows = sorted((r, Fraction(w)) for r, w in zip(residuals, weights, strict=True) if w)
    total = sum((w for _, w in rows), own)
    unit = min([w for _, w in rows] + [own]) if rule == "paper" else 0
    lower, upper = -INF, INF
    for i, (r, _) in enumerate(rows):
        before = sum((w for _, w in rows[:i]), Fraction(0))
        if (before + own + unit) / total <= a / 2:
            lower = r
    for i, (r, _) in reversed(list(enumerate(rows))):
        mass = sum((w for _, w in rows[: i + 1]), Fraction(0)) / total
        over = mass > 1 - a / 2 - unit / total if unit else mass >= 1 - a / 2
        if over and mass >= 1 - a:
            upper = r
    return lower, upper


WHOLE = st.lists(st.integers(0, 6), min_size=1, max_size=40).filter(any)


@given(WHOLE, ALPHAS, RULES, st.integers(1, 5))
def test_whole_weights_agree_with_sums_in_fractions(weights, alpha, rule, own):
    r = np.sin(np.arange(len(weights)) * 7.0)
    found = conformal_quantiles(r, alpha, rule, sample_weight=weights, test_weight=own)
    assert found == by_fractions(r.tolist(), alpha, rule, weights, own)


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=40), ALPHAS, RULES, st.floats(0.01, 100))
def test_any_weights_agree_with_sums_in_fractions(weights, alpha, rule, own):
    r = np.arange(len(weights), dtype=float)
    found = conformal_quantiles(r, alpha, rule, sample_weight=weights, test_weight=own)
    # If a bound equals a sum of weights up to rounding, either side is correct.
    near = [
        by_fractions(r.tolist(), alpha, rule, weights, own * (1 + e)) for e in (0, -1e-11, 1e-11)
    ]
    assert found in near


BILLIONS = st.sampled_from([1, 2, 3, 2**40, 2**40 + 1, 3 * 2**41 - 1])


@given(st.lists(BILLIONS, min_size=1, max_size=20), ALPHAS, RULES, BILLIONS)
def test_sums_of_whole_weights_are_never_rounded(weights, alpha, rule, own):
    r = np.arange(len(weights), dtype=float)
    found = conformal_quantiles(r, alpha, rule, sample_weight=weights, test_weight=own)
    assert found == by_fractions(r.tolist(), alpha, rule, weights, own)


@pytest.mark.parametrize(("more", "lower"), [(-2, 0.0), (0, 1.0)])
def test_sums_of_billions_are_compared_to_the_unit(more, lower):
    """A quarter of the total minus the own weight 1 is 2^42, or half a unit less, which 2^42
    exceeds.
    """
    first, total = 2**42, 4 * (2**42 + 1) + more
    found = conformal_quantiles(
        *([0.0, 1.0], 0.5, "split"), sample_weight=[first, total - 1 - first], test_weight=1
    )
    assert found[0] == lower


@given(st.lists(st.integers(4, 12), min_size=1, max_size=40), ALPHAS, RULES, st.integers(4, 9))
def test_quarters_are_not_rounded_to_whole_numbers(quarters, alpha, rule, own):
    """Quarters are exact in floats. In many examples one of them is 1, which is then the unit."""
    r, weights = np.sin(np.arange(len(quarters)) * 7.0), [q / 4 for q in quarters]
    found = conformal_quantiles(r, alpha, rule, sample_weight=weights, test_weight=own / 4)
    assert found == by_fractions(r.tolist(), alpha, rule, weights, own / 4)


def every_size_and_level(rng):
    for n in (*range(1, 120), 4_000):
        whole = rng.integers(1, 4, n)
        for alpha in (0.01, 0.05, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5):
            for rule in ("paper", "split"):
                yield whole, alpha, rule, int(whole[0])


def test_tenths_are_to_each_other_as_the_whole_numbers(rng):
    """In floats 0.3 is not three times 0.1, but a sum must still equal its bound."""
    for whole, alpha, rule, own in every_size_and_level(rng):
        r = np.arange(whole.size, dtype=float)
        expected = conformal_quantiles(r, alpha, rule, sample_weight=whole, test_weight=own)
        found = conformal_quantiles(r, alpha, rule, sample_weight=whole / 10, test_weight=own / 10)
        assert found == expected


def test_so_are_thousands_of_tenths_whose_sums_have_rounded_often():
    """With 6,000 rows the running sum is off by more than the last digit of one weight."""
    whole = np.tile([1.0, 2.0, 3.0], 2_000)
    r = np.arange(whole.size, dtype=float)
    for alpha in (0.01, 0.05, 0.1, 0.2, 0.25, 0.4, 0.5):
        for rule in ("paper", "split"):
            expected = conformal_quantiles(r, alpha, rule, sample_weight=whole, test_weight=1)
            found = conformal_quantiles(r, alpha, rule, sample_weight=whole / 10, test_weight=0.1)
            assert found == expected


def test_a_test_point_of_no_given_weight_is_as_heavy_as_the_heaviest():
    r = [3.0, 1.0, 4.0, 2.0]
    weights = [1, 1, 3, 1]
    for alpha in (0.3, 0.5, 0.7, 0.9):
        found = conformal_quantiles(r, alpha, sample_weight=weights)
        assert found == conformal_quantiles(r, alpha, sample_weight=weights, test_weight=3)
    # The total is 9. At .7 each side has 3.15; the test point's 3 and one unit leave nothing for
    # the lower side. With the lightest weight for the test point, the total would be 7, and 2.45
    # would leave room for one row.
    assert conformal_quantiles(r, 0.7, sample_weight=weights)[0] == -INF
    assert conformal_quantiles(r, 0.7, sample_weight=weights, test_weight=1)[0] == 1.0


@pytest.mark.parametrize(
    ("alpha", "rule", "own", "expected"),
    [
        # Residuals 1, 2, 3, 4 have weights 1, 2, 3, 4. With a test point of weight 1 the total is
        # 11, so each side has 1.1. The test point's own 1 leaves nothing for the lower side; 10 of
        # 11 lie at or below the largest residual.
        (0.2, "split", 1, (1, 4)),
        # The paper's rule moves the lower rank by one unit: 1.1 - 1 leaves no room for the own
        # weight. The upper side needs more than 8.9.
        (0.2, "paper", 1, (-INF, 4)),
        # Each side has 2.2: a mass of 1 lies before the second residual. The upper side needs 8.8,
        # and only 6 lie up to the third.
        (0.4, "split", 1, (2, 4)),
        (0.4, "paper", 1, (1, 4)),
        # Each side has 4.4: a mass of 3 lies before the third residual. The upper side needs more
        # than 5.6, and at least 2.2.
        (0.8, "paper", 1, (2, 3)),
        (0.8, "split", 1, (3, 4)),
        # A test point of weight 20 in a total of 30 is too heavy for both sides.
        (0.4, "paper", 20, (-INF, INF)),
        (0.4, "split", 20, (-INF, INF)),
    ],
)
def test_hand_sized_cases(alpha, rule, own, expected):
    r = [3.0, 1.0, 4.0, 2.0]
    assert conformal_quantiles(r, alpha, rule, sample_weight=r, test_weight=own) == expected


@given(st.lists(st.floats(0.05, 20), min_size=2, max_size=12), ALPHAS, RULES)
def test_the_interval_misses_at_most_alpha_whichever_point_is_the_test_point(weights, alpha, rule):
    """Coverage by definition: each point is the test point with probability proportional to its
    weight.
    """
    r = np.sin(np.arange(len(weights)) * 7.0)
    w = np.array(weights)
    missed = 0.0
    for i in range(w.size):
        rest = np.arange(w.size) != i
        lower, upper = conformal_quantiles(
            r[rest], alpha, rule, sample_weight=w[rest], test_weight=w[i]
        )
        missed += w[i] / w.sum() * (not lower <= r[i] <= upper)
    assert missed <= alpha + 1e-9


@pytest.mark.parametrize(
    ("arguments", "pattern"),
    [
        ({"sample_weight": [1, 2]}, "sample_weight: found 2 rows, expected 3"),
        ({"sample_weight": [1, -2, 1]}, "sample_weight: found -2, expected weights of at least 0"),
        ({"sample_weight": [1, math.nan, 1]}, "sample_weight: found 1 NaN"),
        ({"sample_weight": [0, 0, 0]}, "sample_weight: found zero for every row"),
        ({"test_weight": 0}, "test_weight: found 0, expected a weight above 0"),
        ({"test_weight": math.inf}, "test_weight: found inf"),
    ],
)
def test_bad_weights_are_refused_by_name(arguments, pattern):
    with pytest.raises(ValueError, match=pattern):
        conformal_quantiles([1.0, 2.0, 3.0], 0.1, **arguments)


def test_no_residuals_have_no_limits():
    assert conformal_quantiles([], 0.1, sample_weight=[]) == (-INF, INF)


def test_the_effective_number_of_weights():
    assert effective_n(np.full(7, 0.2)) == pytest.approx(7)
    assert effective_n(np.array([1.0, 2.0, 3.0])) == pytest.approx(36 / 14)
