"""Order statistics of the calibration residuals: the only place where an index is rounded."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats, Ints, array_of, row_weights_of
from conformal_roc_widget.checks import number, one_of, whole_number
from conformal_roc_widget.choices import RuleName

RULES = get_args(RuleName)
#: Sums of weights that differ by less than this share are equal, unless the weights are whole.
SAME_MASS = 2.0**-40
#: Sums of whole weights up to this have no rounding.
WHOLE = 2.0**53


#: An upper bound on the number of residuals: below it, ranks fit into 64 bits.
MOST = 1 << 62
#: The values that alpha may have, in words.
ALPHA = "a number between 0 and 1 (exclusive), 0.05 for 95 %"


def exact_alpha(alpha: float) -> Fraction:
    """Significance level as the fraction whose decimal was written: 1/10 for ``0.1``."""
    number(alpha, "alpha", ALPHA, lambda alpha: 0 < alpha < 1)
    # The shortest decimal that names the float is what was typed: [0.1 (19 + 1) / 2] is then 1,
    # where the product of the binary numbers may fall just below a whole number.
    return Fraction(str(alpha))


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


class Masses(NamedTuple):
    """Running sums of the weights of sorted residuals, for weighted `ranks`.

    A residual of weight w has mass ``w / S`` and the test point, whose residual nobody knows, has
    ``w_test / S`` at infinity, where S is the sum of all weights and of the test point's
    (Tibshirani, Foygel Barber, Candes and Ramdas 2019). If weights are likelihood ratios, the
    residual of the test point is above the r-th smallest with probability at most the mass above.

    ``"split"`` leaves mass ``alpha / 2`` on either side. ``"paper"`` moves one unit from below
    to above, as the paper's ranks do. The unit is the smallest weight of all: one rank where all
    weights are equal. No order of the points changes it, so that ``1 - alpha`` holds for any
    weights. With rows of weight 1 both rules are those of `ranks`.

    Parameters
    ----------
    below : ndarray of shape (n + 1,)
        Sum of the weights before each residual, and of all, in the given unit of weight.
    unit : float
        What ``"paper"`` moves from below to above, in the same unit; 0 moves nothing.
    scale : float
        The unit of weight: test weights are divided by it.
    whole : bool
        Whether all weights are whole multiples of the scale, so that sums are exact.
    """

    below: Floats
    unit: float
    scale: float
    whole: bool

    @classmethod
    def of(cls, weights: Floats, test_weights: Floats, moves: bool = True) -> Masses:
        """Sums up positive weights (n,), for test points of the given positive weights (g,).

        `moves` says whether a unit is moved at all.
        """
        scale = float(min(weights.min(initial=np.inf), test_weights.min()))
        scaled, tests = weights / scale, test_weights / scale
        whole = all(bool((values == np.rint(values)).all()) for values in (scaled, tests))
        below = np.concatenate([[0.0], np.cumsum(scaled)])
        whole = whole and below[-1] + float(tests.max()) < WHOLE
        return cls(below, float(moves), scale, whole)

    def ranks(self, test_weight: float, alpha: float, rule: str) -> tuple[int, int]:
        """Ranks of both order statistics, from 1; 0 is ``-inf`` and n + 1 is ``+inf``."""
        check_rule(rule)
        level = exact_alpha(alpha)
        own, unit = Fraction(test_weight / self.scale), Fraction(0)
        if rule == "paper":
            unit = Fraction(self.unit)
        total = Fraction(float(self.below[-1])) + own
        # The lower limit is the largest residual below which the mass, with the test point's own,
        # is at most alpha / 2.
        lower = self._up_to(total * level / 2 - own - unit)
        if unit:
            # The mass up to the upper limit exceeds the bound, that outside both is at most alpha.
            first = self._up_to(total * (1 - level / 2) - unit)
            upper = max(first, self._from(total * (1 - level)))
        else:
            upper = self._from(total * (1 - level / 2))
        return lower, upper

    def _up_to(self, bound: Fraction) -> int:
        """How many of the sums in `below` are at most the bound."""
        if self.whole:
            limit: float = math.floor(bound)
        else:
            limit = float(bound) + SAME_MASS * float(self.below[-1])
        return int(np.searchsorted(self.below, limit, side="right"))

    def _from(self, bound: Fraction) -> int:
        """Place of the first sum in `below` that is at least the bound."""
        if self.whole:
            limit: float = math.ceil(bound)
        else:
            limit = float(bound) - SAME_MASS * float(self.below[-1])
        return int(np.searchsorted(self.below, limit, side="left"))


def guaranteed_coverage(n: int, alpha: float, rule: RuleName = "paper") -> float:
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
    if n >= MOST:
        raise ValueError(f"n: found {n!r:.80}, expected a number of residuals below {MOST:,}")
    lower, upper = ranks(n, alpha, rule)
    return (upper - lower) / (n + 1)


def smallest_alpha(n: int, rule: str = "paper") -> float:
    """Significance level below which `n` residuals allow no limit at all."""
    return (1 if rule == "paper" else 2) / (n + 1)


def first_alpha(n: int, rule: str = "paper") -> str:
    """`smallest_alpha` in two digits, rounded up: at the level written there is a limit."""
    return written_up(Fraction(1 if rule == "paper" else 2, n + 1))


def written_up(level: Fraction | float) -> str:
    """A level in two digits, rounded up."""
    exact = Fraction(level)
    digits = 1 - math.floor(math.log10(exact))
    return f"{math.ceil(exact * 10**digits) / 10**digits:g}"


def residuals_needed(alpha: float, rule: str = "paper") -> tuple[int, int]:
    """How many residuals one limit takes, and how many both take: 19 and 79 for .05."""
    level = exact_alpha(alpha)
    one = math.ceil((1 if rule == "paper" else 2) / level) - 1
    both = math.ceil((4 if rule == "paper" else 2) / level) - 1
    return one, both


def checked_residuals(residuals: ArrayLike, name: str) -> Floats:
    """A copy of numbers of shape (n,); infinite ones are allowed."""
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
    """Lower and upper order statistic ``q_{alpha/2}``, ``q_{1-alpha/2}`` of the residuals.

    Parameters
    ----------
    residuals : array_like of shape (n,)
        Calibration residuals on the logit scale, in any order; infinite ones are legal.
    alpha : float
        Significance level in (0, 1), read as the decimal that was written.
    rule : {"paper", "split"}
        Which pair of order statistics; see `ranks`.
    sample_weight : array_like of shape (n,), optional
        Weights of the residuals: likelihood ratios of the test points' law over the calibration
        points'. A row of weight 0 is absent, and weights that all equal `test_weight` change
        nothing; see `Masses`.
    test_weight : float, optional
        Weight of the test point, above 0, whose mass lies at infinity; by default the largest
        weight of a residual.

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
    """Residuals of positive weight, and these weights."""
    if sample_weight is None or not values.size:
        return values, np.ones(values.size)
    weights = row_weights_of(sample_weight, "sample_weight", values.size)
    return values[weights > 0], weights[weights > 0]


def between_infinities(ordered: Floats) -> Floats:
    """Pads sorted residuals with -inf and +inf, so that ``padded[rank]`` is the order statistic."""
    ends = np.full((1, *ordered.shape[1:]), np.inf)
    return np.concatenate([-ends, ordered, ends])
