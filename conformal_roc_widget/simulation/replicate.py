"""One replicate of a simulation study: a draw, all models, the iid and the shifted test set.

Everything goes through the stages of `ConformalROC`; the models of a replicate share what does not
depend on the model, which is the kernel and the neighbourhoods.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.kernel import check_bandwidth, fit_kernel
from conformal_roc_widget.calibration.logistic import fit_logistic
from conformal_roc_widget.calibration.logits import TIE
from conformal_roc_widget.calibration.neighborhoods import (
    Block,
    coordinates,
    finder,
    local_medians,
    local_residuals,
)
from conformal_roc_widget.calibration.posterior import fit_sharp, sharp_residuals
from conformal_roc_widget.calibration.quantiles import check_rule, conformal_quantiles
from conformal_roc_widget.estimator import CENTERS, ConformalROC
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.evaluation.sorted_sample import Limits, SortedSample
from conformal_roc_widget.simulation.classifiers import MaximumLikelihood, Truth
from conformal_roc_widget.simulation.designs import ONE, Sample, Study, products

TESTS = ("iid", "shifted")
LABELS = (0, 1)
#: What a replicate measures, by model, test set and label.
METRICS = ("coverage_pi", "coverage_p", "length", "coverage_band", "width_band")
REFERENCES = ("kernel", "oracle", "sharp")
DISTANCES = ("oracle", "truth", "standardized", "score")
#: Draws made for a sample that has both labels wherever the method needs them.
TRIES = 1000


@dataclass(frozen=True)
class Options:
    """What the paper leaves open, and variants of the method.

    Parameters
    ----------
    beta : tuple of four floats
        ``(beta_0, beta_1, beta_2, beta_3)``. The paper prints ones for Study 2 and nothing for
        Study 1. In ``"missing_predictor"`` the value takes the place of ``beta_3``.
    n : int or None
        Observed points; None for the 500 of Study 2. In Study 1 the value is the sample size.
    n_test : int
        Test points, iid and shifted alike.
    calibration_size : float
        Share of the observed points that calibrate, rounded up to whole points.
    neighbors : int
        Neighbourhood size of Algorithm 2, which serves the shifted test points; Algorithm 1 serves
        the iid ones.
    distance : {"oracle", "truth", "standardized", "score"}
        Of Algorithm 2. ``"oracle"`` is the printed ``|(beta_1, beta_2, beta_3) (x_i - x_j)|``, in
        ``"missing_interaction"`` without the interaction; ``"truth"`` is
        ``|logit pi(x_i) - logit pi(x_j)|``, the same but for the interaction; the others are those
        of `ConformalROC`.
    reference : {"kernel", "oracle", "sharp"}
        ``pi~`` of eq. (tilde_pi), the true ``pi`` (Proposition 2.1), or the posterior of
        `ConformalROC`'s ``"sharp"``.
    bandwidth : {"silverman", "scott", "cv"} or float
        Of the kernel; see `kernel_logit`.
    center : {"classifier", "kernel"}
        Centre of Algorithm 2's intervals; ``"kernel"`` is as printed. Algorithm 1 has no choice.
    recenter : bool
        Move the classifier's logit by the median residual (see `ConformalROC`), on both test sets.
        Only the coverage of ``p_n`` depends on it.
    quantile_rule : {"paper", "split"}
        Which pair of order statistics.
    """

    beta: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    n: int | None = None
    n_test: int = 500
    calibration_size: float = 0.5
    neighbors: int = 100
    distance: str = "oracle"
    reference: str = "kernel"
    bandwidth: str | float = "silverman"
    center: str = "classifier"
    recenter: bool = False
    quantile_rule: str = "paper"

    def __post_init__(self) -> None:
        """Refuse what is not of the form above.

        Raises
        ------
        ValueError
            With the name of the option.
        """
        beta = tuple(np.ravel(np.asarray(self.beta, dtype=object)))
        if len(beta) != 4 or not all(is_number(b) for b in beta):
            raise ValueError(f"beta: found {self.beta!r}, expected four finite numbers")
        object.__setattr__(self, "beta", tuple(map(float, beta)))
        for name, least in (("n", 4), ("n_test", 2), ("neighbors", 1)):
            number = getattr(self, name)
            if not (is_count(number, least) or (name == "n" and number is None)):
                raise ValueError(
                    f"{name}: found {number!r}, expected a whole number of at least {least}"
                )
        if not is_number(self.calibration_size) or not 0 < self.calibration_size < 1:
            raise ValueError(
                f"calibration_size: found {self.calibration_size!r}, expected a share in (0, 1)"
            )
        known = {"distance": DISTANCES, "reference": REFERENCES, "center": CENTERS}
        for name, choices in known.items():
            if getattr(self, name) not in choices:
                raise ValueError(
                    f"{name}: found {getattr(self, name)!r}, expected one of "
                    f"{', '.join(map(repr, choices))}"
                )
        if self.reference == "sharp" and self.center == "kernel":
            raise ValueError(
                "center: found 'kernel' with reference='sharp', expected 'classifier': a posterior "
                "is no single estimate to centre on"
            )
        check_bandwidth(self.bandwidth, 0)
        if not isinstance(self.recenter, bool):
            raise ValueError(f"recenter: found {self.recenter!r}, expected True or False")
        check_rule(self.quantile_rule, "quantile_rule")

    def as_json(self) -> dict[str, Any]:
        """The options in a form that a file can hold.

        Returns
        -------
        dict
            Name -> value.
        """
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**values, "beta": list(self.beta)}


def is_number(value: Any) -> bool:
    """Whether a value is a finite number.

    Parameters
    ----------
    value : object
        Anything.

    Returns
    -------
    bool
        False for a bool.
    """
    real = isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))
    return real and bool(np.isfinite(float(value)))


def is_count(value: Any, least: int) -> bool:
    """Whether a value is a whole number that is large enough.

    Parameters
    ----------
    value : object
        Anything; 500.0 is a whole number too.
    least : int
        The smallest one allowed.

    Returns
    -------
    bool
        False for a bool.
    """
    return is_number(value) and float(value).is_integer() and value >= least


class Replicate(NamedTuple):
    """Data of one replicate: the two parts of the observed sample, and the test sets by name."""

    training: Sample
    calibration: Sample
    tests: dict[str, Sample]


def split_sizes(study: Study, value: float, options: Options) -> tuple[int, int]:
    """Sizes of the training and the calibration part.

    Parameters
    ----------
    study : Study
        The study.
    value : float
        Its value.
    options : Options
        Size of the sample and share of the calibration part.

    Returns
    -------
    training, calibration : int
        Sizes.

    Raises
    ------
    ValueError
        If a part cannot hold both labels, or the training part cannot determine a model.
    """
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
    """Data of one replicate.

    A sample without both labels where the method needs them is drawn again. That happens in very
    small samples only.

    Parameters
    ----------
    study : Study
        The study.
    value : float
        Its value.
    options : Options
        Sizes and coefficients.
    seed : numpy.random.SeedSequence
        Of this replicate.

    Returns
    -------
    Replicate
        The data.

    Raises
    ------
    ValueError
        If the sample is too small to have both labels.
    """
    training, calibration = split_sizes(study, value, options)
    # The points are iid: the first ones are as random a part as any.
    first, second = slice(0, training), slice(training, training + calibration)
    # Derived by hand: `spawn` would give other children the second time.
    seeds = [np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, i)) for i in range(3)]
    observed = _draw(study, value, options, seeds[0], (first, second), shifted=False)
    every = (slice(0, options.n_test),)
    return Replicate(
        observed.rows(first),
        observed.rows(second),
        {
            test: _draw(study, value, options, own, every, shifted=test == "shifted")
            for test, own in zip(TESTS, seeds[1:], strict=True)
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
    """A sample with both labels in each of its parts."""
    rng, n = np.random.default_rng(seed), parts[-1].stop
    for _ in range(TRIES):
        sample = study.draw(n, rng, shifted=shifted, value=value, beta=options.beta)
        if all(0 < sample.y[part].sum() < sample.y[part].size for part in parts):
            return sample
    raise ValueError(
        f"n, n_test: {TRIES} draws of {n} points at the value {value:g} had no sample with both "
        "labels in each part; expected more points"
    )


class _Found(NamedTuple):
    """A `Finder` that has found the neighbours of so many targets already."""

    found: list[Block]
    targets: int

    def blocks(self, targets: Floats, n: int) -> Iterator[Block]:
        """See `Finder.blocks`."""
        return iter(self.found)


class _Neighbours(NamedTuple):
    """Neighbours of the test points: of label 0, of label 1, of all where they are needed."""

    zeros: _Found
    ones: _Found
    every: _Found


def measure(
    study: Study, value: float, alpha: float, options: Options, seed: np.random.SeedSequence
) -> tuple[Floats, NDArray[np.bool_]]:
    """Coverage and length of the intervals, and of the band at a random threshold.

    Parameters
    ----------
    study : Study
        The study.
    value : float
        Its value.
    alpha : float
        Significance level in (0, 1).
    options : Options
        The rest.
    seed : numpy.random.SeedSequence
        Of this replicate.

    Returns
    -------
    metrics : ndarray of shape (models, 2, 2, 5)
        By model, `TESTS`, `LABELS` and `METRICS`.
    separated : ndarray of bool of shape (models,)
        Models whose training labels were separated.
    """
    training, calibration, tests = draw_replicate(study, value, options, seed)
    kernel = fit_kernel(training.X, training.y, options.bandwidth)
    spread = training.X.std(axis=0, ddof=1)

    def reference(sample: Sample) -> Floats:
        """``L_pi~``; of a posterior there are draws only, whose residuals depend on the model."""
        if options.reference == "oracle":
            return sample.logit_pi
        return kernel.logits(sample.X)[:, 1]

    def place(sample: Sample, logits: Floats) -> Floats:
        """Where points lie for the distance."""
        if options.distance == "truth":
            return sample.logit_pi[:, None]
        oracle = options.distance == "oracle"
        distance = study.direction(value, options.beta) if oracle else options.distance
        return coordinates(distance, kernel.centre, spread, sample.X, logits)

    sharp = options.reference == "sharp"
    near_pi = posterior_draws(training, calibration) if sharp else reference(calibration)
    designs = [(ONE, *terms) for terms in study.models.values()]
    fits = [fit_logistic(products(training.X, terms), training.y) for terms in designs]
    metrics = np.empty((len(designs), len(TESTS), len(LABELS), len(METRICS)))
    for t, (name, test) in enumerate(tests.items()):
        local = name == "shifted"
        printed = reference(test) if local and options.center == "kernel" else None
        near: _Neighbours | None = None
        for m, (terms, fit) in enumerate(zip(designs, fits, strict=True)):
            own = products(calibration.X, terms) @ fit.coefficients
            logits = products(test.X, terms) @ fit.coefficients
            if local and (near is None or options.distance == "score"):
                near = _neighbours(place(calibration, own), place(test, logits), test, options)
            residuals = residuals_of(near_pi, own, calibration.y)
            scores = logits + _shift(residuals, near, options) if options.recenter else logits
            centres = logits if printed is None else printed
            for k in LABELS:
                rows = test.y == k
                low, up = _quantiles(residuals, calibration.y == k, near, k, alpha, options)
                metrics[m, t, k] = _metrics(
                    centres[rows] + low, centres[rows] + up, scores[rows], test.logit_pi[rows]
                )
    return metrics, np.array([fit.separated for fit in fits])


def posterior_draws(training: Sample, calibration: Sample) -> Floats:
    """Draws of ``logit pi`` at the calibration points, from the posterior of both parts.

    Parameters
    ----------
    training, calibration : Sample
        The two parts.

    Returns
    -------
    ndarray of shape (n_ca, DRAWS)
        One function a column.
    """
    X = np.concatenate([training.X, calibration.X])
    return fit_sharp(X, np.concatenate([training.y, calibration.y])).draws(calibration.X)


def residuals_of(near_pi: Floats, own: Floats, labels: Ints) -> Floats:
    """Individual residuals of one model.

    Parameters
    ----------
    near_pi : ndarray of shape (n_ca,) or (n_ca, DRAWS)
        ``L_pi~`` at the calibration points, or draws of ``logit pi`` there.
    own : ndarray of shape (n_ca,)
        The model's logits.
    labels : ndarray of shape (n_ca,)
        0 and 1.

    Returns
    -------
    ndarray of shape (n_ca,)
        ``R~``.
    """
    if near_pi.ndim == 1:
        return np.asarray(near_pi - own)
    residuals = np.empty(own.size)
    for k in LABELS:
        at = labels == k
        residuals[at] = sharp_residuals(near_pi[at], own[at])
    return residuals


def _neighbours(points: Floats, targets: Floats, test: Sample, options: Options) -> _Neighbours:
    """Found once for all models. Points on a line, or in space, as their shape tells."""
    near = finder("standardized", points)
    wanted = [test.y == 0, test.y == 1, np.full(test.y.size, options.recenter)]
    return _Neighbours(
        *(
            _Found(list(near.blocks(own, options.neighbors)), len(own))
            for own in (targets[rows] for rows in wanted)
        )
    )


def _shift(residuals: Floats, near: _Neighbours | None, options: Options) -> Floats | float:
    """What recentring adds to the classifier's logit."""
    if near is None:
        return float(np.median(residuals))
    targets = np.empty((near.every.targets, 0))
    return local_medians(near.every, targets, options.neighbors, residuals)


def _quantiles(
    residuals: Floats,
    wanted: NDArray[np.bool_],
    near: _Neighbours | None,
    label: int,
    alpha: float,
    options: Options,
) -> tuple[Floats, Floats]:
    """Order statistics of a label: one pair for Algorithm 1, one a test point for Algorithm 2."""
    if near is None:
        pair = conformal_quantiles(residuals[wanted], alpha, options.quantile_rule)
        return np.array(pair[0]), np.array(pair[1])
    found = near[label]
    targets = np.empty((found.targets, 0))
    ragged = local_residuals(found, targets, options.neighbors, residuals, wanted)
    return ragged.quantiles(alpha, options.quantile_rule)


def _metrics(lower: Floats, upper: Floats, scores: Floats, truth: Floats) -> tuple[float, ...]:
    """`METRICS` of the test points of one label, decided on the logit scale."""
    return (
        float(np.mean((lower <= truth + TIE) & (truth - TIE <= upper))),
        float(np.mean((lower <= scores + TIE) & (scores - TIE <= upper))),
        float(np.mean(expit(upper) - expit(lower))),
        *band_at_random_threshold(lower, upper, truth),
    )


def band_at_random_threshold(lower: Floats, upper: Floats, truth: Floats) -> tuple[float, float]:
    """Coverage and width of the band of Theorem 3.2 at the threshold ``pi(x_s)``.

    Parameters
    ----------
    lower, upper : ndarray of shape (n,)
        Ends of the intervals of the test points of one label, on the logit scale.
    truth : ndarray of shape (n,)
        ``logit pi`` there.

    Returns
    -------
    coverage, width : float
        The coverage is the share of the test points s of the label at which the band covers the
        oracle's rate, which is what a random s does on average.
    """
    n, thresholds = truth.size, np.sort(truth)
    oracle = n - np.searchsorted(thresholds, thresholds - TIE, side="left")
    low, high = (Limits(SortedSample.of(ends)).count_above(thresholds) for ends in (lower, upper))
    return float(np.mean((low <= oracle) & (oracle <= high))), float(np.mean(high - low)) / n


def evaluate(
    study: Study, value: float, options: Options, seed: np.random.SeedSequence
) -> dict[tuple[str, str], RocEvaluation]:
    """The evaluations behind one replicate, made by `ConformalROC` itself.

    Parameters
    ----------
    study : Study
        The study.
    value : float
        Its value.
    options : Options
        The rest.
    seed : numpy.random.SeedSequence
        Of this replicate.

    Returns
    -------
    dict
        ``(model, test)`` -> RocEvaluation.
    """
    training, calibration, tests = draw_replicate(study, value, options, seed)

    def apart(a: Floats, b: Floats) -> float:
        logits = study.logit_pi(np.stack([a, b]), value, options.beta)
        return float(abs(logits[0] - logits[1]))

    distances = {"oracle": study.direction(value, options.beta), "truth": apart}
    truth = Truth(study, value, options.beta)
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
