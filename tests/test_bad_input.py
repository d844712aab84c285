"""Every bad argument is refused before any work, by an error that names it."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from data import (
    Neither,
    Untouchable,
    evaluation_from_scores,
    logistic_sample,
    scored,
    three_classes,
)
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import (
    ConformalROC,
    RocEvaluation,
    average_bands,
    conformal_quantiles,
    guaranteed_coverage,
    kernel_logit,
)

RNG = np.random.default_rng(99)
X, Y, _ = logistic_sample(RNG, 60)
X3, Y3 = three_classes(RNG, 90)
POINTS = RNG.normal(size=(5, 3))
Y_CAL, S_CAL = scored(RNG, 40)
Y_TEST, S_TEST = scored(RNG, 30)
NAN, INF = float("nan"), float("inf")
WRONG = (ValueError, TypeError)

BAD_ALPHAS = [0, 1, 0.0, 1.0, -0.1, 1.5, NAN, INF, "0.05", None, True, [0.05], 0.05j]


def spoiled(array, value, at=3):
    array = np.array(array, dtype=float)
    array[(at,) * array.ndim if array.ndim == 1 else (at, 0)] = value
    return array


def refused(call, kind, pattern):
    with pytest.raises(kind, match=pattern) as caught:
        call()
    return str(caught.value)


# alpha, wherever it is taken


def alpha_takers():
    evaluation = evaluation_from_scores()
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X, Y)
    return {
        "conformal_quantiles": lambda alpha: conformal_quantiles([1.0, 2.0], alpha),
        "guaranteed_coverage": lambda alpha: guaranteed_coverage(20, alpha),
        "band": evaluation.band,
        "intervals": evaluation.intervals,
        "auc": evaluation.auc,
        "operating_point": lambda alpha: evaluation.operating_point(0.5, alpha),
        "predict_interval": lambda alpha: model.predict_interval(X, 1, alpha),
    }


@pytest.mark.parametrize("alpha", BAD_ALPHAS, ids=repr)
@pytest.mark.parametrize("taker", list(alpha_takers()))
def test_an_alpha_outside_zero_and_one_or_of_another_kind_is_refused(taker, alpha):
    refused(lambda: alpha_takers()[taker](alpha), WRONG, r"\balpha\b")


def test_the_message_says_what_was_found_and_what_is_expected():
    message = refused(lambda: conformal_quantiles([1.0], 1.5), ValueError, r"\balpha\b")
    assert "1.5" in message
    assert "0" in message
    assert "1" in message.replace("1.5", "")
    message = refused(lambda: conformal_quantiles([1.0], 0.1, "median"), ValueError, r"\brule\b")
    assert all(word in message for word in ("median", "paper", "split"))
    message = refused(lambda: kernel_logit(X, Y[:-1], POINTS), ValueError, r"\by_train\b")
    assert {"60", "59"} <= {word.strip(".,;:()") for word in message.split()}


# The pure functions

KERNEL = {"X_train": X, "y_train": Y, "X": POINTS}
PREDICTIONS = {
    "y_calibration": Y_CAL,
    "score_calibration": S_CAL,
    "y_test": Y_TEST,
    "score_test": S_TEST,
}
EMPTY = np.empty(0)
TABLE = {
    "source": pd.DataFrame({"p": S_TEST, "y": Y_TEST}),
    "score": "p",
    "label": "y",
    "y_calibration": Y_CAL,
    "score_calibration": S_CAL,
}


def table(**columns):
    """The good table with other columns."""
    return {"source": pl.DataFrame({"p": S_TEST, "y": Y_TEST} | columns)}


FUNCTIONS = {
    "quantiles": lambda **given: conformal_quantiles(
        **{"residuals": [1.0, 2.0], "alpha": 0.1} | given
    ),
    "coverage": lambda **given: guaranteed_coverage(**{"n": 20, "alpha": 0.1} | given),
    "kernel": lambda **given: kernel_logit(**KERNEL | given),
    "predictions": lambda **given: RocEvaluation.from_predictions(**PREDICTIONS | given),
    "table": lambda **given: RocEvaluation.from_table(**TABLE | given),
}

BAD_ARGUMENTS = [
    ("quantiles", {"residuals": [1.0, NAN]}, ValueError, "residuals"),
    ("quantiles", {"residuals": ["a", "b"]}, WRONG, "residuals"),
    ("quantiles", {"residuals": [[1.0, 2.0]]}, ValueError, "residuals"),
    ("quantiles", {"rule": "median"}, ValueError, "rule"),
    ("quantiles", {"rule": None}, WRONG, "rule"),
    ("coverage", {"rule": "median"}, ValueError, "rule"),
    ("coverage", {"n": -1}, ValueError, r"\bn\b"),
    ("kernel", {"X_train": spoiled(X, NAN)}, ValueError, "X_train"),
    ("kernel", {"X_train": spoiled(X, INF)}, ValueError, "X_train"),
    ("kernel", {"X_train": X[:, 0]}, ValueError, "X_train"),
    ("kernel", {"X_train": X[:-1]}, ValueError, "X_train|y_train"),
    ("kernel", {"X_train": X[:0], "y_train": Y[:0]}, ValueError, "X_train|y_train"),
    ("kernel", {"X_train": np.full((60, 3), "a")}, WRONG, "X_train"),
    ("kernel", {"X": spoiled(POINTS, NAN)}, ValueError, r"\bX\b"),
    ("kernel", {"X": spoiled(POINTS, -INF)}, ValueError, r"\bX\b"),
    ("kernel", {"X": POINTS[:, :2]}, ValueError, r"\bX\b"),
    ("kernel", {"X": POINTS[0]}, ValueError, r"\bX\b"),
    ("kernel", {"y_train": np.zeros(60)}, ValueError, "y_train"),
    ("kernel", {"y_train": np.resize([0, 1, 2], 60)}, ValueError, "y_train"),
    ("kernel", {"y_train": spoiled(Y, NAN)}, ValueError, "y_train"),
    ("kernel", {"bandwidth": 0}, ValueError, "bandwidth"),
    ("kernel", {"bandwidth": 0.0}, ValueError, "bandwidth"),
    ("kernel", {"bandwidth": -1.0}, ValueError, "bandwidth"),
    ("kernel", {"bandwidth": NAN}, ValueError, "bandwidth"),
    ("kernel", {"bandwidth": INF}, ValueError, "bandwidth"),
    ("kernel", {"bandwidth": [1.0, 1.0]}, ValueError, "bandwidth"),
    ("kernel", {"bandwidth": [1.0, 1.0, 1.0, 1.0]}, ValueError, "bandwidth"),
    ("kernel", {"bandwidth": [1.0, 0.0, 1.0]}, ValueError, "bandwidth"),
    ("kernel", {"bandwidth": [1.0, -2.0, 1.0]}, ValueError, "bandwidth"),
    ("kernel", {"bandwidth": [1.0, NAN, 1.0]}, ValueError, "bandwidth"),
    ("kernel", {"bandwidth": "wide"}, ValueError, "bandwidth.*silverman|silverman.*bandwidth"),
    ("kernel", {"bandwidth": None}, WRONG, "bandwidth"),
    ("kernel", {"bandwidth": True}, WRONG, "bandwidth"),
    ("kernel", {"kernel": "box"}, ValueError, "kernel.*gaussian"),
    *(
        ("predictions", {name: spoiled(PREDICTIONS[name], value)}, ValueError, name)
        for name in ("score_calibration", "score_test")
        for value in (NAN, INF, -INF, -0.01, 1.01)
    ),
    *(
        ("predictions", {name: PREDICTIONS[name][:-1]}, ValueError, f"{name}|{other}")
        for name, other in (
            ("y_calibration", "score_calibration"),
            ("score_calibration", "y_calibration"),
            ("y_test", "score_test"),
            ("score_test", "y_test"),
        )
    ),
    (
        "predictions",
        {"y_calibration": EMPTY, "score_calibration": EMPTY},
        ValueError,
        "_calibration",
    ),
    ("predictions", {"y_test": EMPTY, "score_test": EMPTY}, ValueError, "_test"),
    ("predictions", {"y_calibration": np.zeros(40, dtype=int)}, ValueError, "y_calibration"),
    ("predictions", {"y_test": np.ones(30, dtype=int)}, ValueError, "y_test"),
    ("predictions", {"y_calibration": np.resize([0, 1, 2], 40)}, ValueError, "y_calibration"),
    ("predictions", {"y_test": np.resize([0, 1, 2], 30)}, ValueError, "y_test"),
    ("predictions", {"y_test": np.resize([1, 2], 30)}, ValueError, "y_test"),
    ("predictions", {"y_test": np.resize(["no", "yes"], 30)}, WRONG, "y_test"),
    ("predictions", {"y_calibration": spoiled(Y_CAL, NAN)}, ValueError, "y_calibration"),
    ("predictions", {"y_test": spoiled(Y_TEST, INF)}, ValueError, "y_test"),
    ("predictions", {"y_test": [None, *Y_TEST[1:]]}, WRONG, "y_test"),
    ("predictions", {"score_test": np.full(30, "high")}, WRONG, "score_test"),
    (
        "predictions",
        {"score_test": np.column_stack([1 - S_TEST, S_TEST])},
        ValueError,
        "score_test",
    ),
    (
        "predictions",
        {"score_calibration": np.column_stack([1 - S_CAL, S_CAL])},
        ValueError,
        "score_calibration",
    ),
    ("predictions", {"score_calibration": Y_CAL.astype(float)}, ValueError, "score_calibration"),
    (
        "predictions",
        {"score_calibration": np.where(Y_CAL == 1, 1.0, 0.25)},
        ValueError,
        "score_calibration",
    ),
    ("predictions", {"score_calibration": np.full(40, 0.5)}, ValueError, "score_calibration"),
    *(
        ("table", table(p=[value, *S_TEST[1:].tolist()]), ValueError, rf"score.*{found}")
        for value, found in (
            (None, "1 missing"),
            (NAN, "1 NaN"),
            (-0.01, "1 values outside.*-0.01"),
            (1.01, "1 values outside.*1.01"),
            (INF, "1 values outside"),
            (-INF, "1 values outside"),
        )
    ),
    ("table", table(p=np.full(30, "high")), TypeError, "score.*String"),
    ("table", table(p=Y_TEST == 1), TypeError, "score.*Boolean"),
    ("table", table(y=[None, *Y_TEST[1:].tolist()]), ValueError, "label.*1 without one"),
    ("table", table(y=np.resize([0, 1, 2], 30)), ValueError, "label.*10 rows with other labels"),
    ("table", table(y=np.full(30, 0.5)), ValueError, "label.*30 rows with other labels"),
    ("table", table(y=spoiled(Y_TEST, NAN)), ValueError, "label.*1 rows with other labels"),
    ("table", table(y=np.resize(["no", "yes"], 30)), TypeError, "label.*String"),
    ("table", table(y=np.ones(30, dtype=int)), ValueError, "label.*no row of 0"),
    ("table", table(y=np.zeros(30, dtype=int)), ValueError, "label.*no row of 1"),
    ("table", {"source": TABLE["source"][:0]}, ValueError, "source.*no rows"),
    ("table", {"source": pl.DataFrame({"p": [], "y": []}).lazy()}, (TypeError, ValueError), "."),
    ("table", {"source": "nowhere.parquet"}, ValueError, "source.*nowhere.parquet"),
    ("table", {"source": __file__}, ValueError, "source"),
    ("table", {"source": None}, TypeError, "source.*NoneType"),
    ("table", {"source": S_TEST}, TypeError, "source.*ndarray"),
    ("table", {"source": {"p": S_TEST, "y": Y_TEST}}, TypeError, "source.*dict"),
    ("table", {"score": "q"}, ValueError, "score.*'q'.*'p', 'y'"),
    ("table", {"label": "q"}, ValueError, "label.*'q'.*'p', 'y'"),
    ("table", {"score": 0}, TypeError, "score.*int"),
    ("table", {"label": None}, TypeError, "label.*NoneType"),
    ("table", {"y_calibration": np.zeros(40, dtype=int)}, ValueError, "y_calibration"),
    ("table", {"y_calibration": Y_CAL[:-1]}, ValueError, "y_calibration"),
    ("table", {"score_calibration": spoiled(S_CAL, NAN)}, ValueError, "score_calibration"),
    ("table", {"quantile_rule": "median"}, ValueError, "quantile_rule.*paper"),
    ("table", {"bandwidth": 0.0}, ValueError, "bandwidth"),
    ("predictions", {"quantile_rule": "median"}, ValueError, "quantile_rule.*paper"),
    ("predictions", {"bandwidth": 0.0}, ValueError, "bandwidth"),
    ("predictions", {"bandwidth": "wide"}, ValueError, "bandwidth"),
    ("predictions", {"bandwidth": [1.0, 1.0]}, ValueError, "bandwidth"),
]


@pytest.mark.parametrize(("function", "bad", "kind", "pattern"), BAD_ARGUMENTS)
def test_a_function_refuses_a_bad_argument_by_name(function, bad, kind, pattern):
    FUNCTIONS[function]()
    refused(lambda: FUNCTIONS[function](**bad), kind, pattern)


# What is asked of an evaluation


@pytest.mark.parametrize(
    ("thresholds", "kind"),
    [([0.5, NAN], ValueError), ([[0.1, 0.2]], ValueError), (["a"], WRONG), ("all", WRONG)],
)
def test_thresholds_that_are_not_numbers_are_refused(thresholds, kind):
    refused(lambda: evaluation_from_scores().band(0.05, thresholds=thresholds), kind, "thresholds")


@pytest.mark.parametrize(
    ("threshold", "kind"), [(NAN, ValueError), ("0.5", WRONG), (None, WRONG), ([0.5, 0.6], WRONG)]
)
def test_a_threshold_that_is_not_a_number_is_refused(threshold, kind):
    refused(lambda: evaluation_from_scores().operating_point(threshold), kind, r"\bthreshold\b")


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
    ({"calibration_size": 1.0}, ValueError, "calibration_size"),
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
    ({"resplits": 0}, ValueError, "resplits"),
    ({"resplits": -1}, ValueError, "resplits"),
    ({"resplits": 1.5}, WRONG, "resplits"),
    ({"resplits": "each"}, ValueError, "resplits.*per-instance"),
]


@pytest.mark.parametrize(("bad", "kind", "pattern"), BAD_PARAMETERS)
def test_a_bad_parameter_is_refused_before_the_estimator_is_fitted(bad, kind, pattern):
    refused(lambda: ConformalROC(Untouchable(), **bad).fit(X, Y), kind, pattern)


@pytest.mark.parametrize(
    "estimator", [None, "logistic", LogisticRegression, 3, Neither()], ids=repr
)
def test_an_estimator_that_cannot_classify_with_scores_is_refused(estimator):
    refused(lambda: ConformalROC(estimator).fit(X, Y), WRONG, "estimator")


def test_a_frozen_classifier_with_neither_probabilities_nor_a_decision_function_is_refused():
    refused(
        lambda: ConformalROC(FrozenEstimator(Neither().fit(X, Y))).fit(X, Y),
        WRONG,
        "estimator.*predict_proba.*decision_function",
    )


def test_a_frozen_classifier_that_was_never_fitted_is_refused():
    refused(
        lambda: ConformalROC(FrozenEstimator(LogisticRegression())).fit(X, Y),
        WRONG,
        "estimator|fitted",
    )


def test_a_frozen_classifier_of_other_classes_is_refused():
    other = LogisticRegression().fit(X, np.where(Y == 1, "yes", "no"))
    refused(lambda: ConformalROC(FrozenEstimator(other)).fit(X, Y), WRONG, "estimator|classes")


# The data given to ConformalROC.fit

FIT = {"X": X, "y": Y}
EXPLICIT = {**FIT, "X_calibration": X[::-1], "y_calibration": Y[::-1]}

BAD_FITS = [
    (FIT, {"X": spoiled(X, NAN)}, ValueError, r"\bX\b"),
    (FIT, {"X": spoiled(X, INF)}, ValueError, r"\bX\b"),
    (FIT, {"X": X[:-1]}, ValueError, r"\bX\b|\by\b"),
    (FIT, {"X": X[:, 0]}, ValueError, r"\bX\b"),
    (FIT, {"X": X[:0], "y": Y[:0]}, ValueError, r"\bX\b|\by\b"),
    (FIT, {"X": None}, WRONG, r"\bX\b"),
    (FIT, {"y": None}, WRONG, r"\by\b"),
    (FIT, {"y": np.zeros(60, dtype=int)}, ValueError, r"\by\b"),
    (FIT, {"y": spoiled(Y, NAN)}, ValueError, r"\by\b"),
    (FIT, {"y": np.column_stack([Y, Y])}, ValueError, r"\by\b"),
    (FIT, {"y": RNG.normal(size=60)}, ValueError, r"\by\b"),
    (FIT, {"y": (np.arange(60) == 7).astype(int)}, ValueError, r"\by\b"),
    (FIT, {"X_calibration": X}, WRONG, "y_calibration"),
    (FIT, {"y_calibration": Y}, WRONG, "X_calibration"),
    (EXPLICIT, {"X_calibration": spoiled(X, NAN)}, ValueError, "X_calibration"),
    (EXPLICIT, {"X_calibration": X[:, :2]}, ValueError, "X_calibration"),
    (EXPLICIT, {"X_calibration": X[:-1]}, ValueError, "X_calibration|y_calibration"),
    (
        EXPLICIT,
        {"X_calibration": X[:0], "y_calibration": Y[:0]},
        ValueError,
        "X_calibration|y_calibration",
    ),
    (EXPLICIT, {"y_calibration": np.ones(60, dtype=int)}, ValueError, "y_calibration"),
    (EXPLICIT, {"y_calibration": spoiled(Y, NAN)}, ValueError, "y_calibration"),
    (EXPLICIT, {"y_calibration": np.resize([0, 2], 60)}, ValueError, "y_calibration"),
    (EXPLICIT, {"y": np.zeros(60, dtype=int)}, ValueError, r"\by\b"),
]


@pytest.mark.parametrize(("good", "bad", "kind", "pattern"), BAD_FITS)
def test_bad_training_or_calibration_data_are_refused_before_the_estimator_is_fitted(
    good, bad, kind, pattern
):
    refused(lambda: ConformalROC(Untouchable()).fit(**good | bad), kind, pattern)


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


# What is asked of a fitted model


def model():
    return ConformalROC(LogisticRegression(), random_state=0).fit(X, Y)


def model3():
    return ConformalROC(LogisticRegression(), random_state=0).fit(X3, Y3)


BAD_QUESTIONS = [
    (lambda: model().evaluate(spoiled(X, NAN), Y), ValueError, "X_test"),
    (lambda: model().evaluate(spoiled(X, INF), Y), ValueError, "X_test"),
    (lambda: model().evaluate(X[:, :2], Y), ValueError, "X_test"),
    (lambda: model().evaluate(X[:-1], Y), ValueError, "X_test|y_test"),
    (lambda: model().evaluate(X[:0], Y[:0]), ValueError, "X_test|y_test"),
    (lambda: model().evaluate(X, np.ones(60, dtype=int)), ValueError, "y_test"),
    (lambda: model().evaluate(X, np.resize([0, 1, 2], 60)), ValueError, "y_test"),
    (lambda: model().evaluate(X, np.where(Y == 1, "yes", "no")), WRONG, "y_test"),
    (lambda: model().evaluate(X, spoiled(Y, NAN)), ValueError, "y_test"),
    (lambda: model().predict_interval(spoiled(X, NAN), 1), ValueError, r"\bX\b"),
    (lambda: model().predict_interval(X[:, :2], 1), ValueError, r"\bX\b"),
    (lambda: model().predict_interval(X, 2), ValueError, "label"),
    (lambda: model().predict_interval(X, "1"), WRONG, "label"),
    (lambda: model().predict_interval(X, None), WRONG, "label"),
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


# Averages over labels

BAD_AVERAGES = [
    ({"weights": "equal"}, ValueError, "weights.*size"),
    ({"weights": {0: 0.5, 1: 0.4, 2: 0.2}}, ValueError, "weights"),
    ({"weights": {0: 0.5, 1: 0.5}}, ValueError, "weights"),
    ({"weights": {0: 0.5, 1: 0.3, 7: 0.2}}, ValueError, "weights"),
    ({"weights": {0: 0.5, 1: 0.3, 2: 0.2, 7: 0.0}}, ValueError, "weights"),
    ({"weights": {0: 1.5, 1: -0.5, 2: 0.0}}, ValueError, "weights"),
    ({"weights": {0: NAN, 1: 0.5, 2: 0.5}}, ValueError, "weights"),
    ({"weights": None}, WRONG, "weights"),
    ({"grid": [0.0, NAN]}, ValueError, "grid"),
    ({"grid": [0.0, 1.2]}, ValueError, "grid"),
    ({"grid": []}, ValueError, "grid"),
    ({"grid": [[0.0, 1.0]]}, ValueError, "grid"),
    ({"alpha": 0}, ValueError, "alpha"),
    ({"alpha": "0.1"}, WRONG, "alpha"),
    ({"evaluations": {}}, ValueError, "evaluations"),
    ({"evaluations": {0: "a curve"}}, WRONG, "evaluations"),
    ({"evaluations": None}, WRONG, "evaluations"),
]


@pytest.mark.parametrize(("bad", "kind", "pattern"), BAD_AVERAGES)
def test_an_average_refuses_a_bad_argument_by_name(bad, kind, pattern):
    evaluations = model3().evaluate_all(X3, Y3)
    refused(
        lambda: average_bands(**{"evaluations": evaluations, "alpha": 0.1} | bad), kind, pattern
    )
