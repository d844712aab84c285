"""`RocEvaluation.from_table` on a Parquet file beyond memory: time, peak memory and its error.

The size is an argument: ``beyond_memory.py 100000000`` takes a few minutes and 2 GB of disk.
"""

import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
from scipy.special import expit
from table import Row, report, within

SIZE, ROWS = 10_000_000, 1_000_000
LIMIT_BYTES = 2 * 2**30
HALF_A_PIXEL = 0.0005
ALPHA, THRESHOLDS = 0.05, np.linspace(1, 0, 1_001)


def sample(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    y = (rng.random(n) < 0.4).astype(np.int8)
    return y, expit(1.3 * rng.normal(size=n) + 1.5 * y - 0.6)


def row_group(number: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    return sample(np.random.default_rng([1, number]), n)


def sizes(n: int) -> list[int]:
    return [min(ROWS, n - start) for start in range(0, n, ROWS)]


def write(path: Path, n: int) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([("p", pa.float64()), ("y", pa.int8())])
    with parquet.ParquetWriter(path, schema, use_dictionary=False) as file:
        for number, size in enumerate(sizes(n)):
            y, score = row_group(number, size)
            file.write_table(pa.table({"p": score, "y": y}, schema=schema), row_group_size=size)


def reduce(path: str, engine: str, out: str) -> None:
    """Measures the evaluation of a table, and saves the figures to a file.

    It runs in its own process, so that the parent gets the peak memory of this work alone.
    """
    from conformal_roc_widget import RocEvaluation

    if engine == "polars":
        import polars as pl

        source = pl.scan_parquet(path)
    else:
        import duckdb

        source = duckdb.read_parquet(path)
    start = perf_counter()
    y, score = sample(np.random.default_rng(0), 2_000)
    evaluation = RocEvaluation.from_table(
        source, score="p", label="y", y_calibration=y, score_calibration=score
    )
    taken = perf_counter() - start
    start = perf_counter()
    band = evaluation.band(ALPHA, THRESHOLDS)
    evaluation.ideal_auc_range(ALPHA)
    first = perf_counter() - start
    start = perf_counter()
    evaluation.band(0.1, THRESHOLDS)
    again = perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    n = evaluation.n_test
    np.savez(
        out,
        rates=[band.fpr, band.tpr, band.fpr_lower, band.fpr_upper, band.tpr_lower, band.tpr_upper],
        quantiles=[band.quantiles[0], band.quantiles[1]],
        facts=[taken, first, again, peak, evaluation.error, n[0], n[1], evaluation.scores.size],
    )


def exact_counts(n: int, quantiles: np.ndarray) -> np.ndarray:
    """The rates of the band, by counting every point, one row group after the other."""
    from scipy.special import logit

    totals, counts = np.zeros(2), np.zeros((2, 3, THRESHOLDS.size))
    with np.errstate(divide="ignore"):
        cuts = logit(THRESHOLDS)
    for number, size in enumerate(sizes(n)):
        y, score = row_group(number, size)
        for k in (0, 1):
            own = np.sort(score[y == k])
            logits = logit(own)
            totals[k] += own.size
            counts[k, 0] += own.size - np.searchsorted(own, THRESHOLDS)
            for side in (0, 1):
                above = np.searchsorted(logits + quantiles[k, side], cuts, side="right")
                counts[k, 1 + side] += own.size - above
    rates = counts / totals[:, None, None]
    return np.array([rates[0, 0], rates[1, 0], *rates[0, 1:], *rates[1, 1:]])


def main(n: int = SIZE) -> int:
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.parquet"
        start = perf_counter()
        write(path, n)
        print(
            f"{n:,} rows written in {perf_counter() - start:.0f} s, "
            f"{path.stat().st_size / 2**20:,.0f} MB in row groups of {min(n, ROWS):,}"
        )
        for engine in ("polars", "duckdb"):
            out = Path(folder) / f"{engine}.npz"
            subprocess.run([sys.executable, __file__, "reduce", path, engine, out], check=True)
            with np.load(out) as found:
                taken, first, again, peak, error, *counts, kept = found["facts"]
                rates, quantiles = found["rates"], found["quantiles"]
            wrong = np.abs(rates - exact_counts(n, quantiles)).max()
            if sum(counts) != n:
                raise AssertionError(f"{engine}: {sum(counts):,.0f} rows counted of {n:,}")
            print(
                f"{engine}: reduced in {taken:.1f} s to {kept:,.0f} scores, first band and area in "
                f"{first:.2g} s, a new alpha in {1000 * again:.2g} ms"
            )
            what = f"from_table, {n:,} rows of Parquet, {engine}"
            rows += [
                within(f"{what}: peak memory", peak / 2**20, LIMIT_BYTES / 2**20, "MB"),
                within(f"{what}: stated error", error, HALF_A_PIXEL, "of a rate"),
                Row(f"{what}: found error", [wrong], "stated error", [error], 1, "of a rate"),
            ]
    return report(*rows)


if __name__ == "__main__":
    if sys.argv[1:2] == ["reduce"]:
        reduce(*sys.argv[2:])
    else:
        sys.exit(main(*map(int, sys.argv[1:])))
