"""Random tests of evaluations: for finite numbers of every size, limits are ordered and nested."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from invariants import RATES, check_band
from strategies import (
    ALPHAS,
    CLASSES,
    FEWER,
    FINITE,
    RULES,
    THRESHOLDS,
    calibration_rows,
    evaluations,
    held,
    scored_rows,
)

from conformal_roc_widget import RocEvaluation, conformal_quantiles, guaranteed_coverage
from conformal_roc_widget.logits import logit_of

RESIDUALS = st.lists(st.one_of(FINITE, st.sampled_from([math.inf, -math.inf])), max_size=60)


@given(values=RESIDUALS, alphas=st.tuples(ALPHAS, ALPHAS), rule=RULES, data=st.data())
def test_quantiles_are_residuals_or_infinite_ordered_nested_and_blind_to_the_order(
    values, alphas, rule, data
):
    small, large = sorted(alphas)
    values = np.array(values, dtype=float)
    outer, inner = (conformal_quantiles(values, alpha, rule) for alpha in (small, large))
    assert outer[0] <= inner[0] <= inner[1] <= outer[1]
    assert set(inner) <= {*values.tolist(), -math.inf, math.inf}
    assert guaranteed_coverage(values.size, large, rule) >= 1 - large
    shuffled = values[data.draw(st.permutations(range(values.size)))] if values.size else values
    assert conformal_quantiles(data.draw(held(shuffled)), large, rule) == inner


@given(evaluation=evaluations(), alpha=ALPHAS, thresholds=st.lists(THRESHOLDS, max_size=20))
def test_limits_are_rates_in_order_and_monotone_at_every_threshold(evaluation, alpha, thresholds):
    check_band(evaluation.band(alpha))
    check_band(evaluation.band(alpha, thresholds=np.array(thresholds, dtype=float)))


@given(evaluation=evaluations(), alphas=st.tuples(ALPHAS, ALPHAS), threshold=THRESHOLDS)
def test_all_answers_are_nested_in_alpha(evaluation, alphas, threshold):
    small, large = sorted(alphas)

    def within(outer, inner):
        for name in ("fpr", "tpr"):
            assert np.all(getattr(outer, f"{name}_lower") <= getattr(inner, f"{name}_lower"))
            assert np.all(getattr(outer, f"{name}_upper") >= getattr(inner, f"{name}_upper"))

    within(evaluation.band(small), evaluation.band(large))
    within(
        evaluation.operating_point(threshold, small), evaluation.operating_point(threshold, large)
    )
    for outer, inner in (
        (evaluation.ideal_auc_range(small)[1:], evaluation.ideal_auc_range(large)[1:]),
        (evaluation.youden(small)[1:3], evaluation.youden(large)[1:3]),
    ):
        assert 0 <= outer[0] <= inner[0] <= inner[1] <= outer[1] <= 1
    (outer_low, outer_high), (low, high) = (evaluation.intervals(a) for a in (small, large))
    assert (outer_low >= 0).all()
    assert (outer_low <= low).all()
    assert (low <= high).all()
    assert (high <= outer_high).all()
    assert (outer_high <= 1).all()


@pytest.mark.thorough
@given(evaluation=evaluations(), alpha=ALPHAS, thresholds=st.lists(THRESHOLDS, max_size=8))
def test_the_observed_curve_is_inside_where_the_quantiles_lie_on_both_sides_of_zero(
    evaluation, alpha, thresholds
):
    given = np.concatenate([thresholds, evaluation.scores])
    for band in (evaluation.band(alpha), evaluation.band(alpha, thresholds=given)):
        below_one = band.thresholds < 1
        for k, name in ((0, "fpr"), (1, "tpr")):
            low, high = band.quantiles[k]
            own = logit_of(evaluation.scores[evaluation.labels == k])
            # If a shift is lost to rounding, a score equal to a threshold does not rise above it.
            if low < 0 < high and (own + high > own).all():
                rates = getattr(band, name)[below_one]
                assert (getattr(band, f"{name}_lower")[below_one] <= rates).all()
                assert (rates <= getattr(band, f"{name}_upper")[below_one]).all()


@FEWER
@given(calibration=calibration_rows(), test=scored_rows(), alpha=ALPHAS, data=st.data())
def test_neither_the_order_nor_the_containers_nor_the_names_of_the_classes_matter(
    calibration, test, alpha, data
):
    plain = RocEvaluation.from_predictions(*calibration, *test)
    classes = data.draw(CLASSES)
    order = np.array(data.draw(st.permutations(range(test[0].size))))
    parts = [classes[calibration[0]], calibration[1], classes[test[0]][order], test[1][order]]
    given = [data.draw(held(part)) for part in parts]
    other = RocEvaluation.from_predictions(*given)
    assert other.classes == tuple(classes.tolist())
    one, two = plain.band(alpha), other.band(alpha)
    for name in (*RATES, "thresholds"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    assert plain.ideal_auc_range(alpha) == other.ideal_auc_range(alpha)
    assert plain.youden(alpha) == other.youden(alpha)
    for a, b in zip(plain.intervals(alpha), other.intervals(alpha), strict=True):
        np.testing.assert_array_equal(a[order], b)
    called = plain.notes
    if other.classes != (0, 1):
        called = tuple(note.of_classes(other.classes) for note in called)
    assert called == other.notes
    for part, mine in zip(given, parts, strict=True):
        np.testing.assert_array_equal(np.asarray(part), mine, "what was given has changed")


@pytest.mark.thorough
@FEWER
@given(calibration=calibration_rows(max_size=20), test=scored_rows(), data=st.data())
def test_float32_scores_are_the_float64_numbers_that_they_are(calibration, test, data):
    narrow = [np.asarray(score, dtype=np.float32) for score in (calibration[1], test[1])]
    assume(np.unique(narrow[0][(narrow[0] > 0) & (narrow[0] < 1)]).size > 1)
    one = RocEvaluation.from_predictions(calibration[0], narrow[0], test[0], narrow[1])
    wide = [score.astype(float) for score in narrow]
    other = RocEvaluation.from_predictions(calibration[0], wide[0], test[0], wide[1])
    for name in (*RATES, "thresholds"):
        np.testing.assert_array_equal(getattr(one.band(), name), getattr(other.band(), name))


@pytest.mark.thorough
@given(evaluation=evaluations(), alpha=ALPHAS)
def test_displayed_limits_are_those_of_the_evaluation(evaluation, alpha):
    assert evaluation.at(alpha).display_auc() == evaluation.ideal_auc_range(alpha)
    low, high = evaluation.at(alpha).display_counts()
    at = evaluation.sampled.screen_vertices
    band = evaluation.band(alpha)
    kept = np.isin(band.thresholds, at.thresholds)
    for k, name in ((0, "fpr"), (1, "tpr")):
        n = evaluation.n_test[k]
        np.testing.assert_array_equal(low[k] / n, getattr(band, f"{name}_lower")[kept])
        np.testing.assert_array_equal(high[k] / n, getattr(band, f"{name}_upper")[kept])
    support = evaluation.support
    assert 0 <= support.share <= 1
    assert (support.effective_n >= 0).all()
    assert all(isinstance(note, str) for note in evaluation.notes)
    assert set(band.vacuous) == {0, 1}
    assert band.to_frame().shape[0] == band.thresholds.size
