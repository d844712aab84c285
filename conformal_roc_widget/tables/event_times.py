"""Reads outcomes with a time: when each row had its event, or how long it had none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import (
    LATE_ENTRY,
    TIME_COLUMNS,
    Floats,
    Ints,
    array_of,
    frame_columns,
    has_time,
    numbers_of,
    same_length,
    shortened,
)

EXPECTED = (
    "a structured array of one boolean (an event was seen) and one number (its time, or until when "
    "the row was followed) a row, or a frame with the columns 'time' and 'event'"
)


class EventTimes(NamedTuple):
    """A time for each of n rows, and whether the event happened then.

    If the event did not happen then, the follow-up of the row ended at this time.
    """

    times: Floats
    events: NDArray[np.bool_]

    @classmethod
    def of(cls, y: Any, name: str) -> EventTimes:
        """Checks the outcomes `y`, which must have a time. Errors call the argument `name`."""
        if not has_time(y):
            refuse_other_columns(y, name)
            found = array_of(y, name)
            raise ValueError(
                f"{name}: found values of type {found.dtype} without a time, expected {EXPECTED}"
            )
        times, events = _columns_of(y, name)
        values = _times_of(times, name)
        seen = _events_of(events, name)
        same_length(**{f"{name} (times)": values, f"{name} (events)": seen})
        if not seen.any():
            raise ValueError(
                f"{name}: found no event in {seen.size} rows, all of them censored, expected some"
            )
        return cls(values, seen)

    def rows(self, rows: Ints) -> EventTimes:
        """Returns the outcomes of the rows with the indices `rows`."""
        return EventTimes(self.times[rows], self.events[rows])

    @property
    def structured(self) -> NDArray[Any]:
        """Returns the outcomes as a structured array, the form that survival estimators accept."""
        made = np.empty(self.times.size, dtype=[("event", "?"), ("time", "<f8")])
        made["event"], made["time"] = self.events, self.times
        return made

    def joined(self, other: EventTimes) -> EventTimes:
        """Returns these outcomes, followed by those of `other`."""
        pairs = zip(self, other, strict=True)
        times, events = (np.concatenate(pair) for pair in pairs)
        return EventTimes(times, events)


def refuse_other_columns(y: Any, name: str) -> None:
    """Raises if outcomes are a frame without the columns `TIME_COLUMNS`."""
    if len(columns := frame_columns(y)) > 1:
        expected = " and ".join(map(repr, TIME_COLUMNS))
        raise ValueError(f"{name}: found the columns {shortened(columns)}, expected {expected}")


def _columns_of(y: Any, name: str) -> tuple[Any, Any]:
    """Returns the times and the events of `y`, which is a structured array or a frame."""
    dtype = getattr(y, "dtype", None)
    structured = getattr(dtype, "names", None)
    columns = list(structured or frame_columns(y))
    if late := [column for column in columns if column.lower() in LATE_ENTRY]:
        raise ValueError(
            f"{name}: found the columns {shortened(late)}, expected 'time' and 'event': rows that "
            "enter late (left truncation) are not supported"
        )
    if structured is None:
        if set(columns) != set(TIME_COLUMNS) or len(columns) != 2:
            refuse_other_columns(y, name)
        return tuple(_values(y[column]) for column in TIME_COLUMNS)
    kinds = {column: y.dtype[column].kind for column in columns}
    flags = [column for column, kind in kinds.items() if kind == "b"]
    if not flags:
        flags = [column for column in columns if column == "event"]
    others = [column for column in columns if column not in flags]
    if y.ndim != 1 or len(flags) != 1 or len(others) != 1 or kinds[others[0]] not in "iuf":
        found = ", ".join(f"{column!r} of type {y.dtype[column]}" for column in columns)
        raise ValueError(f"{name}: found shape {y.shape} with {found}, expected {EXPECTED}")
    return y[others[0]], y[flags[0]]


def _values(column: Any) -> Any:
    """Returns a column of any frame as an array."""
    return column.to_numpy() if hasattr(column, "to_numpy") else np.asarray(column)


def _times_of(values: Any, name: str) -> Floats:
    """Checks times, which must be at least 0, finite, and not missing."""
    times = numbers_of(values, f"{name} (times)", ndim=1).copy()
    if (least := times.min()) < 0:
        raise ValueError(f"{name} (times): found {least:g}, expected times of at least 0")
    return times


def _events_of(values: Any, name: str) -> NDArray[np.bool_]:
    """Returns whether each row's event was observed. The `values` are booleans, or 0 and 1."""
    array = np.asarray(values)
    if array.dtype.kind == "b":
        return array.copy()
    if texts := sorted({value for value in array.ravel().tolist() if isinstance(value, str)}):
        raise TypeError(
            f"{name} (events): found {shortened(texts)}, expected True or 1 if the event was seen, "
            "and False or 0 if not"
        )
    numbers = numbers_of(values, f"{name} (events)", ndim=1)
    if strange := sorted({*np.unique(numbers).tolist()} - {0.0, 1.0}):
        found = ", ".join(f"{value:g}" for value in strange[:6])
        raise ValueError(
            f"{name} (events): found {found}, expected 0 (followed without it) and 1 (seen): "
            "competing events are not supported"
        )
    return np.asarray(numbers == 1)


def refuse_with_time(given: Mapping[str, Any]) -> None:
    """Raises if an argument is given that has no theory for outcomes with a time.

    `given` has the values of arguments by their names.
    """
    for name, value in given.items():
        if value is not None:
            why = (
                "an event by the horizon counts as positive"
                if name in ("label", "pos_label")
                else "rows that are still followed represent lost rows, which leaves no "
                "other weights or groups"
            )
            raise ValueError(f"{name}: found it with a time in y, expected None: {why}")
