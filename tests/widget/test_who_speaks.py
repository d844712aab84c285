"""Who sets traits: pages, observers, cells, threads and loops. The last change wins."""

import asyncio
import threading
from functools import partial

import pytest
from comm import DummyComm
from data import evaluation_from_scores
from traitlets import TraitError
from widget_state import ask

from conformal_roc_widget import ROCWidget
from conformal_roc_widget.wire import messages as wire


class Pages(DummyComm):
    """What every page was told, in order, and how often."""

    def __init__(self):
        super().__init__()
        self.known, self.updates = {}, []

    def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **keys):
        if data and data.get("method") in ("update", "echo_update"):
            self.known.update(data["state"])
            self.updates.append(data["state"])


@pytest.fixture
def opened(monkeypatch):
    widget = ROCWidget(evaluation_from_scores(1))
    widget.comm = Pages()
    widget.comm.known = widget.get_state()
    return widget


def twice(change):
    change["owner"].threshold = 2 * change["new"]


def snap(change):
    """Rounds to hundredths."""
    change["owner"].threshold = round(change["new"], 2)


def halve(change):
    change["owner"].alpha = min(0.5, max(0.001, change["new"] / 2))


def keep_sensitivity(change):
    widget = change["owner"]
    widget.threshold = widget.evaluation.threshold_for(sensitivity=0.9)


def one_page(widget):
    ask(widget, seq=1, since=0, alpha=0.1)
    ask(widget, seq=2, since=1, threshold=0.25)


def an_observer_sets_the_other(widget):
    widget.observe(twice, "alpha")
    ask(widget, seq=1, since=0, alpha=0.1)


def an_observer_sets_the_same(widget):
    widget.observe(snap, "threshold")
    ask(widget, seq=1, since=0, threshold=0.3333)


def two_observers(widget):
    widget.observe(halve, "threshold")
    widget.observe(keep_sensitivity, "alpha")
    ask(widget, seq=1, since=0, threshold=0.4)


def an_observer_within_hold_sync(widget):
    widget.observe(twice, "alpha")
    with widget.hold_sync():
        widget.alpha = 0.1
        widget.band = "both"


def a_request_while_a_cell_holds_sync(widget):
    with widget.hold_sync():
        widget.alpha = 0.3
        ask(widget, seq=1, since=0, threshold=0.25)


def python_on_the_other_slider(widget):
    ask(widget, seq=1, since=0, threshold=0.6)
    widget.alpha = 0.3
    ask(widget, seq=2, since=1, threshold=0.61)


def python_between_a_request_and_its_repetition(widget):
    ask(widget, seq=1, since=0, alpha=0.1)
    # the page has not received the first answer yet, so it sends the value again
    widget.alpha = 0.3
    ask(widget, seq=2, since=0, alpha=0.1, threshold=0.6)


def a_hand_that_comes_back_to_its_value(widget):
    ask(widget, seq=1, since=0, alpha=0.1)
    widget.alpha = 0.3
    ask(widget, seq=2, since=1, alpha=0.1)


def two_pages(widget):
    ask(widget, client="a", seq=1, since=0, alpha=0.1)
    ask(widget, client="b", seq=1, since=0, threshold=0.7)
    ask(widget, client="a", seq=2, since=1, alpha=0.2)


def a_request_that_a_later_one_has_overtaken(widget):
    ask(widget, seq=2, since=0, alpha=0.1, threshold=0.6)
    ask(widget, seq=1, since=0, alpha=0.1)


def a_thread(widget):
    def loop():
        for alpha in (0.1, 0.2, 0.3):
            widget.alpha = alpha

    thread = threading.Thread(target=loop)
    thread.start()
    for seq in range(1, 6):
        ask(widget, seq=seq, since=seq - 1, threshold=0.5 + seq / 100)
    thread.join()


def a_loop_beside_a_hand(widget):
    async def loop():
        for alpha in (0.1, 0.2, 0.3):
            widget.alpha = alpha
            await asyncio.sleep(0)

    async def hand():
        for seq in range(1, 6):
            ask(widget, seq=seq, since=max(0, seq - 2), threshold=0.5 + seq / 100)
            await asyncio.sleep(0)

    async def both():
        await asyncio.gather(loop(), hand())

    with asyncio.Runner() as runner:
        runner.run(both())


def a_linked_widget(widget):
    widget._handle_msg({"content": {"data": {"method": "update", "state": {"alpha": 0.25}}}})


def a_refused_request(widget):
    ask(widget, seq=1, since=0, alpha=0.1)
    ask(widget, seq=2, since=1, alpha=7, threshold=0.9)


def an_observer_that_is_refused(widget):
    def refuse(change):
        with pytest.raises(TraitError):
            change["owner"].alpha = 7

    widget.observe(refuse, "threshold")
    ask(widget, seq=1, since=0, threshold=0.6)


def an_observer_that_sets_it_there_and_back(widget):
    def there_and_back(change):
        widget.unobserve_all("threshold")
        widget.threshold = 0.9
        widget.threshold = change["new"]

    widget.observe(there_and_back, "threshold")
    ask(widget, seq=1, since=0, threshold=0.6)


WHO = [
    (one_page, 0.1, 0.25),
    (an_observer_sets_the_other, 0.1, 0.2),
    (an_observer_sets_the_same, 0.05, 0.33),
    (two_observers, None, None),
    (an_observer_within_hold_sync, 0.1, 0.2),
    (a_request_while_a_cell_holds_sync, 0.3, 0.25),
    (python_on_the_other_slider, 0.3, 0.61),
    (python_between_a_request_and_its_repetition, 0.3, 0.6),
    (a_hand_that_comes_back_to_its_value, 0.1, 0.5),
    (two_pages, 0.2, 0.7),
    (a_request_that_a_later_one_has_overtaken, 0.1, 0.6),
    (a_thread, 0.3, 0.55),
    (a_loop_beside_a_hand, 0.3, 0.55),
    (a_linked_widget, 0.25, 0.5),
    (a_refused_request, 0.1, 0.5),
    (an_observer_that_is_refused, 0.05, 0.6),
    (an_observer_that_sets_it_there_and_back, 0.05, 0.6),
]


@pytest.mark.parametrize(
    ("speak", "alpha", "threshold"), WHO, ids=lambda one: getattr(one, "__name__", "")
)
def test_the_last_who_spoke_wins_and_traits_pages_band_and_files_agree(
    opened, tmp_path, speak, alpha, threshold
):
    speak(opened)
    if alpha is not None:
        assert (opened.alpha, opened.threshold) == (alpha, threshold)
    agree(opened, tmp_path)


def agree(widget, folder):
    known, frame = widget.comm.known, widget.comm.known["_frame"]
    for name in ("client", "seq"):  # bytes are sent separately
        assert frame[name] == widget._frame[name]
    for name in ("alpha", "threshold"):
        assert getattr(widget, name) == known[name] == frame[name]
    assert known["band"] == widget.band
    assert (widget.current_band.alpha, widget.operating_point.threshold) == (
        widget.alpha,
        widget.threshold,
    )
    again = ROCWidget(
        widget.evaluation, alpha=widget.alpha, threshold=widget.threshold, band=widget.band
    )
    one, other = (
        each.to_svg(folder / f"{name}.svg") for name, each in [("a", widget), ("b", again)]
    )
    assert one.read_bytes() == other.read_bytes()


def starts_setting(widget, alpha):
    """Starts a thread that sets alpha, and waits until the value is set.

    The messages of this change may still have to wait.
    """
    thread = threading.Thread(target=setattr, args=(widget, "alpha", alpha))
    thread.start()
    while widget.alpha != alpha and thread.is_alive():
        thread.join(0.001)
    return thread


def test_what_one_thread_holds_back_holds_no_other_one(opened):
    with opened.hold_trait_notifications():
        opened.threshold = 0.6
        starts_setting(opened, 0.3).join()
        assert opened.comm.known["alpha"] == 0.3
        assert opened.comm.known["threshold"] == 0.5
    assert opened.comm.known["threshold"] == 0.6


def test_a_request_that_is_refused_takes_nothing_back_that_a_thread_set(
    opened, monkeypatch, tmp_path
):
    threads = []

    def frame_message(*_):
        threads.append(starts_setting(opened, 0.3))
        raise RuntimeError("no frame")

    with monkeypatch.context() as patched:
        patched.setattr(wire, "frame_message", frame_message)
        ask(opened, seq=1, since=0, threshold=0.6)
    threads[0].join()
    assert (opened.alpha, opened.threshold) == (0.3, 0.5)
    agree(opened, tmp_path)


def test_a_thread_that_sets_while_a_frame_is_made_gets_a_frame(opened, monkeypatch, tmp_path):
    made, threads = wire.frame_message, []

    def frame_message(*asked):
        if not threads:
            threads.append(starts_setting(opened, 0.3))
        return made(*asked)

    monkeypatch.setattr(wire, "frame_message", frame_message)
    ask(opened, seq=1, since=0, threshold=0.6)
    threads[0].join()
    agree(opened, tmp_path)


def test_an_observer_may_wait_for_a_thread_that_sets_another_trait(opened):
    waited = []

    def wait(_):
        thread = threading.Thread(target=setattr, args=(opened, "band", "both"), daemon=True)
        thread.start()
        thread.join(5)
        waited.append(thread.is_alive())

    opened.observe(wait, "threshold")
    ask(opened, seq=1, since=0, threshold=0.6)
    assert waited == [False]
    assert opened.comm.known["band"] == "both"


def test_the_last_message_has_the_newest_value(opened, tmp_path):
    publish, threads = opened.comm.publish_msg, []

    def slowly(kind, data=None, **keys):
        if not threads and "alpha" in data.get("state", {}):
            threads.append(starts_setting(opened, 0.3))
            threads[0].join(0.2)  # time to send its value, if it does not have to wait
        publish(kind, data, **keys)

    opened.comm.publish_msg = slowly
    opened.alpha = 0.2
    threads[0].join()
    agree(opened, tmp_path)


def test_a_request_whose_observer_answers_is_one_frame_and_then_another_of_the_same_number(opened):
    opened.observe(twice, "alpha")
    ask(opened, seq=7, since=0, alpha=0.1)
    frames = [state["_frame"] for state in opened.comm.updates if "_frame" in state]
    assert [(f["seq"], f["alpha"], f["threshold"]) for f in frames] == [
        (7, 0.1, 0.5),
        (7, 0.1, 0.2),
    ]


def test_a_coupling_follows_both_a_hand_and_python(opened):
    opened.observe(keep_sensitivity, "alpha")
    for set_alpha in (
        partial(ask, opened, seq=1, since=0),
        lambda alpha: setattr(opened, "alpha", alpha),
    ):
        opened.threshold = 0.9
        set_alpha(alpha=0.1 if opened.alpha != 0.1 else 0.2)
        assert opened.operating_point.tpr >= 0.9
