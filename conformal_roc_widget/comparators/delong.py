"""Computes areas under the ROC curve, with limits and tests, by DeLong et al. (1988).

The placement of a row is the share of the other label's rows that it is ranked correctly against.
Two sorts give all placements. If a person has several rows, their placements are added up
(Obuchowski 1997). For a partial area, the influence of each row replaces its placement, and the
variance has the same form.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from conformal_roc_widget.arrays import Ints, labelled_scores, people_of
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import instance_of, number, one_of
from conformal_roc_widget.choices import AreaMethodName, LooksName
from conformal_roc_widget.evaluation.estimate import (
    POPULATION,
    Difference,
    Estimate,
    Parts,
    Rows,
    SamplingInterval,
    pairs_of,
    target_of,
)
from conformal_roc_widget.evaluation.looks import no_look_yet
from conformal_roc_widget.promise import ONE_NUMBER, SCOPES

from .cautions import check_looks
from .two_samples import TwoSamples

#: The methods for limits of an area: symmetric on the logit scale ("logit"), or around the area
#: itself ("delong").
METHODS = get_args(AreaMethodName)


def delong_interval(
    y: ArrayLike,
    score: ArrayLike,
    alpha: float = 0.05,
    *,
    max_fpr: float | None = None,
    groups: ArrayLike | None = None,
    method: AreaMethodName = "logit",
    looks: LooksName = "once",
    pos_label: Any = None,
) -> SamplingInterval:
    """Computes the area under the ROC curve, and a large-sample interval for the population's area.

    The placement of a positive is the share of negatives below it. The placement of a negative is
    the share of positives above it. Ties count half. The area is the mean of the placements. Its
    variance is ``var(placements of positives) / n_1 + var(placements of negatives) / n_0``, which
    two sorts give (Sun and Xu 2014, who use midranks). The limits are ``logit area -+ z sd / (area
    (1 - area))``, transformed back from the logit (Pepe 2003), so that they are between 0 and 1.
    For a partial area, the logit is of its share of the largest possible value.

    If the estimated variance is 0, the limits depend on the number k of pairs of a positive and a
    negative that have no row (or person) in common. These limits hold for every sample size. If the
    scores separate the labels, they go from ``(alpha / 2) ** (1 / k)`` to 1 (Clopper and Pearson).
    Otherwise Hoeffding's (1963) inequality gives them. A partial area below its largest possible
    value then has no limits.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes, each occurring at least twice. The second in sorted order is
        positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class. They need not be probabilities.
    alpha : float
        Significance level in (0, 1).
    max_fpr : float, optional
        In (0, 1]: the area up to this false positive rate, standardized as in
        `sklearn.metrics.roc_auc_score` (McClish 1989): 0.5 for chance, 1 at best.
    groups : array_like of shape (n,), optional
        The person of each row. People must be independent, but the rows of a person need not be
        (Obuchowski 1997).
    method : {"logit", "delong"}
        Scale of the limits. With ``"delong"`` they are ``area -+ z sd``, clipped to possible
        values, as in pROC's ``ci.auc``. If a label has few points, they hold less often.
    looks : {"once", "any"}
        Whether limits hold at one look, or together at every look as rows arrive, from 20 rows of
        each label on. Limits for every look are an asymptotic confidence sequence, about 1.6 times
        as wide.
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.

    Returns
    -------
    SamplingInterval
        Unpacks into the area and its limits in [0, 1].

    Warns
    -----
    UserWarning
        If the estimated variance is 0, as for an area of 0 or 1 and for equal scores. With
        ``"delong"`` the interval then has no width and means nothing.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above, or if a label occurs only once or in only one
        group.
    """
    level = float(exact_alpha(alpha))
    one_of(method, "method", METHODS)
    check_looks(looks, groups=groups)
    areas = _Areas.of(y, {"score": score}, max_fpr, groups, pos_label)
    area = areas.first._replace(scale=method)
    found = [areas.standardized(end) for end in (area.value, *area.limits(level, looks))]
    if not area.variance:
        warnings.warn(_no_variance(areas, area, method), UserWarning, stacklevel=3)
    return SamplingInterval.of(
        (found[0], found[1], found[2]),
        alpha=alpha,
        method=areas.method if method == "delong" else f"{areas.method}, on the logit scale",
        target=target_of(areas.noun),
        scope=ONE_NUMBER if looks == "once" else SCOPES["one_number_any_look"],
        notes=no_look_yet(areas.pairs, looks),
    )


def _no_variance(areas: _Areas, area: Estimate, method: str) -> str:
    """Writes the warning that an area has the estimated variance 0, and what its limits are."""
    if area.value == 1 or (area.value == 0 and area.part == 1):
        why = "because the scores separate the labels"
    elif not areas.ranks[0].any():
        why = "because all scores are equal"
    else:
        why = "though the scores neither separate the labels nor are all equal"
    value = areas.standardized(area.value)
    reason = f"DeLong's variance of the AUC ({value:g}) is 0 on these points, {why}: "
    if method == "delong":
        return (
            f"{reason}the interval has no width and is no statement of certainty. "
            'method="logit" and ks_band hold for such data too.'
        )
    if not area.rows:
        return f"{reason}there is no limit."
    return (
        f"{reason}the limits come from the number of independent pairs of a positive and a "
        f"negative ({areas.pairs}) alone."
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
    """Computes the difference of two scores' areas on the same points, with limits.

    The scores are paired: the variance is that of the differences of the placements, as in
    `delong_test`. The limits exclude 0 if the p-value of that test is below `alpha`.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes, each occurring at least twice. The second in sorted order is
        positive.
    score_a, score_b : array_like of shape (n,)
        Finite numbers, higher for the positive class, in the same order as `y`.
    alpha : float
        Significance level in (0, 1).
    max_fpr : float, optional
        In (0, 1]: the area up to this false positive rate, standardized as in
        `sklearn.metrics.roc_auc_score` (McClish 1989): 0.5 for chance, 1 at best.
    groups : array_like of shape (n,), optional
        The person of each row. People must be independent, but the rows of a person need not be
        (Obuchowski 1997).
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.

    Returns
    -------
    Difference
        Unpacks into ``auc_a - auc_b`` and its limits in [-1, 1]. `z` and `p_value` are those of the
        test.

    Warns
    -----
    UserWarning
        If the estimated variance is 0, unless both scores rank all points alike. If the areas
        differ, there are no limits: the interval is -1 to 1. If they do not differ, as for two
        scores that both separate the labels, the limits are ``-+ (1 - alpha ** (1 / k))``, where k
        is the number of pairs without a row (or person) in common. A partial area has no limits.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above, or if a label occurs only once or in only one
        group.
    """
    scores = {"score_a": score_a, "score_b": score_b}
    (found,) = _differences(y, scores, alpha, max_fpr, groups, pos_label)
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
    """Computes the differences of all pairs of scores, with one alpha for all of them together.

    The limits are those of `delong_difference` at ``alpha / pairs`` (Bonferroni), so that all hold
    at once. The p-values are adjusted by Holm (1979), and agree with these limits.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes, each occurring at least twice. The second in sorted order is
        positive.
    scores : mapping of str to array_like of shape (n,)
        Name -> finite numbers, higher for the positive class, in the same order as `y`. At least
        two scores.
    alpha : float
        Significance level in (0, 1), of all pairs together.
    max_fpr : float, optional
        In (0, 1]: the area up to this false positive rate, standardized as in
        `sklearn.metrics.roc_auc_score` (McClish 1989): 0.5 for chance, 1 at best.
    groups : array_like of shape (n,), optional
        The person of each row. People must be independent, but the rows of a person need not be
        (Obuchowski 1997).
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.

    Returns
    -------
    dict of (str, str) to Difference
        Pair of names -> the area of the first minus that of the second.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above, if a label occurs only once or in only one group,
        or if there are fewer than two scores.
    """
    instance_of(scores, "scores", Mapping, "a mapping of names to scores")
    named = {f"scores[{name!r}]": score for name, score in scores.items()}
    if len(named) < 2:
        raise ValueError(f"scores: found {len(named)}, expected two or more names with scores")
    found = _differences(y, named, alpha, max_fpr, groups, pos_label)
    return dict(zip(itertools.combinations(scores, 2), found, strict=True))


def _differences(
    y: ArrayLike,
    scores: Mapping[str, ArrayLike],
    alpha: float,
    max_fpr: float | None,
    groups: ArrayLike | None,
    pos_label: Any,
) -> list[Difference]:
    """Computes the differences of all pairs of `scores`, with one alpha for all of them together.

    The names of `scores` are those of the user's arguments, which errors use.
    """
    level = exact_alpha(alpha)
    areas = _Areas.of(y, scores, max_fpr, groups, pos_label)
    tests = areas.tests()
    share = len(tests)
    wanted = float(-ndtri(float(level / share) / 2))
    scope = "one number" if share == 1 else f"all {share} differences at once (Bonferroni)"
    differences = []
    for test in tests:
        half = wanted * test.sd
        if math.isnan(test.sd):
            half = areas.farthest(test.difference, float(level / share))
            warnings.warn(_no_test(areas, test, half), UserWarning, stacklevel=4)
        found = Difference.of(
            (test.difference, max(test.difference - half, -1.0), min(test.difference + half, 1.0)),
            alpha=alpha,
            method=areas.method,
            target=f"difference in {areas.noun}, the same points scored twice, {POPULATION}",
            scope=scope,
        )
        found.z, found.p_value = test.z, test.p_value
        differences.append(found)
    return differences


def _no_test(areas: _Areas, test: PairedTest, half: float) -> str:
    """Writes the warning that a difference has the estimated variance 0, and what its limits are.

    `half` is the distance of the limits from the difference.
    """
    reason = (
        f"DeLong's variance of the difference in AUC ({test.difference:g}) is 0 on these points"
    )
    if math.isinf(half):
        tested = "no test is possible, z and p-value are NaN" if test.difference else "p-value is 1"
        return f"{reason}: {tested}, and there is no limit."
    return (
        f"{reason}, though the scores do not rank all of them alike: the limits come from the "
        f"number of independent pairs of a positive and a negative ({areas.pairs}) alone."
    )


def holm(p_values: list[float]) -> list[float]:
    """Adjusts `p_values` by Holm (1979). They keep their order. NaN counts as 1 and stays NaN."""
    p = np.array(p_values, dtype=float)
    order = np.argsort(np.where(np.isnan(p), 1.0, p), kind="stable")
    steps = np.where(np.isnan(p), 1.0, p)[order] * np.arange(p.size, 0, -1)
    adjusted = np.empty(p.size)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(v) for v in np.where(np.isnan(p), np.nan, adjusted)]


def delong_test(
    y: ArrayLike, score_a: ArrayLike, score_b: ArrayLike, *, pos_label: Any = None
) -> tuple[float, float]:
    """Tests two-sided whether two scores of the same points have the same area in the population.

    The statistic is ``z = (auc_a - auc_b) / sd``. Its variance is that of `delong_interval` for the
    differences of the placements, because the scores are paired.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes, each occurring at least twice. The second in sorted order is
        positive.
    score_a, score_b : array_like of shape (n,)
        Finite numbers, higher for the positive class, in the same order as `y`.
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.

    Returns
    -------
    z, p_value : float
        ``z`` and the p-value. If z is positive, the area of a is larger. If both scores rank all
        points alike, the result is ``(0, 1)``.

    Warns
    -----
    UserWarning
        If the estimated variance is 0 and the areas differ. No test is then possible, and both
        values are NaN.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above, or a label occurs only once.
    """
    scores = {"score_a": score_a, "score_b": score_b}
    (found,) = _differences(y, scores, 0.05, None, None, pos_label)
    return found.z, found.p_value


class PairedTest(NamedTuple):
    """Test of the difference of two areas. If no test is possible, `z` and `p_value` are NaN."""

    difference: float
    #: Standard deviation of the difference. If both scores rank all points alike, it is 0. If they
    #: rank them differently, but the estimated variance is 0, it is NaN.
    sd: float
    z: float
    #: The p-value, adjusted by Holm if there are several tests.
    p_value: float


def paired_areas(
    y: ArrayLike, scores: Sequence[ArrayLike], groups: ArrayLike | None = None
) -> list[PairedTest]:
    """Tests each pair of `scores` as in `delong_differences`, but without warnings."""
    named = {f"scores[{i}]": score for i, score in enumerate(scores)}
    return _Areas.of(y, named, groups=groups).tests()


class _Areas(NamedTuple):
    """The areas of several scores on the same rows, as shares of the largest possible area."""

    #: For each score, its area and the influence of every row on this area. Influences are grouped
    #: by label, in the order of the data.
    parts: list[Parts]
    #: The rows. Their `scores` are the first of the several scores.
    rows: Rows
    #: For each score, the ranks of all points. Equal scores have the same rank.
    ranks: list[Ints]
    method: str
    #: The name of the area in sentences.
    noun: str
    #: The area is taken over false positive rates from 0 to this one.
    part: float

    @classmethod
    def of(
        cls,
        y: ArrayLike,
        scores: Mapping[str, ArrayLike],
        max_fpr: float | None = None,
        groups: ArrayLike | None = None,
        pos_label: Any = None,
    ) -> _Areas:
        """Computes the areas of all `scores` after checks.

        The names of the scores are those of the user's arguments.
        """
        if max_fpr is not None:
            max_fpr = number(max_fpr, "max_fpr", "a number in (0, 1]", lambda rate: 0 < rate <= 1)
        checked = [labelled_scores(y, score, name, pos_label) for name, score in scores.items()]
        positive = checked[0][0]
        if min(positive.sum(), (~positive).sum()) < 2:
            raise ValueError("y: found a label that occurs once, expected each at least twice")
        owners = None if groups is None else people_of(groups, "groups", positive.size)
        every = [Rows.of(positive, values, owners=owners) for _, values in checked]
        if min(every[0].of_label(k).people for k in (0, 1)) < 2:
            raise ValueError(
                "groups: found a label in one group only, expected each in at least two"
            )
        method, noun = "DeLong" if groups is None else "Obuchowski", "area under the ROC curve"
        part = 1.0 if max_fpr is None else max_fpr
        if part < 1:
            method, noun = f"{method}, partial area", f"standardized {noun} up to FPR {part:g}"
        ranks = [np.unique(values, return_inverse=True)[1] for _, values in checked]
        parts = [_whole(rows) if part == 1 else _up_to(rows, part) for rows in every]
        return cls(parts, every[0], ranks, method, noun, part)

    @property
    def pairs(self) -> int:
        """The largest number of pairs (one positive, one negative) that share no row or person."""
        return int(pairs_of(self.rows))

    @property
    def first(self) -> Estimate:
        """Area of the first score, as a share of the largest possible one."""
        # `Estimate` needs the number of pairs for limits at every look. If the variance is 0, or a
        # partial area is 0, it also computes limits from this number alone. If such limits would
        # not be valid, the number is 0. For a partial area, they are valid only at the largest
        # possible area. If people have several rows, they are valid only if all pairs are ordered
        # alike, or if all are tied.
        value = self.parts[0].value
        alike = value in (1.0, 0.0) or not self.ranks[0].any()
        is_known = value == 1 if self.part < 1 else alike or self.rows.owners is None
        variance = self.parts[0].spread(self.rows)[0]
        counted = is_known or (variance > 0 and value > 0)
        return Estimate(value, variance, self.pairs if counted else 0, part=self.part)

    @property
    def slope(self) -> float:
        """Derivative of the standardized area by the share of the largest possible area."""
        return 0.5 / (1 - self.part / 2)

    def standardized(self, share: float) -> float:
        """Converts a share of the largest possible area to a standardized area (McClish 1989).

        The standardized area of chance is 0.5.
        """
        return share if self.part == 1 else 0.5 + self.slope * (share - self.part / 2)

    def farthest(self, difference: float, level: float) -> float:
        """Returns the distance of the limits from a difference whose estimated variance is 0.

        If two scores order all k pairs alike, they order at most the share ``1 - level ** (1 / k)``
        of the population's pairs differently, for every sample size. For any other difference, and
        for a partial area, there are no limits, and the distance is infinite.
        """
        if difference or self.part < 1 or not level:
            return math.inf
        return -math.expm1(math.log(level) / self.pairs)

    def tests(self) -> list[PairedTest]:
        """Tests all pairs of areas in the order of the scores, with p-values adjusted by Holm."""
        tests = []
        every = zip(self.parts, self.ranks, strict=True)
        for (one, ranks), (other, other_ranks) in itertools.combinations(every, 2):
            both = (one - other).scaled(self.slope)
            sd = math.sqrt(both.spread(self.rows)[0])
            if sd > 0:
                z, p_value = both.value / sd, float(2 * ndtr(-abs(both.value / sd)))
            elif both.value:
                sd = z = p_value = math.nan
            else:
                sd = 0.0 if np.array_equal(ranks, other_ranks) else math.nan
                z, p_value = 0.0, 1.0
            tests.append(PairedTest(both.value, sd, z, p_value))
        adjusted = holm([test.p_value for test in tests])
        return [test._replace(p_value=p) for test, p in zip(tests, adjusted, strict=True)]


def _whole(rows: Rows) -> Parts:
    """Computes the area under the whole curve, and the influence of each row. Ties count half."""
    zeros, ones = rows.of_label(0).scores, rows.of_label(1).scores
    return Parts.around(TwoSamples.of(zeros, ones).auc, rows.placed, rows)


def _up_to(rows: Rows, max_fpr: float) -> Parts:
    """Computes the area up to the FPR `max_fpr` as a share of the largest possible one.

    A positive contributes the part of [0, max_fpr] beyond the share of negatives that score above
    it. If negatives have the same score, the curve has a slanted edge there. A negative contributes
    the share of positives above it, but at most the height of the curve at `max_fpr`: negatives
    with lower scores do not change this area.
    """
    negatives, positives = rows.of_label(0).scores, rows.of_label(1).scores
    samples = TwoSamples.of(negatives, positives)
    beyond, at = (counts / negatives.size for counts in samples.negatives.above_and_at(positives))
    part = np.clip(max_fpr - beyond, 0.0, at)
    slanted = np.divide(part**2, 2 * at, out=np.zeros_like(part), where=at > 0)
    width = slanted + np.maximum(max_fpr - beyond - at, 0.0)
    reached = float(samples.tpr_at(np.array([max_fpr]))[0])
    above, shares = rows.placed[0], width / max_fpr
    placed = np.minimum(above, reached) / max_fpr, shares
    return Parts.around(float(shares.mean()), placed, rows)
