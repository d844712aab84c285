"""Reliability diagram: bounds of the probability over the score, and the isotonic line."""

from __future__ import annotations

import altair as alt
import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.charts.style import (
    Layer,
    Row,
    check_size,
    dashes_of,
    drawn,
    layered,
    lettering,
    styled,
    title_of,
    tooltips,
)
from conformal_roc_widget.checks import yes_or_no
from conformal_roc_widget.reliability.calibration_band import CalibrationBand
from conformal_roc_widget.text import chart_text
from conformal_roc_widget.view.theme import Theme, theme_of

#: Scores up to which every one has a step of its own; more are read at as many cells.
CELLS = 800
#: Scores up to which the bounds at a score itself are drawn as a bar.
BARS = 40
#: Scores at which Venn-Abers pairs are drawn.
PAIRS = 201
AT_SCORE = {"score:Q": "Score", "lower:Q": "Lower bound", "upper:Q": "Upper bound"}


def reliability(
    band: CalibrationBand,
    *,
    title: str | None = None,
    size: int = 360,
    theme: str = "light",
    venn_abers: bool = False,
) -> alt.LayerChart:
    """Reliability diagram of a calibration band.

    Parameters
    ----------
    band : CalibrationBand
        As `calibration_band` returns it.
    title : str, optional
        Instead of "Reliability".
    size : int
        Of the plot in pixels, at least 100.
    theme : {"light", "dark"}
        Colours.
    venn_abers : bool
        Whether the pair of Venn-Abers probabilities from the same points is drawn for contrast
        (Vovk and Petej 2014; the extra ``venn`` adds the package). One of the two is calibrated;
        they are no confidence interval, and are named so.

    Returns
    -------
    altair.LayerChart
        The band between and at the scores, the isotonic regression of the labels as a line, and
        where the scores are probabilities the diagonal of a score that needs no recalibration.
        More than `CELLS` distinct scores are drawn in as many cells of the axis, in which the band
        is never narrower than it is. Target, scope, guarantee and notes stand below the title.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above, or Venn-Abers is asked for and a score is no
        probability.
    ImportError
        If Venn-Abers is asked for and not installed.
    """
    yes_or_no(venn_abers, "venn_abers")
    colours = theme_of(theme)
    check_size(size)
    if not isinstance(band, CalibrationBand):
        raise TypeError(
            f"band: found {type(band).__name__}, expected a CalibrationBand, as calibration_band "
            "returns it"
        )
    probabilities = bool(band.score[0] >= 0 and band.score[-1] <= 1)
    ends = (0.0, 1.0) if probabilities else _widened(band.score)
    x_axis = alt.Axis(title="Score", tickCount=5, grid=False)
    y_axis = alt.Axis(title="Probability of the positive label", tickCount=5)
    x = alt.X("score:Q", scale=alt.Scale(domain=list(ends), nice=False), axis=x_axis)

    def y(field: str) -> alt.Y:
        return alt.Y(f"{field}:Q", scale=alt.Scale(domain=[0, 1]), axis=y_axis)

    # Bounds that cross hold nothing, and have no colour.
    colour = colours.muted if band.refuted else colours.labels[1]
    fill = drawn(_steps(band, *ends)).mark_area(
        interpolate="step-after", color=colour, opacity=colours.fill
    )
    layers: list[Layer] = [fill.encode(x=x, y=y("lower"), y2="upper:Q")]
    layers += [
        drawn(_steps(band, *ends))
        .mark_line(
            interpolate="step-after",
            color=colour,
            strokeWidth=1,
            strokeDash=dashes_of(colours.limits(1)),
        )
        .encode(x=x, y=y(edge))
        for edge in ("lower", "upper")
    ]
    if band.score.size <= BARS:
        bars = drawn(_at_scores(band)).mark_rule(color=colour, strokeWidth=2)
        layers.append(bars.encode(x=x, y=y("lower"), y2="upper:Q", tooltip=tooltips(AT_SCORE)))
    if probabilities:
        diagonal: list[Row] = [{"score": end, "isotonic": end} for end in ends]
        layers.append(
            drawn(diagonal)
            .mark_line(color=colours.axis, strokeDash=dashes_of(colours.chance))
            .encode(x=x, y=y("isotonic"))
        )
    isotonic = drawn(_isotonic(band)).mark_line(
        interpolate="step-after",
        color=colours.ink,
        strokeWidth=2,
        point=alt.OverlayMarkDef(color=colours.ink, size=30) if band.score.size <= BARS else False,
    )
    layers.append(isotonic.encode(x=x, y=y("isotonic")))
    if venn_abers:
        layers += [
            drawn(_pairs(band, probabilities))
            .mark_line(interpolate="step-after", color=colours.labels[0], strokeWidth=1.5)
            .encode(x=x, y=y(end))
            for end in ("low", "high")
        ]
    layers += _legend(colours, probabilities, venn_abers)
    heading = "Reliability" if title is None else chart_text(title, 120)
    lines = [f"Target: {band.target}.", f"Scope: {band.scope}.", f"Guarantee: {band.guarantee}."]
    chart = layered(layers, size, size)
    return styled(chart, colours, title_of(heading, [*lines, *band.notes], size + 48))


def _widened(scores: Floats) -> tuple[float, float]:
    """Ends of an axis that holds the scores with some room."""
    low, high = float(scores[0]), float(scores[-1])
    room = 0.04 * (high - low) or 1.0
    return low - room, high + room


def _steps(band: CalibrationBand, start: float, end: float) -> list[Row]:
    """Bounds from each score to the next, or in cells of the axis, where they are the widest."""
    left = band.score if band.score.size <= CELLS else np.linspace(start, end, CELLS + 1)[:-1]
    left = np.unique(np.append(start, left))
    lower = band.at(left)[0]
    beyond = np.searchsorted(band.score, np.append(left[1:], end), side="left")
    # Up to the next score its upper bound holds, also just after this one.
    upper = np.append(band.upper, 1.0)[beyond]
    rows: list[Row] = [
        {"score": float(s), "lower": float(low), "upper": float(up)}
        for s, low, up in zip(left, lower, upper, strict=True)
    ]
    return [*rows, {**rows[-1], "score": float(end)}]


def _at_scores(band: CalibrationBand) -> list[Row]:
    return [
        {"score": float(s), "lower": float(low), "upper": float(up)}
        for s, low, up in zip(band.score, band.lower, band.upper, strict=True)
    ]


def _isotonic(band: CalibrationBand) -> list[Row]:
    """The isotonic regression at the scores, thinned to those at which it changes."""
    values = band.isotonic
    shown = np.append(True, values[1:] != values[:-1])
    shown[-1] = True
    rows = np.flatnonzero(shown)
    if rows.size > CELLS:
        rows = rows[np.unique(np.linspace(0, rows.size - 1, CELLS).astype(int))]
    return [{"score": float(band.score[i]), "isotonic": float(values[i])} for i in rows]


def _pairs(band: CalibrationBand, probabilities: bool) -> list[Row]:
    """Both Venn-Abers probabilities over the score, from the band's own points."""
    if not probabilities:
        raise ValueError(
            f"venn_abers: found scores from {band.score[0]:g} to {band.score[-1]:g}, expected "
            "probabilities"
        )
    errors = np.geterr()
    try:
        from venn_abers import VennAbers
    except ImportError as missing:
        raise ImportError(
            "venn_abers: the package is missing; pip install 'conformal_roc_widget[venn]'"
        ) from missing
    finally:
        np.seterr(**errors)  # which that package changes for everyone
    scores = band.score.repeat(band.points)
    counts = np.column_stack([band.points - band.positives, band.positives]).ravel()
    labels = np.tile([0, 1], band.score.size).repeat(counts)
    at = np.linspace(0, 1, PAIRS)
    with np.errstate(divide="ignore", invalid="ignore"):
        pairs = VennAbers().fit(_both(scores), labels).predict_proba(_both(at))[1]
    return [
        {"score": float(s), "low": float(low), "high": float(high)}
        for s, (low, high) in zip(at, pairs, strict=True)
    ]


def _both(scores: Floats) -> Floats:
    return np.column_stack([1 - scores, scores])


def _legend(colours: Theme, probabilities: bool, venn_abers: bool) -> list[Layer]:
    """Names of the lines, in the corner where a reliability diagram has room."""
    names = [("isotonic regression", colours.ink), ("band", colours.label_texts[1])]
    if probabilities:
        names.append(("probability = score", colours.muted))
    if venn_abers:
        names.append(("Venn-Abers: calibrated as a", colours.label_texts[0]))
        names.append(("pair, no confidence interval", colours.label_texts[0]))
    return [
        layer
        for i, (name, colour) in enumerate(names)
        for layer in lettering(name, 10, 14 + 18 * i, colours, colour, align="left")
    ]
