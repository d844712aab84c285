"""Compares two scores of the same points at one threshold, by sensitivity and by net benefit."""

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
    """Computes the difference of two scores' sensitivities at one threshold, on the same positives.

    Only positives that exactly one of the scores predicts positive matter: b of the first score and
    c of the second, as in McNemar's test. The limits contain the differences that the score test
    accepts (Tango 1998). So they exclude 0 exactly if McNemar's ``(b - c) / sqrt(b + c)`` is
    significant, and they have a width even if b and c are 0.

    Parameters
    ----------
    y, score_a, score_b : array_like of shape (n,)
        Labels, and both scores in the same order, higher for the positive class.
    threshold : float
        Rows that score at least this are predicted positive. If it was chosen by looking at these
        scores, the guarantee is void.
    alpha : float
        Significance level in (0, 1).
    pos_label : label, optional
        The positive label. By default the second of two in sorted order. Sensitivity is the share
        of its rows that are predicted positive.

    Returns
    -------
    Difference
        Unpacks into the sensitivity of a minus that of b, and its limits in [-1, 1]. `z` and
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
    """Returns Tango's (1998) limits of ``(b - c) / n`` at level `alpha`.

    Of n pairs, b differ in one direction and c in the other direction.
    """
    wanted = float(-ndtri(alpha / 2))
    observed = (b - c) / n
    if not b + c:
        # If no pair differs, the limits are Wilson's limits for a share of 0 among n.
        far = wanted**2 / (n + wanted**2)
        return -far, far

    def excess(way: int) -> Callable[[float], float]:
        def at(difference: float) -> float:
            # `cell` is the maximum-likelihood estimate of the probability that a pair differs in
            # the same direction as the c pairs. The true difference is taken to be `difference`.
            half = -b - c + (2 * n - b + c) * difference
            last = -c * difference * (1 - difference)
            cell = (math.sqrt(max(half**2 - 8 * n * last, 0.0)) - half) / (4 * n)
            spread = n * (2 * cell + difference * (1 - difference))
            gap = b - c - n * difference
            return way * gap - wanted * math.sqrt(max(spread, 0.0))

        return at

    # If all n pairs differ in one direction, the observed difference is 1 or -1, where `brentq` has
    # no interval to search. The limit is then Wilson's limit for a share of n among n.
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
    """Computes the difference of the net benefits of two scores at one risk, on the same points.

    Net benefit is ``TP / n - FP / n * threshold / (1 - threshold)`` (Vickers and Elkin 2006). Each
    point contributes the difference between the benefits of the two predictions. The limits are the
    mean contribution ``-+ z sd``. If all n points contribute the same although the scores differ,
    at most the share ``1 - alpha ** (1 / n)`` of the population contributes something else (Clopper
    and Pearson), and the limits are what this share can contribute.

    Parameters
    ----------
    y, score_a, score_b : array_like of shape (n,)
        Labels, and both scores in the same order: probabilities of the positive class.
    threshold : float
        Risk in (0, 1). Points with at least this risk are predicted positive.
    alpha : float
        Significance level in (0, 1).
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.

    Returns
    -------
    Difference
        Unpacks into the net benefit of a minus that of b, and its limits, in true positives per
        point.

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
    """Checks the arguments. Returns for each row three answers, and alpha.

    The answers are whether the row is positive, and whether each score predicts it positive.
    """
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
