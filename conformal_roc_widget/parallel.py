"""Work in pieces on any joblib backend; whatever happens, what is done is kept."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from contextlib import closing
from time import monotonic
from typing import Any

from joblib import Parallel

#: Seconds between two savings.
SAVE_EVERY = 15.0


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
    """Run tasks in any order and collect what they return.

    An interruption by the keyboard ends the work with a warning, once something is done.

    Parameters
    ----------
    tasks : iterable of joblib's delayed calls
        Each returns a dict of replicates.
    done : dict
        Where these go, beside what is there already.
    total : int
        How many replicates the tasks have.
    save : callable
        Called now and then, and at the end if there is something new, also after a failure.
    title : str
        Of the progress bar.
    n_jobs : int or None
        As joblib takes it.
    progress : bool
        Whether to show a bar.
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
            stacklevel=3,
        )
    finally:
        if len(done) > before:
            save()
