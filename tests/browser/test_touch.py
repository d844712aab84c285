"""The widget under a finger."""

from collections.abc import Callable

import pytest
from lab import Lab
from view import Point, View

NOTEBOOK = """import numpy as np
from conformal_roc_widget import ROCWidget

def scored(seed, n):
    y = np.resize([0, 1], n)
    score = 1 / (1 + np.exp(1.2 - 2.4 * y + 1.5 * np.random.default_rng(seed).normal(size=n)))
    return y, score

widget = ROCWidget.from_predictions(*scored(0, 400), *scored(1, 200))
widget"""


@pytest.fixture
def view(new_lab: Callable[..., Lab]) -> View:
    lab = new_lab(has_touch=True, viewport={"width": 1500, "height": 1000})
    lab.open([NOTEBOOK])
    lab.run_all()
    return View(lab, lab.wait_for_widget())


def test_a_finger_drags_sliders_and_point_and_does_not_scroll(view: View) -> None:
    devtools = view.page.context.new_cdp_session(view.page)

    def touch(kind: str, *points: Point) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        devtools.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": at})

    def drag(start: Point, goal: Point) -> None:
        touch("Start", start)
        for i in range(1, 6):
            x, y = (a + (b - a) * i / 5 for a, b in zip(start, goal, strict=True))
            touch("Move", (x, y))
        touch("End")
        view.rest()

    for thumb in ("alpha-track", "threshold-track", "operating-point"):
        assert view.part(thumb).bounding_box()["height"] >= 44
    for segment in view.root.locator(".crw-segments label").all():
        assert segment.bounding_box()["height"] == 44

    scrolled = "document.querySelector('.jp-WindowedPanel-outer').scrollTop"
    start = view.on_track("alpha", 0.05)
    goal = view.on_track("alpha", 0.2)
    before = view.page.evaluate(scrolled)
    drag(start, (goal[0], goal[1] + 80))
    assert view.page.evaluate(scrolled) == before
    assert view.assert_agrees()["alpha"] == 0.2

    drag(view.on_track("threshold", 0.5), view.on_track("threshold", 0.3))
    kernel = view.assert_agrees()
    assert kernel["threshold"] == 0.3

    vertex = (kernel["fpr"][50], kernel["tpr"][50])
    drag(view.on_plot(kernel["point"]["fpr"], kernel["point"]["tpr"]), view.on_plot(*vertex))
    assert view.assert_agrees()["threshold"] == kernel["thresholds"][50]
