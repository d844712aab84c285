"""Runs replicates in parallel. A run can be resumed from its file.

The seed of a replicate depends only on the run's seed and on the replicate's key.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from joblib import delayed

from conformal_roc_widget.checks import number_of_jobs, yes_or_no
from conformal_roc_widget.parallel import gather

from .results_file import Layout, check_path, load, save, to_frame

#: The number of replicates that one task computes.
CHUNK = 5

#: Identifies a replicate, such as ``(value, number)``. The last item is the number of the
#: replicate.
Key = tuple[Any, ...]


def replicate_seed(
    random_state: int, name: str, number: int, replicate: int
) -> np.random.SeedSequence:
    """Makes the seed of a replicate from the run's seed, a name, a number, and its own number.

    The seed does not depend on the other replicates.
    """
    word = int.from_bytes(name.encode(), "little")
    return np.random.SeedSequence(random_state, spawn_key=(word, number, replicate))


def study_seed(
    random_state: int, setting: str, value: float, replicate: int
) -> np.random.SeedSequence:
    """Makes the seed of a replicate of a study from the bits of a value, which may be any float."""
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
    """Returns the figures of the replicates `keys`, from the file at `path` if it contains them.

    `measure` gets a key and the seed of the run, and returns figures. The seed is
    ``description["random_state"]``. If this is None, the seed is that of the file or, without a
    file, a new one. After an interruption, finished replicates are kept.
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
    """Computes the figures of the replicates `keys` in the process that calls it."""
    return {key: measure(key, random_state) for key in keys}
