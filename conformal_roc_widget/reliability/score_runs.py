"""Runs of neighbouring scores, whose shares of positives bound a monotone probability everywhere.

Let ``pi_s = P(y = 1 | score)`` never fall as the score rises. Given the scores the labels are
independent, so a run has stochastically fewer positives than if ``pi_s`` were that of its last
score at every point, and more than with that of its first. But for its level, the exact binomial
lower limit of a run therefore bounds ``pi_s`` from its last score on, and its upper limit up to its
first score. The levels of all runs and both sides sum to alpha, so that the running maximum of the
lower limits and the running minimum of the upper ones hold ``pi_s`` at every score at once (Yang
and Barber 2019; Dimitriadis, Duembgen, Henzi, Puke and Ziegel, Biometrika 2023: with all runs).

The system of runs here is sparse, and fixed by the scores alone. Lengths grow by half, and starts
lie a quarter of the length apart. Level goes to the lengths in proportion to
``min(l, h) / max(l, h)`` with ``h = n^(2/3)``, about the length at which a run's noise balances the
rise of ``pi_s`` along it, and then in equal parts to the runs of a length. Equal scores are one
group; runs are widened to whole groups, and runs that become one so add up their levels. No label
is looked at for any of this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, ndtri, rel_entr

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.quantiles import exact_alpha

from .binomial_limits import lower_limit

#: The shortest run has this many points; shorter ones have no useful limit at such levels.
SHORTEST = 16
#: Each length of runs is 1.5 times the one before; runs start at every quarter of their length.
GROWTH, STARTS = 1.5, 4


#: If there are more distinct scores than the first number, they are joined to as many groups as the
#: second says. A new alpha of a million scores then takes a quarter of the time, and a rate is off
#: by a thousandth at most.
MOST_DISTINCT, GROUPS = 16_384, 1_024
#: Less than one by more than a deviance is off by rounding.
SAFELY = 1 - 1e-6


class _Runs(NamedTuple):
    """Runs by their first and last group; a limit is computed once for equal numbers and shares."""

    first: Ints
    last: Ints
    #: For each run, the index of its limits among the distinct ones below.
    problem: Ints
    points: Ints
    positives: Ints
    #: Part of alpha that each side of a run gets.
    share: Floats

    def highest(self, counts: Ints, level: Floats, ends: Ints, m: int) -> Floats:
        """At each of m places the highest lower limit of the runs that end there or before.

        An exact limit takes as long as five tails. So it is found for runs whose approximate limit
        is the highest; the tail of each other run then tells whether its own may be higher yet.
        Zubkov and Serov's bound (2013) tells it of most: no tail is below that of a normal variable
        at the signed root of the deviance.
        """
        z2 = ndtri(level) ** 2
        rough = _approximate(counts, self.points, z2)[self.problem]
        likely = np.unique(self.problem[rough >= _running(ends, rough, m)[ends]])
        limits = np.zeros(counts.size)
        limits[likely] = lower_limit(counts[likely], self.points[likely], level[likely])
        found = _running(ends, limits[self.problem], m)
        # The lowest of the places where runs of these numbers end.
        known = np.ones(counts.size)
        np.minimum.at(known, self.problem, found[ends])
        rate = counts / self.points
        deviance = 2 * self.points * (rel_entr(rate, known) + rel_entr(1 - rate, 1 - known))
        deviance[likely] = 0
        open_ = np.flatnonzero((rate > known) & (deviance > SAFELY * z2))
        tails = betainc(counts[open_], self.points[open_] - counts[open_] + 1, known[open_])
        open_ = open_[tails < level[open_]]
        limits[open_] = lower_limit(counts[open_], self.points[open_], level[open_])
        return _running(ends, limits[self.problem], m)


def _running(places: Ints, values: Floats, m: int) -> Floats:
    """The largest of the values, none of them below 0, up to each of m places."""
    found = np.zeros(m)
    np.maximum.at(found, places, values)
    return np.maximum.accumulate(found)


def _approximate(counts: Ints, points: Ints, z2: Floats) -> Floats:
    """Wilson's lower limit with half a point off, near the exact one."""
    share = np.maximum(counts - 0.5, 0) / points
    half = np.sqrt(z2 * (share * (1 - share) + z2 / (4 * points)) / points)
    found: Floats = (share + z2 / (2 * points) - half) / (1 + z2 / points)
    return np.maximum(found, 0.0)


@dataclass(frozen=True, eq=False)
class ScoreRuns:
    """Groups of equal scores in ascending order, with the points and the positives of each.

    Scores nearer than `tie` to the next are equal; `scores` has the first of each group, `ends` the
    last. The `shortest` run has so many points.
    """

    scores: Floats
    ends: Floats
    points: Ints
    positives: Ints
    tie: float = 0.0
    shortest: int = SHORTEST

    @classmethod
    def of(cls, scores: Floats, positive: NDArray[np.bool_], tie: float = 0.0) -> ScoreRuns:
        """Sorts the scores, and groups equal ones."""
        order = np.argsort(scores)
        every = np.ones(scores.size, dtype=np.intp)
        return cls.ascending(scores[order], every, positive[order], tie)

    @classmethod
    def ascending(
        cls, scores: Floats, points: Ints, positives: NDArray[Any], tie: float = 0.0
    ) -> ScoreRuns:
        """Groups ascending scores, each of so many points."""
        first = np.flatnonzero(np.append(True, scores[1:] - scores[:-1] > tie))
        if first.size < scores.size:
            ends = scores[np.append(first[1:], scores.size) - 1]
            points = np.add.reduceat(points, first)
            positives = np.add.reduceat(positives, first, dtype=np.intp)
            return cls(scores[first], ends, points, positives, tie)
        return cls(scores, scores, points, positives.astype(np.intp), tie)

    def joined(self, most: int) -> ScoreRuns:
        """At most `most` groups of neighbouring scores, of about equal size whatever the labels."""
        if self.scores.size <= most:
            return self
        after = np.cumsum(self.points)
        place = (after - self.points) * most // after[-1]
        first = np.flatnonzero(np.append(True, place[1:] > place[:-1]))
        last = np.append(first[1:], place.size) - 1
        points, positives = (
            np.add.reduceat(counts, first) for counts in (self.points, self.positives)
        )
        shortest = max(SHORTEST, int(after[-1]) // most)
        return ScoreRuns(self.scores[first], self.ends[last], points, positives, self.tie, shortest)

    def few(self) -> ScoreRuns:
        """The runs; of many distinct scores neighbours are joined, whatever their labels."""
        return self.joined(GROUPS) if self.scores.size > MOST_DISTINCT else self

    def places(self, values: Floats) -> tuple[Ints, Ints]:
        """How many groups end at or below each of ascending values, and how many begin below it.

        A lower bound holds from the end of its group on, an upper one up to the beginning.
        """
        return (
            np.searchsorted(self.ends, values + self.tie, side="right"),
            np.searchsorted(self.scores, values - self.tie, side="left"),
        )

    @property
    def edges(self) -> tuple[Floats, Floats]:
        """Values that are not before the end of a group, and that are not after its begin."""
        return self.ends - self.tie, self.scores + self.tie

    def limits(self, alpha: float) -> tuple[Floats, Floats]:
        """Lower and upper limits of ``pi_s`` at every distinct score at once."""
        lower, upper = self.limits_at([alpha])
        return lower[0], upper[0]

    def limits_at(self, alphas: Sequence[float]) -> tuple[Floats, Floats]:
        """`limits` at several alphas, one row an alpha."""
        runs, m = self._runs, self.scores.size
        levels = np.array([float(exact_alpha(alpha)) for alpha in alphas])[:, None] * runs.share
        negatives, begins = runs.points - runs.positives, m - 1 - runs.first
        lower, upper = np.empty((2, len(alphas), m))
        for row, level in enumerate(levels):
            lower[row] = runs.highest(runs.positives, level, runs.last, m)
            upper[row] = 1 - runs.highest(negatives, level, begins, m)[::-1]
        return lower, upper

    @cached_property
    def isotonic(self) -> Floats:
        """Isotonic regression of the labels on the score, at every distinct score."""
        from sklearn.isotonic import isotonic_regression

        shares = self.positives / self.points
        return np.asarray(isotonic_regression(shares, sample_weight=self.points))

    @cached_property
    def _runs(self) -> _Runs:
        before = np.concatenate([[0], np.cumsum(self.points)])
        first, last, share = self._widened(*_system(int(before[-1]), self.shortest), before)
        positives = np.concatenate([[0], np.cumsum(self.positives)])
        sizes = before[last + 1] - before[first]
        counts = positives[last + 1] - positives[first]
        # Runs with equal numbers of points and positives and an equal level have one limit, which
        # is computed once.
        pairs, pair = np.unique(sizes * (before[-1] + 1) + counts, return_inverse=True)
        shares, which = np.unique(share, return_inverse=True)
        problems, problem = np.unique(which * pairs.size + pair, return_inverse=True)
        sizes, counts = np.divmod(pairs[problems % pairs.size], before[-1] + 1)
        return _Runs(first, last, problem, sizes, counts, shares[problems // pairs.size])

    def _widened(
        self, start: Ints, stop: Ints, share: Floats, before: Ints
    ) -> tuple[Ints, Ints, Floats]:
        """Runs widened to whole groups.

        First and last group of each distinct run, and the sum of its shares.
        """
        m = self.scores.size
        if m == before[-1]:
            return start, stop - 1, share
        first = np.searchsorted(before, start, side="right") - 1
        last = np.searchsorted(before, stop - 1, side="right") - 1
        runs, run = np.unique(first * m + last, return_inverse=True)
        return runs // m, runs % m, np.asarray(np.bincount(run, share), dtype=np.float64)


def _system(n: int, shortest: int) -> tuple[Ints, Ints, Floats]:
    """The runs of n points with at least `shortest` points.

    Start and stop of each run, and the share of alpha for each of its sides.
    """
    lengths, length = [n], float(shortest)
    while length < n:
        lengths.append(round(length))
        length *= GROWTH
    middle = n ** (2 / 3)
    weights = np.array([min(each, middle) / max(each, middle) for each in lengths])
    starts, stops, shares = [], [], []
    for size, weight in zip(lengths, weights / weights.sum(), strict=True):
        some = np.arange(0, n - size, max(1, size // STARTS))
        start = np.append(some, n - size)
        starts.append(start)
        stops.append(start + size)
        shares.append(np.full(start.size, weight / start.size / 2))
    return np.concatenate(starts), np.concatenate(stops), np.concatenate(shares)
