"""What limits would be with more rows, if the figures stayed as they are; twin ``more_rows.ts``.

The exact tail of a rate is that of as many times the successes and trials, since a beta quantile
goes on between whole numbers, and DeLong's variance is divided by as much.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import betainc

from conformal_roc_widget.arrays import Floats, frame_of
from conformal_roc_widget.promise import LEVELS, THIS_CLASSIFIER, Guarantee, Promise, PromisedArrays
from conformal_roc_widget.reliability.binomial_limits import exact_limits, lower_limit

from .estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

#: By default more rows are this many times the rows of today.
TIMES = (1, 2, 4, 8, 16)
#: With more rows than this, no number does for a goal.
MOST_ROWS = 10**9
IF_THEY_STAY = LEVELS["if_they_stay"]


@dataclass(frozen=True, eq=False)
class MoreRows(PromisedArrays):
    """Limits with other numbers of rows; one entry a number.

    Arrays are read-only.

    Attributes
    ----------
    rows : ndarray of shape (m,)
        Numbers of rows, of both labels together, in the shares of the test set.
    rate : str
        The rate whose limits they are, such as "sensitivity".
    lower, upper : ndarray of shape (m,)
        Its two limits at the threshold, fixed beforehand (Clopper and Pearson).
    least : ndarray of shape (m,)
        What it would be at least: its one limit, as a goal has it.
    auc_lower, auc_upper : ndarray of shape (m,)
        Limits of the area under the curve (DeLong, on the logit scale); NaN where a label has one
        row.
    value, auc : float
        Rate and area on these rows, which are taken for those of all rows like these.
    enough : int or None
        The number of rows that would do for the goal at this threshold, if the rate stays: about
        every second sample of so many rows keeps it. None where none would do, since the rate on
        these rows is not above it, or no goal was named.
    threshold, alpha : float
        As asked.
    promise : Promise
        It promises nothing: the figures may change with more rows.
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
        """Limits as a table, one row a number of rows.

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
    """Limits with other numbers of rows than n, for a rate of k of m; and the rows that do."""
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
        threshold=float(threshold),
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
    """The area's estimate if there were `times` as many rows."""
    return area._replace(variance=area.variance / times, rows=int(area.rows * times + 1e-9))


def enough_rows(k: int, m: int, n: int, goal: float, alpha: float) -> int | None:
    """The fewest rows with which k of m would keep a goal; None if none do.

    The tail falls as rows are added, if the rate lies above the goal.
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
