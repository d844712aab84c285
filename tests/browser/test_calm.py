"""A drag moves what it sets, and nothing else."""

from pathlib import Path

import pytest
from data import evaluation_from_scores
from page import Open, Opened
from parts import with_quick
from playwright.sync_api import Browser
from view import View

from conformal_roc_widget import ROCWidget

# Notes after each frame where every box is, and how large, of all that a hand does not move, and whether all numbers
# that name the setting are the same; the list of places that any of them has had, where that is more than one.
WATCH_FRAMES = """(root) => {
    const moving = ".crw-thumb, .crw-handle, .crw-handle *, .crw-threshold-line, .crw-shade-words, .crw-mark, .crw-mark *," +
        ".crw-track > *, .crw-plot *, .crw-strip > svg *, .crw-bar-cell svg *, .crw-hidden, .crw-hidden *, .crw-tip";
    // Words change in their box: what they stand in must not.
    const isWord = (e) => e.matches("span, b, svg, path") || e.closest("option");
    const boxes = [...root.querySelectorAll("*")].filter((e) =>
        !e.matches(moving) && !isWord(e) && !e.closest("details:not([open]) > :not(summary)"));
    const box = (e) => { const { x, y, width, height } = e.getBoundingClientRect();
        return [x, y, width, height].map((value) => Math.round(10 * value) / 10).join(" "); };
    const first = new Map(boxes.map((e) => [e, box(e)]));
    const seen = root.seen = { moved: {}, frames: 0, said: [] };
    // The level and the threshold as the sliders, the answer and the call-out say them.
    const words = (name) => root.querySelector(name).textContent.replaceAll("\u00a0", " ");
    const note = () => {
        seen.frames += 1;
        const [level, threshold] = ["confidence", "threshold"].map((name) => words(`.crw-${name} .crw-value`));
        const answer = words(".crw-answer"), callout = words(".crw-callout-line");
        if (!answer.startsWith(`At threshold ${threshold},`) || !answer.includes(`(${level})`) ||
            callout !== `threshold ${threshold}`) seen.said.push([level, threshold, answer, callout]);
        for (const [e, place] of first) {
            const now = box(e);
            if (now !== place) seen.moved[`${e.tagName} ${e.className?.baseVal ?? e.className}: ${place}`] = now;
        }
        requestAnimationFrame(note);
    };
    note();
}"""

STEPS = 30
SIZES = [(390, 844), (720, 900), (848, 844), (880, 800), (1000, 800), (1280, 620), (1440, 900)]


def drag(view: View, name: str) -> None:
    """The slider is dragged over all of its track, through missing limits too."""
    track = view.part(f"{name}-track").bounding_box()
    thumb = view.part(name).bounding_box()
    mouse, y = view.page.mouse, track["y"] + track["height"] / 2
    mouse.move(thumb["x"] + thumb["width"] / 2, y)
    mouse.down()
    for step in range(STEPS):
        mouse.move(track["x"] + track["width"] * (0.02 + 0.96 * step / STEPS), y)
        view.frames()
    mouse.up()
    view.settle()


@pytest.mark.parametrize(("width", "height"), with_quick(SIZES, [SIZES[0], SIZES[6]]))
def test_no_box_moves_while_a_slider_is_dragged(width: int, height: int, alone: Open) -> None:
    evaluation = evaluation_from_scores(2, n_calibration=90)
    widget = ROCWidget(evaluation, band="both", comparators=("bootstrap", "ks"))
    view = alone(widget, viewport={"width": width, "height": height})
    view.part("alpha").scroll_into_view_if_needed()
    view.frames()
    view.root.evaluate(WATCH_FRAMES)
    drag(view, "alpha")
    drag(view, "threshold")
    seen = view.root.evaluate("(root) => root.seen")
    assert seen["frames"] >= 2 * STEPS
    assert seen["moved"] == {}
    assert seen["said"] == []


PLACES = """(root) => Object.fromEntries(
    [".crw-header", ".crw-question", ".crw-answer", ".crw-key", ".crw-plot", ".crw-confidence", ".crw-threshold",
     ".crw-strips-place", ".crw-numbers", ".crw-promise"].map((name) => {
        const { x, y, width, height } = root.querySelector(name).getBoundingClientRect();
        return [name, [x, y, width, height]]; }))"""


@pytest.mark.parametrize("size", [(390, 844), (1000, 800)], ids=str)
def test_another_view_or_question_moves_no_box(size: tuple[int, int], alone: Open) -> None:
    widget = ROCWidget(evaluation_from_scores(2, n_calibration=400))
    viewport = dict(zip(("width", "height"), size, strict=True))
    view = alone(widget, viewport=viewport)
    places = view.root.evaluate(PLACES)
    for kind in ("precision_recall", "reliability", "net_benefit", "roc"):
        view.part("views").select_option(kind)
        view.settle()
        assert view.root.evaluate(PLACES) == places
    for band in ("sampling", "ideal", "both"):
        view.choose(band)
        view.settle()
        assert view.root.evaluate(PLACES) == places


def test_the_key_names_what_is_drawn_and_switches_it(alone: Open) -> None:
    widget = ROCWidget(evaluation_from_scores(2, n_calibration=400))
    view = alone(widget)
    names = view.part("key").locator("span")
    rates = ["ideal sensitivity", "ideal specificity"]
    assert [each for each in names.all_inner_texts() if each in rates] == rates
    view.choose("both")
    assert [view.part(f"band-{name}").is_visible() for name in ("sensitivity", "specificity")] == [
        True,
        True,
    ]
    view.choose("specificity")
    assert not view.part("band-sensitivity").is_visible()
    view.part("key").locator("[value=specificity]").click()
    view.settle()
    assert view.band == "specificity", "one stays on"
    view.choose("sampling")
    assert view.part("band-sampling").is_visible()
    assert {"the curve", "this threshold’s rates"} <= set(names.all_inner_texts())


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
