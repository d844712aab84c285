"""What a result promises: a value that is made with the limits and travels with them.

A promise has parts: its kind, whose curve it is for, what lies between the limits, where, how
surely, and if what. Its sentences are made from them here and nowhere else: a long one, in which
every part is said in full, and a short one for the first screen of the page. Nobody reads them
back. A further kind, level, scope or condition is one entry more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from conformal_roc_widget.arrays import ReadOnlyArrays
from conformal_roc_widget.checks import one_of
from conformal_roc_widget.text import percent
from conformal_roc_widget.words import words

#: Kind -> whether all limits of both labels hold together, at every threshold. ``individual``:
#: each point, and a threshold drawn at random. ``curve``: the curve at a threshold drawn at random.
#: ``simultaneous``: an ideal recalibration at every threshold at once. ``everywhere``: an ideal
#: model at every threshold at once. ``credible``: quantiles of posterior draws. ``sampling``: this
#: classifier with more test data. ``population``: this classifier at a threshold that was chosen
#: for it. ``none``: no theorem.
KINDS = {
    "individual": False,
    "curve": False,
    "simultaneous": True,
    "everywhere": True,
    "credible": False,
    "sampling": False,
    "population": False,
    "none": False,
}

#: Place of the confidence in the words of a level.
CONFIDENCE = "{confidence}"


class Model(NamedTuple):
    """The model whose curve a promise bounds."""

    name: str
    #: The name with what it is made from.
    full: str
    #: The name without its article.
    bare: str
    #: End of a target on what the model knows; empty if a target does not say it.
    knows: str = ""


IDEAL_MODEL, RECALIBRATION, THIS_CLASSIFIER = "ideal_model", "recalibration", "classifier"
MODELS = {
    IDEAL_MODEL: Model(
        words("model.ideal_model"),
        words("model.ideal_model"),
        "ideal model",
        f"{words('model.ideal_model')} knows the true probabilities π(x)",
    ),
    RECALIBRATION: Model(
        words("model.recalibration"),
        words("model.of_score"),
        "ideal recalibration",
        f"{words('model.of_score')} knows P(y = 1 | score)",
    ),
    THIS_CLASSIFIER: Model(words("model.classifier"), words("model.classifier"), "classifier"),
}


class Phrase(NamedTuple):
    """Words for readers: in full, and as short as a line has room for."""

    text: str
    short: str

    @classmethod
    def of(cls, text: str) -> Phrase:
        """A phrase with the same words in full and in short."""
        return cls(text, text)


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

    @classmethod
    def none(cls, why: str, short: str) -> Level:
        """The absence of a level, with the reason."""
        return cls(f"none: {why}", f"none: {short}", is_none=True)

    def at(self, confidence: str) -> Level:
        """The level with the confidence in its place."""
        text, short = (each.replace(CONFIDENCE, confidence) for each in (self.text, self.short))
        return self._replace(text=text, short=short)


NOTHING = Phrase("", "")


class Guarantee(NamedTuple):
    """How surely limits hold, and what that assumes."""

    level: Level
    #: All that is assumed, in the order in which it is said.
    conditions: tuple[Phrase, ...] = ()
    #: The words on whom it holds for, if not for any row.
    whom: Phrase = NOTHING
    #: Words before it and after it.
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
            return Line(f"{level}{rest}", "", "", "", "any")
        return Line(level, scope.short, self.level.after, rest, scope.chosen)

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

    def __str__(self) -> str:
        """The sentence."""
        if not self.scope:
            return f"{self.level}."
        return f"{self.level} for {self.scope}{self.after}{self.rest}."


@dataclass(frozen=True, init=False)
class Promise:
    """What limits are for, where they hold, and how surely.

    Parameters
    ----------
    kind : str
        One of "individual", "curve", "simultaneous", "everywhere", "credible", "sampling",
        "population", "none".
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
        """What is assumed, and for whom the limits are, if not for any row."""
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
        return KINDS[self.kind]

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
        """What a message carries: keys, the long sentences, and the parts of the short one."""
        keys = {"kind": self.kind, "model": self.model}
        return keys | self.words | {"line": self.line._asdict()}


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

    def with_promise(self, promise: Promise) -> Self:
        """These numbers with their promise."""
        self.promise = promise
        return self


# Where limits hold.

POINTWISE = words("promise.pointwise")
BLIND_THRESHOLD = Scope(
    f"{POINTWISE}: {words('promise.drawn_threshold')}, not the whole curve",
    "a threshold picked blindly",
    "blindly",
)
EVERY_THRESHOLD = Scope("every threshold at once", "any threshold I pick")
FIXED_THRESHOLD = Scope(
    words("promise.fixed_threshold"), words("promise.fixed_threshold"), "beforehand"
)
#: Outside of these thresholds envelopes were seen to miss more often than they may.
FIRST_THRESHOLD, LAST_THRESHOLD = 0.005, 0.995
INNER_THRESHOLDS = Scope(
    f"every threshold from {FIRST_THRESHOLD} to {LAST_THRESHOLD} at once, also one that was "
    "picked; at a confidence chosen before looking",
    f"any threshold I pick from {FIRST_THRESHOLD} to {LAST_THRESHOLD}",
)
FOUND_THRESHOLD = Scope("the threshold that was found on these rows", "this threshold")
ALL_THRESHOLDS = Scope("all thresholds at once", "any threshold I pick")
ONE_POINT = Scope("one test point drawn at random, not all at once", "one test point")
ALL_POINTS = Scope("all test points at once", "all test points")
EVERY_SCORE = Scope(words("promise.every_score"), words("promise.every_score"))
ONE_RATE = Scope(
    f"{POINTWISE}: one false positive rate at a time, not the whole curve",
    "one point of the curve",
    "beforehand",
)
WHOLE_CURVE = Scope("simultaneous: the whole curve at once", "the whole curve")
IDEAL_RATE = Scope(
    f"{POINTWISE}: at one false positive rate, not the whole curve", "one false positive rate"
)
IDEAL_CURVE = Scope(
    f"{POINTWISE}: one false positive rate at a time; simultaneous limits: the whole curve",
    "one false positive rate",
)
ONE_NUMBER = Scope("one number", "one number")
ONE_CLASS = Scope("one class at a time", "one class at a time")
WHERE_ALL_HOLD = Scope("wherever all limits hold at once", "wherever all limits hold at once")
WIDE_AREA = Scope(
    "wherever the band holds; it is wide, for it takes the worst of both rates at once",
    "any threshold I pick",
)

# How surely.

AT_LEAST_IN_LARGE_SAMPLES = Level(
    "at least {confidence} in large samples", "at least {confidence}", " in large samples"
)
AT_LEAST = Level(
    words("promise.at_least", confidence=CONFIDENCE) + words("promise.every_size"),
    words("promise.at_least", confidence=CONFIDENCE),
    words("promise.every_size"),
)
OVER_BOTH_SETS = Level(
    "at least {confidence} over calibration points and test set, drawn alike: at every threshold "
    "at once the share of this test set's positives whose π lies above it is within the limits, "
    "and that of its negatives too; for every sample size",
    "limits hold in at least {confidence} of datasets drawn alike",
    " after looking",
)
ON_AVERAGE = Level(
    "for the curve, not for single points: {confidence} on average", "{confidence} on average"
)
CREDIBLE = Level("{confidence} on average", "{confidence} credible")
AVERAGE_IN_LARGE_SAMPLES = Level(
    "{confidence} on average in large samples", "{confidence} on average", " in large samples"
)
IN_LARGE_SAMPLES = Level(
    CONFIDENCE + words("promise.in_large_samples"),
    words("promise.about", confidence=CONFIDENCE),
    words("promise.in_large_samples"),
)
FOR_EVERY_LAW = Level(
    "at least {confidence} for every sample size and every law",
    "at least {confidence}",
    " for every sample size",
)
BY_SIMULATION = Level(
    "{confidence} by rocci's simulations over many laws",
    "about {confidence}",
    " by rocci’s simulations",
)
FOR_EACH_RATE, FOR_BOTH_RATES, FOR_ALL_DIFFERENCES = (
    Level(
        f"at least {{confidence}} for {which}, for every sample size",
        "at least {confidence}",
        f" for {which}, for every sample size",
    )
    for which in ("each rate", "both rates together", "all differences together")
)
EXACT = Level("exact: the true probabilities are given", "exact")
CENTRED_ON_REFERENCE = Level.none(
    "centred on π̃, as Algorithm 2 is printed, intervals do not cover",
    "intervals that are centred on the reference do not cover",
)
AVERAGED = Level.none(
    "what each label's band promises does not carry over to their average",
    "what each class is promised does not carry over to their average",
)
FROM_BOTH_LIMITS = Level(
    words("promise.from_both"),
    words("promise.from_both"),
    is_none=True,
)

# If what.

CLOSE = Phrase("the reference π̃ is close to π", "the reference is close to the truth")
CLOSE_FROM_SCORES = Phrase(
    "the reference π̃, made from the score alone, is close to P(y = 1 | score)", CLOSE.short
)
CLOSE_AS_GIVEN = Phrase("the reference of these residuals is close to π", CLOSE.short)
SMOOTH = Phrase(
    "logit π is smooth, as the posterior of the reference 'sharp' assumes",
    "the true log-odds are smooth",
)
SMOOTH_SCORES = Phrase(
    "logit P(y = 1 | score) is smooth, as the posterior of the reference 'sharp' assumes",
    SMOOTH.short,
)
LEARNABLE = Phrase(
    "π can be learned from the features, as the reference 'learned' assumes",
    "the truth can be learned from the features",
)
TRUE_REFERENCE = Phrase.of("the given reference is the true π")
LIKE_NEIGHBOURS = Phrase.of("test points are like their neighbours")
LIKE_REFITS = Phrase.of("the classifier errs as its refits do")
FOLDS_ALIKE = Phrase.of("the classifiers of all folds err alike")
RIGHT_WEIGHTS = Phrase.of("the weights are right")
MONOTONE = Phrase.of(words("promise.monotone"))
WIDE_RESIDUALS = Phrase(
    "the residuals of the reference are spread at least as widely as those of the true π",
    "true residuals spread no wider than estimated",
)
SAME_SOURCE = Phrase.of(words("promise.same_source"))
NORMAL_SCORES = Phrase(
    "the scores of each label are normal as they stand", "the scores of each label are normal"
)
RISK_LEARNABLE = {
    model: Phrase(
        f"P(T ≤ t) can be learned from the {noun} as the person-period reference assumes",
        "the risk can be learned",
    )
    for model, noun in ((IDEAL_MODEL, "features"), (RECALIBRATION, "score"))
}
TRUE_RISK = Phrase.of("the given reference is the true P(T ≤ t | x)")
LEAVING_TELLS_NOTHING = Phrase(
    "censoring does not depend on the time of the event given what the weights see",
    "leaving tells nothing of it",
)
#: The words on whom limits hold for, if people have several rows.
NEW_PERSON = Phrase.of("for a row of a new person")


# Promises of results.


def for_rates(
    kind: str,
    guarantee: Guarantee,
    model: str = IDEAL_MODEL,
    scope: Scope = BLIND_THRESHOLD,
) -> Promise:
    """Promise of sensitivity and specificity, at the same threshold."""
    target = (
        f"{MODELS[model].name}'s sensitivity and specificity, at the same threshold, on this test "
        f"set; {MODELS[model].knows}"
    )
    return Promise(kind, target, scope, guarantee, model)


def for_points(kind: str, guarantee: Guarantee, model: str = IDEAL_MODEL) -> Promise:
    """Promise of the intervals of single points."""
    what = "P(y = 1 | score)" if model == RECALIBRATION else "the true probability π(x)"
    return Promise(kind, f"{what} of each test point, given its label", ONE_POINT, guarantee, model)


def individual(*conditions: Phrase, whom: Phrase = NOTHING) -> Guarantee:
    """Guarantee of single points and of a threshold drawn at random."""
    return Guarantee(AT_LEAST_IN_LARGE_SAMPLES, conditions, whom)


#: Guarantee of bounds at every score at once.
IF_MONOTONE = Guarantee(AT_LEAST, (MONOTONE,))
#: Promises of an ideal recalibration's rates and of its points, all at once.
FOR_RECALIBRATION = (
    Promise(
        "simultaneous", MODELS[RECALIBRATION].full, EVERY_THRESHOLD, IF_MONOTONE, RECALIBRATION
    ),
    Promise(
        "simultaneous",
        "the ideal recalibration of each test point's score",
        ALL_POINTS,
        IF_MONOTONE,
        RECALIBRATION,
    ),
)
#: Promise of the bounds of ``P(y = 1 | score)``.
FOR_SCORES = Promise(
    "simultaneous",
    words("promise.of_scores"),
    EVERY_SCORE,
    IF_MONOTONE,
    RECALIBRATION,
)
#: Promise of the rates of an ideal model at every threshold at once.
EVERYWHERE = for_rates(
    "everywhere", Guarantee(OVER_BOTH_SETS, (WIDE_RESIDUALS,)), scope=INNER_THRESHOLDS
)
#: Promise of an average of several classes.
FOR_AVERAGE = Promise(
    "none",
    "the average over the labels of ideal models' sensitivities on this test set, each at the "
    f"threshold where its classifier has this false positive rate; {MODELS[IDEAL_MODEL].knows}",
    BLIND_THRESHOLD,
    Guarantee(AVERAGED),
)
#: Promise of the ideal model's sensitivities where the true probabilities are known.
FOR_TRUTH = Promise(
    "everywhere",
    "an ideal model's sensitivity at the same threshold, on this test set",
    Scope("every threshold", "every threshold"),
    Guarantee(EXACT),
)


#: How rows count if outcomes have a time.
COUNT_OF_THE_KNOWN = "a row whose outcome is known counts 1 / P(still followed)"


def at_horizon(noun: str, by: str, model: str) -> str:
    """Target of figures where an event by a time counts."""
    return f"{noun} at {by} of {MODELS[model].full} on this test set; {COUNT_OF_THE_KNOWN}"


def for_horizon(
    by: str, model: str = IDEAL_MODEL, *, a_truth: bool = False
) -> tuple[Promise, Promise]:
    """Promises of the rates and of the points where an event by a time counts: "730 days"."""
    learned = TRUE_RISK if a_truth else RISK_LEARNABLE[model]
    guarantee = Guarantee(AVERAGE_IN_LARGE_SAMPLES, (learned, LEAVING_TELLS_NOTHING))
    target = at_horizon("sensitivity and specificity", by, model)
    known = "score" if model == RECALIBRATION else "x"
    point = f"P(T ≤ {by} | {known}) of each test point, given whether it has the event by then"
    return (
        Promise("individual", target, BLIND_THRESHOLD, guarantee, model),
        Promise("individual", point, ONE_POINT, guarantee, model),
    )


def for_horizon_everywhere(rates: Promise) -> Promise:
    """Promise of the same rates at every threshold at once."""
    return rates.replaced(kind="everywhere", scope=INNER_THRESHOLDS)


def for_range_at_horizon(rates: Promise, by: str, noun: str, scope: Scope) -> Promise:
    """Promise of the range that the limits of the rates at a horizon allow for an index or area."""
    target = at_horizon(noun, by, rates.model)
    made = rates.replaced(target=target, scope=scope)
    if rates.every_threshold:
        return made
    return made.replaced(kind="none", guarantee=Guarantee(FROM_BOTH_LIMITS))


def for_range(noun: str, model: str) -> Promise:
    """Promise of a range for an index or area: it holds if all limits do."""
    target = (
        f"{noun} of {MODELS[model].name} on this test set, if its sensitivity and specificity are "
        f"within the limits at every threshold; {MODELS[model].knows}"
    )
    return Promise("none", target, WHERE_ALL_HOLD, Guarantee(FROM_BOTH_LIMITS), model)


def for_range_everywhere(promise: Promise, noun: str, scope: Scope) -> Promise:
    """Promise of an index or area, if the rates' limits hold at every threshold at once."""
    return promise.replaced(
        target=f"{noun} of an ideal model on this test set; {promise.whose.knows}", scope=scope
    )


#: Words around the guarantee of the rates, if precision, or a figure of both labels, has none.
PRECISION_HAS_NONE = (
    Phrase(words("promise.recall_head"), words("promise.recall_head_short")),
    Phrase(words("promise.recall_tail", none=FROM_BOTH_LIMITS.text), ""),
)
FIGURE_HAS_NONE = (
    Phrase(
        words("promise.figure_head", none=FROM_BOTH_LIMITS.text), words("promise.figure_head_short")
    ),
    NOTHING,
)


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
    target = words("promise.of_figure", noun=noun, model=of_rates.whose.full, points=points)
    return of_rates.replaced(kind=kind, target=target, guarantee=guarantee)


def for_each_class(of_rates: Promise, without_limits: str) -> Promise:
    """Promise of each class, as it stands below their average; names the classes without limits."""
    without = words("promise.class_without", names=without_limits) if without_limits else ""
    tail = Phrase(
        words("promise.class_tail", without=without),
        words("promise.class_tail_short", without=without),
    )
    return of_rates.replaced(
        target=words("promise.of_class", target=of_rates.target),
        scope=of_rates.place._replace(text=words("promise.class_scope", scope=of_rates.scope)),
        guarantee=of_rates.surety._replace(tail=tail),
    )


def credible(assumption: Phrase, scope: Scope = IDEAL_CURVE) -> Promise:
    """Promise of the ideal model's own curve."""
    tail = Phrase("; credible, not conformal", "")
    return Promise(
        "credible",
        "the ROC curve of the true probabilities π(x), on a test set like this one",
        scope,
        Guarantee(CREDIBLE, (assumption,), tail=tail),
    )


#: Target of other people's bands.
POPULATION_CURVE = f"population ROC of {MODELS[THIS_CLASSIFIER].name}"
#: Guarantees of limits for this classifier in the population.
LARGE_SAMPLES = Guarantee(
    IN_LARGE_SAMPLES, (SAME_SOURCE,), tail=Phrase(words("promise.not_in_small"), "")
)
EVERY_SAMPLE_SIZE = Guarantee(AT_LEAST, (SAME_SOURCE,))
EVERY_LAW = Guarantee(FOR_EVERY_LAW, (SAME_SOURCE,))
IF_NORMAL = Guarantee(IN_LARGE_SAMPLES, (SAME_SOURCE, NORMAL_SCORES))
SIMULATED = Guarantee(
    BY_SIMULATION, (SAME_SOURCE,), tail=Phrase.of("; no proof for a finite sample")
)


def sampling(scope: Scope | str, guarantee: Guarantee, target: str = POPULATION_CURVE) -> Promise:
    """Promise of limits for this classifier with more test data."""
    return Promise("sampling", target, scope, guarantee, THIS_CLASSIFIER)


def of_folds(method: str, *, varies: bool) -> Promise:
    """Promise of the mean area of a cross-validation's classifiers, by the method of its limits.

    Where nothing varies, limits come from pairs of rows and hold for every sample size.
    """
    these = (
        ", for the classifiers of these folds: how much another training set would change them "
        "is left out"
    )
    guarantee = Guarantee(
        IN_LARGE_SAMPLES if varies else AT_LEAST,
        (SAME_SOURCE,),
        tail=Phrase(f"; by {method}{these}", these),
    )
    target = "mean area under the ROC curves of these folds’ classifiers, in the population"
    return sampling(_one_mean("folds"), guarantee, target)


def of_classes(*, has_mean: bool) -> Promise:
    """Promise of the means of classes: if limits of these are known, else of each area."""
    rest = "of this classifier, each class against the rest, in the population"
    if not has_mean:
        return sampling(ONE_CLASS, LARGE_SAMPLES, f"area under the ROC curve {rest}")
    how = (
        "; by the influences of each row, or person, on all classes together: DeLong’s for areas, "
        "for rates the exact limits of as many rows as vary alike (Korn-Graubard)"
    )
    large = LARGE_SAMPLES._replace(tail=Phrase(LARGE_SAMPLES.tail.text + how, ""))
    target = (
        "mean area under the ROC curves, and mean sensitivity and specificity at a threshold fixed "
        f"in advance, {rest}; what each class weighs in them is taken as given"
    )
    return sampling(_one_mean("classes", "one mean"), large, target)


def _one_mean(noun: str, short: str = "the mean AUC") -> Scope:
    return Scope(f"one mean; limits of single {noun} are for one of them at a time", short)


#: Guarantee of limits in large samples, for outcomes with a time.
WHILE_FOLLOWED = LARGE_SAMPLES._replace(conditions=(SAME_SOURCE, LEAVING_TELLS_NOTHING))


def sampling_by(by: str) -> Promise:
    """Promise of limits for this classifier with more test data, for an event by a time."""
    return sampling(ONE_RATE, WHILE_FOLLOWED, f"{POPULATION_CURVE} for an event by {by}")


def for_figure_with_more_data(noun: str, *, exact: bool, followed: bool = False) -> Promise:
    """Promise of a figure of both labels at a threshold, for this classifier with more data.

    Limits that are not exact take the share of positives as known.
    """
    points = words("promise.more_points" if exact else "promise.more_points_known")
    target = words(
        "promise.of_figure", noun=noun, model=MODELS[THIS_CLASSIFIER].full, points=points
    )
    large = WHILE_FOLLOWED if followed else LARGE_SAMPLES
    return sampling(FIXED_THRESHOLD, EVERY_SAMPLE_SIZE if exact else large, target)


def for_population(rates: Sequence[str], confidence: float) -> Promise:
    """Promise of rates at a threshold that was chosen for them on the very rows."""
    target = f"{' and '.join(rates)} of {MODELS[THIS_CLASSIFIER].name} in the population"
    promise = Promise("population", target, FOUND_THRESHOLD, EVERY_SAMPLE_SIZE, THIS_CLASSIFIER)
    return promise.at(1 - confidence)


def for_gaps(of_rates: Promise, rates: int, each: float, alpha: float) -> Promise:
    """Promise of differences between populations: `each` is the alpha of one of the `rates`."""
    head = (
        f"each rate's limits have {percent(1 - each)}, so that their errors sum up to "
        f"{percent(alpha)}: "
    )
    return of_rates.replaced(
        target=f"differences between populations of {of_rates.target}",
        scope=f"{of_rates.scope}, all {rates} rates together",
        guarantee=of_rates.surety._replace(head=Phrase.of(head)),
    )
