"""The envelope is rocci's."""

import numpy as np
import rocci
from data import scored

from conformal_roc_widget.comparators import envelope_replicates, simultaneous_band


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
        made = envelope_replicates(y, score, random_state=7, n_threads=1).band(alpha)
        np.testing.assert_array_equal(made.tpr_lower, found.tpr_lower)
