"""Makes the classifiers of the simulations: logistic models with chosen terms, and known logits."""

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
    """Logistic regression without penalty, with chosen terms.

    Parameters
    ----------
    terms : tuple of Term
        Columns of the features. For each tuple, their product is a term of the logit besides the
        intercept.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Sorted classes.
    coefficients_ : ndarray of shape (k + 1,)
        The intercept, then one coefficient for each term.
    separated_ : bool
        Whether the labels are separated, so that the likelihood has its maximum at infinity.
    """

    def __init__(self, terms: tuple[Term, ...] = ((0,),)) -> None:
        self.terms = terms

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fits the coefficients."""
        features, labels = numbers_of(X, "X", ndim=2), labels_of(y, "y")
        same_length(X=features, y=labels)
        self.classes_ = two_classes_of(labels, "y")
        codes = codes_of(labels, self.classes_, "y")
        self.n_features_in_ = features.shape[1]
        fit = fit_logistic(products(features, (ONE, *self.terms)), codes)
        self.coefficients_, self.separated_ = fit
        return self

    def decision_function(self, X: ArrayLike) -> Floats:
        """Returns the logit of the second class for each row (n,)."""
        check_is_fitted(self)
        features = numbers_of(X, "X", ndim=2)
        # Each row is summed by itself. With a matrix product (BLAS), the last digit would depend on
        # the row's position.
        return np.asarray((products(features, (ONE, *self.terms)) * self.coefficients_).sum(axis=1))

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Returns the probabilities of both classes for each row (n, 2)."""
        logits = self.decision_function(X)
        return np.column_stack([expit(-logits), expit(logits)])

    def predict(self, X: ArrayLike) -> Any:
        """Returns the more probable class of each row."""
        return self.classes_[(self.decision_function(X) > 0).astype(np.intp)]


class KnownLogit(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose logit is a given function of X, such as the truth."""

    def __init__(self, function: Callable[[Floats], Floats]) -> None:
        self.function = function

    def fit(self, X: ArrayLike | None = None, y: ArrayLike | None = None) -> Self:
        """Stores the names of the classes. Without labels they are 0 and 1."""
        self.classes_ = np.array([0, 1]) if y is None else np.unique(y)
        return self

    def decision_function(self, X: ArrayLike) -> Floats:
        """Returns the logit of the second class for each row (n,)."""
        return self.function(np.asarray(X, dtype=np.float64))

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Returns the probabilities of both classes for each row (n, 2)."""
        logits = self.decision_function(X)
        return np.column_stack([expit(-logits), expit(logits)])
