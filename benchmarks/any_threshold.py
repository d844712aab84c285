"""``guarantee="everywhere"``: its level, its width and its time, beside the default's.

* The envelope alone: how often it holds all ranks of both labels, with and without ties.
* The true pi as reference, in three laws and the paper's studies: how often the limits of both
  labels hold the ideal model's rates at all thresholds, at Youden's threshold, at .5 and at the
  threshold where the band is narrowest; and the width of the limits.
* Seconds to prepare an envelope, and seconds for a new alpha.

    python benchmarks/any_threshold.py --replicates 200

Real tables, with the references of `ConformalROC`, are in ``real_tables.py``.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from real_tables import at_every_threshold
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from tqdm import tqdm

from conformal_roc_widget import ConformalROC, RocEvaluation, simulation
from conformal_roc_widget.calibration.rank_envelope import (
    critical_value,
    envelope_ranks,
    largest_deviations,
    most_below,
)

ALPHA = 0.05
SIZES = ((19, 19), (64, 200), (200, 200), (1000, 200), (200, 5000), (5000, 5000))
#: Each design fixes the covariates, their true probabilities, and the columns that the classifier
#: sees.
DESIGNS = ("steep", "rounded", "heavy tails", "study 1", "study 2.1", "study 2.2")
STUDIES = {
    "study 1": "sample_size",
    "study 2.1": "missing_predictor",
    "study 2.2": "missing_interaction",
}
AT = ("everywhere", "youden", "half", "narrowest", "width")


def envelope_level(n: int, m: int, draws: int, levels: int, rng: np.random.Generator) -> float:
    """Share of data sets in which the counts of both labels are within all their limits."""
    most = most_below(n, m, critical_value(n, m, ALPHA))
    ranks, kept = envelope_ranks(n) - 1, 0
    for _ in range(draws):
        held = True
        for _ in range(2):
            calibration, test = rng.random(n), rng.random(m)
            if levels:
                calibration, test = np.floor(levels * calibration), np.floor(levels * test)
            at, test = np.sort(calibration)[ranks], np.sort(test)
            below = np.searchsorted(test, at, side="left")
            above = m - np.searchsorted(test, at, side="right")
            held &= bool((below <= most).all() and (above <= most[::-1]).all())
        kept += held
    return kept / draws


def drawn(
    design: str, n: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Covariates, labels, logits of pi, and how many columns the classifier sees."""
    if design in STUDIES:
        value = None if design == "study 1" else 1.0
        X, y, logits = simulation.draw(STUDIES[design], n, rng, value=value)
        return X, y, logits, {"study 1": 3, "study 2.1": 2, "study 2.2": 3}[design]
    X = rng.standard_t(2, size=(n, 3)) if design == "heavy tails" else rng.normal(size=(n, 3))
    X = X.round(0) if design == "rounded" else X
    logits = X @ [1.0, -0.8, 0.5] * (3 if design == "steep" else 1)
    return X, (rng.random(n) < expit(logits)).astype(int), logits, 2 if design == "steep" else 3


def evaluations(design: str, n: int, seed: int) -> tuple[RocEvaluation, np.ndarray, np.ndarray]:
    """An evaluation of 500 test points, its true pi and its labels.

    The model is fitted to n labelled points, and the true pi is its reference.
    """
    rng = np.random.default_rng([seed, n, DESIGNS.index(design)])
    X, y, logits, seen = drawn(design, n + 500, rng)
    rows = np.arange(n + 500, dtype=float)[:, None]

    class Seen(LogisticRegression):
        """Logistic regression on some columns."""

        def fit(self, X: Any, y: Any) -> Any:
            return super().fit(X[:, 1 : 1 + seen], y)

        def decision_function(self, X: Any) -> Any:
            return super().decision_function(X[:, 1 : 1 + seen])

        def predict_proba(self, X: Any) -> Any:
            p = expit(self.decision_function(X))
            return np.column_stack([1 - p, p])

    model = ConformalROC(
        Seen(), reference=lambda Z: expit(logits[Z[:, 0].astype(int)]), random_state=seed
    )
    points = np.hstack([rows, X])
    found = model.fit(points[:n], y[:n]).evaluate(points[n:], y[n:])
    return found, expit(logits[n:]), y[n:]


def holds_at(evaluation: RocEvaluation, pi: np.ndarray, threshold: float) -> bool:
    """Whether the ideal model's rates of both labels lie within the limits at one threshold."""
    at = evaluation.operating_point(threshold, ALPHA)
    rates = [np.mean(pi[evaluation.labels == k] > threshold) for k in (0, 1)]
    return at.fpr_lower <= rates[0] <= at.fpr_upper and at.tpr_lower <= rates[1] <= at.tpr_upper


def one(design: str, n: int, seed: int) -> Iterator[dict[str, Any]]:
    individual, pi, _ = evaluations(design, n, seed)
    for evaluation in (individual, individual.with_guarantee("everywhere")):
        held, width = at_every_threshold(evaluation, pi)
        band = evaluation.band(ALPHA)
        inner = (band.thresholds > 0.1) & (band.thresholds < 0.9)
        wide = (band.tpr_upper - band.tpr_lower + band.fpr_upper - band.fpr_lower)[inner]
        narrowest = float(band.thresholds[inner][np.argmin(wide)])
        picked = (evaluation.youden(ALPHA).threshold, 0.5, narrowest)
        at = [held, *(holds_at(evaluation, pi, t) for t in picked), width]
        yield {"design": design, "n": n, "guarantee": evaluation.guarantee} | dict(
            zip(AT, at, strict=True)
        )


def seconds(n: int, m: int) -> float:
    """Seconds to prepare the envelope of both labels: the fastest of three runs."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        for _ in range(2):
            largest_deviations.__wrapped__(n, m)
        times.append(time.perf_counter() - start)
    return min(times)


def new_alpha_seconds(n: int) -> float:
    """Seconds for the band at another alpha, at all vertices of n test points.

    The fastest of five runs.
    """
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n + 4000, 2))
    y = (rng.random(n + 4000) < expit(X[:, 0])).astype(int)
    model = ConformalROC(LogisticRegression(), reference=lambda Z: expit(Z[:, 0]), random_state=0)
    evaluation = model.fit(X[:4000], y[:4000]).evaluate(X[4000:], y[4000:], guarantee="everywhere")
    evaluation.band(0.05)
    times = []
    for alpha in (0.06, 0.07, 0.08, 0.09, 0.1):
        start = time.perf_counter()
        evaluation.band(alpha)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--draws", type=int, default=4000, help="data sets for the envelope alone")
    given = parser.parse_args()
    rng = np.random.default_rng(11)
    level = {
        f"{n}, {m}": {
            name: envelope_level(n, m, given.draws if not ties else given.draws // 8, ties, rng)
            for name, ties in (("no ties", 0), ("five values", 5))
        }
        for n, m in SIZES
    }
    print(pd.DataFrame(level).T.rename_axis("n, m").round(4).to_string(), flush=True)
    tasks = [(d, n, s) for s in range(given.replicates) for d in DESIGNS for n in (500, 2000)]
    found = pd.DataFrame([row for task in tqdm(tasks) for row in one(*task)])
    print(
        found.groupby(["design", "n", "guarantee"], sort=False)[list(AT)]
        .mean()
        .round(3)
        .to_string()
    )
    times = {f"{n:,}": seconds(n, n) for n in (200, 10_000, 1_000_000)}
    print("seconds to prepare both labels:", {n: round(t, 3) for n, t in times.items()})
    print(f"seconds for a new alpha, 10,000 test points: {new_alpha_seconds(10_000):.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
