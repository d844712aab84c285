"""Checks how a comparator resamples, and reports its progress."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

#: Fewest bootstrap replicates that have tails.
FEWEST_RESAMPLES = 100

#: True is a tqdm bar, False is nothing; a callable gets the replicates done and their total.
Progress = bool | Callable[[int, int], object]


def resamples_of(resamples: int) -> int:
    """Checks a number of bootstrap replicates."""
    if isinstance(resamples, (bool, np.bool_)) or not isinstance(resamples, numbers.Integral):
        raise TypeError(f"resamples: found {resamples!r}, expected a whole number")
    if resamples < FEWEST_RESAMPLES:
        raise ValueError(f"resamples: found {resamples!r}, expected at least {FEWEST_RESAMPLES}")
    return int(resamples)


def generator_of(random_state: int | np.random.Generator | None) -> np.random.Generator:
    """Generator from a seed, or the given one to go on with; None is a new seed."""
    if isinstance(random_state, np.random.Generator) or random_state is None:
        return np.random.default_rng(random_state)
    if isinstance(random_state, (bool, np.bool_)) or not isinstance(random_state, numbers.Integral):
        raise TypeError(
            f"random_state: found {random_state!r}, expected a whole number, a "
            "numpy.random.Generator or None"
        )
    if random_state < 0:
        raise ValueError(f"random_state: found {random_state!r}, expected at least 0")
    return np.random.default_rng(int(random_state))


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
