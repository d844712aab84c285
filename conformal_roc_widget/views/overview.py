"""ROC curves of several evaluations side by side, or their average."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from conformal_roc_widget.evaluation.average import average_bands
from conformal_roc_widget.scene import SIDE, SMALL, Axis, Mark, Panel, Scene
from conformal_roc_widget.text import number_text, plain_text
from conformal_roc_widget.view.comparator_state import Overlaid
from conformal_roc_widget.view.controls import Controls, band_labels
from conformal_roc_widget.view.evaluation_group import Group
from conformal_roc_widget.view.sentences import (
    area_range,
    bands_text,
    between,
    comparisons,
    promises,
    reasons_outside,
    sentence,
)
from conformal_roc_widget.views import parts
from conformal_roc_widget.views.roc import Shown, axes_of, caveats, comparator_marks, marks_of
from conformal_roc_widget.views.view import Moment

#: At most this many curves are drawn side by side.
MOST = 12
#: Panels in a row.
COLUMNS = 3
#: What is drawn side by side, by the kind of the group.
SEVERAL = {
    "classifiers": "{} classifiers",
    "populations": "one classifier in {} populations",
    "folds": "{} folds",
}
EACH_CURVE = "each classifier"


def overview(group: Group, controls: Controls, comparators: Overlaid | None = None) -> Scene:
    """Picture of all evaluations of a group, or of their average."""
    labels = _labels(group, controls)
    shown = _shown(group, controls)
    several = len(shown) > 1
    drawn = dict(list(shown.items())[:MOST])
    notes = [*promises((name, each.band) for name, each in drawn.items()), *caveats(drawn, labels)]
    if len(shown) > len(drawn):
        notes.append(f"{len(shown) - len(drawn)} more {group.kind} are not drawn.")
    if comparators is not None:
        there = tuple(item for item in comparators.items if item.band is not None)
        notes += comparisons(comparators._replace(items=there))
    lines = _lead(group, controls)
    is_each = several and group.kind in ("classifiers", "folds")
    title = overview_title(group, controls)
    return Scene(
        title,
        panels_of(
            {name if several else "": each for name, each in drawn.items()},
            labels,
            comparator_marks(comparators),
            curve=EACH_CURVE if is_each else parts.CLASSIFIER,
            large=not several,
        ),
        () if several else tuple(lines),
        tuple(dict.fromkeys(notes)),
        "\n".join(
            [
                f"{title} (alpha = {controls.alpha:g}).",
                *lines,
                *_ranges(group, controls, shown),
                *(f"{line}." for line in promises((name, s.band) for name, s in shown.items())),
                *comparisons(comparators),
            ]
        ),
        SMALL if several else SIDE,
        min(len(drawn), COLUMNS),
    )


def overview_title(group: Group, controls: Controls) -> str:
    """Heading of the picture of several evaluations."""
    labels = _labels(group, controls)
    several = len(labels) > 1 or group.kind == "bands"
    bands = bands_text(labels, controls.alpha, several=several)
    if group.kind == "classes":
        how = "weighted by size" if controls.weights == "size" else "with equal weights"
        return f"Average ROC curve of {len(group.entries)} classes, {how}, with {bands}"
    if group.kind == "bands":
        return f"ROC curve with {bands}, made in {len(group.entries)} ways"
    return f"ROC curves of {SEVERAL[group.kind].format(len(group.entries))} with {bands}"


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
    return (1,) if group.kind == "classes" else band_labels(controls.band)


def _shown(group: Group, controls: Controls) -> dict[str, Shown]:
    """Name -> what to draw; an average has a band and no evaluation."""
    if group.kind == "classes":
        return {"average": Shown(average_bands(group.entries, controls.alpha, controls.weights))}
    return {
        group.name(label): Shown.of(Moment(each, controls)) for label, each in group.entries.items()
    }


def _lead(group: Group, controls: Controls) -> list[str]:
    """Numbers at the operating point of each curve, or areas under those of the classes."""
    if group.kind != "classes":
        lines = (
            f"{group.name(label)}: {sentence(each, controls)}"
            for label, each in group.entries.items()
        )
        return [*between(group, controls), *lines]
    areas = (
        f"{group.name(label)} {number_text(each.observed_auc)}"
        for label, each in group.entries.items()
    )
    return [f"Areas under the curves of each class against the rest: {', '.join(areas)}."]


def _ranges(group: Group, controls: Controls, shown: Mapping[str, Shown]) -> list[str]:
    """Range of the area under each curve, and why an observed rate is outside its limits."""
    lines = []
    for name, (band, evaluation, point) in shown.items():
        if evaluation is None or point is None:
            continue
        area = area_range(evaluation.at(controls.alpha), band)
        labels = _labels(group, controls)
        found = [area, *reasons_outside(point, band, labels, evaluation.classes)]
        lines += [f"{name}: {line}" if len(shown) > 1 else line for line in found]
    return lines
