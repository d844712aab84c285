"""What is on the screen, in sentences: for those who see no picture."""

from __future__ import annotations

from collections.abc import Iterable

from conformal_roc_widget.comparators.comparator_band import QUESTION
from conformal_roc_widget.evaluation.band import ConformalBand, OperatingPoint
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.text import number_text, percent, plain_text, threshold_text
from conformal_roc_widget.view.comparator_state import Overlaid
from conformal_roc_widget.view.evaluation_group import Group, Setting
from conformal_roc_widget.view.theme import band_labels

NOUNS = ("specificity", "sensitivity")


def title(group: Group, setting: Setting) -> str:
    """Heading of a picture.

    Parameters
    ----------
    group : Group
        What is shown.
    setting : Setting
        Where the controls stand.

    Returns
    -------
    str
        One line.
    """
    labels = labels_of(group, setting)
    overview = group.looked_at(setting.label) is None
    several = len(labels) > 1 or (overview and group.kind == "bands")
    bands = f"{percent(1 - setting.alpha)} conformal band{'s' * several} for " + " and ".join(
        NOUNS[k] for k in labels
    )
    if group.kind == "single":
        return f"ROC curve with {bands}"
    if not overview:
        rest = " against the rest" if group.kind == "classes" else ""
        return f"{group.name(setting.label)}{rest}: ROC curve with {bands}"
    if group.kind == "classes":
        how = "weighted by size" if setting.weights == "size" else "with equal weights"
        return f"Average ROC curve of {len(group.entries)} classes, {how}, with {bands}"
    if group.kind == "bands":
        return f"ROC curve with {bands}, made in {len(group.entries)} ways"
    return f"ROC curves of {len(group.entries)} classifiers with {bands}"


def labels_of(group: Group, setting: Setting) -> tuple[int, ...]:
    """Labels whose limits are drawn.

    Parameters
    ----------
    group : Group
        What is shown.
    setting : Setting
        Where the controls stand.

    Returns
    -------
    tuple of int
        An average at fixed FPR has limits for label 1 alone.
    """
    if group.kind == "classes" and group.looked_at(setting.label) is None:
        return (1,)
    return band_labels(setting.band)


def promises(bands: Iterable[tuple[str, ConformalBand]]) -> list[str]:
    """Target, scope and guarantee, each said once where it is the same for all.

    Parameters
    ----------
    bands : iterable of tuple of (str, ConformalBand)
        What is shown, with its name.

    Returns
    -------
    list of str
        Three or more lines.
    """
    shown = list(bands)
    lines = []
    for what in ("target", "scope", "guarantee"):
        said = list(dict.fromkeys((name, getattr(band, what)) for name, band in shown))
        if len({text for _, text in said}) == 1:
            lines.append(f"{what.capitalize()}: {said[0][1]}")
        else:
            lines += [f"{what.capitalize()}, {name}: {text}" for name, text in said]
    return lines


def sentences(group: Group, setting: Setting) -> list[str]:
    """Numbers at the operating point.

    Parameters
    ----------
    group : Group
        What is shown.
    setting : Setting
        Where the controls stand.

    Returns
    -------
    list of str
        One sentence or two for each curve.
    """
    evaluation = group.looked_at(setting.label)
    if evaluation is not None:
        return [_sentence(evaluation, setting)]
    if group.kind != "classes":
        return [
            f"{group.name(label)}: {_sentence(each, setting)}"
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


def comparisons(overlaid: Overlaid | None) -> list[str]:
    """What is laid over the band, under the question that it answers.

    Parameters
    ----------
    overlaid : Overlaid, optional
        The comparators.

    Returns
    -------
    list of str
        A line each, and one before and after; none without comparators. They do not depend on how
        far the comparators are.
    """
    if overlaid is None or not overlaid.items:
        return []
    return [
        f"Another question: {QUESTION}",
        *(f"{item.name}: {item.target}; {item.scope}." for item in overlaid.items),
        "Neither answer replaces the other.",
    ]


def summary(group: Group, setting: Setting, overlaid: Overlaid | None = None) -> str:
    """All of it as one text, the same in every run.

    Parameters
    ----------
    group : Group
        What is shown.
    setting : Setting
        Where the controls stand.
    overlaid : Overlaid, optional
        The comparators.

    Returns
    -------
    str
        A few lines.
    """
    bands = [(name, band) for name, (_, band) in group.bands(setting).items()]
    return "\n".join(
        [
            f"{title(group, setting)} (alpha = {setting.alpha:g}).",
            *sentences(group, setting),
            *(f"{line}." for line in promises(bands)),
            *comparisons(overlaid),
        ]
    )


def _sentence(evaluation: RocEvaluation, setting: Setting) -> str:
    """As the page says it."""
    point = evaluation.operating_point(setting.threshold, setting.alpha)
    band = evaluation.band(setting.alpha, thresholds=[])
    labels = band_labels(setting.band)
    observed = " and its ".join(f"{NOUNS[k]} is {number_text(_rate(point, k)[0])}" for k in labels)
    ideal = "; ".join(_ideal(point, band, k) for k in labels)
    n0, n1 = evaluation.n_test[0], evaluation.n_test[1]
    names = [plain_text(name, 24) for name in evaluation.classes]
    return (
        f"On {n0 + n1} test points ({n0} of class {names[0]}, {n1} of class {names[1]}) the area "
        f"under the observed curve is {number_text(evaluation.observed_auc)}. At threshold "
        f"{threshold_text(setting.threshold)}, this classifier’s {observed}. With "
        f"{percent(1 - setting.alpha)} confidence, for an ideal model that knows the true "
        f"probabilities, cut at the same threshold on the same points, {ideal}."
    )


def _rate(point: OperatingPoint, label: int) -> tuple[float, float, float]:
    if label:
        return point.tpr, point.tpr_lower, point.tpr_upper
    return 1 - point.fpr, 1 - point.fpr_upper, 1 - point.fpr_lower


def _ideal(point: OperatingPoint, band: ConformalBand, label: int) -> str:
    if band.without_limits(label):
        return f"the {NOUNS[label]} has no limits, as there are too few calibration points"
    _, lower, upper = _rate(point, label)
    return f"the {NOUNS[label]} lies between {number_text(lower)} and {number_text(upper)}"
