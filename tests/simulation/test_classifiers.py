"""Maximum likelihood, separated labels, and known logits."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from small_studies import SETTINGS

from conformal_roc_widget import simulation
from conformal_roc_widget.simulation.classifiers import KnownLogit, MaximumLikelihood
from conformal_roc_widget.simulation.designs import STUDIES, products


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("which", [0, -1])
def test_the_fit_is_the_maximum_of_the_likelihood(rng, setting, which):
    study = STUDIES[setting]
    X, y, _ = simulation.draw(setting, 250, rng, value=study.grid[which])
    for terms in study.models.values():
        own = MaximumLikelihood(terms).fit(X, y)
        features = products(X, terms)
        theirs = LogisticRegression(C=np.inf, tol=1e-10, solver="newton-cholesky").fit(features, y)
        np.testing.assert_allclose(
            own.coefficients_, [*theirs.intercept_, *theirs.coef_[0]], rtol=1e-6, atol=1e-7
        )
        np.testing.assert_allclose(own.predict_proba(X), theirs.predict_proba(features), atol=1e-7)
        np.testing.assert_array_equal(own.predict(X), theirs.predict(features))
        assert not own.separated_
        score = products(X, ((), *terms)).T @ (y - own.predict_proba(X)[:, 1])
        assert np.abs(score).max() < 1e-5


def test_a_known_logit_is_a_classifier_that_can_be_cloned_and_needs_no_training():
    truth = KnownLogit(lambda X: X[:, 0] - 2 * X[:, 1])
    X = np.array([[0.0, 0.0], [1.0, 0.5], [400.0, 0.0], [0.0, 400.0]])
    fitted = clone(truth).fit()
    np.testing.assert_array_equal(fitted.decision_function(X), [0, 0, 400, -800])
    p = fitted.predict_proba(X)
    np.testing.assert_allclose(p[:, 1], [0.5, 0.5, 1, 0])
    assert p[2, 0] > 0, "the small probability is no difference of ones"
    assert clone(truth).fit(X, ["b", "a", "a", "b"]).classes_.tolist() == ["a", "b"]
