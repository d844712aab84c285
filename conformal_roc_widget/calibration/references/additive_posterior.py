"""Posterior of an additive logistic model whose prior deviations are unknown.

The columns of the model come in four parts. The first has next to no prior (the intercept, scores
that are trusted); each of the others has one deviation for all of its coefficients: slopes,
products of two features, and a smooth function held at landmarks, of one of several length scales.
Deviations stand on grids, and are not fitted: a posterior (Laplace's approximation) of every
combination that matters is weighted by its marginal likelihood, and draws come from all of them.

Two references have such a model. The sharp one gives its slopes a flat prior, which is right for a
few features, and walks along the grids row by row. The learned one shrinks dozens of slopes
together, and searches from the best combination on. The walks are two because they decide numbers:
draws come in the order of visits, and Newton's method ends early, at a mode that depends a little
on where it started.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve, solve_triangular
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints

from .kernel import thread_pools

#: Prior deviation of the intercept and of columns that are trusted.
WEAK = 10.0
#: A priori the smallest deviation of the products, and of the smooth function, (0 or practically 0)
#: is this many times as likely as each other one.
SPIKE = 3.0
#: Length scales: of a function of all d features, times ``sqrt(d)``; of functions of one feature.
JOINT_SCALES, SINGLE_SCALE = (0.4, 0.8, 1.6), 0.5
#: Number of points that determine the smooth function.
LANDMARKS = 64
#: With more features than this, squares and products are left out: they would outnumber the points.
FEATURES_WITH_PRODUCTS = 15
#: A posterior uses at most this many points; more would not change the residuals noticeably.
MOST_POINTS = 10_000
#: A row of the grids ends at combinations whose log probability is this far below the best one's.
DROP = 8.0
#: The search goes on from a combination if its log probability is at most this far below the best.
NEAR = 2.5
#: Newton's steps at most, and the decrement at which they end.
STEPS, DECREMENT = 25, 1e-2
#: The curvature of a design with more numbers than this is summed in single precision, in half the
#: time, with errors below a millionth of its largest number; gradients and losses never are.
IN_SINGLE = 1_000_000
#: Added to the variance at the landmarks, for the Cholesky factor.
JITTER = 1e-6


class Grids(NamedTuple):
    """Prior deviations of slopes, products and the smooth function, ascending; 0 leaves it out."""

    slopes: tuple[float, ...]
    products: tuple[float, ...]
    smooths: tuple[float, ...]


#: Grids for a model with dozens of slopes, all shrunk by the same factor.
SHRINKING = Grids(
    slopes=(0.03, 0.1, 0.3, 1.0, 3.0),
    products=(0.0, 0.03, 0.1, 0.3, 1.0),
    smooths=(0.0, 0.1, 0.3, 1.0, 3.0),
)


class Combination(NamedTuple):
    """Places on the three grids, and which candidate for the smooth function it has."""

    slope: int
    product: int
    smooth: int
    candidate: int


class Component(NamedTuple):
    """Normal approximation of the coefficients for one combination of prior deviations.

    Parameters
    ----------
    at : Combination
        The combination.
    evidence : float
        Log marginal likelihood and log prior probability, up to a constant.
    mode : ndarray of shape (p,)
        Coefficients at the mode, of the columns that the combination has.
    root : ndarray of shape (p, p)
        Lower Cholesky factor of the precision.
    present : ndarray of bool
        Which columns these are.
    """

    at: Combination
    evidence: float
    mode: Floats
    root: Floats
    present: NDArray[np.bool_]


@dataclass
class AdditiveModel:
    """Columns of all four parts at labelled points, and the combinations that a walk has visited.

    `part` tells which part each column is of. There is a design (n, p) for each candidate for the
    smooth function.
    """

    grids: Grids
    part: Ints
    designs: Sequence[Floats]
    y: Ints
    visited: dict[Combination, Component] = field(default_factory=dict)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Sizes of the three grids; 1 for a part without columns."""
        return tuple(
            len(grid) if (self.part == number).any() else 1
            for number, grid in enumerate(self.grids, start=1)
        )

    def visit(
        self, at: Combination, start: Floats, curvatures: dict[Any, Floats] | None = None
    ) -> Floats:
        """Approximates the posterior of a combination; returns its mode, 0 for columns left out.

        `curvatures` has the likelihood's curvature for the columns of the combinations visited
        before, and gets this one's.
        """
        places = zip(self.grids, at[:3], strict=True)
        deviations = np.array([WEAK, *(grid[place] for grid, place in places)])[self.part]
        present = deviations > 0
        design = self.designs[at.candidate]
        design = design if present.all() else design[:, present]
        prior = deviations[present] ** -2.0
        if curvatures is None:
            mode, root, evidence = laplace(design, self.y, prior, start[present])
        else:
            columns = at.candidate, present.tobytes()
            mode, root, evidence, curvatures[columns] = laplace_near(
                design, self.y, prior, start[present], curvatures.get(columns)
            )
        evidence += np.log(SPIKE) * ((at.product == 0) + (at.smooth == 0))
        self.visited[at] = Component(at, evidence, mode, root, present)
        full = np.zeros(self.part.size)
        full[present] = mode
        return full

    def walk_rows(self) -> None:
        """Visits combinations row by row, for every candidate, until the evidence fell by `DROP`.

        A row has one deviation of the products and ascending ones of the smooth function.
        """
        best = -np.inf
        _, products, smooths = self.sizes
        for candidate in range(len(self.designs)):
            first, row_before = np.zeros(self.part.size), -np.inf
            for product in range(products):
                start, before, row = first, -np.inf, -np.inf
                for smooth in range(smooths):
                    at = Combination(0, product, smooth, candidate)
                    start = self.visit(at, start)
                    first = start if smooth == 0 else first
                    evidence = self.visited[at].evidence
                    best, row = max(best, evidence), max(row, evidence)
                    if evidence < best - DROP and evidence < before:
                        break
                    before = evidence
                if row < best - DROP and row < row_before:
                    break
                row_before = row

    def search(self) -> None:
        """Visits combinations, starting at the best one, until none near it has new neighbours."""
        first = Combination(min(1, self.sizes[0] - 1), 0, 0, 0)
        curvatures: dict[Any, Floats] = {}
        modes = {first: self.visit(first, np.zeros(self.part.size), curvatures)}
        best = self.visited[first].evidence
        waiting = [(-best, first)]
        while waiting:
            minus, at = heapq.heappop(waiting)
            if -minus < best - NEAR:
                break
            for there in self._neighbours(at):
                if there not in self.visited:
                    start = modes[at]
                    if there.candidate != at.candidate:
                        start = np.where(self.part == 3, 0.0, start)
                    modes[there] = self.visit(there, start, curvatures)
                    evidence = self.visited[there].evidence
                    best = max(best, evidence)
                    heapq.heappush(waiting, (-evidence, there))

    def draws(self, designs: list[Floats], n_draws: int, rng: np.random.Generator) -> Floats:
        """Draws of the function at the rows of `designs`, whose columns are those of the model."""
        found = [
            designs[one.at.candidate][:, one.present] @ values
            for one, values in coefficients(list(self.visited.values()), n_draws, rng)
        ]
        return np.concatenate(found, axis=1)

    def _neighbours(self, at: Combination) -> Iterator[Combination]:
        """Combinations that differ by one step on one of the grids."""
        for axis, size in enumerate(self.sizes):
            for place in (at[axis] - 1, at[axis] + 1):
                if 0 <= place < size:
                    there = at._replace(**{at._fields[axis]: place})
                    if there.smooth == 0:
                        yield there._replace(candidate=0)
                    elif at.smooth == 0:
                        yield from (there._replace(candidate=c) for c in range(len(self.designs)))
                    else:
                        yield there


def probabilities(components: Sequence[Component]) -> Floats:
    """Posterior probabilities of the combinations."""
    evidence = np.array([one.evidence for one in components])
    weights = np.exp(evidence - evidence.max())
    return np.asarray(weights / weights.sum())


def coefficients(
    components: Sequence[Component], n_draws: int, rng: np.random.Generator
) -> Iterator[tuple[Component, Floats]]:
    """Draws (p, k) of each component's coefficients, k by its probability and none if k is 0."""
    counts = rng.multinomial(n_draws, probabilities(components))
    for one, count in zip(components, counts, strict=True):
        if count:
            normal = rng.standard_normal((one.mode.size, count))
            away = solve_triangular(one.root, normal, lower=True, trans="T")
            yield one, one.mode[:, None] + away


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


@dataclass(frozen=True)
class Smooth:
    """A normal process with Gaussian covariance, determined by its values at some points.

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
        # Most columns of a table with words are levels, of two values each.
        values, places = np.unique(x, return_inverse=True)
        total += np.exp(-0.5 * np.square((values[:, None] - landmark) / scale))[places]
    total /= points.shape[1]
    return total


def smooth_candidates(points: Floats, rng: np.random.Generator) -> tuple[Smooth, ...]:
    """Candidates for the smooth function, from rough to smooth, each given at some points."""
    distinct = np.unique(points, axis=0)
    landmarks = distinct[rng.permutation(len(distinct))[:LANDMARKS]]
    d = points.shape[1]
    joint = [Smooth.at(landmarks, scale * max(d, 1) ** 0.5, False) for scale in JOINT_SCALES]
    # With a single feature the sum over features would be a joint function again.
    return (*joint, Smooth.at(landmarks, SINGLE_SCALE, True)) if d > 1 else tuple(joint)


def designs_of(low: Floats, smooths: Iterable[Smooth], points: Floats) -> Iterator[Floats]:
    """A design for each candidate: the low-order columns, then those of the smooth function."""
    for smooth in smooths:
        yield np.concatenate([low, smooth.columns(points)], axis=1)


def laplace(
    design: Floats, y: Ints, precision: Floats, start: Floats
) -> tuple[Floats, Floats, float]:
    """Laplace's approximation for logistic regression with independent normal priors.

    From columns (n, p), labels, prior precisions (p,) and a start for Newton's method to the mode,
    the lower Cholesky factor of the precision there, and the log marginal likelihood.
    """
    mode, root, value, _ = _newton(design, y, precision, start)
    return mode, root, _evidence(precision, root, value)


def laplace_near(
    design: Floats, y: Ints, precision: Floats, start: Floats, curvature: Floats | None
) -> tuple[Floats, Floats, float, Floats]:
    """`laplace`, given the likelihood's curvature near by, of the same columns and labels.

    A curvature takes most of a step's time, and differs little from one prior to the next: steps
    with the given one lead next to the mode. So the mode's own serves a single step. It is the last
    of what comes out.
    """
    if curvature is not None:
        start = _newton(design, y, precision, start, curvature)[0]
    mode, root, value, curvature = _newton(design, y, precision, start)
    return mode, root, _evidence(precision, root, value), curvature


def _evidence(precision: Floats, root: Floats, value: float) -> float:
    """Log marginal likelihood, from the root of the posterior's precision and the loss."""
    return float(0.5 * np.log(precision).sum() - np.log(np.diag(root)).sum() - value)


def _newton(
    design: Floats, y: Ints, precision: Floats, start: Floats, given: Floats | None = None
) -> tuple[Floats, Floats, float, Floats]:
    """Mode, root of the precision, loss and the likelihood's curvature, from Newton's method.

    With a curvature given, that one serves at every step.
    """
    sign: Floats = np.where(y == 1, 1.0, -1.0)

    def at(mode: Floats) -> tuple[Floats, float]:
        logits = design @ mode
        prior = 0.5 * np.square(mode) @ precision
        return logits, float(np.logaddexp(0, -sign * logits).sum() + prior)

    mode, (logits, value) = start, at(start)
    p = expit(logits)
    curvature = _curvature(design, p) if given is None else given
    root = _root(curvature, precision)
    for _ in range(STEPS):
        gradient = design.T @ (y - p) - precision * mode
        step = np.asarray(cho_solve((root, True), gradient))
        decrement = float(gradient @ step)
        before = value
        logits, value = at(mode + step)
        while value > before + 1e-9 * (1 + abs(before)):
            step /= 2
            logits, value = at(mode + step)
        mode, p = mode + step, expit(logits)
        if decrement < DECREMENT:
            break
        if given is None:
            curvature = _curvature(design, p)
            root = _root(curvature, precision)
    return mode, root, value, curvature


def _curvature(design: Floats, p: Floats) -> Floats:
    """Minus the second derivatives of the log likelihood, at some probabilities."""
    kind = np.float32 if design.size > IN_SINGLE else np.float64
    scaled = np.empty(design.shape, kind)
    np.multiply(np.sqrt(p * (1 - p))[:, None], design, out=scaled, casting="same_kind")
    return np.asarray(scaled.T @ scaled, dtype=np.float64)


def _root(curvature: Floats, precision: Floats) -> Floats:
    """Lower Cholesky factor of the sum of a curvature and a prior's precisions."""
    precise = curvature.copy()
    precise[np.diag_indices_from(precise)] += precision
    return np.asarray(np.linalg.cholesky(precise), dtype=np.float64)


def additive_draws(
    weak: Floats, slopes: Floats, points: Floats, y: Ints, n_draws: int, seed: int
) -> Floats:
    """Draws of ``logit pi`` at the labelled points themselves.

    Parameters
    ----------
    weak : ndarray of shape (n, a)
        Standardized columns with next to no prior.
    slopes : ndarray of shape (n, b)
        Standardized columns with one unknown deviation; their products too, or those of `weak`
        where there are none.
    points : ndarray of shape (n, c)
        Standardized features of the smooth function.
    y : ndarray of shape (n,)
        Labels 0 and 1.
    n_draws : int
        How many functions.
    seed : int
        Of landmarks, draws, and the points that are used where there are more than `MOST_POINTS`.

    Returns
    -------
    ndarray of shape (n, n_draws)
        One function a column.
    """
    rng = np.random.default_rng([seed, 4])
    n = y.size
    _, products = low_order_columns(slopes if slopes.shape[1] else weak)
    low = np.concatenate([np.ones((n, 1)), weak, slopes, products], axis=1)
    designs = list(designs_of(low, smooth_candidates(points, rng), points))
    held = designs[0].shape[1] - low.shape[1]
    widths = [1 + weak.shape[1], slopes.shape[1], products.shape[1], held]
    part = np.repeat(np.arange(4), widths)
    rows = np.arange(n) if n <= MOST_POINTS else rng.choice(n, MOST_POINTS, replace=False)
    used = designs if n <= MOST_POINTS else [design[rows] for design in designs]
    model = AdditiveModel(SHRINKING, part, used, y[rows])
    # Many small factorizations: threads of their own would only get in each other's way.
    with thread_pools().limit(limits=1, user_api="blas"):
        model.search()
        return model.draws(designs, n_draws, rng)
