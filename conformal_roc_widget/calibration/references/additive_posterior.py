"""Posterior draws of an additive logistic model whose prior deviations are unknown.

The columns of the model come in four parts. The first has next to no prior (the intercept, scores
that are trusted); each of the others has one deviation for all of its coefficients: slopes,
products of two features, and a smooth function held at landmarks, of one of several length scales.
Deviations stand on grids. A best-first search walks from combination to neighbouring combination as
long as the marginal likelihood (Laplace's approximation) is near the best one found, and draws come
from all that were visited, by their posterior probabilities.

`conformal_roc_widget.calibration.references.posterior` has a flat prior for its slopes, which is
right for a few features; dozens of columns need one that shrinks them together.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.references.kernel import thread_pools
from conformal_roc_widget.calibration.references.posterior import (
    LANDMARKS,
    MOST_POINTS,
    SPIKE,
    WEAK,
    Component,
    coefficients,
    laplace,
    low_order_columns,
    smooth_candidates,
)

#: Prior deviations of slopes, products and the smooth function; 0 leaves these out.
SLOPES = (0.03, 0.1, 0.3, 1.0, 3.0)
PRODUCTS = (0.0, 0.03, 0.1, 0.3, 1.0)
SMOOTHS = (0.0, 0.1, 0.3, 1.0, 3.0)
#: The search goes on from a combination if its log probability is at most this far below the best.
NEAR = 2.5


class Combination(NamedTuple):
    """Places on the three grids, and which smooth function it is (0 if it is left out)."""

    slope: int
    product: int
    smooth: int
    candidate: int


@dataclass
class AdditiveModel:
    """Columns of all four parts at some points, and the combinations that the search has visited.

    Of each combination a `Component`, without coefficients for the parts that it leaves out.
    """

    part: Ints
    designs: list[Floats]
    y: Ints
    visited: dict[Combination, Component] = field(default_factory=dict)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Sizes of the three grids; that of a part without columns is 1."""
        return (
            len(SLOPES) if (self.part == 1).any() else 1,
            len(PRODUCTS) if (self.part == 2).any() else 1,
            len(SMOOTHS) if (self.part == 3).any() else 1,
        )

    def deviations(self, at: Combination) -> Floats:
        """Prior deviation of every column, 0 for those left out."""
        return np.array([WEAK, SLOPES[at.slope], PRODUCTS[at.product], SMOOTHS[at.smooth]])[
            self.part
        ]

    def neighbours(self, at: Combination) -> Iterator[Combination]:
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

    def visit(self, at: Combination, start: Floats) -> Floats:
        """Approximates the posterior of a combination; returns its mode, 0 for columns left out."""
        deviations = self.deviations(at)
        present = deviations > 0
        design = self.designs[at.candidate]
        columns = design if present.all() else design[:, present]
        mode, root, evidence = laplace(columns, self.y, deviations[present] ** -2.0, start[present])
        evidence += np.log(SPIKE) * ((at.product == 0) + (at.smooth == 0))
        self.visited[at] = Component(at, evidence, mode, root)
        full = np.zeros(design.shape[1])
        full[present] = mode
        return full

    def search(self) -> None:
        """Visit combinations from the best one on, until none near it has new neighbours."""
        first = Combination(min(1, self.sizes[0] - 1), 0, 0, 0)
        modes = {first: self.visit(first, np.zeros(self.part.size))}
        best = self.visited[first].evidence
        waiting = [(-best, first)]
        while waiting:
            minus, at = heapq.heappop(waiting)
            if -minus < best - NEAR:
                break
            for there in self.neighbours(at):
                if there not in self.visited:
                    start = modes[at]
                    if there.candidate != at.candidate:
                        start = np.where(self.part == 3, 0.0, start)
                    modes[there] = self.visit(there, start)
                    evidence = self.visited[there].evidence
                    best = max(best, evidence)
                    heapq.heappush(waiting, (-evidence, there))

    def draws(self, designs: list[Floats], n_draws: int, rng: np.random.Generator) -> Floats:
        """Draws of the function at the rows of `designs`, whose columns are those of the model."""
        every = list(self.visited.values())
        found = [
            designs[one.prior.candidate][:, self.deviations(one.prior) > 0] @ values
            for one, values in coefficients(every, n_draws, rng)
        ]
        return np.concatenate(found, axis=1)


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
    distinct = np.unique(points, axis=0)
    landmarks = distinct[rng.permutation(len(distinct))[:LANDMARKS]]
    designs = [
        np.concatenate([low, smooth.columns(points)], axis=1)
        for smooth in smooth_candidates(landmarks)
    ]
    widths = [1 + weak.shape[1], slopes.shape[1], products.shape[1], len(landmarks)]
    part = np.repeat(np.arange(4), widths)
    rows = np.arange(n) if n <= MOST_POINTS else rng.choice(n, MOST_POINTS, replace=False)
    used = designs if n <= MOST_POINTS else [design[rows] for design in designs]
    model = AdditiveModel(part, used, y[rows])
    # Many small factorizations: threads of their own would only get in each other's way.
    with thread_pools().limit(limits=1, user_api="blas"):
        model.search()
        return model.draws(designs, n_draws, rng)
