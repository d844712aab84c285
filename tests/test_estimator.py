import copy
import pickle

import numpy as np
import oracles
import pandas as pd
import polars as pl
import pytest
from data import (
    DecisionOnly,
    ForestLike,
    KnownClassifier,
    Recorder,
    assert_same_curves,
    fit_explicit,
    logistic_sample,
    triangular_cdf,
    triangular_sample,
)
from scipy.special import expit, logit
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import auc as area
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from conformal_roc_widget import ConformalROC, RocEvaluation, guaranteed_coverage, kernel_logit

EXACT = {"rtol": 1e-9, "atol": 1e-9}


@pytest.fixture
def parts(rng):
    """Training, calibration and test parts of one population."""
    return [logistic_sample(rng, n)[:2] for n in (120, 161, 40)]


def check_residuals(model, reference, logits, y_calibration):
    expected = oracles.split_residuals(list(reference), list(logits), y_calibration.tolist())
    for k in (0, 1):
        np.testing.assert_allclose(model.residuals_[k], expected[k], **EXACT)
        assert model.n_calibration_[k] == len(expected[k])
    return expected


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


def test_the_evaluation_holds_the_classifiers_probabilities_and_the_models_residuals(parts):
    model = fit_explicit(parts)
    X_test, y_test = parts[2]
    evaluation = model.evaluate(X_test, y_test)
    assert isinstance(evaluation, RocEvaluation)
    np.testing.assert_array_equal(evaluation.scores, model.estimator_.predict_proba(X_test)[:, 1])
    np.testing.assert_array_equal(evaluation.labels, y_test)
    for k in (0, 1):
        np.testing.assert_array_equal(evaluation.residuals[k], model.residuals_[k])
    assert dict(evaluation.n_calibration) == {k: len(model.residuals_[k]) for k in (0, 1)}


def test_the_band_of_an_evaluation_is_the_count_of_its_intervals(parts):
    model = fit_explicit(parts)
    X_test, y_test = parts[2]
    evaluation = model.evaluate(X_test, y_test)
    thresholds = np.linspace(0.01, 0.99, 83)
    band = evaluation.band(0.2, thresholds=thresholds)
    lower, upper = evaluation.intervals(0.2)
    for k, low, up in ((0, band.fpr_lower, band.fpr_upper), (1, band.tpr_lower, band.tpr_upper)):
        np.testing.assert_array_equal(
            low, [np.mean(lower[y_test == k] > t) for t in band.thresholds]
        )
        np.testing.assert_array_equal(
            up, [np.mean(upper[y_test == k] > t) for t in band.thresholds]
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


def test_without_a_calibration_set_the_rows_are_split_in_two_and_each_row_is_used_once(rng):
    X, y, _ = logistic_sample(rng, 200)
    model = ConformalROC(Recorder(), random_state=3).fit(X, y)
    seen = {tuple(row) for row in model.estimator_.seen_X_}
    in_training = np.array([tuple(row) in seen for row in X])
    assert in_training.sum() == 100 == len(model.estimator_.seen_X_)
    X_train, y_train, X_rest, y_rest = (
        X[in_training],
        y[in_training],
        X[~in_training],
        y[~in_training],
    )
    reference = oracles.kernel_logit(X_train.tolist(), y_train.tolist(), X_rest.tolist())
    check_residuals(model, reference, model.estimator_.decision_function(X_rest), y_rest)


@pytest.mark.parametrize(("size", "n_calibration"), [(0.25, 50), (0.5, 100), (0.75, 150)])
def test_calibration_size_is_the_share_set_aside(rng, size, n_calibration):
    X, y, _ = logistic_sample(rng, 200)
    model = ConformalROC(Recorder(), calibration_size=size, random_state=0).fit(X, y)
    assert sum(model.n_calibration_.values()) == n_calibration
    assert len(model.estimator_.seen_X_) == 200 - n_calibration


def test_the_same_random_state_gives_the_same_bits_and_another_gives_another_split(rng):
    X, y, _ = logistic_sample(rng, 200)
    one, again, other = (
        ConformalROC(LogisticRegression(), random_state=s).fit(X, y) for s in (7, 7, 8)
    )
    for k in (0, 1):
        np.testing.assert_array_equal(one.residuals_[k], again.residuals_[k])
    np.testing.assert_array_equal(one.predict_interval(X, 1), again.predict_interval(X, 1))
    assert not np.array_equal(one.predict_interval(X, 1), other.predict_interval(X, 1))


def test_the_order_of_an_explicit_calibration_set_does_not_matter(parts, rng):
    train, (X_calibration, y_calibration), (X_test, y_test) = parts
    order = rng.permutation(len(y_calibration))
    one = fit_explicit(parts)
    other = fit_explicit((train, (X_calibration[order], y_calibration[order]), None))
    for k in (0, 1):
        np.testing.assert_allclose(one.residuals_[k], other.residuals_[k], rtol=1e-12, atol=1e-12)
    same_bands(one.evaluate(X_test, y_test), other.evaluate(X_test, y_test))


def test_the_order_of_the_test_rows_does_not_matter(parts, rng):
    model = fit_explicit(parts)
    X_test, y_test = parts[2]
    order = rng.permutation(len(y_test))
    same_bands(model.evaluate(X_test, y_test), model.evaluate(X_test[order], y_test[order]))


def test_fitting_leaves_the_given_estimator_and_the_given_data_alone(parts):
    estimator = LogisticRegression()
    before = [[a.copy() for a in part] for part in parts]
    model = fit_explicit(parts, estimator)
    model.evaluate(*parts[2]).band()
    assert not hasattr(estimator, "coef_")
    assert model.estimator is estimator
    for part, old in zip(parts, before, strict=True):
        for a, b in zip(part, old, strict=True):
            np.testing.assert_array_equal(a, b)


def test_sample_weights_reach_the_fit_of_the_estimator(rng):
    X, y, _ = logistic_sample(rng, 200)
    X_calibration, y_calibration, _ = logistic_sample(rng, 100)
    weights = rng.uniform(0.1, 3, size=200)
    model = ConformalROC(LogisticRegression())
    model.fit(X, y, X_calibration=X_calibration, y_calibration=y_calibration, sample_weight=weights)
    expected = LogisticRegression().fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(model.estimator_.coef_, expected.coef_)


def test_sample_weights_are_split_with_their_rows(rng):
    X, y, _ = logistic_sample(rng, 100)
    model = ConformalROC(Recorder(), random_state=0).fit(X, y, sample_weight=1 + X[:, 0] ** 2)
    np.testing.assert_array_equal(
        model.estimator_.seen_weight_, 1 + model.estimator_.seen_X_[:, 0] ** 2
    )


# References


def test_a_callable_reference_is_taken_as_the_true_probability(parts):
    def truth(X):
        return expit(0.3 + np.asarray(X, dtype=float) @ [1.0, -0.8, 0.5])

    model = fit_explicit(parts, reference=truth)
    X_calibration, y_calibration = parts[1]
    check_residuals(
        model,
        logit(truth(X_calibration)),
        model.estimator_.decision_function(X_calibration),
        y_calibration,
    )


@pytest.mark.parametrize("seen", [0.0, 1.0])
def test_a_reference_of_exactly_zero_or_one_is_clipped_at_two_to_the_minus_53_and_noted(
    parts, seen
):
    def sure(X):
        return np.where(np.asarray(X)[:, 0] > 1, seen, 0.5)

    model = fit_explicit(parts, reference=sure)
    X_calibration, y_calibration = parts[1]
    reference = [oracles.clipped_logit(p) for p in sure(X_calibration)]
    check_residuals(
        model, reference, model.estimator_.decision_function(X_calibration), y_calibration
    )
    count = str((X_calibration[:, 0] > 1).sum())
    assert any(count in note.split() for note in model.evaluate(*parts[2]).notes)


def test_the_cross_validated_bandwidth_is_that_of_the_training_part(parts):
    model = fit_explicit(parts, bandwidth="cv")
    (X, y), (X_calibration, y_calibration), _ = parts
    reference = kernel_logit(X, y, X_calibration, bandwidth="cv")
    check_residuals(
        model, reference, model.estimator_.decision_function(X_calibration), y_calibration
    )


def test_a_classifier_as_reference_is_trained_on_the_training_part(parts):
    model = fit_explicit(parts, reference=GaussianNB())
    (X, y), (X_calibration, y_calibration), _ = parts
    log_p = GaussianNB().fit(X, y).predict_log_proba(X_calibration)
    logits = model.estimator_.decision_function(X_calibration)
    check_residuals(model, log_p[:, 1] - log_p[:, 0], logits, y_calibration)


def test_the_score_reference_is_the_leave_one_out_kernel_over_the_calibration_part(parts):
    model = fit_explicit(parts, reference="score")
    X_calibration, y_calibration = parts[1]
    scores = model.estimator_.predict_proba(X_calibration)[:, 1]
    expected = oracles.residuals_from_scores(y_calibration.tolist(), scores.tolist())
    for k in (0, 1):
        np.testing.assert_allclose(model.residuals_[k], expected[k], rtol=1e-8, atol=1e-8)


def test_the_score_reference_says_what_the_scores_alone_say(parts):
    model = fit_explicit(parts, reference="score")
    X_calibration, y_calibration = parts[1]
    X_test, y_test = parts[2]
    score = model.estimator_.predict_proba
    alone = RocEvaluation.from_predictions(
        y_calibration, score(X_calibration)[:, 1], y_test, score(X_test)[:, 1]
    )
    evaluation = model.evaluate(X_test, y_test)
    same_bands(alone, evaluation)
    np.testing.assert_allclose(alone.intervals(0.1), evaluation.intervals(0.1), rtol=1e-8)


def test_a_reference_equal_to_the_classifier_gives_residuals_of_zero(parts):
    model = fit_explicit(parts, reference=LogisticRegression())
    for k in (0, 1):
        np.testing.assert_allclose(model.residuals_[k], 0, atol=1e-12)


# Classifiers of every kind


def test_logits_keep_their_precision_where_probabilities_would_be_one(rng):
    X, y, _ = logistic_sample(rng, 300)
    model = ConformalROC(KnownClassifier((60.0, 0.0, 0.0))).fit(
        X[:100], y[:100], X_calibration=X[100:], y_calibration=y[100:]
    )
    assert (model.estimator_.predict_proba(X[100:]) == 1).any()
    check_residuals(model, kernel_logit(X[:100], y[:100], X[100:]), 60 * X[100:, 0], y[100:])


def test_naive_bayes_keeps_its_precision_through_log_probabilities(rng):
    X, y, _ = logistic_sample(rng, 300)
    X = np.repeat(X, 40, axis=1) + 3 * y[:, None]
    model = ConformalROC(GaussianNB(), reference=lambda X: np.full(len(X), 0.5))
    model.fit(X[:100], y[:100], X_calibration=X[100:], y_calibration=y[100:])
    log_p = model.estimator_.predict_log_proba(X[100:])
    assert np.abs(log_p[:, 1] - log_p[:, 0]).max() > 100
    check_residuals(model, np.zeros(200), log_p[:, 1] - log_p[:, 0], y[100:])


def test_naive_bayes_keeps_its_precision_where_probabilities_come_near_one():
    # log odds in steps of 3/8 up to 60: from 20 on a probability has lost digits, from 37 on all of them
    X = np.linspace(-1, 1, 321)[:, None]
    y = (X[:, 0] > 0).astype(int)
    classifier = GaussianNB().fit([[-1.0], [-0.9], [0.9], [1.0]], [0, 0, 1, 1])
    classifier.var_[:] = 0.0317
    model = fit_explicit(
        [(X, y), (X, y)], FrozenEstimator(classifier), reference=lambda X: np.full(len(X), 0.5)
    )
    log_p = classifier.predict_log_proba(X)
    assert 55 < np.abs(log_p[:, 1] - log_p[:, 0]).max() < 65
    check_residuals(model, np.zeros(321), log_p[:, 1] - log_p[:, 0], y)


def test_the_auc_is_the_area_under_the_curve_as_drawn_where_probabilities_tie_at_one(rng):
    X, y, _ = logistic_sample(rng, 300)
    evaluation = fit_explicit([(X, y), (X, y)], KnownClassifier((60.0, 0.0, 0.0))).evaluate(X, y)
    band = evaluation.band()
    assert evaluation.auc()[0] == pytest.approx(area(band.fpr, band.tpr), abs=1e-12)
    assert evaluation.auc()[0] == pytest.approx(roc_auc_score(y, evaluation.scores), abs=1e-12)


@pytest.mark.parametrize(
    "estimator", [ForestLike((0.5, 0.0, 0.0)), RandomForestClassifier(20, random_state=0)]
)
def test_probabilities_of_exactly_zero_and_one_are_clipped_at_two_to_the_minus_53(rng, estimator):
    X, y, _ = logistic_sample(rng, 200)
    model = ConformalROC(estimator).fit(
        X[:100], y[:100], X_calibration=X[100:], y_calibration=y[100:]
    )
    p = model.estimator_.predict_proba(X[100:])[:, 1]
    assert {0.0, 1.0} & set(p)
    check_residuals(
        model,
        kernel_logit(X[:100], y[:100], X[100:]),
        [oracles.clipped_logit(v) for v in p],
        y[100:],
    )
    np.testing.assert_array_equal(
        model.evaluate(X, y).scores, model.estimator_.predict_proba(X)[:, 1]
    )


def test_a_classifier_with_only_a_decision_function_has_it_for_its_logit(rng):
    X, y, _ = logistic_sample(rng, 200)
    model = ConformalROC(DecisionOnly()).fit(
        X[:100], y[:100], X_calibration=X[100:], y_calibration=y[100:]
    )
    decision = model.estimator_.decision_function(X)
    check_residuals(model, kernel_logit(X[:100], y[:100], X[100:]), decision[100:], y[100:])
    np.testing.assert_allclose(model.evaluate(X, y).scores, expit(decision), rtol=1e-14)


def test_a_frozen_classifier_is_used_as_it_is(parts):
    (X, y), (X_calibration, y_calibration), (X_test, y_test) = parts
    classifier = LogisticRegression(C=0.1).fit(X_test, y_test)
    model = fit_explicit(parts, FrozenEstimator(classifier))
    check_residuals(
        model,
        kernel_logit(X, y, X_calibration),
        classifier.decision_function(X_calibration),
        y_calibration,
    )
    evaluation = model.evaluate(X_calibration, y_calibration)
    np.testing.assert_array_equal(evaluation.scores, classifier.predict_proba(X_calibration)[:, 1])


def test_a_pipeline_is_a_classifier_like_any_other(parts):
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    model = fit_explicit(parts, pipeline)
    (X, y), (X_calibration, y_calibration), _ = parts
    check_residuals(
        model,
        kernel_logit(X, y, X_calibration),
        clone(pipeline).fit(X, y).decision_function(X_calibration),
        y_calibration,
    )


def test_a_pipeline_may_pick_columns_by_name(rng):
    X, y, _ = logistic_sample(rng, 300)
    frame = pd.DataFrame(X, columns=["age", "dose", "marker"])
    pick = ColumnTransformer([("kept", StandardScaler(), ["dose", "age"])])
    model = ConformalROC(make_pipeline(pick, LogisticRegression()), random_state=0).fit(frame, y)
    bare = ConformalROC(make_pipeline(StandardScaler(), LogisticRegression()), random_state=0)
    expected = bare.fit(X[:, [1, 0]], y).estimator_.predict_proba(X[:, [1, 0]])[:, 1]
    np.testing.assert_allclose(model.evaluate(frame, y).scores, expected, rtol=1e-9)


# Input as people hold it


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


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_are_split_like_arrays(rng, frame):
    X, y, _ = logistic_sample(rng, 100)
    names = {"schema": ["a", "b", "c"]} if frame is pl.DataFrame else {"columns": ["a", "b", "c"]}
    plain = ConformalROC(LogisticRegression(), random_state=1).fit(X, y)
    model = ConformalROC(LogisticRegression(), random_state=1).fit(frame(X, **names), y)
    for k in (0, 1):
        np.testing.assert_allclose(model.residuals_[k], plain.residuals_[k], **EXACT)


# A scikit-learn estimator


def test_parameters_are_those_of_the_documentation_and_clone_keeps_them():
    defaults = {
        "reference": "kernel",
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
    changed = ConformalROC(
        LogisticRegression(C=3), bandwidth=0.4, quantile_rule="split", random_state=4
    )
    copied = clone(changed)
    assert copied.get_params()["estimator__C"] == 3
    assert (copied.bandwidth, copied.quantile_rule, copied.random_state) == (0.4, "split", 4)
    assert changed.set_params(estimator__C=5, bandwidth="scott") is changed
    assert (changed.estimator.C, changed.bandwidth) == (5, "scott")


def test_a_fitted_model_can_be_cloned_and_fitted_again_to_the_same_bits(rng):
    X, y, _ = logistic_sample(rng, 200)
    model = ConformalROC(LogisticRegression(), random_state=5).fit(X, y)
    again = clone(model)
    assert not hasattr(again, "residuals_")
    np.testing.assert_array_equal(
        again.fit(X, y).predict_interval(X, 0), model.predict_interval(X, 0)
    )


def test_fitting_again_forgets_the_first_fit(parts):
    model = fit_explicit(parts)
    (X, y), (X_calibration, y_calibration), _ = parts
    model.fit(X[:, :2], y, X_calibration=X_calibration[:, :2], y_calibration=y_calibration)
    fresh = fit_explicit([(X[:, :2], y) for X, y in parts])
    np.testing.assert_array_equal(
        model.predict_interval(X[:, :2], 1), fresh.predict_interval(X[:, :2], 1)
    )


@pytest.mark.parametrize(
    "transport",
    [copy.copy, copy.deepcopy, lambda o: pickle.loads(pickle.dumps(o))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_copies_and_pickles_of_a_fitted_model_say_the_same(parts, transport):
    model = fit_explicit(parts)
    again = transport(model)
    np.testing.assert_array_equal(
        again.predict_interval(parts[2][0], 1), model.predict_interval(parts[2][0], 1)
    )
    same_bands(transport(model.evaluate(*parts[2])), model.evaluate(*parts[2]))


def test_the_quantile_rule_reaches_the_intervals(parts):
    model = fit_explicit(parts, quantile_rule="split")
    logits = model.estimator_.decision_function(parts[2][0])
    q = oracles.conformal_quantiles(model.residuals_[0].tolist(), 0.1, "split")
    expected = [oracles.interval(v, q) for v in logits]
    np.testing.assert_allclose(
        np.column_stack(model.predict_interval(parts[2][0], 0, 0.1)), expected, **EXACT
    )
    assert model.evaluate(*parts[2]).band(0.1).guaranteed[0] == guaranteed_coverage(
        model.n_calibration_[0], 0.1, "split"
    )


# What the theorems promise, by simulation


def oracle_model(rng, n, rule="paper"):
    """n calibration points per label, the true pi as reference (Proposition 2.1); every residual is x itself."""
    y = np.repeat([0, 1], n)
    X = np.concatenate([triangular_sample(rng, k, n) for k in (0, 1)])[:, None]
    model = ConformalROC(
        FrozenEstimator(KnownClassifier().fit(X, y)),
        reference=lambda x: expit(2 * x[:, 0]),
        quantile_rule=rule,
    )
    return model.fit(X[[0, -1]], y[[0, -1]], X_calibration=X, y_calibration=y)


def test_the_oracles_residuals_are_the_points_themselves(rng):
    model = oracle_model(rng, 30)
    for k in (0, 1):
        assert model.n_calibration_[k] == 30
        q = oracles.conformal_quantiles(model.residuals_[k].tolist(), 0.2)
        np.testing.assert_allclose(
            np.ravel(model.predict_interval([[0.0]], k, 0.2)), oracles.interval(0.0, q), **EXACT
        )
    x = np.linspace(-1, 1, 9)
    np.testing.assert_allclose(triangular_cdf(x, 1) + triangular_cdf(-x, 0), 1, atol=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["paper", "split"])
@pytest.mark.parametrize("n", [5, 19, 40, 79, 200, 1000])
def test_oracle_intervals_cover_at_finite_n_as_guaranteed_and_a_rank_amiss_would_show(n, rule):
    # given the calibration set the coverage is F(q_up) - F(q_lo), known in closed form: only calibration sets vary
    alphas = (0.01, 0.05, 0.1, 0.2, 0.5)
    rng = np.random.default_rng([n, rule == "split"])
    replicates = int(np.clip(16 * (n + 1), 400, 9000))
    coverage = np.empty((replicates, len(alphas), 2))
    for row in coverage:
        model = oracle_model(rng, n, rule)
        for i, alpha in enumerate(alphas):
            for k in (0, 1):
                lower, upper = logit(np.ravel(model.predict_interval(np.zeros((1, 1)), k, alpha)))
                row[i, k] = triangular_cdf(upper, k) - triangular_cdf(lower, k)
    # both labels estimate the same number
    mean = coverage.mean(axis=(0, 2))
    error = coverage.mean(axis=2).std(axis=0, ddof=1) / np.sqrt(replicates)
    expected = np.array([guaranteed_coverage(n, alpha, rule) for alpha in alphas])
    assert (expected >= 1 - np.array(alphas)).all()
    assert (np.abs(mean - expected) <= 3.9 * error + 1e-12).all(), (mean, expected, error)
    assert (error * 7.8 <= 1 / (n + 1)).all(), "a mistake of one rank would not be seen"


@pytest.mark.slow
def test_the_true_probability_of_new_points_lies_in_their_intervals_as_often_as_promised():
    rng = np.random.default_rng(11)
    inside = {0: [], 1: []}
    for _ in range(1500):
        model = oracle_model(rng, 79)
        for k in (0, 1):
            X = triangular_sample(rng, k, 100)[:, None]
            lower, upper = model.predict_interval(X, k, 0.05)
            truth = expit(2 * X[:, 0])
            inside[k].append(np.mean((lower <= truth) & (truth <= upper)))
    for k in (0, 1):
        error = np.std(inside[k], ddof=1) / np.sqrt(1500)
        assert abs(np.mean(inside[k]) - 77 / 80) <= 4 * error
        assert error < 1 / 80 / 10


def oracle_curve(truth, y, k, thresholds):
    """TPR^(o) (k = 1) or FPR^(o) (k = 0) of section 2.1, from the true pi of the test points."""
    return np.array([np.mean(truth[y == k] >= t) for t in thresholds])


def band_and_truth(rng, n, n_test, reference="oracle", alpha=0.05):
    """One replicate of theorem 3.2: a classifier that misses a feature, and the band at every pi(x_s) of its test set."""
    beta = (1.0, 1.0, 1.0)
    X, y, _ = logistic_sample(rng, n, beta)
    X_test, y_test, truth = logistic_sample(rng, n_test, beta)
    seen = make_pipeline(ColumnTransformer([("two", "passthrough", [0, 1])]), LogisticRegression())
    pi = (lambda x: expit(0.3 + x @ np.array(beta))) if reference == "oracle" else reference
    model = ConformalROC(seen, reference=pi, random_state=int(rng.integers(2**31))).fit(X, y)
    pi_test = expit(truth)
    band = model.evaluate(X_test, y_test).band(alpha, thresholds=np.sort(pi_test)[::-1])
    at = np.searchsorted(-band.thresholds, -pi_test)
    return band, pi_test, y_test, at


@pytest.mark.slow
@pytest.mark.parametrize(("n", "alpha"), [(200, 0.05), (400, 0.1), (1000, 0.05), (1000, 0.2)])
def test_theorem_3_2_at_a_random_jump_the_band_covers_the_oracle_curve(n, alpha):
    rng = np.random.default_rng(n)
    covered = {0: [], 1: []}
    for _ in range(150):
        band, pi, y, at = band_and_truth(rng, n, 120, alpha=alpha)
        for k, lower, upper in (
            (0, band.fpr_lower, band.fpr_upper),
            (1, band.tpr_lower, band.tpr_upper),
        ):
            truth = oracle_curve(pi, y, k, band.thresholds)
            inside = (lower <= truth) & (truth <= upper)
            covered[k].append(inside[at[y == k]].mean())
    for k in (0, 1):
        error = np.std(covered[k], ddof=1) / np.sqrt(len(covered[k]))
        assert np.mean(covered[k]) - 3 * error >= 1 - alpha
        assert np.mean(covered[k]) > 0.97


@pytest.mark.slow
def test_simultaneous_coverage_of_the_whole_oracle_curve_is_not_promised_and_not_kept():
    rng = np.random.default_rng(5)
    whole = []
    for _ in range(150):
        band, pi, y, _ = band_and_truth(rng, 400, 120, alpha=0.2)
        truth = oracle_curve(pi, y, 1, band.thresholds)
        whole.append(((band.tpr_lower <= truth) & (truth <= band.tpr_upper)).all())
    assert np.mean(whole) < 0.8 - 3 * 0.4 / np.sqrt(150)


@pytest.mark.slow
def test_with_the_kernel_reference_and_a_well_specified_classifier_the_curve_itself_lies_inside_its_band():
    rng = np.random.default_rng(6)
    inside = []
    for _ in range(60):
        band, _, _, _ = band_and_truth(rng, 1000, 200, reference="kernel")
        inside.append(np.mean((band.tpr_lower <= band.tpr) & (band.tpr <= band.tpr_upper)))
    assert np.mean(inside) > 0.99
