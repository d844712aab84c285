"""The bootstrap's replicates against all resamples, pROC and numpy's quantiles."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from comparator_cases import PROC, every_case, polygon
from data import scored
from public_data import CASES
from scipy import stats

from conformal_roc_widget.comparators import bootstrap_band, bootstrap_replicates
from conformal_roc_widget.comparators.two_samples import two_samples

GRID = [Fraction(0), Fraction(1, 5), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(1)]


def law_of_replicates(negatives, positives, grid):
    """For each curve at the grid, its probability over all resamples with replacement."""
    law = {}
    for zeros in itertools.product(negatives, repeat=len(negatives)):
        for ones in itertools.product(positives, repeat=len(positives)):
            curve = tuple(float(polygon(zeros, ones, g)) for g in grid)
            law[curve] = law.get(curve, 0) + 1
    total = len(negatives) ** len(negatives) * len(positives) ** len(positives)
    return {curve: count / total for curve, count in law.items()}


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
    total = 50_000
    from conformal_roc_widget.comparators.resampling import GridResampling

    samples = two_samples(y, [*negatives, *positives])
    resampling = GridResampling.of(samples, np.array([float(g) for g in GRID]))
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
            # pROC's limit is where our distribution function reaches the share, up to its error.
            assert np.mean(values < limit - 1e-9) <= share + error
            assert np.mean(values <= limit + 1e-9) >= share - error


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


def test_ten_replicates_beyond_each_limit_are_enough_and_fewer_are_told(rng):
    made = bootstrap_replicates(*scored(rng, 40), resamples=200, random_state=3)
    told = [any("lie beyond each" in note for note in made.band(a).notes) for a in (0.1, 0.095)]
    assert told == [False, True]


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
