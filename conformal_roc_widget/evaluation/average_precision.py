"""Average precision of rows, with how many plain rows would tell as much of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.evaluation.mean_area import Rows
from conformal_roc_widget.evaluation.sampled_means import ROUNDED, alike, limits_of_mean, trusted


class AveragePrecision(NamedTuple):
    """Average precision, and of how many rows that count alike a share would vary as little."""

    value: float
    rows: float

    @classmethod
    def of(cls, rows: Rows) -> AveragePrecision:
        """From the influences of the rows, added up by person.

        It is a mean over the positives, so that these are its degrees of freedom; and it is never
        taken to vary less than a share of all rows does, for near 1 a lucky sample seems to.
        """
        # Else the last digit would hang on the order of the rows, which a page must not hold.
        rows = rows.in_order
        value, influences = average_precision_influences(rows.positive, rows.scores, rows.weights)
        sums = np.sort(np.bincount(rows.owners, influences))
        variance = float(sums @ sums)
        n = alike(rows.owners, rows.weights)
        positives = alike(rows.owners, rows.weights * rows.positive)
        found = positives
        if variance > ROUNDED:
            found = min(value * (1 - value) / variance, n)
        return cls(value, trusted(found, max(positives - 1, 0.0), n))

    def limits(self, alpha: float) -> tuple[float, float]:
        """Limits in [0, 1] for the population's."""
        return limits_of_mean(self.value, self.rows, alpha)


def average_precision_influences(
    positive: NDArray[np.bool_], scores: Floats, weights: Floats
) -> tuple[float, Floats]:
    """Average precision, and how far each row moves it (n,), which sum to 0.

    With ``Q(s)`` the share of the weight that scores at least s and ``P(s)`` the precision there, a
    row of label y and score s adds, times its own share of the weight, ``y (P(s) - AP) /
    prevalence`` for its own place, and the mean over the positives with ``s' <= s`` of ``(y -
    P(s')) / Q(s')`` for all that it lies above.
    """
    masses = weights / weights.sum()
    levels, place = np.unique(scores, return_inverse=True)
    of_level = np.bincount(place, positive * masses, minlength=levels.size)
    reached = np.bincount(place, masses, minlength=levels.size)[::-1].cumsum()[::-1]
    reached = np.maximum(reached, np.finfo(float).tiny)  # rows of no weight may score highest
    precision = of_level[::-1].cumsum()[::-1] / reached
    prevalence = float(of_level.sum())
    share = of_level / prevalence
    value = float(share @ precision)
    # Sums over the positives with this score or a lower one.
    plain = (share / reached).cumsum()[place]
    weighted = (share * precision / reached).cumsum()[place]
    own = positive * (precision[place] - value) / prevalence
    found: Floats = masses * (own + positive * plain - weighted)
    return value, found
