"""Both promises in a real page: switched by a reader, with and without a kernel, against Python's limits."""

from typing import Any

from lab import Lab
from lab_server import Server
from page import assert_near, outline
from playwright.sync_api import Browser, expect
from said import limits_text
from view import IS_ALL_THERE, View, show

SAMPLE = """import numpy as np
from sklearn.linear_model import LogisticRegression
from conformal_roc_widget import ROCWidget

rng = np.random.default_rng(4)
X = rng.normal(size=(900, 2))
y = (X[:, 0] + rng.normal(size=900) > 0.4).astype(int)
data = X[:600], y[:600], X[600:], y[600:]
"""
MADE = "widget = ROCWidget.from_estimator(LogisticRegression(), *data, random_state=0, alpha=0.1)\n"


DRAWN = """(root) => {
    const part = (testid) => root.querySelector(`[data-testid="${testid}"]`);
    const { x0, y0, size } = part("plot").dataset;
    return {
        band: "sensitivity", alpha: Number(root.dataset.alpha), threshold: Number(root.dataset.threshold),
        square: [x0, y0, size].map(Number), outline: part("band-sensitivity").getAttribute("d"),
        spoken: part("operating-point").getAttribute("aria-valuetext").replaceAll("\\u00a0", " "),
        legend: [...root.querySelectorAll(".crw-legend dd")].slice(0, 3)
            .map((e) => e.textContent.replaceAll("\\u00a0", " ")),
    };
}"""
SCOPES = {
    "individual": "one fixed beforehand",
    "everywhere": "any I pick from 0.005 to 0.995",
}


def choose(view: View, guarantee: str) -> None:
    view.part("scope").select_option(SCOPES[guarantee])
    view.wait("root.dataset.easing === undefined")


def assert_chosen(view: View, guarantee: str) -> None:
    expect(view.part("scope").locator("option:checked")).to_have_text(SCOPES[guarantee])


def drawn_of(view: View) -> dict[str, Any]:
    """What states limits: the band's outline, the point's words, the promise."""
    view.wait(IS_ALL_THERE)
    drawn: dict[str, Any] = view.root.evaluate(DRAWN)
    return drawn


def assert_told(drawn: dict[str, Any], kernel: dict[str, Any]) -> None:
    point = kernel["point"]
    for rate, sides in zip(("fpr", "tpr"), kernel["sides"], strict=True):
        assert limits_text(point[f"{rate}_lower"], point[f"{rate}_upper"], sides) in drawn["spoken"]
    assert drawn["legend"] == [words.replace("\u00a0", " ") for words in kernel["words"]]


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
    assert_agrees(view)
    view.part("threshold").press("ArrowRight")
    view.rest()
    assert_agrees(view)
    lab.execute("widget.guarantee = 'individual'")
    assert_chosen(view, "individual")
    view.rest()
    assert_agrees(view)


def assert_agrees(view: View) -> None:
    """The page shows what the kernel knows of the widget as it is."""
    drawn, kernel = drawn_of(view), view.kernel()
    rates = (kernel[name] for name in ("fpr", "tpr_lower", "tpr_upper"))
    assert_near(drawn["outline"], outline(drawn["square"], *rates))
    assert_told(drawn, kernel)
