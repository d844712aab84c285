"""`RocEvaluation.from_predictions` against one sort of the scores, and its memory."""

import sys
import tracemalloc

import numpy as np
from table import Row, in_turn, report, scored, within

from conformal_roc_widget import RocEvaluation

SIZE = 10_000_000
THRESHOLDS = np.linspace(0, 1, 1_001)
LIMIT_MEMORY = 2.0


def main(n: int = SIZE) -> int:
    rng = np.random.default_rng(0)
    calibration = scored(rng, 2_000, np.int8)
    y, score = scored(rng, n, np.int8)

    def make() -> RocEvaluation:
        return RocEvaluation.from_predictions(*calibration, y, score)

    rows = []
    for name, labels in (("int8", y), ("int64", y.astype(np.int64)), ("text", y.astype("U1"))):
        known = (calibration[0].astype(labels.dtype), calibration[1])
        ours, rival = in_turn(
            lambda known=known, labels=labels: RocEvaluation.from_predictions(
                *known, labels, score
            ),
            lambda: np.sort(score),
        )
        limit = 1.5 if name != "text" else 5.0
        rows.append(
            Row(f"from_predictions, {n:,} points, labels {name}", ours, "np.sort", rival, limit)
        )
    ours, rival = in_turn(lambda: make().band(0.05, THRESHOLDS), lambda: np.sort(score), runs=3)
    rows.append(Row("the same and a first band, which sorts", ours, "np.sort", rival, 15))
    tracemalloc.start()
    kept = make()
    peak = tracemalloc.get_traced_memory()[1] / (y.nbytes + score.nbytes)
    tracemalloc.stop()
    print(f"{kept!r}")
    rows.append(within("from_predictions: peak memory", peak, LIMIT_MEMORY, "x the input"))
    return report(*rows)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
