"""Areas and Youden's thresholds of the test rows drawn again and again."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.text import threshold_text

from .bootstrap import law_of_people
from .followed_resampling import FollowedResampling
from .resampling import RowResampling

#: More distinct scores than this are joined with their neighbours: a histogram of 88 bars and a
#: threshold in a few digits do not part them, and the time of a redraw goes with the levels.
MOST_LEVELS = 512
#: Redraws that are counted at once.
BLOCK = 250
#: If a level has this many rows or more, Poisson numbers are faster. They are drawn for fewer rows
#: than there are, by this many standard deviations of their sum, and the rest is filled up.
ROWS_A_LEVEL, SHORT = 10, 4.0
#: The least alpha of a slider.
SUREST = 0.001
#: Share of the redraws outside "mostly".
REST = 0.05


#: Bars of a histogram of areas, and parts between the ticks of its axis.
BARS, PARTS = 88, 4
#: Lengths of a part, times a power of ten, that make round ticks; and the least length of an axis.
ROUND, SHORTEST = (Fraction(1), Fraction(2), Fraction(5, 2), Fraction(5)), 0.001


class Bars(NamedTuple):
    """Areas of the redraws, counted over an axis with round ends."""

    low: float
    high: float
    counts: Ints


class Redraws(NamedTuple):
    """Areas and thresholds as ascending numbers, one a redraw."""

    areas: Floats
    #: Thresholds with the largest ``TPR - FPR``; of equals the highest one.
    youden: Floats
    #: Limits of the area at the highest confidence that a slider has.
    widest: tuple[float, float]

    @classmethod
    def of(cls, evaluation: RocEvaluation, resamples: int, seed: int) -> Redraws:
        """Redraws by the law of the bootstrap's band: rows within their label, people whole."""
        rng = np.random.default_rng(seed)
        law, levels = _law(evaluation)
        found = law(resamples, rng)
        # A threshold above all scores calls nobody; it counts as 1, the slider's end.
        thresholds = np.concatenate([[1.0], levels])[found[1].astype(np.intp)]
        areas, area = np.sort(found[0]), evaluation.sampled.area
        widest = (float(areas[0]), float(areas[-1])) if area is None else area.limits(SUREST)
        return cls(areas, np.sort(thresholds), widest)

    def bars(self) -> Bars:
        """A histogram whose axis holds the limits at every confidence too."""
        ends = [float(self.areas[0]), float(self.areas[-1]), *self.widest]
        low, high = round_axis(min(ends), max(ends))
        return Bars(low, high, np.histogram(self.areas, BARS, (low, high))[0])

    @property
    def mostly(self) -> tuple[float, float]:
        """Range of Youden's threshold in the middle 95 % of the redraws."""
        ends = np.quantile(self.youden, [REST / 2, 1 - REST / 2], method="nearest")
        return float(ends[0]), float(ends[1])

    @property
    def mostly_rounded(self) -> tuple[float, float]:
        """The same range in the few digits of a threshold, which reveal nobody's score."""
        texts = (threshold_text(end).replace("−", "-") for end in self.mostly)
        lower, upper = map(float, texts)
        return lower, upper


def round_axis(low: float, high: float) -> tuple[float, float]:
    """Round ends, at most 1, of an axis of `PARTS` round parts that holds both areas."""
    power = math.floor(math.log10(max(high - low, SHORTEST) / PARTS))
    steps = (digits * Fraction(10) ** (power + more) for more in (0, 1) for digits in ROUND)
    for step in steps:
        start = min(Fraction(low) // step * step, 1 - PARTS * step)
        if start <= low and start + PARTS * step >= high:
            return float(start), float(start + PARTS * step)
    raise AssertionError("ten times the range holds it")


#: Draws areas and places of Youden's threshold, a row each.
_Law = Callable[[int, np.random.Generator], Floats]


def _law(evaluation: RocEvaluation) -> tuple[_Law, Floats]:
    """The law of an evaluation's rows, and the scores at the places."""
    labels, scores = evaluation.labels, evaluation.scores
    grid = np.array([0.0, 1.0])
    if (followed := evaluation.follow_up) is not None:
        law, samples = law_of_people(
            followed.outcome.structured, followed.scores, followed.horizon, grid
        )
        scores = np.unique(np.concatenate(samples.arrays))[::-1]
        return _rows(law), scores
    if evaluation.sample_weight is not None or evaluation.groups is not None:
        weights, groups = evaluation.sample_weight, evaluation.groups
        there = np.ones(labels.size, bool) if weights is None else weights > 0
        weights = None if weights is None else weights[there]
        if groups is not None:
            groups = np.unique(groups[there], return_inverse=True)[1]
        of_rows = RowResampling.of(labels[there] == 1, scores[there], grid, weights, groups)
        scores = np.unique(scores[there])[::-1]
        return _rows(of_rows), scores
    levels, places = np.unique(-scores, return_inverse=True)
    first = np.arange(levels.size)
    if levels.size > MOST_LEVELS:
        # Levels joined to groups of about equal numbers of rows; a group is named by its lowest
        # score.
        ranks = np.searchsorted(np.sort(-scores), levels) * MOST_LEVELS // scores.size
        joined = np.unique(ranks, return_inverse=True)[1]
        places, first = joined[places], np.searchsorted(joined, np.unique(joined), "right") - 1
    counts = tuple(np.bincount(places[labels == label], minlength=first.size) for label in (0, 1))
    return _levels(counts[0], counts[1]), -levels[first]


def _levels(zeros: Ints, ones: Ints) -> _Law:
    """Law of rows that count alike, from how many of each label have each score.

    The highest score comes first.
    """

    def draw(size: int, rng: np.random.Generator) -> Floats:
        found = np.empty((2, size))
        for start in range(0, size, BLOCK):
            block = slice(start, min(start + BLOCK, size))
            n = block.stop - block.start
            fp, tp = (
                np.pad(redrawn_counts(of, n, rng).cumsum(axis=1) / of.sum(), ((0, 0), (1, 0)))
                for of in (zeros, ones)
            )
            found[:, block] = _area(fp, tp), (tp - fp).argmax(axis=1)
        return found

    return draw


def redrawn_counts(of: Ints, size: int, rng: np.random.Generator) -> Ints:
    """Multinomial counts (size, m) of as many rows as there are, from those with each score (m,).

    Poisson numbers are multinomial given their sum, and take a third of the time. Those of nearly
    all rows (`SHORT`) are drawn so, and the rows that their sum lacks one by one.
    """
    rows = int(of.sum())
    if rows < ROWS_A_LEVEL * of.size:
        return rng.multinomial(rows, of / rows, size=size)
    rates = of * (1 - SHORT / math.sqrt(rows))
    counts = rng.poisson(rates, (size, of.size))
    lacking = rows - counts.sum(axis=1)
    while (over := np.flatnonzero(lacking < 0)).size:
        counts[over] = rng.poisson(rates, (over.size, of.size))
        lacking[over] = rows - counts[over].sum(axis=1)
    level_of_row = np.repeat(np.arange(of.size), of)
    more = level_of_row[rng.integers(rows, size=lacking.sum())]
    more += np.repeat(np.arange(size) * of.size, lacking)
    return counts + np.bincount(more, minlength=counts.size).reshape(counts.shape)


def _rows(law: RowResampling | FollowedResampling) -> _Law:
    """Law of rows with weights, of people with several rows, and of outcomes with a time."""

    def draw(size: int, rng: np.random.Generator) -> Floats:
        found = np.empty((2, size))
        for i in range(size):
            fp, tp = law.redrawn(rng)
            fp, tp = fp / fp[-1], tp / tp[-1]
            found[:, i] = _area(fp, tp), (tp - fp).argmax()
        return found

    return draw


def _area(fp: Floats, tp: Floats) -> Floats:
    """Area of polygons, ties half."""
    area: Floats = (np.diff(fp) * (tp[..., 1:] + tp[..., :-1])).sum(axis=-1) / 2
    return area
