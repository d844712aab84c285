"""Makes a credible band of the ideal model's own ROC curve, from posterior draws of ``logit pi``.

The conformal band is for the ideal model's rates at the classifier's threshold. It does not show
how good the ideal model's curve would be at a given false positive rate. That depends only on
``pi``, so posterior draws of ``logit pi`` can answer it.

Each draw is a candidate for ``pi``, with labels of its own: positives are sampled from the labelled
points with weights ``pi``, and negatives with weights ``1 - pi``, as many as in the test set. The
curve of the draw on this sample is a candidate for the curve that the ideal model would have on a
test set like this one. Its area is a candidate for the ideal model's area. The observed labels do
not belong to the draw, and with them every candidate would look worse than the truth. On the same
sample, the classifier's logits give the classifier's area, and so the gain.

The gain is the ideal model's area minus the classifier's. If there are more points than
`MOST_ONE_BY_ONE`, samples are counted by runs of neighbouring points, and the gain of a draw is
drawn from a normal distribution.

The limits are credible and not conformal: they hold on average over the prior of ``pi``, and
exchangeability cannot correct a wrong prior.
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

#: The reason why an evaluation from scores alone has no band for the ideal model's curve.
FROM_SCORES_ALONE = (
    "this evaluation is from scores alone, and an ideal recalibration of a score ranks as the "
    "score does: its curve is the classifier's own"
)
#: The number of candidate curves to sample. It is odd, so that the median is one of them.
CANDIDATES = 1001
#: By default, the true positive rates of candidate curves are computed at these false positive
#: rates.
DEFAULT_FPR: Floats = np.linspace(0, 1, 101)
#: A sample has at most this many points of a label. With 12,000 points, the interval of an area
#: would be 2 % shorter.
MOST_SAMPLED = 10_000
#: If there are at most `MOST_ONE_BY_ONE` points (sampled and labelled ones together), the points of
#: a sample are counted one by one. If there are more, about `RUNS` runs are counted. A run consists
#: of labelled points that are neighbours in the order of a draw of ``logit pi``. The order within a
#: run is ignored. The error of a rate is below the share of one run, and that of an area below the
#: square of this share.
MOST_ONE_BY_ONE, RUNS = 10_000, 1_000
#: The sorted points of a sample are drawn by exponential gaps between them. If there are more
#: points than `MOST_ONE_BY_ONE`, the sum of `TOGETHER` consecutive gaps is drawn as one number,
#: except for `SINGLES` gaps at either end.
TOGETHER, SINGLES = 10, 100
#: If there are more points than `MOST_ONE_BY_ONE`, the logits of a draw are rounded to this many
#: evenly spaced values between the smallest and the largest. These sort ten times as fast.
LEVELS = 2**16


class MedianAndLimits(NamedTuple):
    """A credible interval of one number.

    Parameters
    ----------
    median, lower, upper : float
        Median and limits of the number over all candidates.
    """

    median: float
    lower: float
    upper: float


@dataclass(frozen=True, eq=False)
class IdealCurve(PromisedArrays):
    """A credible band of the ideal model's ROC curve at fixed false positive rates.

    Each array has one value for each false positive rate, and is read-only.

    Attributes
    ----------
    alpha : float
        Significance level.
    fpr : ndarray of shape (m,)
        False positive rates. At each of them, a curve is read at the smallest threshold whose false
        positive rate does not exceed it.
    tpr_median, tpr_lower, tpr_upper : ndarray of shape (m,)
        Median and pointwise limits of the ideal model's true positive rate.
    simultaneous_lower, simultaneous_upper : ndarray of shape (m,)
        Limits that contain the share ``1 - alpha`` of whole candidate curves.
    auc : MedianAndLimits
        Area under the ideal model's curve.
    gain : MedianAndLimits
        The ideal model's area minus the classifier's, on the same points.
    promise : Promise
        What the pointwise and the simultaneous limits cover. `target`, `scope` and `guarantee` are
        its words.
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
        """Returns the band as a table, with one row for each false positive rate.

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
        """Returns a short text with the area instead of the arrays."""
        area = "{:.2f} ({:.2f} to {:.2f})".format(*self.auc)
        return f"IdealCurve(alpha={self.alpha:g}, AUC {area})"


class LabelledDraws(NamedTuple):
    """Posterior draws at labelled points, and the classifier's scores at the calibration points.

    Parameters
    ----------
    draws : ndarray of shape (n, n_draws)
        Draws of ``logit pi`` at all labelled points. Each column is one draw of the function.
    classifier_draws : ndarray of shape (n_ca, n_draws)
        The same draws at the calibration points, which did not train the classifier.
    classifier_logits : ndarray of shape (n_ca,)
        The classifier's logits at the calibration points.
    assumption : Phrase
        The assumption under which these are draws of ``pi``, as words after "if".
    """

    draws: Floats
    classifier_draws: Floats
    classifier_logits: Floats
    assumption: Phrase


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidate curves and areas, sorted once, so that a new alpha costs little.

    Parameters
    ----------
    fpr : ndarray of shape (m,)
        False positive rates at which the curves are read.
    tpr : ndarray of shape (s, m)
        True positive rates of each candidate.
    auc, gain : ndarray of shape (s,)
        Areas of the candidates, and these areas minus the classifier's.
    assumption : Phrase
        See `LabelledDraws`.
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
            Posterior draws at labelled points.
        n_test : tuple of two int
            Numbers of test points of label 0 and of label 1.
        fpr : ndarray of shape (m,)
            False positive rates.
        seed : int
            Seed of the samples.

        Returns
        -------
        Candidates
            `CANDIDATES` candidates. Candidate s uses the draw with index s, modulo the number of
            draws.
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
        """The true positive rates (s, m) of all candidates, sorted at each false positive rate."""
        return np.sort(self.tpr, axis=0)

    def _limit(self, place: int) -> Floats:
        """Returns at each false positive rate the true positive rate with index `place`.

        Rates are sorted. An index below 0 gives 0, and one above the last gives 1.
        """
        if 0 <= place < len(self.tpr):
            return np.array(self._columns[place])
        return np.full(self.fpr.size, float(place >= 0))

    @cached_property
    def _depths(self) -> Ints:
        """The depths of all candidate curves in descending order.

        At each false positive rate, a candidate has a rank, counted from the nearer end. Its depth
        is the smallest of its ranks.
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
        """Both pointwise limits (alphas, m) at each of `alphas`. They equal those of `at`."""
        ends = np.array([places(len(self.tpr), alpha) for alpha in alphas])
        return self._columns[ends[:, 0]], self._columns[ends[:, 1]]

    def auc_limits(self, alphas: Sequence[float]) -> Floats:
        """Returns both limits (2, alphas) of the ideal model's area. They equal those of `at`."""
        return np.asarray(np.quantile(self.auc, _ends(np.asarray(alphas))))

    def gain_limits(self, alphas: Sequence[float]) -> Floats:
        """Returns both limits (2, alphas) of the gain in area. They equal those of `at`."""
        return np.asarray(np.quantile(self.gain, _ends(np.asarray(alphas))))

    @property
    def median(self) -> Floats:
        """Median true positive rates (m,) over the candidates."""
        return self._limit(len(self.tpr) // 2)

    def at(self, alpha: float) -> IdealCurve:
        """Returns the band, and the intervals of area and gain, at one significance level.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        IdealCurve
            The band, whose limits are quantiles over the candidates.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1).
        """
        exact_alpha(alpha)
        s = len(self.tpr)
        # The true curve counts as one more candidate, so at least a share 1 - alpha of s + 1 curves
        # must lie within the limits. `_depths` counts a candidate itself at each rank, and the true
        # curve is none of the candidates, so one is subtracted.
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
        """The guarantee of the band, with ``{confidence}`` in place of the number."""
        return credible(self.assumption)


def places(n: int, alpha: float) -> tuple[int, int]:
    """Returns the indices, from 0, of the lower and the upper limit among n sorted values.

    At most a share ``alpha / 2`` of the values is beyond each limit.
    """
    lower = int(np.floor(float(alpha) / 2 * (n - 1) + 1e-9))
    return lower, n - 1 - lower


def _interval(values: Floats, alpha: float) -> MedianAndLimits:
    """Returns the median of `values`, and their quantiles at alpha / 2 and 1 - alpha / 2."""
    return MedianAndLimits(*np.quantile(values, [0.5, *_ends(alpha)]).tolist())


def _ends(alpha: Any) -> tuple[Any, Any]:
    """Returns the shares of candidates below the lower limit, and below the upper limit."""
    return alpha / 2, 1 - alpha / 2


class _Ascending(NamedTuple):
    """Labelled points in ascending order of a logit, divided into steps: single points, or runs.

    `order` has the indices of the points in that order, and `starts` the positions in it at which
    steps begin. For each step, `first` and `last` are the first and the last step with the same
    logit. `mixed` tells which steps have several logits. A sample of the points is given to the
    methods as cumulative counts: `zeros` (negatives) and `ones` (positives) up to each step.
    """

    order: Ints
    starts: Ints
    first: Ints
    last: Ints
    mixed: NDArray[np.bool_]

    @classmethod
    def of(cls, logits: Floats | NDArray[np.uint16]) -> _Ascending:
        """Sorts the points by `logits`. Each point is one step."""
        order, starts, sizes = _equal(logits)
        first, last = np.repeat(starts, sizes), np.repeat(starts + sizes - 1, sizes)
        return cls(order, np.arange(order.size), first, last, np.zeros(order.size, dtype=bool))

    @classmethod
    def in_runs(cls, logits: Floats) -> _Ascending:
        """Sorts the points by `logits`, and divides them into about `RUNS` steps of neighbours.

        Points with the same logit are in the same step.
        """
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
        """Returns the position in this order of each point in the order of `other`."""
        places = np.empty_like(self.order)
        places[self.order] = np.arange(self.order.size)
        return np.asarray(places[other.order])

    def rates(self, zeros: Ints, ones: Ints, allowed: Ints) -> Floats:
        """Returns the largest true positive rate for each number of `allowed` false positives.

        If the threshold is within a mixed step, the rate is the mean over all orders of the sampled
        points in it.
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
        """Returns the area under the ROC curve of a sample. Ties count half."""
        upto = np.concatenate([[0], zeros])
        below = upto[self.first] + upto[self.last + 1]
        return float(_parts(ones) @ below / (2 * int(zeros[-1]) * int(ones[-1])))

    def below(self, weights: Floats) -> Floats:
        """The weight of points below each point (n,). Points with the same logit count half."""
        upto, found = np.zeros(weights.size + 1), np.empty(weights.size)
        weights[self.order].cumsum(out=upto[1:])
        found[self.order] = (upto[self.first] + upto[self.last + 1]) / 2
        return found


def _equal(values: Floats | NDArray[np.uint16]) -> tuple[Ints, Ints, Ints]:
    """The indices that sort `values`, and each distinct value's first position and count."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    begins = np.ones(order.size + 1, dtype=bool)
    np.greater(ordered[1:], ordered[:-1], out=begins[1:-1])
    bounds = np.flatnonzero(begins)
    return order, bounds[:-1], bounds[1:] - bounds[:-1]


def _in_levels(logits: Floats) -> NDArray[np.uint16]:
    """Rounds logits to integers from 0 to ``LEVELS - 1``, which sort ten times as fast."""
    low, high = logits.min(), logits.max()
    scale = (LEVELS - 1) / (high - low) if high > low else 0.0
    return np.asarray((logits - low) * scale).astype(np.uint16)


def _parts(upto: Ints) -> Ints:
    """Returns the counts of a sample at each step, from its counts up to each step."""
    parts = upto.copy()
    parts[1:] -= upto[:-1]
    return parts


def candidate_samples(
    points: LabelledDraws, n_test: tuple[int, int], seed: int = 0
) -> tuple[Iterator[tuple[int, _Ascending, Ints, Ints]], tuple[int, int]]:
    """Returns an iterator over the candidates' test sets (see `_samples`), and their sizes.

    The sizes are those of the test set, `n_test`, but at most `MOST_SAMPLED` for a label.
    """
    sizes = (min(n_test[0], MOST_SAMPLED), min(n_test[1], MOST_SAMPLED))
    return _samples(points.draws, sizes, [seed, 3], _in_runs(points, sizes)), sizes


def _in_runs(points: LabelledDraws, sizes: tuple[int, int]) -> bool:
    """Whether there are so many points that samples are counted by runs. See `RUNS`."""
    return len(points.draws) + sum(sizes) > MOST_ONE_BY_ONE


def _samples(
    draws: Floats, sizes: tuple[int, int], seed: list[int], in_runs: bool = False
) -> Iterator[tuple[int, _Ascending, Ints, Ints]]:
    """Yields each candidate's number, the points ordered by its draw, and its two samples.

    A sample is given by its counts up to each step. There are `sizes` points of label 0 and of
    label 1. `draws` (n, d) are posterior draws of ``logit pi``.
    """
    rng, columns = np.random.default_rng(seed), np.ascontiguousarray(draws.T)
    gaps = [_spans(size) if in_runs else None for size in sizes]
    for column, logits in enumerate(columns[:CANDIDATES]):
        drawn = _Ascending.in_runs(logits) if in_runs else _Ascending.of(logits)
        points = _parts(np.append(drawn.starts[1:], logits.size))
        share = np.add.reduceat(expit(logits[drawn.order]), drawn.starts) / points
        for s in range(column, CANDIDATES, len(columns)):
            # Points have random exponential weights (Bayesian bootstrap). The weight of a run is
            # the sum of its points' weights, and so has a gamma distribution.
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
    """Returns each candidate's area minus the classifier's area on the same sample.

    `draws` and `logits` (those of the classifier) are for the same points.
    """
    gain, own = np.empty(CANDIDATES), _Ascending.of(logits)
    for s, drawn, zeros, ones in _samples(draws, sizes, seed):
        moved = drawn.place_of(own)
        gain[s] = drawn.area(zeros, ones) - own.area(_moved(zeros, moved), _moved(ones, moved))
    return gain


def _gains_by_their_law(
    draws: Floats, logits: Floats, sizes: tuple[int, int], seed: list[int]
) -> Floats:
    """Draws a gain in area for each candidate, from a normal distribution.

    The distribution has the mean and the deviation of the gain for the candidate's posterior draw.
    If there are many points, this function replaces `_gains_one_by_one`.
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
    """Returns mean and standard deviation of the gain in area for one posterior draw ``pi``.

    `drawn` and `own` are the points ordered by the draw and by the classifier. An area is the mean,
    over positives, of the share of negatives below them, and likewise over negatives. So its
    variance is the variance of these shares: over the sampled points, and over the random weights
    of the labelled points.
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
    """Draws a sample of `size` points by `weights` (n,). Returns its counts up to each point.

    For `spans`, see `_spans`.
    """
    upto = np.cumsum(weights)
    # Cumulative sums of exponential gaps, divided by their total, are sorted uniform numbers. So
    # nothing has to be sorted.
    if spans is None:
        gaps = np.cumsum(rng.standard_exponential(size + 1))
        counts = gaps[:-1].searchsorted(upto * (gaps[-1] / upto[-1]), side="left")
    else:
        # Each of `spans` is a number of consecutive gaps. The sum of so many exponential gaps has a
        # gamma distribution.
        gaps, ranks = (np.append(0, each.cumsum()) for each in (rng.standard_gamma(spans), spans))
        counts = np.interp(upto * (gaps[-1] / upto[-1]), gaps, ranks).astype(np.intp)
    counts[-1] = size
    return np.asarray(counts)


def _spans(size: int) -> Ints:
    """Returns how many consecutive gaps of a sample are drawn as one number each time.

    At both ends every gap is drawn alone, because rates are near 0 or 1 there. In between,
    `TOGETHER` gaps are drawn as one number, and the counts between two drawn points are
    interpolated. The error of such a count has a standard deviation of at most 1.5.
    """
    singles = min(SINGLES, (size + 1) // 2)
    several = (size + 1 - 2 * singles) // TOGETHER
    rest = size + 1 - 2 * singles - several * TOGETHER
    return np.repeat([1, TOGETHER, 1], [singles, several, singles + rest])


def _moved(upto: Ints, places: Ints) -> Ints:
    """Reorders cumulative counts: point i becomes point `places[i]` of `upto`."""
    return np.asarray(np.cumsum(_parts(upto)[places]))


def false_positives_allowed(fpr: Floats, n_negative: int) -> Ints:
    """Returns how many negatives may be predicted positive at each false positive rate."""
    # The rate may be k / n. A rounding error may then move its product with n below k, which 1e-9
    # prevents.
    return np.floor(fpr * n_negative + 1e-9).astype(np.intp)
