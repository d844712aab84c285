"""Redraws of the area and of Youden's threshold: exact in a hand, and as a naive loop has them."""

import itertools

import numpy as np
import pytest
from followed_data import Exponential, drawn
from scipy.stats import binom
from sklearn.metrics import roc_auc_score, roc_curve

from conformal_roc_widget import ConformalROC, RocEvaluation
from conformal_roc_widget.comparators import redraws
from conformal_roc_widget.comparators.redraws import Redraws

CALIBRATION = [0, 1] * 20, np.linspace(0.1, 0.9, 40)


def scored(n, decimals=3):
    place = np.arange(n)
    y = (place * 0.7548777 % 1 < 0.4).astype(int)
    return y, (0.05 + 0.6 * (place * 0.381966 % 1) + 0.3 * y).round(decimals)


def evaluation(y, score, **options):
    return RocEvaluation.from_predictions(*CALIBRATION, y, score, **options)


def by_scikit_learn(y, score, weight=None):
    """Area and Youden's threshold: of equal indices the highest, at most 1."""
    fpr, tpr, thresholds = roc_curve(y, score, sample_weight=weight, drop_intermediate=False)
    best = np.argmax(np.round(tpr - fpr, 12))
    return roc_auc_score(y, score, sample_weight=weight), min(thresholds[best], 1.0)


def area_and_threshold(y, score, weight=None):
    """The same over all pairs and all thresholds, in a tenth of the time."""
    y, score = np.asarray(y), np.asarray(score)
    weight = np.ones(y.size) if weight is None else weight
    (no, of_no), (yes, of_yes) = (
        (score[y == k], weight[y == k] / weight[y == k].sum()) for k in (0, 1)
    )
    area = of_yes @ ((np.sign(yes[:, None] - no) + 1) / 2) @ of_no
    cuts = np.append(np.inf, np.unique(score)[::-1])
    index = of_yes @ (yes[:, None] >= cuts) - of_no @ (no[:, None] >= cuts)
    return area, min(cuts[np.argmax(np.round(index, 12))], 1.0)


def test_all_pairs_and_thresholds_have_scikit_learns_area_and_threshold(rng):
    for _ in range(40):
        y = np.append([0, 1], rng.integers(0, 2, 12))
        score = rng.integers(0, 6, 14) / 5
        for weight in (None, rng.integers(1, 5, 14).astype(float)):
            expected = by_scikit_learn(y, score, weight)
            assert area_and_threshold(y, score, weight) == pytest.approx(expected, abs=1e-12)


def test_a_hand_of_rows_has_the_shares_of_all_its_redraws():
    zeros, ones = [0.1, 0.5, 0.8], [0.5, 0.9]
    found = Redraws.of(evaluation([0, 0, 0, 1, 1], [*zeros, *ones]), 20_000, 0)
    law = [
        area_and_threshold([0, 0, 0, 1, 1], [*no, *yes])
        for no in itertools.product(zeros, repeat=3)
        for yes in itertools.product(ones, repeat=2)
    ]
    for of, expected in zip((found.areas, found.youden), np.array(law).T, strict=True):
        assert np.unique(of.round(9)).tolist() == np.unique(expected.round(9)).tolist()
        for value in np.unique(expected.round(9)):
            share = (expected.round(9) == value).mean()
            assert (of.round(9) == value).mean() == pytest.approx(share, abs=0.012)


def naive(y, score, *, weight=None, groups=None, resamples=1500):
    """Rows of each label, or people of each kind, drawn by number."""
    rng = np.random.default_rng(5)
    owners = np.arange(y.size) if groups is None else groups
    kinds = {}
    for owner in np.unique(owners):
        rows = np.flatnonzero(owners == owner)
        kinds.setdefault(tuple(np.unique(y[rows])), []).append(rows)
    found = []
    for _ in range(resamples):
        rows = np.concatenate(
            [
                people[i]
                for people in kinds.values()
                for i in rng.integers(len(people), size=len(people))
            ]
        )
        of_rows = None if weight is None else weight[rows]
        found.append(area_and_threshold(y[rows], score[rows], of_rows))
    return np.array(found).T


@pytest.mark.parametrize("kind", ["rows", "weights", "people", "many levels"])
def test_redraws_are_those_of_a_naive_loop(kind, monkeypatch):
    y, score = scored(150, 6 if kind == "many levels" else 2)
    options = {}
    if kind == "many levels":
        monkeypatch.setattr(redraws, "MOST_LEVELS", 60)
    if kind == "weights":
        options = {"weight": 1.0 + np.arange(y.size) % 3}
    if kind == "people":
        options = {"groups": np.arange(y.size) // 3}
    names = {"weight": "sample_weight_test", "groups": "groups_test"}
    shown = evaluation(y, score, **{names[name]: value for name, value in options.items()})
    found, expected = Redraws.of(shown, 1500, 0), naive(y, score, **options)
    shares = [0.025, 0.25, 0.5, 0.75, 0.975]
    for of, naive_ones in zip((found.areas, found.youden), expected, strict=True):
        # Chances of both are off by 0.013 each, with three deviations by 0.05 together.
        low, high = (
            np.quantile(naive_ones, np.clip(np.add(shares, off), 0, 1)) for off in (-0.05, 0.05)
        )
        between = np.quantile(of, shares)
        assert (low - 0.015 <= between).all()
        assert (between <= high + 0.015).all()
    assert found.mostly[0] < found.mostly[1]


def test_people_who_are_followed_are_drawn_with_their_times():
    X, y = drawn(300, seed=1)
    model = ConformalROC(Exponential(), horizons=1.0, random_state=0).fit(X[:200], y[:200])
    shown = model.evaluate(X[200:], y[200:])
    found = Redraws.of(shown, 200, 0)
    assert found.areas.size == found.youden.size == 200
    assert found.areas[0] < shown.observed_auc < found.areas[-1]


def test_a_classifier_that_parts_the_labels_is_so_in_every_redraw():
    found = Redraws.of(evaluation([0, 0, 1, 1], [0.1, 0.2, 0.7, 0.9]), 100, 0)
    assert set(found.areas) == {1.0}
    assert set(found.youden) == {0.7, 0.9}, "the lowest positive that was drawn"


@pytest.mark.parametrize(
    ("low", "high", "axis"),
    [
        (0.7532, 0.9412, (0.75, 0.95)),
        (0.938, 0.9984, (0.92, 1.0)),
        (0.3, 1.0, (0.2, 1.0)),
        (1.0, 1.0, (0.9996, 1.0)),
        (0.0, 1.0, (0.0, 1.0)),
    ],
)
def test_the_axis_of_areas_has_round_ends(low, high, axis):
    assert redraws.round_axis(low, high) == pytest.approx(axis, abs=1e-12)


def test_all_redraws_are_in_a_bar_and_limits_on_the_axis():
    y, score = scored(150)
    shown = evaluation(y, score)
    found = Redraws.of(shown, 500, 0)
    bars = found.bars()
    assert bars.counts.sum() == 500
    assert bars.low <= min(shown.sampled.area.limits(0.001))
    assert bars.high >= max(shown.sampled.area.limits(0.001))


def test_counts_by_poisson_numbers_are_multinomial(rng):
    of, size = np.array([900, 3, 47, 250]), 20_000
    assert of.sum() >= redraws.ROWS_A_LEVEL * of.size
    found = redraws.redrawn_counts(of, size, rng)
    p = of / of.sum()
    assert found.min() >= 0
    np.testing.assert_array_equal(found.sum(axis=1), of.sum())
    errors = np.sqrt(of * (1 - p) / size)
    assert (np.abs(found.mean(axis=0) - of) < 4 * errors).all()
    expected = of.sum() * (np.diag(p) - np.outer(p, p))
    deviations = np.sqrt(np.outer(np.diag(expected), np.diag(expected)))
    assert (np.abs(np.cov(found.T) - expected) < 0.04 * deviations).all()
    # Of three rows there are few: their exact shares.
    shares = np.bincount(found[:, 1])[:5] / size
    np.testing.assert_allclose(shares, binom.pmf(np.arange(5), of.sum(), p[1]), atol=0.015)


def test_a_sum_of_poisson_numbers_that_is_too_large_is_drawn_again(rng, monkeypatch):
    monkeypatch.setattr(redraws, "SHORT", 0.0)
    of = np.array([30, 10])
    found = redraws.redrawn_counts(of, 5_000, rng)
    np.testing.assert_array_equal(found.sum(axis=1), 40)
    assert found[:, 1].mean() == pytest.approx(10, abs=0.2)
    assert found[:, 1].var() == pytest.approx(7.5, rel=0.1)


def test_thresholds_of_a_marker_below_zero_are_rounded_too(rng):
    y = rng.integers(0, 2, 200)
    evaluation = RocEvaluation.from_predictions(y, y - 1234.5 + rng.normal(size=200))
    found = Redraws.of(evaluation, 100, 0)
    np.testing.assert_allclose(found.mostly_rounded, found.mostly, rtol=1e-4)
    assert found.mostly_rounded[0] < 0
