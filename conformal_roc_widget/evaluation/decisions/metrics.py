"""Figures of a classifier that is cut at a threshold, and rules that choose one: each in one list.

A figure is a function of both rates and of the share of positives where the classifier is used. A
new one is one more entry of `METRICS`, and of its twin, ``js/src/evaluation/use_metrics.ts``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.evaluation.band import ConformalBand, Named, OperatingPoint
from conformal_roc_widget.promise import Promise, Promised, for_both_labels

if TYPE_CHECKING:
    import pandas as pd

#: ``(tpr, fpr, prevalence)`` -> figure; a ZeroDivisionError where it is undefined.
Formula = Callable[[float, float, float], float]


def _mcc(t: float, f: float, s: float) -> float:
    called = t * s + f * (1 - s)
    return (t - f) * math.sqrt(s * (1 - s)) / math.sqrt(called * (1 - called))


#: Name -> formula. Every one rises with the true positive rate and falls with the false positive
#: rate, or the reverse, so that its ends over both intervals lie at two of their corners.
METRICS: dict[str, Formula] = {
    "sensitivity": lambda t, f, s: t,
    "specificity": lambda t, f, s: 1 - f,
    "ppv": lambda t, f, s: t * s / (t * s + f * (1 - s)),
    "npv": lambda t, f, s: (1 - f) * (1 - s) / ((1 - f) * (1 - s) + (1 - t) * s),
    "accuracy": lambda t, f, s: t * s + (1 - f) * (1 - s),
    "balanced_accuracy": lambda t, f, s: (t + 1 - f) / 2,
    "f1": lambda t, f, s: 2 * t * s / (t * s + f * (1 - s) + s),
    "mcc": _mcc,
    "youden": lambda t, f, s: t - f,
    "likelihood_ratio_positive": lambda t, f, s: t / f,
    "likelihood_ratio_negative": lambda t, f, s: (1 - t) / (1 - f),
}
#: The figures that fall as the true positive rate rises.
FALLING = {"likelihood_ratio_negative"}


class MetricRange(NamedTuple):
    """A figure, and its smallest and largest value within both labels' intervals.

    NaN where it is undefined: all three, or the end at a corner where it is.
    """

    value: float
    lower: float
    upper: float


@dataclass(frozen=True, eq=False, repr=False)
class Metrics(Named[str, MetricRange], Promised):
    """Figures of a classifier at one threshold, by name, with the ranges that the band allows.

    Attributes
    ----------
    point : OperatingPoint
        Counts and rates, with the limits from which the ranges come.
    prevalence : float
        Share of the positive class for which predictive values, accuracy, F1 and MCC hold.
    promise : Promise
        Of the ranges; `target`, `scope` and `guarantee` are its words.
    """

    point: OperatingPoint
    prevalence: float
    promise: Promise
    _items: Mapping[str, MetricRange]

    @classmethod
    def of(cls, point: OperatingPoint, prevalence: float) -> Metrics:
        """Every figure of `METRICS` at a point, for a share of positives."""
        promise = for_both_labels(point.promise, "figures", "this test set")
        ranges = {name: metric_range(name, point, prevalence) for name in METRICS}
        return cls(point, prevalence, promise, ranges)

    def __repr__(self) -> str:
        """Short text: the threshold, and the number of figures."""
        return f"Metrics(threshold={self.point.threshold:g}, {len(self)} figures)"

    def to_frame(self) -> pd.DataFrame:
        """Figures as a table, one row each.

        Returns
        -------
        pandas.DataFrame
            Columns ``value``, ``lower``, ``upper``, by name; ``attrs`` hold ``threshold``,
            ``alpha``, ``prevalence``, ``target``, ``scope`` and ``guarantee``.
        """
        import pandas as pd

        frame = pd.DataFrame.from_dict(dict(self), orient="index", columns=MetricRange._fields)
        frame.attrs |= {"threshold": self.point.threshold, "alpha": self.point.alpha}
        frame.attrs["prevalence"] = self.prevalence
        frame.attrs.update(self.promise.words)
        return frame


def metric_range(name: str, point: OperatingPoint, prevalence: float) -> MetricRange:
    """One figure of `METRICS` at a point, with its range."""

    def at(tpr: float, fpr: float) -> float:
        try:
            return METRICS[name](tpr, fpr, prevalence)
        except ZeroDivisionError:
            return math.nan

    ends = at(point.tpr_lower, point.fpr_upper), at(point.tpr_upper, point.fpr_lower)
    return MetricRange(at(point.tpr, point.fpr), *(ends[::-1] if name in FALLING else ends))


class ObservedRates(NamedTuple):
    """Vertices of an observed curve, by falling thresholds, with counts of both labels there."""

    thresholds: Floats
    fp: Ints
    tp: Ints

    @property
    def fpr(self) -> Floats:
        """False positive rates."""
        return np.asarray(self.fp / self.fp[-1])

    @property
    def tpr(self) -> Floats:
        """True positive rates."""
        return np.asarray(self.tp / self.tp[-1])

    def rate(self, name: str) -> Floats:
        """A rate that can be wished for, rounded once; NaN if it is a share of nobody."""
        tn, fn = self.fp[-1] - self.fp, self.tp[-1] - self.tp
        good, of = {
            "sensitivity": (self.tp, self.tp[-1]),
            "specificity": (tn, self.fp[-1]),
            "precision": (self.tp, self.tp + self.fp),
            "npv": (tn, tn + fn),
            "accuracy": (self.tp + tn, self.tp[-1] + self.fp[-1]),
        }[name]
        return np.asarray(good / of)


def settable(thresholds: Floats) -> Ints:
    """Vertices whose thresholds a user can set, from 0 to 1.

    The first vertex lies above every score. If the next one is at 1 or above, no threshold in
    between can be set, and the first is left out.
    """
    first = int(thresholds.size > 1 and thresholds[1] >= 1)
    return np.arange(first, thresholds.size)


#: Costs that differ by less than this share of the largest are equal.
ROUNDING = 1e-12


def least_cost(curve: ConformalBand | ObservedRates, share: float, cost: float) -> int:
    """Vertex of least expected cost, if `share` is positive and a miss costs `cost` false alarms.

    If several have the same cost, that of the highest threshold.
    """
    at = settable(curve.thresholds)
    costs = cost * share * (1 - curve.tpr[at]) + (1 - share) * curve.fpr[at]
    return int(at[np.argmax(costs <= costs.min() + ROUNDING * (1 + cost))])


def at_least(curve: ObservedRates, name: str, wanted: float) -> float:
    """Threshold of a rate that is at least the wanted one.

    Of several the highest one for the sensitivity and the negative predictive value, the lowest one
    for the specificity and the precision, and for the accuracy the most accurate one.

    If no threshold has it: infinity for the specificity and the precision, since nobody is then
    called positive, and the lowest score for the negative predictive value, since nobody is then
    called negative. An accuracy that no threshold has is refused.
    """
    at = settable(curve.thresholds)
    with np.errstate(invalid="ignore"):
        rates = curve.rate(name)[at]
    if name == "accuracy":
        best = int(np.argmax(rates))
        if rates[best] < wanted:
            raise ValueError(
                f"accuracy: found {wanted:g}, expected at most {rates[best]:.4g}, the largest on "
                "these rows"
            )
        return float(curve.thresholds[at[best]])
    kept = at[rates >= wanted]
    highest = name in ("sensitivity", "npv")
    if kept.size:
        return float(curve.thresholds[kept[0 if highest else -1]])
    return float(curve.thresholds[-1]) if highest else math.inf
