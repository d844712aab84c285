"""Seconds over the size of the test set; with a file name as an argument also as a picture."""

import sys
from collections.abc import Callable
from itertools import cycle

import numpy as np
from scipy.special import expit
from sklearn.metrics import roc_curve
from table import median_seconds, seconds

from conformal_roc_widget import RocEvaluation, wire
from conformal_roc_widget.group import Group

SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
THRESHOLDS = np.linspace(0, 1, 1_001)


def sample(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    y = rng.random(n) < 0.4
    return y, expit(rng.normal(size=n) + 1.5 * y - 0.6)


def measured(n: int) -> dict[str, float]:
    rng = np.random.default_rng(0)
    calibration, (y, score) = sample(rng, 2_000), sample(rng, n)
    alphas = cycle(np.linspace(0.01, 0.4, 1_001).round(5).tolist())

    def make() -> RocEvaluation:
        return RocEvaluation.from_predictions(*calibration, y, score)

    made = make()
    group = Group.of(made)
    wire.data_message(group)
    calls: dict[str, Callable[[], object]] = {
        "roc_curve (scikit-learn)": lambda: roc_curve(y, score),
        "np.sort of the scores": lambda: np.sort(score),
        "from_predictions": make,
        "from_predictions and a first band": lambda: make().band(0.05, THRESHOLDS),
        "exact AUC range, new alpha": lambda: made.auc(next(alphas)),
        "exact band at 1001 thresholds, new alpha": lambda: made.band(next(alphas), THRESHOLDS),
        "frame of the widget, new alpha": lambda: wire.frame_message(
            group, next(alphas), 0.5, "", 0
        ),
    }
    taken = {}
    for name, call in calls.items():
        call()
        taken[name] = median_seconds(call, runs=3 if n > 1_000_000 else 7)
    return taken


def main(path: str | None = None) -> int:
    table = {n: measured(n) for n in SIZES}
    names = list(table[SIZES[0]])
    width = max(map(len, names))
    print(" " * width, *(f"{n:>12,}" for n in SIZES))
    for name in names:
        print(name.ljust(width), *(f"{seconds(table[n][name]):>12}" for n in SIZES))
    if path is not None:
        import altair as alt
        import pandas as pd

        frame = pd.DataFrame(
            [
                {"test points": n, "seconds": taken, "what": name}
                for n, row in table.items()
                for name, taken in row.items()
            ]
        )
        alt.Chart(frame, width=480, height=360).mark_line(point=True).encode(
            x=alt.X("test points").scale(type="log"),
            y=alt.Y("seconds").scale(type="log"),
            color=alt.Color("what").sort(names).title(None).legend(labelLimit=300),
        ).save(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
