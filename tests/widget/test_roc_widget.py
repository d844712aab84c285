"""The widget's Python side, with the front end's messages handed to it directly."""

import base64
import re
import struct
import threading
import time

import numpy as np
import pytest
import traitlets
from data import (
    assert_same_curves,
    evaluation_from_scores,
    fit_explicit,
    logistic_sample,
    scored,
)
from sklearn.linear_model import LogisticRegression
from widget_state import LARGE, ask, saved_state

from conformal_roc_widget import RocEvaluation, ROCWidget, average_bands
from conformal_roc_widget.evaluation.at_alpha import AtAlpha


@pytest.fixture
def evaluation():
    return evaluation_from_scores(1)


@pytest.fixture
def widget(evaluation):
    return ROCWidget(evaluation)


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


@pytest.mark.parametrize(
    "state", [{"alpha": 0.1, "threshold": 0.25}, {"alpha": 0.05, "threshold": 0.5}]
)
def test_a_request_is_one_message_there_and_one_back(widget, monkeypatch, state):
    sent = []
    monkeypatch.setattr(widget.comm, "send", lambda data, buffers: sent.append(data))
    ask(widget, seq=1, **state)
    assert [(data["method"], list(data["state"])) for data in sent] == [("update", ["_frame"])]


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
    told = [name for data in sent for name in data["state"] if data["method"] == "update"]
    told = [name for name in told if name != "_comparators"]  # on a thread of their own
    assert told == ["_frame"] * 3, "the page knows what it has asked for"


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
        {"threshold": 0.5},
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
    assert re.search("alpha|threshold|'band'|label|'weights'", sent[0]["message"])
    assert (widget.alpha, widget.threshold) == (0.05, 0.5)
    assert (widget.band, widget.label, widget.weights) == ("sensitivity", None, "size")
    assert widget._frame is before
    ask(widget, seq=3, alpha=0.3, threshold=0.1)
    assert (widget._frame["seq"], widget._frame["alpha"]) == (3, 0.3), "the next one recovers"


def test_a_failure_of_the_kernel_reaches_the_page_and_the_next_request_recovers(
    widget, monkeypatch
):
    sent = []
    monkeypatch.setattr(widget, "send", lambda content, buffers=None: sent.append(content))
    with monkeypatch.context() as broken:
        broken.setattr("conformal_roc_widget.wire.messages.frame_message", lambda *_: 1 / 0)
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


@pytest.fixture
def classes():
    """One class against the rest, three times: each has its own truth."""
    return {name: evaluation_from_scores(i, n_test=40 + i) for i, name in enumerate("abc")}


@pytest.fixture
def classifiers():
    return {"rough": evaluation_from_scores(1, decimals=1), "fine": evaluation_from_scores(1)}


def test_one_frame_holds_the_answers_for_all_evaluations(classes):
    widget = ROCWidget(classes, alpha=0.1)
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


def test_classes_together_have_an_average_and_a_point_each(classes):
    widget = ROCWidget(classes, alpha=0.1, weights="uniform")
    assert widget.label is None
    assert widget.evaluation is classes
    assert_same_curves(widget.current_band, average_bands(classes, 0.1, "uniform"))
    assert widget.operating_point == {
        name: each.operating_point(0.5, 0.1) for name, each in classes.items()
    }
    assert widget.to_frame().equals(widget.current_band.to_frame())


def test_one_class_that_is_looked_at_is_like_a_single_evaluation(classes):
    widget = ROCWidget(classes, label="b", alpha=0.1)
    assert widget.evaluation is classes["b"]
    assert_same_curves(widget.current_band, classes["b"].band(0.1))
    assert widget.operating_point == classes["b"].operating_point(0.5, 0.1)
    widget.label = None
    assert widget.evaluation is classes


def test_one_curve_is_told_from_another_by_its_counts_too():
    def ranked(*scores):
        y = [0, 1, 0, 1]
        return RocEvaluation.from_predictions(y * 5, np.linspace(0.1, 0.9, 20), y, scores)

    one, other = ranked(0.2, 0.4, 0.6, 0.8), ranked(0.2, 0.6, 0.4, 0.8)
    assert ROCWidget({"a": one, "b": ranked(0.2, 0.4, 0.6, 0.8)})._data["kind"] == "bands"
    assert ROCWidget({"a": one, "b": other})._data["kind"] == "classifiers"


def test_evaluations_with_one_truth_are_classifiers(classifiers):
    widget = ROCWidget(classifiers)
    assert widget._data["kind"] == "classifiers"
    assert set(widget.current_band) == {"rough", "fine"}
    assert_same_curves(widget.current_band["fine"], classifiers["fine"].band())
    table = widget.to_frame()
    assert table.columns[0] == "label"
    assert set(table["label"]) == {"rough", "fine"}


def test_keys_are_carried_as_json_has_them():
    evaluation = evaluation_from_scores()
    widget = ROCWidget({np.int64(3): evaluation, np.str_("x"): evaluation, 0.5: evaluation})
    assert [entry["label"] for entry in widget._data["entries"]] == [3, "x", 0.5]
    widget.label = np.int64(3)
    assert widget.label == 3
    assert type(widget.label) is int


@pytest.mark.parametrize(
    ("shown", "error", "message"),
    [
        (None, TypeError, "evaluation: found NoneType.*RocEvaluation"),
        ({}, ValueError, "evaluation: found an empty mapping"),
        ({"a": 3}, TypeError, "evaluation: found int for label 'a'"),
        ({(1, 2): evaluation_from_scores()}, TypeError, r"key \(1, 2\) of type tuple"),
        ({None: evaluation_from_scores()}, TypeError, "key None"),
        ({float("nan"): evaluation_from_scores()}, ValueError, "nan"),
        ({"\ud800": evaluation_from_scores()}, ValueError, "Unicode"),
        ({2**60: evaluation_from_scores()}, ValueError, r"2\^53"),
    ],
)
def test_a_mapping_that_cannot_be_shown_is_refused_by_name(shown, error, message):
    with pytest.raises(error, match=message):
        ROCWidget(shown)


def test_a_label_that_is_not_there_is_refused_and_the_old_one_stays(classes, evaluation):
    widget = ROCWidget(classes, label="a")
    with pytest.raises(traitlets.TraitError, match="label: found 'd', expected one of None, 'a'"):
        widget.label = "d"
    assert widget.label == "a"
    with pytest.raises(traitlets.TraitError, match="weights"):
        widget.weights = "none"
    with pytest.raises(traitlets.TraitError, match="label"):
        ROCWidget(evaluation, label="a")


def test_from_estimator_shows_every_class_of_several(rng):
    X = rng.normal(size=(300, 2))
    y = rng.choice(["a", "b", "c"], size=300)
    widget = ROCWidget.from_estimator(
        LogisticRegression(), X[:200], y[:200], X[200:], y[200:], random_state=0
    )
    assert list(widget.evaluation) == ["a", "b", "c"]


def test_the_text_form_of_several_names_the_one_that_is_looked_at(classifiers):
    text = repr(ROCWidget(classifiers, label="fine"))
    assert text.endswith("band='sensitivity', label='fine', weights='size')")


def test_each_display_brings_a_picture_and_a_text_of_that_moment(widget):
    first, size = widget._repr_mimebundle_()
    assert set(first) == {
        "text/plain",
        "image/png",
        "application/vnd.jupyter.widget-view+json",
    }
    image = base64.b64decode(first["image/png"])
    assert len(image) <= 60_000
    width, height = struct.unpack(">II", image[16:24])
    assert size["image/png"] == {"width": width // 2, "height": height // 2}
    point = widget.operating_point
    assert f"AUC {widget.evaluation.auc()[0]:.2f}" in first["text/plain"].replace(
        "the area under the observed curve is", "AUC"
    )
    assert f"would be at most {point.tpr_upper:.2f} (95 %" in first["text/plain"]
    for word in ("alpha = 0.05", "Target: ", "Scope: ", "Guarantee: at least 95 %"):
        assert word in first["text/plain"]
    assert widget._repr_mimebundle_()[0] == first, "the same in every run"
    widget.alpha = 0.3
    second, _ = widget._repr_mimebundle_()
    assert second["image/png"] != first["image/png"]
    assert "alpha = 0.3" in second["text/plain"]


@pytest.mark.parametrize("n", [1_000, 4_096, 10_000, *LARGE])
def test_the_state_saved_in_a_notebook_stays_below_300_kilobytes(n):
    widget = ROCWidget(evaluation_from_scores(0, n_calibration=4_000, n_test=n))
    assert len(saved_state(widget)) < 300_000


def test_so_does_that_of_a_localized_evaluation_and_of_ten_classes(rng):
    parts = [logistic_sample(rng, n)[:2] for n in (80, 120, 200)]
    local = fit_explicit(parts, neighbors=40).evaluate(*parts[2])
    assert ROCWidget(local)._data["entries"][0]["frozen"] is not None
    assert len(saved_state(ROCWidget(local))) < 300_000
    ten = {i: evaluation_from_scores(i, n_test=200 + i) for i in range(10)}
    assert len(saved_state(ROCWidget(ten))) < 300_000
