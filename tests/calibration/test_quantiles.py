import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformal_roc_widget import conformal_quantiles, guaranteed_coverage
from conformal_roc_widget.calibration.quantiles import (
    between_infinities,
    first_alpha,
    ranks_of,
    residuals_needed,
    smallest_alpha,
)

INF = math.inf
DECIMALS = st.integers(1000, 500_000).map(lambda i: str(Decimal(i).scaleb(-6).normalize()))
SIZES = st.one_of(
    st.integers(0, 60), st.sampled_from([78, 79, 199, 249, 359, 374, 399, 998, 999, 1000])
)
RULES = st.sampled_from(["paper", "split"])


def counted(n, alpha, rule="paper"):
    """Ranks, as the quantiles of the numbers 1 to n."""
    return conformal_quantiles(np.arange(1.0, n + 1), alpha, rule)


@pytest.mark.parametrize(
    ("n", "alpha", "lower", "upper"),
    [
        (19, 0.1, -INF, 19),
        (9, 0.2, -INF, 9),
        (9, 0.3, -INF, 8),
        (19, 0.5, 4, 15),
        (78, 0.05, -INF, 77),
        (79, 0.05, 1, 78),
        (999, 0.05, 24, 975),
        (1999, 0.001, -INF, 1999),
        (3999, 0.001, 1, 3998),
        (3, 0.999, -INF, 2),
        # products that floating point rounds to the wrong side of an integer
        (199, 0.29, 28, 171),
        (249, 0.136, 16, 233),
        (359, 0.35, 62, 297),
        (374, 0.288, 53, 321),
        (399, 0.145, 28, 371),
    ],
)
def test_the_papers_order_statistics_in_hand_sized_cases(n, alpha, lower, upper):
    assert counted(n, alpha) == (lower, upper)


@pytest.mark.parametrize(
    ("n", "alpha", "lower", "upper"),
    [
        (19, 0.1, 1, 19),
        (38, 0.05, -INF, INF),
        (39, 0.05, 1, 39),
        (78, 0.05, 1, 78),
        (79, 0.05, 2, 78),
        (199, 0.29, 29, 171),
        (3, 0.999, 1, 3),
    ],
)
def test_the_symmetric_pair_in_hand_sized_cases(n, alpha, lower, upper):
    assert counted(n, alpha, "split") == (lower, upper)


@pytest.mark.parametrize(
    ("n", "alpha", "rule", "coverage"),
    [
        (19, 0.1, "paper", 19 / 20),
        (19, 0.1, "split", 18 / 20),
        (18, 0.05, "paper", 1.0),
        (19, 0.05, "paper", 19 / 20),
        (78, 0.05, "paper", 77 / 79),
        (79, 0.05, "paper", 77 / 80),
        (999, 0.05, "paper", 951 / 1000),
        (999, 0.05, "split", 950 / 1000),
        (0, 0.05, "paper", 1.0),
    ],
)
def test_guaranteed_coverage_in_hand_sized_cases(n, alpha, rule, coverage):
    assert guaranteed_coverage(n, alpha, rule) == coverage


@given(n=SIZES, alpha=DECIMALS, rule=RULES, kind=st.sampled_from([float, np.float64]))
def test_order_statistics_agree_with_exact_rational_arithmetic(n, alpha, rule, kind):
    assert counted(n, kind(alpha), rule) == oracles.conformal_quantiles(
        range(1, n + 1), Fraction(alpha), rule
    )


@given(n=SIZES, alpha=st.floats(1e-9, 1, exclude_max=True), rule=RULES)
def test_an_alpha_of_many_digits_is_read_as_the_decimal_it_prints(n, alpha, rule):
    expected = oracles.conformal_quantiles(range(1, n + 1), Fraction(repr(alpha)), rule)
    assert counted(n, alpha, rule) == expected


def test_more_residuals_than_there_can_be_are_refused():
    assert guaranteed_coverage(2**62 - 1, 0.1) >= 0.9
    for n in (10**30, 2**62):
        with pytest.raises(
            ValueError, match=rf"^n: found {n}, expected a number of residuals below"
        ):
            guaranteed_coverage(n, 0.1)


def test_numbers_beyond_64_bits_are_exact_beside_small_ones():
    sizes = [19, 2**40, 2**61]
    for each, lower, upper in zip(
        sizes, *ranks_of(np.array(sizes), 0.123456789, "paper"), strict=True
    ):
        level = Fraction("0.123456789")
        assert lower == max(level * (each + 1) / 2 // 1 - 1, 0)
        assert upper == (1 - level / 2) * (each + 1) // 1


@pytest.mark.parametrize("rule", ["paper", "split"])
@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.3, 0.123])
def test_so_many_residuals_are_needed_for_one_limit_and_for_both(alpha, rule):
    finite = [np.isfinite(counted(n, alpha, rule)).sum() for n in range(1, 100)]
    one, both = (next(n for n, k in enumerate(finite, 1) if k >= most) for most in (1, 2))
    assert residuals_needed(alpha, rule) == (one, both)
    assert residuals_needed(0.05) == (19, 79)


@pytest.mark.parametrize("residuals", [[[1.0, 2.0]], ["a", "b"], 3.0, [[[]]]])
def test_what_is_no_row_of_numbers_is_refused(residuals):
    with pytest.raises(ValueError, match=r"residuals: found .* expected numbers of shape \(n,\)"):
        conformal_quantiles(residuals, 0.1)


def test_infinities_stand_before_and_after_each_column():
    padded = between_infinities(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    assert padded.tolist() == [[-INF] * 3, [1, 2, 3], [4, 5, 6], [INF] * 3]


@given(n=SIZES, alpha=DECIMALS, rule=RULES)
def test_guaranteed_coverage_agrees_with_exact_rational_arithmetic_and_never_falls_below_its_target(
    n, alpha, rule
):
    exact = oracles.guaranteed_coverage(n, Fraction(alpha), rule)
    assert guaranteed_coverage(n, float(alpha), rule) == float(exact)
    assert exact >= 1 - Fraction(alpha)
    assert guaranteed_coverage(n, float(alpha), rule) >= 1 - float(alpha) - 2**-53


@given(
    residuals=st.lists(
        st.sampled_from([-INF, -2.5, -1.0, 0.0, 0.5, 0.5000001, 3.0, INF]), max_size=40
    ),
    alpha=DECIMALS,
    rule=RULES,
)
def test_infinite_and_tied_residuals_sort_as_such(residuals, alpha, rule):
    found = conformal_quantiles(np.array(residuals), float(alpha), rule)
    assert found == oracles.conformal_quantiles(residuals, Fraction(alpha), rule)


def test_the_answer_is_a_pair_of_plain_floats_and_the_residuals_are_left_as_they_were(rng):
    residuals = rng.normal(size=200)
    before = residuals.copy()
    lower, upper = conformal_quantiles(residuals, 0.1)
    assert (type(lower), type(upper)) == (float, float)
    assert (lower, upper) == oracles.conformal_quantiles(residuals.tolist(), 0.1)
    np.testing.assert_array_equal(residuals, before)


@given(n=st.integers(1, 5_000), rule=RULES)
def test_the_level_said_to_allow_a_limit_allows_one_and_two_digits_less_would_not(n, rule):
    said = Fraction(first_alpha(n, rule))
    last_digit = Fraction(1, 10 ** (1 - math.floor(math.log10(said))))
    if said < 1:
        assert counted(n, float(said), rule) != (-INF, INF)
    assert said - last_digit < Fraction(1 if rule == "paper" else 2, n + 1) <= said


@pytest.mark.parametrize(("rule", "tails"), [("paper", 1), ("split", 2)])
def test_below_its_smallest_level_a_rule_has_no_limit(rule, tails):
    for n in (4, 9, 19, 99):
        level = smallest_alpha(n, rule)
        assert level == pytest.approx(tails / (n + 1))
        assert counted(n, round(level * 1.01, 9), rule) != (-INF, INF)
        assert counted(n, round(level * 0.99, 9), rule) == (-INF, INF)


def test_the_level_said_to_allow_a_limit_by_hand():
    assert first_alpha(12) == "0.077"
    assert first_alpha(19) == "0.05"
    assert first_alpha(99, "split") == "0.02"
    assert first_alpha(6) == "0.15"
