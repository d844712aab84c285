"""One replicate of a simulation study: a draw, all models, the iid and the shifted test set.

`measure` has the figures of the paper, `measure_guarantees` those of the ideal curve under both
guarantees, and of its Youden index.

Everything goes through the stages of `ConformalROC`; the models of a replicate share what does not
depend on the model, which is the kernel and the neighbourhoods.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.curve_residuals import curve_residuals
from conformal_roc_widget.calibration.neighborhoods import (
    Block,
    coordinates,
    finder,
    local_medians,
    local_residuals,
)
from conformal_roc_widget.calibration.quantiles import conformal_quantiles
from conformal_roc_widget.calibration.references.kernel import fit_kernel
from conformal_roc_widget.calibration.references.logistic import fit_logistic
from conformal_roc_widget.calibration.references.posterior import fit_sharp, sharp_residuals
from conformal_roc_widget.calibration.residuals import Ragged
from conformal_roc_widget.estimator import ConformalROC
from conformal_roc_widget.evaluation.decisions.youden import largest_gap, youden_range
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.evaluation.sorted_sample import Limits, SortedSample
from conformal_roc_widget.logits import TIE
from conformal_roc_widget.simulation.classifiers import KnownLogit, MaximumLikelihood
from conformal_roc_widget.simulation.designs import ONE, Sample, Study, Term, products
from conformal_roc_widget.simulation.options import Options

TESTS = ("iid", "shifted")
LABELS = (0, 1)
#: Figures of a replicate, by model, test set and label.
METRICS = ("coverage_pi", "coverage_p", "length", "coverage_band", "width_band")
GUARANTEES = ("individual", "curve")
#: Sources of a range for Youden's index.
RANGES = (*GUARANTEES, "bootstrap")
#: Resamples of the bootstrap.
RESAMPLES = 200
#: A sample without both labels in each part is drawn again, at most this often.
TRIES = 1000


class Replicate(NamedTuple):
    """Data of one replicate: the two parts of the observed sample, and the test sets by name."""

    training: Sample
    calibration: Sample
    tests: dict[str, Sample]


def split_sizes(study: Study, value: float, options: Options) -> tuple[int, int]:
    """Sizes of the training and the calibration part, or a ValueError for too small a part."""
    n = int(value) if study.n is None else int(options.n or study.n)
    calibration = int(np.ceil(n * options.calibration_size))
    needed = max(2, *(len(terms) + 2 for terms in study.models.values()))
    if calibration < 2 or n - calibration < needed:
        raise ValueError(
            f"n: found {n}, which splits into {n - calibration} training and {calibration} "
            f"calibration points; expected at least {needed} to fit every model, and 2 for both "
            "labels"
        )
    return n - calibration, calibration


def draw_replicate(
    study: Study, value: float, options: Options, seed: np.random.SeedSequence
) -> Replicate:
    """Data of one replicate; a sample without both labels where they are needed is drawn again."""
    training, calibration = split_sizes(study, value, options)
    # Points are iid: the first ones are a random part.
    first, second = slice(0, training), slice(training, training + calibration)
    # Not by `spawn`, which gives other children at each call.
    seeds = [np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, i)) for i in range(3)]
    observed = _draw(study, value, options, seeds[0], (first, second), shifted=False)
    every = (slice(0, options.n_test),)
    return Replicate(
        observed.rows(first),
        observed.rows(second),
        {
            test: _draw(study, value, options, child, every, shifted=test == "shifted")
            for test, child in zip(TESTS, seeds[1:], strict=True)
        },
    )


def _draw(
    study: Study,
    value: float,
    options: Options,
    seed: np.random.SeedSequence,
    parts: Sequence[slice],
    *,
    shifted: bool,
) -> Sample:
    """One sample with both labels in each of its parts."""
    rng, n = np.random.default_rng(seed), parts[-1].stop
    for _ in range(TRIES):
        sample = study.draw(n, rng, shifted=shifted, value=value, beta=options.beta)
        if all(0 < sample.y[part].sum() < sample.y[part].size for part in parts):
            return sample
    raise ValueError(
        f"n, n_test: {TRIES} draws of {n} points at the value {value:g} had no sample with both "
        "labels in each part; expected more points"
    )


class _Model(NamedTuple):
    """A fitted logistic model."""

    terms: tuple[Term, ...]
    coefficients: Floats
    separated: bool

    def logits(self, sample: Sample) -> Floats:
        """Its logit of points."""
        return np.asarray(products(sample.X, self.terms) @ self.coefficients)


def _models(study: Study, training: Sample) -> list[_Model]:
    """The models of a study, fitted."""
    designs = [(ONE, *terms) for terms in study.models.values()]
    return [
        _Model(terms, *fit_logistic(products(training.X, terms), training.y)) for terms in designs
    ]


class _Found(NamedTuple):
    """A `Finder` that gives neighbours which another one found, so that models can share them."""

    found: list[Block]

    def blocks(self, targets: Floats, n: int) -> Iterator[Block]:
        """The blocks, as `Finder.blocks` gives them."""
        return iter(self.found)


def measure(
    study: Study, value: float, alpha: float, options: Options, seed: np.random.SeedSequence
) -> tuple[Floats, NDArray[np.bool_]]:
    """Figures of shape (models, `TESTS`, `LABELS`, `METRICS`), and which models were separated."""
    training, calibration, tests = draw_replicate(study, value, options, seed)
    kernel = fit_kernel(training.X, training.y, options.bandwidth)
    spread = training.X.std(axis=0, ddof=1)

    def reference(sample: Sample) -> Floats:
        """``L_pi~`` where the reference is a single estimate."""
        if options.reference == "oracle":
            return sample.logit_pi
        return kernel.logits(sample.X)[:, 1]

    def place(sample: Sample, logits: Floats) -> Floats:
        """Coordinates of points for the distance."""
        if options.distance == "truth":
            return sample.logit_pi[:, None]
        oracle = options.distance == "oracle"
        distance = study.direction(value, options.beta) if oracle else options.distance
        return coordinates(distance, kernel.centre, spread, sample.X, logits)

    sharp = options.reference == "sharp"
    near_pi = posterior_draws(training, calibration) if sharp else reference(calibration)
    models = _models(study, training)
    metrics = np.empty((len(models), len(TESTS), len(LABELS), len(METRICS)))
    for t, (name, test) in enumerate(tests.items()):
        local = name == "shifted"
        printed = reference(test) if local and options.center == "kernel" else None
        near: list[_Found] | None = None
        for m, model in enumerate(models):
            calibrating, logits = model.logits(calibration), model.logits(test)
            if local and (near is None or options.distance == "score"):
                points, targets = place(calibration, calibrating), place(test, logits)
                near = _neighbours(points, targets, test, options)
            residuals = residuals_of(near_pi, calibrating, calibration.y)
            scores = logits
            if options.recenter and near is not None:
                scores = logits + local_medians(near[2], test.X, options.neighbors, residuals)
            elif options.recenter:
                scores = logits + float(np.median(residuals))
            centres = logits if printed is None else printed
            for k in LABELS:
                rows, of_label = test.y == k, calibration.y == k
                if near is None:
                    groups = Ragged.single(residuals[of_label])
                else:
                    groups = local_residuals(
                        near[k], test.X[rows], options.neighbors, residuals, of_label
                    )
                low, up = groups.quantiles(alpha, options.quantile_rule)
                metrics[m, t, k] = metrics_of(
                    centres[rows] + low, centres[rows] + up, scores[rows], test.logit_pi[rows]
                )
    return metrics, np.array([model.separated for model in models])


def posterior_draws(training: Sample, calibration: Sample) -> Floats:
    """Draws of ``logit pi`` at the calibration points, one function a column."""
    X = np.concatenate([training.X, calibration.X])
    return fit_sharp(X, np.concatenate([training.y, calibration.y])).draws(calibration.X)


def residuals_of(near_pi: Floats, logits: Floats, labels: Ints) -> Floats:
    """Individual residuals of one model, from ``L_pi~`` or from draws of ``logit pi``."""
    if near_pi.ndim == 1:
        return np.asarray(near_pi - logits)
    residuals = np.empty(logits.size)
    for k in LABELS:
        at = labels == k
        residuals[at] = sharp_residuals(near_pi[at], logits[at])
    return residuals


def _neighbours(points: Floats, targets: Floats, test: Sample, options: Options) -> list[_Found]:
    """Neighbours of the test points of label 0, of label 1 and, for recentring, of all."""
    near = finder("standardized", points)
    wanted = [test.y == 0, test.y == 1, np.full(test.y.size, options.recenter)]
    return [_Found(list(near.blocks(targets[rows], options.neighbors))) for rows in wanted]


def metrics_of(lower: Floats, upper: Floats, scores: Floats, truth: Floats) -> tuple[float, ...]:
    """`METRICS` of the test points of one label, decided on the logit scale."""
    return (
        float(np.mean((lower <= truth + TIE) & (truth - TIE <= upper))),
        float(np.mean((lower <= scores + TIE) & (scores - TIE <= upper))),
        float(np.mean(expit(upper) - expit(lower))),
        *band_at_random_threshold(lower, upper, truth),
    )


def band_at_random_threshold(lower: Floats, upper: Floats, truth: Floats) -> tuple[float, float]:
    """Coverage and width of the band of Theorem 3.2 at ``pi(x_s)``, averaged over the points s."""
    n, thresholds = truth.size, np.sort(truth)
    oracle = n - np.searchsorted(thresholds, thresholds - TIE, side="left")
    low, high = (Limits(SortedSample.of(ends)).count_above(thresholds) for ends in (lower, upper))
    return float(np.mean((low <= oracle) & (oracle <= high))), float(np.mean(high - low)) / n


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
    for m, model in enumerate(_models(study, training)):
        calibrating, logits = model.logits(calibration), model.logits(test)
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


def evaluate(
    study: Study, value: float, options: Options, seed: np.random.SeedSequence
) -> dict[tuple[str, str], RocEvaluation]:
    """``(model, test)`` -> evaluation of one replicate, made by `ConformalROC` itself."""
    training, calibration, tests = draw_replicate(study, value, options, seed)

    def apart(a: Floats, b: Floats) -> float:
        logits = study.logit_pi(np.stack([a, b]), value, options.beta)
        return float(abs(logits[0] - logits[1]))

    distances = {"oracle": study.direction(value, options.beta), "truth": apart}
    truth = KnownLogit(partial(study.logit_pi, value=value, beta=options.beta))
    evaluations = {}
    for model, terms in study.models.items():
        fitted = ConformalROC(
            MaximumLikelihood(terms),
            reference=truth if options.reference == "oracle" else options.reference,
            bandwidth=options.bandwidth,
            distance=distances.get(options.distance, options.distance),
            recenter=options.recenter,
            quantile_rule=options.quantile_rule,
        ).fit(training.X, training.y, X_calibration=calibration.X, y_calibration=calibration.y)
        for name, test in tests.items():
            if name == "shifted":
                fitted.set_params(neighbors=options.neighbors, center=options.center)
            evaluations[model, name] = fitted.evaluate(test.X, test.y)
    return evaluations
