import numpy as np
import pytest
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from conformal_roc_widget.calibration.learned_scores import (
    LEARNERS,
    _halves,
    learned_scores,
    logistic,
    revealed_variance,
    variance_with_gap,
)


def test_the_variance_that_a_score_accounts_for_by_hand():
    y, p = np.array([0, 0, 1, 1]), np.array([0.0, 0.5, 0.5, 1.0])
    # Cov = (0.5 * 0.5 + 0 + 0 + 0.5 * 0.5) / 4 = 1/8, Var(p) = (1/4 + 1/4) / 4 = 1/8
    assert revealed_variance(y, p) == pytest.approx(1 / 8)
    assert revealed_variance(y, 1 - p) == 0
    assert revealed_variance(y, np.full(4, 0.3)) == 0


def test_it_is_the_variance_of_the_best_line_and_of_pi_itself_where_the_score_is_pi(rng):
    pi = expit(rng.normal(size=200_000))
    y = (rng.random(pi.size) < pi).astype(int)
    for score in (pi, 3 * pi - 1, pi + rng.normal(0, 0.1, pi.size)):
        slope, intercept = np.polyfit(score, y, 1)
        assert revealed_variance(y, score) == pytest.approx(np.var(intercept + slope * score))
    assert revealed_variance(y, pi) == pytest.approx(pi.var(), rel=0.02)


def test_twice_the_last_doublings_gain_is_still_to_come_and_a_loss_is_none():
    assert variance_with_gap(0.10, [0.08, 0.06]) == pytest.approx(0.16)
    assert variance_with_gap(0.10, [0.12, 0.10]) == 0.10


def test_scores_are_out_of_fold_as_scikit_learn_has_them(rng):
    X, y = rng.normal(size=(60, 3)), np.resize([0, 1, 1], 60)
    folds = StratifiedKFold(5, shuffle=True, random_state=7)
    wanted = cross_val_predict(
        LogisticRegression(C=0.1, max_iter=1000), X, y, cv=folds, method="predict_proba"
    )
    np.testing.assert_allclose(logistic(X, y, 7), wanted[:, 1])


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda f: f.__name__)
def test_no_learner_sees_the_label_that_it_is_asked_for(rng, learner):
    X, y = rng.normal(size=(300, 5)), rng.integers(0, 2, 300)
    assert roc_auc_score(y, learner(X, y, 0)) == pytest.approx(0.5, abs=0.1)


def test_halves_share_the_labels_and_have_every_point_once(rng):
    y = np.resize([0, 0, 0, 0, 1], 41)
    one, other = _halves(y, 3)
    assert sorted([*one, *other]) == list(range(41))
    assert abs(y[one].sum() - y[other].sum()) <= 1
    assert abs(one.size - other.size) <= 1


def test_they_are_the_same_each_time_and_with_processes(rng):
    X, y = rng.normal(size=(80, 3)), np.resize([0, 1], 80)
    first = learned_scores(X, y, 1)
    again = learned_scores(X, y, 1, n_jobs=2)
    np.testing.assert_array_equal(first.scores, again.scores)
    assert first.variance == again.variance
    assert first.scores.shape == (80, 3)
    assert (learned_scores(X, y, 2).scores != first.scores).any()


def test_four_points_of_a_label_are_enough(rng):
    found = learned_scores(rng.normal(size=(30, 2)), np.repeat([0, 1], [26, 4]), 0)
    assert np.isfinite(found.scores).all()


def test_progress_is_shown_where_it_is_asked_for(rng, capsys):
    learned_scores(rng.normal(size=(30, 2)), np.resize([0, 1], 30), 0, progress=True)
    assert "reference" in capsys.readouterr().err
