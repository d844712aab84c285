"""One table for all benchmarks: ours against a rival in the same run, as a ratio with a limit.

Every benchmark prints its rows. Where ``$BENCH_ROWS`` names a file it also adds them there, and
``table.py`` with that file as its argument prints all of them together.
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
    """Figures of both sides, one a repeat, and the largest ratio ours / rival's that is allowed.

    The two of a repeat were measured one right after the other. What has no rival has a limit in
    its place, and 1 as the ratio that is allowed.
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
    """What has a limit and no rival: one figure, or one a repeat."""
    figures = np.ravel(found).tolist()
    return Row(what, figures, "limit", [limit] * len(figures), 1, unit)


def shown(value: float, unit: str = "s") -> str:
    if unit != "s" or value >= 1:
        return f"{value:,.3g} {unit}" if value < 1000 else f"{value:,.0f} {unit}"
    return f"{value * 1e3:.3g} ms" if value >= 1e-3 else f"{value * 1e6:.3g} µs"


def show(rows: Sequence[Row]) -> int:
    """Print the rows; the exit status is 1 if a limit is missed."""
    head = "what", "ours", "rival", "rival's", "ratio", "middle half of repeats", "limit", ""
    lines = [head, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(map(str.ljust, line, widths)).rstrip())
    return 0 if all(row.hit for row in rows) else 1


def report(*rows: Row) -> int:
    """Print the rows of a benchmark, and keep them for the table of all."""
    if (path := os.environ.get("BENCH_ROWS")) is not None:
        with Path(path).open("a") as file:
            file.writelines(json.dumps(asdict(row)) + "\n" for row in rows)
    return show(rows)


def scored(rng: np.random.Generator, n: int, dtype: type = bool) -> tuple[np.ndarray, np.ndarray]:
    """Labels, four in ten of them positive, and probabilities that tell them apart."""
    y = (rng.random(n) < 0.4).astype(dtype)
    return y, expit(rng.normal(size=n) + 1.5 * y - 0.6)


def seconds(call: Callable[[], object], clock: Callable[[], float] = perf_counter) -> float:
    """Seconds of a call; with `process_time` as the clock, those of the processor."""
    start = clock()
    call()
    return clock() - start


def in_turn(*calls: Callable[[], object], runs: int = 7, first: int = 1) -> list[list[float]]:
    """Seconds of each call, run in turn: what else the machine does meets all alike.

    A short first call is repeated, and each turn has the median of its times.
    """
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(runs):
        for i, call in enumerate(calls):
            times = [seconds(call) for _ in range(1 if i else first)]
            taken[i].append(median(times))
    return taken


if __name__ == "__main__":
    sys.exit(show([Row(**json.loads(line)) for line in Path(sys.argv[1]).read_text().splitlines()]))
