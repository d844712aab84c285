"""Vertex of least cost against the cost of every vertex."""

import numpy as np
import pytest
from data import evaluation_from_scores
from oracles import expected_cost

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.evaluation.metrics import least_cost


@pytest.fixture(scope="module")
def evaluation():
    return evaluation_from_scores(1, n_calibration=400)


@pytest.mark.parametrize(("share", "cost"), [(0.12, 8.0), (0.5, 1.0), (0.01, 0.2), (0.99, 100.0)])
def test_no_vertex_costs_less(evaluation, share, cost):
    band = evaluation.band(0.1)
    at = least_cost(band, share, cost)
    all_costs = [
        expected_cost(fpr, tpr, share, cost) for fpr, tpr in zip(band.fpr, band.tpr, strict=True)
    ]
    assert all_costs[at] == min(all_costs)
    assert at == all_costs.index(min(all_costs)), "of equals the highest threshold"


def test_a_score_of_one_leaves_no_threshold_that_calls_nobody():
    rng = np.random.default_rng(0)
    y, p = rng.integers(0, 2, 60), rng.uniform(0.01, 0.99, 60)
    evaluation = RocEvaluation.from_predictions(y, p, [1, 0, 1, 0], [0.2, 1.0, 0.3, 0.4])
    band = evaluation.band(0.2)
    assert least_cost(band, 0.5, 1e-6) == 1, "calling nobody would cost least"
    assert band.thresholds[1] == 1
