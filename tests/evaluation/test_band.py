"""Frozen results: their fields per label, their table."""

import dataclasses

import numpy as np
import oracles
import pandas as pd
import pytest
from data import (
    CURVES,
    evaluation_from_scores,
)

from conformal_roc_widget import (
    ConformalBand,
    guaranteed_coverage,
)


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


def test_the_frozen_objects_cannot_be_changed():
    evaluation = evaluation_from_scores()
    band, point = evaluation.band(), evaluation.operating_point(0.5)
    for thing, name in ((band, "alpha"), (band, "tpr"), (point, "tp"), (point, "threshold")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(thing, name, 0.5)
    for name in ("scores", "labels", "residuals", "n_calibration"):
        with pytest.raises(AttributeError):
            setattr(evaluation, name, None)
    arrays = [getattr(band, name) for name in CURVES]
    arrays += [evaluation.scores, evaluation.labels, *evaluation.residuals.values()]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_a_band_becomes_a_frame_with_a_row_for_each_threshold():
    band = evaluation_from_scores(decimals=1).band(0.1)
    frame = band.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) == len(band.thresholds)
    for name in CURVES[1:]:
        np.testing.assert_array_equal(frame[name], getattr(band, name))
    threshold = [column for column in frame.columns if column.startswith("threshold")]
    np.testing.assert_array_equal(frame[threshold[0]], band.thresholds)
