"""Declares those methods of `RocEvaluation` that serve screens: numbers for a page, pictures."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, ClassVar, SupportsFloat, get_args

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats, numbers_of
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import one_of
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

from .at_alpha import AtAlpha, CalibratedCurve
from .band import OperatingPoint
from .decided import Decided
from .evaluated import Sources
from .more_rows import TIMES, MoreRows, more_rows
from .observed_curve import ObservedCurve
from .recalibrated import RecalibratedCurve
from .support import Support

#: The result of ``_repr_mimebundle_``: data by MIME type, and metadata by MIME type.
MimeBundle = tuple[dict[str, Any], dict[str, Any]]


class Displayed(Decided):
    """The methods of `RocEvaluation` for screens, and for pictures."""

    #: Returns the MIME bundle of an evaluation for a notebook. This folder may not import the
    #: widget, so ``conformal_roc_widget/__init__.py`` sets this function.
    mimebundle: ClassVar[Callable[[Any], MimeBundle | None] | None] = None
    #: Draws the picture of `plot`. ``conformal_roc_widget/__init__.py`` sets this function too.
    plotter: ClassVar[Callable[..., Any] | None] = None

    @property
    def calibrated_curve(self) -> CalibratedCurve:
        """The test points with the residuals from which limits are made."""
        return self._curve

    @property
    def sources(self) -> Sources:
        """What the evaluation can compute besides its band."""
        return self._sources

    @cached_property
    def is_simultaneous(self) -> bool:
        """Whether limits are for an ideal recalibration, at every threshold at once."""
        return isinstance(self._curve, RecalibratedCurve)

    @property
    def page_residuals(self) -> tuple[Floats, Floats]:
        """The residuals of label 0 and of label 1 for a page.

        If limits do not come from residuals, both arrays are empty.
        """
        if self.is_simultaneous:
            return np.empty(0), np.empty(0)
        zeros, ones = self.residuals.values()
        return zeros, ones

    @property
    def display_support(self) -> tuple[Support, bool]:
        """`support` for a screen, and whether only some of the test points were checked for it."""
        return self._diagnostics.display_support

    def at_each(self, alphas: Iterable[float]) -> Iterable[AtAlpha]:
        """All results at each of the `alphas`."""
        return self._curve.at_each(alphas)

    @property
    def observed_auc(self) -> float:
        """The area under the observed curve. Ties count half."""
        return self._observed.auc

    @property
    def sampled(self) -> ObservedCurve:
        """The observed curve, with this classifier's figures and their limits in the population."""
        return self._curve.observed

    def sampled_point(
        self, threshold: SupportsFloat, alpha: float = 0.05, looks: LooksName = "once"
    ) -> OperatingPoint | None:
        """Returns the operating point, with limits for this classifier's rates in the population.

        `operating_point` has conformal limits instead. If there are no limits for the population,
        as for a table of counts of weighted rows, returns None.
        """
        one_of(looks, "looks", get_args(LooksName))
        point = self.operating_point(threshold, alpha)
        settled = self._observed.settled_at(point.threshold)
        if settled is None:
            return None
        zeros, ones = ((float(low[0]), float(up[0])) for low, up in settled.rates(alpha, looks))
        exact = Guarantee(FOR_EACH_RATE, (SAME_SOURCE,))
        scope = FIXED_THRESHOLD if looks == "once" else SCOPES["fixed_threshold_any_look"]
        promise = sampling(scope, LARGE_SAMPLES if self.dependence else exact).at(alpha)
        return point.with_limits((zeros, ones), promise)

    def more_rows(
        self,
        rows: ArrayLike | None = None,
        *,
        goal: Mapping[str, float] | None = None,
        threshold: float | None = None,
        alpha: float = 0.05,
    ) -> MoreRows:
        """Computes the limits that more rows would give if all figures stayed as they are.

        For a rate, the counts in Clopper and Pearson's limits are multiplied. For the area,
        DeLong's variance is divided. Nothing is guaranteed, because new rows change the figures,
        usually within the present limits.

        Parameters
        ----------
        rows : array_like of shape (m,) or number, optional
            Total numbers of rows, above 0. By default that of the test set, and 2, 4, 8 and 16
            times as many.
        goal : mapping of one str to float, optional
            Name of a rate, as in `threshold_for`, and its smallest accepted value. By default the
            limits of the sensitivity are computed, but not the number of rows that a goal needs.
        threshold : float, optional
            Threshold, fixed beforehand. By default 0.5 or, if scores are not probabilities, their
            median.
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        MoreRows
            Limits at each number of rows, and the number of rows that the goal needs.

        Raises
        ------
        TypeError, ValueError
            If an argument is not of the form above, if test rows have weights, if several belong to
            one person, or if scores are known only as inexact counts of a table.
        """
        exact_alpha(alpha)
        if self.dependence or self.error:
            found = self.dependence or "rows of a table joined in bins"
            raise ValueError(
                f"more_rows: found {found}, expected rows that each count once and are independent"
            )
        ((rate, least),) = ({"sensitivity": None} if goal is None else goal_of(goal)).items()
        n = sum(self.n_test.values())
        if rows is None:
            rows = [n * t for t in TIMES]
        wanted = numbers_of([rows] if isinstance(rows, numbers.Real) else rows, "rows", 1)
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
        """Draws the ROC curve with its band on Matplotlib axes, as in the widget's pictures.

        Needs Matplotlib: ``pip install 'conformal_roc_widget[plot]'``.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on. By default those of a new figure, which has a title.
        alpha : float
            Significance level in (0, 1).
        band : {"sensitivity", "specificity", "both", "ideal", "sampling", "none"}, optional
            As in `ROCWidget`. By default ``"sensitivity"`` or, if the test rows themselves make the
            limits, ``"sampling"``: the bootstrap's.
        name : str, optional
            Name of the evaluation in the picture.
        threshold : float, optional
            Threshold of the operating point, as in `ROCWidget`.

        Returns
        -------
        object
            The picture, with `ax_`, `figure_` and `caption_` (numbers, target, scope and guarantee
            in words).

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
        """What a notebook shows for the evaluation: widget, picture and text, as a bundle."""
        show = type(self).mimebundle
        return None if show is None else show(self)
