"""Algorithm 2: preparation against scikit-learn's neighbours, a new alpha against one sort."""

import resource
import sys
from itertools import cycle

import numpy as np
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import NearestNeighbors
from table import Row, in_turn, report, within

from conformal_roc_widget import ConformalROC

N, NEIGHBORS = 100_000, 100
GRID = np.linspace(0, 1, 1_001)
ALPHAS = np.linspace(0.01, 0.4, 82).round(4).tolist()


def truth(X: np.ndarray) -> np.ndarray:
    return expit(X.sum(axis=1))


def sample(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    X = rng.normal(size=(N, 3))
    return X, (rng.random(N) < truth(X)).astype(int)


def main() -> int:
    rng = np.random.default_rng(0)
    X, y = sample(rng)
    X_test, y_test = sample(rng)
    models = [
        ConformalROC(
            LogisticRegression(), reference=truth, neighbors=NEIGHBORS, distance=distance
        ).fit(X, y, X_calibration=X, y_calibration=y)
        for distance in ("standardized", "score")
    ]
    features, score, rival = in_turn(
        *(lambda model=model: model.evaluate(X_test, y_test) for model in models),
        lambda: NearestNeighbors(n_neighbors=NEIGHBORS, n_jobs=-1).fit(X).kneighbors(X_test),
        runs=5,
    )
    evaluation = models[1].evaluate(X_test, y_test)
    alphas = cycle(ALPHAS)
    new, sort = in_turn(
        lambda: evaluation.band(next(alphas), GRID), lambda: np.sort(evaluation.scores), runs=81
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    what = f"localized, {N:,} x {N:,}, {NEIGHBORS} neighbours"
    return report(
        Row(f"{what}: prepare, by features", features, "kneighbors", rival, 1),
        Row(f"{what}: prepare, by score", score, "kneighbors", rival, 0.3),
        Row(f"{what}: new alpha", new, "np.sort of the scores", sort, 2.5),
        within(f"{what}: peak memory", peak, 2048, "MB"),
    )


if __name__ == "__main__":
    sys.exit(main())
