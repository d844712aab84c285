"""Limits that hold at every look as rows arrive: another computation of their boundary, words,
refusals.
"""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import betaln, expit, logit, xlog1py, xlogy
from scipy.stats import norm

from conformal_roc_widget.comparators import delong_interval, ks_band
from conformal_roc_widget.comparators.ks import KsSamples
from conformal_roc_widget.evaluation.estimate import Estimate
from conformal_roc_widget.evaluation.looks import far_at_any_look, share_at_any_look


def rows(rng, zeros=60, ones=40):
    y = np.repeat([0, 1], [zeros, ones])
    return y, rng.normal(size=y.size) + y


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.3])
@pytest.mark.parametrize("n", [20, 200, 3000])
def test_the_area_keeps_to_the_boundary_of_a_normal_mixture(alpha, n):
    """The sum at which the mixture of likelihood ratios, integrated numerically, is 1 / alpha."""
    spread = (math.log(1 - 2 * math.log(alpha)) - 2 * math.log(alpha)) / 200

    def mixture(total):
        return quad(
            lambda drift: (
                math.exp(drift * total - drift**2 * n / 2)
                * norm.pdf(drift, scale=math.sqrt(spread))
            ),
            -8 * math.sqrt(spread),
            8 * math.sqrt(spread),
            points=[total / (n + 1 / spread)],
            epsabs=0,
            epsrel=1e-10,
        )[0]

    total = brentq(lambda s: math.log(mixture(s) * alpha), math.sqrt(n), 9 * math.sqrt(n))
    assert far_at_any_look(alpha, n) == pytest.approx(total / math.sqrt(n), rel=1e-6)


def test_the_area_is_stretched_by_that_many_errors(rng):
    y, x = rows(rng)
    once, some = delong_interval(y, x, 0.1), delong_interval(y, x, 0.1, looks="any")
    assert once.estimate == some.estimate
    wider = far_at_any_look(0.1, 40) / norm.isf(0.05)
    for one, other in zip(once[1:], some[1:], strict=True):
        away = logit(once.estimate) + wider * (logit(one) - logit(once.estimate))
        assert other == pytest.approx(expit(away), abs=1e-12)
    assert 1.4 < far_at_any_look(0.05, 100) / norm.isf(0.025) < 1.7
    assert some.scope.startswith("one number, at every look as rows arrive, from 20 rows")
    assert once.scope == "one number"


@pytest.mark.parametrize("method", ["logit", "delong"])
def test_a_partial_area_is_stretched_too(rng, method):
    y, x = rows(rng, 300, 200)
    given = {"max_fpr": 0.3, "method": method}
    once, some = (
        delong_interval(y, x, 0.1, **given),
        delong_interval(y, x, 0.1, looks="any", **given),
    )
    area, chance = 0.3, 0.3**2 / 2
    none = 0.5 * (1 + (0 - chance) / (area - chance))  # the standardized area of an empty corner

    def on_the_scale(found):
        share = (found - none) / (1 - none)
        return logit(share) if method == "logit" else share

    wider = far_at_any_look(0.1, 200) / norm.isf(0.05)
    for one, other in zip(once[1:], some[1:], strict=True):
        middle = on_the_scale(once.estimate)
        assert on_the_scale(other) == pytest.approx(middle + wider * (on_the_scale(one) - middle))
    assert some.notes == ()
    (note,) = delong_interval(*rows(rng, 60, 19), looks="any", max_fpr=0.3).notes
    assert note.endswith("here a label has 19.")


def test_the_curve_keeps_to_a_time_uniform_distance(rng):
    y, x = rows(rng, 300, 500)
    alpha = 0.05
    each = 1 - math.sqrt(1 - alpha)
    d0, d1 = (
        0.85 * math.sqrt((math.log(math.log(math.e * n / 20)) + 0.8 * math.log(1612 / each)) / n)
        for n in (300, 500)
    )
    band = ks_band(y, x, alpha, fpr=[0.5], looks="any")
    zeros, ones = np.sort(x[y == 0])[::-1], np.sort(x[y == 1])[::-1]
    called = {t: ((zeros >= t).mean(), (ones >= t).mean()) for t in np.sort(x)[::-1]}
    inner = [tpr for fpr, tpr in called.values() if fpr < 0.5 - d0]
    outer = [tpr for fpr, tpr in called.values() if fpr > 0.5 + d0]
    assert band.tpr_lower[0] == pytest.approx(max(max(inner) - d1, 0))
    assert band.tpr_upper[0] == pytest.approx(min(min(outer) + d1, 1))
    assert "at every look as rows arrive" in band.scope
    assert "at every look" not in KsSamples.promise.scope


def test_the_distance_is_proven_for_its_level():
    """Howard and Ramdas (2022), theorem 2: the smallest bound over a grid."""
    for level in (0.2, 0.0253, 0.005):
        c = 0.8 * math.log(1612 / level)
        bounds = []
        for eta in np.linspace(1.001, 2 * 0.85**2 - 1e-3, 400):
            rest = 0.85 - math.sqrt(2 * (eta - 1) / c)
            gamma = 2 / eta * rest**2
            if rest > 0 and gamma > 1:
                bounds.append(4 * math.exp(-gamma * c) * (1 + 1 / ((gamma - 1) * math.log(eta))))
        assert min(bounds) <= level


@pytest.mark.parametrize(("k", "n"), [(0, 40), (1, 20), (30, 90), (120, 120), (555, 1000)])
def test_a_share_has_the_probabilities_that_a_mixture_of_all_does_not_refute(k, n):
    """The mixture's likelihood divided by that of each share, updated row by row."""
    alpha = 0.05
    mixture = 0.0
    for right, at in enumerate([1] * k + [0] * (n - k)):
        ones = min(right, k)
        share = (ones + 0.5) / (right + 1)
        mixture += math.log(share if at else 1 - share)
    low, high = share_at_any_look(k / n, n, alpha)

    def against(p):
        return mixture - xlogy(k, p) - xlog1py(n - k, -p)

    for end, is_open in ((float(low), k > 0), (float(high), k < n)):
        if is_open:
            assert against(end) == pytest.approx(-math.log(alpha), abs=1e-8)
    assert (low == 0) == (k == 0)
    assert (high == 1) == (k == n)
    assert against(max(k / n, 1e-9)) < -math.log(alpha)


def test_a_share_of_no_rows_is_anything():
    assert [float(end) for end in share_at_any_look(0.0, 0.0, 0.05)] == [0, 1]


@pytest.mark.parametrize("p", [0.5, 0.9])
def test_shares_hold_at_every_look(p):
    """2,000 sequences, at all looks from 20 to 400 rows: at most 5 % ever leave the limits."""
    rng = np.random.default_rng(8)
    found = np.cumsum(rng.random((2000, 400)) < p, axis=1)[:, 19:]
    n = np.arange(20, 401)
    mean = betaln(found + 0.5, n - found + 0.5) - math.log(math.pi)
    is_out = mean - found * math.log(p) - (n - found) * math.log(1 - p) > -math.log(0.05)
    missed = is_out.any(axis=1).mean()
    assert 0.005 < missed < 0.05
    some = found[:3, ::50]
    low, high = share_at_any_look(some / n[::50], n[::50], 0.05)
    np.testing.assert_array_equal((p < low) | (p > high), is_out[:3, ::50])


def test_before_the_first_look_there_are_no_limits(rng):
    y, x = rows(rng, 60, 19)
    found = delong_interval(y, x, looks="any")
    assert found[1:] == (0, 1)
    assert found.notes == (
        "Limits at every look begin at 20 rows of each label: here a label has 19.",
    )
    band = ks_band(y, x, looks="any")
    assert (band.tpr_lower[1:-1] == 0).all()
    assert (band.tpr_upper[1:-1] == 1).all()
    assert found.notes[0] in band.notes
    assert not delong_interval(y, x).notes


def test_separated_labels_share_alpha_over_the_looks():
    area = Estimate(1.0, 0.0, 30)
    share = 6 / (math.pi * 11) ** 2
    assert area.limits(0.05, looks="any") == area.limits(0.05 * share)
    assert sum(6 / (math.pi * k) ** 2 for k in range(1, 10_000)) < 1


def test_what_is_neither_is_refused_by_name(rng):
    y, x = rows(rng)
    for ask in (delong_interval, ks_band):
        with pytest.raises(ValueError, match="looks: found 'daily', expected one of 'once', 'any'"):
            ask(y, x, looks="daily")
    with pytest.raises(ValueError, match="looks: found 'any' with groups"):
        delong_interval(y, x, groups=np.arange(100) // 2, looks="any")


@pytest.mark.slow
def test_they_hold_at_every_look():
    kept = {"once": [], "any": []}
    for seed in range(200):
        rng = np.random.default_rng([3, seed])
        y = (rng.random(800) < 0.4).astype(int)
        x = rng.normal(size=800) + 1.2 * y
        start = int(np.searchsorted(np.minimum(np.cumsum(y), np.cumsum(1 - y)), 20)) + 1
        for looks, held in kept.items():
            found = [delong_interval(y[:n], x[:n], looks=looks)[1:] for n in range(start, 801, 15)]
            area = norm.cdf(1.2 / math.sqrt(2))
            held.append(all(low <= area <= high for low, high in found))
    assert np.mean(kept["any"]) > 0.9
    assert np.mean(kept["once"]) < 0.8
