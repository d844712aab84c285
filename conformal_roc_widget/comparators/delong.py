"""Area under the curve after DeLong, DeLong and Clarke-Pearson (1988), by sorting.

Rows of one person are counted together as Obuchowski (1997) does. An area up to a false positive
rate has the influence of each point on it instead of the point's placement, and the same variance.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from conformal_roc_widget.arrays import (
    Floats,
    Ints,
    groups_of,
    labelled_scores,
    with_positive,
)
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import number
from conformal_roc_widget.comparators.two_samples import TwoSamples
from conformal_roc_widget.evaluation.sampling_interval import (
    POPULATION,
    Difference,
    SamplingInterval,
    area_limits,
    placements,
)


def delong_interval(
    y: ArrayLike,
    score: ArrayLike,
    alpha: float = 0.05,
    *,
    max_fpr: float | None = None,
    groups: ArrayLike | None = None,
    pos_label: Any = None,
) -> SamplingInterval:
    """Area under the ROC curve and a large-sample interval for the population's.

    The placement of a positive is the share of negatives below it, ties half, and that of a
    negative the share of positives above it. The area is their mean and its variance is
    ``var(placements of positives) / n_1 + var(placements of negatives) / n_0``, which two sorts
    give (Sun and Xu 2014 say it with midranks). The limits are ``area -+ z sd``, cut at 0 and 1, as
    in pROC's ``ci.auc``.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes, each at least twice; the second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class; they need not be probabilities.
    alpha : float
        Significance level in (0, 1).
    max_fpr : float, optional
        In (0, 1]: the area up to this false positive rate, standardized as in
        `sklearn.metrics.roc_auc_score` (McClish 1989): 0.5 for chance, 1 at best.
    groups : array_like of shape (n,), optional
        Whom each row belongs to: people are independent, their rows need not be (Obuchowski 1997).
    pos_label : label, optional
        The positive label; by default the second of two in sorted order.

    Returns
    -------
    SamplingInterval
        Unpacks into the area and its limits in [0, 1].

    Warns
    -----
    UserWarning
        If the estimated variance is 0, as it is for an area of 0 or 1 and for equal scores: the
        interval has then no width, and means nothing.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above, a label occurs once only, or in one group only.
    """
    y = with_positive(y, "y", pos_label)
    level = float(exact_alpha(alpha))
    areas = _Areas.of(y, [(score, "score")], max_fpr, groups)
    auc, variance = areas.area(0), areas.variance(0)
    if variance == 0:
        warnings.warn(
            f"DeLong's variance of the AUC ({auc:g}) is 0 on these points, because "
            + ("all scores are equal" if 0 < auc < 1 else "the scores separate the labels")
            + ": the interval has no width and is no statement of certainty. ks_band holds for "
            "such data too.",
            UserWarning,
            stacklevel=2,
        )
    return SamplingInterval.of(
        (auc, *area_limits(auc, variance, level)),
        alpha=alpha,
        method=areas.method,
        target=f"{areas.noun} of this classifier {POPULATION}",
    )


def delong_difference(
    y: ArrayLike,
    score_a: ArrayLike,
    score_b: ArrayLike,
    alpha: float = 0.05,
    *,
    max_fpr: float | None = None,
    groups: ArrayLike | None = None,
    pos_label: Any = None,
) -> Difference:
    """Difference of the areas of two scores on the same points, with large-sample limits.

    The scores are paired: the variance is that of the differences of the placements, as in
    `delong_test`, and the limits leave out 0 where that test's p-value is below `alpha`.

    Parameters
    ----------
    y, score_a, score_b : array_like of shape (n,)
        Labels, and both scores in the same order, higher for the positive class.
    alpha : float
        Significance level in (0, 1).
    max_fpr, groups, pos_label
        As in `delong_interval`.

    Returns
    -------
    Difference
        Unpacks into ``auc_a - auc_b`` and its limits in [-1, 1]; `z` and `p_value` are the test's.

    Warns
    -----
    UserWarning
        If the estimated variance is 0 and the areas differ: there is no limit, from -1 to 1.

    Raises
    ------
    TypeError, ValueError
        As in `delong_interval`.
    """
    y = with_positive(y, "y", pos_label)
    exact_alpha(alpha)
    areas = _Areas.of(y, [(score_a, "score_a"), (score_b, "score_b")], max_fpr, groups)
    found = areas.difference(0, 1, alpha, share=1)
    if math.isnan(found.z):
        _warn_of_no_variance(found.estimate)
    return found


def delong_differences(
    y: ArrayLike,
    scores: Mapping[str, ArrayLike],
    alpha: float = 0.05,
    *,
    max_fpr: float | None = None,
    groups: ArrayLike | None = None,
    pos_label: Any = None,
) -> dict[tuple[str, str], Difference]:
    """Differences of every two of several scores, with one significance level for all together.

    Limits are `delong_difference` at ``alpha / pairs`` (Bonferroni), so that all hold at once;
    p-values are Holm's (1979), and none is larger than those limits say.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels.
    scores : mapping of str to array_like of shape (n,)
        Name -> scores, two or more of them.
    alpha : float
        Significance level in (0, 1), of all pairs together.
    max_fpr, groups, pos_label
        As in `delong_interval`.

    Returns
    -------
    dict of (str, str) to Difference
        Pair of names, in their order -> the area of the first less that of the second.

    Raises
    ------
    TypeError, ValueError
        As in `delong_interval`, or if there are fewer than two scores.
    """
    y = with_positive(y, "y", pos_label)
    exact_alpha(alpha)
    named = [(score, f"scores[{name!r}]") for name, score in dict(scores).items()]
    if len(named) < 2:
        raise ValueError(f"scores: found {len(named)}, expected two or more names with scores")
    areas = _Areas.of(y, named, max_fpr, groups)
    pairs = list(itertools.combinations(range(len(named)), 2))
    found = [areas.difference(i, j, alpha, share=len(pairs)) for i, j in pairs]
    for each, p_value in zip(found, holm([each.p_value for each in found]), strict=True):
        if math.isnan(each.z):
            _warn_of_no_variance(each.estimate)
        each.p_value = p_value
    return dict(zip(itertools.combinations(scores, 2), found, strict=True))


def holm(p_values: list[float]) -> list[float]:
    """Holm's (1979) adjusted p-values, in the order given; NaN counts as 1 and stays NaN."""
    p = np.array(p_values, dtype=float)
    order = np.argsort(np.where(np.isnan(p), 1.0, p), kind="stable")
    steps = np.where(np.isnan(p), 1.0, p)[order] * np.arange(p.size, 0, -1)
    adjusted = np.empty(p.size)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(v) for v in np.where(np.isnan(p), np.nan, adjusted)]


def delong_test(
    y: ArrayLike, score_a: ArrayLike, score_b: ArrayLike, *, pos_label: Any = None
) -> tuple[float, float]:
    """Two-sided test that two scores of the same points have the same area in the population.

    ``z = (auc_a - auc_b) / sd``, where the variance is that of `delong_interval` for the
    differences of the placements: the scores are paired, so their covariance counts.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes, each at least twice; the second in sorted order is positive.
    score_a, score_b : array_like of shape (n,)
        Finite numbers, higher for the positive class, in the same order as `y`.
    pos_label : label, optional
        The positive label; by default the second of two in sorted order.

    Returns
    -------
    z, p_value : float
        Positive z: a has the greater area. ``(0, 1)`` if both rank all points alike.

    Warns
    -----
    UserWarning
        If the estimated variance is 0 and the areas differ: no test is possible, and both values
        are NaN.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above, or a label occurs once only.
    """
    y = with_positive(y, "y", pos_label)
    areas = _Areas.of(y, [(score_a, "score_a"), (score_b, "score_b")])
    difference, _, z, p_value = areas.test(0, 1)
    if math.isnan(z):
        _warn_of_no_variance(difference)
    return z, p_value


def area_variance(y: ArrayLike, score: ArrayLike) -> tuple[float, float]:
    """Area and its variance, as in `delong_interval`, but without a warning.

    Parameters
    ----------
    y, score : array_like of shape (n,)
        Labels and scores, as there.

    Returns
    -------
    auc, variance : float
        The area, and DeLong's estimate of its variance.

    Raises
    ------
    TypeError, ValueError
        As there.
    """
    areas = _Areas.of(y, [(score, "score")])
    return areas.area(0), areas.variance(0)


#: Places of two scores, and the difference of their areas with its deviation (0 where both rank
#: all points alike), z and Holm's p-value; NaN where the test is impossible.
PairedAreas = tuple[int, int, float, float, float, float]


def paired_areas(y: ArrayLike, scores: Sequence[ArrayLike]) -> list[PairedAreas]:
    """Tests of every two of several scores, as in `delong_differences`, but without warnings.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels.
    scores : sequence of array_like of shape (n,)
        Scores of the same points.

    Returns
    -------
    list of PairedAreas
        In the order of the scores.
    """
    areas = _Areas.of(y, [(score, "score") for score in scores])
    pairs = list(itertools.combinations(range(len(scores)), 2))
    tests = [areas.test(i, j) for i, j in pairs]
    adjusted = holm([p for *_, p in tests])
    return [
        (i, j, value, sd, z, p)
        for (i, j), (value, sd, z, _), p in zip(pairs, tests, adjusted, strict=True)
    ]


class _Components(NamedTuple):
    """The area of one score, and what each point adds to it, in the order of the data.

    The mean of `positives` is the area; `negatives` are its derivative by the law of the negatives.
    Both are placements where the area is the whole one.
    """

    area: float
    negatives: Floats
    positives: Floats

    @classmethod
    def of(cls, negatives: Floats, positives: Floats) -> _Components:
        """Placements: shares of the other label below a positive, above a negative, ties half."""
        return cls(TwoSamples.of(negatives, positives).auc, *placements(negatives, positives))

    @classmethod
    def up_to(cls, negatives: Floats, positives: Floats, max_fpr: float) -> _Components:
        """The standardized area up to a false positive rate.

        A positive adds the width of what lies right of it, up to the rate: its score's edge is
        slanted where negatives share it. A negative beyond the rate's threshold moves nothing more.
        """
        samples = TwoSamples.of(negatives, positives)
        beyond, at = (
            counts / negatives.size for counts in samples.negatives.above_and_at(positives)
        )
        part = np.clip(max_fpr - beyond, 0.0, at)
        slanted = np.divide(part**2, 2 * at, out=np.zeros_like(part), where=at > 0)
        width = slanted + np.maximum(max_fpr - beyond - at, 0.0)
        reached = float(samples.tpr_at(np.array([max_fpr]))[0])
        above = placements(negatives, positives)[0]
        # McClish: chance is 1/2 and the best is 1.
        chance, scale = max_fpr**2 / 2, 0.5 / (max_fpr - max_fpr**2 / 2)
        area = 0.5 + scale * (float(width.mean()) - chance)
        return cls(area, scale * np.minimum(above, reached), scale * width)

    def less(self, other: _Components) -> _Components:
        """The difference of two areas, point by point."""
        return _Components(
            self.area - other.area,
            self.negatives - other.negatives,
            self.positives - other.positives,
        )


class _Areas(NamedTuple):
    """Areas of several scores on the same points."""

    components: list[_Components]
    #: Whom the negatives and the positives belong to; None where each row stands for itself.
    groups: tuple[Ints, Ints] | None
    max_fpr: float | None

    @classmethod
    def of(
        cls,
        y: ArrayLike,
        scores: list[tuple[ArrayLike, str]],
        max_fpr: float | None = None,
        groups: ArrayLike | None = None,
    ) -> _Areas:
        """Checks labels, scores with the names of their arguments, and groups."""
        if max_fpr is not None:
            number(max_fpr, "max_fpr", "a number in (0, 1]", lambda rate: 0 < rate <= 1)
        checked = [labelled_scores(y, score, name) for score, name in scores]
        positive = checked[0][0]
        if min(positive.sum(), (~positive).sum()) < 2:
            raise ValueError("y: found a label that occurs once, expected each at least twice")
        components = [
            _Components.of(values[~positive], values[positive])
            if max_fpr is None or max_fpr == 1
            else _Components.up_to(values[~positive], values[positive], float(max_fpr))
            for _, values in checked
        ]
        return cls(components, _groups_by_label(groups, positive), max_fpr)

    @property
    def method(self) -> str:
        """Name of the method."""
        name = "DeLong" if self.groups is None else "Obuchowski"
        return name if self._whole else f"{name}, partial area"

    @property
    def noun(self) -> str:
        """The area in words."""
        if self._whole:
            return "area under the ROC curve"
        return f"standardized area under the ROC curve up to FPR {self.max_fpr:g}"

    @property
    def _whole(self) -> bool:
        return self.max_fpr is None or self.max_fpr == 1

    def area(self, which: int) -> float:
        """Area under the curve of one of the scores."""
        return self.components[which].area

    def variance(self, which: int) -> float:
        """Variance of that area."""
        return self._variance(self.components[which])

    def difference(self, a: int, b: int, alpha: float, share: int) -> Difference:
        """Area a less area b, with its test; limits at one `share`-th of alpha."""
        level = exact_alpha(alpha)
        value, sd, z, p_value = self.test(a, b)
        half = math.inf if math.isnan(sd) else float(-ndtri(float(level / share) / 2)) * sd
        found = Difference.of(
            (value, max(value - half, -1.0), min(value + half, 1.0)),
            alpha=alpha,
            method=self.method,
            target=f"difference in {self.noun}, the same points scored twice, {POPULATION}",
            scope="one number" if share == 1 else f"all {share} differences at once (Bonferroni)",
        )
        found.z, found.p_value = z, p_value
        return found

    def test(self, a: int, b: int) -> tuple[float, float, float, float]:
        """Area a less area b, its standard deviation, z and p; NaN where no test is possible."""
        both = self.components[a].less(self.components[b])
        value, variance = both.area, self._variance(both)
        if variance > 0:
            z = value / math.sqrt(variance)
            return value, math.sqrt(variance), z, float(2 * ndtr(-abs(z)))
        return (value, math.nan, math.nan, math.nan) if value else (value, 0.0, 0.0, 1.0)

    def _variance(self, of: _Components) -> float:
        n0, n1 = of.negatives.size, of.positives.size
        if self.groups is None:
            return float(of.negatives.var(ddof=1) / n0 + of.positives.var(ddof=1) / n1)
        people = 1 + max(int(codes.max()) for codes in self.groups)
        parts, shares = [], []
        for values, codes in zip((of.negatives, of.positives), self.groups, strict=True):
            there = np.unique(codes).size
            sums = np.bincount(codes, values - values.mean(), minlength=people)
            parts.append(sums / values.size)
            shares.append(there / (there - 1) * float(parts[-1] @ parts[-1]))
        both = people / (people - 1) * float(parts[0] @ parts[1])
        return max(shares[0] + shares[1] + 2 * both, 0.0)


def _groups_by_label(
    groups: ArrayLike | None, positive: NDArray[np.bool_]
) -> tuple[Ints, Ints] | None:
    """Whom the negatives and the positives belong to; each label needs two people."""
    if groups is None:
        return None
    codes = groups_of(groups, "groups", positive.size)
    both = codes[~positive], codes[positive]
    if min(np.unique(each).size for each in both) < 2:
        raise ValueError("groups: found a label in one group only, expected each in at least two")
    return both


def _warn_of_no_variance(difference: float) -> None:
    warnings.warn(
        f"DeLong's variance of the difference in AUC ({difference:g}) is 0 on these points: no "
        "test is possible, z and p-value are NaN, and there is no limit.",
        UserWarning,
        stacklevel=3,
    )
