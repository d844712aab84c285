"""Statements of a frame: numbers without words, as JSON can carry them."""

import json

import pytest
from data import evaluation_from_scores, fit_explicit, logistic_sample

from conformal_roc_widget.view.evaluation_group import Group
from conformal_roc_widget.wire import messages as wire
from conformal_roc_widget.wire.statements import findings, shares_without_limits, statement


def test_a_point_where_nothing_is_called_positive_has_no_precision():
    group = Group.of(evaluation_from_scores(3))
    (frame,) = wire.frame_message(group, 0.05, 1.0, "", 0)["entries"]
    assert frame["point"]["precision"] is None
    assert frame["point"]["tp"] == frame["point"]["fp"] == 0


def test_findings_leave_out_notes_where_there_are_none_and_statements_have_the_words():
    evaluation = evaluation_from_scores(3)
    at = evaluation.at(0.1)
    numbers = findings(at.findings)
    assert statement(at.findings) == numbers | at.promise.record
    assert at.promise.record["kind"] == "individual"
    assert numbers.get("notes", []) == list(at.notes)
    assert numbers["local"] is None
    assert numbers["ranks"] == [list(at.ranks[0]), list(at.ranks[1])]


@pytest.mark.parametrize("alpha", [0.01, 0.06, 0.2])
def test_shares_without_limits_are_counts_of_open_intervals(rng, alpha):
    parts = [logistic_sample(rng, n)[:2] for n in (80, 120, 60)]
    evaluation = fit_explicit(parts, neighbors=40).evaluate(*parts[2])
    lower, upper = evaluation.intervals(alpha)
    sent = shares_without_limits(evaluation.at(alpha).findings)
    missing = 0
    for k in (0, 1):
        mine = evaluation.labels == k
        vacuous = [low == 0 and up == 1 for low, up in zip(lower[mine], upper[mine], strict=True)]
        assert sent["vacuous_share"][k] == sum(vacuous) / len(vacuous)
        missing |= int((lower[mine] == 0).all()) << (2 * k)
        missing |= int((upper[mine] == 1).all()) << (2 * k + 1)
    assert sent.get("missing", 0) == missing
    # A statement travels as JSON but for the bytes of the quantiles.
    assert json.loads(json.dumps(findings(evaluation.at(alpha).findings)))["local"] == sent
