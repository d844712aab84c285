"""Refuted scores against a fine grid, by hand, and in samples of calibrated scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from miscalibrated import Stretch, miscalibration
from scipy.special import expit, logit

from conformal_roc_widget import calibration_band


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(1, 39)), min_size=4, max_size=90),
    st.sampled_from([0.05, 0.4, 0.8]),
)
def test_stretches_are_the_scores_outside_their_bounds(rows, alpha):
    y, score = [0, 1, *(k for k, _ in rows)], [0.4, 0.6, *(place / 40 for _, place in rows)]
    band = calibration_band(y, score, alpha)
    found = miscalibration(band)
    grid = np.linspace(min(score), max(score), 3001)
    lower, upper = band.at(grid)
    if band.refuted:
        assert found == ("refuted", ())
        return
    for higher, wanted in ((True, grid > upper), (False, grid < lower)):
        own = [each for each in found.stretches if each.higher == higher]
        seen = np.any([(grid >= s.start) & (grid <= s.end) for s in own], axis=0) if own else False
        at_an_edge = np.any([np.isclose(grid, e, atol=1e-9) for s in own for e in s[:2]], axis=0)
        assert ((wanted == seen) | at_an_edge).all()
    for one, other in zip(found.stretches, found.stretches[1:], strict=False):
        assert one.start <= other.start
    assert (found.verdict == "off") == bool(found.stretches)


def test_too_high_in_the_middle_by_hand():
    """400 rows at .3 without a positive: the upper bound is far below .3, and below .1 too."""
    score = np.repeat([0.001, 0.3, 0.9], 400)
    y = np.concatenate([np.zeros(800), np.arange(400) % 10 > 0]).astype(int)
    band = calibration_band(y, score)
    found = miscalibration(band)
    assert found.verdict == "off"
    ((start, end, higher),) = found.stretches
    assert (end, higher) == (0.3, True)
    # Between two scores, the bound of the upper one holds.
    assert start == band.upper[1] > 0.001


def test_a_lone_score_may_be_too_low():
    found = miscalibration(
        calibration_band(np.ones(300, dtype=int), np.full(300, 0.5), pos_label=1)
    )
    assert found.stretches == (Stretch(0.5, 0.5, False),)


def test_few_rows_cannot_tell():
    rng = np.random.default_rng(1)
    for n, verdict in ((20, "few"), (40, "few"), (300, "none")):
        p = expit(rng.normal(size=n))
        assert miscalibration(calibration_band(rng.random(n) < p, p)).verdict == verdict


@pytest.mark.slow
def test_true_risks_are_refuted_with_alpha_at_most_and_doubled_ones_are_found():
    rng = np.random.default_rng(2)
    false = found = 0
    for _ in range(400):
        p = expit(1.5 * rng.normal(size=500))
        y = (rng.random(500) < p).astype(int)
        false += miscalibration(calibration_band(y, p, 0.2)).verdict == "off"
        wrong = expit(2 * logit(p) + 1)
        found += miscalibration(calibration_band(y, wrong, 0.2)).verdict == "off"
    assert false / 400 <= 0.2
    assert found / 400 > 0.95
