"""Which rows are cases, controls or unknown at a horizon, and their weights."""

from fractions import Fraction

import numpy as np
import pytest
from followed_data import naive_known, outcome

from conformal_roc_widget.calibration.followed.censoring import (
    CoxCensoring,
    GivenCensoring,
    MarginalCensoring,
)
from conformal_roc_widget.calibration.followed.known import (
    Known,
    check_known,
    chosen_horizon,
    horizons_of,
)
from conformal_roc_widget.tables.event_times import EventTimes
from conformal_roc_widget.tables.points import Points

HAND = EventTimes(
    np.array([1.0, 2, 2, 3, 4, 5, 5, 6]),
    np.array([1, 1, 0, 1, 0, 1, 0, 0], dtype=bool),
)


def random_outcome(seed, n=60):
    rng = np.random.default_rng(seed)
    return EventTimes(rng.integers(0, 12, n).astype(float), rng.random(n) < 0.55)


def test_hand_example():
    before = MarginalCensoring.of(HAND).before(HAND.times)
    expected = [1, 1, 1, 5 / 6, 5 / 6, 5 / 8, 5 / 8, 5 / 16]
    np.testing.assert_allclose(before, expected, rtol=1e-15)


@pytest.mark.parametrize(
    ("horizon", "weights"),
    [(4, [1, 1, 0, 1.2, 1.2, 1.2, 1.2, 1.2]), (6, [1, 1, 0, 1.2, 0, 1.6, 0, 3.2])],
)
def test_hand_weights(horizon, weights):
    known = Known.of(HAND, horizon, MarginalCensoring.of(HAND))
    every = np.zeros(8)
    every[known.rows] = known.weights
    np.testing.assert_allclose(every, weights, rtol=1e-14)
    assert every.sum() == pytest.approx(8, abs=1e-12)
    np.testing.assert_array_equal(known.unknown, every == 0)


@pytest.mark.parametrize("seed", range(20))
def test_weights_are_those_of_the_naive_rule_and_their_sum_is_n(seed):
    times = random_outcome(seed)
    censoring, y = MarginalCensoring.of(times), outcome(*times)
    for horizon in range(1, int(times.times.max()) + 1):
        known = Known.of(times, horizon, censoring)
        naive = naive_known(y, y, horizon, Fraction)
        rows = [i for i, (label, _) in enumerate(naive) if label is not None]
        np.testing.assert_array_equal(known.rows, rows)
        np.testing.assert_array_equal(known.labels, [naive[i][0] for i in rows])
        np.testing.assert_allclose(known.weights, [float(naive[i][1]) for i in rows], rtol=1e-12)
        assert sum(weight for _, weight in naive) == len(naive)
        assert known.weights.sum() == pytest.approx(len(naive), rel=1e-12)


def test_events_and_censorings_at_time_0():
    outcome = EventTimes(np.array([0.0, 0, 1, 2]), np.array([True, False, True, False]))
    known = Known.of(outcome, 1.0, MarginalCensoring.of(outcome))
    np.testing.assert_array_equal(known.rows, [0, 2, 3])
    np.testing.assert_array_equal(known.labels, [1, 1, 0])
    # The row that is lost first was at risk together with the two later ones.
    np.testing.assert_allclose(known.weights, [1, 1.5, 1.5])


def test_without_censoring_every_row_counts_once():
    times = np.arange(1.0, 9)
    outcome = EventTimes(times, np.ones(8, dtype=bool))
    known = Known.of(outcome, 4.0, MarginalCensoring.of(outcome))
    assert known.unknown.sum() == 0
    assert (known.weights == 1).all()
    np.testing.assert_array_equal(known.labels, times <= 4)


def breslow(coefficients, outcome, X):
    """Log partial likelihood of the censoring times plus the weak prior, summed over rows."""
    total = -0.5 * float(coefficients @ coefficients)
    for i in np.flatnonzero(~outcome.events):
        c = outcome.times[i]
        at_risk = (outcome.times > c) | ((outcome.times == c) & ~outcome.events)
        total += X[i] @ coefficients - np.log(np.exp(X[at_risk] @ coefficients).sum())
    return total


def test_cox_model_maximizes_the_naive_partial_likelihood():
    from scipy.optimize import minimize

    rng = np.random.default_rng(5)
    X = rng.normal(size=(120, 2)) * [2, 0.3] + [1, 5]
    outcome = EventTimes(
        np.ceil(rng.exponential(np.exp(-0.3 * X[:, 0])) * 8), rng.random(120) < 0.5
    )
    model = CoxCensoring.of(outcome, X)
    Z = np.clip((X - X.mean(0)) / X.std(0), -5, 5)
    naive = minimize(
        lambda b: -breslow(b, outcome, Z),
        np.zeros(2),
        method="Nelder-Mead",
        options={"xatol": 1e-8, "fatol": 1e-12},
    )
    np.testing.assert_allclose(model.coefficients, naive.x, atol=1e-6)
    hazard = 0.0
    for c in np.unique(outcome.times[~outcome.events]):
        point = Points(X, X, None)
        at = np.full(120, c)
        np.testing.assert_allclose(
            model.before(at, point), np.exp(-hazard * np.exp(Z @ model.coefficients)), rtol=1e-9
        )
        at_risk = (outcome.times > c) | ((outcome.times == c) & ~outcome.events)
        lost = ((outcome.times == c) & ~outcome.events).sum()
        hazard += lost / np.exp(Z[at_risk] @ model.coefficients).sum()


def test_cox_model_of_a_feature_that_separates_stays_finite():
    X = np.repeat([[0.0], [1.0]], 10, axis=0)
    outcome = EventTimes(np.tile(np.arange(1.0, 11), 2), np.repeat([True, False], 10))
    assert np.isfinite(CoxCensoring.of(outcome, X).coefficients).all()


def test_without_censoring_the_cox_model_says_1():
    outcome = EventTimes(np.arange(1.0, 9), np.ones(8, dtype=bool))
    X = np.arange(8.0)[:, None]
    before = CoxCensoring.of(outcome, X).before(outcome.times, Points(X, X, None))
    assert (before == 1).all()


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (np.full(8, 1.5), "expected probabilities above 0 and up to 1"),
        (np.zeros(8), "found values from 0 to 0"),
        (np.ones(7), r"found shape \(7,\), expected \(8,\)"),
        (np.full(8, np.nan), "found 8 NaN"),
    ],
)
def test_a_given_function_is_checked(values, said):
    given = GivenCensoring(lambda X, times: values)
    with pytest.raises(ValueError, match=said):
        given.before(HAND.times, Points(np.ones((8, 1)), np.ones((8, 1)), None))


@pytest.mark.parametrize("horizons", [0, -1, np.nan, np.inf, [1, 0], "5", None, True])
def test_a_horizon_is_a_finite_number_above_0(horizons):
    with pytest.raises(
        (TypeError, ValueError), match=r"horizons: found .* in the unit of the times"
    ):
        horizons_of(horizons)


def test_horizons_are_sorted_and_each_stands_once():
    assert horizons_of([3, 1.5, 3]) == (1.5, 3.0)
    assert horizons_of(np.float32(2)) == (2.0,)
    assert chosen_horizon(None, [2.0]) == 2
    with pytest.raises(ValueError, match="found None for 2 horizons, expected one of 1, 2"):
        chosen_horizon(None, [1.0, 2.0])
    with pytest.raises(ValueError, match="horizon: found 3, expected one of 1, 2"):
        chosen_horizon(3, [1.0, 2.0])


def test_too_little_is_known():
    with pytest.raises(ValueError, match="nobody is known to be without the event after 6"):
        check_known(HAND, 7, "y")
    with pytest.raises(ValueError, match="y: found 2 rows with an event by 2 and 6 known"):
        check_known(HAND, 2, "y")
