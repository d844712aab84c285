"""The observed curve against scikit-learn and loops: thresholds, rates, labels, vertices."""

import numpy as np
import oracles
import pytest
from data import calibration_scores, labelled_scores, scored
from hypothesis import given
from sklearn.metrics import roc_curve

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.evaluation import figures
from conformal_roc_widget.evaluation import observed_curve as module
from conformal_roc_widget.evaluation.estimate import Rows
from conformal_roc_widget.evaluation.observed_curve import ObservedCurve


@given(calibration=calibration_scores(), test=labelled_scores())
def test_thresholds_and_rates_are_those_of_scikit_learn_without_dropping_any(calibration, test):
    band = RocEvaluation.from_predictions(*calibration, *test).band()
    fpr, tpr, thresholds = roc_curve(*test, drop_intermediate=False)
    np.testing.assert_array_equal(band.thresholds, thresholds)
    np.testing.assert_allclose(band.fpr, fpr, rtol=1e-15)
    np.testing.assert_allclose(band.tpr, tpr, rtol=1e-15)


@given(calibration=calibration_scores(), test=labelled_scores())
def test_rates_count_scores_at_or_above_the_threshold(calibration, test):
    evaluation = RocEvaluation.from_predictions(*calibration, *test)
    y, scores = (a.tolist() for a in test)
    thresholds = [0.0, 0.0625, 0.25, 0.5, 0.51, 1.0]
    band = evaluation.band(thresholds=thresholds)
    for k, curve in ((0, band.fpr), (1, band.tpr)):
        assert curve.tolist() == [
            oracles.rate(scores, y, k, t) for t in sorted(thresholds, reverse=True)
        ]


def test_zeros_of_both_labels_keep_their_labels():
    y = np.array([0, 1, 1, 0, 1, 0])
    made = RocEvaluation.from_predictions(
        *scored(np.random.default_rng(0), 40), y, [0, -0.0, 0, 1, 1, 0]
    )
    assert [each.values.tolist() for each in made.sampled.sorted_scores] == [[0, 0, 1], [0, 0, 1]]
    band = made.band(thresholds=[1, 0.5, 0])
    assert (band.fpr.tolist(), band.tpr.tolist()) == ([1 / 3, 1 / 3, 1], [1 / 3, 1 / 3, 1])


@given(data=labelled_scores(min_size=4, max_size=40))
def test_figures_of_counts_are_those_of_the_rows(data):
    y, score = data
    if min(y.sum(), (1 - y).sum()) < 2:
        return
    rows, curve = Rows(y == 1, score), ObservedCurve(score, y.astype(np.int8))
    _, fp, tp = curve.steps
    made = figures.area_of_counts(fp, tp, curve.auc), figures.average_precision_of_counts(fp, tp)
    known = figures.area(rows, curve.auc), figures.average_precision(rows)
    for one, other in zip(made, known, strict=True):
        assert one.scale == other.scale
        assert one[:3] == pytest.approx(other[:3], rel=1e-9, abs=1e-15)
    assert (curve.area, curve.average_precision) == made


def test_figures_of_many_counts_are_taken_in_parts(rng, monkeypatch):
    y = np.resize([0, 1, 1], 500)
    score = (rng.random(500) + y).round(2) / 3
    rows, curve = Rows(y == 1, score), ObservedCurve(score, y.astype(np.int8))
    monkeypatch.setattr(figures, "BLOCK", 7)
    known = figures.area(rows, curve.auc)
    assert curve.area.variance == pytest.approx(known.variance, rel=1e-12)


def test_the_average_precision_of_counts_is_that_of_the_rows(rng):
    y = (rng.random(80) < 0.3).astype(np.int8)
    sampled = RocEvaluation.from_predictions(y, np.round(0.3 * y + 0.7 * rng.random(80), 1)).sampled
    assert sampled.sample.plain
    found, wanted = sampled.average_precision, figures.average_precision(sampled.sample)
    assert (found.value, found.rows) == pytest.approx((wanted.value, wanted.rows))


@pytest.mark.parametrize("n", [3, 50, 4_000, 30_000])
def test_vertices_of_a_screen_are_the_farthest_within_half_a_pixel(rng, n):
    positive = rng.random(n) < 0.3
    positive[:2] = True, False
    kept = np.union1d([0, n], rng.integers(0, n + 1, n))
    fp, tp = (np.append(0, np.cumsum(each))[kept] for each in (~positive, positive))
    sizes = int(fp[-1]), int(tp[-1])
    fpr, tpr, expected = fp / sizes[0], tp / sizes[1], [0]
    while (here := expected[-1]) < fpr.size - 1:
        near = (fpr < fpr[here] + module.HALF_A_PIXEL) & (tpr < tpr[here] + module.HALF_A_PIXEL)
        expected.append(max(int(np.flatnonzero(near)[-1]), here + 1))
    short = [each.astype(np.int32) for each in (fp, tp)]
    for found in (module.screen_vertices(*short, sizes), module.screen_vertices(fpr, tpr)):
        assert found.tolist() == expected


@pytest.mark.parametrize("digits", [2, 5, 17])
def test_joined_groups_of_a_curve_are_those_of_its_score_groups(rng, digits):
    y, p = scored(rng, 3_000)
    curve = ObservedCurve.of(np.round(p, digits), np.asarray(y, dtype=np.int8), None)
    for most in (1, 7, 128, 5_000):
        found, expected = curve._joined(most), curve.score_groups.joined(most)
        for name in ("scores", "ends", "points", "positives", "shortest"):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), name)


def test_a_curve_counts_in_32_bits_and_its_vertices_in_64(rng):
    y, p = scored(rng, 200)
    curve = ObservedCurve.of(p, np.asarray(y, dtype=np.int8), None)
    assert [each.dtype for each in curve.steps] == [np.float64, np.int32, np.int32]
    assert {each.dtype for each in (*curve.vertices[2:], *curve.screen_vertices[2:])} == {
        np.dtype(np.intp)
    }
