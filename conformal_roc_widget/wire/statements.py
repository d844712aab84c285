"""Statements about an evaluation at one alpha, as a frame carries them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from conformal_roc_widget.calibration.quantiles import ranks
from conformal_roc_widget.evaluation.band import ConformalBand
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.wire.encoding import floats, pair


def statement(evaluation: RocEvaluation, alpha: float) -> dict[str, Any]:
    """Findings with target, scope and guarantee."""
    band = evaluation.band(alpha, thresholds=[])
    words = {"target": band.target, "scope": band.scope, "guarantee": band.guarantee}
    return findings(evaluation, band) | words


def findings(evaluation: RocEvaluation, band: ConformalBand) -> dict[str, Any]:
    """Order statistics, coverage and vacuous labels, without words: a page has those once."""
    alpha, pooled = band.alpha, band.quantiles
    rule = evaluation.quantile_rule
    return {
        "quantiles": None if pooled is None else floats(np.array([*pooled[0], *pooled[1]])),
        "ranks": None
        if pooled is None
        else [list(ranks(n, alpha, rule)) for n in pair(band.n_calibration)],
        "guaranteed": pair(band.guaranteed),
        "vacuous": pair(band.vacuous),
        "local": None
        if pooled is not None
        else {"vacuous_share": list(evaluation.vacuous_share(alpha))},
    }


def point_numbers(evaluation: RocEvaluation, threshold: float, alpha: float) -> dict[str, Any]:
    """Operating point; its precision is null where nothing is called positive."""
    point = evaluation.operating_point(threshold, alpha)
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
