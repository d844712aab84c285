"""Rounds the tables of the notebooks to the digits that their figures need.

A replicate's coverage or width keeps 16 binary places, so it changes by less than 0.00001, which is
a thousandth of its variation between replicates. A mean keeps 24 binary places. Numbers that end in
zeros compress to a third. `simulation.run` writes all digits. Before its file is committed, run

    python tools/thin_results.py notebooks/results/*.parquet
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

PLACES, PLACES_OF_MEANS = 16, 24
#: Columns that identify a row.
NAMES = ("value", "n", "replicate", "label", "replicates")


def thinned(table: pd.DataFrame) -> pd.DataFrame:
    """A table with rounded measured columns. Its attributes contain the digits."""
    places = PLACES if "replicate" in table else PLACES_OF_MEANS
    rounded = table.copy()
    for name in measured(table):
        rounded[name] = np.round(table[name] * 2.0**places) / 2.0**places
    rounded.attrs = {**table.attrs, "rounded": f"to multiples of 2**-{places}"}
    return rounded


def measured(table: pd.DataFrame) -> list[str]:
    return [name for name in table.select_dtypes("float") if name not in NAMES]


def save(table: pd.DataFrame, path: Path) -> None:
    """Saves bytes of equal significance together, so that zeros compress well."""
    split = measured(table)
    table.to_parquet(
        path,
        engine="pyarrow",
        index=False,
        compression="zstd",
        compression_level=19,
        use_dictionary=[name for name in table if name not in split],
        column_encoding=dict.fromkeys(split, "BYTE_STREAM_SPLIT"),
        write_page_checksum=True,
    )


if __name__ == "__main__":
    for name in sys.argv[1:]:
        before = Path(name).stat().st_size
        save(thinned(pd.read_parquet(name)), Path(name))
        print(f"{name}: {before} -> {Path(name).stat().st_size} bytes")
