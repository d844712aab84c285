"""Traits and requests of a page: one frame for each position, and a reason for each refusal."""

import json
import pickle
import re
import threading
import time
from fractions import Fraction

import pytest
import traitlets
from comm import DummyComm
from comparator_widgets import Slow, wait_until
from data import evaluation_from_scores, fit_explicit, logistic_sample, scored
from widget_state import LARGE, ask, saved_state

from conformal_roc_widget import RocEvaluation, ROCWidget
from conformal_roc_widget.evaluation.at_alpha import AtAlpha
from conformal_roc_widget.shown.controls import PAGE, Controls
from conformal_roc_widget.wire.budget import FROZEN_STOPS


@pytest.fixture
def classes():
    """One class against the rest, three times, each with its own truth."""
    return {name: evaluation_from_scores(i, n_test=40 + i) for i, name in enumerate("abc")}


def test_it_starts_with_a_frame_that_python_asked_for(widget):
    frame = widget._frame
    assert (frame["client"], frame["seq"]) == ("", 0)
    assert (frame["alpha"], frame["threshold"]) == (0.05, 0.5)


def test_setting_a_trait_makes_one_new_frame(widget):
    frames = []
    widget.observe(lambda change: frames.append(change["new"]), "_frame")
    widget.alpha = 0.1
    assert [frame["alpha"] for frame in frames] == [0.1]
    widget.band = "both"
    assert len(frames) == 1, "the frame holds both bands already"


def test_the_view_of_the_reliability_makes_a_frame_with_it_at_any_alpha(widget, evaluation):
    frames = []
    widget.observe(lambda change: frames.append(change["new"]), "_frame")
    widget.view = "reliability"
    widget.alpha = 0.137
    sent = [frame["entries"][0]["reliability"]["alphas"] for frame in frames]
    assert sent == [[0.05], [0.137]]
    widget.view = "roc"
    assert "reliability" not in widget._frame["entries"][0]
    widget.view = "net_benefit"
    assert len(frames) == 3, "other views need no other frame"


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


@pytest.mark.parametrize(
    "state", [{"alpha": 0.1, "threshold": 0.25}, {"alpha": 0.05, "threshold": 0.5}, {"alpha": 0.2}]
)
def test_a_request_is_one_message_there_and_one_back(widget, monkeypatch, state):
    sent = []
    monkeypatch.setattr(widget.comm, "send", lambda data, buffers: sent.append(data))
    ask(widget, seq=1, **state)
    assert [(data["method"], set(data["state"])) for data in sent] == [
        ("update", {"_frame", *state})
    ]


def test_a_request_may_tell_of_a_view_that_the_reader_has_chosen(monkeypatch):
    evaluations = {name: evaluation_from_scores(seed) for seed, name in enumerate("ab")}
    widget = ROCWidget(evaluations)
    sent = []
    monkeypatch.setattr(widget.comm, "send", lambda data, buffers: sent.append(data))
    setting = {"alpha": 0.05, "threshold": 0.5}
    ask(widget, seq=1, **setting, band="both", label="b", weights="uniform")
    assert (widget.band, widget.label, widget.weights) == ("both", "b", "uniform")
    assert widget._frame["seq"] == 1
    ask(widget, seq=2, **setting)
    ask(widget, seq=3, **setting, label=None)
    assert (widget.band, widget.label, widget.weights) == ("both", None, "uniform")
    told = [set(data["state"]) for data in sent if "_frame" in data["state"]]
    asked = {"_frame", *setting}
    assert told == [asked | {"band", "label", "weights"}, asked, asked | {"label"}]
    assert [data["method"] for data in sent] == ["update"] * len(sent)


#: A value of each control that is not the first one.
CHOSEN = {
    "alpha": 0.1,
    "threshold": 0.25,
    "band": "both",
    "view": "reliability",
    "prevalence": 0.2,
    "cost_ratio": 8.0,
    "guarantee": "simultaneous",
    "zoom": True,
    "goal": {"npv": 0.8},
    "noun": "cows",
    "looks": "any",
    "page": {**PAGE, "hidden": ["ks"]},
}


def test_a_page_may_set_every_control(evaluation):
    assert set(Controls._fields) - set(CHOSEN) == {"label", "horizon", "weights"}  # of several
    for name, value in CHOSEN.items():
        widget = ROCWidget(evaluation)
        ask(widget, seq=1, **{name: value})
        assert (getattr(widget, name), widget._frame["seq"]) == (value, 1), name
    ask(widget, seq=2, guarantee="simultaneous")
    assert widget._frame["entries"][0]["kind"] == "simultaneous"


def test_a_frame_for_a_new_threshold_counts_no_limit_anew(widget, monkeypatch):
    def refuse(*_):
        raise AssertionError("counted again")

    before = widget._frame["entries"][0]
    monkeypatch.setattr(AtAlpha, "display_counts", refuse)
    widget.threshold = 0.3
    after = widget._frame["entries"][0]
    assert after["limits"] == before["limits"]
    assert after["point"] != before["point"]


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
        {"threshold": None},
        {"alpha": float("nan"), "threshold": 0.5},
        {"alpha": 0.1, "threshold": 0.5, "band": "all"},
        {"alpha": 0.1, "threshold": 0.5, "label": "z"},
        {"alpha": 0.1, "threshold": 0.5, "label": {"a": []}},
        {"alpha": 0.1, "threshold": 0.5, "weights": None},
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
    assert re.search("alpha|threshold|band|label|weights", sent[0]["message"])
    assert (widget.alpha, widget.threshold) == (0.05, 0.5)
    assert (widget.band, widget.label, widget.weights) == ("sensitivity", None, "size")
    assert widget._frame is before
    ask(widget, seq=3, alpha=0.3, threshold=0.1)
    assert (widget._frame["seq"], widget._frame["alpha"]) == (3, 0.3), "the next one recovers"


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
    from conformal_roc_widget.wire import messages as wire

    made, busy = wire.frame_message, threading.Lock()

    def slow(*arguments):
        assert busy.acquire(blocking=False), "two frames at once"
        time.sleep(0.01)
        busy.release()
        return made(*arguments)

    monkeypatch.setattr(wire, "frame_message", slow)
    answers = []
    widget.observe(lambda change: answers.append(change["new"]["seq"]), "_frame")
    pages = [
        threading.Thread(target=ask, args=(widget, seq), kwargs={"alpha": a, "threshold": 0.5})
        for seq, a in enumerate((0.1, 0.11, 0.12, 0.13, 0.14), start=1)
    ]
    for page in pages:
        page.start()
    for page in pages:
        page.join()
    assert answers == sorted(answers)
    assert (widget.alpha, widget._frame["seq"]) == (0.14, 5)


def test_one_frame_holds_the_answers_for_all_evaluations(classes):
    widget = ROCWidget(classes, kind="classes", alpha=0.1)
    frames = []
    widget.observe(lambda change: frames.append(change["new"]), "_frame")
    widget.label = "b"
    widget.weights = "uniform"
    assert frames == [], "which one is looked at is a matter of the view"
    ask(widget, seq=2, alpha=0.2, threshold=0.25)
    assert len(frames) == 1
    points = [entry["point"]["tp"] for entry in frames[0]["entries"]]
    assert points == [each.operating_point(0.25, 0.2).tp for each in classes.values()]
    assert widget._data["kind"] == "classes"
    assert [entry["label"] for entry in widget._data["entries"]] == ["a", "b", "c"]


def test_a_label_that_is_not_there_is_refused_and_the_old_one_stays(classes):
    widget = ROCWidget(classes, kind="classes", label="a")
    with pytest.raises(traitlets.TraitError, match="label: found 'd', expected one of None, 'a'"):
        widget.label = "d"
    assert widget.label == "a"


def test_a_slow_comparator_holds_up_neither_python_nor_the_page(make, evaluation, monkeypatch):
    slow = Slow(monkeypatch)
    widget = make(evaluation, "ks")
    slow.step()
    wait_until(lambda: [item["done"] for item in widget._comparators.get("items", [])] == [1])
    start = time.perf_counter()
    widget.alpha = 0.2
    ask(widget, seq=1, alpha=0.3, threshold=0.25)
    assert time.perf_counter() - start < 0.5
    assert (widget._frame["alpha"], widget._frame["seq"]) == (0.3, 1)
    (item,) = widget._comparators["items"]
    assert (item["status"], item["fpr"]) == ("working", b"")
    with pytest.raises(TimeoutError, match=r"0\.01 s"):
        widget.wait(timeout=0.01)
    slow.step(9)
    widget.wait()
    assert widget._comparators["items"][0]["alpha"] == 0.3


def test_a_frame_comes_before_the_comparators_for_its_alpha(make, evaluation):
    widget, order = make(evaluation, "ks"), []
    widget.wait()
    widget.observe(lambda change: order.append("frame"), "_frame")
    widget.observe(lambda change: order.append(change["new"]["items"][0]["alpha"]), "_comparators")
    ask(widget, seq=1, alpha=0.2, threshold=0.5)
    wait_until(lambda: len(order) == 2)
    assert order == ["frame", 0.2]


@pytest.mark.parametrize("n", [1_000, 10_000, *LARGE])
def test_the_state_with_two_comparators_stays_below_320_kilobytes(make, n):
    pytest.importorskip("rocci")
    widget = make(
        evaluation_from_scores(0, n_calibration=4_000, n_test=n), "bootstrap", "simultaneous"
    )
    widget.wait()
    assert len(saved_state(widget)) < 320_000


def test_a_trait_that_is_refused_takes_no_comparator_back(make, evaluation):
    widget = make(evaluation, "ks")
    widget.wait()
    with pytest.raises(traitlets.TraitError):
        widget.set_state({"band": "both", "alpha": 7})
    assert widget._comparators["items"][0]["status"] == "done"


@pytest.mark.parametrize("n", [1_000, 4_096, 10_000, *LARGE])
def test_the_state_saved_in_a_notebook_stays_below_300_kilobytes(n):
    widget = ROCWidget(evaluation_from_scores(0, n_calibration=4_000, n_test=n))
    assert len(saved_state(widget)) < 300_000


def test_pages_are_told_what_their_values_became():
    widget = ROCWidget(evaluation_from_scores(1), guarantee="individual")
    known = {}
    widget.comm = DummyComm()
    widget.comm.publish_msg = lambda *_, data=None, **__: known.update(
        (data or {}).get("state", {})
    )
    widget.set_state({"guarantee": None, "goal": {"npv": Fraction(1, 2)}})
    assert known["guarantee"] == widget.guarantee == "individual"
    assert json.dumps(known["goal"]) == '{"npv": 0.5}'


def test_a_widget_says_what_to_pickle_in_its_place(widget):
    with pytest.raises(TypeError, match=r"Pickle `widget.evaluation`"):
        pickle.dumps(widget)
    again = pickle.loads(pickle.dumps(widget.evaluation))
    assert again.auc(0.05) == widget.evaluation.auc(0.05)


def test_simultaneous_limits_at_other_alphas_come_with_a_widget_of_few_points(rng):
    points = (*scored(rng, 300), *scored(rng, 90))
    widget = ROCWidget(RocEvaluation.from_predictions(*points, guarantee="simultaneous"))
    assert len(widget._stops["entries"][0]["frozen"]) == len(FROZEN_STOPS)


def test_simultaneous_limits_at_other_alphas_come_after_a_widget_of_many_points(rng, monkeypatch):
    monkeypatch.setattr("conformal_roc_widget.widget.synced.SIMULTANEOUS_AT_ONCE", 89)
    points = (*scored(rng, 300), *scored(rng, 90))
    widget = ROCWidget(RocEvaluation.from_predictions(*points, guarantee="simultaneous"))
    assert widget._stops == {}
    wait_until(lambda: widget._stops)
    sent = widget._stops
    assert len(sent["entries"][0]["frozen"]) == len(FROZEN_STOPS)
    widget.wait()
    assert widget._stops is sent
    assert len(saved_state(widget)) < 300_000


def test_the_reliability_at_other_alphas_comes_after_a_widget_of_many_points(monkeypatch):
    monkeypatch.setattr("conformal_roc_widget.widget.synced.RELIABILITY_AT_ONCE", 99)
    widget = ROCWidget(evaluation_from_scores(1, n_test=100))
    assert widget._stops == {}
    wait_until(lambda: widget._stops)
    assert widget._stops["entries"][0]["reliability"]["alphas"] == list(FROZEN_STOPS)


def test_so_does_that_of_a_localized_evaluation_and_of_ten_classes(rng):
    parts = [logistic_sample(rng, n)[:2] for n in (80, 120, 200)]
    local = fit_explicit(parts, neighbors=40).evaluate(*parts[2])
    assert ROCWidget(local)._data["entries"][0]["frozen"] is not None
    assert len(saved_state(ROCWidget(local))) < 300_000
    ten = {i: evaluation_from_scores(i, n_test=200 + i) for i in range(10)}
    assert len(saved_state(ROCWidget(ten, kind="classes"))) < 300_000


def test_data_come_before_the_frame_that_a_page_reads_by_them(evaluation, monkeypatch):
    told, notify = [], ROCWidget._notify

    def noted(self, change):
        told.append(change["name"])
        return notify(self, change)

    monkeypatch.setattr(ROCWidget, "_notify", noted)
    ROCWidget(evaluation).close()
    assert told.index("_data") < told.index("_frame")
