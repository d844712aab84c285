"""Charts in web pages, as the guide to sharing writes them: seen, moved, and linked without a kernel."""

import json
from pathlib import Path

import documents
import pytest
from agreement import assert_same
from lab import Lab
from page import Hand, known
from playwright.sync_api import Browser
from served import Served
from spoken import rate
from view import View

from conformal_roc_widget import ROCWidget

# A host as MyST's theme is one: a model that only gets, sets and listens, and a shadow root with the style.
MYST_HOST = """<!doctype html><meta charset="utf-8"><title>A book</title><body><script type="module">
const node = {node};
class Model {{
  constructor(state) {{ this.state = state; }}
  get(name) {{ return this.state[name]; }}
  set(name, value) {{ this.state[name] = value; }}
  on() {{}}
}}
const {{ default: widget }} = await import(node.esm);
const place = document.body.appendChild(document.createElement("div"));
const root = place.attachShadow({{ mode: "open" }});
const el = root.appendChild(document.createElement("div"));
const style = Object.assign(document.createElement("link"), {{ rel: "stylesheet", href: node.css }});
root.append(style);
const model = new Model(node.model);
await widget.initialize?.({{ model }});
await widget.render({{ model, el }});
</script>"""


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, object]]:
    """The folder in which the code of the guide has run, and its names."""
    folder = tmp_path_factory.mktemp("guide")
    text = (documents.ROOT / "docs/sharing.md").read_text()
    names: dict[str, object] = {"__name__": "__main__"}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for number, block in enumerate(documents.blocks(text), start=1):
            documents.run("sharing.md", number, block, names)
    return folder, names


def agrees(view: View, widget: ROCWidget, moves: int) -> None:
    """What the page draws is what Python computes, wherever it is moved."""
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
            views[mover].settle()  # the page draws a key with its next frame
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
            assert rate(point.tpr) in drawn["spoken"]
            assert rate(point.fpr) in drawn["spoken"]


def test_a_host_of_mysts_directive_shows_a_chart_that_moves(guide: tuple, browser: Browser) -> None:
    folder, names = guide
    first, style, _, model, _ = (
        (folder / "book/tumours.md").read_text().partition("\n\n")[2].splitlines()
    )
    node = {
        "esm": f"./{first.removeprefix(':::{anywidget} ')}",
        "css": style.removeprefix(":css: "),
        "model": json.loads(model),
    }
    page = MYST_HOST.format(node=json.dumps(node).replace("<", "\\u003c"))
    (folder / "book/index.html").write_text(page)
    with Served(browser, folder / "book", "index.html") as served:
        (view,) = served.views(1)
        agrees(view, names["widget"], 10)


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
    from hosts import WIDGET_CELL

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
