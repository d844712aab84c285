"""The file of `to_html`, opened without a network: it is interactive, and its numbers equal
Python's.
"""

import base64
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from agreement import assert_same
from data import (
    fit_explicit,
    logistic_sample,
    scored,
    three_classes,
    thresholds_of,
)
from page import (
    CURVES,
    Hand,
    Opened,
    assert_average,
    assert_near,
    assert_numbers,
    download,
    known,
    overview,
    pasted,
    pixels,
)
from parts import THOROUGH, with_quick
from playwright.sync_api import Browser
from said import share_limits, share_text
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from view import View
from widget_state import payload_of

from conformal_roc_widget import ConformalROC, RocEvaluation, ROCWidget, average_bands
from conformal_roc_widget.text import number_text

# Reads the curves of several classifiers, and the table of their numbers at the threshold.
CUTS = """(root) => {
    const { alpha, threshold } = root.dataset, plot = root.querySelector('[data-testid="plot"]').dataset;
    const rows = [...root.querySelector('[data-testid="cuts"] tbody').rows];
    return {
        alpha: Number(alpha), threshold: Number(threshold), square: [plot.x0, plot.y0, plot.size].map(Number),
        curves: rows.map((_, i) => root.querySelector(`[data-testid="curve-${i}"]`) ?? root.querySelector('[data-testid="roc"]'))
            .map((e) => e.getAttribute("d")),
        rows: rows.map((row) => [...row.cells].map((cell) => cell.textContent)),
    };
}"""
Make = Callable[[], ROCWidget]


def scores_alone(seed: int = 0) -> ROCWidget:
    rng = np.random.default_rng(seed)
    return ROCWidget.from_predictions(*scored(rng, 400), *scored(rng, 200), band="both")


def breast_cancer() -> ROCWidget:
    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    return ROCWidget.from_estimator(model, X_train, y_train, X_test, y_test, random_state=0)


def logistic(**options: object) -> ROCWidget:
    X, y, _ = logistic_sample(np.random.default_rng(4), 900)
    model = fit_explicit([(X[:300], y[:300]), (X[300:700], y[300:700])], **options)
    return ROCWidget(model.evaluate(X[700:], y[700:]), alpha=0.2, band="both")


def classes() -> ROCWidget:
    X, y = three_classes(np.random.default_rng(5), 900)
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X[:600], y[:600])
    return ROCWidget(model.evaluate_all(X[600:], y[600:]), band="sensitivity")


def classifiers() -> ROCWidget:
    rng = np.random.default_rng(6)
    sets = [scored(rng, 300), scored(rng, 160)]
    worse = [(y, 0.5 * s + 0.25) for y, s in sets]
    return ROCWidget(
        {
            name: RocEvaluation.from_predictions(*calibration, *test)
            for name, (calibration, test) in {"good": sets, "worse": worse}.items()
        },
        band="sensitivity",
    )


MADE: dict[str, Make] = {
    "scores alone": scores_alone,
    "localized": lambda: logistic(neighbors=40),
}
MOVES = [10, pytest.param(50, marks=THOROUGH)]


@pytest.mark.parametrize("moves", MOVES)
@pytest.mark.parametrize("name", MADE)
def test_wherever_it_is_moved_the_file_shows_what_python_computes(
    name: str, moves: int, tmp_path: Path, browser: Browser
) -> None:
    """Other kinds of evaluations: `cases.test.ts` compares every frame with Python's."""
    widget = MADE[name]()
    with Opened(browser, widget.to_html(tmp_path / "a.html")) as opened:
        view = opened.view()
        assert_says_that_no_kernel_is_attached(view, "exactly as Python would")
        settings = set()
        for move in Hand(view).moves(moves):
            move()
            settings.add(assert_pythons(view, widget))
        assert len(settings) > moves / 2
        assert_csv(view, widget)


@pytest.mark.parametrize("moves", MOVES)
@pytest.mark.parametrize("name", with_quick(MADE, ["localized"]))
def test_a_file_with_curves_alone_shows_what_python_computes_at_its_stops(
    name: str, moves: int, tmp_path: Path, browser: Browser
) -> None:
    widget = MADE[name]()
    file = widget.to_html(tmp_path / "a.html", data="curves")
    thresholds = thresholds_in(file)
    with Opened(browser, file) as opened:
        view = opened.view()
        assert_says_that_no_kernel_is_attached(view, "values of α")
        assert "this file holds no scores" in view.words(".crw-strip-words")
        for move in Hand(view).moves(moves):
            move()
            view.frames()
            drawn = view.drawing()
            band = widget.evaluation.band(drawn["alpha"], thresholds)
            told = known(widget, drawn) | {"quantiles": None}
            assert_same(drawn, told | {name: getattr(band, name) for name in CURVES})
            assert drawn["threshold"] in {*thresholds, 1.0, 0.0}
        text = download(view, "csv").path().read_text()
        band = widget.evaluation.band(view.shown("alpha"), thresholds)
        columns = {name: getattr(band, name) for name in CURVES}
        assert_numbers(text, columns, {"threshold" if n == "thresholds" else n: n for n in CURVES})


@pytest.mark.parametrize("moves", [2, pytest.param(25, marks=THOROUGH)])
def test_classes_and_their_average_are_those_of_python(
    moves: int, tmp_path: Path, browser: Browser
) -> None:
    widget = classes()
    with Opened(browser, widget.to_html(tmp_path / "a.html")) as opened:
        view = opened.view()
        assert_says_that_no_kernel_is_attached(view, "exactly as Python would")
        hand = Hand(view)
        for weights in ("size", "uniform"):
            view.click(view.root.locator(f".crw-weights label:has([value={weights}])"))
            for i in range(moves):
                slider = ("alpha", "threshold")[i % 2]
                (hand.drag_alpha if slider == "alpha" else hand.drag_threshold)()
                view.frames()
                assert_average(overview(view), widget, weights)
        alpha = view.shown("alpha")
        band = average_bands(widget.evaluation, alpha, "uniform")
        text = download(view, "csv").path().read_text()
        columns = {name: getattr(band, name) for name in CURVES}
        names = ("fpr", "tpr", "tpr_lower", "tpr_upper")
        assert_numbers(text, columns, {name: name for name in names})
        for label in widget.evaluation:
            view.pick(str(label))
            view.frames()
            widget.label = label
            assert view.shown("alpha") == alpha, "the sliders stay where they are"
            for move in hand.moves(min(moves, 10)):
                move()
                assert_pythons(view, widget)
            assert_csv(view, widget)
            alpha = view.shown("alpha")
            widget.label = None


@pytest.mark.parametrize("moves", [2, pytest.param(20, marks=THOROUGH)])
def test_classifiers_and_their_bands_are_those_of_python(
    moves: int, tmp_path: Path, browser: Browser
) -> None:
    widget = classifiers()
    evaluations = widget.evaluation
    with Opened(browser, widget.to_html(tmp_path / "a.html")) as opened:
        view = opened.view()
        hand = Hand(view)
        for _ in range(moves):
            hand.drag_alpha()
            view.frames()
            assert_cuts(view, evaluations)
        for label in evaluations:
            view.pick(label)
            view.frames()
            widget.label = label
            for move in hand.moves(min(moves, 10)):
                move()
                view.frames()
                drawn = view.drawing()
                assert_same(drawn, known(widget, drawn))
                assert_cuts(view, evaluations)


def test_every_tool_works_from_a_file(tmp_path: Path, browser: Browser) -> None:
    widget = scores_alone()
    with Opened(browser, widget.to_html(tmp_path / "a.html", title="A & B")) as opened:
        assert opened.page.title() == "A & B"
        view = opened.view()
        hand = Hand(view)
        hand.drag_alpha()
        hand.drag_threshold()
        view.frames()
        drawn = view.drawing()

        picture = download(view, "svg")
        assert picture.suggested_filename == f"roc-alpha-{drawn['alpha']:g}.svg"
        tree = ElementTree.fromstring(picture.path().read_bytes())
        paths = {e.get("d") for e in tree.iter() if e.get("d")}
        assert {drawn["roc"]["d"], drawn["sensitivity"]["d"], drawn["specificity"]["d"]} <= paths
        image = download(view, "png").path().read_bytes()
        size = np.array([float(tree.get(side)) for side in ("width", "height")])
        assert image.startswith(b"\x89PNG\r\n\x1a\n")
        np.testing.assert_array_equal(np.frombuffer(image[16:24], ">u4"), (2 * size).round())
        assert_csv(view, widget)

        view.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        view.part("toolbar-more").click()
        view.part("toolbar-copy").click()
        line = view.root.locator(".crw-code")
        line.wait_for()
        again = pasted(line.input_value(), evaluation=widget.evaluation)
        assert (again.alpha, again.threshold) == (drawn["alpha"], drawn["threshold"])
        assert again.band == drawn["band"]
        assert line.evaluate("(e) => getSelection().toString() === e.value")

        view.part("toolbar-reset").click()
        view.frames()
        assert (view.shown("alpha"), view.shown("threshold")) == (0.05, 0.5)
        assert_pythons(view, widget)


def assert_pythons(view: View, widget: ROCWidget) -> tuple[float, float]:
    """Asserts that the page shows Python's numbers and has computed them itself."""
    view.frames()
    drawn = view.drawing()
    assert drawn["source"] == "static"
    assert_same(drawn, known(widget, drawn))
    return drawn["alpha"], drawn["threshold"]


def assert_cuts(view: View, evaluations: dict[str, RocEvaluation]) -> None:
    """Asserts that the curves of all classifiers and their table at the threshold are right."""
    drawn = view.root.evaluate(CUTS)
    for curve, texts, (name, evaluation) in zip(
        drawn["curves"], drawn["rows"], evaluations.items(), strict=True
    ):
        band = evaluation.band(drawn["alpha"])
        point = evaluation.operating_point(drawn["threshold"], drawn["alpha"])
        auc, _, _ = evaluation.ideal_auc_range(drawn["alpha"])
        low, high = band.has_limits(0)
        assert_near(curve, pixels(drawn["square"], band.fpr, band.tpr))
        specificity = 1 - point.fpr_upper, 1 - point.fpr_lower
        assert texts[2:] == [
            number_text(auc),
            share_text(point.tpr),
            share_limits(point.tpr_lower, point.tpr_upper, band.has_limits(1)),
            share_text(1 - point.fpr),
            share_limits(*specificity, (high, low)),
        ]
        assert texts[0] == name


def assert_csv(view: View, widget: ROCWidget) -> None:
    """Asserts that the downloaded table has Python's numbers with all digits."""
    band = widget.evaluation.band(view.shown("alpha"))
    text = download(view, "csv").path().read_text()
    columns = {name: getattr(band, name) for name in CURVES}
    assert_numbers(text, columns, {"threshold" if n == "thresholds" else n: n for n in CURVES})
    assert f"# alpha={view.shown('alpha')!r}\n" in text


def assert_says_that_no_kernel_is_attached(view: View, how: str) -> None:
    line = view.words(".crw-static")
    assert line.startswith("This page works on its own, without a kernel: ")
    assert how in line
    assert view.source == "static"


def thresholds_in(file: Path) -> np.ndarray:
    """Thresholds of the only evaluation in a file."""
    entry = payload_of(file.read_text())["data"]["entries"][0]
    return thresholds_of(entry | {"thresholds": base64.b64decode(entry["thresholds"]["base64"])})
