"""Replaces limits at many vertices by shifts, in a page that contains only curves of many rows.

If all test points of a label share two order statistics, a limit of its rate at a threshold is the
share of scores above another threshold, whose logit is smaller by the order statistic. Between the
vertices a page interpolates this share. Neighbouring vertices of a simplified curve differ by less
than half a pixel, unless scores are tied.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.logits import open_logit_of

#: If both labels have at most this many test points, their limits are sent instead of shifts.
MANY = 16_384
#: Shifts are rounded to multiples of this step. Exact shifts would be residuals, which a page with
#: ``data="curves"`` must not contain.
STEP = 2.0**-13
#: If shifts change a rate by more than this at some vertex, the limits are sent instead. It is a
#: quarter of a pixel on a plot 1000 pixels wide.
MOST_OFF = 1 / 4096


def with_shifts(
    evaluation: RocEvaluation, thresholds: Floats, curves: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Returns the `curves`, with ``shifts`` in place of ``limits`` if they are near enough."""
    observed = evaluation.sampled
    if not observed.simplified or observed.any_size or max(observed.sizes) <= MANY:
        return curves
    counts = [scores.at_least(thresholds) for scores in observed.sorted_scores]
    return [_with_shift(evaluation, thresholds, counts, curve) for curve in curves]


def _with_shift(
    evaluation: RocEvaluation, thresholds: Floats, counts: Sequence[Ints], curve: dict[str, Any]
) -> dict[str, Any]:
    pairs = evaluation.at(curve["alpha"]).quantiles
    if pairs is None:
        return curve
    shifts = np.rint(np.array([*pairs[0], *pairs[1]]) / STEP) * STEP
    for i, (shift, exact) in enumerate(zip(shifts, curve["limits"], strict=True)):
        own = counts[i // 2]
        if np.abs(shifted(thresholds, own, shift) - exact).max() > MOST_OFF * own[-1]:
            return curve
    return curve | {"shifts": shifts, "limits": None}


def shifted(thresholds: Floats, counts: Ints, shift: float) -> Floats:
    """How many ends of intervals lie above each threshold, if each is a score's logit plus `shift`.

    `counts` are the numbers of scores that reach the descending `thresholds`.
    """
    logits = open_logit_of(thresholds)
    with np.errstate(invalid="ignore"):
        at = np.where(logits == shift, np.inf, logits - shift)
    known = np.isfinite(logits)
    known_at, known_counts = logits[known][::-1], counts[known][::-1]
    return np.asarray(np.interp(at, known_at, known_counts, left=counts[-1], right=0))
