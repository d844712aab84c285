"""`kernel_logit` against ``cdist`` and ``logsumexp``, and its growth in bounded memory."""

import sys
import tracemalloc

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import expit, logsumexp
from table import Row, in_turn, report, within

from conformal_roc_widget import kernel_logit

SMALL, LARGE = 20_000, 100_000


def sample(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    X = rng.normal(size=(n, 3))
    return X, rng.random(n) < expit(X.sum(axis=1))


def plain(X_train: np.ndarray, y: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Silverman's rule and eq. tilde_pi as written. This takes about 8 GB."""
    n, d = X_train.shape
    h = X_train.std(axis=0, ddof=1) * (n * (d + 2) / 4) ** (-1 / (d + 4))
    exponents = -0.5 * cdist(X / h, X_train / h, "sqeuclidean")
    return logsumexp(exponents[:, y], axis=1) - logsumexp(exponents[:, ~y], axis=1)


def main() -> int:
    rng = np.random.default_rng(0)
    X, y = sample(rng, SMALL)
    points, _ = sample(rng, SMALL)
    small = X, y, points
    ours, rival = in_turn(lambda: kernel_logit(*small), lambda: plain(*small), runs=7, first=3)
    difference = np.abs(kernel_logit(*small) - plain(*small)).max()
    X, y = sample(rng, LARGE)
    points, _ = sample(rng, LARGE)
    again, large = in_turn(
        lambda: kernel_logit(*small), lambda: kernel_logit(X, y, points), runs=3, first=3
    )
    tracemalloc.start()
    kernel_logit(X, y, points)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    scores, labels, others = X[:, :1][:SMALL], y[:SMALL], points[:, :1][:SMALL]
    by_cells, by_pairs = in_turn(
        lambda: kernel_logit(scores, labels, others),
        lambda: plain(scores, labels, others),
        runs=3,
        first=3,
    )
    return report(
        Row(f"kernel_logit {SMALL:,} x {SMALL:,} x 1", by_cells, "all pairs", by_pairs, 1 / 100),
        Row(f"kernel_logit {SMALL:,} x {SMALL:,} x 3", ours, "cdist + logsumexp", rival, 1 / 30),
        Row(f"kernel_logit {LARGE:,} x {LARGE:,} x 3", large, f"{SMALL:,} x {SMALL:,}", again, 30),
        within("kernel_logit: difference of a logit from the rival's", difference, 1e-9, "nats"),
        within("kernel_logit: peak memory of the larger one", peak, 500, "MB"),
    )


if __name__ == "__main__":
    sys.exit(main())
