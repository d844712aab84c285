"""A marimo notebook exported as a page: its widget and its framed page are interactive without a
kernel.
"""

import mimetypes
import os
import subprocess
import sys
from pathlib import Path

import marimo
import pytest
from agreement import assert_same
from framed import Host, follows, framed
from lab import WIDGET
from lab_server import TIMEOUT
from notebook_hosts import WIDGET_CELL, indent
from page import known
from playwright.sync_api import Browser, Route, expect
from view import View

NOTEBOOK = f"""import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo
{indent(WIDGET_CELL)}
    return mo, widget


@app.cell
def _(mo, widget):
    mo.ui.anywidget(widget)
    return


@app.cell
def _(widget):
    widget.as_html()
    return


if __name__ == "__main__":
    app.run()
"""
ADDRESS = "http://export.invalid/"
# The page loads marimo's scripts from this address. The test serves the same files from the
# package.
SCRIPTS = f"https://cdn.jsdelivr.net/npm/@marimo-team/frontend@{marimo.__version__}/dist/"
STATIC = Path(marimo.__file__).parent / "_static"


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("marimo")
    (folder / "notebook.py").write_text(NOTEBOOK)
    command = [sys.executable, "-m", "marimo", "export", "html", "notebook.py"]
    subprocess.run(
        [*command, "-o", "notebook.html", "--no-sandbox"],
        cwd=folder,
        env=os.environ | {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder)},
        check=True,
        capture_output=True,
    )
    return folder / "notebook.html"


@pytest.mark.thorough
def test_the_widget_and_the_framed_page_of_an_export_move(exported: Path, browser: Browser) -> None:
    names: dict = {}
    exec(WIDGET_CELL, names)
    foreign: list[str] = []

    def answer(route: Route) -> None:
        url = route.request.url
        file = STATIC / url.removeprefix(SCRIPTS).partition("?")[0]
        if url.startswith(("data:", "blob:")):
            route.continue_()
        elif url == ADDRESS:
            route.fulfill(path=exported, content_type="text/html; charset=utf-8")
        elif url.startswith(SCRIPTS) and file.is_file():
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            allowed = {"access-control-allow-origin": "*"}
            route.fulfill(path=file, content_type=kind, headers=allowed)
        else:
            foreign.append(url)
            route.abort()

    context = browser.new_context(viewport={"width": 1280, "height": 1300})
    context.set_default_timeout(TIMEOUT * 1000)
    context.route("**", answer)
    page = context.new_page()
    page.goto(ADDRESS)
    root = page.locator(WIDGET)
    root.wait_for()
    view = View(Host(page), root)
    view.drag_slider("alpha", 0.2)
    view.settle()
    drawn = view.drawing()
    assert drawn["alpha"] == pytest.approx(0.2, abs=0.01)
    assert_same(drawn, known(names["widget"], drawn))
    # An exported page does not say that it has no kernel, so the widget has to detect it.
    view.wait("root.dataset.source === 'static'")
    expect(view.root.locator(".crw-alert")).to_contain_text("The kernel no longer answers")

    frame, inner = framed(page)
    inner.part("threshold").focus()
    page.keyboard.press("Home")
    expect(inner.root).not_to_have_attribute("data-threshold", "0.5")
    assert inner.source == "static"
    follows(page, frame, inner)
    assert foreign == []
    context.close()
