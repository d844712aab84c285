"""Statements about an evaluation at one alpha, as a frame carries them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from conformal_roc_widget.evaluation.at_alpha import AtAlpha
from conformal_roc_widget.wire.encoding import floats, pair


def statement(at: AtAlpha) -> dict[str, Any]:
    """Findings with the promise."""
    return findings(at) | at.promise.record


def findings(at: AtAlpha) -> dict[str, Any]:
    """Order statistics, coverage and vacuous labels, without words: a page has those once."""
    pooled, ranks = at.quantiles, at.ranks
    return {
        "quantiles": None if pooled is None else floats(np.array([*pooled[0], *pooled[1]])),
        "ranks": None if ranks is None else [list(both) for both in pair(ranks)],
        "guaranteed": pair(at.guaranteed),
        "vacuous": pair(at.vacuous),
        "local": None if pooled is not None else shares_without_limits(at),
        **({"notes": list(at.notes)} if at.notes else {}),
    }


def shares_without_limits(at: AtAlpha) -> dict[str, Any]:
    """Shares of the points without limits; bits where all of a label lack a lower, an upper one."""
    shares = [share for sides in pair(at.open_share) for share in sides]
    missing = sum((share == 1) << bit for bit, share in enumerate(shares))
    return {"vacuous_share": pair(at.vacuous_share)} | ({"missing": missing} if missing else {})


def point_numbers(at: AtAlpha, threshold: float) -> dict[str, Any]:
    """Operating point; its precision is null where nothing is called positive."""
    point = at.operating_point(threshold)
    return {
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
    }
