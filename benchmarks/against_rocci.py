"""Bands of 100,000 scores against rocci's default: simultaneous, of 2000 bootstrap replicates.

Our bands and rocci's answer different questions. Only the waiting time is compared, from the scores
to the band.
"""

import sys

import numpy as np
from table import Row, in_turn, report, scored

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.comparators import bootstrap_band, ks_band

POINTS = 100_000


def main() -> int:
    try:
        from rocci import roc_band
    except ImportError:
        print("left out: rocci is not installed (pip install 'conformal_roc_widget[bands]')")
        return 0
    rng = np.random.default_rng(0)
    calibration, (y, score) = scored(rng, 2_000, int), scored(rng, POINTS, int)
    calls = {
        "conformal band": lambda: RocEvaluation.from_predictions(*calibration, y, score).band(),
        "bootstrap_band, 2,000 replicates": lambda: bootstrap_band(y, score, random_state=0),
        "ks_band": lambda: ks_band(y, score),
    }
    *ours, rival = in_turn(*calls.values(), lambda: roc_band(y, score, random_state=0))
    return report(
        *(
            Row(f"{what}, {POINTS:,} points", taken, "rocci.roc_band", rival, 1)
            for what, taken in zip(calls, ours, strict=True)
        )
    )


if __name__ == "__main__":
    sys.exit(main())
