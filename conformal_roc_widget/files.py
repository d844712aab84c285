"""Files that are whole or not there: written beside their place, then moved to it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def check_place(path: str | os.PathLike[str], name: str = "path") -> Path:
    """Refuse a place where no file can be, before any work is done.

    Parameters
    ----------
    path : path-like
        Where a file is to be.
    name : str
        Name of the argument in the error.

    Returns
    -------
    Path
        The same.

    Raises
    ------
    TypeError
        If it is no path.
    ValueError
        If there is no such folder, or the path is one.
    """
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"{name}: found {type(path).__name__}, expected a str or a Path")
    place = Path(path)
    if place.is_dir() or not place.absolute().parent.is_dir():
        raise ValueError(f"{name}: found {str(path)!r}, expected a file in a folder that exists")
    return place


@contextmanager
def replaced(path: Path) -> Iterator[BinaryIO]:
    """Write a file in one step: whoever looks sees the old one or the new one.

    Parameters
    ----------
    path : Path
        Where, as `check_place` returns it.

    Yields
    ------
    file
        To write to. If anything fails before the end, the old file stays as it was.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
