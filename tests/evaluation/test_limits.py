"""Limits, intervals and ranges at one alpha against the loops of Algorithm 1."""

import math

import numpy as np
import oracles
import pytest
from data import (
    assert_same_curves,
    by_kernel,
    calibration_scores,
    evaluation_from_scores,
    labelled_scores,
    limits_of,
    scored,
)
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix, roc_auc_score

from conformal_roc_widget import (
    OperatingPoint,
    conformal_quantiles,
)
from conformal_roc_widget.evaluation import at_alpha

INF = math.inf
ALPHAS = st.sampled_from([0.01, 0.05, 0.1, 0.2, 0.25, 1 / 3, 0.5, 0.8])


def shifted(evaluation, alpha, k, side):
    """L + q of every test point of label k, from public scores and residuals."""
    q = conformal_quantiles(evaluation.residuals[k], alpha)[side]
    return [
        oracles.clipped_logit(p) + q
        for p, y in zip(evaluation.scores, evaluation.labels, strict=True)
        if y == k
    ]


def check_limits(evaluation, band, alpha):
    """Asserts that every limit of the band is the count from a loop.

    Returns whether rounding decided nowhere.
    """
    decided = True
    for k, lower, upper in limits_of(band):
        for side, limits in ((0, lower), (1, upper)):
            values = shifted(evaluation, alpha, k, side)
            for threshold, limit in zip(band.thresholds, limits, strict=True):
                least, most = oracles.limit_count(values, threshold)
                assert least <= round(limit * len(values)) <= most, (k, side, threshold)
                assert limit == round(limit * len(values)) / len(values)
                decided &= least == most
    return decided


def calibration_with_residuals_of_exactly_zero():
    """60 points of label 0 and 59 of label 1 at 0.5.

    Without itself a point of label 0 has 59 of each, so L_pi~ = 0 = L_p.
    """
    y = [0] * 60 + [1] * 59 + [0, 1]
    return y, [0.5] * 119 + [0.9, 0.9]


@given(
    calibration=calibration_scores(),
    test=labelled_scores(),
    alpha=ALPHAS,
    thresholds=st.lists(
        st.sampled_from(
            [-INF, -0.5, -1e-300, 0.0, 1e-300, 1e-12, 0.1, 0.5, 0.7, 1 - 2**-53, 1.0, 1.5, INF]
        ),
        min_size=1,
    ),
)
def test_limits_at_default_and_given_thresholds_are_the_counts_of_algorithm_1(
    calibration, test, alpha, thresholds
):
    evaluation = by_kernel(*calibration, *test)
    check_limits(evaluation, evaluation.band(alpha), alpha)
    band = evaluation.band(alpha, thresholds=thresholds)
    assert band.thresholds.tolist() == sorted(thresholds, reverse=True)
    check_limits(evaluation, band, alpha)


@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.3])
@pytest.mark.parametrize("decimals", [None, 1, 2])
def test_limits_equal_the_loops_exactly_on_ordinary_data(alpha, decimals):
    evaluation = evaluation_from_scores(seed=3, decimals=decimals)
    decided = [
        check_limits(evaluation, evaluation.band(alpha), alpha),
        check_limits(
            evaluation, evaluation.band(alpha, thresholds=np.linspace(0.003, 0.997, 301)), alpha
        ),
    ]
    assert decided == [True, True], "the data were meant to leave nothing to rounding"


def test_limits_count_bounds_strictly_above_the_threshold_and_rates_count_ties():
    calibration = calibration_with_residuals_of_exactly_zero()
    evaluation = by_kernel(*calibration, [0, 0, 0, 1], [0.5, 0.5, 0.7, 0.6], bandwidth=0.01)
    band = evaluation.band(0.5, thresholds=[0.5])
    assert band.quantiles[0] == (0.0, 0.0)
    assert band.fpr.tolist() == [1]
    assert (band.fpr_lower.tolist(), band.fpr_upper.tolist()) == ([1 / 3], [1 / 3])


def test_default_thresholds_carry_the_logits_that_they_came_from(rng):
    # with quantiles of exactly 0, an interval ends at the point's own threshold, and never above it
    calibration = calibration_with_residuals_of_exactly_zero()
    y, score = scored(rng, 2000)
    evaluation = by_kernel(*calibration, y, score, bandwidth=0.01)
    band = evaluation.band(0.5)
    assert band.quantiles[0] == (0.0, 0.0)
    for limits in (band.fpr_lower, band.fpr_upper):
        assert limits[0] == 0
        np.testing.assert_array_equal(limits[1:], band.fpr[:-1])


def test_a_threshold_of_one_or_more_has_limits_of_zero_and_one_below_zero_has_limits_of_one():
    evaluation = evaluation_from_scores()
    for alpha in (0.001, 0.05, 0.5):
        band = evaluation.band(alpha, thresholds=[INF, 2.0, 1.0, -1e-300, -1.0, -INF])
        for name in ("fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"):
            assert getattr(band, name).tolist() == [0, 0, 0, 1, 1, 1]
        assert band.tpr.tolist() == [0, 0, 0, 1, 1, 1]


def test_limits_at_scores_of_exactly_zero_and_one_are_those_of_given_thresholds(rng):
    # a score of 0 is clipped to a logit above that of 1e-200; threshold 0 must still mean 0, and
    # curves must still rise
    evaluation = by_kernel(*scored(rng, 200), [0, 0, 0, 1, 1], [0.0, 1.0, 0.5, 1e-200, 1.0])
    default = evaluation.band(0.1)
    assert default.thresholds.tolist() == [INF, 1.0, 0.5, 1e-200, 0.0]
    given = evaluation.band(0.1, thresholds=default.thresholds)
    for name in ("fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"):
        limits = getattr(default, name)
        np.testing.assert_array_equal(limits, getattr(given, name))
        assert (limits[1], limits[-1]) == (0, 1)
        assert (np.diff(limits) >= 0).all()


def test_thresholds_carry_their_own_logits_even_where_clipping_turns_the_order_round(rng):
    # 0 is clipped to a logit of -37, which is above that of 1e-200
    evaluation = by_kernel(*scored(rng, 200), [0, 0, 0, 1, 1], [0.0, 1e-200, 0.5, 0.4, 0.6])
    band = evaluation.band(0.1)
    check_limits(evaluation, band, 0.1)
    assert_same_curves(band, evaluation.band(0.1, thresholds=band.thresholds))


def test_a_vacuous_label_is_bounded_by_zero_and_one_between_the_ends():
    evaluation = evaluation_from_scores(n_calibration=20)
    band = evaluation.band(0.05, thresholds=[1.0, 0.999, 0.5, 1e-9, -0.1])
    assert band.quantiles == {0: (-INF, INF), 1: (-INF, INF)}
    assert band.guaranteed == {0: 1.0, 1: 1.0}
    for low, up in ((band.fpr_lower, band.fpr_upper), (band.tpr_lower, band.tpr_upper)):
        assert low.tolist() == [0, 0, 0, 0, 1]
        assert up.tolist() == [0, 1, 1, 1, 1]
    assert all(isinstance(reason, str) and reason for reason in band.vacuous.values())
    lower, upper = evaluation.intervals(0.05)
    assert set(lower) == {0.0}
    assert set(upper) == {1.0}


@pytest.mark.parametrize(("rule", "first"), [("paper", 19), ("split", 39)])
def test_a_label_is_called_vacuous_exactly_when_no_limit_is_left(rule, first):
    for n, vacuous in ((first - 1, True), (first, False)):
        evaluation = evaluation_from_scores(n_calibration=2 * n, quantile_rule=rule)
        band = evaluation.band(0.05)
        assert [band.vacuous[k] is not None for k in (0, 1)] == [vacuous, vacuous]
        assert band.n_calibration == {0: n, 1: n}


@given(calibration=calibration_scores(), test=labelled_scores(), alpha=ALPHAS)
def test_intervals_come_in_test_order_each_with_its_own_labels_quantiles(calibration, test, alpha):
    evaluation = by_kernel(*calibration, *test)
    quantiles = {
        k: oracles.conformal_quantiles(evaluation.residuals[k].tolist(), alpha) for k in (0, 1)
    }
    expected = [
        oracles.interval(oracles.clipped_logit(p), quantiles[y]) for y, p in zip(*test, strict=True)
    ]
    lower, upper = evaluation.intervals(alpha)
    np.testing.assert_allclose(lower, [e[0] for e in expected], rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(upper, [e[1] for e in expected], rtol=1e-9, atol=1e-300)


@given(
    calibration=calibration_scores(),
    test=labelled_scores(),
    threshold=st.sampled_from([-0.5, 0.0, 0.25, 0.3, 0.5, 15 / 16, 1.0, 1.5]),
    alpha=ALPHAS,
)
def test_the_operating_point_is_the_contingency_table_with_the_bands_limits(
    calibration, test, threshold, alpha
):
    # Equal calibration and test rows are refused, so there is nothing to compare.
    assume(not all(map(np.array_equal, calibration, test)))
    evaluation = by_kernel(*calibration, *test)
    point = evaluation.operating_point(threshold, alpha)
    assert isinstance(point, OperatingPoint)
    table = oracles.operating_point(test[1].tolist(), test[0].tolist(), threshold)
    assert {name: getattr(point, name) for name in table} == table
    assert [[point.tn, point.fp], [point.fn, point.tp]] == confusion_matrix(
        test[0], test[1] >= threshold
    ).tolist()
    assert (point.threshold, point.alpha) == (threshold, alpha)
    assert point.tpr == point.tp / (point.tp + point.fn)
    assert point.fpr == point.fp / (point.fp + point.tn)
    assert point.youden == point.tpr - point.fpr
    if point.tp + point.fp:
        assert point.precision == point.tp / (point.tp + point.fp)
    else:
        assert math.isnan(point.precision)
    band = evaluation.band(alpha, thresholds=[threshold])
    for name in ("tpr", "tpr_lower", "tpr_upper", "fpr", "fpr_lower", "fpr_upper"):
        assert getattr(point, name) == getattr(band, name)[0]


@given(calibration=calibration_scores(), test=labelled_scores(), alpha=ALPHAS)
def test_the_auc_is_scikit_learns_and_its_range_is_what_a_double_loop_allows(
    calibration, test, alpha
):
    evaluation = by_kernel(*calibration, *test)
    auc, lower, upper = evaluation.ideal_auc_range(alpha)
    assert auc == pytest.approx(roc_auc_score(*test), abs=1e-12)
    assert auc == pytest.approx(oracles.auc(test[1].tolist(), test[0].tolist()), abs=1e-12)
    pairs = 2 * (test[0] == 1).sum() * (test[0] == 0).sum()
    for value, sides in ((lower, (0, 1)), (upper, (1, 0))):
        positives, negatives = (
            shifted(evaluation, alpha, 1, sides[0]),
            shifted(evaluation, alpha, 0, sides[1]),
        )
        least, most = oracles.auc_range(positives, negatives)
        assert least <= round(value * pairs) <= most
        assert value == pytest.approx(round(value * pairs) / pairs, abs=1e-12)


def test_infinities_of_the_same_sign_tie_in_the_auc_range():
    # label 1 occurs once: its upper quantile at alpha 1/2 is its only residual, -inf; label 0's
    # lower quantile is -inf as well
    evaluation = by_kernel([0, 1, 0], [0.3, 0.6, 0.5], [0, 1, 1], [0.2, 0.5, 0.9])
    band = evaluation.band(0.5)
    assert (band.quantiles[0][0], band.quantiles[1]) == (-INF, (-INF, -INF))
    assert evaluation.ideal_auc_range(0.5)[2] == 0.5
    assert evaluation.ideal_auc_range(0.5)[1] == 0.0


def test_the_auc_compares_logits_where_probabilities_would_all_be_one():
    scores = np.array([0.9, 0.99, 0.999, 0.9999])
    y = np.array([0, 1, 0, 1])
    calibration = np.resize([0, 1], 200), np.geomspace(1e-30, 1e-20, 200)
    evaluation = by_kernel(*calibration, y, scores)
    assert evaluation.ideal_auc_range(0.05)[0] == 0.75
    for value, sides in (
        (evaluation.ideal_auc_range(0.05)[1], (0, 1)),
        (evaluation.ideal_auc_range(0.05)[2], (1, 0)),
    ):
        counts = oracles.auc_range(
            shifted(evaluation, 0.05, 1, sides[0]), shifted(evaluation, 0.05, 0, sides[1])
        )
        assert counts == (round(8 * value), round(8 * value))


def test_a_display_of_many_points_reads_limits_at_ranks(monkeypatch):
    monkeypatch.setattr(at_alpha, "LIMIT_RANKS", 1_000)
    y, score = scored(np.random.default_rng(1), 20_000)
    y[:4_000] = 0
    made = by_kernel(*scored(np.random.default_rng(0), 200), y, score)
    band = made.band(0.1, made.sampled.screen_vertices.thresholds)
    exact = ((band.fpr_lower, band.tpr_lower), (band.fpr_upper, band.tpr_upper))
    for side, ends in zip(made.at(0.1).display_counts(), exact, strict=True):
        for k in (0, 1):
            shown = side[k] / made.n_test[k]
            assert np.abs(shown - ends[k]).max() <= 0.5 / 1_000 + 1e-12
            assert (np.diff(side[k]) >= 0).all()
            assert (side[k].min(), side[k].max()) == (0, made.n_test[k])
