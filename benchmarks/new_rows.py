"""`unlabelled` on new rows: a million scores against a limit, Parquet by Dask against polars."""

import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import numpy as np
from beyond_memory import sample, write
from table import Row, report, within

ROWS, TABLE = 1_000_000, 10_000_000
LABELLED = 3_000
#: The largest peak in MB of a process that reads the table by Dask.
PEAK = 450


def taken(given: object, score: str | None = None) -> float:
    """Seconds from labelled rows to the area and the band at every threshold of the new rows."""
    from conformal_roc_widget import RocEvaluation

    y, known = sample(np.random.default_rng(0), LABELLED)
    labelled = RocEvaluation.from_predictions(y, known)
    start = perf_counter()
    new = labelled.unlabelled(given, score=score)
    new.auc(0.05)
    new.band(0.05)
    return perf_counter() - start


def read(path: str, engine: str) -> None:
    """Prints the seconds and the peak memory for a table in a file.

    It runs in its own process, so that the peak memory is that of this work alone.
    """
    if engine == "polars":
        import polars as pl

        table = pl.scan_parquet(path)
    else:
        import dask.dataframe as dd

        table = dd.read_parquet(path)
    seconds = taken(table, "p")
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def by_engine(path: Path, engine: str) -> Sequence[float]:
    command = [sys.executable, __file__, "read", str(path), engine]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    return [float(each) for each in found.stdout.split()]


def main(n: int = TABLE) -> int:
    scores = sample(np.random.default_rng(1), ROWS)[1]
    array = [taken(scores) for _ in range(5)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.parquet"
        write(path, n)
        polars, dask = (by_engine(path, engine) for engine in ("polars", "dask"))
    what = f"unlabelled, {n:,} rows of Parquet by Dask"
    return report(
        within(f"unlabelled, {ROWS:,} new scores", array, 1.0),
        Row(what, dask[:1], "polars", polars[:1], 3),
        Row(f"{what}: peak memory", dask[1:], "polars", polars[1:], 2, "MB"),
        within(f"{what}: peak memory", dask[1:], PEAK, "MB"),
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["read"]:
        read(*sys.argv[2:])
    else:
        sys.exit(main(*map(int, sys.argv[1:])))
