"""Logistic regression by maximum likelihood, without penalty: what R's ``glm`` fits."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigvalsh
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from conformal_roc_widget.studies import ONE, Term, products
from conformal_roc_widget.validation import (
    Floats,
    Ints,
    codes_of,
    labels_of,
    numbers_of,
    same_length,
    two_classes_of,
)

#: Newton steps at most, as ``glm.control`` has it.
STEPS = 25
#: Relative change of the deviance at which the fit ends.
TOLERANCE = 1e-12
#: Share of the information left in some direction below which the labels count as separated.
SEPARATED = 1e-6


class LogisticFit(NamedTuple):
    """Coefficients, and whether the labels are separated so that no finite maximum exists."""

    coefficients: Floats
    separated: bool


def fit_logistic(design: Floats, y: Ints) -> LogisticFit:
    """Maximum likelihood by Newton's method, started and ended as ``glm`` does.

    Where the labels are separated, the likelihood has no maximum. The fit then stops after `STEPS`
    steps at a large finite norm, as ``glm`` does with a warning, and says so.

    Parameters
    ----------
    design : ndarray of shape (n, k)
        Design matrix of full rank, with its intercept.
    y : ndarray of shape (n,)
        Labels 0 and 1.

    Returns
    -------
    LogisticFit
        The fit.
    """
    sign: Floats = np.where(y == 1, 1.0, -1.0)
    # The first weighted least squares step of glm, from its start mu = (y + 1/2) / 2.
    coefficients = _solve(design, sign * (np.log(3) + 4 / 3))
    loss = _loss(design, sign, coefficients)
    for _ in range(STEPS):
        p = expit(design @ coefficients)
        information = (design.T * (p * (1 - p))) @ design
        step = _solve(information, design.T @ (y - p))
        before, loss = loss, _loss(design, sign, coefficients + step)
        while loss > before * (1 + TOLERANCE):
            step /= 2
            loss = _loss(design, sign, coefficients + step)
        coefficients = coefficients + step
        if before - loss < TOLERANCE * (loss + 0.1):
            break
    return LogisticFit(
        coefficients,
        bool(eigvalsh(information, design.T @ design)[0] < SEPARATED),
    )


def _solve(left: Floats, right: Floats) -> Floats:
    """Least squares: near separation the information has next to no rank left."""
    return np.asarray(np.linalg.lstsq(left, right, rcond=None)[0], dtype=np.float64)


def _loss(design: Floats, sign: Floats, coefficients: Floats) -> float:
    """Deviance."""
    return float(2 * np.logaddexp(0, -sign * (design @ coefficients)).sum())


class MaximumLikelihood(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The same as a scikit-learn classifier, on terms of one's choice.

    Parameters
    ----------
    terms : tuple of Term
        Columns of the features whose products enter the logit besides the intercept.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Sorted classes.
    coefficients_ : ndarray of shape (k + 1,)
        Intercept, then one coefficient a term.
    separated_ : bool
        Whether the labels are separated, so that the maximum is at infinity.
    """

    def __init__(self, terms: tuple[Term, ...] = ((0,),)) -> None:
        self.terms = terms

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit the coefficients.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Features.
        y : array_like of shape (n,)
            Labels of two classes.

        Returns
        -------
        MaximumLikelihood
            Itself.
        """
        features, labels = numbers_of(X, "X", ndim=2), labels_of(y, "y")
        same_length(X=features, y=labels)
        self.classes_ = two_classes_of(labels, "y")
        codes = codes_of(labels, self.classes_, "y")
        self.n_features_in_ = features.shape[1]
        fit = fit_logistic(products(features, (ONE, *self.terms)), codes)
        self.coefficients_, self.separated_ = fit
        return self

    def decision_function(self, X: ArrayLike) -> Floats:
        """Logit of the second class.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Features.

        Returns
        -------
        ndarray of shape (n,)
            ``L_p(x)``.
        """
        check_is_fitted(self)
        features = numbers_of(X, "X", ndim=2)
        return np.asarray(products(features, (ONE, *self.terms)) @ self.coefficients_)

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Probabilities.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Features.

        Returns
        -------
        ndarray of shape (n, 2)
            One column a class.
        """
        logits = self.decision_function(X)
        return np.column_stack([expit(-logits), expit(logits)])

    def predict(self, X: ArrayLike) -> Any:
        """The likelier class.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Features.

        Returns
        -------
        ndarray of shape (n,)
            Classes.
        """
        return self.classes_[(self.decision_function(X) > 0).astype(np.intp)]
