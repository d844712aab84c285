"""Draws, models and grids against section 5 as printed."""

import numpy as np
import pytest
from scipy.special import expit
from small_studies import MODELS

from conformal_roc_widget import simulation
from conformal_roc_widget.simulation.designs import STUDIES, products

I3 = [[1, 0.1, 0], [0.1, 1, 0], [0, 0, 1]]


SHIFTED = [[0.5, 0.1, 0.01], [0.1, 0.4, 0.1], [0.01, 0.1, 0.3]]


LAWS = [
    ("sample_size", None, False, (0, 0, 0), [[1, 0.1, -0.01], [0.1, 1, 0.1], [-0.01, 0.1, 1]]),
    ("sample_size", None, True, (2, 1, -0.6), SHIFTED),
    ("missing_predictor", 0.1, False, (0, 0, 0), I3),
    ("missing_predictor", 5.5, False, (0, 0, 0), I3),
    ("missing_predictor", 5.5, True, (2, 1, -0.6), SHIFTED),
    ("missing_interaction", 0.1, False, (0, 0, 0), I3),
    ("missing_interaction", 5.5, False, (0, 0, 0), I3),
    *(
        (
            "missing_interaction",
            gamma,
            True,
            (1, 1, 2 * gamma - 2),
            [[0.5, 0.1, 0], [0.1, 0.4, 0], [0, 0, 0.3]],
        )
        for gamma in (0.1, 2.0, 5.5)
    ),
]


def printed_logit(setting, value, X):
    x1, x2, x3 = X.T
    if setting == "sample_size":
        return 1 + x1 + x2 + x3
    if setting == "missing_predictor":
        return 1 + x1 + x2 + value * x3
    return 1 + x1 + x2 + x3 + value * x1 * x3


def prevalence(setting, value, mean, covariance):
    """P(y = 1). Given x1 the logit is normal, so two Gauss-Hermite sums are enough."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(120)
    weights = weights / weights.sum()
    mean, covariance = np.array(mean, dtype=float), np.array(covariance)
    x1 = mean[0] + np.sqrt(covariance[0, 0]) * nodes
    slope = covariance[0, 1:] / covariance[0, 0]
    rest = covariance[1:, 1:] - np.outer(slope, covariance[0, 1:])
    weight = np.ones((nodes.size, 2))
    weight[:, 1] = value if setting == "missing_predictor" else 1.0
    if setting == "missing_interaction":
        weight[:, 1] += value * x1
    centre = 1 + x1 + (weight * (mean[1:] + np.outer(x1 - mean[0], slope))).sum(axis=1)
    spread = np.sqrt(np.einsum("ni,ij,nj->n", weight, rest, weight))
    return weights @ expit(centre[:, None] + spread[:, None] * nodes) @ weights


@pytest.mark.parametrize(("setting", "value", "shifted", "mean", "covariance"), LAWS)
def test_draws_follow_the_printed_laws(rng, setting, value, shifted, mean, covariance):
    n = 40_000
    X, y, logit_pi = simulation.draw(setting, n, rng, shifted=shifted, value=value)
    covariance = np.array(covariance)
    variances = np.diag(covariance)
    assert np.all(np.abs(X.mean(axis=0) - mean) < 5 * np.sqrt(variances / n))
    centred = X - np.array(mean)
    second = centred.T @ centred / n
    error = np.sqrt((np.outer(variances, variances) + covariance**2) / n)
    assert np.all(np.abs(second - covariance) < 5 * error)
    np.testing.assert_allclose(logit_pi, printed_logit(setting, value, X), rtol=1e-12, atol=1e-12)
    assert set(np.unique(y)) == {0, 1}
    pi = expit(logit_pi)
    assert abs(y.sum() - pi.sum()) < 5 * np.sqrt((pi * (1 - pi)).sum())
    expected = prevalence(setting, value, mean, covariance)
    assert abs(y.mean() - expected) < 5 * np.sqrt(expected * (1 - expected) / n)
    # labels depend on x by the logit, so the mean of the logit by label does too
    for own, share in ((y, pi), (1 - y, 1 - pi)):
        spread = logit_pi * np.sqrt(pi * (1 - pi))
        assert abs((own * logit_pi - share * logit_pi).sum()) < 5 * np.sqrt((spread**2).sum())


def test_models_and_grids_are_the_printed_ones():
    assert {name: list(study.models) for name, study in STUDIES.items()} == MODELS
    x = np.array([[2.0, 3.0, 5.0]])
    columns = {
        name: [products(x, terms)[0].tolist() for terms in study.models.values()]
        for name, study in STUDIES.items()
    }
    assert columns == {
        "sample_size": [[2, 3, 5], [3, 5], [5]],
        "missing_predictor": [[5], [2, 3]],
        "missing_interaction": [[2, 3, 5], [2, 5, 10]],
    }
    assert [study.n for study in STUDIES.values()] == [None, 500, 500]
    for study, ends in zip(STUDIES.values(), [(100, 2000), (0.1, 5.5), (0.1, 5.5)], strict=True):
        assert (study.grid[0], study.grid[-1]) == ends
        assert list(study.grid) == sorted(set(study.grid))


def test_other_coefficients_and_sources_of_randomness():
    beta = (0.5, -1.0, 2.0, 3.0)
    X, _, logit_pi = simulation.draw("missing_interaction", 9, 3, value=4, beta=beta)
    np.testing.assert_allclose(logit_pi, 0.5 + X @ beta[1:] + 4 * X[:, 0] * X[:, 2])
    again = simulation.draw("missing_interaction", 9, np.random.default_rng(3), value=4, beta=beta)
    np.testing.assert_array_equal(again.X, X)
    default = simulation.draw("missing_predictor", 9, 3)
    np.testing.assert_array_equal(
        default.logit_pi, simulation.draw("missing_predictor", 9, 3, value=1).logit_pi
    )
