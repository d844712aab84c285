"""Charts of residuals: all residuals, and the order statistics that belong to alpha."""

import re

import numpy as np
import pytest
from chart_cases import few_negatives, localized, records, words
from data import evaluation_from_scores

from conformal_roc_widget import RocEvaluation, charts
from conformal_roc_widget.calibration.quantiles import conformal_quantiles, ranks
from conformal_roc_widget.charts.residuals import OUTSIDE


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_residuals_show_all_residuals_and_the_order_statistics(alpha):
    evaluation = evaluation_from_scores(n_calibration=500)
    chart = charts.residuals(evaluation, alpha)
    data, said = records(chart), words(chart)
    bars = [rows for rows in data if "points" in rows[0]]
    off = sum(int(a or b) for a, b in re.findall(r"‹ (\d+)|(\d+) ›", said))
    off //= 2  # each text is drawn twice, because of its halo
    assert sum(row["points"] for rows in bars for row in rows) + off == 500
    for label in (0, 1):
        values = evaluation.residuals[label]
        picked = ranks(values.size, alpha)
        quantiles = conformal_quantiles(values, alpha)
        for rank, quantile in zip(picked, quantiles, strict=True):
            assert [{"rank": rank, "residual": quantile}] in data
        assert f"n = {values.size}, at least " in said
    beyond = {
        k: sum(r["points"] for r in rows if r["where"] == OUTSIDE)
        for k, rows in zip((1, 0), bars, strict=True)
    }
    for label, drawn in beyond.items():
        lower, upper = conformal_quantiles(evaluation.residuals[label], alpha)
        values = evaluation.residuals[label]
        assert drawn <= ((values < lower) | (values > upper)).sum() <= drawn + off
    assert f"α = {alpha:g}" in said


def test_a_guarantee_is_not_rounded_up():
    evaluation = evaluation_from_scores(n_calibration=500)
    least = min(evaluation.band(0.05).guaranteed.values())
    (percentage,) = {
        float(p) for p in re.findall(r"at least ([\d.]+) %", words(charts.residuals(evaluation)))
    }
    assert 95 <= percentage <= 100 * least


def test_residuals_of_few_heavy_infinite_or_local_points():
    said = words(charts.residuals(few_negatives()))
    assert "Label 0 has too few calibration points for 95 %." in said
    said = words(charts.residuals(localized()))
    assert "order statistics of its own" in said
    rng = np.random.default_rng(10)
    evaluation = evaluation_from_scores(n_calibration=400)
    for values in (
        40 * rng.standard_t(1.1, 200),
        np.append(rng.normal(size=199), np.inf),
        np.full(200, 0.25),
        np.zeros(200),
    ):
        odd = RocEvaluation.from_residuals(
            {0: values, 1: values}, evaluation.labels, evaluation.scores
        )
        words(charts.residuals(odd))
