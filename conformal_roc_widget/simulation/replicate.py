"""Computes one replicate of a simulation study: data, all models, an iid and a shifted test set.

`measure` returns the figures of the paper. `measure_guarantees` returns figures of the ideal model,
whose scores are the true probabilities: how often its curve and its Youden index are covered under
both guarantees. Both use `_limits`, the loop over models and test sets. The computations are those
of `ConformalROC`. The models of a replicate share the kernel and the neighbourhoods, which do not
depend on the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

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
from conformal_roc_widget.calibration.references.kernel import KernelReference, fit_kernel
from conformal_roc_widget.calibration.references.logistic import fit_logistic
from conformal_roc_widget.calibration.references.posterior import fit_sharp, sharp_residuals
from conformal_roc_widget.calibration.residuals import Ragged
from conformal_roc_widget.estimator import ConformalROC
from conformal_roc_widget.evaluation.decisions.youden import largest_gap, youden_range
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.evaluation.sorted_sample import Limits, SortedSample
from conformal_roc_widget.logits import TIE

from .classifiers import KnownLogit, MaximumLikelihood
from .designs import ONE, Sample, Study, Term, products
from .options import Options

TESTS = ("iid", "shifted")
LABELS = (0, 1)
#: The figures that `measure` returns for each model, test set and label. The docstring of `run`
#: explains them.
METRICS = ("coverage_pi", "coverage_p", "length", "coverage_band", "width_band")
GUARANTEES = ("individual", "curve")
#: The methods that give a range for Youden's index.
RANGES = (*GUARANTEES, "bootstrap")
#: The number of bootstrap resamples for the interval of Youden's index.
RESAMPLES = 200
#: If the training, calibration or test part of a sample lacks a label, the sample is drawn again,
#: at most this often.
TRIES = 1000


class Replicate(NamedTuple):
    """The data of one replicate: both parts of the observed sample, and the test sets by name."""

    training: Sample
    calibration: Sample
    tests: dict[str, Sample]


def split_sizes(study: Study, value: float, options: Options) -> tuple[int, int]:
    """Returns the sizes of the training and the calibration part. Raises if a part is too small."""
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
    """Draws the data of one replicate. If a part lacks a label, its sample is drawn again."""
    training, calibration = split_sizes(study, value, options)
    # The points are independent and identically distributed. So the first ones are a random part,
    # and no shuffling is needed.
    first, second = slice(0, training), slice(training, training + calibration)
    # `seed.spawn` would give other seeds each time it is called. So the three seeds are made by
    # hand.
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
    """Draws one sample with both labels in each of its `parts`, which are slices of its points."""
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
    """A fitted logistic model. `separated` tells whether it separates the training labels."""

    terms: tuple[Term, ...]
    coefficients: Floats
    separated: bool

    def logits(self, sample: Sample) -> Floats:
        """Returns the model's logits at the points of `sample`."""
        return np.asarray(products(sample.X, self.terms) @ self.coefficients)


def _models(study: Study, training: Sample) -> list[_Model]:
    """Fits the models of a study to the points `training`."""
    designs = [(ONE, *terms) for terms in study.models.values()]
    return [
        _Model(terms, *fit_logistic(products(training.X, terms), training.y)) for terms in designs
    ]


class _Found(NamedTuple):
    """A `Finder` that returns neighbours found before, so that several models share them."""

    found: list[Block]

    def blocks(self, targets: Floats, n: int) -> Iterator[Block]:
        """Yields the blocks found before, for the same `targets` and `n`."""
        return iter(self.found)


class _Shared:
    """The data of a replicate, and what all its models share, each computed on first use."""

    def __init__(
        self, study: Study, value: float, options: Options, seed: np.random.SeedSequence
    ) -> None:
        self.study, self.value, self.options = study, value, options
        self.training, self.calibration, self.tests = draw_replicate(study, value, options, seed)

    @cached_property
    def kernel(self) -> KernelReference:
        """The kernel estimate of eq. (tilde_pi), fitted to the training part."""
        return fit_kernel(self.training.X, self.training.y, self.options.bandwidth)

    @cached_property
    def draws(self) -> Floats:
        """Draws of ``logit pi`` at the calibration points. Each column is one function."""
        if self.options.reference == "oracle":
            return self.calibration.logit_pi[:, None]
        X = np.concatenate([self.training.X, self.calibration.X])
        y = np.concatenate([self.training.y, self.calibration.y])
        return fit_sharp(X, y).draws(self.calibration.X)

    def estimate(self, sample: Sample) -> Floats:
        """Returns ``L_pi~`` at the points of `sample`, if the reference is a single estimate."""
        if self.options.reference == "oracle":
            return sample.logit_pi
        return self.kernel.logits(sample.X)[:, 1]

    @cached_property
    def printed(self) -> Floats:
        """``L_pi~`` at the shifted test points.

        In Algorithm 2 as the paper prints it, intervals are centred on these.
        """
        return self.estimate(self.tests["shifted"])

    def residuals(self, logits: Floats) -> Floats:
        """Returns individual residuals of a model, from its `logits` at the calibration points."""
        if self.options.reference != "sharp":
            return self.estimate(self.calibration) - logits
        residuals = np.empty(logits.size)
        for k in LABELS:
            at = self.calibration.y == k
            residuals[at] = sharp_residuals(self.draws[at], logits[at])
        return residuals

    def place(self, sample: Sample, logits: Floats) -> Floats:
        """Returns the coordinates of points, between which Algorithm 2 measures distances.

        The points are those of `sample`. `logits` are the model's logits there.
        """
        distance: Any = self.options.distance
        if distance == "truth":
            return sample.logit_pi[:, None]
        if distance == "oracle":
            distance = self.study.direction(self.value, self.options.beta)
        spread = self.training.X.std(axis=0, ddof=1)
        return coordinates(distance, self.kernel.centre, spread, sample.X, logits)

    def neighbours(self, test: Sample, calibrating: Floats, logits: Floats) -> list[_Found]:
        """Finds neighbours in three searches: for test points of label 0, of label 1, and for all.

        `calibrating` are the model's logits at the calibration points, and `logits` those at the
        test points. The search for all test points is for recentring.
        """
        near = finder("standardized", self.place(self.calibration, calibrating))
        targets = self.place(test, logits)
        every = np.full(test.y.size, self.options.recenter)
        wanted = [test.y == 0, test.y == 1, every]
        return [_Found(list(near.blocks(targets[at], self.options.neighbors))) for at in wanted]


class _Limits(NamedTuple):
    """The limits of one model's intervals at the points of a test set, under one guarantee."""

    model: _Model
    test: str
    guarantee: str
    #: The model's logits at the test points before recentring. `scores` are those after recentring.
    logits: Floats
    scores: Floats
    #: The lower limits of the test points, for label 0 and for label 1, as logits. `upper` are the
    #: upper limits.
    lower: tuple[Floats, Floats]
    upper: tuple[Floats, Floats]


def _limits(
    shared: _Shared, alpha: float, tests: Sequence[str], guarantees: Sequence[str]
) -> Iterator[_Limits]:
    """Yields the limits of every model on each test set under each guarantee, in this order."""
    options, calibration = shared.options, shared.calibration
    near: list[_Found] | None = None
    for model in _models(shared.study, shared.training):
        calibrating = model.logits(calibration)
        residuals = shared.residuals(calibrating)
        for name in tests:
            test, local = shared.tests[name], name == "shifted"
            logits = model.logits(test)
            if local and (near is None or options.distance == "score"):
                near = shared.neighbours(test, calibrating, logits)
            found = near if local else None
            scores = centres = logits
            if options.recenter and found is not None:
                scores = logits + local_medians(found[2], test.X, options.neighbors, residuals)
            elif options.recenter:
                scores = logits + float(np.median(residuals))
            if local and options.center == "kernel":
                centres = shared.printed
            for guarantee in guarantees:
                ends = []
                for k in LABELS:
                    rows, at = test.y == k, calibration.y == k
                    if guarantee == "curve":
                        n = int(rows.sum())
                        groups = Ragged.single(
                            curve_residuals(shared.draws[at], calibrating[at], n)
                        )
                    elif found is None:
                        groups = Ragged.single(residuals[at])
                    else:
                        groups = local_residuals(
                            found[k], test.X[rows], options.neighbors, residuals, at
                        )
                    low, up = groups.quantiles(alpha, options.quantile_rule)
                    ends.append((centres[rows] + low, centres[rows] + up))
                lower, upper = zip(*ends, strict=True)
                yield _Limits(model, name, guarantee, logits, scores, lower, upper)


def measure(
    study: Study, value: float, alpha: float, options: Options, seed: np.random.SeedSequence
) -> tuple[Floats, NDArray[np.bool_]]:
    """Returns figures (models, `TESTS`, `LABELS`, `METRICS`), and which models were separated."""
    shared = _Shared(study, value, options, seed)
    metrics, separated = [], []
    for found in _limits(shared, alpha, TESTS, ("individual",)):
        test = shared.tests[found.test]
        for k in LABELS:
            at = test.y == k
            ends = found.lower[k], found.upper[k]
            metrics.append(metrics_of(*ends, found.scores[at], test.logit_pi[at]))
        separated.append(found.model.separated)
    shape = len(study.models), len(TESTS), len(LABELS), len(METRICS)
    return np.reshape(metrics, shape), np.array(separated[:: len(TESTS)])


def metrics_of(lower: Floats, upper: Floats, scores: Floats, truth: Floats) -> tuple[float, ...]:
    """Computes `METRICS` of one label's test points from the limits of their intervals.

    All arguments are logits. `scores` are the classifier's, and `truth` the true ones.
    """
    return (
        float(np.mean((lower <= truth + TIE) & (truth - TIE <= upper))),
        float(np.mean((lower <= scores + TIE) & (scores - TIE <= upper))),
        float(np.mean(expit(upper) - expit(lower))),
        *band_at_random_threshold(lower, upper, truth),
    )


def band_at_random_threshold(lower: Floats, upper: Floats, truth: Floats) -> tuple[float, float]:
    """Returns coverage and width of the band at ``pi(x_s)`` (Theorem 3.2), averaged over points s.

    `lower` and `upper` are the limits of one label's test points, and `truth` their true logits.
    """
    n, thresholds = truth.size, np.sort(truth)
    oracle = n - np.searchsorted(thresholds, thresholds - TIE, side="left")
    low, high = (Limits(SortedSample.of(ends)).count_above(thresholds) for ends in (lower, upper))
    return float(np.mean((low <= oracle) & (oracle <= high))), float(np.mean(high - low)) / n


class GuaranteeFigures(NamedTuple):
    """The figures of one replicate on its iid test set."""

    #: For each model, guarantee and label: the coverage of the ideal model's rate at a random
    #: threshold, and the width of the band there. The shape is (models, `GUARANTEES`, labels, 2).
    curve: Floats
    #: For each model and range: whether the range covers the ideal model's index, and its width.
    #: The shape is (models, `RANGES`, 2).
    youden: Floats


def measure_guarantees(
    study: Study, value: float, alpha: float, options: Options, seed: np.random.SeedSequence
) -> GuaranteeFigures:
    """Computes figures of both guarantees on the iid test set, from the same data as `measure`."""
    shared = _Shared(study, value, options, seed)
    test = shared.tests["iid"]
    truths = tuple(test.logit_pi[test.y == k] for k in LABELS)
    ideal = largest_gap(truths[1], truths[0])
    rng = np.random.default_rng(
        np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, len(TESTS) + 1))
    )
    curve, ranges = [], []
    for found in _limits(shared, alpha, ("iid",), GUARANTEES):
        ends = zip(found.lower, found.upper, truths, strict=True)
        curve.append([band_at_random_threshold(*of_label) for of_label in ends])
        ranges.append(youden_range(found.lower, found.upper))
        if found.guarantee == GUARANTEES[-1]:
            ranges.append(bootstrap_youden(found.logits, test.y, alpha, rng))
    youden = [(lower <= ideal <= upper, upper - lower) for lower, upper in ranges]
    models = len(study.models)
    return GuaranteeFigures(
        np.reshape(curve, (models, len(GUARANTEES), len(LABELS), 2)),
        np.reshape(youden, (models, len(RANGES), 2)),
    )


def bootstrap_youden(
    logits: Floats, labels: Ints, alpha: float, rng: np.random.Generator
) -> tuple[float, float]:
    """Returns a bootstrap interval of Youden's index of `logits`. Each label is resampled."""
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
    """Evaluates each model on each test set of one replicate, with `ConformalROC` itself.

    The keys of the result are ``(model, test)``.
    """
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
