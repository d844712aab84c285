"""Exact band at all thresholds against ``roc_curve``, exact AUC range against one sort."""

import sys
from itertools import cycle

import numpy as np
from sklearn.metrics import roc_curve
from table import Row, in_turn, report, scored

from conformal_roc_widget import RocEvaluation

BAND, AREA = 1_000_000, 10_000_000


def main() -> int:
    rng = np.random.default_rng(0)
    calibration = scored(rng, 2_000)
    alphas = cycle(np.linspace(0.01, 0.4, 41).round(4).tolist())
    y, score = scored(rng, BAND)

    def evaluation() -> RocEvaluation:
        return RocEvaluation.from_predictions(*calibration, y, score)

    def rival() -> object:
        return roc_curve(y, score, drop_intermediate=False)

    first = in_turn(lambda: evaluation().band(0.05), rival)
    made = evaluation()
    made.band(0.5)
    new = in_turn(lambda: made.band(next(alphas)), rival)
    what = f"exact band at all of {BAND:,} thresholds"
    rows = [
        Row(f"{what}, from the scores", first[0], "roc_curve", first[1], 1.5),
        Row(f"{what}, new alpha", new[0], "roc_curve", new[1], 1.5),
    ]
    y, score = scored(rng, AREA)
    made = evaluation()
    made.auc(0.5)
    area = in_turn(lambda: made.auc(next(alphas)), lambda: np.sort(score), runs=21)
    rows.append(Row(f"exact AUC range, {AREA:,} points", area[0], "np.sort", area[1], 1.0))
    return report(*rows)


if __name__ == "__main__":
    sys.exit(main())
