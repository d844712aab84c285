"""Describes the simulation studies of the paper's section 5 as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints

#: A term of a logit is a product of columns, given by their indices. The empty product is the
#: intercept.
Term = tuple[int, ...]
#: Coefficients ``(beta_0, beta_1, beta_2, beta_3)``.
Beta = tuple[float, float, float, float]

ONE, X1, X2, X3, X1_X3 = (), (0,), (1,), (2,), (0, 2)


class Normal(NamedTuple):
    """The mean and the covariance of the normal distribution of the covariates."""

    mean: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]


class Sample(NamedTuple):
    """Points with their labels and true logits.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Covariates.
    y : ndarray of shape (n,)
        Labels 0 and 1.
    logit_pi : ndarray of shape (n,)
        ``logit pi(x)``.
    """

    X: Floats
    y: Ints
    logit_pi: Floats

    def rows(self, rows: slice) -> Sample:
        """Returns a slice of the points.

        Parameters
        ----------
        rows : slice
            The points to take.

        Returns
        -------
        Sample
            The points in the order of the slice.
        """
        return Sample(self.X[rows], self.y[rows], self.logit_pi[rows])


@dataclass(frozen=True)
class Study:
    """One study: the distribution of its points, and the models to compare.

    Parameters
    ----------
    title : str
        Name of the study.
    value : str
        Name of the quantity that varies along `grid`.
    grid : tuple of float
        Values of the full study.
    n : int or None
        Number of observed points, half of which train and half calibrate. None if it is the value
        that varies.
    covariates : Normal
        Distribution of the covariates of the observed points and of the iid test points.
    shifted : callable
        Value -> distribution of the covariates of the shifted test points.
    coefficients : callable
        ``(beta, value)`` -> the coefficient of each term of ``logit pi``.
    models : mapping of str to tuple
        Model -> the terms that its logistic regression has besides the intercept.
    least : float
        The smallest value that makes sense.
    """

    title: str
    value: str
    grid: tuple[float, ...]
    n: int | None
    covariates: Normal
    shifted: Callable[[float], Normal]
    coefficients: Callable[[Beta, float], Mapping[Term, float]]
    models: Mapping[str, tuple[Term, ...]]
    least: float = 0.0

    def logit_pi(self, X: Floats, value: float, beta: Beta) -> Floats:
        """Returns the true logit of each point at a value of the study.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            Covariates.
        value : float
            Value of the study.
        beta : tuple of four floats
            Coefficients. The value replaces one of them in some studies.

        Returns
        -------
        ndarray of shape (n,)
            ``logit pi(x)``.
        """
        terms = self.coefficients(beta, value)
        return np.asarray(products(X, tuple(terms)) @ np.array(list(terms.values())))

    def direction(self, value: float, beta: Beta) -> Floats:
        """Returns the projection of the covariates for the oracle distance.

        The distance is ``|(beta_1, beta_2, beta_3) (x_i - x_j)|``.

        Parameters
        ----------
        value, beta
            See `logit_pi`.

        Returns
        -------
        ndarray of shape (d,)
            Coefficients of the single covariates, without those of products.
        """
        terms = self.coefficients(beta, value)
        return np.array([terms.get((j,), 0.0) for j in range(len(self.covariates.mean))])

    def draw(
        self, n: int, rng: np.random.Generator, *, shifted: bool, value: float, beta: Beta
    ) -> Sample:
        """Draws random points of the study, with the true logit of each.

        Parameters
        ----------
        n : int
            Number of points.
        rng : numpy.random.Generator
            Source of randomness.
        shifted : bool
            Whether the covariates follow the shifted distribution.
        value, beta
            See `logit_pi`.

        Returns
        -------
        Sample
            The points.
        """
        law = self.shifted(value) if shifted else self.covariates
        root = np.linalg.cholesky(np.array(law.covariance))
        X = np.array(law.mean) + rng.standard_normal((n, len(law.mean))) @ root.T
        logit_pi = self.logit_pi(X, value, beta)
        return Sample(X, (rng.random(n) < expit(logit_pi)).astype(np.intp), logit_pi)


def products(X: Floats, terms: tuple[Term, ...]) -> Floats:
    """A design matrix. Its column for each of the `terms` is a product of columns of `X`."""
    return np.column_stack([X[:, list(term)].prod(axis=1) for term in terms])


def _study_2(
    title: str,
    value: str,
    shifted: Callable[[float], Normal],
    coefficients: Callable[[Beta, float], Mapping[Term, float]],
    models: Mapping[str, tuple[Term, ...]],
) -> Study:
    """Makes a setting of Study 2. Both settings have the same grid, sample size and covariates."""
    grid = (0.1, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5)
    covariates = Normal((0, 0, 0), ((1, 0.1, 0), (0.1, 1, 0), (0, 0, 1)))
    return Study(title, value, grid, 500, covariates, shifted, coefficients, models)


#: The studies by setting. A new one needs an entry here.
STUDIES: dict[str, Study] = {
    "sample_size": Study(
        title="Study 1: sample size",
        value="n",
        grid=(100, 200, 300, 500, 700, 1000, 1500, 2000),
        n=None,
        covariates=Normal((0, 0, 0), ((1, 0.1, -0.01), (0.1, 1, 0.1), (-0.01, 0.1, 1))),
        shifted=lambda n: Normal(
            (2, 1, -0.6), ((0.5, 0.1, 0.01), (0.1, 0.4, 0.1), (0.01, 0.1, 0.3))
        ),
        coefficients=lambda beta, n: {ONE: beta[0], X1: beta[1], X2: beta[2], X3: beta[3]},
        models={"M1": (X1, X2, X3), "M2": (X2, X3), "M3": (X3,)},
    ),
    "missing_predictor": _study_2(
        title="Study 2, setting 1: missing important predictors",
        value="β₃",
        shifted=lambda beta_3: Normal(
            (2, 1, -0.6), ((0.5, 0.1, 0.01), (0.1, 0.4, 0.1), (0.01, 0.1, 0.3))
        ),
        coefficients=lambda beta, beta_3: {ONE: beta[0], X1: beta[1], X2: beta[2], X3: beta_3},
        models={"M1": (X3,), "M2": (X1, X2)},
    ),
    "missing_interaction": _study_2(
        title="Study 2, setting 2: missing interaction term",
        value="γ",
        shifted=lambda gamma: Normal(
            (1, 1, 2 * gamma - 2), ((0.5, 0.1, 0), (0.1, 0.4, 0), (0, 0, 0.3))
        ),
        coefficients=lambda beta, gamma: {
            ONE: beta[0],
            X1: beta[1],
            X2: beta[2],
            X3: beta[3],
            X1_X3: gamma,
        },
        models={"M1": (X1, X2, X3), "M2": (X1, X3, X1_X3)},
    ),
}
