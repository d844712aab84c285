"""Sorts the scores of both labels, and reads the observed curve as the resampled ones are read."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats, Ints, in_unit_range, labelled_scores, numbers_of
from conformal_roc_widget.evaluation.sorted_sample import Limits, SortedSample, share_ranked_above


class TwoSamples(NamedTuple):
    """Scores of both labels."""

    negatives: SortedSample
    positives: SortedSample

    @classmethod
    def of(cls, negatives: Floats, positives: Floats) -> TwoSamples:
        """Sorts the scores of either label."""
        return cls(SortedSample.of(negatives), SortedSample.of(positives))

    @property
    def arrays(self) -> tuple[Floats, Floats]:
        """Both as ascending numbers."""
        return self.negatives.values, self.positives.values

    @property
    def auc(self) -> float:
        """Mann-Whitney area, ties half."""
        return share_ranked_above(Limits(self.positives), Limits(self.negatives))

    def tpr_at(self, fpr: Floats) -> Floats:
        """Height of the polygon through the vertices of `roc_curve`, at a vertical edge its top."""
        places = Places.of(fpr, self.negatives.size)
        at = self.negatives.values[self.negatives.size - 1 - places.above]
        (fp, fp_level), (tp, tp_level) = (scores.above_and_at(at) for scores in self)
        share = (places.exact - fp) / fp_level
        tpr = (tp + share * tp_level) / self.positives.size
        return np.where(places.end, 1.0, tpr)


class Places(NamedTuple):
    """Ranks of false positive rates among the negatives, counted from the largest."""

    #: The product ``g n``, made whole if it differs from a whole number by rounding only.
    exact: Floats
    #: The whole part of ``g n``, at most n - 1.
    above: Ints
    #: Whether the false positive rate is 1: there the sensitivity of every curve is 1.
    end: Any

    @classmethod
    def of(cls, fpr: Floats, n: int) -> Places:
        """Ranks of rates in [0, 1] among n negatives."""
        exact = fpr * n
        whole = np.rint(exact)
        # Undoes rounding: 0.29 * 100 is 28.999999999999996, but the caller means the 29th.
        exact = np.where(np.abs(exact - whole) <= 4 * np.finfo(float).eps * n, whole, exact)
        above = np.minimum(np.floor(exact).astype(np.intp), n - 1)
        return cls(exact, above, exact >= n)


def two_samples(y: ArrayLike, score: ArrayLike, pos_label: Any = None) -> TwoSamples:
    """Splits scores by label."""
    positive, scores = labelled_scores(y, score, pos_label=pos_label)
    return TwoSamples.of(scores[~positive], scores[positive])


def grid_of(fpr: ArrayLike | None) -> Floats:
    """Ascending false positive rates of a band; if None, 101 evenly spaced ones."""
    if fpr is None:
        return np.linspace(0, 1, 101)
    return np.unique(in_unit_range(numbers_of(fpr, "fpr", ndim=1), "fpr", "rates in [0, 1]"))
