"""What goes to a screen: fewer vertices, one message, the same numbers."""

import json

import numpy as np
import pytest
from data import evaluation_from_scores, fit_explicit, logistic_sample

from conformal_roc_widget import RocEvaluation, wire

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


def floats(data):
    return np.frombuffer(data, "<f8")


def counts(data, message):
    return np.frombuffer(data, f"<u{message['count_bytes']}").astype(int)


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
def test_a_message_does_not_outgrow_64_kilobytes(n, decimals):
    evaluation = large(n, decimals)
    data = wire.data_message(evaluation)
    frame = wire.frame_message(evaluation, 0.05, 0.5, "", 0)
    for message in (data, frame):
        binary = sum(len(value) for value in message.values() if isinstance(value, bytes))
        text = {key: value for key, value in message.items() if not isinstance(value, bytes)}
        size = binary + len(json.dumps(text))
        assert size <= 65_536


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.3])
def test_a_frame_carries_the_numbers_of_the_evaluation(alpha):
    evaluation = evaluation_from_scores(3)
    data = wire.data_message(evaluation)
    frame = wire.frame_message(evaluation, alpha, 0.4, "page", 7)
    band, point = evaluation.band(alpha), evaluation.operating_point(0.4, alpha)
    assert (frame["client"], frame["seq"]) == ("page", 7)
    assert (frame["alpha"], frame["threshold"]) == (alpha, 0.4)
    quantiles = floats(frame["quantiles"])
    assert quantiles.tolist() == [*band.quantiles[0], *band.quantiles[1]]
    assert frame["guaranteed"] == [band.guaranteed[0], band.guaranteed[1]]
    assert frame["vacuous"] == [band.vacuous[0], band.vacuous[1]]
    assert frame["auc"] == list(evaluation.auc(alpha)[1:])
    for key, value in frame["point"].items():
        assert value == getattr(point, key)
    m = band.thresholds.size
    np.testing.assert_array_equal(floats(data["thresholds"]), band.thresholds)
    np.testing.assert_array_equal(counts(data["fp"], data) / data["n_test"][0], band.fpr)
    np.testing.assert_array_equal(counts(data["tp"], data) / data["n_test"][1], band.tpr)
    rows = counts(frame["limits"], data).reshape(4, m)
    for row, k, name in zip(
        rows, (0, 0, 1, 1), ("fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"), strict=True
    ):
        np.testing.assert_array_equal(row / data["n_test"][k], getattr(band, name))
    for k in (0, 1):
        ordered = [-np.inf, *evaluation.residuals[k], np.inf]
        ranks = frame["ranks"][k]
        assert (ordered[ranks[0]], ordered[ranks[1]]) == band.quantiles[k]


def test_a_point_where_nothing_is_called_positive_has_no_precision():
    frame = wire.frame_message(evaluation_from_scores(3), 0.05, 1.0, "", 0)
    assert frame["point"]["precision"] is None
    assert frame["point"]["tp"] == frame["point"]["fp"] == 0


def test_a_frame_of_a_localized_band_has_no_pooled_quantiles(rng):
    parts = [logistic_sample(rng, n)[:2] for n in (80, 120, 60)]
    evaluation = fit_explicit(parts, neighbors=40).evaluate(*parts[2])
    frame = wire.frame_message(evaluation, 0.2, 0.5, "", 0)
    assert frame["quantiles"] is None
    assert frame["ranks"] is None
    assert frame["guaranteed"] == list(evaluation.band(0.2).guaranteed.values())
    for k, alpha in enumerate(wire.data_message(evaluation)["vacuous_below"]):
        below = evaluation.intervals(0.99 * alpha)
        above = evaluation.intervals(1.01 * alpha)
        own = evaluation.labels == k
        assert (below[0][own] == 0).all()
        assert (below[1][own] == 1).all()
        assert (above[1][own] < 1).any()


def test_the_page_is_told_from_which_alpha_a_label_has_limits():
    evaluation = RocEvaluation.from_predictions(
        [0] * 12 + [1] * 99, np.linspace(0.1, 0.9, 111), [0, 1, 1], [0.2, 0.6, 0.7]
    )
    assert wire.data_message(evaluation)["vacuous_below"] == [1 / 13, 1 / 100]


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
