"""Counts the rows of a table by label and narrow score bin, even if it does not fit in memory.

The table's own engine (such as polars, DuckDB, Dask or PySpark) groups the rows by label and bin in
one pass. For each bin it returns three numbers that can be merged exactly: the number of rows, the
smallest and the largest score. Half of the rows are treated as if they had the smallest score, and
half the largest. So if a threshold is within a bin, fewer than half of the bin's rows are counted
on the wrong side. If the bin has at most two rows, or if all its scores are equal, no row is.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, Ints, RowMasses, shortened
from conformal_roc_widget.checks import instance_of
from conformal_roc_widget.text import counted

from .table_columns import (
    ColumnNames,
    check_names,
    comparable,
    refuse_absent,
    with_plain_names,
    with_plain_values,
)

if TYPE_CHECKING:
    import narwhals as nw

#: Scores are binned by their logits, in `BINS` bins of equal width from `-LOGIT` to `LOGIT`. All
#: scores between 2^-53 and 1 - 2^-53 are in this range. Smaller scores are in the first bin.
BINS, LOGIT = 1 << 18, 37.0
#: A row that fits into no bin gets one of these codes instead: for scores of exactly 0 and 1, and
#: for refused rows (score missing, NaN or outside of [0, 1], or weight not valid).
ZERO, ONE, MISSING, NAN, OUTSIDE, UNWEIGHED = -1, BINS, -2, -3, -4, -5
#: The smallest code. The key of a row is its label times `STRIDE` plus its bin or code, so that
#: ``(key - FIRST) // STRIDE`` is the label.
FIRST = UNWEIGHED
#: A label is 0 or 1. These codes are for labels of neither class, and for missing labels.
STRANGE, UNLABELLED = 2, 3
#: The distance between the keys of two labels.
STRIDE = 2 * BINS
#: The number of rows of a frame or a Parquet file that are read at a time.
ROWS = 1 << 21
#: The largest number of summaries that a Dask task merges, because no machine can hold those of all
#: partitions.
MERGED_AT_ONCE = 8


@dataclass(frozen=True, eq=False)
class TableSummary:
    """Numbers of rows by label and score bin. Its size does not grow with the table.

    `keys` are the label times `STRIDE` plus the bin, distinct and ascending. For each key, `counts`
    has the number of rows, and `lowest` and `highest` their smallest and largest score. `weights`
    has the sums of their weights. If each row counts once, it is None.
    """

    keys: Ints
    counts: Ints
    lowest: Floats
    highest: Floats
    weights: Floats | None = None

    def merged(self, other: TableSummary) -> TableSummary:
        """Returns the summary of the rows of both tables together."""
        keys, place, lowest, highest = _ranges(
            np.concatenate([self.keys, other.keys]),
            np.concatenate([self.lowest, other.lowest]),
            np.concatenate([self.highest, other.highest]),
        )
        counts = np.zeros(keys.size, dtype=np.intp)
        np.add.at(counts, place, np.concatenate([self.counts, other.counts]))
        if self.weights is None or other.weights is None:
            return TableSummary(keys, counts, lowest, highest)
        weights = np.zeros(keys.size)
        np.add.at(weights, place, np.concatenate([self.weights, other.weights]))
        return TableSummary(keys, counts, lowest, highest, weights)

    @cached_property
    def masses(self) -> tuple[Ints, float]:
        """The number of equal units of weight for each key, and the weight of a unit.

        If all rows have the same weight, units are rows, and the weight of a unit is given as 1.
        """
        if self.weights is None or (self.weights == self.counts * self._mean_weight).all():
            return self.counts, 1.0
        found = RowMasses.of(self.weights)
        # If all weights are equal, each bin gets two units: one at its lowest and one at its
        # highest score.
        if found is None:
            return np.full_like(self.counts, 2), float(self.weights[0] / 2)
        return found.units, found.unit

    @property
    def weighted(self) -> bool:
        """Whether rows have different weights, so that the units of `masses` are not rows."""
        return self.masses[0] is not self.counts

    @property
    def _mean_weight(self) -> float:
        """The weight of a row, if all rows weigh the same."""
        assert self.weights is not None
        return float(self.weights[0] / self.counts[0])

    def rows(self) -> tuple[Floats, NDArray[np.int8], Ints]:
        """Returns scores, ascending within a label, with their labels and units of weight.

        Each key gives its smallest and its largest score, each with half of its units. If both are
        equal, it gives one score with all units.
        """
        wide = self.highest > self.lowest
        units, _ = self.masses
        first = np.where(wide, units // 2, units)
        counts = np.column_stack([first, units - first]).ravel()
        scores = np.column_stack([self.lowest, self.highest]).ravel()
        labels = np.repeat(self._labels, 2).astype(np.int8)
        some = counts > 0
        return scores[some], labels[some], counts[some]

    def groups(self) -> tuple[Floats, Floats, Ints, Ints]:
        """Returns groups of scores: smallest and largest score, numbers of rows and positive rows.

        Each bin is one group of both labels, although the method `rows` may return several scores
        for it. Bins whose ranges touch are one group too.
        """
        places, place, lowest, highest = _ranges(
            (self.keys - FIRST) % STRIDE, self.lowest, self.highest
        )
        points = np.bincount(place, self.counts).astype(np.intp)
        positives = np.bincount(place, self.counts * self._labels).astype(np.intp)
        # Rounding may make the ranges of neighbouring bins touch. Such bins become one group.
        highest = np.maximum.accumulate(highest)
        first = np.flatnonzero(np.append(True, lowest[1:] > highest[:-1]))
        last = np.append(first[1:], places.size) - 1
        return (
            lowest[first],
            highest[last],
            np.add.reduceat(points, first),
            np.add.reduceat(positives, first),
        )

    @property
    def _labels(self) -> Ints:
        return (self.keys - FIRST) // STRIDE

    def refused(self, columns: ColumnNames, classes: tuple[Any, Any]) -> str | None:
        """Returns the error for invalid scores, labels or weights. None if all rows are valid.

        The error names the argument. `columns` are the user's names of columns, and `classes` the
        two labels.
        """
        score, label, weight = columns
        codes, places = self._labels, (self.keys - FIRST) % STRIDE + FIRST
        weighing = "" if weight is None else " with a weight above 0"

        def rows(which: NDArray[np.bool_]) -> int:
            return int(self.counts[which].sum())

        expected = shortened(list(classes))
        if not self.keys.size:
            return f"source: found no rows{weighing}, expected at least one of either class"
        if (places == UNWEIGHED).any():
            return (
                f"weight: found {rows(places == UNWEIGHED):,} missing, negative or not finite "
                f"values in column {weight!r}, expected weights of at least 0"
            )
        if (codes >= STRANGE).any():
            return (
                f"label: found {counted(rows(codes == STRANGE), 'row')} with other labels and "
                f"{rows(codes == UNLABELLED):,} without one in column {label!r}, "
                f"expected {expected}"
            )
        if (wrong := self.refused_scores(score)) is not None:
            return wrong
        for k in (0, 1):
            if not (codes == k).any():
                return (
                    f"label: found no row of {classes[k]!r}{weighing}, expected every one of "
                    f"{expected}"
                )
        return None

    def refused_scores(self, score: str) -> str | None:
        """Returns the error for rows whose scores are not probabilities. None if there are none.

        `score` is the name of the column.
        """
        places = (self.keys - FIRST) % STRIDE + FIRST
        if not (places < ZERO).any():
            return None
        outside = places == OUTSIDE
        missing, nan, strange = (
            int(self.counts[which].sum()) for which in (places == MISSING, places == NAN, outside)
        )
        ends = ""
        if strange:
            ends = f" (from {self.lowest[outside].min():g} to {self.highest[outside].max():g})"
        found = f"{missing:,} missing, {nan:,} NaN and {counted(strange, 'value')} outside [0, 1]"
        return f"score: found {found}{ends} in column {score!r}, expected probabilities"

    @property
    def n(self) -> tuple[int, int]:
        """The numbers of rows of label 0 and of label 1."""
        return self._by_label(self.counts)

    @property
    def sizes(self) -> tuple[int, int]:
        """Sizes of label 0 and of label 1 in the units of `masses`: rows, if all weigh the same."""
        return self._by_label(self.masses[0])

    def _by_label(self, numbers: Ints) -> tuple[int, int]:
        positive = self._labels == 1
        return int(numbers[~positive].sum()), int(numbers[positive].sum())

    @property
    def error(self) -> float:
        """The largest share of a label's weight that may be on the wrong side of a threshold."""
        # If a threshold is within a bin of n rows, 1 to n - 1 of them are above it. The summary
        # takes half of them to be above it.
        units, _ = self.masses
        # If rows have different weights, one row may have all units of a bin but one.
        most = (units - 1) // 2 if units is self.counts else (units + 1) // 2
        hidden = np.where(self.highest > self.lowest, most, 0)
        positive = self._labels == 1
        # Rounding may make the ranges of neighbouring bins overlap. A threshold may then be within
        # both.
        touching = (self.highest[:-1] > self.lowest[1:]) & (positive[:-1] == positive[1:])
        hidden[1:] += np.where(touching, hidden[:-1], 0)
        sizes = np.where(positive, self.sizes[1], self.sizes[0])
        return float((hidden / sizes).max())


def _ranges(keys: Ints, lowest: Floats, highest: Floats) -> tuple[Ints, Ints, Floats, Floats]:
    """Returns the distinct keys, each given key's index among them, and their extreme scores.

    For each distinct key, these are the smallest of `lowest` and the largest of `highest`.
    """
    distinct, place = np.unique(keys, return_inverse=True)
    low, high = np.full(distinct.size, np.inf), np.full(distinct.size, -np.inf)
    np.fmin.at(low, place, lowest)
    np.fmax.at(high, place, highest)
    return distinct, place, low, high


def summary_of(
    source: Any, score: str, label: str, classes: tuple[Any, Any], weight: str | None = None
) -> TableSummary:
    """Summarizes a table in one pass. Raises as `RocEvaluation.from_table` documents.

    `score`, `label` and `weight` are names of columns, and `classes` the two labels.
    """
    columns = ColumnNames(score, label, weight)
    check_names(source, columns)
    summarize = _dask_summary if _is_dask(source) else _summary
    summary = summarize(source, columns, classes)
    if (wrong := summary.refused(columns, classes)) is not None:
        raise ValueError(wrong)
    return summary


def scores_of_table(source: Any, score: str) -> tuple[Floats, Ints]:
    """Returns ascending scores of a table without labels, and how many rows have each.

    `score` is the name of the column.
    """
    # Without labels there is no column for them. The score column is named instead, with classes
    # that no probability equals.
    columns, classes = ColumnNames(score, score), (2.0, 3.0)
    instance_of(score, "score", str, "the name of a column")
    summarize = _dask_summary if _is_dask(source) else _summary
    summary = summarize(source, columns, classes)
    plain = replace(summary, keys=(summary.keys - FIRST) % STRIDE + FIRST)
    if not plain.keys.size:
        raise ValueError("X_or_scores: found no rows, expected at least one")
    if (wrong := plain.refused_scores(score)) is not None:
        raise ValueError(wrong)
    scores, _, counts = plain.rows()
    return scores, counts


def bins_of(logits: Floats) -> Floats:
    """Returns the bin of each score between 0 and 1, from its logit.

    Scores of 0 and 1 have codes instead.
    """
    return np.asarray(np.floor((logits + LOGIT) * (BINS / (2 * LOGIT))))


def _summary(source: Any, columns: ColumnNames, classes: tuple[Any, Any]) -> TableSummary:
    """Summarizes all rows of a source, valid or not."""
    nothing = np.empty(0) if columns.weight is not None else None
    source, inside = with_plain_names(source, columns)
    parts = (_reduced(part, inside, columns, classes) for part in _parts(source))
    return _merged(parts, nothing)


def _merged(summaries: Iterable[TableSummary], weights: Floats | None) -> TableSummary:
    """Merges summaries. Keys ascend, even if an engine returns them in another order.

    If rows have weights, `weights` is an empty array. Otherwise it is None.
    """
    no_numbers, no_scores = np.empty(0, dtype=np.intp), np.empty(0)
    nothing = TableSummary(no_numbers, no_numbers, no_scores, no_scores, weights)
    return functools.reduce(TableSummary.merged, summaries, nothing)


def _is_dask(source: Any) -> bool:
    """Whether a source is a Dask frame. Dask is not imported for that."""
    dask = sys.modules.get("dask.dataframe")
    return dask is not None and isinstance(source, dask.DataFrame)


def _dask_summary(source: Any, columns: ColumnNames, classes: tuple[Any, Any]) -> TableSummary:
    """Summarizes a Dask frame. Each partition is counted on the machine that holds it.

    A few summaries of partitions are merged at a time.
    """
    import pandas as pd
    from dask.delayed import delayed

    # A summary of no rows is computed first. If a name or a type is wrong, this raises before any
    # partition is read.
    empty = pd.DataFrame({name: pd.Series(dtype=dtype) for name, dtype in source.dtypes.items()})
    nothing = _summary(empty, columns, classes)
    wanted = list(dict.fromkeys(columns.named().values()))
    tasks = [
        delayed(_partition_summary)(partition, columns, classes)
        for partition in source[wanted].to_delayed()
    ]
    while len(tasks) > 1:
        starts = range(0, len(tasks), MERGED_AT_ONCE)
        tasks = [
            delayed(_merged)(tasks[start : start + MERGED_AT_ONCE], nothing.weights)
            for start in starts
        ]
    try:
        summary: TableSummary = tasks[0].compute()
    except Exception as error:
        if str(error).startswith(tuple(f"{name}: " for name in columns.named())):
            raise
        raise ValueError(f"source: cannot be read: {error}") from error
    _free_unused()
    return summary


def _partition_summary(
    partition: Any, columns: ColumnNames, classes: tuple[Any, Any]
) -> TableSummary:
    """Summarizes a partition of a Dask frame."""
    _free_unused()
    return _summary(partition, columns, classes)


def _free_unused() -> None:
    """Frees the memory of files that were read.

    Arrow would keep it for the next file: nearly three times as much as the scores take.
    """
    if (arrow := sys.modules.get("pyarrow")) is not None:
        arrow.default_memory_pool().release_unused()


#: The first bytes of a Parquet file, plain and encrypted.
PARQUET = (b"PAR1", b"PARE")


def _parts(source: Any) -> Iterator[nw.DataFrame[Any] | nw.LazyFrame[Any]]:
    """Yields the parts of a source that are counted one at a time.

    A lazy frame is one part, because its engine streams. Other frames are divided into parts of
    `ROWS` rows.
    """
    import narwhals as nw

    if isinstance(source, str | os.PathLike):
        yield from _parquet(os.fspath(source))
        return
    try:
        frame = nw.from_native(source)
    except TypeError:
        raise TypeError(
            f"source: found {type(source).__name__}, expected the path of a Parquet file or a data "
            "frame of pandas, polars, pyarrow, DuckDB, Dask or PySpark"
        ) from None
    if isinstance(frame, nw.LazyFrame):
        yield frame
    else:
        # A frame without rows still has one part, so that its columns are checked.
        for start in range(0, max(len(frame), 1), ROWS):
            yield frame[start : start + ROWS]


def _parquet(path: str) -> Iterator[nw.DataFrame[Any] | nw.LazyFrame[Any]]:
    """Yields the frames of a Parquet file, read by polars, DuckDB or pyarrow.

    The first of these packages that is installed reads it.
    """
    import narwhals as nw

    local = "://" not in path and not any(letter in path for letter in "*?[")
    if local and not Path(path).exists():
        raise ValueError(f"source: found no file {path!r}, expected a Parquet file")
    if local and Path(path).is_file():
        with Path(path).open("rb") as file:
            if file.read(4) not in PARQUET:
                found = f"{path!r}, which is no Parquet file"
                raise ValueError(f"source: found {found}, expected one, or a data frame")
    for engine in ("polars", "duckdb"):
        if importlib.util.find_spec(engine) is not None:
            yield nw.scan_parquet(path, backend=engine)
            return
    if importlib.util.find_spec("pyarrow") is None:
        raise ImportError("source: reading Parquet needs polars, duckdb or pyarrow, found none")
    from pyarrow import Table, dataset

    for batch in dataset.dataset(path, format="parquet").to_batches(batch_size=ROWS):
        yield nw.from_native(Table.from_batches([batch]))


def _reduced(
    frame: nw.DataFrame[Any] | nw.LazyFrame[Any],
    inside: ColumnNames,
    columns: ColumnNames,
    classes: tuple[Any, Any],
) -> TableSummary:
    """Summarizes a frame. Its own engine groups the rows by label and bin.

    `inside` are the names of columns in the frame, and `columns` the names that the user gave.
    """
    import narwhals as nw

    frame, alike = _checked(frame, inside, columns, classes)
    value, weight = nw.col(inside.score).cast(nw.Float64), inside.weight
    weights = nw.lit(1.0) if weight is None else nw.col(weight).cast(nw.Float64)
    sound = (weights >= 0) & (weights < float("inf"))
    unsound = [] if weight is None else [(~sound | weights.is_null(), float(UNWEIGHED))]
    key = _label_codes(*alike) * STRIDE + _score_places(value, unsound)
    rows = frame.select(key=key.cast(nw.Int64), value=value, weight=weights).filter(
        ~(nw.col("weight") == 0).fill_null(False)
    )
    grouped = rows.group_by("key").agg(
        nw.len().alias("n"),
        nw.col("value").min().alias("low"),
        nw.col("value").max().alias("high"),
        nw.col("weight").sum().alias("weight"),
    )
    if isinstance(grouped, nw.LazyFrame):
        polars = grouped.implementation.is_polars()
        try:
            grouped = grouped.collect(engine="streaming") if polars else grouped.collect("pandas")
        except Exception as error:
            raise ValueError(f"source: cannot be read: {error}") from error
    keys, counts, low, high = (grouped[name].to_numpy() for name in ("key", "n", "low", "high"))
    return TableSummary(
        keys.astype(np.intp),
        counts.astype(np.intp),
        low.astype(float),
        high.astype(float),
        None if weight is None else grouped["weight"].to_numpy().astype(float),
    )


def _checked(
    frame: nw.DataFrame[Any] | nw.LazyFrame[Any],
    inside: ColumnNames,
    columns: ColumnNames,
    classes: tuple[Any, Any],
) -> tuple[nw.DataFrame[Any] | nw.LazyFrame[Any], Any]:
    """Returns the frame, with labels and classes in a form that its engine can compare.

    Raises if a column has the wrong type.
    """
    import narwhals as nw

    try:
        schema = frame.collect_schema()
    except Exception as error:
        raise ValueError(f"source: cannot be read: {error}") from error
    refuse_absent(list(schema), inside)
    if isinstance(frame, nw.DataFrame):
        frame, classes = with_plain_values(frame, inside, columns, classes)
        schema = frame.schema
    for name, column in inside.named().items():
        allowed = name == "label" or (name == "weight" and schema[column] == nw.Boolean)
        if not (allowed or schema[column].is_numeric()):
            raise TypeError(
                f"{name}: found column {getattr(columns, name)!r} of type {schema[column]}, "
                "expected numbers"
            )
    if (alike := comparable(nw.col(inside.label), schema[inside.label], classes)) is None:
        raise TypeError(
            f"label: found column {columns.label!r} of type {schema[inside.label]}, expected the "
            f"classes {shortened(list(classes))} of y_calibration"
        )
    return frame, alike


def _label_codes(called: nw.Expr, zero: Any, one: Any) -> nw.Expr:
    """Codes labels: 1 if it is `one`, 0 if it is `zero`, otherwise `STRANGE` or `UNLABELLED`."""
    return _first(
        (called.is_null(), float(UNLABELLED)),
        (called == one, 1.0),
        (called == zero, 0.0),
        otherwise=float(STRANGE),
    )


def _score_places(value: nw.Expr, unsound: list[tuple[nw.Expr, float]]) -> nw.Expr:
    """Returns the bin of each score `value` or, if something is wrong, a code such as `NAN`.

    `unsound` are conditions for a wrong weight, each with its code. They are tested first.
    """
    import narwhals as nw

    within = (value > 0) & (value < 1)
    # Some engines compute the logarithm of every value, and raise an error for log(0). So a value
    # that is not within (0, 1) is replaced, and its result is not used.
    safe = nw.when(within).then(value).otherwise(0.5)
    logits = safe.log() - (1 - safe).log()
    return _first(
        *unsound,
        (value.is_null(), float(MISSING)),
        (value.is_nan(), float(NAN)),
        (within, ((logits + LOGIT) * (BINS / (2 * LOGIT))).floor().clip(0, BINS - 1)),
        (value == 0, float(ZERO)),
        (value == 1, float(ONE)),
        otherwise=float(OUTSIDE),
    )


def _first(*cases: tuple[nw.Expr, float | nw.Expr], otherwise: float) -> nw.Expr:
    """Returns the value of the first of the `cases` that is true, or `otherwise` if none is."""
    import narwhals as nw

    expression: float | nw.Expr = otherwise
    for case, then in reversed(cases):
        value = nw.lit(then) if isinstance(then, float) else then
        expression = nw.when(case).then(value).otherwise(expression)
    assert isinstance(expression, nw.Expr)
    return expression
