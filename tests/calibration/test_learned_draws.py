import numpy as np
import pytest
from scipy.special import expit

from conformal_roc_widget.calibration.learned_reference import learned_draws


def table(rng, n):
    """Ten columns, a step and an interaction that no straight line follows."""
    X = rng.normal(size=(n, 10))
    X[:, 5:] = rng.integers(0, 3, (n, 5))
    return X, np.where(X[:, 0] > 0, 1.5, -1.0) + X[:, 1] * (X[:, 5] == 1)


def test_the_draws_are_near_the_truth_and_spread_as_it_is(rng):
    X, truth = table(rng, 800)
    y = (rng.random(800) < expit(truth)).astype(int)
    found = learned_draws(X, y, 0)
    assert found.draws.shape == found.smooth.shape == (800, 300)
    assert np.corrcoef(found.smooth.mean(axis=1), truth)[0, 1] > 0.8
    assert found.draws.std() == pytest.approx(truth.std(), rel=0.25)
    covered = [np.mean(np.quantile(found.draws, q, axis=1) > truth) for q in (0.025, 0.975)]
    assert covered[1] - covered[0] > 0.85


def test_they_are_the_same_each_time_and_with_processes(rng):
    X, truth = table(rng, 120)
    y = (rng.random(120) < expit(truth)).astype(int)
    first = learned_draws(X, y, 4)
    np.testing.assert_array_equal(learned_draws(X, y, 4, n_jobs=2).draws, first.draws)
    assert (learned_draws(X, y, 5).draws != first.draws).any()


def test_a_table_in_which_nothing_varies_has_an_answer():
    y = np.resize([0, 0, 1], 60)
    found = learned_draws(np.ones((60, 2)), y)
    assert expit(found.draws).mean() == pytest.approx(1 / 3, abs=0.08)
