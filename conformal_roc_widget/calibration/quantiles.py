"""Finds order statistics of the calibration residuals. Only this file rounds ranks."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats, Ints, array_of, row_weights_of
from conformal_roc_widget.checks import number, one_of, whole_number
from conformal_roc_widget.choices import RuleName

RULES = get_args(RuleName)
#: If weights are not whole, two sums of weights count as equal if their relative difference is less
#: than this.
SAME_MASS = 2.0**-40
#: Up to this number, floats represent sums of whole weights exactly.
WHOLE = 2.0**53


#: This many residuals or more are refused, because their ranks might not fit into 64 bits.
MOST = 1 << 62
#: If alpha is not valid, the error says with these words what is expected.
ALPHA = "a number between 0 and 1 (exclusive), 0.05 for 95 %"


def exact_alpha(alpha: float) -> Fraction:
    """Returns alpha as an exact fraction, read as the written decimal: 1/10 for ``0.1``."""
    number(alpha, "alpha", ALPHA, lambda alpha: 0 < alpha < 1)
    # The shortest decimal of the float is what the user typed. For example, the integer part of 0.1
    # (19 + 1) / 2 is 1 for the decimal 0.1. For the binary number, the product might be just below
    # 1.
    return _fraction(str(alpha))


# A page asks for the same 180 values of alpha again and again, so their fractions are cached.
_fraction = lru_cache(maxsize=1024)(Fraction)


def check_rule(rule: str, name: str = "rule") -> None:
    """Refuses a quantile rule that is not one of `RULES`."""
    one_of(rule, name, RULES)


def ranks(n: int, alpha: float, rule: str = "paper") -> tuple[int, int]:
    """Returns the ranks of the lower and the upper order statistic, from 0 (-inf) to n + 1 (+inf).

    The paper (section 2.2) takes the order statistics number ``[alpha (n + 1) / 2] - 1`` and number
    ``[(1 - alpha / 2) (n + 1)]``. The rule ``"split"`` takes ``[alpha (n + 1) / 2]`` and ``n + 1 -
    [alpha (n + 1) / 2]``. If a pair would cover less than ``1 - alpha``, the limits are infinite.
    """
    check_rule(rule)
    return _ranks(int(n), exact_alpha(alpha), rule)


# A page asks for the same 180 values of alpha and the same few sizes again and again, so the ranks
# are cached.
@lru_cache(maxsize=4096)
def _ranks(n: int, level: Fraction, rule: str) -> tuple[int, int]:
    lower, upper = _ranks_at(np.array([n]), level, rule)
    return int(lower[0]), int(upper[0])


def ranks_of(sizes: Ints, alpha: float, rule: str) -> tuple[Ints, Ints]:
    """Returns `ranks` for each of many numbers of residuals, `sizes` (m,)."""
    check_rule(rule)
    return _ranks_at(sizes, exact_alpha(alpha), rule)


def _ranks_at(sizes: Ints, level: Fraction, rule: str) -> tuple[Ints, Ints]:
    a, b = level.numerator, level.denominator
    # Ranks are computed with whole numbers, which have no rounding errors. If 64 bits may be too
    # few, Python's own integers are used.
    n = sizes.astype(np.int64 if b < 1 << 30 and sizes.max() < 1 << 30 else object) + 1
    tail = a * n // (2 * b)
    if rule == "paper":
        lower, upper = tail - 1, (2 * b - a) * n // (2 * b)
    else:
        lower, upper = tail, n - tail
    lower, upper = np.maximum(lower, 0), np.minimum(upper, n)
    enough = (upper - lower) * b >= (b - a) * n
    return np.where(enough, lower, 0).astype(np.intp), np.where(enough, upper, n).astype(np.intp)


class Masses(NamedTuple):
    """The cumulative weights of sorted residuals, which give the `ranks` if residuals have weights.

    Let S be the sum of all weights, the test point's included. A residual of weight w has the mass
    ``w / S``. The residual of the test point is unknown, so its mass ``w_test / S`` is placed at
    infinity (Tibshirani, Foygel Barber, Candes and Ramdas 2019). If weights are likelihood ratios,
    the residual of the test point exceeds the r-th smallest one with at most the probability of the
    mass above it.

    ``"split"`` leaves the mass ``alpha / 2`` on both sides. ``"paper"`` moves one unit from below
    to above, as the paper's ranks do. The unit is the smallest weight, the test point's included,
    which is one rank if all weights are equal. It does not depend on the order of the points, so
    ``1 - alpha`` holds for any weights, nor on other test points. If all rows have weight 1, both
    rules equal those of `ranks`.

    Parameters
    ----------
    below : ndarray of shape (n + 1,)
        Sum of the weights before each residual, and of all weights, in units of `scale`.
    lightest : float
        The smallest weight of a residual, in the same unit. If 0, ``"paper"`` moves nothing.
    scale : float
        The smallest weight, those of all test points included. It is the unit of all weights. Test
        weights are divided by it.
    whole : bool
        Whether all weights are whole multiples of `scale`, so that sums are exact.
    """

    below: Floats
    lightest: float
    scale: float
    whole: bool

    @classmethod
    def of(cls, weights: Floats, test_weights: Floats, moves: bool = True) -> Masses:
        """Sums positive weights (n,) of ascending residuals.

        `test_weights` are the positive weights of the test points (g,). `moves` tells whether the
        rule ``"paper"`` shifts the limits by the mass of a row.
        """
        scale = float(min(weights.min(initial=np.inf), test_weights.min()))
        scaled, tests = weights / scale, test_weights / scale
        whole = all(bool((values == np.rint(values)).all()) for values in (scaled, tests))
        below = np.concatenate([[0.0], np.cumsum(scaled)])
        whole = whole and below[-1] + float(tests.max()) < WHOLE
        lightest = float(scaled.min(initial=np.inf)) if moves else 0.0
        return cls(below, lightest, scale, whole)

    def moved(self, test_weight: float) -> float:
        """Returns how far ``"paper"`` moves a point's limits, as a mass in units of `scale`."""
        return min(self.lightest, test_weight / self.scale)

    def ranks(self, test_weight: float, alpha: float, rule: str) -> tuple[int, int]:
        """Returns the ranks of both order statistics for a test point of weight `test_weight`.

        Ranks start at 1. Rank 0 is ``-inf`` and rank n + 1 is ``+inf``.
        """
        check_rule(rule)
        level = exact_alpha(alpha)
        own, unit = Fraction(test_weight / self.scale), Fraction(0)
        if rule == "paper":
            unit = Fraction(self.moved(test_weight))
        total = Fraction(float(self.below[-1])) + own
        # The lower limit is the largest residual for which the residuals below it and the test
        # point (`own`) weigh at most alpha / 2 of the total. The rule "paper" adds `unit` to this
        # weight.
        lower = self._up_to(total * level / 2 - own - unit)
        if unit:
            # With the rule "paper", the residuals up to the upper limit weigh more than 1 - alpha /
            # 2 of the total minus `unit`. They also weigh at least 1 - alpha of the total.
            first = self._up_to(total * (1 - level / 2) - unit)
            upper = max(first, self._from(total * (1 - level)))
        else:
            upper = self._from(total * (1 - level / 2))
        return lower, upper

    def _up_to(self, bound: Fraction) -> int:
        """Returns the number of the sums in `below` that are at most `bound`."""
        if self.whole:
            limit: float = math.floor(bound)
        else:
            limit = float(bound) + SAME_MASS * float(self.below[-1])
        return int(np.searchsorted(self.below, limit, side="right"))

    def _from(self, bound: Fraction) -> int:
        """Returns the index of the first sum in `below` that is at least `bound`."""
        if self.whole:
            limit: float = math.ceil(bound)
        else:
            limit = float(bound) - SAME_MASS * float(self.below[-1])
        return int(np.searchsorted(self.below, limit, side="left"))


def guaranteed_coverage(n: int, alpha: float, rule: RuleName = "paper") -> float:
    """Returns the coverage of the two order statistics if residuals are exchangeable.

    Parameters
    ----------
    n : int
        Number of calibration residuals.
    alpha : float
        Significance level in (0, 1).
    rule : {"paper", "split"}
        Which pair of order statistics is taken.

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
    if n >= MOST:
        raise ValueError(f"n: found {n!r:.80}, expected a number of residuals below {MOST:,}")
    lower, upper = ranks(n, alpha, rule)
    return (upper - lower) / (n + 1)


def smallest_alpha(n: int, rule: str = "paper") -> float:
    """Returns the significance level below which `n` residuals give no limit at all."""
    return (1 if rule == "paper" else 2) / (n + 1)


def first_alpha(n: int, rule: str = "paper") -> str:
    """Writes `smallest_alpha`, rounded up to two digits. At the written alpha a limit exists."""
    return written_up(Fraction(1 if rule == "paper" else 2, n + 1))


def written_up(level: Fraction | float) -> str:
    """Writes the number `level`, rounded up to two significant digits."""
    exact = Fraction(level)
    digits = 1 - math.floor(math.log10(exact))
    return f"{math.ceil(exact * 10**digits) / 10**digits:g}"


def residuals_needed(alpha: float, rule: str = "paper") -> tuple[int, int]:
    """How many residuals one limit needs, and how many both need: 19 and 79 at alpha = .05."""
    level = exact_alpha(alpha)
    one = math.ceil((1 if rule == "paper" else 2) / level) - 1
    both = math.ceil((4 if rule == "paper" else 2) / level) - 1
    return one, both


def checked_residuals(residuals: ArrayLike, name: str) -> Floats:
    """Returns a checked copy of `residuals` (n,). Infinite ones are allowed.

    Errors call the argument `name`.
    """
    values = array_of(residuals, name)
    if values.ndim != 1 or (values.dtype.kind not in "iuf" and values.size):
        raise ValueError(
            f"{name}: found an array of shape {values.shape} and type {values.dtype}, "
            "expected numbers of shape (n,)"
        )
    values = values.astype(np.float64)
    if np.isnan(values).any():
        raise ValueError(f"{name}: found {np.isnan(values).sum()} NaN, expected none")
    return values


def conformal_quantiles(
    residuals: ArrayLike,
    alpha: float,
    rule: RuleName = "paper",
    *,
    sample_weight: ArrayLike | None = None,
    test_weight: float | None = None,
) -> tuple[float, float]:
    """Returns the order statistics ``q_{alpha/2}`` and ``q_{1-alpha/2}`` of the residuals.

    Parameters
    ----------
    residuals : array_like of shape (n,)
        Calibration residuals on the logit scale, in any order. Infinite ones are allowed.
    alpha : float
        Significance level in (0, 1). It is read as the decimal that was written.
    rule : {"paper", "split"}
        Which pair of order statistics is taken. See `ranks`.
    sample_weight : array_like of shape (n,), optional
        Weights of the residuals: likelihood ratios of the test points' distribution to the
        calibration points'. A row of weight 0 counts as absent. If all weights equal `test_weight`,
        they change nothing. See `Masses`.
    test_weight : float, optional
        Weight of the test point, above 0, whose mass is placed at infinity. By default it is the
        largest weight of a residual.

    Returns
    -------
    lower, upper : float
        If there are too few residuals for a limit, it is ``-inf`` or ``+inf``.

    Raises
    ------
    TypeError, ValueError
        If the residuals are not a sequence of numbers or hold NaN, `alpha` is not a number in
        (0, 1), or the rule is unknown.
    """
    exact_alpha(alpha)
    check_rule(rule)
    values = checked_residuals(residuals, "residuals")
    if sample_weight is None and test_weight is None:
        lower, upper = ranks(values.size, alpha, rule)
    else:
        values, weights = _weighted(values, sample_weight)
        heaviest = float(weights.max()) if weights.size else 1.0
        own = heaviest if test_weight is None else test_weight
        number(own, "test_weight", "a weight above 0", lambda weight: 0 < weight < math.inf)
        order = np.argsort(values, kind="stable")
        masses = Masses.of(weights[order], np.array([float(own)]))
        lower, upper = masses.ranks(float(own), alpha, rule)
    ordered = between_infinities(np.sort(values))
    return float(ordered[lower]), float(ordered[upper])


def _weighted(values: Floats, sample_weight: ArrayLike | None) -> tuple[Floats, Floats]:
    """Returns the residuals of positive weight and their weights. By default every weight is 1."""
    if sample_weight is None or not values.size:
        return values, np.ones(values.size)
    weights = row_weights_of(sample_weight, "sample_weight", values.size)
    return values[weights > 0], weights[weights > 0]


def between_infinities(ordered: Floats) -> Floats:
    """Puts -inf before and +inf after sorted residuals, so that index r is the r-th residual."""
    ends = np.full((1, *ordered.shape[1:]), np.inf)
    return np.concatenate([-ends, ordered, ends])
