import numpy as np
import oracles
import pandas as pd
import polars as pl
import pytest
from data import EXACT, assert_same_curves, check_residuals, fit_explicit, logistic_sample
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC


@pytest.fixture
def parts(rng):
    """Training, calibration and test parts of one population."""
    return [logistic_sample(rng, n)[:2] for n in (120, 161, 40)]


def same_bands(one, other, alpha=0.1):
    assert_same_curves(one.band(alpha), other.band(alpha))


# Algorithm 1, step by step


@pytest.mark.parametrize("bandwidth", ["silverman", "scott", 0.6, [0.5, 0.7, 0.9]])
def test_residuals_and_intervals_follow_algorithm_1_with_an_explicit_calibration_set(
    parts, bandwidth
):
    (X, y), (X_calibration, y_calibration), (X_test, y_test) = parts
    model = fit_explicit(parts, bandwidth=bandwidth)
    reference = oracles.kernel_logit(X.tolist(), y.tolist(), X_calibration.tolist(), bandwidth)
    residuals = check_residuals(
        model, reference, model.estimator_.decision_function(X_calibration), y_calibration
    )
    test_logits = model.estimator_.decision_function(X_test)
    for alpha in (0.05, 0.1, 0.4):
        per_label = {}
        for k in (0, 1):
            q = oracles.conformal_quantiles(residuals[k], alpha)
            expected = per_label[k] = [oracles.interval(v, q) for v in test_logits]
            lower, upper = model.predict_interval(X_test, k, alpha)
            np.testing.assert_allclose(np.column_stack([lower, upper]), expected, **EXACT)
        own = [per_label[k][j] for j, k in enumerate(y_test)]
        np.testing.assert_allclose(
            np.column_stack(model.evaluate(X_test, y_test).intervals(alpha)), own, **EXACT
        )


def test_residuals_come_sorted_and_the_interval_of_a_scarce_label_is_everything(parts):
    (X, y), (X_calibration, y_calibration), test = parts
    keep = (y_calibration == 0) | (np.cumsum(y_calibration) <= 10)
    model = fit_explicit(((X, y), (X_calibration[keep], y_calibration[keep]), test))
    assert model.n_calibration_[1] == 10
    for k in (0, 1):
        assert (np.diff(model.residuals_[k]) >= 0).all()
    lower, upper = model.predict_interval(test[0], 1, 0.05)
    assert (set(lower), set(upper)) == ({0.0}, {1.0})
    lower, upper = model.predict_interval(test[0], 0, 0.05)
    assert upper.max() < 1


# Input types


@pytest.mark.parametrize(
    "name",
    [
        lambda v: v.astype(bool),
        lambda v: v.astype(float),
        lambda v: v * 4 - 1,
        lambda v: np.where(v == 1, "sick", "healthy"),
        lambda v: np.where(v == 1, "sick", "healthy").astype(object),
    ],
    ids=["bool", "float", "int", "str", "object"],
)
def test_labels_may_be_any_two_things_and_the_second_in_order_is_positive(parts, name):
    named = [(X, name(y)) for X, y in parts]
    model, plain = fit_explicit(named), fit_explicit(parts)
    X_test, y_test = parts[2]
    assert model.classes_.tolist() == sorted(set(name(np.array([0, 1])).tolist()))
    for k, label in enumerate(model.classes_.tolist()):
        np.testing.assert_array_equal(model.residuals_[label], plain.residuals_[k])
        assert model.n_calibration_[label] == plain.n_calibration_[k]
        np.testing.assert_array_equal(
            model.predict_interval(X_test, label, 0.1), plain.predict_interval(X_test, k, 0.1)
        )
    same_bands(model.evaluate(X_test, name(y_test)), plain.evaluate(X_test, y_test))
    np.testing.assert_array_equal(model.evaluate(X_test, name(y_test)).labels, y_test)


@pytest.mark.parametrize("kind", ["list", "pandas", "polars", "float32"])
def test_lists_and_frames_give_the_same_bands_as_arrays(parts, kind):
    names = ["age", "dose", "marker"]
    parts = [(np.round(X * 1024) / 1024, y) for X, y in parts]
    held = {
        "list": [(X.tolist(), y.tolist()) for X, y in parts],
        "pandas": [
            (pd.DataFrame(X, columns=names, index=range(50, 50 + len(y))), pd.Series(y))
            for X, y in parts
        ],
        "polars": [(pl.DataFrame(X, schema=names), pl.Series(y)) for X, y in parts],
        "float32": [(X.astype(np.float32), y.astype(np.int8)) for X, y in parts],
    }[kind]
    model, plain = fit_explicit(held), fit_explicit(parts)
    tolerance = {"rtol": 1e-4} if kind == "float32" else EXACT
    for k in (0, 1):
        np.testing.assert_allclose(model.residuals_[k], plain.residuals_[k], **tolerance)
    band, expected = (m.evaluate(*p[2]).band(0.1) for m, p in ((model, held), (plain, parts)))
    np.testing.assert_allclose(band.tpr, expected.tpr)
    if kind != "float32":
        np.testing.assert_array_equal(band.tpr_lower, expected.tpr_lower)
        np.testing.assert_array_equal(band.fpr_upper, expected.fpr_upper)


# A scikit-learn estimator


def test_parameters_are_those_of_the_documentation():
    defaults = {
        "reference": "auto",
        "bandwidth": "silverman",
        "calibration_size": 0.5,
        "neighbors": None,
        "distance": "standardized",
        "center": "classifier",
        "recenter": False,
        "resplits": 1,
        "quantile_rule": "paper",
        "random_state": None,
    }
    model = ConformalROC(LogisticRegression())
    found = model.get_params(deep=False)
    assert {name: found[name] for name in defaults} == defaults


def test_a_share_may_be_a_float_of_numpys(parts):
    X, y = parts[0]
    for size in (np.float32(0.5), np.float64(0.5)):
        model = ConformalROC(LogisticRegression(), calibration_size=size, random_state=0).fit(X, y)
        assert sum(model.n_calibration_.values()) == len(y) // 2


def test_fitting_again_forgets_the_first_fit(parts):
    model = fit_explicit(parts)
    (X, y), (X_calibration, y_calibration), _ = parts
    model.fit(X[:, :2], y, X_calibration=X_calibration[:, :2], y_calibration=y_calibration)
    fresh = fit_explicit([(X[:, :2], y) for X, y in parts])
    np.testing.assert_array_equal(
        model.predict_interval(X[:, :2], 1), fresh.predict_interval(X[:, :2], 1)
    )


class Noted(ConformalROC):
    """A subclass with a parameter of its own, and fewer of those of the base class."""

    def __init__(self, estimator, note="", *, quantile_rule="paper"):
        super().__init__(estimator, reference="kernel", quantile_rule=quantile_rule)
        self.note = note


def test_a_subclass_may_have_other_parameters(parts):
    (X, y), (X_calibration, y_calibration), test = parts
    given = {"X_calibration": X_calibration, "y_calibration": y_calibration}
    model = clone(Noted(LogisticRegression(), "ours", quantile_rule="split")).fit(X, y, **given)
    assert model.note == "ours"
    plain = fit_explicit(parts, quantile_rule="split")
    same_bands(model.evaluate(*test), plain.evaluate(*test))
    model.set_params(note="theirs", quantile_rule="paper")
    same_bands(model.fit(X, y, **given).evaluate(*test), fit_explicit(parts).evaluate(*test))
