"""Positions of the widget's controls: sliders, band, label, weights, view, use, and the page's."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple, get_args

from conformal_roc_widget.choices import BandName, GuaranteeName, LooksName, ViewName, WeightsName

#: Label of an entry as JSON carries it; None for a single evaluation, or for all entries together.
Label = str | int | float | bool | None


#: Band -> labels that it is for, in the order in which they are named.
BANDS = {"sensitivity": (1,), "specificity": (0,), "both": (1, 0)}
#: Band of the ideal model's own curve; several curves have the band for sensitivity instead.
IDEAL: Final = "ideal"
#: Band of the first comparator; several curves have the band for sensitivity instead.
SAMPLING: Final = "sampling"
#: Bands that come with the limits of this classifier in all rows like these.
WITH_OWN_LIMITS = (SAMPLING, *BANDS)
#: No band: a curve to guess from.
NO_BAND = "none"
#: All values of the trait `band`.
BAND_KINDS: tuple[BandName, ...] = get_args(BandName)


#: Views of one evaluation; several together are shown as ROC curves.
VIEWS: tuple[ViewName, ...] = get_args(ViewName)


#: Defaults of the choices that only the page has.
PAGE: dict[str, Any] = {
    "hidden": [],
    "arc": True,
    "alike": False,
    "sampling": "",
    "reveal": True,
}
#: The default goal: a rate, and its lowest value that is enough.
FIRST_GOAL: Mapping[str, float] = MappingProxyType({"sensitivity": 0.9})
#: The default name of the rows.
ROWS = "rows"


class Controls(NamedTuple):
    """Positions of all controls at one moment; the twin is ``js/src/wire/controls.ts``.

    The page may set each of them, and an HTML file holds them all.
    """

    alpha: float = 0.05
    threshold: float = 0.5
    #: One of `BAND_KINDS`.
    band: BandName = "sensitivity"
    #: The entry that is shown; None for all together.
    label: Label = None
    #: Weighting of the classes in the average: "size" or "uniform".
    weights: WeightsName = "size"
    #: One of `VIEWS`.
    view: ViewName = "roc"
    #: Prevalence where the classifier is used; None for the test set's own.
    prevalence: float | None = None
    #: Cost of a miss in false alarms; None if none is set.
    cost_ratio: float | None = None
    #: Guarantee of the limits; None if the evaluations on the screen differ in it.
    guarantee: GuaranteeName | None = None
    #: Choices that the page alone makes, in its own form: bands switched off, arc or band, where
    #: each of several classifiers is cut. None if there are no such choices.
    page: dict[str, Any] | None = None
    #: Time by which an event counts: one of the horizons; None if outcomes have no time.
    horizon: float | None = None
    #: The upper left corner of a ROC curve, in the place of the whole square.
    zoom: bool = False
    #: A rate and the least of it that is enough in the population; None if there is no goal.
    goal: Mapping[str, float] | None = dict(FIRST_GOAL)
    #: What the rows are called, in the plural.
    noun: str = ROWS
    #: Whether this classifier's limits hold at one look, or together at "any" as rows arrive.
    looks: LooksName = "once"

    @property
    def conceals(self) -> bool:
        """Whether a page is a curve to guess from, which holds neither truth nor limits."""
        return self.page is not None and not self.page.get("reveal", True)

    @property
    def seen(self) -> Controls:
        """The controls as a reader sees them: a curve to guess from has no band, and one view."""
        return self._replace(band="none", view="roc") if self.conceals else self


def band_labels(band: Any) -> tuple[int, ...]:
    """Labels that a band of this kind is for; an unknown kind is a ValueError."""
    if band in (IDEAL, SAMPLING):
        return BANDS["sensitivity"]
    if band == NO_BAND:
        return ()
    if not isinstance(band, str) or band not in BANDS:
        expected = ", ".join(map(repr, BAND_KINDS))
        raise ValueError(f"band: found {band!r}, expected one of {expected}")
    return BANDS[band]
