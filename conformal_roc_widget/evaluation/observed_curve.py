"""Makes the observed ROC curve: counts the scores of each label at or above each threshold.

The test points are in memory, or in a table that does not fit into it. Of such a table only counts
in narrow bins of the score are kept (`TableSummary`).
"""

from __future__ import annotations

import math
from bisect import bisect_left
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
    WholeScores,
    array_of,
    by_label,
    cut_among,
    read_only,
)
from conformal_roc_widget.calibration.followed.known import FollowUp
from conformal_roc_widget.checks import quoted
from conformal_roc_widget.logits import TIE, clipped, logit_of
from conformal_roc_widget.reliability.score_runs import GROUPS, MOST_DISTINCT, ScoreRuns
from conformal_roc_widget.tables.summary import TableSummary

from .sampled import Sampled
from .sorted_sample import SortedSample, ranked_pairs, sorted_places

#: Rates that differ by less than this look equal: it is half a pixel if the plot is 1000 pixels
#: wide.
HALF_A_PIXEL = 0.0005
#: If a curve has more vertices than a screen can show, its reliability view has at most this many
#: groups of scores.
SHOWN_GROUPS = 128


#: Counts of 32 or 64 bits.
Counts = NDArray[np.signedinteger[Any]]


class Vertices(NamedTuple):
    """The vertices of a ROC curve: descending thresholds, their logits, and counts.

    `fp` and `tp` are the numbers of scores of label 0 and of label 1 at or above each threshold.
    """

    thresholds: Floats
    logits: Floats
    fp: Ints
    tp: Ints


@dataclass(frozen=True, eq=False)
class ObservedCurve(ReadOnlyArrays, Sampled, inner=True):
    """The observed ROC curve of test points with scores and labels.

    Scores of each label are sorted on first use.
    """

    scores: Floats
    labels: NDArray[np.int8]
    #: The logits of the scores, if the classifier gives them with more digits than the scores have.
    score_logits: Floats | None = None
    #: The centres of the intervals, as logits. If None, they are the logits of the scores.
    centres: Floats | None = None
    #: The weights of the rows. None if all are equal.
    weights: Floats | None = None
    #: The number of test points, or of units of weight, that each score stands for. None if each is
    #: one test point.
    counts: Ints | None = None
    #: The weight of one unit of `counts`.
    unit: float = 1.0
    #: The counts of a table that does not fit into memory. None if the rows are in memory.
    summary: TableSummary | None = None
    #: The codes of the rows' people. None if nobody has two rows.
    people: Ints | None = None
    #: The horizon and the outcomes, if outcomes have a time. Otherwise None. The rows of the curve
    #: are those whose outcome at the horizon is known.
    follow_up: FollowUp | None = None
    #: Whether the scores are not probabilities. They then have no logits. The rank of the lowest
    #: score at or above a threshold replaces the threshold's logit.
    any_size: bool = False
    #: If scores are integers too large for floats: these integers, and the floats that replace
    #: them. Otherwise None.
    whole: WholeScores | None = None

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
        whole: WholeScores | None = None,
    ) -> ObservedCurve:
        """Makes the curve of test points in memory.

        Equal weights are ignored. So are people, if each has one row.
        """
        masses = None if weights is None else RowMasses.of(weights)
        if people is not None and np.unique(people).size == people.size:
            people = None
        given = scores, labels, score_logits, centres
        known: dict[str, Any] = {"people": people, "follow_up": follow_up}
        known |= {"any_size": any_size, "whole": whole}
        if masses is None:
            return cls(*given, **known)
        return cls(*given, weights, masses.units, masses.unit, **known)

    @classmethod
    def of_table(cls, summary: TableSummary) -> ObservedCurve:
        """Makes the curve from the counts of a table."""
        scores, labels, counts = summary.rows()
        return cls(scores, labels, counts=counts, unit=summary.masses[1], summary=summary)

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """The denominators of both labels' rates: test points, or units of weight."""
        if self.counts is None:
            ones = int(np.count_nonzero(self.labels))
            return self.labels.size - ones, ones
        ones = int(self.counts[self.labels == 1].sum())
        return int(self.counts.sum()) - ones, ones

    @cached_property
    def rows(self) -> tuple[int, int]:
        """The numbers of test points of label 0 and of label 1, whatever their weights."""
        if self.summary is not None:
            return self.summary.n
        ones = int(np.count_nonzero(self.labels))
        return self.labels.size - ones, ones

    @cached_property
    def sorted_rows(self) -> tuple[SortedSample, SortedSample]:
        """The ascending scores of label 0 and of label 1. Each row counts once, without weight."""
        if self.summary is None:
            return by_label(lambda k: SortedSample.of(self.scores[self.labels == k]))
        scores, labels, counts = replace(self.summary, weights=None).rows()
        return by_label(lambda k: SortedSample.of(scores[labels == k], counts[labels == k]))

    @cached_property
    def dependence(self) -> str:
        """Why test rows are not independent rows of equal weight, as words of an error, or ""."""
        if self.follow_up is not None and (self.weights is not None or self.follow_up.n_unknown):
            return "test rows that stand for rows lost from sight"
        if self.weights is not None or (self.summary is not None and self.summary.weighted):
            return "test rows with weights"
        return "" if self.people is None else "several test rows of one person"

    @property
    def centre_logits(self) -> Floats:
        """The centres of the intervals as logits, in the order of the test set."""
        return self.logits if self.centres is None else self.centres

    def centres_of(self, label: int) -> tuple[Floats, Ints | None]:
        """The centres of a label's points in the order of the test set, and their counts."""
        of_label = self.labels == label
        counts = None if self.counts is None else self.counts[of_label]
        return self.centre_logits[of_label], counts

    @cached_property
    def score_groups(self) -> ScoreRuns:
        """The test points in groups of equal scores. The groups do not depend on labels."""
        if self.summary is not None:
            return ScoreRuns(*self.summary.groups())
        if self.counts is not None:  # the groups count rows, so weights are ignored
            return ScoreRuns.of(self.scores, self.labels == 1)
        return ScoreRuns.ascending(self.distinct, *self._points_of_steps)

    @property
    def _points_of_steps(self) -> tuple[Ints, Ints]:
        """Numbers of rows, and of positive rows, with each distinct score in ascending order."""
        every, ones = (np.diff(counts)[::-1].astype(np.intp) for counts in self.steps[1:])
        every += ones
        return every, ones

    def _joined(self, most: int) -> ScoreRuns:
        """`score_groups` joined to at most `most` groups."""
        if self.counts is not None or self.distinct.size <= most:
            return self.score_groups.joined(most)
        # The groups are computed from the counts of the curve. `score_groups` needs a list of all
        # scores with their points, which would take as much memory as the rows.
        _, fp, tp = self.steps
        after, ones = (counts[-1] - counts[-2::-1] for counts in (fp + tp, tp))
        return ScoreRuns.of_sums(self.distinct, self.distinct, after, ones, most)

    def runs_of_places(self) -> ScoreRuns:
        """The rows in groups with equal positions on the axis, which are clipped logits.

        If scores are not probabilities, the positions are the scores. If there are very many
        groups, neighbours are joined.
        """
        tie = 0.0 if self.any_size else TIE
        if self.counts is None and self.score_logits is None and self.centres is None:
            many = self.distinct.size > MOST_DISTINCT
            runs = self._joined(GROUPS) if many else self.score_groups
            if self.any_size:
                return runs
            places, ends = (clipped(logit_of(each)) for each in (runs.scores, runs.ends))
            away = places[1:] - places[:-1]
            if runs.scores.size < self.distinct.size or (away > tie).all():
                return runs.moved(places, ends, tie)
            # The scores of `runs` ascend. If their `places` on the axis ascend too, nothing has to
            # be sorted. Otherwise the last line of this method sorts all rows by place.
            if (away >= 0).all():
                return ScoreRuns.ascending(places, runs.points, runs.positives, tie)
        return ScoreRuns.of(self.on_axis(self.centre_logits), self.labels == 1, tie).few()

    @cached_property
    def screen_score_groups(self) -> ScoreRuns:
        """The `score_groups` for a screen.

        If the curve has more vertices than a screen can show, neighbouring groups are joined.
        """
        return self._joined(SHOWN_GROUPS) if self.simplified else self.score_groups

    @cached_property
    def sorted_scores(self) -> tuple[SortedSample, SortedSample]:
        """The ascending scores of label 0 and of label 1, with their counts."""
        if (counts := self.counts) is not None:
            rows = by_label(lambda k: self.labels == k)
            return by_label(lambda k: SortedSample.of(self.scores[rows[k]], counts[rows[k]]))
        if self.any_size:
            return by_label(lambda k: SortedSample(np.sort(self.scores[self.labels == k])))
        # Scores of label 0 get a minus sign. After one sort they come first, in reverse order, and
        # the scores of label 1 follow.
        signed = np.copysign(self.scores, 2 * self.labels - 1)
        signed.sort()
        np.abs(signed, out=signed)
        n0 = self.sizes[0]
        signed[:n0] = signed[:n0][::-1].copy()
        return SortedSample(read_only(signed[:n0])), SortedSample(read_only(signed[n0:]))

    @cached_property
    def sorted_logits(self) -> tuple[Floats, Floats]:
        """The logits of `sorted_scores`. If scores are equal, their logits ascend."""
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
        """Logits of the scores in the test set's order. With `any_size`, the scores themselves."""
        if self.any_size:
            return self.scores
        return logit_of(self.scores) if self.score_logits is None else self.score_logits

    def on_axis(self, logits: Floats) -> Floats:
        """Clips logits to the smallest and the largest position on the axis.

        Scores that are not probabilities are returned unchanged.
        """
        return logits if self.any_size else clipped(logits)

    @cached_property
    def ranked(self) -> tuple[int, int]:
        """The numbers of (negative, positive) pairs that the score ranks correctly, and wrongly."""
        zeros, ones = self.sorted_scores
        return ranked_pairs(ones, zeros)

    @cached_property
    def auc(self) -> float:
        """The area under the curve. Ties count half."""
        right, wrong = self.ranked
        pairs = self.sizes[0] * self.sizes[1]
        return (pairs + right - wrong) / (2 * pairs)

    @cached_property
    def steps(self) -> tuple[Floats, Counts, Counts]:
        """The threshold, and the counts of label 0 and of label 1, at each vertex of the curve.

        Counts have 32 bits if these are enough. This saves memory, because there may be as many
        vertices as rows.
        """
        zeros, ones = self.sorted_scores
        scores = np.empty(zeros.values.size + ones.values.size + 1)
        scores[: zeros.values.size], scores[zeros.values.size : -1] = zeros.values, ones.values
        # The highest threshold is infinite, as in scikit-learn's roc_curve. So the curve starts
        # above every score.
        scores[-1] = np.inf
        scores.sort(kind="stable")  # merges the two labels' scores, each of which is sorted
        last = scores[1:] != scores[:-1]
        alone = bool(last.all())
        thresholds = (scores if alone else scores[np.append(last, True)])[::-1]
        if zeros.before is not None or ones.before is not None:
            return thresholds, zeros.at_least(thresholds), ones.at_least(thresholds)
        # Only the scores of the rarer label are looked up. At each threshold, the count of the
        # other label is the count of all rows minus that of the rarer label.
        n, kind = scores.size - 1, np.int32 if scores.size < 2**31 else np.int64
        fewer = zeros if zeros.size < ones.size else ones
        places = thresholds.size - 1 - sorted_places(thresholds[::-1], fewer.values, "left")
        counted: Counts = np.cumsum(np.bincount(places, minlength=thresholds.size), dtype=kind)
        every: Counts
        if alone:
            every = np.arange(n + 1, dtype=kind)
        else:
            first = np.append(0, np.flatnonzero(last)[:-1] + 1)
            every = np.append(0, n - first[::-1]).astype(kind)
        np.subtract(every, counted, out=every)
        return (thresholds, counted, every) if fewer is zeros else (thresholds, every, counted)

    @cached_property
    def vertices(self) -> Vertices:
        """All vertices of the curve."""
        thresholds, *counts = self.steps
        fp, tp = (each.astype(np.intp) for each in counts)
        return self._with_logits(thresholds, fp, tp)

    @cached_property
    def screen_vertices(self) -> Vertices:
        """The vertices that a screen can tell apart. See the function `screen_vertices`."""
        thresholds, fp, tp = self.steps
        shown = screen_vertices(fp, tp, self.sizes)
        some = (each[shown].astype(np.intp) for each in (fp, tp))
        return self._with_logits(thresholds[shown], *some)

    @cached_property
    def simplified(self) -> bool:
        """Whether the curve has more vertices than a screen can show."""
        return self.screen_vertices.thresholds.size < self.steps[0].size

    def at_one(self, threshold: SupportsFloat) -> Vertices:
        """Returns the curve at one threshold, as `Vertices` of length 1."""
        return self.at([self.cut(threshold)])

    def cut(self, threshold: Any, *expected: Any) -> float:
        """Returns `threshold` as a float to compare with scores. `expected` is for its error."""
        return cut_among(self.whole, threshold, *expected)

    def named(self, cut: float) -> float:
        """The integer score that the float `cut` replaces. If there is none, returns `cut`."""
        return cut if self.whole is None else self.whole.named(cut)

    def at(self, thresholds: ArrayLike) -> Vertices:
        """Returns the curve at given thresholds, which are sorted in descending order.

        If a threshold equals a score, its logit is that of the score.
        """
        given = _numbers_with_infinity(thresholds, "thresholds")
        if self.whole is not None and np.asarray(thresholds).dtype.kind in "iu":
            given = np.array([self.cut(each) for each in np.asarray(thresholds).tolist()])
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
        """Adds logits to the vertices with these thresholds and counts.

        The first threshold is infinite, and each other one is a score. If scores are not
        probabilities, ranks replace logits.
        """
        if self.any_size:
            return Vertices(thresholds, self._ranks_of(thresholds), fp, tp)
        logits = self._carried_logits(thresholds)
        # If a threshold is at least 1, no end of an interval may count as above it. If it is 0,
        # every finite end must count as above it. So these thresholds get infinite logits. `logits`
        # has finite ones, because the logits of scores 0 and 1 are clipped.
        logits[thresholds <= 0], logits[thresholds >= 1] = -np.inf, np.inf
        return Vertices(thresholds, logits, fp, tp)

    @property
    def distinct(self) -> Floats:
        """The distinct scores in ascending order."""
        return self.steps[0][:0:-1]

    def _ranks_of(self, thresholds: Floats) -> Floats:
        """Rank of the lowest score at or above each threshold. If there is none, it is infinite."""
        ranks = np.searchsorted(self.distinct, thresholds).astype(np.float64)
        return np.where(ranks < self.distinct.size, ranks, np.inf)

    def _carried_logits(self, thresholds: Floats) -> Floats:
        """Returns the smallest known logit of the score that equals each threshold, or else inf.

        A score near 1 has few digits left, so `score_logits` are more exact than the logit computed
        from it.
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


def screen_vertices(
    fp: Counts | Floats, tp: Counts | Floats, sizes: tuple[int, int] = (0, 0)
) -> Ints:
    """Returns the indices of those vertices of a ROC curve that a screen can tell apart.

    `fp` and `tp` are counts, and `sizes` are the numbers of all rows of label 0 and of label 1.
    Without `sizes`, `fp` and `tp` are rates. After a vertex, the next index is that of the farthest
    vertex within `HALF_A_PIXEL` in both rates, or of the very next vertex if none is so near. An
    edge of a band is a step line along one of the two rates. So an edge through the chosen vertices
    is nowhere farther than `HALF_A_PIXEL` from the edge through all vertices.
    """
    # `bisect` in a memoryview takes a fifth of the time of `np.searchsorted` for a single number.
    across, up = fp.data, tp.data
    (n0, n1), shown, here, last = sizes, [0], 0, fp.size - 1
    while here < last:
        beyond = bisect_left(across, _half_a_pixel_on(across[here], n0), here + 1, last + 1)
        beyond = bisect_left(up, _half_a_pixel_on(up[here], n1), here + 1, beyond)
        here = max(beyond - 1, here + 1)
        shown.append(here)
    return np.array(shown)


def _half_a_pixel_on(value: float, n: int) -> float:
    """The smallest count of `n` whose rate exceeds that of `value` by at least `HALF_A_PIXEL`.

    If `n` is 0, `value` is a rate, and so is the result.
    """
    if not n:
        return value + HALF_A_PIXEL
    least = value / n + HALF_A_PIXEL
    count = math.ceil(least * n)
    # `least * n` has a rounding error, so `count` may be wrong by one. The loops compare rates, and
    # correct it.
    while count / n < least:
        count += 1
    while (count - 1) / n >= least:
        count -= 1
    return count


def _numbers_with_infinity(values: ArrayLike, name: str) -> Floats:
    """Returns `values` as thresholds: a float array (m,). They may be infinite, but not NaN."""
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
