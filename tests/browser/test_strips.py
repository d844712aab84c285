"""The strips of residuals and scores, and the order statistics in them."""

import re

import numpy as np
import pytest
from page import Alone, Open, made
from playwright.sync_api import Locator


@pytest.fixture
def view(alone: Open) -> Alone:
    return alone(made("widget = example(band='both')"))


def ticks_of(module: Locator) -> tuple[np.ndarray, np.ndarray]:
    """Values and positions of the numbered ticks of a strip."""
    found = module.locator(".crw-strip-axis .crw-ticks").first.evaluate(
        """(ticks) => [...ticks.children].map((tick) => [
            tick.textContent, ticks.getBoundingClientRect().left + parseFloat(tick.style.left)])"""
    )
    lettered = [(float(text.replace("−", "-")), x) for text, x in found if text]
    values, places = zip(*lettered, strict=True)
    return np.array(values), np.array(places)


def dots(strip: Locator, kind: str) -> int:
    return strip.locator(f".crw-marks{kind}").get_attribute("d").count("M")


def beyond(strip: Locator) -> int:
    said = " ".join(strip.locator(".crw-beyond").all_text_contents())
    return sum(int(number.replace(",", "")) for number in re.findall(r"[\d,]+", said))


def test_the_strips_hold_each_residual_once_and_the_handles_stand_at_theirs(view: Alone) -> None:
    for alpha in (0.05, 0.3):
        view.drag_slider("alpha", alpha)
        view.rest()
        kernel = view.assert_agrees()
        values, places = ticks_of(view.root.locator(".crw-residuals"))
        slope, start = np.polyfit(values, places, 1)
        for label in (0, 1):
            strip = view.part(f"residual-strip-{label}")
            n = kernel["n_calibration"][label]
            inside, outside = dots(strip, ":not(.crw-faint)"), dots(strip, ".crw-faint")
            assert inside + outside + beyond(strip) == n
            low, high = kernel["quantiles"][label]
            residuals = view.widget.evaluation.residuals[label]
            assert inside == sum(low <= residual <= high for residual in residuals)
            for side, residual in zip(("lower", "upper"), (low, high), strict=True):
                line = view.handle(label, side).locator(".crw-grip").bounding_box()
                middle = line["x"] + line["width"] / 2
                assert middle == pytest.approx(start + slope * residual, abs=1.5)
