"""Python sets traits during a drag: the last change wins, and page and kernel agree."""

import pytest
from lab import Lab
from playwright.sync_api import expect
from view import View, show

COUPLED = """widget = example()
def keep(change):
    widget.threshold = widget.evaluation.threshold_for(sensitivity=.9)
def cheaper(change):
    widget.alpha = .141
heard = []
widget.observe(lambda change: heard.append(change["name"]), ["alpha", "threshold"])
"""


def test_a_coupling_moves_the_other_slider_while_the_hand_is_still_on_one(lab: Lab) -> None:
    view = show(lab, COUPLED + "widget.observe(keep, 'alpha')\nwidget")
    view.grasp(view.on_track("alpha", 0.1))
    target = lab.kernel("widget.evaluation.threshold_for(sensitivity=.9)")
    view.wait_for(threshold=target)
    assert view.valuenow("threshold") == target
    lab.page.mouse.up()
    view.rest()
    assert view.assert_agrees()["threshold"] == target
    assert lab.kernel("widget.current_band.alpha") == view.valuenow("alpha")


@pytest.mark.thorough
def test_two_windows_on_one_kernel_lose_no_drag(lab: Lab) -> None:
    first = show(lab, COUPLED + "display(widget)")
    lab.save()
    path = lab.page.evaluate("window.jupyterapp.shell.currentWidget.context.path")
    second = lab.page.context.new_page()
    # The second window has its own workspace.
    second.goto(f"{lab.server.url}/lab/workspaces/second/tree/{path}")
    try:
        root = second.get_by_test_id("crw").first
        root.wait_for(timeout=60_000)
        other = View(lab, root)
        other.page = second
        other.part("alpha").focus()
        for _ in range(3):
            second.keyboard.press("PageUp")
        # Only the last of several answers is compared, because the kernel passes through other
        # values.
        other.rest()
        first.wait_for(alpha=other.valuenow("alpha"))
        first.drag_slider("threshold", 0.7)
        first.rest()
        kernel = first.assert_agrees()
        assert kernel["alpha"] > 0.05
        other.wait_for(alpha=kernel["alpha"], threshold=kernel["threshold"])
        assert other.valuenow("threshold") == kernel["threshold"] == first.valuenow("threshold")
        assert other.valuenow("alpha") == kernel["alpha"] == first.valuenow("alpha")
    finally:
        second.close()


def test_an_observer_that_fails_is_told_and_the_next_good_answer_takes_it_back(lab: Lab) -> None:
    view = show(lab, "widget = example()\nwidget")
    lab.execute("""def fail(change): raise ZeroDivisionError("of <b>this</b>")
widget.observe(fail, "alpha")""")
    alert = view.root.get_by_role("alert")
    view.drag_slider("alpha", 0.2)
    alert.get_by_text("ZeroDivisionError: of <b>this</b>").wait_for()
    view.rest()
    assert lab.kernel("widget.alpha") == view.valuenow("alpha") == view.shown("alpha") == 0.2
    lab.execute("widget.unobserve(fail, 'alpha')")
    for key in ("ArrowRight", "ArrowRight"):
        view.part("alpha").focus()
        lab.page.keyboard.press(key)
        view.rest()
    expect(alert).to_have_text("")
    view.assert_agrees()
