"""A saved notebook: opened without a kernel, exported, or after its kernel has gone."""

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from agreement import assert_same
from lab import Lab
from lab_server import Server
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook
from page import Hand, Opened, known
from playwright.sync_api import Browser, expect
from view import EXAMPLES, LOCAL, View

from conformal_roc_widget import ROCWidget
from conformal_roc_widget.widget.script_holder import LOADER, SCRIPT

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"

SETUP = "import sys\n" + EXAMPLES + LOCAL
APART = True  # the test kills a kernel
CELLS = {
    "scores alone": "iid = ROCWidget.from_predictions(*scored(0, 400), *scored(1, 200))\niid",
    "localized": 'localized = ROCWidget(local(), alpha=0.2, band="both")\nlocalized',
}


def run(cells: list[str]) -> nbformat.NotebookNode:
    """An executed notebook, saved with the state of its widgets."""
    notebook = new_notebook(
        cells=[new_code_cell(cell) for cell in cells],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    NotebookClient(notebook, kernel_name="python3", store_widget_state=True).execute()
    return notebook


@pytest.fixture(scope="module")
def notebook() -> nbformat.NotebookNode:
    return run([SETUP, *CELLS.values()])


@pytest.fixture(scope="module")
def widgets() -> dict[str, ROCWidget]:
    """The notebook's widgets, made in the test process."""
    names: dict[str, Any] = {}
    exec(SETUP, names)
    for cell in CELLS.values():
        exec(cell, names)
    return {"scores alone": names["iid"], "localized": names["localized"]}


@pytest.fixture(scope="module")
def reopened(server: Server, browser: Browser, notebook: nbformat.NotebookNode) -> Iterator[Lab]:
    viewport = {"width": 1500, "height": 1400}
    # This JupyterLab has no open notebook.
    with Lab(server, browser, apart=True, viewport=viewport) as lab:
        lab.reopen(notebook)
        yield lab


@pytest.mark.thorough
@pytest.mark.parametrize(("number", "name"), list(enumerate(CELLS)), ids=CELLS)
def test_a_notebook_that_is_opened_again_moves_without_a_kernel(
    number: int, name: str, reopened: Lab, widgets: dict[str, ROCWidget]
) -> None:
    view = View(reopened, reopened.wait_for_widget(number))
    view.wait("root.dataset.source === 'static'")
    said = re.compile("^This page works on its own, without a kernel: ")
    expect(view.root.locator(".crw-static")).to_have_text(said)
    assert reopened.kernel("'ROCWidget' in globals()") is False, "nothing was run"
    settings = set()
    for move in Hand(view).moves(50):
        move()
        view.frames()
        drawn = view.drawing()
        assert drawn["source"] == "static"
        assert_same(drawn, known(widgets[name], drawn))
        settings.add((drawn["alpha"], drawn["threshold"]))
    assert len(settings) > 25


@pytest.mark.slow  # the page waits for ten seconds, and JupyterLab longer
def test_a_kernel_killed_in_the_middle_of_a_drag_leaves_a_page_that_works(lab: Lab) -> None:
    names: dict[str, Any] = {}
    exec(SETUP, names)
    exec(CELLS["scores alone"], names)
    widget: ROCWidget = names["iid"]
    lab.open([SETUP, CELLS["scores alone"]])
    lab.run_all()
    view = View(lab, lab.wait_for_widget(), "iid")
    view.rest()
    view.grasp(view.on_track("alpha", 0.05))
    lab.page.mouse.move(*view.on_track("alpha", 0.1), steps=3)
    lab.kill_kernel()
    lab.page.mouse.move(*view.on_track("alpha", 0.2), steps=3)
    lab.page.mouse.up()
    view.frames()
    drawn = view.drawing()
    assert drawn["alpha"] == 0.2
    assert_same(drawn, known(widget, drawn))
    # the dialog "the kernel appears to have died"
    lab.page.locator(".jp-Dialog .jp-mod-accept").click()
    view.drag_slider("threshold", 0.3)
    view.wait("root.dataset.source === 'static'")
    for move in Hand(view).moves(10):
        move()
        view.frames()
        drawn = view.drawing()
        assert drawn["source"] == "static"
        assert_same(drawn, known(widget, drawn))
    lab.errors.clear()  # JupyterLab's messages about the dead kernel


# ---- content of the notebook's file


def outputs(notebook: nbformat.NotebookNode) -> list[dict[str, Any]]:
    """Outputs of the cells that show a widget."""
    found = [out.get("data", {}) for cell in notebook.cells for out in cell.get("outputs", [])]
    return [data for data in found if VIEW in data]


def states(notebook: nbformat.NotebookNode) -> list[dict[str, Any]]:
    """Saved models of this package's widgets."""
    models = notebook.metadata.widgets[STATE]["state"].values()
    return [model for model in models if "_data" in model["state"]]


def test_a_notebook_holds_the_widget_a_picture_and_a_text(notebook: nbformat.NotebookNode) -> None:
    again = nbformat.reads(nbformat.writes(notebook), as_version=4)
    shown = outputs(again)
    assert len(shown) == len(CELLS) == len(states(again))
    for data in shown:
        assert set(data) == {VIEW, "image/png", "text/plain"}
        image = base64.b64decode(data["image/png"])
        assert image.startswith(b"\x89PNG\r\n\x1a\n")
        assert len(image) <= 60_000
        assert "Target: " in data["text/plain"]
        assert "Guarantee: " in data["text/plain"]


def test_a_notebook_holds_the_script_once_and_five_charts_in_600_kb() -> None:
    chart = "ROCWidget.from_predictions(*scored(0, 400), *scored(1, 200))"
    notebook = run([SETUP, *[chart] * 5])
    models = notebook.metadata.widgets[STATE]["state"]
    charts = states(notebook)
    assert len(charts) == 5
    names = {model["state"]["_script"].removeprefix("IPY_MODEL_") for model in charts}
    holders = [name for name, model in models.items() if "script" in model["state"]]
    assert list(names) == holders
    assert models[holders[0]]["state"]["script"] == SCRIPT.read_text("utf-8")
    assert all(model["state"]["_esm"] == LOADER for model in charts)
    assert len(nbformat.writes(notebook).encode()) <= 600_000


def test_nbconverts_html_holds_the_state_and_without_it_the_picture(
    notebook: nbformat.NotebookNode, tmp_path: Path, browser: Browser
) -> None:
    text, _ = HTMLExporter().from_notebook_node(notebook)
    assert text.count(f'<script type="{VIEW}">') == len(CELLS)
    (state,) = [part.partition("</script>")[0] for part in text.split(f'type="{STATE}">')[1:]]
    assert sum("_data" in model["state"] for model in json.loads(state)["state"].values()) == 2

    bare = nbformat.reads(nbformat.writes(notebook), as_version=4)
    del bare.metadata["widgets"]
    text, _ = HTMLExporter().from_notebook_node(bare)
    assert VIEW not in text
    # The page is loaded without its other requests, such as MathJax, which are not this package's.
    file = tmp_path / "bare.html"
    file.write_text(text)
    opened = Opened(browser, file)
    images = opened.page.locator(".jp-OutputArea-output img[src^='data:image/png']")
    assert images.count() == len(CELLS)
    for image in images.all():
        assert image.evaluate("async (e) => { await e.decode(); return e.naturalWidth; }") > 400
    opened.page.context.close()
