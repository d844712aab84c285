"""Messages: a frame has the evaluation's numbers, and a request is read or ignored."""

import json

import numpy as np
import pytest
from data import (
    by_kernel,
    counts_of,
    evaluation_from_scores,
    fit_explicit,
    floats_of,
    logistic_sample,
    scored,
    thresholds_of,
)
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import expit

from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.wire import messages as wire
from conformal_roc_widget.wire.budget import FROZEN_STOPS
from conformal_roc_widget.wire.encoding import encoded, varints
from conformal_roc_widget.wire.statements import findings, shares_without_limits, statement


def large(n, decimals=None, seed=0):
    return evaluation_from_scores(seed, n_calibration=400, n_test=n, decimals=decimals)


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
    assert frame["auc"] == list(evaluation.ideal_auc_range(alpha)[1:])
    assert frame["local"] is None
    for key, value in frame["point"].items():
        assert value == getattr(point, key)
    np.testing.assert_array_equal(thresholds_of(data), band.thresholds)
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
    (later,) = wire.stops_message(group)["entries"]
    assert set(later) == {"reliability", "precision", "losses"}
    (at,) = [frozen for frozen in data["frozen"] if frozen["alpha"] == 0.2]
    lower, upper = evaluation.intervals(0.2)
    for k in (0, 1):
        own = evaluation.labels == k
        for ends, sent in ((lower, at["lower"]), (upper, at["upper"])):
            np.testing.assert_allclose(
                np.sort(ends[own]), expit(floats_of(sent["values"][k])), rtol=1e-12, atol=0
            )
        free = ((lower == 0) & (upper == 1))[own].mean()
        assert frame["local"]["vacuous_share"][k] == free
    for k, alpha in enumerate(data["vacuous_below"]):
        below, above = evaluation.intervals(0.99 * alpha), evaluation.intervals(1.01 * alpha)
        own = evaluation.labels == k
        assert (below[0][own] == 0).all()
        assert (below[1][own] == 1).all()
        assert (above[1][own] < 1).any()


@pytest.mark.parametrize("decimals", [None, 1])
def test_simultaneous_limits_follow_each_value_once_for_both_labels(rng, decimals):
    calibration, test = scored(rng, 300, decimals), scored(rng, 90, decimals)
    evaluation = by_kernel(*calibration, *test, guarantee="simultaneous")
    group = Group.of(evaluation)
    (data,) = wire.data_message(group)["entries"]
    assert data["frozen"] is None
    (later,) = wire.stops_message(group)["entries"]
    assert [at["alpha"] for at in later["frozen"]] == list(FROZEN_STOPS)
    for at in later["frozen"]:
        for side, ends in zip(("lower", "upper"), evaluation.intervals(at["alpha"]), strict=True):
            (values,) = (expit(floats_of(each)) for each in at[side]["values"])
            assert (np.diff(values) > 0).all()
            for k, before in enumerate(at[side]["before"]):
                sent = values.repeat(np.diff(counts_of(before)))
                own = np.sort(ends[evaluation.labels == k])
                np.testing.assert_allclose(sent, own, rtol=1e-12, atol=0)


def test_curves_alone_hold_no_score_no_logit_and_no_residual():
    evaluation = large(2_000)
    message, frame = wire.curves_messages(Group.of(evaluation), 0.07, 0.31)
    (data,) = message["entries"]
    thresholds = thresholds_of(data)
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
    every = evaluation.sampled.screen_vertices
    assert set(zip(every.fp, every.tp, strict=True)) <= set(
        zip(counts_of(data["fp"]), counts_of(data["tp"]), strict=True)
    )


def test_the_page_is_told_from_which_alpha_a_label_has_limits():
    evaluation = by_kernel(
        [0] * 12 + [1] * 99, np.linspace(0.1, 0.9, 111), [0, 1, 1], [0.2, 0.6, 0.7]
    )
    (data,) = wire.data_message(Group.of(evaluation))["entries"]
    assert data["vacuous_below"] == [1 / 13, 1 / 100]


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


def test_a_point_where_nothing_is_called_positive_has_no_precision():
    group = Group.of(evaluation_from_scores(3))
    (frame,) = wire.frame_message(group, 0.05, 1.0, "", 0)["entries"]
    assert frame["point"]["precision"] is None
    assert frame["point"]["tp"] == frame["point"]["fp"] == 0


def test_findings_leave_out_notes_where_there_are_none_and_statements_have_the_words():
    evaluation = evaluation_from_scores(3)
    at = evaluation.at(0.1)
    numbers = findings(at)
    assert encoded(statement(at)) == encoded(numbers) | {"kind": "individual"}
    assert numbers.get("notes", []) == list(at.notes)
    assert numbers["local"] is None
    assert numbers["ranks"] == [list(at.ranks[0]), list(at.ranks[1])]


@pytest.mark.parametrize("alpha", [0.01, 0.06, 0.2])
def test_shares_without_limits_are_counts_of_open_intervals(rng, alpha):
    parts = [logistic_sample(rng, n)[:2] for n in (80, 120, 60)]
    evaluation = fit_explicit(parts, neighbors=40).evaluate(*parts[2])
    lower, upper = evaluation.intervals(alpha)
    sent = shares_without_limits(evaluation.at(alpha))
    missing = 0
    for k in (0, 1):
        mine = evaluation.labels == k
        vacuous = [low == 0 and up == 1 for low, up in zip(lower[mine], upper[mine], strict=True)]
        assert sent["vacuous_share"][k] == sum(vacuous) / len(vacuous)
        missing |= int((lower[mine] == 0).all()) << (2 * k)
        missing |= int((upper[mine] == 1).all()) << (2 * k + 1)
    assert sent.get("missing", 0) == missing
    # A statement is JSON, except for the bytes of the quantiles.
    assert json.loads(json.dumps(findings(evaluation.at(alpha))))["local"] == sent


@example([127])
@example([128])  # the smallest number with two bytes
@example([1 << 14, 128, 0])
@given(st.lists(st.integers(0, 1 << 30), max_size=40))
def test_counts_of_any_size_come_back(steps):
    counts = np.cumsum(steps, dtype=np.intp)
    np.testing.assert_array_equal(counts_of(varints(counts)), counts)


def test_counts_that_fall_are_no_counts():
    with pytest.raises(ValueError, match="ascending"):
        varints(np.array([3, 2]))
