"""rocci's bands: binormal, on any grid and in any unit; the envelope; and both without rocci."""

import sys

import numpy as np
import pytest
import rocci
from comparator_cases import BANDS
from data import scored

from conformal_roc_widget.comparators import (
    simultaneous_band,
    working_hotelling_band,
)
from conformal_roc_widget.comparators.rocci_bands import EnvelopeReplicates


def test_working_hotelling_is_roccis_on_any_grid(rng):
    y = np.resize([0, 1], 100)
    score = rng.normal(size=100) + y
    expected = rocci.roc_band(y, score, normal=True)
    found = working_hotelling_band(y, score, fpr=expected.fpr)
    np.testing.assert_allclose(found.tpr_lower, expected.lower, atol=1e-12)
    np.testing.assert_allclose(found.tpr_upper[1:], expected.upper[1:], atol=1e-12)
    inner = working_hotelling_band(y, score, fpr=expected.fpr[3:9])
    np.testing.assert_array_equal(inner.tpr_upper, found.tpr_upper[3:9])


@pytest.mark.parametrize(("shift", "scale"), [(0, 1e-12), (0, 1e300), (-5, 1e5)])
def test_working_hotelling_does_not_depend_on_the_unit_of_the_scores(shift, scale, rng):
    y = np.resize([0, 1], 100)
    score = rng.normal(size=100) + y
    one, other = (working_hotelling_band(y, values) for values in (score, score * scale + shift))
    np.testing.assert_allclose(other.tpr_lower, one.tpr_lower, atol=1e-9)
    np.testing.assert_allclose(other.tpr_upper, one.tpr_upper, atol=1e-9)


def test_working_hotelling_tells_of_scores_that_are_not_normal(rng):
    y = np.resize([0, 1], 400)
    normal = rng.normal(size=400) + y
    assert working_hotelling_band(y, normal).notes == ()
    assert "normal" in working_hotelling_band(y, np.exp(2 * normal)).notes[0]


def test_the_envelope_is_roccis_to_the_bit(rng):
    y, score = scored(rng, 120)
    for alpha in (0.05, 0.1):
        expected = rocci.roc_band(y, score, confidence=1 - alpha, random_state=7)
        found = simultaneous_band(y, score, alpha, random_state=7)
        for ours, theirs in zip(
            (found.fpr, found.tpr, found.tpr_lower, found.tpr_upper),
            (expected.fpr, expected.tpr, expected.lower, expected.upper),
            strict=True,
        ):
            np.testing.assert_array_equal(ours, theirs)
        made = EnvelopeReplicates(y, score, random_state=7, n_threads=1).band(alpha)
        np.testing.assert_array_equal(made.tpr_lower, found.tpr_lower)


@pytest.mark.parametrize("band", ["simultaneous", "working_hotelling"])
def test_without_rocci_the_error_says_what_to_install(band, monkeypatch, rng):
    for name in list(sys.modules):
        if name.partition(".")[0] == "rocci":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "rocci", None)
    with pytest.raises(ImportError, match=r"rocci.*pip install"):
        BANDS[band](*scored(rng, 20))
