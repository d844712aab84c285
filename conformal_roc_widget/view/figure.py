"""The picture as data: panels, lines, hatch, texts, legend and title, decided once.

`svg`, `png` and `charts.roc` only draw it. Rates run from 0 to 1; a size is in points.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.evaluation.band import ConformalBand, OperatingPoint
from conformal_roc_widget.evaluation.ideal_curve import IdealCurve
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.text import number_text, percent, plain_text, with_class_names
from conformal_roc_widget.view import ideal, view_words
from conformal_roc_widget.view.arc import Arc, arc_of
from conformal_roc_widget.view.comparator_state import Overlaid
from conformal_roc_widget.view.controls import Controls
from conformal_roc_widget.view.curve_panel import CurvePanel, Key, curve_panel
from conformal_roc_widget.view.evaluation_group import Group
from conformal_roc_widget.view.mark import Mark, mark_of
from conformal_roc_widget.view.same_cost import SameCost, same_cost
from conformal_roc_widget.view.sentences import (
    NOUNS,
    comparisons,
    here_text,
    labels_of,
    overlay_name,
    points_lacking,
    promise_at_any_alpha,
    promise_lines,
    promises,
    reasons_outside,
    sentences,
    summary,
    title,
)
from conformal_roc_widget.view.theme import Pen, Theme, theme_of
from conformal_roc_widget.view.view_curves import share_of

#: Side of the plot of one curve, and of each of several.
SIDE, SMALL = 408, 240
#: Curves that are drawn side by side; more would not be read.
MOST_PANELS = 12
#: Panels in a row.
COLUMNS = 3
TICKS = (0, 0.2, 0.4, 0.6, 0.8, 1)
#: Names of the observed curve in the legend.
CURVE, EACH_CURVE, AVERAGE = "this classifier", "each classifier", "average of the classes"
CHANCE = "chance"


class Limits(NamedTuple):
    """Band of one label: over the FPR for label 1, over the TPR for label 0.

    It is filled where there is a lower and an upper limit, and hatched where one of them is.
    """

    label: int
    key: Key
    fill: str
    sides: tuple[bool, bool]


class Edges(NamedTuple):
    """Limits of a comparator over the FPR, or of an ideal model's curve."""

    key: Key
    fpr: Floats
    lower: Floats
    upper: Floats
    #: Colour between them; a comparator has none.
    fill: str = ""


class Note(NamedTuple):
    """Text in the corner of a plot, so many points above its bottom."""

    text: str
    rise: int
    bold: bool = False


class Panel(NamedTuple):
    """One square plot."""

    #: Heading; empty where there is one panel.
    name: str
    #: Titles of the axes; empty where a neighbour has them.
    across: str
    up: str
    #: At the vertices to draw.
    band: ConformalBand
    curve: Key
    limits: tuple[Limits, ...]
    #: Whether a label that is asked for has no limits.
    hatched: bool
    comparators: tuple[Edges, ...]
    corner: tuple[Note, ...]
    mark: Mark | None
    #: In place of limits and arms, where an ideal recalibration stands somewhere on the curve.
    arc: Arc | None = None
    #: Where a cost is set.
    same_cost: SameCost | None = None


@dataclass(frozen=True, eq=False)
class Figure:
    """Everything that is drawn, and in which colours."""

    theme: Theme
    title: str
    panels: tuple[Panel, ...]
    #: Sentences above the plot, and below it.
    lead: tuple[str, ...]
    notes: tuple[str, ...]
    legend: tuple[Key, ...]
    #: Side of each plot.
    side: int = SIDE
    columns: int = 1
    #: All of it in words.
    description: str = ""
    #: In place of the panels where another view than the ROC curve is chosen.
    curve: CurvePanel | None = None


class Shown(NamedTuple):
    """A band to draw, and the evaluation that it is of; an average has none."""

    band: ConformalBand
    evaluation: RocEvaluation | None = None
    point: OperatingPoint | None = None
    #: The ideal model's own curve, in place of the conformal band, or why there is none.
    ideal: IdealCurve | str = ""


def of(
    group: Group,
    controls: Controls,
    comparators: Overlaid | None = None,
    *,
    heading: str | None = None,
    theme: str = "light",
    any_alpha: bool = False,
) -> Figure:
    """Figure of what the widget shows.

    A heading replaces the title. With `any_alpha` no word depends on alpha: a chart that moves
    through alphas draws a figure for each of them under the same words.
    """
    colours = theme_of(theme)
    if (evaluation := view_words.wanted(group, controls)) is not None:
        panel = curve_panel(evaluation, controls, colours)
        promise = promise_lines([("", view_words.statement(evaluation, controls))])
        return Figure(
            theme=colours,
            title=title(group, controls) if heading is None else plain_text(heading, 120),
            panels=(),
            lead=(view_words.sentence(evaluation, controls),),
            notes=tuple(promise),
            legend=panel.legend,
            description=summary(group, controls),
            curve=panel,
        )
    labels = labels_of(group, controls)
    bands = list(group.bands(controls).items())
    several = len(bands) > 1
    ideal_curve = _ideal(group, controls)
    shown = {
        name: Shown(band, evaluation, _point(evaluation, controls), ideal_curve)
        for name, (evaluation, band) in bands[:MOST_PANELS]
    }
    panels = panels_of(
        {name if several else "": each for name, each in shown.items()},
        labels,
        colours,
        curve=EACH_CURVE if several and group.kind in ("classifiers", "folds") else CURVE,
        comparators=comparators,
        side=SMALL if several else SIDE,
        columns=COLUMNS,
        any_alpha=any_alpha,
    )
    evaluation = group.looked_at(controls.label)
    panels = tuple(_with_cost(panel, evaluation, controls, colours) for panel in panels)
    if ideal_curve:
        assert evaluation is not None
        lead = [] if any_alpha else [_ideal_sentence(evaluation, ideal_curve)]
        notes = ideal_promise(ideal_curve, any_alpha=any_alpha)
    elif any_alpha and evaluation is not None:
        notes = promise_lines([("", promise_at_any_alpha(evaluation))])
        lead = []
    else:
        notes = promises((name, each.band) for name, each in shown.items())
        notes += caveats(shown, labels)
        lead = [] if several else sentences(group, controls)
    if len(bands) > len(shown):
        notes.append(f"{len(bands) - len(shown)} more {group.kind} are not drawn.")
    if comparators is not None:
        drawn = tuple(item for item in comparators.items if item.band is not None)
        notes += comparisons(comparators._replace(items=drawn))
    notes += [panel.same_cost.note for panel in panels if panel.same_cost is not None]
    text = title(group, controls, any_alpha=any_alpha) if heading is None else heading
    return Figure(
        theme=colours,
        title=plain_text(text, 120) if heading is not None else text,
        panels=panels,
        lead=tuple(lead),
        notes=tuple(dict.fromkeys(notes)),
        legend=legend_of(panels, colours),
        side=SMALL if several else SIDE,
        columns=min(len(panels), COLUMNS),
        description=summary(group, controls, comparators),
    )


def panels_of(
    shown: Mapping[str, Shown],
    labels: Sequence[int],
    colours: Theme,
    *,
    curve: str = CURVE,
    comparators: Overlaid | None = None,
    side: int = SIDE,
    columns: int = COLUMNS,
    any_alpha: bool = False,
) -> tuple[Panel, ...]:
    """Panels by name, row by row; axes have titles at the left and at the bottom alone."""
    columns = min(len(shown), columns)
    edges = tuple(
        Edges(
            Key(overlay_name(item), colours.comparator(item.look)),
            item.band.fpr,
            item.band.tpr_lower,
            item.band.tpr_upper,
        )
        for item in (() if comparators is None else comparators.items)
        if item.band is not None
    )
    panels = []
    for number, (name, each) in enumerate(shown.items()):
        across, up = _axis_titles(each, large=side == SIDE)
        free = [k for k in labels if each.band.without_limits(k)] if not each.ideal else []
        averaged = each.evaluation is None and np.isnan(each.band.thresholds).any()
        arc = None if any_alpha or each.ideal else arc_of(each.band, each.point, colours)
        panels.append(
            Panel(
                name=plain_text(name, 80),
                across=across if number >= len(shown) - columns else "",
                up=up if number % columns == 0 else "",
                band=each.band,
                curve=Key(AVERAGE if averaged else curve, colours.curve),
                limits=tuple(
                    Limits(
                        k,
                        Key(_band_name(each.band.alpha, k, any_alpha), colours.limits(k)),
                        colours.labels[k],
                        each.band.has_limits(k),
                    )
                    for k in labels
                    if k not in free and not each.ideal and arc is None
                ),
                hatched=bool(free),
                comparators=(*_ideal_edges(each.ideal, colours, any_alpha), *edges),
                corner=_corner(each, labels, large=side == SIDE, any_alpha=any_alpha),
                mark=None
                if each.point is None
                else mark_of(each.point, each.band, each.ideal, colours, has_arms=arc is None),
                arc=arc,
            )
        )
    return tuple(panels)


def legend_of(panels: Iterable[Panel], colours: Theme) -> tuple[Key, ...]:
    """Every line of the panels once, in the order in which they are named."""
    shown = list(panels)
    keys = [panel.curve for panel in shown]
    keys += [limits.key for panel in shown for limits in panel.limits]
    keys += [Key(panel.arc.text, panel.arc.pen) for panel in shown if panel.arc is not None]
    keys += [edges.key for panel in shown for edges in panel.comparators]
    keys += [panel.same_cost.key for panel in shown if panel.same_cost is not None]
    return (*dict.fromkeys(keys), Key(CHANCE, colours.chance))


def caveats(shown: Mapping[str, Shown], labels: Sequence[int]) -> list[str]:
    """Why labels have no limits, or rates leave them, and the bands' own notes, by panel."""
    reasons: dict[str, list[str]] = {}
    for name, (band, evaluation, point, _) in shown.items():
        classes = (0, 1) if evaluation is None else evaluation.classes
        outside = [] if point is None else reasons_outside(point, band, labels, classes)
        for reason in (*(band.vacuous[k] for k in labels), *outside, *band.notes):
            if reason is not None:
                reasons.setdefault(with_class_names(reason, classes), []).append(name)
    return [
        reason if len(shown) == 1 else f"{'; '.join(dict.fromkeys(names))}: {reason}"
        for reason, names in reasons.items()
    ]


def _with_cost(
    panel: Panel, evaluation: RocEvaluation | None, controls: Controls, colours: Theme
) -> Panel:
    """Panel of one evaluation with its line of the same cost, where a cost is set."""
    if evaluation is None or panel.mark is None or controls.cost_ratio is None:
        return panel
    share = share_of(evaluation, controls)
    line = same_cost(panel.band, panel.mark.point, share, controls.cost_ratio, colours)
    return panel._replace(same_cost=line)


def _point(evaluation: RocEvaluation | None, controls: Controls) -> OperatingPoint | None:
    if evaluation is None:
        return None
    return evaluation.at(controls.alpha).operating_point(controls.threshold)


def _band_name(alpha: float, label: int, any_alpha: bool) -> str:
    return f"{'' if any_alpha else percent(1 - alpha) + ' '}band, {NOUNS[label]}"


def _axis_titles(shown: Shown, *, large: bool) -> tuple[str, str]:
    """Rates, with the names of the classes where they say more than their numbers."""
    across, up = "False positive rate (1 − specificity)", "True positive rate (sensitivity)"
    if shown.evaluation is None or not large:
        return across, up
    names = [plain_text(name, 24) for name in shown.evaluation.classes]
    if set(names) == {"0", "1"}:
        return across, up
    return f"{across}, class {names[0]}", f"{up}, class {names[1]}"


def _corner(
    shown: Shown, labels: Sequence[int], *, large: bool, any_alpha: bool
) -> tuple[Note, ...]:
    """Area under the curve, and above it the missing limits."""
    notes = []
    if shown.evaluation is not None:
        rise = 46 if isinstance(shown.ideal, IdealCurve) else 10
        area = f"AUC {number_text(shown.evaluation.observed_auc)}"
        notes.append(Note(area, rise, bold=True))
    if isinstance(shown.ideal, IdealCurve):
        area, gain = ideal.numbers(shown.ideal)
        notes += [Note(area, 28), Note(gain, 10)] if not any_alpha else []
        return tuple(notes)
    texts = [f"{percent(1 - shown.band.alpha)} band"] if any_alpha else []
    for k in labels:
        low, high = shown.band.has_limits(k) if k else reversed(shown.band.has_limits(k))
        if low and high:
            continue
        side = "no upper limit" if low else "no lower limit" if high else "no limits"
        texts.append(f"{NOUNS[k]}: {side}, hatched" + f"; {_need(shown, k)}" * large)
    return (*notes, *(Note(text, 32 + 18 * line) for line, text in enumerate(texts)))


def _ideal(group: Group, controls: Controls) -> IdealCurve | str:
    """The ideal model's own curve where it is to be shown, or why there is none."""
    evaluation = ideal.wanted(group, controls)
    if evaluation is None:
        return ""
    return evaluation.no_ideal_curve or evaluation.ideal_curve(controls.alpha)


def ideal_promise(curve: IdealCurve | str, *, any_alpha: bool = False) -> list[str]:
    """Target, scope and guarantee of an ideal model's curve; nothing where there is none."""
    if isinstance(curve, str):
        return []
    return promise_lines([("", ideal.statement(curve, any_alpha=any_alpha))])


def _ideal_sentence(evaluation: RocEvaluation, curve: IdealCurve | str) -> str:
    if isinstance(curve, str):
        return ideal.absence(evaluation)
    return ideal.sentence(evaluation, curve)


def _ideal_edges(curve: IdealCurve | str, colours: Theme, any_alpha: bool) -> tuple[Edges, ...]:
    """Band and median line over the FPR."""
    if isinstance(curve, str):
        return ()
    level = "" if any_alpha else f"{percent(1 - curve.alpha)} "
    band = Key(f"{level}band, ideal model’s own curve", Pen(colours.labels[1]))
    median = Key("its median", Pen(colours.labels[1], (7, 3), 1.5))
    return (
        Edges(band, curve.fpr, curve.tpr_lower, curve.tpr_upper, colours.labels[1]),
        Edges(median, curve.fpr, curve.tpr_median, curve.tpr_median),
    )


def _need(shown: Shown, label: int) -> str:
    """Points that a missing limit needs, as far as they are known."""
    lacking = None
    if shown.evaluation is not None:
        lacking = points_lacking(shown.evaluation, shown.band, label)
    if lacking is None:
        return "too few points"
    return f"{lacking[0]:,} points needed, here {here_text(lacking[1])}"
