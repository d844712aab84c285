"""A new alpha: the exact band against ``roc_curve``, a frame against a small one; bytes."""

import json
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter

import numpy as np
from scipy.special import expit
from sklearn.metrics import roc_curve
from table import Row, median_seconds, report

from conformal_roc_widget import RocEvaluation, wire
from conformal_roc_widget.group import Group

SMALL, SIZES = 10_000, (1_000_000, 10_000_000)
THRESHOLDS = np.linspace(0, 1, 1_001)
ALPHAS = np.linspace(0.01, 0.4, 41).round(4).tolist()
LIMIT_BYTES = {"data": 130_000, "frame": 40_000}
#: Of the exact band's time over that of ``roc_curve``, by the number of test points.
LIMITS = {1_000_000: 1 / 100, 10_000_000: 1 / 500}


def sample(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    y = rng.random(n) < 0.4
    return y, expit(rng.normal(size=n) + 1.5 * y - 0.6)


def at_new_alphas(call: Callable[[float], object]) -> float:
    """Median seconds at an alpha not asked for before, when all is sorted."""
    call(0.5)
    taken = []
    for alpha in ALPHAS:
        start = perf_counter()
        call(alpha)
        taken.append(perf_counter() - start)
    return median(taken)


def main(*sizes: int) -> int:
    rng = np.random.default_rng(0)
    calibration = sample(rng, 2_000)
    frames, rows, hit = {}, [], True
    for n in (SMALL, *sizes):
        y, score = sample(rng, n)
        evaluation = RocEvaluation.from_predictions(*calibration, y, score)
        group = Group.of(evaluation)
        band = at_new_alphas(lambda alpha, made=evaluation: made.band(alpha, THRESHOLDS))
        frames[n] = at_new_alphas(
            lambda alpha, group=group: wire.frame_message(group, alpha, 0.5, "", 0)
        )
        messages = {
            "data": wire.data_message(group),
            "frame": wire.frame_message(group, 0.05, 0.5, "", 0),
        }
        for name, message in messages.items():
            size, limit = len(json.dumps(wire.as_json(message))), LIMIT_BYTES[name]
            word = "hit" if size <= limit else "MISS"
            hit = hit and size <= limit
            print(f"{name} at {n:,} test points: {size:,} bytes, limit {limit:,}: {word}")
        if n in LIMITS:
            runs = 5 if n <= 1_000_000 else 3
            rival = median_seconds(lambda y=y, score=score: roc_curve(y, score), runs)
            rows.append(Row(f"new alpha, {n:,} points", band, "roc_curve", rival, LIMITS[n]))
    rows += [
        Row(f"frame, {n:,} points", frames[n], f"{SMALL:,} points", frames[SMALL], 1.5)
        for n in sizes
    ]
    return report(*rows) if hit else max(1, report(*rows))


if __name__ == "__main__":
    sys.exit(main(*(map(int, sys.argv[1:]) if sys.argv[1:] else SIZES)))
