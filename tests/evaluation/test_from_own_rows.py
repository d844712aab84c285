"""Test rows without calibration rows: limits from these rows hold for them, at every threshold at
once.
"""

import numpy as np
import pandas as pd
import pytest
from data import limits_of, scored

from conformal_roc_widget import RocEvaluation, calibration_band
from conformal_roc_widget.tables.calibration_rows import one_row_each

#: The true P(y = 1 | score): a square, a step function, and a nearly constant one.
LAWS = {
    "square": lambda s: s**2,
    "steps": lambda s: np.where(s < 0.3, 0.05, np.where(s < 0.7, 0.4, 0.9)),
    "faint": lambda s: 0.2 + 0.1 * s,
}


@pytest.fixture
def rows(rng):
    score = rng.random(300)
    return (rng.random(300) < score**2).astype(int), score


def held(evaluation, truth, alpha):
    """Whether the rates of the true probabilities are within the limits at every threshold."""
    cuts = np.concatenate([np.unique(truth), np.linspace(0, 1, 101)])
    band = evaluation.band(alpha, cuts)
    for k, low, up in limits_of(band):
        of_label = np.sort(truth[evaluation.labels == k])
        above = 1 - np.searchsorted(of_label, band.thresholds, side="right") / of_label.size
        if (above < low - 1e-12).any() or (above > up + 1e-12).any():
            return False
    return True


def test_all_rows_are_the_test_set_and_make_the_limits(rows):
    y, score = rows
    evaluation = RocEvaluation.from_predictions(y, score)
    assert evaluation.guarantee == evaluation.promise.kind == "simultaneous"
    assert evaluation.scores.tolist() == score.tolist()
    assert (
        evaluation.n_test == evaluation.n_calibration == {0: int((y == 0).sum()), 1: int(y.sum())}
    )
    assert [each.size for each in evaluation.residuals.values()] == [0, 0]
    lower, upper = calibration_band(y, score, 0.1).at(score)
    band = evaluation.band(0.1, [0.8, 0.5, 0.2])
    for k, low, up in limits_of(band):
        for i, threshold in enumerate(band.thresholds):
            assert low[i] == np.mean([b > threshold for b in lower[y == k]])
            assert up[i] == np.mean([b > threshold for b in upper[y == k]])


def test_it_is_what_four_equal_arrays_give_at_every_threshold_at_once(rows):
    two = RocEvaluation.from_predictions(*rows)
    four = RocEvaluation.from_predictions(*rows, *rows, guarantee="simultaneous")
    for alpha in (0.01, 0.2):
        assert two.at(alpha).ideal_auc_range() == four.at(alpha).ideal_auc_range()
        for one, other in zip(limits_of(two.band(alpha)), limits_of(four.band(alpha)), strict=True):
            np.testing.assert_array_equal(one[1], other[1])
            np.testing.assert_array_equal(one[2], other[2])
    assert two.youden() == four.youden()
    assert two.notes == four.notes == ()


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("n", [60, 300])
def test_the_limits_hold_the_true_rates_of_the_rows_that_made_them(law, n):
    rng, alpha, samples = np.random.default_rng([n, len(law)]), 0.1, 100
    kept = 0
    for _ in range(samples):
        score = rng.random(n)
        truth = LAWS[law](score)
        y = (rng.random(n) < truth).astype(int)
        kept += held(RocEvaluation.from_predictions(y, score), truth, alpha)
    # .90 minus three standard errors of 100 samples
    assert kept / samples >= 0.9 - 3 * np.sqrt(0.09 / samples)


def test_rows_of_one_person_make_no_limits_narrower():
    rng, alpha, samples, kept, alone = np.random.default_rng(8), 0.1, 100, 0, 0
    for _ in range(samples):
        score = np.repeat(rng.random(40), 12)
        people = np.repeat(np.arange(40), 12)
        truth = score**2
        y = np.repeat(rng.random(40) < score[::12] ** 2, 12).astype(int)
        if y.min() == y.max():
            continue
        alone += held(RocEvaluation.from_predictions(y, score), truth, alpha)
        kept += held(RocEvaluation.from_predictions(y, score, groups_test=people), truth, alpha)
    assert kept / samples >= 0.9 - 3 * np.sqrt(0.09 / samples)
    # as if each row were its own person
    assert alone / samples < 0.7


def test_people_bring_one_row_each_whatever_its_label(rows):
    y, score = rows
    people = np.repeat(np.arange(100), 3)
    evaluation = RocEvaluation.from_predictions(y, score, groups_test=people)
    chosen = one_row_each(people)
    assert sorted(people[chosen]) == list(range(100))
    assert len(set(chosen % 3)) == 3
    assert sum(evaluation.n_calibration.values()) == 100
    assert sum(evaluation.n_test.values()) == 300
    np.testing.assert_allclose(
        evaluation.intervals(0.1)[0], calibration_band(y[chosen], score[chosen], 0.1).at(score)[0]
    )
    assert "one row of each of the 100 people" in evaluation.notes[0]
    # if every person has one row, nothing changes and there is no note
    alone = RocEvaluation.from_predictions(y, score, groups_test=np.arange(300))
    assert alone.notes == ()
    assert alone.n_calibration == alone.n_test


def test_weights_weigh_rates_and_not_what_the_bounds_are_made_of(rows, rng):
    y, score = rows
    weights = rng.integers(0, 3, y.size)
    there = weights > 0
    weighted = RocEvaluation.from_predictions(y, score, sample_weight_test=weights)
    plain = RocEvaluation.from_predictions(y[there], score[there])
    assert weighted.n_calibration == plain.n_calibration
    lower, upper = plain.intervals(0.1)
    np.testing.assert_allclose(weighted.intervals(0.1), (lower, upper))
    point, w = weighted.operating_point(0.4, 0.1), weights[there]
    positive = y[there] == 1
    assert point.tpr_lower == pytest.approx(np.average(lower[positive] > 0.4, weights=w[positive]))
    assert point.tpr == pytest.approx(
        np.average(score[there][positive] >= 0.4, weights=w[positive])
    )


def test_the_positive_class_is_chosen_as_with_four_arrays(rows):
    y, score = rows
    names = np.where(y == 1, "benign", "malignant")
    evaluation = RocEvaluation.from_predictions(names, score, pos_label="benign")
    assert evaluation.classes == ("malignant", "benign")
    assert evaluation.observed_auc == RocEvaluation.from_predictions(y, score).observed_auc
    series = pd.Series(names), pd.Series(score)
    other = RocEvaluation.from_predictions(*series, pos_label="benign")
    np.testing.assert_array_equal(other.scores, evaluation.scores)


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"guarantee": "individual"}, "guarantee: found 'individual' for test rows alone"),
        ({"guarantee": "curve"}, "found 'curve' .*: 'curve' needs calibration rows of its own"),
        ({"guarantee": "everywhere"}, "guarantee: found 'everywhere' for scores alone"),
        ({"guarantee": "certain"}, "guarantee: found 'certain', expected one of"),
        ({"groups_calibration": [1]}, "groups_calibration: found it without calibration rows"),
        ({"sample_weight_calibration": [1]}, "sample_weight_calibration: found it without"),
        ({"score_test": [0.2]}, "y_test: found None, expected from_predictions"),
        ({"y_test": [0, 1]}, "score_test: found None, expected from_predictions"),
        ({"quantile_rule": "odd"}, "quantile_rule: found 'odd'"),
        ({"groups_test": [1, 2]}, "groups_test: found 2"),
        ({"pos_label": 7}, "pos_label: found 7"),
    ],
)
def test_what_two_arrays_cannot_give_is_refused(rows, options, found):
    with pytest.raises(ValueError, match=found):
        RocEvaluation.from_predictions(*rows, **options)


@pytest.mark.parametrize(
    ("y", "score", "found"),
    [
        ([0, 1, 1], [0.2, 0.3], "y and score: y has 3, score has 2"),
        ([0, 1], [0.0, 1.0], "score: found 0 distinct scores other than 0 and 1"),
        ([0, 1, 1], [7.0, 7.0, 7.0], "score: found 1 distinct score"),
        ([0, 1, 2], [0.2, 0.3, 0.1], "y: found 3 distinct labels"),
        ([1, 1], [0.2, 0.3], "y: found 1 distinct label"),
    ],
)
def test_errors_name_the_two_arrays(y, score, found):
    with pytest.raises(ValueError, match=found):
        RocEvaluation.from_predictions(y, score)


def test_four_equal_arrays_with_an_individual_guarantee_name_the_form_of_two(rows, rng):
    y, score = rows
    order = rng.permutation(y.size)
    for test in (rows, (y.copy(), score.copy()), (y[order], score[order]), tuple(map(list, rows))):
        with pytest.raises(ValueError, match=r"from_predictions\(y, score\) makes limits"):
            RocEvaluation.from_predictions(y, score, *test)
    # with its own labels or scores it is another set
    RocEvaluation.from_predictions(y, score, 1 - y, score)
    RocEvaluation.from_predictions(y, score, y, score**2)
    RocEvaluation.from_predictions(y, score, y, score, guarantee="simultaneous")
    # with few distinct scores, a permutation may be another sample
    coarse = scored(rng, 60, decimals=1)
    RocEvaluation.from_predictions(*coarse, *(each[::-1] for each in coarse))
