"""Makes the sharp reference, a posterior of the true ``logit pi`` instead of one noisy estimate.

A reference ``pi~`` replaces the true probability ``pi`` in the residuals ``logit pi~ - logit p``.
The kernel's ``pi~`` is a noisy estimate, and its noise goes into every residual: if the classifier
is right, most of what the residuals show is noise. A smoother estimate has the opposite error: it
is closer to its own mean than ``pi`` is. So residuals shrink, and if the classifier is wrong,
intervals lose their coverage. Intervals need no single estimate. They need the distribution of ``R
= logit pi(x) - logit p(x)`` over the points of a label. This is the mean over all calibration
points of the posterior of ``R``, whose spread contains exactly what the data leave open. By the law
of total variance, shrinkage and noise cancel in it.

The model of ``logit pi`` is logistic, and the sum of three parts, each with a normal prior:

* an intercept and one slope a feature (prior deviation `WEAK`, which is nearly flat);
* squares and products of two features, with one common deviation;
* a smooth function, either of all features at once or a sum of one for each, with a Gaussian
  covariance at a few points (`LANDMARKS`), one deviation and one of several length scales.

Deviations and length scales are not fitted. The posterior is averaged over a grid of them, and each
combination is weighted by its marginal likelihood (Laplace's approximation). If the data suggest
straight lines, the other two parts nearly vanish. If not, they contribute.

Instead of (A3), two assumptions are made: ``logit pi`` approximately has this form, and points are
exchangeable. Then ``(x, y, pi(x))`` of a calibration point and of a test point have the same
distribution, and so does a draw of ``pi(x)`` from its posterior given all labelled points, even at
the labelled points themselves. So, on average over the prior, the coverage is that of exact
residuals. It is not distribution-free: a jump, or a narrow bump that few points reveal, costs
coverage, as it does with the kernel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, Ints, deviation

from .additive_posterior import (
    MOST_POINTS,
    WEAK,
    AdditiveModel,
    Component,
    Grids,
    Smooth,
    coefficients,
    designs_of,
    low_order_columns,
    probabilities,
    smooth_candidates,
)
from .kernel import thread_pools

#: The grids of prior deviations. The only deviation of slopes is so large that their prior is
#: nearly flat.
GRIDS = Grids(
    slopes=(WEAK,),
    products=(0.01, 0.1, 0.3, 1.0, 3.0),
    smooths=(0.01, 0.1, 0.3, 1.0, 3.0, 10.0),
)
#: The number of draws from the posterior.
DRAWS = 100


@dataclass(frozen=True)
class LogitPosterior:
    """A posterior of ``logit pi``: a mixture over the combinations of prior deviations.

    Parameters
    ----------
    centre, spread : ndarray of shape (d,)
        Mean and deviation of the features that vary.
    varies : ndarray of bool of shape (d,)
        Whether each feature varies.
    smooths : tuple of Smooth
        Candidates for the smooth function.
    components : tuple of Component
        One for each combination of prior deviations that was visited.
    """

    centre: Floats
    spread: Floats
    varies: NDArray[np.bool_]
    smooths: tuple[Smooth, ...]
    components: tuple[Component, ...]

    def logits(self, X: Floats) -> Floats:
        """Posterior mean of ``logit pi`` (n,), for display. It is too smooth for residuals."""
        total = np.zeros(len(X))
        weights = probabilities(self.components)
        for candidate, design in enumerate(self._designs(X, self.smooths)):
            parts = zip(self.components, weights, strict=True)
            total += design @ sum(
                (weight * one.mode for one, weight in parts if one.at.candidate == candidate),
                start=np.zeros(design.shape[1]),
            )
        return total

    def draws(self, X: Floats, n_draws: int = DRAWS, seed: int = 0) -> Floats:
        """Draws functions ``logit pi`` from the posterior. Returns values (n, n_draws) at `X`.

        The same seed always gives the same functions.
        """
        rng = np.random.default_rng([seed, 1])
        drawn: list[list[Floats]] = [[] for _ in self.smooths]
        for one, values in coefficients(self.components, n_draws, rng):
            drawn[one.at.candidate].append(values)
        # A design is made only for a candidate with draws. Making a design takes longer than
        # drawing, and most candidates have no draws.
        with_draws = [candidate for candidate, values in enumerate(drawn) if values]
        designs = self._designs(X, [self.smooths[candidate] for candidate in with_draws])
        found = np.empty((len(X), n_draws))
        done = 0
        for candidate, design in zip(with_draws, designs, strict=True):
            values = np.concatenate(drawn[candidate], axis=1)
            of_candidate = found[:, done : done + values.shape[1]]
            of_candidate[:] = design @ values
            done += values.shape[1]
        return found

    def _designs(self, X: Floats, smooths: Sequence[Smooth]) -> Iterator[Floats]:
        points = (X[:, self.varies] - self.centre) / self.spread
        low = np.concatenate(low_order_columns(points), axis=1)
        return designs_of(low, smooths, points)


@dataclass(frozen=True)
class SharpDesigns:
    """What posteriors of all classes share at the same points: it does not depend on the labels.

    Parameters
    ----------
    rows : ndarray of shape (m,)
        Indices of the points that are used.
    centre, spread, varies, smooths
        See `LogitPosterior`.
    part : ndarray of shape (p,)
        The model's group of each column.
    designs : list of ndarray of shape (m, p)
        A design for each candidate of the smooth function.
    """

    rows: Ints
    centre: Floats
    spread: Floats
    varies: NDArray[np.bool_]
    smooths: tuple[Smooth, ...]
    part: Ints
    designs: list[Floats]

    @classmethod
    def of(cls, X: Floats) -> SharpDesigns:
        """Makes the designs from the features `X` (n, d) of all labelled points."""
        # The generator chooses the landmarks of `smooth_candidates`. If there are more than
        # `MOST_POINTS` points, it also chooses the points that are used.
        rng = np.random.default_rng([0, 0])
        rows = np.arange(len(X))
        if len(X) > MOST_POINTS:
            rows = np.sort(rng.choice(len(X), MOST_POINTS, replace=False))
            X = X[rows]
        spread = deviation(X)
        varies: NDArray[np.bool_] = (X.max(axis=0) > X.min(axis=0)) & (spread > 0)
        centre, spread = X[:, varies].mean(axis=0), spread[varies]
        points = (X[:, varies] - centre) / spread
        linear, products = low_order_columns(points)
        low = np.concatenate([linear, products], axis=1)
        smooths = smooth_candidates(points, rng)
        designs = list(designs_of(low, smooths, points))
        widths = [1, points.shape[1], products.shape[1], designs[0].shape[1] - low.shape[1]]
        return cls(rows, centre, spread, varies, smooths, np.repeat(np.arange(4), widths), designs)

    def posterior(self, y: Ints) -> LogitPosterior:
        """Computes the posterior of ``logit pi`` from the labels `y` of all points."""
        model = AdditiveModel(GRIDS, self.part, self.designs, y[self.rows])
        # The matrices are small, so more than one thread would be slower.
        with thread_pools().limit(limits=1, user_api="blas"):
            model.walk_rows()
        visited = tuple(model.visited.values())
        return LogitPosterior(self.centre, self.spread, self.varies, self.smooths, visited)


def fit_sharp(X: Floats, y: Ints) -> LogitPosterior:
    """Computes the posterior of ``logit pi`` from labelled points.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Features of all labelled points, both those that train and those that calibrate. No
        classifier is involved. For a single score, its logit is the feature.
    y : ndarray of shape (n,)
        Labels 0 and 1, both present.

    Returns
    -------
    LogitPosterior
        The posterior.
    """
    return SharpDesigns.of(X).posterior(y)


@dataclass(frozen=True)
class ClassPosteriors:
    """For each class, the posterior of its logit against the rest.

    If there are two classes, there is one posterior, for the second class.
    """

    fits: tuple[LogitPosterior, ...]

    @classmethod
    def of(cls, X: Floats, codes: Ints, n_classes: int) -> ClassPosteriors:
        """Computes the posteriors from features `X` (n, d) and classes of all labelled points."""
        fitted = (1,) if n_classes == 2 else range(n_classes)
        designs = SharpDesigns.of(X)
        return cls(tuple(designs.posterior((codes == l).astype(np.intp)) for l in fitted))

    def means(self, X: Floats) -> Floats:
        """Returns posterior means (n, k) of each class's logit at the rows of `X`."""
        means = [fit.logits(X) for fit in self.fits]
        return np.column_stack(means if len(means) > 1 else [-means[0], means[0]])

    def draws(self, X: Floats, column: int, n_draws: int = DRAWS) -> Floats:
        """Draws functions, the logits of the class `column`. Returns their values (n, n_draws)."""
        if len(self.fits) > 1:
            return self.fits[column].draws(X, n_draws)
        draws = self.fits[0].draws(X, n_draws)
        return draws if column == 1 else -draws


def sharp_residuals(draws: Floats, logits: Floats) -> Floats:
    """Returns as many residuals as one label has points. They are spread as the posterior is.

    Parameters
    ----------
    draws : ndarray of shape (n, n_draws)
        Draws of ``logit pi`` at the calibration points of the label. See `LogitPosterior.draws`.
    logits : ndarray of shape (n,)
        ``logit p`` of the classifier at the same points.

    Returns
    -------
    ndarray of shape (n,)
        Evenly spaced quantiles of ``draws - logits`` over all points and draws. If a point has the
        k-th smallest value in the first draw, it gets the k-th quantile, so that the residuals of
        near points are similar.
    """
    residuals = draws - logits[:, None]
    place = np.argsort(np.argsort(residuals[:, 0]))
    return np.asarray(evenly_spaced(residuals, logits.size)[place])


def evenly_spaced(values: Floats, n: int) -> Floats:
    """Returns ascending quantiles (n,) of all values together, at the middles of n equal parts."""
    ordered = np.sort(values, axis=None)
    return np.asarray(ordered[(2 * np.arange(n) + 1) * ordered.size // (2 * n)])
