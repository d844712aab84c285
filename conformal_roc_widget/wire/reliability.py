"""The calibration band for a page: its bounds at some alphas, at each score where one steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation

from .encoding import for_pixels


def reliability(
    evaluation: RocEvaluation, alphas: Sequence[float], thresholds: Floats | None = None
) -> dict[str, Any] | None:
    """Bounds at some alphas; None if test rows are not independent and alike.

    Those at one alpha are an answer of the kernel, and have more digits than are drawn.

    A page that may hold no scores gets the thresholds in their place: the largest not above each.
    """
    if evaluation.display.dependence or evaluation.display.any_size:
        return None
    groups = evaluation.display_score_groups
    lower, upper = groups.limits_at(alphas)
    # A lower bound holds for its group and all above, an upper one for its group and all below.
    rises = np.diff(lower, prepend=0.0) != 0
    falls = np.diff(upper, append=1.0) != 0
    steps = np.diff(groups.isotonic, prepend=-1.0) != 0
    steps |= rises.any(axis=0) | falls.any(axis=0)
    steps[-1] = True
    first, last = groups.scores[steps], groups.ends[steps]
    if thresholds is not None:
        ascending = thresholds[::-1]
        first, last = (
            ascending[np.searchsorted(ascending, scores, side="right") - 1]
            for scores in (first, last)
        )
    return {
        "first": first,
        "last": last,
        "isotonic": groups.isotonic[steps],
        "alphas": [float(alpha) for alpha in alphas],
        "lower": _sparse(lower[:, steps], rises[:, steps]),
        "upper": _sparse(upper[:, steps], falls[:, steps]),
    }


def _sparse(bounds: Floats, steps: NDArray[np.bool_]) -> dict[str, Any]:
    """The bounds at which a step is, alpha after alpha, and their places."""
    drawn = bounds if len(bounds) == 1 else for_pixels(bounds)
    return {"at": np.flatnonzero(steps), "values": drawn[steps].astype(np.float32)}
