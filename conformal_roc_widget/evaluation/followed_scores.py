"""Evaluates scores without features at a horizon t, if outcomes are times T of events.

The limits are for ``P(T <= t | score)``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import by_label, same_length, scores_of
from conformal_roc_widget.calibration.followed.censoring import MarginalCensoring
from conformal_roc_widget.calibration.followed.known import Known, check_known, horizon_of
from conformal_roc_widget.calibration.followed.learned_risk import LearnedRisk
from conformal_roc_widget.calibration.followed.residuals import residuals_of
from conformal_roc_widget.calibration.quantiles import check_rule
from conformal_roc_widget.calibration.references.kernel import fit_kernel
from conformal_roc_widget.calibration.residuals import GroupedResiduals
from conformal_roc_widget.checks import one_of
from conformal_roc_widget.logits import clipped, logit_of
from conformal_roc_widget.promise import RECALIBRATION, for_horizon
from conformal_roc_widget.tables.event_times import EventTimes

from .at_alpha import CalibratedCurve
from .follow_up import CLASSES, observed_at
from .notes import lost_rows
from .support import Diagnostics, SupportPart

NO_EVERYWHERE_AT_A_HORIZON = (
    "guarantee: found 'everywhere' for scores alone with a time in y, expected 'individual': "
    "without features nothing tells an ideal model"
)


def evaluated_scores_at(
    calibration: tuple[Any, ArrayLike],
    test: tuple[Any, ArrayLike],
    horizon: Any,
    rule: str,
    guarantee: str,
    unit: str,
) -> tuple[tuple[str, str], CalibratedCurve, Diagnostics]:
    """Makes classes, curve and diagnostics of a `RocEvaluation` at a horizon.

    `calibration` and `test` are pairs of outcomes and scores. `unit` is the unit of the times.
    """
    check_rule(rule, "quantile_rule")
    t = horizon_of(horizon)
    if guarantee == "simultaneous":
        raise ValueError(
            "guarantee: found 'simultaneous' with a time in y, expected 'individual': the "
            "calibration band counts independent rows, and these represent lost rows"
        )
    one_of(guarantee, "guarantee", ("individual",))
    outcome, test_outcome = (
        EventTimes.of(calibration[0], "y_calibration"),
        EventTimes.of(test[0], "y_test"),
    )
    scores = scores_of(calibration[1], "score_calibration")
    test_scores = scores_of(test[1], "score_test").copy()
    same_length(y_calibration=outcome.times, score_calibration=scores)
    same_length(y_test=test_outcome.times, score_test=test_scores)
    check_known(outcome, t, "y_calibration")
    check_known(test_outcome, t, "y_test", fewest=1)
    censoring = MarginalCensoring.of(outcome)
    there, known = Known.of(outcome, t, censoring), Known.of(test_outcome, t, censoring)
    logits = logit_of(scores)
    X = clipped(logits)[:, None]
    draws = LearnedRisk.of(X, outcome, (t,)).risk_logits(X, (t,))[t]
    residuals = residuals_of(there, draws, logits)
    observed = observed_at(known, unit, test_outcome, test_scores, logit_of(test_scores))
    assert observed.follow_up is not None
    groups = by_label(lambda k: GroupedResiduals.pooled(residuals[k]))
    curve = CalibratedCurve(
        observed, groups, rule, *for_horizon(observed.follow_up.by, RECALIBRATION)
    )
    nan = np.full(there.labels.size, np.nan)
    kernel = fit_kernel(X, np.zeros(len(X), dtype=np.intp))
    part = SupportPart(
        kernel, None, observed.scores, slice(None), nan, there.labels.astype(np.intp)
    )
    return (
        CLASSES,
        curve,
        Diagnostics((part,), tuple(lost_rows(known, there, observed.follow_up.by))),
    )
