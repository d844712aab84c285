"""Options of a study: their form in a file, and values that are refused."""

import json

import numpy as np
import pytest

from conformal_roc_widget.simulation import Options


def test_options_are_numbers_and_names_that_a_file_can_hold():
    options = Options(beta=np.array([1, 2, 3, 4]), n=300)
    assert options.beta == (1.0, 2.0, 3.0, 4.0)
    written = json.loads(json.dumps(options.as_json()))
    assert Options(**written) == options


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        ({"beta": (1, 1, 1)}, ValueError),
        ({"beta": (1, 1, 1, "x")}, TypeError),
        ({"n": 3}, ValueError),
        ({"n": 300.5}, ValueError),
        ({"n_test": None}, TypeError),
        ({"neighbors": True}, TypeError),
        ({"calibration_size": 0}, ValueError),
        ({"calibration_size": "half"}, TypeError),
        ({"distance": "euclid"}, ValueError),
        ({"distance": None}, TypeError),
        ({"reference": "score"}, ValueError),
        ({"center": "middle"}, ValueError),
        ({"recenter": "yes"}, TypeError),
    ],
)
def test_a_bad_option_is_refused_by_name(bad, kind):
    with pytest.raises(kind, match=rf"^{next(iter(bad))}: found"):
        Options(**bad)


def test_a_posterior_is_no_centre():
    with pytest.raises(ValueError, match="no single estimate"):
        Options(reference="sharp", center="kernel")
