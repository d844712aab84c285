"""The ROC curve with its conformal bands, comparators, line of the same cost, and arc."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from conformal_roc_widget.comparators.comparator_band import ComparatorBand
from conformal_roc_widget.comparators.registry import Comparator
from conformal_roc_widget.evaluation.band import ConformalBand, OperatingPoint
from conformal_roc_widget.evaluation.decisions.metrics import least_cost
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.promise import IDEAL_MODEL
from conformal_roc_widget.scene import Area, Axis, Dot, Line, Mark, Pen, Points, Reading, Text
from conformal_roc_widget.shown.comparator_state import Overlaid
from conformal_roc_widget.shown.controls import band_labels
from conformal_roc_widget.shown.sentences import (
    NOUNS,
    Rate,
    area_range,
    bands_text,
    comparisons,
    lack_text,
    missing_text,
    point_sentence,
    points_lacking,
    points_sentence,
    rate_sides,
    reasons_outside,
)
from conformal_roc_widget.shown.theme import COMPARATOR_DASHES, DASHES
from conformal_roc_widget.text import (
    area_digits,
    number_text,
    percent,
    plain_text,
    threshold_text,
    with_class_names,
)
from conformal_roc_widget.views import parts
from conformal_roc_widget.views.precision_recall import use_answer
from conformal_roc_widget.views.view import Moment, Words
from conformal_roc_widget.words import words

AVERAGE = words("key.mean")
CHANCE = parts.baseline(Points.of([0, 1], [0, 1]), words("key.chance"))
SAME_COST = Pen("ink", 1.25, DASHES["same_cost"])
ARC = Pen("ink", 6)
#: If the mean width of a band is above this, the data say little.
LITTLE = 0.5
#: Dashes of an arc, if the labels refute that a higher score never means a lower probability.
REFUTED = DASHES["refuted"]
#: Names of a band's fields: the rate of each label, and the endings for its limits.
RATE_NAMES, LIMIT_NAMES = ("fpr", "tpr"), ("_lower", "_upper")
THRESHOLD = "Threshold"
TITLES = {
    "tpr": words("rate.tpr").capitalize(),
    "tpr_lower": "its lower limit",
    "tpr_upper": "its upper limit",
    "fpr": words("rate.fpr").capitalize(),
    "fpr_lower": "its lower limit ",  # titles of a tooltip are the keys of an object
    "fpr_upper": "its upper limit ",
}


class Shown(NamedTuple):
    """A band to draw, and the evaluation it belongs to; None for an average."""

    band: ConformalBand
    evaluation: RocEvaluation | None = None
    point: OperatingPoint | None = None
    #: Limits of its area with more test data, if they are known.
    area: tuple[float, float] | None = None

    @classmethod
    def of(cls, moment: Moment) -> Shown:
        """The band and the evaluation of a moment."""
        return cls(moment.band, moment.evaluation, moment.point, moment.sampled_area)


class RocView:
    """Sensitivity over the false positive rate."""

    def axes(self, moment: Moment) -> tuple[Axis, Axis]:
        """Both rates."""
        return axes_of(moment.evaluation)

    def marks(self, moment: Moment) -> list[Mark]:
        """All marks of one evaluation on the plot."""
        labels = band_labels(moment.controls.band)
        below = [*comparator_marks(moment.comparators), *cost_line(moment)]
        more = "corner.auc_limits_more" if labels else None
        above = least_cost_point(moment)
        return marks_of(Shown.of(moment), labels, below, above=above, more=more)

    def words(self, moment: Moment) -> Words:
        """Both rates at the threshold, why limits are missing, the comparators."""
        evaluation, controls = moment.evaluation, moment.controls
        labels = band_labels(controls.band)
        title = bands_text(labels, controls.alpha, several=len(labels) > 1)
        points = points_sentence(evaluation)
        outside = reasons_outside(moment.point, moment.band, labels, evaluation.classes)
        return Words(
            f"{words('view.roc')}{title}",
            f"{rate_answer(moment)} {_meaning(moment)}".strip(),
            moment.band.promise.words if labels else {},
            (points, *caveats({"": Shown.of(moment)}, labels), *comparison_notes(moment)),
            (points, *(_text_alone(moment, labels) if labels else ()), *outside),
            tuple(comparisons(moment.comparators)),
        )


def rate_answer(moment: Moment) -> str:
    """The rate whose limits are drawn, and where the other model's would lie."""
    labels = band_labels(moment.controls.band)
    if not labels:
        here = moment.point
        rates = {"tpr": here.tpr, "specificity": 1 - here.fpr}
        return words("answer.bare", **moment.given, **rates)
    rate = Rate.of(moment.point, moment.band, labels[0])
    return words(
        "answer.rate_without_level" if moment.band.promise.kind == "none" else "answer.rate",
        **moment.given,
        rate=rate.noun,
        observed=rate.observed,
        lower=rate.lower,
        upper=rate.upper,
    )


def _meaning(moment: Moment) -> str:
    """What the answer means, or what stands against it."""
    labels, evaluation = band_labels(moment.controls.band), moment.evaluation
    if not labels:
        return ""
    if moment.band.promise.kind == "simultaneous" and moment.band.notes:
        return words("answer.refuted")
    if says_little(evaluation):
        return _little(moment)
    if moment.controls.prevalence is not None:
        return use_answer(moment)
    if (followed := evaluation.follow_up) is not None:
        lost = followed.n_unknown
        return words("answer.lost", n=lost) if lost else words("answer.none_lost")
    if evaluation.promise.model == IDEAL_MODEL:
        meant = words("answer.ideal_finds" if labels[0] else "answer.ideal_calls")
    else:
        meant = words("answer.recalibration_finds" if labels[0] else "answer.recalibration_calls")
    if moment.band.promise.kind not in ("everywhere", "simultaneous"):
        return meant
    # More points narrow a band for every threshold; at a single threshold the residuals' own spread
    # stays.
    return f"{meant} {words('answer.more_narrow', unit=_unit(moment))}"


def says_little(evaluation: RocEvaluation) -> bool:
    """Whether the band at 95 % is wider than half the plot on average."""
    band = evaluation.at(0.05).band(evaluation.display_vertices.thresholds)
    return float(np.diff(band.fpr) @ (band.tpr_upper - band.tpr_lower)[:-1]) > LITTLE


def _little(moment: Moment) -> str:
    """Sentences where few points calibrate: how many there are, and what helps."""
    evaluation, shown = moment.evaluation, moment.evaluation.display
    unit = _unit(moment)
    can_fit = shown.crossable and not moment.is_page
    kind = moment.band.promise.kind
    crossed = can_fit and kind in ("individual", "curve")
    if kind == "individual" and moment.band.quantiles is None:
        calibrate = words("answer.little_each", unit=unit, name=moment.positive)
    else:
        n = evaluation.n_calibration[1]
        calibrate = words("answer.little", n=n, unit=unit, name=moment.positive)
    help_ = words("answer.more_or_cross_help" if crossed else "answer.more_help", unit=unit)
    return f"{calibrate} {help_}"


def _unit(moment: Moment) -> str:
    return "people" if moment.evaluation.display.counts_people else "points"


def _text_alone(moment: Moment, labels: Sequence[int]) -> list[str]:
    """Sentences for text without a picture: both rates, missing limits, the area's range."""
    band, evaluation = moment.band, moment.evaluation
    both = [point_sentence(band, moment.point)] if len(labels) > 1 else []
    lacking = [
        f"{text[0].upper()}{text[1:]}."
        for text in (
            lack_text(evaluation, band, k, named=True)
            for k in labels
            if not all(rate_sides(band, k))
        )
    ]
    return [*both, *lacking, area_range(moment.at, band)]


def axes_of(evaluation: RocEvaluation | None = None) -> tuple[Axis, Axis]:
    """The axes: both rates, with the names of the classes unless these are mere numbers."""
    if evaluation is not None and (followed := evaluation.follow_up) is not None:
        up = words("axis.sensitivity_by", time=followed.by)
        return Axis(words("axis.specificity")), Axis(up)
    names = [] if evaluation is None else [plain_text(name, 24) for name in evaluation.classes]
    if set(names) <= {"0", "1"}:
        return Axis(words("axis.specificity")), Axis(words("axis.sensitivity"))
    return (
        Axis(words("axis.specificity_of_class", name=_with_noun(names[0]))),
        Axis(words("axis.sensitivity_of_class", name=_with_noun(names[1]))),
    )


def _with_noun(name: str) -> str:
    """A class after its noun, which its name may begin with."""
    return name if name.lower().startswith("class ") else f"class {name}"


def marks_of(
    shown: Shown,
    labels: Sequence[int],
    below: Sequence[Mark] = (),
    *,
    above: Sequence[Mark] = (),
    curve: str = parts.CLASSIFIER,
    large: bool = True,
    more: str | None = "corner.auc_limits_more",
) -> list[Mark]:
    """Marks of the ROC curve.

    Curve, bands of these labels, area, point, and further marks below and above. `more` is the
    template for the area's limits with more test data; with None these are left out.
    """
    band, here = shown.band, shown.point
    has_arc = bool(labels) and here is not None and band.promise.kind == "simultaneous"
    marks: list[Mark] = []
    if not has_arc:
        marks += [_limits(shown, label, large=large) for label in labels]
    averaged = shown.evaluation is None and np.isnan(band.thresholds).any()
    points, readings = Points(band.fpr, band.tpr), readings_of(band, labels)
    name = AVERAGE if averaged else curve
    marks += [*below, CHANCE, parts.curve(points, name, readings), *above]
    if shown.evaluation is not None:
        marks += _area_corner(shown, shown.evaluation.observed_auc, more if large else None)
    if here is None:
        return marks
    if has_arc:
        marks += _arc(band, here)
    elif labels:
        marks += _arms(band, here, labels)
    return [*marks, *parts.point(here.fpr, here.tpr, here.threshold, readings=_numbers(band, here))]


def _area_corner(shown: Shown, auc: float, more: str | None) -> list[Text]:
    below = None
    limits = None if more is None else shown.area
    digits = area_digits([auc, *(limits or ())])
    if limits is not None and more is not None:
        lower, upper = (number_text(limit, digits) for limit in limits)
        below = words(more, lower=lower, upper=upper, level=1 - shown.band.alpha)
    return parts.corner(words("corner.auc", auc=number_text(auc, digits)), below)


def comparator_marks(overlaid: Overlaid | None) -> list[Mark]:
    """Limits of the comparators that are there."""
    items = () if overlaid is None else overlaid.items
    return [_band_of(item.comparator, item.band) for item in items if item.band is not None]


def _band_of(comparator: Comparator, band: ComparatorBand) -> Area:
    """Limits of one comparator, with its own pen."""
    look = comparator.look
    return Area(
        f"comparator-{comparator.key}",
        comparator.name,
        Points(band.fpr, band.tpr_upper),
        Points(band.fpr, band.tpr_lower),
        Pen(f"comparator-{look}", 1.5, COMPARATOR_DASHES[look]),
    )


def comparison_notes(moment: Moment) -> tuple[str, ...]:
    """Sentences on the comparators that are drawn, and on the cost where one is set."""
    cost, overlaid = moment.controls.cost_ratio, moment.comparators
    notes: list[str] = []
    if overlaid is not None:
        drawn = tuple(item for item in overlaid.items if item.band is not None)
        notes += comparisons(overlaid._replace(items=drawn))
    if cost is not None:
        share = percent(round(moment.share, 3) or moment.share)
        at = moment.band.thresholds[least_cost(moment.band, moment.share, cost)]
        notes.append(
            f"Cost: a miss counts as {cost:g} false alarms, where {share} are positive; it is "
            f"least at threshold {threshold_text(min(1.0, max(0.0, float(at))))} (diamond)."
        )
    return tuple(notes)


def cost_line(moment: Moment) -> list[Mark]:
    """Line on which the cost is that of the operating point."""
    here, share, cost = moment.point, moment.share, moment.controls.cost_ratio
    if cost is None:
        return []
    slope = (1 - share) / (share * cost)
    ends = np.array([max(0.0, here.fpr - here.tpr / slope), here.fpr])
    ends[1] = min(1.0, here.fpr + (1 - here.tpr) / slope)
    tpr = np.clip(here.tpr + slope * (ends - here.fpr), 0, 1)
    return [Line("same-cost", words("key.same_cost"), Points(ends, tpr), SAME_COST)]


def least_cost_point(moment: Moment) -> list[Mark]:
    """The point of least cost."""
    if moment.controls.cost_ratio is None:
        return []
    band = moment.band
    at = least_cost(band, moment.share, moment.controls.cost_ratio)
    x, y = float(band.fpr[at]), float(band.tpr[at])
    return [Dot("least-cost", "", x, y, 6, Pen("ink"), "paper", "diamond")]


def caveats(shown: Mapping[str, Shown], labels: Sequence[int]) -> list[str]:
    """Sentences on missing limits and rates outside theirs, and the bands' notes, by panel."""
    reasons: dict[str, list[str]] = {}
    for name, (band, evaluation, here, _) in shown.items():
        classes = (0, 1) if evaluation is None else evaluation.classes
        outside = [] if here is None else reasons_outside(here, band, labels, classes)
        for reason in (*(band.vacuous[k] for k in labels), *outside, *band.notes):
            if reason is not None:
                reasons.setdefault(with_class_names(reason, classes), []).append(name)
    return [
        reason if len(shown) == 1 else f"{'; '.join(dict.fromkeys(names))}: {reason}"
        for reason, names in reasons.items()
    ]


def _limits(shown: Shown, label: int, *, large: bool) -> Area:
    """Band of a label: over the FPR for label 1, over the TPR for label 0."""
    band, sides = shown.band, shown.band.has_limits(label)
    upper, lower = (
        Points(band.fpr, band.tpr_upper if high else band.tpr_lower, "across")
        if label
        else Points(band.fpr_upper if high else band.fpr_lower, band.tpr, "across")
        for high in (True, False)
    )
    name = words("key.ideal_rate", rate=NOUNS[label]) + missing_text(rate_sides(band, label))
    if not all(sides):
        name += f"; {_need(shown, label)}" * large
    pen = parts.LIMITS[label] if any(sides) else parts.NO_LIMITS
    return Area(f"band-{NOUNS[label]}", name, upper, lower, pen, pen.colour, sides=sides)


def _need(shown: Shown, label: int) -> str:
    """How many calibration points a missing limit needs and how many are here, if that is known."""
    lacking = None
    if shown.evaluation is not None:
        lacking = points_lacking(shown.evaluation, shown.band, label)
    if lacking is None:
        return words("key.too_few")
    return words("key.needed", needed=lacking[0], here=lacking[1])


def _arms(band: ConformalBand, here: OperatingPoint, labels: Sequence[int]) -> list[Mark]:
    """Error bars of the rates whose bands are drawn, level first; dots where a limit is missing."""
    return [
        mark
        for label, rate, at, ends in (
            (0, here.fpr, here.tpr, (here.fpr_lower, here.fpr_upper)),
            (1, here.tpr, here.fpr, (here.tpr_lower, here.tpr_upper)),
        )
        if label in labels
        for mark in parts.limit_arms(
            *(f"arm-{label}", rate, ends, at, band.has_limits(label)),
            (parts.ARMS[label], parts.MISSING[label]),
            level=label == 0,
        )
    ]


def _arc(band: ConformalBand, here: OperatingPoint) -> list[Mark]:
    """Stretch of the curve where the point of an ideal recalibration is, with lines to both axes.

    Its curve is the observed one. Only the place of a threshold on it is uncertain: it lies
    between the point of the lower counts and that of the upper ones.
    """
    lower, upper = (here.fpr_lower, here.tpr_lower), (here.fpr_upper, here.tpr_upper)
    rates = np.column_stack([band.fpr, band.tpr])
    inside = ((rates > lower).any(axis=1)) & (rates < upper).any(axis=1)
    fpr, tpr = np.vstack([lower, rates[inside], upper]).T
    ends = {"lower": lower, "upper": upper}
    hairlines = [
        Line(f"arc-{label}-{end}", "", Points.of(*places), parts.LIMITS[label])
        for label in (1, 0)
        for end, (x, y) in ends.items()
        for places in (([0, x], [y, y]) if label else ([x, x], [0, y]),)
    ]
    pen = ARC._replace(dashes=REFUTED if band.notes else ())
    rings = (Dot(f"arc-{end}", "", *at, 4.5, Pen("ink", 2), "paper") for end, at in ends.items())
    return [
        *hairlines,
        Line("arc", words("key.recalibrated"), Points(fpr, tpr), pen, halo=True),
        *rings,
    ]


def readings_of(band: ConformalBand, labels: Sequence[int]) -> tuple[Reading, ...]:
    """Readings at each vertex of the curve."""
    names = [
        name for k in sorted(labels) for name in TITLES if name.startswith(f"{RATE_NAMES[k]}_")
    ]
    shown = (*RATE_NAMES, *names)
    readings = [Reading(TITLES[name], getattr(band, name), _no_limit(band, name)) for name in shown]
    if not np.isnan(band.thresholds).any():
        readings.insert(0, Reading(THRESHOLD, band.thresholds, threshold_text))
    return tuple(readings)


def _no_limit(band: ConformalBand, name: str) -> Callable[[float], str] | None:
    """Words in place of the numbers of a limit that does not exist; None if it does."""
    rate, _, side = name.partition("_")
    missing = side and not band.has_limits(RATE_NAMES.index(rate))[side == "upper"]
    return (lambda _: "no limit") if missing else None


def _numbers(band: ConformalBand, here: OperatingPoint) -> tuple[Reading, ...]:
    """Both rates of the operating point with their limits."""
    rates = (
        Reading(title, np.array([getattr(here, name)]), _no_limit(band, name))
        for name, title in TITLES.items()
    )
    return (Reading(THRESHOLD, np.array([here.threshold]), threshold_text), *rates)
