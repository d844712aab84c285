"""Intervals around a model of the training part: by hand, refused combinations, coverage of the
true pi.
"""

import copy

import numpy as np
import pytest
from parts import with_quick
from scipy.special import expit, logit
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier, StackingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from conformal_roc_widget import ConformalROC, ROCWidget
from conformal_roc_widget.calibration.centres import NEAREST, LearnedCentre


def bent(rng, n):
    """A distribution with an interaction and a curved effect, which naive Bayes cannot learn."""
    X = rng.normal(size=(n, 4))
    logits = X[:, 0] + X[:, 1] * X[:, 2] + 0.7 * np.sin(2 * X[:, 3])
    return X, (rng.random(n) < expit(logits)).astype(int), logits


#: A learned centre is such a stack.
STACK = StackingClassifier(
    [("linear", LogisticRegression()), ("normal", GaussianNB())], LogisticRegression()
)


def truth(X):
    return expit(X[:, 0] + X[:, 1] * X[:, 2] + 0.7 * np.sin(2 * X[:, 3]))


@pytest.fixture(scope="module")
def parts():
    rng = np.random.default_rng(8)
    return [bent(rng, n) for n in (300, 200, 150)]


def fitted(parts, center, **more):
    (X, y, _), (X_calibration, y_calibration, _), _ = parts
    model = ConformalROC(GaussianNB(), center=center, random_state=0, **more)
    return model.fit(X, y, X_calibration=X_calibration, y_calibration=y_calibration)


@pytest.fixture(scope="module")
def around_learned(parts):
    return fitted(parts, "learned", reference="sharp")


def by_hand(parts, centre, alpha):
    """``L_c`` plus quantiles of ``logit pi - L_c``, with the true pi as reference, for each label."""
    _, (X_calibration, y_calibration, _), (X, y, _) = parts
    at, new = (logit(centre.predict_proba(rows)[:, 1]) for rows in (X_calibration, X))
    residuals = logit(truth(X_calibration)) - at
    lower, upper = np.empty((2, y.size))
    for label in (0, 1):
        ordered = np.sort(residuals[y_calibration == label])
        n = ordered.size
        k_lo, k_up = int(alpha * (n + 1) / 2 + 1e-9) - 1, int((1 - alpha / 2) * (n + 1) + 1e-9)
        ends = [-np.inf, *ordered, np.inf]
        own = y == label
        lower[own], upper[own] = new[own] + ends[max(k_lo, 0)], new[own] + ends[min(k_up, n + 1)]
    return expit(lower), expit(upper)


@pytest.mark.parametrize("how", ["a classifier", "learned"])
def test_intervals_are_quantiles_around_the_model_of_the_training_part(parts, how):
    forest = RandomForestClassifier(20, min_samples_leaf=10, random_state=0)
    center = forest if how == "a classifier" else "learned"
    model = fitted(parts, center, reference=truth)
    (X, y, _), _, (X_test, y_test, _) = parts
    found = model.evaluate(X_test, y_test)
    own = (
        clone(forest).fit(X, y)
        if how == "a classifier"
        else model._calibration.splits.fitted[0].centre
    )
    for ours, wanted in zip(found.intervals(0.1), by_hand(parts, own, 0.1), strict=True):
        np.testing.assert_allclose(ours, wanted, rtol=1e-9, atol=1e-12)
    # The curve, its thresholds and its area are still the classifier's.
    plain = fitted(parts, "classifier", reference=truth).evaluate(X_test, y_test)
    np.testing.assert_array_equal(found.scores, plain.scores)
    np.testing.assert_array_equal(found.band(0.1).tpr, plain.band(0.1).tpr)
    assert found.promise == plain.promise
    assert any("centred on a model of the training part" in note for note in found.notes)
    assert not any("centred on a model" in note for note in plain.notes)


def test_a_learned_centre_has_limits_at_every_threshold_and_a_widget(parts, around_learned):
    _, _, (X_test, y_test, _) = parts
    found = around_learned.evaluate(X_test, y_test)
    everywhere = found.with_guarantee("everywhere").operating_point(0.5, 0.2)
    assert everywhere.tpr_lower <= everywhere.tpr_upper
    assert ROCWidget(found, alpha=0.2).current_band.alpha == 0.2


@pytest.mark.parametrize("calibration", with_quick(["split", "cross"], ["split"]))
def test_a_nearer_centre_is_narrower_and_covers(calibration):
    rng = np.random.default_rng(21)
    X, y, _ = bent(rng, 900)
    X_test, y_test, logits = bent(rng, 2000)
    widths, held = {}, {}
    for center in ("classifier", "learned"):
        model = ConformalROC(
            GaussianNB(),
            reference="sharp",
            center=center,
            calibration=calibration,
            random_state=0,
        )
        lower, upper = model.fit(X, y).evaluate(X_test, y_test).intervals(0.1)
        widths[center] = (upper - lower).mean()
        held[center] = ((lower <= expit(logits)) & (expit(logits) <= upper)).mean()
    assert widths["learned"] < 0.95 * widths["classifier"]
    assert held["learned"] > 0.87


def test_several_classes_and_a_table_with_texts_have_a_learned_centre():
    rng = np.random.default_rng(3)
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"x": rng.normal(size=400), "kind": rng.choice(["a", "b", None], 400)})
    y = np.select([X.x > 0.7, X.x + (X.kind == "a") > 0.4], ["high", "middle"], "low")
    flip = rng.random(400) < 0.3
    y[flip] = rng.choice(["high", "middle", "low"], flip.sum())
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline

    numbers = make_column_transformer(("passthrough", ["x"]))
    model = ConformalROC(
        make_pipeline(numbers, LogisticRegression()), center="learned", random_state=0
    )
    model.fit(X[:300], y[:300])
    every = model.evaluate_all(X[300:], y[300:])
    assert list(every) == ["high", "low", "middle"]
    for evaluation in every.values():
        lower, upper = evaluation.intervals(0.2)
        assert (lower <= upper).all()


@pytest.mark.parametrize(
    ("center", "more", "found"),
    [
        ("median", {}, "center: found 'median'"),
        (3, {}, "center: found 3"),
        (FrozenEstimator(GaussianNB()), {}, "center: found a FrozenEstimator"),
        ("learned", {"neighbors": 20}, "center: found 'learned' with neighbors=20"),
        ("learned", {"recenter": True}, "center: found 'learned' with recenter=True"),
        ("learned", {"reference": "score"}, "center: found 'learned' with reference='score'"),
        ("learned", {"reference": STACK}, "center: found 'learned' with reference=Stacking"),
        (
            GaussianNB(),
            {"reference": GaussianNB()},
            r"center: found 'GaussianNB' with reference=GaussianNB\(...\)",
        ),
        (
            GaussianNB(),
            {"reference": FrozenEstimator(GaussianNB().fit([[0, 0, 0, 0], [1, 1, 1, 1]], [0, 1]))},
            "center: found 'GaussianNB' with reference=",
        ),
    ],
    ids=str,
)
def test_a_centre_without_theory_is_refused(parts, center, more, found):
    with pytest.raises((TypeError, ValueError), match=f"^{found}"):
        fitted(parts, center, **more)


def test_a_centre_is_trained_by_the_fit_alone(parts, around_learned):
    _, _, (X_test, y_test, _) = parts
    around_classifier = fitted(parts, "classifier", reference="sharp")
    for before, after in ((around_classifier, "learned"), (around_learned, "classifier")):
        model = copy.copy(before).set_params(center=after)
        with pytest.raises(ValueError, match=r"^center: found .* after a fit with"):
            model.evaluate(X_test, y_test)
    for guarantee in ("curve", "simultaneous"):
        with pytest.raises(ValueError, match=r"^guarantee: found"):
            around_learned.evaluate(X_test, y_test, guarantee=guarantee)


def test_a_stack_has_no_probability_of_zero_and_needs_each_label_twice():
    X = np.linspace(-1, 1, 60)[:, None]
    centre = LearnedCentre(random_state=0).fit(X, (X[:, 0] > 0).astype(int))
    found = centre.predict_proba(X)
    assert 0 < found.min() <= 0.5 <= found.max() < 1
    np.testing.assert_array_equal(centre.predict(X), centre.classes_[found.argmax(axis=1)])
    assert 0 < NEAREST < 0.01
    with pytest.raises(ValueError, match=r"^y: found a label once in the training part"):
        LearnedCentre().fit(X[:3], [0, 0, 1])
