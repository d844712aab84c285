"""Time of ``import conformal_roc_widget`` against that of ``import sklearn.metrics``."""

import subprocess
import sys

from table import Row, report

RUNS = 11


def seconds(module: str) -> float:
    code = f"from time import perf_counter as t; s = t(); import {module}; print(t() - s)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(run.stdout)


def main() -> int:
    ours, rival = "conformal_roc_widget", "sklearn.metrics"
    times: dict[str, list[float]] = {ours: [], rival: []}
    for module in times:  # the first import fills caches, so it is not counted
        seconds(module)
    for _ in range(RUNS):
        for module, taken in times.items():
            taken.append(seconds(module))
    return report(Row(f"import {ours}", times[ours], f"import {rival}", times[rival], 1.3))


if __name__ == "__main__":
    sys.exit(main())
