"""Sends the bounds of ``P(y = 1 | score)`` once, if test rows make their own limits.

The reliability diagram draws these bounds, and the limits of a rate count the rows whose bound lies
above a threshold. So a page without a kernel can make the limits from the bounds that it draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.logits import TIE, open_logit_of

from .budget import LAMBDAS
from .encoding import encoded, for_pixels, short
from .reliability import bounds_message
from .statements import findings


def own_limits(
    evaluation: RocEvaluation, alphas: Sequence[float], thresholds: Floats
) -> dict[str, Any] | None:
    """Returns the fields "reliability" and "frozen" of an entry. Only the first has the bounds.

    Returns None if the page could not make the limits from the bounds. `thresholds` are those of
    the vertices, as the page gets them.
    """
    observed = evaluation.sampled
    groups, vertices = observed.screen_score_groups, observed.screen_vertices
    scores = vertices.thresholds[:0:-1]
    sure = evaluation.is_simultaneous and not observed.dependence and not observed.any_size
    if not sure or observed.simplified or not np.array_equal(groups.scores, scores):
        return None
    exact = groups.limits_at(alphas)
    cuts = open_logit_of(np.concatenate([thresholds, LAMBDAS]))
    # `asked` has the same cuts as `cuts`. But the logits of scores are as the vertices have them,
    # for the comparison below.
    asked = np.concatenate([vertices.logits, open_logit_of(LAMBDAS)])
    drawn = _between(exact[0], cuts), _between(exact[1], cuts)
    stops = list(evaluation.at_each(alphas))
    reached = [np.append(counts[:0:-1], 0) for counts in (vertices.fp, vertices.tp)]
    for side, bounds in enumerate(drawn):
        for bound, stop in zip(bounds, stops, strict=True):
            # All points with the same score have the same bounds. So the points whose bound lies
            # above a cut are all points from a certain score on.
            place = np.searchsorted(open_logit_of(bound), cuts + TIE, side="right")
            for ends, counts in zip(stop.ends[side], reached, strict=True):
                if not np.array_equal(counts[place], ends.count_above(asked)):
                    return None
    message, steps = bounds_message(groups, alphas, exact, drawn)
    frozen = [
        {"alpha": stop.alpha, "frame": findings(stop), "auc": list(stop.display_auc()[1:])}
        | {"lower": None, "upper": None}
        for stop in stops
    ]
    return {"reliability": {"at": steps} | message, "frozen": [encoded(each) for each in frozen]}


def _between(bounds: Floats, cuts: Floats) -> Floats:
    """Rounds bounds so that they compress well.

    If rounding would move a bound across a cut, the bound becomes a float32 instead.
    """
    ordered = np.sort(cuts) + TIE
    rounded = for_pixels(bounds)
    own, moved = (np.searchsorted(ordered, open_logit_of(each)) for each in (bounds, rounded))
    passed = own != moved
    rounded[passed] = short(bounds[passed])
    return rounded
