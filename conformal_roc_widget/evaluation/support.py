"""How far the test points lie from the data behind the method, and how good ``pi~`` is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints, ReadOnlyArrays
from conformal_roc_widget.calibration.references.kernel import KernelReference
from conformal_roc_widget.calibration.references.logistic import fit_logistic
from conformal_roc_widget.logits import logit_of
from conformal_roc_widget.text import Note

from .observed_curve import ObservedCurve
from .sorted_sample import SortedSample

#: A point extrapolates if its effective sample size is below this percentile of the calibration
#: set's.
PERCENTILE = 1
#: Effective sample sizes are equal if their relative difference is at most this.
ROUNDING = 2.0**-32
#: A determinant below this share of the product of its diagonal is all rounding error.
DIGITS = 1e-12
#: If a test set is larger, a widget looks at this many of its points, so that it need not wait.
POINTS_TO_NOTE = 2_000


@dataclass(frozen=True, eq=False)
class Support(ReadOnlyArrays):
    """Diagnostics for assumptions (A3) and (A4).

    If only labels and scores of test rows are given, no rows calibrate: the arrays are empty, and
    the numbers are NaN.

    Attributes
    ----------
    effective_n : ndarray of shape (n_test,)
        Effective number ``(sum K)^2 / sum K^2`` of training points near each test point.
    extrapolating : ndarray of bool of shape (n_test,)
        Test points below the 1st percentile of that figure over the calibration set (A4).
    share : float
        Proportion of extrapolating test points.
    reference_slope : tuple of float
        Logistic slope of the calibration labels on ``L_pi~``, and its standard error. Near 1 for a
        good reference; well above 1 means that ``pi~`` is too smooth to be trusted (A3). Infinite
        where the reference separates the labels.
    """

    effective_n: Floats
    extrapolating: NDArray[np.bool_]
    share: float
    reference_slope: tuple[float, float]

    def __repr__(self) -> str:
        """Short text: the share and the slope rather than every point."""
        slope, error = self.reference_slope
        return (
            f"Support({self.effective_n.size} test points, share={self.share:.3g}, "
            f"reference_slope=({slope:.3g}, {error:.3g}))"
        )


@dataclass(frozen=True, eq=False)
class SupportPart:
    """Points of one split, from which the diagnostics are made.

    `calibration` is None if the kernel is over these very points, each left out. A
    one-dimensional `test` holds scores, and the kernel is over their logits; `rows` are its places
    in the test set. `reference_logits` and `labels` are those of the calibration points.
    """

    kernel: KernelReference
    calibration: Floats | None
    test: Floats
    rows: Ints | slice
    reference_logits: Floats
    labels: Ints

    @property
    def targets(self) -> Floats:
        """Test points in the kernel's coordinates."""
        return self.test if self.test.ndim == 2 else logit_of(self.test)[:, None]

    def thinned(self, most: int, start: int) -> SupportPart:
        """The points thinned to at most `most` evenly spaced ones of each set.

        Places count from `start`.
        """
        calibration = self.calibration
        if calibration is not None:
            calibration = calibration[:: -(-len(calibration) // most)]
        test = self.test[:: -(-len(self.test) // most)]
        rows = slice(start, start + len(test))
        return replace(self, calibration=calibration, test=test, rows=rows)


@dataclass(frozen=True, eq=False)
class Diagnostics:
    """The diagnostics of the data behind the limits.

    `parts` are one a split, and none if nothing but residuals is known. Of the sentences, those
    that hold `always`, with and without a reference, come first, then the `remarks`, and the
    `last_remarks`, on the reference, after all others; `noise_advice` says what to do where the
    reference is noise. `about` tells that the parts have some of the test points only.
    """

    parts: tuple[SupportPart, ...] = ()
    always: tuple[Note, ...] = ()
    remarks: tuple[Note, ...] = ()
    last_remarks: tuple[Note, ...] = ()
    noise_advice: str = ""
    about: bool = False

    def at_scores(self, observed: ObservedCurve) -> Diagnostics:
        """The diagnostics for other test points with known scores.

        If these are in a table, at some ranks.
        """
        test, table = observed.scores, observed.summary is not None
        if table:
            test = SortedSample.of(test, observed.counts).at_even_ranks(POINTS_TO_NOTE)
        parts = tuple(replace(part, test=test) for part in self.parts)
        return replace(self, parts=parts, about=table)

    def with_remark(self, remark: Note) -> Diagnostics:
        """The diagnostics with one more remark."""
        return replace(self, remarks=(*self.remarks, remark))

    @cached_property
    def support(self) -> Support:
        """How far the test points lie from the data, and how good the reference is."""
        return support_of(self.parts)

    @cached_property
    def display_support(self) -> tuple[Support, bool]:
        """`support`, from some points only if the test set is large; and whether that is so."""
        if sum(len(part.test) for part in self.parts) <= POINTS_TO_NOTE:
            return self.support, self.about
        most = POINTS_TO_NOTE // len(self.parts) + 1
        few: list[SupportPart] = []
        for part in self.parts:
            few.append(part.thinned(most, sum(len(each.test) for each in few)))
        return support_of(few), True


def support_of(parts: Sequence[SupportPart]) -> Support:
    """Diagnostics over all splits; empty if nothing but residuals is known."""
    if not parts:
        return Support(np.empty(0), np.empty(0, dtype=bool), 0.0, (np.nan, np.nan))
    effective = np.empty(sum(len(part.test) for part in parts))
    extrapolating = np.empty(effective.size, dtype=bool)
    for part in parts:
        limit = np.percentile(part.kernel.effective_n(part.calibration), PERCENTILE)
        effective[part.rows] = part.kernel.effective_n(part.targets)
        # A tolerance: figures of equal points may differ in the last digits.
        extrapolating[part.rows] = effective[part.rows] < limit * (1 - ROUNDING)
    slope = logistic_slope(
        np.concatenate([part.reference_logits for part in parts]),
        np.concatenate([part.labels for part in parts]),
    )
    return Support(effective, extrapolating, float(extrapolating.mean()), slope)


def logistic_slope(x: Floats, labels: Ints) -> tuple[float, float]:
    """Maximum-likelihood slope of labels on a predictor, with an intercept, and its standard error.

    Values that are not finite are left out. Both are infinite if the predictor separates the
    labels, and NaN if it does not vary.
    """
    finite = np.isfinite(x)
    x, y = x[finite], labels[finite] == 1
    if y.all() or not y.any() or np.ptp(x) == 0:
        return np.nan, np.nan
    if x[y].min() >= x[~y].max():
        return np.inf, np.inf
    if x[y].max() <= x[~y].min():
        return -np.inf, np.inf
    centre, scale = x.mean(), x.std()
    design = np.column_stack([np.ones(x.size), (x - centre) / scale])
    coefficients = fit_logistic(design, y.astype(np.intp)).coefficients
    p = expit(design @ coefficients)
    information = (design * (p * (1 - p))[:, None]).T @ design
    (a, b), (_, c) = information.tolist()
    # If all probabilities are near 0 or 1, or all points with weight are equal, the data do not
    # tell the slope: the determinant is then only the rounding error of its two terms.
    error = math.sqrt(a / det) if (det := a * c - b * b) > DIGITS * a * c else math.inf
    return float(coefficients[1] / scale), float(error / scale)
