"""Scores of exactly 0 and 1 are beyond all others in limits, areas and ranks, for every guarantee."""

import numpy as np
import pytest
from data import scored
from scipy.stats import rankdata

from conformal_roc_widget import RocEvaluation, comparators
from conformal_roc_widget.comparators.registry import Resampling

TINY = np.array([0.0, 5e-324, 1e-300, 1e-28, 2.0**-53, 1e-9])
NEAR_ONE = np.array([0.9, 1 - 2.0**-52, 1 - 2.0**-53, 1.0])


def without_shift(y, score):
    """The widest intervals that the order of the scores allows: all residuals are 0."""
    zeros = {0: np.zeros(400), 1: np.zeros(400)}
    return RocEvaluation.from_residuals(zeros, y, score)


@pytest.mark.parametrize("scores", [TINY, NEAR_ONE, np.r_[TINY, NEAR_ONE]], ids=["0", "1", "both"])
def test_without_a_shift_the_range_of_the_area_is_the_area(scores):
    for place in range(1, scores.size):
        y = (np.arange(scores.size) >= place).astype(int)
        assert without_shift(y, scores).ideal_auc_range(0.05) == (1, 1, 1)
        assert without_shift(1 - y, scores).ideal_auc_range(0.05) == (0, 0, 0)


@pytest.mark.parametrize("shift", [-2.0, 0.0, 1.5])
def test_limits_keep_the_order_of_the_scores(shift):
    scores = np.r_[TINY, NEAR_ONE]
    y = np.resize([0, 1], scores.size)
    residuals = {k: np.full(400, shift) for k in (0, 1)}
    evaluation = RocEvaluation.from_residuals(residuals, y, scores)
    for ends in evaluation.intervals(0.05):
        assert (np.diff(ends) >= 0).all()
    # Limits from counts above thresholds, with the scores in order.
    band = evaluation.band(0.05, thresholds=scores[1:-1])
    if not shift:
        for name in ("tpr", "fpr"):
            above = [
                ((scores > t) & (y == (name == "tpr"))).sum() / (y == (name == "tpr")).sum()
                for t in scores[-2:0:-1]
            ]
            np.testing.assert_allclose(getattr(band, f"{name}_lower"), above)


def test_a_zero_has_no_higher_limit_than_a_score_above_it(rng):
    y, score = scored(rng, 400)
    test = np.r_[0.0, 1e-28, 0.3, 0.7, 1 - 2.0**-53, 1.0]
    labels = np.array([0, 0, 0, 1, 1, 1])
    for options in ({}, {"reference": "sharp"}, {"guarantee": "simultaneous"}):
        evaluation = RocEvaluation.from_predictions(y, score, labels, test, **options)
        lower, upper = evaluation.intervals(0.2)
        for k in (0, 1):
            assert (np.diff(lower[labels == k]) >= 0).all()
            assert (np.diff(upper[labels == k]) >= 0).all()


@pytest.mark.parametrize("with_zeros", ["calibration", "test", "both"])
def test_a_monotone_change_of_the_scores_changes_no_observed_number(with_zeros, rng):
    y, score = scored(rng, 300)
    y_test, test = scored(rng, 200)
    if with_zeros != "test":
        score[:6], score[6:9] = 0.0, 1.0
    if with_zeros != "calibration":
        test[:6], test[6:9], test[9] = 0.0, 1.0, 1e-28
    evaluation = RocEvaluation.from_predictions(y, score, y_test, test)
    ranks = rankdata(test)
    zeros, ones = ranks[y_test == 0], ranks[y_test == 1]
    above = (ones[:, None] > zeros).mean() + (ones[:, None] == zeros).mean() / 2
    assert evaluation.observed_auc == pytest.approx(above)
    assert evaluation.ideal_auc_range(0.1).lower <= above <= evaluation.ideal_auc_range(0.1).upper


def test_comparators_on_logits_keep_the_order(rng):
    """A distribution fitted to logits does not treat a score of 0 as hundreds of deviations away."""
    y, score = scored(rng, 300)
    plain = score.copy()
    plain[np.flatnonzero(y == 0)[0]] = 0.0
    family = comparators.COMPARATORS["working_hotelling"]
    assert family.on_logits
    band = family.of_probabilities(y, plain, Resampling()).band(0.1)
    near = plain.copy()
    near[np.flatnonzero(y == 0)[0]] = 2.0**-53
    expected = family.of_probabilities(y, near, Resampling()).band(0.1)
    np.testing.assert_allclose(band.tpr_upper, expected.tpr_upper, atol=1e-9)
