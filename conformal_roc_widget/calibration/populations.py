"""Names of populations: the values of one column, or of several crossed."""

from __future__ import annotations

from typing import Any

import numpy as np

from conformal_roc_widget.arrays import Ints, labels_of


def crossed_names(values: Any, name: str, n: int | None = None) -> tuple[list[Any], Ints]:
    """Populations in sorted order, and the place of each row's (n,).

    Several columns of a frame or array are crossed: ``"women, over 60"``.
    """
    columns = _columns(values, name)
    if n is not None and columns[0].size != n:
        raise ValueError(f"{name}: found {columns[0].size} rows, expected {n}, one a point")
    if len(columns) == 1:
        names, codes = np.unique(columns[0], return_inverse=True)
        return names.tolist(), codes.astype(np.intp)
    rows = np.array([", ".join(map(str, row)) for row in zip(*columns, strict=True)])
    names, codes = np.unique(rows, return_inverse=True)
    return names.tolist(), codes.astype(np.intp)


def _columns(values: Any, name: str) -> list[Any]:
    columns = getattr(values, "columns", None)
    if columns is not None and hasattr(values, "to_numpy"):
        found = [labels_of(values[column].to_numpy(), name) for column in columns]
        if not found:
            raise ValueError(f"{name}: found a frame without columns, expected one or more")
        return found
    array = np.asarray(values)
    if array.ndim == 2:
        return [labels_of(column, name) for column in array.T]
    return [labels_of(values, name)]
