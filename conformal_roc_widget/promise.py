"""Says in words what the limits of a result cover: target, scope and guarantee (`Promise`).

Each result with limits has a `Promise` with three parts. The target is the quantity that the limits
are for. The scope is the set of thresholds at which they hold. The guarantee is the probability
with which they do, and its conditions. The words of each part are an entry of promises.json, which
the page reads too. Two sentences are made of them: a full one with all parts, and a short one for a
line of the page. A new kind, scope, level or condition needs an entry there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

from .arrays import ReadOnlyArrays
from .checks import one_of
from .names import Leads
from .text import percent
from .words import words

_ROWS = json.loads(Path(__file__).with_name("promises.json").read_text("utf-8"))

#: The placeholder for the percentage in the words of a `Level`.
CONFIDENCE = "{confidence}"
#: The list from which a user chooses a guarantee has little room. A condition has at most this many
#: words there.
BRIEFLY = 10


class Kind(NamedTuple):
    """A kind of guarantee, such as "individual" or "everywhere". See `Promise`."""

    #: Whether all limits of both labels hold together, at every threshold.
    joint: bool
    #: What this kind is called in the page's list of guarantees.
    choice: str


class Model(NamedTuple):
    """The model whose curve limits are for, such as the ideal model."""

    name: str
    #: The name of the model in sentences, and what the model is made from.
    full: str
    #: What the model predicts from, such as the features. These words end the sentence on the
    #: target, and may be empty.
    knows: str


class Phrase(NamedTuple):
    """Words in three lengths: in full, in short, and as short as possible."""

    text: str
    short: str
    #: The shortest form. Empty if `short` is the shortest.
    brief: str = ""

    @classmethod
    def of(cls, text: str) -> Phrase:
        """Makes a phrase whose full and short forms are the same."""
        return cls(text, text)

    def filled(self, **values: Any) -> Phrase:
        """Replaces the placeholders of the phrase by `values`, in all three lengths."""
        return Phrase(*(each.format(**values) for each in self))


class Scope(NamedTuple):
    """The thresholds at which limits hold, in words, and how a threshold may be chosen."""

    text: str
    short: str
    #: How a threshold may be chosen if limits are to hold there. "any": even by looking at the test
    #: points. "blindly": without looking at them. "beforehand": before the test points existed.
    chosen: str = "any"


class Level(NamedTuple):
    """The confidence of limits in words, and words that follow the scope in a short sentence."""

    text: str
    short: str
    after: str = ""
    #: Whether nothing is guaranteed at this level. The short sentence then names no thresholds.
    is_none: bool = False
    #: The part of `after` that restricts the guarantee. Every short form keeps it.
    only: str = ""

    def at(self, confidence: str) -> Level:
        """Returns the level with the text `confidence` in place of ``{confidence}``."""
        text, short = (each.replace(CONFIDENCE, confidence) for each in (self.text, self.short))
        return self._replace(text=text, short=short)


def _rows(table: str) -> dict[str, dict[str, Any]]:
    """Returns a table of promises.json. A missing short form is the full form."""
    return {
        key: ({"short": row["text"]} if "text" in row else {}) | row
        for key, row in _ROWS[table].items()
    }


KINDS = {key: Kind(**row) for key, row in _rows("kinds").items()}
MODELS = {key: Model(**row) for key, row in _rows("models").items()}
SCOPES = {key: Scope(**row) for key, row in _rows("scopes").items()}
LEVELS = {key: Level(**row) for key, row in _rows("levels").items()}
CONDITIONS = {key: Phrase(**row) for key, row in _rows("conditions").items()}
PHRASES = {key: Phrase(**row) for key, row in _rows("phrases").items()}
IDEAL_MODEL, RECALIBRATION, THIS_CLASSIFIER = MODELS
NOTHING = Phrase("", "")


class Guarantee(NamedTuple):
    """The confidence of limits, and the conditions under which it holds."""

    level: Level
    #: All assumptions of the guarantee, in the order in which texts list them.
    conditions: tuple[Phrase, ...] = ()
    #: If the guarantee is only for some rows, such as a row of a new person, these are the words
    #: for them.
    whom: Phrase = NOTHING
    #: `head` are the words before the level, and `tail` the words at the end of the guarantee.
    head: Phrase = NOTHING
    tail: Phrase = NOTHING

    @property
    def text(self) -> str:
        """The guarantee in full: level, conditions and rows, with head and tail."""
        conditions = self._joined([each.text for each in self.conditions], self.whom.text)
        return f"{self.head.text}{self.level.text}{conditions}{self.tail.text}"

    def line(self, scope: Scope) -> Line:
        """Returns the short sentence. `scope` is between the level and the conditions."""
        conditions = self._joined([each.short for each in self.conditions], self.whom.short)
        level, rest = f"{self.head.short}{self.level.short}", f"{conditions}{self.tail.short}"
        if self.level.is_none:
            return Line(f"{level}{rest}", "", "", "", "any", "")
        return Line(level, scope.short, self.level.after, rest, scope.chosen, self.condition)

    @property
    def condition(self) -> str:
        """The conditions in at most `BRIEFLY` words.

        If they need more words, a text that only says that there are conditions.
        """
        briefs = " and ".join(each.brief or each.short for each in self.conditions)
        assumed = words("promise.condition", conditions=briefs) if briefs else ""
        parts = self.level.only, assumed, self.whom.short
        said = ", ".join(filter(None, parts)) + self.tail.short
        if len(said.split()) <= BRIEFLY:
            return said
        return ", ".join(filter(None, (self.level.only, words("promise.under"))))

    @staticmethod
    def _joined(conditions: list[str], whom: str) -> str:
        assumed = words("promise.if", conditions=" and ".join(conditions)) if conditions else ""
        return f"{assumed}, {whom}" if whom else assumed


class Line(NamedTuple):
    """The parts of a guarantee's short sentence, ``{level} for {scope}{after}{rest}``.

    If `scope` is empty, the sentence is the level alone.
    """

    level: str
    scope: str
    after: str
    rest: str
    #: How the threshold may be chosen. See `Scope`.
    chosen: str
    #: A few words that replace `after` and `rest` if there is little room. See
    #: `Guarantee.condition`.
    condition: str

    def __str__(self) -> str:
        """Returns the sentence."""
        if not self.scope:
            return f"{self.level}."
        return f"{self.level} for {self.scope}{self.after}{self.rest}."


@dataclass(frozen=True, init=False)
class Promise:
    """The target, the scope and the guarantee of limits.

    Parameters
    ----------
    kind : str
        One of "individual", "curve", "simultaneous", "everywhere", "credible", "sampling",
        "population", "unlabelled", "none".
    target : str
        The quantity that the limits are for, in words.
    scope, guarantee : str
        At which thresholds the limits hold, and with which confidence, in words. Within the
        package, a `Scope` and a `Guarantee` are given instead, which also have short forms.
    model : {"ideal_model", "recalibration", "classifier"}
        The model whose curve the target is about.

    Attributes
    ----------
    kind, target, model : str
        The arguments.
    place : Scope
        Where the limits hold: `text`, `short` and `chosen`.
    surety : Guarantee
        The confidence of the limits: `level`, the assumed `conditions`, and the rows to which it is
        restricted (`whom`).
    scope, guarantee : str
        `place` and `surety` as full sentences. An evaluation has no alpha, so its guarantee
        contains ``{confidence}`` in place of a number.

    Raises
    ------
    TypeError, ValueError
        If `kind` or `model` is not one of these.
    """

    kind: str
    target: str
    place: Scope
    surety: Guarantee
    model: str

    def __init__(
        self,
        kind: str,
        target: str,
        scope: Scope | str,
        guarantee: Guarantee | str,
        model: str = IDEAL_MODEL,
    ) -> None:
        one_of(kind, "kind", tuple(KINDS))
        one_of(model, "model", tuple(MODELS))
        if isinstance(scope, str):
            scope = Scope(scope, scope)
        if isinstance(guarantee, str):
            guarantee = Guarantee(Level(guarantee, guarantee))
        vars(self).update(kind=kind, target=target, place=scope, surety=guarantee, model=model)

    @property
    def scope(self) -> str:
        """The thresholds at which the limits hold, in words."""
        return self.place.text

    @property
    def guarantee(self) -> str:
        """The confidence with which the limits hold, and every condition, in words."""
        return self.surety.text

    @property
    def line(self) -> Line:
        """The guarantee as a short sentence, which names every condition too."""
        return self.surety.line(self.place)

    @property
    def conditions(self) -> tuple[Phrase, ...]:
        """The conditions of the guarantee. A restriction to some rows comes last."""
        whom = (self.surety.whom,) if self.surety.whom.text else ()
        return self.surety.conditions + whom

    def at(self, alpha: float | None) -> Promise:
        """Returns the same words with the confidence of `alpha` as a percentage.

        If `alpha` is None, the words contain 1 − α.
        """
        confidence = "1 − α" if alpha is None else percent(1 - float(alpha))
        return self.replaced(guarantee=self.surety._replace(level=self.surety.level.at(confidence)))

    def replaced(self, **parts: Any) -> Promise:
        """Returns a copy with some parts replaced. `parts` are arguments of `Promise`."""
        own: dict[str, Any] = {"kind": self.kind, "target": self.target, "model": self.model}
        own |= {"scope": self.place, "guarantee": self.surety}
        return Promise(**(own | parts))

    def assuming(self, *conditions: Phrase) -> Promise:
        """Returns a copy with further conditions after its own."""
        every = self.surety.conditions + conditions
        return self.replaced(guarantee=self.surety._replace(conditions=every))

    @property
    def every_threshold(self) -> bool:
        """Whether the limits of both labels hold together at every threshold."""
        return KINDS[self.kind].joint

    @property
    def recalibrates(self) -> bool:
        """Whether the limits are for an ideal recalibration instead of the ideal model."""
        return self.model == RECALIBRATION

    @property
    def words(self) -> dict[str, str]:
        """Target, scope and guarantee in words, by these names."""
        return {"target": self.target, "scope": self.scope, "guarantee": self.guarantee}

    @property
    def record(self) -> dict[str, Any]:
        """The words as a dict for the page: keys, full sentences, parts of the short sentence."""
        keys = {"kind": self.kind, "model": self.model}
        return keys | self.words | {"line": self.line._asdict()}


class Promised(Leads):
    """Base of results that have a `promise`, with its words as properties."""

    promise: Promise

    @property
    def target(self) -> str:
        """What the limits are for."""
        return self.promise.target

    @property
    def scope(self) -> str:
        """The thresholds at which the limits hold, in words."""
        return self.promise.scope

    @property
    def guarantee(self) -> str:
        """The confidence with which the limits hold, and every condition, in words."""
        return self.promise.guarantee


class PromisedArrays(ReadOnlyArrays, Promised):
    """Base of frozen dataclasses with a `promise` and read-only arrays."""


class PromisedNumbers(Promised):
    """Base of tuples of numbers with a `promise`, which `with_promise` sets after creation."""

    def with_promise(self, promise: Promise) -> Self:
        """Sets `promise`, and returns the object."""
        self.promise = promise
        return self


GUARANTEES = {
    key: Guarantee(
        LEVELS[row["level"]],
        tuple(CONDITIONS[each] for each in row.get("conditions", ())),
        tail=PHRASES[row["tail"]] if "tail" in row else NOTHING,
    )
    for key, row in _ROWS["guarantees"].items()
}

# ---- entries of promises.json, under the names by which other modules import them

BLIND_THRESHOLD, FIXED_THRESHOLD = SCOPES["blind_threshold"], SCOPES["fixed_threshold"]
INNER_THRESHOLDS, ALL_THRESHOLDS = SCOPES["inner_thresholds"], SCOPES["all_thresholds"]
ONE_RATE, IDEAL_RATE, WHOLE_CURVE = SCOPES["one_rate"], SCOPES["ideal_rate"], SCOPES["whole_curve"]
ONE_NUMBER = SCOPES["one_number"]
WHERE_ALL_HOLD, WIDE_AREA = SCOPES["where_all_hold"], SCOPES["wide_area"]
ON_AVERAGE, CENTRED_ON_REFERENCE = LEVELS["on_average"], LEVELS["centred_on_reference"]
FOR_EACH_RATE, FOR_BOTH_RATES = LEVELS["for_each_rate"], LEVELS["for_both_rates"]
FOR_ALL_DIFFERENCES = LEVELS["for_all_differences"]
CLOSE, CLOSE_AS_GIVEN = CONDITIONS["close"], CONDITIONS["close_as_given"]
CLOSE_FROM_SCORES, SMOOTH_SCORES = CONDITIONS["close_from_scores"], CONDITIONS["smooth_scores"]
SMOOTH, LEARNABLE = CONDITIONS["smooth"], CONDITIONS["learnable"]
TRUE_REFERENCE, FOLDS_ALIKE = CONDITIONS["true_reference"], CONDITIONS["folds_alike"]
LIKE_NEIGHBOURS, LIKE_REFITS = CONDITIONS["like_neighbours"], CONDITIONS["like_refits"]
RIGHT_WEIGHTS, SAME_SOURCE = CONDITIONS["right_weights"], CONDITIONS["same_source"]
WEIGHTS_OF_FEATURES = CONDITIONS["weights_of_features"]
NEW_PERSON = CONDITIONS["new_person"]
LARGE_SAMPLES, EVERY_SAMPLE_SIZE = GUARANTEES["large_samples"], GUARANTEES["every_sample_size"]
EVERY_LAW, IF_NORMAL = GUARANTEES["every_law"], GUARANTEES["if_normal"]
SIMULATED = GUARANTEES["simulated"]
#: A figure that is computed from rates has no guarantee of its own. The words that say so stand
#: before and after the guarantee of the rates. The first pair is for the precision, and the second
#: for any other figure.
PRECISION_HAS_NONE = PHRASES["precision_head"], PHRASES["precision_tail"]
FIGURE_HAS_NONE = PHRASES["figure_head"], NOTHING
#: Limits at every threshold at once are guaranteed only between these two thresholds. In
#: simulations, limits outside this range missed too often. The words of the scope contain the same
#: numbers.
FIRST_THRESHOLD, LAST_THRESHOLD = 0.005, 0.995


# ---- functions that return the `Promise` of one kind of result, or a part of one


def target_of(name: str, model: str = IDEAL_MODEL, **values: Any) -> str:
    """Returns the target `name` of promises.json for a model, with `values` filled in."""
    return str(_ROWS["targets"][name]).format(**MODELS[model]._asdict(), **values)


def for_rates(
    kind: str,
    guarantee: Guarantee,
    model: str = IDEAL_MODEL,
    scope: Scope = BLIND_THRESHOLD,
) -> Promise:
    """Returns the `Promise` of limits of sensitivity and specificity at the same threshold."""
    return Promise(kind, target_of("rates", model), scope, guarantee, model)


def for_points(kind: str, guarantee: Guarantee, model: str = IDEAL_MODEL) -> Promise:
    """Returns the `Promise` of intervals for the true probabilities of single test points."""
    target = target_of("point_of_score" if model == RECALIBRATION else "point")
    return Promise(kind, target, SCOPES["one_point"], guarantee, model)


def individual(*conditions: Phrase, whom: Phrase = NOTHING) -> Guarantee:
    """Returns the guarantee of the paper's intervals under conditions.

    It holds for single points, and for a threshold drawn at random. `whom` names the rows to which
    it is restricted.
    """
    return Guarantee(LEVELS["at_least_in_large_samples"], conditions, whom)


def _recalibrated(target: str, scope: str) -> Promise:
    """Returns the `Promise` for an ideal recalibration, if all limits in a scope hold at once."""
    given = target_of(target), SCOPES[scope], GUARANTEES["monotone"]
    return Promise("simultaneous", *given, RECALIBRATION)


#: The guarantee for an ideal recalibration of the score. The first is for its rates at every
#: threshold at once, the second for the probabilities of all points at once.
FOR_RECALIBRATION = (
    _recalibrated("recalibrated_rates", "every_threshold"),
    _recalibrated("recalibrated_points", "all_points"),
)
#: The guarantee of bounds of ``P(y = 1 | score)`` at every score at once.
FOR_SCORES = _recalibrated("scores", "every_score")
#: The guarantee of limits for the ideal model's rates, at every threshold at once.
EVERYWHERE = for_rates("everywhere", GUARANTEES["both_sets"], scope=INNER_THRESHOLDS)
#: The statement on the average of several classes' bands: nothing is guaranteed.
FOR_AVERAGE = Promise("none", target_of("average"), BLIND_THRESHOLD, GUARANTEES["averaged"])
#: The guarantee of the ideal model's sensitivities, if the true probabilities are given.
FOR_TRUTH = Promise(
    "everywhere", target_of("truth"), SCOPES["true_thresholds"], GUARANTEES["exact"]
)


def for_horizon(
    by: str, model: str = IDEAL_MODEL, *, a_truth: bool = False
) -> tuple[Promise, Promise]:
    """Returns the `Promise` of rates, and that of points, if label 1 is an event by a time.

    `by` is the time in words, such as "730 days". The reference is the estimate of the true risk.
    `a_truth` tells whether it is the true risk itself.
    """
    known, learned = "x", "true_risk" if a_truth else "risk_learnable"
    if model == RECALIBRATION:
        known, learned = "score", "true_risk" if a_truth else "risk_learnable_from_score"
    conditions = CONDITIONS[learned], CONDITIONS["leaving_tells_nothing"]
    rates = target_of("at_horizon", model, noun="sensitivity and specificity", by=by)
    points = target_of("point_at_horizon", by=by, known=known)
    guarantee = Guarantee(LEVELS["average_in_large_samples"], conditions)
    return (
        Promise("individual", rates, BLIND_THRESHOLD, guarantee, model),
        Promise("individual", points, SCOPES["one_point"], guarantee, model),
    )


def for_horizon_everywhere(rates: Promise) -> Promise:
    """Changes the `Promise` of rates at a horizon: limits hold at every threshold at once."""
    return rates.replaced(kind="everywhere", scope=INNER_THRESHOLDS)


def for_range(rates: Promise, noun: str, scope: Scope, by: str = "") -> Promise:
    """Promise for the range of an index or area, computed from the limits of rates.

    `rates` is the promise of those limits. If they hold at every threshold at once, so does the
    range, in `scope`. Otherwise nothing is promised, because the range holds only if all limits do.
    If label 1 is an event by a time, `by` is the horizon in words.
    """
    joint = rates.every_threshold
    name = "at_horizon" if by else "range_everywhere" if joint else "range"
    target = target_of(name, rates.model, noun=noun, by=by)
    if joint:
        return rates.replaced(target=target, scope=scope)
    none = {"kind": "none", "scope": WHERE_ALL_HOLD, "guarantee": GUARANTEES["none"]}
    return rates.replaced(target=target, **none)


def for_both_labels(
    of_rates: Promise,
    noun: str,
    points: str,
    kind: str = "none",
    around: tuple[Phrase, Phrase] = FIGURE_HAS_NONE,
) -> Promise:
    """Returns the `Promise` of a figure `noun` that is computed from the rates of both labels.

    If the limits of all rates hold together, the figure has their promise. Otherwise it has the
    given `kind`, and the words `around` the guarantee of the rates say that the figure has none.
    """
    guarantee = of_rates.surety
    if of_rates.every_threshold:
        kind = of_rates.kind
    else:
        guarantee = guarantee._replace(head=around[0], tail=around[1])
    target = target_of("figure", of_rates.model, noun=noun, points=points)
    return of_rates.replaced(kind=kind, target=target, guarantee=guarantee)


def credible(assumption: Phrase, scope: Scope = SCOPES["ideal_curve"]) -> Promise:
    """Returns the `Promise` of the credible band of the ideal curve, under an assumption."""
    guarantee = Guarantee(LEVELS["credible"], (assumption,), tail=PHRASES["credible_tail"])
    return Promise("credible", target_of("own_curve"), scope, guarantee)


def candidate_rates() -> Promise:
    """Returns the `Promise` of credible limits for the ideal model's rates at one threshold."""
    made = credible(LEARNABLE, SCOPES["one_threshold"])
    return made.replaced(target=target_of("rates", IDEAL_MODEL))


def for_labels(*, is_told: bool) -> Promise:
    """Returns the `Promise` of limits of what the labels of unlabelled rows will show.

    `is_told` tells whether the user gave the share of the positive label.
    """
    guarantee = GUARANTEES["labels_of_share" if is_told else "labels"]
    target = target_of(
        "labels", THIS_CLASSIFIER, noun="this classifier's sensitivity and specificity"
    )
    return Promise("unlabelled", target, SCOPES["every_threshold"], guarantee, THIS_CLASSIFIER)


#: The target of the comparators' bands: the curve of this classifier in the population.
POPULATION_CURVE = target_of("population")


def sampling(scope: Scope | str, guarantee: Guarantee, target: str = POPULATION_CURVE) -> Promise:
    """Returns the `Promise` of a figure of this classifier, by default of its curve."""
    return Promise("sampling", target, scope, guarantee, THIS_CLASSIFIER)


def of_folds(method: str, *, varies: bool) -> Promise:
    """Returns the `Promise` of the mean area of a cross-validation's classifiers.

    `method` names the method of the limits. If the estimated variance is 0 (`varies` is not set),
    they come from the number of independent pairs of rows, and hold for every sample size.
    """
    guarantee = Guarantee(
        LEVELS["in_large_samples" if varies else "at_least"],
        (SAME_SOURCE,),
        tail=PHRASES["folds_tail"].filled(method=method),
    )
    return sampling(SCOPES["mean_of_folds"], guarantee, target_of("mean_of_folds"))


def of_classes(*, has_mean: bool) -> Promise:
    """Returns the `Promise` of the mean over classes or, without a mean, of each area."""
    if not has_mean:
        return sampling(SCOPES["one_class"], LARGE_SAMPLES, target_of("areas_of_classes"))
    tail = Phrase(LARGE_SAMPLES.tail.text + PHRASES["classes_tail"].text, "")
    large = LARGE_SAMPLES._replace(tail=tail)
    return sampling(SCOPES["mean_of_classes"], large, target_of("means_of_classes"))


def sampling_by(by: str) -> Promise:
    """Returns the `Promise` of this classifier's rates, if label 1 is an event by a time.

    `by` is the time in words.
    """
    return sampling(ONE_RATE, GUARANTEES["while_followed"], target_of("population_by", by=by))


def for_population(rates: Sequence[str], confidence: float) -> Promise:
    """Returns the `Promise` of rates in the population at a threshold chosen on the same rows.

    `rates` are the names of the rates that the threshold keeps.
    """
    target = target_of("rates_found", rates=" and ".join(rates))
    found = SCOPES["found_threshold"]
    promise = Promise("population", target, found, EVERY_SAMPLE_SIZE, THIS_CLASSIFIER)
    return promise.at(1 - confidence)


def for_gaps(of_rates: Promise, rates: int, each: float, alpha: float) -> Promise:
    """Returns the `Promise` of differences of rates between populations.

    `of_rates` is the `Promise` of the rates, and `rates` their number. The limits of each rate have
    the level `each`, so that all together have the level `alpha`.
    """
    head = PHRASES["gaps_head"].filled(each=percent(1 - each), all=percent(alpha))
    return of_rates.replaced(
        target=target_of("gaps", target=of_rates.target),
        scope=f"{of_rates.scope}, all {rates} rates together",
        guarantee=of_rates.surety._replace(head=head),
    )
