"""A threshold whose rates hold in the population, from scores and labels of rows alone.

Thresholds are tested in an order that is fixed before the labels are seen, each by an exact
binomial tail, until one fails (fixed-sequence testing: Angelopoulos, Bates, Candes, Jordan and Lei
2021, "Learn then Test"). Whatever passed before keeps the wish in the population, all of it at
once: an error needs the first threshold that does not keep it to pass, and its own test lets it
with the level at most. So between scores nothing has to be tested: counts change at scores alone.

Sensitivity and specificity are kept on one side of some threshold, so the order begins where every
row is called (or none) and gives the distribution-free tolerance limits of Wilks (1941). Precision,
negative predictive value and accuracy may be kept anywhere: their order is cut into chains at
`STARTS`, each with an equal part of the level, and a chain that passed whole hands its level on to
the next one (the fallback procedure, Wiens 2003).
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

#: Cuts of the score at which a chain of tests begins. They look at no row: with starts chosen by
#: the scores at hand, which threshold fails first would depend on these.
STARTS = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
#: Starts for the accuracy, whose tests count every row, so that far fewer chains are enough.
FEW_STARTS = (0.1, 0.3, 0.5, 0.7, 0.9)
#: Tests made at a time, doubled from block to block: most chains end early.
BLOCK = 256
#: Halvings of (0, 1) in the search for the most that can be promised.
HALVINGS = 30
#: A rounded bound on a tail has to be below this share of the level.
SAFELY = 1 - 1e-9


class Cuts(NamedTuple):
    """Distinct scores, ascending, and how many rows of each label lie below them.

    Counts have one entry more, for a threshold above every score.
    """

    scores: Floats
    zeros_below: Ints
    ones_below: Ints

    @classmethod
    def of(cls, runs: ScoreRuns) -> Cuts:
        """A cut at the first score of each run."""
        ones = np.append(0, np.cumsum(runs.positives))
        return cls(runs.scores, np.append(0, np.cumsum(runs.points)) - ones, ones)

    @property
    def n(self) -> tuple[int, int]:
        """Rows of both labels."""
        return int(self.zeros_below[-1]), int(self.ones_below[-1])


#: Successes and trials of a rate, from tp, fp, tn and fn.
Counts = Callable[[Any, Any, Any, Any], tuple[Any, Any]]


class Rule(NamedTuple):
    """A rule for a rate.

    Its counts, the starts and directions of its chains of tests, and the choice. Among the cuts
    that keep the wish, the choice takes the highest (1), the lowest (-1), or the one with the most
    successes on these rows (0). `rows` names the rows whose number bounds a promise.
    """

    counts: Counts
    directions: tuple[int, ...]
    starts: tuple[float, ...]
    chosen: int
    rows: str

    def of(self, point: Any) -> tuple[int, int]:
        """Successes and trials at an operating point."""
        k, n = self.counts(point.tp, point.fp, point.tn, point.fn)
        return int(k), int(n)


#: Wish -> the rule by which it is tested.
RULES: dict[str, Rule] = {
    "sensitivity": Rule(lambda tp, fp, tn, fn: (tp, tp + fn), (1,), (-np.inf,), 1, "positives"),
    "specificity": Rule(lambda tp, fp, tn, fn: (tn, tn + fp), (-1,), (np.inf,), -1, "negatives"),
    "precision": Rule(lambda tp, fp, tn, fn: (tp, tp + fp), (-1,), STARTS[::-1], -1, "rows"),
    "npv": Rule(lambda tp, fp, tn, fn: (tn, tn + fn), (1,), STARTS, 1, "rows"),
    "accuracy": Rule(
        lambda tp, fp, tn, fn: (tp + tn, tp + fp + tn + fn), (1, -1), FEW_STARTS, 0, "rows"
    ),
}
#: Names of rates in a sentence, if they differ from the argument's name.
NAMES = {"npv": "negative predictive value"}


def goal_of(value: Any) -> dict[str, float]:
    """A goal as one name of a rate and a number; a mapping of the caller's is copied."""
    expected = f"a mapping of one of {', '.join(RULES)} to a number, or None"
    instance_of(value, "goal", Mapping, expected)
    if len(value) != 1 or next(iter(value)) not in RULES:
        raise ValueError(f"goal: found {quoted(dict(value))}, expected {expected}")
    ((rate, least),) = value.items()
    in_unit = "a number from 0 to 1, 0.9 for 90 %"
    return {rate: number(least, f"goal[{rate!r}]", in_unit, lambda share: 0 <= share <= 1)}


class Chain(NamedTuple):
    """A chain: cuts in the order of their tests, and which of them lie within.

    The first and the last test may be of a cut outside, since between two scores counts are those
    at the upper one.
    """

    tests: range
    inside: range

    def first(self, passed: int) -> slice:
        """Cuts within the chain among the first tests."""
        if not passed:
            return slice(0, 0)
        ends = self.tests[0], self.tests[passed - 1]
        return slice(max(min(ends), self.inside.start), min(max(ends) + 1, self.inside.stop))


def chains(scores: Floats, starts: tuple[float, ...], direction: int) -> Iterator[Chain]:
    """Chains that begin at each start and end at the next, in a direction."""
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


@dataclass(frozen=True)
class Tested:
    """Counts of a rate at every cut, with the chains of its tests."""

    successes: Ints
    trials: Ints
    chains: tuple[tuple[Chain, ...], ...]

    @classmethod
    def of(cls, rule: Rule, cuts: Cuts) -> Tested:
        """The tests of a rule."""
        each = tuple(tuple(chains(cuts.scores, rule.starts, way)) for way in rule.directions)
        (zeros, ones), (fn, tn) = cuts.n, (cuts.ones_below, cuts.zeros_below)
        return cls(*rule.counts(ones - fn, zeros - tn, tn, fn), each)

    def kept(self, wish: float, level: float) -> NDArray[np.bool_]:
        """Which cuts keep the wish, all at once but for a chance of `level`."""
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
        """Whether any cut keeps the wish: `kept(...).any()`, by few tests."""
        for walk in self.chains:
            part = level / len(self.chains) / len(walk)
            held = 0.0
            for chain in walk:
                held += part
                # Two tests are enough: if any cut of the chain is inside, at most the first test is
                # of one outside.
                passed = self._passed(chain.tests[:2], wish, held)
                inside = chain.first(passed)
                if inside.start < inside.stop:
                    return True
                held *= passed == len(chain.tests)
        return False

    def most(self, level: float) -> float:
        """The largest wish that some cut keeps; 0 if none does."""
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.can_keep(middle, level) else (low, middle)
        return low

    def _passed(self, tests: range, wish: float, level: float) -> int:
        """How many tests pass before one fails."""
        done, block = 0, BLOCK
        while done < len(tests):
            part = np.asarray(tests[done : done + block])
            failed = np.flatnonzero(~self._passes(part, wish, level))
            if failed.size:
                return done + int(failed[0])
            done, block = done + part.size, 2 * block
        return done

    def _passes(self, at: Ints, wish: float, level: float) -> NDArray[np.bool_]:
        """Whether these successes, or more, have at most the probability `level` at the wish."""
        k, n = self.successes[at], self.trials[at]
        rate = k / np.maximum(n, 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            # Chernoff's bound decides most tests in a tenth of the time that the tail takes.
            bound = np.exp(-n * (rel_entr(rate, wish) + rel_entr(1 - rate, 1 - wish)))
        passes = (rate > wish) & (bound <= SAFELY * level)
        rest = np.flatnonzero(~passes & (k > 0))
        passes[rest] = betainc(k[rest], n[rest] - k[rest] + 1, wish) <= level
        return passes


@dataclass(frozen=True, eq=False)
class PopulationThreshold(Promised):
    """A threshold whose wishes all hold in the population, with a confidence.

    Attributes
    ----------
    threshold : float or None
        Scores of at least this are to be called positive; None if no score can promise it.
    wishes : mapping of str to float
        Rate -> the least that is wished for.
    most : mapping of str to float
        Rate -> the most that any score can promise, with these rows and this confidence.
    confidence : float
        Probability that all wishes hold, over samples of rows.
    rows : tuple of int
        Negative and positive rows that were looked at.
    within : tuple of pairs of float
        Thresholds that keep all wishes, all of them at once: each above the first number of a pair
        and up to the second.
    promise : Promise
        Its kind is "population".
    """

    threshold: float | None
    wishes: Mapping[str, float]
    most: Mapping[str, float]
    confidence: float
    rows: tuple[int, int]
    within: tuple[tuple[float, float], ...]
    promise: Promise

    def __float__(self) -> float:
        """The threshold."""
        if self.threshold is None:
            raise ValueError(f"threshold: {self.reason}")
        return self.threshold

    # It goes wherever a threshold does.

    def __bool__(self) -> bool:
        """Whether there is one."""
        return self.threshold is not None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """The threshold, beside scores in an array."""
        return np.array(float(self), dtype=dtype)

    def __format__(self, form: str) -> str:
        """The threshold as a number is written; without a form the text."""
        return format(float(self), form) if form else str(self)

    def __lt__(self, other: Any) -> Any:
        """Whether the threshold is below a number, or each of an array."""
        return float(self) < other

    def __le__(self, other: Any) -> Any:
        """Whether the threshold is at most a number, or each of an array."""
        return float(self) <= other

    def __gt__(self, other: Any) -> Any:
        """Whether the threshold is above a number, or each of an array."""
        return float(self) > other

    def __ge__(self, other: Any) -> Any:
        """Whether the threshold is at least a number, or each of an array."""
        return float(self) >= other

    def keeps_at(self, threshold: float) -> bool:
        """Whether another threshold keeps the wishes too, also if it is picked."""
        return any(low < threshold <= high for low, high in self.within)

    def moved_to(self, threshold: float) -> PopulationThreshold | None:
        """The same promise at another threshold, if that keeps the wishes too; else None."""
        return replace(self, threshold=threshold) if self.keeps_at(threshold) else None

    @property
    def reason(self) -> str:
        """Why there is no threshold, as a sentence without its full stop; empty if there is."""
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
        """The wishes and the confidence, in words."""
        wishes = ", ".join(f"{name} at least {wish:g}" for name, wish in self.wishes.items())
        return f"{wishes} in the population, {percent(self.confidence)} sure"

    def __repr__(self) -> str:
        """The threshold and what it keeps; or why there is none."""
        if self.threshold is None:
            return f"PopulationThreshold(None: {self.reason}; {self.keeps})"
        return f"PopulationThreshold({self.threshold:g}: {self.keeps})"


# A check for real numbers then accepts a PopulationThreshold.
numbers.Real.register(PopulationThreshold)


def population_threshold(
    runs: ScoreRuns, wishes: Mapping[str, float], confidence: float
) -> PopulationThreshold:
    """The threshold of one wish or several, each with an equal part of 1 - confidence.

    If there are several wishes, it is the cut that keeps all and has the largest Youden's index on
    these rows.
    """
    cuts = Cuts.of(runs)
    level = float(1 - exact_alpha(confidence)) / len(wishes)
    tested = {name: Tested.of(RULES[name], cuts) for name in wishes}
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
    """Runs of cuts that are kept, as thresholds; `up` lets the last run go on above all scores.

    Nobody is called there, which keeps a specificity as the highest score does.
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], kept, [False]])))
    lows = np.append(-np.inf, cuts.scores)[edges[::2]]
    highs = np.append(cuts.scores, np.inf)[edges[1::2] - 1 + (up & (edges[1::2] == kept.size))]
    return tuple(zip(lows.tolist(), highs.tolist(), strict=True))


def chosen_cut(
    kept: NDArray[np.bool_], wishes: Mapping[str, float], tested: Mapping[str, Tested], cuts: Cuts
) -> float | None:
    """One of the cuts that are kept: labels may choose it, since all of them hold at once."""
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
    # If several are equal, the highest is taken.
    return float(cuts.scores[at[::-1][np.argmax(preferred[::-1])]])
