"""A drag moves only what depends on its value."""

from pathlib import Path

import pytest
from data import evaluation_from_scores
from page import Open, Opened
from playwright.sync_api import Browser

from conformal_roc_widget import ROCWidget
from conformal_roc_widget.words import words

PLACES = """(root, names) => Object.fromEntries(names.map((name) => {
    const { x, y, width, height } = root.querySelector(name).getBoundingClientRect();
    return [name, [x, y, width, height]]; }))"""
#: Parts above the plot, and the choices of view and question. On a phone the questions are below
#: the table.
ABOVE = [".crw-header", ".crw-answer", ".crw-goal"]
BOXES = {
    (390, 844): ABOVE,
    (1000, 800): [*ABOVE, ".crw-question", ".crw-key", ".crw-plot", ".crw-confidence .crw-track"],
}


@pytest.mark.parametrize("size", BOXES, ids=str)
def test_another_view_or_question_moves_no_box(size: tuple[int, int], alone: Open) -> None:
    widget = ROCWidget(evaluation_from_scores(2, n_calibration=400))
    viewport = dict(zip(("width", "height"), size, strict=True))
    view = alone(widget, viewport=viewport)
    places = view.root.evaluate(PLACES, BOXES[size])
    for kind in ("precision_recall", "reliability", "net_benefit", "roc"):
        view.part("views").select_option(kind)
        view.settle()
        assert view.root.evaluate(PLACES, BOXES[size]) == places
    for band in ("sampling", "ideal", "both"):
        view.choose(band)
        view.settle()
        assert view.root.evaluate(PLACES, BOXES[size]) == places


def test_the_key_names_what_is_drawn_and_switches_it(alone: Open) -> None:
    widget = ROCWidget(evaluation_from_scores(2, n_calibration=400))
    view = alone(widget)
    names = view.part("key").locator("span")
    rates = ["conformal, sensitivity", "conformal, specificity"]
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
    assert words("key.rates_exact") in names.all_inner_texts()


# Delays a frame until the easing is nearly over.
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
