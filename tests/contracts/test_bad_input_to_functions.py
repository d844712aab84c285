"""Bad arguments of functions, including alpha outside (0, 1), raise errors that name them."""

import re

import comparison
import numpy as np
import polars as pl
import pytest
from data import evaluation_from_scores
from refusals import (
    INF,
    NAN,
    POINTS,
    S_CAL,
    S_TEST,
    TABLE,
    WRONG,
    X3,
    Y3,
    Y_CAL,
    Y_TEST,
    X,
    Y,
    model3,
    refused,
    spoiled,
)
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import (
    ConformalROC,
    RocEvaluation,
    average_bands,
    calibration_band,
    charts,
    comparators,
    conformal_quantiles,
    guaranteed_coverage,
    kernel_logit,
    simulation,
)

BAD_ALPHAS = [0, 1, 0.0, 1.0, -0.1, 1.5, NAN, INF, "0.05", None, True, [0.05], 0.05j]


# alpha, for each function that takes it


SAMPLED = (
    *("ks_band", "bootstrap_band", "simultaneous_band", "working_hotelling_band"),
    *("delong_interval", "average_precision_interval"),
    *("brier_score_interval", "log_loss_interval"),
)


def on_test_points(name, **options):
    return lambda alpha: getattr(comparators, name)(Y_TEST, S_TEST, alpha=alpha, **options)


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
        "youden": evaluation.youden,
        "at": evaluation.at,
        "average_bands": lambda alpha: average_bands({1: evaluation}, alpha),
        **{name: on_test_points(name) for name in SAMPLED},
        "clopper_pearson_box": on_test_points("clopper_pearson_box", threshold=0.5),
        "accuracy_interval": on_test_points("accuracy_interval", threshold=0.5),
        "losses": lambda alpha: evaluation.losses(0.5, alpha),
        "sensitivity_difference": lambda alpha: comparators.sensitivity_difference(
            Y_TEST, S_TEST, S_TEST, 0.5, alpha
        ),
        "calibration_band": lambda alpha: calibration_band(Y_TEST, S_TEST, alpha),
        "charts.residuals": lambda alpha: charts.residuals(evaluation, alpha),
        "simulation.run": lambda alpha: simulation.run("sample_size", alpha=alpha),
        "comparison.run": lambda alpha: comparison.run(alpha=alpha),
    }


ALPHA_TAKERS = alpha_takers()


@pytest.mark.parametrize("alpha", BAD_ALPHAS, ids=repr)
@pytest.mark.parametrize("taker", list(ALPHA_TAKERS))
def test_an_alpha_outside_zero_and_one_or_of_another_kind_is_refused(taker, alpha):
    refused(lambda: ALPHA_TAKERS[taker](alpha), WRONG, r"\balpha\b")


# The pure functions

KERNEL = {"X_train": X, "y_train": Y, "X": POINTS}
PREDICTIONS = {
    "y_calibration": Y_CAL,
    "score_calibration": S_CAL,
    "y_test": Y_TEST,
    "score_test": S_TEST,
}


def table(**columns):
    """The valid table with some columns replaced."""
    return {"source": pl.DataFrame({"p": S_TEST, "y": Y_TEST} | columns)}


FUNCTIONS = {
    "quantiles": lambda **given: conformal_quantiles(
        **{"residuals": [1.0, 2.0], "alpha": 0.1} | given
    ),
    "coverage": lambda **given: guaranteed_coverage(**{"n": 20, "alpha": 0.1} | given),
    "kernel": lambda **given: kernel_logit(**KERNEL | given),
    "predictions": lambda **given: RocEvaluation.from_predictions(**PREDICTIONS | given),
    "own rows": lambda **given: RocEvaluation.from_predictions(Y_TEST, S_TEST, **given),
    "table": lambda **given: RocEvaluation.from_table(**TABLE | given),
}

BAD_ARGUMENTS = [
    ("quantiles", {"rule": "median"}, ValueError, "rule"),
    ("quantiles", {"rule": None}, WRONG, "rule"),
    ("coverage", {"rule": "median"}, ValueError, "rule"),
    ("coverage", {"n": -1}, ValueError, r"\bn\b"),
    ("kernel", {"X_train": X[:-1]}, ValueError, "X_train|y_train"),
    ("kernel", {"X": POINTS[:, :2]}, ValueError, r"\bX\b"),
    *(
        ("kernel", {"bandwidth": bad}, ValueError, "bandwidth")
        for bad in (0, 0.0, -1.0, NAN, INF, [1.0] * 2, [1.0] * 4)
    ),
    *(
        ("kernel", {"bandwidth": [1.0, bad, 1.0]}, ValueError, "bandwidth")
        for bad in (0.0, -2.0, NAN)
    ),
    ("kernel", {"bandwidth": "wide"}, ValueError, "bandwidth.*silverman|silverman.*bandwidth"),
    ("kernel", {"bandwidth": None}, WRONG, "bandwidth"),
    ("kernel", {"bandwidth": True}, WRONG, "bandwidth"),
    ("kernel", {"kernel": "box"}, ValueError, "kernel.*gaussian"),
    ("predictions", {"y_test": np.resize([1, 2], 30)}, ValueError, "y_test"),
    ("predictions", {"y_test": np.resize(["no", "yes"], 30)}, WRONG, "y_test"),
    ("predictions", {"score_calibration": Y_CAL.astype(float)}, ValueError, "score_calibration"),
    ("predictions", {"score_calibration": np.full(40, 0.5)}, ValueError, "score_calibration"),
    *(
        ("table", table(p=[value, *S_TEST[1:].tolist()]), ValueError, rf"score.*{found}")
        for value, found in (
            (None, "1 missing"),
            (NAN, "1 NaN"),
            (-0.01, "1 value outside.*-0.01"),
            (1.01, "1 value outside.*1.01"),
            (INF, "1 value outside"),
            (-INF, "1 value outside"),
        )
    ),
    ("table", table(p=np.full(30, "high")), TypeError, "score.*String"),
    ("table", table(p=Y_TEST == 1), TypeError, "score.*Boolean"),
    ("table", table(y=[None, *Y_TEST[1:].tolist()]), ValueError, "label.*1 without one"),
    ("table", table(y=np.resize([0, 1, 2], 30)), ValueError, "label.*10 rows with other labels"),
    ("table", table(y=np.full(30, 0.5)), ValueError, "label.*30 rows with other labels"),
    ("table", table(y=spoiled(Y_TEST, NAN)), ValueError, "label.*1 row with other labels"),
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
    ("table", {"score": 0}, ValueError, "score.*no column 0.*'p', 'y'"),
    ("table", {"label": None}, TypeError, "label.*None"),
    ("table", {"quantile_rule": "median"}, ValueError, "quantile_rule.*paper"),
    ("table", {"bandwidth": 0.0}, ValueError, "bandwidth"),
    ("predictions", {"quantile_rule": "median"}, ValueError, "quantile_rule.*paper"),
    ("predictions", {"time_unit": 3}, TypeError, "time_unit: found int, expected a str"),
    ("own rows", {"quantile_rule": "median"}, ValueError, "quantile_rule.*paper"),
    ("own rows", {"bandwidth": "wide"}, ValueError, "bandwidth.*silverman"),
    ("own rows", {"reference": "best"}, ValueError, "reference.*sharp"),
    ("own rows", {"time_unit": 3}, TypeError, "time_unit: found int, expected a str"),
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
    [
        ([0.5, NAN], ValueError),
        ([[0.1, 0.2]], ValueError),
        (["a"], WRONG),
        ("all", WRONG),
        (0.5, WRONG),
    ],
)
def test_thresholds_that_are_not_numbers_are_refused(thresholds, kind):
    refused(lambda: evaluation_from_scores().band(0.05, thresholds=thresholds), kind, "thresholds")


@pytest.mark.parametrize(
    ("threshold", "kind"), [(NAN, ValueError), ("0.5", WRONG), (None, WRONG), ([0.5, 0.6], WRONG)]
)
@pytest.mark.parametrize("method", ["operating_point", "undecided"])
def test_a_threshold_that_is_not_a_number_is_refused(method, threshold, kind):
    pattern = f"^threshold: found {re.escape(repr(threshold))}, expected a number"
    refused(lambda: getattr(evaluation_from_scores(), method)(threshold), kind, pattern)


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
    ({"grid": [0.0, 1.2]}, ValueError, "grid"),
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
