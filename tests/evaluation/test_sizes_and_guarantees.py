"""A test set with its residuals: it copies its arrays, its sizes add up, and summaries can be
merged.
"""

import dataclasses
import pickle

import numpy as np
import pytest
from data import assert_same_curves, scored
from hypothesis import given
from hypothesis import strategies as st
from strategies import FEWER
from summaries import RNG, exact, frame, summarized

from conformal_roc_widget import RocEvaluation


def test_scores_alone_or_equal_in_their_bins_lose_nothing():
    y, score = scored(RNG, 5_000, decimals=3)
    found = summarized(frame(y, score))
    assert found.error == 0
    assert "exact" in found.lasting_notes[0]
    assert_same_curves(found.band(0.1), exact(y, score).band(0.1))
    assert found.ideal_auc_range(0.1) == exact(y, score).ideal_auc_range(0.1)
    assert found.youden(0.1) == exact(y, score).youden(0.1)


@FEWER
@given(parts=st.lists(st.integers(2, 40), min_size=2, max_size=4), seed=st.integers(0, 99))
def test_merged_parts_are_the_whole_to_the_bit(parts, seed):
    rng = np.random.default_rng(seed)
    pieces = [scored(rng, n, decimals=2) for n in parts]
    whole = summarized(frame(*(np.concatenate(column) for column in zip(*pieces, strict=True))))
    made = [summarized(frame(*piece)) for piece in pieces]
    merged = made[0]
    for each in made[1:]:
        merged = merged.merged(each)
    for name in ("scores", "labels", "counts"):
        np.testing.assert_array_equal(getattr(merged, name), getattr(whole, name))
    assert merged.error == whole.error
    assert merged.support.share == whole.support.share
    assert merged.ideal_auc_range(0.1) == whole.ideal_auc_range(0.1)


def test_only_summaries_of_one_calibration_set_are_merged():
    y, score = scored(RNG, 50)
    one = summarized(frame(y, score))
    for other in (exact(y, score), None, 3):
        with pytest.raises(TypeError, match="other"):
            one.merged(other)
    with pytest.raises(TypeError, match="other"):
        exact(y, score).merged(one)
    with pytest.raises(ValueError, match=r"other.*calibration"):
        one.merged(summarized(frame(y, score), (y, score)))
    with pytest.raises(ValueError, match="other"):
        one.merged(summarized(frame(y, score), quantile_rule="split"))


def test_a_summary_cannot_be_changed_and_travels(rng):
    found = summarized(frame(*scored(rng, 40_000)))
    for array in (found.scores, found.labels, found.counts):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.counts = None
    other = pickle.loads(pickle.dumps(found))
    assert_same_curves(other.band(0.1), found.band(0.1))
    assert other.error == found.error
    lower, upper = found.intervals(0.1)
    assert lower.shape == upper.shape == found.scores.shape


def test_an_evaluation_of_every_point_has_no_error_and_no_counts():
    assert (exact(*scored(RNG, 30)).error, exact(*scored(RNG, 30)).counts) == (0.0, None)


@pytest.mark.parametrize("rule", ["paper", "split"])
def test_below_this_alpha_no_point_of_a_label_has_a_limit(rng, rule):
    y = np.array([0] * 12 + [1] * 30)
    evaluation = RocEvaluation.from_predictions(
        y, rng.uniform(0.1, 0.9, 42), *scored(rng, 20), quantile_rule=rule
    )
    # The limit at rank 1 of n residuals: alpha (n + 1) is 1, or 2 if alpha is split between the
    # sides.
    sides = {"paper": 1, "split": 2}[rule]
    assert evaluation.vacuous_below == {0: sides / 13, 1: sides / 31}
    for k, alpha in evaluation.vacuous_below.items():
        assert evaluation.band(0.999 * alpha).vacuous_share[k] == 1
        assert evaluation.band(1.001 * alpha).vacuous_share[k] < 1


def test_bounds_at_every_score_at_once_have_limits_at_every_alpha(rng):
    evaluation = RocEvaluation.from_predictions(
        *scored(rng, 200), *scored(rng, 20), guarantee="simultaneous"
    )
    assert evaluation.vacuous_below == {0: 0.0, 1: 0.0}
