"""What stands beside the plot, and what can be done with it: strips, menu, figures, notes, toolbar."""

import csv
import json
import math
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from lab import Lab, Server
from playwright.sync_api import Browser, Locator, expect
from view import (
    EXAMPLES,
    LAYOUT,
    View,
    assert_fits,
    between,
    misfits_of,
    rate,
    show,
    threshold_text,
)

VIEWPORT = {"width": 1700, "height": 1300}
SVG = "{http://www.w3.org/2000/svg}"
ALPHAS = [i / 1000 for i in range(1, 101)] + [i / 1000 for i in range(105, 501, 5)]


@pytest.fixture(scope="module")
def notebook(server: Server, browser: Browser) -> Iterator[Lab]:
    permissions = ["clipboard-read", "clipboard-write"]
    with Lab(server, browser, viewport=VIEWPORT, permissions=permissions) as lab:
        lab.open([""])
        lab.execute(EXAMPLES)
        yield lab


@pytest.fixture
def lab(notebook: Lab) -> Iterator[Lab]:
    """The notebook; the page must report no error meanwhile."""
    yield notebook
    notebook.page.mouse.up()
    errors = list(notebook.errors)
    notebook.errors.clear()
    assert errors == []


@pytest.fixture(scope="module")
def shown(notebook: Lab) -> View:
    return show(notebook, "widget = example(band='both')\nwidget")


@pytest.fixture
def view(lab: Lab, shown: View) -> View:
    """The same widget for many tests, at its start."""
    lab.execute("widget.alpha, widget.threshold, widget.band = 0.05, 0.5, 'both'")
    shown.wait_for(alpha=0.05, threshold=0.5)
    shown.wait_for_band("both")
    return shown


# ---- residuals and scores

HANDLES = [(label, side) for label in (0, 1) for side in ("lower", "upper")]


@pytest.mark.parametrize(("label", "side"), HANDLES)
def test_an_order_statistic_that_is_dragged_sets_alpha(
    view: View, lab: Lab, label: int, side: str
) -> None:
    x, y = view.on_handle(label, side)
    view.drag((x, y), (x, y + 3))
    view.rest()
    assert view.shown("alpha") == 0.05, "a press takes hold of it and moves nothing"
    inwards = 1 if side == "lower" else -1
    view.grasp((x, y))
    alphas, places = [0.05], [x]
    for pixels in (5, 12, 200):
        lab.page.mouse.move(x + inwards * pixels, y, steps=3)
        view.rest()
        kernel = view.assert_agrees()
        alphas.append(kernel["alpha"])
        places.append(inwards * view.on_handle(label, side)[0])
        assert kernel["quantiles"] == lab.kernel(
            "[__import__('conformal_roc_widget').conformal_quantiles("
            "widget.evaluation.residuals[k], widget.alpha) for k in (0, 1)]"
        )
    assert alphas == sorted(alphas)
    assert 0.05 < alphas[1] in ALPHAS
    assert alphas[-1] == 0.5, "further in no handle goes"
    assert places[1:] == sorted(places[1:])
    lab.page.mouse.move(x - inwards * 10, y, steps=3)
    lab.page.mouse.up()
    view.rest()
    assert view.assert_agrees()["alpha"] < 0.05
    assert view.shown("alpha") == lab.kernel("widget.alpha")


@pytest.mark.parametrize(("label", "side"), HANDLES)
def test_the_keys_lead_to_the_next_order_statistic(
    view: View, lab: Lab, label: int, side: str
) -> None:
    place = ("lower", "upper").index(side)
    statistics = lab.kernel(
        "[__import__('conformal_roc_widget').conformal_quantiles("
        f"widget.evaluation.residuals[{label}], a)[{place}] for a in {ALPHAS}]"
    )
    here = ALPHAS.index(0.05)
    view.handle(label, side).focus()
    for key, sign in (("ArrowRight", 1), ("ArrowUp", 1), ("ArrowLeft", -1), ("ArrowDown", -1)):
        step = sign if side == "lower" else -sign
        there = here
        while statistics[there] == statistics[here]:
            there += step
        assert (statistics[there] > statistics[here]) == (sign > 0)
        lab.page.keyboard.press(key)
        view.rest()
        assert view.assert_agrees()["alpha"] == ALPHAS[there], key
        here = there
    for key, alpha in (("Home", 0.001), ("End", 0.5)):
        lab.page.keyboard.press(key)
        view.rest()
        assert view.assert_agrees()["alpha"] == (
            alpha if side == "lower" else {0.001: 0.5, 0.5: 0.001}[alpha]
        )


def ticks_of(module: Locator) -> tuple[np.ndarray, np.ndarray]:
    """Values and places on the page of a strip's ticks."""
    found = module.locator(".crw-strip-axis .crw-ticks").first.evaluate(
        """(ticks) => [...ticks.children].map((tick) => [
            tick.textContent, ticks.getBoundingClientRect().left + parseFloat(tick.style.left)])"""
    )
    values = [float(text.replace("−", "-")) for text, _ in found]
    return np.array(values), np.array([x for _, x in found])


def dots(strip: Locator, kind: str) -> int:
    return strip.locator(f".crw-marks{kind}").get_attribute("d").count("M")


def beyond(strip: Locator) -> int:
    words = " ".join(strip.locator(".crw-beyond").all_text_contents())
    return sum(int(number) for number in words.replace("‹", " ").replace("›", " ").split())


def test_the_strips_hold_each_residual_once_and_the_handles_stand_at_theirs(view: View) -> None:
    for alpha in (0.05, 0.3):
        view.drag_slider("alpha", alpha)
        view.rest()
        kernel = view.assert_agrees()
        values, places = ticks_of(view.root.locator(".crw-significance"))
        slope, start = np.polyfit(values, places, 1)
        for label in (0, 1):
            strip = view.part(f"residual-strip-{label}")
            n = kernel["n_calibration"][label]
            inside, outside = dots(strip, ":not(.crw-faint)"), dots(strip, ".crw-faint")
            assert inside + outside + beyond(strip) == n
            low, high = kernel["quantiles"][label]
            residuals = view.lab.kernel(f"widget.evaluation.residuals[{label}]")
            assert inside == sum(low <= residual <= high for residual in residuals)
            for side, residual in zip(("lower", "upper"), (low, high), strict=True):
                line = view.handle(label, side).locator(".crw-grip").bounding_box()
                middle = line["x"] + line["width"] / 2
                assert middle == pytest.approx(start + slope * residual, abs=1.5)


def test_the_threshold_parts_the_scores_and_its_shade_holds_the_undecided(view: View) -> None:
    for threshold in (0.5, 0.2, 0.95):
        view.drag_slider("threshold", threshold)
        view.rest()
        kernel = view.assert_agrees()
        values, places = ticks_of(view.root.locator(".crw-threshold"))
        slope, start = np.polyfit(values, places, 1)
        line = view.root.locator(".crw-threshold-line").bounding_box()
        assert line["x"] + line["width"] / 2 == pytest.approx(start + slope * threshold, abs=1)
        for label, names in enumerate((("fp", "tn"), ("tp", "fn"))):
            strip = view.part(f"score-strip-{label}")
            counts = [dots(strip, ":not(.crw-faint)"), dots(strip, ".crw-faint")]
            assert counts == [kernel["point"][name] for name in names]
            shade = strip.locator(".crw-strip-shade").bounding_box()
            centre = math.log(threshold / (1 - threshold))
            ends = [1 / (1 + math.exp(q - centre)) for q in kernel["quantiles"][label][::-1]]
            expected = [start + slope * end for end in ends]
            found = [shade["x"], shade["x"] + shade["width"]]
            np.testing.assert_allclose(found, expected, atol=1)


# ---- jumps


def naive_targets(lab: Lab) -> dict[str, float]:
    """Each threshold that the scores offer is tried."""
    labels, scores = lab.kernel("[widget.evaluation.labels, widget.evaluation.scores]")
    n1 = sum(labels)
    rows = []
    for threshold in sorted({*scores, 1.0}, reverse=True):
        called = [label for label, score in zip(labels, scores, strict=True) if score >= threshold]
        rows.append((threshold, sum(called), len(called) - sum(called)))
    n0 = len(labels) - n1

    def best(cost: Any) -> float:
        least = min(cost(tp, fp) for _, tp, fp in rows)
        return max(threshold for threshold, tp, fp in rows if cost(tp, fp) == least)

    return {
        "youden": best(lambda tp, fp: -(tp * n0 - fp * n1)),
        "sensitivity 0.9": max(t for t, tp, _ in rows if tp / n1 >= 0.9),
        "sensitivity 0.755": max(t for t, tp, _ in rows if tp / n1 >= 0.755),
        "specificity 0.9": min(t for t, _, fp in rows if (n0 - fp) / n0 >= 0.9),
        "cost 1": best(lambda tp, fp: n1 - tp + fp),
        "cost 5": best(lambda tp, fp: 5 * (n1 - tp) + fp),
    }


@pytest.mark.parametrize(
    ("target", "keys"),
    [
        ("youden", ["Enter"]),
        ("sensitivity 0.9", ["ArrowDown", "Enter"]),
        ("sensitivity 0.755", ["ArrowDown", "Tab", "0.755", "Enter"]),
        ("specificity 0.9", ["ArrowDown", "ArrowDown", "Tab", "0.9", "Enter"]),
        ("cost 1", ["End", "Enter"]),
        ("cost 5", ["ArrowUp", "Tab", "5", "Enter"]),
    ],
)
def test_the_keyboard_jumps_to_a_threshold(
    view: View, lab: Lab, target: str, keys: list[str]
) -> None:
    view.part("jump").focus()
    lab.page.keyboard.press("Enter")
    dialog = view.root.get_by_role("dialog")
    assert dialog.is_visible()
    assert "optimistic" in dialog.inner_text()
    assert "promised for a threshold drawn at random" in dialog.inner_text()
    expected = naive_targets(lab)[target]
    for key in keys:
        if key[0].isdigit():
            lab.page.keyboard.press("ControlOrMeta+a")
            lab.page.keyboard.type(key)
            row = dialog.locator(".crw-jump-row:has(:focus)")
            assert row.locator(".crw-jump-place").inner_text() == f"λ {threshold_text(expected)}"
        else:
            lab.page.keyboard.press(key)
    view.rest()
    assert not dialog.is_visible()
    assert lab.page.evaluate("document.activeElement.dataset.testid") == "jump"
    assert view.assert_agrees()["threshold"] == expected


def test_the_mouse_jumps_and_escape_and_a_press_elsewhere_close_the_menu(
    view: View, lab: Lab
) -> None:
    dialog = view.root.get_by_role("dialog")
    view.click(view.part("jump"))
    view.click(dialog.get_by_role("button", name="Youden"))
    view.rest()
    youden = naive_targets(lab)["youden"]
    assert view.assert_agrees()["threshold"] == youden
    mark = view.root.locator(".crw-threshold .crw-mark")
    assert f"Youden {threshold_text(youden)}" in mark.text_content()
    view.click(view.part("jump"))
    lab.page.keyboard.press("Escape")
    assert not dialog.is_visible()
    view.click(view.part("jump"))
    assert dialog.is_visible()
    view.click(view.root.locator("h2"))
    assert not dialog.is_visible()
    view.click(view.part("jump"))
    view.click(dialog.get_by_label("Sensitivity at least"))
    lab.page.keyboard.press("ControlOrMeta+a")
    lab.page.keyboard.type("1.5")
    lab.page.keyboard.press("Enter")
    assert dialog.get_by_text("none").is_visible(), "there is no such sensitivity"
    lab.page.keyboard.press("ControlOrMeta+a")
    lab.page.keyboard.type("0.9")
    lab.page.keyboard.press("Escape")
    assert lab.kernel("widget.threshold") == youden


# ---- figures and words


def test_figures_follow_the_threshold_to_where_nothing_is_called_positive(
    view: View, lab: Lab
) -> None:
    view.part("threshold").focus()
    for key in ("Home", "PageUp", "End", "ArrowLeft"):
        lab.page.keyboard.press(key)
        view.rest()
        view.assert_agrees()
    lab.page.keyboard.press("End")
    view.rest()
    assert math.isnan(view.assert_agrees()["point"]["precision"])
    assert "none called positive" in view.part("metrics").inner_text()


def test_the_sentence_says_what_is_seen_and_what_is_promised(view: View) -> None:
    for band in ("sensitivity", "specificity", "both"):
        view.choose(band)
        view.drag_slider("threshold", 0.42)
        view.rest()
        point = view.assert_agrees()["point"]
        tpr, tnr = rate(point["tpr"]), rate(1 - point["fpr"])
        sen = f"between {rate(point['tpr_lower'])} and {rate(point['tpr_upper'])}"
        low, high = rate(1 - point["fpr_upper"]), rate(1 - point["fpr_lower"])
        spe = f"between {low} and {high}"
        seen, named, ideal, each = {
            "sensitivity": (f"sensitivity on these 200 test points is {tpr}", "", sen, ""),
            "specificity": (f"specificity on these 200 test points is {tnr}", "", spe, ""),
            "both": (
                f"sensitivity on these 200 test points is {tpr} and its specificity {tnr}",
                " sensitivity",
                f"{sen} and its specificity {spe}",
                " each",
            ),
        }[band]
        assert view.words(".crw-summary") == (
            f"At threshold 0.42, this classifier’s {seen}; an ideal recalibration’s{named}, at the same "
            f"threshold, would lie {ideal} (95 %{each}, for a threshold picked blindly)."
        )


def test_what_has_come_to_rest_is_announced_once(view: View) -> None:
    spoken = view.root.locator("[aria-live=polite]")
    view.drag_slider("threshold", 0.3, 0.61)
    view.rest()
    expect(spoken).to_have_text(view.words(".crw-summary"))
    assert "0.61" in spoken.text_content()


def test_the_hidden_table_holds_the_curve_in_numbers(view: View) -> None:
    view.drag_slider("alpha", 0.2)
    view.rest()
    kernel = view.assert_agrees()
    table = view.part("data-table")
    expect(table.locator("caption")).to_contain_text("80 %")
    rows = table.locator("tbody tr").all()
    assert len(rows) == 21
    for i, row in enumerate(rows):
        fpr = i / 20
        vertex = max(k for k, x in enumerate(kernel["fpr"]) if x <= fpr)
        low, high = kernel["tpr_lower"][vertex], kernel["tpr_upper"][vertex]
        expected = [rate(fpr), rate(kernel["tpr"][vertex]), between(low, high)]
        assert row.locator("th, td").all_text_contents() == expected


def test_hover_tells_the_numbers_of_the_vertex_under_the_pointer(view: View, lab: Lab) -> None:
    kernel = view.kernel()
    hover = view.part("hover")
    for i in (0, 25, 70, len(kernel["fpr"]) - 1):
        lab.page.mouse.move(*view.on_plot(kernel["fpr"][i], kernel["tpr"][i]))
        view.frames()
        assert hover.is_visible()
        at = {
            name: kernel[name][i]
            for name in kernel
            if isinstance(kernel[name], list) and len(kernel[name]) > 3
        }
        threshold = "above 1" if math.isinf(at["thresholds"]) else threshold_text(at["thresholds"])
        assert hover.locator("*").all_text_contents() == [
            f"λ {threshold}",
            f"TPR {rate(at['tpr'])}",
            between(at["tpr_lower"], at["tpr_upper"]),
            f"FPR {rate(at['fpr'])}",
            between(at["fpr_lower"], at["fpr_upper"]),
        ]
        mark = view.centre(".crw-hover-mark")
        np.testing.assert_allclose(mark, view.on_plot(at["fpr"], at["tpr"]), atol=0.1)
    lab.page.mouse.move(*view.on_plot(0.9, 0.1))
    view.frames()
    assert not hover.is_visible(), "far from the curve"
    view.grasp(view.on_plot(kernel["point"]["fpr"], kernel["point"]["tpr"]))
    lab.page.mouse.move(*view.on_plot(kernel["fpr"][30], kernel["tpr"][30]), steps=3)
    view.frames()
    assert not hover.is_visible(), "while something is dragged"
    lab.page.mouse.up()
    view.rest()


# ---- notes and bands without limits

FEW = "widget = example(20, band='both')\ndisplay(widget)\n"


def test_notes_on_limits_have_a_line_of_their_own_that_moves_nothing_and_sets_the_confidence(
    lab: Lab,
) -> None:
    view = show(lab, f"{FEW}display(widget)")
    other = View(lab, lab.page.get_by_test_id("crw").nth(1))
    other.rest()
    notes = view.root.locator(".crw-passing").get_by_test_id("note")
    assert notes.count() == 2
    expect(other.root.locator(".crw-passing").get_by_test_id("note")).to_have_count(2)
    place = view.part("alpha-track").bounding_box()
    view.drag_slider("alpha", 0.45)
    view.rest()
    assert notes.count() == 0
    assert view.part("alpha-track").bounding_box() == place, "nothing moves under the hand"
    view.drag_slider("alpha", 0.05)
    view.rest()
    expect(notes).to_have_count(2)
    assert view.part("alpha-track").bounding_box() == place
    # Ten points a label: two limits from alpha = 4/11.
    action = notes.first.get_by_role("button", name="Set confidence to")
    assert action.inner_text() == "Set confidence to 63\xa0%"
    view.click(action)
    view.rest()
    kernel = view.assert_agrees()
    assert kernel["alpha"] == 0.37
    assert all(all(sides) for sides in kernel["sides"])
    expect(notes).to_have_count(0)


def test_what_has_no_limits_is_hatched_wherever_it_is_shown(lab: Lab) -> None:
    view = show(lab, FEW)
    view.assert_agrees()
    for name in ("band-sensitivity", "band-specificity"):
        assert view.part(name).get_attribute("fill").startswith("url(#")
    for label in (0, 1):
        strip = view.part(f"residual-strip-{label}")
        assert strip.locator(".crw-strip-hatch").is_visible()
        assert strip.locator(".crw-strip-words").inner_text() == "no finite interval: −∞ to +∞"
        assert view.part(f"score-strip-{label}").locator(".crw-strip-hatch").is_visible()
        for side in ("lower", "upper"):
            assert f"no {side} limit" in view.handle(label, side).get_attribute("aria-valuetext")
    assert view.part("metrics").locator(".crw-bar-hatch:not([hidden])").count() == 5
    view.handle(1, "lower").focus()
    for _ in range(2):
        lab.page.keyboard.press("ArrowRight")
        view.rest()
    assert not view.part("residual-strip-1").locator(".crw-strip-hatch").is_visible()
    kernel = view.assert_agrees()
    assert math.isfinite(kernel["quantiles"][1][0])


# ---- toolbar


def download(view: View, kind: str, folder: Path) -> Path:
    view.click(view.part("toolbar-download"))
    with view.page.expect_download() as waiting:
        view.click(view.part(f"download-{kind}"))
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    assert not view.part(f"download-{kind}").is_visible(), "the menu is closed"
    return path


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
    assert root.find(f"{SVG}desc").text == " ".join(view.words(".crw-summary").split())
    assert_facts(json.loads(root.find(f"{SVG}metadata").text), kernel)
    paths = {element.get("d") for element in root.iter(f"{SVG}path")}
    assert {drawn[name]["d"] for name in ("roc", "sensitivity", "specificity")} <= paths
    for element in root.iter():
        assert not {"class", "style", "onload"} & set(element.attrib)
    texts = " ".join("".join(text.itertext()) for text in root.iter(f"{SVG}text"))
    assert "AUC" in texts


def test_the_png_opens_at_twice_the_size_and_says_how_it_was_made(
    view: View, tmp_path: Path
) -> None:
    path = download(view, "png", tmp_path)
    assert path.name == "roc-alpha-0.05.png"
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = [], 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length :][:4])[0]
        chunks.append((kind, body))
        at += 12 + length
    width, height = struct.unpack(">II", chunks[0][1][:8])
    plot = view.part("plot")
    margin = 24
    assert width == 2 * (float(plot.get_attribute("width")) + margin)
    assert height == 2 * (float(plot.get_attribute("height")) + margin)
    text = next(body for kind, body in chunks if kind == b"iTXt").split(b"\0")[-1].decode()
    assert_facts(dict(line.split("=", 1) for line in text.splitlines()), view.kernel())
    opened = view.page.evaluate(
        """async (bytes) => {
            const { width, height } = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
            return [width, height];
        }""",
        list(data),
    )
    assert opened == [width, height]


def test_the_csv_has_the_band_to_the_last_digit(view: View, tmp_path: Path) -> None:
    view.drag_slider("alpha", 0.1)
    view.rest()
    path = download(view, "csv", tmp_path)
    lines = path.read_text().splitlines()
    told = [line.removeprefix("# ") for line in lines if line.startswith("# ")]
    kernel = view.assert_agrees()
    assert_facts(dict(line.split("=", 1) for line in told), kernel)
    rows = list(csv.DictReader(lines[len(told) :]))
    names = ("fpr", "tpr", "fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper")
    assert list(rows[0]) == ["threshold", *names]
    assert [float(row["threshold"]) for row in rows] == kernel["thresholds"]
    for name in names:
        assert [float(row[name]) for row in rows] == kernel[name]


def test_the_copied_line_rebuilds_this_state_in_python(view: View, lab: Lab) -> None:
    view.choose("specificity")
    kernel = view.kernel()
    vertex = (kernel["fpr"][33], kernel["tpr"][33])
    view.drag(view.on_plot(kernel["point"]["fpr"], kernel["point"]["tpr"]), view.on_plot(*vertex))
    view.drag_slider("alpha", 0.074)
    view.rest()
    view.click(view.part("toolbar-copy"))
    expect(view.part("toolbar-copy")).to_have_text("Copied")
    copied = lab.page.evaluate("navigator.clipboard.readText()")
    assert lab.kernel(f"repr((lambda evaluation: {copied})(widget.evaluation))") == lab.kernel(
        "repr(widget)"
    )
    state = "[w.alpha, w.threshold, w.band, w.label, w.weights]"
    rebuilt = lab.kernel(f"(lambda w: {state})((lambda evaluation: {copied})(widget.evaluation))")
    assert rebuilt == lab.kernel(f"(lambda w: {state})(widget)")
    assert rebuilt[:3] == [0.074, kernel["thresholds"][33], "specificity"]
    expect(view.part("toolbar-copy")).to_have_text("Copy as Python")


def test_where_the_clipboard_is_closed_the_line_is_there_to_be_copied(view: View, lab: Lab) -> None:
    lab.page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })"
    )
    try:
        view.click(view.part("toolbar-copy"))
        line = view.root.get_by_label("Line of Python to copy")
        expect(line).to_be_focused()
        selected = line.evaluate("(e) => e.value.slice(e.selectionStart, e.selectionEnd)")
        assert selected == 'ROCWidget(evaluation, alpha=0.05, threshold=0.5, band="both")'
        lab.page.keyboard.press("Escape")
        expect(line).to_be_hidden()
        expect(view.part("toolbar-copy")).to_be_focused()
    finally:
        lab.page.evaluate("delete navigator.clipboard")


def test_the_whole_screen_is_taken_and_given_back(view: View, lab: Lab) -> None:
    before = view.square()
    on = "document.fullscreenElement?.dataset.testid === 'crw'"
    view.click(view.part("toolbar-fullscreen"))
    lab.page.wait_for_function(on)
    try:
        check_full_screen(view, before)
    finally:
        lab.page.evaluate("document.exitFullscreen()")
    view.frames()
    assert view.square() == before
    view.assert_agrees()


def check_full_screen(view: View, before: tuple[float, float, float]) -> None:
    view.frames()
    box = view.root.bounding_box()
    assert [box["width"], box["height"]] == view.page.evaluate("[innerWidth, innerHeight]")
    assert view.square()[2] > before[2]
    assert_fits(view)
    view.drag_slider("alpha", 0.2)
    view.rest()
    view.assert_agrees()
    view.click(view.part("toolbar-fullscreen"))
    view.page.wait_for_function("document.fullscreenElement === null")
    view.click(view.part("toolbar-fullscreen"))
    view.page.wait_for_function("document.fullscreenElement !== null")


def test_where_full_screen_is_forbidden_it_covers_the_page_until_escape(
    view: View, lab: Lab
) -> None:
    before = view.square()
    view.root.evaluate("(root) => { root.requestFullscreen = () => Promise.reject(new Error()); }")
    view.click(view.part("toolbar-fullscreen"))
    view.wait("root.classList.contains('crw-overlay')")
    view.frames()
    size = lab.page.evaluate("() => [innerWidth, innerHeight]")
    box = {"x": 0, "y": 0, "width": size[0], "height": size[1]}
    assert view.root.bounding_box() == box
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
    view.frames()
    assert view.square() == before
    view.root.evaluate("(root) => { delete root.requestFullscreen; }")


def test_reset_goes_back_to_how_the_page_was_opened(lab: Lab) -> None:
    view = show(lab, "widget = example(alpha=0.1, threshold=0.3, band='specificity')\nwidget")
    view.drag_slider("alpha", 0.2)
    view.drag_slider("threshold", 0.7)
    view.choose("both")
    view.rest()
    view.click(view.part("toolbar-reset"))
    view.wait_for(alpha=0.1, threshold=0.3)
    view.wait_for_band("specificity")
    kernel = view.assert_agrees()
    assert (kernel["alpha"], kernel["threshold"], kernel["band"]) == (0.1, 0.3, "specificity")


# ---- the notebook's keys

NOTEBOOK = """(() => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    return [notebook.widgets.length, notebook.activeCellIndex, notebook.mode,
        notebook.activeCell.model.sharedModel.getSource(), notebook.activeCell.model.type,
        document.querySelectorAll(".jp-Dialog").length];
})()"""
KEYS = [
    "a",
    "b",
    "d",
    "d",
    "x",
    "c",
    "v",
    "m",
    "r",
    "j",
    "k",
    "l",
    "o",
    "s",
    "z",
    "0",
    "0",
    "i",
    "i",
]
CONTROLS = [
    *("residual-handle-1-lower", "residual-handle-0-upper", "jump", "toolbar-download"),
    *("toolbar-copy", "toolbar-fullscreen", "toolbar-reset", "download-csv"),
    *(
        "Youden’s optimum",
        "Cost of FN to FP",
        "input:Sensitivity at least",
        "input:Cost of FN to FP",
    ),
    "note",
]


@pytest.mark.parametrize("control", CONTROLS)
def test_no_key_typed_in_a_control_reaches_the_cells(view: View, lab: Lab, control: str) -> None:
    if control == "note":
        lab.execute("widget.alpha = 0.001")
        view.wait_for(alpha=0.001)
    if control.startswith("download"):
        view.click(view.part("toolbar-download"))
    elif not control.startswith(("residual", "jump", "toolbar", "note")):
        view.click(view.part("jump"))
    kind, _, name = control.rpartition(":")
    if kind == "input":
        element = view.root.get_by_role("spinbutton", name=name)
    elif " " in control:
        element = view.root.get_by_role("dialog").get_by_role("button", name=control)
    elif control == "note":
        element = view.part("note").get_by_role("button", name="Dismiss").first
    else:
        element = view.part(control)
    element.focus()
    before = lab.page.evaluate(NOTEBOOK)
    for key in [*KEYS, "ArrowUp", "ArrowDown"]:
        lab.page.keyboard.press(key)
    view.rest()
    assert lab.page.evaluate(NOTEBOOK) == before
    if control not in ("note",):
        assert element.evaluate(
            "(e) => e.closest('[data-testid=crw]').contains(document.activeElement)"
        )
    lab.page.keyboard.press("Escape")


# ---- widths

WIDTHS = (1200, 960, 880, 700, 600, 480, 360, 320)


@pytest.fixture
def resized(lab: Lab) -> Iterator[None]:
    yield
    lab.page.set_viewport_size(VIEWPORT)


STATES = {
    "two bands": "widget = example(band='both')",
    "long names": """names = ("no relapse within two years", "relapse of the tumour within two years")
widget = ROCWidget.from_predictions(*scored(0, 400, names), *scored(1, 2000, names), band="both")""",
    "no limits": "widget = example(20, band='both')",
    "one label without limits": """y, score = scored(0, 400)
rare = (y == 0) | (np.arange(400) < 16)
widget = ROCWidget.from_predictions(y[rare], score[rare], *scored(1, 200), band="both")""",
    "many points": "widget = example(20_000, 20_000, band='both')",
    "localized": """from sklearn.linear_model import LogisticRegression
rng = np.random.default_rng(0)
X = rng.normal(size=(900, 2))
y = (rng.random(900) < expit(X[:, 0])).astype(int)
model = ConformalROC(LogisticRegression(), neighbors=40, random_state=0).fit(X[:700], y[:700])
widget = ROCWidget(model.evaluate(X[700:], y[700:]), band="both")""",
}


@pytest.mark.usefixtures("resized")
@pytest.mark.parametrize("state", STATES)
def test_nothing_overlaps_or_sticks_out_at_any_width(lab: Lab, state: str) -> None:
    view = show(lab, f"{STATES[state]}\nwidget")
    found = {}
    for width in WIDTHS:
        view.set_width(width)
        for alpha, threshold in ((0.05, 0.5), (0.5, 0.05), (0.001, 0.95)):
            lab.execute(f"widget.set_trait('alpha', {alpha}); widget.threshold = {threshold}")
            view.wait_for(alpha=alpha, threshold=threshold)
            view.frames()
            misfits = misfits_of(view)
            if misfits:
                found[f"{width} pixels, alpha {alpha}, threshold {threshold}"] = misfits
        if state == "two bands":
            view.assert_agrees()
    assert found == {}, json.dumps(found, indent=1, ensure_ascii=False)


@pytest.mark.usefixtures("resized")
def test_the_tools_are_behind_one_button_where_there_is_no_room(lab: Lab, tmp_path: Path) -> None:
    view = show(lab, "widget = example(band='both')\nwidget")
    view.set_width(360)
    assert not view.part("toolbar-download").is_visible()
    view.part("toolbar-more").focus()
    lab.page.keyboard.press("Enter")
    view.part("toolbar-download").focus()
    lab.page.keyboard.press("Enter")
    assert_fits_open(view)
    with lab.page.expect_download() as waiting:
        view.click(view.part("download-csv"))
    assert waiting.value.suggested_filename == "roc-alpha-0.05.csv"
    view.click(view.part("jump"))
    assert_fits_open(view)
    view.click(view.root.get_by_role("dialog").get_by_role("button", name="Youden"))
    view.rest()
    view.assert_agrees()


def assert_fits_open(view: View) -> None:
    """An open menu covers what is below it, but does not stick out."""
    layout = view.root.evaluate(LAYOUT)
    assert layout["outside"] == []
    assert layout["scroll"] <= 0
