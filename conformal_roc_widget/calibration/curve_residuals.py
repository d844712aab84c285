"""``guarantee="curve"``: limits that cover the curve at a random threshold, and not much more.

The paper's intervals are calibrated for individuals. Its band shifts every score of a label by one
number a side, and whether it covers the oracle's rate at the threshold ``pi(x_s)`` depends on where
two sorted lists lie. With ``L_(1) <= ... <= L_(n)`` the sorted ``logit p`` of the label's test
points and ``P_(1) <= ... <= P_(n)`` the sorted ``logit pi``, the oracle's count at the threshold
``P_(s)`` is ``n - s + 1``, and (ties of ``P`` aside)

    lower count <= n - s + 1    <=>    s = 1  or  L_(s-1) + q_lo <= P_(s),
    n - s + 1 <= upper count    <=>    L_(s) + q_up > P_(s).

Up to one place in the order, the band covers at ``P_(s)`` if and only if ``P_(s) - L_(s)`` lies
between the limits. These *curve residuals*, differences of order statistics where the paper has
differences at one point, are what a band for the curve is to be calibrated on: limits that hold a
share 1 - alpha of them cover at a share 1 - alpha of the thresholds, and at little more. Sorting
pairs the two lists as closely as can be, so that curve residuals are never more spread out than
individual ones (in convex order). That is the first slack of the paper's band.

The oracle's list ``P`` is not observed. A list in its place must be spread as ``pi`` is, which a
single estimate is not: the kernel's noise stretches it, and smoothing shrinks it. Draws of the
function ``pi`` from its posterior (see `conformal_roc_widget.calibration.references.posterior`) are
spread as ``pi``, and differ from each other by what the data leave open. Each draw is one candidate
for the oracle's curve; pooled, they give limits that cover 1 - alpha on average over candidates and
thresholds. So the shift of a whole curve, of which one calibration set shows a single realisation,
is in the limits. A reference that is known (the oracle of Proposition 2.1) is a single draw.

Test points are another sample than the calibration points. Both lists of a candidate are therefore
sorted on a sample from the calibration points, with replacement and of the size of the test set:
this is the correction for a finite test set. The paper's rule for order statistics is that for a
finite calibration set.

What is assumed: (A1), that the test points of a label are like its calibration points, and what the
draws assume. Like Theorem 3.2 it promises one random threshold, and not the whole curve.
"""

from __future__ import annotations

import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.calibration.references.posterior import DRAWS, evenly_spaced
from conformal_roc_widget.logits import TIE

#: Number of samples that are drawn from the calibration points.
SAMPLES = DRAWS
#: A sample has at most this many points; larger ones give practically the same quantiles.
MOST_SAMPLED = 10_000


def curve_residuals(draws: Floats, logits: Floats, n_test: int, seed: int = 0) -> Floats:
    """Residuals of one label that are calibrated for the curve.

    Parameters
    ----------
    draws : ndarray of shape (n, n_draws)
        Draws of ``logit pi`` at the calibration points of the label, one function a column; a
        single column for a reference that is known.
    logits : ndarray of shape (n,)
        ``logit p`` of the classifier there.
    n_test : int
        Number of test points of the label.
    seed : int
        Of the samples.

    Returns
    -------
    ndarray of shape (n,)
        Evenly spaced quantiles, ascending, of the differences between sorted draws and sorted
        logits: to be used as the residuals of `conformal_quantiles`, at any alpha.
    """
    n = logits.size
    rng = np.random.default_rng([seed, 2])
    # A known reference has a single column; samples still differ, since their rows do.
    candidates = np.arange(SAMPLES) % draws.shape[1]
    size = min(n_test, MOST_SAMPLED)
    differences = np.empty((size, SAMPLES))
    for column, candidate in enumerate(candidates):
        rows = rng.integers(n, size=size)
        differences[:, column] = np.sort(draws[rows, candidate]) - np.sort(logits[rows])
    return evenly_spaced(differences, n)


def outer_residuals(first: Floats, second: Floats) -> Floats:
    """The outer of two residuals at each rank, from two lists of the same size.

    If two sets of draws are to be trusted, as those of ``"learned"`` with and without its gap, a
    band for the curve must hold for both.
    """
    first, second = np.sort(first), np.sort(second)
    low = np.arange(first.size) < first.size / 2
    return np.where(low, np.minimum(first, second), np.maximum(first, second))


def individual_level(residuals: Floats, lower: float, upper: float) -> float:
    """Level at which individual intervals have these limits.

    It shows what a band for the curve gives up.

    Parameters
    ----------
    residuals : ndarray of shape (n,)
        Individual residuals of the label.
    lower, upper : float
        Limits that the curve residuals gave.

    Returns
    -------
    float
        Share of the individual residuals outside of the limits.
    """
    return float(np.mean((residuals < lower - TIE) | (residuals > upper + TIE)))
