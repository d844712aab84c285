"""The bootstrap with weights and with people, against repeated rows and resampled people."""

from fractions import Fraction

import numpy as np
import pytest
from comparator_cases import polygon
from data import scored
from sklearn.metrics import roc_curve

from conformal_roc_widget.calibration.followed.censoring import MarginalCensoring
from conformal_roc_widget.calibration.followed.known import Known
from conformal_roc_widget.comparators import bootstrap_band, bootstrap_replicates
from conformal_roc_widget.comparators.followed_resampling import FollowedResampling
from conformal_roc_widget.comparators.resampling import RowResampling
from conformal_roc_widget.tables.event_times import EventTimes

GRID = np.linspace(0, 1, 21)
QUICK = {"resamples": 100, "random_state": 0}


def same(one, other):
    for name in ("tpr", "tpr_lower", "tpr_upper"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_a_row_of_no_weight_is_absent_to_the_bit(rng):
    y, score = scored(rng, 60)
    weight = rng.integers(0, 3, 60) * 1.0
    weight[:4] = 0
    there = weight > 0
    same(
        bootstrap_band(y, score, sample_weight=weight, **QUICK),
        bootstrap_band(y[there], score[there], sample_weight=weight[there], **QUICK),
    )


def test_equal_weights_change_nothing_to_the_bit(rng):
    y, score = scored(rng, 60)
    same(
        bootstrap_band(y, score, sample_weight=np.full(60, 0.3), **QUICK),
        bootstrap_band(y, score, **QUICK),
    )


def test_the_observed_curve_of_whole_weights_is_that_of_repeated_rows(rng):
    y, score = scored(rng, 50)
    score = score.round(1)  # gives ties between labels
    weight = rng.integers(1, 4, 50)
    found = bootstrap_band(y, score, sample_weight=weight, fpr=GRID, **QUICK).tpr
    rows = np.repeat(np.arange(50), weight)
    neg, pos = ([float(s) for s in score[rows][y[rows] == k]] for k in (0, 1))
    grid = [Fraction(i, 20) for i in range(21)]
    expected = [float(polygon(neg, pos, g)) for g in grid]
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("decimals", [1, 9])
def test_a_replicate_is_the_curve_of_the_people_drawn(rng, decimals):
    y, score = scored(rng, 40)
    score = score.round(decimals)  # with one decimal there are ties between labels
    groups = np.arange(40) // 4
    law = RowResampling.of(y == 1, score, GRID, None, groups)
    drawn = law.draw(5, np.random.default_rng(3))
    again = np.random.default_rng(3)
    for curve in drawn:
        rows = []
        for kind in law.kinds:
            for person in kind[again.integers(kind.size, size=kind.size)]:
                rows += np.flatnonzero(groups == person).tolist()
        neg, pos = ([float(s) for s in score[rows][y[rows] == k]] for k in (0, 1))
        expected = [float(polygon(neg, pos, Fraction(i, 20))) for i in range(21)]
        np.testing.assert_allclose(curve, expected, atol=1e-12)


@pytest.mark.parametrize("lost", [0, 0.5])
@pytest.mark.parametrize("rounded", [False, True])
def test_a_followed_replicate_makes_the_curve_of_censoring_anew(rng, rounded, lost):
    times, events = rng.exponential(10, 60), rng.random(60) >= lost
    outcome = EventTimes(np.ceil(times / 3) if rounded else times, events)
    known = Known.of(outcome, 3.0, MarginalCensoring.of(outcome))
    law = FollowedResampling.of(outcome, known, rng.normal(size=60), GRID)
    drawn = np.random.default_rng(3).integers(60, size=60)
    times = np.bincount(drawn, minlength=60)[None]
    found = law._weights(times, [times[:, rows] for rows in law.rows])
    again = Known.of(outcome.rows(drawn), 3.0, MarginalCensoring.of(outcome.rows(drawn)))
    expected = np.bincount(drawn[again.rows], again.weights, minlength=60)
    for each, rows in zip(found, law.rows, strict=True):
        np.testing.assert_allclose(each[0], expected[rows], rtol=1e-12)


@pytest.mark.parametrize("decimals", [0, 9])
def test_a_followed_replicate_is_the_weighted_curve_of_the_drawn_rows(rng, decimals):
    outcome = EventTimes(rng.exponential(10, 60), rng.random(60) < 0.5)
    score = rng.normal(size=60).round(decimals)
    known = Known.of(outcome, 3.0, MarginalCensoring.of(outcome))
    fpr = np.pi / 10 * np.arange(0.1, 3)  # no vertex of a curve has such a rate
    law = FollowedResampling.of(outcome, known, score, fpr)
    again = np.random.default_rng(3)
    for curve in law.draw(5, np.random.default_rng(3)):
        rows = again.integers(60, size=60)
        drawn = outcome.rows(rows)
        seen = Known.of(drawn, 3.0, MarginalCensoring.of(drawn))
        x, y, _ = roc_curve(seen.labels, score[rows][seen.rows], sample_weight=seen.weights)
        np.testing.assert_allclose(curve, np.interp(fpr, x, y), atol=1e-12)


def test_people_who_are_rows_have_the_law_of_rows(rng):
    y, score = scored(rng, 200)
    rows = bootstrap_replicates(y, score, fpr=GRID, resamples=3000, random_state=1).ordered
    people = bootstrap_replicates(
        y, score, fpr=GRID, resamples=3000, random_state=2, groups=np.arange(200)
    ).ordered
    np.testing.assert_allclose(people.mean(axis=1), rows.mean(axis=1), atol=0.01)
    np.testing.assert_allclose(people.std(axis=1), rows.std(axis=1), atol=0.01)


def test_rows_of_one_person_widen_the_band(rng):
    y = np.repeat(rng.integers(0, 2, 30), 10)
    score = np.repeat(rng.normal(size=30), 10) + y + 0.1 * rng.normal(size=300)
    rows, people = (
        bootstrap_band(y, score, groups=groups, **QUICK)
        for groups in (None, np.repeat(np.arange(30), 10))
    )
    assert np.mean(people.tpr_upper - people.tpr_lower) > 1.5 * np.mean(
        rows.tpr_upper - rows.tpr_lower
    )


def test_few_people_are_told_of(rng):
    y, score = scored(rng, 60)
    assert any(
        "12 groups" in n for n in bootstrap_band(y, score, groups=np.arange(60) % 12, **QUICK).notes
    )
