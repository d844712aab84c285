"""The calibration band: a new alpha at ten thousand points, and the whole band at a million."""

import sys
from itertools import cycle

import numpy as np
from scipy.special import expit
from table import in_turn, report, within

from conformal_roc_widget import RocEvaluation, calibration_band

ALPHAS = cycle(np.linspace(0.01, 0.4, 41).round(4).tolist())
#: `LIMITS` has the seconds for a new alpha at `SMALL` points, and for the whole band at `LARGE`
#: points.
SMALL, LARGE = 10_000, 1_000_000
LIMITS = {SMALL: 0.05, LARGE: 2.0}


def sample(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    score = expit(rng.normal(size=n))
    return (rng.random(n) < score).astype(int), score


def main() -> int:
    rng = np.random.default_rng(0)
    calibration, test = sample(rng, SMALL), sample(rng, SMALL)
    evaluation = RocEvaluation.from_predictions(*calibration, *test, guarantee="simultaneous")
    evaluation.at(0.5)
    (frames,) = in_turn(lambda: evaluation.band(next(ALPHAS)), runs=15)
    many = sample(rng, LARGE)
    (whole,) = in_turn(lambda: calibration_band(*many), runs=3)
    return report(
        within(f"simultaneous band, new alpha, {SMALL:,} points", frames, LIMITS[SMALL]),
        within(f"calibration_band, {LARGE:,} points", whole, LIMITS[LARGE]),
    )


if __name__ == "__main__":
    sys.exit(main())
