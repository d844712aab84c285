"""The widget's comparators: computed in the background, and sent to the page when ready."""

import threading
from pathlib import Path
from statistics import NormalDist

import nbclient
import nbformat
import numpy as np
import pytest
from comparator_widgets import SECONDS, Slow, threads, wait_until
from data import evaluation_from_scores, floats_of, scored
from summaries import frame, summarized
from widget_state import ask

from conformal_roc_widget import RocEvaluation, ROCWidget, comparators
from conformal_roc_widget.comparators import registry
from conformal_roc_widget.comparators.registry import COMPARATORS
from conformal_roc_widget.logits import logit_of
from conformal_roc_widget.widget import comparator_worker
from conformal_roc_widget.wire.messages import VERSION

pytest.importorskip("rocci")

WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
LIMITS = ("fpr", "tpr", "tpr_lower", "tpr_upper")


def steps_of(widget):
    return [item["done"] for item in widget._comparators.get("items", [])]


def assert_same(one, other):
    for name in LIMITS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    for name in ("alpha", "method", "target", "scope", "guarantee", "notes"):
        assert getattr(one, name) == getattr(other, name)


def test_they_are_those_of_the_comparators_package(make, evaluation):
    y, p = evaluation.labels, evaluation.scores
    bands = make(evaluation, *COMPARATORS, alpha=0.1).comparators
    assert tuple(bands) == tuple(COMPARATORS)
    seed = {"random_state": registry.SEED, "resamples": registry.RESAMPLES}
    assert_same(bands["bootstrap"], comparators.bootstrap_band(y, p, 0.1, **seed))
    assert_same(bands["simultaneous"], comparators.simultaneous_band(y, p, 0.1, **seed))
    binormal = comparators.working_hotelling_band(y, logit_of(p), 0.1)
    assert_same(bands["working_hotelling"], binormal)
    assert_same(bands["ks"], comparators.ks_band(y, p, 0.1))
    with pytest.raises(TypeError):
        bands["ks"] = None


def test_rows_of_one_person_are_drawn_together_or_a_note_says_that_they_are_not(make, rng):
    calibration, (y, p), groups = scored(rng, 80), scored(rng, 60), np.arange(60) // 3
    one = RocEvaluation.from_predictions(*calibration, y, p, groups_test=groups)
    widget = make(one, *COMPARATORS, alpha=0.1)
    bands = widget.comparators
    seed = {"random_state": registry.SEED, "resamples": registry.RESAMPLES}
    assert_same(bands["bootstrap"], comparators.bootstrap_band(y, p, 0.1, groups=groups, **seed))
    for key in ("simultaneous", "ks", "working_hotelling"):
        assert bands[key].notes[0].startswith("Several test rows belong to one person, and this ")
    area = comparators.delong_interval(y, p, 0.1, groups=groups)
    assert one.sampled.area.limits(0.1) == pytest.approx((area.lower, area.upper), rel=1e-12)
    other = RocEvaluation.from_predictions(*calibration, y, 1 - p)
    two = make({"one": one, "other": other})
    two.wait()
    (pair,) = two._comparators["pairs"]
    assert pair["z"] == comparators.delong_difference(y, p, 1 - p, groups=groups).z


def test_the_message_holds_them_with_their_words(make, evaluation):
    widget = make(evaluation, "ks", "bootstrap")
    widget.wait()
    message = widget._comparators
    assert [item["key"] for item in message["items"]] == ["ks", "bootstrap"], "as asked for"
    assert (message["version"], message["label"], message["pairs"]) == (VERSION, None, None)
    for item in message["items"]:
        band = widget.comparators[item["key"]]
        assert (item["status"], item["done"], item["message"]) == ("done", item["total"], None)
        assert item["alpha"] == 0.05
        assert item["stops"] is None
        assert item["notes"] == list(band.notes)
        for name in ("target", "scope", "guarantee"):
            words = item["words"][name].replace("{confidence}", "95 %")
            assert words == getattr(band, name)
        np.testing.assert_array_equal(band.fpr, np.linspace(0, 1, item["fpr"]))
        for name, values in (("lower", band.tpr_lower), ("upper", band.tpr_upper)):
            np.testing.assert_array_equal(floats_of(item[name]), values)


def test_a_curve_to_guess_from_has_no_comparators_and_nothing_runs(evaluation):
    widget = ROCWidget(evaluation, band="none")
    assert widget._comparators == {}
    assert widget.comparators == {}
    widget.wait()
    assert threads() == []


@pytest.mark.parametrize("band", ["sensitivity", "specificity", "both"])
def test_the_question_of_the_true_risks_has_the_classifiers_own_limits_too(evaluation, band):
    widget = ROCWidget(evaluation, band=band)
    widget.wait()
    (item,) = widget._comparators["items"]
    assert (item["key"], item["status"], item["laid"]) == ("bootstrap", "done", False)
    assert widget.comparators == {}


def test_a_summary_of_a_test_set_has_no_comparators_and_no_pairs():
    y, p = np.resize([0, 1], 60), np.linspace(0.05, 0.95, 60)
    summary = summarized(frame(y, p), (y, p))
    with pytest.raises(ValueError, match=r"comparators: found an evaluation made by from_table"):
        ROCWidget(summary, comparators=("ks",))
    widget = ROCWidget({"a": summary, "b": summary})
    widget.wait()
    assert widget._comparators == {}


def test_the_steps_told_ascend_and_end_with_the_band(make, evaluation, monkeypatch):
    slow, told = Slow(monkeypatch, "bootstrap"), []
    widget = make(evaluation, "bootstrap", "ks")
    widget.observe(lambda change: told.append(change["new"]["items"]), "_comparators")
    for done in range(1, 10):
        slow.step()
        wait_until(lambda done=done: steps_of(widget)[:1] == [done])
    slow.step()
    widget.wait()
    wait_until(lambda: told[-1][0]["status"] == "done")
    steps = [items[0]["done"] for items in told]
    assert steps == sorted(steps)
    assert set(range(1, 11)) <= set(steps)
    assert all(items[1]["status"] == "done" for items in told[-9:]), "the quick one came first"


def test_a_new_alpha_samples_nothing_anew(make, evaluation, monkeypatch):
    calls = []
    for key in ("bootstrap", "simultaneous"):
        original = COMPARATORS[key]
        counting = original._replace(
            family=lambda *args, _of=original.family: calls.append(_of) or _of(*args)
        )
        monkeypatch.setitem(COMPARATORS, key, counting)
    widget = make(evaluation, "bootstrap", "simultaneous")
    before = widget.comparators["bootstrap"]
    for alpha in (0.2, 0.01, 0.1):
        widget.alpha = alpha
        widget.wait()
        assert [item["alpha"] for item in widget._comparators["items"]] == [alpha, alpha]
        assert widget.comparators["simultaneous"].alpha == alpha
    assert (widget.comparators["bootstrap"].tpr_upper <= before.tpr_upper).all()
    assert len(calls) == 2


def test_a_failure_becomes_a_status_and_the_others_go_on(make, evaluation, monkeypatch):
    def failing(*_):
        raise MemoryError("no room")

    monkeypatch.setitem(COMPARATORS, "bootstrap", COMPARATORS["bootstrap"]._replace(family=failing))
    widget = make(evaluation, "bootstrap", "ks")
    widget.wait()
    first, second = widget._comparators["items"]
    assert (first["status"], first["message"], first["lower"]) == ("failed", "no room", b"")
    assert second["status"] == "done"
    with pytest.raises(RuntimeError, match="'bootstrap' failed: no room"):
        _ = widget.comparators
    widget.alpha = 0.2
    assert widget._frame["alpha"] == 0.2


def test_a_failure_at_one_alpha_is_over_with_the_next(make, evaluation, monkeypatch):
    class Moody:
        promise = COMPARATORS["ks"].promise

        def band(self, alpha):
            if alpha == 0.2:
                raise ValueError("not at 0.2")
            return comparators.ks_band(evaluation.labels, evaluation.scores, alpha)

    moody = COMPARATORS["ks"]._replace(family=lambda *_: Moody())
    monkeypatch.setitem(COMPARATORS, "ks", moody)
    widget = make(evaluation, "ks", alpha=0.2)
    widget.wait()
    assert widget._comparators["items"][0]["message"] == "not at 0.2"
    widget.alpha = 0.1
    widget.wait()
    assert widget._comparators["items"][0]["status"] == "done"


def test_a_comparator_at_work_ends_when_the_widget_is_closed(evaluation, monkeypatch):
    slow = Slow(monkeypatch)
    widget = ROCWidget(evaluation, comparators=("ks", "bootstrap"))
    ends = []

    def wait():
        with pytest.raises(RuntimeError, match="closed") as end:
            widget.wait()
        ends.append(end)

    waiting = threading.Thread(target=wait)
    waiting.start()
    wait_until(lambda: slow.calls)
    sent = []
    widget.observe(sent.append, "_comparators")
    widget.close()
    slow.step()
    waiting.join(SECONDS)
    wait_until(lambda: not threads())
    assert len(ends) == 1
    with pytest.raises(RuntimeError, match="the widget is closed"):
        _ = widget.comparators
    assert not [change for change in sent if change["new"]["items"][1]["done"]]


def test_threads_end_once_there_is_nothing_to_make(make, evaluation):
    widget = make(evaluation, "bootstrap")
    widget.wait()
    wait_until(lambda: not threads())
    widget.alpha = 0.3
    wait_until(lambda: widget._comparators["items"][0]["alpha"] == 0.3)
    wait_until(lambda: not threads())


def test_requests_changes_and_progress_at_once_leave_one_last_word(make, evaluation, monkeypatch):
    slow = Slow(monkeypatch)
    widget = make(evaluation, "bootstrap", "ks")

    def drag(client, alphas):
        for seq, alpha in enumerate(alphas, start=1):
            ask(widget, seq=seq, client=client, alpha=alpha, threshold=0.5)
            slow.step()

    alphas = [round(0.01 + 0.002 * i, 3) for i in range(40)]
    pages = [threading.Thread(target=drag, args=(name, alphas)) for name in "ab"]
    for page in pages:
        page.start()
    for page in pages:
        page.join()
    widget.wait()
    wait_until(lambda: {i["alpha"] for i in widget._comparators["items"]} == {widget.alpha})
    assert [item["status"] for item in widget._comparators["items"]] == ["done", "done"]


@pytest.fixture
def classes():
    return {name: evaluation_from_scores(i, n_test=40 + i) for i, name in enumerate("abc")}


def test_of_classes_the_one_that_is_looked_at_has_comparators(make, classes, monkeypatch):
    slow = Slow(monkeypatch)
    slow.step(1000)
    widget = make(classes, "ks", kind="classes")
    assert widget.comparators == {}
    widget.wait()
    assert widget._comparators == {}
    for name in ("b", "c", "b"):
        widget.label = name
        expected = comparators.ks_band(classes[name].labels, classes[name].scores)
        assert_same(widget.comparators["ks"], expected)
        widget.wait()
        assert widget._comparators["label"] == name
        np.testing.assert_array_equal(
            floats_of(widget._comparators["items"][0]["lower"]), expected.tpr_lower
        )
    assert [scores.size for scores in slow.calls] == [41, 42], "b and c, each once"
    widget.label = None
    wait_until(lambda: widget._comparators == {})


def test_classifiers_are_compared_in_pairs_with_and_without_comparators(make):
    shown = {i: evaluation_from_scores(1, decimals=i) for i in (1, 2, 6)}
    shown["other way"] = flipped(shown[6])
    for keys in ((), ("ks",)):
        widget = make(shown, *keys)
        widget.wait()
        message = widget._comparators
        assert message["items"] == []
        names = {str(name): each for name, each in shown.items()}
        scores = {name: each.scores for name, each in names.items()}
        differences = comparators.delong_differences(shown[1].labels, scores)
        assert len(message["pairs"]) == 6
        for pair in message["pairs"]:
            a, b = names[pair["a"]], names[pair["b"]]
            expected = differences[pair["a"], pair["b"]]
            assert (pair["z"], pair["p"]) == (expected.z, expected.p_value)
            assert pair["difference"] == pytest.approx(a.observed_auc - b.observed_auc, abs=1e-12)
            half = NormalDist().inv_cdf(1 - 0.05 / 12) * pair["sd"]
            limits = max(pair["difference"] - half, -1), min(pair["difference"] + half, 1)
            assert limits == pytest.approx((expected.lower, expected.upper))
    widget.label = "other way"
    assert set(widget.comparators) == {"ks"}
    widget.wait()
    assert len(widget._comparators["pairs"]) == 6


def flipped(evaluation):
    y = np.resize([0, 1], 80)
    p = np.linspace(0.05, 0.95, 80)
    return RocEvaluation.from_predictions(y, p, evaluation.labels, 1 - evaluation.scores)


def test_a_pair_that_cannot_be_tested_has_neither_z_nor_p(make):
    y = np.resize([0, 1], 40)
    p = np.linspace(0.1, 0.9, 40)
    sharp, blunt = (
        RocEvaluation.from_predictions(y, p, y, scores) for scores in (0.2 + 0.6 * y, 0 * y + 0.5)
    )
    widget = make({"sharp": sharp, "blunt": blunt})
    widget.wait()
    assert widget._comparators["pairs"] == [
        {"a": "sharp", "b": "blunt", "difference": 0.5, "sd": None, "z": None, "p": None}
    ]


def test_many_classifiers_are_not_compared(make, evaluation):
    widget = make(dict.fromkeys(range(11), evaluation))
    widget.wait()
    assert widget._comparators == {}


NOTEBOOK = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from data import evaluation_from_scores
from conformal_roc_widget import ROCWidget
widget = ROCWidget(evaluation_from_scores(1), comparators=("bootstrap", "simultaneous"))
"""


@pytest.mark.thorough
def test_a_notebook_run_without_a_reader_saves_what_was_waited_for():
    cells = [nbformat.v4.new_code_cell(source) for source in (NOTEBOOK, "widget.wait()")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(notebook, timeout=SECONDS * 3).execute()
    (saved,) = [
        model["state"]["_comparators"]
        for model in notebook.metadata["widgets"][WIDGET_STATE]["state"].values()
        if "_comparators" in model["state"]
    ]
    assert [item["status"] for item in saved["items"]] == ["done", "done"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_wait_ends_where_the_pairs_fail(make, monkeypatch):
    def failing(*_):
        raise MemoryError("no room for pairs")

    two = {name: evaluation_from_scores(seed) for name, seed in (("a", 1), ("b", 1))}
    with monkeypatch.context() as patched:
        patched.setattr(comparator_worker.ComparatorWorker, "_compare", failing)
        widget = make(two, "bootstrap", kind="classifiers")
        with pytest.raises(RuntimeError, match="the comparators failed") as caught:
            widget.wait(30)
    assert str(caught.value.__cause__) == "no room for pairs"
    widget.wait(30)
    assert widget._comparators["pairs"], "made at the next try"


def test_a_family_without_a_promise_has_failed_and_nobody_waits_for_it(
    make, evaluation, monkeypatch
):
    nameless = COMPARATORS["ks"]._replace(family=lambda *_: object())
    monkeypatch.setitem(COMPARATORS, "ks", nameless)
    widget = make(evaluation, "ks")
    widget.wait(30)
    assert "promise" in widget._comparators["items"][0]["message"]
