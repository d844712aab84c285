"""The calibration band as a page gets it: its bounds at every score equal the evaluation's."""

import numpy as np
import pytest
from data import by_kernel, counts_of, evaluation_from_scores, floats_of, scored, thresholds_of

from conformal_roc_widget.reliability.calibration_band import band_of_runs
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.wire import messages as wire
from conformal_roc_widget.wire.budget import FROZEN_STOPS, export_budget
from conformal_roc_widget.wire.encoding import encoded, for_pixels
from conformal_roc_widget.wire.reliability import reliability

ALPHAS = (0.01, 0.2, 0.5)


def bounds_of(record, alpha, at):
    """Bounds at scores, by checking every step."""
    first, last = (floats_of(record[side]) for side in ("first", "last"))
    place = record["alphas"].index(alpha) * first.size
    rises, falls = (
        [
            (step - place, value)
            for step, value in zip(
                counts_of(record[side]["at"]),
                np.frombuffer(record[side]["values"], "<f4").tolist(),
                strict=True,
            )
            if place <= step < place + first.size
        ]
        for side in ("lower", "upper")
    )
    return np.array(
        [
            (
                max((value for place, value in rises if last[place] <= score), default=0.0),
                min((value for place, value in falls if first[place] >= score), default=1.0),
            )
            for score in at
        ]
    ).T


def sent_bounds(evaluation, alphas):
    return encoded({"bounds": reliability(evaluation, alphas)})["bounds"]


def drawn(bounds):
    """Rounded to the digits of a picture."""
    return np.asarray(bounds).astype(np.float32)


@pytest.mark.parametrize("decimals", [None, 2])
@pytest.mark.parametrize("n", [5, 90, 900])
def test_the_bounds_that_are_sent_are_those_of_the_evaluation(rng, n, decimals):
    evaluation = by_kernel(*scored(rng, 50), *scored(rng, n, decimals))
    record = sent_bounds(evaluation, ALPHAS)
    at = np.sort(np.concatenate([evaluation.scores, rng.random(100), [0.0, 1.0]]))
    assert record["alphas"] == list(ALPHAS)
    for alpha in ALPHAS:
        band = evaluation.reliability(alpha)
        np.testing.assert_array_equal(
            bounds_of(record, alpha, at), for_pixels(np.array(band.at(at)))
        )
    sent = floats_of(record["isotonic"])
    place = np.searchsorted(floats_of(record["first"]), band.score, side="right") - 1
    np.testing.assert_array_equal(sent[place], band.isotonic)


def test_only_scores_are_sent_where_something_steps(rng):
    evaluation = by_kernel(*scored(rng, 50), *scored(rng, 2_000))
    record = sent_bounds(evaluation, FROZEN_STOPS)
    assert len(floats_of(record["first"])) < 400


def test_of_a_long_table_the_bounds_are_those_of_a_few_groups(rng):
    evaluation = by_kernel(*scored(rng, 50), *scored(rng, 20_000))
    record = sent_bounds(evaluation, ALPHAS)
    first, last = floats_of(record["first"]), floats_of(record["last"])
    assert first.size <= 128
    assert (first[1:] > last[:-1]).all()
    at = rng.random(200)
    for alpha in ALPHAS:
        band = band_of_runs(evaluation._observed.score_groups.joined(128), alpha)
        np.testing.assert_array_equal(
            bounds_of(record, alpha, at), for_pixels(np.array(band.at(at)))
        )


def test_a_page_without_scores_gets_thresholds_in_their_place():
    evaluation = evaluation_from_scores(2, n_test=300)
    message, _ = wire.curves_messages(Group.of(evaluation), 0.07, 0.31)
    (data,) = message["entries"]
    sent, thresholds = data["reliability"], thresholds_of(data)
    assert set(floats_of(sent["first"])) <= set(thresholds)
    assert set(floats_of(sent["last"])) <= set(thresholds)
    assert not set(floats_of(sent["first"])) & set(evaluation.scores)
    assert sent["alphas"] == list(FROZEN_STOPS)


@pytest.mark.parametrize(
    "rows", [{"sample_weight_test": 1 + np.arange(40) % 3}, {"groups_test": np.arange(40) // 2}]
)
def test_rows_that_do_not_count_alike_have_none_in_any_message(rng, rows):
    evaluation = by_kernel(*scored(rng, 50), *scored(rng, 40), **rows)
    assert sent_bounds(evaluation, ALPHAS) is None
    group = Group.of(evaluation)
    (entry,) = wire.stops_message(group)["entries"]
    assert entry["reliability"] is None
    (frame,) = wire.frame_message(group, 0.137, 0.5, "", 0, "reliability")["entries"]
    assert frame["reliability"] is None


def test_a_file_has_it_with_its_data_and_a_widget_after_them():
    group = Group.of(evaluation_from_scores(1))
    (alone,) = wire.data_message(group, export_budget(0.123))["entries"]
    (live,) = wire.data_message(group)["entries"]
    (later,) = wire.stops_message(group)["entries"]
    assert live["reliability"] is None
    assert later["reliability"]["alphas"] == list(FROZEN_STOPS)
    assert 0.123 in alone["reliability"]["alphas"]


def test_a_frame_has_the_bounds_at_its_own_alpha_in_the_view_of_them_alone():
    evaluation = evaluation_from_scores(1)
    group = Group.of(evaluation)
    (plain,) = wire.frame_message(group, 0.137, 0.5, "", 0)["entries"]
    assert "reliability" not in plain
    (frame,) = wire.frame_message(group, 0.137, 0.5, "", 0, "reliability")["entries"]
    assert frame["reliability"]["alphas"] == [0.137]
    at = np.linspace(0, 1, 50)
    np.testing.assert_array_equal(
        bounds_of(frame["reliability"], 0.137, at), drawn(evaluation.reliability(0.137).at(at))
    )
    (moved,) = wire.frame_message(group, 0.137, 0.6, "", 0, "reliability")["entries"]
    assert moved["reliability"] is frame["reliability"], "another threshold computes nothing anew"
