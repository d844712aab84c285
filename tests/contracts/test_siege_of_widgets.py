"""Random tests of widgets: charts of any evaluation, and messages of any form from a page."""

import json
import tempfile
import warnings
from pathlib import Path

import pytest
from comm import DummyComm
from data import evaluation_from_scores
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jupyter_client.session import json_packer
from strategies import FEWER, evaluations

from conformal_roc_widget import ROCWidget, charts
from conformal_roc_widget.wire.encoding import as_json


@FEWER
@given(evaluation=evaluations(), alpha=st.floats(0.001, 0.5), threshold=st.floats(0, 1))
def test_anything_can_be_sent_to_a_page(evaluation, alpha, threshold):
    widget = ROCWidget(evaluation, alpha=alpha, threshold=threshold)
    assert widget._frame["threshold"] == threshold
    for message in (widget._data, widget._frame):
        json.dumps(as_json(message), allow_nan=False).encode()
    assert len(widget.to_frame()) == len(evaluation.band(alpha).thresholds)
    widget.close()


# A chart takes a second, a numeric property a hundredth of that.
@pytest.mark.thorough
@settings(max_examples=settings.default.max_examples // 30)
@given(evaluation=evaluations(max_size=10), alpha=st.floats(0.001, 0.5), threshold=st.floats(0, 1))
def test_anything_can_be_drawn_and_saved(evaluation, alpha, threshold):
    widget = ROCWidget(evaluation, alpha=alpha, threshold=threshold)
    assert widget.chart().to_dict()
    assert charts.roc(evaluation, alpha).to_dict()
    assert charts.residuals(evaluation, alpha).to_dict()
    with tempfile.TemporaryDirectory() as folder:
        assert widget.to_svg(Path(folder) / "roc.svg").read_text().startswith("<svg")
        for data in ("arrays", "curves"):
            assert "</html>" in widget.to_html(Path(folder) / "roc.html", data=data).read_text()
    widget.close()


class Channel(DummyComm):
    """Packs messages like a kernel, which refuses what is not JSON."""

    def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **keys):
        self.sent = [*getattr(self, "sent", []), data]
        json_packer(data)


NUMBERS = st.one_of(
    st.floats(),
    st.integers(),
    st.sampled_from([10**400, -(10**400), 2**63, True, False, 0.05, 0.5, 0.001, 5e-324]),
)
TEXTS = st.one_of(
    st.text(max_size=5), st.sampled_from(["\ud800", "\u2028</script>", "x" * 10**5, ""])
)
LEAVES = st.one_of(st.none(), NUMBERS, TEXTS)
INSIDE = st.one_of(LEAVES, st.lists(LEAVES, max_size=3), st.dictionaries(TEXTS, LEAVES, max_size=3))
JSON = st.one_of(INSIDE, st.lists(INSIDE, max_size=3), st.dictionaries(TEXTS, INSIDE, max_size=3))
FIELDS = {
    "type": st.one_of(st.just("state"), JSON),
    "client": st.sampled_from(["page", "other", "\ud800", "\u2028", ""]),
    "seq": st.one_of(st.integers(0, 20), NUMBERS),
    "alpha": st.one_of(st.sampled_from([0.1, 0.3]), NUMBERS),
    "threshold": st.one_of(st.sampled_from([0.25, 0.75]), NUMBERS),
}
VIEW = {
    "band": st.one_of(st.sampled_from(["both", "specificity"]), JSON),
    "label": st.one_of(st.none(), JSON),
    "weights": st.one_of(st.just("uniform"), JSON),
}
REQUESTS = st.one_of(
    JSON,
    st.fixed_dictionaries({}, optional=FIELDS | VIEW | {"else": JSON}),
    *(
        st.fixed_dictionaries(FIELDS | {"type": st.just("state"), name: JSON}, optional=VIEW)
        for name in FIELDS
    ),
)
BUFFERS = st.lists(st.binary(max_size=9), max_size=2)
SHOWN = evaluation_from_scores(1, n_test=20)


def open_widget():
    widget = ROCWidget(SHOWN)
    widget.comm = Channel()
    return widget


def check_that_a_good_request_is_answered(widget):
    good = {"type": "state", "client": "a new page", "seq": 1, "alpha": 0.2, "threshold": 0.6}
    widget._handle_msg({"content": {"data": {"method": "custom", "content": good}}, "buffers": []})
    found = [widget._frame[name] for name in ("client", "seq", "alpha", "threshold")]
    assert found == ["a new page", 1, 0.2, 0.6]
    assert widget.comm.sent[-1]["state"]["_frame"]["seq"] == 1
    widget.close()


@FEWER
@example(requests=[({"type": "state", "client": "\ud800", "seq": 1}, [])])
@example(
    requests=[
        (
            {"type": "state", "client": "a new page", "seq": 10**400, "alpha": 0.1, "threshold": 0},
            [],
        )
    ]
)
@given(requests=st.lists(st.tuples(REQUESTS, BUFFERS), min_size=1, max_size=4))
def test_a_request_of_any_form_is_met_or_refused_and_the_next_good_one_is_answered(requests):
    widget = open_widget()
    for content, buffers in requests:
        before = widget._frame
        view = {name: getattr(widget, name) for name in VIEW}
        widget._receive(widget, content, buffers)
        if widget._frame is not before:
            assert (widget._frame["client"], widget._frame["seq"]) == (
                content["client"],
                content["seq"],
            )
            assert widget.alpha == round(content.get("alpha", before["alpha"]), 10)
            assert widget.threshold == content.get("threshold", before["threshold"])
            view |= {name: content[name] for name in VIEW if name in content}
        else:
            assert (widget.alpha, widget.threshold) == (before["alpha"], before["threshold"])
        assert {name: getattr(widget, name) for name in VIEW} == view
    check_that_a_good_request_is_answered(widget)


STATES = st.dictionaries(
    st.sampled_from(
        ["alpha", "threshold", "band", "label", "weights", "_data", "_frame", "_comparators", "x"]
    ),
    st.one_of(JSON, st.sampled_from([0.2, "both", "uniform", {"alpha": 1}, {}])),
    max_size=2,
)
MESSAGES = st.one_of(
    JSON,
    st.fixed_dictionaries({"method": st.just("update"), "state": STATES}),
    st.fixed_dictionaries({"method": st.just("custom"), "content": REQUESTS}),
    st.fixed_dictionaries(
        {"method": st.sampled_from(["update", "custom", "request_state", "else"])},
        optional={"state": JSON, "content": JSON, "buffer_paths": JSON},
    ),
)


@pytest.mark.thorough
@FEWER
@example(messages=[({"method": "update", "state": {"_frame": {"alpha": 1}}}, [])])
@example(messages=[({"method": "update", "state": {"_data": {}}}, [])])
@given(messages=st.lists(st.tuples(MESSAGES, BUFFERS), min_size=1, max_size=4))
def test_a_message_of_any_form_leaves_a_widget_that_answers(messages):
    widget = open_widget()
    data = widget._data
    for message, buffers in messages:
        # warnings of jupyter_client about messages that ipywidgets echoes
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            widget._handle_msg({"content": {"data": message}, "buffers": buffers})
        assert widget._data is data, "a page cannot change what is shown"
        assert (widget._frame["alpha"], widget._frame["threshold"]) == (
            widget.alpha,
            widget.threshold,
        )
    check_that_a_good_request_is_answered(widget)
