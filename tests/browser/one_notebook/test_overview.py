"""Several classes and several classifiers in a notebook.

Python gets the selection, and keys do not leave the widget.
"""

import pytest
from agreement import assert_lines, assert_point
from lab import Lab
from parts import with_quick
from view import SEVERAL, View, show

SETUP = SEVERAL


def test_the_picker_looks_at_one_class_and_python_knows_which(lab: Lab) -> None:
    view = show(lab, "widget = ROCWidget(classes, band='both')\nwidget")
    for name in ("birch", "ash"):
        view.pick(name)
        view.rest()
        assert lab.kernel("widget.label") == name
        assert "against the rest" in view.words("h2")
        assert name in view.words("h2")
        view.assert_agrees()
    view.drag_slider("alpha", 0.1)
    view.rest()
    view.assert_agrees()
    view.part("picker").locator(":checked").focus()
    lab.page.keyboard.press("ArrowRight")
    view.rest()
    assert lab.kernel("widget.label") == "birch"
    lab.page.keyboard.press("ArrowRight")
    view.rest()
    assert lab.kernel("widget.label") == "cedar"
    assert lab.page.evaluate("document.activeElement.value") == "cedar", "the focus stays"
    assert view.assert_agrees()["alpha"] == 0.1
    lab.execute("widget.label = 'ash'")
    view.wait("root.querySelector('.crw-look :checked').value === 'ash'")
    view.frames()
    view.assert_agrees()
    with pytest.raises(AssertionError, match=r"TraitError.*oak"):
        lab.execute("widget.label = 'oak'")
    view.pick("Average")
    view.rest()
    assert lab.kernel("widget.label") is None
    assert view.root.get_attribute("data-view") == "overview"


def assert_looked_at(view: View, name: str, alpha: float) -> None:
    """Asserts that the page draws the band of the selected classifier as the kernel computes it."""
    assert view.lab.kernel("widget.label") == name
    kernel, drawn = view.kernel(), view.drawing()
    limits = [tuple(sides) for sides in kernel["sides"]]
    assert drawn["source"] == "kernel"
    assert drawn["alpha"] == kernel["alpha"] == alpha
    assert drawn["threshold"] == kernel["threshold"]
    assert_lines(drawn, kernel, limits)
    assert_point(drawn, kernel, limits)


def test_many_names_are_picked_from_a_list(lab: Lab) -> None:
    view = show(
        lab,
        "many = {f'model number {i}': evaluated(100, 60, seed=i) for i in range(10)}\n"
        "widget = ROCWidget(many, band='sensitivity', guarantee='individual')\nwidget",
    )
    select = view.part("picker").locator("select")
    select.focus()
    before = lab.page.evaluate("window.jupyterapp.shell.currentWidget.content.mode")
    for name in ("model number 1", "model number 2"):
        lab.page.keyboard.press("ArrowDown")
        view.rest()
        assert_looked_at(view, name, 0.05)
    assert lab.page.evaluate("window.jupyterapp.shell.currentWidget.content.mode") == before


@pytest.mark.parametrize("control", with_quick(["picker", "weights", "small multiple"], ["picker"]))
def test_no_key_typed_in_a_control_reaches_the_cells(lab: Lab, control: str) -> None:
    view = show(lab, "widget = ROCWidget(classes)\nwidget")
    element = {
        "picker": view.part("picker").locator(":checked"),
        "weights": view.root.locator(".crw-weights :checked"),
        "small multiple": view.part("small-multiple-1"),
    }[control]
    state = """(() => {
        const notebook = window.jupyterapp.shell.currentWidget.content;
        return [notebook.widgets.length, notebook.activeCellIndex, notebook.mode];
    })()"""
    element.focus()
    before = lab.page.evaluate(state)
    for key in ["a", "b", "d", "d", "x", "m", "j", "k", "z", "0", "0", "i", "i"]:
        lab.page.keyboard.press(key)
    assert lab.page.evaluate(state) == before
    assert element.evaluate("(e) => e === document.activeElement")
