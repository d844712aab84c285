"""Computes precision and recall at each threshold, and their ranges within the rates' limits."""

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
from conformal_roc_widget.text import counted
from conformal_roc_widget.words import words

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class PrecisionRecall(PromisedArrays):
    """The precision and the recall of a classifier at each threshold, with limits.

    Each array has one value for each threshold, and is read-only. Reversed, `precision` and
    `recall` equal those of scikit-learn's ``precision_recall_curve``.

    Attributes
    ----------
    alpha : float
        Significance level.
    thresholds : ndarray of shape (m,)
        Descending thresholds. The first is ``inf``, where nothing is predicted positive.
    precision, recall : ndarray of shape (m,)
        Observed values if rows that score ``>= threshold`` are predicted positive. If nothing is
        predicted positive, the precision is 1.
    precision_lower, precision_upper : ndarray of shape (m,)
        Smallest and largest precision within the limits of both rates. If nothing is predicted
        positive at any rates within these limits, the two values are 0 and 1.
    recall_lower, recall_upper : ndarray of shape (m,)
        ``CI_sen``, the band's limits of the true positive rate.
    prevalence : float
        Share of positives that the precision is for.
    average_precision : float
        Sum of the observed precisions, each weighted by the increase of the recall there.
    promise : Promise
        The guarantee. Its `kind` is that of the recall. `target`, `scope` and `guarantee` are its
        words.
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
        """Returns precision and recall as a table, with one row for each threshold.

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
        """Returns a short text with the lengths of the arrays instead of their values."""
        return (
            f"PrecisionRecall(alpha={self.alpha:g}, {counted(self.thresholds.size, 'threshold')})"
        )


def precision_at(tpr: Floats, fpr: Floats, prevalence: float, nothing: float) -> Floats:
    """Returns the precision at given rates. If nobody is predicted positive, returns `nothing`."""
    rightly, wrongly = tpr * prevalence, fpr * (1 - prevalence)
    called = rightly + wrongly
    shares: Floats = np.full(called.shape, nothing)
    return np.divide(rightly, called, out=shares, where=called > 0)


def precision_limits(band: ConformalBand, prevalence: float) -> tuple[Floats, Floats]:
    """Returns the smallest and the largest precision within the limits of a band.

    Precision rises with the true positive rate and falls with the false positive rate. If nobody is
    predicted positive at the rates of an extreme, the nearest rates at which somebody is predicted
    positive are used.
    """
    low = precision_at(band.tpr_lower, band.fpr_upper, prevalence, np.nan)
    high = precision_at(band.tpr_upper, band.fpr_lower, prevalence, np.nan)
    low = np.where(np.isnan(low), np.where(band.tpr_upper > 0, 1.0, 0.0), low)
    high = np.where(np.isnan(high), np.where(band.fpr_upper > 0, 0.0, 1.0), high)
    return low, high


def precision_recall_of(band: ConformalBand, prevalence: float) -> PrecisionRecall:
    """Computes precision and recall at the thresholds of a band, at the given prevalence."""
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
