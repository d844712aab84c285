"""Writes the messages of a page that hides limits, because readers are to guess them first.

The page's setting ``reveal`` is false. The messages contain neither limits nor anything from which
limits could be computed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.shown.evaluation_group import Group

from .arrays import curve_arrays, short_thresholds
from .encoding import encoded, entry_name, short
from .messages import VERSION, facts_of, frame_of, limit_counts
from .statements import point_numbers

#: The fields of `_frame` that describe the limits of an evaluation. These values mean that there
#: are no limits.
NO_LIMITS: dict[str, Any] = {
    "quantiles": None,
    "ranks": None,
    "guaranteed": [0.0, 0.0],
    "local": {"vacuous_share": [1.0, 1.0], "missing": 0b1111},
}
#: The fields of `_data` that would reveal limits of an evaluation, or a verdict. These values
#: reveal nothing.
UNKNOWN: dict[str, Any] = {
    "area": None,
    "settled": None,
    "precision": None,
    "losses": None,
    "notes": [],
    "others": [],
    "remade": False,
    "reliability": None,
    "simultaneous": False,
    "vacuous_below": [1.0, 1.0],
    "support": None,
}
ENDS = {"tpr_lower": 0.0, "tpr_upper": 1.0, "fpr_lower": 0.0, "fpr_upper": 1.0}


def concealed_messages(
    group: Group, alpha: float, threshold: float, client: str, seq: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns ``_data`` and ``_frame`` of a single evaluation, without limits.

    They contain its scores, and counts at the vertices of its curve.
    """
    ((label, shown),) = group.entries.items()
    thresholds = short_thresholds(shown, threshold)
    limits = _no_limits(shown, thresholds.size)
    entry = (
        {"label": label, "name": entry_name(label)}
        | facts_of(shown, thresholds)
        | curve_arrays(shown, thresholds, ())
        | {"curves": [{"alpha": alpha, "frame": NO_LIMITS, "auc": [0.0, 1.0], "limits": limits}]}
        | UNKNOWN
    )
    if shown.has_single_points and not shown.dependence:
        scores = (np.sort(shown.scores[shown.labels == k]) for k in (0, 1))
        entry["scores"] = [{"n": each.size, "values": short(each)} for each in scores]
    head: dict[str, Any] = {"version": VERSION, "kind": group.kind}
    if group.title:
        head["title"] = group.title
    at = shown.at(alpha)
    frame = NO_LIMITS | {"kind": at.promise.kind, "auc": [0.0, 1.0], "limits": limits}
    frame["point"] = point_numbers(at, threshold) | ENDS
    return encoded({**head, "entries": [entry]}), encoded(
        frame_of(alpha, threshold, client, seq, [frame])
    )


def _no_limits(shown: RocEvaluation, vertices: int) -> list[Any]:
    """Returns limits that say nothing: the rates 0 and 1 at each vertex, as counts."""
    none = np.zeros(vertices, dtype=np.int64)
    all_ = [np.full(vertices, mass, dtype=np.int64) for mass in shown.sampled.sizes]
    return limit_counts((none, none), all_)
