"""Declares those methods of `RocEvaluation` that take an alpha: rates, curves and areas."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, SupportsFloat

from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats, in_unit_range, numbers_of
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import number
from conformal_roc_widget.evaluation.decisions.precision_recall import (
    PrecisionRecall,
    precision_recall_of,
)
from conformal_roc_widget.evaluation.decisions.youden import YoudenRange
from conformal_roc_widget.reliability.calibration_band import CalibrationBand, band_of_runs

from .band import AucRange, ConformalBand, OperatingPoint, PointIntervals
from .estimate import SamplingInterval
from .evaluated import Evaluated
from .ideal_curve import DEFAULT_FPR, Candidates, IdealCurve
from .notes import NO_RISKS


class Asked(Evaluated):
    """The methods of `RocEvaluation` for rates, curves and areas at an alpha."""

    def band(self, alpha: float = 0.05, thresholds: ArrayLike | None = None) -> ConformalBand:
        """Returns the ROC curve with conformal limits: `AtAlpha.band` at `alpha`."""
        return self.at(alpha).band(thresholds)

    def intervals(self, alpha: float = 0.05) -> PointIntervals:
        """Returns the interval of every test point: `AtAlpha.intervals` at `alpha`."""
        return self.at(alpha).intervals()

    def operating_point(self, threshold: SupportsFloat, alpha: float = 0.05) -> OperatingPoint:
        """Returns counts, rates and limits at a threshold: `AtAlpha.operating_point` at `alpha`."""
        return self.at(alpha).operating_point(threshold)

    def auc(self, alpha: float = 0.05) -> SamplingInterval:
        """Returns the area under the curve and its limits: `AtAlpha.auc` at `alpha`."""
        return self.at(alpha).auc()

    def ideal_auc_range(self, alpha: float = 0.05) -> AucRange:
        """Returns the range of the ideal model's area: `AtAlpha.ideal_auc_range` at `alpha`."""
        return self.at(alpha).ideal_auc_range()

    def youden(self, alpha: float = 0.05) -> YoudenRange:
        """Youden's index of the observed curve, and its range: `AtAlpha.youden` at `alpha`."""
        return self.at(alpha).youden()

    @property
    def own_prevalence(self) -> float:
        """Share of positives in the test set or, with weights, in the sum of the weights."""
        return self.masses[1] / (self.masses[0] + self.masses[1])

    def precision_recall(
        self, alpha: float = 0.05, *, prevalence: float | None = None
    ) -> PrecisionRecall:
        """Returns precision and recall at each threshold, with ranges from both rates' limits.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).
        prevalence : float, optional
            Share of positives where the classifier is used. By default that of the test set.

        Returns
        -------
        PrecisionRecall
            Each array has one value for each threshold of the default band, descending.

        Raises
        ------
        TypeError, ValueError
            If `alpha` or `prevalence` is not a number in (0, 1).
        """
        self._refuse_unlabelled("precision_recall")
        return precision_recall_of(self.at(alpha).band(), self._prevalence(prevalence))

    def reliability(self, alpha: float = 0.05) -> CalibrationBand:
        """Computes bounds of ``P(y = 1 | score)`` from the test points, at every score at once.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1), for all bounds together.

        Returns
        -------
        CalibrationBand
            Each array has one value for each distinct score. See `calibration_band`. After
            `from_table`, all scores in a bin are one entry, from `score` to `ends`. Bins do not
            depend on labels.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1), if the scores are not probabilities, or if test
            rows have weights or several belong to one person.
        """
        exact_alpha(alpha)
        self._refuse_no_risks("reliability")
        if self.dependence:
            raise ValueError(
                f"reliability: found {self.dependence}, expected none: the bounds count "
                "independent rows"
            )
        found = band_of_runs(self._observed.score_groups, alpha)
        return replace(found, notes=(*found.notes, NO_RISKS)) if self._sources.margins else found

    def ideal_curve(self, alpha: float = 0.05, fpr: ArrayLike | None = None) -> IdealCurve:
        """Computes a credible band of the ideal model's own ROC curve, its area, and the gain.

        The band shows how much better any model could be on a test set like this one, and comes
        from posterior draws of ``logit pi``. Candidates for the curve are sampled in the first
        call, and used again at every other alpha.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).
        fpr : array_like of shape (m,), optional
            False positive rates in [0, 1]. By default 0, 0.01, ..., 1.

        Returns
        -------
        IdealCurve
            Median and limits at each false positive rate, and those of the area and of the gain.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1), if a rate is not in [0, 1], or if the evaluation's
            reference has no posterior draws.
        """
        exact_alpha(alpha)
        if fpr is None:
            return self.ideal_candidates.at(alpha)
        rates = numbers_of(fpr, "fpr", ndim=1)
        return self._candidates_at(in_unit_range(rates, "fpr", "rates in [0, 1]")).at(alpha)

    @cached_property
    def ideal_candidates(self) -> Candidates:
        """Candidates for the ideal model's ROC curve at `DEFAULT_FPR`, sampled on first use."""
        return self._candidates_at(DEFAULT_FPR)

    @property
    def has_ideal_candidates(self) -> bool:
        """Whether `ideal_candidates` have been sampled."""
        return "ideal_candidates" in self.__dict__

    def _candidates_at(self, fpr: Floats) -> Candidates:
        """Returns candidates for the ideal model's ROC curve at the false positive rates `fpr`.

        The seed is fixed, so every call draws the same samples.
        """
        if isinstance(self._sources.ideal, str) or self.no_ideal_curve:
            raise ValueError(f"ideal_curve: {self.no_ideal_curve}")
        return Candidates.of(self._sources.ideal(), self._observed.rows, fpr)

    def _prevalence(self, prevalence: Any) -> float:
        """Checks the argument `prevalence`. If it is None, returns that of the test set."""
        if prevalence is None:
            return self.own_prevalence
        expected = "a number between 0 and 1, or None for the test set's own"
        return number(prevalence, "prevalence", expected, lambda share: 0 < share < 1)
