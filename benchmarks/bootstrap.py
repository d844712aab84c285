"""`bootstrap_band` against resampling and ``roc_curve`` in a loop; a new alpha from its replicates.

Scores that both labels share take four random numbers a false positive rate in place of two: that
row has a limit of its own. Of the loop only some replicates are measured, and their time is scaled
to all of them. Both sides are measured in turns, so that what else the machine does meets both.
"""

import sys
from time import perf_counter

import numpy as np
from sklearn.metrics import roc_curve
from table import Row, median_seconds, report

from conformal_roc_widget.comparators import bootstrap_band, bootstrap_replicates

POINTS, RESAMPLES = 100_000, 2_000
ROUNDS, MEASURED = 5, 8
GRID = np.linspace(0, 1, 101)


def sample(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    y = (rng.random(n) < 0.4).astype(int)
    return y, rng.normal(size=n) + 1.2 * y


def plain(y: np.ndarray, score: np.ndarray, resamples: int, rng: np.random.Generator) -> np.ndarray:
    """Stratified: each label is resampled, its curve made, and read at the grid."""
    parts = [np.flatnonzero(y == k) for k in (0, 1)]
    curves = np.empty((resamples, GRID.size))
    for i in range(resamples):
        drawn = np.concatenate([rng.choice(part, part.size) for part in parts])
        fpr, tpr, _ = roc_curve(y[drawn], score[drawn])
        curves[i] = np.interp(GRID, fpr, tpr)
    return curves


def main() -> int:
    rng = np.random.default_rng(0)
    y, score = sample(rng, POINTS)
    rounded = score.round(3)
    taken: list[tuple[float, float, float]] = []
    curves = np.empty((0, GRID.size))
    for _ in range(ROUNDS):
        start = perf_counter()
        bootstrap_band(y, score, resamples=RESAMPLES, random_state=1)
        middle = perf_counter()
        bootstrap_band(y, rounded, resamples=RESAMPLES, random_state=1)
        end = perf_counter()
        curves = np.concatenate([curves, plain(y, score, MEASURED, rng)])
        taken.append((middle - start, end - middle, perf_counter() - end))
    ours, tied, rival = np.median(taken, axis=0).tolist()
    rival *= RESAMPLES / MEASURED
    made = bootstrap_replicates(y, score, resamples=RESAMPLES, random_state=1)
    alphas = iter(np.linspace(0.01, 0.4, 41))
    again = median_seconds(lambda: made.band(float(next(alphas))), runs=41)
    spread = made.ordered.std(axis=1)
    apart = np.abs(curves.mean(axis=0) - made.ordered.mean(axis=1))[1:-1] / spread[1:-1]
    limit = 5 / np.sqrt(len(curves))
    print(f"the loop: {ROUNDS} times {MEASURED} replicates measured, scaled to {RESAMPLES:,}")
    print(f"largest difference of the means in standard deviations: {apart.max():.2f}", end=", ")
    print(f"limit {limit:.2f}: {'hit' if apart.max() <= limit else 'MISS'}")
    what = f"{POINTS:,} points, {RESAMPLES:,} replicates"
    status = report(
        Row(what, ours, "roc_curve in a loop", rival, 1 / 300),
        Row(f"{what}, ties", tied, "roc_curve in a loop", rival, 1 / 150),
        Row("a new alpha", again, "the replicates", ours, 1 / 20),
    )
    return max(status, int(apart.max() > limit))


if __name__ == "__main__":
    sys.exit(main())
