"""Promises of results: target, scope and guarantee, made with the limits and kept with them.

A promise has parts: its kind, whose curve it is for, what lies between the limits, where, how
surely, and if what. Each part is a row of promises.json, which the page reads too. The sentences
are made from the rows here and nowhere else: a long one, in which every part is said in full, and
a short one for a line of the page. Nobody reads them back. A further kind, scope, level or
condition is one row more.
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

#: Place of the confidence in the words of a level.
CONFIDENCE = "{confidence}"
#: A condition beside the choice of promises has at most this many words.
BRIEFLY = 10


class Kind(NamedTuple):
    """A kind of promise."""

    #: Whether all limits of both labels hold together, at every threshold.
    joint: bool
    #: Its name in the choice between promises.
    choice: str


class Model(NamedTuple):
    """The model whose curve a promise bounds."""

    name: str
    #: The name with what it is made from.
    full: str
    #: The name without its article.
    bare: str
    #: The word for it before a noun.
    before_noun: str
    #: End of the target's sentence: what the model knows. Empty if the target does not say it.
    knows: str


class Phrase(NamedTuple):
    """Words for readers: in full, as short as a line has room for, and as few as possible."""

    text: str
    short: str
    #: The fewest words, if `short` has more.
    brief: str = ""

    @classmethod
    def of(cls, text: str) -> Phrase:
        """A phrase with the same words in full and in short."""
        return cls(text, text)

    def filled(self, **values: Any) -> Phrase:
        """The phrase with values in its places."""
        return Phrase(*(each.format(**values) for each in self))


class Scope(NamedTuple):
    """Where limits hold: in full, in short, and how a threshold has to be chosen for that."""

    text: str
    short: str
    #: How a threshold may be chosen: "any", also by looking; "blindly", without a look at the test
    #: points; "beforehand", before they were there.
    chosen: str = "any"


class Level(NamedTuple):
    """How surely limits hold: in full, and what stands before and after the scope in a line."""

    text: str
    short: str
    after: str = ""
    #: Whether there is no level; a line then does not name the scope either.
    is_none: bool = False
    #: The part of `after` that weakens the promise: every short form keeps it.
    only: str = ""

    def at(self, confidence: str) -> Level:
        """The level with the confidence in its place."""
        text, short = (each.replace(CONFIDENCE, confidence) for each in (self.text, self.short))
        return self._replace(text=text, short=short)


def _rows(table: str) -> dict[str, dict[str, Any]]:
    """The rows of a table. If a row has no short form, its full form is used."""
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
    """How surely limits hold, and what that assumes."""

    level: Level
    #: All that is assumed, in the order in which it is said.
    conditions: tuple[Phrase, ...] = ()
    #: The words on whom it holds for, if not for any row.
    whom: Phrase = NOTHING
    #: Words before the guarantee and after it.
    head: Phrase = NOTHING
    tail: Phrase = NOTHING

    @property
    def text(self) -> str:
        """The whole sentence."""
        conditions = self._joined([each.text for each in self.conditions], self.whom.text)
        return f"{self.head.text}{self.level.text}{conditions}{self.tail.text}"

    def line(self, scope: Scope) -> Line:
        """The short sentence, around a scope."""
        conditions = self._joined([each.short for each in self.conditions], self.whom.short)
        level, rest = f"{self.head.short}{self.level.short}", f"{conditions}{self.tail.short}"
        if self.level.is_none:
            return Line(f"{level}{rest}", "", "", "", "any", "")
        return Line(level, scope.short, self.level.after, rest, scope.chosen, self.condition)

    @property
    def condition(self) -> str:
        """The conditions in at most `BRIEFLY` words; none is left out."""
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
    """A promise in one sentence: ``{level} for {scope}{after}{rest}.``, or the level alone."""

    level: str
    scope: str
    after: str
    rest: str
    #: How a threshold has to be chosen for it; see `Scope`.
    chosen: str
    #: In place of `after` and `rest` where there is little room; see `Guarantee.condition`.
    condition: str

    def __str__(self) -> str:
        """The sentence."""
        if not self.scope:
            return f"{self.level}."
        return f"{self.level} for {self.scope}{self.after}{self.rest}."


@dataclass(frozen=True, init=False)
class Promise:
    """Target, scope and guarantee of limits.

    Parameters
    ----------
    kind : str
        One of "individual", "curve", "simultaneous", "everywhere", "credible", "sampling",
        "population", "unlabelled", "none".
    target : str
        Words for the quantity between the limits.
    scope, guarantee : str
        Words for the places where it lies there, and for how surely. The package gives values in
        their place, which have a short form too.
    model : {"ideal_model", "recalibration", "classifier"}
        Whose curve the target speaks of.

    Attributes
    ----------
    kind, target, model : str
        As given.
    place : Scope
        Where the limits hold: `text`, `short` and `chosen`.
    surety : Guarantee
        How surely, and what that assumes: `level`, `conditions`, `whom`.
    scope, guarantee : str
        Both in full. The guarantee of an evaluation, which knows no alpha, has ``{confidence}`` in
        the place of a number.

    Raises
    ------
    TypeError, ValueError
        If `kind` or `model` is none of these.
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
        for name, part in (
            ("kind", kind),
            ("target", target),
            ("place", scope),
            ("surety", guarantee),
            ("model", model),
        ):
            object.__setattr__(self, name, part)

    @property
    def scope(self) -> str:
        """Where the limits hold."""
        return self.place.text

    @property
    def guarantee(self) -> str:
        """How surely the limits hold, with every condition."""
        return self.surety.text

    @property
    def line(self) -> Line:
        """The short sentence, which names every condition too."""
        return self.surety.line(self.place)

    @property
    def conditions(self) -> tuple[Phrase, ...]:
        """The assumptions, and the rows that the limits are for, if not for all."""
        whom = (self.surety.whom,) if self.surety.whom.text else ()
        return self.surety.conditions + whom

    def at(self, alpha: float | None) -> Promise:
        """The same promise with its confidence as a percentage.

        If alpha is None, as the letters 1 − α.
        """
        confidence = "1 − α" if alpha is None else percent(1 - float(alpha))
        return self.replaced(guarantee=self.surety._replace(level=self.surety.level.at(confidence)))

    def replaced(self, **parts: Any) -> Promise:
        """The same promise with some parts replaced."""
        own: dict[str, Any] = {"kind": self.kind, "target": self.target, "model": self.model}
        own |= {"scope": self.place, "guarantee": self.surety}
        return Promise(**(own | parts))

    def assuming(self, *conditions: Phrase) -> Promise:
        """The same promise under further conditions."""
        every = self.surety.conditions + conditions
        return self.replaced(guarantee=self.surety._replace(conditions=every))

    @property
    def every_threshold(self) -> bool:
        """Whether all limits of both labels hold together, at every threshold."""
        return KINDS[self.kind].joint

    @property
    def recalibrates(self) -> bool:
        """Whether the limits are for an ideal recalibration, and not for an ideal model."""
        return self.model == RECALIBRATION

    @property
    def whose(self) -> Model:
        """The model whose curve the limits bound, with its names."""
        return MODELS[self.model]

    @property
    def words(self) -> dict[str, str]:
        """Target, scope and guarantee by name."""
        return {"target": self.target, "scope": self.scope, "guarantee": self.guarantee}

    @property
    def record(self) -> dict[str, Any]:
        """The promise for a message: keys, the long sentences, and the parts of the short one."""
        keys = {"kind": self.kind, "model": self.model}
        return keys | self.words | {"line": self.line._asdict()}


class Promised(Leads):
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

    def with_promise(self, promise: Promise) -> Self:
        """These numbers with their promise."""
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

# Names of rows that other modules take.

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
#: Words before and after the rates' guarantee, for a figure that has no guarantee of its own.
PRECISION_HAS_NONE = PHRASES["precision_head"], PHRASES["precision_tail"]
FIGURE_HAS_NONE = PHRASES["figure_head"], NOTHING
#: Beyond these thresholds envelopes miss more often than they may. The scope's row says the same
#: numbers.
FIRST_THRESHOLD, LAST_THRESHOLD = 0.005, 0.995


# Promises of results.


def target_of(name: str, model: str = IDEAL_MODEL, **values: Any) -> str:
    """Words for the quantity between limits."""
    return str(_ROWS["targets"][name]).format(**MODELS[model]._asdict(), **values)


def for_rates(
    kind: str,
    guarantee: Guarantee,
    model: str = IDEAL_MODEL,
    scope: Scope = BLIND_THRESHOLD,
) -> Promise:
    """Promise of sensitivity and specificity, at the same threshold."""
    return Promise(kind, target_of("rates", model), scope, guarantee, model)


def for_points(kind: str, guarantee: Guarantee, model: str = IDEAL_MODEL) -> Promise:
    """Promise of the intervals of single points."""
    target = target_of("point_of_score" if model == RECALIBRATION else "point")
    return Promise(kind, target, SCOPES["one_point"], guarantee, model)


def individual(*conditions: Phrase, whom: Phrase = NOTHING) -> Guarantee:
    """Guarantee of single points and of a threshold drawn at random."""
    return Guarantee(LEVELS["at_least_in_large_samples"], conditions, whom)


def _recalibrated(target: str, scope: str) -> Promise:
    """Promise of a recalibration, for all that its scope names at once."""
    given = target_of(target), SCOPES[scope], GUARANTEES["monotone"]
    return Promise("simultaneous", *given, RECALIBRATION)


#: Promises of an ideal recalibration's rates and of its points, all at once.
FOR_RECALIBRATION = (
    _recalibrated("recalibrated_rates", "every_threshold"),
    _recalibrated("recalibrated_points", "all_points"),
)
#: Promise of the bounds of ``P(y = 1 | score)``.
FOR_SCORES = _recalibrated("scores", "every_score")
#: Promise of the rates of an ideal model at every threshold at once.
EVERYWHERE = for_rates("everywhere", GUARANTEES["both_sets"], scope=INNER_THRESHOLDS)
#: Promise of an average of several classes.
FOR_AVERAGE = Promise("none", target_of("average"), BLIND_THRESHOLD, GUARANTEES["averaged"])
#: The promise if the true probabilities are known: of the ideal model's sensitivities.
FOR_TRUTH = Promise(
    "everywhere", target_of("truth"), SCOPES["true_thresholds"], GUARANTEES["exact"]
)


def for_horizon(
    by: str, model: str = IDEAL_MODEL, *, a_truth: bool = False
) -> tuple[Promise, Promise]:
    """Promises of rates and points if an event by a time counts: "730 days"."""
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
    """Promise of the same rates at every threshold at once."""
    return rates.replaced(kind="everywhere", scope=INNER_THRESHOLDS)


def for_range_at_horizon(rates: Promise, by: str, noun: str, scope: Scope) -> Promise:
    """Promise of the range that the limits of the rates at a horizon allow for an index or area."""
    target = target_of("at_horizon", rates.model, noun=noun, by=by)
    made = rates.replaced(target=target, scope=scope)
    if rates.every_threshold:
        return made
    return made.replaced(kind="none", guarantee=GUARANTEES["none"])


def for_range(noun: str, model: str) -> Promise:
    """Promise of a range for an index or area: it holds if all limits do."""
    target = target_of("range", model, noun=noun)
    return Promise("none", target, WHERE_ALL_HOLD, GUARANTEES["none"], model)


def for_range_everywhere(promise: Promise, noun: str, scope: Scope) -> Promise:
    """Promise of an index or area, if the rates' limits hold at every threshold at once."""
    target = target_of("range_everywhere", promise.model, noun=noun)
    return promise.replaced(target=target, scope=scope)


def for_both_labels(
    of_rates: Promise,
    noun: str,
    points: str,
    kind: str = "none",
    around: tuple[Phrase, Phrase] = FIGURE_HAS_NONE,
) -> Promise:
    """Promise of a number that is computed from the rates of both labels.

    Where the rates' promise is for all limits together, it is that of the number too; elsewhere
    `kind` and the words `around` the guarantee of the rates say less.
    """
    guarantee = of_rates.surety
    if of_rates.every_threshold:
        kind = of_rates.kind
    else:
        guarantee = guarantee._replace(head=around[0], tail=around[1])
    target = target_of("figure", of_rates.model, noun=noun, points=points)
    return of_rates.replaced(kind=kind, target=target, guarantee=guarantee)


def credible(assumption: Phrase, scope: Scope = SCOPES["ideal_curve"]) -> Promise:
    """Promise of the ideal model's own curve."""
    guarantee = Guarantee(LEVELS["credible"], (assumption,), tail=PHRASES["credible_tail"])
    return Promise("credible", target_of("own_curve"), scope, guarantee)


def candidate_rates() -> Promise:
    """Promise of candidates for an ideal model's rates at one threshold."""
    made = credible(LEARNABLE, SCOPES["one_threshold"])
    return made.replaced(target=target_of("rates", IDEAL_MODEL))


def for_labels(*, is_told: bool) -> Promise:
    """Promise of the rates that labels will show; `is_told` says that their share was given."""
    guarantee = GUARANTEES["labels_of_share" if is_told else "labels"]
    target = target_of(
        "labels", THIS_CLASSIFIER, noun="this classifier's sensitivity and specificity"
    )
    return Promise("unlabelled", target, SCOPES["every_threshold"], guarantee, THIS_CLASSIFIER)


#: Target of the comparators' bands.
POPULATION_CURVE = target_of("population")


def sampling(scope: Scope | str, guarantee: Guarantee, target: str = POPULATION_CURVE) -> Promise:
    """Promise of limits for this classifier with more test data."""
    return Promise("sampling", target, scope, guarantee, THIS_CLASSIFIER)


def of_folds(method: str, *, varies: bool) -> Promise:
    """Promise of the mean area of a cross-validation's classifiers, by the method of its limits.

    Where nothing varies, limits come from pairs of rows and hold for every sample size.
    """
    guarantee = Guarantee(
        LEVELS["in_large_samples" if varies else "at_least"],
        (SAME_SOURCE,),
        tail=PHRASES["folds_tail"].filled(method=method),
    )
    return sampling(SCOPES["mean_of_folds"], guarantee, target_of("mean_of_folds"))


def of_classes(*, has_mean: bool) -> Promise:
    """Promise of the means of classes: if limits of these are known, else of each area."""
    if not has_mean:
        return sampling(SCOPES["one_class"], LARGE_SAMPLES, target_of("areas_of_classes"))
    tail = Phrase(LARGE_SAMPLES.tail.text + PHRASES["classes_tail"].text, "")
    large = LARGE_SAMPLES._replace(tail=tail)
    return sampling(SCOPES["mean_of_classes"], large, target_of("means_of_classes"))


def sampling_by(by: str) -> Promise:
    """Promise of limits for this classifier with more test data, for an event by a time."""
    return sampling(ONE_RATE, GUARANTEES["while_followed"], target_of("population_by", by=by))


def for_population(rates: Sequence[str], confidence: float) -> Promise:
    """Promise of rates at a threshold that was chosen for them on the very rows."""
    target = target_of("rates_found", rates=" and ".join(rates))
    found = SCOPES["found_threshold"]
    promise = Promise("population", target, found, EVERY_SAMPLE_SIZE, THIS_CLASSIFIER)
    return promise.at(1 - confidence)


def for_gaps(of_rates: Promise, rates: int, each: float, alpha: float) -> Promise:
    """Promise of differences between populations: `each` is the alpha of one of the `rates`."""
    head = PHRASES["gaps_head"].filled(each=percent(1 - each), all=percent(alpha))
    return of_rates.replaced(
        target=target_of("gaps", target=of_rates.target),
        scope=f"{of_rates.scope}, all {rates} rates together",
        guarantee=of_rates.surety._replace(head=head),
    )
