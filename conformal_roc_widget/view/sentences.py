"""Sentences about the figure: its title, its numbers, its promises, its comparators.

They stand in pictures and charts, and they are the whole text for those who see no picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from conformal_roc_widget.comparators.comparator_band import QUESTION
from conformal_roc_widget.comparators.comparator_band import TARGET as POPULATION
from conformal_roc_widget.evaluation.band import ConformalBand, OperatingPoint
from conformal_roc_widget.evaluation.notes import outside_limits
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.text import number_text, percent, plain_text, range_text, threshold_text
from conformal_roc_widget.view import ideal
from conformal_roc_widget.view.comparator_state import Overlaid, Overlay
from conformal_roc_widget.view.controls import Controls, band_labels
from conformal_roc_widget.view.evaluation_group import Group

TOO_FEW = "there are too few calibration points for limits"
#: By label.
NOUNS = ("specificity", "sensitivity")


def title(group: Group, controls: Controls, *, any_alpha: bool = False) -> str:
    """Heading of a picture on one line; without the level for a chart that moves through alphas."""
    if ideal.wanted(group, controls) is not None:
        own = ideal.title(None if any_alpha else controls.alpha)
        return own if group.kind == "single" else f"{group.name(controls.label)}: {own}"
    labels = labels_of(group, controls)
    overview = group.looked_at(controls.label) is None
    several = len(labels) > 1 or (overview and group.kind == "bands")
    bands = bands_text(labels, None if any_alpha else controls.alpha, several=several)
    if group.kind == "single":
        return f"ROC curve with {bands}"
    if not overview:
        rest = " against the rest" if group.kind == "classes" else ""
        return f"{group.name(controls.label)}{rest}: ROC curve with {bands}"
    if group.kind == "classes":
        how = "weighted by size" if controls.weights == "size" else "with equal weights"
        return f"Average ROC curve of {len(group.entries)} classes, {how}, with {bands}"
    if group.kind == "bands":
        return f"ROC curve with {bands}, made in {len(group.entries)} ways"
    return f"ROC curves of {len(group.entries)} classifiers with {bands}"


def bands_text(labels: tuple[int, ...], alpha: float | None, *, several: bool) -> str:
    """Name of the bands in a title: "95 % conformal band for sensitivity"."""
    level = "" if alpha is None else f"{percent(1 - alpha)} "
    nouns = " and ".join(NOUNS[k] for k in labels)
    return f"{level}conformal band{'s' * several} for {nouns}"


def labels_of(group: Group, controls: Controls) -> tuple[int, ...]:
    """Labels whose limits are drawn; an average at fixed FPR has limits for label 1 alone."""
    if group.kind == "classes" and group.looked_at(controls.label) is None:
        return (1,)
    return band_labels(controls.band)


def promises(bands: Iterable[tuple[str, ConformalBand]]) -> list[str]:
    """Target, scope and guarantee of named bands, each once where it is the same for all."""
    return promise_lines(
        (name, {of: getattr(band, of) for of in ("target", "scope", "guarantee")})
        for name, band in bands
    )


def promise_lines(promises: Iterable[tuple[str, Mapping[str, str]]]) -> list[str]:
    """The same of named mappings with "target", "scope" and "guarantee"."""
    shown = list(promises)
    lines = []
    for part in ("target", "scope", "guarantee"):
        texts = list(dict.fromkeys((name, promise[part]) for name, promise in shown))
        if len({text for _, text in texts}) == 1:
            lines.append(f"{part.capitalize()}: {texts[0][1]}")
        else:
            lines += [f"{part.capitalize()}, {name}: {text}" for name, text in texts]
    return lines


def promise_at_any_alpha(evaluation: RocEvaluation) -> dict[str, str]:
    """Target, scope and guarantee of a chart that moves through alphas."""
    promise = evaluation.promise
    return promise | {"guarantee": promise["guarantee"].format(confidence="1 − α")}


def sentences(group: Group, controls: Controls) -> list[str]:
    """Numbers at the operating point, one sentence or two for each curve."""
    evaluation = group.looked_at(controls.label)
    if evaluation is not None:
        return [_sentence(evaluation, controls)]
    if group.kind != "classes":
        return [
            f"{group.name(label)}: {_sentence(each, controls)}"
            for label, each in group.entries.items()
        ]
    return [
        "Areas under the curves of each class against the rest: "
        + ", ".join(
            f"{group.name(label)} {number_text(each.observed_auc)}"
            for label, each in group.entries.items()
        )
        + "."
    ]


def ranges(group: Group, controls: Controls) -> list[str]:
    """Range of the area under each curve, and why an observed rate is outside its limits."""
    shown = group.bands(controls).items()
    several = len(shown) > 1
    lines = []
    for name, (evaluation, band) in shown:
        if evaluation is None:
            continue
        at = evaluation.at(controls.alpha)
        _, lower, upper = at.display_auc()
        free = any(band.without_limits(k) for k in (0, 1))
        allowed = "anything" if free else range_text(lower, upper)
        area = f"Area under the curve, range that the intervals allow: {allowed}"
        found = [
            f"{area} (no confidence interval).",
            *reasons_outside(at.operating_point(controls.threshold), labels_of(group, controls)),
        ]
        lines += [f"{name}: {line}" if several else line for line in found]
    return lines


def reasons_outside(point: OperatingPoint, labels: Iterable[int]) -> list[str]:
    """Why the rates of these labels are outside their own limits, where they are."""
    shares = (
        (point.fpr, point.fpr_lower, point.fpr_upper),
        (point.tpr, point.tpr_lower, point.tpr_upper),
    )
    reasons = (outside_limits(k, *shares[k]) for k in labels)
    return [reason for reason in reasons if reason is not None]


def comparisons(overlaid: Overlaid | None) -> list[str]:
    """Comparators under the question that they answer, whether they are ready or not."""
    items = () if overlaid is None else overlaid.items
    same = [item for item in items if item.target != POPULATION]
    others = [item for item in items if item.target == POPULATION]
    lines = [f"{item.name}: {item.target}; {item.scope}." for item in (*same, *others)]
    if others:
        lines.insert(len(same), f"Another question: {QUESTION}")
        lines.append("Neither answer replaces the other.")
    return lines


def overlay_name(item: Overlay) -> str:
    """The name of a comparator beside the curve, with the curve that it speaks of."""
    return f"{item.name}, population" if item.target == POPULATION else item.name


def summary(group: Group, controls: Controls, overlaid: Overlaid | None = None) -> str:
    """Everything as one text of a few lines, the same in every run."""
    evaluation = ideal.wanted(group, controls)
    if evaluation is not None:
        return _ideal_summary(evaluation, group, controls)
    bands = [(name, band) for name, (_, band) in group.bands(controls).items()]
    return "\n".join(
        [
            f"{title(group, controls)} (alpha = {controls.alpha:g}).",
            *sentences(group, controls),
            *ranges(group, controls),
            *(f"{line}." for line in promises(bands)),
            *comparisons(overlaid),
        ]
    )


def _ideal_summary(evaluation: RocEvaluation, group: Group, controls: Controls) -> str:
    heading = f"{title(group, controls)} (alpha = {controls.alpha:g})."
    if evaluation.no_ideal_curve:
        return f"{heading}\n{ideal.absence(evaluation)}"
    curve = evaluation.ideal_curve(controls.alpha)
    promise = promise_lines([("", ideal.statement(curve))])
    lines = [heading, ideal.sentence(evaluation, curve), *(f"{line}." for line in promise)]
    return "\n".join(lines)


def point_sentence(band: ConformalBand, point: OperatingPoint) -> str:
    """Both rates at a threshold in one line, for the subtitle of a chart."""
    parts = []
    for k in (1, 0):
        rate, lower, upper = _rate(point, k)
        free = band.without_limits(k)
        ideal = ": no limits" if free else f" {range_text(lower, upper)}"
        model = "ideal recalibration" if band.joint else "ideal model"
        parts.append(f"{NOUNS[k]} is {number_text(rate)} ({model}{ideal})")
    return f"At threshold {threshold_text(point.threshold)}, {'; '.join(parts)}."


def _sentence(evaluation: RocEvaluation, controls: Controls) -> str:
    """The page's sentence."""
    at = evaluation.at(controls.alpha)
    point, band = at.operating_point(controls.threshold), at.band(thresholds=[])
    labels = band_labels(controls.band)
    observed = " and its ".join(f"{NOUNS[k]} is {number_text(_rate(point, k)[0])}" for k in labels)
    n0, n1 = evaluation.n_test[0], evaluation.n_test[1]
    names = [plain_text(name, 24) for name in evaluation.classes]
    return (
        f"On {n0 + n1} test points ({n0} of class {names[0]}, {n1} of class {names[1]}) the area "
        f"under the observed curve is {number_text(evaluation.observed_auc)}. At threshold "
        f"{threshold_text(controls.threshold)}, this classifier’s {observed}; "
        f"{_ideal(point, band, labels)}."
    )


def _rate(point: OperatingPoint, label: int) -> tuple[float, float, float]:
    """Sensitivity or specificity with its limits."""
    if label:
        return point.tpr, point.tpr_lower, point.tpr_upper
    return 1 - point.fpr, 1 - point.fpr_upper, 1 - point.fpr_lower


def _ideal(point: OperatingPoint, band: ConformalBand, labels: tuple[int, ...]) -> str:
    """An ideal model's rates, with the level and the thresholds for which it is promised."""
    model = "an ideal recalibration’s" if band.joint else "an ideal model’s"
    bounded = [k for k in labels if not band.without_limits(k)]
    free = [k for k in labels if band.without_limits(k)]
    if not bounded:
        nouns = " and ".join(NOUNS[k] for k in free)
        return f"{model} {nouns}, at the same threshold, may be anything: {TOO_FEW}"
    own = "" if labels == (bounded[0],) else f" {NOUNS[bounded[0]]}"
    ranges = f" and its {NOUNS[0]} between ".join(
        "{1} and {2}".format(*map(number_text, _rate(point, k))) for k in bounded
    )
    rest = "".join(f"; its {NOUNS[k]} may be anything: {TOO_FEW}" for k in free)
    return (
        f"{model}{own}, at the same threshold, would lie between {ranges} "
        f"({level_text(band, each=len(bounded) > 1)}){rest}"
    )


def level_text(band: ConformalBand, *, each: bool = False) -> str:
    """Level of the limits as far as it is promised; nothing is for a threshold that was picked."""
    if band.guarantee.startswith("none"):
        return "no level is promised"
    if band.joint:
        return f"{percent(1 - band.alpha)}, at every threshold at once"
    level = percent(1 - band.alpha) + " each" * each
    mean = " on average" if " on average" in band.guarantee else ""
    return f"{level}{mean}, for a threshold picked blindly"
