"""What goes to a screen: fewer vertices, one message, the same numbers."""

import json
from dataclasses import replace

import numpy as np
import pytest
from data import counts_of, evaluation_from_scores, fit_explicit, floats_of, logistic_sample
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.view.evaluation_group import Group
from conformal_roc_widget.wire import messages as wire

HALF_A_PIXEL = 0.0005


def large(n, decimals=None, seed=0):
    return evaluation_from_scores(seed, n_calibration=400, n_test=n, decimals=decimals)


def step_line(x, y):
    """Corners of the line that the page draws: first across, then up."""
    return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]


def farthest(from_line, to_line):
    """Largest distance of a corner of one step line to the other line, by trying every segment."""
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
    return tuple(values[:: max(1, values.size // 1000)] for values in line)


def test_a_small_test_set_is_shown_whole():
    evaluation = large(300)
    shown, every = evaluation.display_vertices, evaluation.band()
    np.testing.assert_array_equal(shown.thresholds, every.thresholds)
    np.testing.assert_array_equal(shown.tp / evaluation.n_test[1], every.tpr)


@pytest.mark.parametrize("decimals", [None, 3])
def test_a_large_test_set_loses_less_than_half_a_pixel(decimals):
    evaluation = large(30_000, decimals)
    shown, every = evaluation.display_vertices, evaluation.band(0.1)
    assert shown.thresholds.size <= 8_000
    assert (shown.thresholds[0], shown.thresholds[-1]) == (np.inf, every.thresholds[-1])
    low, high = evaluation.display_counts(0.1)
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
    shown = evaluation.display_vertices
    band = evaluation.band(0.07, thresholds=shown.thresholds)
    low, high = evaluation.display_counts(0.07)
    np.testing.assert_array_equal(low[1] / evaluation.n_test[1], band.tpr_lower)
    np.testing.assert_array_equal(high[1] / evaluation.n_test[1], band.tpr_upper)
    np.testing.assert_array_equal(low[0] / evaluation.n_test[0], band.fpr_lower)
    np.testing.assert_array_equal(high[0] / evaluation.n_test[0], band.fpr_upper)


def test_the_area_shown_is_exact_while_the_ranks_suffice_and_close_beyond():
    small = large(2_000)
    assert small.display_auc(0.1) == small.auc(0.1)
    big = large(40_000)
    for shown, exact in zip(big.display_auc(0.1), big.auc(0.1), strict=True):
        assert shown == pytest.approx(exact, abs=1 / 4096)


@pytest.mark.parametrize(("n", "decimals"), [(10_000, None), (1_000_000, None), (1_000_000, 3)])
def test_a_message_does_not_outgrow_its_kilobytes(n, decimals):
    group = Group.of(large(n, decimals))
    data = json.dumps(wire.as_json(wire.data_message(group)))
    frame = json.dumps(wire.as_json(wire.frame_message(group, 0.05, 0.5, "", 0)))
    assert len(frame) <= 40_000
    assert len(data) <= 130_000


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.3])
def test_a_frame_carries_the_numbers_of_the_evaluation(alpha):
    evaluation = evaluation_from_scores(3)
    group = Group.of(evaluation)
    (data,) = wire.data_message(group)["entries"]
    message = wire.frame_message(group, alpha, 0.4, "page", 7)
    (frame,) = message["entries"]
    band, point = evaluation.band(alpha), evaluation.operating_point(0.4, alpha)
    assert (message["client"], message["seq"]) == ("page", 7)
    assert (message["alpha"], message["threshold"]) == (alpha, 0.4)
    assert floats_of(frame["quantiles"]).tolist() == [*band.quantiles[0], *band.quantiles[1]]
    assert frame["guaranteed"] == [band.guaranteed[0], band.guaranteed[1]]
    assert frame["vacuous"] == [band.vacuous[0], band.vacuous[1]]
    assert frame["auc"] == list(evaluation.auc(alpha)[1:])
    assert frame["local"] is None
    for key, value in frame["point"].items():
        assert value == getattr(point, key)
    np.testing.assert_array_equal(floats_of(data["thresholds"]), band.thresholds)
    np.testing.assert_array_equal(counts_of(data["fp"]) / data["n_test"][0], band.fpr)
    np.testing.assert_array_equal(counts_of(data["tp"]) / data["n_test"][1], band.tpr)
    for limits, k, name in zip(
        frame["limits"],
        (0, 0, 1, 1),
        ("fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"),
        strict=True,
    ):
        np.testing.assert_array_equal(counts_of(limits) / data["n_test"][k], getattr(band, name))
    for k in (0, 1):
        ordered = [-np.inf, *evaluation.residuals[k], np.inf]
        ranks = frame["ranks"][k]
        assert (ordered[ranks[0]], ordered[ranks[1]]) == band.quantiles[k]
        np.testing.assert_array_equal(
            floats_of(data["residuals"][k]["values"]), evaluation.residuals[k]
        )
        assert data["residuals"][k]["stops"] is None


@given(st.lists(st.integers(0, 1 << 30), max_size=40))
def test_counts_of_any_size_come_back(steps):
    counts = np.cumsum(steps, dtype=np.intp)
    np.testing.assert_array_equal(counts_of(wire._varints(counts)), counts)


def test_counts_that_fall_are_no_counts():
    with pytest.raises(ValueError, match="ascending"):
        wire._varints(np.array([3, 2]))


def test_a_point_where_nothing_is_called_positive_has_no_precision():
    group = Group.of(evaluation_from_scores(3))
    (frame,) = wire.frame_message(group, 0.05, 1.0, "", 0)["entries"]
    assert frame["point"]["precision"] is None
    assert frame["point"]["tp"] == frame["point"]["fp"] == 0


def test_long_arrays_are_thinned_and_their_order_statistics_stay_exact():
    evaluation = evaluation_from_scores(5, n_calibration=700, n_test=600)
    budget = wire.Budget(whole=200, ranks=100)
    (data,) = wire.data_message(Group.of(evaluation), budget)["entries"]
    assert not data["whole"]
    for k in (0, 1):
        residuals = evaluation.residuals[k]
        kept = floats_of(data["residuals"][k]["values"])
        assert (kept.size, data["residuals"][k]["n"]) == (100, residuals.size)
        share = np.searchsorted(residuals, kept, side="right") / residuals.size
        np.testing.assert_allclose(share, (np.arange(100) + 0.5) / 100, atol=1 / residuals.size)
        stops = floats_of(data["residuals"][k]["stops"]).reshape(-1, 2)
        for alpha, pair in zip(wire.ALPHA_STOPS, stops.tolist(), strict=True):
            assert tuple(pair) == evaluation.band(alpha, thresholds=[]).quantiles[k]


def test_logits_are_left_out_only_where_the_centres_give_them_to_the_bit():
    evaluation = evaluation_from_scores(3, decimals=2)
    (data,) = wire.data_message(Group.of(evaluation))["entries"]
    assert data["logits"] is None
    moved = replace(evaluation, _centres=evaluation._centre_logits + 1e-15)
    (other,) = wire.data_message(Group.of(moved))["entries"]
    np.testing.assert_array_equal(floats_of(other["logits"]), moved.display_vertices.logits)


def test_a_simplified_curve_has_exact_counts_at_the_thresholds_of_the_slider():
    evaluation = large(30_000)
    (data,) = wire.data_message(Group.of(evaluation))["entries"]
    assert data["simplified"]
    band = evaluation.band(0.1, wire.LAMBDAS)
    np.testing.assert_array_equal(counts_of(data["grid"]["fp"]) / evaluation.n_test[0], band.fpr)
    np.testing.assert_array_equal(counts_of(data["grid"]["tp"]) / evaluation.n_test[1], band.tpr)


def test_a_localized_band_has_no_pooled_quantiles_and_brings_frames(rng):
    parts = [logistic_sample(rng, n)[:2] for n in (80, 120, 60)]
    evaluation = fit_explicit(parts, neighbors=40).evaluate(*parts[2])
    group = Group.of(evaluation)
    (frame,) = wire.frame_message(group, 0.2, 0.5, "", 0)["entries"]
    assert frame["quantiles"] is None
    assert frame["ranks"] is None
    assert frame["guaranteed"] == list(evaluation.band(0.2).guaranteed.values())
    (data,) = wire.data_message(group)["entries"]
    assert data["centres"] is None
    (at,) = [frozen for frozen in data["frozen"] if frozen["alpha"] == 0.2]
    lower, upper = evaluation.intervals(0.2)
    for k in (0, 1):
        own = evaluation.labels == k
        for ends, sent in ((lower, at["lower"]), (upper, at["upper"])):
            np.testing.assert_allclose(
                np.sort(ends[own]), expit(floats_of(sent[k])), rtol=1e-12, atol=0
            )
        free = ((lower == 0) & (upper == 1))[own].mean()
        assert frame["local"]["vacuous_share"][k] == free
    for k, alpha in enumerate(data["vacuous_below"]):
        below, above = evaluation.intervals(0.99 * alpha), evaluation.intervals(1.01 * alpha)
        own = evaluation.labels == k
        assert (below[0][own] == 0).all()
        assert (below[1][own] == 1).all()
        assert (above[1][own] < 1).any()


def test_frames_that_would_take_too_much_room_are_left_out_of_the_live_widget(rng):
    parts = [logistic_sample(rng, n)[:2] for n in (80, 120, 600)]
    group = Group.of(fit_explicit(parts, neighbors=40).evaluate(*parts[2]))
    (live,) = wire.data_message(group)["entries"]
    (alone,) = wire.data_message(group, wire.export(0.123))["entries"]
    assert live["frozen"] is None
    assert [frozen["alpha"] for frozen in alone["frozen"]] == sorted([*wire.FROZEN_STOPS, 0.123])


def test_curves_alone_hold_no_score_no_logit_and_no_residual():
    evaluation = large(2_000)
    message, frame = wire.curves_messages(Group.of(evaluation), 0.07, 0.31)
    (data,) = message["entries"]
    thresholds = floats_of(data["thresholds"])
    assert 0.31 in thresholds
    assert not set(thresholds) & set(evaluation.scores)
    assert data["logits"] is data["centres"] is data["frozen"] is None
    assert all(len(part["values"]) == 0 for part in (*data["scores"], *data["residuals"]))
    (at,) = [curve for curve in data["curves"] if curve["alpha"] == 0.07]
    assert at["frame"]["quantiles"] is None
    assert frame["entries"][0]["limits"] == at["limits"]
    band = evaluation.band(0.07, thresholds)
    np.testing.assert_array_equal(counts_of(at["limits"][3]) / data["n_test"][1], band.tpr_upper)
    np.testing.assert_array_equal(counts_of(data["tp"]) / data["n_test"][1], band.tpr)
    every = evaluation.display_vertices
    assert set(zip(every.fp, every.tp, strict=True)) <= set(
        zip(counts_of(data["fp"]), counts_of(data["tp"]), strict=True)
    )


def test_the_page_is_told_from_which_alpha_a_label_has_limits():
    evaluation = RocEvaluation.from_predictions(
        [0] * 12 + [1] * 99, np.linspace(0.1, 0.9, 111), [0, 1, 1], [0.2, 0.6, 0.7]
    )
    (data,) = wire.data_message(Group.of(evaluation))["entries"]
    assert data["vacuous_below"] == [1 / 13, 1 / 100]
    assert data["first_alpha"] == ["0.077", "0.01"]


@pytest.mark.parametrize(
    "content",
    [
        None,
        "state",
        {},
        {"type": "anywidget-command"},
        {"type": "state", "client": 1, "seq": 1, "alpha": 0.1, "threshold": 0.1},
        {"type": "state", "client": "a", "seq": "1", "alpha": 0.1, "threshold": 0.1},
    ],
)
def test_a_message_that_is_no_request_is_passed_over(content):
    assert wire.state_request(content) is None
