"""Options of a study: their form in a file, and values that are refused."""

import json

import numpy as np

from conformal_roc_widget.simulation import Options


def test_options_are_numbers_and_names_that_a_file_can_hold():
    options = Options(beta=np.array([1, 2, 3, 4]), n=300)
    assert options.beta == (1.0, 2.0, 3.0, 4.0)
    written = json.loads(json.dumps(options.as_json()))
    assert Options(**written) == options
