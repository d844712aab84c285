"""Turns any table into numbers that references and distances can use: ``encoder="auto"``.

The classifier sees the user's table unchanged. Kernels, posteriors and distances need numbers. They
get these column by column:

* Numbers: if a column has more than `FEW_VALUES` distinct values, they become normal scores of
  their ranks, so that neither a unit nor an outlier decides what is near. Otherwise they are only
  standardized. Truth values (as 0 and 1), dates and durations count as numbers.
* Categories, and strings that repeat: each level gets a column. Rare levels share a column with
  those that ``fit`` never saw.
* Strings that hardly repeat are texts. They become a few principal components of their weighted
  n-grams.
* A missing level is a level of its own. A missing number becomes the median, and a further column
  tells where numbers were missing. If a column has mostly numbers, its strings count as missing.
* A sparse matrix, or a table that gives more than `MOST_COLUMNS` columns, is reduced to its first
  `COMPONENTS` principal directions.

Labels are not used. Everything is learned from the points of ``fit``.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from scipy.special import ndtri
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MaxAbsScaler, OneHotEncoder, StandardScaler

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.checks import one_of
from conformal_roc_widget.text import counted

from .columns import Column, table_columns, wide_numbers
from .points import Encode

#: If a numeric column has more distinct values than this, it becomes normal scores of its ranks.
FEW_VALUES = 10
#: A level is a value of a category. If fewer than `RARE` rows have it, it is rare. At most
#: `MOST_LEVELS` levels get a column of their own.
RARE, MOST_LEVELS = 5, 50
#: Strings are text, and not categories, if more than `LEVELS_OF_TEXT` are distinct, and if each
#: occurs in fewer than `REPEATS_OF_TEXT` rows on average.
LEVELS_OF_TEXT, REPEATS_OF_TEXT = 30, 4
#: If texts have at least 5 words on average, n-grams of words are counted, and otherwise n-grams of
#: letters.
WORDS_OF_DOCUMENT = 5
#: The settings of scikit-learn's `TfidfVectorizer` for n-grams of words and of letters. At most the
#: `MOST_GRAMS` most frequent n-grams are counted.
WORD = re.compile(r"(?u)\b\w+\b")
WORDS: dict[str, Any] = {"token_pattern": WORD.pattern}
LETTERS: dict[str, Any] = {"analyzer": "char_wb", "ngram_range": (2, 4)}
MOST_GRAMS = 20_000
#: Texts are reduced to principal components. A column of texts gets at most `TEXT_COMPONENTS` of
#: them or, if it is the only column of the table, at most `DOCUMENT_COMPONENTS`.
TEXT_COMPONENTS, DOCUMENT_COMPONENTS = 10, 50
#: If the encoded table has more than `MOST_COLUMNS` columns, it is reduced to `COMPONENTS`
#: principal directions.
MOST_COLUMNS, COMPONENTS = 200, 100


class _Gaps(NamedTuple):
    """Replaces missing values of a numeric column by `instead`. If `told` is set, marks them.

    The marks are a second column, with 1 where a value is missing. scikit-learn's `SimpleImputer`
    does the same, but takes a millisecond for each column, even with few rows. The learned
    reference has many columns: one for each level of a categorical feature.
    """

    instead: float
    told: bool

    @classmethod
    def of(cls, numbers: Floats, instead: float) -> _Gaps:
        return cls(instead, bool(np.isnan(numbers).any()))

    def columns(self, numbers: Floats) -> Floats:
        missing = np.isnan(numbers)
        filled = np.where(missing, self.instead, numbers)
        return np.column_stack([filled, missing] if self.told else [filled])


class _Score(NamedTuple):
    """A numeric column with more than `FEW_VALUES` distinct values, as normal scores of ranks.

    The score of a new number is interpolated. The largest of 100 numbers has the score 2.6.
    scikit-learn's `QuantileTransformer` would always give the smallest and the largest number the
    scores -5.2 and 5.2, far from all others.
    """

    values: Floats
    scores: Floats
    gaps: _Gaps

    @classmethod
    def of(cls, numbers: Floats) -> _Score:
        seen = numbers[~np.isnan(numbers)]
        values, counts = np.unique(seen, return_counts=True)
        ranks = counts.cumsum() - (counts - 1) / 2
        return cls(values, ndtri((ranks - 0.5) / seen.size), _Gaps.of(numbers, 0.0))

    def columns(self, numbers: Floats) -> Floats:
        return self.gaps.columns(np.interp(numbers, self.values, self.scores))


class _Few(NamedTuple):
    """A numeric column with at most `FEW_VALUES` distinct values, standardized."""

    gaps: _Gaps
    centre: float
    spread: float

    @classmethod
    def of(cls, numbers: Floats) -> _Few:
        known = numbers[~np.isnan(numbers)]
        gaps = _Gaps.of(numbers, float(np.median(known)) if known.size else 0.0)
        filled = gaps.columns(numbers)[:, 0]
        return cls(gaps, float(filled.mean()), float(filled.std()) or 1.0)

    def columns(self, numbers: Floats) -> Floats:
        columns = self.gaps.columns(numbers)
        columns[:, 0] = (columns[:, 0] - self.centre) / self.spread
        return columns


class _Levels(NamedTuple):
    """A column of strings as indicators: one column for each level, or one column for two levels.

    `places` has the index of each level in sorted order. A missing value is the last level. The
    encoder gets the indices instead of strings, because it finds numbers ten times as fast.
    """

    places: dict[str | None, int]
    encoder: OneHotEncoder

    @classmethod
    def of(cls, values: NDArray[np.object_]) -> _Levels:
        found = set(values)
        levels = [*sorted(found - {None}), *(found & {None})]
        places = {level: place for place, level in enumerate(levels)}
        encoder = OneHotEncoder(
            min_frequency=RARE,
            max_categories=MOST_LEVELS,
            handle_unknown="infrequent_if_exist",
            sparse_output=False,
        )
        return cls(places, encoder.fit(_places(places, values)))

    def columns(self, values: NDArray[np.object_]) -> Floats:
        columns: Floats = self.encoder.transform(_places(self.places, values))
        return columns[:, 1:] if columns.shape[1] == 2 else columns


def _places(places: dict[str | None, int], values: NDArray[np.object_]) -> Ints:
    """Returns the index (n, 1) in `places` of each value, or -1 if the fit did not see it."""
    found = (places.get(value, -1) for value in values)
    return np.fromiter(found, dtype=np.intp, count=len(values))[:, None]


class _Text(NamedTuple):
    """Turns a column of texts into principal components of weighted counts of n-grams."""

    counts: TfidfVectorizer | None
    components: TruncatedSVD | None

    @classmethod
    def of(cls, values: NDArray[np.object_], most: int) -> _Text:
        texts = _texts(values)
        if not any(text.split() for text in texts):  # every text consists of spaces only
            return cls(None, None)
        words = np.mean([len(text.split()) for text in texts]) >= WORDS_OF_DOCUMENT
        # If no text contains a letter or a digit, there are no words. Then n-grams of letters are
        # counted.
        grams = WORDS if words and any(map(WORD.search, texts)) else LETTERS
        counts = TfidfVectorizer(**grams, sublinear_tf=True, max_features=MOST_GRAMS)
        matrix = counts.fit_transform(texts)
        number = min(most, min(matrix.shape) - 1)
        if number < 1:
            return cls(counts, None)
        return cls(counts, TruncatedSVD(number, random_state=0).fit(matrix))

    def columns(self, values: NDArray[np.object_]) -> Floats:
        if self.counts is None:
            return np.zeros((len(values), 1))
        matrix = self.counts.transform(_texts(values))
        columns = matrix.toarray() if self.components is None else self.components.transform(matrix)
        return np.asarray(columns, dtype=np.float64)


def _texts(values: NDArray[np.object_]) -> list[str]:
    return ["" if value is None else value for value in values]


def _directions(X: Any) -> Pipeline:
    """Fits principal directions of a numeric table that is sparse or has many columns."""
    number = min(COMPONENTS, X.shape[0], X.shape[1] - 1)
    # With `keep_empty_features`, a column without any value is kept and becomes 0.
    filled = SimpleImputer(strategy="median", keep_empty_features=True)
    scaled = [MaxAbsScaler()] if issparse(X) else [filled, StandardScaler()]
    components = TruncatedSVD(number, n_iter=2, random_state=0)
    return make_pipeline(*scaled, components, StandardScaler(with_mean=False)).fit(X)


def _encoder_of(column: Column, most: int) -> _Score | _Few | _Levels | _Text:
    values = column.values
    if column.numeric:
        distinct = np.unique(values[~np.isnan(values)])
        return _Score.of(values) if distinct.size > FEW_VALUES else _Few.of(values)
    levels = set(values) - {None}
    present = sum(value is not None for value in values)
    if len(levels) > LEVELS_OF_TEXT and present < REPEATS_OF_TEXT * len(levels):
        return _Text.of(values, most)
    return _Levels.of(values)


class _FittedColumn(NamedTuple):
    """The fitted encoder of one column, and whether the column was empty or mixed in the fit."""

    encoder: _Score | _Few | _Levels | _Text
    empty: bool
    mixed: bool

    @classmethod
    def of(cls, column: Column, most: int) -> _FittedColumn:
        return cls(_encoder_of(column, most), column.empty, column.mixed)

    def columns(self, column: Column) -> Floats:
        return self.encoder.columns(self._values(column))

    def _values(self, column: Column) -> NDArray[Any]:
        """Returns the values of `column` as the fit had them: numbers or strings."""
        numeric = isinstance(self.encoder, _Score | _Few)
        if self.empty or column.empty:
            return np.full(len(column.values), np.nan if numeric else None)
        if numeric == column.numeric:
            return column.values
        if self.mixed or column.mixed:
            return column.as_other_kind()
        kinds = ("numbers", "strings") if column.numeric else ("strings", "numbers")
        raise ValueError(
            f"X: found {kinds[0]} in column {column.name!r}, expected {kinds[1]} as in the fit"
        )


class TableEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A transformer that turns any table into numbers, for ``encoder="auto"``.

    Attributes
    ----------
    n_features_in_ : int
        Number of columns of the table given to ``fit``.
    n_features_out_ : int
        Number of columns of the result, at least one. If nothing in the table varies, there is one
        column of zeros.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learns how to turn each column into numbers: its ranks, levels or principal directions.

        Parameters
        ----------
        X : array_like, data frame, sparse matrix or list of str
            The table, of n rows and d columns, or n texts.
        y : object
            Ignored.

        Returns
        -------
        TableEncoder
            The encoder itself.

        Raises
        ------
        TypeError, ValueError
            If a column contains anything but numbers, truth values, dates and strings. The message
            names it.
        """
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Floats:
        """Calls ``fit`` and ``transform`` on one table, whose columns are read only once.

        Parameters
        ----------
        X : array_like, data frame, sparse matrix or list of str
            The table, of n rows and d columns, or n texts.
        y : object
            Ignored.

        Returns
        -------
        ndarray of shape (n, n_features_out_)
            Finite numbers.

        Raises
        ------
        TypeError, ValueError
            If a column contains anything but numbers, truth values, dates and strings. The message
            names it.
        """
        wide = wide_numbers(X, MOST_COLUMNS)
        self._wide = None if wide is None else _directions(wide)
        if self._wide is not None:
            self.n_features_in_, numbers = wide.shape[1], self._wide.transform(wide)
        else:
            columns = table_columns(X)
            self.n_features_in_ = len(columns)
            most = TEXT_COMPONENTS if len(columns) > 1 else DOCUMENT_COMPONENTS
            self._fitted = [_FittedColumn.of(column, most) for column in columns]
            numbers = self._columns(columns)
        # If a column is constant in the fit, nothing is known of its other values, and it is left
        # out.
        self._varies = np.ptp(numbers, axis=0) > 0
        many = np.count_nonzero(self._varies) > MOST_COLUMNS
        self._reduction = _directions(numbers[:, self._varies]) if many else None
        numbers = self._of_columns(numbers)
        self.n_features_out_ = numbers.shape[1]
        return numbers

    def transform(self, X: Any) -> Floats:
        """Turns a table with the columns of the fit into numbers.

        Parameters
        ----------
        X : array_like, data frame, sparse matrix or list of str
            The table.

        Returns
        -------
        ndarray of shape (n, n_features_out_)
            Finite numbers.

        Raises
        ------
        TypeError, ValueError
            As in ``fit``, and if there are more or fewer columns, or columns of another kind.
        """
        if self._wide is not None:
            wide = wide_numbers(X, MOST_COLUMNS)
            if wide is None or wide.shape[1] != self.n_features_in_:
                raise ValueError(
                    f"X: found a {type(X).__name__} of other columns, expected "
                    f"{self.n_features_in_} columns of numbers as in the fit"
                )
            numbers = self._wide.transform(wide)
        else:
            columns = table_columns(X)
            if len(columns) != self.n_features_in_:
                raise ValueError(
                    f"X: found {counted(len(columns), 'column')}, expected "
                    f"{self.n_features_in_} as in the fit"
                )
            numbers = self._columns(columns)
        return self._of_columns(numbers)

    def _of_columns(self, numbers: Floats) -> Floats:
        """Returns the encoded columns `numbers` that varied in the fit.

        If there are many, they are reduced to principal directions. If none varied, returns a
        column of zeros.
        """
        numbers = numbers[:, self._varies]
        if self._reduction is not None:
            numbers = self._reduction.transform(numbers)
        return numbers if numbers.shape[1] else np.zeros((len(numbers), 1))

    def _columns(self, columns: list[Column]) -> Floats:
        pairs = zip(self._fitted, columns, strict=True)
        return np.concatenate([fitted.columns(column) for fitted, column in pairs], axis=1)


def check_encoder(encoder: Any) -> None:
    """Refuses an encoder that is neither ``"auto"``, nor a transformer, nor None."""
    if isinstance(encoder, str):
        one_of(encoder, "encoder", ["auto"], other="a transformer or None")
    elif encoder is not None and not hasattr(encoder, "transform"):
        raise TypeError(f"encoder: found {encoder!r}, expected 'auto', a transformer or None")


def encode_of(encoder: Any) -> Encode:
    """Returns which tables the argument `encoder` turns into numbers. See `Encode`."""
    if encoder is None:
        return "never"
    return "needed" if isinstance(encoder, str) else "always"
