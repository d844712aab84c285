"""Declares results: band, operating point, range of the AUC, and intervals of points."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from conformal_roc_widget.arrays import Floats, frame_of
from conformal_roc_widget.names import Leads, NoSuchKey
from conformal_roc_widget.promise import Promise, Promised, PromisedArrays, PromisedNumbers
from conformal_roc_widget.text import counted

if TYPE_CHECKING:
    import pandas as pd

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class ConformalBand(PromisedArrays):
    """A ROC curve with conformal limits at given thresholds (Algorithms 1 and 2).

    Each array has one value for each threshold, in the descending order of `thresholds`, and is
    read-only.

    Attributes
    ----------
    alpha : float
        Significance level.
    thresholds : ndarray of shape (m,)
        Thresholds lambda on the score. By default the first one is ``inf``.
    fpr, tpr : ndarray of shape (m,)
        Observed rates: shares of the scores ``>= lambda``.
    tpr_lower, tpr_upper : ndarray of shape (m,)
        ``CI_sen``: the shares of positives whose interval has its lower end, and its upper end,
        above lambda.
    fpr_lower, fpr_upper : ndarray of shape (m,)
        ``CI_spe``: the same for negatives.
    quantiles : dict of int to (float, float), or None
        For each label, the two order statistics of its residuals that make the limits, on the logit
        scale. None if the test points of a label do not all use the same two.
    n_calibration : dict of int to int
        For each label, the number of calibration residuals. If it differs between test points, the
        smallest.
    guaranteed : dict of int to float
        For each label, the lowest coverage of its intervals of single points if residuals are
        exchangeable.
    vacuous : dict of int to (str or None)
        For each label, why some of its intervals go from 0 to 1. None if no interval does.
    vacuous_share : dict of int to float
        For each label, the share of its test points whose interval goes from 0 to 1.
    open_share : dict of int to (float, float)
        For each label, the shares of its test points whose interval has no lower end, and no upper
        end.
    promise : Promise
        What the band covers, at which thresholds, and with which confidence. `target`, `scope` and
        `guarantee` are its words.
    notes : tuple of str
        Sentences on this band for users.
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
        """Returns the band as a table, with one row for each threshold.

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
        """Returns the mean distance of the sensitivity's two limits over all false positive rates.

        Between two vertices of the curve, the limits of the first one hold. If label 1 lacks lower
        or upper limits, the result is NaN.
        """
        if not all(self.has_limits(1)):
            return math.nan
        return float(np.diff(self.fpr) @ (self.tpr_upper - self.tpr_lower)[:-1])

    def without_limits(self, label: int) -> bool:
        """Whether no test point of a label has a limit, so that the band is empty.

        Parameters
        ----------
        label : int
            0 or 1.

        Returns
        -------
        bool
            False if some of the test points have limits.
        """
        return self.vacuous_share[label] == 1

    def has_limits(self, label: int) -> tuple[bool, bool]:
        """Whether a label's rate (`tpr` or `fpr`) has lower limits, and whether it has upper ones.

        Parameters
        ----------
        label : int
            0 or 1.

        Returns
        -------
        lower, upper : bool
            False if no test point of the label has an interval that ends on that side.
        """
        below, above = self.open_share[label]
        return below < 1, above < 1

    def __repr__(self) -> str:
        """Returns a short text with the lengths of the arrays instead of their values."""
        return f"ConformalBand(alpha={self.alpha:g}, {counted(self.thresholds.size, 'threshold')})"


@dataclass(frozen=True)
class OperatingPoint(Promised):
    """Counts and rates at one threshold, with conformal limits of the rates.

    Attributes
    ----------
    threshold, alpha : float
        The threshold, and the significance level of the limits.
    tp, fp, tn, fn : int or float
        Numbers of test points by label and prediction. Rows that score ``>= threshold`` are
        predicted positive. If rows have weights, they are sums of weights. If rows have no labels,
        they are expected numbers.
    tpr, tpr_lower, tpr_upper : float
        Sensitivity and its limits.
    fpr, fpr_lower, fpr_upper : float
        One minus specificity and its limits.
    sensitivity, specificity : float
        ``tpr`` and ``1 - fpr``, the names of these rates in medicine.
    precision : float
        ``tp / (tp + fp)``. NaN if nothing is predicted positive.
    youden : float
        ``tpr - fpr``.
    promise : Promise
        What the limits cover, and with which confidence. `target`, `scope` and `guarantee` are its
        words.
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
        """Returns the same point with other limits and their guarantee.

        `limits` has those of the false positive rate, then those of the true positive rate.
        """
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
        """Makes the point from counts. Pairs are for label 0 and label 1.

        `at` is threshold and alpha. `called` are the numbers of test points predicted positive, and
        `sizes` those of all test points. `limits` are those of the rates. If rows have weights,
        `called` and `sizes` count units of the weight `unit`.
        """
        (fp, tp), (n0, n1) = called, sizes
        # If rows have no weights, `unit` is 1, and the counts stay integers.
        a, b, c, d = (n if unit == 1 else n * unit for n in (tp, fp, n0 - fp, n1 - tp))
        return cls(
            *(*at, a, b, c, d),
            *(tp / n1, *limits[1], fp / n0, *limits[0]),
            precision=tp / (tp + fp) if tp + fp else math.nan,
            youden=tp / n1 - fp / n0,
            promise=promise,
        )


class Named(Leads, Mapping[Key, Value]):
    """Base of frozen dataclasses that are also mappings from names to items (`_items`)."""

    _items: Mapping[Key, Value]

    def __getitem__(self, name: Key) -> Value:
        """Returns the item of a name."""
        try:
            return self._items[name]
        except KeyError:
            raise NoSuchKey(type(self).__name__, name, tuple(self._items)) from None

    def __iter__(self) -> Iterator[Key]:
        """Iterates over the names of the items."""
        return iter(self._items)

    def __len__(self) -> int:
        """Returns the number of items."""
        return len(self._items)


class _Area(NamedTuple):
    auc: float
    lower: float
    upper: float


class AucRange(PromisedNumbers, _Area):
    """The area under the observed curve, and the ends of its range within the limits.

    It unpacks into three floats: area, lower end, upper end.
    """


class _Ends(NamedTuple):
    lower: Floats
    upper: Floats


class PointIntervals(PromisedNumbers, _Ends):
    """Intervals for the true probabilities of the test points: arrays of lower and upper ends."""
