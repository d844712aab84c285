"""One split: the classifier, the reference and the figures that the diagnostics need."""

import numpy as np
import oracles
import pytest
from data import fit_explicit, logistic_sample, three_classes
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget.calibration.kernel import fit_kernel
from conformal_roc_widget.calibration.named_references import reference_of
from conformal_roc_widget.calibration.references import Settings
from conformal_roc_widget.calibration.split import Calibrator
from conformal_roc_widget.tables.points import Labelled

SEED = np.random.SeedSequence(5)


@pytest.fixture
def parts(rng):
    return [Labelled.of(*logistic_sample(rng, n)[:2]) for n in (90, 81)]


def test_residuals_by_class_are_sorted_differences_of_logits(parts):
    reference = reference_of("kernel", Settings("silverman"))
    split = Calibrator(LogisticRegression(), reference, seeded=False).split(*parts, SEED)
    training, calibration = parts
    logits = oracles.kernel_logit(
        training.points.array.tolist(), training.labels.tolist(), calibration.points.array.tolist()
    )
    classifier = LogisticRegression().fit(training.points.array, training.labels)
    expected = oracles.split_residuals(
        logits, classifier.decision_function(calibration.points.array), calibration.labels.tolist()
    )
    for k, residuals in split.residuals_by_class().items():
        np.testing.assert_allclose(residuals, expected[k], rtol=1e-9, atol=1e-9)


def test_of_more_than_two_classes_each_has_residuals_of_the_rest_and_of_its_own(rng):
    halves = [Labelled.of(*three_classes(rng, n)) for n in (120, 90)]
    split = Calibrator(
        LogisticRegression(), reference_of("kernel", Settings("silverman")), seeded=False
    ).split(*halves, SEED)
    names = halves[1].labels
    for column, (rest, of_class) in split.residuals_by_class().items():
        at = names == column
        np.testing.assert_array_equal(rest, np.sort(split.residuals[~at, column]))
        np.testing.assert_array_equal(of_class, np.sort(split.residuals[at, column]))


@pytest.mark.parametrize("reference", ["kernel", "score", "sharp"])
def test_the_diagnostics_kernel_is_the_reference_itself_or_has_the_default_bandwidth(
    parts, reference
):
    split = Calibrator(
        LogisticRegression(), reference_of(reference, Settings(0.9)), seeded=False
    ).split(*parts, SEED)
    X, codes = parts[0].points.array, parts[0].codes
    expected = fit_kernel(X, codes, 0.9 if reference == "kernel" else "silverman")
    np.testing.assert_array_equal(split.kernel.bandwidth, expected.bandwidth)
    np.testing.assert_allclose(split.spread, [oracles.sample_sd(x) for x in X.T], rtol=1e-12)


def test_a_single_training_row_a_class_still_has_a_spread():
    # one row in all has no sample deviation: its spread is 0, and the distance drops the feature
    parts = Labelled.of([[0.0], [1.0]], [0, 1]), Labelled.of([[0.2], [0.4], [0.9]], [0, 1, 1])
    frozen = FrozenEstimator(LogisticRegression().fit([[0.0], [1.0]], [0, 1]))
    split = Calibrator(frozen, reference_of("kernel", Settings(1.0)), seeded=False).split(
        *parts, SEED
    )
    np.testing.assert_allclose(split.spread, [np.sqrt(0.5)])


def test_the_estimator_is_cloned_and_a_frozen_one_is_not_trained(parts):
    given = LogisticRegression()
    split = Calibrator(given, reference_of("kernel", Settings(1.0)), seeded=False).split(
        *parts, SEED
    )
    assert split.estimator is not given
    assert not hasattr(given, "coef_")
    frozen = FrozenEstimator(split.estimator)
    other = Calibrator(frozen, reference_of("kernel", Settings(1.0)), seeded=True).split(
        *parts[::-1], SEED
    )
    np.testing.assert_array_equal(other.estimator.coef_, split.estimator.coef_)


@pytest.mark.parametrize("seeded", [False, True])
def test_estimators_get_a_random_state_only_where_they_have_none_and_one_is_asked_for(
    parts, seeded
):
    for state, expected in ((None, seeded), (7, True)):
        estimator = LogisticRegression(random_state=state)
        split = Calibrator(estimator, reference_of("kernel", Settings(1.0)), seeded).split(
            *parts, SEED
        )
        assert (split.estimator.random_state is not None) == expected
        assert split.estimator.random_state == 7 or state is None


def test_references_of_exactly_zero_or_one_are_counted_once_a_point(rng):
    X, y, _ = logistic_sample(rng, 60)
    parts = [(X, y), (X, y)]
    model = fit_explicit(parts, reference=lambda X: np.where(X[:, 0] > 0.5, 1.0, 0.5))
    assert model.splits_[0].reference.one_vs_rest(1).unsure == (X[:, 0] > 0.5).sum()
