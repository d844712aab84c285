"""The page's script: stored once per kernel in Jupyter, and in each widget elsewhere."""

import sys
from types import SimpleNamespace

import pytest
from data import evaluation_from_scores

from conformal_roc_widget import ROCWidget
from conformal_roc_widget.widget import script_holder as holders


@pytest.fixture
def in_jupyter(monkeypatch):
    shell = SimpleNamespace(ZMQInteractiveShell=SimpleNamespace(initialized=lambda: True))
    monkeypatch.setitem(sys.modules, "ipykernel.zmqshell", shell)
    monkeypatch.setattr(holders, "_HOLDERS", [])


def test_elsewhere_each_widget_has_the_whole_script(widget):
    state = widget.get_state()
    assert state["_esm"] == holders.SCRIPT.read_text("utf-8")
    assert state["_script"] is None


def test_in_jupyter_widgets_name_one_holder(in_jupyter):
    one, other = (ROCWidget(evaluation_from_scores(seed)) for seed in (1, 2))
    assert one._script is other._script
    state = one.get_state()
    assert state["_esm"] == holders.LOADER
    assert state["_script"] == f"IPY_MODEL_{one._script.model_id}"
    assert one._script.script == holders.SCRIPT.read_text("utf-8")


def test_a_widget_made_after_all_were_closed_has_a_new_holder(in_jupyter):
    first = ROCWidget(evaluation_from_scores(1))._script
    first.close()
    assert ROCWidget(evaluation_from_scores(1))._script is not first


def test_two_kernels_name_the_holder_of_one_script_alike(in_jupyter):
    first = ROCWidget(evaluation_from_scores(1))._script.model_id
    holders._HOLDERS.clear()
    assert ROCWidget(evaluation_from_scores(1))._script.model_id == first


def test_a_page_that_finds_no_holder_is_sent_the_script(widget, monkeypatch):
    sent = []
    monkeypatch.setattr(widget, "send", lambda content, buffers=None: sent.append(content))
    widget._handle_custom_msg(dict(holders.WANTED), [])
    assert sent == [{"script": holders.SCRIPT.read_text("utf-8")}]
