"""Means and standard errors, against the standard library's."""

import numpy as np
import pytest

from conformal_roc_widget.simulation.tables import means_with_errors


def test_by_hand():
    (row,) = means_with_errors(("a",), np.array([[[1.0]], [[3.0]], [[5.0]]]))
    assert (row["a"], row["replicates"]) == (3.0, 3)
    assert row["a_se"] == pytest.approx(2 / 3**0.5)


def test_one_replicate_has_a_mean_and_no_error():
    (row,) = means_with_errors(("a",), np.array([[[0.25]]]))
    assert row["a"] == 0.25
    assert np.isnan(row["a_se"])
