"""ROC curves of several evaluations side by side, or their average."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from conformal_roc_widget.evaluation.average import average_bands, class_shares
from conformal_roc_widget.evaluation.band import ConformalBand
from conformal_roc_widget.promise import for_each_class
from conformal_roc_widget.scene import (
    SIDE,
    SMALL,
    Area,
    Axis,
    Line,
    Mark,
    Panel,
    Pen,
    Points,
    Scene,
    Text,
)
from conformal_roc_widget.shown.comparator_state import Overlaid
from conformal_roc_widget.shown.controls import NO_BAND, SAMPLING, Controls, band_labels
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.shown.sentences import (
    Rate,
    area_range,
    bands_text,
    between,
    comparisons,
    missing_text,
    points_sentence,
    promise_lines,
    rate_sides,
    reasons_outside,
)
from conformal_roc_widget.text import area_digits, number_text, plain_text, range_text, short_name
from conformal_roc_widget.views import parts
from conformal_roc_widget.views.roc import (
    AVERAGE,
    CHANCE,
    Shown,
    axes_of,
    caveats,
    comparator_marks,
    marks_of,
    rate_answer,
    readings_of,
)
from conformal_roc_widget.views.sampling import EXACT_HERE, SamplingView, exact_rates
from conformal_roc_widget.views.view import Moment
from conformal_roc_widget.words import words

#: At most this many curves are drawn side by side.
MOST = 12
#: More classes than this are counted in the answer; the promise names them all.
MOST_NAMES = 2
#: How many panels stand in a row.
COLUMNS = 3
#: Noun for what is drawn side by side, by the kind of the group.
SEVERAL = {
    "classifiers": "{} classifiers",
    "populations": "one classifier in {} populations",
    "folds": "{} folds",
    "samples": "{} samples",
}
EACH_CURVE = "each classifier"
THIN = Pen("axis")


def overview(group: Group, controls: Controls, comparators: Overlaid | None = None) -> Scene:
    """Picture of all evaluations of a group, or of their average."""
    labels = _labels(group, controls)
    shown = _shown(group, controls)
    several = len(shown) > 1
    drawn = dict(list(shown.items())[:MOST])
    promised = _promised(group, controls, shown if labels else {})
    promise_notes = promise_lines(
        (name, each) for name, each in promised.items() if name in ("", *drawn)
    )
    exact = _exact_words(group, controls)
    notes = [*promise_notes, *exact, *caveats(drawn, labels)]
    if len(shown) > len(drawn):
        notes.append(f"{len(shown) - len(drawn)} more {group.kind} are not drawn.")
    if comparators is not None:
        there = tuple(item for item in comparators.items if item.band is not None)
        notes += comparisons(comparators._replace(items=there))
    lines, others = _lead(group, controls, shown), comparator_marks(comparators)
    is_each = several and group.kind in ("classifiers", "folds")
    title = overview_title(group, controls)
    return Scene(
        title,
        (Panel(*axes_of(), tuple(average_marks(group, controls, drawn["average"].band, others))),)
        if group.kind == "classes"
        else panels_of(
            {name if several else "": each for name, each in drawn.items()},
            labels,
            others,
            curve=EACH_CURVE if is_each else parts.CLASSIFIER,
            large=not several,
        ),
        () if several else tuple(lines),
        tuple(dict.fromkeys(notes)),
        "\n".join(
            [
                f"{title} (alpha = {controls.alpha:g}).",
                *lines,
                *_areas(group),
                *_ranges(group, controls, shown if labels else {}),
                *(f"{line}." for line in promise_lines(promised.items())),
                *exact,
                *comparisons(comparators),
            ]
        ),
        SMALL if several else SIDE,
        min(len(drawn), COLUMNS),
    )


def _promised(
    group: Group, controls: Controls, shown: Mapping[str, Shown]
) -> dict[str, Mapping[str, str]]:
    """Target, scope and guarantee by name; an average has those of each class, and no own.

    With more test data the promise is that of all classes or folds together.
    """
    if controls.band == SAMPLING:
        together = group.together
        return {} if together is None else {"": together.at(controls.alpha).words}
    if group.kind != "classes" or not shown:
        return {name: each.band.promise.words for name, each in shown.items()}
    bands = {label: each.at(controls.alpha).band([]) for label, each in group.entries.items()}
    promise = next(iter(bands.values())).promise
    empty = ", ".join(group.name(label) for label, band in bands.items() if band.without_limits(1))
    return {"": for_each_class(promise, empty).words}


def _exact_words(group: Group, controls: Controls) -> tuple[str, ...]:
    """What limits of single rates promise, as they stand in the table; classes have none there."""
    if controls.band != SAMPLING or group.kind == "classes":
        return ()
    moments = (Moment(each, controls) for each in group.entries.values())
    return (f"{EXACT_HERE}.",) if any(map(exact_rates, moments)) else ()


def overview_title(group: Group, controls: Controls) -> str:
    """Heading of the picture of several evaluations."""
    labels = _labels(group, controls)
    several = len(labels) > 1 or group.kind == "bands"
    bands = bands_text(labels, controls.alpha, several=several)
    if group.kind == "classes":
        how = "weighted by size" if controls.weights == "size" else "with equal weights"
        return f"Average ROC curve of {len(group.entries)} classes, {how}{',' * bool(bands)}{bands}"
    if group.kind == "bands":
        return f"ROC curve{bands}, made in {len(group.entries)} ways"
    return f"ROC curves of {SEVERAL[group.kind].format(len(group.entries))}{bands}"


def average_marks(
    group: Group, controls: Controls, band: ConformalBand, others: Sequence[Mark]
) -> list[Mark]:
    """The classes' average with its band, read at the threshold, over the curve of each."""
    moments = [Moment(each, controls) for each in group.entries.values()]
    curve, upper, lower = (
        Points(band.fpr, tpr, "across") for tpr in (band.tpr, band.tpr_upper, band.tpr_lower)
    )

    at = _place(group, controls, band)
    fpr, limits = float(band.fpr[at]), (float(band.tpr_lower[at]), float(band.tpr_upper[at]))
    sides = band.has_limits(1)
    pen = parts.LIMITS[1] if any(sides) else parts.NO_LIMITS
    key = words("key.averaged_limits") + missing_text(sides)
    limits_shown = controls.band not in (NO_BAND, SAMPLING)
    own = [Area("averaged-band", key, upper, lower, pen, pen.colour, sides=sides)]
    arms = parts.limit_arms(
        *("arm-1", float(band.tpr[at]), limits, fpr, sides), (parts.ARMS[1], parts.MISSING[1])
    )
    return [
        *(own if limits_shown else []),
        *others,
        *(
            Line(f"curve-{i}", words("key.a_class"), Points(each.band.fpr, each.band.tpr), THIN)
            for i, each in enumerate(moments)
        ),
        CHANCE,
        parts.curve(curve, AVERAGE, readings_of(band, (1,))),
        *_area_corner(group, controls),
        parts.cut(fpr),
        *(arms if limits_shown else []),
        *parts.point(fpr, float(band.tpr[at]), controls.threshold),
    ]


def _area_corner(group: Group, controls: Controls) -> list[Text]:
    """The mean area, with its limits where they are known; a curve to guess from has none."""
    area = _mean(group, controls, (each.observed_auc for each in group.entries.values()))
    limits = None if controls.band == NO_BAND else mean_area_limits(group, controls)
    digits = area_digits([area, *(limits or ())])
    below = None
    if limits is not None:
        key = "corner.auc_limits" if controls.band == SAMPLING else "corner.auc_limits_more"
        lower, upper = (number_text(limit, digits) for limit in limits)
        below = words(key, lower=lower, upper=upper, level=1 - controls.alpha)
    return parts.corner(words("corner.mean_auc", auc=number_text(area, digits)), below)


def mean_area_limits(group: Group, controls: Controls) -> tuple[float, float] | None:
    """Limits of the classes' mean area with more test data; None where nobody knows them."""
    area = group.mean_areas.get(controls.weights)
    return None if area is None else area.limits(controls.alpha)


def panels_of(
    shown: Mapping[str, Shown],
    labels: Sequence[int],
    others: Sequence[Mark] = (),
    *,
    columns: int = COLUMNS,
    curve: str = parts.CLASSIFIER,
    large: bool = True,
) -> tuple[Panel, ...]:
    """Panels by name, row by row; axes have titles at the left and at the bottom alone."""
    columns = min(len(shown), columns)
    panels = []
    for number, (name, each) in enumerate(shown.items()):
        across, up = axes_of(each.evaluation if large else None)
        panels.append(
            Panel(
                across if number >= len(shown) - columns else Axis(""),
                up if number % columns == 0 else Axis(""),
                tuple(marks_of(each, labels, others, curve=curve, large=large)),
                plain_text(name, 80),
            )
        )
    return tuple(panels)


def _labels(group: Group, controls: Controls) -> tuple[int, ...]:
    """Labels whose limits are drawn; an average at fixed FPR has limits for label 1 alone."""
    # With more test data a curve has its band only where it is looked at alone.
    labels = () if controls.band == SAMPLING else band_labels(controls.band)
    return labels[:1] and (1,) if group.kind == "classes" else labels


def _shown(group: Group, controls: Controls) -> dict[str, Shown]:
    """Name -> what to draw; an average has a band and no evaluation."""
    if group.kind == "classes":
        return {"average": Shown(average_bands(group.entries, controls.alpha, controls.weights))}
    return {
        group.name(label): Shown.of(Moment(each, controls)) for label, each in group.entries.items()
    }


def _lead(group: Group, controls: Controls, shown: Mapping[str, Shown]) -> list[str]:
    """Numbers at the operating point of each curve, or of the classes' average."""
    if group.kind != "classes":
        lines = (
            f"{group.name(label)}: {_answer(Moment(each, controls))} {points_sentence(each)}"
            for label, each in group.entries.items()
        )
        return [*between(group, controls), *lines]
    specificity, sensitivity = (mean_rate(group, controls, label) for label in (0, 1))
    start = words("answer.at_threshold", threshold=controls.threshold)
    rates = {"start": start, "tpr": sensitivity.observed, "specificity": specificity.observed}
    if _labels(group, controls):
        return [_averaged_limits(group, controls, sensitivity, rates)]
    if controls.band != SAMPLING:
        return [words("average.rates", **rates)]
    settled = _settled_rates(group, controls, sensitivity, specificity, rates)
    return [f"{settled} {_settled_areas(group, controls)}".strip()]


def _settled_rates(
    group: Group, controls: Controls, sensitivity: Rate, specificity: Rate, given: Mapping[str, Any]
) -> str:
    """Where both mean rates would settle with more test data, or why nobody knows it."""
    means = group.mean_rates.get(controls.weights)
    if means is None:
        return f"{words('average.rates', **given)} {words('average.rates_unknown')}"
    (low, high), (tpr_low, tpr_high) = (
        means.limits(rate.label, controls.threshold, rate.observed, controls.alpha)
        for rate in (specificity, sensitivity)
    )
    return words(
        "average.rates_settle",
        **{**given, "level": 1 - controls.alpha},
        low=low,
        high=high,
        tpr_low=tpr_low,
        tpr_high=tpr_high,
    )


def _rates(group: Group, controls: Controls, label: int) -> dict[str, Rate]:
    """By name, a rate of each class at the threshold; with the limits that there are."""
    rates = {}
    for key, each in group.entries.items():
        at = each.at(controls.alpha)
        band, point = at.band([]), at.operating_point(controls.threshold)
        found = Rate.of(point, band, label)
        rates[group.name(key)] = found._replace(sides=rate_sides(band, label))
    return rates


def mean_rate(group: Group, controls: Controls, label: int) -> Rate:
    """The classes' rate at the threshold, averaged; it has the limits that each of them has."""
    rates = _rates(group, controls, label).values()
    observed, lower, upper = (
        _mean(group, controls, (getattr(each, name) for each in rates))
        for name in ("observed", "lower", "upper")
    )
    has_lower, has_upper = (all(each.sides[side] for each in rates) for side in (0, 1))
    return Rate(label, observed, lower, upper, (has_lower, has_upper))


def _answer(moment: Moment) -> str:
    """The rate of one of them, in the question that is asked."""
    if moment.controls.band == SAMPLING:
        return SamplingView().words(moment).lead
    return rate_answer(moment)


def sampled_areas(group: Group, alpha: float) -> dict[str, tuple[float, float]]:
    """By name, limits of the areas with more test data, as far as they are known."""
    areas = {group.name(label): each.sampled_area for label, each in group.entries.items()}
    return {name: area.limits(alpha) for name, area in areas.items() if area is not None}


def _settled_areas(group: Group, controls: Controls) -> str:
    """Sentences on where areas and their mean would settle, as far as is known."""
    areas, mean = sampled_areas(group, controls.alpha), mean_area_limits(group, controls)
    digits = area_digits([each.observed_auc for each in group.entries.values()])
    level, sentences = 1 - controls.alpha, []
    if mean is not None:
        lower, upper = (number_text(limit, digits) for limit in mean)
        sentences = [words("average.mean_settles", level=level, lower=lower, upper=upper)]
    if areas:
        widest = max(areas, key=lambda name: areas[name][1] - areas[name][0])
        limits = " to ".join(number_text(limit, digits) for limit in areas[widest])
        key = "average.settles" if mean is None else "average.least_sure"
        sentences.append(words(key, level=level, widest=short_name(widest), limits=limits))
    return " ".join(sentences)


def _averaged_limits(
    group: Group, controls: Controls, mean: Rate, values: Mapping[str, Any]
) -> str:
    """The classes' limits, averaged, and where they are widest; or which classes lack one."""
    rates = _rates(group, controls, 1)
    without = [short_name(name) for name, each in rates.items() if not all(each.sides)]
    if without:
        n = len(without)
        names = words("several.classes", n=n) if n > MOST_NAMES else " and ".join(without)
        averaged = words("average.limits_without", **values)
        return f"{averaged} {words('average.little', n=n, names=names)}"
    wide, narrow = (
        find(rates, key=lambda name: rates[name].upper - rates[name].lower) for find in (max, min)
    )
    averaged = words(
        "average.limits",
        limits=range_text(mean.lower, mean.upper),
        level=1 - controls.alpha,
        **values,
    )
    if wide == narrow:
        return averaged
    ends = words(
        "average.widest",
        widest=short_name(wide),
        wide=range_text(rates[wide].lower, rates[wide].upper),
        narrowest=short_name(narrow),
        narrow=range_text(rates[narrow].lower, rates[narrow].upper),
    )
    return f"{averaged} {ends}"


def _areas(group: Group) -> list[str]:
    """Sentence on the area under the curve of each class."""
    if group.kind != "classes":
        return []
    areas = (
        f"{group.name(label)} {number_text(each.observed_auc)}"
        for label, each in group.entries.items()
    )
    return [f"Areas under the curves of each class against the rest: {', '.join(areas)}."]


def _place(group: Group, controls: Controls, band: ConformalBand) -> int:
    """Index at which the average is read: at the mean of the classes' false positive rates."""
    rates = (
        each.operating_point(controls.threshold, controls.alpha).fpr
        for each in group.entries.values()
    )
    return int(_mean(group, controls, rates) * (band.fpr.size - 1) + 0.5)


def _mean(group: Group, controls: Controls, values: Iterable[float]) -> float:
    """Mean over the classes, weighed as their average is."""
    shares = class_shares(group.entries, controls.weights).values()
    return sum(share * value for share, value in zip(shares, values, strict=True))


def _ranges(group: Group, controls: Controls, shown: Mapping[str, Shown]) -> list[str]:
    """Sentences on the range of each area, and on observed rates outside their limits."""
    lines = []
    for name, (band, evaluation, point, _) in shown.items():
        if evaluation is None or point is None:
            continue
        area = area_range(evaluation.at(controls.alpha), band)
        labels = _labels(group, controls)
        found = [area, *reasons_outside(point, band, labels, evaluation.classes)]
        lines += [f"{name}: {line}" if len(shown) > 1 else line for line in found]
    return lines
