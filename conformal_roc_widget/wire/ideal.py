"""Writes the message ``_ideal``: the ideal model's own ROC curve with limits at all alphas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from conformal_roc_widget.evaluation.ideal_curve import MOST_SAMPLED, Candidates
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.promise import IDEAL_RATE
from conformal_roc_widget.shown.controls import IDEAL, Controls
from conformal_roc_widget.shown.evaluation_group import Group

from .budget import ALPHA_STOPS
from .encoding import counts_of, encoded, short
from .messages import VERSION


def wanted(group: Group, controls: Controls) -> RocEvaluation | None:
    """Returns the evaluation whose ideal curve is shown with these controls, or None."""
    return group.looked_at(group.key_of(controls)) if controls.band == IDEAL else None


def ideal_message(group: Group, controls: Controls) -> dict[str, Any]:
    """Returns ``_ideal`` for the selected evaluation. Empty if its ideal curve is not shown.

    True positive rates are sent as counts of ``n`` positives. ``lower`` and ``upper`` have a row
    for each false positive rate of ``fpr``, with counts at the ``alphas``. Rows of ``lower``
    ascend. Rows of ``upper`` descend, and are stored in reverse. ``i * (n + 1)`` is added to row i,
    so that all counts ascend. ``auc`` and ``gain`` have the lower limits at the ``alphas``, then
    the upper limits.
    """
    evaluation = wanted(group, controls)
    if evaluation is None:
        return {}
    message: dict[str, Any] = {
        "version": VERSION,
        "label": group.key_of(controls),
        "absence": evaluation.no_ideal_curve,
    }
    if evaluation.no_ideal_curve:
        return message
    candidates = evaluation.ideal_candidates
    n = min(evaluation.n_test[1], MOST_SAMPLED)
    return encoded(message | table_of(candidates, n, sorted({*ALPHA_STOPS, controls.alpha})))


def table_of(candidates: Candidates, n: int, alphas: Sequence[float]) -> dict[str, Any]:
    """Returns the fields of the message for candidates with `n` positives, at `alphas`."""
    lower, upper = (counts_of(rates, n).T for rates in candidates.limits(alphas))
    raised = np.arange(candidates.fpr.size)[:, None] * (n + 1)
    return {
        "n": n,
        "fpr": candidates.fpr,
        "alphas": np.array(alphas),
        "lower": (lower + raised).ravel(),
        "upper": (upper[:, ::-1] + raised).ravel(),
        "median": counts_of(candidates.median, n),
        "auc": short(np.ravel(candidates.auc_limits(alphas))),
        "gain": short(np.ravel(candidates.gain_limits(alphas))),
        "words": candidates.promise.replaced(scope=IDEAL_RATE).record,
    }
