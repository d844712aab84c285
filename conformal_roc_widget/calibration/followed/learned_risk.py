"""The person-period reference: what the rows tell of the risk of an event by a time.

It has two posteriors of ``logit P(T <= t | x)``. One adds up hazards
(`conformal_roc_widget.calibration.followed.person_period`): it is right where features move the
hazard alike at all times, and follows risks near 1. The other one is of the event by t as a label
(`conformal_roc_widget.calibration.references.posterior`): it is right where features move the
odds, and follows risks near 0, which in the first one the later periods, with most of the events,
would draw to themselves. Data rarely tell which of them holds in a tail, and each alone lost
coverage under the other's laws; so residuals are taken from both, and the outermost ones kept,
rank by rank: limits hold if either posterior is right.

Rows that were lost before t have no label. Theirs are drawn from the first posterior, given the
features and that there was no event while they were followed. The second posterior, given these
labels, is then one given what was seen: over the draw, by the law of total probability.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.calibration.references.posterior import LogitPosterior, fit_sharp
from conformal_roc_widget.tables.event_times import EventTimes

from .person_period import PersonPeriod

#: Seed of the draws of lost labels.
SEED = 7


@dataclass(frozen=True, eq=False)
class LearnedRisk:
    """Posteriors of the hazard in periods, and of the event by each horizon."""

    hazards: PersonPeriod
    events: dict[float, LogitPosterior]

    @classmethod
    def of(cls, X: Floats, outcome: EventTimes, horizons: tuple[float, ...]) -> LearnedRisk:
        """Learns from all rows (n, d), those that train and those that calibrate."""
        hazards = PersonPeriod.of(X, outcome, horizons)
        lost = np.flatnonzero(~outcome.events & (outcome.times < horizons[-1]))
        risks = hazards.risks_after(X[lost], outcome.times[lost], horizons)
        rng = np.random.default_rng(SEED)
        events = {}
        for t in horizons:
            label = (outcome.events & (outcome.times <= t)).astype(np.intp)
            unknown = outcome.times[lost] < t
            label[lost[unknown]] = rng.random(int(unknown.sum())) < risks[t][unknown]
            events[t] = fit_sharp(X, label)
        return cls(hazards, events)

    def risk_logits(
        self, X: Floats, horizons: tuple[float, ...]
    ) -> dict[float, tuple[Floats, Floats]]:
        """Draws (n, n_draws) of ``logit P(T <= t | x)`` by both posteriors at each horizon."""
        by_hazards = self.hazards.risk_logits(X, horizons)
        return {t: (by_hazards[t], self.events[t].draws(X)) for t in horizons}
