"""Makes residuals for ``guarantee="curve"``: the band covers the ideal curve at a random threshold.

The paper calibrates intervals for individual points. Its band shifts every score of a label by one
number on each side. Whether the band covers the ideal model's rate at the threshold ``pi(x_s)``
depends on two sorted lists. Let ``L_(1) <= ... <= L_(n)`` be the sorted ``logit p`` of the label's
test points and ``P_(1) <= ... <= P_(n)`` the sorted ``logit pi``. Then the ideal model's count at
the threshold ``P_(s)`` is ``n - s + 1``. If there are no ties among ``P``,

    lower count <= n - s + 1    <=>    s = 1  or  L_(s-1) + q_lo <= P_(s),
    n - s + 1 <= upper count    <=>    L_(s) + q_up > P_(s).

So, up to one place in the order, the band covers at ``P_(s)`` if and only if ``P_(s) - L_(s)`` is
between the limits. These differences of order statistics are called *curve residuals*. The paper
uses differences at the same point instead. A band for the curve is to be calibrated on curve
residuals: if its limits contain a share 1 - alpha of them, the band covers at a share 1 - alpha of
the thresholds, or a little more. Sorting pairs the two lists as closely as possible. So curve
residuals are never more spread out than individual ones (in convex order), and the paper's band is
wider than needed for the curve.

The list ``P`` is not observed. A list that replaces it must be spread like ``pi``. The reference, a
single estimate of ``pi``, is not: the kernel's noise widens it, and smoothing shrinks it. Draws of
the function ``pi`` from its posterior (see `conformal_roc_widget.calibration.references.posterior`)
are spread like ``pi``, and differ from each other as much as the data leave open. Each draw is a
candidate for the ideal curve. The residuals of all draws together give limits that cover 1 - alpha
on average over candidates and thresholds. So the limits allow for a shift of the whole curve,
although one calibration set shows only a single shift. If ``pi`` is known (the oracle of
Proposition 2.1), there is a single draw.

The test points are another sample than the calibration points. To correct for a finite test set,
both lists of a candidate are made from a sample of the calibration points, drawn with replacement
and as large as the test set. The paper's rule for order statistics corrects for a finite
calibration set.

Two assumptions are needed: (A1), that the test points of a label are distributed like its
calibration points, and those of the posterior. As in Theorem 3.2, the guarantee is for one random
threshold, and not for the whole curve.
"""

from __future__ import annotations

import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.calibration.references.posterior import DRAWS, evenly_spaced
from conformal_roc_widget.logits import TIE

#: The number of samples that are drawn from the calibration points, with replacement.
SAMPLES = DRAWS
#: A sample has at most this many points. Larger samples have practically the same quantiles.
MOST_SAMPLED = 10_000


def curve_residuals(draws: Floats, logits: Floats, n_test: int, seed: int = 0) -> Floats:
    """Computes residuals of one label for the band at a random threshold of the ideal curve.

    Parameters
    ----------
    draws : ndarray of shape (n, n_draws)
        Draws of ``logit pi`` at the label's calibration points. Each column is one function. If
        ``pi`` is known, there is a single column.
    logits : ndarray of shape (n,)
        ``logit p`` of the classifier at the same points.
    n_test : int
        Number of test points of the label.
    seed : int
        Seed of the samples.

    Returns
    -------
    ndarray of shape (n,)
        Ascending. They are evenly spaced quantiles of the differences between sorted draws and
        sorted logits. `conformal_quantiles` takes them as residuals, at any alpha.
    """
    n = logits.size
    rng = np.random.default_rng([seed, 2])
    # If ``pi`` is known, `draws` has a single column, and all samples use it. They still differ,
    # because each sample draws its own rows.
    candidates = np.arange(SAMPLES) % draws.shape[1]
    size = min(n_test, MOST_SAMPLED)
    differences = np.empty((size, SAMPLES))
    for column, candidate in enumerate(candidates):
        rows = rng.integers(n, size=size)
        differences[:, column] = np.sort(draws[rows, candidate]) - np.sort(logits[rows])
    return evenly_spaced(differences, n)


def outer_residuals(first: Floats, second: Floats) -> Floats:
    """Takes from two lists of residuals, at each rank, the one that makes the band wider.

    In the lower half it is the smaller residual, in the upper half the larger one. Some references,
    such as ``"learned"``, have two sets of draws (`curve_draws`). The band must hold for both.
    """
    first, second = np.sort(first), np.sort(second)
    low = np.arange(first.size) < first.size / 2
    return np.where(low, np.minimum(first, second), np.maximum(first, second))


def individual_level(residuals: Floats, lower: float, upper: float) -> float:
    """Returns the share of the individual residuals outside the limits of the curve residuals.

    Intervals of single points with these limits would have this alpha. So it shows how much
    confidence for single points a band for the curve gives up.

    Parameters
    ----------
    residuals : ndarray of shape (n,)
        Individual residuals of the label.
    lower, upper : float
        Limits that the curve residuals gave.

    Returns
    -------
    float
        Share of the individual residuals that are outside the limits.
    """
    return float(np.mean((residuals < lower - TIE) | (residuals > upper + TIE)))
