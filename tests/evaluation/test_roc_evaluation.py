"""The public class and its results: fields by label, tables, any order of rows, copies and pickles."""

import numpy as np
import oracles
import pandas as pd
from data import CURVES, evaluation_from_scores

from conformal_roc_widget import ConformalBand, guaranteed_coverage


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
