"""Plot and sliders fit on one screen while a slider is dragged."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import CASES, shown
from data import evaluation_from_scores, fit_explicit, logistic_sample
from lab import Lab
from lab_server import Server
from page import Opened
from parts import with_quick
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

# Measures which share of each part is visible, considering all scrolled containers.
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
    """Smallest visible share of each part during a drag, after the browser has scrolled to the
    slider.
    """
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


@pytest.mark.parametrize(("width", "height"), with_quick(SIZES, [SIZES[0], SIZES[6]]))
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


LOW = ["two populations", "samples", "folds", "three classes", "one label without limits"]
SIZES_OF_LOW = [(1280, 620), (1366, 657)]


@pytest.mark.parametrize("name", with_quick(LOW, [LOW[0], LOW[4]]))
def test_on_a_low_screen_sentence_plot_and_sliders_are_whole(
    name: str, tmp_path: Path, browser: Browser
) -> None:
    case = CASES[name]
    widget = ROCWidget(shown(name), kind=case.kind, alpha=case.alpha)
    for width, height in SIZES_OF_LOW:
        size = {"width": width, "height": height}
        with Opened(browser, widget.to_html(tmp_path / "a.html"), viewport=size) as opened:
            view = opened.view()
            view.frames()
            for part in ("answer", "plot", "alpha-track", "threshold-track"):
                box = view.part(part).bounding_box()
                assert box["y"] >= 0
                assert box["y"] + box["height"] <= height, part


# Measures how far the text of each choice overflows its frame, and how far the frame overflows the
# widget or overlaps the parts below it.
OVERHANGS = """(root) => {
    const widget = root.getBoundingClientRect();
    const below = [".crw-plot", ".crw-modules"]
        .map((name) => root.querySelector(name).getBoundingClientRect().top);
    const frames = [...root.querySelectorAll(".crw-segments")].filter((e) => e.getClientRects().length);
    return frames.flatMap((frame) => {
        const { left, right, bottom } = frame.getBoundingClientRect();
        const ends = [...frame.querySelectorAll("label")].map((label) => {
            const words = document.createRange();
            words.selectNodeContents(label);
            return words.getBoundingClientRect().right - right;
        });
        return [...ends, right - widget.right, widget.left - left, ...below.map((top) => bottom - top)];
    });
}"""


@pytest.mark.parametrize("size", [(960, 700), (1280, 620), (1440, 620)], ids=str)
def test_choices_keep_their_room_beside_a_low_screens_plot(
    size: tuple[int, int], tmp_path: Path, browser: Browser
) -> None:
    parts = [logistic_sample(np.random.default_rng(seed), 200)[:2] for seed in range(3)]
    page = ROCWidget(fit_explicit(parts).evaluate(*parts[2])).to_html(tmp_path / "a.html")
    viewport = dict(zip(("width", "height"), size, strict=True))
    with Opened(browser, page, viewport=viewport) as opened:
        view = opened.view()
        assert view.part("question").locator("label:visible").count() == 3
        assert max(view.root.evaluate(OVERHANGS)) <= 0


@pytest.fixture(scope="module")
def notebook(server: Server, browser: Browser) -> Iterator[Lab]:
    with Lab(server, browser, apart=True) as lab:
        lab.open(["", ""])
        lab.execute(EXAMPLES)
        yield lab


@pytest.mark.thorough
@pytest.mark.parametrize(("width", "height"), [SIZES[0], SIZES[-1]])
def test_in_jupyterlab(width: int, height: int, notebook: Lab) -> None:
    notebook.page.set_viewport_size({"width": width, "height": height})
    view = show(notebook, "widget = example(400)\nwidget")
    if width < 600:  # a phone is too narrow for the sidebar
        notebook.page.keyboard.press("Control+b")
        view.frames()
        view.rest()
    for name in ("alpha", "threshold"):
        assert shares_while_dragging(view, name) == WHOLE
        view.rest()
