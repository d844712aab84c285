"""Messages of a curve to guess from: they hold neither limits nor what limits are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.shown.evaluation_group import Group

from .arrays import curve_arrays, limit_counts, short_thresholds
from .encoding import encoded, entry_name, short
from .messages import VERSION, facts_of, frame_of
from .statements import point_numbers

#: Findings of a band without any limit.
NO_LIMITS: dict[str, Any] = {
    "quantiles": None,
    "ranks": None,
    "guaranteed": [0.0, 0.0],
    "local": {"vacuous_share": [1.0, 1.0], "missing": 0b1111},
}
#: Facts of an evaluation from which limits could be made, or which judge it.
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
    """Messages ``_data`` and ``_frame`` of one curve: its scores, and counts at its vertices."""
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
    """Every rate from 0 to 1 at each vertex."""
    none = np.zeros(vertices, dtype=np.int64)
    all_ = [np.full(vertices, mass, dtype=np.int64) for mass in shown.display.masses]
    return limit_counts((none, none), all_)
