"""Results at one alpha against loops, if the points of a label have one group of residuals, some
groups, or a group each.

All logits are quarters, so that ends of intervals, thresholds and other ends are often equal.
"""

import math
from dataclasses import replace

import numpy as np
import oracles
import pytest
from data import assert_same_curves, evaluation_from_scores
from scipy.special import expit

from conformal_roc_widget.calibration.residuals import (
    GroupedResiduals,
    Ragged,
    WeightedResiduals,
)
from conformal_roc_widget.evaluation.at_alpha import CalibratedCurve
from conformal_roc_widget.evaluation.observed_curve import ObservedCurve

SIZES = {"one": [30], "some": [12, 3, 30], "each": [9, 30, 4, 2, 30, 14, 1, 40, 6, 3, 30, 20]}
#: The groups of residuals of label 0, those of label 1, and what is known of each test point
#: besides its score.
KINDS = [
    ("one", "one", "logits"),
    ("one", "one", "nothing"),
    ("one", "one", "counts"),
    ("one", "one", "counts and logits"),
    ("one", "one", "centres"),
    ("one", "some", "counts"),
    ("some", "one", "centres"),
    ("some", "some", "logits"),
    ("one", "each", "nothing"),
    ("each", "one", "counts"),
    ("each", "each", "centres"),
]
NEAR = 1e-9


def quarters(rng, least, most, size):
    return rng.integers(4 * least, 4 * most, size) / 4


class Case:
    """A curve with twelve test points of each label, and everything that loops need."""

    def __init__(self, zeros, ones, has):
        rng = np.random.default_rng(11)
        self.y = np.resize([0, 1, 1, 0], 24).astype(np.int8)
        self.logits = quarters(rng, -2, 3, 24)
        self.centres = quarters(rng, -2, 3, 24) if has == "centres" else self.logits
        self.counts = rng.integers(1, 4, 24) if "counts" in has else np.ones(24, dtype=int)
        self.kinds = zeros, ones
        self.groups = [[quarters(rng, -2, 3, n) for n in SIZES[kind]] for kind in self.kinds]
        of = {"one": np.zeros(12, int), "some": rng.permutation(np.resize([0, 1, 2, 0], 12))}
        of["each"] = rng.permutation(12)
        self.group = [of[kind] for kind in self.kinds]
        base = evaluation_from_scores()._curve
        self.curve = CalibratedCurve(
            ObservedCurve.of(
                expit(self.logits),
                self.y,
                self.counts.astype(float) if "counts" in has else None,
                self.logits if "logits" in has else None,
                self.centres if has == "centres" else None,
            ),
            (self.residuals(0), self.residuals(1)),
            "paper",
            base.promise,
            base.point_promise,
        )

    def residuals(self, k):
        if self.kinds[k] == "one":
            return GroupedResiduals.pooled(self.groups[k][0])
        parts = [Ragged.single(values) for values in self.groups[k]]
        return GroupedResiduals.of(Ragged.joined(parts), self.group[k])

    def pairs(self, k, alpha):
        """The two order statistics of each group of a label."""
        return [oracles.conformal_quantiles(values.tolist(), alpha) for values in self.groups[k]]

    def ends(self, alpha):
        """The lower and the upper end of each test point's interval."""
        found = np.empty((2, 24))
        for k in (0, 1):
            pairs = self.pairs(k, alpha)
            for row, group in zip(np.flatnonzero(self.y == k), self.group[k], strict=True):
                found[:, row] = self.centres[row] + np.array(pairs[group])
        return found

    def of_label(self, values, k):
        """The values of a label, each as often as it counts."""
        return np.repeat(values, self.counts)[np.repeat(self.y, self.counts) == k]

    def above(self, values, k, threshold):
        """How many of a label's values lie above a threshold."""
        mine = self.of_label(values, k)
        if threshold >= 1:
            return 0
        if threshold < 0:
            return mine.size
        return sum(v > oracles.logit(threshold) + NEAR for v in mine)


@pytest.fixture(scope="module", params=KINDS, ids="-".join)
def case(request):
    return Case(*request.param)


LEVELS = pytest.mark.parametrize("alpha", [0.1, 0.4])
THRESHOLDS = [2.0, 1.0, *expit(np.arange(10, -10, -1) / 4).tolist(), 0.0, -0.5]


@LEVELS
def test_rates_and_limits_are_counts_above_each_threshold(case, alpha):
    at, (lower, upper) = case.curve.at(alpha), case.ends(alpha)
    for band in (at.band(THRESHOLDS), at.band()):
        rates = {0: (band.fpr, band.fpr_lower, band.fpr_upper)}
        rates[1] = band.tpr, band.tpr_lower, band.tpr_upper
        for k, (rate, low, high) in rates.items():
            scores = case.of_label(expit(case.logits), k)
            for i, cut in enumerate(band.thresholds):
                assert rate[i] == sum(scores >= cut) / scores.size
                assert low[i] == case.above(lower, k, cut) / scores.size
                assert high[i] == case.above(upper, k, cut) / scores.size
    low, high = at.counts_at(THRESHOLDS)
    for k in (0, 1):
        assert low[k].tolist() == [case.above(lower, k, cut) for cut in THRESHOLDS]
        assert high[k].tolist() == [case.above(upper, k, cut) for cut in THRESHOLDS]
    low, high = at.display_counts()
    for k in (0, 1):
        cuts = case.curve.observed.screen_vertices.thresholds
        assert low[k].tolist() == [case.above(lower, k, cut) for cut in cuts]
        assert high[k].tolist() == [case.above(upper, k, cut) for cut in cuts]


@LEVELS
def test_a_point_is_undecided_if_its_interval_goes_beyond_the_threshold(case, alpha):
    at, (lower, upper) = case.curve.at(alpha), case.ends(alpha)
    np.testing.assert_allclose(at.intervals(), expit([lower, upper]), rtol=1e-12)
    for cut in THRESHOLDS:
        place = math.inf if cut >= 1 else oracles.logit(max(cut, 0.0)) + NEAR
        wanted = (upper > place) & ~(lower > place) & (cut >= 0)
        assert at.undecided(cut).tolist() == wanted.tolist(), cut
        point = at.operating_point(cut)
        for k, ends in ((0, (point.fpr_lower, point.fpr_upper)), (1, None)):
            low, high = ends or (point.tpr_lower, point.tpr_upper)
            n = case.of_label(lower, k).size
            assert (low, high) == (case.above(lower, k, cut) / n, case.above(upper, k, cut) / n)
        assert point.fp == sum(case.of_label(expit(case.logits), 0) >= cut)
        assert point.tp == sum(case.of_label(expit(case.logits), 1) >= cut)


def ranked(positives, negatives):
    """Share of pairs in which the positive is higher. Equal ones count half."""
    score = 0.0
    for a in positives:
        for b in negatives:
            score += 0.5 if a == b or abs(a - b) < NEAR else float(a > b)
    return score / (len(positives) * len(negatives))


def largest_gap(positives, negatives):
    """The largest difference between the shares above a threshold, over all thresholds."""
    cuts = [-math.inf, *positives, *negatives]
    return max(
        np.mean([a > cut + NEAR for a in positives]) - np.mean([b > cut + NEAR for b in negatives])
        for cut in cuts
    )


@LEVELS
def test_ranges_take_the_worst_and_the_best_ends_of_all_intervals(case, alpha):
    at, ends = case.curve.at(alpha), case.ends(alpha)
    (low0, high0), (low1, high1) = ([case.of_label(e, k) for e in ends] for k in (0, 1))
    logits = [case.of_label(case.logits, k) for k in (0, 1)]
    area = ranked(*logits[::-1]), ranked(low1, high0), ranked(high1, low0)
    for found in (at.ideal_auc_range(), at.display_auc()):
        assert tuple(found) == pytest.approx(area)
    youden = at.youden()
    assert youden.lower == pytest.approx(max(largest_gap(low1, high0), 0))
    assert youden.upper == pytest.approx(max(largest_gap(high1, low0), 0))
    assert youden[0] == pytest.approx(max(largest_gap(*logits[::-1]), 0))


@LEVELS
def test_ends_are_centres_plus_order_statistics_of_each_group(case, alpha):
    at, ends = case.curve.at(alpha), case.ends(alpha)
    for side, wanted in zip((at.lower, at.upper), ends, strict=True):
        for k in (0, 1):
            every = side[k].shifted().expanded()
            wanted_ends = np.sort(case.of_label(wanted, k))
            np.testing.assert_allclose(np.sort(every), wanted_ends, atol=NEAR)
    for k, found in enumerate(at.group_quantiles):
        order = np.argsort([values.size for values in case.groups[k]], kind="stable")
        pairs = np.array(case.pairs(k, alpha))[order]
        assert (found.lower.tolist(), found.upper.tolist()) == tuple(pairs.T.tolist())


@LEVELS
def test_what_is_said_of_limits_is_counted_over_the_points(case, alpha):
    at = case.curve.at(alpha)
    pooled = case.kinds == ("one", "one")
    assert case.curve.pooled == pooled
    assert at.quantiles == ({k: case.pairs(k, alpha)[0] for k in (0, 1)} if pooled else None)
    assert at.ranks == (dict.fromkeys((0, 1), oracles.ranks(30, alpha)) if pooled else None)
    for k in (0, 1):
        sizes = [values.size for values in case.groups[k]]
        assert at.n_calibration[k] == case.curve.n_calibration[k] == min(sizes)
        np.testing.assert_array_equal(
            case.curve.residuals[k], np.sort(np.concatenate(case.groups[k]))
        )
        ranks = [oracles.ranks(n, alpha) for n in sizes]
        shares = [(high - low) / (n + 1) for (low, high), n in zip(ranks, sizes, strict=True)]
        assert at.guaranteed[k] == pytest.approx(min(shares))
        open_ends = np.isinf([case.pairs(k, alpha)[group] for group in case.group[k]])
        assert at.open_share[k] == pytest.approx(open_ends.mean(axis=0))
        neither = open_ends.all(axis=1)
        assert at.vacuous_share[k] == pytest.approx(neither.mean())
        assert (at.vacuous[k] is not None) == neither.any()
        if neither.any() and case.kinds[k] != "one":
            assert at.vacuous[k].startswith(f"{neither.sum()} of the 12 test points of label {k}")


def test_a_page_knows_how_many_points_have_each_group_if_groups_are_shared(case):
    assert case.curve.neighbour_noun == "calibration points"
    if "each" in case.kinds:
        assert case.curve.group_sizes is None
        return
    for k, found in enumerate(case.curve.group_sizes):
        assert found.sum() == 12
        if case.kinds[k] == "some":
            assert found.tolist() == [(case.group[k] == g).sum() for g in (1, 0, 2)]


class Unshifted(CalibratedCurve):
    """A curve whose limits are no sums of centres and residuals."""

    is_shifted = False


@pytest.mark.parametrize("which", ["unshifted", "at every threshold"])
def test_limits_that_are_no_shift_or_hold_together_have_the_nominal_level(which):
    if which == "unshifted":
        made = Case("one", "one", "logits").curve
        promises = made.promise, made.point_promise
        curve = Unshifted(made.observed, made.groups, "paper", *promises)
        assert (curve.pooled, curve.group_sizes) == (False, None)
        assert set(curve.vacuous_below.values()) == {1 / 31}
    else:
        curve = evaluation_from_scores(guarantee="simultaneous")._curve
        assert curve.vacuous_below == {0: 0.0, 1: 0.0}
    assert curve.at(0.3).guaranteed == {0: 0.7, 1: 0.7}


def test_residuals_for_single_points_make_their_intervals_and_no_limits_of_rates():
    one, other = (Case(kind, kind, "logits").curve for kind in ("one", "some"))
    both = replace(one, individual=other.groups)
    for alpha in (0.1, 0.4):
        found, rates, points = (curve.at(alpha) for curve in (both, one, other))
        np.testing.assert_array_equal(found.intervals(), points.intervals())
        assert not np.array_equal(found.intervals(), rates.intervals())
        assert_same_curves(found.band(), rates.band())
        for cut in (0.3, 0.5, 0.7):
            assert found.undecided(cut).tolist() == points.undecided(cut).tolist()


@pytest.mark.parametrize("heavy", [0, 1])
def test_weights_or_people_of_one_label_are_enough(heavy):
    base = evaluation_from_scores()._curve
    values = [base.groups[k].residuals for k in (0, 1)]
    plain = [GroupedResiduals.pooled(each) for each in values]
    for people in (None, 20):
        groups = list(plain)
        weights = np.resize([1.0, 2.0], values[heavy].size)
        groups[heavy] = WeightedResiduals.of(values[heavy], weights, people=people)
        curve = CalibratedCurve(
            base.observed, tuple(groups), "paper", base.promise, base.point_promise
        )
        assert curve.weighted
        assert curve.counts_people == (people is not None)
        assert curve.at(0.1).ranks is None
        assert set(curve.at(0.1).quantiles) == {0, 1}
    assert not base.weighted
    assert not base.counts_people
