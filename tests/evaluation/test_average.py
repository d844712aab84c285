"""Algorithm 3 and the average over labels."""

from functools import reduce
from operator import add

import numpy as np
import oracles
import pytest
from cases import CASES
from data import assert_same_curves, fit_explicit, three_classes
from scipy.special import logit
from sklearn.datasets import load_digits, load_wine
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from conformal_roc_widget import (
    ConformalBand,
    ConformalROC,
    RocEvaluation,
    average_bands,
    guaranteed_coverage,
)
from conformal_roc_widget.evaluation.average import class_shares

EXACT = {"rtol": 1e-8, "atol": 1e-8}
NAMES = np.array(["ash", "beech", "cedar"])


@pytest.fixture
def parts(rng):
    return [three_classes(rng, n) for n in (90, 150, 60)]


def one_against_rest(y, label):
    return [int(v == label) for v in y]


def expected_residuals(model, parts, label, bandwidth="silverman"):
    """Algorithm 3, line 3: residuals of the other labels and of the label itself, for pi_label."""
    (X, y), (X_calibration, y_calibration), _ = parts
    reference = oracles.kernel_logit(
        X.tolist(), one_against_rest(y, label), X_calibration.tolist(), bandwidth
    )
    column = model.classes_.tolist().index(label)
    logits = logit(model.estimator_.predict_proba(X_calibration)[:, column])
    return oracles.split_residuals(reference, logits, one_against_rest(y_calibration, label))


@pytest.mark.parametrize(
    "names", [np.arange(3), NAMES, np.array([-5, 0, 12])], ids=["0 to 2", "words", "numbers"]
)
def test_residuals_and_intervals_follow_algorithm_3(parts, names):
    parts = [(X, names[y]) for X, y in parts]
    model = fit_explicit(parts)
    assert model.classes_.tolist() == names.tolist()
    X_test = parts[2][0]
    for column, label in enumerate(names.tolist()):
        residuals = expected_residuals(model, parts, label)
        centres = logit(model.estimator_.predict_proba(X_test)[:, column])
        for k in (0, 1):
            np.testing.assert_allclose(model.residuals_[label][k], residuals[k], **EXACT)
            assert model.n_calibration_[label][k] == len(residuals[k])
            q = oracles.conformal_quantiles(residuals[k], 0.2)
            found = model.predict_interval(X_test, label, 0.2, given=bool(k))
            np.testing.assert_allclose(
                np.column_stack(found), [oracles.interval(c, q) for c in centres], **EXACT
            )
        np.testing.assert_array_equal(
            model.predict_interval(X_test, label, 0.2),
            model.predict_interval(X_test, label, 0.2, given=True),
        )


@pytest.mark.parametrize("names", [np.arange(3), NAMES], ids=["numbers", "words"])
def test_each_label_has_the_evaluation_of_its_one_against_the_rest(parts, names):
    parts = [(X, names[y]) for X, y in parts]
    model = fit_explicit(parts)
    X_test, y_test = parts[2]
    everything = model.evaluate_all(X_test, y_test)
    assert list(everything) == names.tolist()
    for column, label in enumerate(names.tolist()):
        evaluation = model.evaluate(X_test, y_test, label=label)
        assert isinstance(evaluation, RocEvaluation)
        truth = y_test == label
        scores = model.estimator_.predict_proba(X_test)[:, column]
        np.testing.assert_array_equal(evaluation.labels, truth.astype(int))
        np.testing.assert_allclose(evaluation.scores, scores, rtol=1e-12)
        for k in (0, 1):
            np.testing.assert_array_equal(evaluation.residuals[k], model.residuals_[label][k])
            assert evaluation.n_calibration[k] == model.n_calibration_[label][k]
        own, rest = (
            model.predict_interval(X_test, label, 0.1),
            model.predict_interval(X_test, label, 0.1, given=False),
        )
        np.testing.assert_allclose(
            evaluation.intervals(0.1), np.where(truth, own, rest), rtol=1e-12
        )
        assert_same_curves(everything[label].band(0.1), evaluation.band(0.1))


def test_two_classes_may_be_asked_for_by_label_as_well(rng):
    X, y = three_classes(rng, 120)
    y = y > 0
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X, y)
    assert_same_curves(model.evaluate(X, y).band(), model.evaluate(X, y, label=True).band())


def test_logits_of_a_softmax_keep_their_precision_where_probabilities_would_be_one(parts):
    classifier = LogisticRegression().fit(*parts[0])
    classifier.coef_ = 100 * classifier.coef_
    model = fit_explicit(parts, FrozenEstimator(classifier))
    (X, y), (X_calibration, y_calibration), _ = parts
    scores = model.estimator_.decision_function(X_calibration)
    assert (model.estimator_.predict_proba(X_calibration).max(axis=1) == 1).any()
    for label in range(3):
        rest = [
            oracles.log_sum_exp([v for j, v in enumerate(row) if j != label])
            for row in scores.tolist()
        ]
        logits = [row[label] - r for row, r in zip(scores.tolist(), rest, strict=True)]
        reference = oracles.kernel_logit(
            X.tolist(), one_against_rest(y, label), X_calibration.tolist()
        )
        expected = oracles.split_residuals(
            reference, logits, one_against_rest(y_calibration, label)
        )
        for k in (0, 1):
            np.testing.assert_allclose(
                model.residuals_[label][k], expected[k], rtol=1e-8, atol=1e-6
            )


def test_several_classes_go_with_neighbourhoods(parts):
    (X, _), (X_calibration, y_calibration), (X_test, y_test) = parts
    model = fit_explicit(parts, neighbors=50)
    measure = oracles.standardized_distance(X.tolist())
    for label in range(3):
        reference = oracles.kernel_logit(
            X.tolist(), one_against_rest(parts[0][1], label), X_calibration.tolist()
        )
        residuals = np.array(reference) - logit(
            model.estimator_.predict_proba(X_calibration)[:, label]
        )
        own = one_against_rest(y_calibration, label)
        centres = logit(model.estimator_.predict_proba(X_test)[:, label])
        expected = []
        for x, centre, y in zip(X_test, centres, y_test, strict=True):
            members = oracles.neighbourhood([measure(x, z) for z in X_calibration], 50)
            q = oracles.localized_quantiles(residuals.tolist(), own, members, int(y == label), 0.3)
            expected.append(oracles.interval(centre, q))
        found = model.evaluate(X_test, y_test, label=label).intervals(0.3)
        np.testing.assert_allclose(np.column_stack(found), expected, **EXACT)


# Averages


def weights_by_size(evaluations):
    sizes = {name: int(e.labels.sum()) for name, e in evaluations.items()}
    return {name: size / sum(sizes.values()) for name, size in sizes.items()}


GIVEN = {0: 0.5, 1: 0.125, 2: 0.375}


@pytest.mark.parametrize("weights", ["size", "uniform", GIVEN], ids=["size", "uniform", "given"])
@pytest.mark.parametrize(
    "grid", [None, [0.0, 0.1, 0.125, 0.5, 1.0]], ids=["default grid", "given grid"]
)
def test_bands_are_averaged_at_fixed_false_positive_rate(parts, weights, grid):
    evaluations = fit_explicit(parts).evaluate_all(*parts[2])
    asked = {} if weights == "size" else {"weights": weights}  # the default weighting
    average = average_bands(evaluations, 0.1, grid=grid, **asked)
    assert isinstance(average, ConformalBand)
    expected_grid = np.linspace(0, 1, 1001) if grid is None else np.array(grid)
    for name in ("fpr", "fpr_lower", "fpr_upper"):
        np.testing.assert_array_equal(getattr(average, name), expected_grid)
    assert np.isnan(average.thresholds).all()
    assert average.thresholds.shape == expected_grid.shape
    assert average.alpha == 0.1
    chosen = {"size": weights_by_size(evaluations), "uniform": dict.fromkeys(range(3), 1 / 3)}.get(
        weights if isinstance(weights, str) else None, GIVEN
    )
    bands = {label: evaluation.band(0.1) for label, evaluation in evaluations.items()}
    expected = np.array(oracles.averaged(bands, chosen, expected_grid.tolist()))
    for i, name in enumerate(("tpr", "tpr_lower", "tpr_upper")):
        np.testing.assert_allclose(getattr(average, name), expected[:, i], rtol=1e-12, atol=1e-15)


def test_an_average_by_hand():
    # label "a": negatives at 0.25, 0.75 and positives at 0.5, 0.9; label "b": the reverse
    calibration = np.resize([0, 1], 40), np.linspace(0.05, 0.95, 40)
    a = RocEvaluation.from_predictions(*calibration, [0, 0, 1, 1], [0.25, 0.75, 0.5, 0.9])
    b = RocEvaluation.from_predictions(*calibration, [0, 0, 1, 1], [0.5, 0.9, 0.25, 0.75])
    average = average_bands(
        {"a": a, "b": b}, 0.2, weights={"a": 0.75, "b": 0.25}, grid=[0.0, 0.49, 0.5, 0.99, 1.0]
    )
    # a: TPR is 1/2 below FPR 1/2, then 1; b: TPR is 0 below 1/2, then 1/2, and 1 at FPR 1
    assert average.tpr.tolist() == [0.375, 0.375, 0.875, 0.875, 1.0]


def test_what_is_one_of_every_class_is_one_on_average():
    """The shares 19/30, 8/30 and 3/30 add up to less than 1 in floats."""
    share = class_shares(CASES["three classes"].make(), "size")
    assert reduce(add, share.values()) < 1  # newer Pythons' sum() compensates the rounding
    band = average_bands(CASES["three classes"].make(), 0.04)
    assert (band.tpr_lower == 0).all()
    assert (band.tpr_upper[1:] == 1).all()
    assert band.tpr[-1] == 1


def test_an_average_says_that_it_has_no_guarantee_and_which_labels_are_rare(rng):
    X, y = three_classes(rng, 300, sizes=(0.6, 0.37, 0.03))
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X, y)
    average = average_bands(model.evaluate_all(X, y), 0.1)
    assert average.guarantee.startswith("none")
    assert average.quantiles is None
    (note,) = average.notes
    assert note.startswith("Class 2 is rare")


def test_weights_may_miss_one_by_rounding_only(parts):
    evaluations = fit_explicit(parts).evaluate_all(*parts[2])
    average_bands(evaluations, 0.1, weights={0: 1 / 3, 1: 1 / 3, 2: 1 / 3 + 9e-10})
    with pytest.raises(ValueError, match="weights"):
        average_bands(evaluations, 0.1, weights={0: 1 / 3, 1: 1 / 3, 2: 1 / 3 + 2e-9})


# Real data


@pytest.mark.parametrize(("load", "n_classes"), [(load_digits, 10), (load_wine, 3)])
def test_the_method_runs_on_scikit_learns_data_of_several_classes(load, n_classes):
    X, y = load(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    train, test = order[: 2 * len(y) // 3], order[2 * len(y) // 3 :]
    estimator = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    model = ConformalROC(estimator, reference="score", random_state=0).fit(X[train], y[train])
    evaluations = model.evaluate_all(X[test], y[test])
    assert list(evaluations) == list(range(n_classes))
    for label, evaluation in evaluations.items():
        band = evaluation.band(0.1)
        assert band.n_calibration == {
            0: len(train) // 2 - model.n_calibration_[label][1],
            1: model.n_calibration_[label][1],
        }
        for k in (0, 1):
            assert band.guaranteed[k] == guaranteed_coverage(band.n_calibration[k], 0.1)
        assert evaluation.ideal_auc_range(0.1)[0] == pytest.approx(
            roc_auc_score(y[test] == label, model.estimator_.predict_proba(X[test])[:, label]),
            abs=1e-12,
        )
    average = average_bands(evaluations, 0.1)
    assert (np.diff(average.tpr) >= 0).all()
    assert (average.tpr_lower <= average.tpr_upper).all()
