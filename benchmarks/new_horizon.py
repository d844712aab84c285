"""A new t of a fit to outcomes with a time: its residuals, and the evaluation of test rows.

If the draws at t exist, a new t at 2,000 rows needs two weighted lists of residuals. The evaluation
at a stored t is compared with ``roc_curve`` of as many rows. Times are those of the processor,
because other work of the machine does not change them much.
"""

import sys
from collections.abc import Callable
from time import process_time

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_curve
from table import Row, report, seconds, within

from conformal_roc_widget import ConformalROC, simulation
from conformal_roc_widget.calibration.followed.censoring import MarginalCensoring
from conformal_roc_widget.calibration.followed.known import Known
from conformal_roc_widget.calibration.followed.learned_risk import LearnedRisk
from conformal_roc_widget.calibration.followed.residuals import residuals_of
from conformal_roc_widget.tables.event_times import EventTimes

N, HORIZONS, RUNS = 2_000, (0.5, 1.0, 2.0), 9
#: The limits: milliseconds of processor time, and the ratio to ``roc_curve`` of as many rows.
MOST_MS, MOST_TIMES = 60, 10


def processor_ms(call: Callable[[], object]) -> list[float]:
    """Processor times of a call, one a repeat."""
    return [1000 * seconds(call, process_time) for _ in range(RUNS)]


def main() -> int:
    """Measures and reports the table."""
    X, y, _ = simulation.draw("survival", N, 1)
    test = simulation.draw("survival", N, 2)
    outcome = EventTimes.of(y, "y")
    half = np.arange(N // 2, N)
    censoring = MarginalCensoring.of(outcome)
    draws = LearnedRisk.of(X, outcome, HORIZONS).risk_logits(X[half], HORIZONS)[1.0]
    logits = X[half, 0]

    def new_t() -> object:
        return residuals_of(Known.of(outcome.rows(half), 1.0, censoring), draws, logits)

    model = ConformalROC(LogisticRegression(), horizons=HORIZONS, random_state=0).fit(X, y)

    def evaluation() -> object:
        return model.evaluate(test.X, test.y, 1.0).band(0.1)

    label = test.y["time"] <= 1
    rival = processor_ms(lambda: roc_curve(label, test.X[:, 0]))
    lists, whole = processor_ms(new_t), processor_ms(evaluation)
    return report(
        within(f"two weighted lists of a new t, {N:,} rows", lists, MOST_MS, "ms"),
        within(f"evaluation and band at a stored t, {N:,} rows", whole, MOST_MS, "ms"),
        Row(f"that evaluation, {N:,} rows", whole, "roc_curve", rival, MOST_TIMES, "ms"),
    )


if __name__ == "__main__":
    sys.exit(main())
