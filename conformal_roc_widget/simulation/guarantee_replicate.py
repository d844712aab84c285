"""One replicate under both guarantees: coverage of the ideal curve and of its Youden index."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.curve_residuals import curve_residuals
from conformal_roc_widget.calibration.kernel import fit_kernel
from conformal_roc_widget.calibration.logistic import fit_logistic
from conformal_roc_widget.calibration.quantiles import conformal_quantiles
from conformal_roc_widget.evaluation.youden import largest_gap, youden_range
from conformal_roc_widget.simulation.designs import ONE, Study, products
from conformal_roc_widget.simulation.options import Options
from conformal_roc_widget.simulation.replicate import (
    LABELS,
    band_at_random_threshold,
    draw_replicate,
    posterior_draws,
    residuals_of,
)

GUARANTEES = ("individual", "curve")
#: Sources of a range for Youden's index.
RANGES = (*GUARANTEES, "bootstrap")
#: Resamples of the bootstrap.
RESAMPLES = 200


class GuaranteeFigures(NamedTuple):
    """Figures of a replicate."""

    #: Of shape (models, `GUARANTEES`, labels, 2): coverage of the ideal model's rate at a random
    #: threshold, and width of the band there.
    curve: Floats
    #: Of shape (models, `RANGES`, 2): whether the ideal model's index is in the range, its width.
    youden: Floats


def measure_guarantees(
    study: Study, value: float, alpha: float, options: Options, seed: np.random.SeedSequence
) -> GuaranteeFigures:
    """Figures of both guarantees on the iid test set, from the seed that `measure` has."""
    training, calibration, tests = draw_replicate(study, value, options, seed)
    test = tests["iid"]
    ones, zeros = (test.logit_pi[test.y == k] for k in (1, 0))
    ideal = largest_gap(ones, zeros)
    # The band for the curve needs draws of a posterior with every reference but the oracle.
    if options.reference == "oracle":
        draws = calibration.logit_pi[:, None]
    else:
        draws = posterior_draws(training, calibration)
    if options.reference == "kernel":
        kernel = fit_kernel(training.X, training.y, options.bandwidth)
        near_pi = kernel.logits(calibration.X)[:, 1]
    else:
        near_pi = draws if options.reference == "sharp" else calibration.logit_pi
    rng = np.random.default_rng(
        np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, len(tests) + 1))
    )
    curve = np.empty((len(study.models), len(GUARANTEES), len(LABELS), 2))
    youden = np.empty((len(study.models), len(RANGES), 2))
    for m, terms in enumerate(study.models.values()):
        fit = fit_logistic(products(training.X, (ONE, *terms)), training.y)
        calibrating = products(calibration.X, (ONE, *terms)) @ fit.coefficients
        logits = products(test.X, (ONE, *terms)) @ fit.coefficients
        residuals = residuals_of(near_pi, calibrating, calibration.y)
        ranges = []
        for g, guarantee in enumerate(GUARANTEES):
            ends = []
            for k in LABELS:
                at, rows = calibration.y == k, test.y == k
                sample = (
                    residuals[at]
                    if guarantee == "individual"
                    else curve_residuals(draws[at], calibrating[at], int(rows.sum()))
                )
                low, up = conformal_quantiles(sample, alpha, options.quantile_rule)
                lower, upper = logits[rows] + low, logits[rows] + up
                curve[m, g, k] = band_at_random_threshold(lower, upper, test.logit_pi[rows])
                ends.append((lower, upper))
            lowers, uppers = zip(*ends, strict=True)
            ranges.append(youden_range((lowers[0], lowers[1]), (uppers[0], uppers[1])))
        ranges.append(bootstrap_youden(logits, test.y, alpha, rng))
        youden[m] = [(lower <= ideal <= upper, upper - lower) for lower, upper in ranges]
    return GuaranteeFigures(curve, youden)


def bootstrap_youden(
    logits: Floats, labels: Ints, alpha: float, rng: np.random.Generator
) -> tuple[float, float]:
    """Percentile interval of the observed index, each label resampled."""
    order = np.argsort(-logits, kind="stable")
    gap = np.zeros((RESAMPLES, labels.size))
    for k, sign in ((1, 1), (0, -1)):
        places = np.flatnonzero(labels[order] == k)
        n = places.size
        gap[:, places] = sign * rng.multinomial(n, np.full(n, 1 / n), RESAMPLES) / n
    index = np.maximum(gap.cumsum(axis=1).max(axis=1), 0)
    lower, upper = np.quantile(index, [alpha / 2, 1 - alpha / 2])
    return float(lower), float(upper)
