"""Budgets: messages that stay small, whatever the size of the test set."""

import json

import pytest
from data import evaluation_from_scores, fit_explicit, logistic_sample

from conformal_roc_widget.view.evaluation_group import Group
from conformal_roc_widget.wire import messages as wire
from conformal_roc_widget.wire.budget import FROZEN_STOPS, export_budget
from conformal_roc_widget.wire.encoding import as_json


def large(n, decimals=None, seed=0):
    return evaluation_from_scores(seed, n_calibration=400, n_test=n, decimals=decimals)


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
