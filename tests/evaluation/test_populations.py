"""Evaluations by population against models calibrated on one population."""

import inspect
import math

import numpy as np
import pandas as pd
import pytest
from data import assert_same_curves, logistic_sample
from scipy import stats
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, RocEvaluation

RNG = np.random.default_rng(11)
X, Y, _ = logistic_sample(RNG, 150)
X_CA, Y_CA, _ = logistic_sample(RNG, 240)
X_TEST, Y_TEST, _ = logistic_sample(RNG, 160)
WHO_CA = np.where(RNG.random(240) < 0.6, "women", "men")
WHO = np.where(np.arange(160) % 3 < 2, "women", "men")
ALPHA, CUT = 0.2, 0.5


def fitted(**extra):
    model = ConformalROC(LogisticRegression(), reference="kernel", random_state=0)
    given = {"sensitive_features_calibration": WHO_CA, **extra}
    return model.fit(X, Y, X_calibration=X_CA, y_calibration=Y_CA, **given)


POPULATIONS = fitted().evaluate_by(X_TEST, Y_TEST, WHO)


def test_each_population_is_calibrated_by_its_own_rows_to_the_bit():
    assert list(POPULATIONS) == ["men", "women"]
    for name, found in POPULATIONS.items():
        own, test = name == WHO_CA, name == WHO
        model = ConformalROC(LogisticRegression(), reference="kernel", random_state=0)
        model.fit(X, Y, X_calibration=X_CA[own], y_calibration=Y_CA[own])
        alone = model.evaluate(X_TEST[test], Y_TEST[test])
        assert_same_curves(found.band(ALPHA), alone.band(ALPHA))
        assert found.n_calibration == alone.n_calibration
    plain = fitted().evaluate(X_TEST, Y_TEST).band(ALPHA)
    np.testing.assert_array_equal(POPULATIONS.overall.band(ALPHA).tpr_lower, plain.tpr_lower)


def test_a_gap_lies_between_limits_at_a_share_of_alpha():
    frame = POPULATIONS.gap(ALPHA, CUT)
    assert list(frame.columns) == ["rate", "group_a", "group_b", "difference", "lower", "upper"]
    assert frame[["rate", "group_a", "group_b"]].to_numpy().tolist() == [
        ["tpr", "men", "women"],
        ["fpr", "men", "women"],
    ]
    men, women = (POPULATIONS[name].operating_point(CUT, ALPHA / 4) for name in ("men", "women"))
    for row, rate in zip(frame.itertuples(), ("tpr", "fpr"), strict=True):
        values = [getattr(men, rate + e) - getattr(women, rate + f) for e, f in ENDS]
        assert (row.difference, row.lower, row.upper) == pytest.approx(values)
    assert "4 rates together" in frame.attrs["scope"]
    assert "95 %" in frame.attrs["guarantee"]


ENDS = [("", ""), ("_lower", "_upper"), ("_upper", "_lower")]


def test_the_sampling_twin_has_binomial_limits_of_every_rate():
    frame = POPULATIONS.sampling_gap(ALPHA, CUT)
    scores = POPULATIONS.overall.scores

    def limits(name, k):
        of = (name == WHO) & (k == Y_TEST)
        called, n = int((scores[of] >= CUT).sum()), int(of.sum())
        found = stats.binomtest(called, n).proportion_ci(1 - ALPHA / 4, method="exact")
        return called / n, found.low, found.high

    for row, k in zip(frame.itertuples(), (1, 0), strict=True):
        a, b = limits("men", k), limits("women", k)
        expected = a[0] - b[0], a[1] - b[2], a[2] - b[1]
        assert (row.difference, row.lower, row.upper) == pytest.approx(expected)
    odds = POPULATIONS.equalized_odds(ALPHA, CUT)
    assert odds.estimate == pytest.approx(frame.difference.abs().max())
    assert odds.upper == pytest.approx(max(frame.upper.max(), -frame.lower.min()))
    assert odds.lower == pytest.approx(max(frame.lower.max(), -frame.upper.min(), 0))


def test_the_sampling_twin_at_every_threshold_has_rectangles():
    frame = POPULATIONS.sampling_gap(ALPHA, CUT, every_threshold=True)
    n = POPULATIONS["men"].n_test[1], POPULATIONS["women"].n_test[1]
    far = [math.sqrt(math.log(2 / (ALPHA / 4)) / (2 * m)) for m in n]
    rates = [POPULATIONS[name].operating_point(CUT).tpr for name in ("men", "women")]
    lower = max(rates[0] - far[0], 0) - min(rates[1] + far[1], 1)
    assert frame.lower[0] == pytest.approx(lower)
    assert "all thresholds" in frame.attrs["scope"]


def test_several_columns_are_crossed_and_a_small_population_has_no_limits():
    age_ca = np.where(np.arange(240) < 12, "old", "young")
    age = np.where(np.arange(160) % 5 == 0, "old", "young")
    both = pd.DataFrame({"sex": WHO_CA, "age": age_ca})
    model = fitted(sensitive_features_calibration=both)
    found = model.evaluate_by(X_TEST, Y_TEST, np.column_stack([WHO, age]))
    assert list(found) == ["men, old", "men, young", "women, old", "women, young"]
    band = found["men, old"].band(0.05)
    assert band.vacuous[0] is not None
    assert (band.tpr_lower[1:-1] == 0).all()
    assert any("no limits" in note for note in found["men, old"].notes)
    gap = found.gap(0.05, CUT)
    assert len(gap) == 12
    small = gap[(gap.group_a == "men, old")]
    assert (small.upper - small.lower >= 0.99).all()


def test_a_population_that_never_calibrated_has_no_limits():
    strangers = np.where(np.arange(160) % 2, "others", WHO)
    found = fitted().evaluate_by(X_TEST, Y_TEST, strangers)
    assert found["others"].n_calibration == {0: 0, 1: 0}
    lower, upper = found["others"].intervals(0.4)
    assert (lower == 0).all()
    assert (upper == 1).all()


def test_people_and_weights_go_with_populations():
    people = np.arange(240) // 3
    names = np.array(["men", "women"])[(people % 2)]
    model = fitted(sensitive_features_calibration=names, groups_calibration=people)
    weight = RNG.random(160)
    found = model.evaluate_by(X_TEST, Y_TEST, WHO, sample_weight=weight)
    for name, e in found.items():
        for k in (0, 1):
            there = (names == name) & (k == Y_CA)
            assert e.n_calibration[k] == np.unique(people[there]).size
        np.testing.assert_array_equal(e.sample_weight, weight[name == WHO])
    with pytest.raises(ValueError, match="sampling_gap: found test points with weights"):
        found.sampling_gap()


def test_several_test_rows_of_one_person_have_no_binomial_limits():
    found = fitted().evaluate_by(X_TEST, Y_TEST, WHO, groups=np.arange(160) // 8)
    for refused in (found.sampling_gap, found.equalized_odds):
        with pytest.raises(ValueError, match="sampling_gap: found several test rows of one person"):
            refused()
    with pytest.raises(ValueError, match="reliability: found several test rows of one person"):
        found["men"].reliability()
    one_each = fitted().evaluate_by(X_TEST, Y_TEST, WHO, groups=np.arange(160))
    assert one_each.sampling_gap().equals(fitted().evaluate_by(X_TEST, Y_TEST, WHO).sampling_gap())


def test_a_gap_without_limits_names_the_population_and_says_why():
    assert POPULATIONS.gap(ALPHA, CUT).attrs["notes"] == []
    people = np.arange(240) // 12
    names = np.array(["men", "women"])[people % 2]
    answers = [np.where(each == 1, "ill", "healthy") for each in (Y, Y_CA, Y_TEST)]
    model = ConformalROC(LogisticRegression(), random_state=0)
    own = {"groups_calibration": people, "sensitive_features_calibration": names}
    model.fit(X, answers[0], X_calibration=X_CA, y_calibration=answers[1], **own)
    frame = model.evaluate_by(X_TEST, answers[2], WHO).gap(0.05, CUT)
    assert (frame[["lower", "upper"]] == [-1, 1]).all(axis=None)
    said = "men: healthy has calibration rows of 10 people, too few for 98.75 %: it has no limits."
    notes = frame.attrs["notes"]
    assert [note.split(":")[0] for note in notes] == ["men", "men", "women", "women"]
    assert notes[0].startswith(said)


def test_each_population_has_a_threshold_of_its_own():
    found = POPULATIONS.threshold_for(sensitivity=0.6, confidence=0.8)
    for name, evaluation in POPULATIONS.items():
        alone = evaluation.threshold_for(sensitivity=0.6, confidence=0.8)
        assert repr(found[name]) == repr(alone)
        assert found[name].rows == tuple(evaluation.n_test.values())
    here = POPULATIONS.threshold_for(specificity=0.7)
    assert here == {name: e.threshold_for(specificity=0.7) for name, e in POPULATIONS.items()}
    people = fitted().evaluate_by(X_TEST, Y_TEST, WHO, groups=np.arange(160) // 8)
    with pytest.raises(ValueError, match=r"^confidence: found several test .* \(population '"):
        people.threshold_for(sensitivity=0.6, confidence=0.8)
    own = inspect.signature(RocEvaluation.threshold_for).parameters
    assert inspect.signature(type(POPULATIONS).threshold_for).parameters == own


def test_bad_populations_are_refused_by_name():
    with pytest.raises(ValueError, match="sensitive_features: found none in the fit"):
        fitted(sensitive_features_calibration=None).evaluate_by(X_TEST, Y_TEST, WHO)
    with pytest.raises(ValueError, match="sensitive_features: found 3 rows, expected 160"):
        fitted().evaluate_by(X_TEST, Y_TEST, WHO[:3])
    with pytest.raises(ValueError, match="without both labels"):
        fitted().evaluate_by(X_TEST, Y_TEST, np.where(Y_TEST == 1, "men", "women"))
    with pytest.raises(ValueError, match="sensitive_features_calibration: found 3 rows"):
        fitted(sensitive_features_calibration=WHO_CA[:3])
    with pytest.raises(ValueError, match="alpha"):
        POPULATIONS.gap(1.5)


@pytest.mark.parametrize(
    ("fit", "test", "said"),
    [
        ([0, 1], ["0", "1"], "none of the fit's rows belong to '0' (the fit has 0, 1)"),
        (["0", "1"], [0, 1], "none of the fit's rows belong to 0 (the fit has '0', '1')"),
        (["f", "m"], ["F", "m"], "none of the fit's rows belong to 'F' (the fit has 'f', 'm')"),
    ],
)
def test_a_population_that_the_fit_does_not_know_is_told_with_those_it_knows(fit, test, said):
    rng = np.random.default_rng(0)
    X, who = rng.normal(size=(600, 2)), rng.integers(0, 2, 600)
    y = (rng.random(600) < 1 / (1 + np.exp(-X[:, 0]))).astype(int)
    model = ConformalROC(LogisticRegression(), random_state=0)
    model.fit(X[:400], y[:400], sensitive_features=np.array(fit)[who[:400]])
    found = model.evaluate_by(X[400:], y[400:], np.array(test)[who[400:]])
    first = found[test[0]]
    assert first.notes.count(f"No limits: {said}.") == 1
    assert [note for note in first.notes if "calibration points" in note] == [
        f"{label} has no calibration points, and so no limits at any alpha."
        for label in ("Label 0", "Label 1")
    ]
    known = [name for name in test if name in fit]
    assert not any("No limits" in note for name in known for note in found[name].notes)


def test_populations_in_columns_have_the_order_of_the_fit():
    rng = np.random.default_rng(0)
    X, two = rng.normal(size=(400, 2)), rng.integers(0, 2, (400, 2))
    y = (rng.random(400) < 0.5).astype(int)
    frame = pd.DataFrame(two, columns=["sex", "site"])
    model = ConformalROC(LogisticRegression(), random_state=0)
    model.fit(X[:200], y[:200], sensitive_features=frame[:200])
    with pytest.raises(
        ValueError, match="found the columns 'site', 'sex', expected those of the f"
    ):
        model.evaluate_by(X[200:], y[200:], frame[200:][["site", "sex"]])
    assert set(model.evaluate_by(X[200:], y[200:], two[200:])) == {"0, 0", "0, 1", "1, 0", "1, 1"}


def test_an_age_is_no_population():
    rng = np.random.default_rng(0)
    X, age = rng.normal(size=(400, 2)), rng.integers(20, 90, 400)
    y = (rng.random(400) < 0.5).astype(int)
    model = ConformalROC(LogisticRegression(), random_state=0)
    model.fit(X[:200], y[:200], sensitive_features=age[:200])
    with pytest.raises(ValueError, match=r"\d\d distinct values: is this a number\? pandas\.cut"):
        model.evaluate_by(X[200:], y[200:], age[200:])
