"""Thresholds for the population: how often their rates hold, beside MAPIE, and their time.

Scores of each label have a normal law on the logit scale. Rounded to one decimal, they have ties.
The rates of any threshold in the population are known. MAPIE's `BinaryClassificationController`
uses its own grid of a hundred thresholds. It tests the rates of a single label by fixed sequences,
and other rates by its default. MAPIE is not a requirement: ``pip install --target DIR --no-deps
mapie`` and ``PYTHONPATH=DIR``. Without it, or with ``--rival 0``, its columns are empty.

A threshold holds if its rate in the population is at least the wish. If no threshold is found,
nothing is promised, and this counts as held. `rate` is the median of the rates at the thresholds
that were found.
"""

import argparse
import itertools
import sys
import warnings

import numpy as np
from scipy.special import expit, logit, ndtr
from table import in_turn, report, within

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.evaluation.decisions.population_threshold import (
    RULES,
    Cuts,
    Tested,
    chosen_cut,
)
from conformal_roc_widget.reliability.score_runs import ScoreRuns

SIZES, PREVALENCES, CONFIDENCES = (50, 200, 1000), (0.5, 0.1, 0.02), (0.8, 0.95)
CENTRES = (-1.0, 0.4)
#: By our name of a rate: MAPIE's name, and MAPIE's method for tests of many thresholds.
RIVALS = {
    "sensitivity": ("recall", "fixed_sequence"),
    "specificity": ("fpr", "fixed_sequence"),
    "precision": ("precision", "bonferroni_holm"),
    "accuracy": ("accuracy", "bonferroni_holm"),
}


def wish_of(rate: str, prevalence: float) -> float:
    """A wish that some thresholds of the law keep, and others do not keep."""
    return {
        "sensitivity": 0.8,
        "specificity": 0.8,
        "precision": 2 * prevalence / (1 + prevalence),
        "npv": 1 - prevalence / 2,
        "accuracy": max(0.7, 1 - prevalence) - 0.02,
    }[rate]


def drawn(rng, n: int, prevalence: float, ties: bool) -> tuple[np.ndarray, np.ndarray]:
    y = (rng.random(n) < prevalence).astype(int)
    scores = expit(rng.normal(np.array(CENTRES)[y]))
    return y, scores.round(1) if ties else scores


def in_population(rate: str, cuts: np.ndarray, prevalence: float, ties: bool) -> np.ndarray:
    """The rate in the population, if rows that score at least the cut are called."""
    if ties:  # a score just below is rounded up to the cut, and is called too
        cuts = np.ceil(np.round(cuts * 10, 9)) / 10 - 0.05
    at = logit(np.clip(cuts, 0, 1))
    spec, sens = (ndtr(way * (at - centre)) for way, centre in zip((1, -1), CENTRES, strict=True))
    tp, tn = prevalence * sens, (1 - prevalence) * spec
    with np.errstate(invalid="ignore"):
        return {
            "sensitivity": sens,
            "specificity": spec,
            "precision": tp / (tp + (1 - prevalence) * (1 - spec)),
            "npv": tn / (tn + prevalence * (1 - sens)),
            "accuracy": tp + tn,
        }[rate]


def ours(y: np.ndarray, scores: np.ndarray, rate: str, wish: float, confidence: float) -> float:
    """The threshold of `threshold_for`. NaN if there is none.

    The highest rate that could be promised is not computed.
    """
    cuts = Cuts.of(ScoreRuns.of(scores, y == 1))
    tested = {rate: Tested.of(RULES[rate], cuts)}
    kept = tested[rate].kept(wish, round(1 - confidence, 9))
    found = chosen_cut(kept, {rate: wish}, tested, cuts)
    return np.nan if found is None else found


def theirs(y: np.ndarray, scores: np.ndarray, rate: str, wish: float, confidence: float) -> float:
    """MAPIE's threshold. NaN if there is none."""
    from mapie.risk_control import BinaryClassificationController

    risk, method = RIVALS[rate]
    controller = BinaryClassificationController(
        lambda X: np.column_stack([1 - X[:, 0], X[:, 0]]),
        risk=risk,
        target_level=1 - wish if risk == "fpr" else wish,
        confidence_level=confidence,
        fwer_method=method,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        controller.calibrate(scores[:, None], y)
    best = controller.best_predict_param
    return np.nan if best is None else float(np.ravel(best)[0])


def cells(found: list[float], rate: str, prevalence: float, ties: bool, wish: float) -> str:
    """The share of samples that hold, the share without a threshold, and the median rate."""
    if not found:
        return f"{'':>6}{'':>6}{'':>6}"
    cuts = np.array(found)
    rates = in_population(rate, cuts[~np.isnan(cuts)], prevalence, ties)
    held = 1 - np.count_nonzero(rates < wish - 1e-9) / cuts.size
    middle = f"{np.median(rates):6.3f}" if rates.size else f"{'':>6}"
    return f"{held:6.3f}{np.isnan(cuts).mean():6.2f}{middle}"


def coverage(given: argparse.Namespace) -> None:
    print(f"{'rate':12}{'n':>5}{'share':>6} ties  sure   held  none  rate   MAPIE", flush=True)
    for n, prevalence, ties in itertools.product(given.sizes, given.prevalences, (False, True)):
        rng = np.random.default_rng([n, int(1000 * prevalence), ties])
        samples = [drawn(rng, n, prevalence, ties) for _ in range(given.samples)]
        samples = [(y, s) for y, s in samples if 0 < y.sum() < n]
        for rate, confidence in itertools.product(RULES, CONFIDENCES):
            wish = wish_of(rate, prevalence)
            own = [ours(*sample, rate, wish, confidence) for sample in samples]
            rivals = samples[: given.rival] if rate in RIVALS else []
            other = [theirs(*sample, rate, wish, confidence) for sample in rivals]
            law = (rate, prevalence, ties, wish)
            print(
                f"{rate:12}{n:5}{prevalence:6} {'yes' if ties else 'no':4} {confidence:5}"
                f"{cells(own, *law)}  {cells(other, *law)}",
                flush=True,
            )


def times() -> int:
    """Seconds of `threshold_for` for each rate at a hundred thousand rows."""
    y, scores = drawn(np.random.default_rng(0), 100_000, 0.3, False)
    evaluation = RocEvaluation.from_predictions(y, scores)
    rows = []
    for rate in RULES:
        wish = {rate: wish_of(rate, 0.3)}
        evaluation.threshold_for(**wish, confidence=0.95)
        (taken,) = in_turn(lambda w=wish: evaluation.threshold_for(**w, confidence=0.95), runs=9)
        rows.append(within(f"threshold_for({rate}), 100,000 rows", taken, 0.05))
    return report(*rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--prevalences", type=float, nargs="*", default=PREVALENCES)
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--rival", type=int, default=200, help="samples that MAPIE has too")
    parser.add_argument("--coverage", action="store_true", help="the table, and not the times")
    given = parser.parse_args()
    if not given.coverage:
        return times()
    coverage(given)
    return 0


if __name__ == "__main__":
    sys.exit(main())
