"""`kernel_logit` against ``cdist`` and ``logsumexp``, and its growth in bounded memory."""

import resource
import sys
from time import perf_counter

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import expit, logsumexp
from table import Row, median_seconds, report

from conformal_roc_widget import kernel_logit

SMALL, LARGE = 20_000, 100_000


def sample(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    X = rng.normal(size=(n, 3))
    return X, rng.random(n) < expit(X.sum(axis=1))


def plain(X_train: np.ndarray, y: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Silverman's rule and eq. tilde_pi as written, a thousand rows at a time to fit in memory."""
    n, d = X_train.shape
    h = X_train.std(axis=0, ddof=1) * (n * (d + 2) / 4) ** (-1 / (d + 4))
    out = []
    for start in range(0, len(X), 1_000):
        exponents = -0.5 * cdist(X[start : start + 1_000] / h, X_train / h, "sqeuclidean")
        out.append(logsumexp(exponents[:, y], axis=1) - logsumexp(exponents[:, ~y], axis=1))
    return np.concatenate(out)


def main() -> int:
    rng = np.random.default_rng(0)
    X, y = sample(rng, SMALL)
    points, _ = sample(rng, SMALL)
    ours = median_seconds(lambda: kernel_logit(X, y, points))
    start = perf_counter()
    expected = plain(X, y, points)
    rival = perf_counter() - start
    difference = np.abs(kernel_logit(X, y, points) - expected).max()
    X, y = sample(rng, LARGE)
    points, _ = sample(rng, LARGE)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    large = median_seconds(lambda: kernel_logit(X, y, points), runs=1)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"largest difference in the logit: {difference:.1e}")
    print(f"peak memory of the large one above that of the plain version: {grown / 1024:.0f} MB")
    return report(
        Row(f"kernel_logit {SMALL:,} x {SMALL:,} x 3", ours, "cdist + logsumexp", rival, 1 / 30),
        Row(f"kernel_logit {LARGE:,} x {LARGE:,} x 3", large, f"{SMALL:,} x {SMALL:,}", ours, 30),
    )


if __name__ == "__main__":
    sys.exit(main())
