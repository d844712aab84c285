import numpy as np
import pytest
from scipy.special import expit
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from conformal_roc_widget.calibration.references import learned_scores as learned_scores_module
from conformal_roc_widget.calibration.references.learned_scores import (
    LEARNERS,
    MOST_TOGETHER,
    boosted,
    explained_variance,
    forest,
    learned_scores,
    levels_together,
    logistic,
    variance_of_pi,
)


def test_the_variance_that_two_scores_explain_by_hand():
    y, a = np.array([0, 0, 1, 1]), np.array([0.0, 0.5, 0.5, 1.0])
    # Cov(y, a) = (0.5 * 0.5 + 0 + 0 + 0.5 * 0.5) / 4 = 1/8 = Var(a)
    assert explained_variance(y, a, a)[0] == pytest.approx(1 / 8)
    # b = (0, 0, 1/2, 1/2) has covariance 1/8 with the labels and 1/16 with a, so 1/8 * 1/8 / (1/16)
    b = np.array([0.0, 0.0, 0.5, 0.5])
    assert explained_variance(y, a, b)[0] == pytest.approx(1 / 4)
    for useless in (1 - a, np.full(4, 0.3)):
        assert explained_variance(y, a, useless) == (0, 0)
        assert explained_variance(y, useless, useless) == (0, 0)


def test_noise_that_two_scores_do_not_share_takes_nothing_from_it(rng):
    pi = expit(rng.normal(size=200_000))
    y = (rng.random(pi.size) < pi).astype(int)
    noise = rng.normal(0, 0.3, (2, pi.size))
    for a, b in [(pi, pi), (0.2 * pi, 0.4 * pi), pi + noise]:
        value, error = explained_variance(y, a, b)
        assert value == pytest.approx(pi.var(), abs=4 * error)
        assert error < 0.05 * pi.var()


def test_its_error_is_the_jackknifes(rng):
    pi = expit(rng.normal(size=300))
    y = (rng.random(300) < pi).astype(int)
    a, b = pi + rng.normal(0, 0.1, (2, 300))
    left_out = [explained_variance(*(np.delete(x, i) for x in (y, a, b)))[0] for i in range(300)]
    jackknife = np.sqrt(299 * np.var(left_out))
    assert explained_variance(y, a, b)[1] == pytest.approx(jackknife, rel=0.02)


def test_of_several_learners_the_one_that_shows_most_counts(rng):
    pi = expit(rng.normal(size=2_000))
    y = (rng.random(pi.size) < pi).astype(int)
    own, other = pi[:, None] + rng.normal(0, 0.2, (2, pi.size, 1))
    useless = rng.normal(size=(2, pi.size, 1))
    value, error = explained_variance(y, own[:, 0], other[:, 0])
    assert variance_of_pi(y, own, other).plus(1.5) == pytest.approx(value + 1.5 * error)
    both = np.hstack([own, useless[0]]), np.hstack([other, useless[1]])
    assert variance_of_pi(y, *both).plus(1.5) >= value + 1.5 * error
    assert variance_of_pi(y, *useless).plus(1.5) < 0.3 * pi.var()
    # The variance is at most .95 of the labels' variance.
    assert variance_of_pi(y, y[:, None], y[:, None]).plus(1.5) == pytest.approx(0.95 * y.var())


def test_weak_signals_show_before_any_score_can_use_them(rng):
    X = rng.normal(size=(1_000, 60))
    pi = expit(X @ rng.normal(0, 0.13, 60))
    y = (rng.random(1_000) < pi).astype(int)
    (found,) = learned_scores(X, y, 0)
    scores = found.scores.mean(axis=1)
    learned = np.cov(y, scores)[0, 1] ** 2 / scores.var()
    assert learned < 0.8 * pi.var()
    assert 0.8 * pi.var() < found.variance.plus(1.5) < 1.6 * pi.var()


def test_scores_are_out_of_fold_as_scikit_learn_has_them(rng):
    X, y = rng.normal(size=(60, 3)), np.resize([0, 1, 1], 60)
    folds = StratifiedKFold(5, shuffle=True, random_state=7)
    wanted = cross_val_predict(
        LogisticRegression(C=0.1, max_iter=1000), X, y, cv=folds, method="predict_proba"
    )
    new = rng.normal(size=(9, 3))
    scores, elsewhere = logistic(X, y, new, 7)
    np.testing.assert_allclose(scores, wanted)
    models = [
        LogisticRegression(C=0.1, max_iter=1000).fit(X[rows], y[rows]).predict_proba(new)
        for rows, _ in folds.split(X, y)
    ]
    np.testing.assert_allclose(elsewhere, np.mean(models, axis=0))


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda f: f.__name__)
def test_no_learner_sees_the_label_that_it_is_asked_for(rng, learner):
    X, y = rng.normal(size=(1_000, 5)), rng.integers(0, 2, 1_000)
    assert roc_auc_score(y, learner(X, y, X[:0], 0)[0][:, 1]) == pytest.approx(0.5, abs=0.1)


def test_levels_of_a_word_become_one_column_by_hand():
    # The columns encode two numbers, a word with three levels, and a truth value that equals one of
    # these levels.
    X = np.array([[5, 1, 0, 0, 9, 0], [6, 0, 1, 0, 8, 1], [7, 0, 0, 1, 7, 1], [8, 0, 0, 0, 6, 0]])
    columns, levels = levels_together(X * 1.5 - 2)
    np.testing.assert_array_equal(levels, [False] * 3 + [True])
    np.testing.assert_array_equal(columns[:, :3], X[:, [0, 4, 5]] * 1.5 - 2)
    np.testing.assert_array_equal(columns[:, 3], [1, 2, 3, 0])
    alone, none = levels_together(X[:, [0, 4, 5]] * 1.0)
    np.testing.assert_array_equal(alone, X[:, [0, 4, 5]])
    assert not none.any()
    assert not levels_together(np.ones((4, 2)))[1].any()


def test_what_is_together_says_all_that_the_columns_said(rng):
    words = rng.integers(0, (3, 70, 2), (500, 3))
    X = np.concatenate([words[:, [k]] == np.unique(words[:, k]) for k in range(3)], axis=1) * 1.0
    columns, levels = levels_together(X)
    assert levels.sum() >= 4
    assert columns[:, levels].max() == MOST_TOGETHER
    place = 0
    for column in columns[:, levels].T:
        # Naively: each code belongs to the next unused column of the table.
        for code in range(1, int(column.max()) + 1):
            np.testing.assert_array_equal(column == code, X[:, place] == 1)
            place += 1
    assert place + (~levels).sum() == X.shape[1]


def test_boosted_trees_learn_a_word_of_many_levels(rng):
    word = rng.integers(0, 20, 3_000)
    X = (word[:, None] == np.arange(20)) * 1.0
    pi = expit(rng.normal(0, 1.5, 20))[word]
    y = (rng.random(3_000) < pi).astype(int)
    scores, elsewhere = boosted(X, y, X[:20], 0)
    assert np.corrcoef(scores[:, 1], pi)[0, 1] > 0.97
    assert np.corrcoef(elsewhere[:, 1], pi[:20])[0, 1] > 0.97


def test_a_forest_has_trees_of_at_most_some_points_and_half_of_them_in_a_half(rng, monkeypatch):
    grown = []

    class Grown(RandomForestClassifier):
        def fit(self, X, y):
            grown.append((len(X), self.n_estimators, self.max_samples))
            return super().fit(X, y)

    monkeypatch.setattr(learned_scores_module, "FOREST", Grown(min_samples_leaf=5))
    monkeypatch.setattr(learned_scores_module, "POINTS_OF_A_TREE", 70)
    for n in (80, 300):
        X, y = rng.normal(size=(n, 2)), rng.integers(0, 2, n)
        forest(X, y, X[:0], 0)
        forest(X, y, X[:9], 0)
    assert grown == [(80, 100, 40), (80, 50, 40), (300, 100, 70), (300, 50, 70)]


def test_they_are_the_same_each_time(rng):
    """Also with several processes: the draws of test_learned.py depend on these scores."""
    X, y = rng.normal(size=(80, 3)), np.resize([0, 1], 80)
    (first,), (again,), (other,) = (learned_scores(X, y, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.scores, again.scores)
    assert first.variance == again.variance
    assert first.scores.shape == (80, 3)
    assert (other.scores != first.scores).any()


def test_four_points_of_a_label_are_enough(rng):
    (found,) = learned_scores(rng.normal(size=(30, 2)), np.repeat([0, 1], [26, 4]), 0)
    assert np.isfinite(found.scores).all()


@pytest.mark.parametrize("of_people", [False, True])
def test_of_several_classes_each_has_the_scores_of_models_of_all(rng, of_people, monkeypatch):
    X, y = rng.normal(size=(90, 3)), np.repeat([0, 1, 2], [50, 30, 10])
    X[:, 0] += y
    people = rng.permutation(np.arange(90) // 2) if of_people else None
    monkeypatch.setattr(learned_scores_module, "LEARNERS", (logistic,))
    found = learned_scores(X, y, 3, people=people)
    one, two = learned_scores_module._halves(y, 3, people)
    wanted, _ = logistic(X, y, X[:0], 3, people)
    halves = np.empty((2, 90, 3))
    for own, other in [(one, two), (two, one)]:
        whose = None if people is None else people[own]
        halves[0, own], halves[1, other] = logistic(X[own], y[own], X[other], 3, whose)
    for l, each in enumerate(found):
        np.testing.assert_array_equal(each.scores[:, 0], wanted[:, l])
        label = (y == l).astype(int)
        assert each.variance == variance_of_pi(label, halves[0][:, [l]], halves[1][:, [l]])


def test_each_half_has_the_rarest_class_of_people(rng):
    people, y = np.arange(60) // 3, np.tile([0, 1, 1], 20)
    y[::15] = 2  # in four people of twenty
    one, two = learned_scores_module._halves(y, 0, people)
    assert not set(people[one]) & set(people[two])
    assert [np.unique(people[half][y[half] == 2]).size for half in (one, two)] == [2, 2]


def test_a_class_that_a_fold_lacks_has_no_score_there(rng, monkeypatch):
    X, y = rng.normal(size=(40, 2)), np.tile([0, 1], 20)
    y[:2] = 2
    one, two = np.arange(20), np.arange(20, 40)
    monkeypatch.setattr(
        learned_scores_module, "stratified_folds", lambda *_: [(one, two), (two, one)]
    )
    scores, elsewhere = logistic(X, y, X[:5], 0)
    assert (scores[one, 2] == 0).all()
    assert (scores[two, 2] > 0).all()
    assert (elsewhere[:, 2] > 0).all()
    np.testing.assert_allclose(scores.sum(axis=1), 1)
    np.testing.assert_allclose(elsewhere.sum(axis=1), 1)


def test_a_class_that_a_half_lacks_has_no_score_of_its_models(rng, monkeypatch):
    X, y = rng.normal(size=(60, 2)), np.tile([0, 1], 30)
    y[:8] = 2
    one, two = np.arange(30), np.arange(30, 60)
    monkeypatch.setattr(learned_scores_module, "_halves", lambda *_: (one, two))
    monkeypatch.setattr(learned_scores_module, "LEARNERS", (logistic,))
    found = learned_scores(X, y, 0, people=np.arange(60) // 2)
    assert [np.isfinite(each.scores).all() for each in found] == [True] * 3
    # The second half's models say nothing of class 2, so nothing shows that its risk varies.
    assert found[2].variance.value == 0
