#!/usr/bin/env python3
"""Writes the lengths of the hand-written parts into docs/architecture.md.

`python tools/line_counts.py` renews the column, and `make docs` runs it. Lines with comments and
blank lines are counted, and numbers are rounded to the next ten. If a number is wrong by more than
a fifth, a test fails.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/architecture.md"

_PACKAGE = "conformal_roc_widget"
#: For each row of the table, by its first cell: the files that are counted.
FILES = {
    "scales, axes, paths, drags of the page": (
        "js/src/base/scale.ts",
        "js/src/base/steps.ts",
        "js/src/base/grip.ts",
        "js/src/draw/axes.ts",
        "js/src/draw/path.ts",
        "js/src/draw/point_handle.ts",
        "js/src/draw/scales.ts",
    ),
    "the plot itself, with its views": ("js/src/draw/*.ts", "js/src/views/*.ts"),
    "varints and arrays of bytes": ("js/src/wire/readers.ts",),
    "DeLong with pairs, people, partial areas": (f"{_PACKAGE}/comparators/delong.py",),
    "a posterior of the log-odds": (
        f"{_PACKAGE}/calibration/references/additive_posterior.py",
        f"{_PACKAGE}/calibration/references/posterior.py",
    ),
    "columns to numbers": (f"{_PACKAGE}/tables/encoder.py",),
    "kernel estimate": (f"{_PACKAGE}/calibration/references/kernel.py",),
    "a band for the calibration curve": (
        f"{_PACKAGE}/reliability/binomial_limits.py",
        f"{_PACKAGE}/reliability/calibration_band.py",
    ),
    "PNG without a browser": (f"{_PACKAGE}/draw/fonts.py", f"{_PACKAGE}/draw/pixels.py"),
}
BUILT = ROOT / _PACKAGE / "static/standalone.js"
WEIGHT = re.compile(r"(the whole page has )\d+")
ROW = re.compile(r"^\| (?P<part>[^|]+) \| (?P<lines>[\d,]+) \|", re.M)


def lines_of(part: str) -> int:
    """Number of lines in the files of a part."""
    paths = [path for pattern in FILES[part] for path in ROOT.glob(pattern)]
    if len(paths) < len(FILES[part]):
        raise FileNotFoundError(f"{part}: found {len(paths)} of {FILES[part]}")
    return sum(len(path.read_text("utf-8").splitlines()) for path in paths)


def renewed(text: str) -> str:
    """The page with current numbers of lines, and the size of the last built script."""
    size = BUILT.stat().st_size
    text = WEIGHT.sub(rf"\g<1>{size / 1000:.0f}", text)
    return ROW.sub(lambda row: f"| {row['part']} | {round(lines_of(row['part']), -1):,} |", text)


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text("utf-8")), "utf-8")
