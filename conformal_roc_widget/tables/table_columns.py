"""Converts the columns of a table into forms that the table's engine can count.

The columns are score, label and weight. Tables in memory may contain anything that arrays can:
Python objects, categories of numbers, decimals and, in pandas, names that are not strings. Other
tables contain only values that their engine can compare.
"""

from __future__ import annotations

import decimal
import numbers
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints, shortened
from conformal_roc_widget.checks import instance_of

if TYPE_CHECKING:
    import narwhals as nw


class ColumnNames(NamedTuple):
    """The names of a table's columns. Without a weight column each row counts once."""

    score: Any
    label: Any
    weight: Any = None

    def named(self) -> dict[str, Any]:
        """The name of the column of each argument. Without weights, ``weight`` is left out."""
        return {name: column for name, column in self._asdict().items() if column is not None}


def check_names(source: Any, columns: ColumnNames) -> None:
    """Raises if score and label are one column, or a name is no string or occurs twice.

    In pandas, names need not be strings.
    """
    for name, value in {"score": None, "label": None, **columns.named()}.items():
        if not _is_pandas(source):
            instance_of(value, name, str, "the name of a column")
        elif value is None:
            raise TypeError(f"{name}: found None, expected the name of a column")
    if columns.score == columns.label:
        raise ValueError(f"score, label: found {columns.score!r} for both, expected two columns")
    known = _known_names(source)
    for name, column in columns.named().items():
        if (often := known.count(column)) > 1:
            raise ValueError(
                f"{name}: found {often} columns named {column!r} in source, expected one"
            )


def refuse_absent(known: list[Any], columns: ColumnNames) -> None:
    """Raises if one of the `columns` is not among the table's columns `known`."""
    for name, column in columns.named().items():
        if column not in known:
            raise ValueError(
                f"{name}: found no column {column!r}, expected one of {shortened(known)}"
            )


def _is_pandas(source: Any) -> bool:
    import pandas as pd

    return isinstance(source, pd.DataFrame)


def _known_names(source: Any) -> list[Any]:
    """Returns the names of the columns of `source`. Empty if they are not cheap to read."""
    if type(source).__module__.startswith("polars"):  # a lazy frame would run a query for its names
        return []
    names: Any = getattr(source, "column_names", getattr(source, "columns", None))
    return list(names) if isinstance(names, list) or hasattr(names, "tolist") else []


def with_plain_names(source: Any, columns: ColumnNames) -> tuple[Any, ColumnNames]:
    """Reduces a pandas frame to the wanted columns, named after their arguments.

    The names are returned too. Other tables and their names stay as they are.
    """
    if not _is_pandas(source):
        return source, columns
    import pandas as pd

    known = list(source.columns)
    refuse_absent(known, columns)
    places = [known.index(column) for column in columns.named().values()]
    inside = ColumnNames(**{name: name for name in columns.named()})
    # A single column is a view of the frame's memory. `iloc` with several columns would copy all
    # their rows.
    views = (source.iloc[:, place] for place in places)
    named = dict(zip(inside.named(), views, strict=True))
    return pd.DataFrame(named, copy=False), inside


def with_plain_values(
    frame: nw.DataFrame[Any], inside: ColumnNames, columns: ColumnNames, classes: tuple[Any, Any]
) -> tuple[nw.DataFrame[Any], tuple[Any, Any]]:
    """Turns the objects and categories of a frame in memory into numbers, and the classes too.

    If no engine can compare the labels, labels and classes become 0 and 1.
    """
    import narwhals as nw

    made: dict[str, Floats] = {}
    for name, column in inside.named().items():
        series = frame[column]
        plain = series.dtype.is_numeric() or series.dtype in (nw.Boolean, nw.String)
        if name == "label":
            if not plain and comparable(nw.col(column), series.dtype, classes) is None:
                made[column] = _codes(series.to_list(), classes, columns.label)
                classes = (0, 1)
        elif isinstance(series.dtype, nw.Object | nw.Categorical | nw.Enum | nw.Unknown):
            made[column] = _numbers(series.to_list(), name, getattr(columns, name))
    backend = frame.implementation
    new = [
        nw.new_series(column, _with_gaps(values), nw.Float64, backend=backend)
        for column, values in made.items()
    ]
    return frame.with_columns(*new), classes


def _with_gaps(values: Floats) -> Any:
    """Replaces NaN by None, because some engines do not treat NaN as missing."""
    gaps = np.isnan(values)
    if not gaps.any():
        return values
    return [None if gap else value for gap, value in zip(gaps, values.tolist(), strict=True)]


def _codes(values: Sequence[Any], classes: tuple[Any, Any], column: Any) -> Floats:
    """Returns the index of each value in `classes`. Missing values become NaN, others raise."""
    known = list(classes)
    places, distinct = _factors(values)
    if strange := [value for value in distinct if value not in known]:
        raise ValueError(
            f"label: found {shortened(strange)} in column {column!r}, expected the classes "
            f"{shortened(known)} of y_calibration"
        )
    return np.array([*(float(known.index(value)) for value in distinct), np.nan])[places]


def _numbers(values: Sequence[Any], name: str, column: Any) -> Floats:
    """Returns the values as floats, from any Python or NumPy number. Missing ones become NaN."""
    places, distinct = _factors(values)
    numeric = numbers.Real | decimal.Decimal | np.bool_
    if others := {type(value).__name__ for value in distinct if not isinstance(value, numeric)}:
        raise TypeError(
            f"{name}: found values of type {shortened(sorted(others))} in column {column!r}, "
            "expected numbers"
        )
    return np.array([*map(float, distinct), np.nan])[places]


def _factors(values: Sequence[Any]) -> tuple[Ints, list[Any]]:
    """Returns each value's index among the distinct values (-1 if missing), and these values."""
    import pandas as pd

    places, distinct = pd.factorize(np.fromiter(values, dtype=object, count=len(values)))
    return places, list(distinct)


def comparable(
    column: nw.Expr, dtype: Any, classes: tuple[Any, Any]
) -> tuple[nw.Expr, Any, Any] | None:
    """Returns labels and classes as texts or numbers that every engine can compare, or None.

    `column` has the labels, and `dtype` is its type.
    """
    import narwhals as nw

    texts = isinstance(dtype, nw.String | nw.Categorical | nw.Enum)
    if texts and all(isinstance(name, str) for name in classes):
        zero, one = classes
        return (column if isinstance(dtype, nw.String) else column.cast(nw.String)), zero, one
    numeric = dtype.is_numeric() or isinstance(dtype, nw.Boolean)
    if numeric and all(isinstance(name, bool | int | float) for name in classes):
        exact = all(float(name) == name for name in classes)
        if exact and not dtype.is_integer():
            zero, one = map(float, classes)
            return column.cast(nw.Float64), zero, one
        whole = [int(name) for name in classes if int(name) == name]
        if dtype.is_integer() and len(whole) == 2:
            return column, whole[0], whole[1]
    return None
