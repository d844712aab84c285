"""Methods for decisions: thresholds, their costs, the rows that they call."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, SupportsFloat, TypedDict, Unpack, get_args, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logit

from conformal_roc_widget.arrays import Floats, Ints, numbers_of
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import number, one_of
from conformal_roc_widget.choices import CellName
from conformal_roc_widget.evaluation.decisions.metrics import (
    Metrics,
    ObservedRates,
    at_least,
    least_cost,
)
from conformal_roc_widget.evaluation.decisions.net_benefit import (
    DEFAULT_THRESHOLDS,
    NetBenefit,
    net_benefit_of,
)
from conformal_roc_widget.evaluation.decisions.population_threshold import (
    RULES,
    PopulationThreshold,
    population_threshold,
)
from conformal_roc_widget.evaluation.decisions.youden import observed_youden

from .asked import Asked
from .estimate import SamplingInterval
from .figures import losses_at
from .notes import NO_RISKS

if TYPE_CHECKING:
    from sklearn.model_selection import FixedThresholdClassifier


#: Cells of the confusion table, and both that are wrong.
CELLS = get_args(CellName)


class Wishes(TypedDict, total=False):
    """The wishes of `RocEvaluation.threshold_for`, which explains each."""

    sensitivity: float | None
    specificity: float | None
    precision: float | None
    npv: float | None
    accuracy: float | None
    cost_ratio: float | None
    prevalence: float | None


class Decided(Asked):
    """Questions of a decision."""

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
            If `alpha` or `prevalence` is not a number in (0, 1), a threshold not one in [0, 1), or
            the scores are no probabilities.
        """
        self._refuse_unlabelled("net_benefit")
        self._refuse_no_risks("net_benefit")
        cuts = DEFAULT_THRESHOLDS if thresholds is None else _cuts_of(thresholds)
        share = self._prevalence(prevalence)
        # Index of each cut among the band's thresholds, which descend.
        places = np.argsort(np.argsort(-cuts, kind="stable"))
        found = net_benefit_of(self.at(alpha).band(cuts), places, self.own_prevalence, share)
        return replace(found, notes=(NO_RISKS,)) if self._sources.margins else found

    def metrics(
        self, threshold: SupportsFloat, alpha: float = 0.05, *, prevalence: float | None = None
    ) -> Metrics:
        """Predictive values, accuracy, F1, MCC and the like at a threshold, with their ranges.

        Parameters
        ----------
        threshold : float
            Scores of at least this are called positive.
        alpha : float
            Significance level in (0, 1).
        prevalence : float, optional
            Share of the positive class where the classifier is used; by default the test set's.

        Returns
        -------
        Metrics
            Name -> value, lower, upper: the ends that both labels' intervals allow.

        Raises
        ------
        TypeError, ValueError
            If `alpha` or `prevalence` is not a number in (0, 1), or the threshold is NaN or not a
            number.
        """
        self._refuse_unlabelled("metrics")
        return Metrics.of(self.operating_point(threshold, alpha), self._prevalence(prevalence))

    def losses(
        self, threshold: SupportsFloat = 0.5, alpha: float = 0.05
    ) -> Mapping[str, SamplingInterval]:
        """Accuracy, Brier score and log loss, with limits for this classifier's in the population.

        They are those of `comparators.accuracy_interval`, `brier_score_interval` and
        `log_loss_interval`, with the test set's weights and people.

        Parameters
        ----------
        threshold : float
            Scores of at least this are called positive; one fixed in advance.
        alpha : float
            Significance level in (0, 1), of each of the three.

        Returns
        -------
        dict of str to SamplingInterval
            ``"accuracy"``, ``"brier_score"``, ``"log_loss"``. Of margins the last two have a note:
            they are no risks.

        Raises
        ------
        TypeError, ValueError
            If an argument is not of the form above, the scores are no probabilities, a table was
            summarized, or rows that are known stand for others that were lost from sight.
        """
        exact_alpha(alpha)
        self._refuse_no_risks("losses")
        sampled, cut = self._observed, number(threshold, "threshold")
        if sampled.sample is None or sampled.no_losses:
            found = f"found {sampled.no_losses}, expected every test row with its label"
            raise ValueError(f"losses: {found}")
        return losses_at(sampled.sample, cut, alpha, (NO_RISKS,) if self._sources.margins else ())

    @overload
    def threshold_for(self, **wishes: Unpack[Wishes]) -> float: ...

    @overload
    def threshold_for(
        self, *, confidence: float, **wishes: Unpack[Wishes]
    ) -> PopulationThreshold: ...

    def threshold_for(
        self,
        *,
        sensitivity: float | None = None,
        specificity: float | None = None,
        precision: float | None = None,
        npv: float | None = None,
        accuracy: float | None = None,
        cost_ratio: float | None = None,
        prevalence: float | None = None,
        confidence: float | None = None,
    ) -> float | PopulationThreshold:
        """Threshold that a rule chooses on these test points, or one that holds in the population.

        Without `confidence` the rule is kept on these rows; report on others. With it, all wishes
        hold in the population with that confidence, for every sample size: thresholds are tested in
        an order that no label decides, each by an exact binomial tail, until one fails. Nothing is
        assumed of scores or labels but that more data come from the same source.

        Parameters
        ----------
        sensitivity, npv : float, optional
            Wanted, in [0, 1]: the highest threshold that has at least this. (`npv`: share of
            negatives among those who are not called positive.)
        specificity, precision : float, optional
            Wanted, in [0, 1]: the lowest threshold that has at least this.
        accuracy : float, optional
            Wanted, in [0, 1]: the most accurate threshold, if it has at least this.
        cost_ratio : float, optional
            False alarms that one miss costs, above 0: the threshold of least expected cost.
        prevalence : float, optional
            Share of the positive class where costs arise; by default the test set's.
        confidence : float, optional
            In (0, 1): probability that every wish holds in the population. Several wishes are then
            allowed, if all are rates; of the thresholds that keep them all, the one with the
            largest Youden's index here is taken.

        Returns
        -------
        float or PopulationThreshold
            Without `confidence` a score, or infinity where nobody is to be called positive; without
            a wish the highest threshold with the largest Youden's index. With `confidence` the
            threshold, which is None if none can promise it, and the most that can be promised.

        Raises
        ------
        TypeError, ValueError
            If an argument is not of the form above, there are two wishes without `confidence`, no
            threshold has the accuracy, or with `confidence` test rows have weights, several belong
            to one person, or a summary of a table is not exact.
        """
        given = {
            "sensitivity": sensitivity,
            "specificity": specificity,
            "precision": precision,
            "npv": npv,
            "accuracy": accuracy,
        }
        expected, in_unit = "a number from 0 to 1, 0.9 for 90 %", lambda rate: 0 <= rate <= 1
        rates = {
            name: number(rate, name, expected, in_unit)
            for name, rate in given.items()
            if rate is not None
        }
        others = {"cost_ratio": cost_ratio, "prevalence": prevalence}
        if confidence is not None:
            return self._population_threshold(rates, others, confidence)
        wishes = [*rates, *(["cost_ratio"] if cost_ratio is not None else [])]
        if len(wishes) > 1:
            raise ValueError(
                f"{', '.join(wishes)}: found {len(wishes)} rules, expected one, or rates with a "
                "confidence"
            )
        share, curve = self._prevalence(prevalence), ObservedRates(*self._observed.steps)
        for name, rate in rates.items():
            return at_least(curve, name, rate)
        if cost_ratio is not None:
            cost = number(
                cost_ratio, "cost_ratio", "a finite number above 0", lambda c: 0 < c < math.inf
            )
            return float(curve.thresholds[least_cost(curve, share, cost)])
        return observed_youden(curve.fp, curve.tp, curve.thresholds)[1]

    def _population_threshold(
        self, rates: Mapping[str, float], others: Mapping[str, Any], confidence: Any
    ) -> PopulationThreshold:
        """The threshold that keeps rates in the population, if these rows can tell."""
        expected = "a number between 0 and 1, 0.95 for 95 %"
        sure = number(confidence, "confidence", expected, lambda c: 0 < c < 1)
        for name, value in others.items():
            if value is not None:
                raise ValueError(
                    f"{name}: found {value!r:.80} with a confidence, expected None: what is "
                    "promised are rates where rows like these come from"
                )
        if not rates:
            raise ValueError(
                f"confidence: found {sure:g} without a wish, expected at least one of "
                f"{', '.join(RULES)}"
            )
        uncounted = self.dependence or (self.error and "rows of a table joined in bins")
        if uncounted:
            raise ValueError(
                f"confidence: found {uncounted}, expected rows that each count once and are "
                "independent: the tests are binomial"
            )
        return population_threshold(self._observed.score_groups, rates, sure)

    def undecided(self, threshold: SupportsFloat, alpha: float = 0.05) -> NDArray[np.bool_]:
        """Which test points could be called either way: `AtAlpha.undecided` at `alpha`."""
        return self.at(alpha).undecided(threshold)

    def to_classifier(self, threshold: SupportsFloat = 0.5) -> FixedThresholdClassifier:
        """The fitted classifier behind the scores, with a threshold of its own.

        Parameters
        ----------
        threshold : float or PopulationThreshold
            Scores of at least this are called positive. If it comes from `threshold_for` with a
            confidence, the classifier's text also says what it keeps in the population.

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
        fitted = self._sources.classifier
        if isinstance(fitted, str):
            raise ValueError(f"to_classifier: the evaluation has no classifier: {fitted}")
        from sklearn.frozen import FrozenEstimator
        from sklearn.model_selection import FixedThresholdClassifier

        kept = threshold if isinstance(threshold, PopulationThreshold) else None
        cut = number(threshold, "threshold", "a finite number", math.isfinite)
        by_probability = hasattr(fitted, "predict_proba")
        classifier = FixedThresholdClassifier(
            fitted if isinstance(fitted, FrozenEstimator) else FrozenEstimator(fitted),
            threshold=cut if by_probability else float(logit(cut)),
            pos_label=self.classes[1],
            response_method="predict_proba" if by_probability else "decision_function",
        )
        if kept is None:
            return classifier
        from conformal_roc_widget.evaluation.decisions.kept_classifier import (
            KeptThresholdClassifier,
        )

        return KeptThresholdClassifier.of(kept, classifier)

    def rows_of(self, cell: CellName, threshold: SupportsFloat) -> Ints:
        """Positions of the test points in a cell of the confusion table.

        Parameters
        ----------
        cell : {"tp", "fp", "tn", "fn", "wrong"}
            The cell; the last is both that are wrong.
        threshold : float
            Scores of at least this are called positive.

        Returns
        -------
        ndarray of int
            Positions in the test set, ascending.

        Raises
        ------
        TypeError, ValueError
            If the cell is none of these, or the threshold is no number.
        """
        self._refuse_unlabelled("rows_of")
        one_of(cell, "cell", CELLS)
        called = self.scores >= number(threshold, "threshold")
        chosen = called == (self.labels == 1)
        if cell != "wrong":
            is_called = called if cell[1] == "p" else ~called
            chosen = is_called & (chosen if cell[0] == "t" else ~chosen)
        rows = np.flatnonzero(~chosen if cell == "wrong" else chosen)
        follow_up = self._observed.follow_up
        return rows if follow_up is None else follow_up.known_rows[rows]


def _cuts_of(thresholds: ArrayLike) -> Floats:
    """Cuts in [0, 1), where a false alarm has a finite weight."""
    cuts = numbers_of(thresholds, "thresholds", ndim=1)
    if cuts.min() < 0 or cuts.max() >= 1:
        found = f"values from {cuts.min():g} to {cuts.max():g}"
        raise ValueError(f"thresholds: found {found}, expected cuts of the score in [0, 1)")
    return cuts
