"""ROC curves with their conformal bands as Altair charts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import altair as alt
import numpy as np

from conformal_roc_widget.arrays import shortened
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.choices import BandName, ThemeName
from conformal_roc_widget.draw.altair import chart_of
from conformal_roc_widget.draw.style import check_size, heading_of
from conformal_roc_widget.evaluation.band import ConformalBand
from conformal_roc_widget.evaluation.ideal_curve import IdealCurve
from conformal_roc_widget.evaluation.observed_curve import screen_vertices
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.scene import Panel, Scene
from conformal_roc_widget.shown.controls import IDEAL, NO_BAND, SAMPLING, band_labels
from conformal_roc_widget.shown.sentences import bands_text, point_sentence, promise_lines, promises
from conformal_roc_widget.shown.theme import theme_of
from conformal_roc_widget.text import chart_texts
from conformal_roc_widget.views import ideal
from conformal_roc_widget.views.overview import panels_of
from conformal_roc_widget.views.roc import (
    LIMIT_NAMES,
    RATE_NAMES,
    Shown,
    axes_of,
    caveats,
    marks_of,
)


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
    """ROC curve with its conformal band.

    Parameters
    ----------
    evaluation : RocEvaluation or ConformalBand
        What to show; a band may be an average of `average_bands`.
    alpha : float, optional
        Significance level in (0, 1); by default 0.05, for a ConformalBand its own.
    band : {"sensitivity", "specificity", "both", "ideal"}
        Vertical band, horizontal band, or both; or, for a RocEvaluation, the credible band of an
        ideal model's own curve, see `RocEvaluation.ideal_curve`.
    threshold : float, optional
        Threshold of an operating point to mark; only for a RocEvaluation.
    title : str, optional
        Instead of the title that names the level and the rate.
    size : int
        Side of the square plot in pixels, at least 100.
    theme : {"light", "dark"}
        Colours.

    Returns
    -------
    altair.LayerChart
        Observed curve as a polyline, edges as step lines; points closer than half a pixel on
        1000 pixels are left out. Target, scope and guarantee stand in the subtitle.

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
    shown = _shown(evaluation, alpha, band, "evaluation")
    curve = _ideal_curve(evaluation, shown.band.alpha) if band == IDEAL else None
    promise = shown.band.promise.words if curve is None else ideal.statement(curve)
    notes = promise_lines([("", promise)] if labels else [])
    if threshold is not None:
        if not isinstance(evaluation, RocEvaluation):
            raise ValueError(
                "threshold: an operating point takes the test points; found a ConformalBand as "
                "evaluation, expected a RocEvaluation"
            )
        point = evaluation.operating_point(threshold, shown.band.alpha)
        if curve is None and labels:
            notes.append(point_sentence(shown.band, point))
        shown = shown._replace(point=point)
    if curve is None:
        notes += caveats({"": shown}, labels)
        marks = marks_of(shown, labels)
        bands = bands_text(labels, shown.band.alpha, several=len(labels) > 1)
        text = f"ROC curve{bands}"
    else:
        marks, text = ideal.marks_over(shown, curve), ideal.ideal_title(shown.band.alpha)
    chart: alt.LayerChart = chart_of(
        Scene(
            heading_of(title, text),
            (Panel(*axes_of(shown.evaluation), tuple(marks)),),
            notes=tuple(notes),
            side=size,
        ),
        colours,
    )
    return chart


def roc_grid(
    evaluations: Mapping[tuple[str, str], RocEvaluation | ConformalBand],
    alpha: float | None = None,
    *,
    band: BandName = "sensitivity",
    title: str | None = None,
    size: int = 240,
    theme: ThemeName = "light",
) -> alt.ConcatChart:
    """ROC curves with their bands side by side, as the paper shows its studies.

    Parameters
    ----------
    evaluations : mapping of (str, str) to RocEvaluation or ConformalBand
        (Column, row) -> what to show, as `simulation.evaluations` returns it: models are columns,
        the iid and the shifted test set are rows. Every row has all columns.
    alpha : float, optional
        Significance level in (0, 1); by default 0.05, for a ConformalBand its own.
    band : {"sensitivity", "specificity", "both"}
        Vertical band, horizontal band, or both.
    title : str, optional
        Instead of the title that names the level and the rate.
    size : int
        Side of each square plot in pixels, at least 100.
    theme : {"light", "dark"}
        Colours.

    Returns
    -------
    altair.ConcatChart
        One plot a cell, with one legend. Statements that hold for all stand once in the subtitle.

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
        (column, row): _shown(
            evaluations[column, row], alpha, band, f"evaluations[{(column, row)!r:.60}]"
        )
        for row in rows
        for column in columns
    }
    levels = {each.band.alpha for each in shown.values()}
    if len(levels) > 1:
        raise ValueError(
            f"evaluations: found bands of several alpha, {shortened(sorted(levels))}, expected one"
        )
    named = {f"{columns[column]}, {rows[row]}": each for (column, row), each in shown.items()}
    panels = panels_of(named, labels, columns=len(columns), large=False)
    notes = promises((rows[row], each.band) for (_, row), each in shown.items())
    text = bands_text(labels, levels.pop(), several=True)
    chart: alt.ConcatChart = chart_of(
        Scene(
            heading_of(title, f"ROC curves{text}"),
            panels,
            notes=(*notes, *caveats(named, labels)),
            side=size,
            columns=len(columns),
        ),
        colours,
    )
    return chart


def _shown(item: Any, alpha: float | None, which: str, name: str) -> Shown:
    """An evaluation's band at the vertices that a screen can show, or the band that was given."""
    if isinstance(item, RocEvaluation):
        level = 0.05 if alpha is None else alpha
        band = item.at(level).band(item.display_vertices.thresholds)
        area = item.sampled_area
        return Shown(band, item, area=None if area is None else area.limits(level))
    if not isinstance(item, ConformalBand):
        raise TypeError(
            f"{name}: found {type(item).__name__}, expected a RocEvaluation or a ConformalBand"
        )
    if alpha is not None and exact_alpha(alpha) != exact_alpha(item.alpha):
        raise ValueError(
            f"alpha: found {alpha!r}, but {name} is a band made for alpha = {item.alpha:g}"
        )
    if which != "sensitivity" and item.thresholds.size and np.isnan(item.thresholds).all():
        raise ValueError(
            f"band: found {which!r}, but {name} is an average at fixed FPR, which has a band "
            "for 'sensitivity' alone"
        )
    return Shown(_thinned(item))


def _thinned(band: ConformalBand) -> ConformalBand:
    """A band at those of its thresholds that a screen can show."""
    at = screen_vertices(band.fpr, band.tpr)
    names = ("thresholds", *(f"{rate}{end}" for rate in RATE_NAMES for end in ("", *LIMIT_NAMES)))
    return replace(band, **{name: getattr(band, name)[at] for name in names})


def _ideal_curve(item: RocEvaluation | ConformalBand, alpha: float) -> IdealCurve:
    """The ideal model's own curve of an evaluation that can have one."""
    if not isinstance(item, RocEvaluation):
        raise ValueError(
            "band: found 'ideal' for a ConformalBand, which has no posterior draws, expected a "
            "RocEvaluation"
        )
    return item.ideal_curve(alpha)


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
