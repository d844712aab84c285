"""Draws ROC curves with their conformal bands as Altair charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import altair as alt
import numpy as np

from conformal_roc_widget.arrays import shortened
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import number
from conformal_roc_widget.choices import BandName, ThemeName
from conformal_roc_widget.draw.altair import chart_of
from conformal_roc_widget.draw.style import check_size, heading_of
from conformal_roc_widget.evaluation.band import ConformalBand
from conformal_roc_widget.evaluation.observed_curve import screen_vertices
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.scene import Area, Axis, Line, Mark, Panel, Pen, Points, Reading, Scene
from conformal_roc_widget.shown.controls import (
    IDEAL,
    NO_BAND,
    PAGE,
    SAMPLING,
    Controls,
    band_labels,
)
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.shown.theme import DASHES, EDGE_DASHES, theme_of
from conformal_roc_widget.text import chart_texts, percent, plain_text
from conformal_roc_widget.words import words

from .promised import promise_lines

#: The attributes of a `ConformalBand`: `fpr` is the rate of label 0 and `tpr` that of label 1. With
#: the two endings, they are the names of the limits, e.g. `fpr_lower`.
RATE_NAMES, LIMIT_NAMES = ("fpr", "tpr"), ("_lower", "_upper")
#: A tooltip shows columns of the band. This maps the title of a column in the tooltip to the
#: column's name, if the two differ.
FIELDS = {"threshold": "thresholds"}
#: The ids of the marks at the operating point start with one of these.
AT_POINT = ("point", "arm-", "missing-")
#: The names of the rates of label 0 and of label 1.
NOUNS = words("rate.specificity"), words("rate.sensitivity")


def roc(
    evaluation: RocEvaluation | ConformalBand,
    alpha: float | None = None,
    *,
    band: BandName = "sensitivity",
    threshold: float | None = None,
    title: str | None = None,
    size: int = 408,
    theme: ThemeName = "light",
) -> alt.LayerChart:
    """Draws a ROC curve with its conformal band.

    Parameters
    ----------
    evaluation : RocEvaluation or ConformalBand
        What to show. A band may be an average made by `average_bands`.
    alpha : float, optional
        Significance level in (0, 1). By default 0.05, or that of the ConformalBand.
    band : {"sensitivity", "specificity", "both", "ideal"}
        Vertical band, horizontal band, or both. For a RocEvaluation also ``"ideal"``, the credible
        band of an ideal model's own curve. See `RocEvaluation.ideal_curve`.
    threshold : float, optional
        Threshold of an operating point to mark, only for a RocEvaluation.
    title : str, optional
        Title of the chart. By default it names the level and the rate.
    size : int
        Side of the square plot in pixels, at least 100.
    theme : {"light", "dark"}
        Colours.

    Returns
    -------
    altair.LayerChart
        The observed curve as a line through its vertices, and the edges of the band as step lines.
        Points closer than half a pixel, on a plot that is 1000 pixels wide, are left out. Target,
        scope and guarantee stand in the subtitle.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    if band == SAMPLING:
        raise ValueError("band: found 'sampling', which is a comparator's: see ROCWidget.chart")
    colours = theme_of(theme)
    labels = band_labels(band)
    check_size(size)
    if isinstance(evaluation, RocEvaluation):
        scene = _scene(evaluation, 0.05 if alpha is None else alpha, band, threshold)
    elif threshold is not None:
        raise ValueError(
            "threshold: an operating point takes the test points; found a ConformalBand as "
            "evaluation, expected a RocEvaluation"
        )
    else:
        drawn = _band(evaluation, alpha, band, "evaluation")
        notes = promise_lines([("", drawn.promise.words)] if labels else [])
        reasons = _caveats({"": drawn}, labels)
        text = f"ROC curve{_bands_text(labels, drawn.alpha)}"
        scene = Scene(text, (_panel("", drawn, labels),), notes=(*notes, *reasons))
    chart: alt.LayerChart = chart_of(
        scene._replace(title=heading_of(title, scene.title), side=size), colours
    )
    return chart


def _scene(
    evaluation: RocEvaluation, alpha: float, band: BandName, threshold: float | None
) -> Scene:
    """Returns the scene that the page draws. If `threshold` is None, it has no operating point."""
    if band == IDEAL:
        evaluation.ideal_curve(alpha)  # raises if the evaluation has no ideal curve
    at = 0.5 if threshold is None else number(threshold, "threshold")
    # If "arc" is true, the page draws limits only at the threshold. Otherwise it draws the band
    # over all thresholds.
    page = PAGE | {"arc": threshold is not None}
    scene = scene_of(Group.of(evaluation), Controls(alpha, at, band, page=page))
    if threshold is not None:
        return scene
    panel = scene.panels[0]
    marks = tuple(mark for mark in panel.marks if not mark.id.startswith(AT_POINT))
    return scene._replace(panels=(panel._replace(marks=marks),), lead=())


def roc_grid(
    evaluations: Mapping[tuple[str, str], RocEvaluation | ConformalBand],
    alpha: float | None = None,
    *,
    band: BandName = "sensitivity",
    title: str | None = None,
    size: int = 240,
    theme: ThemeName = "light",
) -> alt.ConcatChart:
    """Draws ROC curves with their bands side by side, as the paper shows its studies.

    Parameters
    ----------
    evaluations : mapping of (str, str) to RocEvaluation or ConformalBand
        (Column, row) -> what to show. `simulation.evaluations` returns such a mapping: models are
        columns, and the iid and the shifted test set are rows. Every row must have all columns.
    alpha : float, optional
        Significance level in (0, 1). By default 0.05, or that of the ConformalBand.
    band : {"sensitivity", "specificity", "both"}
        Vertical band, horizontal band, or both.
    title : str, optional
        Title of the chart. By default it names the level and the rate.
    size : int
        Side of each square plot in pixels, at least 100.
    theme : {"light", "dark"}
        Colours.

    Returns
    -------
    altair.ConcatChart
        One plot for each item, with one legend. If a statement holds for all plots, it stands once
        in the subtitle.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    colours = theme_of(theme)
    if band in (IDEAL, SAMPLING, NO_BAND):
        raise ValueError(f"band: found {band!r}, which is for one evaluation: see charts.roc")
    labels = band_labels(band)
    check_size(size)
    _check_cells(evaluations)
    columns = chart_texts(column for column, _ in evaluations)
    rows = chart_texts(row for _, row in evaluations)
    shown = {
        (column, row): _band(
            evaluations[column, row], alpha, band, f"evaluations[{(column, row)!r:.60}]"
        )
        for row in rows
        for column in columns
    }
    levels = {each.alpha for each in shown.values()}
    if len(levels) > 1:
        raise ValueError(
            f"evaluations: found bands of several alpha, {shortened(sorted(levels))}, expected one"
        )
    named = {f"{columns[column]}, {rows[row]}": each for (column, row), each in shown.items()}
    notes = promise_lines((rows[row], each.promise.words) for (_, row), each in shown.items())
    text = f"ROC curves{_bands_text(labels, levels.pop(), several=True)}"
    chart: alt.ConcatChart = chart_of(
        Scene(
            heading_of(title, text),
            tuple(
                _outer(_panel(name, each, labels), place, len(columns), len(named))
                for place, (name, each) in enumerate(named.items())
            ),
            notes=(*notes, *_caveats(named, labels)),
            side=size,
            columns=len(columns),
        ),
        colours,
    )
    return chart


def _band(item: Any, alpha: float | None, which: str, name: str) -> ConformalBand:
    """Returns the band of `item` at those vertices that a screen can show.

    `item` is an evaluation or a band, and `which` the kind of band to draw. Errors call the item
    `name`.
    """
    if isinstance(item, RocEvaluation):
        return item.at(0.05 if alpha is None else alpha).band(
            item.sampled.screen_vertices.thresholds
        )
    if not isinstance(item, ConformalBand):
        raise TypeError(
            f"{name}: found {type(item).__name__}, expected a RocEvaluation or a ConformalBand"
        )
    if alpha is not None and exact_alpha(alpha) != exact_alpha(item.alpha):
        raise ValueError(
            f"alpha: found {alpha!r}, but {name} is a band made for alpha = {item.alpha:g}"
        )
    if which == IDEAL:
        raise ValueError(
            "band: found 'ideal' for a ConformalBand, which has no posterior draws, expected a "
            "RocEvaluation"
        )
    if which != "sensitivity" and item.thresholds.size and np.isnan(item.thresholds).all():
        raise ValueError(
            f"band: found {which!r}, but {name} is an average at fixed FPR, which has a band "
            "for 'sensitivity' alone"
        )
    return _thinned(item)


def _panel(name: str, band: ConformalBand, labels: Sequence[int]) -> Panel:
    """Returns the panel `name` with a band's curve, and its limits for each of the `labels`."""
    averaged = np.isnan(band.thresholds).any()
    names = [f"{RATE_NAMES[k]}{end}" for k in sorted(labels) for end in LIMIT_NAMES]
    there = [each for k in sorted(labels) for each in band.has_limits(k)]
    drawn = (*RATE_NAMES, *(each for each, has in zip(names, there, strict=True) if has))
    if not averaged:
        drawn = ("threshold", *drawn)
    readings = [Reading.of(each, getattr(band, FIELDS.get(each, each))) for each in drawn]
    curve = Line(
        "curve",
        words("key.mean" if averaged else "key.classifier"),
        Points(band.fpr, band.tpr),
        Pen("ink", 2),
        readings=tuple(readings),
    )
    chance = Points.of([0, 1], [0, 1])
    baseline = Line("baseline", words("key.chance"), chance, Pen("axis", 1, DASHES["baseline"]))
    marks: list[Mark] = [*(_limits(band, label) for label in labels), baseline, curve]
    axes = Axis(words("axis.specificity")), Axis(words("axis.sensitivity"))
    return Panel(*axes, tuple(marks), plain_text(name, 80))


def _limits(band: ConformalBand, label: int) -> Area:
    """Returns the area of a label's band: vertical limits for label 1, horizontal for label 0."""
    low, high = sides = band.has_limits(label)
    lower, upper = (
        Points(band.fpr, band.tpr_lower, "across"),
        Points(band.fpr, band.tpr_upper, "across"),
    )
    if not label:
        lower, upper = (
            Points(band.fpr_lower, band.tpr, "across"),
            Points(band.fpr_upper, band.tpr, "across"),
        )
        low, high = high, low  # the axis shows specificity, which falls as the FPR rises
    missing = ""
    if not all(sides):
        missing = words("key.no_upper" if low else "key.no_lower" if high else "key.no_limits")
        missing += f"; {words('key.too_few')}"
    name = words("key.ideal_rate", rate=NOUNS[label]) + missing
    pen = Pen(f"label{label}", 1, EDGE_DASHES[label]) if any(sides) else Pen("axis")
    return Area(f"band-{NOUNS[label]}", name, upper, lower, pen, pen.colour, sides=sides)


def _outer(panel: Panel, place: int, columns: int, number: int) -> Panel:
    """Returns the panel at index `place` of a grid of `number` panels.

    An axis has a title only in the first column, or in the last row.
    """
    across = panel.across if place >= number - columns else Axis("")
    return panel._replace(across=across, up=panel.up if place % columns == 0 else Axis(""))


def _bands_text(labels: Sequence[int], alpha: float, *, several: bool = False) -> str:
    """Ends a title: " with 95 % conformal band for sensitivity". Empty without labels."""
    if not labels:
        return ""
    nouns = " and ".join(NOUNS[k] for k in labels)
    plural = "s" * (several or len(labels) > 1)
    return f" with {percent(1 - alpha)} conformal band{plural} for {nouns}"


def _caveats(bands: Mapping[str, ConformalBand], labels: Sequence[int]) -> list[str]:
    """Returns the notes of the bands, and sentences on missing limits.

    If there are several bands, each text names the panels that it is about.
    """
    reasons: dict[str, list[str]] = {}
    for name, band in bands.items():
        for reason in (*(band.vacuous[k] for k in labels), *band.notes):
            if reason is not None:
                reasons.setdefault(reason, []).append(name)
    return [
        reason if len(bands) == 1 else f"{'; '.join(dict.fromkeys(names))}: {reason}"
        for reason, names in reasons.items()
    ]


def _thinned(band: ConformalBand) -> ConformalBand:
    """Returns the band at the thresholds whose vertices a screen can tell apart."""
    at = screen_vertices(band.fpr, band.tpr)
    names = ("thresholds", *(f"{rate}{end}" for rate in RATE_NAMES for end in ("", *LIMIT_NAMES)))
    return replace(band, **{name: getattr(band, name)[at] for name in names})


def _check_cells(evaluations: Any) -> None:
    if not isinstance(evaluations, Mapping) or not all(
        isinstance(cell, tuple) and len(cell) == 2 for cell in evaluations
    ):
        raise TypeError(
            "evaluations: expected a mapping of (column, row) to a RocEvaluation or a ConformalBand"
        )
    if not evaluations:
        raise ValueError("evaluations: found none, expected at least one")
    columns, rows = ({cell[i]: None for cell in evaluations} for i in (0, 1))
    absent = [(c, r) for c in columns for r in rows if (c, r) not in evaluations]
    if absent:
        raise ValueError(f"evaluations: lacks {shortened(absent)}, expected every row in full")
