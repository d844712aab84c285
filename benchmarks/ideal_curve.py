"""The ideal model's own curve: how often its limits hold, where ``pi`` is known.

`studies` are three studies of the paper with the sharp reference. At the smallest size they have
five classifiers, from nearly ideal to poor. `bank` are cells of `real_tables` with the learned
reference. Results are written as they come, and a study continues where it was stopped.

    python benchmarks/ideal_curve.py studies --replicates 190 --output ideal_studies.csv
    python benchmarks/ideal_curve.py bank --tables stops,votes,smoking --output ideal_bank.csv
    python benchmarks/ideal_curve.py show ideal_studies.csv
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from real_tables import FRESH, TRUTHS, Cell, all_cells, classifier, draw
from resumed import resumed
from scipy.special import logit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from conformal_roc_widget import ConformalROC, RocEvaluation, simulation
from conformal_roc_widget.evaluation.ideal_curve import DEFAULT_FPR, false_positives_allowed

ALPHA, TEST = 0.05, 500
STUDIES = {"sample_size": None, "missing_predictor": 2.0, "missing_interaction": 1.5}
SIZES = (500, 1000, 2000)
#: If the true gain is below `NEARLY`, a classifier is nearly ideal. If the lower limit of the gain
#: is above `CLAIMED`, a gain is claimed.
NEARLY, CLAIMED = 0.005, 0.005
KEYS = ["study", "n", "classifier", "replicate"]


class Columns(ClassifierMixin, BaseEstimator):
    """Logistic regression on some of the columns."""

    def __init__(self, columns: tuple[int, ...]) -> None:
        self.columns = columns

    def fit(self, X: Any, y: Any) -> Columns:
        self.model_ = LogisticRegression().fit(X[:, self.columns], y)
        self.classes_ = self.model_.classes_
        return self

    def predict_proba(self, X: Any) -> Any:
        return self.model_.predict_proba(X[:, self.columns])


#: The classifiers range from nearly ideal to poor.
CLASSIFIERS: dict[str, Callable[[], Any]] = {
    "quadratic": lambda: make_pipeline(PolynomialFeatures(2), LogisticRegression(max_iter=1000)),
    "logistic": LogisticRegression,
    "neighbours": lambda: KNeighborsClassifier(25),
    "two columns": lambda: Columns((0, 1)),
    "one column": lambda: Columns((2,)),
}


def measured(evaluation: RocEvaluation, truth: np.ndarray) -> dict[str, float]:
    """Whether the limits hold the curve and the area of ``logit pi`` on the test set."""
    started = time.process_time()
    found = evaluation.ideal_curve(ALPHA)
    seconds = time.process_time() - started
    # Points of equal pi are in random order, because the best test at a false positive rate orders
    # them at random.
    order = np.lexsort((np.random.default_rng(0).random(truth.size), truth))
    place = np.argsort(order).astype(float)
    zeros, ones = (np.sort(place[evaluation.labels == k]) for k in (0, 1))
    # A point is called if it is above the highest negative that may not be called. If all negatives
    # may be called, that place is -1, which is below all places.
    allowed = false_positives_allowed(DEFAULT_FPR, zeros.size)
    highest = np.append(zeros[::-1], -1)[allowed]
    rates = 1 - np.searchsorted(ones, highest, side="right") / ones.size
    area = roc_auc_score(evaluation.labels, truth)
    gain = area - roc_auc_score(evaluation.labels, evaluation.scores)
    inner = slice(1, -1)  # at 0 and 1, curves hardly differ
    low, high = found.tpr_lower[inner], found.tpr_upper[inner]
    whole = (found.simultaneous_lower <= rates) & (rates <= found.simultaneous_upper)
    return {
        "pointwise": float(np.mean((low <= rates[inner]) & (rates[inner] <= high))),
        "area": float(found.auc.lower <= area <= found.auc.upper),
        "whole": float(whole.all()),
        "gain": float(found.gain.lower <= gain <= found.gain.upper),
        "width": float(np.mean(high - low)),
        "error of the area": found.auc.median - area,
        "true gain": gain,
        "claimed": float(found.gain.lower > CLAIMED),
        "seconds": seconds,
    }


def study(name: str, n: int, replicate: int, stream: int) -> Iterator[dict[str, Any]]:
    """Yields the figures of each classifier on one draw.

    All classifiers have the same reference, because it does not depend on them.
    """
    rng = np.random.default_rng([stream, replicate, n, list(STUDIES).index(name)])
    value = STUDIES[name]
    X, y, _ = simulation.draw(name, n, rng, value=value)
    X_test, y_test, truth = simulation.draw(name, TEST, rng, value=value)
    half = n // 2
    for kind, make in list(CLASSIFIERS.items())[: None if n == SIZES[0] else 1]:
        fitted = make().fit(X[:half], y[:half])
        model = ConformalROC(
            FrozenEstimator(fitted), reference="sharp", random_state=replicate, progress=False
        )
        started = time.process_time()
        model.fit(X[:half], y[:half], X_calibration=X[half:], y_calibration=y[half:])
        reference = time.process_time() - started
        row = measured(model.evaluate(X_test, y_test), truth)
        yield (
            dict(zip(KEYS, (name, n, kind, replicate), strict=True))
            | row
            | {"reference": reference}
        )


def cell_of_the_bank(cell: Cell, replicate: int, stream: int) -> Iterator[dict[str, Any]]:
    """The learned reference on one draw of a cell."""
    data = draw(cell, replicate, stream)
    model = ConformalROC(
        classifier(cell.classifier), reference="learned", random_state=data.seed, progress=False
    )
    started = time.process_time()
    model.fit(data.X, data.y)
    reference = time.process_time() - started
    row = measured(model.evaluate(data.X_test, data.y_test), logit(data.pi_test))
    name = f"{cell.table}, {cell.truth}"
    yield (
        dict(zip(KEYS, (name, cell.n, cell.classifier, replicate), strict=True))
        | row
        | {"reference": reference}
    )


def shown(table: pd.DataFrame) -> str:
    """Means by study and size, the gain by classifier, and how often a gain is claimed wrongly."""
    coverage = ["pointwise", "area", "whole", "gain", "width", "error of the area"]
    # The curve and its area do not depend on the classifier, so they count once for each draw.
    draws = table.groupby(["study", "n", "replicate"])[coverage].mean()
    by_study = draws.groupby(["study", "n"]).mean()
    by_study.insert(0, "draws", draws.groupby(["study", "n"]).size())
    gain = table.groupby("classifier")[["gain", "true gain", "claimed"]].mean()
    nearly = table[table["true gain"] < NEARLY]
    seconds = table[["seconds", "reference"]].median()
    hidden = table["study"].str.endswith(", hidden")
    mean = draws[~draws.index.get_level_values("study").str.endswith(", hidden")].mean()
    return "\n\n".join(
        [
            by_study.round(3).to_string(),
            f"all but hidden ({(~hidden).sum()} rows): " + mean.round(3).to_dict().__repr__(),
            gain.round(3).to_string(),
            f"gain claimed wrongly: {nearly['claimed'].mean():.3f} of {len(nearly)}",
            f"seconds (median): curve {seconds['seconds']:.2f}, fit {seconds['reference']:.2f}",
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("task", choices=("studies", "bank", "show"))
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--replicates", type=int, default=20)
    parser.add_argument("--sizes", default="500,1000,2000")
    parser.add_argument("--tables", default=",".join(FRESH))
    parser.add_argument("--truths", default=",".join((*TRUTHS, "hidden")))
    parser.add_argument("--stream", type=int, default=21)
    parser.add_argument("--output", type=Path, default=Path("ideal.csv"))
    given = parser.parse_args()
    if given.task == "show":
        print(shown(pd.read_csv(given.file)))
        return 0
    sizes = tuple(int(size) for size in given.sizes.split(","))
    calls: dict[tuple[str, int], Callable[[int, int], Iterator[dict[str, Any]]]]
    if given.task == "studies":
        calls = {one: partial(study, *one) for one in product(STUDIES, sizes)}
    else:
        cells = all_cells(given.tables.split(","), given.truths.split(","), sizes)
        calls = {(f"{c.table}, {c.truth}", c.n): partial(cell_of_the_bank, c) for c in cells}

    def rows_of(name: str, n: int, replicate: int) -> list[dict[str, Any]]:
        return list(calls[name, n](replicate, given.stream))

    tasks = [(*key, replicate) for replicate in range(given.replicates) for key in calls]
    print(shown(resumed(given.output, ("study", "n", "replicate"), tasks, rows_of)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
