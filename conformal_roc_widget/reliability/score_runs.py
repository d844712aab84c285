"""Bounds a monotone probability at every score, by the shares of positives in runs of scores.

Let ``pi_s = P(y = 1 | score)`` never fall as the score rises. Given the scores, the labels are
independent. So a run of neighbouring scores has stochastically fewer positives than if each of its
points had the ``pi_s`` of its last score, and more than if each had that of its first. Therefore
the exact binomial lower limit of a run bounds ``pi_s`` from its last score on, and the upper limit
bounds it up to its first score, each except with a probability called its level. The levels of all
runs and both sides sum to alpha. So the running maximum of the lower limits and the running minimum
of the upper limits contain ``pi_s`` at every score at once (Yang and Barber 2019; Dimitriadis,
Duembgen, Henzi, Puke and Ziegel, Biometrika 2023, who use all runs).

Only a few runs are used here, and they depend on the scores alone. Each length is 1.5 times the one
before, and runs of a length start at every quarter of it. The lengths l share alpha in proportion
to ``min(l, h) / max(l, h)``. Here ``h = n^(2/3)`` is about the length at which the noise of a run
equals the rise of ``pi_s`` along it. Runs of one length have equal levels. Equal scores are one
group. Runs are widened to whole groups. If several runs become the same in this way, their levels
add up. No label is used for any of this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, ndtri, rel_entr

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.quantiles import exact_alpha

from .binomial_limits import lower_limit

#: A run of neighbouring scores has at least this many points. All runs share alpha, so each gets
#: only a small part of it. At such a small level, a shorter run has no useful limits.
SHORTEST = 16
#: The lengths of runs are `SHORTEST` times powers of `GROWTH`. Runs of one length start at every
#: `STARTS`-th part of this length.
GROWTH, STARTS = 1.5, 4


#: If there are more distinct scores than `MOST_DISTINCT`, they are joined to `GROUPS` groups. With
#: a million scores, limits at a new alpha then take a quarter of the time, and a rate is off by at
#: most a thousandth.
MOST_DISTINCT, GROUPS = 16_384, 1_024
#: A set of at most `MOST_DISTINCT` groups caches its limits at up to this many values of alpha.
KEPT = 48
#: A deviance has rounding errors. It is compared with its bound times this factor, which is just
#: below 1.
SAFELY = 1 - 1e-6


class _Runs(NamedTuple):
    """The runs, each from its `first` to its `last` group of equal scores.

    Runs with equal points, positives and level have the same limit, which is computed once.
    """

    first: Ints
    last: Ints
    #: For each run, the index of its entry in `points`, `positives` and `share`. Several runs may
    #: share an entry.
    problem: Ints
    points: Ints
    positives: Ints
    #: The limit of a run has a part of alpha as its level. This is the part, as a share of alpha.
    share: Floats

    def highest(self, counts: Ints, level: Floats, ends: Ints, m: int) -> Floats:
        """Returns, at each of m groups, the highest lower limit of runs that end there or before.

        `counts` and `level` have a value for each of `points`: the successes, and the level of the
        limit. `ends` has the last group of each run.

        An exact limit takes as long as five tail probabilities. So exact limits are computed only
        for runs whose approximate limit is the highest. For every other run, its tail probability
        shows whether its limit may be higher. For most runs a bound by Zubkov and Serov (2013) is
        enough: no tail probability is below that of a normal variable at the signed root of the
        deviance.
        """
        z2 = ndtri(level) ** 2
        rough = _approximate(counts, self.points, z2)[self.problem]
        likely = np.unique(self.problem[rough >= _running(ends, rough, m)[ends]])
        limits = np.zeros(counts.size)
        limits[likely] = lower_limit(counts[likely], self.points[likely], level[likely])
        found = _running(ends, limits[self.problem], m)
        # `found` is the highest lower limit so far at each group. Runs with equal points, positives
        # and level share an entry of `counts`. `known` is, for each entry, the smallest value of
        # `found` at the ends of these runs.
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
    """Returns the largest of `values` up to each of m places. If there is none yet, it is 0."""
    found = np.zeros(m)
    np.maximum.at(found, places, values)
    return np.maximum.accumulate(found)


def _approximate(counts: Ints, points: Ints, z2: Floats) -> Floats:
    """Returns approximate lower limits of a probability: Wilson's, with half a positive less.

    Entry i of `counts`, `points` and `z2` has the positives, the points and the squared normal
    quantile of limit i.
    """
    share = np.maximum(counts - 0.5, 0) / points
    half = np.sqrt(z2 * (share * (1 - share) + z2 / (4 * points)) / points)
    found: Floats = (share + z2 / (2 * points) - half) / (1 + z2 / points)
    return np.maximum(found, 0.0)


@dataclass(eq=False)
class _Known:
    """A cache: the runs, and their limits by alpha. They depend on counts, and not on scores."""

    runs: _Runs | None = None
    limits: dict[float, tuple[Floats, Floats]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class ScoreRuns:
    """Groups of equal scores in ascending order, with their numbers of points and positives.

    Two neighbouring scores are equal if they differ by less than `tie`. `scores` has the first
    score of each group, and `ends` the last. The shortest run has `shortest` points.
    """

    scores: Floats
    ends: Floats
    points: Ints
    positives: Ints
    tie: float = 0.0
    shortest: int = SHORTEST
    _known: _Known = field(default_factory=_Known, repr=False)

    @classmethod
    def of(cls, scores: Floats, positive: NDArray[np.bool_], tie: float = 0.0) -> ScoreRuns:
        """Sorts the scores, and groups equal ones. `positive` has the labels."""
        order = np.argsort(scores)
        every = np.ones(scores.size, dtype=np.intp)
        return cls.ascending(scores[order], every, positive[order], tie)

    @classmethod
    def ascending(
        cls, scores: Floats, points: Ints, positives: NDArray[Any], tie: float = 0.0
    ) -> ScoreRuns:
        """Groups ascending scores, each of which stands for several points and positives."""
        first = np.flatnonzero(np.append(True, scores[1:] - scores[:-1] > tie))
        if first.size < scores.size:
            ends = scores[np.append(first[1:], scores.size) - 1]
            points = np.add.reduceat(points, first)
            positives = np.add.reduceat(positives, first, dtype=np.intp)
            return cls(scores[first], ends, points, positives, tie)
        return cls(scores, scores, points, positives.astype(np.intp), tie)

    def joined(self, most: int) -> ScoreRuns:
        """Joins neighbouring groups to at most `most` groups of about equal size.

        The groups do not depend on labels.
        """
        if self.scores.size <= most:
            return self
        after, ones = np.cumsum(self.points), np.cumsum(self.positives)
        return ScoreRuns.of_sums(self.scores, self.ends, after, ones, most, self.tie)

    @classmethod
    def of_sums(
        cls,
        scores: Floats,
        ends: Floats,
        after: NDArray[np.signedinteger[Any]],
        ones: NDArray[np.signedinteger[Any]],
        most: int,
        tie: float = 0.0,
    ) -> ScoreRuns:
        """Returns what `joined` would return, if groups are given by sums and exceed `most`.

        `after` and `ones` are the numbers of points and of positives up to the end of each group.
        """
        n = int(after[-1])
        # The groups are joined to `most` groups of about n / most points. The k-th one starts at
        # the first group with at least k n / most points before it.
        shares = -(-np.arange(1, most) * n // most).astype(after.dtype)
        first = np.unique(np.append(0, 1 + after.searchsorted(shares)))
        first = first[first < after.size]
        last = np.append(first[1:], after.size) - 1
        points, positives = (
            np.diff(sums[last].astype(np.intp), prepend=0) for sums in (after, ones)
        )
        return cls(scores[first], ends[last], points, positives, tie, max(SHORTEST, n // most))

    def few(self) -> ScoreRuns:
        """Returns these groups or, if there are more than `MOST_DISTINCT`, fewer.

        Neighbours are then joined to `GROUPS` groups, which do not depend on labels.
        """
        return self.joined(GROUPS) if self.scores.size > MOST_DISTINCT else self

    def moved(self, scores: Floats, ends: Floats, tie: float) -> ScoreRuns:
        """Returns the same groups, with the same cached limits, at other scores in this order."""
        return replace(self, scores=scores, ends=ends, tie=tie)

    def places(self, values: Floats) -> tuple[Ints, Ints]:
        """Returns how many groups end at or below each of `values`, and how many begin below it.

        The lower bound of a group holds from its end on, and the upper bound up to its beginning.
        """
        return (
            np.searchsorted(self.ends, values + self.tie, side="right"),
            np.searchsorted(self.scores, values - self.tie, side="left"),
        )

    @property
    def edges(self) -> tuple[Floats, Floats]:
        """Returns the smallest value from which each group's lower bound holds.

        The second array has the largest values up to which upper bounds hold.
        """
        return self.ends - self.tie, self.scores + self.tie

    def limits(self, alpha: float) -> tuple[Floats, Floats]:
        """Returns joint lower and upper limits of ``pi_s`` at every distinct score."""
        lower, upper = self.limits_at([alpha])
        return lower[0], upper[0]

    def limits_at(self, alphas: Sequence[float]) -> tuple[Floats, Floats]:
        """Returns `limits` at several alphas, with a row for each."""
        found = [self._limits_of(float(exact_alpha(alpha))) for alpha in alphas]
        shape = (len(found), self.scores.size)  # so the shape is right even without alphas
        lower, upper = (np.array([each[side] for each in found]).reshape(shape) for side in (0, 1))
        return lower, upper

    def _limits_of(self, alpha: float) -> tuple[Floats, Floats]:
        """Returns limits at one alpha. They are cached, because a widget needs them twice."""
        known, m = self._known.limits, self.scores.size
        if (found := known.get(alpha)) is not None:
            return found
        runs = self._runs
        level = alpha * runs.share
        lower = runs.highest(runs.positives, level, runs.last, m)
        negatives, begins = runs.points - runs.positives, m - 1 - runs.first
        upper = 1 - runs.highest(negatives, level, begins, m)[::-1]
        if m <= MOST_DISTINCT:
            if len(known) == KEPT:
                known.clear()
            known[alpha] = lower, upper
        return lower, upper

    def __getstate__(self) -> dict[str, Any]:
        """Returns all fields except runs and limits, which can be computed again."""
        return vars(self) | {"_known": _Known()}

    @cached_property
    def isotonic(self) -> Floats:
        """Isotonic regression of the labels on the score, at every distinct score."""
        from sklearn.isotonic import isotonic_regression

        shares = self.positives / self.points
        return np.asarray(isotonic_regression(shares, sample_weight=self.points))

    @property
    def _runs(self) -> _Runs:
        if self._known.runs is None:
            self._known.runs = self._made_runs()
        return self._known.runs

    def _made_runs(self) -> _Runs:
        before = np.concatenate([[0], np.cumsum(self.points)])
        first, last, share = self._widened(*_system(int(before[-1]), self.shortest), before)
        positives = np.concatenate([[0], np.cumsum(self.positives)])
        sizes = before[last + 1] - before[first]
        counts = positives[last + 1] - positives[first]
        # Runs with the same number of points, number of positives and level have equal limits,
        # which are computed once.
        pairs, pair = np.unique(sizes * (before[-1] + 1) + counts, return_inverse=True)
        shares, which = np.unique(share, return_inverse=True)
        problems, problem = np.unique(which * pairs.size + pair, return_inverse=True)
        sizes, counts = np.divmod(pairs[problems % pairs.size], before[-1] + 1)
        return _Runs(first, last, problem, sizes, counts, shares[problems // pairs.size])

    def _widened(
        self, start: Ints, stop: Ints, share: Floats, before: Ints
    ) -> tuple[Ints, Ints, Floats]:
        """Widens runs to whole groups. Returns first group, last group, and share of alpha of each.

        If several runs become the same, their shares of alpha are added.
        """
        m = self.scores.size
        if m == before[-1]:
            return start, stop - 1, share
        first = np.searchsorted(before, start, side="right") - 1
        last = np.searchsorted(before, stop - 1, side="right") - 1
        runs, run = np.unique(first * m + last, return_inverse=True)
        return runs // m, runs % m, np.asarray(np.bincount(run, share), dtype=np.float64)


def _system(n: int, shortest: int) -> tuple[Ints, Ints, Floats]:
    """Returns the runs of n sorted points at which limits are computed: starts, stops, shares.

    Each run has at least `shortest` points. A run's share is the part of alpha for each of its two
    limits.
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
