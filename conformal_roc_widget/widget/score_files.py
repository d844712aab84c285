"""Reads scores and labels from a file, for the command ``conformal-roc``.

Errors name the file and the option of the command.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import lzma
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from conformal_roc_widget.arrays import WholeScores, any_scores_of, shortened
from conformal_roc_widget.text import EXACT

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: For each ending of a text file, the separators to try in order. The first one whose header has
#: the wanted columns is used.
TEXTS = {".csv": ",;\t|", ".tsv": "\t"}
PACKED: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
PARQUET = (".parquet", ".pq")
#: The texts that pandas and R write for true and false. As labels they become booleans.
TRUTH = {"true": True, "false": False}


class Columns(NamedTuple):
    """The names of the column of scores and of the column of labels."""

    score: str
    label: str

    def check(self) -> None:
        """Raises an error if one column is named for both scores and labels."""
        if self.score == self.label:
            raise ValueError(f"--score, --label: found {self.score} for both, expected two columns")

    def places(self, known: Sequence[str], path: Path) -> list[int]:
        """Returns the indices of both columns among the column names `known` of a file.

        Each column must occur exactly once.
        """
        for option, column in self._asdict().items():
            often = known.count(column)
            if often != 1:
                found = f"{column} {often} times among " if often else ""
                found += f"the columns {', '.join(map(str, known))}" if known else "no line"
                raise ValueError(f"{path}: found {found}, expected one named {column} (--{option})")
        return [known.index(column) for column in self]


def table_of(path: Path, columns: Columns) -> pd.DataFrame:
    """Reads the columns of scores and labels of a file. Missing values raise a ValueError."""
    columns.check()
    read = _reader(path)
    if not path.exists():
        raise ValueError(f"{path}: found no such file")
    if path.is_dir():
        raise ValueError(f"{path}: found a folder, expected a file")
    try:
        table = read(path, columns)
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path}: found bytes that are no UTF-8 ({error.reason}), expected a file in UTF-8"
        ) from None
    except (ValueError, OSError, EOFError, lzma.LZMAError, csv.Error) as error:
        reason = str(error)
        raise ValueError(reason if reason.startswith(str(path)) else f"{path}: {reason}") from error
    if table.empty:
        raise ValueError(f"{path}: found no rows, expected at least one of each label")
    if missing := int(table[columns.label].isna().sum()):
        raise ValueError(
            f"{path}, --label {columns.label}: found {missing} of {len(table)} rows without a "
            "label, expected none"
        )
    given = table[columns.score].to_numpy()
    scores = any_scores_of(given, f"{path}, --score {columns.score}")
    # If integers are too large for floats, they stay integers here. `from_predictions` replaces the
    # integers of test rows and of calibration rows together, so that their order is kept.
    if WholeScores.of(given) is None:
        table[columns.score] = scores
    return table


def _reader(path: Path) -> Callable[[Path, Columns], pd.DataFrame]:
    """Returns the function that reads files with the ending of `path`. Unknown endings raise."""
    *more, last = _endings(path)
    if last in PARQUET:
        return _parquet
    if last in TEXTS or (last in PACKED and more and more[-1] in TEXTS):
        return _text
    found = "".join((*more, last)) or "no ending"
    raise ValueError(
        f"{path}: found {found}, expected {', '.join((*TEXTS, *PARQUET))}, text files also "
        f"compressed ({', '.join(PACKED)})"
    )


def _endings(path: Path) -> list[str]:
    """Returns the last two endings of a file's name in lower case, or [""] if it has none."""
    return [suffix.lower() for suffix in path.suffixes[-2:]] or [""]


def _parquet(path: Path, columns: Columns) -> pd.DataFrame:
    """Reads the columns of scores and labels of a Parquet file."""
    try:
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise ImportError(f"{path}: reading Parquet needs pyarrow, found none") from None
    with ParquetFile(path) as file:
        columns.places(file.schema_arrow.names, path)
        # If pandas wrote the file, its metadata may name one of the wanted columns as the index.
        # Without the metadata, all columns stay columns.
        table: pd.DataFrame = file.read(list(columns)).to_pandas(ignore_metadata=True)
    return table


def _text(path: Path, columns: Columns) -> pd.DataFrame:
    """Reads the columns of scores and labels of a text file.

    Words such as None or NA do not count as missing values, because they may be names of classes.
    """
    separators = next(TEXTS[end] for end in _endings(path) if end in TEXTS)
    headers = {}
    for separator in separators:
        headers[separator] = next(_lines(path, separator), [])
        if set(columns) <= set(headers[separator]):
            break
    separator = max(separators, key=lambda each: _fit(headers.get(each, []), columns))
    score, label = columns.places(headers[separator], path)
    rows = _lines(path, separator)
    width = len(next(rows))
    names = cells = 0
    scores, texts = [], []
    for number, row in enumerate(filter(None, rows), start=1):
        if number == 1:
            # If R wrote the file, the first column has row names, but no name in the header. Rows
            # then have one cell more than the header.
            names = int(len(row) == width + 1 and row[-1] != "")
            cells = width + names
        if len(row) < cells or any(row[cells:]):
            raise ValueError(
                f"{path}: found {len(row)} cells in row {number}, expected {cells} as in the first"
            )
        scores.append(row[score + names])
        texts.append(row[label + names])
    return pd.DataFrame(
        {
            columns.score: _numbers(scores, f"{path}, --score {columns.score}"),
            columns.label: _labels(texts),
        }
    )


def _lines(path: Path, separator: str) -> Iterator[list[str]]:
    """Yields the cells of each line of a text file, without spaces around them."""
    opener = PACKED.get(_endings(path)[-1], open)
    with opener(path, "rt", encoding="utf-8-sig", newline="") as file:
        for row in csv.reader(file, delimiter=separator, skipinitialspace=True):
            yield [cell.strip() for cell in row]


def _fit(header: Sequence[str], columns: Columns) -> tuple[bool, int]:
    """Sort key of a header: whether it has both wanted columns, then its number of columns."""
    return set(columns) <= set(header), len(header)


def _numbers(texts: Sequence[str], name: str) -> NDArray[Any]:
    """Reads the numbers in `texts` as Python's `float` does.

    Integers too large for floats stay integers. Errors call the column `name`.
    """
    for at, text in enumerate(texts, start=1):
        if not _is_number(text):
            raise ValueError(
                f"{name}: found {text!r:.40} in row {at}, expected numbers with a decimal point"
            )
    found = np.array([float(text) for text in texts])
    if not np.isfinite(found).all() or np.abs(found).max(initial=0) <= EXACT:
        return found
    try:
        return np.array([int(text) for text in texts], dtype=object)
    except ValueError:
        return found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _labels(texts: Sequence[str]) -> list[Any]:
    """Reads the labels in `texts`. Empty ones become None.

    If all other labels are numbers, or all are truth values, they are returned as such.
    """
    names = set(texts) - {""}
    known: dict[str, Any] = {name: name for name in names}
    if all(name.lower() in TRUTH for name in names):
        known = {name: TRUTH[name.lower()] for name in names}
    elif all(_is_number(name) and math.isfinite(float(name)) for name in names):
        whole = all(float(name).is_integer() for name in names)
        known = {name: int(float(name)) if whole else float(name) for name in names}
    return [known.get(text) for text in texts]


def class_named(text: str | None, labels: NDArray[Any]) -> Any:
    """Returns the class among `labels` that is written as `text`.

    The text is compared exactly, then as a number (1 for 1.0), then ignoring case.
    """
    if text is None:
        return None
    classes = pd.unique(labels).tolist()
    for same in (
        lambda each: str(each) == text,
        lambda each: not isinstance(each, str) and _is_number(text) and each == float(text),
        lambda each: str(each).casefold() == text.strip().casefold(),
    ):
        if len(found := [each for each in classes if same(each)]) == 1:
            return found[0]
    raise ValueError(f"--pos-label: found {text}, expected one of {shortened(classes)}")


def check_labels(table: pd.DataFrame, label: str, least: int = 1) -> None:
    """Raises an error unless the column has exactly two labels, with `least` rows or more each."""
    counts = table[label].value_counts(dropna=False)
    counts = counts[counts > 0]  # a category that no row has is counted with 0
    if len(counts) != 2 or counts.min() < least:
        found = ", ".join(f"{name!r}: {n}" for name, n in counts.head(4).items())
        more = ", …" * (len(counts) > 4)
        each = "" if least == 1 else f" of at least {least} rows each"
        raise ValueError(
            f"--label {label}: found rows by label {{{found}{more}}}, expected two labels{each}"
        )
