"""Statements about an evaluation at one alpha, for a frame."""

from __future__ import annotations

from typing import Any

import numpy as np

from conformal_roc_widget.evaluation.at_alpha import AtAlpha, Findings

from .encoding import number, pair

#: Fields of an operating point that a frame carries unchanged.
POINT = (
    *("tp", "fp", "tn", "fn", "tpr", "tpr_lower", "tpr_upper"),
    *("fpr", "fpr_lower", "fpr_upper", "youden"),
)


def statement(found: Findings) -> dict[str, Any]:
    """Findings with the kind of the promise, whose words are in the data."""
    return findings(found) | {"kind": found.promise.kind}


def findings(found: Findings) -> dict[str, Any]:
    """Order statistics, coverage, shares without limits; no words, which a page has once."""
    pooled, ranks = found.quantiles, found.ranks
    return {
        "quantiles": None if pooled is None else np.array([*pooled[0], *pooled[1]]),
        "ranks": None if ranks is None else [list(both) for both in pair(ranks)],
        "guaranteed": pair(found.guaranteed),
        "local": None if pooled is not None else shares_without_limits(found),
        **({"notes": list(found.notes)} if found.notes else {}),
    }


def shares_without_limits(found: Findings) -> dict[str, Any]:
    """Shares of points without limits, and a bit for each side on which no point has one."""
    shares = [share for sides in pair(found.open_share) for share in sides]
    missing = sum((share == 1) << bit for bit, share in enumerate(shares))
    return {"vacuous_share": pair(found.vacuous_share)} | ({"missing": missing} if missing else {})


def point_numbers(at: AtAlpha, threshold: float) -> dict[str, Any]:
    """Operating point; its precision is null if nothing is called positive."""
    point = at.operating_point(threshold)
    numbers = {name: getattr(point, name) for name in POINT}
    return numbers | {"precision": number(point.precision)}
