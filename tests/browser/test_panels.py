"""Beside the plot: the menu of thresholds, figures, words, hover and notes."""

import math
from typing import Any

import numpy as np
import pytest
from page import CURVES, Alone, Open, made
from parts import THOROUGH
from playwright.sync_api import expect
from said import share_range, share_text

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.text import threshold_text


@pytest.fixture
def view(alone: Open) -> Alone:
    return alone(made("widget = example(band='both')"))


# ---- jumps


def naive_targets(evaluation: RocEvaluation) -> dict[str, float]:
    """Each threshold that the scores offer is tried."""
    labels, scores = evaluation.labels.tolist(), evaluation.scores.tolist()
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
        pytest.param("youden", ["Enter"], marks=THOROUGH),
        pytest.param("sensitivity 0.9", ["ArrowDown", "Enter"], marks=THOROUGH),
        ("sensitivity 0.755", ["ArrowDown", "Tab", "0.755", "Enter"]),
        pytest.param(
            "specificity 0.9",
            ["ArrowDown", "ArrowDown", "Tab", "0.9", "Enter"],
            marks=THOROUGH,
        ),
        pytest.param("cost 1", ["End", "Enter"], marks=THOROUGH),
        pytest.param("cost 5", ["ArrowUp", "Tab", "5", "Enter"], marks=THOROUGH),
    ],
)
def test_the_keyboard_jumps_to_a_threshold(view: Alone, target: str, keys: list[str]) -> None:
    view.part("jump").focus()
    view.page.keyboard.press("Enter")
    dialog = view.root.get_by_role("dialog")
    expect(dialog).to_be_visible()
    expected = naive_targets(view.widget.evaluation)[target]
    for key in keys:
        if key[0].isdigit():
            view.page.keyboard.press("ControlOrMeta+a")
            view.page.keyboard.type(key)
            row = dialog.locator(".crw-jump-row:has(:focus)")
            place = row.locator(".crw-jump-place")
            expect(place).to_have_text(f"at {threshold_text(expected)}")
        else:
            view.page.keyboard.press(key)
    view.rest()
    expect(dialog).to_be_hidden()
    expect(view.part("jump")).to_be_focused()
    assert view.assert_agrees()["threshold"] == expected


def test_the_goal_has_a_mark_that_the_confidence_moves_and_a_press_that_leads_there(
    view: Alone,
) -> None:
    mark = view.root.locator(".crw-threshold .crw-mark")
    for alpha in (0.05, 0.3):
        view.drag_slider("alpha", alpha)
        view.rest()
        drawn = view.shown("alpha")
        wished = view.widget.evaluation.threshold_for(sensitivity=0.9, confidence=1 - drawn)
        box = mark.locator("i").bounding_box()
        at = box["x"] + box["width"] / 2
        assert at == pytest.approx(view.on_track("threshold", float(wished))[0], abs=1.5)
    jump = view.part("goal-jump")
    if jump.is_visible():
        view.click(jump)
        view.rest()
    assert view.shown("threshold") == pytest.approx(float(wished), abs=1e-9)
    said = view.root.locator(".crw-summary").inner_text().replace("\u00a0", " ")
    assert "at least 90 % of all" in said or "true risk" in said


def test_the_mouse_jumps_and_escape_and_a_press_elsewhere_close_the_menu(view: Alone) -> None:
    dialog = view.root.get_by_role("dialog")
    view.click(view.part("jump"))
    view.click(dialog.get_by_role("button", name="Youden"))
    view.rest()
    youden = naive_targets(view.widget.evaluation)["youden"]
    assert view.assert_agrees()["threshold"] == youden
    view.click(view.part("jump"))
    view.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    view.click(view.part("jump"))
    expect(dialog).to_be_visible()
    view.click(view.root.locator("h2"))
    expect(dialog).to_be_hidden()
    view.click(view.part("jump"))
    view.click(dialog.get_by_label("Sensitivity at least"))
    view.page.keyboard.press("ControlOrMeta+a")
    view.page.keyboard.type("1.5")
    view.page.keyboard.press("Enter")
    expect(dialog.get_by_text("none"), "there is no such sensitivity").to_be_visible()
    view.page.keyboard.press("ControlOrMeta+a")
    view.page.keyboard.type("0.9")
    view.page.keyboard.press("Escape")
    assert view.shown("threshold") == youden


# ---- figures and words


def test_hover_tells_the_numbers_of_the_vertex_under_the_pointer(view: Alone) -> None:
    kernel = view.kernel()
    hover = view.part("hover")
    for i in (0, 25, 70, len(kernel["fpr"]) - 1):
        view.page.mouse.move(*view.on_plot(kernel["fpr"][i], kernel["tpr"][i]))
        view.frames()
        assert hover.is_visible()
        at = {name: kernel[name][i] for name in CURVES}
        threshold = (
            "above all scores" if math.isinf(at["thresholds"]) else threshold_text(at["thresholds"])
        )
        assert hover.locator("*").all_text_contents() == [
            f"threshold {threshold}",
            f"Sensitivity {share_text(at['tpr'])}",
            share_range(at["tpr_lower"], at["tpr_upper"]),
            f"Specificity {share_text(1 - at['fpr'])}",
            share_range(1 - at["fpr_upper"], 1 - at["fpr_lower"]),
        ]
        mark = view.centre(".crw-hover-mark")
        np.testing.assert_allclose(mark, view.on_plot(at["fpr"], at["tpr"]), atol=0.1)
    view.page.mouse.move(*view.on_plot(0.9, 0.1))
    view.frames()
    assert hover.is_visible(), "far from the curve"
    view.page.mouse.move(*view.on_plot(1.1, 0.1))
    view.frames()
    assert not hover.is_visible(), "off the plot"
    view.grasp(view.on_plot(kernel["point"]["fpr"], kernel["point"]["tpr"]))
    view.page.mouse.move(*view.on_plot(kernel["fpr"][30], kernel["tpr"][30]), steps=3)
    view.frames()
    assert not hover.is_visible(), "while something is dragged"
    view.page.mouse.up()
    view.rest()


# ---- bands without limits


def test_a_label_without_limits_is_hatched_wherever_it_is_shown(alone: Open) -> None:
    view = alone(made("widget = example(20, band='both')"))
    view.assert_agrees()
    for name in ("band-sensitivity", "band-specificity"):
        assert view.part(name).get_attribute("fill").startswith("url(#")
    for label in (0, 1):
        strip = view.part(f"residual-strip-{label}")
        assert strip.locator(".crw-strip-hatch").is_visible()
        assert strip.locator(".crw-strip-words").inner_text() == "no limits"
        for side in ("lower", "upper"):
            assert f"no {side} limit" in view.handle(label, side).get_attribute("aria-valuetext")
    assert view.part("metrics").inner_text().count("no limits") == 2
    view.handle(1, "lower").focus()
    for _ in range(2):
        view.page.keyboard.press("ArrowRight")
        view.rest()
    assert not view.part("residual-strip-1").locator(".crw-strip-hatch").is_visible()
    kernel = view.assert_agrees()
    assert math.isfinite(kernel["quantiles"][1][0])
