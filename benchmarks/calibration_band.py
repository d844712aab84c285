"""The calibration band: a new alpha at ten thousand points, and all of it at a million."""

import sys
from itertools import cycle, repeat
from time import perf_counter

import numpy as np
from scipy.special import expit
from table import Row, report

from conformal_roc_widget import RocEvaluation, calibration_band

ALPHAS = cycle(np.linspace(0.01, 0.4, 41).round(4).tolist())
#: Seconds of a new alpha at `SMALL` points, and of the whole band at `LARGE`.
SMALL, LARGE = 10_000, 1_000_000
LIMITS = {SMALL: 0.05, LARGE: 2.0}


def sample(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    score = expit(rng.normal(size=n))
    return (rng.random(n) < score).astype(int), score


def limited(what: str, seconds: list[float], limit: float) -> Row:
    return Row(what, seconds, "limit", list(repeat(limit, len(seconds))), 1)


def main() -> int:
    rng = np.random.default_rng(0)
    calibration, test = sample(rng, SMALL), sample(rng, SMALL)
    evaluation = RocEvaluation.from_predictions(*calibration, *test, guarantee="simultaneous")
    evaluation.at(0.5)
    frames = []
    for _ in range(15):
        started = perf_counter()
        evaluation.band(next(ALPHAS))
        frames.append(perf_counter() - started)
    many, whole = sample(rng, LARGE), []
    for _ in range(3):
        started = perf_counter()
        calibration_band(*many)
        whole.append(perf_counter() - started)
    return report(
        limited(f"simultaneous band, new alpha, {SMALL:,} points", frames, LIMITS[SMALL]),
        limited(f"calibration_band, {LARGE:,} points", whole, LIMITS[LARGE]),
    )


if __name__ == "__main__":
    sys.exit(main())
