"""Holds points: their features, as given and as numbers, and their labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import _safe_indexing

from conformal_roc_widget.arrays import (
    LARGEST_FEATURE,
    Floats,
    Ints,
    array_of,
    coded_labels_of,
    labels_of,
    numbers_of,
    one_a_point,
    refuse_weightless,
    same_length,
    shortened,
)
from conformal_roc_widget.text import counted

from .calibration_rows import CalibrationRows
from .columns import missing_texts

#: Which tables an encoder converts. "never": none. "needed": those that are not complete numbers,
#: because they contain texts, dates or missing values. "always": all.
Encode = Literal["never", "needed", "always"]


class Columns(NamedTuple):
    """The names (if any) and the number of the fit's columns, and whether an encoder is used."""

    names: list[str] | None
    number: int
    encoded: bool = False

    def check(self, other: Columns, name: str) -> None:
        """Raises if `other` has other names or another number.

        Errors call the argument `name`.
        """
        if self.names is not None and other.names is not None and self.names != other.names:
            raise ValueError(
                f"{name}: found columns {shortened(other.names)}, "
                f"expected those of the fit in their order: {shortened(self.names)}"
            )
        if other.number != self.number:
            raise ValueError(
                f"{name}: found {counted(other.number, 'feature')}, expected {self.number} as "
                "in the fit"
            )


@dataclass(frozen=True)
class Points:
    """The features of n points, as the user gave them and as numbers.

    Parameters
    ----------
    raw : array_like or data frame of shape (n, d), or n texts
        As the user gave them. Estimators use these.
    array : ndarray of shape (n, k)
        As numbers. Kernels and distances use these. Until an encoder makes them, there are no
        columns (k = 0).
    columns : Columns
        Names and number of the user's columns.
    name : str
        Name of the argument with the features, for errors.
    """

    raw: Any
    array: Floats
    columns: Columns
    name: str = "X"

    @classmethod
    def of(cls, X: Any, name: str, like: Columns | None = None, encode: Encode = "never") -> Points:
        """Checks the user's features `X`. If their columns differ from `like`, the error says how.

        `like` are the columns of the fit, or None in the fit itself. If `X` is complete numbers, it
        is used as it is. `encode` tells whether an encoder will turn other tables into numbers. If
        the columns of the fit are encoded, those of `X` will be too.
        """
        if hasattr(X, "collect") and hasattr(X, "collect_schema"):
            raise TypeError(
                f"{name}: found a {type(X).__name__}, expected a table in memory: collect it first"
            )
        if encode == "always" or (like is not None and like.encoded):
            return cls._table(X, name, like)
        try:
            _refuse_dates(X, name)
            array = numbers_of(X, name, ndim=2)
        except (TypeError, ValueError):
            if encode == "needed" and table_shape(X) is not None and _as_before(X, like):
                return cls._table(X, name, like)
            if encode == "needed" and (gaps := missing_texts(X)):
                raise ValueError(f"{name}: {gaps}") from None
            raise
        # The user may change `X` later, so a copy of its values is kept.
        array = array if array.flags.owndata and array is not X else array.copy()
        # Estimators get `X` as the user gave it, if it is an array or a frame. If it is a list,
        # they get the array of numbers.
        as_given = isinstance(X, np.ndarray) or getattr(X, "columns", None) is not None
        points = cls(X if as_given else array, array, Columns(_names(X), array.shape[1]), name)
        if like is not None:
            like.check(points.columns, name)
        return points

    @classmethod
    def _table(cls, X: Any, name: str, like: Columns | None) -> Points:
        """Makes points of any table, or of a list of texts. Their `array` has no columns yet."""
        shape = table_shape(X)
        if shape is None:
            numbers_of(X, name, ndim=2)  # `numbers_of` raises, and says what is wrong
            raise TypeError(f"{name}: found {type(X).__name__}, expected a table of shape (n, d)")
        # Estimators look at the types of the values in a list. An object array keeps these types.
        if isinstance(X, list | tuple) and not all(isinstance(row, str) for row in X):
            X = np.array(X, dtype=object)
        # Some sparse formats, such as COO, cannot be indexed by rows. CSR can.
        raw = X.tocsr() if hasattr(X, "tocsr") else X
        columns = Columns(_names(X), shape[1], encoded=True)
        if like is not None:
            like.check(columns, name)
        return cls(raw, np.empty((shape[0], 0)), columns, name)

    def rows(self, rows: Ints) -> Points:
        """Returns the points with the indices `rows`."""
        if type(self.raw).__module__.startswith("pyarrow"):
            raw = self.raw.take(rows)
        else:
            raw = _safe_indexing(self.raw, rows)
        return replace(self, raw=raw, array=self.array[rows])

    def encoded(self, encoder: Any) -> Points:
        """Returns the points with the numbers that a fitted `encoder` makes of their features."""
        return self.with_numbers(encoder.transform)

    def with_numbers(self, numbers: Callable[[Any], Any]) -> Points:
        """The points with the numbers that the function `numbers` makes of their features."""
        try:
            array = numbers(self.raw)
        except (TypeError, ValueError) as error:
            # The error of `numbers` calls the table X, but the user's argument may have another
            # name.
            if not str(error).startswith("X: "):
                raise
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"{self.name}{str(error)[1:]}") from error
        array = numbers_of(array.toarray() if hasattr(array, "toarray") else array, "encoder", 2)
        return replace(self, array=array)


def _names(X: Any) -> list[str] | None:
    """Returns the column names of a frame. None if `X` is not a frame."""
    # In pyarrow, `columns` are the data, and `column_names` the names.
    names = getattr(X, "column_names", getattr(X, "columns", None))
    return None if names is None else [str(name) for name in names]


def _refuse_dates(X: Any, name: str) -> None:
    """Refuses dates in a polars frame, which would turn them into numbers in its own units."""
    if type(X).__module__.startswith("polars") and hasattr(X, "schema"):
        dates = [column for column, kind in X.schema.items() if kind.is_temporal()]
        if dates:
            raise TypeError(f"{name}: found dates or times in {shortened(dates)}, expected numbers")


def _as_before(X: Any, like: Columns | None) -> bool:
    """Whether a table `X` that is not complete numbers has the form of the fit's table.

    It must be dense. It must be a frame if and only if the fit's table was one.
    """
    if like is None:
        return True
    return not hasattr(X, "toarray") and (_names(X) is None) == (like.names is None)


def table_shape(X: Any) -> tuple[int, int] | None:
    """Returns the numbers of rows and columns of a sparse matrix, frame, array or list of texts.

    Returns None for anything else.
    """
    if isinstance(X, np.ma.MaskedArray) and np.ma.is_masked(X):
        return None
    if hasattr(X, "toarray"):
        return X.shape if len(X.shape) == 2 and min(X.shape) > 0 else None
    if _names(X) is None and not hasattr(X, "to_numpy"):
        if isinstance(X, str | bytes | dict | set) or not hasattr(X, "__len__"):
            return None
        try:
            X = X if isinstance(X, np.ndarray) else np.array(X, dtype=object)
        except ValueError:
            return None
        if X.dtype.kind in "cV":
            return None
        if X.dtype.kind == "f" and bool((np.abs(X) > LARGEST_FEATURE).any()):
            return None
    shape = tuple(X.shape)
    if len(shape) == 1 and shape[0] and all(isinstance(value, str) for value in X):
        return shape[0], 1
    return shape if len(shape) == 2 and min(shape) > 0 else None


class Labelled(NamedTuple):
    """Points with their labels, as given and as indices (`codes`) of the sorted classes."""

    points: Points
    labels: NDArray[Any]
    codes: Ints
    classes: NDArray[Any]
    #: How much each row counts if it is used for calibration.
    stands_for: CalibrationRows = CalibrationRows()
    #: The index of the population of each row, a group of rows such as a sex or a site. None if the
    #: user gave no populations.
    populations: Ints | None = None
    #: The code of the person of each test row. None if rows are independent.
    people: Ints | None = None

    @classmethod
    def of(
        cls,
        X: Any,
        y: Any,
        suffix: str = "",
        like: tuple[Columns, NDArray[Any]] | None = None,
        encode: Encode = "never",
        *,
        absent: bool = False,
    ) -> Labelled:
        """Checks features and labels.

        After a fit, both must have the columns and classes in `like`.

        In errors, `suffix` is added to the names X and y. `absent` tells whether classes may be
        missing, as in a test set.
        """
        columns, classes = like or (None, None)
        points = Points.of(X, f"X{suffix}", columns, encode)
        labels, codes, classes = coded_labels_of(y, f"y{suffix}", classes, absent=absent)
        same_length(**{f"X{suffix}": points.array, f"y{suffix}": labels})
        return cls(points, labels, codes, classes)

    def weights_of(self, sample_weight: ArrayLike) -> Floats:
        """Checks `sample_weight`, which must have one weight for each point."""
        weights = numbers_of(sample_weight, "sample_weight", ndim=1)
        same_length(X=self.points.array, sample_weight=weights)
        refuse_weightless(weights, "sample_weight")
        return weights

    def rows(self, rows: Ints) -> Labelled:
        """Returns the points with the indices `rows`."""
        return self._replace(
            points=self.points.rows(rows),
            labels=self.labels[rows],
            codes=self.codes[rows],
            stands_for=self.stands_for.rows(rows),
            populations=None if self.populations is None else self.populations[rows],
            people=None if self.people is None else self.people[rows],
        )

    def encoded(self, encoder: Any) -> Labelled:
        """Returns the points with the numbers that a fitted `encoder` makes of their features."""
        return self._replace(points=self.points.encoded(encoder))


def crossed_names(values: Any, name: str, n: int | None = None) -> tuple[list[Any], Ints]:
    """Returns the populations in sorted order, and the index of the population of each row (n,).

    If `values` has several columns, a population is a combination of their values, such as
    ``"women, over 60"``.
    """
    columns = _columns(values, name)
    if n is not None:
        one_a_point(columns[0].size, name, n)
    rows = columns[0]
    if len(columns) > 1:
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
    array = array_of(values, name)
    if array.dtype.kind in "US" and isinstance(values, list | tuple):
        # An object array keeps numbers. With another type, numpy would turn them into strings.
        array = np.array(values, dtype=object)
    if array.ndim == 2:
        return [labels_of(column, name) for column in array.T]
    return [labels_of(values, name)]
