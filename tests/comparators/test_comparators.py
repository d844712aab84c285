"""Other people's bands: against pROC, against loops, and where they degenerate."""

import itertools
import json
import math
import sys
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import rocci
from data import labelled_scores, scored
from hypothesis import given
from hypothesis import strategies as st
from public_data import CASES
from scipy import stats
from sklearn.metrics import roc_auc_score, roc_curve

from conformal_roc_widget import comparators
from conformal_roc_widget.comparators import (
    ComparatorBand,
    bootstrap_band,
    bootstrap_replicates,
    clopper_pearson_box,
    delong_interval,
    delong_test,
    envelope_replicates,
    ks_band,
    simultaneous_band,
    working_hotelling_band,
)
from conformal_roc_widget.comparators.comparator_band import two_samples
from conformal_roc_widget.comparators.dkw import clopper_pearson

PROC = json.loads((Path(__file__).parents[1] / "fixtures/proc.json").read_text())
BANDS = {
    "bootstrap": lambda y, score, alpha=0.05: bootstrap_band(
        y, score, alpha, resamples=200, random_state=0
    ),
    "simultaneous": lambda y, score, alpha=0.05: simultaneous_band(
        y, score, alpha, resamples=200, random_state=0
    ),
    "ks": ks_band,
    "working_hotelling": working_hotelling_band,
}
#: Those whose limits only move apart as alpha falls. rocci's envelope studentizes with a variance
#: floor that depends on alpha.
NESTED = ["bootstrap", "ks", "working_hotelling"]

every_band = pytest.mark.parametrize("band", list(BANDS))
every_case = pytest.mark.parametrize("case", list(CASES))


# Loops, written from the definitions


def polygon(negatives, positives, g):
    """The curve through the vertices, read at an exact false positive rate g: on a vertical edge its top."""
    levels = sorted({*negatives, *positives}, reverse=True)
    vertices = [(Fraction(0), Fraction(0))]
    for level in levels:
        vertices.append(
            (
                Fraction(sum(v >= level for v in negatives), len(negatives)),
                Fraction(sum(v >= level for v in positives), len(positives)),
            )
        )
    on = [t for f, t in vertices if f == g]
    if on:
        return max(on)
    left = max(v for v in vertices if v[0] < g)
    right = min(v for v in vertices if v[0] > g)
    return left[1] + (g - left[0]) / (right[0] - left[0]) * (right[1] - left[1])


def law_of_replicates(negatives, positives, grid):
    """Curve at the grid -> probability, over all resamples with replacement."""
    law = {}
    for zeros in itertools.product(negatives, repeat=len(negatives)):
        for ones in itertools.product(positives, repeat=len(positives)):
            curve = tuple(float(polygon(zeros, ones, g)) for g in grid)
            law[curve] = law.get(curve, 0) + 1
    total = len(negatives) ** len(negatives) * len(positives) ** len(positives)
    return {curve: count / total for curve, count in law.items()}


def rectangles(negatives, positives, g, alpha):
    """DKW: the lowest and the highest point of all ways to break ties that the two bounds leave possible."""
    each = 1 - math.sqrt(1 - alpha)
    d0, d1 = (math.sqrt(math.log(2 / each) / (2 * len(v))) for v in (negatives, positives))
    f, t = Fraction(0), Fraction(0)
    lowest, highest = [(f, t)], [(f, t)]
    for level in sorted({*negatives, *positives}, reverse=True):
        more_f = Fraction(negatives.count(level), len(negatives))
        more_t = Fraction(positives.count(level), len(positives))
        lowest += [(f + more_f, t), (f + more_f, t + more_t)]
        highest += [(f, t + more_t), (f + more_f, t + more_t)]
        f, t = f + more_f, t + more_t
    low = min(y for x, y in lowest if x >= g - d0 - 1e-12)
    high = max(y for x, y in highest if x <= g + d0 + 1e-12)
    return max(low - d1, 0), min(high + d1, 1)


def psi(a, b):
    return (a > b) + (a == b) / 2


def components(negatives, positives):
    """DeLong, DeLong and Clarke-Pearson (1988), eq. 4 and 5 as sums over pairs."""
    v10 = [sum(psi(a, b) for b in negatives) / len(negatives) for a in positives]
    v01 = [sum(psi(a, b) for a in positives) / len(positives) for b in negatives]
    return v01, v10


def covariance(u, v):
    a, b = sum(u) / len(u), sum(v) / len(v)
    return sum((x - a) * (z - b) for x, z in zip(u, v, strict=True)) / (len(u) - 1)


def binomial_tail(k, n, p):
    return sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))


def split(y, score):
    return [float(s) for s in score[y == 0]], [float(s) for s in score[y == 1]]


# R's pROC


@every_case
def test_delong_agrees_with_proc(case):
    y, a, b = CASES[case]
    said = PROC[case]
    for level, (lower, auc, upper) in said["delong"].items():
        found = delong_interval(y, a, float(round(1 - float(level), 6)))
        np.testing.assert_allclose(found, [auc, lower, upper], rtol=0, atol=1e-12)
    np.testing.assert_allclose(delong_test(y, a, b), said["test"], rtol=1e-9, atol=0)


@every_case
def test_clopper_pearson_agrees_with_r(case):
    y, a, _ = CASES[case]
    said = PROC[case]
    for level in ("0.95", "0.8"):
        point = clopper_pearson_box(y, a, said["threshold"], round(1 - float(level), 6))
        fp, n0, fpr_lower, fpr_upper = said["negatives"][level]
        tp, n1, tpr_lower, tpr_upper = said["positives"][level]
        assert (point.fp, point.tp, point.tn, point.fn) == (fp, tp, n0 - fp, n1 - tp)
        np.testing.assert_allclose(
            [point.fpr_lower, point.fpr_upper, point.tpr_lower, point.tpr_upper],
            [fpr_lower, fpr_upper, tpr_lower, tpr_upper],
            rtol=0,
            atol=1e-9,
        )


@every_case
def test_bootstrap_limits_agree_with_procs_within_the_error_of_both(case):
    y, a, _ = CASES[case]
    said = PROC[case]
    made = bootstrap_replicates(y, a, fpr=said["fpr"], resamples=20_000, random_state=1)
    fpr = np.array(said["fpr"])
    order = np.argsort(fpr)
    for share, name in ((0.025, "tpr_lower"), (0.975, "tpr_upper")):
        error = 4.5 * math.sqrt(share * (1 - share) * (1 / 10_000 + 1 / 20_000))
        for values, limit in zip(made.ordered, np.array(said[name])[order], strict=True):
            # pROC's limit lies where our distribution function passes the share, within the error.
            assert np.mean(values < limit - 1e-9) <= share + error
            assert np.mean(values <= limit + 1e-9) >= share - error


# The bootstrap

GRID = [Fraction(0), Fraction(1, 5), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(1)]


@pytest.mark.parametrize(
    ("negatives", "positives"),
    [
        ([1, 2, 4], [2.5, 3, 5]),
        ([1, 2, 3], [2, 3]),
        ([1, 1, 2], [1, 2, 2]),
        ([1, 1, 1], [1, 1]),
        ([0, 0, 1, 1], [1, 0]),
        ([1], [0, 2]),
    ],
)
def test_a_replicate_has_the_law_of_resampling(negatives, positives):
    law = law_of_replicates(negatives, positives, GRID)
    y = np.repeat([0, 1], [len(negatives), len(positives)])
    total = 200_000
    from conformal_roc_widget.comparators.bootstrap import _Resampling

    samples = two_samples(y, [*negatives, *positives])
    resampling = _Resampling.of(samples, np.array([float(g) for g in GRID]))
    drawn = resampling.draw(total, np.random.default_rng(5)).round(9)
    curves, counts = np.unique(drawn, axis=0, return_counts=True)
    found = {tuple(curve): count for curve, count in zip(curves.tolist(), counts, strict=True)}
    expected = {}
    for curve, share in law.items():
        key = tuple(round(v, 9) for v in curve)
        expected[key] = expected.get(key, 0) + share
    assert set(found) <= set(expected)
    shares = np.array(list(expected.values()))
    seen = np.array([found.get(curve, 0) for curve in expected])
    if len(expected) > 1:
        chi2 = ((seen - total * shares) ** 2 / (total * shares)).sum()
        assert stats.chi2.sf(chi2, len(expected) - 1) > 1e-4


@given(data=labelled_scores())
def test_the_observed_curve_is_the_polygon_through_the_vertices(data):
    y, score = data
    grid = [Fraction(i, 12) for i in range(13)]
    found = two_samples(y, score).tpr_at(np.array([float(g) for g in grid]))
    expected = [float(polygon(*split(y, score), g)) for g in grid]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_a_rate_that_misses_a_vertex_by_rounding_alone_is_read_at_the_vertex():
    y = np.repeat([0, 1], 100)
    score = np.r_[np.arange(100), np.arange(100) + 0.5]
    # 0.29 * 100 is 28.999999999999996 in floats
    assert two_samples(y, score).tpr_at(np.array([0.29]))[0] == 0.30


def test_without_ties_the_curve_is_that_of_scikit_learn_read_as_a_step(rng):
    y, score = scored(rng, 81)
    fpr, tpr, _ = roc_curve(y, score, drop_intermediate=False)
    grid = np.linspace(0, 1, 101)
    expected = tpr[np.searchsorted(fpr, grid + 1e-12, side="right") - 1]
    np.testing.assert_allclose(bootstrap_band(y, score, resamples=100).tpr, expected)


@pytest.mark.parametrize("name", ["ks", "working_hotelling"])
@pytest.mark.parametrize("data", ["heavy ties", "large numbers", "equal positives"])
def test_what_is_sorted_once_gives_the_same_band_at_every_alpha(name, data):
    make = comparators.ks_samples if name == "ks" else comparators.binormal_samples
    samples = make(*DEGENERATE[data])
    for alpha in (0.3, 0.01):
        one, other = samples.band(alpha), BANDS[name](*DEGENERATE[data], alpha)
        np.testing.assert_array_equal(one.tpr_lower, other.tpr_lower)
        np.testing.assert_array_equal(one.tpr_upper, other.tpr_upper)
        assert (one.notes, one.guarantee) == (other.notes, other.guarantee)


def test_delongs_numbers_can_be_had_without_a_warning():
    y, score = DEGENERATE["AUC 1"]
    assert comparators.area_variance(y, score) == (1.0, 0.0)
    difference, z, p = comparators.areas_difference(y, score, -score)
    assert difference == 1.0
    assert math.isnan(z)
    assert math.isnan(p)
    y, a, b = CASES["tumours: texture, symmetry"]
    assert comparators.areas_difference(y, a, b)[1:] == delong_test(y, a, b)


def test_replicates_are_read_only(rng):
    for make in (bootstrap_replicates, envelope_replicates):
        made = make(*scored(rng, 30), resamples=100)
        values = made.ordered if make is bootstrap_replicates else made.replicates
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 0


@pytest.mark.parametrize("decimals", [None, 1])
def test_a_generator_goes_on_and_a_seed_repeats(decimals, rng):
    data, total = scored(rng, 40, decimals), 100

    def curves(make, random_state):
        made = make(*data, resamples=total, random_state=random_state)
        return made.ordered if make is bootstrap_replicates else made.replicates

    for make in (bootstrap_replicates, envelope_replicates):
        np.testing.assert_array_equal(curves(make, 3), curves(make, 3))
        assert (curves(make, 3) != curves(make, 4)).any()
        assert (curves(make, None) != curves(make, None)).any()
        state = np.random.default_rng(3)
        assert (curves(make, state) != curves(make, state)).any()


@pytest.mark.parametrize("decimals", [None, 1])
def test_bootstrap_limits_are_the_quantiles_of_its_replicates(decimals, rng):
    y, score = scored(rng, 60, decimals)
    made = bootstrap_replicates(y, score, resamples=333, random_state=3)
    for alpha in (0.01, 0.05, 0.3):
        band = made.band(alpha)
        expected = np.quantile(made.ordered, [alpha / 2, 1 - alpha / 2], axis=1)
        np.testing.assert_allclose([band.tpr_lower, band.tpr_upper], expected, atol=1e-12)
        alone = bootstrap_band(y, score, alpha, resamples=333, random_state=3)
        np.testing.assert_array_equal(alone.tpr_lower, band.tpr_lower)


def test_replicates_ascend_along_the_grid_and_end_in_one(rng):
    for decimals in (None, 1, 0):
        y, score = scored(rng, 50, decimals)
        made = bootstrap_replicates(y, score, resamples=300, random_state=1)
        assert (np.diff(made.ordered, axis=0) >= 0).all()
        assert (made.ordered[-1] == 1).all()


def test_resamples_come_in_blocks_of_bounded_memory(rng, monkeypatch):
    from conformal_roc_widget.comparators import bootstrap

    y, score = scored(rng, 50)
    told = []
    monkeypatch.setattr(bootstrap, "BLOCK", 101 * 40)
    bootstrap_replicates(
        y, score, resamples=130, progress=lambda done, total: told.append((done, total))
    )
    assert told == [(40, 130), (80, 130), (120, 130), (130, 130)]


def test_progress_can_be_a_bar(rng, capsys):
    bootstrap_band(*scored(rng, 20), resamples=100, progress=True)
    assert "bootstrap" in capsys.readouterr().err
    bootstrap_band(*scored(rng, 20), resamples=100)
    assert capsys.readouterr().err == ""


# The exact ones


@given(data=labelled_scores(), alpha=st.sampled_from([0.01, 0.05, 0.3, 0.9]))
def test_rectangles_are_those_of_the_two_bounds(data, alpha):
    y, score = data
    grid = np.linspace(0, 0.95, 20)
    band = ks_band(y, score, alpha, fpr=grid)
    expected = [rectangles(*split(y, score), g, alpha) for g in grid]
    np.testing.assert_allclose(band.tpr_lower, [e[0] for e in expected], atol=1e-12)
    np.testing.assert_allclose(band.tpr_upper, [e[1] for e in expected], atol=1e-12)


def test_rectangles_by_hand():
    # 1 - sqrt(1 - 0.19) = 0.1, so that both bounds are sqrt(log(2 / 0.1) / (2 * 50)) = 0.17308.
    y = np.repeat([0, 1], 50)
    score = np.r_[np.arange(50), np.arange(50) + 25.5]
    band = ks_band(y, score, 0.19, fpr=[0.0, 0.3, 1.0])
    d = math.sqrt(math.log(20) / 100)
    # At 0 the upper limit is read where FPR is at most 0.173, 8/50: above 41 there are 34 positives.
    np.testing.assert_allclose(band.tpr_upper, [34 / 50 + d, 1, 1])
    # At 0.3 the lower limit is read where FPR reaches 0.127, 7/50: above 43 there are 32 positives.
    np.testing.assert_allclose(band.tpr_lower, [0, 32 / 50 - d, 1])


def test_rectangles_hold_the_straight_line_of_equal_scores():
    band = ks_band(np.resize([0, 1], 1000), np.zeros(1000))
    assert (band.tpr_lower[:-1] == 0).all()
    assert (band.tpr_upper == 1).all()


@given(n=st.integers(1, 30), data=st.data(), alpha=st.sampled_from([0.001, 0.05, 0.2, 0.5]))
def test_clopper_pearson_inverts_the_binomial_tails(n, data, alpha):
    k = data.draw(st.integers(0, n))
    lower, upper = clopper_pearson(k, n, alpha)
    assert 0 <= lower <= k / n <= upper <= 1
    if k:
        assert binomial_tail(k, n, lower) == pytest.approx(alpha / 2, rel=1e-9)
    if k < n:
        assert 1 - binomial_tail(k + 1, n, upper) == pytest.approx(alpha / 2, rel=1e-9)


def test_a_box_counts_its_threshold_as_positive_and_knows_where_nothing_is_called():
    y, score = [0, 0, 1, 1, 1], [1.0, 2.0, 2.0, 3.0, 4.0]
    point = clopper_pearson_box(y, score, 2.0)
    assert (point.tp, point.fp, point.tn, point.fn) == (3, 1, 1, 0)
    assert (point.tpr, point.fpr, point.precision, point.youden) == (1.0, 0.5, 0.75, 0.5)
    assert point.tpr_upper == 1.0
    assert point.tpr_lower == pytest.approx(0.025 ** (1 / 3))
    above = clopper_pearson_box(y, score, math.inf)
    assert math.isnan(above.precision)
    assert (above.tpr_lower, above.fpr_lower) == (0.0, 0.0)
    assert above.tpr_upper == pytest.approx(1 - 0.025 ** (1 / 3))


def test_a_joint_box_holds_the_point_and_not_each_rate():
    y, score = CASES["tumours: texture, symmetry"][:2]
    joint = clopper_pearson_box(y, score, 20.0, 0.05, joint=True)
    each = clopper_pearson_box(y, score, 20.0, 1 - math.sqrt(0.95))
    assert joint.alpha == 0.05
    assert joint.tpr_lower == pytest.approx(each.tpr_lower, rel=1e-12)
    assert joint.fpr_upper == pytest.approx(each.fpr_upper, rel=1e-12)


# DeLong


@pytest.mark.filterwarnings("ignore:DeLong's variance")
@given(data=labelled_scores(min_size=6), alpha=st.sampled_from([0.01, 0.05, 0.4]))
def test_delong_is_that_of_the_sums_over_pairs(data, alpha):
    y, score = data
    y = y.copy()
    y[:4] = 0, 1, 0, 1
    v01, v10 = components(*split(y, score))
    auc = sum(v10) / len(v10)
    variance = covariance(v10, v10) / len(v10) + covariance(v01, v01) / len(v01)
    half = stats.norm.isf(alpha / 2) * math.sqrt(max(variance, 0))
    expected = auc, max(auc - half, 0), min(auc + half, 1)
    np.testing.assert_allclose(delong_interval(y, score, alpha), expected, atol=1e-7)
    assert delong_interval(y, score, alpha)[0] == pytest.approx(roc_auc_score(y, score))


@pytest.mark.filterwarnings("ignore:DeLong's variance")
@given(data=labelled_scores(min_size=6), seed=st.integers(0, 50))
def test_the_paired_test_is_that_of_the_sums_over_pairs(data, seed):
    y, a = data
    y = y.copy()
    y[:4] = 0, 1, 0, 1
    b = np.random.default_rng(seed).permutation(a)
    (a01, a10), (b01, b10) = (components(*split(y, s)) for s in (a, b))
    variance = sum(
        (covariance(u, u) + covariance(v, v) - 2 * covariance(u, v)) / len(u)
        for u, v in ((a01, b01), (a10, b10))
    )
    difference = sum(a10) / len(a10) - sum(b10) / len(b10)
    z, p = delong_test(y, a, b)
    if variance > 1e-12:
        assert z == pytest.approx(difference / math.sqrt(variance), rel=1e-6, abs=1e-9)
        assert p == pytest.approx(2 * stats.norm.sf(abs(z)))
        assert delong_test(y, b, a) == pytest.approx((-z, p))


def test_an_increasing_transformation_changes_nothing():
    y, a, b = CASES["tumours: texture, symmetry"]
    assert delong_interval(y, np.log(a)) == delong_interval(y, a)
    assert delong_test(y, np.log(a), b) == delong_test(y, a, b)
    assert delong_test(y, np.log(a), a) == (0.0, 1.0)
    for name in ("bootstrap", "simultaneous", "ks"):
        one, other = BANDS[name](y, np.log(a)), BANDS[name](y, a)
        np.testing.assert_array_equal(one.tpr_lower, other.tpr_lower)
        np.testing.assert_array_equal(one.tpr_upper, other.tpr_upper)


def test_delong_takes_a_hundred_thousand_points_by_sorting(rng):
    y = np.resize([0, 1], 100_000)
    a = rng.normal(size=y.size) + y
    lower, upper = delong_interval(y, a)[1:]
    assert 0.005 < upper - lower < 0.007
    assert abs(delong_test(y, a, a + rng.normal(size=y.size))[0]) > 10


# rocci


def test_the_envelope_is_roccis_to_the_bit(rng):
    y, score = scored(rng, 120)
    for alpha in (0.05, 0.1):
        expected = rocci.roc_band(y, score, confidence=1 - alpha, random_state=7)
        found = simultaneous_band(y, score, alpha, random_state=7)
        for ours, theirs in zip(
            (found.fpr, found.tpr, found.tpr_lower, found.tpr_upper),
            (expected.fpr, expected.tpr, expected.lower, expected.upper),
            strict=True,
        ):
            np.testing.assert_array_equal(ours, theirs)
        made = envelope_replicates(y, score, random_state=7, n_threads=1).band(alpha)
        np.testing.assert_array_equal(made.tpr_lower, found.tpr_lower)


def test_working_hotelling_is_roccis_on_any_grid(rng):
    y = np.resize([0, 1], 100)
    score = rng.normal(size=100) + y
    expected = rocci.roc_band(y, score, normal=True)
    found = working_hotelling_band(y, score, fpr=expected.fpr)
    np.testing.assert_allclose(found.tpr_lower, expected.lower, atol=1e-12)
    np.testing.assert_allclose(found.tpr_upper[1:], expected.upper[1:], atol=1e-12)
    inner = working_hotelling_band(y, score, fpr=expected.fpr[3:9])
    np.testing.assert_array_equal(inner.tpr_upper, found.tpr_upper[3:9])


@pytest.mark.parametrize(("shift", "scale"), [(0, 1e-12), (0, 1e300), (-5, 1e5)])
def test_working_hotelling_does_not_depend_on_the_unit_of_the_scores(shift, scale, rng):
    y = np.resize([0, 1], 100)
    score = rng.normal(size=100) + y
    one, other = (working_hotelling_band(y, values) for values in (score, score * scale + shift))
    np.testing.assert_allclose(other.tpr_lower, one.tpr_lower, atol=1e-9)
    np.testing.assert_allclose(other.tpr_upper, one.tpr_upper, atol=1e-9)


def test_working_hotelling_tells_of_scores_that_are_not_normal(rng):
    y = np.resize([0, 1], 400)
    normal = rng.normal(size=400) + y
    assert working_hotelling_band(y, normal).notes == ()
    assert "normal" in working_hotelling_band(y, np.exp(2 * normal)).notes[0]


@pytest.mark.parametrize("band", ["simultaneous", "working_hotelling"])
def test_without_rocci_the_error_says_what_to_install(band, monkeypatch, rng):
    for name in list(sys.modules):
        if name.partition(".")[0] == "rocci":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "rocci", None)
    with pytest.raises(ImportError, match=r"rocci.*pip install"):
        BANDS[band](*scored(rng, 20))


# What holds for all bands

DEGENERATE = {
    "AUC 1": (np.repeat([0, 1], 20), np.r_[np.arange(20), np.arange(20) + 30.0]),
    "AUC 0": (np.repeat([1, 0], 20), np.r_[np.arange(20), np.arange(20) + 30.0]),
    "5 positives": (np.repeat([0, 1], [60, 5]), np.r_[np.arange(60), [20, 50, 55, 58, 70.5]]),
    "1 positive": (np.repeat([0, 1], [30, 1]), np.r_[np.arange(30), 20.5]),
    "one of each": (np.array([0, 1]), np.array([1.0, 2.0])),
    "all equal": (np.resize([0, 1], 50), np.full(50, 0.5)),
    "heavy ties": (np.resize([0, 1], 200), np.resize([1.0, 2.0, 2.0, 3.0, 1.0, 2.0, 3.0], 200)),
    "equal positives": (np.repeat([0, 1], 30), np.r_[np.linspace(0, 1, 30), np.full(30, 0.7)]),
    "large numbers": (np.resize([0, 1], 60), 1e300 * np.sin(np.arange(60.0))),
}


@every_band
@pytest.mark.parametrize("data", list(DEGENERATE))
@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.5, 0.99])
def test_a_degenerate_case_gives_limits_and_a_word(band, data, alpha):
    made = BANDS[band](*DEGENERATE[data], alpha)
    assert isinstance(made, ComparatorBand)
    for values in (made.tpr, made.tpr_lower, made.tpr_upper):
        assert np.isfinite(values).all()
        assert (values >= 0).all()
        assert (values <= 1).all()
        assert values.shape == made.fpr.shape
    assert (made.tpr_lower <= made.tpr_upper).all()
    inside = (made.fpr > 0) & (made.fpr < 1)
    narrow = made.tpr_upper[inside] - made.tpr_lower[inside] < 1e-9
    if narrow.any() or (data != "large numbers" and band != "ks"):
        assert made.notes


@every_band
def test_a_plain_case_has_no_notes(band, rng):
    y = np.resize([0, 1], 1000)
    score = rng.normal(size=1000) + 0.5 * y
    made = (
        bootstrap_band(y, score, fpr=np.linspace(0.1, 0.9, 9), random_state=0)
        if band == "bootstrap"
        else simultaneous_band(y, score, random_state=0)
        if band == "simultaneous"
        else BANDS[band](y, score)
    )
    assert [note for note in made.notes if "lower limit" not in note] == []


def test_the_words_name_what_is_wrong():
    def notes(band, data, alpha=0.05):
        return " ".join(BANDS[band](*DEGENERATE[data], alpha).notes)

    assert "separate" in notes("ks", "AUC 1")
    assert "no width" in notes("bootstrap", "AUC 1")
    assert "5 positives" in notes("bootstrap", "5 positives")
    assert "1 positive:" in notes("simultaneous", "1 positive")
    assert "equal" in notes("bootstrap", "all equal")
    assert "same score" in notes("ks", "heavy ties")
    assert "same score" in notes("simultaneous", "heavy ties")
    assert "no spread" in notes("working_hotelling", "equal positives")
    assert "from 0 to 1" in notes("ks", "one of each")
    assert "replicates" in notes("bootstrap", "heavy ties", 0.01)
    assert "above 0.1" in notes("simultaneous", "heavy ties", 0.3)


@every_band
def test_a_band_says_what_it_covers(band, rng):
    made = BANDS[band](*scored(rng, 80), 0.1)
    assert made.target == "population ROC of this classifier"
    assert made.scope.startswith("pointwise" if band == "bootstrap" else "simultaneous")
    assert "90 %" in made.guarantee
    assert made.alpha == 0.1
    frame = made.to_frame()
    assert list(frame.columns) == ["fpr", "tpr", "tpr_lower", "tpr_upper"]
    assert frame.attrs["target"] == made.target
    assert "points" in repr(made)
    with pytest.raises(ValueError, match="read-only"):
        made.tpr_lower[0] = 1


@every_band
@given(data=labelled_scores(min_size=6), seed=st.integers(0, 20))
def test_order_of_rows_and_names_of_labels_do_not_matter(band, data, seed):
    y, score = data
    order = np.random.default_rng(seed).permutation(y.size)
    one = BANDS[band](y, score)
    other = BANDS[band](np.where(y == 1, "yes", "no")[order], score[order].tolist())
    np.testing.assert_array_equal(one.tpr, other.tpr)
    np.testing.assert_allclose(one.tpr_lower, other.tpr_lower, atol=1e-12)
    np.testing.assert_allclose(one.tpr_upper, other.tpr_upper, atol=1e-12)


@every_band
@given(data=labelled_scores(), alpha=st.sampled_from([0.01, 0.2, 0.8]))
def test_limits_are_rates_in_order(band, data, alpha):
    made = BANDS[band](*data, alpha)
    assert (made.tpr_lower >= 0).all()
    assert (made.tpr_upper <= 1).all()
    assert (made.tpr_lower <= made.tpr_upper).all()
    assert (np.diff(made.fpr) > 0).all()
    assert (np.diff(made.tpr) >= -1e-12).all()
    # Working and Hotelling's limits turn back where variances differ; rocci's envelope may at
    # the ends that it pins and where its last floor cuts in.
    if band in ("bootstrap", "ks"):
        assert (np.diff(made.tpr_lower) >= -1e-12).all()
        assert (np.diff(made.tpr_upper) >= -1e-12).all()


@pytest.mark.parametrize("band", NESTED)
@given(data=labelled_scores(), pair=st.sampled_from([(0.01, 0.05), (0.05, 0.3), (0.3, 0.9)]))
def test_a_smaller_alpha_gives_a_wider_band(band, data, pair):
    wide, narrow = (BANDS[band](*data, alpha) for alpha in pair)
    assert (wide.tpr_lower <= narrow.tpr_lower + 1e-12).all()
    assert (wide.tpr_upper >= narrow.tpr_upper - 1e-12).all()


@pytest.mark.parametrize("name", ["AUC 1", "AUC 0", "all equal"])
def test_delong_without_variance_warns(name):
    y, score = DEGENERATE[name]
    with pytest.warns(UserWarning, match="no width"):
        auc, lower, upper = delong_interval(y, score)
    assert lower == auc == upper


def test_a_difference_without_variance_is_no_proof():
    y, score = DEGENERATE["AUC 1"]
    with pytest.warns(UserWarning, match="no test is possible"):
        z, p = delong_test(y, score, -score)
    assert math.isnan(z)
    assert math.isnan(p)


def test_delong_stays_within_zero_and_one():
    y, score = DEGENERATE["5 positives"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for alpha in (1e-9, 0.05, 0.5):
            auc, lower, upper = delong_interval(y, score, alpha)
            assert 0 <= lower < auc < upper <= 1


@every_band
@pytest.mark.slow
def test_a_band_covers_where_it_should(band):
    """Binormal scores, 150 of a label: the bootstrap in the middle of the curve, the others everywhere."""
    law = stats.norm(0, 1), stats.norm(1, 1)
    rng, held = np.random.default_rng(8), []
    for _ in range(400):
        y = np.repeat([0, 1], 150)
        score = np.concatenate([part.rvs(150, random_state=rng) for part in law])
        made = (
            bootstrap_band(y, score, fpr=[0.3], resamples=1000, random_state=rng)
            if band == "bootstrap"
            else simultaneous_band(y, score, resamples=1000, random_state=rng)
            if band == "simultaneous"
            else BANDS[band](y, score)
        )
        inside = (made.fpr > 0) & (made.fpr < 1)
        truth = law[1].sf(law[0].isf(made.fpr[inside]))
        held.append(((made.tpr_lower[inside] <= truth) & (truth <= made.tpr_upper[inside])).all())
    assert np.mean(held) > 0.95 - 3 * math.sqrt(0.05 * 0.95 / 400)


# Bad input

Y, SCORE = scored(np.random.default_rng(4), 40)
ASKED = {
    **BANDS,
    "delong_interval": delong_interval,
    "clopper_pearson_box": lambda y, score, alpha=0.05: clopper_pearson_box(y, score, 0.5, alpha),
    "delong_test": lambda y, score: delong_test(y, score, SCORE),
}
NAN, INF = float("nan"), float("inf")
WRONG = (ValueError, TypeError)


def spoiled(value):
    scores = SCORE.copy()
    scores[3] = value
    return scores


BAD_DATA = [
    ({"score": spoiled(NAN)}, ValueError, "score.*NaN"),
    ({"score": spoiled(INF)}, ValueError, "score.*infinite"),
    ({"score": SCORE[:-1]}, ValueError, "39.*40|40.*39"),
    ({"score": SCORE[:, None]}, ValueError, "score.*shape"),
    ({"score": ["a"] * 40}, TypeError, "score"),
    ({"score": None}, WRONG, "score"),
    ({"score": []}, ValueError, "score"),
    ({"y": np.zeros(40)}, ValueError, r"\by\b.*two classes"),
    ({"y": np.resize([0, 1, 2], 40)}, ValueError, r"\by\b.*two classes"),
    ({"y": Y[:, None]}, ValueError, r"\by\b"),
    ({"y": [None, *Y[1:]]}, ValueError, r"\by\b"),
    ({"y": np.where(Y == 1, 1.0, NAN)}, ValueError, r"\by\b"),
    ({"y": []}, ValueError, r"\by\b"),
]


@pytest.mark.parametrize("name", list(ASKED))
@pytest.mark.parametrize(("bad", "kind", "pattern"), BAD_DATA)
def test_bad_data_are_refused_by_name(name, bad, kind, pattern):
    with pytest.raises(kind, match=pattern):
        ASKED[name](**{"y": Y, "score": SCORE} | bad)


@pytest.mark.parametrize("name", [name for name in ASKED if name != "delong_test"])
@pytest.mark.parametrize("alpha", [0, 1, -0.1, 1.5, NAN, INF, "0.05", None, True, [0.05]], ids=repr)
def test_a_bad_alpha_is_refused(name, alpha):
    with pytest.raises(WRONG, match=r"\balpha\b"):
        ASKED[name](Y, SCORE, alpha)


BAD_OPTIONS = [
    (bootstrap_band, {"resamples": 99}, ValueError, "resamples"),
    (bootstrap_band, {"resamples": 200.5}, TypeError, "resamples"),
    (bootstrap_band, {"resamples": True}, TypeError, "resamples"),
    (bootstrap_band, {"random_state": -1}, ValueError, "random_state"),
    (bootstrap_band, {"random_state": "7"}, TypeError, "random_state"),
    (bootstrap_band, {"random_state": 1.5}, TypeError, "random_state"),
    (bootstrap_band, {"progress": "yes"}, TypeError, "progress"),
    (bootstrap_band, {"fpr": [0.1, 1.2]}, ValueError, "fpr"),
    (bootstrap_band, {"fpr": [-0.1]}, ValueError, "fpr"),
    (bootstrap_band, {"fpr": []}, ValueError, "fpr"),
    (bootstrap_band, {"fpr": [0.1, NAN]}, ValueError, "fpr"),
    (bootstrap_band, {"fpr": "all"}, TypeError, "fpr"),
    (ks_band, {"fpr": [[0.1]]}, ValueError, "fpr"),
    (working_hotelling_band, {"fpr": [2.0]}, ValueError, "fpr"),
    (simultaneous_band, {"resamples": 10}, ValueError, "resamples"),
    (simultaneous_band, {"random_state": -3}, ValueError, "random_state"),
    (simultaneous_band, {"progress": 1}, TypeError, "progress"),
]


@pytest.mark.parametrize(("function", "bad", "kind", "pattern"), BAD_OPTIONS)
def test_a_bad_option_is_refused_by_name(function, bad, kind, pattern):
    with pytest.raises(kind, match=pattern):
        function(Y, SCORE, **bad)


@pytest.mark.parametrize("threshold", [NAN, "0.5", None, [0.5], True], ids=repr)
def test_a_bad_threshold_is_refused(threshold):
    with pytest.raises(WRONG, match="threshold"):
        clopper_pearson_box(Y, SCORE, threshold)


def test_a_box_refuses_a_choice_that_is_none():
    with pytest.raises(TypeError, match="joint"):
        clopper_pearson_box(Y, SCORE, 0.5, joint="yes")


def test_the_paired_test_names_the_score_that_is_wrong():
    with pytest.raises(ValueError, match="score_a"):
        delong_test(Y, spoiled(NAN), SCORE)
    with pytest.raises(ValueError, match="score_b"):
        delong_test(Y, SCORE, SCORE[:-1])


def test_delong_needs_two_points_of_each_label():
    for call in (delong_interval, lambda y, s: delong_test(y, s, s)):
        with pytest.raises(ValueError, match="twice"):
            call([0, 0, 1], [0.1, 0.2, 0.3])
