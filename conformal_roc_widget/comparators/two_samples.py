"""Holds the sorted scores of both labels, and reads rates of their ROC curve."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats, Ints, in_unit_range, labelled_scores, numbers_of
from conformal_roc_widget.evaluation.sorted_sample import Limits, SortedSample, share_ranked_above


class TwoSamples(NamedTuple):
    """Sorted scores of the negatives and of the positives."""

    negatives: SortedSample
    positives: SortedSample

    @classmethod
    def of(cls, negatives: Floats, positives: Floats) -> TwoSamples:
        """Sorts the scores of the negatives and of the positives."""
        return cls(SortedSample.of(negatives), SortedSample.of(positives))

    @property
    def arrays(self) -> tuple[Floats, Floats]:
        """The scores of the negatives and of the positives, as ascending arrays."""
        return self.negatives.values, self.positives.values

    @property
    def auc(self) -> float:
        """The area under the ROC curve (Mann-Whitney statistic). Ties count half."""
        return share_ranked_above(Limits(self.positives), Limits(self.negatives))

    def tpr_at(self, fpr: Floats) -> Floats:
        """Returns the true positive rate at each false positive rate in `fpr`.

        The rate is the height of the polygon through the vertices of scikit-learn's `roc_curve`. If
        the polygon is vertical there, the upper end is returned.
        """
        places = Places.of(fpr, self.negatives.size)
        at = self.negatives.values[self.negatives.size - 1 - places.above]
        (fp, fp_level), (tp, tp_level) = (scores.above_and_at(at) for scores in self)
        share = (places.exact - fp) / fp_level
        tpr = (tp + share * tp_level) / self.positives.size
        return np.where(places.end, 1.0, tpr)


class Places(NamedTuple):
    """How many of n negatives are predicted positive at each false positive rate."""

    #: The rate times n, which is the number of negatives above a threshold with this rate. If it is
    #: an integer but for rounding, it is rounded to this integer.
    exact: Floats
    #: The integer part of `exact`, at most n - 1.
    above: Ints
    #: Whether the false positive rate is 1. The sensitivity of every curve is 1 there.
    end: Any

    @classmethod
    def of(cls, fpr: Floats, n: int) -> Places:
        """Computes the numbers for the rates `fpr`, each in [0, 1]."""
        exact = fpr * n
        whole = np.rint(exact)
        # The product `fpr * n` may have a rounding error, which is removed here. For example, 0.29
        # * 100 is 28.999999999999996, but 29 is meant.
        exact = np.where(np.abs(exact - whole) <= 4 * np.finfo(float).eps * n, whole, exact)
        above = np.minimum(np.floor(exact).astype(np.intp), n - 1)
        return cls(exact, above, exact >= n)


def two_samples(y: ArrayLike, score: ArrayLike, pos_label: Any = None) -> TwoSamples:
    """Checks the scores and splits them by label."""
    positive, scores = labelled_scores(y, score, pos_label=pos_label)
    return TwoSamples.of(scores[~positive], scores[positive])


def grid_of(fpr: ArrayLike | None) -> Floats:
    """Returns the false positive rates of a band, ascending and distinct.

    None stands for 101 evenly spaced rates.
    """
    if fpr is None:
        return np.linspace(0, 1, 101)
    return np.unique(in_unit_range(numbers_of(fpr, "fpr", ndim=1), "fpr", "rates in [0, 1]"))
