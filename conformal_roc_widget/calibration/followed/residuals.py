"""Residuals at a horizon, in which rows that are still followed stand for lost ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from conformal_roc_widget.arrays import Floats, by_label
from conformal_roc_widget.calibration.curve_residuals import outer_residuals
from conformal_roc_widget.calibration.references.posterior import evenly_spaced
from conformal_roc_widget.tables.calibration_rows import effective_n

from .known import Known

#: Added before rounding down, so that equal weights count as all their rows.
ROUNDING = 1e-9


def residuals_of(known: Known, draws: Sequence[Floats], logits: Floats) -> tuple[Floats, Floats]:
    """Ascending residuals of both labels.

    If there are several posteriors, the outermost at each rank.

    Parameters
    ----------
    known : Known
        What is known of the calibration rows.
    draws : sequence of ndarray of shape (n, n_draws)
        Draws of ``logit P(T <= t | x)`` at all of them by each posterior; of one truth one column.
    logits : ndarray of shape (n,)
        The model's logits there.
    """
    each = [of_one[known.rows] - logits[known.rows, None] for of_one in draws]
    if len(draws) > 1:
        # Residuals of draws are rounded to 32 bits: further digits mean nothing, and a page of many
        # horizons is shorter.
        each = [residuals.astype(np.float32).astype(np.float64) for residuals in each]
    return by_label(
        lambda k: np.sort(reduce(outer_residuals, [_of_rows(known, one, k) for one in each]))
    )


def _of_rows(known: Known, residuals: Floats, k: int) -> Floats:
    of_label = known.labels == k
    return weighted_quantiles(residuals[of_label], known.weights[of_label])


def whole_effective_n(weights: Floats) -> int:
    """Effective sample size, rounded down, at least 1: as many equal weights vary as much."""
    return max(1, int(effective_n(weights) * (1 + ROUNDING)))


def weighted_quantiles(values: Floats, weights: Floats) -> Floats:
    """Evenly spaced quantiles of values (n, s) whose rows have weights, as many as the effective n.

    With equal weights they are those of `evenly_spaced`.
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
