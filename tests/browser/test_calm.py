"""A drag moves what it sets, and nothing else."""

from pathlib import Path
from typing import Any

import pytest
from data import evaluation_from_scores
from page import Opened
from playwright.sync_api import Browser
from view import View

from conformal_roc_widget import ROCWidget

# Notes after each frame where captions and tracks are; what was noted is the list of places that differ.
WATCH_FRAMES = """(root) => {
    const box = (e) => { const { x, y } = e.getBoundingClientRect(); return [x, y].map(Math.round).join(" "); };
    const look = () => {
        const captions = [...root.querySelectorAll(".crw-plot .crw-halo")]
            .filter((e) => /classifier|conformal band|band, |limit/.test(e.textContent))
            .map((e) => `${e.textContent.replace(/[\\d.]+\\s%/, "")} ${box(e)}`);
        const tracks = ["alpha-track", "threshold-track"].map((name) =>
            box(root.querySelector(`[data-testid="${name}"]`)));
        return { captions: captions.sort().join(" | "), tracks: tracks.join(" | ") };
    };
    const seen = root.seen = { captions: [], tracks: [], frames: 0 };
    const note = () => {
        const now = look();
        seen.frames += 1;
        for (const name of ["captions", "tracks"])
            if (seen[name].at(-1) !== now[name]) seen[name].push(now[name]);
        requestAnimationFrame(note);
    };
    note();
}"""

STEPS = 90


def drag(view: View, name: str) -> dict[str, Any]:
    """The slider is dragged over the part of its track where both limits exist, in so many steps."""
    track = view.part(f"{name}-track").bounding_box()
    thumb = view.part(name).bounding_box()
    mouse, y = view.page.mouse, track["y"] + track["height"] / 2
    mouse.move(thumb["x"] + thumb["width"] / 2, y)
    mouse.down()
    view.frames()
    view.root.evaluate(WATCH_FRAMES)
    for step in range(STEPS):
        mouse.move(track["x"] + track["width"] * (0.55 + 0.4 * step / STEPS), y)
        view.frames()
    seen: dict[str, Any] = view.root.evaluate("(root) => root.seen")
    mouse.up()
    return seen


@pytest.mark.parametrize("width", [390, 848, 1440])
@pytest.mark.parametrize("name", ["alpha", "threshold"])
def test_no_caption_and_no_track_moves_during_a_drag(
    name: str, width: int, tmp_path: Path, browser: Browser
) -> None:
    widget = ROCWidget(evaluation_from_scores(2, n_calibration=400), band="both")
    size = {"width": width, "height": 844}
    with Opened(browser, widget.to_html(tmp_path / "a.html"), viewport=size) as opened:
        view = opened.view()
        seen = drag(view, name)
        assert seen["frames"] >= STEPS
        assert len(seen["tracks"]) == 1
        assert len(seen["captions"]) == 1
        assert (seen["captions"] == [""]) == (width < 420)
        assert view.part("key").is_visible() == (width < 420)


def test_the_key_names_what_is_drawn(tmp_path: Path, browser: Browser) -> None:
    widget = ROCWidget(evaluation_from_scores(2, n_calibration=400))
    size = {"width": 390, "height": 844}
    with Opened(browser, widget.to_html(tmp_path / "a.html"), viewport=size) as opened:
        view = opened.view()
        names = view.part("key").locator("[role=listitem]")
        assert names.all_inner_texts() == [
            "classifier",
            "ideal recalibration, same threshold",
            "chance",
        ]
        view.choose("both")
        view.frames()
        assert names.all_inner_texts() == [
            "classifier",
            "ideal recalibration’s sensitivity",
            "ideal recalibration’s specificity",
            "chance",
        ]


def test_ctrl_z_takes_back_one_setting_after_the_other(tmp_path: Path, browser: Browser) -> None:
    widget = ROCWidget(evaluation_from_scores(2, n_calibration=400))
    with Opened(browser, widget.to_html(tmp_path / "a.html")) as opened:
        view = opened.view()

        def state() -> tuple[Any, ...]:
            drawn = view.drawing()
            return drawn["alpha"], drawn["threshold"], drawn["band"]

        first = state()
        view.drag_slider("alpha", 0.2)
        second = state()
        assert second != first
        view.choose("both")
        view.frames()
        third = state()
        view.part("threshold").focus()
        view.page.keyboard.press("PageUp")
        view.frames()
        for before in (third, second, first, first):
            view.page.keyboard.press("Control+z")
            view.frames()
            assert state() == before
        view.drag_slider("threshold", 0.7)
        moved = state()
        reset = view.part("toolbar-reset")
        assert reset.get_attribute("title") == "Reset"
        reset.click()
        view.frames()
        assert state() == first
        assert reset.get_attribute("title") == "Reset, undo"
        reset.click()
        view.frames()
        assert state() == moved
        assert reset.get_attribute("title") == "Reset"


# A frame that comes late: the point sets off when its easing is nearly over.
LATE = """async (root) => {
    const point = root.querySelector(".crw-point");
    const from = point.getBoundingClientRect().x;
    root.toggleAttribute("data-easing", true);
    getComputedStyle(point).transform;
    point.setAttribute("transform", "translate(300 200)");
    while (point.getBoundingClientRect().x === from) await new Promise(requestAnimationFrame);
    root.toggleAttribute("data-easing", false);
    const end = point.getBoundingClientRect().x;
    await new Promise((done) => setTimeout(done, 300));
    return { end, rest: point.getBoundingClientRect().x };
}"""


def test_where_the_easing_ends_everything_has_arrived(tmp_path: Path, browser: Browser) -> None:
    widget = ROCWidget(evaluation_from_scores(n_calibration=300, n_test=120))
    with Opened(browser, widget.to_html(tmp_path / "a.html")) as opened:
        seen = opened.view().root.evaluate(LATE)
    assert seen["end"] == seen["rest"]
