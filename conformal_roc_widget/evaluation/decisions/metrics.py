"""Computes metrics at a threshold, such as predictive values, and chooses thresholds by a rule.

A metric is a function of both rates and of the share of positives where the classifier is used. A
new one needs an entry in `METRICS`, and one in the page's file
``js/src/evaluation/use_metrics.ts``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.evaluation.band import ConformalBand, Named, OperatingPoint
from conformal_roc_widget.promise import Promise, Promised, for_both_labels

if TYPE_CHECKING:
    import pandas as pd

#: A function of ``(tpr, fpr, prevalence)`` that returns a metric. If the metric is undefined, it
#: raises a ZeroDivisionError for numbers, and is NaN for arrays.
Formula = Callable[[float, float, float], float]


def _mcc(t: float, f: float, s: float) -> float:
    called = t * s + f * (1 - s)
    return (t - f) * math.sqrt(s * (1 - s)) / math.sqrt(called * (1 - called))


#: The formulas of the metrics by name. Each rises with the true positive rate and falls with the
#: false positive rate, or the other way round. So its smallest and its largest value are at the
#: ends of the rates' limits.
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
#: The metrics that fall as the true positive rate rises. All other metrics rise with it.
FALLING = {"likelihood_ratio_negative"}


class MetricRange(NamedTuple):
    """A metric, and its smallest and largest value within the limits of both rates.

    If the metric is undefined at the observed rates, `value` is NaN. If it is undefined at an end
    of its range, that end is NaN.
    """

    value: float
    lower: float
    upper: float


@dataclass(frozen=True, eq=False, repr=False)
class Metrics(Named[str, MetricRange], Promised):
    """Metrics of a classifier at one threshold by name, with their ranges within the limits.

    Attributes
    ----------
    point : OperatingPoint
        Counts and rates, with the limits from which the ranges are computed.
    prevalence : float
        Share of positives that predictive values, accuracy, F1 and MCC are for.
    promise : Promise
        What the ranges cover, and with which confidence. `target`, `scope` and `guarantee` are its
        words.
    """

    point: OperatingPoint
    prevalence: float
    promise: Promise
    _items: Mapping[str, MetricRange]

    @classmethod
    def of(cls, point: OperatingPoint, prevalence: float) -> Metrics:
        """Computes all `METRICS` at an operating point, for the share `prevalence` of positives."""
        promise = for_both_labels(point.promise, "figures", "this test set")
        ranges = {name: metric_range(name, point, prevalence) for name in METRICS}
        return cls(point, prevalence, promise, ranges)

    def __repr__(self) -> str:
        """Returns a short text with the threshold and the number of metrics."""
        return f"Metrics(threshold={self.point.threshold:g}, {len(self)} figures)"

    def to_frame(self) -> pd.DataFrame:
        """Returns the metrics as a table, with one row for each.

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
    """Computes the metric `name` at an operating point, and its range within the rates' limits."""

    def at(tpr: float, fpr: float) -> float:
        try:
            return METRICS[name](tpr, fpr, prevalence)
        except ZeroDivisionError:
            return math.nan

    ends = at(point.tpr_lower, point.fpr_upper), at(point.tpr_upper, point.fpr_lower)
    return MetricRange(at(point.tpr, point.fpr), *(ends[::-1] if name in FALLING else ends))


class ObservedRates(NamedTuple):
    """The vertices of an observed ROC curve: descending thresholds, and counts predicted positive.

    `fp` counts rows of label 0, and `tp` rows of label 1.
    """

    thresholds: Floats
    fp: Ints
    tp: Ints

    @property
    def fpr(self) -> Floats:
        """The false positive rate at each vertex."""
        return np.asarray(self.fp / self.fp[-1])

    @property
    def tpr(self) -> Floats:
        """The true positive rate at each vertex."""
        return np.asarray(self.tp / self.tp[-1])

    def rate(self, name: str, share: float | None = None) -> Floats:
        """Returns the rate `name` of `at_least` at each vertex. NaN if its denominator is 0.

        `share` is the share of positives that the rate is for. If it is None, it is that of the
        rows. The rate is then computed from integers, and so rounded only once.
        """
        if share is not None:
            formula: Callable[..., Any] = METRICS["ppv" if name == "precision" else name]
            return np.asarray(formula(self.tpr, self.fpr, share))
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
    """Returns the indices of the vertices that a threshold from 0 to 1 can reach.

    The first vertex has a threshold above all scores. If the next threshold is 1 or more, no
    threshold up to 1 is above all scores, and the first vertex is left out.
    """
    first = int(thresholds.size > 1 and thresholds[1] >= 1)
    return np.arange(first, thresholds.size)


#: Two expected costs count as equal if they differ by less than this share of the largest cost.
ROUNDING = 1e-12


def least_cost(curve: ConformalBand | ObservedRates, share: float, cost: float) -> int:
    """Returns the index of the vertex with the lowest expected cost.

    `share` is the share of positives. A miss costs as much as `cost` false positives. If several
    vertices cost the same, the one with the highest threshold is returned.
    """
    at = settable(curve.thresholds)
    costs = cost * share * (1 - curve.tpr[at]) + (1 - share) * curve.fpr[at]
    return int(at[np.argmax(costs <= costs.min() + ROUNDING * (1 + cost))])


def at_least(curve: ObservedRates, name: str, wanted: float, share: float | None = None) -> float:
    """Returns a threshold at which the rate `name` is at least `wanted` on the observed curve.

    `share` is the share of positives that the rate is for, by default that of the rows.
    Several thresholds may reach `wanted`. For the sensitivity and the negative predictive value,
    the highest one is returned. For the specificity and the precision it is the lowest one, and for
    the accuracy the most accurate one. Or no threshold may reach `wanted`. For the specificity and
    the precision, infinity is then returned, where nobody is predicted positive. For the negative
    predictive value it is the lowest score, where nobody is predicted negative. For the accuracy an
    error is raised.
    """
    at = settable(curve.thresholds)
    with np.errstate(invalid="ignore"):
        rates = curve.rate(name, share)[at]
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
