"""The simulated distributions of scores: curves, probabilities and classifiers."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit
from score_laws import LAWS, Mixture

every_law = pytest.mark.parametrize("name", list(LAWS))


def test_there_are_the_laws_that_were_promised():
    assert len(LAWS) >= 8
    words = ("normal, equal", "unequal", "lognormal", "beta", "Student", "gamma", "bimodal")
    for word in (*words, "exponential"):
        assert any(word in law.title for law in LAWS.values())


@every_law
def test_the_curve_of_a_law_is_that_of_its_points(name):
    law, n = LAWS[name], 200_000
    y, x = law.draw(n, np.random.default_rng(11))
    assert (y == np.repeat([0, 1], n)).all()
    fpr = np.array([0.01, 0.1, 0.3, 0.6, 0.9, 0.99])
    cuts = law.negative.isf(fpr)
    for values, rates in ((x[y == 0], fpr), (x[y == 1], law.roc(fpr))):
        seen = (values[:, None] >= cuts).mean(axis=0)
        assert (np.abs(seen - rates) < 4.5 * np.sqrt(rates * (1 - rates) / n) + 1e-12).all()


@every_law
def test_the_true_probability_of_a_law_is_calibrated(name):
    law, n = LAWS[name], 100_000
    y, x = law.draw(n, np.random.default_rng(12))
    pi = expit(law.logit_pi(x))
    for part in np.array_split(np.argsort(pi), 20):
        error = math.sqrt((pi[part] * (1 - pi[part])).sum())
        assert abs((y[part] - pi[part]).sum()) < 4.5 * error


@every_law
def test_the_classifier_of_a_law_ranks_as_the_score_and_is_not_calibrated(name):
    law = LAWS[name]
    x = law.draw(20_000, np.random.default_rng(13))[1]
    shown = law.classifier(np.sort(x))
    assert (np.diff(shown) > 0).all()
    reported = expit(law.classifier(x))
    pi = expit(law.logit_pi(x))
    assert np.abs(reported - pi).mean() > 0.01


def test_a_mixture_inverts_its_survival_function():
    mixture = Mixture((0.7, 0.3), (stats.norm(-1, 0.6), stats.norm(1.5, 0.6)))
    q = np.array([1e-6, 0.01, 0.3, 0.5, 0.99])
    np.testing.assert_allclose(mixture.sf(mixture.isf(q)), q, rtol=1e-9)
    x = np.linspace(-3, 4, 50)
    slope = -(mixture.sf(x + 1e-6) - mixture.sf(x - 1e-6)) / 2e-6
    np.testing.assert_allclose(np.exp(mixture.logpdf(x)), slope, rtol=1e-5, atol=1e-9)
