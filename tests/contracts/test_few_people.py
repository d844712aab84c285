"""Groups of rows that cannot be people raise an error by name, in every function that takes a test
set.
"""

import numpy as np
import pytest
from cases import FirstFeature, model, scored, table
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_validate

from conformal_roc_widget import ConformalROC, RocEvaluation, ROCWidget, comparators
from conformal_roc_widget.evaluation.folds import mean_auc_interval

SEX = np.arange(60) % 2


#: Labels and scores of 60 calibration rows, and labels and scores of 60 test rows.
FOUR = (*scored(30, 30), *scored(31, 29))


def fitted(**groups):
    """A fit with separate calibration rows, or without."""
    X, y = table(30, 30)
    return ConformalROC(LogisticRegression(), random_state=0).fit(X, y, **groups)


def folds(who):
    X, y = table(30, 30)
    # Folds keep people together by themselves, so only named groups are refused.
    asked = {"return_estimator": True, "return_indices": True}
    found = cross_validate(LogisticRegression(), X, y, cv=GroupKFold(3), groups=ROWS, **asked)
    return RocEvaluation.from_cv_results(found, X, y, groups=who)


ROWS = np.arange(60)
DOORS = {
    "calibration scores": lambda who: RocEvaluation.from_predictions(*FOUR, groups_calibration=who),
    "test scores beside people who calibrate": lambda who: RocEvaluation.from_predictions(
        *FOUR, groups_calibration=1000 + ROWS // 2, groups_test=who
    ),
    "a fit": lambda who: fitted(groups=who),
    "a fit with calibration rows": lambda who: fitted(
        X_calibration=table(30, 30)[0], y_calibration=table(30, 30)[1], groups_calibration=who
    ),
    "training rows of a fit": lambda who: fitted(
        X_calibration=table(30, 30)[0],
        y_calibration=table(30, 30)[1],
        groups=who,
        groups_calibration=1000 + ROWS // 2,
    ),
    "folds": folds,
    "the widget's calibration scores": lambda who: ROCWidget.from_predictions(
        *FOUR, groups_calibration=who
    ),
    "two arrays": lambda who: RocEvaluation.from_predictions(*scored(30, 30), groups_test=who),
    "four arrays": lambda who: RocEvaluation.from_predictions(
        *scored(40, 40), *scored(30, 30), groups_test=who
    ),
    "the widget": lambda who: ROCWidget.from_predictions(*scored(30, 30), groups_test=who),
    "bootstrap_band": lambda who: comparators.bootstrap_band(
        *scored(30, 30), groups=who, resamples=100, random_state=0
    ),
    "delong_interval": lambda who: comparators.delong_interval(*scored(30, 30), groups=who),
    "mean_auc_interval": lambda who: mean_auc_interval(
        [scored(15, 15), scored(15, 15)], groups=np.split(who, 2)
    ),
    "features": lambda who: model(estimator=FirstFeature()).evaluate(*table(30, 30), groups=who),
}


@pytest.mark.parametrize("door", DOORS)
def test_fewer_than_ten_people_are_refused_and_populations_are_named(door):
    for who, n in ((SEX, 2), (np.arange(60) % 9, 9), (np.zeros(60), 1)):
        with pytest.raises(
            ValueError, match=rf"groups(_test|_calibration)?: found {n} groups? of 60 rows"
        ) as error:
            DOORS[door](who)
        assert "evaluate_by(X_test, y_test, sensitive_features)" in str(error.value)


@pytest.mark.parametrize("door", DOORS)
def test_ten_people_and_a_person_a_row_are_taken(door):
    for who in (ROWS % 10, ROWS):
        if door != "folds" or who is ROWS:  # a person is in one fold only
            DOORS[door](who)


def test_ten_people_in_folds_are_taken_though_a_fold_has_few():
    X, y = table(50, 50)
    who = np.arange(100) % 10
    asked = {"return_estimator": True, "return_indices": True}
    found = cross_validate(LogisticRegression(), X, y, cv=GroupKFold(5), groups=who, **asked)
    made = RocEvaluation.from_cv_results(found, X, y, groups=who)
    assert [fold.n_calibration[1] for fold in made.values()] == [
        np.unique(who[np.isin(who, who[rows], invert=True) & (y == 1)]).size
        for rows in found["indices"]["test"]
    ]


def test_few_rows_of_a_person_each_are_rows():
    few = RocEvaluation.from_predictions(
        [0, 1, 0, 1], [0.1, 0.7, 0.4, 0.6], groups_test=[1, 2, 3, 4]
    )
    assert few.groups is None
