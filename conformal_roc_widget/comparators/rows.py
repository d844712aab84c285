"""Refuses weights and groups for methods that count rows, or selects one row of each group."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Ints, groups_of, labels_of
from conformal_roc_widget.checks import generator


def one_row_per_group(
    groups: ArrayLike, *, random_state: int | np.random.Generator | None = None
) -> Ints:
    """Draws one row of each person at random, so that rows are independent.

    Methods that count independent rows (`ks_band`, `clopper_pearson_box`, `calibration_band`) are
    valid for these rows. Their results are for a random row of a random person.

    Parameters
    ----------
    groups : array_like of shape (n,)
        The person that each row belongs to.
    random_state : int, numpy.random.Generator or None
        Source of randomness.

    Returns
    -------
    ndarray of shape (number of groups,)
        Positions of the rows in ascending order.

    Raises
    ------
    TypeError, ValueError
        If `groups` does not have one name for each row.
    """
    codes = groups_of(groups, "groups", labels_of(groups, "groups").size)
    shuffled = generator(random_state).permutation(codes.size)
    first = np.unique(codes[shuffled], return_index=True)[1]
    return np.sort(shuffled[first])


def refuse_rows(method: str, *, sample_weight: Any = None, groups: Any = None) -> None:
    """Raises if weights or groups are given.

    Errors name `method`, which cannot use weights or groups.
    """
    if groups is not None:
        raise ValueError(
            f"groups: found groups of rows, expected None: {method} counts independent rows, and "
            "rows of one person are not. Use comparators.one_row_per_group, or "
            "bootstrap_band and delong_interval, which take groups"
        )
    if sample_weight is not None:
        raise ValueError(
            f"sample_weight: found weights, expected None: {method} counts rows, and has no theory "
            "for weights. bootstrap_band takes them"
        )
