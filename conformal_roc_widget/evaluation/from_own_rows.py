"""Evaluates test rows from labels and scores, without calibration rows.

`conformal_roc_widget.reliability` bounds ``P(y = 1 | score)`` at every score at once, given the
scores. At a threshold, the limits of a rate count the test points of a label whose lower (or upper)
bound is above it. So the limits hold for the rows that they are computed from, and no separate
calibration rows are needed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import (
    WeighedRows,
    WholeScores,
    are_probabilities,
    odds_of_weights,
)
from conformal_roc_widget.calibration.quantiles import check_rule
from conformal_roc_widget.calibration.references.kernel import check_scores
from conformal_roc_widget.checks import one_of
from conformal_roc_widget.promise import FOR_RECALIBRATION, NEW_PERSON
from conformal_roc_widget.tables.calibration_rows import one_row_each
from conformal_roc_widget.text import Note

from .from_scores import GUARANTEES, NO_EVERYWHERE
from .observed_curve import ObservedCurve
from .recalibrated import RecalibratedCurve, recalibrated, runs_of_logits

#: The call without calibration rows, as errors write it.
TWO_ARRAYS = "from_predictions(y, score)"
#: The end of the error on `horizon` in a call without calibration rows. It names the call that
#: accepts `horizon`.
FOUR_ARRAYS = (
    ": from_predictions(y_calibration, score_calibration, y_test, score_test, horizon=...) takes "
    "frames with the columns 'time' and 'event' as y, and risks of an event by then as scores; "
    "for a marker use ConformalROC(LogisticRegression(), horizons=[...])"
)
#: The note that rows of the same label have different weights.
UNEVEN = Note(
    "The rows of a label weigh unlike each other:",
    "limits for an ideal recalibration count each row once, and promise nothing.",
    "Those of this classifier take the weights.",
)
#: The note that people have several test rows. The word for people is filled in.
ONE_ROW_EACH = (
    "The limits are made of one row of {}, drawn without a look at labels, and hold for a row of a "
    "new person."
)


FORMS = {
    "from_predictions": (
        "y, score",
        ("y_calibration", "score_calibration", "y_test", "score_test"),
    ),
    "from_estimator": ("classifier, X_test, y_test", ("X", "y", "X_test", "y_test")),
}


def own_rows(maker: str, *given: Any) -> tuple[Any, Any] | None:
    """If the call of `maker` has no calibration rows, returns the two arguments of the test rows.

    If all four arguments are given, returns None. Any other combination is an error.
    """
    alone, names = FORMS[maker]
    there = [each is not None for each in given]
    if all(there):
        return None
    for pair in (slice(0, 2), slice(2, 4)):
        if all(there[pair]) and sum(there) == 2:
            one, two = given[pair]
            return one, two
    first = "estimator, " * (maker == "from_estimator")
    raise ValueError(
        f"{names[there.index(False)]}: found None, expected {maker}({alone}), or all four: "
        f"{maker}({first}{', '.join(names)})"
    )


def one_weight(sample_weight: Any, sample_weight_test: Any) -> Any:
    """Returns the weights of the test rows, which have two names. Raises if both names are used."""
    if sample_weight is not None and sample_weight_test is not None:
        raise ValueError("sample_weight: found it beside sample_weight_test, expected one of both")
    return sample_weight_test if sample_weight is None else sample_weight


def refuse_one_weight(sample_weight: Any) -> None:
    """Raises an error if `sample_weight` is given with calibration and test rows.

    The name `sample_weight` does not say which of the two sets of rows it belongs to.
    """
    if sample_weight is not None:
        raise ValueError(
            "sample_weight: found it with calibration rows, expected sample_weight_test or "
            "sample_weight_calibration"
        )


def own_curve(
    y: ArrayLike,
    score: ArrayLike,
    pos_label: Any,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
) -> tuple[tuple[Any, Any], RecalibratedCurve]:
    """Returns the two classes, and a curve with limits that are computed from its own rows.

    Rows of weight 0 are left out.
    """
    classes, codes, scores, weights, people = WeighedRows.of(
        *(("y", "score"), y, score, sample_weight, groups), suffix="_test", pos_label=pos_label
    )
    any_size = not are_probabilities(scores)
    check_scores(scores, "score")
    zero, one = classes.tolist()
    whole = WholeScores.of(score)
    observed = ObservedCurve.of(
        scores, codes, weights, people=people, any_size=any_size, whole=whole
    )
    return (zero, one), curve_of(observed)


def curve_of(observed: ObservedCurve) -> RecalibratedCurve:
    """Gives `observed` limits for an ideal recalibration that come from its own rows.

    If people have several rows, the limits come from one row of each person.
    """
    remark, promises = None, FOR_RECALIBRATION
    if observed.people is None:
        runs = observed.runs_of_places()
    else:
        rows = one_row_each(observed.people)
        people = "the only person" if rows.size == 1 else f"each of the {rows.size:,} people"
        remark = Note(ONE_ROW_EACH.format(people))
        of_rates, of_points = (
            each.replaced(guarantee=each.surety._replace(whom=NEW_PERSON)) for each in promises
        )
        promises = of_rates, of_points
        places, positive = observed.centre_logits[rows], observed.labels[rows] == 1
        runs = runs_of_logits(places, positive, any_size=observed.any_size)
    weights = observed.weights
    odds = 1.0 if weights is None else odds_of_weights(weights, observed.labels)
    curve = recalibrated(observed, runs, promises, remark=remark, own=True, odds=odds or 1.0)
    return curve if odds else replace(curve, remark=UNEVEN).without_promise("weights_by_row")


def check_own_guarantee(guarantee: Any, quantile_rule: str, **calibration: Any) -> None:
    """Raises an error if an argument, or the guarantee, needs calibration rows.

    There are no calibration rows. `calibration` has the arguments that belong to such rows.
    """
    check_rule(quantile_rule, "quantile_rule")
    for name, value in calibration.items():
        if value is not None:
            how = FOUR_ARRAYS if name == "horizon" else ""
            raise ValueError(
                f"{name}: found it without calibration rows, expected calibration rows and a "
                f"test set, or None{how}"
            )
    if guarantee == "everywhere":
        raise ValueError(NO_EVERYWHERE)
    if guarantee is not None:
        one_of(guarantee, "guarantee", (*GUARANTEES, "curve"))
    if guarantee not in (None, "simultaneous"):
        raise ValueError(
            f"guarantee: found {guarantee!r} for test rows alone, expected 'simultaneous' or None: "
            f"{guarantee!r} needs calibration rows of its own, as the four arrays of "
            "from_predictions(y_calibration, score_calibration, y_test, score_test)"
        )


def refuse_own_rows(y: ArrayLike, score: ArrayLike, y_test: ArrayLike, s_test: ArrayLike) -> None:
    """Raises an error if the test rows are the calibration rows."""
    if are_same_rows(y, score, y_test, s_test):
        raise ValueError(
            "y_test, score_test: found the calibration rows again with guarantee='individual', "
            f"expected other rows: on the same ones such limits promise nothing. {TWO_ARRAYS} "
            "makes limits that hold on their own rows, at every threshold at once"
        )


def are_same_rows(y: ArrayLike, score: ArrayLike, y_test: ArrayLike, s_test: ArrayLike) -> bool:
    """Whether two sets of rows have the same labels and scores, in any order."""
    labels, others, first, second = map(np.asarray, (y, y_test, score, s_test))
    if labels.shape != others.shape:
        return False
    if np.array_equal(first, second) and np.array_equal(labels, others):
        return True
    # If two rows have the same score, sorting by score does not tell which is which. So the rows
    # count as different.
    if np.unique(first).size < first.size:
        return False
    one, two = np.argsort(first), np.argsort(second)
    return np.array_equal(first[one], second[two]) and np.array_equal(labels[one], others[two])
