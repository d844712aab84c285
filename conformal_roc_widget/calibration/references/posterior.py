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
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve, solve_triangular
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.references.kernel import thread_pools

#: Prior deviation of the intercept and of the slopes of standardized features.
WEAK = 10.0
#: Prior deviations of the coefficients of squares and products, and of the smooth function.
PRODUCT_DEVIATIONS = (0.01, 0.1, 0.3, 1.0, 3.0)
SMOOTH_DEVIATIONS = (0.01, 0.1, 0.3, 1.0, 3.0, 10.0)
#: A priori the smallest of these deviations (practically 0) is this many times as likely as each
#: other one.
SPIKE = 3.0
#: Length scales: of a function of all d features, times ``sqrt(d)``; of functions of one feature.
JOINT_SCALES, SINGLE_SCALE = (0.4, 0.8, 1.6), 0.5
#: Points at which the smooth function is held.
LANDMARKS = 64
#: With more features than this, squares and products are left out: they would outnumber the points.
FEATURES_WITH_PRODUCTS = 15
#: The posterior uses at most this many points; more would not change the residuals noticeably.
MOST_POINTS = 10_000
#: Draws of the posterior.
DRAWS = 100
#: Draws for the ideal model's curve: at most one for each candidate, and numbers at most in all.
MOST_DRAWS, MOST_NUMBERS = 1001, 5_000_000
#: The search stops at combinations whose log marginal likelihood is this far below the best one's.
DROP = 8.0
#: Newton's steps at most, and the decrement at which they end.
STEPS, DECREMENT = 25, 1e-2
#: Added to the variance at the landmarks, for the Cholesky factor.
JITTER = 1e-6


@dataclass(frozen=True)
class Smooth:
    """A normal process with Gaussian covariance, held at some points.

    Parameters
    ----------
    landmarks : ndarray of shape (m, d)
        The points, standardized.
    scale : float
        Length scale.
    single : bool
        Whether the covariance is the mean over features of one-dimensional ones, so that the
        function is a sum of functions of one feature.
    root : ndarray of shape (m, m)
        Cholesky factor of the covariance of the landmarks.
    """

    landmarks: Floats
    scale: float
    single: bool
    root: Floats

    @classmethod
    def at(cls, landmarks: Floats, scale: float, single: bool) -> Smooth:
        """The process at some landmarks, with its root."""
        covariance = _covariance(landmarks, landmarks, scale, single)
        covariance[np.diag_indices_from(covariance)] += JITTER
        root = np.asarray(np.linalg.cholesky(covariance), dtype=np.float64)
        return cls(landmarks, scale, single, root)

    def columns(self, points: Floats) -> Floats:
        """Functions (n, m) whose independent standard normal coefficients give the process."""
        across = _covariance(points, self.landmarks, self.scale, self.single)
        return np.asarray(solve_triangular(self.root, across.T, lower=True), dtype=np.float64).T


def _covariance(points: Floats, landmarks: Floats, scale: float, single: bool) -> Floats:
    if not single:
        squares = np.square(points).sum(1)[:, None] + np.square(landmarks).sum(1)
        apart: Floats = np.maximum(squares - 2 * points @ landmarks.T, 0.0)
        joint: Floats = np.exp(-0.5 * apart / scale**2)
        return joint
    total: Floats = np.zeros((len(points), len(landmarks)))
    for x, landmark in zip(points.T, landmarks.T, strict=True):
        total += np.exp(-0.5 * np.square((x[:, None] - landmark) / scale))
    total /= points.shape[1]
    return total


class Component(NamedTuple):
    """Normal approximation of the coefficients for one combination of prior deviations.

    Parameters
    ----------
    prior : int, or a tuple in `conformal_roc_widget.calibration.references.additive_posterior`
        The combination; here the number of its smooth function.
    evidence : float
        Log marginal likelihood and log prior probability, up to a constant.
    mode : ndarray of shape (p,)
        Coefficients at the mode.
    root : ndarray of shape (p, p)
        Lower Cholesky factor of the precision.
    """

    prior: Any
    evidence: float
    mode: Floats
    root: Floats


def probabilities(components: Sequence[Component]) -> Floats:
    """Posterior probabilities of the combinations."""
    evidence = np.array([one.evidence for one in components])
    weights = np.exp(evidence - evidence.max())
    return np.asarray(weights / weights.sum())


def coefficients(
    components: Sequence[Component], n_draws: int, rng: np.random.Generator
) -> Iterator[tuple[Component, Floats]]:
    """Draws (p, k) of each component's coefficients, k by its probability and none where k is 0."""
    counts = rng.multinomial(n_draws, probabilities(components))
    for one, count in zip(components, counts, strict=True):
        if count:
            normal = rng.standard_normal((one.mode.size, count))
            away = solve_triangular(one.root, normal, lower=True, trans="T")
            yield one, one.mode[:, None] + away


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
        for number, columns in self._designs(X):
            parts = zip(self.components, probabilities(self.components), strict=True)
            total += columns @ sum(
                (weight * one.mode for one, weight in parts if one.prior == number),
                start=np.zeros(columns.shape[1]),
            )
        return total

    def draws(self, X: Floats, n_draws: int = DRAWS, seed: int = 0) -> Floats:
        """Functions ``logit pi`` (n, n_draws) from the posterior, the same for the same seed."""
        rng = np.random.default_rng([seed, 1])
        drawn: list[list[Floats]] = [[] for _ in self.smooths]
        for one, values in coefficients(self.components, n_draws, rng):
            drawn[one.prior].append(values)
        return np.concatenate(
            [
                columns @ np.concatenate(drawn[number], axis=1)
                for number, columns in self._designs(X)
                if drawn[number]
            ],
            axis=1,
        )

    def _designs(self, X: Floats) -> Iterator[tuple[int, Floats]]:
        """Design matrix for each smooth function."""
        points = (X[:, self.varies] - self.centre) / self.spread
        low = np.concatenate(low_order_columns(points), axis=1)
        for number, smooth in enumerate(self.smooths):
            yield number, np.concatenate([low, smooth.columns(points)], axis=1)


def low_order_columns(points: Floats) -> tuple[Floats, Floats]:
    """Intercept and slopes; and squares and products, of unit variance if features are normal."""
    n, d = points.shape
    linear = np.concatenate([np.ones((n, 1)), points], axis=1)
    if d > FEATURES_WITH_PRODUCTS:
        return linear, np.empty((n, 0))
    i, j = np.triu_indices(d)
    products = points[:, i] * points[:, j]
    products[:, i == j] = (products[:, i == j] - 1) / np.sqrt(2)
    return linear, products


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
    varies: NDArray[np.bool_] = X.max(axis=0) > X.min(axis=0)
    centre, spread = X[:, varies].mean(axis=0), X[:, varies].std(axis=0)
    points = (X[:, varies] - centre) / spread
    linear, products = low_order_columns(points)
    low = np.concatenate([linear, products], axis=1)
    distinct = np.unique(points, axis=0)
    landmarks = distinct[rng.permutation(len(distinct))[:LANDMARKS]]
    smooths = smooth_candidates(landmarks)
    part = np.repeat([0, 1, 2], [linear.shape[1], products.shape[1], len(landmarks)])
    components: list[Component] = []
    # Many small factorizations: threads of their own would only get in each other's way.
    with thread_pools().limit(limits=1, user_api="blas"):
        for number, smooth in enumerate(smooths):
            design = np.concatenate([low, smooth.columns(points)], axis=1)
            best = max((one.evidence for one in components), default=-np.inf)
            components += _pursue(design, y, part, number, best)
    return LogitPosterior(centre, spread, varies, smooths, tuple(components))


def draws_for_candidates(n_points: int) -> int:
    """How many draws the ideal model's curve is made from."""
    return max(DRAWS, min(MOST_DRAWS, MOST_NUMBERS // n_points))


@dataclass(frozen=True)
class ClassPosteriors:
    """Posteriors of the logit of each class against the rest; of two classes, of the second one."""

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


def smooth_candidates(landmarks: Floats) -> tuple[Smooth, ...]:
    """Candidates for the smooth function, from rough to smooth."""
    d = landmarks.shape[1]
    joint = [Smooth.at(landmarks, scale * max(d, 1) ** 0.5, False) for scale in JOINT_SCALES]
    # With a single feature the sum over features would be a joint function again.
    return (*joint, Smooth.at(landmarks, SINGLE_SCALE, True)) if d > 1 else tuple(joint)


def _pursue(design: Floats, y: Ints, part: Ints, number: int, best: float) -> list[Component]:
    """Posteriors along the grid of deviations, until the evidence falls `DROP` below the best."""
    found: list[Component] = []
    first = np.zeros(design.shape[1])
    row_before = -np.inf
    for product in PRODUCT_DEVIATIONS if (part == 1).any() else PRODUCT_DEVIATIONS[:1]:
        start, before, row = first, -np.inf, -np.inf
        for at, smooth in enumerate(SMOOTH_DEVIATIONS):
            precision = np.array([WEAK, product, smooth])[part] ** -2.0
            mode, root, evidence = laplace(design, y, precision, start)
            evidence += np.log(SPIKE) * ((product == PRODUCT_DEVIATIONS[0]) + (at == 0))
            found.append(Component(number, evidence, mode, root))
            start = mode
            first = mode if at == 0 else first
            best, row = max(best, evidence), max(row, evidence)
            if evidence < best - DROP and evidence < before:
                break
            before = evidence
        if row < best - DROP and row < row_before:
            break
        row_before = row
    return found


def laplace(
    design: Floats, y: Ints, precision: Floats, start: Floats
) -> tuple[Floats, Floats, float]:
    """Laplace's approximation for logistic regression with independent normal priors.

    From columns (n, p), labels, prior precisions (p,) and a start for Newton's method to the mode,
    the lower Cholesky factor of the precision there, and the log marginal likelihood.
    """
    sign: Floats = np.where(y == 1, 1.0, -1.0)

    def loss(logits: Floats, mode: Floats) -> float:
        prior = 0.5 * np.square(mode) @ precision
        return float(np.logaddexp(0, -sign * logits).sum() + prior)

    mode, logits = start, design @ start
    value = loss(logits, mode)
    for _ in range(STEPS):
        p = expit(logits)
        scaled = np.sqrt(p * (1 - p))[:, None] * design
        curvature = scaled.T @ scaled
        curvature[np.diag_indices_from(curvature)] += precision
        root = np.asarray(np.linalg.cholesky(curvature), dtype=np.float64)
        gradient = design.T @ (y - p) - precision * mode
        step = np.asarray(cho_solve((root, True), gradient))
        decrement = float(gradient @ step)
        before, value = value, loss(design @ (mode + step), mode + step)
        while value > before + 1e-9 * (1 + abs(before)):
            step /= 2
            value = loss(design @ (mode + step), mode + step)
        mode = mode + step
        logits = design @ mode
        if decrement < DECREMENT:
            break
    half_log_ratio = 0.5 * np.log(precision).sum() - np.log(np.diag(root)).sum()
    return mode, root, float(half_log_ratio - value)


def sharp_residuals(draws: Floats, logits: Floats) -> Floats:
    """Residuals of the points of one label, one a point, with the distribution of the posterior.

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
