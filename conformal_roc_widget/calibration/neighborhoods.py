"""Finds the neighbourhood of each test point in Algorithm 2: its N nearest calibration points.

If the N-th distance occurs several times, all points at it are neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree
from sklearn.neighbors import VALID_METRICS, NearestNeighbors

from conformal_roc_widget.arrays import Floats, Ints, numbers_of
from conformal_roc_widget.logits import TIE

from .residuals import Ragged

#: Distances that this package computes. Scikit-learn computes all others.
NAMED = ("standardized", "score")
#: Metrics of scikit-learn that need a matrix or variances in addition to the points.
NEED_MORE = {"precomputed", "mahalanobis", "seuclidean"}
#: Two distances tie if they differ by less than this share of the points' extent. If features lie
#: on a grid, many distances are equal, but rounding makes their last digits differ.
ROUNDING = 1e-12
#: Scikit-learn's names for the Euclidean distance and its square. This package computes them
#: itself, because scikit-learn may use a matrix product, which loses half of the digits of a small
#: distance.
EUCLIDEAN = ("euclidean", "l2", "minkowski", "nan_euclidean", "sqeuclidean")
#: The number of points in a leaf of the tree. With this number, a hundred neighbours are found
#: faster than with scipy's default of 10.
LEAF = 32
#: The largest number of candidate neighbours that are in memory at once.
BLOCK = 1 << 21


#: A block of targets: their indices (b,), the calibration points that may be neighbours of each
#: target (b, c), and whether each of these points is a neighbour (b, c).
Block = tuple[Ints, Ints, NDArray[np.bool_]]


class Finder(Protocol):
    """Finds the nearest calibration points of given points (the targets)."""

    def blocks(self, targets: Floats, n: int) -> Iterator[Block]:
        """Yields the neighbours of all `targets`, some targets at a time.

        Yields each target once. A calibration point is a neighbour of a target if fewer than n
        calibration points are nearer to it.
        """
        ...


@dataclass(frozen=True)
class TreeFinder:
    """Finds the nearest points by a tree if the metric is Euclidean, and otherwise by scikit-learn.

    Parameters
    ----------
    points : ndarray of shape (n_ca, d)
        Calibration points.
    metric : str or callable or None
        A metric of scikit-learn's ``NearestNeighbors``. None is Euclidean.
    """

    points: Floats
    metric: str | Callable[[Floats, Floats], float] | None = None

    def blocks(self, targets: Floats, n: int) -> Iterator[Block]:
        """See `Finder.blocks`."""
        most = len(self.points)
        n = min(n, most)
        query, scale = self._query(), _extent(self.points)
        open_ = [(np.arange(len(targets)), min(n + 1, most))]
        while open_:
            pending, width = open_.pop()
            step = max(1, BLOCK // width)
            for start in range(0, pending.size, step):
                rows = pending[start : start + step]
                distance, index = query(targets[rows], width)
                if np.isnan(distance).any():
                    raise ValueError("distance: found NaN between two points, expected numbers")
                radius = distance[:, n - 1 : n]
                inside = distance <= radius + ROUNDING * (scale + radius)
                # If the last candidate ties with the N-th distance, points that are not candidates
                # may tie too. Then more candidates are fetched for the target.
                tied = inside[:, -1] & (width < most)
                if tied.any():
                    open_.append((rows[tied], min(2 * width, most)))
                yield rows[~tied], index[~tied], inside[~tied]

    def _query(self) -> Callable[[Floats, int], tuple[Floats, Ints]]:
        if self.metric is None:
            tree = KDTree(self.points, leafsize=LEAF)

            def query(targets: Floats, k: int) -> tuple[Floats, Ints]:
                distance, index = tree.query(targets, k=np.arange(1, k + 1), workers=-1)
                return np.asarray(distance), np.asarray(index)

            return query
        model = NearestNeighbors(metric=self.metric, n_jobs=-1).fit(self.points)
        return model.kneighbors  # type: ignore[no-any-return]


@dataclass(frozen=True)
class LineFinder:
    """Finds the nearest points on a line, where neighbours are next to each other in sorted order.

    Parameters
    ----------
    points : ndarray of shape (n_ca, 1)
        Calibration points.
    tie : float
        Distances that differ by less than this tie.
    """

    points: Floats
    tie: float = 0.0

    def blocks(self, targets: Floats, n: int) -> Iterator[Block]:
        """See `Finder.blocks`."""
        order = np.argsort(self.points[:, 0], kind="stable")
        line, at = self.points[order, 0], targets[:, 0]
        n = min(n, line.size)
        # A window is n consecutive points in sorted order. The n nearest points are the window
        # whose middle is nearest to the target.
        left, right = line[: line.size - n + 1], line[n - 1 :]
        middle = np.searchsorted(left + right, 2 * at)
        windows = np.clip([middle - 1, middle], 0, left.size - 1)
        radius = np.maximum(at - left[windows], right[windows] - at).min(axis=0)
        reach = radius + self.tie + ROUNDING * (_extent(self.points) + radius)
        first = np.searchsorted(line, at - reach, side="left")
        last = np.searchsorted(line, at + reach, side="right")
        step = max(1, BLOCK // int((last - first).max(initial=1)))
        for start in range(0, len(targets), step):
            rows = np.arange(start, min(start + step, len(targets)))
            place = first[rows, None] + np.arange(int((last[rows] - first[rows]).max()))
            yield rows, order[np.minimum(place, line.size - 1)], place < last[rows, None]


def _extent(points: Floats) -> float:
    return float(np.abs(points - points.mean(axis=0)).max())


def check_distance(distance: Any, X: Floats) -> None:
    """Raises if `distance` does not exist, or cannot measure the features `X`."""
    if isinstance(distance, str):
        known = [*NAMED, *sorted(set(VALID_METRICS["brute"]) - NEED_MORE)]
        if distance not in known:
            raise ValueError(
                f"distance: found {distance!r}, expected a projection, a callable or one of "
                f"{', '.join(map(repr, known))}"
            )
    if callable(distance) or (isinstance(distance, str) and distance not in NAMED):
        try:
            next(finder(distance, X[:5]).blocks(X[:1], 1))
        except Exception as error:
            raise ValueError(
                f"distance: found {distance!r}, expected one that can measure features of shape "
                f"{X.shape}: {error}"
            ) from error
    elif not isinstance(distance, str):
        projection = numbers_of(distance, "distance", ndim=1 if np.ndim(distance) < 2 else 2)
        if projection.shape[0] != X.shape[1]:
            raise ValueError(
                f"distance: found a projection of shape {projection.shape}, "
                f"expected {X.shape[1]} rows, one for each feature"
            )


def coordinates(
    distance: Any, centre: Floats, spread: Floats, X: Floats, score_logits: Floats
) -> Floats:
    """Returns the coordinates (n, k) of points from which `distance` is computed.

    `centre` and `spread` are the means and standard deviations of the training features, which
    ``"standardized"`` and a projection use. `score_logits` are the classifier's logits of the
    points.
    """
    if isinstance(distance, str):
        if distance == "score":
            return score_logits[:, None]
        if distance == "standardized":
            return (X - centre) / np.where(spread > 0, spread, np.inf)
        return X
    if callable(distance):
        return X
    projection = np.asarray(distance, dtype=np.float64)
    return np.asarray((X - centre) @ projection.reshape(len(projection), -1))


def finder(distance: Any, points: Floats) -> Finder:
    """Returns the search for neighbours among calibration points with the coordinates `points`."""
    if callable(distance) or (isinstance(distance, str) and distance not in (*NAMED, *EUCLIDEAN)):
        return TreeFinder(points, distance)
    if points.shape[1] > 1:
        return TreeFinder(points)
    return LineFinder(points, TIE if isinstance(distance, str) and distance == "score" else 0.0)


def local_residuals(
    finder: Finder, targets: Floats, n: int, residuals: Floats, wanted: NDArray[np.bool_]
) -> Ragged:
    """Returns for each target the sorted residuals of its neighbours (Algorithm 2, line 3).

    The neighbours are the n nearest calibration points, whatever their label. Only those with the
    label of the target (`wanted`) contribute a residual.
    """
    sizes = np.zeros(len(targets), dtype=np.intp)
    found = []
    for rows, index, inside in finder.blocks(targets, n):
        use = inside & wanted[index]
        # Residuals of points that are not neighbours, or that have the other label, become
        # infinite. Sorting puts them last, and `filled` cuts them off.
        ordered = np.sort(np.where(use, residuals[index], np.inf), axis=1)
        sizes[rows] = use.sum(axis=1)
        filled = np.arange(ordered.shape[1]) < sizes[rows, None]
        found.append((rows, ordered[filled]))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    values = np.empty(starts[-1])
    for rows, ordered in found:
        size = sizes[rows]
        within = np.arange(ordered.size) - np.repeat(np.cumsum(size) - size, size)
        values[np.repeat(starts[rows], size) + within] = ordered
    return Ragged(values, starts)


def local_medians(finder: Finder, targets: Floats, n: int, residuals: Floats) -> Floats:
    """Returns for each target the median residual of its n nearest points of either label."""
    medians = np.empty(len(targets))
    for rows, index, inside in finder.blocks(targets, n):
        ordered = np.sort(np.where(inside, residuals[index], np.inf), axis=1)
        size, row = inside.sum(axis=1), np.arange(len(ordered))
        medians[rows] = (ordered[row, (size - 1) // 2] + ordered[row, size // 2]) / 2
    return medians
