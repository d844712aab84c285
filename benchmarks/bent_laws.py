"""Laws whose log-odds bend, step or have heavy tails, and real tables with a forest as truth.

`DEVELOPMENT` is what choices were made on; `REPORTED` what `docs/measured.md` tells, and was not
looked at before they were made. Each gives rows, and the logits of their true probabilities.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.special import logit
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits
from sklearn.ensemble import RandomForestClassifier

Drawn = Callable[[int, np.random.Generator], tuple[np.ndarray, np.ndarray]]


class Law(NamedTuple):
    """Rows (n, d) and the logits of their true probabilities (n,)."""

    draw: Drawn


def normal(d: int, logits: Callable[[np.ndarray], np.ndarray]) -> Drawn:
    """Normal features."""

    def draw(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        X = rng.normal(size=(n, d))
        return X, logits(X)

    return draw


def centres(zeros: np.ndarray, ones: np.ndarray, spread: float) -> Drawn:
    """Mixtures of round normal laws for both labels."""

    def density(X: np.ndarray, at: np.ndarray) -> np.ndarray:
        apart = np.square(X[:, None] - at).sum(axis=2)
        return np.exp(-apart / (2 * spread**2)).mean(axis=1)

    def draw(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        every = np.concatenate([zeros, ones])
        share = np.repeat([0.5 / len(zeros), 0.5 / len(ones)], [len(zeros), len(ones)])
        chosen = rng.choice(len(every), n, p=share)
        X = every[chosen] + spread * rng.normal(size=(n, every.shape[1]))
        return X, np.log(density(X, ones)) - np.log(density(X, zeros))

    return draw


def heavy(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Heavy tails, and log-odds that are a line."""
    X = rng.standard_t(2, size=(n, 3))
    return X, X @ [1.0, -0.8, 0.5]


@cache
def table(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Rows of a real table, and its outcome; anes96, affairs and visits come with statsmodels."""
    if name == "tumours":
        return load_breast_cancer().data, 1 - load_breast_cancer().target
    if name == "digits":
        return load_digits().data, load_digits().target % 2
    if name == "diabetes":
        return load_diabetes().data, (load_diabetes().target > 140).astype(int)
    from statsmodels import datasets

    frame = (
        {"affairs": datasets.fair, "visits": datasets.randhie, "votes": datasets.anes96}[name]
        .load_pandas()
        .data
    )
    outcome = {"affairs": "affairs", "visits": "mdvis", "votes": "vote"}[name]
    y = (frame[outcome] > {"affairs": 0, "visits": 2, "votes": 0}[name]).to_numpy(int)
    return frame.drop(columns=outcome).to_numpy(float), y


@cache
def of_table(name: str, columns: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Some columns of a real table, and the logits of a forest that was fitted to its outcome."""
    X, y = table(name)
    X = X[:, columns] if columns else X
    forest = RandomForestClassifier(200, min_samples_leaf=5, random_state=0).fit(X, y)
    noise = np.random.default_rng(2).normal(0, 0.1, len(X))
    return X, logit(np.clip(forest.predict_proba(X)[:, 1], 0.005, 0.995)) + noise


def rows_of(name: str, *columns: int) -> Drawn:
    """Rows of a table: without replacement as long as there are enough."""

    def draw(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        X, logits = of_table(name, columns)
        rows = rng.choice(len(X), n, replace=n > len(X))
        return X[rows], logits[rows]

    return draw


SQUARE = np.array([[1.0, 1.0], [-1.0, -1.0]])
DEVELOPMENT: dict[str, Drawn] = {
    "xor": centres(SQUARE, SQUARE * [1, -1], 0.8),
    "two bumps": centres(np.array([[0.0]]), np.array([[-1.6], [1.6]]), 0.8),
    "hinge": normal(2, lambda X: 3 * np.maximum(X[:, 0], 0) - 1 + X[:, 1]),
    "step": normal(2, lambda X: 2.4 * (X[:, 0] > 0.5) - 1.2 + 0.5 * X[:, 1]),
    "wave": normal(1, lambda X: 2 * np.cos(2 * X[:, 0])),
    "xor in five": normal(5, lambda X: 2.5 * np.tanh(2 * X[:, 0]) * np.tanh(2 * X[:, 1])),
    "mixture in four": centres(
        np.array([[1, 0, 0, 1], [-1, 1, 0, 0], [0, -1, 1, -1]]),
        np.array([[0, 1, 1, 0], [1, 0, -1, 0], [-1, -1, 0, 1]]),
        0.8,
    ),
    "line": normal(3, lambda X: X @ [1.0, 0.7, -0.5]),
    "heavy tails": heavy,
    "tumours": rows_of("tumours", 1, 4, 8, 9, 19),
}
REPORTED: dict[str, Drawn] = {
    "ring": normal(2, lambda X: 3 - 2.2 * np.hypot(X[:, 0], X[:, 1])),
    "three bumps": centres(
        np.array([[0.0, 0.0], [2.0, 2.0]]), np.array([[0.0, 2.0], [2.0, 0.0], [-1.5, 0.5]]), 0.9
    ),
    "saddle": normal(3, lambda X: 1.5 * X[:, 0] * X[:, 1] + 0.5 * X[:, 2] - 0.5),
    "V": normal(4, lambda X: 2 * np.abs(X[:, 0]) - 1.5 + 0.8 * X[:, 1]),
    "sine": normal(2, lambda X: 2 * np.sin(2 * X[:, 0]) + X[:, 1]),
    "cubic": normal(1, lambda X: 0.8 * X[:, 0] ** 3 - X[:, 0]),
    "plateau": normal(2, lambda X: 4 * np.tanh(2 * X[:, 0]) - 1 + 0.3 * X[:, 1]),
    "diabetes": rows_of("diabetes", 0, 2, 3, 5, 9),
    "affairs": rows_of("affairs", 0, 1, 2, 4, 5),
    "visits": rows_of("visits", 0, 2, 3, 4, 5),
}
#: Tables of more columns, for which the reference is the learned one.
WIDE_DEVELOPMENT = {name: rows_of(name) for name in ("tumours", "digits", "votes")}
WIDE_REPORTED = {name: rows_of(name) for name in ("diabetes", "affairs", "visits")}
