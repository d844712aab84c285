"""Computes how wide limits would be with more rows, if all figures stayed as they are.

For a rate, successes and trials are multiplied. They need not be integers, because exact limits are
quantiles of a beta distribution. For the area, DeLong's variance is divided. On the page:
``more_rows.ts``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import betainc

from conformal_roc_widget.arrays import Floats, as_given, frame_of
from conformal_roc_widget.promise import LEVELS, THIS_CLASSIFIER, Guarantee, Promise, PromisedArrays
from conformal_roc_widget.reliability.binomial_limits import exact_limits, lower_limit

from .estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

#: By default, limits are computed for the number of test rows times each of these factors.
TIMES = (1, 2, 4, 8, 16)
#: The search for the number of rows that a goal needs ends at this number.
MOST_ROWS = 10**9
IF_THEY_STAY = LEVELS["if_they_stay"]


@dataclass(frozen=True, eq=False)
class MoreRows(PromisedArrays):
    """Limits with other numbers of rows.

    Each array has one value for each number of rows, and is read-only.

    Attributes
    ----------
    rows : ndarray of shape (m,)
        Numbers of rows of both labels together. Labels have the same shares as in the test set.
    rate : str
        Name of the rate, such as "sensitivity".
    lower, upper : ndarray of shape (m,)
        The two limits of the rate at a threshold fixed beforehand (Clopper and Pearson).
    least : ndarray of shape (m,)
        The one-sided lower limit of the rate, which is compared with a goal.
    auc_lower, auc_upper : ndarray of shape (m,)
        Limits of the area under the curve (DeLong, on the logit scale). NaN if a label has a single
        row.
    value, auc : float
        Rate and area on the test set. They are assumed to be the same with more rows.
    enough : int or None
        The number of rows at which `least` reaches the goal, if the rate stays the same. About
        every second sample of this size then reaches it. None if no goal was given, or if the rate
        does not exceed the goal, because no number of rows is then enough.
    threshold, alpha : float
        The given threshold and significance level.
    promise : Promise
        It guarantees nothing, because the figures may change with more rows.
    """

    rows: Floats
    rate: str
    lower: Floats
    upper: Floats
    least: Floats
    auc_lower: Floats
    auc_upper: Floats
    value: float
    auc: float
    enough: int | None
    threshold: float
    alpha: float
    promise: Promise

    def to_frame(self) -> pd.DataFrame:
        """Returns the limits as a table, with one row for each number of rows.

        Returns
        -------
        pandas.DataFrame
            Columns ``rows``, ``lower``, ``upper``, ``least``, ``auc_lower``, ``auc_upper``;
            ``attrs`` hold ``rate``, ``value``, ``auc``, ``enough``, ``threshold`` and ``alpha``.
        """
        columns = ("rows", "lower", "upper", "least", "auc_lower", "auc_upper")
        return frame_of(
            self, columns, ("rate", "value", "auc", "enough", "threshold", "alpha", "guarantee")
        )


def more_rows(
    counts: tuple[int, int],
    area: tuple[float, Estimate | None],
    n: int,
    rows: Floats,
    *,
    rate: str,
    goal: float | None,
    threshold: float,
    alpha: float,
) -> MoreRows:
    """Computes limits of a rate and of the area with each of the numbers `rows` instead of n.

    `counts` are the successes and trials of the rate. `area` is the area and its `Estimate`.
    """
    k, m = counts
    times = rows / n
    two = np.array([exact_limits(k * c, m * c, alpha) for c in times])
    auc, known = area
    ends = [(math.nan,) * 2 if known is None else scaled(known, c).limits(alpha) for c in times]
    auc_lower, auc_upper = np.array(ends).T
    return MoreRows(
        rows=rows,
        rate=rate,
        lower=two[:, 0],
        upper=two[:, 1],
        least=lower_limit(k * times, m * times, alpha),
        auc_lower=auc_lower,
        auc_upper=auc_upper,
        value=k / m if m else math.nan,
        auc=auc,
        enough=None if goal is None else enough_rows(k, m, n, goal, alpha),
        threshold=as_given(threshold),
        alpha=float(alpha),
        promise=Promise(
            "none",
            f"limits of {rate} and AUC of this classifier with so many rows",
            "one number of rows at a time",
            Guarantee(IF_THEY_STAY),
            THIS_CLASSIFIER,
        ),
    )


def scaled(area: Estimate, times: float) -> Estimate:
    """Returns the estimate of the area, as if there were `times` as many rows."""
    return area._replace(variance=area.variance / times, rows=int(area.rows * times + 1e-9))


def enough_rows(k: int, m: int, n: int, goal: float, alpha: float) -> int | None:
    """Returns the smallest number of rows at which the rate's lower limit would reach `goal`.

    Returns None if no number is enough. With n rows, the rate is `k` of `m`.
    """
    if not m or k / m <= goal:
        return None

    def keeps(rows: int) -> bool:
        c = rows / n
        return bool(betainc(k * c, (m - k) * c + 1, goal) <= alpha)

    if not keeps(MOST_ROWS):
        return None
    low, high = 0, MOST_ROWS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if keeps(middle) else (middle, high)
    return high
