"""A new alpha: the exact band against ``roc_curve``, a frame against a small one; bytes."""

import json
import sys
from itertools import cycle

import numpy as np
from sklearn.metrics import roc_curve
from table import Row, in_turn, report, scored, within

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.wire import messages as wire
from conformal_roc_widget.wire.encoding import as_json

SMALL, SIZES = 10_000, (1_000_000, 10_000_000)
THRESHOLDS = np.linspace(0, 1, 1_001)
ALPHAS = np.linspace(0.01, 0.4, 41).round(4).tolist()
LIMIT_KB = {"data": 130, "frame": 40}
#: Limits of the ratio of the exact band's time to that of ``roc_curve``, by the number of test
#: points.
LIMITS = {1_000_000: 1 / 100, 10_000_000: 1 / 500}


def messages(group: Group, n: int) -> list[Row]:
    """The sizes of the two messages."""
    made = {
        "data": wire.data_message(group),
        "frame": wire.frame_message(group, 0.05, 0.5, "", 0),
    }
    sizes = {name: len(json.dumps(as_json(message))) for name, message in made.items()}
    return [
        within(f"message {name}, {n:,} points", size / 1000, LIMIT_KB[name], "kB")
        for name, size in sizes.items()
    ]


def main(*sizes: int) -> int:
    rng = np.random.default_rng(0)
    calibration = scored(rng, 2_000)
    alphas = cycle(ALPHAS)
    small = Group.of(RocEvaluation.from_predictions(*calibration, *scored(rng, SMALL)))
    rows = messages(small, SMALL)

    def frame(group: Group) -> object:
        return wire.frame_message(group, next(alphas), 0.5, "", 0)

    for n in sizes:
        y, score = scored(rng, n)
        evaluation = RocEvaluation.from_predictions(*calibration, y, score)
        group = Group.of(evaluation)
        evaluation.band(0.5, THRESHOLDS), frame(group), frame(small)  # sorts the scores once
        if n in LIMITS:
            band, rival = in_turn(
                lambda made=evaluation: made.band(next(alphas), THRESHOLDS),
                lambda y=y, score=score: roc_curve(y, score),
                runs=5,
                first=9,
            )
            what = f"band at {THRESHOLDS.size} thresholds, new alpha, {n:,} points"
            rows.append(Row(what, band, "roc_curve", rival, LIMITS[n]))
        large, little = in_turn(lambda group=group: frame(group), lambda: frame(small), runs=41)
        what = f"frame of the widget, new alpha, {n:,} points"
        rows.append(Row(what, large, f"{SMALL:,} points", little, 1.5))
        rows += messages(group, n)
    return report(*rows)


if __name__ == "__main__":
    sys.exit(main(*(map(int, sys.argv[1:]) if sys.argv[1:] else SIZES)))
