"""Coverage of the limits of a mean area, if people have several rows."""

import math

import numpy as np
import pytest
from scipy.special import expit
from sklearn.metrics import roc_auc_score

from conformal_roc_widget.evaluation.folds import mean_auc_interval

SAMPLES, FOLDS = 200, 5


def rows_of_people(rng, people, rows, alike):
    """Labels and scores (people, rows). `alike` is the correlation within a person."""

    def normal():
        own = rng.normal(size=(people, rows))
        return math.sqrt(alike) * rng.normal(size=(people, 1)) + math.sqrt(1 - alike) * own

    risk = normal()
    chance = rng.random((people, 1 if alike == 1 else rows))
    return (chance < expit(1.2 * risk - 0.5)).astype(int), risk + 0.7 * normal()


def intervals(rng, people, rows, alike):
    """Limits by people and by rows, for one data set in folds of whole people."""
    y, score = rows_of_people(rng, people, rows, alike)
    fold = rng.permutation(people) % FOLDS
    scored = [(y[fold == f].ravel(), score[fold == f].ravel()) for f in range(FOLDS)]
    groups = [np.repeat(np.flatnonzero(fold == f), rows) for f in range(FOLDS)]
    return mean_auc_interval(scored, 0.05, groups=groups), mean_auc_interval(scored, 0.05)


@pytest.mark.parametrize(("people", "rows", "alike"), [(60, 5, 0.5), (60, 10, 1), (200, 10, 1)])
def test_limits_of_a_mean_area_hold_it_where_people_have_several_rows(people, rows, alike):
    rng = np.random.default_rng(1000 * people + rows)
    truth = roc_auc_score(*map(np.ravel, rows_of_people(rng, 200_000, 1, 1)))
    held = np.array(
        [
            [lower <= truth <= upper for _, lower, upper in intervals(rng, people, rows, alike)]
            for _ in range(SAMPLES)
        ]
    ).mean(axis=0)
    assert held[0] >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / SAMPLES)
    # Treating copies of a row as independent rows must undercover: this is why sums are by person.
    assert held[1] <= 0.6 or alike < 1
