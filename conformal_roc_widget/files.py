"""Writes files so that a reader never sees an incomplete file.

A temporary file in the same folder is written first and then renamed.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def check_place(path: str | os.PathLike[str]) -> Path:
    """Returns `path` as a Path. Raises if it is a folder, or if its folder does not exist."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path: found {type(path).__name__}, expected a str or a Path")
    place = Path(path)
    if place.is_dir() or not place.absolute().parent.is_dir():
        raise ValueError(f"path: found {str(path)!r}, expected a file in a folder that exists")
    return place


@contextmanager
def replaced(path: Path) -> Iterator[BinaryIO]:
    """Yields a temporary binary file, which replaces the file at `path` if the block succeeds.

    If the block raises, the old file is kept.
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
