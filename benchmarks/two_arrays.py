"""Labels and scores alone: the first display, its peak of memory, and a new alpha.

The first display is `ROCWidget.from_predictions(y, score)` and everything that a cell then shows,
including the picture. The rival is scikit-learn's picture of the same data, saved to a file. Times
are seconds of the processor.
"""

import io
import sys
import tracemalloc
from statistics import median
from time import process_time, thread_time

import matplotlib as mpl
import numpy as np
from sklearn.metrics import RocCurveDisplay
from table import Row, report, scored, seconds, within

from conformal_roc_widget import ROCWidget

SIZES = (1_000, 100_000, 1_000_000)
#: A widget has no limits at these alphas yet.
ALPHAS = np.linspace(0.0113, 0.3917, 30)
#: Limits by the number of rows. `DISPLAY` is for the ratio of the first display's time to the
#: picture's. `NEW_ALPHA` is for the milliseconds of a new alpha.
DISPLAY = {1_000: 3, 100_000: 1.2, 1_000_000: 1.5, 10_000_000: 1.5}
NEW_ALPHA = {1_000: 3, 100_000: 5, 1_000_000: 6, 10_000_000: 30}
#: The limit for the peak memory of a first display, in bytes a row. With fewer rows than
#: `WORTH_A_PEAK`, most of the memory does not depend on their number.
PEAK, WORTH_A_PEAK = 60, 1_000_000


def main(*sizes: int) -> int:
    mpl.use("agg")
    rng, rows = np.random.default_rng(0), []
    for n in sizes:
        y, score = scored(rng, n, np.int64)

        def show(y: np.ndarray = y, score: np.ndarray = score) -> ROCWidget:
            widget = ROCWidget.from_predictions(y, score)
            widget._repr_mimebundle_()
            return widget

        def picture(y: np.ndarray = y, score: np.ndarray = score) -> None:
            shown = RocCurveDisplay.from_predictions(y, score)
            shown.figure_.savefig(io.BytesIO())
            mpl.pyplot.close(shown.figure_)

        show(y[:100], score[:100]).close(), picture(y[:100], score[:100])
        ours, rivals = [], []
        for _ in range(3):
            ours.append(seconds(lambda: show().close(), process_time))
            rivals.append(seconds(picture, process_time))
        rows.append(Row(f"first display, {n:,} rows", ours, "picture", rivals, DISPLAY[n]))
        widget = show()
        moves = []
        for alpha in ALPHAS.tolist():
            start = thread_time()  # the bootstrap runs in another thread meanwhile
            widget.alpha = alpha
            moves.append(1e3 * (thread_time() - start))
        rows.append(within(f"new alpha, {n:,} rows", median(moves), NEW_ALPHA[n], "ms"))
        widget.close()
        if n >= WORTH_A_PEAK:
            tracemalloc.start()
            show().close()
            peak = tracemalloc.get_traced_memory()[1] / n
            tracemalloc.stop()
            rows.append(within(f"peak of a first display, {n:,} rows", peak, PEAK, "bytes a row"))
    return report(*rows)


if __name__ == "__main__":
    sys.exit(main(*(map(int, sys.argv[1:]) if sys.argv[1:] else SIZES)))
