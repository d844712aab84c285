"""Every bad argument is refused before any work, by an error that names it."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
import traitlets
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
    ROCWidget,
    average_bands,
    charts,
    comparators,
    comparison,
    conformal_quantiles,
    guaranteed_coverage,
    kernel_logit,
    simulation,
)

RNG = np.random.default_rng(99)
X, Y, _ = logistic_sample(RNG, 60)
X3, Y3 = three_classes(RNG, 90)
POINTS = RNG.normal(size=(5, 3))
Y_CAL, S_CAL = scored(RNG, 40)
Y_TEST, S_TEST = scored(RNG, 30)
NAN, INF = float("nan"), float("inf")
WRONG = (ValueError, TypeError)
Trait = traitlets.TraitError

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
    given = {"y": Y_TEST, "score": S_TEST}
    return {
        "conformal_quantiles": lambda alpha: conformal_quantiles([1.0, 2.0], alpha),
        "guaranteed_coverage": lambda alpha: guaranteed_coverage(20, alpha),
        "band": evaluation.band,
        "intervals": evaluation.intervals,
        "auc": evaluation.auc,
        "operating_point": lambda alpha: evaluation.operating_point(0.5, alpha),
        "predict_interval": lambda alpha: model.predict_interval(X, 1, alpha),
        "youden": evaluation.youden,
        "at": evaluation.at,
        "average_bands": lambda alpha: average_bands({1: evaluation}, alpha),
        "ks_band": lambda alpha: comparators.ks_band(**given, alpha=alpha),
        "bootstrap_band": lambda alpha: comparators.bootstrap_band(**given, alpha=alpha),
        "simultaneous_band": lambda alpha: comparators.simultaneous_band(**given, alpha=alpha),
        "working_hotelling_band": lambda alpha: comparators.working_hotelling_band(
            **given, alpha=alpha
        ),
        "clopper_pearson_box": lambda alpha: comparators.clopper_pearson_box(
            **given, threshold=0.5, alpha=alpha
        ),
        "delong_interval": lambda alpha: comparators.delong_interval(**given, alpha=alpha),
        "charts.residuals": lambda alpha: charts.residuals(evaluation, alpha),
        "simulation.run": lambda alpha: simulation.run("sample_size", alpha=alpha),
        "comparison.run": lambda alpha: comparison.run(alpha=alpha),
    }


ALPHA_TAKERS = alpha_takers()


@pytest.mark.parametrize("alpha", BAD_ALPHAS, ids=repr)
@pytest.mark.parametrize("taker", list(ALPHA_TAKERS))
def test_an_alpha_outside_zero_and_one_or_of_another_kind_is_refused(taker, alpha):
    refused(lambda: ALPHA_TAKERS[taker](alpha), WRONG, r"\balpha\b")


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


# Arguments of an evaluation's methods


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


# Every public entry that takes data, and every kind of thing that is none


def with_other(array, value, dtype=object):
    array = np.array(array, dtype=dtype)
    array[(2,) * array.ndim if array.ndim == 1 else (2, 0)] = value
    return array


#: What no argument with data may be, made from a good one.
NO_DATA = {
    "None": lambda good: None,
    "a number": lambda good: 0.5,
    "a word": lambda good: "scores",
    "a class": lambda good: LogisticRegression,
    "nothing": lambda good: good[:0],
    "a generator": lambda good: (value for value in good),
    "a set": lambda good: set(range(len(good))),
    "a dict": lambda good: dict(enumerate(good)),
    "objects": lambda good: np.array([object() for _ in good]),
    "ragged rows": lambda good: [[0.1], *([0.1, 0.2] for _ in good[1:])],
    "three dimensions": lambda good: np.zeros((len(good), 2, 2)),
    "a masked value": lambda good: np.ma.array(
        good, mask=with_other(np.zeros(good.shape), 1, bool)
    ),
    "a sparse matrix": lambda good: scipy.sparse.csr_matrix(
        good.astype(float).reshape(len(good), -1)
    ),
    "a sparse array": lambda good: scipy.sparse.coo_array(
        good.astype(float).reshape(len(good), -1)
    ),
    "NaN": lambda good: with_other(good, NAN, float),
    "inf": lambda good: with_other(good, INF, float),
    "None inside": lambda good: with_other(good, None),
    "pandas' NA inside": lambda good: with_other(good, pd.NA),
    "a column with NA": lambda good: (
        pd.Series(pd.array(with_other(good, pd.NA), dtype="Float64"))
        if good.ndim == 1
        else pd.DataFrame(with_other(good, pd.NA)).convert_dtypes()
    ),
    "a polars null": lambda good: (
        pl.Series([None, *good.tolist()[1:]])
        if good.ndim == 1
        else pl.DataFrame([[None, *row[1:]] for row in good.tolist()], orient="row")
    ),
    "NaT": lambda good: with_other(np.zeros(good.shape, "datetime64[s]"), "NaT", "datetime64[s]"),
    "one row more": lambda good: np.concatenate([good, good[:1]]),
}
#: And what no labels of two classes may be.
NO_LABELS = {
    **NO_DATA,
    "one class": np.zeros_like,
    "three classes": lambda good: np.arange(len(good)) % 3,
    "two columns": lambda good: np.column_stack([good, good]),
}
#: And what no score may be.
NO_SCORES = {
    **NO_DATA,
    "words": lambda good: np.full(len(good), "high"),
    "two columns": lambda good: np.column_stack([good, good]),
    "complex numbers": lambda good: good + 0j,
    "dates": lambda good: np.zeros(len(good), "datetime64[s]"),
    "bytes": lambda good: np.full(len(good), b"\x00"),
}
NO_PROBABILITIES = {
    **NO_SCORES,
    "a negative one": lambda good: with_other(good, -5e-324, float),
    "one above 1": lambda good: with_other(good, np.nextafter(1, 2), float),
}
NO_FEATURES = {
    **NO_DATA,
    "words": lambda good: np.full(good.shape, "high"),
    "one column": lambda good: good[:, 0],
    "complex numbers": lambda good: good + 0j,
    "too large numbers": lambda good: with_other(good, 1e101, float),
    "no column": lambda good: good[:, :0],
}
#: And what no training features may be, whatever the classifier: many take sparse ones.
NO_TABLE = {**NO_FEATURES, "a sparse matrix": None, "a sparse array": None}
#: Several rates, none of which need belong to a row.
NO_RATES = {**NO_PROBABILITIES, "one row more": None, "None": None}

FITTED = ConformalROC(LogisticRegression(), random_state=0).fit(X, Y)
SHOWN = evaluation_from_scores()
GRID = np.linspace(0, 1, 9)


def sampled(name, **options):
    return lambda **given: getattr(comparators, name)(**options | given)


FEW = {"resamples": 100, "random_state": 0}
SCORED = {"y": (Y_TEST, NO_LABELS), "score": (S_TEST, NO_SCORES)}
FROM_SCORES = {
    "y_calibration": (Y_CAL, NO_LABELS),
    "score_calibration": (S_CAL, NO_PROBABILITIES),
    "y_test": (Y_TEST, NO_LABELS),
    "score_test": (S_TEST, NO_PROBABILITIES),
}
#: Entry -> what is called, and each argument's good value and table.
ENTRIES = {
    "kernel_logit": (
        kernel_logit,
        {
            "X_train": (X, NO_FEATURES),
            "y_train": (Y, NO_LABELS),
            "X": (POINTS, {**NO_FEATURES, "one row more": None}),
        },
    ),
    "RocEvaluation.from_predictions": (RocEvaluation.from_predictions, FROM_SCORES),
    "ROCWidget.from_predictions": (ROCWidget.from_predictions, FROM_SCORES),
    "RocEvaluation.from_table": (
        lambda **given: RocEvaluation.from_table(**TABLE | given),
        {name: FROM_SCORES[name] for name in ("y_calibration", "score_calibration")},
    ),
    "ConformalROC.fit": (
        lambda **given: ConformalROC(LogisticRegression()).fit(**{"X": X, "y": Y} | given),
        {"X": (X, NO_TABLE), "y": (Y, {**NO_LABELS, "three classes": None})},
    ),
    "ConformalROC.fit with a calibration set": (
        lambda **given: ConformalROC(LogisticRegression()).fit(**EXPLICIT | given),
        {
            "X_calibration": (X, NO_FEATURES),
            "y_calibration": (Y, NO_LABELS),
            "sample_weight": (np.ones(60), {**NO_SCORES, "None": None}),
        },
    ),
    "ConformalROC.evaluate": (
        lambda **given: FITTED.evaluate(**{"X_test": X, "y_test": Y} | given),
        {"X_test": (X, NO_FEATURES), "y_test": (Y, NO_LABELS)},
    ),
    "ConformalROC.evaluate_all": (
        lambda **given: FITTED.evaluate_all(**{"X_test": X, "y_test": Y} | given),
        {"X_test": (X, NO_FEATURES), "y_test": (Y, NO_LABELS)},
    ),
    "ConformalROC.predict_interval": (
        lambda **given: FITTED.predict_interval(**{"X": X, "label": 1} | given),
        {"X": (X, {**NO_FEATURES, "one row more": None})},
    ),
    "ROCWidget.from_estimator": (
        lambda **given: ROCWidget.from_estimator(
            **{"estimator": LogisticRegression(), "X": X, "y": Y, "X_test": X, "y_test": Y} | given
        ),
        {
            "X": (X, NO_TABLE),
            "y": (Y, {**NO_LABELS, "three classes": None}),
            "X_test": (X, NO_FEATURES),
            "y_test": (Y, NO_LABELS),
        },
    ),
    "ks_band": (sampled("ks_band"), SCORED),
    "bootstrap_band": (sampled("bootstrap_band", **FEW), SCORED),
    "simultaneous_band": (sampled("simultaneous_band", **FEW), SCORED),
    "working_hotelling_band": (sampled("working_hotelling_band"), SCORED),
    "clopper_pearson_box": (sampled("clopper_pearson_box", threshold=0.5), SCORED),
    "delong_interval": (comparators.delong_interval, SCORED),
    "delong_test": (
        comparators.delong_test,
        {"y": SCORED["y"], "score_a": SCORED["score"], "score_b": SCORED["score"]},
    ),
    "fpr of ks_band": (
        sampled("ks_band", y=Y_TEST, score=S_TEST),
        {"fpr": (GRID, NO_RATES)},
    ),
    "grid of average_bands": (
        lambda **given: average_bands({1: SHOWN}, 0.1, **given),
        {"grid": (GRID, NO_RATES)},
    ),
    "conformal_quantiles": (
        lambda **given: conformal_quantiles(**{"residuals": S_TEST, "alpha": 0.1} | given),
        {"residuals": (S_TEST, {**NO_SCORES, "nothing": None, "inf": None, "one row more": None})},
    ),
    "RocEvaluation.band": (
        SHOWN.band,
        {
            "thresholds": (
                GRID,
                {**NO_SCORES, "None": None, "nothing": None, "inf": None, "one row more": None},
            )
        },
    ),
}
#: Entry, argument and kind of bad thing, wherever it is one.
SPOILED = [
    (entry, name, kind)
    for entry, (_, arguments) in ENTRIES.items()
    for name, (_, table) in arguments.items()
    for kind, make in table.items()
    if make is not None
]


@pytest.fixture(scope="module")
def good_entries():
    """Every entry takes what is good: a refusal is then one of the bad argument."""
    for function, arguments in ENTRIES.values():
        function(**{name: good for name, (good, _) in arguments.items()})


@pytest.mark.parametrize(("entry", "name", "kind"), SPOILED)
def test_anything_but_data_is_refused_by_the_name_of_its_argument(entry, name, kind, good_entries):
    function, arguments = ENTRIES[entry]
    good = {name: array.copy() for name, (array, _) in arguments.items()}
    bad = arguments[name][1][kind](arguments[name][0])
    # Of two lengths that differ, or two sets of classes, either may be the wrong one.
    either = kind in ("one row more", "three classes", "a set", "nothing")
    expected = "|".join(arguments) if either else name
    refused(lambda: function(**good | {name: bad}), WRONG, rf"\b({expected})\b")
    for other, array in good.items():
        np.testing.assert_array_equal(array, arguments[other][0])


def test_a_fit_that_is_refused_leaves_the_model_as_it_was():
    fitted = ConformalROC(LogisticRegression(), random_state=0).fit(X, Y)
    before = fitted.evaluate(X, Y).band(0.1)
    state = dict(vars(fitted))
    words = np.where(Y == 1, "yes", "no")
    for bad in (
        {"X": X[:, :2], "y": words, "X_calibration": X[:, :2], "y_calibration": words[:-1]},
        {"X": X[:, :2], "y": words, "sample_weight": np.ones(3)},
        {"X": X[:4, :2], "y": words[[0, 1, 2, 2]]},
    ):
        refused(lambda bad=bad: fitted.fit(**bad), WRONG, ".")
        assert vars(fitted) == state
    after = fitted.evaluate(X, Y).band(0.1)
    np.testing.assert_array_equal(before.tpr_lower, after.tpr_lower)


# Options

WIDGET = ROCWidget(SHOWN)
CLASSES = {name: evaluation_from_scores(i, n_test=40 + i) for i, name in enumerate("abc")}


def compared(name, **bad):
    return lambda: getattr(comparators, name)(**{"y": Y_TEST, "score": S_TEST} | bad)


BAD_OPTIONS = [
    # The widget
    *(
        (lambda bad=bad: ROCWidget(bad), WRONG, "evaluation")
        for bad in (None, 3, [], {}, "roc", SHOWN.band())
    ),
    *(
        (lambda bad=bad: ROCWidget({"a": bad}), TypeError, "evaluation.*label 'a")
        for bad in (None, 3, WIDGET)
    ),
    (lambda: ROCWidget({object(): SHOWN}), WRONG, "evaluation"),
    *(
        (lambda name=name, bad=bad: ROCWidget(SHOWN, **{name: bad}), Trait, name)
        for name, values in {
            "alpha": (0, 0.6, NAN, INF, "0.1", None, [0.1], 0.1j),
            "threshold": (-0.1, 1.1, NAN, INF, "0.1", None, [0.1]),
            "band": (None, "", "Both", 1, ["both"]),
            "weights": (None, "equal", 1, {"a": 1}),
            "label": ("a", 1, [1], NAN),
        }.items()
        for bad in values
    ),
    *(
        (lambda bad=bad: ROCWidget(SHOWN, comparators=bad), WRONG, "comparators")
        for bad in ("ks", ["dkw"], [None], 3, None, [["ks"]])
    ),
    (lambda: ROCWidget(SHOWN, alfa=0.1), TypeError, "alfa"),
    *(
        (lambda name=name, bad=bad: getattr(WIDGET, name)(bad), WRONG, "path")
        for name in ("to_html", "to_svg", "to_png")
        for bad in (None, 3, "", "/nowhere/at/all.html", ".", b"roc.html")
    ),
    *(
        (lambda bad=bad: WIDGET.embed(bad), WRONG, "folder")
        for bad in (None, 3, "/nowhere/at/all", __file__)
    ),
    *(
        (lambda name=name, bad=bad: getattr(WIDGET, name)("x", **bad), WRONG, next(iter(bad)))
        for name, options in {
            "to_html": ({"data": "all"}, {"data": None}, {"title": 3}),
            "to_svg": ({"theme": "blue"}, {"theme": None}, {"title": 3}),
            "to_png": ({"theme": "blue"}, {"theme": None}, {"title": 3}),
        }.items()
        for bad in options
    ),
    (lambda: WIDGET.embed(".", url=3), WRONG, "url"),
    (lambda: WIDGET.embed(".", form="rst"), ValueError, "form"),
    (lambda: WIDGET.embed(".", data="all"), ValueError, "data"),
    # Charts
    *((lambda bad=bad: charts.roc(bad), WRONG, "evaluation") for bad in (None, 3, {"a": SHOWN})),
    *(
        (lambda bad=bad: charts.residuals(bad), TypeError, "evaluation")
        for bad in (None, SHOWN.band())
    ),
    (lambda: charts.roc(SHOWN, band="left"), ValueError, "band"),
    (lambda: charts.roc(SHOWN, theme="blue"), ValueError, "theme"),
    (lambda: charts.roc(SHOWN, threshold=NAN), ValueError, "threshold"),
    (lambda: charts.roc(SHOWN.band(), threshold=0.5), ValueError, "threshold"),
    (lambda: charts.roc(SHOWN.band(0.1), 0.2), ValueError, "alpha"),
    (lambda: charts.residuals(SHOWN, theme=None), ValueError, "theme"),
    *(
        (lambda bad=bad: charts.roc_grid(bad), WRONG, "evaluations")
        for bad in (None, {}, [SHOWN], {"a": SHOWN})
    ),
    *(
        (lambda name=name, bad=bad: getattr(charts, name)(bad), WRONG, "table")
        for name in ("coverage", "length", "study")
        for bad in (None, {}, pd.DataFrame(), pd.DataFrame({"model": ["a"]}))
    ),
    # Evaluations
    *((lambda bad=bad: SHOWN.merged(bad), TypeError, "other") for bad in (None, 3, SHOWN)),
    # Comparators
    *(
        (compared(name, **bad), WRONG, next(iter(bad)))
        for name in ("bootstrap_band", "simultaneous_band")
        for bad in (
            {"resamples": 0},
            {"resamples": 99},
            {"resamples": 200.0},
            {"resamples": None},
            {"resamples": True},
            {"random_state": -1},
            {"random_state": "seed"},
            {"random_state": True},
            {"progress": "yes"},
            {"progress": None},
        )
    ),
    *(
        (compared("clopper_pearson_box", **{"threshold": 0.5} | bad), WRONG, next(iter(bad)))
        for bad in (
            {"threshold": NAN},
            {"threshold": "0.5"},
            {"threshold": None},
            {"threshold": True},
            {"joint": 1},
        )
    ),
    # Simulations
    *(
        (
            lambda bad=bad: simulation.draw(**{"setting": "sample_size", "n": 5, "rng": 0} | bad),
            WRONG,
            next(iter(bad)),
        )
        for bad in (
            {"setting": "study"},
            {"setting": None},
            {"n": 0},
            {"n": 2.5},
            {"n": "5"},
            {"rng": "seed"},
            {"value": "x"},
        )
    ),
    *(
        (
            lambda bad=bad: simulation.run(**{"setting": "sample_size", "progress": False} | bad),
            WRONG,
            next(iter(bad)),
        )
        for bad in (
            {"setting": "study"},
            {"values": []},
            {"values": [NAN]},
            {"values": ["a"]},
            {"replicates": 0},
            {"replicates": 1.5},
            {"random_state": -1},
            {"random_state": "seed"},
            {"colour": "red"},
            {"path": 3},
            {"n_jobs": "all"},
            {"n_jobs": 0},
        )
    ),
    *(
        (lambda bad=bad: comparison.run(**{"progress": False} | bad), WRONG, next(iter(bad)))
        for bad in (
            {"laws": {}},
            {"laws": {"a": 3}},
            {"laws": 3},
            {"sizes": []},
            {"sizes": [4]},
            {"sizes": 20},
            {"replicates": 0},
            {"bands": "ks"},
            {"bands": ["dkw"]},
            {"bands": 3},
            {"random_state": -1},
            {"resamples": 1},
            {"path": 3},
            {"n_jobs": "all"},
            {"n_jobs": 0},
        )
    ),
    # Averages
    (lambda: average_bands(CLASSES, 0.1, {"a": 1, "b": 0}), ValueError, "weights"),
    (lambda: average_bands(CLASSES, 0.1, ["size"]), WRONG, "weights"),
]


@pytest.mark.parametrize(("call", "kind", "pattern"), BAD_OPTIONS)
def test_a_bad_option_is_refused_by_name_and_changes_nothing(
    call, kind, pattern, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    before = WIDGET.get_state()
    refused(call, kind, rf"\b{pattern}\b")
    assert WIDGET.get_state() == before
    assert list(tmp_path.iterdir()) == []
