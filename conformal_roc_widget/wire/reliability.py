"""Reduces the calibration band for a page to those scores at which a bound changes.

The reliability view shows the band, which bounds ``P(y = 1 | score)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.reliability.score_runs import ScoreRuns

from .encoding import for_pixels


def reliability(
    evaluation: RocEvaluation, alphas: Sequence[float], thresholds: Floats | None = None
) -> dict[str, Any] | None:
    """Returns the bounds at each of `alphas`. None if test rows have weights or are dependent.

    If there is a single alpha, the kernel answers a request, and the bounds are not rounded. If
    `thresholds` are given, the page must not contain scores: each score is replaced by the largest
    threshold that is not above it.
    """
    if evaluation.dependence or evaluation.sampled.any_size:
        return None
    groups = evaluation.sampled.screen_score_groups
    lower, upper = groups.limits_at(alphas)
    drawn = (lower, upper) if len(alphas) == 1 else (for_pixels(lower), for_pixels(upper))
    found, steps = bounds_message(groups, alphas, (lower, upper), drawn)
    first, last = groups.scores[steps], groups.ends[steps]
    if thresholds is not None:
        ascending = thresholds[::-1]
        first, last = (
            ascending[np.searchsorted(ascending, scores, side="right") - 1]
            for scores in (first, last)
        )
    return {"first": first, "last": last} | found


def bounds_message(
    groups: ScoreRuns,
    alphas: Sequence[float],
    exact: tuple[Floats, Floats],
    drawn: tuple[Floats, Floats],
) -> tuple[dict[str, Any], Ints]:
    """Returns the bounds `drawn` at the groups where an `exact` bound changes, and their indices.

    `exact` and `drawn` are pairs of lower and upper bounds, each of shape (alphas, groups).
    """
    # A lower bound also holds at all higher scores, and an upper bound at all lower ones. So a
    # group is needed only if its lower bound rises, or if its upper bound is below the next one.
    lower, upper = exact
    rises = np.diff(lower, prepend=0.0) != 0
    falls = np.diff(upper, append=1.0) != 0
    steps = np.diff(groups.isotonic, prepend=-1.0) != 0
    steps |= rises.any(axis=0) | falls.any(axis=0)
    steps[-1] = True
    message = {
        "isotonic": groups.isotonic[steps],
        "alphas": [float(alpha) for alpha in alphas],
        "lower": _sparse(drawn[0][:, steps], rises[:, steps]),
        "upper": _sparse(drawn[1][:, steps], falls[:, steps]),
    }
    return message, np.flatnonzero(steps)


def _sparse(bounds: Floats, steps: NDArray[np.bool_]) -> dict[str, Any]:
    """Returns the bounds (alphas, scores) where `steps` is set, and the indices of these places.

    The rows, one for each alpha, follow each other.
    """
    return {"at": np.flatnonzero(steps), "values": bounds[steps].astype(np.float32)}
