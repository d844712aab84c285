"""Each reference is one class. A new one needs little code."""

import pickle

import numpy as np
import oracles
import pytest
from data import assert_same_curves, check_residuals, fit_explicit, logistic_sample, three_classes
from distances import truth
from scipy.special import logit
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from conformal_roc_widget import ConformalROC, RocEvaluation, kernel_logit
from conformal_roc_widget.calibration import named_references
from conformal_roc_widget.calibration.named_references import reference_of
from conformal_roc_widget.calibration.references.reference import Reference, ScoredPoints, Settings
from conformal_roc_widget.promise import Phrase

pytestmark = pytest.mark.usefixtures("one_learner")


@pytest.fixture
def parts(rng):
    return [logistic_sample(rng, n)[:2] for n in (90, 81, 40)]


class Prevalence(Reference):
    """A reference that always returns the share of positives in the training part."""

    text = "'prevalence'"
    assumption = Phrase.of("π is the same everywhere")
    no_curve = "a constant has no spread"

    def __init__(self, settings):
        """Takes no settings."""

    def _learn(self, training, seed):
        self.share = training.codes.mean()

    def logits(self, points, class_logits):
        return np.full(class_logits.shape, logit(self.share)) * [-1, 1]


def test_a_new_reference_is_one_class_and_one_entry(parts, monkeypatch):
    monkeypatch.setitem(named_references.NAMED, "prevalence", Prevalence)
    model = fit_explicit(parts, reference="prevalence")
    X, y = parts[1]
    residuals = logit(parts[0][1].mean()) - model.estimator_.decision_function(X)
    for k in (0, 1):
        np.testing.assert_allclose(model.residuals_[k], np.sort(residuals[y == k]), rtol=1e-12)
    assert model.evaluate(*parts[2]).band().guarantee.endswith(", if π is the same everywhere")
    with pytest.raises(ValueError, match=r"reference='prevalence'.*a constant has no spread"):
        model.evaluate(*parts[2], guarantee="curve")
    with pytest.raises(ValueError, match=r"^reference: .*'learned', 'prevalence', or a classifier"):
        ConformalROC(LogisticRegression(), reference="x").fit(X, y)


GIVEN = {
    "'kernel'": "kernel",
    "'score'": "score",
    "'sharp'": "sharp",
    "'learned'": "learned",
    "GaussianNB(...)": GaussianNB(),
    repr(truth): truth,
}
#: A function's repr contains an address, which differs between xdist's workers.
IDS = [text.partition(" at ")[0] for text in GIVEN]


@pytest.mark.parametrize("text", GIVEN, ids=IDS)
def test_fitting_gives_a_copy_and_leaves_the_settings_as_they_were(parts, text):
    reference = reference_of(GIVEN[text], Settings())
    assert reference.text == text
    before = dict(vars(reference))
    model = fit_explicit(parts, reference=GIVEN[text])
    (split,) = model.splits_
    fitted = reference.fit(
        model.splits_[0].reference.calibration,
        model.splits_[0].reference.calibration,
        ScoredPoints(split.class_logits, split.class_logits),
        seed=None,
    )
    assert vars(reference) == before
    assert type(fitted) is type(reference) is type(split.reference)
    assert fitted.calibration_logits.shape == (81, 2)


@pytest.mark.parametrize("text", GIVEN, ids=IDS)
@pytest.mark.parametrize("classes", [2, 3])
def test_residuals_are_what_lies_between_the_reference_and_the_classifier(rng, text, classes):
    if classes == 2:
        X, y, _ = logistic_sample(rng, 150)
        given = GIVEN[text]
    else:
        X, y = three_classes(rng, 150)
        given = GIVEN[text] if GIVEN[text] is not truth else lambda X: np.full((len(X), 3), 1 / 3)
    model = ConformalROC(LogisticRegression(), reference=given, random_state=0).fit(X, y)
    (split,) = model.splits_
    reference = split.reference
    np.testing.assert_array_equal(
        split.residuals, reference.calibration_logits - reference.class_logits
    )
    assert reference.logits(split.points, split.class_logits).shape == (75, classes)
    for column in range(classes):
        assert reference.draws(column).shape[0] == 75
        assert reference.slope_logits(column).shape == (75,)
    if classes == 2:
        np.testing.assert_allclose(split.residuals[:, 0], -split.residuals[:, 1], rtol=1e-9)


def test_only_a_draw_is_no_centre_and_only_a_spread_serves_the_curve():
    made = {text: reference_of(given, Settings()) for text, given in GIVEN.items()}
    assert {text for text, reference in made.items() if reference.no_centre} == {
        "'sharp'",
        "'learned'",
    }
    assert {text for text, reference in made.items() if not reference.no_curve} == {
        "'kernel'",
        "'sharp'",
        "'learned'",
        repr(truth),
    }


def test_a_second_classifier_without_a_random_state_is_seeded_as_the_first_is(rng):
    class Seeded(GaussianNB):
        def __init__(self, random_state=None):
            super().__init__()
            self.random_state = random_state

    X, y, _ = logistic_sample(rng, 100)
    for state, unset in ((0, False), (None, True)):
        model = ConformalROC(LogisticRegression(), reference=Seeded(), random_state=state).fit(X, y)
        found = model.splits_[0].reference.estimator.random_state
        assert (found is None) == unset
        assert model.reference.random_state is None
    model = ConformalROC(LogisticRegression(), reference=Seeded(7), random_state=0).fit(X, y)
    assert model.splits_[0].reference.estimator.random_state == 7


@pytest.mark.parametrize("text", [text for text in GIVEN if text != repr(truth)])
def test_a_fitted_reference_survives_pickling(parts, text):
    (split,) = fit_explicit(parts, reference=GIVEN[text]).splits_
    again = pickle.loads(pickle.dumps(split.reference))
    np.testing.assert_array_equal(again.calibration_logits, split.reference.calibration_logits)
    np.testing.assert_array_equal(
        again.logits(split.points, split.class_logits),
        split.reference.logits(split.points, split.class_logits),
    )


@pytest.mark.parametrize("given", [None, 3, ["kernel"], GaussianNB, LogisticRegression])
def test_anything_but_a_reference_is_of_the_wrong_type(given):
    with pytest.raises(
        TypeError, match=r"^reference: found .*expected one of 'auto', 'kernel', 'score'"
    ):
        reference_of(given, Settings())


def test_a_callable_reference_is_taken_as_the_true_probability(parts):
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


def test_the_score_reference_says_what_the_scores_alone_say(parts):
    model = fit_explicit(parts, reference="score")
    X_calibration, y_calibration = parts[1]
    X_test, y_test = parts[2]
    score = model.estimator_.predict_proba
    alone = RocEvaluation.from_predictions(
        y_calibration, score(X_calibration)[:, 1], y_test, score(X_test)[:, 1], reference="kernel"
    )
    evaluation = model.evaluate(X_test, y_test)
    assert_same_curves(alone.band(0.1), evaluation.band(0.1))
    np.testing.assert_allclose(alone.intervals(0.1), evaluation.intervals(0.1), rtol=1e-8)


def test_a_reference_equal_to_the_classifier_gives_residuals_of_zero(parts):
    model = fit_explicit(parts, reference=LogisticRegression())
    for k in (0, 1):
        np.testing.assert_allclose(model.residuals_[k], 0, atol=1e-12)
