"""The page draws before the kernel answers, and its numbers equal the kernel's."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from agreement import assert_same
from lab import Lab
from lab_server import Server
from page import Open, made
from playwright.sync_api import Browser, expect
from view import EXAMPLES, show

# This cell sleeps until it is stopped. Meanwhile the kernel cannot answer, in any thread.
BUSY = """
import os, time
from pathlib import Path

stop = Path("stop").absolute()
real_frame_message = wire.frame_message

def sleep():
    while not stop.exists():
        time.sleep(0.01)

def frame_message(*args, **options):
    if busy:
        sleep()
    return real_frame_message(*args, **options)

wire.frame_message = frame_message
busy = False
"""


@pytest.fixture(scope="module")
def notebook(server: Server, browser: Browser) -> Iterator[Lab]:
    with Lab(server, browser, viewport={"width": 1500, "height": 1300}) as lab:
        lab.open(["", ""])
        lab.execute(EXAMPLES + BUSY)
        yield lab


@pytest.fixture
def lab(notebook: Lab) -> Iterator[Lab]:
    """The notebook. The test fails if the page reports an error."""
    yield notebook
    notebook.assert_no_errors()


@contextmanager
def busy_kernel(lab: Lab) -> Iterator[None]:
    """A kernel that is busy, because the second cell sleeps."""
    stop = lab.server.root / "stop"
    stop.unlink(missing_ok=True)
    lab.execute("busy = True")
    lab.run_in_background("sleep()")
    try:
        yield
    finally:
        stop.touch()
        lab.execute("busy = False")


def test_while_a_cell_sleeps_the_page_draws_the_band_that_python_has(lab: Lab) -> None:
    view = show(lab, "widget = example(band='both')\nwidget")
    alphas = (0.06, 0.11, 0.2, 0.345, 0.012, 0.001, 0.073)
    thresholds = (0.61, 0.333, 0.75)
    drawings = []
    with busy_kernel(lab):
        view.grasp(view.on_track("alpha", 0.05))
        for alpha in alphas:
            lab.page.mouse.move(*view.on_track("alpha", alpha))
            view.frames()
            drawings.append(view.drawing())
        lab.page.mouse.up()
        view.grasp(view.on_track("threshold", 0.5))
        for threshold in thresholds:
            lab.page.mouse.move(*view.on_track("threshold", threshold))
            view.frames()
            drawings.append(view.drawing())
        lab.page.mouse.up()
        view.wait("root.dataset.source === 'preview'")
        expect(view.root.locator(".crw-source")).to_have_text("Preview")
    assert [drawn["source"] for drawn in drawings] == ["preview"] * len(drawings)
    settings = [(alpha, 0.5) for alpha in alphas] + [(alphas[-1], at) for at in thresholds]
    for drawn, setting in zip(drawings, settings, strict=True):
        assert_same(drawn, view.kernel(*setting))
    view.rest()
    assert view.source == "kernel"
    kernel = view.assert_agrees()
    assert (kernel["alpha"], kernel["threshold"]) == settings[-1]


LOCALIZED = """from sklearn.linear_model import LogisticRegression
rng = np.random.default_rng(0)
X = rng.normal(size=(%d, 2))
y = (rng.random(len(X)) < expit(X[:, 0])).astype(int)
model = ConformalROC(LogisticRegression(), neighbors=60, random_state=0).fit(X[:700], y[:700])
widget = ROCWidget(model.evaluate(X[700:], y[700:]), alpha=0.2, band="both")
widget"""


def test_a_localized_band_is_computed_where_its_limits_were_sent_and_waits_elsewhere(
    lab: Lab,
) -> None:
    view = show(lab, LOCALIZED % 900)
    first = view.assert_agrees()
    with busy_kernel(lab):
        view.grasp(view.on_track("alpha", 0.2))
        lab.page.mouse.move(*view.on_track("alpha", 0.15))
        view.frames()
        ahead = view.drawing()
        lab.page.mouse.move(*view.on_track("alpha", 0.135))
        view.frames()
        between = view.drawing()
        lab.page.mouse.up()
        fill = view.part("band-sensitivity").evaluate(
            "(e) => [getComputedStyle(e).fill, Number(getComputedStyle(e).fillOpacity)]"
        )
    assert ahead["source"] == between["source"] == "preview"
    assert_same(ahead, view.kernel(0.15, 0.5))
    assert between["waiting"], "0.135 is none of the alphas whose limits were sent"
    assert between["alpha"] == 0.15, "the last frame stays"
    assert between["sliders"]["alpha"] == 0.135
    assert fill[0] == "none" or fill[1] == 0, "edges without a fill"
    view.rest()
    assert not view.drawing()["waiting"]
    assert view.assert_agrees()["alpha"] == 0.135
    shares = first["without_limits"]
    for label in (0, 1):
        if 0 < shares[label] < 1:
            assert f"of the points of class {label}" in view.words(".crw-summary, .crw-legend")


# Records the drawn threshold when the first listener is told of a move, which is at the start of
# its frame.
NOTE_MOVES = """(root) => {
    root.drawnBefore = [];
    window.addEventListener("pointermove", () => root.drawnBefore.push(root.dataset.threshold), true);
}"""


def test_a_move_is_drawn_before_its_frame_begins(alone: Open) -> None:
    view = alone(made("widget = example()"))
    view.grasp(view.on_track("threshold", 0.5))
    view.frames()
    view.root.evaluate(NOTE_MOVES)
    thresholds = [0.6, 0.3, 0.45]
    for threshold in thresholds:
        view.page.mouse.move(*view.on_track("threshold", threshold))
        view.frames()
    view.page.mouse.up()
    assert view.root.evaluate("(root) => root.drawnBefore.map(Number)") == thresholds
