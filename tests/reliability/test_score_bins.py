"""Shares of positives in bins of the score, against loops."""

import numpy as np
import pytest
from data import by_kernel
from parts import with_quick
from scipy.special import expit
from scipy.stats import beta, chi2

from conformal_roc_widget.reliability import score_bins
from conformal_roc_widget.reliability.score_bins import (
    bin_draws,
    contrast,
    held_share,
    misfit,
)


def test_the_share_of_the_candidates_in_the_intervals_by_loops():
    logits = np.random.default_rng(4).normal(size=120)
    y = (np.random.default_rng(5).random(120) < expit(2 * logits)).astype(int)
    scores = expit(logits)
    lower, upper = logits - 0.7, logits + 0.4
    order = np.argsort(scores)
    held = []
    for rank, i in enumerate(order):
        group = [j for other, j in enumerate(order) if other * 5 // 120 == rank * 5 // 120]
        k, m = sum(y[group]), len(group)
        for q in range(100):
            share = beta.ppf((q + 0.5) / 100, 0.5 + k, 0.5 + m - k)
            held.append(expit(lower[i]) <= share <= expit(upper[i]))
    assert round(120 ** (1 / 3)) == 5
    assert held_share(logits, y, lower, upper) == pytest.approx(np.mean(held), abs=1e-12)
    assert bin_draws(logits, y).shape == (120, 100)


def test_two_bins_of_four_points_by_hand():
    # Eight points make two bins: the lower four have one positive, the upper four are all positive.
    logits = np.array([-4.0, -3, -2, -1, 1, 2, 3, 4])
    codes = np.array([0, 1, 0, 0, 1, 1, 1, 1])
    levels = (np.arange(100) + 0.5) / 100
    draws = bin_draws(logits[::-1], codes[::-1])
    np.testing.assert_allclose(draws[-1], beta.ppf(levels, 1.5, 3.5), rtol=1e-10)
    np.testing.assert_allclose(draws[0], beta.ppf(levels, 4.5, 0.5), rtol=1e-10)
    np.testing.assert_array_equal(bin_draws(logits, codes, np.array([5])), draws[:1])
    assert held_share(logits, codes, np.full(8, -np.inf), np.full(8, np.inf)) == 1


def test_equal_scores_share_a_bin():
    # The first seven of eight scores are equal, so the second bin would start among them.
    logits = np.array([0.0] * 7 + [1.0])
    draws = bin_draws(logits, np.array([1, 0, 0, 0, 0, 0, 0, 1]))
    assert (draws[:7] == draws[0]).all()
    np.testing.assert_allclose(draws[0, 50], beta.ppf(0.505, 1.5, 6.5))


def test_of_many_points_some_at_even_ranks_are_looked_at(rng, monkeypatch):
    logits = rng.normal(size=500)
    codes = rng.integers(0, 2, 500)
    monkeypatch.setattr(score_bins, "LOOKED_AT", 50)
    seen = logits <= np.sort(logits)[100]
    lower, upper = np.where(seen, -np.inf, np.inf), np.full(500, np.inf)
    # Of the ranks 0, 10, ..., 490, eleven are among the lowest 101.
    assert held_share(logits, codes, lower, upper) == 11 / 50


def test_a_misfit_is_pearsons_over_bins_of_neighbours():
    rng = np.random.default_rng(6)
    logits, reference = rng.normal(size=216), rng.normal(size=216)
    codes = rng.integers(0, 2, 216)
    order, values = np.argsort(logits), []
    for bins in (3, 6, 12):
        total = 0.0
        for group in np.array_split(order, bins):
            p = expit(reference[group])
            total += (codes[group].sum() - p.sum()) ** 2 / (p * (1 - p)).sum()
        values.append(chi2.sf(total, bins))
    assert misfit(logits, codes, reference) == pytest.approx(min(values))


@pytest.mark.parametrize("decimals", [1, 2, 12])
def test_a_contrast_is_the_largest_jump_between_neighbours(decimals):
    rng = np.random.default_rng(7)
    logits, reference = rng.normal(size=61).round(decimals), rng.normal(size=61)
    codes = rng.integers(0, 2, 61)
    p, found = expit(reference), [0.0]
    for place in np.unique(logits)[1:]:
        below, above = logits < place, logits >= place
        if min(below.sum(), above.sum()) < 61 / 4:
            continue
        # On either side, the nearest scores are taken in whole groups of ties until they are a
        # quarter.
        low = max(v for v in logits[below] if (below & (logits >= v)).sum() >= 61 / 4)
        high = min(v for v in logits[above] if (above & (logits <= v)).sum() >= 61 / 4)
        below, above = below & (logits >= low), above & (logits <= high)
        jump = (codes - p)[above].sum() - (codes - p)[below].sum()
        found.append(abs(jump) / np.sqrt((p * (1 - p))[below | above].sum()))
    assert contrast(logits, codes, reference) == pytest.approx(max(found))
    again = rng.permutation(61)
    assert contrast(logits[again], codes[again], reference[again]) == pytest.approx(max(found))


def test_one_score_for_all_has_no_contrast():
    assert contrast(np.zeros(8), np.resize([0, 1], 8), np.zeros(8)) == 0


def smooth(rng, n):
    """Labels for which the score is the true risk."""
    score = rng.beta(2, 3, n)
    return score, score


def moved(rng, n):
    score = rng.beta(3, 2, n)
    return score, expit(np.log(score / (1 - score)) - 0.7)


def stepped(rng, n):
    """A tenth is positive below a score and two thirds above it, which no smooth curve fits."""
    score = rng.beta(2, 4, n)
    return score, np.where(score > 1 / 3, 0.65, 0.1)


def noted(law, n, seeds):
    found = 0
    for seed in range(seeds):
        rng = np.random.default_rng([n, seed])
        score, p = law(rng, n)
        y = (rng.random(n) < p).astype(int)
        notes = by_kernel(y, score, y[:50], score[:50]).notes
        found += any("too smooth" in note and "Do not use it" in note for note in notes)
    return found


SIZES = with_quick([300, 1000, 3000], [1000])


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("law", [smooth, moved])
def test_intervals_that_hold_are_hardly_ever_called_too_smooth(law, n):
    assert noted(law, n, 20) <= 1


@pytest.mark.parametrize("n", SIZES)
def test_a_step_that_the_kernel_smooths_is_told(n):
    assert noted(stepped, n, 20) >= 16


def test_rows_of_a_person_are_no_more_evidence_than_one(rng):
    """Sixty people with ten equal rows each. By rows, chance alone would look like misfit."""
    found = 0
    for seed in range(20):
        rng = np.random.default_rng([60, seed])
        score, p = smooth(rng, 150)
        y, who = np.repeat((rng.random(150) < p).astype(int), 10), np.repeat(np.arange(150), 10)
        score = np.repeat(score, 10)
        rows = {"groups_calibration": who}
        notes = by_kernel(y, score, y[::40], score[::40], **rows).notes
        found += any("too smooth" in note and "Do not use it" in note for note in notes)
    assert found <= 1
