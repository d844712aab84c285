"""Which reference a user's `reference` stands for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from conformal_roc_widget.calibration.classifiers import has_scores
from conformal_roc_widget.calibration.kernel import check_bandwidth
from conformal_roc_widget.calibration.learned_reference import Learned
from conformal_roc_widget.calibration.neighborhoods import check_distance
from conformal_roc_widget.calibration.points import Labelled, Points
from conformal_roc_widget.calibration.references import (
    Kernel,
    Oracle,
    Reference,
    Score,
    SecondClassifier,
    Settings,
    Sharp,
)
from conformal_roc_widget.checks import one_of

#: Features up to which ``"auto"`` is the paper's kernel.
KERNEL_FEATURES = 5
#: Points of a label that ``"auto"`` wants for more than the kernel.
AUTO_FEWEST = 20
#: The reference that is chosen by the shape of the data.
AUTO = "auto"
#: The references that have a name.
NAMED: dict[str, Callable[[Settings], Reference]] = {
    "kernel": Kernel,
    "score": Score,
    "sharp": Sharp,
    "learned": Learned,
}


def reference_of(reference: Any, settings: Settings) -> Reference:
    """The reference that parameters of `ConformalROC` ask for, not fitted yet."""
    if not isinstance(reference, (str, type)):
        if hasattr(reference, "fit") and has_scores(reference):
            return SecondClassifier(reference)
        if callable(reference):
            return Oracle(reference)
    name = one_of(reference, "reference", [AUTO, *NAMED], other="a classifier or a callable")
    return NAMED[name](settings)


def auto_reference(data: Labelled, kernel_only: str) -> tuple[str, str]:
    """The reference that ``"auto"`` stands for, by the shape of the data, and why it is not plain.

    `kernel_only` says why it has to be a kernel, or is empty. Where the paper's kernel is the plain
    choice there is nothing to tell.
    Results have no part in it: a choice that looked at them would have to be paid for in coverage.
    """
    fewest, d = int(np.bincount(data.codes).min()), data.points.columns.number
    many = f"there are {d} features, too many for a kernel"
    mixed = "the features are not complete numbers alone"
    reason = mixed if data.points.columns.encoded else many if d > KERNEL_FEATURES else ""
    if not reason:
        return "kernel", ""
    if fewest < AUTO_FEWEST:
        kernel_only = f"a label has {fewest} points, too few to learn from"
    name, why = (
        ("kernel", f"{kernel_only}, though {reason}") if kernel_only else ("learned", reason)
    )
    return name, f"The reference is '{name}', chosen by 'auto': {why}."


def check_features(points: Points, reference: Reference, distance: Any, bandwidth: Any) -> None:
    """Refuses a distance or bandwidths that do not fit the features."""
    if not points.columns.encoded:
        check_distance(distance, points.array)
        check_bandwidth(bandwidth, reference.bandwidth_size(points.columns.number))
        return
    for name, value in (("distance", distance), ("bandwidth", bandwidth)):
        if not isinstance(value, str) and not callable(value) and np.ndim(value) > 0:
            raise ValueError(
                f"{name}: found one value a feature for a table that is encoded, expected a rule: "
                "columns of numbers are not those of the table"
            )
    check_distance(distance, np.zeros((2, 3)))
    check_bandwidth(bandwidth, 1)
