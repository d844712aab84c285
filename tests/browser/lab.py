"""Drive a notebook in a real JupyterLab."""

import ast
import json
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Self
from uuid import uuid4

import nbformat
from lab_server import TIMEOUT, Server
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Browser, CDPSession, ConsoleMessage, Error, Locator
from playwright.sync_api import TimeoutError as PlaywrightTimeout

WIDGET = '[data-testid="crw"][data-ready="1"]'
# The text that ipywidgets' manager shows in place of a widget that it does not have.
LOST = "Error displaying widget: model not found"
# Waits until the kernel has handled the messages of the page's widgets. JupyterLab may handle these
# in a second thread while the kernel is busy, so a later message may be answered first. An answer
# may be lost with its connection, so old answers are not awaited.
TOLD = """(async () => {
    const { kernel } = panel.sessionContext.session;
    const waits = ({ msg: { header } }) =>
        header.msg_type === "comm_msg" && Date.now() - Date.parse(header.date) < 5000;
    while ([...kernel._futures.values()].some(waits)) await new Promise((on) => setTimeout(on, 10));
})()"""


def collect_garbage(devtools: CDPSession) -> None:
    """Collects garbage until nothing more is freed."""
    for _ in range(3):
        devtools.send("HeapProfiler.collectGarbage")
        time.sleep(0.1)


def used_heap(devtools: CDPSession) -> float:
    """Megabytes in use by the page's scripts after `collect_garbage`."""
    return float(devtools.send("Runtime.getHeapUsage")["usedSize"]) / 1e6


class Lab:
    """A browser page with one notebook in JupyterLab.

    ``errors`` holds what the page wrote to the console as an error or threw. Leaving the context
    asserts that there was none. A test that provokes an error clears the list.

    JupyterLab takes five times as long to start as to open a notebook. So the server's next ``Lab``
    takes over the page, unless one of the two is ``apart``, because it changes JupyterLab or
    measures the page.
    """

    def __init__(
        self, server: Server, browser: Browser, apart: bool = False, **options: Any
    ) -> None:
        self.server = server
        self.errors: list[str] = []
        self.loses_replies = False  # drops answers of the kernel, as a lost connection does
        self._apart = apart or not options.keys() <= {"viewport", "permissions"}
        options = {"viewport": {"width": 1280, "height": 1100}} | options
        server.forget_settings()
        idle_page, self._is_started = server.idle_page, False
        if self._apart or idle_page is None:
            self._context = browser.new_context(**options)
            self._context.set_default_timeout(TIMEOUT * 1000)
            self.page = self._context.new_page()
        else:
            server.idle_page, self._is_started = None, True
            self.page, self._context = idle_page, idle_page.context
            self.page.set_viewport_size(options["viewport"])
            self._context.grant_permissions(options.get("permissions", []))
        self.page.on("console", self._note)
        self.page.on("pageerror", self._note_thrown)

    def _note_thrown(self, error: Error) -> None:
        # JupyterLab's own toolbar sometimes raises this error when the window is resized. Errors of
        # the widget come from its own module, which anywidget loads from a blob.
        if "removeChild" in str(error) and "blob:" not in (error.stack or ""):
            return
        self.errors.append(f"{error.name}: {error}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None = None, *_: object) -> None:
        errors = list(self.errors)  # errors while the page closes are ignored
        is_reused = False
        try:
            self.page.evaluate("window.jupyterapp?.serviceManager.sessions.shutdownAll()")
            if not (kind or errors or self._apart or self.server.idle_page):
                is_reused = self._is_emptied()
        finally:
            if is_reused:
                self.server.idle_page = self.page
            else:
                self._context.close()
        assert not errors, "the page reported errors:\n" + "\n".join(errors)

    def _is_emptied(self) -> bool:
        """Closes all notebooks after the server has ended their kernels.

        Returns whether JupyterLab was open.
        """
        self.page.mouse.up()
        is_there: bool = self.page.evaluate(
            """async () => {
                const app = window.jupyterapp;
                if (app?.name !== "JupyterLab" || document.querySelector(".jp-Dialog")) return false;
                for (const widget of [...app.shell.widgets("main")]) widget.dispose();
                await app.serviceManager.sessions.refreshRunning();
                await app.serviceManager.kernels.refreshRunning();
                return true;
            }"""
        )
        if is_there:
            self.set_theme("light")
            self._context.clear_permissions()
            self.page.remove_listener("console", self._note)
            self.page.remove_listener("pageerror", self._note_thrown)
        return is_there

    def _note(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            where = message.location
            self.errors.append(f"{message.text} ({where['url']}:{where['lineNumber']})")

    def open(self, notebook: Path | Sequence[str]) -> None:
        """Opens a copy of a notebook, or a new one with these code cells, and waits for its kernel."""
        name = f"{uuid4().hex}.ipynb"
        if isinstance(notebook, Path):
            shutil.copy(notebook, self.server.root / name)
        else:
            nbformat.write(
                new_notebook(
                    cells=[new_code_cell(source) for source in notebook],
                    metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
                ),
                self.server.root / name,
            )
        self.show(name)

    def reopen(self, notebook: nbformat.NotebookNode) -> None:
        """Opens a notebook that was executed elsewhere, as trusted, without running it.

        If the kernel connects late, ipywidgets' manager restores twice. It may then take the
        kernel's widgets for all widgets, before it has read those of the notebook. In this case it
        shows an error in place of each widget, and never replaces it. The page is then loaded
        again, as a reader would do.
        """
        path = self.server.root / f"{uuid4().hex}.ipynb"
        nbformat.write(notebook, path)
        self.server.trust(path)
        self.show(path.name)
        if "widgets" not in notebook.metadata:
            return
        lost = self.page.get_by_text(LOST)
        for _ in range(5):
            self.scroll_to_widget()
            self.page.locator(WIDGET).or_(lost).first.wait_for()
            if lost.count() == 0:
                return
            self.page.reload()
            self._wait_for_kernel()
            self.errors[:] = [each for each in self.errors if "widget model not found" not in each]

    def run_all(self, to: int | None = None) -> None:
        """Runs all cells (or those up to one) and waits for them. Fails if one of them fails."""
        if to is None:
            self._js("app.commands.execute('notebook:run-all-cells')")
        else:
            self._js(
                """(async () => {
                    panel.content.activeCellIndex = arg;
                    await app.commands.execute("notebook:run-all-above");
                    panel.content.activeCellIndex = arg;
                    await app.commands.execute("notebook:run-cell");
                })()""",
                to,
            )
        for cell in self._js("panel.content.model.toJSON().cells"):
            for output in cell.get("outputs", ()):
                if output["output_type"] == "error":
                    raise AssertionError("a cell failed:\n" + "\n".join(output["traceback"]))

    def replace_cell(self, source: str) -> None:
        """Replaces the source of the first cell, and runs all cells."""
        self._js("panel.content.model.cells.get(0).sharedModel.setSource(arg)", source)
        self.run_all()

    def run_in_background(self, source: str) -> None:
        """Replaces the source of the last cell and starts it, without waiting for its end."""
        self._js(
            """(() => {
                const { content } = panel;
                content.activeCellIndex = content.widgets.length - 1;
                content.activeCell.model.sharedModel.setSource(arg);
                void app.commands.execute("notebook:run-cell");
                return new Promise((running) => {
                    const { kernel } = panel.sessionContext.session;
                    const look = () => kernel.status === "busy" ? running() : setTimeout(look, 10);
                    look();
                });
            })()""",
            source,
        )

    def scroll_to_widget(self, number: int = 0) -> Locator:
        """Scrolls to the output of the notebook's widget (the first one by default) and returns it."""
        index = self._js(
            """(async () => {
                const shows = (cell) => (cell.outputs ?? []).some(
                    (output) => "application/vnd.jupyter.widget-view+json" in (output.data ?? {}));
                const cells = panel.content.model.toJSON().cells;
                const index = cells.flatMap((cell, i) => shows(cell) ? [i] : [])[arg];
                if (index === undefined) throw new Error("no cell shows a widget");
                await panel.content.scrollToItem(index, "start");
                return index;
            })()""",
            number,
        )
        return self.page.locator(".jp-Notebook-cell").nth(index)

    def wait_for_widget(self, number: int = 0) -> Locator:
        """Scrolls to the notebook's widget (the first one by default) and waits until it is drawn."""
        self.scroll_to_widget(number)
        widget = self.page.locator(WIDGET).nth(number)
        try:
            widget.wait_for()
        except PlaywrightTimeout:
            shown = self.page.get_by_test_id("crw").all_inner_texts()
            raise AssertionError(
                f"no widget is ready; shown {shown}, errors {self.errors}"
            ) from None
        return widget

    def kernel(self, expression: str) -> Any:
        """Value of a Python expression in the notebook's kernel, sent as JSON.

        Arrays become lists. Infinities are kept.
        """
        self._js(TOLD)
        code = f"__import__('json').dumps({expression}, default=lambda x: x.tolist())"
        reply = self._request("", {"value": code})["user_expressions"]["value"]
        if reply["status"] != "ok":
            raise AssertionError("\n".join(reply["traceback"]))
        return json.loads(ast.literal_eval(reply["data"]["text/plain"]))

    def execute(self, code: str) -> None:
        """Run Python statements in the notebook's kernel, outside of any cell."""
        reply = self._request(code, {})
        if reply["status"] != "ok":
            raise AssertionError("\n".join(reply["traceback"]))

    def _request(self, code: str, expressions: dict[str, str]) -> dict[str, Any]:
        return self._js(
            """(async () => {
                const [code, user_expressions, patience] = arg;
                const request = { code, user_expressions, store_history: false };
                for (;;) {
                    const asked = panel.sessionContext.session.kernel.requestExecute(request);
                    const late = new Promise((given_up) => setTimeout(given_up, patience));
                    const reply = await Promise.race([asked.done, late]);
                    if (reply) return reply.content;
                    asked.done.catch(() => {});
                    asked.dispose();
                }
            })()""",
            [code, expressions, 10_000 if self.loses_replies else 1000 * TIMEOUT],
        )

    def show(self, name: str) -> None:
        """Open a notebook of the server's folder; wait for its kernel."""
        if self._is_started:
            try:
                self._js(
                    "app.commands.execute('docmanager:open', { path: arg }).then(() => null)", name
                )
            except Error as error:
                # If a page is reused, Chromium sometimes drops a pending promise.
                if "garbage collected" not in str(error):
                    raise
                self._is_started = False
        if not self._is_started:
            self.page.goto(f"{self.server.url}/{self.server.tree}/{name}?reset")
        self._wait_for_kernel()

    def _wait_for_kernel(self) -> None:
        self.page.wait_for_function(
            "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status"
            " === 'idle'"
        )

    def kill_kernel(self) -> None:
        """Kills the kernel as an operating system does that runs out of memory."""
        self.page.evaluate(
            """() => {
                const { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session;
                kernel.requestExecute({ code: "import os; os.kill(os.getpid(), 9)" })
                    .done.catch(() => {});
            }"""
        )

    def ask_of_kernel(self, what: Literal["interrupt", "restart", "reconnect"]) -> None:
        """Runs a command of the kernel menu, and waits until it is done."""
        self._js(f"panel.sessionContext.session.kernel.{what}()")

    def assert_no_errors(self) -> None:
        """Asserts that the page has reported no error since the last call, and clears the list."""
        self.page.mouse.up()
        errors = list(self.errors)
        self.errors.clear()
        assert errors == []

    def save(self) -> None:
        """Saves the notebook as JupyterLab does, without the state of its widgets."""
        self._js("app.commands.execute('docmanager:save')")

    def set_theme(self, theme: Literal["light", "dark"]) -> None:
        name = f"JupyterLab {theme.capitalize()}"
        self._js("app.commands.execute('apputils:change-theme', { theme: arg })", name)
        self.page.wait_for_function("name => document.body.dataset.jpThemeName === name", arg=name)
        # After a change of the theme, the splash screen covers the page for a moment.
        self.page.locator("#jupyterlab-splash").wait_for(state="detached")

    def screenshot(self, path: Path, of: Locator | None = None) -> None:
        """Picture of the page, or of one element."""
        (of or self.page).screenshot(path=path, animations="disabled")

    def _js(self, expression: str, arg: object = None) -> Any:
        """Value of a JavaScript expression over ``app``, ``panel`` (the notebook) and ``arg``."""
        return self.page.evaluate(
            f"""(arg) => {{
                const app = window.jupyterapp, panel = app.shell.currentWidget;
                const late = new Promise((_, reject) => setTimeout(
                    () => reject(new Error("no answer in {TIMEOUT:.0f} s")), {TIMEOUT * 1000:.0f}));
                return Promise.race([{expression}, late]);
            }}""",
            arg,
        )
