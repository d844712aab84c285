"""Residuals from scores alone: by hand, by loops, and for scores of exactly 0 and 1."""

import math

import numpy as np
import oracles
import pytest
from data import by_kernel, calibration_scores, labelled_scores, scored
from hypothesis import assume, given
from hypothesis import strategies as st

from conformal_roc_widget.calibration.references.kernel import score_kernel
from conformal_roc_widget.calibration.references.posterior import ClassPosteriors
from conformal_roc_widget.logits import logit_of
from conformal_roc_widget.reliability.score_bins import CONTRAST, contrast

INF = math.inf


@given(
    calibration=calibration_scores(),
    test=labelled_scores(),
    bandwidth=st.sampled_from(["silverman", "scott", 0.5]),
)
def test_residuals_are_the_leave_one_out_kernel_on_the_logit_less_the_logit(
    calibration, test, bandwidth
):
    evaluation = by_kernel(*calibration, *test, bandwidth=bandwidth)
    y, scores = (a.tolist() for a in calibration)
    expected = oracles.residuals_from_scores(y, scores, bandwidth)
    for k in (0, 1):
        np.testing.assert_allclose(evaluation.residuals[k], expected[k], rtol=1e-9, atol=1e-9)
        assert evaluation.n_calibration[k] == y.count(k)


def test_two_calibration_points_by_hand():
    # each label occurs once, so without itself a point has no other point of its label
    evaluation = by_kernel([0, 1], [0.3, 0.6], [0, 1, 1], [0.2, 0.5, 0.9])
    assert evaluation.residuals[0].tolist() == [INF]
    assert evaluation.residuals[1].tolist() == [-INF]
    band = evaluation.band(0.5)
    # alpha (n + 1) = 1, so the paper's limits are -inf and order statistic 1
    assert band.quantiles == {0: (-INF, INF), 1: (-INF, -INF)}
    np.testing.assert_array_equal(band.tpr_upper, [0, 0, 0, 0])
    np.testing.assert_array_equal(band.fpr_lower, [0, 0, 0, 0])
    np.testing.assert_array_equal(band.fpr_upper, [0, 1, 1, 1])


def test_three_calibration_points_by_hand():
    # logits are -1 and 1 for label 0, and 0 for label 1; h = sd = 1; for the point at -1 the others
    # are at distances 2 and 1
    scores = [oracles.expit(v) for v in (-1.0, 1.0, 0.0)]
    evaluation = by_kernel([0, 0, 1], scores, [0, 1], [0.25, 0.75], bandwidth=1.0)
    np.testing.assert_allclose(evaluation.residuals[0], [1.5 - 1, 1.5 + 1], rtol=1e-12)
    assert evaluation.residuals[1].tolist() == [-INF]


def test_a_label_seen_once_in_calibration_keeps_its_infinite_residual_and_is_said_to_be_vacuous(
    rng,
):
    y, score = scored(rng, 41)
    y[:] = 0
    y[7] = 1
    evaluation = by_kernel(y, score, *scored(rng, 20))
    assert evaluation.residuals[1].tolist() == [-INF]
    assert np.isfinite(evaluation.residuals[0]).all()
    band = evaluation.band(0.1)
    assert band.quantiles[1] == (-INF, INF)
    assert band.n_calibration == {0: 40, 1: 1}
    assert band.vacuous[0] is None
    assert isinstance(band.vacuous[1], str)
    assert band.vacuous[1]


def test_scores_of_exactly_zero_and_one_stand_for_two_to_the_minus_53():
    evaluation = by_kernel(
        [0, 1, 0, 1, 1], [0.0, 1.0, 0.3, 0.6, 0.7], [0, 1, 0, 1], [0.0, 1.0, 0.5, 0.5]
    )
    expected = oracles.residuals_from_scores([0, 1, 0, 1, 1], [0.0, 1.0, 0.3, 0.6, 0.7])
    np.testing.assert_allclose(evaluation.residuals[0], expected[0], rtol=1e-9)
    np.testing.assert_allclose(evaluation.residuals[1], expected[1], rtol=1e-9)
    assert evaluation.scores.tolist() == [0.0, 1.0, 0.5, 0.5]
    assert evaluation.band(0.5).thresholds.tolist() == [INF, 1.0, 0.5, 0.0]


@given(calibration=calibration_scores(), test=labelled_scores())
def test_scores_turned_round_and_labels_swapped_turn_the_residuals_round(calibration, test):
    y, score = calibration
    assume(not {1e-300, 1e-12, 1 - 1e-12} & set(score))
    one = by_kernel(y, score, *test).residuals
    other = by_kernel(1 - y, 1 - score, *test).residuals
    for k in (0, 1):
        np.testing.assert_allclose(one[k], -other[1 - k][::-1], rtol=1e-7, atol=1e-7)


def test_preparing_a_test_set_takes_little_more_memory_than_a_copy():
    import tracemalloc

    y, score = scored(np.random.default_rng(0), 1_000_000)
    calibration = scored(np.random.default_rng(1), 200)
    by_kernel(*calibration, *scored(np.random.default_rng(2), 50))
    tracemalloc.start()
    made = by_kernel(*calibration, y, score)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.2 * score.nbytes + y.size
    assert made.n_test == {0: 500_000, 1: 500_000}


def logits_and_labels(n, slope, seed=0):
    """Scores whose logits are a third of the probability's, and labels."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=n)
    return probability(slope * z), (rng.random(n) < probability(3 * slope * z)).astype(int)


def probability(z):
    return 1 / (1 + np.exp(-z))


def test_the_sharp_reference_of_a_score_is_that_of_its_logit_as_the_only_feature():
    scores, y = logits_and_labels(300, 0.5)
    test = logits_and_labels(50, 0.5, seed=1)[::-1]
    found = by_kernel(y, scores, *test, reference="sharp")
    logits = logit_of(scores)
    draws = ClassPosteriors.of(logits[:, None], y, 2).draws(logits[:, None], 1)
    for k in (0, 1):
        pooled = np.sort((draws[y == k] - logits[y == k, None]).ravel())
        n = int((y == k).sum())
        wanted = [pooled[(2 * i + 1) * pooled.size // (2 * n)] for i in range(n)]
        np.testing.assert_allclose(found.residuals[k], wanted)
    assert "smooth" in found.at(0.1).guarantee
    assert found.at(0.1).target == by_kernel(y, scores, *test).at(0.1).target


def test_the_reference_is_one_of_two():
    scores, y = logits_and_labels(40, 1.0)
    with pytest.raises(ValueError, match=r"reference: found 'learned', expected one of"):
        by_kernel(y, scores, y, scores, reference="learned")


def test_a_kernel_that_is_too_smooth_is_told_and_the_sharp_reference_is_not():
    """The kernel cannot follow this distribution at the lowest score, where its density starts."""
    rng = np.random.default_rng(2)
    y = np.resize([0, 1], 2000)
    x = rng.exponential(1 + 2 * y)
    scores = probability(0.45 * x - 0.5)

    def notes(**options):
        test = y[:1000], scores[:1000]
        return by_kernel(y, scores, *test, **options).notes

    assert any("too smooth" in note for note in notes())
    # The misfit is 3.1 standard deviations, clearly above the 2.6 at which a note is given.
    logits = logit_of(scores)
    reference = score_kernel(logits, y, np.ones(2000, dtype=bool), "silverman").logits()[:, 1]
    assert contrast(logits, y, reference) > CONTRAST + 0.4
    assert not any("kernel" in note for note in notes(reference="sharp"))
    assert notes(guarantee="simultaneous") == ()
