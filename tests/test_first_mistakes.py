"""First mistakes of new users, and their errors: a fitted model, the other class, a percentage,
another order.
"""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from cases import blurred_risk, followed
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import RocCurveDisplay, roc_auc_score
from sklearn.model_selection import train_test_split
from traitlets import TraitError

from conformal_roc_widget import (
    ConformalROC,
    RocEvaluation,
    ROCWidget,
    calibration_band,
    comparators,
)


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


@pytest.mark.parametrize(
    ("calibration", "rows"), [("split", "300 of your 600 rows"), ("cross", "all your 600 rows")]
)
def test_a_fitted_classifier_is_trained_again_and_a_note_says_on_how_many_rows(
    patients, fitted, calibration, rows
):
    found = notes(fitted, *patients, calibration=calibration)
    assert f"trained again on {rows}" in found[0]
    assert "FrozenEstimator(classifier)" in found[0]


def test_one_that_is_not_fitted_or_is_frozen_has_no_such_note(patients, fitted):
    for estimator in (LogisticRegression(), FrozenEstimator(fitted)):
        assert not any("trained again" in note for note in notes(estimator, *patients))


def test_with_a_calibration_set_of_its_own_all_rows_train_again(patients, fitted):
    X, y = patients
    model = ConformalROC(fitted, random_state=0)
    model.fit(X[:300], y[:300], X_calibration=X[300:600], y_calibration=y[300:600])
    assert "trained again on all your 300 rows" in model.evaluate(X[600:], y[600:]).notes[0]


def test_the_note_is_on_the_screen(patients, fitted):
    X, y = patients
    widget = ROCWidget.from_estimator(fitted, X[:600], y[:600], X[600:], y[600:], random_state=0)
    notes = widget._data["entries"][0]["notes"]
    assert any("trained again on 300" in note["fact"] for note in notes)


def test_scores_of_the_other_class_are_seen_by_the_auc(patients, fitted):
    X, y = patients
    ill = fitted.predict_proba(X)[:, 0]
    parts = y[:400], ill[:400], y[400:], ill[400:]
    (note,) = RocEvaluation.from_predictions(*parts).notes
    assert note.startswith("The AUC is 0.1")
    assert "pos_label='ill'" in note
    assert RocEvaluation.from_predictions(*parts, pos_label="ill").notes == ()


def test_survival_in_the_place_of_risk_is_told_what_a_time_takes():
    (X0, y0), (X, y) = followed(160), followed(40, 700)
    survival, at = [1 - blurred_risk(each, 1.0) for each in (X0, X)], {"horizon": 1.0}
    evaluation = RocEvaluation.from_predictions(y0, survival[0], y, survival[1], **at)
    told = [note for note in evaluation.notes if note.fact.startswith("The AUC is 0.")]
    assert [note.remedy for note in told] == [
        "If the scores are probabilities of survival, give 1 minus each."
    ]
    right = [1 - each for each in survival]
    evaluation = RocEvaluation.from_predictions(y0, right[0], y, right[1], **at)
    assert evaluation.observed_auc > 0.5
    with pytest.raises(ValueError, match="pos_label"):
        RocEvaluation.from_predictions(y0, right[0], y, right[1], pos_label="no event", **at)


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


def test_a_curve_that_scikit_learn_has_drawn_is_refused_with_what_helps():
    display = RocCurveDisplay(fpr=np.array([0, 1]), tpr=np.array([0, 1]))
    with pytest.raises(TypeError, match="RocCurveDisplay, which holds a drawn curve and no scores"):
        ROCWidget(display)


#: Two labels in one column, as in tables.
ONE_COLUMN = {
    "array": lambda y: y[:, None],
    "list": lambda y: [[each] for each in y.tolist()],
    "objects": lambda y: y[:, None].astype(object),
    "pandas": lambda y: pd.DataFrame({"y": y}),
    "pandas, named as a part of an outcome with a time": lambda y: pd.DataFrame({"event": y}),
    "polars": lambda y: pl.DataFrame({"y": y}),
    "pyarrow": lambda y: pa.table({"y": y}),
}


@pytest.mark.parametrize("form", ONE_COLUMN)
def test_one_column_is_taken_as_scikit_learn_takes_it(patients, fitted, form):
    (X, y), make = patients, ONE_COLUMN[form]
    score = fitted.predict_proba(X)[:, 1]
    expected = roc_auc_score(y == "well", score)
    assert RocEvaluation.from_predictions(make(y), make(score)).observed_auc == pytest.approx(
        expected
    )
    assert comparators.delong_interval(make(y), make(score)).estimate == pytest.approx(expected)
    four = RocEvaluation.from_predictions(make(y[:450]), score[:450], make(y[450:]), score[450:])
    assert four.observed_auc == pytest.approx(roc_auc_score(y[450:] == "well", score[450:]))
    columns = make(y[:600]), make(y[600:]), make(np.arange(600)), make(np.arange(600, 900))
    plain = y[:600], y[600:], np.arange(600), np.arange(600, 900)
    shown = [
        ConformalROC(LogisticRegression(), random_state=0)
        .fit(X[:600], train, groups=who)
        .evaluate(X[600:], test, groups=others)
        .band()
        for train, test, who, others in (columns, plain)
    ]
    np.testing.assert_array_equal(shown[0].tpr_lower, shown[1].tpr_lower)


NUMBERS = np.random.default_rng(0).normal(size=400)
AGE = np.random.default_rng(1).integers(20, 90, 400)
SCORE = 1 / (1 + np.exp(-NUMBERS))
LABEL = (np.random.default_rng(2).random(400) < SCORE).astype(int)
DOORS = {
    "two arrays": RocEvaluation.from_predictions,
    "four arrays": lambda y, s: RocEvaluation.from_predictions(y[:200], s[:200], y[200:], s[200:]),
    "widget": ROCWidget.from_predictions,
    "fit": lambda y, s: ConformalROC(LogisticRegression()).fit(NUMBERS[:, None], y),
    "comparator": comparators.bootstrap_band,
    "calibration band": calibration_band,
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("y", "s", "said"),
    [
        (NUMBERS, SCORE, r"400 distinct values: is this a regression target\?|200 distinct values"),
        (AGE, SCORE, r"\d\d distinct values: is this a regression target\?"),
        (SCORE, LABEL, "These look like scores, which come after the labels"),
        (np.column_stack([LABEL, AGE]), SCORE, "if these are a time and an event, expected a str"),
        (np.column_stack([AGE, LABEL == 1]), SCORE, "if these are a time and an event, expected"),
        (np.column_stack([1 - LABEL, LABEL]), SCORE, r"labels are y\.argmax\(axis=1\)"),
    ],
    ids=["continuous", "age", "swapped", "event, time", "time, event", "one-hot"],
)
def test_what_is_no_label_is_called_what_it_seems_to_be(door, y, s, said):
    with pytest.raises(ValueError, match=said):
        DOORS[door](y, s)


@pytest.mark.parametrize("door", sorted(set(DOORS) - {"fit"}))
def test_both_columns_of_predict_proba_are_told_apart(door):
    with pytest.raises(ValueError, match="of the two columns of predict_proba the one"):
        DOORS[door](LABEL, np.column_stack([1 - SCORE, SCORE]))


@pytest.mark.parametrize("door", ["two arrays", "four arrays", "widget"])
def test_predictions_in_the_place_of_scores_are_told(door):
    with pytest.raises(ValueError, match="these look like labels or predictions; predict_proba"):
        DOORS[door](LABEL, (SCORE > 0.5).astype(int))


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (
            LogisticRegression(),
            r"LogisticRegression, .*ROCWidget\.from_estimator\(classifier, X_test",
        ),
        (LogisticRegression, "the class LogisticRegression, expected"),
        (ConformalROC(LogisticRegression()), r"ConformalROC, expected what its evaluate\(X_test"),
        (LABEL, r"ndarray, .*ROCWidget\.from_predictions\(y, score\)"),
        (pd.DataFrame({"y": LABEL}), r"DataFrame, .*ROCWidget\.from_predictions\(y, score\)"),
        ([RocEvaluation.from_predictions(LABEL, SCORE)] * 2, "a list of 2, expected a mapping"),
        ({"fit_time": [1], "indices": {}}, r"ROCWidget\.from_cv_results\(cv_results, X, y\)"),
        (
            {"a": LogisticRegression()},
            r"LogisticRegression for label 'a', expected a RocEvaluation",
        ),
        ({"y": LABEL, "p": SCORE}, "ndarray for label 'y', expected a RocEvaluation"),
    ],
)
def test_the_widget_names_the_call_for_what_it_was_given(shown, said):
    with pytest.raises(TypeError, match=f"^evaluation: found {said}|^evaluation: found.*{said}"):
        ROCWidget(shown)


def test_several_values_name_the_call_too():
    for given in ((LABEL, SCORE), (LogisticRegression(), NUMBERS[:, None], LABEL)):
        with pytest.raises(TypeError, match=r"from_predictions\(y, score\), a classifier by ROCW"):
            ROCWidget(*given)
    with pytest.raises(TypeError, match=r"RocEvaluation\.from_predictions\(y, score\)"):
        RocEvaluation(LABEL, SCORE)


@pytest.fixture(scope="module")
def animals():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(900, 3))
    y = np.array(["ant", "bee", "cat"])[(X + rng.gumbel(size=X.shape)).argmax(axis=1)]
    return X, y, np.flatnonzero((np.arange(900) >= 600) & (y != "bee"))


def test_a_class_that_the_test_set_lacks_is_left_out_and_told(animals):
    X, y, rows = animals
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X[:600], y[:600])
    score = model.estimator_.predict_proba(X[rows])
    every = model.evaluate_all(X[rows], y[rows])
    assert list(every) == ["ant", "cat"]
    said = "The test set has no row of 'bee': it is left out, and the rest of each class lacks such"
    for column, name in ((0, "ant"), (2, "cat")):
        alone = model.evaluate(X[rows], y[rows], name)
        for each in (every[name], alone):
            expected = roc_auc_score(y[rows] == name, score[:, column])
            assert each.observed_auc == pytest.approx(expected)
        assert every[name].notes[0].startswith(said)
        np.testing.assert_array_equal(every[name].band().tpr_lower, alone.band().tpr_lower)
    assert list(ROCWidget(every, kind="classes").evaluation) == ["ant", "cat"]
    widget = ROCWidget.from_estimator(model.estimator_, X[rows], y[rows])
    assert list(widget.evaluation) == ["ant", "cat"]
    assert said in widget.evaluation["ant"].notes[0]


@pytest.mark.parametrize(
    ("label", "kept", "said"),
    [
        ("bee", ["ant", "cat"], "y_test: found no 'bee', expected rows of it and of others"),
        ("ant", ["ant"], "y_test: found 'ant' only, expected two or more of 'ant', 'bee', 'cat'"),
    ],
)
def test_a_class_has_a_curve_only_beside_others(animals, label, kept, said):
    X, y, _ = animals
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X[:600], y[:600])
    rows = 600 + np.flatnonzero(np.isin(y[600:], kept))
    with pytest.raises(ValueError, match=said):
        model.evaluate(X[rows], y[rows], label)


def test_weights_of_0_may_leave_out_a_class(animals):
    X, y, rows = animals
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X[:600], y[:600])
    weight = np.isin(np.arange(600, 900), rows).astype(float)
    found = model.evaluate(X[600:], y[600:], "ant", sample_weight=weight)
    alone = model.evaluate(X[rows], y[rows], "ant")
    assert found.observed_auc == pytest.approx(alone.observed_auc, abs=1e-14)


@pytest.mark.parametrize("value", [0.5, "score"])
def test_one_value_in_the_place_of_many_is_quoted(patients, fitted, value):
    X, y = patients
    score = fitted.predict_proba(X)[:, 1]
    for name, arrays in {"y": (value, score), "score": (y, value)}.items():
        with pytest.raises(TypeError, match=rf"{name}: .*found {value!r}.*"):
            RocEvaluation.from_predictions(*arrays)


def test_none_in_the_place_of_an_array_leads_to_both_forms(patients, fitted):
    X, y = patients
    for arrays in ((None, fitted.predict_proba(X)[:, 1]), (y, None)):
        with pytest.raises(ValueError, match=r"found None, expected from_predictions\(y, score\)"):
            RocEvaluation.from_predictions(*arrays)


def test_a_single_class_is_named_as_it_was_given(patients):
    X, _ = patients
    with pytest.raises(
        ValueError, match=r"y: found one class only \(1\.0\), expected at least two"
    ):
        ConformalROC(LogisticRegression()).fit(X, np.ones(len(X)))


def test_weights_of_zero_are_refused_by_name(patients):
    X, y = patients
    model = ConformalROC(LogisticRegression())
    with pytest.raises(
        ValueError, match=r"^sample_weight: found zero for every row, expected some"
    ):
        model.fit(X, y, sample_weight=np.zeros(len(X)))


class Alike:
    """A user's classifier that has scikit-learn's method names, but none of its base classes."""

    def fit(self, X, y):
        self.inner_ = LogisticRegression().fit(X, y)
        self.classes_ = self.inner_.classes_
        return self

    def predict_proba(self, X):
        return self.inner_.predict_proba(X)


class AlikeWithParameters(Alike):
    """Such a classifier that scikit-learn can clone."""

    def get_params(self, deep=True):
        return {}

    def set_params(self):
        return self


def test_a_classifier_that_is_none_of_scikit_learns_is_shown_frozen_or_fitted(patients):
    X, y = patients
    scores = LogisticRegression().fit(X[:300], y[:300]).predict_proba(X[600:])[:, 1]
    ready = Alike().fit(X[:300], y[:300])
    frozen = ConformalROC(FrozenEstimator(ready), random_state=0).fit(X[300:600], y[300:600])
    shown = ROCWidget.from_estimator(ready, X[600:], y[600:])
    for evaluation in (frozen.evaluate(X[600:], y[600:]), shown.evaluation):
        np.testing.assert_allclose(evaluation.scores, scores, rtol=1e-12)


def test_one_that_scikit_learn_can_copy_is_trained(patients):
    X, y = patients
    for estimator in (AlikeWithParameters(), AlikeWithParameters().fit(X, y)):
        found = notes(estimator, X, y)
        assert any("trained again" in note for note in found) == hasattr(estimator, "classes_")


def test_one_that_it_cannot_copy_is_refused_with_what_helps(patients):
    X, y = patients
    with pytest.raises(TypeError, match=r"^estimator: found Alike without get_params.*FrozenEst"):
        ConformalROC(Alike()).fit(X, y)
    with pytest.raises(ValueError, match=r"Alike, which is not fitted \(it has no classes_\)"):
        ROCWidget.from_estimator(Alike(), X, y)


def test_probabilities_of_fewer_rows_are_refused_with_the_shapes(patients):
    class Short(Alike):
        def predict_proba(self, X):
            return super().predict_proba(X)[:-1]

    X, y = patients
    with pytest.raises(ValueError, match=r"found shape \(899, 2\), expected \(900, 2\)"):
        ROCWidget.from_estimator(Short().fit(X, y), X, y)


def test_a_text_file_is_no_parquet_file(tmp_path):
    scores = tmp_path / "scores.csv"
    scores.write_text("p,y\n0.5,1\n")
    names = {"score": "p", "label": "y"}
    with pytest.raises(ValueError, match=r"source: found '.*scores\.csv', which is no Parquet"):
        RocEvaluation.from_table(
            scores, **names, y_calibration=[0, 1], score_calibration=[0.2, 0.8]
        )


def test_a_single_evaluation_has_no_label_but_none(patients, fitted):
    X, y = patients
    widget = ROCWidget.from_estimator(fitted, X, y)
    with pytest.raises(TraitError, match=r"label: found 'x', expected None$"):
        widget.label = "x"


def test_a_frozen_classifier_that_is_not_fitted_is_named_with_what_helps(patients):
    with pytest.raises(NotFittedError, match=r"frozen LogisticRegression .*\.fit\(X, y\)\)$"):
        ConformalROC(FrozenEstimator(LogisticRegression())).fit(*patients)
