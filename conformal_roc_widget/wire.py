"""The wire format, version 1; its twin is ``js/src/wire.ts``.

The kernel sends two messages, each one synced trait. ``_data`` does not depend on alpha and goes
out once; ``_frame`` is the atomic answer to one setting of the sliders. The page sends one custom
message, ``{"type": "state", "client": str, "seq": int, "alpha": float, "threshold": float}``.

In every pair, entry 0 belongs to label 0 and entry 1 to label 1. Binary fields are little-endian:
float64, so that infinities survive, and counts of two or four bytes, which the page divides by the
number of test points to get the very floats that Python has.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from conformal_roc_widget.evaluation import RocEvaluation
from conformal_roc_widget.quantiles import ranks
from conformal_roc_widget.validation import Floats, Ints

VERSION = 1
#: Client and sequence number of a frame that no page asked for.
FROM_PYTHON = ("", 0)


def data_message(evaluation: RocEvaluation) -> dict[str, Any]:
    """What the page needs once.

    Parameters
    ----------
    evaluation : RocEvaluation
        What is shown.

    Returns
    -------
    dict
        ``classes``, ``n_test``, ``n_calibration``, ``auc``, the vertices of the observed curve
        (``thresholds``, ``fp``, ``tp``), whether they are ``simplified``, ``vacuous_below``: the
        alpha below which a label has no limits, and the ``notes``.
    """
    vertices = evaluation.display_vertices
    return {
        "version": VERSION,
        "classes": [str(name) for name in evaluation.classes],
        "n_test": _pair(evaluation.n_test),
        "n_calibration": _pair(evaluation.n_calibration),
        "auc": evaluation.observed_auc,
        "thresholds": _floats(vertices.thresholds),
        "count_bytes": _count_bytes(evaluation),
        "fp": _counts(evaluation, vertices.fp),
        "tp": _counts(evaluation, vertices.tp),
        "simplified": vertices.thresholds.size < evaluation.n_thresholds,
        "vacuous_below": _pair(evaluation.vacuous_below),
        "notes": list(evaluation.lasting_notes),
    }


def frame_message(
    evaluation: RocEvaluation, alpha: float, threshold: float, client: str, seq: int
) -> dict[str, Any]:
    """The kernel's answer to one setting of the sliders.

    Parameters
    ----------
    evaluation : RocEvaluation
        What is shown.
    alpha, threshold : float
        Where the sliders stand.
    client, seq : str, int
        Which request of which page this answers; the defaults say that Python asked.

    Returns
    -------
    dict
        ``quantiles`` and ``ranks`` of the order statistics (null where every test point has its
        own), ``guaranteed`` coverage, ``vacuous`` reasons, the ``auc`` range, the operating
        ``point``, the ``limits`` as counts at the vertices of ``_data`` (lower and upper of label
        0, lower and upper of label 1), and the words for ``target``, ``scope``, ``guarantee``.
    """
    low, high = evaluation.display_counts(alpha)
    point = evaluation.operating_point(threshold, alpha)
    _, auc_lower, auc_upper = evaluation.display_auc(alpha)
    summary = evaluation.band(alpha, thresholds=[])
    pooled = summary.quantiles
    return {
        "version": VERSION,
        "client": client,
        "seq": seq,
        "alpha": alpha,
        "threshold": threshold,
        "quantiles": None if pooled is None else _floats(np.array([*pooled[0], *pooled[1]])),
        "ranks": None
        if pooled is None
        else [
            list(ranks(n, alpha, evaluation.quantile_rule)) for n in _pair(summary.n_calibration)
        ],
        "guaranteed": _pair(summary.guaranteed),
        "vacuous": _pair(summary.vacuous),
        "auc": [auc_lower, auc_upper],
        "point": {
            "tp": point.tp,
            "fp": point.fp,
            "tn": point.tn,
            "fn": point.fn,
            "tpr": point.tpr,
            "tpr_lower": point.tpr_lower,
            "tpr_upper": point.tpr_upper,
            "fpr": point.fpr,
            "fpr_lower": point.fpr_lower,
            "fpr_upper": point.fpr_upper,
            "youden": point.youden,
            "precision": None if math.isnan(point.precision) else point.precision,
        },
        "limits": b"".join(_counts(evaluation, c) for c in (low[0], high[0], low[1], high[1])),
        "target": summary.target,
        "scope": summary.scope,
        "guarantee": summary.guarantee,
    }


def state_request(content: Any) -> tuple[str, int, dict[str, Any]] | None:
    """Read a message of the page.

    Parameters
    ----------
    content : object
        Whatever arrived.

    Returns
    -------
    tuple of (str, int, dict) or None
        Client, sequence number, and the wanted ``alpha`` and ``threshold``; None where the message
        is not a request of this version.
    """
    if not isinstance(content, dict) or content.get("type") != "state":
        return None
    client, seq = content.get("client"), content.get("seq")
    if not isinstance(client, str) or not isinstance(seq, int):
        return None
    return client, seq, {name: content.get(name) for name in ("alpha", "threshold")}


def error_message(client: str, seq: int, error: Exception) -> dict[str, Any]:
    """Tell a page that its request failed.

    Parameters
    ----------
    client, seq : str, int
        Which request.
    error : Exception
        Why.

    Returns
    -------
    dict
        Custom message; the last good frame stays.
    """
    return {"type": "error", "client": client, "seq": seq, "message": str(error)}


def _pair(by_label: Any) -> list[Any]:
    return [by_label[0], by_label[1]]


def _floats(values: Floats) -> bytes:
    return values.astype("<f8").tobytes()


def _count_bytes(evaluation: RocEvaluation) -> int:
    return 2 if max(evaluation.n_test.values()) < 1 << 16 else 4


def _counts(evaluation: RocEvaluation, counts: Ints) -> bytes:
    return counts.astype(f"<u{_count_bytes(evaluation)}").tobytes()
