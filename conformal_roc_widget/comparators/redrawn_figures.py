"""Precision and net benefit of rows that do not count alike, if they were drawn again and again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.evaluation.decisions.net_benefit import odds_below_one
from conformal_roc_widget.evaluation.decisions.precision_recall import precision_at
from conformal_roc_widget.evaluation.decisions.settled import places_of
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.promise import Promise, for_figure_with_more_data
from conformal_roc_widget.words import words

#: Names of the figures, also in messages.
PRECISION, NET_BENEFIT = "precision", "net_benefit"


class RedrawnFigures(NamedTuple):
    """Figures at some vertices of the curve, at the rows' own share of positives.

    By name, what lower and what upper limits are quantiles of: ascending numbers, a row a vertex
    and a column a redraw.
    """

    #: Indices of the vertices, counted from the highest threshold.
    places: Ints
    figures: Mapping[str, tuple[Floats, Floats]]
    #: Promise of the limits, with a place for the confidence; its target is the precision.
    promise: Promise

    @classmethod
    def of(
        cls, evaluation: RocEvaluation, rates: Floats, rng: np.random.Generator
    ) -> RedrawnFigures:
        """From the rates of label 0 and of label 1 at `thresholds_of`, a row a redraw."""
        own, thresholds = evaluation.own_prevalence, thresholds_of(evaluation)
        fpr, tpr = (_with_ends(of.T, evaluation, label, rng) for label, of in enumerate(rates))
        # If a redraw calls nobody, its precision may be anything from 0 to 1.
        precision = [np.sort(precision_at(tpr, fpr, own, none), axis=1) for none in (0.0, 1.0)]
        odds = odds_below_one(thresholds, own, own)[:, None]
        benefit = np.sort(own * tpr - (1 - own) * odds * fpr, axis=1)
        found = {PRECISION: (precision[0], precision[1]), NET_BENEFIT: (benefit, benefit)}
        followed = evaluation.follow_up is not None
        promise = for_figure_with_more_data(
            words("figure.precision"), exact=False, followed=followed
        )
        return cls(places_of(evaluation.display_vertices.thresholds.size), found, promise)

    def limits(self, name: str, alpha: float) -> tuple[Floats, Floats]:
        """Percentiles at each of the places."""
        lower, upper = self.figures[name]
        return np.quantile(lower, alpha / 2, axis=1), np.quantile(upper, 1 - alpha / 2, axis=1)


def thresholds_of(evaluation: RocEvaluation) -> Floats:
    """Thresholds of the vertices that have limits."""
    thresholds = evaluation.display_vertices.thresholds
    return thresholds[places_of(thresholds.size)]


def _with_ends(
    rates: Floats, evaluation: RocEvaluation, label: int, rng: np.random.Generator
) -> Floats:
    """Rates of redraws, a row a threshold; where all agree, what so many people leave possible.

    If none of n people is called, the chance of being called is below ``1 - u ** (1 / n)`` with
    probability ``1 - u`` (Clopper and Pearson): of such a rate no redraw tells anything.
    """
    rows = evaluation.labels == label
    if evaluation.sample_weight is not None:
        rows &= evaluation.sample_weight > 0
    n = int(rows.sum()) if evaluation.groups is None else np.unique(evaluation.groups[rows]).size
    far = rng.beta(1, n, size=rates.shape)
    none, every = (rates == 0).all(axis=1), (rates == 1).all(axis=1)
    return np.where(none[:, None], far, np.where(every[:, None], 1 - far, rates))
