"""The engine that runs the page's code: one for each process, usable from every thread.

Without the engine, everything works except pictures.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from data import evaluation_from_scores
from quickjs import JSException

from conformal_roc_widget import RocEvaluation, ROCWidget
from conformal_roc_widget.page import engine
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group


def lead_at(threshold):
    return scene_of(Group.of(evaluation_from_scores(1)), Controls(0.1, threshold)).lead[0]


def test_threads_share_one_engine_and_each_has_its_own_answer():
    thresholds = [i / 16 for i in range(1, 16)]
    alone = list(map(lead_at, thresholds))
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lead_at, thresholds)) == alone
    assert engine.loaded(os.getpid()) is engine.loaded(os.getpid())
    assert len(set(alone)) == len(alone)


FORKED = """
import os, sys, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # of threads: the engine has one
sys.path.insert(0, "tests")
from page.test_engine import lead_at
said = lead_at(0.3)
child = os.fork()
if child == 0:
    os._exit(lead_at(0.3) != said)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_a_forked_process_makes_an_engine_of_its_own():
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", FORKED], check=True, cwd=root, timeout=120)


def test_the_engine_has_a_limit_of_memory_and_of_time(monkeypatch):
    from quickjs import Function

    found = []
    for name in ("set_memory_limit", "set_time_limit"):
        monkeypatch.setattr(Function, name, lambda self, limit: found.append(limit))
    engine.loaded.__wrapped__(0)
    assert found == [engine.MOST_BYTES, engine.MOST_SECONDS]
    with pytest.raises(JSException):
        Function("scene", engine.CODE.read_text(), own_executor=True)("no messages")


@pytest.fixture
def without(monkeypatch):
    """Simulates a system for which the engine has no wheel."""
    monkeypatch.setitem(sys.modules, "quickjs", None)
    engine.loaded.cache_clear()
    yield
    engine.loaded.cache_clear()


def test_without_the_engine_all_but_pictures_works(without, tmp_path):
    evaluation = evaluation_from_scores(1)
    widget = ROCWidget(evaluation, alpha=0.1, threshold=0.4)
    point = evaluation.operating_point(0.4, 0.1)
    said = f"At threshold 0.40, sensitivity is {point.tpr:.2f} and specificity {1 - point.fpr:.2f}."
    data, metadata = widget._repr_mimebundle_()
    assert not [kind for kind in data if kind.startswith("image/")]
    assert data["text/plain"].startswith(said)
    assert metadata == {}
    page = widget.to_html(tmp_path / "page.html").read_text("utf-8")
    assert said in page
    assert "<img" not in page
    assert said in widget.as_html().bundle[0]["text/plain"]
    for picture in (
        lambda: widget.to_svg(tmp_path / "a.svg"),
        lambda: widget.to_png(tmp_path / "a.png"),
        lambda: widget.to_pdf(tmp_path / "a.pdf"),
        widget.chart,
        widget.plot,
        evaluation.plot,
    ):
        with pytest.raises(ImportError, match="pip install quickjs-ng"):
            picture()
    assert not list(tmp_path.glob("a.*"))


def test_several_without_the_engine_have_a_line_each(without):
    y = np.resize([0, 1], 40)
    made = {name: RocEvaluation.from_predictions(y, 0.3 + 0.2 * y) for name in ("one", "two")}
    text = ROCWidget(made)._repr_mimebundle_()[0]["text/plain"]
    assert [line.split(":")[0] for line in text.splitlines()] == ["one", "two"]
