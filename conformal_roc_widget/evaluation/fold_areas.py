"""Mean area over the folds of a cross-validation (LeDell, Petersen and van der Laan 2015)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import (
    Floats,
    codes_of,
    labels_of,
    numbers_of,
    same_length,
    two_classes_of,
)
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.evaluation.placements import area_limits, placements
from conformal_roc_widget.evaluation.sampling_interval import SamplingInterval
from conformal_roc_widget.text import percent

GUARANTEE = (
    "{confidence} in large samples, for the classifiers of these folds: how much another training "
    "set would change them is left out"
)


def mean_auc_interval(
    folds: Sequence[tuple[ArrayLike, ArrayLike]], alpha: float = 0.05, *, pos_label: Any = None
) -> SamplingInterval:
    """Mean of the areas of the folds' classifiers, each on its own fold, with its limits.

    The variance is the mean square of the points' influences over all rows, each in its fold; the
    limits are ``mean -+ z sd``, cut at 0 and 1, as cvAUC's ``ci.cvAUC`` has them.

    Parameters
    ----------
    folds : sequence of (y, score)
        Labels and out-of-fold scores of each fold, with both classes in each.
    alpha : float
        Significance level in (0, 1).
    pos_label : label, optional
        The positive label; by default the second of two in sorted order.

    Returns
    -------
    SamplingInterval
        Unpacks into the mean area and its limits in [0, 1].

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above, or a fold has one class only.
    """
    level = float(exact_alpha(alpha))
    if len(folds) < 2:
        raise ValueError(f"folds: found {len(folds)}, expected at least two")
    parts = []
    for number, (y, score) in enumerate(folds):
        try:
            parts.append(_FoldArea.of(y, score, pos_label))
        except ValueError as error:
            raise ValueError(f"folds[{number}]: {error}") from None
    n0, n1 = sum(p.negatives.size for p in parts), sum(p.positives.size for p in parts)
    n = n0 + n1
    # Averaged over folds, as the area is.
    mean_square = np.mean([part.mean_square(n0 / n, n1 / n) for part in parts])
    auc = float(np.mean([part.area for part in parts]))
    lower, upper = area_limits(auc, float(mean_square) / n, level)
    return SamplingInterval.of(
        (auc, lower, upper),
        alpha=float(alpha),
        method="LeDell, Petersen and van der Laan",
        target="mean area under the ROC curves of these folds' classifiers, in the population",
        scope="one number",
        guarantee=GUARANTEE.format(confidence=percent(1 - level)),
    )


class _FoldArea(NamedTuple):
    """Area of a fold, and the placements of its negatives and positives."""

    area: float
    negatives: Floats
    positives: Floats

    @classmethod
    def of(cls, y: ArrayLike, score: ArrayLike, pos_label: Any) -> _FoldArea:
        labels, scores = labels_of(y, "y"), numbers_of(score, "score", ndim=1)
        same_length(y=labels, score=scores)
        classes = two_classes_of(labels, "y", pos_label)
        positive = codes_of(labels, classes, "y").astype(bool)
        negatives, positives = placements(scores[~positive], scores[positive])
        return cls(float(positives.mean()), negatives, positives)

    def mean_square(self, share0: float, share1: float) -> float:
        """Mean square of the influences of its points; labels have these shares of all rows."""
        influences = [
            (self.negatives - self.area) / share0,
            (self.positives - self.area) / share1,
        ]
        return float((np.concatenate(influences) ** 2).mean())
