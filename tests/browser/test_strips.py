"""The strips of residuals and scores, and the order statistics in them."""

import re

import numpy as np
import pytest
from page import Alone, Open, made
from parts import with_quick
from playwright.sync_api import Locator

ALPHAS = [i / 1000 for i in range(1, 101)] + [i / 1000 for i in range(105, 501, 5)]


@pytest.fixture
def view(alone: Open) -> Alone:
    return alone(made("widget = example(band='both')"))


HANDLES = [(label, side) for label in (0, 1) for side in ("lower", "upper")]
QUICK = [(0, "lower"), (1, "upper")]


@pytest.mark.parametrize(("label", "side"), with_quick(HANDLES, QUICK))
def test_an_order_statistic_that_is_dragged_sets_alpha(view: Alone, label: int, side: str) -> None:
    x, y = view.on_handle(label, side)
    view.drag((x, y), (x, y + 3))
    view.rest()
    assert view.shown("alpha") == 0.05, "a press takes hold of it and moves nothing"
    inwards = 1 if side == "lower" else -1
    view.grasp((x, y))
    alphas, places = [0.05], [x]
    for pixels in (5, 12, 500):
        view.page.mouse.move(x + inwards * pixels, y, steps=3)
        view.rest()
        kernel = view.assert_agrees()
        alphas.append(kernel["alpha"])
        places.append(inwards * view.on_handle(label, side)[0])
    assert alphas == sorted(alphas)
    assert 0.05 < alphas[1] in ALPHAS
    assert alphas[-1] == 0.5, "further in no handle goes"
    assert places[1:] == sorted(places[1:])
    view.page.mouse.move(x - inwards * 10, y, steps=3)
    view.page.mouse.up()
    view.rest()
    assert view.assert_agrees()["alpha"] < 0.05


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


def test_the_threshold_parts_the_scores(view: Alone) -> None:
    for threshold in (0.5, 0.2, 0.95):
        view.drag_slider("threshold", threshold)
        view.rest()
        kernel = view.assert_agrees()
        values, places = ticks_of(view.root.locator(".crw-scores"))
        slope, start = np.polyfit(values, places, 1)
        line = view.root.locator(".crw-threshold-line").bounding_box()
        assert line["x"] + line["width"] / 2 == pytest.approx(start + slope * threshold, abs=1)
        for label, names in enumerate((("fp", "tn"), ("tp", "fn"))):
            strip = view.part(f"score-strip-{label}")
            counts = [dots(strip, ":not(.crw-faint)"), dots(strip, ".crw-faint")]
            assert counts == [kernel["point"][name] for name in names]
