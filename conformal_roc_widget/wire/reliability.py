"""The calibration band as a page gets it: bounds at some alphas, where any of them steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.reliability.calibration_band import band_of_runs
from conformal_roc_widget.reliability.score_runs import ScoreRuns
from conformal_roc_widget.wire.encoding import floats, varints


def reliability(
    evaluation: RocEvaluation, alphas: Sequence[float], thresholds: Floats | None = None
) -> dict[str, Any] | None:
    """Bounds at some alphas; None where test rows have weights, which these bounds do not count.

    A page that may hold no scores gets the thresholds in their place: the largest not above each.
    """
    if evaluation.sample_weight is not None:
        return None
    runs = evaluation.display_score_groups
    if thresholds is not None:
        runs = _at_thresholds(runs, thresholds)
    bands = [band_of_runs(runs, alpha) for alpha in alphas]
    isotonic = bands[0].isotonic
    steps = np.append(True, np.diff(isotonic) != 0)
    steps[-1] = True
    for band in bands:
        steps |= _rises(band.lower) | _rises_after(band.upper)
    return {
        "first": floats(runs.scores[steps]),
        "last": floats(runs.ends[steps]),
        "isotonic": floats(isotonic[steps]),
        "alphas": [band.alpha for band in bands],
        "lower": _sparse([band.lower[steps] for band in bands], _rises),
        "upper": _sparse([band.upper[steps] for band in bands], _rises_after),
    }


def _rises(lower: Floats) -> NDArray[np.bool_]:
    """Groups from which a higher lower bound holds."""
    return np.asarray(np.diff(lower, prepend=0.0) != 0)


def _rises_after(upper: Floats) -> NDArray[np.bool_]:
    """Groups up to which a lower upper bound holds."""
    return np.asarray(np.diff(upper, append=1.0) != 0)


def _sparse(
    bounds: Sequence[Floats], steps: Callable[[Floats], NDArray[np.bool_]]
) -> dict[str, bytes]:
    """The bounds that step, of all alphas one after the other, and where."""
    at = np.concatenate([steps(each) for each in bounds])
    return {"at": varints(np.flatnonzero(at)), "values": floats(np.concatenate(bounds)[at])}


def _at_thresholds(runs: ScoreRuns, thresholds: Floats) -> ScoreRuns:
    """The same groups between thresholds, the largest that is not above a score in its place."""
    ascending = thresholds[::-1]
    first, last = (
        ascending[np.searchsorted(ascending, scores, side="right") - 1]
        for scores in (runs.scores, runs.ends)
    )
    return replace(runs, scores=first, ends=last)
