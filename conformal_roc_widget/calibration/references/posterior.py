"""The sharp reference: a posterior for ``logit pi``, in place of one noisy estimate of it.

The kernel's ``pi~`` is an estimate, and its noise goes into every residual ``logit pi~ - logit p``:
for a classifier that is right, most of what the residuals show is that noise. A smoother estimate
errs the other way: it lies closer to its own mean than ``pi`` does, residuals shrink, and intervals
of a classifier that is wrong lose their coverage. Intervals need neither, but the
distribution of ``R = logit pi(x) - logit p(x)`` over the points of a label, and that is the mean of
what is known of ``R`` at every calibration point: of its posterior, whose spread holds exactly what
the data leave open. Shrinkage and noise cancel there by the law of total variance.

The model of ``logit pi`` is logistic and additive in three parts, each with a normal prior:

* an intercept and one slope a feature (prior deviation `WEAK`, that is next to none);
* squares and products of two features, one common deviation;
* a smooth function, either of all features at once or a sum of one for each, with a Gaussian
  covariance at a few points (`LANDMARKS`), one deviation and one of several length scales.

Deviations and length scales are not fitted: the posterior is averaged over a grid of them, each
combination weighted by its marginal likelihood (Laplace's approximation). Where the data speak for
straight lines, the other parts all but vanish; where they do not, the parts come in.

What is assumed, in place of (A3): ``logit pi`` is of that form, approximately, and points are
exchangeable. Then ``(x, y, pi(x))`` of a calibration point and of a test point have one
distribution, and a draw of ``pi(x)`` from its posterior given all labelled points is a draw from
it, also at the labelled points themselves. The coverage is thus that of exact residuals on average
over the prior. It is not distribution-free: a jump, or a narrow bump that few points reveal, costs
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

#: Grids of prior deviations; slopes have next to no prior.
GRIDS = Grids(
    slopes=(WEAK,),
    products=(0.01, 0.1, 0.3, 1.0, 3.0),
    smooths=(0.01, 0.1, 0.3, 1.0, 3.0, 10.0),
)
#: Draws of the posterior.
DRAWS = 100


@dataclass(frozen=True)
class LogitPosterior:
    """Posterior of ``logit pi``: a mixture over the combinations of prior deviations.

    Parameters
    ----------
    centre, spread : ndarray of shape (d,)
        Mean and deviation of the features that vary.
    varies : ndarray of bool of shape (d,)
        Which features vary.
    smooths : tuple of Smooth
        Candidates for the smooth function.
    components : tuple of Component
        One for each combination of prior deviations that was pursued.
    """

    centre: Floats
    spread: Floats
    varies: NDArray[np.bool_]
    smooths: tuple[Smooth, ...]
    components: tuple[Component, ...]

    def logits(self, X: Floats) -> Floats:
        """Posterior mean of ``logit pi`` (n,): an estimate to look at, too smooth for residuals."""
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
        """Functions ``logit pi`` (n, n_draws) from the posterior, the same for the same seed."""
        rng = np.random.default_rng([seed, 1])
        drawn: list[list[Floats]] = [[] for _ in self.smooths]
        for one, values in coefficients(self.components, n_draws, rng):
            drawn[one.at.candidate].append(values)
        # Made on first use: a design takes longer than its draws, and most designs have no draws.
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


def fit_sharp(X: Floats, y: Ints, *, seed: int = 0) -> LogitPosterior:
    """Posterior of ``logit pi`` from labelled points.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Features of all labelled points: those that train and those that calibrate. No classifier
        has a part in it. For a single score, its logit is the feature.
    y : ndarray of shape (n,)
        Labels 0 and 1, both present.
    seed : int
        Of the choice of landmarks, and of the points where there are more than `MOST_POINTS`.

    Returns
    -------
    LogitPosterior
        The posterior.
    """
    rng = np.random.default_rng([seed, 0])
    if len(X) > MOST_POINTS:
        rows = np.sort(rng.choice(len(X), MOST_POINTS, replace=False))
        X, y = X[rows], y[rows]
    spread = deviation(X)
    varies: NDArray[np.bool_] = (X.max(axis=0) > X.min(axis=0)) & (spread > 0)
    centre, spread = X[:, varies].mean(axis=0), spread[varies]
    points = (X[:, varies] - centre) / spread
    linear, products = low_order_columns(points)
    low = np.concatenate([linear, products], axis=1)
    smooths = smooth_candidates(points, rng)
    designs = list(designs_of(low, smooths, points))
    widths = [1, points.shape[1], products.shape[1], designs[0].shape[1] - low.shape[1]]
    model = AdditiveModel(GRIDS, np.repeat(np.arange(4), widths), designs, y)
    # Many small factorizations: threads of their own would only get in each other's way.
    with thread_pools().limit(limits=1, user_api="blas"):
        model.walk_rows()
    return LogitPosterior(centre, spread, varies, smooths, tuple(model.visited.values()))


@dataclass(frozen=True)
class ClassPosteriors:
    """Posteriors of the logit of each class against the rest.

    If there are two classes, of the second.
    """

    fits: tuple[LogitPosterior, ...]

    @classmethod
    def of(cls, X: Floats, codes: Ints, n_classes: int) -> ClassPosteriors:
        """Posteriors from all labelled points (n, d) and their classes."""
        fitted = (1,) if n_classes == 2 else range(n_classes)
        return cls(tuple(fit_sharp(X, (codes == l).astype(np.intp)) for l in fitted))

    def means(self, X: Floats) -> Floats:
        """Posterior means (n, k)."""
        means = [fit.logits(X) for fit in self.fits]
        return np.column_stack(means if len(means) > 1 else [-means[0], means[0]])

    def draws(self, X: Floats, column: int, n_draws: int = DRAWS) -> Floats:
        """Draws (n, n_draws) of the logit of one class, one function a column."""
        if len(self.fits) > 1:
            return self.fits[column].draws(X, n_draws)
        draws = self.fits[0].draws(X, n_draws)
        return draws if column == 1 else -draws


def sharp_residuals(draws: Floats, logits: Floats) -> Floats:
    """Residuals for the points of one label, as many as points, spread as the posterior is.

    Parameters
    ----------
    draws : ndarray of shape (n, n_draws)
        Draws of ``logit pi`` at the calibration points of the label; see `LogitPosterior.draws`.
    logits : ndarray of shape (n,)
        ``logit p`` of the classifier there.

    Returns
    -------
    ndarray of shape (n,)
        Evenly spaced quantiles of ``draws - logits`` over all points and draws. Each stands at the
        point that has its rank in the first draw, so that near points keep what they have in
        common.
    """
    residuals = draws - logits[:, None]
    place = np.argsort(np.argsort(residuals[:, 0]))
    return np.asarray(evenly_spaced(residuals, logits.size)[place])


def evenly_spaced(values: Floats, n: int) -> Floats:
    """Ascending quantiles (n,) at the middles of n equal parts of the pooled values."""
    ordered = np.sort(values, axis=None)
    return np.asarray(ordered[(2 * np.arange(n) + 1) * ordered.size // (2 * n)])
