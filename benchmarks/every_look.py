"""Limits for readers who look again as rows arrive: how often they hold at every look, how wide.

    python benchmarks/every_look.py --replicates 300

Each sample has 117 looks. The first look is at 20 rows of the rarer label, and the last at all
2,000 rows.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator

import numpy as np
import pandas as pd
from score_laws import LAWS
from tqdm import tqdm

from conformal_roc_widget.comparators import delong_interval, ks_band
from conformal_roc_widget.evaluation.looks import share_at_any_look
from conformal_roc_widget.reliability.binomial_limits import lower_limit, upper_limit

#: Laws and shares of positives. No choice of the method was made on them.
CASES = (("beta", 0.5), ("student", 0.3), ("gamma", 0.1), ("bimodal", 0.5), ("exponential", 0.2))
ROWS, LOOKS, FIRST, ALPHA = 2_000, 117, 20, 0.05
GRID = np.linspace(0.01, 0.99, 99)


def truth(name: str) -> tuple[float, np.ndarray]:
    """Area under the population's curve, and the curve."""
    fpr = (np.arange(100_000) + 0.5) / 100_000
    return float(LAWS[name].roc(fpr).mean()), LAWS[name].roc(GRID)


def held(name: str, share: float, rng: np.random.Generator) -> Iterator[dict[str, object]]:
    """Whether each kind of limits held at all looks, and their mean widths."""
    law, (area, curve) = LAWS[name], truth(name)
    y = (rng.random(ROWS) < share).astype(int)
    x = np.where(
        y == 1,
        law.positive.rvs(ROWS, random_state=rng),
        law.negative.rvs(ROWS, random_state=rng),
    )
    fewest = np.minimum(np.cumsum(y), np.cumsum(1 - y))
    start = int(np.searchsorted(fewest, FIRST)) + 1
    for looks in ("once", "any"):
        kept, wide, kept_curve, wide_curve = [], [], [], []
        for n in np.unique(np.linspace(start, ROWS, LOOKS).astype(int)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                _, low, high = delong_interval(y[:n], x[:n], ALPHA, looks=looks)
                band = ks_band(y[:n], x[:n], ALPHA, fpr=GRID, looks=looks)
            kept.append(low <= area <= high)
            wide.append(high - low)
            kept_curve.append(bool(((band.tpr_lower <= curve) & (curve <= band.tpr_upper)).all()))
            wide_curve.append(float(np.mean(band.tpr_upper - band.tpr_lower)))
        yield {
            "case": f"{name}, {share:g}",
            "looks": looks,
            "area at all looks": all(kept),
            "area at one": np.mean(kept),
            "area, width": np.mean(wide),
            "curve at all looks": all(kept_curve),
            "curve, width": np.mean(wide_curve),
        }


def rates_held(rate: float, replicates: int, rng: np.random.Generator) -> dict[str, float]:
    """How often limits of a rate hold at all looks from 20 to 1,000 rows, and the ratio of their
    widths.
    """
    at = np.unique(np.linspace(FIRST, ROWS // 2, LOOKS).astype(int))
    found = np.cumsum(rng.random((replicates, ROWS // 2)) < rate, axis=1)[:, at - 1].astype(float)
    once = lower_limit(found, at, ALPHA / 2), upper_limit(found, at, ALPHA / 2)
    again = share_at_any_look(found / at, at, ALPHA)
    kept = {
        name: float(((low <= rate) & (rate <= high)).all(axis=1).mean())
        for name, (low, high) in {"once": once, "any": again}.items()
    }
    wider = float((again[1] - again[0]).mean() / (once[1] - once[0]).mean())
    return {"rate": rate} | kept | {"wider": wider}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=100)
    given = parser.parse_args()
    rows = [
        row
        for i in tqdm(range(given.replicates))
        for k, case in enumerate(CASES)
        for row in held(*case, np.random.default_rng([71, i, k]))
    ]
    print(pd.DataFrame(rows).groupby(["case", "looks"]).mean().round(3).to_string())
    found = [
        rates_held(rate, 10 * given.replicates, np.random.default_rng([72, i]))
        for i, rate in enumerate((0.5, 0.8, 0.95, 0.995))
    ]
    print(pd.DataFrame(found).round(3).to_string(index=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
