"""The widget's Python side, with the front end's messages handed to it directly."""

import json
import threading
import time

import numpy as np
import pytest
import traitlets
from data import assert_same_curves, evaluation_from_scores, scored
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ROCWidget


@pytest.fixture
def evaluation():
    return evaluation_from_scores(1)


@pytest.fixture
def widget(evaluation):
    return ROCWidget(evaluation)


def ask(widget, seq=1, client="page", **state):
    """Hand the widget a message, as its comm would."""
    content = {"type": "state", "client": client, "seq": seq} | state
    widget._handle_custom_msg(json.loads(json.dumps(content)), [])


def test_it_starts_with_a_frame_that_python_asked_for(widget):
    frame = widget._frame
    assert (frame["client"], frame["seq"]) == ("", 0)
    assert (frame["alpha"], frame["threshold"]) == (0.05, 0.5)


def test_the_current_band_and_point_are_those_of_the_evaluation(widget, evaluation):
    widget.alpha, widget.threshold = 0.2, 0.7
    assert_same_curves(widget.current_band, evaluation.band(0.2))
    assert widget.operating_point == evaluation.operating_point(0.7, 0.2)
    assert widget.evaluation is evaluation
    assert widget.to_frame().equals(evaluation.band(0.2).to_frame())


def test_setting_a_trait_makes_one_new_frame(widget):
    frames = []
    widget.observe(lambda change: frames.append(change["new"]), "_frame")
    widget.alpha = 0.1
    assert [frame["alpha"] for frame in frames] == [0.1]
    widget.band = "both"
    assert len(frames) == 1, "the frame holds both bands already"


def test_a_request_of_the_page_sets_both_traits_and_is_answered_by_one_frame(widget):
    frames, changes = [], []
    widget.observe(lambda change: frames.append(change["new"]), "_frame")
    widget.observe(lambda change: changes.append((change["name"], change["new"])), "alpha")
    ask(widget, seq=4, alpha=0.1, threshold=0.25)
    assert (widget.alpha, widget.threshold) == (0.1, 0.25)
    assert [(f["client"], f["seq"], f["alpha"], f["threshold"]) for f in frames] == [
        ("page", 4, 0.1, 0.25)
    ]
    assert changes == [("alpha", 0.1)]


def test_a_request_that_changes_nothing_is_answered_all_the_same(widget):
    ask(widget, seq=9, alpha=0.05, threshold=0.5)
    assert (widget._frame["client"], widget._frame["seq"]) == ("page", 9)
    widget.alpha = 0.2
    assert (widget._frame["client"], widget._frame["seq"]) == ("", 0)


@pytest.mark.parametrize(
    "state",
    [
        {"alpha": 0.9, "threshold": 0.5},
        {"alpha": 0.2, "threshold": 1.5},
        {"alpha": "0.1", "threshold": 0.5},
        {"alpha": None, "threshold": 0.5},
        {"threshold": 0.5},
        {"alpha": float("nan"), "threshold": 0.5},
    ],
)
def test_a_request_that_cannot_be_met_is_answered_with_the_reason_and_changes_nothing(
    widget, monkeypatch, state
):
    sent = []
    monkeypatch.setattr(widget, "send", lambda content, buffers=None: sent.append(content))
    before = widget._frame
    ask(widget, seq=2, **state)
    assert [(m["type"], m["client"], m["seq"]) for m in sent] == [("error", "page", 2)]
    assert "alpha" in sent[0]["message"] or "threshold" in sent[0]["message"]
    assert (widget.alpha, widget.threshold) == (0.05, 0.5)
    assert widget._frame is before
    ask(widget, seq=3, alpha=0.3, threshold=0.1)
    assert (widget._frame["seq"], widget._frame["alpha"]) == (3, 0.3), "the next one recovers"


def test_a_failure_of_the_kernel_reaches_the_page_and_the_next_request_recovers(
    widget, monkeypatch
):
    sent = []
    monkeypatch.setattr(widget, "send", lambda content, buffers=None: sent.append(content))
    with monkeypatch.context() as broken:
        broken.setattr("conformal_roc_widget.wire.frame_message", lambda *_: 1 / 0)
        ask(widget, seq=1, alpha=0.1, threshold=0.5)
    assert [m["message"] for m in sent] == ["division by zero"]
    ask(widget, seq=2, alpha=0.1, threshold=0.5)
    assert (widget._frame["seq"], widget._frame["alpha"]) == (2, 0.1)


@pytest.mark.parametrize(
    ("trait", "value"),
    [
        ("alpha", 0.0),
        ("alpha", 0.51),
        ("alpha", "0.1"),
        ("alpha", float("nan")),
        ("threshold", -0.1),
        ("threshold", 1.1),
        ("threshold", float("nan")),
        ("band", "diagonal"),
    ],
)
def test_a_trait_refuses_what_it_cannot_be_and_stays(widget, trait, value):
    before = getattr(widget, trait)
    with pytest.raises(traitlets.TraitError, match=trait):
        setattr(widget, trait, value)
    assert getattr(widget, trait) == before


def test_what_is_not_an_evaluation_is_refused_by_name(rng):
    with pytest.raises(TypeError, match=r"evaluation: found list.*RocEvaluation"):
        ROCWidget([0.1, 0.9])


def test_an_unknown_keyword_is_a_type_error(evaluation):
    with pytest.raises(TypeError, match="alfa"):
        ROCWidget(evaluation, alfa=0.1)


def test_from_estimator_trains_calibrates_and_shows(rng):
    X = rng.normal(size=(300, 2))
    y = (X[:, 0] + rng.normal(size=300) > 0).astype(int)
    widget = ROCWidget.from_estimator(
        LogisticRegression(), X[:200], y[:200], X[200:], y[200:], alpha=0.1, random_state=0
    )
    assert widget.alpha == 0.1
    assert sum(widget.evaluation.n_calibration.values()) == 100
    with pytest.raises(TypeError, match="refrence"):
        ROCWidget.from_estimator(LogisticRegression(), X, y, X, y, refrence="score")


def test_from_predictions_shows_scores(rng):
    widget = ROCWidget.from_predictions(*scored(rng, 60), *scored(rng, 40), band="both")
    assert widget.band == "both"
    assert widget.evaluation.n_test == {0: 20, 1: 20}


def test_the_text_form_is_the_same_in_every_run(widget):
    assert repr(widget) == (
        "ROCWidget(RocEvaluation(0: 30 calibration and 25 test points, "
        "1: 30 calibration and 25 test points), alpha=0.05, threshold=0.5, band='sensitivity')"
    )


def test_two_widgets_share_an_evaluation_and_nothing_else(evaluation):
    one, other = ROCWidget(evaluation), ROCWidget(evaluation)
    one.alpha = 0.2
    assert other.alpha == 0.05
    assert other._frame["alpha"] == 0.05
    assert np.shares_memory(one.evaluation.scores, other.evaluation.scores)


def test_the_noise_of_a_slider_that_counts_in_floats_is_taken_off(widget):
    widget.alpha = 0.051000000000000004
    assert widget.alpha == 0.051
    ask(widget, seq=1, alpha=0.1 + 0.2 - 0.2, threshold=0.30000000000000004)
    assert (widget.alpha, widget.threshold) == (0.1, 0.30000000000000004), "it may be a score"


def test_a_request_that_a_later_one_has_overtaken_is_passed_over(widget):
    ask(widget, seq=7, alpha=0.2, threshold=0.5)
    ask(widget, seq=6, alpha=0.1, threshold=0.5)
    assert (widget.alpha, widget._frame["seq"]) == (0.2, 7)
    ask(widget, seq=1, client="another page", alpha=0.3, threshold=0.5)
    assert (widget.alpha, widget._frame["seq"]) == (0.3, 1)


def test_requests_on_two_threads_are_answered_one_after_the_other(widget, monkeypatch):
    from conformal_roc_widget import wire

    made, busy = wire.frame_message, threading.Lock()

    def slow(*arguments):
        assert busy.acquire(blocking=False), "two frames at once"
        time.sleep(0.01)
        busy.release()
        return made(*arguments)

    monkeypatch.setattr(wire, "frame_message", slow)
    answers = []
    widget.observe(lambda change: answers.append(change["new"]["seq"]), "_frame")
    threads = [
        threading.Thread(target=ask, args=(widget, seq), kwargs={"alpha": a, "threshold": 0.5})
        for seq, a in enumerate((0.1, 0.11, 0.12, 0.13, 0.14), start=1)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == sorted(answers)
    assert (widget.alpha, widget._frame["seq"]) == (0.14, 5)


def test_from_estimator_shows_one_class_of_several(rng):
    X = rng.normal(size=(300, 2))
    y = rng.choice(["a", "b", "c"], size=300)
    widget = ROCWidget.from_estimator(
        LogisticRegression(), X[:200], y[:200], X[200:], y[200:], label="b", random_state=0
    )
    assert widget.evaluation.classes == ("not b", "b")
