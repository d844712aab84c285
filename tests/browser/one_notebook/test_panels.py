"""Beside the plot: the menu of thresholds, figures, words, hover and notes."""

import math
from typing import Any

import numpy as np
import pytest
from lab import Lab
from playwright.sync_api import expect
from spoken import between, rate, threshold_text
from view import View, show

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
    assert view.words(".crw-threshold .crw-mark") == "Youden"
    at = view.centre(".crw-threshold .crw-mark i")[0]
    assert at == pytest.approx(view.on_track("threshold", youden)[0], abs=1)
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
    assert "none called positive" in view.part("figures").inner_text()


def test_the_sentence_says_what_is_seen_and_what_is_promised(view: View) -> None:
    for band in ("sensitivity", "specificity", "both"):
        view.choose(band)
        view.drag_slider("threshold", 0.42)
        view.rest()
        point = view.assert_agrees()["point"]
        if band == "specificity":
            observed, ends = 1 - point["fpr"], (1 - point["fpr_upper"], 1 - point["fpr_lower"])
        else:
            observed, ends = point["tpr"], (point["tpr_lower"], point["tpr_upper"])
        noun = "specificity" if band == "specificity" else "sensitivity"
        knows = {
            "sensitivity": "it finds fewer where these scores run too high",
            "specificity": "it calls more where these scores run too low",
        }[noun]
        assert view.words(".crw-answer p") == (
            f"At threshold 0.42, {noun} is {rate(observed)}; an ideal recalibration’s would lie between "
            f"{rate(ends[0])} and {rate(ends[1])} (95 %). "
            f"An ideal recalibration knows how often each score is right; {knows}."
        )
        assert "a threshold picked blindly" in view.words(".crw-promise-line")


def test_a_setting_that_has_come_to_rest_is_announced_once(view: View) -> None:
    spoken = view.root.locator("[aria-live=polite]")
    view.drag_slider("threshold", 0.3, 0.61)
    view.rest()
    expect(spoken).to_have_text(view.words(".crw-answer p"))
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
    assert hover.is_visible(), "far from the curve"
    lab.page.mouse.move(*view.on_plot(1.1, 0.1))
    view.frames()
    assert not hover.is_visible(), "off the plot"
    view.grasp(view.on_plot(kernel["point"]["fpr"], kernel["point"]["tpr"]))
    lab.page.mouse.move(*view.on_plot(kernel["fpr"][30], kernel["tpr"][30]), steps=3)
    view.frames()
    assert not hover.is_visible(), "while something is dragged"
    lab.page.mouse.up()
    view.rest()


# ---- bands without limits

FEW = "widget = example(20, band='both')\ndisplay(widget)\n"


def test_limits_that_come_and_go_move_nothing_under_the_hand(lab: Lab) -> None:
    view = show(lab, FEW)
    words = view.root.locator(".crw-residuals .crw-strip-words")
    place = view.part("alpha-track").bounding_box()
    for alpha, said in ((0.45, ["", ""]), (0.05, ["no limits", "no limits"])):
        view.drag_slider("alpha", alpha)
        view.rest()
        kernel = view.assert_agrees()
        assert [any(sides) for sides in kernel["sides"]] == [text == "" for text in said]
        assert words.all_text_contents() == said
        assert view.part("alpha-track").bounding_box() == place


def test_a_label_without_limits_is_hatched_wherever_it_is_shown(lab: Lab) -> None:
    view = show(lab, FEW)
    view.assert_agrees()
    for name in ("band-sensitivity", "band-specificity"):
        assert view.part(name).get_attribute("fill").startswith("url(#")
    for label in (0, 1):
        strip = view.part(f"residual-strip-{label}")
        assert strip.locator(".crw-strip-hatch").is_visible()
        assert strip.locator(".crw-strip-words").inner_text() == "no limits"
        assert view.part(f"score-strip-{label}").locator(".crw-strip-hatch").is_visible()
        for side in ("lower", "upper"):
            assert f"no {side} limit" in view.handle(label, side).get_attribute("aria-valuetext")
    assert view.part("metrics").locator(".crw-bar-hatch:not([hidden])").count() == 2
    view.handle(1, "lower").focus()
    for _ in range(2):
        lab.page.keyboard.press("ArrowRight")
        view.rest()
    assert not view.part("residual-strip-1").locator(".crw-strip-hatch").is_visible()
    kernel = view.assert_agrees()
    assert math.isfinite(kernel["quantiles"][1][0])
