"""The observed curve: how many scores of each label reach a threshold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, SupportsFloat

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logit

from conformal_roc_widget.arrays import (
    Floats,
    Ints,
    ReadOnlyArrays,
    RowMasses,
    array_of,
    by_label,
    read_only,
)
from conformal_roc_widget.calibration.followed.known import FollowUp
from conformal_roc_widget.checks import number, quoted
from conformal_roc_widget.logits import TIE, clipped, logit_of
from conformal_roc_widget.reliability.score_runs import ScoreRuns
from conformal_roc_widget.tables.summary import TableSummary

from .sampled import Sampled
from .sorted_sample import SortedSample, ranked_pairs

#: Half a pixel of a plot that is 1000 pixels wide.
HALF_A_PIXEL = 0.0005
#: A screen shows at most this many groups of scores in the reliability of a long table.
SHOWN_GROUPS = 128


class Vertices(NamedTuple):
    """Thresholds in descending order, their logits, and how many scores reach them."""

    thresholds: Floats
    logits: Floats
    fp: Ints
    tp: Ints


@dataclass(frozen=True, eq=False)
class ObservedCurve(ReadOnlyArrays, Sampled, inner=True):
    """Scores of a test set by label, each sorted once.

    Scores that are no probabilities are of `any_size`: in the place of a threshold's logit stands
    the rank of the lowest score that it calls. `score_logits` are logits that have more digits than
    their scores, and intervals are centred on `centres`, or where these are None on the logits.
    `weights` are those of the test rows; each score stands for so many `counts` of a weight `unit`.
    `summary` is the table that was read. `people` are codes of whom each row belongs to, and None
    where nobody has two rows. With a `follow_up` the rows are those that are known by a horizon.
    """

    scores: Floats
    labels: NDArray[np.int8]
    score_logits: Floats | None = None
    centres: Floats | None = None
    weights: Floats | None = None
    counts: Ints | None = None
    unit: float = 1.0
    summary: TableSummary | None = None
    people: Ints | None = None
    follow_up: FollowUp | None = None
    any_size: bool = False

    @classmethod
    def of(
        cls,
        scores: Floats,
        labels: NDArray[np.int8],
        weights: Floats | None,
        score_logits: Floats | None = None,
        centres: Floats | None = None,
        people: Ints | None = None,
        follow_up: FollowUp | None = None,
        *,
        any_size: bool = False,
    ) -> ObservedCurve:
        """Test points in memory; equal weights, and people with one row each, change nothing."""
        masses = None if weights is None else RowMasses.of(weights)
        if people is not None and np.unique(people).size == people.size:
            people = None
        given = scores, labels, score_logits, centres
        known: dict[str, Any] = {"people": people, "follow_up": follow_up, "any_size": any_size}
        if masses is None:
            return cls(*given, **known)
        return cls(*given, weights, masses.units, masses.unit, **known)

    @classmethod
    def of_table(cls, summary: TableSummary) -> ObservedCurve:
        """Test points of a table."""
        scores, labels, counts = summary.rows()
        return cls(scores, labels, counts=counts, unit=summary.masses[1], summary=summary)

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """The denominators of rates, by label: test points, or units of their weights."""
        if self.counts is None:
            ones = int(np.count_nonzero(self.labels))
            return self.labels.size - ones, ones
        ones = int(self.counts[self.labels == 1].sum())
        return int(self.counts.sum()) - ones, ones

    @property
    def rows(self) -> tuple[int, int]:
        """Test points by label, whatever they weigh."""
        if self.summary is not None:
            return self.summary.n
        ones = int(np.count_nonzero(self.labels))
        return self.labels.size - ones, ones

    @cached_property
    def sorted_rows(self) -> tuple[SortedSample, SortedSample]:
        """Scores of label 0 and of label 1, a number a row, whatever it weighs."""
        if self.summary is None:
            return by_label(lambda k: SortedSample.of(self.scores[self.labels == k]))
        scores, labels, counts = replace(self.summary, weights=None).rows()
        return by_label(lambda k: SortedSample.of(scores[labels == k], counts[labels == k]))

    @property
    def dependence(self) -> str:
        """Why test rows do not count as independent ones, for errors; else empty."""
        if self.follow_up is not None and (self.weights is not None or self.follow_up.n_unknown):
            return "test rows that stand for rows lost from sight"
        if self.weights is not None or (self.summary is not None and self.summary.weighted):
            return "test rows with weights"
        return "" if self.people is None else "several test rows of one person"

    @property
    def centre_logits(self) -> Floats:
        """Centres of the intervals in the order of the test set."""
        return self.logits if self.centres is None else self.centres

    def centres_of(self, label: int) -> tuple[Floats, Ints | None]:
        """Centres of a label in the order of the test set, and how much each counts."""
        of_label = self.labels == label
        counts = None if self.counts is None else self.counts[of_label]
        return self.centre_logits[of_label], counts

    @cached_property
    def score_groups(self) -> ScoreRuns:
        """Test points by score, in groups that no label decides."""
        if self.summary is not None:
            return ScoreRuns(*self.summary.groups())
        if self.counts is not None:  # weights of rows go in; groups would count rows
            return ScoreRuns.of(self.scores, self.labels == 1)
        return ScoreRuns.ascending(self.distinct, *self._points_of_steps)

    @property
    def _points_of_steps(self) -> tuple[Ints, Ints]:
        """How many rows, and how many positive ones, have each of the distinct scores."""
        every, ones = (np.diff(counts)[::-1] for counts in self.steps[1:])
        every += ones
        return every, ones

    def runs_of_places(self) -> ScoreRuns:
        """Rows by their place on the axis, in groups of equal ones, of many in fewer groups."""
        tie = 0.0 if self.any_size else TIE
        if self.counts is None and self.score_logits is None and self.centres is None:
            runs = ScoreRuns.ascending(self.distinct, *self._points_of_steps).few()
            if self.any_size:
                return runs
            places, ends = (clipped(logit_of(each)) for each in (runs.scores, runs.ends))
            if runs.scores.size < self.distinct.size:
                return replace(runs, scores=places, ends=ends, tie=tie)
            # Logits hardly ever fall as scores rise, but a clipped one may.
            if (places[1:] >= places[:-1]).all():
                return ScoreRuns.ascending(places, runs.points, runs.positives, tie)
        return ScoreRuns.of(self.on_axis(self.centre_logits), self.labels == 1, tie).few()

    @cached_property
    def screen_score_groups(self) -> ScoreRuns:
        """Groups of scores for a screen.

        Few, if the curve has more vertices than a screen shows.
        """
        groups = self.score_groups
        return groups.joined(SHOWN_GROUPS) if self.simplified else groups

    @cached_property
    def sorted_scores(self) -> tuple[SortedSample, SortedSample]:
        """Scores of label 0 and of label 1."""
        if (counts := self.counts) is not None:
            rows = by_label(lambda k: self.labels == k)
            return by_label(lambda k: SortedSample.of(self.scores[rows[k]], counts[rows[k]]))
        if self.any_size:
            return by_label(lambda k: SortedSample(np.sort(self.scores[self.labels == k])))
        # Scores of label 0 get a minus sign, so that one sort also parts the labels.
        signed = np.copysign(self.scores, 2 * self.labels - 1)
        signed.sort()
        np.abs(signed, out=signed)
        n0 = self.sizes[0]
        signed[:n0] = signed[:n0][::-1].copy()
        return SortedSample(read_only(signed[:n0])), SortedSample(read_only(signed[n0:]))

    @cached_property
    def sorted_logits(self) -> tuple[Floats, Floats]:
        """Logits of `sorted_scores`; among equal scores the smallest logit comes first."""
        return self._sorted_logits_of(0), self._sorted_logits_of(1)

    def _sorted_logits_of(self, label: int) -> Floats:
        if self.score_logits is None:
            sorted_scores = self.sorted_scores[label].values
            return sorted_scores if self.any_size else logit_of(sorted_scores)
        of_label = self.labels == label
        logits = self.score_logits[of_label]
        return np.asarray(logits[np.lexsort((logits, self.scores[of_label]))])

    @property
    def logits(self) -> Floats:
        """Logits of the scores in the order of the test set."""
        if self.any_size:
            return self.scores
        return logit_of(self.scores) if self.score_logits is None else self.score_logits

    def on_axis(self, logits: Floats) -> Floats:
        """Places on an axis: logits, cut at its ends; scores of any size as they are."""
        return logits if self.any_size else clipped(logits)

    @cached_property
    def ranked(self) -> tuple[int, int]:
        """Pairs that the score ranks as their labels, and the other way round."""
        zeros, ones = self.sorted_scores
        return ranked_pairs(ones, zeros)

    @property
    def auc(self) -> float:
        """Area under the curve, ties half."""
        right, wrong = self.ranked
        pairs = self.sizes[0] * self.sizes[1]
        return (pairs + right - wrong) / (2 * pairs)

    @cached_property
    def steps(self) -> tuple[Floats, Ints, Ints]:
        """Every threshold at which the curve has a vertex, and the counts of both labels there."""
        zeros, ones = self.sorted_scores
        scores = np.concatenate([zeros.values, ones.values])
        scores.sort(kind="stable")  # a merge, since both halves are sorted
        last = np.append(scores[1:] != scores[:-1], True)
        distinct = scores[last]
        # The curve starts above every score, as in scikit-learn's roc_curve.
        thresholds = np.append(distinct, np.inf)[::-1]
        if zeros.before is not None or ones.before is not None:
            return thresholds, zeros.at_least(thresholds), ones.at_least(thresholds)
        # Only the rarer label is counted at each score; the other label is the rest.
        fewer = zeros if zeros.size < ones.size else ones
        places = np.searchsorted(distinct, fewer.values)
        counted, both = np.zeros((2, thresholds.size), dtype=np.intp)
        np.cumsum(np.bincount(places, minlength=distinct.size)[::-1], out=counted[1:])
        both[1:-1] = scores.size - 1 - np.flatnonzero(last)[-2::-1]
        both[-1] = scores.size
        rest = both - counted
        return (thresholds, counted, rest) if fewer is zeros else (thresholds, rest, counted)

    @cached_property
    def vertices(self) -> Vertices:
        """Every vertex of the curve."""
        return self._with_logits(*self.steps)

    @cached_property
    def screen_vertices(self) -> Vertices:
        """The vertices of the curve that a screen can show; see `screen_vertices`."""
        thresholds, fp, tp = self.steps
        shown = screen_vertices(fp / self.sizes[0], tp / self.sizes[1])
        return self._with_logits(thresholds[shown], fp[shown], tp[shown])

    @property
    def simplified(self) -> bool:
        """Whether the curve has more vertices than a screen can show."""
        return self.screen_vertices.thresholds.size < self.steps[0].size

    def at_one(self, threshold: SupportsFloat) -> Vertices:
        """The curve at a single threshold."""
        return self.at([number(threshold, "threshold")])

    def at(self, thresholds: ArrayLike) -> Vertices:
        """The curve at given thresholds, descending.

        A threshold that equals a score has the logit of that score, not one computed anew.
        """
        given = _numbers_with_infinity(thresholds, "thresholds")
        given = np.sort(given)[::-1]
        if self.any_size:
            ranks = self._ranks_of(given)
            return Vertices(given, ranks, *(s.at_least(given) for s in self.sorted_scores))
        inside = (given > 0) & (given < 1)
        logits = np.where(given >= 1, np.inf, -np.inf)
        logits[inside] = logit(given[inside])
        if self.score_logits is not None:
            carried = self._carried_logits(given)
            known = inside & np.isfinite(carried)
            logits[known] = carried[known]
        fp, tp = (scores.at_least(given) for scores in self.sorted_scores)
        return Vertices(given, logits, fp, tp)

    def _with_logits(self, thresholds: Floats, fp: Ints, tp: Ints) -> Vertices:
        """Vertices at thresholds that are scores, the first one above them all."""
        if self.any_size:
            return Vertices(thresholds, self._ranks_of(thresholds), fp, tp)
        logits = self._carried_logits(thresholds)
        # Clipped scores have finite logits, with which ends of intervals would be counted wrongly.
        # No end lies above a threshold of 1; every finite end lies above a threshold of 0.
        logits[thresholds <= 0], logits[thresholds >= 1] = -np.inf, np.inf
        return Vertices(thresholds, logits, fp, tp)

    @property
    def distinct(self) -> Floats:
        """Distinct scores, ascending."""
        return self.steps[0][:0:-1]

    def _ranks_of(self, thresholds: Floats) -> Floats:
        """Rank of the lowest score that each threshold calls, infinite if it calls none."""
        ranks = np.searchsorted(self.distinct, thresholds).astype(np.float64)
        return np.where(ranks < self.distinct.size, ranks, np.inf)

    def _carried_logits(self, thresholds: Floats) -> Floats:
        """Logits of the thresholds that are scores (the smallest, if several share one), else inf.

        The logit of a score is known better than from the score: near 1 that has few digits left.
        """
        if self.score_logits is None:
            inside = (thresholds >= 0) & (thresholds <= 1)
            return np.where(inside, logit_of(np.where(inside, thresholds, 0.5)), np.inf)
        logits = np.full(thresholds.size, np.inf)
        for scores, score_logits in zip(self.sorted_scores, self.sorted_logits, strict=True):
            first = np.searchsorted(scores.values, thresholds)
            first[first == scores.values.size] = 0
            known = scores.values[first] == thresholds
            logits[known] = np.minimum(logits[known], score_logits[first[known]])
        return logits


def screen_vertices(fpr: Floats, tpr: Floats, near: float = HALF_A_PIXEL) -> Ints:
    """Positions of those vertices of a rising curve that a screen can show, both ends included.

    From each vertex shown, the next is the farthest to which neither rate moves by `near`, or the
    very next one. Every edge of a band is a step line over one of the two rates, so each stays
    within `near`, however far it moves in between.
    """
    shown, here = [0], 0
    while here < fpr.size - 1:
        beyond = min(rate.searchsorted(rate[here] + near) for rate in (fpr, tpr))
        here = max(int(beyond) - 1, here + 1)
        shown.append(here)
    return np.array(shown)


def _numbers_with_infinity(values: ArrayLike, name: str) -> Floats:
    """Thresholds: numbers of any size, infinite ones included, NaN not."""
    array = array_of(values, name)
    if array.ndim == 0:
        raise TypeError(f"{name}: found {quoted(values)}, expected numbers of shape (m,)")
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name}: found values of type {array.dtype}, expected numbers")
    if array.ndim != 1:
        raise ValueError(f"{name}: found shape {array.shape}, expected shape (m,)")
    if np.isnan(array).any():
        raise ValueError(f"{name}: found {np.isnan(array).sum()} NaN, expected none")
    return array.astype(np.float64)
