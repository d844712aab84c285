"""Rows whose labels have not come: the curve that is expected, and what their labels may show.

If a score means the same risk in new rows as in labelled ones, the labelled rows tell it: a
posterior of ``logit P(y = 1 | score)``, as that of the reference "sharp". Each draw of it is one
candidate for the risks of the new rows, and labels are drawn from these. So a candidate's rates
hold what is not known of the risks, and what chance does to the labels. Limits are those between
which a share ``1 - alpha`` of the candidates stays, with both rates, at every threshold at once.

How far a rate may be from its centre is measured on the scale of ``arcsin(sqrt(rate))``, on which
the deviation of a share hardly depends on the share, in the candidates' own deviation there. Rows
are counted in cells of neighbouring scores: a threshold within a cell has the lower limit without
the cell, and the upper one with it.

No score tells another share of positives. Where it is known, the log-odds of each risk move by as
much as those of the share: scores then mean the same among the positives, and among the negatives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, SupportsFloat

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, ndtri

from conformal_roc_widget.arrays import (
    Floats,
    Ints,
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
from conformal_roc_widget.tables.summary import bins_of, scores_of_table
from conformal_roc_widget.text import Note, counted, percent

from .at_alpha import AREA, AtAlpha, CalibratedCurve, Ends
from .band import AucRange, PointIntervals
from .estimate import SamplingInterval
from .evaluated import Evaluated, Sources
from .expected_curve import UNLABELLED, ExpectedCurve, needs_labels
from .notes import SHARE_TO_NOTE
from .observed_curve import ObservedCurve
from .sorted_sample import Limits, SortedSample
from .support import Diagnostics

#: Candidates, and cells of rows at most.
DRAWS, CELLS = 2_000, 512
#: Scores whose places are nearer, in parts of their size, share a cell.
NEAR = 2.0**-19
#: A deviation is taken to be at least this part of that of a share of as many rows: so one label
#: where none was expected is no surprise.
LEAST_DEVIATION = 0.5
#: If scores are no probabilities, at most this many labelled scores define their places.
MOST_RANKS = 1_000
#: Fewer new rows than this are refused.
FEWEST = 20
#: Why there are no other promises.
NO_DRAWS = f"found {UNLABELLED}, expected rows with labels: its draws are made from these"
NO_EVERYWHERE = f"guarantee: found 'everywhere' for {UNLABELLED}, expected rows with labels"
#: Level of the test whether labels that have come agree with what was expected.
LEVEL = 0.05


class Learned(NamedTuple):
    """The posterior of the risk at a score, from labelled rows, and the numbers of those rows.

    `ends` are their lowest and highest score. Scores that have an order alone have the places of
    normal ranks: `ranked` are some of the labelled ones, and their places.
    """

    posterior: LogitPosterior
    n: tuple[int, int]
    ends: tuple[float, float]
    ranked: tuple[Floats, Floats] | None = None

    @classmethod
    def of(cls, labelled: ObservedCurve) -> Learned:
        """From labelled rows; of those of a table, from as many as a posterior takes."""
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
        """Places of scores on the axis of the posterior."""
        return places_of(self.ranked, scores, logits)

    @property
    def share(self) -> float:
        """Share of the positives among the labelled rows."""
        return self.n[1] / sum(self.n)

    def move(self, prevalence: float | None) -> float:
        """Shift of the log-odds if the new rows have another, known share of positives."""
        return 0.0 if prevalence is None else float(logit(prevalence) - logit(self.share))


def places_of(
    ranked: tuple[Floats, Floats] | None, scores: Floats, logits: Floats | None
) -> Floats:
    """Places of scores: their logits, or those of ranked scores."""
    if ranked is not None:
        return np.interp(scores, *ranked)
    return clipped(logit_of(scores) if logits is None else logits)


class NewRows(NamedTuple):
    """New rows by distinct score, ascending: how many there are, and labels that have come.

    `scores` and `labels` are those of the rows themselves (-1 where no label has come), or of a
    table's scores, which stand for `counts` of rows.
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
        """Sorts the rows, and joins those with one score; without logits of their own by scores."""
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
        """Whether each score, from the highest on, differs from the one before.

        Scores of a table that are in the same bin count as equal.
        """
        down = self.places[::-1]
        if self.counts is not None:
            return np.append(True, np.diff(bins_of(logit_of(self.distinct[::-1]))) != 0)
        return np.append(True, -np.diff(down) > NEAR * np.maximum(1.0, np.abs(down[1:])))

    @property
    def waiting(self) -> Ints:
        """Rows without a label."""
        return self.n - self.known[0] - self.known[1]


class Cells(NamedTuple):
    """Cells of neighbouring scores, from the highest on, by their first and last distinct score.

    `last` is the lowest score of a cell; places are counted from the highest score.
    """

    first: Ints
    last: Ints

    @classmethod
    def of(cls, apart: NDArray[np.bool_], negative: Floats, positive: Floats) -> Cells:
        """Cells of about as many expected rows of either label; arrays are descending.

        A score that is not `apart` from the one before goes where that one goes.
        """
        mass = (negative.cumsum() / negative.sum() + positive.cumsum() / positive.sum()) / 2
        group = np.flatnonzero(apart)
        if group.size > CELLS:
            before = np.append(0.0, mass[:-1])[group]
            group = group[np.append(True, np.diff(np.floor(before * CELLS)) > 0)]
        return cls(group, np.append(group[1:], apart.size) - 1)

    def sums(self, each: Any) -> Any:
        """Sum over each cell, of a descending array."""
        return np.add.reduceat(each, self.first)


class Rates(NamedTuple):
    """The rate of a label at the end of each cell: its centre and deviation on the scale."""

    centre: Floats
    deviation: Floats

    def limits(self, far: float) -> tuple[Floats, Floats]:
        """Limits `far` deviations from the centre, made monotone from cell to cell."""
        sides = (self.centre - far * self.deviation, self.centre + far * self.deviation)
        low, high = (np.sin(np.clip(each, 0, np.pi / 2)) ** 2 for each in sides)
        low[-1] = high[-1] = 1.0
        return np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]


class Candidates(NamedTuple):
    """Rates that labels of the new rows may show, from draws; `farthest` and `areas` ascend.

    `farthest` is how many deviations a candidate's rates are from their centres at most.
    """

    rates: tuple[Rates, Rates]
    farthest: Floats
    areas: Floats

    @classmethod
    def of(cls, positive: Ints, negative: Ints) -> Candidates:
        """Candidates from their labels (cells, draws). A candidate with one label has no curve."""
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
        """How many deviations limits are from centres; infinite if too few candidates tell."""
        # With the truth as one more candidate.
        n = self.farthest.size
        rank = int(np.ceil((1 - alpha) * (n + 1) - 1e-9))
        return float(self.farthest[rank - 1]) if rank <= n else np.inf

    def area_limits(self, alpha: float) -> tuple[float, float]:
        """Between these lies the area of a share ``1 - alpha`` of the candidates."""
        rank = int(np.floor(alpha / 2 * (self.areas.size + 1) + 1e-9))
        if not rank:
            return 0.0, 1.0
        return float(self.areas[rank - 1]), float(self.areas[-rank])


class Agreement(NamedTuple):
    """Labels that have come: how many, positives among them and as expected, and the test."""

    n: int
    positives: int
    expected: float
    limits: tuple[float, float]
    p: float

    @classmethod
    def of(cls, known: Ints, positives: Ints, drawn: Ints, places: Floats) -> Agreement:
        """Test of the number of positives, and of their places, against the candidates (cells, s).

        The statistic is the squared distance of both from the candidates' mean, in their own
        covariance.
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

    @property
    def note(self) -> Note:
        """The sentence on it."""
        agree = self.p > LEVEL
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
            "risk here. If only the share of positives differs, give prevalence.",
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class UnlabelledCurve(CalibratedCurve):
    """The expected curve of new rows, with candidates for what their labels will show."""

    observed: ExpectedCurve
    learned: Learned
    new: NewRows
    prevalence: float | None
    cells: Cells
    candidates: Candidates
    agreement: Agreement | None

    @classmethod
    def of(
        cls, learned: Learned, new: NewRows, prevalence: float | None, any_size: bool
    ) -> UnlabelledCurve:
        """Draws the candidates; their mean risks make the expected curve."""
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
        """Everything at one alpha."""
        return UnlabelledAtAlpha.of(self, alpha)

    def with_prevalence(self, prevalence: Any) -> UnlabelledCurve:
        """The same rows with another share of positives; None: the same as of the labelled rows."""
        told = told_share(prevalence)
        if told == self.prevalence:
            return self
        return UnlabelledCurve.of(self.learned, self.new, told, self.observed.any_size)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Sentences on labels that have come, and on scores that no labelled row has."""
        low, high = self.learned.ends
        outside = (self.new.distinct < low) | (self.new.distinct > high)
        share = float(self.new.n[outside].sum() / self.new.n.sum())
        notes = () if self.agreement is None else (self.agreement.note,)
        if share <= SHARE_TO_NOTE:
            return notes
        return *notes, Note(
            f"{percent(round(share, 2))} of the new rows have scores outside those of the labelled "
            "rows:",
            "their risk continues that of the nearest ones.",
        )

    @property
    def n_calibration(self) -> dict[int, int]:
        """Label -> number of labelled rows."""
        return dict(enumerate(self.learned.n))

    @property
    def pooled(self) -> bool:
        """False: limits are not made of a centre and a quantile."""
        return False

    @cached_property
    def cell_ends(self) -> tuple[Floats, Floats]:
        """Just above the lowest and the highest score of each cell, ascending, as logits are.

        They are numbers of single precision, which a page may get.
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
    """Rows without labels and the limits of what these may show, at one significance level."""

    _curve: UnlabelledCurve

    @property
    def n_calibration(self) -> dict[int, int]:
        """Label -> number of labelled rows."""
        return self._curve.n_calibration

    def auc(self) -> SamplingInterval:
        """Expected area under the curve, with limits for the one that the labels will show."""
        limits = self._curve.candidates.area_limits(self.alpha)
        method = "candidates for the labels"
        found = SamplingInterval.of(
            (self._curve.observed.auc, *limits), alpha=self.alpha, method=method, target=""
        )
        return found.with_promise(self._range_promise(AREA).replaced(scope=ONE_NUMBER))

    def display_auc(self) -> AucRange:
        """The area with the limits of `auc`: a screen has no other question."""
        return AucRange(*self.auc()).with_promise(self._range_promise(AREA))

    def intervals(self) -> PointIntervals:
        """Refused: the interval of a row is given its label."""
        raise ValueError(needs_labels("intervals"))

    def undecided(self, threshold: SupportsFloat) -> NDArray[np.bool_]:
        """Refused: rows are undecided given their label."""
        raise ValueError(needs_labels("undecided"))

    @cached_property
    def lower(self) -> Ends:
        """Lower limits, as that many ends above a threshold."""
        return by_label(lambda k: self._ends_of(k, 0))

    @cached_property
    def upper(self) -> Ends:
        """Upper limits, as that many ends above a threshold."""
        return by_label(lambda k: self._ends_of(k, 1))

    def _ends_of(self, label: int, side: int) -> Limits:
        rates = self._curve.candidates.rates[label].limits(self._far)[side]
        n = self._curve.observed.sizes[label]
        upto = (np.floor(rates * n), np.ceil(rates * n))[side].astype(np.intp)
        # From the lowest cell on: as many ends lie below a cell as are not counted with it.
        before = n - np.append(upto[::-1], 0)
        return Limits(SortedSample(self._curve.cell_ends[side], before))

    @cached_property
    def _far(self) -> float:
        return self._curve.candidates.far(self.alpha)

    def _missing(self, label: int) -> NDArray[np.bool_]:
        return np.full((2, 1), np.isinf(self._far))

    def _vacuous(self, label: int) -> str | None:
        if not np.isinf(self._far):
            return None
        return (
            f"{self._curve.candidates.farthest.size:,} candidates tell no limits at "
            f"α = {self.alpha:g}."
        )

    def _range_promise(self, noun: str) -> Promise:
        return self.promise.replaced(target=target_of("labels", noun=noun))


def told_share(prevalence: Any) -> float | None:
    """A share of positives that somebody knows, or None."""
    if prevalence is None:
        return None
    expected = "a number between 0 and 1, or None for the share of the labelled rows"
    return number(prevalence, "prevalence", expected, lambda share: 0 < share < 1)


def _some(values: Floats) -> Floats:
    """At most `CELLS` of ordered values, both ends among them."""
    if values.size <= CELLS:
        return values
    return values[np.linspace(0, values.size - 1, CELLS).astype(np.intp)]


def labels_that_came(y: Any, n: int, classes: tuple[Any, Any], is_rest: bool) -> NDArray[np.int8]:
    """Labels 0 and 1, and -1 where none has come; of a class against the rest all others are 0."""
    codes = np.full(n, -1, dtype=np.int8)
    if y is None:
        return codes
    mask = np.ma.getmaskarray(y) if isinstance(y, np.ma.MaskedArray) else False
    given = one_column(np.asarray(np.ma.getdata(y) if np.ma.isMA(y) else y))
    if isinstance(y, list | tuple) and given.dtype.kind in "US":  # NaN would be spelled
        given = np.array(y, dtype=object)
    if given.ndim != 1 or given.size != n:
        raise ValueError(f"y: found shape {given.shape}, expected ({n},), one a new row")
    values = given.tolist()
    absent = np.array([v is None or v != v or type(v).__name__ == "NAType" for v in values]) | mask
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
    """What the evaluation of new rows is made of, from that of labelled ones."""
    labelled, sources, told = evaluation._observed, evaluation._sources, told_share(prevalence)
    by_time = labelled.follow_up is not None
    if found := "outcomes with a time" if by_time else labelled.dependence:
        raise ValueError(
            f"unlabelled: found {found}, expected an evaluation of labelled rows that each count "
            "once and are independent"
        )
    if isinstance(sources.scored, str):
        raise ValueError(f"unlabelled: {sources.scored}")
    counts, logits, support = None, None, None
    if score is not None:
        scores, counts = scores_of_table(given, score)
    elif sources.scored is None:
        scores = any_scores_of(given, "X_or_scores").copy()
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
    known = learned()
    new = new_rows(known, scores, logits, labels, counts)
    curve = UnlabelledCurve.of(known, new, told, any_size=labelled.any_size)
    always = evaluation._diagnostics.always
    kept = Sources(NO_DRAWS, NO_EVERYWHERE, sources.classifier, margins=sources.margins)
    parts = () if support is None else (support,)
    return curve, Diagnostics(parts, always), kept


def new_rows(
    learned: Learned,
    scores: Floats,
    logits: Floats | None,
    labels: NDArray[np.int8],
    counts: Ints | None,
) -> NewRows:
    """New rows, refused where they are too few, or where no labelled row tells of their scores."""
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
