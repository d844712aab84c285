"""`ConformalROC.fit` of ten classes (or `50`), beside a fit of the same rows with two classes.

The fit with two classes needs the models of one label against the rest. A fit for each class alone
would take as many times as long as there are classes. Times are seconds of the processor.
"""

import sys
from time import process_time

import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from table import Row, report, seconds, within

from conformal_roc_widget import ConformalROC

#: By the number of classes: the number of points, the limit in seconds, and the largest allowed
#: ratio to the time of fits for each class alone.
FITS = {10: (2_000, 5, 0.7), 50: (5_000, 20, 0.7)}
COLUMNS, INFORMATIVE = 20, 12


def fit_seconds(X: np.ndarray, y: np.ndarray) -> float:
    """Processor time of a fit to the learned reference."""
    model = ConformalROC(
        LogisticRegression(max_iter=1000), reference="learned", random_state=0, progress=False
    )
    return seconds(lambda: model.fit(X, y), process_time)


def main(*numbers: int) -> int:
    rows = []
    for k in numbers:
        n, limit, share = FITS[k]
        X, y = make_classification(
            *(n, COLUMNS), n_informative=INFORMATIVE, n_classes=k, n_clusters_per_class=1,
            random_state=0,
        )  # fmt: skip
        ours, two = fit_seconds(X, y), fit_seconds(X, (y == 0).astype(np.int64))
        rows.append(Row(f"fit of {k} classes, {n:,} rows", [ours], f"{k} of two", [k * two], share))
        rows.append(within(f"fit of {k} classes, {n:,} rows", ours, limit))
    return report(*rows)


if __name__ == "__main__":
    sys.exit(main(*(map(int, sys.argv[1:]) if sys.argv[1:] else [10])))
