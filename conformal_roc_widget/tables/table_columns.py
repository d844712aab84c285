"""The columns of scores, labels and weights of a table of any engine, in forms that it can count.

Tables in memory may hold what arrays may: Python's objects, categories of numbers, decimals, and in
pandas columns whose names are no strings. Tables elsewhere hold what their engine compares.
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
    """Names of a table's columns; without one of weights each row counts once."""

    score: Any
    label: Any
    weight: Any = None

    def named(self) -> dict[str, Any]:
        """Argument -> its column; without ``weight`` if no column has weights."""
        return {name: column for name, column in self._asdict().items() if column is not None}


def check_names(source: Any, columns: ColumnNames) -> None:
    """Refuses names that are no text, but in pandas, one for both, and columns that stand twice."""
    for name, value in {"score": None, "label": None, **columns.named()}.items():
        if not _is_pandas(source):
            instance_of(value, name, str, "the name of a column")
        elif value is None:
            raise TypeError(f"{name}: found None, expected the name of a column")
    if columns.score == columns.label:
        raise ValueError(f"score, label: found {columns.score!r} for both, expected a column each")
    known = _known_names(source)
    for name, column in columns.named().items():
        if (often := known.count(column)) > 1:
            raise ValueError(
                f"{name}: found {often} columns named {column!r} in source, expected one"
            )


def refuse_absent(known: list[Any], columns: ColumnNames) -> None:
    """Refuses names that a table does not have."""
    for name, column in columns.named().items():
        if column not in known:
            raise ValueError(
                f"{name}: found no column {column!r}, expected one of {shortened(known)}"
            )


def _is_pandas(source: Any) -> bool:
    import pandas as pd

    return isinstance(source, pd.DataFrame)


def _known_names(source: Any) -> list[Any]:
    """Names of columns; some may occur twice."""
    if type(source).__module__.startswith("polars"):  # in a lazy frame they cost a query
        return []
    names: Any = getattr(source, "column_names", getattr(source, "columns", None))
    return list(names) if isinstance(names, list) or hasattr(names, "tolist") else []


def with_plain_names(source: Any, columns: ColumnNames) -> tuple[Any, ColumnNames]:
    """A pandas frame with only those columns, named by texts. Other tables are not changed."""
    if not _is_pandas(source):
        return source, columns
    known = list(source.columns)
    refuse_absent(known, columns)
    places = [known.index(column) for column in columns.named().values()]
    inside = ColumnNames(**{name: name for name in columns.named()})
    return source.iloc[:, places].set_axis(list(inside.named()), axis=1), inside


def with_plain_values(
    frame: nw.DataFrame[Any], inside: ColumnNames, columns: ColumnNames, classes: tuple[Any, Any]
) -> tuple[nw.DataFrame[Any], tuple[Any, Any]]:
    """A frame in memory whose objects and categories are numbers, and the classes in it.

    Labels that no engine compares become 0 and 1.
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
    """The values, with None for NaN: some engines do not take NaN as missing."""
    gaps = np.isnan(values)
    if not gaps.any():
        return values
    return [None if gap else value for gap, value in zip(gaps, values.tolist(), strict=True)]


def _codes(values: Sequence[Any], classes: tuple[Any, Any], column: Any) -> Floats:
    """0 and 1 for the classes, NaN for what is missing."""
    known = list(classes)
    places, distinct = _factors(values)
    if strange := [value for value in distinct if value not in known]:
        raise ValueError(
            f"label: found {shortened(strange)} in column {column!r}, expected the classes "
            f"{shortened(known)} of y_calibration"
        )
    return np.array([*(float(known.index(value)) for value in distinct), np.nan])[places]


def _numbers(values: Sequence[Any], name: str, column: Any) -> Floats:
    """Numbers of any type of Python's or NumPy's; NaN for what is missing."""
    places, distinct = _factors(values)
    numeric = numbers.Real | decimal.Decimal | np.bool_
    if others := {type(value).__name__ for value in distinct if not isinstance(value, numeric)}:
        raise TypeError(
            f"{name}: found values of type {shortened(sorted(others))} in column {column!r}, "
            "expected numbers"
        )
    return np.array([*map(float, distinct), np.nan])[places]


def _factors(values: Sequence[Any]) -> tuple[Ints, list[Any]]:
    """Index of each value among the distinct ones, -1 if it is missing; and the distinct ones."""
    import pandas as pd

    places, distinct = pd.factorize(np.fromiter(values, dtype=object, count=len(values)))
    return places, list(distinct)


def comparable(
    column: nw.Expr, dtype: Any, classes: tuple[Any, Any]
) -> tuple[nw.Expr, Any, Any] | None:
    """Labels and classes as texts or as numbers, so that every engine compares them; else None."""
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
