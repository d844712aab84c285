"""Classifiers of the simulation studies: the fitted models, and the truth."""

from __future__ import annotations

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
from conformal_roc_widget.calibration.logistic import fit_logistic
from conformal_roc_widget.simulation.designs import ONE, Beta, Study, Term, products


class MaximumLikelihood(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Logistic regression without penalty, on terms of one's choice.

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
        # Summed by row and not by BLAS, whose last digit depends on where a row stands.
        return np.asarray((products(features, (ONE, *self.terms)) * self.coefficients_).sum(axis=1))

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


class Truth(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The true ``pi`` of a study as a classifier, so that it can be a reference.

    Parameters
    ----------
    study : Study
        The study.
    value : float
        Its value.
    beta : tuple of four floats
        Its other coefficients.
    """

    def __init__(self, study: Study, value: float, beta: Beta) -> None:
        self.study = study
        self.value = value
        self.beta = beta

    def fit(self, X: Floats, y: Any) -> Self:
        """Learn nothing but the names of the classes."""
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X: Floats) -> Floats:
        """``logit pi``."""
        return self.study.logit_pi(X, self.value, self.beta)

    def predict_proba(self, X: Floats) -> Floats:
        """``1 - pi`` and ``pi``."""
        logits = self.decision_function(X)
        return np.column_stack([expit(-logits), expit(logits)])
