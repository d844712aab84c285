"""Gaussian sums over many points of a line, in a time that grows with their number, not its square.

The line is cut into cells of one bandwidth. Seen from any place, the kernel within a cell is a
polynomial of degree 15 to the last digit: so the points of a cell act as weights at its 16
Chebyshev nodes, and what they add up to is interpolated between the nodes of a target's cell.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints

TERMS = 16
#: Nodes of a cell, as distances from its middle in cell widths; and what interpolates between them.
NODES: Floats = np.polynomial.chebyshev.chebpts1(TERMS) / 2
_BASIS = np.polynomial.chebyshev.chebvander(2 * NODES, TERMS - 1).T * 2 / TERMS
_BASIS[0] /= 2
#: Cells farther apart than this give less than 1e-31 of what a point of the cell itself gives.
REACH = 13
#: At most this many points at a time, which take 8 MiB of float64.
ROWS = 1 << 16


def gaussian_sums(targets: Floats, sources: Floats) -> Floats:
    """Sum of ``exp(-(t - s)^2 / 2)`` over the sources, for each target (n,).

    Right to some 1e-13 of itself, if it is 1e-3 or more; a smaller one may have lost digits.
    """
    cells, weights = _weights(sources)
    sums = np.zeros(targets.size)
    # Targets that are farther away keep a sum of 0.
    near = np.flatnonzero((targets > cells[0] - REACH) & (targets < cells[-1] + REACH))
    for rows in (near[start : start + ROWS] for start in range(0, near.size, ROWS)):
        asked, place, basis = _interpolated(targets[rows])
        heights = np.array(list(_at_nodes(asked, cells, weights)))
        sums[rows] = np.einsum("ij,ij->i", basis, heights[place])
    return sums


def _interpolated(points: Floats) -> tuple[Floats, Ints, Floats]:
    """Middles of the cells of points, each point's place among them, its weights on their nodes."""
    cells, place = np.unique(np.floor(points), return_inverse=True)
    within = 2 * (points - cells[place]) - 1
    basis = np.polynomial.chebyshev.chebvander(within, TERMS - 1) @ _BASIS
    return cells + 0.5, place, basis


def _weights(sources: Floats) -> tuple[Floats, Floats]:
    """Middles of the cells that have sources, ascending, and the weights of their nodes (m, 16)."""
    cells = np.unique(np.floor(sources)) + 0.5
    weights = np.zeros((cells.size, TERMS))
    for start in range(0, sources.size, ROWS):
        found, place, basis = _interpolated(sources[start : start + ROWS])
        each = [np.bincount(place, column, minlength=found.size) for column in basis.T]
        weights[np.searchsorted(cells, found)] += np.transpose(each)
    return cells, weights


def _at_nodes(asked: Floats, cells: Floats, weights: Floats) -> Iterator[Floats]:
    """Sums of all weights at the nodes of each cell in `asked`."""
    first, last = np.searchsorted(cells, [asked - REACH, asked + REACH])
    for middle, start, end in zip(asked, first, last, strict=True):
        nodes = (cells[start:end, None] + NODES).ravel()
        apart = (middle + NODES)[:, None] - nodes
        yield np.exp(-0.5 * np.square(apart)) @ weights[start:end].ravel()
