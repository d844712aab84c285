"""Arrays of an evaluation: fewer vertices and ranks, the same numbers, and small messages."""

import json
from dataclasses import replace

import numpy as np
import pytest
from data import (
    by_kernel,
    counts_of,
    evaluation_from_scores,
    fit_explicit,
    floats_of,
    logistic_sample,
    thresholds_of,
)
from parts import with_quick
from scipy.special import logit

from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.wire import messages as wire
from conformal_roc_widget.wire.arrays import frozen_limits, short_thresholds
from conformal_roc_widget.wire.budget import (
    ALPHA_STOPS,
    FROZEN_STOPS,
    LAMBDAS,
    Budget,
    export_budget,
)
from conformal_roc_widget.wire.encoding import as_json

HALF_A_PIXEL = 0.0005


def large(n, decimals=None, seed=0):
    return evaluation_from_scores(seed, n_calibration=400, n_test=n, decimals=decimals)


def step_line(x, y):
    """Corners of the line that the page draws: first across, then up."""
    return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]


def farthest(from_line, to_line):
    """Largest distance from a corner of one step line to the other line, over all segments."""
    x, y = from_line
    a, b = to_line
    left, right = np.minimum(a[:-1], a[1:]), np.maximum(a[:-1], a[1:])
    low, high = np.minimum(b[:-1], b[1:]), np.maximum(b[:-1], b[1:])
    worst = 0.0
    for px, py in zip(x, y, strict=True):
        dx = np.maximum(0, np.maximum(left - px, px - right))
        dy = np.maximum(0, np.maximum(low - py, py - high))
        worst = max(worst, float(np.hypot(dx, dy).min()))
    return worst


def sampled(line):
    return tuple(values[:: max(1, values.size // 300)] for values in line)


@pytest.mark.parametrize("decimals", [None, 3])
def test_a_large_test_set_loses_less_than_half_a_pixel(decimals):
    evaluation = large(30_000, decimals)
    shown, every = evaluation.sampled.screen_vertices, evaluation.band(0.1)
    assert shown.thresholds.size <= 8_000
    assert (shown.thresholds[0], shown.thresholds[-1]) == (np.inf, every.thresholds[-1])
    low, high = evaluation.at(0.1).display_counts()
    n0, n1 = evaluation.n_test[0], evaluation.n_test[1]
    fpr, tpr = shown.fp / n0, shown.tp / n1
    edges = [
        ((fpr, tpr), (every.fpr, every.tpr)),
        ((fpr, low[1] / n1), (every.fpr, every.tpr_lower)),
        ((fpr, high[1] / n1), (every.fpr, every.tpr_upper)),
        ((low[0] / n0, tpr), (every.fpr_lower, every.tpr)),
        ((high[0] / n0, tpr), (every.fpr_upper, every.tpr)),
    ]
    for edge in edges:
        drawn, exact = (step_line(*vertices) for vertices in edge)
        assert farthest(sampled(exact), drawn) < HALF_A_PIXEL
        assert farthest(sampled(drawn), exact) < HALF_A_PIXEL


def test_the_limits_shown_are_those_of_the_band_at_the_same_thresholds():
    evaluation = large(30_000)
    shown = evaluation.sampled.screen_vertices
    band = evaluation.band(0.07, thresholds=shown.thresholds)
    low, high = evaluation.at(0.07).display_counts()
    np.testing.assert_array_equal(low[1] / evaluation.n_test[1], band.tpr_lower)
    np.testing.assert_array_equal(high[1] / evaluation.n_test[1], band.tpr_upper)
    np.testing.assert_array_equal(low[0] / evaluation.n_test[0], band.fpr_lower)
    np.testing.assert_array_equal(high[0] / evaluation.n_test[0], band.fpr_upper)


def test_the_area_shown_is_exact_while_the_ranks_suffice_and_close_beyond():
    small = large(2_000)
    assert small.at(0.1).display_auc() == small.ideal_auc_range(0.1)
    big = large(40_000)
    for shown, exact in zip(big.at(0.1).display_auc(), big.ideal_auc_range(0.1), strict=True):
        assert shown == pytest.approx(exact, abs=1 / 4096)


@pytest.mark.parametrize("rule", ["paper", "split"])
def test_long_arrays_are_thinned_and_their_order_statistics_stay_exact(rule):
    evaluation = evaluation_from_scores(5, n_calibration=700, n_test=600, quantile_rule=rule)
    budget = Budget(whole=200, ranks=100)
    (data,) = wire.data_message(Group.of(evaluation), budget)["entries"]
    assert not data["whole"]
    for k in (0, 1):
        residuals = evaluation.residuals[k]
        kept = floats_of(data["residuals"][k]["values"])
        assert (kept.size, data["residuals"][k]["n"]) == (100, residuals.size)
        share = np.searchsorted(residuals, kept, side="right") / residuals.size
        np.testing.assert_allclose(share, (np.arange(100) + 0.5) / 100, atol=1 / residuals.size)
        stops = floats_of(data["residuals"][k]["stops"]).reshape(-1, 2)
        for alpha, pair in zip(ALPHA_STOPS, stops.tolist(), strict=True):
            assert tuple(pair) == evaluation.band(alpha, thresholds=[]).quantiles[k]


def test_a_page_with_some_test_points_has_some_residuals_and_exact_order_statistics():
    few, many = 3_000, 40_000
    for n_test, sent in ((few, None), (many, 1_024)):
        evaluation = evaluation_from_scores(0, n_calibration=2 * few, n_test=n_test)
        (entry,) = wire.data_message(Group.of(evaluation), export_budget())["entries"]
        assert entry["whole"] is (n_test == few)
        for k in (0, 1):
            found, residuals = entry["residuals"][k], evaluation.residuals[k]
            assert found["n"] == residuals.size > 2_048
            assert floats_of(found["values"]).size == (sent or residuals.size)
            if sent is None:
                assert found["stops"] is None
                continue
            stops = floats_of(found["stops"]).reshape(-1, 2)
            for alpha, ends in zip(ALPHA_STOPS, stops, strict=True):
                assert tuple(ends) == evaluation.at(alpha).quantiles[k]


def test_logits_are_left_out_only_where_the_centres_give_them_to_the_bit():
    evaluation = evaluation_from_scores(3, decimals=2)
    (data,) = wire.data_message(Group.of(evaluation))["entries"]
    assert data["logits"] is None
    curve = evaluation._curve
    observed = replace(curve.observed, centres=curve.observed.centre_logits + 1e-15)
    moved = replace(evaluation, _curve=replace(curve, observed=observed))
    (other,) = wire.data_message(Group.of(moved))["entries"]
    np.testing.assert_array_equal(floats_of(other["logits"]), moved.sampled.screen_vertices.logits)


def fewest_digits(below, exact):
    """By hand: digits are removed from the end of the score while it stays above the next lower
    score.
    """
    found = exact
    for digits in range(53):
        scale = 2.0 ** (np.floor(np.log2(exact)) - 52 + digits)
        shorter = np.floor(exact / scale) * scale
        if shorter <= below:
            return found
        found = shorter
    return found


@pytest.mark.parametrize("decimals", with_quick([None, 4], [None]))
def test_a_page_of_many_points_has_short_thresholds_with_the_same_counts(decimals):
    evaluation = large(40_000, decimals)
    (page,) = wire.data_message(Group.of(evaluation), export_budget())["entries"]
    (live,) = wire.data_message(Group.of(evaluation))["entries"]
    assert page["simplified"]
    assert not page["whole"]
    assert page["logits"] is None
    sent, kept = thresholds_of(page), thresholds_of(live)
    exact = evaluation.sampled.screen_vertices.thresholds
    scores = np.sort(evaluation.scores)
    lowest = scores[0] / 2
    below = [
        max(max(scores[scores < each], default=lowest), each * (1 - 1e-4 * (1 - each)))
        for each in exact[1:]
    ]
    expected = [fewest_digits(*each) for each in zip(below, exact[1:], strict=True)]
    np.testing.assert_array_equal(sent, [np.inf, *expected])
    np.testing.assert_allclose(logit(sent[1:]), logit(exact[1:]), rtol=0, atol=1.01e-4)
    # A widget gets float32, except for the few values that are too close together.
    assert len(live["long"]) < 10
    np.testing.assert_allclose(kept[1:], exact[1:], rtol=2**-23, atol=0)
    for thresholds in (sent, kept):
        band = evaluation.band(0.1, thresholds)
        np.testing.assert_array_equal(counts_of(page["fp"]) / evaluation.n_test[0], band.fpr)
        np.testing.assert_array_equal(counts_of(page["tp"]) / evaluation.n_test[1], band.tpr)
    for name in ("centres", "residuals"):
        for short, long in zip(page[name], live[name], strict=True):
            numbers = floats_of(short["values"])
            if numbers.size < short["n"]:
                nearest = np.round(floats_of(long["values"]) * 2**13) / 2**13
                np.testing.assert_array_equal(numbers, nearest)


def test_ends_of_scores_alone_are_single_precision_where_a_page_has_some_points(rng):
    y = np.resize([0, 1], 300)
    evaluation = by_kernel(y, 1 / (1 + np.exp(1 - 2 * y - rng.normal(size=300))))
    some, all_of_them = (
        frozen_limits(evaluation, export_budget()._replace(whole=whole)) for whole in (100, 150)
    )
    for fewer, more in zip(some, all_of_them, strict=True):
        for side in ("lower", "upper"):
            assert fewer[side]["before"] == more[side]["before"]
            values = floats_of(more[side]["values"][0])
            assert not np.array_equal(values, values.astype(np.float32))
            assert np.array_equal(floats_of(fewer[side]["values"][0]), values.astype(np.float32))


def test_limits_that_take_long_show_a_bar_where_somebody_waits_for_them(rng, monkeypatch, capsys):
    y = np.resize([0, 1], 200)
    evaluation = by_kernel(y, 1 / (1 + np.exp(1 - 2 * y - rng.normal(size=200))))
    frozen_limits(evaluation, export_budget())
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("conformal_roc_widget.wire.arrays.WORTH_A_BAR", 200)
    frozen_limits(evaluation, export_budget()._replace(frozen=10**9))
    assert capsys.readouterr().err == ""
    frozen_limits(evaluation, export_budget())
    assert "Limits for the page: 100%" in capsys.readouterr().err


def test_a_threshold_of_zero_stays_zero():
    rng = np.random.default_rng(0)
    score = rng.random(40_000).round(6)
    score[:5] = 0.0
    y = (rng.random(score.size) < score).astype(int)
    evaluation = by_kernel(y[:400], score[:400], y, score)
    (page,) = wire.data_message(Group.of(evaluation), export_budget())["entries"]
    assert thresholds_of(page)[-1] == 0.0


def test_a_simplified_curve_has_exact_counts_at_the_thresholds_of_the_slider():
    evaluation = large(30_000)
    (data,) = wire.data_message(Group.of(evaluation))["entries"]
    assert data["simplified"]
    band = evaluation.band(0.1, LAMBDAS)
    np.testing.assert_array_equal(counts_of(data["grid"]["fp"]) / evaluation.n_test[0], band.fpr)
    np.testing.assert_array_equal(counts_of(data["grid"]["tp"]) / evaluation.n_test[1], band.tpr)


@pytest.mark.parametrize(("n", "decimals"), [(10_000, None), (1_000_000, None), (1_000_000, 3)])
def test_a_message_does_not_outgrow_its_kilobytes(n, decimals):
    group = Group.of(large(n, decimals))
    data = json.dumps(as_json(wire.data_message(group)))
    frame = json.dumps(as_json(wire.frame_message(group, 0.05, 0.5, "", 0)))
    assert len(frame) <= 40_000
    assert len(data) <= 130_000


def test_frames_that_would_take_too_much_room_are_left_out_of_the_live_widget(rng):
    parts = [logistic_sample(rng, n)[:2] for n in (80, 120, 600)]
    group = Group.of(fit_explicit(parts, neighbors=40).evaluate(*parts[2]))
    (live,) = wire.data_message(group)["entries"]
    (alone,) = wire.data_message(group, export_budget(0.123))["entries"]
    assert live["frozen"] is None
    assert [frozen["alpha"] for frozen in alone["frozen"]] == sorted([*FROZEN_STOPS, 0.123])


def test_thresholds_of_curves_alone_have_no_digit_too_many():
    """So the highest scores, which lie far apart, cannot be read from a page without scores."""
    evaluation = large(60_000)
    assert evaluation.sampled.simplified
    scores = np.unique(evaluation.scores)
    sent = short_thresholds(evaluation, 0.5)
    sent = sent[np.isfinite(sent) & (sent != 0.5)]
    assert not np.isin(sent, scores).any()
    # A number without its last binary digit that is 1 is the next shorter one.
    digits = sent.view(np.int64)
    shorter = (digits & (digits - 1)).view(np.float64)
    above = np.searchsorted(scores, sent)
    assert (above < scores.size).all()
    below = np.where(above > 0, scores[above - 1], scores[0] / 2)
    assert (below < sent).all()
    assert (shorter <= below).all()
