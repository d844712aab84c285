"""Learns the person-period reference, an estimate of the true risk of an event by a time.

It consists of two posteriors of ``logit P(T <= t | x)``. The first adds up hazards
(`conformal_roc_widget.calibration.followed.person_period`). It is right if features change the
hazard by the same factor at all times, and it fits risks near 1 well. The second takes the event by
t as a label (`conformal_roc_widget.calibration.references.posterior`). It is right if features
change the odds, and it fits risks near 0 well. Near 0 the first posterior would follow the later
periods, which have most of the events. Data rarely show which of the two posteriors is right in a
tail. Each alone lost coverage on data for which only the other is right. So residuals are computed
from both, and at each rank the outermost one is used: limits hold if either posterior is right.

Rows that were lost to follow-up before t have no label. The first posterior draws one, given their
features and their time without an event. By the law of total probability, the second posterior with
these labels is a posterior given the observed data.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.calibration.references.posterior import LogitPosterior, fit_sharp
from conformal_roc_widget.tables.event_times import EventTimes

from .person_period import PersonPeriod

#: If the follow-up of a row ends before a horizon, the row's label at this horizon is unknown. Such
#: labels are drawn with this seed.
SEED = 7


@dataclass(frozen=True, eq=False)
class LearnedRisk:
    """Two posteriors: of the hazard in each period, and of the event by each horizon."""

    hazards: PersonPeriod
    events: dict[float, LogitPosterior]

    @classmethod
    def of(cls, X: Floats, outcome: EventTimes, horizons: tuple[float, ...]) -> LearnedRisk:
        """Learns from features `X` (n, d) and outcomes of all training and calibration rows."""
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
        """Draws ``logit P(T <= t | x)`` (n, n_draws) from both posteriors, for each horizon t."""
        by_hazards = self.hazards.risk_logits(X, horizons)
        return {t: (by_hazards[t], self.events[t].draws(X)) for t in horizons}
