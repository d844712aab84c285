"""On a wide page the views that are not in front stand small below the plot, and live."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from page import Opened
from playwright.sync_api import Browser, Page, expect
from test_views import VIEWS, choose, threshold_of, widget

from conformal_roc_widget import ROCWidget

__all__ = ["widget"]

WIDE = {"width": 1480, "height": 1000}


def widen(page: Page) -> None:
    """The chart takes the whole window, as a wide notebook gives it."""
    page.evaluate("document.body.style.maxWidth = 'none'")
    page.wait_for_function("document.querySelector('[data-testid=\"crw\"]').clientWidth >= 1400")


@pytest.fixture
def wide(browser: Browser, widget: ROCWidget, tmp_path: Path) -> Iterator[Opened]:
    with Opened(browser, widget.to_html(tmp_path / "chart.html"), viewport=WIDE) as opened:
        opened.view()
        widen(opened.page)
        opened.page.locator('[data-testid="other-views"]').wait_for()
        yield opened


def drawn(page: Page) -> dict[str, dict[str, str]]:
    """Of each small view its curve, its range and its point."""
    return page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".crw-small-view")]
            .filter((e) => e.checkVisibility()).map((e) => [e.dataset.testid, {
                curve: e.querySelector(".crw-curve").getAttribute("d"),
                band: e.querySelector(".crw-band")?.getAttribute("d"),
                point: `${e.querySelector("circle").cx.baseVal.value} ` +
                    e.querySelector("circle").cy.baseVal.value,
                pressed: e.getAttribute("aria-pressed") }]))"""
    )


def test_three_views_are_buttons_below_the_plot(wide: Opened) -> None:
    found = drawn(wide.page)
    assert list(found) == ["small-precision-recall", "small-reliability", "small-net-benefit"]
    for each in found.values():
        assert len(each["curve"]) > 50
        assert len(each["band"]) > 50
        assert each["pressed"] == "false"
    names = wide.page.locator('[data-testid="other-views"]').get_by_role("button")
    labels = [each.get_attribute("aria-label") or "" for each in names.all() if each.is_visible()]
    starts = ("Precision-recall, AP 0.", "Reliability", "Net benefit, ")
    assert all(map(str.startswith, labels, starts))


@pytest.mark.parametrize("view", [view for view in VIEWS if view != "roc"])
def test_a_press_brings_a_view_forward_and_a_key_goes_back(wide: Opened, view: str) -> None:
    page = wide.page
    page.locator(f'[data-testid="small-{VIEWS[view]}"]').click()
    page.locator(f'[data-testid="{VIEWS[view]}"]').wait_for(state="attached")
    assert f"small-{VIEWS[view]}" not in drawn(page)
    expect(page.locator('[data-testid="small-roc"]')).to_be_focused()
    page.keyboard.press("Enter")
    page.locator('[data-testid="roc"]').wait_for(state="attached")
    expect(page.locator(f'[data-testid="small-{VIEWS[view]}"]')).to_be_focused()
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
    assert outline == "2px"


def test_they_follow_a_drag_and_draw_no_range_that_stays(wide: Opened) -> None:
    page = wide.page
    before = drawn(page)
    at, track = (
        page.locator(f'[data-testid="{name}"]').bounding_box()
        for name in ("threshold", "threshold-track")
    )
    assert at is not None
    assert track is not None
    y = at["y"] + at["height"] / 2
    page.mouse.move(at["x"] + at["width"] / 2, y)
    page.mouse.down()
    page.mouse.move(track["x"] + 0.7 * track["width"], y, steps=4)
    # Under a hand they follow as fast as one can read.
    page.wait_for_function(
        """() => { const { threshold, wordsFollow } = document.querySelector('.crw').dataset;
            return Math.abs(threshold - 0.7) < 0.02 && wordsFollow === undefined; }"""
    )
    during = drawn(page)
    page.mouse.up()
    for name, each in during.items():
        assert each["point"] != before[name]["point"]
        assert (each["curve"], each["band"]) == (before[name]["curve"], before[name]["band"])
    page.locator('[data-testid="alpha"]').focus()
    page.keyboard.press("PageUp")
    wide.view().settle()
    assert all(each["band"] != before[name]["band"] for name, each in drawn(page).items())


def test_the_small_point_stands_where_the_large_one_stands(wide: Opened) -> None:
    page = wide.page
    small = drawn(page)
    for view, name in VIEWS.items():
        choose(page, view)
        plot = page.locator('[data-testid="plot"]')
        x0, y0, size = (
            float(plot.get_attribute(f"data-{key}") or 0) for key in ("x0", "y0", "size")
        )
        large = page.evaluate(
            """() => { const at = document.querySelector('[data-testid="operating-point"]');
                const { e, f } = at.transform.baseVal.consolidate().matrix; return [e, f]; }"""
        )
        expected = (126 * (large[0] - x0) / size, 126 - 126 * (y0 - large[1]) / size)
        if view == "roc":
            continue
        x, y = map(float, small[f"small-{name}"]["point"].split())
        assert (x, y) == pytest.approx(expected, abs=0.02)
    assert threshold_of(page) == 0.4


def test_a_narrower_page_draws_none(browser: Browser, widget: ROCWidget, tmp_path: Path) -> None:
    narrower = {"width": 1400, "height": 1000}
    with Opened(browser, widget.to_html(tmp_path / "chart.html"), viewport=narrower) as opened:
        opened.view()
        opened.page.evaluate("document.body.style.maxWidth = 'none'")
        opened.view().settle()
        assert opened.page.locator(".crw-small-view").count() == 0
