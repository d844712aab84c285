"""Person-period rows, period ends and weighted quantiles; the hazard's logit against naive sums."""

import itertools

import numpy as np
import pytest

from conformal_roc_widget.calibration.followed.person_period import (
    Periods,
    PersonPeriod,
    logit_of_hazard,
    period_ends,
)
from conformal_roc_widget.calibration.followed.residuals import weighted_quantiles
from conformal_roc_widget.calibration.references.posterior import evenly_spaced
from conformal_roc_widget.tables.event_times import EventTimes


def naive_rows(edges, outcome):
    """Rows, periods and labels, one person after the other."""
    found = []
    for i, (time, event) in enumerate(zip(*outcome, strict=True)):
        for j, (start, end) in enumerate(itertools.pairwise(edges)):
            if time > end or (time == end and not event):
                found.append((i, j, 0))
            elif event and (start < time <= end or (j == 0 and time == 0)):
                found.append((i, j, 1))
            elif not event and start < time < end and time > (start + end) / 2:
                found.append((i, j, 0))
    return sorted(found)


@pytest.mark.parametrize("seed", range(10))
def test_rows_are_those_of_the_naive_rule(seed):
    rng = np.random.default_rng(seed)
    outcome = EventTimes(rng.integers(0, 20, 80) / 2.0, rng.random(80) < 0.6)
    periods = Periods.of(outcome, (2.0, 5.5, 9.0))
    rows = sorted(zip(*(part.tolist() for part in periods.rows(outcome)), strict=True))
    assert rows == naive_rows(periods.edges.tolist(), outcome)


def test_edges_hold_every_horizon_and_quantiles_between_them():
    outcome = EventTimes(np.arange(1.0, 801), np.ones(800, dtype=bool))
    ends = period_ends(outcome, (120.0, 400.0, 800.0))
    assert {120.0, 400.0, 800.0} <= set(ends)
    assert 6 <= ends.size <= 8
    # Periods end at horizons or quantiles. No quantile is close to a horizon.
    assert np.diff(ends).min() >= 50
    assert ends[-1] == 800


def test_logit_of_a_cumulative_hazard():
    hazard = np.array([1e-12, 1e-3, 0.7, 5.0, 400.0])
    with np.errstate(over="ignore"):
        pi = -np.expm1(-hazard)
    np.testing.assert_allclose(logit_of_hazard(hazard)[:4], (np.log(pi) + hazard)[:4], rtol=1e-12)
    assert logit_of_hazard(hazard)[4] == 400


def test_quantiles_of_equal_weights_are_those_without():
    values = np.random.default_rng(0).normal(size=(37, 5))
    np.testing.assert_array_equal(
        weighted_quantiles(values, np.full(37, 1.7)), evenly_spaced(values, 37)
    )


def test_weighted_quantiles_are_those_of_the_naive_rule():
    rng = np.random.default_rng(1)
    values, weights = rng.normal(size=(23, 3)), rng.integers(1, 6, 23).astype(float)
    found = weighted_quantiles(values, weights)
    size = int(weights.sum() ** 2 / (weights**2).sum())
    assert found.size == size
    # A row with a whole weight is equivalent to repeated rows.
    repeated = np.sort(np.repeat(values, weights.astype(int), axis=0), axis=None)
    shares = (2 * np.arange(size) + 1) / (2 * size)
    np.testing.assert_array_equal(found, repeated[np.floor(shares * repeated.size).astype(int)])


def test_the_posterior_finds_a_constant_hazard():
    rng = np.random.default_rng(3)
    n = 3000
    X = rng.normal(size=(n, 1))
    T = rng.exponential(np.exp(-0.8 * X[:, 0]))
    C = rng.exponential(2.0, n)
    outcome = EventTimes(np.minimum(T, C), T <= C)
    draws = PersonPeriod.of(X, outcome, (0.3, 0.9)).risk_logits(X[:400], (0.3, 0.9))
    for t, logits in draws.items():
        pi = -np.expm1(-t * np.exp(0.8 * X[:400, 0]))
        p = 1 / (1 + np.exp(-logits))
        error = p.mean(axis=1) - pi
        assert abs(error.mean()) < 0.02
        assert np.abs(error).mean() < 0.04
        # The spread of the draws reflects their error.
        assert np.mean(np.abs(error) < 3 * p.std(axis=1)) > 0.9
