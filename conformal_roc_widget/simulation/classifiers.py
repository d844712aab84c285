"""Classifiers of the simulations: logistic models on chosen terms, and known logits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from conformal_roc_widget.arrays import (
    Floats,
    codes_of,
    labels_of,
    numbers_of,
    same_length,
    two_classes_of,
)
from conformal_roc_widget.calibration.references.logistic import fit_logistic

from .designs import ONE, Term, products


class MaximumLikelihood(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Logistic regression without penalty, on chosen terms.

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
        """Fit the coefficients."""
        features, labels = numbers_of(X, "X", ndim=2), labels_of(y, "y")
        same_length(X=features, y=labels)
        self.classes_ = two_classes_of(labels, "y")
        codes = codes_of(labels, self.classes_, "y")
        self.n_features_in_ = features.shape[1]
        fit = fit_logistic(products(features, (ONE, *self.terms)), codes)
        self.coefficients_, self.separated_ = fit
        return self

    def decision_function(self, X: ArrayLike) -> Floats:
        """Logit of the second class."""
        check_is_fitted(self)
        features = numbers_of(X, "X", ndim=2)
        # Summed by row: with BLAS the last digit would depend on the row's place.
        return np.asarray((products(features, (ONE, *self.terms)) * self.coefficients_).sum(axis=1))

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Probabilities."""
        logits = self.decision_function(X)
        return np.column_stack([expit(-logits), expit(logits)])

    def predict(self, X: ArrayLike) -> Any:
        """The likelier class."""
        return self.classes_[(self.decision_function(X) > 0).astype(np.intp)]


class KnownLogit(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose logit is a given function of X, such as the truth."""

    def __init__(self, function: Callable[[Floats], Floats]) -> None:
        self.function = function

    def fit(self, X: ArrayLike | None = None, y: ArrayLike | None = None) -> Self:
        """Learns only the names of the classes; 0 and 1 if no labels are given."""
        self.classes_ = np.array([0, 1]) if y is None else np.unique(y)
        return self

    def decision_function(self, X: ArrayLike) -> Floats:
        """Logit of the second class."""
        return self.function(np.asarray(X, dtype=np.float64))

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Probabilities of both classes."""
        logits = self.decision_function(X)
        return np.column_stack([expit(-logits), expit(logits)])
