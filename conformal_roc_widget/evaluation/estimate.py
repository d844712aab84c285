"""Computes limits for a figure of a classifier in the population, such as its AUC.

The variance of a figure is the sum of the squared influences of its rows. The influences of all
rows of one person are added up before squaring, and so are the influences of one row on several
figures. This is how weights, people, folds and classes with common rows enter the limits. Limits
are computed on a scale, such as the logit, on which the figure is unbounded. On the page:
js/src/evaluation/estimate.ts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, ndtri, stdtrit

from conformal_roc_widget.arrays import Floats, Ints, labelled_scores, people_of, row_weights_of
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.choices import LooksName
from conformal_roc_widget.promise import (
    LARGE_SAMPLES,
    ONE_NUMBER,
    SCOPES,
    Guarantee,
    PromisedNumbers,
    Scope,
    sampling,
)
from conformal_roc_widget.reliability.binomial_limits import exact_limits
from conformal_roc_widget.tables.calibration_rows import effective_n

from .looks import FIRST_LOOK, far_at_any_look, no_look_yet

#: If one row (or person) contributes more than this share of the variance, a note says that the
#: losses have a heavy tail. In simulations with 150 rows and a heavy tail, nominal .95 limits
#: covered .885 if the true variance was infinite, and .94 if it was finite.
LARGEST_SHARE = 0.3
#: The end of a phrase that says what limits are for. With it, limits are for the population, and
#: not for the test points.
POPULATION = "in the population that the points were drawn from"
#: If a variance is smaller than this factor times the square of the largest value that a row can
#: have, it is only rounding error. Even for a million points of each label, the variance of an area
#: is larger.
ROUNDED = 1e-26
#: The covariance of the two labels may cancel their variances. If less than this share of the
#: variances is left, the rest is only rounding error.
CANCELLED = 1e-12


def target_of(figure: str) -> str:
    """Writes what limits are for: the `figure` of this classifier in the population."""
    return f"{figure} of this classifier {POPULATION}"


class _Triple(NamedTuple):
    estimate: float
    lower: float
    upper: float


class SamplingInterval(PromisedNumbers, _Triple):
    """An estimate with two limits for the population's value. It unpacks into these three floats.

    Attributes
    ----------
    estimate, lower, upper : float
        The value on the given rows, and limits for its value in the population.
    alpha : float
        Significance level.
    method : str
        Name of the method of the limits.
    promise : Promise
        What the limits cover, and with which confidence. `target`, `scope` and `guarantee` are its
        words.
    notes : tuple of str
        Reasons to trust the limits less on these data.
    """

    alpha: float
    method: str
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        values: tuple[float, float, float],
        *,
        alpha: float,
        method: str,
        target: str,
        scope: Scope | str = ONE_NUMBER,
        guarantee: Guarantee = LARGE_SAMPLES,
        notes: tuple[str, ...] = (),
    ) -> Self:
        """Makes the interval from three `values`: estimate, lower limit and upper limit.

        `target`, `scope` and `guarantee` make its guarantee, in which the placeholder is replaced
        by the confidence.
        """
        interval = cls(*map(float, values))
        interval.alpha, interval.method, interval.notes = float(alpha), method, notes
        return interval.with_promise(sampling(scope, guarantee, target).at(alpha))


class Difference(SamplingInterval):
    """The difference of two scores on the same points, with a test.

    Attributes
    ----------
    z, p_value : float
        Two-sided test that the difference in the population is 0. NaN if no test is possible.
    """

    z: float
    p_value: float

    @property
    def difference(self) -> float:
        """The first score's value minus the second's."""
        return self.estimate


class Estimate(NamedTuple):
    """A figure, and the numbers from which `limits` computes its limits at any alpha.

    `scale` decides how limits are computed. "share": exact binomial limits, where `rows` is the
    effective sample size (Korn and Graubard 1998). "logit" (for figures from 0 to 1) and "log" (for
    figures of at least 0): normal limits on the transformed scale. "delong": normal limits around
    the value, clipped to [0, 1]. "line": the same without clipping. If the rows do not determine
    the variance, `variance` is 0. On the scale "logit", limits then follow from `rows`, the number
    of independent rows (for an area, of independent pairs of rows).
    """

    value: float
    variance: float = 0.0
    rows: float = 0.0
    scale: str = "logit"
    #: The degrees of freedom of the estimated variance.
    df: float = math.inf
    #: An area is taken over false positive rates from 0 to this number. If it is below 1, the area
    #: is partial.
    part: float = 1.0
    #: Whether one row contributes more than `LARGEST_SHARE` of the variance.
    is_heavy: bool = False
    #: Three numbers for the upper limit of a mean loss (see `Rows.mean_loss`): the largest loss,
    #: and the successes and trials of a binomial share. The exact upper limit of the share, times
    #: the largest loss, is a limit of the mean. For other figures all three are 0.
    one_more: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def limits(self, alpha: float, looks: LooksName = "once") -> tuple[float, float]:
        """Returns the lower and the upper limit at `alpha`. The value is never outside them.

        If `looks` is "any", the limits of an area hold at every look as rows arrive. `rows` then
        counts the rarer label, and below `FIRST_LOOK` rows there are no limits.
        """
        low, high = self._limits(alpha, is_any=looks == "any")
        largest, successes, trials = self.one_more
        if largest:
            high = max(high, largest * exact_limits(successes, trials, alpha)[1])
        # `_limits` transforms the value and back, with rounding errors. Without this line, a limit
        # could lie on the wrong side of the value.
        return min(low, self.value), max(high, self.value)

    def _limits(self, alpha: float, *, is_any: bool) -> tuple[float, float]:
        value = self.value
        if is_any and self.rows < FIRST_LOOK:
            return 0.0, 1.0
        if self.scale == "share":
            return exact_limits(value * self.rows, self.rows, alpha)
        if self.scale == "log" and not self.variance:
            # If a loss in the sample is infinite, so is the mean loss in the population.
            return (value if math.isinf(value) else 0.0), math.inf
        # If the value is 0 or 1, its logit is infinite, even if the variance is positive (as for a
        # partial area of 0). The limits then come from the number of rows.
        if self.scale == "logit" and not (self.variance and 0 < value < 1):
            # To hold at every look, limits use a part of alpha at each look. The k-th look gets a
            # part proportional to 1 / k^2. Over all looks, 1 / k^2 sums to pi^2 / 6.
            share = 6 / (math.pi * (self.rows - FIRST_LOOK + 1)) ** 2 if is_any else 1.0
            return self._by_rows(alpha * share)
        if is_any:
            far = far_at_any_look(alpha, self.rows)
        else:
            far = float(-ndtri(alpha / 2) if math.isinf(self.df) else -stdtrit(self.df, alpha / 2))
        half = far * math.sqrt(self.variance)
        if self.scale == "log":
            return value * math.exp(-half / value), value * math.exp(half / value)
        if self.scale == "delong":
            return max(value - half, 0.0), min(value + half, 1.0)
        if self.scale == "line":
            return value - half, value + half
        centre, half = logit(value), half / (value * (1 - value))
        return float(expit(centre - half)), float(expit(centre + half))

    def _by_rows(self, alpha: float) -> tuple[float, float]:
        """Returns limits without a variance, from k = `rows` independent pairs, at any sample size.

        If all k pairs are ranked as their labels are, the probability of this for a new pair is at
        least ``(alpha / 2) ** (1 / k)`` (Clopper and Pearson). A partial area is at most as far
        from its maximum as the whole area. For other values, the limits are ``value -+ t`` with ``2
        exp(-2 k t^2) = alpha`` (Hoeffding 1963, section 5). They hold only for the whole area.
        """
        if not self.rows or not alpha / 2:
            return 0.0, 1.0
        each = math.log(alpha / 2) / self.rows
        if self.value == 1:
            return max(1 + math.expm1(each) / self.part, 0.0), 1.0
        if self.value == 0:
            return 0.0, -math.expm1(each)
        half = math.sqrt(-each / 2)
        return max(self.value - half, 0.0), min(self.value + half, 1.0)

    def interval(self, alpha: float, looks: LooksName = "once", **about: Any) -> SamplingInterval:
        """Returns the value with limits and guarantee. `about` goes to `SamplingInterval.of`."""
        limits = self.limits(float(exact_alpha(alpha)), looks)
        if looks == "any":
            notes = *about.get("notes", ()), *no_look_yet(self.rows, looks)
            about |= {"scope": SCOPES["one_number_any_look"], "notes": notes}
        return SamplingInterval.of((self.value, *limits), alpha=alpha, **about)


class Rows(NamedTuple):
    """The labels, scores and weights of rows, and the codes of the people they belong to.

    `weights` is None if all are equal. `owners` has the codes of people. It is None if nobody has
    two rows.
    """

    positive: NDArray[np.bool_]
    scores: Floats
    weights: Floats | None = None
    owners: Ints | None = None

    @classmethod
    def of(
        cls,
        positive: NDArray[np.bool_],
        scores: Floats,
        weights: Floats | None = None,
        owners: Ints | None = None,
    ) -> Rows:
        """Keeps the rows of positive weight.

        If all weights are equal, they become None. If everybody has one row, `owners` becomes None.
        """
        if weights is not None and not weights.all():
            there = weights > 0
            positive, scores, weights = positive[there], scores[there], weights[there]
            owners = None if owners is None else owners[there]
        if weights is not None and (weights == weights[0]).all():
            weights = None
        if owners is not None:
            owners = np.unique(owners, return_inverse=True)[1]
            owners = None if owners.max() + 1 == owners.size else owners
        return cls(positive, scores, weights, owners)

    @classmethod
    def given(
        cls,
        y: ArrayLike,
        score: ArrayLike,
        pos_label: Any,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Rows:
        """Checks a user's arguments, and makes the rows."""
        positive, scores = labelled_scores(y, score, pos_label=pos_label)
        owners = None if groups is None else people_of(groups, "groups", positive.size)
        weights = sample_weight
        if weights is not None:
            weights = row_weights_of(weights, "sample_weight", positive.size)
        return cls.of(positive, scores, weights, owners)

    @property
    def plain(self) -> bool:
        """Whether rows have equal weights, and nobody has two rows."""
        return self.weights is None and self.owners is None

    @property
    def in_order(self) -> Rows:
        """The rows sorted by score, label and weight, so that sums do not depend on their order."""
        if self.plain:  # weights of 1 have the same sum in any order
            return self
        order = np.lexsort((self.masses, self.positive, self.scores))
        return self.at(order)

    @property
    def masses(self) -> Floats:
        """The weights of the rows. If `weights` is None, they are ones."""
        return np.ones(self.scores.size) if self.weights is None else self.weights

    def of_label(self, label: int) -> Rows:
        """Returns the rows of one label."""
        return self.at(self.positive == label)

    def at(self, where: Any) -> Rows:
        """Returns the rows that `where` selects: a mask, a slice or indices."""
        weights = None if self.weights is None else self.weights[where]
        owners = None if self.owners is None else self.owners[where]
        return Rows(self.positive[where], self.scores[where], weights, owners)

    def by_person(self, values: Floats) -> Floats:
        """Sums `values` (n,) over each person's rows. Without people, returns `values`."""
        if self.owners is None:
            return values
        return np.bincount(self.owners, values).astype(float)

    @property
    def alike(self) -> float:
        """The effective sample size of the weighted rows, or of the weighted people (Kish 1965)."""
        if self.weights is None and self.owners is None:
            return float(self.scores.size)
        # The weights are sorted, because the last digit of a sum depends on the order of its terms.
        return effective_n(np.sort(self.by_person(self.masses)))

    @property
    def people(self) -> int:
        """The number of people. If `owners` is None, the number of rows."""
        return self.scores.size if self.owners is None else int(np.unique(self.owners).size)

    @property
    def placed(self) -> tuple[Floats, Floats]:
        """The `placements` of the rows of label 0, and of label 1, among the other label's rows."""
        zeros, ones = self.of_label(0), self.of_label(1)
        weights = None if self.weights is None else (zeros.masses, ones.masses)
        return placements(zeros.scores, ones.scores, weights)

    @property
    def fewest(self) -> int:
        """The number of people of the rarer label. Without `owners`, the number of its rows."""
        if self.owners is None:
            ones = int(np.count_nonzero(self.positive))
            return min(ones, self.positive.size - ones)
        return min(int(np.unique(self.owners[self.positive == k]).size) for k in (0, 1))

    def mean(self, values: Floats, scale: str = "logit") -> Estimate:
        """Computes the weighted mean of `values` (n,), one for each row, and its variance.

        On the `scale` "share", the result has the effective sample size instead of the variance.
        """
        rows = self
        if self.plain:
            values = np.sort(values)
        else:  # after sorting, the last digit of the sum does not depend on the order of the rows
            order = np.lexsort((self.masses, values))
            values, rows = values[order], self.at(order)
        total = float(rows.masses.sum())
        with np.errstate(under="ignore"):
            value = float(rows.masses @ values / total)
        if math.isinf(value):
            return Estimate(value, scale=scale)
        sums = rows.by_person(rows.masses * (values - value) / total)
        if scale == "share":
            most, people = effective_n(rows.masses), self.alike
            many = rows_of_share(value, squares(sums), most, people)
            return Estimate(value, rows=many, scale="share")
        n = self.people
        variance = squares(sums) * n / (n - 1) if n > 1 else 0.0
        found = Estimate(value, told(variance, float(np.abs(values).max())), scale=scale)
        is_heavy = float(np.square(sums).max()) > LARGEST_SHARE * squares(sums)
        return found._replace(is_heavy=is_heavy) if found.variance else found

    def mean_loss(self, losses: Floats, others: Floats, scale: str = "logit") -> Estimate:
        """Computes the mean of `losses`. `others` are the losses that the other labels would give.

        A good classifier has few large losses, and a sample may contain none of them. A row is on
        the wrong side if its loss would be smaller with the other label. The upper limit is at
        least that of a sample with one more row on the wrong side. All rows get Dirichlet weights
        (Gaffke 2005), and the distribution of their mean is approximated by a beta distribution of
        the same mean and variance. The loss of the added row is a weighted mean. Without rows on
        the wrong side, it is the mean over all rows of the larger of a row's two losses. Each row
        on the wrong side adds its own loss to this mean, weighted by the difference of the row's
        two losses.
        """
        found = self.mean(losses, scale)
        with np.errstate(all="ignore"):
            far = np.abs(others - losses)
        # `far` is the difference between the loss of a row and its loss with the other label. If
        # the score is 0 or 1, one of the two is infinite, and the row is left out.
        told_of = np.isfinite(far)
        masses, largest, n = self.masses * told_of, float(losses.max()), self.alike
        far[~told_of] = 0
        wrong = masses * far * (losses > others)
        weight = float(masses @ far)
        if not (found.variance and weight):
            return found
        seen = n * float(wrong.sum()) / weight
        supposed = float(masses @ np.where(told_of, np.maximum(losses, others), 0) / masses.sum())
        one_more = (n * float(wrong @ losses) / weight + supposed) / (seen + 1)
        largest = max(largest, one_more)
        value, added, sd = (
            each / largest for each in (found.value, one_more, math.sqrt(found.variance))
        )
        mean = (n * value + added) / (n + 1)
        spread = sd**2 * n * (n - 1) + n / (n + 1) * (added - value) ** 2
        # An exact upper limit of a share is a quantile of the beta distribution with parameters
        # successes + 1 and trials - successes. Here successes and trials are chosen so that this
        # distribution has the `mean` and the variance computed above.
        size = mean * (1 - mean) / spread * (n + 1) * (n + 2) - 1
        successes = max(mean * size - 1, 0.0)
        # The last digits depend on the order of the rows, so the numbers are rounded to seven
        # digits.
        a, b, c = (float(f"{each:.7g}") for each in (largest, successes, max(size - 1, successes)))
        return found._replace(one_more=(a, b, c))


def squares(sums: Floats) -> float:
    """Sums the squares of `sums`, sorted so that rounding does not depend on the rows' order."""
    return float((np.sort(np.abs(sums)) ** 2).sum())


def told(variance: float, largest: float = 1.0) -> float:
    """Returns `variance`, or 0 if it is only rounding error. A row's value is at most `largest`."""
    return variance if variance > ROUNDED * largest**2 else 0.0


def rows_of_share(value: float, variance: float, most: float, people: float) -> float:
    """Returns the number of rows at which a share's binomial variance equals `variance`.

    This is the effective sample size. It is at most `most`. If the variance is 0, it is `people`.
    """
    return min(value * (1 - value) / variance, most) if told(variance) else people


class Parts(NamedTuple):
    """A figure, and the influence on it of each row of label 0 (`zeros`) and label 1 (`ones`)."""

    value: float
    zeros: Floats
    ones: Floats

    @classmethod
    def around(cls, value: float, placed: tuple[Floats, Floats], rows: Rows) -> Parts:
        """Makes the figure `value` with the influences of its rows.

        `placed` has a number for each row of each label. Its mean over the label is the figure. A
        row's influence is the weighted deviation of its number from the mean.
        """
        both = []
        for label, contributed in enumerate(placed):
            mine = rows.of_label(label).masses
            total = float(np.sort(mine).sum())
            mean = float(np.sort(mine * contributed).sum()) / total
            both.append(mine * (contributed - mean) / total)
        return cls(value, *both)

    def __sub__(self, other: Parts) -> Parts:
        return Parts(self.value - other.value, self.zeros - other.zeros, self.ones - other.ones)

    def scaled(self, by: float) -> Parts:
        """Multiplies the figure and its influences by a factor."""
        return Parts(by * self.value, by * self.zeros, by * self.ones)

    def spread(self, rows: Rows) -> tuple[float, float]:
        """Returns the variance of the figure, and its degrees of freedom (Satterthwaite 1946).

        The influences of all rows of one person are added up before squaring (Obuchowski 1997).
        """
        n = [rows.of_label(k).people for k in (0, 1)]
        if rows.owners is None:
            sums, both = [self.zeros, self.ones], 0.0
        else:
            most = int(rows.owners.max()) + 1
            sums = [
                np.bincount(rows.owners[rows.positive == k], part, minlength=most).astype(float)
                for k, part in enumerate((self.zeros, self.ones))
            ]
            both = 2 * float(sums[0] @ sums[1]) * unbiased(rows.people)
        shares = [unbiased(many) * squares(part) for many, part in zip(n, sums, strict=True)]
        apart = shares[0] + shares[1]
        # The covariance of the labels (`both`) may cancel their variances (`apart`). What remains
        # is then only rounding error, and the variance is set to 0.
        variance = told(apart + both) if apart + both > CANCELLED * apart else 0.0
        below = sum(share**2 / (many - 1) for share, many in zip(shares, n, strict=True))
        return variance, sum(shares) ** 2 / below if below else math.inf


def unbiased(n: float) -> float:
    """The factor n / (n - 1). With it, the mean square of n deviations is an unbiased variance."""
    return 1 + 1 / (n - 1)


def pairs_apart(groups: tuple[Ints, Ints]) -> int:
    """Returns the largest number of (negative, positive) pairs of rows without a common person.

    `groups` has the codes of the people of the negatives, and those of the positives.
    """
    zeros, ones = (set(codes.tolist()) for codes in groups)
    return min(len(zeros), len(ones), len(zeros | ones) // 2)


def pairs_of(rows: Rows) -> float:
    """Returns the effective number of (negative, positive) pairs without a common row or person."""
    of = rows.of_label(0), rows.of_label(1)
    if of[0].owners is None or of[1].owners is None:
        return min(each.alike for each in of)
    alike = min(each.alike / each.people for each in of)
    return pairs_apart((of[0].owners, of[1].owners)) * min(alike, 1.0)


def placements(
    negatives: Floats, positives: Floats, weights: Sequence[Floats] | None = None
) -> tuple[Floats, Floats]:
    """Returns the share of positives above each negative, and of negatives below each positive.

    The inputs are scores. Equal scores count half. If `weights` has the weights of the negatives,
    then of the positives, the shares are weighted.
    """
    zeros, ones = (None, None) if weights is None else weights
    return 1 - _share_below(positives, ones, negatives), _share_below(negatives, zeros, positives)


def _share_below(values: Floats, weights: Floats | None, at: Floats) -> Floats:
    """Returns the weighted share of `values` below each number in `at`. Equal values count half."""
    if weights is None:
        ordered = np.sort(values)
        smaller = np.searchsorted(ordered, at, side="left")
        found: Floats = (smaller + np.searchsorted(ordered, at, side="right")) / (2 * values.size)
        return found
    order = np.argsort(values, kind="stable")
    ordered, sums = values[order], np.concatenate([[0.0], np.cumsum(weights[order])])
    low, high = (sums[np.searchsorted(ordered, at, side=side)] for side in ("left", "right"))
    return np.asarray((low + high) / (2 * sums[-1]))
