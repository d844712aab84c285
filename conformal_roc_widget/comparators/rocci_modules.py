"""Imports rocci (Delaney-Busch, MIT licence), an optional extra that makes two of the bands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Rocci:
    """The modules of rocci that are used."""

    backend: Any
    envelope: Any
    grids: Any
    normal: Any
    ingest: Any


def import_rocci() -> Rocci:
    """The parts of rocci that are used, or an ImportError with the line that installs it."""
    try:
        from rocci import backend, ingest
        from rocci.band import envelope, grids, normal
    except ImportError as error:
        raise ImportError(
            "simultaneous_band and working_hotelling_band are made by rocci 0.3, which is not "
            f"here: pip install 'rocci>=0.3.1,<0.4' ({error})",
            name="rocci",
        ) from error
    return Rocci(backend, envelope, grids, normal, ingest)
