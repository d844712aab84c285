"""Evaluates test rows at several horizons, if outcomes are times of events.

At a horizon, label 1 is an event by that time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from conformal_roc_widget.arrays import Floats, by_label
from conformal_roc_widget.calibration.followed.fit import TimedCalibration, TimedRows
from conformal_roc_widget.calibration.followed.known import Known
from conformal_roc_widget.calibration.references.kernel import fit_kernel
from conformal_roc_widget.calibration.residuals import GroupedResiduals
from conformal_roc_widget.checks import one_of
from conformal_roc_widget.choices import GuaranteeName
from conformal_roc_widget.promise import for_horizon
from conformal_roc_widget.tables.points import Points
from conformal_roc_widget.text import duration

from .at_alpha import CalibratedCurve
from .band import Named, PointIntervals
from .evaluated import Sources
from .everywhere import Everywhere
from .follow_up import CLASSES, observed_at
from .notes import lost_rows
from .observed_curve import ObservedCurve
from .roc_evaluation import RocEvaluation
from .support import Diagnostics, SupportPart

if TYPE_CHECKING:
    import pandas as pd

GUARANTEES = ("individual", "everywhere")
NO_IDEAL_CURVE = "with a time in y its draws have no theory for weights"


@dataclass(frozen=True, eq=False, repr=False)
class Horizons(Named[float, RocEvaluation]):
    """Evaluations of the same test rows, one for each horizon.

    If `y` holds times with events, `ConformalROC.evaluate_all` returns it. It is a mapping from the
    ascending horizons to evaluations.
    """

    _items: Mapping[float, RocEvaluation]

    def __repr__(self) -> str:
        """Returns a short text with the number of rows whose outcome is known at each horizon."""
        sizes = ", ".join(f"{t:g}: {sum(e.n_test.values())}" for t, e in self.items())
        return f"Horizons({sizes} known rows)"

    def auc(self, alpha: float = 0.05) -> pd.DataFrame:
        """Returns the area at each horizon, with limits for this model's area in the population.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        pandas.DataFrame
            Columns ``horizon``, ``auc``, ``lower``, ``upper``, and the numbers of test rows that
            are ``cases``, ``controls`` and ``unknown`` at the horizon; ``attrs["alpha"]`` is the
            level.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1).
        """
        import pandas as pd

        rows = []
        for horizon, evaluation in self.items():
            area = evaluation.auc(alpha)
            counts = evaluation.n_test[1], evaluation.n_test[0], int(evaluation.unknown.sum())
            rows.append((horizon, *area, *counts))
        columns = ["horizon", "auc", "lower", "upper", "cases", "controls", "unknown"]
        frame = pd.DataFrame(rows, columns=columns)
        frame.attrs["alpha"] = float(alpha)
        return frame


def evaluation_at(
    made: TimedCalibration, test: TimedRows, horizon: float, guarantee: GuaranteeName | None = None
) -> RocEvaluation:
    """Evaluates test rows at one horizon of a fitted calibration."""
    if guarantee in ("curve", "simultaneous"):
        raise ValueError(
            f"guarantee: found {guarantee!r} with a time in y, expected 'individual' or "
            "'everywhere': it counts independent rows, and these represent lost rows"
        )
    if guarantee is not None:
        one_of(guarantee, "guarantee", GUARANTEES)
    known = made.known(test, horizon)
    points = test.points.rows(known.rows)
    scores, logits = made.risks.at(test.points, horizon)
    observed = observed_at(known, made.parameters.time_unit, test.outcome, scores, logits)
    follow_up = observed.follow_up
    assert follow_up is not None
    logits = logits[known.rows]
    calibrating = made.horizons[horizon]
    promises = for_horizon(follow_up.by, a_truth=made.true_reference)
    groups = by_label(lambda k: GroupedResiduals.pooled(calibrating.residuals[k]))
    curve = CalibratedCurve(observed, groups, made.parameters.quantile_rule, *promises)
    diagnostics = Diagnostics(
        parts=(_support(made, calibrating.known, points, logits),),
        remarks=tuple(lost_rows(known, calibrating.known, follow_up.by)),
    )
    sources = Sources(
        NO_IDEAL_CURVE,
        Everywhere(partial(getattr, calibrating, "residuals")),
        "a model of the time has no classes to call",
        is_chosen=guarantee is not None,
    )
    found = RocEvaluation(CLASSES, curve, diagnostics, sources)
    return found if guarantee is None else found.with_guarantee(guarantee)


def _support(made: TimedCalibration, known: Known, points: Points, logits: Floats) -> SupportPart:
    """Returns the points for the diagnostics of test points with the given `logits`.

    The reference's logits are NaN, so that no slope is computed, because there is no theory of it
    for weighted labels.
    """
    calibration, test = made.calibrating.array, points.array
    kernel = made.kernel
    if kernel is None:
        nothing = np.zeros(len(known.unknown), dtype=np.intp)
        own = made.risks.at(made.calibrating, known.horizon)[1]
        kernel, test = fit_kernel(own[:, None], nothing), logits[:, None]
    nan = np.full(known.labels.size, np.nan)
    return SupportPart(
        kernel,
        None if made.kernel is None else calibration,
        test,
        slice(None),
        nan,
        known.labels.astype(np.intp),
    )


def timed_intervals(
    made: TimedCalibration, points: Points, label: int, horizon: float, alpha: float
) -> PointIntervals:
    """Computes intervals for the risks of new points at a horizon, given that all have `label`."""
    scores, logits = made.risks.at(points, horizon)
    groups = by_label(lambda k: GroupedResiduals.pooled(made.horizons[horizon].residuals[k]))
    labels = np.full(scores.size, label, dtype=np.int8)
    by = duration(horizon, made.parameters.time_unit)
    promises = for_horizon(by, a_truth=made.true_reference)
    observed = ObservedCurve.of(scores, labels, None, logits)
    curve = CalibratedCurve(observed, groups, made.parameters.quantile_rule, *promises)
    return curve.at(alpha).intervals()
