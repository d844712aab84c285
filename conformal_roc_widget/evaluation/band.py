"""Frozen results: the band, the operating point, the AUC range and the points' intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from conformal_roc_widget.arrays import Floats, frame_of
from conformal_roc_widget.names import Leads, NoSuchKey
from conformal_roc_widget.promise import Promise, Promised, PromisedArrays, PromisedNumbers

if TYPE_CHECKING:
    import pandas as pd

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class ConformalBand(PromisedArrays):
    """ROC curve with conformal limits at a list of thresholds (Algorithms 1 and 2).

    Arrays have one entry a threshold, in the order of `thresholds` (descending), and are read-only.

    Attributes
    ----------
    alpha : float
        Significance level.
    thresholds : ndarray of shape (m,)
        Thresholds lambda on the score; the first default one is ``inf``.
    fpr, tpr : ndarray of shape (m,)
        Observed rates, counting scores ``>= lambda``.
    tpr_lower, tpr_upper : ndarray of shape (m,)
        ``CI_sen``: share of positives whose interval's end lies ``> lambda``.
    fpr_lower, fpr_upper : ndarray of shape (m,)
        ``CI_spe``: the same for negatives.
    quantiles : dict of int to (float, float), or None
        Label -> the two order statistics of its residuals, on the logit scale; None if every
        test point has a pair of its own.
    n_calibration : dict of int to int
        Label -> number of calibration residuals (the smallest, where they differ by point).
    guaranteed : dict of int to float
        Label -> coverage of the individual intervals for exchangeable residuals, "at least".
    vacuous : dict of int to (str or None)
        Label -> why its limits, or those of some test points, say nothing; None if all do.
    vacuous_share : dict of int to float
        Label -> share of its test points whose interval is everything from 0 to 1.
    open_share : dict of int to (float, float)
        Label -> shares of its test points whose interval has no lower, and no upper end.
    promise : Promise
        What the band covers, where, and how surely; `target`, `scope`, `guarantee` are its words.
    notes : tuple of str
        Plain sentences on this band.
    """

    alpha: float
    thresholds: Floats
    fpr: Floats
    tpr: Floats
    fpr_lower: Floats
    fpr_upper: Floats
    tpr_lower: Floats
    tpr_upper: Floats
    quantiles: Mapping[int, tuple[float, float]] | None
    n_calibration: Mapping[int, int]
    guaranteed: Mapping[int, float]
    vacuous: Mapping[int, str | None]
    vacuous_share: Mapping[int, float]
    open_share: Mapping[int, Sequence[float]]
    promise: Promise
    notes: tuple[str, ...] = ()

    def to_frame(self) -> pd.DataFrame:
        """Band as a table, one row a threshold.

        Returns
        -------
        pandas.DataFrame
            Columns ``threshold``, ``fpr``, ``tpr``, ``fpr_lower``, ``fpr_upper``, ``tpr_lower``,
            ``tpr_upper``; ``attrs["alpha"]`` holds the level.
        """
        rates = ("fpr", "tpr", "fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper")
        return frame_of(self, rates, ["alpha"], threshold="thresholds")

    @property
    def mean_width(self) -> float:
        """Mean distance of the sensitivity's limits over all false positive rates of the curve.

        A limit holds until the next false positive rate is reached. NaN if a label has none.
        """
        if not all(self.has_limits(1)):
            return math.nan
        return float(np.diff(self.fpr) @ (self.tpr_upper - self.tpr_lower)[:-1])

    def without_limits(self, label: int) -> bool:
        """Whether no test point of a label has a limit, so that the band is to be drawn empty.

        Parameters
        ----------
        label : int
            0 or 1.

        Returns
        -------
        bool
            False where some of the test points have limits.
        """
        return self.vacuous_share[label] == 1

    def has_limits(self, label: int) -> tuple[bool, bool]:
        """Whether the share of a label that is called positive has a lower, and an upper limit.

        Parameters
        ----------
        label : int
            0 or 1.

        Returns
        -------
        lower, upper : bool
            False where no test point of the label has an interval that ends on that side.
        """
        below, above = self.open_share[label]
        return below < 1, above < 1

    def __repr__(self) -> str:
        """Short text: the arrays' length rather than their values."""
        return f"ConformalBand(alpha={self.alpha:g}, {self.thresholds.size} thresholds)"


@dataclass(frozen=True)
class OperatingPoint(Promised):
    """Counts and rates at one threshold, with the conformal limits of the rates.

    Attributes
    ----------
    threshold, alpha : float
        Where, and at which significance level.
    tp, fp, tn, fn : int or float
        Test points by label and decision, counting scores ``>= threshold`` as positive; of rows
        with weights, the sums of these; of rows without labels, numbers that are expected.
    tpr, tpr_lower, tpr_upper : float
        Sensitivity and its limits.
    fpr, fpr_lower, fpr_upper : float
        One minus specificity and its limits.
    sensitivity, specificity : float
        The same rates under the names of medicine.
    precision : float
        ``tp / (tp + fp)``; NaN if nothing is called positive.
    youden : float
        ``tpr - fpr``.
    promise : Promise
        Of the limits; `target`, `scope` and `guarantee` are its words.
    """

    threshold: float
    alpha: float
    tp: float
    fp: float
    tn: float
    fn: float
    tpr: float
    tpr_lower: float
    tpr_upper: float
    fpr: float
    fpr_lower: float
    fpr_upper: float
    precision: float
    youden: float
    promise: Promise

    @property
    def sensitivity(self) -> float:
        """The true positive rate."""
        return self.tpr

    @property
    def specificity(self) -> float:
        """One minus the false positive rate."""
        return 1 - self.fpr

    def with_limits(
        self, limits: tuple[tuple[float, float], tuple[float, float]], promise: Promise
    ) -> OperatingPoint:
        """The same point with other limits of the rates, by label, and their promise."""
        (fpr_lower, fpr_upper), (tpr_lower, tpr_upper) = limits
        return replace(
            self,
            fpr_lower=fpr_lower,
            fpr_upper=fpr_upper,
            tpr_lower=tpr_lower,
            tpr_upper=tpr_upper,
            promise=promise,
        )

    @classmethod
    def of(
        cls,
        at: tuple[float, float],
        called: tuple[int, int],
        sizes: tuple[int, int],
        limits: tuple[tuple[float, float], tuple[float, float]],
        promise: Promise,
        unit: float = 1.0,
    ) -> OperatingPoint:
        """The point at a threshold and alpha, from counts called positive; pairs are by label.

        `limits` are those of the rates; `unit` is the weight of one of the counts.
        """
        (fp, tp), (n0, n1) = called, sizes
        # Counts of rows stay whole numbers.
        a, b, c, d = (n if unit == 1 else n * unit for n in (tp, fp, n0 - fp, n1 - tp))
        return cls(
            *(*at, a, b, c, d),
            *(tp / n1, *limits[1], fp / n0, *limits[0]),
            precision=tp / (tp + fp) if tp + fp else math.nan,
            youden=tp / n1 - fp / n0,
            promise=promise,
        )


class Named(Leads, Mapping[Key, Value]):
    """A frozen record that is a mapping: that of its `_items`."""

    _items: Mapping[Key, Value]

    def __getitem__(self, name: Key) -> Value:
        """The item of a name."""
        try:
            return self._items[name]
        except KeyError:
            raise NoSuchKey(type(self).__name__, name, tuple(self._items)) from None

    def __iter__(self) -> Iterator[Key]:
        """Names, in their order."""
        return iter(self._items)

    def __len__(self) -> int:
        """Number of items."""
        return len(self._items)


class _Area(NamedTuple):
    auc: float
    lower: float
    upper: float


class AucRange(PromisedNumbers, _Area):
    """Area under the observed curve, and the range that limits allow; unpacks into three floats."""


class _Ends(NamedTuple):
    lower: Floats
    upper: Floats


class PointIntervals(PromisedNumbers, _Ends):
    """Intervals of the probabilities of test points; unpacks into lower and upper ends."""
