"""The notebook bundle in a page whose host draws a view first and inserts it later.

The model is a stub that answers nothing: what is tested is the tree of the page, and what others do to it.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from data import evaluation_from_scores
from playwright.sync_api import Browser, expect
from served import Served
from view import View

from conformal_roc_widget import ROCWidget
from conformal_roc_widget.widget import script_holder
from conformal_roc_widget.wire.encoding import as_json

PAGE = """<!doctype html><meta charset=utf-8><title>A host</title><main></main>
<script type=module>
import widget from "./widget.js";
const bytes = (value) => Array.isArray(value) ? value.map(bytes)
    : value === null || typeof value !== "object" ? value
    : typeof value.base64 === "string"
        ? new DataView(Uint8Array.from(atob(value.base64), (each) => each.charCodeAt(0)).buffer)
        : Object.fromEntries(Object.entries(value).map(([name, each]) => [name, bytes(each)]));
const state = bytes(await (await fetch("./state.json")).json());
const reactions = new Map();
window.model = {
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; },
    on: (name, reaction) => reactions.set(name, [...(reactions.get(name) ?? []), reaction]),
    off: () => {}, send: () => {}, save_changes: () => {},
    tell: (name) => (reactions.get(name) ?? []).forEach((reaction) => reaction()),
};
const made = await widget();
await made.initialize({ model });
window.rendered = async (el) => { await made.render({ model, el }); return el; };
window.isReady = true;
</script>"""
#: Each host inserts its drawing at another place of the page. `el` is not in the page when it is
#: drawn.
HOSTS = {
    "its page": "document.querySelector('main').append(el);",
    "a shadow tree": """
        const host = document.querySelector("main").appendChild(document.createElement("div"));
        host.attachShadow({ mode: "open" }).append(el);""",
    "a shadow tree that is in no page yet": """
        const host = document.createElement("div");
        host.attachShadow({ mode: "open" }).append(el);
        await new Promise(requestAnimationFrame);
        document.querySelector("main").append(host);""",
    "one shadow tree, then another": """
        for (const name of ["section", "div"]) {
            const host = document.querySelector("main").appendChild(document.createElement(name));
            host.attachShadow({ mode: "open" }).append(el);
            await new Promise((on) => setTimeout(on, 100));
        }""",
    "a shadow tree that is emptied and filled again": """
        const host = document.querySelector("main").appendChild(document.createElement("div"));
        const root = host.attachShadow({ mode: "open" });
        root.append(el);
        await new Promise((on) => setTimeout(on, 100));
        root.replaceChildren();
        await new Promise((on) => setTimeout(on, 100));
        root.append(el);""",
}


class Hosted(Served):
    """A page with one chart, which the host has drawn and then inserted."""

    def put(self, place: str) -> View:
        self.page.wait_for_function("window.isReady")
        self.page.evaluate(
            f"""async () => {{
                const el = await window.rendered(document.createElement("div"));
                {place}
            }}"""
        )
        [view] = self.views(1)
        view.settle()
        return view


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made: Path = tmp_path_factory.mktemp("trees")
    widget = ROCWidget(evaluation_from_scores(2, n_calibration=400), band="both")
    shutil.copy(Path(script_holder.__file__).parents[1] / "static/widget.js", made)
    (made / "host.html").write_text(PAGE)
    state = {name: value for name, value in widget.get_state().items() if name != "_esm"}
    (made / "state.json").write_text(json.dumps(as_json(state) | {"_static": True}))
    return made


@pytest.fixture
def hosted(browser: Browser, folder: Path) -> Iterator[Hosted]:
    with Hosted(browser, folder, "host.html", viewport={"width": 1000, "height": 900}) as page:
        yield page


@pytest.mark.parametrize("place", HOSTS)
def test_a_view_that_is_drawn_before_it_is_in_its_tree_has_its_style_and_moves(
    hosted: Hosted, place: str
) -> None:
    view = hosted.put(HOSTS[place])
    assert view.root.bounding_box()["height"] < 1000, "nothing is laid out without the style"
    view.drag_slider("threshold", 0.3)
    view.settle()
    assert view.shown("threshold") == pytest.approx(0.3, abs=0.005)


def test_in_a_shadow_tree_help_and_full_screen_end_where_they_began(hosted: Hosted) -> None:
    """Document-level code sees the host of a shadow tree, but no element in it."""
    view = hosted.put(HOSTS["a shadow tree"])
    explain, help_ = view.part("toolbar-help"), view.root.locator(".crw-help")
    for is_open in (True, False):
        view.click(explain)
        expect(explain).to_have_attribute("aria-expanded", str(is_open).lower())
        assert (help_.inner_text() != "") == is_open
    for isOn in ("true", "false"):
        view.click(view.part("toolbar-more"))
        view.click(view.part("toolbar-fullscreen"))
        view.wait(f"root.matches(':fullscreen') === {isOn}")
    view.part("threshold").focus()
    hosted.page.set_viewport_size({"width": 500, "height": 900})
    view.wait("root.dataset.width === 'narrow'")
    assert view.part("threshold").evaluate("(e) => e.getRootNode().activeElement === e")


# Acts like a browser that translates a page: wraps each text in new elements.
TRANSLATE = """(root) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
        const { data, parentElement } = texts.currentNode;
        if (data.trim() !== "" && !parentElement.closest("[translate=no]")) found.push(texts.currentNode);
    }
    for (const text of found) {
        const [outer, inner] = [1, 2].map(() => document.createElement("font"));
        inner.textContent = text.data;
        outer.append(inner);
        text.replaceWith(outer);
    }
    return found.length;
}"""
READ = """(root) => [root.innerText, ...[...root.querySelectorAll("svg text")].map(
    (text) => text.textContent)].join("|").split(/[\\s|]+/)"""


def at_rest(view: View) -> list[str]:
    """All words of the page, after it has stopped changing."""
    words, before = view.root.evaluate(READ), None
    while words != before:
        view.page.wait_for_timeout(500)
        words, before = view.root.evaluate(READ), words
    return words


def test_numbers_move_on_in_a_page_that_is_translated(hosted: Hosted) -> None:
    view = hosted.put(HOSTS["its page"])
    view.part("all-figures").locator("summary").first.click()
    told = {}
    # Each threshold is set twice, because some results are computed in the background.
    for threshold in (0.3, 0.62, 0.3, 0.62, 0.3):
        view.drag_slider("threshold", threshold)
        view.settle()
        told[threshold] = at_rest(view)
    assert view.root.evaluate(TRANSLATE) > 100
    for threshold in (0.62, 0.3):
        view.drag_slider("threshold", threshold)
        view.settle()
        assert at_rest(view) == told[threshold]
        assert view.root.evaluate(TRANSLATE) > 10
