"""Makes the fields of a frame that describe the limits and the operating point at one alpha."""

from __future__ import annotations

from typing import Any

import numpy as np

from conformal_roc_widget.evaluation.at_alpha import AtAlpha

from .encoding import number, pair

#: The attributes of an `OperatingPoint` that the message `_frame` contains unchanged.
POINT = (
    *("tp", "fp", "tn", "fn", "tpr", "tpr_lower", "tpr_upper"),
    *("fpr", "fpr_lower", "fpr_upper", "youden"),
)


def statement(at: AtAlpha) -> dict[str, Any]:
    """Returns the fields of `findings` and the kind of the guarantee. ``_data`` has its words."""
    return findings(at) | {"kind": at.promise.kind}


def findings(at: AtAlpha, *, is_bare: bool = False) -> dict[str, Any]:
    """Returns the order statistics, the coverage, and the shares of test points without limits.

    If `is_bare` is set, there are no order statistics, which are residuals of the user's data.
    """
    pooled, ranks = (None, None) if is_bare else (at.quantiles, at.ranks)
    return {
        "quantiles": None if pooled is None else np.array([*pooled[0], *pooled[1]]),
        "ranks": None if ranks is None else [list(both) for both in pair(ranks)],
        "guaranteed": pair(at.guaranteed),
        "local": None if pooled is not None else shares_without_limits(at),
        **({"notes": list(at.notes)} if at.notes else {}),
    }


def shares_without_limits(at: AtAlpha) -> dict[str, Any]:
    """Returns shares of test points without limits, and the sides on which no point has a limit.

    The sides are bits: label 0 lower and upper, then label 1 lower and upper.
    """
    shares = [share for sides in pair(at.open_share) for share in sides]
    missing = sum((share == 1) << bit for bit, share in enumerate(shares))
    return {"vacuous_share": pair(at.vacuous_share)} | ({"missing": missing} if missing else {})


def point_numbers(at: AtAlpha, threshold: float) -> dict[str, Any]:
    """Returns the operating point's fields. If nobody is predicted positive, precision is null."""
    point = at.operating_point(threshold)
    numbers = {name: getattr(point, name) for name in POINT}
    return numbers | {"precision": number(point.precision)}
