"""Arguments of the studies: how a file stores them, and which are refused before any work."""

import json

import numpy as np
import pytest
from small_studies import QUIET, count_measured

from conformal_roc_widget import simulation
from conformal_roc_widget.simulation import Options


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        (
            {"setting": "study_1"},
            ValueError,
            "setting: found 'study_1', expected one of 'sample_size'",
        ),
        ({"setting": None}, TypeError, "setting: found None"),
        ({"replicates": -1}, ValueError, "replicates: found -1"),
        ({"replicates": 0}, ValueError, "replicates: found 0"),
        ({"replicates": 2.5}, ValueError, "replicates: found 2.5"),
        ({"replicates": True}, TypeError, "replicates: found True"),
        (
            {"values": 3},
            ValueError,
            "n: found 3, which splits into 1 training and 2 calibration points",
        ),
        ({"values": 7}, ValueError, "n: found 7"),
        ({"values": 100.5}, ValueError, "values: found 100.5, expected a whole number"),
        ({"values": -100}, ValueError, "values: found -100"),
        ({"values": []}, ValueError, "values: found none"),
        ({"values": "many"}, TypeError, "values: found 'many'"),
        ({"n": 300}, ValueError, "n: found 300, expected none"),
        ({"setting": "missing_predictor", "values": -0.5}, ValueError, "values: found -0.5"),
        ({"setting": "missing_predictor", "values": [1, np.nan]}, ValueError, "values: found nan"),
        ({"setting": "missing_interaction", "values": np.inf}, ValueError, "values: found inf"),
        ({"setting": "missing_interaction", "values": True}, TypeError, "values: found True"),
        ({"setting": "missing_interaction", "n": 3}, ValueError, "n: found 3"),
        ({"alpha": 0}, ValueError, "alpha"),
        ({"random_state": -1}, ValueError, "random_state: found -1"),
        ({"beta": (1, 1, 1)}, ValueError, r"beta: found \(1, 1, 1\)"),
        ({"beta": (1, 1, 1, np.inf)}, ValueError, "beta"),
        ({"beta": 1}, ValueError, "beta: found 1"),
        ({"n_test": 1}, ValueError, "n_test: found 1"),
        ({"neighbors": 0}, ValueError, "neighbors: found 0"),
        ({"neighbors": None}, TypeError, "neighbors: found None"),
        ({"calibration_size": 1}, ValueError, "calibration_size: found 1"),
        ({"calibration_size": 0.999}, ValueError, "n: found 100, which splits into 0 training"),
        ({"distance": "euclid"}, ValueError, "distance: found 'euclid'"),
        ({"reference": "score"}, ValueError, "reference: found 'score'"),
        ({"center": "middle"}, ValueError, "center: found 'middle'"),
        ({"recenter": 1}, TypeError, "recenter: found 1"),
        ({"bandwidth": "wide"}, ValueError, "bandwidth: found 'wide'"),
        ({"quantile_rule": "none"}, ValueError, "quantile_rule: found 'none'"),
    ],
)
def test_bad_input_is_refused_before_any_work(monkeypatch, arguments, kind, message):
    seen = count_measured(monkeypatch)
    given = {"setting": "sample_size", "replicates": 2, **QUIET, **arguments}
    if given["setting"] == "sample_size" and "values" not in given:
        given["values"] = 100
    with pytest.raises(kind, match=message):
        simulation.run(**given)
    assert seen == []


def test_an_unknown_option_is_a_type_error():
    with pytest.raises(TypeError, match="neighbours"):
        simulation.run("sample_size", 100, neighbours=3, **QUIET)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"setting": "study_1"}, "setting"),
        ({"n": 0}, "n: found 0"),
        ({"n": 2.5}, "n: found 2.5"),
        ({"value": -1}, "value: found -1"),
        ({"value": np.nan}, "value: found nan"),
        ({"beta": (1, 2)}, "beta"),
    ],
)
def test_bad_input_to_draw(arguments, message):
    with pytest.raises(ValueError, match=message):
        simulation.draw(**{"setting": "missing_predictor", "n": 5, "rng": 0, **arguments})


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"replicate": -1}, ValueError, "replicate: found -1"),
        ({"random_state": None}, TypeError, "random_state"),
    ],
)
def test_bad_input_to_evaluations(arguments, kind, message):
    with pytest.raises(kind, match=message):
        simulation.evaluations(
            **{"setting": "sample_size", "value": 100, "random_state": 0, **arguments}
        )


def test_options_are_numbers_and_names_that_a_file_can_hold():
    options = Options(beta=np.array([1, 2, 3, 4]), n=300)
    assert options.beta == (1.0, 2.0, 3.0, 4.0)
    written = json.loads(json.dumps(options.as_json()))
    assert Options(**written) == options
