"""Declares those methods of `RocEvaluation` that are about decisions at a threshold.

They choose a threshold, compute net benefit, metrics and losses there, and list the rows in a cell
of the confusion matrix.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, SupportsFloat, TypedDict, Unpack, get_args, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

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


#: The cells "tp", "fp", "tn" and "fn" of the confusion matrix, and "wrong" for "fp" and "fn"
#: together.
CELLS = get_args(CellName)


class Wishes(TypedDict, total=False):
    """The arguments of `RocEvaluation.threshold_for` that name a rate to keep, or a cost."""

    sensitivity: float | None
    specificity: float | None
    precision: float | None
    npv: float | None
    accuracy: float | None
    cost_ratio: float | None
    prevalence: float | None


class SureWishes(Wishes, total=False):
    """The `Wishes` with the probability that they hold in the population."""

    confidence: float | None


class Decided(Asked):
    """The methods of `RocEvaluation` that are about decisions at a threshold."""

    def net_benefit(
        self,
        alpha: float = 0.05,
        prevalence: float | None = None,
        thresholds: ArrayLike | None = None,
    ) -> NetBenefit:
        """Computes the net benefit of acting on the classifier (Vickers and Elkin 2006).

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).
        prevalence : float, optional
            Share of positives where the classifier is used. By default that of the test set. If it
            differs, the score is taken to be the risk at the test set's prevalence. So the
            threshold ``s`` of the score stands for the risk ``expit(logit s + logit prevalence -
            logit own)``.
        thresholds : array_like of shape (m,), optional
            Thresholds of the score in [0, 1), in any order. By default every hundredth.

        Returns
        -------
        NetBenefit
            Each array has one value for each threshold, in the given order.

        Raises
        ------
        TypeError, ValueError
            If `alpha` or `prevalence` is not a number in (0, 1), if a threshold is not in [0, 1),
            or if the scores are not probabilities.
        """
        self._refuse_unlabelled("net_benefit")
        self._refuse_no_risks("net_benefit")
        cuts = DEFAULT_THRESHOLDS if thresholds is None else _cuts_of(thresholds)
        share = self._prevalence(prevalence)
        # The band sorts its thresholds in descending order. For each given threshold, `places` has
        # its index in the band.
        places = np.argsort(np.argsort(-cuts, kind="stable"))
        found = net_benefit_of(self.at(alpha).band(cuts), places, self.own_prevalence, share)
        return replace(found, notes=(NO_RISKS,)) if self._sources.margins else found

    def metrics(
        self, threshold: SupportsFloat, alpha: float = 0.05, *, prevalence: float | None = None
    ) -> Metrics:
        """Computes metrics such as predictive values, F1 and MCC at a threshold, with ranges.

        Parameters
        ----------
        threshold : float
            Rows that score at least this are predicted positive.
        alpha : float
            Significance level in (0, 1).
        prevalence : float, optional
            Share of positives where the classifier is used. By default that of the test set.

        Returns
        -------
        Metrics
            By name: the value, and its smallest and largest value within the limits of both rates.

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
        """Computes accuracy, Brier score and log loss of this classifier, with limits.

        The limits are for the population, as in `comparators.accuracy_interval`,
        `brier_score_interval` and `log_loss_interval`, with the weights and people of the test set.

        Parameters
        ----------
        threshold : float
            Rows that score at least this are predicted positive. It must be fixed in advance.
        alpha : float
            Significance level in (0, 1), for each of the three figures.

        Returns
        -------
        dict of str to SamplingInterval
            ``"accuracy"``, ``"brier_score"``, ``"log_loss"``. If scores are margins, the last two
            have a note, because margins are not risks.

        Raises
        ------
        TypeError, ValueError
            If an argument is not of the form above, if the scores are not probabilities, if they
            are known only as counts of a table, or if rows are weighted to stand for rows that were
            lost to follow-up.
        """
        exact_alpha(alpha)
        self._refuse_no_risks("losses")
        sampled, cut = self._observed, self._observed.cut(threshold)
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
        """Chooses a threshold by a rule on these test points, or one that holds in the population.

        Without `confidence`, the rule holds on these test points, so the rates at the threshold
        must be measured on other rows. With `confidence`, all wanted rates hold in the population
        with this confidence, for every sample size: thresholds are tested in an order that does not
        depend on labels, each by an exact binomial test, until one fails. The only assumption is
        that more data come from the same source.

        Parameters
        ----------
        sensitivity, npv : float, optional
            Wanted rate in [0, 1]. The threshold is the highest one with at least this rate. `npv`
            is the share of negatives among the rows predicted negative.
        specificity, precision : float, optional
            Wanted rate in [0, 1]. The threshold is the lowest one with at least this rate.
        accuracy : float, optional
            Wanted accuracy in [0, 1]. The threshold is the most accurate one, if it has at least
            this accuracy.
        cost_ratio : float, optional
            Cost of a miss divided by that of a false positive, above 0. The threshold is the one
            with the lowest expected cost.
        prevalence : float, optional
            Share of positives where costs arise, and for which the precision, `npv` and accuracy
            are wanted. By default that of the test set.
        confidence : float, optional
            Probability in (0, 1) that all wanted rates hold in the population. Several rates can
            then be given. If several thresholds keep all of them, the one with the largest Youden's
            index on these test points is returned.

        Returns
        -------
        float or PopulationThreshold
            Without `confidence`, a score, or infinity if nobody is to be predicted positive. If no
            rate and no cost are given, it is the highest threshold with the largest Youden's index.
            With `confidence`, the threshold (None if there is no guaranteed one) and the largest
            rates that can be guaranteed.

        Raises
        ------
        TypeError, ValueError
            If an argument is not of the form above, if two rates or costs are given without
            `confidence`, or if no threshold has the accuracy. With `confidence`, if test rows have
            weights, if several belong to one person, or if scores are known only as inexact counts
            of a table.
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
        named = self._observed.named
        for name, rate in rates.items():
            return named(at_least(curve, name, rate, None if prevalence is None else share))
        if cost_ratio is not None:
            cost = number(
                cost_ratio, "cost_ratio", "a finite number above 0", lambda c: 0 < c < math.inf
            )
            return named(float(curve.thresholds[least_cost(curve, share, cost)]))
        return named(observed_youden(curve.fp, curve.tp, curve.thresholds)[1])

    def _population_threshold(
        self, rates: Mapping[str, float], others: Mapping[str, Any], confidence: Any
    ) -> PopulationThreshold:
        """Finds the threshold that keeps `rates` in the population with a confidence.

        `rates` has the wanted value of each rate by its name. `others` are arguments that must be
        None.
        """
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
                f"confidence: found {sure:g} without a rate, expected at least one of "
                f"{', '.join(RULES)}"
            )
        uncounted = self.dependence or (self.error and "rows of a table joined in bins")
        if uncounted:
            raise ValueError(
                f"confidence: found {uncounted}, expected rows that each count once and are "
                "independent: the tests are binomial"
            )
        observed = self._observed
        found = population_threshold(observed.score_groups, rates, sure, observed.any_size)
        return found if not found else replace(found, threshold=self._observed.named(float(found)))

    def undecided(self, threshold: SupportsFloat, alpha: float = 0.05) -> NDArray[np.bool_]:
        """Finds the test points whose interval contains the threshold: `AtAlpha.undecided`."""
        return self.at(alpha).undecided(threshold)

    def to_classifier(self, threshold: SupportsFloat = 0.5) -> FixedThresholdClassifier:
        """Returns the classifier that gave the scores, with a new threshold. It stays fitted.

        Parameters
        ----------
        threshold : float or PopulationThreshold
            Rows that score at least this are predicted positive. If it comes from `threshold_for`
            with a confidence, the classifier's text also says what is guaranteed in the population.

        Returns
        -------
        sklearn.model_selection.FixedThresholdClassifier
            The classifier. Its `predict` returns the labels of the data, and needs no fit. Its
            `fit` trains nothing, because it contains the classifier as it was evaluated.

        Raises
        ------
        TypeError
            If the threshold is not a number.
        ValueError
            If the threshold is not finite, or if the scores do not come from a single classifier of
            two classes: they were given as scores, come from several splits, or were recentred.
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
            # If the classifier has no `predict_proba`, scikit-learn compares decision values with
            # the threshold. So the threshold is given as a decision value, the logit of the score
            # `cut`.
            threshold=cut if by_probability else float(self._observed.at_one(cut).logits[0]),
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
        """Returns the positions of the test points in a cell of the confusion matrix.

        Parameters
        ----------
        cell : {"tp", "fp", "tn", "fn", "wrong"}
            The cell. ``"wrong"`` is both cells of wrong predictions.
        threshold : float
            Rows that score at least this are predicted positive.

        Returns
        -------
        ndarray of int
            Positions in the test set in ascending order.

        Raises
        ------
        TypeError, ValueError
            If the cell is not one of these, or if the threshold is not a number.
        """
        self._refuse_unlabelled("rows_of")
        one_of(cell, "cell", CELLS)
        called = self.scores >= self._observed.cut(threshold)
        chosen = called == (self.labels == 1)
        if cell != "wrong":
            is_called = called if cell[1] == "p" else ~called
            chosen = is_called & (chosen if cell[0] == "t" else ~chosen)
        rows = np.flatnonzero(~chosen if cell == "wrong" else chosen)
        follow_up = self._observed.follow_up
        return rows if follow_up is None else follow_up.known_rows[rows]


def _cuts_of(thresholds: ArrayLike) -> Floats:
    """`thresholds` as floats in [0, 1). At 1 a false positive would weigh infinitely much."""
    cuts = numbers_of(thresholds, "thresholds", ndim=1)
    if cuts.min() < 0 or cuts.max() >= 1:
        found = f"values from {cuts.min():g} to {cuts.max():g}"
        raise ValueError(f"thresholds: found {found}, expected cuts of the score in [0, 1)")
    return cuts
