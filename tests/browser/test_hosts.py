"""The widget in other programs that show notebooks. No host has a network."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import pytest
from framed import follows, framed, moves
from lab import Lab
from lab_server import TIMEOUT, Server
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from notebook_hosts import (
    TELL_CELL,
    WIDGET_CELL,
    HostPage,
    Marimo,
    MarimoEditor,
    NotebookServer,
    Voila,
    WideMarimo,
)
from playwright.sync_api import Browser, Page, expect
from view import View

from conformal_roc_widget import ROCWidget

# Errors that Voila reports even without the widget. Its icon font comes from a CDN. It also loads
# every JupyterLab extension, but not all of their dependencies.
VOILA_REPORTS = ("fontawesome", "labextensions/@jupyter-notebook", "labextensions/@voila")

# An error of Notebook's own settings, which also occurs without the widget.
NOTEBOOK_REPORTS = "TypeError: Cannot read properties of undefined (reading 'schema')"


@pytest.fixture(scope="module")
def widget() -> ROCWidget:
    """The notebook's widget, made in the test process."""
    names: dict = {}
    exec(WIDGET_CELL, names)
    return names["widget"]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short name, because paths of sockets are limited."""
    with TemporaryDirectory(prefix="crw-") as folder:
        yield Path(folder)


@pytest.fixture
def enter(folder: Path, browser: Browser) -> Iterator[Callable[[type[Server]], HostPage]]:
    with ExitStack() as stack:

        def enter(kind: type[Server]) -> HostPage:
            server = stack.enter_context(kind(folder))
            return stack.enter_context(HostPage(server, browser))

        yield enter


def handle_everything(view: View) -> None:
    """Drags every control and chooses a band. Page and kernel must agree after each step."""
    view.rest()
    view.assert_agrees()
    view.drag_slider("alpha", 0.02, 0.2)
    settle(view, alpha=0.2)
    view.drag_slider("threshold", 0.7, 0.3)
    settle(view, threshold=0.3)
    view.choose("both")
    settle(view, band="both")
    kernel = view.kernel()
    vertex = len(kernel["fpr"]) // 3
    start = view.on_plot(kernel["point"]["fpr"], kernel["point"]["tpr"])
    view.drag(start, view.on_plot(kernel["fpr"][vertex], kernel["tpr"][vertex]))
    settle(view, threshold=kernel["thresholds"][vertex])
    view.part("alpha").focus()
    view.page.keyboard.press("PageUp")
    settle(view, alpha=0.5)


def assert_framed_page_moves(page: Page, widget: ROCWidget) -> None:
    """Asserts that the page of `as_html` moves and is as high as its content."""
    frame, view = framed(page)
    moves(view, widget)
    follows(page, frame, view)


def settle(view: View, **expected: float | str) -> None:
    """Waits until page and kernel have these values and agree.

    The kernel's file may be written a bit later.
    """
    view.rest()
    end = monotonic() + TIMEOUT
    while True:
        kernel = view.kernel()
        if {name: kernel[name] for name in expected} == expected or monotonic() > end:
            break
        view.page.wait_for_timeout(50)
    view.assert_agrees()
    assert {name: kernel[name] for name in expected} == expected


@pytest.mark.thorough
def test_it_works_in_notebook_7(folder: Path, browser: Browser, widget: ROCWidget) -> None:
    with (
        NotebookServer(folder) as server,
        Lab(server, browser, viewport={"width": 1280, "height": 1300}) as lab,
    ):
        lab.open([f"{WIDGET_CELL}\nwidget", TELL_CELL, "widget.as_html()"])
        assert lab.page.evaluate("window.jupyterapp.name") == "Jupyter Notebook"
        lab.run_all()
        view = View(lab, lab.wait_for_widget())
        handle_everything(view)
        lab.execute("widget.alpha = 0.1")
        view.wait_for(alpha=0.1)
        view.assert_agrees()
        assert_framed_page_moves(lab.page, widget)
        lab.errors[:] = [error for error in lab.errors if error != NOTEBOOK_REPORTS]


@pytest.mark.thorough
def test_a_notebook_that_notebook_7_opens_again_moves_without_a_kernel(
    folder: Path, browser: Browser, widget: ROCWidget
) -> None:
    cells = [f"{WIDGET_CELL}\nwidget", "widget.as_html()"]
    kernelspec = {"name": "python3", "display_name": "Python 3"}
    notebook = new_notebook(
        cells=[new_code_cell(cell) for cell in cells], metadata={"kernelspec": kernelspec}
    )
    NotebookClient(notebook, kernel_name="python3", store_widget_state=True).execute()
    with (
        NotebookServer(folder) as server,
        Lab(server, browser, viewport={"width": 1500, "height": 1400}) as lab,
    ):
        lab.reopen(notebook)
        view = View(lab, lab.wait_for_widget())
        view.wait("root.dataset.source === 'static'")
        moves(view, widget)
        assert_framed_page_moves(lab.page, widget)
        assert lab.kernel("'widget' in globals()") is False, "nothing was run"
        lab.errors[:] = [error for error in lab.errors if error != NOTEBOOK_REPORTS]


@pytest.mark.thorough
def test_it_works_in_voila(enter: Callable[[type[Server]], HostPage], widget: ROCWidget) -> None:
    host = enter(Voila)
    handle_everything(View(host, host.wait_for_widget()))
    assert_framed_page_moves(host.page, widget)
    assert [error for error in host.errors if not any(w in error for w in VOILA_REPORTS)] == []
    assert [url for url in host.foreign if "fontawesome" not in url] == []


@pytest.mark.thorough
def test_it_works_in_marimo_which_knows_what_is_on_the_screen(
    enter: Callable[[type[Server]], HostPage],
) -> None:
    host = enter(Marimo)
    handle_everything(View(host, host.wait_for_widget()))
    expect(host.page.get_by_text("marimo knows:")).to_have_text("marimo knows: 0.5")
    assert host.errors == []
    assert host.foreign == []


@pytest.mark.thorough
def test_the_framed_page_moves_in_marimo(
    enter: Callable[[type[Server]], HostPage], widget: ROCWidget
) -> None:
    host = enter(WideMarimo)
    assert_framed_page_moves(host.page, widget)
    assert host.errors == []
    assert host.foreign == []


@pytest.mark.thorough
def test_it_works_in_marimos_editor(
    enter: Callable[[type[Server]], HostPage], widget: ROCWidget
) -> None:
    host = enter(MarimoEditor)
    expect(host.page.get_by_test_id("cell-actions-button")).to_have_count(4)
    host.page.get_by_test_id("run-button").last.click()
    handle_everything(View(host, host.wait_for_widget()))
    assert_framed_page_moves(host.page, widget)
    assert host.errors == []
    assert host.foreign == []
