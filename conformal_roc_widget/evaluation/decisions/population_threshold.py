"""Finds a threshold whose rates hold in the population, from scores and labels alone.

A goal is a rate and the smallest value that it must have in the population. Thresholds are tested
in an order that is fixed before the labels are seen, each by an exact binomial test, until one
fails (fixed-sequence testing: Angelopoulos, Bates, Candes, Jordan and Lei 2021, "Learn then Test").
With probability at least 1 minus the level, the goal holds at all thresholds that passed: an error
requires that the first threshold of the order at which the goal does not hold passes its own test.
Between two scores nothing has to be tested, because counts change only at scores.

A cut is the index of a threshold among the distinct scores. A chain is a sequence of cuts that are
tested one after the other. Sensitivity and specificity are monotone in the threshold, so they have
one chain, which begins where every row (or none) is predicted positive. It gives the
distribution-free tolerance limits of Wilks (1941). Precision, negative predictive value and
accuracy are not monotone. Their cuts are divided into chains that begin at `STARTS`, each with an
equal part of the level. If all tests of a chain pass, its level is added to that of the next chain
(the fallback procedure, Wiens 2003).

If scores are in a unit of their own, no constants are known to be among them. The chains of the
precision and of the negative predictive value then begin at ranks, and run in the other direction.
Going up, all rows below a threshold have been seen, and the rows from it on are independent draws
of rows that score at least as much, however the threshold was reached. So the binomial test of the
precision is exact at the first threshold after a rank, and at every later one. For the negative
predictive value, the same holds going down. The accuracy counts the rows on both sides, so its
chains begin at constants always.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, rel_entr

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import instance_of, number, quoted
from conformal_roc_widget.promise import Promise, Promised, for_population
from conformal_roc_widget.reliability.score_runs import ScoreRuns
from conformal_roc_widget.text import percent
from conformal_roc_widget.words import words

#: A chain is a sequence of thresholds that are tested in order, until one fails. Chains begin at
#: these scores. They are constants, because the order of the tests must not depend on the scores of
#: the rows.
STARTS = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
#: The chains for the accuracy begin at these scores. Each of their tests counts all rows, so fewer
#: chains are enough.
FEW_STARTS = (0.1, 0.3, 0.5, 0.7, 0.9)
#: If chains begin at ranks, there are this many chains: one for each twentieth of the rows.
RANKED = 20
#: The tests of a chain are computed in blocks, because most chains end early. The first block has
#: this many tests, and each later one twice as many as the one before.
BLOCK = 256
#: The number of bisection steps in the search for the largest rate that can be guaranteed.
HALVINGS = 30
#: A bound of a tail probability has rounding errors, so it must be below this share of the level.
SAFELY = 1 - 1e-9


class Cuts(NamedTuple):
    """The distinct scores in ascending order, and the numbers of rows of each label below them.

    The two counts have one more entry, for a threshold above all scores.
    """

    scores: Floats
    zeros_below: Ints
    ones_below: Ints

    @classmethod
    def of(cls, runs: ScoreRuns) -> Cuts:
        """Makes a cut at the first score of each group in `runs`."""
        ones = np.append(0, np.cumsum(runs.positives))
        return cls(runs.scores, np.append(0, np.cumsum(runs.points)) - ones, ones)

    @property
    def n(self) -> tuple[int, int]:
        """The number of rows of label 0 and of label 1."""
        return int(self.zeros_below[-1]), int(self.ones_below[-1])


#: A function of tp, fp, tn and fn that returns the successes and the trials of a rate.
Counts = Callable[[Any, Any, Any, Any], tuple[Any, Any]]


class Rule(NamedTuple):
    """How a rate is tested, and which of the thresholds that passed is chosen."""

    #: Returns successes and trials of the rate.
    counts: Counts
    #: Chains go along the scores in these directions: up (1) or down (-1).
    directions: tuple[int, ...]
    #: The scores at which chains begin.
    starts: tuple[float, ...]
    #: Which of the cuts that passed is chosen: the highest (1), the lowest (-1), or the one with
    #: the most successes on these rows (0).
    chosen: int
    #: What messages call the rows that the rate is a share of. Their number limits what can be
    #: guaranteed.
    rows: str
    #: If scores are not probabilities, chains begin at ranks and go in this direction. 0 if chains
    #: must always begin at constants.
    ranked: int = 0

    def of(self, point: Any) -> tuple[int, int]:
        """Returns the successes and trials of the rate at an operating point."""
        k, n = self.counts(point.tp, point.fp, point.tn, point.fn)
        return int(k), int(n)


#: The rates that a goal can be about, and the rule that tests each of them.
RULES: dict[str, Rule] = {
    "sensitivity": Rule(lambda tp, fp, tn, fn: (tp, tp + fn), (1,), (-np.inf,), 1, "positives"),
    "specificity": Rule(lambda tp, fp, tn, fn: (tn, tn + fp), (-1,), (np.inf,), -1, "negatives"),
    "precision": Rule(lambda tp, fp, tn, fn: (tp, tp + fp), (-1,), STARTS[::-1], -1, "rows", 1),
    "npv": Rule(lambda tp, fp, tn, fn: (tn, tn + fn), (1,), STARTS, 1, "rows", -1),
    "accuracy": Rule(
        lambda tp, fp, tn, fn: (tp + tn, tp + fp + tn + fn), (1, -1), FEW_STARTS, 0, "rows"
    ),
}
#: The names of rates in sentences, where they differ from the arguments.
NAMES = {"npv": "negative predictive value"}


def goal_of(value: Any) -> dict[str, float]:
    """Checks the argument `goal`: a dict from the name of one rate to its smallest wanted value."""
    expected = f"a mapping of one of {', '.join(RULES)} to a number, or None"
    instance_of(value, "goal", Mapping, expected)
    if len(value) != 1 or next(iter(value)) not in RULES:
        raise ValueError(f"goal: found {quoted(dict(value))}, expected {expected}")
    ((rate, least),) = value.items()
    in_unit = "a number from 0 to 1, 0.9 for 90 %"
    return {rate: number(least, f"goal[{rate!r}]", in_unit, lambda share: 0 <= share <= 1)}


class Chain(NamedTuple):
    """A chain of tests over a range of scores: which cuts it tests, and which are in the range.

    `tests` has the cuts in the order of their tests. `inside` has the cuts whose scores are in the
    range. An end of the range may lie between two scores. The counts at such an end are those at
    the next higher score, so the first or the last test may be of a cut outside the range.
    """

    tests: range
    inside: range

    def first(self, passed: int) -> slice:
        """Returns the cuts inside the chain that are among its first `passed` tests, as a slice."""
        if not passed:
            return slice(0, 0)
        ends = self.tests[0], self.tests[passed - 1]
        return slice(max(min(ends), self.inside.start), min(max(ends) + 1, self.inside.stop))


def chains(scores: Floats, starts: tuple[float, ...], direction: int) -> Iterator[Chain]:
    """Yields the chains in a direction (1 is up, -1 down), each from one start to the next.

    `scores` are the distinct ascending scores.
    """
    up = direction > 0
    ordered = sorted(starts, reverse=not up)
    ends = [*ordered[1:], np.inf if up else -np.inf]
    for start, end in zip(ordered, ends, strict=True):
        first = int(np.searchsorted(scores, start, "left"))
        if up:
            last = int(np.searchsorted(scores, end, "left"))
            yield Chain(range(first, min(last + 1, scores.size)), range(first, last))
        else:
            last = int(np.searchsorted(scores, end, "right"))
            beyond = int(np.searchsorted(scores, start, "right"))
            yield Chain(range(first, last - 1, -1), range(last, beyond))


def ranked_starts(cuts: Cuts, direction: int) -> tuple[float, ...]:
    """Returns the scores at which chains in a direction begin at ranks. They may be equal.

    A chain upwards begins where at most k / `RANKED` of the rows score as much or more. A chain
    downwards begins where at most k / `RANKED` of the rows score less.
    """
    below = cuts.zeros_below + cuts.ones_below
    n = int(below[-1])
    left = n * np.arange(1, RANKED + 1) // RANKED
    if direction > 0:
        at = np.searchsorted(below, n - left, "left")
    else:
        at = np.searchsorted(below, left, "right") - 1
    return tuple(np.append(cuts.scores, np.inf)[at].tolist())


@dataclass(frozen=True)
class Tested:
    """The successes and trials of a rate at every cut, and its chains by direction."""

    successes: Ints
    trials: Ints
    chains: tuple[tuple[Chain, ...], ...]

    @classmethod
    def of(cls, rule: Rule, cuts: Cuts, any_size: bool) -> Tested:
        """Computes the counts and the chains of a rate that is tested by `rule`.

        `any_size` tells whether scores are in a unit of their own, and no probabilities.
        """
        walks = [(way, rule.starts) for way in rule.directions]
        if any_size and rule.ranked:
            walks = [(rule.ranked, ranked_starts(cuts, rule.ranked))]
        each = tuple(tuple(chains(cuts.scores, starts, way)) for way, starts in walks)
        (zeros, ones), (fn, tn) = cuts.n, (cuts.ones_below, cuts.zeros_below)
        return cls(*rule.counts(ones - fn, zeros - tn, tn, fn), each)

    def kept(self, wish: float, level: float) -> NDArray[np.bool_]:
        """Returns which cuts passed, for the goal that the rate is at least `wish`.

        With probability at least 1 - `level`, the rate in the population is at least `wish` at all
        cuts that passed.
        """
        kept = np.zeros(self.successes.size - 1, dtype=bool)
        for walk in self.chains:
            part = level / len(self.chains) / len(walk)
            held = 0.0
            for chain in walk:
                held += part
                passed = self._passed(chain.tests, wish, held)
                kept[chain.first(passed)] = True
                held *= passed == len(chain.tests)
        return kept

    def can_keep(self, wish: float, level: float) -> bool:
        """Whether any cut passes. Equals ``kept(wish, level).any()`` with fewer tests."""
        for walk in self.chains:
            part = level / len(self.chains) / len(walk)
            held = 0.0
            for chain in walk:
                held += part
                # The range of a chain may begin between two scores. The first test is then of a cut
                # outside the range, and the second of one inside. So two tests show whether a cut
                # inside the range passes.
                passed = self._passed(chain.tests[:2], wish, held)
                inside = chain.first(passed)
                if inside.start < inside.stop:
                    return True
                held *= passed == len(chain.tests)
        return False

    def most(self, level: float) -> float:
        """Returns the largest goal for which a cut passes, or 0 if there is none."""
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.can_keep(middle, level) else (low, middle)
        return low

    def _passed(self, tests: range, wish: float, level: float) -> int:
        """Returns how many of the cuts `tests`, in order, pass before one fails."""
        done, block = 0, BLOCK
        while done < len(tests):
            part = np.asarray(tests[done : done + block])
            failed = np.flatnonzero(~self._passes(part, wish, level))
            if failed.size:
                return done + int(failed[0])
            done, block = done + part.size, 2 * block
        return done

    def _passes(self, at: Ints, wish: float, level: float) -> NDArray[np.bool_]:
        """Returns which of the cuts `at` pass their tests.

        A cut passes if, with a true rate of `wish`, at least the observed number of successes would
        have probability at most `level`.
        """
        k, n = self.successes[at], self.trials[at]
        rate = k / np.maximum(n, 1)
        with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
            # Chernoff's bound exceeds the tail probability, and is computed ten times as fast. If
            # it is small enough, the test passes. Otherwise the exact tail decides (`rest`).
            bound = np.exp(-n * (rel_entr(rate, wish) + rel_entr(1 - rate, 1 - wish)))
        passes = (rate > wish) & (bound <= SAFELY * level)
        rest = np.flatnonzero(~passes & (k > 0))
        passes[rest] = betainc(k[rest], n[rest] - k[rest] + 1, wish) <= level
        return passes


@dataclass(frozen=True, eq=False)
class PopulationThreshold(Promised):
    """A threshold at which several rates hold in the population together, with a confidence.

    Attributes
    ----------
    threshold : float or None
        Rows that score at least this are to be predicted positive. None if there is no guaranteed
        threshold.
    wishes : mapping of str to float
        For each rate, the smallest wanted value.
    most : mapping of str to float
        For each rate, the largest value that can be guaranteed at some threshold, with these rows
        and this confidence.
    confidence : float
        Probability, over random samples of rows, that all goals hold.
    rows : tuple of int
        Numbers of negative and of positive rows that were used.
    within : tuple of pairs of float
        Ranges of thresholds: above the first number of a pair, and up to the second. At all these
        thresholds together, all goals hold.
    promise : Promise
        The guarantee. Its kind is "population".
    """

    threshold: float | None
    wishes: Mapping[str, float]
    most: Mapping[str, float]
    confidence: float
    rows: tuple[int, int]
    within: tuple[tuple[float, float], ...]
    promise: Promise

    def __float__(self) -> float:
        """Returns the threshold."""
        if self.threshold is None:
            raise ValueError(f"threshold: {self.reason}")
        return float(self.threshold)

    @property
    def _cut(self) -> float:
        """The threshold. If it is too large for a float, it stays an integer."""
        return float(self) if self.threshold is None else self.threshold

    # The following methods let a PopulationThreshold stand wherever a number is expected as a
    # threshold.

    def __bool__(self) -> bool:
        """Whether a threshold was found."""
        return self.threshold is not None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Returns the threshold as a numpy array, for comparison with an array of scores."""
        return np.array(self._cut, dtype=dtype)

    def __format__(self, form: str) -> str:
        """Formats the threshold by `form`. If `form` is empty, returns the text of `str`."""
        return format(float(self), form) if form else str(self)

    def __lt__(self, other: Any) -> Any:
        """Whether the threshold is below a number, or below each number of an array."""
        return self._cut < other

    def __le__(self, other: Any) -> Any:
        """Whether the threshold is at most a number, or at most each number of an array."""
        return self._cut <= other

    def __gt__(self, other: Any) -> Any:
        """Whether the threshold is above a number, or above each number of an array."""
        return self._cut > other

    def __ge__(self, other: Any) -> Any:
        """Whether the threshold is at least a number, or at least each number of an array."""
        return self._cut >= other

    def keeps_at(self, threshold: float) -> bool:
        """Whether all goals hold at another threshold too, even if it was picked by looking."""
        return any(low < threshold <= high for low, high in self.within)

    def moved_to(self, threshold: float) -> PopulationThreshold | None:
        """Returns the same guarantee at another threshold. None if it does not hold there."""
        return replace(self, threshold=threshold) if self.keeps_at(threshold) else None

    @property
    def reason(self) -> str:
        """Why no threshold is guaranteed, without a full stop, or "" if one is."""
        if self.threshold is not None:
            return ""
        counted = dict(zip(("negatives", "positives"), self.rows, strict=True))
        counted["rows"] = sum(self.rows)
        for name, wish in self.wishes.items():
            if self.most[name] < wish:
                rows, most = RULES[name].rows, self.most[name]
                of = f" {NAMES.get(name, name)}" if len(self.wishes) > 1 else ""
                return words("kept.none", n=counted[rows], rows=rows, of=of, most=most)
        return "no threshold can promise all wishes together"

    @property
    def keeps(self) -> str:
        """Writes the goals and the confidence."""
        wishes = ", ".join(f"{name} at least {wish:g}" for name, wish in self.wishes.items())
        return f"{wishes} in the population, {percent(self.confidence)} sure"

    def __repr__(self) -> str:
        """Writes the threshold with its goals and confidence, or why there is none."""
        if self.threshold is None:
            return f"PopulationThreshold(None: {self.reason}; {self.keeps})"
        return f"PopulationThreshold({self.threshold:g}: {self.keeps})"


# With this line, `isinstance(threshold, numbers.Real)` is true.
numbers.Real.register(PopulationThreshold)


def population_threshold(
    runs: ScoreRuns, wishes: Mapping[str, float], confidence: float, any_size: bool = False
) -> PopulationThreshold:
    """Finds the threshold at which all `wishes` hold in the population with `confidence`.

    `wishes` are the goals: for each rate, the smallest wanted value. `runs` are the rows in groups
    of equal scores. The classifier that gave the scores must not have seen these rows. `any_size`
    tells whether scores are in a unit of their own, and no probabilities. Each goal gets an equal
    part of ``1 - confidence``. If there are several goals, returns the threshold with the largest
    Youden's index on these rows, among the thresholds that keep all goals.
    """
    cuts = Cuts.of(runs)
    level = float(1 - exact_alpha(confidence)) / len(wishes)
    tested = {name: Tested.of(RULES[name], cuts, any_size) for name in wishes}
    kept = np.logical_and.reduce([tested[name].kept(wishes[name], level) for name in wishes])
    return PopulationThreshold(
        chosen_cut(kept, wishes, tested, cuts),
        dict(wishes),
        {name: each.most(level) for name, each in tested.items()},
        confidence,
        cuts.n,
        _within(kept, cuts, up=list(wishes) == ["specificity"]),
        for_population(list(wishes), confidence),
    )


def _within(kept: NDArray[np.bool_], cuts: Cuts, *, up: bool) -> tuple[tuple[float, float], ...]:
    """Returns the ranges (low, high] of thresholds whose cuts are `kept`.

    If `up` is set and the highest score is kept, its range extends above all scores. This is right
    for a specificity, because nobody is predicted positive there.
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], kept, [False]])))
    lows = np.append(-np.inf, cuts.scores)[edges[::2]]
    highs = np.append(cuts.scores, np.inf)[edges[1::2] - 1 + (up & (edges[1::2] == kept.size))]
    return tuple(zip(lows.tolist(), highs.tolist(), strict=True))


def chosen_cut(
    kept: NDArray[np.bool_], wishes: Mapping[str, float], tested: Mapping[str, Tested], cuts: Cuts
) -> float | None:
    """Returns the score of the cut to choose among the `kept` ones, or None if there is none.

    The goals hold at all kept cuts at once, so the choice may use labels.
    """
    at = np.flatnonzero(kept)
    if not at.size:
        return None
    name = next(iter(wishes))
    if len(wishes) > 1:
        n0, n1 = cuts.n
        preferred = cuts.zeros_below[at] * n1 - cuts.ones_below[at] * n0
    elif RULES[name].chosen:
        preferred = RULES[name].chosen * at
    else:
        preferred = tested[name].successes[at]
    # `argmax` finds the first maximum, so the order is reversed: among equally good thresholds the
    # highest is chosen.
    return float(cuts.scores[at[::-1][np.argmax(preferred[::-1])]])
