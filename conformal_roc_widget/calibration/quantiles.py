"""Order statistics of the calibration residuals: the only place where an index is rounded."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats, Ints, array_of
from conformal_roc_widget.checks import number, one_of, whole_number

RULES = ("paper", "split")


def exact_alpha(alpha: float) -> Fraction:
    """Significance level as the fraction whose decimal was written: 1/10 for ``0.1``."""
    number(alpha, "alpha", "a number between 0 and 1 (exclusive)", lambda alpha: 0 < alpha < 1)
    # The shortest decimal that names the float is what was typed: [0.1 (19 + 1) / 2] is then 1,
    # where the product of the binary numbers may fall just below a whole number.
    return _fraction(str(alpha))


@lru_cache
def _fraction(decimal: str) -> Fraction:
    return Fraction(decimal)


def check_rule(rule: str, name: str = "rule") -> None:
    """Refuses a quantile rule that is not one of `RULES`."""
    one_of(rule, name, RULES)


def ranks(n: int, alpha: float, rule: str = "paper") -> tuple[int, int]:
    """Ranks of the lower and the upper order statistic, from 1; 0 is ``-inf`` and n + 1 ``+inf``.

    The paper (section 2.2) takes number ``[alpha (n + 1) / 2] - 1`` and number
    ``[(1 - alpha / 2) (n + 1)]``; ``"split"`` takes ``[alpha (n + 1) / 2]`` and
    ``n + 1 - [alpha (n + 1) / 2]``. A pair that would cover less than ``1 - alpha`` is replaced by
    the whole line.
    """
    lower, upper = ranks_of(np.array([n]), alpha, rule)
    return int(lower[0]), int(upper[0])


def ranks_of(sizes: Ints, alpha: float, rule: str) -> tuple[Ints, Ints]:
    """`ranks` for many numbers of residuals (m,) at once."""
    check_rule(rule)
    level = exact_alpha(alpha)
    a, b = level.numerator, level.denominator
    # Whole numbers throughout, so that nothing is rounded; Python's own where 64 bits may not do.
    n = sizes.astype(np.int64 if b < 1 << 30 and sizes.max() < 1 << 30 else object) + 1
    tail = a * n // (2 * b)
    if rule == "paper":
        lower, upper = tail - 1, (2 * b - a) * n // (2 * b)
    else:
        lower, upper = tail, n - tail
    lower, upper = np.maximum(lower, 0), np.minimum(upper, n)
    enough = (upper - lower) * b >= (b - a) * n
    return np.where(enough, lower, 0).astype(np.intp), np.where(enough, upper, n).astype(np.intp)


def guaranteed_coverage(n: int, alpha: float, rule: str = "paper") -> float:
    """Coverage that the pair of order statistics has for exchangeable residuals.

    Parameters
    ----------
    n : int
        Number of calibration residuals.
    alpha : float
        Significance level in (0, 1).
    rule : {"paper", "split"}
        Which pair of order statistics.

    Returns
    -------
    float
        ``(k_up - k_lo) / (n + 1)``, never below ``1 - alpha`` (Proposition 2.1).

    Raises
    ------
    TypeError, ValueError
        If `n` is not a whole number of at least 0, `alpha` is not a number in (0, 1), or the rule
        is unknown.
    """
    n = whole_number(n, "n", 0)
    lower, upper = ranks(n, alpha, rule)
    return (upper - lower) / (n + 1)


def smallest_alpha(n: int, rule: str = "paper") -> float:
    """Significance level below which `n` residuals allow no limit at all."""
    return (1 if rule == "paper" else 2) / (n + 1)


def first_alpha(n: int, rule: str = "paper") -> str:
    """`smallest_alpha` in two digits, rounded up: at the level written there is a limit."""
    exact = Fraction(1 if rule == "paper" else 2, n + 1)
    digits = 1 - math.floor(math.log10(exact))
    return f"{math.ceil(exact * 10**digits) / 10**digits:g}"


def residuals_needed(alpha: float, rule: str = "paper") -> tuple[int, int]:
    """Numbers of residuals from which one limit, and then both, are finite: 19, 79 for .05."""
    level = exact_alpha(alpha)
    one = math.ceil((1 if rule == "paper" else 2) / level) - 1
    both = math.ceil((4 if rule == "paper" else 2) / level) - 1
    return one, both


def conformal_quantiles(
    residuals: ArrayLike, alpha: float, rule: str = "paper"
) -> tuple[float, float]:
    """Lower and upper order statistic ``q_{alpha/2}``, ``q_{1-alpha/2}`` of the residuals.

    Parameters
    ----------
    residuals : array_like of shape (n,)
        Calibration residuals on the logit scale, in any order; infinite ones are legal.
    alpha : float
        Significance level in (0, 1), read as the decimal that was written.
    rule : {"paper", "split"}
        Which pair of order statistics; see `ranks`.

    Returns
    -------
    lower, upper : float
        ``-inf`` and ``+inf`` where the residuals are too few for a limit.

    Raises
    ------
    TypeError, ValueError
        If the residuals are not a sequence of numbers or hold NaN, `alpha` is not a number in
        (0, 1), or the rule is unknown.
    """
    exact_alpha(alpha)
    check_rule(rule)
    values = array_of(residuals, "residuals")
    if values.ndim != 1 or (values.dtype.kind not in "iuf" and values.size):
        raise ValueError(
            f"residuals: found an array of shape {values.shape} and type {values.dtype}, "
            "expected numbers of shape (n,)"
        )
    values = values.astype(np.float64)
    if np.isnan(values).any():
        raise ValueError(f"residuals: found {np.isnan(values).sum()} NaN, expected none")
    lower, upper = ranks(values.size, alpha, rule)
    ordered = between_infinities(np.sort(values))
    return float(ordered[lower]), float(ordered[upper])


def between_infinities(ordered: Floats) -> Floats:
    """Pads sorted residuals with -inf and +inf, so that ``padded[rank]`` is the order statistic."""
    ends = np.full((1, *ordered.shape[1:]), np.inf)
    return np.concatenate([-ends, ordered, ends])
