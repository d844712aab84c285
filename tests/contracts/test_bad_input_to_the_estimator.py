"""Bad parameters of ConformalROC and bad arguments of its methods raise errors that name them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from data import Neither, Untouchable
from refusals import CONTINUOUS, EXPLICIT, FIT, NAN, WRONG, X3, Y3, X, Y, model3, refused, spoiled
from sklearn.compose import make_column_transformer
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from conformal_roc_widget import ConformalROC

# The parameters of ConformalROC, checked before the estimator is fitted

BAD_PARAMETERS = [
    ({"reference": "kernal"}, ValueError, "reference.*kernel"),
    ({"reference": 3}, WRONG, "reference"),
    ({"reference": None}, WRONG, "reference"),
    ({"bandwidth": 0.0}, ValueError, "bandwidth"),
    ({"bandwidth": -0.5}, ValueError, "bandwidth"),
    ({"bandwidth": [1.0, 2.0]}, ValueError, "bandwidth"),
    ({"bandwidth": "wide"}, ValueError, "bandwidth.*silverman"),
    ({"calibration_size": 0.0}, ValueError, "calibration_size"),
    ({"calibration_size": 1.0}, ValueError, "^calibration_size: found 1.0, expected a share"),
    ({"calibration_size": -0.2}, ValueError, "calibration_size"),
    ({"calibration_size": "half"}, WRONG, "calibration_size"),
    ({"quantile_rule": "median"}, ValueError, "quantile_rule.*paper"),
    ({"neighbors": 0}, ValueError, "neighbors"),
    ({"neighbors": -5}, ValueError, "neighbors"),
    ({"neighbors": 2.5}, WRONG, "neighbors"),
    ({"neighbors": "many"}, WRONG, "neighbors"),
    ({"neighbors": 5, "distance": "manhatten"}, ValueError, "distance.*standardized"),
    ({"neighbors": 5, "distance": [1.0, 2.0]}, ValueError, "distance"),
    ({"neighbors": 5, "distance": np.ones((2, 2))}, ValueError, "distance"),
    ({"neighbors": 5, "distance": np.ones((3, 2, 2))}, ValueError, "distance"),
    ({"neighbors": 5, "distance": [1.0, NAN, 2.0]}, ValueError, "distance"),
    ({"neighbors": 5, "distance": None}, WRONG, "distance"),
    ({"neighbors": 5, "distance": "haversine"}, ValueError, "distance.*2 dimensions"),
    ({"neighbors": 5, "distance": "mahalanobis"}, ValueError, "distance.*standardized"),
    ({"neighbors": 5, "distance": lambda a, b: "far"}, ValueError, "distance"),
    ({"center": "median"}, ValueError, "center.*classifier"),
    ({"recenter": "yes"}, WRONG, "recenter"),
    ({"neighbors": 5, "distance": lambda a, b: NAN}, ValueError, "distance.*NaN"),
    ({"resplits": 0}, ValueError, "resplits"),
    ({"resplits": -1}, ValueError, "resplits"),
    ({"resplits": 1.5}, WRONG, "resplits"),
    ({"resplits": "each"}, ValueError, "resplits.*per-instance"),
    ({"random_state": "seed"}, ValueError, "random_state: found 'seed', expected"),
    ({"random_state": -1}, ValueError, "random_state: found -1, expected"),
    # Also refused if this fit does not use it.
    ({"n_jobs": "all"}, TypeError, "^n_jobs: found 'all', expected a whole number"),
    ({"n_jobs": 2.0}, TypeError, "^n_jobs"),
    ({"n_jobs": 0}, ValueError, "^n_jobs: found 0"),
    ({"progress": "yes"}, TypeError, "^progress: found 'yes', expected True or False"),
    ({"progress": None}, TypeError, "^progress"),
    ({"censoring": "margin"}, ValueError, "^censoring: found 'margin', expected one of 'marginal'"),
    ({"censoring": None}, TypeError, "^censoring"),
    ({"time_unit": 3}, TypeError, "^time_unit: found int, expected a str"),
]


@pytest.mark.parametrize(("bad", "kind", "pattern"), BAD_PARAMETERS)
def test_a_bad_parameter_is_refused_before_the_estimator_is_fitted(bad, kind, pattern):
    refused(lambda: ConformalROC(Untouchable(), **bad).fit(X, Y), kind, pattern)


NO_CLASSIFIERS = [
    *((each, "estimator") for each in (None, "logistic", LogisticRegression, 3, Neither())),
    (FrozenEstimator(Neither().fit(X, Y)), "estimator.*predict_proba.*decision_function"),
    (FrozenEstimator(LogisticRegression()), "estimator|fitted"),
    (FrozenEstimator(LogisticRegression().fit(X, np.where(Y == 1, "yes", "no"))), "classes"),
]


@pytest.mark.parametrize(("estimator", "pattern"), NO_CLASSIFIERS, ids=repr)
def test_an_estimator_that_cannot_classify_with_scores_is_refused(estimator, pattern):
    refused(lambda: ConformalROC(estimator).fit(X, Y), WRONG, pattern)


# The data given to ConformalROC.fit

BAD_FITS = [
    (FIT, {"X": X[:-1]}, ValueError, r"\bX\b|\by\b"),
    (FIT, {"X": X[:0], "y": Y[:0]}, ValueError, r"\bX\b|\by\b"),
    (FIT, {"y": np.zeros(60, dtype=int)}, ValueError, r"\by\b"),
    (FIT, {"y": spoiled(Y, NAN)}, ValueError, r"\by\b"),
    (FIT, {"y": CONTINUOUS}, ValueError, r"\by\b"),
    (FIT, {"y": (np.arange(60) == 7).astype(int)}, ValueError, r"\by\b"),
    (FIT, {"X_calibration": X}, WRONG, "y_calibration"),
    (FIT, {"y_calibration": Y}, WRONG, "X_calibration"),
    (EXPLICIT, {"X_calibration": spoiled(X, NAN)}, ValueError, "X_calibration"),
    (EXPLICIT, {"X_calibration": X[:, :2]}, ValueError, "X_calibration"),
    (EXPLICIT, {"y_calibration": np.ones(60, dtype=int)}, ValueError, "y_calibration"),
    (EXPLICIT, {"y_calibration": np.resize([0, 2], 60)}, ValueError, "y_calibration"),
    (EXPLICIT, {"y": np.zeros(60, dtype=int)}, ValueError, r"\by\b"),
]


@pytest.mark.parametrize(("good", "bad", "kind", "pattern"), BAD_FITS)
def test_bad_training_or_calibration_data_are_refused_before_the_estimator_is_fitted(
    good, bad, kind, pattern
):
    refused(lambda: ConformalROC(Untouchable()).fit(**good | bad), kind, pattern)


def test_features_that_are_no_numbers_are_refused_before_the_fit_where_nothing_encodes_them():
    model = ConformalROC(Untouchable(), encoder=None)
    refused(lambda: model.fit(spoiled(X, NAN), Y), ValueError, r"\bX\b")
    refused(lambda: model.fit(scipy.sparse.csr_matrix(X), Y), TypeError, r"\bX\b")


def test_resplits_and_an_explicit_calibration_set_exclude_each_other():
    refused(lambda: ConformalROC(Untouchable(), resplits=3).fit(**EXPLICIT), ValueError, "resplits")
    refused(
        lambda: ConformalROC(Untouchable(), resplits="per-instance").fit(**EXPLICIT),
        ValueError,
        "resplits",
    )


@pytest.mark.parametrize(
    "reference",
    [
        lambda X: np.full(len(X), 1.2),
        lambda X: np.full(len(X), -0.1),
        lambda X: np.full(len(X), NAN),
        lambda X: np.full((len(X), 2), 0.5),
        lambda X: np.full(len(X) + 1, 0.5),
        lambda X: 0.5,
        lambda X: ["a"] * len(X),
    ],
    ids=["above 1", "below 0", "NaN", "two columns", "too long", "a number", "words"],
)
def test_a_callable_reference_that_gives_no_probabilities_is_refused(reference):
    refused(
        lambda: ConformalROC(LogisticRegression(), reference=reference).fit(X, Y),
        WRONG,
        "reference",
    )


# Arguments of a fitted model's methods


def model():
    return ConformalROC(LogisticRegression(), random_state=0).fit(X, Y)


BAD_QUESTIONS = [
    (lambda: model().evaluate(X[:, :2], Y), ValueError, "X_test"),
    (lambda: model().evaluate(X, np.where(Y == 1, "yes", "no")), WRONG, "y_test"),
    (lambda: model().predict_interval(X[:, :2], 1), ValueError, r"\bX\b"),
    (lambda: model().predict_interval(X, 2), ValueError, "label"),
    (lambda: model().predict_interval(X, "1"), WRONG, "label"),
    (lambda: model().predict_interval(X, None), WRONG, "label"),
    (lambda: model3().predict_interval(X3, 0, given="no"), TypeError, "given: found 'no'"),
    (lambda: model().evaluate(X, Y, label=7), ValueError, "label"),
    (lambda: model3().evaluate(X3, Y3), WRONG, "label"),
    (lambda: model3().evaluate(X3, Y3, label=3), ValueError, "label"),
    (lambda: model3().evaluate(X3, Y3, label="0"), WRONG, "label"),
    (lambda: model3().predict_interval(X3, 5), ValueError, "label"),
]


@pytest.mark.parametrize(("question", "kind", "pattern"), BAD_QUESTIONS)
def test_a_fitted_model_refuses_a_bad_question_by_name(question, kind, pattern):
    refused(question, kind, pattern)


@pytest.mark.parametrize(
    ("changed", "kind", "pattern"),
    [
        ({"neighbors": "many"}, TypeError, "neighbors"),
        ({"neighbors": 0}, ValueError, "neighbors"),
        ({"neighbors": 5, "distance": "manhatten"}, ValueError, "distance.*standardized"),
        ({"neighbors": 5, "distance": [1.0, 2.0]}, ValueError, "distance"),
        ({"center": "median"}, ValueError, "center.*classifier"),
        ({"recenter": "yes"}, TypeError, "recenter"),
        ({"quantile_rule": "median"}, ValueError, "quantile_rule.*paper"),
        ({"n_jobs": "all"}, TypeError, "n_jobs"),
    ],
)
def test_a_parameter_that_is_changed_after_the_fit_is_checked_too(changed, kind, pattern):
    fitted = model().set_params(**changed)
    refused(lambda: fitted.evaluate(X, Y), kind, pattern)
    refused(lambda: fitted.predict_interval(X, 1), kind, pattern)


def test_neighbourhoods_after_a_fit_that_could_not_serve_them_are_refused():
    in_groups = ConformalROC(LogisticRegression()).fit(X, Y, groups=np.arange(60))
    in_groups.set_params(neighbors=5)
    refused(lambda: in_groups.evaluate(X, Y), ValueError, "groups: found it with neighbors=5")
    table = pd.DataFrame({"x": X[:, 0], "site": np.resize(["a", "b"], 60)})
    columns = make_column_transformer((OneHotEncoder(), ["site"]), remainder="passthrough")
    of_scores = ConformalROC(make_pipeline(columns, LogisticRegression()), reference="score")
    of_scores.fit(table, Y).set_params(neighbors=5)
    refused(lambda: of_scores.evaluate(table, Y), ValueError, "neighbors: found 5 after a fit")


def test_splits_are_those_of_the_fit_whatever_is_set_after_it():
    several = ConformalROC(LogisticRegression(), resplits=3, random_state=0, progress=False)
    several.fit(X, Y).set_params(resplits=1)
    question = lambda: several.evaluate(X, Y, guarantee="curve")  # noqa: E731
    refused(question, ValueError, "resplits=3")


def test_a_frame_with_a_name_twice_is_refused_by_the_arguments_name():
    twice = pd.DataFrame(X[:, :2], columns=["a", "a"])
    refused(lambda: ConformalROC(LogisticRegression()).fit(twice, Y), ValueError, "(?s)^X: .*'a' 2")


def test_a_column_of_another_kind_is_refused_by_the_arguments_name():
    def table(first):
        return pd.DataFrame({"x": first, "site": np.resize(["a", "b"], 60)})

    columns = make_column_transformer((OneHotEncoder(), ["site"]))
    classifier = make_pipeline(columns, LogisticRegression())
    fitted = ConformalROC(classifier, reference="kernel").fit(table(X[:, 0]), Y)
    wrong = table(np.resize(["c", "d"], 60))
    refused(lambda: fitted.evaluate(wrong, Y), ValueError, "^X_test: found strings in column 'x'")
    refused(lambda: fitted.predict_interval(wrong, 1), ValueError, "^X: found strings")


@pytest.mark.parametrize("people", [["a", NAN], [["a", 1], ["b", NAN]], [["a"], ["b", "c"]]])
def test_populations_that_are_missing_or_ragged_in_a_list_are_refused(people):
    fit = ConformalROC(Untouchable()).fit
    refused(lambda: fit(X, Y, sensitive_features=people * 30), ValueError, "^sensitive_features")


@pytest.mark.parametrize(
    "question",
    [
        lambda m: m.predict_interval(X, 1),
        lambda m: m.evaluate(X, Y),
        lambda m: m.evaluate_all(X, Y),
    ],
    ids=["predict_interval", "evaluate", "evaluate_all"],
)
def test_an_unfitted_model_says_so(question):
    refused(lambda: question(ConformalROC(LogisticRegression())), NotFittedError, "fit")


@pytest.mark.parametrize("frame", ["pandas", "polars"])
@pytest.mark.parametrize(
    ("columns", "named"),
    [
        (["a", "b", "d"], "d"),
        (["b", "a", "c"], "a"),
        (["a", "b"], "c"),
        (["a", "b", "c", "d"], "d"),
    ],
)
def test_a_frame_whose_columns_differ_from_those_of_fit_is_refused(frame, columns, named):
    def held(names):
        values = np.resize(X, (60, len(names)))
        return (
            pd.DataFrame(values, columns=names)
            if frame == "pandas"
            else pl.DataFrame(values, schema=names)
        )

    fitted = ConformalROC(LogisticRegression(), random_state=0).fit(held(["a", "b", "c"]), Y)
    message = refused(lambda: fitted.evaluate(held(columns), Y), ValueError, "X_test")
    assert named in message
    refused(lambda: fitted.predict_interval(held(columns), 1), ValueError, r"\bX\b")
    refused(
        lambda: ConformalROC(Untouchable()).fit(
            held(["a", "b", "c"]), Y, X_calibration=held(columns), y_calibration=Y
        ),
        ValueError,
        "X_calibration",
    )
