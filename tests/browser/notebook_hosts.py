"""Other programs that show notebooks: Notebook 7, Voila, marimo. Each has its own server."""

import json
import sys
import textwrap
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import nbformat
from lab import WIDGET
from lab_server import TIMEOUT, Server
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Browser, ConsoleMessage, Locator, Request, Route
from view import KERNEL

WIDGET_CELL = """import numpy as np
from conformal_roc_widget import ROCWidget

def scored(seed, n):
    y = np.resize([0, 1], n)
    score = 1 / (1 + np.exp(1.2 - 2.4 * y + 1.5 * np.random.default_rng(seed).normal(size=n)))
    return y, score

widget = ROCWidget.from_predictions(*scored(0, 400), *scored(1, 200))"""

# In hosts where tests cannot reach the kernel, it writes its state to a file after each change.
TELL_CELL = f"""import json
import os

def tell(_=None):
    known = {KERNEL % "widget"}
    with open("known.new", "w") as file:
        json.dump(known, file, default=lambda array: array.tolist())
    os.replace("known.new", "known.json")

widget.observe(tell, ["alpha", "threshold", "band"])
tell()"""

MARIMO = """import marimo

app = marimo.App(width="{width}")


@app.cell
def _():
    import marimo as mo
{widget}
{tell}
    return mo, widget


@app.cell
def _(mo, widget):
    shown = mo.ui.anywidget(widget)
    shown
    return (shown,)


@app.cell
def _(widget):
    widget.as_html()
    return


@app.cell
def _(mo, shown):
    mo.md(f"marimo knows: {{shown.value.get('alpha')}}")


if __name__ == "__main__":
    app.run()
"""


class NotebookServer(Server):
    """Notebook 7, which `Lab` operates like JupyterLab."""

    tree = "notebooks"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        options = [option for option in self._command[4:] if not option.startswith("--LabApp")]
        self._command = [
            *(sys.executable, "-m", "notebook", "--no-browser"),
            *options,
            "--JupyterNotebookApp.expose_app_in_browser=True",
        ]


class Voila(Server):
    """Voila: shows a notebook's outputs as a page, with one kernel for each reader."""

    probe = "voila/static/voila.js"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._command = [
            *(sys.executable, "-m", "voila", "shown.ipynb", "--no-browser"),
            "--Voila.ip=127.0.0.1",
            f"--port={urlsplit(self.url).port}",
            "--show_tracebacks=True",
            *(option for option in self._command if option.startswith("--KernelManager")),
        ]
        self._env["TMPDIR"] = str(folder)  # kernels put their connection files there
        sources = (f"{WIDGET_CELL}\nwidget", TELL_CELL, "widget.as_html()")
        cells = [new_code_cell(source) for source in sources]
        kernelspec = {"name": "python3", "display_name": "Python 3"}
        notebook = new_notebook(cells=cells, metadata={"kernelspec": kernelspec})
        nbformat.write(notebook, self.root / "shown.ipynb")


class Marimo(Server):
    """A marimo notebook, served as an app."""

    probe = "health"
    mode: tuple[str, ...] = ("run", "--no-check")
    width = "compact"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._command = [
            *(sys.executable, "-m", "marimo", self.mode[0], "shown.py", "--headless", "--no-token"),
            *("--host", "127.0.0.1", "--port", str(urlsplit(self.url).port)),
            *("--no-sandbox", *self.mode[1:]),
        ]
        # marimo stores settings and checks for updates in these folders of the user
        self._env |= {
            "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_STATE_HOME": str(folder / "data"),
            "XDG_CACHE_HOME": str(folder / "data"),
            "MARIMO_SKIP_UPDATE_CHECK": "1",
        }
        cells = {"widget": indent(WIDGET_CELL), "tell": indent(TELL_CELL)}
        (self.root / "shown.py").write_text(MARIMO.format(width=self.width, **cells))


class WideMarimo(Marimo):
    """A marimo app that is wide enough for two columns."""

    width = "medium"


class MarimoEditor(WideMarimo):
    """A marimo notebook in the editor."""

    mode = ("edit",)


def indent(code: str) -> str:
    return textwrap.indent(code, "    ")


class HostPage:
    """A host page in which tests cannot reach the kernel. `View` uses it in place of a `Lab`.

    If the page requests something from another host, the request is refused and kept in
    ``foreign``.
    """

    def __init__(self, server: Server, browser: Browser) -> None:
        self.server = server
        self.errors: list[str] = []
        self.foreign: list[str] = []
        self._context = browser.new_context(viewport={"width": 1280, "height": 1300})
        self._context.set_default_timeout(TIMEOUT * 1000)
        self._context.route(lambda url: not url.startswith(server.url), self._refuse)
        self.page = self._context.new_page()
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.errors.append(f"{error.name}: {error}"))

    def __enter__(self) -> Self:
        self.page.goto(self.server.url)
        return self

    def __exit__(self, *_: object) -> None:
        self._context.close()

    def wait_for_widget(self) -> Locator:
        widget = self.page.locator(WIDGET)
        widget.wait_for(timeout=TIMEOUT * 1000)
        return widget

    def kernel(self, _expression: str) -> Any:
        """The numbers of `view.KERNEL` that the kernel has last written to its file."""
        return json.loads((self.server.root / "known.json").read_text())

    def _refuse(self, route: Route, request: Request) -> None:
        if urlsplit(request.url).scheme in ("data", "blob"):
            route.continue_()
        else:
            self.foreign.append(request.url)
            route.abort()

    def _note(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(f"{message.text} ({message.location['url']})")
