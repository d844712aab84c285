"""Runs tasks on any joblib backend; results that are done survive a failure or interruption."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from contextlib import closing
from time import monotonic
from typing import Any

from joblib import Parallel

#: Seconds between two savings.
SAVE_EVERY = 15.0


def in_order(
    tasks: Iterable[Any], total: int, *, title: str, unit: str, n_jobs: int | None, progress: bool
) -> list[Any]:
    """What joblib's delayed calls return, in their order; with `progress` a bar is shown."""
    done = Parallel(n_jobs=n_jobs, return_as="generator")(tasks)
    if progress:
        from tqdm.auto import tqdm

        done = tqdm(done, total=total, desc=title, unit=unit)
    return list(done)


def gather(
    tasks: Iterable[Any],
    done: dict[Any, Any],
    total: int,
    save: Callable[[], None],
    *,
    title: str,
    n_jobs: int | None,
    progress: bool,
) -> None:
    """Runs joblib's delayed calls in any order and adds the dicts that they return to `done`.

    `total` counts the replicates of all calls, for the progress bar. `save` is called now and then,
    and at the end if there is something new, also after a failure. An interruption by the keyboard
    ends the work with a warning, once something is done.
    """
    from tqdm.auto import tqdm

    before, last = len(done), monotonic()
    try:
        with (
            closing(Parallel(n_jobs=n_jobs, return_as="generator_unordered")(tasks)) as results,
            tqdm(total=total, desc=title, unit="replicate", disable=not progress) as bar,
        ):
            for part in results:
                done.update(part)
                bar.update(len(part))
                if monotonic() - last > SAVE_EVERY:
                    save()
                    last = monotonic()
    except KeyboardInterrupt:
        if len(done) == before:
            raise
        warnings.warn(
            f"interrupted after {len(done) - before} of {total} replicates: this is what was done",
            stacklevel=4,
        )
    finally:
        if len(done) > before:
            save()
