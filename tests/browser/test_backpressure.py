"""A kernel that answers 20 ms late and is interrupted during a drag."""

import time
from pathlib import Path

import pytest
from lab import Lab
from lab_server import TIMEOUT
from view import EXAMPLES, View

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


@pytest.fixture
def view(lab: Lab) -> View:
    lab.open([NOTEBOOK])
    lab.run_all()
    view = View(lab, lab.wait_for_widget())
    view.rest()
    return view


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
