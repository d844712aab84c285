"""A long run that continues where it was stopped: its rows are kept in a CSV file."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from tqdm import tqdm


def resumed(
    path: Path,
    keys: Sequence[str],
    tasks: Iterable[tuple[Any, ...]],
    rows_of: Callable[..., list[dict[str, Any]]],
    *,
    jobs: int = 1,
    minutes: float = np.inf,
) -> pd.DataFrame:
    """Runs the tasks that the file lacks, and returns all rows of the file.

    A task is a tuple of values for the columns `keys`.
    """
    done = set()
    if path.exists():
        done = set(pd.read_csv(path)[list(keys)].itertuples(index=False, name=None))
    missing = [task for task in tasks if task not in done] if minutes > 0 else []
    end = time.monotonic() + 60 * minutes
    calls = (delayed(rows_of)(*task) for task in missing)
    with closing(Parallel(n_jobs=jobs, return_as="generator")(calls)) as results:
        for rows in tqdm(results, total=len(missing), unit="task"):
            if rows:
                pd.DataFrame(rows).to_csv(path, mode="a", index=False, header=not path.exists())
            if time.monotonic() > end:
                break
    return pd.read_csv(path)
