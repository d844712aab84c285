"""Measures how far test points are from the calibration data, and how good the reference is.

The reference ``pi~`` is the estimate of the true probability.
"""

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
from conformal_roc_widget.text import Note, counted

from .observed_curve import ObservedCurve
from .sorted_sample import SortedSample

#: A test point extrapolates if its effective sample size is below this percentile of the effective
#: sample sizes of the calibration points.
PERCENTILE = 1
#: Two effective sample sizes count as equal if their relative difference is at most this.
ROUNDING = 2.0**-32
#: If the determinant of the information matrix (2 x 2) is below this share of the product of its
#: diagonal, the determinant is only rounding error.
DIGITS = 1e-12
#: If a test set has more points than this, a widget uses only this many for the diagnostics, so
#: that it opens without delay.
POINTS_TO_NOTE = 2_000


@dataclass(frozen=True, eq=False)
class Support(ReadOnlyArrays):
    """Diagnostics of the assumptions (A3) and (A4).

    If there are no calibration rows, or if only residuals are known, the arrays are empty, `share`
    is 0, and the slope is NaN.

    Attributes
    ----------
    effective_n : ndarray of shape (n_test,)
        Effective sample size ``(sum K)^2 / sum K^2`` of the training points near each test point.
    extrapolating : ndarray of bool of shape (n_test,)
        Whether `effective_n` is below the 1st percentile of the calibration set (A4).
    share : float
        Share of extrapolating test points.
    reference_slope : tuple of float
        Logistic slope of the calibration labels on ``L_pi~``, and its standard error. The slope is
        near 1 for a good reference ``pi~``. If it is well above 1, ``pi~`` is too smooth to be
        trusted (A3). If the reference separates the labels, the slope is infinite.
    """

    effective_n: Floats
    extrapolating: NDArray[np.bool_]
    share: float
    reference_slope: tuple[float, float]

    def __repr__(self) -> str:
        """Returns a short text with the share and the slope instead of all points."""
        slope, error = self.reference_slope
        return (
            f"Support({counted(self.effective_n.size, 'test point')}, share={self.share:.3g}, "
            f"reference_slope=({slope:.3g}, {error:.3g}))"
        )


@dataclass(frozen=True, eq=False)
class SupportPart:
    """The points of one split that the diagnostics are computed from."""

    #: The kernel that measures how many training points are near a point.
    kernel: KernelReference
    #: The calibration points. None if they are the points of the kernel. Each point is then left
    #: out of its own count.
    calibration: Floats | None
    #: The test points. If the array has one dimension, they are scores, and the kernel is on their
    #: logits.
    test: Floats
    #: The indices of `test` in the test set.
    rows: Ints | slice
    #: The reference's logits at the calibration points.
    reference_logits: Floats
    #: The labels of the calibration points.
    labels: Ints

    @property
    def targets(self) -> Floats:
        """The test points (m, d) in the form that the kernel takes."""
        return self.test if self.test.ndim == 2 else logit_of(self.test)[:, None]

    def thinned(self, most: int, start: int) -> SupportPart:
        """Returns the part with at most `most` evenly chosen calibration points and test points.

        The indices of its test points begin at `start`.
        """
        calibration = self.calibration
        if calibration is not None:
            calibration = calibration[:: -(-len(calibration) // most)]
        test = self.test[:: -(-len(self.test) // most)]
        rows = slice(start, start + len(test))
        return replace(self, calibration=calibration, test=test, rows=rows)


@dataclass(frozen=True, eq=False)
class Diagnostics:
    """The points that `Support` is computed from, and notes on the data."""

    #: One part for each split. Empty if only residuals are known.
    parts: tuple[SupportPart, ...] = ()
    #: Notes that are shown even if the limits use no reference.
    always: tuple[Note, ...] = ()
    #: Notes on the splits, the calibration rows and the reference.
    remarks: tuple[Note, ...] = ()
    #: Further notes on the reference, which come last.
    last_remarks: tuple[Note, ...] = ()
    #: What to do if the reference is mostly noise.
    noise_advice: str = ""
    #: Whether `parts` has only some of the test points, so that numbers are approximate.
    about: bool = False

    def at_scores(self, observed: ObservedCurve) -> Diagnostics:
        """Returns the diagnostics for other test points, `observed`.

        If only counts of a table are known, scores at evenly spaced ranks replace the test points.
        """
        test, table = observed.scores, observed.summary is not None
        if table:
            test = SortedSample.of(test, observed.counts).at_even_ranks(POINTS_TO_NOTE)
        parts = tuple(replace(part, test=test) for part in self.parts)
        return replace(self, parts=parts, about=table)

    def with_remark(self, remark: Note) -> Diagnostics:
        """Returns the diagnostics with one more note in `remarks`."""
        return replace(self, remarks=(*self.remarks, remark))

    @cached_property
    def support(self) -> Support:
        """The diagnostics of all test points, computed on first use."""
        return support_of(self.parts)

    @cached_property
    def display_support(self) -> tuple[Support, bool]:
        """`support` for a widget, and whether it uses only some of the test points."""
        if sum(len(part.test) for part in self.parts) <= POINTS_TO_NOTE:
            return self.support, self.about
        most = POINTS_TO_NOTE // len(self.parts) + 1
        few: list[SupportPart] = []
        for part in self.parts:
            few.append(part.thinned(most, sum(len(each.test) for each in few)))
        return support_of(few), True


def support_of(parts: Sequence[SupportPart]) -> Support:
    """Joins the diagnostics of all splits. If there are no parts, its arrays are empty."""
    if not parts:
        return Support(np.empty(0), np.empty(0, dtype=bool), 0.0, (np.nan, np.nan))
    effective = np.empty(sum(len(part.test) for part in parts))
    extrapolating = np.empty(effective.size, dtype=bool)
    for part in parts:
        limit = np.percentile(part.kernel.effective_n(part.calibration), PERCENTILE)
        effective[part.rows] = part.kernel.effective_n(part.targets)
        # Effective sample sizes of equal points may differ in the last digits, so the comparison
        # has a tolerance.
        extrapolating[part.rows] = effective[part.rows] < limit * (1 - ROUNDING)
    slope = logistic_slope(
        np.concatenate([part.reference_logits for part in parts]),
        np.concatenate([part.labels for part in parts]),
    )
    return Support(effective, extrapolating, float(extrapolating.mean()), slope)


def logistic_slope(x: Floats, labels: Ints) -> tuple[float, float]:
    """Slope of the logistic regression of `labels` on one predictor `x`, and its standard error.

    Points whose `x` is not finite are left out. If `x` separates the labels, both results are
    infinite. If `x` does not vary, both are NaN.
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
    # If all fitted probabilities are near 0 or 1, or if all points with weight are equal, the data
    # do not determine the slope. The determinant is then only rounding error.
    error = math.sqrt(a / det) if (det := a * c - b * b) > DIGITS * a * c else math.inf
    return float(coefficients[1] / scale), float(error / scale)
