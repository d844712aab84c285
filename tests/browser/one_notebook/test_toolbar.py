"""The toolbar: files, the line of Python, the whole screen, reset."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from lab import Lab
from layout import assert_fits
from playwright.sync_api import expect
from view import View, call_of

SVG = "{http://www.w3.org/2000/svg}"


def download(view: View, kind: str, folder: Path) -> Path:
    view.click(view.part("toolbar-download"))
    with view.page.expect_download() as waiting:
        view.click(view.part(f"download-{kind}"))
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    expect(view.part(f"download-{kind}"), "the menu is closed").to_be_hidden()
    return path


def click_seldom(view: View, name: str) -> None:
    """Press what is wanted seldom, behind the last button."""
    if not view.part(f"toolbar-{name}").is_visible():
        view.click(view.part("toolbar-more"))
    view.click(view.part(f"toolbar-{name}"))


def assert_facts(facts: dict[str, Any], kernel: dict[str, Any]) -> None:
    n, calibrated = kernel["n_test"], kernel["n_calibration"]
    told = {name: str(value) for name, value in facts.items()}
    assert float(told["alpha"]) == kernel["alpha"]
    assert float(told["threshold"]) == kernel["threshold"]
    assert told["band"] == kernel["band"]
    for label in (0, 1):
        assert told[f"n, label {label} ({label})"] == str(n[label])
        assert told[f"n calibration, label {label}"] == str(calibrated[label])
    assert "conformal" in told["method"]
    assert [told["target"], told["scope"], told["guarantee"]] == kernel["words"]


def test_the_svg_is_xml_that_says_how_it_was_made_and_draws_the_band(
    view: View, tmp_path: Path
) -> None:
    view.drag_slider("alpha", 0.1)
    view.rest()
    kernel, drawn = view.assert_agrees(), view.drawing()
    path = download(view, "svg", tmp_path)
    assert path.name == "roc-alpha-0.1.svg"
    root = ElementTree.parse(path).getroot()
    assert root.tag == f"{SVG}svg"
    assert "90 %" in root.find(f"{SVG}title").text
    assert root.find(f"{SVG}desc").text == view.words(".crw-answer p")
    assert_facts(json.loads(root.find(f"{SVG}metadata").text), kernel)
    paths = {element.get("d") for element in root.iter(f"{SVG}path")}
    assert {drawn[name]["d"] for name in ("roc", "sensitivity", "specificity")} <= paths
    for element in root.iter():
        assert not {"class", "style", "onload"} & set(element.attrib)
    texts = " ".join("".join(text.itertext()) for text in root.iter(f"{SVG}text"))
    assert "AUC" in texts


def test_the_copied_line_rebuilds_this_state_in_python(view: View, lab: Lab) -> None:
    view.choose("specificity")
    kernel = view.kernel()
    vertex = (kernel["fpr"][33], kernel["tpr"][33])
    view.drag(view.on_plot(kernel["point"]["fpr"], kernel["point"]["tpr"]), view.on_plot(*vertex))
    view.drag_slider("alpha", 0.074)
    view.rest()
    click_seldom(view, "copy")
    expect(view.part("toolbar-copy")).to_have_text("Copied")
    copied = lab.page.evaluate("navigator.clipboard.readText()")
    call = call_of(copied)
    assert lab.kernel(f"repr((lambda evaluation: {call})(widget.evaluation))") == lab.kernel(
        "repr(widget)"
    )
    state = "[w.alpha, w.threshold, w.band, w.label, w.weights]"
    rebuilt = lab.kernel(f"(lambda w: {state})((lambda evaluation: {call})(widget.evaluation))")
    assert rebuilt == lab.kernel(f"(lambda w: {state})(widget)")
    assert rebuilt[:3] == [0.074, kernel["thresholds"][33], "specificity"]
    expect(view.part("toolbar-copy")).to_have_text("Copy as Python")


def test_the_whole_screen_is_taken_and_given_back(view: View, lab: Lab) -> None:
    before = view.square()
    on = "document.fullscreenElement?.dataset.testid === 'crw'"
    click_seldom(view, "fullscreen")
    lab.page.wait_for_function(on)
    try:
        check_full_screen(view, before)
    finally:
        lab.page.evaluate("document.exitFullscreen()")
    wait_for_square(view, before)
    view.assert_agrees()


# The window has another size once it is told to, and the chart once it has seen that.
FILLS = """(({ x, y, width, height }) =>
    x === 0 && y === 0 && width === innerWidth && height === innerHeight)(root.getBoundingClientRect())"""


def wait_for_square(view: View, square: tuple[float, float, float]) -> None:
    """Until the plot is where and as large as it was."""
    size = "root.querySelector('[data-testid=plot]').dataset"
    names = zip(("x0", "y0", "size"), square, strict=True)
    view.wait(" && ".join(f"Number({size}.{name}) === {value}" for name, value in names))


def check_full_screen(view: View, before: tuple[float, float, float]) -> None:
    view.wait(
        f"{FILLS} && Number(root.querySelector('[data-testid=plot]').dataset.size) > {before[2]}"
    )
    assert_fits(view)
    view.drag_slider("alpha", 0.2)
    view.rest()
    view.assert_agrees()
    click_seldom(view, "fullscreen")
    view.page.wait_for_function("document.fullscreenElement === null")
    click_seldom(view, "fullscreen")
    view.page.wait_for_function("document.fullscreenElement !== null")


def test_where_full_screen_is_forbidden_it_covers_the_page_until_escape(
    view: View, lab: Lab
) -> None:
    before = view.square()
    view.root.evaluate("(root) => { root.requestFullscreen = () => Promise.reject(new Error()); }")
    click_seldom(view, "fullscreen")
    view.wait(f"root.classList.contains('crw-overlay') && {FILLS}")
    box = view.root.bounding_box()
    for x, y in (
        (box["x"] + 2, box["y"] + 2),
        (box["x"] + box["width"] - 2, box["y"] + box["height"] - 2),
    ):
        top = "([x, y]) => document.elementFromPoint(x, y).closest('[data-testid=crw]') !== null"
        assert lab.page.evaluate(top, [x, y]), "nothing lies over it"
    view.drag_slider("threshold", 0.4)
    view.rest()
    view.assert_agrees()
    lab.page.keyboard.press("Escape")
    wait_for_square(view, before)
    view.root.evaluate("(root) => { delete root.requestFullscreen; }")
