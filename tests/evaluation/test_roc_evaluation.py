"""The public face and its results: fields per label, tables, any order of rows, copies and pickles."""

import copy
import pickle

import numpy as np
import oracles
import pandas as pd
import pytest
from data import CURVES, assert_same_curves, evaluation_from_scores

from conformal_roc_widget import ConformalBand, guaranteed_coverage


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
    assert transport(evaluation).ideal_auc_range(0.1) == evaluation.ideal_auc_range(0.1)


def test_the_band_carries_its_numbers_per_label():
    evaluation = evaluation_from_scores(n_calibration=121)
    band = evaluation.band(0.1)
    assert isinstance(band, ConformalBand)
    assert band.alpha == 0.1
    assert band.n_calibration == {0: 61, 1: 60}
    for k in (0, 1):
        assert band.quantiles[k] == oracles.conformal_quantiles(
            evaluation.residuals[k].tolist(), 0.1
        )
        assert band.guaranteed[k] == guaranteed_coverage(band.n_calibration[k], 0.1)
        assert band.vacuous[k] is None


def test_a_band_becomes_a_frame_with_a_row_for_each_threshold():
    band = evaluation_from_scores(decimals=1).band(0.1)
    frame = band.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) == len(band.thresholds)
    for name in CURVES[1:]:
        np.testing.assert_array_equal(frame[name], getattr(band, name))
    threshold = [column for column in frame.columns if column.startswith("threshold")]
    np.testing.assert_array_equal(frame[threshold[0]], band.thresholds)
