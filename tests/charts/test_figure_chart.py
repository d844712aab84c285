"""A figure as an Altair chart; with a slider it moves through alphas."""

import json

import numpy as np
import pytest
from data import evaluation_from_scores

from conformal_roc_widget import ROCWidget
from conformal_roc_widget.charts.roc import MOST_BYTES, slider_stops


@pytest.fixture
def widget():
    return ROCWidget(evaluation_from_scores(1), alpha=0.1, threshold=0.4, band="both")


def test_the_altair_chart_has_the_limits_of_the_band_at_each_stop_of_its_slider(widget):
    spec = widget.chart().to_dict()
    (slider,) = spec["params"]
    assert slider["value"] == 0.1
    every = [row for values in spec["datasets"].values() for row in values if row.get("a") == 0.1]
    rows = [row for row in every if "tpr_upper" in row and "threshold" not in row]
    assert rows
    band = widget.evaluation.band(0.1)
    for row in rows:
        at = np.flatnonzero(np.isclose(band.fpr, row["fpr"], atol=1e-4))
        assert np.isclose(band.tpr_upper[at], row["tpr_upper"], atol=1e-4).any()
        assert np.isclose(band.tpr_lower[at], row["tpr_lower"], atol=1e-4).any()
    points = [row for row in every if "threshold" in row]
    assert {row["tpr_lower"] for row in points} == {widget.operating_point.tpr_lower}
    assert {row["fpr_upper"] for row in points} == {widget.operating_point.fpr_upper}
    assert len(json.dumps(spec)) < 2 * MOST_BYTES


def test_the_altair_chart_of_much_data_has_no_slider():
    spec = ROCWidget(evaluation_from_scores(0, n_test=6_000)).chart().to_dict()
    assert "params" not in spec


@pytest.mark.parametrize("alpha", [0.001, 0.0123, 0.05, 0.2, 0.3, 0.487, 0.5])
def test_the_stops_of_the_altair_slider_lie_evenly_and_hold_the_alpha_on_the_screen(alpha):
    stops = slider_stops(alpha)
    assert any(abs(stop - alpha) < 1e-9 for stop in stops)
    assert 15 <= len(stops) <= 20
    assert np.ptp(np.diff(stops)) < 1e-9
    assert 0.001 <= stops[0] < stops[-1] <= 0.5


def test_charts_of_several_show_what_the_screen_shows():
    classes = {name: evaluation_from_scores(i, n_test=40 + i) for i, name in enumerate("ab")}
    assert "layer" in ROCWidget(classes, kind="classes").chart().to_dict()
    classifiers = {name: evaluation_from_scores(1) for name in "ab"}
    assert len(ROCWidget(classifiers).chart().to_dict()["concat"]) == 2
