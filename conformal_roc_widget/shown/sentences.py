"""Sentences about a ROC curve: its numbers, its promises, its comparators.

They stand in pictures and charts, and they are the whole text for those who see no picture.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scipy.special import ndtri

from conformal_roc_widget.calibration.quantiles import exact_alpha, residuals_needed
from conformal_roc_widget.comparators.comparator_band import QUESTION
from conformal_roc_widget.evaluation.at_alpha import AtAlpha
from conformal_roc_widget.evaluation.band import ConformalBand, OperatingPoint
from conformal_roc_widget.evaluation.folds import CAVEAT, Folds
from conformal_roc_widget.evaluation.notes import crossed_by_all, outside_limits
from conformal_roc_widget.evaluation.populations import Gap, conformal_gaps, sampling_gaps
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.shown.comparator_state import Overlaid
from conformal_roc_widget.shown.controls import SAMPLING, Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.text import (
    counted,
    number_text,
    percent,
    plain_text,
    short_name,
    threshold_text,
    with_class_names,
)
from conformal_roc_widget.words import words

#: The rate that is a share of a label's points: of label 0, of label 1.
NOUNS = words("rate.specificity"), words("rate.sensitivity")
#: If there are more test points than this, a text does not compare the classifiers.
MOST_RANKED = 100_000
#: Name of the curve of all folds' scores, with its area.
POOLED = f"Pooled scores of all folds: AUC {{:.2f}}; {CAVEAT}"


def bands_text(labels: tuple[int, ...], alpha: float, *, several: bool) -> str:
    """Name of the bands in a title: "with 95 % conformal band for sensitivity"; or nothing."""
    if not labels:
        return ""
    nouns = " and ".join(NOUNS[k] for k in labels)
    return f" with {percent(1 - alpha)} conformal band{'s' * several} for {nouns}"


def promises(bands: Iterable[tuple[str, ConformalBand]]) -> list[str]:
    """Target, scope and guarantee of named bands; what all bands share is said once."""
    return promise_lines((name, band.promise.words) for name, band in bands)


def promise_lines(promises: Iterable[tuple[str, Mapping[str, str]]]) -> list[str]:
    """`promises` of named mappings with the keys "target", "scope" and "guarantee"."""
    shown = list(promises)
    lines = []
    for part in ("target", "scope", "guarantee"):
        texts = list(dict.fromkeys((name, promise[part]) for name, promise in shown))
        if len({text for _, text in texts}) == 1:
            lines.append(f"{part.capitalize()}: {texts[0][1]}")
        else:
            lines += [f"{part.capitalize()}, {name}: {text}" for name, text in texts]
    return lines


def between(group: Group, controls: Controls) -> list[str]:
    """Sentences that compare evaluations: ranking, widest gaps of populations, mean of folds."""
    if group.folds is not None:
        return [_of_folds(group.folds, controls)]
    if group.comparable and next(iter(group.entries.values())).labels.size <= MOST_RANKED:
        return [_ranking(group, controls.alpha)]
    if group.kind != "populations":
        return []
    nouns = {"tpr": words("rate.sensitivity"), "fpr": words("rate.fpr")}
    gaps, key = _gaps(group, controls)
    return [
        _gap(group, controls, max(of, key=lambda gap: abs(gap.difference)), noun, key)
        for rate, noun in nouns.items()
        if (of := [gap for gap in gaps if gap.rate == rate])
    ]


def _gaps(group: Group, controls: Controls) -> tuple[list[Gap], str]:
    """Gaps of the question that is asked, and the template for their limits."""
    alpha, threshold, entries = controls.alpha, controls.threshold, group.entries
    if controls.band != SAMPLING:
        return conformal_gaps(entries, alpha, threshold), "gap.ideal"
    if any(each.dependence for each in entries.values()):
        return conformal_gaps(entries, alpha, threshold), "gap.unseen"
    return sampling_gaps(entries, alpha, threshold), "gap.settles"


def _gap(group: Group, controls: Controls, gap: Gap, noun: str, key: str) -> str:
    sides = gap.lower > -1, gap.upper < 1
    return words(
        key if any(sides) or key != "gap.ideal" else "gap.without",
        start=words("answer.at_threshold", threshold=controls.threshold),
        rate=noun,
        apart=words(_apart(gap.difference), gap=abs(gap.difference)),
        than=words("gap.and" if _apart(gap.difference) == "gap.same" else "gap.than"),
        a=short_name(group.name(gap.group_a)),
        b=short_name(group.name(gap.group_b)),
        model=next(iter(group.entries.values())).promise.whose.name,
        limits=limits_text(gap.lower, gap.upper, sides, (-1, 1)),
        what=words("gap.with_more_data"),
        level=1 - controls.alpha,
    )


def _apart(difference: float) -> str:
    """Key of the words on a difference; one that is written as 0.00 has no direction."""
    if abs(difference) < 0.005:
        return "gap.same"
    return "gap.lower" if difference < 0 else "gap.higher"


def _ranking(group: Group, alpha: float) -> str:
    """Sentence on who ranks better, and by how much: of the two with the largest areas."""
    by_area = sorted(group.entries, key=lambda label: -group.entries[label].observed_auc)
    pair = next(each for each in group.pairs if {each.a, each.b} == set(by_area[:2]))
    high, low = (group.entries[label].observed_auc for label in by_area[:2])
    best, second = (short_name(group.name(label)) for label in by_area[:2])
    number, value = len(group.pairs), abs(pair.difference)
    ranks = {"best": best, "second": second, "high": high, "low": low, "pairs": number}
    if math.isnan(pair.sd):
        return words("ranking.without_limits" if value else "ranking.same", **ranks)
    half = float(-ndtri(float(exact_alpha(alpha) / number) / 2)) * pair.sd
    return words(
        "ranking.differs" if value > half else "ranking.close",
        **ranks,
        lower=max(value - half, -1.0),
        upper=min(value + half, 1.0),
        level=1 - alpha,
        at_once=words("ranking.at_once", pairs=number) if number > 1 else "",
    )


def _of_folds(folds: Folds, controls: Controls) -> str:
    """Sentences on the mean area with its limits, if it has any, and on the pooled curve."""
    pooled = {"auc": folds.pooled.auc}
    found = folds.mean_auc(controls.alpha)
    mean = words(
        "folds.mean",
        folds=words("several.folds", n=len(folds)),
        mean=found.estimate,
        lower=found.lower,
        upper=found.upper,
        level=1 - controls.alpha,
    )
    caveat = words("folds.pooled", **pooled)
    promise = words("folds.promise", after=found.promise.line.after, method=found.method)
    if controls.band == SAMPLING:  # the promise of the mean is printed, and says so itself
        return f"{mean} {caveat}"
    return f"{mean} {promise} {caveat}"


def area_range(at: AtAlpha, band: ConformalBand) -> str:
    """Range of the area under the curve, as a sentence."""
    area = at.display_auc()
    allowed = limits_text(area.lower, area.upper, joint_sides(band))
    if area.promise.kind == "everywhere":
        return f"Area under an ideal model’s curve: {allowed} ({level_text(band)})."
    how = "no confidence interval" if area.promise.kind == "none" else level_text(band)
    return f"Area under the curve, range that the intervals allow: {allowed} ({how})."


def joint_sides(band: ConformalBand) -> tuple[bool, bool]:
    """Which limits a figure has that rises with the TPR and falls with the FPR.

    Those that both rates have.
    """
    (low0, high0), (low1, high1) = band.has_limits(0), band.has_limits(1)
    return low1 and high0, high1 and low0


def reasons_outside(
    point: OperatingPoint, band: ConformalBand, labels: Iterable[int], classes: Sequence[Any]
) -> list[str]:
    """Why rates of these labels are outside their limits, or why the limits say nothing."""
    shares = (
        (point.fpr, point.fpr_lower, point.fpr_upper),
        (point.tpr, point.tpr_lower, point.tpr_upper),
    )
    reasons = (
        crossed_by_all(k)
        if all(band.has_limits(k)) and shares[k][1:] == (0, 1)
        else outside_limits(k, *shares[k])
        for k in labels
    )
    return [with_class_names(reason, classes) for reason in reasons if reason is not None]


def comparisons(overlaid: Overlaid | None) -> list[str]:
    """The comparators in words: those that answer the band's question, then the others."""
    drawn = () if overlaid is None else [item.comparator for item in overlaid.items]
    same = [each for each in drawn if each.promise.kind != "sampling"]
    others = [each for each in drawn if each.promise.kind == "sampling"]
    lines = [
        f"{each.name}: {each.promise.target}; {each.promise.scope}." for each in (*same, *others)
    ]
    if others:
        lines.insert(len(same), f"Another question: {QUESTION}")
        lines.append("Neither answer replaces the other.")
    return lines


def point_sentence(band: ConformalBand, point: OperatingPoint) -> str:
    """Both rates at a threshold in one line, for the subtitle of a chart."""
    parts = []
    for k in (1, 0):
        rate = Rate.of(point, band, k)
        gap = " " if any(rate.sides) else ": "
        ideal = gap + limits_text(rate.lower, rate.upper, rate.sides)
        model = band.promise.whose.bare
        parts.append(f"{rate.noun} is {number_text(rate.observed)} ({model}{ideal})")
    return f"At threshold {threshold_text(point.threshold)}, {'; '.join(parts)}."


def points_sentence(evaluation: RocEvaluation) -> str:
    """How many test points there are, and the area under the observed curve."""
    n0, n1 = evaluation.n_test[0], evaluation.n_test[1]
    names = [plain_text(name, 24) for name in evaluation.classes]
    points = f"{n0:,} of class {names[0]}, {n1:,} of class {names[1]}"
    if (followed := evaluation.follow_up) is not None:
        unknown = words("points.unknown", n=followed.n_unknown)
        points = f"by {followed.by}{words('points.known', ones=n1, zeros=n0)}{unknown}"
    area = number_text(evaluation.observed_auc)
    rows = counted(n0 + n1, "test point")
    return f"On {rows} ({points}) the area under the observed curve is {area}."


class Rate(NamedTuple):
    """Sensitivity or specificity with its limits, and which of the two limits exist."""

    label: int
    observed: float
    lower: float
    upper: float
    sides: tuple[bool, bool]

    @classmethod
    def of(cls, point: OperatingPoint, band: ConformalBand, label: int) -> Rate:
        """Rate that is bounded by the intervals of a label."""
        rates = point.tpr, point.tpr_lower, point.tpr_upper
        if not label:
            rates = 1 - point.fpr, 1 - point.fpr_upper, 1 - point.fpr_lower
        return cls(label, *rates, informative_sides(rate_sides(band, label), rates[1:]))

    @property
    def noun(self) -> str:
        """Name of the rate."""
        return NOUNS[self.label]


def rate_sides(band: ConformalBand, label: int) -> tuple[bool, bool]:
    """Whether the rate that a label bounds has a lower, and an upper limit."""
    low, high = band.has_limits(label)
    return (low, high) if label else (high, low)


def limits_text(
    lower: float,
    upper: float,
    sides: tuple[bool, bool],
    ends: tuple[float, float] = (0.0, 1.0),
    digits: int = 2,
) -> str:
    """The existing limits of a number in words: both, one of them, or that there is none."""
    low, high = number_text(lower, digits), number_text(upper, digits)
    match informative_sides(sides, (lower, upper), ends):
        case (True, True):
            return f"{low} to {high}"
        case (True, False):
            return f"at least {low}"
        case (False, True):
            return f"at most {high}"
    return "no limits"


def missing_text(sides: tuple[bool, bool]) -> str:
    """Words after a rate's name in a legend: which of its limits are missing; empty if none."""
    if all(sides):
        return ""
    low, high = sides
    return words("key.no_upper" if low else "key.no_lower" if high else "key.no_limits")


def informative_sides(
    sides: tuple[bool, bool], limits: tuple[float, float], ends: tuple[float, float] = (0.0, 1.0)
) -> tuple[bool, bool]:
    """Which limits say something: a single one that is an end of what is possible says nothing."""
    if sides[0] == sides[1]:
        return sides
    return sides[0] and limits[0] > ends[0], sides[1] and limits[1] < ends[1]


def lack_text(evaluation: RocEvaluation, band: ConformalBand, label: int, *, named: bool) -> str:
    """How many calibration points the missing limit of a rate needs."""
    sides = rate_sides(band, label)
    limit = "a limit" if not any(sides) else "an upper limit" if sides[0] else "a lower limit"
    limit += f" of the {NOUNS[label]}" if named else ""
    lacking = points_lacking(evaluation, band, label)
    if lacking is None:
        return f"there are too few calibration points for {limit}"
    needed, here = lacking
    verb = "is" if here == 1 else "are"
    return f"{limit} needs {counted(needed, 'calibration point')}, here {verb} {here:,}"


def points_lacking(
    evaluation: RocEvaluation, band: ConformalBand, label: int
) -> tuple[int, int] | None:
    """Calibration points that missing limits need, and those at hand; None where none lack."""
    if band.quantiles is None or not evaluation.display.ranked:
        return None
    one, both = residuals_needed(band.alpha, evaluation.quantile_rule)
    needed = both if any(band.has_limits(label)) else one
    here = evaluation.n_calibration[label]
    return (needed, here) if here < needed else None


def level_text(band: ConformalBand, *, each: bool = False) -> str:
    """How surely the limits hold, and at which thresholds, in a few words."""
    kind = band.promise.kind
    if kind == "none":
        return "no level is promised"
    if band.promise.every_threshold:
        return f"{percent(1 - band.alpha)}, at every threshold at once"
    level = percent(1 - band.alpha) + " each" * each
    mean = " on average" if kind == "curve" else ""
    return f"{level}{mean}, for a threshold picked blindly"
