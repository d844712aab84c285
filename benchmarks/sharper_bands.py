"""Coverage and length of the sharper bands, cell by cell, and of the methods tried beside them.

    python benchmarks/sharper_bands.py cells OUT.parquet [--replicates 190] [--sizes 500 1000 2000]
    python benchmarks/sharper_bands.py off_model OUT.parquet
    python benchmarks/sharper_bands.py means REPLICATES.parquet [MORE.parquet ...] OUT.parquet

`cells` makes the replicates of `simulation.run` with the same seed, in rounds over all cells, and
saves each round. If it is stopped early, every cell has fewer replicates. An existing file is
continued. `off_model` does the same for truths outside the model of the sharp reference, with a
linear classifier and a random forest. `means` makes the means over replicates that
`notebooks/sharper_bands.ipynb` reads. The notebook's cells beyond the grid come from `--grid 3.5
5.5 --replicates 20`. All cells take more than an hour.
"""

from __future__ import annotations

import argparse
from itertools import combinations_with_replacement
from pathlib import Path
from time import monotonic

import numpy as np
import pandas as pd
from scipy.special import expit, logit
from sklearn.ensemble import RandomForestClassifier
from threadpoolctl import threadpool_limits

from conformal_roc_widget.calibration.curve_residuals import curve_residuals
from conformal_roc_widget.calibration.quantiles import conformal_quantiles
from conformal_roc_widget.calibration.references.kernel import fit_kernel
from conformal_roc_widget.calibration.references.logistic import fit_logistic
from conformal_roc_widget.calibration.references.posterior import (
    evenly_spaced,
    fit_sharp,
    sharp_residuals,
)
from conformal_roc_widget.evaluation.decisions.youden import largest_gap, youden_range
from conformal_roc_widget.simulation.designs import ONE, STUDIES, products
from conformal_roc_widget.simulation.options import Options
from conformal_roc_widget.simulation.replicate import bootstrap_youden, draw_replicate, metrics_of
from conformal_roc_widget.simulation.runner import study_seed

ALPHA = 0.05
GRID = (0.1, 0.5, 1.0, 1.5, 2.0, 2.5)
ROUND = 10
LEVELS = [round(0.02 * i, 2) for i in range(1, 46)]


def cells(sizes, grid):
    yield from (("sample_size", float(n), n) for n in sizes)
    for n in sizes:
        for setting in ("missing_predictor", "missing_interaction"):
            yield from ((setting, value, n) for value in grid)


def cubic_design(X):
    terms = [c for d in range(4) for c in combinations_with_replacement(range(X.shape[1]), d)]
    return products(X, tuple(terms))


def deconvolved(residuals, kernel, X, reference):
    """Residuals that are shrunk towards their mean.

    The variance of the kernel's noise, as a share of the residuals' variance, is taken out.
    """
    pi = np.clip(expit(reference), 1e-3, 1 - 1e-3)
    noise = np.median(1 / (kernel.effective_n(X) * pi * (1 - pi)))
    share = np.sqrt(max(0.0, 1 - noise / residuals.var()))
    return residuals.mean() + share * (residuals - residuals.mean())


def level_by_reference(residuals, reference, logits):
    """The quantiles at the largest level at which risk control covers the kernel's own curve."""
    n = logits.size
    best = LEVELS[0]
    for level in LEVELS:
        low, up = conformal_quantiles(residuals, level)
        covered = metrics_of(logits + low, logits + up, logits, reference)[3]
        if (n * (1 - covered) + 1) / (n + 1) <= ALPHA:
            best = level
    return conformal_quantiles(residuals, best)


def measure(setting, value, n, replicate, seed):
    study = STUDIES[setting]
    options = Options(n=None if study.n is None else n)
    training, calibration, tests = draw_replicate(
        study, value, options, study_seed(seed, setting, value, replicate)
    )
    test = tests["iid"]
    kernel = fit_kernel(training.X, training.y)
    reference = kernel.logits(calibration.X)[:, 1]
    posterior = fit_sharp(
        np.concatenate([training.X, calibration.X]), np.concatenate([training.y, calibration.y])
    )
    draws, mean = posterior.draws(calibration.X), posterior.logits(calibration.X)
    fit = fit_logistic(cubic_design(training.X), training.y)
    cubic = cubic_design(calibration.X) @ fit.coefficients
    truth = test.logit_pi
    index = largest_gap(truth[test.y == 1], truth[test.y == 0])
    rng = np.random.default_rng(replicate)
    rows = []
    for model, terms in study.models.items():
        design = (ONE, *terms)
        coefficients = fit_logistic(products(training.X, design), training.y).coefficients
        logits = products(calibration.X, design) @ coefficients
        scores = products(test.X, design) @ coefficients
        ends = {}
        for k in (0, 1):
            at, there = calibration.y == k, test.y == k
            L, P, m = logits[at], draws[at], int(there.sum())
            oracle, near = calibration.logit_pi[at], reference[at]
            ordered = np.sort(L)[:, None]
            residuals = {
                "oracle": oracle - L,
                "kernel": near - L,
                "sharp": sharp_residuals(P, L),
                "posterior mean": mean[at] - L,
                "cubic logistic": cubic[at] - L,
                "deconvolved": deconvolved(near - L, kernel, calibration.X[at], near),
                "curve, oracle": curve_residuals(oracle[:, None], L, m),
                "curve": curve_residuals(P, L, m),
                "curve, not resampled": evenly_spaced(np.sort(P, axis=0) - ordered, L.size),
                "curve, kernel": curve_residuals(near[:, None], L, m),
                "curve, posterior mean": curve_residuals(mean[at][:, None], L, m),
            }
            limits = {name: conformal_quantiles(r, ALPHA) for name, r in residuals.items()}
            limits["curve, level of kernel residuals"] = level_by_reference(near - L, near, L)
            for name, (low, up) in limits.items():
                lower, upper = scores[there] + low, scores[there] + up
                figures = metrics_of(lower, upper, scores[there], truth[there])
                rows.append((model, k, name, figures[0], figures[2], figures[3], figures[4]))
                ends.setdefault(name, {})[k] = (lower, upper)
        ranges = {
            name: youden_range((by[0][0], by[1][0]), (by[0][1], by[1][1]))
            for name, by in ends.items()
            if name in ("oracle", "kernel", "sharp", "curve")
        }
        ranges["bootstrap"] = bootstrap_youden(scores, test.y, ALPHA, rng)
        for name, (low, up) in ranges.items():
            rows.append((model, -1, name, float(low <= index <= up), up - low, np.nan, np.nan))
    return [(setting, value, n, replicate, *row) for row in rows]


FIGURES = ["coverage_pi", "length", "coverage_band", "width_band"]
COLUMNS = ["setting", "value", "n", "replicate", "model", "label", "method", *FIGURES]
OFF_COLUMNS = ["truth", "classifier", "n", "replicate", "label", "method", *FIGURES]


def run_cells(arguments):
    parts, done, start = [], 0, monotonic()
    if arguments.out.exists():
        parts = [pd.read_parquet(arguments.out)]
        done = int(parts[0]["replicate"].max()) + 1
    for first in range(done, arguments.replicates, ROUND):
        rows = []
        for cell in cells(arguments.sizes, arguments.grid):
            for replicate in range(first, min(first + ROUND, arguments.replicates)):
                rows += measure(*cell, replicate, arguments.seed)
        parts.append(pd.DataFrame(rows, columns=COLUMNS))
        pd.concat(parts).to_parquet(arguments.out, index=False)
        minutes = (monotonic() - start) / 60
        print(f"{first + ROUND} replicates, {minutes:.1f} min", flush=True)
        if minutes > arguments.minutes:
            break


#: ``logit pi`` outside the model. If a name begins with "ten", the truth has ten features,
#: otherwise three.
TRUTHS = {
    "sine": lambda X: 1 + 2 * np.sin(2 * X[:, 0]) + X[:, 1],
    "xor": lambda X: 3 * np.tanh(3 * X[:, 0] * X[:, 1]) + 0.5 * X[:, 2],
    "step": lambda X: 2 * np.sign(X[:, 0]) + 1.5 * X[:, 1] * (X[:, 2] > 0),
    "three": lambda X: 0.5 + X[:, 0] + 1.5 * X[:, 0] * X[:, 1] * X[:, 2],
    "bump": lambda X: 5 * np.exp(-0.5 * (X**2).sum(1)) - 1.5 + 0.5 * X[:, 0],
    "ten": lambda X: 1 + X[:, 0] + X[:, 1] + X[:, 2] + 1.5 * X[:, 3] * X[:, 4],
    "ten_sine": lambda X: 1 + X[:, 0] + X[:, 1] + 2 * np.sin(2 * X[:, 2]),
    "ten_lin": lambda X: 0.5 + X @ np.linspace(1, 0.1, 10),
}
#: Pairs of a number of observed points and a number of replicates.
OFF_SIZES = ((500, 30), (2000, 16))
OFF_SEED, OFF_TESTS = 3, 500


def measure_off_model(name, n, replicate, classifier):
    rng = np.random.default_rng([OFF_SEED, n, replicate, sum(map(ord, name))])
    X = rng.standard_normal((n + OFF_TESTS, 10 if name.startswith("ten") else 3))
    truth = TRUTHS[name](X)
    y = (rng.random(len(X)) < expit(truth)).astype(int)
    training, calibration, test = slice(n // 2), slice(n // 2, n), slice(n, None)
    if classifier == "lin":
        design = np.column_stack([np.ones(len(X)), X])
        logits = design @ fit_logistic(design[training], y[training]).coefficients
    else:
        forest = RandomForestClassifier(100, min_samples_leaf=5, random_state=0)
        p = forest.fit(X[training], y[training]).predict_proba(X)[:, 1]
        logits = logit(np.clip(p, 2.0**-53, 1 - 2.0**-53))
    near = fit_kernel(X[training], y[training]).logits(X[calibration])[:, 1]
    draws = fit_sharp(X[:n], y[:n]).draws(X[calibration])
    rows = []
    for k in (0, 1):
        at, there = y[calibration] == k, y[test] == k
        L, oracle, m = logits[calibration][at], truth[calibration][at], int(there.sum())
        residuals = {
            "kernel": near[at] - L,
            "oracle": oracle - L,
            "sharp": sharp_residuals(draws[at], L),
            "curve": curve_residuals(draws[at], L, m),
            "curve, oracle": curve_residuals(oracle[:, None], L, m),
        }
        scores = logits[test][there]
        for method, sample in residuals.items():
            low, up = conformal_quantiles(sample, ALPHA)
            metrics = metrics_of(scores + low, scores + up, scores, truth[test][there])
            figures = (metrics[0], metrics[2], metrics[3], metrics[4])
            rows.append((name, classifier, n, replicate, k, method, *figures))
    return rows


def run_off_model(arguments):
    rows = []
    for n, replicates in OFF_SIZES:
        for classifier in ("lin", "rf"):
            for name in TRUTHS:
                for replicate in range(replicates):
                    rows += measure_off_model(name, n, replicate, classifier)
            print(f"n = {n}, {classifier}", flush=True)
    means([pd.DataFrame(rows, columns=OFF_COLUMNS)]).to_parquet(arguments.out, index=False)


def means(frames):
    """Means over replicates, their standard errors, and the number of replicates."""
    each = pd.concat(frames)
    keys = [c for c in each.columns if c not in (*FIGURES, "replicate")]
    grouped = each.groupby(keys)
    errors = grouped[FIGURES].sem().add_suffix("_se")
    counts = grouped["replicate"].nunique().rename("replicates")
    return pd.concat([grouped[FIGURES].mean(), errors, counts], axis=1).reset_index()


def run_means(arguments):
    means([pd.read_parquet(path) for path in arguments.replicates]).to_parquet(
        arguments.out, index=False
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("cells")
    one.add_argument("out", type=Path)
    one.add_argument("--replicates", type=int, default=190)
    one.add_argument("--sizes", type=int, nargs="+", default=[500, 1000, 2000])
    one.add_argument("--grid", type=float, nargs="+", default=GRID)
    one.add_argument("--seed", type=int, default=0)
    one.add_argument("--minutes", type=float, default=np.inf)
    one.set_defaults(run=run_cells)
    two = commands.add_parser("off_model")
    two.add_argument("out", type=Path)
    two.set_defaults(run=run_off_model)
    three = commands.add_parser("means")
    three.add_argument("replicates", type=Path, nargs="+")
    three.add_argument("out", type=Path)
    three.set_defaults(run=run_means)
    arguments = parser.parse_args()
    with threadpool_limits(1):
        arguments.run(arguments)


if __name__ == "__main__":
    main()
