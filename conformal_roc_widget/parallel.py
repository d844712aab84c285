"""Runs joblib tasks with a progress bar.

`gather` saves finished results, so that they survive an error or an interruption.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from contextlib import closing, nullcontext
from time import monotonic
from typing import Any

from joblib import Parallel

#: `gather` saves finished results each time that this many seconds have passed.
SAVE_EVERY = 15.0


def progress_bar(total: int, *, title: str, unit: str, progress: bool) -> Any:
    """A context with tqdm's bar of `total` steps if `progress` is set, otherwise with None."""
    if not progress:
        return nullcontext()
    from tqdm.auto import tqdm

    return tqdm(total=total, desc=title, unit=unit)


def in_order(tasks: Iterable[Any], *, n_jobs: int | None, bar: Any = None) -> list[Any]:
    """Returns the results of joblib's calls `tasks` in order. Each call advances `bar` by one."""
    results = []
    for result in Parallel(n_jobs=n_jobs, return_as="generator")(tasks):
        results.append(result)
        if bar is not None:
            bar.update()
    return results


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
    """Runs joblib's calls `tasks`, and adds the dicts that they return to `done`.

    Calls finish in any order. `total` is the number of replicates in all calls, for the progress
    bar named `title`. `save` is called every `SAVE_EVERY` seconds and, if there are new results, at
    the end, even after an error. If the user interrupts after some results are done, a warning
    replaces the error.
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
