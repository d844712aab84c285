"""Data and classifiers that several test modules share."""

import numpy as np
import oracles
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, RocEvaluation

EXACT = {"rtol": 1e-9, "atol": 1e-9}
CURVES = ("thresholds", "fpr", "tpr", "tpr_lower", "tpr_upper", "fpr_lower", "fpr_upper")


def scored(rng, n, decimals=None):
    """Labels and a classifier's probabilities for them. Few decimals give ties."""
    y = np.resize([0, 1], n)
    score = expit(1.2 * (2 * y - 1) + 1.5 * rng.normal(size=n))
    return y, score if decimals is None else score.round(decimals)


#: Evaluations of scores with the paper's kernel, for which there is an oracle.
def by_kernel(*rows, **options):
    return RocEvaluation.from_predictions(*rows, **({"reference": "kernel"} | options))


def evaluation_from_scores(seed=0, n_calibration=60, n_test=50, decimals=None, **options):
    rng = np.random.default_rng(seed)
    given = {"guarantee": "individual", "reference": "kernel"} | options
    return RocEvaluation.from_predictions(
        *scored(rng, n_calibration, decimals), *scored(rng, n_test, decimals), **given
    )


def logistic_sample(rng, n, beta=(1.0, -0.8, 0.5), intercept=0.3):
    """Features, labels and the true logit pi."""
    X = rng.normal(size=(n, len(beta)))
    truth = intercept + X @ np.asarray(beta)
    y = (rng.random(n) < expit(truth)).astype(int)
    y[:2] = 0, 1
    return X, y, truth


def fit_explicit(parts, estimator=None, **options):
    """A model with the paper's kernel, fitted on the first part and calibrated on the second."""
    (X, y), (X_calibration, y_calibration) = parts[:2]
    given = {"reference": "kernel"} | options
    model = ConformalROC(LogisticRegression() if estimator is None else estimator, **given)
    return model.fit(X, y, X_calibration=X_calibration, y_calibration=y_calibration)


def check_residuals(model, reference, logits, y_calibration):
    """Asserts that the model's residuals are those of these logits, for each label."""
    expected = oracles.split_residuals(list(reference), list(logits), y_calibration.tolist())
    for k in (0, 1):
        np.testing.assert_allclose(model.residuals_[k], expected[k], **EXACT)
        assert model.n_calibration_[k] == len(expected[k])
    return expected


def assert_same_curves(one, other):
    for name in CURVES:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def limits_of(band):
    """For each label, the label with its lower and upper limits."""
    return (0, band.fpr_lower, band.fpr_upper), (1, band.tpr_lower, band.tpr_upper)


def three_classes(rng, n, sizes=(0.5, 0.3, 0.2)):
    y = rng.choice(3, size=n, p=sizes)
    y[:3] = 0, 1, 2
    centres = np.array([[0.0, 0.0], [1.5, 0.0], [0.0, 1.5]])
    return centres[y] + rng.normal(size=(n, 2)), y


def study(rng, n, setting, value=1.0, shifted=False):
    """The paper's section 5: features, labels and the true logit pi in its three settings."""
    i, j = np.indices((3, 3))
    cross = value if setting == "missing_interaction" else 0.0
    beta = np.array([1.0, 1.0, value if setting == "missing_predictor" else 1.0])
    if setting == "sample_size":
        covariance = np.where(i == j, 1.0, -((-0.1) ** abs(i - j)))
    else:
        covariance = np.array([[1.0, 0.1, 0.0], [0.1, 1.0, 0.0], [0.0, 0.0, 1.0]])
    mean = np.zeros(3)
    if shifted:
        mean = np.array(
            [1.0, 1.0, 2 * value - 2] if setting == "missing_interaction" else [2.0, 1.0, -0.6]
        )
        covariance = np.where(i == j, 0.5 - 0.1 * i, 0.1 ** abs(i - j))
        if setting == "missing_interaction":
            covariance[2, :2] = covariance[:2, 2] = 0
    X = rng.multivariate_normal(mean, covariance, size=n)
    truth = 1 + X @ beta + cross * X[:, 0] * X[:, 2]
    return X, (rng.random(n) < expit(truth)).astype(int), truth


def triangular_sample(rng, label, n):
    """Draws x in (-1, 1) given one label, for uniform x and P(y = 1 | x) = expit(2x)."""
    x = rng.uniform(-1, 1, size=n)
    keep = rng.random(n) < expit(2 * x)
    return np.where(keep == bool(label), x, -x)


def triangular_cdf(x, label):
    """Distribution function of `triangular_sample` in closed form."""
    if label == 0:
        return 1 - triangular_cdf(-x, 1)
    x = np.clip(x, -1, 1)
    return (np.logaddexp(0, 2 * x) - np.logaddexp(0, -2)) / 2


class KnownClassifier(ClassifierMixin, BaseEstimator):
    """A classifier whose logit is X @ weights, independent of its training data."""

    def __init__(self, weights=(1.0,)):
        self.weights = weights

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return np.asarray(X, dtype=float) @ np.asarray(self.weights)

    def predict_proba(self, X):
        p = expit(self.decision_function(X))
        return np.column_stack([1 - p, p])

    def predict(self, X):
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


class Recorder(LogisticRegression):
    """A classifier that records the rows of its fit."""

    def fit(self, X, y, sample_weight=None):
        self.seen_X_, self.seen_y_, self.seen_weight_ = np.asarray(X), np.asarray(y), sample_weight
        return super().fit(X, y, sample_weight)


class Untouchable(LogisticRegression):
    """Raises if it is used. So a test sees that bad input is refused before any work."""

    def fit(self, X, y, sample_weight=None):
        raise AssertionError("fitted before the arguments were checked")


class DecisionOnly(ClassifierMixin, BaseEstimator):
    """A classifier with decision values instead of probabilities: a linear score around the middle
    of the class means.
    """

    def fit(self, X, y):
        X, y = np.asarray(X, dtype=float), np.asarray(y)
        self.classes_ = np.unique(y)
        means = [X[y == k].mean(axis=0) for k in self.classes_]
        self.direction_, self.middle_ = means[1] - means[0], (means[0] + means[1]) / 2
        return self

    def decision_function(self, X):
        return (np.asarray(X, dtype=float) - self.middle_) @ self.direction_

    def predict(self, X):
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


class ForestLike(KnownClassifier):
    """A classifier that returns only probabilities of exactly 0 and 1, as forests and trees may."""

    decision_function = property()

    def predict_proba(self, X):
        p = np.clip(0.5 + np.asarray(X, dtype=float) @ np.asarray(self.weights), 0, 1)
        return np.column_stack([1 - p, p])

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class Neither(ClassifierMixin, BaseEstimator):
    """A classifier that only predicts classes, without scores."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.resize(self.classes_, len(X))


SCORES = st.sampled_from([0.0, 1.0, 1e-300, 1e-12, 1 - 1e-12, *(i / 16 for i in range(1, 16))])


@st.composite
def labelled_scores(draw, min_size=2, max_size=14):
    """Labels and scores: both labels occur, ties are common, and some scores are exactly 0 or 1."""
    scores = draw(st.lists(SCORES, min_size=min_size, max_size=max_size))
    labels = draw(st.lists(st.integers(0, 1), min_size=len(scores), max_size=len(scores)))
    labels[:2] = 0, 1
    return np.array(labels), np.array(scores)


@st.composite
def calibration_scores(draw):
    """Like `labelled_scores`, with at least two distinct scores inside (0, 1), so that a bandwidth
    exists.
    """
    labels, scores = draw(labelled_scores(max_size=20))
    scores[:2] = draw(st.permutations([0.25, 0.625]))
    return labels, scores


def counts_of(message):
    """Decodes the wire format's varints, which are differences of ascending counts."""
    steps, value, shift = [], 0, 0
    for byte in message:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            steps.append(value)
            value = shift = 0
    assert shift == 0, "a varint without its end"
    return np.cumsum(steps, dtype=int)


def floats_of(message):
    return np.frombuffer(message, "<f8")


def thresholds_of(entry):
    """Thresholds of the curve's vertices, as a page decodes them."""
    if entry["long"] is None:
        return floats_of(entry["thresholds"])
    found = np.frombuffer(entry["thresholds"], "<f4").astype(float)
    for place, threshold in entry["long"]:
        found[place] = threshold
    return found


class Logit(ClassifierMixin, BaseEstimator):
    """An untrained classifier. Its logit is the first feature, clipped to the range of logits."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        p = expit(np.asarray(X, dtype=float)[:, 0])
        rest = (1 - p) / (self.classes_.size - 1)
        return np.column_stack([rest] * (self.classes_.size - 1) + [p])
