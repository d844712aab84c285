"""Two scores on the same points, compared at one threshold: sensitivity, and net benefit."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from conformal_roc_widget.arrays import Floats, array_of, cut_of, labelled_scores
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import number
from conformal_roc_widget.evaluation.estimate import POPULATION, Difference, Rows
from conformal_roc_widget.promise import FIXED_THRESHOLD


def sensitivity_difference(
    y: ArrayLike,
    score_a: ArrayLike,
    score_b: ArrayLike,
    threshold: float,
    alpha: float = 0.05,
    *,
    pos_label: Any = None,
) -> Difference:
    """Difference of the sensitivities of two scores at one threshold, on the same positives.

    Only positives that one score alone calls positive say anything: McNemar's margins, b of the
    first and c of the second. The limits are the differences that the score test does not refuse
    (Tango 1998), so they leave out 0 exactly where McNemar's ``(b - c) / sqrt(b + c)`` does, and
    have width where b and c are 0.

    Parameters
    ----------
    y, score_a, score_b : array_like of shape (n,)
        Labels, and both scores in the same order, higher for the positive class.
    threshold : float
        Scores of at least this are called positive. One chosen by looking at these scores voids
        the guarantee.
    alpha : float
        Significance level in (0, 1).
    pos_label : label, optional
        The positive label; by default the second of two in sorted order. With the other one, the
        share of that label that is called positive.

    Returns
    -------
    Difference
        Unpacks into the sensitivity of a less that of b and its limits in [-1, 1]; `z` and
        `p_value` are McNemar's.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    positive, a, b, level = _called(y, score_a, score_b, threshold, alpha, pos_label)
    n = int(positive.sum())
    only_a, only_b = int((a & ~b & positive).sum()), int((b & ~a & positive).sum())
    value = (only_a - only_b) / n
    discordant = only_a + only_b
    z = (only_a - only_b) / math.sqrt(discordant) if discordant else 0.0
    limits = paired_limits(only_a, only_b, n, level)
    noun = "sensitivity at this threshold"
    return _found((value, *limits), z, alpha, "Tango's score limits", noun)


def paired_limits(b: int, c: int, n: int, alpha: float) -> tuple[float, float]:
    """Tango's (1998) limits of ``(b - c) / n``: of n pairs b differ one way, c the other way."""
    wanted = float(-ndtri(alpha / 2))
    observed = (b - c) / n
    if not b + c:
        # If no pair disagrees, the limits are Wilson's for 0 of n.
        far = wanted**2 / (n + wanted**2)
        return -far, far

    def excess(way: int) -> Callable[[float], float]:
        def at(difference: float) -> float:
            # Maximum-likelihood estimate of the second cell, given this difference.
            half = -b - c + (2 * n - b + c) * difference
            last = -c * difference * (1 - difference)
            cell = (math.sqrt(max(half**2 - 8 * n * last, 0.0)) - half) / (4 * n)
            spread = n * (2 * cell + difference * (1 - difference))
            gap = b - c - n * difference
            return way * gap - wanted * math.sqrt(max(spread, 0.0))

        return at

    # If all n pairs differ one way, Wilson's limit of n of n; a search would end at n of n itself.
    far = n / (n + wanted**2)
    if abs(observed) == 1:
        return (far, 1.0) if observed == 1 else (-1.0, -far)
    lower = float(brentq(excess(1), -1.0, observed, xtol=1e-14))
    upper = float(brentq(excess(-1), observed, 1.0, xtol=1e-14))
    return lower, upper


def net_benefit_difference(
    y: ArrayLike,
    score_a: ArrayLike,
    score_b: ArrayLike,
    threshold: float,
    alpha: float = 0.05,
    *,
    pos_label: Any = None,
) -> Difference:
    """Difference of the net benefits of two scores at one risk, on the same points.

    Net benefit is ``TP / n - FP / n * threshold / (1 - threshold)`` (Vickers and Elkin 2006). Each
    point adds to the difference what the two decisions on it differ in; the limits are the mean of
    these ``-+ z sd``. If all n points add the same and the scores are not equal, the share of the
    population that does not is at most ``1 - alpha ** (1 / n)`` (Clopper and Pearson), and what
    that share may add gives the limits.

    Parameters
    ----------
    y, score_a, score_b : array_like of shape (n,)
        Labels, and both scores in the same order: probabilities of the positive class.
    threshold : float
        Risk in (0, 1) from which on a point is called positive.
    alpha : float
        Significance level in (0, 1).
    pos_label : label, optional
        The positive label; by default the second of two in sorted order.

    Returns
    -------
    Difference
        Unpacks into the net benefit of a less that of b and its limits, in true positives a point.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    risk = number(threshold, "threshold", "a risk in (0, 1)", lambda risk: 0 < risk < 1)
    positive, a, b, level = _called(y, score_a, score_b, risk, alpha, pos_label)
    harm = risk / (1 - risk)
    gains: Floats = (a.astype(float) - b) * np.where(positive, 1.0, -harm)
    gain = Rows(positive, gains).mean(gains, "line")
    value, sd = gain.value, math.sqrt(gain.variance)
    if not (a != b).any():
        z = 0.0
    else:
        z = value / sd if sd else math.nan
    limits = gain.limits(level)
    if not sd and not np.array_equal(array_of(score_a, "score_a"), array_of(score_b, "score_b")):
        rest, most = -math.expm1(math.log(level) / gains.size) if level else 1.0, max(1.0, harm)
        limits = value - rest * (value + most), value + rest * (most - value)
    return _found((value, *limits), z, alpha, "mean of paired gains", "net benefit at this risk")


def _called(
    y: ArrayLike,
    score_a: ArrayLike,
    score_b: ArrayLike,
    threshold: float,
    alpha: float,
    pos_label: Any,
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_], float]:
    """Checked arguments: labels, the calls of each score, and alpha."""
    level = float(exact_alpha(alpha))
    positive, a = labelled_scores(y, score_a, "score_a", pos_label)
    _, b = labelled_scores(y, score_b, "score_b", pos_label)
    cuts = [cut_of(threshold, score) for score in (score_a, score_b)]
    return positive, a >= cuts[0], b >= cuts[1], level


def _found(
    values: tuple[float, float, float], z: float, alpha: float, method: str, noun: str
) -> Difference:
    found = Difference.of(
        values,
        alpha=alpha,
        method=method,
        target=f"difference in {noun}, the same points scored twice, {POPULATION}",
        scope=FIXED_THRESHOLD,
    )
    found.z, found.p_value = z, float(2 * ndtr(-abs(z)))
    return found
