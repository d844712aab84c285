"""Holds the values of the widget's controls, such as sliders, band, view and goal."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple, get_args

from conformal_roc_widget.choices import BandName, GuaranteeName, LooksName, ViewName, WeightsName

#: The key of an evaluation, if there are several, in a form that JSON can hold. None stands for a
#: single evaluation, or for all evaluations together.
Label = str | int | float | bool | None


#: The labels whose rates have limits in each of these bands, in the order in which texts name them.
BANDS = {"sensitivity": (1,), "specificity": (0,), "both": (1, 0)}
#: The value of `band` for limits of the ideal model's own ROC curve. If several curves are shown,
#: "sensitivity" takes its place.
IDEAL: Final = "ideal"
#: The value of `band` for the first comparator's limits, which are for this classifier in the
#: population. If several curves are shown, "sensitivity" takes its place.
SAMPLING: Final = "sampling"
#: With these values of `band`, the page also shows limits of this classifier's figures in the
#: population.
WITH_OWN_LIMITS = (SAMPLING, *BANDS)
#: With this value of `band`, no limits are shown.
NO_BAND = "none"
#: All values of the trait `band`.
BAND_KINDS: tuple[BandName, ...] = get_args(BandName)


#: The views of one evaluation. If several evaluations are shown together, the view is always "roc".
VIEWS: tuple[ViewName, ...] = get_args(ViewName)


#: The defaults of the settings that only the page has. See `Controls.page`.
PAGE: dict[str, Any] = {
    "hidden": [],
    "arc": True,
    "alike": False,
    "sampling": "",
    "reveal": True,
}
#: The default goal: a rate and its smallest accepted value.
FIRST_GOAL: Mapping[str, float] = MappingProxyType({"sensitivity": 0.9})
#: What sentences call the rows by default.
ROWS = "rows"


class Controls(NamedTuple):
    """The values of all controls. On the page: ``js/src/wire/controls.ts``.

    The page can set each of them, and an HTML file contains all of them.
    """

    alpha: float = 0.05
    threshold: float = 0.5
    #: The limits that are shown, one of `BAND_KINDS`.
    band: BandName = "sensitivity"
    #: The key of the evaluation that is shown, if there are several. None if all are shown
    #: together.
    label: Label = None
    #: How the average weights the classes: "size" or "uniform".
    weights: WeightsName = "size"
    #: The view that is shown, one of `VIEWS`.
    view: ViewName = "roc"
    #: The prevalence where the classifier will be used. None for the prevalence of the test set.
    prevalence: float | None = None
    #: The cost of a miss divided by that of a false positive. None if the user set no costs.
    cost_ratio: float | None = None
    #: The guarantee of the limits. None if the shown evaluations have different ones.
    guarantee: GuaranteeName | None = None
    #: The settings that only the page knows, in the form in which it sends them. For example, which
    #: bands are hidden, and whether a band is drawn as an arc. None if the page sent none.
    page: dict[str, Any] | None = None
    #: The horizon. An event counts as label 1 if it happens by then. None if outcomes have no time.
    horizon: float | None = None
    #: Whether only the upper left corner of the ROC curve is shown.
    zoom: bool = False
    #: A rate and its smallest accepted value in the population. None if there is no goal.
    goal: Mapping[str, float] | None = dict(FIRST_GOAL)
    #: What sentences call the rows, in the plural, such as "patients".
    noun: str = ROWS
    #: Whether this classifier's limits hold at one look ("once"), or together at every look as rows
    #: arrive ("any").
    looks: LooksName = "once"

    @property
    def conceals(self) -> bool:
        """Whether limits and truth are hidden, because readers are to guess them first.

        The page's setting ``reveal`` is then false, and an HTML file contains neither limits nor
        truth.
        """
        return self.page is not None and not self.page.get("reveal", True)

    @property
    def seen(self) -> Controls:
        """The controls as pictures use them. If limits are hidden, only the ROC curve is shown."""
        return self._replace(band="none", view="roc") if self.conceals else self


def band_labels(band: Any) -> tuple[int, ...]:
    """Returns the labels whose rates have limits in the band `band`. An unknown band is refused."""
    if not isinstance(band, str) or band not in BAND_KINDS:
        expected = ", ".join(map(repr, BAND_KINDS))
        raise ValueError(f"band: found {band!r:.80}, expected one of {expected}")
    if band in (IDEAL, SAMPLING):
        return BANDS["sensitivity"]
    return () if band == NO_BAND else BANDS[band]
