"""Evaluations of a cross-validation against evaluations made by hand for each fold."""

import numpy as np
import pytest
from data import assert_same_curves, logistic_sample
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_validate,
)

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.comparators import mean_auc_interval

X, Y, _ = logistic_sample(np.random.default_rng(3), 150)
ASKED = {"return_estimator": True, "return_indices": True}


def crossed(cv=4, X=X, **more):
    splitter = StratifiedKFold(cv) if isinstance(cv, int) else cv
    return cross_validate(LogisticRegression(), X, Y, cv=splitter, **ASKED, **more)


RESULTS = crossed()


def out_of_fold(results, X=X):
    scores = np.empty(Y.size)
    for model, rows in zip(results["estimator"], results["indices"]["test"], strict=True):
        scores[rows] = model.predict_proba(X[rows])[:, 1]
    return scores


def test_each_fold_is_calibrated_by_the_other_folds_scores():
    folds = RocEvaluation.from_cv_results(RESULTS, X, Y)
    scores = out_of_fold(RESULTS)
    assert list(folds) == [0, 1, 2, 3]
    for fold, rows in enumerate(RESULTS["indices"]["test"]):
        others = np.setdiff1d(np.arange(Y.size), rows)
        alone = RocEvaluation.from_predictions(Y[others], scores[others], Y[rows], scores[rows])
        assert_same_curves(folds[fold].band(0.2), alone.band(0.2))
        assert "the classifiers of all folds err alike" in folds[fold].band(0.2).guarantee
        assert any("up to 2α, not α" in note for note in folds[fold].notes)


def test_the_mean_area_is_that_of_the_folds():
    folds = RocEvaluation.from_cv_results(RESULTS, X, Y)
    scores = out_of_fold(RESULTS)
    parts = [(Y[rows], scores[rows]) for rows in RESULTS["indices"]["test"]]
    found = folds.mean_auc(0.1)
    assert found == mean_auc_interval(parts, 0.1)
    assert found.estimate == pytest.approx(np.mean([roc_auc_score(*part) for part in parts]))
    assert "training set" in found.guarantee


def test_the_pooled_curve_is_that_of_all_scores_and_says_what_it_mixes():
    folds = RocEvaluation.from_cv_results(RESULTS, X, Y)
    assert folds.pooled.auc == pytest.approx(roc_auc_score(Y, out_of_fold(RESULTS)))
    assert "different classifiers" in folds.pooled.caveat


def test_folds_take_the_references_and_guarantees_of_scores():
    scores, rows = out_of_fold(RESULTS), RESULTS["indices"]["test"][1]
    others = np.setdiff1d(np.arange(Y.size), rows)
    data = Y[others], scores[others], Y[rows], scores[rows]
    for options in ({"guarantee": "simultaneous"}, {"reference": "sharp"}):
        folds = RocEvaluation.from_cv_results(RESULTS, X, Y, **options)
        alone = RocEvaluation.from_predictions(*data, **options)
        np.testing.assert_array_equal(folds[1].band(0.2).tpr_lower, alone.band(0.2).tpr_lower)


def test_frames_names_and_another_positive_label():
    import pandas as pd

    frame = pd.DataFrame(X, columns=list("abc"))
    named = np.where(Y == 1, "ill", "well")
    results = cross_validate(LogisticRegression(), frame, named, cv=StratifiedKFold(3), **ASKED)
    folds = RocEvaluation.from_cv_results(results, frame, named, pos_label="ill")
    assert folds[0].classes == ("well", "ill")
    assert folds.pooled.auc > 0.6


def test_people_and_weights_travel_with_their_rows():
    people = np.arange(150) // 3
    results = crossed(GroupKFold(4), groups=people)
    folds = RocEvaluation.from_cv_results(results, X, Y, groups=people)
    for fold, rows in enumerate(results["indices"]["test"]):
        others = np.setdiff1d(np.arange(150), rows)
        for k in (0, 1):
            there = others[Y[others] == k]
            assert folds[fold].n_calibration[k] == np.unique(people[there]).size
    scores = out_of_fold(results)
    tests = results["indices"]["test"]
    parts = [(Y[rows], scores[rows]) for rows in tests]
    expected = mean_auc_interval(parts, 0.1, groups=[people[rows] for rows in tests])
    assert folds.mean_auc(0.1) == expected
    assert expected != mean_auc_interval(parts, 0.1)
    assert folds.mean_auc_limits([0.1, 0.4]) == [tuple(folds.mean_auc(a)[1:]) for a in (0.1, 0.4)]
    weight = np.random.default_rng(0).integers(1, 4, 150)
    weighted = RocEvaluation.from_cv_results(RESULTS, X, Y, sample_weight=weight)
    rows = RESULTS["indices"]["test"][0]
    np.testing.assert_array_equal(weighted[0].sample_weight, weight[rows])
    lower, upper = weighted.mean_auc()[1:]
    assert lower < np.mean([fold.observed_auc for fold in weighted.values()]) < upper
    assert (lower, upper) != tuple(RocEvaluation.from_cv_results(RESULTS, X, Y).mean_auc()[1:])


def spoiled(**parts):
    indices = {**RESULTS["indices"], **parts}
    return {**RESULTS, "indices": indices}


TESTS = RESULTS["indices"]["test"]
BAD = {
    "a list": ([1], TypeError, "cv_results: found list"),
    "no estimators": ({"indices": {}}, ValueError, "cv_results: found no 'estimator'"),
    "no indices": ({"estimator": []}, ValueError, "cv_results: found no 'indices'"),
    "overlap": (
        spoiled(test=[TESTS[0], TESTS[0], *TESTS[2:]]),
        ValueError,
        "found rows in two test folds",
    ),
    "trained on": (
        spoiled(train=TESTS),
        ValueError,
        "found rows of fold 0 in its training and its test part",
    ),
    "beyond": (spoiled(test=[TESTS[0] + 1000, *TESTS[1:]]), ValueError, "expected below 150"),
    "fewer": (spoiled(test=TESTS[:3]), ValueError, "found 4 classifiers and 3 folds"),
    "one label": (
        spoiled(test=[np.flatnonzero(Y == 0)[:9], *[t[:0] for t in TESTS[1:]]], train=[]),
        ValueError,
        "found label 0 alone in the test rows of fold 0",
    ),
}


@pytest.mark.parametrize(("results", "kind", "pattern"), BAD.values(), ids=BAD)
def test_what_is_no_cross_validation_is_refused(results, kind, pattern):
    with pytest.raises(kind, match=pattern):
        RocEvaluation.from_cv_results(results, X, Y)


def test_weights_and_people_together_are_refused_by_the_names_that_were_said():
    with pytest.raises(ValueError, match=r"^sample_weight, groups: found both, expected one"):
        RocEvaluation.from_cv_results(RESULTS, X, Y, sample_weight=np.ones(150), groups=Y)


def test_repeats_and_people_on_both_sides_are_refused():
    repeated = crossed(RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0))
    with pytest.raises(ValueError, match="splitter without repeats"):
        RocEvaluation.from_cv_results(repeated, X, Y)
    with pytest.raises(ValueError, match=r"groups: found .* expected a splitter that keeps groups"):
        RocEvaluation.from_cv_results(
            crossed(KFold(3, shuffle=True, random_state=0)), X, Y, groups=np.arange(150) // 5
        )
    with pytest.raises(ValueError, match="X and y: X has 150, y has 149"):
        RocEvaluation.from_cv_results(RESULTS, X, Y[:-1])
