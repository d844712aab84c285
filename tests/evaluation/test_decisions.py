import numpy as np
from data import evaluation_from_scores
from summaries import frame, summarized

from conformal_roc_widget import calibration_band


def test_a_threshold_at_an_end_is_held_by_the_interval_above_it_alone():
    evaluation = evaluation_from_scores(4, n_calibration=120, n_test=90)
    for end, holds in zip(evaluation.intervals(0.3), (True, False), strict=True):
        found = [evaluation.undecided(at, 0.3)[row] for row, at in enumerate(end)]
        assert found == [holds] * 90


def test_reliability_is_the_calibration_band_of_the_test_points():
    evaluation = evaluation_from_scores(6, n_test=200, decimals=2)
    found = evaluation.reliability(0.1)
    wanted = calibration_band(evaluation.labels, evaluation.scores, 0.1)
    for name in ("score", "lower", "upper", "points", "positives"):
        np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name))
    assert found.guarantee == wanted.guarantee


def test_a_summary_counts_every_point(rng):
    y, score = np.resize([0, 1], 400), np.round(rng.random(400), 1)
    summary = summarized(frame(y, score), (y, rng.random(400)))
    found, wanted = summary.reliability(), calibration_band(y, score)
    np.testing.assert_array_equal(found.points, wanted.points)
    np.testing.assert_allclose(found.lower, wanted.lower)
    assert "ends" not in found.to_frame()


def test_which_points_of_a_table_are_one_group_depends_on_no_label(rng):
    """Forty bins with three scores each. The labels of one table are a permutation of the other's."""
    centre = rng.random(40) * 0.8 + 0.1
    score = np.concatenate([centre, centre + 1e-6, centre + 2e-6]).repeat(5)
    calibration = [0, 1] * 50, rng.random(100)
    y = np.resize([0, 0, 1], score.size)
    bands = [
        summarized(frame(labels, score), calibration).reliability(0.1)
        for labels in (y, rng.permutation(y), 1 - y)
    ]
    for name in ("score", "ends", "points"):
        for band in bands:
            np.testing.assert_array_equal(getattr(band, name), getattr(bands[0], name))
    band = bands[0]
    assert band.points.sum() == score.size
    assert (band.score <= band.ends).all()
    assert (band.ends[:-1] < band.score[1:]).all()
    assert {"ends"} < set(band.to_frame())
    wide = np.flatnonzero(band.ends > band.score)
    assert wide.size > 30
    # Within a group neither of its own bounds applies, but those of the neighbouring groups do.
    lower, upper = band.at((band.score[wide] + band.ends[wide]) / 2)
    np.testing.assert_array_equal(lower, np.append(0, band.lower)[wide])
    np.testing.assert_array_equal(upper, np.append(band.upper, 1)[wide + 1])


def test_the_groups_of_a_table_are_those_of_its_bins_by_loops(rng):
    score = np.round(rng.random(3000), 5)
    y = (rng.random(3000) < score).astype(int)
    band = summarized(frame(y, score), (y[:100], score[:100])).reliability()
    for first, last, points, positives in zip(
        band.score, band.ends, band.points, band.positives, strict=True
    ):
        inside = (score >= first) & (score <= last)
        assert {first, last} <= set(score)
        assert (points, positives) == (inside.sum(), y[inside].sum())
