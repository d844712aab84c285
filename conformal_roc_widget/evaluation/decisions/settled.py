"""Rates, precision and net benefit with more test data, at a threshold fixed beforehand.

Each is made of shares of rows. A share of rows with weights, or of people, has the exact limits of
a share of as many rows as vary alike; of rows that count alike, these are Clopper and Pearson's.
The twin is js/src/evaluation/settled.ts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.evaluation.estimate import Rows, rows_of_share
from conformal_roc_widget.reliability.binomial_limits import lower_limit, upper_limit

#: The most vertices of a curve with limits of their own: a screen cannot show more.
MOST_PLACES = 101


def places_of(n: int) -> Ints:
    """Which of n vertices have limits.

    All, or `MOST_PLACES` at even steps, with the first and the last.
    """
    many = min(n, MOST_PLACES)
    return np.arange(many) * (n - 1) // max(many - 1, 1)


def moved(precision: ArrayLike, own: ArrayLike, share: ArrayLike) -> Floats:
    """The precision at the same rates, if `share` is positive in place of the rows' `own` share."""
    rightly = np.asarray(precision, dtype=float) * (np.asarray(share) / own)
    wrongly = (1 - np.asarray(precision)) * ((1 - np.asarray(share)) / (1 - np.asarray(own)))
    return np.asarray(rightly / (rightly + wrongly))


class Settled(NamedTuple):
    """The numbers behind limits of shares at m thresholds."""

    #: Rates of label 0 and of label 1; and the share of label 1 among the rows.
    fpr: Floats
    tpr: Floats
    own: float
    #: Numbers (8, m), in this order: effective rows of each rate (2); effective rows of each
    #: label's share of all rows that is called (2); effective rows of the precision, and the weight
    #: of a row called rightly over that of one called wrongly; the correlation of both rates; the
    #: correlation of both shares of all rows.
    numbers: Floats

    def rates(self, alpha: float) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Limits of both rates."""
        zeros, ones = (
            _limits(rate, rows, alpha)
            for rate, rows in zip((self.fpr, self.tpr), self.numbers[:2], strict=True)
        )
        return zeros, ones

    def precision(self, alpha: float, share: float | None) -> tuple[Floats, Floats]:
        """Limits of the precision, at the rows' own share of positives or at one that is given.

        Of those called each is rightly so with one probability, whatever their number is. Where the
        share is given, that of the rows is taken for exact, which widens the limits.
        """
        own, share = self.own, self.own if share is None else share
        rows, ratio = self.numbers[4:6]
        right, wrong = own * self.tpr, (1 - own) * self.fpr
        counted = right / ratio
        every = counted + wrong
        value = np.divide(counted, every, out=np.zeros_like(every), where=every > 0)
        odds = ratio * (share / own) / ((1 - share) / (1 - own))
        low, high = _limits(value, rows, alpha)
        return odds * low / (odds * low + (1 - low)), odds * high / (odds * high + (1 - high))

    def net_benefit(
        self, alpha: float, odds: ArrayLike, share: float | None
    ) -> tuple[Floats, Floats]:
        """Limits of the net benefit; a false alarm has the weight `odds`.

        How far either share may be off is taken from its exact limits, and both are added up as
        errors of their correlation are (Zou and Donner 2008). If no share of positives is given,
        that of the rows varies too, and both are shares of all rows.
        """
        own, odds = self.own, np.asarray(odds, dtype=float)
        if share is None:
            values, rows = ((1 - own) * self.fpr, own * self.tpr), self.numbers[2:4]
            weights = odds, np.asarray(1.0)
        else:
            values, rows = (self.fpr, self.tpr), self.numbers[:2]
            weights = (1 - share) * odds, np.asarray(share)
        wrong, right = (
            [weight * (end - value) for end in _limits(value, of, alpha)]
            for value, of, weight in zip(values, rows, weights, strict=True)
        )
        together = self.numbers[7 if share is None else 6]
        found = weights[1] * values[1] - weights[0] * values[0]
        # False alarms cost: the upper limit of their share goes into the lower limit of the
        # benefit. One of the two errors is negative here, and shares that exclude each other make
        # the difference vary more.
        ends = [
            np.sqrt(np.maximum(a**2 + b**2 + 2 * together * a * b, 0.0))
            for a, b in ((right[0], wrong[1]), (right[1], wrong[0]))
        ]
        return found - ends[0], found + ends[1]

    def between(self, place: float, places: Ints) -> Settled:
        """Numbers between two of the places."""
        numbers = [[np.interp(place, places, each)] for each in self.numbers]
        return self._replace(numbers=np.array(numbers))


def _limits(value: Floats, rows: Floats, alpha: float) -> tuple[Floats, Floats]:
    """Exact limits of shares, each of its own number of rows; from 0 to 1 for no rows."""
    successes = value * rows
    # A product that passes the number of rows by rounding is that number.
    successes = np.where(value >= 1, rows, successes)
    return lower_limit(successes, rows, alpha / 2), upper_limit(successes, rows, alpha / 2)


def settled_counts(fp: ArrayLike, tp: ArrayLike, n: tuple[int, int]) -> Settled:
    """Of rows that count alike, from how many of each label are called."""
    fp, tp = np.asarray(fp, dtype=float), np.asarray(tp, dtype=float)
    every, fpr, tpr = n[0] + n[1], fp / n[0], tp / n[1]
    wrong, right = fp / every, tp / every
    together = -np.sqrt(wrong * right / ((1 - wrong) * (1 - right)))
    one = np.ones_like(fp)
    rows = [one * n[0], one * n[1], one * every, one * every, fp + tp]
    return Settled(fpr, tpr, n[1] / every, np.array([*rows, one, 0 * one, together]))


def settled_rows(rows: Rows, thresholds: Floats) -> Settled:
    """Of rows with weights, or of people, from what each person moves."""
    rows = rows.in_order
    labels = _Labels(*(rows.by_person(rows.masses * (rows.positive == k)) for k in (0, 1)))
    fpr, tpr, *numbers = np.array([_row_of(rows, labels, each) for each in thresholds]).T
    own = float(labels.ones.sum() / labels.all.sum())
    return Settled(fpr, tpr, own, np.array(numbers))


class _Labels(NamedTuple):
    """The weight of each person's rows of either label."""

    zeros: Floats
    ones: Floats

    @property
    def all(self) -> Floats:
        """Both together."""
        return self.zeros + self.ones


def _row_of(rows: Rows, labels: _Labels, threshold: float) -> list[float]:
    """Both rates at a threshold, and the numbers of `Settled`."""
    over, every = rows.masses * (rows.scores >= threshold), float(labels.all.sum())
    called = _Labels(*(rows.by_person(over * (rows.positive == k)) for k in (0, 1)))
    rates, shares, of_rates, of_all, weights = [], [], [], [], []
    for k, (part, whole) in enumerate(zip(called, labels, strict=True)):
        mine, mass = rows.positive == k, float(whole.sum())
        # The weight of one row, and of one person, if all counted alike.
        row, person = _weight(rows.masses * mine), _weight(whole)
        rates.append(_share(part, whole))
        shares.append(_share(part, labels.all))
        of_rates.append(rows_of_share(*_varies(*rates[k]), mass / row, mass / person))
        of_all.append(rows_of_share(*_varies(*shares[k]), every / row, every / person))
        # If nobody of a label is called, all its rows give the weight.
        weights.append(_weight(over * mine) if part.any() else row)
    wrong, right = (float(part.sum()) for part in called)
    there = [wrong / weights[0], right / weights[1]]
    of_called = sum(part.sum() / _weight(part) for part in called if part.any())
    if wrong and right:
        value, apart = there[1] / sum(there), called.ones / right - called.zeros / wrong
        variance = (value * (1 - value)) ** 2 * float(apart @ apart)
        of_called = rows_of_share(value, variance, sum(there), of_called)
    together = [_correlation(*(moves for _, moves in both)) for both in (rates, shares)]
    ratio = weights[1] / weights[0]
    return [*(rate for rate, _ in rates), *of_rates, *of_all, of_called, ratio, *together]


def _share(part: Floats, whole: Floats) -> tuple[float, Floats]:
    """A share of weight, and how far each person moves it."""
    total = float(whole.sum())
    value = float(part.sum()) / total
    return value, (part - value * whole) / total


def _varies(value: float, moves: Floats) -> tuple[float, float]:
    """A share and its variance."""
    return value, float(moves @ moves)


def _weight(masses: Floats) -> float:
    """The weight of one row, or person, if as many that count alike stood for these (Kish 1965)."""
    return float(masses @ masses / masses.sum())


def _correlation(one: Floats, other: Floats) -> float:
    both = float((one @ one) * (other @ other))
    return float(one @ other) / both**0.5 if both else 0.0
