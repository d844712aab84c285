"""Cross-fitting: all points calibrate, each with a refit that was not trained on it."""

import numpy as np
import oracles
import pandas as pd
import pytest
from data import logistic_sample, three_classes
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB

from conformal_roc_widget import ConformalROC
from conformal_roc_widget.calibration.references.learned import learned_draws
from conformal_roc_widget.calibration.references.posterior import sharp_residuals


def crossed(estimator=None, **options):
    estimator = LogisticRegression() if estimator is None else estimator
    return ConformalROC(estimator, calibration="cross", random_state=0, **options)


def folds_of(model):
    seed = int(model._calibration.splits.split_seed.generate_state(1)[0] >> 1)
    return StratifiedKFold(5, shuffle=True, random_state=seed)


def test_the_kernels_residuals_are_out_of_fold_logits_less_leave_one_out_estimates(rng):
    X, y, _ = logistic_sample(rng, 60)
    model = crossed(reference="kernel").fit(X, y)
    scores = cross_val_predict(
        LogisticRegression(), X, y, cv=folds_of(model), method="decision_function"
    )
    rows, labels = X.tolist(), y.tolist()
    estimates = [
        oracles.kernel_logit(rows[:i] + rows[i + 1 :], labels[:i] + labels[i + 1 :], [x])[0]
        for i, x in enumerate(rows)
    ]
    # The bandwidth comes from all points, the estimate from the other folds.
    np.testing.assert_allclose(
        model.splits_[0].residuals[:, 1], np.array(estimates) - scores, atol=0.2
    )
    exact = model.splits_[0].kernel.logits()[:, 1] - scores
    np.testing.assert_allclose(model.splits_[0].residuals[:, 1], exact, atol=1e-9)


def test_the_classifier_that_is_evaluated_has_trained_on_all_points(rng):
    X, y, _ = logistic_sample(rng, 80)
    model = crossed().fit(X, y)
    wanted = LogisticRegression().fit(X, y)
    np.testing.assert_allclose(model.estimator_.coef_, wanted.coef_)
    assert sum(model.n_calibration_.values()) == 80


def test_a_second_classifier_is_refitted_with_the_first(rng):
    X, y, _ = logistic_sample(rng, 80)
    model = crossed(reference=GaussianNB()).fit(X, y)
    folds = folds_of(model)
    second = cross_val_predict(GaussianNB(), X, y, cv=folds, method="predict_log_proba")
    first = cross_val_predict(LogisticRegression(), X, y, cv=folds, method="decision_function")
    np.testing.assert_allclose(
        model.splits_[0].residuals[:, 1], second[:, 1] - second[:, 0] - first, atol=1e-9
    )


def test_posteriors_see_every_point_once(rng):
    X, y, _ = logistic_sample(rng, 90)
    model = crossed(reference="learned").fit(X, y)
    (split,) = model.splits_
    draws = learned_draws(
        X, y, int(model._calibration.splits.split_seed.generate_state(1)[0] >> 1)
    ).draws
    for k in (0, 1):
        own = y == k
        wanted = sharp_residuals(draws[own], split.class_logits[own, 1])
        np.testing.assert_allclose(model.residuals_[k], np.sort(wanted), atol=1e-9)
    assert split.reference.all_draws(1).shape == (90, 300)
    for reference in ("kernel", "sharp"):
        (split,) = crossed(reference=reference).fit(X, y).splits_
        assert split.reference.draws(1).shape == (90, 100)
        evaluation = crossed(reference=reference).fit(X, y).evaluate(X, y, guarantee="curve")
        assert np.isfinite(evaluation.band(0.1).tpr_lower).all()


@pytest.mark.parametrize("reference", ["kernel", "score", "sharp", "learned", "oracle"])
def test_every_reference_and_several_classes(rng, reference, one_learner):
    def oracle(X):
        return np.full((len(X), 3), 1 / 3)

    X, y = three_classes(rng, 150)
    X = pd.DataFrame(X).add_prefix("x")
    model = crossed(reference=oracle if reference == "oracle" else reference).fit(X, y)
    found = model.evaluate(X, y, 1)
    assert np.isfinite(found.band(0.2).tpr_upper).all()
    assert 0 <= found.support.share <= 0.05
    assert "the classifier errs as its refits do" in found.band(0.2).guarantee


def test_weights_go_to_every_refit(rng):
    X, y, _ = logistic_sample(rng, 60)
    weights = np.where(X[:, 0] > 0, 3.0, 0.2)
    seen = []

    class Weighed(LogisticRegression):
        def fit(self, X, y, sample_weight=None):
            seen.append(np.column_stack([X[:, 0] > 0, sample_weight]))
            return super().fit(X, y, sample_weight)

    crossed(Weighed(), reference="score").fit(X, y, sample_weight=weights)
    assert [len(one) for one in seen] == [48, 48, 48, 48, 48, 60]
    for one in seen:
        np.testing.assert_array_equal(one[:, 1], np.where(one[:, 0] == 1, 3.0, 0.2))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"calibration": "half"}, "calibration: found 'half', expected one of 'split', 'cross'"),
        ({"resplits": 3}, "calibration: found 'cross' with resplits=3, expected 'split'"),
        ({"estimator": "frozen"}, "calibration: found 'cross' with a frozen classifier"),
        ({"X_calibration": 1}, "found 'cross' with an explicit calibration set, expected 'spl"),
    ],
)
def test_data_and_options_that_cannot_be_crossed_are_refused(rng, options, message):
    X, y, _ = logistic_sample(rng, 60)
    sets = {"X_calibration": X, "y_calibration": y} if options.pop("X_calibration", 0) else {}
    estimator = LogisticRegression()
    if options.pop("estimator", ""):
        estimator = FrozenEstimator(estimator.fit(X, y))
    model = ConformalROC(estimator, **{"calibration": "cross"} | options)
    with pytest.raises(ValueError, match=message):
        model.fit(X, y, **sets)


def test_a_label_seen_once_and_a_promise_of_the_scores_alone_are_refused(rng):
    X, y, _ = logistic_sample(rng, 60)
    with pytest.raises(ValueError, match="y: found a label once, expected every label at least"):
        crossed().fit(X, np.arange(60) == 3)
    model = crossed(reference="score").fit(X, y)
    with pytest.raises(ValueError, match="calibration='cross', expected 'individual': the scores"):
        model.evaluate(X, y, guarantee="simultaneous")
