"""Scores points by three learners that have not seen them, and estimates the variance of ``pi``.

`learned_scores` computes for every labelled point the probabilities of three models that were
trained without it. None of them is the true probability ``pi``: if points are few, the scores of a
restrained model vary too little, and those of a flexible one too much. Models trained on two
disjoint halves of the points show how much ``pi`` itself varies.

If there are more than two classes, every model learns all of them at once. If k classes had a
forest each, training would take k times as long. Each class has a column of scores, and a variance
against the rest.

If a score p was computed without the labels y, ``Cov(y, p)^2 / Var(p) <= Var(pi)`` by the
inequality of Cauchy and Schwarz. If p is noisy, this bound is far too low, because Var(p) contains
the noise. The noises of models a and b from disjoint halves are independent. Consider the mean
score of a model over all training sets, which has no noise. Its variance is Cov(a, b), and its
bound is ``Cov(y, a) Cov(y, b) / Cov(a, b)``. No good model is needed: the bound shows signals that
are too weak for any score, as variance components do in genetics.
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

#: Learners are trained in at most this many folds. So is the classifier with
#: ``calibration="cross"``, and so are the learners of ``center="learned"``.
FOLDS = 5
#: Each label needs at least this many points, because they are split into two halves, and each half
#: into two folds.
FEWEST = 4
#: A forest that is trained on all points has `TREES` trees with at least `LEAF` points in each
#: leaf. The forests on halves of the points have only `HALF_TREES` trees: their scores are used
#: only for the covariance between two halves. A tree sees half of the forest's points, and at most
#: `POINTS_OF_A_TREE`.
TREES, LEAF = 100, 5
HALF_TREES, POINTS_OF_A_TREE = 50, 2_500
#: The estimate of the variance of ``pi`` is raised by this many standard errors.
ERRORS = 1.5
#: The largest variance of ``pi``, as a share of the labels' variance.
MOST_VARIANCE = 0.95
#: Unfitted models, of which clones are trained: a logistic regression with a ridge penalty, forty
#: small boosted trees, and a forest.
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
#: Several levels of a categorical feature share a column of the boosted trees, at most this many.
#: `BOOSTED` has 32 bins: one for each level, and one for rows with none of these levels.
MOST_TOGETHER = 31
#: If a table has at least this many numbers (rows times columns), a learner uses several threads.
WORTH_THREADS = 1_000_000

#: A learner takes points, classes, other points, a seed and the points' people (if None, each point
#: is a person). It returns scores of the points, out of fold, and scores of the other points. Each
#: class has a column.
Learner = Callable[[Floats, Ints, Floats, int, Ints | None], tuple[Floats, Floats]]


def logistic(*rows: Any) -> tuple[Floats, Floats]:
    """Scores by a logistic regression with a ridge penalty, out of fold. See `Learner`."""
    return _out_of_fold(LINEAR, *rows)


def boosted(
    X: Floats, y: Ints, others: Floats, seed: int, people: Ints | None = None
) -> tuple[Floats, Floats]:
    """Scores by forty small boosted trees, out of fold. See `Learner`.

    The time grows with the number of columns. So several levels of a categorical feature share a
    column.
    """
    columns, levels = levels_together(np.concatenate([X, others]))
    model = clone(BOOSTED).set_params(categorical_features=levels if levels.any() else None)
    return _out_of_fold(model, columns[: y.size], y, columns[y.size :], seed, people)


def levels_together(X: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Joins neighbouring two-valued columns if in no row two of them have their larger value.

    If all joined columns have their smaller value, the new column is 0. Otherwise it is the number
    of the column with its larger value. New columns come last. The second array marks them.
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
    """Scores by a random forest, out of bag. See `Learner`.

    If it is trained on half of the points, it has fewer trees. The bootstrap samples of its trees
    ignore people. So if rows belong to people, folds are used instead.
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
    scores: Floats = trees.oob_decision_function_
    shares = np.bincount(y) / y.size
    elsewhere = trees.predict_proba(others) if len(others) else np.empty((0, shares.size))
    return np.where(np.isnan(scores), shares, scores), elsewhere


#: The learners, in the order of the columns of `LearnedScores`.
LEARNERS: tuple[Learner, ...] = (logistic, boosted, forest)
#: The number of models: each learner is trained on all points, and on each of two halves.
MODELS = 3 * len(LEARNERS)


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
    """Returns out-of-fold scores of the points `X`, and the folds' mean scores for `others`."""
    classes = int(y.max()) + 1
    scores, elsewhere = np.zeros((y.size, classes)), np.zeros((len(others), classes))
    folds = stratified_folds(y, people, seed)
    for training, held_out in folds:
        fitted = clone(model).fit(X[training], y[training])
        # All rows of a person are in the same fold. So a class may be missing in the training rows.
        # The score of a missing class is 0.
        known = fitted.classes_
        scores[np.ix_(held_out, known)] = fitted.predict_proba(X[held_out])
        if len(others):
            elsewhere[:, known] += fitted.predict_proba(others) / len(folds)
    return scores, elsewhere


def stratified_folds(y: Ints, people: Ints | None, seed: int) -> list[tuple[Ints, Ints]]:
    """Returns the indices of training and of held-out rows for each of at most `FOLDS` folds.

    The folds have similar shares of each label. The rows of a person are in one fold.
    """
    number = min(FOLDS, fewest_of_a_label(y, people))
    kind = StratifiedKFold if people is None else StratifiedGroupKFold
    return list(kind(number, shuffle=True, random_state=seed).split(y, y, people))


def _scores(
    learner: Learner, X: Floats, y: Ints, others: Floats, seed: int, people: Ints | None
) -> tuple[Floats, Floats]:
    """Runs a learner, with one thread if the table is small."""
    with threads_for(X.size):
        return learner(X, y, others, seed, people)


def threads_for(size: int) -> Any:
    """A context in which learners use one thread if a table of `size` numbers is small."""
    return thread_pools().limit(limits=1 if size < WORTH_THREADS else None)


class ExplainedVariance(NamedTuple):
    """The part of ``Var(pi)`` that scores explain, with its standard error and upper bound."""

    value: float
    error: float
    most: float

    def plus(self, errors: float) -> float:
        """Returns the explained variance plus `errors` standard errors, but not above the bound."""
        return min(self.value + errors * self.error, self.most)

    @property
    def of_labels(self) -> float:
        """The variance of the labels."""
        return self.most / MOST_VARIANCE


class LearnedScores(NamedTuple):
    """Out-of-fold probabilities (n, 3) of one class, and the variance of ``pi`` that they explain.

    There is a column for each learner.
    """

    scores: Floats
    variance: ExplainedVariance


def learned_scores(
    X: Floats,
    y: Ints,
    seed: int,
    *,
    people: Ints | None = None,
    n_jobs: int | None = None,
    bar: Any = None,
) -> list[LearnedScores]:
    """Scores all points by the learners, and estimates the variance of ``pi`` that they explain.

    Each learner is trained on all points and on two halves.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Encoded features of all labelled points.
    y : ndarray of shape (n,)
        Classes 0 to k - 1, at least `FEWEST` points of each.
    seed : int
        Seed of folds, halves and forests.
    people : ndarray of shape (n,) or None
        Person of each point. The rows of a person are never on both sides of a fold, or in both
        halves.
    n_jobs : int or None
        Number of processes, as joblib takes it.
    bar : object or None
        A progress bar, which advances by one for each of the `MODELS`.

    Returns
    -------
    list of LearnedScores
        Scores and variance of each class against the rest. If there are two classes, only those of
        the second.
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
    found = in_order(calls, n_jobs=n_jobs, bar=bar)
    k, classes = len(LEARNERS), int(y.max()) + 1
    # `all_points[i, j, l]` is the score of class l that learner i gives to point j.
    all_points = np.stack([scores for scores, _ in found[:k]])
    first, second = np.zeros((2, k, y.size, classes))
    for halves, (half, rest) in enumerate(((one, two), (two, one)), start=1):
        for which, (own, elsewhere) in enumerate(found[halves * k : (halves + 1) * k]):
            # All rows of a person are in the same half. So a half may lack the last class, for
            # which `own` then has no column. The scores of this class stay 0.
            first[which, half, : own.shape[1]] = own
            second[which, rest, : own.shape[1]] = elsewhere
    return [
        LearnedScores(
            all_points[:, :, l].T,
            variance_of_pi((y == l).astype(np.intp), first[:, :, l].T, second[:, :, l].T),
        )
        for l in ([1] if classes == 2 else range(classes))
    ]


def explained_variance(y: Ints, first: Floats, second: Floats) -> tuple[float, float]:
    """``Cov(y, a) Cov(y, b) / Cov(a, b)`` for two scores a and b, and its standard error.

    If the scores are not positively correlated with the labels or with each other, both are 0.
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
    """Returns the largest of the variances that the learners' scores (n, k) and their mean explain.

    `first` and `second` are scores by models of disjoint halves. Variances are compared by their
    value plus `ERRORS` standard errors, and later this sum is used. This sum exceeds the estimate
    for two reasons: even the mean over all training sets is too smooth, and too small a variance
    costs coverage, while too large a variance costs only a little width. A value below its own
    standard error is ignored.
    """
    most = MOST_VARIANCE * float(y.mean() * (1 - y.mean()))
    every = [*zip(first.T, second.T, strict=True), (first.mean(axis=1), second.mean(axis=1))]
    bounds = [ExplainedVariance(*explained_variance(y, a, b), most) for a, b in every]
    certain = [bound for bound in bounds if bound.value > bound.error]
    nothing = ExplainedVariance(0.0, 0.0, most)
    return max(certain, key=lambda bound: bound.value + ERRORS * bound.error, default=nothing)


def fewest_of_a_label(y: Ints, people: Ints | None) -> int:
    """The number of points (or people) of the rarest label."""
    if people is None:
        return int(np.bincount(y).min())
    fewest = min(np.unique(people[y == k]).size for k in np.unique(y))
    if fewest < 2:
        raise ValueError(
            f"groups: found a label in {fewest} group only, expected each label in two or more"
        )
    return fewest


def _halves(y: Ints, seed: int, people: Ints | None) -> tuple[Ints, Ints]:
    """Returns row indices of two random halves with equal shares of each label.

    All rows of a person are in one half.
    """
    people = np.arange(y.size) if people is None else people
    names, place = np.unique(people, return_inverse=True)
    alike = _alike(y, place)
    order = np.random.default_rng([seed, 3]).permutation(names.size)
    order = order[np.argsort(alike[order], kind="stable")]
    first = np.isin(place, order[::2])
    return np.flatnonzero(first), np.flatnonzero(~first)


def _alike(y: Ints, place: Ints) -> Floats:
    """Returns a number for each person. Sorted by it, people with similar labels are neighbours.

    If there are two classes, the number is the share of label 1 among the person's rows. If there
    are more, the number is the person's rarest class, so that the people with this class are in
    both halves.
    """
    classes = int(y.max()) + 1
    if classes == 2:
        return np.asarray(np.bincount(place, y) / np.bincount(place))
    has = np.zeros((place.max() + 1, classes), dtype=np.bool_)
    has[place, y] = True
    rarest: Floats = np.where(has, has.sum(axis=0), np.inf).argmin(axis=1).astype(np.float64)
    return rarest
