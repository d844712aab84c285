"""Area under the curve after DeLong, DeLong and Clarke-Pearson (1988), by sorting.

Rows of one person are counted together as Obuchowski (1997) does. An area up to a false positive
rate has the influence of each point on it instead of the point's placement, and the same variance.
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
from conformal_roc_widget.checks import number, one_of
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

#: Scales of the limits of an area.
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
    """Area under the ROC curve and a large-sample interval for the population's.

    The placement of a positive is the share of negatives below it, ties half, and that of a
    negative the share of positives above it. The area is their mean and its variance is
    ``var(placements of positives) / n_1 + var(placements of negatives) / n_0``, which two sorts
    give (Sun and Xu 2014 say it with midranks). The limits are
    ``logit area -+ z sd / (area (1 - area))``, back from the logit (Pepe 2003), and so stay within
    0 and 1; of a partial area, on the logit of its share of the most that it can be.

    If the estimated variance is 0, the limits come from the number k of pairs of a positive and a
    negative without a row (or a person) in common, and hold for every sample size: from
    ``(alpha / 2) ** (1 / k)`` to 1 where the scores separate the labels (Clopper and Pearson), and
    else by Hoeffding's (1963) inequality; a partial area below its most has no limit then.

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
    method : {"logit", "delong"}
        Scale of the limits. ``"delong"`` are ``area -+ z sd``, cut at the ends of what is possible,
        as in pROC's ``ci.auc``: with few points of a label they hold less often.
    looks : {"once", "any"}
        Whether limits hold at one look, or together at every look as rows arrive, from 20 rows of
        each label on: about 1.6 times as wide, as an asymptotic confidence sequence.
    pos_label : label, optional
        The positive label; by default the second of two in sorted order.

    Returns
    -------
    SamplingInterval
        Unpacks into the area and its limits in [0, 1].

    Warns
    -----
    UserWarning
        If the estimated variance is 0, as it is for an area of 0 or 1 and for equal scores. With
        ``"delong"`` the interval has then no width, and means nothing.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above, a label occurs once only, or in one group only.
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
        notes=no_look_yet(int(area.rows), looks),
    )


def _no_variance(areas: _Areas, area: Estimate, method: str) -> str:
    """A sentence on an area without variance, and on its limits."""
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
    """Difference of the areas of two scores on the same points, with large-sample limits.

    The scores are paired: the variance is that of the differences of the placements, as in
    `delong_test`, and the limits leave out 0 where that test's p-value is below `alpha`.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes, each at least twice; the second in sorted order is positive.
    score_a, score_b : array_like of shape (n,)
        Finite numbers, higher for the positive class, in the same order as `y`.
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
    Difference
        Unpacks into ``auc_a - auc_b`` and its limits in [-1, 1]; `z` and `p_value` are the test's.

    Warns
    -----
    UserWarning
        If the estimated variance is 0, unless both scores rank all points alike. If the areas
        differ there is no limit, from -1 to 1; if not, as for two scores that both separate the
        labels, ``-+ (1 - alpha ** (1 / k))`` holds, where k pairs have no row (or person) in
        common, and a partial area has no limit.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above, a label occurs once only, or in one group only.
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
    """Differences of every two of several scores, with one significance level for all together.

    Limits are `delong_difference` at ``alpha / pairs`` (Bonferroni), so that all hold at once;
    p-values are Holm's (1979), and none is larger than those limits say.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes, each at least twice; the second in sorted order is positive.
    scores : mapping of str to array_like of shape (n,)
        Name -> finite numbers, higher for the positive class, in the same order as `y`; two scores
        or more.
    alpha : float
        Significance level in (0, 1), of all pairs together.
    max_fpr : float, optional
        In (0, 1]: the area up to this false positive rate, standardized as in
        `sklearn.metrics.roc_auc_score` (McClish 1989): 0.5 for chance, 1 at best.
    groups : array_like of shape (n,), optional
        Whom each row belongs to: people are independent, their rows need not be (Obuchowski 1997).
    pos_label : label, optional
        The positive label; by default the second of two in sorted order.

    Returns
    -------
    dict of (str, str) to Difference
        Pair of names, in their order -> the area of the first less that of the second.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above, a label occurs once only, or in one group only, or
        if there are fewer than two scores.
    """
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
    """Differences of every two scores by the names of their arguments, all at one level."""
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
    """A sentence on a difference without variance, and on its limits."""
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
    scores = {"score_a": score_a, "score_b": score_b}
    (found,) = _differences(y, scores, 0.05, None, None, pos_label)
    return found.z, found.p_value


class PairedTest(NamedTuple):
    """Test of the difference of two areas; NaN if none is possible."""

    difference: float
    #: Standard deviation of the difference; 0 where both scores rank all points alike, and NaN if
    #: the points do not tell it.
    sd: float
    z: float
    #: The p-value, adjusted by Holm if there are several tests.
    p_value: float


def paired_areas(
    y: ArrayLike, scores: Sequence[ArrayLike], groups: ArrayLike | None = None
) -> list[PairedTest]:
    """Tests of every pair of scores, as in `delong_differences`, without warnings."""
    named = {f"scores[{i}]": score for i, score in enumerate(scores)}
    return _Areas.of(y, named, groups=groups).tests()


class _Areas(NamedTuple):
    """Areas of several scores on the same rows, divided by the largest possible area."""

    #: Each with how far the rows of either label move it, in the order of the data.
    parts: list[Parts]
    #: The rows; their scores are those of the first.
    rows: Rows
    #: Place of each point in the order of each score; equal scores share one.
    ranks: list[Ints]
    method: str
    #: The area in words.
    noun: str
    #: The part of the false positive rates over which the area is taken.
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
        """Checks labels, scores by the names of their arguments, and groups."""
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
        """The largest number of pairs of a positive and a negative that share no row or person."""
        return int(pairs_of(self.rows))

    @property
    def first(self) -> Estimate:
        """The area of the first score as a share of the most that it can be."""
        # If people have several rows, or for a part, pairs are used only if all are in one order,
        # or equal.
        value = self.parts[0].value
        alike = value in (1.0, 0.0) or not self.ranks[0].any()
        is_known = value == 1 if self.part < 1 else alike or self.rows.owners is None
        variance = self.parts[0].spread(self.rows)[0]
        return Estimate(value, variance, self.pairs if is_known else 0, part=self.part)

    @property
    def slope(self) -> float:
        """The slope by which a standardized area rises with the share."""
        return 0.5 / (1 - self.part / 2)

    def standardized(self, share: float) -> float:
        """The standardized area, from a share of its most: 0.5 for chance (McClish 1989)."""
        return share if self.part == 1 else 0.5 + self.slope * (share - self.part / 2)

    def farthest(self, difference: float, level: float) -> float:
        """Limit of the population's difference, if the observed difference has no variance.

        If the two scores order all k pairs alike, they order at most a share
        ``1 - level ** (1 / k)`` of the population's pairs differently, for every sample size.
        """
        if difference or self.part < 1 or not level:
            return math.inf
        return -math.expm1(math.log(level) / self.pairs)

    def tests(self) -> list[PairedTest]:
        """Tests of every two areas, in the order of the scores."""
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
    """The whole area, ties half."""
    zeros, ones = rows.of_label(0).scores, rows.of_label(1).scores
    return Parts.around(TwoSamples.of(zeros, ones).auc, rows.placed, rows)


def _up_to(rows: Rows, max_fpr: float) -> Parts:
    """The area up to a false positive rate, divided by the largest possible one.

    A positive contributes the part of [0, max_fpr] that lies beyond the share of negatives above
    it; where negatives have its score, the curve rises along a slanted edge. A negative contributes
    the share of positives above it, at most the curve's height at `max_fpr`: negatives with lower
    scores do not move this area.
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
