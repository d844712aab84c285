"""One table for all benchmarks: ours against a rival in the same run, as a ratio with a limit."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter


@dataclass(frozen=True)
class Row:
    """Seconds of both, and the largest ratio ours / rival that is allowed."""

    what: str
    ours: float
    rival: str
    rival_seconds: float
    limit: float

    @property
    def ratio(self) -> float:
        return self.ours / self.rival_seconds

    @property
    def hit(self) -> bool:
        return self.ratio <= self.limit


def report(*rows: Row) -> int:
    """Print the rows; the exit status is 1 if a limit is missed."""
    head = ("what", "ours", "rival", "rival's", "ratio", "limit", "")
    lines = [head] + [
        (
            row.what,
            seconds(row.ours),
            row.rival,
            seconds(row.rival_seconds),
            f"{row.ratio:.4g}",
            f"{row.limit:g}",
            "hit" if row.hit else "MISS",
        )
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        )
    return 0 if all(row.hit for row in rows) else 1


def seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-6:.3g} µs"


def median_seconds(call: Callable[[], object], runs: int = 5) -> float:
    taken = []
    for _ in range(runs):
        start = perf_counter()
        call()
        taken.append(perf_counter() - start)
    return median(taken)


def in_turn(
    ours: Callable[[], object], rival: Callable[[], object], runs: int = 7
) -> tuple[float, float]:
    """Median seconds of both, run in turn: what else the machine does meets both alike."""
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        for call, seconds_taken in zip((ours, rival), taken, strict=True):
            start = perf_counter()
            call()
            seconds_taken.append(perf_counter() - start)
    return median(taken[0]), median(taken[1])
