"""Three learners' probabilities for points that they have not seen, and how much is left to learn.

`learned_scores` gives every labelled point the probability of three models that were trained
without it, and compares them with models from half of the points: where half does almost as well,
there is little left to learn; where it does much worse, much of ``pi`` is still hidden from all of
them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.kernel import thread_pools

FOLDS = 5
#: Points of each label that halves and their folds need.
FEWEST = 4
#: Trees of the forest, and points in a leaf at least.
TREES, LEAF = 100, 5
#: Numbers in the table from which on a learner uses threads of its own.
WORTH_THREADS = 1_000_000

Learner = Callable[[Floats, Ints, int], Floats]


def logistic(X: Floats, y: Ints, seed: int) -> Floats:
    """Logistic regression with a ridge penalty, out of fold."""
    return _out_of_fold(lambda: LogisticRegression(C=0.1, max_iter=1000), X, y, seed)


def boosted(X: Floats, y: Ints, seed: int) -> Floats:
    """Sixty small boosted trees, out of fold."""

    def trees() -> HistGradientBoostingClassifier:
        return HistGradientBoostingClassifier(
            max_iter=60, max_leaf_nodes=8, min_samples_leaf=10, early_stopping=False
        )

    return _out_of_fold(trees, X, y, seed)


def forest(X: Floats, y: Ints, seed: int) -> Floats:
    """A random forest, each point by the trees that were grown without it."""
    trees = RandomForestClassifier(
        TREES, min_samples_leaf=LEAF, oob_score=_no_score, random_state=seed
    ).fit(X, y)
    scores: Floats = trees.oob_decision_function_[:, 1]
    return np.where(np.isnan(scores), y.mean(), scores)


#: In the order of the columns of `learned_scores`.
LEARNERS: tuple[Learner, ...] = (logistic, boosted, forest)


def _no_score(y: Any, scores: Any) -> float:
    return 0.0


def _out_of_fold(make: Callable[[], Any], X: Floats, y: Ints, seed: int) -> Floats:
    folds = StratifiedKFold(min(FOLDS, int(np.bincount(y).min())), shuffle=True, random_state=seed)
    scores = np.empty(y.size)
    for training, held_out in folds.split(X, y):
        scores[held_out] = make().fit(X[training], y[training]).predict_proba(X[held_out])[:, 1]
    return scores


def _scores(learner: Learner, X: Floats, y: Ints, seed: int) -> Floats:
    """A learner's scores; on little data its threads would only wait for each other."""
    threads = 1 if X.size < WORTH_THREADS else None
    with thread_pools().limit(limits=threads):
        return learner(X, y, seed)


class LearnedScores(NamedTuple):
    """Out-of-fold probabilities (n, 3), and the variance of ``pi`` that more data would reveal."""

    scores: Floats
    variance: float


def learned_scores(
    X: Floats, y: Ints, seed: int, *, n_jobs: int | None = None, progress: bool = False
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
    n_jobs : int or None
        As joblib takes it.
    progress : bool
        Whether to show a bar.

    Returns
    -------
    LearnedScores
        The scores, and the variance with the gap.
    """
    halves = _halves(y, seed)
    samples = [np.arange(y.size), *halves]
    tasks = [(learner, rows) for rows in samples for learner in LEARNERS]
    done = Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(_scores)(learner, X[rows], y[rows], seed) for learner, rows in tasks
    )
    if progress:
        from tqdm.auto import tqdm

        done = tqdm(done, total=len(tasks), desc="reference", unit="model")
    found = list(done)
    k = len(LEARNERS)
    by_sample = [np.column_stack(found[i : i + k]) for i in range(0, len(found), k)]
    shown = [
        revealed_variance(y[rows], scores.mean(axis=1))
        for rows, scores in zip(samples, by_sample, strict=True)
    ]
    return LearnedScores(by_sample[0], variance_with_gap(shown[0], shown[1:]))


def revealed_variance(y: Ints, scores: Floats) -> float:
    """``Cov(y, p)^2 / Var(p)``: the variance of ``pi`` that a score accounts for."""
    spread = float(scores.var())
    covariance = float(np.mean((y - y.mean()) * (scores - scores.mean())))
    return max(covariance, 0.0) ** 2 / spread if spread > 0 else 0.0


def variance_with_gap(whole: float, halves: list[float]) -> float:
    """``V(n) + 2 max(V(n) - V(n/2), 0)``: twice the last doubling's gain is still to come.

    A gain that falls by the factor 2^-a with every doubling sums to 1 / (2^a - 1) times the last
    one: to itself for a = 1, a parametric model's rate, and to 2.4 times itself for a = 1/2.
    """
    return whole + 2 * max(whole - float(np.mean(halves)), 0.0)


def _halves(y: Ints, seed: int) -> tuple[Ints, Ints]:
    """Two random halves with the same share of each label."""
    rng = np.random.default_rng([seed, 3])
    order = rng.permutation(y.size)
    order = order[np.argsort(y[order], kind="stable")]
    return np.sort(order[::2]), np.sort(order[1::2])
