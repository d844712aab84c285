"""The ideal model's own curve and candidate rates, where log-odds bend or a forest is the truth.

The choices of the method were made on the laws of `DEVELOPMENT`. ``docs/measured.md`` tells the
results of `REPORTED` and `SECOND`, which were not looked at before. Each law gives rows and the
logits of their true probabilities. Some tables come with statsmodels. Results are written as they
come.

    python benchmarks/bent_laws.py reported --replicates 6 --output bent.csv
    python benchmarks/bent_laws.py "wide reported" --sizes 400,1000
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from ideal_curve import measured
from resumed import resumed
from scipy.special import expit, logit
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from conformal_roc_widget import ConformalROC, RocEvaluation
from conformal_roc_widget.evaluation.ideal_curve import CANDIDATES, LabelledDraws
from conformal_roc_widget.promise import LEARNABLE

TEST = 1_000
Drawn = Callable[[int, np.random.Generator], tuple[np.ndarray, np.ndarray]]


def normal(d: int, logits: Callable[[np.ndarray], np.ndarray]) -> Drawn:
    """Normal features."""

    def draw(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        X = rng.normal(size=(n, d))
        return X, logits(X)

    return draw


def centres(zeros: np.ndarray, ones: np.ndarray, spread: float) -> Drawn:
    """Mixtures of normal laws with equal spread around some centres for each label."""

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


def ball(d: int, apart: float, wide: float) -> Drawn:
    """A narrow normal law for label 0, and a wide one for label 1 beside it."""

    def draw(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        is_wide = rng.random(n) < 0.5
        X = np.where(is_wide[:, None], apart + wide * rng.normal(size=(n, d)), 0)
        X = np.where(is_wide[:, None], X, rng.normal(size=(n, d)))
        gone = np.square(X).sum(axis=1) - np.square((X - apart) / wide).sum(axis=1)
        return X, gone / 2 - d * np.log(wide)

    return draw


def heavy(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Features with heavy tails, and log-odds that are linear in them."""
    X = rng.standard_t(2, size=(n, 3))
    return X, X @ [1.0, -0.8, 0.5]


@cache
def table(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The rows of a real table, and its outcome.

    The tables of votes (anes96), affairs and visits come with statsmodels.
    """
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
def of_table(
    name: str, columns: tuple[int, ...], leaf: int, of_others: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Some columns of a real table, and the logits of a forest that was fitted to its outcome.

    If `of_others`, the probability of a row is the mean over the trees that were not fitted to it.
    Otherwise it is the mean over all trees.
    """
    X, y = table(name)
    X = X[:, columns] if columns else X
    forest = RandomForestClassifier(
        200, min_samples_leaf=leaf, oob_score=of_others, random_state=0
    ).fit(X, y)
    pi = (forest.oob_decision_function_ if of_others else forest.predict_proba(X))[:, 1]
    noise = np.random.default_rng(2).normal(0, 0.1, len(X))
    return X, logit(np.clip(pi, 0.005, 0.995)) + noise


def rows_of(name: str, *columns: int, leaf: int = 5, of_others: bool = False) -> Drawn:
    """Random rows of a table. If it has enough rows, none is drawn twice."""

    def draw(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        X, logits = of_table(name, columns, leaf, of_others)
        rows = rng.choice(len(X), n, replace=n > len(X))
        return X[rows], logits[rows]

    return draw


SQUARE = np.array([[1.0, 1.0], [-1.0, -1.0]])
TURN = np.array([[0.8, 0.6], [-0.6, 0.8]])
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
SECOND: dict[str, Drawn] = {
    "tilted xor": centres(SQUARE @ TURN, SQUARE * [1, -1] @ TURN, 0.7),
    "wide and narrow": ball(3, 0.5, 1.8),
    "four bumps": centres(
        np.array([[0.0, 0, 0], [1.5, 1.5, 0]]), np.array([[1.5, 0, 1], [0.0, 1.5, -1]]), 0.75
    ),
    "dome": normal(3, lambda X: 4 * np.exp(-np.square(X[:, :2]).sum(axis=1) / 2) - 2 + X[:, 2]),
    "stairs": normal(2, lambda X: np.floor(1.5 * X[:, 0]) + 0.8 * np.floor(X[:, 1]) + 1),
    "pair in six": normal(6, lambda X: 2 * np.sin(X[:, 0] * X[:, 1]) + X[:, 2]),
    "sawtooth": normal(1, lambda X: 2.5 * np.abs(np.mod(X[:, 0], 2) - 1) * 2 - 2.5),
}
#: Tables of more columns, for which the reference is the learned one.
WIDE_DEVELOPMENT = {name: rows_of(name) for name in ("tumours", "digits", "votes")}
WIDE_REPORTED = {name: rows_of(name) for name in ("diabetes", "affairs", "visits")}
#: Forests for which `pi` of most rows is near 0 or 1: because the columns tell it, or because each
#: row has a leaf of its own.
LEAVES = {
    "five rows a leaf": rows_of("votes"),
    "what other rows tell": rows_of("votes", leaf=1, of_others=True),
    "each row a leaf": rows_of("votes", leaf=1),
}

ALPHAS = (0.2, 0.1, 0.05)
CUTS = np.arange(1, 10) / 10
SETS = {
    "development": DEVELOPMENT,
    "reported": REPORTED,
    "second": SECOND,
    "wide development": WIDE_DEVELOPMENT,
    "wide reported": WIDE_REPORTED,
    "leaves": LEAVES,
}


def rates_within(evaluation: RocEvaluation, truth: np.ndarray, alpha: float) -> dict[str, float]:
    """How often the ideal model's rates lie within the limits at a threshold, and their width."""
    youden = evaluation.youden(alpha).threshold
    held, wide = [], []
    for threshold in (*CUTS, youden if 0 < youden < 1 else 0.5):
        point = evaluation.operating_point(float(threshold), alpha)
        for k, low, high in (
            (0, point.fpr_lower, point.fpr_upper),
            (1, point.tpr_lower, point.tpr_upper),
        ):
            rate = float(np.mean(truth[evaluation.labels == k] > logit(threshold)))
            held.append(low - 1e-12 <= rate <= high + 1e-12)
            wide.append(high - low)
    name = f"{evaluation.guarantee} {1 - alpha:g}"
    return {
        name: float(np.mean(held[:-2])),
        f"{name}, width": float(np.mean(wide[:-2])),
        f"{name}, Youden": float(np.mean(held[-2:])),
    }


def alone(evaluation: RocEvaluation) -> RocEvaluation:
    """The evaluation whose ideal curve uses the draws of a single posterior, as before they were
    pooled.
    """
    make: Any = evaluation._sources.ideal
    reference, calibration, column = make.args
    if hasattr(reference, "posteriors"):
        X = np.concatenate([reference.calibration.points.array, reference.trained[0]])
        draws = reference.posteriors.draws(X, column, CANDIDATES)
    else:
        draws = reference.by_class[0].uncertain
    n = calibration.logits.size
    points = LabelledDraws(draws, draws[:n], calibration.logits, LEARNABLE)
    return replace(evaluation, _sources=evaluation._sources._replace(ideal=lambda: points))


def study(
    laws: dict[str, Drawn], name: str, n: int, replicate: int, stream: int, *, now: bool
) -> Iterator[Any]:
    """The figures of one data set: of the ideal model's own curve, and of the rates at thresholds.

    If `now`, only the pooled draws are measured. Otherwise also the draws of a single posterior.
    """
    rng = np.random.default_rng([stream, n, replicate, zlib.crc32(name.encode())])
    X, truth = laws[name](n + TEST, rng)
    y = (rng.random(n + TEST) < expit(truth)).astype(int)
    classifier = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))
    model = ConformalROC(classifier, random_state=replicate, progress=False).fit(X[:n], y[:n])
    made, truth = model.evaluate(X[n:], y[n:]), truth[n:]
    for draws, evaluation in (("alone", alone(made)), ("pooled", made))[now:]:
        row = {"law": name, "n": n, "replicate": replicate, "draws": draws}
        row |= measured(evaluation, truth)
        for alpha in ALPHAS:
            row |= rates_within(evaluation.with_guarantee("credible"), truth, alpha)
        if draws == "pooled":
            for guarantee in ("individual", "everywhere"):
                row |= rates_within(evaluation.with_guarantee(guarantee), truth, 0.05)
        yield row


def shown(table: pd.DataFrame) -> str:
    """Means and standard errors over data sets, for single and for pooled draws.

    Below them, means by law.
    """
    keys = ["law", "n", "replicate", "draws"]
    figures = table.drop(columns=keys).groupby(table["draws"])
    means = pd.concat({"mean": figures.mean().T, "error": figures.sem().T}, axis=1)
    curve = ["pointwise", "whole", "area", "gain", "credible 0.9", "credible 0.95"]
    by_law = table[table["draws"] == "pooled"].groupby(["law", "n"])[curve].mean()
    return "\n\n".join([means.round(3).to_string(), by_law.round(2).to_string(), str(len(table))])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("laws", choices=SETS)
    parser.add_argument("--replicates", type=int, default=5)
    parser.add_argument("--sizes", default="500,1500")
    parser.add_argument("--stream", type=int, default=31)
    parser.add_argument("--now", action="store_true", help="leave out what was before")
    parser.add_argument("--output", type=Path, default=Path("bent_laws.csv"))
    given = parser.parse_args()
    laws, sizes = SETS[given.laws], [int(size) for size in given.sizes.split(",")]

    def rows_of_task(name: str, n: int, replicate: int) -> list[dict[str, Any]]:
        return list(study(laws, name, n, replicate, given.stream, now=given.now))

    tasks = [(*each, i) for i in range(given.replicates) for each in product(laws, sizes)]
    print(shown(resumed(given.output, ("law", "n", "replicate"), tasks, rows_of_task)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
