"""The widget with evaluations of all kinds, with links, and with a kernel in trouble."""

from collections.abc import Callable, Iterator
from time import monotonic

import pytest
from lab import Lab
from lab_server import Server
from playwright.sync_api import Browser
from view import View

SETUP = """
import numpy as np
from scipy.special import expit
from IPython.display import display
from conformal_roc_widget import ConformalROC, ROCWidget
from conformal_roc_widget.wire import messages as wire

def scored(seed, n, names=(0, 1)):
    rng = np.random.default_rng(seed)
    y = np.resize([0, 1], n)
    return np.array(names)[y], expit(1.2 * (2 * y - 1) + 1.5 * rng.normal(size=n))

def example(n_calibration=400, n_test=200, **options):
    return ROCWidget.from_predictions(*scored(0, n_calibration), *scored(1, n_test), **options)

real_frame_message = wire.frame_message
"""
Show = Callable[..., View]


@pytest.fixture(scope="module")
def notebook(server: Server, browser: Browser) -> Iterator[Lab]:
    with Lab(server, browser, viewport={"width": 1500, "height": 1000}) as lab:
        lab.open([""])
        lab.execute(SETUP)
        yield lab


@pytest.fixture
def lab(notebook: Lab) -> Iterator[Lab]:
    """The notebook; the page must report no error meanwhile."""
    yield notebook
    notebook.page.mouse.up()
    notebook.execute("wire.frame_message = real_frame_message")
    errors = list(notebook.errors)
    notebook.errors.clear()
    assert errors == []


@pytest.fixture
def show(lab: Lab) -> Show:
    """Run code that makes ``widget`` and shows it as the only cell of the notebook."""

    def show(code: str) -> View:
        lab.replace_cell(code)
        view = View(lab, lab.wait_for_widget())
        view.rest()
        return view

    return show


def test_two_views_of_a_widget_stay_in_step(show: Show, lab: Lab) -> None:
    first = show("widget = example()\ndisplay(widget)\ndisplay(widget)")
    second = View(lab, lab.page.get_by_test_id("crw").nth(1))
    second.wait_for(alpha=0.05)
    first.drag_slider("alpha", 0.2)
    first.choose("both")
    second.wait_for(alpha=0.2)
    second.drag_slider("threshold", 0.3)
    for view in (first, second):
        view.wait_for(alpha=0.2, threshold=0.3)
        assert view.assert_agrees()["band"] == "both"


def test_a_view_that_is_closed_leaves_the_other_alive(show: Show, lab: Lab) -> None:
    show("widget = example()\ndisplay(widget)\nhandle = display(widget, display_id=True)")
    lab.page.get_by_test_id("crw").nth(1).wait_for()
    lab.execute("from IPython.display import HTML; handle.update(HTML('gone'))")
    lab.page.get_by_text("gone").wait_for()
    view = View(lab, lab.page.get_by_test_id("crw"))
    view.drag_slider("alpha", 0.1)
    view.rest()
    assert view.assert_agrees()["alpha"] == 0.1


def test_two_widgets_do_not_meddle_with_each_other(show: Show, lab: Lab) -> None:
    first = show("widget, other = example(), example(band='specificity')\ndisplay(widget, other)")
    second = View(lab, lab.page.get_by_test_id("crw").nth(1), "other")
    second.wait_for(alpha=0.05)
    first.assert_agrees()
    second.assert_agrees()
    first.choose("both")
    first.drag_slider("alpha", 0.2)
    first.rest()
    second.drag_slider("threshold", 0.7)
    second.rest()
    kernels = [view.assert_agrees() for view in (first, second)]
    assert [(k["alpha"], k["threshold"], k["band"]) for k in kernels] == [
        (0.2, 0.5, "both"),
        (0.05, 0.7, "specificity"),
    ]


def test_a_linked_slider_moves_the_widget_and_the_widget_moves_it(show: Show, lab: Lab) -> None:
    view = show("""import ipywidgets
widget = example()
slider = ipywidgets.FloatSlider(value=0.125, min=0, max=0.5, step=0.125)
link = ipywidgets.jslink((slider, "value"), (widget, "alpha"))
display(ipywidgets.VBox([slider, widget]))""")
    view.wait_for(alpha=0.125)
    lab.page.locator(".noUi-handle").focus()
    lab.page.keyboard.press("ArrowRight")
    view.wait_for(alpha=0.25)
    assert view.assert_agrees()["alpha"] == lab.kernel("slider.value") == 0.25
    view.drag_slider("alpha", 0.1, 0.375)
    view.rest()
    lab.page.locator(".widget-readout", has_text="0.38").wait_for()
    assert view.assert_agrees()["alpha"] == lab.kernel("slider.value") == 0.375


def test_a_failing_kernel_is_a_sentence_and_the_next_move_recovers(show: Show, lab: Lab) -> None:
    view = show("widget = example()\nwidget")
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
    assert view.words(".crw-source") == "Error"
    view.rest()
    assert view.shown("alpha") == view.valuenow("alpha") == lab.kernel("widget.alpha") == 0.05
    lab.execute("wire.frame_message = real_frame_message")
    view.assert_agrees()
    view.part("alpha").focus()
    lab.page.keyboard.press("PageUp")
    view.wait_for(alpha=0.1)
    assert alert.inner_text() == ""
    assert view.source == "kernel"
    view.assert_agrees()


def test_a_slow_kernel_is_never_left_behind_by_a_queue(show: Show, lab: Lab) -> None:
    view = show("widget = example()\nwidget")
    lab.execute("""import time
computed = []
def slow(*args):
    time.sleep(0.05)
    computed.append((args[1], time.monotonic()))
    return real_frame_message(*args)
wire.frame_message = slow""")
    start, goal = view.on_track("alpha", 0.05), view.on_track("alpha", 0.3)
    view.drag(start, goal, steps=60)
    released = monotonic()
    view.rest()
    assert monotonic() - released < 1
    assert view.shown("alpha") == 0.3
    computed = lab.kernel("computed")
    alphas = [alpha for alpha, _ in computed]
    assert alphas[-1] == 0.3
    assert len(alphas) >= 2
    assert alphas == sorted(set(alphas)), "forward, and nothing twice"
    # One was being computed, one waited, and the last value came after them.
    assert sum(at > released for _, at in computed) <= 3
    lab.execute("wire.frame_message = real_frame_message")
    view.assert_agrees()


def test_a_label_with_too_few_points_is_told_in_words_and_hatched(show: Show, lab: Lab) -> None:
    view = show("widget = example(n_calibration=20, band='both')\nwidget")
    view.assert_agrees()
    assert view.words(".crw-strip-strong") == "no limits no limits"
    for band in ("sensitivity", "specificity"):
        path = view.part(f"band-{band}")
        assert path.get_attribute("fill").startswith("url(#crw-hatch")
        assert path.evaluate("(e) => getComputedStyle(e).stroke") == "none"
    # Ten points a label: one limit from alpha = 1/11, two from 4/11.
    slider = view.part("alpha-track").locator(
        "xpath=ancestor::*[contains(@class, 'crw-slider')][1]"
    )
    hatches = [hatch.bounding_box() for hatch in slider.locator(".crw-rail-hatch").all()]
    for hatch, alpha in zip(hatches, (1 / 11, 4 / 11), strict=True):
        end = view.on_track("alpha", alpha)[0]
        assert hatch["x"] + hatch["width"] == pytest.approx(end, abs=0.1)
    view.drag_slider("alpha", 0.25)
    view.rest()
    assert view.assert_agrees()["alpha"] == 0.25
    assert view.part("band-sensitivity").get_attribute("class") == "crw-no-limits"
    assert view.words(".crw-residuals .crw-strip-words").count("limit") == 2
    view.drag_slider("alpha", 0.45)
    view.rest()
    assert view.assert_agrees()["alpha"] == 0.45
    assert view.part("band-sensitivity").get_attribute("class") == "crw-band"
    assert "limit" not in view.words(".crw-residuals .crw-strip-words")


def test_names_of_classes_are_text_whatever_they_hold(show: Show, lab: Lab) -> None:
    lab.execute("""hostile = ('"><img src=x onerror="window.hacked = 1">',
    "'</script><script>window.hacked = 1</script>")""")
    view = show("""widget = ROCWidget.from_predictions(
    *scored(0, 400, hostile), *scored(1, 200, hostile))
widget""")
    names = lab.kernel("sorted(hostile)")
    titles = [named.get_attribute("title") for named in view.root.locator("b[title]").all()]
    for name in names:
        assert titles.count(name) == 3, "two strips and a table"
    assert view.root.locator("img, script").count() == 0
    view.drag_slider("alpha", 0.2)
    view.rest()
    view.assert_agrees()
    assert lab.page.evaluate("window.hacked") is None


def test_a_million_test_points_are_dragged_like_a_few(show: Show, lab: Lab) -> None:
    view = show("widget = example(n_test=1_000_000, band='both')\nwidget")
    view.drag_slider("alpha", 0.02, 0.3, steps=10)
    released = monotonic()
    view.rest()
    assert monotonic() - released < 1
    assert view.assert_agrees()["alpha"] == 0.3
    view.drag_slider("threshold", 0.75)
    view.rest()
    view.assert_agrees()


def test_a_localized_evaluation_has_no_pooled_quantiles(show: Show, lab: Lab) -> None:
    view = show("""from sklearn.linear_model import LogisticRegression
rng = np.random.default_rng(0)
X = rng.normal(size=(900, 2))
y = (rng.random(900) < expit(X[:, 0])).astype(int)
model = ConformalROC(LogisticRegression(), neighbors=40, random_state=0).fit(X[:700], y[:700])
widget = ROCWidget(model.evaluate(X[700:], y[700:]), alpha=0.2, band="both")
widget""")
    assert view.assert_agrees()["quantiles"] is None
    assert view.words(".crw-residuals").count("a pair for each test point") == 2
    view.drag_slider("alpha", 0.1, 0.3)
    view.rest()
    assert view.assert_agrees()["alpha"] == 0.3
