"""Coverage of ``pi_s = P(y = 1 | score)`` by every band that scores and labels alone can give.

The laws are those of `comparison`, with points drawn one by one, and five harder ones. For the
conformal band from scores alone there are two questions, for each label: whether its intervals hold
``pi_s`` at new points, and whether its limits hold the ideal recalibration's rate at a threshold
``pi_s`` of such a point. Its references are the kernel on the score (``kernel``), bins with equal
counts whose share is drawn from its posterior (``bins``), and in a fifth of the replicates the
posterior of a smooth function of the score (``sharp``). ``told`` is the share of the bins' draws
that the intervals hold. For the calibration band (``simultaneous``) the questions are whether it
holds ``pi_s`` at every score at once, and the ideal recalibration's TPR and FPR at every threshold
at once.

    python benchmarks/scores_alone.py --minutes 60 --output scores_alone.csv
    python benchmarks/scores_alone.py --minutes 0 --output scores_alone.csv --table
    python benchmarks/scores_alone.py --widths

The laws take turns, so that a run that is stopped early has as many replicates of each law.
Replicates that the file has already are not computed again.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from resumed import resumed
from scipy import stats
from scipy.special import expit, logit
from score_laws import LAWS, Law

from conformal_roc_widget import RocEvaluation, calibration_band, conformal_quantiles
from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.references.posterior import ClassPosteriors, sharp_residuals
from conformal_roc_widget.logits import logit_of
from conformal_roc_widget.reliability.score_bins import bin_draws, held_share
from conformal_roc_widget.simulation.replicate import band_at_random_threshold

ALPHA = 0.05
#: By the number of calibration points, every how many replicates the individual guarantee is
#: measured too.
SIZES = {200: 1, 1000: 1, 5000: 5}
TEST = 1000
FIGURES = ("individual", "threshold", "width", "told")
NAMES = ("law", "n", "replicate", "method", "label", *FIGURES)


class Sample(NamedTuple):
    """Labels, scores, and logits of ``pi_s``."""

    y: Ints
    score: Floats
    truth: Floats


class Case(NamedTuple):
    """How a law is drawn, and whether its ``pi_s`` never falls as the score rises."""

    draw: Callable[[int, np.random.Generator], Sample]
    monotone: bool


def of_comparison(law: Law) -> Callable[[int, np.random.Generator], Sample]:
    """Points of a law, drawn one by one. On average, half of them are positive."""

    def draw(n: int, rng: np.random.Generator) -> Sample:
        y = (rng.random(n) < 0.5).astype(int)
        x = np.where(
            y == 1,
            law.positive.rvs(n, random_state=rng),
            law.negative.rvs(n, random_state=rng),
        )
        return Sample(y, expit(law.classifier(x)), law.logit_pi(x))

    return draw


def along(
    x: Callable[[int, np.random.Generator], Floats],
    truth: Callable[[Floats], Floats],
    classifier: Callable[[Floats], Floats],
) -> Callable[[int, np.random.Generator], Sample]:
    """Points x, their labels given ``logit pi_s = truth(x)``, and their scores."""

    def draw(n: int, rng: np.random.Generator) -> Sample:
        at = x(n, rng)
        y = (rng.random(n) < expit(truth(at))).astype(int)
        return Sample(y, expit(classifier(at)), truth(at))

    return draw


def tied(n: int, rng: np.random.Generator) -> Sample:
    """Scores with one decimal. Given the label, their logits before rounding are normal."""
    y = (rng.random(n) < 0.5).astype(int)
    score = expit(0.8 * rng.normal(1.2 * y) - 0.2).round(1)
    edges = [(logit(np.clip(score + side, 0, 1)) + 0.2) / 0.8 for side in (-0.05, 0.05)]
    share = [stats.norm.cdf(edges[1] - mean) - stats.norm.cdf(edges[0] - mean) for mean in (0, 1.2)]
    return Sample(y, score, np.log(share[1]) - np.log(share[0]))


def rare(n: int, rng: np.random.Generator) -> Sample:
    """One positive in a hundred. Given the label, the logits of scores are normal."""
    y = (rng.random(n) < 0.01).astype(int)
    x = rng.normal(1.5 * y)
    truth = 1.5 * x - 1.5**2 / 2 + logit(0.01)
    return Sample(y, expit(0.8 * truth - 0.5), truth)


def normal(n: int, rng: np.random.Generator) -> Floats:
    """Standard normal numbers."""
    return rng.normal(size=n)


#: Of the laws of `comparison`, those whose likelihood ratio rises with the score.
MONOTONE = {"binormal_equal", "beta", "gamma", "exponential"}
CASES: dict[str, Case] = {
    **{name: Case(of_comparison(law), name in MONOTONE) for name, law in LAWS.items()},
    "ties": Case(tied, True),
    "heavy_tails": Case(
        along(lambda n, rng: rng.standard_t(1.5, n), np.arcsinh, lambda x: x), True
    ),
    "rare": Case(rare, True),
    "non_monotone": Case(along(normal, lambda x: x + 2 * np.sin(3 * x), lambda x: x), False),
    "steep": Case(along(normal, lambda x: 12 * x, lambda x: x), True),
}


def pairs_of(draws: Floats, logits: Floats, codes: Ints) -> Iterator[tuple[float, float]]:
    """For each label, the quantiles of residuals that are spread as draws of ``logit pi_s`` are."""
    for label in (0, 1):
        at = codes == label
        yield conformal_quantiles(sharp_residuals(draws[at], logits[at]), ALPHA)


def interval_figures(
    lower: Floats, upper: Floats, truth: Floats, test: Sample, label: int
) -> tuple[float, float, float]:
    """`FIGURES` of the test points of a label, on the logit scale."""
    at = test.y == label
    held = (lower[at] <= truth[at] + 1e-9) & (truth[at] - 1e-9 <= upper[at])
    threshold, _ = band_at_random_threshold(lower[at], upper[at], truth[at])
    return float(held.mean()), threshold, float((expit(upper[at]) - expit(lower[at])).mean())


def simultaneous_figures(
    calibration: Sample, test: Sample
) -> Iterator[tuple[str, int, float, float, float]]:
    """For each label, whether ``pi_s`` and the rates are held everywhere, and the width."""
    band = calibration_band(calibration.y, calibration.score, ALPHA)
    both = [np.concatenate(pair) for pair in zip(calibration, test, strict=True)]
    lower, upper = band.at(both[1])
    pi = expit(both[2])
    everywhere = float(((lower <= pi + 1e-9) & (pi - 1e-9 <= upper)).all())
    evaluation = RocEvaluation.from_predictions(
        calibration.y, calibration.score, test.y, test.score, guarantee="simultaneous"
    )
    limits = evaluation.band(ALPHA)
    for label, ends in (
        (0, (limits.fpr_lower, limits.fpr_upper)),
        (1, (limits.tpr_lower, limits.tpr_upper)),
    ):
        at = test.y == label
        low, up = (np.sort(each) for each in band.at(test.score[at]))
        ideal = np.sort(expit(test.truth[at]))
        # If the sorted points are in order, so are the counts above every threshold.
        rates = float((low <= ideal + 1e-9).all() and (ideal - 1e-9 <= up).all())
        width = float((ends[1] - ends[0]).mean())
        name = "simultaneous, refuted" if band.refuted else "simultaneous"
        yield name, label, everywhere, rates, width


def rows_of(name: str, n: int, replicate: int) -> Iterator[tuple[object, ...]]:
    """All figures of one replicate. If a label has no point, there are none."""
    rng = np.random.default_rng([zlib.crc32(name.encode()), n, replicate])
    calibration, test = CASES[name].draw(n, rng), CASES[name].draw(TEST, rng)
    if any(sample.y.min() == sample.y.max() for sample in (calibration, test)):
        return
    key = (name, n, replicate)
    for method, label, *figures in simultaneous_figures(calibration, test):
        yield *key, method, label, *figures, np.nan
    if replicate % SIZES[n]:
        return
    evaluation = RocEvaluation.from_predictions(
        calibration.y, calibration.score, test.y, test.score
    )
    logits = logit_of(test.score)
    seen, codes = logit_of(calibration.score), calibration.y
    draws = logit_of(bin_draws(seen, codes))
    quantiles = {
        "kernel": [evaluation.at(ALPHA).quantiles[label] for label in (0, 1)],
        "bins": list(pairs_of(draws, seen, codes)),
    }
    if replicate % (5 * SIZES[n]) == 0:
        posteriors = ClassPosteriors.of(seen[:, None], codes, 2)
        quantiles["sharp"] = list(pairs_of(posteriors.draws(seen[:, None], 1), seen, codes))
    for method, pairs in quantiles.items():
        low, up = np.array(pairs).T[:, codes]
        told = held_share(seen, codes, seen + low, seen + up)
        for label, (low, up) in enumerate(pairs):
            figures = interval_figures(logits + low, logits + up, test.truth, test, label)
            yield *key, method, label, *figures, told


def table(rows: pd.DataFrame) -> str:
    """Means over replicates, as Markdown. Of the two labels, the smaller mean is shown.

    Bands that the labels refute are counted too.
    """
    rows["refuted"] = rows["method"].str.endswith("refuted")
    rows["method"] = rows["method"].str.partition(",")[0]
    lines = []
    for (name, n), cell in rows.groupby(["law", "n"], sort=False):
        found = [str(name), f"{n:,}", str(cell["replicate"].nunique())]
        for method in ("kernel", "sharp", "bins"):
            means = cell[cell["method"] == method].groupby("label")[list(FIGURES)].mean()
            ends = [two(means[figure].min()) for figure in ("individual", "threshold")]
            found += [" / ".join(ends), f"{means['width'].mean():.2f}"]
        joint = cell[cell["method"] == "simultaneous"].groupby("label").mean(numeric_only=True)
        found += [two(joint["individual"].min()), two(joint["threshold"].min())]
        found += [f"{joint.loc[1, 'width']:.2f}", two(joint["refuted"].mean())]
        lines.append("| " + " | ".join(found) + " |")
    return "\n".join(lines)


def mean_widths(n: int, slope: float, replicates: int = 20) -> tuple[float, float]:
    """Mean widths of the simultaneous TPR limits: at the test scores, and at evenly spaced
    thresholds.

    The labels are balanced, and scores have ``logit pi_s = slope z`` for ``z ~ N(slope (y - 1/2),
    1)``.
    """
    y = np.arange(n) % 2
    found = []
    for seed in range(replicates):
        rng = np.random.default_rng([seed, n])
        calibration, test = (
            expit(slope * rng.normal(slope * (y - 0.5), 1)) for _ in ("calibration", "test")
        )
        evaluation = RocEvaluation.from_predictions(
            y, calibration, y, test, guarantee="simultaneous"
        )
        bands = evaluation.band(ALPHA), evaluation.band(ALPHA, np.linspace(0, 1, 1001))
        found.append([np.mean(band.tpr_upper - band.tpr_lower) for band in bands])
    at_scores, evenly = np.mean(found, axis=0).tolist()
    return at_scores, evenly


def two(share: float) -> str:
    """A share with three decimals and without the leading zero."""
    return f"{share:.3f}".removeprefix("0")


def main() -> None:
    """Reads the arguments, and runs or shows the study."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--replicates", type=int, default=500)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--output", type=Path, default=Path("scores_alone.csv"))
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--widths", action="store_true", help="mean widths, and nothing else")
    given = parser.parse_args()
    if given.widths:
        for n, slope in product((2000, 10_000), (1.0, 2.0)):
            at_scores, evenly = mean_widths(n, slope)
            print(
                f"{n:,} points, slope {slope:g}: {at_scores:.3f} at the scores, {evenly:.3f} evenly"
            )
        return
    rows = resumed(
        given.output,
        ("law", "n", "replicate"),
        [(name, n, i) for i, n, name in product(range(given.replicates), SIZES, CASES)],
        lambda *key: [dict(zip(NAMES, row, strict=True)) for row in rows_of(*key)],
        minutes=given.minutes,
    )
    if given.table:
        print(table(rows))


if __name__ == "__main__":
    main()
