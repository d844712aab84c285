"""Algorithm 2: preparation against scikit-learn's neighbours, a new alpha against one sort."""

import resource
import sys
from time import perf_counter

import numpy as np
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import NearestNeighbors
from table import Row, median_seconds, report

from conformal_roc_widget import ConformalROC

N, NEIGHBORS = 100_000, 100
GRID = np.linspace(0, 1, 1_001)
ALPHAS = np.linspace(0.01, 0.4, 41).round(4).tolist()


def truth(X: np.ndarray) -> np.ndarray:
    return expit(X.sum(axis=1))


def sample(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    X = rng.normal(size=(N, 3))
    return X, (rng.random(N) < truth(X)).astype(int)


def main() -> int:
    rng = np.random.default_rng(0)
    X, y = sample(rng)
    X_test, y_test = sample(rng)
    rival = median_seconds(
        lambda: NearestNeighbors(n_neighbors=NEIGHBORS, n_jobs=-1).fit(X).kneighbors(X_test),
        runs=3,
    )
    rows = []
    limits = {"standardized": 1.0, "score": 0.3}
    for distance, limit in limits.items():
        model = ConformalROC(
            LogisticRegression(), reference=truth, neighbors=NEIGHBORS, distance=distance
        ).fit(X, y, X_calibration=X, y_calibration=y)
        ours = median_seconds(lambda model=model: model.evaluate(X_test, y_test), runs=3)
        rows.append(Row(f"prepare, {distance}", ours, "kneighbors", rival, limit))
    evaluation = model.evaluate(X_test, y_test)
    evaluation.band(0.5, GRID)
    sort = median_seconds(lambda: np.sort(evaluation.scores), runs=41)
    taken = []
    for alpha in ALPHAS:
        start = perf_counter()
        evaluation.band(alpha, GRID)
        taken.append(perf_counter() - start)
    rows.append(Row("new alpha", float(np.median(taken)), "np.sort of the scores", sort, 2.5))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{N:,} calibration and {N:,} test points, {NEIGHBORS} neighbours")
    print(f"peak memory: {peak:.0f} MB, limit 2,048: {'hit' if peak <= 2048 else 'MISS'}")
    return report(*rows)


if __name__ == "__main__":
    sys.exit(main())
