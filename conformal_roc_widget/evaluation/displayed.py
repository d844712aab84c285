"""The numbers of an evaluation for a screen, and the evaluation on the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, SupportsFloat

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats, Ints, numbers_of
from conformal_roc_widget.calibration.followed.known import FollowUp
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.choices import BandName, LooksName
from conformal_roc_widget.evaluation.decisions.population_threshold import RULES, goal_of
from conformal_roc_widget.promise import (
    FIXED_THRESHOLD,
    FOR_EACH_RATE,
    LARGE_SAMPLES,
    SAME_SOURCE,
    SCOPES,
    Guarantee,
    sampling,
)

from .at_alpha import Stop
from .band import OperatingPoint
from .decided import Decided
from .estimate import Estimate
from .more_rows import TIMES, MoreRows, more_rows
from .observed_curve import Vertices
from .recalibrated import RecalibratedCurve
from .sampled import Sampled
from .sorted_sample import SortedSample

#: Data and metadata by mime type.
MimeBundle = tuple[dict[str, Any], dict[str, Any]]


class Display(NamedTuple):
    """The numbers of an evaluation for a screen that no alpha changes; pairs are by label.

    Rates are shares of the `masses`, each of which weighs `unit`, of so many `rows`.
    `extrapolating` is the share of test points far from the data (`about` where it is read from
    some of them). `residuals` are empty if a recalibration bounds the limits without any
    (`simultaneous`). `centres` of the intervals are None if their ends are no shifts of them; in
    the order of the centres, each group of residuals serves so many test points as `group_sizes`
    say: one group all of them (`pooled`), or, where the sizes are None, each point has a group of
    its own. Where calibration rows do not count alike, quantiles are not `ranked`: no rank tells
    them. ``calibration="cross"`` may give twice as many residuals (`crossable`).
    """

    vertices: Vertices
    scores: tuple[SortedSample, SortedSample]
    auc: float
    area: Estimate | None
    masses: tuple[int, int]
    rows: tuple[int, int]
    unit: float
    n_calibration: dict[int, int]
    dependence: str
    follow_up: FollowUp | None
    any_size: bool
    single_points: bool
    rule: str
    counts_people: bool
    crossable: bool
    remade: bool
    margins: bool
    simultaneous: bool
    extrapolating: float
    about: bool
    simplified: bool
    centres: tuple[SortedSample, SortedSample] | None
    group_sizes: tuple[Ints, Ints] | None
    ranked: bool
    residuals: tuple[Floats, Floats]

    @property
    def pooled(self) -> bool:
        """Whether all test points of a label share one pair of quantiles."""
        return self.group_sizes is not None and all(sizes.size == 1 for sizes in self.group_sizes)


class Displayed(Decided):
    """An evaluation with its numbers for a screen or a picture."""

    #: Shows an evaluation in a notebook; the package sets it, since widgets lie above this folder.
    mimebundle: ClassVar[Callable[[Any], MimeBundle | None] | None] = None
    #: Draws for `plot`. The package sets it on import.
    plotter: ClassVar[Callable[..., Any] | None] = None

    @cached_property
    def display(self) -> Display:
        """The numbers for a screen that no alpha changes."""
        support, about = self._diagnostics.display_support
        curve, observed = self._curve, self._observed
        simultaneous = isinstance(curve, RecalibratedCurve)
        residuals, group_sizes = (np.empty(0), np.empty(0)), None
        if not simultaneous:
            zeros, ones = curve.residuals.values()
            residuals, group_sizes = (zeros, ones), curve.group_sizes
        return Display(
            vertices=observed.screen_vertices,
            scores=observed.sorted_scores,
            auc=observed.auc,
            area=observed.area,
            masses=observed.sizes,
            rows=observed.rows,
            unit=observed.unit,
            n_calibration=curve.n_calibration,
            dependence=observed.dependence,
            follow_up=observed.follow_up,
            any_size=observed.any_size,
            single_points=self.has_single_points,
            rule=curve.rule,
            counts_people=curve.counts_people,
            crossable=self._sources.crossable,
            remade=self._sources.remade,
            margins=self._sources.margins,
            simultaneous=simultaneous,
            extrapolating=support.share,
            about=about,
            simplified=observed.simplified,
            centres=None if group_sizes is None else curve.sorted_centres,
            group_sizes=group_sizes,
            ranked=not curve.weighted,
            residuals=residuals,
        )

    def stops(self, alphas: Iterable[float], *, shifts: bool = False) -> Iterable[Stop]:
        """Limits at several alphas, for a page that cannot compute them."""
        return self._curve.stops(alphas, shifts=shifts)

    @property
    def observed_auc(self) -> float:
        """Area under the observed curve, ties half."""
        return self._observed.auc

    @property
    def sampled(self) -> Sampled:
        """Figures of this classifier, with what their limits for more test data are made of."""
        return self._observed

    def sampled_point(
        self, threshold: SupportsFloat, alpha: float = 0.05, looks: LooksName = "once"
    ) -> OperatingPoint | None:
        """The operating point with the first question's limits: in all rows like these.

        None if nobody knows them: rows with weights are in a table.
        """
        point = self.operating_point(threshold, alpha)
        settled = self._observed.settled_at(point.threshold)
        if settled is None:
            return None
        zeros, ones = ((float(low[0]), float(up[0])) for low, up in settled.rates(alpha, looks))
        exact = Guarantee(FOR_EACH_RATE, (SAME_SOURCE,))
        scope = FIXED_THRESHOLD if looks == "once" else SCOPES["fixed_threshold_any_look"]
        promise = sampling(scope, LARGE_SAMPLES if self.dependence else exact).at(alpha)
        return point.with_limits((zeros, ones), promise)

    @property
    def display_vertices(self) -> Vertices:
        """The vertices of the observed curve that a screen can show."""
        return self._observed.screen_vertices

    @property
    def sorted_scores(self) -> tuple[SortedSample, SortedSample]:
        """Scores by label, ascending."""
        return self._observed.sorted_scores

    def more_rows(
        self,
        rows: ArrayLike | None = None,
        *,
        goal: Mapping[str, float] | None = None,
        threshold: float | None = None,
        alpha: float = 0.05,
    ) -> MoreRows:
        """Limits with more rows, if the figures of these rows stay as they are.

        Limits of a rate are Clopper and Pearson's with as many times the counts, and those of the
        area DeLong's with the variance divided by as much. Nothing is promised: with new rows the
        figures move, mostly within the limits of today.

        Parameters
        ----------
        rows : array_like of shape (m,) or number, optional
            Numbers of rows in all, above 0; by default those of the test set, and 2, 4, 8 and 16
            times as many.
        goal : mapping of one str to float, optional
            A rate of `threshold_for` and the least of it that is enough; by default the
            sensitivity, without a goal.
        threshold : float, optional
            Fixed beforehand; by default 0.5, or the middle of scores that are no probabilities.
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        MoreRows
            One entry a number of rows, and how many rows would do for the goal.

        Raises
        ------
        TypeError, ValueError
            If an argument is not of the form above, test rows have weights, several belong to one
            person, or a summary of a table is not exact.
        """
        exact_alpha(alpha)
        if self.dependence or self.error:
            found = self.dependence or "rows of a table joined in bins"
            raise ValueError(
                f"more_rows: found {found}, expected rows that each count once and are independent"
            )
        ((rate, least),) = ({"sensitivity": None} if goal is None else goal_of(goal)).items()
        n = sum(self.n_test.values())
        wanted = numbers_of(
            np.atleast_1d([n * t for t in TIMES] if rows is None else rows), "rows", 1
        )
        if (wanted <= 0).any():
            raise ValueError(f"rows: found {wanted.min():g}, expected numbers above 0")
        cut = self.threshold_of(threshold)
        counts = RULES[rate].of(self.operating_point(cut, alpha))
        return more_rows(
            *(counts, (self.observed_auc, self._observed.area), n, wanted),
            rate=rate,
            goal=least,
            threshold=cut,
            alpha=alpha,
        )

    def plot(
        self,
        ax: Any = None,
        alpha: float = 0.05,
        band: BandName | None = None,
        name: str | None = None,
        *,
        threshold: float | None = None,
    ) -> Any:
        """ROC curve with its band on Matplotlib axes, as the widget's pictures draw it.

        Needs Matplotlib: ``pip install 'conformal_roc_widget[plot]'``.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default on a new figure, which has a title.
        alpha : float
            Significance level in (0, 1).
        band : {"sensitivity", "specificity", "both", "ideal", "sampling", "none"}, optional
            As the widget's; by default ``"sensitivity"``, or ``"sampling"``, the bootstrap's, where
            the test rows make the limits themselves.
        name : str, optional
            What the evaluation is called.
        threshold : float, optional
            Of the operating point, as the widget's.

        Returns
        -------
        object
            With `ax_`, `figure_` and `caption_`: the numbers, target, scope and guarantee in words.

        Raises
        ------
        TypeError, ValueError
            If an argument is not of the form above.
        ImportError
            If Matplotlib is not installed.
        """
        exact_alpha(alpha)
        cut = self.threshold_of(threshold)
        draw = type(self).plotter
        assert draw is not None
        return draw(self, ax, alpha, band, cut, name)

    def _repr_mimebundle_(self, **_: Any) -> MimeBundle | None:
        """The widget, a picture and a text, at the end of a notebook's cell."""
        show = type(self).mimebundle
        return None if show is None else show(self)
