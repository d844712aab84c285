"""One table for all benchmarks: ours against a rival in the same run, as a ratio with a limit.

Every benchmark prints its rows. If ``$BENCH_ROWS`` names a file, the benchmark also adds its rows
to this file. ``table.py`` with the file as its argument prints all rows together.
"""

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

import numpy as np
from scipy.special import expit


@dataclass(frozen=True)
class Row:
    """Figures of our side and of a rival, and the largest allowed ratio of ours to the rival's.

    There is one figure of each side for each repeat, measured one right after the other. If there
    is no rival, a limit stands in its place, and the allowed ratio is 1.
    """

    what: str
    ours: Sequence[float]
    rival: str
    rivals: Sequence[float]
    limit: float
    unit: str = "s"

    @property
    def ratios(self) -> list[float]:
        return [a / b for a, b in zip(self.ours, self.rivals, strict=True)]

    @property
    def hit(self) -> bool:
        return median(self.ratios) <= self.limit

    def cells(self) -> tuple[str, ...]:
        ratios = self.ratios
        spread = "once"
        if len(ratios) > 1:
            low, _, high = quantiles(ratios, method="inclusive")
            spread = f"{low:.3g} to {high:.3g} of {len(ratios)}"
        sides = [shown(median(side), self.unit) for side in (self.ours, self.rivals)]
        figures = f"{median(ratios):.3g}", spread, f"{self.limit:.3g}"
        return self.what, sides[0], self.rival, sides[1], *figures, "hit" if self.hit else "MISS"


def within(what: str, found: float | Sequence[float], limit: float, unit: str = "s") -> Row:
    """A row with a limit and without a rival: one figure, or one figure for each repeat."""
    figures = np.ravel(found).tolist()
    return Row(what, figures, "limit", [limit] * len(figures), 1, unit)


def shown(value: float, unit: str = "s") -> str:
    if unit != "s" or value >= 1:
        return f"{value:,.3g} {unit}" if value < 1000 else f"{value:,.0f} {unit}"
    return f"{value * 1e3:.3g} ms" if value >= 1e-3 else f"{value * 1e6:.3g} µs"


def show(rows: Sequence[Row]) -> int:
    """Prints the rows. If a limit is missed, the exit status is 1."""
    head = "what", "ours", "rival", "rival's", "ratio", "middle half of repeats", "limit", ""
    lines = [head, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(map(str.ljust, line, widths)).rstrip())
    return 0 if all(row.hit for row in rows) else 1


def report(*rows: Row) -> int:
    """Prints the rows of a benchmark, and keeps them for the table of all benchmarks."""
    if (path := os.environ.get("BENCH_ROWS")) is not None:
        with Path(path).open("a") as file:
            file.writelines(json.dumps(asdict(row)) + "\n" for row in rows)
    return show(rows)


def scored(rng: np.random.Generator, n: int, dtype: type = bool) -> tuple[np.ndarray, np.ndarray]:
    """Labels, of which four in ten are positive, and probabilities that differ by label."""
    y = (rng.random(n) < 0.4).astype(dtype)
    return y, expit(rng.normal(size=n) + 1.5 * y - 0.6)


def seconds(call: Callable[[], object], clock: Callable[[], float] = perf_counter) -> float:
    """Seconds of a call; with `process_time` as the clock, those of the processor."""
    start = clock()
    call()
    return clock() - start


def in_turn(*calls: Callable[[], object], runs: int = 7, first: int = 1) -> list[list[float]]:
    """Seconds of each call. The calls take turns, so that other work of the machine slows all
    alike.

    If the first call is short, it is repeated in each turn, and the median of its times counts.
    """
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(runs):
        for i, call in enumerate(calls):
            times = [seconds(call) for _ in range(1 if i else first)]
            taken[i].append(median(times))
    return taken


if __name__ == "__main__":
    sys.exit(show([Row(**json.loads(line)) for line in Path(sys.argv[1]).read_text().splitlines()]))
