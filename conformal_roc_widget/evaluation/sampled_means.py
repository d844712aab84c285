"""Means of numbers from 0 to 1 with more test data: the classes' mean rates, average precision.

Such a mean varies as little as the share of some number of rows that count alike would, and the
exact limits of that share are the mean's (Korn and Graubard 1998, for shares in surveys). So limits
stay within 0 and 1, are wide where rows are few, and are those of Clopper and Pearson where one
rate of rows that count alike is looked at. Its twin is js/src/evaluation/sampled_means.ts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.evaluation.mean_area import Rows, are_of_the_same_rows
from conformal_roc_widget.reliability.binomial_limits import exact_limits
from conformal_roc_widget.tables.calibration_rows import effective_n

#: Thresholds at which a mean of rates knows its rows; between two of them rows go straight.
THRESHOLDS = np.arange(101) / 100
#: Of more rows than this, where each is one person, as many at even steps tell how classes vary.
MOST_ROWS = 20_000
#: A variance below this is one of rounding.
ROUNDED = 1e-20


def limits_of_mean(value: float, rows: float, alpha: float) -> tuple[float, float]:
    """Limits of a mean that varies as the share of so many rows does."""
    return exact_limits(value * rows, rows, alpha)


class MeanRates(NamedTuple):
    """By label, a row each: of how many rows the classes' mean rate is, at each of `THRESHOLDS`.

    Label 1 is the mean sensitivity, label 0 the mean specificity.
    """

    rows: Floats

    def limits(
        self, label: int, threshold: float, value: float, alpha: float
    ) -> tuple[float, float]:
        """Limits of the mean rate at a threshold that was fixed beforehand."""
        rows = float(np.interp(threshold, THRESHOLDS, self.rows[label]))
        return limits_of_mean(value, rows, alpha)


def mean_rates_of_classes(
    evaluations: Mapping[Any, Any], shares: Mapping[Any, float]
) -> MeanRates | None:
    """Mean rates of classes of which each row has one, weighed by shares that are given.

    A row counts in the sensitivity of its own class and in the specificity of every other, so that
    classes vary together: its influences on all of them are added up before they are squared, and
    so are those of a person's rows. None where evaluations do not know the rows that they share.
    """
    each = list(evaluations.values())
    if not are_of_the_same_rows(each):
        return None
    rows = [Rows.of(evaluation) for evaluation in each]
    steps = 1
    if all(evaluation.groups is None for evaluation in each):
        steps = -(-rows[0].scores.size // MOST_ROWS)
    weighed = np.array([shares[label] for label in evaluations])
    return MeanRates(np.array([_rows_of(label, rows, weighed, steps) for label in (0, 1)]))


def _rows_of(label: int, rows: list[Rows], shares: Floats, steps: int) -> Floats:
    """Of how many rows the classes' mean rate of a label is, at each of `THRESHOLDS`."""
    there = np.array([each.positive == label for each in rows])[:, ::steps]
    scores = np.array([each.scores for each in rows])[:, ::steps]
    owners, weights = rows[0].owners[::steps], rows[0].weights[::steps] * there
    masses = weights.sum(axis=1, keepdims=True)
    if not masses.all():
        return np.zeros(THRESHOLDS.size)
    n = steps * np.array([alike(owners, each) for each in weights])
    n_rows = steps * np.array([alike(np.arange(owners.size), each) for each in weights])
    influence = shares[:, None] * weights / masses
    found = np.empty(THRESHOLDS.size)
    for i, threshold in enumerate(THRESHOLDS):
        right = (scores >= threshold) if label else (scores < threshold)
        rates = (right * weights).sum(axis=1) / masses[:, 0]
        together = ((right - rates[:, None]) * influence).sum(axis=0)
        variance = float((np.bincount(owners, together) ** 2).sum()) / steps
        # Scores that add up to 1 may leave each row as many false alarms, and nearly no variance:
        # the mean is never taken to vary less than if classes erred independently.
        least = float((shares**2 * rates * (1 - rates) / n_rows).sum())
        found[i] = _rows_of_mean(rates, n, shares, max(variance, least))
    return found


def _rows_of_mean(rates: Floats, n: Floats, shares: Floats, variance: float) -> float:
    """Rows that a mean of rates is as good as.

    A class without an error on n rows has not a variance of 0: each rate is taken as if one more
    row (or person) of each kind had been seen. How the variance of the mean compares with that of
    rates of n rows each is taken from `variance`.
    """
    apart = float((shares**2 * rates * (1 - rates) / n).sum())
    ratio = variance / apart if apart > ROUNDED else 1.0
    seen = (rates * n + 1) / (n + 2)
    each = shares**2 * seen * (1 - seen) / n
    # Satterthwaite (1946); a class of one row leaves as good as none.
    df = float(each.sum() ** 2 / (each**2 / np.maximum(n - 1, 0.5)).sum())
    mean = float(shares @ seen)
    return trusted(mean * (1 - mean) / (ratio * float(each.sum())), df, float(n[shares > 0].sum()))


def trusted(rows: float, df: float, n: float) -> float:
    """Fewer rows, where their number comes from a variance with few degrees of freedom.

    As fewer as Student's t, whose variance is roughly ``(df + 2) / df``, is wider than that of all
    n rows: one rate of n rows keeps its n.
    """
    return rows * df / (df + 2) * (n + 1) / (n - 1) if n > 1 else 0.0


def alike(owners: Ints, weights: Floats) -> float:
    """How many people, or rows, that count alike tell as much as these (Kish 1965)."""
    masses: Floats = np.asarray(np.bincount(owners, weights), dtype=np.float64)
    # Sorted, so that no sum hangs on the order of people.
    return effective_n(np.sort(masses))
