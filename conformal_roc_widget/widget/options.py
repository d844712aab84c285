"""Declares the keywords of `ROCWidget` and of its class methods, as `TypedDict` classes.

If several of them share keywords, these are declared once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, SupportsFloat, TypedDict

from numpy.typing import ArrayLike

from conformal_roc_widget.choices import (
    BandName,
    BandwidthName,
    CalibrationName,
    CensoringName,
    CenterName,
    ComparatorName,
    GuaranteeName,
    LooksName,
    ReferenceName,
    ResplitsName,
    RuleName,
    ScoreReferenceName,
    ViewName,
)
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.tables.calibration_rows import Ratio


class Shown(TypedDict, total=False):
    """The keywords for what the screen shows first. The docstring of `ROCWidget` explains them."""

    name: str | None
    guarantee: GuaranteeName | None
    alpha: float
    threshold: SupportsFloat | None
    band: BandName | None
    view: ViewName
    prevalence: float | None
    cost_ratio: float | None
    comparators: Iterable[ComparatorName]
    truth: ArrayLike | None
    page: dict[str, Any] | None
    zoom: bool
    goal: Mapping[str, float] | None
    noun: str
    looks: LooksName


class OfModel(TypedDict, total=False):
    """Parameters of `ConformalROC`, whose docstring explains them."""

    reference: ReferenceName | Any
    encoder: Any
    bandwidth: BandwidthName | Any
    calibration_size: float
    calibration: CalibrationName
    neighbors: int | None
    distance: Any
    center: CenterName | Any
    recenter: bool
    resplits: int | ResplitsName
    quantile_rule: RuleName
    random_state: Any
    n_jobs: int | None
    progress: bool
    horizons: Any
    censoring: CensoringName | Any
    time_unit: str
    pos_label: Any


class OfScores(TypedDict, total=False):
    """The keywords of `RocEvaluation.from_predictions`, whose docstring explains them."""

    reference: ScoreReferenceName | None
    pos_label: Any
    sample_weight: ArrayLike | None
    sample_weight_calibration: ArrayLike | Ratio | None
    sample_weight_test: ArrayLike | None
    groups_calibration: ArrayLike | None
    groups_test: ArrayLike | None
    horizon: float | None
    time_unit: str


class FromEstimator(OfModel, Shown):
    """The keywords of `ROCWidget.from_estimator`."""


class FromPredictions(OfScores, Shown):
    """The keywords of `ROCWidget.from_predictions`."""


def part(given: Mapping[str, Any], options: type) -> dict[str, Any]:
    """Returns those of the `given` keywords that the `TypedDict` `options` declares."""
    return {name: given[name] for name in options.__annotations__ if name in given}


#: The defaults of the keywords in `Shown`. If `band` or `threshold` is None, its value depends on
#: the data.
FIRST = Controls._field_defaults | {
    "name": None,
    "comparators": (),
    "truth": None,
    "band": None,
    "threshold": None,
}
