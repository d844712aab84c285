"""The life of a widget: observers, failures beside it, and that nothing of it remains."""

import gc
import sys
import weakref

import pytest
from comparator_widgets import threads, wait_until
from data import evaluation_from_scores
from widget_state import ask

from conformal_roc_widget import ROCWidget


@pytest.fixture
def sent(widget, monkeypatch):
    """Custom messages to the pages."""
    messages = []
    monkeypatch.setattr(widget, "send", lambda content, buffers=None: messages.append(content))
    return messages


@pytest.fixture
def printed(monkeypatch):
    """Errors whose traceback the kernel has printed."""
    errors = []

    class Shell:
        def showtraceback(self):
            errors.append(sys.exc_info()[1])

    monkeypatch.setattr("ipywidgets.widgets.widget.get_ipython", Shell)
    return errors


def fail(change):
    raise ZeroDivisionError(f"with {change['new']}")


def test_an_observer_that_raises_is_printed_and_told_and_takes_nothing_back(widget, sent, printed):
    widget.observe(fail, "alpha")
    ask(widget, seq=3, alpha=0.1, threshold=0.25)
    assert [type(error) for error in printed] == [ZeroDivisionError]
    assert sent == [{"type": "observer", "message": "ZeroDivisionError: with 0.1"}]
    assert (widget.alpha, widget.threshold) == (0.1, 0.25)
    assert [widget._frame[name] for name in ("seq", "alpha", "threshold")] == [3, 0.1, 0.25]


def test_so_it_is_where_a_linked_widget_has_set_the_trait(widget, sent, printed):
    widget.observe(fail, "alpha")
    widget._handle_msg({"content": {"data": {"method": "update", "state": {"alpha": 0.1}}}})
    assert [str(error) for error in printed] == ["with 0.1"]
    assert [message["type"] for message in sent] == ["observer"]
    assert widget._frame["alpha"] == 0.1


def test_a_cell_that_sets_the_trait_gets_the_error_itself(widget, sent):
    widget.observe(fail, "alpha")
    with pytest.raises(ZeroDivisionError):
        widget.alpha = 0.1
    assert (widget.alpha, widget._frame["alpha"], sent) == (0.1, 0.1, [])


def test_whichever_observer_fails_the_others_hear_and_so_does_the_page(widget, monkeypatch):
    told, heard = {}, []
    monkeypatch.setattr(widget.comm, "send", lambda data, buffers: told.update(data["state"]))
    widget.observe(fail, ["alpha", "view"])
    widget.observe(lambda change: heard.append(change["name"]), ["threshold", "band"])
    with pytest.raises(ExceptionGroup) as caught, widget.hold_trait_notifications():
        widget.alpha, widget.threshold, widget.view, widget.band = 0.1, 0.2, "net_benefit", "both"
    assert [str(error) for error in caught.value.exceptions] == ["with 0.1", "with net_benefit"]
    assert heard == ["threshold", "band"]
    frame = told.pop("_frame")
    told.pop("_comparators", None)
    assert told == {"alpha": 0.1, "threshold": 0.2, "view": "net_benefit", "band": "both"}
    assert (frame["alpha"], frame["threshold"]) == (0.1, 0.2)


def test_nobody_silences_the_widget_itself(widget, make, evaluation):
    heard = []
    widget.observe(heard.append, "alpha")
    for name in ({}, {"name": "alpha"}):
        widget.unobserve_all(**name)
    widget.alpha = 0.1
    widget.guarantee = None
    assert (widget._frame["alpha"], heard) == (0.1, [])
    sampled = make(evaluation)
    sampled.unobserve_all()
    sampled.band = "sampling"
    sampled.wait()
    assert [item["status"] for item in sampled._comparators["items"]] == ["done"]


@pytest.mark.parametrize("comparators", [(), ("ks",), ("bootstrap", "ks")])
def test_a_closed_widget_is_freed_at_once_with_all_that_it_shows(comparators):
    alive = []
    gc.collect()
    gc.disable()
    try:
        for seed in range(10):
            evaluation = evaluation_from_scores(seed)
            widget = ROCWidget(evaluation, comparators=comparators)
            widget.wait()
            widget.observe(print, "alpha")
            wait_until(lambda: not threads())
            ask(widget, alpha=0.1)
            widget.close()
            alive += [weakref.ref(widget), weakref.ref(evaluation)]
            del widget, evaluation
        wait_until(lambda: not threads())
        assert [each() for each in alive] == [None] * 20
    finally:
        gc.enable()


@pytest.mark.parametrize("kind", ["png", "svg", "html"])
def test_a_closed_widget_can_still_be_drawn_with_its_comparators(evaluation, tmp_path, kind):
    def written(widget, name):
        return getattr(widget, f"to_{kind}")(tmp_path / name).read_bytes()

    opened = ROCWidget(evaluation, comparators=("ks",), threshold=0.4)
    expected = written(opened, "opened")
    opened.close()
    assert written(opened, "made before") == expected
    unmade = ROCWidget(evaluation, comparators=("ks",), threshold=0.4)
    unmade.close()
    assert written(unmade, "made after") == expected
    assert unmade.chart().to_dict()
    unmade.alpha = 0.2
    assert unmade.current_band.alpha == 0.2
