"""Writes a file beside its place and moves it there: readers see a whole file or none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def check_place(path: str | os.PathLike[str], name: str = "path") -> Path:
    """Refuses a path where no file can be, before any work is done."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"{name}: found {type(path).__name__}, expected a str or a Path")
    place = Path(path)
    if place.is_dir() or not place.absolute().parent.is_dir():
        raise ValueError(f"{name}: found {str(path)!r}, expected a file in a folder that exists")
    return place


@contextmanager
def replaced(path: Path) -> Iterator[BinaryIO]:
    """Yields a file to write to, which replaces the old one at the end.

    If anything fails before, the old one stays.
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
