"""What a result promises: a value that is made with the limits and travels with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Self

from conformal_roc_widget.arrays import ReadOnlyArrays
from conformal_roc_widget.checks import one_of
from conformal_roc_widget.text import percent

#: ``individual``: each point, and a threshold drawn at random. ``curve``: the curve at a threshold
#: drawn at random. ``simultaneous``: an ideal recalibration at every threshold at once.
#: ``everywhere``: an ideal model at every threshold at once. ``credible``: quantiles of posterior
#: draws. ``sampling``: this classifier with more test data. ``population``: this classifier at a
#: threshold that was chosen for it. ``none``: no theorem.
KINDS = (
    *("individual", "curve", "simultaneous", "everywhere"),
    *("credible", "sampling", "population", "none"),
)
#: Whose curve a target speaks of.
IDEAL_MODEL = "an ideal model"
RECALIBRATION = "an ideal recalibration"
THIS_CLASSIFIER = "this classifier"


@dataclass(frozen=True)
class Promise:
    """What limits are for, where they hold, and how surely.

    Attributes
    ----------
    kind : str
        One of "individual", "curve", "simultaneous", "everywhere", "credible", "sampling",
        "population", "none".
    target, scope, guarantee : str
        Words for readers: the quantity between the limits, the places where it lies there, and how
        surely. The guarantee of an evaluation, which knows no alpha, has ``{confidence}`` in the
        place of a number.
    model : str
        Whose curve the target speaks of: "an ideal model", "an ideal recalibration" or
        "this classifier".

    Raises
    ------
    TypeError, ValueError
        If `kind` is none of these.
    """

    kind: str
    target: str
    scope: str
    guarantee: str
    model: str = IDEAL_MODEL

    def __post_init__(self) -> None:
        """Refuses an unknown kind."""
        one_of(self.kind, "kind", KINDS)

    def at(self, alpha: float | None) -> Promise:
        """The same promise with its confidence as a percentage; with None as the letters 1 − α."""
        confidence = "1 − α" if alpha is None else percent(1 - float(alpha))
        return self.saying(guarantee=self.guarantee.replace("{confidence}", confidence))

    def saying(self, **words: str) -> Promise:
        """The same promise with other words."""
        return Promise(**(asdict(self) | words))

    @property
    def every_threshold(self) -> bool:
        """Whether all limits of both labels hold together, at every threshold."""
        return self.kind in ("simultaneous", "everywhere")

    @property
    def recalibrates(self) -> bool:
        """Whether the limits are for an ideal recalibration, and not for an ideal model."""
        return self.model == RECALIBRATION

    @property
    def words(self) -> dict[str, str]:
        """Target, scope and guarantee by name."""
        return {"target": self.target, "scope": self.scope, "guarantee": self.guarantee}

    @property
    def record(self) -> dict[str, str]:
        """Every field by name, as a message carries it."""
        return asdict(self)


class Promised:
    """A result that carries a promise."""

    promise: Promise

    @property
    def target(self) -> str:
        """What the limits are for."""
        return self.promise.target

    @property
    def scope(self) -> str:
        """Where the limits hold."""
        return self.promise.scope

    @property
    def guarantee(self) -> str:
        """How surely the limits hold."""
        return self.promise.guarantee


class PromisedArrays(ReadOnlyArrays, Promised):
    """A frozen record with arrays, which become read-only."""


class PromisedNumbers(Promised):
    """A result that unpacks into numbers; its promise is set once, after them."""

    def under(self, promise: Promise) -> Self:
        """These numbers with their promise."""
        self.promise = promise
        return self


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
    """Promise of sensitivity and specificity, at a threshold drawn at random."""
    target = (
        f"{model}'s sensitivity and specificity, at the same threshold, on this test set; "
        f"{KNOWS[model]}"
    )
    return Promise(kind, target, POINTWISE, guarantee, model)


def for_points(kind: str, guarantee: str, model: str = IDEAL_MODEL) -> Promise:
    """Promise of the intervals of single points."""
    scope = "one test point drawn at random, not all at once"
    return Promise(kind, _POINT[model], scope, guarantee, model)


def for_recalibration() -> tuple[Promise, Promise]:
    """Promises of the rates and of the points of an ideal recalibration, all at once."""
    rates = Promise(
        "simultaneous", _NAMED[RECALIBRATION], EVERY_THRESHOLD, IF_MONOTONE, RECALIBRATION
    )
    target = "the ideal recalibration of each test point's score"
    return rates, rates.saying(target=target, scope="all test points at once")


#: Guarantee of a number for which no theorem is known.
FROM_BOTH_LIMITS = "none (computed from both limits together)"


def for_range(noun: str, model: str) -> Promise:
    """Promise of a range for an index or area: it holds if all limits do."""
    target = (
        f"{noun} of {model} on this test set, if its sensitivity and specificity are within the "
        f"limits at every threshold; {KNOWS[model]}"
    )
    return Promise("none", target, "wherever all limits hold at once", FROM_BOTH_LIMITS, model)


def for_both_labels(
    of_rates: Promise,
    noun: str,
    points: str,
    kind: str = "none",
    guarantee: str = f"{FROM_BOTH_LIMITS}; each label's interval: {{rates}}",
) -> Promise:
    """Promise of a number that is computed from the rates of both labels.

    Where the rates' promise is for all limits together, it is that of the number too; elsewhere
    `kind` and `guarantee`, in which ``{rates}`` stands for the guarantee of the rates, say less.
    """
    words = guarantee.replace("{rates}", of_rates.guarantee)
    if of_rates.every_threshold:
        kind, words = of_rates.kind, of_rates.guarantee
    target = f"{noun} of {_NAMED[of_rates.model]}, cut at the same threshold, on {points}"
    return Promise(kind, target, of_rates.scope, words, of_rates.model)


#: Guarantee of bounds at every score at once, with a place for the confidence.
IF_MONOTONE = (
    "at least {confidence} for every sample size, if a higher score never means a lower probability"
)
EVERYWHERE_SCOPE = (
    "every threshold at once, also one that was picked; at a confidence chosen before looking"
)
#: Promise of the rates of an ideal model at every threshold at once.
EVERYWHERE = for_rates(
    "everywhere",
    "at least {confidence} over calibration points and test set, drawn alike: at every threshold "
    "at once the share of this test set's positives whose π lies above it is within the limits, "
    "and that of its negatives too; for every sample size with the true π, and with a reference "
    "as far as its residuals are spread at least as those of π",
).saying(scope=EVERYWHERE_SCOPE)


def for_population(rates: Sequence[str], confidence: float) -> Promise:
    """Promise of rates at a threshold that was chosen for them on the rows that were looked at."""
    return Promise(
        "population",
        f"{' and '.join(rates)} of {THIS_CLASSIFIER} in the population",
        "the threshold that was found on these rows",
        f"at least {percent(confidence)} for every sample size, if more data come from the same "
        "source",
        THIS_CLASSIFIER,
    )
