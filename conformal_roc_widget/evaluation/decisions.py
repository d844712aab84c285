"""Questions of a decision, asked of an evaluation: precision, net benefit, who stays undecided."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logit

from conformal_roc_widget.arrays import Floats, Ints, numbers_of
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import number
from conformal_roc_widget.evaluation.at_alpha import AtAlpha
from conformal_roc_widget.evaluation.calibration_band import CalibrationBand, band_of_runs
from conformal_roc_widget.evaluation.ideal_curve import (
    DEFAULT_FPR,
    Candidates,
    IdealCurve,
    LabelledDraws,
)
from conformal_roc_widget.evaluation.net_benefit import (
    DEFAULT_THRESHOLDS,
    NetBenefit,
    net_benefit_of,
)
from conformal_roc_widget.evaluation.precision_recall import PrecisionRecall, precision_recall_of
from conformal_roc_widget.evaluation.score_runs import ScoreRuns
from conformal_roc_widget.evaluation.table_summary import TableSummary

if TYPE_CHECKING:
    from sklearn.model_selection import FixedThresholdClassifier


class Decisions:
    """Records that help to act on a classifier: precision, net benefit, the undecided."""

    #: Posterior draws at labelled points, made on first use; or why there are none.
    _ideal: Callable[[], LabelledDraws] | str
    #: Fitted classifier whose probabilities the scores are, or why there is none.
    _classifier: Any
    classes: tuple[Any, Any]
    scores: Floats
    labels: NDArray[np.int8]
    counts: Ints | None
    _summary: TableSummary | None

    @property
    def n_test(self) -> dict[int, int]:
        """Label -> number of test points."""
        raise NotImplementedError

    @property
    def masses(self) -> dict[int, int]:
        """Label -> what rates are shares of."""
        raise NotImplementedError

    @property
    def sample_weight(self) -> Floats | None:
        """Weights of the test points."""
        raise NotImplementedError

    def at(self, alpha: float) -> AtAlpha:
        """Everything at one significance level."""
        raise NotImplementedError

    @property
    def own_prevalence(self) -> float:
        """Share of the positive class in the test set."""
        return self.masses[1] / (self.masses[0] + self.masses[1])

    def precision_recall(
        self, alpha: float = 0.05, *, prevalence: float | None = None
    ) -> PrecisionRecall:
        """Precision and recall at every threshold, with the ranges that the intervals allow.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).
        prevalence : float, optional
            Share of the positive class where the classifier is used; by default the test set's.

        Returns
        -------
        PrecisionRecall
            One entry a threshold of the default band, descending.

        Raises
        ------
        TypeError, ValueError
            If `alpha` or `prevalence` is not a number in (0, 1).
        """
        return precision_recall_of(self.at(alpha).band(), self._prevalence(prevalence))

    def net_benefit(
        self,
        alpha: float = 0.05,
        prevalence: float | None = None,
        thresholds: ArrayLike | None = None,
    ) -> NetBenefit:
        """Net benefit of acting on the classifier (Vickers and Elkin 2006).

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).
        prevalence : float, optional
            Share of the positive class where the classifier is used; by default the test set's.
            With another one the score counts as calibrated at the test set's own, so that a cut at
            ``s`` is a cut of the risk at ``expit(logit s + logit prevalence - logit own)``.
        thresholds : array_like of shape (m,), optional
            Cuts of the score in [0, 1), kept in their order; by default every hundredth.

        Returns
        -------
        NetBenefit
            One entry a threshold.

        Raises
        ------
        TypeError, ValueError
            If `alpha` or `prevalence` is not a number in (0, 1), or a threshold not one in [0, 1).
        """
        cuts = DEFAULT_THRESHOLDS if thresholds is None else _cuts_of(thresholds)
        share = self._prevalence(prevalence)
        descending = np.argsort(-cuts, kind="stable")
        places = np.empty_like(descending)
        places[descending] = np.arange(cuts.size)
        return net_benefit_of(self.at(alpha).band(cuts), places, self.own_prevalence, share)

    def reliability(self, alpha: float = 0.05) -> CalibrationBand:
        """Bounds of ``P(y = 1 | score)`` from the test points, at every score at once.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1), of all bounds together.

        Returns
        -------
        CalibrationBand
            One entry a distinct score; see `calibration_band`. After `from_table`, scores that
            share a bin are one entry, from `score` to `ends`: bins do not look at labels.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1).
        """
        exact_alpha(alpha)
        if self.sample_weight is not None:
            raise ValueError(
                "reliability: found test rows with weights, expected none: the bounds count "
                "independent rows"
            )
        return band_of_runs(self.score_groups, alpha)

    @property
    def score_groups(self) -> ScoreRuns:
        """Test points by score, in groups that no label decides."""
        if (groups := self.__dict__.get("_score_groups")) is None:
            groups = self.__dict__["_score_groups"] = self._grouped_scores()
        return groups

    def _grouped_scores(self) -> ScoreRuns:
        if self._summary is None:
            return ScoreRuns.of(self.scores, self.labels == 1)
        lowest, highest, points, positives = self._summary.groups()
        return ScoreRuns(lowest, points, positives, ends=highest)

    def undecided(self, threshold: float, alpha: float = 0.05) -> NDArray[np.bool_]:
        """Test points whose interval holds the threshold: their call could be either.

        Of each label the share of such points is the width of the band at the threshold, where the
        evaluation's guarantee is that for each point.

        Parameters
        ----------
        threshold : float
            On the score.
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        ndarray of bool of shape (n_test,)
            In the order of the test set: the upper end lies above the threshold and the lower one
            does not, counted as the band counts them.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1), or the threshold is NaN or not a number.
        """
        return self.at(alpha).undecided(threshold)

    def to_classifier(self, threshold: float = 0.5) -> FixedThresholdClassifier:
        """The fitted classifier behind the scores, which calls at a threshold.

        Parameters
        ----------
        threshold : float
            On the score: probabilities of at least this are called positive.

        Returns
        -------
        sklearn.model_selection.FixedThresholdClassifier
            Its `predict` gives the labels of the data without another fit. A fit trains nothing: it
            holds the classifier as it was evaluated.

        Raises
        ------
        TypeError
            If the threshold is not a number.
        ValueError
            If the threshold is not finite, or no single classifier of two classes gave the scores:
            they came without one, from several splits, or were moved.
        """
        if isinstance(self._classifier, str):
            raise ValueError(f"to_classifier: the evaluation has no classifier: {self._classifier}")
        from sklearn.frozen import FrozenEstimator
        from sklearn.model_selection import FixedThresholdClassifier

        cut = number(threshold, "threshold", "a finite number", math.isfinite)
        by_probability = hasattr(self._classifier, "predict_proba")
        fitted = self._classifier
        return FixedThresholdClassifier(
            fitted if isinstance(fitted, FrozenEstimator) else FrozenEstimator(fitted),
            threshold=cut if by_probability else float(logit(cut)),
            pos_label=self.classes[1],
            response_method="predict_proba" if by_probability else "decision_function",
        )

    def rows_of(self, cell: str, threshold: float) -> Ints:
        """Positions of the test points in a cell of the confusion table: "tp", "fp", "tn", "fn"."""
        called = self.scores >= threshold
        is_called = called if cell[1] == "p" else ~called
        is_right = called == (self.labels == 1)
        return np.flatnonzero(is_called & (is_right if cell[0] == "t" else ~is_right))

    def ideal_curve(self, alpha: float = 0.05, fpr: ArrayLike | None = None) -> IdealCurve:
        """Credible band of the ideal model's own ROC curve, its area, and the gain that is left.

        Answers how much better any model could be on a test set like this one, from posterior draws
        of ``logit pi``. Candidates are sampled on the first call; a new `alpha` costs look-ups.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).
        fpr : array_like of shape (m,), optional
            False positive rates in [0, 1]; by default every hundredth.

        Returns
        -------
        IdealCurve
            Median and limits at each false positive rate, of the area and of the gain.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1), a rate is not one in [0, 1], or the evaluation's
            reference has no posterior draws.
        """
        exact_alpha(alpha)
        if self.no_ideal_curve:
            raise ValueError(f"ideal_curve: {self.no_ideal_curve}")
        if fpr is not None:
            rates = numbers_of(fpr, "fpr", ndim=1)
            if not rates.size or rates.min() < 0 or rates.max() > 1:
                found = f"values from {rates.min():g} to {rates.max():g}" if rates.size else "none"
                raise ValueError(f"fpr: found {found}, expected rates in [0, 1]")
            return self._candidates_at(rates).at(alpha)
        return self.ideal_candidates().at(alpha)

    @property
    def no_ideal_curve(self) -> str:
        """Why there is no band for the ideal model's curve; empty where there is one."""
        return self._ideal if isinstance(self._ideal, str) else ""

    def ideal_candidates(self) -> Candidates:
        """Candidates for the ideal model's curve at `DEFAULT_FPR`, sampled once."""
        if self.no_ideal_curve:
            raise ValueError(f"ideal_curve: {self.no_ideal_curve}")
        candidates: Candidates | None = self.__dict__.get("_candidates")
        if candidates is None:
            candidates = self.__dict__["_candidates"] = self._candidates_at(DEFAULT_FPR)
        return candidates

    @property
    def has_ideal_candidates(self) -> bool:
        """Whether they are sampled already."""
        return "_candidates" in self.__dict__

    def _candidates_at(self, fpr: Floats) -> Candidates:
        """Candidates for the ideal model's curve, the same ones at whichever rates."""
        assert not isinstance(self._ideal, str)
        return Candidates.of(self._ideal(), (self.n_test[0], self.n_test[1]), fpr)

    def _prevalence(self, prevalence: Any) -> float:
        """A share of positives, by default the test set's."""
        if prevalence is None:
            return self.own_prevalence
        expected = "a number between 0 and 1, or None for the test set's own"
        return number(prevalence, "prevalence", expected, lambda share: 0 < share < 1)


def _cuts_of(thresholds: ArrayLike) -> Floats:
    """Cuts at which a false alarm has a finite weight."""
    cuts = numbers_of(thresholds, "thresholds", ndim=1)
    if not cuts.size or cuts.min() < 0 or cuts.max() >= 1:
        found = f"values from {cuts.min():g} to {cuts.max():g}" if cuts.size else "none"
        raise ValueError(f"thresholds: found {found}, expected cuts of the score in [0, 1)")
    return cuts
