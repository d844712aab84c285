"""Computes residuals at a horizon from the known rows, whose weights make up for the lost rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from conformal_roc_widget.arrays import Floats, by_label
from conformal_roc_widget.calibration.curve_residuals import outer_residuals
from conformal_roc_widget.calibration.references.posterior import evenly_spaced
from conformal_roc_widget.tables.calibration_rows import effective_n

from .known import Known

#: An effective sample size is raised by this share before it is rounded down. Otherwise a rounding
#: error in equal weights could lose a row.
ROUNDING = 1e-9


def residuals_of(known: Known, draws: Sequence[Floats], logits: Floats) -> tuple[Floats, Floats]:
    """Returns the ascending residuals of the negative and of the positive label.

    If there are several posteriors, the outermost of their residuals is used at each rank.

    Parameters
    ----------
    known : Known
        The calibration rows whose outcome is known, with labels and weights.
    draws : sequence of ndarray of shape (n, n_draws)
        For each posterior, draws of ``logit P(T <= t | x)`` at all n calibration rows. If the user
        gave the true risk, there is one array with a single column.
    logits : ndarray of shape (n,)
        The model's logits at the same rows.
    """
    each = [of_one[known.rows] - logits[known.rows, None] for of_one in draws]
    if len(draws) > 1:
        # Drawn residuals are rounded to 32 bits, which makes a page with many horizons smaller.
        # Further digits carry no information.
        each = [residuals.astype(np.float32).astype(np.float64) for residuals in each]
    return by_label(
        lambda k: np.sort(reduce(outer_residuals, [_of_rows(known, one, k) for one in each]))
    )


def _of_rows(known: Known, residuals: Floats, k: int) -> Floats:
    of_label = known.labels == k
    return weighted_quantiles(residuals[of_label], known.weights[of_label])


def whole_effective_n(weights: Floats) -> int:
    """Effective sample size, rounded down, at least 1."""
    return max(1, int(effective_n(weights) * (1 + ROUNDING)))


def weighted_quantiles(values: Floats, weights: Floats) -> Floats:
    """Returns evenly spaced quantiles of values (n, s), whose n rows have weights.

    There are as many quantiles as the effective sample size. If weights are equal, returns what
    `evenly_spaced` returns.
    """
    size = whole_effective_n(weights)
    if (weights == weights[0]).all():
        return evenly_spaced(values, size)
    order = np.argsort(values, axis=None, kind="stable")
    below = np.cumsum(weights[order // values.shape[1]])
    places = np.searchsorted(
        below, (2 * np.arange(size) + 1) * (below[-1] / (2 * size)), side="right"
    )
    return np.asarray(values.ravel()[order[places]])
