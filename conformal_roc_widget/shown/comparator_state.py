"""State of the comparators for the evaluation on the screen: progress, then the band."""

from __future__ import annotations

from typing import NamedTuple

from conformal_roc_widget.comparators.comparator_band import ComparatorBand
from conformal_roc_widget.comparators.registry import Comparator
from conformal_roc_widget.promise import Promise

from .controls import Label


class Overlay(NamedTuple):
    """One comparator over one entry."""

    comparator: Comparator
    #: State of the work: "working", "done" or "failed".
    status: str = "working"
    #: How many of the comparator's steps are done.
    done: int = 0
    #: The band at the alpha that is set, once it is computed.
    band: ComparatorBand | None = None
    #: Why it failed.
    message: str | None = None
    #: Bands at other alphas, if they are wanted.
    stops: tuple[ComparatorBand, ...] | None = None
    #: Promise of its bands on these rows, with a place for the confidence, once it is done.
    promise: Promise | None = None
    #: Whether the user asked for it, so that it is drawn over the conformal band too.
    laid: bool = True


class Pair(NamedTuple):
    """Paired DeLong test of two classifiers: difference in AUC, its deviation, z and Holm's p.

    NaN if the test is impossible.
    """

    a: Label
    b: Label
    difference: float
    sd: float
    z: float
    p: float


class Overlaid(NamedTuple):
    """Everything that is laid over the entry `label` at one alpha."""

    label: Label
    alpha: float
    items: tuple[Overlay, ...] = ()
    pairs: tuple[Pair, ...] | None = None

    @property
    def laid(self) -> Overlaid:
        """The overlays without items that the user did not ask for."""
        return self._replace(items=tuple(item for item in self.items if item.laid))

    @property
    def bands(self) -> dict[str, ComparatorBand]:
        """Key -> band, for the comparators that are done."""
        return {item.comparator.key: item.band for item in self.items if item.band is not None}
