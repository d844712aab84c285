import math

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import kstest, norm

from conformal_roc_widget.calibration.references import learning_gap
from conformal_roc_widget.calibration.references.learned_scores import ExplainedVariance
from conformal_roc_widget.calibration.references.learning_gap import (
    SHRINKAGE,
    noise_for,
    tilted_noise,
    with_noise,
    with_uncertain_gap,
)


@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize("logit", [-3.0, 0.0, 1.5])
@pytest.mark.parametrize("noise", [0.3, 1.0, 3.0])
def test_tilted_noise_is_distributed_as_an_integral_says(rng, label, logit, noise):
    n = 40_000
    found = tilted_noise(np.full((1, n), logit), np.array([label]), noise, rng.normal(size=(1, n)))[
        0
    ]
    e = np.linspace(-8 * noise, 8 * noise, 4001)
    likelihood = expit(logit + e) if label else expit(-logit - e)
    density = norm.pdf(e, 0, noise) * likelihood
    distribution = np.cumsum(density) / density.sum()
    assert kstest(found, lambda x: np.interp(x, e, distribution)).statistic < 0.012


@pytest.mark.parametrize("noise", [0.02, 0.3, 1.0, 4.0])
def test_the_noise_is_a_quantile_within_a_thousandth_of_its_deviation(noise):
    logits, normal = np.array([-60.0, -7.3, -0.4, 0.0, 2.9, 60.0]), np.linspace(-5, 5, 41)
    found = tilted_noise(
        np.repeat(logits[:, None], 41, axis=1), np.ones(6), noise, np.repeat(normal[None], 6, 0)
    )
    e = np.linspace(-9 * noise, noise**2 + 9 * noise, 400_001)
    for logit, row in zip(logits, found, strict=True):
        # Naively: one quantile at a time on a fine grid. Sums start from the nearer end.
        mass = np.exp(np.log(expit(logit + e)) - 0.5 * (e / noise) ** 2 + max(-logit, 0))
        mass /= mass.sum()
        low = np.interp(norm.cdf(normal[:21]), mass.cumsum() - mass / 2, e)
        high = np.interp(norm.sf(normal[:20:-1]), mass[::-1].cumsum() - mass[::-1] / 2, e[::-1])
        np.testing.assert_allclose(row, [*low, *high[::-1]], atol=1e-3 * noise)
    # Label 0 is label 1 with all signs reversed.
    np.testing.assert_array_equal(
        tilted_noise(-found, np.zeros(6), noise, -found),
        -tilted_noise(found, np.ones(6), noise, found),
    )


def test_the_noise_leans_towards_the_label_and_has_no_mean_over_labels_drawn_from_the_model(rng):
    logits = rng.normal(size=(30_000, 1))
    e = rng.normal(0, 0.8, logits.shape)
    y = (rng.random(len(e)) < expit(logits + e)[:, 0]).astype(int)
    found = tilted_noise(logits, y, 0.8, rng.normal(size=e.shape))
    assert found[y == 1].mean() > 0.15
    assert found[y == 0].mean() < -0.15
    assert found.mean() == pytest.approx(0, abs=0.02)
    assert found.std() == pytest.approx(0.8, rel=0.02)


def test_noise_leaves_the_mean_probability_where_it_was(rng):
    pi = np.repeat([0.02, 0.1, 0.3, 0.6, 0.95], 40_000)
    draws = np.log(pi / (1 - pi))[:, None]
    assert (with_noise(draws, np.zeros(pi.size), 0.0, rng.normal(size=draws.shape)) == draws).all()
    for noise in (0.5, 1.5):
        # labels drawn with the probabilities that the noise implies
        own = draws * np.sqrt(1 + SHRINKAGE * noise**2) + rng.normal(0, noise, draws.shape)
        y = (rng.random(pi.size) < expit(own)[:, 0]).astype(int)
        found = expit(with_noise(draws, y, noise, rng.normal(size=own.shape)))
        means = found.reshape(5, -1).mean(axis=1)
        np.testing.assert_allclose(means, np.unique(pi), atol=0.012)


def test_noise_of_a_few_rows_at_a_time_is_that_of_all_rows(rng, monkeypatch):
    draws, y = rng.normal(size=(70, 30)), np.resize([0, 1, 1], 70)
    normal = rng.normal(size=draws.shape)
    stretched = draws * np.sqrt(1 + SHRINKAGE * 0.8**2)
    whole = stretched + tilted_noise(stretched, y, 0.8, normal)
    for numbers in (1, 100, 20_000):
        monkeypatch.setattr(learning_gap, "NUMBERS_AT_ONCE", numbers)
        np.testing.assert_array_equal(with_noise(draws, y, 0.8, normal), whole)


def test_a_label_that_is_next_to_impossible_still_has_finite_noise():
    logits = np.array([[-800.0, 0.0], [800.0, 0.0]])
    for noise in (0.0, 2.0):
        for level in (-40.0, 0.0, 40.0):
            found = tilted_noise(logits, np.array([1, 0]), noise, np.full((2, 2), level))
            assert np.isfinite(found).all()


def test_the_deviation_gives_the_draws_the_variance_that_is_asked_for(rng):
    draws, y = rng.normal(0, 0.5, (400, 30)), np.resize([0, 1], 400)
    normal = rng.normal(size=draws.shape)
    own = expit(draws).var()
    assert noise_for(own * 0.9, draws, normal, y) == 0
    for variance in (own * 1.2, own * 3):
        noise = noise_for(variance, draws, normal, y)
        moved = with_noise(draws, y, noise, normal)
        assert expit(moved).var() == pytest.approx(variance, rel=0.01)
    assert noise_for(0.25, draws, normal, y) == 4.0


def test_draws_with_an_uncertain_gap_have_variances_that_the_halves_leave_possible(rng):
    draws = rng.normal(0.4, 1.0, (700, 60)) * np.linspace(0.5, 2, 60)
    variance = ExplainedVariance(0.03, 0.01, 0.2)
    found = with_uncertain_gap(draws, variance, 3)
    # Naively: the share of each draw, from the same random stream after the choice of points.
    stream = np.random.default_rng([3, 8])
    stream.permutation(700)
    share = 0.03 / (0.2 / 0.95)
    error = 0.01 / (0.2 / 0.95) / (share * (1 - share))
    deviation = math.sqrt((1.1 * error) ** 2 + 0.15**2)
    log_odds = math.log(share / (1 - share)) + 0.4 * error + deviation * stream.standard_normal(60)
    pi = expit(found)
    mean = pi.mean(axis=0)
    np.testing.assert_allclose(
        pi.var(axis=0) / (mean * (1 - mean)), 1 / (1 + np.exp(-log_odds)), rtol=1e-3
    )
    np.testing.assert_allclose(found.mean(axis=0), draws.mean(axis=0), atol=1e-12)
    # Each draw keeps the order of its points. Reversing the sign of pi's logit changes nothing
    # else.
    np.testing.assert_array_equal(np.argsort(found, axis=0), np.argsort(draws, axis=0))
    np.testing.assert_allclose(with_uncertain_gap(-draws, variance, 3), -found, atol=1e-9)


def test_either_tail_of_a_draw_has_a_weight_of_its_own(rng):
    """Far from the mean a draw is raised to a power, near the mean it is multiplied."""
    draws = np.sort(rng.standard_cauchy((4_000, 30)), axis=0) * 0.5 + 0.7
    found = with_uncertain_gap(draws, ExplainedVariance(0.03, 0.01, 0.2), 3)
    stream = np.random.default_rng([3, 8])
    stream.permutation(4_000)
    stream.standard_normal(30)
    inner, outer = np.exp(0.2 * stream.standard_normal((2, 30)))
    for column in range(30):
        mean, spread = draws[:, column].mean(), draws[:, column].std()
        naive = [
            spread
            * math.sinh(
                (inner if (x - mean) * mean < 0 else outer)[column]
                * math.asinh((x - mean) / spread)
            )
            for x in draws[:, column]
        ]
        # The two draws differ only in scale and mean.
        centred = np.array(naive) - np.mean(naive)
        scale = (found[-1, column] - found[0, column]) / (centred[-1] - centred[0])
        np.testing.assert_allclose(found[:, column], mean + scale * centred, rtol=1e-9, atol=1e-9)


def test_draws_stay_where_the_halves_explain_nothing(rng):
    draws = rng.normal(size=(30, 4))
    assert with_uncertain_gap(draws, ExplainedVariance(0.0, 0.0, 0.2)) is draws


def test_a_variance_that_no_scale_reaches_gets_the_largest_one():
    some = ExplainedVariance(0.1, 0.02, 0.2)
    draws = np.zeros((30, 4))
    np.testing.assert_array_equal(with_uncertain_gap(draws, some), draws)
    steep = np.where(np.arange(30)[:, None] < 15, -40.0, 40.0) * np.ones((1, 4))
    assert np.isfinite(with_uncertain_gap(steep, some)).all()
