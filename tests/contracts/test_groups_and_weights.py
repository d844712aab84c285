"""If rows have groups or weights, limits change or an error is raised."""

import inspect

import numpy as np
import pandas as pd
import pytest
from data import logistic_sample, scored
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_validate

import conformal_roc_widget
from conformal_roc_widget import (
    ConformalROC,
    RocEvaluation,
    ROCWidget,
    average_bands,
    comparators,
    conformal_quantiles,
)
from conformal_roc_widget.comparators.registry import Resampling

RNG = np.random.default_rng(4)
N = 240
X, Y, _ = logistic_sample(RNG, N)
X_TEST, Y_TEST, _ = logistic_sample(RNG, N)
X_CA, Y_CA, _ = logistic_sample(RNG, N)
S, S_TEST = scored(RNG, N)[1], scored(RNG, N)[1]
WHO = np.arange(N) // 6
SEX = np.resize(["women", "men", "women"], N)
WEIGHT = RNG.integers(1, 5, N).astype(float)
RESULTS = cross_validate(
    LogisticRegression(),
    *(X, Y),
    groups=WHO,
    cv=GroupKFold(4),
    return_estimator=True,
    return_indices=True,
)
FEW = {"resamples": 100, "random_state": 0}


def limits(result):
    """All limits in a result as one array."""
    if isinstance(result, tuple):
        return np.array(result, dtype=float)
    names = ("fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper")
    return np.concatenate([np.ravel(getattr(result, n)) for n in names if hasattr(result, n)])


def fit(**told):
    return ConformalROC(LogisticRegression(), random_state=0).fit(X, Y, **told)


def apart(**told):
    explicit = {"X_calibration": X_CA, "y_calibration": Y_CA}
    return limits(fit(**explicit, **told).evaluate(X_TEST, Y_TEST).band(0.2))


def evaluate(**told):
    evaluation = fit().evaluate(X_TEST, Y_TEST, **told)
    return np.r_[limits(evaluation.band(0.2)), sampled(evaluation)]


def sampled(evaluation):
    """A page's band for the population, from these test rows."""
    comparator = comparators.COMPARATORS["bootstrap"]
    family = comparator.of_evaluation(evaluation, Resampling(resamples=200, n_threads=1))
    return limits(family.band(0.2))


def from_scores(**told):
    evaluation = RocEvaluation.from_predictions(Y_CA, S, Y_TEST, S_TEST, **told)
    return np.r_[limits(evaluation.band(0.2)), sampled(evaluation)]


def two_arrays(**told):
    return sampled(RocEvaluation.from_predictions(Y_TEST, S_TEST, **told))


def by_population(**told):
    found = fit(sensitive_features=SEX).evaluate_by(X_TEST, Y_TEST, SEX, **told)
    return np.r_[limits(found["women"].band(0.2)), sampled(found["women"])]


def folds(**told):
    found = RocEvaluation.from_cv_results(RESULTS, X, Y, **told)
    of_mean = () if found.weighted else found.mean_auc(0.2)
    return np.r_[limits(found[0].band(0.2)), np.array(of_mean)]


def from_table(**told):
    table = {"s": S_TEST, "y": Y_TEST, "w": WEIGHT}
    evaluation = RocEvaluation.from_table(
        *(pd.DataFrame(table),),
        score="s",
        label="y",
        y_calibration=Y_CA,
        score_calibration=S,
        **told,
    )
    return limits(evaluation.band(0.2))


def mean_area(groups=None):
    half = slice(None, N // 2), slice(N // 2, None)
    parts = [(Y_TEST[rows], S_TEST[rows]) for rows in half]
    told = None if groups is None else [groups[rows] for rows in half]
    return limits(comparators.mean_auc_interval(parts, groups=told))


def average(weights="size"):
    classes = {
        name: RocEvaluation.from_predictions(Y_CA, S, Y_TEST[rows], S_TEST[rows])
        for name, rows in (("few", slice(None, 60)), ("many", slice(60, None)))
    }
    return limits(average_bands(classes, 0.2, weights))


def replicates(**told):
    return limits(comparators.bootstrap_replicates(Y_TEST, S_TEST, **FEW, **told).band(0.2))


def quantiles(**told):
    return limits(conformal_quantiles(S, 0.2, **told))


#: Parameters that describe rows, with the functions that take them.
TELLING = {"groups": WHO, "sample_weight": WEIGHT}
GIVEN = FEW | {
    "y": Y_TEST,
    "score": S_TEST,
    "score_a": S_TEST,
    "score_b": X_TEST[:, 0],
    "scores": {"a": S_TEST, "b": X_TEST[:, 0]},
    "threshold": 0.5,
    "alpha": 0.2,
}


def of_comparators():
    """Entries of `CALLS` for each comparator of labels and scores, from its signature."""
    for name in comparators.__all__:
        function = getattr(comparators, name)
        parameters = inspect.signature(function).parameters if callable(function) else {}
        if "y" in parameters and "alpha" in parameters:
            given = {each: value for each, value in GIVEN.items() if each in parameters}
            for told in (each for each in TELLING if each in parameters):
                yield f"{name} {told}", (called(function, given), TELLING[told])


def called(function, given):
    def call(**told):
        found = function(**given, **told)
        return limits(found["a", "b"] if isinstance(found, dict) else found)

    return call


def refuses(name):
    """Whether a function's signature allows only None for the parameter, because it needs
    independent rows of equal weight.
    """
    function, parameter = name.split()
    found = getattr(comparators, function, None)
    return bool(found) and inspect.signature(found).parameters[parameter].annotation == "None"


#: Each entry is a call and the argument that it passes.
CALLS = {
    "ConformalROC.fit sample_weight": (lambda **t: limits(fit(**t).evaluate(X_TEST, Y_TEST).band(0.2)), WEIGHT),
    "ConformalROC.fit groups": (lambda **t: limits(fit(**t).evaluate(X_TEST, Y_TEST).band(0.2)), WHO),
    "ConformalROC.fit sample_weight_calibration": (apart, WEIGHT),
    "ConformalROC.fit groups_calibration": (apart, WHO),
    "ConformalROC.evaluate sample_weight": (evaluate, WEIGHT),
    "ConformalROC.evaluate groups": (evaluate, WHO),
    "ConformalROC.evaluate_by sample_weight": (by_population, WEIGHT),
    "ConformalROC.evaluate_by groups": (by_population, WHO),
    "RocEvaluation.from_predictions sample_weight": (two_arrays, WEIGHT),
    "RocEvaluation.from_predictions sample_weight_calibration": (from_scores, WEIGHT),
    "RocEvaluation.from_predictions sample_weight_test": (from_scores, WEIGHT),
    "RocEvaluation.from_predictions groups_calibration": (from_scores, WHO),
    "RocEvaluation.from_predictions groups_test": (from_scores, WHO),
    "RocEvaluation.from_cv_results sample_weight": (folds, WEIGHT),
    "RocEvaluation.from_cv_results groups": (folds, WHO),
    "RocEvaluation.from_table weight": (from_table, "w"),
    "average_bands weights": (average, "uniform"),
    "conformal_quantiles sample_weight": (quantiles, WEIGHT),
    "conformal_quantiles test_weight": (quantiles, 9.0),
    "bootstrap_replicates groups": (replicates, WHO),
    "bootstrap_replicates sample_weight": (replicates, WEIGHT),
    "mean_auc_interval groups": (mean_area, WHO),
    **dict(of_comparators()),
}  # fmt: skip
#: Functions that pass the argument to one of the others, or require it.
ELSEWHERE = {
    "ConformalROC.fit sensitive_features": "which evaluate_by needs",
    "ConformalROC.fit sensitive_features_calibration": "which evaluate_by needs",
    "ConformalROC.evaluate_by sensitive_features": "which names its answers",
    "ROCWidget.from_cv_results sample_weight": "RocEvaluation.from_cv_results",
    "ROCWidget.from_cv_results groups": "RocEvaluation.from_cv_results",
    "ROCWidget.from_estimator sample_weight": "RocEvaluation.from_predictions",
    "ROCWidget.from_predictions sample_weight": "RocEvaluation.from_predictions",
    "ROCWidget.from_predictions sample_weight_calibration": "RocEvaluation.from_predictions",
    "ROCWidget.from_predictions sample_weight_test": "RocEvaluation.from_predictions",
    "ROCWidget.from_predictions groups_calibration": "RocEvaluation.from_predictions",
    "ROCWidget.from_predictions groups_test": "RocEvaluation.from_predictions",
    "ROCWidget weights": "average_bands",
    "Comparator.of_probabilities groups": "ConformalROC.evaluate",
    "Comparator.of_probabilities weights": "ConformalROC.evaluate",
    "one_row_per_group groups": "which gives rows and no limits",
}
TOLD = ("group", "weight", "sensitive")


def public_parameters():
    """Each public function, constructor or method with a parameter about rows, and that parameter."""
    for module in (conformal_roc_widget, comparators):
        for name in module.__all__:
            each = getattr(module, name)
            callables = {name: each} if callable(each) else {}
            if inspect.isclass(each):
                own = {
                    n: v
                    for c in each.__mro__
                    if c.__module__.startswith("conformal")
                    for n, v in vars(c).items()
                }
                public = {n for n in own if not n.startswith("_") and not n.startswith("set_")}
                callables |= {
                    f"{name}.{n}": getattr(each, n) for n in public if callable(getattr(each, n))
                }
            for called, function in callables.items():
                for parameter in inspect.signature(function).parameters:
                    if any(word in parameter for word in TOLD) and not parameter.startswith("_"):
                        yield f"{called} {parameter}"


def test_every_argument_on_rows_is_in_the_table():
    assert set(public_parameters()) == CALLS.keys() | ELSEWHERE.keys()


@pytest.mark.parametrize("name", CALLS)
def test_limits_change_or_the_argument_is_refused(name):
    call, value = CALLS[name]
    parameter = name.split()[1]
    without = call()
    if refuses(name):
        with pytest.raises(ValueError, match=f"{parameter}: found"):
            call(**{parameter: value})
        return
    told = call(**{parameter: value})
    assert without.shape != told.shape or not np.array_equal(without, told, equal_nan=True)


@pytest.mark.parametrize("told", [{"groups": WHO}, {"sample_weight": WEIGHT}])
@pytest.mark.parametrize("asked", ["reliability", "ideal_curve"])
def test_what_counts_independent_rows_alike_refuses_others(told, asked):
    model = ConformalROC(LogisticRegression(), reference="sharp", random_state=0).fit(X, Y)
    evaluation = model.evaluate(X_TEST, Y_TEST, **told)
    with pytest.raises(ValueError, match=f"{asked}: found .*count independent rows"):
        getattr(evaluation, asked)(0.1)
    assert ROCWidget(evaluation).guarantee == "individual"
