"""Net benefit over the threshold (Vickers and Elkin 2006), with the range that the band allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from scipy.special import expit, logit

from conformal_roc_widget.arrays import Floats, Ints, frame_of
from conformal_roc_widget.evaluation.band import ConformalBand
from conformal_roc_widget.promise import Promise, PromisedArrays, for_both_labels
from conformal_roc_widget.words import words

if TYPE_CHECKING:
    import pandas as pd

Numbers = TypeVar("Numbers", float, Floats)
#: Cuts of the score at which net benefit is read by default.
DEFAULT_THRESHOLDS: Floats = np.arange(100) / 100


@dataclass(frozen=True, eq=False)
class NetBenefit(PromisedArrays):
    """Net benefit of acting on a classifier, cut at each threshold.

    In units of true positives per person: ``tpr * prevalence - fpr * (1 - prevalence) * w``, where
    ``w = risk / (1 - risk)`` is the weight of a false alarm against a miss. Arrays have one entry a
    threshold, in the order in which the thresholds were given, and are read-only.

    Attributes
    ----------
    alpha : float
        Significance level.
    thresholds : ndarray of shape (m,)
        Cuts of the score.
    risk : ndarray of shape (m,)
        Risk at which each cut calls somebody positive, where the classifier is used: the cut itself
        at the test set's own prevalence, else moved by the difference of the log-odds of both.
    net_benefit : ndarray of shape (m,)
        Of the classifier, counting scores ``>= threshold``.
    net_benefit_lower, net_benefit_upper : ndarray of shape (m,)
        Smallest and largest that both labels' intervals allow.
    treat_all : ndarray of shape (m,)
        Net benefit of calling everybody positive; calling nobody positive has 0.
    prevalence : float
        Share of the positive class where the classifier is used.
    promise : Promise
        Of the range; `target`, `scope` and `guarantee` are its words.
    notes : tuple of str
        Plain sentences that a user should read.
    """

    alpha: float
    thresholds: Floats
    risk: Floats
    net_benefit: Floats
    net_benefit_lower: Floats
    net_benefit_upper: Floats
    treat_all: Floats
    prevalence: float
    promise: Promise
    notes: tuple[str, ...] = ()

    def to_frame(self) -> pd.DataFrame:
        """Net benefit as a table, one row a threshold.

        Returns
        -------
        pandas.DataFrame
            Columns ``threshold``, ``risk``, ``net_benefit``, ``net_benefit_lower``,
            ``net_benefit_upper``, ``treat_all``; ``attrs`` hold ``alpha`` and ``prevalence``.
        """
        names = ("risk", "net_benefit", "net_benefit_lower", "net_benefit_upper", "treat_all")
        return frame_of(self, names, ("alpha", "prevalence"), threshold="thresholds")

    def __repr__(self) -> str:
        """Short text: the arrays' length rather than their values."""
        return f"NetBenefit(alpha={self.alpha:g}, {self.thresholds.size} thresholds)"


def risk_of(thresholds: Floats, test_prevalence: float, prevalence: float) -> Floats:
    """Risk at each cut of the score, for a prevalence that may differ from the test set's."""
    if prevalence == test_prevalence:
        return thresholds.copy()
    return np.asarray(expit(logit(thresholds) + logit(prevalence) - logit(test_prevalence)))


def odds_of(thresholds: Floats, test_prevalence: float, prevalence: float) -> Floats:
    """Odds of the risk at each cut, finite also if the risk rounds to 1."""
    odds = thresholds / (1 - thresholds)
    if prevalence == test_prevalence:
        return odds
    return odds * prevalence * (1 - test_prevalence) / ((1 - prevalence) * test_prevalence)


def treat_all(odds: Numbers, prevalence: float) -> Numbers:
    """Net benefit of calling everybody positive, if a false alarm weighs `odds`."""
    return prevalence - (1 - prevalence) * odds


def net_benefit_of(
    band: ConformalBand, order: Ints, test_prevalence: float, prevalence: float
) -> NetBenefit:
    """Net benefit at the thresholds of a band, taken in a given order."""
    thresholds = band.thresholds[order]
    risk = risk_of(thresholds, test_prevalence, prevalence)
    odds = odds_of(thresholds, test_prevalence, prevalence)

    def benefit(tpr: Floats, fpr: Floats) -> Floats:
        return tpr[order] * prevalence - fpr[order] * (1 - prevalence) * odds

    return NetBenefit(
        alpha=band.alpha,
        thresholds=thresholds,
        risk=risk,
        net_benefit=benefit(band.tpr, band.fpr),
        net_benefit_lower=benefit(band.tpr_lower, band.fpr_upper),
        net_benefit_upper=benefit(band.tpr_upper, band.fpr_lower),
        treat_all=treat_all(odds, prevalence),
        prevalence=prevalence,
        promise=for_both_labels(
            band.promise, words("promise.net_benefit"), words("promise.test_points")
        ),
    )
