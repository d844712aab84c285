"""What a new user does first, and is told: a fitted model, the other class, a percentage, another order."""

import numpy as np
import pandas as pd
import pytest
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import RocCurveDisplay
from sklearn.model_selection import train_test_split

from conformal_roc_widget import ConformalROC, RocEvaluation, ROCWidget


@pytest.fixture(scope="module")
def patients():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(900, 3))
    ill = rng.random(900) < 1 / (1 + np.exp(-2 * X[:, 0]))
    return X, np.where(ill, "ill", "well")


@pytest.fixture(scope="module")
def fitted(patients):
    return LogisticRegression().fit(*patients)


def notes(estimator, X, y, **parameters):
    model = ConformalROC(estimator, random_state=0, **parameters).fit(X[:600], y[:600])
    return model.evaluate(X[600:], y[600:]).notes


@pytest.mark.parametrize(("calibration", "trained"), [("split", 300), ("cross", 600)])
def test_a_fitted_classifier_is_trained_again_and_a_note_says_on_how_many_rows(
    patients, fitted, calibration, trained
):
    found = notes(fitted, *patients, calibration=calibration)
    assert f"trained again on {trained} of your 600 rows" in found[0]
    assert "FrozenEstimator(classifier)" in found[0]


def test_one_that_is_not_fitted_or_is_frozen_has_no_such_note(patients, fitted):
    for estimator in (LogisticRegression(), FrozenEstimator(fitted)):
        assert not any("trained again" in note for note in notes(estimator, *patients))


def test_with_a_calibration_set_of_its_own_all_rows_train_again(patients, fitted):
    X, y = patients
    model = ConformalROC(fitted, random_state=0)
    model.fit(X[:300], y[:300], X_calibration=X[300:600], y_calibration=y[300:600])
    assert "trained again on 300 of your 300 rows" in model.evaluate(X[600:], y[600:]).notes[0]


def test_the_note_is_on_the_screen(patients, fitted):
    X, y = patients
    widget = ROCWidget.from_estimator(fitted, X[:600], y[:600], X[600:], y[600:], random_state=0)
    assert any("trained again on 300" in note for note in widget._data["entries"][0]["notes"])


def test_scores_of_the_other_class_are_seen_by_the_auc(patients, fitted):
    X, y = patients
    ill = fitted.predict_proba(X)[:, 0]
    parts = y[:400], ill[:400], y[400:], ill[400:]
    (note,) = RocEvaluation.from_predictions(*parts).notes
    assert note.startswith("The AUC is 0.1")
    assert "pos_label='ill'" in note
    assert RocEvaluation.from_predictions(*parts, pos_label="ill").notes == ()


def test_of_several_classes_no_pos_label_is_advised():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(900, 2)), rng.integers(0, 3, 900)
    model = ConformalROC(LogisticRegression(), random_state=1).fit(X[:600], y[:600])
    found = [note for e in model.evaluate_all(X[600:], y[600:]).values() for note in e.notes]
    assert not any("pos_label" in note for note in found)


@pytest.mark.parametrize("alpha", [95, 5, 1.5, 1, 0])
def test_a_percentage_for_alpha_is_refused_before_the_fit(patients, alpha):
    class Untrainable(LogisticRegression):
        def fit(self, *_args, **_options):
            raise AssertionError("it was trained")

    X, y = patients
    with pytest.raises(ValueError, match=rf"alpha: found {alpha}, .* 0.05 for 95 %"):
        ROCWidget.from_estimator(Untrainable(), X, y, X, y, alpha=alpha)


@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize("table", [np.asarray, pd.DataFrame])
def test_the_order_of_train_test_split_is_recognized(patients, table, columns):
    X, y = patients
    parts = train_test_split(table(X[:, :columns]), y, random_state=0)
    with pytest.raises(
        ValueError, match=rf"y, X_test: found a table of shape \(225, {columns}\).*this order"
    ):
        ROCWidget.from_estimator(LogisticRegression(), *parts)


def test_both_columns_of_predict_proba_are_no_score(patients):
    X, y = patients
    both = LogisticRegression().fit(X, y).predict_proba(X)
    with pytest.raises(ValueError, match=r"score_calibration: found shape \(\d+, 2\).*\[:, 1\]"):
        ROCWidget.from_predictions(y, both, y, both[:, 1])


def test_a_curve_that_scikit_learn_has_drawn_is_refused_with_what_helps():
    display = RocCurveDisplay(fpr=np.array([0, 1]), tpr=np.array([0, 1]))
    with pytest.raises(TypeError, match="RocCurveDisplay, which holds a drawn curve and no scores"):
        ROCWidget(display)
