"""The promise with which a widget opens if its user names none."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from conformal_roc_widget.calibration.quantiles import exact_alpha, residuals_needed
from conformal_roc_widget.choices import BandName, GuaranteeName
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation

from .controls import SAMPLING
from .evaluation_group import Group

#: Up to this alpha limits at every threshold at once are no wider than those for one picked
#: blindly: over 185 data sets .86 times as wide at .05, as wide at .1, and wider at .2.
MOST_ALPHA = Fraction(1, 10)


def lacks_a_limit(evaluation: RocEvaluation, alpha: float) -> bool:
    """Whether a label has too few residuals for both limits; no result is looked at."""
    both = residuals_needed(alpha, evaluation.quantile_rule)[1]
    return min(evaluation.n_calibration.values()) < both


def opening_band(group: Group) -> BandName:
    """The band with which a widget opens: this classifier's where test rows made the limits."""
    own = all(e.makes_its_limits or e.score_kind == "score" for e in group.entries.values())
    return SAMPLING if own and group.kind in ("single", "classes") else "sensitivity"


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
