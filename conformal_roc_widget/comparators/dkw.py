"""Finite-sample limits that hold for every law: rectangles for the curve, a box for a point."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.comparators.comparator_band import (
    SIMULTANEOUS,
    ComparatorBand,
    grid_of,
    separated_labels,
    ties,
    two_samples,
)
from conformal_roc_widget.evaluation.band import OperatingPoint
from conformal_roc_widget.text import percent

METHOD = "Dvoretzky-Kiefer-Wolfowitz rectangles"


def ks_band(
    y: ArrayLike, score: ArrayLike, alpha: float = 0.05, *, fpr: ArrayLike | None = None
) -> ComparatorBand:
    """Simultaneous band that holds for every sample size, from the two distribution functions.

    With probability at least ``1 - alpha`` both observed rates lie within
    ``d_k = sqrt(log(2 / (1 - sqrt(1 - alpha))) / (2 n_k))`` of the population's at all thresholds
    (Dvoretzky, Kiefer and Wolfowitz 1956 with the constant of Massart 1990; the samples are
    independent). The curve then stays within the rectangles about the observed one (Campbell 1994):
    at false positive rate g between ``TPR - d_1`` where the observed FPR reaches ``g - d_0``, and
    ``TPR + d_1`` where it leaves ``g + d_0``. Where a positive and a negative have the same score,
    the lower limit takes the negative first and the upper limit the positive: the band then holds
    however ties are broken, and so for the straight lines of a curve of discrete scores too.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes; the second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class; they need not be probabilities.
    alpha : float
        Significance level in (0, 1).
    fpr : array_like of shape (m,), optional
        False positive rates; by default ``linspace(0, 1, 101)``.

    Returns
    -------
    ComparatorBand
        Limits at each false positive rate. Between two rates of the grid the lower limit of the
        first and the upper limit of the second hold.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    exact_alpha(alpha)
    return ks_samples(y, score, fpr=fpr).band(alpha)


@dataclass(frozen=True, eq=False)
class KsSamples:
    """Both observed distribution functions, sorted once; a new alpha costs look-ups.

    Made by `ks_samples`.

    Attributes
    ----------
    fpr : ndarray of shape (m,)
        False positive rates, ascending.
    tpr : ndarray of shape (m,)
        Observed true positive rates.
    sizes : tuple of two int
        Numbers of negatives and positives.
    vertices : tuple of two ndarray of shape (v,)
        False and true positive rates at every threshold, from above all scores downwards.
    notes : tuple of str
        Where the method says less than it seems to, at any alpha.
    """

    fpr: Floats
    tpr: Floats
    sizes: tuple[int, int]
    vertices: tuple[Floats, Floats]
    notes: tuple[str, ...] = ()

    def band(self, alpha: float = 0.05) -> ComparatorBand:
        """The band of `ks_band`.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        ComparatorBand
            Limits at each false positive rate.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1).
        """
        level = float(exact_alpha(alpha))
        # log(2 / (1 - sqrt(1 - alpha))), without the loss of digits for a small alpha.
        log = math.log(2 * (1 + math.sqrt(1 - level))) - math.log(level)
        d0, d1 = (math.sqrt(log / (2 * n)) for n in self.sizes)
        fp, tp = self.vertices
        # Rounding must not narrow the band: rates are whole multiples of 1/n.
        slack = 1e-9 / max(self.sizes)
        reaches = np.searchsorted(fp, self.fpr - d0 - slack, side="left")
        leaves = np.searchsorted(fp, self.fpr + d0 + slack, side="right")
        lower = np.clip(tp[np.maximum(reaches - 1, 0)] - d1, 0, 1)
        upper = np.clip(tp[np.minimum(leaves, tp.size - 1)] + d1, 0, 1)
        lower[self.fpr == 1] = upper[self.fpr == 1] = 1.0
        return ComparatorBand(
            fpr=self.fpr,
            tpr=self.tpr,
            tpr_lower=lower,
            tpr_upper=upper,
            alpha=float(alpha),
            method=METHOD,
            scope=SIMULTANEOUS,
            guarantee=f"at least {percent(1 - level)} for every sample size and every law",
            notes=(*self.notes, *_saying_nothing(self.fpr, lower, upper)),
        )


def ks_samples(y: ArrayLike, score: ArrayLike, *, fpr: ArrayLike | None = None) -> KsSamples:
    """Sort the scores for `ks_band`, which says what it does.

    Parameters
    ----------
    y, score : array_like of shape (n,)
        Labels and scores, as there.
    fpr : array_like of shape (m,), optional
        False positive rates; by default ``linspace(0, 1, 101)``.

    Returns
    -------
    KsSamples
        To be asked at any alpha.

    Raises
    ------
    TypeError, ValueError
        As there.
    """
    samples = two_samples(y, score)
    grid = grid_of(fpr)
    # Thresholds in descending order: above all scores, then each score.
    thresholds = np.append(np.inf, np.unique(np.concatenate(samples))[::-1])
    fp, tp = (
        (scores.size - np.searchsorted(scores, thresholds, side="left")) / scores.size
        for scores in samples
    )
    return KsSamples(
        fpr=grid,
        tpr=samples.tpr_at(grid),
        sizes=(samples.negatives.size, samples.positives.size),
        vertices=(fp, tp),
        notes=(
            *separated_labels(samples),
            *ties(samples, "the band is wide enough for every way to break them."),
        ),
    )


def _saying_nothing(fpr: Floats, lower: Floats, upper: Floats) -> list[str]:
    inside = fpr < 1
    if inside.any() and (lower[inside] == 0).all() and (upper[inside] == 1).all():
        return ["Too few points for this alpha: the band is everything from 0 to 1."]
    return []


def clopper_pearson_box(
    y: ArrayLike,
    score: ArrayLike,
    threshold: float,
    alpha: float = 0.05,
    *,
    joint: bool = False,
) -> OperatingPoint:
    """Exact binomial intervals of both rates at one threshold fixed in advance.

    The limits of k successes in n are the quantiles ``alpha / 2`` of Beta(k, n - k + 1) and
    ``1 - alpha / 2`` of Beta(k + 1, n - k) (Clopper and Pearson 1934). They speak of the rates
    that this classifier has in the population, not of the true probabilities' rates.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes; the second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class; they need not be probabilities.
    threshold : float
        Scores of at least this are called positive. One chosen by looking at these scores voids
        the guarantee.
    alpha : float
        Significance level in (0, 1), of each of the two intervals.
    joint : bool
        Take `alpha` for both intervals together: each then has ``1 - sqrt(1 - alpha)``, and the
        box they span holds the point with at least ``1 - alpha``.

    Returns
    -------
    OperatingPoint
        Counts, rates and limits.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    level = float(exact_alpha(alpha))
    samples = two_samples(y, score)
    if isinstance(threshold, (bool, np.bool_)) or not isinstance(threshold, numbers.Real):
        raise TypeError(f"threshold: found {threshold!r}, expected a number")
    if math.isnan(threshold):
        raise ValueError("threshold: found NaN, expected a number")
    if not isinstance(joint, bool):
        raise TypeError(f"joint: found {joint!r}, expected True or False")
    each = -math.expm1(math.log1p(-level) / 2) if joint else level
    (n0, fp), (n1, tp) = (
        (scores.size, int(scores.size - np.searchsorted(scores, threshold, side="left")))
        for scores in samples
    )
    fpr_lower, fpr_upper = clopper_pearson(fp, n0, each)
    tpr_lower, tpr_upper = clopper_pearson(tp, n1, each)
    return OperatingPoint(
        threshold=float(threshold),
        alpha=float(alpha),
        tp=tp,
        fp=fp,
        tn=n0 - fp,
        fn=n1 - tp,
        tpr=tp / n1,
        tpr_lower=tpr_lower,
        tpr_upper=tpr_upper,
        fpr=fp / n0,
        fpr_lower=fpr_lower,
        fpr_upper=fpr_upper,
        precision=tp / (tp + fp) if tp + fp else math.nan,
        youden=tp / n1 - fp / n0,
    )


def clopper_pearson(successes: int, n: int, alpha: float) -> tuple[float, float]:
    """Exact binomial interval.

    Parameters
    ----------
    successes, n : int
        Successes in n trials, n of at least 1.
    alpha : float
        Significance level in (0, 1).

    Returns
    -------
    lower, upper : float
        Limits in [0, 1].
    """
    misses = n - successes
    lower = betaincinv(successes, misses + 1, alpha / 2) if successes else 0.0
    upper = betaincinv(successes + 1, misses, 1 - alpha / 2) if misses else 1.0
    # For an alpha below some 1e-100 SciPy finds no lower limit; 0 is on the safe side of it.
    return 0.0 if math.isnan(lower) else float(lower), float(upper)
