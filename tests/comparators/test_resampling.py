"""Number, seed and progress of resamples."""

import numpy as np
import pytest
from data import scored

from conformal_roc_widget.comparators import (
    bootstrap_band,
    bootstrap_replicates,
)
from conformal_roc_widget.comparators.rocci_bands import EnvelopeReplicates


def test_replicates_are_read_only(rng):
    for make in (bootstrap_replicates, EnvelopeReplicates):
        made = make(*scored(rng, 30), resamples=100)
        values = made.ordered if make is bootstrap_replicates else made.replicates
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 0


@pytest.mark.parametrize("decimals", [None, 1])
def test_a_generator_goes_on_and_a_seed_repeats(decimals, rng):
    data, total = scored(rng, 40, decimals), 100

    def curves(make, random_state):
        made = make(*data, resamples=total, random_state=random_state)
        return made.ordered if make is bootstrap_replicates else made.replicates

    for make in (bootstrap_replicates, EnvelopeReplicates):
        np.testing.assert_array_equal(curves(make, 3), curves(make, 3))
        assert (curves(make, 3) != curves(make, 4)).any()
        assert (curves(make, None) != curves(make, None)).any()
        state = np.random.default_rng(3)
        assert (curves(make, state) != curves(make, state)).any()


def test_progress_can_be_a_bar(rng, capsys):
    bootstrap_band(*scored(rng, 20), resamples=100, progress=True)
    assert "bootstrap" in capsys.readouterr().err
    bootstrap_band(*scored(rng, 20), resamples=100)
    assert capsys.readouterr().err == ""
