"""Both promises in a real page: switched by a reader, with and without a kernel, against Python's limits."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from agreement import assert_lines, assert_point
from lab import Lab
from lab_server import Server
from page import Hand, Opened, known
from playwright.sync_api import Browser, expect
from spoken import between
from view import View, show

from conformal_roc_widget import ROCWidget

SAMPLE = """import numpy as np
from sklearn.linear_model import LogisticRegression
from conformal_roc_widget import ROCWidget

rng = np.random.default_rng(4)
X = rng.normal(size=(900, 2))
y = (X[:, 0] + rng.normal(size=900) > 0.4).astype(int)
data = X[:600], y[:600], X[600:], y[600:]
"""
MADE = "widget = ROCWidget.from_estimator(LogisticRegression(), *data, random_state=0, alpha=0.1)\n"


def widget_of() -> ROCWidget:
    names: dict[str, ROCWidget] = {}
    exec(SAMPLE + MADE, names)
    return names["widget"]


@pytest.fixture
def view(browser: Browser, tmp_path: Path) -> Iterator[View]:
    with Opened(browser, widget_of().to_html(tmp_path / "page.html")) as page:
        yield page.view()


def choose(view: View, guarantee: str) -> None:
    view.click(view.part("promise").locator(f'label:has([value="{guarantee}"])'))
    view.wait("root.dataset.easing === undefined")


def assert_limits(view: View, widget: ROCWidget) -> None:
    """Curve, band and point are drawn as Python has them under the widget's guarantee."""
    drawn = view.drawing()
    kernel = known(widget, drawn)
    sides = [tuple(each) for each in kernel["sides"]]
    assert_lines(drawn, kernel, sides)
    assert_point(drawn, kernel, sides)
    assert drawn["legend"] == kernel["words"]


def test_a_page_without_a_kernel_draws_pythons_limits_under_both(view: View) -> None:
    widget = widget_of()
    assert_limits(view, widget)
    for i, guarantee in enumerate(("everywhere", "individual", "everywhere")):
        choose(view, guarantee)
        widget.guarantee = guarantee
        assert_limits(view, widget)
        for move in Hand(view, seed=i).moves(5):
            move()
            assert_limits(view, widget)


def test_a_page_that_has_curves_alone_has_those_of_both(browser: Browser, tmp_path: Path) -> None:
    widget = widget_of()
    file = widget.to_html(tmp_path / "page.html", data="curves")
    with Opened(browser, file) as page:
        view = page.view()
        for guarantee in ("everywhere", "individual"):
            choose(view, guarantee)
            widget.guarantee = guarantee
            for _ in range(2):
                drawn = view.drawing()
                at = widget.evaluation.operating_point(drawn["threshold"], drawn["alpha"])
                assert between(at.tpr_lower, at.tpr_upper) in drawn["spoken"]
                assert between(at.fpr_lower, at.fpr_upper) in drawn["spoken"]
                view.part("alpha").press("PageUp")
                view.wait("root.dataset.easing === undefined")


def test_who_drags_the_threshold_is_offered_the_other_promise_once(view: View) -> None:
    promise, hint = view.part("promise"), view.part("promise-hint")
    expect(hint).to_be_hidden()
    view.part("threshold").press("ArrowRight")
    expect(hint).to_be_visible()
    assert promise.get_attribute("data-picked") is not None
    view.click(hint)
    expect(promise.locator('[value="everywhere"]')).to_be_checked()
    expect(hint).to_be_hidden()
    assert "at every threshold at once" in view.drawing()["sentence"]
    choose(view, "individual")
    assert "for a threshold picked blindly" in view.drawing()["sentence"]
    expect(hint).to_be_hidden()


def test_with_a_kernel_reader_and_python_switch_each_other(
    server: Server, browser: Browser
) -> None:
    with Lab(server, browser, viewport={"width": 1700, "height": 1300}) as lab:
        lab.open([""])
        _switch_each_other(lab)
        assert lab.errors == []


def _switch_each_other(lab: Lab) -> None:
    view = show(lab, SAMPLE + MADE + "widget")
    choose(view, "everywhere")
    view.rest()
    assert lab.kernel("widget.guarantee") == "everywhere"
    drawn, kernel = view.drawing(), view.kernel()
    sides = [tuple(each) for each in kernel["sides"]]
    assert_lines(drawn, kernel, sides)
    assert_point(drawn, kernel, sides)
    view.part("threshold").press("ArrowRight")
    view.rest()
    drawn, kernel = view.drawing(), view.kernel()
    assert_point(drawn, kernel, sides)
    assert drawn["legend"] == kernel["words"]
    lab.execute("widget.guarantee = 'individual'")
    expect(view.part("promise").locator('[value="individual"]')).to_be_checked()
    view.rest()
    assert_lines(view.drawing(), view.kernel(), sides)
