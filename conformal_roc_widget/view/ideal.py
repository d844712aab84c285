"""The ideal model's own curve in a picture: its lines, its numbers, its words."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from conformal_roc_widget.evaluation.ideal_curve import IdealCurve
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.text import number_text, percent, range_text
from conformal_roc_widget.view.controls import IDEAL, Controls
from conformal_roc_widget.view.evaluation_group import Group

SCOPE = "pointwise: at one false positive rate, not the whole curve"


def wanted(group: Group, controls: Controls) -> RocEvaluation | None:
    """The evaluation whose ideal curve is to be shown, if any is."""
    return group.looked_at(controls.label) if controls.band == IDEAL else None


def limits_at(curve: IdealCurve, fpr: float) -> tuple[float, float]:
    """Limits at a false positive rate: at the largest rate of the grid that is not above it."""
    place = int(np.searchsorted(curve.fpr, fpr + 1e-9, side="right")) - 1
    return float(curve.tpr_lower[place]), float(curve.tpr_upper[place])


def title(alpha: float | None) -> str:
    """Heading; without the level for a chart that moves through alphas."""
    level = "" if alpha is None else f"{percent(1 - alpha)} "
    return f"ROC curve and an ideal model’s, with its {level}credible band"


def statement(curve: IdealCurve, *, any_alpha: bool = False) -> Mapping[str, str]:
    """Its target, scope and guarantee."""
    # A picture has no simultaneous limits.
    promise = curve.promise.words | {"scope": SCOPE}
    if any_alpha:
        promise["guarantee"] = promise["guarantee"].replace(percent(1 - curve.alpha), "1 − α")
    return promise


def numbers(curve: IdealCurve) -> tuple[str, str]:
    """Area and gain in a few words each."""
    area = f"an ideal model {range_text(curve.auc.lower, curve.auc.upper)}"
    return area, f"gain left {range_text(curve.gain.lower, curve.gain.upper)}"


def sentence(evaluation: RocEvaluation, curve: IdealCurve) -> str:
    """The page's sentence."""
    n = evaluation.n_test[0] + evaluation.n_test[1]
    return (
        f"This classifier’s AUC on these {n} test points is "
        f"{number_text(evaluation.observed_auc)}. A model "
        "that knows the true probabilities would have an AUC from "
        f"{range_text(curve.auc.lower, curve.auc.upper)} on a test set like this one: a gain of "
        f"{range_text(curve.gain.lower, curve.gain.upper)} is left "
        f"({percent(1 - curve.alpha)}, credible)."
    )


def absence(evaluation: RocEvaluation) -> str:
    """Why there is no such band, as a sentence."""
    return f"There is no band for an ideal model’s own curve: {evaluation.no_ideal_curve}."
