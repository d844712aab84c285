"""The mean area of folds against the estimator written row by row."""

import math

import numpy as np
import pytest
from data import scored
from scipy import stats
from sklearn.metrics import roc_auc_score

from conformal_roc_widget.comparators import mean_auc_interval


def row_by_row(folds, alpha):
    """LeDell, Petersen and van der Laan (2015), as cvAUC's ci.cvAUC computes it."""
    y_all = [t for y, _ in folds for t in y]
    n, n1 = len(y_all), sum(y_all)
    squares, areas = [], []
    for y, score in folds:
        rows = list(zip(y, score, strict=True))
        auc = roc_auc_score(y, score)
        of_fold = []
        for t, s in rows:
            others = [v for u, v in rows if u != t]
            if t:
                share = sum((v < s) + (v == s) / 2 for v in others) / len(others)
                of_fold.append(((share - auc) * n / n1) ** 2)
            else:
                share = sum((v > s) + (v == s) / 2 for v in others) / len(others)
                of_fold.append(((share - auc) * n / (n - n1)) ** 2)
        squares.append(sum(of_fold) / len(of_fold))
        areas.append(auc)
    mean = sum(areas) / len(areas)
    half = stats.norm.isf(alpha / 2) * math.sqrt(sum(squares) / len(squares) / n)
    return mean, max(mean - half, 0), min(mean + half, 1)


@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_the_limits_are_those_of_the_estimator_row_by_row(alpha, rng):
    folds = [scored(rng, n) for n in (31, 40, 25)]
    folds[1] = folds[1][0], folds[1][1].round(1)  # ties
    found = mean_auc_interval(folds, alpha)
    assert tuple(found) == pytest.approx(row_by_row(folds, alpha), abs=1e-12)
    assert "training set" in found.guarantee


def test_folds_are_refused_by_their_number(rng):
    one, other = scored(rng, 30), scored(rng, 30)
    with pytest.raises(ValueError, match="folds: found 1, expected at least two"):
        mean_auc_interval([one])
    with pytest.raises(ValueError, match=r"folds\[1\]: y: found 1 distinct"):
        mean_auc_interval([one, (np.ones(30), other[1])])
