"""Beside the plot: the menu of thresholds, figures, words, hover and notes."""

import math

import numpy as np
import pytest
from page import CURVES, Alone, Open, made
from said import share_range, share_text

from conformal_roc_widget.text import threshold_text


@pytest.fixture
def view(alone: Open) -> Alone:
    return alone(made("widget = example(band='both')"))


# ---- jumps


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
