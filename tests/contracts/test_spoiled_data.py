"""Every public function refuses bad or damaged data with an error that names the argument."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from refusals import (
    EXPLICIT,
    INF,
    NAN,
    POINTS,
    S_CAL,
    S_TEST,
    SHOWN,
    TABLE,
    WRONG,
    Y_CAL,
    Y_TEST,
    X,
    Y,
    refused,
)
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import (
    ConformalROC,
    RocEvaluation,
    ROCWidget,
    average_bands,
    calibration_band,
    comparators,
    conformal_quantiles,
    kernel_logit,
)


def with_other(array, value, dtype=object):
    array = np.array(array, dtype=dtype)
    array[(2,) * array.ndim if array.ndim == 1 else (2, 0)] = value
    return array


#: Values that no data argument accepts, each made from a valid one.
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
#: Values that are no labels of two classes.
NO_LABELS = {
    **NO_DATA,
    "one class": np.zeros_like,
    "three classes": lambda good: np.arange(len(good)) % 3,
    "two columns": lambda good: np.column_stack([good, good]),
}
#: Values that are no scores.
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
#: Values that are no training features of any classifier. Sparse features are valid for many.
NO_TABLE = {**NO_FEATURES, "a sparse matrix": None, "a sparse array": None}
#: Values that are no rates. Rates do not belong to rows.
NO_RATES = {**NO_PROBABILITIES, "one row more": None, "None": None}

FITTED = ConformalROC(LogisticRegression(), random_state=0).fit(X, Y)
GRID = np.linspace(0, 1, 9)


def sampled(name, **options):
    return lambda **given: getattr(comparators, name)(**options | given)


FEW = {"resamples": 100, "random_state": 0}
SCORED = {"y": (Y_TEST, NO_LABELS), "score": (S_TEST, NO_SCORES)}
FROM_SCORES = {
    "y_calibration": (Y_CAL, NO_LABELS),
    "score_calibration": (S_CAL, NO_SCORES),
    "y_test": (Y_TEST, NO_LABELS),
    "score_test": (S_TEST, NO_SCORES),
}
#: For each entry, the call, and the valid value and the table of each argument.
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
        {"y_calibration": (Y_CAL, NO_LABELS), "score_calibration": (S_CAL, NO_PROBABILITIES)},
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
    **{
        name: (
            sampled(name, threshold=0.5),
            {"y": SCORED["y"], "score_a": SCORED["score"], "score_b": SCORED["score"]},
        )
        for name in ("sensitivity_difference", "net_benefit_difference")
    },
    "average_precision_interval": (comparators.average_precision_interval, SCORED),
    **{
        name: (getattr(comparators, name), SCORED)
        for name in ("brier_score_interval", "log_loss_interval")
    },
    "accuracy_interval": (sampled("accuracy_interval", threshold=0.5), SCORED),
    "calibration_band": (
        calibration_band,
        {"y": (Y_TEST, {**NO_LABELS, "one class": None}), "score": SCORED["score"]},
    ),
    "fpr of ks_band": (sampled("ks_band", y=Y_TEST, score=S_TEST), {"fpr": (GRID, NO_RATES)}),
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
ARGUMENTS = [(entry, name) for entry, (_, arguments) in ENTRIES.items() for name in arguments]


@pytest.fixture(scope="module")
def good_entries():
    """Checks that every entry accepts valid data, so that later refusals are due to the bad
    argument.
    """
    for function, arguments in ENTRIES.values():
        function(**{name: good for name, (good, _) in arguments.items()})


@pytest.mark.parametrize(("entry", "name"), ARGUMENTS)
def test_anything_but_data_is_refused_by_the_name_of_its_argument(entry, name, good_entries):
    function, arguments = ENTRIES[entry]
    good, table = arguments[name]
    wrong = {}
    for kind, make in table.items():
        if make is None:
            continue
        given = {other: array.copy() for other, (array, _) in arguments.items()}
        # If two lengths or two sets of classes differ, the error may name either argument.
        either = kind in ("one row more", "three classes", "a set", "nothing")
        expected = "|".join(arguments) if either else name
        try:
            function(**given | {name: make(good)})
        except WRONG as error:
            if not re.search(rf"\b({expected})\b", str(error)):
                wrong[kind] = str(error)
        else:
            wrong[kind] = "taken"
        for other, array in given.items():
            np.testing.assert_array_equal(array, arguments[other][0], kind)
    assert wrong == {}


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
