"""Number and progress of the replicates of a comparator that resamples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Fewest bootstrap replicates that have tails.
FEWEST_RESAMPLES = 100

#: True is a tqdm bar, False is nothing; a callable gets the replicates done and their total.
Progress = bool | Callable[[int, int], object]


@contextmanager
def reporting(progress: Progress, total: int, title: str) -> Iterator[Callable[[int], object]]:
    """Yields a function that reports the number of replicates done to a bar or a callable."""
    if callable(progress):
        report = progress
        yield lambda done: report(done, total)
        return
    if not isinstance(progress, bool):
        raise TypeError(
            f"progress: found {progress!r}, expected True, False or a callable of the replicates "
            "done and their total"
        )
    from tqdm.auto import tqdm

    with tqdm(total=total, desc=title, unit="replicate", disable=not progress) as bar:
        yield lambda done: bar.update(done - bar.n)
