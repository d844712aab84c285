"""The plot and both tracks are on one screen while a slider is dragged."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from data import evaluation_from_scores
from lab import Lab
from lab_server import Server
from page import Opened
from playwright.sync_api import Browser
from view import EXAMPLES, View, show

from conformal_roc_widget import ROCWidget

SIZES = [
    (1280, 620),
    (1280, 800),
    (1366, 650),
    (1440, 780),
    (720, 800),
    (640, 800),
    (390, 844),
]

# The share of each part that can be seen, within whatever scrolls.
SHARES = """(root) => {
    const view = { top: 0, bottom: innerHeight, left: 0, right: innerWidth };
    for (let e = root.parentElement; e; e = e.parentElement) {
        if (getComputedStyle(e).overflowY === "visible" || e === document.body) continue;
        if (e === document.documentElement) continue;
        const box = e.getBoundingClientRect();
        for (const side of ["top", "left"]) view[side] = Math.max(view[side], box[side]);
        for (const side of ["bottom", "right"]) view[side] = Math.min(view[side], box[side]);
    }
    const share = (name) => {
        const box = root.querySelector(`[data-testid="${name}"]`).getBoundingClientRect();
        const seen = (from, to) => Math.max(0, Math.min(box[to], view[to]) - Math.max(box[from], view[from]));
        return seen("top", "bottom") * seen("left", "right") / (box.width * box.height);
    };
    const names = ["plot", "alpha-track", "threshold-track"];
    return Object.fromEntries(names.map((name) => [name, Math.round(1000 * share(name)) / 1000]));
}"""


def shares_while_dragging(view: View, name: str) -> dict[str, Any]:
    """The least shares that are seen while a slider is dragged that the browser has scrolled to."""
    view.page.evaluate("document.activeElement.blur()")
    view.part(name).focus()
    view.frames()
    track = view.part(f"{name}-track").bounding_box()
    thumb = view.part(name).bounding_box()
    mouse, y = view.page.mouse, track["y"] + track["height"] / 2
    mouse.move(thumb["x"] + thumb["width"] / 2, y)
    mouse.down()
    seen = []
    for share in (0.95, 0.6, 0.75, 0.45):
        mouse.move(track["x"] + share * track["width"], y, steps=3)
        view.frames()
        seen.append(view.root.evaluate(SHARES))
    mouse.up()
    return {part: min(each[part] for each in seen) for part in seen[0]}


WHOLE = {"plot": 1, "alpha-track": 1, "threshold-track": 1}


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_in_a_file(width: int, height: int, tmp_path: Path, browser: Browser) -> None:
    widget = ROCWidget(evaluation_from_scores(2, n_calibration=400))
    size = {"width": width, "height": height}
    with Opened(
        browser, widget.to_html(tmp_path / "a.html", title="A chart"), viewport=size
    ) as opened:
        view = opened.view()
        for name in ("alpha", "threshold"):
            assert shares_while_dragging(view, name) == WHOLE
            opened.page.evaluate("scrollTo(0, document.body.scrollHeight)")
            assert shares_while_dragging(view, name) == WHOLE


@pytest.fixture(scope="module")
def notebook(server: Server, browser: Browser) -> Iterator[Lab]:
    with Lab(server, browser, apart=True) as lab:
        lab.open(["", ""])
        lab.execute(EXAMPLES)
        yield lab


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_in_jupyterlab(width: int, height: int, notebook: Lab) -> None:
    notebook.page.set_viewport_size({"width": width, "height": height})
    view = show(notebook, "widget = example(400)\nwidget")
    if width < 600:  # a phone has no room for the sidebar
        notebook.page.keyboard.press("Control+b")
        view.frames()
        view.rest()
    for name in ("alpha", "threshold"):
        assert shares_while_dragging(view, name) == WHOLE
        view.rest()
