"""Draws the reliability diagram: bounds of ``P(y = 1 | score)``, and the isotonic regression."""

from __future__ import annotations

import altair as alt
import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.checks import yes_or_no
from conformal_roc_widget.choices import ThemeName
from conformal_roc_widget.draw.altair import chart_of
from conformal_roc_widget.draw.style import check_size, heading_of
from conformal_roc_widget.reliability.calibration_band import CalibrationBand
from conformal_roc_widget.scene import Area, Axis, Line, Mark, Panel, Pen, Points, Reading, Scene
from conformal_roc_widget.shown.theme import DASHES, theme_of
from conformal_roc_widget.text import percent
from conformal_roc_widget.words import words

from .promised import promise_lines

#: If there are at most this many scores, the bounds at each score are also drawn as a bar.
BARS = 40
#: The number of scores at which Venn-Abers pairs are drawn.
PAIRS = 201
AT_SCORE = ("Score", "Lower bound", "Upper bound")
DIAGONAL = Line(
    "baseline",
    words("key.probability_is_score"),
    Points.of([0, 1], [0, 1]),
    Pen("axis", 1, DASHES["baseline"]),
)
VENN_ABERS = "Venn-Abers: calibrated as a pair, no confidence interval"


def reliability(
    band: CalibrationBand,
    *,
    title: str | None = None,
    size: int = 360,
    theme: ThemeName = "light",
    venn_abers: bool = False,
) -> alt.LayerChart:
    """Draws the reliability diagram of a calibration band.

    Parameters
    ----------
    band : CalibrationBand
        Result of `calibration_band`.
    title : str, optional
        Title of the chart. By default "Reliability".
    size : int
        Side of the plot in pixels, at least 100.
    theme : {"light", "dark"}
        Colours.
    venn_abers : bool
        Whether to draw the pair of Venn-Abers probabilities from the same points for comparison
        (Vovk and Petej 2014; the extra ``venn`` installs the package). One of the two is
        calibrated. They are not a confidence interval, and the legend says so.

    Returns
    -------
    altair.LayerChart
        The band, and the isotonic regression of the labels as a line. If the scores are
        probabilities, the diagonal is drawn too: on it a score needs no recalibration. If there are
        more than `CELLS` distinct scores, they are drawn in as many cells of the axis, in which the
        band is never too narrow. Target, scope, guarantee and notes stand below the title.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above, or if `venn_abers` is set and a score is not a
        probability.
    ImportError
        If `venn_abers` is set and the package is not installed.
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
    name = f"{percent(1 - band.alpha)} calibration band"
    edges = _edges(band, ends)
    marks: list[Mark] = [Area("range", name, *edges, Pen("axis"), "ink", strength=0.5)]
    if probabilities:
        marks.append(DIAGONAL)
    if venn_abers:
        marks.append(_pairs(band, probabilities))
    few = band.score.size <= BARS
    if few:
        marks += [
            Line(f"bar-{i}", "", Points.of([x, x], ends_of_bar), Pen("muted", 2))
            for i, (x, *ends_of_bar) in enumerate(
                zip(band.score, band.lower, band.upper, strict=True)
            )
        ]
    readings = zip(AT_SCORE, (band.score, band.lower, band.upper), strict=True)
    marks.append(
        Line(
            "curve",
            "isotonic regression",
            _isotonic(band),
            Pen("ink", 2),
            readings=tuple(Reading(title, values) for title, values in readings),
        )
    )
    notes = (*promise_lines([("", band.promise.words)]), *band.notes)
    heading = heading_of(title, "Reliability")
    axes = Axis("Score", ends), Axis("Probability of the positive label")
    scene = Scene(heading, (Panel(*axes, tuple(marks)),), notes=notes, side=size)
    chart: alt.LayerChart = chart_of(scene, colours)
    return chart


def _edges(band: CalibrationBand, ends: tuple[float, float]) -> tuple[Points, Points]:
    """Returns the upper and the lower edge of the band as step lines.

    An edge has points only where it steps. A lower bound holds from the last score of its group on,
    and an upper bound up to the first score of its group.
    """
    x = np.unique(np.concatenate([ends, band.score, band.ends]))
    after = np.append(x[1:], ends[1])
    lower = np.append(0.0, band.lower)[np.searchsorted(band.ends, x, side="right")]
    upper = np.append(band.upper, 1.0)[np.searchsorted(band.score, after, side="left")]
    steps = np.append(True, (np.diff(lower) != 0) | (np.diff(upper) != 0))
    steps[-1] = True
    return Points(x[steps], upper[steps], "across"), Points(x[steps], lower[steps], "across")


def _isotonic(band: CalibrationBand) -> Points:
    """Returns the isotonic regression of the labels on the score as a step line."""
    x = np.append(band.score, band.ends[-1])
    return Points(x, np.append(band.isotonic, band.isotonic[-1]), "across")


def _widened(scores: Floats) -> tuple[float, float]:
    """Returns the ends of an axis that leaves some room around the ascending scores."""
    low, high = float(scores[0]), float(scores[-1])
    room = 0.04 * (high - low) or 1.0
    return low - room, high + room


def _pairs(band: CalibrationBand, probabilities: bool) -> Area:
    """Returns the area between the two Venn-Abers probabilities that the band's points give."""
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
        np.seterr(**errors)  # venn_abers changes numpy's error settings
    scores = band.score.repeat(band.points)
    counts = np.column_stack([band.points - band.positives, band.positives]).ravel()
    labels = np.tile([0, 1], band.score.size).repeat(counts)
    at = np.linspace(0, 1, PAIRS)
    with np.errstate(divide="ignore", invalid="ignore"):
        pairs = VennAbers().fit(_both(scores), labels).predict_proba(_both(at))[1]
    upper, lower = (Points(at, pairs[:, column], "across") for column in (1, 0))
    return Area("venn-abers", VENN_ABERS, upper, lower, Pen("label0", 1.5))


def _both(scores: Floats) -> Floats:
    return np.column_stack([1 - scores, scores])
