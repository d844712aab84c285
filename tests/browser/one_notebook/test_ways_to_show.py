"""Other ways to show the widget: in ipywidgets, and with its script from the kernel."""

from lab import Lab
from view import show


def test_a_chart_whose_holder_is_gone_asks_the_kernel_for_the_script(lab: Lab) -> None:
    view = show(lab, "widget = example()\nwidget._script.close()\nwidget")
    view.assert_agrees()
    assert lab.errors == []


def test_an_interactive_slider_beside_it_sets_the_widget(lab: Lab) -> None:
    view = show(
        lab,
        """import ipywidgets
widget = example()
heard = []
widget.observe(lambda change: heard.append(change.new), "alpha")

def choose(alpha):
    widget.alpha = alpha
    print(f"sensitivity from {widget.operating_point.tpr_lower:.3f}")

beside = ipywidgets.interactive(choose, alpha=(0.05, 0.5, 0.05))
display(beside, widget)""",
    )
    start = lab.kernel("widget.alpha")
    view.wait_for(alpha=start)
    lab.page.locator(".noUi-handle").focus()
    lab.page.keyboard.press("ArrowRight")
    expected = round(start + 0.05, 10)
    view.wait_for(alpha=expected)
    kernel = view.assert_agrees()
    assert kernel["alpha"] == expected
    printed = f"sensitivity from {kernel['point']['tpr_lower']:.3f}"
    lab.page.get_by_text(printed).wait_for()
    view.drag_slider("alpha", 0.125)
    view.rest()
    assert view.assert_agrees()["alpha"] == 0.125
    assert lab.kernel("heard")[-1] == 0.125
