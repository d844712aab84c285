"""Computes the posterior of an additive logistic model whose prior deviations are unknown.

A prior deviation is the standard deviation of the prior of some coefficients. The model has four
groups of columns. The first, the intercept and trusted scores, has a nearly flat prior. Each of the
other three has one deviation for all its coefficients: slopes, products of two features, and a
smooth function, which is given by its values at some points (landmarks) and has one of several
length scales. Deviations are not fitted. Each takes the values of a grid. For each combination that
matters, a posterior is computed by Laplace's approximation and weighted by its marginal likelihood.
Draws come from all these posteriors.

Two references (estimates of the true probability) use this model. The sharp one gives slopes a flat
prior, which is right for a few features, and visits the grids row by row. The learned one shrinks
dozens of slopes together, and visits combinations outwards from the best one. The order of visits
affects the numbers: draws come in this order, and Newton's method stops near a mode at a place that
depends on its start. So both orders are kept.
"""

from __future__ import annotations

import copy
import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular
from scipy.linalg.lapack import dpotrs
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints

from .kernel import thread_pools

#: The prior of the intercept, and of columns that are scores of a classifier, is normal with this
#: standard deviation, so it is nearly flat.
WEAK = 10.0
#: For products, and for the smooth function, the smallest prior deviation is 0 or nearly 0, which
#: means almost no effect. Its prior probability is this many times that of each other deviation.
SPIKE = 3.0
#: The smooth function may have these length scales. The first ones are for a function of all d
#: features, and are multiplied by ``sqrt(d)``. The last one is for a sum of functions of one
#: feature.
JOINT_SCALES, SINGLE_SCALE = (0.4, 0.8, 1.6), 0.5
#: The number of landmarks, the points whose values determine the smooth function.
LANDMARKS = 64
#: If there are more features than this, squares and products are left out, because they would
#: outnumber the points.
FEATURES_WITH_PRODUCTS = 15
#: The largest number of points that a posterior uses. More would hardly change the residuals.
MOST_POINTS = 10_000
#: `AdditiveModel.walk_rows` leaves a row of the grid if the log probability is this far below the
#: best one.
DROP = 8.0
#: `AdditiveModel.search` goes on from a combination if its log probability is at most this far
#: below the best one.
NEAR = 2.5
#: Newton's method takes at most `STEPS` steps. It stops if Newton's decrement, the gradient times
#: the step, is below `DECREMENT`.
STEPS, DECREMENT = 25, 1e-2
#: If a design has more numbers than this, its curvature is summed in single precision, which halves
#: the time. The error is less than a millionth of the largest entry. Gradients and losses stay in
#: double precision.
IN_SINGLE = 1_000_000
#: This is added to the variance at the landmarks, so that the Cholesky factor exists.
JITTER = 1e-6


class Grids(NamedTuple):
    """Grids of the prior deviations of slopes, products and smooth function.

    If a deviation is 0, its columns are left out of the model.
    """

    slopes: tuple[float, ...]
    products: tuple[float, ...]
    smooths: tuple[float, ...]


#: Grids for a model with dozens of slopes, which all shrink by the same factor.
SHRINKING = Grids(
    slopes=(0.03, 0.1, 0.3, 1.0, 3.0),
    products=(0.0, 0.03, 0.1, 0.3, 1.0),
    smooths=(0.0, 0.1, 0.3, 1.0, 3.0),
)


class Combination(NamedTuple):
    """A position on each of the three grids, and the smooth function's candidate, by index."""

    slope: int
    product: int
    smooth: int
    candidate: int


class Component(NamedTuple):
    """A normal approximation of the posterior of the coefficients, for one combination.

    Parameters
    ----------
    at : Combination
        The combination.
    evidence : float
        Log marginal likelihood plus log prior probability, up to a constant.
    mode : ndarray of shape (p,)
        Coefficients at the mode, for the columns that are present.
    root : ndarray of shape (p, p)
        Lower Cholesky factor of the precision.
    present : ndarray of bool
        Which of the model's columns are present in the combination.
    """

    at: Combination
    evidence: float
    mode: Floats
    root: Floats
    present: NDArray[np.bool_]


@dataclass
class AdditiveModel:
    """The additive model at labelled points, with the combinations that were tried so far.

    There is a design matrix (n, p) for each candidate of the smooth function. `part` tells to which
    of the model's four groups each column belongs.
    """

    grids: Grids
    part: Ints
    designs: Sequence[Floats]
    y: Ints
    visited: dict[Combination, Component] = field(default_factory=dict)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the three grids. If no column belongs to a grid, its size is 1."""
        return tuple(
            len(grid) if (self.part == number).any() else 1
            for number, grid in enumerate(self.grids, start=1)
        )

    def visit(
        self, at: Combination, start: Floats, curvatures: dict[Any, Floats] | None = None
    ) -> Floats:
        """Approximates the posterior of a combination. Returns its mode, with 0 for absent columns.

        Newton's method begins at `start`. `curvatures` has the likelihood's curvatures for the sets
        of columns visited before, and gets the new one.
        """
        places = zip(self.grids, at[:3], strict=True)
        deviations = np.array([WEAK, *(grid[place] for grid, place in places)])[self.part]
        present = deviations > 0
        design = self.designs[at.candidate]
        design = design if present.all() else design[:, present]
        prior = deviations[present] ** -2.0
        known = {} if curvatures is None else curvatures
        columns = at.candidate, present.tobytes()
        mode, root, evidence, known[columns] = laplace(
            design, self.y, prior, start[present], known.get(columns)
        )
        evidence += np.log(SPIKE) * ((at.product == 0) + (at.smooth == 0))
        self.visited[at] = Component(at, evidence, mode, root, present)
        full = np.zeros(self.part.size)
        full[present] = mode
        return full

    def walk_rows(self) -> None:
        """Visits combinations row by row for each candidate, until the evidence falls by `DROP`.

        Within a row the deviation of the products is fixed, and that of the smooth function rises.
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
        """Visits combinations outwards from the best one, until no good one has a new neighbour."""
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
        """Draws ``logit pi`` (n, n_draws) at the rows of `designs`, a matrix for each candidate."""
        candidates, every, done = np.empty(n_draws, np.intp), np.zeros((self.part.size, n_draws)), 0
        for one, values in coefficients(list(self.visited.values()), n_draws, rng):
            drawn = slice(done, done := done + values.shape[1])
            candidates[drawn], every[one.present, drawn] = one.at.candidate, values
        found = np.empty((len(designs[0]), n_draws))
        for candidate in np.unique(candidates).tolist():
            of_candidate = candidates == candidate
            found[:, of_candidate] = designs[candidate] @ every[:, of_candidate]
        return found

    def _neighbours(self, at: Combination) -> Iterator[Combination]:
        """Yields the combinations that differ from `at` by one step on a single grid."""
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
    """Returns the posterior probability of each component's combination."""
    evidence = np.array([one.evidence for one in components])
    weights = np.exp(evidence - evidence.max())
    return np.asarray(weights / weights.sum())


def coefficients(
    components: Sequence[Component], n_draws: int, rng: np.random.Generator
) -> list[tuple[Component, Floats]]:
    """Draws coefficients (p, k) from each component, `n_draws` in all.

    A more probable component gets more draws. A component without any is left out.
    """
    counts = rng.multinomial(n_draws, probabilities(components))
    drawn = []
    for one, count in zip(components, counts, strict=True):
        if count:
            normal = rng.standard_normal((one.mode.size, count))
            away = solve_triangular(one.root, normal, lower=True, trans="T")
            drawn.append((one, one.mode[:, None] + away))
    return drawn


def low_order_columns(points: Floats) -> tuple[Floats, Floats]:
    """Returns the columns of intercept and slopes, and the columns of squares and products.

    If features are standard normal, squares and products have variance 1.
    """
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
    """A Gaussian process with Gaussian covariance, determined by its values at the landmarks.

    Parameters
    ----------
    landmarks : ndarray of shape (m, d)
        The landmarks, standardized.
    scale : float
        Length scale.
    single : bool
        Whether the function is a sum of functions of one feature. If so, the covariance is the mean
        of one-dimensional covariances over the features.
    root : ndarray of shape (m, m)
        Cholesky factor of the covariance of the landmarks.
    """

    landmarks: Floats
    scale: float
    single: bool
    root: Floats

    @classmethod
    def at(cls, landmarks: Floats, scale: float, single: bool) -> Smooth:
        """Makes the process with these landmarks and this length scale."""
        covariance = _covariance(landmarks, landmarks, scale, single)
        covariance[np.diag_indices_from(covariance)] += JITTER
        root = np.asarray(np.linalg.cholesky(covariance), dtype=np.float64)
        return cls(landmarks, scale, single, root)

    def columns(self, points: Floats) -> Floats:
        """Returns functions (n, m). With standard normal coefficients, their sum is the process."""
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
        # The kernel of equal values is computed only once. In a table with categories, most columns
        # have only two values.
        values, places = np.unique(x, return_inverse=True)
        total += np.exp(-0.5 * np.square((values[:, None] - landmark) / scale))[places]
    total /= points.shape[1]
    return total


def smooth_candidates(points: Floats, rng: np.random.Generator) -> tuple[Smooth, ...]:
    """Returns candidates for the smooth function, from rough to smooth.

    Landmarks are chosen among `points`.
    """
    distinct = np.unique(points, axis=0)
    landmarks = distinct[rng.permutation(len(distinct))[:LANDMARKS]]
    d = points.shape[1]
    joint = [Smooth.at(landmarks, scale * max(d, 1) ** 0.5, False) for scale in JOINT_SCALES]
    # With a single feature, the sum of functions of one feature is the function of all features.
    return (*joint, Smooth.at(landmarks, SINGLE_SCALE, True)) if d > 1 else tuple(joint)


def designs_of(low: Floats, smooths: Iterable[Smooth], points: Floats) -> Iterator[Floats]:
    """Yields a design for each candidate in `smooths`: the columns `low`, then the candidate's.

    The rows are `points`.
    """
    for smooth in smooths:
        yield _by_columns(low, smooth.columns(points))


def _by_columns(low: Floats, smooth: Floats) -> Floats:
    """Joins columns to a design, stored column by column: curvatures take a fifth less time."""
    return np.asfortranarray(np.concatenate([low, smooth], axis=1))


class SmoothColumns(NamedTuple):
    """The columns of each candidate for the smooth function, at labelled points.

    They do not depend on the labels, so all classes and models with the same points share them.
    """

    candidates: tuple[Floats, ...]
    #: The random generator, in its state after the landmarks were chosen. Each posterior continues
    #: with its own copy, so that all classes and models get the same random numbers.
    rng: np.random.Generator

    @classmethod
    def at(cls, points: Floats, seed: int) -> SmoothColumns:
        """Makes the columns for standardized features `points` (n, c)."""
        rng = np.random.default_rng([seed, 4])
        return cls(tuple(of.columns(points) for of in smooth_candidates(points, rng)), rng)


def laplace(
    design: Floats,
    y: Ints,
    precision: Floats,
    start: Floats,
    near: Floats | None = None,
) -> tuple[Floats, Floats, float, Floats]:
    """Laplace's approximation for a logistic regression with independent normal priors.

    The inputs are columns (n, p), labels, prior precisions (p,), and a start for Newton's method,
    which finds the mode. The result has the lower Cholesky factor of the precision at the mode, the
    log marginal likelihood, and the likelihood's curvature.

    Computing a curvature takes most of a step's time, and it hardly differs between neighbouring
    priors. So if the curvature at a `near` mode is given, steps with it lead close to the mode, and
    only the last step computes a new one.
    """
    first = _Place.at(design, y, precision, start)
    if near is not None:
        first = _newton(design, y, precision, first, near)[0]
    (mode, _, value), root, curvature = _newton(design, y, precision, first)
    evidence = 0.5 * np.log(precision).sum() - np.log(np.diag(root)).sum() - value
    return mode, root, float(evidence), curvature


class _Place(NamedTuple):
    """Coefficients, the logits that they give the rows, and the loss, which includes the prior."""

    mode: Floats
    logits: Floats
    value: float

    @classmethod
    def at(cls, design: Floats, y: Ints, precision: Floats, mode: Floats) -> _Place:
        logits = design @ mode
        against = np.where(y == 1, -logits, logits)
        # This is the sum of `np.logaddexp(0, against)`, which takes four times as long.
        loss = np.log1p(np.exp(-np.abs(against))).sum() + np.maximum(against, 0.0).sum()
        return cls(mode, logits, float(loss + 0.5 * np.square(mode) @ precision))


def _newton(
    design: Floats, y: Ints, precision: Floats, place: _Place, given: Floats | None = None
) -> tuple[_Place, Floats, Floats]:
    """Finds the mode by Newton's method. Returns it with Cholesky factor and curvature.

    If a curvature is `given`, every step uses it.
    """
    p = expit(place.logits)
    curvature = _curvature(design, p) if given is None else given
    root = _root(curvature, precision)
    for _ in range(STEPS):
        gradient = design.T @ (y - p) - precision * place.mode
        # This is `cho_solve` without its checks, which take longer than the solution.
        step = np.asarray(dpotrs(root, gradient, lower=True)[0])
        decrement = float(gradient @ step)
        highest = place.value + 1e-9 * (1 + abs(place.value))
        after = _Place.at(design, y, precision, place.mode + step)
        while after.value > highest:
            step /= 2
            after = _Place.at(design, y, precision, place.mode + step)
        place, p = after, expit(after.logits)
        if decrement < DECREMENT:
            break
        if given is None:
            curvature = _curvature(design, p)
            root = _root(curvature, precision)
    return place, root, curvature


def _curvature(design: Floats, p: Floats) -> Floats:
    """Negative second derivative of the log likelihood at given probabilities."""
    kind = np.float32 if design.size > IN_SINGLE else np.float64
    scaled: NDArray[np.floating[Any]] = np.empty_like(design, kind)
    np.multiply(np.sqrt(p * (1 - p))[:, None], design, out=scaled, casting="same_kind")
    return np.asarray(scaled.T @ scaled, dtype=np.float64)


def _root(curvature: Floats, precision: Floats) -> Floats:
    """Lower Cholesky factor of a curvature plus the precisions of a prior."""
    precise = curvature.copy()
    precise.flat[:: len(precise) + 1] += precision
    return np.asarray(np.linalg.cholesky(precise), dtype=np.float64)


def additive_draws(
    weak: Floats, slopes: Floats, smooth: SmoothColumns, y: Ints, n_draws: int
) -> Floats:
    """Draws ``logit pi`` at the labelled points.

    If there are more than `MOST_POINTS`, the model is fitted to some of them.

    Parameters
    ----------
    weak : ndarray of shape (n, a)
        Standardized columns with a nearly flat prior.
    slopes : ndarray of shape (n, b)
        Standardized columns with one unknown deviation. Their products enter the model too. Without
        such columns, the products of `weak` do.
    smooth : SmoothColumns
        Columns of the smooth function, and the generator of the draws.
    y : ndarray of shape (n,)
        Labels 0 and 1.
    n_draws : int
        Number of functions to draw.

    Returns
    -------
    ndarray of shape (n, n_draws)
        Each column is one function.
    """
    rng = copy.deepcopy(smooth.rng)
    n = y.size
    _, products = low_order_columns(slopes if slopes.shape[1] else weak)
    low = np.concatenate([np.ones((n, 1)), weak, slopes, products], axis=1)
    designs = [_by_columns(low, columns) for columns in smooth.candidates]
    held = designs[0].shape[1] - low.shape[1]
    widths = [1 + weak.shape[1], slopes.shape[1], products.shape[1], held]
    part = np.repeat(np.arange(4), widths)
    rows = np.arange(n) if n <= MOST_POINTS else rng.choice(n, MOST_POINTS, replace=False)
    used = designs if n <= MOST_POINTS else [design[rows] for design in designs]
    model = AdditiveModel(SHRINKING, part, used, y[rows])
    # The matrices are small, so more than one thread would be slower.
    with thread_pools().limit(limits=1, user_api="blas"):
        model.search()
        return model.draws(designs, n_draws, rng)
