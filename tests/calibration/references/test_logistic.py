"""Unpenalized logistic regression, against a general optimizer and by hand."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from conformal_roc_widget.calibration.references.logistic import fit_logistic


def deviance(design, y, coefficients):
    """Minus twice the log likelihood, point by point."""
    total = 0.0
    for row, label in zip(design, y, strict=True):
        value = sum(a * b for a, b in zip(row, coefficients, strict=True))
        total += 2 * math.log1p(math.exp(-value if label else value))
    return total


def test_an_intercept_alone_is_the_logit_of_the_share():
    y = np.repeat([0, 1], [3, 9])
    fit = fit_logistic(np.ones((12, 1)), y)
    np.testing.assert_allclose(fit.coefficients, [math.log(3)], rtol=1e-12)
    assert not fit.separated


def test_two_groups_have_the_logits_of_their_shares():
    x = np.repeat([0.0, 1.0], 10)
    y = np.concatenate([np.repeat([0, 1], [8, 2]), np.repeat([0, 1], [4, 6])])
    fit = fit_logistic(np.column_stack([np.ones(20), x]), y)
    expected = [math.log(2 / 8), math.log(6 / 4) - math.log(2 / 8)]
    np.testing.assert_allclose(fit.coefficients, expected, rtol=1e-10)


def test_the_maximum_agrees_with_a_general_optimizer(rng):
    design = np.column_stack([np.ones(60), rng.normal(size=(60, 2))])
    y = (rng.random(60) < 1 / (1 + np.exp(-design @ [0.3, 1.0, -0.5]))).astype(int)
    found = minimize(lambda w: deviance(design, y, w), np.zeros(3), method="BFGS", tol=1e-9)
    np.testing.assert_allclose(fit_logistic(design, y).coefficients, found.x, atol=1e-5)


@pytest.mark.parametrize("gap", [0.0, 1.0])
def test_separated_labels_are_found_and_their_fit_is_finite(gap):
    x = np.concatenate([np.linspace(-1, 0, 10), np.linspace(gap, 1 + gap, 10)])
    fit = fit_logistic(np.column_stack([np.ones(20), x]), np.repeat([0, 1], 10))
    assert fit.separated
    assert np.isfinite(fit.coefficients).all()
