"""Counts of rows on a page if rows have weights: numbers of rows, not units of weight."""

import numpy as np
import pytest
from data import scored

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.wire.arrays import evaluation_arrays
from conformal_roc_widget.wire.budget import export_budget


def called(evaluation):
    arrays = evaluation_arrays(evaluation, export_budget())
    return arrays["thresholds"], arrays["people_called"]


@pytest.mark.parametrize("weights", [np.linspace(0.5, 2, 80), np.resize([0.0, 1.0, 2.0], 80)])
def test_rows_with_weights_are_counted_one_by_one(rng, weights):
    y, score = scored(rng, 80, 1)
    thresholds, (fp, tp) = called(RocEvaluation.from_predictions(y, score, sample_weight=weights))
    y, score = y[weights > 0], score[weights > 0]
    for place, threshold in enumerate(thresholds):
        assert fp[place] == ((score >= threshold) & (y == 0)).sum()
        assert tp[place] == ((score >= threshold) & (y == 1)).sum()


def test_rows_of_a_weighted_table_are_counted_one_by_one(rng):
    pd = pytest.importorskip("pandas")
    y, score = scored(rng, 60, 1)
    table = pd.DataFrame({"y": y, "s": score, "w": np.linspace(1, 3, 60)})
    options = {"score": "s", "label": "y", "y_calibration": y, "score_calibration": score}
    shown = RocEvaluation.from_table(table, **options, guarantee="simultaneous", weight="w")
    thresholds, (fp, tp) = called(shown)
    assert (fp[-1], tp[-1]) == ((y == 0).sum(), (y == 1).sum())
    assert tp[3] == ((score >= thresholds[3]) & (y == 1)).sum()


def test_rows_that_count_alike_are_their_counts(rng):
    y, score = scored(rng, 60)
    for more in ({}, {"sample_weight": np.full(60, 3.0)}, {"groups_test": np.arange(60) // 2}):
        assert called(RocEvaluation.from_predictions(y, score, **more))[1] is None
