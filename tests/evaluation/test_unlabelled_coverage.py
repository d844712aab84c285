"""How often all realised rates of new rows lie within their limits: four ways in which rows differ."""

import numpy as np
import pytest
from scipy.special import expit

from conformal_roc_widget import RocEvaluation

REPLICATES, LABELLED, NEW = 20, 3_000, 4_000
#: What the new rows have otherwise, and what is told of it.
WAYS = {
    "nothing": ({}, None),
    "what the score sees": ({"seen": 0.5}, None),
    "a column that is left out": ({"hidden": 0.8}, None),
    "the share of positives": ({"share": 0.4}, None),
    "the share of positives, told": ({"share": 0.4}, 0.4),
}


def rows(rng, n, bent, seen=0.0, hidden=0.0, share=None):
    """Labels and scores: the score sees one column, and the other one's mean moves no risk of it."""
    if share is not None:
        y, score = rows(rng, 20 * n, bent)
        ones = int(rng.binomial(n, share))
        some = np.append(np.flatnonzero(y == 1)[:ones], np.flatnonzero(y == 0)[: n - ones])
        return y[some], score[some]
    x, other = rng.normal(size=n) + seen, rng.normal(size=n) + hidden
    risk = -1.5 + 1.5 * x + 0.5 * (other - hidden)
    score = x - 1
    if bent:
        risk = -2 + 1.2 * x + 0.8 * np.sin(2 * x) + 0.7 * (other - hidden)
        score = -1.5 + 1.3 * x + 0.3 * x**2
    return (rng.random(n) < expit(risk)).astype(int), expit(score)


def holds(new, y, score):
    """Whether both realised rates are within the limits at every threshold."""
    band = new.band(0.05)
    within = True
    for k, low, high in (
        (0, band.fpr_lower, band.fpr_upper),
        (1, band.tpr_lower, band.tpr_upper),
    ):
        own = np.sort(score[y == k])
        rate = 1 - np.searchsorted(own, band.thresholds) / own.size
        within &= bool(((rate >= low - 1e-9) & (rate <= high + 1e-9)).all())
    return within


@pytest.mark.slow
@pytest.mark.parametrize("bent", [False, True])
def test_realised_rates_are_within_their_limits_if_a_score_means_the_same(bent):
    """Of 60 replicates .95 to .98; none if the share of positives alone differs and is not told."""
    held = dict.fromkeys(WAYS, 0)
    for replicate in range(REPLICATES):
        rng = np.random.default_rng([replicate, int(bent), 7])
        labelled = RocEvaluation.from_predictions(*rows(rng, LABELLED, bent))
        for way, (differs, told) in WAYS.items():
            y, score = rows(rng, NEW, bent, **differs)
            held[way] += holds(labelled.unlabelled(score, prevalence=told), y, score)
    assert held.pop("the share of positives") <= 0.2 * REPLICATES
    assert min(held.values()) >= 0.8 * REPLICATES, held
