"""The slider "By" moves between horizons and changes nothing else."""

import numpy as np
import pytest
from agreement import plain
from lab import Lab
from lab_server import Server
from page import Alone, Open
from parts import THOROUGH
from playwright.sync_api import Browser, expect
from said import share_limits, share_text
from sklearn.linear_model import LogisticRegression
from view import View, show

from conformal_roc_widget import ConformalROC, ROCWidget, simulation
from conformal_roc_widget.evaluation.horizons import Horizons

TIMES = (0.25, 0.5, 1, 1.5, 2)
LOW, HIGH = (1280, 620), (1000, 760)


@pytest.fixture(scope="module")
def horizons() -> Horizons:
    X, y, _ = simulation.draw("survival", 600, 1)
    X_test, y_test, _ = simulation.draw("survival", 300, 2)
    model = ConformalROC(
        LogisticRegression(), horizons=TIMES, time_unit="years", random_state=0
    ).fit(X, y)
    return model.evaluate_all(X_test, y_test)


@pytest.fixture(scope="module")
def widget(horizons: Horizons) -> ROCWidget:
    made = ROCWidget(horizons, alpha=0.1, threshold=0.3, guarantee="individual")
    made.horizon = 1
    return made


MADE = f"""from sklearn.linear_model import LogisticRegression
from conformal_roc_widget import ConformalROC, ROCWidget, simulation

X, y, _ = simulation.draw("survival", 600, 1)
X_test, y_test, _ = simulation.draw("survival", 300, 2)
model = ConformalROC(
    LogisticRegression(), horizons={TIMES}, time_unit="years", random_state=0
).fit(X, y)
horizons = model.evaluate_all(X_test, y_test)
widget = ROCWidget(horizons, alpha=0.1, threshold=0.3, horizon=1, guarantee="individual")
widget"""


def timed(time: float) -> str:
    """A horizon with its unit."""
    return "1 year" if time == 1 else f"{time:g} years"


def assert_shows(
    view: Alone | View, horizons: Horizons, time: float, guarantee: str = "individual"
) -> None:
    """Asserts that this horizon is shown everywhere with Python's numbers, and that the other
    sliders have not moved.
    """
    view.settle()
    assert view.valuenow("horizon") == time
    assert view.part("horizon").get_attribute("aria-valuetext") == timed(time)
    assert (view.shown("alpha"), view.shown("threshold")) == (0.1, 0.3)
    evaluation = horizons[time].with_guarantee(guarantee)
    people = evaluation.n_test
    unknown = int(evaluation.unknown.sum())
    header = view.words(".crw-header")
    said = f"by {timed(time)}: {people[1]} with the event, {people[0]} without"
    assert said in header
    assert (f"{unknown} unknown" in header) == (unknown > 0)
    point = evaluation.operating_point(0.3, 0.1)
    answer = view.words(".crw-answer")
    found = f"it finds {share_text(point.tpr)} of {people[1]} with the event"
    told = answer.replace(" (weighted)", "")
    assert told.startswith(plain(f"By {timed(time)}, at threshold 0.30 {found}; "))
    limits = share_limits(point.tpr_lower, point.tpr_upper, evaluation.band(0.1).has_limits(1))
    told = "nothing bounds what the true risks themselves would find"
    if (point.tpr_lower, point.tpr_upper) != (0, 1):
        told = plain(f"{limits} of them have a true risk")
    assert told in answer
    called = evaluation.scores >= 0.3
    counts = [(called & (evaluation.labels == 1)).sum(), (~called & (evaluation.labels == 1)).sum()]
    cells = view.root.locator(".crw-counts .crw-count b").all_inner_texts()
    assert cells[:2] == [str(count) for count in counts]


@pytest.mark.parametrize("size", [LOW, pytest.param(HIGH, marks=THOROUGH)], ids=str)
def test_keys_and_drags_go_from_time_to_time_and_the_other_sliders_keep(
    size: tuple[int, int], horizons: Horizons, widget: ROCWidget, alone: Open
) -> None:
    view = alone(widget, viewport=dict(zip(("width", "height"), size, strict=True)))
    assert_shows(view, horizons, 1)
    slider = view.part("horizon")
    for key, time in (
        *(("ArrowRight", 1.5), ("ArrowRight", 2), ("ArrowRight", 2), ("Home", 0.25)),
        *(("ArrowLeft", 0.25), ("End", 2), ("ArrowLeft", 1.5), ("PageDown", 0.5)),
    ):
        slider.press(key)
        assert_shows(view, horizons, time)
    track, thumb = (view.part(name).bounding_box() for name in ("horizon-track", "horizon"))
    middle = track["y"] + track["height"] / 2
    mouse = view.page.mouse
    mouse.move(thumb["x"] + thumb["width"] / 2, middle)
    mouse.down()
    seen = set()
    for share in np.linspace(0.25, 0.98, 12):
        mouse.move(track["x"] + share * track["width"], middle)
        view.frames()
        seen.add(view.valuenow("horizon"))
    mouse.up()
    # The slider only takes values at its stops.
    assert seen <= set(TIMES)
    assert_shows(view, horizons, 2)
    mouse.click(track["x"] + track["width"] / 2, middle)
    assert_shows(view, horizons, 1)


@pytest.mark.parametrize("size", [LOW, HIGH], ids=str)
def test_nothing_sticks_out(size: tuple[int, int], widget: ROCWidget, alone: Open) -> None:
    view = alone(widget, viewport=dict(zip(("width", "height"), size, strict=True)))
    assert view.page.evaluate("document.documentElement.scrollWidth") == size[0]


def test_any_threshold_is_offered_between_its_ends_at_every_time(
    horizons: Horizons, widget: ROCWidget, alone: Open
) -> None:
    view = alone(widget, viewport=dict(zip(("width", "height"), HIGH, strict=True)))
    scope = view.part("scope")
    offered = ["one fixed beforehand", "any threshold I pick, 0.005 to 0.995"]
    assert scope.locator("option").all_inner_texts() == offered
    scope.select_option(offered[1])
    assert_shows(view, horizons, 1, "everywhere")
    for key, time in (("End", 2), ("Home", 0.25)):
        view.part("horizon").press(key)
        assert_shows(view, horizons, time, "everywhere")
        assert offered[1] in view.words(".crw-promise-line option:checked")
    scope.select_option(offered[0])
    assert_shows(view, horizons, 0.25)


@pytest.mark.thorough
def test_in_jupyterlab_keys_and_python_move_one_slider(
    server: Server, browser: Browser, horizons: Horizons
) -> None:
    with Lab(server, browser, viewport={"width": 1700, "height": 1300}) as lab:
        lab.open([""])
        view = show(lab, MADE)
        slider = view.part("horizon")
        assert_shows(view, horizons, 1)
        for key, time in (("ArrowRight", 1.5), ("End", 2), ("ArrowLeft", 1.5), ("Home", 0.25)):
            slider.press(key)
            view.rest()
            assert_shows(view, horizons, time)
            assert lab.kernel("widget.horizon") == time
        lab.execute("widget.horizon = 0.5")
        expect(slider).to_have_attribute("aria-valuenow", "0.5")
        view.rest()
        assert_shows(view, horizons, 0.5)
        # The key moves the slider from the value that Python has set.
        slider.press("ArrowRight")
        view.rest()
        assert_shows(view, horizons, 1)
        lab.execute("widget.guarantee = 'everywhere'")
        expect(view.part("scope").locator("option:checked")).to_have_text(
            "any threshold I pick, 0.005 to 0.995"
        )
        view.rest()
        assert_shows(view, horizons, 1, "everywhere")
        slider.press("End")
        view.rest()
        assert_shows(view, horizons, 2, "everywhere")
        assert lab.kernel("[widget.horizon, widget.guarantee]") == [2, "everywhere"]
        assert lab.errors == []
