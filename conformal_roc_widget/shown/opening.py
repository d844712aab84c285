"""The question and the promise with which a widget opens if its user names none."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from conformal_roc_widget.calibration.quantiles import exact_alpha, residuals_needed
from conformal_roc_widget.choices import BandName, GuaranteeName
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation

from .controls import SAMPLING, Controls
from .evaluation_group import Group

#: Up to this alpha limits at every threshold at once are no wider than those for one drawn at
#: random. Over 185 data sets they were .86 times as wide at .05, as wide at .1, and wider at .2.
MOST_ALPHA = Fraction(1, 10)
#: Limits that are known at no larger share of a curve's points say nothing.
SPEAKING = 0.5
#: Several evaluations of which the page asks first how sure their comparison is.
COMPARED = ("classifiers", "classes", "folds", "populations")


def lacks_a_limit(evaluation: RocEvaluation, alpha: float) -> bool:
    """Whether a label has too few residuals for both limits; no result is looked at."""
    both = residuals_needed(alpha, evaluation.quantile_rule)[1]
    return min(evaluation.n_calibration.values()) < both


def opening_band(group: Group, controls: Controls, *, has_truth: bool = False) -> BandName:
    """The band with which a widget of a group opens if its user names none.

    It is this classifier's own where several are compared, where test rows made the limits, and
    where the conformal limits say nothing; else the paper's, and where the truth is known too.
    """
    every = group.entries.values()
    if has_truth or any(each.told_share is not None for each in every):
        return "sensitivity"
    if group.kind in COMPARED and (len(every) > 1 or group.kind != "classifiers"):
        return SAMPLING
    if group.kind != "bands" and all(e.makes_its_limits or e.score_kind == "score" for e in every):
        return SAMPLING
    try:
        opening = group.with_guarantee(controls.guarantee)
        shown = opening.looked_at(group.opens_with(group.key_of(controls)))
        return (
            SAMPLING if says_nothing(shown or next(iter(every)), controls.alpha) else "sensitivity"
        )
    except (TypeError, ValueError):
        return "sensitivity"  # the traits refuse what it is


def says_nothing(evaluation: RocEvaluation, alpha: Any) -> bool:
    """Whether the limits of the sensitivity are 0 and 1 at half of the curve's points or more."""
    shown = evaluation.at(alpha).display  # the frame has the same limits: they are made once
    n_positive = evaluation.display.masses[1]
    return float(np.mean((shown.lower[1] > 0) | (shown.upper[1] < n_positive))) <= SPEAKING


def opened(group: Group, guarantee: Any, alpha: Any) -> Group:
    """The evaluations with which a widget opens.

    If nobody chose a guarantee for four arrays and a label lacks a limit, their limits are for an
    ideal recalibration: those need no number of rows.
    """
    every = group.entries.values()
    unchosen = guarantee is None and all(e.is_recalibrable and not e.is_chosen for e in every)
    try:
        lacking = unchosen and any(lacks_a_limit(each, alpha) for each in every)
    except (TypeError, ValueError):
        return group  # the trait `alpha` refuses it
    return group.with_guarantee("simultaneous") if lacking else group


def opening_guarantee(group: Group, alpha: Any) -> GuaranteeName | None:
    """The guarantee with which a widget opens if its user names none.

    Where nobody has chosen one for the evaluations either, and all can hold at every threshold at
    once, it is that at an alpha of at most `MOST_ALPHA`, where its band is the narrower one, and
    where a label lacks a limit. No result is looked at, and no slider that is moved later.
    """
    every = group.entries.values()
    if any(each.is_chosen or each.no_everywhere for each in every):
        return group.guarantee
    try:
        level = exact_alpha(alpha)
    except (TypeError, ValueError):
        return group.guarantee  # the trait `alpha` refuses it
    if level > MOST_ALPHA and not any(lacks_a_limit(each, alpha) for each in every):
        return group.guarantee
    return "everywhere"
