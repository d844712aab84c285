"""The calibration band: by hand, at any score, words, coverage, and bad input."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from conformal_roc_widget import CalibrationBand, calibration_band
from conformal_roc_widget.reliability.calibration_band import band_of_runs
from conformal_roc_widget.reliability.score_runs import ScoreRuns


def ends(band):
    return [*band.lower.tolist(), *band.upper.tolist()]


@pytest.mark.parametrize(
    ("y", "score", "lower", "upper"),
    [
        # With one point, p and 1 - p are at least alpha / 2.
        ([1], [0.3], [0.02], [1.0]),
        ([0], [0.3], [0.0], [0.98]),
        # The two points are one run. Its lower bound holds from the second score on.
        ([1, 1], [0.3, 0.4], [0.0, math.sqrt(0.02)], [1.0, 1.0]),
        ([0, 0], [0.3, 0.4], [0.0, 0.0], [1 - math.sqrt(0.02), 1.0]),
        ([1, 1], [0.4, 0.4], [math.sqrt(0.02)], [1.0]),
        # One or two successes of two: 1 - (1 - p)^2 = 0.02.
        ([0, 1], [0.0, 1.0], [0.0, 1 - math.sqrt(0.98)], [math.sqrt(0.98), 1.0]),
        ([1] * 9, [1.0] * 9, [0.02 ** (1 / 9)], [1.0]),
    ],
)
def test_by_hand(y, score, lower, upper):
    band = calibration_band(y, score, 0.04)
    np.testing.assert_allclose(band.lower, lower, rtol=1e-12)
    np.testing.assert_allclose(band.upper, upper, rtol=1e-12)


def test_three_distinct_scores_have_the_bounds_of_their_groups():
    score = np.repeat([0.0, 0.5, 1.0], [40, 50, 60])
    y = np.concatenate([np.resize(labels, n) for labels, n in (([0], 40), ([0, 1], 50), ([1], 60))])
    band = calibration_band(y, score)
    assert band.score.tolist() == [0.0, 0.5, 1.0]
    assert (band.points.tolist(), band.positives.tolist()) == ([40, 50, 60], [0, 25, 60])
    assert band.lower[0] == 0
    assert 0.2 < band.lower[1] < 0.5 < band.upper[1] < 0.8
    assert band.upper[2] == 1
    np.testing.assert_allclose(band.isotonic, [0, 0.5, 1])
    assert not band.refuted


def test_the_order_of_points_and_any_increasing_scale_do_not_matter(rng):
    score = rng.integers(1, 400, 900) / 400
    y = rng.random(900) < score**2
    band, order = calibration_band(y, score), rng.permutation(900)
    assert ends(calibration_band(y[order], score[order])) == ends(band)
    assert ends(calibration_band(y, 1e6 * np.log(score))) == ends(band)


def test_bounds_between_and_beyond_the_scores_are_those_of_the_neighbours(rng):
    score = rng.random(500)
    band = calibration_band(rng.random(500) < score, score)
    inside = rng.random(300)
    for name, wanted in (
        ("between", inside),
        ("at", band.score),
        ("beyond", np.array([-1.0, 2.0])),
    ):
        lower, upper = band.at(wanted)
        for s, low, up in zip(wanted, lower, upper, strict=True):
            assert low == max([0.0, *band.lower[band.score <= s]]), name
            assert up == min([1.0, *band.upper[band.score >= s]]), name


def test_the_words_and_the_table(rng):
    score = rng.random(200)
    band = calibration_band(rng.random(200) < score, score, 0.0125)
    assert isinstance(band, CalibrationBand)
    assert band.guarantee == (
        "at least 98.75 % for every sample size, if a higher score never means a lower probability"
    )
    assert band.scope == "every score at once"
    assert "ideal recalibration" in band.target
    assert band.notes == ()
    frame = band.to_frame()
    assert list(frame) == ["score", "lower", "upper", "isotonic", "points", "positives"]
    assert frame["score"].is_monotonic_increasing
    assert frame.attrs["guarantee"] == band.guarantee
    assert repr(band) == "CalibrationBand(alpha=0.0125, 200 points at 200 scores)"
    for array in (band.score, band.lower, band.upper):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_a_score_that_falls_as_the_probability_rises_is_refuted(rng):
    score = rng.random(2000)
    band = calibration_band(rng.random(2000) > score, score)
    assert band.refuted
    assert "refute" in band.notes[0]
    assert "refuted" in repr(band)
    assert not calibration_band(rng.random(2000) < score, score).refuted


def test_one_label_alone_bounds_one_side():
    score = np.linspace(0, 1, 100)
    band = calibration_band(np.ones(100, dtype=int), score)
    assert band.lower[-1] > 0.8
    assert (band.upper == 1).all()
    assert band.notes == ("All 100 labels are positive: the upper bound is 1 at every score.",)
    none = calibration_band(np.zeros(100, dtype=bool), score)
    assert none.upper[0] < 0.2
    assert (none.lower == 0).all()
    assert none.notes == ("All 100 labels are negative: the lower bound is 0 at every score.",)


def test_the_positive_label_is_the_second_in_order_or_the_one_that_is_named(rng):
    score = rng.random(300)
    positive = rng.random(300) < score
    band = calibration_band(positive, score)
    words = np.where(positive, "ill", "healthy")
    assert ends(calibration_band(words, score)) == ends(band)
    assert ends(calibration_band(2 * positive - 1, score)) == ends(band)
    other = calibration_band(words, score, pos_label="healthy")
    assert ends(other) == ends(calibration_band(~positive, score))
    alone = calibration_band(["healthy"] * 9, score[:9], pos_label="ill")
    assert alone.positives.sum() == 0
    with pytest.raises(ValueError, match=r"y: found only the label 'healthy'.*pos_label"):
        calibration_band(["healthy"] * 9, score[:9])
    with pytest.raises(ValueError, match=r"pos_label: found 'sick', expected one of"):
        calibration_band(words, score, pos_label="sick")


def test_a_new_alpha_of_sorted_points_gives_the_same_band(rng):
    score = rng.random(400)
    positive = rng.random(400) < score
    runs = ScoreRuns.of(score, positive)
    for alpha in (0.3, 0.05):
        assert ends(band_of_runs(runs, alpha)) == ends(calibration_band(positive, score, alpha))


#: Logits of P(y = 1 | score) as monotone functions of z, and the observed scores.
LAWS = {
    "as a rule": (lambda z: z, expit),
    "steep": (lambda z: 12 * z, expit),
    "flat": (lambda z: 0 * z, expit),
    "rare": (lambda z: z - 4, lambda z: z),
    "rounded": (np.round, np.round),
    "a step": (lambda z: np.where(z > 0.3, 2.0, -2.0), expit),
}


@pytest.mark.parametrize("law", list(LAWS))
@pytest.mark.parametrize("n", [20, 400])
def test_the_band_holds_the_probability_at_every_score_at_once(law, n):
    logit, seen = LAWS[law]
    rng, held = np.random.default_rng(7), []
    for _ in range(200):
        z = rng.normal(size=n)
        p = expit(logit(z))
        lower, upper = calibration_band(rng.random(n) < p, seen(z), 0.1).at(seen(z))
        held.append(((lower <= p + 1e-12) & (p - 1e-12 <= upper)).all())
    assert np.mean(held) > 0.9 - 2 * math.sqrt(0.09 / 200)


def test_frames_go_in():
    frame = pd.DataFrame({"y": [0, 1, 1], "p": [0.2, 0.4, 0.9]})
    assert calibration_band(frame["y"], frame["p"]).score.tolist() == [0.2, 0.4, 0.9]
