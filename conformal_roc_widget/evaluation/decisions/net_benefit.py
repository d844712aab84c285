"""Computes the net benefit at each threshold (Vickers and Elkin 2006), and its range."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from scipy.special import expit, logit

from conformal_roc_widget.arrays import Floats, Ints, frame_of
from conformal_roc_widget.evaluation.band import ConformalBand
from conformal_roc_widget.promise import Promise, PromisedArrays, for_both_labels
from conformal_roc_widget.text import counted
from conformal_roc_widget.words import words

if TYPE_CHECKING:
    import pandas as pd

Numbers = TypeVar("Numbers", float, Floats)
#: The thresholds of the score at which net benefit is computed by default.
DEFAULT_THRESHOLDS: Floats = np.arange(100) / 100


@dataclass(frozen=True, eq=False)
class NetBenefit(PromisedArrays):
    """The net benefit of acting on a classifier, at each threshold.

    The unit is true positives per person: ``tpr * prevalence - fpr * (1 - prevalence) * w``, where
    ``w = risk / (1 - risk)`` is the weight of a false positive relative to a miss. Each array has
    one value for each threshold, in the order given, and is read-only.

    Attributes
    ----------
    alpha : float
        Significance level.
    thresholds : ndarray of shape (m,)
        Thresholds of the score.
    risk : ndarray of shape (m,)
        The risk that each threshold stands for where the classifier is used. At the test set's
        prevalence it is the threshold itself. Otherwise its log-odds are shifted by the difference
        between the log-odds of both prevalences.
    net_benefit : ndarray of shape (m,)
        Net benefit of the classifier if rows that score ``>= threshold`` are predicted positive.
    net_benefit_lower, net_benefit_upper : ndarray of shape (m,)
        Smallest and largest net benefit within the limits of both rates.
    treat_all : ndarray of shape (m,)
        Net benefit of predicting everybody positive. That of predicting nobody positive is 0.
    prevalence : float
        Share of positives where the classifier is used.
    promise : Promise
        What the range covers, and with which confidence. `target`, `scope` and `guarantee` are its
        words.
    notes : tuple of str
        Sentences for users.
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
        """Returns the net benefit as a table, with one row for each threshold.

        Returns
        -------
        pandas.DataFrame
            Columns ``threshold``, ``risk``, ``net_benefit``, ``net_benefit_lower``,
            ``net_benefit_upper``, ``treat_all``; ``attrs`` hold ``alpha`` and ``prevalence``.
        """
        names = ("risk", "net_benefit", "net_benefit_lower", "net_benefit_upper", "treat_all")
        return frame_of(self, names, ("alpha", "prevalence"), threshold="thresholds")

    def __repr__(self) -> str:
        """Returns a short text with the lengths of the arrays instead of their values."""
        return f"NetBenefit(alpha={self.alpha:g}, {counted(self.thresholds.size, 'threshold')})"


def risk_of(thresholds: Floats, test_prevalence: float, prevalence: float) -> Floats:
    """Returns the risk that each score threshold stands for where the prevalence is `prevalence`.

    The score is taken to be the risk at the test set's prevalence.
    """
    if prevalence == test_prevalence:
        return thresholds.copy()
    return np.asarray(expit(logit(thresholds) + logit(prevalence) - logit(test_prevalence)))


def odds_of(thresholds: Floats, test_prevalence: float, prevalence: float) -> Floats:
    """Returns the odds of `risk_of`. They are finite even if the risk rounds to 1."""
    odds = thresholds / (1 - thresholds)
    if prevalence == test_prevalence:
        return odds
    return odds * prevalence * (1 - test_prevalence) / ((1 - prevalence) * test_prevalence)


def treat_all(odds: Numbers, prevalence: float) -> Numbers:
    """Net benefit of predicting everybody positive, if a false positive has the weight `odds`."""
    return prevalence - (1 - prevalence) * odds


def net_benefit_of(
    band: ConformalBand, order: Ints, test_prevalence: float, prevalence: float
) -> NetBenefit:
    """Computes the net benefit at the thresholds of a band, in the order of the indices `order`."""
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
