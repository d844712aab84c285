"""The ideal model's own ROC curve: a credible band from posterior draws of ``logit pi``.

The conformal band bounds an ideal model's rates at the classifier's threshold. It does not tell how
good an ideal model's curve would be at a given false positive rate, whatever the classifier's
calibration: that is a question about ``pi`` alone, and posterior draws of ``logit pi`` answer it.

Each draw is one candidate for ``pi``. Labels belong to the draw: positives are sampled from the
labelled points with weights ``pi``, negatives with weights ``1 - pi``, as many of each as the test
set has. The curve of the draw over such a sample is one candidate for the curve that an ideal model
would show on a test set like this one, and so is its area. (With the observed labels instead, draws
and labels would not belong together, and every candidate would look worse than the truth.) The
classifier's logits at the same sampled points give its area beside the candidate's, and so the gain
that is left.

Of more points than `MOST_ONE_BY_ONE` a sample counts runs of neighbours, and the gain of a draw has
the normal law that areas of many points have.

The limits are credible and not conformal: they hold on average over the prior of ``pi``, and no
exchangeability mends a prior that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints, frame_of
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.promise import Phrase, Promise, PromisedArrays, credible

if TYPE_CHECKING:
    import pandas as pd

#: Why evaluations from scores alone have no band for the ideal model's curve.
FROM_SCORES_ALONE = (
    "this evaluation is from scores alone, and an ideal recalibration of a score ranks as the "
    "score does: its curve is the classifier's own"
)
#: Number of candidates; odd, so that the median is one of them.
CANDIDATES = 1001
#: False positive rates at which candidates are read by default.
DEFAULT_FPR: Floats = np.linspace(0, 1, 101)
#: A sample has at most this many points of a label. With 12,000 points an area's interval would
#: be 2 % shorter.
MOST_SAMPLED = 10_000
#: If there are more points than this, sampled and labelled ones together, samples count about so
#: many runs of labelled points that are neighbours in a draw. Within a run labels come in no order,
#: so that a rate is off by less than one run has, and an area by that squared.
MOST_ONE_BY_ONE, RUNS = 10_000, 1_000
#: If so, `TOGETHER` gaps between a sample's points are drawn as one, except `SINGLES` gaps at its
#: ends,
TOGETHER, SINGLES = 10, 100
#: and a draw's logits are rounded to this many steps between its ends.
LEVELS = 2**16


class MedianAndLimits(NamedTuple):
    """A credible interval of one number.

    Parameters
    ----------
    median, lower, upper : float
        Over all candidates.
    """

    median: float
    lower: float
    upper: float


@dataclass(frozen=True, eq=False)
class IdealCurve(PromisedArrays):
    """Credible band of the ideal model's ROC curve, at fixed false positive rates.

    Arrays have one entry a false positive rate and are read-only.

    Attributes
    ----------
    alpha : float
        Significance level.
    fpr : ndarray of shape (m,)
        False positive rates. Curves are read at the smallest threshold that keeps to them.
    tpr_median, tpr_lower, tpr_upper : ndarray of shape (m,)
        Median and pointwise limits of the ideal model's true positive rate.
    simultaneous_lower, simultaneous_upper : ndarray of shape (m,)
        Limits between which a share ``1 - alpha`` of whole candidate curves stays.
    auc : MedianAndLimits
        Of the ideal model's area under the curve.
    gain : MedianAndLimits
        Of the ideal model's area less the classifier's, on the same points.
    promise : Promise
        Of the pointwise and of the simultaneous limits; `target`, `scope` and `guarantee` are its
        words.
    """

    alpha: float
    fpr: Floats
    tpr_median: Floats
    tpr_lower: Floats
    tpr_upper: Floats
    simultaneous_lower: Floats
    simultaneous_upper: Floats
    auc: MedianAndLimits
    gain: MedianAndLimits
    promise: Promise

    def to_frame(self) -> pd.DataFrame:
        """Band as a table, one row a false positive rate.

        Returns
        -------
        pandas.DataFrame
            Columns ``fpr``, ``tpr_median``, ``tpr_lower``, ``tpr_upper``, ``simultaneous_lower``,
            ``simultaneous_upper``; ``attrs`` hold ``alpha``, ``auc`` and ``gain``.
        """
        limits = ("tpr_lower", "tpr_upper", "simultaneous_lower", "simultaneous_upper")
        frame = frame_of(self, ("fpr", "tpr_median", *limits), ["alpha"])
        frame.attrs |= {"auc": tuple(self.auc), "gain": tuple(self.gain)}
        return frame

    def __repr__(self) -> str:
        """Short text: the area rather than the arrays."""
        area = "{:.2f} ({:.2f} to {:.2f})".format(*self.auc)
        return f"IdealCurve(alpha={self.alpha:g}, AUC {area})"


class LabelledDraws(NamedTuple):
    """Posterior draws at labelled points, and the classifier at those that calibrate.

    Parameters
    ----------
    draws : ndarray of shape (n, n_draws)
        Draws of ``logit pi``, one function a column.
    classifier_draws : ndarray of shape (n_ca, n_draws)
        The same at points that did not train the classifier.
    classifier_logits : ndarray of shape (n_ca,)
        Its logits there.
    assumption : Phrase
        Under which the draws are draws of ``pi``; completes a sentence after "if".
    """

    draws: Floats
    classifier_draws: Floats
    classifier_logits: Floats
    assumption: Phrase


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidate curves and areas, sorted once; a new alpha is a look-up.

    Parameters
    ----------
    fpr : ndarray of shape (m,)
        Where the curves are read.
    tpr : ndarray of shape (s, m)
        True positive rates of each candidate.
    auc, gain : ndarray of shape (s,)
        Areas, and areas less the classifier's.
    assumption : Phrase
        As in `LabelledDraws`.
    """

    fpr: Floats
    tpr: Floats
    auc: Floats
    gain: Floats
    assumption: Phrase

    @classmethod
    def of(
        cls, points: LabelledDraws, n_test: tuple[int, int], fpr: Floats, seed: int = 0
    ) -> Candidates:
        """Samples the candidates.

        Parameters
        ----------
        points : LabelledDraws
            Where the labels come from.
        n_test : tuple of two int
            Test points of label 0 and of label 1.
        fpr : ndarray of shape (m,)
            False positive rates.
        seed : int
            Of the samples.

        Returns
        -------
        Candidates
            `CANDIDATES` of them; draws are taken in turn.
        """
        samples, sizes = candidate_samples(points, n_test, seed)
        allowed = false_positives_allowed(fpr, sizes[0])
        tpr, auc = np.empty((CANDIDATES, fpr.size)), np.empty(CANDIDATES)
        for s, drawn, zeros, ones in samples:
            tpr[s] = drawn.rates(zeros, ones, allowed)
            auc[s] = drawn.area(zeros, ones)
        gains = _gains_by_their_law if _in_runs(points, sizes) else _gains_one_by_one
        gain = gains(points.classifier_draws, points.classifier_logits, sizes, [seed, 4])
        return cls(fpr, tpr, auc, gain, points.assumption)

    @cached_property
    def _columns(self) -> Floats:
        """Rates of all candidates, ascending at each false positive rate."""
        return np.sort(self.tpr, axis=0)

    def _limit(self, place: int) -> Floats:
        """Rates at one place of the sorted columns; 0 before the first place, 1 after the last."""
        if 0 <= place < len(self.tpr):
            return np.array(self._columns[place])
        return np.full(self.fpr.size, float(place >= 0))

    @cached_property
    def _depths(self) -> Ints:
        """Depth of each candidate among all, descending.

        A depth is the smallest rank, counted from either end, over all false positive rates.
        """
        columns = zip(self._columns.T, self.tpr.T, strict=True)
        ranks = [
            np.minimum(
                np.searchsorted(column, rates, side="right"),
                rates.size - np.searchsorted(column, rates, side="left"),
            )
            for column, rates in columns
        ]
        return np.sort(np.min(ranks, axis=0))[::-1]

    def limits(self, alphas: Sequence[float]) -> tuple[Floats, Floats]:
        """Pointwise limits (stops, m) at several alphas, as `at` has them."""
        ends = np.array([places(len(self.tpr), alpha) for alpha in alphas])
        return self._columns[ends[:, 0]], self._columns[ends[:, 1]]

    def auc_limits(self, alphas: Sequence[float]) -> Floats:
        """Lower limits of the area (stops,), and upper ones, as `at` has them."""
        return np.asarray(np.quantile(self.auc, _ends(np.asarray(alphas))))

    def gain_limits(self, alphas: Sequence[float]) -> Floats:
        """Lower limits of the gain (stops,), and upper ones, as `at` has them."""
        return np.asarray(np.quantile(self.gain, _ends(np.asarray(alphas))))

    @property
    def median(self) -> Floats:
        """Median rates (m,)."""
        return self._limit(len(self.tpr) // 2)

    def at(self, alpha: float) -> IdealCurve:
        """Band and intervals at one level.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        IdealCurve
            Quantiles over the candidates.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1).
        """
        exact_alpha(alpha)
        s = len(self.tpr)
        # With the truth as one more candidate, a share 1 - alpha of s + 1 has at least this depth.
        # A candidate counts itself in its depth, a limit does not: hence one less.
        depth = int(self._depths[min(s, int(np.ceil((1 - alpha) * (s + 1)))) - 1]) - 1
        lower, upper = places(s, alpha)
        return IdealCurve(
            alpha=float(alpha),
            fpr=self.fpr.copy(),
            tpr_median=self.median,
            tpr_lower=self._limit(lower),
            tpr_upper=self._limit(upper),
            simultaneous_lower=self._limit(depth - 1),
            simultaneous_upper=self._limit(s - depth),
            auc=_interval(self.auc, alpha),
            gain=_interval(self.gain, alpha),
            promise=self.promise.at(alpha),
        )

    @property
    def promise(self) -> Promise:
        """Promise of the band at any alpha."""
        return credible(self.assumption)


def places(n: int, alpha: float) -> tuple[int, int]:
    """Places, from 0, of the order statistics that leave out at most alpha / 2 on either side."""
    lower = int(np.floor(float(alpha) / 2 * (n - 1) + 1e-9))
    return lower, n - 1 - lower


def _interval(values: Floats, alpha: float) -> MedianAndLimits:
    """Median and the two quantiles that leave out alpha."""
    return MedianAndLimits(*np.quantile(values, [0.5, *_ends(alpha)]).tolist())


def _ends(alpha: Any) -> tuple[Any, Any]:
    """Shares of the candidates below either limit."""
    return alpha / 2, 1 - alpha / 2


class _Ascending(NamedTuple):
    """Points in the ascending order of their logits, in steps: single points, or runs of them.

    `order` are the points' places, `starts` where in this order each step begins. `first` and
    `last` are, for each step, those with an equal logit; `mixed` says which have several logits. A
    sample is told by how many of it are upto each step.
    """

    order: Ints
    starts: Ints
    first: Ints
    last: Ints
    mixed: NDArray[np.bool_]

    @classmethod
    def of(cls, logits: Floats | NDArray[np.uint16]) -> _Ascending:
        """Points in ascending order, each a step of its own."""
        order, starts, sizes = _equal(logits)
        first, last = np.repeat(starts, sizes), np.repeat(starts + sizes - 1, sizes)
        return cls(order, np.arange(order.size), first, last, np.zeros(order.size, dtype=bool))

    @classmethod
    def in_runs(cls, logits: Floats) -> _Ascending:
        """About `RUNS` steps of neighbours: equal logits share one, and fill it if they can."""
        order, starts, sizes = _equal(_in_levels(logits))
        n, ends = order.size, starts + sizes
        length = max(1, n // RUNS)
        begins = np.zeros(n + 1, dtype=bool)
        begins[starts[starts.searchsorted(np.arange(0, n, length), side="right") - 1]] = True
        begins[ends[sizes >= length]] = True
        begins[n] = True
        bounds = np.flatnonzero(begins)
        steps = np.arange(bounds.size - 1)
        return cls(order, bounds[:-1], steps, steps, ends[begins[starts]] < bounds[1:])

    def place_of(self, other: _Ascending) -> Ints:
        """The place in this order of each point of another order."""
        places = np.empty_like(self.order)
        places[self.order] = np.arange(self.order.size)
        return np.asarray(places[other.order])

    def rates(self, zeros: Ints, ones: Ints, allowed: Ints) -> Floats:
        """True positive rate at the smallest threshold that allows no more false positives.

        Where that is within a mixed step, it is the mean over all orders of the step's sample.
        """
        rates = np.ones(allowed.size)
        some = allowed < zeros[-1]
        cut = zeros.searchsorted(zeros[-1] - 1 - allowed[some], side="right")
        above = ones[-1] - ones[self.last[cut]]
        if self.mixed.any():
            negatives, positives = (_parts(upto)[cut] for upto in (zeros, ones))
            passed = allowed[some] - (zeros[-1] - zeros[cut]) + 1
            above = above + np.where(self.mixed[cut], positives * passed / (negatives + 1), 0)
        rates[some] = above / ones[-1]
        return rates

    def area(self, zeros: Ints, ones: Ints) -> float:
        """Area under the curve, ties half."""
        upto = np.concatenate([[0], zeros])
        below = upto[self.first] + upto[self.last + 1]
        return float(_parts(ones) @ below / (2 * int(zeros[-1]) * int(ones[-1])))

    def below(self, weights: Floats) -> Floats:
        """Weight of the points with a smaller logit, and half of those with an equal one (n,)."""
        upto, found = np.zeros(weights.size + 1), np.empty(weights.size)
        weights[self.order].cumsum(out=upto[1:])
        found[self.order] = (upto[self.first] + upto[self.last + 1]) / 2
        return found


def _equal(values: Floats | NDArray[np.uint16]) -> tuple[Ints, Ints, Ints]:
    """Order of the values; in that order, where each distinct one begins, and how many equal it."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    begins = np.ones(order.size + 1, dtype=bool)
    np.greater(ordered[1:], ordered[:-1], out=begins[1:-1])
    bounds = np.flatnonzero(begins)
    return order, bounds[:-1], bounds[1:] - bounds[:-1]


def _in_levels(logits: Floats) -> NDArray[np.uint16]:
    """Which of `LEVELS` steps each logit is in: these are sorted in a tenth of the time."""
    low, high = logits.min(), logits.max()
    scale = (LEVELS - 1) / (high - low) if high > low else 0.0
    return np.asarray((logits - low) * scale).astype(np.uint16)


def _parts(upto: Ints) -> Ints:
    """How many of a sample are at each step, from how many are upto it."""
    parts = upto.copy()
    parts[1:] -= upto[:-1]
    return parts


def candidate_samples(
    points: LabelledDraws, n_test: tuple[int, int], seed: int = 0
) -> tuple[Iterator[tuple[int, _Ascending, Ints, Ints]], tuple[int, int]]:
    """The candidates' test sets, as `_samples` has them, and how many points of each label.

    These are as many as the test set has, or `MOST_SAMPLED`.
    """
    sizes = (min(n_test[0], MOST_SAMPLED), min(n_test[1], MOST_SAMPLED))
    return _samples(points.draws, sizes, [seed, 3], _in_runs(points, sizes)), sizes


def _in_runs(points: LabelledDraws, sizes: tuple[int, int]) -> bool:
    """Whether samples count runs of neighbours, for there are many points."""
    return len(points.draws) + sum(sizes) > MOST_ONE_BY_ONE


def _samples(
    draws: Floats, sizes: tuple[int, int], seed: list[int], in_runs: bool = False
) -> Iterator[tuple[int, _Ascending, Ints, Ints]]:
    """For each candidate its number, the steps of its draw, and both labels' samples."""
    rng, columns = np.random.default_rng(seed), np.ascontiguousarray(draws.T)
    gaps = [_spans(size) if in_runs else None for size in sizes]
    for column, logits in enumerate(columns[:CANDIDATES]):
        drawn = _Ascending.in_runs(logits) if in_runs else _Ascending.of(logits)
        points = _parts(np.append(drawn.starts[1:], logits.size))
        share = np.add.reduceat(expit(logits[drawn.order]), drawn.starts) / points
        for s in range(column, CANDIDATES, len(columns)):
            # A point's weight is exponential. A run's weight is their sum, which has a gamma law.
            law = rng.standard_gamma(points)
            positive = law * share
            zeros, ones = (
                _sampled(weights, size, rng, spans)
                for weights, size, spans in zip(
                    (law - positive, positive), sizes, gaps, strict=True
                )
            )
            yield s, drawn, zeros, ones


def _gains_one_by_one(
    draws: Floats, logits: Floats, sizes: tuple[int, int], seed: list[int]
) -> Floats:
    """Areas of each candidate less the classifier's on the same sample."""
    gain, own = np.empty(CANDIDATES), _Ascending.of(logits)
    for s, drawn, zeros, ones in _samples(draws, sizes, seed):
        moved = drawn.place_of(own)
        gain[s] = drawn.area(zeros, ones) - own.area(_moved(zeros, moved), _moved(ones, moved))
    return gain


def _gains_by_their_law(
    draws: Floats, logits: Floats, sizes: tuple[int, int], seed: list[int]
) -> Floats:
    """Gains of each candidate from a normal law for each draw.

    Used if samples and points are many.
    """
    gain = np.random.default_rng(seed).standard_normal(CANDIDATES)
    own, columns = _Ascending.of(logits), np.ascontiguousarray(draws.T)
    for column, drawn in enumerate(columns[:CANDIDATES]):
        in_levels = _Ascending.of(_in_levels(drawn))
        mean, deviation = _law_of_gain(in_levels, own, expit(drawn), sizes)
        of_draw = slice(column, CANDIDATES, len(columns))
        gain[of_draw] = mean + deviation * gain[of_draw]
    return gain


def _law_of_gain(
    drawn: _Ascending, own: _Ascending, pi: Floats, sizes: tuple[int, int]
) -> tuple[float, float]:
    """Mean and deviation of the gain of a draw, of ``logit pi``.

    An area is the mean over positives of the negatives below, and over negatives of the positives
    above. How much of either a point has varies an area with whether it is sampled, and with what
    the points' law gives it.
    """
    ones, zeros = pi / pi.sum(), (1 - pi) / (1 - pi).sum()
    of_ones = drawn.below(zeros) - own.below(zeros)
    of_zeros = own.below(ones) - drawn.below(ones)
    mean = float(ones @ of_ones)
    of_ones, of_zeros = of_ones - mean, of_zeros - mean
    sampled = zeros @ of_zeros**2 / sizes[0] + ones @ of_ones**2 / sizes[1]
    weighed = ones * of_ones + zeros * of_zeros
    return mean, float(np.sqrt(sampled + weighed @ weighed))


def _sampled(
    weights: Floats, size: int, rng: np.random.Generator, spans: Ints | None = None
) -> Ints:
    """How many of a sample with probabilities in proportion to weights (n,) are upto each point."""
    upto = np.cumsum(weights)
    # Sums of exponential gaps are ascending uniforms: nothing has to be sorted.
    if spans is None:
        gaps = np.cumsum(rng.standard_exponential(size + 1))
        counts = gaps[:-1].searchsorted(upto * (gaps[-1] / upto[-1]), side="left")
    else:
        # A sum of gaps in a row has a gamma law.
        gaps, ranks = (np.append(0, each.cumsum()) for each in (rng.standard_gamma(spans), spans))
        counts = np.interp(upto * (gaps[-1] / upto[-1]), gaps, ranks).astype(np.intp)
    counts[-1] = size
    return np.asarray(counts)


def _spans(size: int) -> Ints:
    """How many gaps of a sample are drawn as one: few at either end, where rates are near 0 and 1.

    Between two places that are drawn counts rise evenly, and so are off by 1.5 at most (deviation).
    """
    singles = min(SINGLES, (size + 1) // 2)
    several = (size + 1 - 2 * singles) // TOGETHER
    rest = size + 1 - 2 * singles - several * TOGETHER
    return np.repeat([1, TOGETHER, 1], [singles, several, singles + rest])


def _moved(upto: Ints, places: Ints) -> Ints:
    """A sample in another order, from the places that its points have in this one."""
    return np.asarray(np.cumsum(_parts(upto)[places]))


def false_positives_allowed(fpr: Floats, n_negative: int) -> Ints:
    """How many negatives may be called positive at each false positive rate."""
    # A rate k / n times n may be a rounding error below k.
    return np.floor(fpr * n_negative + 1e-9).astype(np.intp)
