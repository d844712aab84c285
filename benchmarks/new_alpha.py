"""A new alpha on the widget's vertices: against ``roc_curve`` and a smaller test set; bytes."""

import sys
from time import perf_counter

import numpy as np
from scipy.special import expit
from sklearn.metrics import roc_curve
from table import Row, median_seconds, report

from conformal_roc_widget import RocEvaluation, wire

SIZES = (10_000, 1_000_000)
ALPHAS = np.linspace(0.01, 0.4, 41).round(4).tolist()
LIMIT_BYTES = 65_536


def sample(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    y = rng.random(n) < 0.4
    return y, expit(rng.normal(size=n) + 1.5 * y - 0.6)


def new_alpha(evaluation: RocEvaluation) -> float:
    """Median seconds for the band's limits at an alpha not asked for before."""
    evaluation.display_counts(0.5)  # sorts, once
    taken = []
    for alpha in ALPHAS:
        start = perf_counter()
        evaluation.display_counts(alpha)
        taken.append(perf_counter() - start)
    return float(np.median(taken))


def main() -> int:
    rng = np.random.default_rng(0)
    calibration = sample(rng, 2_000)
    ours, rivals, messages = {}, {}, {}
    for n in SIZES:
        y, score = sample(rng, n)
        evaluation = RocEvaluation.from_predictions(*calibration, y, score)
        ours[n] = new_alpha(evaluation)
        rivals[n] = median_seconds(lambda y=y, score=score: roc_curve(y, score))
        messages[n] = {
            "data": wire.data_message(evaluation),
            "frame": wire.frame_message(evaluation, 0.05, 0.5, "", 0),
        }
    small, big = SIZES
    for n, both in messages.items():
        for name, message in both.items():
            size = sum(len(value) for value in message.values() if isinstance(value, bytes))
            word = "hit" if size <= LIMIT_BYTES else "MISS"
            print(f"{name} at {n:,} test points: {size:,} bytes, limit {LIMIT_BYTES:,}: {word}")
    return report(
        Row(f"new alpha, {big:,} points", ours[big], "roc_curve", rivals[big], 0.01),
        Row(f"new alpha, {big:,} points", ours[big], f"{small:,} points", ours[small], 5),
    )


if __name__ == "__main__":
    sys.exit(main())
