"""Evaluation of labels and scores alone: the limits hold on the very rows that make them.

Bounds of ``P(y = 1 | score)`` at every score at once (`conformal_roc_widget.reliability`) hold
given the scores, whatever the labels turn out to be. Counting the test points of a label between
them is then no second statement about data, so that no rows have to be kept aside.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import (
    any_scores_of,
    are_probabilities,
    binary_codes_of,
    labels_of,
    odds_of_weights,
    people_of,
    row_weights_of,
    same_length,
    two_classes_of,
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

#: How the form of two arrays is written.
TWO_ARRAYS = "from_predictions(y, score)"
#: The end of the error about a horizon: what it needs, and where a marker goes.
FOUR_ARRAYS = (
    ": from_predictions(y_calibration, score_calibration, y_test, score_test, horizon=...) takes "
    "frames with the columns 'time' and 'event' as y, and risks of an event by then as scores; "
    "for a marker use ConformalROC(LogisticRegression(), horizons=[...])"
)
#: The note where weights differ within a label.
UNEVEN = Note(
    "The rows of a label weigh unlike each other:",
    "limits for an ideal recalibration count each row once, and promise nothing.",
    "Those of this classifier take the weights.",
)
#: The note where test rows belong to people; filled with their number.
ONE_ROW_EACH = (
    "The limits are made of one row of {}, drawn without a look at labels, and hold for a row of a "
    "new person."
)


#: Arguments of two makers: first with only test rows, then with calibration rows as well.
FORMS = {
    "from_predictions": (
        "y, score",
        ("y_calibration", "score_calibration", "y_test", "score_test"),
    ),
    "from_estimator": ("classifier, X_test, y_test", ("X", "y", "X_test", "y_test")),
}


def own_rows(maker: str, *given: Any) -> tuple[Any, Any] | None:
    """The two arguments if only test rows are given; None if calibration rows are given as well."""
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
    """The weights of rows that are all test rows, under either name."""
    if sample_weight is not None and sample_weight_test is not None:
        raise ValueError("sample_weight: found it beside sample_weight_test, expected one of both")
    return sample_weight_test if sample_weight is None else sample_weight


def refuse_one_weight(sample_weight: Any) -> None:
    """Refuses `sample_weight` if there are two sets of rows: it does not say whose it is."""
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
    """Both classes, and the curve with the runs of its own rows; rows of weight 0 are left out."""
    labels, scores = labels_of(y, "y"), any_scores_of(score, "score").copy()
    same_length(y=labels, score=scores)
    classes = two_classes_of(labels, "y", pos_label)
    people = None if groups is None else people_of(groups, "groups_test", labels.size)
    weights = None
    if sample_weight is not None:
        weights = row_weights_of(sample_weight, "sample_weight_test", labels.size)
        there = weights > 0
        labels, scores, weights = labels[there], scores[there], weights[there]
        people = None if people is None else people[there]
    where = "" if sample_weight is None else " where sample_weight_test is above 0"
    codes = binary_codes_of(labels, classes, f"y{where}")
    any_size = not are_probabilities(scores)
    check_scores(scores, "score")
    zero, one = classes.tolist()
    observed = ObservedCurve.of(scores, codes, weights, people=people, any_size=any_size)
    return (zero, one), curve_of(observed)


def curve_of(observed: ObservedCurve) -> RecalibratedCurve:
    """An observed curve with the runs of its own rows.

    If rows belong to people, of one row each.
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
    """Refuses guarantees that two arrays cannot give, and arguments about calibration rows."""
    check_rule(quantile_rule, "quantile_rule")
    for name, value in calibration.items():
        if value is not None:
            how = FOUR_ARRAYS if name == "horizon" else ""
            raise ValueError(
                f"{name}: found it without calibration rows of their own, expected those and a "
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
    """Refuses test rows that are the calibration rows."""
    if are_same_rows(y, score, y_test, s_test):
        raise ValueError(
            "y_test, score_test: found the calibration rows again with guarantee='individual', "
            f"expected other rows: on the same ones such limits promise nothing. {TWO_ARRAYS} "
            "makes limits that hold on their own rows, at every threshold at once"
        )


def are_same_rows(y: ArrayLike, score: ArrayLike, y_test: ArrayLike, s_test: ArrayLike) -> bool:
    """Whether test rows are the calibration rows, in the same or another order."""
    labels, others, first, second = map(np.asarray, (y, y_test, score, s_test))
    if labels.shape != others.shape:
        return False
    if np.array_equal(first, second) and np.array_equal(labels, others):
        return True
    # If the order differs, only distinct scores show that rows are the same.
    if np.unique(first).size < first.size:
        return False
    one, two = np.argsort(first), np.argsort(second)
    return np.array_equal(first[one], second[two]) and np.array_equal(labels[one], others[two])
