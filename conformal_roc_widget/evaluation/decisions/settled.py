"""Computes limits of a classifier's rates in the population, at a threshold fixed beforehand.

A rate is a share of rows. If rows are independent and have equal weight, it has the exact limits of
Clopper and Pearson. If rows have weights or belong to people, it has the exact limits for its
effective sample size. The numbers from which limits are computed are a `Settled`. A page gets them
too: js/src/evaluation/settled.ts computes limits of precision and net benefit from them as well.
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

#: The largest number of vertices of a curve at which limits in the population are computed.
MOST_PLACES = 101


def places_of(n: int) -> Ints:
    """Returns the indices of those of n vertices at which limits are computed.

    If n exceeds `MOST_PLACES`, these are `MOST_PLACES` evenly spaced vertices, from the first to
    the last.
    """
    many = min(n, MOST_PLACES)
    return np.arange(many) * (n - 1) // max(many - 1, 1)


class Settled(NamedTuple):
    """The numbers from which limits of rates, precision and net benefit at m thresholds follow."""

    #: The false and the true positive rate, and the share of label 1 among the rows.
    fpr: Floats
    tpr: Floats
    own: float
    #: An array (8, m). Rows 0 and 1: the effective sample sizes of `fpr` and `tpr`. Rows 2 and 3:
    #: those of the false and of the true positives as shares of all rows. Row 4: that of the
    #: precision. Row 5: the effective weight of a true positive divided by that of a false
    #: positive. Row 6: the correlation of the two rates. Row 7: the correlation of the false
    #: positives with the true positives, both as shares of all rows.
    numbers: Floats

    def rates(
        self, alpha: float, looks: LooksName = "once"
    ) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Returns limits of the rates of label 0 and of label 1.

        If limits must hold at every look, there are no limits below `FIRST_LOOK` rows.
        """
        shares, rows = (self.fpr, self.tpr), self.numbers[:2]
        if looks == "any" and rows.min() < FIRST_LOOK:
            none = np.zeros_like(self.fpr), np.ones_like(self.fpr)
            return none, none
        limits = limits_of_shares if looks == "once" else share_at_any_look
        zeros, ones = (limits(*of, alpha) for of in zip(shares, rows, strict=True))
        return zeros, ones

    def between(self, place: float, places: Ints) -> Settled:
        """Interpolates `numbers` at the vertex `place`. They are known at the vertices `places`."""
        numbers = [[np.interp(place, places, each)] for each in self.numbers]
        return self._replace(numbers=np.array(numbers))


def limits_of_shares(value: Floats, rows: Floats, alpha: float) -> tuple[Floats, Floats]:
    """Returns exact limits of the shares `value` with the effective sample sizes `rows`.

    If the effective sample size is 0, the limits are 0 and 1.
    """
    successes = value * rows
    # Without this line, rounding could make successes exceed rows.
    successes = np.where(value >= 1, rows, successes)
    return lower_limit(successes, rows, alpha / 2), upper_limit(successes, rows, alpha / 2)


def settled_counts(fp: ArrayLike, tp: ArrayLike, n: tuple[int, int]) -> Settled:
    """Returns rates and effective sample sizes for independent rows of equal weight.

    `fp` and `tp` count the rows predicted positive at m thresholds, and `n` all rows by label.
    """
    fp, tp = np.asarray(fp, dtype=float), np.asarray(tp, dtype=float)
    every, fpr, tpr = n[0] + n[1], fp / n[0], tp / n[1]
    wrong, right = fp / every, tp / every
    together = -np.sqrt(wrong * right / ((1 - wrong) * (1 - right)))
    one = np.ones_like(fp)
    rows = [one * n[0], one * n[1], one * every, one * every, fp + tp]
    return Settled(fpr, tpr, n[1] / every, np.array([*rows, one, 0 * one, together]))


def settled_rows(rows: Rows, thresholds: Floats) -> Settled:
    """Returns rates and effective sample sizes for rows with weights or people.

    The thresholds descend.
    """
    rows = rows.in_order
    # For each row, the index of the first threshold at which it is predicted positive. If there is
    # none, it is the number of thresholds.
    first = np.searchsorted(-thresholds, -rows.scores)
    of_label = [rows.masses * (rows.positive == k) for k in (0, 1)]
    many = thresholds.size + 1
    reached = np.array([np.bincount(first, each, minlength=many).cumsum() for each in of_label])
    called, totals = reached[:, :-1], reached[:, -1]
    every = float(totals.sum())
    squared = np.array([np.bincount(first, each**2, minlength=many) for each in of_label])
    squared = squared.cumsum(axis=1).astype(float)
    if rows.owners is None:
        found = _Moves.of_rows(squared, called, totals)
    else:
        found = _Moves.of_people(rows.owners, of_label, first, called, totals)
    # If rows have weights, n of them count like fewer equal rows, the effective sample size (Kish
    # 1965). `row` is, for each label, the weight divided by the effective sample size of the rows,
    # and `person` divided by that of the people. `weights` is like `row`, but for the rows
    # predicted positive at each threshold. If there are none, all rows of the label are used.
    row = np.array([each @ each for each in of_label]) / totals
    person = found.whole / totals
    weights = _over(squared[:, :-1], called, row[:, None])
    fpr, tpr = rates = called / totals[:, None]
    of_rates, of_all = (
        [
            _rows_of(value, variance, mass / alike, mass / people)
            for value, variance, mass, alike, people in zip(*each, row, person, strict=True)
        ]
        for each in ((rates, found.rates, totals), (called / every, found.shares, [every, every]))
    )
    # The effective sample size of the precision is at most that of the rows predicted positive. If
    # the estimated variance is 0, it is the effective sample size of the people with such rows.
    wrong, right = there = called / weights
    value = _over(right, wrong + right)
    of_called = _over(called[0] ** 2, found.called[0]) + _over(called[1] ** 2, found.called[1])
    variance = (value * (1 - value)) ** 2 * found.apart
    precision = _rows_of(value, variance, there.sum(axis=0), of_called)
    precision = np.where(called.all(axis=0), precision, of_called)
    numbers = [*of_rates, *of_all, precision, weights[1] / weights[0], *found.together]
    return Settled(fpr, tpr, float(totals[1]) / every, np.array(numbers))


#: At most this many numbers (people times thresholds) are computed at once, to save memory.
BLOCK = 2**18


class _Moves(NamedTuple):
    """Sums over people at each threshold, from which effective sample sizes follow.

    In the first four fields, row 0 is for label 0, and row 1 for label 1.
    """

    #: How much each person changes a rate (the person's influence), squared and summed.
    rates: Floats
    #: How much each person changes the positive predictions as a share of all rows, squared and
    #: summed.
    shares: Floats
    #: The weight of each person's rows that are predicted positive, squared and summed.
    called: Floats
    #: The weight of all rows of each person, squared and summed.
    whole: Floats
    #: How much each person changes the log odds that a positive prediction is true, squared and
    #: summed.
    apart: Floats
    #: The correlation of the two labels' `rates` (first row), and that of their `shares` (second
    #: row).
    together: Floats

    @classmethod
    def of_rows(cls, squared: Floats, called: Floats, totals: Floats) -> _Moves:
        """Sums over rows, each of which is a person of its own.

        `squared` are the sums by label of the squared weights of the rows predicted positive at
        each threshold and, in its last column, of all. A row of weight w moves the rate r of its
        label by w (1 - r) if it is predicted positive, and by -w r otherwise, over the total.
        """
        reached, whole = squared[:, :-1], squared[:, -1]
        missed = whole[:, None] - reached
        rate, share = called / totals[:, None], called / totals.sum()
        rates = (reached * (1 - rate) ** 2 + missed * rate**2) / totals[:, None] ** 2
        # A row of weight w also changes the other label's share of positive predictions, by -w
        # times this share.
        others = whole[::-1, None]
        shares = reached * (1 - share) ** 2 + (missed + others) * share**2
        both = (share * (whole[:, None] * share - reached)[::-1]).sum(axis=0)
        every = totals.sum()
        apart = (_over(reached, called**2)).sum(axis=0)
        varies = np.sqrt(shares[0] * shares[1])
        together = np.array([np.zeros_like(both), _over(both, varies)])
        return cls(rates, shares / every**2, reached, whole, apart, together)

    @classmethod
    def of_people(
        cls,
        owners: Ints,
        of_label: Sequence[Floats],
        first: Ints,
        called: Floats,
        totals: Floats,
    ) -> _Moves:
        """Sums over all people, in blocks of people.

        `first` is the first threshold at which each row is predicted positive. `called` and
        `totals` are the weights by label: of the rows predicted positive at each threshold, and of
        all rows.
        """
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
    """``numbers / by``. If `by` is 0, it is `otherwise`."""
    none = np.broadcast_to(otherwise, np.broadcast_shapes(numbers.shape, by.shape)).astype(float)
    found: Floats = np.divide(numbers, by, out=none.copy(), where=by > 0)
    return found


def _rows_of(value: Floats, variance: Floats, most: ArrayLike, people: ArrayLike) -> Floats:
    """`rows_of_share` for arrays: the effective sample size of a share at each threshold."""
    varies = variance > ROUNDED
    rows = np.minimum(_over(value * (1 - value), np.where(varies, variance, 0.0)), most)
    return np.where(varies, rows, people)
