"""Evaluates rows without labels: the expected curve, and limits of what their labels will show.

The assumption is that a score means the same risk in new rows as in labelled ones. Then labelled
rows give a posterior of ``logit P(y = 1 | score)``, as in the reference "sharp". Each draw from it
is a candidate for the risks of the new rows, and their labels are drawn from these risks. So
candidates differ by what is unknown about the risks, and by the randomness of the labels. The
limits contain both rates of the share ``1 - alpha`` of the candidates, at every threshold at once.

The limits are at the same distance from the candidates' mean everywhere. The distance is measured
on the scale of ``arcsin(sqrt(rate))``, in units of the candidates' standard deviation. On this
scale the deviation of a share hardly depends on the share. Rows are counted in cells of
neighbouring scores. If a threshold is within a cell, the lower limit leaves the cell out, and the
upper limit includes it.

If the share of positives has changed, scores cannot show it. If the new share is known, the
log-odds of each risk change by as much as those of the share. This assumes that scores are
distributed within each class as before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, SupportsFloat

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, ndtri

from conformal_roc_widget.arrays import (
    Floats,
    Ints,
    WholeScores,
    any_scores_of,
    by_label,
    in_unit_range,
    one_column,
    shortened,
)
from conformal_roc_widget.calibration.references.additive_posterior import MOST_POINTS
from conformal_roc_widget.calibration.references.posterior import LogitPosterior, fit_sharp
from conformal_roc_widget.calibration.residuals import GroupedResiduals
from conformal_roc_widget.checks import number
from conformal_roc_widget.logits import TIE, clipped, logit_of
from conformal_roc_widget.promise import ONE_NUMBER, Promise, for_labels, target_of
from conformal_roc_widget.tables.columns import is_missing
from conformal_roc_widget.tables.summary import bins_of, scores_of_table
from conformal_roc_widget.text import EXACT, Note, counted, percent

from .at_alpha import AREA, AtAlpha, CalibratedCurve, Ends
from .band import AucRange, PointIntervals
from .estimate import SamplingInterval
from .evaluated import Evaluated, Sources
from .expected_curve import UNLABELLED, ExpectedCurve, needs_labels
from .notes import SHARE_TO_NOTE
from .observed_curve import ObservedCurve
from .sorted_sample import Limits, SortedSample
from .support import Diagnostics

#: The number of candidates, which are possible curves. Neighbouring scores are joined to at most
#: `CELLS` cells.
DRAWS, CELLS = 2_000, 512
#: Two scores are in the same cell if their logits differ by less than this, relative to the logit
#: (or to 1, if the logit is smaller). If scores are no probabilities, normal quantiles of their
#: ranks replace the logits.
NEAR = 2.0**-19
#: The standard deviation of a rate over the candidates (possible curves) is raised to at least this
#: multiple of the binomial one. If a threshold is near the highest scores, perhaps no candidate has
#: a row of a label above it. The deviation would then be 0, and a single row above the threshold
#: would be outside the limits.
LEAST_DEVIATION = 0.5
#: If scores are not probabilities, normal quantiles of their ranks replace the logits. These are
#: interpolated between at most this many labelled scores.
MOST_RANKS = 1_000
#: Fewer new rows than this are refused.
FEWEST = 20
#: Why rows without labels have no ideal curve, and no limits under ``guarantee="everywhere"``.
NO_DRAWS = f"found {UNLABELLED}, expected rows with labels: its draws are made from these"
NO_EVERYWHERE = f"guarantee: found 'everywhere' for {UNLABELLED}, expected rows with labels"
#: The level of the test whether the known labels of new rows agree with the expected ones.
LEVEL = 0.05


class Learned(NamedTuple):
    """The posterior of ``logit P(y = 1 | score)`` given labelled rows.

    `n` has the number of labelled rows of each label, and `ends` their lowest and highest score.
    The posterior is a function of the place of a score, which is its logit. If scores are not
    probabilities, the place is a normal quantile of the score's rank, and `ranked` has some
    labelled scores with their places.
    """

    posterior: LogitPosterior
    n: tuple[int, int]
    ends: tuple[float, float]
    ranked: tuple[Floats, Floats] | None = None

    @classmethod
    def of(cls, labelled: ObservedCurve) -> Learned:
        """Computes the posterior from labelled rows.

        If only counts of a table are known, and there are more rows than the posterior can use, it
        uses a random sample.
        """
        rows: Any = slice(None)
        if (counts := labelled.counts) is not None:
            before, rng = np.cumsum(counts), np.random.default_rng([0, 5])
            n = int(before[-1])
            some = np.arange(n) if n <= MOST_POINTS else rng.choice(n, MOST_POINTS, replace=False)
            rows = np.searchsorted(before, some, side="right")
        scores, ranked = labelled.scores, None
        if labelled.any_size:
            ordered = SortedSample(np.sort(scores)).at_even_ranks(MOST_RANKS)
            ranks = np.searchsorted(ordered, ordered) + np.searchsorted(ordered, ordered, "right")
            ranked = ordered, ndtri((ranks + 1) / (2 * ordered.size + 2))
        places = places_of(ranked, scores, labelled.logits)[rows]
        posterior = fit_sharp(places[:, None], labelled.labels[rows].astype(np.intp))
        ends = float(scores.min()), float(scores.max())
        return cls(posterior, labelled.rows, ends, ranked)

    def places(self, scores: Floats, logits: Floats | None = None) -> Floats:
        """Returns the places of `scores`, which determine the posterior. `logits` may be given."""
        return places_of(self.ranked, scores, logits)

    @property
    def share(self) -> float:
        """The share of positives among the labelled rows."""
        return self.n[1] / sum(self.n)

    def move(self, prevalence: float | None) -> float:
        """Returns what to add to each risk's log-odds for another share of positives.

        If `prevalence` is None, the result is 0.
        """
        return 0.0 if prevalence is None else float(logit(prevalence) - logit(self.share))


def places_of(
    ranked: tuple[Floats, Floats] | None, scores: Floats, logits: Floats | None
) -> Floats:
    """The places of `scores`: clipped logits or, if `ranked` is given, interpolated in it."""
    if ranked is not None:
        return np.interp(scores, *ranked)
    return clipped(logit_of(scores) if logits is None else logits)


class NewRows(NamedTuple):
    """New rows, most of them without labels, counted by distinct scores in ascending order.

    `scores` and `labels` are those of single rows (-1: no label yet). If the rows come from a
    table, each score stands for `counts` rows. `distinct` are the distinct scores. Each has its
    place (`places`), its number of rows `n`, and its numbers of rows that are known to have label 0
    and label 1.
    """

    scores: Floats
    labels: NDArray[np.int8]
    counts: Ints | None
    distinct: Floats
    places: Floats
    n: Ints
    known: tuple[Ints, Ints]

    @classmethod
    def of(
        cls,
        learned: Learned,
        scores: Floats,
        logits: Floats | None,
        labels: NDArray[np.int8],
        counts: Ints | None = None,
    ) -> NewRows:
        """Sorts the rows by score, and counts those with equal scores.

        `logits`, if given, are the places of the scores.
        """
        order: Any = slice(None)
        if alike := logits is None and counts is None and (labels < 0).all():
            ordered = np.sort(scores)
        else:
            order = np.argsort(scores, kind="stable")
            ordered = scores[order]
        first = np.flatnonzero(np.append(True, ordered[1:] > ordered[:-1]))
        distinct = ordered[first]
        places = learned.places(distinct, None if logits is None else logits[order][first])
        n = np.diff(np.append(first, scores.size))
        zeros = ones = np.zeros_like(n)
        if not alike:
            every = [np.ones_like(order) if counts is None else counts, labels == 0, labels == 1]
            n, zeros, ones = (np.add.reduceat(each[order], first, dtype=np.intp) for each in every)
        return cls(scores, labels, counts, distinct, places, n, (zeros, ones))

    @property
    def apart(self) -> NDArray[np.bool_]:
        """Whether each distinct score, from the highest down, may begin a new cell.

        A score may not if it nearly equals the score before it, or is in the same bin of a table.
        """
        down = self.places[::-1]
        if self.counts is not None:
            return np.append(True, np.diff(bins_of(logit_of(self.distinct[::-1]))) != 0)
        return np.append(True, -np.diff(down) > NEAR * np.maximum(1.0, np.abs(down[1:])))

    @property
    def waiting(self) -> Ints:
        """The number of rows without a label at each distinct score."""
        return self.n - self.known[0] - self.known[1]


class Cells(NamedTuple):
    """Cells of neighbouring distinct scores, from the highest score down.

    `first` and `last` are the indices of the highest and the lowest score of each cell, counted
    from the highest of all scores.
    """

    first: Ints
    last: Ints

    @classmethod
    def of(cls, apart: NDArray[np.bool_], negative: Floats, positive: Floats) -> Cells:
        """Makes at most `CELLS` cells with about equal expected shares of both labels.

        `negative` and `positive` are the expected numbers of rows at each distinct score, from the
        highest down. A cell may begin only at scores that are `apart` from the score before.
        """
        mass = (negative.cumsum() / negative.sum() + positive.cumsum() / positive.sum()) / 2
        group = np.flatnonzero(apart)
        if group.size > CELLS:
            before = np.append(0.0, mass[:-1])[group]
            group = group[np.append(True, np.diff(np.floor(before * CELLS)) > 0)]
        return cls(group, np.append(group[1:], apart.size) - 1)

    def sums(self, each: Any) -> Any:
        """Sums an array over each cell. `each` has a value for each score, the highest first."""
        return np.add.reduceat(each, self.first)


class Rates(NamedTuple):
    """The candidates' rates of one label, if all cells down to a given one are predicted positive.

    For each cell it has the mean and the standard deviation over the candidates, on the scale of
    ``arcsin(sqrt(rate))``.
    """

    centre: Floats
    deviation: Floats

    def limits(self, far: float) -> tuple[Floats, Floats]:
        """The limits `far` standard deviations from the mean, made monotone over the cells."""
        sides = (self.centre - far * self.deviation, self.centre + far * self.deviation)
        low, high = (np.sin(np.clip(each, 0, np.pi / 2)) ** 2 for each in sides)
        low[-1] = high[-1] = 1.0
        return np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]


class Candidates(NamedTuple):
    """Candidates for what the labels of the new rows will show.

    `rates` are those of label 0 and of label 1. For each candidate, `farthest` has the largest
    distance of its rates from their means, in standard deviations, and `areas` has its area. Each
    of the two is sorted in ascending order.
    """

    rates: tuple[Rates, Rates]
    farthest: Floats
    areas: Floats

    @classmethod
    def of(cls, positive: Ints, negative: Ints) -> Candidates:
        """Makes candidates from their numbers of positive and negative rows (cells, candidates).

        Candidates with only one label have no curve and are left out.
        """
        ones, zeros = positive.sum(axis=0), negative.sum(axis=0)
        curves = (ones > 0) & (zeros > 0)
        if curves.mean() < 0.5:
            raise ValueError(
                "X_or_scores: found rows that are expected to have one label "
                f"({ones.mean():.2g} positives, {zeros.mean():.2g} negatives), expected rows of "
                "both: without them there is no curve"
            )
        upto = [np.cumsum(each[:, curves], axis=0) for each in (negative, positive)]
        farthest, rates = np.zeros(int(curves.sum())), []
        for each in upto:
            scale = np.arcsin(np.sqrt(each / each[-1]))
            least = LEAST_DEVIATION / (2 * np.sqrt(each[-1].mean()))
            found = Rates(scale.mean(axis=1), np.hypot(scale.std(axis=1), least))
            away = np.abs(scale - found.centre[:, None]) / found.deviation[:, None]
            farthest = np.maximum(farthest, away[:-1].max(axis=0, initial=0.0))
            rates.append(found)
        below = upto[0][-1] - upto[0] + negative[:, curves] / 2
        areas = (positive[:, curves] * below).sum(axis=0) / (upto[0][-1] * upto[1][-1])
        return cls((rates[0], rates[1]), np.sort(farthest), np.sort(areas))

    def far(self, alpha: float) -> float:
        """Returns the half-width of limits at `alpha`, in standard deviations.

        If there are too few candidates, it is infinite.
        """
        # The true curve counts as one more candidate, hence n + 1.
        n = self.farthest.size
        rank = int(np.ceil((1 - alpha) * (n + 1) - 1e-9))
        return float(self.farthest[rank - 1]) if rank <= n else np.inf

    def area_limits(self, alpha: float) -> tuple[float, float]:
        """Limits of the area. At most alpha / 2 of the candidates are beyond each of them."""
        rank = int(np.floor(alpha / 2 * (self.areas.size + 1) + 1e-9))
        if not rank:
            return 0.0, 1.0
        return float(self.areas[rank - 1]), float(self.areas[-rank])


class Agreement(NamedTuple):
    """Whether the known labels of new rows agree with the expected ones.

    It has the number of known labels, the positives among them, the expected positives with limits,
    and the p-value of a test.
    """

    n: int
    positives: int
    expected: float
    limits: tuple[float, float]
    p: float

    @classmethod
    def of(cls, known: Ints, positives: Ints, drawn: Ints, places: Floats) -> Agreement:
        """Tests the number of positives, and their places, against the candidates.

        For each cell, `known` is the number of rows with known labels, and `positives` the number
        of positives among them. `drawn` (cells, s) has the number of positives that each of s
        candidates draws for the same rows. `places` has the mean place of the rows of each cell.
        Two sums over the positives are tested: their number, and the sum of their places. The
        statistic is the Mahalanobis distance of these sums from the candidates' mean.
        """
        n = int(known.sum())
        middle = float(known @ places) / n
        spread = float(np.sqrt(known @ (places - middle) ** 2 / n)) or 1.0
        columns = np.stack([np.ones(places.size), (places - middle) / spread])
        seen, candidates = columns @ positives, columns @ drawn
        mean = candidates.mean(axis=1)
        inverse = np.linalg.pinv(np.cov(candidates), rcond=1e-9, hermitian=True)

        def distance(each: Floats) -> Floats:
            return np.asarray(np.sum(each * (inverse @ each), axis=0))

        away = distance(candidates - mean[:, None])
        p = (1 + np.count_nonzero(away >= distance(seen - mean) * (1 - 1e-9))) / (1 + away.size)
        low, high = np.quantile(candidates[0], [LEVEL / 2, 1 - LEVEL / 2]).tolist()
        return cls(n, int(positives.sum()), float(mean[0]), (low, high), float(p))

    def note(self, is_told: bool) -> Note:
        """Returns the note on the result of the test. `is_told` says whether a share was given."""
        agree = self.p > LEVEL
        remedy = "give another prevalence or none" if is_told else "give prevalence"
        return Note(
            f"{self.positives:,} of the {counted(self.n, 'row')} whose labels have come "
            f"{'is' if self.positives == 1 else 'are'} positive; expected were "
            f"{self.expected:.1f} ({percent(1 - LEVEL)}: {self.limits[0]:.0f} to "
            f"{self.limits[1]:.0f}):",
            f"by number and scores they {'agree' if agree else 'disagree'} with what was expected "
            f"(p = {self.p:.2g}, a test at the level {percent(LEVEL)}).",
            ""
            if agree
            else "The limits promise nothing for the others: a score means another "
            f"risk here. If only the share of positives differs, {remedy}.",
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class UnlabelledCurve(CalibratedCurve):
    """The expected curve of new rows without labels, with limits from candidates.

    `prevalence` is the share of positives that the user gave, or None.
    """

    observed: ExpectedCurve
    learned: Learned
    new: NewRows
    prevalence: float | None
    cells: Cells
    candidates: Candidates
    agreement: Agreement | None
    is_shifted: ClassVar[bool] = False

    @classmethod
    def of(
        cls,
        learned: Learned,
        new: NewRows,
        prevalence: float | None,
        any_size: bool,
        whole: WholeScores | None = None,
    ) -> UnlabelledCurve:
        """Draws the candidates. The means of their risks give the expected curve."""
        move, down = learned.move(prevalence), slice(None, None, -1)
        places, waiting = new.places[down], new.waiting[down]
        risk = expit(learned.posterior.logits(_some(places)[:, None]) + move)
        risk = np.interp(-places, -_some(places), risk)
        cells = Cells.of(new.apart, new.n[down] * (1 - risk), new.n[down] * risk)
        n = cells.sums(new.n[down])
        middle = cells.sums(new.n[down] * places) / n
        risks = expit(learned.posterior.draws(middle[:, None], DRAWS) + move)
        rng = np.random.default_rng([0, 6])
        drawn = rng.binomial(cells.sums(waiting)[:, None], risks)
        zeros, ones = (cells.sums(each[down]) for each in new.known)
        positive = drawn + ones[:, None]
        known, agreement = zeros + ones, None
        if known.any():
            others = rng.binomial(known[:, None], risks)
            agreement = Agreement.of(known, ones, others, middle)
        mean = logit(np.clip(risks.mean(axis=1), 1e-300, 1 - 1e-16))
        own = expit(np.interp(new.places, middle[down], mean[down]))
        expected = new.waiting * own
        observed = ExpectedCurve.of_masses(
            new.scores,
            new.labels,
            new.distinct,
            new.n - expected - new.known[1],
            expected + new.known[1],
            expected * (1 - own),
            new.counts,
            any_size=any_size,
            whole=whole,
        )
        none = GroupedResiduals.pooled(np.empty(0))
        promise = for_labels(is_told=prevalence is not None)
        return cls(
            observed=observed,
            groups=(none, none),
            rule="paper",
            promise=promise,
            point_promise=promise,
            learned=learned,
            new=new,
            prevalence=prevalence,
            cells=cells,
            agreement=agreement,
            candidates=Candidates.of(positive, n[:, None] - positive),
        )

    def at(self, alpha: float) -> UnlabelledAtAlpha:
        """All results at the significance level `alpha`."""
        return UnlabelledAtAlpha.of(self, alpha)

    def with_prevalence(self, prevalence: Any) -> UnlabelledCurve:
        """The same rows with another share of positives. None is that of the labelled rows."""
        told = told_share(prevalence)
        if told == self.prevalence:
            return self
        same = self.observed.any_size, self.observed.whole
        return UnlabelledCurve.of(self.learned, self.new, told, *same)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes on the known labels, and on scores outside those of the labelled rows."""
        low, high = self.learned.ends
        outside = (self.new.distinct < low) | (self.new.distinct > high)
        share = float(self.new.n[outside].sum() / self.new.n.sum())
        notes = (
            () if self.agreement is None else (self.agreement.note(self.prevalence is not None),)
        )
        if share <= SHARE_TO_NOTE:
            return notes
        return *notes, Note(
            f"{percent(round(share, 2))} of the new rows have scores outside those of the labelled "
            "rows:",
            "their risk continues that of the nearest ones.",
        )

    @property
    def n_calibration(self) -> dict[int, int]:
        """By label, the number of labelled rows."""
        return dict(enumerate(self.learned.n))

    @cached_property
    def cell_ends(self) -> tuple[Floats, Floats]:
        """Numbers just above the lowest and the highest score of each cell, in ascending order.

        They are logits or, if scores are not probabilities, ranks. They have single precision,
        which is enough for a page.
        """
        distinct = self.observed.distinct_scores
        axis = np.arange(distinct.size) + 0.5
        if not self.observed.any_size:
            axis = logit_of(distinct) + 2 * TIE
        single = axis.astype(np.float32)
        axis = np.where(single < axis, np.nextafter(single, np.float32(np.inf)), single)
        last, first = (axis[::-1][each][::-1].astype(float) for each in self.cells[::-1])
        return last, first


@dataclass(frozen=True, eq=False)
class UnlabelledAtAlpha(AtAlpha):
    """The results at one significance level for rows without labels."""

    _curve: UnlabelledCurve

    @property
    def n_calibration(self) -> dict[int, int]:
        """By label, the number of labelled rows."""
        return self._curve.n_calibration

    def auc(self) -> SamplingInterval:
        """Returns the expected area under the curve, with limits of what the labels will show."""
        limits = self._curve.candidates.area_limits(self.alpha)
        method = "candidates for the labels"
        found = SamplingInterval.of(
            (self._curve.observed.auc, *limits), alpha=self.alpha, method=method, target=""
        )
        return found.with_promise(self._range_promise(AREA).replaced(scope=ONE_NUMBER))

    def display_auc(self) -> AucRange:
        """The area, and the limits of `auc` as its range, for a screen."""
        return AucRange(*self.auc()).with_promise(self._range_promise(AREA))

    def intervals(self) -> PointIntervals:
        """Raises an error, because a row's interval depends on its label, which is unknown."""
        raise ValueError(needs_labels("intervals"))

    def undecided(self, threshold: SupportsFloat) -> NDArray[np.bool_]:
        """Raises an error, because whether a row is undecided depends on its unknown label."""
        raise ValueError(needs_labels("undecided"))

    @cached_property
    def lower(self) -> Ends:
        """For each label, numbers in place of the lower ends of intervals.

        The lower limit of a count at a threshold is how many of these numbers are above it.
        """
        return by_label(lambda k: self._ends_of(k, 0))

    @cached_property
    def upper(self) -> Ends:
        """For each label, numbers in place of the upper ends of intervals.

        The upper limit of a count at a threshold is how many of these numbers are above it.
        """
        return by_label(lambda k: self._ends_of(k, 1))

    def _ends_of(self, label: int, side: int) -> Limits:
        rates = self._curve.candidates.rates[label].limits(self._far)[side]
        n = self._curve.observed.sizes[label]
        upto = (np.floor(rates * n), np.ceil(rates * n))[side].astype(np.intp)
        # `SortedSample` needs `before`, the number of values up to each cell. The number of values
        # above a threshold must be the limit of the count, `upto`. So `before` is n minus `upto`,
        # in ascending order.
        before = n - np.append(upto[::-1], 0)
        return Limits(SortedSample(self._curve.cell_ends[side], before))

    @cached_property
    def _far(self) -> float:
        return self._curve.candidates.far(self.alpha)

    def _missing(self, label: int) -> NDArray[np.bool_]:
        return np.full((2, 1), np.isinf(self._far))

    def _vacuous(self, label: int) -> str:
        return (
            f"{self._curve.candidates.farthest.size:,} candidates tell no limits at "
            f"α = {self.alpha:g}."
        )

    def _range_promise(self, noun: str) -> Promise:
        return self.promise.replaced(target=target_of("labels", noun=noun))


def told_share(prevalence: Any) -> float | None:
    """Checks `prevalence`: a number in (0, 1), or None."""
    if prevalence is None:
        return None
    expected = "a number between 0 and 1, or None for the share of the labelled rows"
    return number(prevalence, "prevalence", expected, lambda share: 0 < share < 1)


def _some(values: Floats) -> Floats:
    """Returns at most `CELLS` evenly chosen values of sorted ones, with the first and the last."""
    if values.size <= CELLS:
        return values
    return values[np.linspace(0, values.size - 1, CELLS).astype(np.intp)]


def labels_that_came(y: Any, n: int, classes: tuple[Any, Any], is_rest: bool) -> NDArray[np.int8]:
    """Returns for each of n new rows its label 0 or 1, or -1 if `y` has none.

    If `is_rest` is set, the second class is label 1, and all other classes are label 0.
    """
    codes = np.full(n, -1, dtype=np.int8)
    if y is None:
        return codes
    mask = np.ma.getmaskarray(y) if isinstance(y, np.ma.MaskedArray) else False
    given = one_column(np.asarray(np.ma.getdata(y) if np.ma.isMA(y) else y))
    # In a list with strings, numpy turns NaN into "nan". An object array keeps NaN.
    if isinstance(y, list | tuple) and given.dtype.kind in "US":
        given = np.array(y, dtype=object)
    if given.ndim != 1 or given.size != n:
        raise ValueError(f"y: found shape {given.shape}, expected ({n},), one for each new row")
    values = given.tolist()
    absent = np.array([is_missing(v) for v in values]) | mask
    known = np.flatnonzero(~absent)
    if known.size == n:
        raise ValueError(
            f"y: found a label for each of the {n:,} rows, expected NaN where none has come; rows "
            "with labels are evaluated by RocEvaluation.from_predictions(y, score)"
        )
    strange = [values[i] for i in known if values[i] not in classes]
    if strange and not is_rest:
        found = shortened(list(dict.fromkeys(strange)))
        raise ValueError(f"y: found labels {found}, expected {shortened(list(classes))} or NaN")
    codes[known] = [values[i] == classes[1] for i in known]
    return codes


def unlabelled(
    evaluation: Evaluated,
    learned: Callable[[], Learned],
    given: Any,
    y: Any,
    prevalence: Any,
    score: Any,
) -> tuple[UnlabelledCurve, Diagnostics, Sources]:
    """Makes curve, diagnostics and sources for new rows, from an evaluation of labelled rows.

    `given` are features, scores or a table of new rows, as in `RocEvaluation.unlabelled`.
    """
    labelled, sources, told = evaluation._observed, evaluation._sources, told_share(prevalence)
    by_time = labelled.follow_up is not None
    if found := "outcomes with a time" if by_time else labelled.dependence:
        raise ValueError(
            f"unlabelled: found {found}, expected an evaluation of labelled rows that each count "
            "once and are independent"
        )
    if isinstance(sources.scored, str):
        raise ValueError(f"unlabelled: {sources.scored}")
    counts, logits, support, whole = None, None, None, None
    if score is not None:
        scores, counts = scores_of_table(given, score)
    elif sources.scored is None:
        scores = any_scores_of(given, "X_or_scores").copy()
        whole = WholeScores.of(_as_given(labelled), given) if labelled.any_size else None
        if not labelled.any_size:
            in_unit_range(
                scores, "X_or_scores", "probabilities in [0, 1], as the labelled rows have"
            )
    else:
        scores, logits, support = sources.scored(given)
    is_rest = evaluation.classes[0] == f"not {evaluation.classes[1]}"
    if counts is not None and y is not None:
        raise ValueError("y: found labels beside a table, expected None")
    labels = labels_that_came(y, scores.size, evaluation.classes, is_rest)
    if whole is None:
        known = learned()
    else:  # integers too large for floats: labelled and new rows get floats in one common order
        scores = whole.placed(given)
        known = Learned.of(replace(labelled, scores=whole.placed(_as_given(labelled)), whole=whole))
    new = new_rows(known, scores, logits, labels, counts)
    curve = UnlabelledCurve.of(known, new, told, labelled.any_size, whole)
    always = evaluation._diagnostics.always
    kept = Sources(NO_DRAWS, NO_EVERYWHERE, sources.classifier, margins=sources.margins)
    parts = () if support is None else (support,)
    return curve, Diagnostics(parts, always), kept


def _as_given(labelled: ObservedCurve) -> NDArray[Any]:
    """Returns the scores of the labelled rows, as integers if all are whole numbers."""
    if labelled.whole is not None:
        return labelled.whole.given[np.searchsorted(labelled.whole.floats, labelled.scores)]
    is_whole = (np.abs(labelled.scores) <= EXACT).all() and (labelled.scores % 1 == 0).all()
    return labelled.scores.astype(np.int64) if is_whole else labelled.scores


def new_rows(
    learned: Learned,
    scores: Floats,
    logits: Floats | None,
    labels: NDArray[np.int8],
    counts: Ints | None,
) -> NewRows:
    """Makes `NewRows` of the new rows.

    Raises if there are too few, or if all their scores are outside those of labelled rows.
    """
    n = scores.size if counts is None else int(counts.sum())
    if n < FEWEST:
        raise ValueError(f"X_or_scores: found {counted(n, 'row')}, expected at least {FEWEST}")
    low, high = learned.ends
    if not ((scores >= low) & (scores <= high)).any():
        raise ValueError(
            f"X_or_scores: found scores from {scores.min():g} to {scores.max():g}, all outside "
            f"those of the labelled rows, from {low:g} to {high:g}, expected some among these"
        )
    return NewRows.of(learned, scores, logits, labels, counts)
