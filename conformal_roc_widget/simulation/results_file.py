"""Turns the figures of replicates into tables and means, and saves and loads them.

If a file is damaged, or comes from another run, it is refused.
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.files import check_place, replaced

if TYPE_CHECKING:
    import pandas as pd

#: The version of the results, which each file contains. If a change of the code changes results,
#: raise this number.
VERSION = 1
#: The key of the run's description in the metadata of a file.
KEY = "conformal_roc_widget.simulation"

#: Maps the key of a replicate, such as ``(value, number)``, to an array of its figures (rows,
#: figures).
Figures = dict[tuple[Any, ...], Floats]


class Layout(NamedTuple):
    """The columns of a table of figures, with a row for each replicate and each of `rows`."""

    #: The name of the function that makes such tables. Errors name it.
    maker: str
    #: The columns that identify a replicate. The last one is the replicate's number. `row` names
    #: the columns that identify a row within its replicate.
    replicate: tuple[str, ...]
    row: tuple[str, ...]
    #: Each replicate has one row for each of these tuples, in this order. A tuple has the values of
    #: the columns in `row`.
    rows: tuple[tuple[Any, ...], ...]
    #: The columns of figures in [0, 1].
    figures: tuple[str, ...]
    #: The columns of figures that are 0 or 1.
    flags: tuple[str, ...] = ()
    #: The types of the numeric columns.
    types: Mapping[str, str] = {}

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of figures and flags."""
        return self.figures + self.flags


def check_path(path: str | os.PathLike[str]) -> Path:
    """Raises if no Parquet file can be written at `path`, before any work is done."""
    place = check_place(path)
    if importlib.util.find_spec("pyarrow") is None:
        raise ModuleNotFoundError(
            "path: results are saved as Parquet, which needs pyarrow: pip install pyarrow",
            name="pyarrow",
        )
    return place


def to_frame(done: Figures, layout: Layout) -> pd.DataFrame:
    """Makes a table of figures with a row for each replicate and each of ``layout.rows``.

    The replicates ascend.
    """
    import pandas as pd

    keys = sorted(done)
    index = [(*key, *row) for key in keys for row in layout.rows]
    frame = pd.DataFrame(index, columns=[*layout.replicate, *layout.row]).astype(layout.types)
    figures = np.array([done[key] for key in keys], dtype=np.float64)
    columns = figures.reshape(-1, len(layout.columns)).T
    for name, values in zip(layout.columns, columns, strict=True):
        frame[name] = values.astype(bool) if name in layout.flags else values
    return frame


def save(path: Path, frame: pd.DataFrame, description: Mapping[str, Any]) -> None:
    """Writes a table and its description in one step: a reader sees the old file or the new one."""
    frame = frame.copy(deep=False)
    frame.attrs = {KEY: json.dumps({"version": VERSION, **description})}
    with replaced(path) as file:
        frame.to_parquet(
            file, engine="pyarrow", index=False, compression="zstd", write_page_checksum=True
        )


def load(
    path: Path, description: Mapping[str, Any], layout: Layout
) -> tuple[Figures, dict[str, Any]]:
    """Returns the figures in a file, and the description of their run.

    If the file is damaged or comes from another run, a ValueError names it. The description in the
    file must equal `description`, in which None matches anything.
    """
    import pandas as pd

    try:
        frame = pd.read_parquet(path, engine="pyarrow", page_checksum_verification=True)
        found: dict[str, Any] = json.loads(frame.attrs[KEY])
        version = found.pop("version")
    except Exception as error:
        raise _refusal(path, f"it is not a whole result file of {layout.maker} ({error})") from None
    if version != VERSION:
        raise _refusal(path, f"it is of version {version}, this package writes version {VERSION}")
    for name, wanted in description.items():
        if wanted is not None and found.get(name) != wanted:
            raise _refusal(path, f"it is of {name} {found.get(name)!r}, asked for is {wanted!r}")
    try:
        return _from_frame(frame, layout), found
    except (KeyError, ValueError, TypeError) as error:
        raise _refusal(path, f"its content is damaged ({error})") from None


def _refusal(path: Path, reason: str) -> ValueError:
    return ValueError(
        f"{path}: {reason}. The file was left as it is; give another path, or remove it"
    )


def _from_frame(frame: pd.DataFrame, layout: Layout) -> Figures:
    """Returns the figures in a table that `to_frame` has made."""
    shape = -1, len(layout.rows), len(layout.columns)
    figures = frame[list(layout.columns)].to_numpy(dtype=np.float64).reshape(shape)
    first = frame.iloc[:: len(layout.rows)]
    keys = list(zip(*(first[name].tolist() for name in layout.replicate), strict=True))
    done = dict(zip(keys, figures, strict=True))
    expected = to_frame(done, layout)
    for name in expected.columns:
        if not np.array_equal(expected[name].to_numpy(), frame[name].to_numpy()):
            raise ValueError(f"rows are missing, double or out of order in column {name!r}")
    if not ((figures >= 0) & (figures <= 1)).all():
        raise ValueError("figures outside [0, 1]")
    return done


def means(done: Figures, layout: Layout, names: Sequence[str]) -> pd.DataFrame:
    """Averages figures over replicates, with standard errors, and counts how often flags are set.

    The table has a row for each of ``layout.rows`` and each value. `names` are its first columns,
    which say what a row is about.
    """
    import pandas as pd

    columns = (*layout.replicate[:-1], *layout.row)
    rows: list[dict[str, Any]] = []
    for group, keys in groupby(done, key=lambda key: key[:-1]):
        figures = np.stack([done[key] for key in keys])
        shares, flags = np.split(figures, [len(layout.figures)], axis=2)
        found = means_with_errors(layout.figures, shares)
        counts = flags.sum(axis=0).astype(int)
        for row, mean, count in zip(layout.rows, found, counts, strict=True):
            named = dict(zip(columns, (*group, *row), strict=True))
            flagged = dict(zip(layout.flags, count, strict=True))
            rows.append({name: named[name] for name in names} | mean | flagged)
    return pd.DataFrame(rows)


def means_with_errors(names: Sequence[str], figures: Floats) -> list[dict[str, Any]]:
    """Returns means, standard errors and number of replicates, as a dict for each row.

    `figures` has the shape (replicates, rows, names).
    """
    n = len(figures)
    means = figures.mean(axis=0)
    spread = figures.std(axis=0, ddof=1) if n > 1 else np.full(means.shape, np.nan)
    errors = spread / np.sqrt(n)
    rows: list[dict[str, Any]] = []
    for mean, error in zip(means, errors, strict=True):
        row: dict[str, Any] = {}
        for j, name in enumerate(names):
            row |= {name: mean[j], f"{name}_se": error[j]}
        rows.append({**row, "replicates": n})
    return rows
