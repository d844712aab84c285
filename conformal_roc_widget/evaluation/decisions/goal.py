"""Whether a goal is reached: at a threshold, and where it would be; the twin is ``goal.ts``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.evaluation.band import OperatingPoint
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.reliability.binomial_limits import exact_limits

from .population_threshold import RULES, PopulationThreshold

#: A threshold this near to the one that keeps a goal stands on it, since sliders round.
ON_THE_MARK = 1e-9
#: Rate -> the wrong calls that more of it are paid with.
PAID_WITH = {"sensitivity": "fp", "npv": "fp", "specificity": "fn", "precision": "fn"}


class Reached(NamedTuple):
    """A rate at a threshold, on these rows: k of n."""

    threshold: float
    point: OperatingPoint
    k: int
    n: int


class GoalVerdict(NamedTuple):
    """What is known of a goal at a threshold.

    `verdict` says what holds in the population, with confidence: the goal is "kept" at this
    threshold, it is "missed", or that is "open". `limits` are those of Clopper and Pearson here;
    None where the goal's own limit, at least so much, takes their place. `found` is the threshold
    that keeps the goal, and `price` the wrong calls of the other kind, there and here.
    """

    verdict: str
    here: Reached
    limits: tuple[float, float] | None
    is_on: bool
    found: Reached | None
    price: tuple[str, int, int] | None
    most: float
    rows: str
    n: int


def goal_verdict(
    evaluation: RocEvaluation, goal: Mapping[str, float], threshold: float, alpha: float
) -> GoalVerdict | None:
    """What is known of a goal; None where rows do not count alike: no exact tail is known then."""
    if evaluation.dependence or evaluation.error:
        return None
    ((rate, least),) = goal.items()
    kept = evaluation.threshold_for(**{rate: least}, confidence=float(1 - exact_alpha(alpha)))
    assert isinstance(kept, PopulationThreshold)
    here = _reached(evaluation, rate, threshold, alpha)
    found = None if kept.threshold is None else _reached(evaluation, rate, kept.threshold, alpha)
    low, high = exact_limits(here.k, here.n, alpha)
    is_on = kept.threshold is not None and abs(kept.threshold - threshold) <= ON_THE_MARK
    keeps = is_on or kept.keeps_at(threshold)
    verdict = "kept" if keeps else "missed" if here.n and high < least else "open"
    own = not here.n or is_on or (keeps and low < least)
    paid = PAID_WITH.get(rate)
    price = None
    if paid and found:
        price = paid, getattr(found.point, paid), getattr(here.point, paid)
    rows = RULES[rate].rows
    n = {"negatives": kept.rows[0], "positives": kept.rows[1], "rows": sum(kept.rows)}[rows]
    return GoalVerdict(
        verdict, here, None if own else (low, high), is_on, found, price, kept.most[rate], rows, n
    )


def _reached(evaluation: RocEvaluation, rate: str, threshold: float, alpha: float) -> Reached:
    """The rate at a threshold."""
    point = evaluation.operating_point(threshold, alpha)
    return Reached(threshold, point, *RULES[rate].of(point))
