"""Evaluations at horizons: the mapping of them, and how far test rows lie from the data."""

import numpy as np
import oracles
import pandas as pd
import pytest
from followed_data import Exponential, drawn, risk
from scipy.special import logit

from conformal_roc_widget import ConformalROC

T = (0.2, 0.6)
(X, Y), (X_TEST, Y_TEST) = drawn(160, 1), drawn(60, 2)
X_TRAIN, X_CALIBRATION = X[:80], X[80:]


def fitted(estimator, of=np.asarray):
    """A model with the true risk as its reference. `of` makes the table that it gets."""
    model = ConformalROC(estimator, horizons=T, reference=lambda table, t: risk(numbers(table), t))
    rest = {"X_calibration": of(X_CALIBRATION), "y_calibration": Y[80:]}
    return model.fit(of(X_TRAIN), Y[:80], **rest)


def numbers(table):
    return table[["number"]].to_numpy() if isinstance(table, pd.DataFrame) else table


@pytest.fixture(scope="module")
def model():
    return fitted(Exponential())


def test_horizons_are_equal_to_a_mapping_of_the_same_evaluations(model):
    found = model.evaluate_all(X_TEST, Y_TEST)
    assert found == dict(found)
    assert found != {T[0]: found[T[0]]}
    with pytest.raises(AttributeError):
        found._items = {}


def test_without_a_level_areas_have_that_of_five_percent(model):
    found = model.evaluate_all(X_TEST, Y_TEST)
    pd.testing.assert_frame_equal(found.auc(), found.auc(0.05))
    assert found.auc().attrs == {"alpha": 0.05}


def test_a_guarantee_is_chosen_only_if_the_user_names_it(model):
    assert not model.evaluate(X_TEST, Y_TEST, T[0]).is_chosen
    for guarantee in ("individual", "everywhere"):
        chosen = model.evaluate(X_TEST, Y_TEST, T[0], guarantee=guarantee)
        assert (chosen.guarantee, chosen.is_chosen) == (guarantee, True)


def sizes(sources, targets=None):
    """Effective sample sizes by loops. Without targets, each source is left out of its own."""
    rows = sources.tolist()
    kept, h = oracles.bandwidths(rows)
    if targets is None:
        others = [(rows[:i] + rows[i + 1 :], row) for i, row in enumerate(rows)]
        return np.array([oracles.effective_n(other, row, kept, h) for other, row in others])
    return np.array([oracles.effective_n(rows, row, kept, h) for row in targets.tolist()])


def check_support(evaluation, expected, lowest):
    """Asserts that sizes are `expected` and rows far away are those below 1 % of `lowest`."""
    support, limit = evaluation.support, np.percentile(lowest, 1)
    np.testing.assert_allclose(support.effective_n, expected, rtol=1e-8)
    np.testing.assert_array_equal(support.extrapolating, expected < limit)
    assert 0 < support.share < 1
    assert np.isnan(support.reference_slope).all()


def test_rows_of_numbers_are_far_if_few_training_rows_have_like_features(model):
    far = X_TEST * np.linspace(1, 3, 60)[:, None]
    evaluation = model.evaluate(far, Y_TEST, T[1])
    known = far[~evaluation.unknown]
    check_support(evaluation, sizes(X_TRAIN, known), sizes(X_TRAIN, X_CALIBRATION))


def test_rows_with_words_are_far_if_few_calibration_rows_have_like_scores():
    def worded(rows):
        return pd.DataFrame({"number": rows[:, 0], "word": np.where(rows[:, 1] > 0, "up", "down")})

    def said(table, t):
        return risk(numbers(table), t) ** 1.2

    far = X_TEST * np.linspace(1, 1.6, 60)[:, None]
    evaluation = fitted(said, worded).evaluate(worded(far), Y_TEST, T[1])
    own, there = (logit(said(rows[:, :1], T[1]))[:, None] for rows in (X_CALIBRATION, far))
    check_support(evaluation, sizes(own, there[~evaluation.unknown]), sizes(own))
