"""Draws one evaluation on Matplotlib axes, for `RocEvaluation.plot`."""

from __future__ import annotations

from typing import Any

from conformal_roc_widget.choices import BandName
from conformal_roc_widget.comparators.registry import COMPARATORS, SPARE, Resampling
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.shown.comparator_state import Overlaid, Overlay
from conformal_roc_widget.shown.controls import SAMPLING, Controls, band_labels
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.shown.opening import opening_band
from conformal_roc_widget.shown.theme import THEMES

from .matplotlib import Plotted, plotted


def plot(
    evaluation: RocEvaluation,
    ax: Any,
    alpha: float,
    band: BandName | None,
    threshold: float,
    name: str | None,
) -> Plotted:
    """Draws the ROC curve of an evaluation on `ax`, or on a new figure.

    If `band` is None, the band is drawn that a widget would show first.
    """
    group = Group.of(evaluation, name=name)
    controls = Controls(alpha, threshold)
    band = opening_band(group, controls) if band is None else band
    band_labels(band)
    controls = controls._replace(band=band)
    overlaid = _sampled(evaluation, alpha) if band == SAMPLING else None
    scene = scene_of(group, controls, overlaid)
    return plotted(scene, THEMES["light"], ax)


def _sampled(evaluation: RocEvaluation, alpha: float) -> Overlaid:
    """Returns the bootstrap band of an evaluation in the form that a scene takes."""
    comparator = COMPARATORS[SPARE]
    band = comparator.of_evaluation(evaluation, Resampling()).band(alpha)
    done = Overlay(comparator, "done", comparator.steps, band, laid=False)
    return Overlaid(None, alpha, (done,))
