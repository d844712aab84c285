"""The widget on a touch screen."""

from collections.abc import Iterator

import pytest
from lab import Lab
from lab_server import Server
from playwright.sync_api import Browser
from view import EXAMPLES, Point, View


@pytest.fixture(scope="module")
def shown(server: Server, browser: Browser) -> Iterator[View]:
    with Lab(server, browser, has_touch=True, viewport={"width": 1500, "height": 1000}) as lab:
        lab.open([EXAMPLES + "widget = example()\nwidget"])
        lab.run_all()
        yield View(lab, lab.wait_for_widget())


@pytest.fixture
def view(shown: View) -> View:
    """The widget, reset before each test."""
    shown.lab.execute("widget.alpha, widget.threshold = 0.05, 0.5")
    shown.wait_for(alpha=0.05, threshold=0.5)
    return shown


def drag(view: View, start: Point, goal: Point) -> None:
    devtools = view.page.context.new_cdp_session(view.page)

    def touch(kind: str, *points: Point) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        devtools.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": at})

    touch("Start", start)
    for i in range(1, 6):
        x, y = (a + (b - a) * i / 5 for a, b in zip(start, goal, strict=True))
        touch("Move", (x, y))
    touch("End")
    devtools.detach()
    view.rest()


def test_a_finger_drags_sliders_point_and_order_statistics_and_does_not_scroll(view: View) -> None:
    for thumb in ("alpha-track", "threshold-track", "operating-point", "jump"):
        assert view.part(thumb).bounding_box()["height"] >= 44
    for segment in view.root.locator(".crw-segments label:visible").all():
        assert segment.bounding_box()["height"] == 44
    for switch in view.part("key").locator("label:visible").all():
        assert switch.bounding_box()["height"] == 44
    for button in view.root.locator(".crw-tool:visible").all():
        assert min(button.bounding_box()["height"], button.bounding_box()["width"]) >= 44

    scrolled = "document.querySelector('.jp-WindowedPanel-outer').scrollTop"
    start = view.on_track("alpha", 0.05)
    goal = view.on_track("alpha", 0.2)
    before = view.page.evaluate(scrolled)
    drag(view, start, (goal[0], goal[1] + 30))
    assert view.page.evaluate(scrolled) == before
    assert view.assert_agrees()["alpha"] == 0.2

    drag(view, view.on_track("threshold", 0.5), view.on_track("threshold", 0.3))
    kernel = view.assert_agrees()
    assert kernel["threshold"] == 0.3

    vertex = (kernel["fpr"][50], kernel["tpr"][50])
    start = view.on_plot(kernel["point"]["fpr"], kernel["point"]["tpr"])
    drag(view, start, view.on_plot(*vertex))
    assert view.assert_agrees()["threshold"] == kernel["thresholds"][50]
    assert not view.part("hover").is_visible(), "a finger does not hover"

    for label, side, way in ((1, "lower", -60), (0, "upper", 60)):
        x, y = view.on_handle(label, side)
        before = view.page.evaluate(scrolled)
        drag(view, (x, y), (x + way, y + 40))
        assert view.page.evaluate(scrolled) == before
        assert view.assert_agrees()["alpha"] < 0.2, "outwards, so for more confidence"
        view.lab.execute("widget.alpha = 0.2")
        view.wait_for(alpha=0.2)


def test_a_finger_ticks_a_band(view: View) -> None:
    switch = view.part("key").locator("label:has([value=specificity])")
    for y, band in ((4, "both"), (40, "sensitivity")):
        switch.tap(position={"x": 30, "y": y})
        view.rest()
        assert view.assert_agrees()["band"] == band


def test_a_finger_jumps_and_dismisses(view: View) -> None:
    view.part("jump").tap()
    dialog = view.root.get_by_role("dialog")
    dialog.get_by_role("button", name="Youden").tap()
    view.rest()
    kernel = view.assert_agrees()
    n0, n1 = kernel["n_test"]
    gains = [tpr - fpr for tpr, fpr in zip(kernel["tpr"], kernel["fpr"], strict=True)]
    assert kernel["point"]["youden"] == pytest.approx(max(gains), abs=0.5 / (n0 * n1))


@pytest.mark.parametrize("name", ["alpha", "threshold"])
def test_a_vertical_swipe_that_begins_on_a_track_scrolls_the_page_and_sets_nothing(
    view: View, name: str
) -> None:
    scrolled = "document.querySelector('.jp-WindowedPanel-outer').scrollTop"
    view.page.evaluate(f"{scrolled} = 0")
    view.page.set_viewport_size({"width": 1500, "height": 500})
    try:
        view.part(f"{name}-track").scroll_into_view_if_needed()
        view.frames()
        state = view.assert_agrees()
        before = view.page.evaluate(scrolled)
        x, y = view.on_track(name, 0.2)
        drag(view, (x, y), (x + 10, y - 120))
        view.page.wait_for_function(f"{scrolled} > {before + 50}")
        view.frames()
        after = view.assert_agrees()
        assert [after[key] for key in ("alpha", "threshold")] == [
            state[key] for key in ("alpha", "threshold")
        ]
    finally:
        view.page.set_viewport_size({"width": 1500, "height": 1000})


def test_a_tap_on_a_track_sets_the_value_there(view: View) -> None:
    x, y = view.on_track("threshold", 0.3)
    view.page.touchscreen.tap(x, y)
    view.rest()
    assert view.assert_agrees()["threshold"] == 0.3
