"""Precision and recall over the threshold, with the ranges that the band's intervals allow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from conformal_roc_widget.arrays import Floats, frame_of
from conformal_roc_widget.evaluation.band import ConformalBand
from conformal_roc_widget.promise import (
    PRECISION_HAS_NONE,
    Promise,
    PromisedArrays,
    for_both_labels,
)
from conformal_roc_widget.words import words

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class PrecisionRecall(PromisedArrays):
    """Precision and recall of a classifier at each threshold, and their limits.

    Arrays have one entry a threshold and are read-only. Reversed, `precision` and `recall` are
    those of scikit-learn's ``precision_recall_curve``.

    Attributes
    ----------
    alpha : float
        Significance level.
    thresholds : ndarray of shape (m,)
        Descending; the first is ``inf``, where nothing is called positive.
    precision, recall : ndarray of shape (m,)
        Observed, counting scores ``>= threshold``. Precision is 1 where nothing is called positive.
    precision_lower, precision_upper : ndarray of shape (m,)
        Smallest and largest precision that both labels' intervals allow; 0 and 1 where they allow
        that nothing is called positive and nothing else.
    recall_lower, recall_upper : ndarray of shape (m,)
        ``CI_sen``, the band's limits of the true positive rate.
    prevalence : float
        Share of the positive class for which the precision holds.
    average_precision : float
        Sum of the observed precision, each weighted by the recall gained there.
    promise : Promise
        Its `kind` is that of the recall; `target`, `scope` and `guarantee` are its words.
    """

    alpha: float
    thresholds: Floats
    precision: Floats
    recall: Floats
    precision_lower: Floats
    precision_upper: Floats
    recall_lower: Floats
    recall_upper: Floats
    prevalence: float
    average_precision: float
    promise: Promise

    def to_frame(self) -> pd.DataFrame:
        """Precision and recall as a table, one row a threshold.

        Returns
        -------
        pandas.DataFrame
            Columns ``threshold``, ``precision``, ``recall``, ``precision_lower``,
            ``precision_upper``, ``recall_lower``, ``recall_upper``; ``attrs`` hold ``alpha``,
            ``prevalence`` and ``average_precision``.
        """
        columns = "precision recall precision_lower precision_upper recall_lower recall_upper"
        attrs = ("alpha", "prevalence", "average_precision")
        return frame_of(self, columns.split(), attrs, threshold="thresholds")

    def __repr__(self) -> str:
        """Short text: the arrays' length rather than their values."""
        return f"PrecisionRecall(alpha={self.alpha:g}, {self.thresholds.size} thresholds)"


def precision_at(tpr: Floats, fpr: Floats, prevalence: float, nothing: float) -> Floats:
    """Share of positives among those called positive; `nothing` if nobody is called."""
    rightly, wrongly = tpr * prevalence, fpr * (1 - prevalence)
    called = rightly + wrongly
    shares: Floats = np.full(called.shape, nothing)
    return np.divide(rightly, called, out=shares, where=called > 0)


def precision_limits(band: ConformalBand, prevalence: float) -> tuple[Floats, Floats]:
    """Precision where both rates are at their worst limits, and at their best.

    Precision rises with the true and falls with the false positive rate. Where the worst corner
    calls nobody positive, the nearest one that calls somebody decides.
    """
    low = precision_at(band.tpr_lower, band.fpr_upper, prevalence, np.nan)
    high = precision_at(band.tpr_upper, band.fpr_lower, prevalence, np.nan)
    low = np.where(np.isnan(low), np.where(band.tpr_upper > 0, 1.0, 0.0), low)
    high = np.where(np.isnan(high), np.where(band.fpr_upper > 0, 0.0, 1.0), high)
    return low, high


def precision_recall_of(band: ConformalBand, prevalence: float) -> PrecisionRecall:
    """Precision and recall at the thresholds of a band, for a share of positives."""
    precision = precision_at(band.tpr, band.fpr, prevalence, 1.0)
    lower, upper = precision_limits(band, prevalence)
    return PrecisionRecall(
        alpha=band.alpha,
        thresholds=band.thresholds.copy(),
        precision=precision,
        recall=band.tpr.copy(),
        precision_lower=lower,
        precision_upper=upper,
        recall_lower=band.tpr_lower.copy(),
        recall_upper=band.tpr_upper.copy(),
        prevalence=prevalence,
        average_precision=float(np.diff(band.tpr, prepend=0.0) @ precision),
        promise=for_both_labels(
            band.promise,
            words("promise.precision_recall"),
            words("promise.test_set"),
            band.promise.kind,
            PRECISION_HAS_NONE,
        ),
    )
