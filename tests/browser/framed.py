"""Finds and operates the page that `as_html` puts into a frame, and compares it with Python."""

import time

from agreement import assert_same
from lab import WIDGET
from lab_server import TIMEOUT
from page import known
from playwright.sync_api import Frame, Locator, Page
from view import View

from conformal_roc_widget import ROCWidget

FRAME = "iframe[title='ROC curve with conformal bands']"


class Host:
    """A page with the frame. `View` uses it in place of a `Lab`."""

    def __init__(self, page: Page) -> None:
        self.page = page


class FramedView(View):
    """A chart in a frame. Functions that wait for it run in the frame."""

    def inside(self) -> Frame:
        return self.root.element_handle().owner_frame()


def framed(page: Page, around: str | None = None) -> tuple[Locator, FramedView]:
    """The frame and its chart, after the chart is drawn.

    `around` is a frame of the host, if there is one.
    """
    frame = (page.frame_locator(around) if around else page).locator(FRAME)
    frame.scroll_into_view_if_needed()
    root = frame.content_frame.locator(WIDGET)
    root.wait_for()
    return frame, FramedView(Host(page), root)


def moves(view: View, widget: ROCWidget) -> None:
    """Asserts that mouse and keyboard move the chart, and that it draws what Python computes."""
    start = view.shown("alpha"), view.shown("threshold")
    view.drag_slider("alpha", 0.2)
    view.drag_slider("threshold", 0.3)
    for name in ("alpha", "threshold", "operating-point"):
        view.part(name).focus()
        view.page.keyboard.press("ArrowRight")
        view.settle()
        drawn = view.drawing()
        assert drawn["source"] == "static"
        assert_same(drawn, known(widget, drawn))
    assert drawn["alpha"] != start[0]
    assert drawn["threshold"] != start[1]


def follows(page: Page, frame: Locator, view: FramedView) -> None:
    """Asserts that the frame is as high as its content.

    On a phone this is more than the initial 900 pixels.
    """
    page.set_viewport_size({"width": 480, "height": 1400})
    view.wait("root.clientWidth < 700")
    end = time.monotonic() + TIMEOUT
    while True:
        high = view.inside().evaluate("document.documentElement.scrollHeight")
        found = frame.evaluate("(frame) => frame.clientHeight")
        if abs(found - high) <= 2 and found != 900:
            return
        assert time.monotonic() < end, f"the frame is {found} high, its content {high}"
        page.wait_for_timeout(50)
