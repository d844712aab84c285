"""Bounds of an ideal recalibration as a page gets them, and from which it computes a new alpha."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.evaluation.recalibrated import RecalibratedCurve
from conformal_roc_widget.reliability.score_runs import ScoreRuns
from conformal_roc_widget.wire.encoding import short_floats, varints

#: A page that cannot have all groups draws the bounds of this many.
DRAWN_GROUPS = 256
#: Of more scores than this only so many are sent; a page spaces those in between evenly.
SENT_SCORES = 512


def recalibration_arrays(curve: RecalibratedCurve, most_bytes: int | None) -> dict[str, Any]:
    """Calibration points by score, and by label how many test points stand before each of them.

    ``before`` is null where it would take too many bytes: the page then draws the bounds of fewer
    groups, and asks the kernel for limits.
    """
    runs = curve.score_runs
    before = [
        [varints(low), None if np.array_equal(low, up) else varints(up)]
        for low, up in curve.points_before
    ]
    groups = _groups(runs)
    sizes = [len(each) for pair in (groups.values(), *before) for each in pair if each is not None]
    whole = most_bytes is None or sum(sizes) <= most_bytes
    if not whole:
        runs = runs.joined(DRAWN_GROUPS)
        groups = _groups(runs)
    return groups | {
        "size": runs.scores.size,
        "before": before if whole else None,
        "ranked": list(curve.ranked),
    }


def _groups(runs: ScoreRuns) -> dict[str, bytes | None]:
    alone = (runs.points == 1).all()
    return {
        "first": short_floats(_some(expit(runs.scores))),
        "last": None if runs.ends is None else short_floats(_some(expit(runs.ends))),
        "points": None if alone else varints(np.cumsum(runs.points)),
        "positives": varints(np.cumsum(runs.positives)),
    }


def _some(scores: Floats) -> Floats:
    """Scores at evenly spaced places, the first and the last among them."""
    if scores.size <= SENT_SCORES:
        return scores
    return scores[np.arange(SENT_SCORES) * (scores.size - 1) // (SENT_SCORES - 1)]
