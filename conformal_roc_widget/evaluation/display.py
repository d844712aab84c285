"""What a screen needs of an evaluation at every alpha: one record, made once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.evaluation.observed_curve import Vertices
from conformal_roc_widget.evaluation.recalibrated import RecalibratedCurve
from conformal_roc_widget.evaluation.sorted_sample import SortedSample
from conformal_roc_widget.promise import Promise


class Display(NamedTuple):
    """Names, sizes, sorted numbers and notes; pairs and mappings are by label.

    `extrapolating` is the share of test points far from the data (`about` where it is read from
    some of them), `vertices` those of the observed curve that a screen can show. `residuals` are
    empty where a `recalibration` bounds the limits without any; `centres` are None where each test
    point has quantiles of its own, so that no screen can compute its interval.
    """

    classes: tuple[Any, Any]
    masses: Mapping[int, int]
    n_test: Mapping[int, int]
    n_calibration: Mapping[int, int]
    selectable: bool
    auc: float
    rule: str
    promise: Promise
    vacuous_below: Mapping[int, float]
    first_alpha: Mapping[int, str]
    notes: tuple[str, ...]
    extrapolating: float
    about: bool
    vertices: Vertices
    n_thresholds: int
    scores: tuple[SortedSample, SortedSample]
    centres: tuple[SortedSample, SortedSample] | None
    residuals: tuple[Floats, Floats]
    recalibration: RecalibratedCurve | None

    @property
    def simplified(self) -> bool:
        """Whether the curve has more vertices than a screen can show."""
        return self.vertices.thresholds.size < self.n_thresholds
