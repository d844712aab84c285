"""Several classes, several classifiers, several views of them."""

import numpy as np
import pytest
from agreement import assert_lines, assert_point, step_line
from lab import Lab
from page import assert_near, outline, pixels
from parts import with_quick
from playwright.sync_api import expect
from said import range_text
from view import SEVERAL, View, show

from conformal_roc_widget.text import number_text

SETUP = SEVERAL
NAMES = ["ash", "birch", "cedar"]
LOOKED_AT = "[widget.label, widget.weights, widget.alpha, widget.threshold]"


AVERAGE = """(lambda average, each: {
    "fpr": average.fpr, "tpr": average.tpr, "tpr_lower": average.tpr_lower, "tpr_upper": average.tpr_upper,
    "same": all(np.array_equal(getattr(average, name), getattr(widget.current_band, name))
                for name in ("fpr", "tpr", "tpr_lower", "tpr_upper")),
    "n": [e.n_test[1] for e in classes.values()], "points": [[p.fpr, p.tpr] for p in each.values()],
})(average_bands(classes, widget.alpha, widget.weights, np.linspace(0, 1, 1001)), widget.operating_point)"""


def assert_average(view: View) -> None:
    """The page at rest shows the average that Python has, in lines."""
    lab = view.lab
    label, weights, alpha, threshold = lab.kernel(LOOKED_AT)
    assert (view.root.get_attribute("data-view"), label, view.source) == (
        "overview",
        None,
        "kernel",
    )
    assert [view.shown("alpha"), view.shown("threshold")] == [alpha, threshold]
    assert [view.valuenow("alpha"), view.valuenow("threshold")] == [alpha, threshold]
    kernel = lab.kernel(AVERAGE)
    assert kernel["same"]
    grid, lower, upper = kernel["fpr"], kernel["tpr_lower"], kernel["tpr_upper"]
    square = view.square()
    line = np.array(step_line(grid, kernel["tpr"])).T
    assert_near(view.part("averaged").get_attribute("d"), pixels(square, *line))
    band = view.part("averaged-band").get_attribute("d")
    assert_near(band, outline(square, grid, lower, upper))

    shares = np.array(kernel["n"] if weights == "size" else [1, 1, 1])
    i = round(1000 * np.average(kernel["points"], axis=0, weights=shares)[0])
    x0, y0, size = square
    dot, plot = view.centre(".crw-plot .crw-point-dot"), view.part("plot").bounding_box()
    expected = plot["x"] + x0 + grid[i] * size, plot["y"] + y0 - kernel["tpr"][i] * size
    np.testing.assert_allclose(dot, expected, atol=0.1)


# ---- classes


def test_the_average_of_the_classes_is_pythons_average_at_any_alpha_and_weights(lab: Lab) -> None:
    view = show(lab, "widget = ROCWidget(classes)\nwidget")
    assert_average(view)
    view.drag_slider("alpha", 0.02, 0.2)
    view.rest()
    assert_average(view)
    view.click(view.root.locator(".crw-weights label", has_text="Uniform"))
    view.drag_slider("threshold", 0.3)
    view.rest()
    assert lab.kernel(LOOKED_AT) == [None, "uniform", 0.2, 0.3]
    assert_average(view)
    lab.page.keyboard.press("Tab")
    view.root.locator(".crw-weights :checked").focus()
    lab.page.keyboard.press("ArrowLeft")
    view.rest()
    assert lab.kernel("widget.weights") == "size"
    assert_average(view)
    lab.execute("widget.weights = 'uniform'")
    expect(view.root.locator(".crw-weights :checked")).to_have_value("uniform")
    assert_average(view)


def test_the_average_is_read_where_the_point_is_dragged_to(lab: Lab) -> None:
    view = show(lab, "widget = ROCWidget(classes)\nwidget")
    for wish in (0.1, 0.35):
        view.drag(view.centre(".crw-plot .crw-point-dot"), view.on_plot(wish, 0.5))
        view.rest()
        assert_average(view)
        threshold = lab.kernel("widget.threshold")
        means = lab.kernel(
            "[np.average([np.mean(e.scores[e.labels == 0] >= t) for e in classes.values()], "
            "weights=[e.n_test[1] for e in classes.values()]) "
            f"for t in ({threshold}, {threshold} - 0.002)]"
        )
        assert means[0] <= wish < means[1], "the smallest threshold that keeps to the wish"
    view.part("operating-point").focus()
    for key, expected in (("Home", 1), ("PageUp", 0.9), ("ArrowRight", 0.89), ("End", 0)):
        lab.page.keyboard.press(key)
        view.rest()
        assert lab.kernel("widget.threshold") == expected
        assert_average(view)
    lab.page.mouse.move(*view.on_plot(0.2, lab.kernel("widget.current_band.tpr[200]")))
    view.frames()
    band = "widget.current_band.{}[200]"
    tpr, low, high = (lab.kernel(band.format(name)) for name in ("tpr", "tpr_lower", "tpr_upper"))
    words = view.part("hover").locator("*").all_text_contents()
    assert words == [
        "1 − specificity 0.20",
        f"Mean sensitivity {number_text(tpr)}",
        range_text(low, high),
    ]


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
    assert_average(view)


def test_a_small_plot_shows_its_class_and_is_a_button_to_it(lab: Lab) -> None:
    view = show(lab, "widget = ROCWidget(classes)\nwidget")
    assert view.root.locator(".crw-multiple").count() == 3
    for i, name in enumerate(NAMES):
        button = view.part(f"small-multiple-{i}")
        assert button.inner_text().startswith(name)
    view.click(view.part("small-multiple-1"))
    view.rest()
    assert lab.kernel("widget.label") == "birch"
    view.assert_agrees()
    view.click(view.part("toolbar-more"))
    view.click(view.part("toolbar-reset"))
    view.wait("root.dataset.view === 'overview'")
    assert lab.kernel("widget.label") is None
    view.part("small-multiple-2").focus()
    lab.page.keyboard.press("Enter")
    view.rest()
    assert lab.kernel("widget.label") == "cedar"
    view.assert_agrees()


# ---- classifiers


def assert_looked_at(view: View, name: str, alpha: float) -> None:
    """The page at rest draws the band of one among several classifiers as the kernel has it."""
    assert view.lab.kernel("widget.label") == name
    kernel, drawn = view.kernel(), view.drawing()
    limits = [tuple(sides) for sides in kernel["sides"]]
    assert drawn["source"] == "kernel"
    assert drawn["alpha"] == kernel["alpha"] == alpha
    assert drawn["threshold"] == kernel["threshold"]
    assert_lines(drawn, kernel, limits)
    assert_point(drawn, kernel, limits)


def test_classifiers_on_the_same_points_are_drawn_together(lab: Lab) -> None:
    view = show(lab, "widget = ROCWidget(classifiers, label='logistic')\nwidget")
    for alpha in (0.05, 0.2):
        view.drag_slider("alpha", alpha)
        view.rest()
        assert_looked_at(view, "logistic", alpha)
        for i in (0, 1):
            curve = lab.kernel(
                f"(lambda b: [b.fpr, b.tpr])([*classifiers.values()][{i}].band({alpha}))"
            )
            path = view.part("roc" if i == 0 else f"curve-{i}").get_attribute("d")
            assert_near(path, pixels(view.square(), *curve))
        assert [view.part(f"curve-{i}").is_visible() for i in (0, 1)] == [False, True]
    view.pick("forest")
    view.rest()
    assert_looked_at(view, "forest", 0.2)
    assert [view.part(f"curve-{i}").is_visible() for i in (0, 1)] == [True, False]


def test_many_names_are_picked_from_a_list(lab: Lab) -> None:
    view = show(
        lab,
        "many = {f'model number {i}': evaluated(100, 60, seed=i) for i in range(10)}\n"
        "widget = ROCWidget(many)\nwidget",
    )
    select = view.part("picker").locator("select")
    select.focus()
    before = lab.page.evaluate("window.jupyterapp.shell.currentWidget.content.mode")
    for name in ("model number 1", "model number 2"):
        lab.page.keyboard.press("ArrowDown")
        view.rest()
        assert_looked_at(view, name, 0.05)
    assert lab.page.evaluate("window.jupyterapp.shell.currentWidget.content.mode") == before


# ---- the notebook's keys, themes, widths


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
