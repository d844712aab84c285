"""The page of a simultaneous guarantee: the arc along the curve."""

from collections.abc import Iterator

import numpy as np
import pytest
from lab import Lab
from page import Opened
from parts import with_quick
from playwright.sync_api import Browser, expect
from scipy.special import expit
from view import EXAMPLES, View, show

from conformal_roc_widget import RocEvaluation, ROCWidget


def drawn(rng, n, falls=False):
    """Labels and scores; in a part of the scores the probability may fall as they rise."""
    y = rng.random(n) < 0.4
    p = expit(1.3 * rng.normal(1.5 * y) - 1.2)
    if falls:
        p = np.where((p > 0.25) & (p < 0.75), 1 - p, p)
    return np.where(y, "ill", "healthy"), p


def evaluated(seed=5, falls=False, n_calibration=900, n_test=400):
    rng = np.random.default_rng(seed)
    calibration, test = drawn(rng, n_calibration, falls), drawn(rng, n_test)
    return calibration, RocEvaluation.from_predictions(
        *calibration, *test, guarantee="simultaneous"
    )


@pytest.fixture(scope="module")
def sets():
    return evaluated()


@pytest.fixture(scope="module")
def page(browser: Browser, sets, tmp_path_factory) -> Iterator[Opened]:
    path = tmp_path_factory.mktemp("scores") / "page.html"
    ROCWidget(sets[1], alpha=0.05, threshold=0.5).to_html(path)
    with Opened(browser, path) as page:
        yield page


@pytest.fixture
def view(page: Opened) -> View:
    return page.view()


def set_slider(view: View, slider: str, value: float) -> None:
    """By a press on the track; returns when it is drawn."""
    view.page.mouse.click(*view.on_track(slider, value))
    view.settle()


def arc_rates(view: View) -> np.ndarray:
    """Vertices of the arc as false and true positive rates."""
    x0, y0, size = view.square()
    x, y = view.path("arc").T
    return np.column_stack([(x - x0) / size, (y0 - y) / size])


SETTINGS = [(0.05, 0.5), (0.037, 0.31), (0.3, 0.72)]


@pytest.mark.parametrize(("alpha", "threshold"), with_quick(SETTINGS, SETTINGS[1:2]))
def test_the_arc_runs_along_the_curve_between_the_limits_of_python(
    view: View, sets, alpha, threshold
) -> None:
    evaluation = sets[1]
    set_slider(view, "alpha", alpha)
    set_slider(view, "threshold", threshold)
    alpha, threshold = view.shown("alpha"), view.shown("threshold")
    point = evaluation.operating_point(threshold, alpha)
    arc = arc_rates(view)
    np.testing.assert_allclose(arc[0], [point.fpr_lower, point.tpr_lower], atol=1e-4)
    np.testing.assert_allclose(arc[-1], [point.fpr_upper, point.tpr_upper], atol=1e-4)
    band = evaluation.band(alpha)
    curve = np.column_stack([band.fpr, band.tpr])
    apart = np.abs(arc[:, None] - curve[None]).max(axis=2).min(axis=1)
    assert apart.max() < 1e-4


def test_the_reader_changes_between_the_arc_and_the_band(view: View) -> None:
    arc, band = view.part("arc"), view.part("band-sensitivity")
    expect(arc).to_be_visible()
    expect(band).to_be_hidden()
    view.choose("sensitivity")
    expect(arc).to_be_hidden()
    expect(band).to_be_visible()
    view.part("key").locator("[value=arc]").click()
    expect(arc).to_be_visible()


def test_labels_that_refute_the_order_are_told_at_the_alphas_at_which_they_do(
    browser: Browser, tmp_path
) -> None:
    _, evaluation = evaluated(falls=True, n_calibration=700)
    path = tmp_path / "refuted.html"
    ROCWidget(evaluation, alpha=0.05, threshold=0.5).to_html(path)
    assert evaluation.at(0.05).notes
    with Opened(browser, path) as page:
        view = page.view()
        assert view.part("arc").get_attribute("stroke-dasharray") == "2 3"
        set_slider(view, "alpha", 0.001)
        refuted = bool(evaluation.at(view.shown("alpha")).notes)
        dashes = "2 3" if refuted else "none"
        assert view.part("arc").get_attribute("stroke-dasharray") == dashes


@pytest.mark.thorough
def test_the_kernel_draws_the_same(lab: Lab) -> None:
    lab.open([""])
    lab.execute(EXAMPLES)
    view = show(
        lab,
        "widget = ROCWidget(RocEvaluation.from_predictions(*scored(0, 900), *scored(1, 300), "
        "guarantee='simultaneous'))\nwidget",
    )
    view.drag_slider("threshold", 0.3)
    view.drag_slider("alpha", 0.2)
    view.rest()
    kernel = view.kernel()
    arc = arc_rates(view)
    point = kernel["point"]
    np.testing.assert_allclose(arc[0], [point["fpr_lower"], point["tpr_lower"]], atol=1e-4)
    np.testing.assert_allclose(arc[-1], [point["fpr_upper"], point["tpr_upper"]], atol=1e-4)
