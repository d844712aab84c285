"""Three learners' probabilities for points that they have not seen, and how ``pi`` must vary.

`learned_scores` gives every labelled point the probability of three models that were trained
without it. None of them is ``pi``: scores from few points vary too little where a model is held
back, and too much where it is not. How much ``pi`` itself varies is told by models of two halves.

A score p that has not seen the labels y has ``Cov(y, p)^2 / Var(p) <= Var(pi)``, by Cauchy and
Schwarz. That bound is far too low where p is noisy, for Var(p) holds the noise. Models a and b of
disjoint halves are noisy independently of each other. So Cov(a, b) is the variance of their mean
over all training sets, which has no noise, and ``Cov(y, a) Cov(y, b) / Cov(a, b)`` is the bound of
that mean. It needs no good model: weak signals that no score could use show in it, as they do in
the variance components of genetics.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from joblib import delayed
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.parallel import in_order

from .kernel import thread_pools

#: At most this many folds, here and in `conformal_roc_widget.calibration.cross_conformal`.
FOLDS = 5
#: Each label needs at least this many points: two halves, each with two folds.
FEWEST = 4
#: Number of trees of the forest, and fewest points in a leaf. Half as many serve the halves, whose
#: scores are only asked how they vary together, and a tree of 10,000 points sees a quarter of them.
TREES, LEAF = 100, 5
HALF_TREES, POINTS_OF_A_TREE = 50, 2_500
#: This many standard errors are added to the estimated variance of ``pi``.
ERRORS = 1.5
#: Largest variance of ``pi``, as a share of that of labels.
MOST_VARIANCE = 0.95
#: The learners' models, untrained: a ridge-penalized logistic regression, forty small boosted trees
#: and a forest.
LINEAR = LogisticRegression(C=0.1, max_iter=1000)
BOOSTED = HistGradientBoostingClassifier(
    max_iter=40,
    learning_rate=0.15,
    max_leaf_nodes=8,
    min_samples_leaf=10,
    max_bins=32,
    early_stopping=False,
)
FOREST = RandomForestClassifier(TREES, min_samples_leaf=LEAF)
#: The most levels of a word for boosted trees: `BOOSTED` has a bin for each, and one for none.
MOST_TOGETHER = 31
#: If the table has more numbers than this, a learner uses several threads.
WORTH_THREADS = 1_000_000

#: A function of points, labels, other points, a seed and the points' people (None: each is one):
#: scores of both kinds of points, those of the first out of fold.
Learner = Callable[[Floats, Ints, Floats, int, Ints | None], tuple[Floats, Floats]]


def logistic(*rows: Any) -> tuple[Floats, Floats]:
    """Logistic regression with a ridge penalty, out of fold."""
    return _out_of_fold(LINEAR, *rows)


def boosted(
    X: Floats, y: Ints, others: Floats, seed: int, people: Ints | None = None
) -> tuple[Floats, Floats]:
    """Forty small boosted trees, out of fold.

    Their time goes with the number of columns, so that they get a word's levels as one.
    """
    columns, levels = levels_together(np.concatenate([X, others]))
    model = clone(BOOSTED).set_params(categorical_features=levels if levels.any() else None)
    return _out_of_fold(model, columns[: y.size], y, columns[y.size :], seed, people)


def levels_together(X: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Columns of a table in which neighbours of two values, never both the larger one, are one.

    Such a column is 0 where all of them have their smaller value, and otherwise the place of the
    one that has not. The second array says which columns these are; they come after the others.
    """
    low, high = X.min(axis=0), X.max(axis=0)
    two_valued = (low < high) & (np.equal(X, low) | np.equal(X, high)).all(axis=0)
    groups: list[list[int]] = []
    taken = np.zeros(len(X), dtype=np.bool_)
    for column in np.flatnonzero(two_valued).tolist():
        present = X[:, column] == high[column]
        if groups and len(groups[-1]) < MOST_TOGETHER and not (present & taken).any():
            groups[-1].append(column)
            taken = taken | present
        else:
            groups.append([column])
            taken = present
    groups = [group for group in groups if len(group) > 1]
    codes = np.zeros((len(X), len(groups)))
    for which, group in enumerate(groups):
        for code, column in enumerate(group, start=1):
            codes[X[:, column] == high[column], which] = code
    alone = np.delete(X, [column for group in groups for column in group], axis=1)
    return np.concatenate([alone, codes], axis=1), np.repeat(
        [False, True], [alone.shape[1], len(groups)]
    )


def forest(
    X: Floats, y: Ints, others: Floats, seed: int, people: Ints | None = None
) -> tuple[Floats, Floats]:
    """A random forest, each point by the trees that were grown without it; a smaller one of a half.

    Trees see single rows of a person: where rows belong together, forests leave out whole folds.
    """
    if people is not None:
        trees = clone(FOREST).set_params(random_state=seed)
        return _out_of_fold(trees, X, y, others, seed, people)
    trees = clone(FOREST).set_params(
        n_estimators=HALF_TREES if len(others) else TREES,
        max_samples=min(y.size // 2, POINTS_OF_A_TREE),
        oob_score=_no_score,
        random_state=seed,
    )
    trees.fit(X, y)
    scores: Floats = trees.oob_decision_function_[:, 1]
    elsewhere = trees.predict_proba(others)[:, 1] if len(others) else np.empty(0)
    return np.where(np.isnan(scores), y.mean(), scores), elsewhere


#: The learners, in the order of the columns of `learned_scores`.
LEARNERS: tuple[Learner, ...] = (logistic, boosted, forest)


def _no_score(y: Any, scores: Any) -> float:
    return 0.0


def _out_of_fold(
    model: Any,
    X: Floats,
    y: Ints,
    others: Floats,
    seed: int,
    people: Ints | None = None,
) -> tuple[Floats, Floats]:
    """Scores of each point by the model without its fold, and of others by the mean of all."""
    scores, elsewhere = np.empty(y.size), np.zeros(len(others))
    folds = stratified_folds(y, people, seed)
    for training, held_out in folds:
        fitted = clone(model).fit(X[training], y[training])
        scores[held_out] = fitted.predict_proba(X[held_out])[:, 1]
        if len(others):
            elsewhere += fitted.predict_proba(others)[:, 1] / len(folds)
    return scores, elsewhere


def stratified_folds(y: Ints, people: Ints | None, seed: int) -> list[tuple[Ints, Ints]]:
    """For each of at most `FOLDS` folds the rows that train and the rows that are held out.

    Folds have alike shares of each label, and keep the rows of a person together.
    """
    number = min(FOLDS, fewest_of_a_label(y, people))
    kind = StratifiedKFold if people is None else StratifiedGroupKFold
    return list(kind(number, shuffle=True, random_state=seed).split(y, y, people))


def _scores(
    learner: Learner, X: Floats, y: Ints, others: Floats, seed: int, people: Ints | None
) -> tuple[Floats, Floats]:
    """A learner's scores."""
    with threads_for(X.size):
        return learner(X, y, others, seed, people)


def threads_for(size: int) -> Any:
    """Limits learners to one thread if a table has too few numbers to share out."""
    return thread_pools().limit(limits=1 if size < WORTH_THREADS else None)


class ExplainedVariance(NamedTuple):
    """The part of ``Var(pi)`` that scores explain, its standard error, and the most it can be."""

    value: float
    error: float
    most: float

    def plus(self, errors: float) -> float:
        """The value plus this many standard errors."""
        return min(self.value + errors * self.error, self.most)

    @property
    def of_labels(self) -> float:
        """The variance of the labels."""
        return self.most / MOST_VARIANCE


class LearnedScores(NamedTuple):
    """Out-of-fold probabilities (n, 3), and the variance of ``pi`` that learners explain."""

    scores: Floats
    variance: ExplainedVariance


def learned_scores(
    X: Floats,
    y: Ints,
    seed: int,
    *,
    people: Ints | None = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> LearnedScores:
    """Train the learners on all points and on two halves.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Encoded features of all labelled points.
    y : ndarray of shape (n,)
        Labels 0 and 1, at least `FEWEST` of each.
    seed : int
        Of folds, halves and forests.
    people : ndarray of shape (n,) or None
        Whom the points belong to: no person is on both sides of a fold, or in both halves.
    n_jobs : int or None
        As joblib takes it.
    progress : bool
        Whether to show a bar.

    Returns
    -------
    LearnedScores
        The scores, and the variance.
    """
    one, two = _halves(y, seed, people)
    nobody = one[:0]
    tasks = [
        (learner, *rows)
        for rows in ((np.arange(y.size), nobody), (one, two), (two, one))
        for learner in LEARNERS
    ]
    calls = (
        delayed(_scores)(
            *(learner, X[rows], y[rows], X[others], seed),
            None if people is None else people[rows],
        )
        for learner, rows, others in tasks
    )
    bar = {"title": "reference", "unit": "model"}
    found = in_order(calls, len(tasks), **bar, n_jobs=n_jobs, progress=progress)
    k = len(LEARNERS)
    first, second = np.empty((y.size, k)), np.empty((y.size, k))
    first[one], second[two] = (
        np.column_stack(part) for part in zip(*found[k : 2 * k], strict=True)
    )
    first[two], second[one] = (np.column_stack(part) for part in zip(*found[2 * k :], strict=True))
    return LearnedScores(
        np.column_stack([scores for scores, _ in found[:k]]), variance_of_pi(y, first, second)
    )


def explained_variance(y: Ints, first: Floats, second: Floats) -> tuple[float, float]:
    """``Cov(y, a) Cov(y, b) / Cov(a, b)`` for two scores, and its standard error.

    Both are 0 where the scores do not go with the labels or with each other.
    """
    label, a, b = (values - values.mean() for values in (y, first, second))
    products = np.stack([label * a, label * b, a * b])
    with_a, with_b, shared = covariances = products.mean(axis=1)
    if covariances.min() <= 0:
        return 0.0, 0.0
    value = with_a * with_b / shared
    influence = value * (np.array([1, 1, -1]) / covariances) @ (products - covariances[:, None])
    return float(value), float(np.sqrt(np.mean(influence**2) / y.size))


def variance_of_pi(y: Ints, first: Floats, second: Floats) -> ExplainedVariance:
    """The largest of the bounds that the learners (n, k) and their mean give, errors added.

    `ERRORS` standard errors, for even the mean over all training sets is a model that is held back,
    and too small a variance costs coverage where too large a one costs a little width. A bound that
    is smaller than its own error says nothing.
    """
    most = MOST_VARIANCE * float(y.mean() * (1 - y.mean()))
    every = [*zip(first.T, second.T, strict=True), (first.mean(axis=1), second.mean(axis=1))]
    bounds = [ExplainedVariance(*explained_variance(y, a, b), most) for a, b in every]
    certain = [bound for bound in bounds if bound.value > bound.error]
    nothing = ExplainedVariance(0.0, 0.0, most)
    return max(certain, key=lambda bound: bound.value + ERRORS * bound.error, default=nothing)


def fewest_of_a_label(y: Ints, people: Ints | None) -> int:
    """Number of points, or people, that the rarer label has."""
    if people is None:
        return int(np.bincount(y).min())
    fewest = min(np.unique(people[y == k]).size for k in np.unique(y))
    if fewest < 2:
        raise ValueError(
            f"groups: found a label in {fewest} group only, expected each label in two or more"
        )
    return fewest


def _halves(y: Ints, seed: int, people: Ints | None) -> tuple[Ints, Ints]:
    """Two random halves with the same share of each label; a person's rows are all in one."""
    people = np.arange(y.size) if people is None else people
    names, place = np.unique(people, return_inverse=True)
    positive = np.bincount(place, y) / np.bincount(place)
    order = np.random.default_rng([seed, 3]).permutation(names.size)
    order = order[np.argsort(positive[order], kind="stable")]
    first = np.isin(place, order[::2])
    return np.flatnonzero(first), np.flatnonzero(~first)
