"""Curve of each view but the ROC, computed from the evaluation's own records; one table by view."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.evaluation.net_benefit import treat_all
from conformal_roc_widget.evaluation.precision_recall import precision_recall_of
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.view.controls import Controls

#: Bins of the test points along an axis that is the score.
BINS = 40
#: Height of the largest bin, in lengths of the upright axis.
TALLEST = 0.06


class Line(NamedTuple):
    """Line in the units of both axes."""

    x: Floats
    y: Floats

    @classmethod
    def of(cls, x: ArrayLike, y: ArrayLike) -> Line:
        """Line through points."""
        return cls(np.asarray(x, dtype=float), np.asarray(y, dtype=float))

    def within(self, low: float, high: float) -> list[Line]:
        """Its pieces between two heights, each up to where it leaves them."""
        x, y = self.x, self.y
        crossings = np.concatenate([_crossings(x, y, level) for level in (low, high)])
        places = np.concatenate([np.arange(x.size, dtype=float), crossings])
        order = np.unique(places)
        x, y = (np.interp(order, np.arange(x.size), values) for values in (x, y))
        middle = (y[1:] + y[:-1]) / 2
        inside = (middle >= low) & (middle <= high)
        starts = np.flatnonzero(inside & ~np.append(False, inside[:-1]))
        ends = np.flatnonzero(inside & ~np.append(inside[1:], False)) + 2
        return [Line(x[i:j], y[i:j]) for i, j in zip(starts, ends, strict=True)]


def _crossings(x: Floats, y: Floats, level: float) -> Floats:
    """Places along a line, counted in points, at which it crosses a height."""
    above = y > level
    before = np.flatnonzero(above[1:] != above[:-1])
    return np.asarray(before + (level - y[before]) / (y[before + 1] - y[before]))


class ViewPoint(NamedTuple):
    """The operating point, the ends of its upright arm, and where it has one of its level arm."""

    x: float
    y: float
    lower: float
    upper: float
    across: tuple[float, float] | None = None


class ViewCurve(NamedTuple):
    """Curve of a view with its range, over x from 0 to 1."""

    #: Ends of the upright axis.
    up: tuple[float, float]
    line: Line
    lower: Line
    upper: Line
    #: What is had without a classifier.
    baseline: Line
    point: ViewPoint
    #: Average precision of the view that has one.
    average: float = np.nan
    #: Outline of the test points' numbers along the axis, of the view whose axis is the score.
    counts: Line | None = None


def view_curve(evaluation: RocEvaluation, controls: Controls) -> ViewCurve:
    """Curve of the view that is chosen."""
    return _CURVES[controls.view](evaluation, controls)


def share_of(evaluation: RocEvaluation, controls: Controls) -> float:
    """Share of the positive class where the classifier is used."""
    share = controls.prevalence
    return evaluation.own_prevalence if share is None else float(share)


def _precision_recall(evaluation: RocEvaluation, controls: Controls) -> ViewCurve:
    at, share = evaluation.at(controls.alpha), share_of(evaluation, controls)
    curve = precision_recall_of(at.band(evaluation.display_vertices.thresholds), share)
    here = precision_recall_of(at.band([controls.threshold]), share)
    recall = (float(here.recall_lower[0]), float(here.recall_upper[0]))
    # The whole curve, of which a screen shows fewer vertices, has the exact average.
    whole = precision_recall_of(at.band(), share).average_precision
    return ViewCurve(
        (0.0, 1.0),
        _steps_before(curve.recall, curve.precision),
        _steps_before(curve.recall, curve.precision_lower),
        _steps_before(curve.recall, curve.precision_upper),
        baseline=Line.of([0, 1], [share, share]),
        point=ViewPoint(
            float(here.recall[0]),
            float(here.precision[0]),
            float(here.precision_lower[0]),
            float(here.precision_upper[0]),
            across=None if controls.band == "specificity" else recall,
        ),
        average=whole,
    )


def _steps_before(x: Floats, y: Floats) -> Line:
    """As scikit-learn draws it: at each point first up or down, then along x to the next."""
    return Line(np.repeat(x, 2)[:-1], np.repeat(y, 2)[1:])


def _reliability(evaluation: RocEvaluation, controls: Controls) -> ViewCurve:
    band = evaluation.reliability(controls.alpha)
    start, stop = np.append(0.0, band.ends), np.append(band.score, 1.0)
    shares = band.isotonic
    at = min(max(controls.threshold, 0.0), 1.0)
    lower, upper = (float(bounds[0]) for bounds in band.at([at]))
    group = max(int(np.searchsorted(band.score, at, side="right")) - 1, 0)
    return ViewCurve(
        (0.0, 1.0),
        Line(np.append(np.repeat(band.score, 2)[1:], band.ends[-1]), np.repeat(shares, 2)),
        # A lower bound holds from the end of its scores on, an upper bound up to their start.
        Line(np.append(np.repeat(start, 2)[1:], 1.0), np.repeat(np.append(0.0, band.lower), 2)),
        Line(np.append(0.0, np.repeat(stop, 2)[:-1]), np.repeat(np.append(band.upper, 1.0), 2)),
        baseline=Line.of([0, 1], [0, 1]),
        point=ViewPoint(at, float(shares[group]), lower, upper),
        counts=score_counts(evaluation),
    )


def score_counts(evaluation: RocEvaluation) -> Line:
    """Outline of the test points' numbers in bins of the score; a score of 1 is in the last one."""
    edges = np.arange(BINS) / BINS
    above = sum(scores.at_least(edges) for scores in evaluation.sorted_scores)
    counts = -np.diff(np.append(above, 0))
    heights = np.concatenate([[0], np.repeat(counts, 2), [0]]) * TALLEST / counts.max()
    return Line(np.repeat(np.append(edges, 1.0), 2), heights)


def _net_benefit(evaluation: RocEvaluation, controls: Controls) -> ViewCurve:
    share = share_of(evaluation, controls)
    vertices = evaluation.display_vertices.thresholds
    cuts = np.maximum(vertices[vertices < 1], 0.0)
    if not cuts.size:
        cuts = np.zeros(1)
    curve = evaluation.net_benefit(controls.alpha, share, cuts)
    point = ViewPoint(1.0, 0.0, 0.0, 0.0)
    if controls.threshold < 1:
        here = evaluation.net_benefit(controls.alpha, share, [max(controls.threshold, 0.0)])
        point = ViewPoint(
            float(here.risk[0]),
            float(here.net_benefit[0]),
            float(here.net_benefit_lower[0]),
            float(here.net_benefit_upper[0]),
        )
    risks = np.arange(101) / 101
    return ViewCurve(
        (-share / 6, share),
        Line(curve.risk, curve.net_benefit),
        Line(curve.risk, curve.net_benefit_lower),
        Line(curve.risk, curve.net_benefit_upper),
        baseline=Line(risks, treat_all(risks, share)),
        point=point,
    )


_CURVES: Mapping[str, Callable[[RocEvaluation, Controls], ViewCurve]] = {
    "precision_recall": _precision_recall,
    "reliability": _reliability,
    "net_benefit": _net_benefit,
}
