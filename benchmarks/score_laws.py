"""Laws of a score for both labels, whose ROC curve and true probabilities are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats
from scipy.special import logit, logsumexp

from conformal_roc_widget.arrays import Floats, Ints

#: A distribution of `scipy.stats`, or a `Mixture`. It has ``rvs``, ``sf``, ``isf`` and ``logpdf``.
Distribution = Any


@dataclass(frozen=True)
class Mixture:
    """Mixture of distributions.

    Parameters
    ----------
    weights : tuple of float
        Positive, of sum 1.
    parts : tuple of Distribution
        As many.
    """

    weights: tuple[float, ...]
    parts: tuple[Distribution, ...]

    def rvs(self, size: int, random_state: np.random.Generator) -> Floats:
        """Random numbers.

        Parameters
        ----------
        size : int
            How many.
        random_state : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray of shape (size,)
            In random order.
        """
        chosen = random_state.choice(len(self.parts), size, p=self.weights)
        drawn = np.array([part.rvs(size, random_state=random_state) for part in self.parts])
        return np.asarray(drawn[chosen, np.arange(size)])

    def sf(self, x: Any) -> Floats:
        """Survival function.

        Parameters
        ----------
        x : array_like
            Points.

        Returns
        -------
        ndarray
            Of the same shape.
        """
        pairs = zip(self.weights, self.parts, strict=True)
        return np.asarray(sum(weight * part.sf(x) for weight, part in pairs))

    def isf(self, q: Any) -> Floats:
        """Inverse of the survival function, by bisection between those of the parts.

        Parameters
        ----------
        q : array_like
            Probabilities in (0, 1).

        Returns
        -------
        ndarray
            Of the same shape.
        """
        ends = np.array([part.isf(q) for part in self.parts])
        low, high = ends.min(axis=0), ends.max(axis=0)
        for _ in range(100):
            middle = (low + high) / 2
            above = self.sf(middle) > q
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        return np.asarray((low + high) / 2)

    def logpdf(self, x: Any) -> Floats:
        """Logarithm of the density.

        Parameters
        ----------
        x : array_like
            Points.

        Returns
        -------
        ndarray
            Of the same shape.
        """
        logs = [part.logpdf(x) for part in self.parts]
        weights = np.array(self.weights).reshape(-1, *np.ones(np.ndim(x), dtype=int))
        return np.asarray(logsumexp(logs, axis=0, b=weights))


@dataclass(frozen=True)
class Law:
    """Law of a score for both labels, and the classifier that reports it as a probability.

    Parameters
    ----------
    title : str
        For tables.
    negative, positive : Distribution
        Of the score x given the label; both labels are equally frequent.
    classifier : callable
        x -> logit of the probability that the classifier reports; increasing, so that its ROC
        curve is that of x, and not calibrated.
    """

    title: str
    negative: Distribution
    positive: Distribution
    classifier: Callable[[Floats], Floats]

    def roc(self, fpr: Floats) -> Floats:
        """Population ROC curve of the score, and so of the classifier.

        Parameters
        ----------
        fpr : ndarray of shape (m,)
            False positive rates in (0, 1).

        Returns
        -------
        ndarray of shape (m,)
            True positive rates.
        """
        return np.asarray(self.positive.sf(self.negative.isf(fpr)))

    def logit_pi(self, x: Floats) -> Floats:
        """Logit of the true probability of the positive label.

        Parameters
        ----------
        x : ndarray of shape (n,)
            Scores.

        Returns
        -------
        ndarray of shape (n,)
            Logarithm of the likelihood ratio.
        """
        return np.asarray(self.positive.logpdf(x) - self.negative.logpdf(x))

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Ints, Floats]:
        """Random scores, as many of each label.

        Parameters
        ----------
        n : int
            Points of each label.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        y : ndarray of shape (2 n,)
            Labels 0 and 1.
        x : ndarray of shape (2 n,)
            Scores.
        """
        parts = [law.rvs(n, random_state=rng) for law in (self.negative, self.positive)]
        return np.repeat([0, 1], n), np.concatenate(parts)


#: The laws by name. To add a law, add an entry.
LAWS: dict[str, Law] = {
    "binormal_equal": Law(
        "normal, equal variances",
        stats.norm(0, 1),
        stats.norm(1.2, 1),
        lambda x: 0.8 * x - 0.2,
    ),
    "binormal_unequal": Law(
        "normal, unequal variances",
        stats.norm(0, 1),
        stats.norm(1.2, 1.6),
        lambda x: 0.8 * x - 0.2,
    ),
    "lognormal": Law(
        "lognormal",
        stats.lognorm(1.0),
        stats.lognorm(0.7, scale=np.exp(1.2)),
        lambda x: np.log(x) - 0.3,
    ),
    "beta": Law(
        "beta",
        stats.beta(2, 4),
        stats.beta(4, 2.5),
        logit,
    ),
    "student": Law(
        "Student t, 3 degrees of freedom",
        stats.t(3),
        stats.t(3, loc=1.5),
        lambda x: 0.6 * x - 0.2,
    ),
    "gamma": Law(
        "gamma",
        stats.gamma(2),
        stats.gamma(4),
        lambda x: 1.4 * np.log(x) - 1.2,
    ),
    "bimodal": Law(
        "bimodal negatives",
        Mixture((0.7, 0.3), (stats.norm(-1, 0.6), stats.norm(1.5, 0.6))),
        stats.norm(1.2, 0.8),
        lambda x: x - 0.3,
    ),
    "exponential": Law(
        "exponential",
        stats.expon(),
        stats.expon(scale=3),
        lambda x: 0.45 * x - 0.5,
    ),
}
