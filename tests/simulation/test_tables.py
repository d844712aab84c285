"""Means and standard errors, against the standard library's."""

import statistics

import numpy as np
import pytest

from conformal_roc_widget.simulation.tables import means_with_errors


def test_means_and_errors_are_those_of_each_column(rng):
    figures = rng.random((7, 3, 2))
    rows = means_with_errors(("a", "b"), figures)
    assert [list(row) for row in rows] == [["a", "a_se", "b", "b_se", "replicates"]] * 3
    for i, row in enumerate(rows):
        for j, name in enumerate(("a", "b")):
            values = figures[:, i, j].tolist()
            assert row[name] == pytest.approx(statistics.fmean(values), rel=1e-12)
            error = statistics.stdev(values) / 7**0.5
            assert row[f"{name}_se"] == pytest.approx(error, rel=1e-12)


def test_by_hand():
    (row,) = means_with_errors(("a",), np.array([[[1.0]], [[3.0]], [[5.0]]]))
    assert (row["a"], row["replicates"]) == (3.0, 3)
    assert row["a_se"] == pytest.approx(2 / 3**0.5)


def test_one_replicate_has_a_mean_and_no_error():
    (row,) = means_with_errors(("a",), np.array([[[0.25]]]))
    assert row["a"] == 0.25
    assert np.isnan(row["a_se"])
