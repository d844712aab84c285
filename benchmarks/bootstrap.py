"""`bootstrap_band` against resampling and ``roc_curve`` in a loop; a new alpha from its replicates.

If both labels share scores, a false positive rate takes four random numbers instead of two, so that
row has its own limit. If people have five rows each, every replicate counts all rows of the drawn
people. The rival of that row is the band of single rows. Only some replicates of the loop are
measured, and their time is scaled to all replicates. The two sides are measured in turns, so that
other work of the machine slows both.
"""

import sys
from itertools import cycle

import numpy as np
from sklearn.metrics import roc_curve
from table import Row, in_turn, report, within

from conformal_roc_widget.comparators import bootstrap_band, bootstrap_replicates

POINTS, RESAMPLES = 100_000, 2_000
ROUNDS, MEASURED = 5, 8
GRID = np.linspace(0, 1, 101)


def sample(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    y = (rng.random(n) < 0.4).astype(int)
    return y, rng.normal(size=n) + 1.2 * y


def plain(y: np.ndarray, score: np.ndarray, resamples: int, rng: np.random.Generator) -> np.ndarray:
    """Resamples each label on its own, makes the curve, and reads it at the grid."""
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
    rounded, groups = score.round(3), np.arange(POINTS) // 5
    parts: list[np.ndarray] = []
    made = bootstrap_replicates(y, score, resamples=RESAMPLES, random_state=1)
    alphas = cycle(np.linspace(0.01, 0.4, 41).tolist())
    again, ours, tied, people, rival = in_turn(
        lambda: made.band(next(alphas)),
        lambda: bootstrap_band(y, score, resamples=RESAMPLES, random_state=1),
        lambda: bootstrap_band(y, rounded, resamples=RESAMPLES, random_state=1),
        lambda: bootstrap_band(y, score, resamples=RESAMPLES, random_state=1, groups=groups),
        lambda: parts.append(plain(y, score, MEASURED, rng)),
        runs=ROUNDS,
        first=9,
    )
    rival = [taken * RESAMPLES / MEASURED for taken in rival]
    curves = np.concatenate(parts)
    spread = made.ordered.std(axis=1)
    apart = np.abs(curves.mean(axis=0) - made.ordered.mean(axis=1))[1:-1] / spread[1:-1]
    limit = 5 / np.sqrt(len(curves))
    print(f"the loop: {ROUNDS} times {MEASURED} replicates measured, scaled to {RESAMPLES:,}")
    what = f"bootstrap_band, {POINTS:,} points, {RESAMPLES:,} replicates"
    return report(
        Row(what, ours, "roc_curve in a loop", rival, 1 / 300),
        Row(f"{what}, ties", tied, "roc_curve in a loop", rival, 1 / 150),
        Row(f"{what}, people of five rows", people, "of single rows", ours, 6),
        Row("bootstrap replicates, new alpha", again, "the replicates", ours, 1 / 20),
        within("bootstrap: means of both curves apart", apart.max(), limit, "sd"),
    )


if __name__ == "__main__":
    sys.exit(main())
