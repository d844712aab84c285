"""Fits a maximum-likelihood logistic regression without penalty, as R's ``glm`` does."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import eigvalsh
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints

#: The largest number of Newton steps, as in R's ``glm.control``.
STEPS = 25
#: The fit ends if the relative change of the deviance is less than this.
TOLERANCE = 1e-12
#: The labels count as separated if, in some direction, the information of the fit is less than this
#: share of ``X' X``.
SEPARATED = 1e-6


class LogisticFit(NamedTuple):
    """The coefficients, and whether the labels are separated. If so, no finite maximum exists."""

    coefficients: Floats
    separated: bool


def fit_logistic(design: Floats, y: Ints) -> LogisticFit:
    """Maximizes the likelihood by Newton's method, which starts and stops as R's ``glm`` does.

    If the labels are separated, the likelihood has no maximum. Then the fit stops after `STEPS`
    steps at large coefficients, and the result says so. ``glm`` warns in this case.
    """
    sign: Floats = np.where(y == 1, 1.0, -1.0)
    # The start is the first weighted least squares step of R's glm, in which mu is (y + 1/2) / 2.
    coefficients = _solve(design, sign * (np.log(3) + 4 / 3))
    loss = _loss(design, sign, coefficients)
    for _ in range(STEPS):
        p = expit(design @ coefficients)
        information = (design.T * (p * (1 - p))) @ design
        step = _solve(information, design.T @ (y - p))
        before, loss = loss, _loss(design, sign, coefficients + step)
        while loss > before * (1 + TOLERANCE):
            step /= 2
            loss = _loss(design, sign, coefficients + step)
        coefficients = coefficients + step
        if before - loss < TOLERANCE * (loss + 0.1):
            break
    return LogisticFit(
        coefficients,
        bool(eigvalsh(information, design.T @ design)[0] < SEPARATED),
    )


def _solve(left: Floats, right: Floats) -> Floats:
    """Solves by least squares, because near separation the matrix is nearly singular."""
    return np.asarray(np.linalg.lstsq(left, right, rcond=None)[0], dtype=np.float64)


def _loss(design: Floats, sign: Floats, coefficients: Floats) -> float:
    """Deviance of the labels at `coefficients`. `sign` is 1 for label 1, and -1 for label 0."""
    return float(2 * np.logaddexp(0, -sign * (design @ coefficients)).sum())
