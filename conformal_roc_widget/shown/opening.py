"""Chooses the band and the guarantee that a widget shows first, if the user chose none."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from conformal_roc_widget.calibration.quantiles import exact_alpha, residuals_needed
from conformal_roc_widget.choices import BandName, GuaranteeName
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation

from .controls import SAMPLING, Controls
from .evaluation_group import Group

#: If alpha is at most this, the band for ``"everywhere"`` is not wider than the one for
#: ``"individual"``. Over 185 data sets it was .86 times as wide at .05, as wide at .1, and wider at
#: .2.
MOST_ALPHA = Fraction(1, 10)
#: If at most this share of a curve's vertices has a limit, the band says little, and the widget
#: opens with other limits.
SPEAKING = 0.5
#: The kinds of groups that are compared with each other. For these, the widget first shows
#: confidence limits for the classifiers in the population.
COMPARED = ("classifiers", "classes", "folds", "populations")


def lacks_a_limit(evaluation: RocEvaluation, alpha: float) -> bool:
    """Whether a label has too few residuals for both limits at `alpha`.

    Only the numbers of residuals are used, and neither scores nor labels of test points.
    """
    both = residuals_needed(alpha, evaluation.quantile_rule)[1]
    return min(evaluation.n_calibration.values()) < both


def opening_band(group: Group, controls: Controls, *, has_truth: bool = False) -> BandName:
    """Returns the band that a widget of `group` shows first, if the user chose none.

    It is ``"sampling"``, this classifier's own band, in three cases: several evaluations are
    compared, the test rows themselves make the limits, or the conformal limits are uninformative.
    Otherwise, and always if the truth is known, it is ``"sensitivity"``.
    """
    every = group.entries.values()
    if has_truth or group.awaits_labels:
        return "sensitivity"
    if group.kind in COMPARED and (len(every) > 1 or group.kind != "classifiers"):
        return SAMPLING
    if group.kind != "bands" and all(e.makes_its_limits or e.score_kind == "score" for e in every):
        return SAMPLING
    try:
        exact_alpha(controls.alpha)
        opening = group.with_guarantee(controls.guarantee)
        shown = opening.looked_at(group.opens_with(group.key_of(controls)))
    except (TypeError, ValueError):
        return "sensitivity"  # the check of the traits raises this error later
    return SAMPLING if says_nothing(shown or next(iter(every)), controls.alpha) else "sensitivity"


def says_nothing(evaluation: RocEvaluation, alpha: Any) -> bool:
    """Whether the sensitivity's limits are 0 and 1 at half or more of the curve's vertices."""
    # `display` keeps the limits, because the first message to the page needs them too.
    lower, upper = evaluation.at(alpha).display
    n_positive = evaluation.sampled.sizes[1]
    return float(np.mean((lower[1] > 0) | (upper[1] < n_positive))) <= SPEAKING


def opened(group: Group, guarantee: Any, alpha: Any) -> Group:
    """Returns the group that a widget shows first. It may have another guarantee than `group`.

    The guarantee changes if calibration rows have only labels and scores, the user chose no
    guarantee, and a label has too few calibration rows for both limits. Then ``"simultaneous"``,
    which needs no minimum number of rows, replaces ``"individual"``.
    """
    every = group.entries.values()
    unchosen = guarantee is None and all(e.is_recalibrable and not e.is_chosen for e in every)
    try:
        lacking = unchosen and any(lacks_a_limit(each, alpha) for each in every)
    except (TypeError, ValueError):
        return group  # the check of the trait `alpha` raises this error later
    return group.with_guarantee("simultaneous") if lacking else group


def opening_guarantee(group: Group, alpha: Any) -> GuaranteeName | None:
    """Returns the guarantee that a widget shows first, if the user chose none.

    It is ``"everywhere"`` if the user chose no guarantee for the evaluations, all of them can have
    ``"everywhere"``, and one of two conditions holds: alpha is at most `MOST_ALPHA`, up to which
    its band is not wider, or a label lacks a limit. Neither results nor later moves of a slider
    matter.
    """
    every = group.entries.values()
    if any(each.is_chosen or each.no_everywhere for each in every):
        return group.guarantee
    try:
        level = exact_alpha(alpha)
    except (TypeError, ValueError):
        return group.guarantee  # the check of the trait `alpha` raises this error later
    if level > MOST_ALPHA and not any(lacks_a_limit(each, alpha) for each in every):
        return group.guarantee
    return "everywhere"
