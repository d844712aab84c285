"""Computes the kernel estimate ``pi~`` of the true probability from features or from the score.

It is eq. (tilde_pi) of the paper.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar
from threadpoolctl import ThreadpoolController

from conformal_roc_widget.arrays import (
    Floats,
    Ints,
    are_probabilities,
    codes_of,
    deviation,
    labels_of,
    numbers_of,
    same_length,
    shortened,
    two_classes_of,
)
from conformal_roc_widget.checks import number, one_of
from conformal_roc_widget.choices import BandwidthName, KernelName
from conformal_roc_widget.logits import one_vs_rest
from conformal_roc_widget.tables.points import Points
from conformal_roc_widget.text import counted

from .line_sums import gaussian_sums

KERNELS = ("gaussian",)
BANDWIDTHS = ("silverman", "scott", "cv")

#: At most `ROWS` times `COLUMNS` kernel values are in memory at once. As float64 they take 2 MiB,
#: which fits into a core's cache.
ROWS, COLUMNS = 128, 2048
#: If there are more pairs of points than this, several threads are faster than one.
PARALLEL_FROM = 1 << 22
#: If there are more pairs of points on a line than this, line_sums.py computes sums of kernel
#: values. It is faster than a sum over all pairs.
ON_A_LINE_FROM = 1 << 26
#: If a sum from line_sums.py is below this, it may have lost digits, and is computed again from all
#: pairs.
EXACT_FROM = 1e-3
#: If a kernel sum is below this, it may have lost digits to underflow, and is computed again with
#: logarithms.
UNDERFLOW = 1e-280
#: A training point that is farther from the centre than this, in bandwidths, is refused: its
#: distances would lack digits.
FARTHEST = 1e7
#: A target that is farther from the centre than this, in bandwidths, is moved to this distance, so
#: that its square is finite.
FARTHEST_TARGET = 1e140


@dataclass(frozen=True)
class KernelReference:
    """A Gaussian product kernel over the training points of each class (eq. tilde_pi).

    Parameters
    ----------
    centre : ndarray of shape (d,)
        Subtracted first, so that a common offset of the features costs no digits.
    bandwidth : ndarray of shape (d,)
        Bandwidth ``h_j`` in the units of feature j. Infinite for a constant feature.
    scaled : ndarray of shape (n_tr, d)
        Training points, centred and divided by the bandwidth.
    codes : ndarray of shape (n_tr,)
        Class of each training row.
    factors : tuple of ndarray of shape (d + 2, n_l)
        For each class, the right factor of a matrix product that gives the kernel's exponents.
    """

    centre: Floats
    bandwidth: Floats
    scaled: Floats
    codes: Ints
    factors: tuple[Floats, ...]

    def logits(self, X: Floats | None = None, people: Ints | None = None) -> Floats:
        """Returns the one-vs-rest logits (n, k) of ``pi~`` at the rows of `X`.

        By default the rows are the training points, and each is left out of its own estimate. With
        `people` (n_tr,), all training points of the same person are left out. If no points remain,
        the odds are even.
        """
        (sums,) = self._log_sums(X, powers=(1,), people=people)
        nobody = np.asarray(np.isneginf(sums).all(axis=1))
        return one_vs_rest(np.where(nobody[:, None], 0.0, sums) if nobody.any() else sums)

    def effective_n(self, X: Floats | None = None) -> Floats:
        """Returns the effective sample size ``(sum K)^2 / sum K^2`` (n,) at each row of `X`."""
        with np.errstate(under="ignore"):
            total, squares = np.logaddexp.reduce(self._log_sums(X, powers=(1, 2)), axis=2)
        effective: Floats = np.exp(2 * total - squares)
        return effective

    def _log_sums(
        self, X: Floats | None, powers: tuple[int, ...], people: Ints | None = None
    ) -> Floats:
        """Returns the log of the sum of ``K^power`` over the training points of each class.

        The result has the shape (powers, rows of `X`, classes). If `X` is None, the rows are the
        training points, each without itself, or without all training points of its person.
        """
        targets = self.scaled if X is None else self._targets(X)
        pairs = len(targets) * self.codes.size
        if self.scaled.shape[1] == 1 and people is None and pairs >= ON_A_LINE_FROM:
            on_a_line = [self._log_sums_on_a_line(targets, p, leave_out=X is None) for p in powers]
            out = np.stack(on_a_line)
        else:
            out = np.full((len(powers), len(targets), len(self.factors)), np.nan)
        left = _left_factor(targets)
        # If no people are given, each point is a person of its own.
        owners = np.arange(self.codes.size) if people is None else people

        def fill(rows: Ints) -> None:
            for code, right in enumerate(self.factors):
                left_out = owners[rows, None] == owners[self.codes == code] if X is None else None
                with np.errstate(under="ignore"):  # the kernel is 0 for far points
                    out[:, rows, code] = _log_sums_exp(left[rows], right, left_out, powers)

        open_rows = np.flatnonzero(np.isnan(out).any(axis=(0, 2)))
        blocks = (open_rows[rows] for rows in _slices(open_rows.size, ROWS))
        pays = open_rows.size * self.codes.size >= PARALLEL_FROM
        # The matrices of a block are small, so BLAS with several threads would be slower.
        with thread_pools().limit(limits=1, user_api="blas"):
            Parallel(n_jobs=-1 if pays else 1, require="sharedmem")(map(delayed(fill), blocks))
        return out

    def _log_sums_on_a_line(self, targets: Floats, power: int, *, leave_out: bool) -> Floats:
        """Like `_log_sums` for one feature (rows, classes), but without visiting all pairs.

        The result is NaN where digits are lost.
        """
        by_class = []
        for code in range(len(self.factors)):
            sources = self.scaled[self.codes == code, 0]
            sums = gaussian_sums(np.sqrt(power) * targets[:, 0], np.sqrt(power) * sources)
            # If the targets are the training points, each leaves out its own kernel value, which is
            # 1.
            if leave_out:
                sums -= self.codes == code
            by_class.append(
                np.where(sums < EXACT_FROM, np.nan, np.log(np.maximum(sums, EXACT_FROM)))
            )
        return np.column_stack(by_class)

    def _targets(self, X: Floats) -> Floats:
        with np.errstate(over="ignore"):
            scaled = (X - self.centre) / self.bandwidth
        return np.clip(scaled, -FARTHEST_TARGET, FARTHEST_TARGET)


@cache
def thread_pools() -> ThreadpoolController:
    """Returns a controller for the threads of numerical libraries.

    It is cached, because finding the libraries takes longer than a small kernel.
    """
    return ThreadpoolController()


def _slices(size: int, step: int) -> Iterator[slice]:
    return (slice(start, min(start + step, size)) for start in range(0, size, step))


def _left_factor(scaled: Floats) -> Floats:
    """The left factor of the matrix product ``-|x - x_j|^2 / 2``. See also `_right_factor`."""
    return np.column_stack([scaled, -0.5 * np.square(scaled).sum(1), np.ones(len(scaled))])


def _right_factor(scaled: Floats) -> Floats:
    columns = [scaled, np.ones(len(scaled)), -0.5 * np.square(scaled).sum(1)]
    return np.ascontiguousarray(np.column_stack(columns).T)


def _log_sums_exp(
    left: Floats, right: Floats, left_out: NDArray[np.bool_] | None, powers: tuple[int, ...]
) -> list[Floats]:
    """For each row, log of ``sum exp(left @ right)^power`` over all columns that are not left out.

    A power is 1 or 2. The `exp` takes most of the time, and squaring its result almost none.
    """
    sums = np.zeros((len(powers), len(left)))
    for columns in _slices(right.shape[1], COLUMNS):
        weights = left @ right[:, columns]
        if left_out is not None:
            np.copyto(weights, -np.inf, where=left_out[:, columns])
        np.exp(weights, out=weights)
        for place, power in enumerate(powers):
            sums[place] += (
                weights.sum(axis=1) if power == 1 else np.einsum("ij,ij->i", weights, weights)
            )
    return [
        _log_or_shifted(total, power, left, right, left_out)
        for total, power in zip(sums, powers, strict=True)
    ]


def _log_or_shifted(
    sums: Floats, power: int, left: Floats, right: Floats, left_out: NDArray[np.bool_] | None
) -> Floats:
    """Log of `sums` of a power of the kernel. A sum that underflows is computed again in logs."""
    shift = np.zeros(len(left))
    # If a target is far from the data, all its kernel values underflow. The exponents of such
    # targets are shifted by their maximum. All other targets need no shift, which would take time.
    far = np.flatnonzero(sums < UNDERFLOW)
    if far.size:
        exponents = power * (left[far] @ right)
        if left_out is not None:
            exponents[left_out[far]] = -np.inf
        shift[far] = exponents.max(axis=1, initial=-np.inf)
        shift[np.isneginf(shift)] = 0.0
        sums[far] = np.exp(exponents - shift[far, None]).sum(axis=1)
    with np.errstate(divide="ignore"):
        return np.asarray(shift + np.log(sums))


def fit_kernel(X: Floats, codes: Ints, bandwidth: Any = "silverman") -> KernelReference:
    """Fits the kernel estimate to training features `X` (n_tr, d) and classes `codes`.

    The classes are 0 to k - 1, and each occurs.
    """
    return _kernel(X, codes, kernel_widths(X, codes, bandwidth))


def check_bandwidth(bandwidth: Any, n_features: int) -> str | float | Floats:
    """Checks that `kernel_logit` accepts `bandwidth` for `n_features` features, and returns it."""
    if isinstance(bandwidth, str):
        numeric = "a positive number, or an array of one number a feature"
        return one_of(bandwidth, "bandwidth", BANDWIDTHS, other=numeric)
    if bandwidth is None or isinstance(bandwidth, (np.bool_, numbers.Real)):
        return number(bandwidth, "bandwidth", "a positive finite number", lambda h: 0 < h < np.inf)
    widths = numbers_of(bandwidth, "bandwidth", ndim=1)
    if widths.size != n_features:
        raise ValueError(
            f"bandwidth: found {widths.size} values, expected one for each of the "
            f"{n_features} features"
        )
    if widths.min() <= 0:
        raise ValueError(f"bandwidth: found {widths.min():g}, expected positive numbers only")
    return widths


def kernel_widths(X: Floats, codes: Ints, bandwidth: Any) -> Floats:
    """Returns the bandwidth ``h_j`` of each feature (d,), by a rule or from given numbers.

    It is infinite for a constant feature.
    """
    bandwidth = check_bandwidth(bandwidth, X.shape[1])
    n = len(X)
    varies = X.max(axis=0) > X.min(axis=0)
    if isinstance(bandwidth, np.ndarray):
        return np.where(varies, bandwidth, np.inf)
    spread = deviation(X, ddof=min(1, n - 1))
    varies &= spread > 0
    d = int(varies.sum())
    spread = np.where(varies, spread, np.inf)
    if isinstance(bandwidth, float):
        factor = bandwidth
    elif bandwidth == "silverman":
        factor = (n * (d + 2) / 4) ** (-1 / (d + 4))
    elif bandwidth == "scott":
        factor = n ** (-1 / (d + 4))
    else:
        factor = _cross_validated_factor(X, codes, spread) if d else 1.0
    return spread * factor


def _kernel(X: Floats, codes: Ints, widths: Floats) -> KernelReference:
    centre = X.mean(axis=0)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        scaled = (X - centre) / widths
    if (farthest := np.nanmax(np.abs(scaled))) > FARTHEST:
        raise ValueError(
            f"bandwidth: found points {farthest:.2g} bandwidths from their mean, expected at most "
            f"{FARTHEST:g}: a larger bandwidth, so that rounding does not decide"
        )
    factors = tuple(_right_factor(scaled[codes == code]) for code in range(int(codes.max()) + 1))
    return KernelReference(centre, widths, scaled, codes, factors)


def _cross_validated_factor(X: Floats, codes: Ints, spread: Floats) -> float:
    """Returns the ``c`` in ``h_j = c s_j`` that maximizes the leave-one-out log-likelihood."""
    counts = np.bincount(codes)
    if counts.min() < 2:
        raise ValueError(
            "bandwidth: 'cv' leaves each training point out once, so every class needs at least "
            f"two of them; found counts {shortened(counts.tolist())}"
        )

    def loss(log_factor: float) -> float:
        logits = _kernel(X, codes, np.exp(log_factor) * spread).logits()
        with np.errstate(under="ignore"):
            return float(np.logaddexp(0.0, -logits[np.arange(len(codes)), codes]).sum())

    # The likelihood may have several modes. A grid finds the highest one, and a search refines it.
    grid = np.linspace(np.log(0.02), np.log(20.0), 41)
    losses = [loss(step) for step in grid]
    best = int(np.argmin(losses))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, grid.size - 1)]
    polished = minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-4})
    return float(np.exp(polished.x if polished.fun < losses[best] else grid[best]))


def score_kernel(
    logits: Floats,
    codes: Ints,
    usable: NDArray[np.bool_],
    bandwidth: Any,
    name: str = "score_calibration",
) -> KernelReference:
    """Fits a kernel over the score's logit, for labels 0 and 1.

    Its bandwidth comes from the `usable` scores, those that are not clipped. Errors call the scores
    `name`.
    """
    check_scores_vary(logits[usable], name)
    points = logits[:, None]
    return _kernel(points, codes, kernel_widths(points[usable], codes[usable], bandwidth))


def check_scores(scores: Floats, name: str) -> None:
    """Raises for scores from which nothing can be learned. Scores of 0 and 1 are not counted."""
    inside = (scores > 0) & (scores < 1)
    check_scores_vary(scores[inside] if are_probabilities(scores) else scores, name)


def check_scores_vary(usable: Floats, name: str) -> None:
    """Raises if there are no `usable` scores (neither 0 nor 1), or if they are all equal."""
    if usable.size and usable.min() < usable.max():
        return
    distinct = np.unique(usable)
    if distinct.size < 2:
        why = "one score for all tells nothing"
        if not distinct.size:
            why = "these look like labels or predictions; predict_proba gives scores"
        raise ValueError(
            f"{name}: found {counted(distinct.size, 'distinct score')} other than 0 and 1, "
            f"expected at least two ({why})"
        )


def kernel_logit(
    X_train: ArrayLike,
    y_train: ArrayLike,
    X: ArrayLike,
    *,
    bandwidth: BandwidthName | float | ArrayLike = "silverman",
    kernel: KernelName = "gaussian",
) -> Floats:
    """Returns the logit of the kernel estimate ``pi~(x)`` (eq. tilde_pi of the paper).

    It is a difference of two log-sum-exps, so that it neither underflows nor saturates far from the
    data. Computing it in blocks bounds the memory.

    Parameters
    ----------
    X_train : array_like of shape (n_tr, d)
        Training features. A constant feature is left out.
    y_train : array_like of shape (n_tr,)
        Training labels of two classes. The second in sorted order is the positive one.
    X : array_like of shape (n, d)
        Features of the points at which to estimate.
    bandwidth : {"silverman", "scott", "cv"}, float or array_like of shape (d,)
        Bandwidth ``h_j`` of feature j, or a rule for it. Let ``s_j`` be the sample standard
        deviation (ddof=1) of feature j over the training set, and d the number of features that
        vary. ``"silverman"`` is ``s_j (n_tr (d + 2) / 4)^(-1 / (d + 4))``. ``"scott"`` is ``s_j
        n_tr^(-1 / (d + 4))``. A number c is ``c s_j``. ``"cv"`` is the ``c s_j``, for c between
        0.02 and 20, with the largest leave-one-out log-likelihood. An array is ``h_j`` itself.
    kernel : {"gaussian"}
        Product kernel. Only this kernel exists.

    Returns
    -------
    ndarray of shape (n,)
        ``logit pi~`` at the rows of `X`.

    Raises
    ------
    TypeError, ValueError
        If an argument does not have the form above: features that are NaN, infinite or beyond
        1e100, only one class, lengths, numbers of features or names of columns that differ, a
        bandwidth that is not positive, or one so small that rounding would decide.
    """
    one_of(kernel, "kernel", KERNELS)
    table = Points.of(X_train, "X_train")
    train = table.array
    labels: NDArray[Any] = labels_of(y_train, "y_train")
    same_length(X_train=train, y_train=labels)
    codes = codes_of(labels, two_classes_of(labels, "y_train"), "y_train")
    points = Points.of(X, "X", like=table.columns)
    logits: Floats = fit_kernel(train, codes, bandwidth).logits(points.array)[:, 1]
    return logits
