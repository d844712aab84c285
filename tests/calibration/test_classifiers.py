"""Probabilities and logits of classifiers of every kind."""

import numpy as np
import oracles
import pandas as pd
import pytest
from data import (
    DecisionOnly,
    ForestLike,
    KnownClassifier,
    check_residuals,
    fit_explicit,
    logistic_sample,
)
from scipy.special import expit, logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier, StackingClassifier, VotingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.metrics import auc as area
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from conformal_roc_widget import ConformalROC, RocEvaluation, kernel_logit
from conformal_roc_widget.evaluation.from_classifier import own_evaluations
from conformal_roc_widget.evaluation.notes import NO_RISKS
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.shown.controls import VIEWS, Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.words import words


@pytest.fixture
def parts(rng):
    return [logistic_sample(rng, n)[:2] for n in (120, 161, 40)]


def test_logits_keep_their_precision_where_probabilities_would_be_one(rng):
    X, y, _ = logistic_sample(rng, 300)
    model = ConformalROC(KnownClassifier((60.0, 0.0, 0.0)), reference="kernel").fit(
        X[:100], y[:100], X_calibration=X[100:], y_calibration=y[100:]
    )
    assert (model.estimator_.predict_proba(X[100:]) == 1).any()
    check_residuals(model, kernel_logit(X[:100], y[:100], X[100:]), 60 * X[100:, 0], y[100:])


def test_naive_bayes_keeps_its_precision_where_probabilities_come_near_one():
    # log odds in steps of 3/8 up to 60: above 20 a probability has lost digits, above 37 all of
    # them
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
    assert evaluation.ideal_auc_range()[0] == pytest.approx(area(band.fpr, band.tpr), abs=1e-12)
    assert evaluation.ideal_auc_range()[0] == pytest.approx(
        roc_auc_score(y, evaluation.scores), abs=1e-12
    )


@pytest.mark.parametrize(
    "estimator", [ForestLike((0.5, 0.0, 0.0)), RandomForestClassifier(20, random_state=0)]
)
def test_probabilities_of_exactly_zero_and_one_are_clipped_at_two_to_the_minus_53(rng, estimator):
    X, y, _ = logistic_sample(rng, 200)
    model = ConformalROC(estimator, reference="kernel").fit(
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
    model = ConformalROC(DecisionOnly(), reference="kernel").fit(
        X[:100], y[:100], X_calibration=X[100:], y_calibration=y[100:]
    )
    decision = model.estimator_.decision_function(X)
    check_residuals(model, kernel_logit(X[:100], y[:100], X[100:]), decision[100:], y[100:])
    np.testing.assert_allclose(model.evaluate(X, y).scores, expit(decision), rtol=1e-14)


def test_a_stack_with_its_own_last_model_goes_in_before_it_is_fitted(rng):
    X, y, _ = logistic_sample(rng, 200)
    stack = StackingClassifier([("bayes", GaussianNB())], cv=2)
    for estimator in (
        stack,
        make_pipeline(StandardScaler(), stack),
        GridSearchCV(stack, {"cv": [2]}, cv=2),
    ):
        model = ConformalROC(estimator, random_state=0).fit(X[:150], y[:150])
        scores = model.estimator_.predict_proba(X[150:])[:, 1]
        np.testing.assert_array_equal(model.evaluate(X[150:], y[150:]).scores, scores)
    with pytest.raises(TypeError, match="found StackingClassifier with neither predict_proba"):
        ConformalROC(clone(stack).set_params(final_estimator=VotingClassifier([]))).fit(X, y)


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


def test_a_pipeline_may_pick_columns_by_name(rng):
    X, y, _ = logistic_sample(rng, 300)
    frame = pd.DataFrame(X, columns=["age", "dose", "marker"])
    pick = ColumnTransformer([("kept", StandardScaler(), ["dose", "age"])])
    model = ConformalROC(make_pipeline(pick, LogisticRegression()), random_state=0).fit(frame, y)
    bare = ConformalROC(make_pipeline(StandardScaler(), LogisticRegression()), random_state=0)
    expected = bare.fit(X[:, [1, 0]], y).estimator_.predict_proba(X[:, [1, 0]])[:, 1]
    np.testing.assert_allclose(model.evaluate(frame, y).scores, expected, rtol=1e-9)


THREE = load_iris(return_X_y=True)


def three_parts(seed=0):
    order = np.random.default_rng(seed).permutation(150)
    X, y = THREE[0][order], THREE[1][order]
    return (X[:90], y[:90]), (X[90:], y[90:])


class Votes(ClassifierMixin, BaseEstimator):
    """A one-vs-one classifier without a parameter that says so."""

    def fit(self, X, y):
        self.svc_ = SVC(decision_function_shape="ovo").fit(X, y)
        self.classes_ = self.svc_.classes_
        return self

    def decision_function(self, X):
        return self.svc_.decision_function(X)

    def predict(self, X):
        return self.svc_.predict(X)


@pytest.mark.parametrize(
    "estimator",
    [
        SVC(decision_function_shape="ovo"),
        make_pipeline(StandardScaler(), SVC(decision_function_shape="ovo")),
        Votes(),
    ],
)
def test_votes_of_three_pairs_are_no_scores_of_three_classes(estimator):
    train, test = three_parts()
    with pytest.raises(ValueError, match="votes of one class against another"):
        ConformalROC(estimator, random_state=0).fit(*train).evaluate_all(*test)


@pytest.mark.parametrize("estimator", [SVC(), LinearSVC(), RidgeClassifier()])
def test_a_decision_value_per_class_ranks_as_the_class_against_the_others(estimator):
    train, test = three_parts()
    model = ConformalROC(estimator, random_state=0).fit(*train)
    for label, evaluation in model.evaluate_all(*test).items():
        values = model.estimator_.decision_function(test[0])
        odds = values[:, label] - logsumexp(np.delete(values, label, axis=1), axis=1)
        assert evaluation.observed_auc == pytest.approx(roc_auc_score(test[1] == label, odds))


@pytest.mark.parametrize("estimator", [LinearSVC(), RidgeClassifier(), SGDClassifier(loss="hinge")])
def test_margins_are_told_and_probabilities_are_not(rng, estimator):
    (X, y, _), (X_test, y_test, _) = (logistic_sample(rng, n) for n in (200, 60))
    evaluation = ConformalROC(estimator, random_state=0).fit(X, y).evaluate(X_test, y_test)
    name = type(estimator).__name__
    (note,) = [note for note in evaluation.notes if "margins" in note]
    assert note.startswith(f"{name} gives margins and no probabilities")
    assert "net benefit" in note
    sure = CalibratedClassifierCV(estimator, cv=3)
    calibrated = ConformalROC(sure, random_state=0).fit(X, y).evaluate(X_test, y_test)
    assert not any("margins" in note for note in calibrated.notes)


def every_door(estimator, X, y):
    """Evaluations of a classifier through every function that computes its scores."""
    fitted, parts = clone(estimator).fit(X[:200], y[:200]), (X[200:], y[200:])
    model = ConformalROC(FrozenEstimator(fitted), reference="score", random_state=0).fit(*parts)
    options = {"return_estimator": True, "return_indices": True, "cv": 3}
    folds = RocEvaluation.from_cv_results(cross_validate(estimator, X, y, **options), X, y)
    yield own_evaluations(fitted, *parts)
    yield model.evaluate(X[:150], y[:150])
    yield model.evaluate(X[:150], y[:150], guarantee="simultaneous")
    yield folds[0]


def test_views_that_speak_of_risk_say_that_margins_are_none(rng):
    X, y, _ = logistic_sample(rng, 400)
    said = (words("answer.margins"), words("answer.no_risks"))
    for estimator, none in ((LinearSVC(), True), (LogisticRegression(), False)):
        for evaluation in every_door(estimator, X, y):
            notes = [
                note for note in evaluation.notes if note.startswith("LinearSVC gives margins")
            ]
            assert len(notes) == none
            assert (NO_RISKS in evaluation.reliability().notes) == none
            assert (evaluation.net_benefit().notes == (NO_RISKS,)) == none
            for view in VIEWS:
                scene = scene_of(Group.of(evaluation), Controls(view=view))
                told = any(each in scene.description for each in said)
                # The verdict on the ROC curve agrees, if the limits are informative.
                assert told == none or (none and view in ("roc", "precision_recall"))


def told_of_seen(evaluation):
    return [note for note in evaluation.notes if "was trained on" in note]


def test_rows_that_trained_are_counted(rng):
    X, y, _ = logistic_sample(rng, 300)
    X_ca, y_ca, _ = logistic_sample(rng, 200)
    X_new, y_new, _ = logistic_sample(rng, 100)
    model = ConformalROC(LogisticRegression(), random_state=0)
    model.fit(X, y, X_calibration=X_ca, y_calibration=y_ca)
    assert told_of_seen(model.evaluate(X_new, y_new)) == []
    (note,) = told_of_seen(model.evaluate(X, y))
    assert note.startswith("300 of the 300 test rows are rows that the classifier was trained on")
    mixed = np.r_[X_new, X[:40]], np.r_[y_new, y[:40]]
    (note,) = told_of_seen(model.evaluate(*mixed))
    assert note.startswith("40 of the 140 test rows")
    model.fit(X, y, X_calibration=X, y_calibration=y)
    (note,) = told_of_seen(model.evaluate(X_new, y_new))
    assert note.startswith("300 of the 300 calibration rows")
    frozen = ConformalROC(FrozenEstimator(LogisticRegression().fit(X_new, y_new)))
    frozen.fit(X, y, X_calibration=X_ca, y_calibration=y_ca)
    assert told_of_seen(frozen.evaluate(X, y)) == []
    cross = ConformalROC(LogisticRegression(), calibration="cross", random_state=0).fit(X, y)
    assert told_of_seen(cross.evaluate(X_new, y_new)) == []


def test_equal_rows_of_few_values_are_no_sign_of_training(rng):
    X = rng.integers(0, 2, (400, 3)).astype(float)
    y = (rng.random(400) < 0.3 + 0.4 * X[:, 0]).astype(int)
    X_new = rng.integers(0, 2, (200, 3)).astype(float)
    y_new = (rng.random(200) < 0.3 + 0.4 * X_new[:, 0]).astype(int)
    noisy = ConformalROC(LogisticRegression(), reference="kernel", random_state=0).fit(X, y)
    assert told_of_seen(noisy.evaluate(X_new, y_new)) == []
