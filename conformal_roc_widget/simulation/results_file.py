"""Results of a simulation in a Parquet file: whole or refused, never half."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from conformal_roc_widget.files import check_place, replaced
from conformal_roc_widget.simulation.replicate import LABELS, METRICS, TESTS

if TYPE_CHECKING:
    import pandas as pd

#: What the numbers mean. To be raised with every change to the package that would change them.
VERSION = 1
#: Where the file's description stands in its metadata.
KEY = "conformal_roc_widget.simulation"
#: Columns that name a row.
INDEX = ("value", "replicate", "model", "test", "label")
COLUMNS = (*INDEX, *METRICS, "separated")

#: ``(value, replicate)`` -> metrics and separation as `replicates.measure` returns them.
Done = dict[tuple[float, int], tuple[Any, Any]]


def check_path(path: str | os.PathLike[str]) -> Path:
    """Refuse a place where nothing could be saved, before any work is done.

    Parameters
    ----------
    path : path-like
        Where results are to be.

    Returns
    -------
    Path
        The same.

    Raises
    ------
    ValueError
        If there is no such folder, or the path is one.
    ModuleNotFoundError
        If pyarrow is missing.
    """
    place = check_place(path)
    if importlib.util.find_spec("pyarrow") is None:
        raise ModuleNotFoundError(
            "path: results are saved as Parquet, which needs pyarrow: pip install pyarrow",
            name="pyarrow",
        )
    return place


def to_frame(done: Done, models: Iterable[str]) -> pd.DataFrame:
    """One row for each replicate, model, test set and label.

    Parameters
    ----------
    done : dict
        What has been measured.
    models : iterable of str
        Names of the models.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`.
    """
    import pandas as pd

    names = list(models)
    inner = [(m, t, k) for m in names for t in TESTS for k in LABELS]
    keys = sorted(done)
    index = [(*key, *rest) for key in keys for rest in inner]
    frame = pd.DataFrame(index, columns=list(INDEX)).astype(
        {"value": "float64", "replicate": "int64", "label": "int64"}
    )
    metrics = np.array([done[key][0] for key in keys], dtype=np.float64).reshape(-1, len(METRICS))
    for j, name in enumerate(METRICS):
        frame[name] = metrics[:, j]
    separated = np.array([done[key][1] for key in keys], dtype=bool)
    frame["separated"] = np.repeat(separated.ravel(), len(TESTS) * len(LABELS))
    return frame


def save(path: Path, frame: pd.DataFrame, description: Mapping[str, Any]) -> None:
    """Write a result file in one step: whoever looks sees the old one or the new one.

    Parameters
    ----------
    path : Path
        Where.
    frame : DataFrame
        As `to_frame` makes it.
    description : mapping
        Setting, parameters and seed.
    """
    frame = frame.copy(deep=False)
    frame.attrs = {KEY: json.dumps({"version": VERSION, **description})}
    with replaced(path) as file:
        frame.to_parquet(
            file, engine="pyarrow", index=False, compression="zstd", write_page_checksum=True
        )


def load(
    path: Path, description: Mapping[str, Any], models: Iterable[str]
) -> tuple[Done, dict[str, Any]]:
    """Read a result file, or refuse it by name.

    Parameters
    ----------
    path : Path
        Where.
    description : mapping
        What it must say of itself; a value of None agrees with everything.
    models : iterable of str
        Models that it must hold.

    Returns
    -------
    done : dict
        ``(value, replicate)`` -> metrics and separation.
    description : dict
        What it says of itself.

    Raises
    ------
    ValueError
        If it is damaged, of another version, or of another run. It is left as it is.
    """
    import pandas as pd

    try:
        frame = pd.read_parquet(path, engine="pyarrow", page_checksum_verification=True)
        found: dict[str, Any] = json.loads(frame.attrs[KEY])
        version = found.pop("version")
    except Exception as error:
        raise _refusal(path, f"it is not a whole result file of simulation.run ({error})") from None
    if version != VERSION:
        raise _refusal(path, f"it is of version {version}, this package writes version {VERSION}")
    for name, wanted in description.items():
        if wanted is not None and found.get(name) != wanted:
            raise _refusal(path, f"it is of {name} {found.get(name)!r}, asked for is {wanted!r}")
    try:
        return _from_frame(frame, list(models)), found
    except (KeyError, ValueError, TypeError) as error:
        raise _refusal(path, f"its content is damaged ({error})") from None


def _refusal(path: Path, reason: str) -> ValueError:
    return ValueError(
        f"{path}: {reason}. The file was left as it is; give another path, or remove it"
    )


def _from_frame(frame: pd.DataFrame, models: list[str]) -> Done:
    """`to_frame` backwards."""
    shape = (-1, len(models), len(TESTS), len(LABELS))
    metrics = frame[list(METRICS)].to_numpy(dtype=np.float64).reshape(*shape, len(METRICS))
    separated = frame["separated"].to_numpy(dtype=bool).reshape(shape)[:, :, 0, 0]
    first = frame.iloc[:: metrics[0].size // len(METRICS)] if len(frame) else frame
    keys = list(zip(first["value"].tolist(), first["replicate"].tolist(), strict=True))
    done = dict(zip(keys, zip(metrics, separated, strict=True), strict=True))
    expected = to_frame(done, models)
    for name in COLUMNS:
        if not np.array_equal(expected[name].to_numpy(), frame[name].to_numpy()):
            raise ValueError(f"rows are missing, double or out of order in column {name!r}")
    if not ((metrics >= 0) & (metrics <= 1)).all():
        raise ValueError("coverage or length outside [0, 1]")
    return done
