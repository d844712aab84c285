"""If the kernel is gone or busy, the page says which."""

import re

import pytest
from lab import Lab
from playwright.sync_api import expect
from view import EXAMPLES, LOCAL, View

GONE = "No kernel: run the cell again"
SHOWN = EXAMPLES + "\nwidget = example(band='both')\nwidget"
IDEAL = EXAMPLES + LOCAL + "\nwidget = ROCWidget(local())\nwidget"


def test_a_restarted_kernel_leaves_a_sign_until_the_cell_is_run_again(lab: Lab) -> None:
    lab.open([SHOWN])
    lab.run_all()
    view = View(lab, lab.wait_for_widget())
    expect(view.part("source")).to_be_hidden()
    lab.ask_of_kernel("restart")
    expect(view.part("source")).to_have_text(GONE)
    view.drag_slider("threshold", 0.3)
    view.settle()
    expect(view.part("source")).to_have_text(GONE)
    assert view.source == "static"
    lab.run_all()
    view = View(lab, lab.wait_for_widget())
    view.rest()
    expect(view.part("source")).to_be_hidden()
    lab.errors.clear()  # JupyterLab's messages about widgets that the kernel no longer has


@pytest.mark.thorough  # JupyterLab waits long before it reports a dead kernel
def test_a_killed_kernel_leaves_the_same_sign(lab: Lab) -> None:
    lab.open([SHOWN])
    lab.run_all()
    view = View(lab, lab.wait_for_widget())
    lab.kill_kernel()
    expect(view.part("source")).to_have_text(GONE)
    lab.errors.clear()  # JupyterLab's messages about the dead kernel


def test_a_busy_kernel_is_not_said_to_sample(lab: Lab) -> None:
    lab.open([IDEAL, ""])
    lab.run_all(to=0)
    view = View(lab, lab.wait_for_widget())
    view.rest()
    lab.run_in_background("import time; time.sleep(6)")
    view.part("question").locator("[value=ideal]").evaluate("(input) => input.click()")
    answer = view.root.locator(".crw-answer")
    expect(answer).to_contain_text("It waits for the kernel")
    assert not re.search("is being sampled", answer.inner_text())
