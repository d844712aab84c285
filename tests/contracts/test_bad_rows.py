"""Impossible weights, people, populations and folds raise errors that name the argument."""

import numpy as np
import pytest
from data import logistic_sample, scored
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate

from conformal_roc_widget import ConformalROC, RocEvaluation, ROCWidget, comparators

RNG = np.random.default_rng(7)
N = 120
X, Y, _ = logistic_sample(RNG, N)
X_CA, Y_CA, _ = logistic_sample(RNG, N)
X_TEST, Y_TEST, _ = logistic_sample(RNG, N)
S = scored(RNG, N)[1]
ONES, WHO = np.ones(N), np.arange(N) // 4
SEX = np.resize(["women", "men"], N)
EXPLICIT = {"X_calibration": X_CA, "y_calibration": Y_CA}


def changed(values, place, value):
    values = np.array(values, dtype=float)
    values[place] = value
    return values


def fit(neighbors=None, **told):
    return ConformalROC(LogisticRegression(), neighbors=neighbors, random_state=0).fit(X, Y, **told)


def scores(**told):
    return RocEvaluation.from_predictions(Y_CA, S, Y_TEST, S, **told)


BAD_WEIGHTS = {
    "too few": ONES[:-1],
    "a table": ONES[:, None],
    "negative": changed(ONES, 3, -1),
    "NaN": changed(ONES, 3, np.nan),
    "infinite": changed(ONES, 3, np.inf),
    "texts": np.array(["a"] * N),
    "too large to be squared": 1e300 * ONES,
    "too small to be squared": 1e-300 * ONES,
}
WEIGHING = {
    "sample_weight": lambda w: fit().evaluate(X_TEST, Y_TEST, sample_weight=w),
    "sample_weight_calibration": lambda w: fit(**EXPLICIT, sample_weight_calibration=w),
    "sample_weight_calibration ": lambda w: fit(sample_weight_calibration=lambda X: w),
    "sample_weight_test": lambda w: scores(sample_weight_test=w),
    "sample_weight_calibration  ": lambda w: scores(sample_weight_calibration=w),
    "sample_weight ": lambda w: comparators.bootstrap_band(
        Y_TEST, S, sample_weight=w, resamples=100, random_state=0
    ),
}


@pytest.mark.parametrize("weight", BAD_WEIGHTS.values(), ids=BAD_WEIGHTS)
@pytest.mark.parametrize("name", WEIGHING)
def test_weights_that_are_none_name_their_argument(name, weight):
    with pytest.raises((TypeError, ValueError), match=name.strip()):
        WEIGHING[name](weight)


@pytest.mark.parametrize("unit", [1e-49, 1e-9, 1e9, 1e48])
def test_the_unit_of_weights_moves_no_limit(unit):
    weight = np.random.default_rng(3).integers(1, 9, N).astype(float)
    one, other = (scores(sample_weight_test=w) for w in (weight, unit * weight))
    for each in (one, other):
        assert np.isfinite(np.array(each.auc(0.1))).all()
    np.testing.assert_allclose(np.array(other.auc(0.1)), np.array(one.auc(0.1)), rtol=1e-12)
    for name in ("tpr_lower", "tpr_upper", "fpr_lower", "fpr_upper"):
        found = [getattr(each.sampled_point(0.5, 0.1), name) for each in (one, other)]
        assert found[1] == pytest.approx(found[0], rel=1e-12)


@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize("name", WEIGHING)
def test_a_label_without_any_weight_is_refused(name, label):
    y = Y if name == "sample_weight_calibration " else Y_CA if "cal" in name else Y_TEST
    with pytest.raises(ValueError, match=name.strip()):
        WEIGHING[name](np.where(y == label, 0.0, 1.0))


GROUPS = {
    "too few rows of test scores": (lambda: scores(groups_test=WHO[1:]), "groups_test: found 119"),
    "too few rows to fit": (lambda: fit(groups=WHO[:-1]), "groups"),
    "too few to calibrate": (lambda: fit(**EXPLICIT, groups_calibration=WHO[1:]), "groups_cal"),
    "people who train and calibrate": (
        lambda: fit(**EXPLICIT, groups=WHO, groups_calibration=WHO),
        "groups_calibration: found 0, 1",
    ),
    "people who calibrate and are tested": (
        lambda: fit(groups=WHO).evaluate(X_TEST, Y_TEST, groups=WHO),
        "groups: found 0, 1",
    ),
    "too few to test": (
        lambda: fit(groups=WHO).evaluate(X_TEST, Y_TEST, groups=WHO[1:] + 1000),
        "groups",
    ),
    "people on both sides of scores": (
        lambda: scores(groups_calibration=WHO, groups_test=WHO),
        "groups_test: found 0, 1",
    ),
    "missing names": (lambda: fit(groups=changed(WHO, 3, np.nan)), "groups"),
    "people's rows with weights": (
        lambda: scores(groups_calibration=WHO, sample_weight_calibration=S),
        "sample_weight_calibration, groups_calibration: found both",
    ),
    "groups of the bootstrap": (lambda: comparators.bootstrap_band(Y, S, groups=WHO[1:]), "groups"),
    "neighbours of people": (
        lambda: fit(neighbors=20, **EXPLICIT, groups_calibration=WHO),
        "groups: found it with neighbors=20",
    ),
    "neighbours of weights": (
        lambda: fit(neighbors=20, **EXPLICIT, sample_weight_calibration=ONES),
        "sample_weight_calibration: found it with neighbors=20",
    ),
}
POPULATIONS = {
    "too few rows": (lambda: fit(sensitive_features=SEX[1:]), "sensitive_features"),
    "calibration without a set": (
        lambda: fit(sensitive_features_calibration=SEX),
        "sensitive_features_calibration: found it without X_calibration",
    ),
    "other people in a widget": (
        lambda: ROCWidget({"a": scores(), "b": RocEvaluation.from_predictions(Y, S, Y[9:], S[9:])}),
        "kind='populations'",
    ),
}
FOLDS = cross_validate(
    LogisticRegression(), *(X, Y), cv=StratifiedKFold(3), return_estimator=True, return_indices=True
)
CROSSED = {
    "too few weights": (
        lambda: ROCWidget.from_cv_results(FOLDS, X, Y, sample_weight=ONES[1:]),
        "sample_weight",
    ),
    "too few groups": (lambda: ROCWidget.from_cv_results(FOLDS, X, Y, groups=WHO[1:]), "groups"),
}

ALL = {**GROUPS, **POPULATIONS, **CROSSED}


@pytest.mark.parametrize(("call", "message"), ALL.values(), ids=ALL)
def test_rows_of_nobody_are_refused_with_a_sentence(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


def test_a_fit_that_fails_leaves_what_was_there():
    model = fit(groups=WHO)
    before = model.residuals_[1]
    with pytest.raises(ValueError, match="groups"):
        model.fit(X, Y, groups=WHO[1:])
    assert model.residuals_[1] is before
