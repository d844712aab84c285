"""Holds the state of the comparators for the shown evaluation: progress, then bands.

A comparator is another method for a band of a ROC curve, such as the bootstrap.
"""

from __future__ import annotations

from typing import NamedTuple

from conformal_roc_widget.comparators.comparator_band import ComparatorBand
from conformal_roc_widget.comparators.registry import Comparator
from conformal_roc_widget.promise import Promise

from .controls import Label


class Overlay(NamedTuple):
    """The state of one comparator for one of the shown evaluations."""

    comparator: Comparator
    #: The state of the computation: "working", "done" or "failed".
    status: str = "working"
    #: The number of steps of the computation that are done.
    done: int = 0
    #: The comparator's band at the alpha that is shown. None until it is computed.
    band: ComparatorBand | None = None
    #: The error message if the comparator failed.
    message: str | None = None
    #: The bands at all further alphas of a page's slider. None if no page needs them.
    stops: tuple[ComparatorBand, ...] | None = None
    #: The guarantee of the bands on these rows, with a placeholder for the confidence. None until
    #: the comparator is done.
    promise: Promise | None = None
    #: Whether the user chose the comparator, so that its band is drawn over the conformal band.
    #: Otherwise it is computed only for the band "sampling".
    laid: bool = True


class Pair(NamedTuple):
    """DeLong's paired test of the classifiers `a` and `b`.

    It has the difference in AUC, its standard deviation, z, and the p-value, adjusted by Holm's
    method. If no test is possible, the last three are NaN.
    """

    a: Label
    b: Label
    difference: float
    sd: float
    z: float
    p: float


class Overlaid(NamedTuple):
    """The states of all comparators for the evaluation `label` at one alpha.

    `pairs` are tests of pairs of classifiers. If classifiers are not compared, it is None.
    """

    label: Label
    alpha: float
    items: tuple[Overlay, ...] = ()
    pairs: tuple[Pair, ...] | None = None

    @property
    def laid(self) -> Overlaid:
        """Returns the same states for only those comparators that the user chose."""
        return self._replace(items=tuple(item for item in self.items if item.laid))

    @property
    def bands(self) -> dict[str, ComparatorBand]:
        """The band of each finished comparator, by its key."""
        return {item.comparator.key: item.band for item in self.items if item.band is not None}
