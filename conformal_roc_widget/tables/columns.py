"""Reads the columns of any table, each as numbers or as strings."""

from __future__ import annotations

import datetime
import decimal
import numbers
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from conformal_roc_widget.arrays import shortened

#: Numbers are clipped to this size, so that the squares of infinite ones are finite. Infinite
#: numbers still rank first and last.
LARGEST = 1e140
#: If at least this share of a column's values are numbers, it is read as numbers, and its strings
#: count as missing.
MOSTLY = 0.9
MISSING = {"NAType", "NaTType", "NoneType"}


@dataclass(frozen=True)
class Column:
    """The values of one column: floats or strings.

    A missing value is NaN among floats, and None among strings. A `mixed` column has both numbers
    and strings. If the fit read the same column as the other kind, `as_other_kind` converts it.
    """

    name: Any
    values: NDArray[Any]
    mixed: bool = False

    @property
    def numeric(self) -> bool:
        """Whether the column's values are numbers."""
        return self.values.dtype.kind == "f"

    @property
    def empty(self) -> bool:
        """Whether every value is missing, so that the kind is unknown."""
        if self.numeric:
            return bool(np.isnan(self.values).all())
        return all(value is None for value in self.values)

    def as_other_kind(self) -> NDArray[Any]:
        """The values as the other kind: strings as numbers, or numbers as strings.

        A string that is not a number becomes NaN.
        """
        if self.numeric:
            return np.array([_text(value) for value in self.values.tolist()], dtype=object)
        return _finite(np.array([_number(value) for value in self.values]))


def is_sparse(X: Any) -> bool:
    """Whether an object is a sparse matrix or array of scipy."""
    return bool(issparse(X))


def table_columns(X: Any) -> list[Column]:
    """Returns the columns of an array, a frame of any engine, a sparse matrix, or a list of texts.

    Parameters
    ----------
    X : array_like, data frame, sparse matrix or sequence of str
        The table.

    Returns
    -------
    list of Column
        The columns in order. A list of texts is one column.

    Raises
    ------
    TypeError
        If a column contains anything but numbers, truth values, dates and strings.
    ValueError
        If the table has no rows, no columns, or more than two dimensions.
    """
    if is_sparse(X):
        X = X.toarray()
    columns = _frame_columns(X)
    if columns is None:
        array = X if isinstance(X, np.ndarray) else _object_array(X)
        if isinstance(array, np.ma.MaskedArray):
            masked, array = np.ma.getmaskarray(array), np.array(array, dtype=object)
            array[masked] = None
        if array.ndim == 1 and array.size and all(isinstance(value, str) for value in array):
            array = array.astype(object)[:, None]
        if array.ndim != 2:
            raise ValueError(
                f"X: found shape {array.shape}, expected a table of shape (n, d) or n texts"
            )
        columns = [_column(j, column) for j, column in enumerate(array.T)]
    if not columns or not columns[0].values.size:
        raise ValueError("X: found an empty table, expected at least one row and column")
    return columns


def missing_texts(X: Any) -> str:
    """Returns advice for users if columns of texts have missing values. Otherwise empty."""
    if isinstance(X, list | tuple) and any(isinstance(value, str) for value in X):
        X = np.array(X, dtype=object)[:, None]
    try:
        columns = [column for column in table_columns(X) if not (column.numeric or column.empty)]
    except (TypeError, ValueError):
        return ""
    names = [repr(each.name) for each in columns if any(value is None for value in each.values)]
    if not names:
        return ""
    return (
        f"found missing texts in column {' and '.join(names)}, expected none where the estimator "
        "takes none: fill them, as with an empty text, or leave these rows out"
    )


def wide_numbers(X: Any, most: int) -> Any:
    """Returns a table as numbers if it has only numbers and more than `most` columns, or None.

    A sparse table stays sparse.
    """
    shape: tuple[int, ...] = getattr(X, "shape", ())
    if len(shape) != 2 or shape[1] <= most or not shape[0]:
        return None
    if is_sparse(X):
        if not np.isfinite(X.sum()):
            raise ValueError("X: found NaN or infinite values in a sparse matrix, expected none")
        return X
    # If a frame has only numpy types, the next line converts it as a whole. Otherwise its columns
    # are converted one by one below.
    X = X.to_numpy() if hasattr(X, "columns") and _is_plain(X) else X
    if hasattr(X, "columns"):
        import narwhals as nw

        frame = nw.from_native(_numbered(X)[0], eager_only=True)
        if not all(t.is_numeric() or t == nw.Boolean for t in frame.schema.values()):
            return None
        X = frame.with_columns(nw.all().cast(nw.Float64)).to_numpy()
    return _finite(X) if isinstance(X, np.ndarray) and X.dtype.kind in "biuf" else None


def repeats_names(X: Any) -> bool:
    """Whether columns of a frame have the same name, which most estimators refuse."""
    return _numbered(X)[1] is not None


def _is_plain(X: Any) -> bool:
    types = set(getattr(X, "dtypes", ["unknown"]))
    return all(isinstance(t, np.dtype) and t.kind in "biuf" for t in types)


def _object_array(X: Any) -> NDArray[Any]:
    """Returns `X` as an array: of numbers if all values are numbers, and otherwise of objects.

    numpy would turn mixed values into strings.
    """
    try:
        array = np.asarray(X)
        return array if array.dtype.kind in "biufcmM" else np.asarray(X, dtype=object)
    except ValueError as error:
        raise ValueError(f"X: expected a table of shape (n, d): {error}") from None


def _frame_columns(X: Any) -> list[Column] | None:
    """Returns the columns of a frame or series of any engine. None for anything else."""
    import narwhals as nw

    X, names = _numbered(X)
    table = nw.from_native(X, pass_through=True, eager_only=True, allow_series=True)
    if isinstance(table, nw.Series):
        return [_series(table.name, table)]
    if not isinstance(table, nw.DataFrame):
        return None
    names = table.columns if names is None else names
    return [_series(name, one) for name, one in zip(names, table.iter_columns(), strict=True)]


def _numbered(X: Any) -> tuple[Any, list[Any] | None]:
    """If columns of a frame share a name, names them 0, 1, ..., and returns the old names too.

    Otherwise returns `X` and None.
    """
    columns = getattr(X, "columns", None)
    if columns is None or getattr(columns, "is_unique", True):
        return X, None
    return X.set_axis(range(len(columns)), axis=1), list(columns)


def _series(name: Any, series: Any) -> Column:
    import narwhals as nw

    dtype = series.dtype
    if dtype.is_numeric() or dtype == nw.Boolean:
        return Column(name, _finite(series.cast(nw.Float64).to_numpy()))
    # `np.array` would turn a column of lists into a table.
    return _column(name, np.fromiter(series.to_list(), dtype=object))


def _finite(values: NDArray[Any]) -> NDArray[np.float64]:
    floats = np.array(values, dtype=np.float64)
    return np.clip(floats, -LARGEST, LARGEST)


def _column(name: Any, values: NDArray[Any]) -> Column:
    """Makes a column from an array. Its values decide whether it has numbers or strings."""
    if values.dtype.kind in "biuf":
        return Column(name, _finite(values))
    if values.dtype.kind in "mM":
        missing = np.isnat(values)
        return Column(name, np.where(missing, np.nan, values.astype(np.int64).astype(np.float64)))
    kinds = set(map(type, values))
    if kinds in ({str}, {str, type(None)}):  # a shortcut for the usual column of strings
        return Column(name, values)
    values = np.fromiter((None if is_missing(v) else v for v in values), dtype=object)
    present = [value for value in values if value is not None]
    as_number = _numbering(present)
    if as_number is not None:
        floats = [np.nan if value is None else as_number(value) for value in values]
        return Column(name, _finite(np.array(floats)))
    known = str | bytes | numbers.Real | decimal.Decimal
    if not all(isinstance(v, known) or type(v).__name__ == "Interval" for v in present):
        found = sorted({type(value).__name__ for value in present})
        raise TypeError(
            f"X: found values of type {shortened(found)} in column {name!r}, "
            "expected numbers, truth values, dates or strings"
        )
    some = [v if isinstance(v, numbers.Real | decimal.Decimal) else None for v in values]
    n_numbers = sum(v is not None for v in some)
    if n_numbers >= MOSTLY * len(present):
        floats = [np.nan if v is None else float(v) for v in some]
        return Column(name, _finite(np.array(floats)), mixed=True)
    strings = np.array([v if v is None else str(v) for v in values], dtype=object)
    return Column(name, strings, mixed=n_numbers > 0)


def _number(text: str | None) -> float:
    try:
        return float(text or "nan")
    except ValueError:
        return np.nan


def _text(number: float) -> str | None:
    if np.isnan(number):
        return None
    return str(int(number) if number.is_integer() else number)


def is_missing(value: Any) -> bool:
    """Whether a value is None, NaN, NaT or NA."""
    if type(value).__name__ in MISSING:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        return False


def _numbering(present: list[Any]) -> Any:
    """Returns the function that turns each of the values `present` into a number.

    Returns None unless the values are all of one kind, such as numbers, dates or durations.
    """
    if all(isinstance(v, numbers.Real | decimal.Decimal | np.bool_) for v in present):
        return float
    if all(isinstance(v, datetime.date) for v in present):  # every datetime is a date too
        return _days
    if all(type(v).__name__ == "Period" for v in present):
        return lambda v: v.ordinal
    if all(isinstance(v, datetime.timedelta) for v in present):
        return datetime.timedelta.total_seconds
    if all(isinstance(v, datetime.time) for v in present):
        return lambda v: v.hour * 3600 + v.minute * 60 + v.second + v.microsecond / 1e6
    return None


def _days(date: datetime.date) -> float:
    days = float(date.toordinal())
    if isinstance(date, datetime.datetime):
        days += (date.hour * 3600 + date.minute * 60 + date.second) / 86_400
        if (offset := date.utcoffset()) is not None:
            days -= offset.total_seconds() / 86_400
    return days
