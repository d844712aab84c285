"""Averages the bands of several classes at fixed false positive rates (Algorithm 3)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import in_unit_range, numbers_of, shortened
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import instance_of, one_of
from conformal_roc_widget.choices import WeightsName
from conformal_roc_widget.promise import FOR_AVERAGE
from conformal_roc_widget.text import Note, class_name
from conformal_roc_widget.words import words

from .band import ConformalBand
from .roc_evaluation import RocEvaluation

WEIGHTS = ("size", "uniform")
#: If two rates differ by less than this, they count as equal. For example, 3 / 10, 0.1 + 0.1 + 0.1
#: and 1 - 0.7 differ by rounding.
ROUNDING = 2.0**-40


def average_bands(
    evaluations: Mapping[Any, RocEvaluation],
    alpha: float,
    weights: WeightsName | Mapping[Any, float] = "size",
    grid: ArrayLike | None = None,
) -> ConformalBand:
    """Computes the weighted average of one-vs-rest bands at fixed FPR (section 3.3).

    At FPR g, each curve and each limit is read at the smallest threshold whose FPR on the observed
    curve is at most g. Only the TPR and its limits are averaged.

    Parameters
    ----------
    evaluations : mapping of label to RocEvaluation
        As `ConformalROC.evaluate_all` returns them.
    alpha : float
        Significance level in (0, 1).
    weights : {"size", "uniform"} or mapping of label to float
        With ``"size"``, the paper's advice, the weight of a label is its share of the test points,
        so that rare labels count little. The values of a mapping must sum to 1.
    grid : array_like of shape (m,), optional
        Values of FPR in [0, 1]. By default ``linspace(0, 1, 1001)``.

    Returns
    -------
    ConformalBand
        The average has ``fpr = fpr_lower = fpr_upper = grid``, and its thresholds are NaN. It has
        no guarantee, and its ``guarantee`` says so.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    exact_alpha(alpha)
    expected = "a mapping of labels to their RocEvaluation"
    instance_of(evaluations, "evaluations", Mapping, expected)
    if not evaluations:
        raise ValueError("evaluations: found no label, expected at least one")
    for label, evaluation in evaluations.items():
        instance_of(evaluation, f"evaluations[{label!r}]", RocEvaluation, "a RocEvaluation")
    share = class_shares(evaluations, weights)
    at = np.linspace(0, 1, 1001) if grid is None else numbers_of(grid, "grid", ndim=1).copy()
    in_unit_range(at, "grid", "FPR in [0, 1]")
    means = np.zeros((3, at.size))
    # Weights are rounded, so they may sum to less than 1. If every class has the rate 1, the mean
    # must still be exactly 1. To see this, `short_of_one` sums the weighted differences of the
    # rates from 1.
    short_of_one = np.zeros((3, at.size))
    bands = {label: evaluation.band(alpha) for label, evaluation in evaluations.items()}
    for label, band in bands.items():
        # The thresholds of a band descend, and its FPR ascends. So the last vertex whose FPR is at
        # most the wanted one has the smallest such threshold.
        last = np.searchsorted(band.fpr, at + ROUNDING, side="right") - 1
        rates = np.array([each[last] for each in (band.tpr, band.tpr_lower, band.tpr_upper)])
        means += share[label] * rates
        short_of_one += share[label] * (1 - rates)
    tpr, lower, upper = np.where(short_of_one == 0, 1.0, means)
    vacuous = {label: band.vacuous_share[1] for label, band in bands.items()}
    open_ends = [{label: band.open_share[1][k] for label, band in bands.items()} for k in (0, 1)]
    return ConformalBand(
        alpha=float(alpha),
        thresholds=np.full(at.size, math.nan),
        fpr=at,
        tpr=tpr,
        fpr_lower=at,
        fpr_upper=at,
        tpr_lower=lower,
        tpr_upper=upper,
        quantiles=None,
        n_calibration={k: min(band.n_calibration[k] for band in bands.values()) for k in (0, 1)},
        guaranteed=dict.fromkeys((0, 1), math.nan),
        vacuous={0: None, 1: _vacuous(bands)},
        vacuous_share={0: 0.0, 1: _averaged(vacuous, share)},
        open_share={0: (0.0, 0.0), 1: [_averaged(ends, share) for ends in open_ends]},
        promise=FOR_AVERAGE,
        notes=_notes(evaluations, share),
    )


def class_shares(evaluations: Mapping[Any, RocEvaluation], weights: Any) -> dict[Any, float]:
    """Returns the weight of each label in the average. The weights sum to 1.

    For `weights`, see `average_bands`.
    """
    if isinstance(weights, Mapping):
        if set(weights) != set(evaluations):
            raise ValueError(
                f"weights: found labels {shortened(list(weights))}, "
                f"expected {shortened(list(evaluations))}"
            )
        values = numbers_of(list(weights.values()), "weights", ndim=1)
        if values.min() < 0 or abs(math.fsum(values) - 1) > 1e-9:
            raise ValueError(
                f"weights: found a sum of {math.fsum(values):.10g} and a smallest value of "
                f"{values.min():g}, expected weights of at least 0 that sum to 1"
            )
        return dict(zip(weights, values.tolist(), strict=True))
    one_of(weights, "weights", WEIGHTS, other="a mapping")
    sizes = {
        label: evaluation.masses[1] if weights == "size" else 1
        for label, evaluation in evaluations.items()
    }
    return {label: size / sum(sizes.values()) for label, size in sizes.items()}


def _averaged(shares: Mapping[Any, float], weights: Mapping[Any, float]) -> float:
    """Averages `shares` by label. `weights` sum to 1. If all shares are 1, so is the average."""
    if all(share == 1 for share in shares.values()):
        return 1.0
    return math.fsum(weights[label] * share for label, share in shares.items())


def _vacuous(bands: Mapping[Any, ConformalBand]) -> str | None:
    """Returns a sentence that names the labels without limits. None if every label has limits."""
    without = [label for label, band in bands.items() if band.without_limits(1)]
    if not without:
        return None
    return f"The bands of {shortened(without)} have no limits: they enter the average as 0 to 1."


def _notes(evaluations: Mapping[Any, RocEvaluation], share: Mapping[Any, float]) -> tuple[str, ...]:
    """Returns notes on rare labels, which have less than half the mean number of test points.

    `share` has the weight of each label in the average.
    """
    sizes = {label: evaluation.masses[1] for label, evaluation in evaluations.items()}
    rare = [label for label, size in sizes.items() if 2 * size * len(sizes) < sum(sizes.values())]
    n = {label: evaluation.n_test[1] for label, evaluation in evaluations.items()}
    return tuple(
        Note(
            words(
                "note.rare",
                name=class_name(label, noun="Class"),
                size=n[label],
                all=sum(n.values()),
            ),
            words("note.weighs", weight=share[label]),
        )
        for label in rare
    )
