"""Computes the ideal model's curve from known true probabilities, to check bands in simulations.

The scores of the ideal model are the true probabilities.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats, in_unit_range, numbers_of, read_only, same_length
from conformal_roc_widget.evaluation.observed_curve import screen_vertices
from conformal_roc_widget.evaluation.sorted_sample import SortedSample
from conformal_roc_widget.promise import FOR_TRUTH

from .comparator_band import BandFamily
from .registry import Comparator

KEY = "truth"
NAME = "The ideal model itself"


class IdealSensitivity(BandFamily):
    """The sensitivity of the ideal model at each threshold of a classifier's curve."""

    method = NAME
    promise = FOR_TRUTH

    def __init__(self, labels: ArrayLike, scores: ArrayLike, truth: Floats) -> None:
        """Computes the sensitivity at the thresholds that a screen can tell apart."""
        positive, scores = np.asarray(labels) == 1, np.asarray(scores, dtype=float)
        thresholds = np.append(np.inf, np.unique(scores)[::-1])

        def share(values: Floats) -> Floats:
            rates: Floats = SortedSample.of(values).at_least(thresholds) / values.size
            return rates

        fpr, tpr, ideal = share(scores[~positive]), share(scores[positive]), share(truth[positive])
        # Only those vertices are kept that a screen needs to show the observed curve or the ideal
        # one.
        at = np.union1d(screen_vertices(fpr, tpr), screen_vertices(fpr, ideal))
        super().__init__(fpr[at], tpr[at])
        self.ideal = read_only(ideal[at])

    def limits(self, level: float) -> tuple[Floats, Floats, list[str]]:
        """Returns the sensitivity of the ideal model as both limits. `level` has no effect."""
        return self.ideal, self.ideal, []


def known_truth(truth: ArrayLike, labels: ArrayLike) -> Comparator:
    """Makes a comparator that shows the ideal model's curve.

    `truth` has the true probability of each test point, and `labels` its label.
    """
    probabilities = numbers_of(truth, "truth", ndim=1)
    same_length(**{"truth": probabilities, "the test set": labels})
    expected = "the true probability of the positive label at each test point, in [0, 1]"
    in_unit_range(probabilities, "truth", expected)

    def family(y: ArrayLike, score: ArrayLike, _resampling: Any) -> IdealSensitivity:
        return IdealSensitivity(y, score, probabilities)

    return Comparator(KEY, NAME, FOR_TRUTH, family, look=KEY)
