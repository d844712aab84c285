"""The widget with all kinds of evaluations, with links, and with a failing kernel."""

import pytest
from lab import Lab
from playwright.sync_api import expect
from view import View, show

SETUP = "real_frame_message = wire.frame_message"


def test_a_view_that_is_closed_leaves_the_other_alive(lab: Lab) -> None:
    show(lab, "widget = example()\ndisplay(widget)\nhandle = display(widget, display_id=True)")
    lab.page.get_by_test_id("crw").nth(1).wait_for()
    lab.execute("from IPython.display import HTML; handle.update(HTML('gone'))")
    lab.page.get_by_text("gone").wait_for()
    view = View(lab, lab.page.get_by_test_id("crw"))
    view.drag_slider("alpha", 0.1)
    view.rest()
    assert view.assert_agrees()["alpha"] == 0.1


def test_a_linked_slider_moves_the_widget_and_the_widget_moves_it(lab: Lab) -> None:
    view = show(
        lab,
        """import ipywidgets
widget = example()
slider = ipywidgets.FloatSlider(value=0.125, min=0, max=0.5, step=0.125)
link = ipywidgets.jslink((slider, "value"), (widget, "alpha"))
display(ipywidgets.VBox([slider, widget]))""",
    )
    view.wait_for(alpha=0.125)
    lab.page.locator(".noUi-handle").focus()
    lab.page.keyboard.press("ArrowRight")
    view.wait_for(alpha=0.25)
    assert view.assert_agrees()["alpha"] == lab.kernel("slider.value") == 0.25
    view.drag_slider("alpha", 0.1, 0.375)
    view.rest()
    lab.page.locator(".widget-readout", has_text="0.38").wait_for()
    assert view.assert_agrees()["alpha"] == lab.kernel("slider.value") == 0.375


def test_a_failing_kernel_is_a_sentence_and_the_next_move_recovers(lab: Lab) -> None:
    view = show(lab, "widget = example()\nwidget")
    alert = view.root.get_by_role("alert")
    assert alert.inner_text() == ""
    lab.execute("""def broken(*_): raise RuntimeError("the <b>disc</b> is full")
wire.frame_message = broken""")
    view.drag_slider("alpha", 0.2)
    alert.get_by_text("The picture shows the last answer, α = 0.05.").wait_for()
    assert alert.inner_text() == (
        "The kernel could not compute this band: the <b>disc</b> is full. "
        "The picture shows the last answer, α = 0.05."
    )
    expect(view.root.locator(".crw-source")).to_have_text("Error")
    view.rest()
    assert view.shown("alpha") == view.valuenow("alpha") == lab.kernel("widget.alpha") == 0.05
    lab.execute("wire.frame_message = real_frame_message")
    view.assert_agrees()
    view.part("alpha").focus()
    lab.page.keyboard.press("PageUp")
    view.wait_for(alpha=0.1)
    expect(alert).to_have_text("")
    assert view.source == "kernel"
    view.assert_agrees()


@pytest.mark.thorough
def test_a_million_test_points_are_dragged_like_a_few(lab: Lab) -> None:
    view = show(lab, "widget = example(n_test=1_000_000, band='both')\nwidget")
    # Processor time of the kernel is measured, because elapsed time also includes other processes.
    spent = "__import__('time').process_time()"
    before = lab.kernel(spent)
    view.drag_slider("alpha", 0.02, 0.3, steps=10)
    view.rest()
    assert lab.kernel(spent) - before < 1
    assert view.assert_agrees()["alpha"] == 0.3
    view.drag_slider("threshold", 0.75)
    view.rest()
    view.assert_agrees()
