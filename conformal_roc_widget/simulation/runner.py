"""One resumable run over replicates, whose seeds depend on nothing but their own names."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from joblib import delayed

from conformal_roc_widget.checks import number_of_jobs, yes_or_no
from conformal_roc_widget.parallel import gather

from .results_file import Layout, check_path, load, save, to_frame

#: Number of replicates that one task computes.
CHUNK = 5

#: Names of a replicate, the last of which is its number.
Key = tuple[Any, ...]


def replicate_seed(
    random_state: int, name: str, number: int, replicate: int
) -> np.random.SeedSequence:
    """Seed of one replicate: it does not depend on which others there are."""
    word = int.from_bytes(name.encode(), "little")
    return np.random.SeedSequence(random_state, spawn_key=(word, number, replicate))


def study_seed(
    random_state: int, setting: str, value: float, replicate: int
) -> np.random.SeedSequence:
    """Seed of one replicate of a study; the value counts by the bits of its float."""
    bits = int(np.float64(value).view(np.uint64))
    return replicate_seed(random_state, setting, bits, replicate)


def run_replicates(
    keys: Sequence[Key],
    measure: Callable[[Key, int], Any],
    description: Mapping[str, Any],
    layout: Layout | None = None,
    *,
    path: str | os.PathLike[str] | None = None,
    title: str,
    n_jobs: int | None,
    progress: bool,
) -> dict[Key, Any]:
    """Figures by replicate: read from the file at `path`, and measured where it lacks them.

    `measure` gets a key and the seed of the run, which is ``description["random_state"]``, else
    that of the file, else a new one. An interruption keeps what is done.
    """
    number_of_jobs(n_jobs)
    yes_or_no(progress, "progress")
    description = dict(description)
    place, done = None, dict[Key, Any]()
    if path is not None:
        assert layout is not None
        place = check_path(path)
        if place.exists():
            done, found = load(place, description, layout)
            description["random_state"] = found["random_state"]
    if description["random_state"] is None:
        description["random_state"] = int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
    pending = [key for key in keys if key not in done]
    chunks = (pending[i : i + CHUNK] for i in range(0, len(pending), CHUNK))
    tasks = (delayed(_measured)(measure, chunk, description["random_state"]) for chunk in chunks)

    def write() -> None:
        if place is not None and layout is not None:
            save(place, to_frame(done, layout), description)

    if pending:
        gather(tasks, done, len(pending), write, title=title, n_jobs=n_jobs, progress=progress)
    return {key: done[key] for key in keys if key in done}


def _measured(
    measure: Callable[[Key, int], Any], keys: Sequence[Key], random_state: int
) -> dict[Key, Any]:
    """Figures of some replicates, measured in whichever process this runs."""
    return {key: measure(key, random_state) for key in keys}
