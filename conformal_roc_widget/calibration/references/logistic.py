"""Logistic regression by maximum likelihood, without penalty, as R's ``glm`` fits it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import eigvalsh
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints

#: At most this many Newton steps, as in ``glm.control``.
STEPS = 25
#: Relative change of the deviance at which the fit ends.
TOLERANCE = 1e-12
#: If a smaller share of the information is left in some direction, the labels count as separated.
SEPARATED = 1e-6


class LogisticFit(NamedTuple):
    """Coefficients, and whether the labels are separated so that no finite maximum exists."""

    coefficients: Floats
    separated: bool


def fit_logistic(design: Floats, y: Ints) -> LogisticFit:
    """Maximum likelihood by Newton's method, started and ended as ``glm`` does.

    Where the labels are separated, the likelihood has no maximum. The fit then stops after `STEPS`
    steps at a large finite norm, as ``glm`` does with a warning, and says so.
    """
    sign: Floats = np.where(y == 1, 1.0, -1.0)
    # The first weighted least squares step of glm, from its start mu = (y + 1/2) / 2.
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
    """Solution by least squares: near separation the information is nearly singular."""
    return np.asarray(np.linalg.lstsq(left, right, rcond=None)[0], dtype=np.float64)


def _loss(design: Floats, sign: Floats, coefficients: Floats) -> float:
    """Deviance."""
    return float(2 * np.logaddexp(0, -sign * (design @ coefficients)).sum())
