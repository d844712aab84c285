"""How often limits of this classifier's numbers hold the population's: rates, areas, losses.

python benchmarks/numbers_held.py --replicates 2000
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy.special import expit
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from tqdm import tqdm

from conformal_roc_widget import RocEvaluation, comparators

Sample = tuple[np.ndarray, np.ndarray]
#: Thresholds in descending order.
CUTS = (0.5, 0.2, 0.1)
#: The number of rows that stand for the population.
MANY = 2_000_000

#: By name, logits of the scores and true logits: calibrated scores, rare positives, scores too near
#: to 0 and 1, and heavy tails.
LAWS: dict[str, Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]]] = {
    "right": lambda rng, n: (z := rng.normal(size=n) * 1.5, z),
    "rare": lambda rng, n: (z := rng.normal(size=n) - 3, z),
    "too bold": lambda rng, n: (z := rng.normal(size=n) * 2, z / 2 - 0.5),
    "mixture": lambda rng, n: (z := rng.normal(size=n) + 3 * (rng.random(n) < 0.3) - 2, z**3 / 8),
}


def drawn(name: str, n: int, rng: np.random.Generator) -> Sample:
    """Labels and scores."""
    shown, true = LAWS[name](rng, n)
    return (rng.random(n) < expit(true)).astype(int), expit(shown)


def truth(y: np.ndarray, score: np.ndarray) -> dict[str, float]:
    """Every number of the population."""
    found = {
        "area": roc_auc_score(y, score),
        "Brier score": brier_score_loss(y, score),
        "log loss": log_loss(y, score),
    }
    for cut in CUTS:
        called = score >= cut
        hits, alarms = float(np.mean(called & (y == 1))), float(np.mean(called & (y == 0)))
        found |= {
            f"tpr {cut}": hits / y.mean(),
            f"fpr {cut}": alarms / (1 - y.mean()),
            f"accuracy {cut}": float(np.mean(called == y)),
            f"precision {cut}": hits / (hits + alarms),
            f"net benefit {cut}": hits - alarms * cut / (1 - cut),
        }
    return {key: float(value) for key, value in found.items()}


def limits(y: np.ndarray, score: np.ndarray) -> dict[str, tuple[float, float]]:
    """Limits of the same numbers at 95 %, and limits of both rates that hold together."""

    def ends(of: comparators.SamplingInterval) -> tuple[float, float]:
        return of.lower, of.upper

    found = {
        "area": ends(comparators.delong_interval(y, score)),
        "Brier score": ends(comparators.brier_score_interval(y, score)),
        "log loss": ends(comparators.log_loss_interval(y, score)),
    }
    settled = RocEvaluation.from_predictions(y, score).sampled.settled_over(np.array(CUTS))
    precision = settled.precision(0.05, None)
    benefit = settled.net_benefit(0.05, np.array([cut / (1 - cut) for cut in CUTS]), None)
    for i, cut in enumerate(CUTS):
        for joint in (False, True):
            box = comparators.clopper_pearson_box(y, score, cut, joint=joint)
            end = ", both" if joint else ""
            found[f"tpr {cut}{end}"] = box.tpr_lower, box.tpr_upper
            found[f"fpr {cut}{end}"] = box.fpr_lower, box.fpr_upper
        found[f"accuracy {cut}"] = ends(comparators.accuracy_interval(y, score, cut))
        found[f"precision {cut}"] = float(precision[0][i]), float(precision[1][i])
        found[f"net benefit {cut}"] = float(benefit[0][i]), float(benefit[1][i])
    return found


def held(name: str, n: int, replicates: int) -> pd.Series:
    """How often the limits of each number hold."""
    true = truth(*drawn(name, MANY, np.random.default_rng(5)))
    rows = []
    for replicate in tqdm(range(replicates), leave=False):
        y, score = drawn(name, n, np.random.default_rng([92, replicate]))
        if min(y.sum(), n - y.sum()) < 5:
            continue
        within = {
            key: low <= true[key.removesuffix(", both")] <= high
            for key, (low, high) in limits(y, score).items()
        }
        for cut in CUTS:
            both = [within.pop(f"{rate} {cut}, both") for rate in ("tpr", "fpr")]
            within[f"both rates {cut}"] = all(both)
        rows.append(within)
    return pd.DataFrame(rows).mean()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=2_000)
    parser.add_argument("--sizes", default="100,500")
    given = parser.parse_args()
    cells = [(name, int(n)) for name in LAWS for n in given.sizes.split(",")]
    table = pd.DataFrame({cell: held(*cell, given.replicates) for cell in cells})
    print(table.round(3).to_string())
    return 0


if __name__ == "__main__":
    sys.exit(main())
