"""Rates, precision and net benefit with more test data, at a threshold fixed beforehand.

Each is made of shares of rows. A share of rows with weights, or of people, has the exact limits of
a share of as many rows as vary alike; of rows that count alike, these are Clopper and Pearson's.
The twin is js/src/evaluation/settled.ts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.choices import LooksName
from conformal_roc_widget.evaluation.estimate import ROUNDED, Rows
from conformal_roc_widget.evaluation.looks import FIRST_LOOK, share_at_any_look
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

    def rates(
        self, alpha: float, looks: LooksName = "once"
    ) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Limits of both rates; at every look none before `FIRST_LOOK`."""
        shares, rows = (self.fpr, self.tpr), self.numbers[:2]
        if looks == "any" and rows.min() < FIRST_LOOK:
            none = np.zeros_like(self.fpr), np.ones_like(self.fpr)
            return none, none
        limits = _limits if looks == "once" else share_at_any_look
        zeros, ones = (limits(*of, alpha) for of in zip(shares, rows, strict=True))
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
    """Binomial rates and shares, from the rows of each label that are called positive."""
    fp, tp = np.asarray(fp, dtype=float), np.asarray(tp, dtype=float)
    every, fpr, tpr = n[0] + n[1], fp / n[0], tp / n[1]
    wrong, right = fp / every, tp / every
    together = -np.sqrt(wrong * right / ((1 - wrong) * (1 - right)))
    one = np.ones_like(fp)
    rows = [one * n[0], one * n[1], one * every, one * every, fp + tp]
    return Settled(fpr, tpr, n[1] / every, np.array([*rows, one, 0 * one, together]))


def settled_rows(rows: Rows, thresholds: Floats) -> Settled:
    """Rates and shares of weighted or grouped rows, at descending thresholds."""
    rows = rows.in_order
    # The first threshold that calls each row; after the last one there is a place for the others.
    first = np.searchsorted(-thresholds, -rows.scores)
    of_label = [rows.masses * (rows.positive == k) for k in (0, 1)]
    many = thresholds.size + 1
    reached = np.array([np.bincount(first, each, minlength=many).cumsum() for each in of_label])
    called, totals = reached[:, :-1], reached[:, -1]
    every = float(totals.sum())
    found = _Moves.of(rows, of_label, first, called, totals)
    # Effective weights of a row and of a person (Kish 1965). If no row of a label is called, its
    # weight comes from all rows of the label.
    row = np.array([each @ each for each in of_label]) / totals
    person = found.whole / totals
    squared = np.array([np.bincount(first, each**2, minlength=many) for each in of_label])
    weights = _over(squared.cumsum(axis=1)[:, :-1].astype(float), called, row[:, None])
    fpr, tpr = rates = called / totals[:, None]
    of_rates, of_all = (
        [
            _rows_of(value, variance, mass / alike, mass / people)
            for value, variance, mass, alike, people in zip(*each, row, person, strict=True)
        ]
        for each in ((rates, found.rates, totals), (called / every, found.shares, [every, every]))
    )
    # Precision: the effective number comes from the people with called rows.
    wrong, right = there = called / weights
    value = _over(right, wrong + right)
    of_called = _over(called[0] ** 2, found.called[0]) + _over(called[1] ** 2, found.called[1])
    variance = (value * (1 - value)) ** 2 * found.apart
    precision = _rows_of(value, variance, there.sum(axis=0), of_called)
    precision = np.where(called.all(axis=0), precision, of_called)
    numbers = [*of_rates, *of_all, precision, weights[1] / weights[0], *found.together]
    return Settled(fpr, tpr, float(totals[1]) / every, np.array(numbers))


#: At most this many numbers (people times thresholds) are computed at once.
BLOCK = 2**18


class _Moves(NamedTuple):
    """Sums of squares over people, at each threshold (by label first, where there are two).

    Of what moves the rates, and the shares of all rows; of the weights called, and of those of all
    thresholds; of what moves the odds of those called. And correlations of both rates and shares.
    """

    rates: Floats
    shares: Floats
    called: Floats
    whole: Floats
    apart: Floats
    together: Floats

    @classmethod
    def of(
        cls,
        rows: Rows,
        of_label: Sequence[Floats],
        first: Ints,
        called: Floats,
        totals: Floats,
    ) -> _Moves:
        """Sums over people, some at a time."""
        owners = np.arange(first.size) if rows.owners is None else rows.owners
        order = np.argsort(owners, kind="stable")
        owners, first, of_label = owners[order], first[order], [each[order] for each in of_label]
        many, people = called.shape[1] + 1, int(owners[-1]) + 1
        step, every = max(BLOCK // many, 1), totals.sum()
        rates, shares, all_called = np.zeros((3, 2, many - 1))
        apart, (of_rates, of_shares) = np.zeros(many - 1), np.zeros((2, many - 1))
        whole = np.zeros(2)
        for start in range(0, people, step):
            here = slice(*np.searchsorted(owners, (start, start + step)))
            some = min(step, people - start)
            place = (owners[here] - start) * many + first[here]
            part = np.array(
                [
                    np.bincount(place, each[here], minlength=some * many).reshape(some, many)
                    for each in of_label
                ]
            ).cumsum(axis=2)
            part, mine = part[:, :, :-1], part[:, :, -1:]
            moves = (part - (called / totals[:, None])[:, None] * mine) / totals[:, None, None]
            moved = (part - (called / every)[:, None] * mine.sum(axis=0)) / every
            odds = _over(part[1], called[1]) - _over(part[0], called[0])
            rates += (moves**2).sum(axis=1)
            shares += (moved**2).sum(axis=1)
            all_called += (part**2).sum(axis=1)
            whole += (mine**2).sum(axis=(1, 2))
            apart += (odds**2).sum(axis=0)
            of_rates += (moves[0] * moves[1]).sum(axis=0)
            of_shares += (moved[0] * moved[1]).sum(axis=0)
        together = [
            _over(each, np.sqrt(both[0] * both[1]))
            for each, both in ((of_rates, rates), (of_shares, shares))
        ]
        return cls(rates, shares, all_called, whole, apart, np.array(together))


def _over(numbers: Floats, by: Floats, otherwise: Floats | float = 0.0) -> Floats:
    """A quotient. If the divisor is 0, the value given instead."""
    none = np.broadcast_to(otherwise, np.broadcast_shapes(numbers.shape, by.shape)).astype(float)
    found: Floats = np.divide(numbers, by, out=none.copy(), where=by > 0)
    return found


def _rows_of(value: Floats, variance: Floats, most: ArrayLike, people: ArrayLike) -> Floats:
    """`rows_of_share` at each threshold."""
    varies = variance > ROUNDED
    rows = np.minimum(_over(value * (1 - value), np.where(varies, variance, 0.0)), most)
    return np.where(varies, rows, people)
