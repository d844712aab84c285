"""Promises of limits that residuals give, by the model that they are for."""

from __future__ import annotations

from conformal_roc_widget.promise import IDEAL_MODEL, RECALIBRATION, Promise

KNOWS = {
    IDEAL_MODEL: "an ideal model knows the true probabilities π(x)",
    RECALIBRATION: "an ideal recalibration of this score knows P(y = 1 | score)",
}
_POINT = {
    IDEAL_MODEL: "the true probability π(x) of each test point, given its label",
    RECALIBRATION: "P(y = 1 | score) of each test point, given its label",
}
_NAMED = {IDEAL_MODEL: IDEAL_MODEL, RECALIBRATION: "an ideal recalibration of this score"}
POINTWISE = "pointwise: one threshold drawn at random, not the whole curve"
EVERY_THRESHOLD = "every threshold at once"


def for_rates(kind: str, guarantee: str, model: str = IDEAL_MODEL) -> Promise:
    """Of sensitivity and specificity, at a threshold drawn at random."""
    target = (
        f"{model}'s sensitivity and specificity, at the same threshold, on this test set; "
        f"{KNOWS[model]}"
    )
    return Promise(kind, target, POINTWISE, guarantee, model)


def for_points(kind: str, guarantee: str, model: str = IDEAL_MODEL) -> Promise:
    """Of the intervals of single points."""
    scope = "one test point drawn at random, not all at once"
    return Promise(kind, _POINT[model], scope, guarantee, model)


def for_recalibration(guarantee: str) -> tuple[Promise, Promise]:
    """Of the rates and of the points of an ideal recalibration, at every threshold at once."""
    rates = Promise(
        "simultaneous", _NAMED[RECALIBRATION], EVERY_THRESHOLD, guarantee, RECALIBRATION
    )
    target = "the ideal recalibration of each test point's score"
    return rates, rates.saying(target=target, scope="all test points at once")


def for_range(noun: str, model: str) -> Promise:
    """Of an index or area that lies in a range if all limits hold."""
    target = (
        f"{noun} of {model} on this test set, if its sensitivity and specificity are within the "
        f"limits at every threshold; {KNOWS[model]}"
    )
    guarantee = "none (computed from both limits together)"
    return Promise("none", target, "wherever all limits hold at once", guarantee, model)


def for_both_labels(
    of_rates: Promise, noun: str, points: str, kind: str, guarantee: str
) -> Promise:
    """Of a number that the rates of both labels make together.

    Where the rates' promise is for all limits together, it is that of the number too; elsewhere
    `kind` and `guarantee`, in which ``{rates}`` stands for the guarantee of the rates, say less.
    """
    words = guarantee.replace("{rates}", of_rates.guarantee)
    if of_rates.every_threshold:
        kind, words = of_rates.kind, of_rates.guarantee
    target = f"{noun} of {_NAMED[of_rates.model]}, cut at the same threshold, on {points}"
    return Promise(kind, target, of_rates.scope, words, of_rates.model)
