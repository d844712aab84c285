"""The public face: any input, any order of rows, copies and pickles."""

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from data import (
    assert_same_curves,
    calibration_scores,
    evaluation_from_scores,
    labelled_scores,
    scored,
)
from hypothesis import given
from hypothesis import strategies as st

from conformal_roc_widget import (
    RocEvaluation,
)


@given(calibration=calibration_scores(), test=labelled_scores(), data=st.data())
def test_the_order_of_the_test_rows_does_not_matter(calibration, test, data):
    order = np.array(data.draw(st.permutations(range(len(test[0])))))
    one = RocEvaluation.from_predictions(*calibration, *test)
    other = RocEvaluation.from_predictions(*calibration, test[0][order], test[1][order])
    assert_same_curves(one.band(0.2), other.band(0.2))
    assert one.auc(0.2) == other.auc(0.2)
    for a, b in zip(one.intervals(0.2), other.intervals(0.2), strict=True):
        np.testing.assert_array_equal(a[order], b)


def test_the_order_of_the_calibration_rows_does_not_matter(rng):
    y, score = scored(rng, 80)
    order = rng.permutation(80)
    test = scored(rng, 60)
    one = RocEvaluation.from_predictions(y, score, *test)
    other = RocEvaluation.from_predictions(y[order], score[order], *test)
    for k in (0, 1):
        np.testing.assert_allclose(one.residuals[k], other.residuals[k], rtol=1e-12)
    assert_same_curves(one.band(0.1), other.band(0.1))


def test_lists_frames_series_and_labels_of_any_two_kinds_give_the_same_band(rng):
    y, score = scored(rng, 60)
    y_test, score_test = scored(rng, 30)
    expected = RocEvaluation.from_predictions(y, score, y_test, score_test)
    for wrap, name in [
        (list, lambda v: v),
        (np.array, lambda v: v.astype(bool)),
        (np.array, lambda v: v.astype(float)),
        (np.array, lambda v: np.where(v == 1, "sick", "healthy")),
        (np.array, lambda v: np.where(v == 1, "sick", "healthy").astype(object)),
        (np.array, lambda v: v * 3 - 7),
        (pd.Series, lambda v: v),
        (pd.Series, lambda v: np.where(v == 1, "sick", "healthy")),
        (pl.Series, lambda v: np.where(v == 1, "sick", "healthy")),
        (pl.Series, lambda v: v.astype(bool)),
        (pd.Categorical, lambda v: np.where(v == 1, "sick", "healthy")),
    ]:
        plain = wrap if wrap is not pd.Categorical else np.array
        found = RocEvaluation.from_predictions(
            wrap(name(y)), plain(score), wrap(name(y_test)), plain(score_test)
        )
        np.testing.assert_array_equal(found.labels, expected.labels)
        assert_same_curves(found.band(0.1), expected.band(0.1))


@pytest.mark.parametrize(
    "transport",
    [copy.copy, copy.deepcopy, lambda o: pickle.loads(pickle.dumps(o))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_copies_and_pickles_say_the_same(transport):
    evaluation = evaluation_from_scores()
    band, point = evaluation.band(0.1), evaluation.operating_point(0.4, 0.1)
    assert transport(point) == point
    for found in (transport(band), transport(evaluation).band(0.1)):
        assert_same_curves(found, band)
        assert (found.alpha, found.quantiles, found.n_calibration) == (
            band.alpha,
            band.quantiles,
            band.n_calibration,
        )
        assert (found.guaranteed, found.vacuous) == (band.guaranteed, band.vacuous)
    assert transport(evaluation).auc(0.1) == evaluation.auc(0.1)
