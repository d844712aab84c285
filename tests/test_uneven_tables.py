"""Tables in which one part has what another lacks: a rare level, an odd value, a gap, a date."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from conformal_roc_widget import ConformalROC, RocEvaluation

pytestmark = pytest.mark.usefixtures("one_learner")
N = 200


def data(rng, n=N):
    x = rng.normal(size=n)
    return x, (rng.random(n) < 1 / (1 + np.exp(-x))).astype(int)


def looking_at_x():
    return make_pipeline(make_column_transformer(("passthrough", ["x"])), LogisticRegression())


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        (object, 0),
        pytest.param(object, 1, marks=pytest.mark.thorough),
        pytest.param("str", 0, marks=pytest.mark.thorough),
        ("category", 1),
    ],
)
def test_a_note_that_one_row_has_fits_in_whatever_part_it_is(rng, kind, seed):
    x, y = data(rng)
    notes = pd.Series([None] * (N - 1) + ["complaint"], dtype=kind)
    X = pd.DataFrame({"x": x, "note": notes})
    model = ConformalROC(looking_at_x(), random_state=seed).fit(X[50:], y[50:])
    model.evaluate(X[:50], y[:50])
    rare = ConformalROC(looking_at_x(), random_state=seed).fit(X[:150], y[:150])
    assert rare.evaluate(X[150:], y[150:]).scores.size == 50


@pytest.mark.parametrize("seed", range(2))
def test_one_odd_string_among_numbers_counts_as_missing(rng, seed):
    x, y = data(rng)
    ages = rng.integers(18, 90, N)
    odd, gap = pd.Series(ages, dtype=object), pd.Series(ages, dtype=object)
    odd[3], gap[3] = "unknown", None
    models = [
        ConformalROC(looking_at_x(), random_state=seed).fit(pd.DataFrame({"x": x, "age": age}), y)
        for age in (odd, gap)
    ]
    for label in (0, 1):
        np.testing.assert_array_equal(*(model.residuals_[label] for model in models))


def test_a_column_of_codes_and_numbers_takes_either_alone(rng):
    x, y = data(rng)
    codes = pd.Series([str(i % 7) if i % 2 else i % 7 for i in range(N)], dtype=object)
    model = ConformalROC(looking_at_x(), neighbors=60, random_state=0)
    model.fit(pd.DataFrame({"x": x, "code": codes}), y)
    found = [
        model.predict_interval(pd.DataFrame({"x": [0.0], "code": [code]}), 1) for code in (3, "3")
    ]
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("texts", ["🙂 🙃 🙂 🙃 🙂 🙃", " "])
def test_texts_without_a_word_are_no_error(rng, texts):
    x, y = data(rng)
    strange = [texts * (1 + i % 60) for i in range(N)]
    model = ConformalROC(looking_at_x(), random_state=0)
    assert model.fit(pd.DataFrame({"x": x, "text": strange}), y).reference_ == "learned"


REFERENCES = ["auto", "kernel", "sharp", "learned", "score", DummyClassifier()]


@pytest.mark.parametrize("reference", REFERENCES, ids=str)
def test_a_gap_among_test_points_alone_is_for_the_classifier_to_take(rng, reference):
    x, y = data(rng)
    X = np.column_stack([x, rng.normal(size=N)])
    X[-1, 1] = np.nan
    model = ConformalROC(
        HistGradientBoostingClassifier(max_iter=5), reference=reference, random_state=0
    )
    evaluation = model.fit(X[:150], y[:150]).evaluate(X[150:], y[150:])
    assert evaluation.scores[-1] == model.estimator_.predict_proba(X[-1:])[0, 1]
    assert any("the points of the fit had none" in note for note in evaluation.notes)
    assert 0 <= evaluation.support.share <= 1
    whole = model.evaluate(X[150:-1], y[150:-1])
    assert not any("the points of the fit had none" in note for note in whole.notes)
    np.testing.assert_array_equal(whole.scores, evaluation.scores[:-1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"neighbors": 40}, "^X_test: found 1 NaN"),
        ({"center": "kernel"}, "^X_test: found 1 NaN"),
        ({"encoder": None}, "^X_test: found 1 NaN"),
        ({"estimator": LogisticRegression()}, "^X_test: LogisticRegression does not take this"),
    ],
)
def test_where_something_else_looks_at_a_gap_it_is_refused(rng, options, message):
    x, y = data(rng)
    X = np.column_stack([x, rng.normal(size=N)])
    X[-1, 1] = np.nan
    model = ConformalROC(HistGradientBoostingClassifier(max_iter=5), random_state=0).set_params(
        **options
    )
    model.fit(X[:150], y[:150])
    with pytest.raises(ValueError, match=message):
        model.evaluate(X[150:], y[150:])


@pytest.mark.parametrize("kind", [pl.Datetime, pl.Date])
def test_dates_of_a_polars_frame_are_dates(rng, kind):
    x, y = data(rng)
    days = [datetime.datetime(2020, 1, 1) + datetime.timedelta(int(i)) for i in rng.permutation(N)]
    frames = pd.DataFrame({"x": x, "t": days}), pl.DataFrame({"x": x, "t": days})
    frames = frames[0], frames[1].with_columns(pl.col("t").cast(kind))
    models = [ConformalROC(looking_at_x(), random_state=0).fit(X, y) for X in frames]
    assert [model.reference_ for model in models] == ["learned", "learned"]
    for label in (0, 1):
        np.testing.assert_allclose(*(model.residuals_[label] for model in models), atol=1e-12)
    with pytest.raises(TypeError, match=r"^X: .*found dates or times in 't'"):
        ConformalROC(looking_at_x(), encoder=None).fit(frames[1], y)


@pytest.mark.parametrize("names", [("well", "ill"), (2, 1)])
def test_notes_call_a_class_what_the_data_call_it(rng, names):
    rare = np.resize(np.arange(20) == 0, N).astype(int)
    score = np.clip(0.3 * rare + rng.random(N) * 0.6, 0, 1)
    named = np.array(names)[rare]
    options = {"pos_label": names[1]}
    evaluation = RocEvaluation.from_predictions(
        named[:100], score[:100], named[100:], score[100:], **options
    )
    name = f"Class {names[1]}" if isinstance(names[1], int) else names[1]
    assert evaluation.notes[0].startswith(f"{name} has only 5 calibration points")


def test_what_is_no_object_and_no_probability_is_told_exactly(rng):
    x, y = data(rng)
    with pytest.raises(TypeError, match="found the class LogisticRegression, expected an object"):
        ConformalROC(LogisticRegression, random_state=0).fit(x[:, None], y)
    with pytest.raises(ValueError, match=r"^estimator: found 1 distinct score .*one score for"):
        ConformalROC(DummyClassifier(), reference="score", random_state=0).fit(x[:, None], y)
    with pytest.raises(ValueError, match=r"^score_calibration: found 0 .* look like labels"):
        RocEvaluation.from_predictions(y, y, y, y)
    above = np.linspace(0, np.nextafter(1, 2), N)
    scores = RocEvaluation.from_predictions(y, above, y, above)
    with pytest.raises(ValueError, match=r"from 0 to 1\.0000000000000002, expected probabilities"):
        scores.reliability()
    with pytest.raises(ValueError, match=r"from 0 to 1\.0000000000000002, expected 'simul"):
        RocEvaluation.from_predictions(y, above, y, above, guarantee="individual")


class Reversed(ClassifierMixin, BaseEstimator):
    """A classifier whose classes and probabilities are in reverse order."""

    def fit(self, X, y):
        self.model_ = LogisticRegression().fit(X, y)
        self.classes_ = self.model_.classes_[::-1]
        return self

    def decision_function(self, X):
        return -self.model_.decision_function(X)

    def predict_proba(self, X):
        return self.model_.predict_proba(X)[:, ::-1]


def test_a_classifier_may_have_its_classes_in_any_order(rng):
    x, y = data(rng)
    found = [
        ConformalROC(estimator, random_state=0).fit(x[:150, None], y[:150])
        for estimator in (LogisticRegression(), Reversed())
    ]
    scores = [model.evaluate(x[150:, None], y[150:]).scores for model in found]
    np.testing.assert_allclose(*scores, rtol=1e-12)


def test_probabilities_of_another_shape_are_refused(rng):
    class Flat(LogisticRegression):
        def predict_proba(self, X):
            return super().predict_proba(X)[:, 1]

    x, y = data(rng)
    with pytest.raises(ValueError, match=r"predict_proba\(X\): found shape \(\d+,\), expected"):
        ConformalROC(Flat(), random_state=0).fit(x[:, None], y)
