"""The promise with which a widget opens if its user names none: numbers of rows decide it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformal_roc_widget.calibration.quantiles import residuals_needed
from conformal_roc_widget.evaluation.horizons import Horizons
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation


def lacks_a_limit(evaluation: RocEvaluation, alpha: float) -> bool:
    """Whether a label has too few residuals for both limits; no result is looked at."""
    both = residuals_needed(alpha, evaluation.quantile_rule)[1]
    return min(evaluation.n_calibration.values()) < both


def opened(
    made: RocEvaluation | Mapping[Any, RocEvaluation], alpha: float
) -> RocEvaluation | Mapping[Any, RocEvaluation]:
    """Individual evaluations.

    If these lack a limit, ones for every threshold, where they can be had.
    """
    every = list(made.values()) if isinstance(made, Mapping) else [made]
    if any(each.no_everywhere for each in every):
        return made
    if not any(lacks_a_limit(each, alpha) for each in every):
        return made
    others = [each.with_guarantee("everywhere") for each in every]
    if isinstance(made, Horizons):
        return Horizons(dict(zip(made, others, strict=True)))
    return dict(zip(made, others, strict=True)) if isinstance(made, Mapping) else others[0]
