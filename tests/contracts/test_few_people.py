"""Groups of rows that are no people: refused by name where a test set is given, by every door."""

import numpy as np
import pytest
from cases import FirstFeature, model, scored, table

from conformal_roc_widget import RocEvaluation, ROCWidget, comparators
from conformal_roc_widget.evaluation.folds import mean_auc_interval

SEX = np.arange(60) % 2
DOORS = {
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
            ValueError, match=rf"groups(_test)?: found {n} groups? of 60 rows"
        ) as error:
            DOORS[door](who)
        assert "evaluate_by(X_test, y_test, sensitive_features)" in str(error.value)


@pytest.mark.parametrize("door", DOORS)
def test_ten_people_and_a_person_a_row_are_taken(door):
    for who in (np.arange(60) % 10, np.arange(60)):
        DOORS[door](who)


def test_few_rows_of_a_person_each_are_rows():
    few = RocEvaluation.from_predictions(
        [0, 1, 0, 1], [0.1, 0.7, 0.4, 0.6], groups_test=[1, 2, 3, 4]
    )
    assert few.groups is None
