"""Two posteriors of one risk: drawn labels of lost rows, and residuals that enclose both."""

import numpy as np
from followed_data import drawn, risk

from conformal_roc_widget.calibration.followed.censoring import MarginalCensoring
from conformal_roc_widget.calibration.followed.known import Known
from conformal_roc_widget.calibration.followed.learned_risk import LearnedRisk
from conformal_roc_widget.calibration.followed.person_period import PersonPeriod
from conformal_roc_widget.calibration.followed.residuals import residuals_of
from conformal_roc_widget.calibration.references.posterior import fit_sharp
from conformal_roc_widget.tables.event_times import EventTimes

T = (0.2, 0.6)


def outcomes(n, seed, lost=1.5):
    X, y = drawn(n, seed, lost)
    return X, EventTimes(y["time"], y["event"])


def test_risks_of_rows_that_are_free_of_the_event_are_those_of_the_naive_sum():
    X, outcome = outcomes(300, 0)
    hazards = PersonPeriod.of(X, outcome, T)
    free_at = np.array([0.0, 0.05, 0.2, 0.37, 0.6, 0.9])
    found = hazards.risks_after(X[:6], free_at, T)
    edges = hazards.periods.edges
    for i, free in enumerate(free_at):
        for t in T:
            since = np.zeros(100)
            for j, place in enumerate(hazards.periods.place):
                start, end = edges[j], edges[j + 1]
                if end > t:
                    break
                # All rows are drawn together, because draws of single rows differ in the last
                # digit.
                table = np.column_stack([X[:6], np.full(6, place)])
                step = np.logaddexp(0, hazards.posterior.draws(table))[i]
                since += step * min(max((end - free) / (end - start), 0), 1)
            assert abs(found[t][i] - (1 - np.exp(-since)).mean()) < 1e-12
    # From the start on, the remaining risk is the whole risk. At the horizon none remains.
    draws = hazards.risk_logits(X[:6], T)[0.6][0]
    assert abs(found[0.6][0] - (1 / (1 + np.exp(-draws))).mean()) < 1e-12
    assert (found[0.2][3:] == 0).all()


def test_without_lost_rows_the_labels_are_those_that_were_seen():
    X, outcome = outcomes(200, 1, lost=None)
    learned = LearnedRisk.of(X, outcome, T)
    for t in T:
        own = fit_sharp(X, (outcome.times <= t).astype(int))
        np.testing.assert_array_equal(learned.events[t].draws(X), own.draws(X))


def test_lost_rows_have_the_event_as_often_as_they_would():
    X, outcome = outcomes(4000, 2, lost=0.5)
    t = 0.6
    lost = ~outcome.events & (outcome.times < t)
    free = PersonPeriod.of(X, outcome, T).risks_after(X[lost], outcome.times[lost], T)[t]
    truth = 1 - (1 - risk(X[lost], t)) / (1 - risk(X[lost], outcome.times[lost]))
    assert abs(free.mean() - truth.mean()) < 0.02
    assert np.abs(free - truth).mean() < 0.04


def test_residuals_enclose_those_of_both_posteriors_rank_by_rank():
    X, outcome = outcomes(300, 3)
    known = Known.of(outcome, 0.6, MarginalCensoring.of(outcome))
    draws, logits = LearnedRisk.of(X, outcome, T).risk_logits(X, T)[0.6], X[:, 0]
    both = residuals_of(known, draws, logits)
    for k, residuals in enumerate(both):
        each = [residuals_of(known, [one], logits)[k] for one in draws]
        for i, found in enumerate(residuals):
            outer = min if i < residuals.size / 2 else max
            # Residuals are rounded to float32.
            assert abs(found - outer(one[i] for one in each)) <= 1e-6 * max(1, abs(found))
