"""A hand that is quicker than the kernel: 200 events a second, a kernel made 20 ms slow.

`benchmarks/fluency.py` does this for 10 s and measures; here 2 s must do, with room for a busy machine.
"""

import math
import time
from pathlib import Path
from typing import Any

import pytest
from lab import Lab
from lab_server import TIMEOUT
from view import EXAMPLES, View

# What backpressure.test.ts and controller.test.ts assert in every run, with JupyterLab between the two.
pytestmark = pytest.mark.thorough
NOTEBOOK = (
    EXAMPLES
    + """
import time

widget = example(band="both")
real_frame_message = wire.frame_message
computed = []

def slow(*args, **options):
    time.sleep(0.02)
    computed.append(widget.alpha)
    return real_frame_message(*args, **options)

wire.frame_message = slow
widget"""
)
RATE = 200
SECONDS = 2
GOAL = 0.4  # the way to it ends at 0.3, so that it is drawn only where it has arrived
WINDOW = 2

# Moves at a rate that the browser would not let real events through; the button is really down.
# Notes each request and answer on its way, and when the kernel's last answer is drawn.
HURRY = """async ([root, track, points, rate, goal]) => {
    const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
    const waiting = new Set();
    const requests = [];
    let most = 0;
    const listen = (_, { msg, direction }) => {
        if (msg.header.msg_type !== "comm_msg") return;
        const { method, content, state } = msg.content.data;
        if (direction === "send" && method === "custom") {
            requests.push(content.alpha);
            waiting.add(content.seq);
            most = Math.max(most, waiting.size);
        } else if (direction === "recv" && state?._frame) {
            for (const seq of waiting) if (seq <= state._frame.seq) waiting.delete(seq);
        }
    };
    kernel.anyMessage.connect(listen);
    const began = performance.now();
    for (let i = 0; i < points.length; ) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        for (; i < Math.min(points.length, (performance.now() - began) * rate / 1000); i++) {
            const [clientX, clientY] = points[i];
            track.dispatchEvent(new PointerEvent("pointermove",
                { bubbles: true, pointerId: 1, pointerType: "mouse", buttons: 1, clientX, clientY }));
        }
    }
    const before = requests.length, last = performance.now();
    while (root.dataset.source !== "kernel" || Number(root.dataset.alpha) !== goal) {
        if (performance.now() > last + 60_000) throw new Error("the last answer was never drawn");
        await new Promise(requestAnimationFrame);
    }
    kernel.anyMessage.disconnect(listen);
    return { most, requests, late: requests.length - before };
}"""


@pytest.fixture
def view(lab: Lab) -> View:
    lab.open([NOTEBOOK])
    lab.run_all()
    view = View(lab, lab.wait_for_widget())
    view.rest()
    return view


def hurry(view: View) -> dict[str, Any]:
    left, y = view.on_track("alpha", 0.001)
    width = view.on_track("alpha", 0.5)[0] - left
    n = RATE * SECONDS
    alphas = [0.1 * 3 ** math.sin(i / 40) for i in range(n - 1)] + [GOAL]
    points = [(left + width * math.log(alpha / 0.001, 500), y) for alpha in alphas]
    view.grasp(view.on_track("alpha", 0.05))
    elements = [view.root.element_handle(), view.part("alpha-track").element_handle()]
    return view.page.evaluate(HURRY, [*elements, points, RATE, GOAL])


def test_never_more_than_two_requests_wait_and_the_last_value_arrives_soon(
    view: View, lab: Lab
) -> None:
    seen = hurry(view)
    assert seen["most"] <= WINDOW
    assert seen["requests"][-1] == GOAL
    assert seen["late"] <= 1, "after the last event its own value alone is left to ask for"
    assert len(seen["requests"]) < RATE * SECONDS / 2, "most wishes were overtaken by later ones"
    lab.page.mouse.up()
    view.rest()
    assert lab.kernel("computed[-1]") == GOAL
    assert view.assert_agrees()["alpha"] == GOAL


def test_a_kernel_interrupted_in_the_middle_of_a_drag_answers_the_next_move(
    view: View, lab: Lab, tmp_path: Path
) -> None:
    is_stuck = tmp_path / "is stuck"
    lab.execute(f"""from pathlib import Path
def stuck(*_, **__):
    wire.frame_message = real_frame_message
    Path({str(is_stuck)!r}).touch()
    time.sleep(3600)
wire.frame_message = stuck""")
    view.drag_slider("alpha", 0.2)
    end = time.monotonic() + TIMEOUT
    while not is_stuck.exists():
        assert time.monotonic() < end, "the kernel was not asked"
        lab.page.wait_for_timeout(20)
    lab.page.evaluate(
        "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.interrupt()"
    )
    view.rest()
    assert view.assert_agrees()["alpha"] == 0.2
    view.drag_slider("alpha", 0.1)
    view.rest()
    assert view.assert_agrees()["alpha"] == 0.1
